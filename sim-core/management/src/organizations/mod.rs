//! Organizations, their members and plans, and the caller: `/v1/organizations`, `/v1/profile`.

use sim_base::Section;

pub mod account;
pub mod organization;
pub mod organization_project;
pub mod permission;
pub(crate) mod reach;
pub mod user;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Organizations",
    resources: &[organization::RESOURCE, user::RESOURCE, account::RESOURCE, organization_project::RESOURCE],
    views: &[organization::VIEWS],
};
