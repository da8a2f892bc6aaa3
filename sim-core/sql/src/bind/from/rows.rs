//! `ROWS FROM`: functions whose rows are put side by side.

use sqlparser::ast::{JoinOperator, TableAlias, TableFactor, TableWithJoins};

use super::Part;
use crate::bind::{Binder, Scope};
use crate::error::Result;
use crate::forms::{DEFINED, ROWS};
use crate::source::{self, name};
use crate::tree::{Body, Comparison, Expr, From, JoinKind, Node, Output, Query, Select};
use crate::types::Type;

/// The functions of a `ROWS FROM`, and whether their rows are numbered; `None` for any other join.
pub(in crate::bind) fn functions(joined: &TableWithJoins) -> Option<(Vec<&TableFactor>, bool)> {
    let (last, others) = joined.joins.split_last()?;
    let JoinOperator::CrossJoin(_) = last.join_operator else { return None };
    let TableFactor::Table { name, args: None, .. } = &last.relation else { return None };
    let (_, called) = source::schema_and_name(name).ok()?;
    let numbered = ROWS.iter().position(|known| *known == called)?;
    Some((
        std::iter::once(&joined.relation).chain(others.iter().map(|join| &join.relation)).collect(),
        numbered == 1,
    ))
}

impl Binder<'_> {
    /// Binds functions as one source. Where one has fewer rows than another, it has nulls.
    pub(super) fn rows_from(
        &mut self,
        outer: &Scope<'_>,
        before: &Scope<'_>,
        functions: &[&TableFactor],
        alias: Option<&TableAlias>,
        numbered: bool,
    ) -> Result<Part> {
        let mut side: Option<(From, Vec<Output>, Vec<Expr>, Expr)> = None;
        let (mut called, mut scalar) = (String::new(), false);
        for function in functions {
            let function = self.named((*function).clone(), alias.filter(|_| functions.len() == 1))?;
            let (from, scope) = self.factor(outer, before, &function)?;
            if called.is_empty() {
                called = function_name(&function)?;
                scalar = functions.len() == 1 && !numbered && scope.tables[0].scalar;
            }
            let (from, columns, items, number) = self.numbered(from, &scope)?;
            side = Some(match side {
                None => (from, columns, items, number),
                Some((left, mut known, mut values, at)) => {
                    let on = self.compare(Comparison::Equal, at.clone(), number.clone())?;
                    let (left, right) = (Box::new(left), Box::new(from));
                    known.extend(columns);
                    values.extend(items);
                    let at = Expr::new(Node::Coalesce(vec![at, number]), Type::INT8);
                    (From::Join { left, right, kind: JoinKind::Full, on: Some(on) }, known, values, at)
                }
            });
        }
        let (from, mut columns, mut targets, number) = side.expect("a join has a source");
        if numbered {
            columns.push(Output { name: "ordinality".to_owned(), type_: Type::INT8.plain() });
            targets.push(number);
        }
        let select = Select { targets, from: vec![from], ..Select::default() };
        let body = Body::Select(Box::new(select));
        let query = Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns };
        let lateral = !before.tables.is_empty() || outer.parent.is_some() || !outer.tables.is_empty();
        let (from, mut scope) = self.derived(query, alias, &called, lateral)?;
        scope.tables[0].scalar = scalar;
        Ok((from, scope))
    }

    /// A function under the name of the whole, from which the column of a single value has its own, and with the columns defined there.
    fn named(&self, mut function: TableFactor, whole: Option<&TableAlias>) -> Result<TableFactor> {
        let (TableFactor::Table { alias, .. }
        | TableFactor::Function { alias, .. }
        | TableFactor::UNNEST { alias, .. }) = &mut function
        else {
            return Ok(function);
        };
        match alias {
            Some(given) if name(&given.name) != DEFINED => {
                Err(source::not_a_name(&given.name).at(self.place(given.name.span.start)))
            }
            Some(_) => Ok(function),
            None => {
                let defines =
                    whole.is_some_and(|whole| whole.columns.iter().any(|column| column.data_type.is_some()));
                *alias = whole.map(|whole| TableAlias {
                    columns: if defines { whole.columns.clone() } else { Vec::new() },
                    ..whole.clone()
                });
                Ok(function)
            }
        }
    }

    /// The rows of a source with their numbers: the source, its columns, their values, and the number.
    fn numbered(&mut self, from: From, scope: &Scope<'_>) -> Result<(From, Vec<Output>, Vec<Expr>, Expr)> {
        let table = &scope.tables[0];
        let columns = table.columns.iter();
        let columns: Vec<Output> =
            columns.map(|column| Output { name: column.name.clone(), type_: column.type_ }).collect();
        let mut targets: Vec<Expr> = table.visible().into_iter().map(|visible| visible.expr).collect();
        targets.push(Expr::template("row_number() OVER ()", Vec::new(), Type::INT8));
        let mut outputs = columns.clone();
        outputs.push(Output { name: "ordinality".to_owned(), type_: Type::INT8.plain() });
        let body = Body::Select(Box::new(Select { targets, from: vec![from], ..Select::default() }));
        let query =
            Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns: outputs };
        let (from, scope) = self.derived(query, None, "", false)?;
        let mut values: Vec<Expr> =
            scope.tables[0].visible().into_iter().map(|visible| visible.expr).collect();
        let number = values.pop().expect("its number is the last column");
        Ok((from, columns, values, number))
    }
}

fn function_name(function: &TableFactor) -> Result<String> {
    match function {
        TableFactor::Table { name, .. } | TableFactor::Function { name, .. } => {
            Ok(source::schema_and_name(name)?.1)
        }
        TableFactor::UNNEST { alias: Some(alias), .. } => Ok(name(&alias.name)),
        _ => Ok("unnest".to_owned()),
    }
}
