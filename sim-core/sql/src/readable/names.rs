//! Names and arguments in a form that the parser reads.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::source::is_word;

/// The tokens with names and arguments in a form that the parser reads, and the places of added ones: `pg_catalog.substr(…)` is a plain
/// call, `f(a := 1)` is the older form of
/// `f(a => 1)`, `f(variadic array[1])` is read as a named argument, and `interval` before an operator is the name of a column.
pub(crate) fn names(tokens: &[TokenWithSpan]) -> (Vec<TokenWithSpan>, Vec<usize>) {
    let (mut out, mut added) = (Vec::with_capacity(tokens.len()), Vec::new());
    for (at, token) in tokens.iter().enumerate() {
        let next = tokens.get(at + 1).map(|next| &next.token);
        let with = |token: &TokenWithSpan, new: Token| TokenWithSpan { token: new, span: token.span };
        if token.token == Token::Assignment {
            out.push(with(token, Token::RArrow));
        } else if let Some(called) = plain_call(tokens, at) {
            out.push(with(token, Token::make_word(called, Some('"'))));
        } else if let Some(called) = qualified_call(tokens, at) {
            out.push(with(token, Token::make_word(called, Some('"'))));
        } else if is_word(token, "variadic") && next.is_some_and(|next| is_value(next, tokens.get(at + 2))) {
            out.push(token.clone());
            added.push(out.len());
            out.push(with(token, Token::RArrow));
        } else if is_prefix(tokens, at) {
            out.push(with(token, Token::AtDashAt));
        } else if is_word(token, "interval") && next.is_some_and(is_operator) && begins_operand(tokens, at) {
            out.push(with(token, Token::make_word("interval", Some('"'))));
        } else {
            out.push(token.clone());
        }
    }
    (out, added)
}

/// Prefix operators that the parser does not know. It is given another one, and the binder finds them in the text.
pub(crate) const PREFIXES: [&str; 2] = ["%%", "%#"];

/// Whether one of these operators stands at `at`, where an operand begins.
fn is_prefix(tokens: &[TokenWithSpan], at: usize) -> bool {
    match &tokens[at].token {
        Token::CustomBinaryOperator(name) => PREFIXES.contains(&name.as_str()) && begins_operand(tokens, at),
        _ => false,
    }
}

/// Functions that have a syntax of their own, unless a schema is named before them.
const WITH_SYNTAX: [&str; 6] = ["extract", "overlay", "position", "substr", "substring", "trim"];

/// Functions that the parser reads in a form of other databases, and that are called like any other.
const PLAIN: [&str; 3] = ["ceil", "ceiling", "floor"];

/// The function at `at` if it is one of these.
fn plain_call(tokens: &[TokenWithSpan], at: usize) -> Option<&'static str> {
    let called = tokens.get(at + 1).is_some_and(|next| next.token == Token::LParen);
    PLAIN.into_iter().find(|name| called && is_word(&tokens[at], name))
}

/// The function at `at` if it is one of these and is called with its schema, as `pg_catalog.substr(…)`.
fn qualified_call(tokens: &[TokenWithSpan], at: usize) -> Option<&'static str> {
    let before = at.checked_sub(1).map(|before| &tokens[before].token);
    let after = tokens.get(at + 1).map(|after| &after.token);
    if before != Some(&Token::Period) || after != Some(&Token::LParen) {
        return None;
    }
    WITH_SYNTAX.into_iter().find(|name| is_word(&tokens[at], name))
}

/// Whether a value begins with this token, rather than the name and type of a parameter.
fn is_value(token: &Token, next: Option<&TokenWithSpan>) -> bool {
    match token {
        Token::Word(word) => {
            let plain = |name| word.quote_style.is_none() && word.value.eq_ignore_ascii_case(name);
            // The name of a parameter has its type after it, and a type without a name has square brackets or is one of these.
            let is_type = plain("any") || plain("anyarray") || plain("anycompatiblearray");
            let ends =
                |next: &TokenWithSpan| matches!(next.token, Token::LParen | Token::RParen | Token::Period);
            plain("array") || plain("null") || !is_type && next.is_some_and(ends)
        }
        Token::RParen | Token::Comma | Token::Period | Token::RArrow => false,
        _ => true,
    }
}

fn is_operator(token: &Token) -> bool {
    match token {
        Token::Word(word) => {
            word.quote_style.is_none()
                && ["in", "is", "not", "like", "ilike", "between", "when", "then", "else", "end"]
                    .iter()
                    .any(|one| word.value.eq_ignore_ascii_case(one))
        }
        Token::Eq | Token::Neq | Token::Lt | Token::Gt | Token::LtEq | Token::GtEq => true,
        _ => false,
    }
}

/// Whether an operand of an expression begins at `at`, rather than the type of something.
fn begins_operand(tokens: &[TokenWithSpan], at: usize) -> bool {
    let words = ["and", "or", "not", "where", "when", "then", "else", "select", "on", "by", "having", "case"];
    at.checked_sub(1).is_none_or(|before| {
        let before = &tokens[before];
        matches!(before.token, Token::LParen | Token::Comma | Token::Eq)
            || words.iter().any(|word| is_word(before, word))
    })
}
