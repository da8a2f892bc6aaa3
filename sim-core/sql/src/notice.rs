//! Messages to the client that are no errors: of `RAISE`, and of statements that skip something.

use serde::{Deserialize, Serialize};

use crate::describe;
use crate::error::{Result, SqlError, SqlState};
use crate::run::{Done, Engine};

/// A message that is no error.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// `NOTICE`, `WARNING`, `INFO`, `LOG` or `DEBUG`.
    pub severity: String,
    /// Its SQLSTATE.
    pub code: String,
    /// Its text.
    pub message: String,
    /// Further details.
    pub detail: Option<String>,
    /// A suggestion.
    pub hint: Option<String>,
}

/// The severities, each with the values of `client_min_messages` that let it through.
const SEVERITIES: &[(&str, &[&str])] = &[
    ("DEBUG", &["debug1", "debug2", "debug3", "debug4", "debug5", "debug"]),
    ("LOG", &["log"]),
    ("NOTICE", &["notice"]),
    ("WARNING", &["warning"]),
];

/// What `IF NOT EXISTS` skips.
const TAKEN: &[SqlState] = &[
    SqlState::DUPLICATE_TABLE,
    SqlState::DUPLICATE_COLUMN,
    SqlState::DUPLICATE_SCHEMA,
    SqlState::DUPLICATE_OBJECT,
];

/// What `IF EXISTS` skips.
const MISSING: &[SqlState] = &[
    SqlState::UNDEFINED_TABLE,
    SqlState::UNDEFINED_COLUMN,
    SqlState::UNDEFINED_OBJECT,
    SqlState::UNDEFINED_FUNCTION,
    SqlState::INVALID_SCHEMA,
];

/// Whether an error says that something does not exist.
pub(crate) fn is_missing(code: SqlState) -> bool {
    MISSING.contains(&code)
}

impl Engine<'_> {
    /// Reports `content` to the client, if `client_min_messages` lets it through.
    pub(crate) fn report(&self, severity: &str, content: &SqlError) -> Result<()> {
        let least = describe::setting(&self.settings, "client_min_messages").unwrap_or_default();
        let rank = |found: Option<usize>| found.unwrap_or(SEVERITIES.len());
        let least = rank(SEVERITIES.iter().position(|(_, values)| values.contains(&least.as_str())));
        let own = rank(SEVERITIES.iter().position(|(known, _)| *known == severity));
        if own < least {
            return Ok(());
        }
        let (message, detail, hint) = (content.message.clone(), content.detail.clone(), content.hint.clone());
        self.budget.work(message.len())?;
        let (severity, code) = (severity.to_owned(), content.code.as_str().to_owned());
        self.known.notices.borrow_mut().push(Notice { severity, code, message, detail, hint });
        Ok(())
    }

    /// Notes what a statement leaves alone because it is not what the statement is about.
    pub(crate) fn leave_alone(&self, may: bool, error: SqlError) -> Result<()> {
        match may {
            true => self.skip(may, SqlError::new(SqlState::UNDEFINED_OBJECT, error.message.clone())),
            false => Err(error),
        }
    }

    /// An error that a statement `may` skip, as after `IF EXISTS`, is a notice.
    pub(crate) fn skip(&self, may: bool, error: SqlError) -> Result<()> {
        let code = match error.code {
            code if may && TAKEN.contains(&code) => code,
            code if may && is_missing(code) => SqlState::SUCCESSFUL_COMPLETION,
            _ => return Err(error),
        };
        self.report("NOTICE", &SqlError::new(code, format!("{}, skipping", error.message)))
    }

    /// Like [`Engine::skip`], for a statement that has nothing else to do.
    pub(crate) fn skip_all(&self, may: bool, error: SqlError, tag: &str) -> Result<Done> {
        self.skip(may, error).map(|()| Done::command(tag))
    }
}
