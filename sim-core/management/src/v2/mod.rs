//! `/v2`: resources that exist only in this version of the API, and its views of resources that `/v1` also shows. Documents
//! follow JSON:API (`document.rs`); errors have their own format (`refusal.rs`).

use sim_base::Section;

pub mod backup_download;
pub mod config;
pub mod document;
pub mod invitation;
pub mod log_drain;
pub mod maintenance;
pub mod member;
pub mod notebook;
pub mod notebook_cell;
pub mod private_link;
pub(crate) mod refusal;
pub mod transfer;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Second version",
    resources: &[
        config::RESOURCE,
        member::RESOURCE,
        invitation::RESOURCE,
        maintenance::RESOURCE,
        transfer::RESOURCE,
        backup_download::RESOURCE,
        log_drain::RESOURCE,
        private_link::RESOURCE,
        notebook::RESOURCE,
    ],
    views: &[member::VIEWS, invitation::VIEWS, log_drain::VIEWS, private_link::VIEWS, notebook::VIEWS],
};
