//! `/_sim/faults`: rules that inject faults into calls.

mod bodies;
mod late;

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::engine::Access;
use sim_core::engine::fault::{AddFault, Effect, Fault, On};
use sim_core::management::project::{CreateProject, ListProjects};
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
