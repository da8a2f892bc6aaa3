//! `LIKE` and `SIMILAR TO`.

use super::budget::Budget;
use super::error::{Result, SqlError, SqlState};
use super::regular;

/// Whether `text` matches `pattern`; a backslash escapes unless another character is given.
pub fn like(text: &str, pattern: &str, escape: Option<&str>) -> Result<bool> {
    let escape = match escape {
        None => Some('\\'),
        Some(given) if given.chars().count() > 1 => {
            let error = SqlError::new(SqlState::new("22025"), "invalid escape string");
            return Err(error.hint("Escape string must be empty or one character."));
        }
        Some(given) => given.chars().next(),
    };
    let text: Vec<char> = text.chars().collect();
    let mut tokens = Vec::new();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        tokens.push(match character {
            character if Some(character) == escape => Token::One(characters.next().ok_or_else(|| {
                SqlError::new(SqlState::new("22025"), "LIKE pattern must not end with escape character")
            })?),
            '%' => Token::Many,
            '_' => Token::Any,
            other => Token::One(other),
        });
    }
    Ok(matches(&text, &tokens))
}

enum Token {
    One(char),
    Any,
    Many,
}

/// Greedy matching with one backtracking point: linear space, and quadratic time at worst.
fn matches(text: &[char], tokens: &[Token]) -> bool {
    let (mut at, mut token) = (0, 0);
    let mut back: Option<(usize, usize)> = None;
    while at < text.len() {
        match tokens.get(token) {
            Some(Token::Many) => {
                back = Some((at, token + 1));
                token += 1;
                continue;
            }
            Some(Token::Any) => {
                at += 1;
                token += 1;
                continue;
            }
            Some(Token::One(character)) if *character == text[at] => {
                at += 1;
                token += 1;
                continue;
            }
            _ => {}
        }
        let Some((from, next)) = back else { return false };
        back = Some((from + 1, next));
        (at, token) = (from + 1, next);
    }
    tokens[token..].iter().all(|token| matches!(token, Token::Many))
}

/// Whether the whole of `text` matches an SQL regular expression.
pub fn similar(
    text: &str,
    pattern: &str,
    escape: Option<&str>,
    flags: &str,
    budget: &Budget,
) -> Result<bool> {
    let escape = escape.map_or(Some('\\'), |given| given.chars().next());
    regular::compile(&regular::similar(pattern, escape)?, flags)?.is_match(budget, text)
}
