//! What differs between the versions of rusqlite that this builds with, see `.ci/lowest`.

use rusqlite::{Connection, Error, Result, Statement};

/// What older versions do at once and newer ones may refuse to do.
pub trait Done {
    /// As the newer versions have it.
    fn done(self) -> Result<()>;
}

impl Done for () {
    fn done(self) -> Result<()> {
        Ok(())
    }
}

/// The limit that was there before.
impl Done for i32 {
    fn done(self) -> Result<()> {
        Ok(())
    }
}

impl<T> Done for Result<T> {
    fn done(self) -> Result<()> {
        self.map(drop)
    }
}

/// The names of a statement's columns, which older versions hand out as a list and newer ones one by one.
pub fn column_names(statement: &Statement<'_>) -> Vec<String> {
    let mut names = Vec::with_capacity(statement.column_count());
    for name in statement.column_names() {
        names.push(name.to_owned());
    }
    names
}

/// The statement that `sql` is. Older versions leave a second one unread, newer ones refuse it.
pub fn only_statement<'c>(db: &'c Connection, sql: &str) -> Result<Statement<'c>> {
    let statement = db.prepare(sql)?;
    // With parameters it is not the text that was read; but then it can't run, as nothing is bound to them.
    let read = statement.expanded_sql().map_or(0, |read| read.len());
    match db.prepare(sql.get(read..).unwrap_or_default()) {
        Err(error @ (Error::SqliteFailure(..) | Error::SqlInputError { .. })) => Err(error),
        Ok(next) if next.expanded_sql().is_some() => Err(Error::MultipleStatement),
        // Nothing follows, which only some versions call an error.
        _ => Ok(statement),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_statement_is_one() {
        let db = Connection::open_in_memory().expect("there is memory");
        for sql in ["select 1", "select 1;", " select 1 ; -- no more", "select ';' || 'select 2'"] {
            assert!(only_statement(&db, sql).is_ok(), "{sql}");
        }
        for sql in ["select 1; select 2", "select 1;; select 2", "select 1; select", "select"] {
            assert!(only_statement(&db, sql).is_err(), "{sql}");
        }
    }
}
