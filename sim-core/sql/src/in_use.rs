//! Tables that a definition must leave alone, because something still uses them: a running query, an open cursor, or events that
//! wait for the end of the transaction.

use std::rc::Rc;

use rusqlite::types::Value;

use super::catalog::{ConstraintKind, Oid, Relation};
use super::error::{Result, SqlError, SqlState};
use super::plpgsql::Known;
use super::run::Engine;

/// Tables that are in use until this is dropped.
pub(crate) struct InUse(Rc<Known>);

impl Drop for InUse {
    fn drop(&mut self) {
        self.0.in_use.borrow_mut().pop();
    }
}

/// The tables that a statement of SQLite names: each is `r` and a number.
pub(crate) fn tables_in(sql: &str) -> Vec<Oid> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let words = sql.split(|letter: char| letter.is_ascii() && !is_part(letter as u8));
    words.filter_map(|word| word.strip_prefix('r')?.parse().ok()).collect()
}

impl Engine<'_> {
    /// Notes that tables are in use.
    pub(crate) fn using(&self, tables: Vec<Oid>) -> InUse {
        self.known.in_use.borrow_mut().push(tables);
        InUse(self.known.clone())
    }

    /// Refuses `command` for a table that is in use.
    pub(crate) fn require_free(&self, relation: &Relation, command: &str) -> Result<()> {
        let why = if self.is_in_use(relation) {
            "it is being used by active queries in this session"
        } else if self.has_pending_events(relation)? {
            "it has pending trigger events"
        } else {
            return Ok(());
        };
        let message = format!("cannot {command} \"{}\" because {why}", relation.name);
        Err(SqlError::new(SqlState::new("55006"), message))
    }

    /// The rows of a partitioned table are read from its partitions alone.
    fn is_in_use(&self, relation: &Relation) -> bool {
        let is_read = |table: Oid| self.catalog.is_within(relation, table);
        relation.partitioning.is_none()
            && (self.known.in_use.borrow().iter().flatten().any(|table| is_read(*table))
                || self.known.cursors.borrow().tables().any(is_read))
    }

    /// Whether triggers or foreign keys wait for the end of the transaction with rows of a table.
    fn has_pending_events(&self, relation: &Relation) -> Result<bool> {
        if self.has_deferred(relation.oid)? {
            return Ok(true);
        }
        let keys = self.fetch("SELECT DISTINCT key, side FROM pg_pending", 2)?;
        Ok(keys.iter().any(|row| match row[..] {
            [Value::Integer(key), Value::Integer(side)] => self.waits_with(relation.oid, key, side > 0),
            _ => false,
        }))
    }

    /// Whether a deferred constraint waits with rows of a table: of the table that has the constraint, or of the one to which a
    /// foreign key refers.
    fn waits_with(&self, table: Oid, key: i64, of_parent: bool) -> bool {
        let all = self.catalog.relations();
        let mut all = all.flat_map(|relation| {
            relation.constraints.iter().map(move |constraint| (relation.oid, constraint))
        });
        let found = all.find(|(_, constraint)| i64::from(constraint.oid) == key);
        found.is_some_and(|(own, constraint)| {
            let waits = match constraint.kind {
                ConstraintKind::Foreign { table: parent, .. } if of_parent => parent,
                _ => own,
            };
            waits == table && self.is_deferred(constraint)
        })
    }
}
