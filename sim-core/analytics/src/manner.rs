//! Conventions of the analytics server: where tokens are sent, what scopes allow, the format of refusals.

use serde_json::{Map, Value, json};
use sim_base::{
    self, Bearer, Body, Cx, Error, Kind, Manner, Meta, Problem, Scope, get, invalid_reason, post,
};

/// The scope that reads and changes sources, endpoints, teams and tokens.
pub(crate) const PRIVATE: Scope = Scope("private");

/// Bearer, `x-api-key` or `api_key`; no rate limit except that of ingestion.
pub(crate) const MANNER: Manner = Manner {
    token_header: Some("x-api-key"),
    token_query: Some("api_key"),
    token_path: None,
    repeats: true,
    rate_limited: false,
    permit,
    invalid,
    error_body,
    error_schema,
    error_name: "Error",
};

/// A read of the management API.
pub(crate) const fn read(id: &'static str, path: &'static str) -> Meta {
    Meta { also: &[401], ..private(get(id, path)) }
}

/// A read of one thing.
pub(crate) const fn read_one(id: &'static str, path: &'static str) -> Meta {
    Meta { also: &[401, 404], ..private(get(id, path)) }
}

/// A POST of the management API with a JSON object. It returns 201.
pub(crate) const fn create(id: &'static str, path: &'static str) -> Meta {
    Meta { also: CHANGED, ..private(post(id, path)) }
}

/// A PUT of the management API with a JSON object. It returns 201, as in the document.
pub(crate) const fn replace(id: &'static str, path: &'static str) -> Meta {
    Meta { status: 201, also: CHANGED, ..private(sim_base::put(id, path)) }
}

/// A PATCH of the management API with a JSON object. It returns 201 like a PUT.
pub(crate) const fn change(id: &'static str, path: &'static str) -> Meta {
    Meta { status: 201, also: CHANGED, ..private(sim_base::patch(id, path)) }
}

/// A DELETE of the management API. It returns 204.
pub(crate) const fn remove(id: &'static str, path: &'static str) -> Meta {
    Meta { status: 204, also: &[401, 404], body: Body::None, ..private(sim_base::delete(id, path)) }
}

const CHANGED: &[u16] = &[400, 401, 404, 413, 415, 422];

const fn private(meta: Meta) -> Meta {
    Meta { scope: Some(PRIVATE), implies: false, ..meta }
}

/// 401 with the service's message for everything that a token may not do.
pub(crate) fn unauthorized(reason: &'static str) -> Error {
    Error::unauthorized(reason)
}

/// 404 with the service's message, which is the same for missing objects and for those of another user.
pub(crate) fn not_found(reason: &'static str, token: &str) -> Error {
    Error::new(Kind::NotFound, reason, "Not Found").because("token", token, None)
}

/// 422: `field` has the problem `problem`.
pub(crate) fn unprocessable(field: &str, problem: &str) -> Error {
    let reason = format!("invalid_body.{field}");
    Error::new(Kind::Unprocessable, reason, format!("{field} {problem}")).field(field, problem)
}

/// 422 unless `value` is more than `above` and less than `below`. The service's messages do not name the
/// bound.
pub(crate) fn require_between(field: &str, value: Option<i64>, above: i64, below: i64) -> Result<(), Error> {
    match value {
        Some(value) if value <= above => Err(unprocessable(field, "must be greater than %{number}")),
        Some(value) if value >= below => Err(unprocessable(field, "must be less than %{number}")),
        _ => Ok(()),
    }
}

/// 422 if a required text is empty.
pub(crate) fn require_text(field: &str, text: &str) -> Result<(), Error> {
    if text.trim().is_empty() { Err(unprocessable(field, BLANK)) } else { Ok(()) }
}

pub(crate) const TAKEN: &str = "has already been taken";
const BLANK: &str = "can't be blank";
const INVALID: &str = "is invalid";

/// A token with scopes may do everything that one of them allows. The scope for a single source or endpoint is checked later,
/// when the source or endpoint is known.
fn permit(cx: &Cx<'_>, bearer: &Bearer, meta: &Meta, _: &Value) -> Result<(), Error> {
    let Some(granted) = bearer.scopes.as_deref() else { return Ok(()) };
    let needed = meta.scope.map_or("", |scope| scope.0);
    if granted.split(' ').any(|scope| covers(scope, needed, cx)) {
        return Ok(());
    }
    Err(unauthorized("scope_missing").because("scopes granted", granted, None).because(
        "scope needed",
        needed,
        None,
    ))
}

fn covers(scope: &str, needed: &str, cx: &Cx<'_>) -> bool {
    match (scope.split(':').next().unwrap_or_default(), needed) {
        ("private", _) | ("ingest", "ingest") | ("query" | "api_key", "query") => true,
        // A token without scopes has the rights of a public one.
        ("public" | "" | "api_key", "ingest") => true,
        ("public" | "", "query") => cx.policy.analytics.public_tokens_query,
        _ => false,
    }
}

fn invalid(problems: &[Problem], part: &'static str) -> Error {
    let reason = invalid_reason(problems, part);
    if part != "body" || problems.iter().any(|problem| problem.field.is_empty()) {
        let texts: Vec<_> = problems.iter().map(|problem| problem.message.as_str()).collect();
        return Error::invalid(reason, texts.join(", "));
    }
    let text = |problem: &Problem| if problem.missing { BLANK } else { INVALID };
    let texts: Vec<_> = problems.iter().map(|one| format!("{} {}", one.field, text(one))).collect();
    let error = Error::new(Kind::Unprocessable, reason, texts.join(", "));
    problems.iter().fold(error, |error, one| error.field(one.field.as_str(), text(one)))
}

fn error_body(error: &Error) -> Value {
    if let Some(body) = error.aside.as_ref().and_then(|aside| aside.body.clone()) {
        return body;
    }
    let fields = error.fields();
    match error.kind {
        Kind::NotAcceptable => json!({ "message": fields.iter().map(|(_, text)| text).collect::<Vec<_>>() }),
        Kind::Unprocessable => {
            let mut by_field = Map::new();
            for (field, text) in fields {
                let texts = by_field.entry(field.as_str()).or_insert_with(|| json!([]));
                texts.as_array_mut().expect("texts are a list").push(text.as_str().into());
            }
            json!({ "errors": by_field })
        }
        Kind::Unavailable => json!({ "status": error.message }),
        _ => json!({ "error": error.message }),
    }
}

fn error_schema() -> Value {
    let text = json!({ "type": "string" });
    let texts = json!({ "type": "array", "items": text });
    let form = |name: &str, schema: &Value| json!({ "type": "object", "properties": { name: schema }, "required": [name] });
    json!({
        "description": "Why a call was refused: one text, or with 422 texts by field, or with 406 a text for each \
            event. The header x-sim-reason has a stable word for it.",
        "oneOf": [
            form("error", &text),
            form("errors", &json!({ "type": "object", "additionalProperties": texts })),
            form("message", &texts),
            form("status", &text),
        ],
    })
}
