//! Calls that a seed makes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sim_base::ToSchema;

use crate::engine::Operation;

/// A step: a call, or a pause.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct CallSeed {
    /// An operation, by its id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub operation: Option<String>,
    /// Its input: the fields of path, query and body, as one object.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub input: Map<String, Value>,
    /// The name of the project whose reference becomes the input's `ref`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// The name of the user who calls; the simulator's driver by default.
    #[serde(rename = "as", skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// How often the call is made; once by default. A seed can make 100,000 calls in all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100_000))]
    pub times: Option<u32>,
    /// The `x-sim-reason` of the expected refusal; the call must succeed by default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// Microseconds to wait before the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advance_us: Option<u64>,
    /// Milliseconds to wait before the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advance_ms: Option<u64>,
}

impl CallSeed {
    /// A typed call by the simulator's driver.
    pub fn of<O: Operation>(operation: &O) -> CallSeed {
        let input = match serde_json::to_value(operation) {
            Ok(Value::Object(input)) => input,
            other => panic!("a request is an object: {other:?}"),
        };
        CallSeed { operation: Some(O::META.id.to_owned()), input, ..CallSeed::default() }
    }

    /// Makes the call as a user, by name.
    #[must_use]
    pub fn by(self, user: &str) -> CallSeed {
        CallSeed { caller: Some(user.to_owned()), ..self }
    }

    /// Makes the call on the project of that name.
    #[must_use]
    pub fn on(self, project: &str) -> CallSeed {
        CallSeed { project: Some(project.to_owned()), ..self }
    }

    /// Makes the call this many times.
    #[must_use]
    pub fn times(self, times: u32) -> CallSeed {
        CallSeed { times: Some(times), ..self }
    }
}
