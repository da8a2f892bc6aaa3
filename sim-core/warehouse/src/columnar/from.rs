//! What a query reads: tables, joins and lists.

use sqlparser::ast::{
    FunctionArg, FunctionArgExpr, Join, JoinConstraint, JoinOperator, Select, TableAlias, TableFactor,
};

use super::{Writer, is_attributes, name};
use crate::refusal::Refusal;

impl Writer {
    pub(super) fn from(&mut self, select: &Select) -> Result<String, Refusal> {
        let mut tables = Vec::new();
        let mut items = select.from.iter();
        while let Some(item) = items.next() {
            let mut sql = self.table(&item.relation)?;
            for (index, join) in item.joins.iter().enumerate() {
                let is_list = matches!(
                    join.join_operator,
                    JoinOperator::ArrayJoin | JoinOperator::InnerArrayJoin | JoinOperator::LeftArrayJoin
                );
                // What follows a comma after `ARRAY JOIN` is its next list.
                let more = is_list && index + 1 == item.joins.len();
                let lists: Vec<_> = items.by_ref().take(if more { usize::MAX } else { 0 }).collect();
                let lists: Vec<_> = lists.iter().map(|item| &item.relation).collect();
                sql.push_str(&match is_list {
                    true => self.array_join(&join.relation, &lists, &join.join_operator)?,
                    false => self.join(join)?,
                });
            }
            tables.push(sql);
        }
        Ok(tables.join(", "))
    }

    pub(super) fn join(&mut self, join: &Join) -> Result<String, Refusal> {
        let (word, constraint) = match &join.join_operator {
            JoinOperator::Join(constraint) | JoinOperator::Inner(constraint) => ("join", Some(constraint)),
            JoinOperator::Left(constraint) | JoinOperator::LeftOuter(constraint) => {
                ("left join", Some(constraint))
            }
            JoinOperator::Right(constraint) | JoinOperator::RightOuter(constraint) => {
                ("right join", Some(constraint))
            }
            JoinOperator::FullOuter(constraint) => ("full join", Some(constraint)),
            JoinOperator::CrossJoin(_) => ("cross join", None),
            JoinOperator::LeftSemi(on) | JoinOperator::Semi(on) => return self.test(&join.relation, on, ""),
            JoinOperator::LeftAnti(on) | JoinOperator::Anti(on) => {
                return self.test(&join.relation, on, "not ");
            }
            _ => return Err(Refusal::unsupported("this kind of JOIN")),
        };
        let condition = match constraint {
            Some(JoinConstraint::On(condition)) => format!(" on {}", self.expr(condition)?),
            Some(JoinConstraint::Using(columns)) => {
                let columns: Vec<_> = columns.iter().map(ToString::to_string).collect();
                format!(" using ({})", columns.join(", "))
            }
            _ => String::new(),
        };
        Ok(format!(" {word} {}{condition}", self.table(&join.relation)?))
    }

    /// A join that tests whether there is a partner: a condition.
    pub(super) fn test(
        &mut self,
        partner: &TableFactor,
        on: &JoinConstraint,
        not: &str,
    ) -> Result<String, Refusal> {
        let JoinConstraint::On(condition) = on else {
            return Err(Refusal::unsupported("SEMI or ANTI JOIN without ON"));
        };
        let condition = self.expr(condition)?;
        let partner = self.table(partner)?;
        self.tests.push(format!("({not}exists (select 1 from {partner} where {condition}))"));
        Ok(String::new())
    }

    /// `ARRAY JOIN` of a list, and of others whose elements belong to those at the same places.
    pub(super) fn array_join(
        &mut self,
        first: &TableFactor,
        others: &[&TableFactor],
        operator: &JoinOperator,
    ) -> Result<String, Refusal> {
        let outer = matches!(operator, JoinOperator::LeftArrayJoin);
        let list = self.unnest(first)?;
        if others.is_empty() {
            return Ok(if outer {
                format!(" left join {list} on true")
            } else {
                format!(" cross join {list}")
            });
        }
        let word = if outer { "left join" } else { "cross join" };
        let on = if outer { " on true" } else { "" };
        let mut sql = format!(" {word} {list} with offset as `place_0`{on}");
        for (index, other) in others.iter().enumerate() {
            let (list, same) = (self.unnest(other)?, format!("`place_0` = `place_{}`", index + 1));
            sql.push_str(&format!(" {word} {list} with offset as `place_{}`", index + 1));
            match outer {
                true => sql.push_str(&format!(" on {same}")),
                false => self.tests.push(same),
            }
        }
        Ok(sql)
    }

    /// The list of an `ARRAY JOIN`.
    pub(super) fn unnest(&mut self, list: &TableFactor) -> Result<String, Refusal> {
        let TableFactor::Table { name: list, alias: Some(alias), args, .. } = list else {
            return Err(Refusal::unsupported("ARRAY JOIN without a list and its alias"));
        };
        let list = match args {
            Some(args) => self.named_call(&list.to_string(), &args.args)?,
            None if is_attributes(&list.to_string()) => format!("map_entries({})", name(&list.to_string())),
            None => name(&list.to_string()),
        };
        Ok(format!("unnest({list}) as {}", name(&alias.name.value)))
    }

    pub(super) fn table(&mut self, table: &TableFactor) -> Result<String, Refusal> {
        match table {
            TableFactor::Table { sample: Some(_), .. } => Err(Refusal::unsupported("SAMPLE")),
            TableFactor::Table { name: table, alias, args: None, .. } => Ok(format!(
                "{}{}",
                name(&table.to_string().replace(['`', '"'], "")),
                alias_of(alias.as_ref())
            )),
            TableFactor::Table { name, alias: None, args: Some(args), .. }
                if name.to_string().eq_ignore_ascii_case("numbers") =>
            {
                match args.args.as_slice() {
                    [FunctionArg::Unnamed(FunctionArgExpr::Expr(count))] => {
                        let count = self.expr(count)?;
                        Ok(format!("unnest(generate_array(0, {count} - 1)) as `number`"))
                    }
                    [
                        FunctionArg::Unnamed(FunctionArgExpr::Expr(first)),
                        FunctionArg::Unnamed(FunctionArgExpr::Expr(count)),
                    ] => {
                        let (first, count) = (self.expr(first)?, self.expr(count)?);
                        Ok(format!("unnest(generate_array({first}, {first} + {count} - 1)) as `number`"))
                    }
                    _ => Err(Refusal::unsupported(
                        "numbers of other than a count, or a first number and a count",
                    )),
                }
            }
            TableFactor::Derived { subquery, alias, .. } => {
                Ok(format!("({}){}", self.inner().query(subquery)?, alias_of(alias.as_ref())))
            }
            other => Err(Refusal::unsupported(&format!("{other} in FROM"))),
        }
    }
}

/// The columns that a join has once.
pub(super) fn used(join: &Join) -> Vec<String> {
    match &join.join_operator {
        JoinOperator::Join(on)
        | JoinOperator::Inner(on)
        | JoinOperator::Left(on)
        | JoinOperator::LeftOuter(on)
        | JoinOperator::Right(on)
        | JoinOperator::RightOuter(on)
        | JoinOperator::FullOuter(on) => match on {
            JoinConstraint::Using(columns) => {
                columns.iter().map(|column| column.to_string().replace(['`', '"'], "")).collect()
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

pub(super) fn alias_of(alias: Option<&TableAlias>) -> String {
    alias.map(|alias| format!(" as {}", name(&alias.name.value))).unwrap_or_default()
}
