//! Who reaches a project's database: restrictions and bans.

mod common;

use common::{Scene, json, refuses_strangers};
use serde_json::{Value, json};
use sim_core::Role;

fn scene() -> Scene {
    Scene::new("pro", |_| {})
}

#[test]
fn every_operation_refuses_strangers() {
    refuses_strangers(&[
        ("GET", "P/network-restrictions", Value::Null, Role::ReadOnly),
        ("POST", "P/network-restrictions/apply", json!({}), Role::Administrator),
        ("POST", "P/network-bans/retrieve", Value::Null, Role::ReadOnly),
        ("DELETE", "P/network-bans", json!({ "ipv4_addresses": [] }), Role::Administrator),
    ]);
}

#[test]
fn a_new_project_lets_everyone_in_and_has_no_status() {
    let reply = scene().ask("GET", "P/network-restrictions", &Value::Null);
    let config = r#"{"dbAllowedCidrs":["0.0.0.0/0"],"dbAllowedCidrsV6":["::/0"]}"#;
    assert_eq!(reply, format!(r#"200 {{"entitlement":"allowed","config":{config}}}"#));
}

#[test]
fn apply_replaces_both_lists_and_a_missing_one_becomes_empty() {
    let mut scene = scene();
    let body = json!({ "dbAllowedCidrs": ["10.0.0.0/8"], "dbAllowedCidrsV6": ["2001:db8::/32"] });
    let first = scene.ask("POST", "P/network-restrictions/apply", &body);
    let config = r#"{"dbAllowedCidrs":["10.0.0.0/8"],"dbAllowedCidrsV6":["2001:db8::/32"]}"#;
    assert_eq!(first, format!(r#"201 {{"entitlement":"allowed","config":{config},"status":"applied"}}"#));
    scene.ask("POST", "P/network-restrictions/apply", &json!({ "dbAllowedCidrs": ["192.0.2.0/24"] }));
    let after = json(&scene.ask("GET", "P/network-restrictions", &Value::Null));
    assert_eq!(after["config"], json!({ "dbAllowedCidrs": ["192.0.2.0/24"], "dbAllowedCidrsV6": [] }));
}

#[test]
fn slow_restrictions_are_stored_beside_those_in_force_and_then_applied() {
    let mut scene = Scene::new("pro", |policy| policy.durations.apply_restrictions_ms = 10_000);
    let everyone = json!({ "dbAllowedCidrs": ["0.0.0.0/0"], "dbAllowedCidrsV6": ["::/0"] });
    for net in ["10.0.0.0/8", "192.0.2.0/24"] {
        let body = json!({ "dbAllowedCidrs": [net] });
        let stored = json(&scene.ask("POST", "P/network-restrictions/apply", &body));
        assert_eq!((&stored["status"], &stored["old_config"]), (&json!("stored"), &everyone), "{net}");
        scene.wait(5);
    }
    let login = |scene: &mut Scene| {
        json(&scene.ask("POST", "S/database/failed-logins", &json!({ "address": "198.51.100.7" })))["refused"]
            .clone()
    };
    assert_eq!(login(&mut scene), "wrong_password");
    scene.wait(5);
    let applied = json(&scene.ask("GET", "P/network-restrictions", &Value::Null));
    assert_eq!((&applied["status"], applied.get("old_config")), (&json!("applied"), None));
    assert_eq!(login(&mut scene), "network_restricted");
}

#[test]
fn networks_are_read_as_cidr_of_their_family() {
    let mut scene = scene();
    for (body, message) in [
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
    ] {
        let reply = scene.ask("POST", "P/network-restrictions/apply", &body);
        assert!(reply.starts_with(&format!(r#"400 {{"message":"{message}"#)), "{body}: {reply}");
    }
}

#[test]
fn the_free_plan_may_not_restrict_unless_the_policy_says_so() {
    let body = json!({ "dbAllowedCidrs": ["10.0.0.0/8"] });
    let mut free = Scene::new("free", |_| {});
    let refused = free.ask("POST", "P/network-restrictions/apply", &body);
    assert_eq!(refused, r#"400 {"message":"project not allowed to set up network restrictions"}"#);
    assert_eq!(json(&free.ask("GET", "P/network-restrictions", &Value::Null))["entitlement"], "disallowed");
    let mut generous = Scene::new("free", |policy| policy.free_plan_restrictions = true);
    assert!(generous.ask("POST", "P/network-restrictions/apply", &body).starts_with("201"));
}

fn fail(scene: &mut Scene, address: &str) -> Value {
    json(&scene.ask("POST", "S/database/failed-logins", &json!({ "address": address })))["refused"].clone()
}

fn banned(scene: &mut Scene) -> String {
    scene.ask("POST", "P/network-bans/retrieve", &Value::Null)
}

#[test]
fn two_failed_logins_ban_an_address_for_thirty_minutes() {
    let mut scene = scene();
    assert_eq!(banned(&mut scene), r#"201 {"banned_ipv4_addresses":[]}"#);
    assert_eq!(fail(&mut scene, "203.0.113.9"), "wrong_password");
    assert_eq!(banned(&mut scene), r#"201 {"banned_ipv4_addresses":[]}"#);
    assert_eq!(fail(&mut scene, "203.0.113.9"), "wrong_password_then_banned");
    assert_eq!(fail(&mut scene, "203.0.113.9"), "banned");
    fail(&mut scene, "8.8.8.8");
    fail(&mut scene, "8.8.8.8");
    assert_eq!(banned(&mut scene), r#"201 {"banned_ipv4_addresses":["8.8.8.8","203.0.113.9"]}"#);
    scene.wait(30 * 60);
    assert_eq!(banned(&mut scene), r#"201 {"banned_ipv4_addresses":[]}"#);
    assert_eq!(fail(&mut scene, "203.0.113.9"), "wrong_password");
}

#[test]
fn failures_far_apart_ban_nobody() {
    let mut scene = scene();
    for _ in 0..4 {
        assert_eq!(fail(&mut scene, "203.0.113.9"), "wrong_password");
        scene.wait(10 * 60);
    }
}

#[test]
fn a_ban_is_lifted_and_one_that_is_not_there_too() {
    let mut scene = scene();
    fail(&mut scene, "203.0.113.9");
    fail(&mut scene, "203.0.113.9");
    let body = json!({ "ipv4_addresses": ["203.0.113.9", "192.0.2.1"] });
    assert_eq!(scene.ask("DELETE", "P/network-bans", &body), "200 {}");
    assert_eq!(scene.ask("DELETE", "P/network-bans", &body), "200 {}");
    assert_eq!(banned(&mut scene), r#"201 {"banned_ipv4_addresses":[]}"#);
    assert_eq!(fail(&mut scene, "203.0.113.9"), "wrong_password");
}

#[test]
fn bans_are_lifted_by_good_addresses_only() {
    let mut scene = scene();
    for (body, message) in [
        (
            json!({ "ipv4_addresses": ["192.0.2.1", "192.0.2.256"] }),
            "ipv4_addresses.1: Invalid, must be an IPv4 address",
        ),
        (json!({ "ipv4_addresses": ["::1"] }), "ipv4_addresses.0: Invalid"),
        (json!({}), "ipv4_addresses: Required"),
    ] {
        let reply = scene.ask("DELETE", "P/network-bans", &body);
        assert!(reply.starts_with(&format!(r#"400 {{"message":"{message}"#)), "{body}: {reply}");
    }
    assert!(
        scene.ask("POST", "S/database/failed-logins", &json!({ "address": "somewhere" })).starts_with("400")
    );
}
