//! Schemas, types, extensions.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::catalog::{Attribute, Object, Oid, Schema, TypeDefinition, UserType};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::types::Type;

/// The error for a schema name that is reserved for the system.
pub(super) fn reserved_schema(name: &str) -> SqlError {
    let error = SqlError::new(SqlState::new("42939"), format!("unacceptable schema name \"{name}\""));
    error.detail("The prefix \"pg_\" is reserved for system schemas.")
}

impl Engine<'_> {
    pub(super) fn create_schema(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_not_exists = cursor.words("if not exists");
        let name = if cursor.is("authorization") { String::new() } else { cursor.ident()? };
        let mut owner = self.settings.role.to_string();
        if cursor.word("authorization") {
            owner = cursor.ident()?;
        }
        cursor.finish()?;
        let name = if name.is_empty() { owner.clone() } else { name };
        if name.starts_with("pg_") {
            return Err(reserved_schema(&name));
        }
        if self.catalog.schema_named(&name).is_some() {
            let taken =
                SqlError::new(SqlState::DUPLICATE_SCHEMA, format!("schema \"{name}\" already exists"));
            return self.skip_all(if_not_exists, taken, "CREATE SCHEMA");
        }
        let oid = self.new_oid();
        let schema = Schema { name, owner, comment: None, acl: Default::default() };
        self.catalog_mut().objects.insert(oid, Object::Schema(schema));
        Ok(Done::command("CREATE SCHEMA"))
    }

    fn new_type(
        &mut self,
        (schema, name): (Option<String>, String),
        definition: TypeDefinition,
    ) -> Result<()> {
        let schema = self.creation_schema(schema.as_deref())?;
        if self.catalog.type_named(schema, &name).is_some() {
            return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, format!("type \"{name}\" already exists")));
        }
        let oid = self.new_oid();
        let user_type = UserType { schema, name, definition, comment: None };
        self.catalog_mut().objects.insert(oid, Object::Type(user_type));
        Ok(())
    }

    pub(super) fn create_type(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.name()?;
        if !cursor.word("as") {
            return Err(SqlError::unsupported("a base type"));
        }
        if cursor.is("range") {
            return Err(SqlError::unsupported("a range type"));
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
            TypeDefinition::Enum { labels }
        } else {
            cursor.expect(&Token::LParen)?;
            let attributes = cursor.list(|cursor| {
                let name = cursor.ident()?;
                Ok(Attribute { name, type_: self.type_with_collation(cursor)? })
            })?;
            cursor.expect(&Token::RParen)?;
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
        // A domain begins with the default of the one that it is made of.
        let mut default = self.catalog.default_of_domain(base.base).map(str::to_owned);
        let (mut not_null, mut checks) = (false, Vec::new());
        while !cursor.is_end() {
            let constraint = if cursor.word("constraint") { Some(cursor.ident()?) } else { None };
            if cursor.words("not null") {
                not_null = true;
            } else if cursor.word("null") {
            } else if cursor.word("default") {
                default = Some(cursor.expr()?.text);
            } else if cursor.word("check") {
                let written = cursor.bracketed()?;
                let suffix = if checks.is_empty() { String::new() } else { checks.len().to_string() };
                checks
                    .push((constraint.unwrap_or_else(|| format!("{}_check{suffix}", name.1)), written.text));
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
        if cursor.words("owner to") {
            self.new_owner(cursor)?;
            return done;
        }
        if cursor.words("rename to") {
            let name = cursor.ident()?;
            self.user_type_mut(type_)?.name = name;
            return done;
        }
        if cursor.words("set schema") {
            let schema = cursor.ident()?;
            let schema = self.creation_schema(Some(&schema))?;
            self.user_type_mut(type_)?.schema = schema;
            return done;
        }
        let shown = self.catalog.type_name(type_, -1);
        if cursor.words("add value") {
            let if_not_exists = cursor.words("if not exists");
            let label = cursor.string()?;
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

    /// Renames a label, also in the rows that contain it.
    fn rename_label(&mut self, cursor: &mut Cursor<'_>, type_: Type) -> Result<()> {
        let from = cursor.string()?;
        cursor.expect_word("to")?;
        let to = cursor.string()?;
        let TypeDefinition::Enum { labels } = &mut self.user_type_mut(type_)?.definition else {
            return Err(SqlError::unsupported("ALTER TYPE RENAME VALUE of what is no enum"));
        };
        if labels.contains(&to) {
            return Err(SqlError::new(
                SqlState::DUPLICATE_OBJECT,
                format!("enum label \"{to}\" already exists"),
            ));
        }
        let label = labels.iter_mut().find(|label| **label == from).ok_or_else(|| {
            SqlError::new(SqlState::INVALID_PARAMETER, format!("\"{from}\" is not an existing enum label"))
        })?;
        label.clone_from(&to);
        if self.settings.fresh.contains(&(type_.0, from.clone())) {
            self.note_label(type_, &to);
        }
        let catalog = self.catalog.clone();
        for relation in catalog.relations().filter(|relation| relation.is_stored()) {
            for column in &relation.columns {
                if column.type_.base.element() == Some(type_) {
                    return Err(SqlError::unsupported("renaming a label that arrays have"));
                }
                if catalog.base_type(column.type_.base) == type_ && column.generated.is_none() {
                    let sql = format!(
                        "UPDATE {0} SET c{1} = ?2 WHERE c{1} = ?1",
                        relation.physical(),
                        column.number
                    );
                    self.drop_triggers(relation)?;
                    self.connection.execute(&sql, (&from, &to))?;
                    self.refresh_triggers(relation.oid)?;
                    self.rename_in_default(relation.oid, column.number, &from, &to);
                }
            }
        }
        Ok(())
    }

    /// A default that is a label goes by its new name.
    fn rename_in_default(&mut self, relation: Oid, column: u32, from: &str, to: &str) {
        let quoted = |label: &str| format!("'{}'", label.replace('\'', "''"));
        let Some(default) = &mut self.column_mut(relation, column).default else { return };
        let rest =
            default.strip_prefix(&quoted(from)).filter(|rest| rest.is_empty() || rest.starts_with("::"));
        if let Some(rest) = rest {
            *default = quoted(to) + rest;
        }
    }

    pub(super) fn user_type_mut(&mut self, type_: Type) -> Result<&mut UserType> {
        match self.catalog_mut().objects.get_mut(&type_.0) {
            Some(Object::Type(user_type)) => Ok(user_type),
            _ => Err(SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, "must be owner of the type")),
        }
    }
}
