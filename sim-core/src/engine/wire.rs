//! HTTP shapes and the one input object: path, query and body become one, an answer becomes a response.

use std::borrow::Cow;

use bytes::Bytes;
use http::header::{ALLOW, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderName, HeaderValue, Request, Response, StatusCode};
use serde_json::{Map, Value, json};

use super::error::{Error, Kind};
use super::names::{Names, Way};
use super::operation::Body;
use super::rate::Standing;
use super::registry::{Matched, Registered};
use super::schema;

const JSON: HeaderValue = HeaderValue::from_static("application/json; charset=utf-8");
const REASON: HeaderName = HeaderName::from_static("x-sim-reason");
const CALL: HeaderName = HeaderName::from_static("x-sim-call");
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// What a call came to, before it is put into HTTP.
#[derive(Debug)]
pub(crate) struct Answer {
    pub call: u64,
    pub standing: Option<Standing>,
    pub outcome: Result<Success, Error>,
}

/// A success: status and JSON body.
#[derive(Debug)]
pub(crate) struct Success {
    pub status: u16,
    pub body: Vec<u8>,
}

/// Reads path, query and body of `request` into one object and checks it against the operation's schema.
pub(crate) fn read(
    matched: &Matched<'_>,
    request: &Request<Bytes>,
    names: &Names,
    max_body_bytes: usize,
) -> Result<Value, Error> {
    let operation = matched.operation;
    let mut input = read_body(operation, request, max_body_bytes)?;
    if !names.is_empty() {
        input = operation.input.respell(input, names, Way::In);
    }
    let Value::Object(fields) = &mut input else { return Err(not_an_object(&input)) };
    for name in operation.entry.meta.path_names().chain(operation.entry.meta.query.iter().copied()) {
        fields.shift_remove(name);
    }
    for (name, text) in &matched.path {
        fields.insert(name.clone(), Value::from(text.as_str()));
    }
    read_query(operation, request.uri().query().unwrap_or_default(), fields);
    check(operation, &input)?;
    Ok(input)
}

/// Refuses an input that its schema does not accept.
pub(crate) fn check(operation: &Registered, input: &Value) -> Result<(), Error> {
    let problems = operation.input.validate(input);
    if problems.is_empty() {
        return Ok(());
    }
    let meta = &operation.entry.meta;
    Err(schema::refusal(&problems, |field| {
        if meta.path_names().any(|name| name == field) {
            "path"
        } else if meta.query.contains(&field) {
            "query"
        } else {
            "body"
        }
    }))
}

fn read_query(operation: &Registered, query: &str, fields: &mut Map<String, Value>) {
    for name in operation.entry.meta.query {
        let values: Vec<Cow<'_, str>> = form_urlencoded::parse(query.as_bytes())
            .filter(|(key, _)| key.strip_suffix("[]").unwrap_or(key) == *name)
            .map(|(_, value)| value)
            .collect();
        if let (false, Some(node)) = (values.is_empty(), operation.input.field(name)) {
            fields.insert((*name).to_owned(), node.read_text(&values));
        }
    }
}

fn read_body(operation: &Registered, request: &Request<Bytes>, max_bytes: usize) -> Result<Value, Error> {
    let body = request.body();
    if body.len() > max_bytes {
        return Err(too_large(max_bytes));
    }
    match operation.entry.meta.body {
        Body::None => Ok(json!({})),
        Body::Fields if body.is_empty() => Ok(json!({})),
        Body::Fields => read_json(request),
        Body::Field(name) if body.is_empty() => Err(Error::invalid(
            format!("invalid_body.{name}"),
            format!("{name}: Required, as the JSON body itself"),
        )),
        Body::Field(name) => Ok(json!({ name: read_json(request)? })),
    }
}

/// 413, with the limit in the text.
pub fn too_large(max_bytes: usize) -> Error {
    let text = format!("request entity too large, the limit is {max_bytes} bytes");
    Error::new(Kind::TooLarge, "body_too_large", text)
}

fn read_json(request: &Request<Bytes>) -> Result<Value, Error> {
    let content_type =
        request.headers().get(CONTENT_TYPE).map_or(Ok("application/json"), HeaderValue::to_str);
    let essence = content_type.unwrap_or_default().split(';').next().unwrap_or_default().trim();
    // Some clients send JSON as plain text.
    if !["application/json", "text/plain"].iter().any(|known| essence.eq_ignore_ascii_case(known))
        && !essence.ends_with("+json")
    {
        let text = format!("content-type {essence:?} is not supported, send application/json");
        return Err(Error::new(Kind::UnsupportedMediaType, "unsupported_content_type", text));
    }
    serde_json::from_slice(request.body())
        .map_err(|error| Error::invalid("invalid_json", format!("body: Invalid JSON, {error}")))
}

fn not_an_object(received: &Value) -> Error {
    let name = match received {
        Value::Array(_) => "array",
        Value::String(_) => "string",
        Value::Number(_) => "number",
        Value::Bool(_) => "boolean",
        _ => "null",
    };
    Error::invalid("invalid_body", format!("body: Expected object, received {name}"))
}

/// The request line and body that a typed call stands for: what the journal shows of it.
pub(crate) fn write(operation: &Registered, input: &Value) -> (String, Option<Value>) {
    let meta = &operation.entry.meta;
    let mut rest = input.as_object().cloned().unwrap_or_default();
    let mut target = String::with_capacity(meta.path.len() + 20);
    for piece in meta.path.split_inclusive(['{', '}']) {
        match piece.strip_suffix('}') {
            Some(name) => target.push_str(&encode(&text_of(&rest.shift_remove(name).unwrap_or_default()))),
            None => target.push_str(piece.trim_end_matches('{')),
        }
    }
    let mut separator = '?';
    for name in meta.query {
        for value in rest.shift_remove(*name).into_iter().filter(|value| !value.is_null()) {
            let text = match &value {
                Value::Array(list) => list.iter().map(text_of).collect::<Vec<_>>().join(","),
                other => text_of(other),
            };
            target.push(separator);
            target.extend([name, "=", &encode(&text)]);
            separator = '&';
        }
    }
    let body = match meta.body {
        Body::None => None,
        Body::Fields => Some(Value::Object(rest)),
        Body::Field(name) => rest.shift_remove(name),
    };
    (target, body)
}

fn text_of(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn encode(text: &str) -> Cow<'_, str> {
    const KEPT: percent_encoding::AsciiSet =
        percent_encoding::NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b',').remove(b'~');
    percent_encoding::utf8_percent_encode(text, &KEPT).into()
}

impl Answer {
    /// The body as sent: JSON, or nothing for 204.
    pub(crate) fn body(&self) -> Cow<'_, [u8]> {
        match &self.outcome {
            Ok(success) if success.status == 204 => Cow::Borrowed(&[]),
            Ok(success) => Cow::Borrowed(&success.body),
            Err(error) => Cow::Owned(error_body(error)),
        }
    }

    pub(crate) fn status(&self) -> u16 {
        self.outcome.as_ref().map_or_else(Error::status, |success| success.status)
    }

    /// The HTTP response; that to HEAD keeps the length of the body it leaves out to the shim.
    pub(crate) fn into_response(self) -> Response<Bytes> {
        let mut response = match self.outcome {
            Ok(success) => {
                let empty = success.status == 204;
                respond(success.status, if empty { Vec::new() } else { success.body })
            }
            Err(error) => refuse(&error),
        };
        let headers = response.headers_mut();
        headers.insert(CALL, self.call.into());
        if let Some(standing) = self.standing {
            headers.insert(LIMIT, standing.limit.into());
            headers.insert(REMAINING, standing.remaining.into());
            headers.insert(RESET, standing.reset_s.into());
            if response.status() == StatusCode::TOO_MANY_REQUESTS {
                response.headers_mut().insert(RETRY_AFTER, standing.reset_s.into());
            }
        }
        response
    }
}

/// The response to a refused request: the service's body, the reason header, and `Allow` with 405.
pub fn refuse(error: &Error) -> Response<Bytes> {
    let mut response = respond(error.status(), error_body(error));
    let reason = HeaderValue::from_str(&error.reason).unwrap_or(HeaderValue::from_static("invalid"));
    response.headers_mut().insert(REASON, reason);
    if let Kind::MethodNotAllowed(allow) = error.kind {
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(allow));
    }
    response
}

fn error_body(error: &Error) -> Vec<u8> {
    json!({ "message": error.message }).to_string().into_bytes()
}

fn respond(status: u16, body: Vec<u8>) -> Response<Bytes> {
    let mut response = Response::new(Bytes::from(body));
    *response.status_mut() = StatusCode::from_u16(status).expect("statuses are three digits");
    if !response.body().is_empty() {
        response.headers_mut().insert(CONTENT_TYPE, JSON);
    }
    response
}
