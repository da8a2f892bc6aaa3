//! Branches of a project and their runs: `/v1/projects/{ref}/branches`, `/v1/branches`, `/v1/projects/{ref}/actions`.

use sim_base::Section;

pub mod action;
pub mod branch;
pub mod branch_config;
pub mod branch_diff;
pub mod branch_merge;
pub mod branch_removal;
pub mod branch_seed;
pub mod branch_workflow;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Branches",
    resources: &[
        branch::RESOURCE,
        branch_config::RESOURCE,
        branch_diff::RESOURCE,
        branch_merge::RESOURCE,
        branch_removal::RESOURCE,
        branch_seed::RESOURCE,
        action::RESOURCE,
    ],
    views: &[branch::VIEWS, branch_seed::VIEWS, action::VIEWS],
};
