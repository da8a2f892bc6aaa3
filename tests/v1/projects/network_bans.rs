//! `/v1/projects/{ref}/network-bans`: addresses with too many failed log-ins to a project's database.

use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::both;

const BANS: &str = "/v1/projects/{ref}/network-bans";
const RETRIEVE: &str = "/v1/projects/{ref}/network-bans/retrieve";
const ENRICHED: &str = "/v1/projects/{ref}/network-bans/retrieve/enriched";
const FAILED_LOGINS: &str = "/_sim/projects/{ref}/database/failed-logins";
const NONE: &str = r#"201 {"banned_ipv4_addresses":[]}"#;

/// Makes `address` fail to log in to the database, and returns why it was refused.
pub(super) fn fail_login(api: &mut dyn Api, address: &str) -> String {
    let reply = api.post(FAILED_LOGINS, json!({ "address": address })).json();
    reply["refused"].as_str().expect("it was refused").to_owned()
}

fn banned(api: &mut dyn Api) -> String {
    api.act(RETRIEVE).to_string()
}

fn lift(api: &mut dyn Api, body: &Value) -> String {
    api.send(Call::delete(BANS).json(body.clone())).to_string()
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::post(RETRIEVE), Role::ReadOnly),
        (Call::post(ENRICHED), Role::ReadOnly),
        (Call::delete(BANS).json(json!({ "ipv4_addresses": [] })), Role::Administrator),
    ]);
}

#[test]
fn two_failed_logins_ban_an_address_for_thirty_minutes() {
    both(scenario::active_project, |api| {
        assert_eq!(banned(api), NONE);
        let text = "address: Invalid, must be an IP address";
        refused(&api.post(FAILED_LOGINS, json!({ "address": "home" })), 400, "invalid_body.address", text);
        assert_eq!(fail_login(api, "203.0.113.9"), "wrong_password");
        assert_eq!(banned(api), NONE);
        assert_eq!(fail_login(api, "203.0.113.9"), "wrong_password_then_banned");
        assert_eq!(fail_login(api, "203.0.113.9"), "banned");
        fail_login(api, "8.8.8.8");
        fail_login(api, "8.8.8.8");
        assert_eq!(banned(api), r#"201 {"banned_ipv4_addresses":["8.8.8.8","203.0.113.9"]}"#);
        api.after(30 * 60);
        assert_eq!(banned(api), NONE);
        assert_eq!(fail_login(api, "203.0.113.9"), "wrong_password");
    });
}

#[test]
fn addresses_of_both_families_are_banned_and_lifted() {
    both(scenario::active_project, |api| {
        for address in ["2001:db8::1", "2001:db8::1", "203.0.113.9", "203.0.113.9"] {
            fail_login(api, address);
        }
        assert_eq!(banned(api), r#"201 {"banned_ipv4_addresses":["203.0.113.9","2001:db8::1"]}"#);
        assert_eq!(lift(api, &json!({ "ipv4_addresses": ["2001:DB8:0::1"] })), "200 {}");
        assert_eq!(banned(api), r#"201 {"banned_ipv4_addresses":["203.0.113.9"]}"#);
        let only_v4 = json!({ "dbAllowedCidrs": ["0.0.0.0/0"], "dbAllowedCidrsV6": [] });
        api.post("/v1/projects/{ref}/network-restrictions/apply", only_v4);
        assert_eq!(fail_login(api, "2001:db8::2"), "network_restricted");
        assert_eq!(fail_login(api, "203.0.113.10"), "wrong_password");
    });
}

#[test]
fn failures_far_apart_cause_no_ban() {
    both(scenario::active_project, |api| {
        for _ in 0..4 {
            assert_eq!(fail_login(api, "203.0.113.9"), "wrong_password");
            api.after(10 * 60);
        }
    });
}

#[test]
fn a_ban_is_lifted_and_one_that_is_not_there_too() {
    both(scenario::active_project, |api| {
        fail_login(api, "203.0.113.9");
        fail_login(api, "203.0.113.9");
        let body = json!({ "ipv4_addresses": ["203.0.113.9", "192.0.2.1"] });
        assert_eq!(lift(api, &body), "200 {}");
        assert_eq!(lift(api, &body), "200 {}");
        assert_eq!(banned(api), NONE);
        assert_eq!(fail_login(api, "203.0.113.9"), "wrong_password");
    });
}

#[test]
fn bans_are_lifted_by_good_addresses_only() {
    let rows = [
        (
            json!({ "ipv4_addresses": ["192.0.2.1", "192.0.2.256"] }),
            "ipv4_addresses.1: Invalid, must be an IP address",
        ),
        (json!({ "ipv4_addresses": ["::g"] }), "ipv4_addresses.0: Invalid"),
        (json!({}), "ipv4_addresses: Required"),
    ];
    both(scenario::active_project, |api| {
        for (body, text) in &rows {
            let reply = lift(api, body);
            assert!(reply.starts_with(&format!(r#"400 {{"message":"{text}"#)), "{body}: {reply}");
        }
        assert_eq!(api.post(FAILED_LOGINS, json!({ "address": "somewhere" })).status, 400);
    });
}

#[test]
fn enriched_bans_name_the_banned_service() {
    both(scenario::active_project, |api| {
        fail_login(api, "203.0.113.9");
        fail_login(api, "203.0.113.9");
        let project = api.project();
        let ban = json!({ "banned_address": "203.0.113.9", "identifier": project, "type": "primary" });
        let reply = api.act(ENRICHED);
        assert_eq!((reply.status, reply.json()), (201, json!({ "banned_ipv4_addresses": [ban] })));
    });
}
