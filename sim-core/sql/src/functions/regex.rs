//! Regular expressions. PostgreSQL's advanced syntax is translated for the `regex` library. Features that the library does not have
//! (back references, look-around, collating elements) are refused.
//!
//! Whether a text matches is the same in both, but the end of a match can differ: for `a|ab` PostgreSQL takes the longest
//! alternative, the library the first. Patterns that mix greedy and non-greedy quantifiers are refused where that matters.

use regex::Regex;
use rusqlite::types::Value;
use sim_values::budget::Budget;
use sim_values::regular::{compile, similar};

use super::text::{LENGTH_MAX, own, truth};
use super::{Arguments, Function};
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;
use crate::value::array;

const TT: &[Type] = &[Type::TEXT, Type::TEXT];
const TTT: &[Type] = &[Type::TEXT, Type::TEXT, Type::TEXT];
const TEXTS: Type = Type(1009);

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("~", TT, Type::BOOL, |a| truth(plain(a, "")?.is_match(a.text(0)))),
    Function::rust("~*", TT, Type::BOOL, |a| truth(plain(a, "i")?.is_match(a.text(0)))),
    Function::rust("!~", TT, Type::BOOL, |a| truth(!plain(a, "")?.is_match(a.text(0)))),
    Function::rust("!~*", TT, Type::BOOL, |a| truth(!plain(a, "i")?.is_match(a.text(0)))),
    Function::rust("regexp_like", TTT, Type::BOOL, |a| truth(plain(a, a.text(2))?.is_match(a.text(0))))
        .optional(1),
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

/// The pattern in argument 1, for testing whether a text matches.
fn plain(a: &Arguments<'_, '_>, flags: &str) -> Result<Regex> {
    a.match_pattern()?;
    Ok(compile(a.text(1), flags)?.0)
}

/// The pattern in argument 1 with the flags in argument `index`, for finding matches. Also returns whether to find all of them.
fn flagged(a: &Arguments<'_, '_>, index: usize) -> Result<(Regex, bool)> {
    a.match_pattern()?;
    let (regex, options) = compile(a.text(1), a.text(index))?;
    if options.greedy && options.lazy {
        return Err(SqlError::unsupported("a regular expression with greedy and non-greedy quantifiers"));
    }
    Ok((regex, options.global))
}

/// Replaces `\1` to `\9` and `\&` in a replacement by the matched texts.
fn expand(replacement: &str, captures: &regex::Captures<'_>) -> String {
    let mut out = String::new();
    let mut rest = replacement.chars();
    while let Some(character) = rest.next().filter(|_| out.len() <= LENGTH_MAX) {
        if character != '\\' {
            out.push(character);
            continue;
        }
        match rest.next() {
            Some('&') => out.push_str(&captures[0]),
            Some(digit) if digit.is_ascii_digit() && digit != '0' => {
                let index = digit.to_digit(10).unwrap_or(0) as usize;
                out.push_str(captures.get(index).map_or("", |group| group.as_str()));
            }
            Some('\\') | None => out.push('\\'),
            Some(other) => out.extend(['\\', other]),
        }
    }
    out
}

/// All matches. As in PostgreSQL, an empty match may directly follow another match.
fn all_captures<'r, 't>(
    budget: &'r Budget,
    regex: &'r Regex,
    text: &'t str,
) -> impl Iterator<Item = regex::Captures<'t>> + use<'r, 't> {
    let mut start = Some(0);
    // A pattern with repetitions may read to the end of the text before it fails.
    let repeats = regex.as_str().contains(['*', '+', '{', '$']);
    std::iter::from_fn(move || {
        let ahead = if repeats { text.len() - start? } else { 0 };
        if !budget.draw(10 + ahead / 32) {
            return None;
        }
        let captures = regex.captures_at(text, start?)?;
        let found = captures.get_match();
        start = match (found.is_empty(), text[found.end()..].chars().next()) {
            (false, _) => Some(found.end()),
            (true, Some(next)) => Some(found.end() + next.len_utf8()),
            (true, None) => None,
        };
        Some(captures)
    })
}

fn replace(a: &Arguments<'_, '_>) -> Result<Value> {
    let (regex, global) = flagged(a, 3)?;
    let text = a.text(0);
    let mut out = String::new();
    let mut end = 0;
    for captures in all_captures(a.budget(), &regex, text).take(if global { usize::MAX } else { 1 }) {
        let whole = captures.get_match();
        out.push_str(&text[end..whole.start()]);
        out.push_str(&expand(a.text(2), &captures));
        end = whole.end();
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
fn groups(captures: &regex::Captures<'_>) -> serde_json::Value {
    let skipped = usize::from(captures.len() > 1);
    captures.iter().skip(skipped).map(|group| group.map(|group| group.as_str())).collect()
}

fn first_match(a: &Arguments<'_, '_>) -> Result<Value> {
    if a.text(2).contains('g') {
        return Err(SqlError::new(
            SqlState::INVALID_PARAMETER,
            "regexp_match() does not support the \"global\" option",
        )
        .hint("Use the regexp_matches function instead."));
    }
    let (regex, _) = flagged(a, 2)?;
    Ok(match regex.captures(a.text(0)) {
        Some(captures) => Value::Text(groups(&captures).to_string()),
        None => Value::Null,
    })
}

fn matches(a: &Arguments<'_, '_>) -> Result<Value> {
    let (regex, global) = flagged(a, 2)?;
    let mut found = Vec::new();
    for captures in all_captures(a.budget(), &regex, a.text(0)).take(if global { usize::MAX } else { 1 }) {
        found.push(groups(&captures));
        hold_matches(a, found.len(), captures.len())?;
    }
    Ok(array::of(found))
}

/// The parts between matches. An empty match is no separator at either end of the text, or directly after another match.
fn split(a: &Arguments<'_, '_>) -> Result<Value> {
    let (regex, _) = flagged(a, 2)?;
    let text = a.text(0);
    let mut parts = Vec::new();
    let mut start = 0;
    for captures in all_captures(a.budget(), &regex, text) {
        hold_matches(a, parts.len(), 1)?;
        let found = captures.get_match();
        if found.is_empty() && (found.start() == start || found.end() == text.len()) {
            continue;
        }
        parts.push(text[start..found.start()].into());
        start = found.end();
    }
    parts.push(text[start..].into());
    Ok(array::of(parts))
}

/// The first group of the first match, or the whole match if the pattern has no groups.
fn substring(a: &Arguments<'_, '_>) -> Result<Value> {
    let (regex, _) = flagged(a, 2)?;
    let found = regex.captures(a.text(0)).and_then(|captures| captures.get(usize::from(captures.len() > 1)));
    Ok(found.map_or(Value::Null, |group| Value::Text(group.as_str().to_owned())))
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
    let (regex, _) = flagged(a, 3)?;
    let (text, _) = from_start(a)?;
    Ok(Value::Integer(all_captures(a.budget(), &regex, text).count() as i64))
}

/// The position and text of the match with the number in argument 3, or of its group if argument `group` is given.
fn nth_match(a: &Arguments<'_, '_>, group: usize, flags: usize) -> Result<Option<(usize, String)>> {
    let (regex, _) = flagged(a, flags)?;
    let (text, skipped) = from_start(a)?;
    let wanted = if a.is_null(3) { 1 } else { a.int(3).max(1) as usize };
    let captures = all_captures(a.budget(), &regex, text).nth(wanted - 1);
    let found = captures.and_then(|captures| captures.get(a.int(group).max(0) as usize));
    Ok(found.map(|found| {
        let place = a.text(0)[..skipped + found.start()].chars().count() + 1;
        (place, found.as_str().to_owned())
    }))
}
