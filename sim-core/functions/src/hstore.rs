//! Functions and operators of the extension `hstore`.

use std::cmp::Ordering;

use rusqlite::types::Value;
use serde_json::Value as Element;

use super::text::{own, truth};
use super::{Arguments, Function, hash};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;
use sim_values::value::hstore::{self, Pairs};
use sim_values::value::json::{self, Json};

const H: Type = Type::HSTORE;
const T: Type = Type::TEXT;
const TEXTS: Type = Type(1009);
const BOOL: Type = Type::BOOL;
const BOTH: &[Type] = &[H, H];

/// The function that makes a set of names and values, which the binder calls for a row.
pub const OF_ROW: &str = "pg_hstore_row";

/// The function that sets one value, which the binder calls for an assignment.
pub const WITH: &str = "pg_hstore_with";

/// The columns of `each`.
const PAIR: &[(&str, Type)] = &[("key", T), ("value", T)];

pub(super) static FUNCTIONS: &[Function] = &[
    of("->", &[H, T], T, fetch),
    of("fetchval", &[H, T], T, fetch),
    of("->", &[H, TEXTS], TEXTS, fetch_all),
    of("slice_array", &[H, TEXTS], TEXTS, fetch_all),
    of("slice", &[H, TEXTS], H, slice),
    of("?", &[H, T], BOOL, |a| truth(value(a)?.is_some())),
    of("exist", &[H, T], BOOL, |a| truth(value(a)?.is_some())),
    of("isexists", &[H, T], BOOL, |a| truth(value(a)?.is_some())),
    of("defined", &[H, T], BOOL, |a| truth(value(a)?.flatten().is_some())),
    of("isdefined", &[H, T], BOOL, |a| truth(value(a)?.flatten().is_some())),
    of("?|", &[H, TEXTS], BOOL, |a| truth(has(a)?.contains(&true))),
    of("exists_any", &[H, TEXTS], BOOL, |a| truth(has(a)?.contains(&true))),
    of("?&", &[H, TEXTS], BOOL, |a| truth(!has(a)?.contains(&false))),
    of("exists_all", &[H, TEXTS], BOOL, |a| truth(!has(a)?.contains(&false))),
    of("-", &[H, T], H, without_key),
    of("delete", &[H, T], H, without_key),
    of("-", &[H, TEXTS], H, without_keys),
    of("delete", &[H, TEXTS], H, without_keys),
    of("-", BOTH, H, without_pairs),
    of("delete", BOTH, H, without_pairs),
    of("||", BOTH, H, concatenate),
    of("hs_concat", BOTH, H, concatenate),
    of("@>", BOTH, BOOL, |a| truth(contains(&read(a, 0)?, &read(a, 1)?))),
    of("hs_contains", BOTH, BOOL, |a| truth(contains(&read(a, 0)?, &read(a, 1)?))),
    of("<@", BOTH, BOOL, |a| truth(contains(&read(a, 1)?, &read(a, 0)?))),
    of("hs_contained", BOTH, BOOL, |a| truth(contains(&read(a, 1)?, &read(a, 0)?))),
    of("hstore", &[T, T], H, pair).nullable(),
    of("tconvert", &[T, T], H, pair).nullable(),
    of("hstore", &[TEXTS], H, |a| of_array(a.text(0))),
    of("hstore", &[TEXTS, TEXTS], H, of_arrays).nullable(),
    of("hstore_to_json", &[H], Type::JSON, |a| document(a, false)),
    of("hstore_to_json_loose", &[H], Type::JSON, |a| document(a, true)),
    of("hstore_to_jsonb", &[H], Type::JSONB, |a| canonical(a, false)),
    of("hstore_to_jsonb_loose", &[H], Type::JSONB, |a| canonical(a, true)),
    of("%%", &[H], TEXTS, |a| list(a, |key, value| vec![key, value])),
    of("hstore_to_array", &[H], TEXTS, |a| list(a, |key, value| vec![key, value])),
    of("%#", &[H], TEXTS, |a| list(a, |key, value| vec![Element::Array(vec![key, value])])),
    of("hstore_to_matrix", &[H], TEXTS, |a| list(a, |key, value| vec![Element::Array(vec![key, value])])),
    of("akeys", &[H], TEXTS, |a| list(a, |key, _| vec![key])),
    of("avals", &[H], TEXTS, |a| list(a, |_, value| vec![value])),
    Function::set("skeys", &[H], T, &[], |a| list(a, |key, _| vec![key])).of_extension("hstore"),
    Function::set("svals", &[H], T, &[], |a| list(a, |_, value| vec![value])).of_extension("hstore"),
    Function::set("each", &[H], Type::RECORD, PAIR, |a| {
        list(a, |key, value| vec![Element::Array(vec![key, value])])
    })
    .of_extension("hstore"),
    of("hstore_eq", BOTH, BOOL, |a| truth(order(a)?.is_eq())),
    of("hstore_ne", BOTH, BOOL, |a| truth(order(a)?.is_ne())),
    of("hstore_lt", BOTH, BOOL, |a| truth(order(a)?.is_lt())),
    of("hstore_le", BOTH, BOOL, |a| truth(order(a)?.is_le())),
    of("hstore_gt", BOTH, BOOL, |a| truth(order(a)?.is_gt())),
    of("hstore_ge", BOTH, BOOL, |a| truth(order(a)?.is_ge())),
    of("hstore_cmp", BOTH, Type::INT4, |a| Ok(Value::Integer(order(a)? as i64))),
    of("#<#", BOTH, BOOL, |a| truth(order(a)?.is_lt())),
    of("#<=#", BOTH, BOOL, |a| truth(order(a)?.is_le())),
    of("#>#", BOTH, BOOL, |a| truth(order(a)?.is_gt())),
    of("#>=#", BOTH, BOOL, |a| truth(order(a)?.is_ge())),
    of("hstore_hash", &[H], Type::INT4, |a| {
        let hash = hash::of_bytes(&stored(&read(a, 0)?), 0);
        Ok(Value::Integer(i64::from((hash as u32).cast_signed())))
    }),
    of("hstore_hash_extended", &[H, Type::INT8], Type::INT8, |a| {
        Ok(Value::Integer(hash::of_bytes(&stored(&read(a, 0)?), a.int(1).cast_unsigned()).cast_signed()))
    }),
    // The version of the stored form.
    of("hstore_version_diag", &[H], Type::INT4, |_| Ok(Value::Integer(2))),
    of(OF_ROW, &[T], H, of_row).variadic().nullable(),
    of(WITH, &[H, T, T], H, with_value).nullable(),
];

const fn of(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, returns, call).of_extension("hstore")
}

fn read(a: &Arguments<'_, '_>, index: usize) -> Result<Pairs> {
    a.budget().work(a.text(index).len() / 4)?;
    Ok(hstore::read(a.text(index)))
}

fn made(pairs: Pairs) -> Result<Value> {
    own(hstore::print(&hstore::unique(pairs)))
}

fn text(a: &Arguments<'_, '_>, index: usize) -> Option<String> {
    (!a.is_null(index)).then(|| a.text(index).to_owned())
}

/// The value of the key in argument 1; `None` if there is no such key.
fn value(a: &Arguments<'_, '_>) -> Result<Option<Option<String>>> {
    Ok(hstore::get(&read(a, 0)?, a.text(1)).cloned())
}

fn fetch(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(value(a)?.flatten().map_or(Value::Null, Value::Text))
}

/// The texts in an array of any dimensions.
fn flat(a: &Arguments<'_, '_>, index: usize) -> Result<Vec<Option<String>>> {
    fn collect(items: Vec<Element>, found: &mut Vec<Option<String>>) {
        for item in items {
            match item {
                Element::Array(items) => collect(items, found),
                Element::String(text) => found.push(Some(text)),
                _ => found.push(None),
            }
        }
    }
    a.budget().work(a.text(index).len() / 4)?;
    let mut found = Vec::new();
    collect(array::elements(a.text(index)), &mut found);
    Ok(found)
}

/// The keys in the array of argument 1. Nulls do not count.
fn keys(a: &Arguments<'_, '_>) -> Result<Vec<String>> {
    Ok(flat(a, 1)?.into_iter().flatten().collect())
}

fn has(a: &Arguments<'_, '_>) -> Result<Vec<bool>> {
    let pairs = read(a, 0)?;
    Ok(keys(a)?.iter().map(|key| hstore::get(&pairs, key).is_some()).collect())
}

/// The values of keys, in an array of the same dimensions.
fn fetch_all(a: &Arguments<'_, '_>) -> Result<Value> {
    fn values(pairs: &Pairs, items: Vec<Element>) -> Vec<Element> {
        let value = |item| match item {
            Element::Array(items) => Element::Array(values(pairs, items)),
            Element::String(key) => hstore::get(pairs, &key).cloned().flatten().into(),
            _ => Element::Null,
        };
        items.into_iter().map(value).collect()
    }
    let pairs = read(a, 0)?;
    a.budget().work(a.text(1).len() / 4)?;
    Ok(array::like(a.text(1), values(&pairs, array::elements(a.text(1)))))
}

fn slice(a: &Arguments<'_, '_>) -> Result<Value> {
    let pairs = read(a, 0)?;
    let known = |key: String| Some((key.clone(), hstore::get(&pairs, &key)?.clone()));
    made(keys(a)?.into_iter().filter_map(known).collect())
}

fn without_key(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut pairs = read(a, 0)?;
    pairs.retain(|(key, _)| key != a.text(1));
    made(pairs)
}

fn without_keys(a: &Arguments<'_, '_>) -> Result<Value> {
    let (mut pairs, mut keys) = (read(a, 0)?, keys(a)?);
    keys.sort_unstable();
    pairs.retain(|(key, _)| keys.binary_search(key).is_err());
    made(pairs)
}

fn without_pairs(a: &Arguments<'_, '_>) -> Result<Value> {
    let (mut pairs, others) = (read(a, 0)?, read(a, 1)?);
    pairs.retain(|(key, value)| hstore::get(&others, key) != Some(value));
    made(pairs)
}

fn concatenate(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut pairs = read(a, 1)?;
    pairs.extend(read(a, 0)?);
    made(pairs)
}

fn contains(whole: &Pairs, part: &Pairs) -> bool {
    part.iter().all(|(key, value)| hstore::get(whole, key) == Some(value))
}

fn order(a: &Arguments<'_, '_>) -> Result<Ordering> {
    a.budget().work((a.text(0).len() + a.text(1).len()) / 4)?;
    Ok(hstore::compare(a.text(0), a.text(1)))
}

fn pair(a: &Arguments<'_, '_>) -> Result<Value> {
    text(a, 0).map_or(Ok(Value::Null), |key| made(vec![(key, text(a, 1))]))
}

fn with_value(a: &Arguments<'_, '_>) -> Result<Value> {
    let key = text(a, 1).ok_or_else(|| {
        SqlError::new(SqlState::new("22004"), "hstore subscript in assignment must not be null")
    })?;
    let mut pairs = vec![(key, text(a, 2))];
    pairs.extend(read(a, 0)?);
    made(pairs)
}

fn of_row(a: &Arguments<'_, '_>) -> Result<Value> {
    made((0..a.len()).step_by(2).map(|index| (a.text(index).to_owned(), text(a, index + 1))).collect())
}

fn subscripts(message: &str) -> SqlError {
    SqlError::new(SqlState::new("2202E"), message)
}

fn key_of(item: &Element) -> Result<String> {
    let key = item.as_str().map(str::to_owned);
    key.ok_or_else(|| SqlError::new(SqlState::new("22004"), "null value not allowed for hstore key"))
}

fn value_of(item: &Element) -> Option<String> {
    item.as_str().map(str::to_owned)
}

/// The set of an array of keys and values, or of pairs of them.
pub fn of_array(text: &str) -> Result<Value> {
    let items = array::elements(text);
    let nested = items.first().and_then(Element::as_array).map(|first| (first.len(), first));
    let items: Vec<Element> = match nested {
        Some((_, first)) if first.iter().any(Element::is_array) => {
            return Err(subscripts("wrong number of array subscripts"));
        }
        Some((2, _)) => items.iter().filter_map(Element::as_array).flatten().cloned().collect(),
        Some(_) => return Err(subscripts("array must have two columns")),
        None if items.len() % 2 == 1 => return Err(subscripts("array must have even number of elements")),
        None => items,
    };
    let pairs = items.chunks(2).map(|pair| Ok((key_of(&pair[0])?, value_of(&pair[1]))));
    made(pairs.collect::<Result<_>>()?)
}

/// The set of an array of keys and one of their values.
fn of_arrays(a: &Arguments<'_, '_>) -> Result<Value> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    a.budget().work((a.text(0).len() + a.text(1).len()) / 4)?;
    let (keys, values) = (array::elements(a.text(0)), array::elements(a.text(1)));
    if keys.iter().chain(&values).any(Element::is_array) {
        return Err(subscripts("wrong number of array subscripts"));
    }
    let same = keys.len() == values.len() && array::lower_bounds(a.text(0)) == array::lower_bounds(a.text(1));
    if !a.is_null(1) && !same {
        return Err(subscripts("arrays must have same bounds"));
    }
    let pairs = keys.iter().enumerate();
    let pairs = pairs.map(|(at, key)| Ok((key_of(key)?, values.get(at).and_then(value_of))));
    made(pairs.collect::<Result<_>>()?)
}

/// A list with what `items` makes of each pair.
fn list(a: &Arguments<'_, '_>, items: fn(Element, Element) -> Vec<Element>) -> Result<Value> {
    let pairs = read(a, 0)?.into_iter();
    Ok(array::of(pairs.flat_map(|(key, value)| items(key.into(), value.into())).collect()))
}

fn document(a: &Arguments<'_, '_>, loose: bool) -> Result<Value> {
    a.budget().work(a.text(0).len() / 4)?;
    own(json_text(a.text(0), loose))
}

fn canonical(a: &Arguments<'_, '_>, loose: bool) -> Result<Value> {
    a.budget().work(a.text(0).len() / 2)?;
    own(json::canonical(&json_text(a.text(0), loose))?)
}

/// A stored set as a JSON object. A loose one has truth values and numbers for texts that look like them.
pub fn json_text(text: &str, loose: bool) -> String {
    let members = hstore::read(text).into_iter().map(|(key, value)| {
        let value = match value {
            None => "null".to_owned(),
            Some(value) if loose && value == "t" => "true".to_owned(),
            Some(value) if loose && value == "f" => "false".to_owned(),
            Some(value) if loose && is_number(&value) => value,
            Some(value) => json::quote(&value),
        };
        format!("{}: {value}", json::quote(&key))
    });
    format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
}

fn is_number(text: &str) -> bool {
    text.starts_with(|first: char| first == '-' || first.is_ascii_digit())
        && text.ends_with(|last: char| last.is_ascii_digit())
        && matches!(Json::parse(text), Ok(Json::Number(_)))
}

/// The bytes of which the extension computes a hash: the number of pairs, where each text ends, and the texts.
fn stored(pairs: &Pairs) -> Vec<u8> {
    const CURRENT: u32 = 0x8000_0000;
    const FIRST: u32 = 0x8000_0000;
    const NULL: u32 = 0x4000_0000;
    let word = |number: usize| u32::try_from(number).unwrap_or(0);
    let (texts, ends) = hstore::layout(pairs);
    let mut bytes = (word(pairs.len()) | CURRENT).to_le_bytes().to_vec();
    for (at, end) in ends.iter().enumerate() {
        let null = at % 2 == 1 && pairs.get(at / 2).is_some_and(|(_, value)| value.is_none());
        let flags = if at == 0 { FIRST } else { 0 } | if null { NULL } else { 0 };
        bytes.extend((word(*end) | flags).to_le_bytes());
    }
    bytes.extend(texts);
    bytes
}
