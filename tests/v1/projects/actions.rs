//! `/v1/projects/{ref}/actions`.

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::both;

use super::branches::{at, dev, own_ref};

const ACTIONS: &str = "/v1/projects/{ref}/actions";

/// The statuses of the started steps of the newest run.
fn steps(api: &mut dyn Api) -> Vec<String> {
    let run = api.get(ACTIONS).json()[0].clone();
    let begun =
        |step: &Value| (step["status"] != "CREATED").then(|| format!("{} {}", step["name"], step["status"]));
    let all = run["run_steps"].as_array().expect("a run has steps").iter().filter_map(begun);
    all.map(|step| step.replace('"', "")).collect()
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let one = "/v1/projects/{ref}/actions/00000000-0000-4000-8000-000000000000";
    refuse_strangers(&[
        (Call::get(ACTIONS), Role::ReadOnly),
        (Call::get(one), Role::ReadOnly),
        (Call::get("/v1/projects/{ref}/actions/00000000-0000-4000-8000-000000000000/logs"), Role::ReadOnly),
        (
            Call::new(
                Method::PATCH,
                "/v1/projects/{ref}/actions/00000000-0000-4000-8000-000000000000/status",
            )
            .json(json!({})),
            Role::Developer,
        ),
    ]);
}

#[test]
fn a_branch_is_made_step_by_step() {
    both(scenario::active_project, |api| {
        assert_eq!(api.get(ACTIONS).to_string(), "200 []");
        let branch = dev(api);
        assert_eq!(steps(api), ["clone EXITED", "pull EXITED", "health RUNNING"]);
        api.after(2);
        assert_eq!(steps(api).last().map(String::as_str), Some("migrate RUNNING"));
        api.after(2);
        assert_eq!(steps(api)[4..], ["migrate EXITED", "seed EXITED", "deploy RUNNING"]);
        api.after(2);
        assert_eq!(steps(api)[6], "deploy EXITED");
        let run = api.get(ACTIONS).json()[0].clone();
        assert_eq!((&run["branch_id"], &run["workdir"]), (&branch["id"], &Value::Null));
        let own = format!("/v1/projects/{}/actions", own_ref(&branch));
        assert_eq!(api.get(&own).json(), json!([run]), "it is also one of the branch's own project");
        let one = format!("{ACTIONS}/{}", run["id"].as_str().expect("it has an id"));
        assert_eq!(api.get(&one).json(), run);
        let log = String::from_utf8(api.get(&format!("{one}/logs")).body.to_vec()).expect("a log is a text");
        let words: Vec<_> =
            log.lines().map(|line| line.split_once(' ').map_or("", |(_, text)| text)).collect();
        let expected = [
            "create dev",
            "CREATING_PROJECT",
            "RUNNING_MIGRATIONS",
            "MIGRATIONS_PASSED",
            "FUNCTIONS_DEPLOYED",
        ];
        assert_eq!(words, expected);
    });
}

#[test]
fn a_run_that_fails_or_is_replaced_ends_at_its_step() {
    both(scenario::active_project, |api| {
        api.next_fails("branch_migrations");
        let branch = dev(api);
        api.after(60);
        assert_eq!(steps(api).last().map(String::as_str), Some("migrate DEAD"));
        let push = |api: &mut dyn Api| api.post(&format!("{}/push", at(&branch)), json!({})).json();
        let first = push(api)["workflow_run_id"].as_str().expect("a run has an id").to_owned();
        push(api);
        let run = api.get(&format!("{ACTIONS}/{first}")).json();
        assert_eq!(
            (&run["run_steps"][4]["name"], &run["run_steps"][4]["status"]),
            (&json!("migrate"), &json!("DEAD"))
        );
        api.after(60);
        assert_eq!(steps(api)[6], "deploy EXITED");
        let count = |api: &mut dyn Api, query: &str| {
            let reply = api.send(Call::new(Method::HEAD, &format!("{ACTIONS}{query}")));
            (reply.header("x-total-count").to_owned(), reply.body.len())
        };
        assert_eq!(count(api, ""), ("3".to_owned(), 0));
        assert_eq!(count(api, "?limit=10"), ("3".to_owned(), 0));
        let page = api.get(&format!("{ACTIONS}?offset=1&limit=10")).json();
        assert_eq!((page.as_array().map(Vec::len), &page[0]["id"]), (Some(2), &json!(first)));
    });
}

#[test]
fn a_build_says_where_its_steps_stand() {
    both(scenario::active_project, |api| {
        dev(api);
        let run = api.get(ACTIONS).json()[0]["id"].as_str().expect("it has an id").to_owned();
        let status = format!("{ACTIONS}/{run}/status");
        api.after(60);
        let done = api.patch(&status, json!({ "seed": "DEAD", "deploy": "PAUSED" }));
        assert_eq!(done.to_string(), r#"200 {"message":"ok"}"#);
        assert_eq!(steps(api)[5..], ["seed DEAD", "deploy PAUSED"]);
        assert_eq!(api.patch(&status, json!({ "seed": "DONE" })).reason(), "invalid_body.seed");
        let none = format!("{ACTIONS}/00000000-0000-4000-8000-000000000000");
        refused(&api.get(&none), 404, "action_run_not_found", "Action run not found");
    });
}
