//! `/v1/projects/{ref}/health`: the health of a project's services.

use serde::Serialize;
use sim_base::operations;
use sim_base::{
    Access, Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Resource, Scope, ToSchema, View, get,
    put, view,
};

use crate::project::{self, Event, ProjectRef, Status};
use crate::realtime::{self, Realtime};
use crate::rest;
use crate::service_start;

operations![GetHealth, SetServiceHealth];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE service_fault (
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        service TEXT NOT NULL,
        changed_by_call INTEGER NOT NULL,
        PRIMARY KEY (project, service)
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "service_fault",
    "An unhealthy service of a project.",
    "SELECT project, service AS name, changed_by_call FROM service_fault",
)];

/// A service that runs for a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum ServiceName {
    Auth,
    Db,
    #[schemars(extend("x-since" = "2026-11"))]
    DbPostgresUser,
    #[schemars(extend("x-since" = "2026-11"))]
    PgBouncer,
    Pooler,
    Realtime,
    Rest,
    Storage,
}

impl ServiceName {
    /// All services.
    pub const ALL: [ServiceName; 8] = [
        ServiceName::Auth,
        ServiceName::Db,
        ServiceName::DbPostgresUser,
        ServiceName::PgBouncer,
        ServiceName::Pooler,
        ServiceName::Realtime,
        ServiceName::Rest,
        ServiceName::Storage,
    ];

    /// The published name.
    pub const fn as_str(self) -> &'static str {
        match self {
            ServiceName::Auth => "auth",
            ServiceName::Db => "db",
            ServiceName::DbPostgresUser => "db_postgres_user",
            ServiceName::PgBouncer => "pg_bouncer",
            ServiceName::Pooler => "pooler",
            ServiceName::Realtime => "realtime",
            ServiceName::Rest => "rest",
            ServiceName::Storage => "storage",
        }
    }
}

/// The health of a service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum ServiceStatus {
    ComingUp,
    ActiveHealthy,
    Unhealthy,
}

/// The health of one service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ServiceHealth {
    /// The service.
    pub name: ServiceName,
    /// Whether it responds.
    pub healthy: bool,
    /// Its health.
    pub status: ServiceStatus,
    /// Information from the service itself, if it gives any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub info: Option<Info>,
    /// The error.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// Information from a service about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Info {
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<ServerName>,
    /// Its version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it is healthy.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub healthy: Option<bool>,
    /// Whether it receives the database's changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub replication_connected: Option<bool>,
    /// The schemas that it exposes, for the REST service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub db_schema: Option<String>,
    /// Whether it has a connection to the database.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub db_connected: Option<bool>,
    /// Number of its machines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub connected_cluster: Option<u32>,
}

/// The name that a server reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub enum ServerName {
    /// The server of user accounts.
    AuthServer,
}

/// Get the health of a project's services.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetHealth {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The services to ask.
    #[schemars(length(min = 1))]
    pub services: Vec<ServiceName>,
    /// How long to wait for an answer in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 10_000))]
    pub timeout_ms: Option<u32>,
}

impl Operation for GetHealth {
    type Output = Vec<ServiceHealth>;
    const META: Meta = Meta {
        query: &["services", "timeout_ms"],
        scope: Some(Scope("projects:read")),
        also: &[500],
        failure: "Failed to retrieve project's service health status",
        ..get("v1-get-services-health", "/v1/projects/{ref}/health")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<ServiceHealth>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let late = self.timeout_ms.filter(|limit| u64::from(*limit) < cx.policy.health_answer_ms);
        let health = |name| match late {
            Some(limit) => unhealthy(name, format!("no answer within {limit} ms")),
            None => health_of(cx, name, project.status, &project.r#ref),
        };
        Ok(self.services.into_iter().map(health).collect())
    }
}

fn health_of(cx: &Cx<'_>, name: ServiceName, project: Status, r#ref: &str) -> ServiceHealth {
    match project {
        Status::ActiveUnhealthy if broken_since(cx, r#ref, name.as_str()).is_some() => {
            unhealthy(name, "connection refused".to_owned())
        }
        Status::ActiveHealthy | Status::ActiveUnhealthy
            if service_start::coming_up_since(cx, r#ref, name.as_str()).is_some() =>
        {
            coming_up(name)
        }
        Status::ActiveHealthy | Status::ActiveUnhealthy if name == ServiceName::Realtime => {
            match realtime::state(cx, r#ref) {
                Realtime::Up => healthy(name),
                Realtime::ComingUp => coming_up(name),
                Realtime::Suspended => unhealthy(name, "suspended".to_owned()),
            }
        }
        Status::ActiveHealthy | Status::ActiveUnhealthy if name == ServiceName::Rest => {
            let db_schema = Some(rest::stored(cx, r#ref).db_schema);
            // The first edition has nothing to say of this service.
            let has_info = cx.policy.edition > Edition::FIRST;
            ServiceHealth { info: has_info.then(|| Info { db_schema, ..Info::default() }), ..healthy(name) }
        }
        Status::ActiveHealthy | Status::ActiveUnhealthy => healthy(name),
        Status::Unknown
        | Status::ComingUp
        | Status::Restoring
        | Status::Upgrading
        | Status::Restarting
        | Status::Resizing => coming_up(name),
        Status::InitFailed
        | Status::Pausing
        | Status::Inactive
        | Status::PauseFailed
        | Status::RestoreFailed
        | Status::GoingDown
        | Status::Removed => unhealthy(name, format!("the project is {project}")),
    }
}

fn healthy(name: ServiceName) -> ServiceHealth {
    let info = match name {
        ServiceName::Auth => Some(Info {
            name: Some(ServerName::AuthServer),
            version: Some("v2.170.0".to_owned()),
            description: Some("user registration and authentication".to_owned()),
            ..Info::default()
        }),
        ServiceName::Realtime => Some(Info {
            healthy: Some(true),
            db_connected: Some(true),
            connected_cluster: Some(1),
            replication_connected: Some(true),
            ..Info::default()
        }),
        _ => None,
    };
    ServiceHealth { name, healthy: true, status: ServiceStatus::ActiveHealthy, info, error: None }
}

fn coming_up(name: ServiceName) -> ServiceHealth {
    ServiceHealth { name, healthy: false, status: ServiceStatus::ComingUp, info: None, error: None }
}

fn unhealthy(name: ServiceName, error: String) -> ServiceHealth {
    ServiceHealth { name, healthy: false, status: ServiceStatus::Unhealthy, info: None, error: Some(error) }
}

/// Break or repair one service of an active project.
///
/// With a broken service the project is ACTIVE_UNHEALTHY, until all are repaired. Operations that need a broken service are
/// refused with 544.
///
/// With `after_ms` the service of an active project is COMING_UP for that time. In any other state the service takes that long
/// whenever the project becomes active.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetServiceHealth {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The service.
    pub service: ServiceName,
    /// Whether it is healthy from now on.
    pub healthy: bool,
    /// How long the service takes to become healthy, in milliseconds of simulated time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 31_536_000_000_u64))]
    pub after_ms: Option<u64>,
}

impl Operation for SetServiceHealth {
    type Output = Empty;
    const META: Meta = Meta {
        access: Access::Control,
        ..put("sim-set-service-health", "/_sim/projects/{ref}/health/{service}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if !self.healthy && self.after_ms.is_some() {
            let text = "after_ms: can't be given for a service that breaks";
            return Err(Error::invalid("invalid_body.after_ms", text));
        }
        if let Some(after_ms) = self.after_ms.filter(|_| !project.status.is_active()) {
            service_start::decide(cx, &project.r#ref, self.service, after_ms);
            return Ok(Empty {});
        }
        if !project.status.is_active() {
            let text =
                format!("Only an active project's services break and mend, this one is {}", project.status);
            return Err(Error::invalid("project_not_active", text));
        }
        let (r#ref, service) = (&project.r#ref, self.service.as_str());
        service_start::finish(cx, r#ref, self.service);
        let event = if self.healthy {
            cx.db.run("DELETE FROM service_fault WHERE project = ?1 AND service = ?2", (r#ref, service));
            service_start::start(cx, r#ref, self.service, self.after_ms.unwrap_or_default());
            Event::Recover
        } else {
            let sql = "INSERT OR IGNORE INTO service_fault VALUES (?1, ?2, ?3)";
            cx.db.run(sql, (r#ref, service, cx.call as i64));
            Event::Degrade
        };
        let faults = "SELECT count(*) FROM service_fault WHERE project = ?1";
        let broken = cx.db.one(faults, (&project.r#ref,), |row| row.get::<_, i64>(0)) > 0;
        if broken == (event == Event::Degrade) {
            // The service already has that state, so nothing changes.
            let _ = project.apply(cx, event);
        }
        Ok(Empty {})
    }
}

/// The call that has broken that service, if it is broken.
pub(crate) fn broken_since(cx: &Cx<'_>, r#ref: &str, name: &str) -> Option<u64> {
    let sql = "SELECT changed_by_call FROM service_fault WHERE project = ?1 AND service = ?2";
    cx.db.maybe(sql, (r#ref, name), |row| row.get::<_, i64>(0)).map(i64::unsigned_abs)
}
