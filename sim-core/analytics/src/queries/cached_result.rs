//! Cached results of endpoints, and their refreshing.
//!
//! A result is cached by endpoint and parameters for the endpoint's `cache_duration_seconds`; meanwhile it is
//! refreshed every `proactive_requerying_seconds`. Failures are not cached.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use serde_json::json;
use sim_base::operations;
use sim_base::{
    Access, Cx, Error, FromJson, Meta, New, Operation, Resource, Task, TaskEntry, Timestamp, ToSchema, View,
    from_micros, get as read, later, micros, view,
};

use crate::endpoint::{self, Endpoint};
use crate::endpoint_query;
use crate::execute::{Rows, Wrong};
use crate::manner::not_found;

operations![ListCachedResults];

pub(crate) const RESOURCE: Resource =
    Resource { tables: TABLES, operations: OPERATIONS, tasks: &[TaskEntry::of::<Requery>()] };

const TABLES: &str = "
    CREATE TABLE cached_result (
        id INTEGER PRIMARY KEY,
        endpoint INTEGER NOT NULL REFERENCES endpoint ON DELETE CASCADE,
        parameters TEXT NOT NULL,
        rows TEXT NOT NULL,
        made_at INTEGER NOT NULL,
        refreshed_at INTEGER NOT NULL,
        expires_at INTEGER NOT NULL,
        hits INTEGER NOT NULL DEFAULT 0,
        UNIQUE (endpoint, parameters)
    ) STRICT;
";

pub(crate) const VIEWS: &[View] = &[view(
    "cached_result",
    "A cached result of an endpoint.",
    "SELECT endpoint.name AS endpoint, parameters, made_at, refreshed_at, expires_at, hits
     FROM cached_result JOIN endpoint ON endpoint.id = endpoint",
)];

/// The origin of a response's rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Freshness {
    /// They were cached.
    Hit,
    /// They were queried for this call, and cached.
    Miss,
    /// The endpoint caches nothing.
    Bypass,
}

impl Freshness {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Freshness::Hit => "hit",
            Freshness::Miss => "miss",
            Freshness::Bypass => "bypass",
        }
    }
}

/// The cached rows, or rows queried now.
pub(crate) fn get(
    cx: &Cx<'_>,
    user: i64,
    endpoint: &Endpoint,
    parameters: &BTreeMap<String, String>,
) -> Result<(Rows, Freshness), Wrong> {
    if endpoint.settings.cache_duration_seconds == 0 {
        return Ok((endpoint_query::run(cx, user, endpoint, parameters)?, Freshness::Bypass));
    }
    let key = json!(parameters).to_string();
    let hit =
        "UPDATE cached_result SET hits = hits + 1 WHERE endpoint = ?1 AND parameters = ?2 AND expires_at > ?3
               RETURNING rows";
    if let Some(rows) = cx.db.maybe(hit, (endpoint.id, &key, micros(cx.now)), |row| row.get::<_, String>(0)) {
        return Ok((serde_json::from_str(&rows).expect("rows are kept as JSON"), Freshness::Hit));
    }
    let rows = endpoint_query::run(cx, user, endpoint, parameters)?;
    keep(cx, endpoint, &key, &rows);
    Ok((rows, Freshness::Miss))
}

fn keep(cx: &Cx<'_>, endpoint: &Endpoint, key: &str, rows: &Rows) {
    let expires = later(cx.now, seconds(endpoint.settings.cache_duration_seconds));
    let id = cx.db.one(
        "INSERT OR REPLACE INTO cached_result (endpoint, parameters, rows, made_at, refreshed_at, expires_at)
         VALUES (?1, ?2, ?3, ?4, ?4, ?5) RETURNING id",
        (endpoint.id, key, json!(rows).to_string(), micros(cx.now), micros(expires)),
        |row| row.get(0),
    );
    schedule(cx, endpoint, id, expires);
}

fn seconds(count: i64) -> Duration {
    Duration::from_secs(count.unsigned_abs())
}

/// The next job of a result: to refresh it, or to drop it at its end.
fn schedule(cx: &Cx<'_>, endpoint: &Endpoint, id: i64, expires: Timestamp) {
    let left = Duration::try_from(expires.duration_since(cx.now)).unwrap_or_default();
    let wait = match endpoint.settings.proactive_requerying_seconds {
        0 => left,
        every => seconds(every).min(left),
    };
    cx.by_the_clock(wait, &Requery { endpoint: endpoint.token.clone(), id });
}

/// Drops the cached results of the endpoint: its query has changed, or the endpoint is deleted.
pub(crate) fn forget(cx: &Cx<'_>, endpoint: &Endpoint) {
    cx.db.run("DELETE FROM cached_result WHERE endpoint = ?1", (endpoint.id,));
    cx.cancel::<Requery>(&endpoint.token);
}

/// Refreshes a cached result, or drops it at its end.
#[derive(Debug, Serialize, FromJson)]
struct Requery {
    endpoint: String,
    id: i64,
}

impl Task for Requery {
    const KIND: &'static str = "cached_result";
    const NAME: Option<&'static str> = Some("SELECT name FROM endpoint WHERE token = ?1");

    fn subject(&self) -> &str {
        &self.endpoint
    }

    fn run(self, cx: &mut Cx<'_>) -> String {
        let sql = "SELECT parameters, expires_at FROM cached_result WHERE id = ?1";
        let kept = cx.db.maybe(sql, (self.id,), |row| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?)));
        let found = endpoint::of_token(cx, &self.endpoint);
        let (Some((key, expires)), Some((user, endpoint))) = (kept, found) else { return "gone".to_owned() };
        if expires > micros(cx.now) {
            let parameters = serde_json::from_str(&key).expect("parameters are kept as JSON");
            if let Ok(rows) = endpoint_query::run(cx, user, &endpoint, &parameters) {
                let sql = "UPDATE cached_result SET rows = ?2, refreshed_at = ?3 WHERE id = ?1";
                cx.db.run(sql, (self.id, json!(rows).to_string(), micros(cx.now)));
                schedule(cx, &endpoint, self.id, from_micros(expires));
                return "refreshed".to_owned();
            }
        }
        cx.db.run("DELETE FROM cached_result WHERE id = ?1", (self.id,));
        "expired".to_owned()
    }
}

/// A cached result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct CachedResult {
    /// The parameters of the calls that it answers.
    pub parameters: BTreeMap<String, String>,
    /// When it was first computed.
    #[schemars(with = "String")]
    pub made_at: Timestamp,
    /// When it was last refreshed.
    #[schemars(with = "String")]
    pub refreshed_at: Timestamp,
    /// When it expires.
    #[schemars(with = "String")]
    pub expires_at: Timestamp,
    /// The number of calls that it answered.
    pub hits: i64,
    /// The number of its rows.
    pub rows: i64,
}

/// List the cached results of an endpoint. The API itself has no such operation.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct ListCachedResults {
    /// The endpoint's token.
    pub token: String,
}

impl Operation for ListCachedResults {
    type Output = Vec<CachedResult>;
    const META: Meta = Meta {
        access: Access::Control,
        also: &[404],
        ..read("sim-list-cached-results", "/_sim/endpoints/{token}/cache")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<CachedResult>, Error> {
        let missing = || not_found("endpoint_not_found", &self.token);
        let (_, endpoint) = endpoint::of_token(cx, &self.token).ok_or_else(missing)?;
        let sql = "SELECT parameters, made_at, refreshed_at, expires_at, hits, json_array_length(rows)
                   FROM cached_result WHERE endpoint = ?1 AND expires_at > ?2 ORDER BY id";
        Ok(cx.db.all(sql, (endpoint.id, micros(cx.now)), |row| {
            Ok(CachedResult {
                parameters: serde_json::from_str(&row.get::<_, String>(0)?)
                    .expect("parameters are kept as JSON"),
                made_at: from_micros(row.get(1)?),
                refreshed_at: from_micros(row.get(2)?),
                expires_at: from_micros(row.get(3)?),
                hits: row.get(4)?,
                rows: row.get(5)?,
            })
        }))
    }
}
