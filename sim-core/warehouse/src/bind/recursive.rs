//! `WITH RECURSIVE`: a common table expression that reads its own rows.

use sqlparser::ast::{self, JoinOperator, SetExpr, SetOperator, SetQuantifier, TableFactor};

use super::query::Tail;
use super::scope::{Scope, same};
use super::{Binder, Bound, Cte, Reads, column_list};
use crate::columnar::STEPS;
use crate::refusal::Refusal;

/// The most rows of a query with INTERPOLATE of an expression.
const FILLED_MAX: u32 = 5_000;

/// The parts of a recursive common table expression: the first rows, and the step that is repeated on its own rows.
pub(super) struct Recursion<'q> {
    first: &'q SetExpr,
    step: &'q ast::Select,
    quantifier: SetQuantifier,
}

impl<'q> Recursion<'q> {
    /// Splits a common table expression; `None` when it is not recursive.
    pub(super) fn of(cte: &'q ast::Cte) -> Option<Recursion<'q>> {
        let query = &*cte.query;
        if query.with.is_some() || query.order_by.is_some() || query.limit_clause.is_some() {
            return None;
        }
        let SetExpr::SetOperation { left, op: SetOperator::Union, set_quantifier, right } = &*query.body
        else {
            return None;
        };
        let SetExpr::Select(step) = &**right else { return None };
        let name = &cte.alias.name.value;
        let mut factors = step
            .from
            .iter()
            .flat_map(|one| one.joins.iter().map(|join| &join.relation).chain([&one.relation]));
        let reads_itself = factors.any(|factor| is_table(factor, name));
        reads_itself.then_some(Recursion { first: left, step, quantifier: *set_quantifier })
    }

    /// Refuses steps that the targets cannot repeat.
    fn check(&self, name: &str) -> Result<(), Refusal> {
        if self.quantifier != SetQuantifier::All {
            return Err(Refusal::invalid("A recursive common table expression must be a UNION ALL"));
        }
        let step = self.step;
        let grouped = !matches!(&step.group_by, ast::GroupByExpr::Expressions(keys, _) if keys.is_empty());
        if grouped
            || step.distinct.is_some()
            || step.having.is_some()
            || step.qualify.is_some()
            || step.value_table_mode.is_some()
        {
            return Err(plainer());
        }
        let outer = step.from.iter().flat_map(|one| &one.joins).any(|join| match &join.join_operator {
            JoinOperator::Join(_) | JoinOperator::Inner(_) | JoinOperator::CrossJoin(_) => false,
            JoinOperator::Left(_) | JoinOperator::LeftOuter(_) => is_table(&join.relation, name),
            _ => true,
        });
        if outer { Err(Refusal::invalid("A recursive reference can't be in an outer join")) } else { Ok(()) }
    }
}

/// The refusal of a step with more than joins and filters.
pub(super) fn plainer() -> Refusal {
    Refusal::unsupported(
        "grouping, DISTINCT, QUALIFY or a window in the recursive part of a common table expression",
    )
}

fn is_table(factor: &TableFactor, name: &str) -> bool {
    matches!(factor, TableFactor::Table { name: found, args: None, .. } if same(&found.to_string().replace('`', ""), name))
}

impl Binder<'_> {
    /// Binds and prints it as an item of `WITH RECURSIVE`. A column counts the rounds, whose number is limited.
    pub(super) fn recursive(
        &mut self,
        name: &str,
        recursion: &Recursion<'_>,
        parent: Option<&Scope<'_>>,
    ) -> Result<String, Refusal> {
        recursion.check(name)?;
        let none = Tail { order: &[], limit: String::new() };
        let Bound { sql: first, columns } =
            self.nested(|binder| binder.plain_body(recursion.first, parent))?;
        let table = self.fresh('w');
        let reads = Reads::default();
        let cte = Cte { name: name.to_owned(), sql: table.clone(), columns, recursive: true, reads };
        self.ctes.push(cte);
        let around = std::mem::take(&mut self.reached);
        self.stepping = true;
        let step = self.nested(|binder| binder.select(recursion.step, &none, parent));
        let reached = std::mem::replace(&mut self.reached, around);
        let cte = self.ctes.last_mut().expect("it was pushed above");
        cte.recursive = false;
        let columns = cte.columns.clone();
        let step = step?;
        if reached.len() != 1 {
            return Err(Refusal::invalid(
                "A recursive reference must stand exactly once in the recursive part",
            ));
        }
        if step.columns.len() != columns.len() {
            return Err(Refusal::invalid(format!(
                "Queries in UNION have mismatched column count; {} and {}",
                columns.len(),
                step.columns.len()
            )));
        }
        if let Some((was, is)) = columns.iter().zip(&step.columns).find(|(was, is)| was.type_ != is.type_) {
            return Err(Refusal::invalid(format!(
                "Column {} of a recursive common table expression has the types {} and {}: CAST one to the other",
                was.name, was.type_, is.type_
            )));
        }
        let list = column_list(columns.len());
        let zero = self.target.integer(0);
        let step = step.sql;
        Ok(format!("{table}({list}, round) AS (SELECT {list}, {zero} FROM ({first}) AS q UNION ALL {step})"))
    }

    /// The SQL that counts the rounds of the present step.
    pub(super) fn round(&self) -> String {
        // The rows of INTERPOLATE are as many as were filled in.
        let own = self.ctes.iter().rev().find(|cte| cte.recursive);
        let fills = own.is_some_and(|cte| cte.name == STEPS);
        self.reached.first().map_or_else(String::new, |alias| match fills {
            true => format!(", wh_within({alias}.round + 1, 0, {FILLED_MAX}, 'the number of rows of INTERPOLATE is') AS round"),
            false => format!(", wh_round_after({alias}.round) AS round"),
        })
    }
}
