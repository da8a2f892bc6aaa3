//! Views of a world's rows. A resource says which of its columns are shown, and under which names.

use rusqlite::types::Value;

use super::db::Db;
use super::time::from_micros;
use sim_values::across::column_names;

/// A table of `Simulator::query_journal` that shows the current rows of a resource.
///
/// A column named `at`, or with `at` or `until` as its last word, is a timestamp: microseconds in the rows, RFC 3339 in
/// the view. Secrets and their digests are not selected. A column that stands for a secret has [`MASK`](super::MASK) in
/// it.
#[derive(Debug)]
pub struct View {
    /// The table's name: `branch`.
    pub name: &'static str,
    /// What a row is.
    pub about: &'static str,
    /// The query over the resource's own tables. The names of its columns are those of the view.
    pub sql: &'static str,
}

/// The view `name`, with what a row is and the query.
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
