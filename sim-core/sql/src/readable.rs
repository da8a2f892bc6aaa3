//! Rewrites tokens that the parser would read in another way than PostgreSQL, or not at all.

use sqlparser::ast::DataType;
use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Span, Token, TokenWithSpan, Tokenizer};

use super::source::is_word;
use super::types::Type;

/// Characters that let the name of an operator end in a sign.
const SIGNED: &str = "~!@#%^&|`?";

/// Separates the signs from the ends of operators: `->-1` is `-> -1`.
pub(crate) fn split_signs(tokens: Vec<TokenWithSpan>) -> Vec<TokenWithSpan> {
    let signed = |token: &Token| match token {
        Token::CustomBinaryOperator(name) => {
            name.ends_with(['-', '+']) && !name.contains(|c| SIGNED.contains(c))
        }
        _ => false,
    };
    if !tokens.iter().any(|token| signed(&token.token)) {
        return tokens;
    }
    let split = tokens.into_iter().flat_map(|token| match &token.token {
        Token::CustomBinaryOperator(name) if signed(&token.token) => parts(name, &token),
        _ => vec![token],
    });
    split.collect()
}

fn parts(name: &str, whole: &TokenWithSpan) -> Vec<TokenWithSpan> {
    let bare = name.trim_end_matches(['-', '+']);
    let mut tokens = Tokenizer::new(&PostgreSqlDialect {}, bare).tokenize().unwrap_or_default();
    tokens
        .extend(name[bare.len()..].chars().map(|sign| if sign == '-' { Token::Minus } else { Token::Plus }));
    let mut start = whole.span.start;
    let placed = tokens.into_iter().map(|token| {
        let mut span = whole.span;
        span.start = start;
        start.column += token.to_string().len() as u64;
        span.end = start;
        TokenWithSpan { token, span }
    });
    placed.collect()
}

/// The number of words by which a lock is weaker than the parser knows. The engine has no other transactions, so all are the same.
fn lock_strength(tokens: &[TokenWithSpan]) -> Option<usize> {
    let is = |words: &[&str]| {
        words.iter().enumerate().all(|(at, word)| tokens.get(at).is_some_and(|token| is_word(token, word)))
    };
    if is(&["for", "no", "key", "update"]) { Some(2) } else { is(&["for", "key", "share"]).then_some(1) }
}

/// Rewrites syntax that the parser cannot read: `BETWEEN SYMMETRIC`, which the binder finds in the text, weak locks, `(alias).*`,
/// `alias.* IS NULL`, `(call()).*`, and literals such as `inet '10.0.0.1'`.
pub(crate) fn make_readable(statement: &mut Vec<TokenWithSpan>) {
    let literals = !statement.first().is_some_and(|first| is_word(first, "copy"))
        && !statement.iter().any(|token| is_word(token, "options"));
    let mut at = 0;
    while at < statement.len() {
        let next = |ahead: usize| statement.get(at + ahead).map(|token| &token.token);
        if is_word(&statement[at], "between")
            && statement.get(at + 1).is_some_and(|next| is_word(next, "symmetric"))
        {
            statement.remove(at + 1);
        } else if let Some(words) = lock_strength(&statement[at..]) {
            statement.drain(at + 1..=at + words);
        } else if let (
            Some(Token::LParen),
            Some(Token::Word(_)),
            Some(Token::RParen),
            Some(Token::Period),
            Some(Token::Mul),
        ) = (next(0), next(1), next(2), next(3), next(4))
        {
            statement.remove(at + 2);
            statement.remove(at);
        } else if let (Some(Token::RParen), Some(Token::Period), Some(Token::Mul)) =
            (next(0), next(1), next(2))
        {
            statement[at + 2].token = Token::make_word("*", Some('"'));
        } else if let (Some(Token::Word(_)), Some(Token::Period), Some(Token::Mul)) =
            (next(0), next(1), next(2))
            && is_operand(statement, at)
        {
            statement.drain(at + 1..at + 3);
        } else if literals && is_typed_literal(statement, at) {
            // Places stay in order: the text from the first token to the last is the same.
            let whole = Span { start: statement[at].span.start, end: statement[at + 1].span.end };
            let before = Span { start: whole.start, end: whole.start };
            statement.swap(at, at + 1);
            (statement[at].span, statement[at + 1].span) = (before, whole);
            statement.insert(at + 1, TokenWithSpan { token: Token::DoubleColon, span: before });
            at += 2;
        }
        at += 1;
    }
}

/// Whether `row.*` at `at` is an operand: the row itself.
fn is_operand(statement: &[TokenWithSpan], at: usize) -> bool {
    let compares = |token: &TokenWithSpan| {
        matches!(token.token, Token::Eq | Token::Neq | Token::Lt | Token::Gt | Token::LtEq | Token::GtEq)
    };
    let after = statement.get(at + 3).is_some_and(|after| compares(after) || is_word(after, "is"));
    let before = at > 0 && compares(&statement[at - 1])
        || at > 1 && is_word(&statement[at - 1], "from") && is_word(&statement[at - 2], "distinct");
    after || before
}

/// Whether the parser reads the name of a type as that of any type.
fn is_custom(name: &TokenWithSpan) -> bool {
    let mut parser = Parser::new(&PostgreSqlDialect {}).with_tokens_with_locations(vec![name.clone()]);
    matches!(parser.parse_data_type(), Ok(DataType::Custom(..)))
}

/// Whether a name of a type, which the parser does not know as one, stands before a text at `at`.
fn is_typed_literal(statement: &[TokenWithSpan], at: usize) -> bool {
    let (Token::Word(word), Some(TokenWithSpan { token: Token::SingleQuotedString(_), .. })) =
        (&statement[at].token, statement.get(at + 1))
    else {
        return false;
    };
    let builtin = word.quote_style.is_none() && Type::named(&word.value.to_lowercase()).is_some();
    if word.keyword != Keyword::NoKeyword && !(builtin && is_custom(&statement[at])) {
        return false;
    }
    // In these places an expression begins.
    let begins = [
        "select", "and", "or", "not", "then", "else", "when", "case", "where", "default", "return", "like",
        "between", "distinct",
    ];
    at.checked_sub(1).and_then(|before| statement.get(before)).is_none_or(|before| match &before.token {
        Token::Word(_) => begins.iter().any(|word| is_word(before, word)),
        Token::RParen
        | Token::RBracket
        | Token::Period
        | Token::SingleQuotedString(_)
        | Token::Number(..)
        | Token::DoubleColon => false,
        _ => true,
    })
}
