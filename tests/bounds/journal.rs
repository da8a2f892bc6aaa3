//! Bounds of the journal, of its texts and of queries of it.

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::management::organization::ListOrganizations;
use sim_core::{Policy, RateLimit, Simulator};
use sim_fixtures::{Api, Call, InProcess, api, scenario};

use super::{drain, endpoint, notebook, soon};
use crate::support::both;

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
pub(super) fn roomy() -> Policy {
    Policy { rate_limit: RateLimit::off(), ..Policy::default() }
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
