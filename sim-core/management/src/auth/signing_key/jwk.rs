//! Keys as JSON: private ones that calls give, and public ones that responses show.

use std::borrow::Cow;
use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD as BASE64URL;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use sim_base::{Cx, Error, Profile};
use uuid::Uuid;

use super::Algorithm;
use crate::{named, text_of};

/// A private JSON web key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PrivateJwk(pub BTreeMap<String, Value>);

impl JsonSchema for PrivateJwk {
    fn schema_name() -> Cow<'static, str> {
        "PrivateJwk".into()
    }

    fn inline_schema() -> bool {
        true
    }

    /// The fields of all kinds. The check of the algorithm also checks which of them a kind has.
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut fields = Map::new();
        for name in ["n", "e", "d", "p", "q", "dp", "dq", "qi", "x", "y", "k"] {
            fields.insert(name.to_owned(), json!({ "type": "string" }));
        }
        fields.insert("e".to_owned(), json!({ "type": "string", "enum": ["AQAB"] }));
        fields.insert("kty".to_owned(), json!({ "type": "string", "enum": ["RSA", "EC", "OKP", "oct"] }));
        fields.insert("crv".to_owned(), json!({ "type": "string", "enum": ["P-256", "Ed25519"] }));
        let algorithms = [Algorithm::Rs256, Algorithm::Es256, Algorithm::EdDsa, Algorithm::Hs256];
        fields.insert("alg".to_owned(), json!({ "type": "string", "enum": algorithms }));
        fields.insert("use".to_owned(), json!({ "type": "string", "enum": ["sig"] }));
        fields.insert("kid".to_owned(), json!({ "type": "string" }));
        fields.insert("ext".to_owned(), json!({ "type": "boolean" }));
        let uses = json!({ "type": "string", "enum": ["sign", "verify"] });
        fields.insert(
            "key_ops".to_owned(),
            json!({ "type": "array", "items": uses, "maxItems": 2, "minItems": 2 }),
        );
        json_schema!({
            "type": "object",
            "properties": fields,
            "required": ["kty"],
            "additionalProperties": true,
            "x-secret": true,
        })
    }
}

/// How many characters the text of a shared secret has at least.
const SHARED_MIN: usize = 16;

/// The fields of a JSON web key of a kind: `kty`, its curve, public fields, and private fields.
struct Parts {
    pub(super) kty: &'static str,
    pub(super) crv: Option<&'static str>,
    pub(super) public: &'static [&'static str],
    pub(super) private: &'static [&'static str],
}

impl Algorithm {
    const fn parts(self) -> Parts {
        match self {
            Algorithm::EdDsa => Parts { kty: "OKP", crv: Some("Ed25519"), public: &["x"], private: &["d"] },
            Algorithm::Es256 => Parts { kty: "EC", crv: Some("P-256"), public: &["x", "y"], private: &["d"] },
            Algorithm::Rs256 => Parts {
                kty: "RSA",
                crv: None,
                public: &["n", "e"],
                private: &["d", "p", "q", "dp", "dq", "qi"],
            },
            Algorithm::Hs256 => Parts { kty: "oct", crv: None, public: &[], private: &["k"] },
        }
    }
}

/// The given key fits the algorithm, with all its fields and no others.
pub(super) fn check_key(input: &Value, _: &Profile) -> Result<(), Error> {
    let Some(jwk) = input.get("private_jwk").and_then(Value::as_object) else { return Ok(()) };
    let refused = |name: &str, problem: String| {
        let text = format!("private_jwk.{name}: {problem}");
        Err(Error::invalid(format!("invalid_body.private_jwk.{name}"), text))
    };
    let algorithm: Algorithm = named(input["algorithm"].as_str().unwrap_or_default());
    let Parts { kty, crv, public, private } = algorithm.parts();
    let alg = text_of(&algorithm);
    let fixed = [
        ("kty", Some(kty), true),
        ("crv", crv, true),
        ("alg", Some(&*alg), false),
        ("use", Some("sig"), false),
    ];
    for (name, wanted, is_required) in fixed {
        match (jwk.get(name), wanted) {
            (None, Some(_)) if is_required => return refused(name, "Required".to_owned()),
            (Some(found), Some(wanted)) if found != wanted => {
                return refused(name, format!("Invalid, must be {wanted}"));
            }
            _ => {}
        }
    }
    let known = ["kid", "use", "key_ops", "ext", "kty", "alg"];
    for name in jwk.keys() {
        let is_part =
            public.contains(&&**name) || private.contains(&&**name) || (crv.is_some() && name == "crv");
        if !is_part && !known.contains(&&**name) {
            return refused(name, format!("Unrecognized key, an {alg} key has none"));
        }
    }
    let is_word = |value: &Value| {
        value
            .as_str()
            .is_some_and(|text| !text.is_empty() && BASE64URL.decode(text.trim_end_matches('=')).is_ok())
    };
    for name in public.iter().chain(private) {
        match jwk.get(*name) {
            None => return refused(name, "Required".to_owned()),
            Some(value) if !is_word(value) => return refused(name, "Invalid, must be base64url".to_owned()),
            Some(value) if *name == "k" && value.as_str().is_some_and(|text| text.len() < SHARED_MIN) => {
                return refused(name, format!("String must contain at least {SHARED_MIN} character(s)"));
            }
            Some(_) => {}
        }
    }
    if jwk.get("ext") == Some(&Value::Bool(false)) {
        return refused("ext", "Invalid literal value, expected true".to_owned());
    }
    match jwk.get("kid") {
        Some(kid) if kid.as_str().is_none_or(|text| Uuid::parse_str(text).is_err()) => {
            refused("kid", "Invalid, must be a UUID".to_owned())
        }
        _ => Ok(()),
    }
}

/// The public half. The numbers of a key created here are random: nothing here signs with it.
pub(super) fn public_jwk(
    cx: &Cx<'_>,
    algorithm: Algorithm,
    id: &Uuid,
    given: Option<&Map<String, Value>>,
) -> Option<Value> {
    let Parts { kty, crv, public, .. } = algorithm.parts();
    if public.is_empty() {
        return None;
    }
    let mut jwk =
        json!({ "kid": id, "use": "sig", "key_ops": ["verify"], "ext": true, "kty": kty, "alg": algorithm });
    if let Some(crv) = crv {
        jwk["crv"] = crv.into();
    }
    let mut draw = cx.rng.draw("signing key numbers");
    for name in public {
        jwk[*name] = match (given, *name) {
            (Some(given), name) => given[name].clone(),
            (None, "e") => "AQAB".into(),
            (None, "n") => BASE64URL.encode(draw.bytes::<256>()).into(),
            (None, _) => BASE64URL.encode(draw.bytes::<32>()).into(),
        };
    }
    Some(jwk)
}
