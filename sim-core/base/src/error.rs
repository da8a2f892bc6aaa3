//! Refusals: a kind for code, a reason for tests, a message for people, facts for `explain`.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use sim_derive::ToSchema;

/// A refusal. The refused call changed nothing, unless [`keeps`](Aside::keeps) is set.
///
/// Code branches on `kind`. `reason` is the stable word of the `x-sim-reason` header. `message` has the API's own
/// wording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The class of refusal; decides the status.
    pub kind: Kind,
    /// A stable machine word: `project_paused`, `rate_limited`, `invalid_body.name`.
    pub reason: Cow<'static, str>,
    /// The text a client sees.
    pub message: String,
    /// What the check found, and since which call.
    pub facts: Vec<Fact>,
    /// Whether the body is only the message, as a JSON string. Some refusals of the service do not have its usual form.
    pub bare: bool,
    /// Extra parts that few refusals have.
    pub aside: Option<Box<Aside>>,
}

/// Extra parts that few refusals have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aside {
    /// Fields and what is wrong with each, for services that report it.
    pub fields: Vec<(String, String)>,
    /// Headers to send with the answer.
    pub headers: Vec<(&'static str, String)>,
    /// The permissions that the caller's token lacks.
    pub lacks: Vec<String>,
    /// Whether to keep what the call did before it was refused, as for a batch of which a part was refused.
    pub keeps: bool,
    /// The body of the answer, where the service has another form for this refusal.
    pub body: Option<serde_json::Value>,
}

/// The classes of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Kind {
    /// Malformed, out of bounds, or in conflict with the resource's state.
    Invalid,
    /// No token, or one that is unknown, expired or revoked.
    Unauthorized,
    /// The organization's plan does not include it.
    PaymentRequired,
    /// The caller may not do this here.
    Forbidden,
    /// The thing does not exist.
    NotFound,
    /// The path exists, but not with this method. The value is the `Allow` header.
    MethodNotAllowed(&'static str),
    /// The requested representation does not exist.
    NotAcceptable,
    /// Another call was first.
    Conflict,
    /// The body is larger than the limit.
    TooLarge,
    /// The body's content type is not one that the operation reads.
    UnsupportedMediaType,
    /// Well-formed, but against the resource's rules.
    Unprocessable,
    /// Too many calls in the window.
    RateLimited,
    /// A simulated upstream failure, never a bug of the simulator.
    Upstream,
    /// Not started yet, or temporarily unavailable.
    Unavailable,
    /// A refusal with this status, injected by a fault rule.
    Fault(u16),
    /// No answer came, because of a fault rule.
    NoAnswer,
    /// A simulated refusal by the provider of custom hostnames, which the service passes on.
    HostnameProvider,
    /// A service of the project does not answer.
    Unreachable,
}

impl Kind {
    /// The HTTP status of this class.
    pub const fn status(self) -> u16 {
        match self {
            Kind::Invalid => 400,
            Kind::Unauthorized => 401,
            Kind::PaymentRequired => 402,
            Kind::Forbidden => 403,
            Kind::NotFound => 404,
            Kind::MethodNotAllowed(_) => 405,
            Kind::NotAcceptable => 406,
            Kind::Conflict => 409,
            Kind::TooLarge => 413,
            Kind::UnsupportedMediaType => 415,
            Kind::Unprocessable => 422,
            Kind::RateLimited => 429,
            Kind::Upstream => 500,
            Kind::Fault(status) => status,
            Kind::NoAnswer => 502,
            Kind::Unavailable => 503,
            Kind::HostnameProvider | Kind::Unreachable => 544,
        }
    }
}

/// A value that the refusing check looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Fact {
    /// Its name: `project.status`.
    pub name: String,
    /// Its value: `INACTIVE`.
    pub value: String,
    /// The number of the call that set that value.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since_call: Option<u64>,
}

impl Error {
    /// A refusal of class `kind` with a stable `reason` and the API's `message`.
    pub fn new(kind: Kind, reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Error {
        Error {
            kind,
            reason: reason.into(),
            message: message.into(),
            facts: Vec::new(),
            bare: false,
            aside: None,
        }
    }

    /// 400: the request, or the state that it finds, does not fit.
    pub fn invalid(reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Error {
        Error::new(Kind::Invalid, reason, message)
    }

    /// 401 with the same message for every bad token, so that guessing reveals nothing.
    pub fn unauthorized(reason: &'static str) -> Error {
        Error::new(Kind::Unauthorized, reason, "Unauthorized")
    }

    /// The reasons of all refusals of the service, without the field that some have at their end.
    pub fn reasons() -> impl Iterator<Item = &'static str> {
        include_str!("reasons.txt").lines()
    }

    /// 403: known caller, but not allowed.
    pub fn forbidden(reason: &'static str, message: impl Into<String>) -> Error {
        Error::new(Kind::Forbidden, reason, message)
    }

    /// 413: the body is larger than `max_bytes`.
    pub fn too_large(max_bytes: usize) -> Error {
        let text = format!("request entity too large, the limit is {max_bytes} bytes");
        Error::new(Kind::TooLarge, "body_too_large", text)
    }

    /// 404: there is no such `what`, for example `project`. `name` is what was asked for.
    pub fn not_found(what: &'static str, name: &str) -> Error {
        let mut title = what.replace('_', " ");
        title[..1].make_ascii_uppercase();
        Error::new(Kind::NotFound, format!("{what}_not_found"), format!("{title} not found"))
            .because(what, name, None)
    }

    /// Adds a fact: `name` had the value `value`, set by call `since`.
    #[must_use]
    pub fn because(mut self, name: &str, value: impl fmt::Display, since: Option<u64>) -> Error {
        self.facts.push(Fact { name: name.to_owned(), value: value.to_string(), since_call: since });
        self
    }

    /// Sends only the message, as a JSON string.
    #[must_use]
    pub fn bare(self) -> Error {
        Error { bare: true, ..self }
    }

    /// Says what is wrong with `field`.
    #[must_use]
    pub fn field(mut self, field: impl Into<String>, problem: impl Into<String>) -> Error {
        self.aside.get_or_insert_default().fields.push((field.into(), problem.into()));
        self
    }

    /// Sends a header along.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: impl fmt::Display) -> Error {
        self.aside.get_or_insert_default().headers.push((name, value.to_string()));
        self
    }

    /// Says which permissions the caller's token lacks.
    #[must_use]
    pub fn lacking(mut self, permissions: Vec<String>) -> Error {
        self.aside.get_or_insert_default().lacks = permissions;
        self
    }

    /// The permissions that the caller's token lacks.
    pub fn lacks(&self) -> &[String] {
        self.aside.as_ref().map_or(&[], |aside| &aside.lacks)
    }

    /// Keeps what the call did so far.
    #[must_use]
    pub fn keeping(mut self) -> Error {
        self.aside.get_or_insert_default().keeps = true;
        self
    }

    /// Sends this body in place of the service's usual one.
    #[must_use]
    pub fn body(mut self, body: serde_json::Value) -> Error {
        self.aside.get_or_insert_default().body = Some(body);
        self
    }

    /// Fields and what is wrong with each.
    pub fn fields(&self) -> &[(String, String)] {
        self.aside.as_ref().map_or(&[], |aside| &aside.fields)
    }

    /// Says that there are more problems than the first `listed`, and that nobody looked for them.
    #[must_use]
    pub fn and_more(mut self, listed: usize) -> Error {
        self.message.push_str(", and more");
        self.because(
            "problems",
            format_args!("more than {listed}, of which the first {listed} are listed"),
            None,
        )
    }

    /// Cuts long texts and lists, so that the answer is not as long as a request makes it.
    #[must_use]
    pub fn bounded(mut self) -> Error {
        cut(&mut self.message, MESSAGE_BYTES);
        if self.reason.len() > REASON_BYTES {
            cut(self.reason.to_mut(), REASON_BYTES);
        }
        self.facts.truncate(LISTED_MAX);
        self.facts.iter_mut().for_each(|fact| cut(&mut fact.value, FACT_BYTES));
        if let Some(aside) = &mut self.aside {
            let more = aside.fields.len().saturating_sub(LISTED_MAX);
            if let Some((field, _)) = aside.fields.get(LISTED_MAX).cloned() {
                aside.fields.truncate(LISTED_MAX);
                aside.fields.push((field, format!("and {more} more, which are not listed")));
            }
            for (field, problem) in &mut aside.fields {
                cut(field, FACT_BYTES);
                cut(problem, FACT_BYTES);
            }
        }
        self
    }

    /// The HTTP status.
    pub const fn status(&self) -> u16 {
        self.kind.status()
    }
}

/// Bytes of a message, of a reason, and of a fact or field.
const MESSAGE_BYTES: usize = 64 << 10;
const REASON_BYTES: usize = 512;
const FACT_BYTES: usize = 2 << 10;

/// How many facts or fields are listed.
const LISTED_MAX: usize = 100;

/// Replaces the end of a long text by its length.
fn cut(text: &mut String, most: usize) {
    if text.len() > most {
        let end = text.floor_char_boundary(most);
        let left_out = text.len() - end;
        text.truncate(end);
        text.push_str(&format!("… ({left_out} bytes more)"));
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.status(), self.reason, self.message)
    }
}

impl std::error::Error for Error {}
