//! `CREATE TABLE` and its parts.

use std::collections::BTreeSet;

use sqlparser::ast;
use sqlparser::tokenizer::Token;

use super::cursor::{Cursor, Written};
use super::exclusion::Exclusion;
use super::names::{choose, relation_taken};
use super::physical::COLUMNS_MAX;
use crate::bind::{Binder, Clause, Scope};
use crate::cast;
use crate::catalog::{
    Action, Column, Constraint, ConstraintKind, ForeignOptions, Identity, Index, IndexKey, Oid, Relation,
    RelationKind, SequenceOptions,
};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::is_word;
use crate::tree::Node;
use crate::types::{Modified, Type};

/// A column definition as written.
pub(super) struct ColumnDefinition {
    pub(super) name: String,
    pub(super) type_: Modified,
    pub(super) not_null: bool,
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
}

/// A constraint definition as written.
pub(super) struct ConstraintDefinition {
    pub(super) name: Option<String>,
    pub(super) kind: WrittenKind,
    pub(super) deferrable: bool,
    pub(super) deferred: bool,
    pub(super) validated: bool,
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
    Like { table: String, defaults: bool, constraints: bool, indexes: bool },
}

impl Engine<'_> {
    /// `CREATE TABLE`, after these words.
    pub(super) fn create_table(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let (schema, name) = cursor.name()?;
        let schema = self.place_of(cursor, schema.as_deref())?;
        if self.catalog.relation_exists(schema, &name) {
            if if_not_exists {
                return Ok(Done::command("CREATE TABLE"));
            }
            return Err(relation_taken(&name));
        }
        let begins_query = ["as", "with", "on", "tablespace"];
        if begins_query.iter().any(|word| cursor.is(word))
            || cursor.peek().is_some_and(|t| t.token == Token::LParen) && self.is_as_query(cursor)
        {
            return self.create_table_as(cursor, schema, name);
        }
        if cursor.is("partition") || cursor.is("of") {
            return Err(SqlError::unsupported("a partition"));
        }
        cursor.expect(&Token::LParen)?;
        let elements = if cursor.token(&Token::RParen) {
            Vec::new()
        } else {
            let elements = cursor.list(|cursor| self.element(cursor))?;
            cursor.expect(&Token::RParen)?;
            elements
        };
        if cursor.is("partition") || cursor.is("inherits") {
            return Err(SqlError::unsupported("partitioning and inheritance of tables"));
        }
        let on_commit = storage_options(cursor)?;
        cursor.finish()?;
        let oid = self.new_relation(schema, &name, RelationKind::Table);
        self.relation_mut(oid).on_commit = on_commit;
        self.define_table(oid, elements)?;
        Ok(Done::command("CREATE TABLE"))
    }

    /// Whether a list of names in parentheses is followed by `AS`.
    fn is_as_query(&self, cursor: &Cursor<'_>) -> bool {
        let mut ahead = Cursor::new(cursor.source.clone(), cursor.tokens);
        (ahead.at, ahead.temporary) = (cursor.at, cursor.temporary);
        ahead.skip_brackets().is_ok() && storage_options(&mut ahead).is_ok() && ahead.is("as")
    }

    fn define_table(&mut self, oid: Oid, elements: Vec<Element>) -> Result<()> {
        let mut constraints = Vec::new();
        for element in elements {
            match element {
                Element::Column(mut definition) => {
                    constraints.append(&mut definition.constraints);
                    self.add_column_entry(oid, *definition)?;
                }
                Element::Constraint(constraint) => constraints.push(constraint),
                Element::Like { table, defaults, constraints: checks, indexes } => {
                    let copied = self.copy_columns(oid, &table, defaults)?;
                    constraints.extend(copied_constraints(&copied, checks, indexes)?);
                }
            }
        }
        merge_keys(&mut constraints);
        self.create_storage(oid)?;
        // A foreign key may refer to a key that the same statement defines.
        let (foreign, own): (Vec<_>, Vec<_>) = constraints
            .into_iter()
            .partition(|constraint| matches!(constraint.kind, WrittenKind::Foreign { .. }));
        own.into_iter().chain(foreign).try_for_each(|constraint| self.add_constraint(oid, constraint))?;
        self.refresh_checks(oid)
    }

    /// Copies the columns of another table, and returns that table.
    fn copy_columns(&mut self, oid: Oid, name: &str, defaults: bool) -> Result<Relation> {
        let (schema, name) = name.split_once('.').map_or((None, name), |(schema, name)| (Some(schema), name));
        let from = self.find(schema, name)?.clone();
        let relation = self.relation_mut(oid);
        for column in from.columns.clone() {
            let number = relation.next_column;
            relation.next_column += 1;
            let default = column.default.clone().filter(|_| defaults);
            let generated = column.generated.clone().filter(|_| defaults);
            relation.columns.push(Column {
                number,
                default,
                generated,
                sequence: None,
                identity: None,
                ..column
            });
        }
        Ok(from)
    }

    fn element(&mut self, cursor: &mut Cursor<'_>) -> Result<Element> {
        if cursor.word("like") {
            let (schema, name) = cursor.name()?;
            let (mut defaults, mut constraints, mut indexes) = (false, false, false);
            while cursor.is("including") || cursor.is("excluding") {
                let including = cursor.is("including");
                cursor.at += 1;
                let what = cursor.ident()?;
                let is = |word: &str| what == word || what == "all";
                defaults = if is("defaults") { including } else { defaults };
                constraints = if is("constraints") { including } else { constraints };
                indexes = if is("indexes") { including } else { indexes };
            }
            let table = schema.map_or_else(|| name.clone(), |schema| format!("{schema}.{name}"));
            return Ok(Element::Like { table, defaults, constraints, indexes });
        }
        let starts = ["constraint", "primary", "unique", "check", "foreign", "exclude"];
        let keyword = starts.iter().any(|word| cursor.is(word));
        if keyword && !cursor.tokens.get(cursor.at + 1).is_some_and(is_type_word) {
            return Ok(Element::Constraint(self.table_constraint(cursor)?));
        }
        Ok(Element::Column(Box::new(self.column_definition_of(cursor)?)))
    }

    /// A column's name, type and constraints.
    pub(super) fn column_definition_of(&mut self, cursor: &mut Cursor<'_>) -> Result<ColumnDefinition> {
        let name = cursor.ident()?;
        let serials = ["serial", "serial4", "bigserial", "serial8", "smallserial", "serial2"];
        let serial = serials.iter().any(|word| cursor.is(word));
        let type_ = self.type_of(cursor)?;
        let mut column = ColumnDefinition {
            name,
            type_,
            not_null: serial,
            default: None,
            generated: None,
            identity: None,
            serial,
            sequence: Vec::new(),
            sequence_name: None,
            constraints: Vec::new(),
            options: super::foreign::options(cursor)?,
        };
        while self.column_constraint(cursor, &mut column)? {}
        Ok(column)
    }

    /// Reads a type and resolves its name.
    pub(super) fn type_of(&self, cursor: &mut Cursor<'_>) -> Result<Modified> {
        let at = cursor.peek().and_then(|token| cursor.source.place(token.span.start));
        let data_type = cursor.data_type()?;
        self.binder().data_type(&data_type).map_err(|error| error.at(at))
    }

    /// Reads one constraint of a column; returns `false` if there is none.
    fn column_constraint(&mut self, cursor: &mut Cursor<'_>, column: &mut ColumnDefinition) -> Result<bool> {
        let name = if cursor.word("constraint") { Some(cursor.ident()?) } else { None };
        let own = vec![column.name.clone()];
        let kind = if cursor.words("not null") {
            column.not_null = true;
            return Ok(true);
        } else if cursor.word("null") {
            return Ok(true);
        } else if cursor.word("default") {
            column.default = Some(cursor.default_expr()?);
            return Ok(true);
        } else if cursor.word("collate") {
            cursor.name()?;
            return Ok(true);
        } else if cursor.word("generated") {
            self.generated(cursor, column)?;
            return Ok(true);
        } else if cursor.words("primary key") {
            column.not_null = true;
            WrittenKind::Primary(own)
        } else if cursor.word("unique") {
            if nulls_not_distinct(cursor) { WrittenKind::UniqueNulls(own) } else { WrittenKind::Unique(own) }
        } else if cursor.word("check") {
            WrittenKind::Check(cursor.bracketed()?)
        } else if cursor.word("references") {
            self.references(cursor, own)?
        } else if name.is_some() {
            return Err(cursor.unexpected());
        } else {
            return Ok(false);
        };
        let constraint = self.constraint_options(cursor, name, kind)?;
        column.constraints.push(constraint);
        Ok(true)
    }

    fn generated(&mut self, cursor: &mut Cursor<'_>, column: &mut ColumnDefinition) -> Result<()> {
        let identity = if cursor.words("by default") {
            Identity::ByDefault
        } else {
            cursor.expect_word("always")?;
            Identity::Always
        };
        cursor.expect_word("as")?;
        if !cursor.word("identity") {
            column.generated = Some(cursor.bracketed()?);
            return cursor.expect_word("stored");
        }
        if !column.type_.base.is_integer() {
            let message = "identity column type must be smallint, integer, or bigint";
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        column.identity = Some(identity);
        column.not_null = true;
        if cursor.token(&Token::LParen) {
            while !cursor.token(&Token::RParen) {
                if cursor.words("sequence name") {
                    column.sequence_name = Some(cursor.name()?);
                    continue;
                }
                let option = self.sequence_option(cursor)?.ok_or_else(|| cursor.unexpected())?;
                column.sequence.push(option);
            }
        }
        Ok(())
    }

    /// Reads one option of a sequence; returns `None` if there is none.
    pub(super) fn sequence_option(&mut self, cursor: &mut Cursor<'_>) -> Result<Option<SequenceOption>> {
        Ok(Some(if cursor.word("start") {
            cursor.word("with");
            SequenceOption::Start(cursor.integer()?)
        } else if cursor.word("increment") {
            cursor.word("by");
            SequenceOption::Increment(cursor.integer()?)
        } else if cursor.word("minvalue") {
            SequenceOption::Minimum(Some(cursor.integer()?))
        } else if cursor.word("maxvalue") {
            SequenceOption::Maximum(Some(cursor.integer()?))
        } else if cursor.words("no minvalue") {
            SequenceOption::Minimum(None)
        } else if cursor.words("no maxvalue") {
            SequenceOption::Maximum(None)
        } else if cursor.word("cache") {
            SequenceOption::Cache(cursor.integer()?)
        } else if cursor.words("no cycle") {
            SequenceOption::Cycle(false)
        } else if cursor.word("cycle") {
            SequenceOption::Cycle(true)
        } else if cursor.word("restart") {
            let with = cursor.word("with");
            let number =
                cursor.peek().is_some_and(|token| matches!(token.token, Token::Number(..) | Token::Minus));
            SequenceOption::Restart(if with || number { Some(cursor.integer()?) } else { None })
        } else if cursor.word("as") {
            SequenceOption::Type(self.type_of(cursor)?.base)
        } else {
            return Ok(None);
        }))
    }

    /// A constraint of a table.
    pub(super) fn table_constraint(&mut self, cursor: &mut Cursor<'_>) -> Result<ConstraintDefinition> {
        let name = if cursor.word("constraint") { Some(cursor.ident()?) } else { None };
        let kind = if cursor.words("primary key") {
            if cursor.words("using index") {
                WrittenKind::Index { primary: true, name: cursor.ident()? }
            } else {
                WrittenKind::Primary(cursor.names()?)
            }
        } else if cursor.word("unique") {
            let nulls = nulls_not_distinct(cursor);
            if cursor.words("using index") {
                WrittenKind::Index { primary: false, name: cursor.ident()? }
            } else if nulls {
                WrittenKind::UniqueNulls(cursor.names()?)
            } else {
                WrittenKind::Unique(cursor.names()?)
            }
        } else if cursor.word("check") {
            WrittenKind::Check(cursor.bracketed()?)
        } else if cursor.words("foreign key") {
            let columns = cursor.names()?;
            cursor.expect_word("references")?;
            self.references(cursor, columns)?
        } else if cursor.word("exclude") {
            self.exclusion(cursor)?
        } else {
            return Err(cursor.unexpected());
        };
        self.constraint_options(cursor, name, kind)
    }

    fn references(&mut self, cursor: &mut Cursor<'_>, columns: Vec<String>) -> Result<WrittenKind> {
        let table = cursor.name()?;
        let bracket = cursor.peek().is_some_and(|token| token.token == Token::LParen);
        let referenced = if bracket { cursor.names()? } else { Vec::new() };
        let (mut on_delete, mut on_update, mut set) = (Action::NoAction, Action::NoAction, Vec::new());
        loop {
            if cursor.words("match full") {
                return Err(SqlError::unsupported("MATCH FULL"));
            } else if cursor.words("match simple") {
            } else if cursor.words("on delete") {
                on_delete = action(cursor)?;
                if cursor.peek().is_some_and(|token| token.token == Token::LParen) {
                    set = cursor.names()?;
                }
            } else if cursor.words("on update") {
                on_update = action(cursor)?;
            } else {
                return Ok(WrittenKind::Foreign { columns, table, referenced, on_delete, on_update, set });
            }
        }
    }

    fn constraint_options(
        &mut self,
        cursor: &mut Cursor<'_>,
        name: Option<String>,
        kind: WrittenKind,
    ) -> Result<ConstraintDefinition> {
        let mut constraint =
            ConstraintDefinition { name, kind, deferrable: false, deferred: false, validated: true };
        loop {
            if cursor.words("not deferrable")
                || cursor.words("initially immediate")
                || cursor.words("no inherit")
            {
            } else if cursor.word("deferrable") {
                constraint.deferrable = true;
            } else if cursor.words("initially deferred") {
                constraint.deferrable = true;
                constraint.deferred = true;
            } else if cursor.words("not valid") {
                constraint.validated = false;
            } else if cursor.word("include") || cursor.word("with") {
                cursor.skip_brackets()?;
            } else if cursor.words("using index tablespace") {
                cursor.ident()?;
            } else {
                break;
            }
        }
        let defers = matches!(constraint.kind, WrittenKind::Foreign { .. } | WrittenKind::Exclude(_));
        if constraint.deferrable && !defers {
            return Err(SqlError::unsupported("a deferrable unique constraint"));
        }
        Ok(constraint)
    }

    /// Adds a column to a relation in the catalog.
    pub(super) fn add_column_entry(&mut self, oid: Oid, definition: ColumnDefinition) -> Result<u32> {
        let relation = self.relation(oid)?;
        if relation.column(&definition.name).is_some() {
            let message = if relation.columns.is_empty() || !self.has_storage(oid)? {
                format!("column \"{}\" specified more than once", definition.name)
            } else {
                format!("column \"{}\" of relation \"{}\" already exists", definition.name, relation.name)
            };
            return Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message));
        }
        if !definition.options.is_empty() && relation.kind != RelationKind::Foreign {
            return Err(SqlError::unsupported("OPTIONS of a column that is not foreign"));
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
        if let Some(default) = &definition.default {
            self.set_default(oid, number, default)?;
        }
        if definition.serial || definition.identity.is_some() {
            self.own_sequence(oid, number, &definition)?;
        }
        Ok(number)
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
        self.column_mut(oid, number).default = (!null).then_some(text);
        Ok(())
    }

    fn own_sequence(&mut self, oid: Oid, number: u32, definition: &ColumnDefinition) -> Result<()> {
        let relation = self.relation(oid)?;
        let name = match &definition.sequence_name {
            Some((_, name)) => name.clone(),
            None => {
                let base = format!("{}_{}_seq", relation.name, definition.name);
                choose(&base, |name| self.catalog.relation_exists(relation.schema, name))
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

    /// The options of a new sequence.
    pub(super) fn sequence_options(
        &self,
        type_: Type,
        given: &[SequenceOption],
        owner: Option<(Oid, u32)>,
    ) -> Result<SequenceOptions> {
        let type_ = given.iter().fold(type_, |type_, option| match option {
            SequenceOption::Type(type_) => *type_,
            _ => type_,
        });
        let (low, high) = match type_ {
            Type::INT2 => (i64::from(i16::MIN), i64::from(i16::MAX)),
            Type::INT4 => (i64::from(i32::MIN), i64::from(i32::MAX)),
            _ => (i64::MIN, i64::MAX),
        };
        let increment = given.iter().find_map(|option| match option {
            SequenceOption::Increment(increment) => Some(*increment),
            _ => None,
        });
        let increment = increment.unwrap_or(1);
        if increment == 0 {
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, "INCREMENT must not be zero"));
        }
        let up = increment > 0;
        let mut options = SequenceOptions {
            type_,
            start: 0,
            increment,
            minimum: if up { 1 } else { low },
            maximum: if up { high } else { -1 },
            cache: 1,
            cycle: false,
            owner,
        };
        let mut start = None;
        for option in given {
            match option {
                SequenceOption::Start(value) => start = Some(*value),
                SequenceOption::Minimum(Some(value)) => options.minimum = *value,
                SequenceOption::Maximum(Some(value)) => options.maximum = *value,
                SequenceOption::Cache(value) => options.cache = *value,
                SequenceOption::Cycle(value) => options.cycle = *value,
                _ => {}
            }
        }
        options.start = start.unwrap_or(if up { options.minimum } else { options.maximum });
        if options.start < options.minimum {
            let message =
                format!("START value ({}) cannot be less than MINVALUE ({})", options.start, options.minimum);
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        if options.start > options.maximum {
            let message = format!(
                "START value ({}) cannot be greater than MAXVALUE ({})",
                options.start, options.maximum
            );
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        Ok(options)
    }

    /// The numbers of columns that a constraint names.
    fn numbers(&self, relation: &Relation, names: &[String]) -> Result<Vec<u32>> {
        let numbers = names.iter().map(|name| {
            relation.column(name).map(|column| column.number).ok_or_else(|| {
                let message = format!("column \"{name}\" named in key does not exist");
                SqlError::new(SqlState::UNDEFINED_COLUMN, message)
            })
        });
        numbers.collect()
    }

    /// Adds a constraint to a stored relation. The caller then refreshes the relation's checks, once for all constraints.
    pub(super) fn add_constraint(&mut self, oid: Oid, definition: ConstraintDefinition) -> Result<()> {
        let relation = self.relation(oid)?;
        let ConstraintDefinition { name, kind, deferrable, deferred, validated } = definition;
        // For a key, a conflict with the name of its index is reported first.
        let is_key = matches!(
            kind,
            WrittenKind::Primary(_)
                | WrittenKind::Unique(_)
                | WrittenKind::UniqueNulls(_)
                | WrittenKind::Exclude(_)
        );
        if let Some(name) = name.as_ref().filter(|name| !is_key && relation.constraint(name).is_some()) {
            let message = format!("constraint \"{name}\" for relation \"{}\" already exists", relation.name);
            return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
        }
        let names: BTreeSet<&str> =
            relation.constraints.iter().map(|constraint| constraint.name.as_str()).collect();
        let (name, columns, kind) = match kind {
            WrittenKind::Primary(columns) => self.key_constraint(&relation, name, &columns, Key::Primary)?,
            WrittenKind::Unique(columns) => self.key_constraint(&relation, name, &columns, Key::Unique)?,
            WrittenKind::UniqueNulls(columns) => {
                self.key_constraint(&relation, name, &columns, Key::UniqueNulls)?
            }
            WrittenKind::Exclude(exclusion) => self.exclusion_constraint(&relation, name, exclusion)?,
            WrittenKind::Index { primary, name: index } => {
                self.index_constraint(&relation, name, &index, primary)?
            }
            WrittenKind::Check(written) => {
                let mut binder = self.binder();
                let scope = Scope::of(binder.table_of(&relation, 1, None)?);
                let bound = binder.condition_in(Clause::Check, &scope, &written.expr)?;
                let columns = used_columns(&bound);
                let base = match &columns[..] {
                    [only] => format!("{}_{}_check", relation.name, relation.column_name(*only)),
                    _ => format!("{}_check", relation.name),
                };
                let name = name.unwrap_or_else(|| choose(&base, |name| names.contains(name)));
                let expression = binder.shown_condition(&scope, &written.expr, &written.text);
                (name, columns, ConstraintKind::Check { expression })
            }
            WrittenKind::Foreign { columns, table, referenced, on_delete, on_update, set } => {
                let own = self.foreign_numbers(&relation, &columns)?;
                let parent = self.find(table.0.as_deref(), &table.1)?.clone();
                self.check_permanence(&relation, &parent)?;
                let referenced = self.referenced(&relation, &parent, &own, &referenced, name.as_deref())?;
                let base = format!("{}_{}_fkey", relation.name, columns.join("_"));
                let name = name.unwrap_or_else(|| choose(&base, |name| names.contains(name)));
                let set = self.numbers(&relation, &set)?;
                let kind = ConstraintKind::Foreign {
                    table: parent.oid,
                    columns: referenced,
                    on_delete,
                    on_update,
                    set,
                };
                (name, own, kind)
            }
        };
        let new = self.new_oid();
        let constraint =
            Constraint { oid: new, name, kind, columns, deferrable, deferred, validated, comment: None };
        self.relation_mut(oid).constraints.push(constraint.clone());
        if validated {
            self.validate(oid, &constraint)?;
        }
        self.create_foreign_triggers(oid, &constraint)
    }

    fn foreign_numbers(&self, relation: &Relation, names: &[String]) -> Result<Vec<u32>> {
        let numbers = names.iter().map(|name| {
            relation.column(name).map(|column| column.number).ok_or_else(|| {
                let message =
                    format!("column \"{name}\" referenced in foreign key constraint does not exist");
                SqlError::new(SqlState::UNDEFINED_COLUMN, message)
            })
        });
        numbers.collect()
    }

    /// The columns to which a foreign key refers. They must be a key of the other table, with comparable types.
    fn referenced(
        &self,
        relation: &Relation,
        parent: &Relation,
        own: &[u32],
        names: &[String],
        constraint: Option<&str>,
    ) -> Result<Vec<u32>> {
        let numbers = if names.is_empty() {
            parent.primary_key().map(|key| key.columns.clone()).ok_or_else(|| {
                let message = format!("there is no primary key for referenced table \"{}\"", parent.name);
                SqlError::new(SqlState::UNDEFINED_OBJECT, message)
            })?
        } else {
            self.foreign_numbers(parent, names)?
        };
        if numbers.len() != own.len() {
            let message = "number of referencing and referenced columns for foreign key disagree";
            return Err(SqlError::new(SqlState::INVALID_FOREIGN_KEY, message));
        }
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        let is_key = parent.indexes.iter().any(|index| {
            let mut keys: Vec<u32> = index.keys.iter().filter_map(|key| key.column).collect();
            keys.sort_unstable();
            index.unique && index.predicate.is_none() && keys.len() == index.keys.len() && keys == sorted
        });
        if !is_key {
            let message = format!(
                "there is no unique constraint matching given keys for referenced table \"{}\"",
                parent.name
            );
            return Err(SqlError::new(SqlState::INVALID_FOREIGN_KEY, message));
        }
        for (own, referenced) in own.iter().zip(&numbers) {
            let (Some(own), Some(referenced)) =
                (relation.column_number(*own), parent.column_number(*referenced))
            else {
                continue;
            };
            let (a, b) =
                (self.catalog.base_type(own.type_.base), self.catalog.base_type(referenced.type_.base));
            if !can_refer(a, b)? {
                let base = format!("{}_{}_fkey", relation.name, own.name);
                let name = constraint.unwrap_or(&base);
                let message = format!("foreign key constraint \"{name}\" cannot be implemented");
                return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message).detail(format!(
                    "Key columns \"{}\" and \"{}\" are of incompatible types: {} and {}.",
                    own.name,
                    referenced.name,
                    self.catalog.type_name(a, -1),
                    self.catalog.type_name(b, -1)
                )));
            }
        }
        Ok(numbers)
    }

    fn key_constraint(
        &mut self,
        relation: &Relation,
        name: Option<String>,
        columns: &[String],
        key: Key,
    ) -> Result<(String, Vec<u32>, ConstraintKind)> {
        let (primary, nulls) = (key == Key::Primary, key == Key::UniqueNulls);
        if primary && relation.primary_key().is_some() {
            let message = format!("multiple primary keys for table \"{}\" are not allowed", relation.name);
            return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
        }
        let numbers = self.numbers(relation, columns)?;
        let base = if primary {
            format!("{}_pkey", relation.name)
        } else {
            format!("{}_{}_key", relation.name, columns.join("_"))
        };
        let taken = |name: &str| self.catalog.relation_exists(relation.schema, name);
        let name = match name {
            Some(name) if taken(&name) => return Err(relation_taken(&name)),
            Some(name) => name,
            None => choose(&base, taken),
        };
        if primary {
            for number in &numbers {
                self.column_mut(relation.oid, *number).not_null = true;
            }
        }
        let keys = numbers.iter().map(|number| IndexKey {
            column: Some(*number),
            expression: None,
            descending: false,
            nulls_first: None,
            class: None,
        });
        let oid = self.new_oid();
        let index = Index {
            oid,
            name: name.clone(),
            unique: true,
            method: "btree".to_owned(),
            keys: keys.collect(),
            include: Vec::new(),
            predicate: None,
            nulls_not_distinct: nulls,
            comment: None,
        };
        self.create_index(relation, &index)?;
        self.relation_mut(relation.oid).indexes.push(index);
        let kind = if primary {
            ConstraintKind::Primary { index: oid }
        } else {
            ConstraintKind::Unique { index: oid }
        };
        Ok((name, numbers, kind))
    }

    fn index_constraint(
        &mut self,
        relation: &Relation,
        name: Option<String>,
        index: &str,
        primary: bool,
    ) -> Result<(String, Vec<u32>, ConstraintKind)> {
        let found =
            relation.indexes.iter().find(|known| known.name == index && known.unique).ok_or_else(|| {
                SqlError::new(SqlState::UNDEFINED_OBJECT, format!("index \"{index}\" does not exist"))
            })?;
        let columns: Vec<u32> = found.keys.iter().filter_map(|key| key.column).collect();
        let oid = found.oid;
        let name = name.unwrap_or_else(|| index.to_owned());
        let entry = self.relation_mut(relation.oid);
        for known in entry.indexes.iter_mut().filter(|known| known.oid == oid) {
            known.name.clone_from(&name);
        }
        let kind = if primary {
            ConstraintKind::Primary { index: oid }
        } else {
            ConstraintKind::Unique { index: oid }
        };
        Ok((name, columns, kind))
    }

    /// Checks that the existing rows satisfy a new constraint.
    pub(super) fn validate(&mut self, oid: Oid, constraint: &Constraint) -> Result<()> {
        let relation = self.relation(oid)?;
        match &constraint.kind {
            ConstraintKind::Check { expression } => {
                let condition = self.row_expression(&relation, expression, Clause::Check, None)?;
                let sql = format!(
                    "SELECT 1 FROM {} WHERE {} IS 0 LIMIT 1",
                    relation.physical(),
                    super::physical::bare(&condition)
                );
                if !self.fetch(&sql, 1)?.is_empty() {
                    let message = format!(
                        "check constraint \"{}\" of relation \"{}\" is violated by some row",
                        constraint.name, relation.name
                    );
                    return Err(SqlError::new(SqlState::CHECK_VIOLATION, message));
                }
                Ok(())
            }
            ConstraintKind::Primary { .. } => {
                constraint.columns.iter().try_for_each(|number| self.check_not_null(&relation, *number))
            }
            ConstraintKind::Unique { .. } => Ok(()),
            ConstraintKind::Exclude { .. } => self.validate_exclusion(&relation, constraint),
            ConstraintKind::Foreign { .. } => {
                let columns: Vec<String> =
                    constraint.columns.iter().map(|number| format!("c{number}")).collect();
                let present: Vec<String> =
                    columns.iter().map(|column| format!("{column} IS NOT NULL")).collect();
                self.execute(&format!(
                    "INSERT INTO pg_pending SELECT DISTINCT {}, json_array({}), 0 FROM {} WHERE {}",
                    constraint.oid,
                    columns.join(", "),
                    relation.physical(),
                    present.join(" AND ")
                ))?;
                self.check_pending(true)
            }
        }
    }

    /// Checks that a column has no nulls.
    pub(super) fn check_not_null(&self, relation: &Relation, number: u32) -> Result<()> {
        let sql = format!("SELECT 1 FROM {} WHERE c{number} IS NULL LIMIT 1", relation.physical());
        if self.fetch(&sql, 1)?.is_empty() {
            return Ok(());
        }
        let message = format!(
            "column \"{}\" of relation \"{}\" contains null values",
            relation.column_name(number),
            relation.name
        );
        Err(SqlError::new(SqlState::NOT_NULL_VIOLATION, message))
    }

    fn create_table_as(&mut self, cursor: &mut Cursor<'_>, schema: Oid, name: String) -> Result<Done> {
        let bracket = cursor.peek().is_some_and(|token| token.token == Token::LParen);
        let names = if bracket { cursor.names()? } else { Vec::new() };
        let on_commit = storage_options(cursor)?;
        cursor.expect_word("as")?;
        let (query, with_data) = query_with_data(cursor);
        let parsed = self.source.clone().parse(query, sqlparser::parser::Parser::parse_query)?;
        let (oid, count) =
            self.fill_from_query(RelationKind::Table, (schema, &name), &names, &parsed, with_data)?;
        self.relation_mut(oid).on_commit = on_commit;
        Ok(Done::command(format!("SELECT {count}")))
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
        let returned = self.rows_raw(query)?;
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
        let marks = vec!["?"; first.len()].join(", ");
        let relation = self.relation(oid)?;
        let columns: Vec<String> =
            relation.columns.iter().map(|column| format!("c{}", column.number)).collect();
        let columns = columns.join(", ");
        let mut insert =
            self.connection.prepare(&format!("INSERT INTO r{oid} ({columns}) VALUES ({marks})"))?;
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

/// Whether a key of type `own` can refer to one of type `referenced`.
///
/// Fails if PostgreSQL could compare the types, but their representations here differ.
pub(super) fn can_refer(own: Type, referenced: Type) -> Result<bool> {
    let same = own == referenced
        || (own.is_integer() && referenced.is_integer())
        || (own.is_string() && referenced.is_string());
    if !same && cast::context(own, referenced) == Some(cast::Context::Implicit) {
        return Err(SqlError::unsupported("a foreign key between columns of different types"));
    }
    Ok(same)
}

/// Reads whether a unique key takes nulls for equal.
pub(super) fn nulls_not_distinct(cursor: &mut Cursor<'_>) -> bool {
    if cursor.words("nulls not distinct") {
        return true;
    }
    cursor.words("nulls distinct");
    false
}

/// Reads the options about storage, which have no effect, and `ON COMMIT` of a temporary table.
fn storage_options(cursor: &mut Cursor<'_>) -> Result<Option<char>> {
    let mut on_commit = None;
    loop {
        if cursor.word("with") {
            cursor.skip_brackets()?;
        } else if cursor.words("without oids") || cursor.words("using heap") {
        } else if cursor.word("tablespace") {
            super::names::tablespace(cursor)?;
        } else if cursor.words("on commit") {
            if !cursor.temporary {
                let message = "ON COMMIT can only be used on temporary tables";
                return Err(SqlError::new(SqlState::INVALID_TABLE_DEFINITION, message));
            }
            on_commit = if cursor.word("drop") {
                Some('d')
            } else if cursor.words("delete rows") {
                Some('r')
            } else if cursor.words("preserve rows") {
                None
            } else {
                return Err(cursor.unexpected());
            };
        } else {
            return Ok(on_commit);
        }
    }
}

/// The tokens of the query in a definition, and whether its rows are wanted.
pub(super) fn query_with_data<'t>(
    cursor: &mut Cursor<'t>,
) -> (&'t [sqlparser::tokenizer::TokenWithSpan], bool) {
    let rest = cursor.rest();
    let ends = |words: &[&str]| {
        rest.len() >= words.len()
            && rest[rest.len() - words.len()..].iter().zip(words).all(|(token, word)| is_word(token, word))
    };
    if ends(&["with", "no", "data"]) {
        (&rest[..rest.len() - 3], false)
    } else if ends(&["with", "data"]) {
        (&rest[..rest.len() - 2], true)
    } else {
        (rest, true)
    }
}

/// Whether a key takes nulls for equal.
fn takes_nulls(relation: &Relation, index: Oid) -> bool {
    relation.indexes.iter().any(|known| known.oid == index && known.nulls_not_distinct)
}

/// The constraints that `LIKE` copies.
fn copied_constraints(from: &Relation, checks: bool, indexes: bool) -> Result<Vec<ConstraintDefinition>> {
    let names = |numbers: &[u32]| numbers.iter().map(|number| from.column_name(*number).to_owned()).collect();
    let mut copied = Vec::new();
    for constraint in &from.constraints {
        let (name, kind) = match &constraint.kind {
            ConstraintKind::Check { expression } if checks => {
                let expr = Box::new(crate::source::Source::stored(expression).expression()?);
                (
                    Some(constraint.name.clone()),
                    WrittenKind::Check(Written { expr, text: expression.clone() }),
                )
            }
            ConstraintKind::Primary { .. } if indexes => {
                (None, WrittenKind::Primary(names(&constraint.columns)))
            }
            ConstraintKind::Unique { index } if indexes && takes_nulls(from, *index) => {
                (None, WrittenKind::UniqueNulls(names(&constraint.columns)))
            }
            ConstraintKind::Unique { .. } if indexes => {
                (None, WrittenKind::Unique(names(&constraint.columns)))
            }
            _ => continue,
        };
        copied.push(ConstraintDefinition { name, kind, deferrable: false, deferred: false, validated: true });
    }
    Ok(copied)
}

/// Keeps one of several keys over the same columns, as PostgreSQL does: the primary one, with the first name that was given.
fn merge_keys(constraints: &mut Vec<ConstraintDefinition>) {
    let columns = |constraint: &ConstraintDefinition| match &constraint.kind {
        WrittenKind::Primary(columns) => Some((true, columns.clone())),
        WrittenKind::Unique(columns) => Some((false, columns.clone())),
        _ => None,
    };
    let mut at = 0;
    while at < constraints.len() {
        let Some((false, own)) = columns(&constraints[at]) else {
            at += 1;
            continue;
        };
        let kept = constraints.iter().enumerate().position(|(other, constraint)| {
            columns(constraint).is_some_and(|(primary, columns)| columns == own && (primary || other < at))
        });
        match kept {
            Some(kept) => {
                let name = constraints[at].name.take();
                let kept = &mut constraints[kept].name;
                *kept = kept.take().or(name);
                constraints.remove(at);
            }
            None => at += 1,
        }
    }
}

fn action(cursor: &mut Cursor<'_>) -> Result<Action> {
    if cursor.words("no action") {
        Ok(Action::NoAction)
    } else if cursor.word("restrict") {
        Ok(Action::Restrict)
    } else if cursor.word("cascade") {
        Ok(Action::Cascade)
    } else if cursor.words("set null") {
        Ok(Action::SetNull)
    } else if cursor.words("set default") {
        Ok(Action::SetDefault)
    } else {
        Err(cursor.unexpected())
    }
}

/// Whether a token is a common type. Then the word before it is a column's name, not the beginning of a constraint.
fn is_type_word(token: &sqlparser::tokenizer::TokenWithSpan) -> bool {
    ["text", "int", "integer", "boolean", "bool", "uuid", "timestamptz", "jsonb", "varchar"]
        .iter()
        .any(|word| is_word(token, word))
}

fn used_columns(expr: &crate::tree::Expr) -> Vec<u32> {
    let mut columns = Vec::new();
    expr.any(&mut |expr| {
        if let crate::tree::Node::Column { field: crate::tree::Field::Column(number), .. } = expr.node
            && !columns.contains(&number)
        {
            columns.push(number);
        }
        false
    });
    columns
}
