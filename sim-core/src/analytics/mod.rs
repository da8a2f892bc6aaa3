//! The analytics server under `/api`: one file for each resource or step.
//!
//! A service of its own beside the management API: it has its own users, tokens, manner of refusing, and worlds.

use std::sync::LazyLock;

use crate::engine::{
    CLOCK_LEAVES_ROWS, Cx, Error, FAULTS, HISTORY_LEAVES_ROWS, Registry, Resource, Service,
    WINDOWS_LEAVE_ROWS, WORK_KNOWS_ROWS, World,
};

pub mod access_token;
pub mod account;
pub mod alert;
mod alert_run;
pub mod backend;
pub mod cached_result;
pub mod change;
mod cron;
pub mod delivery;
pub mod endpoint;
pub mod endpoint_query;
mod event_store;
mod events_on_server;
mod execute;
pub mod health;
pub mod ingest;
mod lql;
mod lql_sql;
mod manner;
pub mod metrics;
mod normalise;
pub mod notifications;
mod notify;
mod otlp;
pub mod outbox;
pub mod platform;
pub mod platform_log;
pub mod query;
mod quota;
mod reject;
pub mod rule;
pub mod source;
pub mod source_events;
pub mod source_settings;
pub mod team;
pub mod warehouse;

/// The service as the engine runs it.
pub static SERVICE: Service = Service {
    name: "analytics",
    title: "Analytics server",
    manner: &manner::MANNER,
    resources: &[
        FAULTS,
        account::RESOURCE,
        access_token::RESOURCE,
        source::RESOURCE,
        Resource { tables: metrics::TABLES, operations: &[], tasks: &[] },
        Resource { tables: events_on_server::TABLES, operations: &[], tasks: &[] },
        ingest::RESOURCE,
        source_events::RESOURCE,
        backend::RESOURCE,
        rule::RESOURCE,
        endpoint::RESOURCE,
        endpoint_query::RESOURCE,
        cached_result::RESOURCE,
        query::RESOURCE,
        health::RESOURCE,
        platform::RESOURCE,
        platform_log::RESOURCE,
        warehouse::RESOURCE,
        outbox::RESOURCE,
        notify::RESOURCE,
        alert::RESOURCE,
        alert_run::RESOURCE,
        team::RESOURCE,
    ],
    blank: include_bytes!("blank.bin"),
    views: &[
        access_token::VIEWS,
        source::VIEWS,
        metrics::VIEWS,
        backend::VIEWS,
        rule::VIEWS,
        endpoint::VIEWS,
        cached_result::VIEWS,
        warehouse::VIEWS,
        outbox::VIEWS,
        alert::VIEWS,
        team::VIEWS,
    ],
    guards: &[],
    databases: Some(event_store::KIND),
    ladder: &[CLOCK_LEAVES_ROWS, WORK_KNOWS_ROWS, WINDOWS_LEAVE_ROWS, HISTORY_LEAVES_ROWS],
    seed,
};

/// The service, compiled on first use.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&SERVICE));
    &REGISTRY
}

/// Organizations are none of this service's business.
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
