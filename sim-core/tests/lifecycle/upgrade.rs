//! `/v1/projects/{ref}/upgrade`

use serde_json::{Value, json};

use super::{Scene, active_project, refused, scene};
use sim_core::engine::{Outcome, Outcomes};
use sim_core::management::upgrade_progress::{UpgradeError, UpgradeProgress};
use sim_core::{Pace, Policy};

const UPGRADE: &str = "/v1/projects/{ref}/upgrade";
const STATUS: &str = "/v1/projects/{ref}/upgrade/status";
const ELIGIBILITY: &str = "/v1/projects/{ref}/upgrade/eligibility";

fn start(scene: &mut Scene) -> String {
    let reply = scene.post(UPGRADE, json!({ "target_version": "17" }));
    assert_eq!(reply.status, 201, "{}", reply.body);
    reply.json()["tracking_id"].as_str().expect("an upgrade has a tracking id").to_owned()
}

fn state(scene: &mut Scene) -> Value {
    scene.get(STATUS).json()["databaseUpgradeStatus"].take()
}

fn version(scene: &mut Scene) -> String {
    scene.get("/v1/projects/{ref}").json()["database"]["version"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn an_eligible_project_sees_later_settled_versions() {
    let eligibility = active_project().get(ELIGIBILITY).json();
    let expected = json!({
        "eligible": true,
        "current_app_version": "platform-postgres-15.8.1.040",
        "current_app_version_release_channel": "ga",
        "latest_app_version": "platform-postgres-17.4.1.043",
        "target_upgrade_versions": [
            { "postgres_version": "15", "release_channel": "ga", "app_version": "platform-postgres-15.8.1.102" },
            { "postgres_version": "17", "release_channel": "ga", "app_version": "platform-postgres-17.4.1.043" },
        ],
        "potential_breaking_changes": [],
        "duration_estimate_hours": 1,
        "legacy_auth_custom_roles": [],
        "extension_dependent_objects": [],
    });
    assert_eq!(eligibility, expected);
}

#[test]
fn an_upgrade_takes_eleven_steps_in_420_seconds() {
    let mut scene = active_project();
    assert_eq!(scene.get(STATUS).body, r#"{"databaseUpgradeStatus":null}"#);
    let id = start(&mut scene);
    for (step, progress) in UpgradeProgress::ALL.iter().enumerate() {
        let state = state(&mut scene);
        assert_eq!(state["progress"], json!(progress));
        assert_eq!(state["status"], if step == 10 { 1 } else { 0 }, "{state}");
        assert_eq!((&state["target_version"], &state["error"]), (&json!(17), &Value::Null));
        let (status, on) =
            if step < 9 { ("UPGRADING", "15.8.1.040") } else { ("ACTIVE_HEALTHY", "17.4.1.043") };
        assert_eq!((scene.status(), version(&mut scene)), (status.to_owned(), on.to_owned()), "step {step}");
        scene.after(42);
    }
    let by_id = scene.get(&format!("{STATUS}?tracking_id={id}")).json();
    assert_eq!(by_id["databaseUpgradeStatus"], state(&mut scene));
    assert_eq!(by_id["databaseUpgradeStatus"]["initiated_at"], "2026-01-01T00:01:00Z");
    assert_eq!(by_id["databaseUpgradeStatus"]["latest_status_at"], "2026-01-01T00:08:00Z");
    let other = scene.get(&format!("{STATUS}?tracking_id=other")).body;
    assert_eq!(other, r#"{"databaseUpgradeStatus":null}"#);
}

#[test]
fn each_failure_comes_at_its_step_and_keeps_the_version_but_for_the_last() {
    for (index, error) in UpgradeError::ALL.iter().enumerate() {
        let mut scene = active_project();
        scene.control("PUT", "/_sim/projects/{ref}/upgrade/error", json!({ "error": error }));
        start(&mut scene);
        scene.after(42 * (index as u64 + 2) - 1);
        assert_eq!(state(&mut scene)["status"], 0);
        scene.after(1);
        let state = state(&mut scene);
        assert_eq!((&state["error"], &state["status"]), (&json!(error), &json!(2)));
        assert_eq!(state["progress"], json!(UpgradeProgress::ALL[index + 1]));
        let on = if index == 8 { "17.4.1.043" } else { "15.8.1.040" };
        assert_eq!((scene.status(), version(&mut scene)), ("ACTIVE_HEALTHY".to_owned(), on.to_owned()));
        scene.after(420);
        assert_eq!(scene.get(STATUS).json()["databaseUpgradeStatus"], state, "nothing comes after a failure");
    }
}

#[test]
fn upgrades_fail_by_policy_or_for_once() {
    let outcomes = Outcomes { upgrade: Outcome::Fail, ..Outcomes::default() };
    let mut always = scene(Policy { outcomes, upgrade_error: 3, ..Policy::default() });
    start(&mut always);
    always.after(420);
    assert_eq!(state(&mut always)["error"], "3_volume_attachment_to_original_instance_failed");
    let mut once = active_project();
    once.next_fails("upgrade");
    start(&mut once);
    once.after(420);
    assert_eq!(state(&mut once)["error"], "5_data_upgrade_completion_failed");
    start(&mut once);
    once.after(420);
    assert_eq!(state(&mut once)["status"], 1);
}

#[test]
fn a_target_is_a_major_version_a_version_or_its_name() {
    for (target, on) in
        [("15", "15.8.1.102"), ("17.4.1.043", "17.4.1.043"), ("platform-postgres-15.8.1.102", "15.8.1.102")]
    {
        let mut scene = active_project();
        assert_eq!(scene.post(UPGRADE, json!({ "target_version": target })).status, 201);
        scene.after(420);
        assert_eq!(version(&mut scene), on);
    }
    let mut alpha = active_project();
    let body = json!({ "target_version": "17-oriole", "release_channel": "alpha" });
    assert_eq!(alpha.post(UPGRADE, body).status, 201);
    assert_eq!(state(&mut alpha)["target_version"], 17);
}

#[test]
fn a_target_that_is_not_on_offer_is_refused() {
    let mut scene = active_project();
    let reply = scene.post(UPGRADE, json!({ "target_version": "14" }));
    let text = "target_version: 14 is not available for this project, only 15.8.1.102, 17.4.1.043";
    refused(&reply, 400, "invalid_body.target_version", text);
    let reply = scene.post(UPGRADE, json!({}));
    refused(&reply, 400, "invalid_body.target_version", "target_version: Required");
}

#[test]
fn what_stands_in_the_way_makes_a_project_ineligible() {
    let mut paused = active_project();
    paused.post("/v1/projects/{ref}/pause", json!({}));
    let mut newest = active_project();
    start(&mut newest);
    newest.after(420);
    let mut replicated = active_project();
    replicated.resize("small");
    let region = json!({ "read_replica_region": "eu-west-1" });
    assert_eq!(replicated.post("/v1/projects/{ref}/read-replicas/setup", region).status, 201);
    let obstacles = "/_sim/projects/{ref}/upgrade/obstacles";
    let mut dependent = active_project();
    dependent.control("PUT", obstacles, json!({ "extension_dependent_objects": ["view a"] }));
    let mut breaking = active_project();
    breaking.control("PUT", obstacles, json!({ "potential_breaking_changes": ["plv8"] }));
    let mut finishing = active_project();
    finishing.post(UPGRADE, json!({ "target_version": "15" }));
    finishing.after(42 * 9);
    for (mut scene, reason, text) in [
        (paused, "project_not_active", "Only a healthy project can be upgraded, this one is PAUSING"),
        (newest, "already_newest", "The project is on the newest version already."),
        (replicated, "replicas_present", "Read replicas must be removed before the project can be upgraded."),
        (
            dependent,
            "dependent_objects",
            "Dependent objects must be dropped before the project can be upgraded: view a",
        ),
        (
            breaking,
            "breaking_changes",
            "Breaking changes must be resolved before the project can be upgraded: plv8",
        ),
        (
            finishing,
            "upgrade_running",
            "The last upgrade of this project is not finished, its backup is being made.",
        ),
    ] {
        assert_eq!(scene.get(ELIGIBILITY).json()["eligible"], false, "{reason}");
        refused(&scene.post(UPGRADE, json!({ "target_version": "17" })), 400, reason, text);
    }
}

#[test]
fn legacy_roles_are_told_and_stop_nothing() {
    let mut scene = active_project();
    let body = json!({ "legacy_auth_custom_roles": ["reports"] });
    scene.control("PUT", "/_sim/projects/{ref}/upgrade/obstacles", body);
    let eligibility = scene.get(ELIGIBILITY).json();
    assert_eq!(eligibility["legacy_auth_custom_roles"], json!(["reports"]));
    assert_eq!(eligibility["eligible"], true);
}

#[test]
fn a_project_can_be_deleted_while_its_last_backup_is_made() {
    let mut scene = active_project();
    start(&mut scene);
    refused(
        &scene.delete("/v1/projects/{ref}"),
        400,
        "project_not_deletable",
        "Project not ready for deletion.",
    );
    scene.after(42 * 9);
    assert_eq!(scene.delete("/v1/projects/{ref}").status, 200);
    scene.after(600);
    assert_eq!(scene.get(STATUS).status, 404);
}

#[test]
fn at_instant_pace_an_upgrade_is_done_when_the_call_returns() {
    let mut scene = scene(Policy { pace: Pace::Instant, ..Policy::default() });
    start(&mut scene);
    assert_eq!(state(&mut scene)["progress"], "10_completed_post_physical_backup");
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let mut scene = active_project();
    scene.refusals("GET", ELIGIBILITY, None, None);
    scene.refusals("GET", STATUS, None, None);
    scene.refusals("POST", UPGRADE, Some(json!({ "target_version": "17" })), Some("token-of-developer"));
}
