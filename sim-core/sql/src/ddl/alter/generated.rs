//! Another type of a generated column: its expression stays, and its values are those of the new type.

use super::super::physical::bare;
use crate::bind::Clause;
use crate::catalog::{Column, Relation};
use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::types::Modified;

impl Engine<'_> {
    /// Gives a generated column another type.
    pub(super) fn retype_generated(
        &mut self,
        relation: &Relation,
        before: &Column,
        type_: Modified,
        using: bool,
    ) -> Result<()> {
        if using {
            let message = "cannot specify USING when altering type of generated column";
            return Err(SqlError::new(SqlState::new("42611"), message)
                .detail(format!("Column \"{}\" is a generated column.", before.name)));
        }
        let target = Column { type_, ..before.clone() };
        let expression = before.generated.clone().unwrap_or_default();
        let bound = self.row_expression(relation, &expression, Clause::Generated, Some(&target));
        bound.map(|bound| drop(bare(&bound))).map_err(|error| match error.code {
            SqlState::DATATYPE_MISMATCH => {
                let shown = self.catalog.type_name(type_.base, -1);
                let message =
                    format!("column \"{}\" cannot be cast automatically to type {shown}", before.name);
                SqlError::new(SqlState::DATATYPE_MISMATCH, message)
            }
            _ => error,
        })?;
        self.refuse_users_of_row(relation)?;
        self.drop_triggers(relation)?;
        let uses = |index: &&crate::catalog::Index| {
            let of_column = |key: &crate::catalog::IndexKey| key.column == Some(before.number);
            index.predicate.is_some()
                || index.keys.iter().any(|key| of_column(key) || key.expression.is_some())
        };
        let indexes: Vec<_> = relation.indexes.iter().filter(uses).cloned().collect();
        for index in &indexes {
            self.execute(&format!("DROP INDEX IF EXISTS i{}", index.oid))?;
        }
        self.column_mut(relation.oid, before.number).type_ = type_;
        let changed = self.relation(relation.oid)?;
        if let Some(column) = changed.column_number(before.number) {
            self.define_column_again(&changed, column)?;
            // Values that the new type has no room for are found by computing them.
            let values = format!("SELECT count(c{}) FROM {}", column.number, changed.physical());
            self.fetch(&values, 1)?;
        }
        self.create_indexes_again(&changed, indexes)?;
        self.refresh_triggers(relation.oid)
    }
}
