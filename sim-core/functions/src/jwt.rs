//! Functions of `pgjwt`: signed tokens.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use rusqlite::types::Value;
use serde_json::json;

use super::crypto::keyed;
use super::text::own;
use super::{Arguments, Form, Function, Kind};
use crate::state::State;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;

const T: Type = Type::TEXT;
const COLUMNS: &[(&str, Type)] = &[("header", Type::JSON), ("payload", Type::JSON), ("valid", Type::BOOL)];

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("url_encode", &[Type::BYTEA], T, |a| own(URL_SAFE_NO_PAD.encode(a.bytes(0)))),
    Function::rust("url_decode", &[T], Type::BYTEA, |a| Ok(Value::Blob(decoded(a.text(0))?))),
    Function::rust("algorithm_sign", &[T, T, T], T, |a| own(signature(a.text(0), a.text(1), a.text(2))?)),
    Function::rust("sign", &[Type::JSON, T, T], T, |a| {
        let algorithm = algorithm(a);
        let header = format!("{{\"alg\":\"{algorithm}\",\"typ\":\"JWT\"}}");
        let signed = format!("{}.{}", URL_SAFE_NO_PAD.encode(header), URL_SAFE_NO_PAD.encode(a.text(0)));
        own(format!("{signed}.{}", signature(&signed, a.text(1), algorithm)?))
    })
    .optional(1),
    Function {
        kind: Kind::Set { columns: COLUMNS },
        ..Function::of("verify", &[T, T, T], Type::RECORD, Form::State(verify)).optional(1)
    },
];

fn algorithm<'a>(a: &'a Arguments<'_, '_>) -> &'a str {
    if a.len() > 2 { a.text(2) } else { "HS256" }
}

fn decoded(text: &str) -> Result<Vec<u8>> {
    let text: String = text
        .chars()
        .map(|letter| match letter {
            '-' => '+',
            '_' => '/',
            letter => letter,
        })
        .collect();
    let padding = "=".repeat((4 - text.len() % 4) % 4);
    STANDARD.decode(text + &padding).map_err(|_| {
        SqlError::new(SqlState::INVALID_PARAMETER, "invalid base64 end sequence")
            .hint("Input data is missing padding, is truncated, or is otherwise corrupted.")
    })
}

fn signature(signed: &str, secret: &str, algorithm: &str) -> Result<String> {
    let digest = match algorithm {
        "HS256" => "sha256",
        "HS384" => "sha384",
        "HS512" => "sha512",
        _ => "",
    };
    Ok(URL_SAFE_NO_PAD.encode(keyed(digest, secret.as_bytes(), signed.as_bytes())?))
}

/// The parts of a token, and whether it is signed by the secret and valid now.
fn verify(state: &mut State, a: &Arguments<'_, '_>) -> Result<Value> {
    let parts: Vec<&str> = a.text(0).split('.').collect();
    let part = |index: usize| parts.get(index).copied().unwrap_or("");
    let document = |index: usize| -> Result<String> {
        let text = String::from_utf8(decoded(part(index))?).unwrap_or_default();
        Ok(sim_values::value::json::check(&text)?.to_owned())
    };
    let (header, payload) = (document(0)?, document(1)?);
    let signed = signature(&format!("{}.{}", part(0), part(1)), a.text(1), algorithm(a))? == part(2);
    let claims: serde_json::Value = serde_json::from_str(&payload).unwrap_or_default();
    let micros =
        |claim: &str| claims.get(claim).and_then(serde_json::Value::as_f64).map(|seconds| seconds * 1e6);
    let now = state.now as f64;
    let begun = micros("nbf").is_none_or(|from| from <= now);
    let ended = micros("exp").is_some_and(|until| until <= now);
    Ok(array::of(vec![json!([header, payload, i64::from(signed && begun && !ended)])]))
}
