//! What a query reads: tables, joins and lists.

use std::collections::BTreeMap;

use sqlparser::ast::{
    Expr, FunctionArg, Join, JoinConstraint, JoinOperator, Query, Select, SetExpr, TableAlias, TableFactor,
};

use super::call::{expr_of, text_of};
use super::joins::Left;
use super::{Writer, is_attributes, name};
use crate::refusal::Refusal;

impl Writer {
    pub(super) fn from(&mut self, select: &Select) -> Result<String, Refusal> {
        let behind = self.behind.take();
        let mut tables = Vec::new();
        let mut items = select.from.iter();
        while let Some(item) = items.next() {
            let mut sql = self.table(&item.relation)?;
            let mut relation = &item.relation;
            for (index, join) in item.joins.iter().enumerate() {
                let is_list = is_array_join(&join.join_operator);
                // What follows a comma after `ARRAY JOIN` is its next list.
                let more = is_list && index + 1 == item.joins.len();
                let lists: Vec<_> = items.by_ref().take(if more { usize::MAX } else { 0 }).collect();
                let lists: Vec<_> = lists.iter().map(|item| &item.relation).collect();
                if is_list {
                    sql.push_str(&self.array_join(&join.relation, &lists, &join.join_operator)?);
                    continue;
                }
                let here = behind.as_ref().filter(|behind| behind.join == index);
                if here.is_some() {
                    self.behind.clone_from(&behind);
                }
                let mut left = Left::of(relation, index == 0, sql, here.cloned());
                let joined = self.join(join, &mut left)?;
                relation = left.relation();
                sql = left.sql + &joined;
            }
            tables.push(sql);
        }
        self.behind = behind;
        Ok(tables.join(", "))
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
        if let TableFactor::Table { name: column, alias: None, args: None, .. } = list
            && let Some(element) = self.elements_of.get(&column.to_string().replace(['`', '"'], ""))
        {
            let list = name(&column.to_string().replace(['`', '"'], ""));
            let list = if is_attributes(&list) {
                format!("map_entries({list})")
            } else {
                format!("list_or_entries({list})")
            };
            return Ok(format!("unnest({list}) as {element}"));
        }
        let TableFactor::Table { name: list, alias: Some(alias), args, .. } = list else {
            return Err(Refusal::unsupported("ARRAY JOIN of other than a list and its alias"));
        };
        let list = match args {
            Some(args) => format!("list_or_entries({})", self.named_call(&list.to_string(), &args.args)?),
            None if is_attributes(&list.to_string()) => format!("map_entries({})", name(&list.to_string())),
            None => format!("list_or_entries({})", name(&list.to_string())),
        };
        Ok(format!("unnest({list}) as {}", name(&alias.name.value)))
    }

    /// A query with the names that `t(a, b)` gives its columns.
    pub(super) fn with_names(
        &self,
        query: &Query,
        sql: String,
        alias: Option<&TableAlias>,
    ) -> Result<String, Refusal> {
        let Some(names) = columns_of_alias(alias) else { return Ok(sql) };
        let known = self.columns_of(query).filter(|known| known.len() == names.len());
        let known =
            known.ok_or_else(|| Refusal::invalid("The list of columns and the query in FROM differ"))?;
        let columns =
            known.iter().zip(&names).map(|(known, new)| format!("{} as {}", name(known), name(new)));
        Ok(format!("select {} from ({sql})", columns.collect::<Vec<_>>().join(", ")))
    }

    /// Written rows as a query.
    fn rows<'a>(
        &mut self,
        names: &[String],
        rows: impl Iterator<Item = &'a [Expr]>,
    ) -> Result<String, Refusal> {
        let mut queries = Vec::new();
        for row in rows {
            if row.len() != names.len() {
                return Err(Refusal::invalid("The rows of VALUES differ in length"));
            }
            let mut columns = Vec::new();
            for (value, own) in row.iter().zip(names) {
                columns.push(format!("{} as {}", self.expr(value)?, name(own)));
            }
            queries.push(format!("select {}", columns.join(", ")));
        }
        Ok(queries.join(" union all "))
    }

    pub(super) fn table(&mut self, table: &TableFactor) -> Result<String, Refusal> {
        if let Some(made) = self.made_table(table)? {
            return Ok(made);
        }
        match table {
            TableFactor::Table { sample: Some(_), .. } => Err(Refusal::unsupported("SAMPLE")),
            TableFactor::Table { name: table, alias, args: None, .. } => Ok(format!(
                "{}{}",
                name(&table.to_string().replace(['`', '"'], "")),
                alias_of(alias.as_ref())
            )),
            TableFactor::Derived { subquery, alias, .. } => {
                let inner = match (&*subquery.body, alias) {
                    (SetExpr::Values(values), alias) => {
                        let columns = values.rows.first().map_or(0, |row| row.content.len());
                        let names = columns_of_alias(alias.as_ref())
                            .unwrap_or_else(|| (1..=columns).map(|place| format!("c{place}")).collect());
                        let rows = values.rows.iter().map(|row| row.content.as_slice());
                        self.rows(&names, rows)?
                    }
                    (_, alias) => {
                        let sql = self.inner().query(subquery)?;
                        self.with_names(subquery, sql, alias.as_ref())?
                    }
                };
                Ok(format!("({inner}){}", alias_of(alias.as_ref())))
            }
            TableFactor::Table { name, alias, args: Some(args), .. }
                if name.to_string().eq_ignore_ascii_case("values") =>
            {
                let values = args.args.iter().map(expr_of).collect::<Option<Vec<_>>>();
                let mut values = values.ok_or_else(|| Refusal::unsupported("values of other than rows"))?;
                let names = columns_of_values(&args.args);
                if args.args.first().and_then(text_of).is_some_and(|text| text.contains(' ')) {
                    values.remove(0);
                }
                let rows = values.into_iter().map(|row| match row {
                    Expr::Tuple(values) => values.as_slice(),
                    Expr::Nested(inner) => std::slice::from_ref(&**inner),
                    one => std::slice::from_ref(one),
                });
                Ok(format!("({}){}", self.rows(&names, rows)?, alias_of(alias.as_ref())))
            }
            other => Err(Refusal::unsupported(&format!("{other} in FROM"))),
        }
    }
}

/// The names that an alias gives the columns.
pub(super) fn columns_of_alias(alias: Option<&TableAlias>) -> Option<Vec<String>> {
    let columns = &alias?.columns;
    (!columns.is_empty()).then(|| columns.iter().map(|column| column.name.value.clone()).collect())
}

/// The names of the columns of `values('a String, b Int32', …)`; without them `c1`, `c2` …
pub(super) fn columns_of_values(arguments: &[FunctionArg]) -> Vec<String> {
    if let Some(structure) = arguments.first().and_then(text_of).filter(|text| text.contains(' ')) {
        let mut depth = 0_usize;
        let fields = structure.split(|sign| {
            match sign {
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            sign == ',' && depth == 0
        });
        let name = |field: &str| field.split_whitespace().next().unwrap_or_default().replace(['`', '"'], "");
        return fields.map(name).collect();
    }
    let columns = match arguments.first().and_then(expr_of) {
        Some(Expr::Tuple(values)) => values.len(),
        _ => 1,
    };
    (1..=columns).map(|place| format!("c{place}")).collect()
}

/// The columns that an `ARRAY JOIN` without another name gives its elements, and what these are called.
pub(super) fn elements_of(select: &Select) -> BTreeMap<String, String> {
    let joins = select.from.iter().flat_map(|item| {
        let lists = item.joins.iter().any(|join| is_array_join(&join.join_operator));
        let joins = item.joins.iter().filter(|join| is_array_join(&join.join_operator));
        joins
            .map(|join| &join.relation)
            .chain(select.from.iter().skip(1).map(|item| &item.relation).filter(move |_| lists))
    });
    let plain = joins.filter_map(|table| match table {
        TableFactor::Table { name, alias: None, args: None, .. } => {
            Some(name.to_string().replace(['`', '"'], ""))
        }
        _ => None,
    });
    plain.map(|column| (column.clone(), name(&format!("element_of_{column}")))).collect()
}

fn is_array_join(operator: &JoinOperator) -> bool {
    matches!(operator, JoinOperator::ArrayJoin | JoinOperator::InnerArrayJoin | JoinOperator::LeftArrayJoin)
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
