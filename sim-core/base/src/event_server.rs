//! Events kept outside the world's pages: by a server that the embedder supplies, never by the core itself.
//!
//! The server only ever adds rows. Each stands on a line, at a place; what a world has seen of a table is a list of
//! lines, each up to some place, and that list is a few of the world's own rows. So it goes with the world through fork,
//! snapshot, restore and refusal, and two worlds that part write on lines of their own.

use std::fmt::Write as _;

use sim_values::call::Limits;

/// Tables of events.
pub trait EventServer: Send + Sync {
    /// Adds events to a table, which is made if need be, on the last line of `seen` or a new one. Those whose id
    /// is among the `seen` ones already are passed over.
    ///
    /// A table has the columns of [`EventRow`], and `line` and `place`.
    fn insert(&self, table: &str, seen: &[EventLine], events: &[EventRow<'_>])
    -> Result<Added, EventFailure>;

    /// Runs a query that reads, in PostgreSQL's dialect with the functions of
    /// [`POSTGRES_PRELUDE`](sim_warehouse::POSTGRES_PRELUDE). All its columns are texts.
    fn query(&self, query: &EventQuery<'_>) -> Result<Vec<Vec<Option<String>>>, EventFailure>;
}

/// A line of a table, up to a place on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventLine {
    /// Its number, which no other line of the server has. A later line has a higher one.
    pub line: i64,
    /// The last place that counts.
    pub last: i64,
}

impl EventLine {
    /// The condition in SQL that holds for rows on these lines.
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

/// What became of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Added {
    /// How many are new.
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

/// Why a server of events did not do what it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventFailure {
    /// It took too long.
    TooSlow,
    /// The answer is larger than it may be.
    TooLarge,
    /// A value did not fit: the server's words.
    Sql(String),
    /// The server does not answer, and nobody knows what it has done.
    Lost(String),
}
