//! `/v2/projects/{ref}/analytics/log-drains`: where a project's logs are sent besides the analytics server.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Payload, Profile, Resource, Scope, Secret,
    ToSchema, View, delete, get, post, put, view,
};

use super::document::{Given, Many, Object, One, kind};
use super::webhooks::endpoint;
use crate::kept;
use crate::project::{self, ProjectRef};
use crate::{named, text_of};

operations![CreateLogDrain, ListLogDrains, UpdateLogDrain, DeleteLogDrain];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE log_drain (
        id TEXT PRIMARY KEY,
        project TEXT NOT NULL REFERENCES project (ref) ON DELETE CASCADE,
        name TEXT NOT NULL,
        description TEXT,
        backend_type TEXT NOT NULL,
        config TEXT NOT NULL, -- secret
        seq INTEGER NOT NULL,
        UNIQUE (project, seq)
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "log_drain",
    "A log drain of a project, without its settings.",
    "SELECT id, project, name, description, backend_type FROM log_drain ORDER BY project, seq",
)];

kind! {
    /// A log drain of a project.
    LogDrainKind = "log_drain";
}

/// A log drain: a destination of a project's logs. Nothing is sent here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct LogDrain {
    /// Its name.
    pub name: String,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The kind of destination.
    pub backend_type: DrainType,
    /// The settings of the destination.
    pub config: DrainConfig,
}

/// Changes of a log drain. Omitted fields do not change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct LogDrainChanges {
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its purpose.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The kind of destination.
    pub backend_type: DrainType,
    /// All settings of the destination.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<DrainConfig>,
}

/// A kind of destination of logs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum DrainType {
    Postgres,
    Warehouse,
    Columnar,
    Webhook,
    DrainB,
    DrainD,
    DrainA,
    S3,
    DrainC,
    Last9,
    Otlp,
    Syslog,
}

/// The settings of a destination. Each kind has some of these.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[expect(missing_docs, reason = "they are what the places call them")]
pub struct DrainConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 65_535))]
    pub port: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub domain: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpVersion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gzip: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tls: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub headers: Option<BTreeMap<String, Secret>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub username: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-nullable" = true))]
    pub password: Option<Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dsn: Option<Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_key: Option<Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub api_token: Option<Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dataset_name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub s3_bucket: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub storage_region: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub access_key_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub secret_access_key: Option<Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_timeout: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub structured_data: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ca_cert: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_cert: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub client_key: Option<Secret>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cipher_key: Option<Secret>,
}

/// A version of HTTP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(missing_docs, reason = "they are what they say")]
pub enum HttpVersion {
    Http1,
    Http2,
}

/// A log drain as a resource.
pub type LogDrainObject = Object<LogDrainKind, LogDrain>;

/// Create a log drain of a project.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct CreateLogDrain {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// The log drain.
    pub data: Given<LogDrainKind, LogDrain>,
}

impl Operation for CreateLogDrain {
    type Output = One<LogDrainObject>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        also: &[500],
        check: Some(check),
        failure: "Failed to create the log drain",
        ..post("v2-create-log-drain", "/v2/projects/{ref}/analytics/log-drains")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<LogDrainObject>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let drain = self.data.attributes;
        let id = cx.rng.uuid("log drain").to_string();
        let sql = "INSERT INTO log_drain (id, project, name, description, backend_type, config, seq)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6,
                           (SELECT ifnull(max(seq), 0) + 1 FROM log_drain WHERE project = ?2))";
        let kind = text_of(&drain.backend_type);
        let config = stored(&drain.config);
        cx.db.run(sql, (&id, &project.r#ref, &drain.name, &drain.description, kind, config));
        kept::require_room(cx)?;
        Ok(One::of(Object::new(id, drain)))
    }
}

/// List the log drains of a project, oldest first.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListLogDrains {
    /// The project's reference.
    pub r#ref: ProjectRef,
}

impl Operation for ListLogDrains {
    type Output = Many<LogDrainObject>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        scope: Some(Scope("analytics:read")),
        also: &[500],
        failure: "Failed to list the log drains",
        ..get("v2-list-log-drains", "/v2/projects/{ref}/analytics/log-drains")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Many<LogDrainObject>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let sql = format!("SELECT {COLUMNS} FROM log_drain WHERE project = ?1 ORDER BY seq");
        Ok(Many { data: cx.db.all(&sql, (&project.r#ref,), read) })
    }
}

/// Change a log drain of a project. Omitted fields do not change.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct UpdateLogDrain {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its UUID.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
    /// The changes.
    pub data: Given<LogDrainKind, LogDrainChanges>,
}

impl Operation for UpdateLogDrain {
    type Output = One<LogDrainObject>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to update the log drain",
        ..put("v2-update-log-drain", "/v2/projects/{ref}/analytics/log-drains/{id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<One<LogDrainObject>, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let old = load(cx, &project.r#ref, &self.id)?;
        let changes = self.data.attributes;
        if changes.config.is_none() && changes.backend_type != old.attributes.backend_type {
            let text = "Required, as another kind of destination has other settings";
            return Err(wrong("data.attributes.config", text));
        }
        let new = LogDrain {
            name: changes.name.unwrap_or(old.attributes.name),
            description: changes.description.or(old.attributes.description),
            backend_type: changes.backend_type,
            config: changes.config.unwrap_or(old.attributes.config),
        };
        let sql =
            "UPDATE log_drain SET name = ?2, description = ?3, backend_type = ?4, config = ?5 WHERE id = ?1";
        require_address(new.backend_type, new.config.url.as_deref())?;
        let kind = text_of(&new.backend_type);
        cx.db.run(sql, (&old.id, &new.name, &new.description, kind, stored(&new.config)));
        kept::require_room(cx)?;
        Ok(One::of(Object::new(old.id, new)))
    }
}

/// Delete a log drain of a project.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteLogDrain {
    /// The project's reference.
    pub r#ref: ProjectRef,
    /// Its UUID.
    #[schemars(extend("format" = "uuid"))]
    pub id: String,
}

impl Operation for DeleteLogDrain {
    type Output = Empty;
    const META: Meta = Meta {
        status: 204,
        since: Edition::V2026_11,
        also: &[500],
        failure: "Failed to delete the log drain",
        ..delete("v2-delete-log-drain", "/v2/projects/{ref}/analytics/log-drains/{id}")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let project = project::load(cx, &self.r#ref)?;
        let found = load(cx, &project.r#ref, &self.id)?;
        cx.db.run("DELETE FROM log_drain WHERE id = ?1", (found.id,));
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

fn check(input: &Value, _: &Profile) -> Result<(), Error> {
    let drain = &input["data"]["attributes"];
    let kind = DrainType::deserialize(&drain["backend_type"]);
    kind.map_or(Ok(()), |kind| require_address(kind, drain["config"]["url"].as_str()))
}

/// Refuses a drain that posts to nowhere.
fn require_address(kind: DrainType, url: Option<&str>) -> Result<(), Error> {
    let field = "data.attributes.config.url";
    match (kind, url) {
        (DrainType::Webhook, None | Some("")) => Err(wrong(field, "Required")),
        (DrainType::Webhook, Some(url)) if !endpoint::is_address(url) => {
            Err(wrong(field, "Invalid url, must be an http or https address with a host"))
        }
        _ => Ok(()),
    }
}

fn wrong(field: &str, problem: &str) -> Error {
    let text = format!("{field}: {problem}");
    Error::invalid(format!("invalid_body.{field}"), &text).field(field, text)
}

const COLUMNS: &str = "id, name, description, backend_type, config";

fn read(row: &rusqlite::Row<'_>) -> rusqlite::Result<LogDrainObject> {
    let config: String = row.get(4)?;
    let drain = LogDrain {
        name: row.get(1)?,
        description: row.get(2)?,
        backend_type: named(row.get_ref(3)?.as_str()?),
        config: serde_json::from_str(&config).expect("a configuration was stored by the same type"),
    };
    Ok(Object::new(row.get::<_, String>(0)?, drain))
}

fn stored(config: &DrainConfig) -> String {
    serde_json::to_string(config).expect("a configuration is plain data")
}

fn load(cx: &Cx<'_>, project: &str, id: &str) -> Result<LogDrainObject, Error> {
    let sql = format!("SELECT {COLUMNS} FROM log_drain WHERE project = ?1 AND id = ?2");
    cx.db.maybe(&sql, (project, id.to_lowercase()), read).ok_or_else(|| Error::not_found("log_drain", id))
}
