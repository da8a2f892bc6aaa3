//! What follows when all rows of a statement have changed: cascades and triggers, in PostgreSQL's order.

use std::rc::Rc;

use rusqlite::types::Value;

use super::catalog::{Oid, Relation};
use super::dml_deferred::Later;
use super::dml_order::Noted;
use super::dml_rows::Progress;
use super::error::Result;
use super::plpgsql::{Watched, depth, noted_at};
use super::run::Engine;

/// What follows a change. A row's cascades come before its triggers, and what they bring about after all of these.
#[derive(Debug)]
pub(super) enum After {
    /// A trigger of a row.
    Row(Box<Later>),
    /// The rows that refer to a row that was deleted, or has another key.
    Cascade { parent: Rc<Relation>, old: Vec<Value>, new: Option<Vec<Value>>, noted: Vec<Noted> },
    /// The triggers for each statement.
    Statement { watched: Watched, event: &'static str, set: Vec<u32>, depth: i64 },
}

impl After {
    pub(super) fn statement(watched: &Watched, event: &'static str, set: &[u32]) -> After {
        After::Statement { watched: watched.clone(), event, set: set.to_vec(), depth: depth() }
    }

    /// Whether these are the triggers for each statement of a table and an event.
    pub(super) fn is_statement_of(&self, table: Oid, of: &str) -> bool {
        matches!(self, After::Statement { watched, event, .. } if watched.relation.oid == table && *event == of)
    }
}

/// The changes of the parts of one `WITH`, whose triggers fire when all parts have run.
#[derive(Default)]
pub(super) struct Joined {
    /// The number of function bodies around the statement.
    calls: usize,
    changes: Vec<Progress>,
    /// The columns that all clauses of a `MERGE` update. Its triggers for each statement fire once.
    merges: Option<Vec<u32>>,
}

impl Engine<'_> {
    /// Ends the changes of a statement, or leaves that to the end of the `WITH` of which it is a part.
    pub(super) fn end_changes(&mut self, progress: &mut Progress) -> Result<()> {
        if self.is_joined() {
            let changes = self.joined.as_mut().map(|joined| &mut joined.changes);
            changes.into_iter().for_each(|changes| changes.push(progress.ending()));
            return Ok(());
        }
        self.check_pending(false)?;
        self.fire_after_all(progress)
    }

    /// Whether the statement at hand is a part of another.
    pub(super) fn is_joined(&self) -> bool {
        self.joined.as_ref().is_some_and(|joined| joined.calls == self.calls)
    }

    /// Runs the parts of one statement. Keys are checked and triggers fire when all rows have changed.
    pub(super) fn join_changes<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outer = self.joined.replace(Joined { calls: self.calls, ..Joined::default() });
        let result = run(self);
        let joined = std::mem::replace(&mut self.joined, outer).unwrap_or_default();
        let result = result?;
        self.check_pending(false)?;
        joined.changes.into_iter().try_for_each(|mut progress| self.fire_after_all(&mut progress))?;
        self.check_pending(false)?;
        Ok(result)
    }

    /// Whether the statement at hand is a clause of a `MERGE`.
    pub(super) fn is_merging(&self) -> bool {
        self.set_by_merge().is_some()
    }

    /// The columns that count as updated: those of all clauses of a `MERGE`, otherwise those of the statement itself.
    pub(super) fn counted_as_set(&self, set: &[u32], progress: &Progress) -> Vec<u32> {
        match self.set_by_merge() {
            Some(all) if progress.is_at_hand => all.to_vec(),
            _ => set.to_vec(),
        }
    }

    fn set_by_merge(&self) -> Option<&[u32]> {
        let joined = self.joined.as_ref().filter(|_| self.is_joined())?;
        joined.merges.as_deref()
    }

    /// Runs the clauses of a `MERGE` into a table. `sets` has the columns that its updates set, if it has any, and so on.
    pub(super) fn join_merge<T>(
        &mut self,
        relation: &Relation,
        [insert, update, delete]: [Option<Vec<u32>>; 3],
        run: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        let watched = self.watched(relation);
        let events = [("INSERT", insert), ("UPDATE", update), ("DELETE", delete)];
        for (event, set) in &events {
            let fires = set.as_ref().map(|set| self.fire_for_statement(&watched, "BEFORE", event, set));
            fires.unwrap_or(Ok(()))?;
        }
        let merges = Some(events[1].1.clone().unwrap_or_default());
        let merging = Joined { calls: self.calls, merges, ..Joined::default() };
        let outer = self.joined.replace(merging);
        let result = run(self);
        let joined = std::mem::replace(&mut self.joined, outer).unwrap_or_default();
        let result = result?;
        let mut all = Progress::default();
        joined.changes.into_iter().for_each(|changes| all.join(changes));
        for (event, set) in events.iter().rev() {
            let after = set.as_ref().map(|set| After::statement(&watched, event, set));
            all.after.extend(after);
        }
        self.check_pending(false)?;
        self.fire_after_all(&mut all)?;
        self.check_pending(false)?;
        Ok(result)
    }

    fn fire_after_all(&mut self, progress: &mut Progress) -> Result<()> {
        let mut unchecked = false;
        while let Some(next) = progress.after.pop_front() {
            if unchecked && !matches!(next, After::Cascade { .. }) {
                self.check_pending(false)?;
                unchecked = false;
            }
            match next {
                After::Cascade { parent, old, new, noted } => {
                    self.cascade(&parent, (&old, new.as_deref()), &noted, progress)?;
                    unchecked = true;
                }
                After::Row(later) => self.seeing_changed(progress, |engine| {
                    noted_at(later.depth, || engine.fire_or_defer(&later))
                })?,
                After::Statement { watched, event, set, depth } => self
                    .seeing_changed(progress, |engine| {
                        noted_at(depth, || engine.fire_for_statement(&watched, "AFTER", event, &set))
                    })?,
            }
        }
        Ok(())
    }

    /// Lets triggers read all rows that have changed.
    fn seeing_changed(
        &mut self,
        progress: &Progress,
        fire: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        let outer = std::mem::replace(&mut self.changed, progress.changed.clone());
        let fired = fire(self);
        self.changed = outer;
        fired
    }
}
