//! `ANY` and `ALL` after operators with which the parser does not read them: they become calls of functions with names of their own.

use std::borrow::Cow;

use sqlparser::ast;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::source::{self, is_word};

/// Begins the names of these functions.
const QUANTIFIES: char = '\u{5}';

/// The name that a quantifier at `at` gets, if the parser would not read it.
pub(crate) fn marked(tokens: &[TokenWithSpan], at: usize) -> Option<String> {
    let word = ["any", "all", "some"].into_iter().find(|word| is_word(&tokens[at], word))?;
    let before = at.checked_sub(1)?;
    let opens = tokens.get(at + 1).is_some_and(|next| next.token == Token::LParen);
    let word = if word == "all" { "all" } else { "any" };
    (opens && is_other_operator(tokens, before)).then(|| format!("{QUANTIFIES}{word}"))
}

/// Where the bracket at `open` closes, if a query is in it.
pub(crate) fn end_of_query(tokens: &[TokenWithSpan], open: usize) -> Option<usize> {
    let begins = ["select", "with", "values", "table"];
    let first = tokens.get(open + 1)?;
    if !begins.iter().any(|word| is_word(first, word)) {
        return None;
    }
    let mut depth = 0_usize;
    let close = tokens[open..].iter().position(|token| {
        match token.token {
            Token::LParen => depth += 1,
            Token::RParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    });
    close.map(|after| open + after)
}

fn is_other_operator(tokens: &[TokenWithSpan], at: usize) -> bool {
    match &tokens[at].token {
        Token::AtArrow
        | Token::ArrowAt
        | Token::Overlap
        | Token::Question
        | Token::QuestionPipe
        | Token::QuestionAnd
        | Token::AtAt
        | Token::AtQuestion
        | Token::CaretAt
        | Token::ShiftLeft
        | Token::ShiftRight
        | Token::CustomBinaryOperator(_) => true,
        Token::Mod => true,
        Token::RParen => {
            tokens[..at].iter().rposition(|token| token.token == Token::LParen).is_some_and(|open| {
                open.checked_sub(1).is_some_and(|before| is_word(&tokens[before], "operator"))
            })
        }
        _ => false,
    }
}

/// What is quantified by the right operand of an operator, and whether by `ALL`.
pub(crate) fn quantified(right: &ast::Expr) -> Option<(Cow<'_, ast::Expr>, bool)> {
    let ast::Expr::Function(function) = right else { return None };
    let [only] = source::parts(&function.name)[..] else { return None };
    let word = only.value.strip_prefix(QUANTIFIES)?;
    let over = match &function.args {
        ast::FunctionArguments::Subquery(query) => Cow::Owned(ast::Expr::Subquery(query.clone())),
        ast::FunctionArguments::List(list) => match &list.args[..] {
            [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(array))] => Cow::Borrowed(array),
            _ => return None,
        },
        ast::FunctionArguments::None => return None,
    };
    Some((over, word == "all"))
}
