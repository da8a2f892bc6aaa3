//! `COMMENT ON`.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::catalog::{Object, Oid, TypeDefinition};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::types::Type;

impl Engine<'_> {
    pub(super) fn comment(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if let Some(oid) = self.recorded_for_comment(cursor)? {
            self.require_object_owner(oid)?;
            let comment = text(cursor)?;
            if let Some(Object::Recorded(recorded)) = self.catalog_mut().objects.get_mut(&oid) {
                recorded.comment = comment;
            }
            cursor.finish()?;
            return Ok(Done::command("COMMENT"));
        }
        if cursor.word("rule") {
            let (relation, rule) = self.rule_of(cursor)?;
            let rule = rule?;
            self.require_relation_to_comment(relation)?;
            let comment = text(cursor)?;
            if let Some(known) = self.rule_mut(relation, rule) {
                known.comment = comment;
            }
            cursor.finish()?;
            return Ok(Done::command("COMMENT"));
        }
        if cursor.words("text search") {
            self.comment_text_search(cursor, text)?;
            cursor.finish()?;
            return Ok(Done::command("COMMENT"));
        }
        cursor.word("foreign");
        let kind = if cursor.words("materialized view") { "view".to_owned() } else { cursor.ident()? };
        match kind.as_str() {
            "table" | "view" | "sequence" => {
                let (schema, name) = cursor.name()?;
                let oid = self.find(schema.as_deref(), &name)?.oid;
                self.require_relation_owner(oid)?;
                self.relation_mut(oid).comment = text(cursor)?;
            }
            "column" => {
                let mut parts = vec![cursor.ident()?];
                while cursor.token(&Token::Period) {
                    parts.push(cursor.ident()?);
                }
                let column = parts.pop().unwrap_or_default();
                let table = parts.pop().unwrap_or_default();
                let schema = parts.pop();
                if let Some(type_) = self.composite_named(schema.as_deref(), &table) {
                    self.comment_field(cursor, type_, column)?;
                    cursor.finish()?;
                    return Ok(Done::command("COMMENT"));
                }
                let relation = self.find(schema.as_deref(), &table)?;
                let oid = relation.oid;
                self.require_relation_to_comment(oid)?;
                let number = relation.column(&column).map(|column| column.number).ok_or_else(|| {
                    let message = format!("column \"{column}\" of relation \"{table}\" does not exist");
                    SqlError::new(SqlState::UNDEFINED_COLUMN, message)
                })?;
                self.column_mut(oid, number).comment = text(cursor)?;
            }
            "schema" => {
                let name = cursor.ident()?;
                let oid = self.catalog.known_schema(&name)?;
                self.require_object_owner(oid)?;
                let comment = text(cursor)?;
                if let Some(Object::Schema(schema)) = self.catalog_mut().objects.get_mut(&oid) {
                    schema.comment = comment;
                }
            }
            "type" | "domain" => {
                let type_ = self.find_type(cursor)?;
                self.require_object_owner(type_.0)?;
                self.user_type_mut(type_)?.comment = text(cursor)?;
            }
            "function" | "procedure" | "routine" | "aggregate" => {
                let oid = self.find_routine(cursor, &kind)??;
                self.require_routine_owner(oid, &kind)?;
                let comment = text(cursor)?;
                if let Some(Object::Routine(routine)) = self.catalog_mut().objects.get_mut(&oid) {
                    routine.comment = comment;
                }
            }
            "index" => {
                let (schema, name) = cursor.name()?;
                let (table, index) = self.index_by_name(schema.as_deref(), &name)?;
                let owner = self.relation(table)?.owner;
                self.catalog.require_owner(&self.settings.role, &owner, "index", &name)?;
                let comment = text(cursor)?;
                for known in self.relation_mut(table).indexes.iter_mut().filter(|known| known.oid == index) {
                    known.comment.clone_from(&comment);
                }
            }
            "constraint" | "trigger" | "policy" => self.comment_part(cursor, &kind)?,
            "role" | "extension" | "publication" => {
                let name = cursor.ident()?;
                let known = match kind.as_str() {
                    "role" => self.catalog.role(&name).is_some(),
                    "extension" => name == "plpgsql" || self.catalog.has_extension(&name),
                    _ => self.catalog.publications().any(|(_, known)| known.name == name),
                };
                if !known {
                    let message = format!("{kind} \"{name}\" does not exist");
                    return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
                }
                match (kind.as_str(), self.catalog.publications().find(|(_, known)| known.name == name)) {
                    ("role", _) => self
                        .require_role_powers()
                        .map_err(|_| super::privilege::denied("must have CREATEROLE privilege"))?,
                    ("publication", Some((oid, _))) => self.require_object_owner(oid)?,
                    _ => self.require_platform("extension", &name)?,
                }
                text(cursor)?;
            }
            "database" | "language" | "tablespace" => {
                let name = cursor.ident()?;
                self.require_platform(&kind, &name)?;
                text(cursor)?;
            }
            _ => return Err(SqlError::unsupported(format!("COMMENT ON {}", kind.to_uppercase()))),
        }
        cursor.finish()?;
        Ok(Done::command("COMMENT"))
    }

    /// Refuses a comment on a part of a relation that the role doesn't own.
    fn require_relation_to_comment(&self, oid: Oid) -> Result<()> {
        let relation = self.relation(oid)?;
        match self.catalog.owns(&self.settings.role, &relation) {
            true => Ok(()),
            false => Err(super::privilege::denied(format!("must be owner of relation {}", relation.name))),
        }
    }

    fn comment_part(&mut self, cursor: &mut Cursor<'_>, kind: &str) -> Result<()> {
        let name = cursor.ident()?;
        cursor.expect_word("on")?;
        if kind == "constraint" && cursor.is("domain") && !cursor.is_at(1, "is") {
            cursor.at += 1;
            return self.comment_check(cursor, name);
        }
        let table = self.find_table(cursor)?;
        self.require_relation_to_comment(table)?;
        let comment = text(cursor)?;
        let relation = self.relation_mut(table);
        let place = match kind {
            "constraint" => relation
                .constraints
                .iter_mut()
                .find(|known| known.name == name)
                .map(|known| &mut known.comment),
            "trigger" => {
                relation.triggers.iter_mut().find(|known| known.name == name).map(|known| &mut known.comment)
            }
            _ => {
                relation.policies.iter_mut().find(|known| known.name == name).map(|known| &mut known.comment)
            }
        };
        let table = relation.name.clone();
        match place {
            Some(place) => {
                *place = comment;
                Ok(())
            }
            None => {
                let message = format!("{kind} \"{name}\" for table \"{table}\" does not exist");
                Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message))
            }
        }
    }
}

impl Engine<'_> {
    /// A composite type by name, if no relation has the name.
    fn composite_named(&self, schema: Option<&str>, name: &str) -> Option<Type> {
        let type_ = self.binder().find_type(schema, name).ok()?;
        let known = self.catalog.user_type(type_)?;
        matches!(known.definition, TypeDefinition::Composite { .. }).then_some(type_)
    }

    /// The comment on a field of a composite type.
    fn comment_field(&mut self, cursor: &mut Cursor<'_>, type_: Type, field: String) -> Result<()> {
        let comment = text(cursor)?;
        let known = self.user_type_mut(type_)?;
        let TypeDefinition::Composite { attributes } = &known.definition else { return Ok(()) };
        if attributes.iter().all(|attribute| attribute.name != field) {
            let message = format!("column \"{field}\" of relation \"{}\" does not exist", known.name);
            return Err(SqlError::new(SqlState::UNDEFINED_COLUMN, message));
        }
        match comment {
            Some(comment) => drop(known.check_comments.insert(field, comment)),
            None => drop(known.check_comments.remove(&field)),
        }
        Ok(())
    }

    /// The comment on a constraint of a domain.
    fn comment_check(&mut self, cursor: &mut Cursor<'_>, name: String) -> Result<()> {
        let domain = self.find_type(cursor)?;
        let comment = text(cursor)?;
        let shown = self.catalog.type_name(domain, -1);
        let known = self.user_type_mut(domain)?;
        let TypeDefinition::Domain { checks, .. } = &known.definition else {
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, format!("{shown} is not a domain")));
        };
        if !checks.iter().any(|(known, _)| *known == name) {
            let message = format!("constraint \"{name}\" for domain {shown} does not exist");
            return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
        }
        match comment {
            Some(comment) => known.check_comments.insert(name, comment),
            None => known.check_comments.remove(&name),
        };
        Ok(())
    }
}

/// The text of a comment; `None` deletes it.
fn text(cursor: &mut Cursor<'_>) -> Result<Option<String>> {
    cursor.expect_word("is")?;
    if cursor.word("null") { Ok(None) } else { cursor.string().map(Some) }
}
