//! Constants in expressions, which PostgreSQL computes before a statement runs: those that fail do so even if there are no rows.

use super::{Expr, LETS, Node};
use crate::plpgsql::PARAMETER;

/// The beginning of what refuses a value of a domain. PostgreSQL does not compute that in advance.
const REFUSES: &str = "pg_raise(";

impl Expr {
    /// The largest parts that are constants to be computed.
    pub(crate) fn constants(&self) -> Vec<&Expr> {
        if self.is_given() {
            return Vec::new();
        }
        if self.is_constant() {
            return vec![self];
        }
        match &self.node {
            // A constant may decide, so that nothing computes the rest.
            Node::And(left, _) | Node::Or(left, _) if left.may_decide() => left.constants(),
            Node::Case { operand, branches, .. }
                if operand.iter().any(|operand| operand.is_constant())
                    || branches.iter().any(|(condition, _)| operand.is_none() && condition.is_constant()) =>
            {
                Vec::new()
            }
            Node::Coalesce(operands) => {
                let decides = operands.iter().position(Expr::is_constant).map_or(operands.len(), |at| at + 1);
                operands[..decides].iter().flat_map(Expr::constants).collect()
            }
            Node::Let { values, .. } => values.iter().flat_map(Expr::constants).collect(),
            _ => self.operands().into_iter().flat_map(Expr::constants).collect(),
        }
    }

    fn may_decide(&self) -> bool {
        match &self.node {
            Node::And(left, right) | Node::Or(left, right) => left.may_decide() || right.may_decide(),
            _ => self.is_constant(),
        }
    }

    fn is_given(&self) -> bool {
        match &self.node {
            Node::Literal(_) | Node::Untyped(_) => true,
            Node::Template { text, .. } => *text == PARAMETER,
            _ => false,
        }
    }

    /// Whether neither rows nor the session decide its value.
    fn is_constant(&self) -> bool {
        let is_of_rows = |expr: &Expr| match &expr.node {
            Node::Column { source, .. } => *source < LETS,
            Node::Template { text, .. } => text.starts_with(REFUSES),
            _ => !expr.queries().is_empty(),
        };
        !self.any(&mut |expr| is_of_rows(expr)) && self.is_immutable() && !self.is_of_many_rows()
    }
}
