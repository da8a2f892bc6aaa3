//! The trigger functions that PostgreSQL has from the start: those of text search, which set a column to the document of other columns,
//! and the one that skips updates without a change.

use rusqlite::types::Value;

use super::trigger::{Change, Watched};
use crate::catalog::{Column, Oid, Trigger};
use crate::error::{Result, SqlError, SqlState};
use crate::functions::text_search::document_of;
use crate::run::Engine;
use crate::types::Type;

/// PostgreSQL's identifiers of the functions. `tsvector_update_trigger_column` takes the name of a column for the configuration.
const FUNCTIONS: [(&str, Oid); 3] = [
    ("tsvector_update_trigger", 3752),
    ("tsvector_update_trigger_column", 3753),
    ("suppress_redundant_updates_trigger", 1291),
];

/// The identifier of such a function.
pub(crate) fn builtin_trigger(name: &str) -> Option<Oid> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, oid)| *oid)
}

/// The name of such a function; `None` for any other identifier.
pub(crate) fn builtin_trigger_name(oid: Oid) -> Option<&'static str> {
    FUNCTIONS.iter().find(|(_, known)| *known == oid).map(|(name, _)| *name)
}

fn wrong(code: &str, message: String) -> SqlError {
    SqlError::new(SqlState::new(code), message)
}

impl Engine<'_> {
    /// Runs a trigger function that PostgreSQL has from the start. `None` skips the row.
    pub(super) fn run_builtin_trigger(
        &mut self,
        watched: &Watched,
        trigger: &Trigger,
        change: Change<'_>,
    ) -> Result<Option<Vec<Value>>> {
        if builtin_trigger_name(trigger.function) != Some("suppress_redundant_updates_trigger") {
            return self.update_vector(watched, trigger, change).map(Some);
        }
        let (Some(old), Some(new), "BEFORE", true) =
            (change.old, change.new, trigger.timing.as_str(), trigger.for_each_row)
        else {
            let message = "suppress_redundant_updates_trigger: must be called before update for each row";
            return Err(wrong("39P01", message.to_owned()));
        };
        Ok((old != new).then(|| new.to_vec()))
    }

    /// Sets the column of documents that the trigger names first. The configuration and the columns of texts follow.
    fn update_vector(
        &mut self,
        watched: &Watched,
        trigger: &Trigger,
        change: Change<'_>,
    ) -> Result<Vec<Value>> {
        let misused = |what: &str| wrong("39P01", format!("tsvector_update_trigger: {what}"));
        if !trigger.for_each_row {
            return Err(misused("must be fired for row"));
        }
        if trigger.timing != "BEFORE" {
            return Err(misused("must be fired BEFORE event"));
        }
        let Some(new) = change.new else { return Err(misused("must be fired for INSERT or UPDATE")) };
        let [target, configuration, texts @ ..] = trigger.arguments.as_slice() else {
            let usage = "arguments must be tsvector_field, ts_config, text_field1, ...)";
            return Err(misused(usage));
        };
        let target = column(watched, target, "tsvector", |type_| type_ == Type::TSVECTOR)?;
        let by_column = builtin_trigger_name(trigger.function) == Some("tsvector_update_trigger_column");
        let configuration = if by_column {
            let at = column(watched, configuration, "regconfig", |type_| type_ == Type::REGCONFIG)?;
            match new.get(at) {
                Some(Value::Text(value)) => value.clone(),
                _ => {
                    let message = format!("configuration column \"{configuration}\" must not be null");
                    return Err(wrong("22004", message));
                }
            }
        } else if configuration.contains('.') {
            self.binder().configuration(configuration)?
        } else {
            let message =
                format!("text search configuration name \"{configuration}\" must be schema-qualified");
            return Err(wrong("22023", message));
        };
        let mut changed = change.old.is_none();
        let mut values = Vec::new();
        for name in texts {
            let string = |type_| matches!(type_, Type::TEXT | Type::VARCHAR | Type::BPCHAR);
            let at = column(watched, name, "of a character type", string)?;
            changed |= change.old.and_then(|old| old.get(at)) != new.get(at);
            if let Some(Value::Text(text)) = new.get(at) {
                values.push(text.clone());
            }
        }
        let mut row = new.to_vec();
        if changed {
            row[target] = Value::Text(document_of(&configuration, &values, &self.budget)?);
        }
        Ok(row)
    }
}

/// The place of a column, which must have a type.
fn column(watched: &Watched, name: &str, wanted: &str, fits: impl Fn(Type) -> bool) -> Result<usize> {
    let columns = &watched.relation.columns;
    let Some(at) = columns.iter().position(|column: &Column| column.name == name) else {
        return Err(wrong("42703", format!("column \"{name}\" does not exist")));
    };
    if fits(columns[at].type_.base) {
        return Ok(at);
    }
    let message = match wanted {
        "of a character type" => format!("column \"{name}\" is not of a character type"),
        wanted => format!("column \"{name}\" is not of {wanted} type"),
    };
    Err(SqlError::new(SqlState::DATATYPE_MISMATCH, message))
}
