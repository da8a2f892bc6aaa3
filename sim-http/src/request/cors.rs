//! CORS: pages of any origin may call the simulated services; the control API is for pages of allowed origins.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, VARY,
};
use http::{HeaderMap, HeaderValue, Response, StatusCode};

const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
const HEADERS: &str = "authorization, content-type, accept, x-sim-world";
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, x-sim-reason, x-sim-call, allow",
);

/// Seconds for which a browser may cache the answer.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// Which pages may read an answer.
pub(crate) enum Readers {
    /// Pages of any origin.
    All,
    /// Pages of this origin.
    Of(HeaderValue),
    /// The server's own pages.
    Own,
}

/// The answer to OPTIONS: all methods are allowed, and all headers that the page asks for.
pub(crate) fn preflight<B: Default>(request: &HeaderMap) -> Response<B> {
    let asked = request.get(ACCESS_CONTROL_REQUEST_HEADERS).and_then(|value| value.to_str().ok());
    let headers = match asked {
        Some(asked) => HeaderValue::from_str(&format!("{HEADERS}, {asked}")).ok(),
        None => None,
    };
    let mut response = Response::new(B::default());
    *response.status_mut() = StatusCode::NO_CONTENT;
    let answer = response.headers_mut();
    answer.insert(ACCESS_CONTROL_ALLOW_METHODS, METHODS);
    answer.insert(ACCESS_CONTROL_ALLOW_HEADERS, headers.unwrap_or(HeaderValue::from_static(HEADERS)));
    answer.insert(ACCESS_CONTROL_MAX_AGE, MAX_AGE);
    response
}

/// Lets these pages read an answer.
pub(crate) fn allow(readers: &Readers, headers: &mut HeaderMap) {
    match readers {
        Readers::All => headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, HeaderValue::from_static("*")),
        Readers::Of(origin) => headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, origin.clone()),
        Readers::Own => None,
    };
    if !matches!(readers, Readers::All) {
        headers.insert(VARY, HeaderValue::from_static("origin"));
    }
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
}
