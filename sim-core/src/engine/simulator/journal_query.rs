//! The journal in SQL: what happened in a world, and the rows it left, as tables of a database of their own.

use rusqlite::types::Value as Cell;
use rusqlite::{Connection, params_from_iter};
use serde::Serialize;
use serde_json::{Map, Value};
use sim_base::error::Error;
use sim_base::identity;
use sim_base::operation::Service;
use sim_base::row_query::answer;
use sim_base::view::View;

use super::Simulator;
use crate::engine::fault;
use crate::engine::journal::Dropped;

/// A table of what happened, with the fields of what it holds.
struct Table {
    name: &'static str,
    about: &'static str,
    columns: &'static [&'static str],
    rows: fn(&Simulator) -> Vec<Value>,
}

/// Tables of what happened. Those of the rows of resources are [`View`]s.
const TABLES: [Table; 5] = [
    Table {
        name: "call",
        about: "A call. Secrets are masked.",
        columns: &[
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
        rows: |sim| plain(sim.journal()),
    },
    Table {
        name: "event",
        about: "Work that was done at its instant.",
        columns: &["at", "kind", "subject", "task", "became", "caused_by_call"],
        rows: |sim| plain(sim.own_history(None)),
    },
    Table {
        name: "due",
        about: "Work that is still to be done.",
        columns: &["due", "seq", "kind", "subject", "task", "caused_by_call"],
        rows: |sim| plain(sim.own_agenda()),
    },
    Table {
        name: "dropped",
        about: "How many calls and events the journal no longer holds.",
        columns: &["calls", "events"],
        rows: |sim| plain(vec![sim.own_dropped()]),
    },
    Table {
        name: "rate_window",
        about: "What a caller has used of the rate limit.",
        columns: &["user", "app", "used", "remaining", "opened_at", "ends_at", "blocked"],
        rows: |sim| plain(sim.rate_windows()),
    },
];

fn plain<T: Serialize>(rows: Vec<T>) -> Vec<Value> {
    rows.into_iter().map(|row| serde_json::to_value(row).expect("a row is plain data")).collect()
}

impl Simulator {
    /// Asks what happened, and what there is, in SQLite's SQL. The query runs on a copy: it can change nothing.
    ///
    /// The tables `call`, `event` and `due` have the fields of [`Call`](super::Call), [`Happened`](super::Happened) and
    /// [`Due`](super::Due); `dropped` says how many calls and events the journal no longer holds; each resource has tables of
    /// its rows, such as `project`, without secrets. The first column of all of them is `service`: of a world of two, both
    /// are there. `select name, sql from sqlite_schema` lists tables and columns.
    ///
    /// Refuses what is no query, and one that takes too long.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::management::project::CreateProject;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// let rows = sim.query_journal("select operation, count(*) as calls from call group by operation")?;
    /// assert_eq!(rows[0]["calls"], 1);
    /// let rows = sim.query_journal("select name, target from project join call on changed_by_call = call")?;
    /// assert_eq!((&rows[0]["name"], &rows[0]["target"]), (&"demo".into(), &"/v1/projects".into()));
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn query_journal(&self, sql: &str) -> Result<Vec<Map<String, Value>>, Error> {
        self.copied(sql).and_then(|mut copy| answer(&mut copy, sql)).map_err(|error| {
            let tables = "the tables are call, event, due, dropped, and those of resources; \
                          select name, sql from sqlite_schema lists them";
            Error::invalid("invalid_body.sql", format!("sql: {error}; {tables}"))
        })
    }

    /// How many calls the [journal](Simulator::journal) no longer holds, and how many events the [history](Simulator::history):
    /// the policy bounds them (`Policy.journal_calls`).
    ///
    /// ```
    /// use sim_core::management::project::ListProjects;
    /// use sim_core::{Policy, Simulator};
    ///
    /// let policy = Policy { journal_calls: 10, ..Policy::default() };
    /// let mut sim = Simulator::builder().policy(policy).build();
    /// for _ in 0..64 {
    ///     let _ = sim.call(ListProjects {});
    /// }
    /// assert_eq!(sim.dropped().calls, 54);
    /// ```
    pub fn dropped(&self) -> Dropped {
        let events = self.halves().map(|half| half.own_dropped().events).sum();
        Dropped { events, ..self.own_dropped() }
    }

    /// The tables that `sql` names with their rows, and the others without.
    fn copied(&self, sql: &str) -> rusqlite::Result<Connection> {
        let copy = Connection::open_in_memory()?;
        for half in self.halves() {
            for Table { name, about, columns, rows } in &TABLES {
                let columns: Vec<String> = columns.iter().map(|&column| column.to_owned()).collect();
                let cells = |row: Value| columns.iter().map(|column| stored(&row[column])).collect();
                let rows = || Ok(rows(half).into_iter().map(cells).collect());
                half.copy(&copy, name, about, &columns, is_named(sql, name), rows)?;
            }
            for view in views(half.registry().service) {
                let View { name, about, .. } = view;
                let columns = half.read(|db| view.columns(db))?;
                half.copy(&copy, name, about, &columns, is_named(sql, name), || {
                    half.read(|db| view.rows(db))
                })?;
            }
        }
        Ok(copy)
    }

    /// Makes a table, unless the other service has made it, and fills it where it is `wanted`.
    fn copy(
        &self,
        copy: &Connection,
        name: &str,
        about: &str,
        columns: &[String],
        wanted: bool,
        rows: impl FnOnce() -> rusqlite::Result<Vec<Vec<Cell>>>,
    ) -> rusqlite::Result<()> {
        let names = columns.join(", ");
        copy.execute_batch(&format!(
            "CREATE TABLE IF NOT EXISTS \"{name}\" (/* {about} */ service, {names})"
        ))?;
        if !wanted {
            return Ok(());
        }
        let places = vec!["?"; columns.len() + 1].join(", ");
        let mut insert = copy.prepare(&format!("INSERT INTO \"{name}\" VALUES ({places})"))?;
        let service = Cell::Text(self.registry().name().to_owned());
        for row in rows()? {
            insert.execute(params_from_iter([&service].into_iter().chain(&row)))?;
        }
        Ok(())
    }
}

/// Whether a query may be about a table: names are written as they are, whatever the quotes around them.
fn is_named(sql: &str, table: &str) -> bool {
    sql.to_ascii_lowercase().contains(table)
}

/// Numbers and texts as they are, the rest as JSON.
fn stored(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Bool(yes) => Cell::Integer((*yes).into()),
        Value::Number(number) => number.as_i64().map_or(Cell::Null, Cell::Integer),
        Value::String(text) => Cell::Text(text.clone()),
        other => Cell::Text(other.to_string()),
    }
}

/// The views of the rows that every service has, and of its own.
fn views(service: &'static Service) -> impl Iterator<Item = &'static View> {
    [identity::VIEWS, fault::VIEWS].into_iter().flatten().chain(service.views())
}
