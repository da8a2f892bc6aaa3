//! `INSERT`: its rows, and the columns that they fill.

use sqlparser::ast::{self, OnConflict, OnConflictAction, OnInsert, SetExpr, Spanned as _, TableObject};

use super::conflict::names_target;
use super::{Bound, Modifier};
use crate::bind::{Clause, Scope};
use crate::catalog::{Column, Relation};
use crate::dml_rows::Rows;
use crate::error::{Result, SqlError, SqlState};
use crate::instead::has_instead;
use crate::print::{Names, Printer};
use crate::source::{self, name};
use crate::through::{Through, is_shown};
use crate::tree::{Expr, Node, Output, Query};
use crate::types::Type;

impl<'a> Modifier<'a> {
    pub(super) fn insert(&mut self, insert: &ast::Insert, overriding: bool) -> Result<Bound> {
        let TableObject::TableName(object) = &insert.table else {
            return Err(SqlError::unsupported("INSERT into a function"));
        };
        let relation = self.target(object)?;
        let columns: Vec<&Column> = if insert.columns.is_empty() {
            self.through.map_or(Ok(()), Through::refuse_all)?;
            relation.columns.iter().filter(|column| is_shown(&column.name)).collect()
        } else {
            let columns = insert.columns.iter().map(|column| match &source::parts(column)[..] {
                [ident] => self.column(relation, ident),
                _ => Err(SqlError::unsupported("assigning to a part of a column")),
            });
            columns.collect::<Result<_>>()?
        };
        for (index, column) in columns.iter().enumerate() {
            if columns[..index].iter().any(|other| other.number == column.number) {
                let message = format!("column \"{}\" specified more than once", column.name);
                return Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message));
            }
        }
        let stored: Vec<&Column> =
            relation.columns.iter().filter(|column| column.generated.is_none()).collect();
        let source = self.binder.new_source();
        let named = if insert.columns.is_empty() { Vec::new() } else { columns.clone() };
        self.require_insert(relation, &named);
        self.binder.watch(relation, source);
        let rows = self.insert_source(insert, relation, &columns, &stored, overriding)?;
        let alias = insert.table_alias.as_ref().map(|alias| name(&alias.alias));
        let table = self.table(relation, source, alias)?;
        let numbers: Vec<String> = stored.iter().map(|column| format!("c{}", column.number)).collect();
        let into = format!("INSERT INTO {} AS s{source}", relation.physical());
        let reads = insert.on.as_ref().is_some_and(names_target) || insert.returning.is_some();
        let updates = matches!(
            &insert.on,
            Some(OnInsert::OnConflict(OnConflict { action: OnConflictAction::DoUpdate(_), .. }))
        );
        let by_rows = |event| self.engine.changes_by_rows(relation, event);
        let by_rows = by_rows("INSERT") || updates && by_rows("UPDATE");
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
        let instead = has_instead(relation, "INSERT");
        if instead && insert.on.is_some() {
            return Err(SqlError::unsupported("ON CONFLICT of a view with triggers"));
        }
        if instead || by_rows {
            let conflict = match &insert.on {
                Some(OnInsert::OnConflict(conflict)) => {
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
            };
            return Ok(Bound { rows: Some(rows), ..self.bound(String::new(), columns, "INSERT") });
        }
        let upserts = self.binder.upserts.then(|| relation.physical());
        let mut all: Vec<String> = heads.into_iter().map(|head| head + &sql).collect();
        let first = all.remove(0);
        Ok(Bound { upserts, more: all, ..self.bound(first, columns, "INSERT") })
    }

    /// The rows to insert, as SQL for one or more statements, with one value for each stored column.
    pub(super) fn insert_source(
        &mut self,
        insert: &ast::Insert,
        relation: &Relation,
        columns: &[&Column],
        stored: &[&Column],
        overriding: bool,
    ) -> Result<Vec<String>> {
        let Some(query) = &insert.source else {
            let row = self.row(&[], &[], stored, overriding)?;
            return Ok(vec![print_rows(&[row])]);
        };
        if let (SetExpr::Values(values), None, None) = (&*query.body, &query.with, &query.order_by) {
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
            // In a single statement, SQLite would draw all numbers from sequences before it checks the first row.
            if self.binder.sequences.is_some() && self.binder.reads.is_empty() {
                return Ok(rows.iter().map(|row| print_rows(std::slice::from_ref(row))).collect());
            }
            return Ok(vec![print_rows(&rows)]);
        }
        let bound = self.binder.untyped_query(&Scope::default(), query)?;
        self.check_width(bound.columns.len(), columns, insert, None)?;
        let columns = &columns[..bound.columns.len()];
        for column in columns {
            self.refuse_generated(column, "INSERT", overriding)?;
        }
        let _ = relation;
        Ok(vec![self.of_query(bound, columns, stored)?])
    }

    pub(super) fn check_width(
        &self,
        width: usize,
        columns: &[&Column],
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
        columns: &[&Column],
        given: &[ast::Expr],
        stored: &[&Column],
        overriding: bool,
    ) -> Result<Vec<Expr>> {
        let mut assigned: Vec<(u32, Expr)> = Vec::new();
        for (column, expr) in columns.iter().zip(given).filter(|(_, expr)| !is_default(expr)) {
            let value = self.binder.expr_in(Clause::Values, &Scope::default(), expr)?;
            assigned.push((column.number, self.assign(value, column)?));
        }
        for (column, expr) in columns.iter().zip(given) {
            if !is_default(expr) {
                self.refuse_generated(column, "INSERT", overriding)?;
            }
        }
        let values = stored.iter().map(|column| {
            let at = assigned.iter().position(|(number, _)| *number == column.number);
            at.map_or_else(|| self.default(column), |at| Ok(assigned.swap_remove(at).1))
        });
        values.collect()
    }

    pub(super) fn of_query(
        &mut self,
        query: Query,
        columns: &[&Column],
        stored: &[&Column],
    ) -> Result<String> {
        let mut query = query;
        // An untyped literal takes the type of its column.
        let types: Vec<Type> = query
            .columns
            .iter()
            .zip(columns)
            .map(|(output, column)| match output.type_.base {
                Type::UNKNOWN => self.binder.catalog.base_type(column.type_.base),
                known => known,
            })
            .collect();
        self.binder.retype(&mut query, &types)?;
        let source = self.binder.new_source();
        let mut values = Vec::new();
        for column in stored {
            let at = columns.iter().position(|named| named.number == column.number);
            values.push(match at {
                Some(at) => {
                    let field = crate::tree::Field::Column(at as u32 + 1);
                    let value = Expr::new(Node::Column { source, field }, query.columns[at].type_.base);
                    let value = Expr { modifier: query.columns[at].type_.modifier, ..value };
                    self.assign(value, column)?
                }
                None => self.default(column)?,
            });
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
