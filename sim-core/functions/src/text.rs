//! Functions on text: cutting, padding, searching, replacing.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::Value;

use super::{Arguments, Function};
use crate::LENGTH_MAX;
use crate::escapes::{self, Escapes};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

const T: &[Type] = &[Type::TEXT];
const TT: &[Type] = &[Type::TEXT, Type::TEXT];
const TTT: &[Type] = &[Type::TEXT, Type::TEXT, Type::TEXT];
const TI: &[Type] = &[Type::TEXT, Type::INT4];
const TII: &[Type] = &[Type::TEXT, Type::INT4, Type::INT4];

const fn text(
    name: &'static str,
    arguments: &'static [Type],
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, Type::TEXT, call)
}

pub(super) static FUNCTIONS: &[Function] = &[
    text("||", TT, |a| joined([a.text(0), a.text(1)].into_iter(), "")),
    text("||", &[Type::TEXT, Type::AS_TEXT], |a| joined([a.text(0), a.text(1)].into_iter(), "")),
    text("||", &[Type::AS_TEXT, Type::TEXT], |a| joined([a.text(0), a.text(1)].into_iter(), "")),
    Function::template("length", T, Type::INT4, "length({0})"),
    Function::template("char_length", T, Type::INT4, "length({0})"),
    Function::template("character_length", T, Type::INT4, "length({0})"),
    Function::template("octet_length", T, Type::INT4, "octet_length({0})"),
    Function::template("octet_length", &[Type::BPCHAR], Type::INT4, "octet_length({0})"),
    Function::template("octet_length", &[Type::BYTEA], Type::INT4, "octet_length({0})"),
    Function::template("length", &[Type::BYTEA], Type::INT4, "octet_length({0})"),
    Function::template("bit_length", T, Type::INT4, "(8 * octet_length({0}))"),
    text("upper", T, |a| own(a.text(0).chars().map(upper).collect())),
    text("lower", T, |a| own(a.text(0).chars().map(lower).collect())),
    text("initcap", T, |a| own(initcap(a.text(0)))),
    text("substring", TI, |a| substring(a.text(0), a.int(1), None)),
    text("substring", TII, |a| substring(a.text(0), a.int(1), Some(a.int(2)))),
    text("substr", TI, |a| substring(a.text(0), a.int(1), None)),
    text("substr", TII, |a| substring(a.text(0), a.int(1), Some(a.int(2)))),
    text("left", TI, |a| own(split_at(a.text(0), a.int(1)).0.to_owned())),
    text("right", TI, |a| own(right(a.text(0), a.int(1)).to_owned())),
    text("btrim", T, |a| own(a.text(0).trim_matches(' ').to_owned())),
    text("btrim", TT, |a| trim(a, true, true)),
    text("ltrim", T, |a| own(a.text(0).trim_start_matches(' ').to_owned())),
    text("ltrim", TT, |a| trim(a, true, false)),
    text("rtrim", T, |a| own(a.text(0).trim_end_matches(' ').to_owned())),
    text("rtrim", TT, |a| trim(a, false, true)),
    text("lpad", TI, |a| pad(a, " ", true)),
    text("lpad", &[Type::TEXT, Type::INT4, Type::TEXT], |a| pad(a, a.text(2), true)),
    text("rpad", TI, |a| pad(a, " ", false)),
    text("rpad", &[Type::TEXT, Type::INT4, Type::TEXT], |a| pad(a, a.text(2), false)),
    text("replace", TTT, replace),
    text("translate", TTT, |a| own(translate(a.text(0), a.text(1), a.text(2)))),
    text("reverse", T, |a| own(a.text(0).chars().rev().collect())),
    text("repeat", TI, repeat),
    Function::rust("strpos", TT, Type::INT4, position),
    Function::rust("position", TT, Type::INT4, position),
    Function::rust("starts_with", TT, Type::BOOL, |a| truth(a.text(0).starts_with(a.text(1)))),
    Function::rust("^@", TT, Type::BOOL, |a| truth(a.text(0).starts_with(a.text(1)))),
    text("split_part", &[Type::TEXT, Type::TEXT, Type::INT4], split_part),
    text("overlay", &[Type::TEXT, Type::TEXT, Type::INT4], |a| overlay(a, a.text(1).chars().count() as i64)),
    text("overlay", &[Type::TEXT, Type::TEXT, Type::INT4, Type::INT4], |a| overlay(a, a.int(3))),
    text("concat", &[Type::AS_OUTPUT, Type::AS_OUTPUT], concat).nullable().variadic(),
    text("concat_ws", &[Type::TEXT, Type::AS_OUTPUT], concat_ws).nullable().variadic(),
    Function::rust("ascii", T, Type::INT4, |a| {
        Ok(Value::Integer(a.text(0).chars().next().map_or(0, u32::from).into()))
    }),
    text("chr", &[Type::INT4], chr),
    text("to_hex", &[Type::INT4], |a| own(format!("{:x}", a.int(0) as i32))),
    text("to_hex", &[Type::INT8], |a| own(format!("{:x}", a.int(0)))),
    text("unistr", T, unistr),
];

pub(super) fn own(text: String) -> Result<Value> {
    if text.len() > LENGTH_MAX { Err(too_long()) } else { Ok(Value::Text(text)) }
}

pub(super) fn truth(value: bool) -> Result<Value> {
    Ok(Value::Integer(value.into()))
}

pub(super) fn too_long() -> SqlError {
    SqlError::new(SqlState::PROGRAM_LIMIT, "requested length too large")
}

/// The capital of a letter, if it is a single letter.
fn upper(character: char) -> char {
    let mut capital = character.to_uppercase();
    capital.next().filter(|_| capital.next().is_none()).unwrap_or(character)
}

fn lower(character: char) -> char {
    let mut small = character.to_lowercase();
    small.next().filter(|_| small.next().is_none()).unwrap_or(character)
}

fn initcap(text: &str) -> String {
    let mut in_word = false;
    let mut result = String::with_capacity(text.len());
    for character in text.chars() {
        if in_word {
            result.push(lower(character));
        } else {
            result.push(upper(character));
        }
        in_word = character.is_alphanumeric();
    }
    result
}

/// The byte at which character `index` begins, or the end.
fn byte_at(text: &str, index: usize) -> usize {
    text.char_indices().nth(index).map_or(text.len(), |(at, _)| at)
}

/// The text from character `start`, counted from one. Positions before the first character count towards `length`.
fn substring(text: &str, start: i64, length: Option<i64>) -> Result<Value> {
    let first = start - 1;
    let end = match length {
        Some(length) if length < 0 => {
            return Err(SqlError::new(SqlState::new("22011"), "negative substring length not allowed"));
        }
        Some(length) => first + length,
        None => i64::MAX,
    };
    let from = byte_at(text, usize::try_from(first).unwrap_or(0));
    let to = byte_at(text, usize::try_from(end).unwrap_or(0));
    own(text.get(from..to).unwrap_or("").to_owned())
}

/// The first `count` characters, and the rest. If `count` is negative, all but the last characters.
fn split_at(text: &str, count: i64) -> (&str, &str) {
    let keep = match usize::try_from(count) {
        Ok(count) => count,
        Err(_) => text.chars().count().saturating_sub(count.unsigned_abs() as usize),
    };
    text.split_at(byte_at(text, keep))
}

/// The last `count` characters. If `count` is negative, all but the first ones.
fn right(text: &str, count: i64) -> &str {
    if count == 0 { "" } else { split_at(text, -count).1 }
}

/// Removes characters of argument 1 from the ends of the text.
fn trim(a: &Arguments<'_, '_>, start: bool, end: bool) -> Result<Value> {
    let set: BTreeSet<char> = a.text(1).chars().collect();
    let mut text = a.text(0);
    if start {
        text = text.trim_start_matches(|c| set.contains(&c));
    }
    if end {
        text = text.trim_end_matches(|c| set.contains(&c));
    }
    own(text.to_owned())
}

fn pad(a: &Arguments<'_, '_>, fill: &str, left: bool) -> Result<Value> {
    let (text, width) = (a.text(0), a.int(1).max(0) as usize);
    if width > LENGTH_MAX {
        return Err(too_long());
    }
    let length = text.chars().count();
    if length >= width {
        return own(text[..byte_at(text, width)].to_owned());
    }
    let padding: String = fill.chars().cycle().take(width - length).collect();
    own(if left { padding + text } else { text.to_owned() + &padding })
}

fn replace(a: &Arguments<'_, '_>) -> Result<Value> {
    let (text, from, to) = (a.text(0), a.text(1), a.text(2));
    let mut result = String::new();
    let mut end = 0;
    let matches = if from.is_empty() { None } else { Some(text.match_indices(from)) };
    for (at, _) in matches.into_iter().flatten() {
        // Short texts are found often, and each find costs more than its bytes.
        a.budget().work(4 + to.len() / 16)?;
        result.push_str(&text[end..at]);
        result.push_str(to);
        end = at + from.len();
        if result.len() > LENGTH_MAX {
            return Err(too_long());
        }
    }
    result.push_str(&text[end..]);
    own(result)
}

/// Replaces each character of `from` by the one at the same position in `to`, or removes it.
pub(super) fn translate(text: &str, from: &str, to: &str) -> String {
    let mut changes = BTreeMap::new();
    let mut to = to.chars();
    for character in from.chars() {
        let change = to.next();
        // Of two equal characters in `from`, the first counts.
        changes.entry(character).or_insert(change);
    }
    text.chars().filter_map(|character| changes.get(&character).copied().unwrap_or(Some(character))).collect()
}

fn repeat(a: &Arguments<'_, '_>) -> Result<Value> {
    let (text, count) = (a.text(0), a.int(1).max(0) as usize);
    if text.len().saturating_mul(count) > LENGTH_MAX {
        return Err(too_long());
    }
    own(text.repeat(count))
}

fn position(a: &Arguments<'_, '_>) -> Result<Value> {
    let (text, part) = (a.text(0), a.text(1));
    let found = text.find(part).map_or(0, |at| text[..at].chars().count() + 1);
    Ok(Value::Integer(found as i64))
}

fn split_part(a: &Arguments<'_, '_>) -> Result<Value> {
    let (text, separator, field) = (a.text(0), a.text(1), a.int(2));
    if field == 0 {
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, "field position must not be zero"));
    }
    if separator.is_empty() {
        return own(if matches!(field, 1 | -1) { text.to_owned() } else { String::new() });
    }
    let index = field.unsigned_abs() as usize - 1;
    let part = match field > 0 {
        true => text.split(separator).nth(index),
        false => text.split(separator).collect::<Vec<_>>().into_iter().rev().nth(index),
    };
    own(part.unwrap_or("").to_owned())
}

fn overlay(a: &Arguments<'_, '_>, length: i64) -> Result<Value> {
    let (text, new, start) = (a.text(0), a.text(1), a.int(2));
    if start <= 0 {
        return Err(SqlError::new(SqlState::new("22011"), "negative substring length not allowed"));
    }
    let before = &text[..byte_at(text, start as usize - 1)];
    let after = &text[byte_at(text, usize::try_from(start - 1 + length).unwrap_or(0))..];
    own(format!("{before}{new}{after}"))
}

/// Joins the texts of all arguments, without nulls.
fn concat(a: &Arguments<'_, '_>) -> Result<Value> {
    joined((0..a.len()).map(|index| a.text(index)), "")
}

fn concat_ws(a: &Arguments<'_, '_>) -> Result<Value> {
    if a.is_null(0) {
        return Ok(Value::Null);
    }
    joined((1..a.len()).filter(|index| !a.is_null(*index)).map(|index| a.text(index)), a.text(0))
}

/// Joins the parts with a separator. Fails if the result is too long.
pub(super) fn joined<'t>(parts: impl Iterator<Item = &'t str>, separator: &str) -> Result<Value> {
    let mut text = String::new();
    for (index, part) in parts.enumerate() {
        if index > 0 {
            text.push_str(separator);
        }
        text.push_str(part);
        if text.len() > LENGTH_MAX {
            return Err(too_long());
        }
    }
    own(text)
}

fn chr(a: &Arguments<'_, '_>) -> Result<Value> {
    match a.int(0) {
        ..0 => Err(SqlError::new(SqlState::INVALID_PARAMETER, "character number must be positive")),
        0 => Err(SqlError::new(SqlState::PROGRAM_LIMIT, "null character not permitted")),
        code => match u32::try_from(code).ok().and_then(char::from_u32) {
            Some(character) => own(character.to_string()),
            None => {
                let message = match code > 0x10_ffff {
                    true => format!("requested character too large for encoding: {code}"),
                    false => format!("requested character not valid for encoding: {code}"),
                };
                Err(SqlError::new(SqlState::PROGRAM_LIMIT, message))
            }
        },
    }
}

fn unistr(a: &Arguments<'_, '_>) -> Result<Value> {
    own(escapes::plain(a.text(0), '\\', Escapes::Function, None)?)
}
