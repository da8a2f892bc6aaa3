//! Parses a text as one query, and refuses anything else.

use std::borrow::Cow;

use sqlparser::ast::{Query, SetExpr, Statement};
use sqlparser::dialect::{BigQueryDialect, ClickHouseDialect, PostgreSqlDialect};
use sqlparser::keywords::Keyword;
use sqlparser::parser::Parser;
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer, Word};

use super::Dialect;
use super::columnar::text;
use super::refusal::{Refusal, RefusalKind};

/// How many tokens may follow each other without a comma or bracket. Dropping a longer tree could exhaust the stack.
const CHAIN_MAX: usize = 2_000;

/// How many set operations may follow each other.
const QUERIES_MAX: usize = 500;

/// How deep brackets and queries may nest.
const DEPTH_MAX: usize = 50;

/// Parses `text` as one query.
pub(super) fn query(text: &str, dialect: Dialect) -> Result<Query, Refusal> {
    let statement = statement(tokens(text, dialect)?, dialect)?;
    match statement {
        Statement::Query(query) if reads(&query.body) => Ok(*query),
        _ => Err(Refusal::not_a_query()),
    }
}

/// The same in the dialect of the columnar store.
pub(super) fn columnar(text: &str) -> Result<Query, Refusal> {
    query(text, Dialect::Columnar)
}

/// The names of the parameters.
pub(super) fn parameters(text: &str, dialect: Dialect) -> Result<Vec<String>, Refusal> {
    let tokens = tokens(text, dialect)?;
    let mut names = Vec::new();
    for token in &tokens {
        if let Token::Word(word) = &token.token
            && word.quote_style.is_none()
            && let Some(name) = word.value.strip_prefix('@')
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_owned());
        }
    }
    query(text, dialect)?;
    Ok(names)
}

fn tokens(text: &str, dialect: Dialect) -> Result<Vec<TokenWithSpan>, Refusal> {
    let text = if dialect == Dialect::Columnar { text::escaped(text).into() } else { Cow::Borrowed(text) };
    let mut tokens =
        Tokenizer::new(parser_of(dialect), &text).tokenize_with_location().map_err(Refusal::syntax)?;
    match dialect {
        Dialect::Warehouse => join_safe(&mut tokens),
        Dialect::Postgres => join_parameters(&mut tokens),
        Dialect::Columnar => {
            check_chains(&tokens)?;
            tokens = text::readable(tokens)?;
        }
    }
    check_chains(&tokens)?;
    Ok(tokens)
}

fn check_chains(tokens: &[TokenWithSpan]) -> Result<(), Refusal> {
    // The number of tokens since the last comma, and of set operations, for each open bracket.
    let mut chains = vec![(0_usize, 0_usize)];
    for token in tokens {
        let last = chains.len() - 1;
        let (length, queries) = &mut chains[last];
        match &token.token {
            Token::RParen | Token::RBracket if last > 0 => {
                chains.pop();
            }
            Token::Comma | Token::SemiColon => *length = 0,
            Token::Whitespace(_) => {}
            opening => {
                *length += 1;
                *queries += usize::from(matches!(
                    opening,
                    Token::Word(Word { keyword: Keyword::UNION | Keyword::INTERSECT | Keyword::EXCEPT, .. })
                ));
                if *length > CHAIN_MAX || *queries > QUERIES_MAX {
                    return Err(Refusal::syntax("the query is too long a chain"));
                }
                if matches!(opening, Token::LParen | Token::LBracket) {
                    chains.push((0, 0));
                }
            }
        }
    }
    Ok(())
}

/// Joins `SAFE.name(` to one word. For the parser some names begin a form of their own, and no word can precede them.
fn join_safe(tokens: &mut Vec<TokenWithSpan>) {
    let mut at = 0;
    while let Some([safe, period, name, bracket]) = tokens.get(at..at + 4) {
        if let (Token::Word(safe), Token::Period, Token::Word(name), Token::LParen) =
            (&safe.token, &period.token, &name.token, &bracket.token)
            && safe.quote_style.is_none()
            && name.quote_style.is_none()
            && safe.value.eq_ignore_ascii_case("safe")
        {
            let value = format!("{}.{}", safe.value, name.value);
            tokens[at].token = Token::Word(Word { value, quote_style: None, keyword: Keyword::NoKeyword });
            tokens.drain(at + 1..at + 3);
        }
        at += 1;
    }
}

/// Joins `@name` to one word. In PostgreSQL's dialect the parser reads an operator and a name.
fn join_parameters(tokens: &mut Vec<TokenWithSpan>) {
    let mut at = 0;
    while let Some([sign, name]) = tokens.get(at..at + 2) {
        if let (Token::AtSign, Token::Word(word)) = (&sign.token, &name.token)
            && word.quote_style.is_none()
        {
            let value = format!("@{}", word.value);
            tokens[at].token = Token::Word(Word { value, quote_style: None, keyword: Keyword::NoKeyword });
            tokens.remove(at + 1);
        }
        at += 1;
    }
}

fn parser_of(dialect: Dialect) -> &'static dyn sqlparser::dialect::Dialect {
    match dialect {
        Dialect::Warehouse => &BigQueryDialect {},
        Dialect::Columnar => &ClickHouseDialect {},
        Dialect::Postgres => &PostgreSqlDialect {},
    }
}

fn statement(tokens: Vec<TokenWithSpan>, dialect: Dialect) -> Result<Statement, Refusal> {
    let mut parser =
        Parser::new(parser_of(dialect)).with_recursion_limit(DEPTH_MAX).with_tokens_with_locations(tokens);
    let mut statements = parser.parse_statements().map_err(Refusal::syntax)?;
    match (statements.pop(), statements.is_empty()) {
        (Some(only), true) => Ok(only),
        (Some(_), false) => Err(Refusal::new(RefusalKind::NotSingular, "Only singular query allowed")),
        (None, _) => Err(Refusal::syntax("there is no query")),
    }
}

fn reads(body: &SetExpr) -> bool {
    match body {
        SetExpr::Insert(_) | SetExpr::Update(_) | SetExpr::Delete(_) | SetExpr::Merge(_) => false,
        SetExpr::Query(query) => reads(&query.body),
        SetExpr::SetOperation { left, right, .. } => reads(left) && reads(right),
        SetExpr::Select(_) | SetExpr::Values(_) | SetExpr::Table(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Relation, Request, Resolver, Target, translate};

    #[test]
    fn parameters_are_listed_once_in_the_order_of_their_use() {
        let text = "select @b as x, '@text' as y, `@name` as z from t where a = @a or @b = '' -- @comment";
        assert_eq!(parameters(text, Dialect::Warehouse), Ok(vec!["b".to_owned(), "a".to_owned()]));
        assert_eq!(parameters("drop table t", Dialect::Warehouse), Err(Refusal::not_a_query()));
    }

    #[test]
    fn deep_and_long_texts_are_refused_or_read_but_never_exhaust_the_stack() {
        for (open, inner, close) in [
            ("(", "1", ")"),
            ("abs(", "1", ")"),
            ("case when true then ", "1", " end"),
            ("(select ", "1", ")"),
            ("[", "1", "]"),
            ("not ", "true", ""),
            ("- ", "1", ""),
            ("", "1", " + 1"),
            ("", "true", " or true"),
            ("if(true, ", "1", ", 2)"),
            ("(select x from (select ", "1", " as x))"),
        ] {
            for depth in [10, 40, 200, 5_000] {
                let text = format!("select {}{inner}{}", open.repeat(depth), close.repeat(depth));
                let request = Request {
                    text: &text,
                    dialect: Dialect::Warehouse,
                    consumer: None,
                    target: Target::Sqlite,
                    max_rows: None,
                };
                let done = translate(&request, &Nothing);
                assert!(depth > 10 || done.is_ok(), "{open}{inner}{close}: {done:?}");
            }
        }
    }

    struct Nothing;

    impl Resolver for Nothing {
        fn relation(&self, _: &str) -> Option<Relation> {
            None
        }
    }
}
