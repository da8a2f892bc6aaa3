//! Values that belong to a connection. SQLite keeps nothing but functions for an embedder, so one of these tells the number under
//! which a value is known.

use std::collections::BTreeMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;

/// The values of one kind, of all open connections.
#[derive(Debug)]
pub struct Attached<T> {
    /// The query that calls the function.
    query: &'static str,
    known: Mutex<BTreeMap<i64, Weak<T>>>,
}

impl<T: Send + Sync + 'static> Attached<T> {
    /// `query` is `SELECT f()`, where `f` is a function that nothing else has the name of.
    pub const fn new(query: &'static str) -> Attached<T> {
        Attached { query, known: Mutex::new(BTreeMap::new()) }
    }

    /// Gives a connection its value, which lives as long as the connection.
    ///
    /// Fails when SQLite has no memory left for it.
    pub fn attach(&self, connection: &Connection, value: Arc<T>) -> rusqlite::Result<()> {
        let mut known = self.known.lock();
        known.retain(|_, value| value.strong_count() > 0);
        let number = known.last_key_value().map_or(0, |(last, _)| last + 1);
        known.insert(number, Arc::downgrade(&value));
        drop(known);
        let name = self.query.trim_start_matches("SELECT ").trim_end_matches("()");
        // The function only holds the value, and does not look at it.
        let held = AssertUnwindSafe(value);
        connection.create_scalar_function(name, 0, FunctionFlags::SQLITE_UTF8, move |_| {
            let _held = &held;
            Ok(number)
        })
    }

    /// The value of a connection, if it has been given one.
    pub fn of(&self, connection: &Connection) -> Option<Arc<T>> {
        let mut statement = connection.prepare_cached(self.query).ok()?;
        let number: i64 = statement.query_row([], |row| row.get(0)).ok()?;
        self.known.lock().get(&number).and_then(Weak::upgrade)
    }
}
