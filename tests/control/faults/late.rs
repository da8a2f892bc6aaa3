//! Rules under which a call is lost, late, repeated or stale.

use insta::assert_snapshot;
use serde_json::json;
use sim_core::engine::fault::{AddFault, Effect, Fault, On};
use sim_core::management::project::{CreateProject, DeleteProject};
use sim_core::{Pace, Policy};
use sim_fixtures::{Api, InProcess, api, scenario};

use super::{add, create, projects};
use crate::support::{both, seconds};

#[test]
fn a_call_with_a_lost_answer_was_done() {
    let mut api = InProcess::new(scenario::four_roles());
    add(&mut api, json!({ "operation": "v1-create-a-project" }), json!({ "kind": "lost_answer" }));
    let reply = api.send(create("demo"));
    assert_eq!((reply.status, reply.reason()), (502, "no_answer"));
    assert_eq!(projects(&mut api), ["demo"]);
    let call = api::peek(&mut api, |sim| sim.journal()[1].clone());
    assert_eq!((call.status, call.fault.as_deref()), (201, Some("rule 1: lost_answer")));
}

#[test]
fn a_call_with_a_reset_connection_was_not_done() {
    let mut api = InProcess::new(scenario::four_roles());
    add(&mut api, json!({ "operation": "v1-create-a-project" }), json!({ "kind": "reset" }));
    assert_eq!(api.send(create("demo")).reason(), "no_answer");
    assert!(projects(&mut api).is_empty());
    let explained = api::peek(&mut api, |sim| sim.explain(2).expect("the journal holds it").to_string());
    assert_snapshot!(explained, @r"
    call 2 at 2026-01-01T00:00:00Z: POST /v1/projects → 502 no_answer
      fault        refused
        fault = rule 1: reset, since call 1
      call 1 at 2026-01-01T00:00:00Z: POST /_sim/faults → 201
    ");
}

#[test]
fn a_late_call_is_done_although_its_client_got_no_answer() {
    let mut api = InProcess::new(scenario::four_roles());
    add(&mut api, json!({ "operation": "v1-create-a-project" }), json!({ "kind": "late", "ms": 5000 }));
    assert_eq!(api.send(create("demo")).reason(), "no_answer");
    assert!(projects(&mut api).is_empty());
    assert_eq!(api.send(create("other")).status, 201);
    api.advance(seconds(5));
    assert_eq!(projects(&mut api), ["other", "demo"]);
    let history = api::peek(&mut api, |sim| sim.history(Some("/v1/projects")));
    assert_eq!(history[0].became, "POST /v1/projects → 201");
}

#[test]
fn a_late_call_runs_on_the_later_state() {
    let mut api = InProcess::new(scenario::active_project());
    add(&mut api, json!({ "method": "POST" }), json!({ "kind": "late", "ms": 5000 }));
    assert_eq!(api.act("/v1/projects/{ref}/pause").status, 502);
    assert_eq!(api.act("/v1/projects/{ref}/pause").status, 200);
    api.advance(seconds(5));
    let happened = api::peek(&mut api, |sim| sim.history(None).pop().expect("something happened").became);
    assert!(happened.ends_with("→ 400 project_not_active"), "{happened}");
}

#[test]
fn work_of_the_same_instant_can_still_be_taken_back() {
    let mut sim = scenario::four_roles();
    let r#ref = sim.fork().call(CreateProject::named("demo", "acme")).expect("the name is new").id;
    let up_ms = sim.policy().durations.create_ms;
    let late = Fault::new(On::operation("v1-delete-a-project"), Effect::Late { ms: up_ms });
    sim.as_admin().call(AddFault(late)).expect("a good rule");
    assert!(sim.call(DeleteProject { r#ref: r#ref.clone() }).is_err(), "nothing waits for it");
    assert_eq!(sim.call(CreateProject::named("demo", "acme")).expect("the name is new").id, r#ref);
    let due: Vec<_> = sim.agenda().into_iter().map(|job| job.due).collect();
    assert_eq!(due[0], due[1], "it is deleted when it would come up");
    let became: Vec<_> =
        sim.advance(std::time::Duration::from_millis(up_ms)).into_iter().map(|event| event.became).collect();
    assert_eq!(became, [format!("DELETE /v1/projects/{ref} → 200")], "it no longer comes up");
}

#[test]
fn a_late_call_is_counted_when_it_is_done() {
    let used = |api: &mut InProcess| {
        let windows = api::peek(api, |sim| sim.rate_windows());
        windows.iter().map(|window| window.used).sum::<u32>()
    };
    for pace in [Pace::Clock, Pace::Manual] {
        let mut api = InProcess::new(scenario::with_policy(Policy { pace, ..Policy::default() }));
        add(&mut api, json!({ "method": "POST" }), json!({ "kind": "late", "ms": 5000 }));
        assert_eq!(api.send(create("demo")).reason(), "no_answer");
        assert_eq!(used(&mut api), 0, "{pace:?}");
        api.look(&mut |sim| match pace {
            Pace::Manual => drop(sim.step().expect("it waits")),
            _ => drop(sim.advance(seconds(5))),
        });
        assert_eq!(used(&mut api), 1, "{pace:?}");
        assert_eq!(projects(&mut api), ["demo"]);
        assert_eq!(used(&mut api), 2, "{pace:?}");
    }
}

#[test]
fn a_duplicated_call_is_done_twice_and_answered_once() {
    both(scenario::four_roles, |api| {
        add(api, json!({ "method": "POST" }), json!({ "kind": "twice" }));
        let body = json!({ "name": "Again" });
        assert_eq!(api.post("/v1/organizations", body).status, 201);
        let list = api.get("/v1/organizations").json();
        let again = list.as_array().expect("a list").iter().filter(|one| one["name"] == "Again").count();
        assert_eq!(again, 2);
        let fault = api::peek(api, |sim| sim.journal()[1].fault.clone());
        assert_eq!(fault.as_deref(), Some("rule 1: twice, the second time 201"));
    });
}

#[test]
fn a_stale_read_sees_the_earlier_state() {
    both(scenario::four_roles, |api| {
        let rule =
            json!({ "on": { "method": "GET" }, "times": 2, "effect": { "kind": "stale", "calls": 1 } });
        assert_eq!(api.post("/_sim/faults", rule).status, 201);
        assert_eq!(api.send(create("demo")).status, 201);
        assert!(projects(api).is_empty());
        assert_eq!(projects(api), ["demo"], "the call before this one was a read");
        assert_eq!(projects(api), ["demo"]);
    });
}
