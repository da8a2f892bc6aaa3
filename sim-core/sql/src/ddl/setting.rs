//! `SET`, `RESET`, `SHOW`, `DISCARD`.

use rusqlite::types::Value;
use sqlparser::ast;
use sqlparser::tokenizer::Token;

use super::cursor::Cursor;
use crate::bind::Scope;
use crate::catalog::{Constraint, Relation, quote_identifier};
use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::parameters;
use crate::run::transaction::transaction_modes;
use crate::run::{Done, Engine, Returned};
use crate::tree::{Node, Output};
use crate::types::Type;

/// What the names of the parameters begin with that keep what `SET CONSTRAINTS` has said.
const CONSTRAINTS: &str = "constraints.";

/// Parameters that would end work that takes long. Here no time passes while a statement runs.
const TIMEOUTS: [&str; 4] =
    ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout"];

impl Engine<'_> {
    /// `SET CONSTRAINTS`, until the transaction ends.
    fn set_constraints(&mut self, cursor: &mut Cursor<'_>) -> Result<()> {
        let names = match cursor.word("all") {
            true => vec!["all".to_owned()],
            false => cursor.list(|cursor| cursor.name().map(|(_, name)| name))?,
        };
        let deferred = cursor.word("deferred");
        if !deferred {
            cursor.expect_word("immediate")?;
        }
        cursor.finish()?;
        self.warn_outside_block("SET CONSTRAINTS")?;
        for name in &names {
            let deferrable = self.deferrable_by_name(name);
            if name != "all" && deferrable.is_empty() {
                let message = format!("constraint \"{name}\" does not exist");
                return Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message));
            }
            if name != "all" && !deferrable.contains(&true) {
                let message = format!("constraint \"{name}\" is not deferrable");
                return Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message));
            }
            if name == "all" {
                let set = self.settings.values.keys().filter(|name| name.starts_with(CONSTRAINTS));
                let set: Vec<String> = set.cloned().collect();
                set.iter().try_for_each(|name| self.set_parameter(name, Some(""), true))?;
            }
            let value = if deferred { "deferred" } else { "immediate" };
            self.set_parameter(&format!("{CONSTRAINTS}{name}"), Some(value), true)?;
        }
        if deferred {
            return Ok(());
        }
        self.fire_deferred(false)?;
        self.check_pending(false)
    }

    /// Whether each constraint, or trigger that is one, of a name can be deferred.
    fn deferrable_by_name(&self, name: &str) -> Vec<bool> {
        let of_relation = |relation: &Relation| {
            let constraints = relation.constraints.iter().filter(|constraint| constraint.name == name);
            let triggers = relation.triggers.iter();
            let triggers = triggers.filter(|trigger| trigger.constraint && trigger.name == name);
            constraints
                .map(|constraint| constraint.deferrable)
                .chain(triggers.map(|trigger| trigger.deferrable))
                .collect::<Vec<_>>()
        };
        self.catalog.relations().flat_map(of_relation).collect()
    }

    /// Whether a constraint is checked at the end of the transaction.
    pub(crate) fn is_deferred(&self, constraint: &Constraint) -> bool {
        self.is_put_off(&constraint.name, constraint.deferrable, constraint.deferred)
    }

    /// Whether a constraint, or a trigger that is one, waits for the end of the transaction, as it was declared or `SET CONSTRAINTS`
    /// has said.
    pub(crate) fn is_put_off(&self, name: &str, deferrable: bool, deferred: bool) -> bool {
        if !deferrable {
            return deferred;
        }
        let set = |name: &str| {
            let value = self.settings.values.get(&format!("{CONSTRAINTS}{name}"));
            value.filter(|value| !value.is_empty())
        };
        match set(name).or_else(|| set("all")) {
            Some(value) => value == "deferred",
            None => deferred,
        }
    }

    /// `SET`.
    pub(super) fn set(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let done = Ok(Done::command("SET"));
        cursor.at += 1;
        let local = cursor.word("local");
        if local {
            self.warn_outside_block("SET LOCAL")?;
        }
        if cursor.words("session authorization") || cursor.words("session session authorization") {
            let role = role_or_word(cursor)?;
            cursor.finish()?;
            self.set_parameter("session_authorization", Some(&role), local)?;
            return done;
        }
        cursor.word("session");
        if cursor.is("transaction") || cursor.is("characteristics") {
            let session = cursor.word("characteristics");
            if session {
                cursor.expect_word("as")?;
            }
            cursor.expect_word("transaction")?;
            if cursor.is("snapshot") {
                return Err(SqlError::unsupported("SET TRANSACTION SNAPSHOT"));
            }
            let tokens = cursor.rest();
            let modes = transaction_modes(tokens, 0).map_err(|at| self.unexpected_at(tokens, at))?;
            if modes.is_empty() {
                return Err(self.unexpected_at(tokens, 0));
            }
            if !session {
                self.warn_outside_block("SET TRANSACTION")?;
            }
            let of = if session { "default_transaction" } else { "transaction" };
            self.set_modes(of, &modes)?;
            return done;
        }
        if cursor.word("constraints") {
            return self.set_constraints(cursor).map(|()| Done::command("SET CONSTRAINTS"));
        }
        if cursor.words("time zone") {
            let value = match cursor.is("interval") {
                true => Some(self.interval_of_zone(cursor)?),
                false => parameter_value(cursor)?.filter(|zone| zone != "local"),
            };
            cursor.finish()?;
            if let Some(zone) = &value {
                self.check_parameter("timezone", zone)?;
            }
            return self.set_parameter("timezone", value.as_deref(), local).and(done);
        }
        if cursor.is("schema") && !cursor.is_at(1, "to") {
            cursor.at += 1;
            let schema = cursor.string()?;
            cursor.finish()?;
            return self.set_parameter("search_path", Some(&quote_identifier(&schema)), local).and(done);
        }
        if cursor.is("names") && !cursor.is_at(1, "to") {
            cursor.at += 1;
            let given = if cursor.is_end() { None } else { parameter_value(cursor)? };
            cursor.finish()?;
            if let Some(encoding) = &given {
                self.check_parameter("client_encoding", encoding)?;
            }
            // There is one, which has several names.
            let given = given.map(|_| "UTF8");
            return self.set_parameter("client_encoding", given, local).and(done);
        }
        let name = parameter_name(cursor)?;
        let given = cursor.token(&Token::Eq) || cursor.word("to");
        if name == "role" && !given {
            let role = role_or_word(cursor)?;
            cursor.finish()?;
            self.set_parameter("role", Some(&role), local)?;
            return done;
        }
        let value = parameter_value(cursor)?;
        cursor.finish()?;
        let Some(value) = value else {
            return self.set_parameter(&name, None, local).and(done);
        };
        self.check_parameter(&name, &value)?;
        self.set_as_written(&name, &value, local)?;
        let is_none = value.trim_end_matches(char::is_alphabetic).trim() == "0";
        if TIMEOUTS.contains(&name.as_str()) && !is_none {
            self.outcome.does_nothing(format!("SET {name}"));
        }
        done
    }

    /// Warns of a statement whose effect ends with it.
    fn warn_outside_block(&self, command: &str) -> Result<()> {
        if self.in_block || self.calls > 0 || !self.alone {
            return Ok(());
        }
        let message = format!("{command} can only be used in transaction blocks");
        self.report("WARNING", &SqlError::new(SqlState::NO_ACTIVE_TRANSACTION, message))
    }

    /// The time zone that is an interval, as the parameter keeps it.
    fn interval_of_zone(&self, cursor: &mut Cursor<'_>) -> Result<String> {
        let written = cursor.expr()?;
        if let ast::Expr::Interval(interval) = &*written.expr {
            let fields = [&interval.leading_field, &interval.last_field];
            let known = |field: &&ast::DateTimeField| {
                matches!(field, ast::DateTimeField::Hour | ast::DateTimeField::Minute)
            };
            if !fields.into_iter().flatten().all(|field| known(&field)) {
                let message = "time zone interval must be HOUR or HOUR TO MINUTE";
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            }
        }
        let bound = self.plain_binder().expr(&Scope::default(), &written.expr);
        let bound = bound.map_err(SqlError::nowhere)?;
        match bound.node {
            Node::Literal(Value::Text(interval)) => Ok(format!("INTERVAL '{interval}'")),
            _ => Err(SqlError::unsupported("this interval as a time zone")),
        }
    }

    /// `RESET`, after this word.
    pub(super) fn reset(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = match cursor.words("session authorization") {
            true => "session_authorization".to_owned(),
            false => parameter_name(cursor)?,
        };
        cursor.finish()?;
        if name == "all" {
            self.reset_all();
        } else {
            self.set_parameter(&name, None, false)?;
        }
        Ok(Done::command("RESET"))
    }

    /// `DISCARD`, after this word.
    pub(super) fn discard(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if cursor.is("all") {
            self.require_outside("DISCARD ALL")?;
            self.set_parameter("session_authorization", None, false)?;
            self.reset_all();
            self.known.cursors.borrow_mut().close_all();
        }
        if ["all", "temp", "temporary"].iter().any(|word| cursor.is(word)) {
            self.drop_temporary()?;
        }
        let what = cursor.ident()?.to_uppercase();
        cursor.finish()?;
        Ok(Done::command(format!("DISCARD {what}")))
    }

    /// `SHOW`.
    pub(super) fn show_setting(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        if cursor.word("all") {
            cursor.finish()?;
            return Ok(self.show_all());
        }
        let name = match () {
            () if cursor.words("session authorization") => "session_authorization".to_owned(),
            () if cursor.words("transaction isolation level") => "transaction_isolation".to_owned(),
            () => parameter_name(cursor)?,
        };
        cursor.finish()?;
        let value = describe::setting(&self.settings, &name).ok_or_else(|| parameters::unknown(&name))?;
        let shown = parameters::find(&name).map_or(name, |known| known.name.to_owned());
        let columns = vec![Output { name: shown, type_: Type::TEXT.plain() }];
        Ok(Done {
            tag: "SHOW".to_owned(),
            returned: Some(Returned { columns, rows: vec![vec![value.into()]] }),
        })
    }

    /// `SHOW ALL`. The texts that describe the parameters are not given.
    fn show_all(&self) -> Done {
        let columns = ["name", "setting", "description"];
        let columns = columns.map(|name| Output { name: name.to_owned(), type_: Type::TEXT.plain() });
        let row = |(name, value): (String, String)| {
            let shown = parameters::find(&name).map_or(name, |known| known.name.to_owned());
            vec![shown.into(), value.into(), rusqlite::types::Value::Null]
        };
        let rows = describe::settings(&self.settings).into_iter().map(row).collect();
        Done { tag: "SHOW".to_owned(), returned: Some(Returned { columns: columns.into(), rows }) }
    }
}

/// The name of a parameter: `app.color`, `TIME ZONE`.
pub(super) fn parameter_name(cursor: &mut Cursor<'_>) -> Result<String> {
    if cursor.words("time zone") {
        return Ok("timezone".to_owned());
    }
    let mut name = cursor.ident()?;
    while cursor.token(&Token::Period) {
        name = format!("{name}.{}", cursor.ident()?);
    }
    Ok(name)
}

/// The value that a statement gives a parameter; `None` is its default.
pub(super) fn parameter_value(cursor: &mut Cursor<'_>) -> Result<Option<String>> {
    if cursor.word("default") {
        return Ok(None);
    }
    let values = cursor.list(|cursor| match cursor.peek().map(|token| &token.token) {
        Some(Token::Word(_)) => cursor.ident(),
        Some(Token::Number(number, _)) => {
            cursor.at += 1;
            Ok(number.clone())
        }
        Some(Token::Minus) => {
            cursor.at += 1;
            match cursor.peek().map(|token| &token.token) {
                Some(Token::Number(number, _)) => {
                    cursor.at += 1;
                    Ok(format!("-{number}"))
                }
                _ => cursor.integer().map(|number| number.to_string()),
            }
        }
        _ => cursor.string(),
    })?;
    Ok(Some(values.join(", ")))
}

/// A role, as a name or a text.
fn role_or_word(cursor: &mut Cursor<'_>) -> Result<String> {
    cursor.string().or_else(|_| cursor.ident())
}
