//! The statements of a client's text, and what each does to a transaction.

use std::ops::Range;

use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::error::Result;
use crate::source::{Source, is_word};

/// A statement in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its bytes in the text.
    pub range: Range<usize>,
    /// What it does to a transaction.
    pub kind: Kind,
}

/// What a statement does to a transaction. The name of a savepoint is in lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Begins a block, which may be read-only.
    Begin {
        /// Whether it is read-only.
        read_only: bool,
    },
    /// Ends the block.
    Commit {
        /// Whether another block begins at once, with the same modes.
        chains: bool,
    },
    /// Undoes the block.
    Rollback {
        /// Whether another block begins at once, with the same modes.
        chains: bool,
    },
    /// Sets a savepoint.
    Savepoint(String),
    /// Forgets a savepoint.
    Release(String),
    /// Undoes what came after a savepoint.
    RollbackTo(String),
    /// `COPY … FROM STDIN` or `TO STDOUT`.
    Copy,
    /// Any other.
    Other,
}

/// Splits a text into its statements.
///
/// Fails when the text has no tokens of SQL, such as an unterminated string.
pub fn statements(text: &str) -> Result<Vec<Statement>> {
    let source = Source::sent(text);
    let place = |token: Option<&TokenWithSpan>, end: bool| {
        let location = token.map(|token| if end { token.span.end } else { token.span.start });
        location.and_then(|location| source.offset(location))
    };
    let read = |tokens: &Vec<TokenWithSpan>| {
        let from = place(tokens.first(), false).unwrap_or(0);
        let to = place(tokens.last(), true).unwrap_or(text.len());
        Statement { range: from..to.max(from), kind: kind(tokens) }
    };
    Ok(source.statements()?.iter().map(read).collect())
}

fn kind(tokens: &[TokenWithSpan]) -> Kind {
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| is_word(token, word));
    let has = |word: &str| tokens.iter().any(|token| is_word(token, word));
    let name = || match tokens.last().map(|token| &token.token) {
        Some(Token::Word(word)) => word.value.to_lowercase(),
        _ => String::new(),
    };
    if is(0, "begin") || is(0, "start") {
        let pairs = |first: &str, second: &str| {
            tokens.windows(2).any(|pair| is_word(&pair[0], first) && is_word(&pair[1], second))
        };
        return Kind::Begin { read_only: pairs("read", "only") };
    }
    let chains = is(tokens.len().saturating_sub(2), "and") && is(tokens.len() - 1, "chain");
    if is(0, "commit") || is(0, "end") {
        return Kind::Commit { chains };
    }
    if is(0, "rollback") || is(0, "abort") {
        return if has("to") { Kind::RollbackTo(name()) } else { Kind::Rollback { chains } };
    }
    if is(0, "savepoint") {
        return Kind::Savepoint(name());
    }
    if is(0, "release") {
        return Kind::Release(name());
    }
    if is(0, "copy") && (has("stdin") || has("stdout")) { Kind::Copy } else { Kind::Other }
}

/// Whether a statement may return rows or have a query with parameters, so that it is worth binding.
pub(super) fn is_described(tokens: &[TokenWithSpan]) -> bool {
    const WORDS: [&str; 12] = [
        "select", "values", "with", "table", "insert", "update", "delete", "show", "explain", "execute",
        "declare", "fetch",
    ];
    tokens[0].token == Token::LParen || WORDS.iter().any(|word| is_word(&tokens[0], word))
}
