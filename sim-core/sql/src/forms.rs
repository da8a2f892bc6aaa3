//! Queries in forms that the parser does not read, as the same queries in forms that it reads.

use sqlparser::tokenizer::{Span, Token, TokenWithSpan};

use super::source::is_word;

/// Begins the keys of a `GROUP BY DISTINCT`.
pub(crate) const DISTINCT_SETS: &str = "\u{4}distinct";

/// The name of a list of values in a query that is made from them.
const VALUES: &str = "*VALUES*";

/// Rewrites `(TABLE t)`, `ANY (VALUES …)`, `SELECT` without targets, and the quantifiers of `GROUP BY`.
pub(crate) fn rewrite(statement: &mut Vec<TokenWithSpan>) {
    let queries = ["distinct", "select", "table", "values", "group"];
    if !statement.iter().any(|token| queries.iter().any(|word| is_word(token, word))) {
        return;
    }
    let mut out = Vec::with_capacity(statement.len());
    // The brackets that are open, and whether each has a list of values that becomes a query.
    let mut open = Vec::new();
    for (at, token) in statement.iter().enumerate() {
        let is = |at: usize, word: &str| statement.get(at).is_some_and(|token| is_word(token, word));
        let after_bracket = at > 0 && statement[at - 1].token == Token::LParen;
        let added = |new: Token| TokenWithSpan { token: new, span: empty(token) };
        match &token.token {
            Token::LParen => {
                open.push(is(at + 1, "values") && holds_a_query(statement, at));
                out.push(token.clone());
                if open.last() == Some(&true) {
                    out.extend(["select", "*", "from"].map(|word| added(symbol(word))));
                    out.push(added(Token::LParen));
                }
            }
            Token::RParen => {
                if open.pop() == Some(true) {
                    out.extend([Token::RParen, symbol("as"), Token::make_word(VALUES, Some('"'))].map(added));
                }
                out.push(token.clone());
            }
            _ if after_bracket && is_word(token, "table") && names_a_table(statement.get(at + 1)) => {
                out.extend(["select", "*", "from"].map(|word| added(symbol(word))));
            }
            _ if is_word(token, "select") && has_no_targets(statement, at) => {
                out.push(token.clone());
                let number = Token::Number("1".to_owned(), false);
                let row = [symbol("from"), Token::LParen, symbol("select"), number, Token::RParen];
                let named = [symbol("as"), Token::make_word(VALUES, Some('"'))];
                let span = Span { start: token.span.end, end: token.span.end };
                out.extend(row.into_iter().chain(named).map(|token| TokenWithSpan { token, span }));
            }
            _ if at > 1 && is(at - 1, "by") && is(at - 2, "group") && is_word(token, "all") => {}
            _ if at > 1 && is(at - 1, "by") && is(at - 2, "group") && is_word(token, "distinct") => {
                out.extend([Token::make_word(DISTINCT_SETS, Some('"')), Token::Comma].map(added));
            }
            _ => out.push(token.clone()),
        }
    }
    *statement = out;
}

/// The place before a token, for those that are put there.
fn empty(token: &TokenWithSpan) -> Span {
    Span { start: token.span.start, end: token.span.start }
}

fn symbol(word: &str) -> Token {
    if word == "*" { Token::Mul } else { Token::make_word(word, None) }
}

/// Whether the bracket at `at`, with a list of values in it, is the operand of `ANY` or `ALL`, or the source of an assignment.
fn holds_a_query(tokens: &[TokenWithSpan], at: usize) -> bool {
    at.checked_sub(1).is_some_and(|before| {
        let before = &tokens[before];
        before.token == Token::Eq || ["all", "any", "some"].iter().any(|word| is_word(before, word))
    })
}

fn names_a_table(token: Option<&TokenWithSpan>) -> bool {
    token.is_some_and(|token| matches!(token.token, Token::Word(_)))
}

/// Whether the `SELECT` at `at` ends there, or reads no rows and has only a condition.
fn has_no_targets(tokens: &[TokenWithSpan], at: usize) -> bool {
    let begins = at == 0
        || tokens[at - 1].token == Token::LParen
        || ["all", "as", "except", "intersect", "union"].iter().any(|word| is_word(&tokens[at - 1], word));
    begins
        && match tokens.get(at + 1) {
            None => true,
            Some(next) => {
                next.token == Token::RParen
                    || ["except", "intersect", "union", "where"].iter().any(|word| is_word(next, word))
            }
        }
}
