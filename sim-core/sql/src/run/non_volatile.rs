//! Refuses what a function that is `STABLE` or `IMMUTABLE` must not run.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::Engine;
use crate::error::{Result, SqlError, SqlState};
use crate::source::is_word;

const CHANGES: &[&str] = &["insert", "update", "delete", "merge"];

impl Engine<'_> {
    /// Refuses a statement of a body that does more than read, unless the function is `VOLATILE`.
    pub(crate) fn require_volatile(&self, tokens: &[TokenWithSpan]) -> Result<()> {
        let command = if self.only_reads { changing_command(tokens) } else { None };
        let Some(command) = command else { return Ok(()) };
        let message = format!("{command} is not allowed in a non-volatile function");
        Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message))
    }
}

/// The command of a statement that does more than read rows. All commands but queries are among them.
pub(crate) fn changing_command(tokens: &[TokenWithSpan]) -> Option<String> {
    let first = tokens.first()?;
    let query = ["select", "values", "table", "with"].iter().any(|word| is_word(first, word));
    if !query && first.token != Token::LParen {
        return Some(crate::ddl::verb(tokens));
    }
    let outer = outside_brackets(tokens);
    let of_with =
        |token: &&TokenWithSpan| CHANGES.iter().chain(&["select", "values"]).any(|word| is_word(token, word));
    if is_word(first, "with") {
        let main = outer.iter().copied().find(of_with);
        if let Some(change) = CHANGES.iter().find(|word| main.is_some_and(|main| is_word(main, word))) {
            return Some(change.to_uppercase());
        }
        if changes_in_with(tokens) {
            return Some("SELECT".to_owned());
        }
    }
    lock(&outer).map(|strength| format!("SELECT FOR {strength}"))
}

/// The strength of the lock that a query takes on its rows.
fn lock(outer: &[&TokenWithSpan]) -> Option<&'static str> {
    let strengths = [
        (&["for", "update"][..], "UPDATE"),
        (&["for", "share"], "SHARE"),
        (&["for", "no", "key", "update"], "NO KEY UPDATE"),
        (&["for", "key", "share"], "KEY SHARE"),
    ];
    let has = |words: &[&str]| {
        outer
            .windows(words.len())
            .any(|tokens| tokens.iter().zip(words).all(|(token, word)| is_word(token, word)))
    };
    strengths.into_iter().find(|(words, _)| has(words)).map(|(_, strength)| strength)
}

/// Whether a query of a `WITH` changes rows: whether the first word in brackets after `AS` does.
fn changes_in_with(tokens: &[TokenWithSpan]) -> bool {
    tokens.windows(3).any(|three| {
        let [before, bracket, word] = three else { return false };
        let begins = is_word(before, "as") || is_word(before, "materialized");
        begins && bracket.token == Token::LParen && CHANGES.iter().any(|change| is_word(word, change))
    })
}

/// The tokens of a statement that are in no brackets.
pub(crate) fn outside_brackets(tokens: &[TokenWithSpan]) -> Vec<&TokenWithSpan> {
    let mut depth = 0_usize;
    let outside = |token: &&TokenWithSpan| match token.token {
        Token::LParen => {
            depth += 1;
            false
        }
        Token::RParen => {
            depth = depth.saturating_sub(1);
            false
        }
        _ => depth == 0,
    };
    tokens.iter().filter(outside).collect()
}
