//! The names that a project answers under: custom hostname and vanity subdomain.

mod common;

use common::{Scene, json, refuses_strangers};
use serde_json::{Value, json};
use sim_core::Role;
use sim_core::engine::Outcome;
use sim_core::management::addon::{Addon, SetAddon};
use sim_core::management::dns::SetDns;
use sim_core::management::hostname::{CustomHostname, Event, GetHostname, Status};
use sim_core::management::outcome::{SetNextOutcome, Work};
use sim_core::management::project::DeleteProject;

const INITIALIZE: &str = "P/custom-hostname/initialize";
const REVERIFY: &str = "P/custom-hostname/reverify";
const ACTIVATE: &str = "P/custom-hostname/activate";

fn with_addon(change: impl FnOnce(&mut sim_core::Policy)) -> Scene {
    let mut scene = Scene::new("pro", change);
    buy(&mut scene);
    scene
}

fn buy(scene: &mut Scene) {
    let r#ref = scene.project.clone();
    let bought = SetAddon { r#ref, addon: Addon::CustomDomain, enabled: true };
    scene.sim.as_admin().call(bought).expect("the add-on is good");
}

fn initialized() -> Scene {
    let mut scene = with_addon(|_| {});
    initialize(&mut scene);
    scene
}

fn initialize(scene: &mut Scene) -> String {
    scene.ask("POST", INITIALIZE, &json!({ "custom_hostname": "App.Example.com" }))
}

fn act(scene: &mut Scene, path: &str) -> String {
    scene.ask("POST", path, &Value::Null)
}

fn hostname(scene: &mut Scene) -> CustomHostname {
    let r#ref = scene.project.clone();
    scene.sim.call(GetHostname { r#ref }).expect("there is a hostname")
}

fn set(scene: &mut Scene, records: Vec<SetDns>) {
    for record in records {
        scene.sim.as_admin().call(record).expect("the record is good");
    }
}

fn set_all(scene: &mut Scene) {
    let records = hostname(scene).wanted_records();
    set(scene, records);
}

fn verified() -> Scene {
    let mut scene = initialized();
    set_all(&mut scene);
    act(&mut scene, REVERIFY);
    scene.wait(120);
    scene
}

fn message(status: u16, text: &str) -> String {
    format!("{status} {}", json!({ "message": text }))
}

#[test]
fn every_operation_refuses_strangers() {
    let name = json!({ "vanity_subdomain": "demo" });
    refuses_strangers(&[
        ("GET", "P/custom-hostname", Value::Null, Role::ReadOnly),
        ("POST", INITIALIZE, json!({ "custom_hostname": "app.example.com" }), Role::Administrator),
        ("POST", REVERIFY, Value::Null, Role::Administrator),
        ("POST", ACTIVATE, Value::Null, Role::Administrator),
        ("GET", "P/vanity-subdomain", Value::Null, Role::ReadOnly),
        ("POST", "P/vanity-subdomain/check-availability", name.clone(), Role::ReadOnly),
        ("POST", "P/vanity-subdomain/activate", name, Role::Administrator),
        ("DELETE", "P/vanity-subdomain", Value::Null, Role::Administrator),
    ]);
}

#[test]
fn initialize_answers_with_the_records_to_set() {
    let mut scene = with_addon(|_| {});
    let answer = json(&initialize(&mut scene));
    let result = &answer["data"]["result"];
    assert_eq!(answer["status"], "2_initiated");
    assert_eq!(answer["custom_hostname"], "app.example.com");
    assert_eq!((&answer["data"]["success"], &answer["data"]["errors"]), (&json!(true), &json!([])));
    assert_eq!(
        (&result["status"], &result["ssl"]["status"]),
        (&json!("pending"), &json!("pending_validation"))
    );
    assert_eq!(result["ssl"]["validation_records"][0]["txt_name"], "_acme-challenge.app.example.com");
    assert_eq!(result["ownership_verification"]["type"], "txt");
    assert_eq!(result["ownership_verification"]["name"], "_custom-hostname.app.example.com");
    assert_eq!(result["custom_origin_server"], format!("{}.platform.test", scene.project));
    assert_eq!(result.get("verification_errors"), None);
    assert_eq!(json(&scene.ask("GET", "P/custom-hostname", &Value::Null)), answer);
}

#[test]
fn with_all_records_a_hostname_goes_its_whole_way() {
    let mut scene = initialized();
    set_all(&mut scene);
    assert_eq!(json(&act(&mut scene, REVERIFY))["status"], "2_initiated");
    scene.wait(60);
    let verified = hostname(&mut scene);
    assert_eq!((verified.status, &*verified.data.result.status), (Status::ChallengeVerified, "active"));
    assert_eq!(verified.data.result.ssl.status, "pending_deployment");
    assert_eq!(json(&act(&mut scene, REVERIFY))["status"], "3_challenge_verified");
    assert_eq!(act(&mut scene, ACTIVATE), message(400, "Verification has not been completed."));
    scene.wait(60);
    let ready = hostname(&mut scene).data.result.ssl;
    assert_eq!((ready.status.as_str(), ready.validation_records), ("active", vec![]));
    let words = "Verification has been completed, please proceed to activation.";
    assert_eq!(act(&mut scene, REVERIFY), message(400, words));
    assert_eq!(json(&act(&mut scene, ACTIVATE))["status"], "5_services_reconfigured");
    let words = "Custom hostname has already been activated.";
    assert_eq!(act(&mut scene, ACTIVATE), message(400, words));
    assert_eq!(act(&mut scene, REVERIFY), message(400, words));
}

#[test]
fn without_a_hostname_there_is_nothing_to_do() {
    let mut scene = with_addon(|_| {});
    let none = message(400, "No custom hostname configuration found.");
    assert_eq!(scene.ask("GET", "P/custom-hostname", &Value::Null), none);
    assert_eq!(act(&mut scene, ACTIVATE), none);
    let words = "Project is not pending custom hostname verification.";
    assert_eq!(act(&mut scene, REVERIFY), message(400, words));
}

#[test]
fn initialize_needs_the_add_on() {
    let words = "Please enable the Custom Domain add-on for the project first.";
    assert_eq!(initialize(&mut Scene::new("pro", |_| {})), message(400, words));
}

#[test]
fn initialize_twice_is_544() {
    let words =
        "Delete the custom hostname associated with your project before attempting to create a new one.";
    assert_eq!(initialize(&mut initialized()), message(544, words));
}

#[test]
fn a_hostname_lies_below_a_domain_that_is_not_ours() {
    let mut scene = with_addon(|_| {});
    for name in
        ["", "example.com", "app..example.com", "-a.example.com", "a b.example.com", "x.platform.test"]
    {
        let reply = scene.ask("POST", INITIALIZE, &json!({ "custom_hostname": name }));
        assert!(reply.starts_with(r#"400 {"message":"custom_hostname: "#), "{name}: {reply}");
    }
    assert!(
        scene.ask("POST", INITIALIZE, &json!({})).starts_with(r#"400 {"message":"custom_hostname: Required"#)
    );
}

#[test]
fn two_projects_do_not_share_a_hostname_until_one_is_deleted() {
    let mut scene = initialized();
    let (first, second) = (scene.project.clone(), scene.another_project("second"));
    scene.project = second;
    buy(&mut scene);
    let words = "The custom hostname app.example.com is in use by another project.";
    assert_eq!(initialize(&mut scene), message(400, words));
    scene.sim.call(DeleteProject { r#ref: first }).expect("it can be deleted");
    assert!(initialize(&mut scene).starts_with("201"));
}

#[test]
fn missing_records_are_named_and_another_look_needs_another_reverify() {
    let mut scene = initialized();
    act(&mut scene, REVERIFY);
    scene.wait(60);
    let seen = hostname(&mut scene);
    let errors = seen.data.result.verification_errors.clone().expect("nothing is there");
    assert!(errors[0].starts_with("app.example.com has no CNAME record that points at "), "{errors:?}");
    assert!(errors[1].starts_with("_custom-hostname.app.example.com has no TXT record "), "{errors:?}");
    set_all(&mut scene);
    scene.wait(600);
    assert_eq!(hostname(&mut scene).status, Status::Initiated);
    act(&mut scene, REVERIFY);
    scene.wait(30);
    act(&mut scene, REVERIFY);
    scene.wait(30);
    assert_eq!(hostname(&mut scene).status, Status::ChallengeVerified);
}

#[test]
fn ownership_alone_leaves_a_hostname_initiated_and_active() {
    let mut scene = initialized();
    let mut records = hostname(&mut scene).wanted_records();
    records.pop();
    set(&mut scene, records);
    act(&mut scene, REVERIFY);
    scene.wait(60);
    let seen = json(&act(&mut scene, REVERIFY));
    let result = &seen["data"]["result"];
    assert_eq!((&seen["status"], &result["status"]), (&json!("2_initiated"), &json!("active")));
    assert_eq!(result["ownership_verification"], json!({ "type": "", "name": "", "value": "" }));
    let problem = &result["ssl"]["validation_errors"][0]["message"];
    assert!(problem.as_str().is_some_and(|text| text.starts_with("_acme-challenge.")), "{problem}");
}

#[test]
fn caa_records_that_name_another_authority_keep_the_certificate_away() {
    let mut scene = initialized();
    set_all(&mut scene);
    set(&mut scene, vec![SetDns::txt("example.com", "").caa("elsewhere.test")]);
    act(&mut scene, REVERIFY);
    scene.wait(60);
    let seen = hostname(&mut scene);
    let problem = "the caa records of example.com do not allow ca.test to issue a certificate";
    assert_eq!(seen.status, Status::Initiated);
    assert_eq!(seen.data.result.ssl.validation_errors.expect("there is a problem")[0].message, problem);
    set(&mut scene, vec![SetDns::txt("example.com", "").caa("CA.test")]);
    act(&mut scene, REVERIFY);
    scene.wait(60);
    assert_eq!(hostname(&mut scene).status, Status::ChallengeVerified);
    set(&mut scene, vec![SetDns::txt("example.com", "").caa("elsewhere.test")]);
    scene.wait(60);
    assert_eq!(hostname(&mut scene).status, Status::Initiated);
}

#[test]
fn a_certificate_can_time_out_and_be_asked_for_again() {
    let mut scene = initialized();
    set_all(&mut scene);
    let fails = SetNextOutcome { work: Work::Certificate, outcome: Outcome::Fail };
    scene.sim.as_admin().call(fails).expect("the outcome is good");
    act(&mut scene, REVERIFY);
    scene.wait(120);
    let seen = hostname(&mut scene);
    assert_eq!((seen.status, &*seen.data.result.ssl.status), (Status::Initiated, "validation_timed_out"));
    act(&mut scene, REVERIFY);
    scene.wait(120);
    assert_eq!(hostname(&mut scene).status, Status::OriginSetupCompleted);
}

#[test]
fn a_slow_provider_has_not_started_yet() {
    let mut scene = with_addon(|policy| policy.durations.hostname_accept_ms = 5_000);
    let answer = json(&initialize(&mut scene));
    assert_eq!(answer["status"], "1_not_started");
    assert_eq!(answer["data"]["result"]["ssl"]["status"], "initializing");
    let words = "Project is not pending custom hostname verification.";
    assert_eq!(act(&mut scene, REVERIFY), message(400, words));
    scene.wait(5);
    assert_eq!(hostname(&mut scene).status, Status::Initiated);
}

#[test]
fn a_project_may_go_while_its_hostname_is_under_way() {
    let mut scene = initialized();
    set_all(&mut scene);
    scene.sim.call(DeleteProject { r#ref: scene.project.clone() }).expect("it can be deleted");
    scene.wait(600);
    let mut scene = initialized();
    act(&mut scene, REVERIFY);
    scene.sim.call(DeleteProject { r#ref: scene.project.clone() }).expect("it can be deleted");
    scene.wait(600);
}

#[test]
fn the_whole_life_of_a_hostname() {
    let mut arrows = String::new();
    for status in Status::ALL {
        for event in Event::ALL {
            if let Some(next) = status.on(event) {
                arrows += &format!("{status:?} {event:?} {next:?}\n");
            }
        }
    }
    let expected = "NotStarted Accept Initiated
Initiated Verify ChallengeVerified
ChallengeVerified Certify OriginSetupCompleted
ChallengeVerified FailCertificate Initiated
OriginSetupCompleted Activate ServicesReconfigured
";
    assert_eq!(arrows, expected);
}

#[test]
fn dns_records_are_those_last_set() {
    let mut scene = Scene::new("pro", |_| {});
    let reply =
        scene.ask("PUT", "/_sim/dns/App.example.com.", &json!({ "cname": "x.test", "caa": ["ca.test"] }));
    assert_eq!(reply, r#"200 {"cname":"x.test","txt":[],"caa":["ca.test"]}"#);
    assert_eq!(scene.ask("GET", "/_sim/dns/app.example.com", &Value::Null), reply);
    assert_eq!(scene.ask("GET", "/_sim/dns/other", &Value::Null), r#"200 {"txt":[],"caa":[]}"#);
}

fn activate(scene: &mut Scene, name: &str) -> String {
    scene.ask("POST", "P/vanity-subdomain/activate", &json!({ "vanity_subdomain": name }))
}

fn available(scene: &mut Scene, name: &str) -> String {
    scene.ask("POST", "P/vanity-subdomain/check-availability", &json!({ "vanity_subdomain": name }))
}

#[test]
fn a_vanity_subdomain_is_checked_activated_seen_and_deleted() {
    let mut scene = Scene::new("pro", |_| {});
    assert_eq!(scene.ask("GET", "P/vanity-subdomain", &Value::Null), r#"200 {"status":"not-used"}"#);
    assert_eq!(available(&mut scene, "demo"), r#"201 {"available":true}"#);
    for _ in 0..2 {
        assert_eq!(activate(&mut scene, "demo"), r#"201 {"custom_domain":"demo.platform.test"}"#);
    }
    let active = r#"200 {"status":"active","custom_domain":"demo.platform.test"}"#;
    assert_eq!(scene.ask("GET", "P/vanity-subdomain", &Value::Null), active);
    assert_eq!(scene.ask("DELETE", "P/vanity-subdomain", &Value::Null), "200 {}");
    assert_eq!(available(&mut scene, "demo"), r#"201 {"available":true}"#);
    let words = "Vanity subdomain not configured for project";
    assert_eq!(scene.ask("DELETE", "P/vanity-subdomain", &Value::Null), message(400, words));
}

#[test]
fn a_name_is_taken_by_projects_their_references_and_the_platform() {
    let mut scene = Scene::new("pro", |_| {});
    let (first, second) = (scene.project.clone(), scene.another_project("second"));
    activate(&mut scene, "demo");
    scene.project = second.clone();
    for name in ["demo", "www", &first.0, &second.0] {
        assert_eq!(available(&mut scene, name), r#"201 {"available":false}"#, "{name}");
        let words = format!("The vanity subdomain {name} is not available.");
        assert_eq!(activate(&mut scene, name), message(400, &words));
    }
    scene.sim.call(DeleteProject { r#ref: first }).expect("it can be deleted");
    assert!(activate(&mut scene, "demo").starts_with("201"));
}

#[test]
fn a_project_has_one_vanity_subdomain_at_a_time() {
    let mut scene = Scene::new("pro", |_| {});
    activate(&mut scene, "demo");
    let words = "Delete the vanity subdomain of the project before activating another one.";
    assert_eq!(activate(&mut scene, "other"), message(400, words));
}

#[test]
fn a_vanity_subdomain_is_a_dns_label() {
    let mut scene = Scene::new("pro", |_| {});
    let long = "a".repeat(64);
    for name in ["", "-demo", "demo-", "de.mo", "de_mo", "Demo", &long] {
        for reply in [activate(&mut scene, name), available(&mut scene, name)] {
            assert!(reply.starts_with(r#"400 {"message":"vanity_subdomain: "#), "{name}: {reply}");
        }
    }
    assert!(activate(&mut scene, &long[1..]).starts_with("201"));
}

#[test]
fn the_free_plan_has_no_vanity_subdomain_unless_the_policy_says_so() {
    let mut free = Scene::new("free", |_| {});
    let words = "Vanity subdomains are not included in the free plan, please upgrade the organization first.";
    assert_eq!(activate(&mut free, "demo"), message(400, words));
    let mut generous = Scene::new("free", |policy| policy.free_plan_vanity_subdomain = true);
    assert!(activate(&mut generous, "demo").starts_with("201"));
}

#[test]
fn custom_hostname_and_vanity_subdomain_exclude_each_other() {
    let mut scene = verified();
    let words = "The project has a custom hostname, delete that before activating a vanity subdomain.";
    assert_eq!(activate(&mut scene, "demo"), message(400, words));
    assert_eq!(scene.ask("GET", "P/vanity-subdomain", &Value::Null), r#"200 {"status":"not-used"}"#);
    act(&mut scene, ACTIVATE);
    let used = r#"200 {"status":"custom-domain-used","custom_domain":"app.example.com"}"#;
    assert_eq!(scene.ask("GET", "P/vanity-subdomain", &Value::Null), used);
    let mut scene = with_addon(|_| {});
    activate(&mut scene, "demo");
    let words = "The project has a vanity subdomain, delete that before setting up a custom hostname.";
    assert_eq!(initialize(&mut scene), message(400, words));
}
