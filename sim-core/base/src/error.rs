//! What a refused call says: a kind for code, a reason for tests, a message for people, facts for `explain`.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A refusal. The call it answers changed nothing.
///
/// `kind` is what code branches on, `reason` is the stable word of the `x-sim-reason` header, `message` has the
/// API's own wording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The class of refusal; decides the status.
    pub kind: Kind,
    /// A stable machine word: `project_paused`, `rate_limited`, `invalid_body.name`.
    pub reason: Cow<'static, str>,
    /// The text a client sees.
    pub message: String,
    /// What was found to be so, and since which call.
    pub facts: Vec<Fact>,
    /// Whether the body is the message alone, a JSON string: so it is where the service forgets its own form.
    pub bare: bool,
    /// What few refusals have besides.
    pub aside: Option<Box<Aside>>,
}

/// What few refusals have besides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Aside {
    /// What is wrong with which field, for services that say so.
    pub fields: Vec<(String, String)>,
    /// Headers that go out with the answer.
    pub headers: Vec<(&'static str, String)>,
    /// Whether what the call did before it was refused stays: so it is with a batch of which a part was refused.
    pub keeps: bool,
}

/// The classes of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Malformed, out of bounds, or at odds with the resource's state.
    Invalid,
    /// No token, or one that is unknown, expired or revoked.
    Unauthorized,
    /// The organization's plan does not include it.
    PaymentRequired,
    /// The caller may not do this here.
    Forbidden,
    /// No such thing.
    NotFound,
    /// The path exists, the method on it does not. The value is the `Allow` header.
    MethodNotAllowed(&'static str),
    /// What was asked for can't be had in any form.
    NotAcceptable,
    /// Another call got there first.
    Conflict,
    /// The body is larger than the limit.
    TooLarge,
    /// The body's content type is not one that the operation reads.
    UnsupportedMediaType,
    /// Well-formed, but against the rules of the resource.
    Unprocessable,
    /// Too many calls in the window.
    RateLimited,
    /// A modelled upstream failure; never a defect of the simulator.
    Upstream,
    /// Not up yet, or not for now.
    Unavailable,
    /// What a fault rule says, with that status.
    Fault(u16),
    /// None came, by a fault rule.
    NoAnswer,
    /// A modelled refusal by the provider of custom hostnames, which the service passes on.
    HostnameProvider,
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
            Kind::HostnameProvider => 544,
        }
    }
}

/// One thing the refusing check looked at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Fact {
    /// What was looked at: `project.status`.
    pub name: String,
    /// What it was: `INACTIVE`.
    pub value: String,
    /// The call that made it so, where one did.
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

    /// 400: the request, or the state it meets, does not fit.
    pub fn invalid(reason: impl Into<Cow<'static, str>>, message: impl Into<String>) -> Error {
        Error::new(Kind::Invalid, reason, message)
    }

    /// 401 with the service's one word for every bad token, so that nothing is learnt by guessing.
    pub fn unauthorized(reason: &'static str) -> Error {
        Error::new(Kind::Unauthorized, reason, "Unauthorized")
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

    /// 404: there is no such `what`, as in `project`; `name` is what was asked for.
    pub fn not_found(what: &'static str, name: &str) -> Error {
        let mut title = what.replace('_', " ");
        title[..1].make_ascii_uppercase();
        Error::new(Kind::NotFound, format!("{what}_not_found"), format!("{title} not found"))
            .because(what, name, None)
    }

    /// Adds what the check looked at: `name` was `value`, made so by call `since`.
    #[must_use]
    pub fn because(mut self, name: &str, value: impl fmt::Display, since: Option<u64>) -> Error {
        self.facts.push(Fact { name: name.to_owned(), value: value.to_string(), since_call: since });
        self
    }

    /// Sends the message alone, as a JSON string.
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

    /// Lets what the call did so far stay.
    #[must_use]
    pub fn keeping(mut self) -> Error {
        self.aside.get_or_insert_default().keeps = true;
        self
    }

    /// What is wrong with which field.
    pub fn fields(&self) -> &[(String, String)] {
        self.aside.as_ref().map_or(&[], |aside| &aside.fields)
    }

    /// The HTTP status.
    pub const fn status(&self) -> u16 {
        self.kind.status()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}", self.status(), self.reason, self.message)
    }
}

impl std::error::Error for Error {}
