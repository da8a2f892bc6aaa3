//! `/v1/projects/{ref}/vanity-subdomain`.

use serde_json::json;
use sim_core::Role;
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{Steps as _, message, refuse_strangers, under};
use crate::support::both;

use super::custom_hostname::{self, initialize, with_addon};

const SUBDOMAIN: &str = "/v1/projects/{ref}/vanity-subdomain";
const CHECK: &str = "/v1/projects/{ref}/vanity-subdomain/check-availability";
const ACTIVATE: &str = "/v1/projects/{ref}/vanity-subdomain/activate";

fn activate(api: &mut dyn Api, name: &str) -> String {
    api.post(ACTIVATE, json!({ "vanity_subdomain": name })).to_string()
}

fn available(api: &mut dyn Api, name: &str) -> String {
    api.post(CHECK, json!({ "vanity_subdomain": name })).to_string()
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let name = || json!({ "vanity_subdomain": "demo" });
    refuse_strangers(&[
        (Call::get(SUBDOMAIN), Role::ReadOnly),
        (Call::post(CHECK).json(name()), Role::ReadOnly),
        (Call::post(ACTIVATE).json(name()), Role::Administrator),
        (Call::delete(SUBDOMAIN), Role::Administrator),
    ]);
}

#[test]
fn a_vanity_subdomain_is_checked_activated_seen_and_deleted() {
    both(scenario::active_project, |api| {
        assert_eq!(api.get(SUBDOMAIN).to_string(), r#"200 {"status":"not-used"}"#);
        assert_eq!(available(api, "demo"), r#"201 {"available":true}"#);
        for _ in 0..2 {
            assert_eq!(activate(api, "demo"), r#"201 {"custom_domain":"demo.platform.test"}"#);
        }
        let active = r#"200 {"status":"active","custom_domain":"demo.platform.test"}"#;
        assert_eq!(api.get(SUBDOMAIN).to_string(), active);
        assert_eq!(api.delete(SUBDOMAIN).to_string(), "200 {}");
        assert_eq!(available(api, "demo"), r#"201 {"available":true}"#);
        let words = "Vanity subdomain not configured for project";
        assert_eq!(api.delete(SUBDOMAIN).to_string(), message(400, words));
    });
}

#[test]
fn a_name_is_taken_by_projects_their_references_and_the_platform() {
    both(scenario::active_project, |api| {
        let (first, second) = (api.project(), api.another_project("second"));
        activate(api, "demo");
        let (check, activate) = (CHECK.replace("{ref}", &second), ACTIVATE.replace("{ref}", &second));
        for name in ["demo", "www", &first, &second] {
            let body = || json!({ "vanity_subdomain": name });
            assert_eq!(api.post(&check, body()).to_string(), r#"201 {"available":false}"#, "{name}");
            let words = format!("The vanity subdomain {name} is not available.");
            assert_eq!(api.post(&activate, body()).to_string(), message(400, &words));
        }
        api.delete("/v1/projects/{ref}");
        assert_eq!(api.post(&activate, json!({ "vanity_subdomain": "demo" })).status, 201);
    });
}

#[test]
fn a_project_has_one_vanity_subdomain_at_a_time() {
    both(scenario::active_project, |api| {
        activate(api, "demo");
        let words = "Delete the vanity subdomain of the project before activating another one.";
        assert_eq!(activate(api, "other"), message(400, words));
    });
}

#[test]
fn a_vanity_subdomain_is_a_dns_label() {
    let long = "a".repeat(64);
    both(scenario::active_project, |api| {
        for name in ["", "-demo", "demo-", "de.mo", "de_mo", "Demo", &long] {
            for reply in [activate(api, name), available(api, name)] {
                assert!(reply.starts_with(r#"400 {"message":"vanity_subdomain: "#), "{name}: {reply}");
            }
        }
        assert!(activate(api, &long[1..]).starts_with("201"));
    });
}

#[test]
fn the_free_plan_has_no_vanity_subdomain_unless_the_policy_says_so() {
    both(scenario::active_project, |api| {
        api.plan("free");
        let words =
            "Vanity subdomains are not included in the free plan, please upgrade the organization first.";
        assert_eq!(activate(api, "demo"), message(400, words));
    });
    both(
        || under(|policy| policy.free_plan_vanity_subdomain = true),
        |api| {
            api.plan("free");
            assert!(activate(api, "demo").starts_with("201"));
        },
    );
}

#[test]
fn custom_hostname_and_vanity_subdomain_exclude_each_other() {
    both(custom_hostname::verified, |api| {
        let words = "The project has a custom hostname, delete that before activating a vanity subdomain.";
        assert_eq!(activate(api, "demo"), message(400, words));
        assert_eq!(api.get(SUBDOMAIN).to_string(), r#"200 {"status":"not-used"}"#);
        api.act("/v1/projects/{ref}/custom-hostname/activate");
        let used = r#"200 {"status":"custom-domain-used","custom_domain":"app.example.com"}"#;
        assert_eq!(api.get(SUBDOMAIN).to_string(), used);
    });
    both(with_addon, |api| {
        activate(api, "demo");
        let words = "The project has a vanity subdomain, delete that before setting up a custom hostname.";
        assert_eq!(initialize(api).to_string(), message(400, words));
    });
}
