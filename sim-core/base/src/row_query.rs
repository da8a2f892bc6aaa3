//! Queries on a copy of rows. They may read and compute, and nothing else.

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::types::ValueRef;
use serde_json::{Map, Value};
use sim_values::across::{Done as _, column_names, only_statement};

/// Steps of SQLite's virtual machine that a query may take: seconds at most.
const STEPS_MAX: i32 = 100_000_000;

/// Functions whose value depends on more than the world.
const OF_THE_HOST: [&str; 12] = [
    "random",
    "randomblob",
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

/// Runs a query that only reads and computes, and returns its rows.
pub fn answer(copy: &mut Connection, sql: &str) -> rusqlite::Result<Vec<Map<String, Value>>> {
    let mut steps = 0;
    let is_too_long = move || {
        steps += 1000;
        steps > STEPS_MAX
    };
    copy.progress_handler(1000, Some(is_too_long)).done()?;
    copy.authorizer(Some(authorize)).done()?;
    let mut statement = only_statement(copy, sql)?;
    let names = column_names(&statement);
    let rows = statement.query_map([], |row| {
        let field = |(place, name): (usize, &String)| Ok((name.clone(), json(row.get_ref(place)?)));
        names.iter().enumerate().map(field).collect()
    })?;
    rows.collect()
}

/// Allows reading and computing. Denies files, and the host's clock and random numbers.
fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => Authorization::Allow,
        AuthAction::Function { function_name } if !OF_THE_HOST.contains(&function_name) => {
            Authorization::Allow
        }
        _ => Authorization::Deny,
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
