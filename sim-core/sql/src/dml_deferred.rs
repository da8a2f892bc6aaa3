//! Constraint triggers that wait for the end of the transaction.
//!
//! What they wait for is in a table of SQLite: it outlasts the statement, and what a savepoint undoes is gone from it as well.

use std::rc::Rc;

use rusqlite::OptionalExtension;
use rusqlite::types::Value;

use super::catalog::{Oid, Trigger};
use super::error::Result;
use super::plpgsql::{Change, Watched};
use super::run::Engine;

/// The table. Databases of earlier versions get it when they need it.
pub(crate) const TABLE: &str = "
    CREATE TABLE IF NOT EXISTS pg_deferred (
        number INTEGER PRIMARY KEY, relation INTEGER NOT NULL, trigger INTEGER NOT NULL, event TEXT NOT NULL, old BLOB, new BLOB
    ) STRICT";

/// A change for which a trigger fires, after all rows of the statement have changed.
#[derive(Debug)]
pub(super) struct Later {
    pub(super) watched: Rc<Watched>,
    pub(super) trigger: Rc<Trigger>,
    pub(super) event: &'static str,
    pub(super) old: Option<Rc<[Value]>>,
    pub(super) new: Option<Rc<[Value]>>,
    /// The number of triggers that were running.
    pub(super) depth: i64,
}

/// A row of the table: its number, the table that has changed, the trigger, the event, and the row before and after.
type Waiting = (i64, Oid, Oid, String, Option<Vec<u8>>, Option<Vec<u8>>);

impl Engine<'_> {
    /// Fires a trigger, or notes that it fires at the end of the transaction.
    pub(super) fn fire_or_defer(&mut self, later: &Later) -> Result<()> {
        let trigger = &later.trigger;
        if !self.is_put_off(&trigger.name, trigger.deferrable, trigger.deferred) {
            let change = Change { event: later.event, old: later.old.as_deref(), new: later.new.as_deref() };
            return self.fire(&later.watched, trigger, change).map(drop);
        }
        let (old, new) = (later.old.as_deref().map(packed), later.new.as_deref().map(packed));
        let text = "INSERT INTO pg_deferred (relation, trigger, event, old, new) VALUES (?1, ?2, ?3, ?4, ?5)";
        if !self.keeps_deferred()? {
            self.connection.execute_batch(TABLE)?;
        }
        let mut insert = self.connection.prepare_cached(text)?;
        insert.execute((later.watched.relation.oid, trigger.oid, later.event, old, new))?;
        Ok(())
    }

    /// Fires the triggers that have waited: with `at_end` all of them, else those that wait no longer.
    pub(super) fn fire_deferred(&mut self, at_end: bool) -> Result<()> {
        let mut after = 0;
        while let Some(waiting) = self.next_deferred(after)? {
            after = if at_end { 0 } else { waiting.0 };
            self.fire_waiting(&waiting, at_end)?;
        }
        Ok(())
    }

    fn next_deferred(&self, after: i64) -> Result<Option<Waiting>> {
        let text = "SELECT number, relation, trigger, event, old, new FROM pg_deferred WHERE number > ?1 ORDER BY number LIMIT 1";
        let row = |row: &rusqlite::Row<'_>| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?, row.get(5)?))
        };
        match self.connection.prepare_cached(text) {
            Ok(mut first) => Ok(first.query_row([after], row).optional()?),
            Err(_) if !self.keeps_deferred()? => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Whether the table is there.
    fn keeps_deferred(&self) -> Result<bool> {
        let text = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'pg_deferred')";
        Ok(self.connection.prepare_cached(text)?.query_row([], |row| row.get(0))?)
    }

    fn fire_waiting(&mut self, waiting: &Waiting, at_end: bool) -> Result<()> {
        let (number, relation, trigger, event, old, new) = waiting;
        let watched = self.catalog.relation(*relation).map(|relation| self.watched(relation));
        let found = watched.as_ref().and_then(|watched| {
            watched.relation.triggers.iter().find(|known| known.oid == *trigger).cloned()
        });
        if let Some(trigger) = &found
            && !at_end
            && self.is_put_off(&trigger.name, trigger.deferrable, trigger.deferred)
        {
            return Ok(());
        }
        self.connection.execute("DELETE FROM pg_deferred WHERE number = ?1", [number])?;
        let (Some(watched), Some(trigger)) = (watched, found) else { return Ok(()) };
        let event = ["INSERT", "UPDATE", "DELETE"].into_iter().find(|known| known == event);
        let (old, new) = (old.as_deref().map(unpacked), new.as_deref().map(unpacked));
        let change = Change { event: event.unwrap_or("UPDATE"), old: old.as_deref(), new: new.as_deref() };
        let _table = self.using(vec![*relation]);
        self.fire(&watched, &trigger, change).map(drop)
    }

    /// Whether triggers wait with rows of a table.
    pub(super) fn has_deferred(&self, table: Oid) -> Result<bool> {
        if !self.keeps_deferred()? {
            return Ok(false);
        }
        let text = "SELECT EXISTS (SELECT 1 FROM pg_deferred WHERE relation = ?1)";
        Ok(self.connection.prepare_cached(text)?.query_row([table], |row| row.get(0))?)
    }
}

/// The values of a row as bytes: for each its kind, and what it is.
fn packed(row: &[Value]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in row {
        let (kind, content): (u8, &[u8]) = match value {
            Value::Null => (0, &[]),
            Value::Integer(number) => (1, &number.to_le_bytes()),
            Value::Real(number) => (2, &number.to_le_bytes()),
            Value::Text(text) => (3, text.as_bytes()),
            Value::Blob(blob) => (4, blob),
        };
        bytes.push(kind);
        bytes.extend(content.len().to_le_bytes());
        bytes.extend(content);
    }
    bytes
}

/// The row that [`packed`] has made bytes of.
fn unpacked(mut bytes: &[u8]) -> Vec<Value> {
    let mut row = Vec::new();
    while let Some((kind, rest)) = bytes.split_first() {
        let Some((length, rest)) = rest.split_first_chunk() else { break };
        let (content, rest) = rest.split_at(usize::from_le_bytes(*length).min(rest.len()));
        let eight = content.first_chunk().copied().unwrap_or_default();
        row.push(match kind {
            1 => Value::Integer(i64::from_le_bytes(eight)),
            2 => Value::Real(f64::from_le_bytes(eight)),
            3 => Value::Text(String::from_utf8_lossy(content).into_owned()),
            4 => Value::Blob(content.to_vec()),
            _ => Value::Null,
        });
        bytes = rest;
    }
    row
}
