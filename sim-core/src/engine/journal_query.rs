//! The journal in SQL: what happened in a world, as tables of a database of its own.

use rusqlite::hooks::{AuthAction, AuthContext, Authorization};
use rusqlite::types::ValueRef;
use rusqlite::{Connection, ToSql};
use serde::Serialize;
use serde_json::{Map, Value};

use super::error::Error;
use super::jobs::{Due, Happened};
use super::journal::Call;
use super::simulator::Simulator;

/// Steps of SQLite's machine that a query may take: seconds at most.
const STEPS_MAX: i32 = 100_000_000;

/// Functions whose value depends on more than the journal.
const OF_THE_HOST: [&str; 12] = [
    "random",
    "randomblob",
    "date",
    "time",
    "datetime",
    "julianday",
    "strftime",
    "unixepoch",
    "timediff",
    "current_date",
    "current_time",
    "current_timestamp",
];

/// The tables, each with the fields of what it holds.
const TABLES: [(&str, &[&str]); 3] = [
    (
        "call",
        &[
            "call",
            "at",
            "operation",
            "method",
            "target",
            "caller",
            "request",
            "role",
            "state",
            "status",
            "reason",
            "refused_by",
            "facts",
            "response",
            "fault",
            "hash",
        ],
    ),
    ("event", &["at", "kind", "subject", "task", "became", "caused_by_call"]),
    ("due", &["due", "seq", "kind", "subject", "task", "caused_by_call"]),
];

impl Simulator {
    /// Asks the journal in SQLite's SQL, over the tables `call`, `event` and `due`, whose columns are the fields of [`Call`],
    /// [`Happened`] and [`Due`]. The query runs on a copy: it can change nothing.
    ///
    /// Refuses what is no query, and one that takes too long.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::management::project::ListProjects;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(ListProjects {})?;
    /// let rows = sim.query_journal("select operation, count(*) as calls from call group by operation")?;
    /// assert_eq!(rows[0]["calls"], 1);
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn query_journal(&self, sql: &str) -> Result<Vec<Map<String, Value>>, Error> {
        self.copied().and_then(|mut copy| answer(&mut copy, sql)).map_err(|error| {
            Error::invalid("invalid_body.sql", format!("sql: {error}; the tables are call, event and due"))
        })
    }

    fn copied(&self) -> rusqlite::Result<Connection> {
        let copy = Connection::open_in_memory()?;
        for (table, columns) in TABLES {
            copy.execute_batch(&format!("CREATE TABLE \"{table}\" ({})", columns.join(", ")))?;
        }
        let [(_, call), (_, event), (_, due)] = TABLES;
        fill::<Call>(&copy, "call", call, self.journal())?;
        fill::<Happened>(&copy, "event", event, self.history(None))?;
        fill::<Due>(&copy, "due", due, self.agenda())?;
        Ok(copy)
    }
}

fn fill<T: Serialize>(
    copy: &Connection,
    table: &str,
    columns: &[&str],
    rows: Vec<T>,
) -> rusqlite::Result<()> {
    let places = vec!["?"; columns.len()].join(", ");
    let mut insert = copy.prepare(&format!("INSERT INTO \"{table}\" VALUES ({places})"))?;
    for row in rows {
        let row = serde_json::to_value(row).expect("a row is plain data");
        let values: Vec<Box<dyn ToSql>> = columns.iter().map(|column| stored(&row[*column])).collect();
        insert.execute(rusqlite::params_from_iter(values))?;
    }
    Ok(())
}

/// Numbers and texts as they are, the rest as JSON.
fn stored(value: &Value) -> Box<dyn ToSql> {
    match value {
        Value::Null => Box::new(None::<i64>),
        Value::Number(number) => Box::new(number.as_i64()),
        Value::String(text) => Box::new(text.clone()),
        other => Box::new(other.to_string()),
    }
}

fn answer(copy: &mut Connection, sql: &str) -> rusqlite::Result<Vec<Map<String, Value>>> {
    let mut steps = 0;
    copy.progress_handler(
        1000,
        Some(move || {
            steps += 1000;
            steps > STEPS_MAX
        }),
    )?;
    copy.authorizer(Some(authorize))?;
    let mut statement = copy.prepare(sql)?;
    let names: Vec<String> = statement.column_names().map(str::to_owned).collect();
    let rows = statement.query_map([], |row| {
        let field = |(place, name): (usize, &String)| Ok((name.clone(), json(row.get_ref(place)?)));
        names.iter().enumerate().map(field).collect()
    })?;
    rows.collect()
}

/// Reading and reckoning; neither files nor the host's clock and chance.
fn authorize(context: AuthContext<'_>) -> Authorization {
    match context.action {
        AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => Authorization::Allow,
        AuthAction::Function { function_name } if !OF_THE_HOST.contains(&function_name) => {
            Authorization::Allow
        }
        _ => Authorization::Deny,
    }
}

fn json(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => number.into(),
        ValueRef::Real(number) => number.into(),
        ValueRef::Text(bytes) | ValueRef::Blob(bytes) => String::from_utf8_lossy(bytes).into(),
    }
}
