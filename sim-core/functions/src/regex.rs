//! Regular expressions. PostgreSQL's advanced syntax is translated for the `regex` library, or for one that backtracks if a pattern
//! has look-around or back references. Collating elements are refused.
//!
//! Whether a text matches is the same as in PostgreSQL, but the end of a match can differ: for `a|ab` PostgreSQL takes the longest
//! alternative, the library the first. Patterns that mix greedy and non-greedy quantifiers match as in PostgreSQL, or are refused
//! where that matters.

use std::ops::Range;

use rusqlite::types::Value;
use sim_values::budget::Budget;
use sim_values::regular::{Found, Pattern, Tries, compile, similar};

use super::LENGTH_MAX;
use super::text::{own, truth};
use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;

const TT: &[Type] = &[Type::TEXT, Type::TEXT];
const TTT: &[Type] = &[Type::TEXT, Type::TEXT, Type::TEXT];
const TEXTS: Type = Type(1009);

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("~", TT, Type::BOOL, |a| truth(plain(a, "")?)),
    Function::rust("~*", TT, Type::BOOL, |a| truth(plain(a, "i")?)),
    Function::rust("!~", TT, Type::BOOL, |a| truth(!plain(a, "")?)),
    Function::rust("!~*", TT, Type::BOOL, |a| truth(!plain(a, "i")?)),
    Function::rust("regexp_like", TTT, Type::BOOL, |a| {
        refuse_global(a.text(2), "regexp_like")?;
        truth(plain(a, a.text(2))?)
    })
    .optional(1),
    Function::rust("regexp_replace", TTT, Type::TEXT, |a| replace(a, 0, (0, 1), "")),
    Function::rust("regexp_replace", &[Type::TEXT, Type::TEXT, Type::TEXT, Type::TEXT], Type::TEXT, |a| {
        let flags = a.text(3);
        if let Some(digit) = flags.chars().next().filter(char::is_ascii_digit) {
            let message = format!("invalid regular expression option: \"{digit}\"");
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message).hint(
                "If you meant to use regexp_replace() with a start parameter, cast the fourth argument to integer explicitly.",
            ));
        }
        replace(a, 0, (0, if flags.contains('g') { usize::MAX } else { 1 }), flags)
    }),
    Function::rust(
        "regexp_replace",
        &[Type::TEXT, Type::TEXT, Type::TEXT, Type::INT4, Type::INT4, Type::TEXT],
        Type::TEXT,
        |a| {
            let start = start(a, 3)?;
            let which = match if a.len() > 4 { at_least(a, 4, "n", 0)? } else { 1 } {
                0 => (0, usize::MAX),
                number => (number as usize - 1, 1),
            };
            replace(a, start, which, a.text(5))
        },
    )
    .optional(2),
    Function::rust("regexp_match", TTT, TEXTS, first_match).optional(1),
    Function::set("regexp_matches", TTT, TEXTS, &[], matches).optional(1),
    Function::rust("regexp_split_to_array", TTT, TEXTS, |a| {
        refuse_global(a.text(2), "regexp_split_to_array")?;
        split(a)
    })
    .optional(1),
    Function::set("regexp_split_to_table", TTT, Type::TEXT, &[], |a| {
        refuse_global(a.text(2), "regexp_split_to_table")?;
        split(a)
    })
    .optional(1),
    Function::rust("substring", TT, Type::TEXT, substring),
    Function::rust("substring", TTT, Type::TEXT, |a| {
        a.match_pattern()?;
        let pattern = compile(&similar(a.text(1), a.text(2).chars().next())?, "")?;
        let found = pattern.find(a.budget(), a.text(0))?;
        let group = found.and_then(|found| found.group(found.first_group()));
        Ok(group.map_or(Value::Null, |group| Value::Text(group.to_owned())))
    }),
    Function::rust("regexp_count", &[Type::TEXT, Type::TEXT, Type::INT4, Type::TEXT], Type::INT4, count)
        .optional(2),
    Function::rust(
        "regexp_substr",
        &[Type::TEXT, Type::TEXT, Type::INT4, Type::INT4, Type::TEXT, Type::INT4],
        Type::TEXT,
        |a| {
            let found = nth_match(a, [4, 5], None, "regexp_substr")?;
            Ok(found.map_or(Value::Null, |place| Value::Text(a.text(0)[place].to_owned())))
        },
    )
    .optional(4),
    Function::rust(
        "regexp_instr",
        &[Type::TEXT, Type::TEXT, Type::INT4, Type::INT4, Type::INT4, Type::TEXT, Type::INT4],
        Type::INT4,
        |a| {
            let found = nth_match(a, [5, 6], Some(4), "regexp_instr")?;
            let at = found.map(|place| if a.int(4) == 1 { place.end } else { place.start });
            Ok(Value::Integer(at.map_or(0, |at| a.text(0)[..at].chars().count() as i64 + 1)))
        },
    )
    .optional(5),
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
    with_flags(a, a.text(index))
}

fn with_flags(a: &Arguments<'_, '_>, flags: &str) -> Result<Pattern> {
    a.match_pattern()?;
    let pattern = compile(a.text(1), flags)?;
    if pattern.is_undecided() {
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

/// All matches.
fn all<'r, 't>(
    budget: &'r Budget,
    pattern: &'r Pattern,
    text: &'t str,
) -> impl Iterator<Item = Result<Found<'t>>> + use<'r, 't> {
    all_from(budget, pattern, text, 0)
}

/// All matches from a byte on. As in PostgreSQL, an empty match may directly follow another match.
fn all_from<'r, 't>(
    budget: &'r Budget,
    pattern: &'r Pattern,
    text: &'t str,
    first: usize,
) -> impl Iterator<Item = Result<Found<'t>>> + use<'r, 't> {
    let mut start = Some(first);
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

/// Replaces matches from a byte on: after the `skipped` ones, the `most` next.
fn replace(
    a: &Arguments<'_, '_>,
    from: usize,
    (skipped, most): (usize, usize),
    flags: &str,
) -> Result<Value> {
    let pattern = with_flags(a, flags)?;
    let text = a.text(0);
    let mut out = String::new();
    let mut end = 0;
    for found in all_from(a.budget(), &pattern, text, from).skip(skipped).take(most) {
        let found = found?;
        a.budget().work(a.text(2).len() / 8)?;
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

/// The integer in an argument, which has a least value.
fn at_least(a: &Arguments<'_, '_>, index: usize, name: &str, least: i64) -> Result<i64> {
    let value = a.int(index);
    if value < least {
        let message = format!("invalid value for parameter \"{name}\": {value}");
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
    }
    Ok(value)
}

/// Refuses a flag for all matches in a function that has no use for it.
fn refuse_global(flags: &str, called: &str) -> Result<()> {
    if flags.contains('g') {
        let message = format!("{called}() does not support the \"global\" option");
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
    }
    Ok(())
}

/// The byte where the character at the position in an argument begins.
fn start(a: &Arguments<'_, '_>, index: usize) -> Result<usize> {
    let start = if a.is_null(index) { 1 } else { at_least(a, index, "start", 1)? };
    let text = a.text(0);
    Ok(text.char_indices().nth(start as usize - 1).map_or(text.len(), |(at, _)| at))
}

fn count(a: &Arguments<'_, '_>) -> Result<Value> {
    let start = start(a, 2)?;
    refuse_global(a.text(3), "regexp_count")?;
    let pattern = flagged(a, 3)?;
    let mut count = 0;
    for found in all_from(a.budget(), &pattern, a.text(0), start) {
        found?;
        count += 1;
    }
    Ok(Value::Integer(count))
}

/// The bytes of the match with the number in argument 3, or of its group if there is one.
fn nth_match(
    a: &Arguments<'_, '_>,
    [flags, group]: [usize; 2],
    end: Option<usize>,
    called: &str,
) -> Result<Option<Range<usize>>> {
    let start = start(a, 2)?;
    let wanted = if a.is_null(3) { 1 } else { at_least(a, 3, "n", 1)? as usize };
    if let Some(end) = end
        && !(0..=1).contains(&a.int(end))
    {
        let message = format!("invalid value for parameter \"endoption\": {}", a.int(end));
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
    }
    let group = at_least(a, group, "subexpr", 0)? as usize;
    refuse_global(a.text(flags), called)?;
    let pattern = flagged(a, flags)?;
    let found = all_from(a.budget(), &pattern, a.text(0), start).nth(wanted - 1).transpose()?;
    Ok(found.and_then(|found| found.place(group)))
}
