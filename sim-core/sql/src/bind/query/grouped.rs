//! Columns that have one value in each group, and the refusal of others.

use crate::bind::{Binder, Scope};
use crate::error::{Result, SqlError, SqlState};
use crate::functions::Kind;
use crate::tree::{Expr, Field, Node, Query};

/// What a query is grouped by.
pub(super) struct Grouped<'g> {
    pub(super) keys: &'g [Expr],
    /// The keys of all grouping sets. In the rows of the others, keys may be null.
    pub(super) common: Vec<Expr>,
    pub(super) scope: &'g Scope<'g>,
}

impl Binder<'_> {
    /// Refuses columns that can have several values in a group.
    pub(super) fn check_grouped(&self, expr: &Expr, group: &Grouped<'_>) -> Result<()> {
        if self.is_key(expr, group.keys) || is_aggregate(expr) {
            return Ok(());
        }
        if let Some(column) = self.ungrouped(expr, group) {
            let message = format!(
                "column \"{column}\" must appear in the GROUP BY clause or be used in an aggregate function"
            );
            return Err(SqlError::new(SqlState::GROUPING_ERROR, message).at(expr.at.0));
        }
        // A key with a query is not known again in other words, so nothing is certain then.
        if !group.keys.iter().any(has_query) {
            expr.queries().into_iter().try_for_each(|query| self.check_grouped_inside(query, group))?;
        }
        expr.operands().into_iter().try_for_each(|operand| self.check_grouped(operand, group))
    }

    /// Refuses such columns in a query inside of the grouped one.
    fn check_grouped_inside(&self, query: &Query, group: &Grouped<'_>) -> Result<()> {
        let mut refusal = None;
        // To look at all parts is to replace none of them.
        query.clone().replace(&mut |part| {
            if refusal.is_some() || is_aggregate(part) && is_only_of(part, group.scope) {
                return true;
            }
            if let Some(column) = self.ungrouped(part, group) {
                let message = format!("subquery uses ungrouped column \"{column}\" from outer query");
                refusal = Some(SqlError::new(SqlState::GROUPING_ERROR, message).at(part.at.0));
            }
            false
        });
        refusal.map_or(Ok(()), Err)
    }

    /// The name of a column of the grouped tables that can have several values in a group.
    fn ungrouped(&self, expr: &Expr, group: &Grouped<'_>) -> Option<String> {
        let Node::Column { source, field } = &expr.node else { return None };
        let table = group.scope.tables.iter().find(|table| table.source == *source)?;
        // A domain's value of the column is the same column.
        if group.keys.iter().any(|key| key.node == expr.node) || self.has_whole_key(table, &group.common) {
            return None;
        }
        let column = table.columns.iter().find(|column| column.field == *field);
        Some(format!("{}.{}", table.alias, column.map_or("", |column| &column.name)))
    }

    /// Whether the grouping contains the primary key of a table. Then its other columns have one value in each group.
    pub(super) fn has_whole_key(&self, table: &crate::bind::scope::Table, group: &[Expr]) -> bool {
        let key = table
            .relation
            .and_then(|oid| self.catalog.relation(oid))
            .and_then(|relation| relation.primary_key());
        let Some(key) = key else { return false };
        let whole = key.columns.iter().all(|number| {
            let field = Field::Column(*number);
            group.iter().any(|expr| {
                matches!(expr.node, Node::Column { source, field: of } if source == table.source && of == field)
            })
        });
        if whole {
            self.once.uses_key(key.oid);
        }
        whole
    }
}

fn has_query(expr: &Expr) -> bool {
    expr.any(&mut |part| !part.queries().is_empty())
}

fn is_aggregate(expr: &Expr) -> bool {
    let Node::Call(call) = &expr.node else { return false };
    call.window.is_none() && matches!(call.function.kind, Kind::Aggregate { .. })
}

/// Whether all columns of an aggregate in an inner query are those of the outer one, which computes it then.
fn is_only_of(aggregate: &Expr, scope: &Scope<'_>) -> bool {
    let of_outer = |source: usize| scope.tables.iter().any(|table| table.source == source);
    let (mut outer, mut other) = (false, false);
    aggregate.any(&mut |part| {
        if let Node::Column { source, .. } = part.node {
            outer |= of_outer(source);
            other |= !of_outer(source);
        }
        false
    });
    outer && !other
}
