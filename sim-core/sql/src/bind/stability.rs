//! Decides whether an expression always has the same value for the same row, as required in indexes and generated columns.

use crate::functions::Form;
use crate::tree::{Expr, Node};
use crate::types::Type;

/// Functions whose results depend on settings of the session.
const STABLE: &[&str] = &[
    "age",
    "array_to_json",
    "convert_from",
    "convert_to",
    "enum_first",
    "enum_last",
    "enum_range",
    "array_to_string",
    "concat",
    "concat_ws",
    "current_setting",
    "format",
    "json_agg",
    "json_build_array",
    "json_build_object",
    "jsonb_build_array",
    "jsonb_build_object",
    "make_timestamptz",
    "row_to_json",
    "to_char",
    "to_date",
    "to_json",
    "to_jsonb",
    "to_number",
];

/// Functions for which this is true if an argument is a timestamp.
const STABLE_FOR_INSTANTS: &[&str] = &["date_part", "date_trunc", "extract"];

impl Expr {
    /// Whether its value depends only on its columns.
    pub(crate) fn is_immutable(&self) -> bool {
        !self.any(&mut |expr| !expr.is_steady())
    }

    /// Whether its value depends only on its operands.
    pub(crate) fn is_steady(&self) -> bool {
        !self.is_volatile() && !self.depends_on_session()
    }

    fn depends_on_session(&self) -> bool {
        let instant = |expr: &Expr| expr.type_ == Type::TIMESTAMPTZ;
        match &self.node {
            Node::Lookup { .. } => true,
            // The labels of an enum can be renamed.
            Node::Template { text, .. } => text.starts_with("pg_label") || *text == super::enums::LABELS,
            Node::Cast { expr, .. } => cast_depends(expr.type_, self.type_),
            Node::Call(call) => {
                let name = call.function.name;
                let count = call.arguments.len();
                let shifted = matches!(name, "+" | "-")
                    && call.arguments.iter().any(|argument| argument.type_ == Type::INTERVAL);
                matches!(call.function.form, Form::State(_))
                    || STABLE.contains(&name)
                    || crate::functions::text_search::takes_setting(call.function)
                    || crate::functions::trigrams::parameter(call.function).is_some()
                    || (name == "age" && count == 1)
                    || (name == "to_timestamp" && count == 2)
                    || ((shifted || STABLE_FOR_INSTANTS.contains(&name))
                        && call.arguments.iter().any(instant))
            }
            _ => false,
        }
    }
}

/// Whether a cast depends on the time zone or on the style of dates.
pub(super) fn cast_depends(from: Type, to: Type) -> bool {
    let zoned = |a: Type, b: Type| {
        a == Type::TIMESTAMPTZ && matches!(b, Type::DATE | Type::TIMESTAMP | Type::TIMESTAMPTZ | Type::TIME)
    };
    let printed = |type_: Type| {
        matches!(type_, Type::DATE | Type::TIMESTAMP | Type::TIMESTAMPTZ | Type::INTERVAL)
            || type_.element().is_some()
    };
    (from != to && (zoned(from, to) || zoned(to, from)))
        || ((printed(from) || from.is_user()) && to.is_string())
        || (from.is_string() && (printed(to) || to == Type::TIME))
}
