//! Endpoints: addresses, tokens, cached results, and endpoints that others read.

use insta::assert_snapshot;
use serde_json::json;
use sim_core::Policy;
use sim_core::analytics::endpoint::CreateEndpoint;
use sim_core::analytics::ingest::Ingest;
use sim_fixtures::analytics::GATEWAY;
use sim_fixtures::{Api, Call};

use super::{ALL, ENDPOINT, ask, endpoint, path, requests, requests_under, sql};
use crate::analytics::access::token;
use crate::support::{on_every_backend, seconds};

#[test]
fn an_endpoint_has_three_addresses_and_a_name() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({}));
        let answer = ask(api, &[]).to_string();
        for path in ["/api/endpoints/query/", "/endpoints/query/", "/api/endpoints/query/name/"] {
            for name in ["requests", ENDPOINT] {
                assert_eq!(api.get(&format!("{path}{name}")).to_string(), answer, "{path}{name}");
            }
        }
        api.post("/api/endpoints", json!({ "name": "requests", "query": "select 1 as n" }));
        let reply = api.get("/api/endpoints/query/requests");
        assert_snapshot!(reply, @r#"400 {"error":"2 endpoints have the name \"requests\", use a token"}"#);
    });
}

#[test]
fn a_consumer_reads_what_the_endpoint_offers_and_nothing_else() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({ "sandboxable": true }));
        let rows =
            ask(api, &[("sql", "select path, count(*) as n from requests group by path order by n desc")]);
        assert_snapshot!(rows, @r#"200 {"result":[{"path":"/a","n":2},{"path":"/b","n":1}]}"#);
        let own = "with slow as (select id from failed) select id from slow";
        assert_snapshot!(ask(api, &[("sql", own)]), @r#"200 {"result":[{"id":"e2"}]}"#);
        let outside = ask(api, &[("sql", "select id from gateway")]);
        assert_snapshot!(outside, @r#"200 {"error":"Table not found in CTE: (gateway)"}"#);
        assert_eq!(outside.reason(), "query_outside_sandbox");
        let writes = ask(api, &[("sql", "delete from requests")]);
        assert_snapshot!(writes, @r#"200 {"error":"Only SELECT queries allowed"}"#);
        assert_eq!(ask(api, &[("sql", " ")]).json(), ask(api, &[]).json());
        api.patch(&format!("/api/endpoints/{ENDPOINT}"), json!({ "sandboxable": false }));
        assert_eq!(
            ask(api, &[("sql", "select id from failed")]).json(),
            ask(api, &[]).json(),
            "it is ignored"
        );
    });
}

#[test]
fn an_endpoint_gives_no_more_rows_than_its_limit() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({ "sandboxable": true, "max_limit": 2 }));
        assert_snapshot!(ask(api, &[]), @r#"200 {"result":[{"id":"e0","status_code":200},{"id":"e1","status_code":200}]}"#);
        let rows = ask(api, &[("sql", "select id from requests order by id desc limit 1000")]);
        assert_snapshot!(rows, @r#"200 {"result":[{"id":"e2"},{"id":"e1"}]}"#);
    });
}

#[test]
fn who_may_not_run_an_endpoint_learns_nothing_of_it() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({}));
        let by_name = "/api/endpoints/query/requests";
        let rows = [
            (Call::get(&path(&[])).nobody(), "endpoint_forbidden"),
            (Call::get(&path(&[])).token("none"), "endpoint_forbidden"),
            (Call::get(&path(&[])).token("token-of-outsider"), "endpoint_forbidden"),
            (Call::get(by_name).token("token-of-outsider"), "endpoint_unknown"),
            (Call::get(by_name).nobody(), "token_missing"),
            (Call::get("/api/endpoints/query/99999999-9999-4999-8999-999999999999"), "endpoint_unknown"),
        ];
        for (call, reason) in rows {
            let reply = api.send(call.clone());
            assert_eq!(
                (reply.to_string().as_str(), reply.reason()),
                (r#"401 {"error":"Unauthorized"}"#, reason),
                "{call}"
            );
        }
    });
}

#[test]
fn tokens_run_what_their_scopes_cover() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({}));
        api.post("/api/endpoints", json!({ "name": "another", "query": "select 1 as a" }));
        let rows = [
            ("private", true),
            ("query", true),
            ("query:endpoint:1", true),
            ("query:endpoint:2", false),
            ("query:endpoint:2 query:endpoint:1", true),
            ("public", false),
            ("ingest", false),
        ];
        for (scopes, may) in rows {
            let token = token(api, scopes);
            let reply = api.send(Call::get(&path(&[])).token(&token));
            assert_eq!(reply.status == 200, may, "{scopes}");
        }
        let key = api.get("/api/account").json()["api_key"].as_str().expect("a key").to_owned();
        assert_eq!(api.send(Call::get(&path(&[])).nobody().header("x-api-key", &key)).status, 200);
    });
}

#[test]
fn an_open_endpoint_needs_no_token_when_named_by_its_uuid() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({ "enable_auth": false }));
        assert_eq!(api.send(Call::get(&path(&[])).nobody()).status, 200);
        assert_eq!(api.send(Call::get(&path(&[])).token("none")).status, 200, "a bad token does not count");
        assert_eq!(api.send(Call::get("/api/endpoints/query/requests").nobody()).status, 401);
    });
}

#[test]
fn a_result_is_cached_refreshed_and_dropped_by_the_clock() {
    on_every_backend(requests, |api| {
        endpoint(
            api,
            &json!({ "sandboxable": true, "cache_duration_seconds": 100, "proactive_requerying_seconds": 40 }),
        );
        let count = ("sql", "select count(*) as n from requests");
        let answer = |api: &mut dyn Api| {
            let reply = ask(api, &[count]);
            format!("{} {}", reply.header("x-sim-cache"), reply.json()["result"][0]["n"])
        };
        let event =
            json!([{ "metadata": { "request": { "path": "/c" }, "response": { "status_code": 200 } } }]);
        let more = |api: &mut dyn Api| {
            assert_eq!(api.post(&format!("/api/logs?source={GATEWAY}"), event.clone()).status, 200);
        };
        assert_eq!(answer(api), "miss 3");
        more(api);
        assert_eq!(answer(api), "hit 3");
        assert_eq!(ask(api, &[]).header("x-sim-cache"), "miss", "other parameters, another result");
        api.advance(seconds(40));
        assert_eq!(answer(api), "hit 4");
        more(api);
        api.advance(seconds(39));
        assert_eq!(answer(api), "hit 4");
        api.advance(seconds(1));
        assert_eq!(answer(api), "hit 5");
        let kept = api.get(&format!("/_sim/endpoints/{ENDPOINT}/cache")).json();
        assert_snapshot!(kept[0], @r#"{"parameters":{"sql":"select count(*) as n from requests"},"made_at":"2026-01-01T00:00:00Z","refreshed_at":"2026-01-01T00:01:20Z","expires_at":"2026-01-01T00:01:40Z","hits":4,"rows":1}"#);
        api.advance(seconds(20));
        assert_eq!(api.get(&format!("/_sim/endpoints/{ENDPOINT}/cache")).json(), json!([]));
        assert_eq!(answer(api), "miss 5");
        api.patch(&format!("/api/endpoints/{ENDPOINT}"), json!({ "max_limit": 10 }));
        assert_eq!(answer(api), "miss 5", "a change drops the cached result");
        api.patch(&format!("/api/endpoints/{ENDPOINT}"), json!({ "cache_duration_seconds": 0 }));
        assert_eq!(answer(api), "bypass 5");
    });
}

#[test]
fn failures_are_not_cached() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({ "sandboxable": true, "cache_duration_seconds": 100 }));
        ask(api, &[("sql", "select id from nothing")]);
        assert_eq!(api.get(&format!("/_sim/endpoints/{ENDPOINT}/cache")).json(), json!([]));
    });
}

#[test]
fn results_are_refreshed_at_every_pace() {
    let mut sim = requests_under(Policy { pace: sim_core::Pace::Instant, ..Policy::default() });
    let new = CreateEndpoint::named("requests", "select count(*) as n from gateway");
    let token = sim.call(new).expect("a good query").token;
    let run = sim_core::analytics::endpoint_query::RunEndpoint::with(&token, &[]);
    let result = sim.call(run).expect("it runs");
    assert_eq!(result.result.expect("rows")[0]["n"], 3);
    sim.call(Ingest::json(GATEWAY, &json!({}))).expect("a good event");
    assert_eq!(sim.agenda().iter().filter(|due| due.kind == "cached_result").count(), 1);
}

#[test]
fn an_endpoint_is_a_table_of_other_queries() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({}));
        let query = "select count(*) as n from requests where status_code = 200";
        assert_snapshot!(sql(api, query), @r#"200 {"result":[{"n":2}]}"#);
        let outer = api
            .post("/api/endpoints", json!({ "name": "good", "query": query, "cache_duration_seconds": 0 }))
            .json();
        assert_eq!(outer["source_mapping"], json!({ "gateway": GATEWAY }));
        assert_snapshot!(api.get("/api/endpoints/query/good?project=other"), @r#"200 {"result":[{"n":0}]}"#);
    });
}

#[test]
fn endpoints_that_read_each_other_are_refused() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({}));
        assert_eq!(
            api.post("/api/endpoints", json!({ "name": "b", "query": "select id from requests" })).status,
            201
        );
        let circle = json!({ "query": "select id from b" });
        let reply = api.patch(&format!("/api/endpoints/{ENDPOINT}"), circle);
        assert_eq!(reply.status, 422, "{reply}");
    });
}

#[test]
fn an_endpoint_follows_a_source_that_gets_another_name() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({}));
        let before = ask(api, &[]).json();
        api.patch(&format!("/api/sources/{GATEWAY}"), json!({ "name": "renamed" }));
        assert_eq!(ask(api, &[]).json(), before);
        api.post("/api/sources", json!({ "name": "gateway" }));
        assert_eq!(ask(api, &[]).json(), before, "a new source with the old name is a different source");
        let saved = api.patch(&format!("/api/endpoints/{ENDPOINT}"), json!({ "query": ALL })).json();
        assert_eq!(saved["source_mapping"], json!({ "gateway": GATEWAY }));
        api.delete(&format!("/api/sources/{GATEWAY}"));
        assert_snapshot!(ask(api, &[]), @r#"200 {"result":[]}"#);
    });
}
