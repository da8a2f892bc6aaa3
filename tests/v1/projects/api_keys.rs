//! `/v1/projects/{ref}/api-keys`.

use insta::assert_snapshot;
use serde_json::Value;
use sim_fixtures::{Api, Call, scenario};

use crate::support::both;

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
        assert_snapshot!(keys[3], @r#"{"name":"default","api_key":"key_secret_RU8vY···························","id":"a6aeebfb-38b7-4c8d-aed3-476b7b56e537","type":"secret","prefix":"key_secret_RU8vY","description":"Default secret API key","hash":"ZTmyu8F56c15bNJ54U35JWuzdiXFlCeliul-RbkR0DU","secret_jwt_template":{"role":"service_role"},"inserted_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}"#);
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

/// Reads base64url without padding.
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
