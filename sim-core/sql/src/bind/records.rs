//! Comparisons of rows as values: nulls are equal, and greater than everything else. Only two rows that are written out, `ROW (…)`,
//! compare by the rules of their items.

use super::Binder;
use super::comparison::check_lengths;
use crate::error::Result;
use crate::tree::{Comparison, Expr, Node};
use crate::types::Type;

/// Whether a row is written out, item by item.
pub(super) fn is_constructor(row: &Expr) -> bool {
    row.type_ == Type::RECORD && matches!(&row.node, Node::Row(_, names) if names.is_empty())
}

impl Binder<'_> {
    /// Compares two rows by their items.
    pub(super) fn compare_records(
        &mut self,
        operator: Comparison,
        left: Vec<Expr>,
        right: Vec<Expr>,
    ) -> Result<Expr> {
        check_lengths(&left, &right)?;
        let mut pairs = Vec::new();
        self.pair_items(operator, left, right, &mut pairs)?;
        if matches!(operator, Comparison::Equal | Comparison::NotEqual) {
            let negated = operator == Comparison::Equal;
            let tests = pairs.into_iter().map(|(left, right)| distinct(left, right, negated));
            let all = tests.reduce(|all, next| {
                let (all, next) = (Box::new(all), Box::new(next));
                Expr::boolean(if negated { Node::And(all, next) } else { Node::Or(all, next) })
            });
            return Ok(all.unwrap_or_else(|| Expr::literal(i64::from(negated), Type::BOOL)));
        }
        let less = matches!(operator, Comparison::Less | Comparison::LessOrEqual);
        let mut branches = Vec::new();
        for (left, right) in pairs {
            [&left, &left, &right, &right].into_iter().try_for_each(|item| self.once.charge(item))?;
            let different = distinct(left.clone(), right.clone(), false);
            let (low, high) = if less { (left, right) } else { (right, left) };
            branches.push((different, is_less(low, high)));
        }
        let equal = matches!(operator, Comparison::LessOrEqual | Comparison::GreaterOrEqual);
        let equal = Expr::literal(i64::from(equal), Type::BOOL);
        if branches.is_empty() {
            return Ok(equal);
        }
        Ok(Expr::boolean(Node::Case { operand: None, branches, otherwise: Some(Box::new(equal)) }))
    }

    /// The pairs of items that are compared, with those of rows in rows one by one.
    fn pair_items(
        &mut self,
        operator: Comparison,
        left: Vec<Expr>,
        right: Vec<Expr>,
        pairs: &mut Vec<(Expr, Expr)>,
    ) -> Result<()> {
        check_lengths(&left, &right)?;
        for (left, right) in left.into_iter().zip(right) {
            match (&left.node, &right.node) {
                (Node::Row(lefts, _), Node::Row(rights, _)) => {
                    self.pair_items(operator, lefts.clone(), rights.clone(), pairs)?;
                }
                _ => pairs.push(self.comparable(operator, left, right)?),
            }
        }
        Ok(())
    }
}

fn distinct(left: Expr, right: Expr, negated: bool) -> Expr {
    Expr::boolean(Node::IsDistinct { left: Box::new(left), right: Box::new(right), negated })
}

/// Whether an item is less than one that differs from it.
fn is_less(low: Expr, high: Expr) -> Expr {
    let is_null = |expr: &Expr, negated| Node::IsNull { expr: Box::new(expr.clone()), negated };
    let (known, unbounded) = (Expr::boolean(is_null(&low, true)), Expr::boolean(is_null(&high, false)));
    let (left, right) = (Box::new(low), Box::new(high));
    let less = Expr::boolean(Node::Compare { operator: Comparison::Less, left, right });
    let below = Expr::boolean(Node::Or(Box::new(unbounded), Box::new(less)));
    Expr::boolean(Node::And(Box::new(known), Box::new(below)))
}
