//! Storage of events: a table per source, in a separate database inside the world, or on a server that the
//! embedder supplies.

use rusqlite::types::ValueRef;
use rusqlite::{Connection, ErrorCode};
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};
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

/// Whether the world itself stores the events.
pub(crate) fn are_own(cx: &Cx<'_>) -> bool {
    server(cx).is_none()
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
    let sql = format!("SELECT {STORED} FROM {} ORDER BY rowid", embedded_table(cx, token));
    let stored = rows(cx, &sql, (), stored_row);
    let rows: Vec<_> = stored
        .iter()
        .map(|event| EventRow {
            id: &event.0,
            body: whole(event.clone()).to_string(),
            message: event.2.as_deref(),
            timestamp: event.1,
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
    let table = embedded_table(cx, token);
    let index = |kind: &str| quoted(&format!("{}_{kind}", table_name(cx, token)));
    let (by_timestamp, by_minute) = (index("timestamp"), index("minute"));
    // The expression is that of a query which truncates timestamps to minutes, so that a chart sorts nothing.
    run(
        cx,
        &format!(
            "CREATE TABLE {table} (
                id TEXT PRIMARY KEY,
                body TEXT NOT NULL,
                event_message TEXT,
                timestamp INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX {by_timestamp} ON {table} (timestamp);
            CREATE INDEX {by_minute} ON {table} ({}, timestamp);",
            sim_warehouse::floor_of("timestamp", MINUTE_US)
        ),
    );
}

pub(crate) fn drop_table(cx: &Cx<'_>, token: &str) {
    if server(cx).is_some() {
        return on_server::forget(cx, token);
    }
    run(cx, &format!("DROP TABLE {}", embedded_table(cx, token)));
}

const MINUTE_US: i64 = 60_000_000;

/// An amount of events in the world's own tables.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Amount {
    pub events: i64,
    /// The bytes of their ids, messages and bodies; 0 for events on a server.
    pub bytes: i64,
}

impl Amount {
    /// One event of that many bytes.
    fn of(bytes: i64) -> Amount {
        Amount { events: 1, bytes }
    }
}

impl std::ops::AddAssign for Amount {
    fn add_assign(&mut self, other: Amount) {
        self.events += other.events;
        self.bytes += other.bytes;
    }
}

/// The bytes of a row, as SQL.
const SIZE: &str = "octet_length(id) + octet_length(body) + ifnull(octet_length(event_message), 0)";

/// The fields of an event but those that have a column of their own.
struct Rest<'a>(&'a Map<String, Value>);

impl Serialize for Rest<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().filter(|(name, _)| !source::OWN.contains(&name.as_str())))
    }
}

/// A stored event with all its fields.
type Stored = (String, i64, Option<String>, String);

/// The columns of [`Stored`].
const STORED: &str = "id, timestamp, event_message, body";

fn stored_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Stored> {
    Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
}

fn whole((id, timestamp, message, rest): Stored) -> Value {
    let rest: Map<String, Value> = serde_json::from_str(&rest).expect("events are stored as JSON");
    let own: [(&str, Value); 3] =
        [("id", id.into()), ("timestamp", timestamp.into()), ("event_message", message.into())];
    let own = own.into_iter().map(|(name, value)| (name.to_owned(), value));
    own.chain(rest).collect::<Map<_, _>>().into()
}

/// Stores events; returns the amount of new ones. An event with an existing id is the same event, sent again.
pub(crate) fn insert(cx: &Cx<'_>, token: &str, events: &[Event]) -> Result<Amount, Error> {
    if let Some(server) = server(cx) {
        let stored = on_server::insert(cx, server, token, events)?;
        return Ok(Amount { events: stored as i64, bytes: 0 });
    }
    let sql = format!("INSERT OR IGNORE INTO {} VALUES (?1, ?2, ?3, ?4)", embedded_table(cx, token));
    let insert = |database: &Connection| {
        let transaction = database.unchecked_transaction()?;
        let mut statement = transaction.prepare_cached(&sql)?;
        let mut stored = Amount::default();
        for event in events {
            let body = serde_json::to_string(&Rest(&event.body)).expect("an event is plain data");
            let bytes = event.id.len() + body.len() + event.message.as_ref().map_or(0, String::len);
            if statement.execute((&event.id, body, &event.message, event.timestamp))? > 0 {
                stored += Amount::of(bytes as i64);
            }
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
    let sql = format!("SELECT {STORED} FROM {table} ORDER BY timestamp DESC, rowid DESC LIMIT ?1");
    Ok(rows(cx, &sql, (count,), stored_row).into_iter().rev().map(whole).collect())
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
        "SELECT {STORED} FROM {table}
         WHERE rowid IN (SELECT rowid FROM {table} ORDER BY timestamp, rowid LIMIT ?2 OFFSET ?1)
         ORDER BY timestamp, rowid"
    );
    Ok(rows(cx, &sql, (offset, count), stored_row).into_iter().map(whole).collect())
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

/// Deletes the events of a source before a time; returns their amount.
pub(crate) fn drop_before(cx: &Cx<'_>, token: &str, instant: i64) -> Result<Amount, Error> {
    if server(cx).is_some() {
        let before = count(cx, token)?;
        on_server::drop_before(cx, token, instant);
        return Ok(Amount { events: (before - count(cx, token)?) as i64, bytes: 0 });
    }
    Ok(remove(cx, token, "timestamp < ?1", instant))
}

/// Deletes the oldest events of a source, until at least `excess` is gone; returns their amount.
pub(crate) fn drop_oldest(cx: &Cx<'_>, token: &str, excess: Amount) -> Amount {
    let table = embedded_table(cx, token);
    let sql = format!("SELECT {SIZE} FROM {table} ORDER BY timestamp, rowid");
    let count = |database: &Connection| {
        let mut statement = database.prepare_cached(&sql)?;
        let mut sizes = statement.query(())?;
        let mut gone = Amount::default();
        while (gone.events < excess.events || gone.bytes < excess.bytes)
            && let Some(row) = sizes.next()?
        {
            gone += Amount::of(row.get(0)?);
        }
        Ok::<_, rusqlite::Error>(gone)
    };
    let (gone, _) = cx.databases.run(EVENTS, count);
    let gone = gone.unwrap_or_else(|error| panic!("the statement fits the events: {error}"));
    let oldest = format!("rowid IN (SELECT rowid FROM {table} ORDER BY timestamp, rowid LIMIT ?1)");
    remove(cx, token, &oldest, gone.events)
}

/// Deletes an event of a source, if the world itself stores it. Single events on a server are never deleted.
pub(crate) fn forget(cx: &Cx<'_>, token: &str, id: &str) -> Amount {
    if server(cx).is_some() { Amount::default() } else { remove(cx, token, "id = ?1", id) }
}

/// Deletes the rows with a condition, which has one parameter.
fn remove(cx: &Cx<'_>, token: &str, condition: &str, parameter: impl rusqlite::ToSql) -> Amount {
    let table = embedded_table(cx, token);
    let sql = format!("DELETE FROM {table} WHERE {condition} RETURNING {SIZE}");
    let mut gone = Amount::default();
    rows(cx, &sql, (parameter,), |row| row.get(0)).into_iter().for_each(|size| gone += Amount::of(size));
    gone
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
        // Its own text shows the translated statement.
        rusqlite::Error::SqlInputError { msg, .. } if msg.starts_with("too many ") => Failure::Sql(
            "a call, a list of columns or of keys as long as this one is not supported".to_owned(),
        ),
        rusqlite::Error::SqlInputError { msg, .. } => Failure::Sql(msg),
        other => Failure::Sql(other.to_string()),
    }
}

/// Runs the simulator's own SQL.
fn run(cx: &Cx<'_>, sql: &str) {
    let (done, _) = cx.databases.run(EVENTS, |events| events.execute_batch(sql));
    done.unwrap_or_else(|error| panic!("the statement fits the events: {error} in {sql}"));
}
