//! Services that come up one by one: a project is ACTIVE_HEALTHY, and some of its services still need a while.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use sim_base::policy::ServiceDurations;
use sim_base::{Cx, FromJson, Pace, Resource, Task, TaskEntry, View, later, micros, view};

use crate::health::ServiceName;
use crate::project;

pub(crate) const RESOURCE: Resource =
    Resource { tables: TABLES, operations: &[], tasks: &[TaskEntry::of::<ServiceUp>()] };

/// `decided_ms` is how long the service takes whenever its project becomes active; `up_at` is set while it is coming up.
const TABLES: &str = "
    CREATE TABLE service_start (
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        service TEXT NOT NULL,
        decided_ms INTEGER,
        up_at INTEGER,
        changed_by_call INTEGER NOT NULL,
        PRIMARY KEY (project, service)
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "service_start",
    "A service that is coming up in an active project, or whose start was decided for a project.",
    "SELECT project, service AS name, decided_ms, up_at, changed_by_call FROM service_start",
)];

/// Lets the services of a project come up that has become active.
pub(crate) fn begin(cx: &Cx<'_>, r#ref: &str) {
    let sql = "SELECT service, decided_ms FROM service_start WHERE project = ?1 AND decided_ms IS NOT NULL";
    let decided = cx.db.all(sql, (r#ref,), |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)));
    let decided: BTreeMap<String, i64> = decided.into_iter().collect();
    for service in ServiceName::ALL {
        let usual = || usual_ms(&cx.policy.durations.services, service);
        start(cx, r#ref, service, decided.get(service.as_str()).map_or_else(usual, |ms| ms.unsigned_abs()));
    }
}

/// Lets one service of an active project come up, which takes `wait_ms`.
pub(crate) fn start(cx: &Cx<'_>, r#ref: &str, service: ServiceName, wait_ms: u64) {
    if wait_ms == 0 || cx.policy.pace == Pace::Instant {
        return;
    }
    let wait = Duration::from_millis(wait_ms);
    let up_at = micros(later(cx.now, wait));
    let sql = "INSERT INTO service_start (project, service, up_at, changed_by_call) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET up_at = ?3, changed_by_call = ?4";
    cx.db.run(sql, (r#ref, service.as_str(), up_at, cx.call as i64));
    cx.after(wait, &ServiceUp { r#ref: r#ref.to_owned(), service, up_at });
}

/// Decides how long the service takes whenever the project becomes active.
pub(crate) fn decide(cx: &Cx<'_>, r#ref: &str, service: ServiceName, wait_ms: u64) {
    let sql =
        "INSERT INTO service_start (project, service, decided_ms, changed_by_call) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO UPDATE SET decided_ms = ?3, changed_by_call = ?4";
    cx.db.run(sql, (r#ref, service.as_str(), wait_ms.cast_signed(), cx.call as i64));
}

/// The service is up, if it was coming up.
pub(crate) fn finish(cx: &Cx<'_>, r#ref: &str, service: ServiceName) {
    let sql = "UPDATE service_start SET up_at = NULL WHERE project = ?1 AND service = ?2";
    cx.db.run(sql, (r#ref, service.as_str()));
}

/// Ends the start of all services of a project that is no longer active.
pub(crate) fn end(cx: &Cx<'_>, r#ref: &str) {
    let sql = "UPDATE service_start SET up_at = NULL WHERE project = ?1 AND up_at IS NOT NULL";
    if cx.db.run(sql, (r#ref,)) > 0 {
        cx.cancel::<ServiceUp>(r#ref);
    }
}

/// The call that let this service come up, if it has not come up yet.
pub(crate) fn coming_up_since(cx: &Cx<'_>, r#ref: &str, service: &str) -> Option<u64> {
    let sql =
        "SELECT changed_by_call FROM service_start WHERE project = ?1 AND service = ?2 AND up_at IS NOT NULL";
    cx.db.maybe(sql, (r#ref, service), |row| row.get::<_, i64>(0)).map(i64::unsigned_abs)
}

const fn usual_ms(durations: &ServiceDurations, service: ServiceName) -> u64 {
    match service {
        ServiceName::Auth => durations.auth_ms,
        ServiceName::Db => durations.db_ms,
        ServiceName::DbPostgresUser => durations.db_postgres_user_ms,
        ServiceName::PgBouncer => durations.pg_bouncer_ms,
        ServiceName::Pooler => durations.pooler_ms,
        ServiceName::Realtime => durations.realtime_ms,
        ServiceName::Rest => durations.rest_ms,
        ServiceName::Storage => durations.storage_ms,
    }
}

/// A service has come up. Does nothing if its start was replaced or ended since.
#[derive(Clone, Debug, Serialize, FromJson)]
pub(crate) struct ServiceUp {
    r#ref: String,
    service: ServiceName,
    up_at: i64,
}

impl Task for ServiceUp {
    const KIND: &'static str = "service";
    const NAME: Option<&'static str> = project::NAME;

    fn subject(&self) -> &str {
        &self.r#ref
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let sql = "UPDATE service_start SET up_at = NULL WHERE project = ?1 AND service = ?2 AND up_at = ?3";
        match cx.db.run(sql, (&self.r#ref, self.service.as_str(), self.up_at)) {
            0 => format!("{} as before", self.service.as_str()),
            _ => format!("{} ACTIVE_HEALTHY", self.service.as_str()),
        }
    }
}
