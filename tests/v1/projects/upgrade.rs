//! `/v1/projects/{ref}/upgrade`

use http::Method;
use serde_json::{Value, json};
use sim_core::engine::{Outcome, PostgresVersion};
use sim_core::management::upgrade_progress::{UpgradeError, UpgradeProgress};
use sim_core::{Pace, Profile, Role, Simulator};
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{Prepare, Steps as _, refuse_strangers, refused, under};
use crate::support::{both, on_both_engines};

const UPGRADE: &str = "/v1/projects/{ref}/upgrade";
const STATUS: &str = "/v1/projects/{ref}/upgrade/status";
const ELIGIBILITY: &str = "/v1/projects/{ref}/upgrade/eligibility";

fn start(api: &mut dyn Api) -> String {
    let reply = api.post(UPGRADE, json!({ "target_version": "17" }));
    assert_eq!(reply.status, 201, "{reply}");
    reply.json()["tracking_id"].as_str().expect("an upgrade has a tracking id").to_owned()
}

fn state(api: &mut dyn Api) -> Value {
    api.get(STATUS).json()["databaseUpgradeStatus"].take()
}

fn version(api: &mut dyn Api) -> String {
    api.get("/v1/projects/{ref}").json()["database"]["version"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn an_eligible_project_sees_later_settled_versions() {
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
        "objects_to_be_dropped": [],
        "unsupported_extensions": [],
        "user_defined_objects_in_internal_schemas": [],
        "validation_errors": [],
        "warnings": [],
    });
    on_both_engines(scenario::active_project, |api| assert_eq!(api.get(ELIGIBILITY).json(), expected));
}

#[test]
fn an_upgrade_takes_eleven_steps_in_420_seconds() {
    on_both_engines(scenario::active_project, |api| {
        assert_eq!(api.get(STATUS).to_string(), r#"200 {"databaseUpgradeStatus":null}"#);
        let id = start(api);
        for (step, progress) in UpgradeProgress::ALL.iter().enumerate() {
            let state = state(api);
            assert_eq!(state["progress"], json!(progress));
            assert_eq!(state["status"], if step == 10 { 1 } else { 0 }, "{state}");
            assert_eq!((&state["target_version"], &state["error"]), (&json!("17"), &Value::Null));
            let (status, on) =
                if step < 9 { ("UPGRADING", "15.8.1.040") } else { ("ACTIVE_HEALTHY", "17.4.1.043") };
            assert_eq!((api.status(), version(api)), (status.to_owned(), on.to_owned()), "step {step}");
            api.after(42);
        }
        let by_id = api.get(&format!("{STATUS}?tracking_id={id}")).json();
        assert_eq!(by_id["databaseUpgradeStatus"], state(api));
        assert_eq!(by_id["databaseUpgradeStatus"]["initiated_at"], "2026-01-01T00:01:00Z");
        assert_eq!(by_id["databaseUpgradeStatus"]["latest_status_at"], "2026-01-01T00:08:00Z");
        let other = api.get(&format!("{STATUS}?tracking_id=other")).body;
        assert_eq!(other, r#"{"databaseUpgradeStatus":null}"#);
    });
}

#[test]
fn each_failure_comes_at_its_step_and_keeps_the_version_but_for_the_last() {
    for (index, error) in UpgradeError::ALL.iter().enumerate() {
        on_both_engines(scenario::active_project, |api| {
            api.control(Method::PUT, "/_sim/projects/{ref}/upgrade/error", json!({ "error": error }));
            start(api);
            api.after(42 * (index as u64 + 2) - 1);
            assert_eq!(state(api)["status"], 0);
            api.after(1);
            let state = state(api);
            assert_eq!((&state["error"], &state["status"]), (&json!(error), &json!(2)));
            assert_eq!(state["progress"], json!(UpgradeProgress::ALL[index + 1]));
            let on = if index == 8 { "17.4.1.043" } else { "15.8.1.040" };
            assert_eq!((api.status(), version(api)), ("ACTIVE_HEALTHY".to_owned(), on.to_owned()));
            api.after(420);
            assert_eq!(
                api.get(STATUS).json()["databaseUpgradeStatus"],
                state,
                "nothing comes after a failure"
            );
        });
    }
}

#[test]
fn upgrades_fail_by_policy_or_for_once() {
    let failing = || under(|policy| (policy.outcomes.upgrade, policy.upgrade_error) = (Outcome::Fail, 3));
    on_both_engines(failing, |api| {
        start(api);
        api.after(420);
        assert_eq!(state(api)["error"], "3_volume_attachment_to_original_instance_failed");
    });
    on_both_engines(scenario::active_project, |api| {
        api.next_fails("upgrade");
        start(api);
        api.after(420);
        assert_eq!(state(api)["error"], "5_data_upgrade_completion_failed");
        start(api);
        api.after(420);
        assert_eq!(state(api)["status"], 1);
    });
}

#[test]
fn a_target_is_a_major_version_a_version_or_its_name() {
    for (target, on) in
        [("15", "15.8.1.102"), ("17.4.1.043", "17.4.1.043"), ("platform-postgres-15.8.1.102", "15.8.1.102")]
    {
        on_both_engines(scenario::active_project, |api| {
            assert_eq!(api.post(UPGRADE, json!({ "target_version": target })).status, 201);
            api.after(420);
            assert_eq!(version(api), on);
        });
    }
    on_both_engines(scenario::active_project, |api| {
        let body = json!({ "target_version": "17-oriole", "release_channel": "alpha" });
        assert_eq!(api.post(UPGRADE, body).status, 201);
        assert_eq!(state(api)["target_version"], "17-oriole");
    });
}

#[test]
fn a_target_that_is_not_on_offer_is_refused() {
    on_both_engines(scenario::active_project, |api| {
        let reply = api.post(UPGRADE, json!({ "target_version": "14" }));
        let text = "target_version: 14 is not available for this project, only 15.8.1.102, 17.4.1.043";
        refused(&reply, 400, "invalid_body.target_version", text);
        let reply = api.post(UPGRADE, json!({}));
        refused(&reply, 400, "invalid_body.target_version", "target_version: Required");
    });
}

#[test]
fn obstacles_make_a_project_ineligible() {
    const OBSTACLES: &str = "/_sim/projects/{ref}/upgrade/obstacles";
    let rows: [(Prepare, &str, &str); 6] = [
        (
            |api| drop(api.act("/v1/projects/{ref}/pause")),
            "project_not_active",
            "Only a healthy project can be upgraded, this one is PAUSING",
        ),
        (
            |api| {
                start(api);
                api.after(420);
            },
            "already_newest",
            "The project is on the newest version already.",
        ),
        (
            |api| {
                api.resize("small");
                let region = json!({ "read_replica_region": "eu-west-1" });
                assert_eq!(api.post("/v1/projects/{ref}/read-replicas/setup", region).status, 201);
            },
            "replicas_present",
            "Read replicas must be removed before the project can be upgraded.",
        ),
        (
            |api| {
                let objects = json!({ "extension_dependent_objects": ["view a"] });
                api.control(Method::PUT, OBSTACLES, objects);
            },
            "dependent_objects",
            "Dependent objects must be dropped before the project can be upgraded: view a",
        ),
        (
            |api| {
                let changes = json!({ "potential_breaking_changes": ["plv8"] });
                api.control(Method::PUT, OBSTACLES, changes);
            },
            "breaking_changes",
            "Breaking changes must be resolved before the project can be upgraded: plv8",
        ),
        (
            |api| {
                api.post(UPGRADE, json!({ "target_version": "15" }));
                api.after(42 * 9);
            },
            "upgrade_running",
            "The last upgrade of this project is not finished, its backup is being made.",
        ),
    ];
    for (prepare, reason, text) in rows {
        on_both_engines(scenario::active_project, |api| {
            prepare(api);
            assert_eq!(api.get(ELIGIBILITY).json()["eligible"], false, "{reason}");
            refused(&api.post(UPGRADE, json!({ "target_version": "17" })), 400, reason, text);
        });
    }
}

#[test]
fn legacy_roles_are_reported_and_prevent_nothing() {
    on_both_engines(scenario::active_project, |api| {
        let body = json!({ "legacy_auth_custom_roles": ["reports"] });
        api.control(Method::PUT, "/_sim/projects/{ref}/upgrade/obstacles", body);
        let eligibility = api.get(ELIGIBILITY).json();
        assert_eq!(eligibility["legacy_auth_custom_roles"], json!(["reports"]));
        assert_eq!(eligibility["eligible"], true);
    });
}

#[test]
fn a_project_can_be_deleted_while_its_last_backup_is_made() {
    on_both_engines(scenario::active_project, |api| {
        start(api);
        refused(
            &api.delete("/v1/projects/{ref}"),
            400,
            "project_not_deletable",
            "Project not ready for deletion.",
        );
        api.after(42 * 9);
        assert_eq!(api.delete("/v1/projects/{ref}").status, 200);
        api.after(600);
        assert_eq!(api.get(STATUS).status, 404);
    });
}

#[test]
fn at_instant_pace_an_upgrade_is_done_when_the_call_returns() {
    on_both_engines(
        || under(|policy| policy.pace = Pace::Instant),
        |api| {
            start(api);
            assert_eq!(state(api)["progress"], "10_completed_post_physical_backup");
        },
    );
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let upgrade = Call::post(UPGRADE).json(json!({ "target_version": "17" }));
    refuse_strangers(&[
        (Call::get(ELIGIBILITY), Role::ReadOnly),
        (Call::get(STATUS), Role::ReadOnly),
        (upgrade, Role::Administrator),
    ]);
}

#[test]
fn a_version_that_no_published_enum_names_is_said_to_be_the_profiles_fault() {
    let scene = || {
        let mut profile = Profile::default();
        profile.postgres_versions.push(PostgresVersion {
            version: "18.1.0.001".to_owned(),
            engine: "18".to_owned(),
            release_channel: "ga".to_owned(),
        });
        let world = scenario::cast("pro");
        scenario::project_in(Simulator::builder().seed(scenario::SEED).world(world).profile(profile).build())
    };
    on_both_engines(scene, |api| {
        let text = "postgres_versions: unknown variant `18`, expected one of `15`, `17`, `17-oriole`";
        refused(&api.get(ELIGIBILITY), 500, "profile_version", text);
        let text =
            "postgres_versions: unknown variant `18`, expected one of `13`, `14`, `15`, `17`, `17-oriole`";
        refused(&api.get("/v1/projects/{ref}/restore"), 500, "profile_version", text);
    });
}

#[test]
fn a_paused_project_is_not_eligible_because_it_hibernates() {
    both(scenario::paused_project, |api| {
        let found = api.get("/v1/projects/{ref}/upgrade/eligibility").json();
        assert_eq!(
            (&found["eligible"], &found["validation_errors"]),
            (&json!(false), &json!([{ "type": "project_hibernating" }]))
        );
    });
}
