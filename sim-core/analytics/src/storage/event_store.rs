//! Storage of events: a table per source, in a separate database inside the world, or on a server that the
//! embedder supplies.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode};
use serde_json::Value;
use sim_base::{Cx, DatabaseKind, Error, EventParameter, EventRow, EventServer};
use sim_values::budget::Budget;
use sim_values::call::Limits;
use sim_values::error::SqlState;
use sim_warehouse::{Cell, Target, Translation};

use crate::events_on_server as on_server;
use crate::normalise::Event;
use crate::source;

/// A world's first database inside the world.
const EVENTS: i64 = 0;

/// The initial content of a database of events.
pub(crate) const KIND: DatabaseKind = DatabaseKind { prepare, create: |_| Ok(()) };

/// The functions that queries call, and a budget for them.
fn prepare(connection: &mut Connection) -> rusqlite::Result<()> {
    sim_warehouse::prepare_connection(connection)
}

/// Creates the database of a new world.
pub(crate) fn create(cx: &Cx<'_>) {
    assert_eq!(cx.databases.create(), EVENTS, "a new world has no other database");
}

/// The server that stores the events, unless the world does. Exactly one backend is active; a modelled warehouse also counts as
/// one.
fn server<'a>(cx: &Cx<'a>) -> Option<&'a dyn EventServer> {
    cx.events.filter(|_| cx.policy.analytics.warehouse.is_none())
}

/// The database for which queries are translated.
pub(crate) fn target(cx: &Cx<'_>) -> Target {
    if server(cx).is_some() { Target::Postgres } else { Target::Sqlite }
}

/// Moves all events of the world to its server of events, if it has one.
///
/// Fails if the server refuses them.
pub fn move_to_server(cx: &Cx<'_>) -> Result<(), Error> {
    let Some(server) = server(cx) else { return Ok(()) };
    source::all_tokens(cx).iter().try_for_each(|token| move_to(cx, server, token))
}

fn move_to(cx: &Cx<'_>, server: &dyn EventServer, token: &str) -> Result<(), Error> {
    type Stored = (String, String, Option<String>, i64);
    let sql = format!(
        "SELECT id, body, event_message, timestamp FROM {} ORDER BY rowid",
        embedded_table(cx, token)
    );
    let (stored, _) = cx.databases.run(EVENTS, |events| {
        let mut statement = events.prepare(&sql)?;
        let rows = statement.query_map((), |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?;
        rows.collect::<rusqlite::Result<Vec<Stored>>>()
    });
    let stored = stored.unwrap_or_else(|error| panic!("the statement fits the events: {error}"));
    let rows: Vec<_> = stored
        .iter()
        .map(|(id, body, message, timestamp)| EventRow {
            id,
            body: body.clone(),
            message: message.as_deref(),
            timestamp: *timestamp,
        })
        .collect();
    if !rows.is_empty() {
        on_server::add(cx, server, token, &rows)?;
    }
    run(cx, &format!("DROP TABLE {}", embedded_table(cx, token)));
    Ok(())
}

/// The name of the table of the source with that token, in the schema of the policy.
fn table_name(cx: &Cx<'_>, token: &str) -> String {
    let table = format!("log_events_{}", token.replace('-', "_"));
    match cx.policy.analytics.schema.as_str() {
        "" => table,
        schema => format!("{schema}.{table}"),
    }
}

/// The table name in SQL notation.
fn embedded_table(cx: &Cx<'_>, token: &str) -> String {
    quoted(&table_name(cx, token))
}

/// The events of the source with that token, as a table in SQL.
pub(crate) fn table(cx: &Cx<'_>, token: &str) -> String {
    if server(cx).is_some() { on_server::table(cx, token) } else { embedded_table(cx, token) }
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

pub(crate) fn create_table(cx: &Cx<'_>, token: &str) {
    if server(cx).is_some() {
        // The server creates it with the first event.
        return;
    }
    let (table, index) = (embedded_table(cx, token), quoted(&format!("{}_timestamp", table_name(cx, token))));
    run(
        cx,
        &format!(
            "CREATE TABLE {table} (
                id TEXT PRIMARY KEY,
                body TEXT NOT NULL,
                event_message TEXT,
                timestamp INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX {index} ON {table} (timestamp);"
        ),
    );
}

pub(crate) fn drop_table(cx: &Cx<'_>, token: &str) {
    if server(cx).is_some() {
        return on_server::forget(cx, token);
    }
    run(cx, &format!("DROP TABLE {}", embedded_table(cx, token)));
}

/// Stores events; returns the number of new ones. An event with an existing id is the same event, sent again.
pub(crate) fn insert(cx: &Cx<'_>, token: &str, events: &[Event]) -> Result<usize, Error> {
    if let Some(server) = server(cx) {
        return on_server::insert(cx, server, token, events);
    }
    let sql = format!("INSERT OR IGNORE INTO {} VALUES (?1, ?2, ?3, ?4)", embedded_table(cx, token));
    let insert = |database: &Connection| {
        let transaction = database.unchecked_transaction()?;
        let mut statement = transaction.prepare_cached(&sql)?;
        let mut stored = 0;
        for event in events {
            let body = serde_json::to_string(&event.body).expect("an event is plain data");
            stored += statement.execute((&event.id, body, &event.message, event.timestamp))?;
        }
        drop(statement);
        transaction.commit()?;
        Ok::<_, rusqlite::Error>(stored)
    };
    let (stored, _) = cx.databases.run(EVENTS, insert);
    Ok(stored.unwrap_or_else(|error| panic!("events fit their table: {error}")))
}

/// The newest `count` events of the source, oldest first; 500 if they are on a server that does not respond.
pub(crate) fn recent(cx: &Cx<'_>, token: &str, count: u32) -> Result<Vec<Value>, Error> {
    if let Some(server) = server(cx) {
        return on_server::recent(cx, server, token, count);
    }
    let table = embedded_table(cx, token);
    let sql = format!("SELECT body FROM {table} ORDER BY timestamp DESC, rowid DESC LIMIT ?1");
    let read = |database: &Connection| {
        let mut statement = database.prepare_cached(&sql)?;
        let bodies = statement.query_map((count,), |row| row.get::<_, String>(0))?;
        bodies.collect::<rusqlite::Result<Vec<_>>>()
    };
    let (bodies, _) = cx.databases.run(EVENTS, read);
    let bodies = bodies.unwrap_or_else(|error| panic!("the statement fits the events: {error}"));
    let value = |body: &String| serde_json::from_str(body).expect("events are stored as JSON");
    Ok(bodies.iter().rev().map(value).collect())
}

/// The first and last second of the calendar. Events may have any time; a time outside counts as the nearest time inside.
pub(crate) const CALENDAR_S: (i64, i64) = (-377_705_023_201, 253_402_207_200);

/// The number of events of the source.
pub(crate) fn count(cx: &Cx<'_>, token: &str) -> Result<u64, Error> {
    let counted = tally(cx, token, ["count(*)", "NULL", "NULL"], "")?;
    Ok(counted.first().and_then(|row| row[0]).unwrap_or(0) as u64)
}

/// The times of the source's first and last event.
pub(crate) fn ends(cx: &Cx<'_>, token: &str) -> Result<Option<(i64, i64)>, Error> {
    let ends = tally(cx, token, ["min(AT)", "max(AT)", "NULL"], "")?;
    Ok(ends.first().and_then(|row| row[0].zip(row[1])))
}

/// The number of events of the source in each of `stretches` equal intervals.
pub(crate) fn volume(
    cx: &Cx<'_>,
    token: &str,
    first: i64,
    stretch_us: i64,
    stretches: usize,
) -> Result<Vec<u64>, Error> {
    let place = format!("(AT - {first}) / {stretch_us}");
    let mut counts = vec![0; stretches];
    for row in tally(cx, token, [&place, "count(*)", "NULL"], "GROUP BY 1")? {
        if let [Some(place), Some(count), _] = row {
            counts[place as usize] = count as u64;
        }
    }
    Ok(counts)
}

/// Rows of three numbers about the events of the source; `AT` is their time in microseconds.
fn tally(
    cx: &Cx<'_>,
    token: &str,
    columns: [&str; 3],
    grouped: &str,
) -> Result<Vec<[Option<i64>; 3]>, Error> {
    if let Some(server) = server(cx) {
        return on_server::tally(cx, server, token, columns, grouped);
    }
    let (first, last) = CALENDAR_S;
    let at = format!("max(min(timestamp, {last}000000), {first}000000)");
    let columns = columns.map(|column| column.replace("AT", &at)).join(", ");
    let sql = format!("SELECT {columns} FROM {} {grouped}", embedded_table(cx, token));
    Ok(rows(cx, &sql, (), |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?])))
}

/// Events of the source by time, after the first `offset` of them.
pub(crate) fn page(cx: &Cx<'_>, token: &str, offset: u32, count: u32) -> Result<Vec<Value>, Error> {
    if let Some(server) = server(cx) {
        return on_server::page(cx, server, token, offset, count);
    }
    let table = embedded_table(cx, token);
    // The index alone decides which rows to skip.
    let sql = format!(
        "SELECT body FROM {table}
         WHERE rowid IN (SELECT rowid FROM {table} ORDER BY timestamp, rowid LIMIT ?2 OFFSET ?1)
         ORDER BY timestamp, rowid"
    );
    let bodies = rows(cx, &sql, (offset, count), |row| row.get::<_, String>(0));
    Ok(bodies.iter().map(|body| serde_json::from_str(body).expect("events are stored as JSON")).collect())
}

/// The rows of a statement that is known to be valid.
fn rows<T>(
    cx: &Cx<'_>,
    sql: &str,
    parameters: impl rusqlite::Params,
    read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Vec<T> {
    let query = |database: &Connection| {
        let mut statement = database.prepare_cached(sql)?;
        statement.query_map(parameters, read)?.collect::<rusqlite::Result<Vec<T>>>()
    };
    let (found, _) = cx.databases.run(EVENTS, query);
    found.unwrap_or_else(|error| panic!("the statement fits the events: {error}"))
}

/// Deletes the events of a source before a time; returns their number.
pub(crate) fn drop_before(cx: &Cx<'_>, token: &str, instant: i64) -> usize {
    let sql = format!("DELETE FROM {} WHERE timestamp < ?1", embedded_table(cx, token));
    let (done, _) = cx.databases.run(EVENTS, |events| events.execute(&sql, (instant,)));
    done.unwrap_or_else(|error| panic!("the statement fits the events: {error}"))
}

/// Deletes an event of a source, if the world itself stores it. Events on a server are never deleted.
pub(crate) fn forget(cx: &Cx<'_>, token: &str, id: &str) {
    if server(cx).is_none() {
        let sql = format!("DELETE FROM {} WHERE id = ?1", embedded_table(cx, token));
        let (done, _) = cx.databases.run(EVENTS, |events| events.execute(&sql, (id,)));
        done.unwrap_or_else(|error| panic!("the statement fits the events: {error}"));
    }
}

/// Whether a source has no events.
pub(crate) fn is_empty(cx: &Cx<'_>, token: &str) -> bool {
    let sql = format!("SELECT NOT EXISTS (SELECT 1 FROM {})", embedded_table(cx, token));
    let (found, _) = cx.databases.run(EVENTS, |events| events.query_row(&sql, (), |row| row.get(0)));
    found.unwrap_or_else(|error| panic!("the statement fits the events: {error}"))
}

/// The reason why a query of events has no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// It took too many steps.
    TooSlow,
    /// Its rows exceed the size of a response.
    TooLarge,
    /// A value had a wrong type: the database's message.
    Sql(String),
    /// The server of events does not respond.
    Lost(String),
}

/// Runs a query that reads, and passes each of its rows to `read`, which may stop it.
pub(crate) fn query(
    cx: &Cx<'_>,
    translation: &Translation,
    parameters: &[EventParameter],
    mut read: impl FnMut(&[Cell<'_>]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    if let Some(server) = server(cx) {
        return on_server::query(cx, server, translation, parameters, read);
    }
    let limits = Limits { steps: cx.policy.sql_steps, ..Limits::default() };
    let mut run = |events: &Connection| {
        let mut statement = events.prepare(&translation.sql).map_err(failure)?;
        let values = rusqlite::params_from_iter(parameters.iter().map(stored));
        let mut rows = statement.query(values).map_err(failure)?;
        while let Some(row) = rows.next().map_err(failure)? {
            let cells = (0..translation.columns.len()).map(|index| cell(row.get_ref(index)));
            read(&cells.collect::<Vec<_>>())?;
        }
        Ok(())
    };
    let limited = |events: &Connection| {
        let budget = Budget::of(events);
        budget.begin(&limits, cx.interrupt);
        let done = run(events);
        let refusal = budget.refusal();
        budget.end();
        match refusal {
            Some(refusal) if refusal.code == SqlState::QUERY_CANCELED => Err(Failure::TooSlow),
            Some(_) => Err(Failure::TooLarge),
            None => done,
        }
    };
    cx.databases.run(EVENTS, limited).0
}

fn stored(parameter: &EventParameter) -> rusqlite::types::Value {
    match parameter {
        EventParameter::Text(text) => text.clone().into(),
        EventParameter::Whole(number) => (*number).into(),
    }
}

fn cell(value: rusqlite::Result<ValueRef<'_>>) -> Cell<'_> {
    match value.unwrap_or(ValueRef::Null) {
        ValueRef::Null => Cell::Null,
        ValueRef::Integer(number) => Cell::Integer(number),
        ValueRef::Real(number) => Cell::Real(number),
        ValueRef::Text(text) => std::str::from_utf8(text).map_or(Cell::Blob(text), Cell::Text),
        ValueRef::Blob(bytes) => Cell::Blob(bytes),
    }
}

fn failure(error: rusqlite::Error) -> Failure {
    match error {
        rusqlite::Error::SqliteFailure(code, _) if code.code == ErrorCode::OperationInterrupted => {
            Failure::TooSlow
        }
        rusqlite::Error::SqliteFailure(code, _)
            if matches!(code.code, ErrorCode::TooBig | ErrorCode::OutOfMemory) =>
        {
            Failure::TooLarge
        }
        rusqlite::Error::SqliteFailure(_, Some(text)) => Failure::Sql(text),
        other => Failure::Sql(other.to_string()),
    }
}

/// Runs the simulator's own SQL.
fn run(cx: &Cx<'_>, sql: &str) {
    let (done, _) = cx.databases.run(EVENTS, |events| events.execute_batch(sql));
    done.unwrap_or_else(|error| panic!("the statement fits the events: {error} in {sql}"));
}
