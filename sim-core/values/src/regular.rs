//! Translates PostgreSQL's regular expressions for the `regex` library, and for `fancy-regex` those that need look-around or back
//! references.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use parking_lot::Mutex;
use regex::{Regex, RegexBuilder};

pub use crate::backtracking::Tries;
use crate::backtracking::{self, Cost};
use crate::budget::Budget;
use crate::error::{Result, SqlError, SqlState};

/// How much memory a compiled pattern may take.
pub(crate) const SIZE_MAX: usize = 4 << 20;
/// How many compiled patterns are kept.
pub(crate) const KEPT_MAX: usize = 64;
/// The greatest repetition count, as in PostgreSQL.
const REPEAT_MAX: usize = 255;

/// The work to compile a pattern, in units of a [`Budget`].
pub(crate) fn compilation(pattern: &str) -> usize {
    // The letters of every alphabet are hundreds of ranges.
    let each = if pattern.contains("\\w") || pattern.contains("[:") { 400 } else { 50 };
    2_500 + each * weight(pattern)
}

/// The greatest weight. A pattern that would be heavier does not fit in [`SIZE_MAX`].
const WEIGHT_MAX: usize = 80_000;

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

/// A compiled pattern.
#[derive(Clone)]
pub struct Pattern {
    engine: Engine,
    /// How it is applied.
    pub options: Options,
}

#[derive(Clone)]
enum Engine {
    Linear(Regex),
    Backtracking(Arc<backtracking::Pattern>),
}

impl Pattern {
    /// Whether a text matches.
    pub fn is_match(&self, budget: &Budget, text: &str) -> Result<bool> {
        match &self.engine {
            Engine::Linear(regex) => Ok(regex.is_match(text)),
            Engine::Backtracking(pattern) => pattern.is_match(budget, text),
        }
    }

    /// The first match.
    pub fn find<'t>(&self, budget: &Budget, text: &'t str) -> Result<Option<Found<'t>>> {
        self.find_at(&mut Tries::default(), budget, text, 0)
    }

    /// The first match that begins at the byte `start` or later. `tries` is the same for all searches of a text.
    pub fn find_at<'t>(
        &self,
        tries: &mut Tries,
        budget: &Budget,
        text: &'t str,
        start: usize,
    ) -> Result<Option<Found<'t>>> {
        let groups = match &self.engine {
            Engine::Linear(regex) => regex
                .captures_at(text, start)
                .map(|found| found.iter().map(|group| group.map(|group| group.range())).collect()),
            Engine::Backtracking(pattern) => pattern
                .find(tries, budget, text, start)?
                .map(|found| found.iter().map(|group| group.map(|group| group.range())).collect()),
        };
        Ok(groups.map(|groups| Found { text, groups }))
    }

    /// Whether it may read to the end of the text before it fails.
    pub fn repeats(&self) -> bool {
        match &self.engine {
            Engine::Linear(regex) => regex.as_str().contains(['*', '+', '{', '$']),
            Engine::Backtracking(pattern) => pattern.repeats(),
        }
    }
}

/// A match: the places of its groups, of which the first is the whole match.
pub struct Found<'t> {
    text: &'t str,
    groups: Vec<Option<Range<usize>>>,
}

impl<'t> Found<'t> {
    /// The bytes of the whole match.
    pub fn range(&self) -> Range<usize> {
        self.groups[0].clone().expect("a match has a place")
    }

    /// The text of a group that took part in the match.
    pub fn group(&self, index: usize) -> Option<&'t str> {
        self.place(index).map(|place| &self.text[place])
    }

    /// The bytes of a group that took part in the match.
    pub fn place(&self, index: usize) -> Option<Range<usize>> {
        self.groups.get(index)?.clone()
    }

    /// The number of groups, with the whole match.
    pub fn count(&self) -> usize {
        self.groups.len()
    }

    /// Whether the pattern has groups, and the index of the first: that of the whole match if it has none.
    pub fn first_group(&self) -> usize {
        usize::from(self.groups.len() > 1)
    }
}

/// The compiled pattern with its flags. The last ones are cached, since most queries use one pattern for many
/// rows.
pub fn compile(pattern: &str, flags: &str) -> Result<Pattern> {
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

type Compiled = BTreeMap<(String, String), Pattern>;

fn compile_anew(pattern: &str, flags: &str) -> Result<Pattern> {
    let mut options = Options::read(flags)?;
    let (translated, cost) = options.translate(pattern)?;
    let engine = if let Some(cost) = cost {
        Engine::Backtracking(Arc::new(backtracking::Pattern::new(translated, options, cost)?))
    } else {
        let regex = RegexBuilder::new(&translated)
            .case_insensitive(options.insensitive)
            .dot_matches_new_line(!options.newlines_stop_dots)
            .multi_line(options.newlines_are_ends)
            .size_limit(SIZE_MAX)
            .build()
            .map_err(|error| unread(&error.to_string()))?;
        Engine::Linear(regex)
    };
    Ok(Pattern { engine, options })
}

/// PostgreSQL's message for an invalid pattern.
pub(crate) fn unread(text: &str) -> SqlError {
    let known = [
        ("unclosed character class", "brackets [] not balanced"),
        ("invalid character class range", "invalid character range"),
        ("repetition operator missing expression", "quantifier operand invalid"),
        ("invalid repetition count range", "invalid repetition count(s)"),
        ("unclosed counted repetition", "braces {} not balanced"),
        ("invalid escape", "invalid escape \\ sequence"),
        ("incomplete escape", "invalid escape \\ sequence"),
        ("POSIX", "invalid character class"),
        ("exceeds size limit", TOO_COMPLEX),
        ("too deeply nested", TOO_COMPLEX),
    ];
    match known.iter().find(|(part, _)| text.contains(part)) {
        Some((_, reason)) => invalid(reason),
        None => SqlError::unsupported("this regular expression"),
    }
}

const UNBALANCED: &str = "parentheses () not balanced";
const TOO_COMPLEX: &str = "regular expression is too complex";

/// The refusal of a pattern that would take too much to match.
pub(crate) fn complex() -> SqlError {
    invalid(TOO_COMPLEX)
}

/// How a pattern is applied.
#[derive(Clone, Copy, Default)]
pub struct Options {
    /// Whether every match counts, not only the first.
    pub global: bool,
    pub(crate) insensitive: bool,
    /// Only dots and brackets stop at line ends.
    pub(crate) newlines_stop_dots: bool,
    pub(crate) newlines_are_ends: bool,
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

    /// The pattern in the library's syntax, and what it costs if it has look-around or back references.
    fn translate(&mut self, pattern: &str) -> Result<(String, Option<Cost>)> {
        let mut pattern = pattern.strip_prefix("***:").unwrap_or(pattern);
        if let Some(literal) = pattern.strip_prefix("***=") {
            return Ok((regex::escape(literal), None));
        }
        let options = pattern.strip_prefix("(?").and_then(|rest| rest.split_once(')'));
        if let Some((flags, rest)) =
            options.filter(|(flags, _)| flags.bytes().all(|b| b.is_ascii_alphabetic()))
        {
            flags.chars().try_for_each(|flag| self.set(flag))?;
            pattern = rest;
        }
        if self.literal {
            return Ok((regex::escape(pattern), None));
        }
        let mut translator = Translator {
            options: self,
            out: String::new(),
            rest: pattern.chars().peekable(),
            open: vec![Group::default()],
            closed: BTreeSet::new(),
            groups: 0,
            backtracks: false,
            behind: 0,
        };
        translator.run()?;
        let cost = translator.done()?;
        Ok((translator.out, cost))
    }
}

struct Translator<'a> {
    options: &'a mut Options,
    out: String,
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    /// The whole pattern, and the groups that are open.
    open: Vec<Group>,
    /// The numbers of the groups that are closed.
    closed: BTreeSet<usize>,
    /// How many groups have a number.
    groups: usize,
    /// Whether the pattern has look-around or back references.
    backtracks: bool,
    /// About the memory of all patterns that look behind, to which the library sets no limit.
    behind: usize,
}

#[derive(Default)]
struct Group {
    number: Option<usize>,
    is_look: bool,
    looks_behind: bool,
    /// Whether it is a look-around, or within one. Then its groups have no numbers.
    looks: bool,
    cost: Cost,
    /// The cost of what a quantifier would apply to.
    last: Cost,
}

impl Translator<'_> {
    fn run(&mut self) -> Result<()> {
        let expanded = self.options.expanded;
        while let Some(character) = self.rest.next() {
            let before = self.out.len();
            match character {
                '\\' => self.escape(false)?,
                '[' if self.edge("[:<:]]") => self.out.push_str("\\b{start}"),
                '[' if self.edge("[:>:]]") => self.out.push_str("\\b{end}"),
                '[' => self.bracket()?,
                '(' => {
                    self.group()?;
                    continue;
                }
                ')' => {
                    self.close()?;
                    continue;
                }
                '{' if self.bound()? => continue,
                '{' => self.out.push_str("\\{"),
                '*' | '+' | '?' => {
                    self.out.push(character);
                    self.quantified()?;
                    if character != '?' {
                        self.repeated(Cost::endless)?;
                    }
                    continue;
                }
                '#' if expanded => {
                    while self.rest.next_if(|c| *c != '\n').is_some() {}
                    continue;
                }
                blank if expanded && blank.is_whitespace() => continue,
                other => self.out.push(other),
            }
            let atom = Cost::atom(&self.out[before..]);
            self.read(atom);
        }
        Ok(())
    }

    /// The cost of the whole pattern if it must be matched by backtracking.
    fn done(&mut self) -> Result<Option<Cost>> {
        self.read(Cost::default());
        match &self.open[..] {
            [whole] => Ok(self.backtracks.then_some(whole.cost)),
            _ => Err(invalid(UNBALANCED)),
        }
    }

    fn innermost(&mut self) -> &mut Group {
        self.open.last_mut().expect("the whole pattern is always open")
    }

    /// After a part that a quantifier may apply to.
    fn read(&mut self, cost: Cost) {
        let group = self.innermost();
        let before = std::mem::replace(&mut group.last, cost);
        group.cost.add(before);
    }

    fn repeated(&mut self, under: impl Fn(Cost) -> Result<Cost>) -> Result<()> {
        let group = self.innermost();
        group.last = under(group.last)?;
        Ok(())
    }

    /// After a quantifier.
    fn quantified(&mut self) -> Result<()> {
        let lazy = self.rest.next_if_eq(&'?').is_some();
        if lazy {
            self.out.push('?');
        }
        // What a look-around reads is no part of the match, so how much it reads does not matter.
        if !self.innermost().looks {
            self.options.lazy |= lazy;
            self.options.greedy |= !lazy;
        }
        self.no_quantifier()
    }

    fn no_quantifier(&mut self) -> Result<()> {
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
        let looks = self.innermost().looks;
        let mut group = Group { looks, ..Group::default() };
        self.out.push('(');
        if self.rest.next_if_eq(&'?').is_some() {
            let behind = self.rest.next_if_eq(&'<').is_some();
            match self.rest.next() {
                Some(':') if !behind => self.out.push_str("?:"),
                Some(kind @ ('=' | '!')) => {
                    self.out.push_str(if behind { "?<" } else { "?" });
                    self.out.push(kind);
                    (group.is_look, group.looks, group.looks_behind) = (true, true, behind);
                    self.backtracks = true;
                }
                _ => return Err(invalid("quantifier operand invalid")),
            }
        } else if looks {
            self.out.push_str("?:");
        } else {
            self.groups += 1;
            group.number = Some(self.groups);
        }
        self.read(Cost::default());
        self.open.push(group);
        self.no_quantifier()
    }

    fn close(&mut self) -> Result<()> {
        self.out.push(')');
        self.read(Cost::default());
        let group = self.open.pop().filter(|_| !self.open.is_empty()).ok_or_else(|| invalid(UNBALANCED))?;
        self.closed.extend(group.number);
        if !group.is_look {
            self.read(group.cost);
            return Ok(());
        }
        if group.looks_behind {
            self.behind = self.behind.saturating_add(group.cost.bytes());
            if self.behind > SIZE_MAX {
                return Err(complex());
            }
        }
        self.read(group.cost.looked());
        if self.rest.peek() == Some(&'{') {
            return Err(invalid("quantifier operand invalid"));
        }
        self.no_quantifier()
    }

    /// `{m}`, `{m,}`, `{m,n}`. Returns whether it is one: a brace without a digit after it is literal.
    fn bound(&mut self) -> Result<bool> {
        if !self.rest.peek().is_some_and(char::is_ascii_digit) {
            return Ok(false);
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
        let counts = counts.filter(|counts| counts.iter().all(|count| *count <= REPEAT_MAX));
        let Some(most) = counts.and_then(|counts| counts.into_iter().max()) else {
            return Err(invalid("invalid repetition count(s)"));
        };
        self.out.push_str(&format!("{{{bound}}}"));
        if bound.contains(',') {
            self.quantified()?;
        } else {
            // Greedy or not, an exact count is the same.
            self.rest.next_if_eq(&'?');
            self.no_quantifier()?;
        }
        self.repeated(|cost| Ok(cost.times(most.max(1))))?;
        if bound.ends_with(',') {
            self.repeated(Cost::endless)?;
        }
        Ok(true)
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
            '1'..='9' if !in_bracket => self.back_reference(character)?,
            other if other.is_alphanumeric() => return Err(invalid("invalid escape \\ sequence")),
            other => self.out.push_str(&regex::escape(&other.to_string())),
        }
        Ok(())
    }

    /// Two digits refer to a group if there are so many; otherwise the second is read like any other.
    fn back_reference(&mut self, first: char) -> Result<()> {
        let mut number = first as usize - '0' as usize;
        if let Some(second) = self.rest.peek().and_then(|next| next.to_digit(10)) {
            let both = number * 10 + second as usize;
            if both > self.groups {
                return Err(SqlError::unsupported("an octal code in a regular expression"));
            }
            self.rest.next();
            number = both;
        }
        if self.innermost().looks || !self.closed.contains(&number) {
            return Err(invalid("invalid backreference number"));
        }
        self.backtracks = true;
        self.out.push_str(&format!("(?:\\{number})"));
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

/// The regular expression of a `SIMILAR TO` pattern. Two escaped double quotes enclose the part that `substring` returns; what is
/// before them matches as little as possible.
pub fn similar(pattern: &str, escape: Option<char>) -> Result<String> {
    let mut out = String::from("^(?:");
    let mut in_bracket = false;
    let mut lazy = escape.is_some_and(|escape| pattern.contains(&format!("{escape}\"")));
    let mut divisions = 0;
    let mut rest = pattern.chars();
    while let Some(character) = rest.next() {
        match character {
            _ if Some(character) == escape => match rest.next() {
                Some('"') => {
                    divisions += 1;
                    lazy = false;
                    out.push_str(match divisions {
                        1 => ")(",
                        2 => ")(?:",
                        _ => return Err(too_divided()),
                    });
                }
                Some(escaped) => out.extend(['\\', escaped]),
                None => return Err(SqlError::unsupported("a SIMILAR pattern that ends with its escape")),
            },
            '[' | ']' => {
                in_bracket = character == '[';
                out.push(character);
            }
            _ if in_bracket => out.push(character),
            '%' => out.push_str(if lazy { ".*?" } else { ".*" }),
            '_' => out.push('.'),
            '\\' | '.' | '^' | '$' => out.extend(['\\', character]),
            '(' => out.push_str("(?:"),
            '*' | '+' | '?' | '}' if lazy => out.extend([character, '?']),
            other => out.push(other),
        }
    }
    out.push_str(")$");
    Ok(out)
}

fn too_divided() -> SqlError {
    let message = "SQL regular expression may not contain more than two escape-double-quote separators";
    SqlError::new(SqlState::new("2200C"), message)
}
