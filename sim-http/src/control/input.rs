//! Reads path, query and body of a control call as one typed request, and names the field that is wrong.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sim_core::Error;
use sim_core::engine::json::{read_json, refuse_repeated};
use sim_core::engine::{Body, listed, near};

use super::{Declared, Input};

/// Reads the request, or returns an error that names the wrong field and what would be right.
pub(super) fn read<T: DeserializeOwned>(input: &Input<'_>, query: &str) -> Result<T, Error> {
    let mut fields = read_body(input)?;
    let mut of_query = Vec::new();
    for (name, text) in form_urlencoded::parse(query.as_bytes()) {
        let value = typed(input.declared, &name, &text);
        fields.insert(name.to_string(), value);
        of_query.push(name);
    }
    for (name, text) in input.path {
        fields.insert((*name).to_owned(), typed(input.declared, name, text));
    }
    let fields = Value::Object(fields);
    if let Some(path) = listed::path_in(&input.declared.input, input.definitions, &fields) {
        return Err(Error::invalid(format!("invalid_body.{path}"), format!("{path}: {}", listed::FIELDS)));
    }
    parse(fields).map_err(|mut error: Error| {
        let of_body = error.reason.strip_prefix("invalid_body.");
        let part = of_body.and_then(|path| {
            let name = path.split('.').next().unwrap_or_default();
            if input.path.iter().any(|(one, _)| *one == name) {
                Some(format!("invalid_path.{path}"))
            } else if of_query.iter().any(|one| one == name) {
                Some(format!("invalid_query.{path}"))
            } else {
                None
            }
        });
        if let Some(reason) = part {
            error.reason = reason.into();
        }
        error
    })
}

/// Reads a text alone, in the same way.
pub(super) fn read_text<T: DeserializeOwned>(text: &[u8]) -> Result<T, Error> {
    let value = read_json(text)?;
    refuse_repeated(text, &value)?;
    parse(value)
}

fn read_body(input: &Input<'_>) -> Result<Map<String, Value>, Error> {
    let is_empty = matches!(input.body.trim_ascii(), b"" | b"{}");
    if input.declared.entry.meta.body == Body::None && !is_empty {
        return Err(Error::invalid(
            "invalid_body",
            "body: must be empty, this operation has no fields in it",
        ));
    }
    if is_empty {
        return Ok(Map::new());
    }
    let body = read_json(input.body)?;
    refuse_repeated(input.body, &body)?;
    match body {
        Value::Object(fields) => Ok(fields),
        _ => Err(Error::invalid("invalid_body", "body: Expected object")),
    }
}

/// A text of path or query as the type that the schema of its field has.
fn typed(declared: &Declared, name: &str, text: &str) -> Value {
    let wanted = &declared.input["properties"][name]["type"];
    let wants =
        |kind: &str| *wanted == kind || wanted.as_array().is_some_and(|types| types.contains(&kind.into()));
    let number = text.parse::<u64>().ok().filter(|_| wants("integer")).map(Value::from);
    let choice = text.parse::<bool>().ok().filter(|_| wants("boolean")).map(Value::from);
    number.or(choice).unwrap_or_else(|| text.into())
}

fn parse<T: DeserializeOwned>(input: Value) -> Result<T, Error> {
    let attempt = |value: Value| serde_json::from_value::<T>(value).map_err(|error| error.to_string());
    let error = match attempt(input.clone()) {
        Ok(request) => return Ok(request),
        Err(error) => error,
    };
    let fails = |value: &Value| attempt(value.clone()).err();
    let field =
        blame(&input, &error, &fails, LOOKS / values(&input)).or_else(|| quoted(&error)).unwrap_or_default();
    let reason = if field.is_empty() { "invalid_body".to_owned() } else { format!("invalid_body.{field}") };
    let place = if field.is_empty() { "body" } else { &field };
    Err(Error::invalid(reason, format!("{place}: {}", near::explained(&error))))
}

/// How many values are read again, in all attempts together, to find the wrong field.
const LOOKS: usize = 1_000_000;

/// How many values there are in a value, itself included.
fn values(value: &Value) -> usize {
    1 + match value {
        Value::Array(list) => list.iter().map(values).sum(),
        Value::Object(object) => object.values().map(values).sum(),
        _ => 0,
    }
}

/// The dotted path of the wrong field: without it `input` fails in another way, or not at all. After so many attempts, the path
/// as far as it is known.
fn blame(
    input: &Value,
    error: &str,
    fails: &dyn Fn(&Value) -> Option<String>,
    mut attempts: usize,
) -> Option<String> {
    let mut path: Vec<String> = Vec::new();
    loop {
        let here = path.iter().try_fold(input, |value, name| value.get(name))?;
        let names: Vec<String> = here
            .as_object()
            .map(|object| object.keys().take(attempts).cloned().collect())
            .unwrap_or_default();
        attempts -= names.len();
        let wrong = names.into_iter().find(|name| {
            let without = without(input, &path, name);
            fails(&without).is_none_or(|other| other != error)
        });
        match wrong {
            Some(name) => path.push(name),
            None => return Some(path.join(".")).filter(|path| !path.is_empty()),
        }
    }
}

fn without(input: &Value, path: &[String], name: &str) -> Value {
    let mut copy = input.clone();
    let at = path.iter().try_fold(&mut copy, |value, name| value.get_mut(name));
    if let Some(Value::Object(object)) = at {
        object.remove(name);
    }
    copy
}

/// The first name in backticks, which is how serde names a missing field.
fn quoted(error: &str) -> Option<String> {
    error.split('`').nth(1).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::control::worlds::CreateWorld;

    fn refusal(input: Value) -> String {
        parse::<CreateWorld>(input).map_or_else(|error| error.to_string(), |_| "accepted".to_owned())
    }

    #[test]
    fn the_nearest_field_is_named() {
        for (input, expected) in [
            (json!({ "sed": 1 }), "did you mean `seed`?"),
            (json!({ "policy": { "rate_limit": { "cout": 1 } } }), "did you mean `count`?"),
            (json!({ "profile": { "tokenprefix": "a" } }), "did you mean `token_prefix`?"),
        ] {
            let refusal = refusal(input);
            assert!(refusal.ends_with(expected), "{refusal}");
        }
    }

    #[test]
    fn the_wrong_one_of_countless_fields_is_not_searched_for_long() {
        let mut names: Map<String, Value> = (0..200_000).map(|n| (format!("k{n}"), json!("x"))).collect();
        names.insert("last".to_owned(), json!(1));
        let refusal = refusal(json!({ "profile": { "names": names }, "seed": 1 }));
        assert!(refusal.starts_with("400 invalid_body.profile"), "{refusal}");
    }

    #[test]
    fn a_wrong_field_is_named() {
        for (input, expected) in [
            (json!({}), "accepted"),
            (
                json!({ "seed": "x" }),
                "400 invalid_body.seed: seed: invalid type: string \"x\", expected a whole number, 0 or more",
            ),
            (
                json!({ "name": "a", "sed": 1 }),
                "400 invalid_body.sed: sed: unknown field `sed`, expected one of",
            ),
            (
                json!({ "policy": { "rate_limit": { "count": -1 } } }),
                "400 invalid_body.policy.rate_limit.count: policy.rate_limit.count: invalid value: integer `-1`",
            ),
            (
                json!({ "world": { "users": [{}] } }),
                "400 invalid_body.world.users: world.users: missing field `name`",
            ),
        ] {
            let refusal = refusal(input);
            assert!(refusal.starts_with(expected), "{refusal}");
        }
    }
}
