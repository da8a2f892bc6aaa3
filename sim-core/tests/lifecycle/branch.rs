//! `/v1/projects/{ref}/branches` and `/v1/branches/{branch_id}`

use serde_json::{Value, json};

use super::{Scene, active_project, refused, scene};
use sim_core::management::branch_workflow::BranchStatus;
use sim_core::{Pace, Policy};

const BRANCHES: &str = "/v1/projects/{ref}/branches";

fn create(scene: &mut Scene, body: Value) -> Value {
    let reply = scene.post(BRANCHES, body);
    assert_eq!(reply.status, 201, "{}", reply.body);
    reply.json()
}

fn dev(scene: &mut Scene) -> Value {
    create(scene, json!({ "branch_name": "dev" }))
}

fn at(branch: &Value) -> String {
    format!("/v1/branches/{}", branch["id"].as_str().expect("a branch has an id"))
}

fn own_ref(branch: &Value) -> String {
    branch["project_ref"].as_str().expect("a branch has a project").to_owned()
}

fn list(scene: &mut Scene) -> Vec<Value> {
    scene.get(BRANCHES).json().as_array().expect("branches are a list").clone()
}

fn status(scene: &mut Scene, name: &str) -> Value {
    let found = list(scene).into_iter().find(|branch| branch["name"] == name);
    found.expect("the branch is listed")["status"].clone()
}

#[test]
fn before_the_first_branch_there_is_no_list() {
    let text = "Preview branching is not enabled for this project.";
    refused(&active_project().get(BRANCHES), 422, "branching_disabled", text);
    refused(&active_project().delete(BRANCHES), 422, "branching_disabled", text);
    let mut newer = scene(Policy { list_branches_before_enabling: true, ..Policy::default() });
    assert_eq!(newer.get(BRANCHES).body, "[]");
}

#[test]
fn the_first_branch_brings_the_default_branch() {
    let mut scene = active_project();
    let branch = create(&mut scene, json!({ "branch_name": "dev", "git_branch": "feature" }));
    assert_eq!(branch["parent_project_ref"], *scene.project);
    assert_eq!((&branch["status"], &branch["is_default"]), (&json!("CREATING_PROJECT"), &json!(false)));
    assert_eq!((&branch["persistent"], &branch["git_branch"]), (&json!(false), &json!("feature")));
    create(&mut scene, json!({ "branch_name": "second" }));
    let all = list(&mut scene);
    let names: Vec<_> = all.iter().map(|one| one["name"].clone()).collect();
    assert_eq!(names, ["main", "dev", "second"]);
    assert_eq!((&all[0]["is_default"], &all[0]["project_ref"]), (&json!(true), &json!(scene.project)));
    assert_eq!(all[1], branch);
}

#[test]
fn a_branch_goes_through_its_steps_two_seconds_each() {
    let mut scene = active_project();
    let branch = dev(&mut scene);
    for (expected, project) in [
        ("CREATING_PROJECT", "COMING_UP"),
        ("RUNNING_MIGRATIONS", "ACTIVE_HEALTHY"),
        ("MIGRATIONS_PASSED", "ACTIVE_HEALTHY"),
        ("FUNCTIONS_DEPLOYED", "ACTIVE_HEALTHY"),
        ("FUNCTIONS_DEPLOYED", "ACTIVE_HEALTHY"),
    ] {
        assert_eq!(status(&mut scene, "dev"), expected);
        assert_eq!(scene.get(&at(&branch)).json()["status"], project, "{expected}");
        scene.after(2);
    }
}

#[test]
fn migrations_functions_and_the_project_itself_can_fail() {
    for (work, end) in [
        ("branch_migrations", "MIGRATIONS_FAILED"),
        ("branch_functions", "FUNCTIONS_FAILED"),
        ("create", "CREATING_PROJECT"),
    ] {
        let mut scene = active_project();
        scene.next_fails(work);
        let branch = dev(&mut scene);
        scene.after(60);
        assert_eq!(status(&mut scene, "dev"), end);
        let project = if work == "create" { "INIT_FAILED" } else { "ACTIVE_HEALTHY" };
        assert_eq!(scene.get(&at(&branch)).json()["status"], project);
    }
}

#[test]
fn every_status_can_be_set() {
    let mut scene = active_project();
    let branch = dev(&mut scene);
    for status in BranchStatus::ALL {
        let reply = scene.patch(&at(&branch), json!({ "status": status }));
        assert_eq!((reply.status, &reply.json()["status"]), (200, &json!(status)));
        scene.after(60);
        assert_eq!(scene.get(BRANCHES).json()[1]["status"], json!(status), "what was under way has ended");
    }
}

#[test]
fn a_branch_is_a_project_of_its_own() {
    let mut scene = active_project();
    let body = json!({ "branch_name": "dev", "region": "eu-west-1", "secrets": { "COLOUR": "red" } });
    let branch = create(&mut scene, body);
    scene.after(10);
    let own = own_ref(&branch);
    let path = format!("/v1/projects/{own}");
    let reply = scene.get(&path);
    refused(&reply, 404, "project_is_branch", "Project not found");
    assert_eq!(scene.get("/v1/projects").json().as_array().map(Vec::len), Some(1));
    let keys = scene.get(&format!("{path}/api-keys")).json();
    assert_ne!(keys, scene.get("/v1/projects/{ref}/api-keys").json());
    assert_eq!(scene.get(&format!("{path}/secrets")).json()[0]["name"], "COLOUR");
    assert_eq!(scene.get("/v1/projects/{ref}/secrets").body, "[]");
    assert_eq!(scene.get(&format!("{path}/database/backups")).json()["region"], "eu-west-1");
    assert_eq!(scene.post(&format!("{path}/pause"), json!({})).status, 200);
    scene.after(20);
    assert_eq!(scene.get(&at(&branch)).json()["status"], "INACTIVE");
    assert_eq!(scene.post(&format!("{path}/restore"), json!({})).status, 200);
    assert_eq!(scene.status(), "ACTIVE_HEALTHY");
}

#[test]
fn by_policy_a_branch_is_shown_like_a_project() {
    let mut scene = scene(Policy { show_branch_projects: true, ..Policy::default() });
    let own = own_ref(&dev(&mut scene));
    assert_eq!(scene.get(&format!("/v1/projects/{own}")).json()["id"], own);
    assert_eq!(scene.get("/v1/projects").json().as_array().map(Vec::len), Some(2));
}

#[test]
fn a_branch_is_addressed_by_its_id_or_its_projects_reference() {
    let mut scene = active_project();
    let branch = dev(&mut scene);
    let config = scene.get(&at(&branch));
    assert_eq!(config.body, scene.get(&format!("/v1/branches/{}", own_ref(&branch))).body);
    let config = config.json();
    assert_eq!(config["db_host"], format!("db.{}.platform.test", own_ref(&branch)));
    assert_eq!((&config["db_port"], &config["postgres_version"]), (&json!(5432), &json!("15.8.1.040")));
    assert_eq!((&config["postgres_engine"], &config["release_channel"]), (&json!("15"), &json!("ga")));
    for missing in ["nosuchprojectatallxx", "00000000-0000-4000-8000-000000000000"] {
        refused(&scene.get(&format!("/v1/branches/{missing}")), 404, "branch_not_found", "Branch not found");
    }
    let text = "branch_id: Invalid, must be a UUID or a project reference";
    refused(&scene.get("/v1/branches/dev"), 400, "invalid_path.branch_id", text);
}

#[test]
fn who_only_reads_sees_no_credentials() {
    let mut scene = active_project();
    let branch = dev(&mut scene);
    for (token, sees) in [("token-of-developer", true), ("token-of-reader", false)] {
        let config = scene.send("GET", &at(&branch), token, None).json();
        for field in ["db_user", "db_pass", "jwt_secret"] {
            assert_eq!(config.get(field).is_some(), sees, "{field} as {token}");
        }
    }
    let journal = serde_json::to_string(&scene.sim.journal()).expect("the journal is plain data");
    let password = scene.get(&at(&branch)).json()["db_pass"].as_str().unwrap_or_default().to_owned();
    assert!(!password.is_empty() && !journal.contains(&password));
}

#[test]
fn a_branch_takes_another_engine_where_asked() {
    let mut scene = active_project();
    let branch = create(&mut scene, json!({ "branch_name": "new", "postgres_engine": "17" }));
    assert_eq!(scene.get(&at(&branch)).json()["postgres_version"], "17.4.1.043");
    let body = json!({ "branch_name": "x", "postgres_engine": "17", "release_channel": "beta" });
    assert_eq!(scene.post(BRANCHES, body).reason, "invalid_body.postgres_engine");
}

#[test]
fn a_branch_that_can_not_be_is_refused() {
    let mut free = active_project();
    free.plan("free");
    let mut paused = active_project();
    paused.post("/v1/projects/{ref}/pause", json!({}));
    let mut taken = active_project();
    dev(&mut taken);
    let mut nested = active_project();
    nested.project = own_ref(&dev(&mut nested));
    for (mut scene, status, reason, text) in [
        (free, 402, "plan_too_low", "Branching requires a higher plan."),
        (paused, 400, "project_not_active", "This project is not in an active state, it is PAUSING"),
        (taken, 422, "branch_exists", "A branch with name dev already exists in this project."),
        (nested, 422, "project_is_branch", "A branch can't have branches of its own."),
    ] {
        refused(&scene.post(BRANCHES, json!({ "branch_name": "dev" })), status, reason, text);
    }
    let mut scene = active_project();
    for (body, reason) in [
        (json!({}), "invalid_body.branch_name"),
        (json!({ "branch_name": "" }), "invalid_body.branch_name"),
        (json!({ "branch_name": "main" }), "branch_exists"),
        (json!({ "branch_name": "a", "region": "moon" }), "invalid_body.region"),
        (json!({ "branch_name": "a", "secrets": { "PLATFORM_A": "b" } }), "invalid_body.secrets.PLATFORM_A"),
    ] {
        assert_eq!(scene.post(BRANCHES, body).reason, reason);
    }
    assert_eq!(scene.get(BRANCHES).status, 422, "a refused first branch does not enable branching");
}

#[test]
fn a_branch_is_renamed_linked_and_made_persistent() {
    let mut scene = active_project();
    let branch = dev(&mut scene);
    scene.after(60);
    let body =
        json!({ "branch_name": "staging", "git_branch": "s", "persistent": true, "reset_on_push": true });
    let changed = scene.patch(&at(&branch), body).json();
    assert_eq!((&changed["name"], &changed["git_branch"]), (&json!("staging"), &json!("s")));
    assert_eq!(
        (&changed["persistent"], &changed["updated_at"]),
        (&json!(true), &json!("2026-01-01T00:02:00Z"))
    );
    let path = format!("/_sim{}/pull-request", at(&branch).trim_start_matches("/v1"));
    let linked = scene.control("PUT", &path, json!({ "pr_number": 7, "latest_check_run_id": 70 }));
    assert_eq!((&linked["pr_number"], &linked["latest_check_run_id"]), (&json!(7), &json!(70)));
    let text = "A branch with name main already exists in this project.";
    refused(&scene.patch(&at(&branch), json!({ "branch_name": "main" })), 422, "branch_exists", text);
    assert_eq!(scene.patch(&at(&branch), json!({ "branch_name": "staging" })).status, 200);
    assert_eq!(scene.patch(&at(&branch), json!({ "status": "ODD" })).reason, "invalid_body.status");
    scene.plan("free");
    let reply = scene.patch(&at(&branch), json!({ "persistent": true }));
    refused(&reply, 402, "plan_too_low", "A persistent branch requires a higher plan.");
}

#[test]
fn push_and_reset_run_the_branch_again() {
    for verb in ["push", "reset"] {
        let mut scene = active_project();
        let branch = dev(&mut scene);
        scene.after(60);
        let reply = scene.post(&format!("{}/{verb}", at(&branch)), json!({ "migration_version": "2" }));
        assert_eq!((reply.status, &reply.json()["message"]), (201, &json!("ok")));
        let run = reply.json()["workflow_run_id"].as_str().unwrap_or_default().to_owned();
        assert_eq!(run.len(), 36);
        assert_eq!(status(&mut scene, "dev"), "RUNNING_MIGRATIONS");
        assert!(scene.sim.agenda()[0].task.contains(&run));
        scene.after(4);
        assert_eq!(status(&mut scene, "dev"), "FUNCTIONS_DEPLOYED");
        let bare = scene.send("POST", &format!("{}/{verb}", at(&branch)), "token-of-developer", None);
        assert_eq!(bare.status, 201, "no body is as good as an empty one");
        let default = list(&mut scene)[0].clone();
        let text = format!("Cannot {verb} the default branch.");
        refused(&scene.post(&format!("{}/{verb}", at(&default)), json!({})), 422, "default_branch", &text);
        scene.post(&format!("/v1/projects/{}/pause", own_ref(&branch)), json!({}));
        let reply = scene.post(&format!("{}/{verb}", at(&branch)), json!({}));
        assert_eq!((reply.status, &*reply.reason), (400, "project_not_active"));
        scene.after(60);
        assert_eq!(status(&mut scene, "dev"), "MIGRATIONS_FAILED", "its project was paused under way");
    }
}

#[test]
fn a_branch_is_deleted_unless_default_or_persistent() {
    let mut scene = active_project();
    let branch = dev(&mut scene);
    let default = list(&mut scene)[0].clone();
    let text = "Cannot delete the default branch.";
    refused(&scene.delete(&at(&default)), 422, "default_branch", text);
    scene.patch(&at(&branch), json!({ "persistent": true }));
    let text = "Cannot delete a persistent branch. Make it not persistent first.";
    refused(&scene.delete(&at(&branch)), 422, "persistent_branch", text);
    scene.patch(&at(&branch), json!({ "persistent": false }));
    let reply = scene.delete(&at(&branch));
    assert_eq!((reply.status, &*reply.body), (200, r#"{"message":"ok"}"#));
    refused(&scene.get(&at(&branch)), 404, "branch_not_found", "Branch not found");
    let keys = format!("/v1/projects/{}/api-keys", own_ref(&branch));
    refused(&scene.get(&keys), 400, "project_removed", "Resource has been removed");
    scene.after(60);
    assert_eq!(scene.get(&keys).status, 404);
    assert_eq!(list(&mut scene).len(), 1);
}

#[test]
fn disabling_branching_deletes_all_branches() {
    let mut scene = active_project();
    let branch = create(&mut scene, json!({ "branch_name": "dev", "persistent": true }));
    let reply = scene.delete(BRANCHES);
    assert_eq!((reply.status, &*reply.body), (200, "{}"));
    assert_eq!(scene.get(BRANCHES).status, 422);
    assert_eq!(scene.get(&at(&branch)).status, 404);
    scene.after(120);
    assert_eq!(scene.status(), "ACTIVE_HEALTHY");
    dev(&mut scene);
}

#[test]
fn branches_go_with_their_project() {
    let mut scene = active_project();
    let branch = dev(&mut scene);
    assert_eq!(scene.delete("/v1/projects/{ref}").status, 200);
    assert_eq!(scene.get(&at(&branch)).json()["status"], "REMOVED");
    scene.after(60);
    assert_eq!(scene.get(&at(&branch)).status, 404);
    assert!(scene.sim.agenda().is_empty());
}

#[test]
fn a_branch_goes_with_its_own_project() {
    let mut scene = active_project();
    let branch = dev(&mut scene);
    assert_eq!(scene.delete(&format!("/v1/projects/{}", own_ref(&branch))).status, 200);
    scene.after(60);
    assert_eq!(list(&mut scene).len(), 1);
}

#[test]
fn at_instant_pace_a_branch_is_deployed_when_the_call_returns() {
    let mut scene = scene(Policy { pace: Pace::Instant, ..Policy::default() });
    dev(&mut scene);
    assert_eq!(status(&mut scene, "dev"), "FUNCTIONS_DEPLOYED");
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let mut scene = active_project();
    let branch = dev(&mut scene);
    let body = Some(json!({ "branch_name": "x" }));
    scene.refusals("POST", BRANCHES, body.clone(), Some("token-of-reader"));
    scene.refusals("GET", BRANCHES, None, None);
    scene.refusals("DELETE", BRANCHES, None, Some("token-of-reader"));
    for (method, tail) in [("PATCH", ""), ("DELETE", ""), ("POST", "/push"), ("POST", "/reset")] {
        let path = format!("{}{tail}", at(&branch));
        for (token, status) in [("x", 401), ("token-of-outsider", 403), ("token-of-reader", 403)] {
            let reply = scene.send(method, &path, token, body.clone());
            assert_eq!(reply.status, status, "{method} {path} as {token}: {}", reply.body);
        }
    }
    assert_eq!(scene.send("GET", &at(&branch), "token-of-outsider", None).status, 403);
    assert_eq!(scene.send("GET", &at(&branch), "token-of-reader", None).status, 200);
}
