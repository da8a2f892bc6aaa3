//! Why a call has no good answer.

use std::fmt;

use bytes::Bytes;
use http::Response;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Why a call has no good answer: code looks at `reason`, people read `message`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The status that it was refused with; nothing where no answer came, or none that can be read.
    pub status: Option<u16>,
    /// The stable word of the header `x-sim-reason`; `no_answer` and `unreadable_answer` where there is none, as in process.
    pub reason: String,
    /// The text that a client sees.
    pub message: String,
    /// The call's number, which [`World::explain`](super::World::explain) takes; nothing for calls that no journal has.
    pub call: Option<u64>,
}

impl Error {
    pub(super) fn no_answer(why: impl fmt::Display) -> Error {
        Error { status: None, reason: "no_answer".to_owned(), message: why.to_string(), call: None }
    }

    pub(super) fn unreadable(why: impl fmt::Display) -> Error {
        Error { reason: "unreadable_answer".to_owned(), ..Error::no_answer(why) }
    }

    /// The refusal that `response` is.
    fn refused(response: &Response<Bytes>) -> Error {
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok());
        Error {
            status: Some(response.status().as_u16()),
            reason: header("x-sim-reason").unwrap_or("unknown").to_owned(),
            message: message(response.body()),
            call: header("x-sim-call").and_then(|number| number.parse().ok()),
        }
    }
}

/// The text in the body of a refusal, wherever the service has it.
fn message(body: &[u8]) -> String {
    let json: Value = serde_json::from_slice(body).unwrap_or_default();
    let found = ["message", "error"].into_iter().find_map(|name| json[name].as_str());
    found.map_or_else(|| String::from_utf8_lossy(body).into_owned(), str::to_owned)
}

/// What an answer says.
pub(super) fn read<T: DeserializeOwned>(response: Response<Bytes>) -> super::Result<T> {
    if response.status().as_u16() >= 400 {
        return Err(Error::refused(&response));
    }
    // A success without content is an empty object.
    let body = if response.body().is_empty() { b"{}" } else { &response.body()[..] };
    serde_json::from_slice(body).map_err(Error::unreadable)
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
