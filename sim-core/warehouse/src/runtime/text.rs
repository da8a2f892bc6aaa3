//! Functions of texts: parts, case, padding, regular expressions.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base64::Engine;
use md5::Md5;
use regex::{Captures, Regex};
use rusqlite::Result;
use rusqlite::types::Value;
use serde_json::Value as Json;
use sha2::Digest;
use sim_values::pattern;

use super::{Arguments, Function, fail, optional, refused};

/// The longest text that a function generates.
pub(super) const LENGTH_MAX: usize = 1 << 20;

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_lower", call: |a| Ok(a.text(0).to_lowercase().into()) },
    Function { name: "wh_upper", call: |a| Ok(a.text(0).to_uppercase().into()) },
    Function { name: "wh_initcap", call: |a| Ok(initcap(a.text(0)).into()) },
    Function { name: "wh_substr", call: substr },
    Function { name: "wh_left", call: |a| left(a) },
    Function { name: "wh_right", call: |a| right(a) },
    Function { name: "wh_starts_with", call: |a| Ok(a.text(0).starts_with(a.text(1)).into()) },
    Function { name: "wh_ends_with", call: |a| Ok(a.text(0).ends_with(a.text(1)).into()) },
    Function { name: "wh_like", call: like },
    Function { name: "wh_trim", call: |a| Ok(a.text(0).trim_matches(is_blank).to_owned().into()) },
    Function { name: "wh_ltrim", call: |a| Ok(a.text(0).trim_start_matches(is_blank).to_owned().into()) },
    Function { name: "wh_rtrim", call: |a| Ok(a.text(0).trim_end_matches(is_blank).to_owned().into()) },
    Function { name: "wh_reverse", call: |a| Ok(a.text(0).chars().rev().collect::<String>().into()) },
    Function { name: "wh_repeat", call: repeat },
    Function { name: "wh_lpad", call: |a| pad(a, true) },
    Function { name: "wh_rpad", call: |a| pad(a, false) },
    Function { name: "wh_split", call: split },
    Function { name: "wh_regexp_contains", call: |a| Ok(regex(a)?.is_match(a.text(0)).into()) },
    Function { name: "wh_regexp_extract", call: extract },
    Function { name: "wh_regexp_extract_all", call: extract_all },
    Function { name: "wh_regexp_replace", call: |a| replace(a, 0) },
    Function { name: "wh_regexp_replace_first", call: |a| replace(a, 1) },
    Function { name: "wh_regexp_groups", call: groups },
    Function { name: "wh_regexp_all_groups", call: all_groups },
    Function { name: "wh_key_values", call: key_values },
    Function { name: "wh_url_encoded", call: |a| Ok(url_encoded(a.text(0)).into()) },
    Function { name: "wh_whole_in", call: whole_in },
    Function { name: "wh_url_decoded", call: |a| Ok(url_decoded(a.text(0)).into()) },
    Function { name: "wh_translate", call: |a| Ok(translated(a.text(0), a.text(1), a.text(2)).into()) },
    Function { name: "wh_regexp_instr", call: place_of_match },
    Function { name: "wh_directive", call: directive },
    Function { name: "wh_signed_part", call: signed_part },
    Function {
        name: "wh_ascii",
        call: |a| Ok(a.text(0).chars().next().map_or(0, |sign| i64::from(u32::from(sign))).into()),
    },
    Function { name: "wh_chr", call: chr },
    Function { name: "wh_from_hex", call: from_hex },
    Function { name: "wh_from_base64", call: from_base64 },
    Function { name: "wh_soundex", call: |a| Ok(soundex(a.text(0)).into()) },
    Function { name: "wh_to_base32", call: to_base32 },
    Function { name: "wh_from_base32", call: from_base32 },
    Function { name: "wh_sha1", call: |a| Ok(sha1::Sha1::digest(a.bytes(0)).to_vec().into()) },
    Function { name: "wh_sha224", call: |a| Ok(sha2::Sha224::digest(a.bytes(0)).to_vec().into()) },
    Function { name: "wh_sha384", call: |a| Ok(sha2::Sha384::digest(a.bytes(0)).to_vec().into()) },
    Function { name: "wh_sha512", call: |a| Ok(sha2::Sha512::digest(a.bytes(0)).to_vec().into()) },
    Function {
        name: "wh_to_base64",
        call: |a| Ok(base64::engine::general_purpose::STANDARD.encode(a.bytes(0)).into()),
    },
    Function { name: "wh_md5", call: |a| Ok(Md5::digest(a.bytes(0)).to_vec().into()) },
    Function { name: "wh_sha256", call: |a| Ok(sha2::Sha256::digest(a.bytes(0)).to_vec().into()) },
];

/// Functions that only scan their arguments. SQLite's own take the length of one times that of another, and do not draw on the budget.
pub(super) const SCANS: &[Function] = &[
    // What a window collects for each of its rows.
    Function { name: "wh_charged", call: |a| Ok(a.text(0).to_owned().into()) },
    Function { name: "wh_strpos", call: |a| Ok(position(a.text(0), a.text(1)).into()) },
    Function { name: "wh_replace", call: replace_text },
    Function { name: "wh_concat", call: concat },
    Function { name: "wh_trim_of", call: |a| Ok(trimmed(a, true, true).into()) },
    Function { name: "wh_ltrim_of", call: |a| Ok(trimmed(a, true, false).into()) },
    Function { name: "wh_rtrim_of", call: |a| Ok(trimmed(a, false, true).into()) },
];

/// The place of the first occurrence, counted from 1; 0 if there is none.
fn position(text: &str, part: &str) -> i64 {
    text.find(part).map_or(0, |at| text[..at].chars().count() as i64 + 1)
}

fn replace_text(a: &Arguments<'_, '_>) -> Result<Value> {
    let (text, from, to) = (a.text(0), a.text(1), a.text(2));
    if from.is_empty() {
        return Ok(text.to_owned().into());
    }
    // What it will add is known before it is written.
    let added = text.matches(from).count().saturating_mul(to.len().saturating_sub(from.len()));
    a.budget.make(added).map_err(refused)?;
    Ok(text.replace(from, to).into())
}

fn concat(a: &Arguments<'_, '_>) -> Result<Value> {
    a.budget.make(a.size()).map_err(refused)?;
    Ok((0..a.len()).map(|index| a.text(index)).collect::<String>().into())
}

/// The text without these characters at its ends.
fn trimmed(a: &Arguments<'_, '_>, start: bool, end: bool) -> String {
    let signs: BTreeSet<char> = a.text(1).chars().collect();
    let is_one = |sign: char| signs.contains(&sign);
    let text = if start { a.text(0).trim_start_matches(is_one) } else { a.text(0) };
    if end { text.trim_end_matches(is_one) } else { text }.to_owned()
}

fn is_blank(sign: char) -> bool {
    matches!(sign, ' ' | '\t' | '\n' | '\r' | '\u{b}' | '\u{c}')
}

fn initcap(text: &str) -> String {
    let mut inside = false;
    let mut out = String::with_capacity(text.len());
    for sign in text.chars() {
        if inside {
            out.extend(sign.to_lowercase());
        } else {
            out.extend(sign.to_uppercase());
        }
        inside = sign.is_alphanumeric();
    }
    out
}

/// The part from a position, counted from one, or from the end if negative.
fn substr(a: &Arguments<'_, '_>) -> Result<Value> {
    let text = a.text(0);
    let length = text.chars().count() as i64;
    let start = match a.int(1) {
        0 => 0,
        place @ 1.. => place - 1,
        place => (length + place).max(0),
    };
    let count = if a.len() > 2 { a.int(2) } else { i64::MAX };
    if count < 0 {
        return fail("Third argument in SUBSTR() cannot be negative");
    }
    Ok(part(text, start, count).into())
}

fn part(text: &str, start: i64, count: i64) -> String {
    let clamp = |number: i64| usize::try_from(number).unwrap_or(0);
    text.chars().skip(clamp(start)).take(clamp(count)).collect()
}

/// A part as the columnar dialect counts: nothing begins at 0, and a negative length ends so many characters before the end.
fn signed_part(a: &Arguments<'_, '_>) -> Result<Value> {
    let length = a.text(0).chars().count() as i64;
    let start = match a.int(1) {
        0 => return Ok(String::new().into()),
        place @ 1.. => place - 1,
        place => length.saturating_add(place),
    };
    let end = match if a.len() > 2 { a.int(2) } else { i64::MAX } {
        count @ 0.. => start.saturating_add(count),
        count => length.saturating_add(count),
    };
    let start = start.max(0);
    Ok(part(a.text(0), start, end.saturating_sub(start).max(0)).into())
}

fn left(a: &Arguments<'_, '_>) -> Result<Value> {
    match a.int(1) {
        count @ 0.. => Ok(part(a.text(0), 0, count).into()),
        _ => fail("Second argument in LEFT() cannot be negative"),
    }
}

fn right(a: &Arguments<'_, '_>) -> Result<Value> {
    let length = a.text(0).chars().count() as i64;
    match a.int(1) {
        count @ 0.. => Ok(part(a.text(0), (length - count.min(length)).max(0), count).into()),
        _ => fail("Second argument in RIGHT() cannot be negative"),
    }
}

fn like(a: &Arguments<'_, '_>) -> Result<Value> {
    a.budget.match_pattern(a.text(1), a.text(0).len()).map_err(refused)?;
    match pattern::like(a.text(0), a.text(1), None) {
        Ok(found) => Ok(found.into()),
        Err(_) => fail("LIKE pattern ends with a backslash"),
    }
}

fn repeat(a: &Arguments<'_, '_>) -> Result<Value> {
    let text = a.text(0);
    match usize::try_from(a.int(1)) {
        Err(_) => fail("Second argument in REPEAT() cannot be negative"),
        Ok(count) if text.len().saturating_mul(count) > LENGTH_MAX => fail("the text would be too long"),
        Ok(count) => Ok(text.repeat(count).into()),
    }
}

fn pad(a: &Arguments<'_, '_>, before: bool) -> Result<Value> {
    let (text, width, filling) = (a.text(0), a.int(1), a.text(2));
    if width < 0 || filling.is_empty() {
        return fail("LPAD() and RPAD() take a length and a text that is not empty");
    }
    if width > LENGTH_MAX as i64 {
        return fail("the text would be too long");
    }
    let missing = (width as usize).saturating_sub(text.chars().count());
    let filling: String = filling.chars().cycle().take(missing).collect();
    let text = part(text, 0, width);
    Ok(if before { filling + &text } else { text + &filling }.into())
}

fn split(a: &Arguments<'_, '_>) -> Result<Value> {
    let (text, separator) = (a.text(0), a.text(1));
    let parts: Vec<Json> = match separator {
        "" if text.is_empty() => vec!["".into()],
        "" => text.chars().map(|sign| sign.to_string().into()).collect(),
        separator => text.split(separator).map(Into::into).collect(),
    };
    Ok(Json::from(parts).to_string().into())
}

/// The compiled pattern. It is compiled once for a query if it is constant.
pub(super) fn regex(a: &Arguments<'_, '_>) -> Result<Arc<Regex>> {
    a.budget.match_pattern(a.text(1), a.text(0).len()).map_err(refused)?;
    a.context.get_or_create_aux(1, |pattern| {
        let pattern = pattern.as_str().unwrap_or_default();
        compile(pattern)
    })
}

/// Compiles a pattern that may be different in each row, so errors can occur at run time.
fn compile(pattern: &str) -> std::result::Result<Regex, String> {
    Regex::new(pattern).map_err(|error| format!("Cannot parse regular expression: {error}"))
}

/// The group, or the whole match if the pattern has no group.
fn group<'t>(captures: &Captures<'t>) -> Option<&'t str> {
    captures.get(usize::from(captures.len() > 1)).map(|group| group.as_str())
}

fn extract(a: &Arguments<'_, '_>) -> Result<Value> {
    let regex = regex(a)?;
    let found = regex.captures(a.text(0));
    optional(found.and_then(|captures| group(&captures).map(str::to_owned)))
}

fn extract_all(a: &Arguments<'_, '_>) -> Result<Value> {
    let regex = regex(a)?;
    let text = a.text(0);
    let mut found = Vec::new();
    for captures in regex.captures_iter(text) {
        // The search for the next match may read the rest of the text.
        a.budget.work(10 + (text.len() - captures.get_match().end()) / 32).map_err(refused)?;
        found.extend(group(&captures));
    }
    Ok(Json::from(found).to_string().into())
}

/// The whole number that a text is, if it lies between two others.
fn whole_in(a: &Arguments<'_, '_>) -> Result<Value> {
    let number = a.text(0).parse::<i64>().ok().filter(|number| (a.int(1)..=a.int(2)).contains(number));
    Ok(number.map_or(Value::Null, Value::from))
}

/// The text with the bytes that `%41` stands for. A percent sign without two digits stays.
fn url_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('%') {
        bytes.extend(before.bytes());
        let digits = after.get(..2).filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &after[2..];
            }
            None => {
                bytes.push(b'%');
                rest = after;
            }
        }
    }
    bytes.extend(rest.bytes());
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The text with every byte but letters, digits and `-._~` as `%` and its digits.
fn url_encoded(text: &str) -> String {
    let encoded = |byte: u8| match byte {
        b'-' | b'.' | b'_' | b'~' => char::from(byte).to_string(),
        byte if byte.is_ascii_alphanumeric() => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(encoded).collect()
}

/// The groups of every match: a list for each match, or for each group if the flag is set.
fn all_groups(a: &Arguments<'_, '_>) -> Result<Value> {
    let pattern = regex(a)?;
    let groups = pattern.captures_len() - 1;
    let part = |found: &regex::Captures<'_>, group: usize| {
        Json::from(found.get(group + 1).map_or("", |part| part.as_str()))
    };
    let mut matches = Vec::new();
    for found in pattern.captures_iter(a.text(0)) {
        a.budget.work(10 + (a.text(0).len() - found.get_match().end()) / 32).map_err(refused)?;
        matches.push(found);
    }
    let lists: Vec<Json> = match a.safe(2) {
        false => matches.iter().map(|found| (0..groups).map(|group| part(found, group)).collect()).collect(),
        true => (0..groups).map(|group| matches.iter().map(|found| part(found, group)).collect()).collect(),
    };
    Ok(Json::Array(lists).to_string().into())
}

/// The pairs of `key=value key="a value"` as a map: which sign is between a key and its value, and which are between pairs.
fn key_values(a: &Arguments<'_, '_>) -> Result<Value> {
    let compile = || {
        let (between, ends) = (regex::escape(a.text(1)), regex::escape(a.text(2)));
        let (key, value) = (format!("[^{between}{ends}\"]+"), format!("[^{ends}\"]*"));
        let pattern = format!("(?:^|[{ends}])(?:\"([^\"]*)\"|({key})){between}(?:\"([^\"]*)\"|({value}))");
        Regex::new(&pattern).map_err(|_| "extractKeyValuePairs takes short delimiters".to_owned())
    };
    a.budget.match_pattern(a.text(2), a.text(0).len()).map_err(refused)?;
    let known: Arc<(String, Regex)> =
        a.context.get_or_create_aux(2, |_| compile().map(|pattern| (a.text(1).to_owned(), pattern)))?;
    let pattern = match known.0 == a.text(1) {
        true => known.1.clone(),
        false => compile().or_else(fail)?,
    };
    let mut pairs = serde_json::Map::new();
    for found in pattern.captures_iter(a.text(0)) {
        a.budget.work(10 + (a.text(0).len() - found.get_match().end()) / 32).map_err(refused)?;
        let part = |one: usize, other: usize| {
            found.get(one).or_else(|| found.get(other)).map_or("", |part| part.as_str())
        };
        let (key, value) = (part(1, 2), part(3, 4));
        if !pairs.contains_key(key) {
            pairs.insert(key.to_owned(), value.into());
        }
    }
    Ok(Json::Object(pairs).to_string().into())
}

/// The text with each character of `from` replaced by the one at its place in `to`, or left out.
fn translated(text: &str, from: &str, to: &str) -> String {
    let mut to = to.chars();
    let mut instead = BTreeMap::new();
    for sign in from.chars() {
        let with = to.next();
        instead.entry(sign).or_insert(with);
    }
    text.chars().filter_map(|sign| instead.get(&sign).copied().unwrap_or(Some(sign))).collect()
}

/// The groups of the first match.
fn groups(a: &Arguments<'_, '_>) -> Result<Value> {
    let regex = regex(a)?;
    let Some(captures) = regex.captures(a.text(0)) else { return Ok("[]".to_owned().into()) };
    let groups = captures.iter().skip(1).map(|group| Json::from(group.map_or("", |group| group.as_str())));
    Ok(Json::from_iter(groups).to_string().into())
}

/// Replaces that many matches, or all if it is 0. `\1` in the replacement is a group, `\0` the whole match.
fn replace(a: &Arguments<'_, '_>, most: usize) -> Result<Value> {
    let regex = regex(a)?;
    let text = a.text(0);
    let most = if most == 0 { usize::MAX } else { most };
    let (mut out, mut read, mut added, mut good) = (String::new(), 0, 0, true);
    for captures in regex.captures_iter(text).take(most) {
        let found = captures.get_match();
        // The search for the next match may read the rest of the text.
        a.budget.work(10 + (text.len() - found.end()) / 32).map_err(refused)?;
        out.push_str(&text[read..found.start()]);
        read = found.end();
        let before = out.len();
        good &= push_replacement(&mut out, a.text(2), &captures);
        added += out.len() - before;
        if added > LENGTH_MAX {
            return fail("the text would be too long");
        }
    }
    out.push_str(&text[read..]);
    if good { Ok(out.into()) } else { fail("Invalid REGEXP_REPLACE pattern") }
}

/// Adds what stands for a match, but not much more than a text may have. Returns whether the replacement is well formed.
fn push_replacement(out: &mut String, replacement: &str, captures: &Captures<'_>) -> bool {
    let most = out.len() + LENGTH_MAX;
    let mut good = true;
    let mut signs = replacement.chars();
    while let Some(sign) = signs.next().filter(|_| out.len() <= most) {
        match (sign, signs.as_str().chars().next()) {
            ('\\', Some(digit)) if digit.is_ascii_digit() => {
                let index = digit.to_digit(10).unwrap_or(0) as usize;
                good &= index < captures.len();
                out.push_str(captures.get(index).map_or("", |group| group.as_str()));
                signs.next();
            }
            ('\\', Some('\\')) => {
                out.push('\\');
                signs.next();
            }
            ('\\', _) => good = false,
            (sign, _) => out.push(sign),
        }
    }
    good
}

/// The position of the first match, counted from one; 0 if there is none.
fn place_of_match(a: &Arguments<'_, '_>) -> Result<Value> {
    let regex = regex(a)?;
    let text = a.text(0);
    let place = regex.find(text).map_or(0, |found| text[..found.start()].chars().count() as i64 + 1);
    Ok(place.into())
}

/// Formats a value with the sign, grouping of thousands and width that the flags of `FORMAT` ask for.
fn directive(a: &Arguments<'_, '_>) -> Result<Value> {
    let (text, flags) = (a.text(0), a.text(1));
    let width = usize::try_from(a.int(2)).unwrap_or(0);
    if width > LENGTH_MAX {
        return fail("the text would be too long");
    }
    let has = |flag| flags.contains(flag);
    let (sign, digits) = text.strip_prefix('-').map_or(("", text), |digits| ("-", digits));
    let sign = match sign {
        "" if has('+') => "+",
        "" if has(' ') => " ",
        sign => sign,
    };
    let digits = if has('\'') { with_thousands(digits) } else { digits.to_owned() };
    let missing = width.saturating_sub(sign.len() + digits.chars().count());
    let filling = |with: &str| with.repeat(missing);
    Ok(match (has('-'), has('0')) {
        (true, _) => format!("{sign}{digits}{}", filling(" ")),
        (false, true) => format!("{sign}{}{digits}", filling("0")),
        (false, false) => format!("{}{sign}{digits}", filling(" ")),
    }
    .into())
}

fn with_thousands(digits: &str) -> String {
    let (whole, rest) = digits.find('.').map_or((digits, ""), |point| digits.split_at(point));
    let mut out = String::new();
    for (index, digit) in whole.chars().enumerate() {
        if index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out + rest
}

fn chr(a: &Arguments<'_, '_>) -> Result<Value> {
    let code = a.int(0);
    let sign = u32::try_from(code).ok().and_then(char::from_u32).filter(|sign| *sign != '\0');
    sign.map_or_else(
        || fail(format!("{code} is the number of no character")),
        |sign| Ok(sign.to_string().into()),
    )
}

fn from_hex(a: &Arguments<'_, '_>) -> Result<Value> {
    let text = a.text(0);
    let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
    let is_hex = text.bytes().all(|sign| sign.is_ascii_hexdigit()) && text.len().is_multiple_of(2);
    let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(byte).collect();
    bytes
        .filter(|_| is_hex)
        .map_or_else(|| fail(format!("{text} is not hexadecimal")), |bytes| Ok(bytes.into()))
}

const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

fn to_base32(a: &Arguments<'_, '_>) -> Result<Value> {
    let mut out = String::new();
    for bytes in a.bytes(0).chunks(5) {
        let all =
            bytes.iter().fold(0_u64, |all, byte| (all << 8) | u64::from(*byte)) << (8 * (5 - bytes.len()));
        let digits = (bytes.len() * 8).div_ceil(5);
        out.extend((0..8).map(|place| {
            let digit = (all >> (35 - 5 * place)) as usize & 31;
            if place < digits { char::from(BASE32[digit]) } else { '=' }
        }));
    }
    Ok(out.into())
}

fn from_base32(a: &Arguments<'_, '_>) -> Result<Value> {
    let text = a.text(0);
    match base32_bytes(text.as_bytes()) {
        Some(bytes) => Ok(bytes.into()),
        None => fail(format!("{text} is not base32")),
    }
}

fn base32_bytes(text: &[u8]) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let last = text.len().saturating_sub(8);
    for (at, group) in text.chunks(8).enumerate() {
        let digits = group.iter().position(|sign| *sign == b'=').unwrap_or(group.len());
        let is_whole = group.len() == 8 && group[digits..].iter().all(|sign| *sign == b'=');
        if !is_whole || !matches!(digits, 2 | 4 | 5 | 7 | 8) || (digits < 8 && at * 8 != last) {
            return None;
        }
        let mut all = 0_u64;
        for sign in &group[..digits] {
            all = (all << 5) | BASE32.iter().position(|known| known == sign)? as u64;
        }
        all <<= 5 * (8 - digits);
        out.extend_from_slice(&all.to_be_bytes()[3..3 + digits * 5 / 8]);
    }
    Some(out)
}

/// The first letter, and digits for the sounds of the letters after it. Letters of one sound count once, with h or w between them too.
fn soundex(text: &str) -> String {
    let digit = |letter: char| match letter {
        'B' | 'F' | 'P' | 'V' => '1',
        'C' | 'G' | 'J' | 'K' | 'Q' | 'S' | 'X' | 'Z' => '2',
        'D' | 'T' => '3',
        'L' => '4',
        'M' | 'N' => '5',
        'R' => '6',
        'H' | 'W' => 'h',
        _ => '0',
    };
    let mut letters =
        text.chars().filter(char::is_ascii_alphabetic).map(|letter| letter.to_ascii_uppercase());
    let Some(first) = letters.next() else { return String::new() };
    let (mut out, mut last) = (first.to_string(), digit(first));
    for letter in letters {
        let digit = digit(letter);
        if digit == 'h' {
            continue;
        }
        if digit != '0' && digit != last {
            out.push(digit);
        }
        last = digit;
    }
    out.truncate(4);
    format!("{out:0<4}")
}

fn from_base64(a: &Arguments<'_, '_>) -> Result<Value> {
    let decoded = base64::engine::general_purpose::STANDARD.decode(a.text(0));
    decoded.map_or_else(|_| fail(format!("{} is not base64", a.text(0))), |bytes| Ok(bytes.into()))
}
