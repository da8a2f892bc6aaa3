//! Estimates the size of expressions after SQLite has replaced columns of a subquery by their expressions.
//!
//! SQLite does this for each use of a column. In nested queries, a column that is used twice would double at each level. So a query
//! whose columns are too large is computed as a whole.

use super::Binder;
use crate::tree::{Body, Candidates, Expr, Field, Node, Query};
use crate::types::Type;

/// The most nodes of the expression that a column of a subquery stands for.
const WEIGHT_MAX: usize = 1_000;

impl Binder<'_> {
    /// Registers a query as a source. Returns whether SQLite must compute it as a whole.
    pub(super) fn weigh(&mut self, source: usize, query: &Query) -> bool {
        let weights = self.weights_of(query);
        let heavy = weights.iter().any(|weight| *weight > WEIGHT_MAX);
        if !heavy {
            self.weights.insert(source, weights);
        }
        heavy
    }

    fn weights_of(&self, query: &Query) -> Vec<usize> {
        match &query.body {
            Body::Select(select) => select.targets.iter().map(|target| self.weight(target)).collect(),
            Body::Set { left, right, .. } => {
                let pairs = self.weights_of(left).into_iter().zip(self.weights_of(right));
                pairs.map(|(left, right)| left.max(right)).collect()
            }
            Body::Values(_) => vec![1; query.columns.len()],
        }
    }

    fn weight(&self, expr: &Expr) -> usize {
        let of_query = |query: &Query| self.weights_of(query).into_iter().fold(0, usize::saturating_add);
        let own = match &expr.node {
            Node::Column { source, field: Field::Column(number) } => {
                let weights = self.weights.get(source);
                weights
                    .and_then(|weights| weights.get((*number as usize).wrapping_sub(1)))
                    .copied()
                    .unwrap_or(1)
            }
            Node::Scalar(query)
            | Node::ArrayQuery(query)
            | Node::Exists { query, .. }
            | Node::InQuery { query, .. } => of_query(query),
            Node::Quantified { over, .. } => match &**over {
                Candidates::Query(query) => of_query(query),
                Candidates::Array(_) => 1,
            },
            _ => 1,
        };
        expr.operands().into_iter().map(|operand| self.weight(operand)).fold(own, usize::saturating_add)
    }
}

impl Query {
    /// The query in a form that SQLite does not flatten, and into which it does not move conditions of other queries.
    pub(super) fn into_whole(self) -> Query {
        let limit = self.limit.unwrap_or_else(|| Expr::literal(-1, Type::INT8));
        let offset = self.offset.unwrap_or_else(|| Expr::literal(0, Type::INT8));
        Query { limit: Some(limit), offset: Some(offset), ..self }
    }
}
