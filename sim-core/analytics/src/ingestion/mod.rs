//! Ingestion of events into sources: `/api/logs`, `/api/events`, `/logs`.

use sim_base::Section;

pub mod delivery;
pub mod ingest;
pub(crate) mod normalise;
pub(crate) mod otlp;
pub mod platform_log;
pub(crate) mod reject;

/// All of it, for the service.
pub(crate) const SECTION: Section =
    Section { title: "Ingestion", resources: &[ingest::RESOURCE, platform_log::RESOURCE], views: &[] };
