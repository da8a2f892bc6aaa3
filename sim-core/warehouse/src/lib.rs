//! The dialect of the cloud data warehouse, for databases that are no warehouse: SQLite and PostgreSQL.
//!
//! [`translate`] parses a query, binds every name and type of it, and prints it for one of the targets. Both targets call
//! functions named `wh_…`: [`prepare_connection`] registers them with SQLite, [`POSTGRES_PRELUDE`] makes them in PostgreSQL.
//!
//! # How events are stored
//!
//! A source is a table with the columns `id` (text), `timestamp` (SQLite: microseconds since the epoch; PostgreSQL: `timestamp`
//! in UTC), `event_message` (text) and `body`: the whole event as one JSON object without nulls (PostgreSQL: `jsonb`). A name
//! that is none of the first three is a field of the body; see [`Table`].
//!
//! The warehouse keeps each object as a list of one, so `UNNEST` of an object has one row, of a list one for each element, and
//! of nothing none.

#![forbid(unsafe_code)]

mod bind;
mod encode;
mod parse;
mod refusal;
mod runtime;
mod target;
mod types;

pub use encode::{Cell, row};
pub use refusal::{Refusal, RefusalKind};
pub use runtime::prepare_connection;
pub use types::Type;

use std::collections::BTreeSet;

/// What PostgreSQL runs once, before the first translated query, in the schema where it shall find the functions.
pub const POSTGRES_PRELUDE: &str = include_str!("prelude.sql");

/// The database that a translation is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Target {
    /// SQLite, on a connection that [`prepare_connection`] has seen. Parameters are `?1`, `?2` …
    Sqlite,
    /// PostgreSQL from version 15 on, with [`POSTGRES_PRELUDE`] in the search path. Parameters are `$1`, `$2` …
    Postgres,
}

/// The dialect that a query is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Dialect {
    /// The warehouse's.
    #[default]
    Warehouse,
    /// PostgreSQL's, as far as it reads events: a source has the columns `id`, `timestamp`, `event_message` and `body`.
    Postgres,
}

/// What is to be translated.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The query.
    pub text: &'a str,
    /// Its dialect, and that of all that it uses.
    pub dialect: Dialect,
    /// A consumer's query, in place of the last `SELECT` of [`Request::text`]; it may read nothing but the common table
    /// expressions of `text` and its own.
    pub consumer: Option<&'a str>,
    /// The database that shall run it.
    pub target: Target,
    /// The most rows it may answer.
    pub max_rows: Option<u32>,
}

/// What the names of tables mean.
pub trait Resolver {
    /// What stands behind `name`, with its dots and without backticks; `None` when nothing does.
    fn relation(&self, name: &str) -> Option<Relation>;
}

/// What a name of a table stands for.
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
    /// Its name as the target's SQL spells it, quoted where need be.
    pub sql: String,
    /// The fields of the body and their types, if they are known: then other names are refused, and values need no conversion at
    /// run time. `None`: any name is a field of unknown type, null where an event has none.
    pub fields: Option<Vec<(String, Type)>>,
}

impl Table {
    /// A source of whose events nothing is known but `id`, `timestamp` and `event_message`.
    pub fn of_events(sql: impl Into<String>) -> Table {
        Table { sql: sql.into(), fields: None }
    }
}

/// A query as the target takes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Translation {
    /// One statement.
    pub sql: String,
    /// Its columns, in order, for [`row`].
    pub columns: Vec<Column>,
    /// What its parameters are, in order.
    pub parameters: Vec<Parameter>,
    /// The tables it reads, by the names that the resolver was asked for.
    pub sources: BTreeSet<String>,
}

/// A column of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name.
    pub name: String,
    /// The type of its values.
    pub type_: Type,
}

/// A parameter of a translated statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// `@name`: a text, null when the caller has none.
    Named(String),
    /// The instant of the call, in microseconds since the epoch, as an integer.
    Now,
}

/// Translates a query.
///
/// Fails when it is no single query in the dialect, reads what it may not, or uses what the translation does not know.
pub fn translate(request: &Request<'_>, resolver: &dyn Resolver) -> Result<Translation, Refusal> {
    let length = request.text.len() + request.consumer.map_or(0, str::len);
    with_stack(length, || translate_here(request, resolver))
}

/// Does something with a text of this length: what is short nests so little that the stack of any thread has room for it.
fn with_stack<T>(length: usize, work: impl FnOnce() -> T) -> T {
    const SHORT: usize = 2_000;
    const STACK: usize = 48 << 20;
    if length <= SHORT { work() } else { stacker::grow(STACK, work) }
}

fn translate_here(request: &Request<'_>, resolver: &dyn Resolver) -> Result<Translation, Refusal> {
    let consumer = request.consumer.map(|text| parse::query(text, request.dialect)).transpose()?;
    let query = parse::query(request.text, request.dialect)?;
    bind::translate(request, &query, consumer.as_ref(), resolver)
}

/// The names of the common table expressions of a query in the warehouse's dialect.
///
/// Fails when it is no single query.
pub fn tables_of(text: &str) -> Result<Vec<String>, Refusal> {
    with_stack(text.len(), || {
        let query = parse::query(text, Dialect::Warehouse)?;
        let tables = query.with.iter().flat_map(|with| &with.cte_tables);
        Ok(tables.map(|table| table.alias.name.value.clone()).collect())
    })
}

/// The names of the parameters of a query, each once, in the order of their first use.
///
/// Fails as [`translate`] does, tables apart: their names are not looked up.
pub fn parameters(text: &str, dialect: Dialect) -> Result<Vec<String>, Refusal> {
    with_stack(text.len(), || parse::parameters(text, dialect))
}
