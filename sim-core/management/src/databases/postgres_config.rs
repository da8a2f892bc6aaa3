//! `/v1/projects/{ref}/config/database/postgres`: settings of a project's database that differ from the service's.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_base::operations;
use sim_base::{
    Cx, Edition, Error, FromJson, Meta, Needs, New, Operation, Resource, Scope, ToSchema, View, get, patch,
    put, view,
};

use crate::catalog::InstanceSize;
use crate::project::{self, ProjectRef, Row};
use crate::restart::restart;

operations![GetPostgresConfig, UpdatePostgresConfig, PatchPostgresConfig];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE postgres_config (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        overrides TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "postgres_config",
    "The settings of a project's database that differ from the defaults.",
    "SELECT project, overrides FROM postgres_config",
)];

/// An amount of memory or disk in Postgres notation; units are case-sensitive.
const SIZE: &str = r"^-?[0-9]+(\.[0-9]+)?\s*(B|kB|MB|GB|TB)?$";
const SIZE_RULE: &str = "a size such as 64MB, in B, kB, MB, GB or TB";
/// A duration in Postgres notation.
const DURATION: &str = r"^-?[0-9]+(\.[0-9]+)?(us|ms|s|min|h|d)?$";
const DURATION_RULE: &str = "a duration such as 30s, in us, ms, s, min, h or d";

/// Settings that differ from the service's defaults. Absent settings have the default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct PostgresConfig {
    /// Memory that the planner may assume for caches.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SIZE), extend("x-rule" = SIZE_RULE))]
    pub effective_cache_size: Option<String>,
    /// Memory for logical decoding.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SIZE), extend("x-rule" = SIZE_RULE))]
    pub logical_decoding_work_mem: Option<String>,
    /// Memory for maintenance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SIZE), extend("x-rule" = SIZE_RULE))]
    pub maintenance_work_mem: Option<String>,
    /// Length of the stored text of a running statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SIZE), extend("x-rule" = SIZE_RULE))]
    pub track_activity_query_size: Option<String>,
    /// Maximum number of connections.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 262_143))]
    pub max_connections: Option<u32>,
    /// Locks per transaction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 10, max = 2_147_483_640_i64))]
    pub max_locks_per_transaction: Option<u32>,
    /// Workers of a maintenance statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1024))]
    pub max_parallel_maintenance_workers: Option<u32>,
    /// Workers of all parallel statements.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1024))]
    pub max_parallel_workers: Option<u32>,
    /// Workers of one step of a statement.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 1024))]
    pub max_parallel_workers_per_gather: Option<u32>,
    /// Replication slots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 262_143))]
    pub max_replication_slots: Option<u32>,
    /// Write-ahead log that a slot may keep; -1 for any amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SIZE), extend("x-rule" = SIZE_RULE))]
    pub max_slot_wal_keep_size: Option<String>,
    /// How long a standby delays archived log for its statements; -1 for any time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = DURATION), extend("x-rule" = DURATION_RULE))]
    pub max_standby_archive_delay: Option<String>,
    /// How long a standby delays streamed log for its statements; -1 for any time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = DURATION), extend("x-rule" = DURATION_RULE))]
    pub max_standby_streaming_delay: Option<String>,
    /// Log between two checkpoints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SIZE), extend("x-rule" = SIZE_RULE))]
    pub max_wal_size: Option<String>,
    /// Processes that send log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 262_143))]
    pub max_wal_senders: Option<u32>,
    /// Background processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 262_143))]
    pub max_worker_processes: Option<u32>,
    /// Which triggers and rules fire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_replication_role: Option<SessionReplicationRole>,
    /// Memory for the buffer cache.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SIZE), extend("x-rule" = SIZE_RULE))]
    pub shared_buffers: Option<String>,
    /// How long a statement may take; 0 for any time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = DURATION), extend("x-rule" = DURATION_RULE))]
    pub statement_timeout: Option<String>,
    /// Whether the time of each commit is recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub track_commit_timestamp: Option<bool>,
    /// Log kept for standbys.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SIZE), extend("x-rule" = SIZE_RULE))]
    pub wal_keep_size: Option<String>,
    /// How long a replication connection may be silent before it is closed; 0 for any time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = DURATION), extend("x-rule" = DURATION_RULE))]
    pub wal_sender_timeout: Option<String>,
    /// Memory for each sort or hash.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SIZE), extend("x-rule" = SIZE_RULE))]
    pub work_mem: Option<String>,
    /// Autovacuum processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 262_143), extend("x-since" = "2026-11"))]
    pub autovacuum_max_workers: Option<u32>,
    /// Memory of each of them; -1 for `maintenance_work_mem`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SIZE), extend("x-rule" = SIZE_RULE, "x-since" = "2026-11"))]
    pub autovacuum_work_mem: Option<String>,
    /// Time between two checkpoints.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = DURATION), extend("x-rule" = DURATION_RULE, "x-since" = "2026-11"))]
    pub checkpoint_timeout: Option<String>,
    /// Whether scheduled statements are logged.
    #[serde(rename = "cron.log_statement", default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub cron_log_statement: Option<bool>,
    /// Whether a standby informs the primary about the rows that its statements need.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub hot_standby_feedback: Option<bool>,
    /// Duration from which a vacuum is logged; -1 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = DURATION), extend("x-rule" = DURATION_RULE, "x-since" = "2026-11"))]
    pub log_autovacuum_min_duration: Option<String>,
    /// Whether checkpoints are logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub log_checkpoints: Option<bool>,
    /// Whether connections are logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub log_connections: Option<bool>,
    /// Whether the ends of connections are logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub log_disconnections: Option<bool>,
    /// Whether the duration of each statement is logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub log_duration: Option<bool>,
    /// Whether long waits for a lock are logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub log_lock_waits: Option<bool>,
    /// Whether long waits of a standby are logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub log_recovery_conflict_waits: Option<bool>,
    /// Whether commands of replication are logged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-since" = "2026-11"))]
    pub log_replication_commands: Option<bool>,
    /// Duration from which steps of a start are logged; 0 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = DURATION), extend("x-rule" = DURATION_RULE, "x-since" = "2026-11"))]
    pub log_startup_progress_interval: Option<String>,
    /// Size from which temporary files are logged; -1 for none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(regex(pattern = SIZE), extend("x-rule" = SIZE_RULE, "x-since" = "2026-11"))]
    pub log_temp_files: Option<String>,
    /// Processes of logical replication.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 262_143), extend("x-since" = "2026-11"))]
    pub max_logical_replication_workers: Option<u32>,
    /// Processes that copy the tables of one subscription.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 262_143), extend("x-since" = "2026-11"))]
    pub max_sync_workers_per_subscription: Option<u32>,
    /// Requests that leave in one batch.
    #[serde(rename = "pg_net.batch_size", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 32_767), extend("x-since" = "2026-11"))]
    pub pg_net_batch_size: Option<u32>,
    /// Statements whose statistics are kept.
    #[serde(rename = "pg_stat_statements.max", default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 100, max = 45_000), extend("x-since" = "2026-11"))]
    pub pg_stat_statements_max: Option<u32>,
}

/// Which triggers and rules fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SessionReplicationRole {
    /// The usual triggers and rules.
    Origin,
    /// Those for replicas.
    Replica,
    /// As with `origin`.
    Local,
}

/// Get the settings of a project's database that differ from the service's.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetPostgresConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetPostgresConfig {
    type Output = PostgresConfig;
    const META: Meta = Meta {
        scope: Some(Scope("database:read")),
        also: &[500],
        failure: "Failed to retrieve project's Postgres config",
        ..get("v1-get-postgres-config", "/v1/projects/{ref}/config/database/postgres")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<PostgresConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(stored(cx, &project.r#ref))
    }
}

/// Replace the settings that differ from the service's defaults.
///
/// Omitted settings get the service's default again.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct UpdatePostgresConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The settings.
    #[serde(flatten)]
    pub config: PostgresConfig,
    /// Restart the database, so that settings which need it take effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart_database: Option<bool>,
}

impl Operation for UpdatePostgresConfig {
    type Output = PostgresConfig;
    const META: Meta = Meta {
        scope: Some(Scope("database:write")),
        also: &[500],
        failure: "Failed to update project's Postgres config",
        needs: Needs::SET_UP,
        ..put("v1-update-postgres-config", "/v1/projects/{ref}/config/database/postgres")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<PostgresConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        store(cx, &project, &self.config, self.restart_database)?;
        Ok(self.config)
    }
}

/// Change settings that differ from the service's defaults. Omitted settings do not change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct PatchPostgresConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The settings.
    #[serde(flatten)]
    pub config: PostgresConfig,
    /// Restart the database, so that settings which need it take effect.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub restart_database: Option<bool>,
}

impl Operation for PatchPostgresConfig {
    type Output = PostgresConfig;
    const META: Meta = Meta {
        scope: Some(Scope("database:write")),
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to update project's Postgres config",
        needs: Needs::SET_UP,
        ..patch("v1-patch-postgres-config", "/v1/projects/{ref}/config/database/postgres")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<PostgresConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let mut config = fields(&stored(cx, &project.r#ref));
        config.extend(fields(&self.config));
        let config = serde_json::from_value(config.into()).expect("settings of two calls are settings");
        store(cx, &project, &config, self.restart_database)?;
        Ok(config)
    }
}

pub(crate) fn fields(config: &PostgresConfig) -> Map<String, Value> {
    match serde_json::to_value(config) {
        Ok(Value::Object(fields)) => fields,
        _ => Map::new(),
    }
}

/// The parameters that the configuration of the project's server sets. Sessions of the embedded engine begin with them.
pub(crate) fn of_server(cx: &Cx<'_>, project: &Row) -> Vec<(String, String)> {
    let text = |value: Value| match value {
        Value::String(text) => text,
        Value::Bool(is_on) => if is_on { "on" } else { "off" }.to_owned(),
        other => other.to_string(),
    };
    let own = fields(&stored(cx, &project.r#ref));
    let of_size = connections(project.size).filter(|_| !own.contains_key(MAX_CONNECTIONS));
    let of_size = of_size.map(|most| (MAX_CONNECTIONS.to_owned(), most.to_string()));
    own.into_iter().map(|(name, value)| (name, text(value))).chain(of_size).collect()
}

const MAX_CONNECTIONS: &str = "max_connections";

/// The connections that a machine of that size takes by default, as published; `None` for the smallest, which take as many as the
/// engine's own default.
const fn connections(size: InstanceSize) -> Option<u32> {
    Some(match size {
        InstanceSize::Pico | InstanceSize::Nano | InstanceSize::Micro => return None,
        InstanceSize::Small => 90,
        InstanceSize::Medium => 120,
        InstanceSize::Large => 160,
        InstanceSize::Xlarge => 240,
        InstanceSize::Xlarge2 => 380,
        InstanceSize::Xlarge4 => 480,
        InstanceSize::Xlarge8 => 490,
        _ => 500,
    })
}

pub(crate) fn stored(cx: &Cx<'_>, project: &str) -> PostgresConfig {
    let sql = "SELECT overrides FROM postgres_config WHERE project = ?1";
    let stored = cx.db.maybe(sql, (project,), |row| row.get::<_, String>(0));
    stored.map_or_else(PostgresConfig::default, |text| {
        serde_json::from_str(&text).expect("stored settings were written by the same type")
    })
}

fn store(
    cx: &mut Cx<'_>,
    project: &Row,
    config: &PostgresConfig,
    restarts: Option<bool>,
) -> Result<(), Error> {
    if restarts == Some(true) {
        restart(cx, project)?;
    }
    let text = serde_json::to_string(config).expect("settings are plain data");
    let sql = "INSERT INTO postgres_config VALUES (?1, ?2) ON CONFLICT DO UPDATE SET overrides = ?2";
    cx.db.run(sql, (&project.r#ref, text));
    Ok(())
}
