//! `/_sim/faults`: rules that inject faults into calls.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::engine::Access;
use sim_core::engine::fault::{AddFault, Effect, Fault, On};
use sim_core::management::project::{CreateProject, DeleteProject, ListProjects};
use sim_core::{Kind, Pace, Policy, Simulator};
use sim_fixtures::{Api, Call, InProcess, api, scenario};

use crate::support::{both, seconds};

fn add(api: &mut dyn Api, on: Value, effect: Value) {
    let reply = api.post("/_sim/faults", json!({ "on": on, "effect": effect }));
    assert_eq!(reply.status, 201, "{reply}");
}

fn projects(api: &mut dyn Api) -> Vec<Value> {
    let list = api.get("/v1/projects").json();
    list.as_array().expect("a list").iter().map(|project| project["name"].clone()).collect()
}

fn create(name: &str) -> Call {
    let body = json!({
        "name": name, "organization_id": "acme", "region": "us-east-1", "plan": "pro", "db_pass": "a-password",
    });
    Call::post("/v1/projects").json(body)
}

/// The statuses of `count` calls.
fn statuses(api: &mut dyn Api, call: &Call, count: usize) -> Vec<u16> {
    (0..count).map(|_| api.send(call.clone()).status).collect()
}

#[test]
fn a_status_comes_in_the_services_own_form_and_once() {
    both(scenario::active_project, |api| {
        add(
            api,
            json!({ "operation": "v1-get-project" }),
            json!({ "kind": "status", "status": 503, "retry_after_s": 7 }),
        );
        let reply = api.get("/v1/projects/{ref}");
        assert_snapshot!(reply, @r#"503 {"message":"Service Unavailable"}"#);
        assert_eq!(
            (reply.header("retry-after"), reply.reason(), reply.header("x-sim-fault")),
            ("7", "fault", "1")
        );
        assert_eq!(api.get("/v1/projects/{ref}").status, 200);
    });
}

#[test]
fn a_failure_of_the_service_says_what_it_says() {
    both(scenario::active_project, |api| {
        add(api, json!({ "path": "*" }), json!({ "kind": "status", "status": 500 }));
        assert_snapshot!(api.get("/v1/projects/{ref}"), @r#"500 {"message":"Failed to retrieve project"}"#);
        add(
            api,
            json!({ "path": "*" }),
            json!({ "kind": "status", "status": 500, "message": "Out of luck" }),
        );
        assert_snapshot!(api.get("/v1/projects/{ref}"), @r#"500 {"message":"Out of luck"}"#);
    });
}

#[test]
fn rules_match_only_the_calls_they_name() {
    let hits = |on: Value, call: &Call| {
        let mut api = InProcess::new(scenario::active_project());
        let on: On =
            serde_json::from_str(&on.to_string().replace("{ref}", &api.project())).expect("a rule's on");
        let rule = Fault::new(on, Effect::status(503)).times(0);
        api::peek(&mut api, |sim| sim.as_admin().call(AddFault(rule.clone()))).expect("a good rule");
        api.send(call.clone()).status == 503
    };
    let (get, list) = (Call::get("/v1/projects/{ref}"), Call::get("/v1/projects"));
    assert!(hits(json!({ "operation": "v1-get-project" }), &get));
    assert!(!hits(json!({ "operation": "v1-get-project" }), &list));
    assert!(hits(json!({ "path": "/v1/projects/*" }), &get));
    assert!(!hits(json!({ "path": "/v1/projects/*" }), &list));
    assert!(hits(json!({ "path": "*/projects" }), &list));
    assert!(hits(json!({ "project": "{ref}" }), &get));
    assert!(!hits(json!({ "project": "{ref}" }), &list));
    assert!(hits(json!({ "method": "GET", "caller": "owner" }), &list));
    assert!(!hits(json!({ "method": "POST", "caller": "owner" }), &list));
    assert!(!hits(json!({ "caller": "owner" }), &list.clone().token("token-of-reader")));
    assert!(hits(json!({ "from": "2026-01-01T00:01:00Z" }), &list));
    assert!(!hits(json!({ "from": "2026-01-01T00:01:01Z" }), &list));
    assert!(hits(json!({ "until": "2026-01-01T00:01:01Z" }), &list));
    // Rules are matched before credentials are checked, so they also match anonymous calls.
    assert!(hits(json!({ "path": "*" }), &list.nobody()));
    assert!(hits(json!({ "path": "/v1/*" }), &Call::get("/v1/nothing")));
}

#[test]
fn a_rule_for_a_project_strikes_no_other_calls_whose_path_has_its_reference() {
    both(scenario::active_project, |api| {
        let branch = api.post("/v1/projects/{ref}/branches", json!({ "branch_name": "dev" })).json();
        api.advance(seconds(60));
        let (parent, own) = (api.project(), branch["project_ref"].as_str().expect("a reference").to_owned());
        add_for_all(api, json!({ "project": own }));
        let of_parent = |rest: &str| format!("/v1/projects/{parent}/{rest}");
        for (path, expected) in [
            (format!("/v1/projects/{own}/secrets"), 503),
            (format!("/v1/projects/{own}/secrets/"), 503),
            (format!("/v1/branches/{own}"), 503),
            // A function, a migration and a branch of another project are called like it.
            (of_parent(&format!("functions/{own}")), 404),
            (of_parent(&format!("branches/{own}")), 404),
            (format!("/v1/organizations/{own}"), 404),
            (format!("/v1/snippets/{own}"), 400),
            // No operation has these paths.
            (format!("/v1/projects/{own}/nothing"), 503),
            (of_parent(&format!("nothing/{own}")), 404),
        ] {
            let reply = api.get(&path);
            assert_eq!(reply.status, expected, "{path}: {reply}");
        }
        let rule = json!({ "on": { "project": own, "operation": "v1-get-a-snippet" }, "effect": { "kind": "reset" } });
        assert_eq!(api.post("/_sim/faults", rule).reason(), "invalid_body.on.project");
    });
}

fn add_for_all(api: &mut dyn Api, on: Value) {
    let rule = json!({ "on": on, "times": 0, "effect": { "kind": "status", "status": 503 } });
    let reply = api.post("/_sim/faults", rule);
    assert_eq!(reply.status, 201, "{reply}");
}

#[test]
fn a_rule_ends_at_its_instant() {
    both(scenario::active_project, |api| {
        let on = json!({ "until": "2026-01-01T00:01:01Z" });
        let rule = json!({ "on": on, "times": 0, "effect": { "kind": "status", "status": 503 } });
        assert_eq!(api.post("/_sim/faults", rule).status, 201);
        assert_eq!(api.get("/v1/projects").status, 503);
        api.advance(seconds(1));
        assert_eq!(api.get("/v1/projects").status, 200);
    });
}

#[test]
fn the_simulator_itself_is_out_of_reach() {
    both(scenario::active_project, |api| {
        let rule =
            json!({ "on": { "path": "*" }, "times": 0, "effect": { "kind": "status", "status": 500 } });
        api.post("/_sim/faults", rule);
        assert_eq!(api.get("/v1/projects").status, 500);
        assert_eq!(api.put("/_sim/faults", json!([])).status, 200);
        assert_eq!(api.get("/v1/projects").status, 200);
    });
}

#[test]
fn rules_are_tried_in_order_and_used_up() {
    both(scenario::active_project, |api| {
        let rule = |nth: u32, times: u32, status: u16| json!({ "on": { "path": "*" }, "nth": nth, "times": times, "effect": { "kind": "status", "status": status } });
        let reply = api.put("/_sim/faults", json!([rule(2, 1, 500), rule(1, 2, 502), rule(4, 0, 503)]));
        assert_eq!(reply.status, 200, "{reply}");
        // The third rule matches only calls that the first two let pass.
        assert_eq!(statuses(api, &Call::get("/v1/projects"), 8), [502, 500, 502, 200, 200, 200, 503, 503]);
        let standing = api.get("/_sim/faults").json();
        let figures: Vec<_> = standing
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| json!([one["met"], one["struck"]]))
            .collect();
        assert_eq!(json!(figures), json!([[8, 1], [7, 2], [5, 2]]));
        assert_eq!(api.delete("/_sim/faults/3").status, 200);
        assert_eq!(api.get("/v1/projects").status, 200);
    });
}

#[test]
fn probability_is_the_seeds() {
    let pattern = |seed: u64| {
        let mut sim = Simulator::builder().seed(seed).build();
        let rule =
            Fault { probability: Some(0.5), ..Fault::new(On::path("*"), Effect::status(503)).times(0) };
        sim.as_admin().call(AddFault(rule)).expect("a good rule");
        (0..40).map(|_| sim.call(ListProjects {}).is_ok()).collect::<Vec<_>>()
    };
    assert_eq!(pattern(1), pattern(1));
    assert_ne!(pattern(1), pattern(2));
    let passed = pattern(1).into_iter().filter(|passed| *passed).count();
    assert!((8..=32).contains(&passed), "{passed} of 40");
}

#[test]
fn one_too_many_is_everyones_next_minute() {
    both(scenario::active_project, |api| {
        add(api, json!({ "caller": "owner" }), json!({ "kind": "rate_limit", "seconds": 90 }));
        let reply = api.get("/v1/projects");
        assert_snapshot!(reply, @r#"429 {"message":"ThrottlerException: Too Many Requests"}"#);
        assert_eq!((reply.header("retry-after"), reply.header("x-ratelimit-remaining")), ("90", "0"));
        assert_eq!(api.send(Call::get("/v1/projects").token("token-of-reader")).status, 200);
        api.advance(seconds(89));
        assert_eq!(api.get("/v1/projects").status, 429);
        api.advance(seconds(1));
        assert_eq!(api.get("/v1/projects").status, 200);
    });
}

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
fn forks_and_replays_have_the_same_faults() {
    let mut sim = scenario::four_roles();
    let rule = Fault { probability: Some(0.5), ..Fault::new(On::path("*"), Effect::status(503)).times(0) };
    sim.as_admin().call(AddFault(rule)).expect("a good rule");
    let late = Fault::new(On::operation("v1-create-a-project"), Effect::Late { ms: 100 });
    sim.as_admin().call(AddFault(late)).expect("a good rule");
    let mut fork = sim.fork();
    for world in [&mut sim, &mut fork] {
        for index in 0..20 {
            let _ = world.call(CreateProject::named(&format!("project {index}"), "acme"));
        }
        world.advance(seconds(1));
    }
    assert_eq!(sim.journal_hash(), fork.journal_hash());
    let again =
        sim.replay_file().expect("the journal is whole").run(sim.registry()).expect("nothing diverges");
    assert_eq!(again.journal_hash(), sim.journal_hash());
}

#[test]
fn an_invalid_rule_is_refused_with_its_error() {
    both(scenario::active_project, |api| {
        let status = json!({ "kind": "status", "status": 503 });
        let mut refused = |on: Value, effect: &Value| {
            let reply = api.post("/_sim/faults", json!({ "on": on, "effect": effect }));
            assert_eq!(reply.status, 400, "{reply}");
            format!("{}: {}", reply.reason(), reply.json()["message"].as_str().unwrap_or_default())
        };
        assert_snapshot!(refused(json!({}), &status), @r#"invalid_body.on: on: names nothing; give operation, method, path, project, caller, from or until (path "*" is every call)"#);
        assert_snapshot!(refused(json!({ "operation": "v1-nothing" }), &status), @r#"invalid_body.on.operation: on.operation: there is no operation "v1-nothing"; GET /openapi.json names them"#);
        assert_snapshot!(refused(json!({ "operation": "sim-add-fault" }), &status), @"invalid_body.on.operation: on.operation: sim-add-fault drives the simulator, which no fault reaches");
        assert_snapshot!(refused(json!({ "method": "FETCH" }), &status), @"invalid_body.on.method: on.method: must be GET, POST, PUT, PATCH or DELETE");
        assert_snapshot!(refused(json!({ "path": "v1" }), &status), @"invalid_body.on.path: on.path: must begin with / or *, as in /v1/projects/*");
        assert_snapshot!(refused(json!({ "path": "/v1/no/such/route" }), &status), @r#"invalid_body.on.path: on.path: no operation of this service has a path like "/v1/no/such/route""#);
        assert_snapshot!(refused(json!({ "path": "/v1/project" }), &status), @r#"invalid_body.on.path: on.path: no operation of this service has a path like "/v1/project"; did you mean `/v1/projects`?"#);
        assert_snapshot!(refused(json!({ "path": "/v1/projects", "method": "DELETE" }), &status), @r#"invalid_body.on.path: on.path: "/v1/projects" is no path of that operation or method"#);
        assert_snapshot!(refused(json!({ "operation": "v1-get-project", "method": "POST" }), &status), @"invalid_body.on.method: on.method: is not the method of that operation");
        let project = "a".repeat(20);
        assert_snapshot!(refused(json!({ "operation": "v1-list-all-projects", "project": project }), &status), @"invalid_body.on.project: on.project: no path of those operations names a project");
        assert_snapshot!(refused(json!({ "project": "demo" }), &status), @"invalid_body.on.project: on.project: Invalid, must be a project reference: 20 lowercase letters");
        let other = json!({ "path": "/v1/projects/bbbbbbbbbbbbbbbbbbbb/*", "project": project });
        assert_snapshot!(refused(other, &status), @"invalid_body.on.project: on.project: no path that fits on.path names it");
        assert_snapshot!(refused(json!({ "until": "2025-12-31T23:59:59Z" }), &status), @"invalid_body.on.until: on.until: must be after now, which is 2026-01-01T00:01:00Z");
        assert_snapshot!(refused(json!({ "operation": "v1-get-projekt" }), &status), @r#"invalid_body.on.operation: on.operation: there is no operation "v1-get-projekt"; GET /openapi.json names them; did you mean `v1-get-project`?"#);
        assert_snapshot!(refused(json!({ "caller": "nobody" }), &status), @r#"invalid_body.on.caller: on.caller: there is no user "nobody""#);
        let all = json!({ "path": "*" });
        assert_snapshot!(refused(all.clone(), &json!({ "kind": "status", "status": 200 })), @"invalid_body.effect.status: effect.status: must be from 400 to 599");
        // A key that the effect does not have is refused, not dropped.
        let body = json!({ "kind": "status", "status": 500, "body": { "errorEventId": "e" } });
        assert_snapshot!(refused(all.clone(), &body), @"invalid_body.effect.body: effect.body: Unrecognized key, expected one of kind, status, message, retry_after_s, members, headers");
        assert_snapshot!(refused(all.clone(), &json!({ "kind": "reset", "after_ms": 5 })), @"invalid_body.effect.after_ms: effect.after_ms: Unrecognized key, expected one of kind");
        assert_snapshot!(refused(all.clone(), &json!({ "kind": "late", "ms": 0 })), @"invalid_body.effect.ms: effect.ms: must be from 1 to 3600000");
        assert_snapshot!(refused(all.clone(), &json!({ "kind": "stale", "calls": 101 })), @"invalid_body.effect.calls: effect.calls: must be from 1 to 100");
        let alter = |rest: Value| {
            let mut effect = rest;
            effect["kind"] = "alter".into();
            effect
        };
        assert_snapshot!(refused(all.clone(), &alter(json!({}))), @"invalid_body.effect.set: effect.set: Required, or one of drop, rename, reorder, status, headers: the rule alters nothing");
        assert_snapshot!(refused(all.clone(), &alter(json!({ "status": 404 }))), @"invalid_body.effect.status: effect.status: must be from 200 to 299");
        assert_snapshot!(refused(all.clone(), &alter(json!({ "drop": ["id"] }))), @r#"invalid_body.effect.drop: effect.drop: "id" is no JSON pointer, as in /items/0/id or /*/id"#);
        assert_snapshot!(refused(all.clone(), &alter(json!({ "headers": { "Content-Length": "1" } }))), @r#"invalid_body.effect.headers: effect.headers: "Content-Length" can't be sent with the value "1""#);
        assert_snapshot!(refused(all.clone(), &alter(json!({ "rename": { "/id": "/ref" } }))), @r#"invalid_body.effect.rename: effect.rename: "/ref" must be the new name alone, without its place"#);
        assert_snapshot!(refused(all.clone(), &alter(json!({ "status": 204, "drop": ["/id"] }))), @"invalid_body.effect.status: effect.status: an answer with this status has no body that could be altered");
        // An effect on answers that the operations do not have.
        let delete = json!({ "operation": "v1-delete-a-project" });
        assert_snapshot!(refused(delete, &json!({ "kind": "stale", "calls": 1 })), @r#"invalid_body.effect.kind: effect.kind: "stale" has no effect here: it is for GET"#);
        assert_snapshot!(refused(json!({ "method": "POST" }), &json!({ "kind": "stale", "calls": 1 })), @r#"invalid_body.effect.kind: effect.kind: "stale" has no effect here: it is for GET"#);
        for path in ["/v1/projects/*/config/realtime/shutdown", "/v1/projects/*/functions/*/body"] {
            let on = json!({ "path": path });
            assert_snapshot!(refused(on.clone(), &json!({ "kind": "lean" })), @r#"invalid_body.effect.kind: effect.kind: "lean" has no effect here: the answer is no JSON"#);
            assert_snapshot!(refused(on, &alter(json!({ "drop": ["/id"] }))), @r#"invalid_body.effect.kind: effect.kind: "alter" has no effect here: the answer is no JSON"#);
        }
        let unknown = refused(all, &json!({ "kind": "explode" }));
        let begins =
            "invalid_body.effect.kind: effect.kind: Invalid enum value. Expected 'status' | 'rate_limit' | ";
        assert!(unknown.starts_with(begins) && unknown.ends_with("received 'explode'"), "{unknown}");
        let never = json!({ "on": { "path": "*" }, "effect": { "kind": "reset" }, "probability": 0 });
        let reply = api.post("/_sim/faults", never);
        assert_snapshot!(reply, @r#"400 {"message":"probability: must be over 0 and at most 1"}"#);
        assert_eq!(api.get("/_sim/faults").json(), json!([]));
        assert_snapshot!(api.delete("/_sim/faults/9"), @r#"404 {"message":"There is no fault 9; GET /_sim/faults lists them"}"#);
    });
}

#[test]
fn a_rule_may_be_for_a_project_that_comes_later() {
    let project = "a".repeat(20);
    both(scenario::active_project, |api| {
        for on in [
            json!({ "project": project }),
            json!({ "project": project, "path": format!("/v1/projects/{project}/*") }),
            json!({ "project": project, "path": "/v1/branches/*" }),
        ] {
            add(api, on, json!({ "kind": "reset" }));
        }
    });
    let rule = json!({ "on": { "project": project }, "effect": { "kind": "reset" } });
    let reply = InProcess::new(sim_fixtures::analytics::fresh()).post("/_sim/faults", rule);
    assert_eq!((reply.status, reply.reason()), (400, "invalid_body.on.project"), "{reply}");
}

#[test]
fn a_rule_is_read_as_json_whatever_its_content_type() {
    both(scenario::active_project, |api| {
        let rule = &br#"{"on":{"path":"*"},"effect":{"kind":"status","status":503}}"#[..];
        // As `curl -d` sends it.
        let form = Call::post("/_sim/faults").bytes("application/x-www-form-urlencoded", rule);
        assert_eq!(api.send(form).status, 201);
        let project = Call::post("/v1/projects").bytes("application/x-www-form-urlencoded", rule);
        assert_eq!(api.send(project.clone()).status, 503);
        assert_eq!(api.send(project).status, 415, "the service wants the type");
    });
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

#[test]
fn the_analytics_server_has_faults_too() {
    both(sim_fixtures::analytics::fresh, |api| {
        add(api, json!({ "path": "/api/sources" }), json!({ "kind": "status", "status": 503 }));
        assert_snapshot!(api.get("/api/sources"), @r#"503 {"error":"Service Unavailable"}"#);
        add(api, json!({ "path": "/api/sources" }), json!({ "kind": "rate_limit", "seconds": 5 }));
        let reply = api.get("/api/sources");
        assert_eq!((reply.status, reply.header("retry-after")), (429, "5"));
        assert_eq!(api.get("/api/sources").status, 200);
    });
}

#[test]
fn every_operation_that_can_fail_has_words_for_it() {
    let sim = scenario::fresh();
    let fails =
        sim.registry().operations().filter(|meta| meta.access == Access::Token && meta.also.contains(&500));
    let dumb: Vec<_> = fails.filter(|meta| meta.failure.is_empty()).map(|meta| meta.id).collect();
    assert!(dumb.is_empty(), "{dumb:?}");
}

#[test]
fn an_outage_lasts_for_so_long_from_the_first_strike_on() {
    both(scenario::four_roles, |api| {
        let rule = json!({
            "on": { "path": "/v1/*" }, "nth": 2, "times": 0, "for_ms": 3000, "effect": { "kind": "status", "status": 503 },
        });
        assert_eq!(api.post("/_sim/faults", rule).status, 201);
        let statuses: Vec<u16> = (0..6)
            .map(|_| {
                let status = api.get("/v1/projects").status;
                api.advance(seconds(1));
                status
            })
            .collect();
        assert_eq!(statuses, [200, 503, 503, 503, 200, 200]);
        let standing = api.get("/_sim/faults").json();
        assert_eq!(
            (&standing[0]["since"], &standing[0]["struck"]),
            (&"2026-01-01T00:00:01Z".into(), &3.into())
        );
    });
}
