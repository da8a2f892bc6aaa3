//! The rows of one world, during one call.

use rusqlite::{Connection, OptionalExtension as _, Params, Row, Statement};

use super::store::{self, Statements};

/// The world's database inside the transaction of one call. Statements stay prepared. Write SQL next to the code that
/// uses it.
///
/// A failing statement is a bug, not a refusal: operations check first, and constraints only back up these checks. So
/// these methods panic and name the statement, and the call leaves no trace.
#[derive(Clone, Copy)]
pub struct Db<'a> {
    /// The connection that has the world loaded.
    pub connection: &'a Connection,
    /// The connection's prepared statements.
    pub statements: &'a dyn Statements,
}

/// A point in a transaction to roll back to.
pub enum Mark {
    /// The beginning of the transaction. Nothing was changed before it.
    Beginning,
    /// A savepoint after earlier changes.
    Savepoint,
}

impl Db<'_> {
    /// Changes rows; returns how many.
    pub fn run(&self, sql: &str, params: impl Params) -> usize {
        self.with(sql, |statement| statement.execute(params))
    }

    /// Adds a row to a table whose key is a number; returns the key.
    pub fn insert(&self, sql: &str, params: impl Params) -> i64 {
        self.run(sql, params);
        self.connection.last_insert_rowid()
    }

    /// Adds a row like [`insert`](Db::insert), with a statement that adds nothing on conflict. Returns `None` on
    /// conflict.
    pub fn insert_new(&self, sql: &str, params: impl Params) -> Option<i64> {
        (self.run(sql, params) > 0).then(|| self.connection.last_insert_rowid())
    }

    /// The row, if there is one.
    pub fn maybe<T>(
        &self,
        sql: &str,
        params: impl Params,
        read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Option<T> {
        self.with(sql, |statement| statement.query_row(params, read).optional())
    }

    /// The row of a statement that always has one.
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
        self.with(sql, |statement| statement.query_map(params, &mut read)?.collect())
    }

    /// Marks the current point in the transaction. If nothing was changed so far, that is its beginning, which costs
    /// nothing.
    pub fn mark(&self) -> Mark {
        if self.has_changed() {
            self.run("SAVEPOINT mark", ());
            return Mark::Savepoint;
        }
        Mark::Beginning
    }

    /// Undoes all changes since `mark`.
    pub fn go_back_to(&self, mark: &Mark) {
        match mark {
            Mark::Beginning => {
                self.run("ROLLBACK", ());
                self.run("BEGIN", ());
            }
            Mark::Savepoint => {
                self.run("ROLLBACK TO mark", ());
            }
        }
    }

    /// Drops `mark` and keeps the changes since. Drop the last mark first.
    pub fn forget(&self, mark: Mark) {
        if let Mark::Savepoint = mark {
            self.run("RELEASE mark", ());
        }
    }

    fn has_changed(&self) -> bool {
        store::is_writing(self.connection)
    }

    fn with<T>(&self, sql: &str, work: impl FnOnce(&mut Statement<'_>) -> rusqlite::Result<T>) -> T {
        let (mut work, mut result) = (Some(work), None);
        self.with_prepared(sql, &mut |statement| {
            let Some(work) = work.take() else { return Ok(()) };
            match work(statement) {
                Ok(done) => result = Some(done),
                Err(error) => return Err(error),
            }
            Ok(())
        });
        match result {
            Some(result) => result,
            None => unreachable!("a prepared statement is used"),
        }
    }

    /// The part of [`with`](Db::with) that is the same for all results.
    fn with_prepared(&self, sql: &str, work: &mut dyn FnMut(&mut Statement<'_>) -> rusqlite::Result<()>) {
        let mut done = Ok(());
        let prepared = self.statements.with(sql, &mut |statement| done = work(statement));
        if let Err(error) = prepared.and(done) {
            bug(sql, &error);
        }
    }
}

fn bug(sql: &str, error: &rusqlite::Error) -> ! {
    panic!("the statement fits the schema: {error} in {sql}")
}
