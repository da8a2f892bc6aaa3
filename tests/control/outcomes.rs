//! `/_sim/outcomes/{work}`.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::Policy;
use sim_core::engine::{Finish, Outcome};
use sim_fixtures::{Api, Call, api::peek, scenario};

use crate::steps::{Steps as _, refused, under};
use crate::support::{both, seconds};

const DAY: u64 = 24 * 3600;

/// Decides how the next work of that kind ends.
fn decide(api: &mut dyn Api, work: &str, decision: Value) {
    let reply = api.put(&format!("/_sim/outcomes/{work}"), decision);
    assert_eq!(reply.to_string(), "200 {}");
}

/// Pauses the project, and returns its status after this number of seconds.
fn pause(api: &mut dyn Api, wait: u64) -> String {
    assert_eq!(api.act("/v1/projects/{ref}/pause").status, 200);
    api.after(wait);
    api.status()
}

#[test]
fn a_decided_outcome_is_used_up_by_the_next_work_of_its_kind() {
    both(scenario::active_project, |api| {
        assert_snapshot!(api.put("/_sim/outcomes/pause", json!({ "outcome": "fail" })), @"200 {}");
        let mut ends = Vec::new();
        for _ in 0..2 {
            api.act("/v1/projects/{ref}/pause");
            api.advance(seconds(20));
            ends.push(api.get("/v1/projects/{ref}").json()["status"].clone());
        }
        assert_eq!(ends, ["PAUSE_FAILED", "INACTIVE"]);
    });
}

#[test]
fn decisions_are_listed_until_they_are_used_or_taken_back() {
    both(scenario::active_project, |api| {
        let project = api.project();
        let listed = |api: &mut dyn Api| api.get("/_sim/outcomes").json();
        assert_eq!(listed(api), json!([]));
        decide(api, "restore", json!({ "outcome": "fail", "after_ms": 5000 }));
        decide(api, "pause", json!({ "outcome": "never", "project": project, "lasting": true }));
        let pause = json!({
            "work": "pause", "outcome": "never", "project": project, "lasting": true, "used": 0, "set_by_call": 4,
        });
        let restore = json!({
            "work": "restore", "outcome": "fail", "after_ms": 5000, "lasting": false, "used": 0, "set_by_call": 3,
        });
        assert_eq!(listed(api), json!([pause, restore]));
        let unused = |api: &mut dyn Api| peek(api, |sim| sim.unused_decisions());
        assert_eq!(
            unused(api),
            [
                format!("the decision of call 4 that each pause of project {project} never ends"),
                "the decision of call 3 that the next restore fails after 5000 ms".to_owned(),
            ]
        );
        // One for all projects is not that of a project, and a used one is gone, or counted.
        let missing = api.delete(&format!("/_sim/outcomes/restore?project={project}"));
        let text = format!(
            "There is no decision about the next restore of project {project}; GET /_sim/outcomes lists them"
        );
        refused(&missing, 404, "outcome_not_found", &text);
        assert_eq!(self::pause(api, DAY), "PAUSING");
        assert_eq!(listed(api)[0]["used"], 1);
        assert_eq!(unused(api).len(), 1);
        assert_eq!(api.delete(&format!("/_sim/outcomes/pause?project={project}")).to_string(), "200 {}");
        assert_eq!(api.delete("/_sim/outcomes/restore").to_string(), "200 {}");
        assert_eq!(api.delete("/_sim/outcomes/restore").status, 404);
        assert_eq!(listed(api), json!([]));
        assert!(unused(api).is_empty());
    });
}

#[test]
fn a_decision_about_a_backup_is_listed_until_its_time() {
    both(scenario::active_project, |api| {
        api.plan("pro");
        let project = api.project();
        let backup = json!({ "outcome": "fail", "project": project });
        let due = |api: &mut dyn Api| api.get("/_sim/outcomes").json()[0]["due_at"].clone();
        let newest = |api: &mut dyn Api| {
            api.get("/v1/projects/{ref}/database/backups").json()["backups"][0]["status"].clone()
        };
        decide(api, "backup", backup.clone());
        assert_eq!(due(api), "2026-01-02T00:00:00Z");
        assert_eq!(api.delete(&format!("/_sim/outcomes/backup?project={project}")).status, 200);
        assert_eq!(due(api), Value::Null);
        api.after(DAY);
        assert_eq!(newest(api), "COMPLETED");
        decide(api, "backup", backup.clone());
        api.after(DAY);
        assert_eq!((newest(api), due(api)), (json!("FAILED"), Value::Null));
        assert!(peek(api, |sim| sim.unused_decisions()).is_empty());
        // Deciding in the other way replaces it, and it lapses with the plan.
        decide(api, "backup", backup.clone());
        assert_eq!(api.put("/_sim/projects/{ref}/backups", json!({ "status": "COMPLETED" })).status, 200);
        assert_eq!(due(api), Value::Null);
        decide(api, "backup", backup);
        api.plan("free");
        assert_eq!(due(api), Value::Null);
    });
}

#[test]
fn mistyped_names_get_a_suggestion() {
    both(scenario::active_project, |api| {
        for (path, body, meant) in [
            ("/_sim/outcomes/restor", json!({ "outcome": "fail" }), "`restore`"),
            ("/_sim/outcomes/restore", json!({ "outcome": "fial" }), "`fail`"),
            ("/_sim/projects/{ref}/health/strage", json!({ "healthy": false }), "`storage`"),
            ("/_sim/projects/{ref}/instance-size", json!({ "instance_size": "smal" }), "`small`"),
            ("/_sim/projects/{ref}/pool-mode", json!({ "pool_mode": "sesion" }), "`session`"),
        ] {
            let refused = api.put(path, body);
            let message = refused.json()["message"].as_str().unwrap_or_default().to_owned();
            assert!(message.contains(&format!("; did you mean {meant}?")), "{path}: {refused}");
        }
        // The service that is simulated has no suggestions.
        let refused = api.get("/v1/projects/{ref}/health?services=strage");
        assert!(!refused.to_string().contains("did you mean"), "{refused}");
    });
}

#[test]
fn a_refused_call_uses_up_no_outcome() {
    both(scenario::paused_project, |api| {
        api.put("/_sim/outcomes/pause", json!({ "outcome": "fail" }));
        assert_eq!(api.act("/v1/projects/{ref}/pause").status, 400);
        api.act("/v1/projects/{ref}/restore");
        api.advance(seconds(120));
        api.act("/v1/projects/{ref}/pause");
        api.advance(seconds(20));
        assert_eq!(api.get("/v1/projects/{ref}").json()["status"], "PAUSE_FAILED");
    });
}

#[test]
fn work_without_a_failure_can_stick_too() {
    let scene = || under(|_| {});
    both(scene, |api| {
        let refused = api.put("/_sim/outcomes/resize", json!({ "outcome": "fail" }));
        assert_eq!((refused.status, refused.reason()), (400, "invalid_body.outcome"), "{refused}");
        decide(api, "resize", json!({ "outcome": "succeed", "after_ms": 300_000 }));
        api.put("/_sim/projects/{ref}/instance-size", json!({ "instance_size": "small" }));
        api.after(299);
        assert_eq!(api.status(), "RESIZING");
        api.after(1);
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
        decide(api, "restart", json!({ "outcome": "never" }));
        assert!(api.act("/v1/projects/{ref}/restart").status < 300);
        api.after(30 * DAY);
        assert_eq!(api.status(), "RESTARTING");
        decide(api, "delete", json!({ "outcome": "never" }));
        api.delete("/v1/projects/{ref}");
        api.after(30 * DAY);
        assert_eq!(api.status(), "GOING_DOWN");
    });
    let scene = || under(|policy| policy.outcomes.restore_point = Finish::Never);
    both(scene, |api| {
        let path = "/v1/projects/{ref}/database/backups/restore-point";
        assert_eq!(api.post(path, json!({ "name": "before" })).status, 201);
        api.after(DAY);
        assert_eq!(api.get(path).json()["status"], "PENDING");
    });
}

#[test]
fn work_and_outcome_are_known_words() {
    both(scenario::fresh, |api| {
        let reply = api.put("/_sim/outcomes/nap", json!({ "outcome": "fail" }));
        assert_eq!((reply.status, reply.reason()), (400, "invalid_path.work"), "{reply}");
        assert_snapshot!(api.put("/_sim/outcomes/pause", json!({ "outcome": "maybe" })), @r#"400 {"message":"outcome: Invalid enum value. Expected 'succeed' | 'fail' | 'never', received 'maybe'"}"#);
    });
}

#[test]
fn work_that_never_ends_leaves_a_project_as_it_is_meanwhile() {
    both(scenario::active_project, |api| {
        decide(api, "pause", json!({ "outcome": "never" }));
        assert_eq!(pause(api, DAY), "PAUSING");
        let other = api.another_project("other");
        api.after(60);
        assert_eq!(api.act(&format!("/v1/projects/{other}/pause")).status, 200);
        api.after(20);
        assert_eq!(api.get(&format!("/v1/projects/{other}")).json()["status"], "INACTIVE", "it was used up");
    });
    let endless = || under(|policy| policy.outcomes.restore = Outcome::Never);
    both(endless, |api| {
        assert_eq!(pause(api, 20), "INACTIVE");
        assert_eq!(api.post("/v1/projects/{ref}/restore", json!({})).status, 200);
        api.after(DAY);
        assert_eq!(api.status(), "RESTORING");
    });
}

#[test]
fn branches_and_upgrades_can_stick_too() {
    both(scenario::active_project, |api| {
        for work in ["branch_migrations", "upgrade"] {
            decide(api, work, json!({ "outcome": "never" }));
        }
        let branch = json!({ "branch_name": "dev" });
        assert_eq!(api.post("/v1/projects/{ref}/branches", branch).status, 201);
        assert_eq!(api.post("/v1/projects/{ref}/upgrade", json!({ "target_version": "17" })).status, 201);
        api.after(DAY);
        assert_eq!(api.get("/v1/projects/{ref}/branches").json()[1]["status"], "RUNNING_MIGRATIONS");
        assert_eq!(api.status(), "UPGRADING");
    });
}

#[test]
fn a_decision_may_be_about_one_project_and_last() {
    both(scenario::active_project, |api| {
        let other = api.another_project("other");
        api.after(60);
        let project = api.project();
        decide(api, "pause", json!({ "outcome": "fail", "project": other }));
        decide(api, "pause", json!({ "outcome": "fail", "project": project, "lasting": true }));
        assert_eq!([pause(api, 20), pause(api, 20)], ["PAUSE_FAILED", "PAUSE_FAILED"]);
        decide(api, "pause", json!({ "outcome": "succeed", "project": project }));
        assert_eq!(pause(api, 20), "INACTIVE");
        assert_eq!(api.act(&format!("/v1/projects/{other}/pause")).status, 200);
        api.after(20);
        assert_eq!(api.get(&format!("/v1/projects/{other}")).json()["status"], "PAUSE_FAILED");
        let nobody = json!({ "outcome": "fail", "project": "nosuchprojectatallxx" });
        assert_eq!(api.put("/_sim/outcomes/pause", nobody).status, 404);
    });
}

#[test]
fn a_decision_is_about_a_project_that_does_such_work() {
    both(scenario::active_project, |api| {
        let project = api.project();
        let branch = api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).json();
        for (work, project, problem) in [
            (
                "accept",
                json!(project),
                "has been accepted; leave it out, and the decision is about the next new project",
            ),
            (
                "create",
                json!(project),
                "is created already; leave it out, and the decision is about the next new project",
            ),
            ("branch_migrations", json!(project), "is not that of a branch"),
            ("branch_functions", json!(project), "is not that of a branch"),
            ("branch_removal", json!(project), "is not that of a branch"),
            ("branch_create", branch["project_ref"].clone(), "is that of a branch, which has no branches"),
        ] {
            let body = json!({ "outcome": "never", "project": project });
            let reply = api.put(&format!("/_sim/outcomes/{work}"), body);
            refused(&reply, 400, "invalid_body.project", &format!("project: {problem}"));
        }
        decide(api, "branch_create", json!({ "outcome": "fail", "project": project }));
        decide(api, "branch_removal", json!({ "outcome": "never", "project": branch["project_ref"] }));
    });
}

#[test]
fn work_takes_as_long_as_was_decided() {
    both(scenario::active_project, |api| {
        decide(api, "pause", json!({ "outcome": "succeed", "after_ms": 3_600_000 }));
        assert_eq!(pause(api, 3599), "PAUSING");
        api.after(1);
        assert_eq!(api.status(), "INACTIVE");
        let both = api.put("/_sim/outcomes/pause", json!({ "outcome": "never", "after_ms": 1 }));
        assert_eq!((both.status, both.reason()), (400, "invalid_body.after_ms"));
    });
}

#[test]
fn a_new_project_waits_to_be_accepted() {
    let status = |api: &mut dyn Api, project: &str| {
        let found = api.get(&format!("/v1/projects/{project}")).json();
        found["status"].as_str().unwrap_or_default().to_owned()
    };
    both(scenario::active_project, |api| {
        decide(api, "accept", json!({ "outcome": "succeed", "after_ms": 90_000 }));
        let slow = api.another_project("slow");
        api.after(89);
        assert_eq!(status(api, &slow), "UNKNOWN");
        api.after(1);
        assert_eq!(status(api, &slow), "COMING_UP");
        api.after(60);
        assert_eq!(status(api, &slow), "ACTIVE_HEALTHY");
        let usual = api.another_project("usual");
        assert_eq!(status(api, &usual), "COMING_UP");
        let refused = api.put("/_sim/outcomes/accept", json!({ "outcome": "fail" }));
        assert_eq!((refused.status, refused.reason()), (400, "invalid_body.outcome"));
    });
    let endless = || {
        let mut policy = Policy::default();
        policy.outcomes.accept = Finish::Never;
        scenario::with_policy(policy)
    };
    both(endless, |api| {
        let stuck = api.another_project("stuck");
        api.after(DAY);
        assert_eq!(status(api, &stuck), "UNKNOWN");
        assert_eq!(api.delete(&format!("/v1/projects/{stuck}")).status, 200);
    });
}

#[test]
fn a_branch_is_created_as_was_decided_for_branches() {
    let status = |api: &mut dyn Api| api.get("/v1/projects/{ref}/branches").json()[1]["status"].clone();
    both(scenario::active_project, |api| {
        let project = api.project();
        decide(
            api,
            "branch_create",
            json!({ "outcome": "succeed", "after_ms": 600_000, "project": project }),
        );
        // A project is not a branch.
        let other = api.another_project("other");
        api.after(60);
        assert_eq!(api.get(&format!("/v1/projects/{other}")).json()["status"], "ACTIVE_HEALTHY");
        assert_eq!(api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).status, 201);
        api.after(599);
        assert_eq!(status(api), "CREATING_PROJECT");
        api.after(1);
        assert_eq!(status(api), "RUNNING_MIGRATIONS");
    });
    both(scenario::active_project, |api| {
        decide(api, "branch_create", json!({ "outcome": "never", "lasting": true }));
        assert_eq!(api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).status, 201);
        api.after(DAY);
        assert_eq!(status(api), "CREATING_PROJECT");
    });
}

#[test]
fn the_next_daily_backup_ends_as_was_decided() {
    both(scenario::active_project, |api| {
        api.plan("pro");
        let project = api.project();
        let newest = |api: &mut dyn Api| {
            let listed = api.get("/v1/projects/{ref}/database/backups").json();
            listed["backups"][0]["status"].as_str().unwrap_or_default().to_owned()
        };
        decide(api, "backup", json!({ "outcome": "fail", "after_ms": 3_600_000, "project": project }));
        api.after(DAY);
        assert_eq!(newest(api), "PENDING", "it takes an hour from midnight on");
        api.after(3600);
        assert_eq!(newest(api), "FAILED");
        api.after(DAY);
        assert_eq!(newest(api), "COMPLETED", "the decision was used up");
        decide(api, "backup", json!({ "outcome": "never", "project": project }));
        api.after(DAY);
        assert_eq!(newest(api), "PENDING");

        for decision in
            [json!({ "outcome": "fail" }), json!({ "outcome": "fail", "project": project, "lasting": true })]
        {
            let refused = api.put("/_sim/outcomes/backup", decision);
            assert_eq!((refused.status, refused.reason()), (400, "invalid_body.project"));
        }
        api.plan("free");
        let refused = api.put("/_sim/outcomes/backup", json!({ "outcome": "fail", "project": project }));
        assert_eq!(refused.status, 402);
    });
}

#[test]
fn a_deploy_fails_or_times_out_once() {
    both(scenario::active_project, |api| {
        let metadata = json!({ "entrypoint_path": "index.ts" });
        let call = Call::post("/v1/projects/{ref}/functions/deploy?slug=hi");
        let call = call.multipart(&metadata, &[("index.ts", "x")]);
        for (outcome, status, text) in [
            ("never", 400, "Bundle generation timed out"),
            ("fail", 500, "Function deploy failed due to an internal error"),
        ] {
            decide(api, "deploy", json!({ "outcome": outcome }));
            let reply = api.send(call.clone());
            assert_eq!((reply.status, &reply.json()["message"]), (status, &json!(text)));
            assert_eq!(api.send(call.clone()).status, 201);
        }
    });
}
