//! `/api/backends`: destinations that events are forwarded to, such as log drains.
//!
//! They store nothing here: exactly one backend stores the events, and the policy names it. A backend of type
//! `webhook` gets events as messages in the outbox; those of other types only store their configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Payload, Resource, ToSchema, View, micros,
    view,
};

use super::backend_config::{self, HEADERS, WEBHOOK, types};
use crate::account;
use crate::change::Change;
use crate::manner::{change, create, not_found, read, read_one, remove, replace, require_text};
use crate::normalise::Event;
use crate::outbox::{self, About};
use crate::source::{self, Source};

operations![
    CreateBackend,
    ListBackends,
    GetBackend,
    UpdateBackend,
    PatchBackend,
    DeleteBackend,
    AttachBackend,
    DetachBackend,
    TestBackend
];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE backend (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user INTEGER NOT NULL REFERENCES user,
        token TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        description TEXT,
        type TEXT NOT NULL,
        config TEXT NOT NULL, -- secret
        metadata TEXT NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX backend_by_user ON backend (user);
    CREATE TABLE source_backend (
        source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
        backend INTEGER NOT NULL REFERENCES backend ON DELETE CASCADE,
        PRIMARY KEY (source, backend)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX source_backend_by_backend ON source_backend (backend);
";

pub(crate) const VIEWS: &[View] = &[
    view(
        "backend",
        "A backend, without its configuration.",
        "SELECT id, token, name, description, type, updated_at FROM backend",
    ),
    view(
        "source_backend",
        "A source that a backend is attached to.",
        "SELECT source.name AS source, backend.name AS backend FROM source_backend
         JOIN source ON source.id = source JOIN backend ON backend.id = backend",
    ),
];

/// Replaces a secret in a response; in an update it keeps the stored secret.
const REDACTED: &str = "REDACTED";

/// Parts of the names of secrets.
const SECRETS: [&str; 6] = ["password", "secret", "token", "key", "authorization", "credential"];

/// A destination of events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Backend {
    /// Number.
    pub id: i64,
    /// UUID.
    pub token: String,
    /// Name.
    pub name: String,
    /// Its purpose.
    #[schemars(extend("x-nullable" = true))]
    pub description: Option<String>,
    /// Its type. Events are sent only to a `webhook`.
    #[schemars(extend("enum" = types()))]
    pub r#type: String,
    /// Its configuration without secrets.
    #[schemars(extend("x-secret" = true))]
    pub config: Map<String, Value>,
    /// Any data of its owner.
    pub metadata: Map<String, Value>,
}

/// Create a backend.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct CreateBackend {
    /// Name.
    pub name: String,
    /// Its type.
    #[schemars(extend("enum" = types()))]
    pub r#type: String,
    /// The settings that a creation and an update have in common.
    #[serde(flatten)]
    pub changes: BackendChanges,
}

/// An update of a backend. Omitted settings do not change.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct BackendChanges {
    /// Its purpose.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub description: Change<String>,
    /// Its configuration: each type has settings of its own, a `webhook` a `url`, and others are refused. The word `REDACTED` means
    /// the stored secret.
    #[serde(skip_serializing_if = "Change::is_kept")]
    #[schemars(extend("x-secret" = true))]
    pub config: Change<Map<String, Value>>,
    /// Any data of its owner: `{"type":"log-drain"}`.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub metadata: Change<Map<String, Value>>,
}

impl Operation for CreateBackend {
    type Output = Backend;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..create("analytics-create-backend", "/api/backends") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Backend, Error> {
        let token = cx.rng.uuid("backend").to_string();
        let sql = "INSERT INTO backend (user, token, name, type, config, metadata, updated_at)
                   VALUES (?1, ?2, '', ?3, '{}', '{}', ?4)";
        cx.db.run(sql, (account::caller(cx)?, &token, &self.r#type, micros(cx.now)));
        // Without a configuration there is no address either.
        let config = match self.changes.config {
            Change::Keep => Change::Clear,
            given => given,
        };
        update(cx, &token, Some(self.name), BackendChanges { config, ..self.changes })
    }
}

/// List the backends of the user, or those whose metadata has a type.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema, New)]
#[serde(default)]
pub struct ListBackends {
    /// The `type` that their metadata has.
    #[serde(rename = "metadata[type]", skip_serializing_if = "Option::is_none")]
    pub metadata_type: Option<String>,
}

impl Operation for ListBackends {
    type Output = Vec<Backend>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["metadata[type]"],
        ..read("analytics-list-backends", "/api/backends")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Backend>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM backend WHERE user = ?1 ORDER BY id");
        let rows = cx.db.all(&sql, (account::caller(cx)?,), row).into_iter();
        let wanted = |one: &Backend| {
            self.metadata_type.as_ref().is_none_or(|wanted| one.metadata.get("type") == Some(&json!(wanted)))
        };
        Ok(rows.filter(wanted).map(shown).collect())
    }
}

/// Fetch a backend.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetBackend {
    /// The backend's token.
    pub token: String,
}

impl Operation for GetBackend {
    type Output = Backend;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..read_one("analytics-get-backend", "/api/backends/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Backend, Error> {
        own(cx, &self.token).map(shown)
    }
}

/// Update a backend. Omitted settings and its type do not change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct UpdateBackend {
    /// The backend's token.
    pub token: String,
    /// Name.
    pub name: String,
    /// Its other settings.
    #[serde(flatten)]
    pub changes: BackendChanges,
}

impl Operation for UpdateBackend {
    type Output = Backend;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..replace("analytics-update-backend", "/api/backends/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Backend, Error> {
        update(cx, &self.token, Some(self.name), self.changes)
    }
}

/// Change a backend. Omitted settings, including its name, do not change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct PatchBackend {
    /// The backend's token.
    pub token: String,
    /// Name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its other settings.
    #[serde(flatten)]
    pub changes: BackendChanges,
}

impl Operation for PatchBackend {
    type Output = Backend;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..change("analytics-patch-backend", "/api/backends/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Backend, Error> {
        update(cx, &self.token, self.name, self.changes)
    }
}

/// Delete a backend, and the rules with it as their target.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteBackend {
    /// The backend's token.
    pub token: String,
}

impl Operation for DeleteBackend {
    type Output = Empty;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..remove("analytics-delete-backend", "/api/backends/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let backend = own(cx, &self.token)?;
        cx.db.run("DELETE FROM backend WHERE id = ?1", (backend.id,));
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

const OF_SOURCE: &str = "/api/sources/{token}/backends/{backend_token}";

/// Forward all events of a source to a backend.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct AttachBackend {
    /// The source's token.
    pub token: String,
    /// The backend's token.
    pub backend_token: String,
}

impl Operation for AttachBackend {
    type Output = Source;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        body: sim_base::Body::None,
        also: &[401, 404],
        ..create("analytics-attach-backend", OF_SOURCE)
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Source, Error> {
        let (source, backend) = (source::own(cx, &self.token)?, own(cx, &self.backend_token)?);
        cx.db.run("INSERT OR IGNORE INTO source_backend VALUES (?1, ?2)", (source.id, backend.id));
        Ok(source.show(cx))
    }
}

/// Stop forwarding all events of a source to a backend.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DetachBackend {
    /// The source's token.
    pub token: String,
    /// The backend's token.
    pub backend_token: String,
}

impl Operation for DetachBackend {
    type Output = Source;
    const META: Meta =
        Meta { since: Edition::V2026_11, status: 200, ..remove("analytics-detach-backend", OF_SOURCE) };

    fn run(self, cx: &mut Cx<'_>) -> Result<Source, Error> {
        let (source, backend) = (source::own(cx, &self.token)?, own(cx, &self.backend_token)?);
        let sql = "DELETE FROM source_backend WHERE source = ?1 AND backend = ?2";
        cx.db.run(sql, (source.id, backend.id));
        Ok(source.show(cx))
    }
}

/// Send a test event to a backend.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct TestBackend {
    /// The backend's token.
    pub token: String,
}

/// The result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct BackendTest {
    /// Whether events are sent to it: only to a `webhook`.
    #[serde(rename = "connected?")]
    pub is_connected: bool,
}

/// The event of a test.
const TEST_MESSAGE: &str = "Test of the connection";

impl Operation for TestBackend {
    type Output = BackendTest;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        status: 200,
        body: sim_base::Body::None,
        also: &[401, 404],
        ..create("analytics-test-backend", "/api/backends/{token}/test")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<BackendTest, Error> {
        let backend = own(cx, &self.token)?;
        let url = address(&backend.config).filter(|_| backend.r#type == WEBHOOK);
        if let Some(url) = url {
            let event = json!([{ "timestamp": micros(cx.now), "event_message": TEST_MESSAGE }]);
            outbox::post_with(cx, About::Backend, url, &headers(&backend.config), &event.to_string());
        }
        Ok(BackendTest { is_connected: url.is_some() })
    }
}

fn update(cx: &Cx<'_>, token: &str, name: Option<String>, changes: BackendChanges) -> Result<Backend, Error> {
    let mut backend = own(cx, token)?;
    if let Some(name) = name {
        require_text("name", &name)?;
        backend.name = name;
    }
    changes.description.apply(&mut backend.description);
    let given = !changes.config.is_kept();
    let before = backend.config.clone();
    changes.config.apply_or(&mut backend.config, Map::new());
    changes.metadata.apply_or(&mut backend.metadata, Map::new());
    backend.config.iter_mut().for_each(|(key, value)| keep_secret(value, before.get(key)));
    if given {
        backend_config::require(cx, &backend.r#type, &backend.config)?;
    }
    cx.db.run(
        "UPDATE backend SET name = ?2, description = ?3, config = ?4, metadata = ?5, updated_at = ?6 WHERE id = ?1",
        (
            backend.id,
            &backend.name,
            &backend.description,
            json!(backend.config).to_string(),
            json!(backend.metadata).to_string(),
            micros(cx.now),
        ),
    );
    Ok(shown(backend))
}

/// The headers of the configuration that can be sent.
fn headers(config: &Map<String, Value>) -> BTreeMap<String, String> {
    let given = config.get(HEADERS).and_then(Value::as_object).into_iter().flatten();
    given.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}

fn address(config: &Map<String, Value>) -> Option<&str> {
    config.get("url").and_then(Value::as_str)
}

/// A client sends back what a response contained.
fn keep_secret(given: &mut Value, before: Option<&Value>) {
    match (given, before) {
        (Value::Object(given), Some(Value::Object(before))) => {
            given.iter_mut().for_each(|(key, value)| keep_secret(value, before.get(key)));
        }
        (given @ Value::String(_), Some(before)) if *given == redacted_text("", before) => {
            given.clone_from(before);
        }
        (given, Some(before)) if *given == REDACTED => given.clone_from(before),
        _ => {}
    }
}

fn shown(mut backend: Backend) -> Backend {
    backend.config.iter_mut().for_each(|(key, value)| redact(key, value));
    backend
}

fn redact(key: &str, value: &mut Value) {
    match value {
        Value::Object(inner) => inner.iter_mut().for_each(|(key, value)| redact(key, value)),
        Value::Null | Value::Bool(_) => {}
        value => *value = redacted_text(key, value),
    }
}

/// A value without its secrets. A value with the name of a secret is replaced as a whole; from an address, only the password is
/// removed.
fn redacted_text(key: &str, value: &Value) -> Value {
    let key = key.to_lowercase();
    if SECRETS.iter().any(|name| key.contains(name)) {
        return REDACTED.into();
    }
    let Some(text) = value.as_str() else { return value.clone() };
    let password = text.split_once("://").and_then(|(scheme, rest)| {
        let (credentials, host) = rest.split_once('@')?;
        let (user, _) = credentials.split_once(':').filter(|_| !credentials.contains('/'))?;
        Some(format!("{scheme}://{user}:{REDACTED}@{host}"))
    });
    password.map_or_else(|| value.clone(), Value::from)
}

const COLUMNS: &str = "id, token, name, description, type, config, metadata";

/// As stored, with its secrets.
fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Backend> {
    let object = |text: String| serde_json::from_str(&text).expect("objects are stored as JSON");
    Ok(Backend {
        id: row.get(0)?,
        token: row.get(1)?,
        name: row.get(2)?,
        description: row.get(3)?,
        r#type: row.get(4)?,
        config: object(row.get(5)?),
        metadata: object(row.get(6)?),
    })
}

/// The caller's backend with that token, or 404.
pub(crate) fn own(cx: &Cx<'_>, token: &str) -> Result<Backend, Error> {
    let sql = format!("SELECT {COLUMNS} FROM backend WHERE token = ?1 AND user = ?2");
    let found = cx.db.maybe(&sql, (token.to_ascii_lowercase(), account::caller(cx)?), row);
    found.ok_or_else(|| not_found("backend_not_found", token))
}

/// Whether the caller has a backend with that number.
pub(crate) fn is_own(cx: &Cx<'_>, id: i64) -> Result<bool, Error> {
    let sql = "SELECT 1 FROM backend WHERE id = ?1 AND user = ?2";
    Ok(cx.db.maybe(sql, (id, account::caller(cx)?), |_| Ok(())).is_some())
}

/// The backends to which all events of a source are forwarded.
pub(crate) fn attached(cx: &Cx<'_>, source: i64) -> Vec<Backend> {
    let sql = format!(
        "SELECT {COLUMNS} FROM backend JOIN source_backend ON backend = id WHERE source = ?1 ORDER BY id"
    );
    cx.db.all(&sql, (source,), row).into_iter().map(shown).collect()
}

/// Sends the result of an alert, if the backend still exists and gets messages.
pub(crate) fn tell(cx: &Cx<'_>, backend: i64, alert: &str, result: &Value) {
    let sql = format!("SELECT {COLUMNS} FROM backend WHERE id = ?1");
    let found = cx.db.maybe(&sql, (backend,), row).filter(|one| one.r#type == WEBHOOK);
    if let Some((backend, url)) = found.as_ref().and_then(|one| Some((one, address(&one.config)?))) {
        outbox::post_with(cx, About::Alert(alert), url, &headers(&backend.config), &result.to_string());
    }
}

/// Forwards events of the source with that token.
pub(crate) fn forward(cx: &Cx<'_>, backend: i64, source: &str, events: &[Event]) {
    let sql = format!("SELECT {COLUMNS} FROM backend WHERE id = ?1");
    let Some(backend) = cx.db.maybe(&sql, (backend,), row).filter(|one| one.r#type == WEBHOOK) else {
        return;
    };
    let Some(url) = address(&backend.config).filter(|_| !events.is_empty()) else { return };
    let bodies: Vec<_> = events.iter().map(|event| &event.body).collect();
    outbox::post_with(cx, About::Source(source), url, &headers(&backend.config), &json!(bodies).to_string());
}
