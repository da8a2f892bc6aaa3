//! Estimates the size of expressions after SQLite has replaced columns of a subquery by their expressions.
//!
//! SQLite does this for each use of a column. In nested queries, a column that is used twice would double at each level. So a query
//! whose columns are too large is computed as a whole.

use super::Binder;
use super::once::too_deep;
use crate::error::Result;
use crate::tree::{Body, Candidates, Expr, Field, From, Key, Node, Order, Query};
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

/// The most nodes that SQLite may make of the targets of a query. Each takes some 2 kB.
const COPIED_MAX: usize = 50_000;

/// How many nodes the query of a window counts as, for which SQLite makes tables and loops of their own.
const WINDOW: usize = 200;

/// Refuses targets of which SQLite would make too many nodes: it copies a target for each key that sorts by it, with all queries in
/// it, so that nested queries double at each level.
pub(in crate::bind) fn require_few_copies(targets: &[Expr], order: &[Order]) -> Result<()> {
    let copied = copies_of_targets(targets, order);
    if copied > COPIED_MAX { Err(too_deep()) } else { Ok(()) }
}

fn copies_of_targets(targets: &[Expr], order: &[Order]) -> usize {
    let sorts_by = |at: usize| {
        order.iter().filter(move |order| matches!(order.key, Key::Output(index, _) if index == at)).count()
    };
    let all = targets.iter().enumerate();
    sum(all.map(|(at, target)| copies(target).saturating_mul(1 + sorts_by(at))))
}

/// How many nodes SQLite makes of an expression.
fn copies(expr: &Expr) -> usize {
    let within = match &expr.node {
        Node::Scalar(query)
        | Node::ArrayQuery(query)
        | Node::Exists { query, .. }
        | Node::InQuery { query, .. } => copies_of_query(query),
        Node::Quantified { over, .. } => match &**over {
            Candidates::Query(query) => copies_of_query(query),
            Candidates::Array(_) => 0,
        },
        Node::Call(call) if call.window.is_some() => WINDOW,
        _ => 0,
    };
    sum(expr.operands().into_iter().map(copies)).saturating_add(within + 1)
}

fn copies_of_query(query: &Query) -> usize {
    let keys = query.order.iter().filter_map(|order| match &order.key {
        Key::Expr(expr) => Some(expr),
        Key::Output(..) => None,
    });
    let below = match &query.body {
        Body::Select(select) => {
            let others = select.filter.iter().chain(&select.group).chain(&select.having);
            let from = sum(select.from.iter().map(copies_of_source));
            let targets = copies_of_targets(&select.targets, &query.order);
            sum(others.map(copies)).saturating_add(from).saturating_add(targets)
        }
        Body::Set { left, right, .. } => copies_of_query(left).saturating_add(copies_of_query(right)),
        Body::Values(_) => 1,
    };
    sum(keys.map(copies)).saturating_add(below)
}

fn copies_of_source(from: &From) -> usize {
    match from {
        From::Query { query, .. } => copies_of_query(query),
        From::Join { left, right, .. } => copies_of_source(left).saturating_add(copies_of_source(right)),
        From::Table { .. } | From::Named { .. } | From::Elements { .. } => 1,
    }
}

fn sum(counts: impl Iterator<Item = usize>) -> usize {
    counts.fold(0, usize::saturating_add)
}

impl Query {
    /// The query in a form that SQLite does not flatten, and into which it does not move conditions of other queries.
    pub(super) fn into_whole(self) -> Query {
        let limit = self.limit.unwrap_or_else(|| Expr::literal(-1, Type::INT8));
        let offset = self.offset.unwrap_or_else(|| Expr::literal(0, Type::INT8));
        Query { limit: Some(limit), offset: Some(offset), ..self }
    }
}
