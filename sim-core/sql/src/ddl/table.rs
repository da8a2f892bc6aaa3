//! `CREATE TABLE` and its parts.

mod constraints;
mod definition;
mod like;

use sqlparser::ast;
use sqlparser::tokenizer::Token;

use self::constraints::merge_keys;
use self::like::Copied;
use super::columns::COLUMNS_MAX;
use super::cursor::{Cursor, Written};
use super::exclusion::Exclusion;
use super::names::{choose, column_taken, refuse_system_name, relation_taken};
use super::physical::ROW;
use super::storage::{Of, Parameter, Storage, new_options, storage_options};
use crate::bind::{Binder, Clause, Scope};
use crate::catalog::{Action, Column, ForeignOptions, Identity, Oid, RelationKind, Stored};
use crate::collations::Collation;
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::is_word;
use crate::tree::{Field, Node};
use crate::types::{Modified, Type};

pub(super) use self::constraints::can_refer;
pub(super) use self::definition::{Deferral, note_sequence_option, query_with_data};

/// A column definition as written.
pub(super) struct ColumnDefinition {
    pub(super) name: String,
    pub(super) type_: Modified,
    pub(super) not_null: bool,
    /// Whether `NULL` or `NOT NULL` has been written.
    pub(super) nullable: Option<bool>,
    /// What contradicts something before it, and where it stands.
    pub(super) conflict: Option<(&'static str, Option<usize>)>,
    /// How long values are compressed.
    pub(super) compression: Option<char>,
    pub(super) default: Option<Written>,
    pub(super) generated: Option<Written>,
    pub(super) identity: Option<Identity>,
    pub(super) serial: bool,
    pub(super) sequence: Vec<SequenceOption>,
    /// The name of its sequence, if given, as in a dump.
    pub(super) sequence_name: Option<(Option<String>, String)>,
    pub(super) constraints: Vec<ConstraintDefinition>,
    /// Options of a column of a foreign table.
    pub(super) options: ForeignOptions,
    /// The collation after the type.
    collation: Option<Collation>,
}

/// A constraint definition as written.
pub(super) struct ConstraintDefinition {
    pub(super) name: Option<String>,
    pub(super) kind: WrittenKind,
    pub(super) deferrable: bool,
    pub(super) deferred: bool,
    pub(super) validated: bool,
    pub(super) no_inherit: bool,
    pub(super) key: StoredKey,
}

/// What the index of a key has besides the key.
#[derive(Default)]
pub(super) struct StoredKey {
    pub(super) include: Vec<String>,
    pub(super) parameters: Vec<Parameter>,
}

/// The condition of a constraint.
pub(super) enum WrittenKind {
    Primary(Vec<String>),
    Unique(Vec<String>),
    /// A unique key that takes nulls for equal.
    UniqueNulls(Vec<String>),
    Check(Written),
    Foreign {
        columns: Vec<String>,
        table: (Option<String>, String),
        referenced: Vec<String>,
        on_delete: Action,
        on_update: Action,
        set: Vec<String>,
        full: bool,
    },
    Index {
        primary: bool,
        name: String,
    },
    Exclude(Exclusion),
}

/// An option of a sequence.
#[derive(Clone, Copy, Debug)]
pub(super) enum SequenceOption {
    Start(i64),
    Increment(i64),
    Minimum(Option<i64>),
    Maximum(Option<i64>),
    Cache(i64),
    Cycle(bool),
    Type(Type),
    Restart(Option<i64>),
}

/// The kinds of keys.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Key {
    Primary,
    Unique,
    UniqueNulls,
}

enum Element {
    Column(Box<ColumnDefinition>),
    Constraint(ConstraintDefinition),
    Like { from: Oid, copied: Copied },
}

impl Engine<'_> {
    /// `CREATE TABLE`, after these words.
    pub(super) fn create_table(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let (schema, name) = cursor.name()?;
        let schema = self.place_of(cursor, schema.as_deref())?;
        if self.catalog.relation_exists(schema, &name) {
            return self.skip_all(if_not_exists, relation_taken(&name), "CREATE TABLE");
        }
        let begins_query = ["as", "with", "using", "on", "tablespace"];
        if begins_query.iter().any(|word| cursor.is(word))
            || cursor.peek().is_some_and(|t| t.token == Token::LParen) && self.is_as_query(cursor)
        {
            return self.create_table_as(cursor, schema, name);
        }
        if cursor.words("partition of") {
            return self.create_partition(cursor, schema, &name);
        }
        if cursor.is("of") {
            return Err(SqlError::unsupported("a typed table"));
        }
        cursor.expect(&Token::LParen)?;
        let elements = if cursor.token(&Token::RParen) {
            Vec::new()
        } else {
            let elements = cursor.list(|cursor| self.element(cursor))?;
            cursor.expect(&Token::RParen)?;
            elements
        };
        if cursor.is("inherits") {
            return Err(SqlError::unsupported("inheritance of tables"));
        }
        let partitioned = self.partition_by(cursor)?;
        let storage = storage_options(cursor)?;
        cursor.finish()?;
        let of = if partitioned.is_some() { Of::PartitionedTable } else { Of::Table };
        let options = new_options(of, &storage.parameters)?;
        let oid = self.new_relation(schema, &name, RelationKind::Table);
        self.store_as(oid, options, cursor.unlogged, &storage);
        self.define_table(oid, elements)?;
        if let Some(partitioned) = partitioned {
            self.set_partitioning(oid, partitioned)?;
        }
        Ok(Done::command("CREATE TABLE"))
    }

    /// Whether a list of names in parentheses is followed by `AS`.
    fn is_as_query(&self, cursor: &Cursor<'_>) -> bool {
        let mut ahead = Cursor::new(cursor.source.clone(), cursor.tokens);
        (ahead.at, ahead.temporary) = (cursor.at, cursor.temporary);
        ahead.skip_brackets().is_ok() && storage_options(&mut ahead).is_ok() && ahead.is("as")
    }

    fn define_table(&mut self, oid: Oid, elements: Vec<Element>) -> Result<()> {
        let (mut constraints, mut likes, mut generation) = (Vec::new(), Vec::new(), Vec::new());
        for element in elements {
            match element {
                Element::Column(mut definition) => {
                    constraints.append(&mut definition.constraints);
                    generation.extend(definition.generated.as_ref().map(|written| written.expr.clone()));
                    self.add_column_entry(oid, *definition)?;
                }
                Element::Constraint(constraint) => constraints.push(constraint),
                Element::Like { from, copied } => {
                    constraints.extend(self.copy_columns(oid, from, copied)?);
                    likes.push((from, copied));
                }
            }
        }
        merge_keys(&mut constraints);
        generation.iter().try_for_each(|expr| self.check_generation(oid, expr))?;
        let own: Vec<u32> = self.relation(oid)?.columns.iter().map(|column| column.number).collect();
        // Their expressions may be about columns that come later.
        own.into_iter().try_for_each(|number| self.show_generated(oid, number))?;
        self.create_storage(oid)?;
        // A foreign key may refer to a key that the same statement defines.
        let (foreign, own): (Vec<_>, Vec<_>) = constraints
            .into_iter()
            .partition(|constraint| matches!(constraint.kind, WrittenKind::Foreign { .. }));
        own.into_iter().chain(foreign).try_for_each(|constraint| self.add_constraint(oid, constraint))?;
        likes.into_iter().try_for_each(|(from, copied)| self.copy_indexes(oid, from, copied))?;
        self.refresh_checks(oid)
    }

    /// Adds a column to a relation in the catalog.
    pub(super) fn add_column_entry(&mut self, oid: Oid, definition: ColumnDefinition) -> Result<u32> {
        let relation = self.relation(oid)?;
        refuse_system_name(&definition.name)?;
        if relation.column(&definition.name).is_some() {
            if relation.columns.is_empty() || !self.has_storage(oid)? {
                let message = format!("column \"{}\" specified more than once", definition.name);
                return Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message));
            }
            return Err(column_taken(&definition.name, &relation.name));
        }
        if !definition.options.is_empty() && relation.kind != RelationKind::Foreign {
            return Err(SqlError::unsupported("OPTIONS of a column that is not foreign"));
        }
        if let Some((what, at)) = definition.conflict {
            let (column, table) = (&definition.name, &relation.name);
            let message = format!("{what} for column \"{column}\" of table \"{table}\"");
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message).at(at));
        }
        let number = relation.next_column;
        if number > COLUMNS_MAX {
            let message = format!("tables can have at most {COLUMNS_MAX} columns");
            return Err(SqlError::new(SqlState::new("54011"), message));
        }
        let column = Column {
            number,
            name: definition.name.clone(),
            type_: definition.type_,
            not_null: definition.not_null,
            default: None,
            identity: definition.identity,
            generated: definition.generated.as_ref().map(|written| written.text.clone()),
            stored: Stored { compression: definition.compression, ..Stored::default() },
            collation: definition.collation.clone(),
            sequence: None,
            comment: None,
            acl: Default::default(),
        };
        let entry = self.relation_mut(oid);
        entry.next_column += 1;
        entry.columns.push(column.clone());
        if definition.default.is_some() && (definition.serial || definition.identity.is_some()) {
            let both =
                if definition.serial { "multiple default values" } else { "both default and identity" };
            let (column, table) = (&definition.name, &relation.name);
            let message = format!("{both} specified for column \"{column}\" of table \"{table}\"");
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        if definition.generated.is_some() && (definition.default.is_some() || definition.identity.is_some()) {
            let what = if definition.identity.is_some() { "identity" } else { "default" };
            let (column, table) = (&definition.name, &relation.name);
            let message = format!(
                "both {what} and generation expression specified for column \"{column}\" of table \"{table}\""
            );
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        if let Some(default) = &definition.default {
            self.set_default(oid, number, default)?;
        }
        if definition.serial || definition.identity.is_some() {
            self.own_sequence(oid, number, &definition)?;
        }
        Ok(number)
    }

    /// Refuses an expression of a generated column that reads another generated column.
    pub(super) fn check_generation(&self, oid: Oid, expr: &ast::Expr) -> Result<()> {
        let relation = self.relation(oid)?;
        let mut binder = self.binder();
        binder.once.without_queries = true;
        let scope = Scope::of(binder.row_of(&relation)?);
        let bound = binder.expr_in(Clause::Generated, &scope, expr)?;
        let mut refusal = None;
        bound.any(&mut |part| {
            let Node::Column { field: Field::Column(number), .. } = part.node else { return false };
            let generated = relation.column_number(number).filter(|column| column.generated.is_some());
            refusal = generated.map(|column| {
                let message = format!(
                    "cannot use generated column \"{}\" in column generation expression",
                    column.name
                );
                SqlError::new(SqlState::new("42P17"), message)
                    .detail("A generated column cannot reference another generated column.")
                    .at(part.at.0)
            });
            refusal.is_some()
        });
        refusal.map_or(Ok(()), Err)
    }

    /// Writes the expression of a generated column as the catalog shows it.
    pub(super) fn show_generated(&mut self, oid: Oid, number: u32) -> Result<()> {
        let relation = self.relation(oid)?;
        let Some(column) = relation.column_number(number) else { return Ok(()) };
        let Some(text) = &column.generated else { return Ok(()) };
        let mut binder = Binder::of_definition(&self.catalog, text, &self.settings);
        let parsed = binder.source.expression()?;
        let scope = Scope::of(binder.table_of(&relation, ROW, None)?);
        let shown = binder.shown(&scope, &parsed, column.type_.base);
        if shown.is_some() {
            self.column_mut(oid, number).generated = shown;
        }
        Ok(())
    }

    /// Sets the default of a column.
    pub(super) fn set_default(&mut self, oid: Oid, number: u32, default: &Written) -> Result<()> {
        let relation = self.relation(oid)?;
        let Some(column) = relation.column_number(number).cloned() else { return Ok(()) };
        let mut binder = self.binder();
        let value = binder.expr_in(Clause::Default, &Scope::default(), &default.expr).map_err(|error| {
            if error.code != SqlState::UNDEFINED_COLUMN {
                return error;
            }
            let message = "cannot use column reference in DEFAULT expression";
            SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).at(error.position)
        })?;
        let given = value.type_;
        // Only a literal is evaluated now, without its length limit. Other expressions are evaluated when the default is used.
        if let Node::Untyped(text) = &value.node {
            binder.literal(text, column.type_.base.plain()).map_err(|error| error.at(value.at.0))?;
        }
        let needed = binder.castable(given, column.type_.base);
        if needed.is_none_or(|needed| needed > crate::cast::Context::Assignment) {
            let message = format!(
                "column \"{}\" is of type {} but default expression is of type {}",
                column.name,
                self.catalog.type_name(column.type_.base, -1),
                self.catalog.type_name(given, -1)
            );
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message)
                .hint("You will need to rewrite or cast the expression."));
        }
        let literal = matches!(&*default.expr, ast::Expr::Value(value)
            if matches!(value.value, ast::Value::SingleQuotedString(_) | ast::Value::EscapedStringLiteral(_)));
        let null = matches!(&*default.expr, ast::Expr::Value(value) if value.value == ast::Value::Null);
        let shown = binder.shown(&Scope::default(), &default.expr, column.type_.base);
        let text = shown.unwrap_or_else(|| match literal {
            true => format!("{}::{}", default.text, self.catalog.type_name(column.type_.base, -1)),
            false => default.text.clone(),
        });
        let text = self.with_sequences_found(&text);
        // A null is converted to the length of the type, which keeps it as a default.
        let converted = column.type_.modifier >= 0;
        let text = match column.type_.base {
            _ if !null => text,
            Type::BPCHAR => "NULL::bpchar".to_owned(),
            other => format!("NULL::{}", self.catalog.type_name(other, -1)),
        };
        self.column_mut(oid, number).default = (!null || converted).then_some(text);
        Ok(())
    }

    fn own_sequence(&mut self, oid: Oid, number: u32, definition: &ColumnDefinition) -> Result<()> {
        let relation = self.relation(oid)?;
        let name = match &definition.sequence_name {
            Some((_, name)) => name.clone(),
            None => {
                let taken = |name: &str| self.catalog.relation_exists(relation.schema, name);
                choose(&relation.name, &definition.name, "seq", taken)
            }
        };
        if self.catalog.relation_exists(relation.schema, &name) {
            return Err(relation_taken(&name));
        }
        let options =
            self.sequence_options(definition.type_.base, &definition.sequence, Some((oid, number)))?;
        let sequence = self.new_sequence(relation.schema, &name, options);
        let column = self.column_mut(oid, number);
        column.sequence = Some(sequence);
        if definition.serial {
            let shown = self.catalog.qualified(relation.schema, &name);
            self.column_mut(oid, number).default =
                Some(format!("nextval('{}'::regclass)", shown.replace('\'', "''")));
        }
        Ok(())
    }

    fn create_table_as(&mut self, cursor: &mut Cursor<'_>, schema: Oid, name: String) -> Result<Done> {
        let bracket = cursor.peek().is_some_and(|token| token.token == Token::LParen);
        let names = if bracket { cursor.names()? } else { Vec::new() };
        let storage = storage_options(cursor)?;
        cursor.expect_word("as")?;
        let (query, with_data) = query_with_data(cursor);
        if query.first().is_some_and(|token| is_word(token, "execute")) {
            let mut executed = Cursor::new(cursor.source.clone(), &query[1..]);
            let (source, tokens) = self.prepared_statement(&mut executed)?;
            let parsed = source.parse(&tokens, sqlparser::parser::Parser::parse_query)?;
            let outer = std::mem::replace(&mut self.source, source);
            let filled =
                self.fill_from_query(RelationKind::Table, (schema, &name), &names, &parsed, with_data);
            self.source = outer;
            return filled.map(|(_, count)| Done::command(format!("SELECT {count}")));
        }
        let parsed = self.source.clone().parse(query, sqlparser::parser::Parser::parse_query)?;
        let (oid, count) =
            self.fill_from_query(RelationKind::Table, (schema, &name), &names, &parsed, with_data)?;
        let options = new_options(Of::Table, &storage.parameters)?;
        self.store_as(oid, options, cursor.unlogged, &storage);
        Ok(Done::command(format!("SELECT {count}")))
    }

    /// Notes how a table is stored.
    pub(super) fn store_as(&mut self, oid: Oid, options: Vec<String>, unlogged: bool, storage: &Storage) {
        let relation = self.relation_mut(oid);
        relation.options = options;
        relation.unlogged = unlogged;
        relation.on_commit = storage.on_commit;
    }

    /// Fills a new relation with the rows of a query.
    pub(super) fn fill_from_query(
        &mut self,
        kind: RelationKind,
        (schema, name): (Oid, &str),
        names: &[String],
        query: &ast::Query,
        with_data: bool,
    ) -> Result<(Oid, usize)> {
        let returned = if with_data { self.rows_raw(query)? } else { self.columns_raw(query)? };
        for column in &returned.columns {
            super::view::refuse_pseudo_type(&column.name, column.type_.base)?;
        }
        if names.len() > returned.columns.len() {
            let message = "too many column names were specified";
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        let mut called = std::collections::BTreeSet::new();
        for (index, column) in returned.columns.iter().enumerate() {
            let name = names.get(index).unwrap_or(&column.name);
            refuse_system_name(name)?;
            if !called.insert(name) {
                let message = format!("column \"{name}\" specified more than once");
                return Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message));
            }
        }
        let oid = self.new_relation(schema, name, kind);
        let relation = self.relation_mut(oid);
        for (index, column) in returned.columns.iter().enumerate() {
            relation.columns.push(Column {
                number: index as u32 + 1,
                name: names.get(index).unwrap_or(&column.name).clone(),
                type_: column.type_,
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
        }
        relation.next_column = returned.columns.len() as u32 + 1;
        self.create_storage(oid)?;
        let count = if with_data { returned.rows.len() } else { 0 };
        self.insert_raw(oid, &returned.rows[..count])?;
        Ok((oid, count))
    }

    pub(super) fn insert_raw(&self, oid: Oid, rows: &[Vec<rusqlite::types::Value>]) -> Result<()> {
        let Some(first) = rows.first() else { return Ok(()) };
        let relation = self.relation(oid)?;
        let columns: Vec<String> =
            relation.columns.iter().map(|column| format!("c{}", column.number)).collect();
        let values = match columns.is_empty() {
            true => "DEFAULT VALUES".to_owned(),
            false => format!("({}) VALUES ({})", columns.join(", "), vec!["?"; first.len()].join(", ")),
        };
        let mut insert = self.connection.prepare(&format!("INSERT INTO r{oid} {values}"))?;
        for row in rows {
            insert.execute(rusqlite::params_from_iter(row))?;
        }
        Ok(())
    }

    /// A binder for parts of a definition.
    pub(crate) fn binder(&self) -> Binder<'_> {
        Binder::new(&self.catalog, self.source.clone(), &self.settings, &[])
    }
}
