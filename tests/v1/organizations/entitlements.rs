//! `/v1/organizations/{slug}/entitlements`.

use http::Method;
use serde_json::{Value, json};
use sim_fixtures::{Api, Call, scenario};

use crate::steps::Steps as _;
use crate::support::both;

const ENTITLEMENTS: &str = "/v1/organizations/acme/entitlements";

fn of(api: &mut dyn Api, key: &str) -> Value {
    let all = api.get(ENTITLEMENTS).json()["entitlements"].as_array().expect("a list").clone();
    let found = all.into_iter().find(|one| one["feature"]["key"] == key).expect("it is listed");
    assert_eq!(
        (&found["hasAccess"], &found["type"]),
        (&found["config"]["enabled"], &found["feature"]["type"])
    );
    found["config"].clone()
}

#[test]
fn they_follow_the_plan() {
    both(scenario::active_project, |api| {
        assert_eq!(of(api, "vanity_subdomain"), json!({ "enabled": true }));
        let functions = json!({ "enabled": true, "value": 500, "unlimited": false, "unit": "count" });
        assert_eq!(of(api, "function.max_count"), functions);
        assert_eq!(of(api, "branching_limit")["unlimited"], true);
        assert_eq!(of(api, "pitr.available_variants")["set"], json!(["pitr_7", "pitr_14", "pitr_28"]));
        assert_eq!(of(api, "backup.retention_days")["value"], 7);
        api.plan("free");
        assert_eq!(of(api, "vanity_subdomain"), json!({ "enabled": false }));
        assert_eq!(of(api, "function.max_count")["value"], 100);
        assert_eq!(of(api, "branching_limit")["enabled"], false);
        assert_eq!(
            of(api, "instances.compute_update_available_sizes"),
            json!({ "enabled": false, "set": [] })
        );
        api.plan("enterprise");
        assert_eq!(of(api, "function.max_count")["unlimited"], true);
    });
}

#[test]
fn members_see_them() {
    both(scenario::active_project, |api| {
        assert_eq!(api.send(Call::get(ENTITLEMENTS).token("token-of-reader")).status, 200);
        assert_eq!(api.send(Call::get(ENTITLEMENTS).token("token-of-outsider")).reason(), "not_a_member");
        assert_eq!(api.get("/v1/organizations/nowhere/entitlements").status, 404);
        assert_eq!(api.send(Call::new(Method::POST, ENTITLEMENTS)).status, 405);
    });
}
