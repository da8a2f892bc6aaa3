//! `INSERT`: its rows, and the columns that they fill.

use sqlparser::ast::{self, OnConflict, OnConflictAction, OnInsert, SetExpr, Spanned as _, TableObject};

use super::conflict::names_target;
use super::update::Target;
use super::{Bound, Modifier, Overriding};
use crate::bind::{Clause, Scope};
use crate::catalog::{Column, Relation};
use crate::dml_rows::Rows;
use crate::error::{Result, SqlError, SqlState};
use crate::instead::has_instead;
use crate::print::{Names, Printer};
use crate::source::{name, parts};
use crate::tree::{Body, Expr, Node, Output, Query};
use crate::types::Type;

impl<'a> Modifier<'a> {
    pub(super) fn insert(&mut self, insert: &ast::Insert, overriding: Overriding) -> Result<Bound> {
        let TableObject::TableName(object) = &insert.table else {
            return Err(SqlError::unsupported("INSERT into a function"));
        };
        let relation = self.target(object)?;
        let targets: Vec<Target<'_>> = if insert.columns.is_empty() {
            let columns = self.all_columns(relation, insert)?;
            columns.into_iter().map(|column| Target { column, steps: Vec::new() }).collect()
        } else {
            let targets = insert.columns.iter().map(|column| self.set_target(relation, column));
            targets.collect::<Result<_>>()?
        };
        let columns: Vec<&Column> = targets.iter().map(|target| target.column).collect();
        for (index, target) in targets.iter().enumerate() {
            let (column, whole) = (target.column, |of: &Target<'_>| of.steps.is_empty());
            let same =
                |other: &Target<'_>| other.column.number == column.number && (whole(other) || whole(target));
            if let Some(other) = targets[..index].iter().position(same) {
                let written = |at: usize| parts(&insert.columns[at]).first().map(|ident| name(ident));
                let (Some(called), Some(before)) = (written(index), written(other)) else { continue };
                if called != before {
                    return Err(self.assigned_twice(relation, column));
                }
                let message = format!("column \"{called}\" specified more than once");
                let at = parts(&insert.columns[index]).first().map(|ident| ident.span.start);
                let at = at.and_then(|start| self.binder.source.place(start));
                return Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message).at(at));
            }
        }
        let stored: Vec<&Column> =
            relation.columns.iter().filter(|column| column.generated.is_none()).collect();
        let source = self.binder.new_source();
        let named = if insert.columns.is_empty() { Vec::new() } else { columns.clone() };
        self.require_insert(relation, &named);
        self.binder.watch(relation, source);
        let rows = self.insert_source(insert, &targets, &stored, overriding)?;
        let alias = insert.table_alias.as_ref().map(|alias| name(&alias.alias));
        let table = self.table(relation, source, alias)?;
        let numbers: Vec<String> = stored.iter().map(|column| format!("c{}", column.number)).collect();
        let into = format!("INSERT INTO {} AS s{source}", relation.physical());
        let reads = insert.on.as_ref().is_some_and(names_target) || insert.returning.is_some();
        let updates = matches!(
            &insert.on,
            Some(OnInsert::OnConflict(OnConflict { action: OnConflictAction::DoUpdate(_), .. }))
        );
        if updates {
            self.stop_unpublishable(object, relation, "UPDATE");
        }
        let by_rows = |event| self.engine.changes_by_rows(relation, event);
        let all: Vec<u32> = relation.columns.iter().map(|column| column.number).collect();
        let by_rows = self.each
            || self.has_check_options()
            || by_rows("INSERT")
            || updates && (by_rows("UPDATE") || self.engine.order_matters(relation, "UPDATE", &all)?);
        let check = if by_rows { self.check_of_row(relation, &stored, "INSERT", reads)? } else { None };
        let checked = |rows| {
            if by_rows { Ok(rows) } else { self.checked_rows(relation, &stored, "INSERT", rows, reads) }
        };
        let rows = rows.into_iter().map(checked).collect::<Result<Vec<_>>>()?;
        let heads = rows.iter().map(|rows| match numbers.is_empty() {
            true => format!("{into} DEFAULT VALUES"),
            false => format!("{into}({}) {rows}", numbers.join(",")),
        });
        let heads: Vec<String> = heads.collect();
        let mut sql = String::new();
        if let Some(on) = &insert.on {
            let OnInsert::OnConflict(conflict) = on else {
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at or near \"DUPLICATE\""));
            };
            let given = self.conflict.clone();
            let clause = self.on_conflict(conflict, relation, &table)?;
            self.conflict = given;
            sql.push_str(&clause);
        }
        let columns = self.returning(insert.returning.as_deref(), relation, table.clone(), &mut sql)?;
        let instead = has_instead(relation, "INSERT", self.binder.settings.is_replica());
        if instead || by_rows {
            let conflict = match &insert.on {
                // Triggers of a view make the row: whether there is one like it is for them to say.
                Some(OnInsert::OnConflict(conflict)) if !instead => {
                    Some(self.conflict_of_row(conflict, relation, &table)?)
                }
                _ => None,
            };
            let rows = Rows {
                partition: self.through.and_then(|through| through.partition),
                table: relation.oid,
                event: "INSERT",
                queries: rows,
                numbers: stored.iter().map(|column| column.number).collect(),
                conflict,
                returning: self.returned.take(),
                source,
                beside: None,
                check,
                views: self.check_of_views(relation)?,
            };
            return Ok(Bound { rows: Some(rows), ..self.bound(String::new(), columns, "INSERT") });
        }
        let upserts = self.binder.upserts.then(|| relation.physical());
        let mut all: Vec<String> = heads.into_iter().map(|head| head + &sql).collect();
        let first = all.remove(0);
        let after_rows = Some(sql.len());
        Ok(Bound { upserts, more: all, after_rows, ..self.bound(first, columns, "INSERT") })
    }

    /// The columns of an `INSERT` that names none. Those of a view end before the first one that it computes, unless there are
    /// values for that one too.
    fn all_columns<'r>(&self, relation: &'r Relation, insert: &ast::Insert) -> Result<Vec<&'r Column>> {
        let Some(through) = self.through else { return Ok(relation.columns.iter().collect()) };
        let count = match insert.source.as_ref().map(|source| &*source.body) {
            Some(SetExpr::Values(values)) => values.rows.first().map_or(0, |row| row.content.len()),
            _ => 0,
        };
        let mut columns = Vec::new();
        for (index, name) in through.names().enumerate() {
            match through.number(name).and_then(|number| relation.column_number(number)) {
                Some(column) => columns.push(column),
                None if index >= count => break,
                None => through.refuse_column(name).map_or(Ok(()), Err)?,
            }
        }
        Ok(columns)
    }

    /// The rows to insert, as SQL for one or more statements, with one value for each stored column.
    pub(super) fn insert_source(
        &mut self,
        insert: &ast::Insert,
        columns: &[Target<'_>],
        stored: &[&Column],
        overriding: Overriding,
    ) -> Result<Vec<String>> {
        let Some(query) = &insert.source else {
            let row = self.row(&[], &[], stored, overriding)?;
            return Ok(vec![print_rows(&[row])]);
        };
        let several = match &*query.body {
            SetExpr::Values(values) => self.several_of(values, query)?,
            _ => None,
        };
        if let (SetExpr::Values(values), None, None, None) =
            (&*query.body, &query.with, &query.order_by, &several)
        {
            let width = values.rows.first().map_or(0, |row| row.content.len());
            if let Some(row) = values.rows.iter().find(|row| row.content.len() != width) {
                let at = row.content.first().and_then(|expr| self.binder.source.place(expr.span().start));
                return Err(SqlError::new(
                    SqlState::SYNTAX_ERROR,
                    "VALUES lists must all be the same length",
                )
                .at(at));
            }
            let mut rows = Vec::new();
            for row in &values.rows {
                self.check_width(row.content.len(), columns, insert, row.content.get(columns.len()))?;
                rows.push(self.row(&columns[..row.content.len()], &row.content, stored, overriding)?);
            }
            self.note_constants(rows.iter().flatten());
            // In a single statement, SQLite would draw all numbers from sequences before it checks the first row.
            if self.binder.sequences.is_some() && self.binder.reads.is_empty() {
                return Ok(rows.iter().map(|row| print_rows(std::slice::from_ref(row))).collect());
            }
            return Ok(vec![print_rows(&rows)]);
        }
        let query = several.as_ref().unwrap_or(query);
        let bound = self.binder.untyped_query(&Scope::default(), query)?;
        self.check_width(bound.columns.len(), columns, insert, None)?;
        let columns = &columns[..bound.columns.len()];
        for target in columns {
            self.refuse_generated(target.column, "INSERT", overriding != Overriding::Nothing)?;
        }
        Ok(vec![self.of_query(bound, columns, stored, overriding)?])
    }

    /// The query of values with rows that are taken apart, or of one row of which a function makes several.
    fn several_of(&mut self, values: &ast::Values, query: &ast::Query) -> Result<Option<ast::Query>> {
        let expands = |row: &ast::Parens<Vec<ast::Expr>>| row.content.iter().any(crate::bind::expands_row);
        let apart = values.rows.iter().any(expands);
        let [row] = &values.rows[..] else { return Ok(apart.then(|| query.clone())) };
        let is_call = |expr: &ast::Expr| matches!(expr, ast::Expr::Function(_));
        let mut calls = row.content.iter().filter(|expr| is_call(expr));
        if row.content.iter().any(is_default) || !apart && !calls.any(|call| self.binder.returns_set(call)) {
            return Ok(None);
        }
        let mut made = crate::source::Source::stored("SELECT 1").query()?;
        if let SetExpr::Select(select) = &mut *made.body {
            select.projection = row.content.iter().cloned().map(ast::SelectItem::UnnamedExpr).collect();
        }
        Ok(Some(ast::Query { body: made.body, ..query.clone() }))
    }

    pub(super) fn check_width(
        &self,
        width: usize,
        columns: &[Target<'_>],
        insert: &ast::Insert,
        first: Option<&ast::Expr>,
    ) -> Result<()> {
        if width > columns.len() {
            let at = first.and_then(|expr| self.binder.source.place(expr.span().start));
            return Err(SqlError::new(
                SqlState::SYNTAX_ERROR,
                "INSERT has more expressions than target columns",
            )
            .at(at));
        }
        if width < columns.len() && !insert.columns.is_empty() {
            let at =
                insert.columns.get(width).and_then(|column| self.binder.source.place(column.span().start));
            return Err(SqlError::new(
                SqlState::SYNTAX_ERROR,
                "INSERT has more target columns than expressions",
            )
            .at(at));
        }
        Ok(())
    }

    /// One row of values: the given values, and defaults for the other columns.
    pub(super) fn row(
        &mut self,
        columns: &[Target<'_>],
        given: &[ast::Expr],
        stored: &[&Column],
        overriding: Overriding,
    ) -> Result<Vec<Expr>> {
        let mut assigned: Vec<(u32, Expr)> = Vec::new();
        for (target, expr) in columns.iter().zip(given) {
            let column = target.column;
            if is_default(expr) && !target.steps.is_empty() {
                return Err(target.refuse_default());
            }
            if is_default(expr) {
                continue;
            }
            let value = self.binder.expr_in(Clause::Values, &Scope::default(), expr)?;
            if target.steps.is_empty() {
                assigned.push((column.number, self.assign(value, column)?));
                continue;
            }
            let before = assigned.iter().position(|(number, _)| *number == column.number);
            let before = before.map(|at| assigned.swap_remove(at).1);
            let value = self.put_new(target, before, value)?;
            assigned.push((column.number, value));
        }
        for (target, expr) in columns.iter().zip(given) {
            if !is_default(expr) {
                self.refuse_generated(target.column, "INSERT", overriding != Overriding::Nothing)?;
            }
        }
        assigned.retain(|(number, _)| {
            !stored.iter().any(|column| column.number == *number && generates(column, overriding))
        });
        let values = stored.iter().map(|column| {
            let at = assigned.iter().position(|(number, _)| *number == column.number);
            at.map_or_else(|| self.default(column), |at| Ok(assigned.swap_remove(at).1))
        });
        values.collect()
    }

    /// A value in a part of a column of a new row, where earlier targets may have other parts.
    fn put_new(&mut self, target: &Target<'_>, before: Option<Expr>, value: Expr) -> Result<Expr> {
        let none = || Expr::literal(rusqlite::types::Value::Null, target.column.type_.base);
        self.put(target, &Scope::default(), before.unwrap_or_else(none), value)
    }

    pub(super) fn of_query(
        &mut self,
        query: Query,
        columns: &[Target<'_>],
        stored: &[&Column],
        overriding: Overriding,
    ) -> Result<String> {
        let mut query = query;
        // An untyped literal takes the type of its column.
        let types: Vec<Type> = query
            .columns
            .iter()
            .zip(columns)
            .map(|(output, target)| match output.type_.base {
                Type::UNKNOWN => self.binder.type_of_part(target.column.type_.base, &target.steps),
                known => known,
            })
            .collect();
        self.binder.retype(&mut query, &types)?;
        let places = query.body.places();
        let source = self.binder.new_source();
        let mut values = Vec::new();
        for column in stored {
            let mut given = None;
            for (at, target) in columns.iter().enumerate() {
                if target.column.number != column.number || generates(column, overriding) {
                    continue;
                }
                let field = crate::tree::Field::Column(at as u32 + 1);
                let value = Expr::new(Node::Column { source, field }, query.columns[at].type_.base);
                let value = Expr { modifier: query.columns[at].type_.modifier, ..value }.at(places[at]);
                given = Some(match target.steps.is_empty() {
                    true => self.assign(value, column)?,
                    false => self.put_new(target, given, value)?,
                });
            }
            values.push(given.map_or_else(|| self.default(column), Ok)?);
        }
        if let Body::Select(select) = &query.body {
            self.note_constants(&select.targets);
        }
        let mut printer = Printer::new(Names::default());
        printer.push("SELECT ");
        printer.list(&values, ", ", Printer::expr);
        printer.push(" FROM (");
        printer.query(&query);
        // Without a `WHERE`, SQLite would take `ON CONFLICT` for the condition of a join.
        printer.push(&format!(") AS s{source} WHERE 1"));
        Ok(printer.out)
    }
}

/// Whether an identity column generates its value although one is given.
fn generates(column: &Column, overriding: Overriding) -> bool {
    column.identity.is_some() && overriding == Overriding::UserValue
}

/// Output columns with the types of their targets.
pub(super) fn typed(columns: Vec<Output>, targets: &[Expr]) -> Vec<Output> {
    let typed = columns.into_iter().zip(targets);
    typed
        .map(|(column, target)| Output {
            type_: crate::types::Modified { base: target.type_, ..column.type_ },
            ..column
        })
        .collect()
}

pub(super) fn print_rows(rows: &[Vec<Expr>]) -> String {
    let mut printer = Printer::new(Names::default());
    printer.push("VALUES ");
    printer.list(rows, ", ", |printer, row| {
        printer.push("(");
        printer.list(row, ", ", Printer::expr);
        printer.push(")");
    });
    printer.out
}

pub(crate) fn is_default(expr: &ast::Expr) -> bool {
    matches!(expr, ast::Expr::Identifier(ident) if ident.quote_style.is_none() && ident.value.eq_ignore_ascii_case("default"))
}
