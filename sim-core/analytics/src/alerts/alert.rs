//! `/api/alerts`: queries that run on a schedule, and whose rows are sent to a webhook or a chat.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;
use sim_base::operations;
use sim_base::{
    Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Payload, Resource, Timestamp, ToSchema, View,
    from_micros, micros, view,
};
use sim_warehouse::Parameter;

use crate::account;
use crate::alert_run;
use crate::backend;
use crate::change::Change;
use crate::cron::Cron;
use crate::endpoint::Language;
use crate::execute::{self, Ask};
use crate::manner::{
    change, create, not_found, read, read_one, remove, replace, require_text, unprocessable,
};
use crate::source_settings::require_address;

operations![CreateAlert, ListAlerts, GetAlert, UpdateAlert, PatchAlert, DeleteAlert];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE alert (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        user INTEGER NOT NULL REFERENCES user,
        token TEXT NOT NULL UNIQUE,
        settings TEXT NOT NULL,
        source_mapping TEXT NOT NULL,
        inserted_at INTEGER NOT NULL,
        updated_at INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX alert_by_user ON alert (user);
";

pub(crate) const VIEWS: &[View] = &[view(
    "alert",
    "An alert, without its recipients.",
    "SELECT id, token, settings ->> 'name' AS name, settings ->> 'query' AS query, settings ->> 'cron' AS cron,
     inserted_at, updated_at FROM alert",
)];

/// An alert by query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Alert {
    /// Number.
    pub id: i64,
    /// UUID.
    pub token: String,
    /// The owner's settings.
    #[serde(flatten)]
    pub settings: AlertSettings,
    /// When it was created.
    #[schemars(with = "String")]
    pub inserted_at: Timestamp,
    /// When it was last changed.
    #[schemars(with = "String")]
    pub updated_at: Timestamp,
}

/// The settings of an alert.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct AlertSettings {
    /// Name; another alert may have the same.
    pub name: String,
    /// Its purpose.
    #[schemars(extend("x-nullable" = true))]
    pub description: Option<String>,
    /// The query. All its rows are sent.
    pub query: String,
    /// The dialect of the query.
    pub language: Language,
    /// When it runs, in UTC: minute, hour, day of the month, month, day of the week.
    pub cron: String,
    /// Whether it is enabled.
    pub enabled: bool,
    /// The address to which its rows are posted.
    #[schemars(extend("x-nullable" = true))]
    pub webhook_notification_url: Option<String>,
    /// The address for chat messages with its rows.
    #[schemars(extend("x-nullable" = true))]
    pub chat_hook_url: Option<String>,
    /// The numbers of the backends that get its rows.
    #[serde(default)]
    pub backend_ids: Vec<i64>,
}

/// The optional settings of an alert. Omitted settings do not change; `null` restores the default.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
#[expect(missing_docs, reason = "they are the fields of `AlertSettings`")]
pub struct AlertOptions {
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub description: Change<String>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub language: Change<Language>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub enabled: Change<bool>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub webhook_notification_url: Change<String>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub chat_hook_url: Change<String>,
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub backend_ids: Change<Vec<i64>>,
}

impl AlertOptions {
    fn apply(self, cx: &Cx<'_>, to: &mut AlertSettings) -> Result<(), Error> {
        for id in self.backend_ids.set().into_iter().flatten() {
            if !backend::is_own(cx, *id)? {
                return Err(unprocessable("backend_ids", "does not exist"));
            }
        }
        self.backend_ids.apply_or(&mut to.backend_ids, Vec::new());
        require_address("webhook_notification_url", &self.webhook_notification_url)?;
        require_address("chat_hook_url", &self.chat_hook_url)?;
        self.description.apply(&mut to.description);
        self.language.apply_or(&mut to.language, Language::default());
        self.enabled.apply_or(&mut to.enabled, true);
        self.webhook_notification_url.apply(&mut to.webhook_notification_url);
        self.chat_hook_url.apply(&mut to.chat_hook_url);
        Ok(())
    }
}

/// Create an alert.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct CreateAlert {
    /// Name.
    pub name: String,
    /// The query. All its rows are sent.
    pub query: String,
    /// When it runs, in UTC: `*/15 * * * *`.
    pub cron: String,
    /// The other settings.
    #[serde(flatten)]
    pub options: AlertOptions,
}

impl Operation for CreateAlert {
    type Output = Alert;
    const META: Meta = Meta { since: Edition::V2026_11, ..create("analytics-create-alert", "/api/alerts") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Alert, Error> {
        let CreateAlert { name, query, cron, options } = self;
        let mut settings = AlertSettings {
            name,
            description: None,
            query,
            language: Language::default(),
            cron,
            enabled: true,
            webhook_notification_url: None,
            chat_hook_url: None,
            backend_ids: Vec::new(),
        };
        options.apply(cx, &mut settings)?;
        let (user, token) = (account::caller(cx)?, cx.rng.uuid("alert").to_string());
        let checked = Checked::of(cx, user, &settings, &BTreeMap::new())?;
        cx.db.run(
            "INSERT INTO alert (user, token, settings, source_mapping, inserted_at, updated_at)
             VALUES (?1, ?2, ?3, ?4, ?5, ?5)",
            (user, &token, json!(settings).to_string(), json!(checked.mapping).to_string(), micros(cx.now)),
        );
        if settings.enabled {
            alert_run::schedule(cx, &token, &checked.cron);
        }
        Ok(own(cx, &token)?.alert)
    }
}

/// List the alerts of the user.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListAlerts {}

impl Operation for ListAlerts {
    type Output = Vec<Alert>;
    const META: Meta = Meta { since: Edition::V2026_11, ..read("analytics-list-alerts", "/api/alerts") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Alert>, Error> {
        let sql = format!("SELECT {COLUMNS} FROM alert WHERE user = ?1 ORDER BY id");
        let rows = cx.db.all(&sql, (account::caller(cx)?,), row);
        Ok(rows.into_iter().map(|row| row.alert).collect())
    }
}

/// Fetch an alert.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetAlert {
    /// The alert's token.
    pub token: String,
}

impl Operation for GetAlert {
    type Output = Alert;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..read_one("analytics-get-alert", "/api/alerts/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Alert, Error> {
        Ok(own(cx, &self.token)?.alert)
    }
}

/// An update of an alert. Omitted settings do not change.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct AlertChanges {
    /// Name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The query.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// When it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cron: Option<String>,
    /// The other settings.
    #[serde(flatten)]
    pub options: AlertOptions,
}

/// Update an alert. Omitted settings do not change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct UpdateAlert {
    /// The alert's token.
    pub token: String,
    /// The new settings.
    #[serde(flatten)]
    pub changes: AlertChanges,
}

impl Operation for UpdateAlert {
    type Output = Alert;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..replace("analytics-update-alert", "/api/alerts/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Alert, Error> {
        update(cx, &self.token, self.changes)
    }
}

/// Change an alert. Omitted settings do not change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct PatchAlert {
    /// The alert's token.
    pub token: String,
    /// The new settings.
    #[serde(flatten)]
    pub changes: AlertChanges,
}

impl Operation for PatchAlert {
    type Output = Alert;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..change("analytics-patch-alert", "/api/alerts/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Alert, Error> {
        update(cx, &self.token, self.changes)
    }
}

/// Delete an alert.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteAlert {
    /// The alert's token.
    pub token: String,
}

impl Operation for DeleteAlert {
    type Output = Empty;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..remove("analytics-delete-alert", "/api/alerts/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let Row { alert, .. } = own(cx, &self.token)?;
        alert_run::stop(cx, &alert.token);
        cx.db.run("DELETE FROM alert WHERE id = ?1", (alert.id,));
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

fn update(cx: &Cx<'_>, token: &str, changes: AlertChanges) -> Result<Alert, Error> {
    let Row { user, alert: Alert { token, mut settings, .. }, mapping } = own(cx, token)?;
    let AlertChanges { name, query, cron, options } = changes;
    settings.name = name.unwrap_or(settings.name);
    settings.query = query.unwrap_or(settings.query);
    settings.cron = cron.unwrap_or(settings.cron);
    options.apply(cx, &mut settings)?;
    let checked = Checked::of(cx, user, &settings, &mapping)?;
    cx.db.run(
        "UPDATE alert SET settings = ?2, source_mapping = ?3, updated_at = ?4 WHERE token = ?1",
        (&token, json!(settings).to_string(), json!(checked.mapping).to_string(), micros(cx.now)),
    );
    // By its new name or query it may read itself.
    execute::translate(cx, &ask(user, &settings, &checked.mapping))
        .map_err(|refusal| unprocessable("query", &refusal.message))?;
    alert_run::stop(cx, &token);
    if settings.enabled {
        alert_run::schedule(cx, &token, &checked.cron);
    }
    Ok(own(cx, &token)?.alert)
}

/// Values derived from valid settings.
struct Checked {
    cron: Cron,
    /// The sources that the query reads, by name, with their tokens.
    mapping: BTreeMap<String, String>,
}

impl Checked {
    /// 422 if the settings are invalid; `before` has the names of sources at the time when the query was
    /// written.
    fn of(
        cx: &Cx<'_>,
        user: i64,
        settings: &AlertSettings,
        before: &BTreeMap<String, String>,
    ) -> Result<Checked, Error> {
        require_text("name", &settings.name)?;
        require_text("query", &settings.query)?;
        let cron = require_cron(cx, &settings.cron)?;
        let translated = execute::translate(cx, &ask(user, settings, before));
        let translation = translated.map_err(|refusal| unprocessable("query", &refusal.message))?;
        let named = translation.parameters.iter().find_map(|parameter| match parameter {
            Parameter::Named(name) => Some(name),
            _ => None,
        });
        if let Some(name) = named {
            return Err(unprocessable("query", &format!("has the parameter @{name}, which nobody gives")));
        }
        Ok(Checked { cron, mapping: execute::sources(cx, user, before, &translation.sources) })
    }
}

/// 422 unless the next two runs are far enough apart.
fn require_cron(cx: &Cx<'_>, text: &str) -> Result<Cron, Error> {
    let cron = Cron::read(text).map_err(|problem| unprocessable("cron", &problem))?;
    let Some(first) = cron.next(cx.now) else { return Err(unprocessable("cron", "never comes")) };
    let apart_ms = cx.policy.analytics.alerts_apart_ms;
    let is_far = |second: Timestamp| (micros(second) - micros(first)).unsigned_abs() / 1000 >= apart_ms;
    if cron.next(first).is_none_or(is_far) {
        return Ok(cron);
    }
    let minutes = apart_ms.div_ceil(60_000);
    Err(unprocessable("cron", &format!("must leave {minutes} minutes between two runs")))
}

/// The most rows of a run that are sent.
const MAX_ROWS: i64 = 1000;

/// The query of an alert, which has no parameters.
pub(crate) fn ask<'a>(
    user: i64,
    settings: &'a AlertSettings,
    mapping: &'a BTreeMap<String, String>,
) -> Ask<'a> {
    static NONE: BTreeMap<String, String> = BTreeMap::new();
    let (text, language) = (&settings.query, settings.language);
    Ask { user, text, language, consumer: None, mapping, parameters: &NONE, max_rows: MAX_ROWS }
}

/// An alert as stored.
pub(crate) struct Row {
    pub user: i64,
    pub alert: Alert,
    /// The sources that the query reads, by name, with their tokens.
    pub mapping: BTreeMap<String, String>,
}

const COLUMNS: &str = "id, token, settings, inserted_at, updated_at, user, source_mapping";

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    let json = |column| row.get::<_, String>(column);
    Ok(Row {
        alert: Alert {
            id: row.get(0)?,
            token: row.get(1)?,
            settings: serde_json::from_str(&json(2)?).expect("settings were stored as JSON"),
            inserted_at: from_micros(row.get(3)?),
            updated_at: from_micros(row.get(4)?),
        },
        user: row.get(5)?,
        mapping: serde_json::from_str(&json(6)?).expect("a mapping was stored as JSON"),
    })
}

/// The settings of the user's alerts with that name, oldest first.
pub(crate) fn named(cx: &Cx<'_>, user: i64, name: &str) -> Vec<AlertSettings> {
    let sql = format!("SELECT {COLUMNS} FROM alert WHERE user = ?1 AND settings ->> 'name' = ?2 ORDER BY id");
    cx.db.all(&sql, (user, name), row).into_iter().map(|row| row.alert.settings).collect()
}

/// The alert with that token, of any user.
pub(crate) fn of_token(cx: &Cx<'_>, token: &str) -> Option<Row> {
    cx.db.maybe(&format!("SELECT {COLUMNS} FROM alert WHERE token = ?1"), (token,), row)
}

/// The caller's alert with that token, or 404.
fn own(cx: &Cx<'_>, token: &str) -> Result<Row, Error> {
    let user = account::caller(cx)?;
    let found = of_token(cx, &token.to_ascii_lowercase()).filter(|row| row.user == user);
    found.ok_or_else(|| not_found("alert_not_found", token))
}
