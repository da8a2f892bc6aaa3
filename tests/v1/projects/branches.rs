//! `/v1/projects/{ref}/branches`.

use serde_json::{Value, json};
use sim_core::{Edition, Pace, Role};
use sim_fixtures::{Api, Call, api::peek, scenario};

use crate::steps::{Prepare, Steps as _, refuse_strangers, refused, under};
use crate::support::on_both_engines;

pub(in crate::v1) const BRANCHES: &str = "/v1/projects/{ref}/branches";

pub(in crate::v1) fn create(api: &mut dyn Api, body: Value) -> Value {
    let reply = api.post(BRANCHES, body);
    assert_eq!(reply.status, 201, "{reply}");
    reply.json()
}

pub(in crate::v1) fn dev(api: &mut dyn Api) -> Value {
    create(api, json!({ "branch_name": "dev" }))
}

pub(in crate::v1) fn at(branch: &Value) -> String {
    format!("/v1/branches/{}", branch["id"].as_str().expect("a branch has an id"))
}

pub(in crate::v1) fn own_ref(branch: &Value) -> String {
    branch["project_ref"].as_str().expect("a branch has a project").to_owned()
}

pub(in crate::v1) fn list(api: &mut dyn Api) -> Vec<Value> {
    api.get(BRANCHES).json().as_array().expect("branches are a list").clone()
}

pub(in crate::v1) fn status(api: &mut dyn Api, name: &str) -> Value {
    let found = list(api).into_iter().find(|branch| branch["name"] == name);
    found.expect("the branch is listed")["status"].clone()
}

#[test]
fn before_the_first_branch_the_list_is_empty() {
    let text = "Preview branching is not enabled for this project.";
    on_both_engines(scenario::active_project, |api| {
        assert_eq!(api.get(BRANCHES).to_string(), "200 []");
        refused(&api.delete(BRANCHES), 422, "branching_disabled", text);
        api.plan("free");
        let reply = api.get(BRANCHES);
        assert_eq!((reply.status, reply.reason()), (403, "plan_too_low"));
    });
    on_both_engines(
        || under(|policy| policy.edition = Edition::V2025_05),
        |api| refused(&api.get(BRANCHES), 422, "branching_disabled", text),
    );
}

#[test]
fn a_branch_lists_no_branches_of_its_own() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        let reply = api.get(&format!("/v1/projects/{}/branches", own_ref(&branch)));
        refused(&reply, 403, "project_is_branch", "A branch has no branches of its own.");
    });
}

#[test]
fn the_default_branch_can_be_made_first_under_any_name() {
    on_both_engines(scenario::active_project, |api| {
        let project = api.project();
        let default = json!({ "branch_name": "Production", "is_default": true, "region": "eu-west-1" });
        let reply = api.post(BRANCHES, default.clone());
        assert_eq!(reply.header("x-sim-ignored"), "body.region");
        let production = reply.json();
        assert_eq!((&production["project_ref"], &production["is_default"]), (&json!(project), &json!(true)));
        assert_eq!(production["status"], "FUNCTIONS_DEPLOYED");
        let main = create(api, json!({ "branch_name": "main", "git_branch": "main" }));
        assert_ne!(main["project_ref"], project);
        assert_eq!(list(api), [production, main]);
        let text = "This project has a default branch already, Production.";
        refused(&api.post(BRANCHES, default), 422, "default_branch_exists", text);
    });
    on_both_engines(scenario::active_project, |api| {
        let main = create(api, json!({ "branch_name": "main", "is_default": true }));
        assert_eq!(list(api), [main]);
    });
}

#[test]
fn the_first_branch_brings_the_default_branch() {
    on_both_engines(scenario::active_project, |api| {
        let branch = create(api, json!({ "branch_name": "dev", "git_branch": "feature" }));
        assert_eq!(branch["parent_project_ref"], api.project());
        assert_eq!((&branch["status"], &branch["is_default"]), (&json!("CREATING_PROJECT"), &json!(false)));
        assert_eq!((&branch["persistent"], &branch["git_branch"]), (&json!(false), &json!("feature")));
        create(api, json!({ "branch_name": "second" }));
        let all = list(api);
        let names: Vec<_> = all.iter().map(|one| one["name"].clone()).collect();
        assert_eq!(names, ["main", "dev", "second"]);
        assert_eq!((&all[0]["is_default"], &all[0]["project_ref"]), (&json!(true), &json!(api.project())));
        assert_eq!(all[1], branch);
    });
}

#[test]
fn a_branch_goes_through_its_steps_two_seconds_each() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        for (expected, project) in [
            ("CREATING_PROJECT", "COMING_UP"),
            ("RUNNING_MIGRATIONS", "ACTIVE_HEALTHY"),
            ("MIGRATIONS_PASSED", "ACTIVE_HEALTHY"),
            ("FUNCTIONS_DEPLOYED", "ACTIVE_HEALTHY"),
            ("FUNCTIONS_DEPLOYED", "ACTIVE_HEALTHY"),
        ] {
            assert_eq!(status(api, "dev"), expected);
            assert_eq!(api.get(&at(&branch)).json()["status"], project, "{expected}");
            api.after(2);
        }
    });
}

#[test]
fn migrations_functions_and_the_project_itself_can_fail() {
    for (work, end) in [
        ("branch_migrations", "MIGRATIONS_FAILED"),
        ("branch_functions", "FUNCTIONS_FAILED"),
        ("create", "CREATING_PROJECT"),
    ] {
        on_both_engines(scenario::active_project, |api| {
            api.next_fails(work);
            let branch = dev(api);
            api.after(60);
            assert_eq!(status(api, "dev"), end);
            let project = if work == "create" { "INIT_FAILED" } else { "ACTIVE_HEALTHY" };
            assert_eq!(api.get(&at(&branch)).json()["status"], project);
        });
    }
}

#[test]
fn a_branch_is_a_project_of_its_own() {
    on_both_engines(scenario::active_project, |api| {
        let body = json!({ "branch_name": "dev", "region": "eu-west-1", "secrets": { "COLOUR": "red" } });
        let branch = create(api, body);
        api.after(10);
        let own = own_ref(&branch);
        let path = format!("/v1/projects/{own}");
        let reply = api.get(&path);
        refused(&reply, 404, "project_is_branch", "Project not found");
        assert_eq!(api.get("/v1/projects").json().as_array().map(Vec::len), Some(1));
        let keys = api.get(&format!("{path}/api-keys")).json();
        assert_ne!(keys, api.get("/v1/projects/{ref}/api-keys").json());
        assert_eq!(api.get(&format!("{path}/secrets")).json()[0]["name"], "COLOUR");
        assert_eq!(api.get("/v1/projects/{ref}/secrets").to_string(), "200 []");
        assert_eq!(api.get(&format!("{path}/database/backups")).json()["region"], "eu-west-1");
        assert_eq!(api.post(&format!("{path}/pause"), json!({})).status, 200);
        api.after(20);
        assert_eq!(api.get(&at(&branch)).json()["status"], "INACTIVE");
        assert_eq!(api.post(&format!("{path}/restore"), json!({})).status, 200);
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
    });
}

#[test]
fn by_policy_a_branch_is_shown_like_a_project() {
    on_both_engines(
        || under(|policy| policy.show_branch_projects = true),
        |api| {
            let own = own_ref(&dev(api));
            assert_eq!(api.get(&format!("/v1/projects/{own}")).json()["id"], own);
            assert_eq!(api.get("/v1/projects").json().as_array().map(Vec::len), Some(2));
        },
    );
}

#[test]
fn a_branch_takes_another_engine_where_asked() {
    on_both_engines(scenario::active_project, |api| {
        let branch = create(api, json!({ "branch_name": "new", "postgres_engine": "17" }));
        assert_eq!(api.get(&at(&branch)).json()["postgres_version"], "17.4.1.043");
        let body = json!({ "branch_name": "x", "postgres_engine": "17", "release_channel": "beta" });
        assert_eq!(api.post(BRANCHES, body).reason(), "invalid_body.postgres_engine");
    });
}

#[test]
fn a_branch_that_can_not_be_is_refused() {
    let rows: [(Prepare, u16, &str, &str); 3] = [
        (|api| api.plan("free"), 402, "plan_too_low", "Branching requires a higher plan."),
        (
            |api| drop(api.act("/v1/projects/{ref}/pause")),
            400,
            "project_not_active",
            "This project is not in an active state, it is PAUSING",
        ),
        (
            |api| drop(dev(api)),
            422,
            "branch_exists",
            "A branch with name dev already exists in this project.",
        ),
    ];
    for (prepare, status, reason, text) in rows {
        on_both_engines(scenario::active_project, |api| {
            prepare(api);
            refused(&api.post(BRANCHES, json!({ "branch_name": "dev" })), status, reason, text);
        });
    }
    on_both_engines(scenario::active_project, |api| {
        for (body, reason) in [
            (json!({}), "invalid_body.branch_name"),
            (json!({ "branch_name": "" }), "invalid_body.branch_name"),
            (json!({ "branch_name": "a", "region": "moon" }), "invalid_body.region"),
            (
                json!({ "branch_name": "a", "secrets": { "PLATFORM_A": "b" } }),
                "invalid_body.secrets.PLATFORM_A",
            ),
            (json!({ "branch_name": "a", "secrets": { "": "b" } }), "invalid_body.secrets"),
            (json!({ "branch_name": "a", "secrets": { "x".repeat(257): "b" } }), "invalid_body.secrets"),
            (json!({ "branch_name": "a", "secrets": { "A": "x".repeat(24_577) } }), "invalid_body.secrets.A"),
        ] {
            assert_eq!(api.post(BRANCHES, body).reason(), reason);
        }
        assert_eq!(list(api), [Value::Null; 0], "a refused first branch does not enable branching");
        let nested = BRANCHES.replace("{ref}", &own_ref(&dev(api)));
        let text = "A branch can't have branches of its own.";
        refused(&api.post(&nested, json!({ "branch_name": "dev" })), 422, "project_is_branch", text);
    });
}

#[test]
fn disabling_branching_deletes_all_branches() {
    on_both_engines(scenario::active_project, |api| {
        let branch = create(api, json!({ "branch_name": "dev", "persistent": true }));
        let reply = api.delete(BRANCHES);
        assert_eq!(reply.to_string(), "200 {}");
        assert_eq!(list(api), [Value::Null; 0]);
        assert_eq!(api.get(&at(&branch)).status, 404);
        api.after(120);
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
        dev(api);
    });
}

#[test]
fn branches_go_with_their_project() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        assert_eq!(api.delete("/v1/projects/{ref}").status, 200);
        assert_eq!(api.get(&at(&branch)).json()["status"], "REMOVED");
        api.after(60);
        assert_eq!(api.get(&at(&branch)).status, 404);
        assert!(peek(api, |sim| sim.agenda().is_empty()));
    });
}

#[test]
fn a_branch_goes_with_its_own_project() {
    on_both_engines(scenario::active_project, |api| {
        let branch = dev(api);
        assert_eq!(api.delete(&format!("/v1/projects/{}", own_ref(&branch))).status, 200);
        api.after(60);
        assert_eq!(list(api).len(), 1);
    });
}

#[test]
fn at_instant_pace_a_branch_is_deployed_when_the_call_returns() {
    on_both_engines(
        || under(|policy| policy.pace = Pace::Instant),
        |api| {
            dev(api);
            assert_eq!(status(api, "dev"), "FUNCTIONS_DEPLOYED");
        },
    );
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::post(BRANCHES).json(json!({ "branch_name": "x" })), Role::Developer),
        (Call::get(BRANCHES), Role::ReadOnly),
        (Call::delete(BRANCHES), Role::Developer),
    ]);
}

#[test]
fn a_branch_is_found_by_its_name() {
    on_both_engines(scenario::active_project, |api| {
        assert_eq!(api.get(&format!("{BRANCHES}/dev")).reason(), "branch_not_found");
        let branch = create(api, json!({ "branch_name": "feature/ü" }));
        assert_eq!(api.get(&format!("{BRANCHES}/feature%2F%C3%BC")).json(), branch);
        assert_eq!(api.get(&format!("{BRANCHES}/feature")).reason(), "branch_not_found");
    });
}

#[test]
fn a_branch_with_data_begins_with_its_parents_rows() {
    on_both_engines(scenario::active_project, |api| {
        let body = json!({ "branch_name": "copy", "with_data": true });
        let text = "A branch with data needs the add-on for point-in-time recovery.";
        refused(&api.post(BRANCHES, body.clone()), 422, "addon_missing", text);
        let sql = "create table note (id int); insert into note values (1), (2)";
        assert_eq!(api.post("/v1/projects/{ref}/database/query", json!({ "query": sql })).status, 201);
        api.addon("pitr_7", true);
        let branch = create(api, body);
        assert_eq!(branch["with_data"], true);
        api.after(60);
        assert_eq!(status(api, "copy"), "FUNCTIONS_DEPLOYED");
        let query = format!("/v1/projects/{}/database/query", own_ref(&branch));
        let count = json!({ "query": "select count(*)::int as count from note" });
        assert_eq!(api.post(&query, count).json(), json!([{ "count": 2 }]));
    });
}

#[test]
fn a_first_branch_with_the_name_of_the_default_branch_is_the_default_branch() {
    on_both_engines(scenario::active_project, |api| {
        let main = create(api, json!({ "branch_name": "main", "git_branch": "trunk" }));
        assert_eq!((&main["is_default"], &main["git_branch"]), (&json!(true), &json!("trunk")));
        assert_eq!(main["project_ref"], json!(api.project()));
        assert_eq!(list(api), [main]);
        let again = api.post(BRANCHES, json!({ "branch_name": "main" }));
        refused(&again, 422, "branch_exists", "A branch with name main already exists in this project.");
    });
}
