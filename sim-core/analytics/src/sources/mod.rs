//! Sources, which events are sent to: `/api/sources`.

use sim_base::{Resource, Section};

pub mod health;
pub mod metrics;
pub(crate) mod quota;
pub mod source;
pub mod source_events;
pub mod source_settings;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Sources",
    resources: &[
        source::RESOURCE,
        Resource { tables: metrics::TABLES, operations: &[], tasks: &[] },
        source_events::RESOURCE,
        health::RESOURCE,
    ],
    views: &[source::VIEWS, metrics::VIEWS],
};
