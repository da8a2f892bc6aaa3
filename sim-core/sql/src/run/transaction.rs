//! `BEGIN`, `COMMIT`, `ROLLBACK` and savepoints.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{Done, Engine};
use crate::error::{Result, SqlError, SqlState};
use crate::source::is_word;

impl<'a> Engine<'a> {
    pub(super) fn begin(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let read = if is_word(&tokens[0], "start") {
            expected(tokens, 1, &["transaction"]).max(1)
        } else {
            expected(tokens, 1, &["work"]).max(expected(tokens, 1, &["transaction"])).max(1)
        };
        if is_word(&tokens[0], "start") && read == 1 {
            return Err(self.unexpected_at(tokens, 1));
        }
        transaction_modes(tokens, read).map_err(|at| self.unexpected_at(tokens, at))?;
        self.in_block = true;
        self.read_only_block =
            tokens.windows(2).any(|pair| is_word(&pair[0], "read") && is_word(&pair[1], "only"));
        Ok(Done::command("BEGIN"))
    }

    pub(super) fn unexpected_at(&self, tokens: &[TokenWithSpan], at: usize) -> SqlError {
        tokens.get(at).map_or_else(
            || self.source.syntax_error_at_end(tokens),
            |token| self.source.syntax_error_at(token),
        )
    }

    /// Refuses everything after `COMMIT` or `ROLLBACK` except `TO` a savepoint.
    pub(super) fn check_end(&self, tokens: &[TokenWithSpan]) -> Result<()> {
        let read = expected(tokens, 1, &["work"]).max(expected(tokens, 1, &["transaction"])).max(1);
        let read = expected(tokens, read, &["and", "no", "chain"]).max(read);
        if tokens.get(read).is_some_and(|token| is_word(token, "and")) {
            return Err(SqlError::unsupported("AND CHAIN"));
        }
        if read < tokens.len() { Err(self.unexpected_at(tokens, read)) } else { Ok(()) }
    }

    pub(super) fn commit(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        if tokens.get(1).is_some_and(|token| is_word(token, "prepared")) {
            return Err(SqlError::unsupported("COMMIT PREPARED"));
        }
        self.check_end(tokens)?;
        self.check_deferred()?;
        self.commit_temporary()?;
        self.in_block = false;
        self.read_only_block = false;
        self.end_settings(true)?;
        self.connection.execute_batch("RELEASE pg_call; SAVEPOINT pg_call")?;
        Ok(Done::command("COMMIT"))
    }

    /// Runs the body of a procedure or of `DO`, which may end the transaction if nothing around it forbids that.
    pub(crate) fn may_end<T>(&mut self, run: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        let outside = self.calls == 0 && self.alone && !self.in_block;
        let may = outside || self.ends_at == Some(self.calls);
        let ends_at = std::mem::replace(&mut self.ends_at, may.then_some(self.calls + 1));
        let result = run(self);
        self.ends_at = ends_at;
        result
    }

    /// `COMMIT` and `ROLLBACK` in a body.
    pub(crate) fn end_in_body(&mut self, commits: bool) -> Result<()> {
        let refused = |message: &str| Err(SqlError::new(SqlState::new("2D000"), message));
        if self.ends_at != Some(self.calls) {
            return refused("invalid transaction termination");
        }
        if self.guarded > 0 {
            return refused(match commits {
                true => "cannot commit while a subtransaction is active",
                false => "cannot roll back while a subtransaction is active",
            });
        }
        if commits {
            self.check_deferred()?;
            self.commit_temporary()?;
            self.end_settings(true)?;
            return Ok(self.connection.execute_batch("RELEASE pg_call; SAVEPOINT pg_call")?);
        }
        self.connection.execute_batch("ROLLBACK TO pg_call")?;
        self.store_sequences()?;
        self.end_settings(false)?;
        self.reload()?;
        Ok(())
    }

    pub(super) fn rollback(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let named = tokens.iter().rev().find_map(|token| match &token.token {
            Token::Word(word) => Some(word.value.to_lowercase()),
            _ => None,
        });
        let to = tokens.iter().any(|token| is_word(token, "to"));
        if !to {
            self.check_end(tokens)?;
        }
        match named.filter(|_| to) {
            Some(name) => {
                self.connection
                    .execute_batch(&format!("ROLLBACK TO \"sp_{}\"", name.replace('"', "")))
                    .map_err(|_| no_savepoint(&name))?;
                self.settings_of_savepoint(&name)?;
            }
            None => {
                self.in_block = false;
                self.read_only_block = false;
                self.connection.execute_batch("ROLLBACK TO pg_call")?;
                self.end_settings(false)?;
            }
        }
        self.reload()?;
        Ok(Done::command("ROLLBACK"))
    }

    pub(super) fn savepoint(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let release = is_word(&tokens[0], "release");
        let name = match tokens.last().map(|token| &token.token) {
            Some(Token::Word(word)) if tokens.len() > 1 => word.value.to_lowercase(),
            _ => return Err(self.source.syntax_error_at_end(tokens)),
        };
        if !self.in_block {
            let command = if release { "RELEASE SAVEPOINT" } else { "SAVEPOINT" };
            let message = format!("{command} can only be used in transaction blocks");
            return Err(SqlError::new(SqlState::NO_ACTIVE_TRANSACTION, message));
        }
        let verb = if release { "RELEASE" } else { "SAVEPOINT" };
        let done = self.connection.execute_batch(&format!("{verb} \"sp_{}\"", name.replace('"', "")));
        done.map_err(|_| no_savepoint(&name))?;
        if !release {
            self.settings_at_savepoint(&name);
        }
        Ok(Done::command(verb))
    }
}

/// The position after `words` if they are at `at`, otherwise 0.
pub(super) fn expected(tokens: &[TokenWithSpan], at: usize, words: &[&str]) -> usize {
    let found = words
        .iter()
        .enumerate()
        .all(|(ahead, word)| tokens.get(at + ahead).is_some_and(|token| is_word(token, word)));
    if found { at + words.len() } else { 0 }
}

/// Reads transaction modes at `at`. Fails with the position of the first token that is none.
pub(super) fn transaction_modes(tokens: &[TokenWithSpan], mut at: usize) -> std::result::Result<(), usize> {
    const MODES: &[&[&str]] = &[
        &["isolation", "level", "serializable"],
        &["isolation", "level", "repeatable", "read"],
        &["isolation", "level", "read", "committed"],
        &["isolation", "level", "read", "uncommitted"],
        &["read", "only"],
        &["read", "write"],
        &["deferrable"],
        &["not", "deferrable"],
    ];
    while at < tokens.len() {
        let comma = usize::from(tokens[at].token == Token::Comma);
        let read = |mode: &[&str]| {
            let pairs = mode.iter().zip(tokens.iter().skip(at + comma));
            pairs.take_while(|(word, token)| is_word(token, word)).count()
        };
        match MODES.iter().find(|mode| read(mode) == mode.len()) {
            Some(mode) => at += comma + mode.len(),
            None => return Err(at + comma + MODES.iter().map(|mode| read(mode)).max().unwrap_or(0)),
        }
    }
    Ok(())
}

pub(super) fn no_savepoint(name: &str) -> SqlError {
    SqlError::new(SqlState::new("3B001"), format!("savepoint \"{name}\" does not exist"))
}
