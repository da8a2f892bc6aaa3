//! `(value AS name)` inside an expression: a call that keeps the name, there and wherever the query says the name again.

use sqlparser::ast::{Expr, Function, FunctionArguments, Value};
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::call::expr_of;
use super::text::{TOKENS_MAX, is_word, significant, space_at, word};
use crate::refusal::Refusal;

/// What `(value AS name)` is written as: `value_named(value, 'name')`.
const NAMED: &str = "value_named";

/// What stands for a value until its name is looked for elsewhere.
const HELD: &str = "value_held";

/// The value and the name of such a call.
pub(super) fn named(function: &Function) -> Option<(&Expr, &str)> {
    if function.name.to_string() != NAMED {
        return None;
    }
    let FunctionArguments::List(list) = &function.args else { return None };
    let [value, name] = list.args.as_slice() else { return None };
    let Expr::Value(name) = expr_of(name)? else { return None };
    let Value::SingleQuotedString(name) = &name.value else { return None };
    Some((expr_of(value)?, name))
}

/// Writes each `value AS name` in brackets as a call, and its name wherever the same query has it.
pub(super) fn with_inner_names(mut tokens: Vec<TokenWithSpan>) -> Result<Vec<TokenWithSpan>, Refusal> {
    /// The most that a query may have.
    const MOST: usize = 100;
    for _ in 0..MOST {
        let Some(found) = next_inner(&tokens) else { return Ok(tokens) };
        tokens = found.written(&tokens)?;
    }
    Err(Refusal::unsupported(&format!("more than {MOST} names inside expressions")))
}

/// A value with a name, by the places of its tokens.
struct Inner {
    /// The value's first token.
    start: usize,
    as_: usize,
    name: usize,
    /// The query that it is in.
    query: (usize, usize),
}

fn begins_query(tokens: &[TokenWithSpan], bracket: usize) -> bool {
    let first = significant(&tokens[bracket + 1..]).next().map(|(_, token)| token);
    is_word(first, "select") || is_word(first, "with")
}

fn next_inner(tokens: &[TokenWithSpan]) -> Option<Inner> {
    /// Before a bracket in which `AS` means something else.
    const OTHERS: [&str; 12] = [
        "cast",
        "try_cast",
        "safe_cast",
        "interpolate",
        "from",
        "join",
        "except",
        "extract",
        "using",
        "window",
        "over",
        "replace_with",
    ];
    let mut open: Vec<usize> = Vec::new();
    for (as_, token) in significant(tokens) {
        match token {
            Token::LParen | Token::LBracket => open.push(as_),
            Token::RParen | Token::RBracket => {
                open.pop();
            }
            _ => {}
        }
        if !is_word(Some(token), "as") {
            continue;
        }
        let mut after = significant(&tokens[as_ + 1..]).map(|(at, token)| (as_ + 1 + at, token));
        let (Some((name, Token::Word(_))), Some((_, end))) = (after.next(), after.next()) else { continue };
        if !matches!(end, Token::Comma | Token::RParen | Token::RBracket) {
            continue;
        }
        let Some(bracket) = open.last().copied().filter(|bracket| !begins_query(tokens, *bracket)) else {
            continue;
        };
        let mut before = significant(&tokens[..bracket]).rev().map(|(_, token)| token);
        let last = before.next();
        let replaces = is_word(last, "replace")
            && matches!(before.next(), Some(Token::Mul | Token::RParen | Token::RBracket));
        if replaces || OTHERS.iter().any(|other| is_word(last, other)) {
            continue;
        }
        let start = value_start(tokens, bracket, as_);
        let query = query_around(tokens, &open, as_);
        return Some(Inner { start, as_, name, query });
    }
    None
}

/// Where the value begins that ends at a place: behind the bracket, a comma or `DISTINCT`.
fn value_start(tokens: &[TokenWithSpan], bracket: usize, end: usize) -> usize {
    let (mut depth, mut start) = (0_usize, bracket + 1);
    for (at, token) in significant(&tokens[bracket + 1..end]) {
        match token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.saturating_sub(1),
            Token::Comma | Token::Arrow if depth == 0 => start = bracket + 1 + at + 1,
            token if depth == 0 && is_word(Some(token), "distinct") => start = bracket + 1 + at + 1,
            _ => {}
        }
    }
    start
}

/// The first and the last token of the SELECT that a place is in.
fn query_around(tokens: &[TokenWithSpan], open: &[usize], place: usize) -> (usize, usize) {
    let around = open.iter().rev().copied().find(|bracket| begins_query(tokens, *bracket));
    let begin = around.map_or(0, |bracket| bracket + 1);
    let (mut first, mut depth) = (begin, 0_usize);
    for (at, token) in significant(tokens).filter(|(at, _)| *at >= begin) {
        match token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket if depth == 0 => return (first, at),
            Token::RParen | Token::RBracket => depth -= 1,
            token if depth == 0 && ["union", "intersect"].iter().any(|word| is_word(Some(token), word)) => {
                if at > place {
                    return (first, at);
                }
                first = at + 1;
            }
            _ => {}
        }
    }
    (first, tokens.len())
}

impl Inner {
    fn written(&self, tokens: &[TokenWithSpan]) -> Result<Vec<TokenWithSpan>, Refusal> {
        let Token::Word(name) = &tokens[self.name].token else { return Ok(tokens.to_vec()) };
        let span = tokens[self.as_].span;
        let put = |token: Token| TokenWithSpan { token, span };
        let mut call = vec![put(word(NAMED)), put(Token::LParen)];
        call.extend_from_slice(&tokens[self.start..self.as_]);
        call.extend([
            put(Token::Comma),
            put(Token::SingleQuotedString(name.value.clone())),
            put(Token::RParen),
        ]);
        let mut held = tokens[..self.start].to_vec();
        held.extend([space_at(span), put(word(HELD))]);
        held.extend_from_slice(&tokens[self.name + 1..]);
        let removed = tokens.len() - held.len();
        let (first, last) = (self.query.0, self.query.1 - removed.min(self.query.1));
        let mut out: Vec<TokenWithSpan> = Vec::with_capacity(tokens.len());
        // The brackets of queries inside: they have names of their own.
        let mut inside: Vec<bool> = Vec::new();
        for (at, token) in held.iter().enumerate() {
            match token.token {
                Token::LParen | Token::LBracket => inside.push(begins_query(&held, at) && at >= first),
                Token::RParen | Token::RBracket => {
                    inside.pop();
                }
                _ => {}
            }
            let is_held = matches!(&token.token, Token::Word(found) if found.value == HELD);
            let here = (first..last).contains(&at) && !inside.contains(&true);
            if is_held || (here && is_use(&held, at, &name.value)) {
                if out.len() + call.len() > TOKENS_MAX {
                    return Err(Refusal::syntax("the names inside expressions make the query too long"));
                }
                out.extend_from_slice(&call);
            } else {
                out.push(token.clone());
            }
        }
        Ok(out)
    }
}

/// Whether the token is that name, and neither a part of another one nor the name of a table, column or function.
fn is_use(tokens: &[TokenWithSpan], at: usize, name: &str) -> bool {
    let Token::Word(found) = &tokens[at].token else { return false };
    let before = significant(&tokens[..at]).next_back().map(|(_, token)| token);
    let next = significant(&tokens[at + 1..]).next().map(|(_, token)| token);
    found.value == name
        && !matches!(before, Some(Token::Period))
        && !["as", "from", "join"].iter().any(|word| is_word(before, word))
        && !matches!(next, Some(Token::LParen | Token::Period | Token::Arrow))
}
