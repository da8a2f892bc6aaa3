//! Indexes.

use sqlparser::ast;
use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::names::{choose, relation_taken};
use super::operator_class::WrittenClass;
use super::storage::{Of, new_options, parameters};
use crate::bind::{Clause, Scope, column_name};
use crate::catalog::{Index, IndexKey, Relation};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::{self, is_word};
use crate::types::Type;

/// A key as written.
struct WrittenKey {
    key: IndexKey,
    class: Option<WrittenClass>,
    type_: Type,
    /// Whether it says in which order it is.
    sorts: bool,
}

/// The supported index methods.
const METHODS: &[&str] = &["btree", "hash", "gist", "gin", "brin", "spgist", "ivfflat", "hnsw"];

impl Engine<'_> {
    pub(super) fn create_index_statement(&mut self, cursor: &mut Cursor<'_>, unique: bool) -> Result<Done> {
        if cursor.word("concurrently") {
            self.require_outside("CREATE INDEX CONCURRENTLY")?;
        }
        let if_not_exists = cursor.words("if not exists");
        let name = if cursor.is("on") { None } else { Some(cursor.new_name()?) };
        cursor.expect_word("on")?;
        let only = cursor.word("only");
        let (schema, table) = cursor.name()?;
        let relation = self.find(schema.as_deref(), &table)?.clone();
        if !relation.is_stored() && relation.partition.is_none() {
            let message = format!("cannot create index on relation \"{table}\"");
            let detail = format!("This operation is not supported for {}s.", relation.word());
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message).detail(detail));
        }
        self.require_relation_owner(relation.oid)?;
        if let Some(name) = name.as_ref().filter(|name| self.catalog.relation_exists(relation.schema, name)) {
            return self.skip_all(if_not_exists, relation_taken(name), "CREATE INDEX");
        }
        let method = if cursor.word("using") { cursor.ident()? } else { "btree".to_owned() };
        if !METHODS.contains(&method.as_str()) {
            let message = format!("access method \"{method}\" does not exist");
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
        }
        self.require_free(&relation, "CREATE INDEX")?;
        cursor.expect(&Token::LParen)?;
        let keys = cursor.list(|cursor| self.index_key(cursor, &relation))?;
        cursor.expect(&Token::RParen)?;
        refuse_of_method(&method, unique, keys.len(), cursor.is("include"))?;
        let keys = keys.into_iter().map(|key| self.key_of_method(key, &method));
        let keys = keys.collect::<Result<Vec<IndexKey>>>()?;
        if let Some(partitioning) = relation.partitioning.as_ref().filter(|_| unique) {
            let columns: Vec<u32> = keys.iter().filter_map(|key| key.column).collect();
            let kind = crate::catalog::ConstraintKind::Unique { index: 0 };
            super::partition::check_key(&relation, &partitioning.keys, &kind, &columns)?;
        }
        let (mut include, mut predicate, mut nulls_not_distinct) = (Vec::new(), None, false);
        let mut options = Vec::new();
        loop {
            if cursor.word("include") {
                let numbers = cursor.names()?.into_iter().map(|name| {
                    relation.column(&name).map(|column| column.number).ok_or_else(|| no_column(&name))
                });
                include = numbers.collect::<Result<_>>()?;
            } else if cursor.words("nulls not distinct") {
                nulls_not_distinct = true;
            } else if cursor.words("nulls distinct") {
            } else if cursor.word("with") {
                options = new_options(Of::Index(&method), &parameters(cursor)?)?;
            } else if cursor.word("tablespace") {
                super::names::tablespace(cursor)?;
            } else if cursor.word("where") {
                let written = cursor.expr()?;
                let mut binder = self.binder();
                let scope = Scope::of(binder.row_of(&relation)?);
                if !binder.condition_in(Clause::Index, &scope, &written.expr)?.is_immutable() {
                    let message = "functions in index predicate must be marked IMMUTABLE";
                    return Err(SqlError::new(SqlState::new("42P17"), message));
                }
                predicate = Some(binder.shown_condition(&scope, &written.expr, &written.text));
            } else {
                break;
            }
        }
        cursor.finish()?;
        let name = name.unwrap_or_else(|| self.index_name(&relation, &keys, &include));
        let oid = self.new_oid();
        let index = Index {
            oid,
            name,
            unique,
            method,
            keys,
            include,
            options,
            predicate,
            nulls_not_distinct,
            deferrable: false,
            comment: None,
            parent: None,
            only: only && self.catalog.partitions_of(relation.oid).next().is_some(),
        };
        self.create_index(&relation, &index)?;
        let computes = index.computes();
        self.relation_mut(relation.oid).indexes.push(index);
        if relation.partitioning.is_some() {
            self.sync_partitions(relation.oid)?;
        } else if computes {
            self.refresh_checks(relation.oid)?;
        }
        Ok(Done::command("CREATE INDEX"))
    }

    pub(super) fn index_name(&self, relation: &Relation, keys: &[IndexKey], include: &[u32]) -> String {
        let mut parts: Vec<String> = Vec::new();
        let of_key = |key: &IndexKey| match (key.column, &key.expression) {
            (Some(number), _) => relation.column_name(number).to_owned(),
            (None, expression) => expression.as_deref().map_or_else(String::new, name_of_expression),
        };
        let included = include.iter().map(|number| relation.column_name(*number).to_owned());
        for name in keys.iter().map(of_key).chain(included) {
            let numbered = (1..).map(|number| format!("{name}{number}"));
            let mut names = std::iter::once(name.clone()).chain(numbered);
            parts.extend(names.find(|name| !parts.contains(name)));
        }
        let taken = |name: &str| self.catalog.relation_exists(relation.schema, name);
        choose(&relation.name, &parts.join("_"), "idx", taken)
    }

    fn index_key(&mut self, cursor: &mut Cursor<'_>, relation: &Relation) -> Result<WrittenKey> {
        let from = cursor.at;
        let written = if cursor.peek().is_some_and(|token| token.token == Token::LParen) {
            cursor.bracketed()?
        } else if cursor
            .tokens
            .get(cursor.at + 1)
            .is_some_and(|token| matches!(token.token, Token::LParen | Token::Period))
        {
            let call = cursor.expr()?;
            refuse_beside_call(cursor, from)?;
            call
        } else {
            let name = cursor.column_name()?;
            let ident = ast::Ident::with_quote('"', name);
            super::cursor::Written {
                expr: Box::new(ast::Expr::Identifier(ident)),
                text: cursor.text(from, cursor.at),
            }
        };
        let (mut collation, mut expr) = (None, &*written.expr);
        if let ast::Expr::Collate { expr: inner, collation: given } = expr {
            let (schema, name) = source::schema_and_name(given)?;
            self.binder().collation(schema.as_deref(), &name)?;
            collation = Some(name);
            expr = inner;
        }
        while let ast::Expr::Nested(inner) = expr {
            expr = inner;
        }
        let (column, expression, type_) = match expr {
            ast::Expr::Identifier(ident) => {
                let name = source::name(ident);
                let column = relation.column(&name).ok_or_else(|| no_column(&name))?;
                (Some(column.number), None, column.type_.base)
            }
            expr => {
                let mut binder = self.binder();
                let scope = Scope::of(binder.row_of(relation)?);
                let bound = binder.expr_in(Clause::Index, &scope, expr)?;
                if !bound.is_immutable() {
                    let message = "functions in index expression must be marked IMMUTABLE";
                    return Err(SqlError::new(SqlState::new("42P17"), message));
                }
                let shown = binder.shown(&scope, expr, Type::TEXT);
                // What can't be shown is kept as written, without the collation around it.
                let written = if collation.is_some() { expr.to_string() } else { written.text };
                let type_ = if bound.type_ == Type::UNKNOWN { Type::TEXT } else { bound.type_ };
                (None, Some(shown.unwrap_or(written)), type_)
            }
        };
        if cursor.word("collate") {
            let (schema, name) = cursor.name()?;
            self.binder().collation(schema.as_deref(), &name)?;
            collation = Some(name);
        }
        let ends = ["asc", "desc", "nulls"];
        let class = cursor.peek().is_some_and(|token| matches!(token.token, Token::Word(_)))
            && !ends.iter().any(|word| cursor.is(word));
        let class = if class { Some(WrittenClass::read(cursor)?) } else { None };
        let sorts = cursor.is("asc") || cursor.is("desc");
        let descending = cursor.word("desc");
        cursor.word("asc");
        let nulls_first = if cursor.words("nulls first") {
            Some(true)
        } else if cursor.words("nulls last") {
            Some(false)
        } else {
            None
        };
        let key = IndexKey { column, expression, descending, nulls_first, class: None, collation };
        Ok(WrittenKey { key, class, type_, sorts })
    }

    /// A key with its operator class, which is named only where it is not the default one.
    fn key_of_method(&self, written: WrittenKey, method: &str) -> Result<IndexKey> {
        let class = self.class_of_key(written.class.as_ref(), written.type_, method)?;
        let refused = match written.key.nulls_first {
            _ if method == "btree" => None,
            _ if written.sorts => Some("ASC/DESC"),
            nulls => nulls.map(|_| "NULLS FIRST/LAST"),
        };
        if let Some(what) = refused {
            let message = format!("access method \"{method}\" does not support {what} options");
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        Ok(IndexKey { class, ..written.key })
    }
}

fn no_column(name: &str) -> SqlError {
    SqlError::new(SqlState::UNDEFINED_COLUMN, format!("column \"{name}\" does not exist"))
}

/// Refuses an index that the method can't have.
fn refuse_of_method(method: &str, unique: bool, keys: usize, includes: bool) -> Result<()> {
    let what = match method {
        _ if unique && method != "btree" => "unique indexes",
        _ if includes && !matches!(method, "btree" | "gist" | "spgist") => "included columns",
        "hash" | "spgist" | "hnsw" | "ivfflat" if keys > 1 => "multicolumn indexes",
        _ => return Ok(()),
    };
    let message = format!("access method \"{method}\" does not support {what}");
    Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message))
}

/// The part of an index's name for an expression: the name that a column of a query would have.
fn name_of_expression(text: &str) -> String {
    let parsed = source::Source::stored(text).expression();
    let name = parsed.map_or_else(|_| String::new(), |parsed| column_name(&parsed));
    if name.is_empty() || name == "?column?" { "expr".to_owned() } else { name }
}

/// A key without parentheses is one call and nothing else.
fn refuse_beside_call(cursor: &mut Cursor<'_>, from: usize) -> Result<()> {
    let (end, mut depth) = (cursor.at, 0);
    for at in from..end {
        match cursor.tokens[at].token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ => continue,
        }
        let follows =
            cursor.tokens.get(at + 1).filter(|next| depth == 0 && at + 1 < end && !is_word(next, "collate"));
        if follows.is_some() {
            cursor.at = at + 1;
            return Err(cursor.unexpected());
        }
        if depth == 0 {
            break;
        }
    }
    Ok(())
}
