//! Values of events: JSON texts, and their conversion to values of a type.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::fmt::Write;

use rusqlite::Result;
use rusqlite::types::Value;
use serde_json::Value as Json;

use crate::encode::json_of;

use super::{Arguments, Function, fail, instant, number, optional, or_fail};

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_text", call: |a| optional(text(a.text(0))) },
    Function { name: "wh_number", call: |a| Ok(number_of(a.text(0))) },
    Function {
        name: "wh_only_number",
        call: |a| Ok(if is_number(a.text(0)) { number_of(a.text(0)) } else { Value::Null }),
    },
    Function { name: "wh_integer", call: integer },
    Function { name: "wh_bool", call: boolean },
    Function {
        name: "wh_compare",
        call: |a| optional(compare(a.text(0), a.text(1)).map(|order| order as i64)),
    },
    Function { name: "wh_path", call: path },
    Function { name: "wh_event_int64", call: event_int64 },
    Function { name: "wh_event_timestamp", call: event_timestamp },
    Function { name: "wh_json_text", call: |a| Ok(canonical(&parse(a.text(0))?).into()) },
    Function { name: "wh_json_at", call: |a| at_path(a, |_| true) },
    Function {
        name: "wh_json_scalar",
        call: |a| at_path(a, |found| !found.is_array() && !found.is_object()),
    },
    Function { name: "wh_json_type", call: kind },
    Function {
        name: "wh_try_json",
        call: |a| optional(serde_json::from_str::<Json>(a.text(0)).ok().map(|json| json.to_string())),
    },
    Function { name: "wh_json_texts", call: texts },
    Function { name: "wh_json_parts", call: parts },
    Function { name: "wh_json_keys", call: keys },
    Function { name: "wh_json_own_keys", call: own_keys },
    Function {
        name: "wh_map_entries",
        call: |a| map_list(a, |(key, value)| serde_json::json!({ "_field_1": key, "_field_2": value })),
    },
    Function { name: "wh_map_of", call: map_of },
    Function { name: "wh_map_value", call: map_value },
    Function { name: "wh_flat_texts", call: flat_texts },
    Function { name: "wh_along", call: along },
    Function {
        name: "wh_json_put",
        call: |a| {
            let steps: Vec<&str> = a.text(1).split('.').collect();
            Ok(put(parse(a.text(0))?, &steps, parse(a.text(2))?).to_string().into())
        },
    },
    Function {
        name: "wh_json_cut",
        call: |a| {
            let steps: Vec<&str> = a.text(1).split('.').collect();
            Ok(cut(parse(a.text(0))?, &steps).to_string().into())
        },
    },
    Function { name: "wh_shown", call: |a| optional(shown_at_top(&parse(a.text(0))?)) },
    Function { name: "wh_map_totals", call: map_totals },
    Function {
        name: "wh_map_text",
        call: |a| {
            let map = parse(a.text(0))?;
            Ok(map.get(a.text(1)).and_then(|value| text(&value.to_string())).unwrap_or_default().into())
        },
    },
    Function { name: "wh_map_keys", call: |a| map_list(a, |(key, _)| key.into()) },
    Function { name: "wh_map_values", call: |a| map_list(a, |(_, value)| value) },
    Function { name: "wh_parse_json", call: |a| Ok(read(a.text(0))?.to_string().into()) },
];

/// Reads a value of these functions and SQLite's.
pub(super) fn parse(text: &str) -> Result<Json> {
    json_of(text).map_or_else(|| read(text), Ok)
}

/// Reads a text that somebody wrote.
fn read(text: &str) -> Result<Json> {
    serde_json::from_str(text).or_else(|_| fail(format!("Failed to parse input string {text:?} as JSON")))
}

/// The text of a value. For an object or list it is the JSON. A null has none.
pub(super) fn text(json: &str) -> Option<String> {
    match json {
        json if json.starts_with(['{', '[']) => json_of(json).as_ref().map(canonical),
        "null" => None,
        json if json.starts_with('"') => serde_json::from_str(json).ok(),
        json => Some(json.to_owned()),
    }
}

fn is_number(json: &str) -> bool {
    json.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

/// The number that a value is, or that its text contains.
pub(super) fn number_of(json: &str) -> Value {
    text(json).map_or(Value::Null, |text| number::parse(&text))
}

fn integer(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(match number_of(a.text(0)) {
        Value::Real(real) => number::rounded(real).map_or(Value::Null, Value::Integer),
        other => other,
    })
}

fn boolean(a: &Arguments<'_, '_>) -> Result<Value> {
    optional(text(a.text(0)).and_then(|text| number::parse_bool(&text)))
}

/// Numbers are compared as numbers, other values as text. A null is comparable with nothing.
pub(super) fn compare(one: &str, other: &str) -> Option<Ordering> {
    if is_number(one) && is_number(other) {
        let (one, other) = (number_of(one), number_of(other));
        return number::compare(&one, &other);
    }
    Some(text(one)?.cmp(&text(other)?))
}

/// Orders values so that equal ones are equal. The order has no other meaning.
pub(super) fn compare_texts(one: &str, other: &str) -> Ordering {
    if one == other {
        return Ordering::Equal;
    }
    match compare(one, other) {
        Some(Ordering::Equal) if is_number(one) == is_number(other) => Ordering::Equal,
        Some(Ordering::Equal) | None => one.cmp(other),
        Some(order) => order,
    }
}

/// `$."a"."b"`. For a list on the path, its first element that has the rest of the path is used.
fn path(a: &Arguments<'_, '_>) -> Result<Value> {
    let keys: Vec<&str> = a.text(1).trim_start_matches("$.").trim_matches('"').split("\".\"").collect();
    let Ok(value) = serde_json::from_str::<Json>(a.text(0)) else { return Ok(Value::Null) };
    optional(follow(&value, &keys).filter(|found| !found.is_null()).map(Json::to_string))
}

fn follow<'v>(value: &'v Json, keys: &[&str]) -> Option<&'v Json> {
    let [key, rest @ ..] = keys else { return Some(value) };
    match value {
        Json::Object(fields) => follow(fields.get(*key)?, rest),
        Json::Array(elements) => {
            elements.iter().filter(|element| element.is_object()).find_map(|element| follow(element, keys))
        }
        _ => None,
    }
}

fn event_int64(a: &Arguments<'_, '_>) -> Result<Value> {
    let Some(text) = text(a.text(0)) else { return Ok(Value::Null) };
    let found = match is_number(a.text(0)) {
        true => match number::parse(&text) {
            Value::Integer(whole) => Some(whole),
            Value::Real(real) => number::rounded(real),
            _ => None,
        },
        false => match a.text(0) {
            "true" => Some(1),
            "false" => Some(0),
            _ => number::parse_int64(&text),
        },
    };
    or_fail(found, a.safe(1), || format!("Bad int64 value: {text}"))
}

/// Reads a timestamp. A number counts microseconds.
fn event_timestamp(a: &Arguments<'_, '_>) -> Result<Value> {
    if is_number(a.text(0)) {
        return integer(a);
    }
    let Some(text) = text(a.text(0)) else { return Ok(Value::Null) };
    or_fail(instant::parse_timestamp(&text), a.safe(1), || format!("Invalid timestamp: '{text}'"))
}

/// JSON without blanks. Keys are ordered by length and then by bytes.
fn canonical(value: &Json) -> String {
    let mut out = String::new();
    print(value, &mut out);
    out
}

fn print(value: &Json, out: &mut String) {
    match value {
        Json::Object(fields) => {
            let mut fields: Vec<_> = fields.iter().collect();
            fields.sort_by_key(|(key, _)| (key.len(), key.as_bytes()));
            out.push('{');
            for (index, (key, value)) in fields.into_iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                let _ = write!(out, "{comma}{}:", Json::from(key.as_str()));
                print(value, out);
            }
            out.push('}');
        }
        Json::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                print(element, out);
            }
            out.push(']');
        }
        other => out.push_str(&other.to_string()),
    }
}

fn at_path(a: &Arguments<'_, '_>, wanted: fn(&Json) -> bool) -> Result<Value> {
    let Ok(value) = serde_json::from_str::<Json>(a.text(0)) else { return Ok(Value::Null) };
    let Some(steps) = steps(a.text(1)) else {
        return fail(format!("Invalid JSONPath: {}", a.text(1)));
    };
    let found = steps.iter().try_fold(&value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::Index(index) => value.get(index),
        Step::Place(place) => at_place(value, *place),
    });
    optional(found.filter(|found| !found.is_null() && wanted(found)).map(Json::to_string))
}

/// The element of a list, or the member of an object, at a place counted from 1, or from the end if negative.
fn at_place(value: &Json, place: i64) -> Option<&Json> {
    let count = match value {
        Json::Array(items) => items.len(),
        Json::Object(fields) => fields.len(),
        _ => return None,
    };
    let index = if place < 0 { place.checked_add(count as i64)? } else { place.checked_sub(1)? };
    let index = usize::try_from(index).ok()?;
    match value {
        Json::Object(fields) => fields.values().nth(index),
        list => list.get(index),
    }
}

enum Step {
    Key(String),
    Index(usize),
    /// Only the translation of the columnar dialect writes it, as `#2`.
    Place(i64),
}

/// `$.a.b[0]['c']."d"`
fn steps(path: &str) -> Option<Vec<Step>> {
    let mut rest = path.strip_prefix('$')?;
    let mut steps = Vec::new();
    while !rest.is_empty() {
        let (step, after) = if let Some(inner) = rest.strip_prefix('[') {
            let (inner, after) = inner.split_once(']')?;
            let quoted = inner.strip_prefix('\'').and_then(|inner| inner.strip_suffix('\''));
            match quoted {
                Some(key) => (Step::Key(key.to_owned()), after),
                None => (Step::Index(inner.parse().ok()?), after),
            }
        } else if let Some(inner) = rest.strip_prefix('#') {
            let end = inner.find(['.', '#']).unwrap_or(inner.len());
            (Step::Place(inner[..end].parse().ok()?), &inner[end..])
        } else {
            let inner = rest.strip_prefix('.')?;
            match inner.strip_prefix('"') {
                Some(inner) => {
                    let (key, after) = inner.split_once('"')?;
                    (Step::Key(key.to_owned()), after)
                }
                None => {
                    let end = inner.find(['.', '[']).unwrap_or(inner.len());
                    (Step::Key(inner[..end].to_owned()), &inner[end..])
                }
            }
        };
        if matches!(&step, Step::Key(key) if key.is_empty()) {
            return None;
        }
        steps.push(step);
        rest = after;
    }
    Some(steps)
}

fn kind(a: &Arguments<'_, '_>) -> Result<Value> {
    let name = match parse(a.text(0))? {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "number",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    Ok(name.to_owned().into())
}

/// The list at a path.
fn list_at(a: &Arguments<'_, '_>) -> Result<Option<Vec<Json>>> {
    Ok(match at_path(a, Json::is_array)? {
        Value::Text(list) => serde_json::from_str(&list).ok(),
        _ => None,
    })
}

/// The texts of a list of scalars; null for any other value.
fn texts(a: &Arguments<'_, '_>) -> Result<Value> {
    let Some(list) = list_at(a)? else { return Ok(Value::Null) };
    let is_scalar = |element: &Json| !element.is_array() && !element.is_object();
    if !list.iter().all(is_scalar) {
        return Ok(Value::Null);
    }
    let texts = list.iter().map(|element| text(&element.to_string()).map_or(Json::Null, Json::String));
    Ok(Json::Array(texts.collect()).to_string().into())
}

/// The elements of a list, each as a text of JSON.
fn parts(a: &Arguments<'_, '_>) -> Result<Value> {
    let Some(list) = list_at(a)? else { return Ok(Value::Null) };
    let texts = list.iter().map(|element| Json::String(canonical(element)));
    Ok(Json::Array(texts.collect()).to_string().into())
}

/// The values at the end of a path, in every element of the lists on the way; null for one that is missing.
fn along(a: &Arguments<'_, '_>) -> Result<Value> {
    fn add(value: &Json, path: &[&str], found: &mut Vec<Json>) {
        match (value, path) {
            (Json::Array(items), _) => items.iter().for_each(|item| add(item, path, found)),
            (value, []) => found.push(value.clone()),
            (value, [first, rest @ ..]) => add(value.get(first).unwrap_or(&Json::Null), rest, found),
        }
    }
    let path: Vec<&str> = a.text(1).split('.').filter(|step| !step.is_empty()).collect();
    let mut found = Vec::new();
    add(&parse(a.text(0))?, &path, &mut found);
    Ok(Json::Array(found).to_string().into())
}

/// The scalars in an object, as texts by their paths. A list of scalars is its JSON; elements of other lists have the path of the
/// list, and the last one counts.
fn flat_texts(a: &Arguments<'_, '_>) -> Result<Value> {
    fn add(value: &Json, path: &str, found: &mut BTreeMap<String, String>) {
        match value {
            Json::Object(fields) => {
                for (key, inner) in fields {
                    let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                    add(inner, &path, found);
                }
            }
            Json::Array(items) if !items.iter().any(|item| item.is_object() || item.is_array()) => {
                found.insert(path.to_owned(), canonical(value));
            }
            Json::Array(items) => items.iter().for_each(|item| add(item, path, found)),
            scalar => {
                found.extend(text(&scalar.to_string()).map(|text| (path.to_owned(), text)));
            }
        }
    }
    let mut found = BTreeMap::new();
    add(&parse(a.text(0))?, "", &mut found);
    found.remove("");
    Ok(serde_json::json!(found).to_string().into())
}

/// The entries of a map, sorted by key.
fn map_list(a: &Arguments<'_, '_>, part: fn((String, Json)) -> Json) -> Result<Value> {
    let Json::Object(map) = parse(a.text(0))? else { return Ok("[]".to_owned().into()) };
    let sorted: BTreeMap<_, _> = map.into_iter().collect();
    Ok(Json::from_iter(sorted.into_iter().map(part)).to_string().into())
}

/// The keys of an object, as they come.
fn own_keys(a: &Arguments<'_, '_>) -> Result<Value> {
    let Ok(Json::Object(fields)) = serde_json::from_str(a.text(0)) else { return Ok("[]".to_owned().into()) };
    Ok(Json::from_iter(fields.keys().map(|key| Json::from(key.as_str()))).to_string().into())
}

/// The value of a key in a map. Where there is none it is zero in a map of numbers, else an empty text.
fn map_value(a: &Arguments<'_, '_>) -> Result<Value> {
    let Json::Object(fields) = parse(a.text(0))? else { return Ok(Value::Null) };
    let zero = || match fields.values().next() {
        Some(Json::Number(_)) => Json::from(0),
        _ => Json::from(""),
    };
    Ok(fields.get(a.text(1)).cloned().unwrap_or_else(zero).to_string().into())
}

/// A map of a list of pairs. Keys are texts.
fn map_of(a: &Arguments<'_, '_>) -> Result<Value> {
    let Json::Array(pairs) = parse(a.text(0))? else { return Ok("{}".to_owned().into()) };
    let entry = |pair: &Json| {
        let key = text(&pair.get("_field_1")?.to_string())?;
        Some((key, pair.get("_field_2").cloned().unwrap_or_default()))
    };
    let map: BTreeMap<_, _> = pairs.iter().filter_map(entry).collect();
    Ok(serde_json::json!(map).to_string().into())
}

/// The value with another one at a path. Members on the way that are missing or null are made; other values stay.
fn put(value: Json, steps: &[&str], new: Json) -> Json {
    let [first, rest @ ..] = steps else { return new };
    match value {
        Json::Object(mut fields) => {
            let inner = fields.get(*first).cloned().unwrap_or_default();
            fields.insert((*first).to_owned(), put(inner, rest, new));
            Json::Object(fields)
        }
        Json::Null => put(Json::Object(serde_json::Map::new()), steps, new),
        other => other,
    }
}

/// The value without the member at a path.
fn cut(value: Json, steps: &[&str]) -> Json {
    match (value, steps) {
        (Json::Object(mut fields), [only]) => {
            fields.shift_remove(*only);
            Json::Object(fields)
        }
        (Json::Object(mut fields), [first, rest @ ..]) => {
            if let Some(inner) = fields.get_mut(*first) {
                *inner = cut(inner.take(), rest);
            }
            Json::Object(fields)
        }
        (other, _) => other,
    }
}

/// The text of a value in the columnar dialect: `{'key':1}`, `['a']`, `(1,'a')`.
fn shown_at_top(value: &Json) -> Option<String> {
    match value {
        Json::Null => None,
        Json::String(text) => Some(text.clone()),
        other => Some(shown(other)),
    }
}

fn shown(value: &Json) -> String {
    let quoted = |text: &str| format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"));
    match value {
        Json::Null => "NULL".to_owned(),
        Json::String(text) => quoted(text),
        Json::Number(number) if !number.is_i64() && !number.is_u64() => {
            number::float_text(number.as_f64().unwrap_or_default())
        }
        Json::Array(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(",")),
        Json::Object(fields) if !fields.is_empty() && fields.keys().all(|key| key.starts_with("_field_")) => {
            format!("({})", fields.values().map(shown).collect::<Vec<_>>().join(","))
        }
        Json::Object(fields) => {
            let sorted: BTreeMap<_, _> = fields.iter().collect();
            let pairs = sorted.into_iter().map(|(key, value)| format!("{}:{}", quoted(key), shown(value)));
            format!("{{{}}}", pairs.collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}

/// The sum, least or greatest number of each key in a list of maps.
fn map_totals(a: &Arguments<'_, '_>) -> Result<Value> {
    let Json::Array(maps) = parse(a.text(0))? else { return Ok("{}".to_owned().into()) };
    let mut totals = BTreeMap::<String, f64>::new();
    let mut whole = true;
    for (key, value) in maps.iter().filter_map(Json::as_object).flatten() {
        let Some(number) = value.as_f64() else { return fail("such an aggregate takes maps of numbers") };
        whole &= value.is_i64() && number.abs() < 9e15;
        let total = totals.get(key).copied();
        totals.insert(
            key.clone(),
            match (total, a.text(1)) {
                (None, _) => number,
                (Some(total), "sum") => total + number,
                (Some(total), "min") => total.min(number),
                (Some(total), _) => total.max(number),
            },
        );
    }
    let number = |total: f64| if whole { Json::from(total as i64) } else { Json::from(total) };
    let totals: serde_json::Map<_, _> = totals.into_iter().map(|(key, total)| (key, number(total))).collect();
    Ok(Json::Object(totals).to_string().into())
}

/// Every key of an object and of the objects in it, as paths in the order of their code points.
fn keys(a: &Arguments<'_, '_>) -> Result<Value> {
    fn add(value: &Json, before: &str, found: &mut Vec<String>) {
        let Json::Object(fields) = value else { return };
        for (key, inner) in fields {
            let path = if before.is_empty() { key.clone() } else { format!("{before}.{key}") };
            found.push(path.clone());
            add(inner, &path, found);
        }
    }
    let mut found = Vec::new();
    add(&parse(a.text(0))?, "", &mut found);
    found.sort();
    Ok(Json::from(found).to_string().into())
}
