//! CORS: only pages of allowed origins may call the server and read its answers. Further headers keep browsers from using an answer
//! as a part of another page.

use http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS, VARY,
    X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};

const METHODS: HeaderValue = HeaderValue::from_static("GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
const HEADERS: &str = "authorization, content-type, accept, x-sim-world";
const EXPOSED: HeaderValue = HeaderValue::from_static(
    "x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, ratelimit, ratelimit-policy, retry-after, x-sim-reason, x-sim-call, x-sim-explain, x-sim-ignored, allow",
);

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");

/// Seconds for which a browser may cache the answer.
const MAX_AGE: HeaderValue = HeaderValue::from_static("600");

/// Which pages may read an answer, beside the server's own.
pub(crate) enum Readers {
    /// Pages of any origin.
    All,
    /// Pages of this origin.
    Of(HeaderValue),
    /// Pages of other origins than the origin of the request.
    Others,
    /// None: no origin is allowed.
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

/// Lets these pages read an answer, and forbids other pages to include it.
pub(crate) fn protect(readers: Readers, headers: &mut HeaderMap) {
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(RESOURCE_POLICY, HeaderValue::from_static("same-origin"));
    if matches!(readers, Readers::Of(_) | Readers::Others) {
        headers.insert(VARY, HeaderValue::from_static("origin"));
    }
    let allowed = match readers {
        Readers::All => HeaderValue::from_static("*"),
        Readers::Of(origin) => origin,
        Readers::Others | Readers::Own => return,
    };
    headers.insert(ACCESS_CONTROL_ALLOW_ORIGIN, allowed);
    headers.insert(ACCESS_CONTROL_EXPOSE_HEADERS, EXPOSED);
}
