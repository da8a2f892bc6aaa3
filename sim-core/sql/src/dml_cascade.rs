//! Rows that change with a row to which they refer, where that fires triggers.

use rusqlite::types::Value;

use super::catalog::{Action, Constraint, ConstraintKind, Relation};
use super::dml_rows::Progress;
use super::error::{Result, SqlError, SqlState};
use super::run::Engine;

/// The most tables between a changed row and one that changes with it.
const CASCADES_MAX: usize = 50;

impl Engine<'_> {
    /// Changes the rows that refer to a deleted one.
    pub(super) fn cascade(
        &mut self,
        parent: &Relation,
        old: &[Value],
        progress: &mut Progress,
    ) -> Result<()> {
        let catalog = self.catalog.clone();
        for (child, constraint) in catalog.references_to(parent.oid) {
            let ConstraintKind::Foreign { columns, on_delete, set, .. } = &constraint.kind else { continue };
            let event = match on_delete {
                Action::Cascade => "DELETE",
                Action::SetNull => "UPDATE",
                _ => continue,
            };
            if !self.changes_by_rows(child, event) {
                continue;
            }
            let found = self.referring_rows(child, constraint, key(parent, columns, old), progress)?;
            let watched = self.watched(child);
            let nulled = if set.is_empty() { &constraint.columns } else { set };
            progress.cascades += 1;
            for number in found {
                self.budget.work(1_000)?;
                if event == "DELETE" {
                    self.delete_row(&watched, None, number, progress)?;
                } else {
                    let nulls = vec![Value::Null; nulled.len()];
                    self.write_row(&watched, number, (nulled, &nulls), None, progress)?;
                }
            }
            progress.cascades -= 1;
        }
        Ok(())
    }

    /// Gives the rows that refer to a row its new key.
    pub(super) fn cascade_update(
        &mut self,
        parent: &Relation,
        (old, new): (&[Value], &[Value]),
        progress: &mut Progress,
    ) -> Result<()> {
        let catalog = self.catalog.clone();
        for (child, constraint) in catalog.references_to(parent.oid) {
            let ConstraintKind::Foreign { columns, on_update, .. } = &constraint.kind else { continue };
            let before = key(parent, columns, old);
            let after = match (on_update, key(parent, columns, new)) {
                (Action::Cascade, Some(after)) => after,
                (Action::SetNull, Some(_)) => vec![Value::Null; columns.len()],
                _ => continue,
            };
            if before.as_ref() == key(parent, columns, new).as_ref() || !self.changes_by_rows(child, "UPDATE")
            {
                continue;
            }
            let found = self.referring_rows(child, constraint, before, progress)?;
            let watched = self.watched(child);
            progress.cascades += 1;
            for number in found {
                self.budget.work(1_000)?;
                self.write_row(&watched, number, (&constraint.columns, &after), None, progress)?;
            }
            progress.cascades -= 1;
        }
        Ok(())
    }

    /// The numbers of the rows with a key.
    fn referring_rows(
        &mut self,
        child: &Relation,
        constraint: &Constraint,
        key: Option<Vec<Value>>,
        progress: &Progress,
    ) -> Result<Vec<i64>> {
        if progress.cascades >= CASCADES_MAX {
            return Err(SqlError::new(SqlState::TOO_COMPLEX, "stack depth limit exceeded"));
        }
        let Some(key) = key.filter(|key| !key.contains(&Value::Null)) else { return Ok(Vec::new()) };
        let conditions = constraint.columns.iter().enumerate();
        let conditions = conditions.map(|(index, number)| format!("c{number} = ?{}", index + 1));
        let conditions = conditions.collect::<Vec<_>>().join(" AND ");
        self.values = key;
        let found = self.fetch(&format!("SELECT rowid FROM {} WHERE {conditions}", child.physical()), 1)?;
        let number = |row: Vec<Value>| match row[..] {
            [Value::Integer(number)] => Some(number),
            _ => None,
        };
        Ok(found.into_iter().filter_map(number).collect())
    }
}

/// The values of columns of a row.
fn key(relation: &Relation, columns: &[u32], row: &[Value]) -> Option<Vec<Value>> {
    let at = |number: &u32| relation.columns.iter().position(|column| column.number == *number);
    columns.iter().map(|number| Some(row[at(number)?].clone())).collect()
}
