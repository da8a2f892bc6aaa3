//! The other services of a project, and their settings: `/v1/projects/{ref}/postgrest`, `/config/storage`, `/config/realtime`.

use sim_base::Section;

pub mod bucket;
pub mod realtime;
pub mod rest;
pub mod rest_document;
pub mod storage;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Services",
    resources: &[
        bucket::RESOURCE,
        rest::RESOURCE,
        rest_document::RESOURCE,
        storage::RESOURCE,
        realtime::RESOURCE,
    ],
    views: &[rest::VIEWS, storage::VIEWS, realtime::VIEWS],
};
