//! `INSERT`, `UPDATE`, `DELETE`.

use std::rc::Rc;

use sqlparser::ast::{
    self, Assignment, AssignmentTarget, ConflictTarget, FromTable, OnConflict, OnConflictAction, OnInsert,
    SelectItem, SetExpr, Spanned as _, TableFactor, TableObject, TableWithJoins, UpdateTableFromKind,
};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::bind::scope::Table;
use super::bind::{Binder, Clause, KnownCte, Scope, Sequences};
use super::cast::Context;
use super::catalog::{Catalog, Column, Constraint, ConstraintKind, Identity, Index, Relation, RelationKind};
use super::dml_rows::{self, Rows};
use super::error::{Result, SqlError, SqlState};
use super::instead::has_instead;
use super::plpgsql::Uses;
use super::print::{self, Names, Printer};
use super::run::{Done, Engine, Returned};
use super::security::policy::reads;
use super::source::{self, Source, is_word, name};
use super::system;
use super::through::{self, Through, is_shown, shown};
use super::tree::{Expr, LETS, Node, Output, Query};
use super::types::Type;

/// A statement without the clauses that the parser can't read, and these clauses.
pub(super) struct Stripped {
    pub(super) tokens: Vec<TokenWithSpan>,
    pub(super) overriding: bool,
    /// The texts of an `ON CONFLICT` target and of its condition, if the target is not just a list of columns.
    pub(super) conflict: Option<(String, Option<String>)>,
}

/// Removes `OVERRIDING SYSTEM VALUE`, and a conflict target with expressions or a condition.
pub(super) fn without_overriding(source: &Source, tokens: &[TokenWithSpan]) -> Stripped {
    let found = tokens.windows(3).position(|window| {
        is_word(&window[0], "overriding")
            && (is_word(&window[1], "system") || is_word(&window[1], "user"))
            && is_word(&window[2], "value")
    });
    let mut tokens = tokens.to_vec();
    if let Some(at) = found {
        tokens.drain(at..at + 3);
    }
    let conflict = take_conflict_target(source, &mut tokens);
    Stripped { tokens, overriding: found.is_some(), conflict }
}

fn take_conflict_target(
    source: &Source,
    tokens: &mut Vec<TokenWithSpan>,
) -> Option<(String, Option<String>)> {
    let on = tokens.windows(2).position(|pair| is_word(&pair[0], "on") && is_word(&pair[1], "conflict"))?;
    let open = on + 2;
    if tokens.get(open)?.token != Token::LParen {
        return None;
    }
    let action = open + tokens[open..].iter().position(|token| is_word(token, "do"))?;
    let condition = tokens[open..action].iter().position(|token| is_word(token, "where")).map(|at| open + at);
    let close = condition.unwrap_or(action) - 1;
    let plain =
        tokens[open + 1..close].iter().all(|token| matches!(token.token, Token::Word(_) | Token::Comma));
    if plain && condition.is_none() {
        return None;
    }
    let text = |from: usize, to: usize| -> Option<String> {
        let (start, end) = (source.offset(tokens[from].span.start)?, source.offset(tokens[to].span.end)?);
        Some(source.text.get(start..end)?.to_owned())
    };
    let target = text(open + 1, close - 1)?;
    let condition = condition.and_then(|at| text(at + 1, action - 1));
    tokens.drain(open..action);
    Some((target, condition))
}

/// The text in lower case without blanks and parentheses, which don't matter when two expressions are compared.
fn essence(text: &str) -> String {
    let kept = text.chars().filter(|character| !character.is_whitespace() && !"()".contains(*character));
    kept.flat_map(char::to_lowercase).collect()
}

/// A bound statement: SQL for SQLite, and the columns that it returns.
#[derive(Debug)]
pub(super) struct Bound {
    sql: String,
    /// More SQL that runs after it as part of the same statement.
    more: Vec<String>,
    columns: Option<Vec<Output>>,
    sequences: Option<Sequences>,
    pub(super) verb: &'static str,
    /// The query of the returned rows, if SQLite's `RETURNING` can't compute them. It runs before the change.
    before: Option<String>,
    /// The table of an upsert.
    upserts: Option<String>,
    /// The same change row by row, if it fires triggers.
    rows: Option<Rows>,
}

impl Engine<'_> {
    /// Binds and runs a data-modifying statement.
    pub(super) fn modify(
        &mut self,
        statement: &ast::Statement,
        overriding: bool,
        ctes: Vec<KnownCte>,
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
            engine.bind_modification(statement, overriding, ctes.clone(), conflict.clone())
        })?;
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
        overriding: bool,
        ctes: Vec<KnownCte>,
        conflict: Option<(String, Option<String>)>,
    ) -> Result<Bound> {
        let catalog = self.catalog.clone();
        let settings = self.settings.clone();
        let parameters = self.parameters.clone();
        let mut binder = Binder::new(&catalog, self.source.clone(), &settings, &parameters);
        binder.before.clone_from(&self.before);
        for cte in ctes {
            binder.know(cte);
        }
        self.begin_binding(&mut binder);
        let through = self.through_of(statement)?;
        let through = through.as_ref();
        let mut modifier = Modifier { engine: self, binder, conflict, before: None, returned: None, through };
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
        modifier.binder.permit()?;
        let sql = self.with_system(&modifier.binder, &bound.sql);
        let before = bound.before.as_ref().map(|before| self.with_system(&modifier.binder, before));
        Ok(Bound { sql, before, ..bound })
    }

    /// The view that a statement changes, if no trigger makes the change.
    fn through_of(&self, statement: &ast::Statement) -> Result<Option<Through>> {
        let Some((name, command)) = through::target_and_command(statement) else { return Ok(None) };
        let found = self.plain_binder().find_relation(name).ok();
        let view = found.filter(|view| view.kind == RelationKind::View && !has_instead(view, command));
        view.map(|view| self.through(view, command)).transpose()
    }

    pub(super) fn run_modification(&mut self, bound: &Bound) -> Result<Done> {
        if let Some(sequences) = &bound.sequences {
            self.load_sequences(sequences)?;
        }
        let rows = match &bound.rows {
            Some(rows) => self.change_rows(rows)?,
            None => {
                let rows = self.modified_rows(bound);
                self.take_back();
                rows?
            }
        };
        self.check_pending(false)?;
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
                    let more = more.map_err(|error| self.explain(error, sql))?;
                    count += more.len();
                    rows.extend(more);
                }
                None => {
                    count += self.change(sql).map_err(|error| self.explain(error, sql))?;
                }
            }
        }
        Ok((rows, count))
    }

    /// Turns SQLite's error about a duplicate key into PostgreSQL's, which tells the key.
    pub(super) fn explain(&self, error: SqlError, sql: &str) -> SqlError {
        let Some(failed) = error
            .message
            .strip_prefix("UNIQUE constraint failed: ")
            .filter(|_| error.code == SqlState::INTERNAL)
        else {
            return error;
        };
        let Some((relation, index)) = find_index(&self.catalog, failed) else { return error };
        let name = &index.name;
        let violation = SqlError::new(
            SqlState::UNIQUE_VIOLATION,
            format!("duplicate key value violates unique constraint \"{name}\""),
        );
        match self.offending_key(relation, index, sql) {
            Some(detail) => violation.detail(detail),
            None => violation,
        }
    }
}

/// The unique index to which SQLite's message refers.
fn find_index<'c>(catalog: &'c Catalog, failed: &str) -> Option<(&'c Relation, &'c Index)> {
    if let Some(physical) = failed.strip_prefix("index '").and_then(|rest| rest.strip_suffix('\'')) {
        let oid = physical.strip_prefix('i')?.parse::<u32>().ok()?;
        let mut all = catalog
            .relations()
            .flat_map(|relation| relation.indexes.iter().map(move |index| (relation, index)));
        return all.find(|(_, index)| index.oid == oid);
    }
    let columns: Vec<(&str, &str)> = failed.split(", ").filter_map(|column| column.split_once('.')).collect();
    let oid = columns.first()?.0.strip_prefix('r')?.parse().ok()?;
    let relation = catalog.relation(oid)?;
    let numbers: Vec<Option<u32>> =
        columns.iter().map(|(_, column)| column.strip_prefix('c')?.parse().ok()).collect();
    let matches =
        |index: &&Index| index.unique && index.keys.iter().map(|key| key.column).eq(numbers.iter().copied());
    relation.indexes.iter().find(matches).map(|index| (relation, index))
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
        relation.column(&column).ok_or_else(|| {
            let message = format!("column \"{column}\" of relation \"{}\" does not exist", relation.name);
            SqlError::new(SqlState::UNDEFINED_COLUMN, message).at(self.binder.source.place(ident.span.start))
        })
    }

    /// The default of a column.
    fn default(&mut self, column: &Column) -> Result<Expr> {
        let value = match (&column.default, column.sequence) {
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

    fn insert(&mut self, insert: &ast::Insert, overriding: bool) -> Result<Bound> {
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
                table: relation.oid,
                event: "INSERT",
                queries: rows,
                numbers: stored.iter().map(|column| column.number).collect(),
                conflict,
                returning: self.returned.take(),
                source,
                check,
            };
            return Ok(Bound { rows: Some(rows), ..self.bound(String::new(), columns, "INSERT") });
        }
        let upserts = self.binder.upserts.then(|| relation.physical());
        let mut all: Vec<String> = heads.into_iter().map(|head| head + &sql).collect();
        let first = all.remove(0);
        Ok(Bound { upserts, more: all, ..self.bound(first, columns, "INSERT") })
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
        let (before, upserts) = (self.before.take(), None);
        Bound { sql, more: Vec::new(), columns, sequences, verb, before, upserts, rows: None }
    }

    fn table(&self, relation: &Relation, source: usize, alias: Option<String>) -> Result<Table> {
        let mut table = shown(self.binder.table_of(relation, source, None)?);
        if let Some(alias) = alias {
            table.alias = alias;
            table.schema = None;
        }
        Ok(table)
    }

    /// The rows to insert, as SQL for one or more statements, with one value for each stored column.
    fn insert_source(
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

    fn check_width(
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
    fn row(
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

    fn of_query(&mut self, query: Query, columns: &[&Column], stored: &[&Column]) -> Result<String> {
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
                    let field = super::tree::Field::Column(at as u32 + 1);
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

    fn on_conflict(&mut self, conflict: &OnConflict, relation: &Relation, table: &Table) -> Result<String> {
        let target = match self.arbiter(conflict, relation)? {
            Some(index) => self.index_target(relation, index)?,
            None => String::new(),
        };
        let OnConflictAction::DoUpdate(update) = &conflict.action else {
            return Ok(format!(" ON CONFLICT{target} DO NOTHING"));
        };
        let source = self.binder.new_source();
        let excluded = self.table(relation, source, Some("excluded".to_owned()))?;
        let mut scope = Scope::of(table.clone());
        scope.tables.push(excluded);
        let names = Names::of(source, "excluded");
        let assignments = self.assignments(&update.assignments, relation, &scope)?;
        self.require_assigned(relation, &assignments);
        self.binder.require_read(relation, table.source);
        let set = assignments.iter().map(|(number, value)| (*number, print::expression(value, names)));
        let mut set: Vec<(u32, String)> = set.collect();
        self.check_upsert(relation, table, &mut set)?;
        let set = set.iter().map(|(number, value)| format!("c{number} = {value}"));
        let mut sql = format!(" ON CONFLICT{target} DO UPDATE SET {}", set.collect::<Vec<_>>().join(", "));
        let condition = match &update.selection {
            Some(selection) => {
                let condition = self.binder.condition_in(Clause::Where, &scope, selection)?;
                print::expression(&condition, names)
            }
            None => "1".to_owned(),
        };
        self.binder.upserts = true;
        sql.push_str(&format!(" WHERE pg_affect(s{}.rowid, {condition})", table.source));
        Ok(sql)
    }

    /// The index that `ON CONFLICT` is about; `None` for any.
    fn arbiter<'r>(&mut self, conflict: &OnConflict, relation: &'r Relation) -> Result<Option<&'r Index>> {
        let excludes = |constraint: &Constraint| matches!(constraint.kind, ConstraintKind::Exclude { .. });
        let unsupported = || SqlError::unsupported("ON CONFLICT about an exclusion constraint");
        let target = match &conflict.conflict_target {
            None => match self.conflict.take() {
                Some((target, condition)) => {
                    Some(self.conflict_index(relation, &target, condition.as_deref())?)
                }
                None if relation.constraints.iter().any(excludes) => return Err(unsupported()),
                None => None,
            },
            Some(ConflictTarget::Columns(columns)) => Some(self.conflict_columns(columns, relation)?),
            Some(ConflictTarget::OnConstraint(object)) => {
                let (_, constraint) = source::schema_and_name(object)?;
                if relation.constraint(&constraint).is_some_and(excludes) {
                    return Err(unsupported());
                }
                let found = relation.constraint(&constraint).and_then(|constraint| match constraint.kind {
                    ConstraintKind::Primary { index } | ConstraintKind::Unique { index } => Some(index),
                    _ => None,
                });
                let index = found.and_then(|oid| relation.indexes.iter().find(|index| index.oid == oid));
                let index = index.ok_or_else(|| {
                    let message =
                        format!("constraint \"{constraint}\" for table \"{}\" does not exist", relation.name);
                    SqlError::new(SqlState::UNDEFINED_OBJECT, message)
                })?;
                Some(index)
            }
        };
        if target.is_none() && matches!(conflict.action, OnConflictAction::DoUpdate(_)) {
            return Err(SqlError::new(
                SqlState::SYNTAX_ERROR,
                "ON CONFLICT DO UPDATE requires inference specification or constraint name",
            )
            .hint("For example, ON CONFLICT (column_name)."));
        }
        Ok(target)
    }

    /// The columns of the index that matches a conflict target with expressions or a condition.
    fn conflict_index<'r>(
        &mut self,
        relation: &'r Relation,
        target: &str,
        condition: Option<&str>,
    ) -> Result<&'r Index> {
        let source = self.binder.new_source();
        let scope = Scope::of(self.table(relation, source, None)?);
        let wanted = self.binder.stored(&format!("ARRAY[{target}]"), |binder| {
            let ast::Expr::Array(keys) = binder.source.expression()? else { return Ok(essence(target)) };
            let shown = keys.elem.iter().map(|key| binder.shown(&scope, key, Type::TEXT));
            Ok(essence(&shown.map(Option::unwrap_or_default).collect::<Vec<_>>().join(",")))
        })?;
        let condition = match condition {
            Some(condition) => Some(self.binder.stored(condition, |binder| {
                let parsed = binder.source.expression()?;
                Ok(binder.shown_condition(&scope, &parsed, condition))
            })?),
            None => None,
        };
        let condition = condition.as_deref();
        let matches = |index: &&Index| {
            let keys = index.keys.iter().map(|key| match (key.column, &key.expression) {
                (Some(number), _) => relation.column_name(number).to_owned(),
                (None, expression) => expression.clone().unwrap_or_default(),
            });
            let keys: Vec<String> = keys.collect();
            let same_condition = index.predicate.is_none()
                || index.predicate.as_deref().map(essence) == condition.map(essence);
            index.unique && same_condition && essence(&keys.join(",")) == wanted
        };
        relation.indexes.iter().find(matches).ok_or_else(no_conflict_index)
    }

    fn index_target(&mut self, relation: &Relation, index: &Index) -> Result<String> {
        let source = self.binder.new_source();
        let relation = self.stored_table(relation);
        let scope = Scope::of(self.binder.table_of(relation, source, None)?);
        let names = Names::of(source, "");
        let mut bound = |text: &str| {
            self.binder.stored(text, |binder| {
                let parsed = binder.source.expression()?;
                binder.expr_in(Clause::Index, &scope, &parsed)
            })
        };
        let mut keys = Vec::new();
        for key in &index.keys {
            let text = match (key.column, &key.expression) {
                (Some(number), _) => super::catalog::quote_identifier(relation.column_name(number)),
                (None, expression) => expression.clone().unwrap_or_default(),
            };
            let expr = bound(&text)?;
            let collation =
                expr.type_.collation().map_or_else(String::new, |name| format!(" COLLATE {name}"));
            let printed = print::expression(&expr, names);
            keys.push(if index.nulls_not_distinct {
                format!("({printed} IS NULL), coalesce({printed}, 0){collation}")
            } else if key.expression.is_some() {
                format!("({printed}){collation}")
            } else {
                format!("{printed}{collation}")
            });
        }
        let condition = match &index.predicate {
            Some(predicate) => format!(" WHERE {}", print::expression(&bound(predicate)?, names)),
            None => String::new(),
        };
        Ok(format!("({}){condition}", keys.join(", ")))
    }

    fn conflict_columns<'r>(&mut self, columns: &[ast::Ident], relation: &'r Relation) -> Result<&'r Index> {
        let columns = columns.iter().map(|ident| self.column(relation, ident).map(|column| column.number));
        let mut wanted = columns.collect::<Result<Vec<_>>>()?;
        wanted.sort_unstable();
        let matches = |index: &&Index| {
            let mut keys: Vec<u32> = index.keys.iter().filter_map(|key| key.column).collect();
            keys.sort_unstable();
            index.unique && index.predicate.is_none() && keys.len() == index.keys.len() && keys == wanted
        };
        relation.indexes.iter().find(matches).ok_or_else(no_conflict_index)
    }

    /// The columns assigned by `SET`, with their values.
    fn assignments(
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

    fn set_column<'r>(&self, relation: &'r Relation, object: &ast::ObjectName) -> Result<&'r Column> {
        match &source::parts(object)[..] {
            [ident] => self.column(relation, ident),
            [first, ..] if relation.column(&name(first)).is_some() => {
                Err(SqlError::unsupported("assigning to a part of a column"))
            }
            [first, ..] => self.column(relation, first),
            [] => Err(SqlError::unsupported("this assignment")),
        }
    }

    fn set_value(&mut self, column: &Column, value: &ast::Expr, scope: &Scope<'_>) -> Result<Expr> {
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

    fn set_row<'r>(
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
                    if let super::tree::Body::Select(select) = &mut one.body {
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

    fn update(&mut self, update: &ast::Update) -> Result<Bound> {
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
        let by_rows = self.engine.updates_by_rows(relation, &set);
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
        let set = Set { assignments: &assignments, from: &from, condition: condition.as_ref() };
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

    fn delete(&mut self, delete: &ast::Delete) -> Result<Bound> {
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
        let set = Set { assignments: &[], from: &from, condition: condition.as_ref() };
        let place = (table.source, &scope, Some(set));
        let columns = self.returning_of(delete.returning.as_deref(), relation, place, &mut sql)?;
        if let Some(view) = &view {
            let rows = self.view_rows(relation, (view, &table), &[], &from, condition.as_ref())?;
            let rows = Rows { event: "DELETE", ..rows };
            return Ok(Bound { rows: Some(rows), ..self.bound(String::new(), columns, "DELETE") });
        }
        if self.engine.changes_by_rows(relation, "DELETE") {
            let rows = self.rows_to_change(relation, source, &[], &from, condition.as_ref())?;
            let rows = Rows { event: "DELETE", ..rows };
            return Ok(Bound { rows: Some(rows), ..self.bound(String::new(), columns, "DELETE") });
        }
        Ok(self.bound(sql, columns, "DELETE"))
    }

    /// An `UPDATE` that changes each row by itself.
    fn rows_to_change(
        &mut self,
        relation: &Relation,
        source: usize,
        set: &[(u32, String)],
        from: &[super::tree::From],
        condition: Option<&Expr>,
    ) -> Result<Rows> {
        if self.before.take().is_some() {
            let what = "RETURNING columns of another table from a table with triggers";
            return Err(SqlError::unsupported(what));
        }
        let mut printer = Printer::new(Names::default());
        printer.push(&format!("SELECT s{source}.rowid"));
        for (_, value) in set {
            printer.push(&format!(", {value}"));
        }
        printer.push(&format!(" FROM {} AS s{source}", relation.physical()));
        for from in from {
            printer.push(" CROSS JOIN ");
            printer.from(from);
        }
        if let Some(condition) = condition {
            printer.push(" WHERE ");
            printer.expr(condition);
        }
        Ok(Rows {
            table: relation.oid,
            event: "UPDATE",
            queries: vec![printer.out],
            numbers: set.iter().map(|(number, _)| *number).collect(),
            conflict: None,
            returning: self.returned.take(),
            source,
            check: None,
        })
    }

    /// `ON CONFLICT` for a row that is inserted by itself.
    fn conflict_of_row(
        &mut self,
        conflict: &OnConflict,
        relation: &Relation,
        table: &Table,
    ) -> Result<dml_rows::OnConflict> {
        let index = self.arbiter(conflict, relation)?;
        let (target, same) = match index {
            Some(index) => (self.index_target(relation, index)?, self.same_key(relation, index, table)?),
            None => (String::new(), String::new()),
        };
        let OnConflictAction::DoUpdate(update) = &conflict.action else {
            return Ok(dml_rows::OnConflict { target, same, update: None });
        };
        let source = self.binder.new_source();
        let excluded = self.table(relation, source, Some("excluded".to_owned()))?;
        let mut scope = Scope::of(table.clone());
        scope.tables.push(excluded);
        let names = Names::of(source, "excluded");
        let assignments = self.assignments(&update.assignments, relation, &scope)?;
        let condition = match &update.selection {
            Some(selection) => {
                let condition = self.binder.condition_in(Clause::Where, &scope, selection)?;
                print::expression(&condition, names)
            }
            None => "1".to_owned(),
        };
        let set = assignments.iter().map(|(number, value)| (*number, print::expression(value, names)));
        let mut set: Vec<(u32, String)> = set.collect();
        self.check_upsert(relation, table, &mut set)?;
        let (numbers, values) = set.into_iter().unzip();
        Ok(dml_rows::OnConflict { target, same, update: Some((numbers, values, condition)) })
    }

    /// The condition that a row of a table has the key of the row `excluded`.
    fn same_key(&mut self, relation: &Relation, index: &Index, table: &Table) -> Result<String> {
        let relation = self.stored_table(relation);
        let scope = Scope::of(self.binder.table_of(relation, table.source, None)?);
        let names = Names::of(table.source, "excluded");
        let mut bound = |text: &str| {
            self.binder.stored(text, |binder| {
                let parsed = binder.source.expression()?;
                binder.expr_in(Clause::Index, &scope, &parsed)
            })
        };
        let mut conditions = Vec::new();
        for key in &index.keys {
            let text = match (key.column, &key.expression) {
                (Some(number), _) => super::catalog::quote_identifier(relation.column_name(number)),
                (None, expression) => expression.clone().unwrap_or_default(),
            };
            let key = bound(&text)?;
            let collation = key.type_.collation().map_or_else(String::new, |name| format!(" COLLATE {name}"));
            let (own, other) = (print::expression(&key, Names::default()), print::expression(&key, names));
            let equal = if index.nulls_not_distinct { "IS" } else { "=" };
            conditions.push(format!("{own} {equal} {other}{collation}"));
        }
        if let Some(predicate) = &index.predicate {
            conditions.push(print::expression(&bound(predicate)?, Names::default()));
        }
        Ok(conditions.join(" AND "))
    }

    /// The table that a statement changes; for a view whose triggers make the change, also its rows.
    fn changed_table(
        &mut self,
        table: &TableWithJoins,
        command: &str,
    ) -> Result<(&'a Relation, Table, Option<super::tree::From>)> {
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
        if items
            .iter()
            .any(|item| matches!(item, SelectItem::Wildcard(_) | SelectItem::QualifiedWildcard(..)))
        {
            self.through.map_or(Ok(()), Through::refuse_all)?;
        }
        let (targets, columns) = self.binder.targets_in(Clause::Returning, scope, items)?;
        let targets =
            targets.into_iter().map(|target| self.binder.settle(target)).collect::<Result<Vec<_>>>()?;
        let foreign =
            |expr: &Expr| matches!(expr.node, Node::Column { source: of, .. } if of != source && of < LETS);
        let joined = targets.iter().any(|target| target.any(&mut |expr| foreign(expr)));
        if targets.iter().any(Expr::is_aggregated) {
            let message = "aggregate functions are not allowed in RETURNING";
            return Err(SqlError::new(SqlState::GROUPING_ERROR, message));
        }
        let name = relation.physical();
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

/// The assignments and sources of an `UPDATE` or `DELETE`.
struct Set<'s> {
    assignments: &'s [(u32, Expr)],
    from: &'s [super::tree::From],
    condition: Option<&'s Expr>,
}

impl Set<'_> {
    /// A query of `targets` as they will be after the change: assigned columns are replaced by their new values.
    fn query(&self, targets: &[Expr], source: usize, table: &str) -> Result<String> {
        if self.assignments.iter().any(|(_, value)| value.any(&mut Expr::is_volatile)) {
            return Err(SqlError::unsupported("RETURNING columns of another table beside a volatile value"));
        }
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

/// Output columns with the types of their targets.
fn typed(columns: Vec<Output>, targets: &[Expr]) -> Vec<Output> {
    let typed = columns.into_iter().zip(targets);
    typed
        .map(|(column, target)| Output {
            type_: super::types::Modified { base: target.type_, ..column.type_ },
            ..column
        })
        .collect()
}

fn no_conflict_index() -> SqlError {
    let message = "there is no unique or exclusion constraint matching the ON CONFLICT specification";
    SqlError::new(SqlState::INVALID_COLUMN_REFERENCE, message)
}

fn print_rows(rows: &[Vec<Expr>]) -> String {
    let mut printer = Printer::new(Names::default());
    printer.push("VALUES ");
    printer.list(rows, ", ", |printer, row| {
        printer.push("(");
        printer.list(row, ", ", Printer::expr);
        printer.push(")");
    });
    printer.out
}

/// Whether a clause for conflicts reads columns of the table.
fn names_target(on: &OnInsert) -> bool {
    matches!(on, OnInsert::OnConflict(conflict) if conflict.conflict_target.is_some() || matches!(conflict.action, OnConflictAction::DoUpdate(_)))
}

fn is_default(expr: &ast::Expr) -> bool {
    matches!(expr, ast::Expr::Identifier(ident) if ident.quote_style.is_none() && ident.value.eq_ignore_ascii_case("default"))
}
