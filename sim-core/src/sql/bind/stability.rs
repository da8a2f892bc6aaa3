//! Whether an expression always has the same value for the same row, as indexes and generated columns need it.

use crate::sql::functions::Form;
use crate::sql::tree::{Expr, Node};
use crate::sql::types::Type;

/// Functions whose answers depend on settings of the session.
const STABLE: &[&str] = &[
    "age",
    "array_to_json",
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
    "quote_nullable",
    "row_to_json",
    "to_char",
    "to_date",
    "to_json",
    "to_jsonb",
    "to_number",
    "to_timestamp",
];

/// The same where an instant is among the arguments.
const STABLE_FOR_INSTANTS: &[&str] = &["+", "-", "date_part", "date_trunc", "extract"];

impl Expr {
    /// Whether nothing but its columns decides its value.
    pub(crate) fn is_immutable(&self) -> bool {
        !self.any(&mut |expr| expr.is_volatile() || expr.depends_on_session())
    }

    fn depends_on_session(&self) -> bool {
        let instant = |expr: &Expr| expr.type_ == Type::TIMESTAMPTZ;
        match &self.node {
            Node::Cast { expr, .. } => cast_depends(expr.type_, self.type_),
            Node::Call(call) => {
                let name = call.function.name;
                matches!(call.function.form, Form::State(_))
                    || STABLE.contains(&name)
                    || (STABLE_FOR_INSTANTS.contains(&name) && call.arguments.iter().any(instant))
            }
            _ => false,
        }
    }
}

/// Whether a cast asks for the time zone or the style of dates.
fn cast_depends(from: Type, to: Type) -> bool {
    let dated = |type_: Type| matches!(type_, Type::DATE | Type::TIMESTAMP | Type::TIMESTAMPTZ | Type::TIME);
    match (from, to) {
        (Type::TIMESTAMPTZ, to) if dated(to) || to.is_string() => true,
        (from, Type::TIMESTAMPTZ) if dated(from) || from.is_string() => true,
        (from, to) => (dated(from) && to.is_string()) || (from.is_string() && dated(to)),
    }
}
