//! Calls that fail.

use std::fmt;

use serde_json::Value;

use crate::Reply;

/// The result of a call.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// A call that was refused, or that got no readable answer. Code checks `reason`, people read `message`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The status of the refusal; `None` when no answer arrived, or none that can be read.
    pub status: Option<u16>,
    /// The stable code in the header `x-sim-reason`, such as `project_removed`. Without a refusal it is `no_answer` or
    /// `unreadable_answer`.
    pub reason: String,
    /// The message of the refusal, or the error.
    pub message: String,
    /// The number of the call, for [`World::explain`](crate::World::explain); `None` for calls that are not in a journal.
    pub call: Option<u64>,
}

impl Error {
    /// No answer arrived, or the request could not be sent.
    pub fn no_answer(why: impl fmt::Display) -> Error {
        Error { status: None, reason: "no_answer".to_owned(), message: why.to_string(), call: None }
    }

    /// An answer arrived, but it can't be read.
    pub fn unreadable(why: impl fmt::Display) -> Error {
        Error { reason: "unreadable_answer".to_owned(), ..Error::no_answer(why) }
    }

    pub(crate) fn refused(reply: &Reply) -> Error {
        Error {
            status: Some(reply.status),
            reason: reply.reason().unwrap_or("unknown").to_owned(),
            message: message(&reply.body),
            call: reply.call(),
        }
    }
}

/// The text in the body of a refusal, in any of the forms that the services use.
fn message(body: &[u8]) -> String {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    let found = ["message", "error"].into_iter().find_map(|name| json[name].as_str());
    found.map_or_else(|| String::from_utf8_lossy(body).into_owned(), str::to_owned)
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(status) = self.status {
            write!(f, "{status} ")?;
        }
        write!(f, "{}: {}", self.reason, self.message)
    }
}

impl std::error::Error for Error {}
