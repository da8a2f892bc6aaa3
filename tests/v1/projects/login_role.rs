//! `/v1/projects/{ref}/cli/login-role`.

use serde_json::json;
use sim_core::Role;
use sim_fixtures::{Api, Call, api::peek, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::both;

const ROLE: &str = "/v1/projects/{ref}/cli/login-role";

/// The number of roles, valid or expired.
fn count(api: &mut dyn Api) -> u64 {
    let rows = peek(api, |sim| sim.query_journal("select count(*) as count from login_role"));
    rows.expect("it is a query")[0]["count"].as_u64().expect("a count")
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::post(ROLE).json(json!({ "read_only": true })), Role::Developer),
        (Call::delete(ROLE), Role::Developer),
    ]);
}

#[test]
fn roles_are_made_for_an_hour_and_deleted_together() {
    both(scenario::active_project, |api| {
        let reads = api.post(ROLE, json!({ "read_only": true })).json();
        let writes = api.post(ROLE, json!({ "read_only": false })).json();
        assert_eq!((&reads["ttl_seconds"], &writes["ttl_seconds"]), (&json!(3600), &json!(3600)));
        assert_ne!(reads["role"], writes["role"]);
        assert_ne!(reads["password"], writes["password"]);
        let journal = peek(api, |sim| serde_json::to_string(&sim.journal()).expect("it is plain data"));
        assert!(!journal.contains(reads["password"].as_str().expect("a password")));
        assert_eq!(count(api), 2);
        api.after(3600);
        api.post(ROLE, json!({ "read_only": true }));
        assert_eq!(count(api), 1, "expired ones are removed");
        assert_eq!(api.delete(ROLE).to_string(), r#"200 {"message":"ok"}"#);
        assert_eq!(count(api), 0);
        api.act("/v1/projects/{ref}/pause");
        let text = "Failed to create login role: Connection terminated due to connection timeout";
        refused(&api.post(ROLE, json!({ "read_only": true })), 544, "service_unreachable", text);
    });
}
