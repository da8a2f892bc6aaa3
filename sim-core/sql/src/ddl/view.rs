//! Views.

use std::rc::Rc;

use sqlparser::parser::Parser;
use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::names::relation_taken;
use super::storage::{Of, new_options, parameters, storage_options};
use super::table::query_with_data;
use crate::bind::{Binder, KnownCte, Scope};
use crate::catalog::{Column, Oid, RelationKind, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine, Returned};
use crate::security::session::SEARCH_PATH;
use crate::source::{Source, is_word};
use crate::through::Columns;
use crate::types::Type;

/// The ranges of `*` in a definition, and the columns that replace each.
type Stars = Vec<(std::ops::Range<usize>, String)>;

/// About the work to bind a view's query.
const VIEW_WORK: usize = 4_000;

impl Engine<'_> {
    pub(super) fn create_view(&mut self, cursor: &mut Cursor<'_>, replace: bool) -> Result<Done> {
        let (given, name) = cursor.name()?;
        let mut schema = self.place_of(cursor, given.as_deref())?;
        let bracket = cursor.peek().is_some_and(|token| token.token == Token::LParen);
        let names = if bracket { cursor.names()? } else { Vec::new() };
        let mut options = Vec::new();
        if cursor.word("with") {
            options = new_options(Of::View, &parameters(cursor)?)?;
        }
        cursor.expect_word("as")?;
        let from = cursor.at;
        let (query, check) = query_with_check(cursor.rest());
        cursor.at = from + query.len();
        options.extend(check.map(|check| format!("check_option={check}")));
        let (columns, reads, stars) = self.view_columns(query, &names)?;
        if names.len() > columns.len() {
            let message = "CREATE VIEW specifies more column names than columns";
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        // A view of temporary tables is temporary too.
        if let Some(temporary) = self.catalog.temporary().filter(|_| given.is_none())
            && reads
                .iter()
                .any(|oid| self.catalog.relation(*oid).is_some_and(|read| read.schema == temporary))
        {
            schema = temporary;
        }
        let definition = without_stars(cursor, from, stars);
        let existing =
            self.catalog.relation_named(schema, &name).map(|relation| (relation.oid, relation.kind));
        let oid = match existing {
            Some((oid, RelationKind::View)) if replace => {
                self.check_replacement(oid, &columns)?;
                oid
            }
            Some((_, RelationKind::View)) | None if self.catalog.relation_exists(schema, &name) => {
                return Err(relation_taken(&name));
            }
            Some(_) if replace => {
                return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, format!("\"{name}\" is not a view")));
            }
            Some(_) => return Err(relation_taken(&name)),
            None => self.new_relation(schema, &name, RelationKind::View),
        };
        let path = self.path_of_new_view();
        let relation = self.relation_mut(oid);
        relation.next_column = columns.len() as u32 + 1;
        relation.columns = columns;
        relation.reads = reads;
        relation.path = path;
        relation.definition = Some(definition);
        relation.options = options;
        if relation.options.iter().any(|option| option.starts_with("check_option=")) {
            self.require_updatable(oid)?;
        }
        Ok(Done::command("CREATE VIEW"))
    }

    /// `CREATE RECURSIVE VIEW`, after these words: the view of a query that has its name.
    pub(super) fn create_recursive_view(&mut self, cursor: &mut Cursor<'_>, replace: bool) -> Result<Done> {
        let from = cursor.at;
        let (_, name) = cursor.name()?;
        let shown = cursor.text(from, cursor.at);
        let names: Vec<String> = cursor.names()?.iter().map(|name| quote_identifier(name)).collect();
        let (names, name) = (names.join(", "), quote_identifier(&name));
        let from = cursor.at;
        if cursor.word("with") {
            cursor.skip_brackets()?;
        }
        let options = cursor.text(from, cursor.at);
        cursor.expect_word("as")?;
        let from = cursor.at;
        let (query, check) = query_with_check(cursor.rest());
        if check.is_some() {
            let message = "WITH CHECK OPTION not supported on recursive views";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        let query = cursor.text(from, from + query.len());
        let text = format!(
            "{shown} {options} AS WITH RECURSIVE {name}({names}) AS ({query}) SELECT {names} FROM {name}"
        );
        let source = Rc::new(Source::stored(&text));
        let tokens = source.tokens()?;
        let mut rewritten = Cursor::new(source.clone(), &tokens);
        rewritten.temporary = cursor.temporary;
        let outer = std::mem::replace(&mut self.source, source);
        let done = self.create_view(&mut rewritten, replace);
        self.source = outer;
        done
    }

    /// Refuses a check option of a view through which no rows change.
    fn require_updatable(&self, oid: Oid) -> Result<()> {
        let Err(reason) = self.through(&self.relation(oid)?, "INSERT", &Columns::Whole) else {
            return Ok(());
        };
        let message = "WITH CHECK OPTION is supported only on automatically updatable views";
        let refusal = SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message);
        Err(match reason.detail.clone() {
            Some(reason) => refusal.hint(reason),
            None => refusal,
        })
    }

    /// The schemas in which the names in the query of a new view are found, if these are not the usual ones.
    pub(super) fn path_of_new_view(&self) -> Vec<Oid> {
        let path = &self.settings.search_path;
        if path.iter().eq(SEARCH_PATH.iter()) {
            return Vec::new();
        }
        path.iter().filter_map(|schema| self.catalog.schema_named(schema)).collect()
    }

    fn view_columns(
        &mut self,
        query: &[sqlparser::tokenizer::TokenWithSpan],
        names: &[String],
    ) -> Result<(Vec<Column>, Vec<Oid>, Stars)> {
        let parsed = self.source.parse(query, Parser::parse_query)?;
        let mut binder = self.binder();
        binder.stars = Some(Vec::new());
        let bound = binder.query(&Scope::default(), &parsed)?;
        let stars = binder.stars.take().unwrap_or_default();
        let reads = binder.reads.iter().copied().collect();
        let columns = bound.columns.into_iter().enumerate().map(|(index, output)| Column {
            number: index as u32 + 1,
            name: names.get(index).cloned().unwrap_or(output.name),
            type_: output.type_,
            not_null: false,
            default: None,
            identity: None,
            generated: None,
            stored: Default::default(),
            collation: None,
            sequence: None,
            comment: None,
            acl: Default::default(),
        });
        let columns: Vec<Column> = columns.collect();
        for (index, column) in columns.iter().enumerate() {
            refuse_pseudo_type(&column.name, column.type_.base)?;
            if columns[..index].iter().any(|other| other.name == column.name) {
                let message = format!("column \"{}\" specified more than once", column.name);
                return Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message));
            }
        }
        Ok((columns, reads, stars))
    }

    fn check_replacement(&self, oid: Oid, columns: &[Column]) -> Result<()> {
        let relation = self.relation(oid)?;
        if columns.len() < relation.columns.len() {
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, "cannot drop columns from view"));
        }
        for (before, after) in relation.columns.iter().zip(columns) {
            if before.name != after.name {
                let message =
                    format!("cannot change name of view column \"{}\" to \"{}\"", before.name, after.name);
                return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message)
                    .hint("Use ALTER VIEW ... RENAME COLUMN ... to change name of view column instead."));
            }
            if before.type_ != after.type_ {
                let message = format!(
                    "cannot change data type of view column \"{}\" from {} to {}",
                    before.name,
                    self.catalog.type_name(before.type_.base, before.type_.modifier),
                    self.catalog.type_name(after.type_.base, after.type_.modifier)
                );
                return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
            }
        }
        Ok(())
    }

    pub(super) fn create_materialized_view(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let (schema, name) = cursor.name()?;
        let schema = self.creation_schema(schema.as_deref())?;
        if self.catalog.relation_exists(schema, &name) {
            return self.skip_all(if_not_exists, relation_taken(&name), "CREATE MATERIALIZED VIEW");
        }
        let bracket = cursor.peek().is_some_and(|token| token.token == Token::LParen);
        let names = if bracket { cursor.names()? } else { Vec::new() };
        let storage = storage_options(cursor)?;
        cursor.expect_word("as")?;
        let from = cursor.at;
        let (query, with_data) = query_with_data(cursor);
        let mut end = Cursor::new(cursor.source.clone(), cursor.tokens);
        end.at = from + query.len();
        let (_, reads, stars) = self.view_columns(query, &names)?;
        let definition = without_stars(&end, from, stars);
        let parsed = self.source.clone().parse(query, Parser::parse_query)?;
        let (oid, count) = self.fill_from_query(
            RelationKind::MaterializedView,
            (schema, &name),
            &names,
            &parsed,
            with_data,
        )?;
        let options = new_options(Of::Table, &storage.parameters)?;
        let path = self.path_of_new_view();
        let relation = self.relation_mut(oid);
        relation.path = path;
        relation.options = options;
        relation.definition = Some(definition);
        relation.reads = reads;
        relation.unpopulated = !with_data;
        Ok(Done::command(if with_data {
            format!("SELECT {count}")
        } else {
            "CREATE MATERIALIZED VIEW".to_owned()
        }))
    }

    /// The rows of a query in their SQLite representation, whatever the types.
    pub(super) fn rows_raw(&mut self, query: &sqlparser::ast::Query) -> Result<Returned> {
        self.raw_rows_of(query, Vec::new())
    }

    /// The columns of a query that does not run.
    pub(super) fn columns_raw(&mut self, query: &sqlparser::ast::Query) -> Result<Returned> {
        let mut binder = self.binder();
        let bound = binder.query(&Scope::default(), query)?;
        Ok(Returned { columns: bound.columns, rows: Vec::new() })
    }

    /// Like `rows_raw`, with rows of other queries available.
    pub(crate) fn raw_rows_of(
        &mut self,
        query: &sqlparser::ast::Query,
        ctes: Vec<KnownCte>,
    ) -> Result<Returned> {
        let catalog = self.catalog.clone();
        let settings = self.settings.clone();
        let parameters = self.parameters.clone();
        let mut binder = Binder::new(&catalog, self.source.clone(), &settings, &parameters);
        binder.before.clone_from(&self.before);
        ctes.into_iter().for_each(|cte| binder.know(cte));
        self.begin_binding(&mut binder);
        let bound = binder.query(&Scope::default(), query)?;
        binder.permit()?;
        if self.only_binds {
            return Ok(Returned { columns: bound.columns, rows: Vec::new() });
        }
        let sql = self.with_system(&binder, &crate::print::query(&bound));
        self.compute_early(&bound)?;
        self.end_binding();
        let rows = self.fetch(&sql, bound.columns.len());
        self.take_back();
        let rows = rows?;
        Ok(Returned { columns: bound.columns, rows })
    }

    /// The views that read a relation. Partitions are none of them.
    pub(super) fn views_of(&self, oid: Oid) -> Vec<Oid> {
        let direct = self
            .catalog
            .relations()
            .filter(|relation| relation.reads.contains(&oid) && relation.partition.is_none())
            .map(|relation| relation.oid);
        direct.collect()
    }

    /// Whether a view can still be bound.
    pub(super) fn view_stands(&self, oid: Oid) -> bool {
        let Some(relation) = self.catalog.relation(oid) else { return false };
        if !self.budget.draw(VIEW_WORK) {
            return false;
        }
        let Ok(query) = self.binder().view_query(relation) else { return false };
        query
            .columns
            .iter()
            .zip(&relation.columns)
            .all(|(output, column)| output.type_.base == column.type_.base)
    }
}

/// Refuses a column of a relation that has no type of its own.
pub(super) fn refuse_pseudo_type(column: &str, type_: Type) -> Result<()> {
    if type_ != Type::RECORD && type_.element() != Some(Type::RECORD) {
        return Ok(());
    }
    let brackets = if type_ == Type::RECORD { "" } else { "[]" };
    let message = format!("column \"{column}\" has pseudo-type record{brackets}");
    Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message))
}

/// The tokens of a view's query, and the check option after it.
fn query_with_check(
    tokens: &[sqlparser::tokenizer::TokenWithSpan],
) -> (&[sqlparser::tokenizer::TokenWithSpan], Option<&'static str>) {
    for (words, option) in [
        (&["with", "local", "check", "option"][..], "local"),
        (&["with", "cascaded", "check", "option"], "cascaded"),
        (&["with", "check", "option"], "cascaded"),
    ] {
        let (start, end) = tokens.split_at(tokens.len().saturating_sub(words.len()));
        if end.len() == words.len() && end.iter().zip(words).all(|(token, word)| is_word(token, word)) {
            return (start, Some(option));
        }
    }
    (tokens, None)
}

/// The text of a definition from a token on. `*` is expanded, because columns that are added later are not part of the view.
fn without_stars(cursor: &Cursor<'_>, from: usize, mut stars: Stars) -> String {
    let mut text = cursor.text(from, cursor.at);
    let start = cursor.tokens.get(from).and_then(|token| cursor.source.offset(token.span.start)).unwrap_or(0);
    stars.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    stars.dedup_by(|a, b| a.0 == b.0);
    for (range, columns) in stars {
        if let (Some(from), Some(to)) = (range.start.checked_sub(start), range.end.checked_sub(start))
            && to <= text.len()
            && !columns.is_empty()
        {
            text.replace_range(from..to, &columns);
        }
    }
    text
}
