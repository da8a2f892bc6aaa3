//! Types without `=` or `<`, whose values can be neither told apart nor sorted.

use super::Binder;
use crate::error::{Result, SqlError, SqlState};
use crate::tree::{Body, Expr, Query};
use crate::types::Type;

impl Binder<'_> {
    /// Whether `=` and `<` are there for a type: for a row, for all of its fields.
    fn has_order(&self, type_: Type) -> bool {
        let type_ = self.catalog.base_type(type_);
        let type_ = self.catalog.base_type(type_.element().unwrap_or(type_));
        let fields = self.catalog.attributes(type_).unwrap_or_default();
        self.is_comparable(type_) && fields.iter().all(|field| self.has_order(field.type_.base))
    }

    /// Refuses to tell values apart that no `=` compares.
    pub(super) fn require_equality(&self, type_: Type, at: Option<usize>) -> Result<()> {
        self.require_operator(type_, "an equality operator", at)
    }

    pub(super) fn require_equality_of(&self, expr: &Expr) -> Result<()> {
        self.require_equality(expr.type_, expr.at.0)
    }

    /// Refuses to sort by values that no `<` compares.
    pub(super) fn require_sortable(&self, type_: Type, at: Option<usize>) -> Result<()> {
        self.require_operator(type_, "an ordering operator", at)
            .map_err(|error| error.hint("Use an explicit ordering operator or modify the query."))
    }

    fn require_operator(&self, type_: Type, what: &str, at: Option<usize>) -> Result<()> {
        if self.has_order(type_) {
            return Ok(());
        }
        let name = self.catalog.type_name(type_, -1);
        let message = format!("could not identify {what} for type {name}");
        Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, message).at(at))
    }

    /// Refuses a set operation that would have to tell rows with such a column apart.
    pub(super) fn require_equality_of_columns(&self, left: &Query, right: &Query) -> Result<()> {
        for (index, column) in left.columns.iter().enumerate() {
            let at = place_of(left, index).or_else(|| place_of(right, index));
            self.require_equality(column.type_.base, at)?;
        }
        Ok(())
    }
}

/// Where the column of a query is written first.
fn place_of(query: &Query, index: usize) -> Option<usize> {
    match &query.body {
        Body::Select(select) => select.targets.get(index)?.at.0,
        Body::Set { left, right, .. } => place_of(left, index).or_else(|| place_of(right, index)),
        Body::Values(_) => None,
    }
}
