//! The outcome of a call, and its conversion to an HTTP response.

use bytes::Bytes;
use http::header::{ALLOW, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use percent_encoding::{CONTROLS, utf8_percent_encode};
use sim_base::error::{Error, Kind};
use sim_base::manner::Manner;
use sim_base::operation::{Payload, to_bytes};
use sim_base::policy::Answers;
use sim_base::rate::{NamedStanding, Standing};

use crate::engine::fault::{Effect, Strike, alter, no_answer};
use crate::engine::service::contract::Registered;
use crate::engine::service::setup::Setup;
use crate::engine::service::vary;

const REASON: HeaderName = HeaderName::from_static("x-sim-reason");
const IGNORED: HeaderName = HeaderName::from_static("x-sim-ignored");
const FAULT: HeaderName = HeaderName::from_static("x-sim-fault");
pub(crate) const CALL: HeaderName = HeaderName::from_static("x-sim-call");
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

const POLICIES: HeaderName = HeaderName::from_static("ratelimit-policy");
const WINDOWS: HeaderName = HeaderName::from_static("ratelimit");

/// The longest reason that a header carries. A reason may contain a field name that the client made up.
const REASON_MAX: usize = 256;

/// How many headers most answers have, including those that the shim adds. Space for all of them is reserved at
/// once.
const HEADERS: usize = 8;

/// The outcome of a call, before its conversion to HTTP.
#[derive(Debug)]
pub(crate) struct Answer {
    pub call: u64,
    pub standing: Option<Standing>,
    /// Each window that it counts in, if the policy has classes of calls.
    pub windows: Vec<NamedStanding>,
    pub outcome: Result<Success, Error>,
    /// The fault rule that struck it.
    pub strike: Option<Strike>,
    /// The status before a rule changed the answer. `None` if a rule reset the connection before the call ran.
    pub made: Option<u16>,
    /// Whether the answer, except for `standing`, depends only on the request, the world's rows, the time and
    /// the setup.
    pub is_plain: bool,
    /// What the call sent that has no effect, separated by commas.
    pub ignored: String,
    /// The header that names the caller, if the world has one.
    pub user: Option<(HeaderName, HeaderValue)>,
}

/// A success: status and payload.
#[derive(Debug)]
pub(crate) struct Success {
    pub status: u16,
    pub payload: Payload,
}

impl Answer {
    /// The body as sent.
    pub(crate) fn body(&self, manner: &Manner) -> Bytes {
        match &self.outcome {
            Ok(success) => success.payload.body.clone(),
            Err(error) => to_bytes(&(manner.error_body)(error)).into(),
        }
    }

    pub(crate) fn status(&self) -> u16 {
        self.outcome.as_ref().map_or_else(Error::status, |success| success.status)
    }

    /// Applies the fault rule that struck, if any, to the answer. Called once, after the journal record is made.
    pub(crate) fn apply_fault(&mut self) {
        let is_lost = self.outcome.as_ref().is_err_and(|error| error.kind == Kind::NoAnswer);
        self.made = (!is_lost).then(|| self.status());
        if let Some(strike) = self.strike.take() {
            self.spoil(&strike);
            self.strike = Some(strike);
        }
    }

    /// Turns the body of a success into the variant that a rule or the policy asks for. Called after
    /// [`apply_fault`](Answer::apply_fault).
    pub(crate) fn vary(&mut self, operation: &Registered, setup: &Setup) {
        let effect = self.strike.as_ref().map(|strike| &strike.effect);
        let how = match effect {
            Some(Effect::Lean) => Answers::Lean,
            Some(Effect::Rich) => Answers::Rich,
            Some(Effect::Varied) => Answers::Varied,
            Some(Effect::Empty | Effect::Torn | Effect::Garbage) => return,
            _ => setup.policy.answers,
        };
        let is_reversed = effect == Some(&Effect::Reorder);
        let Ok(Success { payload, .. }) = &mut self.outcome else { return };
        if (how == Answers::Plain && !is_reversed) || !payload.is_json() {
            return;
        }
        let Ok(mut value) = serde_json::from_slice(&payload.body) else { return };
        if how != Answers::Plain {
            let seed = setup.seed ^ self.call.rotate_left(32);
            vary::vary(&operation.shape(&setup.names), how, seed, &mut value);
        }
        if is_reversed {
            vary::reorder(&mut value);
        }
        payload.body = to_bytes(&value).into();
    }

    /// Turns the service's answer into the one that a client sees after `strike`. The journal keeps the service's
    /// answer.
    fn spoil(&mut self, strike: &Strike) {
        if strike.effect == Effect::LostAnswer {
            self.outcome = Err(no_answer().because("fault", strike, None));
        }
        let Ok(success) = &mut self.outcome else { return };
        let body = &mut success.payload.body;
        match strike.effect {
            Effect::Empty => {
                body.clear();
                success.payload.content_type = None;
            }
            Effect::Torn => body.truncate(body.len() / 2),
            Effect::Garbage => {
                *body = Bytes::from_static(b"<html><body><h1>502 Bad Gateway</h1></body>");
            }
            _ => {}
        }
    }

    /// Converts it to an HTTP response. The body is kept even for HEAD: the shim removes it and sets its length.
    pub(crate) fn into_response(self, manner: &Manner) -> Response<Bytes> {
        let mut response = match self.outcome {
            Ok(Success { status, payload }) => respond(status, payload),
            Err(error) => refuse(manner, &error),
        };
        if let Some(strike) = &self.strike {
            alter::alter(&strike.effect, &mut response);
        }
        let headers = response.headers_mut();
        headers.insert(CALL, self.call.into());
        if !self.ignored.is_empty() {
            headers.insert(IGNORED, header_of(&self.ignored, self.ignored.len()));
        }
        if let Some((name, id)) = self.user {
            headers.insert(name, id);
        }
        let mishap = self.strike.map(|strike| {
            headers.insert(FAULT, strike.id.into());
            strike.mishap()
        });
        if let Some(standing) = self.standing {
            tell(standing, headers);
            if response.status() == StatusCode::TOO_MANY_REQUESTS {
                response.headers_mut().insert(RETRY_AFTER, standing.reset_s.into());
            }
        }
        tell_each(&self.windows, response.headers_mut());
        if let Some(mishap) = mishap.flatten() {
            response.extensions_mut().insert(mishap);
        }
        response
    }
}

/// Sets the rate-limit headers to `standing`, and replaces earlier values.
pub(crate) fn tell(standing: Standing, headers: &mut HeaderMap) {
    headers.insert(LIMIT, standing.limit.into());
    headers.insert(REMAINING, standing.remaining.into());
    headers.insert(RESET, standing.reset_s.into());
}

/// Adds a header for each window and for its limit.
fn tell_each(windows: &[NamedStanding], headers: &mut HeaderMap) {
    for NamedStanding { name, standing: Standing { limit, remaining, reset_s }, window_ms } in windows {
        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
        let window_s = window_ms.div_ceil(1000);
        let policy = format!("\"{name}\";q={limit};w={window_s}");
        let window = format!("\"{name}\";r={remaining};t={reset_s}");
        headers.append(POLICIES, header_of(&policy, policy.len() * 3));
        headers.append(WINDOWS, header_of(&window, window.len() * 3));
    }
}

/// The response to a refused request: the service's body, the reason header, and `Allow` with 405.
pub fn refuse(manner: &Manner, error: &Error) -> Response<Bytes> {
    let mut payload = Payload::bytes(Payload::JSON, to_bytes(&(manner.error_body)(error)));
    payload.headers = error.aside.as_ref().map(|aside| aside.headers.clone()).unwrap_or_default();
    let mut response = respond(error.status(), payload);
    response.headers_mut().insert(REASON, header_of(&error.reason, REASON_MAX));
    if let Kind::MethodNotAllowed(allow) = error.kind {
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(allow));
    }
    response
}

/// Encodes a text as a header value of at most `max` bytes. A field name in it may contain any characters.
fn header_of(text: &str, max: usize) -> HeaderValue {
    let mut text = utf8_percent_encode(text, CONTROLS).to_string();
    text.truncate(max);
    HeaderValue::from_str(&text).expect("what is encoded can stand in a header")
}

fn respond(status: u16, payload: Payload) -> Response<Bytes> {
    let mut response = Response::new(payload.body);
    response.headers_mut().reserve(HEADERS);
    *response.status_mut() = StatusCode::from_u16(status).expect("statuses are three digits");
    if let Some(content_type) = payload.content_type {
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    if let Some(location) = payload.location.and_then(|location| HeaderValue::try_from(location).ok()) {
        response.headers_mut().insert(LOCATION, location);
    }
    for (name, value) in payload.headers {
        if let Ok(value) = HeaderValue::try_from(value) {
            response.headers_mut().insert(HeaderName::from_static(name), value);
        }
    }
    response
}
