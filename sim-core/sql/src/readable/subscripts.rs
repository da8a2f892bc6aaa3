//! Subscripts of what a statement assigns to, which the parser can't read.

use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use crate::source::is_word;

/// Begins the part of a name that stands for a subscript.
pub(crate) const SUBSCRIPT: char = '\u{1}';

/// The tokens with the subscripts of what they assign to, which the parser can't read, as parts of names: `a[1]` is `a."1"`. Each
/// comes with its place in the statement. `None` if there are none.
pub(crate) fn marked_subscripts(statement: &[TokenWithSpan]) -> Option<Vec<(usize, TokenWithSpan)>> {
    if !statement.iter().any(|token| token.token == Token::LBracket) {
        return None;
    }
    let mut found = Vec::new();
    for (at, token) in statement.iter().enumerate() {
        if is_word(token, "set") {
            found.extend(in_assignments(statement, at + 1));
        } else if is_word(token, "insert") {
            found.extend(in_columns(statement, at + 1));
        }
    }
    found.sort_unstable();
    found.dedup();
    if found.is_empty() {
        return None;
    }
    let mut marked: Vec<(usize, TokenWithSpan)> = statement.iter().cloned().enumerate().collect();
    for (open, close) in found.into_iter().rev() {
        let text: Vec<String> = statement[open + 1..close].iter().map(written).collect();
        let name = Token::make_word(&format!("{SUBSCRIPT}{}", text.join(" ")), Some('"'));
        let span = Span { start: statement[open].span.start, end: statement[close].span.end };
        let parts = [Token::Period, name].map(|token| (open, TokenWithSpan { token, span }));
        marked.splice(open..=close, parts);
    }
    Some(marked)
}

/// A token as text that has the same token.
pub(crate) fn written(token: &TokenWithSpan) -> String {
    match &token.token {
        Token::SingleQuotedString(text) => format!("'{}'", text.replace('\'', "''")),
        other => other.to_string(),
    }
}

/// The places of the brackets in the targets of assignments that begin at `at`.
fn in_assignments(tokens: &[TokenWithSpan], at: usize) -> Vec<(usize, usize)> {
    let (mut found, mut at) = (Vec::new(), Some(at));
    while let Some(from) = at {
        let mut brackets = Vec::new();
        let end = match tokens.get(from).map(|token| &token.token) {
            Some(Token::LParen) => listed(tokens, from + 1, &mut brackets).map(|close| close + 1),
            _ => path(tokens, from, &mut brackets),
        };
        if end.and_then(|end| tokens.get(end)).is_some_and(|token| token.token == Token::Eq) {
            found.extend(brackets);
        }
        at = next_assignment(tokens, from);
    }
    found
}

/// The places of the brackets in the list of columns of an `INSERT`, whose first word is before `at`.
fn in_columns(tokens: &[TokenWithSpan], at: usize) -> Vec<(usize, usize)> {
    let mut brackets = Vec::new();
    let mut at = at;
    if tokens.get(at).is_some_and(|token| is_word(token, "into")) {
        at = path(tokens, at + 1, &mut brackets).unwrap_or(at);
        if tokens.get(at).is_some_and(|token| is_word(token, "as")) {
            at += 2;
        }
    }
    if tokens.get(at).is_none_or(|token| token.token != Token::LParen) {
        return Vec::new();
    }
    let queries = ["select", "with", "values", "table"];
    if tokens.get(at + 1).is_some_and(|token| queries.iter().any(|word| is_word(token, word))) {
        return Vec::new();
    }
    brackets.clear();
    listed(tokens, at + 1, &mut brackets).map_or_else(Vec::new, |_| brackets)
}

/// The bracket that closes a list of targets, if there is nothing else in it.
fn listed(tokens: &[TokenWithSpan], at: usize, brackets: &mut Vec<(usize, usize)>) -> Option<usize> {
    let mut at = at;
    loop {
        at = path(tokens, at, brackets)?;
        match tokens.get(at)?.token {
            Token::Comma => at += 1,
            Token::RParen => return Some(at),
            _ => return None,
        }
    }
}

/// The end of a name with fields and subscripts.
fn path(tokens: &[TokenWithSpan], at: usize, brackets: &mut Vec<(usize, usize)>) -> Option<usize> {
    let is_name = |at: usize| matches!(tokens.get(at).map(|token| &token.token), Some(Token::Word(_)));
    if !is_name(at) {
        return None;
    }
    let mut at = at + 1;
    loop {
        match tokens.get(at).map(|token| &token.token) {
            Some(Token::Period) if is_name(at + 1) => at += 2,
            Some(Token::LBracket) => {
                let close = closing(tokens, at)?;
                brackets.push((at, close));
                at = close + 1;
            }
            _ => return Some(at),
        }
    }
}

/// The bracket that closes the one at `at`.
fn closing(tokens: &[TokenWithSpan], at: usize) -> Option<usize> {
    let mut depth = 0;
    let closes = |token: &TokenWithSpan| {
        depth += match token.token {
            Token::LBracket => 1,
            Token::RBracket => -1,
            _ => 0,
        };
        depth == 0
    };
    tokens[at..].iter().position(closes).map(|close| at + close)
}

/// Where the assignment after the one at `at` begins.
fn next_assignment(tokens: &[TokenWithSpan], at: usize) -> Option<usize> {
    let (mut depth, mut cases) = (0, 0);
    for (at, token) in tokens.iter().enumerate().skip(at) {
        match token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket if depth == 0 => return None,
            Token::RParen | Token::RBracket => depth -= 1,
            Token::Comma if depth == 0 => return Some(at + 1),
            _ if depth > 0 => {}
            _ if is_word(token, "case") => cases += 1,
            _ if is_word(token, "end") => cases -= 1,
            _ if is_word(token, "from") && is_word(&tokens[at - 1], "distinct") => {}
            _ if cases == 0
                && ["from", "where", "returning", "when"].iter().any(|word| is_word(token, word)) =>
            {
                return None;
            }
            _ => {}
        }
    }
    None
}
