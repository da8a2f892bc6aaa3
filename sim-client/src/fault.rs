//! Fault rules: which calls they match, how often they apply, and what they do.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A fault rule. It applies to the first call that it matches, unless it says otherwise.
///
/// ```
/// use sim_client::{Effect, Fault, On};
///
/// let outage = Fault::new(On::path("/v1/*"), Effect::status(503)).for_ms(60_000);
/// let third = Fault::new(On::operation("v1-create-a-project"), Effect::LostAnswer).from_nth(3);
/// # let _ = (outage, third);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fault {
    /// The calls that it matches.
    pub on: On,
    /// The first matching call that it applies to, from 1.
    pub nth: u32,
    /// The number of calls to which it applies from there on; 0 means all.
    pub times: u32,
    /// How long it applies after the first time, in milliseconds of simulated time; unlimited by default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub for_ms: Option<u64>,
    /// The probability that it applies to a matching call, from 0 to 1. The seed of the world decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Its effect.
    pub effect: Effect,
}

impl Fault {
    /// A rule that applies to the first call that it matches.
    pub fn new(on: On, effect: Effect) -> Fault {
        Fault { on, nth: 1, times: 1, for_ms: None, probability: None, effect }
    }

    /// Applies the rule to the first `times` calls; 0 means all.
    #[must_use]
    pub fn times(self, times: u32) -> Fault {
        Fault { times, ..self }
    }

    /// Applies the rule to all calls in `ms` milliseconds after the first one: an outage.
    #[must_use]
    pub fn for_ms(self, ms: u64) -> Fault {
        Fault { times: 0, for_ms: Some(ms), ..self }
    }

    /// Applies the rule from the matching call number `nth` on.
    #[must_use]
    pub fn from_nth(self, nth: u32) -> Fault {
        Fault { nth, ..self }
    }
}

/// The calls that a rule matches: those that match every given field. Control calls are never matched.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct On {
    /// The id of an operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// An HTTP method.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// A path; `*` matches any text, so `*` alone matches every call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The reference of a project in the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The name of a user.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// Calls at or after this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Timestamp>,
    /// Calls before this time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub until: Option<Timestamp>,
}

impl On {
    /// Calls of one operation.
    pub fn operation(id: &str) -> On {
        On { operation: Some(id.to_owned()), ..On::default() }
    }

    /// Calls of a path; `*` in it matches any text.
    pub fn path(path: &str) -> On {
        On { path: Some(path.to_owned()), ..On::default() }
    }
}

/// The effect of a rule on a call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[non_exhaustive]
pub enum Effect {
    /// The call is refused with this status, in the form of the service.
    Status {
        /// From 400 to 599.
        status: u16,
        /// The text; the service's own by default.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
        /// Seconds for a header `retry-after`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        retry_after_s: Option<u64>,
        /// Additional members of the body, by name.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        members: BTreeMap<String, Value>,
        /// Additional headers of the answer, by name.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        headers: BTreeMap<String, String>,
    },
    /// The call is refused by the rate limit, and so are all calls of that caller for some time.
    RateLimit {
        /// The length of that time, in seconds.
        seconds: u64,
    },
    /// The answer is late.
    Latency {
        /// Milliseconds of real time; the clock of the world does not move.
        ms: u64,
    },
    /// The connection is reset before the call is made.
    Reset,
    /// The call is made; its answer has no body.
    Empty,
    /// The call is made; the connection breaks in the middle of the answer.
    Torn,
    /// The call is made; its answer is not JSON.
    Garbage,
    /// The call is made; the body of its answer arrives in pieces.
    Slow {
        /// Milliseconds until the last piece.
        ms: u64,
    },
    /// The call is made; the connection is reset before the answer.
    LostAnswer,
    /// The connection is reset, and the call is made later.
    Late {
        /// Milliseconds of simulated time.
        ms: u64,
    },
    /// The call is made twice; the answer is the first one.
    Twice,
    /// The call is made; its answer is changed: members are renamed, then removed, then set, then reordered. Places are JSON
    /// pointers, in which `*` matches every element or member.
    Alter {
        /// Another status for a success, from 200 to 299.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<u16>,
        /// Places and values. A member that is not there is added.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        set: BTreeMap<String, Value>,
        /// Places to remove.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        drop: Vec<String>,
        /// Places of members and their new names.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        rename: BTreeMap<String, String>,
        /// Places of lists and objects whose elements or members come in reverse order; an empty one is the whole answer.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        reorder: Vec<String>,
        /// Headers and their values; an empty value removes the header.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        headers: BTreeMap<String, String>,
    },
    /// The call is made; its answer has no optional members.
    Lean,
    /// The call is made; its answer has all optional members, one that no edition knows, and timestamps with an offset and
    /// microseconds.
    Rich,
    /// The call is made; members, their order and the spelling of timestamps vary within the schema of the answer.
    Varied,
    /// The call is made; lists and the members of objects in its answer are in reverse order.
    Reorder,
    /// Of a call with a list, only the first items are done; then it is refused.
    Partial {
        /// How many items are done.
        done: u32,
        /// The status of the refusal, from 400 to 599.
        status: u16,
    },
    /// The call reads an earlier state of the world.
    Stale {
        /// The age of that state in calls, at most 100.
        calls: u32,
    },
}

impl Effect {
    /// A refusal with this status, in the words of the service.
    pub fn status(status: u16) -> Effect {
        Effect::Status {
            status,
            message: None,
            retry_after_s: None,
            members: BTreeMap::new(),
            headers: BTreeMap::new(),
        }
    }

    /// Sets the value at `place` of the answer, a JSON pointer in which `*` matches every element or member.
    pub fn set(place: &str, value: impl Into<Value>) -> Effect {
        Effect::Alter {
            status: None,
            set: BTreeMap::from([(place.to_owned(), value.into())]),
            drop: Vec::new(),
            rename: BTreeMap::new(),
            reorder: Vec::new(),
            headers: BTreeMap::new(),
        }
    }
}

/// A rule of a world, with its counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FaultStanding {
    /// Its number, from 1.
    pub id: i64,
    /// The rule.
    pub rule: Fault,
    /// The number of calls that it has matched.
    pub met: u32,
    /// The number of calls to which it has applied.
    pub struck: u32,
    /// When it applied for the first time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Timestamp>,
}
