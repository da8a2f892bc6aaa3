//! `/v1/projects/{ref}/config/auth/third-party-auth`.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use sim_core::{Role, Simulator};
use sim_fixtures::{Call, scenario};

use crate::steps::{refuse_strangers, refused};
use crate::support::both;

const ALL: &str = "/v1/projects/{ref}/config/auth/third-party-auth";

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let one = "/v1/projects/{ref}/config/auth/third-party-auth/00000000-0000-4000-8000-000000000000";
    refuse_strangers(&[
        (Call::get(ALL), Role::ReadOnly),
        (Call::get(one), Role::ReadOnly),
        (Call::post(ALL).json(json!({ "jwks_url": "https://a.example" })), Role::Administrator),
        (Call::delete(one), Role::Administrator),
    ]);
}

#[test]
fn another_service_is_accepted_and_then_no_more() {
    both(scenario::active_project, |api| {
        let keys = json!({ "keys": [{ "kty": "oct", "k": "AQ" }] });
        let made = api.post(ALL, json!({ "custom_jwks": keys })).json();
        assert_eq!((&made["type"], &made["resolved_jwks"]), (&json!("custom"), &keys));
        assert_eq!(made["resolved_at"], made["inserted_at"]);
        let one = format!("{ALL}/{}", made["id"].as_str().expect("it has an id"));
        assert_eq!((api.get(&one).json(), api.get(ALL).json()), (made.clone(), json!([made])));
        assert_eq!(api.delete(&one).json(), made);
        refused(&api.get(&one), 404, "third_party_auth_not_found", "Third party auth not found");
        assert_eq!(api.get(ALL).to_string(), "200 []");
    });
}

#[test]
fn its_keys_have_exactly_one_source() {
    both(scenario::active_project, |api| {
        let none = "oidc_issuer_url: Required, or jwks_url or custom_jwks in its place";
        refused(&api.post(ALL, json!({})), 400, "invalid_body.oidc_issuer_url", none);
        let both = json!({ "jwks_url": "https://a.example", "oidc_issuer_url": "https://a.example" });
        assert_eq!(api.post(ALL, both).reason(), "invalid_body.oidc_issuer_url");
        assert_eq!(
            api.post(ALL, json!({ "jwks_url": "http://a.example" })).reason(),
            "invalid_body.jwks_url"
        );
        assert_eq!(api.post(ALL, json!({ "custom_jwks": {} })).status, 400);
        let issuer = json!({ "oidc_issuer_url": "https://a.example" });
        assert_eq!(api.post(ALL, issuer.clone()).status, 201);
        assert_eq!(api.post(ALL, issuer).reason(), "third_party_auth_exists");
    });
}

#[test]
fn metadata_at_an_address_is_fetched_if_there_is_a_fetcher() {
    let pages = BTreeMap::from([
        ("https://a.example/.well-known/openid-configuration", r#"{"jwks_uri":"https://a.example/keys"}"#),
        ("https://a.example/keys", r#"{"keys":[{"kid":"one"}]}"#),
    ]);
    let fetch =
        move |url: &str| pages.get(url).map(|page| (*page).to_owned()).ok_or("nothing is there".to_owned());
    let mut sim = Simulator::builder().metadata_fetcher(Arc::new(fetch)).build();
    let project =
        sim.call(sim_core::management::project::CreateProject::named("demo", "acme")).expect("a project");
    let mut made = |field: &str, url: &str| {
        let mut body = json!({ "ref": project.id });
        body[field] = url.into();
        let create: sim_core::management::third_party_auth::CreateThirdPartyAuth =
            serde_json::from_value(body).expect("it is a request");
        sim.call(create).expect("it is valid").resolved_jwks
    };
    let keys = json!({ "keys": [{ "kid": "one" }] });
    assert_eq!(made("oidc_issuer_url", "https://a.example/"), Some(keys.clone()));
    assert_eq!(made("jwks_url", "https://a.example/keys"), Some(keys));
    assert_eq!(made("jwks_url", "https://b.example/keys"), None);
}
