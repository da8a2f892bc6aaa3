//! Limits that SQLite does not have: `FETCH FIRST … WITH TIES`, which are the first rows and those that sort like the last of them,
//! and numbers of rows that columns of the queries around say.

use crate::bind::Binder;
use crate::error::{Result, SqlError, SqlState};
use crate::functions;
use crate::tree::{Body, Call, Expr, Field, From, Key, Node, Order, Output, Query, Select, Window};
use crate::types::{Modified, Type};

impl Binder<'_> {
    /// The query with its limit as one that keeps ties.
    pub(super) fn with_ties(&mut self, mut query: Query) -> Result<Query> {
        let Some(limit) = query.limit.take() else { return Ok(query) };
        if query.order.is_empty() {
            let message = "WITH TIES cannot be specified without ORDER BY clause";
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        let condition = "({0} <= {1} + {2} AND {3} > {2})";
        self.of_numbered_rows(query, condition, limit)
    }

    /// The query with the rows that a varying limit and a varying offset leave.
    pub(super) fn counted_by_rows(&mut self, mut query: Query) -> Result<Query> {
        let all = || Expr::literal(i64::MAX, Type::INT8);
        let limit = query.limit.take().unwrap_or_else(all);
        self.of_numbered_rows(query, "({3} <= {1} + {2} AND {3} > {2})", limit)
    }

    /// The rows of a query that fulfil a condition on their ranks, the limit, the offset, and their numbers.
    fn of_numbered_rows(&mut self, mut query: Query, condition: &'static str, limit: Expr) -> Result<Query> {
        let offset = query.offset.take().unwrap_or_else(|| Expr::literal(0, Type::INT8));
        let (ctes, order, columns) =
            (std::mem::take(&mut query.ctes), std::mem::take(&mut query.order), query.columns.clone());
        let rows = self.new_source();
        let order = sorted_by_columns(&mut query, order, rows)?;
        let number = columns.len() as u32 + 1;
        let mut targets = columns_of(rows, &columns);
        targets.extend([ranked("rank", order.clone()), ranked("row_number", order)]);
        let ranks = self.new_source();
        let mut shown = columns.clone();
        shown.extend([output(Type::INT8), output(Type::INT8)]);
        let numbered = plain(targets, rows, query, shown);
        let column =
            |number: u32| Expr::new(Node::Column { source: ranks, field: Field::Column(number) }, Type::INT8);
        let operands = vec![column(number), limit, offset, column(number + 1)];
        let filter = Expr::template(condition, operands, Type::BOOL);
        let mut whole = plain(columns_of(ranks, &columns), ranks, numbered, columns);
        if let Body::Select(select) = &mut whole.body {
            select.filter = Some(filter);
        }
        whole.order =
            vec![Order { key: Key::Expr(column(number + 1)), descending: false, nulls_first: false }];
        whole.ctes = ctes;
        Ok(whole)
    }
}

/// The order of a query's rows by its columns, to which the other keys are added.
fn sorted_by_columns(query: &mut Query, order: Vec<Order>, source: usize) -> Result<Vec<Order>> {
    let column = |index: usize, type_: Type| {
        Expr::new(Node::Column { source, field: Field::Column(index as u32 + 1) }, type_)
    };
    let sorted = order.into_iter().map(|order| {
        let key = match (order.key, &mut query.body) {
            (Key::Output(index, type_), _) => column(index, type_),
            (Key::Expr(key), Body::Select(select)) if select.distinct_on.is_empty() && !select.distinct => {
                let type_ = key.type_;
                select.targets.push(key);
                query.columns.push(output(type_));
                column(select.targets.len() - 1, type_)
            }
            (Key::Expr(mut key), _) => {
                // The columns of the query itself have the source 0.
                key.replace(&mut |expr| match &mut expr.node {
                    Node::Column { source: of @ 0, .. } => {
                        *of = source;
                        true
                    }
                    _ => false,
                });
                key
            }
        };
        Ok(Order { key: Key::Expr(key), ..order })
    });
    let sorted = sorted.collect::<Result<Vec<_>>>()?;
    match &query.body {
        Body::Select(select) if !select.distinct_on.is_empty() && !sorted.is_empty() => {
            Err(SqlError::unsupported("this limit beside DISTINCT ON"))
        }
        _ => Ok(sorted),
    }
}

fn output(type_: Type) -> Output {
    Output { name: String::new(), type_: type_.plain() }
}

fn columns_of(source: usize, columns: &[Output]) -> Vec<Expr> {
    let columns = columns.iter().enumerate().map(|(index, column)| {
        let Modified { base, modifier } = column.type_;
        let node = Node::Column { source, field: Field::Column(index as u32 + 1) };
        Expr { modifier, ..Expr::new(node, base) }
    });
    columns.collect()
}

/// A query of some values of the rows of another query.
fn plain(targets: Vec<Expr>, source: usize, inner: Query, columns: Vec<Output>) -> Query {
    let from = vec![From::Query { source, query: Box::new(inner), lateral: false }];
    let body = Body::Select(Box::new(Select { targets, from, ..Select::default() }));
    Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns }
}

fn ranked(called: &str, order: Vec<Order>) -> Expr {
    let function = functions::overloads(called).first().expect("the table of functions has it");
    let window = Some(Window { order, ..Window::default() });
    Expr::new(Node::Call(Box::new(Call { window, ..Call::plain(function, Vec::new()) })), Type::INT8)
}
