//! Event triggers. They are recorded and shown, and never fire.

use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::catalog::{Object, Oid, RecordedKind};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::types::Type;

const EVENTS: [&str; 4] = ["ddl_command_start", "ddl_command_end", "sql_drop", "table_rewrite"];

impl Engine<'_> {
    pub(super) fn create_event_trigger(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.ident()?;
        cursor.expect_word("on")?;
        let event = cursor.ident()?;
        let mut tags = Vec::new();
        if cursor.word("when") {
            loop {
                let variable = cursor.ident()?;
                if variable != "tag" {
                    let message = format!("unrecognized filter variable \"{variable}\"");
                    return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
                }
                cursor.expect_word("in")?;
                cursor.expect(&Token::LParen)?;
                tags.extend(cursor.list(Cursor::string)?);
                cursor.expect(&Token::RParen)?;
                if !cursor.word("and") {
                    break;
                }
            }
        }
        cursor.expect_word("execute")?;
        if !cursor.word("function") {
            cursor.expect_word("procedure")?;
        }
        let function = cursor.name()?;
        cursor.expect(&Token::LParen)?;
        cursor.expect(&Token::RParen)?;
        cursor.finish()?;
        if !EVENTS.contains(&event.as_str()) {
            let message = format!("unrecognized event name \"{event}\"");
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
        }
        self.refuse_recorded(RecordedKind::EventTrigger, &name)?;
        let function = self.event_function(function.0.as_deref(), &function.1)?;
        let mut trigger = self.new_recorded(RecordedKind::EventTrigger, name);
        trigger.of = Some(function);
        trigger.words.insert("event".to_owned(), event);
        trigger.words.insert("enabled".to_owned(), "O".to_owned());
        trigger.options = tags.into_iter().map(|tag| (tag, String::new())).collect();
        self.record(trigger);
        Ok(Done::command("CREATE EVENT TRIGGER"))
    }

    fn event_function(&self, schema: Option<&str>, name: &str) -> Result<Oid> {
        let schemas = match schema {
            Some(schema) => self.catalog.schema_named(schema).into_iter().collect(),
            None => self.binder().function_path(),
        };
        let mut named = self.catalog.routines().filter(|(_, known)| {
            known.name == name && known.inputs().next().is_none() && schemas.contains(&known.schema)
        });
        let shown = schema.map_or_else(|| name.to_owned(), |schema| format!("{schema}.{name}"));
        match named.next() {
            Some((oid, known)) if known.returns == Type::EVENT_TRIGGER => Ok(oid),
            Some(_) => {
                let message = format!("function {shown} must return type event_trigger");
                Err(SqlError::new(SqlState::new("42P17"), message))
            }
            None => {
                let message = format!("function {shown}() does not exist");
                Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, message))
            }
        }
    }

    /// `ALTER EVENT TRIGGER`, after the name: how it is enabled.
    pub(super) fn alter_event_trigger(&mut self, cursor: &mut Cursor<'_>, oid: Oid) -> Result<()> {
        let enabled = if cursor.word("disable") {
            "D"
        } else if cursor.words("enable replica") {
            "R"
        } else if cursor.words("enable always") {
            "A"
        } else if cursor.word("enable") {
            "O"
        } else {
            return Err(cursor.unexpected());
        };
        if let Some(Object::Recorded(trigger)) = self.catalog_mut().objects.get_mut(&oid) {
            trigger.words.insert("enabled".to_owned(), enabled.to_owned());
        }
        Ok(())
    }
}
