//! `ts_headline`: the part of a text that matches best, with the words of the query marked.

mod fragments;

use sim_values::budget::Budget;
use sim_values::value::tsquery::{Query, Word};

use super::dictionary::Configuration;
use super::matching::{Found, Words, matches};
use super::scan::{Kind, Scanner};
use sim_values::error::{Result, SqlError, SqlState};

/// How a headline looks.
struct Options {
    most: usize,
    least: usize,
    short: usize,
    all: bool,
    /// How many fragments it may have; 0 for one that need not match as a whole.
    fragments: usize,
    between: String,
    before: String,
    after: String,
}

impl Options {
    fn read(text: &str) -> Result<Options> {
        let mut options = Options {
            most: 35,
            least: 15,
            short: 3,
            all: false,
            fragments: 0,
            between: " ... ".to_owned(),
            before: "<b>".to_owned(),
            after: "</b>".to_owned(),
        };
        let mut negative: [bool; 3] = [false; 3];
        for (name, value) in pairs(text)? {
            let number = |is_negative: &mut bool| {
                let number = value.trim().parse::<i32>().map_err(|_| {
                    let message = format!("invalid input syntax for type integer: \"{value}\"");
                    SqlError::new(SqlState::INVALID_TEXT, message)
                })?;
                *is_negative = number < 0;
                Ok::<usize, SqlError>(usize::try_from(number).unwrap_or(0))
            };
            match name.to_ascii_lowercase().as_str() {
                "maxwords" => options.most = number(&mut negative[0])?,
                "minwords" => options.least = number(&mut negative[0])?,
                "shortword" => options.short = number(&mut negative[1])?,
                "maxfragments" => options.fragments = number(&mut negative[2])?,
                "fragmentdelimiter" => options.between = value,
                "startsel" => options.before = value,
                "stopsel" => options.after = value,
                "highlightall" => {
                    let lower = value.to_ascii_lowercase();
                    options.all = ["1", "on", "true", "t", "y", "yes"].contains(&lower.as_str());
                }
                _ => {
                    let message = format!("unrecognized headline parameter: \"{name}\"");
                    return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
                }
            }
        }
        let wrong = |message| Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        if options.all {
            return Ok(options);
        }
        if options.least >= options.most {
            return wrong("MinWords should be less than MaxWords");
        }
        if options.least == 0 {
            return wrong("MinWords should be positive");
        }
        if negative[1] {
            return wrong("ShortWord should be >= 0");
        }
        if negative[2] {
            return wrong("MaxFragments should be >= 0");
        }
        Ok(options)
    }
}

/// The parts of `StartSel=<b>, StopSel="</b>"`.
fn pairs(text: &str) -> Result<Vec<(String, String)>> {
    let wrong = || {
        let message = format!("invalid parameter list format: \"{text}\"");
        SqlError::new(SqlState::SYNTAX_ERROR, message)
    };
    let mut pairs = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let (name, value) = rest.split_once('=').ok_or_else(wrong)?;
        let value = value.trim_start();
        let (value, after) = if let Some(quoted) = value.strip_prefix('"') {
            let (inside, after) = quoted.split_once('"').ok_or_else(wrong)?;
            (inside, after)
        } else {
            value.split_at(value.find([',', ' ']).unwrap_or(value.len()))
        };
        pairs.push((name.trim().to_owned(), value.to_owned()));
        rest = after.trim_start_matches(|c: char| c == ',' || c.is_whitespace());
    }
    Ok(pairs)
}

/// A token of the text.
struct Token {
    kind: Kind,
    text: String,
    at: u16,
    /// The numbers of the query's words that it is.
    items: Vec<usize>,
}

impl Token {
    /// Whether it is no word of its own: a blank, a tag, or the whole of which parts follow.
    fn is_no_word(&self) -> bool {
        matches!(self.kind, Kind::Blank | Kind::Tag) || self.has_parts()
    }

    fn has_parts(&self) -> bool {
        matches!(self.kind, Kind::Url | Kind::NumHyphenated | Kind::AsciiHyphenated | Kind::Hyphenated)
    }

    /// Whether a headline should not end here.
    fn is_bad_end(&self, short: usize) -> bool {
        let kind = self.is_no_word()
            || matches!(
                self.kind,
                Kind::Protocol
                    | Kind::Entity
                    | Kind::Scientific
                    | Kind::Version
                    | Kind::Decimal
                    | Kind::Signed
                    | Kind::Unsigned
            );
        // A short word is short in bytes.
        (kind || self.text.len() <= short) && self.items.is_empty()
    }
}

/// Tokens in which the words of a query are looked up.
struct Part<'a> {
    words: &'a [&'a Word],
    tokens: &'a [Token],
}

impl Words for Part<'_> {
    fn find(&self, word: &Word) -> Found {
        let number = self.words.iter().position(|known| std::ptr::eq(*known, word));
        let tokens = self.tokens.iter().filter(|token| number.is_some_and(|n| token.items.contains(&n)));
        let mut at: Vec<u16> = tokens.map(|token| token.at).collect();
        at.dedup();
        if at.is_empty() { Found::Nothing } else { Found::At(at) }
    }

    fn cost(&self, _: &Word) -> usize {
        5 + self.words.len() / 4 + self.tokens.len()
    }
}

/// The headline of a text.
pub(super) fn headline(
    configuration: &str,
    text: &str,
    query: Option<&Query>,
    options: &str,
    budget: &Budget,
) -> Result<String> {
    let options = Options::read(options)?;
    let words = query.map(Query::words).unwrap_or_default();
    let tokens = tokens(&Configuration::of(configuration)?, text, &words, budget)?;
    let parts = match query {
        Some(query) if options.fragments > 0 => {
            fragments::fragments(&tokens, query, &words, &options, budget)?
        }
        _ if options.all && options.fragments == 0 => vec![(0, tokens.len())],
        Some(query) => vec![best(&tokens, query, &words, &options, budget)?],
        None => vec![start(&tokens, &options)],
    };
    let shown: Vec<String> =
        parts.into_iter().map(|(first, end)| marked(&tokens[first..end], &options)).collect();
    Ok(shown.join(&options.between))
}

/// Tokens as they are shown.
fn marked(tokens: &[Token], options: &Options) -> String {
    let mut out = String::new();
    for token in tokens {
        match token.kind {
            Kind::Tag if !options.all => out.push(' '),
            _ if token.has_parts() => {}
            _ if token.items.is_empty() => out.push_str(&token.text),
            _ => {
                for part in [&options.before, &token.text, &options.after] {
                    out.push_str(part);
                }
            }
        }
    }
    out
}

fn tokens(configuration: &Configuration, text: &str, words: &[&Word], budget: &Budget) -> Result<Vec<Token>> {
    let mut scanner = Scanner::new(text);
    let (mut tokens, mut at) = (Vec::new(), 0_u16);
    while let Some((kind, text)) = scanner.token() {
        budget.work(100 + 2 * text.len() + scanner.looked / 2 + words.len())?;
        let lexeme = configuration.lexemes(kind, &text);
        at = at.saturating_add(u16::from(lexeme.is_some()));
        let lexeme = lexeme.flatten();
        let is =
            |word: &Word| {
                let lexeme = lexeme.as_deref();
                lexeme.is_some_and(|lexeme| {
                    if word.prefix { lexeme.starts_with(&word.text) } else { lexeme == word.text }
                })
            };
        let items = words.iter().enumerate().filter(|(_, word)| is(word)).map(|(number, _)| number);
        tokens.push(Token { kind, at, items: items.collect(), text });
    }
    Ok(tokens)
}

/// The first words, for a text that does not match.
fn start(tokens: &[Token], options: &Options) -> (usize, usize) {
    let (mut count, mut end) = (0, 0);
    while end < tokens.len() && count < options.least {
        count += usize::from(!tokens[end].is_no_word());
        end += 1;
    }
    (0, end)
}

/// A candidate: its first and last token, and what is good about it.
struct Candidate {
    first: usize,
    last: usize,
    whole: bool,
    found: usize,
}

/// The first token and the end of the best headline.
fn best(
    tokens: &[Token],
    query: &Query,
    words: &[&Word],
    options: &Options,
    budget: &Budget,
) -> Result<(usize, usize)> {
    let mut best: Option<Candidate> = None;
    let mut from = 0;
    while let Some((first, last)) = cover(tokens, from, query, words, options, budget)? {
        budget.work(tokens.len().min(8 * options.most) + last - first)?;
        let next = around(tokens, first, last, options);
        let better = best.as_ref().is_none_or(|best| {
            let bad = |at: usize| tokens[at].is_bad_end(options.short);
            (next.whole, next.found) > (best.whole, best.found)
                || (next.whole, next.found) == (best.whole, best.found) && !bad(next.last) && bad(best.last)
        });
        if better {
            best = Some(next);
        }
        from = first + 1;
    }
    Ok(best.map_or_else(|| start(tokens, options), |best| (best.first, best.last + 1)))
}

/// The next shortest part that matches the query.
fn cover(
    tokens: &[Token],
    from: usize,
    query: &Query,
    words: &[&Word],
    options: &Options,
    budget: &Budget,
) -> Result<Option<(usize, usize)>> {
    let longest = (options.most * 10).max(100).saturating_mul(options.fragments.max(1));
    let found = |at: usize| tokens.iter().skip(at).position(|token| !token.items.is_empty()).map(|n| at + n);
    let mut first = found(from);
    while let Some(start) = first {
        let mut last = Some(start);
        while let Some(end) = last.filter(|end| end - start < longest) {
            budget.work(5 + end - start)?;
            if matches(&Part { words, tokens: &tokens[start..=end] }, query, budget)? {
                return Ok(Some((start, end)));
            }
            last = found(end + 1);
        }
        first = found(start + 1);
    }
    Ok(None)
}

/// Makes a part long enough and not too long.
fn around(tokens: &[Token], first: usize, last: usize, options: &Options) -> Candidate {
    let word = |at: usize| usize::from(!tokens[at].is_no_word());
    let interesting = |at: usize| usize::from(!tokens[at].items.is_empty());
    let bad = |at: usize| tokens[at].is_bad_end(options.short);
    let (mut count, mut found, mut begin, mut end, mut at) = (0, 0, first, first, first);
    while at <= last && count < options.most {
        count += word(at);
        found += interesting(at);
        end = at;
        at += 1;
    }
    if count < options.most {
        at -= 1;
        while at < tokens.len() && count < options.most {
            if at > last {
                count += word(at);
                found += interesting(at);
            }
            end = at;
            if !bad(at) && count >= options.least {
                break;
            }
            at += 1;
        }
        if count < options.least {
            begin = 0;
            for at in (0..first).rev() {
                count += word(at);
                found += interesting(at);
                if count >= options.most || !bad(at) && count >= options.least {
                    begin = at;
                    break;
                }
            }
        }
    } else {
        at = (at - 1).min(last);
        while count > options.least && bad(at) {
            count -= word(at);
            found -= interesting(at);
            end = at.saturating_sub(1);
            at = end;
        }
    }
    Candidate { first: begin, last: end, whole: begin <= first && end >= last, found }
}
