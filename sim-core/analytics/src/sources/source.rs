//! `/api/sources`: sources, which events are sent to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Payload, Resource, Timestamp, ToSchema, View,
    from_micros, micros, view,
};

use crate::account;
use crate::backend::Backend;
use crate::change::Change;
use crate::manner::{
    TAKEN, change, create, not_found, read, read_one, remove, replace, require_text, unprocessable,
};
use crate::metrics::{self, Metrics};
use crate::notifications::{Notifications, Shaped};
use crate::notify;
use crate::source_settings::{Settings, SourceChanges};
use crate::{backend, event_store, retention, warehouse};

operations![CreateSource, ListSources, GetSource, UpdateSource, PatchSource, DeleteSource];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE source (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user INTEGER NOT NULL REFERENCES user,
        token TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        favorite INTEGER NOT NULL,
        public_token TEXT UNIQUE,
        settings TEXT NOT NULL,
        inserted_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX source_by_name ON source (user, name);
";

pub(crate) const VIEWS: &[View] = &[view(
    "source",
    "A source of events.",
    "SELECT id, token, name, favorite, settings ->> 'description' AS description, inserted_at, updated_at
     FROM source",
)];

/// A source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Source {
    /// Number.
    pub id: i64,
    /// Name; another source may have the same.
    pub name: String,
    /// UUID.
    pub token: String,
    /// UUID with which everybody can read its events.
    #[schemars(extend("x-nullable" = true))]
    pub public_token: Option<String>,
    /// Whether it is first in lists.
    pub favorite: bool,
    /// Its purpose.
    #[schemars(extend("x-nullable" = true))]
    pub description: Option<String>,
    /// The group in which it is shown.
    #[schemars(extend("x-nullable" = true))]
    pub service_name: Option<String>,
    /// Quota of events per second, measured over 60 s.
    pub api_quota: i64,
    /// Days after which the warehouse deletes its events.
    pub warehouse_table_ttl: i64,
    /// The same value under its newer name.
    pub retention_days: i64,
    /// Its table in the warehouse.
    pub wh_table_id: String,
    /// Its columns by path, with their types.
    pub wh_table_schema: BTreeMap<String, String>,
    /// Paths, separated by commas, whose values make up `event_message`.
    #[schemars(extend("x-nullable" = true))]
    pub custom_event_message_keys: Option<String>,
    /// Lines `from.path:to.path` of values to copy.
    #[schemars(extend("x-nullable" = true))]
    pub transform_copy_fields: Option<String>,
    /// Lines that add values by key, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transform_key_values: Option<String>,
    /// Paths of fields that are not stored, one per line, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transform_drop_fields: Option<String>,
    /// Events that match this filter are dropped.
    #[schemars(extend("x-nullable" = true))]
    pub drop_lql_string: Option<String>,
    /// The address for chat messages about new events.
    #[schemars(extend("x-nullable" = true))]
    pub chat_hook_url: Option<String>,
    /// The address to which new events are posted.
    #[schemars(extend("x-nullable" = true))]
    pub webhook_notification_url: Option<String>,
    /// Milliseconds between two notifications.
    pub notifications_every: i64,
    /// The recipients of notifications about new events.
    pub notifications: Shaped<Notifications>,
    /// Whether an event was rejected in the last hour.
    pub has_rejected_events: bool,
    /// Its counters.
    pub metrics: Metrics,
    /// The backends to which all its events are forwarded.
    pub backends: Vec<Backend>,
    /// When it was created.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub inserted_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub updated_at: Timestamp,
}

/// Create a source.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct CreateSource {
    /// Name.
    pub name: String,
    /// UUID; generated from the seed by default.
    #[serde(default, skip_serializing_if = "Change::is_kept")]
    pub token: Change<String>,
    /// Its settings.
    #[serde(flatten)]
    pub changes: SourceChanges,
}

impl CreateSource {
    /// A source with that name and all defaults.
    pub fn named(name: &str) -> CreateSource {
        CreateSource { name: name.to_owned(), token: Change::Keep, changes: SourceChanges::default() }
    }
}

impl Operation for CreateSource {
    type Output = Source;
    const META: Meta = Meta {
        also: &[400, 401, 403, 404, 413, 415, 422],
        ..create("analytics-create-source", "/api/sources")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Source, Error> {
        let token = match self.token {
            Change::Set(token) => free_token(cx, "token", &token)?,
            Change::Keep | Change::Clear => cx.rng.uuid("source").to_string(),
        };
        let user = account::caller(cx)?;
        warehouse::create_table(cx, user, &token)?;
        let settings = serde_json::to_string(&Settings::new(cx)).expect("settings are plain data");
        let id = cx.db.insert(
            "INSERT INTO source (user, token, name, favorite, settings, inserted_at, updated_at)
             VALUES (?1, ?2, ?3, 0, ?4, ?5, ?5)",
            (user, &token, &self.name, settings, micros(cx.now)),
        );
        cx.db.run("INSERT INTO source_count (source) VALUES (?1)", (id,));
        event_store::create_table(cx, &token);
        update(cx, &token, Some(self.name), self.changes)
    }
}

/// List the sources of the user: favourites first, then by name.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListSources {}

impl Operation for ListSources {
    type Output = Vec<Source>;
    const META: Meta = read("analytics-list-sources", "/api/sources");

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Source>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM source WHERE user = ?1 ORDER BY favorite DESC, name, id");
        let rows = cx.db.all(&sql, (account::caller(cx)?,), row);
        Ok(rows.into_iter().map(|row| row.show(cx)).collect())
    }
}

/// Fetch a source.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetSource {
    /// The source's token.
    pub token: String,
}

impl Operation for GetSource {
    type Output = Source;
    const META: Meta = read_one("analytics-get-source", "/api/sources/{token}");

    fn run(self, cx: &mut Cx<'_>) -> Result<Source, Error> {
        Ok(own(cx, &self.token)?.show(cx))
    }
}

/// Update a source. Omitted settings do not change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct UpdateSource {
    /// The source's token.
    pub token: String,
    /// Name.
    pub name: String,
    /// Its settings.
    #[serde(flatten)]
    pub changes: SourceChanges,
}

impl Operation for UpdateSource {
    type Output = Source;
    const META: Meta = replace("analytics-update-source", "/api/sources/{token}");

    fn run(self, cx: &mut Cx<'_>) -> Result<Source, Error> {
        update(cx, &self.token, Some(self.name), self.changes)
    }
}

/// Change a source. Omitted settings, including the name, do not change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct PatchSource {
    /// The source's token.
    pub token: String,
    /// Name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its settings.
    #[serde(flatten)]
    pub changes: SourceChanges,
}

impl Operation for PatchSource {
    type Output = Source;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..change("analytics-patch-source", "/api/sources/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Source, Error> {
        update(cx, &self.token, self.name, self.changes)
    }
}

/// Delete a source and its events.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteSource {
    /// The source's token.
    pub token: String,
}

impl Operation for DeleteSource {
    type Output = Empty;
    const META: Meta =
        Meta { also: &[401, 403, 404], ..remove("analytics-delete-source", "/api/sources/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let row = own(cx, &self.token)?;
        retention::cancel(cx, &row.token);
        warehouse::drop_table(cx, &row)?;
        notify::stop(cx, &row);
        cx.db.run("DELETE FROM source WHERE id = ?1", (row.id,));
        event_store::drop_table(cx, &row.token);
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

fn update(cx: &Cx<'_>, token: &str, name: Option<String>, changes: SourceChanges) -> Result<Source, Error> {
    let mut row = own(cx, token)?;
    if let Some(name) = name {
        require_text("name", &name)?;
        row.name = name;
    }
    changes.favorite.apply_or(&mut row.favorite, false);
    match &changes.public_token {
        Change::Set(token) if row.public_token.as_ref() == Some(token) => {}
        Change::Set(token) => row.public_token = Some(free_token(cx, "public_token", token)?),
        Change::Clear => row.public_token = None,
        Change::Keep => {}
    }
    changes.apply(cx, &mut row.settings)?;
    row.updated_at = cx.now;
    cx.db.run(
        "UPDATE source SET name = ?2, favorite = ?3, public_token = ?4, settings = ?5, updated_at = ?6
         WHERE id = ?1",
        (
            row.id,
            &row.name,
            row.favorite,
            &row.public_token,
            json!(row.settings).to_string(),
            micros(row.updated_at),
        ),
    );
    notify::reset(cx, &row);
    Ok(row.show(cx))
}

/// The token as stored, in lower case; 422 if it is not a UUID or is in use.
fn free_token(cx: &Cx<'_>, field: &str, token: &str) -> Result<String, Error> {
    let Ok(uuid) = uuid::Uuid::try_parse(token) else { return Err(unprocessable(field, "is invalid")) };
    let token = uuid.to_string();
    let taken = format!("SELECT 1 FROM source WHERE {field} = ?1");
    if cx.db.maybe(&taken, (&token,), |_| Ok(())).is_some() {
        return Err(unprocessable(field, TAKEN));
    }
    Ok(token)
}

/// A source as stored.
pub(crate) struct Row {
    pub id: i64,
    pub user: i64,
    pub token: String,
    pub name: String,
    pub favorite: bool,
    pub public_token: Option<String>,
    pub settings: Settings,
    pub inserted_at: Timestamp,
    updated_at: Timestamp,
}

const COLUMNS: &str = "id, user, token, name, favorite, public_token, settings, inserted_at, updated_at";

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    Ok(Row {
        id: row.get(0)?,
        user: row.get(1)?,
        token: row.get(2)?,
        name: row.get(3)?,
        favorite: row.get(4)?,
        public_token: row.get(5)?,
        settings: serde_json::from_str(&row.get::<_, String>(6)?).expect("settings were stored as JSON"),
        inserted_at: from_micros(row.get(7)?),
        updated_at: from_micros(row.get(8)?),
    })
}

impl Row {
    pub(crate) fn show(self, cx: &Cx<'_>) -> Source {
        let Row { id, user, token, name, favorite, public_token, settings, inserted_at, updated_at } = self;
        let days = settings.days(cx);
        let metrics = metrics::of(cx, id);
        Source {
            wh_table_id: table_id(cx, user, &token),
            wh_table_schema: columns(cx, id),
            has_rejected_events: metrics.rejected > 0,
            backends: backend::attached(cx, id),
            metrics,
            id,
            name,
            token,
            public_token,
            favorite,
            api_quota: settings.api_quota,
            warehouse_table_ttl: days,
            retention_days: days,
            description: settings.description,
            service_name: settings.service_name,
            custom_event_message_keys: settings.custom_event_message_keys,
            transform_copy_fields: settings.transform_copy_fields,
            transform_key_values: settings.transform_key_values,
            transform_drop_fields: settings.transform_drop_fields,
            drop_lql_string: settings.drop_lql_string,
            chat_hook_url: settings.chat_hook_url,
            webhook_notification_url: settings.webhook_notification_url,
            notifications_every: settings.notifications_every,
            notifications: Shaped::new(settings.notifications, cx.profile.notifications_shape),
            inserted_at,
            updated_at,
        }
    }
}

/// The table of a source in the warehouse.
pub(crate) fn table_id(cx: &Cx<'_>, user: i64, token: &str) -> String {
    let (project, dataset) = (account::warehouse_project(cx), account::dataset(cx, user));
    format!("{project}.{dataset}.{}", token.replace('-', "_"))
}

/// The columns that every table has.
pub(crate) const OWN: [&str; 3] = ["id", "timestamp", "event_message"];

/// The columns of the source's events so far, and those that every table has.
pub(crate) fn columns(cx: &Cx<'_>, source: i64) -> BTreeMap<String, String> {
    let own = OWN.iter().zip(["string", "timestamp", "string"]);
    let own = own.map(|(path, kind)| ((*path).to_owned(), kind.to_owned()));
    let sql = "SELECT path, type FROM source_field WHERE source = ?1";
    let seen: Vec<(String, String)> = cx.db.all(sql, (source,), |row| Ok((row.get(0)?, row.get(1)?)));
    seen.into_iter().chain(own).collect()
}

/// The caller's source with that token, or 404.
pub(crate) fn own(cx: &Cx<'_>, token: &str) -> Result<Row, Error> {
    let found = of_token(cx, account::caller(cx)?, &token.to_ascii_lowercase());
    found.ok_or_else(|| not_found("source_not_found", token))
}

/// The sources of `user` with that name, oldest first.
pub(crate) fn named(cx: &Cx<'_>, user: i64, name: &str) -> Vec<Row> {
    let sql = format!("SELECT {COLUMNS} FROM source WHERE user = ?1 AND name = ?2 ORDER BY id");
    cx.db.all(&sql, (user, name), row)
}

/// The source with that token, of any user.
pub(crate) fn any_of_token(cx: &Cx<'_>, token: &str) -> Option<Row> {
    cx.db.maybe(&format!("SELECT {COLUMNS} FROM source WHERE token = ?1"), (token,), row)
}

/// The tokens of all users' sources.
pub(crate) fn all_tokens(cx: &Cx<'_>) -> Vec<String> {
    cx.db.all("SELECT token FROM source ORDER BY id", (), |row| row.get(0))
}

/// The source with that number.
pub(crate) fn of_id(cx: &Cx<'_>, id: i64) -> Option<Row> {
    cx.db.maybe(&format!("SELECT {COLUMNS} FROM source WHERE id = ?1"), (id,), row)
}

/// Removes the address of a source's chat webhook that does not exist any more.
pub(crate) fn forget_chat(cx: &Cx<'_>, token: &str, url: &str) {
    let sql = "UPDATE source SET settings = json_set(settings, '$.chat_hook_url', NULL)
               WHERE token = ?1 AND settings ->> '$.chat_hook_url' = ?2";
    cx.db.run(sql, (token, url));
}

/// The user's source with that token, if there is one.
pub(crate) fn of_token(cx: &Cx<'_>, user: i64, token: &str) -> Option<Row> {
    let sql = format!("SELECT {COLUMNS} FROM source WHERE token = ?1 AND user = ?2");
    cx.db.maybe(&sql, (token, user), row)
}
