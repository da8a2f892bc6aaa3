//! Rules that change the bodies of answers.

use serde_json::{Value, json};
use sim_core::Kind;
use sim_core::engine::fault::{AddFault, Effect, Fault, On};
use sim_core::management::project::{CreateProject, ListProjects};
use sim_fixtures::scenario;

use super::add;
use crate::support::both;

#[test]
fn faults_change_bodies() {
    both(scenario::active_project, |api| {
        let ours = api.get("/v1/projects/{ref}").body;
        add(api, json!({ "path": "*" }), json!({ "kind": "empty" }));
        let reply = api.get("/v1/projects/{ref}");
        assert_eq!((reply.status, reply.body.len()), (200, 0));
        add(api, json!({ "path": "*" }), json!({ "kind": "garbage" }));
        let reply = api.get("/v1/projects/{ref}");
        assert_eq!(reply.status, 200);
        assert!(serde_json::from_slice::<Value>(&reply.body).is_err());
        add(api, json!({ "path": "*" }), json!({ "kind": "slow", "ms": 30 }));
        assert_eq!(api.get("/v1/projects/{ref}").body, ours);
        add(api, json!({ "path": "*" }), json!({ "kind": "latency", "ms": 20 }));
        assert_eq!(api.get("/v1/projects/{ref}").body, ours);
    });
}

#[test]
fn typed_callers_meet_the_same() {
    let mut sim = scenario::four_roles();
    let mut next = |effect: Effect| {
        sim.as_admin().call(AddFault(Fault::new(On::path("/v1/projects"), effect))).expect("a good rule");
        sim.call(CreateProject::named("demo", "acme")).map(|project| project.name)
    };
    assert_eq!(next(Effect::status(503)).expect_err("refused").status(), 503);
    assert_eq!(next(Effect::Reset).expect_err("no answer").kind, Kind::NoAnswer);
    let torn = next(Effect::Torn).expect_err("half an answer");
    assert_eq!((torn.kind, &*torn.reason), (Kind::NoAnswer, "unreadable_answer"));
    assert_eq!(sim.call(ListProjects {}).expect("a list").len(), 1);
}

#[test]
fn an_answer_is_altered_member_by_member() {
    both(scenario::active_project, |api| {
        let keys = json!({ "operation": "v1-get-project-api-keys" });
        let plain = api.get("/v1/projects/{ref}/api-keys").json();
        let effect = json!({
            "kind": "alter",
            "rename": { "/*/name": "title" },
            "drop": ["/0", "/*/hash"],
            "set": { "/*/description": null, "/0/more": { "a": [1] } },
            "headers": { "x-more": "yes", "x-ratelimit-limit": "7" },
        });
        add(api, keys, effect);
        let reply = api.get("/v1/projects/{ref}/api-keys");
        let altered = reply.json();
        assert_eq!((reply.header("x-more"), reply.header("x-sim-fault")), ("yes", "1"));
        assert_eq!(altered.as_array().map(Vec::len), Some(3));
        for (after, before) in
            altered.as_array().expect("a list").iter().zip(&plain.as_array().expect("a list")[1..])
        {
            assert_eq!((&after["title"], &after["id"]), (&before["name"], &before["id"]));
            assert_eq!(
                (after.get("name"), after.get("hash"), &after["description"]),
                (None, None, &Value::Null)
            );
        }
        assert_eq!((&altered[0]["more"], altered[1].get("more")), (&json!({ "a": [1] }), None));
        assert_eq!(api.get("/v1/projects/{ref}/api-keys").json(), plain, "once");
    });
}

#[test]
fn lists_and_members_of_an_answer_are_reordered_where_a_rule_says() {
    both(scenario::active_project, |api| {
        let keys = "/v1/projects/{ref}/api-keys";
        let plain = api.get(keys).json();
        let mut reordered = |places: Value| {
            add(
                api,
                json!({ "operation": "v1-get-project-api-keys" }),
                json!({ "kind": "alter", "set": { "/0/id": [1, 2] }, "reorder": places }),
            );
            let reply = api.get(keys);
            (reply.header("x-sim-missed").to_owned(), reply.json())
        };
        let names = |list: &Value, at: usize| -> Vec<String> {
            list[at].as_object().expect("a key").keys().cloned().collect()
        };
        let backwards = |mut list: Vec<String>| {
            list.reverse();
            list
        };
        let (missed, whole) = reordered(json!([""]));
        assert_eq!((missed.as_str(), &whole[0]), ("", &plain[3]));
        assert_eq!(names(&whole, 0), names(&plain, 3), "members keep their order");
        let (_, members) = reordered(json!(["/*"]));
        assert_eq!(names(&members, 1), backwards(names(&plain, 1)));
        assert_eq!(members[1], plain[1]);
        let (missed, inner) = reordered(json!(["/0/id", "/9", "/0/none"]));
        assert_eq!((missed.as_str(), &inner[0]["id"]), ("/9,/0/none", &json!([2, 1])));
        assert_eq!(names(&inner, 1), names(&plain, 1));
    });
}

#[test]
fn statuses_and_refusals_are_altered_too() {
    both(scenario::active_project, |api| {
        let query = json!({ "query": "select 1 as one" });
        add(api, json!({ "operation": "v1-run-a-query" }), json!({ "kind": "alter", "status": 200 }));
        let reply = api.post("/v1/projects/{ref}/database/query", query.clone());
        assert_eq!(reply.to_string(), r#"200 [{"one":1}]"#);
        let project = json!({ "operation": "v1-get-project" });
        let members = json!({ "code": "not_found", "error": { "id": 7 } });
        let effect =
            json!({ "kind": "status", "status": 404, "members": members, "headers": { "x-more": "yes" } });
        add(api, project.clone(), effect);
        let reply = api.get("/v1/projects/{ref}");
        assert_eq!(reply.to_string(), r#"404 {"message":"Not Found","code":"not_found","error":{"id":7}}"#);
        assert_eq!(reply.header("x-more"), "yes");
        add(api, project, json!({ "kind": "alter", "status": 202, "set": { "/errorEventId": "e" } }));
        let reply = api.get("/v1/projects/nosuchprojectatallxx");
        assert_eq!(reply.to_string(), r#"404 {"message":"Project not found","errorEventId":"e"}"#);
        let whole = json!({ "kind": "alter", "set": { "": [] } });
        add(api, json!({ "path": "/v1/projects" }), whole);
        assert_eq!(api.get("/v1/projects").to_string(), "200 []");
    });
}

#[test]
fn a_typed_call_gets_the_altered_answer_or_says_that_it_has_another_type() {
    let mut sim = scenario::active_project().sim;
    let on = || On::operation("v1-list-all-projects");
    for effect in [Effect::set("/*/name", "other"), Effect::set("/*/name", 7)] {
        sim.as_admin().call(AddFault(Fault::new(on(), effect))).expect("a good rule");
    }
    assert_eq!(sim.call(ListProjects {}).expect("a list")[0].name, "other");
    let error = sim.call(ListProjects {}).expect_err("a name is a text");
    assert_eq!((error.kind, &*error.reason), (Kind::NoAnswer, "unreadable_answer"));
    assert_eq!(sim.call(ListProjects {}).expect("a list")[0].name, "demo");
}
