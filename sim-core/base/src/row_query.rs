//! Queries on a copy of rows. They may read and compute, and nothing else, within limits.

use std::panic::RefUnwindSafe;

use rusqlite::functions::{Context, FunctionFlags};
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::limits::Limit;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode};
use serde_json::{Map, Value};
use sim_values::across::{Done as _, column_names, only_statement};

/// Steps of SQLite's virtual machine that a query may take: seconds at most.
const STEPS_MAX: i32 = 30_000_000;

/// Steps between two checks of the limits.
const STEPS_AT_ONCE: i32 = 1000;

/// Bytes of the text of a query.
const QUERY_BYTES: i32 = 16 << 10;

/// Bytes of a value, unless the rows have longer ones.
const VALUE_BYTES: usize = 256 << 10;

/// Most bytes of the result of `replace`. Afterwards SQLite checks its limit on values.
const REPLACED_BYTES: usize = 16 << 20;

/// Bytes of a pattern of `LIKE` and `GLOB`.
const PATTERN_BYTES: i32 = 1000;

/// Rows of an answer.
const ROWS_MAX: usize = 100_000;

/// Bytes of an answer, as it is in memory.
const ANSWER_BYTES: usize = 32 << 20;

/// Bytes that a cell of an answer takes beside its text.
const CELL_BYTES: usize = 64;

/// Functions whose value depends on more than the world, and one that only makes large values.
const BARRED: [&str; 13] = [
    "random",
    "randomblob",
    "zeroblob",
    "date",
    "time",
    "datetime",
    "julianday",
    "strftime",
    "unixepoch",
    "timediff",
    "current_date",
    "current_time",
    "current_timestamp",
];

/// Opens an empty database for the rows to query.
pub fn open() -> rusqlite::Result<Connection> {
    let copy = super::store::open_scratch()?;
    let flags = FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_UTF8;
    // SQLite's own takes time in proportion to the product of both lengths.
    copy.create_scalar_function("instr", 2, flags, |given| {
        let found = text(given, 0)?
            .zip(text(given, 1)?)
            .map(|(text, part)| text.find(&part).map_or(0, |at| text[..at].chars().count() as i64 + 1));
        Ok(found)
    })?;
    copy.create_scalar_function("replace", 3, flags, |given| {
        let (text, from, to) = (text(given, 0)?, text(given, 1)?, text(given, 2)?);
        let replaced = text.zip(from).zip(to).map(|((text, from), to)| {
            let places = if from.is_empty() { 0 } else { text.matches(&from).count() };
            match places {
                0 => Ok(text),
                _ if text.len() + places * to.len() > REPLACED_BYTES => Err(too_big()),
                _ => Ok(text.replace(&from, &to)),
            }
        });
        replaced.transpose()
    })?;
    Ok(copy)
}

/// An argument as text.
fn text(given: &Context<'_>, place: usize) -> rusqlite::Result<Option<String>> {
    Ok(match given.get_raw(place) {
        ValueRef::Null => None,
        ValueRef::Integer(number) => Some(number.to_string()),
        ValueRef::Real(number) => Some(number.to_string()),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => Some(String::from_utf8_lossy(bytes).into_owned()),
    })
}

fn too_big() -> rusqlite::Error {
    rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(rusqlite::ffi::SQLITE_TOOBIG), None)
}

/// Why a query has no answer.
#[derive(Debug)]
pub enum Wrong {
    /// SQLite refuses it.
    Sql(rusqlite::Error),
    /// It meets a limit.
    TooMuch(String),
}

impl From<rusqlite::Error> for Wrong {
    fn from(error: rusqlite::Error) -> Wrong {
        match error.sqlite_error_code() {
            Some(ErrorCode::OperationInterrupted) => {
                Wrong::TooMuch("it takes too long; read fewer rows".to_owned())
            }
            Some(ErrorCode::OutOfMemory) => {
                Wrong::TooMuch("it sorts or keeps too much at once; select fewer rows or columns".to_owned())
            }
            Some(ErrorCode::TooBig) => Wrong::TooMuch(format!(
                "a value or the query is too long; a value may have {VALUE_BYTES} bytes"
            )),
            _ => Wrong::Sql(error),
        }
    }
}

impl std::fmt::Display for Wrong {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Wrong::Sql(error) => error.fmt(f),
            Wrong::TooMuch(text) => text.fmt(f),
        }
    }
}

/// Runs a query that only reads and computes, and returns its rows. `longest` is the length of the longest row of the
/// copy. The query is interrupted when `goes_on` returns `false`.
pub fn answer(
    copy: &mut Connection,
    sql: &str,
    longest: usize,
    goes_on: impl Fn() -> bool + Send + RefUnwindSafe + 'static,
) -> Result<Vec<Map<String, Value>>, Wrong> {
    let value_bytes = i32::try_from(VALUE_BYTES.max(2 * longest)).unwrap_or(i32::MAX);
    let limits = [
        (Limit::SQLITE_LIMIT_LENGTH, value_bytes),
        (Limit::SQLITE_LIMIT_SQL_LENGTH, QUERY_BYTES),
        (Limit::SQLITE_LIMIT_LIKE_PATTERN_LENGTH, PATTERN_BYTES),
    ];
    for (limit, most) in limits {
        copy.set_limit(limit, most).done()?;
    }
    let mut steps = 0;
    let is_too_long = move || {
        steps += STEPS_AT_ONCE;
        steps > STEPS_MAX || !goes_on()
    };
    copy.progress_handler(STEPS_AT_ONCE, Some(is_too_long)).done()?;
    copy.authorizer(Some(authorize)).done()?;
    let mut statement = only_statement(copy, sql)?;
    let names = column_names(&statement);
    let (mut answer, mut bytes) = (Vec::new(), 0);
    let mut rows = statement.query([])?;
    while let Some(row) = rows.next()? {
        let mut fields = Map::new();
        for (place, name) in names.iter().enumerate() {
            let value = row.get_ref(place)?;
            bytes += name.len() + size(value) + CELL_BYTES;
            if bytes > ANSWER_BYTES {
                let text =
                    format!("the answer is larger than {ANSWER_BYTES} bytes; select fewer rows or columns");
                return Err(Wrong::TooMuch(text));
            }
            fields.insert(name.clone(), json(value));
        }
        if answer.len() == ROWS_MAX {
            let text = format!("the answer has more than {ROWS_MAX} rows; add a limit");
            return Err(Wrong::TooMuch(text));
        }
        answer.push(fields);
    }
    Ok(answer)
}

/// Allows reading and computing. Denies files, and the host's clock and random numbers.
fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => Authorization::Allow,
        AuthAction::Function { function_name } if !BARRED.contains(&function_name) => Authorization::Allow,
        _ => Authorization::Deny,
    }
}

fn size(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => bytes.len(),
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => 0,
    }
}

fn json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into(),
    }
}
