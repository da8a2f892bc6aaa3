//! Queries that call functions which change rows. What else the query reads is computed before the first call: neither its rows nor
//! its other values are those that a call has changed, and rows that a call adds are none of its rows.

use crate::bind::{Binder, Deed};
use crate::catalog::{CallNumber, Oid};
use crate::tree::{Body, Cte, Expr, Field, From, Key, LETS, Node, Order, Output, Query, Select};
use crate::types::{Modified, Type};

/// What is computed first, as columns of a source.
struct First {
    /// The sources of the query's rows.
    sources: Vec<usize>,
    source: usize,
    taken: Vec<Expr>,
}

impl First {
    /// Replaces an expression by a column that has its value.
    fn take(&mut self, expr: &mut Expr) {
        let at = self.place(expr);
        expr.node = Node::Column { source: self.source, field: Field::Column(at as u32 + 1) };
    }

    /// The place of a value among those that are computed first.
    fn place(&mut self, expr: &Expr) -> usize {
        let at = self.taken.iter().position(|known| known == expr).unwrap_or(self.taken.len());
        if at == self.taken.len() {
            self.taken.push(expr.clone());
        }
        at
    }

    fn is_own(&self, expr: &Expr) -> bool {
        matches!(&expr.node, Node::Column { source, .. } if self.sources.contains(source))
    }

    fn columns(&self) -> Vec<Output> {
        let columns = self.taken.iter().map(|expr| Output {
            name: String::new(),
            type_: Modified { base: expr.type_, modifier: expr.modifier },
        });
        columns.collect()
    }
}

impl Binder<'_> {
    /// The query, with a query before it for all that its calls may change.
    pub(super) fn read_before_calls(&mut self, mut query: Query) -> Query {
        let Body::Select(select) = &mut query.body else { return query };
        if !select.targets.iter().chain(&select.filter).any(|expr| self.changes_rows(expr)) {
            return query;
        }
        let mut first = First { sources: Vec::new(), source: self.new_source(), taken: Vec::new() };
        select.from.iter().for_each(|from| from.add_sources(&mut first.sources));
        // Groups are made of rows, so only the rows come first.
        let by_rows = !(select.aggregated || select.distinct)
            && select.group.is_empty()
            && select.distinct_on.is_empty();
        let take = |first: &mut First, expr: &mut Expr| {
            expr.replace(&mut |part| {
                let whole = first.is_own(part) || by_rows && self.is_read_first(first, part);
                if whole {
                    first.take(part);
                }
                whole
            });
        };
        let filters_first = select.filter.as_ref().is_some_and(|filter| !self.changes_rows(filter));
        let filter = if filters_first { select.filter.take() } else { None };
        let keys_change = query.order.iter().any(|order| match &order.key {
            Key::Output(at, _) => self.changes_rows(&select.targets[*at]),
            Key::Expr(key) => self.changes_rows(key),
        });
        let sorts_first = by_rows && !keys_change && (filters_first || select.filter.is_none());
        let order = if sorts_first { std::mem::take(&mut query.order) } else { Vec::new() };
        let order = order.into_iter().map(|order| match order.key {
            Key::Output(at, type_) => {
                let key = Key::Output(first.place(&select.targets[at]), type_);
                Order { key, ..order }
            }
            Key::Expr(_) => order,
        });
        let order: Vec<Order> = order.collect();
        let Select { distinct_on, targets, filter: later, group, having, .. } = &mut **select;
        let parts = distinct_on.iter_mut().chain(targets).chain(later).chain(group).chain(having);
        parts.for_each(|expr| take(&mut first, expr));
        for order in &mut query.order {
            if let Key::Expr(key) = &mut order.key {
                take(&mut first, key);
            }
        }
        if first.taken.is_empty() && select.from.is_empty() {
            select.filter = select.filter.take().or(filter);
            return query;
        }
        if first.taken.is_empty() {
            first.taken.push(Expr::literal(1, Type::INT4));
        }
        let columns = first.columns();
        let rows = Select {
            targets: first.taken,
            from: std::mem::take(&mut select.from),
            filter,
            ..Select::default()
        };
        let source = self.new_source();
        select.from = vec![From::Named { source: first.source, name: format!("w{source}") }];
        let body = Body::Select(Box::new(rows));
        let rows = Query { ctes: Vec::new(), body, order, limit: None, offset: None, columns };
        query.ctes.push(Cte { source, recursive: false, materialized: Some(true), query: rows });
        query
    }

    /// Whether a part of an expression is computed before the calls: it reads rows, and changes none.
    fn is_read_first(&self, first: &First, part: &Expr) -> bool {
        match &part.node {
            Node::Scalar(_) | Node::ArrayQuery(_) | Node::Exists { .. } | Node::InQuery { .. } => {
                let mut bound_around = false;
                part.clone().replace(&mut |inner| {
                    bound_around |= matches!(inner.node, Node::Column { source: LETS.., .. });
                    bound_around
                });
                !bound_around
            }
            Node::Template { text, .. } if is_call(text) => {
                !self.changes_rows(part)
                    && !part
                        .any(&mut |inner| matches!(inner.node, Node::Column { .. }) && !first.is_own(inner))
            }
            _ => false,
        }
    }

    /// Whether an expression calls a function that may change rows.
    fn changes_rows(&self, expr: &Expr) -> bool {
        expr.any(&mut |part| match &part.node {
            Node::Template { text, operands } if is_call(text) => {
                routine_called(operands).is_some_and(|oid| self.may(Deed::Changes, oid))
            }
            _ => false,
        })
    }
}

fn routine_called(operands: &[Expr]) -> Option<Oid> {
    match &operands.first()?.node {
        Node::Literal(rusqlite::types::Value::Integer(number)) => Some(CallNumber(*number).oid()),
        _ => None,
    }
}

fn is_call(template: &str) -> bool {
    template.starts_with("pg_call(")
}
