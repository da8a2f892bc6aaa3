//! `BEGIN`, `COMMIT`, `ROLLBACK` and savepoints.

use sqlparser::tokenizer::{Token, TokenWithSpan};

use super::{Done, Engine};
use crate::bind::Settings;
use crate::describe;
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
        self.has_seen &= self.in_block;
        self.in_block = true;
        self.set_modes("transaction", &modes)?;
        let read_only = modes.iter().rfind(|mode| mode.1 == "read_only");
        self.read_only_block = read_only.is_some_and(|mode| mode.2 == "on");
        Ok(Done::command("BEGIN"))
    }

    /// Ends what lasts as long as a transaction: settings and locks.
    pub(crate) fn end_transaction(&mut self, committed: bool) -> Result<()> {
        let mut end = self.connection.prepare_cached("SELECT pg_end_transaction(?1)")?;
        end.query_row([committed], |_| Ok(()))?;
        self.has_seen = false;
        self.end_settings(committed)
    }

    pub(crate) fn unexpected_at(&self, tokens: &[TokenWithSpan], at: usize) -> SqlError {
        tokens.get(at).map_or_else(
            || self.source.syntax_error_at_end(tokens),
            |token| self.source.syntax_error_at(token),
        )
    }

    /// Refuses everything after `COMMIT` or `ROLLBACK` except `TO` a savepoint and `AND CHAIN`. Returns whether that is there.
    pub(super) fn check_end(&self, tokens: &[TokenWithSpan]) -> Result<bool> {
        let read = expected(tokens, 1, &["work"]).max(expected(tokens, 1, &["transaction"])).max(1);
        let read = expected(tokens, read, &["and", "no", "chain"]).max(read);
        let chained = expected(tokens, read, &["and", "chain"]);
        let read = chained.max(read);
        if read < tokens.len() { Err(self.unexpected_at(tokens, read)) } else { Ok(chained > 0) }
    }

    /// Begins the next block of `AND CHAIN`. The connection of a client does that by itself, as it ends the block.
    fn chain(&mut self, command: &str) -> Result<()> {
        if !self.in_block {
            let message = format!("{command} AND CHAIN can only be used in transaction blocks");
            return Err(SqlError::new(SqlState::NO_ACTIVE_TRANSACTION, message));
        }
        self.chained = Some(modes_of(&self.settings));
        Ok(())
    }

    fn begin_chained(&mut self) -> Result<()> {
        let Some(modes) = self.chained.take().filter(|_| self.placeholders.is_none()) else { return Ok(()) };
        self.in_block = true;
        self.set_modes("transaction", &modes)?;
        self.read_only_block = modes.iter().any(|mode| (mode.1, mode.2) == ("read_only", "on"));
        Ok(())
    }

    pub(super) fn commit(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        if tokens.get(1).is_some_and(|token| is_word(token, "prepared")) {
            return Err(SqlError::unsupported("COMMIT PREPARED"));
        }
        if self.check_end(tokens)? {
            self.chain("COMMIT")?;
        }
        self.check_deferred()?;
        self.commit_temporary()?;
        self.known.cursors.borrow_mut().commit();
        self.in_block = false;
        self.read_only_block = false;
        self.end_transaction(true)?;
        self.connection.execute_batch("RELEASE pg_call; SAVEPOINT pg_call")?;
        self.begin_chained()?;
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
            self.check_new_partitions()?;
            self.check_deferred()?;
            self.commit_temporary()?;
            self.known.cursors.borrow_mut().commit();
            self.end_transaction(true)?;
            return Ok(self.connection.execute_batch("RELEASE pg_call; SAVEPOINT pg_call")?);
        }
        self.connection.execute_batch("ROLLBACK TO pg_call")?;
        self.known.cursors.borrow_mut().roll_back();
        self.store_sequences_again()?;
        self.end_transaction(false)?;
        self.reload()?;
        Ok(())
    }

    pub(super) fn rollback(&mut self, tokens: &[TokenWithSpan]) -> Result<Done> {
        let named = tokens.iter().rev().find_map(|token| match &token.token {
            Token::Word(word) => Some(word.value.to_lowercase()),
            _ => None,
        });
        let to = tokens.iter().any(|token| is_word(token, "to"));
        if !to && self.check_end(tokens)? {
            self.chain("ROLLBACK")?;
        }
        match named.filter(|_| to) {
            Some(name) => {
                self.connection
                    .execute_batch(&format!("ROLLBACK TO \"sp_{}\"", name.replace('"', "")))
                    .map_err(|_| no_savepoint(&name))?;
                self.store_sequences_again()?;
                self.settings_of_savepoint(&name)?;
                self.known.cursors.borrow_mut().return_to_savepoint(&name);
            }
            None => self.undo_transaction()?,
        }
        self.reload()?;
        self.begin_chained()?;
        Ok(Done::command("ROLLBACK"))
    }

    fn undo_transaction(&mut self) -> Result<()> {
        self.in_block = false;
        self.read_only_block = false;
        self.connection.execute_batch("ROLLBACK TO pg_call")?;
        self.known.cursors.borrow_mut().roll_back();
        self.store_sequences_again()?;
        self.end_transaction(false)
    }

    /// Ends a transaction that the text has begun and not ended, as the end of its session does: nothing of it stays.
    pub(super) fn abandon_block(&mut self) -> Result<()> {
        self.undo_transaction()?;
        self.outcome.does_nothing("BEGIN without COMMIT".to_owned());
        self.reload()
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
pub(crate) type Mode = (&'static [&'static str], &'static str, &'static str);

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
    /// Refuses a change of what the transaction is like after it has seen data.
    pub(crate) fn require_unbegun(&self, name: &str, value: Option<&str>) -> Result<()> {
        if !self.has_seen || describe::setting(&self.settings, name).as_deref() == value {
            return Ok(());
        }
        let message = match (name, value) {
            ("transaction_isolation", _) => "SET TRANSACTION ISOLATION LEVEL must be called before any query",
            ("transaction_read_only", Some("off")) => {
                "transaction read-write mode must be set before any query"
            }
            ("transaction_deferrable", _) => {
                "SET TRANSACTION [NOT] DEFERRABLE must be called before any query"
            }
            _ => return Ok(()),
        };
        Err(SqlError::new(SqlState::new("25001"), message))
    }

    /// Sets the parameters of transaction modes: of this transaction, or for `default_transaction` of later ones. Only that of
    /// writing changes what happens: no other transaction runs meanwhile.
    pub(crate) fn set_modes(&mut self, of: &str, modes: &[&'static Mode]) -> Result<()> {
        let is_local = of == "transaction";
        modes.iter().try_for_each(|(_, name, value)| {
            self.set_parameter(&format!("{of}_{name}"), Some(value), is_local)
        })
    }
}

/// The modes of the present transaction.
pub(crate) fn modes_of(settings: &Settings) -> Vec<&'static Mode> {
    let value = |name: &str| describe::setting(settings, &format!("transaction_{name}"));
    MODES.iter().filter(|(_, name, known)| value(name).as_deref() == Some(*known)).collect()
}

/// Modes as they are written.
pub(crate) fn written_modes(modes: &[&'static Mode]) -> String {
    modes.iter().map(|(words, ..)| format!(" {}", words.join(" ").to_uppercase())).collect()
}

pub(super) fn no_savepoint(name: &str) -> SqlError {
    SqlError::new(SqlState::new("3B001"), format!("savepoint \"{name}\" does not exist"))
}
