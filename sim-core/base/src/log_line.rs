//! Lines that operations write to a project's logs.

use std::cell::RefCell;

use serde_json::{Map, Value};

/// A line of a project's log.
#[derive(Clone, Debug)]
pub struct Line {
    /// The log table that shows it: `postgres_logs`.
    pub table: &'static str,
    /// The project's reference.
    pub project: String,
    pub message: String,
    pub metadata: Map<String, Value>,
}

/// Lines that operations write during a call.
pub type Lines = RefCell<Vec<Line>>;

/// A call that a service has answered, as the one beside it hears of it.
pub struct Heard<'a> {
    /// The HTTP method.
    pub method: &'a str,
    /// Path and query, as the journal has them.
    pub target: &'a str,
    /// Those that say who called, and how, by names that a column can have.
    pub headers: &'a [(&'static str, String)],
    /// The status of the answer.
    pub status: u16,
    /// Why it was refused: the `x-sim-reason` word.
    pub reason: Option<&'a str>,
    /// What the operation wrote to logs.
    pub lines: &'a [Line],
}
