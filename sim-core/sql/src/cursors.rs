//! Cursors: queries whose rows are kept, so that further statements can fetch them, forward and backward.
//!
//! The rows are computed when a cursor is opened. `ddl/portal.rs` has the statements, `plpgsql/run/cursors.rs` those of bodies, and
//! `client/cursors.rs` keeps the rows between the calls of a connection.

mod place;
mod query;

use std::collections::BTreeMap;
use std::sync::Arc;

use rusqlite::types::Value;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

pub(crate) use self::place::{Passed, Way};
pub(crate) use self::query::{Opened, refuse_changes};
use crate::bind::Settings;
use crate::catalog::{Catalog, Oid};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Returned;
use crate::system::System;
use crate::tree::Output;
use crate::types::Modified;

/// The name of the view of open cursors.
pub(crate) const VIEW: &str = "pg_cursors";

/// The most cursors that a session may have open, and the most bytes of rows in them.
const OPEN_MAX: usize = 1_000;
const BYTES_MAX: usize = 128 << 20;

/// The rows that are stored, and read again, in one piece.
const PART: usize = 256;

/// The rows of a cursor in pieces, by number; only those that are at hand.
type Parts = BTreeMap<usize, Part>;
type Part = Arc<Vec<Vec<Value>>>;

/// An open cursor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Portal {
    /// Counts the cursors of the session.
    id: u32,
    statement: String,
    holdable: bool,
    binary: bool,
    scrollable: bool,
    /// Whether it is from an earlier transaction.
    held: bool,
    /// Whether a loop goes through it, which goes on when the transaction ends in it.
    #[serde(skip)]
    looped: bool,
    /// When it was opened, in microseconds.
    created: i64,
    columns: Vec<(String, Modified)>,
    of: Of,
    count: usize,
    /// The number of its present row; 0 is the place before the first one, and one more than `count` that after the last one.
    at: usize,
    bytes: usize,
    /// The tables that its query reads.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tables: Vec<Oid>,
    #[serde(skip)]
    parts: Parts,
}

/// What the rows of a cursor are of, for `WHERE CURRENT OF`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Of {
    /// No rows that can be changed through it.
    #[default]
    Nothing,
    /// Rows that PostgreSQL can change through it, and this engine cannot.
    Unknown,
    /// Rows of a table, which the query may lock. Each has the number of its row as a further value.
    Table { oid: Oid, locked: bool },
}

/// What a statement says of a cursor that it opens.
#[derive(Clone, Debug, Default)]
pub(crate) struct Asked {
    pub(crate) statement: String,
    pub(crate) holdable: bool,
    pub(crate) binary: bool,
    /// `SCROLL` or `NO SCROLL`; `None`: whatever its query allows.
    pub(crate) scrolls: Option<bool>,
    pub(crate) created: i64,
}

/// Rows that a statement needs and that are not at hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedRows {
    /// The number of the cursor.
    pub cursor: u32,
    /// The numbers of the pieces.
    pub parts: std::ops::Range<u32>,
}

/// The open cursors of a session.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Portals {
    open: BTreeMap<String, Portal>,
    /// The number of the next one.
    next: u32,
    /// How many have got their names here.
    unnamed: u32,
    /// The number of the first one whose rows the holder of the connection does not have yet.
    saved: u32,
    #[serde(skip)]
    wanted: Option<WantedRows>,
    /// The savepoints of a call, with the number of the next cursor at each.
    #[serde(skip)]
    savepoints: Vec<(String, u32)>,
    /// Whether the last `FETCH` was from a binary cursor.
    #[serde(skip)]
    pub(crate) is_binary: bool,
}

impl Portals {
    pub(crate) fn find(&self, name: &str) -> Option<&Portal> {
        self.open.get(name)
    }

    pub(crate) fn get(&self, name: &str) -> Result<&Portal> {
        self.open.get(name).ok_or_else(|| no_cursor(name))
    }

    pub(crate) fn require_new(&self, name: &str) -> Result<()> {
        if !self.open.contains_key(name) {
            return Ok(());
        }
        let message = format!("cursor \"{name}\" already exists");
        Err(SqlError::new(SqlState::new("42P03"), message))
    }

    /// Opens a cursor, and returns its name. Without one it gets a name.
    pub(crate) fn open(&mut self, name: Option<String>, asked: Asked, opened: Opened) -> Result<String> {
        let name = name.unwrap_or_else(|| self.new_name());
        self.require_new(&name)?;
        let Opened { returned: Returned { columns, rows }, of, scrolls, tables } = opened;
        let bytes = asked.statement.len() + bytes_of(&rows);
        let held = self.open.values().map(|portal| portal.bytes).sum::<usize>();
        if self.open.len() >= OPEN_MAX || held + bytes > BYTES_MAX {
            let message = format!(
                "a session has at most {OPEN_MAX} open cursors, and at most {BYTES_MAX} bytes of rows in them"
            );
            return Err(SqlError::new(SqlState::PROGRAM_LIMIT, message));
        }
        let Asked { statement, holdable, binary, scrolls: asked_to, created } = asked;
        let portal = Portal {
            id: self.next,
            statement,
            holdable,
            binary,
            scrollable: asked_to.unwrap_or(scrolls),
            held: false,
            looped: false,
            created,
            columns: columns.into_iter().map(|column| (column.name, column.type_)).collect(),
            of,
            count: rows.len(),
            at: 0,
            bytes,
            tables,
            parts: in_parts(rows),
        };
        self.next += 1;
        self.open.insert(name.clone(), portal);
        Ok(name)
    }

    /// A name for a cursor that has none. Loops over queries count too.
    pub(crate) fn new_name(&mut self) -> String {
        loop {
            self.unnamed += 1;
            let name = format!("<unnamed portal {}>", self.unnamed);
            if !self.open.contains_key(&name) {
                return name;
            }
        }
    }

    /// The tables that the queries of open cursors read. One that is held has its rows.
    pub(crate) fn tables(&self) -> impl Iterator<Item = Oid> {
        self.open.values().filter(|portal| !portal.held).flat_map(|portal| portal.tables.iter().copied())
    }

    /// Notes that a loop goes through a cursor.
    pub(crate) fn keep_for_loop(&mut self, name: &str) {
        if let Some(portal) = self.open.get_mut(name) {
            portal.looped = true;
        }
    }

    /// Goes on in a cursor and returns the rows that are passed.
    pub(crate) fn fetch(&mut self, name: &str, way: Way) -> Result<Returned> {
        let portal = self.open.get_mut(name).ok_or_else(|| no_cursor(name))?;
        let passed = portal.go(way, false)?;
        let Some(rows) = portal.rows(&passed) else {
            self.wanted = portal.wanted(passed.places);
            return Err(SqlError::new(SqlState::INTERNAL, "the rows of the cursor are not at hand"));
        };
        self.is_binary = portal.binary;
        Ok(Returned { columns: portal.columns(), rows })
    }

    /// Goes on in a cursor and returns how many rows are passed.
    pub(crate) fn skip(&mut self, name: &str, way: Way) -> Result<usize> {
        let portal = self.open.get_mut(name).ok_or_else(|| no_cursor(name))?;
        Ok(portal.go(way, true)?.places.len())
    }

    pub(crate) fn close(&mut self, name: &str) -> Result<()> {
        self.open.remove(name).map(drop).ok_or_else(|| no_cursor(name))
    }

    pub(crate) fn close_all(&mut self) {
        self.open.clear();
    }

    /// Ends the transaction. Only cursors with hold outlive it.
    pub(crate) fn commit(&mut self) {
        self.open.retain(|_, portal| portal.holdable || portal.looped);
        self.open.values_mut().for_each(|portal| portal.held = true);
        self.savepoints.clear();
    }

    /// Undoes the transaction: its own cursors are closed, and others stay where they are.
    pub(crate) fn roll_back(&mut self) {
        self.open.retain(|_, portal| portal.held || portal.looped);
        self.savepoints.clear();
    }

    /// A place to return to: the number of the next cursor.
    pub(crate) fn mark(&self) -> u32 {
        self.next
    }

    /// Closes the cursors that were opened since a mark.
    pub(crate) fn return_to(&mut self, mark: u32) {
        self.open.retain(|_, portal| portal.id < mark);
    }

    pub(crate) fn set_savepoint(&mut self, name: &str) {
        self.savepoints.push((name.to_owned(), self.next));
    }

    pub(crate) fn return_to_savepoint(&mut self, name: &str) {
        if let Some(at) = self.savepoints.iter().rposition(|(known, _)| known == name) {
            self.savepoints.truncate(at + 1);
            self.return_to(self.savepoints[at].1);
        }
    }

    /// What a cursor is of, and the number of the row that it stands on.
    pub(crate) fn current(&mut self, name: &str, table: &str) -> Result<(Of, i64)> {
        let portal = self.get(name)?;
        let refused =
            |what: String| SqlError::new(SqlState::new("24000"), format!("cursor \"{name}\" {what}"));
        if portal.held {
            return Err(refused("is held from a previous transaction".to_owned()));
        }
        match portal.of {
            Of::Nothing => {
                return Err(refused(format!("is not a simply updatable scan of table \"{table}\"")));
            }
            Of::Unknown => {
                let what = "WHERE CURRENT OF a cursor of several tables or of a partitioned one";
                return Err(SqlError::unsupported(what));
            }
            Of::Table { .. } => {}
        }
        let nowhere = || refused("is not positioned on a row".to_owned());
        let at = portal.at.checked_sub(1).filter(|at| *at < portal.count).ok_or_else(nowhere)?;
        let Some(row) = portal.row(at) else {
            self.wanted = portal.wanted(at + 1..at + 2);
            return Err(SqlError::new(SqlState::INTERNAL, "the row of the cursor is not at hand"));
        };
        match row.last() {
            Some(Value::Integer(row)) => Ok((portal.of, *row)),
            _ => Err(nowhere()),
        }
    }

    /// The rows of `pg_cursors`.
    pub(crate) fn view(&self) -> Vec<Vec<Json>> {
        let row = |(name, portal): (&String, &Portal)| {
            let Portal { statement, holdable, binary, scrollable, created, .. } = portal;
            vec![
                json!(name),
                json!(statement),
                json!(i64::from(*holdable)),
                json!(i64::from(*binary)),
                json!(i64::from(*scrollable)),
                json!(created),
            ]
        };
        self.open.iter().map(row).collect()
    }

    /// Whether the session has never had a cursor.
    pub(crate) fn is_untouched(&self) -> bool {
        (self.next, self.unnamed) == (0, 0)
    }

    pub(crate) fn want(&mut self, wanted: Option<WantedRows>) {
        self.wanted = wanted;
    }

    pub(crate) fn take_wanted(&mut self) -> Option<WantedRows> {
        self.wanted.take()
    }

    /// Puts a piece of a cursor's rows at hand.
    pub(crate) fn lend(&mut self, cursor: u32, part: u32, rows: Vec<Vec<Value>>) {
        if let Some(portal) = self.open.values_mut().find(|portal| portal.id == cursor) {
            portal.parts.insert(part as usize, Arc::new(rows));
        }
    }

    /// The numbers of the open cursors.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.open.values().map(|portal| portal.id)
    }

    /// The pieces of rows that the holder of the connection does not have yet: cursor, number, rows. Later it has them.
    pub(crate) fn take_unsaved(&mut self) -> Vec<(u32, u32, Part)> {
        let from = std::mem::replace(&mut self.saved, self.next);
        let unsaved = self.open.values().filter(|portal| portal.id >= from);
        let pieces = unsaved.flat_map(|portal| {
            portal.parts.iter().map(|(number, rows)| (portal.id, *number as u32, rows.clone()))
        });
        pieces.collect()
    }

    /// These cursors, to which a client returns from `later`: those that it has not closed since, where they are now.
    pub(crate) fn returning_from(&self, later: &Portals) -> Portals {
        let mut now = later.clone();
        now.open.retain(|_, portal| self.numbers().any(|number| number == portal.id));
        now
    }
}

impl Portal {
    /// Whether a loop goes through it.
    pub(crate) fn is_looped(&self) -> bool {
        self.looped
    }

    /// The columns that its rows have for others.
    pub(crate) fn columns(&self) -> Vec<Output> {
        let columns = self.columns.iter().cloned();
        columns.map(|(name, type_)| Output { name, type_ }).collect()
    }

    fn row(&self, at: usize) -> Option<&Vec<Value>> {
        self.parts.get(&(at / PART))?.get(at % PART)
    }

    /// The rows that were passed; `None` if not all are at hand.
    fn rows(&self, passed: &Passed) -> Option<Vec<Vec<Value>>> {
        let visible = |row: &Vec<Value>| row[..self.columns.len().min(row.len())].to_vec();
        let rows = passed.places.clone().map(|place| self.row(place - 1).map(visible));
        if passed.backward { rows.rev().collect() } else { rows.collect() }
    }

    /// The pieces that the rows of some places are in and that are not at hand.
    fn wanted(&self, places: std::ops::Range<usize>) -> Option<WantedRows> {
        let parts = (places.start - 1) / PART..(places.end - 1).div_ceil(PART);
        Some(WantedRows { cursor: self.id, parts: parts.start as u32..parts.end as u32 })
    }
}

/// The view of open cursors. Its rows are those of the session, which [`Portals::view`] has.
pub(crate) fn relations() -> Vec<System> {
    let columns = &["name", "statement", "is_holdable", "is_binary", "is_scrollable", "creation_time"];
    let rows = |_: &Catalog, _: &Settings| Vec::new();
    vec![System { name: VIEW, columns, rows }]
}

fn in_parts(rows: Vec<Vec<Value>>) -> Parts {
    let mut parts = Parts::new();
    let mut rows = rows.into_iter().peekable();
    while rows.peek().is_some() {
        parts.insert(parts.len(), Arc::new(rows.by_ref().take(PART).collect()));
    }
    parts
}

/// About the memory that rows take.
pub(crate) fn bytes_of(rows: &[Vec<Value>]) -> usize {
    let of = |row: &Vec<Value>| {
        size_of_val(row)
            + row.iter().map(|value| size_of_val(value) + crate::encode::size(value)).sum::<usize>()
    };
    rows.iter().map(of).sum()
}

fn no_cursor(name: &str) -> SqlError {
    SqlError::new(SqlState::new("34000"), format!("cursor \"{name}\" does not exist"))
}
