//! Building and changing `json` and `jsonb`.

use rusqlite::types::Value;

use super::LENGTH_MAX;
use super::json::{path, read};
use super::text::own;
use super::{Arguments, Function};
use crate::decoded::parsing_work;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;
use sim_values::value::json::{Json, place, quote};

const J: Type = Type::JSON;
const B: Type = Type::JSONB;
const TEXTS: Type = Type(1009);

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("||", &[B, B], B, |a| jsonb(concatenated(read(a, 0)?, read(a, 1)?))),
    Function::rust("jsonb_concat", &[B, B], B, |a| jsonb(concatenated(read(a, 0)?, read(a, 1)?))),
    Function::rust("-", &[B, Type::TEXT], B, |a| jsonb(without_keys(read(a, 0)?, &[a.text(1).to_owned()])?)),
    Function::rust("-", &[B, TEXTS], B, |a| {
        let keys = path(a, 1);
        a.budget().work(keys.len().saturating_mul(a.text(0).len()) / 32)?;
        jsonb(without_keys(read(a, 0)?, &keys)?)
    }),
    Function::rust("-", &[B, Type::INT4], B, |a| jsonb(without_item(read(a, 0)?, a.int(1))?)),
    Function::rust("#-", &[B, TEXTS], B, |a| {
        let json = read(a, 0)?;
        require_container(&json, "delete path")?;
        jsonb(changed(json, &path(a, 1), 1, &Change::Delete)?)
    }),
    Function::rust("jsonb_set", &[B, TEXTS, B, Type::BOOL], B, |a| {
        let json = read(a, 0)?;
        require_container(&json, "set path")?;
        let create = a.is_null(3) || a.bool(3);
        jsonb(changed(json, &path(a, 1), 1, &Change::Set { value: read(a, 2)?, create })?)
    })
    .optional(1),
    Function {
        strict: false,
        ..Function::rust("jsonb_set_lax", &[B, TEXTS, B, Type::BOOL, Type::TEXT], B, set_lax).optional(2)
    },
    Function::rust("jsonb_insert", &[B, TEXTS, B, Type::BOOL], B, |a| {
        let json = read(a, 0)?;
        require_container(&json, "set path")?;
        jsonb(changed(json, &path(a, 1), 1, &Change::Insert { value: read(a, 2)?, after: a.bool(3) })?)
    })
    .optional(1),
    Function::rust("jsonb_strip_nulls", &[B], B, |a| jsonb(without_nulls(read(a, 0)?))),
    Function::rust("json_strip_nulls", &[J], J, |a| own(without_nulls(read(a, 0)?).print_compact())),
    Function::rust("jsonb_pretty", &[B], Type::TEXT, |a| {
        let mut out = String::new();
        pretty(&read(a, 0)?, 0, &mut out)?;
        own(out)
    }),
    Function::template("to_json", &[Type::AS_JSON], J, "{0}"),
    Function::template("to_jsonb", &[Type::AS_JSONB], B, "{0}"),
    Function::template("row_to_json", &[Type::AS_JSON], J, "{0}"),
    Function::template("array_to_json", &[Type::AS_JSON], J, "{0}"),
    Function::rust("row_to_json", &[Type::AS_JSON, Type::BOOL], J, in_lines),
    Function::rust("array_to_json", &[Type::AS_JSON, Type::BOOL], J, in_lines),
    Function::rust("jsonb_build_array", &[Type::AS_JSONB], B, |a| jsonb(Json::Array(all(a, 0)?)))
        .nullable()
        .variadic(),
    Function::rust("json_build_array", &[Type::AS_JSON], J, |a| {
        let items: Vec<&str> = (0..a.len()).map(|index| or_null(a, index)).collect();
        own(format!("[{}]", items.join(", ")))
    })
    .nullable()
    .variadic(),
    Function::rust("jsonb_build_object", &[Type::AS_JSONB], B, |a| {
        let members =
            pairs(a, "jsonb_build_object")?.into_iter().map(|(key, value)| Ok((key, Json::parse(value)?)));
        jsonb(Json::Object(members.collect::<Result<_>>()?))
    })
    .nullable()
    .variadic(),
    Function::rust("json_build_object", &[Type::AS_JSON], J, |a| {
        let members: Vec<String> = pairs(a, "json_build_object")?
            .into_iter()
            .map(|(key, value)| format!("{} : {value}", quote(&key)))
            .collect();
        own(format!("{{{}}}", members.join(", ")))
    })
    .nullable()
    .variadic(),
    Function::rust("jsonb_object", &[TEXTS], B, |a| jsonb(object_of_texts(a)?)),
    Function::rust("jsonb_object", &[TEXTS, TEXTS], B, |a| jsonb(object_of_two(a)?)),
    Function::rust("json_object", &[TEXTS], J, |a| own(spaced(&object_of_texts(a)?))),
    Function::rust("json_object", &[TEXTS, TEXTS], J, |a| own(spaced(&object_of_two(a)?))),
];

/// The text with each item of the whole on a line of its own, if argument 1 asks for that.
fn in_lines(a: &Arguments<'_, '_>) -> Result<Value> {
    if !a.bool(1) {
        return own(a.text(0).to_owned());
    }
    let (mut out, mut depth, mut in_string, mut escaped) = (String::new(), 0, false, false);
    for character in a.text(0).chars() {
        out.push(character);
        match character {
            _ if std::mem::take(&mut escaped) => {}
            '\\' if in_string => escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 1 => out.push_str("\n "),
            _ => {}
        }
    }
    own(out)
}

fn jsonb(json: Json) -> Result<Value> {
    own(json.canonical().print())
}

fn invalid(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::INVALID_PARAMETER, message)
}

fn concatenated(left: Json, right: Json) -> Json {
    match (left, right) {
        (Json::Object(mut members), Json::Object(others)) => {
            members.extend(others);
            Json::Object(members)
        }
        (Json::Array(mut items), Json::Array(others)) => {
            items.extend(others);
            Json::Array(items)
        }
        (Json::Array(mut items), other) => {
            items.push(other);
            Json::Array(items)
        }
        (other, Json::Array(items)) => Json::Array([vec![other], items].concat()),
        (left, right) => Json::Array(vec![left, right]),
    }
}

fn require_container(json: &Json, doing: &str) -> Result<()> {
    match json {
        Json::Array(_) | Json::Object(_) => Ok(()),
        _ => Err(invalid(format!("cannot {doing} in scalar"))),
    }
}

fn without_keys(json: Json, keys: &[String]) -> Result<Json> {
    let is_key = |text: &str| keys.iter().any(|key| key == text);
    match json {
        Json::Object(members) => {
            Ok(Json::Object(members.into_iter().filter(|(key, _)| !is_key(key)).collect()))
        }
        Json::Array(items) => {
            let stays = |item: &Json| !matches!(item, Json::String(text) if is_key(text));
            Ok(Json::Array(items.into_iter().filter(stays).collect()))
        }
        _ => Err(invalid("cannot delete from scalar")),
    }
}

fn without_item(json: Json, index: i64) -> Result<Json> {
    match json {
        Json::Array(mut items) => {
            if let Some(place) = place(index, items.len()) {
                items.remove(place);
            }
            Ok(Json::Array(items))
        }
        Json::Object(_) => Err(invalid("cannot delete from object using integer index")),
        _ => Err(invalid("cannot delete from scalar")),
    }
}

/// The change at the end of a path.
enum Change {
    Delete,
    Set { value: Json, create: bool },
    Insert { value: Json, after: bool },
}

impl Change {
    fn creates(&self) -> bool {
        !matches!(self, Change::Delete | Change::Set { create: false, .. })
    }
}

/// The document with a change at `path`. `step` is the number of the path's first step in the whole path.
fn changed(json: Json, path: &[String], step: usize, change: &Change) -> Result<Json> {
    let Some((key, rest)) = path.split_first() else { return Ok(json) };
    match json {
        Json::Object(mut members) => {
            let found = members.iter().rposition(|(name, _)| name == key);
            match (found, rest.is_empty()) {
                (Some(index), false) => {
                    let value = std::mem::replace(&mut members[index].1, Json::Null);
                    members[index].1 = changed(value, rest, step + 1, change)?;
                }
                (found, true) => change_member(&mut members, found, key, change)?,
                (None, false) => {}
            }
            Ok(Json::Object(members))
        }
        Json::Array(items) if items.is_empty() && !change.creates() => Ok(Json::Array(items)),
        Json::Array(mut items) => {
            let index: i64 = key.parse().map_err(|_| {
                let message = format!("path element at position {step} is not an integer: \"{key}\"");
                SqlError::new(SqlState::INVALID_TEXT, message)
            })?;
            let found = place(index, items.len());
            match (found, rest.is_empty()) {
                (Some(place), false) => {
                    let value = std::mem::replace(&mut items[place], Json::Null);
                    items[place] = changed(value, rest, step + 1, change)?;
                }
                (found, true) => change_item(&mut items, found, index, change),
                (None, false) => {}
            }
            Ok(Json::Array(items))
        }
        scalar => Ok(scalar),
    }
}

fn change_member(
    members: &mut Vec<(String, Json)>,
    found: Option<usize>,
    key: &str,
    change: &Change,
) -> Result<()> {
    match (change, found) {
        (Change::Delete, Some(index)) => {
            members.remove(index);
        }
        (Change::Set { value, .. }, Some(index)) => members[index].1 = value.clone(),
        (Change::Set { value, create: true } | Change::Insert { value, .. }, None) => {
            members.push((key.to_owned(), value.clone()));
        }
        (Change::Insert { .. }, Some(_)) => {
            return Err(invalid("cannot replace existing key")
                .hint("Try using the function jsonb_set to replace key value."));
        }
        (Change::Delete | Change::Set { create: false, .. }, None) => {}
    }
    Ok(())
}

fn change_item(items: &mut Vec<Json>, found: Option<usize>, index: i64, change: &Change) {
    // An index beyond an end of the array means that end.
    let end = if index < 0 { 0 } else { items.len() };
    match (change, found) {
        (Change::Delete, Some(place)) => {
            items.remove(place);
        }
        (Change::Set { value, .. }, Some(place)) => items[place] = value.clone(),
        (Change::Set { value, create: true } | Change::Insert { value, .. }, None) => {
            items.insert(end, value.clone());
        }
        (Change::Insert { value, after }, Some(place)) => {
            items.insert(place + usize::from(*after), value.clone());
        }
        (Change::Delete | Change::Set { create: false, .. }, None) => {}
    }
}

/// Removes members that are null. Items of arrays stay.
/// `jsonb_set`, which the last argument tells what to do if the new value is null.
fn set_lax(a: &Arguments<'_, '_>) -> Result<Value> {
    let treatment = if a.len() > 4 { a.text(4) } else { "use_json_null" };
    if (0..a.len()).any(|index| index != 2 && index != 4 && a.is_null(index)) {
        return Ok(Value::Null);
    }
    if a.len() > 4 && a.is_null(4)
        || !["raise_exception", "use_json_null", "delete_key", "return_target"].contains(&treatment)
    {
        let message = "null_value_treatment must be \"delete_key\", \"return_target\", \"use_json_null\", or \"raise_exception\"";
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
    }
    let json = read(a, 0)?;
    let create = a.len() < 4 || a.bool(3);
    let change = match treatment {
        _ if !a.is_null(2) => Change::Set { value: read(a, 2)?, create },
        "use_json_null" => Change::Set { value: Json::Null, create },
        "return_target" => return jsonb(json),
        "delete_key" => Change::Delete,
        _ => {
            return Err(SqlError::new(SqlState::new("22004"), "JSON value must not be null")
                .detail("Exception was raised because null_value_treatment is \"raise_exception\".")
                .hint("To avoid, either change the null_value_treatment argument or ensure that an SQL NULL is not passed."));
        }
    };
    require_container(&json, if matches!(change, Change::Delete) { "delete path" } else { "set path" })?;
    jsonb(changed(json, &path(a, 1), 1, &change)?)
}

fn without_nulls(json: Json) -> Json {
    match json {
        Json::Object(members) => Json::Object(
            members
                .into_iter()
                .filter(|(_, value)| *value != Json::Null)
                .map(|(key, value)| (key, without_nulls(value)))
                .collect(),
        ),
        Json::Array(items) => Json::Array(items.into_iter().map(without_nulls).collect()),
        other => other,
    }
}

/// Prints one line for each member or item, indented by four more blanks at each level.
fn pretty(json: &Json, depth: usize, out: &mut String) -> Result<()> {
    if out.len() > LENGTH_MAX {
        return Err(SqlError::new(SqlState::PROGRAM_LIMIT, "requested length too large"));
    }
    let indent = "    ".repeat(depth + 1);
    let close = "    ".repeat(depth);
    match json {
        Json::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                out.push_str(if index == 0 { "\n" } else { ",\n" });
                out.push_str(&indent);
                pretty(item, depth + 1, out)?;
            }
            out.push_str(&format!("\n{close}]"));
        }
        Json::Object(members) => {
            out.push('{');
            for (index, (key, value)) in members.iter().enumerate() {
                out.push_str(if index == 0 { "\n" } else { ",\n" });
                out.push_str(&format!("{indent}{}: ", quote(key)));
                pretty(value, depth + 1, out)?;
            }
            out.push_str(&format!("\n{close}}}"));
        }
        scalar => out.push_str(&scalar.print()),
    }
    Ok(())
}

fn or_null<'a>(a: &'a Arguments<'_, '_>, index: usize) -> &'a str {
    if a.is_null(index) { "null" } else { a.text(index) }
}

fn all(a: &Arguments<'_, '_>, first: usize) -> Result<Vec<Json>> {
    (first..a.len()).map(|index| Json::parse(or_null(a, index))).collect()
}

/// The keys and values of alternating arguments, the values as JSON texts.
fn pairs<'a>(a: &'a Arguments<'_, '_>, function: &str) -> Result<Vec<(String, &'a str)>> {
    if a.len() % 2 == 1 {
        return Err(invalid("argument list must have even number of elements")
            .hint(format!("The arguments of {function}() must consist of alternating keys and values.")));
    }
    (0..a.len()).step_by(2).map(|index| Ok((key(a, index, function)?, or_null(a, index + 1)))).collect()
}

fn key(a: &Arguments<'_, '_>, index: usize, function: &str) -> Result<String> {
    match Json::parse(or_null(a, index))? {
        Json::Null if function == "json_build_object" => {
            Err(invalid(format!("argument {} cannot be null", index + 1)).hint("Object keys should be text."))
        }
        Json::Null => Err(invalid(format!("argument {}: key must not be null", index + 1))),
        Json::String(text) => Ok(text),
        scalar @ (Json::Number(_) | Json::Bool(_)) => Ok(scalar.print()),
        _ => Err(invalid("key value must be scalar, not array, composite, or json")),
    }
}

/// An object from an array of texts: alternating, `{key, value, …}`, or in pairs.
fn object_of_texts(a: &Arguments<'_, '_>) -> Result<Json> {
    a.budget().work(parsing_work(a.bytes(0)))?;
    let mut texts = array::elements(a.text(0));
    if texts.iter().any(serde_json::Value::is_array) {
        texts = texts.into_iter().flat_map(|pair| pair.as_array().cloned().unwrap_or_default()).collect();
    }
    if texts.len() % 2 == 1 {
        return Err(SqlError::new(SqlState::new("2202E"), "array must have even number of elements"));
    }
    object(texts.chunks(2).map(|pair| (&pair[0], &pair[1])))
}

fn object_of_two(a: &Arguments<'_, '_>) -> Result<Json> {
    a.budget().work(parsing_work(a.bytes(0)) + parsing_work(a.bytes(1)))?;
    let (keys, values) = (array::elements(a.text(0)), array::elements(a.text(1)));
    if keys.len() != values.len() {
        return Err(SqlError::new(SqlState::new("2202E"), "mismatched array dimensions"));
    }
    object(keys.iter().zip(&values))
}

fn object<'a>(pairs: impl Iterator<Item = (&'a serde_json::Value, &'a serde_json::Value)>) -> Result<Json> {
    let members = pairs.map(|(key, value)| {
        let key = key
            .as_str()
            .ok_or_else(|| SqlError::new(SqlState::new("22004"), "null value not allowed for object key"))?;
        Ok((key.to_owned(), value.as_str().map_or(Json::Null, |text| Json::String(text.to_owned()))))
    });
    Ok(Json::Object(members.collect::<Result<_>>()?))
}

/// Prints JSON as `json_object` does.
fn spaced(json: &Json) -> String {
    match json {
        Json::Object(members) => {
            let members: Vec<String> =
                members.iter().map(|(key, value)| format!("{} : {}", quote(key), value.print())).collect();
            format!("{{{}}}", members.join(", "))
        }
        other => other.print(),
    }
}
