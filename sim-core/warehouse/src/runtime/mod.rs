//! The functions that translated queries call, for SQLite. PostgreSQL's are in `prelude.sql`: each does the same.

mod aggregate;
pub(super) mod instant;
mod json;
mod list;
mod net;
mod number;
mod strptime;
mod text;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::types::{Value, ValueRef};
use rusqlite::{Connection, Result};

const PURE: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_INNOCUOUS)
    .union(FunctionFlags::SQLITE_DETERMINISTIC);

/// A function, null as soon as an argument is.
struct Function {
    name: &'static str,
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
}

/// The arguments of a call.
struct Arguments<'a, 'c>(&'a Context<'c>);

impl Arguments<'_, '_> {
    fn len(&self) -> usize {
        self.0.len()
    }

    fn value(&self, index: usize) -> ValueRef<'_> {
        if index < self.0.len() { self.0.get_raw(index) } else { ValueRef::Null }
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

    /// Whether the flag at `index` says that null stands for what can't be had.
    fn safe(&self, index: usize) -> bool {
        self.int(index) != 0
    }

    fn has_null(&self) -> bool {
        (0..self.len()).any(|index| self.value(index) == ValueRef::Null)
    }
}

/// Makes `connection` ready for translated queries, once.
///
/// Fails when SQLite has no memory left for it.
pub fn prepare_connection(connection: &Connection) -> Result<()> {
    connection.create_collation("wh_json", json::compare_texts)?;
    let tables = [
        json::FUNCTIONS,
        list::FUNCTIONS,
        text::FUNCTIONS,
        number::FUNCTIONS,
        instant::FUNCTIONS,
        strptime::FUNCTIONS,
        net::FUNCTIONS,
    ];
    for Function { name, call } in tables.into_iter().flatten() {
        connection.create_scalar_function(*name, -1, PURE, move |context| {
            let arguments = Arguments(context);
            if arguments.has_null() { Ok(Value::Null) } else { call(&arguments) }
        })?;
    }
    aggregate::register(connection)
}

/// An error of the whole query.
fn fail<T>(message: impl Into<String>) -> Result<T> {
    Err(rusqlite::Error::UserFunctionError(message.into().into()))
}

/// The value, or null if `safe`, else an error.
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
