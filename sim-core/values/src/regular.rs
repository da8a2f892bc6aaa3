//! Translates PostgreSQL's regular expressions for the `regex` library.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use parking_lot::Mutex;
use regex::{Regex, RegexBuilder};

use crate::error::{Result, SqlError, SqlState};

/// How much memory a compiled pattern may take.
const SIZE_MAX: usize = 1 << 20;
/// How many compiled patterns are kept.
pub(crate) const KEPT_MAX: usize = 64;
/// The greatest repetition count, as in PostgreSQL.
const REPEAT_MAX: usize = 255;

/// The work to compile a pattern, beyond what its [`weight`] says, in units of a [`Budget`](super::budget::Budget).
pub(crate) const COMPILATION: usize = 2_500;

/// The greatest weight. A pattern that would be heavier does not fit in [`SIZE_MAX`].
const WEIGHT_MAX: usize = 20_000;

/// About how many states a pattern has: its characters, each as often as a repetition count says.
pub(crate) fn weight(pattern: &str) -> usize {
    let counts = pattern.split('{').skip(1).filter_map(|rest| {
        let bound = rest.split('}').next()?;
        bound.split(',').filter_map(|count| count.parse::<usize>().ok()).max()
    });
    let repeated = counts.fold(1_usize, |product, count| product.saturating_mul(count.max(1)));
    pattern.len().saturating_mul(repeated).clamp(1, WEIGHT_MAX)
}

fn invalid(reason: &str) -> SqlError {
    SqlError::new(SqlState::new("2201B"), format!("invalid regular expression: {reason}"))
}

/// The compiled pattern with its flags. The last ones are cached, since most queries use one pattern for many
/// rows.
pub fn compile(pattern: &str, flags: &str) -> Result<(Regex, Options)> {
    static COMPILED: LazyLock<Mutex<Compiled>> = LazyLock::new(Mutex::default);
    let key = (pattern.to_owned(), flags.to_owned());
    if let Some(compiled) = COMPILED.lock().get(&key) {
        return Ok(compiled.clone());
    }
    let compiled = compile_anew(pattern, flags)?;
    let mut kept = COMPILED.lock();
    if kept.len() >= KEPT_MAX {
        kept.clear();
    }
    kept.insert(key, compiled.clone());
    Ok(compiled)
}

type Compiled = BTreeMap<(String, String), (Regex, Options)>;

fn compile_anew(pattern: &str, flags: &str) -> Result<(Regex, Options)> {
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

/// PostgreSQL's message for an invalid pattern.
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

/// How a pattern is applied.
#[derive(Clone, Copy, Default)]
pub struct Options {
    /// Whether every match counts, not only the first.
    pub global: bool,
    insensitive: bool,
    /// Only dots and brackets stop at line ends.
    newlines_stop_dots: bool,
    newlines_are_ends: bool,
    expanded: bool,
    literal: bool,
    /// Whether the pattern has a greedy quantifier.
    pub greedy: bool,
    /// Whether the pattern has a non-greedy quantifier.
    pub lazy: bool,
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

    /// The pattern in the library's syntax.
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
                '[' if self.edge("[:<:]]") => self.out.push_str("\\b{start}"),
                '[' if self.edge("[:>:]]") => self.out.push_str("\\b{end}"),
                '[' => self.bracket()?,
                '(' => self.group()?,
                '{' => self.bound()?,
                '*' | '+' | '?' => {
                    self.out.push(character);
                    self.quantified()?;
                }
                '#' if expanded => while self.rest.next_if(|c| *c != '\n').is_some() {},
                blank if expanded && blank.is_whitespace() => {}
                other => self.out.push(other),
            }
        }
        Ok(())
    }

    /// After a quantifier.
    fn quantified(&mut self) -> Result<()> {
        let lazy = self.rest.next_if_eq(&'?').is_some();
        if lazy {
            self.out.push('?');
        }
        self.options.lazy |= lazy;
        self.options.greedy |= !lazy;
        match self.rest.peek() {
            Some('*' | '+' | '?') => Err(invalid("quantifier operand invalid")),
            _ => Ok(()),
        }
    }

    /// Consumes the rest of a bracket that means the edge of a word.
    fn edge(&mut self, rest: &str) -> bool {
        let found = self.rest.clone().take(rest.len()).eq(rest.chars());
        if found {
            self.rest.nth(rest.len() - 1);
        }
        found
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

    /// `{m}`, `{m,}`, `{m,n}`; a brace without a digit after it is literal.
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
            self.quantified()?;
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
                // The library has set operations; here these characters are literal.
                ']' | '&' | '~' | '^' => self.out.extend(['\\', character]),
                '-' if first || self.rest.peek() == Some(&']') => self.out.push_str("\\-"),
                other => self.out.push(other),
            }
            first = false;
        }
        self.out.push(']');
        Ok(())
    }

    /// `[:alpha:]` in a bracket, or a literal bracket.
    fn class(&mut self) -> Result<()> {
        match self.rest.peek() {
            Some(':') => {
                let mut name = String::new();
                while let Some(character) = self.rest.next_if(|c| *c != ']') {
                    name.push(character);
                }
                self.rest.next();
                // Letters of every alphabet, as in PostgreSQL.
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

/// The regular expression of a `SIMILAR TO` pattern.
pub fn similar(pattern: &str, escape: Option<char>) -> Result<String> {
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
