//! `/_sim/organizations/{slug}/options` and `/_sim/projects/{ref}/pool-mode`: settings that only the
//! service's web pages can change.

use insta::assert_snapshot;
use serde_json::json;
use sim_fixtures::scenario;

use crate::support::both;

#[test]
fn options_of_an_organization_stay_where_not_given() {
    both(scenario::four_roles, |api| {
        let path = "/_sim/organizations/acme/options";
        assert_eq!(api.put(path, json!({ "opt_in_tags": ["AI_SQL_GENERATOR_OPT_IN"] })).status, 200);
        assert_snapshot!(api.put(path, json!({ "allowed_release_channels": ["beta"] })), @r#"200 {"id":"acme","name":"Acme","plan":"pro","opt_in_tags":["AI_SQL_GENERATOR_OPT_IN"],"allowed_release_channels":["beta"]}"#);
        assert_eq!(api.get("/v1/organizations/acme").json(), api.put(path, json!({})).json());
        let reply = api.put(path, json!({ "opt_in_tags": ["ALL"] }));
        assert_eq!((reply.status, reply.reason()), (400, "invalid_body.opt_in_tags.0"), "{reply}");
        let nowhere = api.put("/_sim/organizations/nowhere/options", json!({}));
        assert_snapshot!(nowhere, @r#"404 {"message":"Organization not found"}"#);
    });
}

#[test]
fn a_pool_mode_is_set_and_seen() {
    both(scenario::active_project, |api| {
        let (path, config) =
            ("/_sim/projects/{ref}/pool-mode", "/v1/projects/{ref}/config/database/pgbouncer");
        for mode in ["session", "statement", "transaction"] {
            assert_snapshot!(api.put(path, json!({ "pool_mode": mode })), @"200 {}");
            assert_eq!(api.get(config).json()["pool_mode"], mode);
        }
        assert_eq!(api.put(path, json!({ "pool_mode": "never" })).reason(), "invalid_body.pool_mode");
    });
    both(scenario::four_roles, |api| {
        let reply = api.put("/_sim/projects/{ref}/pool-mode", json!({ "pool_mode": "session" }));
        assert_snapshot!(reply, @r#"404 {"message":"Project not found"}"#);
    });
}
