//! Where events are: one table for each source, in a database inside the world that is theirs alone.

use crate::engine::{Cx, DatabaseKind};

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

/// Runs SQL of ours.
fn run(cx: &Cx<'_>, sql: &str) {
    let (done, _) = cx.databases.run(EVENTS, |events| events.execute_batch(sql));
    done.unwrap_or_else(|error| panic!("the statement fits the events: {error} in {sql}"));
}
