//! Inputs that try to use all memory or time: each has a limit, and the refusal names it.

use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use sim_core::management::organization::ListOrganizations;
use sim_core::seed::Seed;
use sim_core::{Policy, RateLimit, Simulator};
use sim_fixtures::{Api, Call, InProcess, analytics, api, scenario};

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
fn a_journal_query_is_bounded_in_values_rows_bytes_and_work() {
    let mut sim = scenario::four_roles();
    sim.call(ListOrganizations {}).expect("a list");
    let numbers =
        |most: &str| format!("with recursive n(i) as (select 1 union all select i + 1 from n {most}) select");
    let rows = [
        ("select zeroblob(999999999)".to_owned(), "not authorized"),
        ("select hex(zeroblob(999999999))".to_owned(), "not authorized"),
        ("select randomblob(999999999)".to_owned(), "not authorized"),
        ("select printf('%999999999d', 1)".to_owned(), "a value or the query is too long"),
        ("select format('%.*c', 999999999, 'a')".to_owned(), "a value or the query is too long"),
        ("select replace(printf('%99999d', 1), ' ', printf('%99999d', 1))".to_owned(), "too long"),
        (format!("{} i from n", numbers("where i < 5000000")), "more than 100000 rows"),
        (format!("{} group_concat(printf('%1000d', i)) from n", numbers("where i < 100000")), "too long"),
        (format!("{} json_group_array(printf('%1000d', i)) from n", numbers("where i < 100000")), "too long"),
        (format!("{} printf('%10000d', i) from n", numbers("where i < 90000")), "larger than"),
        (format!("{} count(*) from n", numbers("")), "takes too long"),
        (format!("{} count(*) from n a, n b, n c", numbers("where i < 50000")), "takes too long"),
        (
            format!("{} max(x) from (select distinct printf('%100000d', i) as x from n)", numbers("")),
            "at once",
        ),
        (
            format!("{} printf('%100000d', i) as x from n order by x desc", numbers("where i < 99999")),
            "at once",
        ),
        (format!("select '{}'", "x".repeat(20_000)), "too long"),
        ("select instr(printf('%200000d', 1), printf('%100000d', 1) || 'x') from call".to_owned(), ""),
        (
            format!("select '{}' like '{}'", "a".repeat(5000), "%a".repeat(1000)),
            "LIKE or GLOB pattern too complex",
        ),
    ];
    for (sql, words) in rows {
        let answer = soon(&sql[..sql.len().min(200)], || sim.query_journal(&sql));
        match answer {
            Ok(_) => assert!(words.is_empty(), "{sql} is answered"),
            Err(error) => assert!(error.message.contains(words) && !words.is_empty(), "{sql}: {error}"),
        }
    }
    let kept = sim.query_journal("select operation, printf('%5.1f', status) as status from call order by 1");
    assert_eq!(kept.expect("a good query")[0]["status"], "200.0");
    let text = "select instr(target, '/org') as at, replace(target, 'v1', 'v2') as other from call";
    let text = sim.query_journal(text).expect("a good query");
    assert_eq!((&text[0]["at"], &text[0]["other"]), (&json!(4), &json!("/v2/organizations")));
}

#[test]
fn a_journal_query_ends_when_its_caller_says_so() {
    let sim = scenario::four_roles();
    let endless = "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
    let error = sim.query_journal_while(endless, || false).expect_err("it is cut short");
    assert!(error.message.contains("takes too long"), "{error}");
}

/// Such a world that its limits are not met by other limits.
fn roomy() -> Policy {
    Policy { rate_limit: RateLimit::off(), ..Policy::default() }
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
fn the_texts_of_control_calls_are_bounded_one_by_one_and_together() {
    const LONGEST: usize = 4 << 20;
    let text = |length: usize| "x".repeat(length);
    both(
        || scenario::active_project_under(Policy { max_body_bytes: 8 << 20, ..roomy() }),
        |api| {
            let document =
                |n: usize, text: String| json!({ "url": format!("http://x.test/{n}"), "text": text });
            let long = api.put("/_sim/documents", document(0, text(LONGEST + 1)));
            assert_eq!((long.status, long.reason()), (400, "invalid_body.text"), "{long}");
            let long = api.put("/_sim/dns/x.test", json!({ "txt": [text(4097)] }));
            assert_eq!((long.status, long.reason()), (400, "invalid_body.txt.0"), "{long}");
            let many = api.put("/_sim/dns/x.test", json!({ "txt": vec!["x"; 101] }));
            assert_eq!((many.status, many.reason()), (400, "invalid_body.txt"), "{many}");
            let vault = "/_sim/projects/{ref}/vault/a";
            let long = api.put(vault, json!({ "value": text(LONGEST + 1) }));
            assert_eq!((long.status, long.reason()), (400, "invalid_body.value"), "{long}");
            for n in 0..15 {
                assert_eq!(api.put("/_sim/documents", document(n, text(LONGEST))).status, 200, "{n}");
            }
            for (path, body) in [
                ("/_sim/documents", document(15, text(LONGEST))),
                (vault, json!({ "value": text(LONGEST) })),
                ("/_sim/projects/{ref}/branch-seed", json!({ "sql": text(LONGEST) })),
            ] {
                let full = api.put(path, body);
                assert_eq!((full.status, full.reason()), (413, "world_keeps_too_much"), "{path}: {full}");
                assert!(full.to_string().contains("a world keeps at most 67108864"), "{full}");
            }
            for (path, body) in [
                ("notebooks", notebook(&text(LONGEST))),
                ("webhooks/endpoints", endpoint(&text(LONGEST))),
                ("analytics/log-drains", drain(&text(LONGEST))),
            ] {
                let full = api.post(&format!("/v2/projects/{{ref}}/{path}"), body);
                assert_eq!((full.status, full.reason()), (413, "world_keeps_too_much"), "{path}: {full}");
            }
            assert_eq!(api.put("/_sim/documents", document(14, "short".to_owned())).status, 200);
            assert_eq!(api.put(vault, json!({ "value": text(LONGEST / 2) })).status, 200);
        },
    );
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
fn a_difference_shows_long_texts_by_length_and_digest() {
    let scene = scenario::active_project_under(Policy { max_body_bytes: 8 << 20, ..roomy() });
    let mut api = InProcess::new(scene);
    let before = api::peek(&mut api, |sim| sim.fork());
    let document = json!({ "url": "http://x.test/", "text": "x".repeat(1 << 20) });
    assert_eq!(api.put("/_sim/documents", document).status, 200);
    let rows = api::peek(&mut api, |sim| before.diff(sim).rows);
    let row = rows.iter().find(|row| row.table == "document").expect("it is new");
    let shown = row.after.as_ref().expect("it is there")["text"].as_str().expect("a text").to_owned();
    assert!(shown.starts_with("1048576 bytes, SHA-256 "), "{}", &shown[..40]);
}

/// A request body with this many bytes for an operation that stores its input.
fn secret_of(bytes: usize) -> Value {
    json!([{ "name": "A", "value": "v".repeat(bytes) }])
}

#[test]
fn long_bodies_are_kept_as_length_and_digest_and_replay_says_so() {
    let policy = || Policy { journal_request_bytes: 1000, journal_answer_bytes: 500, ..roomy() };
    both(
        || scenario::active_project_under(policy()),
        |api| {
            api.post("/v1/projects/{ref}/secrets", secret_of(100));
            let long = api.post("/v1/projects/{ref}/secrets", secret_of(2000));
            assert_eq!(long.status, 201, "{long}");
            let number: u64 = long.header("x-sim-call").parse().expect("a number");
            let answered = api.get("/v1/projects/{ref}/config/auth");
            api::peek(api, |sim| {
                let call = sim.explain(number).expect("it is there").call;
                let cut = call.request_cut.expect("it is long");
                let bytes = secret_of(2000).to_string().len() as u64;
                assert_eq!((cut.bytes, cut.sha256.len()), (bytes, 64));
                assert!(call.request.expect("a word about it").contains("which the journal does not keep"));
                let answer = sim.journal().pop().expect("a call");
                let cut = answer.response_cut.expect("it is long");
                assert_eq!(cut.bytes, answered.body.len() as u64);
                let rows = sim.query_journal("select count(*) as n from call where response_cut is not null");
                assert_eq!(rows.expect("a good query")[0]["n"], 1);
                let file = sim.replay_file().expect("no call was dropped");
                assert_eq!(file.cut_calls(), [number]);
                let error = file.run(sim.registry()).map(|sim| sim.calls()).expect_err("it can't be sent");
                assert!(
                    error.to_string().starts_with(&format!("call {number} can't be made again")),
                    "{error}"
                );
                let without = file.rerun_on(sim.registry(), None).expect("a world");
                assert_eq!(without.calls() + 1, sim.calls());
            });
        },
    );
}

#[test]
fn the_chain_of_calls_is_the_same_whether_bodies_are_kept_or_not() {
    let hash = |policy: Policy| {
        let mut api = InProcess::new(scenario::active_project_under(policy));
        api.post("/v1/projects/{ref}/secrets", secret_of(2000));
        for _ in 0..3 {
            api.get("/v1/projects/{ref}/config/auth");
        }
        api::peek(&mut api, |sim| sim.journal_hash())
    };
    let cut = Policy { journal_request_bytes: 10, journal_answer_bytes: 10, journal_bytes: 1, ..roomy() };
    assert_eq!(hash(cut), hash(roomy()));
}

#[test]
fn the_journal_is_bounded_in_bytes() {
    let policy = Policy { journal_bytes: 1_000_000, max_body_bytes: 8 << 20, ..roomy() };
    both(
        || scenario::active_project_under(policy.clone()),
        |api| {
            // Nobody needs a token to send this.
            for _ in 0..20 {
                api.send(Call::post("/v1/projects/{ref}/secrets").json(secret_of(5_000_000)).nobody());
            }
            let (kept, dropped) = api::peek(api, |sim| (sim.journal(), sim.dropped().calls));
            assert_eq!(dropped, 0);
            let cut = kept.last().and_then(|call| call.request_cut.as_ref()).map(|cut| cut.bytes);
            assert_eq!(cut, Some(secret_of(5_000_000).to_string().len() as u64));
            for _ in 0..30 {
                api.post("/v1/projects/{ref}/secrets", secret_of(100_000));
            }
            api::peek(api, |sim| {
                assert!((5..15).contains(&sim.journal().len()), "{}", sim.journal().len());
                assert_eq!(sim.dropped().calls + sim.journal().len() as u64, sim.calls());
                assert!(sim.replay_file().is_none());
                let (fork, told) = (sim.fork(), sim.coverage());
                assert_eq!((fork.journal(), fork.coverage()), (sim.journal(), told));
                let whole = sim.export().expect("a world").build().expect("the same world");
                assert_eq!((whole.journal(), whole.journal_hash()), (sim.journal(), sim.journal_hash()));
            });
        },
    );
}

#[test]
fn no_reader_of_the_journal_shows_a_token() {
    let sim = Simulator::builder().with_self_log().build();
    let (first, given) = (sim.token().to_owned(), "a-token-that-was-given");
    let user = json!({ "token": given });
    let mut api = InProcess::new(sim);
    let made = api.send(Call::post("/_sim/users/owner/tokens").json(user));
    assert_eq!(made.status, 201, "{made}");
    let web = "eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.c2lnbmF0dXJlLWhlcmU";
    for token in [&*first, given, web] {
        let encoded = token.replace('-', "%2D");
        for target in [
            format!("/v1/projects?api_key={token}"),
            format!("/v1/projects?access_token={token}&x=1"),
            format!("/v1/organizations?anything={encoded}"),
            format!("/v1/projects/{token}"),
            format!("/v1/{token}/x"),
        ] {
            api.get(&target);
        }
        let late = json!({ "on": { "path": "/v1/snippets*" }, "effect": { "kind": "late", "ms": 1000 } });
        assert_eq!(api.post("/_sim/faults", late).status, 201);
        api.get(&format!("/v1/snippets?token={token}"));
        let body = json!({ "name": token, "organization_id": token, "region": token, "db_pass": "p" });
        api.post("/v1/projects", body);
    }
    api.advance(Duration::from_secs(2));
    api::peek(&mut api, |sim| {
        let events = "select event_message, metadata from `gateway.logs.prod`";
        let events =
            sim.call(sim_core::analytics::query::RunQuery::sql(events)).expect("a good query").result;
        let halves = [Some(&*sim), sim.beside()].into_iter().flatten();
        for half in halves {
            let filter = sim_core::engine::Filter::default();
            let shown = [
                ("journal", json!(half.journal())),
                ("search", json!(half.search_journal(&filter, 0, 1000))),
                ("explain", json!((1..=half.calls()).map(|call| half.explain(call)).collect::<Vec<_>>())),
                ("query", json!(half.query_journal("select * from call").expect("a good query"))),
                ("events", json!(half.query_journal("select * from event, due").expect("a good query"))),
                ("history", json!(half.history(None))),
                ("agenda", json!(half.agenda())),
                ("coverage", json!(half.coverage())),
                ("own log", json!(events)),
            ];
            for (reader, text) in shown {
                let text = text.to_string();
                for token in [&*first, given, web] {
                    // The text of a token that was given is known as a digest, which is looked up in paths only.
                    let is_body = token == given && ["journal", "explain", "query"].contains(&reader);
                    let found = text.find(token).or_else(|| text.find(&token.replace('-', "%2D")));
                    assert!(
                        found.is_none() || is_body,
                        "{reader} shows {token}: {}",
                        &text[found.unwrap_or(0)..][..100]
                    );
                }
            }
        }
        let file = sim.replay_file().expect("no call was dropped");
        assert!(serde_json::to_string(&file).expect("plain data").contains(web), "a replay sends it again");
    });
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
