//! `/_sim/peek`: the answer that a call would get, without making it.

use bytes::Bytes;
use http::Request;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_core::Error;
use sim_core::engine::{Meta, post};

use super::{Control, Place, Run};
use crate::worlds::Touch;

/// Get the answer that a call would get now, without making it.
///
/// The call is made on a temporary fork, with all rights. It leaves no journal row, count, fault or change in the world. For
/// tools that show a world without affecting it.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Peek {
    /// HTTP method; GET by default.
    pub method: Option<String>,
    /// Path and query, as in `/v1/projects`.
    pub target: String,
    /// The body: text is sent as it is, anything else as JSON.
    #[schemars(with = "Option<Value>")]
    pub body: Option<Value>,
    /// The header `accept`, for operations that answer in several formats.
    pub accept: Option<String>,
}

/// The answer that the call would get.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Peeked {
    /// The status.
    pub status: u16,
    /// The reason of a refusal, as in the header `x-sim-reason`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The body, as text.
    pub body: String,
}

impl Control for Peek {
    type Output = Peeked;
    const META: Meta = Meta { status: 200, ..post("sim-peek", "/_sim/peek") };
}

impl Run for Peek {
    async fn run(self, place: &Place<'_>) -> Result<Peeked, Error> {
        let request = self.request()?;
        let response = place.world.with(Touch::Reads, |inside| inside.sim.peek(&request)).await?;
        let reason = response.headers().get("x-sim-reason").and_then(|reason| reason.to_str().ok());
        Ok(Peeked {
            status: response.status().as_u16(),
            reason: reason.map(str::to_owned),
            body: String::from_utf8_lossy(response.body()).into_owned(),
        })
    }
}

impl Peek {
    fn request(self) -> Result<Request<Bytes>, Error> {
        if !self.target.starts_with('/') {
            let text = "target: must be a path with its query, as in /v1/projects";
            return Err(Error::invalid("invalid_body.target", text));
        }
        let mut request =
            Request::builder().method(self.method.as_deref().unwrap_or("GET")).uri(&self.target);
        if let Some(accept) = &self.accept {
            request = request.header(http::header::ACCEPT, accept);
        }
        let body = match self.body {
            None => Bytes::new(),
            Some(Value::String(text)) => text.into(),
            Some(body) => {
                request = request.header(http::header::CONTENT_TYPE, "application/json");
                body.to_string().into()
            }
        };
        request.body(body).map_err(|error| {
            let text = format!("target: makes no request with that method, {error}");
            Error::invalid("invalid_body.target", text)
        })
    }
}
