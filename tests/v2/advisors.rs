//! `/v2/projects/{ref}/advisors/run`.

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{Steps as _, refuse_strangers};
use crate::support::both;

const RUN: &str = "/v2/projects/{ref}/advisors/run";

fn asked(names: &[&str]) -> Value {
    let lints: Vec<_> = names.iter().map(|name| json!({ "name": name })).collect();
    json!({ "data": { "type": "project_advisors", "attributes": { "lints": lints } } })
}

/// The names of what the checks find.
fn found(api: &mut dyn Api, names: &[&str]) -> Vec<String> {
    let reply = api.post(RUN, asked(names));
    assert_eq!(reply.status, 200, "{reply}");
    let lints = reply.json()["data"]["attributes"]["lints"].take();
    let all = lints.as_array().expect("a list").iter();
    all.map(|one| one["name"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn strangers_and_wrong_references_are_refused() {
    refuse_strangers(&[(Call::post(RUN).json(asked(&["ssl_not_enforced"])), Role::ReadOnly)]);
}

#[test]
fn checks_of_the_catalog_are_those_of_the_first_version() {
    both(scenario::active_project, |api| {
        api.post("/v1/projects/{ref}/database/query", json!({ "query": "create table item (name text)" }));
        let names = ["rls_disabled_in_public", "no_primary_key", "no_primary_key", "duplicate_index"];
        assert_eq!(found(api, &names), names[..2]);
        let first = api.get("/v1/projects/{ref}/advisors/performance").json()["lints"][0].clone();
        let again = api.post(RUN, asked(&["no_primary_key"])).json();
        assert_eq!(again["data"]["attributes"]["lints"], json!([first]));
    });
}

#[test]
fn checks_of_settings_pass_once_the_settings_are_good() {
    both(scenario::active_project, |api| {
        let names = [
            "auth_leaked_password_protection",
            "auth_insufficient_mfa_options",
            "auth_password_policy_missing",
            "password_requirements_min_length",
            "ssl_not_enforced",
            "network_restrictions_not_set",
            "pitr_not_enabled",
        ];
        assert_eq!(found(api, &names), names);
        let auth = json!({
            "password_hibp_enabled": true,
            "mfa_phone_enroll_enabled": true,
            "mfa_phone_verify_enabled": true,
            "password_min_length": 8,
            "password_required_characters":
                "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:0123456789",
        });
        let at = |path: &str| format!("/v1/projects/{{ref}}{path}");
        assert_eq!(api.patch(&at("/config/auth"), auth).status, 200);
        let enforced = json!({ "requestedConfig": { "database": true } });
        api.send(Call::put(&at("/ssl-enforcement")).json(enforced));
        api.post(&at("/network-restrictions/apply"), json!({ "dbAllowedCidrs": ["10.0.0.0/8"] }));
        api.after(60);
        api.resize("small");
        api.addon("pitr_7", true);
        assert_eq!(found(api, &names), [""; 0]);
    });
}

#[test]
fn settings_can_be_worse_than_they_are_at_first() {
    both(scenario::active_project, |api| {
        let names = ["auth_otp_long_expiry", "auth_otp_short_length"];
        assert_eq!(found(api, &names), [""; 0]);
        let worse = json!({ "mailer_otp_exp": 3601, "sms_otp_length": 5 });
        assert_eq!(api.patch("/v1/projects/{ref}/config/auth", worse).status, 200);
        assert_eq!(found(api, &names), names);
    });
}

#[test]
fn logs_versions_and_administrators_are_checked() {
    both(scenario::active_project, |api| {
        let names = ["log_connections_not_enabled", "vulnerable_postgres_version", "no_backup_admin"];
        let administrator = "/_sim/organizations/acme/members/administrator";
        api.control(Method::DELETE, administrator, json!({}));
        assert_eq!(found(api, &names), names);
        let settings = json!({ "log_connections": true });
        let written = api.send(Call::put("/v1/projects/{ref}/config/database/postgres").json(settings));
        assert_eq!(written.status, 200, "{written}");
        let newest = api.get("/v1/projects/{ref}/upgrade/eligibility").json();
        let target = newest["target_upgrade_versions"].as_array().and_then(|all| all.last()).cloned();
        let target = target.expect("a later version is offered")["postgres_version"].clone();
        let upgraded = api.post("/v1/projects/{ref}/upgrade", json!({ "target_version": target }));
        assert_eq!(upgraded.status, 201, "{upgraded}");
        api.after(3600);
        api.control(Method::PUT, administrator, json!({ "role": "Administrator" }));
        assert_eq!(found(api, &names), [""; 0]);
    });
}

#[test]
fn what_can_not_be_checked_is_said() {
    both(scenario::active_project, |api| {
        let reply = api.post(RUN, asked(&["leaked_service_key"])).json();
        let lint = reply["data"]["attributes"]["lints"][0].clone();
        assert_eq!((&lint["name"], &lint["level"]), (&json!("advisor_check_unavailable"), &json!("INFO")));
        assert_eq!(lint["metadata"]["name"], "leaked_service_key");
        api.control(Method::PUT, "/_sim/projects/{ref}/health/db", json!({ "healthy": false }));
        let names = ["db_not_reachable", "db_connection_failing", "instance_db_down", "no_primary_key"];
        let expected =
            ["db_not_reachable", "db_connection_failing", "instance_db_down", "advisor_check_unavailable"];
        assert_eq!(found(api, &names), expected);
        api.control(Method::PUT, "/_sim/projects/{ref}/health/db", json!({ "healthy": true }));
        api.post("/v1/projects/{ref}/pause", json!({}));
        assert_eq!(found(api, &names), ["project_not_active"]);
    });
}

#[test]
fn wrong_checks_are_refused_by_name() {
    both(scenario::active_project, |api| {
        for (names, field) in [(vec![], ""), (vec!["magic"], ".0.name"), (vec!["no_primary_key"; 16], "")] {
            let reply = api.post(RUN, asked(&names));
            assert_eq!(reply.reason(), format!("invalid_body.data.attributes.lints{field}"));
        }
    });
}
