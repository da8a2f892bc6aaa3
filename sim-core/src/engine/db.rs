//! The rows of one world, during one call.

use rusqlite::{Connection, Params, Row};

/// The world's database inside the transaction of one call. SQL stands beside its use; statements are cached.
///
/// A statement that fails is a defect, not a refusal: constraints are the last line of defence behind the checks that
/// an operation makes itself. So these methods panic, naming the statement, and the call leaves no trace.
#[derive(Clone, Copy)]
pub struct Db<'a> {
    pub(crate) connection: &'a Connection,
}

impl Db<'_> {
    /// Changes rows; returns how many.
    pub fn run(&self, sql: &str, params: impl Params) -> usize {
        self.connection
            .prepare_cached(sql)
            .and_then(|mut s| s.execute(params))
            .unwrap_or_else(|e| bug(sql, &e))
    }

    /// Adds a row to a table whose key is a number; returns the key.
    pub fn insert(&self, sql: &str, params: impl Params) -> i64 {
        self.run(sql, params);
        self.connection.last_insert_rowid()
    }

    /// The row, if there is one.
    pub fn maybe<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Option<T> {
        let found = self.connection.prepare_cached(sql).and_then(|mut s| match s.query_row(params, read) {
            Err(rusqlite::Error::QueryReturnedNoRows) => Ok(None),
            other => other.map(Some),
        });
        found.unwrap_or_else(|e| bug(sql, &e))
    }

    /// The row that is there.
    pub fn one<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> T {
        self.maybe(sql, params, read).unwrap_or_else(|| bug(sql, &rusqlite::Error::QueryReturnedNoRows))
    }

    /// All rows, in the statement's order.
    pub fn all<T>(
        &self,
        sql: &str,
        params: impl Params,
        mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Vec<T> {
        let rows = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut s| s.query_map(params, &mut read)?.collect::<rusqlite::Result<Vec<T>>>());
        rows.unwrap_or_else(|e| bug(sql, &e))
    }
}

fn bug(sql: &str, error: &rusqlite::Error) -> ! {
    panic!("the statement fits the schema: {error} in {sql}")
}
