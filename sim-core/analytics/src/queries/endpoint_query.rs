//! `/api/endpoints/query/{token_or_name}`: runs endpoints.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use sim_base::operations;
use sim_base::{
    Access, Body, Cx, Edition, Error, FromJson, Meta, New, Operation, Payload, Resource, Scope, ToSchema,
    get, post,
};
use sim_warehouse::{Refusal, RefusalKind};

use crate::account;
use crate::cached_result::{self, Freshness};
use crate::endpoint::{self, Endpoint, Language};
use crate::execute::{self, Ask, Rows, Wrong};
use crate::lql_sql;
use crate::manner::unauthorized;
use crate::redact;

operations![RunEndpoint, PostEndpointQuery];

pub(crate) const RESOURCE: Resource = Resource { tables: "", operations: OPERATIONS, tasks: &[] };

/// The answer of an endpoint: rows, or the reason why there are none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct EndpointResult {
    /// The rows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub result: Option<Rows>,
    /// The error in the query; the status is 200 nevertheless.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The stable code of the error.
    #[serde(skip)]
    reason: Option<&'static str>,
    /// The source of the rows.
    #[serde(skip)]
    freshness: Option<Freshness>,
}

const fn query(meta: Meta) -> Meta {
    Meta {
        status: 200,
        rest: Some("parameters"),
        headers: &["x-endpoint-redact-pii"],
        access: Access::Optional,
        since: Edition::V2026_11,
        scope: Some(Scope("query")),
        implies: false,
        aliases: &["/endpoints/query/{token_or_name}", "/api/endpoints/query/name/{token_or_name}"],
        ..meta
    }
}

const PATH: &str = "/api/endpoints/query/{token_or_name}";

/// Run an endpoint's query. All other names in the URL's query are parameters of it.
///
/// If the endpoint is sandboxable, `sql` is the caller's own query over its common table expressions, and `lql` a search of one
/// of them. An endpoint without authentication needs no token, if it is addressed by its UUID.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct RunEndpoint {
    /// The endpoint's token, or its name.
    pub token_or_name: String,
    /// `true`: the result has `REDACTED` in place of network addresses, whatever the endpoint's own setting.
    #[serde(default, rename = "x-endpoint-redact-pii", skip_serializing_if = "Option::is_none")]
    pub redact_pii: Option<String>,
    /// The value of `@name` in the query.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
}

impl RunEndpoint {
    /// That endpoint, with those parameters.
    pub fn with(token_or_name: &str, parameters: &[(&str, &str)]) -> RunEndpoint {
        let parameters = parameters.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
        RunEndpoint {
            token_or_name: token_or_name.to_owned(),
            redact_pii: None,
            parameters: parameters.collect(),
        }
    }
}

impl Operation for RunEndpoint {
    type Output = EndpointResult;
    const META: Meta = Meta { also: &[400, 401, 500], ..query(get("analytics-run-endpoint", PATH)) };

    fn run(self, cx: &mut Cx<'_>) -> Result<EndpointResult, Error> {
        let found = find(cx, &self.token_or_name)?;
        let (parameters, of_body) = with_body(cx, &found.1, self.parameters)?;
        let place = |name: &str| if of_body.contains(name) { "body" } else { "query" };
        answer(cx, place, found, self.redact_pii.as_deref(), &parameters)
    }

    fn payload(output: &EndpointResult) -> Payload {
        respond(output)
    }
}

/// Run an endpoint's query. Parameters are fields of the body, of the URL's query, or both.
#[derive(Clone, Debug, Serialize, FromJson, ToSchema, New)]
pub struct PostEndpointQuery {
    /// The endpoint's token, or its name.
    pub token_or_name: String,
    /// `true`: the result has `REDACTED` in place of network addresses, whatever the endpoint's own setting.
    #[serde(default, rename = "x-endpoint-redact-pii", skip_serializing_if = "Option::is_none")]
    pub redact_pii: Option<String>,
    /// The value of `@name` in the query.
    #[serde(default)]
    pub parameters: BTreeMap<String, String>,
}

impl Operation for PostEndpointQuery {
    type Output = EndpointResult;
    const META: Meta = Meta {
        body: Body::Fields,
        also: &[400, 401, 413, 415, 500],
        ..query(post("analytics-post-endpoint-query", PATH))
    };

    fn run(self, cx: &mut Cx<'_>) -> Result<EndpointResult, Error> {
        let found = find(cx, &self.token_or_name)?;
        answer(cx, |_| "body", found, self.redact_pii.as_deref(), &self.parameters)
    }

    fn payload(output: &EndpointResult) -> Payload {
        respond(output)
    }
}

fn respond(output: &EndpointResult) -> Payload {
    let freshness = output.freshness.map(|freshness| ("x-sim-cache", freshness.as_str().to_owned()));
    let reason = output.reason.map(|reason| ("x-sim-reason", reason.to_owned()));
    Payload { headers: freshness.into_iter().chain(reason).collect(), ..Payload::json(output) }
}

/// The parameters of a GET with the fields of a JSON body, which count for a sandboxable endpoint without `sql` and `lql` in the
/// URL; and the names of those. The service reads them there only.
fn with_body(
    cx: &Cx<'_>,
    endpoint: &Endpoint,
    parameters: BTreeMap<String, String>,
) -> Result<(BTreeMap<String, String>, BTreeSet<String>), Error> {
    let (mut all, mut body) = (BTreeMap::new(), BTreeMap::new());
    for (name, value) in parameters {
        match name.strip_prefix("body.") {
            Some(field) => body.insert(field.to_owned(), value),
            None => all.insert(name, value),
        };
    }
    if body.is_empty() {
        return Ok((all, BTreeSet::new()));
    }
    if !endpoint.settings.sandboxable || ["sql", "lql"].iter().any(|name| all.contains_key(*name)) {
        cx.without_effect(|| "body".to_owned())?;
        return Ok((all, BTreeSet::new()));
    }
    body.retain(|name, _| !all.contains_key(name));
    let names = body.keys().cloned().collect();
    all.append(&mut body);
    Ok((all, names))
}

fn answer<'p>(
    cx: &Cx<'_>,
    place: impl Fn(&str) -> &'p str,
    (user, endpoint): (i64, Endpoint),
    redacts: Option<&str>,
    parameters: &BTreeMap<String, String>,
) -> Result<EndpointResult, Error> {
    for name in parameters.keys().filter(|name| !is_used(cx, user, &endpoint, parameters, name)) {
        cx.without_effect(|| format!("{}.{}", place(name), name.replace(',', "%2C")))?;
    }
    let redacts = redacts.map_or(endpoint.settings.redact_pii, |text| text == "true");
    Ok(match cached_result::get(cx, user, &endpoint, parameters) {
        Ok((mut rows, freshness)) => {
            if redacts {
                redact::rows(&mut rows);
            }
            EndpointResult { result: Some(rows), freshness: Some(freshness), ..EndpointResult::default() }
        }
        Err(wrong) => {
            if let Some(error) = wrong.lost() {
                return Err(error);
            }
            let text = if cx.policy.analytics.clear_query_errors { wrong.text() } else { wrong.short_text() };
            EndpointResult { error: Some(text), reason: Some(wrong.reason()), ..EndpointResult::default() }
        }
    })
}

/// The endpoint and its owner; 401 if there is none, or the caller may not run it, so that guessing reveals
/// nothing.
fn find(cx: &Cx<'_>, token_or_name: &str) -> Result<(i64, Endpoint), Error> {
    let is_token = uuid::Uuid::try_parse(token_or_name).is_ok();
    let found = if is_token {
        endpoint::of_token(cx, token_or_name)
    } else {
        let user = account::caller(cx)?;
        let mut named = endpoint::named(cx, user, token_or_name);
        if named.len() > 1 {
            let text = format!("{} endpoints have the name {token_or_name:?}, use a token", named.len());
            return Err(Error::invalid("ambiguous_endpoint", text));
        }
        named.pop().map(|endpoint| (user, endpoint))
    };
    let (user, endpoint) = found.ok_or_else(|| unauthorized("endpoint_unknown"))?;
    let is_open = is_token && !endpoint.settings.enable_auth;
    if is_open || account::may_query(cx, user, endpoint.id) {
        return Ok((user, endpoint));
    }
    Err(unauthorized("endpoint_forbidden"))
}

/// Whether a parameter can have an effect: it is a consumer's query, or a query names it.
fn is_used(
    cx: &Cx<'_>,
    user: i64,
    endpoint: &Endpoint,
    parameters: &BTreeMap<String, String>,
    name: &str,
) -> bool {
    let mark = format!("@{name}");
    let consumers = [COLUMNAR, "sql", "lql"];
    let reads = |name: &&str| *name == "sql" || endpoint.settings.language == Language::WhSql;
    let given = |name: &&str| parameters.get(*name).is_some_and(|text| !text.trim().is_empty());
    let consumer = consumers.into_iter().filter(reads).find(given).filter(|_| endpoint.settings.sandboxable);
    if consumers.contains(&name) && (consumer == Some(name) || parameters[name].trim().is_empty()) {
        return true;
    }
    let own = consumer.and_then(|name| parameters.get(name)).map_or("", String::as_str);
    // The queries of other endpoints that this one may read have the same parameters.
    [&endpoint.query, own].iter().any(|text| text.contains(&mark)) || endpoint::any_contains(cx, user, &mark)
}

/// Runs the endpoint's query, or the caller's own if the endpoint allows it.
pub(crate) fn run(
    cx: &Cx<'_>,
    user: i64,
    endpoint: &Endpoint,
    parameters: &BTreeMap<String, String>,
) -> Result<Rows, Wrong> {
    let ask = |lacking: &[&str]| {
        let consumer = consumer(cx, endpoint, parameters, lacking).map_err(Wrong::Refused)?;
        let ask = Ask {
            user,
            text: &endpoint.query,
            language: endpoint.settings.language,
            consumer: consumer.as_deref(),
            mapping: &endpoint.source_mapping,
            parameters,
            max_rows: endpoint.settings.max_limit,
        };
        if is_columnar(parameters) { execute::run_columnar(cx, &ask) } else { execute::run(cx, &ask) }
    };
    // The searched table may have some of the event's columns only.
    let (mut missing, mut first) = (Vec::new(), None);
    loop {
        let wrong = match ask(&missing) {
            Err(Wrong::Refused(wrong)) if parameters.contains_key("lql") => wrong,
            result => return result,
        };
        let column = lql_sql::lacking(&wrong.message).filter(|_| wrong.kind == RefusalKind::UnknownField);
        let first = first.get_or_insert(wrong);
        match column {
            Some(column) if !missing.contains(&column) && missing.len() < 2 => missing.push(column),
            _ => return Err(Wrong::Refused(first.clone())),
        }
    }
}

/// The parameter for a query of the columnar dialect over the table `logs`, which has the rows of all log tables. The management
/// API uses it.
const COLUMNAR: &str = "columnar_sql";

fn is_columnar(parameters: &BTreeMap<String, String>) -> bool {
    parameters.contains_key(COLUMNAR)
}

/// The table `logs`, as common table expressions over those log tables.
fn logs(tables: &[&String]) -> String {
    let rows = |table: &&String| {
        format!(
            "select id, timestamp, '{table}' as source, event_message, flat_texts(metadata) as log_attributes from {table}"
        )
    };
    let rows: Vec<_> = tables.iter().map(rows).collect();
    format!(
        "all_logs as ({}), logs as (
           select id, timestamp, source, event_message, log_attributes,
                  coalesce(nullif(map_text(log_attributes, 'level'), ''),
                           nullif(map_text(log_attributes, 'parsed.error_severity'), ''),
                           if(source = 'edge_logs', 'INFO', '')) as severity_text
           from all_logs)",
        rows.join(" union all ")
    )
}

/// Translates a query of the columnar dialect to the warehouse's dialect. It reads the log tables to which its conditions limit it.
fn columnar(cx: &Cx<'_>, endpoint: &Endpoint, sql: &str) -> Result<String, Refusal> {
    let tables = sim_warehouse::tables_of(&endpoint.query)?;
    let known: Vec<_> = tables.iter().filter(|table| cx.profile.log_sources.contains_key(*table)).collect();
    sim_warehouse::columnar(sql, |sources| {
        let read = |table: &&&String| sources.is_none_or(|sources| sources.contains(**table));
        let tables: Vec<_> = known.iter().filter(read).copied().collect();
        // A source that is no log table has no rows; the tables still have their columns.
        logs(if tables.is_empty() { known.get(..1).unwrap_or_default() } else { &tables })
    })
}

/// The caller's own query, if the endpoint allows one: `sql`, or otherwise a search in `lql`.
fn consumer(
    cx: &Cx<'_>,
    endpoint: &Endpoint,
    parameters: &BTreeMap<String, String>,
    lacking: &[&str],
) -> Result<Option<String>, Refusal> {
    let given = |name: &str| parameters.get(name).filter(|text| !text.trim().is_empty());
    if !endpoint.settings.sandboxable {
        return Ok(None);
    }
    if let Some(sql) = given(COLUMNAR).filter(|_| endpoint.settings.language == Language::WhSql) {
        return columnar(cx, endpoint, sql).map(Some);
    }
    if let Some(sql) = given("sql") {
        return Ok(Some(sql.clone()));
    }
    let Some(search) = given("lql").filter(|_| endpoint.settings.language == Language::WhSql) else {
        return Ok(None);
    };
    // If there is only one table to search, the search need not name it.
    let tables = sim_warehouse::tables_of(&endpoint.query)?;
    let only = if let [only] = tables.as_slice() { Some(only.as_str()) } else { None };
    execute::searched(search, only, lacking, cx.now).map(Some)
}
