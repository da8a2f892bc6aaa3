//! The query that an aggregate belongs to: that of its arguments, which can be one around the query in which it is written.

use crate::bind::{Binder, Clause, Scope, scope};
use crate::error::{Result, SqlError, SqlState};
use crate::tree::{Expr, Field, Node};

/// An aggregate of an outer query. A column of its own source stands for it.
#[derive(Clone)]
pub(in crate::bind) struct OuterAggregate {
    pub(in crate::bind) source: usize,
    pub(in crate::bind) aggregate: Expr,
    /// The first source of the query that it belongs to.
    owner: usize,
}

impl Binder<'_> {
    /// An aggregate, or the column that stands for it if it belongs to an outer query. Fails with `refused` if it belongs to the
    /// present one, in whose clause it must not be.
    pub(super) fn leveled(
        &mut self,
        scope: &Scope<'_>,
        aggregate: Expr,
        refused: Option<SqlError>,
    ) -> Result<Expr> {
        let own = |refused: Option<SqlError>| refused.map_or(Ok(()), Err);
        if !aggregate.is_aggregated() || !scope.is_nested() {
            return own(refused).map(|()| aggregate);
        }
        let mut sources = Vec::new();
        aggregate.clone().replace(&mut |part| {
            if let Node::Column { source, .. } = part.node {
                sources.push(source);
            }
            false
        });
        if scope.has_any(&sources) {
            return own(refused).map(|()| aggregate);
        }
        let Some(owner) = scope.ancestors().find(|scope| scope.has_any(&sources)) else {
            let nested = self.outer_aggregates.iter().any(|known| sources.contains(&known.source));
            return if nested { Err(refusal(Clause::Aggregate)) } else { own(refused).map(|()| aggregate) };
        };
        match owner.level {
            scope::Level::Select => {}
            scope::Level::From => {
                let message = "aggregate functions are not allowed in FROM clause of their own query level";
                return Err(SqlError::new(SqlState::GROUPING_ERROR, message));
            }
            scope::Level::Other => return Err(refusal(self.outermost.unwrap_or(self.clause))),
        }
        let (source, owner) = (self.new_source(), owner.tables[0].source);
        let field = Field::Column(1);
        let column = Expr {
            modifier: aggregate.modifier,
            ..Expr::new(Node::Column { source, field }, aggregate.type_)
        };
        self.outer_aggregates.push(OuterAggregate { source, aggregate, owner });
        Ok(column)
    }

    /// The aggregates that belong to the query of a scope and stand in queries inside of it.
    pub(in crate::bind) fn aggregates_of(&mut self, scope: &Scope<'_>) -> Vec<OuterAggregate> {
        let Some(first) = scope.tables.first() else { return Vec::new() };
        let (own, others) = std::mem::take(&mut self.outer_aggregates)
            .into_iter()
            .partition(|known: &OuterAggregate| known.owner == first.source);
        self.outer_aggregates = others;
        own
    }
}

/// Refuses expressions of a clause in which one of the aggregates stands.
pub(in crate::bind) fn refuse_in(
    clause: Clause,
    own: &[OuterAggregate],
    replace: impl FnOnce(&mut dyn FnMut(&mut Expr) -> bool),
) -> Result<()> {
    if own.is_empty() {
        return Ok(());
    }
    let mut found = None;
    replace(&mut |part| {
        let is_own = matches!(part.node, Node::Column { source, .. } if own.iter().any(|known| known.source == source));
        found = found.or(is_own.then_some(part.at.0));
        found.is_some()
    });
    found.map_or(Ok(()), |at| Err(refusal(clause).at(at)))
}

/// Refuses aggregates of the query itself that have one of the aggregates among their arguments.
pub(in crate::bind) fn refuse_nested(own: &[OuterAggregate], expr: &Expr) -> Result<()> {
    if own.is_empty() {
        return Ok(());
    }
    let mut checked = Ok(());
    expr.any(&mut |part| {
        if part.is_aggregate_call() && checked.is_ok() {
            checked = refuse_in(Clause::Aggregate, own, |found| part.clone().replace(found));
        }
        checked.is_err()
    });
    checked
}

/// The refusal of an aggregate in a clause.
pub(super) fn refusal(clause: Clause) -> SqlError {
    let message = match clause {
        Clause::Aggregate => "aggregate function calls cannot be nested".to_owned(),
        clause => format!("aggregate functions are not allowed in {}", clause.words()),
    };
    SqlError::new(SqlState::GROUPING_ERROR, message)
}
