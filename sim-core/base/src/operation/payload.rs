//! What a success sends.

use bytes::Bytes;
use serde::Serialize;

/// A success, ready to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Payload {
    /// The content type; `None` for no body.
    pub content_type: Option<&'static str>,
    /// The body.
    pub body: Bytes,
    /// Where to go instead: the `Location` header.
    pub location: Option<String>,
    /// Further headers.
    pub headers: Vec<(&'static str, String)>,
}

impl Payload {
    /// The JSON content type.
    pub const JSON: &'static str = "application/json; charset=utf-8";

    /// The same without its encoding, as a proxy passes on the answers of another service.
    pub const PLAIN_JSON: &'static str = "application/json";

    /// Whether the body is JSON.
    pub fn is_json(&self) -> bool {
        self.content_type.is_some_and(|kind| [Payload::JSON, Payload::PLAIN_JSON].contains(&kind))
    }

    /// JSON.
    pub fn json(output: &impl Serialize) -> Payload {
        Payload::bytes(Payload::JSON, to_bytes(output))
    }

    /// Text. An empty text has no body and no content type.
    pub fn text(text: &str) -> Payload {
        match text {
            "" => Payload::nothing(),
            text => Payload::bytes("text/plain; charset=utf-8", text.as_bytes().to_vec()),
        }
    }

    /// Bytes of another content type.
    pub fn bytes(content_type: &'static str, body: Vec<u8>) -> Payload {
        Payload { content_type: Some(content_type), body: body.into(), location: None, headers: Vec::new() }
    }

    /// A redirect without a body.
    pub fn redirect(location: String) -> Payload {
        Payload { content_type: None, body: Bytes::new(), location: Some(location), headers: Vec::new() }
    }

    /// No body, as with 204.
    pub const fn nothing() -> Payload {
        Payload { content_type: None, body: Bytes::new(), location: None, headers: Vec::new() }
    }
}

/// Writes `output` as JSON.
pub fn to_bytes(output: &impl Serialize) -> Vec<u8> {
    // Most answers are shorter.
    let mut bytes = Vec::with_capacity(512);
    serde_json::to_writer(&mut bytes, output).expect("an answer is plain data");
    bytes
}
