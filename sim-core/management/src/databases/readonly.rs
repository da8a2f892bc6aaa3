//! `/v1/projects/{ref}/readonly`: a database that exceeds its plan or its disk accepts no writes.

use std::time::Duration;

use serde::Serialize;
use sim_base::ends::End;
use sim_base::operations;
use sim_base::{
    Access, Cx, Empty, Error, FromJson, Meta, New, Operation, Resource, Scope, Timestamp, ToSchema, act,
    from_micros, get, later, micros, post, put,
};

use crate::backup_span;
use crate::disk;
use crate::needs;
use crate::organization::{self, Plan};
use crate::project::{self, ProjectRef, Row};

operations![GetReadOnly, DisableReadOnly, SetReadOnly, WriteDatabase];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The end of the time in which a read-only project takes writes.
pub(crate) const OVERRIDE_END: End = End {
    kind: "end of read-only override",
    sql: "SELECT override_until, ref, '{}' FROM project WHERE override_until > ?1",
};

/// Whether a project's database accepts writes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct ReadOnlyStatus {
    /// Whether the project is in read-only mode.
    pub enabled: bool,
    /// Whether writes are temporarily allowed nevertheless.
    pub override_enabled: bool,
    /// The end of that time; the epoch until first used.
    pub override_active_until: String,
}

/// Get a project's read-only status.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetReadOnly {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetReadOnly {
    type Output = ReadOnlyStatus;
    const META: Meta = Meta {
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to get project readonly mode status",
        ..get("v1-get-readonly-mode-status", "/v1/projects/{ref}/readonly")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<ReadOnlyStatus, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let mode = Mode::of(cx, &project);
        Ok(ReadOnlyStatus {
            enabled: mode.is_on(),
            override_enabled: mode.is_overridden(cx.now),
            override_active_until: shown_end(cx, mode.override_until),
        })
    }
}

/// The epoch stands for never.
fn shown_end(cx: &Cx<'_>, until: Option<Timestamp>) -> String {
    let text = until.unwrap_or_default().to_string();
    match cx.profile.iso_override {
        true => text,
        // As Postgres prints it: a space instead of the T, a short offset.
        false => text.replace('T', " ").replace('Z', "+00"),
    }
}

/// Allow writes for the next 15 minutes. Another call starts the 15 minutes again.
///
/// Has no effect if the project is not in read-only mode.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DisableReadOnly {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for DisableReadOnly {
    type Output = Empty;
    const META: Meta = Meta {
        status: 201,
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to disable project's readonly mode",
        ..act("v1-disable-readonly-mode-temporarily", "/v1/projects/{ref}/readonly/temporary-disable")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        if Mode::of(cx, &project).is_on() {
            let until = later(cx.now, Duration::from_millis(cx.policy.durations.read_only_override_ms));
            cx.db.run(
                "UPDATE project SET override_until = ?2 WHERE ref = ?1",
                (&project.r#ref, micros(until)),
            );
        }
        Ok(Empty {})
    }
}

/// Put a project into read-only mode regardless of its size, or end that mode.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct SetReadOnly {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Whether it is read-only from now on.
    pub enabled: bool,
}

impl Operation for SetReadOnly {
    type Output = Empty;
    const META: Meta =
        Meta { access: Access::Control, ..put("sim-set-read-only", "/_sim/projects/{ref}/read-only") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        cx.db.run("UPDATE project SET read_only = ?2 WHERE ref = ?1", (&project.r#ref, self.enabled));
        Ok(Empty {})
    }
}

/// The size of a project's database.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct DatabaseSize {
    /// The size in bytes.
    pub database_bytes: u64,
}

/// Write to a project's database as its own clients do: add or remove rows of a number of bytes.
///
/// Refused like statements of clients if the project is not active or is read-only.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct WriteDatabase {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Bytes inserted; negative for bytes deleted.
    #[schemars(range(min = -1_000_000_000_000_000_i64, max = 1_000_000_000_000_000_i64))]
    pub bytes: i64,
}

impl Operation for WriteDatabase {
    type Output = DatabaseSize;
    const META: Meta = Meta {
        access: Access::Control,
        also: &[544],
        ..post("sim-write-database", "/_sim/projects/{ref}/database/writes")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<DatabaseSize, Error> {
        let project = project::load(cx, &self.r#ref)?;
        require_writable(cx, &project, if self.bytes < 0 { "DELETE" } else { "INSERT" })?;
        grow(cx, &project, self.bytes);
        let sql = "SELECT database_bytes FROM project WHERE id = ?1";
        let size = cx.db.one(sql, (project.id,), |row| row.get::<_, i64>(0));
        Ok(DatabaseSize { database_bytes: size.unsigned_abs() })
    }
}

/// Adds the bytes written to the project's database; a negative number is space that was freed.
pub(crate) fn grow(cx: &Cx<'_>, project: &Row, bytes: i64) {
    if bytes != 0 {
        backup_span::settle(cx, &project.r#ref);
        let sql = "UPDATE project SET database_bytes = min(4000000000000000000, max(0, database_bytes + ?2)) WHERE id = ?1";
        cx.db.run(sql, (project.id, bytes));
        let sql = "SELECT database_bytes FROM project WHERE id = ?1";
        let used = cx.db.one(sql, (project.id,), |row| row.get::<_, i64>(0));
        disk::grow(cx, project, used.unsigned_abs());
    }
}

/// Refuses a write if the project's database accepts none, with Postgres's error. `verb` is the statement's.
fn require_writable(cx: &Cx<'_>, project: &Row, verb: &str) -> Result<(), Error> {
    needs::require_database(cx, project)?;
    if !takes_no_writes(cx, project) {
        return Ok(());
    }
    let text =
        format!("Failed to run sql query: ERROR:  25006: cannot execute {verb} in a read-only transaction\n");
    Err(refusal(cx, project, text))
}

/// Whether the project's database refuses writes.
pub(crate) fn takes_no_writes(cx: &Cx<'_>, project: &Row) -> bool {
    let mode = Mode::of(cx, project);
    mode.is_on() && !mode.is_overridden(cx.now)
}

/// The refusal of a write, with the reason of the read-only mode.
pub(crate) fn refusal(cx: &Cx<'_>, project: &Row, text: String) -> Error {
    let mode = Mode::of(cx, project);
    let until =
        mode.override_until.map_or_else(|| "never used".to_owned(), |until| format!("ended at {until}"));
    Error::invalid("read_only", text)
        .because("told to be read-only", mode.told, None)
        .because("database bytes", mode.size, None)
        .because("allowed bytes", mode.limit, None)
        .because("override", until, None)
}

/// The reasons why a project is read-only, and how to end it.
struct Mode {
    told: bool,
    size: u64,
    limit: u64,
    override_until: Option<Timestamp>,
}

impl Mode {
    fn of(cx: &Cx<'_>, project: &Row) -> Mode {
        const SQL: &str = "
            SELECT read_only, database_bytes, override_until, plan, size_gb
            FROM project JOIN organization ON slug = organization
            LEFT JOIN disk ON disk.project = project.ref
            WHERE project.id = ?1";
        cx.db.one(SQL, (project.id,), |row| {
            let limit = match organization::read_plan(row.get_ref(3)?.as_str()?) {
                Plan::Free => cx.policy.free_database_bytes,
                Plan::Pro | Plan::Team | Plan::Enterprise => {
                    let disk = disk::bytes_of(cx, row.get(4)?);
                    (u128::from(disk) * u128::from(cx.policy.disk_full_percent) / 100) as u64
                }
            };
            Ok(Mode {
                told: row.get(0)?,
                size: row.get::<_, i64>(1)?.unsigned_abs(),
                limit,
                override_until: row.get::<_, Option<i64>>(2)?.map(from_micros),
            })
        })
    }

    fn is_on(&self) -> bool {
        self.told || self.size > self.limit
    }

    fn is_overridden(&self, now: Timestamp) -> bool {
        self.is_on() && self.override_until.is_some_and(|until| now < until)
    }
}
