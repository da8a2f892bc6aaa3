//! Event triggers. They fire when a definition begins and ends; nothing rewrites tables, so those for `table_rewrite` never do.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::changes::Changes;
use super::cursor::Cursor;
use super::privilege::denied;
use crate::catalog::{Catalog, Object, Oid, Recorded, RecordedKind};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::is_word;
use crate::types::Type;

const EVENTS: [&str; 4] = ["ddl_command_start", "ddl_command_end", "sql_drop", "table_rewrite"];

impl Engine<'_> {
    pub(super) fn create_event_trigger(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.ident()?;
        if !self.catalog.is_exempt(&self.settings.role) {
            let message = format!("permission denied to create event trigger \"{name}\"");
            return Err(denied(message).hint("Must be superuser to create an event trigger."));
        }
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
        if event == "table_rewrite" {
            self.outcome.does_nothing(format!("CREATE EVENT TRIGGER {name}"));
        }
        let mut trigger = self.new_recorded(RecordedKind::EventTrigger, name);
        trigger.of = Some(function);
        trigger.words.insert("event".to_owned(), event);
        trigger.words.insert("enabled".to_owned(), "O".to_owned());
        trigger.options = tags.into_iter().map(|tag| (tag, String::new())).collect();
        self.record(trigger);
        Ok(Done::command("CREATE EVENT TRIGGER"))
    }

    fn event_function(&self, schema: Option<&str>, name: &str) -> Result<Oid> {
        let schemas = self.binder().schemas_for_function(schema)?;
        let shown = schema.map_or_else(|| name.to_owned(), |schema| format!("{schema}.{name}"));
        match self.routine_of_trigger(&schemas, name) {
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

    /// Whether event triggers are told of a statement. They are not told of what belongs to the whole server.
    pub(super) fn is_watched(&self, tokens: &[TokenWithSpan]) -> bool {
        let is = |at: usize, words: &[&str]| {
            tokens.get(at).is_some_and(|token| words.iter().any(|word| is_word(token, word)))
        };
        let of_server = is(1, &["role", "user", "group", "database", "tablespace", "system", "event"]);
        let membership = is(0, &["grant", "revoke"]) && !tokens.iter().any(|token| is_word(token, "on"));
        !self.defining
            && is(0, WATCHED)
            && !of_server
            && !membership
            && self.catalog.recorded(RecordedKind::EventTrigger).next().is_some()
    }

    /// Fires what waits for the end of a definition.
    pub(super) fn fire_at_end(&mut self, before: &Catalog, tag: &str) -> Result<()> {
        let changes = Changes::between(before, &self.catalog);
        if let Some(dropped) = changes.dropped(tag) {
            self.fire_event("sql_drop", tag, None, Some(dropped))?;
        }
        self.fire_event("ddl_command_end", tag, Some(changes.commands(tag)), None)
    }

    /// Fires the triggers for an event, in the order of their names. They can ask for what was done and dropped.
    pub(super) fn fire_event(
        &mut self,
        event: &str,
        tag: &str,
        commands: Option<String>,
        dropped: Option<String>,
    ) -> Result<()> {
        let replica = self.settings.is_replica();
        let fires = |trigger: &Recorded| {
            let word = |name: &str| trigger.words.get(name).map_or("", String::as_str);
            let enabled = match word("enabled") {
                "O" => !replica,
                "R" => replica,
                other => other == "A",
            };
            let tagged = |known: &str| known.eq_ignore_ascii_case(tag);
            word("event") == event
                && enabled
                && (trigger.options.is_empty() || trigger.options.iter().any(|(known, _)| tagged(known)))
        };
        let found = self.catalog.recorded(RecordedKind::EventTrigger).filter(|(_, known)| fires(known));
        let mut found: Vec<(String, Oid)> =
            found.filter_map(|(_, known)| Some((known.name.clone(), known.of?))).collect();
        if found.is_empty() {
            return Ok(());
        }
        found.sort();
        self.budget
            .work(commands.as_ref().map_or(0, String::len) + dropped.as_ref().map_or(0, String::len))?;
        let outer = self.tell_event(commands, dropped)?;
        let catalog = self.catalog.clone();
        let fired = found.into_iter().try_for_each(|(_, function)| match catalog.objects.get(&function) {
            Some(Object::Routine(routine)) => self.fire_event_function((function, routine), event, tag),
            _ => Ok(()),
        });
        self.tell_event(outer.0, outer.1)?;
        fired
    }

    /// Sets what functions of the present event can ask for. Returns what was set before.
    fn tell_event(
        &self,
        commands: Option<String>,
        dropped: Option<String>,
    ) -> Result<(Option<String>, Option<String>)> {
        let mut tell = self.connection.prepare_cached("SELECT pg_tell_event(?1, ?2)")?;
        let before: String = tell.query_row((commands, dropped), |row| row.get(0))?;
        Ok(serde_json::from_str(&before).unwrap_or_default())
    }
}

/// What the statements begin with that event triggers are told of.
const WATCHED: &[&str] =
    &["create", "alter", "drop", "comment", "grant", "revoke", "refresh", "import", "security"];

/// The tag of a statement that has run. That of `CREATE … AS` for the client is about its rows.
pub(super) fn tag(tokens: &[TokenWithSpan], done: &str) -> String {
    if !done.starts_with("SELECT") {
        return done.to_owned();
    }
    let stored = tokens.get(1).is_some_and(|token| is_word(token, "materialized"));
    if stored { "CREATE MATERIALIZED VIEW" } else { "CREATE TABLE AS" }.to_owned()
}
