//! What can be opened as a cursor: one statement that returns rows.

use sqlparser::tokenizer::TokenWithSpan;

use crate::error::{Result, SqlError, SqlState};
use crate::run::{changing_command, outside_brackets};
use crate::source::is_word;

/// Refuses a text that is no single statement, or one that returns no rows.
pub(super) fn require_rows_of(statements: &[Vec<TokenWithSpan>]) -> Result<()> {
    match statements {
        [only] => require_rows(only),
        _ => Err(SqlError::new(SqlState::new("42P11"), "cannot open multi-query plan as cursor")),
    }
}

/// Refuses a statement that returns no rows.
pub(super) fn require_rows(tokens: &[TokenWithSpan]) -> Result<()> {
    let Some(command) = command_without_rows(tokens) else { return Ok(()) };
    Err(SqlError::new(SqlState::new("42P11"), format!("cannot open {command} query as cursor")))
}

/// The command of a statement that returns no rows, as its tag names it.
pub(super) fn command_without_rows(tokens: &[TokenWithSpan]) -> Option<String> {
    const ONE_WORD: [&str; 8] = ["INSERT", "UPDATE", "DELETE", "MERGE", "SET", "BEGIN", "COMMIT", "ROLLBACK"];
    const ANSWERING: [&str; 5] = ["SELECT", "SHOW", "EXPLAIN", "FETCH", "EXECUTE"];
    let command = changing_command(tokens)?;
    let first = command.split(' ').next().unwrap_or_default();
    let returning = || outside_brackets(tokens).into_iter().any(|token| is_word(token, "returning"));
    match first {
        // A query may lock rows, or change some in its `WITH`.
        _ if ANSWERING.contains(&first) => None,
        "INSERT" | "UPDATE" | "DELETE" if returning() => None,
        _ if ONE_WORD.contains(&first) => Some(first.to_owned()),
        _ => Some(command),
    }
}

/// The error of a function that is to return the rows of a statement without any.
pub(super) fn no_rows(command: &str) -> SqlError {
    SqlError::new(SqlState::SYNTAX_ERROR, format!("{command} query does not return tuples"))
}
