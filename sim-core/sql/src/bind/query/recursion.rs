//! What the recursive part of a query of `WITH RECURSIVE` must not do.

use sqlparser::ast::{self, LimitClause, OrderByKind, Spanned as _};

use crate::bind::Binder;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::Kind;
use crate::tree::{Body, Expr, From, JoinKind, Node, Query};

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
        &self,
        (called, source): (&str, usize),
        whole: &ast::Query,
        part: &Query,
    ) -> Result<()> {
        let mut reads = Reads::default();
        Reads::in_query(part, &format!("w{source}"), false, &mut reads);
        if reads.times == 0 {
            return Ok(());
        }
        let wrong = |message: String| Err(SqlError::new(SqlState::INVALID_RECURSION, message));
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
        let Body::Select(select) = &part.body else { return Ok(()) };
        match select.targets.iter().chain(&select.having).find_map(aggregate_in) {
            Some(at) => {
                wrong("aggregate functions are not allowed in a recursive query's recursive term".to_owned())
                    .map_err(|error| error.at(at))
            }
            None => Ok(()),
        }
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
