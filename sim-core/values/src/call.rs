//! The limits and results of a call of SQL, for all engines.

use serde_json::{Map, Value as Json};

/// The limits of one call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Limits {
    /// Units of work for the whole call, each about a step of SQLite's virtual machine; then 57014, as after a statement timeout.
    /// Functions also use units for the bytes that they read.
    pub steps: u64,
    /// Bytes of the rows that a call returns, as JSON.
    pub result_bytes: usize,
    /// Bytes that a call may hold: large values, and values collected by aggregates; more is 53200.
    pub held_bytes: usize,
    /// Bytes by which a call may make its database larger; more is 53100.
    pub written_bytes: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        // With these, calls that double what they hold or write stay below 512 MB of memory.
        Limits { steps: 50_000_000, result_bytes: 32 << 20, held_bytes: 256 << 20, written_bytes: 224 << 20 }
    }
}

/// The results of a call.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    /// The rows of the last statement that returned any, by column name.
    pub rows: Vec<Map<String, Json>>,
    /// The columns of that statement.
    pub columns: Vec<ResultColumn>,
    /// Whether anything may have changed.
    pub wrote: bool,
    /// The command tag of each statement: `SELECT 2`, `CREATE TABLE`.
    pub commands: Vec<String>,
    /// What was accepted and does nothing here, each once: `VACUUM`, `CREATE EXTENSION pg_cron`.
    pub without_effect: Vec<String>,
}

impl Outcome {
    /// Notes what was accepted and does nothing here.
    pub fn does_nothing(&mut self, what: String) {
        if !self.without_effect.contains(&what) {
            self.without_effect.push(what);
        }
    }
}

/// A column of a result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultColumn {
    /// Its name.
    pub name: String,
    /// Its type, in the format of `format_type`.
    pub type_name: String,
}
