//! Hypothetical-set aggregates: the rank that a value would have among the rows of a group.

use sqlparser::ast;

use crate::bind::{Binder, Clause, Scope};
use crate::error::{Result, SqlError};
use crate::functions;
use crate::tree::{Call, Comparison, Expr, Node};
use crate::types::Type;

impl Binder<'_> {
    /// `rank(value) WITHIN GROUP (ORDER BY key)` and its siblings; `None` for any other call.
    pub(super) fn hypothetical(
        &mut self,
        scope: &Scope<'_>,
        called: &str,
        given: &[Expr],
        function: &ast::Function,
    ) -> Result<Option<Expr>> {
        if !matches!(called, "rank" | "dense_rank" | "percent_rank" | "cume_dist")
            || function.within_group.is_empty()
        {
            return Ok(None);
        }
        let ([value], [key]) = (given, &function.within_group[..]) else {
            return Err(SqlError::unsupported(format!("{called} WITHIN GROUP of several keys")));
        };
        let descending = matches!(&key.options.sort, Some(ast::OrderBySort::Desc));
        let nulls_first = key.options.nulls_first.unwrap_or(descending);
        let filter = match &function.filter {
            Some(filter) => Some(self.condition_in(Clause::Filter, scope, filter)?),
            None => None,
        };
        let written = self.expr(scope, &key.expr)?;
        let (mut both, _) = self.unify(vec![written, value.clone()], "WITHIN GROUP")?;
        let (value, key) = (both.pop().unwrap_or_else(Expr::null), both.pop().unwrap_or_else(Expr::null));
        let before = if descending { Comparison::Greater } else { Comparison::Less };
        let mut condition = self.compare(before, key.clone(), value.clone())?;
        let is_null = Expr::boolean(Node::IsNull { expr: Box::new(key.clone()), negated: false });
        if nulls_first {
            condition = either(condition, is_null.clone());
        }
        let all = counted(None, filter.clone(), false);
        if called == "dense_rank" {
            let others = counted(Some(key), Some(filtered(condition, filter.clone())), true);
            // All nulls are one more value.
            let nulls = counted(None, Some(filtered(is_null, filter)), false);
            let text = if nulls_first { "({0} + ({1} > 0) + 1)" } else { "({0} + 1)" };
            return Ok(Some(Expr::template(text, vec![others, nulls], Type::INT8)));
        }
        if called == "cume_dist" {
            let equal = self.compare(Comparison::Equal, key, value)?;
            let reached = counted(None, Some(filtered(either(condition, equal), filter)), false);
            return Ok(Some(Expr::template("(({0} + 1.0) / ({1} + 1.0))", vec![reached, all], Type::FLOAT8)));
        }
        let others = counted(None, Some(filtered(condition, filter)), false);
        Ok(Some(match called {
            "percent_rank" => {
                Expr::template("coalesce({0} * 1.0 / nullif({1}, 0), 0.0)", vec![others, all], Type::FLOAT8)
            }
            _ => Expr::template("({0} + 1)", vec![others], Type::INT8),
        }))
    }
}

fn either(left: Expr, right: Expr) -> Expr {
    Expr::boolean(Node::Or(Box::new(left), Box::new(right)))
}

fn filtered(condition: Expr, filter: Option<Expr>) -> Expr {
    match filter {
        Some(filter) => Expr::boolean(Node::And(Box::new(condition), Box::new(filter))),
        None => condition,
    }
}

/// The number of rows, or of values of an expression.
fn counted(of: Option<Expr>, filter: Option<Expr>, distinct: bool) -> Expr {
    let width = usize::from(of.is_some());
    let count = functions::overloads("count").iter().find(|count| count.arguments.len() == width);
    let count = count.expect("the table of functions has it");
    let call = Call { filter, distinct, ..Call::plain(count, of.into_iter().collect()) };
    Expr::new(Node::Call(Box::new(call)), Type::INT8)
}
