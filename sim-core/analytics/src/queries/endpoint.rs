//! `/api/endpoints`: queries under a name.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Payload, Resource, Timestamp, ToSchema, View,
    from_micros, micros, view,
};

use crate::change::Change;
use crate::execute::{self, Ask};
use crate::manner::{
    TAKEN, change, create, not_found, read, read_one, remove, replace, require_between, require_text,
    unprocessable,
};
use crate::{account, cached_result};

operations![CreateEndpoint, ListEndpoints, GetEndpoint, UpdateEndpoint, PatchEndpoint, DeleteEndpoint];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE endpoint (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user INTEGER NOT NULL REFERENCES user,
        token TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        query TEXT NOT NULL,
        source_mapping TEXT NOT NULL,
        settings TEXT NOT NULL,
        inserted_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX endpoint_by_name ON endpoint (user, name);
";

pub(crate) const VIEWS: &[View] = &[view(
    "endpoint",
    "A query endpoint.",
    "SELECT id, token, name, query, inserted_at, updated_at FROM endpoint",
)];

/// A query endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Endpoint {
    /// Number.
    pub id: i64,
    /// Name; another endpoint may have the same.
    pub name: String,
    /// UUID.
    pub token: String,
    /// The query, with parameters as `@name`.
    pub query: String,
    /// The sources that it reads from, by name, with their tokens.
    pub source_mapping: BTreeMap<String, String>,
    /// The other settings.
    #[serde(flatten)]
    pub settings: Settings,
    /// When it was created.
    #[schemars(with = "String")]
    pub inserted_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
}

/// Settings of an endpoint.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Settings {
    /// Its purpose.
    #[schemars(extend("x-nullable" = true))]
    pub description: Option<String>,
    /// The dialect of the query.
    pub language: Language,
    /// Whether a caller may run its own query over the endpoint's common table expressions.
    pub sandboxable: bool,
    /// The seconds for which a result is cached; 0 turns caching off.
    pub cache_duration_seconds: i64,
    /// The seconds after which a cached result in use is refreshed.
    pub proactive_requerying_seconds: i64,
    /// The maximum number of rows of a result.
    pub max_limit: i64,
    /// Whether callers need a token.
    pub enable_auth: bool,
    /// Labels of the warehouse's jobs: `key=value`, separated by commas.
    #[schemars(extend("x-nullable" = true))]
    pub labels: Option<String>,
    /// Whether results have `REDACTED` in place of network addresses.
    #[serde(default)]
    pub redact_pii: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            description: None,
            language: Language::WhSql,
            sandboxable: false,
            cache_duration_seconds: 3600,
            proactive_requerying_seconds: 1800,
            max_limit: 1000,
            enable_auth: true,
            labels: None,
            redact_pii: false,
        }
    }
}

/// The dialect of a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Language {
    /// The warehouse's.
    #[default]
    WhSql,
    /// PostgreSQL's; a source has the columns `id`, `timestamp`, `event_message` and `body`.
    PgSql,
    /// The search language.
    Lql,
}

/// Settings in a creation or an update. Omitted settings do not change; `null` restores the default.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[expect(missing_docs, reason = "they are the fields of `Settings`")]
pub struct EndpointChanges {
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub description: Change<String>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub language: Change<Language>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub sandboxable: Change<bool>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub cache_duration_seconds: Change<i64>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub proactive_requerying_seconds: Change<i64>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub max_limit: Change<i64>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub enable_auth: Change<bool>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub labels: Change<String>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub redact_pii: Change<bool>,
}

/// An endpoint's limit of rows must be below this number.
const MAX_LIMIT_BELOW: i64 = 10_001;

/// A number of seconds must be below this number: a hundred years.
const SECONDS_BELOW: i64 = 3_155_760_000;

/// Whether they are `key=value`, separated by commas. A value may be a parameter (`@name`), a key without a value is one too.
fn are_labels(labels: &str) -> bool {
    let is_name = |text: &str| text.chars().all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '-'));
    let is_label = |label: &str| {
        let (key, value) = label.trim().split_once('=').unwrap_or((label.trim(), "_"));
        !key.is_empty()
            && is_name(key)
            && !value.is_empty()
            && is_name(value.strip_prefix('@').unwrap_or(value))
    };
    labels.trim().is_empty() || labels.split(',').all(is_label)
}

impl EndpointChanges {
    fn apply(self, to: &mut Settings) -> Result<(), Error> {
        let new = Settings::default();
        require_between("max_limit", self.max_limit.set().copied(), 0, MAX_LIMIT_BELOW)?;
        for (field, seconds) in [
            ("cache_duration_seconds", &self.cache_duration_seconds),
            ("proactive_requerying_seconds", &self.proactive_requerying_seconds),
        ] {
            require_between(field, seconds.set().copied(), -1, SECONDS_BELOW)?;
        }
        if self.labels.set().is_some_and(|labels| !are_labels(labels)) {
            return Err(unprocessable("labels", "must be key=value, separated by commas"));
        }
        self.description.apply(&mut to.description);
        self.language.apply_or(&mut to.language, new.language);
        self.sandboxable.apply_or(&mut to.sandboxable, new.sandboxable);
        self.cache_duration_seconds.apply_or(&mut to.cache_duration_seconds, new.cache_duration_seconds);
        let seconds = &mut to.proactive_requerying_seconds;
        self.proactive_requerying_seconds.apply_or(seconds, new.proactive_requerying_seconds);
        self.max_limit.apply_or(&mut to.max_limit, new.max_limit);
        self.enable_auth.apply_or(&mut to.enable_auth, new.enable_auth);
        self.labels.apply(&mut to.labels);
        self.redact_pii.apply_or(&mut to.redact_pii, new.redact_pii);
        Ok(())
    }
}

/// Create a query endpoint.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct CreateEndpoint {
    /// Name.
    pub name: String,
    /// The query, with parameters as `@name`.
    pub query: String,
    /// UUID; generated from the seed by default.
    #[serde(default, skip_serializing_if = "Change::is_kept")]
    pub token: Change<String>,
    /// Its settings.
    #[serde(flatten)]
    pub changes: EndpointChanges,
}

impl CreateEndpoint {
    /// An endpoint with that name and all defaults.
    pub fn named(name: &str, query: &str) -> CreateEndpoint {
        let (name, query) = (name.to_owned(), query.to_owned());
        CreateEndpoint { name, query, token: Change::Keep, changes: EndpointChanges::default() }
    }
}

impl Operation for CreateEndpoint {
    type Output = Endpoint;
    const META: Meta = create("analytics-create-endpoint", "/api/endpoints");

    fn run(self, cx: &mut Cx<'_>) -> Result<Endpoint, Error> {
        let token = match self.token {
            Change::Set(token) => free_token(cx, &token)?,
            Change::Keep | Change::Clear => cx.rng.uuid("endpoint").to_string(),
        };
        let user = account::caller(cx)?;
        cx.db.run(
            "INSERT INTO endpoint (user, token, name, query, source_mapping, settings, inserted_at, updated_at)
             VALUES (?1, ?2, '', '', '{}', ?3, ?4, ?4)",
            (user, &token, json!(Settings::default()).to_string(), micros(cx.now)),
        );
        update(cx, &token, Some(self.name), Some(self.query), self.changes)
    }
}

/// List the query endpoints of the user.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListEndpoints {}

impl Operation for ListEndpoints {
    type Output = Vec<Endpoint>;
    const META: Meta = read("analytics-list-endpoints", "/api/endpoints");

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Endpoint>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM endpoint WHERE user = ?1 ORDER BY id");
        Ok(cx.db.all(&sql, (account::caller(cx)?,), row))
    }
}

/// Fetch a query endpoint.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetEndpoint {
    /// The endpoint's token.
    pub token: String,
}

impl Operation for GetEndpoint {
    type Output = Endpoint;
    const META: Meta = read_one("analytics-get-endpoint", "/api/endpoints/{token}");

    fn run(self, cx: &mut Cx<'_>) -> Result<Endpoint, Error> {
        own(cx, &self.token)
    }
}

/// Update a query endpoint. Omitted settings do not change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct UpdateEndpoint {
    /// The endpoint's token.
    pub token: String,
    /// Name.
    pub name: String,
    /// The query.
    pub query: String,
    /// Its settings.
    #[serde(flatten)]
    pub changes: EndpointChanges,
}

impl Operation for UpdateEndpoint {
    type Output = Endpoint;
    const META: Meta = replace("analytics-update-endpoint", "/api/endpoints/{token}");

    fn run(self, cx: &mut Cx<'_>) -> Result<Endpoint, Error> {
        update(cx, &self.token, Some(self.name), Some(self.query), self.changes)
    }
}

/// Change a query endpoint. Omitted settings, including name and query, do not change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct PatchEndpoint {
    /// The endpoint's token.
    pub token: String,
    /// Name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The query.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// Its settings.
    #[serde(flatten)]
    pub changes: EndpointChanges,
}

impl Operation for PatchEndpoint {
    type Output = Endpoint;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..change("analytics-patch-endpoint", "/api/endpoints/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Endpoint, Error> {
        update(cx, &self.token, self.name, self.query, self.changes)
    }
}

/// Delete a query endpoint.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteEndpoint {
    /// The endpoint's token.
    pub token: String,
}

impl Operation for DeleteEndpoint {
    type Output = Empty;
    const META: Meta = remove("analytics-delete-endpoint", "/api/endpoints/{token}");

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let endpoint = own(cx, &self.token)?;
        cx.db.run("DELETE FROM endpoint WHERE id = ?1", (endpoint.id,));
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

fn update(
    cx: &Cx<'_>,
    token: &str,
    name: Option<String>,
    query: Option<String>,
    changes: EndpointChanges,
) -> Result<Endpoint, Error> {
    let mut endpoint = own(cx, token)?;
    if let Some(name) = name {
        require_text("name", &name)?;
        endpoint.name = name;
    }
    let rewritten = query.is_some() || changes.language != Change::Keep;
    if let Some(query) = query {
        require_text("query", &query)?;
        endpoint.query = query;
    }
    changes.apply(&mut endpoint.settings)?;
    endpoint.updated_at = cx.now;
    cached_result::forget(cx, &endpoint);
    cx.db.run(
        "UPDATE endpoint SET name = ?2, query = ?3, settings = ?4, updated_at = ?5 WHERE id = ?1",
        (
            endpoint.id,
            &endpoint.name,
            &endpoint.query,
            json!(endpoint.settings).to_string(),
            micros(endpoint.updated_at),
        ),
    );
    if rewritten {
        // Checked in its new state, because it may be a table of the queries it reads.
        endpoint.source_mapping = mapping(cx, &endpoint)?;
        let sql = "UPDATE endpoint SET source_mapping = ?2 WHERE id = ?1";
        cx.db.run(sql, (endpoint.id, json!(endpoint.source_mapping).to_string()));
    }
    Ok(endpoint)
}

/// The sources that the query reads; 422 if the query can't run.
fn mapping(cx: &Cx<'_>, endpoint: &Endpoint) -> Result<BTreeMap<String, String>, Error> {
    let (user, parameters) = (account::caller(cx)?, BTreeMap::new());
    // A renamed source keeps its old name here until the query is written without that name.
    let mapping = &endpoint.source_mapping;
    let max_rows = endpoint.settings.max_limit;
    let language = endpoint.settings.language;
    let text = &endpoint.query;
    let ask = Ask { user, text, language, consumer: None, mapping, parameters: &parameters, max_rows };
    let translation =
        execute::translate(cx, &ask).map_err(|refusal| unprocessable("query", &refusal.message))?;
    Ok(execute::sources(cx, user, mapping, &translation.sources))
}

/// The token as stored, in lower case; 422 if it is not a UUID or is in use.
fn free_token(cx: &Cx<'_>, token: &str) -> Result<String, Error> {
    let Ok(uuid) = uuid::Uuid::try_parse(token) else { return Err(unprocessable("token", "is invalid")) };
    let token = uuid.to_string();
    match cx.db.maybe("SELECT 1 FROM endpoint WHERE token = ?1", (&token,), |_| Ok(())) {
        Some(()) => Err(unprocessable("token", TAKEN)),
        None => Ok(token),
    }
}

const COLUMNS: &str = "id, name, token, query, source_mapping, settings, inserted_at, updated_at";

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Endpoint> {
    let json = |column| row.get::<_, String>(column);
    Ok(Endpoint {
        id: row.get(0)?,
        name: row.get(1)?,
        token: row.get(2)?,
        query: row.get(3)?,
        source_mapping: serde_json::from_str(&json(4)?).expect("a mapping was stored as JSON"),
        settings: serde_json::from_str(&json(5)?).expect("settings were stored as JSON"),
        inserted_at: from_micros(row.get(6)?),
        updated_at: from_micros(row.get(7)?),
    })
}

/// The endpoints of `user` with that name, oldest first.
pub(crate) fn named(cx: &Cx<'_>, user: i64, name: &str) -> Vec<Endpoint> {
    let sql = format!("SELECT {COLUMNS} FROM endpoint WHERE user = ?1 AND name = ?2 ORDER BY id");
    cx.db.all(&sql, (user, name), row)
}

/// Whether the query of an endpoint of `user` has that text.
pub(crate) fn any_contains(cx: &Cx<'_>, user: i64, text: &str) -> bool {
    let sql = "SELECT 1 FROM endpoint WHERE user = ?1 AND instr(query, ?2) > 0 LIMIT 1";
    cx.db.maybe(sql, (user, text), |_| Ok(())).is_some()
}

/// The endpoint with that token, of any user, and its owner.
pub(crate) fn of_token(cx: &Cx<'_>, token: &str) -> Option<(i64, Endpoint)> {
    let sql = format!("SELECT {COLUMNS}, user FROM endpoint WHERE token = ?1");
    cx.db.maybe(&sql, (token.to_ascii_lowercase(),), |found| Ok((found.get(8)?, row(found)?)))
}

/// The caller's endpoint with that token, or 404.
fn own(cx: &Cx<'_>, token: &str) -> Result<Endpoint, Error> {
    let sql = format!("SELECT {COLUMNS} FROM endpoint WHERE token = ?1 AND user = ?2");
    let found = cx.db.maybe(&sql, (token.to_ascii_lowercase(), account::caller(cx)?), row);
    found.ok_or_else(|| not_found("endpoint_not_found", token))
}
