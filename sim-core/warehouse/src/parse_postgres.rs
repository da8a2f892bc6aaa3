//! What the parser does not read of PostgreSQL's dialect: `ROWS FROM (…)` as a call, and forms that are refused by name.

use sqlparser::keywords::Keyword;
use sqlparser::tokenizer::{Token, TokenWithSpan, Word};

use super::refusal::Refusal;

/// What `ROWS FROM (…)` is called.
pub(super) const ROWS_FROM: &str = "rows_from";

/// Types that PostgreSQL has, and these queries have not.
const OTHER_TYPES: [&str; 33] = [
    "bit",
    "box",
    "cidr",
    "circle",
    "daterange",
    "inet",
    "int4multirange",
    "int4range",
    "int8multirange",
    "int8range",
    "jsonpath",
    "line",
    "lseg",
    "ltree",
    "macaddr",
    "macaddr8",
    "money",
    "name",
    "nummultirange",
    "numrange",
    "oid",
    "path",
    "pg_lsn",
    "point",
    "polygon",
    "tsmultirange",
    "tsquery",
    "tsrange",
    "tstzrange",
    "tsvector",
    "varbit",
    "xid",
    "xml",
];

/// The places of what is no blank, with their tokens.
fn significant(tokens: &[TokenWithSpan]) -> Vec<usize> {
    let places = tokens.iter().enumerate();
    places.filter(|(_, token)| !matches!(token.token, Token::Whitespace(_))).map(|(at, _)| at).collect()
}

fn is_word(token: Option<&Token>, text: &str) -> bool {
    matches!(token, Some(Token::Word(word)) if word.quote_style.is_none() && word.value.eq_ignore_ascii_case(text))
}

/// Writes `ROWS FROM (` as a call, and refuses by name what the parser would not understand.
pub(super) fn readable(tokens: &mut Vec<TokenWithSpan>) -> Result<(), Refusal> {
    let places = significant(tokens);
    let mut removed = Vec::new();
    for (index, at) in places.iter().enumerate() {
        let token = |step: usize| places.get(index + step).map(|at| &tokens[*at].token);
        let before = index.checked_sub(1).map(|before| &tokens[places[before]].token);
        if is_word(token(0), "rows") && is_word(token(1), "from") && token(2) == Some(&Token::LParen) {
            removed.push((*at, places[index + 1]));
            continue;
        }
        check(before, [token(0), token(1), token(2), token(3)])?;
    }
    for (rows, from) in removed.into_iter().rev() {
        tokens[rows].token =
            Token::Word(Word { value: ROWS_FROM.to_owned(), quote_style: None, keyword: Keyword::NoKeyword });
        tokens.drain(rows + 1..=from);
    }
    Ok(())
}

fn check(before: Option<&Token>, tokens: [Option<&Token>; 4]) -> Result<(), Refusal> {
    let [first, second, third, _] = tokens;
    let closed = matches!(before, Some(Token::RParen));
    if closed && is_word(first, "search") && (is_word(second, "depth") || is_word(second, "breadth")) {
        return Err(Refusal::unsupported("SEARCH of WITH RECURSIVE"));
    }
    if closed
        && is_word(first, "cycle")
        && matches!(second, Some(Token::Word(_)))
        && (is_word(third, "set") || matches!(third, Some(Token::Comma)))
    {
        return Err(Refusal::unsupported("CYCLE of WITH RECURSIVE"));
    }
    if is_word(first, "uescape") && matches!(before, Some(Token::UnicodeStringLiteral(_))) {
        return Err(Refusal::unsupported("UESCAPE"));
    }
    if is_word(first, "u")
        && second == Some(&Token::Ampersand)
        && matches!(third, Some(Token::Word(word)) if word.quote_style == Some('"'))
    {
        return Err(Refusal::unsupported("a name with Unicode escapes"));
    }
    if let (Some(Token::DoubleColon), Some(Token::Word(word))) = (first, second)
        && word.quote_style.is_none()
        && is_other_type(&word.value)
    {
        return Err(other_type(&word.value));
    }
    match first {
        Some(Token::Word(word))
            if word.quote_style.is_none()
                && matches!(second, Some(Token::SingleQuotedString(_)))
                && !matches!(before, Some(Token::Period))
                && !is_word(before, "as")
                && is_other_type(&word.value) =>
        {
            Err(other_type(&word.value))
        }
        _ => Ok(()),
    }
}

/// Whether PostgreSQL has a type of that name which is unknown here.
fn is_other_type(name: &str) -> bool {
    OTHER_TYPES.iter().any(|known| name.eq_ignore_ascii_case(known))
}

fn other_type(name: &str) -> Refusal {
    Refusal::unsupported(&format!("the type {}", name.to_lowercase()))
}
