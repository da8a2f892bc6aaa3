//! Texts and names with escapes for characters: `U&'d\0061t\+000061'`, `U&"d!0061ta" UESCAPE '!'`.

use std::collections::BTreeSet;

use sqlparser::tokenizer::{Token, TokenWithSpan, Whitespace};

use crate::error::{Result, SqlError, SqlState};
use crate::functions::escapes::{Escapes, plain};
use crate::source::{Source, is_word};

/// The text in which spaces stand for each `U&`, so that the parser reads plain texts and names, and the bytes at which those begin.
pub(crate) fn masked(text: &str) -> Option<(String, BTreeSet<usize>)> {
    let bytes = text.as_bytes();
    let begins = |at: usize| {
        matches!(bytes[at], b'u' | b'U')
            && bytes.get(at + 1) == Some(&b'&')
            && matches!(bytes.get(at + 2), Some(b'\'' | b'"'))
            && (at == 0 || !is_part_of_name(bytes[at - 1]))
    };
    if !(0..bytes.len()).any(begins) {
        return None;
    }
    let (mut masked, mut starts, mut at) = (bytes.to_vec(), BTreeSet::new(), 0);
    while at < bytes.len() {
        if begins(at) {
            masked[at..at + 2].fill(b' ');
            starts.insert(at + 2);
            at += 2;
        }
        at = end_of(text, at);
    }
    Some((String::from_utf8(masked).ok()?, starts))
}

fn is_part_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || !byte.is_ascii()
}

/// Where what begins at a byte ends: a quoted text or name, a comment, a text in dollars, or one byte.
fn end_of(text: &str, at: usize) -> usize {
    let bytes = text.as_bytes();
    let after = |ending: &str, from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        let found = rest.windows(ending.len()).position(|window| window == ending.as_bytes());
        found.map_or(bytes.len(), |found| from + found + ending.len())
    };
    match bytes[at] {
        b'\'' => {
            let escapes =
                at > 0 && matches!(bytes[at - 1], b'e' | b'E') && (at < 2 || !is_part_of_name(bytes[at - 2]));
            end_of_quoted(bytes, at, escapes)
        }
        b'"' => end_of_quoted(bytes, at, false),
        b'-' if bytes.get(at + 1) == Some(&b'-') => after("\n", at),
        b'/' if bytes.get(at + 1) == Some(&b'*') => end_of_comment(bytes, at),
        b'$' if at == 0 || !is_part_of_name(bytes[at - 1]) => {
            let name =
                bytes[at + 1..].iter().take_while(|byte| is_part_of_name(**byte) && **byte != b'$').count();
            let end = at + 1 + name;
            match bytes.get(end) {
                Some(b'$') if !bytes[at + 1].is_ascii_digit() => after(&text[at..=end], end + 1),
                _ => at + 1,
            }
        }
        _ => at + 1,
    }
}

/// The end of a text in quotes. A quote that is doubled begins another one at once, which reads the same.
fn end_of_quoted(bytes: &[u8], start: usize, escapes: bool) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' if escapes => at += 2,
            byte if byte == bytes[start] => match bytes.get(at + 1) {
                Some(next) if *next == byte => at += 2,
                _ => return at + 1,
            },
            _ => at += 1,
        }
    }
    bytes.len()
}

fn end_of_comment(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0_usize);
    while at < bytes.len() {
        match bytes.get(at..at + 2) {
            Some(b"/*") => (depth, at) = (depth + 1, at + 2),
            Some(b"*/") => {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    bytes.len()
}

/// Puts the characters of these texts and names in the place of their escapes.
pub(crate) fn unescape(
    source: &Source,
    tokens: &mut Vec<TokenWithSpan>,
    starts: &BTreeSet<usize>,
) -> Result<()> {
    let mut read = Vec::with_capacity(tokens.len());
    let mut rest = std::mem::take(tokens).into_iter().peekable();
    while let Some(mut token) = rest.next() {
        let start = source.offset(token.span.start).filter(|start| starts.contains(start));
        let quoted = matches!(&token.token, Token::SingleQuotedString(_))
            || matches!(&token.token, Token::Word(word) if word.quote_style.is_some());
        let Some(start) = start.filter(|_| quoted) else {
            read.push(token);
            continue;
        };
        let mut between = Vec::new();
        while let Some(space) = rest.next_if(|next| matches!(next.token, Token::Whitespace(_))) {
            between.push(space);
        }
        let mut escape = '\\';
        if rest.peek().is_some_and(|next| is_word(next, "uescape")) {
            rest.next();
            while rest.next_if(|next| matches!(next.token, Token::Whitespace(_))).is_some() {}
            match rest.next() {
                Some(TokenWithSpan { token: Token::SingleQuotedString(text), span }) => {
                    escape = escape_of(&text).ok_or_else(|| {
                        let message = format!("invalid Unicode escape character at or near \"'{text}'\"");
                        SqlError::new(SqlState::SYNTAX_ERROR, message).at(source.place(span.start))
                    })?;
                }
                other => {
                    let message = "UESCAPE must be followed by a simple string literal";
                    let at = other.and_then(|other| source.place(other.span.start));
                    return Err(SqlError::new(SqlState::SYNTAX_ERROR, message).at(at));
                }
            }
        }
        let place = source.place(token.span.start).map(|_| start + 1);
        match &mut token.token {
            Token::SingleQuotedString(text) => *text = plain(text, escape, Escapes::Grammar, place)?,
            Token::Word(word) => word.value = plain(&word.value, escape, Escapes::Grammar, place)?,
            _ => {}
        }
        token.span.start.column = token.span.start.column.saturating_sub(2);
        read.push(token);
        read.extend(between);
    }
    *tokens = read;
    Ok(())
}

fn escape_of(text: &str) -> Option<char> {
    let mut characters = text.chars();
    let (Some(only), None) = (characters.next(), characters.next()) else { return None };
    let valid = !only.is_ascii_hexdigit() && !"+'\"".contains(only) && !only.is_whitespace();
    valid.then_some(only)
}

/// What stands between two texts, of which the second one may continue the first.
#[derive(Clone, Copy, Default)]
pub(crate) struct Gap {
    lines: bool,
    comment: bool,
}

impl Gap {
    pub(crate) fn add(&mut self, space: &Whitespace) {
        match space {
            Whitespace::Newline | Whitespace::SingleLineComment { .. } => self.lines = true,
            Whitespace::MultiLineComment(_) => self.comment = true,
            Whitespace::Space | Whitespace::Tab => {}
        }
    }

    /// Whether a text after this continues the one before.
    pub(crate) fn joins(self) -> bool {
        self.lines && !self.comment
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_found_outside_of_texts_and_comments_only() {
        assert_eq!(
            masked("select 'U&''a' -- U&'b'\n, $$ U&'c' $$, au&'d'"),
            Some(("select 'U&''a' -- U&'b'\n, $$ U&'c' $$, au&'d'".to_owned(), BTreeSet::new()))
        );
        let (text, starts) = masked("select U&'a', u&\"b\"").expect("two of them");
        assert_eq!(text, "select   'a',   \"b\"");
        assert_eq!(starts.into_iter().collect::<Vec<_>>(), [9, 16]);
    }
}
