//! Where a row is deleted along with another, or loses its reference, and must not be referred to itself: which of both comes
//! first decides what a statement does.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::Value;

use super::catalog::{Action, Constraint, ConstraintKind, Oid, Relation};
use super::dml_cascade::Follower;
use super::error::Result;
use super::run::Engine;

/// A note in `pg_pending` that a row to which others refer has gone: the key, its values, and the side.
#[derive(Debug)]
pub(super) struct Noted {
    pub(super) key: Oid,
    values: String,
    side: i64,
}

/// The changes that follow a statement: the columns that an event sets, for each table and event.
#[derive(Default)]
struct Reach {
    events: BTreeMap<(Oid, &'static str), BTreeSet<u32>>,
    waiting: Vec<(Oid, &'static str, BTreeSet<u32>)>,
    /// Keys without an action to one of these tables, and the tables that have their rows.
    checked: Vec<(Oid, BTreeSet<u32>)>,
    /// Whether one of the changes may be refused while others are to come.
    refusable: bool,
}

impl Engine<'_> {
    /// Whether a statement both changes rows along with those to which they refer and checks that other rows don't refer to them, so
    /// that the order matters. `set` has the columns that an update sets.
    pub(super) fn order_matters(
        &self,
        relation: &Relation,
        event: &'static str,
        set: &[u32],
    ) -> Result<bool> {
        let mut reach = Reach::default();
        self.reach_from(relation.oid, event, &set.iter().copied().collect(), &mut reach);
        while let Some((table, event, set)) = reach.waiting.pop() {
            let known = reach.events.get(&(table, event));
            if known.is_some_and(|known| known.is_superset(&set)) {
                continue;
            }
            self.budget.work(100)?;
            reach.events.entry((table, event)).or_default().extend(&set);
            self.reach_from(table, event, &set, &mut reach);
        }
        let changes = |(child, columns): &(Oid, BTreeSet<u32>)| {
            let set = reach.events.get(&(*child, "UPDATE"));
            reach.events.contains_key(&(*child, "DELETE")) || set.is_some_and(|set| !set.is_disjoint(columns))
        };
        // The other parts of a `WITH` see the rows that follow as they were.
        let seen = self.is_joined() && !reach.events.is_empty();
        Ok(seen || reach.refusable || reach.checked.iter().any(changes))
    }

    /// Adds what follows from one event of a table.
    fn reach_from(&self, table: Oid, event: &'static str, changed: &BTreeSet<u32>, reach: &mut Reach) {
        for (child, constraint) in self.catalog.references_to(table) {
            let ConstraintKind::Foreign { columns, on_delete, on_update, set, .. } = &constraint.kind else {
                continue;
            };
            let update = event == "UPDATE";
            if update && !columns.iter().any(|column| changed.contains(column)) {
                continue;
            }
            let stored = self.catalog.with_rows_of(child).oid;
            let own = || constraint.columns.iter().copied().collect::<BTreeSet<u32>>();
            match if update { on_update } else { on_delete } {
                Action::NoAction if self.is_deferred(constraint) => {}
                Action::NoAction | Action::Restrict => reach.checked.push((stored, own())),
                Action::Cascade if !update => reach.waiting.push((stored, "DELETE", BTreeSet::new())),
                action => {
                    let set = if update || set.is_empty() { own() } else { set.iter().copied().collect() };
                    let required =
                        |column: &u32| child.column_number(*column).is_some_and(|column| column.not_null);
                    // A row that is deleted too may not get these values in the meantime.
                    let checks = || {
                        let is_check =
                            |known: &Constraint| matches!(known.kind, ConstraintKind::Check { .. });
                        stored == table && child.constraints.iter().any(is_check)
                    };
                    reach.refusable |= *action == Action::SetNull && set.iter().any(required) || checks();
                    reach.waiting.push((stored, "UPDATE", set));
                }
            }
        }
    }

    /// The number of the last note.
    pub(super) fn last_note(&self) -> Result<i64> {
        let text = "SELECT coalesce(max(rowid), 0) FROM pg_pending";
        Ok(self.connection.prepare_cached(text)?.query_row([], |row| row.get(0))?)
    }

    /// Takes the notes after a number that are about keys of `followers`, whose turn comes among these.
    pub(super) fn take_notes(&mut self, after: i64, followers: &[Follower]) -> Result<Vec<Noted>> {
        if self.last_note()? <= after {
            return Ok(Vec::new());
        }
        let keys: Vec<String> =
            followers.iter().filter_map(Follower::checked).map(|k| k.to_string()).collect();
        let of = format!("WHERE rowid > {after} AND side > 0 AND key IN ({})", keys.join(","));
        let found = self.fetch(&format!("SELECT DISTINCT key, value, side FROM pg_pending {of}"), 3)?;
        self.execute(&format!("DELETE FROM pg_pending {of}"))?;
        let noted = |row: Vec<Value>| match <[Value; 3]>::try_from(row) {
            Ok([Value::Integer(key), Value::Text(values), Value::Integer(side)]) => {
                Some(Noted { key: key as Oid, values, side })
            }
            _ => None,
        };
        Ok(found.into_iter().filter_map(noted).collect())
    }

    /// Checks that no row refers any more to one that has gone.
    pub(super) fn check_noted(&self, child: &Relation, constraint: &Constraint, noted: &Noted) -> Result<()> {
        self.budget.work(1_000)?;
        if self.settings.is_replica() {
            return Ok(());
        }
        self.check_foreign(child, constraint, &noted.values, noted.side)
    }
}
