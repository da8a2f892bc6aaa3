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
    /// The message of the line.
    pub message: String,
    /// Its metadata, as a JSON object.
    pub metadata: Map<String, Value>,
}

/// Lines that operations write during a call.
pub type Lines = RefCell<Vec<Line>>;

/// An answered call of one service, as the world's other service sees it.
pub struct Heard<'a> {
    /// The HTTP method.
    pub method: &'a str,
    /// Path and query, as the journal has them.
    pub target: &'a str,
    /// The headers that say who called, and how. Their names can be column names.
    pub headers: &'a [(&'static str, String)],
    /// The status of the answer.
    pub status: u16,
    /// Why it was refused: the `x-sim-reason` word.
    pub reason: Option<&'a str>,
    /// The log lines that the operation wrote.
    pub lines: &'a [Line],
}
