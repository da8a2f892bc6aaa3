//! The rows that a call changed: compares the world right before the call and right after it.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::Connection;
use rusqlite::types::ValueRef;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};
use sim_base::ToSchema;
use sim_base::rng::hex;
use sim_base::schema::MASK;
use sim_values::across::column_names;

use super::Simulator;

/// The engine's own tables. They change with every call, or their content is reported elsewhere.
const BOOKS: [&str; 4] = ["world", "draw", "fetched", "sqlite_sequence"];

/// Marks a column that holds secrets in plain text. It follows the column's definition, which has a line of its own.
const SECRET: &str = "-- secret";

/// A row that a call inserted, changed or deleted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RowChange {
    /// The table.
    pub table: String,
    /// The columns that identify the row in its table.
    pub key: Map<String, Value>,
    /// The old values of the changed columns; absent for an inserted row. Secrets are masked.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<Map<String, Value>>,
    /// Their new values; absent for a deleted row.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<Map<String, Value>>,
}

impl Simulator {
    /// The rows of this service that call `number` changed, by table and key. The world is replayed up to that call,
    /// so this takes as long as the calls did. `None` when there has been no such call, or the journal has dropped
    /// calls.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::management::project::CreateProject;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// let changes = sim.changes_of(1).expect("the journal is whole");
    /// let project = changes.iter().find(|change| change.table == "project").expect("it is new");
    /// assert_eq!(project.after.as_ref().expect("it is there")["status"], "COMING_UP");
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn changes_of(&self, number: u64) -> Option<Vec<RowChange>> {
        let after = self.at_call(number)?;
        let mut before = self.at_call(number.checked_sub(1)?)?;
        before.advance_to(after.now());
        Some(changed_rows(&before, &after))
    }
}

/// The rows of a service that are different in the later of two worlds. Secrets are masked.
pub(super) fn changed_rows(before: &Simulator, after: &Simulator) -> Vec<RowChange> {
    let (old, new) = (tables(before), tables(after));
    let both = old.iter().zip(&new);
    let mut changed: Vec<RowChange> =
        both.flat_map(|(before, after)| changes(after, &before.rows, &after.rows)).collect();
    for tokens in [before.tokens(), after.tokens()] {
        for RowChange { key, before, after, .. } in &mut changed {
            let rows = [Some(key), before.as_mut(), after.as_mut()].into_iter().flatten();
            for text in rows.flat_map(Map::values_mut) {
                if let Value::String(text) = text {
                    *text = tokens.masked_in_body(text).into_owned();
                }
            }
        }
    }
    changed
}

/// The rows of a table by key, each with all its columns.
type Rows = BTreeMap<String, (Map<String, Value>, Map<String, Value>)>;

/// A table with its rows.
struct Table {
    name: String,
    /// Columns whose values are masked.
    secrets: Vec<String>,
    rows: Rows,
}

fn tables(sim: &Simulator) -> Vec<Table> {
    sim.read(|db| {
        let names = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' ORDER BY name";
        let names: Vec<(String, String)> = db.all(names, (), |row| Ok((row.get(0)?, row.get(1)?)));
        let own = names.into_iter().filter(|(name, _)| !BOOKS.contains(&name.as_str()));
        let read = |(name, definition): (String, String)| {
            let rows = rows_of(db.connection, &name).expect("a table can be read");
            Table { secrets: secrets_of(&definition), name, rows }
        };
        own.map(read).collect()
    })
}

/// The columns that a table's definition marks as secret.
fn secrets_of(definition: &str) -> Vec<String> {
    let marked = definition.lines().filter(|line| line.contains(SECRET));
    marked.filter_map(|line| line.split_whitespace().next()).map(str::to_owned).collect()
}

fn rows_of(connection: &Connection, table: &str) -> rusqlite::Result<Rows> {
    let keys = format!("SELECT name FROM pragma_table_info('{table}') WHERE pk > 0 ORDER BY pk");
    let keys: Vec<String> =
        connection.prepare(&keys)?.query_map((), |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut statement = connection.prepare(&format!("SELECT * FROM \"{table}\""))?;
    let names = column_names(&statement);
    let mut found = statement.query(())?;
    let mut rows = Rows::new();
    while let Some(row) = found.next()? {
        let columns = names.iter().enumerate().map(|(at, name)| Ok((name.clone(), shown(row.get_ref(at)?))));
        let columns: Map<String, Value> = columns.collect::<rusqlite::Result<_>>()?;
        let key: Map<String, Value> =
            keys.iter().filter_map(|name| Some((name.clone(), columns.get(name)?.clone()))).collect();
        let place = serde_json::to_string(&key).expect("a key is plain data");
        rows.insert(place, (key, columns));
    }
    Ok(rows)
}

/// The longest text that a row change shows, in bytes. Two worlds may have many long ones.
const TEXT_SHOWN: usize = 64 << 10;

/// A value as JSON. Short binary values are hex digits, longer ones a length and a hash, as texts are that nobody would read.
fn shown(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(bytes) if bytes.len() > TEXT_SHOWN => digest(bytes),
        ValueRef::Text(bytes) => String::from_utf8_lossy(bytes).into(),
        ValueRef::Blob(bytes) if bytes.len() <= 32 => hex(bytes).into(),
        ValueRef::Blob(bytes) => digest(bytes),
    }
}

fn digest(bytes: &[u8]) -> Value {
    format!("{} bytes, SHA-256 {}…", bytes.len(), hex(&Sha256::digest(bytes)[..8])).into()
}

/// The rows that were added, changed or removed.
fn changes<'a>(table: &'a Table, before: &'a Rows, after: &'a Rows) -> impl Iterator<Item = RowChange> + 'a {
    let places: BTreeSet<&String> = before.keys().chain(after.keys()).collect();
    places.into_iter().filter_map(move |place| {
        let (before, after) = (before.get(place), after.get(place));
        let (key, _) = after.or(before)?;
        let (before, after) = (before.map(|(_, columns)| columns), after.map(|(_, columns)| columns));
        let is_other =
            |name: &str| before.and_then(|row| row.get(name)) != after.and_then(|row| row.get(name));
        let others = |row: &Map<String, Value>| -> Map<String, Value> {
            let others = row.iter().filter(|(name, _)| is_other(name) && !key.contains_key(*name));
            others.map(|(name, value)| (name.clone(), masked(table, name, value))).collect()
        };
        (before != after).then(|| RowChange {
            table: table.name.clone(),
            key: key.clone(),
            before: before.map(others),
            after: after.map(others),
        })
    })
}

fn masked(table: &Table, column: &str, value: &Value) -> Value {
    let is_secret = table.secrets.iter().any(|secret| secret == column);
    if value.is_null() || !is_secret { value.clone() } else { MASK.into() }
}
