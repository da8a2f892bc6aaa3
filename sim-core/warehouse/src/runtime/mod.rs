//! The functions that translated queries call, for SQLite. `prelude.sql` has the same functions for PostgreSQL.

mod aggregate;
mod array;
mod columnar;
pub(super) mod instant;
pub(super) mod interval;
mod json;
mod json_path;
mod list;
mod net;
mod number;
mod number_format;
mod relational;
mod search;
mod strptime;
mod text;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::limits::Limit;
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Result};
use sim_values::across::Done as _;
use sim_values::budget::Budget;
use sim_values::error::SqlError;

const PURE: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_INNOCUOUS)
    .union(FunctionFlags::SQLITE_DETERMINISTIC);

/// A function. Its result is null if any argument is null.
struct Function {
    name: &'static str,
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
}

/// The arguments of a call.
struct Arguments<'a, 'c> {
    context: &'a Context<'c>,
    budget: &'a Budget,
}

impl Arguments<'_, '_> {
    fn len(&self) -> usize {
        self.context.len()
    }

    fn value(&self, index: usize) -> ValueRef<'_> {
        if index < self.len() { self.context.get_raw(index) } else { ValueRef::Null }
    }

    /// The bytes of all arguments.
    fn size(&self) -> usize {
        (0..self.len()).map(|index| self.bytes(index).len()).sum()
    }

    fn text(&self, index: usize) -> &str {
        match self.value(index) {
            ValueRef::Text(text) | ValueRef::Blob(text) => str::from_utf8(text).unwrap_or_default(),
            _ => "",
        }
    }

    fn bytes(&self, index: usize) -> &[u8] {
        match self.value(index) {
            ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes,
            _ => &[],
        }
    }

    fn int(&self, index: usize) -> i64 {
        match self.value(index) {
            ValueRef::Integer(number) => number,
            ValueRef::Real(number) => number as i64,
            _ => 0,
        }
    }

    fn real(&self, index: usize) -> f64 {
        match self.value(index) {
            ValueRef::Integer(number) => number as f64,
            ValueRef::Real(number) => number,
            _ => 0.0,
        }
    }

    /// Whether the flag at `index` asks for null instead of an error.
    fn safe(&self, index: usize) -> bool {
        self.int(index) != 0
    }

    fn has_null(&self) -> bool {
        (0..self.len()).any(|index| self.value(index) == ValueRef::Null)
    }
}

/// Registers the functions of translated queries with `connection`. Call it once for each connection.
///
/// Statements and functions draw on its [`Budget`].
///
/// Fails when SQLite has no memory left.
pub fn prepare_connection(connection: &mut Connection) -> Result<()> {
    let shared = Budget::default();
    shared.attach(connection)?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, VALUE_MAX).done()?;
    connection.create_collation("wh_json", json::compare_texts)?;
    let tables = [
        (PARSED, json::FUNCTIONS),
        (PARSED, json_path::FUNCTIONS),
        (PARSED, list::FUNCTIONS),
        (PARSED, array::FUNCTIONS),
        (PARSED, columnar::FUNCTIONS),
        (PARSED, text::FUNCTIONS),
        (SCANNED, text::SCANS),
        (PARSED, number::FUNCTIONS),
        (PARSED, instant::FUNCTIONS),
        (PARSED, interval::FUNCTIONS),
        (PARSED, number_format::FUNCTIONS),
        (PARSED, relational::FUNCTIONS),
        (PARSED, strptime::FUNCTIONS),
        (PARSED, net::FUNCTIONS),
        (PARSED, search::FUNCTIONS),
    ];
    aggregate::register(connection, &shared)?;
    let functions = tables.into_iter().flat_map(|(share, table)| table.iter().map(move |one| (share, one)));
    for (share, Function { name, call }) in functions {
        let budget = shared.clone();
        connection.create_scalar_function(*name, -1, PURE, move |context| {
            let arguments = Arguments { context, budget: &budget };
            if arguments.has_null() {
                return Ok(Value::Null);
            }
            // Large values are rare, so for them the whole cost counts.
            let size = arguments.size();
            let share = if size < LARGE || share == SCANNED { share } else { 1 };
            budget.work(CALL + size / share).map_err(refused)?;
            let value = call(&arguments)?;
            let made = if let Value::Text(text) = &value { text.len() } else { 0 };
            budget.make(made).map_err(refused)?;
            Ok(value)
        })?;
    }
    // These are not pure, so that SQLite calls them for each row that comes to them.
    connection.create_scalar_function(
        "wh_error",
        1,
        PURE.difference(FunctionFlags::SQLITE_DETERMINISTIC),
        |context| fail::<Option<String>>(context.get::<Option<String>>(0)?.unwrap_or_default()),
    )?;
    connection.create_scalar_function(
        "wh_held",
        1,
        PURE.difference(FunctionFlags::SQLITE_DETERMINISTIC),
        move |context| {
            let arguments = Arguments { context, budget: &shared };
            shared.hold(arguments.size()).map_err(refused)?;
            Ok(true)
        },
    )?;
    interval::register(connection)
}

/// The longest text or blob that a query can make, in bytes.
const VALUE_MAX: i32 = 64 << 20;

/// The units of work of each call.
const CALL: usize = 10;

/// How many bytes of its arguments a function reads for a unit of work: most functions parse them, some only scan them.
const PARSED: usize = 4;
const SCANNED: usize = 32;

/// From so many bytes on arguments are large.
const LARGE: usize = 64 << 10;

/// An error of the budget. The code that runs the query asks the budget for the reason.
fn refused(error: SqlError) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(error.message.clone().into())
}

/// An error of the whole query.
fn fail<T>(message: impl Into<String>) -> Result<T> {
    Err(rusqlite::Error::UserFunctionError(message.into().into()))
}

/// The value. Without one, null if `safe`, else an error.
fn or_fail(value: Option<impl Into<Value>>, safe: bool, message: impl FnOnce() -> String) -> Result<Value> {
    match value {
        Some(value) => Ok(value.into()),
        None if safe => Ok(Value::Null),
        None => fail(message()),
    }
}

fn optional(value: Option<impl Into<Value>>) -> Result<Value> {
    Ok(value.map_or(Value::Null, Into::into))
}
