//! `/_sim/journal`: what the chosen world was asked, what it answered, and why.

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderValue, Response};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_core::engine::{Call, CallPage, Explanation, Filter, Meta, RowChange, Stage, get, post};
use sim_core::{Error, Kind, Replay, Simulator};

use super::{Control, Place};
use crate::half::{Service, half};
use crate::service::json_response;
use crate::world::Touch;

/// Calls in one answer unless asked otherwise.
const LIMIT: u64 = 1000;

/// List the calls of the chosen world, oldest first. Secrets are masked.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetJournal {
    /// The first call's number; 1 unless given.
    from: Option<u64>,
    /// How many at most; 1000 unless given.
    limit: Option<u64>,
    /// Whose calls, in a world of two services; those to the management API unless given.
    service: Option<Service>,
}

impl Control for GetJournal {
    type Output = Vec<Call>;
    const META: Meta =
        Meta { query: &["from", "limit", "service"], ..get("sim-get-journal", "/_sim/journal") };

    fn run(self, place: &Place<'_>) -> Result<Vec<Call>, Error> {
        let (from, limit) = (self.from.unwrap_or(1), self.limit.unwrap_or(LIMIT));
        // Numbers beyond SQLite's are beyond any journal.
        let from = from.min(i64::MAX as u64);
        let read = |sim: &Simulator| Ok(half(sim, self.service)?.journal_from(from, limit));
        place.world.with(Touch::Reads, |inside| read(&inside.sim))?
    }
}

/// Explain a call: which check said what, and which earlier calls are to blame.
///
/// As text for people when the request accepts `text/plain`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Explain {
    /// The call's number: the header `x-sim-call` of its answer.
    call: u64,
    /// To which service, in a world of two; to the management API unless given.
    service: Option<Service>,
}

impl Control for Explain {
    type Output = Explanation;
    const META: Meta = Meta { query: &["service"], ..get("sim-explain", "/_sim/journal/{call}/explain") };

    fn run(self, place: &Place<'_>) -> Result<Explanation, Error> {
        let number = self.call.min(i64::MAX as u64);
        let explain = |sim: &Simulator| Ok::<_, Error>(half(sim, self.service)?.explain(number));
        let explanation = place.world.with(Touch::Reads, |inside| explain(&inside.sim))??;
        explanation.ok_or_else(|| Error::not_found("call", &self.call.to_string()))
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

/// Search the calls of the chosen world page by page, oldest first, without what was sent and answered.
///
/// Takes all that is given: a call is found that fits each of it.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct SearchJournal {
    /// How many of the calls found to pass over; none unless given.
    offset: Option<u64>,
    /// How many at most; 100 unless given.
    limit: Option<u64>,
    /// Part of path, query, operation, reason or fault, in any case.
    text: Option<String>,
    /// An HTTP method.
    method: Option<String>,
    /// The least status.
    status_from: Option<u16>,
    /// The greatest status.
    status_to: Option<u16>,
    /// The stage that refused.
    refused_by: Option<Stage>,
    /// Whether calls that drive the simulator count; they do unless given.
    control: Option<bool>,
    /// Whose calls, in a world of two services; those to the management API unless given.
    service: Option<Service>,
}

/// Calls in a page unless asked otherwise.
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
            "control",
            "service",
        ],
        ..get("sim-search-journal", "/_sim/journal/search")
    };

    fn run(self, place: &Place<'_>) -> Result<CallPage, Error> {
        let (offset, limit) = (self.offset.unwrap_or(0), self.limit.unwrap_or(PAGE));
        let filter = Filter {
            text: self.text,
            method: self.method,
            status_from: self.status_from,
            status_to: self.status_to,
            refused_by: self.refused_by,
            without_control: self.control == Some(false),
        };
        let search = |sim: &Simulator| Ok(half(sim, self.service)?.search_journal(&filter, offset, limit));
        place.world.with(Touch::Reads, |inside| search(&inside.sim))?
    }
}

/// List the rows that a call of the chosen world made, changed or took away. Secrets are masked.
///
/// The world is lived again up to the call, so it takes as long as the calls before it did. 409 when the journal has
/// dropped calls.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ListChanges {
    /// The call's number: the header `x-sim-call` of its answer.
    call: u64,
    /// To which service, in a world of two; to the management API unless given.
    service: Option<Service>,
}

impl Control for ListChanges {
    type Output = Vec<RowChange>;
    const META: Meta =
        Meta { query: &["service"], also: &[409], ..get("sim-list-changes", "/_sim/journal/{call}/changes") };

    fn run(self, place: &Place<'_>) -> Result<Vec<RowChange>, Error> {
        // Living a world again takes a while; meanwhile others may call it.
        let fork = place.world.with(Touch::Reads, |inside| inside.sim.fork())?;
        let sim = half(&fork, self.service)?;
        if self.call == 0 || self.call > sim.calls() {
            return Err(Error::not_found("call", &self.call.to_string()));
        }
        sim.changes_of(self.call).ok_or_else(|| {
            let text = "The journal has dropped calls, or this service was told of things that are in another's; \
                        what the call changed can't be found out";
            Error::new(Kind::Conflict, "journal_pruned", text)
        })
    }
}

/// Ask the chosen world's journal in SQL: SQLite's, over the tables `call`, `event` and `due`, which have the fields of
/// `/_sim/journal`, `/_sim/history` and `/_sim/agenda`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QueryJournal {
    /// One query: `select operation, count(*) as calls from call group by operation`.
    sql: String,
}

impl Control for QueryJournal {
    type Output = Vec<Map<String, Value>>;
    const META: Meta = Meta { status: 200, ..post("sim-query-journal", "/_sim/journal/query") };

    fn run(self, place: &Place<'_>) -> Result<Vec<Map<String, Value>>, Error> {
        place.world.with(Touch::Reads, |inside| inside.sim.query_journal(&self.sql))?
    }
}

/// Download the replay file of the chosen world: `stuntdouble replay FILE` lives it again.
///
/// Holds the requests whole, secrets and all. 409 when the journal has dropped calls.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetReplay {
    /// Of which service, in a world of two; of the management API unless given.
    service: Option<Service>,
}

/// A world's seed, settings and calls, to be lived again.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct ReplayFile(Replay);

impl JsonSchema for ReplayFile {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "ReplayFile".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "object", "description": "A world's seed, settings and calls, to be lived again." })
    }
}

impl Control for GetReplay {
    type Output = ReplayFile;
    const META: Meta = Meta { query: &["service"], also: &[409], ..get("sim-get-replay", "/_sim/replay") };

    fn run(self, place: &Place<'_>) -> Result<ReplayFile, Error> {
        let read = |sim: &Simulator| {
            let sim = half(sim, self.service)?;
            Ok::<_, Error>((sim.replay_file(), sim.policy().journal_calls))
        };
        let (file, kept) = place.world.with(Touch::Reads, |inside| read(&inside.sim))??;
        file.map(ReplayFile).ok_or_else(|| {
            let text = format!("The journal has dropped calls; set journal_calls in the policy above {kept}");
            Error::new(Kind::Conflict, "journal_pruned", text)
        })
    }

    fn respond(output: &ReplayFile, _: &Place<'_>) -> Response<Bytes> {
        let mut response = json_response(output);
        let file = HeaderValue::from_static("attachment; filename=\"replay.json\"");
        response.headers_mut().insert(CONTENT_DISPOSITION, file);
        response
    }
}
