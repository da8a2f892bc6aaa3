//! `UPDATE` and `DELETE`: the rows, and their new values.

use sqlparser::ast::{
    self, Assignment, AssignmentTarget, FromTable, TableFactor, TableWithJoins, UpdateTableFromKind,
};

use super::insert::is_default;
use super::{Bound, Modifier};
use crate::bind::scope::Table;
use crate::bind::{Clause, Scope};
use crate::catalog::{Column, Relation};
use crate::dml_rows::Rows;
use crate::error::{Result, SqlError, SqlState};
use crate::instead::has_instead;
use crate::print::{self, Names, Printer};
use crate::security::policy::reads;
use crate::source::{self, name};
use crate::tree::{Expr, Node};

impl<'a> Modifier<'a> {
    /// The columns assigned by `SET`, with their values.
    pub(super) fn assignments(
        &mut self,
        assignments: &[Assignment],
        relation: &Relation,
        scope: &Scope<'_>,
    ) -> Result<Vec<(u32, Expr)>> {
        let mut set: Vec<(u32, Expr)> = Vec::new();
        for assignment in assignments {
            let pairs: Vec<(&Column, Expr)> = match &assignment.target {
                AssignmentTarget::ColumnName(object) => {
                    let column = self.set_column(relation, object)?;
                    vec![(column, self.set_value(column, &assignment.value, scope)?)]
                }
                AssignmentTarget::Tuple(objects) => {
                    let columns = objects.iter().map(|object| self.set_column(relation, object));
                    self.set_row(&columns.collect::<Result<Vec<_>>>()?, &assignment.value, scope)?
                }
            };
            for (column, value) in pairs {
                if set.iter().any(|(number, _)| *number == column.number) {
                    let message = format!("multiple assignments to same column \"{}\"", column.name);
                    return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
                }
                set.push((column.number, value));
            }
        }
        Ok(set)
    }

    pub(super) fn set_column<'r>(
        &self,
        relation: &'r Relation,
        object: &ast::ObjectName,
    ) -> Result<&'r Column> {
        match &source::parts(object)[..] {
            [ident] => self.column(relation, ident),
            [first, ..] if relation.column(&name(first)).is_some() => {
                Err(SqlError::unsupported("assigning to a part of a column"))
            }
            [first, ..] => self.column(relation, first),
            [] => Err(SqlError::unsupported("this assignment")),
        }
    }

    pub(super) fn set_value(
        &mut self,
        column: &Column,
        value: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr> {
        if is_default(value) {
            return if column.generated.is_some() {
                Err(SqlError::unsupported("SET of a generated column"))
            } else {
                self.default(column)
            };
        }
        let value = self.binder.expr_in(Clause::Set, scope, value)?;
        let value = self.assign(value, column)?;
        self.refuse_generated(column, "UPDATE", false)?;
        Ok(value)
    }

    pub(super) fn set_row<'r>(
        &mut self,
        columns: &[&'r Column],
        value: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Vec<(&'r Column, Expr)>> {
        let items: Vec<Expr> = match value {
            ast::Expr::Tuple(items) => {
                let items =
                    columns.iter().zip(items).map(|(column, item)| self.set_value(column, item, scope));
                items.collect::<Result<_>>()?
            }
            ast::Expr::Subquery(query) => {
                let query = self.binder.subquery(scope, query)?;
                let width = query.columns.len();
                let items = (0..width).map(|index| {
                    let mut one = query.clone();
                    if let crate::tree::Body::Select(select) = &mut one.body {
                        select.targets.swap(0, index);
                        select.targets.truncate(1);
                        one.columns.swap(0, index);
                        one.columns.truncate(1);
                    }
                    let type_ = query.columns[index].type_.base;
                    self.assign(
                        Expr::new(Node::Scalar(Box::new(one)), type_),
                        columns[index.min(columns.len() - 1)],
                    )
                });
                items.collect::<Result<_>>()?
            }
            _ => return Err(SqlError::unsupported("this source for a multiple-column UPDATE item")),
        };
        if items.len() != columns.len() {
            let message = "number of columns does not match number of values";
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        Ok(columns.iter().copied().zip(items).collect())
    }

    pub(super) fn update(&mut self, update: &ast::Update) -> Result<Bound> {
        let (relation, table, view) = self.changed_table(&update.table, "UPDATE")?;
        let source = table.source;
        let tables = match &update.from {
            Some(UpdateTableFromKind::BeforeSet(tables) | UpdateTableFromKind::AfterSet(tables)) => {
                &tables[..]
            }
            None => &[],
        };
        let (from, part) = self.binder.bind_from(&Scope::default(), tables)?;
        let mut scope = Scope::of(table.clone());
        scope.join(part)?;
        let assignments = self.assignments(&update.assignments, relation, &scope)?;
        self.require_assigned(relation, &assignments);
        let condition = match &update.selection {
            Some(selection) => Some(self.binder.condition_in(Clause::Where, &scope, selection)?),
            None => None,
        };
        let reads = update.returning.is_some()
            || condition.iter().chain(assignments.iter().map(|(_, value)| value)).any(|e| reads(e, source));
        let condition = self.seen(relation, &table, "UPDATE", (condition, reads))?;
        let values = assignments.iter().map(|(_, value)| print::expression(value, Names::default()));
        let mut set: Vec<(u32, String)> = assignments.iter().map(|(number, _)| *number).zip(values).collect();
        let drawn = update.returning.is_some() && draws(&assignments, &from, condition.as_ref());
        let by_rows = drawn || self.engine.updates_by_rows(relation, &set);
        let stored: Vec<&Column> =
            relation.columns.iter().filter(|column| column.generated.is_none()).collect();
        let check = if by_rows { self.check_of_row(relation, &stored, "UPDATE", reads)? } else { None };
        if !by_rows {
            self.check_update(relation, &table, &mut set, reads)?;
        }
        let mut printer = Printer::new(Names::default());
        printer.push(&format!("UPDATE {} AS s{source} SET ", relation.physical()));
        printer.list(&set, ", ", |printer, (number, value)| printer.push(&format!("c{number} = {value}")));
        if !from.is_empty() {
            printer.push(" FROM ");
            printer.list(&from, " CROSS JOIN ", Printer::from);
        }
        if let Some(condition) = &condition {
            printer.push(" WHERE ");
            printer.expr(condition);
        }
        let mut sql = printer.out;
        let written = set;
        let each = by_rows || view.is_some();
        let set =
            Set { assignments: &assignments, from: &from, condition: condition.as_ref(), by_rows: each };
        let place = (table.source, &scope, Some(set));
        let columns = self.returning_of(update.returning.as_deref(), relation, place, &mut sql)?;
        if let Some(view) = &view {
            let rows = self.view_rows(relation, (view, &table), &written, &from, condition.as_ref())?;
            return Ok(Bound { rows: Some(rows), ..self.bound(String::new(), columns, "UPDATE") });
        }
        if by_rows {
            let rows = self.rows_to_change(relation, source, &written, &from, condition.as_ref())?;
            let rows = Rows { check, ..rows };
            return Ok(Bound { rows: Some(rows), ..self.bound(String::new(), columns, "UPDATE") });
        }
        Ok(self.bound(sql, columns, "UPDATE"))
    }

    pub(super) fn delete(&mut self, delete: &ast::Delete) -> Result<Bound> {
        let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
        let [table] = &from[..] else { return Err(SqlError::unsupported("DELETE from several tables")) };
        let (relation, table, view) = self.changed_table(table, "DELETE")?;
        let source = table.source;
        let using = delete.using.as_deref().unwrap_or(&[]);
        let (from, part) = self.binder.bind_from(&Scope::default(), using)?;
        let mut scope = Scope::of(table.clone());
        scope.join(part)?;
        let condition = match &delete.selection {
            Some(selection) => Some(self.binder.condition_in(Clause::Where, &scope, selection)?),
            None => None,
        };
        self.binder.require(relation, 'd');
        let reads = delete.returning.is_some() || condition.as_ref().is_some_and(|e| reads(e, source));
        let condition = self.seen(relation, &table, "DELETE", (condition, reads))?;
        let physical = relation.physical();
        let mut printer = Printer::new(Names::default());
        printer.push(&format!("DELETE FROM {physical} AS s{source}"));
        if !from.is_empty() {
            printer.push(&format!(
                " WHERE rowid IN (SELECT s{source}.rowid FROM {physical} AS s{source} CROSS JOIN "
            ));
            printer.list(&from, " CROSS JOIN ", Printer::from);
        }
        if let Some(condition) = &condition {
            printer.push(" WHERE ");
            printer.expr(condition);
        }
        if !from.is_empty() {
            printer.push(")");
        }
        let mut sql = printer.out;
        let drawn = delete.returning.is_some() && draws(&[], &from, condition.as_ref());
        let by_rows = drawn || view.is_some() || self.engine.changes_by_rows(relation, "DELETE");
        let set = Set { assignments: &[], from: &from, condition: condition.as_ref(), by_rows };
        let place = (table.source, &scope, Some(set));
        let columns = self.returning_of(delete.returning.as_deref(), relation, place, &mut sql)?;
        if let Some(view) = &view {
            let rows = self.view_rows(relation, (view, &table), &[], &from, condition.as_ref())?;
            let rows = Rows { event: "DELETE", ..rows };
            return Ok(Bound { rows: Some(rows), ..self.bound(String::new(), columns, "DELETE") });
        }
        if by_rows {
            let rows = self.rows_to_change(relation, source, &[], &from, condition.as_ref())?;
            let rows = Rows { event: "DELETE", ..rows };
            return Ok(Bound { rows: Some(rows), ..self.bound(String::new(), columns, "DELETE") });
        }
        Ok(self.bound(sql, columns, "DELETE"))
    }

    /// An `UPDATE` that changes each row by itself.
    pub(super) fn rows_to_change(
        &mut self,
        relation: &Relation,
        source: usize,
        set: &[(u32, String)],
        from: &[crate::tree::From],
        condition: Option<&Expr>,
    ) -> Result<Rows> {
        let mut printer = Printer::new(Names::default());
        printer.push(&format!("SELECT s{source}.rowid"));
        for (_, value) in set {
            printer.push(&format!(", {value}"));
        }
        let beside = self.beside(&mut printer);
        printer.push(&format!(" FROM {} AS s{source}", relation.physical()));
        printer.beside_and_where(from, condition);
        Ok(Rows {
            partition: self.through.and_then(|through| through.partition),
            table: relation.oid,
            event: "UPDATE",
            queries: vec![printer.out],
            numbers: set.iter().map(|(number, _)| *number).collect(),
            conflict: None,
            returning: self.returned.take(),
            source,
            beside,
            check: None,
        })
    }

    /// The table that a statement changes; for a view whose triggers make the change, also its rows.
    pub(super) fn changed_table(
        &mut self,
        table: &TableWithJoins,
        command: &str,
    ) -> Result<(&'a Relation, Table, Option<crate::tree::From>)> {
        let TableFactor::Table { name: object, alias, args: None, .. } = &table.relation else {
            return Err(SqlError::unsupported("changing anything but a table"));
        };
        if !table.joins.is_empty() {
            return Err(SqlError::unsupported("changing a join"));
        }
        let relation = self.target(object)?;
        if has_instead(relation, command) {
            let (view, scope) = self.binder.view(relation, alias.as_ref())?;
            let table = scope.tables.into_iter().next();
            let table = table.ok_or_else(|| SqlError::unsupported("a view without columns"))?;
            return Ok((relation, table, Some(view)));
        }
        let source = self.binder.new_source();
        self.binder.watch(relation, source);
        let table = self.table(relation, source, alias.as_ref().map(|alias| name(&alias.name)))?;
        Ok((relation, table, None))
    }
}

/// The assignments and sources of an `UPDATE` or `DELETE`.
pub(super) struct Set<'s> {
    assignments: &'s [(u32, Expr)],
    from: &'s [crate::tree::From],
    condition: Option<&'s Expr>,
    /// Whether each row changes by itself.
    pub(super) by_rows: bool,
}

/// Whether a change beside other rows has values that may differ each time, so that what it returns can't be computed before it.
fn draws(assignments: &[(u32, Expr)], from: &[crate::tree::From], condition: Option<&Expr>) -> bool {
    if from.is_empty() {
        return false;
    }
    let mut found = false;
    let mut look = |expr: &mut Expr| {
        found |= expr.is_drawn();
        found
    };
    from.to_vec().iter_mut().for_each(|from| from.replace(&mut look));
    let values = assignments.iter().map(|(_, value)| value).chain(condition);
    values.cloned().for_each(|mut value| value.replace(&mut look));
    found
}

impl Set<'_> {
    /// A query of `targets` as they will be after the change: assigned columns are replaced by their new values.
    pub(super) fn query(&self, targets: &[Expr], source: usize, table: &str) -> Result<String> {
        let values = self
            .assignments
            .iter()
            .map(|(number, value)| (*number, print::expression(value, Names::default())));
        let values: Vec<(u32, String)> = values.collect();
        let mut printer = Printer::new(Names { renamed: None, replaced: Some((source, &values)) });
        printer.push("SELECT ");
        printer.list(targets, ", ", Printer::expr);
        let mut rest = Printer::new(Names::default());
        rest.push(&format!(" FROM {table} AS s{source} CROSS JOIN "));
        rest.list(self.from, " CROSS JOIN ", Printer::from);
        if let Some(condition) = self.condition {
            rest.push(" WHERE ");
            rest.expr(condition);
        }
        Ok(format!("{}{} GROUP BY s{source}.rowid", printer.out, rest.out))
    }
}
