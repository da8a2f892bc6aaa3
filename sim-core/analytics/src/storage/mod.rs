//! Storage and forwarding of events: `/api/backends`, `/api/rules`, `/api/key-values`.

use sim_base::{Resource, Section};

pub mod backend;
mod backend_config;
pub(crate) mod event_store;
pub(crate) mod events_on_server;
pub mod key_value;
pub(crate) mod retention;
pub mod rule;
pub mod warehouse;

/// The operations, for the service.
pub(crate) const SECTION: Section = Section {
    title: "Backends",
    resources: &[
        Resource { tables: events_on_server::TABLES, operations: &[], tasks: &[] },
        retention::RESOURCE,
        backend::RESOURCE,
        rule::RESOURCE,
        key_value::RESOURCE,
        warehouse::RESOURCE,
    ],
    views: &[backend::VIEWS, rule::VIEWS, warehouse::VIEWS],
};
