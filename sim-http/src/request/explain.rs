//! The link from a refusal to its explanation.

use http::{HeaderName, HeaderValue, Response};

use crate::worlds::MAIN;

const CALL: HeaderName = HeaderName::from_static("x-sim-call");
const EXPLAIN: HeaderName = HeaderName::from_static("x-sim-explain");

/// Adds the address at which the refusal of a call is explained. `is_beside`: the second service of the world answered.
pub(super) fn link<T>(response: &mut Response<T>, world: &str, is_beside: bool) {
    let is_refusal = response.status().is_client_error() || response.status().is_server_error();
    let call = response.headers().get(CALL).filter(|_| is_refusal).and_then(|call| call.to_str().ok());
    let Some(call) = call else { return };
    let prefix = if world == MAIN { String::new() } else { format!("/w/{world}") };
    let query = if is_beside { "?service=analytics" } else { "" };
    // The name of a world is part of an address, so it has only the letters of one.
    if let Ok(path) = HeaderValue::try_from(format!("{prefix}/_sim/journal/{call}/explain{query}")) {
        response.headers_mut().insert(EXPLAIN, path);
    }
}
