//! `UPDATE` and `DELETE`: the rows, and their new values.

use std::collections::BTreeSet;

use sqlparser::ast::{
    self, Assignment, AssignmentTarget, FromTable, FunctionArg, FunctionArgExpr, TableFactor, TableWithJoins,
    UpdateTableFromKind,
};

use super::insert::is_default;
use super::{Bound, Modifier};
use crate::bind::scope::Table;
use crate::bind::{Clause, Scope, Step};
use crate::catalog::{Column, Relation};
use crate::dml_rows::Rows;
use crate::error::{Result, SqlError, SqlState};
use crate::instead::has_instead;
use crate::print::{self, Names, Printer};
use crate::security::policy::reads;
use crate::source::{self, name};
use crate::tree::{Body, Expr, Field, From, Node, Query, Select};

impl<'a> Modifier<'a> {
    /// The columns assigned by `SET`, with their values.
    pub(super) fn assignments(
        &mut self,
        assignments: &[Assignment],
        relation: &Relation,
        table: &Table,
        scope: &Scope<'_>,
    ) -> Result<Vec<(u32, Expr)>> {
        // All values have their types before one of them meets its column.
        let mut all: Vec<(&ast::ObjectName, Given<'_>)> = Vec::new();
        for Assignment { target, value } in assignments {
            let (objects, given) = match target {
                AssignmentTarget::ColumnName(object) => {
                    (std::slice::from_ref(object), vec![Given::Written(value)])
                }
                AssignmentTarget::Tuple(objects) => {
                    (&objects[..], self.set_row(objects.len(), value, scope)?)
                }
            };
            for (object, given) in objects.iter().zip(given) {
                all.push((object, self.typed(given, scope)?));
            }
        }
        let (mut set, mut in_parts): (Vec<(u32, Expr)>, BTreeSet<u32>) = (Vec::new(), BTreeSet::new());
        for (object, given) in all {
            let target = self.set_target(relation, object)?;
            let Target { column, steps } = &target;
            // It is computed anew in any case.
            if column.generated.is_some() && matches!(&given, Given::Written(value) if is_default(value)) {
                continue;
            }
            let before = set.iter().position(|(number, _)| *number == column.number);
            let value = match (before, steps.is_empty()) {
                (_, true) => self.set_value(column, given, scope)?,
                (Some(at), false) => self.set_part(&target, (set[at].1.clone(), given), scope)?,
                (None, false) => {
                    let node = Node::Column { source: table.source, field: Field::Column(column.number) };
                    let stored = Expr::new(node, column.type_.base);
                    self.binder.touch(&stored);
                    self.set_part(&target, (stored, given), scope)?
                }
            };
            match before {
                Some(at) if !steps.is_empty() && in_parts.contains(&column.number) => set[at].1 = value,
                Some(_) => {
                    return Err(self.assigned_twice(relation, column));
                }
                None => set.push((column.number, value)),
            }
            if !steps.is_empty() {
                in_parts.insert(column.number);
            }
        }
        Ok(set)
    }

    fn typed<'g>(&mut self, given: Given<'g>, scope: &Scope<'_>) -> Result<Given<'g>> {
        Ok(match given {
            Given::Written(value) if !is_default(value) => {
                Given::Bound(self.binder.expr_in(Clause::Set, scope, value)?)
            }
            given => given,
        })
    }

    /// The column, or the part of one, that a name says.
    pub(super) fn set_target<'r>(
        &self,
        relation: &'r Relation,
        object: &ast::ObjectName,
    ) -> Result<Target<'r>> {
        match &source::parts(object)[..] {
            [first, ..] if source::is_reserved(first) => {
                Err(source::not_a_name(first).at(self.binder.source.place(first.span.start)))
            }
            [first, rest @ ..] => {
                let column = self.column(relation, first)?;
                Ok(Target { column, steps: rest.iter().map(|part| Step::of(part)).collect() })
            }
            [] => Err(SqlError::unsupported("this assignment")),
        }
    }

    fn set_value(&mut self, column: &Column, given: Given<'_>, scope: &Scope<'_>) -> Result<Expr> {
        let value = match given {
            Given::Written(value) if is_default(value) => {
                if self.through.is_none_or(|through| through.updates_to_default(column.number)) {
                    return self.default(column);
                }
                Expr::null()
            }
            Given::Written(value) => self.binder.expr_in(Clause::Set, scope, value)?,
            Given::Bound(value) => value,
        };
        let value = self.assign(value, column)?;
        self.refuse_generated(column, "UPDATE", false)?;
        Ok(value)
    }

    /// The value of a column with another one in a part of it.
    fn set_part(
        &mut self,
        target: &Target<'_>,
        (before, given): (Expr, Given<'_>),
        scope: &Scope<'_>,
    ) -> Result<Expr> {
        let value = match given {
            Given::Written(value) if is_default(value) => return Err(target.refuse_default()),
            Given::Written(value) => self.binder.expr_in(Clause::Set, scope, value)?,
            Given::Bound(value) => value,
        };
        let value = self.put(target, scope, before, value)?;
        self.refuse_generated(target.column, "UPDATE", false)?;
        Ok(value)
    }

    /// The value `before` of a column with another one in a part of it, as a value for the column.
    pub(super) fn put(
        &mut self,
        target: &Target<'_>,
        scope: &Scope<'_>,
        before: Expr,
        value: Expr,
    ) -> Result<Expr> {
        let column = target.column;
        let value = self.binder.with_part(scope, &column.name, (before, &target.steps), value)?;
        self.assign(value, column)
    }

    /// The items of a row, where `(row).*` stands for several.
    fn taken_apart<'v>(
        &mut self,
        scope: &Scope<'_>,
        items: impl Iterator<Item = &'v ast::Expr>,
    ) -> Result<Vec<Given<'v>>> {
        let mut values = Vec::new();
        for item in items {
            match self.binder.expanded(scope, item)? {
                Some((_, items)) => values.extend(items.into_iter().map(Given::Bound)),
                None => values.push(Given::Written(item)),
            }
        }
        Ok(values)
    }

    /// The values for several targets.
    fn set_row<'v>(
        &mut self,
        width: usize,
        value: &'v ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Vec<Given<'v>>> {
        let items: Vec<Given<'v>> = match value {
            ast::Expr::Tuple(items) => self.taken_apart(scope, items.iter())?,
            ast::Expr::Subquery(query) => {
                let query = self.binder.subquery(scope, query)?;
                (0..query.columns.len()).map(|index| Given::Bound(self.column_of(&query, index))).collect()
            }
            ast::Expr::Function(function) if is_row(function) => {
                let ast::FunctionArguments::List(list) = &function.args else { return Ok(Vec::new()) };
                let mut values = Vec::new();
                for argument in &list.args {
                    match argument {
                        FunctionArg::Unnamed(FunctionArgExpr::Expr(value)) => {
                            values.extend(self.taken_apart(scope, std::iter::once(value))?);
                        }
                        FunctionArg::Unnamed(FunctionArgExpr::QualifiedWildcard(name)) => {
                            let (_, name) = crate::source::schema_and_name(name)?;
                            let row = self.binder.starred_row(scope, &name)?;
                            values.extend(self.binder.fields_of(&row)?.1.into_iter().map(Given::Bound));
                        }
                        _ => {}
                    }
                }
                values
            }
            _ => {
                let message =
                    "source for a multiple-column UPDATE item must be a sub-SELECT or ROW() expression";
                return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
            }
        };
        if items.len() != width {
            let message = "number of columns does not match number of values";
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        Ok(items)
    }

    /// One column of the row of a query.
    fn column_of(&mut self, query: &Query, index: usize) -> Expr {
        let source = self.binder.new_source();
        let output = query.columns[index].clone();
        let type_ = output.type_.base;
        let column = Expr::new(Node::Column { source, field: Field::Column(index as u32 + 1) }, type_);
        let from = From::Query { source, query: Box::new(query.clone()), lateral: false };
        let select = Select { targets: vec![column], from: vec![from], ..Select::default() };
        let body = Body::Select(Box::new(select));
        let columns = vec![output];
        let one = Query { ctes: Vec::new(), body, order: Vec::new(), limit: None, offset: None, columns };
        Expr::new(Node::Scalar(Box::new(one)), type_)
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
        let (from, part) = self.sources_beside(&table, tables)?;
        let mut scope = Scope::of(table.clone());
        scope.join(part)?;
        let condition = match &update.selection {
            Some(selection) => Some(self.binder.condition_in(Clause::Where, &scope, selection)?),
            None => None,
        };
        let assignments = self.assignments(&update.assignments, relation, &table, &scope)?;
        self.note_constants(assignments.iter().map(|(_, value)| value).chain(&condition));
        self.require_assigned(relation, &assignments);
        let reads = update.returning.is_some()
            || condition.iter().chain(assignments.iter().map(|(_, value)| value)).any(|e| reads(e, source));
        let condition = self.seen(relation, &table, "UPDATE", (condition, reads))?;
        let values = assignments.iter().map(|(_, value)| print::expression(value, Names::default()));
        let mut set: Vec<(u32, String)> = assignments.iter().map(|(number, _)| *number).zip(values).collect();
        let drawn = update.returning.is_some() && draws(&assignments, &from, condition.as_ref());
        let columns: Vec<u32> = set.iter().map(|(number, _)| *number).collect();
        // A query in a new value sees the rows as they were before the statement.
        let reads_itself = set.iter().any(|(_, value)| names(value, &relation.physical()));
        let by_rows = self.each
            || set.is_empty()
            || drawn
            || self.has_check_options()
            || reads_itself
            || self.engine.updates_by_rows(relation, &set)
            || self.engine.order_matters(relation, "UPDATE", &columns)?;
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
            let rows = Rows { check, views: self.check_of_views(relation)?, ..rows };
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
        let (from, part) = self.sources_beside(&table, using)?;
        let mut scope = Scope::of(table.clone());
        scope.join(part)?;
        let condition = match &delete.selection {
            Some(selection) => Some(self.binder.condition_in(Clause::Where, &scope, selection)?),
            None => None,
        };
        self.note_constants(&condition);
        self.binder.require(relation, 'd');
        self.binder.deletes = true;
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
        let by_rows = self.each
            || drawn
            || view.is_some()
            || self.engine.changes_by_rows(relation, "DELETE")
            || self.engine.order_matters(relation, "DELETE", &[])?;
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

    /// The further sources of a statement, which cannot read the table that changes.
    fn sources_beside(
        &mut self,
        table: &Table,
        tables: &[TableWithJoins],
    ) -> Result<(Vec<From>, Scope<'static>)> {
        self.binder.beside.push(table.alias.clone());
        let bound = self.binder.bind_from(&Scope::default(), tables);
        self.binder.beside.pop();
        bound
    }

    /// An `UPDATE` that changes each row by itself.
    pub(super) fn rows_to_change(
        &mut self,
        relation: &Relation,
        source: usize,
        set: &[(u32, String)],
        from: &[From],
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
            views: None,
        })
    }

    /// Stops a statement that changes rows which replicas would not know.
    pub(super) fn stop_unpublishable(
        &mut self,
        object: &ast::ObjectName,
        relation: &Relation,
        command: &str,
    ) {
        let partition = self.binder.find_relation(object).ok().filter(|named| named.partition.is_some());
        let changed = partition.unwrap_or(self.stored_table(relation));
        if let Some(refusal) = self.binder.catalog.unpublishable(changed, command) {
            self.binder.stopped.get_or_insert(refusal);
        }
    }

    /// The table that a statement changes; for a view whose triggers make the change, also its rows.
    pub(super) fn changed_table(
        &mut self,
        table: &TableWithJoins,
        command: &str,
    ) -> Result<(&'a Relation, Table, Option<From>)> {
        let TableFactor::Table { name: object, alias, args: None, .. } = &table.relation else {
            return Err(SqlError::unsupported("changing anything but a table"));
        };
        if !table.joins.is_empty() {
            return Err(SqlError::unsupported("changing a join"));
        }
        let relation = self.target(object)?;
        if has_instead(relation, command, self.binder.settings.is_replica()) {
            let (view, scope) = self.binder.view(relation, alias.as_ref())?;
            let table = scope.tables.into_iter().next();
            let table = table.ok_or_else(|| SqlError::unsupported("a view without columns"))?;
            return Ok((relation, table, Some(view)));
        }
        self.stop_unpublishable(object, relation, command);
        let source = self.binder.new_source();
        self.binder.watch(relation, source);
        let table = self.table(relation, source, alias.as_ref().map(|alias| name(&alias.name)))?;
        Ok((relation, table, None))
    }
}

/// What a statement assigns to: a column, or a part of it.
pub(super) struct Target<'r> {
    pub(super) column: &'r Column,
    pub(super) steps: Vec<Step>,
}

impl Target<'_> {
    /// The refusal of `DEFAULT` for a part of a column.
    pub(super) fn refuse_default(&self) -> SqlError {
        let part = match self.steps.last() {
            Some(Step::Field(_)) => "a subfield",
            _ => "an array element",
        };
        SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, format!("cannot set {part} to DEFAULT"))
    }
}

/// Whether a call is `ROW (…)`.
fn is_row(function: &ast::Function) -> bool {
    matches!(&source::parts(&function.name)[..], [word] if word.quote_style.is_none() && word.value.eq_ignore_ascii_case("row"))
}

/// A value for a target.
enum Given<'v> {
    Written(&'v ast::Expr),
    Bound(Expr),
}

/// The assignments and sources of an `UPDATE` or `DELETE`.
pub(super) struct Set<'s> {
    assignments: &'s [(u32, Expr)],
    from: &'s [From],
    condition: Option<&'s Expr>,
    /// Whether each row changes by itself.
    pub(super) by_rows: bool,
}

/// Whether a text of SQL names a table.
fn names(sql: &str, table: &str) -> bool {
    let is_end = |byte: Option<&u8>| byte.is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let text = sql.as_bytes();
    sql.match_indices(table).any(|(at, _)| {
        is_end(at.checked_sub(1).and_then(|before| text.get(before))) && is_end(text.get(at + table.len()))
    })
}

/// Whether a change beside other rows has values that may differ each time, so that what it returns can't be computed before it.
fn draws(assignments: &[(u32, Expr)], from: &[From], condition: Option<&Expr>) -> bool {
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
