//! Where events are: one table for each source, in a database inside the world that is theirs alone.

use rusqlite::Connection;
use serde_json::Value;

use crate::engine::{Cx, DatabaseKind};

use super::normalise::Event;

/// A world's first database inside.
const EVENTS: i64 = 0;

/// A database of events begins empty.
pub(super) const KIND: DatabaseKind = DatabaseKind { prepare: |_| Ok(()), create: |_| Ok(()) };

/// Makes the database in a new world.
pub(super) fn create(cx: &Cx<'_>) {
    assert_eq!(cx.databases.create(), EVENTS, "a new world has no other database");
}

/// The table of the source with that token.
pub(super) fn table(token: &str) -> String {
    format!("log_events_{}", token.replace('-', "_"))
}

pub(super) fn create_table(cx: &Cx<'_>, token: &str) {
    let table = table(token);
    run(
        cx,
        &format!(
            "CREATE TABLE {table} (
                id TEXT PRIMARY KEY,
                body TEXT NOT NULL,
                event_message TEXT,
                timestamp INTEGER NOT NULL
            ) STRICT;
            CREATE INDEX {table}_timestamp ON {table} (timestamp);"
        ),
    );
}

pub(super) fn drop_table(cx: &Cx<'_>, token: &str) {
    run(cx, &format!("DROP TABLE {}", table(token)));
}

/// Stores events; returns how many are new. One whose id is there already is the same event, sent again.
pub(super) fn insert(cx: &Cx<'_>, token: &str, events: &[Event]) -> usize {
    let sql = format!("INSERT OR IGNORE INTO {} VALUES (?1, ?2, ?3, ?4)", table(token));
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
    cx.databases.run(EVENTS, insert).0.unwrap_or_else(|error| panic!("events fit their table: {error}"))
}

/// The newest `count` events of the source, oldest first.
pub(super) fn recent(cx: &Cx<'_>, token: &str, count: u32) -> Vec<Value> {
    let sql = format!("SELECT body FROM {} ORDER BY timestamp DESC, rowid DESC LIMIT ?1", table(token));
    let read = |database: &Connection| {
        let mut statement = database.prepare_cached(&sql)?;
        let bodies = statement.query_map((count,), |row| row.get::<_, String>(0))?;
        bodies.collect::<rusqlite::Result<Vec<_>>>()
    };
    let (bodies, _) = cx.databases.run(EVENTS, read);
    let bodies = bodies.unwrap_or_else(|error| panic!("the statement fits the events: {error}"));
    let value = |body: &String| serde_json::from_str(body).expect("events are stored as JSON");
    bodies.iter().rev().map(value).collect()
}

/// Runs SQL of ours.
fn run(cx: &Cx<'_>, sql: &str) {
    let (done, _) = cx.databases.run(EVENTS, |events| events.execute_batch(sql));
    done.unwrap_or_else(|error| panic!("the statement fits the events: {error} in {sql}"));
}
