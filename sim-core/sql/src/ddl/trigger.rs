//! `CREATE TRIGGER`.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::alter::kinds::refused_for_kind;
use super::cursor::{Cursor, Written};
use super::table::Deferral;
use crate::bind::{Clause, Scope};
use crate::catalog::{Relation, RelationKind, Trigger, quote_identifier};
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};
use crate::source::{self, Source, is_word};
use crate::types::Type;

/// When a trigger fires.
struct Fires<'t> {
    timing: &'t str,
    events: &'t [String],
    row: bool,
}

impl Fires<'_> {
    /// Whether its condition may be about the new or the old row, or a column of it.
    fn allows(&self, relation: &Relation, is_new: bool, column: Option<&TokenWithSpan>) -> Result<()> {
        let refuse = |message: &str| Err(SqlError::new(SqlState::new("42P17"), message));
        let on = |event: &str| self.events.iter().any(|known| known == event);
        if !self.row {
            return refuse("statement trigger's WHEN condition cannot reference column values");
        }
        if !is_new && on("INSERT") {
            return refuse("INSERT trigger's WHEN condition cannot reference OLD values");
        }
        if is_new && on("DELETE") {
            return refuse("DELETE trigger's WHEN condition cannot reference NEW values");
        }
        if !is_new || self.timing != "BEFORE" {
            return Ok(());
        }
        let mut generated = relation.columns.iter().filter(|column| column.generated.is_some());
        let detail = match column.map(|token| (&token.token, token.span)) {
            Some((Token::Word(word), span)) => generated
                .find(|known| known.name == source::name(&word.to_ident(span)))
                .map(|known| format!("Column \"{}\" is a generated column.", known.name)),
            _ => generated.next().map(|_| {
                "A whole-row reference is used and the table contains generated columns.".to_owned()
            }),
        };
        let message = "BEFORE trigger's WHEN condition cannot reference NEW generated columns";
        match detail {
            Some(detail) => Err(SqlError::new(SqlState::new("42P17"), message).detail(detail)),
            None => Ok(()),
        }
    }
}

impl Engine<'_> {
    pub(super) fn create_trigger(
        &mut self,
        cursor: &mut Cursor<'_>,
        replace: bool,
        constraint: bool,
    ) -> Result<Done> {
        if constraint && replace {
            let message = "CREATE OR REPLACE CONSTRAINT TRIGGER is not supported";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        if cursor.is("if") && cursor.is_at(1, "not") {
            cursor.at += 1;
            return Err(cursor.unexpected());
        }
        let name = cursor.ident()?;
        let timing =
            if cursor.words("instead of") { "INSTEAD OF".to_owned() } else { cursor.ident()?.to_uppercase() };
        if constraint && timing != "AFTER" {
            cursor.at -= 1 + usize::from(timing == "INSTEAD OF");
            return Err(cursor.unexpected());
        }
        let (mut events, mut columns): (Vec<String>, _) = (Vec::new(), Vec::new());
        loop {
            let start = cursor.at;
            let event = cursor.ident()?.to_uppercase();
            if cursor.word("of") {
                columns = cursor.list(Cursor::ident)?;
            }
            if events.contains(&event) {
                cursor.at = if event == "UPDATE" { cursor.at } else { start };
                let error = cursor.unexpected();
                let message = error.message.replacen("syntax error", "duplicate trigger events specified", 1);
                return Err(SqlError::new(error.code, message).at(error.position));
            }
            events.push(event);
            if !cursor.word("or") {
                break;
            }
        }
        cursor.expect_word("on")?;
        let (schema, table) = cursor.name()?;
        let relation = self.find(schema.as_deref(), &table)?.clone();
        require_kind_with_triggers(&relation)?;
        if !self.catalog.allows_relation(&self.settings.role, &relation, 't') {
            return Err(relation.denied());
        }
        let (mut deferral, mut refers_to) = (Deferral::default(), None);
        let mut transition = (None, None);
        if constraint {
            if cursor.word("from") {
                let (schema, table) = cursor.name()?;
                refers_to = Some(self.find(schema.as_deref(), &table)?.oid);
            }
            while deferral.read(cursor)? {}
            if !cursor.words("for each row") {
                cursor.words("for each");
                return Err(cursor.unexpected());
            }
        } else if cursor.word("referencing") {
            transition = transition_tables(cursor)?;
        }
        let row = constraint || for_each_row(cursor)?;
        check_timing(&relation, &timing, &events, row)?;
        let when = cursor.word("when");
        check_instead(&timing, when, &columns)?;
        if transition != (None, None) {
            check_transition(&transition, &timing, &events, &columns)?;
        }
        require_columns(&relation, &columns)?;
        let mut condition = None;
        if when {
            let from = cursor.at + 1;
            let written = cursor.bracketed()?;
            self.check_condition(
                &relation,
                &written,
                &cursor.tokens[from..cursor.at - 1],
                Fires { timing: &timing, events: &events, row },
            )?;
            condition = Some(written.text);
        }
        let (deferrable, deferred) = deferral.chosen();
        cursor.expect_word("execute")?;
        if !cursor.word("function") {
            cursor.expect_word("procedure")?;
        }
        let (schema, function) = cursor.name()?;
        cursor.expect(&Token::LParen)?;
        let arguments = if cursor.token(&Token::RParen) {
            Vec::new()
        } else {
            let arguments = cursor.list(Cursor::trigger_argument)?;
            cursor.expect(&Token::RParen)?;
            arguments
        };
        let schemas = self.binder().schemas_for_function(schema.as_deref())?;
        let found = self.routine_of_trigger(&schemas, &function);
        let builtin = crate::plpgsql::builtin_trigger(&function)
            .filter(|_| matches!(schema.as_deref(), None | Some("pg_catalog")));
        let function = match found {
            Some((oid, known)) if known.returns == Type::TRIGGER => oid,
            None if builtin.is_some() => builtin.unwrap_or_default(),
            Some(_) => {
                let message = format!("function {function} must return type trigger");
                return Err(SqlError::new(SqlState::new("42P17"), message));
            }
            None => {
                let shown = schema.map_or_else(|| function.clone(), |schema| format!("{schema}.{function}"));
                let message = format!("function {shown}() does not exist");
                return Err(SqlError::new(SqlState::UNDEFINED_FUNCTION, message));
            }
        };
        if !replace {
            refuse_trigger_name(&relation, &name)?;
        }
        let oid = self.new_oid();
        let definition = cursor.text(0, cursor.tokens.len());
        let trigger = Trigger {
            oid,
            name: name.clone(),
            timing,
            events,
            for_each_row: row,
            condition,
            function,
            arguments,
            enabled: 'O',
            definition,
            comment: relation
                .triggers
                .iter()
                .find(|known| known.name == name)
                .and_then(|known| known.comment.clone()),
            columns,
            deferred,
            old_table: transition.0,
            new_table: transition.1,
            constraint,
            deferrable,
            refers_to,
        };
        let triggers = &mut self.relation_mut(relation.oid).triggers;
        triggers.retain(|known| known.name != name);
        triggers.push(trigger);
        Ok(Done::command("CREATE TRIGGER"))
    }

    /// Refuses a condition that can't be one of this trigger.
    fn check_condition(
        &self,
        relation: &Relation,
        written: &Written,
        tokens: &[TokenWithSpan],
        fires: Fires<'_>,
    ) -> Result<()> {
        let place = |token: &TokenWithSpan| self.source.place(token.span.start);
        if let Some(at) = tokens.iter().position(|token| is_word(token, "select")) {
            let before = tokens[..at]
                .iter()
                .rev()
                .take(2)
                .take_while(|token| token.token == Token::LParen || is_word(token, "exists"));
            let message = "cannot use subquery in trigger WHEN condition";
            let at = before.last().and_then(place);
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message).at(at));
        }
        let mut binder = self.binder();
        let mut scope = Scope::default();
        for alias in ["old", "new"] {
            let mut table = binder.row_of(relation)?;
            (table.alias, table.schema) = (alias.to_owned(), None);
            scope.tables.push(table);
        }
        match binder.condition_in(Clause::Trigger, &scope, &written.expr) {
            Err(error) if !error.is_unsupported() => return Err(error),
            // What this engine can't bind is refused where the trigger fires.
            _ => {}
        }
        let starts = |at: usize| at == 0 || tokens[at - 1].token != Token::Period;
        let rows = tokens
            .iter()
            .enumerate()
            .filter(|(at, token)| starts(*at) && (is_word(token, "old") || is_word(token, "new")));
        for (at, token) in rows {
            let column = match (tokens.get(at + 1), tokens.get(at + 2)) {
                (Some(period), Some(column)) if period.token == Token::Period => Some(column),
                _ => None,
            };
            fires.allows(relation, is_word(token, "new"), column).map_err(|error| error.at(place(token)))?;
        }
        Ok(())
    }

    /// `ALTER TRIGGER`, after these words.
    pub(super) fn alter_trigger(&mut self, cursor: &mut Cursor<'_>) -> Result<Done> {
        let name = cursor.ident()?;
        cursor.expect_word("on")?;
        let (schema, table) = cursor.name()?;
        let oid = self.find(schema.as_deref(), &table)?.oid;
        self.require_relation_owner(oid)?;
        let relation = self.relation(oid)?;
        let at = relation.triggers.iter().position(|trigger| trigger.name == name).ok_or_else(|| {
            let message = format!("trigger \"{name}\" for table \"{}\" does not exist", relation.name);
            SqlError::new(SqlState::UNDEFINED_OBJECT, message)
        })?;
        if cursor.is("depends") || cursor.is("no") {
            cursor.word("no");
            self.extension_depended_on(cursor)?;
            cursor.finish()?;
            return Ok(Done::command("ALTER TRIGGER"));
        }
        cursor.expect_word("rename")?;
        cursor.expect_word("to")?;
        let to = cursor.ident()?;
        cursor.finish()?;
        refuse_trigger_name(&relation, &to)?;
        let trigger = &mut self.relation_mut(oid).triggers[at];
        trigger.definition = renamed(&trigger.definition, &to);
        trigger.name = to;
        Ok(Done::command("ALTER TRIGGER"))
    }
}

/// Refuses a column after `UPDATE OF` that the relation has not, or that is named twice.
fn require_columns(relation: &Relation, columns: &[String]) -> Result<()> {
    for (index, name) in columns.iter().enumerate() {
        if relation.column(name).is_none() {
            let message = format!("column \"{name}\" of relation \"{}\" does not exist", relation.name);
            return Err(SqlError::new(SqlState::UNDEFINED_COLUMN, message));
        }
        if columns[..index].contains(name) {
            let message = format!("column \"{name}\" specified more than once");
            return Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message));
        }
    }
    Ok(())
}

fn refuse_trigger_name(relation: &Relation, name: &str) -> Result<()> {
    if !relation.triggers.iter().any(|trigger| trigger.name == name) {
        return Ok(());
    }
    let message = format!("trigger \"{name}\" for relation \"{}\" already exists", relation.name);
    Err(SqlError::new(SqlState::DUPLICATE_OBJECT, message))
}

/// The text of a trigger with another name.
fn renamed(definition: &str, to: &str) -> String {
    let source = Source::stored(definition);
    let tokens: Vec<_> = source.statements().into_iter().flatten().flatten().collect();
    let name = tokens.iter().position(|token| is_word(token, "trigger")).and_then(|at| tokens.get(at + 1));
    let place = name.and_then(|name| Some((source.offset(name.span.start)?, source.offset(name.span.end)?)));
    place.map_or_else(
        || definition.to_owned(),
        |(start, end)| format!("{}{}{}", &definition[..start], quote_identifier(to), &definition[end..]),
    )
}

/// The names after `REFERENCING`: of the rows before, and of those after.
fn transition_tables(cursor: &mut Cursor<'_>) -> Result<(Option<String>, Option<String>)> {
    let invalid = |message: &str| SqlError::new(SqlState::new("42P17"), message);
    let mut names = (None, None);
    while cursor.is("old") || cursor.is("new") {
        let old = cursor.is("old");
        cursor.at += 1;
        if !cursor.word("table") {
            let message = "ROW variable naming in the REFERENCING clause is not supported";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
                .hint("Use OLD TABLE or NEW TABLE for naming transition tables."));
        }
        cursor.word("as");
        let name = Some(cursor.ident()?);
        let place = if old { &mut names.0 } else { &mut names.1 };
        if place.is_some() {
            let which = if old { "OLD" } else { "NEW" };
            return Err(invalid(&format!("{which} TABLE cannot be specified multiple times")));
        }
        *place = name;
    }
    match &names {
        (None, None) => Err(cursor.unexpected()),
        (old, new) if old == new => Err(invalid("OLD TABLE name and NEW TABLE name cannot be the same")),
        _ => Ok(names),
    }
}

fn check_transition(
    (old, new): &(Option<String>, Option<String>),
    timing: &str,
    events: &[String],
    columns: &[String],
) -> Result<()> {
    let invalid = |message: &str| Err(SqlError::new(SqlState::new("42P17"), message));
    let has = |event: &str| events.iter().any(|known| known == event);
    if timing != "AFTER" {
        return invalid("transition table name can only be specified for an AFTER trigger");
    }
    if has("TRUNCATE") {
        let message = "TRUNCATE triggers with transition tables are not supported";
        return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
    }
    if events.len() > 1 {
        return Err(SqlError::new(
            SqlState::FEATURE_NOT_SUPPORTED,
            "transition tables cannot be specified for triggers with more than one event",
        ));
    }
    if !columns.is_empty() {
        return Err(SqlError::new(
            SqlState::FEATURE_NOT_SUPPORTED,
            "transition tables cannot be specified for triggers with column lists",
        ));
    }
    if new.is_some() && has("DELETE") {
        return invalid("NEW TABLE can only be specified for an INSERT or UPDATE trigger");
    }
    if old.is_some() && has("INSERT") {
        return invalid("OLD TABLE can only be specified for a DELETE or UPDATE trigger");
    }
    Ok(())
}

/// Refuses a trigger of a materialized view or a sequence.
fn require_kind_with_triggers(relation: &Relation) -> Result<()> {
    match relation.shown_kind() {
        RelationKind::Table | RelationKind::View | RelationKind::Foreign => Ok(()),
        RelationKind::MaterializedView | RelationKind::Sequence => {
            let message = format!("relation \"{}\" cannot have triggers", relation.name);
            Err(refused_for_kind(relation, message))
        }
    }
}

/// Reads whether a trigger fires for each row.
fn for_each_row(cursor: &mut Cursor<'_>) -> Result<bool> {
    if !cursor.word("for") {
        return Ok(false);
    }
    cursor.word("each");
    if cursor.word("row") {
        return Ok(true);
    }
    cursor.expect_word("statement").map(|()| false)
}

/// Refuses what triggers in the place of a change can't have.
fn check_instead(timing: &str, when: bool, columns: &[String]) -> Result<()> {
    let what = match (when, columns.is_empty()) {
        _ if timing != "INSTEAD OF" => return Ok(()),
        (true, _) => "WHEN conditions",
        (false, false) => "column lists",
        _ => return Ok(()),
    };
    Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, format!("INSTEAD OF triggers cannot have {what}")))
}

/// Refuses a trigger that fires at a time at which rows of the relation do not change.
fn check_timing(relation: &Relation, timing: &str, events: &[String], row: bool) -> Result<()> {
    let view = relation.shown_kind() == RelationKind::View;
    let truncate = events.iter().any(|event| event == "TRUNCATE");
    if truncate && row && !view {
        let message = "TRUNCATE FOR EACH ROW triggers are not supported";
        return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
    }
    let detail = match timing {
        _ if view && truncate && (timing == "INSTEAD OF" || !row) => "Views cannot have TRUNCATE triggers.",
        "INSTEAD OF" if view && row => return Ok(()),
        "INSTEAD OF" if view => {
            let message = "INSTEAD OF triggers must be FOR EACH ROW";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        "INSTEAD OF" => "Tables cannot have INSTEAD OF triggers.",
        _ if view && row => "Views cannot have row-level BEFORE or AFTER triggers.",
        _ => return Ok(()),
    };
    let article = if view { "a view" } else { "a table" };
    let message = format!("\"{}\" is {article}", relation.name);
    Err(SqlError::new(SqlState::WRONG_OBJECT_TYPE, message).detail(detail))
}
