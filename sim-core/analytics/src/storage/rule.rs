//! `/api/rules`: which events of a source are copied to another one, or forwarded to a backend.

use serde::{Deserialize, Serialize};
use serde_json::json;
use sim_base::operations;
use sim_base::{
    Body, Cx, Edition, Empty, Error, FromJson, Meta, New, Operation, Payload, Resource, ToSchema, View, view,
};

use crate::change::Change;
use crate::lql::Filter;
use crate::manner::{change, create, not_found, read, read_one, remove, replace, unprocessable};
use crate::{account, backend, source};

operations![CreateRule, ListRules, GetRule, UpdateRule, PatchRule, DeleteRule];

pub(crate) const RESOURCE: Resource = Resource { tables: TABLES, operations: OPERATIONS, tasks: &[] };

const TABLES: &str = "
    CREATE TABLE rule (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        token TEXT NOT NULL UNIQUE,
        source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
        sink INTEGER REFERENCES source ON DELETE CASCADE,
        backend INTEGER REFERENCES backend ON DELETE CASCADE,
        filter TEXT NOT NULL,
        CHECK ((sink IS NULL) <> (backend IS NULL))
    ) STRICT;
    CREATE INDEX rule_by_source ON rule (source);
    CREATE INDEX rule_by_sink ON rule (sink);
    CREATE INDEX rule_by_backend ON rule (backend);
";

pub(crate) const VIEWS: &[View] = &[view(
    "rule",
    "A routing rule for the events of a source.",
    "SELECT rule.id, rule.token, source.name AS source, sink.name AS sink, backend.name AS backend, filter
     FROM rule JOIN source ON source.id = source LEFT JOIN source AS sink ON sink.id = sink
     LEFT JOIN backend ON backend.id = backend",
)];

/// A routing rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct Rule {
    /// Number.
    pub id: i64,
    /// UUID.
    pub token: String,
    /// The number of its source.
    pub source_id: i64,
    /// The token of the source that receives copies, unless they go to a backend.
    #[schemars(extend("x-nullable" = true))]
    pub sink: Option<String>,
    /// The number of the backend to which events are forwarded, unless a source receives them.
    #[schemars(extend("x-nullable" = true))]
    pub backend_id: Option<i64>,
    /// The filter of events.
    pub lql_string: String,
}

/// Create a routing rule, or several.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema, New)]
#[serde(default)]
pub struct CreateRule {
    /// The number of its source.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_id: Option<i64>,
    /// The target: a source or a backend.
    #[serde(flatten)]
    pub destination: Destination,
    /// The filter of events: `m.status:>499 -healthcheck`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lql_string: Option<String>,
    /// Several rules in place of one, as a list that is the body itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-hidden" = true))]
    pub rules: Option<Vec<NewRule>>,
}

impl CreateRule {
    /// One rule.
    pub fn one(rule: NewRule) -> CreateRule {
        let NewRule { source_id, destination, lql_string } = rule;
        CreateRule { source_id: Some(source_id), destination, lql_string: Some(lql_string), rules: None }
    }
}

/// A rule to create.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NewRule {
    /// The number of its source.
    pub source_id: i64,
    /// The target: a source or a backend.
    #[serde(flatten)]
    pub destination: Destination,
    /// The filter of events: `m.status:>499 -healthcheck`.
    pub lql_string: String,
}

/// The rule that was created, or the results of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(untagged)]
pub enum CreatedRules {
    /// Of one rule.
    One(Rule),
    /// Of a list.
    Many(RuleResults),
}

/// The results of a list of rules.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, FromJson, ToSchema)]
pub struct RuleResults {
    /// What is wrong with the rules that were not created.
    pub errors: Vec<String>,
    /// The rules that were created.
    pub results: Vec<Rule>,
}

/// The target of a rule: a source or a backend.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct Destination {
    /// The token of the source that receives copies.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub sink: Change<String>,
    /// The number of the backend to which events are forwarded.
    #[serde(skip_serializing_if = "Change::is_kept")]
    pub backend_id: Change<i64>,
}

impl Operation for CreateRule {
    type Output = CreatedRules;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        body: Body::FieldsOrList("rules"),
        ..create("analytics-create-rule", "/api/rules")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<CreatedRules, Error> {
        if let Some(rules) = self.rules {
            return make_all(cx, rules).map(CreatedRules::Many);
        }
        let missing = |field| unprocessable(field, "can't be blank");
        let source_id = self.source_id.ok_or_else(|| missing("source_id"))?;
        let lql_string = self.lql_string.ok_or_else(|| missing("lql_string"))?;
        make(cx, NewRule { source_id, destination: self.destination, lql_string }).map(CreatedRules::One)
    }
}

/// Makes the good rules of a list. If there are others, the answer is 400 with their errors.
fn make_all(cx: &Cx<'_>, rules: Vec<NewRule>) -> Result<RuleResults, Error> {
    let mut all = RuleResults::default();
    for rule in rules {
        match make(cx, rule) {
            Ok(rule) => all.results.push(rule),
            Err(error) => all.errors.push(error.message),
        }
    }
    if all.errors.is_empty() {
        return Ok(all);
    }
    let error = Error::invalid("rules_refused", all.errors.join(", "));
    Err(error.body(json!(all)).keeping())
}

fn make(cx: &Cx<'_>, rule: NewRule) -> Result<Rule, Error> {
    let source = own_source(cx, rule.source_id)?;
    let (sink, backend) = destination(cx, &rule.destination, source)?;
    require_filter(cx, &rule.lql_string)?;
    let token = cx.rng.uuid("rule").to_string();
    let sql = "INSERT INTO rule (token, source, sink, backend, filter) VALUES (?1, ?2, ?3, ?4, ?5)";
    cx.db.run(sql, (&token, source, sink, backend, rule.lql_string));
    own(cx, &token)
}

/// List the routing rules of the user, or those with a backend as their target.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema, New)]
#[serde(default)]
pub struct ListRules {
    /// The number of the backend.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend_id: Option<i64>,
    /// Its token, as an alternative.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub backend_token: Option<String>,
}

impl Operation for ListRules {
    type Output = Vec<Rule>;
    const META: Meta = Meta {
        since: Edition::V2026_11,
        query: &["backend_id", "backend_token"],
        also: &[401, 404],
        ..read("analytics-list-rules", "/api/rules")
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<Vec<Rule>, Error> {
        let backend = match (self.backend_id, &self.backend_token) {
            (Some(id), _) if backend::is_own(cx, id)? => Some(id),
            (Some(id), _) => return Err(not_found("backend_not_found", &id.to_string())),
            (None, Some(token)) => Some(backend::own(cx, token)?.id),
            (None, None) => None,
        };
        let sql = format!("{SELECT} AND (?2 IS NULL OR r.backend = ?2) ORDER BY r.id");
        Ok(cx.db.all(&sql, (account::caller(cx)?, backend), row))
    }
}

/// Fetch a routing rule.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct GetRule {
    /// The rule's token.
    pub token: String,
}

impl Operation for GetRule {
    type Output = Rule;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..read_one("analytics-get-rule", "/api/rules/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Rule, Error> {
        own(cx, &self.token)
    }
}

/// An update of a rule. Omitted settings do not change.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct RuleChanges {
    /// The new target.
    #[serde(flatten)]
    pub destination: Destination,
    /// The filter of events.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lql_string: Option<String>,
}

/// Update a routing rule. Omitted settings do not change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct UpdateRule {
    /// The rule's token.
    pub token: String,
    /// The new settings.
    #[serde(flatten)]
    pub changes: RuleChanges,
}

impl Operation for UpdateRule {
    type Output = Rule;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..replace("analytics-update-rule", "/api/rules/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Rule, Error> {
        update(cx, &self.token, self.changes)
    }
}

/// Change a routing rule. Omitted settings do not change.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema, New)]
pub struct PatchRule {
    /// The rule's token.
    pub token: String,
    /// The new settings.
    #[serde(flatten)]
    pub changes: RuleChanges,
}

impl Operation for PatchRule {
    type Output = Rule;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..change("analytics-patch-rule", "/api/rules/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Rule, Error> {
        update(cx, &self.token, self.changes)
    }
}

/// Delete a routing rule.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct DeleteRule {
    /// The rule's token.
    pub token: String,
}

impl Operation for DeleteRule {
    type Output = Empty;
    const META: Meta =
        Meta { since: Edition::V2026_11, ..remove("analytics-delete-rule", "/api/rules/{token}") };

    fn run(self, cx: &mut Cx<'_>) -> Result<Empty, Error> {
        let rule = own(cx, &self.token)?;
        cx.db.run("DELETE FROM rule WHERE id = ?1", (rule.id,));
        Ok(Empty {})
    }

    fn payload(_: &Empty) -> Payload {
        Payload::nothing()
    }
}

fn update(cx: &Cx<'_>, token: &str, changes: RuleChanges) -> Result<Rule, Error> {
    let rule = own(cx, token)?;
    let to = &changes.destination;
    if to.sink.set().is_some() || to.backend_id.set().is_some() {
        let (sink, backend) = destination(cx, to, rule.source_id)?;
        cx.db.run("UPDATE rule SET sink = ?2, backend = ?3 WHERE id = ?1", (rule.id, sink, backend));
    } else if matches!(to.sink, Change::Clear) && rule.sink.is_some() {
        return Err(unprocessable("sink", "can't be blank"));
    } else if matches!(to.backend_id, Change::Clear) && rule.backend_id.is_some() {
        return Err(unprocessable("backend_id", "can't be blank"));
    }
    if let Some(filter) = changes.lql_string {
        require_filter(cx, &filter)?;
        cx.db.run("UPDATE rule SET filter = ?2 WHERE id = ?1", (rule.id, filter));
    }
    own(cx, token)
}

fn own_source(cx: &Cx<'_>, id: i64) -> Result<i64, Error> {
    let sql = "SELECT id FROM source WHERE id = ?1 AND user = ?2";
    let found = cx.db.maybe(sql, (id, account::caller(cx)?), |row| row.get(0));
    found.ok_or_else(|| unprocessable("source_id", "does not exist"))
}

/// The number of the source or the backend.
fn destination(
    cx: &Cx<'_>,
    destination: &Destination,
    source: i64,
) -> Result<(Option<i64>, Option<i64>), Error> {
    match (destination.sink.set(), destination.backend_id.set().copied()) {
        (Some(sink), None) => Ok((Some(own_sink(cx, sink, source)?), None)),
        (None, Some(id)) if backend::is_own(cx, id)? => Ok((None, Some(id))),
        (None, Some(_)) => Err(unprocessable("backend_id", "does not exist")),
        (Some(_), Some(_)) => Err(unprocessable("backend_id", "can't stand beside sink")),
        (None, None) => Err(unprocessable("sink", "can't be blank")),
    }
}

fn own_sink(cx: &Cx<'_>, token: &str, source: i64) -> Result<i64, Error> {
    match source::own(cx, token) {
        Ok(sink) if sink.id == source => Err(unprocessable("sink", "is the source itself")),
        Ok(sink) => Ok(sink.id),
        Err(_) => Err(unprocessable("sink", "does not exist")),
    }
}

fn require_filter(cx: &Cx<'_>, text: &str) -> Result<(), Error> {
    if text.trim().is_empty() {
        return Err(unprocessable("lql_string", "can't be blank"));
    }
    Filter::read(text, cx.now).map(drop).map_err(|problem| unprocessable("lql_string", &problem))
}

const SELECT: &str = "SELECT r.id, r.token, r.source, sink.token, r.backend, r.filter FROM rule r
    JOIN source s ON s.id = r.source LEFT JOIN source sink ON sink.id = r.sink WHERE s.user = ?1";

fn row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Rule> {
    Ok(Rule {
        id: row.get(0)?,
        token: row.get(1)?,
        source_id: row.get(2)?,
        sink: row.get(3)?,
        backend_id: row.get(4)?,
        lql_string: row.get(5)?,
    })
}

/// The caller's rule with that token, or 404.
fn own(cx: &Cx<'_>, token: &str) -> Result<Rule, Error> {
    let sql = format!("{SELECT} AND r.token = ?2");
    let found = cx.db.maybe(&sql, (account::caller(cx)?, token.to_ascii_lowercase()), row);
    found.ok_or_else(|| not_found("rule_not_found", token))
}

/// The fields of a rule that ingestion needs.
pub(crate) struct Route {
    pub filter: String,
    pub way: Way,
}

/// The target of a rule.
pub(crate) enum Way {
    Sink { id: i64, token: String },
    Backend(i64),
}

/// The rules of a source, oldest first.
pub(crate) fn of(cx: &Cx<'_>, source: i64) -> Vec<Route> {
    let sql = "SELECT r.filter, sink.id, sink.token, r.backend FROM rule r LEFT JOIN source sink ON sink.id = r.sink
               WHERE r.source = ?1 ORDER BY r.id";
    cx.db.all(sql, (source,), |row| {
        let way = match row.get(3)? {
            Some(backend) => Way::Backend(backend),
            None => Way::Sink { id: row.get(1)?, token: row.get(2)? },
        };
        Ok(Route { filter: row.get(0)?, way })
    })
}
