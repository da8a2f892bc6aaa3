//! Answers: what a call came to, and the HTTP response that it becomes.

use bytes::Bytes;
use http::header::{ALLOW, CONTENT_TYPE, LOCATION, RETRY_AFTER};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use percent_encoding::{CONTROLS, utf8_percent_encode};
use sim_base::error::{Error, Kind};
use sim_base::manner::Manner;
use sim_base::operation::{Payload, to_bytes};
use sim_base::rate::Standing;

use crate::engine::fault::{Effect, Strike, no_answer};

const REASON: HeaderName = HeaderName::from_static("x-sim-reason");
const FAULT: HeaderName = HeaderName::from_static("x-sim-fault");
pub(crate) const CALL: HeaderName = HeaderName::from_static("x-sim-call");
const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("x-ratelimit-reset");

/// Longest reason that is told in a header: it may name a field that the client made up.
const REASON_MAX: usize = 256;

/// Headers that most answers have, with those that the shim adds: room for all of them is made at once.
const HEADERS: usize = 8;

/// What a call came to, before it is put into HTTP.
#[derive(Debug)]
pub(crate) struct Answer {
    pub call: u64,
    pub standing: Option<Standing>,
    pub outcome: Result<Success, Error>,
    /// The fault rule that struck it.
    pub strike: Option<Strike>,
    /// The status as the service made it; nothing where a rule kept the call from it.
    pub made: Option<u16>,
    /// Whether it follows from the request, the world's rows, the instant and the setup alone, but for the standing.
    pub is_plain: bool,
}

/// A success: status and what goes out with it.
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

    /// Turns what the service made into what the client gets, where a fault rule struck. Called once, after the journal.
    pub(crate) fn come_to_harm(&mut self) {
        let is_lost = self.outcome.as_ref().is_err_and(|error| error.kind == Kind::NoAnswer);
        self.made = (!is_lost).then(|| self.status());
        if let Some(strike) = self.strike.take() {
            self.spoil(&strike);
            self.strike = Some(strike);
        }
    }

    /// Makes of it what a client gets to see after `strike`. The journal has it as the service made it.
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

    /// The HTTP response; that to HEAD keeps the length of the body it leaves out to the shim.
    pub(crate) fn into_response(self, manner: &Manner) -> Response<Bytes> {
        let mut response = match self.outcome {
            Ok(Success { status, payload }) => respond(status, payload),
            Err(error) => refuse_as(manner, &error),
        };
        let headers = response.headers_mut();
        headers.insert(CALL, self.call.into());
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
        if let Some(mishap) = mishap.flatten() {
            response.extensions_mut().insert(mishap);
        }
        response
    }
}

/// Writes where the caller stands over what the rate-limit headers said before.
pub(crate) fn tell(standing: Standing, headers: &mut HeaderMap) {
    headers.insert(LIMIT, standing.limit.into());
    headers.insert(REMAINING, standing.remaining.into());
    headers.insert(RESET, standing.reset_s.into());
}

/// The response to a refused request: the service's body, the reason header, and `Allow` with 405.
pub fn refuse(error: &Error) -> Response<Bytes> {
    refuse_as(&Manner::MESSAGE, error)
}

fn refuse_as(manner: &Manner, error: &Error) -> Response<Bytes> {
    let mut payload = Payload::bytes(Payload::JSON, to_bytes(&(manner.error_body)(error)));
    payload.headers = error.aside.as_ref().map(|aside| aside.headers.clone()).unwrap_or_default();
    let mut response = respond(error.status(), payload);
    response.headers_mut().insert(REASON, header_of(&error.reason));
    if let Kind::MethodNotAllowed(allow) = error.kind {
        response.headers_mut().insert(ALLOW, HeaderValue::from_static(allow));
    }
    response
}

/// A reason as a header can have it, whatever the field is called that it names.
fn header_of(reason: &str) -> HeaderValue {
    let mut text = utf8_percent_encode(reason, CONTROLS).to_string();
    text.truncate(REASON_MAX);
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
