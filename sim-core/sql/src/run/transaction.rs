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
        let modes = transaction_modes(tokens, read).map_err(|at| self.unexpected_at(tokens, at))?;
        self.in_block = true;
        // Whether it only reads is kept with the block.
        let (read_only, others) = modes.into_iter().partition::<Vec<_>, _>(|mode| mode.1 == "read_only");
        self.set_modes("transaction", &others)?;
        self.read_only_block = read_only.last().is_some_and(|mode| mode.2 == "on");
        Ok(Done::command("BEGIN"))
    }

    pub(crate) fn unexpected_at(&self, tokens: &[TokenWithSpan], at: usize) -> SqlError {
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
        self.known.cursors.borrow_mut().commit();
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
            self.known.cursors.borrow_mut().commit();
            self.end_settings(true)?;
            return Ok(self.connection.execute_batch("RELEASE pg_call; SAVEPOINT pg_call")?);
        }
        self.connection.execute_batch("ROLLBACK TO pg_call")?;
        self.known.cursors.borrow_mut().roll_back();
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
                self.store_sequences()?;
                self.settings_of_savepoint(&name)?;
                self.known.cursors.borrow_mut().return_to_savepoint(&name);
            }
            None => {
                self.in_block = false;
                self.read_only_block = false;
                self.connection.execute_batch("ROLLBACK TO pg_call")?;
                self.known.cursors.borrow_mut().roll_back();
                self.store_sequences()?;
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
            self.known.cursors.borrow_mut().set_savepoint(&name);
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

/// A transaction mode: its words, and the parameter that it sets, without `transaction_`.
type Mode = (&'static [&'static str], &'static str, &'static str);

const MODES: &[Mode] = &[
    (&["isolation", "level", "serializable"], "isolation", "serializable"),
    (&["isolation", "level", "repeatable", "read"], "isolation", "repeatable read"),
    (&["isolation", "level", "read", "committed"], "isolation", "read committed"),
    (&["isolation", "level", "read", "uncommitted"], "isolation", "read uncommitted"),
    (&["read", "only"], "read_only", "on"),
    (&["read", "write"], "read_only", "off"),
    (&["deferrable"], "deferrable", "on"),
    (&["not", "deferrable"], "deferrable", "off"),
];

/// Reads transaction modes at `at`. Fails with the position of the first token that is none.
pub(crate) fn transaction_modes(
    tokens: &[TokenWithSpan],
    mut at: usize,
) -> std::result::Result<Vec<&'static Mode>, usize> {
    let mut modes = Vec::new();
    while at < tokens.len() {
        let comma = usize::from(tokens[at].token == Token::Comma);
        let read = |(words, ..): &Mode| {
            let pairs = words.iter().zip(tokens.iter().skip(at + comma));
            pairs.take_while(|(word, token)| is_word(token, word)).count()
        };
        match MODES.iter().find(|mode| read(mode) == mode.0.len()) {
            Some(mode) => {
                at += comma + mode.0.len();
                modes.push(mode);
            }
            None => return Err(at + comma + MODES.iter().map(read).max().unwrap_or(0)),
        }
    }
    Ok(modes)
}

impl Engine<'_> {
    /// Sets the parameters of transaction modes: of this transaction, or for `default_transaction` of later ones. Only that of
    /// writing changes what happens: no other transaction runs meanwhile.
    pub(crate) fn set_modes(&mut self, of: &str, modes: &[&'static Mode]) -> Result<()> {
        let is_local = of == "transaction";
        modes.iter().try_for_each(|(_, name, value)| {
            self.set_parameter(&format!("{of}_{name}"), Some(value), is_local)
        })
    }
}

pub(super) fn no_savepoint(name: &str) -> SqlError {
    SqlError::new(SqlState::new("3B001"), format!("savepoint \"{name}\" does not exist"))
}
