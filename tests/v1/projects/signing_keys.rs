//! `/v1/projects/{ref}/config/auth/signing-keys`.

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Api, Call, api::peek, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::both;

const KEYS: &str = "/v1/projects/{ref}/config/auth/signing-keys";
const LEGACY: &str = "/v1/projects/{ref}/config/auth/signing-keys/legacy";

fn made(api: &mut dyn Api, body: Value) -> Value {
    let reply = api.post(KEYS, body);
    assert_eq!(reply.status, 201, "{reply}");
    reply.json()
}

fn at(key: &Value) -> String {
    format!("{KEYS}/{}", key["id"].as_str().expect("a key has an id"))
}

/// Statuses, the newest key's first.
fn statuses(api: &mut dyn Api) -> Vec<String> {
    let keys = api.get(KEYS).json()["keys"].as_array().expect("a list").clone();
    keys.iter().map(|key| key["status"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let one = "/v1/projects/{ref}/config/auth/signing-keys/00000000-0000-4000-8000-000000000000";
    refuse_strangers(&[
        (Call::get(KEYS), Role::ReadOnly),
        (Call::get(LEGACY), Role::ReadOnly),
        (Call::get(one), Role::ReadOnly),
        (Call::post(KEYS).json(json!({ "algorithm": "ES256" })), Role::Administrator),
        (Call::post(LEGACY), Role::Administrator),
        (Call::new(Method::PATCH, one).json(json!({ "status": "revoked" })), Role::Administrator),
        (Call::delete(one), Role::Administrator),
    ]);
}

#[test]
fn one_key_is_in_use_at_a_time() {
    both(scenario::active_project, |api| {
        let first = made(api, json!({ "algorithm": "ES256", "status": "in_use" }));
        let second = made(api, json!({ "algorithm": "RS256" }));
        assert_eq!(statuses(api), ["standby", "in_use"]);
        assert_eq!(api.patch(&at(&second), json!({ "status": "in_use" })).json()["status"], "in_use");
        assert_eq!(statuses(api), ["in_use", "previously_used"]);
        made(api, json!({ "algorithm": "EdDSA", "status": "in_use" }));
        assert_eq!(statuses(api), ["in_use", "previously_used", "previously_used"]);
        assert_eq!(api.patch(&at(&first), json!({ "status": "in_use" })).status, 200, "it is rotated back");
        assert_eq!(statuses(api), ["previously_used", "previously_used", "in_use"]);
    });
}

#[test]
fn a_key_changes_only_by_transitions_of_its_lifecycle() {
    both(scenario::active_project, |api| {
        let used = made(api, json!({ "algorithm": "ES256", "status": "in_use" }));
        for status in ["standby", "previously_used", "revoked"] {
            let text = "A key that is in_use can't be moved there.";
            refused(&api.patch(&at(&used), json!({ "status": status })), 422, "signing_key_status", text);
        }
        refused(&api.delete(&at(&used)), 422, "signing_key_status", "A key that is in_use can't be deleted.");
        let waiting = made(api, json!({ "algorithm": "ES256" }));
        for status in ["revoked", "previously_used", "revoked", "standby"] {
            assert_eq!(api.patch(&at(&waiting), json!({ "status": status })).json()["status"], status);
        }
        assert_eq!(api.patch(&at(&waiting), json!({ "status": "lost" })).reason(), "invalid_body.status");
        assert_eq!(api.delete(&at(&waiting)).json()["id"], waiting["id"]);
        refused(&api.get(&at(&waiting)), 404, "signing_key_not_found", "Signing key not found");
    });
}

#[test]
fn the_legacy_key_is_revoked_only_once_the_legacy_api_keys_are_off() {
    both(scenario::active_project, |api| {
        assert_eq!(api.get(LEGACY).status, 404);
        let legacy = api.act(LEGACY).json();
        assert_eq!((&legacy["algorithm"], &legacy["status"]), (&json!("HS256"), &json!("in_use")));
        assert_eq!(legacy["public_jwk"], Value::Null);
        assert_eq!(api.get(LEGACY).json(), legacy);
        assert_eq!(api.act(LEGACY).reason(), "signing_key_exists");
        made(api, json!({ "algorithm": "ES256", "status": "in_use" }));
        let revoke = |api: &mut dyn Api| api.patch(&at(&legacy), json!({ "status": "revoked" }));
        let text = "The legacy API keys are signed with this key: disable them before it is revoked.";
        refused(&revoke(api), 422, "legacy_keys_enabled", text);
        api.control(Method::PUT, "/v1/projects/{ref}/api-keys/legacy?enabled=false", json!({}));
        assert_eq!(revoke(api).json()["status"], "revoked");
        let text = "The key that signs the legacy API keys was revoked: they can't be enabled.";
        let on = Call::put("/v1/projects/{ref}/api-keys/legacy?enabled=true");
        refused(&api.send(on), 400, "signing_key_revoked", text);
    });
}

#[test]
fn a_key_that_is_given_shows_its_public_half_and_nothing_else() {
    both(scenario::active_project, |api| {
        let kid = "6f1c2a30-8d7b-4e51-9a64-0b3f5c7d9e12";
        let jwk = json!({ "kty": "EC", "crv": "P-256", "x": "AQ", "y": "Ag", "d": "c2VjcmV0", "kid": kid });
        let body = |jwk: &Value| json!({ "algorithm": "ES256", "private_jwk": jwk });
        let key = made(api, body(&jwk));
        let public = &key["public_jwk"];
        assert_eq!((&key["id"], &public["x"], &public["y"]), (&json!(kid), &json!("AQ"), &json!("Ag")));
        assert_eq!((&public["kid"], &public["key_ops"]), (&json!(kid), &json!(["verify"])));
        assert!(!api.get(KEYS).to_string().contains("c2VjcmV0"));
        let journal = peek(api, |sim| serde_json::to_string(&sim.journal()).expect("it is plain data"));
        assert!(!journal.contains("c2VjcmV0"), "{journal}");
        assert_eq!(api.post(KEYS, body(&jwk)).reason(), "signing_key_exists");
        let mut rows = Vec::new();
        for (field, value, problem) in [
            ("d", None, "d: Required"),
            ("x", Some("%"), "x: Invalid, must be base64url"),
            ("kty", Some("RSA"), "kty: Invalid, must be EC"),
            ("k", Some("AQ"), "k: Unrecognized key, an ES256 key has none"),
            ("kid", Some("one"), "kid: Invalid, must be a UUID"),
        ] {
            let mut wrong = jwk.clone();
            wrong[field] = json!(value);
            wrong.as_object_mut().expect("it is an object").retain(|_, value| !value.is_null());
            rows.push((wrong, field, problem));
        }
        for (wrong, field, problem) in rows {
            let reason = format!("invalid_body.private_jwk.{field}");
            refused(&api.post(KEYS, body(&wrong)), 400, &reason, &format!("private_jwk.{problem}"));
        }
        let shared = |jwk: Value| json!({ "algorithm": "HS256", "private_jwk": jwk });
        let short = shared(json!({ "kty": "oct", "k": "c2VjcmV0" }));
        let text = "private_jwk.k: String must contain at least 16 character(s)";
        refused(&api.post(KEYS, short), 400, "invalid_body.private_jwk.k", text);
        let bound = shared(json!({ "kty": "oct", "k": "c2VjcmV0c2VjcmV0", "ext": false }));
        let text = "private_jwk.ext: Invalid literal value, expected true";
        refused(&api.post(KEYS, bound), 400, "invalid_body.private_jwk.ext", text);
        made(api, shared(json!({ "kty": "oct", "k": "c2VjcmV0c2VjcmV0", "ext": true })));
    });
}
