//! The journal of a world, and what is derived from it.

use serde_json::{Map, Value, json};

use super::World;
use crate::{Result, Types};

impl<T: Types> World<T> {
    /// The calls, oldest first, as far as the journal keeps them.
    pub fn journal(&self) -> Result<Vec<T::Call>> {
        self.journal_from(1, u64::MAX)
    }

    /// At most `limit` calls from number `from` on.
    pub fn journal_from(&self, from: u64, limit: u64) -> Result<Vec<T::Call>> {
        self.control("sim-get-journal", &json!({ "from": from, "limit": limit }))
    }

    /// The rows of a query in the SQL of SQLite, over `call`, `event`, `due` and a table for each resource, such as `project`.
    pub fn query_journal(&self, sql: &str) -> Result<Vec<Map<String, Value>>> {
        self.control("sim-query-journal", &json!({ "sql": sql }))
    }

    /// The result of each check of a call, and the earlier calls that caused it.
    pub fn explain(&self, call: u64) -> Result<T::Explanation> {
        self.control("sim-explain", &json!({ "call": call }))
    }

    /// The coverage of the calls: operation, state, role and outcome.
    pub fn coverage(&self) -> Result<T::Coverage> {
        self.control("sim-get-coverage", &())
    }

    /// The use of the rate limit by the calls, and a forecast for this many simultaneous runs.
    pub fn lens(&self, runners: &[u32]) -> Result<Value> {
        let runners = runners.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        self.control("sim-get-lens", &json!({ "runners": runners }))
    }

    /// The file for `stuntdouble replay FILE`.
    pub fn replay_file(&self) -> Result<T::Replay> {
        self.control("sim-get-replay", &())
    }

    /// The messages that the analytics server has sent, those after number `after` if given.
    pub fn outbox(&self, after: Option<u64>) -> Result<Vec<Value>> {
        self.control("sim-list-outbox", &json!({ "after": after }))
    }
}
