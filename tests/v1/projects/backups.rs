//! `/v1/projects/{ref}/database/backups`

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_core::engine::Outcome;
use sim_core::management::backup::BackupStatus;
use sim_fixtures::api::peek;
use sim_fixtures::{Api, Call, InProcess, Reply, Scene, scenario};

use crate::steps::{Prepare, Steps as _, refuse_strangers, refused, under};
use crate::support::on_both_engines;

const BACKUPS: &str = "/v1/projects/{ref}/database/backups";
const RESTORE: &str = "/v1/projects/{ref}/database/backups/restore-pitr";
const DAY: u64 = 86_400;
/// 2026-01-01T00:00:00Z.
const START: u64 = 1_767_225_600;

fn daily(api: &mut dyn Api) -> Vec<Value> {
    api.get(BACKUPS).json()["backups"].as_array().expect("backups are a list").clone()
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
    on_both_engines(scenario::active_project, |api| assert_eq!(api.get(BACKUPS).json(), expected));
}

#[test]
fn backups_are_made_at_midnight_without_a_job() {
    on_both_engines(scenario::active_project, |api| {
        api.after(DAY - 61);
        assert_eq!(daily(api), [] as [Value; 0]);
        api.after(1);
        let first = json!({ "id": 1_767_312_000, "status": "COMPLETED", "is_physical_backup": false, "inserted_at": "2026-01-02T00:00:00Z" });
        assert_eq!(daily(api)[..], *std::slice::from_ref(&first));
        api.after(DAY);
        let second = json!({ "id": 1_767_398_400, "status": "COMPLETED", "is_physical_backup": false, "inserted_at": "2026-01-03T00:00:00Z" });
        assert_eq!(daily(api), [second, first]);
        assert!(peek(api, |sim| sim.agenda().is_empty()));
    });
}

#[test]
fn a_plan_keeps_its_number_of_days() {
    for (plan, kept) in [("free", 0), ("pro", 7), ("team", 14), ("enterprise", 30)] {
        on_both_engines(scenario::active_project, |api| {
            api.plan(plan);
            api.after(40 * DAY);
            assert_eq!(daily(api).len(), kept, "{plan}");
        });
    }
}

#[test]
fn a_paused_project_is_not_backed_up() {
    on_both_engines(scenario::active_project, |api| {
        api.after(DAY);
        api.post("/v1/projects/{ref}/pause", json!({}));
        api.after(2 * DAY);
        api.post("/v1/projects/{ref}/restore", json!({}));
        api.after(DAY);
        let days: Vec<_> = daily(api).iter().map(|one| one["inserted_at"].clone()).collect();
        assert_eq!(days, ["2026-01-05T00:00:00Z", "2026-01-02T00:00:00Z"]);
    });
}

#[test]
fn every_status_of_a_backup_can_be_had() {
    for status in BackupStatus::ALL {
        on_both_engines(scenario::active_project, |api| {
            api.control(Method::PUT, "/_sim/projects/{ref}/backups", json!({ "status": status }));
            assert_eq!(daily(api), [] as [Value; 0]);
            api.after(DAY);
            assert_eq!(daily(api)[0]["status"], json!(status));
            let day = json!({ "status": "ARCHIVED", "day": "2026-01-02T12:00:00Z" });
            api.control(Method::PUT, "/_sim/projects/{ref}/backups", day);
            assert_eq!(daily(api)[0]["status"], "ARCHIVED");
        });
    }
}

#[test]
fn nothing_becomes_of_backups_on_the_free_plan() {
    on_both_engines(scenario::active_project, |api| {
        let fails = json!({ "status": "FAILED", "day": "2026-01-01T12:00:00Z" });
        let decide =
            |api: &mut dyn Api| api.send(Call::put("/_sim/projects/{ref}/backups").json(fails.clone()));
        assert_eq!(decide(api).status, 200);
        api.plan("free");
        refused(&decide(api), 402, "plan_too_low", "A daily backup requires a higher plan.");
        api.plan("pro");
        assert_eq!(daily(api), [] as [Value; 0]);
    });
}

#[test]
fn backups_lost_when_an_organization_stopped_paying_stay_lost() {
    on_both_engines(scenario::active_project, |api| {
        api.after(2 * DAY);
        // One span is closed, another is open, and something is decided about the next day.
        api.post("/v1/projects/{ref}/pause", json!({}));
        api.after(60);
        api.post("/v1/projects/{ref}/restore", json!({}));
        api.after(DAY);
        api.control(Method::PUT, "/_sim/projects/{ref}/backups", json!({ "status": "FAILED" }));
        assert_eq!(daily(api).len(), 3);
        for plan in ["team", "free", "pro"] {
            api.plan(plan);
            assert_eq!(daily(api).len(), if plan == "team" { 3 } else { 0 }, "{plan}");
        }
        let rows = peek(api, |sim| sim.query_journal("select * from backup"));
        assert!(rows.expect("a good query").is_empty());
        // The same span again, and the same day.
        api.post("/v1/projects/{ref}/pause", json!({}));
        api.after(DAY);
        api.post("/v1/projects/{ref}/restore", json!({}));
        api.after(DAY);
        let shown: Vec<_> =
            daily(api).iter().map(|one| (one["inserted_at"].clone(), one["status"].clone())).collect();
        assert_eq!(shown, [(json!("2026-01-06T00:00:00Z"), json!("COMPLETED"))]);
    });
}

#[test]
fn a_backup_fails_or_takes_its_time_by_policy() {
    on_both_engines(
        || under(|policy| policy.outcomes.backup = Outcome::Fail),
        |api| {
            api.after(DAY);
            assert_eq!(daily(api)[0]["status"], "FAILED");
        },
    );
    on_both_engines(
        || under(|policy| policy.durations.backup_ms = 600_000),
        |api| {
            api.after(DAY - 60);
            assert_eq!(daily(api)[0]["status"], "PENDING");
            api.after(600);
            assert_eq!(daily(api)[0]["status"], "COMPLETED");
        },
    );
}

#[test]
fn backups_are_physical_with_pitr_replicas_or_a_large_database() {
    let prepares: [Prepare; 3] = [
        |api| api.addon("pitr_7", true),
        |api| {
            api.resize("small");
            api.post("/v1/projects/{ref}/read-replicas/setup", json!({ "read_replica_region": "sa-east-1" }));
        },
        |api| {
            let bytes = json!({ "bytes": 20_000_000 });
            api.control(Method::POST, "/_sim/projects/{ref}/database/writes", bytes);
        },
    ];
    for prepare in prepares {
        let begin = || under(|policy| policy.physical_backup_bytes = 20_000_000);
        on_both_engines(begin, |api| {
            prepare(api);
            api.after(DAY);
            assert_eq!(daily(api)[0]["is_physical_backup"], true);
        });
    }
}

#[test]
fn a_daily_backup_that_copied_files_is_restored_by_its_number() {
    const RESTORE_DAILY: &str = "/v1/projects/{ref}/database/backups/restore";
    on_both_engines(scenario::active_project, |api| {
        api.after(DAY);
        let first = daily(api)[0]["id"].clone();
        let reply = api.post(RESTORE_DAILY, json!({ "id": first }));
        refused(&reply, 400, "logical_backup", "id: is a backup that did not copy files");
        api.addon("pitr_7", true);
        api.after(DAY);
        let second = daily(api)[0]["id"].clone();
        assert_eq!(api.post(RESTORE_DAILY, json!({ "id": 1 })).status, 404);
        assert_eq!(api.post(RESTORE_DAILY, json!({ "id": second })).status, 201);
        assert_eq!(api.status(), "RESTORING");
        api.after(180);
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
    });
}

#[test]
fn the_window_opens_with_the_addon_and_moves_with_its_days() {
    on_both_engines(scenario::active_project, |api| {
        api.after(40);
        api.addon("pitr_7", true);
        api.after(DAY);
        let backups = api.get(BACKUPS).json();
        assert_eq!(backups["pitr_enabled"], true);
        let window = |earliest: u64, latest: u64| json!({ "earliest_physical_backup_date_unix": earliest, "latest_physical_backup_date_unix": latest });
        assert_eq!(backups["physical_backup_data"], window(START + 100, START + 100 + DAY));
        api.after(19 * DAY);
        let now = START + 100 + 20 * DAY;
        assert_eq!(api.get(BACKUPS).json()["physical_backup_data"], window(now - 7 * DAY, now));
        api.addon("pitr_7", false);
        api.after(10);
        assert_eq!(api.get(BACKUPS).json()["physical_backup_data"], json!({}));
        api.addon("pitr_28", true);
        assert_eq!(api.get(BACKUPS).json()["physical_backup_data"], window(now + 10, now + 10));
    });
}

#[test]
fn a_point_in_time_is_restored_in_180_seconds() {
    for (fails, end) in [(false, "ACTIVE_HEALTHY"), (true, "RESTORE_FAILED")] {
        on_both_engines(scenario::active_project, |api| {
            api.addon("pitr_7", true);
            api.after(DAY);
            if fails {
                api.next_fails("pitr_restore");
            }
            let reply = api.post(RESTORE, json!({ "recovery_time_target_unix": START + 3600 }));
            assert_eq!(reply.to_string(), "201 {}");
            api.after(179);
            assert_eq!(api.status(), "RESTORING");
            api.after(1);
            assert_eq!(api.status(), end);
        });
    }
}

#[test]
fn a_point_in_time_is_refused_without_the_addon_outside_the_window_and_while_paused() {
    on_both_engines(scenario::active_project, |api| {
        let restore =
            |api: &mut dyn Api, at: u64| api.post(RESTORE, json!({ "recovery_time_target_unix": at }));
        let text = "PITR is not enabled for this project.";
        refused(&restore(api, START + 60), 400, "pitr_disabled", text);
        api.addon("pitr_7", true);
        api.after(10);
        let text = "recovery_time_target_unix: is outside the window that the project can be restored in";
        for at in [START + 59, START + 71] {
            refused(&restore(api, at), 400, "outside_pitr_window", text);
        }
        for at in [START + 60, START + 70] {
            let project = api.project().as_str().into();
            let mut fork = InProcess::new(Scene { sim: peek(api, |sim| sim.fork()), project });
            assert_eq!(restore(&mut fork, at).status, 201);
        }
        api.post("/v1/projects/{ref}/pause", json!({}));
        let text = "This project is not in an active state, it is PAUSING";
        refused(&restore(api, START + 60), 400, "project_not_active", text);
        let reply = api.post(RESTORE, json!({ "recovery_time_target_unix": -1 }));
        assert_eq!((reply.status, reply.reason()), (400, "invalid_body.recovery_time_target_unix"));
    });
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let restore = Call::post(RESTORE).json(json!({ "recovery_time_target_unix": START }));
    let schedule = Call::new(Method::PATCH, SCHEDULE).json(json!({ "schedule_for": "04:00:00" }));
    refuse_strangers(&[
        (Call::get(BACKUPS), Role::ReadOnly),
        (restore, Role::Administrator),
        (Call::get(SCHEDULE), Role::ReadOnly),
        (schedule, Role::Administrator),
    ]);
}

const SCHEDULE: &str = "/v1/projects/{ref}/database/backups/schedule";

fn schedule(api: &mut dyn Api, time: &str) -> Reply {
    api.send(Call::new(Method::PATCH, SCHEDULE).json(json!({ "schedule_for": time })))
}

/// When the listed backups were made.
fn instants(api: &mut dyn Api) -> Vec<String> {
    let made = |one: &Value| one["inserted_at"].as_str().expect("an instant").to_owned();
    daily(api).iter().map(made).collect()
}

#[test]
fn backups_are_made_at_the_time_of_day_that_was_set() {
    on_both_engines(scenario::active_project, |api| {
        api.plan("enterprise");
        let never = json!({ "schedule_for": "00:00:00", "updated_at": "2026-01-01T00:00:00Z" });
        assert_eq!(api.get(SCHEDULE).json(), never);
        let changed = json!({ "schedule_for": "04:30:15", "updated_at": "2026-01-01T00:01:00Z" });
        assert_eq!(schedule(api, "04:30:15").json(), changed);
        assert_eq!(api.get(SCHEDULE).json(), changed);
        api.after(4 * 3600 + 29 * 60 + 14);
        assert_eq!(instants(api), [""; 0]);
        api.after(1);
        let first = json!({ "id": START + 16_215, "status": "COMPLETED", "is_physical_backup": false, "inserted_at": "2026-01-01T04:30:15Z" });
        assert_eq!(daily(api), [first]);
        api.after(DAY);
        assert_eq!(instants(api), ["2026-01-02T04:30:15Z", "2026-01-01T04:30:15Z"]);
    });
}

#[test]
fn a_time_that_has_passed_today_counts_from_tomorrow_on() {
    on_both_engines(scenario::active_project, |api| {
        api.plan("enterprise");
        schedule(api, "12:00:00");
        api.after(11 * 3600);
        // Noon has not passed yet, so it stays today's time.
        schedule(api, "08:00:00");
        api.after(2 * DAY);
        let made = ["2026-01-03T08:00:00Z", "2026-01-02T08:00:00Z", "2026-01-01T12:00:00Z"];
        assert_eq!(instants(api), made);
        // A later time on a day with a backup gives one more backup that day.
        schedule(api, "20:00:00");
        api.after(DAY / 2);
        assert_eq!(instants(api)[..2], ["2026-01-03T20:00:00Z", "2026-01-03T08:00:00Z"]);
        let last = json!({ "day": "2026-01-03T00:00:00Z" });
        let restored = api.control(Method::POST, "/_sim/projects/{ref}/backups/restore", last);
        assert_eq!(restored["inserted_at"], "2026-01-03T20:00:00Z");
    });
}

#[test]
fn a_decision_about_the_next_backup_moves_with_its_time() {
    on_both_engines(scenario::active_project, |api| {
        api.plan("enterprise");
        schedule(api, "06:00:00");
        let fails = json!({ "status": "FAILED" });
        let decided = api.control(Method::PUT, "/_sim/projects/{ref}/backups", fails);
        assert_eq!(decided["inserted_at"], "2026-01-01T06:00:00Z");
        schedule(api, "18:00:00");
        api.after(DAY);
        let shown: Vec<_> =
            daily(api).iter().map(|one| (one["inserted_at"].clone(), one["status"].clone())).collect();
        assert_eq!(shown, [(json!("2026-01-01T18:00:00Z"), json!("FAILED"))]);
    });
}

#[test]
fn a_daily_backup_has_the_rows_of_its_time_of_day() {
    on_both_engines(scenario::active_project, |api| {
        let query = |api: &mut dyn Api, sql: &str| {
            let reply = api.post("/v1/projects/{ref}/database/query", json!({ "query": sql }));
            assert_eq!(reply.status, 201, "{reply}");
            reply.json()
        };
        api.plan("enterprise");
        schedule(api, "06:00:00");
        query(api, "create table noted (hour int)");
        for hour in 1..8 {
            query(api, &format!("insert into noted values ({hour})"));
            api.after(3600);
        }
        let day = json!({ "day": "2026-01-01T00:00:00Z" });
        api.control(Method::POST, "/_sim/projects/{ref}/backups/restore", day);
        api.after(180);
        assert_eq!(query(api, "select max(hour) as last from noted"), json!([{ "last": 6 }]));
    });
}

#[test]
fn a_schedule_needs_the_enterprise_plan_a_good_time_and_is_changed_three_times_a_day() {
    on_both_engines(scenario::active_project, |api| {
        for plan in ["free", "pro", "team"] {
            api.plan(plan);
            let text = "A backup schedule requires a higher plan.";
            refused(&schedule(api, "04:00:00"), 402, "plan_too_low", text);
            assert_eq!(api.get(SCHEDULE).json()["schedule_for"], "00:00:00");
        }
        api.plan("enterprise");
        for time in ["24:00:00", "04:60:00", "04:00", "4:00:00", "04:00:00Z", "noon", ""] {
            let text = "schedule_for: Invalid, must be a time of day: HH:MM:SS";
            refused(&schedule(api, time), 400, "invalid_body.schedule_for", text);
        }
        for time in ["04:00:00", "05:00:00", "06:00:00"] {
            assert_eq!(schedule(api, time).status, 200);
        }
        let text = "The backup schedule can be updated 3 times in 24 hours.";
        refused(&schedule(api, "07:00:00"), 400, "backup_schedule_changed_often", text);
        api.after(DAY);
        // The project may be paused.
        api.post("/v1/projects/{ref}/pause", json!({}));
        assert_eq!(schedule(api, "07:00:00").status, 200);
        api.plan("pro");
        assert_eq!(api.get(SCHEDULE).json()["schedule_for"], "07:00:00", "a set time stays");
    });
}
