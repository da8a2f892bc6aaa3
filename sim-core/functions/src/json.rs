//! Reading `json` and `jsonb`: members, paths, containment, sets of members.

use std::collections::BTreeSet;

use rusqlite::types::Value;
use serde_json::Value as Element;
use serde_json::value::RawValue;
use sim_values::budget::Budget;

use super::text::{own, truth};
use super::{Arguments, Function};
use crate::decoded::parsing_work;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;
use sim_values::value::json::{Json, place};

const J: Type = Type::JSON;
const B: Type = Type::JSONB;
const TEXTS: Type = Type(1009);

const KEY_VALUE_JSON: &[(&str, Type)] = &[("key", Type::TEXT), ("value", J)];
const KEY_VALUE_JSONB: &[(&str, Type)] = &[("key", Type::TEXT), ("value", B)];
const KEY_VALUE_TEXT: &[(&str, Type)] = &[("key", Type::TEXT), ("value", Type::TEXT)];
const VALUE_JSON: &[(&str, Type)] = &[("value", J)];
const VALUE_JSONB: &[(&str, Type)] = &[("value", B)];
const VALUE_TEXT: &[(&str, Type)] = &[("value", Type::TEXT)];

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("->", &[B, Type::TEXT], B, |a| binary(member(&*a.document(0)?, a.text(1)))),
    Function::rust("->", &[B, Type::INT4], B, |a| binary(item(&*a.document(0)?, a.int(1)))),
    Function::rust("->>", &[B, Type::TEXT], Type::TEXT, |a| text(member(&*a.document(0)?, a.text(1)))),
    Function::rust("->>", &[B, Type::INT4], Type::TEXT, |a| text(item(&*a.document(0)?, a.int(1)))),
    Function::rust("#>", &[B, TEXTS], B, |a| binary(at_path(&*a.document(0)?, &path(a, 1)))),
    Function::rust("#>>", &[B, TEXTS], Type::TEXT, |a| text(at_path(&*a.document(0)?, &path(a, 1)))),
    Function::rust("->", &[J, Type::TEXT], J, |a| raw(raw_member(json(a)?, a.text(1)))),
    Function::rust("->", &[J, Type::INT4], J, |a| raw(raw_item(json(a)?, a.int(1)))),
    Function::rust("->>", &[J, Type::TEXT], Type::TEXT, |a| raw_text(raw_member(json(a)?, a.text(1)))),
    Function::rust("->>", &[J, Type::INT4], Type::TEXT, |a| raw_text(raw_item(json(a)?, a.int(1)))),
    Function::rust("#>", &[J, TEXTS], J, |a| raw(raw_path(json(a)?, &path(a, 1)))),
    Function::rust("#>>", &[J, TEXTS], Type::TEXT, |a| raw_text(raw_path(json(a)?, &path(a, 1)))),
    Function::rust("jsonb_extract_path", &[B, Type::TEXT], B, |a| {
        binary(at_path(&*a.document(0)?, &rest(a)))
    })
    .variadic(),
    Function::rust("jsonb_extract_path_text", &[B, Type::TEXT], Type::TEXT, |a| {
        text(at_path(&*a.document(0)?, &rest(a)))
    })
    .variadic(),
    Function::rust("json_extract_path", &[J, Type::TEXT], J, |a| raw(raw_path(json(a)?, &rest(a))))
        .variadic(),
    Function::rust("json_extract_path_text", &[J, Type::TEXT], Type::TEXT, |a| {
        raw_text(raw_path(json(a)?, &rest(a)))
    })
    .variadic(),
    Function::rust("@>", &[B, B], Type::BOOL, |a| {
        truth(contains(&*a.document(0)?, &*a.document(1)?, true, a.budget()))
    }),
    Function::rust("<@", &[B, B], Type::BOOL, |a| {
        truth(contains(&*a.document(1)?, &*a.document(0)?, true, a.budget()))
    }),
    Function::rust("?", &[B, Type::TEXT], Type::BOOL, |a| truth(has(&*a.document(0)?, a.text(1)))),
    Function::rust("?|", &[B, TEXTS], Type::BOOL, |a| {
        let (json, mut keys) = (a.document(0)?, path(a, 1).into_iter());
        truth(keys.any(|key| a.budget().draw(a.text(0).len() / 32) && has(&json, &key)))
    }),
    Function::rust("?&", &[B, TEXTS], Type::BOOL, |a| {
        let (json, mut keys) = (a.document(0)?, path(a, 1).into_iter());
        truth(keys.all(|key| a.budget().draw(a.text(0).len() / 32) && has(&json, &key)))
    }),
    Function::rust("jsonb_typeof", &[B], Type::TEXT, type_name),
    Function::rust("json_typeof", &[J], Type::TEXT, |a| own(raw_kind(a.text(0)).to_owned())),
    Function::rust("jsonb_array_length", &[B], Type::INT4, length),
    Function::rust("json_array_length", &[J], Type::INT4, |a| match raw_kind(a.text(0)) {
        "array" => Ok(Value::Integer(raw_items(a)?.len() as i64)),
        "object" => Err(invalid("cannot get array length of a non-array")),
        _ => Err(invalid("cannot get array length of a scalar")),
    }),
    Function::set("jsonb_array_elements", &[B], B, VALUE_JSONB, |a| {
        set(elements(&read(a, 0)?, "jsonb_array_elements")?.iter().map(|item| item.print().into()))
    }),
    Function::set("jsonb_array_elements_text", &[B], Type::TEXT, VALUE_TEXT, |a| {
        set(elements(&read(a, 0)?, "jsonb_array_elements_text")?.iter().map(text_element))
    }),
    Function::set("json_array_elements", &[J], J, VALUE_JSON, |a| {
        let items = match raw_kind(a.text(0)) {
            "array" => raw_items(a)?,
            _ => raw_elements(a, "json_array_elements")?,
        };
        set(items.iter().map(|item| item.get().into()))
    }),
    Function::set("json_array_elements_text", &[J], Type::TEXT, VALUE_TEXT, |a| {
        set(raw_elements(a, "json_array_elements_text")?.iter().map(|item| raw_text_element(item.get())))
    }),
    Function::set("jsonb_each", &[B], Type::RECORD, KEY_VALUE_JSONB, |a| {
        let json = read(a, 0)?;
        let members = members(&json, "jsonb_each")?;
        set(members.iter().map(|(key, value)| vec![key.as_str().into(), Element::from(value.print())].into()))
    }),
    Function::set("jsonb_each_text", &[B], Type::RECORD, KEY_VALUE_TEXT, |a| {
        let json = read(a, 0)?;
        let members = members(&json, "jsonb_each_text")?;
        set(members.iter().map(|(key, value)| vec![key.as_str().into(), text_element(value)].into()))
    }),
    Function::set("json_each", &[J], Type::RECORD, KEY_VALUE_JSON, |a| {
        set(raw_members(a, "json_each")?
            .iter()
            .map(|(key, value)| vec![Element::from(key.as_str()), Element::from(value.get())].into()))
    }),
    Function::set("json_each_text", &[J], Type::RECORD, KEY_VALUE_TEXT, |a| {
        set(raw_members(a, "json_each_text")?
            .iter()
            .map(|(key, value)| vec![Element::from(key.as_str()), raw_text_element(value.get())].into()))
    }),
    Function::set("jsonb_object_keys", &[B], Type::TEXT, &[], |a| {
        let json = read(a, 0)?;
        set(members(&json, "jsonb_object_keys")?.iter().map(|(key, _)| key.as_str().into()))
    }),
    Function::set("json_object_keys", &[J], Type::TEXT, &[], |a| {
        set(raw_members(a, "json_object_keys")?.iter().map(|(key, _)| key.as_str().into()))
    }),
];

/// The document in argument `index`, to be changed.
pub(super) fn read(a: &Arguments<'_, '_>, index: usize) -> Result<Json> {
    a.budget().work(parsing_work(a.bytes(index)))?;
    Json::parse(a.text(index))
}

/// The texts of an array in argument `index`, without nulls.
pub(super) fn path(a: &Arguments<'_, '_>, index: usize) -> Vec<String> {
    a.budget().draw(parsing_work(a.bytes(index)));
    array::elements(a.text(index)).iter().filter_map(|key| key.as_str().map(str::to_owned)).collect()
}

fn rest(a: &Arguments<'_, '_>) -> Vec<String> {
    (1..a.len()).map(|index| a.text(index).to_owned()).collect()
}

pub(super) fn set(elements: impl Iterator<Item = Element>) -> Result<Value> {
    Ok(array::of(elements.collect()))
}

fn binary(found: Option<&Json>) -> Result<Value> {
    Ok(found.map_or(Value::Null, |json| Value::Text(json.print())))
}

/// The text of a value without quotes; `None` for null.
pub(super) fn plain_text(json: &Json) -> Option<String> {
    match json {
        Json::Null => None,
        Json::String(text) => Some(text.clone()),
        other => Some(other.print()),
    }
}

fn text_element(json: &Json) -> Element {
    plain_text(json).into()
}

fn text(found: Option<&Json>) -> Result<Value> {
    Ok(found.and_then(plain_text).map_or(Value::Null, Value::Text))
}

fn member<'a>(json: &'a Json, key: &str) -> Option<&'a Json> {
    json.get(key)
}

fn item(json: &Json, index: i64) -> Option<&Json> {
    match json {
        Json::Array(items) => items.get(place(index, items.len())?),
        Json::Object(_) => None,
        // A scalar is treated as an array with itself as its only item.
        scalar => place(index, 1).map(|_| scalar),
    }
}

fn at_path<'a>(json: &'a Json, path: &[String]) -> Option<&'a Json> {
    path.iter().try_fold(json, |json, key| match json {
        Json::Array(_) => item(json, key.parse().ok()?),
        _ => json.get(key),
    })
}

/// Whether `outer` contains everything in `inner`. At the top level an array contains its items.
fn contains(outer: &Json, inner: &Json, top: bool, budget: &Budget) -> bool {
    let among = |items: &[Json], wanted: &Json| {
        // Items of other kinds cannot contain this one.
        let mut alike = items.iter().filter(|item| item.kind() == wanted.kind());
        budget.draw(items.len() / 4)
            && alike.any(|item| budget.draw(1) && contains(item, wanted, false, budget))
    };
    match (outer, inner) {
        (Json::Object(known), Json::Object(members)) => members.iter().all(|(key, value)| {
            let found = if budget.draw(known.len()) { outer.get(key) } else { None };
            found.is_some_and(|found| contains(found, value, false, budget))
        }),
        (Json::Array(items), Json::Array(wanted)) if items.len().saturating_mul(wanted.len()) > MANY => {
            let keys: BTreeSet<String> = items.iter().filter_map(key).collect();
            let fractions = items.iter().any(|item| matches!(item, Json::Number(_)) && key(item).is_none());
            wanted.iter().all(|wanted| match key(wanted) {
                Some(key) if !(fractions && matches!(wanted, Json::Number(_))) => keys.contains(&key),
                _ => among(items, wanted),
            })
        }
        (Json::Array(items), Json::Array(wanted)) => wanted.iter().all(|wanted| among(items, wanted)),
        (Json::Array(items), scalar) if top && !matches!(scalar, Json::Object(_)) => among(items, scalar),
        (outer, inner) => outer.order(inner).is_eq(),
    }
}

/// The number of comparisons above which sorting pays.
const MANY: usize = 1_000;

/// A text that is the same for equal items; `None` for numbers with a fraction, arrays and objects.
fn key(item: &Json) -> Option<String> {
    match item {
        Json::Number(number) if number.contains(['.', 'e', 'E']) => None,
        Json::Array(_) | Json::Object(_) => None,
        scalar => Some(scalar.print()),
    }
}

/// Whether `key` is a key of an object, a text in an array, or the text itself.
fn has(json: &Json, key: &str) -> bool {
    let is_key = |json: &Json| matches!(json, Json::String(text) if text == key);
    match json {
        Json::Object(_) => json.get(key).is_some(),
        Json::Array(items) => items.iter().any(is_key),
        other => is_key(other),
    }
}

fn type_name(a: &Arguments<'_, '_>) -> Result<Value> {
    own(read(a, 0)?.kind().to_owned())
}

fn invalid(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::INVALID_PARAMETER, message)
}

fn length(a: &Arguments<'_, '_>) -> Result<Value> {
    match read(a, 0)? {
        Json::Array(items) => Ok(Value::Integer(items.len() as i64)),
        Json::Object(_) => Err(invalid("cannot get array length of a non-array")),
        _ => Err(invalid("cannot get array length of a scalar")),
    }
}

/// Refuses a document that is not what a function makes a row of, or, as an array of them, rows.
pub fn check_rows_of(document: &str, function: &str) -> Result<()> {
    let starts = |text: &str, bracket: char| text.trim_start().starts_with(bracket);
    let (is_object, is_array) = (starts(document, '{'), starts(document, '['));
    if function.ends_with("record") {
        return match (is_object, is_array) {
            (true, _) => Ok(()),
            (_, true) => Err(invalid("cannot call populate_composite on an array")),
            _ => Err(invalid("cannot call populate_composite on a scalar")),
        };
    }
    if !is_array {
        return Err(invalid(match function.starts_with("jsonb") {
            true => format!("cannot call {function} on a non-array"),
            false if is_object => format!("cannot call {function} on an object"),
            false => format!("cannot call {function} on a scalar"),
        }));
    }
    let items: Vec<&RawValue> = serde_json::from_str(document).unwrap_or_default();
    match items.iter().all(|item| starts(item.get(), '{')) {
        true => Ok(()),
        false => Err(invalid(format!("argument of {function} must be an array of objects"))),
    }
}

fn elements(json: &Json, function: &str) -> Result<Vec<Json>> {
    match json {
        Json::Array(items) => Ok(items.clone()),
        Json::Object(_) if function.starts_with("jsonb") => {
            Err(invalid("cannot extract elements from an object"))
        }
        Json::Object(_) => Err(invalid(format!("cannot call {function} on a non-array"))),
        _ if function.starts_with("jsonb") => Err(invalid("cannot extract elements from a scalar")),
        _ => Err(invalid(format!("cannot call {function} on a scalar"))),
    }
}

fn members<'a>(json: &'a Json, function: &str) -> Result<&'a [(String, Json)]> {
    match json {
        Json::Object(members) => Ok(members),
        _ if function.contains("_each") && function.starts_with("jsonb") => {
            Err(invalid(format!("cannot call {function} on a non-object")))
        }
        Json::Array(_) if function.contains("_each") => {
            Err(invalid("cannot deconstruct an array as an object"))
        }
        _ if function.contains("_each") => Err(invalid("cannot deconstruct a scalar")),
        Json::Array(_) => Err(invalid(format!("cannot call {function} on an array"))),
        _ => Err(invalid(format!("cannot call {function} on a scalar"))),
    }
}

/// All members of an object, as they were written.
struct RawMembers<'a>(Vec<(String, &'a RawValue)>);

impl<'de> serde::Deserialize<'de> for RawMembers<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = RawMembers<'de>;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(
                self,
                mut map: A,
            ) -> std::result::Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(RawMembers(members))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

/// The kind of a document. Nothing of it is decoded.
fn raw_kind(text: &str) -> &'static str {
    match text.trim_start().bytes().next() {
        Some(b'{') => "object",
        Some(b'[') => "array",
        Some(b'"') => "string",
        Some(b't' | b'f') => "boolean",
        Some(b'n') => "null",
        _ => "number",
    }
}

/// The items of an array. Nothing of them is decoded.
fn raw_items<'a>(a: &'a Arguments<'_, '_>) -> Result<Vec<&'a RawValue>> {
    a.budget().work(parsing_work(a.bytes(0)))?;
    match serde_json::from_str(a.text(0)) {
        Ok(items) => Ok(items),
        Err(_) => elements(&read(a, 0)?, "json_array_elements").map(|_| Vec::new()),
    }
}

/// A text of type `json`. What it does not decode when it is stored, its readers do.
fn json<'a>(a: &'a Arguments<'_, '_>) -> Result<&'a str> {
    let text = a.text(0);
    if text.contains("\\u") {
        Json::parse(text)?;
    }
    Ok(text)
}

fn raw(found: Option<&str>) -> Result<Value> {
    Ok(found.map_or(Value::Null, |text| Value::Text(text.to_owned())))
}

fn raw_text(found: Option<&str>) -> Result<Value> {
    Ok(match found.map(raw_text_element) {
        Some(Element::String(text)) => Value::Text(text),
        _ => Value::Null,
    })
}

fn raw_text_element(raw: &str) -> Element {
    match Json::parse(raw) {
        Ok(Json::Null) => Element::Null,
        Ok(Json::String(text)) => text.into(),
        _ => raw.into(),
    }
}

fn raw_member<'a>(json: &'a str, key: &str) -> Option<&'a str> {
    let RawMembers(members) = serde_json::from_str(json).ok()?;
    members.into_iter().rev().find(|(name, _)| name == key).map(|(_, value)| value.get())
}

fn raw_item(json: &str, index: i64) -> Option<&str> {
    let items: Vec<&RawValue> = serde_json::from_str(json).ok()?;
    items.get(place(index, items.len())?).map(|item| item.get())
}

fn raw_path<'a>(json: &'a str, path: &[String]) -> Option<&'a str> {
    path.iter().try_fold(json, |json, key| match json.trim_start().starts_with('[') {
        true => raw_item(json, key.parse().ok()?),
        false => raw_member(json, key),
    })
}

fn raw_elements<'a>(a: &'a Arguments<'_, '_>, function: &str) -> Result<Vec<&'a RawValue>> {
    match serde_json::from_str(json(a)?) {
        Ok(items) => Ok(items),
        Err(_) => elements(&read(a, 0)?, function).map(|_| Vec::new()),
    }
}

fn raw_members<'a>(a: &'a Arguments<'_, '_>, function: &str) -> Result<Vec<(String, &'a RawValue)>> {
    match serde_json::from_str(json(a)?) {
        Ok(RawMembers(members)) => Ok(members),
        Err(_) => members(&read(a, 0)?, function).map(|_| Vec::new()),
    }
}
