//! Inputs that try to use all memory or time: each has a limit, and the refusal names it.

mod journal;

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use sim_core::seed::Seed;
use sim_core::{Policy, Simulator};
use sim_fixtures::{Api, Call, InProcess, analytics, api, scenario};

use self::journal::roomy;
use crate::support::both;

/// Far more than any of this takes, also unoptimised on a busy machine. Without bounds it would take minutes.
const SOON: Duration = Duration::from_secs(60);

fn soon<T>(what: &str, work: impl FnOnce() -> T) -> T {
    let begin = Instant::now();
    let result = work();
    let took = begin.elapsed();
    assert!(took < SOON, "{what} takes {took:?}");
    result
}

#[test]
fn every_error_answer_is_short() {
    let wrong_keys: Map<String, Value> = (0..300_000).map(|n| (format!("key{n}"), json!(n))).collect();
    let long = "k".repeat(2_000_000);
    let deep = (0..100).fold(json!(1), |inner, _| json!({ "x".repeat(10_000): inner }));
    let bodies = [
        ("/v1/projects", Value::Object(wrong_keys)),
        ("/v1/projects", json!({ "name": "x", "organization_id": "acme", "db_pass": "p", "region": long })),
        ("/v1/projects", json!({ "x": "x", long.clone(): 1 })),
        ("/v1/projects/{ref}/secrets", json!((0..300_000).collect::<Vec<_>>())),
        ("/v1/projects/{ref}/secrets", json!([{ "name": "A", "value": deep }])),
        ("/v1/projects/{ref}/secrets", json!([{ "name": long, "value": 7 }])),
        ("/v1/projects/{ref}/network-restrictions/apply", json!({ "dbAllowedCidrs": vec![1; 100_000] })),
    ];
    both(
        || scenario::active_project_under(roomy()),
        |api| {
            for (path, body) in &bodies {
                let reply = soon(path, || api.send(Call::post(path).json(body.clone())));
                assert!((400..500).contains(&reply.status), "{path}: {}", reply.status);
                assert!(reply.body.len() < 100_000, "{path}: {} bytes", reply.body.len());
                assert!(reply.reason().len() < 1000, "{path}: {}", reply.reason().len());
            }
            let reply = api.post("/v1/projects/{ref}/secrets", json!((0..1000).collect::<Vec<_>>()));
            assert!(reply.to_string().ends_with(", and more\"}"), "{reply}");
            let number = reply.header("x-sim-call").parse().expect("a number");
            let facts = api::peek(api, |sim| sim.explain(number).expect("it is there").call.facts);
            assert_eq!(facts[0].value, "more than 100, of which the first 100 are listed");
            let unknown: String = (0..2000).map(|n| format!("&unknown{n}=x")).collect();
            let reply = api.get(&format!("/v1/projects?a=b{unknown}"));
            assert!(reply.body.len() < 100_000, "{}", reply.body.len());
        },
    );
}

#[test]
fn a_path_of_a_fault_rule_with_many_stars_matches_at_once() {
    both(
        || scenario::active_project_under(roomy()),
        |api| {
            for stars in [8, 60] {
                let on = json!({ "path": format!("/v1/{}b", "*a".repeat(stars)) });
                let rule = json!({ "on": on, "effect": { "kind": "reset" } });
                assert_eq!(api.post("/_sim/faults", rule).status, 201);
            }
            let path = format!("/v1/{}", "a".repeat(2000));
            soon("a long path", || (0..10).for_each(|_| assert_eq!(api.get(&path).status, 404)));
            let long = json!({ "on": { "path": "*".repeat(5000) }, "effect": { "kind": "reset" } });
            let reply = api.post("/_sim/faults", long);
            assert_eq!((reply.status, reply.reason()), (400, "invalid_body.on.path"), "{reply}");
            let rule = json!({ "on": { "path": "/v1/*" }, "effect": { "kind": "reset" } });
            let reply = api.put("/_sim/faults", json!(vec![rule; 1001]));
            assert_eq!((reply.status, reply.reason()), (400, "too_many_faults"), "{reply}");
        },
    );
}

#[test]
fn a_seed_that_asks_for_too_many_calls_is_refused_by_name() {
    let project =
        |texts: usize| format!("[[projects]]\nname = 'p'\nsql = [{}]\n", "'select 1',".repeat(texts));
    let call = |times: u32| format!("[[calls]]\noperation = 'v1-list-all-projects'\ntimes = {times}\n");
    for (file, place) in [
        (call(4_000_000_000), "line 3, column 1: calls.0.times: makes 4000000000 calls"),
        (call(60_000).repeat(2), "line 6, column 1: calls.1.times: makes 120000 calls"),
        (project(200_000), "projects.0: makes 200001 calls"),
        (project(60_000).repeat(2), "projects.1: makes 120002 calls"),
    ] {
        let error = soon("a seed", || Seed::parse(&file).expect_err("it is refused"));
        assert!(error.message.contains(place), "{}", error.message);
        assert!(error.reason.starts_with("invalid_seed."), "{}", error.reason);
    }
    let seed = Seed::parse(&call(100)).expect("a good seed");
    assert_eq!(seed.build().map(|sim: Simulator| sim.calls()).expect("a world"), 100);
}

#[test]
fn a_seed_of_many_users_is_checked_at_once_and_one_of_too_many_refused() {
    let user = |name: usize| format!("[[users]]\nname = 'u{name}'\n");
    let users = |count: usize| (0..count).map(user).collect::<String>();
    for (file, place) in [
        (users(40_000) + &user(1), "users.40000.name: there is another user \"u1\""),
        (users(100_001), "users: 100001 with organizations and their members"),
    ] {
        let error = soon("a seed", || Seed::parse(&file).expect_err("it is refused"));
        assert!(error.message.contains(place), "{}", error.message);
    }
}

fn notebook(text: &str) -> Value {
    let content = json!({ "schema_version": 1, "cells": [{ "type": "markdown", "text": text }] });
    json!({ "data": { "type": "notebook", "attributes": { "name": "n", "content": content } } })
}

fn endpoint(text: &str) -> Value {
    let attributes = json!({
        "url": "https://hooks.example",
        "event_types": [{ "type": "*" }],
        "signing_secret": "a secret of tests",
        "custom_headers": { "x-key": text },
    });
    json!({ "data": { "type": "endpoint", "attributes": attributes } })
}

fn drain(text: &str) -> Value {
    let config = json!({ "url": "https://logs.example", "headers": { "x-key": text } });
    json!({ "data": { "type": "log_drain", "attributes": { "name": "n", "backend_type": "webhook", "config": config } } })
}

#[test]
fn a_long_advance_returns_the_last_work_and_counts_all() {
    let mut sim = analytics::fresh();
    let alert = json!({ "name": "a", "query": "select 1 as n from `gone`", "cron": "*/5 * * * *" });
    let mut api = InProcess::new(sim.fork());
    api.post("/api/sources", json!({ "name": "gone" }));
    let made = api.post("/api/alerts", alert);
    assert_eq!(made.status, 201, "{made}");
    sim = api::peek(&mut api, |sim| sim.fork());
    let before = sim.work_done();
    let returned = soon("60 days of alerts", || sim.advance(Duration::from_secs(60 * 86_400)).len());
    assert_eq!((sim.work_done() - before, returned), (17_280, 10_000));
}

#[test]
fn a_search_or_a_schedule_of_any_length_is_answered() {
    let long = |part: &str, bytes: usize| part.repeat(bytes / part.len());
    let searches = [
        ("a ".repeat(100_000), "bytes"),
        ("-".repeat(1_000_000), "bytes"),
        ("a ".repeat(1000), "words"),
        (format!("m{}:1", ".a".repeat(5000)), "steps"),
        (format!("f:mine s:m{}", ".a".repeat(5000)), "steps"),
        (format!("m.a:~\"{}\"", "(".repeat(5000)), "regular expression"),
        (format!("m.a:~\"{}\"", "(a{1000}){1000}"), "regular expression"),
    ];
    both(analytics::fresh, |api| {
        let source = api.post("/api/sources", json!({ "name": "mine" })).json();
        let backend = api
            .post(
                "/api/backends",
                json!({ "name": "b", "type": "otlp", "config": { "endpoint": "http://otlp.test" } }),
            )
            .json();
        for (text, word) in &searches {
            let rule = json!({ "lql_string": text, "source_id": source["id"], "backend_id": backend["id"] });
            let path = format!("/api/sources/{}", source["token"].as_str().expect("a token"));
            let endpoint = json!({ "name": "found", "language": "lql", "query": text });
            for (path, body) in [("/api/rules", rule), ("/api/endpoints", endpoint)] {
                let reply = soon(word, || api.post(path, body.clone()));
                assert!((400..500).contains(&reply.status), "{path} {word}: {reply}");
                assert!(reply.body.len() < 100_000, "{path} {word}: {}", reply.body.len());
            }
            let filter = json!({ "drop_lql_string": text });
            let reply = soon(word, || api.send(Call::new(http::Method::PATCH, &path).json(filter)));
            assert!((400..500).contains(&reply.status), "{word}: {reply}");
        }
        for cron in [long("1,", 10_000_000) + "1 * * * *", long("* ", 1_000_000), "*/".repeat(500_000)] {
            let alert = json!({ "name": "a", "query": "select 1 as n", "cron": cron });
            let reply = soon("a schedule", || api.post("/api/alerts", alert));
            assert_eq!(reply.status, 422, "{}", reply.body.len());
        }
        let paths = json!({ "name": "paths", "transform_copy_fields": long("a:b\n", 10_000_000) });
        assert_eq!(soon("paths", || api.post("/api/sources", paths)).status, 422);
    });
}

#[test]
fn nesting_is_refused_wherever_json_comes_in() {
    let deep = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    let objects = |levels: usize| format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels));
    for levels in [200, 100_000, 2_000_000] {
        for text in [deep(levels), objects(levels)] {
            both(
                || scenario::active_project_under(roomy()),
                |api| {
                    for path in ["/v1/projects", "/v1/projects/{ref}/secrets", "/_sim/faults"] {
                        let call = Call::post(path).bytes("application/json", text.clone());
                        let reply = soon(path, || api.send(call));
                        assert_eq!((reply.status, reply.reason()), (400, "invalid_json"), "{path}");
                    }
                },
            );
            assert!(soon("a seed", || Seed::parse(&format!("{{\"more\":{text}}}")).is_err()));
            assert!(soon("a seed", || Seed::parse(&format!("more = {text}")).is_err()));
            assert!(soon("a replay", || serde_json::from_str::<sim_core::Replay>(&text).is_err()));
            assert!(soon("a policy", || serde_json::from_str::<Policy>(&text).is_err()));
            assert!(soon("a profile", || serde_json::from_str::<sim_core::Profile>(&text).is_err()));
            assert!(soon("a policy", || toml::from_str::<Policy>(&format!("pace = {text}")).is_err()));
        }
    }
    let table = format!("[{}a]\nx = 1", "a.".repeat(100_000));
    assert!(soon("a seed", || Seed::parse(&table).is_err()), "tables nest too");
}

#[test]
fn countless_fields_are_read_or_refused_at_once() {
    let names = || (0..200_000).map(|number| format!("k{number}"));
    let fields: Map<_, _> = names().map(|name| (name, json!(1))).collect();
    let json = json!(fields).to_string();
    let lines = |line: fn(String) -> String| names().map(line).collect::<String>();
    let seeds = [
        ("fields", json.clone()),
        ("lines", lines(|name| format!("{name} = 1\n"))),
        ("tables", lines(|name| format!("[{name}]\n"))),
        ("lists of tables", lines(|_| "[[k]]\n".to_owned())),
        ("dotted names", lines(|name| format!("a.b.c.d.e.f.g.h.{name} = 1\n"))),
    ];
    for (what, text) in seeds {
        assert!(soon(what, || Seed::parse(&text)).is_err(), "{what}");
    }
    assert!(soon("a policy", || serde_json::from_str::<Policy>(&json)).is_err());
    assert!(soon("a profile", || serde_json::from_str::<sim_core::Profile>(&json)).is_err());
    assert!(soon("a replay", || serde_json::from_str::<sim_core::Replay>(&json)).is_err());
    both(
        || scenario::active_project_under(roomy()),
        |api| {
            for path in ["/_sim/faults", "/v1/projects", "/v1/projects/{ref}/secrets"] {
                let call = Call::post(path).bytes("application/json", json.clone());
                assert_eq!(soon(path, || api.send(call)).status, 400, "{path}");
            }
        },
    );
}

#[test]
fn countless_entries_without_effect_are_passed_over_at_once() {
    let count = 100_000;
    let secret = |name: String| json!({ "name": name, "value": "v" });
    let function = json!({ "id": "1", "slug": "f", "name": "f", "status": "ACTIVE", "version": 1 });
    let numbered = |prefix: &str| (0..count).map(|number| format!("{prefix}{number}")).collect::<Vec<_>>();
    let addresses: Vec<_> = (0..count).map(|n| format!("10.{}.{}.1", n / 250 % 250, n % 250)).collect();
    let (secrets, bans) = ("/v1/projects/{ref}/secrets", "/v1/projects/{ref}/network-bans");
    let calls = [
        Call::post(secrets).json(json!(vec![secret("A".to_owned()); count])),
        Call::delete(secrets).json(json!(numbered("B"))),
        Call::delete(bans).json(json!({ "ipv4_addresses": addresses })),
        Call::put("/v1/projects/{ref}/functions").json(json!(vec![function; count / 5])),
        Call::post(secrets).json(json!(
            (0..count).map(|n| json!({ "name": "A", "value": "v", format!("u{n}"): 1 })).collect::<Vec<_>>()
        )),
    ];
    both(
        || scenario::active_project_under(roomy()),
        |api| {
            for call in calls.clone() {
                let what = format!("{} {}", call.method, call.path);
                let reply = soon(&what, || api.send(call));
                assert!((200..300).contains(&reply.status), "{what}: {reply}");
                let ignored = reply.header("x-sim-ignored");
                assert!(ignored.ends_with(",+more") && ignored.len() < 3000, "{what}: {ignored}");
            }
            let many: Vec<_> = numbered("C").into_iter().map(secret).collect();
            let refused = soon("too many", || api.post(secrets, json!(many)));
            let text = "A project can have at most 100 secrets, these would make it 100001.";
            assert_eq!((refused.status, refused.json()["message"].as_str()), (400, Some(text)));
        },
    );
}

#[test]
fn a_deploy_of_countless_files_that_import_each_other_is_read_at_once() {
    let count = 10_000;
    let name = |number: usize| format!("f{}.ts", number % count);
    let files: Vec<(String, String)> =
        (0..count).map(|number| (name(number), format!("import './{}';", name(number + 1)))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let many: String = (0..count).map(|number| format!("import './{}';\n", name(number))).collect();
    let all = [&files[..], &[("all.ts", &*many)]].concat();
    let path = "/v1/projects/{ref}/functions/deploy?slug=f";
    both(
        || scenario::active_project_under(roomy()),
        |api| {
            for (files, status) in [(&all[..], 201), (&all[1..], 400)] {
                let call = Call::post(path).multipart(&json!({ "entrypoint_path": "all.ts" }), files);
                assert_eq!(soon("a deploy", || api.send(call)).status, status);
            }
            let form =
                format!("--x\r\ncontent-disposition: form-data{}\r\n\r\n\r\n--x--", "; a".repeat(1_000_000));
            let call = Call::post(path).bytes("multipart/form-data; boundary=x", form);
            assert_eq!(soon("a header", || api.send(call)).status, 400);
        },
    );
}
