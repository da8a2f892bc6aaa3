//! Puts brackets around a cast before `COLLATE`, which the parser reads only after a plain operand: `a::text COLLATE "C"` is
//! `(a::text) COLLATE "C"`.

use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::foreign::is_called;
use super::source::is_word;

/// The brackets stand at no place of their own, so that the text between two tokens stays the same.
pub(crate) fn bracket_casts(statement: &mut Vec<TokenWithSpan>) {
    let collates = statement.iter().enumerate().filter(|(_, token)| is_word(token, "collate"));
    let mut brackets = Vec::new();
    for (at, _) in collates {
        if let Some(start) = start_of_cast(statement, at) {
            brackets.extend([(start, Token::LParen), (at, Token::RParen)]);
        }
    }
    if brackets.is_empty() {
        return;
    }
    let mut brackets = brackets.into_iter().peekable();
    let tokens = std::mem::take(statement);
    for (at, token) in tokens.into_iter().enumerate() {
        while let Some((_, bracket)) = brackets.next_if(|(place, _)| *place == at) {
            let start = token.span.start;
            statement.push(TokenWithSpan { token: bracket, span: Span { start, end: start } });
        }
        statement.push(token);
    }
}

/// Where the operand begins that ends before `end`, if it is a cast.
fn start_of_cast(tokens: &[TokenWithSpan], end: usize) -> Option<usize> {
    let token = |at: usize| tokens.get(at).map(|token| &token.token);
    let (mut at, mut cast) = (end, false);
    loop {
        at = at.checked_sub(1)?;
        match token(at)? {
            Token::RParen | Token::RBracket => {
                let subscript = token(at) == Some(&Token::RBracket);
                at = opening(&tokens[..=at])?;
                let before = at.checked_sub(1).and_then(|before| tokens.get(before));
                if subscript {
                    continue;
                }
                at -= usize::from(before.is_some_and(is_called));
            }
            Token::Word(_) if is_word(&tokens[at], "varying") => at = at.checked_sub(1)?,
            Token::Word(_)
            | Token::SingleQuotedString(_)
            | Token::EscapedStringLiteral(_)
            | Token::Number(..) => {}
            _ => return None,
        }
        while at >= 2 && token(at - 1) == Some(&Token::Period) {
            at -= 2;
        }
        match at.checked_sub(1).and_then(token) {
            Some(Token::DoubleColon) => (at, cast) = (at - 1, true),
            _ => return cast.then_some(at),
        }
    }
}

/// The bracket that the last one closes.
fn opening(tokens: &[TokenWithSpan]) -> Option<usize> {
    let mut depth = 0_usize;
    tokens.iter().rposition(|token| {
        match token.token {
            Token::RParen | Token::RBracket => depth += 1,
            Token::LParen | Token::LBracket => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}
