//! The right to call what a row's checks, generated columns and indexes call. It is asked of whoever stores the row.

use std::collections::BTreeSet;

use super::follow_column::TEXT_WORK;
use crate::bind::{Clause, Scope};
use crate::catalog::{ConstraintKind, Oid, Relation};
use crate::error::Result;
use crate::run::Engine;

impl Engine<'_> {
    /// SQL for a trigger, which fails where the role may not call what the definitions of a row call; empty if they call nothing.
    pub(super) fn rights_of_row(&self, relation: &Relation, event: &str) -> Result<String> {
        let mut called = BTreeSet::new();
        for (text, clause) in texts_of_row(relation, event) {
            if !self.catalog.routines_called_in(text).is_empty() {
                called.extend(self.called_in(relation, text, clause)?);
            }
        }
        let called: Vec<String> = called.iter().map(Oid::to_string).collect();
        Ok(if called.is_empty() {
            String::new()
        } else {
            format!("SELECT pg_may_call({});", called.join(","))
        })
    }

    /// The functions that a text about a row calls itself.
    fn called_in(&self, relation: &Relation, text: &str, clause: Clause) -> Result<BTreeSet<Oid>> {
        self.budget.work(TEXT_WORK)?;
        let mut binder = self.binder();
        binder.calls = Some(BTreeSet::new());
        let table = binder.row_of(relation)?;
        binder.stored(text, |binder| {
            let parsed = binder.source.expression()?;
            binder.expr_in(clause, &Scope::of(table), &parsed)
        })?;
        Ok(binder.calls.unwrap_or_default())
    }

    /// Refuses a call of functions that the role may not call.
    pub(crate) fn require_calls(&self, called: impl Iterator<Item = Oid>) -> Result<()> {
        let mut routines = called.filter_map(|oid| self.catalog.routine(oid));
        let denied =
            routines.find(|routine| !self.catalog.allows(&self.settings.role, routine.guarded(), 'X'));
        match denied {
            Some(routine) => Err(routine.denied()),
            None => Ok(()),
        }
    }
}

/// The texts that are computed when a row is stored. An update computes its checks in any case; which of the others it computes depends
/// on the columns that it sets.
fn texts_of_row<'r>(relation: &'r Relation, event: &str) -> Vec<(&'r str, Clause)> {
    let checks = relation.constraints.iter().filter_map(|constraint| match &constraint.kind {
        ConstraintKind::Check { expression } => Some((expression.as_str(), Clause::Check)),
        _ => None,
    });
    let mut found: Vec<_> = checks.collect();
    if event == "UPDATE" {
        return found;
    }
    let generated = relation.columns.iter().filter_map(|column| column.generated.as_deref());
    found.extend(generated.map(|text| (text, Clause::Generated)));
    for index in &relation.indexes {
        let keys = index.keys.iter().filter_map(|key| key.expression.as_deref());
        found.extend(keys.chain(index.predicate.as_deref()).map(|text| (text, Clause::Index)));
    }
    found
}
