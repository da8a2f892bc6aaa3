//! `/v1/projects/{ref}/config/realtime`: limits of the service that sends changes to clients, and its
//! suspension.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use sim_base::ends::End;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, Needs, New, Operation, Payload, Resource, Timestamp, ToSchema,
    View, act, get, later, micros, patch, view,
};

use crate::project::{self, ProjectRef};

operations![GetRealtimeConfig, UpdateRealtimeConfig, ShutDownRealtime];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

/// A project has a row after its configuration was changed or its connections were closed.
const TABLES: &str = "
    CREATE TABLE realtime_config (
        project TEXT PRIMARY KEY REFERENCES project (ref) ON DELETE CASCADE,
        config TEXT NOT NULL,
        down_until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

/// The end of a restart after a change of settings.
pub(crate) const RESTART_END: End = End {
    kind: "end of realtime restart",
    sql: "SELECT down_until, project, '{}' FROM realtime_config WHERE down_until > ?1",
};

pub(crate) const VIEWS: &[View] = &[view(
    "realtime_config",
    "The changed settings of the service that sends a project's changes to clients.",
    "SELECT project, config, down_until FROM realtime_config",
)];

/// Limits of the service that sends changes to clients; `null` for the plan's limits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RealtimeConfig {
    /// Whether only private channels are allowed.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub private_only: Option<bool>,
    /// Database connections for authorization checks.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub connection_pool: Option<u32>,
    /// The maximum number of clients.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub max_concurrent_users: Option<u32>,
    /// Events per second in a channel.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub max_events_per_second: Option<u32>,
    /// Bytes per second in a channel.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub max_bytes_per_second: Option<u32>,
    /// Channels per client.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub max_channels_per_client: Option<u32>,
    /// Clients that join per second.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub max_joins_per_second: Option<u32>,
    /// Presence events per second.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub max_presence_events_per_second: Option<u32>,
    /// The largest message in kilobytes.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub max_payload_size_in_kb: Option<u32>,
    /// Whether the service is off for the project.
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub suspend: Option<bool>,
    /// Whether presence is enabled.
    pub presence_enabled: bool,
    /// Database connections for changes of rows.
    #[serde(default)]
    #[schemars(extend("x-nullable" = true, "x-required" = true))]
    pub postgres_changes_pool: Option<u32>,
    /// When the platform itself turned the service off.
    #[serde(default)]
    #[schemars(with = "Option<String>", extend("format" = "date-time", "x-nullable" = true, "x-required" = true))]
    pub admin_suspended_at: Option<Timestamp>,
}

/// Get the limits of the service that sends a project's changes to clients.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetRealtimeConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for GetRealtimeConfig {
    type Output = RealtimeConfig;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to get realtime config",
        ..get("v1-get-realtime-config", "/v1/projects/{ref}/config/realtime")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<RealtimeConfig, Error> {
        let project = project::load(cx, &self.r#ref)?;
        Ok(stored(cx, &project.r#ref).0)
    }
}

/// Change the limits of the service that sends a project's changes to clients. Omitted fields do not change.
///
/// A suspended service is unhealthy.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
#[serde(deny_unknown_fields)]
pub struct UpdateRealtimeConfig {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Whether only private channels are allowed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private_only: Option<bool>,
    /// Database connections for authorization checks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub connection_pool: Option<u32>,
    /// The maximum number of clients.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 300_000))]
    pub max_concurrent_users: Option<u32>,
    /// Events per second in a channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 50_000))]
    pub max_events_per_second: Option<u32>,
    /// Bytes per second in a channel.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000_000))]
    pub max_bytes_per_second: Option<u32>,
    /// Channels per client.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
    pub max_channels_per_client: Option<u32>,
    /// Clients that join per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 5000))]
    pub max_joins_per_second: Option<u32>,
    /// Presence events per second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 5000))]
    pub max_presence_events_per_second: Option<u32>,
    /// The largest message in kilobytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 10_000))]
    pub max_payload_size_in_kb: Option<u32>,
    /// Whether the service is off for the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suspend: Option<bool>,
    /// Whether presence is enabled.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub presence_enabled: Option<bool>,
    /// Database connections for changes of rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub postgres_changes_pool: Option<u32>,
}

impl Operation for UpdateRealtimeConfig {
    type Output = Empty;
    const META: Meta = Meta {
        status: 204,
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to update realtime config",
        needs: Needs::SET_UP,
        ..patch("v1-update-realtime-config", "/v1/projects/{ref}/config/realtime")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let (config, down_until) = stored(cx, &project.r#ref);
        let mut config = serde_json::to_value(config).expect("a configuration is plain data");
        let changes = serde_json::to_value(&self).expect("a request is plain data");
        for (name, value) in changes.as_object().into_iter().flatten().filter(|(name, _)| *name != "ref") {
            config[name] = value.clone();
        }
        store(cx, &project.r#ref, &config, down_until);
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

/// Close all connections of clients that wait for a project's changes. The service restarts at once.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ShutDownRealtime {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ShutDownRealtime {
    type Output = Empty;
    const META: Meta = Meta {
        needs: Needs { services: &["realtime"], ..Needs::ACTIVE },
        status: 204,
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to shutdown realtime",
        ..act("v1-shutdown-realtime", "/v1/projects/{ref}/config/realtime/shutdown")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let config =
            serde_json::to_value(stored(cx, &project.r#ref).0).expect("a configuration is plain data");
        let until = later(cx.now, Duration::from_millis(cx.policy.durations.restart_ms));
        store(cx, &project.r#ref, &config, micros(until));
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

/// The state of the service for an active project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Realtime {
    Up,
    ComingUp,
    Suspended,
}

pub(crate) fn state(cx: &Cx<'_>, project: &str) -> Realtime {
    match stored(cx, project) {
        (config, _) if config.suspend == Some(true) => Realtime::Suspended,
        (_, down_until) if micros(cx.now) < down_until => Realtime::ComingUp,
        _ => Realtime::Up,
    }
}

/// The configuration, and when the service is up again.
pub(crate) fn stored(cx: &Cx<'_>, project: &str) -> (RealtimeConfig, i64) {
    let sql = "SELECT config, down_until FROM realtime_config WHERE project = ?1";
    let found = cx.db.maybe(sql, (project,), |row| Ok((row.get::<_, String>(0)?, row.get(1)?)));
    found.map_or_else(Default::default, |(text, down_until)| {
        (
            serde_json::from_str(&text).expect("a stored configuration was written by the same type"),
            down_until,
        )
    })
}

fn store(cx: &Cx<'_>, project: &str, config: &Value, down_until: i64) {
    let sql = "INSERT OR REPLACE INTO realtime_config VALUES (?1, ?2, ?3)";
    cx.db.run(sql, (project, config.to_string(), down_until));
}
