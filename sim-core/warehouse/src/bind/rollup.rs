//! `GROUP BY ROLLUP`, `CUBE` and `GROUPING SETS`: a union of several groupings.

use sqlparser::ast::{self, GroupByExpr, Select};

use super::expr::Expr;
use super::query::Tail;
use super::scope::{Scope, same};
use super::{Binder, Bound, column_list};
use crate::refusal::Refusal;
use crate::types::Type;

/// The most keys of a cube. It has two to the power of that many groupings.
const CUBE_MAX: usize = 6;

/// The most groupings of one query.
const GROUPINGS_MAX: usize = 64;

/// One grouping: its keys, and the keys that are null in its rows.
pub(super) struct Grouping {
    pub(super) keys: Vec<ast::Expr>,
    pub(super) absent: Vec<ast::Expr>,
}

/// The groupings, if there are several.
pub(super) fn groupings(group_by: &GroupByExpr) -> Result<Option<Vec<Grouping>>, Refusal> {
    use ast::Expr as E;
    let GroupByExpr::Expressions(keys, _) = group_by else { return Ok(None) };
    let several = |key: &E| matches!(key, E::Rollup(_) | E::Cube(_) | E::GroupingSets(_));
    let (sets, present): (_, Vec<Vec<usize>>) = match keys.as_slice() {
        [E::Rollup(sets)] => (sets, (0..=sets.len()).rev().map(|count| (0..count).collect()).collect()),
        [E::Cube(sets)] if sets.len() <= CUBE_MAX => {
            let chosen = |bits: usize| (0..sets.len()).filter(|index| bits >> index & 1 == 1).collect();
            (sets, (0..1 << sets.len()).rev().map(chosen).collect())
        }
        [E::GroupingSets(sets)] => (sets, (0..sets.len()).map(|index| vec![index]).collect()),
        [E::Cube(_)] => return Err(Refusal::unsupported(&format!("CUBE of more than {CUBE_MAX} keys"))),
        keys if keys.iter().any(several) => {
            return Err(Refusal::unsupported("ROLLUP, CUBE or GROUPING SETS beside other keys"));
        }
        _ => return Ok(None),
    };
    if present.len() > GROUPINGS_MAX {
        return Err(Refusal::unsupported(&format!("more than {GROUPINGS_MAX} groupings")));
    }
    let grouping = |present: Vec<usize>| {
        let keys: Vec<E> = present.iter().flat_map(|index| sets[*index].clone()).collect();
        let absent = sets.iter().flatten().filter(|key| !keys.contains(key)).cloned().collect();
        Grouping { keys, absent }
    };
    Ok(Some(present.into_iter().map(grouping).collect()))
}

impl Binder<'_> {
    /// Binds the query once for each grouping.
    pub(super) fn grouped_several_times(
        &mut self,
        select: &Select,
        groupings: Vec<Grouping>,
        tail: &Tail<'_>,
        parent: Option<&Scope<'_>>,
    ) -> Result<Bound, Refusal> {
        if select.distinct.is_some() || select.qualify.is_some() || select.value_table_mode.is_some() {
            return Err(Refusal::unsupported(
                "ROLLUP, CUBE or GROUPING SETS with DISTINCT, QUALIFY or AS STRUCT",
            ));
        }
        if !self.lifted.is_empty() {
            return Err(Refusal::unsupported(
                "ROLLUP, CUBE or GROUPING SETS beside a function that gives rows",
            ));
        }
        let none = Tail { order: &[], limit: String::new() };
        let mut parts = Vec::new();
        let mut columns = Vec::new();
        for Grouping { keys, absent } in groupings {
            let mut select = select.clone();
            select.group_by = GroupByExpr::Expressions(keys, Vec::new());
            let bound = self.select_once(&select, Some(&absent), &none, parent)?;
            parts.push(format!("SELECT {} FROM ({}) AS q", column_list(bound.columns.len()), bound.sql));
            columns = bound.columns;
        }
        let bound = Bound { sql: parts.join(" UNION ALL "), columns };
        if tail.is_empty() { Ok(bound) } else { self.around(bound, tail) }
    }

    /// `GROUPING(key)`: 1 where the key is null because of the grouping.
    pub(super) fn grouping(&mut self, key: &ast::Expr, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let absent = std::mem::take(&mut self.absent);
        let bound = self.expr(key, scope);
        self.absent = absent;
        let key = match (bound, key) {
            // A name of the list, by which the query is grouped.
            (Err(refusal), ast::Expr::Identifier(name)) => {
                let known = self.group_names.iter().find(|(known, _)| same(known, &name.value));
                known.map(|(_, sql)| sql.clone()).ok_or(refusal)?
            }
            (bound, _) => bound?.sql,
        };
        let is_absent = self.absent.contains(&key);
        if !is_absent && !self.groups.contains(&key) {
            return Err(Refusal::invalid("GROUPING takes what the query is grouped by"));
        }
        Ok(Expr::new(self.target.integer(i64::from(is_absent)), Type::Int64))
    }
}
