//! Regular expressions. PostgreSQL's advanced ones are translated to those of the `regex` library; what that does not have
//! (back references, look-around, collating elements) is refused.
//!
//! Whether a text matches does not depend on the library, but where a match ends can: PostgreSQL takes the longest of
//! `a|ab`, the library the first. Where that matters, a pattern that mixes greedy and non-greedy quantifiers is refused.

use regex::{Regex, RegexBuilder};
use rusqlite::types::Value;

use super::text::{own, truth};
use super::{Arguments, Function};
use crate::sql::error::{Result, SqlError, SqlState};
use crate::sql::types::Type;
use crate::sql::value::array;

const TT: &[Type] = &[Type::TEXT, Type::TEXT];
const TTT: &[Type] = &[Type::TEXT, Type::TEXT, Type::TEXT];
const TEXTS: Type = Type(1009);

/// How much memory a compiled pattern may take.
const SIZE_MAX: usize = 1 << 20;
/// The greatest repetition count, as in PostgreSQL.
const REPEAT_MAX: usize = 255;

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

fn invalid(reason: &str) -> SqlError {
    SqlError::new(SqlState::new("2201B"), format!("invalid regular expression: {reason}"))
}

/// The pattern in argument 1, for telling whether a text matches.
fn plain(a: &Arguments<'_, '_>, flags: &str) -> Result<Regex> {
    Ok(compile(a.text(1), flags)?.0)
}

/// The pattern in argument 1 with the flags in argument `index`, for finding matches; and whether it is for every match.
fn flagged(a: &Arguments<'_, '_>, index: usize) -> Result<(Regex, bool)> {
    let (regex, options) = compile(a.text(1), a.text(index))?;
    if options.greedy && options.lazy {
        return Err(SqlError::unsupported("a regular expression with greedy and non-greedy quantifiers"));
    }
    Ok((regex, options.global))
}

fn compile(pattern: &str, flags: &str) -> Result<(Regex, Options)> {
    let mut options = Options::read(flags)?;
    let translated = options.translate(pattern)?;
    let regex = RegexBuilder::new(&translated)
        .case_insensitive(options.insensitive)
        .dot_matches_new_line(!options.newlines_stop_dots)
        .multi_line(options.newlines_are_ends)
        .size_limit(SIZE_MAX)
        .build()
        .map_err(|error| reason(&error))?;
    Ok((regex, options))
}

/// PostgreSQL's words for what is wrong with a pattern.
fn reason(error: &regex::Error) -> SqlError {
    let text = error.to_string();
    let known = [
        ("unclosed group", "parentheses () not balanced"),
        ("unopened group", "parentheses () not balanced"),
        ("unclosed character class", "brackets [] not balanced"),
        ("invalid character class range", "invalid character range"),
        ("repetition operator missing expression", "quantifier operand invalid"),
        ("invalid repetition count range", "invalid repetition count(s)"),
        ("unclosed counted repetition", "braces {} not balanced"),
        ("invalid escape", "invalid escape \\ sequence"),
        ("incomplete escape", "invalid escape \\ sequence"),
        ("POSIX", "invalid character class"),
        ("exceeds size limit", "regular expression is too complex"),
    ];
    match known.iter().find(|(part, _)| text.contains(part)) {
        Some((_, reason)) => invalid(reason),
        None => SqlError::unsupported("this regular expression"),
    }
}

#[derive(Default)]
struct Options {
    global: bool,
    insensitive: bool,
    /// Only dots and brackets stop at line ends.
    newlines_stop_dots: bool,
    newlines_are_ends: bool,
    expanded: bool,
    literal: bool,
    /// Whether the pattern has a quantifier that takes as much as it can.
    greedy: bool,
    /// Whether the pattern has a quantifier that takes as little as it can.
    lazy: bool,
}

impl Options {
    fn read(flags: &str) -> Result<Options> {
        let mut options = Options::default();
        for flag in flags.chars() {
            match flag {
                'g' => options.global = true,
                other => options.set(other)?,
            }
        }
        Ok(options)
    }

    fn set(&mut self, flag: char) -> Result<()> {
        match flag {
            'i' => self.insensitive = true,
            'c' => self.insensitive = false,
            'n' | 'm' => (self.newlines_stop_dots, self.newlines_are_ends) = (true, true),
            's' => (self.newlines_stop_dots, self.newlines_are_ends) = (false, false),
            'p' => self.newlines_stop_dots = true,
            'w' => self.newlines_are_ends = true,
            'x' => self.expanded = true,
            't' => self.expanded = false,
            'q' => self.literal = true,
            'b' | 'e' => return Err(SqlError::unsupported("basic regular expressions")),
            other => {
                let message = format!("invalid regular expression option: \"{other}\"");
                return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
            }
        }
        Ok(())
    }

    /// The pattern as the library reads it.
    fn translate(&mut self, pattern: &str) -> Result<String> {
        let mut pattern = pattern.strip_prefix("***:").unwrap_or(pattern);
        if let Some(literal) = pattern.strip_prefix("***=") {
            return Ok(regex::escape(literal));
        }
        let options = pattern.strip_prefix("(?").and_then(|rest| rest.split_once(')'));
        if let Some((flags, rest)) =
            options.filter(|(flags, _)| flags.bytes().all(|b| b.is_ascii_alphabetic()))
        {
            flags.chars().try_for_each(|flag| self.set(flag))?;
            pattern = rest;
        }
        if self.literal {
            return Ok(regex::escape(pattern));
        }
        let mut translator =
            Translator { options: self, out: String::new(), rest: pattern.chars().peekable() };
        translator.run()?;
        Ok(translator.out)
    }
}

struct Translator<'a> {
    options: &'a mut Options,
    out: String,
    rest: std::iter::Peekable<std::str::Chars<'a>>,
}

impl Translator<'_> {
    fn run(&mut self) -> Result<()> {
        let expanded = self.options.expanded;
        while let Some(character) = self.rest.next() {
            match character {
                '\\' => self.escape(false)?,
                '[' => self.bracket()?,
                '(' => self.group()?,
                '{' => self.bound()?,
                '*' | '+' | '?' => {
                    self.out.push(character);
                    self.quantified();
                }
                '#' if expanded => while self.rest.next_if(|c| *c != '\n').is_some() {},
                blank if expanded && blank.is_whitespace() => {}
                other => self.out.push(other),
            }
        }
        Ok(())
    }

    /// After a quantifier.
    fn quantified(&mut self) {
        let lazy = self.rest.next_if_eq(&'?').is_some();
        if lazy {
            self.out.push('?');
        }
        self.options.lazy |= lazy;
        self.options.greedy |= !lazy;
    }

    fn group(&mut self) -> Result<()> {
        self.out.push('(');
        if self.rest.next_if_eq(&'?').is_none() {
            return Ok(());
        }
        match self.rest.next() {
            Some(':') => self.out.push_str("?:"),
            Some('=' | '!' | '<') => {
                return Err(SqlError::unsupported("look-around in a regular expression"));
            }
            _ => return Err(invalid("quantifier operand invalid")),
        }
        Ok(())
    }

    /// `{m}`, `{m,}`, `{m,n}`; a brace that no digit follows is itself.
    fn bound(&mut self) -> Result<()> {
        if !self.rest.peek().is_some_and(char::is_ascii_digit) {
            self.out.push_str("\\{");
            return Ok(());
        }
        let mut bound = String::new();
        while let Some(character) = self.rest.next_if(|c| *c != '}') {
            bound.push(character);
        }
        if self.rest.next().is_none() {
            return Err(invalid("braces {} not balanced"));
        }
        let counts: Option<Vec<usize>> =
            bound.split(',').filter(|count| !count.is_empty()).map(|count| count.parse().ok()).collect();
        if counts.is_none_or(|counts| counts.iter().any(|count| *count > REPEAT_MAX)) {
            return Err(invalid("invalid repetition count(s)"));
        }
        self.out.push_str(&format!("{{{bound}}}"));
        if bound.contains(',') {
            self.quantified();
        }
        Ok(())
    }

    fn escape(&mut self, in_bracket: bool) -> Result<()> {
        let Some(character) = self.rest.next() else { return Err(invalid("invalid escape \\ sequence")) };
        match character {
            'd' | 'D' | 's' | 'S' | 'w' | 'W' => self.out.extend(['\\', character]),
            'A' if !in_bracket => self.out.push_str("\\A"),
            'Z' if !in_bracket => self.out.push_str("\\z"),
            'y' if !in_bracket => self.out.push_str("\\b"),
            'Y' if !in_bracket => self.out.push_str("\\B"),
            'm' if !in_bracket => self.out.push_str("\\b{start}"),
            'M' if !in_bracket => self.out.push_str("\\b{end}"),
            'a' | 'f' | 'n' | 'r' | 't' | 'v' => self.out.extend(['\\', character]),
            'b' => self.out.push_str("\\x08"),
            'B' => self.out.push_str("\\\\"),
            'e' => self.out.push_str("\\x1b"),
            '0' => self.out.push_str("\\x00"),
            'u' => self.code(4)?,
            'U' => self.code(8)?,
            'x' => {
                let mut digits = String::new();
                while let Some(digit) = self.rest.next_if(char::is_ascii_hexdigit) {
                    digits.push(digit);
                }
                self.push_code(&digits)?;
            }
            '1'..='9' => return Err(SqlError::unsupported("a back reference in a regular expression")),
            other if other.is_alphanumeric() => return Err(invalid("invalid escape \\ sequence")),
            other => self.out.push_str(&regex::escape(&other.to_string())),
        }
        Ok(())
    }

    fn code(&mut self, length: usize) -> Result<()> {
        let digits: String = self.rest.by_ref().take(length).collect();
        self.push_code(&digits)
    }

    fn push_code(&mut self, digits: &str) -> Result<()> {
        let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
        let character = character.ok_or_else(|| invalid("invalid escape \\ sequence"))?;
        self.out.push_str(&regex::escape(&character.to_string()));
        Ok(())
    }

    fn bracket(&mut self) -> Result<()> {
        self.out.push('[');
        if self.rest.next_if_eq(&'^').is_some() {
            self.out.push('^');
        }
        let mut first = true;
        loop {
            let Some(character) = self.rest.next() else { return Err(invalid("brackets [] not balanced")) };
            match character {
                ']' if !first => break,
                '[' => self.class()?,
                '\\' => self.escape(true)?,
                // The library knows operations on sets; here these characters mean themselves.
                ']' | '&' | '~' | '^' => self.out.extend(['\\', character]),
                '-' if first || self.rest.peek() == Some(&']') => self.out.push_str("\\-"),
                other => self.out.push(other),
            }
            first = false;
        }
        self.out.push(']');
        Ok(())
    }

    /// `[:alpha:]` in a bracket, or a bracket that is itself.
    fn class(&mut self) -> Result<()> {
        match self.rest.peek() {
            Some(':') => {
                let mut name = String::new();
                while let Some(character) = self.rest.next_if(|c| *c != ']') {
                    name.push(character);
                }
                self.rest.next();
                // Letters of every alphabet, as PostgreSQL has them.
                self.out.push_str(match name.trim_matches(':') {
                    "alpha" => "\\p{Alphabetic}",
                    "alnum" => "\\p{Alphabetic}\\p{Nd}",
                    "lower" => "\\p{Lowercase}",
                    "upper" => "\\p{Uppercase}",
                    "digit" => "\\d",
                    "space" => "\\s",
                    "word" => "\\w",
                    "punct" => "[:punct:]",
                    "xdigit" => "0-9A-Fa-f",
                    "blank" => " \\t",
                    "cntrl" => "\\x00-\\x1f\\x7f",
                    "print" => "\\x20-\\x7e",
                    "graph" => "\\x21-\\x7e",
                    _ => return Err(invalid("invalid character class")),
                });
            }
            Some('.' | '=') => {
                return Err(SqlError::unsupported("a collating element in a regular expression"));
            }
            _ => self.out.push_str("\\["),
        }
        Ok(())
    }
}

/// `\1` to `\9` and `\&` in a replacement stand for what matched.
fn expand(replacement: &str, captures: &regex::Captures<'_>) -> String {
    let mut out = String::new();
    let mut rest = replacement.chars();
    while let Some(character) = rest.next() {
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

fn replace(a: &Arguments<'_, '_>) -> Result<Value> {
    let (regex, global) = flagged(a, 3)?;
    let text = a.text(0);
    let mut out = String::new();
    let mut end = 0;
    for captures in regex.captures_iter(text).take(if global { usize::MAX } else { 1 }) {
        let whole = captures.get_match();
        out.push_str(&text[end..whole.start()]);
        out.push_str(&expand(a.text(2), &captures));
        end = whole.end();
        if out.len() > super::text::LENGTH_MAX {
            break;
        }
    }
    out.push_str(&text[end..]);
    own(out)
}

/// The groups of a match, or the whole of it when the pattern has none.
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
    let found = regex.captures_iter(a.text(0)).take(if global { usize::MAX } else { 1 });
    Ok(array::of(found.map(|captures| groups(&captures)).collect()))
}

/// The parts between matches. An empty match at either end of the text, or just after a match, divides nothing.
fn split(a: &Arguments<'_, '_>) -> Result<Value> {
    let (regex, _) = flagged(a, 2)?;
    let text = a.text(0);
    let mut parts = Vec::new();
    let mut start = 0;
    for found in regex.find_iter(text) {
        if found.is_empty() && (found.start() == start || found.end() == text.len()) {
            continue;
        }
        parts.push(text[start..found.start()].into());
        start = found.end();
    }
    parts.push(text[start..].into());
    Ok(array::of(parts))
}

/// The first group of the first match, or the whole of it when the pattern has none.
fn substring(a: &Arguments<'_, '_>) -> Result<Value> {
    let (regex, _) = flagged(a, 2)?;
    let found = regex.captures(a.text(0)).and_then(|captures| captures.get(usize::from(captures.len() > 1)));
    Ok(found.map_or(Value::Null, |group| Value::Text(group.as_str().to_owned())))
}

/// The text from the character that argument 2 counts, and the byte where it begins.
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
    Ok(Value::Integer(regex.find_iter(text).count() as i64))
}

/// The place and the text of match number argument 3, and of its group when argument `group` names one.
fn nth_match(a: &Arguments<'_, '_>, group: usize, flags: usize) -> Result<Option<(usize, String)>> {
    let (regex, _) = flagged(a, flags)?;
    let (text, skipped) = from_start(a)?;
    let wanted = if a.is_null(3) { 1 } else { a.int(3).max(1) as usize };
    let captures = regex.captures_iter(text).nth(wanted - 1);
    let found = captures.and_then(|captures| captures.get(a.int(group).max(0) as usize));
    Ok(found.map(|found| {
        let place = a.text(0)[..skipped + found.start()].chars().count() + 1;
        (place, found.as_str().to_owned())
    }))
}

/// The regular expression of a `SIMILAR TO` pattern.
fn similar(pattern: &str, escape: Option<char>) -> Result<String> {
    let mut out = String::from("^(?:");
    let mut in_bracket = false;
    let mut rest = pattern.chars();
    while let Some(character) = rest.next() {
        match character {
            _ if Some(character) == escape => match rest.next() {
                Some('"') | None => return Err(SqlError::unsupported("a divided SIMILAR pattern")),
                Some(escaped) => out.extend(['\\', escaped]),
            },
            '[' | ']' => {
                in_bracket = character == '[';
                out.push(character);
            }
            _ if in_bracket => out.push(character),
            '%' => out.push_str(".*"),
            '_' => out.push('.'),
            '\\' | '.' | '^' | '$' => out.extend(['\\', character]),
            '(' => out.push_str("(?:"),
            other => out.push(other),
        }
    }
    out.push_str(")$");
    Ok(out)
}
