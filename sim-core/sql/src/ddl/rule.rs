//! Rules: `DO INSTEAD NOTHING` and `DO ALSO NOTHING`. Rules with commands or conditions are refused.

use sqlparser::ast;

use super::cursor::Cursor;
use crate::catalog::{Oid, Relation, RelationKind, Rule};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

impl Engine<'_> {
    pub(super) fn create_rule(&mut self, cursor: &mut Cursor<'_>, replace: bool) -> Result<Done> {
        let name = cursor.ident()?;
        cursor.expect_word("as")?;
        cursor.expect_word("on")?;
        let events = ["select", "insert", "update", "delete"];
        let Some(event) = events.into_iter().find(|event| cursor.word(event)) else {
            return Err(cursor.unexpected());
        };
        cursor.expect_word("to")?;
        let (schema, table) = cursor.name()?;
        let relation = self.find(schema.as_deref(), &table)?.clone();
        self.require_relation_owner(relation.oid)?;
        if event == "select" {
            return Err(SqlError::unsupported("a rule ON SELECT"));
        }
        if cursor.word("where") {
            return Err(SqlError::unsupported("a rule with a condition"));
        }
        cursor.expect_word("do")?;
        let instead = cursor.word("instead");
        if !instead {
            cursor.word("also");
        }
        if !cursor.word("nothing") {
            return Err(SqlError::unsupported("a rule with a command"));
        }
        cursor.finish()?;
        if !matches!(relation.kind, RelationKind::Table | RelationKind::View) {
            let message = format!("relation \"{}\" cannot have rules", relation.name);
            return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
        }
        if relation.rules.iter().any(|rule| rule.name == name) && !replace {
            let message = format!("rule \"{name}\" for relation \"{}\" already exists", relation.name);
            return Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message));
        }
        let oid = self.new_oid();
        let rule = Rule { oid, name, event: event.to_uppercase(), instead, comment: None };
        let rules = &mut self.relation_mut(relation.oid).rules;
        rules.retain(|known| known.name != rule.name);
        rules.push(rule);
        Ok(Done::command("CREATE RULE"))
    }

    /// Reads the name of a rule and of its relation.
    pub(super) fn rule_of(
        &self,
        cursor: &mut Cursor<'_>,
    ) -> Result<(Oid, std::result::Result<Oid, SqlError>)> {
        let name = cursor.ident()?;
        cursor.expect_word("on")?;
        let (schema, table) = cursor.name()?;
        let relation = self.find(schema.as_deref(), &table)?;
        let found = relation.rules.iter().find(|rule| rule.name == name).map(|rule| rule.oid);
        let message = format!("rule \"{name}\" for relation \"{table}\" does not exist");
        Ok((relation.oid, found.ok_or_else(|| SqlError::new(SqlState::UNDEFINED_OBJECT, message))))
    }

    pub(super) fn alter_rule(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let (relation, rule) = self.rule_of(cursor)?;
        let rule = rule?;
        self.require_relation_owner(relation)?;
        cursor.expect_word("rename")?;
        cursor.expect_word("to")?;
        let name = cursor.ident()?;
        cursor.finish()?;
        if let Some(known) = self.rule_mut(relation, rule) {
            known.name = name;
        }
        Ok(Done::command("ALTER RULE"))
    }

    pub(super) fn rule_mut(&mut self, relation: Oid, rule: Oid) -> Option<&mut Rule> {
        self.relation_mut(relation).rules.iter_mut().find(|known| known.oid == rule)
    }

    pub(super) fn drop_rule(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let if_exists = cursor.words("if exists");
        let found = self.rule_of(cursor);
        let _ = cursor.word("cascade") || cursor.word("restrict");
        match found {
            Ok((relation, Ok(rule))) => {
                cursor.finish()?;
                self.require_relation_owner(relation)?;
                self.relation_mut(relation).rules.retain(|known| known.oid != rule);
            }
            Ok((_, Err(error))) | Err(error) => self.skip(if_exists, error)?,
        }
        Ok(Done::command("DROP RULE"))
    }

    /// The answer to a change that a rule turns into nothing.
    pub(crate) fn done_nothing(&self, statement: &ast::Statement) -> Result<Option<Done>> {
        let (event, returning) = match statement {
            ast::Statement::Insert(insert) => ("INSERT", insert.returning.is_some()),
            ast::Statement::Update(update) => ("UPDATE", update.returning.is_some()),
            ast::Statement::Delete(delete) => ("DELETE", delete.returning.is_some()),
            _ => return Ok(None),
        };
        let Some(relation) = crate::dml::target_of(statement).map(|name| self.binder().find_relation(name))
        else {
            return Ok(None);
        };
        let Ok(relation) = relation else { return Ok(None) };
        if !is_nothing(relation, event) {
            return Ok(None);
        }
        if returning {
            let message = format!("cannot perform {event} RETURNING on relation \"{}\"", relation.name);
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).hint(format!(
                "You need an unconditional ON {event} DO INSTEAD rule with a RETURNING clause."
            )));
        }
        Ok(Some(Done::command(if event == "INSERT" {
            "INSERT 0 0".to_owned()
        } else {
            format!("{event} 0")
        })))
    }
}

/// Whether a rule turns a change of a relation into nothing.
fn is_nothing(relation: &Relation, event: &str) -> bool {
    relation.rules.iter().any(|rule| rule.instead && rule.event == event)
}
