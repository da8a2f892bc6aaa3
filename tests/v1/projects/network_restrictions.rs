//! `/v1/projects/{ref}/network-restrictions`: networks that may connect to a project's database.

use http::Method;
use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::{Edition, Role};
use sim_fixtures::{Call, scenario};

use crate::steps::{Steps as _, message, refuse_strangers, under};
use crate::support::both;

use super::network_bans::fail_login;

const RESTRICTIONS: &str = "/v1/projects/{ref}/network-restrictions";
const APPLY: &str = "/v1/projects/{ref}/network-restrictions/apply";

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::get(RESTRICTIONS), Role::ReadOnly),
        (Call::post(APPLY).json(json!({})), Role::Administrator),
        (Call::new(Method::PATCH, RESTRICTIONS).json(json!({})), Role::Administrator),
    ]);
}

#[test]
fn a_new_project_lets_everyone_in() {
    both(scenario::active_project, |api| {
        assert_snapshot!(api.get(RESTRICTIONS), @r#"200 {"entitlement":"allowed","config":{"dbAllowedCidrs":["0.0.0.0/0"],"dbAllowedCidrsV6":["::/0"]},"status":"applied"}"#);
    });
}

#[test]
fn in_the_first_edition_a_new_project_has_no_status_of_restrictions() {
    both(
        || under(|policy| policy.edition = Edition::V2025_05),
        |api| {
            assert_snapshot!(api.get(RESTRICTIONS), @r#"200 {"entitlement":"allowed","config":{"dbAllowedCidrs":["0.0.0.0/0"],"dbAllowedCidrsV6":["::/0"]}}"#);
        },
    );
}

#[test]
fn apply_replaces_both_lists_and_a_missing_one_becomes_empty() {
    both(scenario::active_project, |api| {
        let body = json!({ "dbAllowedCidrs": ["10.0.0.0/8"], "dbAllowedCidrsV6": ["2001:db8::/32"] });
        assert_snapshot!(api.post(APPLY, body), @r#"201 {"entitlement":"allowed","config":{"dbAllowedCidrs":["10.0.0.0/8"],"dbAllowedCidrsV6":["2001:db8::/32"]},"status":"applied","updated_at":"2026-01-01T00:01:00Z","applied_at":"2026-01-01T00:01:00Z"}"#);
        api.post(APPLY, json!({ "dbAllowedCidrs": ["192.0.2.0/24"] }));
        let after = api.get(RESTRICTIONS).json();
        assert_eq!(after["config"], json!({ "dbAllowedCidrs": ["192.0.2.0/24"], "dbAllowedCidrsV6": [] }));
    });
}

#[test]
fn slow_restrictions_are_stored_beside_those_in_force_and_then_applied() {
    both(
        || under(|policy| policy.durations.apply_restrictions_ms = 10_000),
        |api| {
            let everyone = json!({ "dbAllowedCidrs": ["0.0.0.0/0"], "dbAllowedCidrsV6": ["::/0"] });
            for net in ["10.0.0.0/8", "192.0.2.0/24"] {
                let stored = api.post(APPLY, json!({ "dbAllowedCidrs": [net] })).json();
                assert_eq!(
                    (&stored["status"], &stored["old_config"]),
                    (&json!("stored"), &everyone),
                    "{net}"
                );
                api.after(5);
            }
            assert_eq!(fail_login(api, "198.51.100.7"), "wrong_password");
            api.after(5);
            let applied = api.get(RESTRICTIONS).json();
            assert_eq!((&applied["status"], applied.get("old_config")), (&json!("applied"), None));
            assert_eq!(fail_login(api, "198.51.100.7"), "network_restricted");
        },
    );
}

#[test]
fn networks_are_read_as_cidr_of_their_family() {
    let rows: [(Value, &str); 5] = [
        (
            json!({ "dbAllowedCidrs": ["10.0.0.0/8", "10.0.0.0/33"] }),
            "dbAllowedCidrs.1: Invalid, must be an IPv4 network",
        ),
        (json!({ "dbAllowedCidrs": ["10.0.0.1"] }), "dbAllowedCidrs.0: Invalid"),
        (json!({ "dbAllowedCidrs": ["::/0"] }), "dbAllowedCidrs.0: Invalid"),
        (
            json!({ "dbAllowedCidrsV6": ["10.0.0.0/8"] }),
            "dbAllowedCidrsV6.0: Invalid, must be an IPv6 network",
        ),
        (json!({ "dbAllowedCidrs": "10.0.0.0/8" }), "dbAllowedCidrs: Expected array"),
    ];
    both(scenario::active_project, |api| {
        for (body, text) in &rows {
            let reply = api.post(APPLY, body.clone()).to_string();
            assert!(reply.starts_with(&format!(r#"400 {{"message":"{text}"#)), "{body}: {reply}");
        }
    });
}

#[test]
fn the_free_plan_may_not_restrict_unless_the_policy_says_so() {
    let body = || json!({ "dbAllowedCidrs": ["10.0.0.0/8"] });
    both(scenario::active_project, |api| {
        api.plan("free");
        let words = "project not allowed to set up network restrictions";
        assert_eq!(api.post(APPLY, body()).to_string(), message(400, words));
        assert_eq!(api.get(RESTRICTIONS).json()["entitlement"], "disallowed");
    });
    both(
        || under(|policy| policy.free_plan_restrictions = true),
        |api| {
            api.plan("free");
            assert_eq!(api.post(APPLY, body()).status, 201);
        },
    );
}

#[test]
fn networks_are_added_and_removed_without_the_others() {
    both(scenario::active_project, |api| {
        api.post(APPLY, json!({ "dbAllowedCidrs": ["10.0.0.0/8", "192.0.2.0/24"] }));
        let add = json!({ "dbAllowedCidrs": ["192.0.2.0/24"], "dbAllowedCidrsV6": ["2001:db8::/32"] });
        let remove = json!({ "dbAllowedCidrs": ["10.0.0.0/8", "198.51.100.0/24"] });
        let reply = api.patch(RESTRICTIONS, json!({ "add": add, "remove": remove }));
        let ignored = "body.remove.dbAllowedCidrs.1,body.add.dbAllowedCidrs.0";
        assert_eq!(reply.header("x-sim-ignored"), ignored);
        assert_snapshot!(reply, @r#"200 {"entitlement":"allowed","config":{"dbAllowedCidrs":[{"address":"192.0.2.0/24","type":"v4"},{"address":"2001:db8::/32","type":"v6"}]},"status":"applied","updated_at":"2026-01-01T00:01:00Z","applied_at":"2026-01-01T00:01:00Z"}"#);
        let config = api.get(RESTRICTIONS).json()["config"].clone();
        assert_eq!(
            config,
            json!({ "dbAllowedCidrs": ["192.0.2.0/24"], "dbAllowedCidrsV6": ["2001:db8::/32"] })
        );
    });
}

#[test]
fn a_change_of_networks_is_refused_by_name_and_on_the_free_plan() {
    both(scenario::active_project, |api| {
        let reply = api.patch(RESTRICTIONS, json!({ "remove": { "dbAllowedCidrsV6": ["10.0.0.0/8"] } }));
        assert_eq!(reply.reason(), "invalid_body.remove.dbAllowedCidrsV6.0");
        api.plan("free");
        let reply = api.patch(RESTRICTIONS, json!({ "add": { "dbAllowedCidrs": ["10.0.0.0/8"] } }));
        assert_eq!(reply.reason(), "restrictions_not_allowed");
    });
}

#[test]
fn under_review_restrictions_wait_until_they_are_applied_or_rejected() {
    const REVIEW: &str = "/v1/projects/{ref}/network-restrictions/review";
    both(
        || under(|policy| policy.review_restrictions = true),
        |api| {
            let asked = json!({ "dbAllowedCidrs": ["192.0.2.0/24"], "dbAllowedCidrsV6": [] });
            let pending = api.post(APPLY, asked.clone()).json();
            assert_eq!((&pending["pending_config"], &pending["status"]), (&asked, &json!("applied")));
            assert_eq!(pending["config"]["dbAllowedCidrs"], json!(["0.0.0.0/0"]));
            let at = pending["pending_requested_at"].clone();
            let other = json!({ "action": "apply", "requested_at": "2020-01-01T00:00:00Z" });
            assert_eq!(api.post(REVIEW, other).reason(), "restrictions_not_pending");
            let rejected = api.post(REVIEW, json!({ "action": "reject", "requested_at": at })).json();
            assert_eq!(rejected.get("pending_config"), None);
            let again = api.post(APPLY, asked.clone()).json()["pending_requested_at"].clone();
            let applied = api.post(REVIEW, json!({ "action": "apply", "requested_at": again }));
            assert_eq!((applied.status, &applied.json()["config"]), (201, &asked));
            assert_eq!(applied.json()["applied_at"], again, "no time has passed");
        },
    );
}

#[test]
fn a_network_that_comes_twice_is_kept_once_and_named() {
    both(scenario::active_project, |api| {
        let networks = json!(["10.0.0.0/8", "192.0.2.0/24", "10.0.0.0/8"]);
        let reply = api.post(APPLY, json!({ "dbAllowedCidrs": networks }));
        assert_eq!(reply.header("x-sim-ignored"), "body.dbAllowedCidrs.2");
        let kept = json!({ "dbAllowedCidrs": ["10.0.0.0/8", "192.0.2.0/24"], "dbAllowedCidrsV6": [] });
        assert_eq!(reply.json()["config"], kept);
    });
}
