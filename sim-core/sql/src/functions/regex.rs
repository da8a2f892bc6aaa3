//! Regular expressions. PostgreSQL's advanced syntax is translated for the `regex` library, or for one that backtracks if a pattern
//! has look-around or back references. Collating elements are refused.
//!
//! Whether a text matches is the same as in PostgreSQL, but the end of a match can differ: for `a|ab` PostgreSQL takes the longest
//! alternative, the library the first. Patterns that mix greedy and non-greedy quantifiers are refused where that matters.

use rusqlite::types::Value;
use sim_values::budget::Budget;
use sim_values::regular::{Found, Pattern, Tries, compile, similar};

use super::text::{LENGTH_MAX, own, truth};
use super::{Arguments, Function};
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;
use crate::value::array;

const TT: &[Type] = &[Type::TEXT, Type::TEXT];
const TTT: &[Type] = &[Type::TEXT, Type::TEXT, Type::TEXT];
const TEXTS: Type = Type(1009);

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("~", TT, Type::BOOL, |a| truth(plain(a, "")?)),
    Function::rust("~*", TT, Type::BOOL, |a| truth(plain(a, "i")?)),
    Function::rust("!~", TT, Type::BOOL, |a| truth(!plain(a, "")?)),
    Function::rust("!~*", TT, Type::BOOL, |a| truth(!plain(a, "i")?)),
    Function::rust("regexp_like", TTT, Type::BOOL, |a| truth(plain(a, a.text(2))?)).optional(1),
    Function::rust("regexp_replace", TTT, Type::TEXT, replace),
    Function::rust("regexp_replace", &[Type::TEXT, Type::TEXT, Type::TEXT, Type::TEXT], Type::TEXT, replace),
    Function::rust("regexp_match", TTT, TEXTS, first_match).optional(1),
    Function::set("regexp_matches", TTT, TEXTS, &[], matches).optional(1),
    Function::rust("regexp_split_to_array", TTT, TEXTS, split).optional(1),
    Function::set("regexp_split_to_table", TTT, Type::TEXT, &[], split).optional(1),
    Function::rust("substring", TT, Type::TEXT, substring),
    Function::rust("regexp_count", &[Type::TEXT, Type::TEXT, Type::INT4, Type::TEXT], Type::INT4, count)
        .optional(2),
    Function::rust(
        "regexp_substr",
        &[Type::TEXT, Type::TEXT, Type::INT4, Type::INT4, Type::TEXT, Type::INT4],
        Type::TEXT,
        |a| Ok(nth_match(a, 5, 4)?.map_or(Value::Null, |(_, text)| Value::Text(text))),
    )
    .optional(4),
    Function::rust("regexp_instr", &[Type::TEXT, Type::TEXT, Type::INT4, Type::INT4], Type::INT4, |a| {
        Ok(Value::Integer(nth_match(a, 5, 4)?.map_or(0, |(at, _)| at as i64)))
    })
    .optional(2),
    Function::rust("similar_to_escape", &[Type::TEXT], Type::TEXT, |a| own(similar(a.text(0), Some('\\'))?)),
    Function::rust("similar_to_escape", TT, Type::TEXT, |a| {
        own(similar(a.text(0), a.text(1).chars().next())?)
    }),
];

/// Whether the text matches the pattern in argument 1.
fn plain(a: &Arguments<'_, '_>, flags: &str) -> Result<bool> {
    a.match_pattern()?;
    compile(a.text(1), flags)?.is_match(a.budget(), a.text(0))
}

/// The pattern in argument 1 with the flags in argument `index`, for finding matches.
fn flagged(a: &Arguments<'_, '_>, index: usize) -> Result<Pattern> {
    a.match_pattern()?;
    let pattern = compile(a.text(1), a.text(index))?;
    if pattern.options.greedy && pattern.options.lazy {
        return Err(SqlError::unsupported("a regular expression with greedy and non-greedy quantifiers"));
    }
    Ok(pattern)
}

/// How many matches count: all, or the first one.
const fn most(pattern: &Pattern) -> usize {
    if pattern.options.global { usize::MAX } else { 1 }
}

/// Replaces `\1` to `\9` and `\&` in a replacement by the matched texts.
fn expand(replacement: &str, found: &Found<'_>) -> String {
    let mut out = String::new();
    let mut rest = replacement.chars();
    while let Some(character) = rest.next().filter(|_| out.len() <= LENGTH_MAX) {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match rest.next() {
            Some('&') => out.push_str(found.group(0).unwrap_or("")),
            Some(digit) if digit.is_ascii_digit() && digit != '0' => {
                let index = digit.to_digit(10).unwrap_or(0) as usize;
                out.push_str(found.group(index).unwrap_or(""));
            }
            Some('\\') | None => out.push('\\'),
            Some(other) => out.extend(['\\', other]),
        }
    }
    out
}

/// All matches. As in PostgreSQL, an empty match may directly follow another match.
fn all<'r, 't>(
    budget: &'r Budget,
    pattern: &'r Pattern,
    text: &'t str,
) -> impl Iterator<Item = Result<Found<'t>>> + use<'r, 't> {
    let mut start = Some(0);
    let mut tries = Tries::default();
    let repeats = pattern.repeats();
    std::iter::from_fn(move || {
        let from = start.take()?;
        let ahead = if repeats { text.len() - from } else { 0 };
        let found = budget
            .work(10 + ahead / 32)
            .and_then(|()| pattern.find_at(&mut tries, budget, text, from))
            .transpose()?;
        if let Ok(found) = &found {
            let found = found.range();
            start = match (found.is_empty(), text[found.end..].chars().next()) {
                (false, _) => Some(found.end),
                (true, Some(next)) => Some(found.end + next.len_utf8()),
                (true, None) => None,
            };
        }
        Some(found)
    })
}

fn replace(a: &Arguments<'_, '_>) -> Result<Value> {
    let pattern = flagged(a, 3)?;
    let text = a.text(0);
    let mut out = String::new();
    let mut end = 0;
    for found in all(a.budget(), &pattern, text).take(most(&pattern)) {
        let found = found?;
        let whole = found.range();
        out.push_str(&text[end..whole.start]);
        out.push_str(&expand(a.text(2), &found));
        end = whole.end;
        if out.len() > LENGTH_MAX {
            break;
        }
    }
    out.push_str(&text[end..]);
    own(out)
}

/// About the bytes that a group of a match takes until all are printed.
const GROUP: usize = 160;

/// Charges the memory of matches, a thousand at a time: that of few matches is freed with their row.
fn hold_matches(a: &Arguments<'_, '_>, count: usize, groups: usize) -> Result<()> {
    if count % 1024 == 1023 { a.budget().hold(1024 * GROUP * groups) } else { Ok(()) }
}

/// The groups of a match, or the whole match if the pattern has no groups.
fn groups(found: &Found<'_>) -> serde_json::Value {
    (found.first_group()..found.count()).map(|index| found.group(index)).collect()
}

fn first_match(a: &Arguments<'_, '_>) -> Result<Value> {
    if a.text(2).contains('g') {
        return Err(SqlError::new(
            SqlState::INVALID_PARAMETER,
            "regexp_match() does not support the \"global\" option",
        )
        .hint("Use the regexp_matches function instead."));
    }
    Ok(match flagged(a, 2)?.find(a.budget(), a.text(0))? {
        Some(found) => Value::Text(groups(&found).to_string()),
        None => Value::Null,
    })
}

fn matches(a: &Arguments<'_, '_>) -> Result<Value> {
    let pattern = flagged(a, 2)?;
    let mut matches = Vec::new();
    for found in all(a.budget(), &pattern, a.text(0)).take(most(&pattern)) {
        let found = found?;
        matches.push(groups(&found));
        hold_matches(a, matches.len(), found.count())?;
    }
    Ok(array::of(matches))
}

/// The parts between matches. An empty match is no separator at either end of the text, or directly after another match.
fn split(a: &Arguments<'_, '_>) -> Result<Value> {
    let pattern = flagged(a, 2)?;
    let text = a.text(0);
    let mut parts = Vec::new();
    let mut start = 0;
    for found in all(a.budget(), &pattern, text) {
        hold_matches(a, parts.len(), 1)?;
        let found = found?.range();
        if found.is_empty() && (found.start == start || found.end == text.len()) {
            continue;
        }
        parts.push(text[start..found.start].into());
        start = found.end;
    }
    parts.push(text[start..].into());
    Ok(array::of(parts))
}

/// The first group of the first match, or the whole match if the pattern has no groups.
fn substring(a: &Arguments<'_, '_>) -> Result<Value> {
    let found = flagged(a, 2)?.find(a.budget(), a.text(0))?;
    let group = found.and_then(|found| found.group(found.first_group()));
    Ok(group.map_or(Value::Null, |group| Value::Text(group.to_owned())))
}

/// The text from the character at the position in argument 2, and the byte where it begins.
fn from_start<'a>(a: &'a Arguments<'_, '_>) -> Result<(&'a str, usize)> {
    let start = if a.is_null(2) { 1 } else { a.int(2) };
    if start < 1 {
        let message = format!("invalid value for parameter \"start\": {start}");
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
    }
    let text = a.text(0);
    let at = text.char_indices().nth(start as usize - 1).map_or(text.len(), |(at, _)| at);
    Ok((&text[at..], at))
}

fn count(a: &Arguments<'_, '_>) -> Result<Value> {
    let pattern = flagged(a, 3)?;
    let (text, _) = from_start(a)?;
    let mut count = 0;
    for found in all(a.budget(), &pattern, text) {
        found?;
        count += 1;
    }
    Ok(Value::Integer(count))
}

/// The position and text of the match with the number in argument 3, or of its group if argument `group` is given.
fn nth_match(a: &Arguments<'_, '_>, group: usize, flags: usize) -> Result<Option<(usize, String)>> {
    let pattern = flagged(a, flags)?;
    let (text, skipped) = from_start(a)?;
    let wanted = if a.is_null(3) { 1 } else { a.int(3).max(1) as usize };
    let found = all(a.budget(), &pattern, text).nth(wanted - 1).transpose()?;
    let place = found.and_then(|found| found.place(a.int(group).max(0) as usize));
    Ok(place.map(|place| {
        let before = a.text(0)[..skipped + place.start].chars().count();
        (before + 1, text[place].to_owned())
    }))
}
