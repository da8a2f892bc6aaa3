//! Rows of an `INSERT` before one whose values fail, or that a policy refuses. PostgreSQL stores each row before it computes the next.

use rusqlite::types::Value;

use crate::error::SqlError;
use crate::plpgsql;
use crate::run::Engine;
use crate::tree::Expr;
use crate::types::Type;

impl Engine<'_> {
    /// The error of a row before the one that has failed. `insert` is the statement up to the end of its rows.
    pub(super) fn error_of_earlier_row(&self, insert: &str) -> Option<SqlError> {
        // Its rollback would end the statement that has called this function.
        if plpgsql::is_called() {
            return None;
        }
        let (into, rows) = insert.split_once(") ")?;
        let width = into.split_once('(')?.1.split(',').count();
        self.execute("SAVEPOINT pg_diagnosis; SELECT pg_keep_sequences(1)").ok()?;
        let rows = self.calling_apart(|| self.rows_before_error(rows, width)).unwrap_or_default();
        let error = match rows.is_empty() {
            true => None,
            false => self.error_of_rows(&format!("{into}) {}", super::insert::print_rows(&rows))),
        };
        self.execute("ROLLBACK TO pg_diagnosis; RELEASE pg_diagnosis; SELECT pg_keep_sequences(0)").ok()?;
        self.known.loaded.borrow_mut().clear();
        error
    }

    fn error_of_rows(&self, insert: &str) -> Option<SqlError> {
        self.change(insert).err().map(|error| self.explain_of_rows(error, insert, None))
    }

    /// The rows that a query returns before it fails.
    fn rows_before_error(&self, sql: &str, width: usize) -> Option<Vec<Vec<Expr>>> {
        let mut statement = self.connection.prepare(sql).ok()?;
        self.give_values(&mut statement).ok()?;
        let mut rows = statement.raw_query();
        let mut before = Vec::new();
        while let Ok(Some(row)) = rows.next() {
            let row = (0..width).map(|index| row.get::<_, Value>(index));
            let row = row.map(|value| Some(Expr::literal(value.ok()?, Type::TEXT)));
            before.push(row.collect::<Option<_>>()?);
        }
        Some(before)
    }
}
