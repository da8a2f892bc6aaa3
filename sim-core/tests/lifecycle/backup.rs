//! `/v1/projects/{ref}/database/backups`

use serde_json::{Value, json};

use super::{Scene, active_project, refused, scene};
use sim_core::Policy;
use sim_core::engine::{Durations, Outcome, Outcomes};
use sim_core::management::backup::BackupStatus;

const BACKUPS: &str = "/v1/projects/{ref}/database/backups";
const RESTORE: &str = "/v1/projects/{ref}/database/backups/restore-pitr";
const DAY: u64 = 86_400;
/// 2026-01-01T00:00:00Z.
const START: u64 = 1_767_225_600;

fn addon(scene: &mut Scene, addon: &str, enabled: bool) {
    scene.control("PUT", &format!("/_sim/projects/{{ref}}/addons/{addon}"), json!({ "enabled": enabled }));
}

fn daily(scene: &mut Scene) -> Vec<Value> {
    scene.get(BACKUPS).json()["backups"].as_array().expect("backups are a list").clone()
}

#[test]
fn a_new_project_has_no_backups() {
    let expected = json!({
        "region": "us-east-1",
        "walg_enabled": true,
        "pitr_enabled": false,
        "backups": [],
        "physical_backup_data": {},
    });
    assert_eq!(active_project().get(BACKUPS).json(), expected);
}

#[test]
fn backups_are_made_at_midnight_without_a_job() {
    let mut scene = active_project();
    scene.after(DAY - 61);
    assert_eq!(daily(&mut scene), [] as [Value; 0]);
    scene.after(1);
    let first =
        json!({ "status": "COMPLETED", "is_physical_backup": false, "inserted_at": "2026-01-02T00:00:00Z" });
    assert_eq!(daily(&mut scene)[..], *std::slice::from_ref(&first));
    scene.after(DAY);
    let second =
        json!({ "status": "COMPLETED", "is_physical_backup": false, "inserted_at": "2026-01-03T00:00:00Z" });
    assert_eq!(daily(&mut scene), [second, first]);
    assert!(scene.sim.agenda().is_empty());
}

#[test]
fn a_plan_keeps_its_number_of_days() {
    for (plan, kept) in [("free", 0), ("pro", 7), ("team", 14), ("enterprise", 30)] {
        let mut scene = active_project();
        scene.plan(plan);
        scene.after(40 * DAY);
        assert_eq!(daily(&mut scene).len(), kept, "{plan}");
    }
}

#[test]
fn a_paused_project_is_not_backed_up() {
    let mut scene = active_project();
    scene.after(DAY);
    scene.post("/v1/projects/{ref}/pause", json!({}));
    scene.after(2 * DAY);
    scene.post("/v1/projects/{ref}/restore", json!({}));
    scene.after(DAY);
    let days: Vec<_> = daily(&mut scene).iter().map(|one| one["inserted_at"].clone()).collect();
    assert_eq!(days, ["2026-01-05T00:00:00Z", "2026-01-02T00:00:00Z"]);
}

#[test]
fn every_status_of_a_backup_can_be_had() {
    for status in BackupStatus::ALL {
        let mut scene = active_project();
        scene.control("PUT", "/_sim/projects/{ref}/backups", json!({ "status": status }));
        assert_eq!(daily(&mut scene), [] as [Value; 0]);
        scene.after(DAY);
        assert_eq!(daily(&mut scene)[0]["status"], json!(status));
        let day = json!({ "status": "ARCHIVED", "day": "2026-01-02T12:00:00Z" });
        scene.control("PUT", "/_sim/projects/{ref}/backups", day);
        assert_eq!(daily(&mut scene)[0]["status"], "ARCHIVED");
    }
    let outcomes = Outcomes { backup: Outcome::Fail, ..Outcomes::default() };
    let mut failing = scene(Policy { outcomes, ..Policy::default() });
    failing.after(DAY);
    assert_eq!(daily(&mut failing)[0]["status"], "FAILED");
    let durations = Durations { backup_ms: 600_000, ..Durations::default() };
    let mut slow = scene(Policy { durations, ..Policy::default() });
    slow.after(DAY - 60);
    assert_eq!(daily(&mut slow)[0]["status"], "PENDING");
    slow.after(600);
    assert_eq!(daily(&mut slow)[0]["status"], "COMPLETED");
}

#[test]
fn backups_are_physical_with_pitr_replicas_or_a_large_database() {
    let mut pitr = active_project();
    addon(&mut pitr, "pitr_7", true);
    let mut replicated = active_project();
    replicated.resize("small");
    replicated.post("/v1/projects/{ref}/read-replicas/setup", json!({ "read_replica_region": "sa-east-1" }));
    let mut large = scene(Policy { physical_backup_bytes: 20_000_000, ..Policy::default() });
    large.control("POST", "/_sim/projects/{ref}/database/writes", json!({ "bytes": 20_000_000 }));
    for mut scene in [pitr, replicated, large] {
        scene.after(DAY);
        assert_eq!(daily(&mut scene)[0]["is_physical_backup"], true);
    }
}

#[test]
fn the_window_opens_with_the_addon_and_moves_with_its_days() {
    let mut scene = active_project();
    scene.after(40);
    addon(&mut scene, "pitr_7", true);
    scene.after(DAY);
    let backups = scene.get(BACKUPS).json();
    assert_eq!(backups["pitr_enabled"], true);
    let window = |earliest: u64, latest: u64| json!({ "earliest_physical_backup_date_unix": earliest, "latest_physical_backup_date_unix": latest });
    assert_eq!(backups["physical_backup_data"], window(START + 100, START + 100 + DAY));
    scene.after(19 * DAY);
    let now = START + 100 + 20 * DAY;
    assert_eq!(scene.get(BACKUPS).json()["physical_backup_data"], window(now - 7 * DAY, now));
    addon(&mut scene, "pitr_7", false);
    scene.after(10);
    assert_eq!(scene.get(BACKUPS).json()["physical_backup_data"], json!({}));
    addon(&mut scene, "pitr_28", true);
    assert_eq!(scene.get(BACKUPS).json()["physical_backup_data"], window(now + 10, now + 10));
}

#[test]
fn a_point_in_time_is_restored_in_180_seconds() {
    for (fails, end) in [(false, "ACTIVE_HEALTHY"), (true, "RESTORE_FAILED")] {
        let mut scene = active_project();
        addon(&mut scene, "pitr_7", true);
        scene.after(DAY);
        if fails {
            scene.next_fails("pitr_restore");
        }
        let reply = scene.post(RESTORE, json!({ "recovery_time_target_unix": START + 3600 }));
        assert_eq!((reply.status, &*reply.body), (201, "{}"));
        scene.after(179);
        assert_eq!(scene.status(), "RESTORING");
        scene.after(1);
        assert_eq!(scene.status(), end);
    }
}

#[test]
fn a_point_in_time_is_refused_without_the_addon_outside_the_window_and_while_paused() {
    let mut scene = active_project();
    let restore =
        |scene: &mut Scene, at: u64| scene.post(RESTORE, json!({ "recovery_time_target_unix": at }));
    let text = "PITR is not enabled for this project.";
    refused(&restore(&mut scene, START + 60), 400, "pitr_disabled", text);
    addon(&mut scene, "pitr_7", true);
    scene.after(10);
    let text = "recovery_time_target_unix: is outside the window that the project can be restored in";
    for at in [START + 59, START + 71] {
        refused(&restore(&mut scene, at), 400, "outside_pitr_window", text);
    }
    assert_eq!(restore(&mut scene.clone_world(), START + 60).status, 201);
    assert_eq!(restore(&mut scene.clone_world(), START + 70).status, 201);
    scene.post("/v1/projects/{ref}/pause", json!({}));
    let text = "This project is not in an active state, it is PAUSING";
    refused(&restore(&mut scene, START + 60), 400, "project_not_active", text);
    let reply = scene.post(RESTORE, json!({ "recovery_time_target_unix": -1 }));
    assert_eq!((reply.status, &*reply.reason), (400, "invalid_body.recovery_time_target_unix"));
}

impl Scene {
    fn clone_world(&self) -> Scene {
        Scene { sim: self.sim.fork(), project: self.project.clone() }
    }
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let mut scene = active_project();
    scene.refusals("GET", BACKUPS, None, None);
    let body = json!({ "recovery_time_target_unix": START });
    scene.refusals("POST", RESTORE, Some(body), Some("token-of-developer"));
}
