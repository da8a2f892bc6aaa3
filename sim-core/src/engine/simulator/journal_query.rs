//! Querying the journal in SQL. A separate database holds the calls and events of a world, and the rows of its
//! resources.

use std::panic::RefUnwindSafe;

use rusqlite::types::Value as Cell;
use rusqlite::{Connection, Statement, params_from_iter};
use serde::Serialize;
use serde_json::{Map, Value};
use sim_base::error::Error;
use sim_base::identity;
use sim_base::near;
use sim_base::operation::Service;
use sim_base::row_query::{self, Wrong};
use sim_base::view::View;

use super::Simulator;
use crate::engine::fault;
use crate::engine::journal::Dropped;

/// A table of calls, events or the like. Its columns are the fields of the type that it holds.
struct Table {
    name: &'static str,
    about: &'static str,
    columns: &'static [&'static str],
    rows: fn(&Simulator, &mut Insert<'_>) -> rusqlite::Result<()>,
}

/// Adds a row to the copy.
type Insert<'a> = dyn FnMut(Value) -> rusqlite::Result<()> + 'a;

/// Tables that every service has. The tables of resource rows are [`View`]s.
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
            "request_cut",
            "role",
            "state",
            "status",
            "reason",
            "refused_by",
            "facts",
            "response",
            "response_cut",
            "fault",
            "hash",
        ],
        rows: |sim, insert| each(sim.journal.shown(&sim.onlooker()), insert),
    },
    Table {
        name: "event",
        about: "Finished work.",
        columns: &["at", "kind", "subject", "task", "became", "caused_by_call"],
        rows: |sim, insert| each(sim.own_history(None), insert),
    },
    Table {
        name: "due",
        about: "Scheduled work, and what ends by itself.",
        columns: &["due", "seq", "kind", "subject", "name", "event", "becomes", "task", "caused_by_call"],
        rows: |sim, insert| each(sim.own_agenda(), insert),
    },
    Table {
        name: "dropped",
        about: "The numbers of calls and events that the journal has dropped.",
        columns: &["calls", "events"],
        rows: |sim, insert| each([sim.own_dropped()], insert),
    },
    Table {
        name: "rate_window",
        about: "The use of the rate limit by a caller.",
        columns: &["user", "app", "used", "remaining", "opened_at", "ends_at", "blocked"],
        rows: |sim, insert| each(sim.rate_windows(), insert),
    },
];

/// Adds the rows one by one: together they may be large.
fn each<T: Serialize>(rows: impl IntoIterator<Item = T>, insert: &mut Insert<'_>) -> rusqlite::Result<()> {
    rows.into_iter().try_for_each(|row| insert(serde_json::to_value(row).expect("a row is plain data")))
}

impl Simulator {
    /// Runs a query in SQLite's SQL on the calls, events and resource rows of this world. The query runs on a copy,
    /// so it cannot change the world.
    ///
    /// The tables `call`, `event` and `due` have the fields of [`Call`](crate::engine::journal::Call), [`Happened`](super::Happened)
    /// and [`Due`](sim_base::Due). The table `dropped` says how many calls and events the journal no longer holds. Each
    /// resource has tables of its rows, such as `project`, without secrets. The first column of every table is
    /// `service`: a world with two services has the rows of both. `select name, sql from sqlite_schema` lists tables
    /// and columns.
    ///
    /// Refuses text that is not a query. Also refuses a query that takes too long, and an answer that is too large.
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
        self.query_journal_while(sql, || true)
    }

    /// Like [`query_journal`](Simulator::query_journal), for callers with a clock: the query is also refused as too
    /// long once `goes_on` returns `false`.
    pub fn query_journal_while(
        &self,
        sql: &str,
        goes_on: impl Fn() -> bool + Send + RefUnwindSafe + 'static,
    ) -> Result<Vec<Map<String, Value>>, Error> {
        let copied = self.copied(sql).map_err(Wrong::from);
        copied.and_then(|(mut copy, longest)| row_query::answer(&mut copy, sql, longest, goes_on)).map_err(
            |wrong| match wrong {
                Wrong::TooMuch(text) => Error::invalid("invalid_body.sql", format!("sql: {text}")),
                Wrong::Sql(error) => {
                    let tables = "the tables are call, event, due, dropped, and those of resources; \
                                  select name, sql from sqlite_schema lists them";
                    let text = error.to_string();
                    let question =
                        text.split_once("no such table: ").map(|(_, rest)| self.nearest_table(rest));
                    let question = question.unwrap_or_default();
                    Error::invalid("invalid_body.sql", format!("sql: {text}; {tables}{question}"))
                }
            },
        )
    }

    /// Suggests the table that a query may mean by the name at the start of `text`.
    fn nearest_table(&self, text: &str) -> String {
        let name = text.split(|char: char| !char.is_alphanumeric() && char != '_').next().unwrap_or_default();
        let views =
            [Some(self), self.beside()].into_iter().flatten().flat_map(|half| views(half.registry().service));
        near::question(name, TABLES.iter().map(|table| table.name).chain(views.map(|view| view.name)))
    }

    /// How many calls the [journal](Simulator::journal) has dropped, and how many events the
    /// [history](Simulator::history) has dropped. The policy limits both (`Policy.journal_calls`).
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

    /// A database with all tables, and the length of its longest row. Only tables that `sql` names are filled.
    fn copied(&self, sql: &str) -> rusqlite::Result<(Connection, usize)> {
        let copy = row_query::open()?;
        let mut longest = 0;
        for half in self.halves() {
            for Table { name, about, columns, rows } in &TABLES {
                let columns: Vec<String> = columns.iter().map(|&column| column.to_owned()).collect();
                let mut filling = Filling::of(half, &copy, name, about, &columns, &mut longest)?;
                if is_named(sql, name) {
                    let cells = |row: &Value| columns.iter().map(|column| stored(&row[column])).collect();
                    rows(half, &mut |row| filling.add(cells(&row)))?;
                }
            }
            for view in views(half.registry().service) {
                let View { name, about, .. } = view;
                let columns = half.read(|db| view.columns(db))?;
                let mut filling = Filling::of(half, &copy, name, about, &columns, &mut longest)?;
                if is_named(sql, name) {
                    half.read(|db| view.rows(db))?.into_iter().try_for_each(|cells| filling.add(cells))?;
                }
            }
        }
        Ok((copy, longest))
    }
}

/// A table of the copy while it is filled.
struct Filling<'c> {
    insert: Statement<'c>,
    service: Cell,
    longest: &'c mut usize,
}

impl<'c> Filling<'c> {
    /// Creates the table, unless the other service has created it.
    fn of(
        half: &Simulator,
        copy: &'c Connection,
        name: &str,
        about: &str,
        columns: &[String],
        longest: &'c mut usize,
    ) -> rusqlite::Result<Filling<'c>> {
        let names = columns.join(", ");
        copy.execute_batch(&format!(
            "CREATE TABLE IF NOT EXISTS \"{name}\" (/* {about} */ service, {names})"
        ))?;
        let places = vec!["?"; columns.len() + 1].join(", ");
        let insert = copy.prepare(&format!("INSERT INTO \"{name}\" VALUES ({places})"))?;
        Ok(Filling { insert, service: Cell::Text(half.registry().name().to_owned()), longest })
    }

    fn add(&mut self, row: Vec<Cell>) -> rusqlite::Result<()> {
        let length = |cell: &Cell| match cell {
            Cell::Text(text) => text.len(),
            Cell::Blob(bytes) => bytes.len(),
            Cell::Null | Cell::Integer(_) | Cell::Real(_) => 8,
        };
        *self.longest = (*self.longest).max(row.iter().map(length).sum::<usize>());
        self.insert.execute(params_from_iter([&self.service].into_iter().chain(&row))).map(drop)
    }
}

/// Whether a query may use a table: whether its text contains the table's name.
fn is_named(sql: &str, table: &str) -> bool {
    sql.to_ascii_lowercase().contains(table)
}

/// Converts a JSON value to a cell. Lists and objects become JSON text.
fn stored(value: &Value) -> Cell {
    match value {
        Value::Null => Cell::Null,
        Value::Bool(yes) => Cell::Integer((*yes).into()),
        Value::Number(number) => number.as_i64().map_or(Cell::Null, Cell::Integer),
        Value::String(text) => Cell::Text(text.clone()),
        other => Cell::Text(other.to_string()),
    }
}

/// The views that every service has, and the service's own.
fn views(service: &'static Service) -> impl Iterator<Item = &'static View> {
    [identity::VIEWS, fault::VIEWS].into_iter().flatten().chain(service.views())
}
