//! Ingestion of events into sources: `/api/logs`, `/api/events`, `/logs`.

use sim_base::Section;

pub(crate) mod copies;
mod decode;
pub mod delivery;
pub(crate) mod enrich;
pub mod export;
pub mod ingest;
pub(crate) mod normalise;
pub(crate) mod otlp;
pub mod platform_log;
pub(crate) mod reject;
mod syslog;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Ingestion",
    resources: &[ingest::RESOURCE, export::RESOURCE, platform_log::RESOURCE],
    views: &[],
};
