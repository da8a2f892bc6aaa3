//! The rows of one world, during one call.

use rusqlite::{Connection, OptionalExtension as _, Params, Row, Statement};

use super::store::{self, Statements};

/// The world's database inside the transaction of one call. SQL stands beside its use; statements stay prepared.
///
/// A statement that fails is a defect, not a refusal: constraints are the last line of defence behind the checks that
/// an operation makes itself. So these methods panic, naming the statement, and the call leaves no trace.
#[derive(Clone, Copy)]
pub struct Db<'a> {
    pub connection: &'a Connection,
    pub statements: &'a dyn Statements,
}

/// A place in a transaction.
pub enum Mark {
    Beginning,
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

    /// The same with a statement that adds nothing to what it is in conflict with; `None` when that is so.
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
        self.with(sql, |statement| statement.query_map(params, &mut read)?.collect())
    }

    /// A place in the transaction to go back to: its beginning, where nothing was changed so far, which costs nothing.
    pub fn mark(&self) -> Mark {
        if self.has_changed() {
            self.run("SAVEPOINT mark", ());
            return Mark::Savepoint;
        }
        Mark::Beginning
    }

    /// Undoes what was changed since.
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

    /// Lets what was changed since be part of what was changed before. The last mark goes first.
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
        let prepared =
            self.statements.with(sql, &mut |statement| result = work.take().map(|work| work(statement)));
        let done = prepared.and_then(|()| result.expect("what is prepared is used"));
        done.unwrap_or_else(|error| bug(sql, &error))
    }
}

fn bug(sql: &str, error: &rusqlite::Error) -> ! {
    panic!("the statement fits the schema: {error} in {sql}")
}
