//! Backups, schedules and restore points: `/v1/projects/{ref}/database/backups`.

use sim_base::Section;

pub mod backup;
pub mod backup_schedule;
pub(crate) mod backup_span;
pub mod restore_point;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Backups",
    resources: &[backup_span::RESOURCE, backup::RESOURCE, backup_schedule::RESOURCE, restore_point::RESOURCE],
    views: &[backup::VIEWS, backup_schedule::VIEWS, restore_point::VIEWS],
};
