//! Places and differences of texts, and their characters as numbers.

use rusqlite::Result;
use rusqlite::types::Value;
use serde_json::Value as Json;
use unicode_normalization::UnicodeNormalization;

use super::{Arguments, Function, fail, instant, json, or_fail, refused, text};

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_regexp_place", call: place_of_match },
    Function { name: "wh_instr", call: place_of_text },
    Function { name: "wh_edit_distance", call: edit_distance },
    Function { name: "wh_code_points", call: code_points },
    Function { name: "wh_of_code_points", call: of_code_points },
    Function { name: "wh_normalize", call: normalized },
    Function { name: "wh_array_slice", call: array_slice },
    Function { name: "wh_numeric_text", call: |a| Ok(numeric_text(a.text(0)).into()) },
    Function {
        name: "wh_make_time",
        call: |a| {
            let time = instant::clock(a.int(0), a.int(1), a.int(2), "");
            or_fail(time, false, || "Invalid time".to_owned())
        },
    },
    Function { name: "wh_exponent", call: exponent },
    Function { name: "wh_shortest_form", call: shortest_form },
    Function { name: "wh_checked_text", call: checked_text },
    Function { name: "wh_latin_bytes", call: latin_bytes },
    Function { name: "wh_list_text", call: list_text },
    Function { name: "wh_quoted_text", call: |a| Ok(quoted(a.text(0)).into()) },
];

/// The place of a match, counted from 1: `(text, pattern, place to begin, number of the match, 1 for its end)`. 0: there is none.
fn place_of_match(a: &Arguments<'_, '_>) -> Result<Value> {
    let (regex, given) = (text::regex(a)?, a.text(0));
    let (begin, number) = (a.int(2), a.int(3));
    if begin < 1 || number < 1 || !matches!(a.int(4), 0 | 1) {
        return fail("REGEXP_INSTR: position and occurrence must be positive");
    }
    let skipped = usize::try_from(begin - 1).unwrap_or(usize::MAX);
    let Some(start) = given.char_indices().map(|(at, _)| at).chain([given.len()]).nth(skipped) else {
        return Ok(0.into());
    };
    let wanted = usize::try_from(number - 1).unwrap_or(usize::MAX);
    let mut found = None;
    for (number, captures) in regex.captures_iter(&given[start..]).enumerate() {
        a.budget.work(10).map_err(refused)?;
        if number == wanted {
            found = captures.get(1).or_else(|| captures.get(0)).map(|group| (group.start(), group.end()));
            break;
        }
    }
    let Some((first, last)) = found else { return Ok(0.into()) };
    let at = if a.int(4) == 1 { last } else { first };
    Ok((given[..start + at].chars().count() as i64 + 1).into())
}

/// `INSTR(text, part, place, number)`; a negative place counts from the end, and searches backwards.
fn place_of_text(a: &Arguments<'_, '_>) -> Result<Value> {
    let (begin, number) = (a.int(2), a.int(3));
    if begin == 0 || number < 1 {
        return fail("INSTR: the position must not be zero, the occurrence must be positive");
    }
    let signs: Vec<char> = a.text(0).chars().collect();
    let part: Vec<char> = a.text(1).chars().collect();
    a.budget.work(signs.len().saturating_mul(part.len() + 1) / 8).map_err(refused)?;
    let places = signs.len() as i64;
    let matches = |place: i64| {
        usize::try_from(place)
            .is_ok_and(|place| signs.get(place..).is_some_and(|rest| rest.starts_with(&part)))
    };
    if part.is_empty() {
        return Ok(0.into());
    }
    let mut wanted = number;
    let mut at = if begin > 0 { begin - 1 } else { places + begin };
    while (0..places).contains(&at) {
        if matches(at) {
            wanted -= 1;
            if wanted == 0 {
                return Ok((at + 1).into());
            }
        }
        at += begin.signum();
    }
    Ok(0.into())
}

/// How many characters must be changed, added or left out to make one text of the other.
fn edit_distance(a: &Arguments<'_, '_>) -> Result<Value> {
    let one: Vec<char> = a.text(0).chars().collect();
    let other: Vec<char> = a.text(1).chars().collect();
    a.budget.work(one.len().saturating_mul(other.len())).map_err(refused)?;
    let mut row: Vec<i64> = (0..=other.len() as i64).collect();
    for (above, sign) in one.iter().enumerate() {
        let mut before = row[0];
        row[0] = above as i64 + 1;
        for (place, against) in other.iter().enumerate() {
            let changed = before + i64::from(sign != against);
            before = row[place + 1];
            row[place + 1] = changed.min(before + 1).min(row[place] + 1);
        }
    }
    Ok(row[other.len()].into())
}

fn code_points(a: &Arguments<'_, '_>) -> Result<Value> {
    let numbers = a.text(0).chars().map(|sign| Json::from(u32::from(sign)));
    Ok(numbers.collect::<Json>().to_string().into())
}

fn of_code_points(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut out = String::new();
    for number in json::parse(a.text(0))?.as_array().into_iter().flatten() {
        let code = number.as_u64().and_then(|number| u32::try_from(number).ok());
        match code.and_then(char::from_u32).filter(|sign| *sign != '\0') {
            Some(sign) => out.push(sign),
            None if number.is_null() => return Ok(Value::Null),
            None => return fail(format!("{number} is the number of no character")),
        }
    }
    Ok(out.into())
}

fn normalized(a: &Arguments<'_, '_>) -> Result<Value> {
    let given = a.text(0);
    Ok(match a.text(1) {
        "NFC" => given.nfc().collect::<String>(),
        "NFD" => given.nfd().collect(),
        "NFKC" => given.nfkc().collect(),
        _ => given.nfkd().collect(),
    }
    .into())
}

/// The elements from one place to another, from 0; negative places count from the end.
fn array_slice(a: &Arguments<'_, '_>) -> Result<Value> {
    let Json::Array(elements) = json::parse(a.text(0))? else { return Ok(Value::Null) };
    let length = elements.len() as i64;
    let place = |place: i64| if place < 0 { place + length } else { place };
    let (first, last) = (place(a.int(1)).max(0), place(a.int(2)));
    let kept = elements.into_iter().zip(0_i64..).filter(|(_, place)| (first..=last).contains(place));
    Ok(kept.map(|(element, _)| element).collect::<Json>().to_string().into())
}

/// A number's text without commas, and with its sign before its digits.
fn numeric_text(text: &str) -> String {
    let bare: String = text.chars().filter(|sign| *sign != ',').collect();
    let bare = bare.trim();
    let (sign, digits) = match (bare.strip_prefix(['-', '+']), bare.strip_suffix(['-', '+'])) {
        (Some(digits), _) => (&bare[..1], digits.trim_start()),
        (None, Some(digits)) => (&bare[bare.len() - 1..], digits.trim_end()),
        (None, None) => ("", bare),
    };
    format!("{}{digits}", sign.trim_start_matches('+'))
}

/// `%e` of `FORMAT`: one digit before the point.
fn exponent(a: &Arguments<'_, '_>) -> Result<Value> {
    let digits = usize::try_from(a.int(1)).unwrap_or(6);
    Ok(with_exponent(a.real(0), digits).into())
}

fn with_exponent(number: f64, digits: usize) -> String {
    if !number.is_finite() {
        return if number.is_nan() { "nan".to_owned() } else { format!("{number}") };
    }
    let written = format!("{number:.digits$e}");
    let (mantissa, power) = written.split_once('e').unwrap_or((&written, "0"));
    let power: i32 = power.parse().unwrap_or(0);
    let sign = if power < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", power.abs())
}

/// `%g` of `FORMAT`: so many digits, with an exponent where that is shorter.
fn shortest_form(a: &Arguments<'_, '_>) -> Result<Value> {
    let digits = usize::try_from(a.int(1)).unwrap_or(6).max(1);
    let number = a.real(0);
    let rounded = with_exponent(number, digits - 1);
    if !number.is_finite() {
        return Ok(rounded.into());
    }
    let power: i64 = rounded.split_once('e').and_then(|(_, power)| power.parse().ok()).unwrap_or(0);
    let without_zeros = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    Ok(match power {
        -4.. if power < digits as i64 => {
            let digits = usize::try_from(digits as i64 - 1 - power).unwrap_or(0);
            without_zeros(&format!("{number:.digits$}"))
        }
        _ => {
            let (mantissa, power) = rounded.split_once('e').unwrap_or((&rounded, "+00"));
            format!("{}e{power}", without_zeros(mantissa))
        }
    }
    .into())
}

/// Bytes as the text that they are.
fn checked_text(a: &Arguments<'_, '_>) -> Result<Value> {
    match str::from_utf8(a.bytes(0)) {
        Ok(text) => Ok(text.to_owned().into()),
        Err(_) => fail("SAFE_CONVERT_BYTES_TO_STRING of bytes that are no UTF-8 is not supported"),
    }
}

/// A byte for each character.
fn latin_bytes(a: &Arguments<'_, '_>) -> Result<Value> {
    let bytes = a.text(0).chars().map(|sign| u8::try_from(u32::from(sign)).ok());
    match bytes.collect::<Option<Vec<u8>>>() {
        Some(bytes) => Ok(bytes.into()),
        None => fail("a number beyond 255 is no byte"),
    }
}

/// `[1, 2]`, with texts as literals if the flag is set.
fn list_text(a: &Arguments<'_, '_>) -> Result<Value> {
    let Json::Array(elements) = json::parse(a.text(0))? else { return Ok(Value::Null) };
    let text = |element: &Json| match element {
        Json::Null => "NULL".to_owned(),
        Json::String(text) if a.safe(1) => quoted(text),
        Json::String(text) => text.clone(),
        other => other.to_string(),
    };
    Ok(format!("[{}]", elements.iter().map(text).collect::<Vec<_>>().join(", ")).into())
}

/// A text as a literal of the warehouse.
fn quoted(text: &str) -> String {
    let mark = if text.contains('"') && !text.contains('\'') { '\'' } else { '"' };
    let mut out = String::from(mark);
    for sign in text.chars() {
        match sign {
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            sign if sign == mark => out.extend(['\\', sign]),
            sign => out.push(sign),
        }
    }
    out.push(mark);
    out
}
