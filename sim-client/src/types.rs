//! The types that are sent to the server and read from it, as far as tests use them. All other values are [`Value`].

use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Fault, FaultStanding};

/// The types of the answers to control calls.
///
/// [`Plain`] has the types of this crate. Implement it to have types of your own, as `sim_http::client` does for those of the
/// simulator, and turn a world into one of them with [`World::typed`](crate::World::typed).
pub trait Types {
    /// A world: name, URL, tokens, seed, instant, calls.
    type World: DeserializeOwned;
    /// A clock.
    type Clock: DeserializeOwned;
    /// The result of moving the clock.
    type Moved: DeserializeOwned;
    /// Scheduled work.
    type Due: DeserializeOwned;
    /// Work that was done.
    type Happened: DeserializeOwned;
    /// A snapshot.
    type Snapshot: DeserializeOwned;
    /// A world as a seed file.
    type Seed: DeserializeOwned;
    /// How a world behaves.
    type Policy: DeserializeOwned;
    /// What things are called in a world.
    type Profile: DeserializeOwned;
    /// A fault rule with its counts.
    type Fault: DeserializeOwned;
    /// A call in the journal.
    type Call: DeserializeOwned;
    /// The reasons of an answer.
    type Explanation: DeserializeOwned;
    /// What calls have reached.
    type Coverage: DeserializeOwned;
    /// A replay file.
    type Replay: DeserializeOwned;
}

/// The types of this crate.
#[derive(Clone, Copy, Debug)]
pub struct Plain;

impl Types for Plain {
    type World = WorldInfo;
    type Clock = Clock;
    type Moved = Moved;
    type Due = Due;
    type Happened = Happened;
    type Snapshot = SnapshotInfo;
    type Seed = Value;
    type Policy = Value;
    type Profile = Value;
    type Fault = FaultStanding;
    type Call = Call;
    type Explanation = Explanation;
    type Coverage = Value;
    type Replay = Value;
}

/// A world to make. Missing fields are as in the world `main`, or have their defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewWorld {
    /// Letters, digits, `-`, `_`, `.`; generated unless given.
    pub name: Option<String>,
    /// Its services: `management`, `analytics` or `both`.
    pub service: Option<String>,
    /// Whether the analytics server logs the calls to the management API. With `true` the world has both services.
    pub self_log: Option<bool>,
    /// The seed of everything random; 0 unless given.
    pub seed: Option<u64>,
    /// The instant of its clock at the start; 2026-01-01T00:00:00Z unless given.
    pub start: Option<Timestamp>,
    /// How it behaves; missing fields have their defaults.
    pub policy: Option<Value>,
    /// What things are called in it; missing fields have their defaults.
    pub profile: Option<Value>,
    /// Its users and organizations; one user who owns one organization unless given.
    pub world: Option<Value>,
    /// A seed file, as an object or as its text.
    pub seed_file: Option<Value>,
    /// The name of a scenario to start from: see [`Client::scenarios`](crate::Client::scenarios).
    pub scenario: Option<String>,
    /// Simulated seconds for each real one; 0 is a paused clock.
    pub speed: Option<f64>,
}

/// A world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorldInfo {
    /// Its name.
    pub name: String,
    /// The base URL for clients; it leads to this world with any token.
    pub url: String,
    /// Its services: `management`, `analytics` or `both`.
    pub service: String,
    /// The token of its first user; `None` in a world without users.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub token: Option<String>,
    /// The token for everything at the analytics server; `None` unless the world has both services.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub analytics_token: Option<String>,
    /// The seed it was made from.
    pub seed: u64,
    /// The simulated instant.
    pub now: Timestamp,
    /// How many calls it has answered so far.
    pub calls: u64,
    /// How many of them its journal has dropped.
    pub dropped_calls: u64,
}

/// A clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Clock {
    /// The simulated instant.
    pub now: Timestamp,
    /// When the next work falls due; `None` when none is scheduled.
    pub next_due: Option<Timestamp>,
    /// When work takes effect: `clock`, `instant` or `manual`.
    pub pace: String,
    /// Simulated seconds for each real one; 0 is a paused clock.
    pub speed: f64,
}

/// The result of moving the clock.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// The simulated instant now.
    pub now: Timestamp,
    /// When the next work falls due; `None` when none is scheduled.
    pub next_due: Option<Timestamp>,
    /// The work that was done, in order; the last 10,000 pieces of it.
    pub happened: Vec<Happened>,
    /// How many pieces of work were done, where these are not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<u64>,
}

/// Work that was done.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Happened {
    /// Its instant.
    pub at: Timestamp,
    /// The kind of work.
    pub kind: String,
    /// What it was done on, such as a project's reference.
    pub subject: String,
    /// The task, as JSON text.
    pub task: String,
    /// The new state of the subject: `ACTIVE_HEALTHY`.
    pub became: String,
    /// The number of the call that caused it.
    pub caused_by_call: u64,
}

/// Scheduled work.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Due {
    /// When it is due.
    pub due: Timestamp,
    /// The order of work that is due at one instant.
    pub seq: i64,
    /// The kind of work.
    pub kind: String,
    /// What it will be done on, such as a project's reference.
    pub subject: String,
    /// The task, as JSON text.
    pub task: String,
    /// The number of the call that caused it.
    pub caused_by_call: u64,
}

/// A snapshot of a world.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotInfo {
    /// Its name.
    pub name: String,
    /// The simulated instant of the snapshot.
    pub now: Timestamp,
    /// How many calls the world had answered by then.
    pub calls: u64,
}

/// A world to start from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ScenarioInfo {
    /// Its name, as in `paused-project`.
    pub name: String,
    /// The state that it is in.
    pub about: String,
}

/// A call in the journal. Secrets are masked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Call {
    /// Its number, from 1.
    pub call: u64,
    /// Its instant.
    pub at: Timestamp,
    /// The id of the operation; `None` when the path belongs to none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// HTTP method.
    pub method: String,
    /// Path and query.
    pub target: String,
    /// Who called: `"nobody"`, `"control"`, or `{"token": 1}` with the number of the token.
    pub caller: Value,
    /// The body of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request: Option<String>,
    /// Length and digest of a request body that the journal does not keep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_cut: Option<CutBody>,
    /// The caller's role in the organization, when the call got that far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub role: Option<String>,
    /// The status of the project before the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// The status of the answer.
    pub status: u16,
    /// The reason of a refusal, as in the header `x-sim-reason`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The stage that refused the call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refused_by: Option<String>,
    /// What that stage looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// The body of the answer, before a fault changed it.
    pub response: String,
    /// Length and digest of an answer that the journal does not keep.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_cut: Option<CutBody>,
    /// What the call sent that has no effect: `body.foo`, `query.bar`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ignored: Vec<String>,
    /// The fault rule that applied, and its effect: `rule 2: lost_answer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// A rolling hash over this and all earlier calls, 32 hex digits.
    pub hash: String,
}

/// What is left of a body that is longer than the journal keeps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CutBody {
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of it, 64 hex digits.
    pub sha256: String,
}

/// Something that a refusing stage looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fact {
    /// Its name: `project.status`.
    pub name: String,
    /// Its value: `INACTIVE`.
    pub value: String,
    /// The number of the call that set that value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_call: Option<u64>,
}

/// The reasons of an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explanation {
    /// The call.
    pub call: Call,
    /// The checks in order; the last one decided.
    pub checks: Vec<Check>,
    /// The earlier calls that caused the answer, oldest first.
    pub because_of: Vec<Call>,
}

/// One check of a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Check {
    /// The stage.
    pub stage: String,
    /// Whether it let the call pass.
    pub passed: bool,
    /// What it looked at, if it refused.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
}

/// A fault to inject into a run of a client.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SweepPoint {
    /// The service that is called: `management` or `analytics`.
    pub service: String,
    /// The number of the call among the client's calls to that service, from 1.
    pub call: u32,
    /// The method of that call.
    pub method: String,
    /// Its path and query.
    pub target: String,
    /// The rule, for a fork of the world before the run.
    pub fault: Fault,
}

/// Something that is wrong after a run of a client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Trouble {
    /// The kind: `hang`, `killed`, `exit`, `double`, `garbage`, `missing`, `lost` or `different`.
    pub kind: String,
    /// What it is about.
    pub what: String,
}
