//! Rows of a world as they may be looked at: a resource says which of its columns are shown, and under which names.

use rusqlite::types::Value;

use super::db::Db;
use super::time::from_micros;
use sim_values::across::column_names;

/// A table of [`query_journal`](super::Simulator::query_journal) that shows the rows of a resource as they are now.
///
/// Columns named `at`, or with that or `until` as their last word, are instants: microseconds in the rows, RFC 3339 for those
/// who look. Secrets and their digests are not selected; where one is worth a column, [`MASK`](super::MASK) stands in it.
#[derive(Debug)]
pub struct View {
    /// The table's name: `branch`.
    pub name: &'static str,
    /// What a row is.
    pub about: &'static str,
    /// The query over the resource's own tables; the names of its columns are those of the table.
    pub sql: &'static str,
}

/// The table `name`: what a row is, and the query.
pub const fn view(name: &'static str, about: &'static str, sql: &'static str) -> View {
    View { name, about, sql }
}

impl View {
    /// The names of its columns.
    pub fn columns(&self, db: Db<'_>) -> rusqlite::Result<Vec<String>> {
        let statement = db.connection.prepare(self.sql)?;
        Ok(column_names(&statement))
    }

    /// Its rows, in the order of its columns.
    pub fn rows(&self, db: Db<'_>) -> rusqlite::Result<Vec<Vec<Value>>> {
        let columns = self.columns(db)?;
        let mut statement = db.connection.prepare(self.sql)?;
        let rows = statement.query_map([], |row| {
            columns.iter().enumerate().map(|(place, name)| Ok(shown(name, row.get(place)?))).collect()
        })?;
        rows.collect()
    }
}

fn shown(column: &str, value: Value) -> Value {
    let is_instant = column == "at" || ["_at", "_until"].iter().any(|end| column.ends_with(end));
    match value {
        Value::Integer(micros) if is_instant => Value::Text(from_micros(micros).to_string()),
        other => other,
    }
}
