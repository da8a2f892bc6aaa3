//! Schemas, types, extensions.

use std::collections::BTreeSet;

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use super::names::choose;
use crate::catalog::{Attribute, Object, Schema, TypeDefinition, UserType};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::security::acl::Guarded;
use crate::source::{NAME_MAX, is_word};
use crate::types::Type;

/// The error for a schema name that is reserved for the system.
pub(super) fn reserved_schema(name: &str) -> SqlError {
    let error = SqlError::new(SqlState::new("42939"), format!("unacceptable schema name \"{name}\""));
    error.detail("The prefix \"pg_\" is reserved for system schemas.")
}

/// Refuses a label of an enum that is too long.
pub(super) fn check_label(label: &str) -> Result<()> {
    if label.len() <= NAME_MAX {
        return Ok(());
    }
    let error = SqlError::new(SqlState::new("42602"), format!("invalid enum label \"{label}\""));
    Err(error.detail(format!("Labels must be {NAME_MAX} bytes or less.")))
}

/// The statements within `CREATE SCHEMA`, which nothing divides.
fn elements<'t>(cursor: &mut Cursor<'t>) -> Result<Vec<Cursor<'t>>> {
    const KINDS: [&str; 7] = ["table", "view", "index", "sequence", "trigger", "unique", "constraint"];
    const BEFORE: [&str; 5] = ["temporary", "temp", "unlogged", "or", "recursive"];
    let tokens = cursor.rest();
    let mut depth = 0;
    let mut starts = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let next = |words: &[&str]| {
            tokens.get(at + 1).is_some_and(|next| words.iter().any(|word| is_word(next, word)))
        };
        match &token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth -= 1,
            _ if depth > 0 => {}
            _ if is_word(token, "create") && (next(&KINDS) || next(&BEFORE)) => starts.push(at),
            _ if is_word(token, "grant") && !(at > 0 && is_word(&tokens[at - 1], "with")) => starts.push(at),
            _ => {}
        }
    }
    if !tokens.is_empty() && starts.first() != Some(&0) {
        return Err(cursor.source.syntax_error_at(&tokens[0]));
    }
    let ends = starts.iter().skip(1).copied().chain([tokens.len()]);
    let parts = starts.iter().zip(ends);
    Ok(parts.map(|(from, to)| Cursor::new(cursor.source.clone(), &tokens[*from..to])).collect())
}

/// Refuses an element of a schema's statement that is for another schema.
fn require_in_schema(cursor: &Cursor<'_>, schema: &str) -> Result<()> {
    let kinds = ["table", "view", "sequence"];
    let Some(at) = (1..4).find(|ahead| kinds.iter().any(|kind| cursor.is_at(*ahead, kind))) else {
        return Ok(());
    };
    let mut named = Cursor::new(cursor.source.clone(), cursor.tokens);
    named.at = at + 1;
    match named.name()?.0.filter(|given| cursor.is("create") && given != schema) {
        None => Ok(()),
        Some(given) => {
            let message = format!(
                "CREATE specifies a schema ({given}) different from the one being created ({schema})"
            );
            Err(SqlError::new(SqlState::new("42P15"), message))
        }
    }
}

impl Engine<'_> {
    pub(super) fn create_schema(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let name = if cursor.is("authorization") { String::new() } else { cursor.new_name()? };
        let mut owner = self.settings.role.to_string();
        if cursor.word("authorization") {
            owner = cursor.ident()?;
        }
        let elements = elements(cursor)?;
        if if_not_exists && !elements.is_empty() {
            let message = "CREATE SCHEMA IF NOT EXISTS cannot include schema elements";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        let name = if name.is_empty() { owner.clone() } else { name };
        self.require_creation_in_database()?;
        if name.starts_with("pg_") {
            return Err(reserved_schema(&name));
        }
        if self.catalog.schema_named(&name).is_some() {
            let taken =
                SqlError::new(SqlState::DUPLICATE_SCHEMA, format!("schema \"{name}\" already exists"));
            return self.skip_all(if_not_exists, taken, "CREATE SCHEMA");
        }
        let oid = self.new_oid();
        let schema =
            Schema { name: name.clone(), owner: owner.clone(), comment: None, acl: Default::default() };
        self.catalog_mut().objects.insert(oid, Object::Schema(schema));
        if !elements.is_empty() {
            self.create_elements(&name, &owner, elements)?;
        }
        Ok(Done::command("CREATE SCHEMA"))
    }

    /// Creates what the statement of a schema has in it: what others may need comes first.
    fn create_elements(&mut self, schema: &str, owner: &str, elements: Vec<Cursor<'_>>) -> Result<()> {
        self.known_role(owner)?;
        let may_be = self.catalog.groups(&self.settings.role, false).contains(owner);
        if !may_be && !self.catalog.is_exempt(&self.settings.role) {
            let message = format!("must be member of role \"{owner}\"");
            return Err(SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message));
        }
        let outer = (self.settings.search_path.clone(), self.settings.role.clone());
        self.settings.search_path.insert(0, schema.to_owned());
        self.settings.role = owner.into();
        let order = ["sequence", "table", "view", "index", "trigger"];
        let place = |cursor: &Cursor<'_>| {
            let is = |word: &&str| (1..4).any(|ahead| cursor.is_at(ahead, word));
            let kind = order.iter().position(is).filter(|_| cursor.is("create"));
            kind.unwrap_or(order.len())
        };
        let mut elements = elements;
        elements.sort_by_key(place);
        let mut done = Ok(());
        for cursor in &mut elements {
            done = done.and_then(|()| {
                require_in_schema(cursor, schema)?;
                self.define(cursor).map(drop)
            });
        }
        (self.settings.search_path, self.settings.role) = outer;
        done
    }

    pub(super) fn new_type(
        &mut self,
        (schema, name): (Option<String>, String),
        definition: TypeDefinition,
    ) -> Result<Type> {
        let schema = self.creation_schema(schema.as_deref())?;
        if self.catalog.type_named(schema, &name).is_some() {
            return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, format!("type \"{name}\" already exists")));
        }
        let oid = self.new_oid();
        let owner = self.settings.role.to_string();
        let acl = self.catalog.default_acl(&owner, schema, Guarded::Type);
        let user_type = UserType {
            schema,
            name,
            definition,
            comment: None,
            check_comments: Default::default(),
            owner,
            acl,
        };
        self.catalog_mut().objects.insert(oid, Object::Type(user_type));
        Ok(Type(oid))
    }

    pub(super) fn create_type(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.name()?;
        if !cursor.word("as") {
            return Err(SqlError::unsupported("a base type"));
        }
        if cursor.word("range") {
            return self.create_range(name, cursor);
        }
        let definition = if cursor.word("enum") {
            cursor.expect(&Token::LParen)?;
            let labels = if cursor.token(&Token::RParen) {
                Vec::new()
            } else {
                let labels = cursor.list(Cursor::string)?;
                cursor.expect(&Token::RParen)?;
                labels
            };
            labels.iter().try_for_each(|label| check_label(label))?;
            let oid = self.new_oid();
            let mut known = BTreeSet::new();
            for label in &labels {
                if !known.insert(label) {
                    let unique = "pg_enum_typid_label_index";
                    let message = format!("duplicate key value violates unique constraint \"{unique}\"");
                    return Err(SqlError::new(SqlState::UNIQUE_VIOLATION, message)
                        .detail(format!("Key (enumtypid, enumlabel)=({oid}, {label}) already exists.")));
                }
            }
            TypeDefinition::Enum { labels }
        } else {
            cursor.expect(&Token::LParen)?;
            let attributes = cursor.list(|cursor| {
                let name = cursor.ident()?;
                let type_ = self.type_with_collation(cursor)?;
                self.require_storable(&name, type_.base)?;
                Ok(Attribute { name, type_ })
            })?;
            cursor.expect(&Token::RParen)?;
            for (index, attribute) in attributes.iter().enumerate() {
                if attributes[..index].iter().any(|other| other.name == attribute.name) {
                    let message = format!("column \"{}\" specified more than once", attribute.name);
                    return Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message));
                }
            }
            TypeDefinition::Composite { attributes }
        };
        cursor.finish()?;
        self.new_type(name, definition)?;
        Ok(Done::command("CREATE TYPE"))
    }

    pub(super) fn create_domain(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.name()?;
        cursor.word("as");
        let base = self.type_with_collation(cursor)?;
        if base.base.is_pseudo() {
            let message = format!(
                "\"{}\" is not a valid base type for a domain",
                self.catalog.type_name(base.base, -1)
            );
            return Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message));
        }
        // A domain begins with the default of the one that it is made of.
        let mut default = self.catalog.default_of_domain(base.base).map(str::to_owned);
        let (mut not_null, mut checks) = (false, Vec::new());
        while !cursor.is_end() {
            let constraint = if cursor.word("constraint") { Some(cursor.ident()?) } else { None };
            if cursor.words("not null") {
                not_null = true;
            } else if cursor.word("null") {
            } else if cursor.word("default") {
                let written = cursor.default_expr()?;
                default = Some(self.domain_default_text(base, written)?);
            } else if cursor.is("collate") {
                self.collation_of(cursor, base)?;
            } else if cursor.word("check") {
                let written = cursor.bracketed()?;
                let text = self.domain_check_text(base, &written)?;
                let taken = |name: &str| checks.iter().any(|(known, _)| known == name);
                let constraint = constraint.unwrap_or_else(|| choose(&name.1, "", "check", taken));
                if taken(&constraint) {
                    let message =
                        format!("constraint \"{constraint}\" for domain \"{}\" already exists", name.1);
                    return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
                }
                checks.push((constraint, text));
            } else {
                return Err(cursor.unexpected());
            }
        }
        self.new_type(name, TypeDefinition::Domain { base, not_null, default, checks })?;
        Ok(Done::command("CREATE DOMAIN"))
    }

    /// A type by name.
    pub(super) fn find_type(&self, cursor: &mut Cursor<'_>) -> Result<Type> {
        let (schema, name) = cursor.name()?;
        self.binder().find_type(schema.as_deref(), &name)
    }

    pub(super) fn alter_type(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let type_ = self.find_type(cursor)?;
        let done = Ok(Done::command("ALTER TYPE"));
        if cursor.is("set") && cursor.is_at(1, "schema") {
            // The schema is looked at before the owner.
            let start = cursor.at;
            cursor.at += 2;
            let schema = cursor.ident()?;
            cursor.at = start;
            self.creation_schema(Some(&schema))?;
        }
        self.require_type_owner(cursor, type_)?;
        if cursor.words("owner to") {
            let owner = self.new_owner(cursor)?;
            let schema = self.user_type_mut(type_)?.schema;
            self.require_creator(&owner, schema)?;
            self.give_object(type_.0, &owner);
            return done;
        }
        if cursor.words("rename to") {
            let name = cursor.new_name()?;
            let before = self.user_type_mut(type_)?.clone();
            if self.catalog.type_named(before.schema, &name).is_some() {
                let message = format!("type \"{name}\" already exists");
                return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
            }
            self.user_type_mut(type_)?.name = name;
            return self.follow_type_of(type_, &before).and(done);
        }
        if cursor.words("set schema") {
            let schema = cursor.ident()?;
            let schema = self.creation_schema(Some(&schema))?;
            let before = self.user_type_mut(type_)?.clone();
            self.user_type_mut(type_)?.schema = schema;
            return self.follow_type_of(type_, &before).and(done);
        }
        let shown = self.catalog.type_name(type_, -1);
        if cursor.words("add value") {
            let if_not_exists = cursor.words("if not exists");
            let label = cursor.string()?;
            check_label(&label)?;
            let place = if cursor.word("before") {
                Some((cursor.string()?, 0))
            } else if cursor.word("after") {
                Some((cursor.string()?, 1))
            } else {
                None
            };
            cursor.finish()?;
            let TypeDefinition::Enum { labels } = &mut self.user_type_mut(type_)?.definition else {
                return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, format!("{shown} is not an enum")));
            };
            if labels.contains(&label) {
                let message = format!("enum label \"{label}\" already exists");
                let taken = SqlError::new(SqlState::DUPLICATE_OBJECT, message);
                return self.skip(if_not_exists, taken).and(done);
            }
            let at = match place {
                None => labels.len(),
                Some((neighbour, offset)) => {
                    let found = labels.iter().position(|known| *known == neighbour).ok_or_else(|| {
                        let message = format!("\"{neighbour}\" is not an existing enum label");
                        SqlError::new(SqlState::INVALID_PARAMETER, message)
                    })?;
                    found + offset
                }
            };
            labels.insert(at, label.clone());
            self.note_label(type_, &label);
            return done;
        }
        if cursor.words("rename value") {
            return self.rename_label(cursor, type_).map(|()| Done::command("ALTER TYPE"));
        }
        if let TypeDefinition::Composite { .. } = self.user_type_mut(type_)?.definition {
            cursor.list(|cursor| self.alter_attribute(cursor, type_))?;
            cursor.finish()?;
            return done;
        }
        Err(SqlError::unsupported("this form of ALTER TYPE"))
    }

    /// Refuses a change by others than the owner. Fields of a composite type belong to a relation.
    fn require_type_owner(&self, cursor: &Cursor<'_>, type_: Type) -> Result<()> {
        let known = self.catalog.user_type(type_);
        let known = known.filter(|known| matches!(known.definition, TypeDefinition::Composite { .. }));
        let of_fields = ["attribute", "constraint"].iter().any(|word| cursor.is_at(1, word));
        match known.filter(|_| of_fields) {
            Some(known) => {
                self.catalog.require_owner(&self.settings.role, &known.owner, "table", &known.name)
            }
            None => self.require_object_owner(type_.0),
        }
    }

    fn follow_type_of(&mut self, type_: Type, before: &UserType) -> Result<()> {
        let schema = self.catalog.schema_name(before.schema).to_owned();
        let after = self.catalog.type_name(type_, -1);
        self.follow_type((&schema, &before.name), &after)
    }

    pub(super) fn user_type_mut(&mut self, type_: Type) -> Result<&mut UserType> {
        match self.catalog_mut().objects.get_mut(&type_.0) {
            Some(Object::Type(user_type)) => Ok(user_type),
            _ => Err(SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, "must be owner of the type")),
        }
    }
}
