//! Translates PostgreSQL's regular expressions for the `regex` library, and for `fancy-regex` those that need look-around or back
//! references.

mod mixed;
mod similar;
mod translator;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use parking_lot::Mutex;
use regex::{Regex, RegexBuilder};

use self::mixed::Mixed;
pub use self::similar::similar;
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
    /// Where the ends of its matches are not those that the engine finds.
    mixed: Option<Arc<Mixed>>,
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
        let groups = match (&self.engine, &self.mixed) {
            (Engine::Linear(regex), Some(mixed)) => match regex.find_at(text, start) {
                Some(found) => Some(mixed.groups(budget, text, found.start())?),
                None => None,
            },
            (Engine::Linear(regex), None) => regex
                .captures_at(text, start)
                .map(|found| found.iter().map(|group| group.map(|group| group.range())).collect()),
            (Engine::Backtracking(pattern), _) => pattern
                .find(tries, budget, text, start)?
                .map(|found| found.iter().map(|group| group.map(|group| group.range())).collect()),
        };
        Ok(groups.map(|groups| Found { text, groups }))
    }

    /// Whether it has greedy and non-greedy quantifiers so that the places of its matches are not known.
    pub fn is_undecided(&self) -> bool {
        self.options.greedy && self.options.lazy && self.mixed.is_none()
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
    let mixes = options.greedy && options.lazy && cost.is_none();
    let mixed = if mixes { Mixed::new(&translated, options)?.map(Arc::new) } else { None };
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
    Ok(Pattern { engine, mixed, options })
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
        translator::translate(self, pattern)
    }
}
