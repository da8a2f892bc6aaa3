//! Projects from creation to removal, and their machines: `/v1/projects`.

use sim_base::Section;

pub mod claim_token;
pub mod health;
pub(crate) mod idle_pause;
pub mod metrics;
pub mod needs;
pub mod project;
pub mod project_change;
pub mod project_claim;
pub mod project_lifecycle;
pub mod project_log;
pub mod project_ref;
pub mod project_row;
pub mod project_step;
pub mod region;
pub mod resize;
pub mod restart;
pub mod restore;
pub(crate) mod service_start;
pub mod upgrade;
pub mod upgrade_obstacles;
pub mod upgrade_progress;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Projects",
    resources: &[
        project::RESOURCE,
        region::RESOURCE,
        project_change::RESOURCE,
        restart::RESOURCE,
        restore::RESOURCE,
        health::RESOURCE,
        resize::RESOURCE,
        upgrade::RESOURCE,
        upgrade_obstacles::RESOURCE,
        claim_token::RESOURCE,
        project_claim::RESOURCE,
        project_log::RESOURCE,
        metrics::RESOURCE,
        service_start::RESOURCE,
        idle_pause::RESOURCE,
    ],
    views: &[
        project::VIEWS,
        health::VIEWS,
        upgrade::VIEWS,
        claim_token::VIEWS,
        service_start::VIEWS,
        idle_pause::VIEWS,
    ],
};
