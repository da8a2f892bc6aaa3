//! `/v1/organizations`.

mod entitlements;
mod members;
mod projects;

use http::Method;
use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_fixtures::{Call, scenario};

use crate::steps::Steps as _;
use crate::support::both;

#[test]
fn a_new_world_has_one_organization() {
    both(scenario::fresh, |api| {
        assert_snapshot!(api.get("/v1/organizations"), @r#"200 [{"id":"acme","slug":"acme","name":"Acme"}]"#);
    });
}

#[test]
fn a_new_organization_is_free_and_owned_by_its_creator() {
    both(scenario::four_roles, |api| {
        let made = api.send(
            Call::post("/v1/organizations").token("token-of-outsider").json(json!({ "name": "Umbrella" })),
        );
        assert_snapshot!(made, @r#"201 {"id":"cqqilphfzhbjinwyoxif","slug":"cqqilphfzhbjinwyoxif","name":"Umbrella"}"#);
        let path = format!("/v1/organizations/{}", made.json()["id"].as_str().expect("a slug"));
        assert_snapshot!(api.send(Call::get(&path).token("token-of-outsider")), @r#"200 {"id":"cqqilphfzhbjinwyoxif","name":"Umbrella","plan":"free","opt_in_tags":[],"allowed_release_channels":["ga","preview"]}"#);
        assert_snapshot!(api.send(Call::get(&format!("{path}/members")).token("token-of-outsider")), @r#"200 [{"user_id":"b167efcb-e4c3-4e90-ab2d-af737e33da98","user_name":"outsider","email":"outsider@example.test","role_name":"Owner","mfa_enabled":false,"avatar_url":null}]"#);
    });
}

#[test]
fn an_organization_shows_its_plan_and_release_channels() {
    both(scenario::four_roles, |api| {
        assert_snapshot!(api.get("/v1/organizations/acme"), @r#"200 {"id":"acme","name":"Acme","plan":"pro","opt_in_tags":[],"allowed_release_channels":["ga","preview"]}"#);
    });
}

#[test]
fn outsiders_see_no_organization() {
    both(scenario::four_roles, |api| {
        assert_snapshot!(api.send(Call::get("/v1/organizations").token("token-of-outsider")), @"200 []");
        assert_snapshot!(api.send(Call::get("/v1/organizations/acme").token("token-of-outsider")), @r#"403 {"message":"Your account does not have the necessary privileges to access this endpoint. For more details, refer to our documentation on access control."}"#);
    });
}

#[test]
fn an_unknown_organization_is_not_found() {
    both(scenario::fresh, |api| {
        assert_snapshot!(api.get("/v1/organizations/umbrella"), @r#"404 {"message":"Organization not found"}"#);
    });
}

#[test]
fn a_slug_is_letters_digits_underscores_and_hyphens() {
    both(scenario::fresh, |api| {
        let reply = api.get("/v1/organizations/no%20blanks");
        assert_snapshot!(reply, @r#"400 {"message":"slug: Invalid, must be a string matching ^[\\w-]+$"}"#);
        assert_eq!(reply.reason(), "invalid_path.slug");
    });
}

#[test]
fn an_organization_needs_a_name_of_1_to_256_characters_and_nothing_else() {
    both(scenario::fresh, |api| {
        assert_snapshot!(api.post("/v1/organizations", json!({})), @r#"400 {"message":"name: Required"}"#);
        assert_snapshot!(api.post("/v1/organizations", json!({ "name": "" })), @r#"400 {"message":"name: String must contain at least 1 character(s)"}"#);
        assert_snapshot!(api.post("/v1/organizations", json!({ "name": "é".repeat(257) })), @r#"400 {"message":"name: String must contain at most 256 character(s)"}"#);
        assert_snapshot!(api.post("/v1/organizations", json!({ "name": null })), @r#"400 {"message":"name: Expected string, received null"}"#);
        assert_snapshot!(api.post("/v1/organizations", json!({ "name": "x", "plan": "pro" })), @r#"400 {"message":"plan: Unrecognized key, expected one of name"}"#);
        assert_eq!(api.post("/v1/organizations", json!({ "name": "é".repeat(256) })).status, 201);
        assert_eq!(api.get("/v1/organizations").json().as_array().map(Vec::len), Some(2));
    });
}

#[test]
fn a_limited_token_makes_no_organization() {
    both(scenario::active_project, |api| {
        for limit in [json!({ "projects": [api.project()] }), json!({ "organizations": ["acme"] })] {
            let made = api.post("/_sim/users/owner/tokens", limit).json();
            let token = made["token"].as_str().expect("a token").to_owned();
            let call = Call::post("/v1/organizations").json(json!({ "name": "Theirs" })).token(&token);
            assert_eq!(api.send(call).reason(), "token_limited");
        }
    });
}

#[test]
fn a_lower_plan_tells_what_it_lacks_and_ends_it_if_asked() {
    both(scenario::active_project, |api| {
        let plan = "/_sim/organizations/acme/plan";
        api.control(Method::PUT, plan, json!({ "plan": "team" }));
        api.resize("small");
        let addon = json!({ "addon_type": "pitr", "addon_variant": "pitr_7" });
        assert_eq!(api.patch("/v1/projects/{ref}/billing/addons", addon).status, 200);
        let replica = json!({ "read_replica_region": "eu-west-1" });
        assert_eq!(api.post("/v1/projects/{ref}/read-replicas/setup", replica).status, 201);
        assert_eq!(api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).status, 201);
        api.after(60);
        let lower = api.control(Method::PUT, plan, json!({ "plan": "free" }));
        let keeps = ["addons", "instance_size", "read_replicas", "branches"];
        assert_eq!(lower["kept"], json!([{ "project": api.project(), "keeps": keeps }]));
        let ended = api.control(Method::PUT, plan, json!({ "plan": "free", "enforce": true }));
        assert_eq!((&ended["plan"], ended.get("kept")), (&json!("free"), None));
        let addons = api.get("/v1/projects/{ref}/billing/addons").json();
        assert_eq!(addons["selected_addons"], json!([]));
        assert_eq!(api.control(Method::GET, "/_sim/projects/{ref}/read-replicas", Value::Null), json!([]));
        api.after(60);
        assert_eq!(api.control(Method::PUT, plan, json!({ "plan": "pro" })).get("kept"), None);
        assert_eq!(api.get("/v1/projects/{ref}/branches").json(), json!([]));
    });
}
