//! `/v1/projects/{ref}/custom-hostname`.

use serde_json::json;
use sim_core::management::addon::{Addon, SetAddon};
use sim_core::management::dns::SetDns;
use sim_core::management::hostname::{
    CustomHostname, GetHostname, InitializeHostname, ReverifyHostname, Status,
};
use sim_core::{Profile, Role, Simulator};
use sim_fixtures::{Api, Call, Reply, Scene, scenario};

use crate::steps::{Steps as _, message, refuse_strangers, under};
use crate::support::{both, seconds};

const HOSTNAME: &str = "/v1/projects/{ref}/custom-hostname";
const INITIALIZE: &str = "/v1/projects/{ref}/custom-hostname/initialize";
const REVERIFY: &str = "/v1/projects/{ref}/custom-hostname/reverify";
const ACTIVATE: &str = "/v1/projects/{ref}/custom-hostname/activate";

fn bought(mut scene: Scene) -> Scene {
    let r#ref = scene.project.clone();
    let bought = SetAddon { r#ref, addon: Addon::CustomDomain, enabled: true };
    scene.sim.as_admin().call(bought).expect("the add-on is valid");
    scene
}

pub(super) fn with_addon() -> Scene {
    bought(scenario::active_project())
}

fn initialized() -> Scene {
    initialized_in(with_addon())
}

fn initialized_in(mut scene: Scene) -> Scene {
    let (r#ref, custom_hostname) = (scene.project.clone(), "App.Example.com".to_owned());
    scene.sim.call(InitializeHostname { r#ref, custom_hostname }).expect("the name is valid");
    scene
}

/// A project whose hostname can be activated.
pub(super) fn verified() -> Scene {
    let mut scene = initialized();
    let r#ref = || scene.project.clone();
    let hostname = scene.sim.call(GetHostname { r#ref: r#ref() }).expect("there is a hostname");
    for record in hostname.wanted_records() {
        scene.sim.as_admin().call(record).expect("the record is valid");
    }
    scene.sim.call(ReverifyHostname { r#ref: r#ref() }).expect("there is a hostname");
    scene.sim.advance(seconds(120));
    scene
}

pub(super) fn initialize(api: &mut dyn Api) -> Reply {
    api.post(INITIALIZE, json!({ "custom_hostname": "App.Example.com" }))
}

fn hostname(api: &mut dyn Api) -> CustomHostname {
    serde_json::from_value(api.get(HOSTNAME).json()).expect("there is a hostname")
}

fn set(api: &mut dyn Api, records: &[SetDns]) {
    for record in records {
        let mut body = json!(record);
        body.as_object_mut().expect("records are an object").remove("name");
        let reply = api.put(&format!("/_sim/dns/{}", record.name), body);
        assert_eq!(reply.status, 200, "{reply}");
    }
}

fn set_all(api: &mut dyn Api) {
    let records = hostname(api).wanted_records();
    set(api, &records);
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let name = json!({ "custom_hostname": "app.example.com" });
    refuse_strangers(&[
        (Call::get(HOSTNAME), Role::ReadOnly),
        (Call::post(INITIALIZE).json(name), Role::Administrator),
        (Call::post(REVERIFY), Role::Administrator),
        (Call::post(ACTIVATE), Role::Administrator),
        (Call::delete(HOSTNAME), Role::Administrator),
    ]);
}

#[test]
fn initialize_answers_with_the_records_to_set() {
    both(with_addon, |api| {
        let answer = initialize(api).json();
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
        assert_eq!(result["custom_origin_server"], format!("{}.platform.test", api.project()));
        assert_eq!(result.get("verification_errors"), None);
        assert_eq!(api.get(HOSTNAME).json(), answer);
    });
}

#[test]
fn with_all_records_a_hostname_goes_its_whole_way() {
    both(initialized, |api| {
        set_all(api);
        assert_eq!(api.act(REVERIFY).json()["status"], "2_initiated");
        api.after(60);
        let verified = hostname(api);
        assert_eq!((verified.status, &*verified.data.result.status), (Status::ChallengeVerified, "active"));
        assert_eq!(verified.data.result.ssl.status, "pending_deployment");
        assert_eq!(api.act(REVERIFY).json()["status"], "3_challenge_verified");
        assert_eq!(api.act(ACTIVATE).to_string(), message(400, "Verification has not been completed."));
        api.after(60);
        let ready = hostname(api).data.result.ssl;
        assert_eq!((ready.status.as_str(), ready.validation_records), ("active", vec![]));
        let words = "Verification has been completed, please proceed to activation.";
        assert_eq!(api.act(REVERIFY).to_string(), message(400, words));
        assert_eq!(api.act(ACTIVATE).json()["status"], "5_services_reconfigured");
        let words = "Custom hostname has already been activated.";
        assert_eq!(api.act(ACTIVATE).to_string(), message(400, words));
        assert_eq!(api.act(REVERIFY).to_string(), message(400, words));
    });
}

#[test]
fn without_a_hostname_there_is_nothing_to_do() {
    both(with_addon, |api| {
        let none = message(400, "No custom hostname configuration found.");
        assert_eq!(api.get(HOSTNAME).to_string(), none);
        assert_eq!(api.act(ACTIVATE).to_string(), message(400, "Verification has not been completed."));
        let words = "Project is not pending custom hostname verification.";
        assert_eq!(api.act(REVERIFY).to_string(), message(400, words));
    });
}

#[test]
fn initialize_needs_the_add_on() {
    let words = "Please enable the Custom Domain add-on for the project first.";
    both(scenario::active_project, |api| assert_eq!(initialize(api).to_string(), message(400, words)));
}

#[test]
fn initialize_twice_is_544() {
    let words =
        "Delete the custom hostname associated with your project before attempting to create a new one.";
    both(initialized, |api| assert_eq!(initialize(api).to_string(), message(544, words)));
}

#[test]
fn a_hostname_lies_below_a_domain_that_is_not_ours() {
    both(with_addon, |api| {
        for name in
            ["", "example.com", "app..example.com", "-a.example.com", "a b.example.com", "x.platform.test"]
        {
            let reply = api.post(INITIALIZE, json!({ "custom_hostname": name })).to_string();
            assert!(reply.starts_with(r#"400 {"message":"custom_hostname: "#), "{name}: {reply}");
        }
        assert!(
            api.post(INITIALIZE, json!({}))
                .to_string()
                .starts_with(r#"400 {"message":"custom_hostname: Required"#)
        );
    });
}

#[test]
fn two_projects_do_not_share_a_hostname_until_one_is_deleted() {
    both(initialized, |api| {
        let second = api.another_project("second");
        let addon = format!("/_sim/projects/{second}/addons/custom_domain");
        assert_eq!(api.put(&addon, json!({ "enabled": true })).status, 200);
        let initialize = INITIALIZE.replace("{ref}", &second);
        let body = || json!({ "custom_hostname": "App.Example.com" });
        let words = "The custom hostname app.example.com is in use by another project.";
        assert_eq!(api.post(&initialize, body()).to_string(), message(400, words));
        api.delete("/v1/projects/{ref}");
        assert_eq!(api.post(&initialize, body()).status, 201);
    });
}

#[test]
fn missing_records_are_named_and_another_look_needs_another_reverify() {
    both(initialized, |api| {
        api.act(REVERIFY);
        api.after(60);
        let seen = hostname(api);
        let errors = seen.data.result.verification_errors.clone().expect("nothing is there");
        assert!(errors[0].starts_with("app.example.com has no CNAME record that points at "), "{errors:?}");
        assert!(errors[1].starts_with("_custom-hostname.app.example.com has no TXT record "), "{errors:?}");
        set_all(api);
        api.after(600);
        assert_eq!(hostname(api).status, Status::Initiated);
        api.act(REVERIFY);
        api.after(30);
        api.act(REVERIFY);
        api.after(30);
        assert_eq!(hostname(api).status, Status::ChallengeVerified);
    });
}

#[test]
fn ownership_alone_leaves_a_hostname_initiated_and_active() {
    both(initialized, |api| {
        let mut records = hostname(api).wanted_records();
        records.pop();
        set(api, &records);
        api.act(REVERIFY);
        api.after(60);
        let seen = api.act(REVERIFY).json();
        let result = &seen["data"]["result"];
        assert_eq!((&seen["status"], &result["status"]), (&json!("2_initiated"), &json!("active")));
        assert_eq!(result["ownership_verification"], json!({ "type": "", "name": "", "value": "" }));
        let problem = &result["ssl"]["validation_errors"][0]["message"];
        assert!(problem.as_str().is_some_and(|text| text.starts_with("_acme-challenge.")), "{problem}");
    });
}

#[test]
fn caa_records_for_another_authority_prevent_the_certificate() {
    both(initialized, |api| {
        set_all(api);
        set(api, &[SetDns::txt("example.com", "").caa("elsewhere.test")]);
        api.act(REVERIFY);
        api.after(60);
        let seen = hostname(api);
        let problem = "the caa records of example.com do not allow ca.test to issue a certificate";
        assert_eq!(seen.status, Status::Initiated);
        assert_eq!(seen.data.result.ssl.validation_errors.expect("there is a problem")[0].message, problem);
        set(api, &[SetDns::txt("example.com", "").caa("CA.test")]);
        api.act(REVERIFY);
        api.after(60);
        assert_eq!(hostname(api).status, Status::ChallengeVerified);
        set(api, &[SetDns::txt("example.com", "").caa("elsewhere.test")]);
        api.after(60);
        assert_eq!(hostname(api).status, Status::Initiated);
    });
}

#[test]
fn one_of_several_authorities_is_enough() {
    let with_two = || {
        let certificate_authorities = ["ca.test", "spare.test"].map(str::to_owned).to_vec();
        let profile = Profile { certificate_authorities, ..Profile::default() };
        let begun = Simulator::builder().profile(profile).world(scenario::cast("pro"));
        initialized_in(bought(scenario::project_in(begun.build())))
    };
    both(with_two, |api| {
        set_all(api);
        set(api, &[SetDns::txt("example.com", "").caa("elsewhere.test")]);
        api.act(REVERIFY);
        api.after(60);
        let problem =
            "the caa records of example.com do not allow ca.test or spare.test to issue a certificate";
        let errors = hostname(api).data.result.ssl.validation_errors;
        assert_eq!(errors.expect("there is a problem")[0].message, problem);
        set(api, &[SetDns::txt("example.com", "").caa("spare.test")]);
        api.act(REVERIFY);
        api.after(60);
        assert_eq!(hostname(api).status, Status::ChallengeVerified);
    });
}

#[test]
fn a_certificate_can_time_out_and_be_asked_for_again() {
    both(initialized, |api| {
        set_all(api);
        api.next_fails("certificate");
        api.act(REVERIFY);
        api.after(120);
        let seen = hostname(api);
        assert_eq!((seen.status, &*seen.data.result.ssl.status), (Status::Initiated, "validation_timed_out"));
        api.act(REVERIFY);
        api.after(120);
        assert_eq!(hostname(api).status, Status::OriginSetupCompleted);
    });
}

#[test]
fn a_slow_provider_has_not_started_yet() {
    let slow = || bought(under(|policy| policy.durations.hostname_accept_ms = 5_000));
    both(slow, |api| {
        let answer = initialize(api).json();
        assert_eq!(answer["status"], "1_not_started");
        assert_eq!(answer["data"]["result"]["ssl"]["status"], "initializing");
        let words = "Project is not pending custom hostname verification.";
        assert_eq!(api.act(REVERIFY).to_string(), message(400, words));
        api.after(5);
        assert_eq!(hostname(api).status, Status::Initiated);
    });
}

#[test]
fn a_project_may_go_while_its_hostname_is_under_way() {
    both(initialized, |api| {
        set_all(api);
        assert_eq!(api.delete("/v1/projects/{ref}").status, 200);
        api.after(600);
    });
    both(initialized, |api| {
        api.act(REVERIFY);
        assert_eq!(api.delete("/v1/projects/{ref}").status, 200);
        api.after(600);
    });
}

#[test]
fn a_deleted_hostname_has_no_work_and_its_name_is_free() {
    both(initialized, |api| {
        set_all(api);
        api.act(REVERIFY);
        assert_eq!(api.delete(HOSTNAME).to_string(), "200 {}");
        api.after(600);
        assert_eq!(api.get(HOSTNAME).reason(), "no_hostname");
        let text = "Custom hostname not configured for project";
        assert_eq!(api.delete(HOSTNAME).to_string(), message(400, text));
        assert_eq!(initialize(api).status, 201);
    });
}

#[test]
fn a_hostname_ends_with_its_add_on() {
    both(initialized, |api| {
        assert_eq!(api.delete("/v1/projects/{ref}/billing/addons/cd_default").status, 200);
        assert_eq!(api.get(HOSTNAME).reason(), "no_hostname");
        assert_eq!(api.act(REVERIFY).reason(), "hostname_not_pending");
        assert_eq!(initialize(api).reason(), "addon_missing");
    });
    both(initialized, |api| {
        let lower = json!({ "plan": "free", "enforce": true });
        assert_eq!(api.put("/_sim/organizations/acme/plan", lower).status, 200);
        assert_eq!(api.get(HOSTNAME).reason(), "no_hostname");
    });
}
