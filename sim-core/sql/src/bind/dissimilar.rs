//! Comparisons of rows as values whose fields have different types. PostgreSQL compares field by field, and fails at the first field
//! with two types, unless the fields before it decide.

use rusqlite::types::Value;

use super::Binder;
use super::records::is_constructor;
use crate::error::{Result, SqlError, SqlState};
use crate::tree::{Comparison, Expr, Node};
use crate::types::Type;

impl Binder<'_> {
    /// The comparison of two rows, at least one of which is not written out, if their fields differ in their types.
    pub(super) fn compare_dissimilar(
        &mut self,
        operator: Comparison,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<Expr>> {
        let is_row = |row: &Expr| row.type_ == Type::RECORD || self.catalog.attributes(row.type_).is_some();
        let is_text = |text: &Expr| matches!(text.node, Node::Untyped(_));
        if is_row(left) && is_text(right) || is_text(left) && is_row(right) {
            let at = if is_text(right) { right.at.0 } else { left.at.0 };
            let message = "input of anonymous composite types is not implemented";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).at(at));
        }
        if !is_row(left) || !is_row(right) || is_constructor(left) && is_constructor(right) {
            return Ok(None);
        }
        self.compare_fields(operator, left, right)
    }

    /// The same for any two rows, as they are compared within others.
    pub(super) fn compare_fields(
        &mut self,
        operator: Comparison,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<Expr>> {
        let (Some(lefts), Some(rights)) = (self.types_of_fields(left), self.types_of_fields(right)) else {
            return Ok(None);
        };
        if lefts == rights {
            return Ok(None);
        }
        let common = lefts.len().min(rights.len());
        let differs = (0..common).find(|at| lefts[*at] != rights[*at]);
        let message = match differs {
            Some(at) => {
                let [left, right] = [lefts[at], rights[at]].map(|type_| self.catalog.type_name(type_, -1));
                let at = at + 1;
                format!("cannot compare dissimilar column types {left} and {right} at record column {at}")
            }
            None => "cannot compare record types with different numbers of columns".to_owned(),
        };
        let fails =
            Expr::template("pg_raise('42804', {0})", vec![Expr::literal(message, Type::TEXT)], Type::BOOL);
        let compared =
            self.compare_first_fields(operator, (left, right), differs.unwrap_or(common), fails)?;
        Ok(Some(compared))
    }

    /// Compares the first fields of two rows. If they are equal, `fails`.
    fn compare_first_fields(
        &mut self,
        operator: Comparison,
        (left, right): (&Expr, &Expr),
        count: usize,
        fails: Expr,
    ) -> Result<Expr> {
        let absences = [left, right].into_iter().filter_map(|row| match row.node {
            Node::Row(..) => self.absence(row),
            _ => Some(Expr::boolean(Node::IsNull { expr: Box::new(row.clone()), negated: false })),
        });
        let null = || Expr::literal(Value::Null, Type::BOOL);
        let mut branches: Vec<(Expr, Expr)> = absences.map(|absence| (absence, null())).collect();
        let mut otherwise = fails;
        if count > 0 {
            let [lefts, rights] = [left, right].map(|row| self.row_items(row).unwrap_or_default().1);
            let first = |items: &[Expr]| items[..count].to_vec();
            let same = self.compare_records(Comparison::Equal, first(&lefts), first(&rights))?;
            branches.push((same, otherwise));
            otherwise = match operator {
                Comparison::Equal => Expr::literal(0, Type::BOOL),
                Comparison::NotEqual => Expr::literal(1, Type::BOOL),
                _ => self.compare_records(operator, first(&lefts), first(&rights))?,
            };
        }
        Ok(match branches.is_empty() {
            true => otherwise,
            false => {
                Expr::boolean(Node::Case { operand: None, branches, otherwise: Some(Box::new(otherwise)) })
            }
        })
    }

    fn types_of_fields(&self, row: &Expr) -> Option<Vec<Type>> {
        if let (Node::Row(items, _), None) = (&row.node, self.catalog.attributes(row.type_)) {
            return Some(items.iter().map(|item| item.type_).collect());
        }
        let attributes = self.catalog.attributes(row.type_)?;
        Some(attributes.iter().map(|attribute| attribute.type_.base).collect())
    }
}
