//! `/v1/branches/{branch_id}`.

use http::Method;
use serde_json::json;
use sim_core::management::branch_workflow::BranchStatus;
use sim_fixtures::{Api, Call, api::peek, scenario};

use crate::steps::{Steps as _, refused};
use crate::support::{both, on_both_engines};

use super::projects::branches::{BRANCHES, at, dev, list, own_ref, status};

#[test]
fn a_review_is_requested_and_withdrawn() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        let asked = json!({ "request_review": true, "notify_url": "https://example.com/hook" });
        let shown = api.patch(&at(&branch), asked).json();
        assert_eq!(shown["notify_url"], "https://example.com/hook");
        assert!(shown["review_requested_at"].is_string(), "{shown}");
        assert_eq!(shown["preview_project_status"], "COMING_UP");
        api.patch(&at(&branch), json!({ "request_review": false }));
        let listed = list(api)[1].clone();
        assert_eq!(listed.get("review_requested_at"), None);
        assert_eq!(listed["notify_url"], "https://example.com/hook");
    });
}

#[test]
fn every_status_can_be_set() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        for status in BranchStatus::ALL {
            let reply = api.patch(&at(&branch), json!({ "status": status }));
            assert_eq!((reply.status, &reply.json()["status"]), (200, &json!(status)));
            api.after(60);
            assert_eq!(api.get(BRANCHES).json()[1]["status"], json!(status), "the run in progress has ended");
        }
    });
}

#[test]
fn a_branch_is_addressed_by_its_id_or_its_projects_reference() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        let config = api.get(&at(&branch));
        assert_eq!(config.body, api.get(&format!("/v1/branches/{}", own_ref(&branch))).body);
        let config = config.json();
        assert_eq!(config["db_host"], format!("db.{}.platform.test", own_ref(&branch)));
        assert_eq!((&config["db_port"], &config["postgres_version"]), (&json!(5432), &json!("15.8.1.040")));
        assert_eq!((&config["postgres_engine"], &config["release_channel"]), (&json!("15"), &json!("ga")));
        for missing in ["nosuchprojectatallxx", "00000000-0000-4000-8000-000000000000"] {
            refused(
                &api.get(&format!("/v1/branches/{missing}")),
                404,
                "branch_not_found",
                "Branch not found",
            );
        }
        let text = "branch_id: Invalid, must be a UUID or a project reference";
        refused(&api.get("/v1/branches/dev"), 400, "invalid_path.branch_id", text);
    });
}

#[test]
fn read_only_members_see_no_credentials() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        for (token, sees) in [("token-of-developer", true), ("token-of-reader", false)] {
            let config = api.send(Call::get(&at(&branch)).token(token)).json();
            for field in ["db_user", "db_pass", "jwt_secret"] {
                assert_eq!(config.get(field).is_some(), sees, "{field} as {token}");
            }
        }
        let journal =
            serde_json::to_string(&peek(api, |sim| sim.journal())).expect("the journal is plain data");
        let password = api.get(&at(&branch)).json()["db_pass"].as_str().unwrap_or_default().to_owned();
        assert!(!password.is_empty() && !journal.contains(&password));
    });
}

#[test]
fn a_branch_is_renamed_linked_and_made_persistent() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        api.after(60);
        let body =
            json!({ "branch_name": "staging", "git_branch": "s", "persistent": true, "reset_on_push": true });
        let changed = api.patch(&at(&branch), body).json();
        assert_eq!((&changed["name"], &changed["git_branch"]), (&json!("staging"), &json!("s")));
        assert_eq!(
            (&changed["persistent"], &changed["updated_at"]),
            (&json!(true), &json!("2026-01-01T00:02:00Z"))
        );
        let path = format!("/_sim{}/pull-request", at(&branch).trim_start_matches("/v1"));
        let linked = api.control(Method::PUT, &path, json!({ "pr_number": 7, "latest_check_run_id": 70 }));
        assert_eq!((&linked["pr_number"], &linked["latest_check_run_id"]), (&json!(7), &json!(70)));
        let text = "A branch with name main already exists in this project.";
        refused(&api.patch(&at(&branch), json!({ "branch_name": "main" })), 422, "branch_exists", text);
        assert_eq!(api.patch(&at(&branch), json!({ "branch_name": "staging" })).status, 200);
        assert_eq!(api.patch(&at(&branch), json!({ "status": "ODD" })).reason(), "invalid_body.status");
        api.plan("free");
        let reply = api.patch(&at(&branch), json!({ "persistent": true }));
        refused(&reply, 402, "plan_too_low", "A persistent branch requires a higher plan.");
    });
}

#[test]
fn push_and_reset_run_the_branch_again() {
    for verb in ["push", "reset"] {
        on_both_engines(scenario::active_project, |api| {
            let branch = dev(api);
            api.after(60);
            let reply = api.post(&format!("{}/{verb}", at(&branch)), json!({ "migration_version": "2" }));
            let text = "migration_version: no migration to run has the version 2";
            refused(&reply, 400, "invalid_body.migration_version", text);
            let reply = api.post(&format!("{}/{verb}", at(&branch)), json!({}));
            assert_eq!((reply.status, &reply.json()["message"]), (201, &json!("ok")));
            let run = reply.json()["workflow_run_id"].as_str().unwrap_or_default().to_owned();
            assert_eq!(run.len(), 36);
            assert_eq!(status(api, "dev"), "RUNNING_MIGRATIONS");
            assert!(peek(api, |sim| sim.agenda()[0].task.contains(&run)));
            api.after(4);
            assert_eq!(status(api, "dev"), "FUNCTIONS_DEPLOYED");
            let bare = api.send(Call::post(&format!("{}/{verb}", at(&branch))).token("token-of-developer"));
            assert_eq!(bare.status, 201, "a missing body is treated like an empty one");
            let default = list(api)[0].clone();
            let text = format!("Cannot {verb} the default branch.");
            refused(&api.post(&format!("{}/{verb}", at(&default)), json!({})), 422, "default_branch", &text);
            api.post(&format!("/v1/projects/{}/pause", own_ref(&branch)), json!({}));
            let reply = api.post(&format!("{}/{verb}", at(&branch)), json!({}));
            assert_eq!((reply.status, reply.reason()), (400, "project_not_active"));
            api.after(60);
            assert_eq!(status(api, "dev"), "MIGRATIONS_FAILED", "its project was paused under way");
        });
    }
}

#[test]
fn a_branch_is_deleted_unless_default_or_persistent() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        let default = list(api)[0].clone();
        let text = "Cannot delete the default branch.";
        refused(&api.delete(&at(&default)), 422, "default_branch", text);
        api.patch(&at(&branch), json!({ "persistent": true }));
        let text = "Cannot delete persistent branch";
        refused(&api.delete(&at(&branch)), 422, "persistent_branch", text);
        api.patch(&at(&branch), json!({ "persistent": false }));
        let reply = api.delete(&at(&branch));
        assert_eq!(reply.to_string(), r#"200 {"message":"ok"}"#);
        refused(&api.get(&at(&branch)), 404, "branch_not_found", "Branch not found");
        let keys = format!("/v1/projects/{}/api-keys", own_ref(&branch));
        refused(&api.get(&keys), 400, "project_removed", "Resource has been removed");
        api.after(60);
        assert_eq!(api.get(&keys).status, 404);
        assert_eq!(list(api).len(), 1);
    });
}

#[test]
fn strangers_and_read_only_members_are_refused() {
    on_both_engines(scenario::active_project, |api| {
        let branch = at(&dev(api));
        let (push, reset) = (format!("{branch}/push"), format!("{branch}/reset"));
        let patch = Call::new(Method::PATCH, &branch).json(json!({ "branch_name": "x" }));
        for call in [patch, Call::delete(&branch), Call::post(&push), Call::post(&reset)] {
            for (token, status) in [("x", 401), ("token-of-outsider", 403), ("token-of-reader", 403)] {
                let reply = api.send(call.clone().token(token));
                assert_eq!(reply.status, status, "{call} as {token}: {reply}");
            }
        }
        assert_eq!(api.send(Call::get(&branch).token("token-of-outsider")).status, 403);
        assert_eq!(api.send(Call::get(&branch).token("token-of-reader")).status, 200);
    });
}

#[test]
fn a_deletion_that_is_not_forced_takes_an_hour_and_can_be_taken_back() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        let restore = format!("{}/restore", at(&branch));
        let text = "The branch is not scheduled for deletion.";
        refused(&api.act(&restore), 422, "branch_not_scheduled", text);
        let later = format!("{}?force=false", at(&branch));
        assert_eq!(api.delete(&later).to_string(), r#"200 {"message":"ok"}"#);
        assert_eq!(list(api)[1]["deletion_scheduled_at"], "2026-01-01T01:01:00Z");
        api.after(3599);
        assert_eq!(api.act(&restore).to_string(), r#"200 {"message":"Branch restoration initiated"}"#);
        api.after(3600);
        assert_eq!(list(api)[1].get("deletion_scheduled_at"), None);
        api.delete(&later);
        api.after(3600);
        assert_eq!(list(api).len(), 1);
        assert!(peek(api, |sim| sim.agenda().iter().all(|due| due.kind != "branch removal")));
    });
}

#[test]
fn a_merge_runs_the_branchs_migrations_on_its_parent_and_deploys_its_functions_there() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        api.after(60);
        let own = format!("/v1/projects/{}", own_ref(&branch));
        let change = json!({ "query": "create table merged (id int)", "name": "merged" });
        assert_eq!(api.post(&format!("{own}/database/migrations"), change).to_string(), "200 {}");
        for path in [&own, "/v1/projects/{ref}"] {
            api.post(
                &format!("{path}/functions"),
                json!({ "slug": "hello", "name": "of the branch", "body": path }),
            );
        }
        let reply = api.post(&format!("{}/merge", at(&branch)), json!({}));
        assert_eq!((reply.status, &reply.json()["message"]), (201, &json!("ok")));
        assert_eq!(status(api, "dev"), "RUNNING_MIGRATIONS");
        api.after(4);
        assert_eq!(status(api, "dev"), "FUNCTIONS_DEPLOYED");
        let recorded = api.get("/v1/projects/{ref}/database/migrations").json();
        assert_eq!((&recorded[0]["name"], &recorded[1]), (&json!("merged"), &json!(null)));
        let query = json!({ "query": "select count(*)::int as count from merged" });
        assert_eq!(api.post("/v1/projects/{ref}/database/query", query).json(), json!([{ "count": 0 }]));
        let deployed = api.get("/v1/projects/{ref}/functions/hello").json();
        assert_eq!((&deployed["version"], &deployed["status"]), (&json!(2), &json!("ACTIVE")));
        let body = api.get("/v1/projects/{ref}/functions/hello/body");
        assert!(String::from_utf8_lossy(&body.body).contains(&own));
    });
}

#[test]
fn a_merge_that_can_not_be_is_refused_or_fails() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        api.after(60);
        let merge = format!("{}/merge", at(&branch));
        let default = format!("/v1/branches/{}/merge", api.project());
        refused(&api.post(&default, json!({})), 422, "default_branch", "Cannot merge the default branch.");
        assert_eq!(api.post(&merge, json!({})).status, 201);
        assert_eq!(api.act("/v1/projects/{ref}/pause").status, 200);
        api.after(10);
        assert_eq!(status(api, "dev"), "MIGRATIONS_FAILED", "the parent does not answer");
        assert_eq!(api.post(&merge, json!({})).reason(), "project_not_active");
    });
}

#[test]
fn changes_of_one_second_have_different_versions_in_a_project_and_its_branches() {
    on_both_engines(scenario::active_project, |api| {
        let (one, other) = (dev(api), api.post(BRANCHES, json!({ "branch_name": "topic" })).json());
        api.after(60);
        let paths = ["{ref}".to_owned(), own_ref(&one), own_ref(&other)]
            .map(|project| format!("/v1/projects/{project}/database/migrations"));
        for (path, table) in paths.iter().zip(["p", "q", "r"]) {
            let reply = api.post(path, json!({ "query": format!("create table {table} (id int)") }));
            assert_eq!(reply.status, 200, "{reply}");
        }
        let recorded = |api: &mut dyn Api, path: &str| api.get(path).json().as_array().map_or(0, Vec::len);
        assert_eq!(api.post(&format!("{}/merge", at(&one)), json!({})).status, 201);
        api.after(60);
        assert_eq!(recorded(api, &paths[0]), 2, "its own and that of the branch");
        assert_eq!(api.post(&format!("{}/push", at(&other)), json!({})).status, 201);
        api.after(60);
        assert_eq!(recorded(api, &paths[2]), 3);
    });
}

#[test]
fn a_push_needs_the_parent_and_a_reset_does_not() {
    both(scenario::active_project, |api| {
        let branch = dev(api);
        api.after(60);
        api.act("/v1/projects/{ref}/pause");
        api.after(600);
        assert_eq!(api.post(&format!("{}/push", at(&branch)), json!({})).status, 400);
        assert_eq!(api.post(&format!("{}/reset", at(&branch)), json!({})).status, 201);
    });
}

#[test]
fn the_project_of_a_persistent_branch_is_not_deleted_either() {
    both(scenario::active_project, |api| {
        let branch = dev(api);
        let project = format!("/v1/projects/{}", own_ref(&branch));
        api.patch(&at(&branch), json!({ "persistent": true }));
        refused(&api.delete(&project), 422, "persistent_branch", "Cannot delete persistent branch");
        api.patch(&at(&branch), json!({ "persistent": false }));
        assert_eq!(api.delete(&project).status, 200);
    });
}

#[test]
fn the_run_of_a_deleted_branch_is_dead() {
    both(scenario::active_project, |api| {
        let branch = dev(api);
        api.after(60);
        api.post(&format!("{}/reset", at(&branch)), json!({}));
        assert_eq!(api.delete(&at(&branch)).status, 200);
        let runs = api.get("/v1/projects/{ref}/actions").json();
        let steps = runs[0]["run_steps"].as_array().expect("a list").clone();
        let migrate = steps.iter().find(|step| step["name"] == "migrate").expect("it has migrations");
        assert_eq!(migrate["status"], "DEAD");
    });
}
