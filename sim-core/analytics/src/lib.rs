//! The analytics server under `/api`: a folder per subject, a file per resource or step.
//!
//! It is a separate service next to the management API, with its own users, tokens, error format and worlds.

#![forbid(unsafe_code)]

use sim_base::{Cx, Error, Service, World};

mod accounts;
mod alerts;
pub mod change;
mod ingestion;
mod manner;
mod queries;
mod sources;
mod storage;

pub use accounts::{access_token, account, platform, team};
pub use alerts::{alert, notifications, outbox};
pub(crate) use alerts::{alert_run, cron, notify};
pub(crate) use ingestion::{copies, enrich, normalise, otlp, reject};
pub use ingestion::{delivery, export, ingest, platform_log};
pub use queries::{cached_result, endpoint, endpoint_query, query};
pub(crate) use queries::{execute, lql, lql_sql, redact, source_search};
pub(crate) use sources::quota;
pub use sources::{health, metrics, source, source_events, source_settings};
pub use storage::{backend, key_value, rule, warehouse};
pub(crate) use storage::{event_store, events_on_server, retention};

pub use storage::event_store::move_to_server;

/// The service as the engine runs it.
pub static SERVICE: Service = Service {
    name: "analytics",
    title: "Analytics server",
    manner: &manner::MANNER,
    manners: &[],
    sections: &[
        accounts::SECTION,
        sources::SECTION,
        ingestion::SECTION,
        storage::SECTION,
        queries::SECTION,
        alerts::SECTION,
    ],
    blank: include_bytes!("blank.bin"),
    guards: &[],
    tags: &[],
    open_enums: None,
    ends: &[sim_base::ends::TOKEN],
    unused: |_, _| Vec::new(),
    databases: Some(event_store::KIND),
    seed,
};

/// This service has no organizations.
fn seed(cx: &mut Cx<'_>, world: &World) -> Result<(), Error> {
    event_store::create(cx);
    for user in &world.users {
        match &world.single_tenant {
            Some(tenant) => platform::seed(cx, tenant, user)?,
            None => account::seed(cx, user)?,
        }
    }
    Ok(())
}
