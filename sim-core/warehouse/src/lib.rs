//! The dialect of the cloud data warehouse, translated for SQLite and PostgreSQL.
//!
//! [`translate`] parses a query, binds each of its names and types, and prints it for one of the targets. The result calls functions
//! named `wh_…`: [`prepare_connection`] registers them with SQLite, [`POSTGRES_PRELUDE`] creates them in PostgreSQL.
//!
//! # How events are stored
//!
//! A source is a table with the columns `id` (text), `timestamp` (SQLite: microseconds since the epoch; PostgreSQL: `timestamp`
//! in UTC), `event_message` (text) and `body`: the event as one JSON object without nulls but that of a missing message (PostgreSQL:
//! `jsonb`; SQLite: without what has a column). Any other name is a field of the body; see [`Table`].
//!
//! The warehouse keeps each object as a list of one. So `UNNEST` of an object gives one row, `UNNEST` of a list one row for each
//! element, and `UNNEST` of a null none.

#![forbid(unsafe_code)]

mod bind;
mod columnar;
mod dialect;
mod encode;
mod parse;
mod parse_postgres;
mod refusal;
mod runtime;
mod shape;
mod target;
mod types;

pub use encode::{Cell, columnar_value, row};
pub use refusal::{Refusal, RefusalKind};
pub use runtime::prepare_connection;
pub use shape::Shape;
pub use types::Type;

use std::collections::BTreeSet;

/// SQL that PostgreSQL must run once, before the first translated query, in a schema of the search path.
pub const POSTGRES_PRELUDE: &str = include_str!("prelude.sql");

/// The size of the stack on which texts are read: the deepest nesting takes a fourth of it where the parser is not optimised. Its
/// pages are allocated when they are used.
const STACK: usize = 48 << 20;

/// The database that a translation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// SQLite, on a connection prepared by [`prepare_connection`]. Parameters are `?1`, `?2` …
    Sqlite,
    /// PostgreSQL from version 15 on, with [`POSTGRES_PRELUDE`] in the search path. Parameters are `$1`, `$2` …
    Postgres,
}

/// The dialect that a query is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// The warehouse's dialect.
    #[default]
    Warehouse,
    /// PostgreSQL's dialect, as far as it reads events. A source has the columns `id`, `timestamp`, `event_message` and `body`.
    Postgres,
    /// The columnar store's dialect, which is translated to the warehouse's dialect. See [`columnar()`].
    Columnar,
}

/// A query to translate.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The query.
    pub text: &'a str,
    /// Its dialect, which is also the dialect of the queries that it uses.
    pub dialect: Dialect,
    /// A consumer's query, which replaces the last `SELECT` of [`Request::text`]. It can read only the common table expressions of
    /// `text` and its own.
    pub consumer: Option<&'a str>,
    /// The database that will run it.
    pub target: Target,
    /// The most rows of the answer.
    pub max_rows: Option<u32>,
}

/// Looks up the names of tables.
pub trait Resolver {
    /// The relation named `name`, with its dots and without backticks; `None` if there is none.
    fn relation(&self, name: &str) -> Option<Relation>;
}

/// What the name of a table refers to.
#[derive(Clone, Debug)]
pub enum Relation {
    /// A source of events.
    Table(Table),
    /// Another query, used like a table.
    Query(String),
}

/// A stored source of events.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its name in the target's SQL, quoted if necessary.
    pub sql: String,
    /// The fields of the body and their types, if they are known. Then other names are refused, and values need no conversion at
    /// run time. `None`: any name is a field of unknown type, null for an event without it.
    pub fields: Option<Vec<(String, Type)>>,
    /// The fields inside the fields; others are refused. [`Shape::Open`] if they are not known.
    pub shape: Shape,
}

impl Table {
    /// A source whose fields are unknown, except `id`, `timestamp` and `event_message`.
    pub fn of_events(sql: impl Into<String>) -> Table {
        Table { sql: sql.into(), fields: None, shape: Shape::Open }
    }
}

/// A translated query.
#[derive(Clone, Debug, PartialEq)]
pub struct Translation {
    /// One statement.
    pub sql: String,
    /// Its columns, in order, for [`row`].
    pub columns: Vec<Column>,
    /// Its parameters, in order.
    pub parameters: Vec<Parameter>,
    /// The tables that it reads, by the names that were looked up in the resolver.
    pub sources: BTreeSet<String>,
}

/// A column of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub type_: Type,
    /// The fields that its values can have.
    pub shape: Shape,
}

/// A parameter of a translated statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// `@name`: a text, null when the caller gives none.
    Named(String),
    /// The time of the call, in microseconds since the epoch, as an integer.
    Now,
}

/// The SQL by which queries for SQLite truncate a column of microseconds to a multiple of `width`, for indices.
pub fn floor_of(column: &str, width: i64) -> String {
    format!("({column} - ({column} % {width} + {width}) % {width})")
}

/// A query of the columnar store's dialect, written in the warehouse's. `tables` gives common table expressions of the warehouse's
/// dialect that it may read, separated by commas, for the sources of events that it reads; without any, it may read all.
///
/// Fails when it is no query of that dialect, or has what the warehouse has not.
pub fn columnar(
    text: &str,
    tables: impl FnOnce(Option<&BTreeSet<String>>) -> String,
) -> Result<String, Refusal> {
    stacker::grow(STACK, || columnar::rewritten(text, tables))
}

/// Translates a query.
///
/// Fails unless it is a single query in the dialect, reads only what it may, and uses only constructs that the translation knows.
pub fn translate(request: &Request<'_>, resolver: &dyn Resolver) -> Result<Translation, Refusal> {
    stacker::grow(STACK, || translate_here(request, resolver))
}

fn translate_here(request: &Request<'_>, resolver: &dyn Resolver) -> Result<Translation, Refusal> {
    if request.dialect == Dialect::Columnar {
        let rewritten = |text| columnar::rewritten(text, |_| String::new());
        let text = rewritten(request.text)?;
        let consumer = request.consumer.map(rewritten).transpose()?;
        let dialect = Dialect::Warehouse;
        return translate_here(
            &Request { text: &text, consumer: consumer.as_deref(), dialect, ..*request },
            resolver,
        );
    }
    let consumer = request.consumer.map(|text| parse::query(text, request.dialect)).transpose()?;
    let query = parse::query(request.text, request.dialect)?;
    bind::translate(request, &query, consumer.as_ref(), resolver)
}

/// The names of the common table expressions of a query in the warehouse's dialect.
///
/// Fails unless it is a single query.
pub fn tables_of(text: &str) -> Result<Vec<String>, Refusal> {
    stacker::grow(STACK, || {
        let query = parse::query(text, Dialect::Warehouse)?;
        let tables = query.with.iter().flat_map(|with| &with.cte_tables);
        Ok(tables.map(|table| table.alias.name.value.clone()).collect())
    })
}

/// The names of the parameters of a query, each once, in the order of their first use.
///
/// Fails as [`translate`] does, but does not look up tables.
pub fn parameters(text: &str, dialect: Dialect) -> Result<Vec<String>, Refusal> {
    stacker::grow(STACK, || parse::parameters(text, dialect))
}
