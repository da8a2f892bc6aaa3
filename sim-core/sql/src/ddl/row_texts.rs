//! Texts about one row of a table: checks, generated columns, indexes, keys of partitions, conditions of triggers and rules.

use super::alter::{rename_in, rename_where};
use super::follow_column::{RenamedColumn, edited};
use crate::bind::named::Named;
use crate::bind::scope::Table;
use crate::bind::{Binder, Clause, Scope};
use crate::catalog::{ConstraintKind, Oid, Relation};
use crate::error::Result;
use crate::run::Engine;

impl Engine<'_> {
    /// Whether an expression about a row reads one of its columns.
    pub(super) fn reads_column(&self, relation: &Relation, text: &str, number: u32) -> bool {
        let name = relation.column_name(number);
        text.contains(name)
            && match self.binder().names_of_row(relation, text) {
                Ok(named) => named.needs((relation.oid, number)),
                Err(_) => rename_in(text, name, "\u{1}") != text,
            }
    }

    /// Whether the condition of a trigger reads a column.
    pub(super) fn condition_reads_column(&self, relation: &Relation, text: &str, number: u32) -> bool {
        let name = relation.column_name(number);
        text.contains(name)
            && match self.binder().names_of_condition(relation, text) {
                Ok(named) => named.needs((relation.oid, number)),
                Err(_) => rename_where(text, name, "\u{1}", is_row) != text,
            }
    }

    /// Renames a column in one table, and in the texts of what the table has.
    pub(super) fn rename_in_relation(&mut self, oid: Oid, renamed: &RenamedColumn<'_>) {
        let (from, to) = (renamed.from, renamed.to);
        let Some(before) = renamed.before.relation(oid) else { return };
        let of_row = |text: &mut String| {
            let named = self.binder().names_of_row(before, text);
            *text = match named {
                Ok(named) => edited(text, &named, renamed, false),
                Err(_) => rename_in(text, from, to),
            };
        };
        let of_rows = |text: &mut String| {
            let named = self.binder().names_of_condition(before, text);
            *text = match named {
                Ok(named) => edited(text, &named, renamed, false),
                Err(_) => rename_where(text, from, to, is_row),
            };
        };
        let mut relation = before.clone();
        for column in &mut relation.columns {
            if column.name == from {
                to.clone_into(&mut column.name);
            }
            column.generated.iter_mut().for_each(of_row);
        }
        for constraint in &mut relation.constraints {
            if let ConstraintKind::Check { expression } = &mut constraint.kind {
                of_row(expression);
            }
        }
        for index in &mut relation.indexes {
            index.predicate.iter_mut().for_each(of_row);
            index.keys.iter_mut().filter_map(|key| key.expression.as_mut()).for_each(of_row);
        }
        let keys = relation.partitioning.iter_mut().flat_map(|partitioning| &mut partitioning.keys);
        keys.filter_map(|key| key.expression.as_mut()).for_each(of_row);
        for trigger in &mut relation.triggers {
            trigger.condition.iter_mut().for_each(of_rows);
            for column in trigger.columns.iter_mut().filter(|column| *column == from) {
                to.clone_into(column);
            }
        }
        for rule in &mut relation.rules {
            // Names without a table are of the row.
            rule.condition.iter_mut().for_each(|text| {
                *text = rename_where(text, from, to, |row| row.is_none() || is_row(row));
            });
        }
        *self.relation_mut(oid) = relation;
    }
}

impl Binder<'_> {
    /// The names in an expression about a row of a table.
    fn names_of_row(&mut self, relation: &Relation, text: &str) -> Result<Named> {
        self.stored(text, |binder| {
            let parsed = binder.source.expression()?;
            let scope = Scope::of(binder.row_of(relation)?);
            binder.names_of(|binder| binder.expr_in(Clause::Check, &scope, &parsed))
        })
    }

    /// The names in the condition of a trigger.
    fn names_of_condition(&mut self, relation: &Relation, text: &str) -> Result<Named> {
        self.stored(text, |binder| {
            let parsed = binder.source.expression()?;
            let rows = binder.old_and_new(relation)?;
            binder.names_of(|binder| binder.condition_in(Clause::Trigger, &rows, &parsed))
        })
    }

    /// A scope with the rows `old` and `new` of a table.
    pub(super) fn old_and_new(&mut self, relation: &Relation) -> Result<Scope<'static>> {
        let mut rows = Scope::default();
        for row in ["old", "new"] {
            let table = Table { alias: row.to_owned(), schema: None, ..self.row_of(relation)? };
            rows.tables.push(table);
        }
        Ok(rows)
    }
}

/// Whether a name before a column is that of a row of a trigger or a rule.
pub(super) fn is_row(qualifier: Option<&str>) -> bool {
    qualifier.is_some_and(|row| row.eq_ignore_ascii_case("new") || row.eq_ignore_ascii_case("old"))
}
