//! The differences between the versions of rusqlite that this builds with, see `.ci/lowest`.

use rusqlite::{Connection, Error, Result, Statement};

/// Operations that older versions do directly and newer ones may refuse.
pub trait Done {
    /// As in the newer versions.
    fn done(self) -> Result<()>;
}

impl Done for () {
    fn done(self) -> Result<()> {
        Ok(())
    }
}

/// The previous limit.
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

/// The names of a statement's columns: older versions return a list, newer ones one name at a time.
pub fn column_names(statement: &Statement<'_>) -> Vec<String> {
    let mut names = Vec::with_capacity(statement.column_count());
    for name in statement.column_names() {
        names.push(name.to_owned());
    }
    names
}

/// Prepares `sql`. Older versions ignore a second statement, newer ones refuse it.
pub fn only_statement<'c>(db: &'c Connection, sql: &str) -> Result<Statement<'c>> {
    let statement = db.prepare(sql)?;
    // With parameters this differs from the text that was read; but then the statement can't run, as nothing
    // is bound to them.
    let read = statement.expanded_sql().map_or(0, |read| read.len());
    match db.prepare(sql.get(read..).unwrap_or_default()) {
        Err(error @ (Error::SqliteFailure(..) | Error::SqlInputError { .. })) => Err(error),
        Ok(next) if next.expanded_sql().is_some() => Err(Error::MultipleStatement),
        // Nothing follows; only some versions call that an error.
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
