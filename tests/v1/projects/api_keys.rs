//! `/v1/projects/{ref}/api-keys`.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_fixtures::{Api, Call, scenario};

use crate::support::both;

const KEYS: &str = "/v1/projects/{ref}/api-keys";

fn key(keys: &Value, index: usize) -> &str {
    keys[index]["api_key"].as_str().expect("a key")
}

#[test]
fn a_project_has_two_legacy_keys_a_publishable_and_a_secret_one() {
    both(scenario::active_project, |api| {
        let keys = api.get("/v1/projects/{ref}/api-keys").json();
        let kinds: Vec<_> = keys
            .as_array()
            .expect("a list")
            .iter()
            .map(|key| format!("{} {}", key["type"], key["name"]))
            .collect();
        assert_eq!(
            kinds,
            [
                r#""legacy" "anon""#,
                r#""legacy" "service_role""#,
                r#""publishable" "default""#,
                r#""secret" "default""#
            ]
        );
        for key in &keys.as_array().expect("a list")[..2] {
            assert_eq!((key.get("inserted_at"), key.get("updated_at")), (None, None), "{key}");
            assert_ne!(key["prefix"], "eyJhb", "all tokens begin so");
            assert_eq!(key["prefix"].as_str().map(str::len), Some(5));
        }
        assert_eq!(keys[2].get("secret_jwt_template"), Some(&Value::Null));
        assert_snapshot!(keys[3], @r#"{"name":"default","api_key":"key_secret_56Hu-···························","id":"d21fe62a-b31a-41ba-9b96-30892ea9b2da","type":"secret","prefix":"key_secret_56Hu-","description":"Default secret API key","hash":"ZZCgbhPyTYAyR5cypHD0edOpoPAugw-n6JcJlma91Ms","secret_jwt_template":{"role":"service_role"},"inserted_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}"#);
    });
}

#[test]
fn a_secret_key_is_cut_unless_revealed() {
    both(scenario::active_project, |api| {
        let cut = api.get("/v1/projects/{ref}/api-keys").json();
        let whole = api.get("/v1/projects/{ref}/api-keys?reveal=true").json();
        assert_eq!(api.get("/v1/projects/{ref}/api-keys?reveal=false").json(), cut);
        for index in 0..3 {
            assert_eq!(key(&cut, index), key(&whole, index));
        }
        assert!(key(&cut, 3).ends_with("···"), "{}", key(&cut, 3));
        assert_eq!(key(&cut, 3).chars().count(), key(&whole, 3).len());
        assert!(key(&whole, 3).starts_with("key_secret_"), "{}", key(&whole, 3));
    });
}

#[test]
fn only_administrators_have_secret_keys_revealed() {
    both(scenario::active_project, |api| {
        let get = |query: &str, token: &str| {
            Call::get(&format!("/v1/projects/{{ref}}/api-keys{query}")).token(token)
        };
        for token in ["token-of-reader", "token-of-developer"] {
            assert_eq!(api.send(get("", token)).status, 200, "{token}");
            assert_eq!(api.send(get("?reveal=true", token)).reason(), "role_too_low", "{token}");
        }
        assert_eq!(api.send(get("?reveal=true", "token-of-administrator")).status, 200);
    });
}

#[test]
fn reveal_is_true_or_false() {
    both(scenario::active_project, |api| {
        assert_snapshot!(api.get("/v1/projects/{ref}/api-keys?reveal=perhaps"), @r#"400 {"message":"reveal: Expected boolean, received string"}"#);
    });
}

#[test]
fn legacy_keys_are_signed_tokens_that_name_project_and_role() {
    both(scenario::active_project, |api: &mut dyn Api| {
        let keys = api.get("/v1/projects/{ref}/api-keys").json();
        let claims = key(&keys, 1).split('.').nth(1).expect("a token has three parts").to_owned();
        let claims: Value = serde_json::from_slice(&unbase64(&claims)).expect("claims are JSON");
        assert_eq!(claims["ref"], api.project());
        assert_eq!(claims["role"], "service_role");
    });
}

/// Decodes base64url without padding.
fn unbase64(text: &str) -> Vec<u8> {
    let digit = |c: u8| match c {
        b'A'..=b'Z' => c - b'A',
        b'a'..=b'z' => c - b'a' + 26,
        b'0'..=b'9' => c - b'0' + 52,
        b'-' => 62,
        _ => 63,
    };
    let bits = text.bytes().flat_map(|c| (0..6).rev().map(move |bit| digit(c) >> bit & 1));
    bits.collect::<Vec<_>>()
        .chunks_exact(8)
        .map(|byte| byte.iter().fold(0, |byte, bit| byte << 1 | bit))
        .collect()
}

fn create(api: &mut dyn Api, kind: &str, name: &str) -> Value {
    let reply = api.post(KEYS, json!({ "type": kind, "name": name }));
    assert_eq!(reply.status, 201, "{reply}");
    reply.json()
}

fn at(key: &Value) -> String {
    format!("{KEYS}/{}", key["id"].as_str().expect("a key has an id"))
}

#[test]
fn a_key_is_made_changed_and_deleted_without_affecting_others() {
    both(scenario::active_project, |api| {
        let before = api.get(KEYS).json();
        let made = create(api, "secret", "web_app");
        assert!(key(&json!([made]), 0).ends_with("···"), "{made}");
        let whole = api.get(&format!("{}?reveal=true", at(&made))).json();
        assert!(key(&json!([whole]), 0).starts_with("key_secret_"), "{whole}");
        let change = json!({ "name": "server_one", "secret_jwt_template": { "role": "reader" } });
        let changed = api.patch(&at(&made), change).json();
        assert_eq!((&changed["id"], &changed["name"]), (&made["id"], &json!("server_one")));
        assert_eq!(changed["secret_jwt_template"]["role"], "reader");
        let listed = api.get(KEYS).json();
        assert_eq!((&listed[3], &listed[4]), (&before[3], &changed));
        assert_eq!(api.delete(&at(&made)).json(), changed);
        assert_eq!(api.get(KEYS).json(), before);
        assert_eq!(api.get(&at(&made)).reason(), "api_key_not_found");
        assert_eq!(api.delete(&at(&before[2])).status, 200);
        assert_eq!(api.get(KEYS).json().as_array().map(Vec::len), Some(3));
    });
}

#[test]
fn keys_that_can_not_be_are_refused() {
    both(scenario::active_project, |api| {
        let made = create(api, "secret", "web_app");
        create(api, "publishable", "web_app");
        let template = json!({ "role": "anon" });
        let rows = [
            (json!({ "type": "secret", "name": "web_app" }), "api_key_exists"),
            (json!({ "type": "secret", "name": "default" }), "api_key_exists"),
            (json!({ "type": "legacy", "name": "web_two" }), "invalid_body.type"),
            (json!({ "type": "secret", "name": "Web" }), "invalid_body.name"),
            (
                json!({ "type": "publishable", "name": "web_two", "secret_jwt_template": template }),
                "invalid_body.secret_jwt_template",
            ),
        ];
        for (body, reason) in rows {
            assert_eq!(api.post(KEYS, body.clone()).reason(), reason, "{body}");
        }
        assert_eq!(api.patch(&at(&made), json!({ "name": "default" })).reason(), "api_key_exists");
        assert_eq!(api.patch(&format!("{KEYS}/legacy"), json!({})).reason(), "invalid_path.id");
        let peek = Call::get(&format!("{}?reveal=true", at(&made))).token("token-of-developer");
        assert_eq!(api.send(peek).reason(), "role_too_low");
    });
}

#[test]
fn legacy_keys_are_switched_off_and_on() {
    both(scenario::active_project, |api| {
        let legacy = format!("{KEYS}/legacy");
        assert_eq!(api.get(&legacy).to_string(), r#"200 {"enabled":true}"#);
        let off = api.send(Call::put(&format!("{legacy}?enabled=false")));
        assert_eq!(off.to_string(), r#"200 {"enabled":false}"#);
        assert_eq!(api.get(&legacy).to_string(), r#"200 {"enabled":false}"#);
        assert_eq!(api.get(KEYS).json()[0]["type"], "legacy");
        assert_eq!(api.send(Call::put(&legacy)).reason(), "invalid_query.enabled");
    });
}

#[test]
fn null_takes_a_keys_purpose_away_and_puts_the_default_of_its_claims_back() {
    both(scenario::active_project, |api| {
        let new = json!({
            "type": "secret", "name": "jobs", "description": "nightly", "secret_jwt_template": { "role": "job" },
        });
        let made = api.post(KEYS, new).json();
        let path = format!("{KEYS}/{}", made["id"].as_str().expect("it has one"));
        let kept = api.patch(&path, json!({ "name": "jobs_2" })).json();
        assert_eq!(
            (&kept["description"], &kept["secret_jwt_template"]["role"]),
            (&json!("nightly"), &json!("job"))
        );
        let cleared = api.patch(&path, json!({ "description": null, "secret_jwt_template": null })).json();
        assert_eq!(cleared["description"], Value::Null);
        assert_eq!(cleared["secret_jwt_template"], json!({ "role": "service_role" }));
        assert_eq!(api.get(&path).json(), cleared);
    });
}
