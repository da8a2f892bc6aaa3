//! Events stored outside the world's pages, by a server that the embedder supplies. The core has no such server.
//!
//! The server only adds rows. Each row is at a place on a numbered line. What a world has seen of a table is a list of
//! lines, each up to some place. That list is a few of the world's own rows, so it goes with the world through fork,
//! snapshot, restore and refusal. Worlds that diverge write to separate lines.

use std::fmt::Write as _;

use sim_values::call::Limits;

/// A server that stores tables of events.
pub trait EventServer: Send + Sync {
    /// Adds events to a table, and creates the table if necessary. The events go on the last line of `seen` or on a new
    /// line. Events whose id is in `seen` already are skipped.
    ///
    /// A table has the columns of [`EventRow`], and also `line` and `place`.
    fn insert(&self, table: &str, seen: &[EventLine], events: &[EventRow<'_>])
    -> Result<Added, EventFailure>;

    /// Runs a read-only query in PostgreSQL's dialect, with the functions of `sim_warehouse::POSTGRES_PRELUDE`. All its
    /// columns are text.
    fn query(&self, query: &EventQuery<'_>) -> Result<Vec<Vec<Option<String>>>, EventFailure>;
}

/// A line of a table, up to a place on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventLine {
    /// The line's number, unique on the server. Later lines have higher numbers.
    pub line: i64,
    /// The last place that counts.
    pub last: i64,
}

impl EventLine {
    /// An SQL condition that is true for the rows on these lines.
    pub fn condition(lines: &[EventLine]) -> String {
        let mut text = String::from("false");
        for EventLine { line, last } in lines {
            write!(text, " or line = {line} and place <= {last}").expect("a string takes it");
        }
        text
    }
}

/// An event as a row.
#[derive(Clone, Debug)]
pub struct EventRow<'a> {
    /// Its id.
    pub id: &'a str,
    /// The whole event, as a JSON object.
    pub body: String,
    /// Its message.
    pub message: Option<&'a str>,
    /// Microseconds since the epoch.
    pub timestamp: i64,
}

/// The result of adding events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Added {
    /// How many events were new.
    pub count: usize,
    /// The line that they are on, up to the last of them.
    pub line: EventLine,
}

/// A query of events.
#[derive(Clone, Debug)]
pub struct EventQuery<'a> {
    /// One statement, whose parameters are `$1`, `$2` …
    pub sql: &'a str,
    /// Their values.
    pub parameters: &'a [EventParameter],
    /// When to give up.
    pub limits: Limits,
}

/// A parameter of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventParameter {
    /// A text, or null.
    Text(Option<String>),
    /// A whole number.
    Whole(i64),
}

/// Why an event server failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventFailure {
    /// It took too long.
    TooSlow,
    /// The answer is larger than allowed.
    TooLarge,
    /// A value did not fit. The text is the server's message.
    Sql(String),
    /// The server does not answer, and it is unknown what it has done.
    Lost(String),
}
