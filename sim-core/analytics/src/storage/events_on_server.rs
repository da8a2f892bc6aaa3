//! Events on a server: a world stores what it has seen of each source's table there, in a few rows of its
//! own.

use serde_json::Value;
use sim_base::{
    Added, Cx, Error, EventFailure, EventLine, EventParameter, EventQuery, EventRow, EventServer, Kind,
};
use sim_values::call::Limits;
use sim_values::value::datetime::print_timestamp;
use sim_warehouse::{Cell, Translation};

use crate::event_store::{CALENDAR_S, Failure};
use crate::normalise::Event;

pub(crate) const TABLES: &str = "
    CREATE TABLE event_line (
        source TEXT NOT NULL,
        line INTEGER NOT NULL,
        last INTEGER NOT NULL,
        PRIMARY KEY (source, line)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE event_start (
        source TEXT PRIMARY KEY,
        at INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
";

/// The events of the source with that token that the world has seen.
fn seen(cx: &Cx<'_>, token: &str) -> Vec<EventLine> {
    let sql = "SELECT line, last FROM event_line WHERE source = ?1 ORDER BY line";
    cx.db.all(sql, (token,), |row| Ok(EventLine { line: row.get(0)?, last: row.get(1)? }))
}

/// The condition for the rows that the world sees.
fn condition(cx: &Cx<'_>, token: &str, seen: &[EventLine]) -> String {
    let lines = EventLine::condition(seen);
    let start = cx.db.maybe("SELECT at FROM event_start WHERE source = ?1", (token,), |row| row.get(0));
    match start {
        Some(at) => format!("({lines}) and timestamp >= timestamp '{}'", print_timestamp(at)),
        None => lines,
    }
}

/// Hides the events of the source before a time. Other worlds may still see their rows on the server.
pub(crate) fn drop_before(cx: &Cx<'_>, token: &str, instant: i64) {
    let (first, last) = CALENDAR_S;
    let at = instant.clamp(first * 1_000_000, last * 1_000_000);
    cx.db.run("INSERT OR REPLACE INTO event_start VALUES (?1, ?2)", (token, at));
}

/// The name of the source's table on the server, within the server's schema.
fn table_name(token: &str) -> String {
    format!("log_events_{}", token.replace('-', "_"))
}

/// The source's events as a table in SQL. The table of a source without events may not exist on the server
/// yet.
pub(crate) fn table(cx: &Cx<'_>, token: &str) -> String {
    let seen = seen(cx, token);
    if seen.is_empty() {
        let columns = "null::text as id, null::jsonb as body, null::text as event_message, null::timestamp as timestamp";
        return format!("(select {columns} where false)");
    }
    let (table, condition) = (table_name(token), condition(cx, token, &seen));
    format!("(select id, body, event_message, timestamp from \"{table}\" where {condition})")
}

/// Deletes the record of a source's events that the world has seen. Its table is kept, as on the service.
pub(crate) fn forget(cx: &Cx<'_>, token: &str) {
    cx.db.run("DELETE FROM event_line WHERE source = ?1", (token,));
    cx.db.run("DELETE FROM event_start WHERE source = ?1", (token,));
}

pub(crate) fn insert(
    cx: &Cx<'_>,
    server: &dyn EventServer,
    token: &str,
    events: &[Event],
) -> Result<usize, Error> {
    let rows: Vec<_> = events
        .iter()
        .map(|event| EventRow {
            id: &event.id,
            body: serde_json::to_string(&event.body).expect("an event is plain data"),
            message: event.message.as_deref(),
            timestamp: event.timestamp,
        })
        .collect();
    add(cx, server, token, &rows)
}

/// Adds rows, which the world sees from now on.
pub(crate) fn add(
    cx: &Cx<'_>,
    server: &dyn EventServer,
    token: &str,
    rows: &[EventRow<'_>],
) -> Result<usize, Error> {
    let added = server.insert(&table_name(token), &seen(cx, token), rows).map_err(refusal)?;
    let Added { count, line: EventLine { line, last } } = added;
    cx.db.run("INSERT OR REPLACE INTO event_line VALUES (?1, ?2, ?3)", (token, line, last));
    Ok(count)
}

/// The newest `count` events of the source, oldest first.
pub(crate) fn recent(
    cx: &Cx<'_>,
    server: &dyn EventServer,
    token: &str,
    count: u32,
) -> Result<Vec<Value>, Error> {
    let order = format!("order by timestamp desc, line desc, place desc limit {count}");
    let mut events = bodies(cx, server, token, &order)?;
    events.reverse();
    Ok(events)
}

/// Events of the source by time, after the first `offset` of them.
pub(crate) fn page(
    cx: &Cx<'_>,
    server: &dyn EventServer,
    token: &str,
    offset: u32,
    count: u32,
) -> Result<Vec<Value>, Error> {
    bodies(cx, server, token, &format!("order by timestamp, line, place limit {count} offset {offset}"))
}

fn bodies(cx: &Cx<'_>, server: &dyn EventServer, token: &str, order: &str) -> Result<Vec<Value>, Error> {
    let texts = read(cx, server, token, "body::text", order)?;
    let texts = texts.iter().filter_map(|row| row.first()?.as_deref());
    Ok(texts.map(|text| serde_json::from_str(text).unwrap_or_default()).collect())
}

/// Rows of three numbers about the events of the source; `AT` is their time in microseconds.
pub(crate) fn tally(
    cx: &Cx<'_>,
    server: &dyn EventServer,
    token: &str,
    columns: [&str; 3],
    grouped: &str,
) -> Result<Vec<[Option<i64>; 3]>, Error> {
    let (first, last) = CALENDAR_S;
    let at = format!("(least(greatest(extract(epoch from timestamp), {first}), {last}) * 1000000)::bigint");
    // Columns with the same name would be merged.
    let named =
        |(number, column): (usize, &str)| format!("({})::text as c{number}", column.replace("AT", &at));
    let columns: Vec<String> = columns.into_iter().enumerate().map(named).collect();
    let rows = read(cx, server, token, &columns.join(", "), grouped)?;
    let number = |cell: &Option<String>| cell.as_deref().and_then(|text| text.parse().ok());
    Ok(rows.iter().map(|row| [0, 1, 2].map(|at| row.get(at).and_then(number))).collect())
}

fn read(
    cx: &Cx<'_>,
    server: &dyn EventServer,
    token: &str,
    columns: &str,
    rest: &str,
) -> Result<Vec<Vec<Option<String>>>, Error> {
    let seen = seen(cx, token);
    if seen.is_empty() {
        return Ok(Vec::new());
    }
    let (table, condition) = (table_name(token), condition(cx, token, &seen));
    let sql = format!("select {columns} from \"{table}\" where {condition} {rest}");
    let limits = Limits { steps: cx.policy.sql_steps, result_bytes: usize::MAX, ..Limits::default() };
    server.query(&EventQuery { sql: &sql, parameters: &[], limits }).map_err(refusal)
}

pub(crate) fn query(
    cx: &Cx<'_>,
    server: &dyn EventServer,
    translation: &Translation,
    parameters: &[EventParameter],
    mut read: impl FnMut(&[Cell<'_>]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let texts = (1..=translation.columns.len()).map(|number| format!("c{number}::text as c{number}"));
    let sql = format!("select {} from ({}) as q", texts.collect::<Vec<_>>().join(", "), translation.sql);
    let limits =
        Limits { steps: cx.policy.sql_steps, result_bytes: cx.policy.sql_result_bytes, ..Limits::default() };
    let rows = server.query(&EventQuery { sql: &sql, parameters, limits }).map_err(|wrong| match wrong {
        EventFailure::TooSlow => Failure::TooSlow,
        EventFailure::TooLarge => Failure::TooLarge,
        EventFailure::Sql(text) => Failure::Sql(text),
        EventFailure::Lost(text) => Failure::Lost(text),
    })?;
    for row in &rows {
        let cells: Vec<_> = row.iter().map(|text| text.as_deref().map_or(Cell::Null, Cell::Text)).collect();
        read(&cells)?;
    }
    Ok(())
}

/// 500: the server failed.
fn refusal(wrong: EventFailure) -> Error {
    match wrong {
        EventFailure::Lost(text) => lost(&text),
        EventFailure::TooSlow => lost("it takes too long"),
        EventFailure::TooLarge => lost("its answer is too large"),
        EventFailure::Sql(text) => lost(&text),
    }
}

/// 500: the server does not respond.
pub(crate) fn lost(text: &str) -> Error {
    Error::new(
        Kind::Upstream,
        "event_server_lost",
        format!("The server that keeps the events failed: {text}"),
    )
}
