//! Rewrites `EXISTS (SELECT … FROM b WHERE b.x = a.x)` as `a.x IN (SELECT x FROM b)`. SQLite would scan all of `b` for each row of
//! `a`; after the rewrite it sorts the rows of `b` once. If the column has an index, this is not necessary.

use rusqlite::types::Value;

use super::Binder;
use crate::tree::{Body, Comparison, Expr, Field, From, Node, Output, Query, Select};
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn exists(&self, query: Query, negated: bool) -> Expr {
        let found = match self.lookup(&query) {
            Some(found) => found,
            None => return Expr::boolean(Node::Exists { query: Box::new(query), negated }),
        };
        if negated { Expr::boolean(Node::Not(Box::new(found))) } else { found }
    }

    /// The query as a lookup, if it reads one table and compares its columns with values of the outer query.
    fn lookup(&self, query: &Query) -> Option<Expr> {
        let Query { ctes, body: Body::Select(select), limit: None, offset: None, .. } = query else {
            return None;
        };
        let Select { from, filter: Some(filter), group, aggregated: false, having: None, .. } = &**select
        else {
            return None;
        };
        let [From::Table { source, name }] = &from[..] else { return None };
        if !ctes.is_empty() || !group.is_empty() {
            return None;
        }
        let (mut pairs, mut rest) = (Vec::new(), Vec::new());
        for part in parts(filter) {
            match pair(part, *source) {
                Some(pair) => pairs.push(pair),
                None if is_about(part, *source) => rest.push(part.clone()),
                None => return None,
            }
        }
        if pairs.is_empty() || pairs.iter().any(|(inner, _)| self.has_index(name, inner)) {
            return None;
        }
        let present = pairs.iter().map(|(inner, _)| {
            Expr::boolean(Node::IsNull { expr: Box::new((*inner).clone()), negated: true })
        });
        let filter =
            present.chain(rest).reduce(|all, part| Expr::boolean(Node::And(Box::new(all), Box::new(part))));
        let targets: Vec<Expr> = pairs.iter().map(|(inner, _)| (*inner).clone()).collect();
        let output = |target: &Expr| Output { name: String::new(), type_: target.type_.plain() };
        let columns = targets.iter().map(output).collect();
        let select = Select { targets, from: from.clone(), filter, ..Select::default() };
        let body = Body::Select(Box::new(select));
        let query = Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns };
        let row = pairs.into_iter().map(|(_, outer)| outer.clone()).collect();
        let within = Expr::boolean(Node::InQuery { row, query: Box::new(query), negated: false });
        // A null in the outer query equals nothing, so the result is false, not null. To tell null from false, SQLite would scan all rows
        // again.
        let [yes, no] = [1, 0].map(|value| Expr::literal(Value::Integer(value), Type::BOOL));
        Some(Expr::boolean(Node::Case {
            operand: None,
            branches: vec![(within, yes)],
            otherwise: Some(Box::new(no)),
        }))
    }

    fn has_index(&self, table: &str, column: &Expr) -> bool {
        let Node::Column { field: Field::Column(number), .. } = column.node else { return true };
        let relation = self.catalog.relations().find(|relation| relation.physical() == table);
        relation.is_none_or(|relation| {
            relation
                .indexes
                .iter()
                .any(|index| index.keys.first().is_some_and(|key| key.column == Some(number)))
        })
    }
}

/// The conditions that are joined by `AND`.
fn parts(filter: &Expr) -> Vec<&Expr> {
    match &filter.node {
        Node::And(left, right) => [parts(left), parts(right)].concat(),
        _ => vec![filter],
    }
}

/// A column of `source`, and the expression that it must be equal to, which does not use `source`.
fn pair(part: &Expr, source: usize) -> Option<(&Expr, &Expr)> {
    let Node::Compare { operator: Comparison::Equal, left, right } = &part.node else { return None };
    let is_inner = |expr: &Expr| matches!(expr.node, Node::Column { source: of, field: Field::Column(_) } if of == source);
    let (inner, outer) = if is_inner(left) { (left, right) } else { (right, left) };
    let mut columns = 0;
    let other = outer.any(&mut |expr| {
        let column = matches!(expr.node, Node::Column { .. });
        columns += usize::from(column);
        expr.is_volatile()
            || asks(expr)
            || matches!(expr.node, Node::Column { source: of, .. } if of == source)
    });
    let same = inner.type_ == outer.type_ && inner.type_.collation().is_none();
    let takes = is_inner(inner) && !other && columns > 0 && same && !outer.is_of_many_rows();
    takes.then_some((inner, outer))
}

/// Whether an expression uses only columns of `source`.
fn is_about(part: &Expr, source: usize) -> bool {
    !part.any(&mut |expr| {
        expr.is_volatile()
            || asks(expr)
            || matches!(expr.node, Node::Column { source: of, .. } if of != source)
    })
}

/// Whether an expression contains a query.
fn asks(expr: &Expr) -> bool {
    matches!(
        expr.node,
        Node::Exists { .. }
            | Node::Scalar(_)
            | Node::ArrayQuery(_)
            | Node::InQuery { .. }
            | Node::Quantified { .. }
    )
}
