//! What a connection needs before it serves project databases: functions, collations, and a stop for endless statements.

use std::sync::atomic::Ordering;

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use rusqlite::limits::Limit;
use rusqlite::types::Value;

use super::error::{SqlError, SqlState};
use super::functions::{self, through_sqlite};
use super::state::Shared;
use super::value::interval::Interval;
use super::value::json::Json;
use super::value::{array, numeric};

/// How many steps of SQLite's virtual machine pass between two looks at the budget.
const STRIDE: i32 = 1_000;

/// The longest text or blob that a statement can make.
const LENGTH_MAX: i32 = 64 << 20;

/// Makes `connection` ready for any number of project databases, once.
///
/// Fails when SQLite has no memory left for it.
pub fn prepare_connection(connection: &mut Connection) -> rusqlite::Result<()> {
    let shared = Shared::default();
    connection.execute_batch("PRAGMA recursive_triggers = ON")?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, LENGTH_MAX)?;
    collations(connection)?;
    functions::register(connection, &shared)?;
    hooks(connection, &shared)?;
    let budget = shared.budget;
    connection.progress_handler(STRIDE, Some(move || budget.fetch_sub(1, Ordering::Relaxed) <= 0))
}

fn collations(connection: &Connection) -> rusqlite::Result<()> {
    connection.create_collation("pg_numeric", numeric::compare)?;
    connection.create_collation("pg_interval", Interval::compare)?;
    connection.create_collation("pg_array", |a, b| array::compare(a, b, false))?;
    connection.create_collation("pg_numeric_array", |a, b| array::compare(a, b, true))?;
    connection.create_collation("pg_citext", |a, b| a.to_lowercase().cmp(&b.to_lowercase()))?;
    connection.create_collation("pg_inet", |a, b| inet_key(a).cmp(&inet_key(b)))?;
    connection.create_collation("pg_jsonb", |a, b| match (Json::parse(a), Json::parse(b)) {
        _ if a == b => std::cmp::Ordering::Equal,
        (Ok(a), Ok(b)) => a.order(&b),
        _ => a.cmp(b),
    })
}

fn inet_key(text: &str) -> (bool, Option<std::net::IpAddr>, u8) {
    let (address, length) = text.split_once('/').unwrap_or((text, "255"));
    let address = address.parse::<std::net::IpAddr>().ok();
    (address.is_some_and(|address| address.is_ipv6()), address, length.parse().unwrap_or(u8::MAX))
}

/// The functions by which the engine reaches the connection's state, and by which triggers refuse.
fn hooks(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_INNOCUOUS;
    let begun = shared.clone();
    connection.create_scalar_function("pg_begin", 2, flags, move |context| {
        let seed: [u8; 32] = context.get(0)?;
        begun.lock().begin(seed);
        begun.budget.store(context.get::<i64>(1)? / i64::from(STRIDE) + 1, Ordering::Relaxed);
        Ok(Value::Null)
    })?;
    let noting = shared.clone();
    connection.create_scalar_function("pg_note", 1, flags, move |context| {
        noting.lock().noted = context.get(0)?;
        Ok(Value::Null)
    })?;
    let noted = shared.clone();
    connection.create_scalar_function("pg_noted", 0, flags, move |_| Ok(noted.lock().noted.take()))?;
    // SQLSTATE, message, detail.
    connection.create_scalar_function("pg_raise", -1, flags, |context| -> rusqlite::Result<Value> {
        let code: String = context.get(0)?;
        let mut error = SqlError::new(SqlState::new(&code), context.get::<String>(1)?);
        if context.len() > 2 {
            error = error.detail(context.get::<Option<String>>(2)?.unwrap_or_default());
        }
        Err(through_sqlite(error))
    })
}
