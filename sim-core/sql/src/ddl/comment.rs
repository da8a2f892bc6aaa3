//! `COMMENT ON`.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::catalog::{Object, TypeDefinition};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

impl Engine<'_> {
    pub(super) fn comment(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if let Some(oid) = self.recorded_for_comment(cursor)? {
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
            let comment = text(cursor)?;
            if let Some(known) = self.rule_mut(relation, rule) {
                known.comment = comment;
            }
            cursor.finish()?;
            return Ok(Done::command("COMMENT"));
        }
        cursor.word("foreign");
        let kind = if cursor.words("materialized view") { "view".to_owned() } else { cursor.ident()? };
        match kind.as_str() {
            "table" | "view" | "sequence" => {
                let (schema, name) = cursor.name()?;
                let oid = self.find(schema.as_deref(), &name)?.oid;
                self.relation_mut(oid).comment = text(cursor)?;
            }
            "column" => {
                let mut parts = vec![cursor.ident()?];
                while cursor.token(&Token::Period) {
                    parts.push(cursor.ident()?);
                }
                let column = parts.pop().unwrap_or_default();
                let table = parts.pop().unwrap_or_default();
                let relation = self.find(parts.pop().as_deref(), &table)?;
                let oid = relation.oid;
                let number = relation.column(&column).map(|column| column.number).ok_or_else(|| {
                    let message = format!("column \"{column}\" of relation \"{table}\" does not exist");
                    SqlError::new(SqlState::UNDEFINED_COLUMN, message)
                })?;
                self.column_mut(oid, number).comment = text(cursor)?;
            }
            "schema" => {
                let name = cursor.ident()?;
                let missing =
                    || SqlError::new(SqlState::INVALID_SCHEMA, format!("schema \"{name}\" does not exist"));
                let oid = self.catalog.schema_named(&name).ok_or_else(missing)?;
                let comment = text(cursor)?;
                if let Some(Object::Schema(schema)) = self.catalog_mut().objects.get_mut(&oid) {
                    schema.comment = comment;
                }
            }
            "type" | "domain" => {
                let type_ = self.find_type(cursor)?;
                self.user_type_mut(type_)?.comment = text(cursor)?;
            }
            "function" | "procedure" | "routine" | "aggregate" => {
                let oid = self.find_routine(cursor)??;
                let comment = text(cursor)?;
                if let Some(Object::Routine(routine)) = self.catalog_mut().objects.get_mut(&oid) {
                    routine.comment = comment;
                }
            }
            "index" => {
                let (schema, name) = cursor.name()?;
                let binder = self.binder();
                let schemas = schema.map_or_else(
                    || binder.search_path(),
                    |schema| self.catalog.schema_named(&schema).into_iter().collect(),
                );
                let found = schemas.into_iter().find_map(|schema| self.catalog.index_named(schema, &name));
                let found = found.map(|(relation, index)| (relation.oid, index.oid));
                let (table, index) = found.ok_or_else(|| {
                    SqlError::new(SqlState::UNDEFINED_TABLE, format!("relation \"{name}\" does not exist"))
                })?;
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
                text(cursor)?;
            }
            "database" | "language" | "tablespace" => {
                cursor.ident()?;
                text(cursor)?;
            }
            _ => return Err(SqlError::unsupported(format!("COMMENT ON {}", kind.to_uppercase()))),
        }
        cursor.finish()?;
        Ok(Done::command("COMMENT"))
    }

    fn comment_part(&mut self, cursor: &mut Cursor<'_>, kind: &str) -> Result<()> {
        let name = cursor.ident()?;
        cursor.expect_word("on")?;
        if kind == "constraint" && cursor.is("domain") && !cursor.is_at(1, "is") {
            cursor.at += 1;
            return self.comment_check(cursor, name);
        }
        let table = self.find_table(cursor)?;
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
