//! Events of the analytics server on a PostgreSQL server: a table per source, in one schema.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io;
use std::sync::Arc;

use parking_lot::Mutex;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sim_core::engine::{Added, EventFailure, EventLine, EventParameter, EventQuery, EventRow, EventServer};
use sim_core::sql::warehouse::POSTGRES_PRELUDE;
use sim_core::sql::{Outcome, SqlError, SqlState};

use super::cluster::Cluster;
use super::database::{GRACE, quoted, time_of};
use super::target::{Place, Target, database_of};
use super::wire::{Connection, Patience};

/// The oldest major version with the functions that translated queries call.
const OLDEST: u32 = 15;

/// A lock for creating the schema's functions: two servers may start at the same time.
const LOCK: i64 = 7_357_011;

/// The earliest value of a `timestamp`, in microseconds since 1970.
const EARLIEST: i64 = -210_866_803_200_000_000;

/// A PostgreSQL server that stores the events of analytics servers.
///
/// ```no_run
/// use sim_core::Simulator;
/// use sim_http::{PostgresEvents, Server};
///
/// let events = PostgresEvents::connect("postgres://ann:secret@localhost/logs", "_analytics")?;
/// let server = Server::spawn(Simulator::analytics().event_server(events).build());
/// # drop(server);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct PostgresEvents {
    target: Target,
    database: String,
    schema: String,
    session: Mutex<Session>,
    /// The server itself, if it is ours. Stops last.
    _cluster: Option<Cluster>,
}

/// The known state of the server, used by one call at a time.
#[derive(Default)]
struct Session {
    connection: Option<Connection>,
    /// Milliseconds after which the server cancels a statement.
    timeout: u128,
    tables: BTreeSet<String>,
    /// The last position on each line.
    heads: BTreeMap<i64, i64>,
}

impl PostgresEvents {
    /// Uses a running server: `postgres://USER[:PASSWORD]@HOST[:PORT]/DATABASE`. The schema is created if
    /// needed; with an empty one the tables are in the first schema of the user's search path. Nothing in it
    /// is ever dropped.
    ///
    /// Fails if the URL is invalid, the server does not respond or is older than version 15, or the user may
    /// not create the schema.
    pub fn connect(url: &str, schema: &str) -> io::Result<Arc<PostgresEvents>> {
        let invalid = |why| io::Error::new(io::ErrorKind::InvalidInput, why);
        let target = Target::parse(url).map_err(invalid)?;
        let database = database_of(url).map_err(invalid)?.unwrap_or_else(|| target.user.clone());
        PostgresEvents::on(target, database, schema, None)
    }

    /// Starts a server of its own, like [`PostgresServer::start`](super::PostgresServer::start).
    ///
    /// Fails if there are no binaries or they don't start; the error says which.
    pub fn start(schema: &str) -> io::Result<Arc<PostgresEvents>> {
        let cluster = Cluster::start()?;
        PostgresEvents::on(cluster.admin(), "postgres".to_owned(), schema, Some(cluster))
    }

    /// Its address, without the password, for example for `psql`.
    pub fn url(&self) -> String {
        let (host, port) = match &self.target.place {
            Place::Tcp(host, port) if host.contains(':') => (format!("[{host}]"), port),
            Place::Tcp(host, port) => (host.clone(), port),
            Place::Socket(folder, port) => (encoded(&folder.to_string_lossy()), port),
        };
        format!("postgres://{}@{host}:{port}/{}", encoded(&self.target.user), encoded(&self.database))
    }

    fn on(
        target: Target,
        database: String,
        schema: &str,
        cluster: Option<Cluster>,
    ) -> io::Result<Arc<PostgresEvents>> {
        let events = PostgresEvents {
            target,
            database,
            schema: schema.to_owned(),
            session: Mutex::default(),
            _cluster: cluster,
        };
        events.prepare()?;
        Ok(Arc::new(events))
    }

    fn prepare(&self) -> io::Result<()> {
        let mut connection = Connection::open(&self.target, &self.database)?;
        if connection.major_version() < OLDEST {
            return Err(io::Error::other(format!("the server is older than PostgreSQL {OLDEST}")));
        }
        let schema = match self.schema.as_str() {
            "" => String::new(),
            schema => format!("create schema if not exists {}; {};", name(schema), self.search_path()),
        };
        connection.must(&format!(
            "select pg_advisory_xact_lock({LOCK}); {schema} {POSTGRES_PRELUDE};
             create sequence if not exists log_event_lines"
        ))?;
        Ok(())
    }

    fn search_path(&self) -> String {
        format!("set search_path = {}", name(&self.schema))
    }

    fn open(&self) -> io::Result<Connection> {
        let mut connection = Connection::open(&self.target, &self.database)?;
        connection.must("set standard_conforming_strings = on")?;
        // It would compile the long statements of translated queries, which takes longer than they run.
        connection.must("set jit = off")?;
        if !self.schema.is_empty() {
            connection.must(&self.search_path())?;
        }
        Ok(connection)
    }

    /// Does `work` on the connection. A connection that failed is not used again.
    fn with<T>(
        &self,
        session: &mut Session,
        work: impl FnOnce(&mut Connection, &mut u128) -> io::Result<T>,
    ) -> Result<T, EventFailure> {
        let fresh = session.connection.is_none();
        let opened = session.connection.take().map_or_else(|| self.open(), Ok);
        let mut connection = opened.map_err(|error| failure(&error))?;
        if fresh {
            session.timeout = 0;
        }
        let done = work(&mut connection, &mut session.timeout).map_err(|error| failure(&error))?;
        session.connection = Some(connection);
        Ok(done)
    }

    fn run(&self, session: &mut Session, sql: &str, patience: Patience) -> Result<Outcome, EventFailure> {
        let (outcome, error) = self.with(session, |connection, timeout| {
            let time = patience.time.as_millis();
            if *timeout != time {
                connection.must(&format!("set statement_timeout = {time}"))?;
                *timeout = time;
            }
            let answer = connection.run(sql, Patience { time: patience.time + GRACE, ..patience })?;
            if answer.is_open {
                connection.must("rollback")?;
            }
            Ok((answer.outcome, answer.error))
        })?;
        match error {
            None => Ok(outcome),
            Some(error) => {
                let failure = refused(&error);
                if matches!(failure, EventFailure::Lost(_)) {
                    session.connection = None;
                }
                Err(failure)
            }
        }
    }

    /// The line to append to, and its last position: that of `seen`, unless others have appended since.
    fn line(&self, session: &mut Session, seen: &[EventLine]) -> Result<EventLine, EventFailure> {
        if let Some(last) = seen.last()
            && session.heads.get(&last.line) == Some(&last.last)
        {
            // It becomes a head again once the events are stored.
            session.heads.remove(&last.line);
            return Ok(*last);
        }
        let next = self.run(session, "select nextval('log_event_lines')::int8 as line", Patience::OURS)?;
        let line = next.rows.first().and_then(|row| row.get("line")?.as_i64());
        let line = line.ok_or_else(|| EventFailure::Lost("it has no number for a line".to_owned()))?;
        Ok(EventLine { line, last: 0 })
    }

    fn make_table(&self, session: &mut Session, table: &str) -> Result<(), EventFailure> {
        if session.tables.contains(table) {
            return Ok(());
        }
        self.run(session, &schema_of(table), Patience::OURS)?;
        session.tables.insert(table.to_owned());
        Ok(())
    }
}

impl EventServer for PostgresEvents {
    fn insert(
        &self,
        table: &str,
        seen: &[EventLine],
        events: &[EventRow<'_>],
    ) -> Result<Added, EventFailure> {
        let session = &mut *self.session.lock();
        self.make_table(session, table)?;
        let EventLine { line, last } = self.line(session, seen)?;
        let sql = insertion(table, seen, EventLine { line, last }, events);
        let outcome = self.run(session, &sql, Patience::OURS)?;
        let count = outcome.commands.last().and_then(|tag| tag.rsplit(' ').next()?.parse().ok());
        let line = EventLine { line, last: last + events.len() as i64 };
        session.heads.insert(line.line, line.last);
        Ok(Added { count: count.unwrap_or(0), line })
    }

    fn query(&self, query: &EventQuery<'_>) -> Result<Vec<Vec<Option<String>>>, EventFailure> {
        if query.parameters.iter().any(has_nul) {
            let text = "invalid byte sequence for encoding \"UTF8\": 0x00";
            return Err(EventFailure::Sql(text.to_owned()));
        }
        let session = &mut *self.session.lock();
        let patience = Patience { bytes: query.limits.result_bytes, time: time_of(query.limits) };
        let outcome = self.run(session, &reading(query), patience)?;
        let row = |row: serde_json::Map<String, serde_json::Value>| {
            row.into_iter().map(|(_, value)| value.as_str().map(str::to_owned)).collect()
        };
        Ok(outcome.rows.into_iter().map(row).collect())
    }
}

/// A name as an SQL identifier.
fn name(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn encoded(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

fn schema_of(table: &str) -> String {
    // The digest of an id: an index can't hold a long id.
    format!(
        "create table if not exists \"{table}\" (
             id text not null,
             body jsonb not null,
             event_message text,
             timestamp timestamp not null,
             line bigint not null,
             place bigint not null
         );
         create unique index if not exists \"{table}_id_idx\" on \"{table}\" (line, md5(id));
         create index if not exists \"{table}_timestamp_brin_idx\" on \"{table}\" using brin (timestamp)"
    )
}

fn insertion(table: &str, seen: &[EventLine], at: EventLine, events: &[EventRow<'_>]) -> String {
    let mut sql = format!(
        "insert into \"{table}\" (id, body, event_message, timestamp, line, place)
         select id, body::jsonb, message, wh_from_micros(micros), {}, place from (values ",
        at.line
    );
    for (event, place) in events.iter().zip(at.last + 1..) {
        let comma = if place == at.last + 1 { "" } else { ", " };
        let message = event.message.map_or("null".to_owned(), |message| quoted(&fit(message)));
        let (id, body) = (quoted(&fit(event.id)), quoted(&fit_json(&event.body)));
        let micros = event.timestamp.max(EARLIEST);
        write!(sql, "{comma}({id}, {body}, {message}::text, '{micros}'::bigint, {place}::bigint)")
            .expect("a string takes it");
    }
    sql.push_str(") as event (id, body, message, micros, place)");
    let others: Vec<_> = seen.iter().filter(|one| one.line != at.line).copied().collect();
    if !others.is_empty() {
        let condition = EventLine::condition(&others);
        write!(
            sql,
            " where not exists (select from (select id, line, place from \"{table}\" where {condition}) as seen
              where seen.id = event.id)"
        )
        .expect("a string takes it");
    }
    sql + " on conflict do nothing"
}

/// The query in a read-only transaction.
fn reading(query: &EventQuery<'_>) -> String {
    let EventQuery { sql, parameters, .. } = query;
    if parameters.is_empty() {
        return format!("begin read only; {sql}; commit");
    }
    let (types, values): (Vec<_>, Vec<_>) = parameters
        .iter()
        .map(|parameter| match parameter {
            EventParameter::Text(text) => {
                ("text", text.as_ref().map_or("null".to_owned(), |text| quoted(text)))
            }
            EventParameter::Whole(number) => ("bigint", format!("'{number}'")),
        })
        .unzip();
    let (types, values) = (types.join(", "), values.join(", "));
    format!(
        "begin read only; deallocate all; prepare query({types}) as {sql}; execute query({values}); commit"
    )
}

fn has_nul(parameter: &EventParameter) -> bool {
    matches!(parameter, EventParameter::Text(Some(text)) if text.contains('\0'))
}

/// A text that the server can store: without the character of number zero.
fn fit(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

/// The same for JSON, in which that character is an escape.
fn fit_json(text: &str) -> String {
    const NUL: &str = "\\u0000";
    if !text.contains(NUL) {
        return text.to_owned();
    }
    let (mut fit, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        fit.push_str(before);
        // Every escape has a one-byte character after the backslash.
        let (known, length) =
            if escape.starts_with(NUL) { ("\u{fffd}", NUL.len()) } else { (&escape[..2], 2) };
        fit.push_str(known);
        rest = &escape[length..];
    }
    fit + rest
}

/// The server refused.
fn refused(error: &SqlError) -> EventFailure {
    if error.code == SqlState::QUERY_CANCELED {
        return EventFailure::TooSlow;
    }
    if error.code == SqlState::PROGRAM_LIMIT {
        return EventFailure::TooLarge;
    }
    match &error.code.as_str()[..2] {
        // The server is shutting down, is out of memory or disk, or has become read-only.
        "08" | "53" | "57" | "58" => EventFailure::Lost(error.message.clone()),
        _ => EventFailure::Sql(error.message.clone()),
    }
}

/// The connection failed.
fn failure(error: &io::Error) -> EventFailure {
    match error.kind() {
        io::ErrorKind::TimedOut => EventFailure::TooSlow,
        io::ErrorKind::UnexpectedEof => EventFailure::Lost("it closed the connection".to_owned()),
        _ => EventFailure::Lost(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_character_of_number_zero_is_replaced_and_what_looks_like_it_is_not() {
        for (given, expected) in [
            (r#"{"a":"x\u0000y"}"#, "{\"a\":\"x\u{fffd}y\"}"),
            (r#"{"a":"x\\u0000"}"#, r#"{"a":"x\\u0000"}"#),
            (r#"{"a":"\\\u0000\"é\n"}"#, "{\"a\":\"\\\\\u{fffd}\\\"é\\n\"}"),
            (r#"{"a":"plain"}"#, r#"{"a":"plain"}"#),
        ] {
            assert_eq!(fit_json(given), expected);
        }
    }
}
