//! `/v2`: resources that exist only in this version of the API, and its views of resources that `/v1` also shows. Documents
//! follow JSON:API (`document.rs`); errors have their own format (`refusal.rs`).

use sim_base::Section;

pub mod advisor_run;
pub mod backup_download;
pub mod branch_create;
pub mod compute;
pub mod compute_build;
pub mod config;
pub mod document;
pub mod invitation;
pub mod log_drain;
pub mod maintenance;
pub mod member;
pub mod notebook;
pub mod notebook_cell;
pub mod private_link;
pub mod project_list;
pub(crate) mod refusal;
pub mod transfer;
pub mod vcs_connection;
pub mod webhooks;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Second version",
    resources: &[
        config::RESOURCE,
        member::RESOURCE,
        invitation::RESOURCE,
        maintenance::RESOURCE,
        project_list::RESOURCE,
        vcs_connection::RESOURCE,
        transfer::RESOURCE,
        branch_create::RESOURCE,
        advisor_run::RESOURCE,
        backup_download::RESOURCE,
        log_drain::RESOURCE,
        private_link::RESOURCE,
        notebook::RESOURCE,
        compute::RESOURCE,
        webhooks::ENDPOINTS,
        webhooks::DELIVERIES,
        webhooks::POSTS,
    ],
    views: &[
        member::VIEWS,
        invitation::VIEWS,
        vcs_connection::VIEWS,
        log_drain::VIEWS,
        private_link::VIEWS,
        notebook::VIEWS,
        compute::VIEWS,
        webhooks::VIEWS,
    ],
};
