//! Differences between services on the wire: how callers authenticate and what refusals look like.

use std::borrow::Cow;

use serde_json::{Value, json};

use super::cx::{Cx, NO_PRIVILEGES};
use super::error::{Error, Kind};
use super::identity::Bearer;
use super::operation::Meta;
use super::schema::MASK;

/// How a service behaves on the wire. The stages of a call are the same for all services.
pub struct Manner {
    /// The header that a token may come in instead of `authorization`.
    pub token_header: Option<&'static str>,
    /// The query parameter that can carry a token. It is neither journalled nor replayed.
    pub token_query: Option<&'static str>,
    /// The text that precedes a token in a path. [`shown`](Manner::shown) masks the token.
    pub token_path: Option<&'static str>,
    /// Whether a query parameter or form field with one value may be sent several times. Then the last value counts, and the
    /// parameter is marked as ignored; otherwise the call is refused.
    pub repeats: bool,
    /// Whether calls count against [`Policy::rate_limit`](super::Policy::rate_limit).
    pub rate_limited: bool,
    /// Refuses a token whose scopes or limits do not cover what the operation needs. The last argument is the input.
    pub permit: fn(&Cx<'_>, &Bearer, &Meta, &Value) -> Result<(), Error>,
    /// Makes the refusal of an input with problems. The second argument is the part of the request that has the first
    /// problem.
    pub invalid: fn(&[Problem], part: &'static str) -> Error,
    /// The body of a refusal.
    pub error_body: fn(&Error) -> Value,
    /// The schema of such bodies.
    pub error_schema: fn() -> Value,
    /// The name of that schema in the document.
    pub error_name: &'static str,
}

/// One thing wrong with an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Dotted path of the field: `features.imageTransformation`.
    pub field: String,
    /// What is wrong, in the wording of [`Manner::MESSAGE`].
    pub message: String,
    /// Whether the problem is that the field is missing.
    pub missing: bool,
}

impl Manner {
    /// Bearer tokens, a rate limit, and refusals of the form `{"message": "…"}`.
    pub const MESSAGE: Manner = Manner {
        token_header: None,
        token_query: None,
        token_path: None,
        repeats: false,
        rate_limited: true,
        permit: |_, bearer, meta, _| require_scope(bearer, meta),
        invalid: joined,
        error_body: message,
        error_schema: message_schema,
        error_name: "Error",
    };
}

impl Manner {
    /// Path and query as shown to people: a token in the path is masked.
    pub fn shown<'a>(&self, target: &'a str) -> Cow<'a, str> {
        let Some(place) = self.token_path.and_then(|before| Some(target.find(before)? + before.len())) else {
            return Cow::Borrowed(target);
        };
        let end = target[place..].find(['/', '?']).map_or(target.len(), |length| place + length);
        Cow::Owned(format!("{}{MASK}{}", &target[..place], &target[end..]))
    }
}

/// Refuses with 403 an app's token whose scopes lack that of the operation.
pub fn require_scope(bearer: &Bearer, meta: &Meta) -> Result<(), Error> {
    let Some(granted) = bearer.scopes.as_deref() else { return Ok(()) };
    let needed = meta.scope.map(|scope| scope.0);
    if needed.is_some_and(|needed| granted.split(' ').any(|scope| scope == needed)) {
        return Ok(());
    }
    Err(Error::forbidden("scope_missing", NO_PRIVILEGES).because("scopes granted", granted, None).because(
        "scope needed",
        needed.unwrap_or("none that an app can have"),
        None,
    ))
}

/// Joins the messages with commas. The first problem gives the reason, such as `invalid_body.name`.
fn joined(problems: &[Problem], part: &'static str) -> Error {
    let message = problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join(", ");
    Error::new(Kind::Invalid, invalid_reason(problems, part), message)
}

/// The reason of an input with problems, taken from the first one.
pub fn invalid_reason(problems: &[Problem], part: &str) -> String {
    match problems.first().map_or("", |problem| problem.field.as_str()) {
        "" => format!("invalid_{part}"),
        first => format!("invalid_{part}.{first}"),
    }
}

fn message(error: &Error) -> Value {
    if error.bare {
        return error.message.as_str().into();
    }
    let mut body = json!({ "message": error.message });
    if !error.lacks().is_empty() {
        body["missing_permissions"] = error.lacks().into();
    }
    body
}

fn message_schema() -> Value {
    json!({
        "type": "object",
        "description": "Why a call was refused. The header x-sim-reason has a stable word for it.",
        "properties": { "message": { "type": "string" }, "missing_permissions": missing_permissions() },
        "required": ["message"],
    })
}

/// The schema of the permissions that a fine-grained token lacked, in the body of a 403.
pub fn missing_permissions() -> Value {
    json!({
        "type": "array",
        "description": "The permissions that a fine-grained token lacks.",
        "items": { "type": "string" },
    })
}
