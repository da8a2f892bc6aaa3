//! Replaces parts of bound expressions and queries.

use super::{Body, Call, Candidates, Cte, Expr, From, Key, Node, Order, Query, Select, Window};

/// Replaces an expression and returns true, or returns false to have its operands looked at.
pub(crate) type Replace<'r> = &'r mut dyn FnMut(&mut Expr) -> bool;

impl Expr {
    /// Replaces parts of the expression, from the outside in, also in its queries.
    pub(crate) fn replace(&mut self, replace: Replace<'_>) {
        if replace(self) {
            return;
        }
        match &mut self.node {
            Node::Literal(_) | Node::Untyped(_) | Node::Column { .. } => {}
            Node::And(left, right)
            | Node::Or(left, right)
            | Node::Compare { left, right, .. }
            | Node::IsDistinct { left, right, .. } => {
                left.replace(replace);
                right.replace(replace);
            }
            Node::Between { expr, low, high, .. } => {
                [expr, low, high].into_iter().for_each(|operand| operand.replace(replace));
            }
            Node::CompareRows { left, right, .. } => all(left.iter_mut().chain(right), replace),
            Node::Not(operand)
            | Node::IsNull { expr: operand, .. }
            | Node::Is { expr: operand, .. }
            | Node::Cast { expr: operand, .. }
            | Node::Rank { expr: operand, .. }
            | Node::Key { expr: operand, .. }
            | Node::Lookup { key: operand, .. } => operand.replace(replace),
            Node::In { expr, list, .. } => {
                expr.replace(replace);
                all(list.iter_mut(), replace);
            }
            Node::InQuery { row, query, .. } => {
                all(row.iter_mut(), replace);
                query.replace(replace);
            }
            Node::Quantified { comparison, over, .. } => {
                comparison.replace(replace);
                match &mut **over {
                    Candidates::Array(array) => array.replace(replace),
                    Candidates::Query(query) => query.replace(replace),
                }
            }
            Node::Exists { query, .. } | Node::Scalar(query) | Node::ArrayQuery(query) => {
                query.replace(replace);
            }
            Node::Case { operand, branches, otherwise } => {
                let branches = branches.iter_mut().flat_map(|(condition, result)| [condition, result]);
                all(
                    operand.as_deref_mut().into_iter().chain(branches).chain(otherwise.as_deref_mut()),
                    replace,
                );
            }
            Node::Coalesce(operands)
            | Node::Array(operands)
            | Node::Row(operands, _)
            | Node::Template { operands, .. } => all(operands.iter_mut(), replace),
            Node::Call(call) => call.replace(replace),
            Node::Let { values, body, .. } => {
                all(values.iter_mut(), replace);
                body.replace(replace);
            }
        }
    }
}

fn all<'e>(exprs: impl Iterator<Item = &'e mut Expr>, replace: Replace<'_>) {
    exprs.for_each(|expr| expr.replace(replace));
}

impl Call {
    fn replace(&mut self, replace: Replace<'_>) {
        all(self.arguments.iter_mut().chain(&mut self.filter), replace);
        self.order.iter_mut().for_each(|order| order.replace(replace));
        if let Some(Window { partition, order, .. }) = &mut self.window {
            all(partition.iter_mut(), replace);
            order.iter_mut().for_each(|order| order.replace(replace));
        }
    }
}

impl Order {
    pub(crate) fn replace(&mut self, replace: Replace<'_>) {
        if let Key::Expr(expr) = &mut self.key {
            expr.replace(replace);
        }
    }
}

impl Query {
    /// Replaces parts of all expressions of the query.
    pub(crate) fn replace(&mut self, replace: Replace<'_>) {
        self.ctes.iter_mut().for_each(|Cte { query, .. }| query.replace(replace));
        match &mut self.body {
            Body::Select(select) => select.replace(replace),
            Body::Set { left, right, .. } => {
                left.replace(replace);
                right.replace(replace);
            }
            Body::Values(rows) => all(rows.iter_mut().flatten(), replace),
        }
        self.order.iter_mut().for_each(|order| order.replace(replace));
        all(self.limit.iter_mut().chain(&mut self.offset), replace);
    }
}

impl Select {
    pub(crate) fn replace(&mut self, replace: Replace<'_>) {
        let Select { distinct_on, targets, from, filter, group, having, .. } = self;
        all(distinct_on.iter_mut().chain(targets).chain(filter).chain(group).chain(having), replace);
        from.iter_mut().for_each(|from| from.replace(replace));
    }
}

impl From {
    /// Adds the numbers of its sources.
    pub(crate) fn add_sources(&self, sources: &mut Vec<usize>) {
        match self {
            From::Table { source, .. }
            | From::Query { source, .. }
            | From::Named { source, .. }
            | From::Elements { source, .. } => sources.push(*source),
            From::Join { left, right, .. } => {
                left.add_sources(sources);
                right.add_sources(sources);
            }
        }
    }

    /// Adds the numbers of its sources that have the rows of a query by this name.
    pub(crate) fn add_named(&self, wanted: &str, sources: &mut Vec<usize>) {
        match self {
            From::Named { source, name } if name == wanted => sources.push(*source),
            From::Join { left, right, .. } => {
                left.add_named(wanted, sources);
                right.add_named(wanted, sources);
            }
            _ => {}
        }
    }

    /// Replaces parts of all expressions of the source.
    pub(crate) fn replace(&mut self, replace: Replace<'_>) {
        match self {
            From::Table { .. } | From::Named { .. } => {}
            From::Query { query, .. } => query.replace(replace),
            From::Elements { array, .. } => array.replace(replace),
            From::Join { left, right, on, .. } => {
                left.replace(replace);
                right.replace(replace);
                all(on.iter_mut(), replace);
            }
        }
    }
}
