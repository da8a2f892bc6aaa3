//! Functions of PostgreSQL's dialect where they differ from those of the warehouse. PostgreSQL has them itself.

use rusqlite::Result;
use rusqlite::types::Value;
use serde_json::{Map, Value as Json};

use super::text::{self, LENGTH_MAX};
use super::{Arguments, Function, fail, json, optional, refused};

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_first_signs", call: first_signs },
    Function { name: "wh_last_signs", call: last_signs },
    Function { name: "wh_filled_left", call: |a| filled(a, true) },
    Function { name: "wh_filled_right", call: |a| filled(a, false) },
    Function { name: "wh_repeated", call: repeated },
    Function { name: "wh_part_of_split", call: part_of_split },
    Function { name: "wh_split_by", call: split_by },
    Function { name: "wh_regexp_split", call: regexp_split },
    Function { name: "wh_regexp_matches", call: |a| regexp_matches(a, usize::MAX) },
    Function { name: "wh_regexp_first_matches", call: |a| regexp_matches(a, 1) },
    Function { name: "wh_power", call: power },
    Function { name: "wh_width_bucket", call: width_bucket },
    Function { name: "wh_within", call: within },
    Function { name: "wh_json_has", call: has },
    Function {
        name: "wh_json_contains",
        call: |a| Ok(contains(&json::parse(a.text(0))?, &json::parse(a.text(1))?, true).into()),
    },
    Function { name: "wh_json_without", call: without },
    Function { name: "wh_json_merged", call: merged },
    Function { name: "wh_json_set", call: set },
    Function { name: "wh_json_insert", call: insert },
    Function { name: "wh_json_stripped", call: |a| printed(&stripped(json::parse(a.text(0))?)) },
    Function { name: "wh_json_element_texts", call: element_texts },
    Function { name: "wh_jsonb_keys", call: keys },
    Function { name: "wh_json_pretty", call: |a| Ok(pretty(&json::parse(a.text(0))?, 0).into()) },
    Function { name: "wh_degrees", call: |a| Ok((a.real(0) / DEGREE).into()) },
    Function { name: "wh_radians", call: |a| Ok((a.real(0) * DEGREE).into()) },
    Function { name: "wh_factorial", call: factorial },
    Function { name: "wh_quote_literal", call: |a| Ok(quoted(a.text(0)).into()) },
    Function { name: "wh_quote_ident", call: |a| Ok(quoted_name(a.text(0)).into()) },
    Function { name: "wh_object_of", call: object_of },
    Function { name: "wh_json_follow", call: follow },
    Function { name: "wh_uuid", call: uuid },
    Function { name: "wh_size_pretty", call: |a| Ok(size_pretty(a.int(0)).into()) },
    Function { name: "wh_array_text", call: array_text },
];

/// The radians of a degree.
const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// `pg_size_pretty`: a unit while the number has at most five digits in it.
fn size_pretty(bytes: i64) -> String {
    const UNITS: [&str; 6] = ["bytes", "kB", "MB", "GB", "TB", "PB"];
    let (mut size, mut unit) = (bytes, 0);
    let mut limit = 10 * 1024;
    while size.unsigned_abs() >= limit && unit + 1 < UNITS.len() {
        // From the first division on, half units are kept to be rounded.
        size = match unit {
            0 => size / 512,
            _ => size / 1024,
        };
        limit = 2 * 10 * 1024 - 1;
        unit += 1;
    }
    if unit > 0 {
        size = (size + size.signum()) / 2;
    }
    format!("{size} {}", UNITS[unit])
}

/// The text of a list: `{1,"a b",NULL}`.
fn array_text(a: &Arguments<'_, '_>) -> Result<Value> {
    let Json::Array(elements) = json::parse(a.text(0))? else { return Ok(Value::Null) };
    a.budget.work(5 * elements.len()).map_err(refused)?;
    let shown = |element: &Json| match element {
        Json::Null => "NULL".to_owned(),
        Json::Bool(yes) => if *yes { "t" } else { "f" }.to_owned(),
        Json::Number(number) => match number.as_f64() {
            Some(float) if number.is_f64() => float.to_string(),
            _ => number.to_string(),
        },
        Json::String(text) if is_plain_element(text) => text.clone(),
        Json::String(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        other => other.to_string(),
    };
    Ok(format!("{{{}}}", elements.iter().map(shown).collect::<Vec<_>>().join(",")).into())
}

/// Whether an element of a list is written without quotation marks.
fn is_plain_element(text: &str) -> bool {
    let is_sign = |sign: char| "{},\"\\".contains(sign) || matches!(sign, ' ' | '\t'..='\r');
    !text.is_empty() && !text.eq_ignore_ascii_case("null") && !text.contains(is_sign)
}

/// JSON in lines, as `jsonb_pretty` writes it.
fn pretty(value: &Json, depth: usize) -> String {
    let (inside, end) = ("    ".repeat(depth + 1), "    ".repeat(depth));
    match value {
        Json::Object(object) => {
            let mut members: Vec<(&String, &Json)> = object.iter().collect();
            members.sort_unstable_by(|(one, _), (other, _)| one.len().cmp(&other.len()).then(one.cmp(other)));
            let line = |(name, value): (&String, &Json)| {
                format!("{inside}{}: {}", Json::from(name.as_str()), pretty(value, depth + 1))
            };
            let lines: Vec<String> = members.into_iter().map(line).collect();
            let lines = lines.join(",\n");
            if lines.is_empty() { format!("{{\n{end}}}") } else { format!("{{\n{lines}\n{end}}}") }
        }
        Json::Array(list) => {
            let lines: Vec<String> =
                list.iter().map(|element| format!("{inside}{}", pretty(element, depth + 1))).collect();
            let lines = lines.join(",\n");
            if lines.is_empty() { format!("[\n{end}]") } else { format!("[\n{lines}\n{end}]") }
        }
        other => other.to_string(),
    }
}

fn factorial(a: &Arguments<'_, '_>) -> Result<Value> {
    if a.int(0) < 0 {
        return fail("factorial of a negative number is undefined");
    }
    match (1..=a.int(0)).try_fold(1_i64, i64::checked_mul) {
        Some(product) => Ok(product.into()),
        None => fail("bigint out of range"),
    }
}

/// A text as a literal. Backslashes need another form of it.
fn quoted(text: &str) -> String {
    let inside = text.replace('\'', "''").replace('\\', "\\\\");
    let prefix = if text.contains('\\') { "E" } else { "" };
    format!("{prefix}'{inside}'")
}

/// Words that are quoted as names, beside those with other signs than small letters, digits and `_`.
const RESERVED: &str = " all analyse analyze and any array as asc asymmetric authorization between bigint binary bit boolean both \
    case cast char character check coalesce collate collation column concurrently constraint create cross current_catalog \
    current_date current_role current_schema current_time current_timestamp current_user dec decimal default deferrable desc \
    distinct do else end except exists extract false fetch float for foreign freeze from full grant greatest group grouping \
    having ilike in initially inner inout int integer intersect interval into is isnull join lateral leading least left like \
    limit localtime localtimestamp national natural nchar none normalize not notnull null nullif numeric offset on only or \
    order out outer overlaps overlay placing position precision primary real references returning right row select \
    session_user setof similar smallint some substring symmetric table tablesample then time timestamp to trailing treat trim \
    true union unique user using values varchar variadic verbose when where window with xmlattributes xmlconcat xmlelement \
    xmlexists xmlforest xmlnamespaces xmlparse xmlpi xmlroot xmlserialize xmltable ";

fn quoted_name(name: &str) -> String {
    let is_plain = name.starts_with(|sign: char| sign.is_ascii_lowercase() || sign == '_')
        && name.chars().all(|sign| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '_')
        && !RESERVED.contains(&format!(" {name} "));
    if is_plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

/// An object of keys and values: two lists, or one with both in turn.
fn object_of(a: &Arguments<'_, '_>) -> Result<Value> {
    let texts = |index: usize| -> Result<Vec<Json>> {
        match json::parse(a.text(index))? {
            Json::Array(texts) => Ok(texts),
            _ => fail("wrong number of array subscripts"),
        }
    };
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    if a.len() > 1 {
        (keys, values) = (texts(0)?, texts(1)?);
        if keys.len() != values.len() {
            return fail("mismatched array dimensions");
        }
    } else {
        for (place, text) in texts(0)?.into_iter().enumerate() {
            if place % 2 == 0 { keys.push(text) } else { values.push(text) }
        }
        if keys.len() != values.len() {
            return fail("array must have even number of elements");
        }
    }
    let mut object = Map::new();
    for (key, value) in keys.into_iter().zip(values) {
        let Json::String(key) = key else { return fail("null value not allowed for object key") };
        object.insert(key, value);
    }
    printed(&Json::Object(object))
}

/// `json #> path`, with the path as a list.
fn follow(a: &Arguments<'_, '_>) -> Result<Value> {
    let (value, path) = (json::parse(a.text(0))?, json::parse(a.text(1))?);
    let mut found = Some(&value);
    for step in path.as_array().into_iter().flatten() {
        let Some(step) = step.as_str() else { return Ok(Value::Null) };
        found = found.and_then(|value| match value {
            Json::Object(object) => object.get(step),
            Json::Array(list) => {
                let place: i64 = step.parse().ok()?;
                let place = if place < 0 { place + list.len() as i64 } else { place };
                list.get(usize::try_from(place).ok()?)
            }
            _ => None,
        });
    }
    optional(found.map(Json::to_string))
}

/// The usual spelling of a UUID.
fn uuid(a: &Arguments<'_, '_>) -> Result<Value> {
    let text = a.text(0).trim();
    let bare = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')).unwrap_or(text);
    let digits: String =
        bare.chars().filter(|sign| *sign != '-').map(|sign| sign.to_ascii_lowercase()).collect();
    let is_one = digits.len() == 32
        && digits.chars().all(|sign| sign.is_ascii_hexdigit())
        && bare.split('-').all(|part| part.len() % 4 == 0 && !part.is_empty());
    if !is_one {
        return fail(format!("invalid input syntax for type uuid: \"{}\"", a.text(0)));
    }
    let parts = [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]];
    Ok(parts.join("-").into())
}

fn printed(value: &Json) -> Result<Value> {
    Ok(value.to_string().into())
}

/// The first characters, or all but that many at the end if the number is negative.
fn first_signs(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(a.text(0).chars().take(kept(a)).collect::<String>().into())
}

fn last_signs(a: &Arguments<'_, '_>) -> Result<Value> {
    let left_out = a.text(0).chars().count() - kept(a);
    Ok(a.text(0).chars().skip(left_out).collect::<String>().into())
}

fn kept(a: &Arguments<'_, '_>) -> usize {
    let length = a.text(0).chars().count() as i64;
    let kept = if a.int(1) < 0 { length.saturating_add(a.int(1)) } else { a.int(1) };
    usize::try_from(kept.clamp(0, length)).unwrap_or(0)
}

fn filled(a: &Arguments<'_, '_>, before: bool) -> Result<Value> {
    let (text, width, filling) = (a.text(0), a.int(1), a.text(2));
    if width > LENGTH_MAX as i64 {
        return fail("the text would be too long");
    }
    let width = usize::try_from(width).unwrap_or(0);
    let text: String = text.chars().take(width).collect();
    let filling: String = filling.chars().cycle().take(width - text.chars().count()).collect();
    Ok(if before { filling + &text } else { text + &filling }.into())
}

fn repeated(a: &Arguments<'_, '_>) -> Result<Value> {
    let count = usize::try_from(a.int(1)).unwrap_or(0);
    if a.text(0).len().saturating_mul(count) > LENGTH_MAX {
        return fail("the text would be too long");
    }
    Ok(a.text(0).repeat(count).into())
}

/// A part, counted from 1, or from the end if negative. An empty separator divides nothing.
fn part_of_split(a: &Arguments<'_, '_>) -> Result<Value> {
    let (text, separator, place) = (a.text(0), a.text(1), a.int(2));
    let index = usize::try_from(place.unsigned_abs()).unwrap_or(usize::MAX);
    let Some(index) = index.checked_sub(1) else { return fail("field position must not be zero") };
    let part = match (separator, place) {
        ("", _) => (index == 0).then_some(text),
        (separator, 1..) => text.split(separator).nth(index),
        (separator, _) => text.split(separator).collect::<Vec<_>>().into_iter().rev().nth(index),
    };
    Ok(part.unwrap_or_default().to_owned().into())
}

/// The parts of a text; of an empty one none.
fn split_by(a: &Arguments<'_, '_>) -> Result<Value> {
    let parts: Vec<Json> = match (a.text(0), a.text(1)) {
        ("", _) => Vec::new(),
        (text, "") => vec![text.into()],
        (text, separator) => text.split(separator).map(Json::from).collect(),
    };
    printed(&parts.into())
}

/// The names of an object's members, the shortest first, as `jsonb` stores them.
fn keys(a: &Arguments<'_, '_>) -> Result<Value> {
    let Json::Object(object) = json::parse(a.text(0))? else {
        return fail("cannot call jsonb_object_keys on a scalar or an array");
    };
    let mut names: Vec<&str> = object.keys().map(String::as_str).collect();
    names.sort_unstable_by(|one, other| one.len().cmp(&other.len()).then(one.cmp(other)));
    printed(&names.into())
}

/// The parts between matches. A match of nothing at the end of the text, or right after another match, divides nothing.
fn regexp_split(a: &Arguments<'_, '_>) -> Result<Value> {
    let (regex, text) = (text::regex(a)?, a.text(0));
    let (mut parts, mut read) = (Vec::new(), 0);
    for found in regex.find_iter(text) {
        a.budget.work(10 + (text.len() - found.end()) / 32).map_err(refused)?;
        if found.is_empty() && (found.start() == read || found.start() == text.len()) {
            continue;
        }
        parts.push(Json::from(&text[read..found.start()]));
        read = found.end();
    }
    parts.push(text[read..].into());
    printed(&parts.into())
}

/// For each match the list of its groups, or of the whole match if the pattern has no groups.
fn regexp_matches(a: &Arguments<'_, '_>, most: usize) -> Result<Value> {
    let (regex, text) = (text::regex(a)?, a.text(0));
    let mut rows = Vec::new();
    for found in regex.captures_iter(text).take(most) {
        a.budget.work(10 + (text.len() - found.get_match().end()) / 32).map_err(refused)?;
        let skipped = usize::from(found.len() > 1);
        let groups =
            found.iter().skip(skipped).map(|group| group.map_or(Json::Null, |group| group.as_str().into()));
        rows.push(groups.collect::<Json>());
    }
    printed(&rows.into())
}

fn power(a: &Arguments<'_, '_>) -> Result<Value> {
    let (base, exponent) = (a.real(0), a.real(1));
    if base == 0.0 && exponent < 0.0 {
        return fail("zero raised to a negative power is undefined");
    }
    if base < 0.0 && exponent.fract() != 0.0 {
        return fail("a negative number raised to a non-integer power yields a complex result");
    }
    let power = libm::pow(base, exponent);
    if base.is_finite() && exponent.is_finite() && !power.is_finite() {
        return fail("value out of range: overflow");
    }
    Ok(power.into())
}

/// The number of the bucket that a value is in, of that many between two ends.
fn width_bucket(a: &Arguments<'_, '_>) -> Result<Value> {
    let (value, low, high, count) = (a.real(0), a.real(1), a.real(2), a.int(3));
    if count <= 0 {
        return fail("count must be greater than zero");
    }
    if low == high {
        return fail("lower bound cannot equal upper bound");
    }
    let share = (value - low) / (high - low);
    Ok(match share {
        share if share < 0.0 || (low > high && value > low) => 0,
        share if share >= 1.0 => count.saturating_add(1),
        share => (share * count as f64) as i64 + 1,
    }
    .into())
}

/// A whole number, if it is in the range of its type.
fn within(a: &Arguments<'_, '_>) -> Result<Value> {
    let number = a.int(0);
    if (a.int(1)..=a.int(2)).contains(&number) {
        return Ok(number.into());
    }
    fail(format!("{} out of range", a.text(3)))
}

/// Whether an object has a key, or a list a text.
fn has(a: &Arguments<'_, '_>) -> Result<Value> {
    let key = a.text(1);
    Ok(match json::parse(a.text(0))? {
        Json::Object(fields) => fields.contains_key(key),
        Json::Array(items) => items.iter().any(|item| item.as_str() == Some(key)),
        Json::String(text) => text == key,
        _ => false,
    }
    .into())
}

/// Whether all of `part` is in `whole`. At the top a list may also contain a scalar.
fn contains(whole: &Json, part: &Json, top: bool) -> bool {
    match (whole, part) {
        (Json::Object(whole), Json::Object(part)) => {
            part.iter().all(|(key, value)| whole.get(key).is_some_and(|own| contains(own, value, false)))
        }
        (Json::Array(whole), Json::Array(part)) => {
            part.iter().all(|value| whole.iter().any(|own| contains(own, value, false)))
        }
        (Json::Array(whole), scalar) if top && !scalar.is_object() => {
            whole.iter().any(|own| contains(own, scalar, false))
        }
        (Json::Number(one), Json::Number(other)) => one.as_f64() == other.as_f64(),
        (one, other) => one == other,
    }
}

/// An object without a key, or a list without the texts that equal it.
fn without(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut value = json::parse(a.text(0))?;
    let key = a.text(1);
    match &mut value {
        Json::Object(fields) => {
            fields.shift_remove(key);
        }
        Json::Array(items) => items.retain(|item| item.as_str() != Some(key)),
        _ => return fail("cannot delete from scalar"),
    }
    printed(&value)
}

/// Two objects as one, in which the second counts, or two lists, or values as elements of a list.
fn merged(a: &Arguments<'_, '_>) -> Result<Value> {
    let listed = |value: Json| if let Json::Array(items) = value { items } else { vec![value] };
    printed(&match (json::parse(a.text(0))?, json::parse(a.text(1))?) {
        (Json::Object(mut one), Json::Object(other)) => {
            one.extend(other);
            Json::Object(one)
        }
        (one, other) => [listed(one), listed(other)].concat().into(),
    })
}

/// Sets the value at a path `{a,0,b}`. A missing last member is added if the flag is set; nothing else is.
fn set(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut value = json::parse(a.text(0))?;
    let path = a.text(1).strip_prefix('{').and_then(|path| path.strip_suffix('}'));
    let Some(path) = path else { return fail(format!("malformed array literal: \"{}\"", a.text(1))) };
    if !value.is_object() && !value.is_array() {
        return fail("cannot set path in scalar");
    }
    let steps: Vec<&str> = path.split(',').map(|step| step.trim().trim_matches('"')).collect();
    if !path.is_empty() {
        put(&mut value, &steps, json::parse(a.text(2))?, a.safe(3));
    }
    printed(&value)
}

/// `jsonb_insert(json, path, value, after)`
fn insert(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut value = json::parse(a.text(0))?;
    let path = a.text(1).strip_prefix('{').and_then(|path| path.strip_suffix('}'));
    let Some(path) = path else { return fail(format!("malformed array literal: \"{}\"", a.text(1))) };
    if !value.is_object() && !value.is_array() {
        return fail("cannot set path in scalar");
    }
    let steps: Vec<&str> = path.split(',').map(|step| step.trim().trim_matches('"')).collect();
    if !path.is_empty() {
        insert_at(&mut value, (&steps, 1), json::parse(a.text(2))?, a.safe(3))?;
    }
    printed(&value)
}

fn insert_at(value: &mut Json, (steps, at): (&[&str], usize), new: Json, after: bool) -> Result<()> {
    let [step, rest @ ..] = steps else { return Ok(()) };
    match value {
        Json::Object(fields) if rest.is_empty() => match fields.contains_key(*step) {
            true => fail("cannot replace existing key"),
            false => {
                fields.insert((*step).to_owned(), new);
                Ok(())
            }
        },
        Json::Object(fields) => match fields.get_mut(*step) {
            Some(inner) => insert_at(inner, (rest, at + 1), new, after),
            None => Ok(()),
        },
        Json::Array(items) => {
            let Ok(place) = step.parse::<i32>() else {
                return fail(format!("path element at position {at} is not an integer: \"{step}\""));
            };
            let count = items.len() as i64;
            let index = if place < 0 { i64::from(place) + count } else { i64::from(place) };
            let Ok(index) = usize::try_from(index) else {
                if rest.is_empty() {
                    items.insert(0, new);
                }
                return Ok(());
            };
            match (items.get_mut(index), rest) {
                (Some(_), []) => items.insert(index + usize::from(after), new),
                (None, []) => items.push(new),
                (Some(inner), rest) => return insert_at(inner, (rest, at + 1), new, after),
                (None, _) => {}
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

fn put(value: &mut Json, steps: &[&str], new: Json, add: bool) {
    let [step, rest @ ..] = steps else {
        *value = new;
        return;
    };
    match value {
        Json::Object(fields) => match (fields.get_mut(*step), rest) {
            (Some(inner), rest) => put(inner, rest, new, add),
            (None, []) if add => {
                fields.insert((*step).to_owned(), new);
            }
            _ => {}
        },
        Json::Array(items) => {
            let Ok(place) = step.parse::<i64>() else { return };
            let count = items.len() as i64;
            let index = if place < 0 { place.saturating_add(count) } else { place };
            match (usize::try_from(index).ok().and_then(|index| items.get_mut(index)), rest) {
                (Some(inner), rest) => put(inner, rest, new, add),
                (None, []) if add && place < 0 => items.insert(0, new),
                (None, []) if add => items.push(new),
                _ => {}
            }
        }
        _ => {}
    }
}

/// The value without the members of objects that are null.
fn stripped(value: Json) -> Json {
    match value {
        Json::Object(fields) => {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            Json::Object(fields.map(|(key, value)| (key, stripped(value))).collect::<Map<_, _>>())
        }
        Json::Array(items) => items.into_iter().map(stripped).collect(),
        other => other,
    }
}

fn element_texts(a: &Arguments<'_, '_>) -> Result<Value> {
    let Json::Array(items) = json::parse(a.text(0))? else {
        return fail("cannot extract elements from an object or a scalar");
    };
    a.budget.work(items.len()).map_err(refused)?;
    let text = |item: &Json| json::text(&item.to_string()).map_or(Json::Null, Json::String);
    optional(Some(Json::from_iter(items.iter().map(text)).to_string()))
}
