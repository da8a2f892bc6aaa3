//! Labels of enums: functions that return them, and those that nothing may use yet.

use rusqlite::types::Value;
use serde_json::json;

use super::{Binder, Clause};
use crate::error::{Result, SqlError, SqlState};
use crate::tree::Expr;
use crate::types::Type;

/// Labels as they are now.
pub(super) const LABELS: &str = "({0})";

/// The refusal of a label that the same transaction has added.
pub(crate) fn unsettled(label: &str, type_name: &str) -> SqlError {
    let message = format!("unsafe use of new value \"{label}\" of enum type {type_name}");
    SqlError::new(SqlState::new("55P04"), message)
        .hint("New enum values must be committed before they can be used.")
}

impl Binder<'_> {
    /// Whether the transaction has added a label.
    pub(super) fn is_fresh(&self, type_: Type, label: &str) -> bool {
        self.settings.fresh.iter().any(|(of, known)| *of == type_.0 && known == label)
    }

    /// Refuses a label that the transaction has added.
    pub(super) fn require_settled(&self, type_: Type, label: &str) -> Result<()> {
        match self.is_fresh(type_, label) {
            true => Err(unsettled(label, &self.catalog.type_name(type_, -1))),
            false => Ok(()),
        }
    }

    /// Binds a function that returns labels of its arguments' enum type. With one argument its value does not matter.
    pub(super) fn enum_labels(&self, called: &str, arguments: &[Expr]) -> Result<Option<Expr>> {
        let labels = self.labels_now(called, arguments)?;
        // Later labels would change what indexes and generated columns hold.
        let holds = matches!(self.clause, Clause::Index | Clause::Generated);
        Ok(labels.map(|labels| match holds {
            true => Expr::template(LABELS, vec![labels.clone()], labels.type_),
            false => labels,
        }))
    }

    fn labels_now(&self, called: &str, arguments: &[Expr]) -> Result<Option<Expr>> {
        // No value of a domain is one of `anyenum`.
        let mut types = arguments.iter().map(|argument| argument.type_);
        let Some((type_, labels)) = types.find_map(|type_| Some((type_, self.catalog.labels(type_)?))) else {
            return Ok(None);
        };
        if arguments.iter().any(|argument| ![type_, Type::UNKNOWN].contains(&argument.type_)) {
            return Ok(None);
        }
        // The error about a label that may not be used yet has no place: it comes up when the function runs.
        let one = |label: Option<&String>| match label {
            Some(label) if self.is_fresh(type_, label) => {
                let label = Expr::literal(label.clone(), Type::TEXT);
                Ok(Some(self.cast(label, type_.plain())?))
            }
            label => Ok(Some(Expr::literal(label.map_or(Value::Null, |label| label.clone().into()), type_))),
        };
        let Some(array) = type_.array() else { return Ok(None) };
        let list = json!(labels).to_string();
        match (called, arguments) {
            ("enum_first", [_]) => one(labels.first()),
            ("enum_last", [_]) => one(labels.last()),
            ("enum_range", [_]) => match labels.iter().find(|label| self.is_fresh(type_, label)) {
                Some(label) => Ok(one(Some(label))?.map(|label| Expr { type_: array, ..label })),
                None => Ok(Some(Expr::literal(list, array))),
            },
            ("enum_range", [from, to]) => {
                let operands = vec![
                    self.implicit(from.clone(), type_)?,
                    self.implicit(to.clone(), type_)?,
                    Expr::literal(list, Type::TEXT),
                ];
                let text = "(SELECT json_group_array(value) FROM json_each({2}) WHERE \
                            key >= coalesce((SELECT key FROM json_each({2}) WHERE value = {0}), 0) AND \
                            key <= coalesce((SELECT key FROM json_each({2}) WHERE value = {1}), 1e9))";
                Ok(Some(Expr::template(text, operands, array)))
            }
            _ => Ok(None),
        }
    }
}
