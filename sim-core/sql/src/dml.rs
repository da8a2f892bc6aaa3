//! `INSERT`, `UPDATE`, `DELETE`.

mod conflict;
mod constants;
mod earlier;
mod implied;
mod insert;
mod update;
mod violation;

use std::rc::Rc;

use sqlparser::ast::{self, FromTable, SelectItem, TableFactor, TableObject};
use sqlparser::tokenizer::TokenWithSpan;

use self::conflict::take_conflict_target;
pub(crate) use self::insert::is_default;
use self::insert::typed;
use self::update::Set;
use super::bind::scope::Table;
use super::bind::{Binder, Clause, KnownCte, Scope, Sequences};
use super::cast::Context;
use super::catalog::{Column, Identity, Oid, Relation, RelationKind};
use super::dml_rows::Rows;
use super::error::{Result, SqlError, SqlState};
use super::instead::has_instead;
use super::plpgsql::Uses;
use super::print::{self, Names, Printer};
use super::run::{Done, Engine, Returned};
use super::source::{self, Source, is_word, name};
use super::system;
use super::through::{self, Columns, Through, shown};
use super::tree::{Expr, Field, LETS, Node, Output};
use super::types::Type;

/// What `INSERT` says of the values given for identity columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Overriding {
    Nothing,
    /// They are inserted, also where the column always generates its values.
    SystemValue,
    /// The column generates its values.
    UserValue,
}

/// A statement without the clauses that the parser can't read, and these clauses.
pub(super) struct Stripped {
    pub(super) tokens: Vec<TokenWithSpan>,
    pub(super) overriding: Overriding,
    /// The texts of an `ON CONFLICT` target and of its condition, if the target is not just a list of columns.
    pub(super) conflict: Option<(String, Option<String>)>,
}

/// Removes `OVERRIDING … VALUE`, and a conflict target with expressions or a condition.
pub(super) fn without_overriding(source: &Source, tokens: &[TokenWithSpan]) -> Stripped {
    let found = tokens.windows(3).position(|window| {
        is_word(&window[0], "overriding")
            && (is_word(&window[1], "system") || is_word(&window[1], "user"))
            && is_word(&window[2], "value")
    });
    let mut tokens = tokens.to_vec();
    let overriding = match found {
        Some(at) if is_word(&tokens[at + 1], "user") => Overriding::UserValue,
        Some(_) => Overriding::SystemValue,
        None => Overriding::Nothing,
    };
    if let Some(at) = found {
        tokens.drain(at..at + 3);
    }
    let conflict = take_conflict_target(source, &mut tokens);
    Stripped { tokens, overriding, conflict }
}

/// A bound statement: SQL for SQLite, and the columns that it returns.
#[derive(Debug)]
pub(super) struct Bound {
    sql: String,
    /// More SQL that runs after it as part of the same statement.
    more: Vec<String>,
    columns: Option<Vec<Output>>,
    sequences: Option<Sequences>,
    /// Queries of the constants that PostgreSQL computes first, and how many each has.
    constants: Vec<(String, usize)>,
    pub(super) verb: &'static str,
    /// The query of the returned rows, if SQLite's `RETURNING` can't compute them. It runs before the change.
    before: Option<String>,
    /// The table of an upsert.
    upserts: Option<String>,
    /// The same change row by row, if it fires triggers.
    rows: Option<Rows>,
    /// The exclusion constraints whose conflicts skip a row.
    skips: Vec<Oid>,
    /// The length of what follows the rows of an `INSERT`.
    after_rows: Option<usize>,
}

impl Bound {
    /// The columns that it returns.
    pub(super) fn into_columns(self) -> Option<Vec<Output>> {
        self.columns
    }

    /// A statement up to the end of the rows that it inserts.
    fn rows_of<'s>(&self, sql: &'s str) -> Option<&'s str> {
        self.after_rows.map(|length| &sql[..sql.len() - length])
    }
}

impl Engine<'_> {
    /// Binds and runs a data-modifying statement.
    pub(super) fn modify(
        &mut self,
        statement: &ast::Statement,
        overriding: Overriding,
        ctes: Vec<KnownCte>,
    ) -> Result<Done> {
        // Inside of a body the values are wanted, not their texts.
        let shown = self.frame.is_none();
        self.modify_as(statement, overriding, ctes, shown)
    }

    /// `shown` says whether a client sees what is returned.
    pub(super) fn modify_as(
        &mut self,
        statement: &ast::Statement,
        overriding: Overriding,
        ctes: Vec<KnownCte>,
        shown: bool,
    ) -> Result<Done> {
        if let Some(target) = target_of(statement) {
            self.wake_target(target)?;
        }
        let conflict = self.conflict.take();
        if let Some(done) = self.done_nothing(statement)? {
            self.last_bound = None;
            return Ok(done);
        }
        let bound = self.with_variables(|engine| {
            engine.bind_modification(statement, (overriding, shown), ctes.clone(), conflict.clone())
        })?;
        if self.describes() {
            let returned = bound.columns.map(|columns| Returned { columns, rows: Vec::new() });
            return Ok(Done { tag: bound.verb.to_owned(), returned });
        }
        // What stands for earlier rows is there for this statement only.
        let lasts = self.before.is_empty() && self.transition.is_empty();
        let uses = self.frame.as_ref().map(|frame| frame.borrow()).filter(|frame| lasts && !frame.inlined);
        let uses = uses.map(|frame| Uses::of(&frame, self.catalog.clone(), self.settings.clone()));
        self.end_binding();
        let done = self.run_modification(&bound)?;
        self.last_bound = uses.map(|uses| Rc::new((bound, uses)));
        Ok(done)
    }

    pub(super) fn bind_modification(
        &mut self,
        statement: &ast::Statement,
        given: (Overriding, bool),
        ctes: Vec<KnownCte>,
        conflict: Option<(String, Option<String>)>,
    ) -> Result<Bound> {
        let (bound, undoes) = self.bind_change(statement, given, ctes.clone(), conflict.clone(), false)?;
        // SQLite makes no savepoint while a statement that writes is calling a function.
        if undoes && bound.rows.is_none() {
            return Ok(self.bind_change(statement, given, ctes, conflict, true)?.0);
        }
        Ok(bound)
    }

    /// `each` says whether it goes row by row in any case. Also returns whether a function that it calls may undo changes.
    fn bind_change(
        &mut self,
        statement: &ast::Statement,
        (overriding, shown): (Overriding, bool),
        ctes: Vec<KnownCte>,
        conflict: Option<(String, Option<String>)>,
        each: bool,
    ) -> Result<(Bound, bool)> {
        let catalog = self.catalog.clone();
        let settings = self.settings.clone();
        let parameters = self.parameters.clone();
        let mut binder = Binder::new(&catalog, self.source.clone(), &settings, &parameters);
        binder.before.clone_from(&self.before);
        binder.undoes = Some(false);
        for cte in ctes {
            binder.know(cte);
        }
        self.begin_binding(&mut binder);
        let through = self.through_of(statement)?;
        let through = through.as_ref();
        let mut modifier = Modifier {
            engine: self,
            binder,
            conflict,
            before: None,
            returned: None,
            beside: None,
            shown,
            each,
            constants: Vec::new(),
            skips: Vec::new(),
            only_skips: false,
            through,
        };
        let bound = match statement {
            ast::Statement::Insert(insert) => modifier.insert(insert, overriding),
            ast::Statement::Update(update) => modifier.update(update),
            ast::Statement::Delete(delete) => modifier.delete(delete),
            other => return Err(SqlError::unsupported(format!("the statement {other}"))),
        };
        let bound = bound.map_err(|error| match through {
            Some(through) => through.explained(error),
            None => error,
        })?;
        if let Err(denied) = modifier.binder.permit() {
            for (constants, count) in &bound.constants {
                self.fetch(constants, *count)?;
            }
            return Err(denied);
        }
        let sql = self.with_system(&modifier.binder, &bound.sql);
        let before = bound.before.as_ref().map(|before| self.with_system(&modifier.binder, before));
        Ok((Bound { sql, before, ..bound }, modifier.binder.undoes == Some(true)))
    }

    /// The view that a statement changes, if no trigger makes the change.
    fn through_of(&self, statement: &ast::Statement) -> Result<Option<Through>> {
        let Some((name, command)) = through::target_and_command(statement) else { return Ok(None) };
        let found = self.plain_binder().find_relation(name).ok();
        let view = found.filter(|view| {
            view.kind == RelationKind::View && !has_instead(view, command, self.settings.is_replica())
        });
        view.map(|view| self.through(view, command, &Columns::of(statement, view))).transpose()
    }

    pub(super) fn run_modification(&mut self, bound: &Bound) -> Result<Done> {
        let inside = crate::plpgsql::is_called() || crate::touched::is_changing();
        let noted = if inside { self.last_note()? } else { 0 };
        let outer = std::mem::replace(&mut self.noted, noted);
        let done = self.run_change(bound);
        self.noted = outer;
        done
    }

    fn run_change(&mut self, bound: &Bound) -> Result<Done> {
        for (constants, count) in &bound.constants {
            self.fetch(constants, *count)?;
        }
        if let Some(sequences) = &bound.sequences {
            self.load_sequences(sequences)?;
        }
        // Triggers of the constraints look for these notes.
        for constraint in &bound.skips {
            self.execute(&format!("INSERT INTO pg_pending VALUES (-{constraint}, '', 0)"))?;
        }
        let rows = match &bound.rows {
            Some(rows) => self.change_rows(rows)?,
            None => {
                let rows = self.modified_rows(bound);
                self.take_back();
                rows?
            }
        };
        if !self.is_joined() || !bound.skips.is_empty() {
            self.check_pending(false)?;
        }
        if bound.sequences.is_some() {
            self.store_sequences()?;
        }
        let count = rows.1;
        let tag = if bound.verb == "INSERT" {
            format!("INSERT 0 {count}")
        } else {
            format!("{} {count}", bound.verb)
        };
        let returned = bound.columns.clone().map(|columns| Returned { columns, rows: rows.0 });
        Ok(Done { tag, returned })
    }

    fn modified_rows(&self, bound: &Bound) -> Result<(Vec<Vec<rusqlite::types::Value>>, usize)> {
        if let Some(table) = &bound.upserts {
            self.fetch(&format!("SELECT pg_begin_upsert(coalesce((SELECT max(rowid) FROM {table}), 0))"), 1)?;
        }
        if let (Some(before), Some(columns)) = (&bound.before, &bound.columns) {
            let rows = self.fetch(before, columns.len())?;
            let count = self.change(&bound.sql).map_err(|error| self.explain(error, &bound.sql))?;
            return Ok((rows, count));
        }
        let (mut rows, mut count) = (Vec::new(), 0);
        for sql in std::iter::once(&bound.sql).chain(&bound.more) {
            match &bound.columns {
                Some(columns) => {
                    let more = self.fetch_calling(sql, columns.len());
                    let more = more.map_err(|error| self.explain_of_rows(error, sql, bound.rows_of(sql)))?;
                    count += more.len();
                    rows.extend(more);
                }
                None => {
                    let done = self.change(sql);
                    count += done.map_err(|error| self.explain_of_rows(error, sql, bound.rows_of(sql)))?;
                }
            }
        }
        Ok((rows, count))
    }
}

/// Binds statements that change a table.
pub(crate) struct Modifier<'a> {
    engine: &'a Engine<'a>,
    pub(crate) binder: Binder<'a>,
    /// A conflict target that the parser can't read.
    conflict: Option<(String, Option<String>)>,
    pub(crate) before: Option<String>,
    /// What is returned of a row that changes by itself, and how many columns that has.
    pub(crate) returned: Option<(String, usize)>,
    /// What of other rows is returned with it: their number as a source, and the SQL of the values.
    beside: Option<(usize, Vec<String>)>,
    /// Whether a client sees what is returned.
    shown: bool,
    /// Whether the change goes row by row in any case.
    each: bool,
    /// The constants among the values, which PostgreSQL computes first.
    constants: Vec<String>,
    /// The exclusion constraints whose conflicts skip a row, and whether nothing else does.
    skips: Vec<Oid>,
    only_skips: bool,
    /// The view through which the rows of a table change.
    pub(crate) through: Option<&'a Through>,
}

impl<'a> Modifier<'a> {
    fn target(&mut self, object: &ast::ObjectName) -> Result<&'a Relation> {
        let relation = self.binder.find_relation(object).map_err(|missing| {
            let named = source::schema_and_name(object).ok();
            let system = named.and_then(|(schema, name)| system::find(schema.as_deref(), &name));
            system.map_or(missing, system::System::denied)
        })?;
        let at = source::parts(object).first().and_then(|ident| self.binder.source.offset(ident.span.start));
        if relation.partitioning.is_some() && at.is_some_and(|at| self.binder.source.has_only_before(at)) {
            return Err(SqlError::unsupported("changing ONLY a partitioned table"));
        }
        match relation.kind {
            RelationKind::Table => Ok(relation),
            RelationKind::View => match self.through {
                Some(through) => Ok(&through.table),
                None => Ok(relation),
            },
            RelationKind::Foreign => Err(self.binder.catalog.unreachable(relation)),
            RelationKind::MaterializedView => Err(SqlError::new(
                SqlState::WRONG_OBJECT_TYPE,
                format!("cannot change materialized view \"{}\"", relation.name),
            )),
            RelationKind::Sequence => Err(SqlError::new(
                SqlState::WRONG_OBJECT_TYPE,
                format!("cannot change sequence \"{}\"", relation.name),
            )),
        }
    }

    fn column<'r>(&self, relation: &'r Relation, ident: &ast::Ident) -> Result<&'r Column> {
        let column = name(ident);
        if let Some(refused) = self.through.and_then(|through| through.refuse_column(&column)) {
            return Err(refused);
        }
        let number = self.through.and_then(|through| through.number(&column));
        let found = number.and_then(|number| relation.column_number(number));
        found.or_else(|| relation.column(&column)).ok_or_else(|| {
            let message = format!("column \"{column}\" of relation \"{}\" does not exist", relation.name);
            SqlError::new(SqlState::UNDEFINED_COLUMN, message).at(self.binder.source.place(ident.span.start))
        })
    }

    /// The default of a column.
    fn default(&mut self, column: &Column) -> Result<Expr> {
        let value = match (self.binder.catalog.default_of(column), column.sequence) {
            (Some(default), _) => self.binder.stored(default, |binder| {
                let parsed = binder.source.expression()?;
                binder.expr_in(Clause::Default, &Scope::default(), &parsed)
            })?,
            (None, Some(sequence)) => {
                self.binder.use_sequence(Some(sequence));
                let oid = Expr::literal(i64::from(sequence), Type::REGCLASS);
                Expr::template("pg_nextval({0})", vec![oid], Type::INT8)
            }
            (None, None) => Expr::null(),
        };
        self.assign(value, column)
    }

    /// Converts a value for storage in a column.
    fn assign(&self, value: Expr, column: &Column) -> Result<Expr> {
        let (type_, at) = (value.type_, value.at.0);
        let assigned = self.binder.coerce(value, column.type_, Context::Assignment)?;
        assigned.ok_or_else(|| {
            let catalog = self.binder.catalog;
            let message = format!(
                "column \"{}\" is of type {} but expression is of type {}",
                column.name,
                catalog.type_name(column.type_.base, -1),
                catalog.type_name(type_, -1)
            );
            SqlError::new(SqlState::DATATYPE_MISMATCH, message)
                .hint("You will need to rewrite or cast the expression.")
                .at(at)
        })
    }

    fn refuse_generated(&self, column: &Column, verb: &str, overriding: bool) -> Result<()> {
        let message = match verb {
            "INSERT" => format!("cannot insert a non-DEFAULT value into column \"{}\"", column.name),
            _ => format!("column \"{}\" can only be updated to DEFAULT", column.name),
        };
        let error = SqlError::new(SqlState::GENERATED_ALWAYS, message);
        if column.generated.is_some() {
            return Err(error.detail(format!("Column \"{}\" is a generated column.", column.name)));
        }
        if column.identity == Some(Identity::Always) && !overriding {
            let detail =
                format!("Column \"{}\" is an identity column defined as GENERATED ALWAYS.", column.name);
            let error = error.detail(detail);
            return Err(if verb == "INSERT" {
                error.hint("Use OVERRIDING SYSTEM VALUE to override.")
            } else {
                error
            });
        }
        Ok(())
    }

    /// The table under a view, under its own names; any other relation itself.
    pub(crate) fn stored_table<'r>(&self, relation: &'r Relation) -> &'r Relation
    where
        'a: 'r,
    {
        let table = self.through.and_then(|through| self.binder.catalog.relation(through.table.oid));
        table.unwrap_or(relation)
    }

    /// SQL for the text `Failing row contains (1, null).` about a row that is a source.
    pub(crate) fn failing_row(&self, relation: &Relation, source: usize, names: Names<'_>) -> Result<String> {
        self.engine.failing_row(relation, source, names)
    }

    fn bound(&mut self, sql: String, columns: Option<Vec<Output>>, verb: &'static str) -> Bound {
        let sequences = self.binder.sequences.clone();
        let (before, upserts, skips) = (self.before.take(), None, std::mem::take(&mut self.skips));
        let constants = self.constant_queries();
        Bound {
            sql,
            more: Vec::new(),
            columns,
            sequences,
            constants,
            verb,
            before,
            upserts,
            rows: None,
            skips,
            after_rows: None,
        }
    }

    /// The refusal of a second value for a column, which a view can show under several names.
    fn assigned_twice(&self, relation: &Relation, column: &Column) -> SqlError {
        let stored = self.binder.catalog.relation(relation.oid).filter(|_| self.through.is_some());
        let stored = stored.and_then(|stored| stored.column_number(column.number)).unwrap_or(column);
        let message = format!("multiple assignments to same column \"{}\"", stored.name);
        SqlError::new(SqlState::SYNTAX_ERROR, message)
    }

    fn table(&mut self, relation: &Relation, source: usize, alias: Option<String>) -> Result<Table> {
        let mut table = shown(self.binder.table_of(relation, source, None)?);
        if let Some(through) = self.through {
            table.columns = self.columns_of_view(through, source)?;
        }
        if let Some(alias) = alias {
            table.alias = alias;
            table.schema = None;
        }
        Ok(table)
    }

    /// Adds `RETURNING`. There, SQLite knows the table only by its own name, not by an alias.
    fn returning(
        &mut self,
        items: Option<&[SelectItem]>,
        relation: &Relation,
        table: Table,
        sql: &mut String,
    ) -> Result<Option<Vec<Output>>> {
        self.returning_of(items, relation, (table.source, &Scope::of(table), None), sql)
    }

    fn returning_of(
        &mut self,
        items: Option<&[SelectItem]>,
        relation: &Relation,
        (source, scope, set): (usize, &Scope<'_>, Option<Set<'_>>),
        sql: &mut String,
    ) -> Result<Option<Vec<Output>>> {
        let Some(items) = items else { return Ok(None) };
        let (targets, columns) = self.binder.targets_in(Clause::Returning, scope, items)?;
        let targets =
            targets.into_iter().map(|target| self.returned_value(target)).collect::<Result<Vec<_>>>()?;
        let foreign =
            |expr: &Expr| matches!(expr.node, Node::Column { source: of, .. } if of != source && of < LETS);
        let joined = targets.iter().any(|target| target.any(&mut |expr| foreign(expr)));
        if targets.iter().any(Expr::is_aggregated) {
            let message = "aggregate functions are not allowed in RETURNING";
            return Err(SqlError::new(SqlState::GROUPING_ERROR, message));
        }
        self.note_constants(&targets);
        let name = relation.physical();
        if joined && set.as_ref().is_some_and(|set| set.by_rows) {
            return Ok(Some(self.returning_beside(targets, columns, (source, scope))));
        }
        if let (true, Some(set)) = (joined, set) {
            self.before = Some(set.query(&targets, source, &name)?);
            return Ok(Some(typed(columns, &targets)));
        }
        let mut by_row = Printer::new(Names::default());
        by_row.list(&targets, ", ", Printer::expr);
        self.returned = Some((by_row.out, targets.len()));
        let mut printer = Printer::new(Names::of(source, &name));
        printer.push(" RETURNING ");
        printer.list(&targets, ", ", Printer::expr);
        sql.push_str(&printer.out);
        Ok(Some(typed(columns, &targets)))
    }
}

impl Modifier<'_> {
    /// A value of `RETURNING`, as the client or the rest of the statement gets it.
    fn returned_value(&self, target: Expr) -> Result<Expr> {
        let text = if self.shown { self.engine.shown_text(&self.binder, &target)? } else { None };
        self.binder.settle(text.unwrap_or(target))
    }

    /// `RETURNING` of a row that changes by itself, with values of the rows beside it.
    fn returning_beside(
        &mut self,
        mut targets: Vec<Expr>,
        columns: Vec<Output>,
        (source, scope): (usize, &Scope<'_>),
    ) -> Vec<Output> {
        let place = self.binder.new_source();
        let mut values: Vec<String> = Vec::new();
        let is_beside = |of| of != source && scope.tables.iter().any(|table| table.source == of);
        for target in &mut targets {
            target.replace(&mut |expr| {
                let Node::Column { source: of, .. } = expr.node else { return false };
                if !is_beside(of) {
                    return false;
                }
                let value = print::expression(expr, Names::default());
                let at = values.iter().position(|known| *known == value).unwrap_or(values.len());
                if at == values.len() {
                    values.push(value);
                }
                expr.node = Node::Column { source: place, field: Field::Column(at as u32) };
                true
            });
        }
        let mut by_row = Printer::new(Names::default());
        by_row.list(&targets, ", ", Printer::expr);
        self.returned = Some((by_row.out, targets.len()));
        self.beside = Some((place, values));
        typed(columns, &targets)
    }

    /// Adds to a query of the rows that change what is returned of the rows beside them.
    pub(crate) fn beside(&mut self, printer: &mut Printer<'_>) -> Option<(usize, usize)> {
        let (source, values) = self.beside.take()?;
        values.iter().for_each(|value| printer.push(&format!(", {value}")));
        Some((source, values.len()))
    }
}

/// The table that a statement changes.
pub(super) fn target_of(statement: &ast::Statement) -> Option<&ast::ObjectName> {
    let table = match statement {
        ast::Statement::Insert(insert) => match &insert.table {
            TableObject::TableName(object) => return Some(object),
            _ => return None,
        },
        ast::Statement::Update(update) => &update.table,
        ast::Statement::Delete(delete) => {
            let (FromTable::WithFromKeyword(from) | FromTable::WithoutKeyword(from)) = &delete.from;
            from.first()?
        }
        _ => return None,
    };
    match &table.relation {
        TableFactor::Table { name, .. } => Some(name),
        _ => None,
    }
}
