//! Indexes.

use sqlparser::ast;
use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::names::{choose, relation_taken};
use super::storage::{Of, new_options, parameters};
use crate::bind::{Clause, Scope, column_name};
use crate::catalog::{Index, IndexKey, Relation};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::{self, is_word};
use crate::types::Type;

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
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
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
        cursor.expect(&Token::LParen)?;
        let keys = cursor.list(|cursor| self.index_key(cursor, &relation))?;
        cursor.expect(&Token::RParen)?;
        refuse_of_method(&method, unique, keys.len(), cursor.is("include"))?;
        keys.iter().try_for_each(|key| self.check_class(&relation, key, &method))?;
        let keys: Vec<IndexKey> =
            keys.into_iter().map(|key| self.without_default_class(&relation, key, &method)).collect();
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

    /// A key that names the operator class which it has anyway, as definitions show it.
    fn without_default_class(&self, relation: &Relation, key: IndexKey, method: &str) -> IndexKey {
        if key.class.as_deref().is_none_or(|class| class.contains('(')) {
            return key;
        }
        let type_ = self.binder().key_of_index(relation, &key).1.base;
        match crate::system::is_default_class(&self.catalog, method, &key, type_) {
            true => IndexKey { class: None, ..key },
            false => key,
        }
    }

    /// Refuses a type without a default operator class for the method.
    fn check_class(&self, relation: &Relation, key: &IndexKey, method: &str) -> Result<()> {
        let created = self.catalog.has_extension("pg_trgm");
        if let Some(class) = key.class_name().filter(|class| class.ends_with("_trgm_ops") && !created) {
            let message = format!("operator class \"{class}\" does not exist for access method \"{method}\"");
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
        }
        let of_key = self.binder().key_of_index(relation, key).1.base;
        let type_ = self.catalog.base_type(of_key);
        let has = |name: &str| self.catalog.has_extension(name);
        let known = match method {
            "gin" => {
                type_.element().is_some()
                    || matches!(type_, Type::JSONB | Type::TSVECTOR | Type::HSTORE)
                    || (self.is_plain(type_) && has("btree_gin"))
            }
            "gist" if self.is_plain(type_) => has("btree_gist"),
            "gist" => {
                type_.element().is_none()
                    && !matches!(
                        type_,
                        Type::JSON | Type::JSONB | Type::XML | Type::LINE | Type::LSEG | Type::PATH
                    )
            }
            "brin" => {
                (self.is_plain(type_) && self.catalog.labels(type_).is_none() && !BRIN_LACKS.contains(&type_))
                    || type_.category() == 'R'
                    || type_ == Type::BOX
            }
            "spgist" => {
                matches!(type_.category(), 'R' | 'I') && !matches!(type_, Type::MACADDR | Type::MACADDR8)
                    || matches!(type_, Type::TEXT | Type::VARCHAR | Type::POINT | Type::BOX | Type::POLYGON)
            }
            "btree" | "hash" if type_.is_figure() => false,
            "btree" => !matches!(type_, Type::JSON | Type::XML | Type::JSONPATH),
            _ => true,
        };
        if known || key.class.is_some() {
            return Ok(());
        }
        let name = self.catalog.type_name(of_key, -1);
        let message =
            format!("data type {name} has no default operator class for access method \"{method}\"");
        Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message)
            .hint("You must specify an operator class for the index or define a default operator class for the data type."))
    }

    /// Whether values of the type have an order, and no parts to look for. `btree_gin` and `btree_gist` are for such types.
    fn is_plain(&self, type_: Type) -> bool {
        let scalar = matches!(type_.category(), 'B' | 'D' | 'I' | 'N' | 'S' | 'T' | 'V')
            || matches!(
                type_,
                Type::UUID | Type::BYTEA | Type::MACADDR | Type::MACADDR8 | Type::QCHAR | Type::XID8
            );
        self.catalog.labels(type_).is_some() || (scalar && type_ != Type::CITEXT)
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

    fn index_key(&mut self, cursor: &mut Cursor<'_>, relation: &Relation) -> Result<IndexKey> {
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
        let (column, expression) = match expr {
            ast::Expr::Identifier(ident) => {
                let name = source::name(ident);
                let column = relation.column(&name).ok_or_else(|| no_column(&name))?;
                (Some(column.number), None)
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
                (None, Some(shown.unwrap_or(written)))
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
        let class = if class { Some(class_with_options(cursor)?) } else { None };
        let descending = cursor.word("desc");
        cursor.word("asc");
        let nulls_first = if cursor.words("nulls first") {
            Some(true)
        } else if cursor.words("nulls last") {
            Some(false)
        } else {
            None
        };
        Ok(IndexKey { column, expression, descending, nulls_first, class, collation })
    }
}

/// The name of an operator class, with its options as PostgreSQL shows them.
fn class_with_options(cursor: &mut Cursor<'_>) -> Result<String> {
    let class = cursor.name()?.1;
    if !cursor.token(&Token::LParen) {
        return Ok(class);
    }
    let mut seen: Vec<String> = Vec::new();
    let options = cursor.list(|cursor| {
        let name = cursor.ident()?;
        cursor.expect(&Token::Eq)?;
        if seen.contains(&name) {
            let message = format!("parameter \"{name}\" specified more than once");
            return Err(SqlError::new(SqlState::new("22023"), message));
        }
        seen.push(name.clone());
        let known = class_option(&class, &name)?;
        let value = match cursor.peek().map(|token| &token.token) {
            Some(Token::SingleQuotedString(_)) => cursor.string()?,
            Some(Token::Word(_)) => cursor.ident()?,
            _ => cursor.integer()?.to_string(),
        };
        let number: i64 = value.parse().map_err(|_| {
            let message = format!("invalid value for integer option \"{name}\": {value}");
            SqlError::new(SqlState::new("22023"), message)
        })?;
        if !known.contains(&number) {
            let message = format!("value {value} out of bounds for option \"{name}\"");
            let detail = format!("Valid values are between \"{}\" and \"{}\".", known.start(), known.end());
            return Err(SqlError::new(SqlState::new("22023"), message).detail(detail));
        }
        Ok(format!("{name}='{value}'"))
    })?;
    cursor.expect(&Token::RParen)?;
    Ok(format!("{class} ({})", options.join(", ")))
}

/// The values that an option of an operator class can have.
fn class_option(class: &str, name: &str) -> Result<std::ops::RangeInclusive<i64>> {
    let known = match (class, name) {
        ("gist_trgm_ops" | "tsvector_ops" | "gist_ltree_ops" | "gist_hstore_ops", "siglen") => Some(1..=2024),
        ("gist__ltree_ops", "siglen") => Some(1..=2024),
        ("gist__int_ops", "numranges") => Some(1..=252),
        ("gist__intbig_ops", "siglen") => Some(1..=2024),
        _ => None,
    };
    known.ok_or_else(|| match class {
        "gist_trgm_ops" | "tsvector_ops" | "gist_ltree_ops" | "gist__ltree_ops" | "gist_hstore_ops" => {
            SqlError::new(SqlState::new("22023"), format!("unrecognized parameter \"{name}\""))
        }
        _ => SqlError::new(SqlState::new("22023"), format!("operator class {class} has no options")),
    })
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

/// Types with an order that have no default operator class for `brin`.
const BRIN_LACKS: [Type; 4] = [Type::BOOL, Type::MONEY, Type::XID8, Type::CIDR];

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
