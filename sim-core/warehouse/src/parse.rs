//! Parses a text as one query, and refuses anything else.

use std::borrow::Cow;

use sqlparser::ast::{Query, SetExpr, Statement};
use sqlparser::dialect::{ClickHouseDialect, PostgreSqlDialect};
use sqlparser::keywords::Keyword;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::{Token, TokenWithSpan, Tokenizer, Word};

use super::Dialect;
use super::bind::{EXCLUDED, EXCLUSIONS};
use super::columnar::text;
use super::dialect::WarehouseDialect;
use super::parse_postgres;
use super::refusal::{Refusal, RefusalKind};

/// How many tokens may follow each other without a comma or bracket, those of brackets inside included. Dropping a longer tree
/// could exhaust the stack.
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
        Dialect::Warehouse => {
            join_safe(&mut tokens);
            cast_lists(&mut tokens);
        }
        Dialect::Postgres => {
            parse_postgres::readable(&mut tokens)?;
            join_parameters(&mut tokens);
            plain_trims(&mut tokens);
            mark_symmetric(&mut tokens);
            mark_exclusions(&mut tokens);
        }
        Dialect::Columnar => {
            check_chains(&tokens)?;
            check_clauses(&tokens)?;
            tuples_of_one(&mut tokens);
            tokens = text::readable(tokens)?;
        }
    }
    check_chains(&tokens)?;
    Ok(tokens)
}

/// What follows each other in an open bracket.
#[derive(Clone, Copy, Default)]
struct Chain {
    /// The tokens since the last comma.
    length: usize,
    /// The longest chain in a bracket since the last comma: the tree may be as deep as both together.
    inside: usize,
    /// The longest before the last comma.
    before: usize,
    /// The set operations.
    queries: usize,
}

impl Chain {
    fn depth(self) -> usize {
        self.before.max(self.length + self.inside)
    }
}

fn check_chains(tokens: &[TokenWithSpan]) -> Result<(), Refusal> {
    let mut chains = vec![Chain::default()];
    for token in tokens {
        let last = chains.len() - 1;
        let chain = &mut chains[last];
        match &token.token {
            Token::RParen | Token::RBracket if last > 0 => {
                let depth = chain.depth();
                chains.pop();
                let around = &mut chains[last - 1];
                around.inside = around.inside.max(depth);
            }
            Token::Comma | Token::SemiColon => {
                *chain = Chain { before: chain.depth(), queries: chain.queries, ..Chain::default() };
            }
            Token::Whitespace(_) => {}
            opening => {
                chain.length += 1;
                chain.queries += usize::from(matches!(
                    opening,
                    Token::Word(Word { keyword: Keyword::UNION | Keyword::INTERSECT | Keyword::EXCEPT, .. })
                ));
                if chain.length + chain.inside > CHAIN_MAX || chain.queries > QUERIES_MAX {
                    return Err(Refusal::syntax("the query is too long a chain"));
                }
                if matches!(opening, Token::LParen | Token::LBracket) {
                    chains.push(Chain::default());
                }
            }
        }
    }
    Ok(())
}

/// How deep brackets, `CASE` and what stands before its operand are in each other.
fn nesting(tokens: &[TokenWithSpan]) -> usize {
    let (mut depth, mut signs, mut deepest) = (0_usize, 0_usize, 0_usize);
    for token in tokens {
        let mut is_sign = false;
        match &token.token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.saturating_sub(1),
            Token::Word(Word { keyword: Keyword::CASE, .. }) => depth += 1,
            Token::Word(Word { keyword: Keyword::END, .. }) => depth = depth.saturating_sub(1),
            Token::Word(Word { keyword: Keyword::NOT, .. }) | Token::Minus | Token::Plus => is_sign = true,
            Token::Whitespace(_) => continue,
            _ => {}
        }
        signs = if is_sign { signs + 1 } else { 0 };
        deepest = deepest.max(depth + signs);
    }
    deepest
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

/// Writes `ARRAY<INT64>[1, 2]` as a cast of the list. The parser would compare a column called `array`.
fn cast_lists(tokens: &mut Vec<TokenWithSpan>) {
    let mut at = 0;
    while let Some([array, less, type_, greater, bracket]) = tokens.get(at..at + 5) {
        if let (Token::Word(array), Token::Lt, Token::Word(_), Token::Gt, Token::LBracket) =
            (&array.token, &less.token, &type_.token, &greater.token, &bracket.token)
            && array.keyword == Keyword::ARRAY
            && array.quote_style.is_none()
            && let Some(length) = length_in_brackets(&tokens[at + 4..])
        {
            let span = tokens[at].span;
            let token = |token: Token| TokenWithSpan { token, span };
            let word = |text: &str| Token::make_word(text, None);
            let space = || Token::Whitespace(sqlparser::tokenizer::Whitespace::Space);
            let type_ = tokens[at + 2].token.clone();
            let list: Vec<TokenWithSpan> = tokens[at + 4..at + 4 + length].to_vec();
            let mut cast = vec![token(word("CAST")), token(Token::LParen)];
            cast.extend(list);
            let end =
                [space(), word("AS"), space(), word("ARRAY"), Token::Lt, type_, Token::Gt, Token::RParen];
            cast.extend(end.map(token));
            tokens.splice(at..at + 4 + length, cast);
        }
        at += 1;
    }
}

/// The refusal of a form of the answer.
pub(super) const FORMAT_REFUSED: &str =
    "FORMAT is the server's own: leave it out, answers are always rows of JSON";

/// Refuses clauses at the end of a query of the columnar store: its answer has one form here, and no settings.
fn check_clauses(tokens: &[TokenWithSpan]) -> Result<(), Refusal> {
    let tokens: Vec<&Token> = tokens
        .iter()
        .map(|token| &token.token)
        .filter(|token| !matches!(token, Token::Whitespace(_)))
        .collect();
    let bare = |token: &Token, name: &str| matches!(token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(name));
    let mut depth = 0_usize;
    let mut has_from = false;
    for (place, token) in tokens.iter().enumerate() {
        match token {
            Token::LParen | Token::LBracket => depth += 1,
            Token::RParen | Token::RBracket => depth = depth.saturating_sub(1),
            Token::Word(Word { keyword: Keyword::FROM, quote_style: None, .. }) if depth == 0 => {
                has_from = true;
            }
            _ => {}
        }
        let before = place.checked_sub(1).and_then(|place| tokens.get(place));
        let is_value = matches!(
            before,
            Some(Token::Number(..) | Token::RParen | Token::RBracket | Token::SingleQuotedString(_))
        ) || matches!(before, Some(Token::Word(word)) if !matches!(word.keyword, Keyword::SELECT | Keyword::AS | Keyword::BY | Keyword::FROM));
        let (next, after) = (tokens.get(place + 1), tokens.get(place + 2));
        // With a FROM the parser reads them.
        if !has_from
            && depth == 0
            && bare(token, "settings")
            && is_value
            && matches!((next, after), (Some(Token::Word(_)), Some(Token::Eq)))
        {
            return Err(Refusal::unsupported("SETTINGS of a query without FROM"));
        }
        let ends = matches!(after, None | Some(Token::SemiColon))
            || after.is_some_and(|word| bare(word, "settings"));
        if depth == 0 && bare(token, "format") && is_value && ends && matches!(next, Some(Token::Word(_))) {
            return Err(Refusal::invalid(FORMAT_REFUSED));
        }
    }
    Ok(())
}

/// Writes `(1,)` as `tuple(1)`. The parser reads no comma at the end.
fn tuples_of_one(tokens: &mut Vec<TokenWithSpan>) {
    let mut open: Vec<(usize, usize)> = Vec::new();
    let mut found = Vec::new();
    let mut last_comma = None;
    for (place, token) in tokens.iter().enumerate() {
        match token.token {
            Token::LParen | Token::LBracket => open.push((place, 0)),
            Token::RParen | Token::RBracket => {
                if let (Some((start, 1)), Some(comma), Token::RParen) = (open.pop(), last_comma, &token.token)
                {
                    found.push((start, comma));
                }
            }
            Token::Comma => {
                if let Some((_, commas)) = open.last_mut() {
                    *commas += 1;
                }
            }
            _ => {}
        }
        last_comma = match token.token {
            Token::Comma => Some(place),
            Token::Whitespace(_) => last_comma,
            _ => None,
        };
    }
    found.sort_unstable_by_key(|(_, comma)| std::cmp::Reverse(*comma));
    for (_, comma) in &found {
        tokens[*comma].token = Token::Whitespace(sqlparser::tokenizer::Whitespace::Space);
    }
    found.sort_unstable_by_key(|(start, _)| std::cmp::Reverse(*start));
    for (start, _) in found {
        let before = tokens[..start].iter().rev().find(|token| !matches!(token.token, Token::Whitespace(_)));
        let is_call = matches!(before.map(|token| &token.token), Some(Token::Word(word)) if word.keyword == Keyword::NoKeyword);
        if !is_call {
            let span = tokens[start].span;
            tokens.insert(start, TokenWithSpan { token: Token::make_word("tuple", None), span });
        }
    }
}

/// How many tokens there are from an opening bracket to its closing one.
fn length_in_brackets(tokens: &[TokenWithSpan]) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, token) in tokens.iter().enumerate() {
        match token.token {
            Token::LBracket | Token::LParen => depth += 1,
            Token::RBracket | Token::RParen => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(place + 1);
                }
            }
            _ => {}
        }
    }
    None
}

/// Writes `trim(both from x)` as a call of `btrim`. The parser wants signs before `from`.
fn plain_trims(tokens: &mut Vec<TokenWithSpan>) {
    let is_blank = |token: &TokenWithSpan| matches!(token.token, Token::Whitespace(_));
    let mut at = 0;
    while at < tokens.len() {
        let ahead = tokens[at..].iter().enumerate().filter(|(_, token)| !is_blank(token)).take(4);
        let ahead: Vec<(usize, &Token)> = ahead.map(|(place, token)| (place, &token.token)).collect();
        if let [
            (0, Token::Word(Word { keyword: Keyword::TRIM, quote_style: None, .. })),
            (_, Token::LParen),
            (place, Token::Word(Word { keyword, .. })),
            (from, Token::Word(Word { keyword: Keyword::FROM, .. })),
        ] = ahead.as_slice()
        {
            let name = match keyword {
                Keyword::BOTH => "btrim",
                Keyword::LEADING => "ltrim",
                Keyword::TRAILING => "rtrim",
                _ => {
                    at += 1;
                    continue;
                }
            };
            let (place, from) = (at + place, at + from);
            let name = Word { value: name.to_owned(), quote_style: None, keyword: Keyword::NoKeyword };
            tokens[at].token = Token::Word(name);
            tokens.drain(place..=from);
        }
        at += 1;
    }
}

/// Writes `BETWEEN SYMMETRIC a` as `BETWEEN !!a`: the parser knows only the operator.
fn mark_symmetric(tokens: &mut [TokenWithSpan]) {
    let mut after_between = false;
    for token in tokens {
        match &token.token {
            Token::Whitespace(_) => continue,
            Token::Word(Word { value, quote_style: None, .. })
                if after_between && value.eq_ignore_ascii_case("symmetric") =>
            {
                token.token = Token::DoubleExclamationMark;
            }
            // Without a word it means the same.
            Token::Word(Word { value, quote_style: None, .. })
                if after_between && value.eq_ignore_ascii_case("asymmetric") =>
            {
                token.token = Token::Whitespace(sqlparser::tokenizer::Whitespace::Space);
            }
            _ => {}
        }
        after_between = matches!(&token.token, Token::Word(Word { keyword: Keyword::BETWEEN, .. }));
    }
}

/// Takes `EXCLUDE TIES` and its like, which the parser does not know, out of windows, and puts it into their names.
fn mark_exclusions(tokens: &mut Vec<TokenWithSpan>) {
    let blank = Token::Whitespace(sqlparser::tokenizer::Whitespace::Space);
    // The brackets that are open.
    let mut opened = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].token {
            Token::LParen => opened.push(at),
            Token::RParen => drop(opened.pop()),
            _ => {}
        }
        if let (Some((kind, end)), Some(&open)) = (exclusion(&tokens[at..]), opened.last()) {
            let first =
                tokens[open + 1..at].iter().position(|token| !matches!(token.token, Token::Whitespace(_)));
            let first = first.map_or(at, |first| open + 1 + first);
            let own = match &tokens[first].token {
                Token::Word(word) if word.keyword == Keyword::NoKeyword || word.quote_style.is_some() => {
                    Some(word.value.clone())
                }
                _ => None,
            };
            for token in &mut tokens[at..at + end] {
                token.token = blank.clone();
            }
            let value = format!("{EXCLUDED}{}.{}", kind.replace(' ', "_"), own.clone().unwrap_or_default());
            let name = Token::Word(Word { value, quote_style: Some('"'), keyword: Keyword::NoKeyword });
            let span = tokens[open].span;
            if own.is_some() {
                tokens[first].token = name;
            } else {
                tokens.insert(open + 1, TokenWithSpan { token: blank.clone(), span });
                tokens.insert(open + 1, TokenWithSpan { token: name, span });
                at += 2;
            }
        }
        at += 1;
    }
}

/// The exclusion with which tokens begin, up to the bracket that ends the window, and the place of that bracket.
fn exclusion(tokens: &[TokenWithSpan]) -> Option<(&'static str, usize)> {
    let is_word = |token: &Token, text: &str| matches!(token, Token::Word(word) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(text));
    if !tokens.first().is_some_and(|token| is_word(&token.token, "exclude")) {
        return None;
    }
    let ahead = tokens.iter().enumerate().filter(|(_, token)| !matches!(token.token, Token::Whitespace(_)));
    let ahead: Vec<(usize, &Token)> = ahead.map(|(place, token)| (place, &token.token)).take(4).collect();
    EXCLUSIONS.iter().find_map(|kind| {
        let words: Vec<_> = kind.split(' ').collect();
        let (end, close) = ahead.get(words.len() + 1)?;
        let same = words.iter().zip(&ahead[1..]).all(|(word, (_, token))| is_word(token, word));
        (same && **close == Token::RParen).then_some((*kind, *end))
    })
}

/// An expression of PostgreSQL's dialect that stands for another.
pub(super) fn postgres_expr(text: &str) -> Result<sqlparser::ast::Expr, Refusal> {
    written_expr(text, Dialect::Postgres)
}

/// The same in the warehouse's dialect.
pub(super) fn warehouse_expr(text: &str) -> Result<sqlparser::ast::Expr, Refusal> {
    written_expr(text, Dialect::Warehouse)
}

fn written_expr(text: &str, dialect: Dialect) -> Result<sqlparser::ast::Expr, Refusal> {
    let tokens = tokens(text, dialect)?;
    let mut parser =
        Parser::new(parser_of(dialect)).with_recursion_limit(DEPTH_MAX).with_tokens_with_locations(tokens);
    parser.parse_expr().map_err(|error| match error {
        ParserError::RecursionLimitExceeded => Refusal::too_deep(),
        error => Refusal::syntax(error),
    })
}

fn parser_of(dialect: Dialect) -> &'static dyn sqlparser::dialect::Dialect {
    match dialect {
        Dialect::Warehouse => &WarehouseDialect,
        Dialect::Columnar => &ClickHouseDialect {},
        Dialect::Postgres => &PostgreSqlDialect {},
    }
}

fn statement(tokens: Vec<TokenWithSpan>, dialect: Dialect) -> Result<Statement, Refusal> {
    // The query around takes some of the depth. Where it is too deep, the parser may try to read a word of the dialect as a name.
    let is_deep = nesting(&tokens) + 10 > DEPTH_MAX;
    let mut parser =
        Parser::new(parser_of(dialect)).with_recursion_limit(DEPTH_MAX).with_tokens_with_locations(tokens);
    let mut statements = parser.parse_statements().map_err(|error| match error {
        ParserError::RecursionLimitExceeded => Refusal::too_deep(),
        ParserError::ParserError(_) if is_deep => Refusal::too_deep(),
        error => Refusal::syntax(error),
    })?;
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
