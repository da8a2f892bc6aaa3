//! The parser on a stack that has room for it.

use sqlparser::dialect::PostgreSqlDialect;
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::DEPTH_MAX;

/// The most bytes of stack that a part of a text takes inside another, unoptimised.
const PART: usize = 128 << 10;

/// The most that the innermost takes beside that.
const INNERMOST: usize = 400 << 10;

/// The size of the stack for texts that need more than the thread has. The deepest nesting takes less than half of it. Its pages
/// are allocated when they are used.
const STACK: usize = 64 << 20;

/// Lets `work` parse `tokens`.
pub(crate) fn with_parser<T>(tokens: Vec<TokenWithSpan>, work: impl FnOnce(&mut Parser<'static>) -> T) -> T {
    let parts = tokens.iter().filter(|token| may_begin_a_part(&token.token)).count();
    let mut parser =
        Parser::new(&PostgreSqlDialect {}).with_recursion_limit(DEPTH_MAX).with_tokens_with_locations(tokens);
    stacker::maybe_grow((INNERMOST + parts * PART).min(STACK / 2), STACK, || work(&mut parser))
}

/// Whether the parser may call itself after a token.
fn may_begin_a_part(token: &Token) -> bool {
    match token {
        Token::Word(word) => word.keyword != Keyword::NoKeyword,
        Token::Whitespace(_) | Token::Number(..) | Token::SingleQuotedString(_) => false,
        Token::Comma | Token::Period | Token::RParen | Token::RBracket => false,
        _ => true,
    }
}
