//! `/v1/projects/{ref}/read-replicas`: copies of a project's database in other regions that answer reads.

use serde::Serialize;
use serde_json::{Map, Value};
use sim_base::jobs::Step;
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, FromJson, Meta, New, Operation, Resource, Task, TaskEntry, Timestamp, ToSchema,
    View, from_micros, get, micros, post, view,
};

use crate::backup_span;
use crate::catalog::{InstanceSize, Region};
use crate::lifecycles;
use crate::needs;
use crate::organization;
use crate::outcome::{self, Work};
use crate::project::{self, ProjectRef, Row, Status};
use crate::query;
use crate::text_of;

operations![SetUpReplica, RemoveReplica, ListReplicas, QueryReplica];

pub(crate) const RESOURCE: Resource =
    Resource { tables: TABLES, operations: OPERATIONS, tasks: &[TaskEntry::of::<ReplicaStep>()] };

const TABLES: &str = "
    CREATE TABLE replica (
        id INTEGER PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        identifier TEXT NOT NULL UNIQUE,
        region TEXT NOT NULL,
        status TEXT NOT NULL,
        created_at INTEGER NOT NULL,
        UNIQUE (project, region)
    ) STRICT;
";

pub(crate) const VIEWS: &[View] = &[view(
    "replica",
    "A read replica.",
    "SELECT project, identifier, region, status, created_at FROM replica ORDER BY id",
)];

/// Create a read replica in a region. The work continues after the answer.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct SetUpReplica {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The region where it will run; a project has at most one replica in a region.
    pub read_replica_region: Region,
}

impl Operation for SetUpReplica {
    type Output = Empty;
    const META: Meta = Meta {
        beta: true,
        also: &[402, 500],
        failure: "Failed to set up read replica",
        ..post("v1-setup-a-read-replica", "/v1/projects/{ref}/read-replicas/setup")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_fit(cx, &project)?;
        let region = text_of(&self.read_replica_region);
        let sql = "SELECT identifier FROM replica WHERE project = ?1 AND region = ?2";
        let there = cx.db.maybe(sql, (&project.r#ref, &region), |row| row.get::<_, String>(0));
        if let Some(there) = there {
            let text = format!("The project has a read replica in {region} already.");
            return Err(Error::invalid("replica_exists", text).because("replica", there, None));
        }
        let suffix = cx.rng.draw("replica").letters(5);
        let identifier = format!("{}-rr-{region}-{suffix}", project.r#ref);
        let sql = "INSERT INTO replica (project, identifier, region, status, created_at) VALUES (?1, ?2, ?3, ?4, ?5)";
        let status = text_of(&ReplicaStatus::ComingUp);
        backup_span::settle(cx, &project.r#ref);
        cx.db.run(sql, (&project.r#ref, &identifier, region, status, micros(cx.now)));
        let end = outcome::of(cx, Work::Replica, &project.r#ref, cx.policy.durations.replica_ms);
        let event = end.pick(ReplicaEvent::Finish, ReplicaEvent::Fail);
        end.schedule(cx, &ReplicaStep { identifier, event });
        Ok(Empty {})
    }
}

/// Refuses a project that can't have read replicas.
fn require_fit(cx: &Cx<'_>, project: &Row) -> Result<(), Error> {
    organization::require_paid(cx, &project.organization, "Setting up a read replica")?;
    if project.status != Status::ActiveHealthy {
        let text = format!(
            "A read replica can only be set up for a healthy project, this one is {}",
            project.status
        );
        return Err(Error::invalid("project_not_active", text).because(
            "project.status",
            project.status,
            Some(project.changed_by_call),
        ));
    }
    if project.size < SMALLEST {
        return Err(too_small(project.size));
    }
    let major = project.engine.split('-').next().and_then(|text| text.parse::<u32>().ok());
    if major.is_none_or(|major| major < OLDEST_ENGINE) {
        let text = format!("A read replica needs Postgres {OLDEST_ENGINE} or newer.");
        return Err(Error::invalid("engine_too_old", text).because("engine", &project.engine, None));
    }
    if !cx.policy.physical_backups {
        let text = "A read replica needs physical backups, which are not enabled for this project.";
        return Err(Error::invalid("no_physical_backups", text));
    }
    Ok(())
}

const OLDEST_ENGINE: u32 = 15;

/// The smallest machine whose project can have replicas.
pub(crate) const SMALLEST: InstanceSize = InstanceSize::Small;

pub(crate) fn too_small(size: InstanceSize) -> Error {
    let text = "A read replica needs a project whose instance size is small or larger.";
    Error::invalid("instance_too_small", text).because("instance size", text_of(&size), None)
}

/// Delete a read replica. The work continues after the answer.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RemoveReplica {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The name.
    pub database_identifier: String,
}

impl Operation for RemoveReplica {
    type Output = Empty;
    const META: Meta = Meta {
        beta: true,
        also: &[500],
        failure: "Failed to remove read replica",
        ..post("v1-remove-a-read-replica", "/v1/projects/{ref}/read-replicas/remove")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if self.database_identifier == project.r#ref {
            let text = "database_identifier: is the project's own database, not a read replica";
            return Err(Error::invalid("primary_database", text));
        }
        let unknown = || Error::not_found("replica", &self.database_identifier);
        let replica = find(cx, &self.database_identifier).ok_or_else(unknown)?;
        if replica.project != project.r#ref {
            return Err(unknown());
        }
        let Some(next) = replica.status.on(ReplicaEvent::Remove) else {
            let text = "This read replica is being removed already.";
            return Err(Error::invalid("replica_going_down", text));
        };
        cx.cancel::<ReplicaStep>(&replica.database_identifier);
        store(cx, &replica.database_identifier, next);
        let step = ReplicaStep { identifier: self.database_identifier, event: ReplicaEvent::FinishRemove };
        let end = outcome::of(cx, Work::ReplicaRemoval, &project.r#ref, cx.policy.durations.replica_ms);
        end.schedule(cx, &step);
        Ok(Empty {})
    }
}

/// A read replica.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Replica {
    /// Its database identifier.
    pub database_identifier: String,
    /// Its region.
    pub region: String,
    /// Its status.
    pub status: ReplicaStatus,
    /// When it was requested.
    #[schemars(with = "String")]
    pub created_at: Timestamp,
    #[serde(skip)]
    project: String,
}

/// List a project's read replicas.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListReplicas {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListReplicas {
    type Output = Vec<Replica>;
    const META: Meta =
        Meta { access: Access::Control, ..get("sim-list-replicas", "/_sim/projects/{ref}/read-replicas") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Replica>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(of(cx, &project.r#ref))
    }
}

/// The project's read replicas.
pub(crate) fn of(cx: &Cx<'_>, project: &str) -> Vec<Replica> {
    let sql = format!("SELECT {COLUMNS} FROM replica WHERE project = ?1 ORDER BY id");
    cx.db.all(&sql, (project,), read)
}

/// The database identifiers of the project's active read replicas.
pub(crate) fn identifiers(cx: &Cx<'_>, project: &Row) -> Vec<String> {
    let sql = "SELECT identifier FROM replica WHERE project = ?1 AND status = ?2 ORDER BY id";
    if !project.status.is_active() {
        return Vec::new();
    }
    cx.db.all(sql, (&project.r#ref, text_of(&ReplicaStatus::ActiveHealthy)), |row| row.get(0))
}

/// Run SQL on a read replica, as a connected client does. It has the primary's rows and is read-only.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct QueryReplica {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The name.
    pub database_identifier: String,
    /// One or more statements.
    #[schemars(length(min = 1), extend("x-any-text" = true))]
    pub query: String,
}

impl Operation for QueryReplica {
    type Output = Vec<Map<String, Value>>;
    const META: Meta = Meta {
        access: Access::Control,
        also: &[544],
        ..post("sim-query-replica", "/_sim/projects/{ref}/read-replicas/query")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Map<String, Value>>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let replica = find(cx, &self.database_identifier).filter(|one| one.project == project.r#ref);
        let replica = replica.ok_or_else(|| Error::not_found("replica", &self.database_identifier))?;
        needs::require_database(cx, &project)?;
        if replica.status != ReplicaStatus::ActiveHealthy {
            let status = text_of(&replica.status);
            let refusal = needs::unreachable(&project, "db", "Failed to run sql query");
            return Err(refusal.because("replica.status", status, None));
        }
        let outcome = query::execute(cx, &project, &self.query, true);
        outcome.map(|outcome| outcome.rows).map_err(|error| {
            let text = format!("Failed to run sql query: {error}");
            Error::invalid("sql_error", text).because("SQLSTATE", error.code, None)
        })
    }
}

/// The status of a read replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum ReplicaStatus {
    ComingUp,
    ActiveHealthy,
    InitFailed,
    GoingDown,
    Removed,
}

/// What can happen to a read replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson)]
#[expect(missing_docs, reason = "they are what they say")]
pub enum ReplicaEvent {
    Finish,
    Fail,
    Remove,
    FinishRemove,
}

impl ReplicaEvent {
    /// Every event.
    pub const ALL: [ReplicaEvent; 4] = {
        use ReplicaEvent::*;
        [Finish, Fail, Remove, FinishRemove]
    };
}

impl ReplicaStatus {
    /// Every status.
    pub const ALL: [ReplicaStatus; 5] = {
        use ReplicaStatus::*;
        [ComingUp, ActiveHealthy, InitFailed, GoingDown, Removed]
    };

    /// The whole lifecycle of a read replica. `None`: the event does not apply in this state.
    pub const fn on(self, event: ReplicaEvent) -> Option<ReplicaStatus> {
        use ReplicaEvent::*;
        use ReplicaStatus::*;
        Some(match (self, event) {
            (ComingUp, Finish) => ActiveHealthy,
            (ComingUp, Fail) => InitFailed,
            (ComingUp | ActiveHealthy | InitFailed, Remove) => GoingDown,
            (GoingDown, FinishRemove) => Removed,
            (ComingUp, FinishRemove)
            | (ActiveHealthy | InitFailed, Finish | Fail | FinishRemove)
            | (GoingDown, Finish | Fail | Remove)
            | (Removed, Finish | Fail | Remove | FinishRemove) => return None,
        })
    }
}

/// Background work on a read replica.
#[derive(Clone, Debug, Serialize, FromJson)]
pub struct ReplicaStep {
    identifier: String,
    event: ReplicaEvent,
}

impl Task for ReplicaStep {
    const KIND: &'static str = "replica";

    fn subject(&self) -> &str {
        &self.identifier
    }

    fn step(&self) -> Option<Step> {
        lifecycles::step(self.event, &ReplicaStatus::ALL, ReplicaStatus::on)
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        // Its project, and the replica with it, may have been removed.
        let Some(replica) = find(cx, &self.identifier) else { return "gone".to_owned() };
        let next = replica.status.on(self.event).expect("a step that no longer applies is cancelled");
        if next == ReplicaStatus::Removed {
            backup_span::settle(cx, &replica.project);
            cx.db.run("DELETE FROM replica WHERE identifier = ?1", (&self.identifier,));
        } else {
            store(cx, &self.identifier, next);
        }
        text_of(&next)
    }
}

/// Whether the project has read replicas in any state.
pub(crate) fn any(cx: &Cx<'_>, project: &str) -> bool {
    cx.db.maybe("SELECT 1 FROM replica WHERE project = ?1 LIMIT 1", (project,), |_| Ok(())).is_some()
}

/// Removes the project's read replicas at once.
pub(crate) fn end_all(cx: &Cx<'_>, project: &str) {
    backup_span::settle(cx, project);
    for one in of(cx, project) {
        cx.cancel::<ReplicaStep>(&one.database_identifier);
    }
    cx.db.run("DELETE FROM replica WHERE project = ?1", (project,));
    backup_span::lose_archive(cx, project);
}

const COLUMNS: &str = "identifier, region, status, created_at, project";

fn find(cx: &Cx<'_>, identifier: &str) -> Option<Replica> {
    cx.db.maybe(&format!("SELECT {COLUMNS} FROM replica WHERE identifier = ?1"), (identifier,), read)
}

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<Replica> {
    Ok(Replica {
        database_identifier: row.get(0)?,
        region: row.get(1)?,
        status: serde_json::from_value(row.get::<_, String>(2)?.into())
            .expect("stored statuses are published ones"),
        created_at: from_micros(row.get(3)?),
        project: row.get(4)?,
    })
}

fn store(cx: &Cx<'_>, identifier: &str, status: ReplicaStatus) {
    cx.db.run("UPDATE replica SET status = ?2 WHERE identifier = ?1", (identifier, text_of(&status)));
}
