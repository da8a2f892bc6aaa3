//! `/_sim/journal`, `/_sim/replay`: the calls of the chosen world, their answers, and the reasons.

use std::ops::Deref;
use std::time::{Duration, Instant};

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderName, HeaderValue, Response};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_core::engine::near;
use sim_core::engine::{Call, CallPage, Dropped, Explanation, Filter, Meta, RowChange, Stage, get, post};
use sim_core::{Error, Kind, Replay, Simulator};

use super::{Control, Place, Run};
use crate::request::json_response;
use crate::worlds::{Service, Touch, simulator_of};

/// Headers with the number of calls and events that the journal has dropped.
const DROPPED_CALLS: HeaderName = HeaderName::from_static("x-sim-dropped-calls");
const DROPPED_EVENTS: HeaderName = HeaderName::from_static("x-sim-dropped-events");

/// Header with the numbers of calls in a replay file that can't be made again, because the journal did not keep their bodies.
const CUT_CALLS: HeaderName = HeaderName::from_static("x-sim-cut-calls");

/// The most numbers in that header.
const NAMED: usize = 1000;

/// Calls in one answer by default.
const LIMIT: u64 = 1000;

/// How long a query in SQL may take.
const QUERY_TIME: Duration = Duration::from_secs(2);

/// Rows of the journal. The headers `x-sim-dropped-calls` and `x-sim-dropped-events` have the numbers of calls and events that
/// the journal has dropped.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct Part<T> {
    /// The rows.
    pub rows: T,
    #[serde(skip)]
    dropped: Dropped,
}

impl<T> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.rows
    }
}

impl<T: Serialize> Part<T> {
    pub(super) fn of(sim: &Simulator, rows: T) -> Part<T> {
        Part { rows, dropped: sim.dropped() }
    }

    pub(super) fn response(&self) -> Response<Bytes> {
        let mut response = json_response(&self.rows);
        let Dropped { calls, events } = self.dropped;
        response.headers_mut().insert(DROPPED_CALLS, calls.into());
        response.headers_mut().insert(DROPPED_EVENTS, events.into());
        response
    }
}

/// Refuses to read the calls from number `from` on when the journal has dropped some of them.
pub(super) fn refuse_dropped(sim: &Simulator, from: u64) -> Result<(), Error> {
    let Dropped { calls, .. } = sim.dropped();
    if from > calls {
        return Ok(());
    }
    let kept = sim.policy().journal_calls;
    let bytes = sim.policy().journal_bytes;
    let text = format!(
        "The journal has dropped the first {calls} calls; set journal_calls in the policy above {kept}, \
         or journal_bytes above {bytes}"
    );
    Err(Error::new(Kind::Conflict, "journal_pruned", text))
}

/// Whether a replay can't make some calls of this world again, because the journal did not keep their bodies.
pub(super) fn has_cut_calls(sim: &Simulator) -> bool {
    let has = |half: &Simulator| half.replay_file().is_some_and(|file| !file.cut_calls().is_empty());
    has(sim) || sim.beside().is_some_and(has)
}

/// List the calls of the chosen world, oldest first. Secrets are masked.
///
/// The header `x-sim-dropped-calls` has the number of calls that the journal has dropped.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetJournal {
    /// The number of the first call; 1 by default.
    pub from: Option<u64>,
    /// The maximum number of calls in the answer; 1000 by default.
    pub limit: Option<u64>,
    /// Only calls that were refused for this reason, such as `rate_limited`, or `invalid_body` with any field.
    pub reason: Option<String>,
    /// The service, in a world of two; the management API by default.
    pub service: Option<Service>,
}

impl Control for GetJournal {
    type Output = Part<Vec<Call>>;
    const META: Meta =
        Meta { query: &["from", "limit", "reason", "service"], ..get("sim-get-journal", "/_sim/journal") };
}

impl Run for GetJournal {
    async fn run(self, place: &Place<'_>) -> Result<Part<Vec<Call>>, Error> {
        let (from, limit) = (self.from.unwrap_or(1), self.limit.unwrap_or(LIMIT));
        // SQLite has no larger numbers, and no journal has as many calls.
        let from = from.min(i64::MAX as u64);
        self.reason.as_deref().map_or(Ok(()), check_reason)?;
        let read = |sim: &Simulator| {
            let half = simulator_of(sim, self.service)?;
            let calls = match &self.reason {
                Some(reason) => refused_for(half, reason, from, limit),
                None => half.journal_from(from, limit),
            };
            Ok(Part::of(half, calls))
        };
        place.world.with(Touch::Reads, |inside| read(&inside.sim)).await?
    }

    fn respond(output: &Part<Vec<Call>>, _: &Place<'_>) -> Response<Bytes> {
        output.response()
    }
}

/// At most `limit` calls from number `from` on that were refused for a reason.
fn refused_for(sim: &Simulator, reason: &str, from: u64, limit: u64) -> Vec<Call> {
    let filter = Filter { reason: Some(reason.to_owned()), ..Filter::default() };
    let found = sim.search_journal(&filter, 0, u64::MAX).calls.into_iter().filter(|head| head.call >= from);
    found
        .take(usize::try_from(limit).unwrap_or(usize::MAX))
        .flat_map(|head| sim.journal_from(head.call, 1))
        .collect()
}

/// Explain a call: the result of each check, and the earlier calls that caused it.
///
/// The answer is readable text if the request accepts `text/plain`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explain {
    /// The number of the call, from the header `x-sim-call` of its answer.
    pub call: u64,
    /// The service that was called, in a world of two; the management API by default.
    pub service: Option<Service>,
}

impl Control for Explain {
    type Output = Explanation;
    const META: Meta = Meta { query: &["service"], ..get("sim-explain", "/_sim/journal/{call}/explain") };
}

impl Run for Explain {
    async fn run(self, place: &Place<'_>) -> Result<Explanation, Error> {
        let number = self.call.min(i64::MAX as u64);
        let explain = |sim: &Simulator| {
            let half = simulator_of(sim, self.service)?;
            half.explain(number).ok_or_else(|| unknown(half, number))
        };
        place.world.with(Touch::Reads, |inside| explain(&inside.sim)).await?
    }

    fn respond(output: &Explanation, place: &Place<'_>) -> Response<Bytes> {
        let accepts = place.parts.headers.get(ACCEPT).and_then(|accepts| accepts.to_str().ok());
        if !accepts.is_some_and(|accepts| accepts.contains("text/plain")) {
            return json_response(output);
        }
        let mut response = Response::new(Bytes::from(output.to_string()));
        let text = HeaderValue::from_static("text/plain; charset=utf-8");
        response.headers_mut().insert(CONTENT_TYPE, text);
        response
    }
}

/// The refusal for a call that was not made.
pub(super) fn no_call(sim: &Simulator, number: u64) -> Error {
    let made = match sim.calls() {
        0 => "no call was made".to_owned(),
        last => format!("the calls are 1 to {last}"),
    };
    let text = format!("There is no call {number}; {made}");
    Error { message: text, ..Error::not_found("call", &number.to_string()) }
}

/// The refusal for a call that the journal does not have.
fn unknown(sim: &Simulator, number: u64) -> Error {
    if number == 0 || number > sim.dropped().calls {
        return no_call(sim, number);
    }
    let kept = sim.policy().journal_calls;
    let text = format!(
        "Call {number} was dropped from the journal, which keeps the last {kept} (journal_calls in the policy) \
         as far as journal_bytes allows"
    );
    Error::new(Kind::NotFound, "call_dropped", text)
}

/// Search the calls of the chosen world, oldest first, page by page, without their bodies.
///
/// A call is found if it matches all given fields.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SearchJournal {
    /// The number of matching calls to skip; 0 by default.
    pub offset: Option<u64>,
    /// The maximum number of calls in the answer; 100 by default.
    pub limit: Option<u64>,
    /// Parts of path, query, operation, reason or fault, separated by blanks: a call must have all of them. Upper and
    /// lower case are the same.
    pub text: Option<String>,
    /// An HTTP method, in upper or lower case.
    pub method: Option<String>,
    /// The lowest status.
    pub status_from: Option<u16>,
    /// The highest status.
    pub status_to: Option<u16>,
    /// The stage that refused.
    pub refused_by: Option<Stage>,
    /// The reason of the refusal, such as `rate_limited`, or `invalid_body` with any field.
    pub reason: Option<String>,
    /// Whether to include control calls; `true` by default.
    pub control: Option<bool>,
    /// The client: the name of a user or of a token, or the id of an OAuth app; `nobody` for calls without a valid token, `control`
    /// for control calls.
    pub client: Option<String>,
    /// The service, in a world of two; the management API by default.
    pub service: Option<Service>,
}

/// Calls in a page by default.
const PAGE: u64 = 100;

impl Control for SearchJournal {
    type Output = CallPage;
    const META: Meta = Meta {
        query: &[
            "offset",
            "limit",
            "text",
            "method",
            "status_from",
            "status_to",
            "refused_by",
            "reason",
            "control",
            "client",
            "service",
        ],
        ..get("sim-search-journal", "/_sim/journal/search")
    };
}

impl Run for SearchJournal {
    async fn run(self, place: &Place<'_>) -> Result<CallPage, Error> {
        let (offset, limit) = (self.offset.unwrap_or(0), self.limit.unwrap_or(PAGE));
        self.method.as_deref().map_or(Ok(()), check_method)?;
        self.reason.as_deref().map_or(Ok(()), check_reason)?;
        let filter = Filter {
            text: self.text,
            method: self.method,
            status_from: self.status_from,
            status_to: self.status_to,
            refused_by: self.refused_by,
            reason: self.reason,
            without_control: self.control == Some(false),
            client: self.client,
        };
        let search = |sim: &Simulator| {
            let half = simulator_of(sim, self.service)?;
            filter.client.as_deref().map_or(Ok(()), |name| check_client(half, name))?;
            Ok(half.search_journal(&filter, offset, limit))
        };
        place.world.with(Touch::Reads, |inside| search(&inside.sim)).await?
    }
}

/// The methods of HTTP.
const METHODS: [&str; 9] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT"];

/// Refuses what is no method of HTTP.
fn check_method(name: &str) -> Result<(), Error> {
    if METHODS.iter().any(|one| one.eq_ignore_ascii_case(name)) {
        return Ok(());
    }
    let question = near::question(name, METHODS);
    Err(Error::invalid("invalid_query.method", format!("method: {name:?} is no method of HTTP{question}")))
}

/// Refuses a word that is the reason of no refusal.
fn check_reason(reason: &str) -> Result<(), Error> {
    let word = reason.split('.').next().unwrap_or_default();
    if Error::reasons().any(|one| one == word) {
        return Ok(());
    }
    let question = near::question(word, Error::reasons());
    let text =
        format!("reason: no call is refused for {word:?}; docs/reasons.md lists the reasons{question}");
    Err(Error::invalid("invalid_query.reason", text))
}

/// Refuses the name of a client that the world does not have.
fn check_client(sim: &Simulator, name: &str) -> Result<(), Error> {
    let known = sim.client_names();
    if known.iter().any(|one| one == name) {
        return Ok(());
    }
    let question = near::question(name, known.iter().map(String::as_str));
    let text = format!(
        "client: there is no user, token or app {name:?}; nobody are calls without a valid token, control those to \
         /_sim{question}"
    );
    Err(Error::invalid("invalid_query.client", text))
}

/// List the rows that a call of the chosen world inserted, changed or deleted. Secrets are masked.
///
/// The world is replayed up to the call, so this takes as long as the earlier calls did. 409 when the journal has dropped
/// calls.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListChanges {
    /// The number of the call, from the header `x-sim-call` of its answer.
    pub call: u64,
    /// The service that was called, in a world of two; the management API by default.
    pub service: Option<Service>,
}

impl Control for ListChanges {
    type Output = Vec<RowChange>;
    const META: Meta =
        Meta { query: &["service"], also: &[409], ..get("sim-list-changes", "/_sim/journal/{call}/changes") };
}

impl Run for ListChanges {
    async fn run(self, place: &Place<'_>) -> Result<Vec<RowChange>, Error> {
        // A replay takes a while. It runs on a fork, so that it does not delay other calls to the world.
        let fork = place.world.with(Touch::Reads, |inside| inside.sim.fork()).await?;
        let sim = simulator_of(&fork, self.service)?;
        if self.call == 0 || self.call > sim.calls() {
            return Err(no_call(sim, self.call));
        }
        sim.changes_of(self.call).ok_or_else(|| {
            let text = "The journal has dropped calls or a body, or this service got events that are in the journal of \
                        another; the changes of the call can't be reconstructed";
            Error::new(Kind::Conflict, "journal_pruned", text)
        })
    }
}

/// Query the journal and the resources of the chosen world in SQL.
///
/// The SQL is that of SQLite. The tables `call`, `event` and `due` have the fields of `/_sim/journal`, `/_sim/history` and
/// `/_sim/agenda`; `dropped` has what the journal has dropped; each resource has a table without its secrets, such as `project`.
/// `select name, sql from sqlite_schema` lists the tables.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryJournal {
    /// One query: `select operation, count(*) as calls from call group by operation`.
    pub sql: String,
}

impl Control for QueryJournal {
    type Output = Part<Vec<Map<String, Value>>>;
    const META: Meta = Meta { status: 200, ..post("sim-query-journal", "/_sim/journal/query") };
}

impl Run for QueryJournal {
    async fn run(self, place: &Place<'_>) -> Result<Self::Output, Error> {
        let end = Instant::now() + QUERY_TIME;
        let ask = |sim: &Simulator| {
            let rows = sim.query_journal_while(&self.sql, move || Instant::now() < end)?;
            Ok(Part::of(sim, rows))
        };
        place.world.with(Touch::Reads, |inside| ask(&inside.sim)).await?
    }

    fn respond(output: &Self::Output, _: &Place<'_>) -> Response<Bytes> {
        output.response()
    }
}

/// Download the replay file of the chosen world, for `stuntdouble replay FILE`.
///
/// The file has all requests with their secrets. 409 when the journal has dropped calls. Calls whose bodies the journal did not
/// keep can't be made again: in the file they have `body_cut`, and the header `x-sim-cut-calls` names them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetReplay {
    /// The service, in a world of two; the management API by default.
    pub service: Option<Service>,
}

/// The seed, settings and calls of a world, for a replay.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReplayFile(pub Replay);

impl JsonSchema for ReplayFile {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ReplayFile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "description": "The seed, settings and calls of a world, for a replay." })
    }
}

impl Control for GetReplay {
    type Output = ReplayFile;
    const META: Meta = Meta { query: &["service"], also: &[409], ..get("sim-get-replay", "/_sim/replay") };
}

impl Run for GetReplay {
    async fn run(self, place: &Place<'_>) -> Result<ReplayFile, Error> {
        let read = |sim: &Simulator| {
            let half = simulator_of(sim, self.service)?;
            refuse_dropped(half, 1)?;
            Ok(ReplayFile(half.replay_file().expect("a journal that has dropped nothing is complete")))
        };
        place.world.with(Touch::Reads, |inside| read(&inside.sim)).await?
    }

    fn respond(output: &ReplayFile, _: &Place<'_>) -> Response<Bytes> {
        let mut response = json_response(output);
        let file = HeaderValue::from_static("attachment; filename=\"replay.json\"");
        response.headers_mut().insert(CONTENT_DISPOSITION, file);
        let cut: Vec<String> = output.0.cut_calls().iter().take(NAMED).map(u64::to_string).collect();
        if !cut.is_empty() {
            let cut = HeaderValue::try_from(cut.join(",")).expect("numbers can stand in a header");
            response.headers_mut().insert(CUT_CALLS, cut);
        }
        response
    }
}
