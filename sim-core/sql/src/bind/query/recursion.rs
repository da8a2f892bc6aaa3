//! What the recursive part of a query of `WITH RECURSIVE` must not do.

use rusqlite::types::Value;
use sqlparser::ast::{self, LimitClause, OrderByKind, Spanned as _};

use super::flatten::{flatten, is_nested};
use crate::bind::Binder;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::Kind;
use crate::tree::{Body, Candidates, Expr, Field, From, JoinKind, Node, Query, Select};

/// How a part reads the query that it belongs to.
#[derive(Default)]
struct Reads {
    times: usize,
    in_outer_join: bool,
}

impl Reads {
    fn of(from: &From, name: &str, is_optional: bool, reads: &mut Reads) {
        match from {
            From::Named { name: known, .. } if known == name => {
                reads.times += 1;
                reads.in_outer_join |= is_optional;
            }
            From::Join { left, right, kind, .. } => {
                let left_is_optional = matches!(kind, JoinKind::Right | JoinKind::Full);
                let right_is_optional = matches!(kind, JoinKind::Left | JoinKind::Full);
                Reads::of(left, name, is_optional || left_is_optional, reads);
                Reads::of(right, name, is_optional || right_is_optional, reads);
            }
            From::Query { query, .. } => Reads::in_query(query, name, is_optional, reads),
            _ => {}
        }
    }

    fn in_query(query: &Query, name: &str, is_optional: bool, reads: &mut Reads) {
        query.ctes.iter().for_each(|cte| Reads::in_query(&cte.query, name, is_optional, reads));
        match &query.body {
            Body::Select(select) => {
                select.from.iter().for_each(|from| Reads::of(from, name, is_optional, reads));
            }
            Body::Set { left, right, .. } => {
                Reads::in_query(left, name, is_optional, reads);
                Reads::in_query(right, name, is_optional, reads);
            }
            Body::Values(_) => {}
        }
    }
}

impl Binder<'_> {
    /// Refuses what PostgreSQL has no meaning for in a query that reads itself.
    pub(super) fn check_recursion(
        &mut self,
        (called, source): (&str, usize),
        whole: &ast::Query,
        (first, part): (&Query, &mut Query),
    ) -> Result<()> {
        let own = format!("w{source}");
        let mut reads = Reads::default();
        Reads::in_query(part, &own, false, &mut reads);
        let wrong = |message: String| Err(SqlError::new(SqlState::INVALID_RECURSION, message));
        if is_read_in_expressions(part, &own) {
            return wrong(format!(
                "recursive reference to query \"{called}\" must not appear within a subquery"
            ));
        }
        if reads.times == 0 {
            return Ok(());
        }
        if reads.in_outer_join {
            return wrong(format!(
                "recursive reference to query \"{called}\" must not appear within an outer join"
            ));
        }
        if reads.times > 1 {
            return wrong(format!(
                "recursive reference to query \"{called}\" must not appear more than once"
            ));
        }
        self.refuse_order_of_recursion(whole)?;
        let aggregate = aggregate_beside(part, &own);
        flatten(part, &own);
        if aggregate.is_none() && is_nested(part, &own) {
            let what = "WITH RECURSIVE that reads itself in a query with aggregates, windows, DISTINCT, LIMIT, UNION or the like";
            return Err(SqlError::unsupported(what));
        }
        match aggregate {
            Some(at) => {
                wrong("aggregate functions are not allowed in a recursive query's recursive term".to_owned())
                    .map_err(|error| error.at(at))
            }
            None => self.sort_each_step(first, part, &own),
        }
    }

    /// A part with an order and a limit of its own. SQLite goes from row to row, PostgreSQL from all rows of a step to all of the
    /// next one. Both are the same where a step has one row at most, which then looks for the next one itself.
    fn sort_each_step(&mut self, first: &Query, part: &mut Query, name: &str) -> Result<()> {
        if part.limit.is_none() && part.offset.is_none() {
            part.order.clear();
            return Ok(());
        }
        let Body::Select(select) = &mut part.body else { return Err(limited()) };
        if !has_one_row_at_most(first) || !is_one(part.limit.as_ref()) {
            return Err(limited());
        }
        let (mut sources, mut conditions) = (Vec::new(), Vec::new());
        for from in std::mem::take(&mut select.from) {
            take_apart(from, &mut sources, &mut conditions);
        }
        let is_own = |from: &From| matches!(from, From::Named { name: known, .. } if known == name);
        let at = sources.iter().position(is_own).ok_or_else(limited)?;
        let own = sources.remove(at);
        select.from = sources;
        conditions.extend(select.filter.take());
        let both = |left: Expr, right: Expr| Expr::boolean(Node::And(Box::new(left), Box::new(right)));
        select.filter = conditions.into_iter().reduce(both);
        let source = self.new_source();
        let columns = part.columns.clone();
        let targets = columns.iter().enumerate().map(|(index, column)| {
            let node = Node::Column { source, field: Field::Item(index) };
            Expr { modifier: column.type_.modifier, ..Expr::new(node, column.type_.base) }
        });
        let targets = targets.collect();
        let empty = Query {
            ctes: Vec::new(),
            body: Body::Values(Vec::new()),
            order: Vec::new(),
            limit: None,
            offset: None,
            columns,
        };
        let query = Box::new(std::mem::replace(part, empty));
        let from = vec![own, From::Query { source, query, lateral: true }];
        part.body = Body::Select(Box::new(Select { targets, from, ..Select::default() }));
        Ok(())
    }

    fn refuse_order_of_recursion(&self, whole: &ast::Query) -> Result<()> {
        let sort = match whole.order_by.as_ref().map(|order| &order.kind) {
            Some(OrderByKind::Expressions(keys)) => {
                keys.first().map(|key| ("ORDER BY", key.expr.span().start))
            }
            _ => None,
        };
        let rows = match &whole.limit_clause {
            Some(LimitClause::LimitOffset { limit, offset, .. }) => {
                let offset = offset.as_ref().map(|offset| ("OFFSET", offset.value.span().start));
                offset.or_else(|| limit.as_ref().map(|limit| ("LIMIT", limit.span().start)))
            }
            _ => None,
        };
        let Some((what, start)) = sort.or(rows) else { return Ok(()) };
        let message = format!("{what} in a recursive query is not implemented");
        Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).at(self.place(start)))
    }
}

fn limited() -> SqlError {
    SqlError::unsupported(
        "WITH RECURSIVE with a LIMIT in the part that reads itself, unless each step has one row",
    )
}

fn is_one(limit: Option<&Expr>) -> bool {
    limit.is_some_and(|limit| matches!(limit.node, Node::Literal(Value::Integer(0 | 1))))
}

/// Whether a query has one row at most, as far as it says so itself.
fn has_one_row_at_most(query: &Query) -> bool {
    let plain = match &query.body {
        Body::Select(select) => select.from.is_empty() || select.aggregated,
        Body::Values(rows) => rows.len() == 1,
        Body::Set { .. } => false,
    };
    plain || is_one(query.limit.as_ref())
}

/// The sources of inner joins, and the conditions of these.
fn take_apart(from: From, sources: &mut Vec<From>, conditions: &mut Vec<Expr>) {
    match from {
        From::Join { left, right, kind: JoinKind::Inner | JoinKind::Cross, on } => {
            take_apart(*left, sources, conditions);
            take_apart(*right, sources, conditions);
            conditions.extend(on);
        }
        from => sources.push(from),
    }
}

/// Where an aggregate stands in a query that reads the one of this name among its own sources.
fn aggregate_beside(part: &Query, name: &str) -> Option<Option<usize>> {
    fn is_beside(from: &From, name: &str) -> bool {
        match from {
            From::Named { name: known, .. } => known == name,
            From::Join { left, right, .. } => is_beside(left, name) || is_beside(right, name),
            _ => false,
        }
    }
    fn within(from: &From, name: &str) -> Option<Option<usize>> {
        match from {
            From::Query { query, .. } => aggregate_beside(query, name),
            From::Join { left, right, .. } => within(left, name).or_else(|| within(right, name)),
            _ => None,
        }
    }
    let of_body = match &part.body {
        Body::Select(select) => {
            let beside = select.from.iter().any(|from| is_beside(from, name));
            let own = || select.targets.iter().chain(&select.having).find_map(aggregate_in);
            let own = if beside { own() } else { None };
            own.or_else(|| select.from.iter().find_map(|from| within(from, name)))
        }
        Body::Set { left, right, .. } => {
            aggregate_beside(left, name).or_else(|| aggregate_beside(right, name))
        }
        Body::Values(_) => None,
    };
    of_body.or_else(|| part.ctes.iter().find_map(|cte| aggregate_beside(&cte.query, name)))
}

/// Whether a query within an expression reads the one of this name.
fn is_read_in_expressions(part: &Query, name: &str) -> bool {
    let mut found = false;
    part.clone().replace(&mut |expr| {
        let mut reads = Reads::default();
        match &expr.node {
            Node::Exists { query, .. }
            | Node::Scalar(query)
            | Node::ArrayQuery(query)
            | Node::InQuery { query, .. } => Reads::in_query(query, name, false, &mut reads),
            Node::Quantified { over, .. } => {
                if let Candidates::Query(query) = &**over {
                    Reads::in_query(query, name, false, &mut reads);
                }
            }
            _ => {}
        }
        found |= reads.times > 0;
        found
    });
    found
}

/// Where an expression has an aggregate of its own query.
fn aggregate_in(expr: &Expr) -> Option<Option<usize>> {
    let mut found = None;
    expr.any(&mut |expr| {
        let is_aggregate = matches!(
            &expr.node,
            Node::Call(call) if call.window.is_none() && matches!(call.function.kind, Kind::Aggregate { .. })
        );
        if is_aggregate {
            found = Some(expr.at.0);
        }
        is_aggregate
    });
    found.filter(|_| expr.is_aggregated())
}
