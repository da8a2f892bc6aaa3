//! `/_sim/users` and `/_sim/tokens`.

use insta::assert_snapshot;
use serde_json::json;
use sim_fixtures::{Api, Call, scenario};

use crate::support::{TICK, both, seconds};

#[test]
fn a_new_user_is_listed_after_the_others() {
    both(scenario::fresh, |api| {
        assert_snapshot!(api.post("/_sim/users", json!({ "name": "zoe", "mfa_enabled": true })), @r#"201 {"id":2,"user_id":"99c0c657-704c-4d96-9618-7397eaae6603","name":"zoe","email":"zoe@example.test","mfa_enabled":true}"#);
        assert_snapshot!(api.get("/_sim/users"), @r#"200 [{"id":1,"user_id":"42cfc695-ccd5-425d-a823-5a35667d65a2","name":"owner","email":"owner@example.test","mfa_enabled":false},{"id":2,"user_id":"99c0c657-704c-4d96-9618-7397eaae6603","name":"zoe","email":"zoe@example.test","mfa_enabled":true}]"#);
    });
}

#[test]
fn names_and_addresses_are_taken_once() {
    both(scenario::fresh, |api| {
        assert_snapshot!(api.post("/_sim/users", json!({ "name": "owner" })), @r#"400 {"message":"name: a user with the name owner or the address owner@example.test exists already"}"#);
        let other = json!({ "name": "zoe", "email": "owner@example.test" });
        assert_eq!(api.post("/_sim/users", other).reason(), "user_exists");
    });
}

#[test]
fn a_token_is_shown_once_and_valid_until_revoked() {
    both(scenario::fresh, |api| {
        let made = api.post("/_sim/users/owner/tokens", json!({ "name": "laptop" }));
        assert_snapshot!(made, @r#"201 {"id":2,"token":"pat_4ff6eeaf338c433b336932620a61725249eece6f"}"#);
        let token = made.json()["token"].as_str().expect("a token").to_owned();
        assert_snapshot!(api.get("/_sim/tokens"), @r#"200 [{"id":1,"user":"owner","name":"given"},{"id":2,"user":"owner","name":"laptop"}]"#);
        assert_eq!(list(api, &token), 200);
        assert_snapshot!(api.delete("/_sim/tokens/2"), @"200 {}");
        assert_eq!(list(api, &token), 401);
        assert_snapshot!(api.delete("/_sim/tokens/2"), @r#"404 {"message":"Token not found"}"#);
        assert_snapshot!(api.get("/_sim/tokens").json()[1], @r#"{"id":2,"user":"owner","name":"laptop","revoked_by_call":4}"#);
    });
}

fn list(api: &mut dyn Api, token: &str) -> u16 {
    api.send(Call::get("/v1/organizations").token(token)).status
}

#[test]
fn a_token_lasts_as_long_as_was_said_to_the_instant() {
    both(scenario::fresh, |api| {
        api.post("/_sim/users/owner/tokens", json!({ "token": "brief", "lasts_s": 60 }));
        api.advance(seconds(60) - TICK);
        assert_eq!(list(api, "brief"), 200);
        api.advance(TICK);
        let late = api.send(Call::get("/v1/organizations").token("brief"));
        assert_snapshot!(late, @r#"401 {"message":"Unauthorized"}"#);
        assert_eq!(late.reason(), "token_expired");
    });
}

#[test]
fn an_app_may_do_what_its_scopes_say() {
    both(scenario::fresh, |api| {
        api.post("/_sim/users/owner/tokens", json!({ "token": "app", "scopes": ["projects:read"] }));
        assert_eq!(api.send(Call::get("/v1/projects").token("app")).status, 200);
        let reply = api.send(Call::get("/v1/organizations").token("app"));
        assert_snapshot!(reply, @r#"403 {"message":"Your account does not have the necessary privileges to access this endpoint. For more details, refer to our documentation on access control."}"#);
        assert_eq!(reply.reason(), "scope_missing");
    });
}

#[test]
fn a_token_text_is_one_word_and_taken_once() {
    both(scenario::four_roles, |api| {
        for text in ["", "two words", "tab\t", "token-of-owner"] {
            let reply = api.post("/_sim/users/owner/tokens", json!({ "token": text }));
            assert_eq!(reply.status, 400, "{text:?}: {reply}");
        }
        assert_snapshot!(api.post("/_sim/users/nobody/tokens", json!({})), @r#"404 {"message":"User not found"}"#);
        assert_snapshot!(api.post("/_sim/users/owner/tokens", json!({ "lasts_s": 0 })), @r#"400 {"message":"lasts_s: Number must be greater than or equal to 1"}"#);
    });
}

#[test]
fn memberships_and_plans_refuse_unknown_names() {
    both(scenario::fresh, |api| {
        let role = || json!({ "role": "Owner" });
        assert_snapshot!(api.put("/_sim/organizations/umbrella/members/owner", role()), @r#"404 {"message":"Organization not found"}"#);
        assert_snapshot!(api.put("/_sim/organizations/acme/members/nobody", role()), @r#"404 {"message":"User not found"}"#);
        assert_snapshot!(api.put("/_sim/organizations/acme/members/owner", json!({ "role": "King" })), @r#"400 {"message":"role: Invalid enum value. Expected 'Read-only' | 'Developer' | 'Administrator' | 'Owner', received 'King'"}"#);
        assert_snapshot!(api.delete("/_sim/organizations/acme/members/nobody"), @r#"404 {"message":"User not found"}"#);
        assert_snapshot!(api.put("/_sim/organizations/umbrella/plan", json!({ "plan": "pro" })), @r#"404 {"message":"Organization not found"}"#);
        assert_snapshot!(api.put("/_sim/organizations/acme/plan", json!({ "plan": "gold" })), @r#"400 {"message":"plan: Invalid enum value. Expected 'free' | 'pro' | 'team' | 'enterprise', received 'gold'"}"#);
    });
}

#[test]
fn no_token_is_needed_and_no_call_counted() {
    both(scenario::fresh, |api| {
        let reply = api.send(Call::get("/_sim/users").nobody());
        assert_eq!((reply.status, reply.header("x-ratelimit-limit")), (200, ""));
        assert_snapshot!(api.send(Call::get("/_sim/nothing/here").nobody()), @r#"404 {"message":"Cannot GET /_sim/nothing/here"}"#);
        let wrong = api.send(Call::put("/_sim/users").nobody().json(json!({})));
        assert_snapshot!(wrong, @r#"405 {"message":"Cannot PUT /_sim/users; the methods are GET, POST"}"#);
        assert_eq!(wrong.header("allow"), "POST, GET, HEAD, OPTIONS");
    });
}

#[test]
fn addons_are_added_and_removed() {
    both(scenario::active_project, |api| {
        let path = "/_sim/projects/{ref}/addons";
        assert_snapshot!(api.get(path), @"200 []");
        for addon in ["pitr_7", "custom_domain"] {
            assert_eq!(api.put(&format!("{path}/{addon}"), json!({ "enabled": true })).status, 200);
        }
        assert_snapshot!(api.get(path), @r#"200 ["custom_domain","pitr_7"]"#);
        api.put("/_sim/projects/{ref}/addons/pitr_7", json!({ "enabled": false }));
        assert_snapshot!(api.get(path), @r#"200 ["custom_domain"]"#);
        assert_snapshot!(api.put("/_sim/projects/{ref}/addons/sauna", json!({ "enabled": true })), @r#"400 {"message":"addon: Invalid enum value. Expected 'custom_domain' | 'pitr_7' | 'pitr_14' | 'pitr_28' | 'ipv4' | 'auth_mfa_phone' | 'auth_mfa_web_authn' | 'log_drain' | 'etl_pipeline', received 'sauna'"}"#);
    });
}
