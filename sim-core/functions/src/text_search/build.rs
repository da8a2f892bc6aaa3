//! Documents and queries from texts.

use sim_values::budget::Budget;
use sim_values::value::tsquery::{Query, Word, of_positions};
use sim_values::value::tsvector::{Lexeme, POSITION_MAX, Position, Vector};

use super::dictionary::Configuration;
use super::scan::Scanner;
use sim_values::error::Result;
use sim_values::value::json::Json;

/// Collects the lexemes of one or several texts.
pub(super) struct Builder<'a> {
    configuration: Configuration,
    budget: &'a Budget,
    /// The lexemes with their positions.
    found: Vec<(u16, String)>,
    at: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(configuration: &str, budget: &'a Budget) -> Result<Builder<'a>> {
        budget.work(100)?;
        Ok(Builder { configuration: Configuration::of(configuration)?, budget, found: Vec::new(), at: 0 })
    }

    /// Adds a text.
    pub(super) fn text(&mut self, text: &str) -> Result<()> {
        self.budget.work(text.len() / 4)?;
        let mut scanner = Scanner::new(text);
        while let Some((kind, token)) = scanner.token() {
            self.budget.work(20 + scanner.looked / 4)?;
            let Some(lexeme) = self.configuration.lexemes(kind, &token) else { continue };
            // A stemmer compares a word with a list.
            self.budget.work(100 + token.len())?;
            self.at += 1;
            if let Some(lexeme) = lexeme {
                let at = u16::try_from(self.at).map_or(POSITION_MAX, |at| at.min(POSITION_MAX));
                self.found.push((at, lexeme));
            }
        }
        Ok(())
    }

    /// Adds parts of a document. There is a gap after each, so that no phrase goes over their borders.
    pub(super) fn json(&mut self, json: &Json, parts: Parts) -> Result<()> {
        match json {
            Json::Object(members) => {
                for (key, value) in members {
                    if parts.keys {
                        self.part(key)?;
                    }
                    self.json(value, parts)?;
                }
            }
            Json::Array(items) => {
                for item in items {
                    self.json(item, parts)?;
                }
            }
            Json::String(text) if parts.strings => self.part(text)?,
            Json::Number(number) if parts.numbers => self.part(number)?,
            Json::Bool(value) if parts.booleans => self.part(if *value { "true" } else { "false" })?,
            _ => {}
        }
        Ok(())
    }

    fn part(&mut self, text: &str) -> Result<()> {
        let before = self.found.len();
        self.text(text)?;
        if self.found.len() > before {
            self.at += 1;
        }
        Ok(())
    }

    /// The document.
    pub(super) fn vector(self) -> Vector {
        let lexemes = self.found.into_iter().map(|(at, text)| {
            let positions = vec![Position { at, weight: 0 }];
            Lexeme { text, positions }
        });
        Vector::of(lexemes.collect())
    }

    /// The query for all these lexemes, as a phrase or in any order.
    fn query(self, like: &Word, phrase: bool) -> Result<Option<Query>> {
        let words = self.found.into_iter().map(|(at, text)| (at, Query::Word(Word { text, ..like.clone() })));
        of_positions(words.collect(), phrase)
    }
}

/// The parts of a JSON document that belong to a document of text search.
#[derive(Clone, Copy, Default)]
pub(super) struct Parts {
    pub(super) keys: bool,
    pub(super) strings: bool,
    pub(super) numbers: bool,
    pub(super) booleans: bool,
}

/// The query for all words of a text.
pub(super) fn plain(configuration: &str, text: &str, phrase: bool, budget: &Budget) -> Result<Option<Query>> {
    let word = Word { text: text.to_owned(), prefix: false, weights: 0 };
    of_word(configuration, &word, phrase, budget)
}

/// The query for a word as it is written, which may become several lexemes.
fn of_word(configuration: &str, word: &Word, phrase: bool, budget: &Budget) -> Result<Option<Query>> {
    let mut builder = Builder::new(configuration, budget)?;
    builder.text(&word.text)?;
    builder.query(word, phrase)
}

/// The query with operators that is written in a text.
pub(super) fn written(configuration: &str, text: &str, budget: &Budget) -> Result<Option<Query>> {
    budget.work(text.len())?;
    Query::parse_with(text, &mut |word| of_word(configuration, &word, true, budget))
}

/// The query in the syntax of search engines: words, `"phrases"`, `or`, `-`.
pub(super) fn web(configuration: &str, text: &str, budget: &Budget) -> Result<Option<Query>> {
    budget.work(text.len())?;
    let (mut any, mut all): (Option<Query>, Option<Query>) = (None, None);
    let (mut rest, mut negated, mut operand) = (text, false, false);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || "!&|():".contains(c));
        if rest.is_empty() {
            break;
        }
        if operand && let Some(after) = or_operator(rest) {
            any = either(any, all.take());
            (rest, operand, negated) = (after, false, false);
            continue;
        }
        if let Some(after) = rest.strip_prefix('-') {
            (rest, negated, operand) = (after, !negated, false);
            continue;
        }
        let (word, after) = match rest.strip_prefix('"') {
            Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
            None => {
                let ends = |c: char| c.is_whitespace() || "!&|():\"".contains(c);
                rest.split_at(rest.find(ends).unwrap_or(rest.len()))
            }
        };
        rest = after;
        let query = plain(configuration, word, true, budget)?;
        let query = query.map(|query| if negated { query.negated() } else { query });
        (negated, operand) = (false, true);
        all = match (all, query) {
            (Some(all), Some(query)) => Some(all.and(query)),
            (all, query) => all.or(query),
        };
    }
    let query = either(any, all);
    query.as_ref().map_or(Ok(()), Query::check)?;
    Ok(query)
}

fn either(any: Option<Query>, all: Option<Query>) -> Option<Query> {
    match (any, all) {
        (Some(any), Some(all)) => Some(any.or(all)),
        (any, all) => any.or(all),
    }
}

/// What follows the operator `or`, if it is one: it must be a word of its own with something after it.
fn or_operator(text: &str) -> Option<&str> {
    let word = text.get(..2).filter(|word| word.eq_ignore_ascii_case("or"))?;
    let rest = &text[word.len()..];
    let joined = rest.starts_with(|c: char| c == '-' || c == '_' || c.is_alphanumeric());
    (!joined && !rest.trim_start().is_empty()).then_some(rest)
}
