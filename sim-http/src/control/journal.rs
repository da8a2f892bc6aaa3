//! `/_sim/journal`: what the chosen world was asked, what it answered, and why.

use bytes::Bytes;
use http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE};
use http::{HeaderValue, Response};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_core::engine::{Call, Explanation, Meta, get, post};
use sim_core::{Error, Kind, Replay, Simulator};

use super::{Control, Place, Run};
use crate::half::{Service, half};
use crate::service::json_response;
use crate::world::Touch;

/// Calls in one answer unless asked otherwise.
const LIMIT: u64 = 1000;

/// List the calls of the chosen world, oldest first. Secrets are masked.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetJournal {
    /// The first call's number; 1 unless given.
    pub from: Option<u64>,
    /// How many at most; 1000 unless given.
    pub limit: Option<u64>,
    /// Whose calls, in a world of two services; those to the management API unless given.
    pub service: Option<Service>,
}

impl Control for GetJournal {
    type Output = Vec<Call>;
    const META: Meta =
        Meta { query: &["from", "limit", "service"], ..get("sim-get-journal", "/_sim/journal") };
}

impl Run for GetJournal {
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
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explain {
    /// The call's number: the header `x-sim-call` of its answer.
    pub call: u64,
    /// To which service, in a world of two; to the management API unless given.
    pub service: Option<Service>,
}

impl Control for Explain {
    type Output = Explanation;
    const META: Meta = Meta { query: &["service"], ..get("sim-explain", "/_sim/journal/{call}/explain") };
}

impl Run for Explain {
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

/// Ask the chosen world's journal in SQL: SQLite's, over the tables `call`, `event` and `due`, which have the fields of
/// `/_sim/journal`, `/_sim/history` and `/_sim/agenda`.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct QueryJournal {
    /// One query: `select operation, count(*) as calls from call group by operation`.
    pub sql: String,
}

impl Control for QueryJournal {
    type Output = Vec<Map<String, Value>>;
    const META: Meta = Meta { status: 200, ..post("sim-query-journal", "/_sim/journal/query") };
}

impl Run for QueryJournal {
    fn run(self, place: &Place<'_>) -> Result<Vec<Map<String, Value>>, Error> {
        place.world.with(Touch::Reads, |inside| inside.sim.query_journal(&self.sql))?
    }
}

/// Download the replay file of the chosen world: `stuntdouble replay FILE` lives it again.
///
/// Holds the requests whole, secrets and all. 409 when the journal has dropped calls.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetReplay {
    /// Of which service, in a world of two; of the management API unless given.
    pub service: Option<Service>,
}

/// A world's seed, settings and calls, to be lived again.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ReplayFile(pub Replay);

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
}

impl Run for GetReplay {
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
