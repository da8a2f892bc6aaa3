//! Why an event can't be stored: its lists fit no column type. For valid events, their columns.

use std::collections::BTreeMap;

use serde_json::{Map, Value};
use sim_base::Timestamp;

pub(crate) const NESTED: &str = "Nested lists of lists are not allowed";
pub(crate) const MIXED: &str = "Validation error: values with the same field path must have the same type.";
pub(crate) const DEEP: &str = "Validation error: an event must not nest more than 50 levels deep.";
pub(crate) const NO_OBJECT: &str = "Validation error: an event must be an object.";

/// How many different fields the events of a delivery have at most. Each is a column of the source from then on, and takes much more
/// than the few bytes of its name in a body.
pub(crate) const FIELDS_MAX: usize = 20_000;

/// The error for an event with which its delivery would have more fields.
pub(crate) fn wide() -> String {
    format!(
        "Validation error: the events of a delivery must not have more than {FIELDS_MAX} different fields."
    )
}

/// The error for an event further in the future than the policy allows: one of the two clocks must be wrong.
pub(crate) fn ahead(timestamp: i64, now: Timestamp) -> String {
    let timestamp = Timestamp::from_microsecond(timestamp)
        .map_or_else(|_| timestamp.to_string(), |instant| instant.to_string());
    format!("Validation error: timestamp {timestamp} is too far ahead of the server's clock, {now}.")
}

/// How many reasons an answer names.
const REASONS_NAMED: usize = 100;

/// The reasons for the events of a delivery that can't be stored, as one text.
pub(crate) fn joined(reasons: &[String]) -> String {
    let named = reasons[..reasons.len().min(REASONS_NAMED)].join(", ");
    match reasons.len() - reasons.len().min(REASONS_NAMED) {
        0 => named,
        more => format!("{named}, and {more} more"),
    }
}

/// The deepest nesting of an event. In an answer, each object is in a list, and JSON may not nest more than 128 levels deep.
pub(crate) const DEPTH_MAX: usize = 50;

fn is_deep(value: &Value, left: usize) -> bool {
    let Some(left) = left.checked_sub(1) else { return value.is_object() || value.is_array() };
    match value {
        Value::Object(object) => object.values().any(|inner| is_deep(inner, left)),
        Value::Array(list) => list.iter().any(|inner| is_deep(inner, left)),
        _ => false,
    }
}

/// The columns of an event by path, with their types; or the reason why it is invalid.
pub(crate) fn columns(body: &Map<String, Value>) -> Result<BTreeMap<String, String>, &'static str> {
    if body.values().any(|value| is_deep(value, DEPTH_MAX - 1)) {
        return Err(DEEP);
    }
    let mut columns = BTreeMap::new();
    add_object("", body, &mut columns)?;
    Ok(columns)
}

fn add_object(
    path: &str,
    object: &Map<String, Value>,
    columns: &mut BTreeMap<String, String>,
) -> Result<(), &'static str> {
    for (name, value) in object {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        add(path, value, columns)?;
    }
    Ok(())
}

fn add(path: String, value: &Value, columns: &mut BTreeMap<String, String>) -> Result<(), &'static str> {
    let kind = match value {
        Value::Null => return Ok(()),
        Value::Object(object) => return add_object(&path, object, columns),
        Value::Array(list) => return add_list(path, list, columns),
        scalar => type_of(scalar).to_owned(),
    };
    insert(path, kind, columns)
}

fn add_list(
    path: String,
    list: &[Value],
    columns: &mut BTreeMap<String, String>,
) -> Result<(), &'static str> {
    if list.iter().any(Value::is_array) {
        return Err(NESTED);
    }
    let Some(first) = list.first() else { return Ok(()) };
    let kind = list.iter().map(type_of).try_fold(type_of(first), wider).ok_or(MIXED)?;
    if !first.is_object() {
        return insert(path, format!("array<{kind}>"), columns);
    }
    // The objects share their columns, so a path has the same type in all of them.
    list.iter().filter_map(Value::as_object).try_for_each(|object| add_object(&path, object, columns))
}

/// The type of a list that contains both; integers and floats are numbers.
fn wider(one: &'static str, other: &'static str) -> Option<&'static str> {
    match (one, other) {
        _ if one == other => Some(one),
        ("integer" | "float", "integer" | "float") => Some("float"),
        _ => None,
    }
}

fn insert(path: String, kind: String, columns: &mut BTreeMap<String, String>) -> Result<(), &'static str> {
    const NUMBERS: [[&str; 2]; 2] = [["integer", "float"], ["array<integer>", "array<float>"]];
    let kind = match columns.get(&path) {
        Some(before) if *before != kind => {
            let are_these = |numbers: &[&str; 2]| numbers.contains(&&**before) && numbers.contains(&&*kind);
            let [_, float] = NUMBERS.into_iter().find(are_these).ok_or(MIXED)?;
            float.to_owned()
        }
        _ => kind,
    };
    columns.insert(path, kind);
    Ok(())
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "float",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn of(body: Value) -> Result<Value, &'static str> {
        let Value::Object(body) = body else { panic!("an object") };
        columns(&body).map(|columns| json!(columns))
    }

    #[test]
    fn columns_have_paths_and_types() {
        let body = json!({ "a": 1, "b": { "c": 1.5, "d": ["x"] }, "e": [{ "f": true }, { "g": "" }] });
        let columns = json!({ "a": "integer", "b.c": "float", "b.d": "array<string>", "e.f": "boolean", "e.g": "string" });
        assert_eq!(of(body), Ok(columns));
    }

    #[test]
    fn an_event_may_nest_50_levels() {
        let nested = |levels| (1..levels).fold(json!({ "a": 1 }), |inner, _| json!({ "a": inner }));
        assert!(of(nested(DEPTH_MAX)).is_ok());
        assert_eq!(of(nested(DEPTH_MAX + 1)), Err(DEEP));
    }

    #[test]
    fn integers_and_floats_are_numbers() {
        let rows = [
            (json!({ "a": [1, 1.5] }), json!({ "a": "array<float>" })),
            (json!({ "a": [{ "b": 1.5 }, { "b": 1 }] }), json!({ "a.b": "float" })),
            (json!({ "a": [{ "b": [1] }, { "b": [0.5, 1] }] }), json!({ "a.b": "array<float>" })),
        ];
        rows.into_iter().for_each(|(body, expected)| assert_eq!(of(body), Ok(expected)));
    }

    #[test]
    fn lists_that_no_column_can_hold_are_distinguished() {
        let rows = [
            (json!({ "a": [[1]] }), NESTED),
            (json!({ "a": { "b": [{ "c": [[1]] }] } }), NESTED),
            (json!({ "a": [1, "x"] }), MIXED),
            (json!({ "a": [1, {}] }), MIXED),
            (json!({ "a": [{ "b": 1 }, { "b": "x" }] }), MIXED),
            (json!({ "a": [{ "b": [1] }, { "b": 1 }] }), MIXED),
        ];
        for (body, message) in rows {
            assert_eq!(of(body.clone()), Err(message), "{body}");
        }
    }
}
