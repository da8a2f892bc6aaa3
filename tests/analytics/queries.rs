//! `/api/query`, `/api/endpoints/query/{token_or_name}`: queries of events.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::analytics::endpoint::CreateEndpoint;
use sim_core::analytics::ingest::Ingest;
use sim_core::{Policy, Simulator};
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call, Reply};

use super::access::token;
use crate::support::{both, on_every_backend, seconds};

/// The source `gateway` has three requests, a second apart; the last one failed.
pub(super) fn requests() -> Simulator {
    requests_under(Policy::default())
}

pub(super) fn requests_under(policy: Policy) -> Simulator {
    let mut sim = analytics::one_source_under(policy);
    let event = |second: i64, path: &str, status: u16| {
        json!({
            "id": format!("e{second}"), "timestamp": 1_767_225_600 + second, "message": format!("GET {path}"),
            "project": "default",
            "metadata": { "request": { "path": path }, "response": { "status_code": status } },
        })
    };
    let events = json!([event(0, "/a", 200), event(1, "/b", 200), event(2, "/a", 500)]);
    sim.call(Ingest::json(GATEWAY, &events)).expect("good events");
    sim
}

const ENDPOINT: &str = "33333333-3333-4333-8333-333333333333";
const ALL: &str = "with requests as (
    select t.id, t.timestamp, t.event_message, r.path, s.status_code
    from gateway as t
    cross join unnest(t.metadata) as m
    cross join unnest(m.request) as r
    cross join unnest(m.response) as s
    where case when coalesce(@project, '') = '' then true else t.project = @project end
), failed as (select id from requests where status_code >= 500)
select id, status_code from requests order by timestamp";

/// An endpoint `requests` over them, created with `settings`.
fn endpoint(api: &mut dyn Api, settings: &Value) {
    let mut body =
        json!({ "name": "requests", "query": ALL, "token": ENDPOINT, "cache_duration_seconds": 0 });
    body.as_object_mut().expect("an object").extend(settings.as_object().expect("an object").clone());
    let reply = api.post("/api/endpoints", body);
    assert_eq!(reply.status, 201, "{reply}");
}

fn path(parameters: &[(&str, &str)]) -> String {
    let pairs = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    format!("/api/endpoints/query/{ENDPOINT}?{pairs}")
}

fn ask(api: &mut dyn Api, parameters: &[(&str, &str)]) -> Reply {
    api.get(&path(parameters))
}

pub(super) fn sql(api: &mut dyn Api, text: &str) -> Reply {
    let pairs = form_urlencoded::Serializer::new(String::new()).append_pair("sql", text).finish();
    api.get(&format!("/api/query?{pairs}"))
}

#[test]
fn what_no_number_is_is_an_error_that_says_so() {
    both(requests, |api| {
        for (expression, said) in [
            ("1e308 * 10", "Floating point overflow: 1e+308 * 10"),
            ("-1e308 - 1e308", "Floating point overflow: -1e+308 - 1e+308"),
            ("1e308 / 0.1", "Floating point overflow: 1e+308 / 0.1"),
            ("exp(1000)", "Floating point error in function: EXP(1000)"),
            ("pow(10, 400)", "Floating point error in function: POW(10, 400)"),
            ("ieee_divide(0, 0)", "NaN as a value is not supported"),
            ("coalesce(ieee_divide(0, 0), 5)", "NaN as a value is not supported"),
            ("ieee_divide(1, 0) - ieee_divide(1, 0)", "NaN as a value is not supported"),
            ("cast('nan' as float64)", "NaN as a value is not supported"),
            ("safe_cast('NaN' as float64)", "NaN as a value is not supported"),
            ("cast(concat('n', 'an') as float64)", "NaN as a value is not supported"),
        ] {
            let reply = sql(api, &format!("select {expression} as x"));
            assert!(reply.status == 400 && reply.to_string().contains(said), "{expression}: {reply}");
        }
        let reply = sql(api, "select from where");
        assert_eq!(reply.to_string().matches("sql parser error").count(), 1, "{reply}");
    });
}

#[test]
fn the_last_value_of_a_repeated_parameter_counts() {
    both(requests, |api| {
        let reply = api.get("/api/query?wh_sql=select+1+as+n&wh_sql=select+2+as+n");
        assert_eq!(reply.header("x-sim-ignored"), "query.wh_sql");
        assert_eq!(reply.to_string(), r#"200 {"result":[{"n":2}]}"#);
    });
}

#[test]
fn a_query_sees_what_was_stored_by_the_call_before() {
    on_every_backend(requests, |api| {
        assert_snapshot!(sql(api, "select count(*) as n from gateway"), @r#"200 {"result":[{"n":3}]}"#);
        api.post(&format!("/api/logs?source={GATEWAY}"), json!({ "message": "new" }));
        assert_snapshot!(sql(api, "select count(*) as n from gateway"), @r#"200 {"result":[{"n":4}]}"#);
        assert_snapshot!(sql(api, "select timestamp, metadata from gateway where id = 'e0' limit 1"), @r#"200 {"result":[{"timestamp":1767225600000000,"metadata":[{"request":[{"path":"/a"}],"response":[{"status_code":200}]}]}]}"#);
    });
}

#[test]
fn the_older_name_of_the_query_means_the_same() {
    on_every_backend(requests, |api| {
        assert_snapshot!(api.get("/api/query?wh_sql=select+1+as+n"), @r#"200 {"result":[{"n":1}]}"#);
        assert_snapshot!(api.get("/api/query"), @r#"400 {"error":"No query params provided. Supported query params are sql, wh_sql and pg_sql."}"#);
    });
}

#[test]
fn forbidden_queries_are_refused_and_change_nothing() {
    let rows = [
        ("select", "query_syntax"),
        ("delete from gateway", "query_not_select"),
        ("update gateway set id = 'x'", "query_not_select"),
        ("insert into gateway (id) values ('x')", "query_not_select"),
        ("drop table gateway", "query_not_select"),
        ("select id from gateway; select id from gateway", "query_not_singular"),
        ("select * from gateway", "query_wildcard"),
        ("select id from nothing", "query_unknown_source"),
        ("select name from sqlite_schema", "query_unknown_source"),
        ("select tablename from pg_catalog.pg_tables", "query_unknown_source"),
        (
            "select id from `_analytics.log_events_11111111_1111_4111_8111_111111111111`",
            "query_unknown_source",
        ),
        ("select session_user()", "query_restricted_function"),
        ("select load_extension('x')", "query_unsupported"),
        ("select readfile('/etc/passwd')", "query_unsupported"),
    ];
    on_every_backend(requests, |api| {
        for (text, reason) in rows {
            let reply = sql(api, text);
            assert_eq!((reply.status, reply.reason()), (400, reason), "{text}: {reply}");
            let created = api.post("/api/endpoints", json!({ "name": "x", "query": text }));
            assert_eq!(created.json()["errors"]["query"][0], reply.json()["error"], "{text}");
            assert_eq!(created.status, 422, "{text}");
        }
        let outsider = Call::get("/api/query?sql=select+id+from+gateway").token("token-of-outsider");
        assert_snapshot!(api.send(outsider), @r#"400 {"error":"can't find source gateway"}"#);
        assert_snapshot!(sql(api, "select count(*) as n from gateway"), @r#"200 {"result":[{"n":3}]}"#);
        assert_eq!(api.get("/api/endpoints").json(), json!([]));
    });
}

#[test]
fn parameters_are_texts_and_null_where_they_are_missing() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({}));
        assert_snapshot!(ask(api, &[]), @r#"200 {"result":[{"id":"e0","status_code":200},{"id":"e1","status_code":200},{"id":"e2","status_code":500}]}"#);
        assert_snapshot!(ask(api, &[("project", "other"), ("undeclared", "x")]), @r#"200 {"result":[]}"#);
        let rows = ask(api, &[("project", "default")]);
        assert_eq!(rows.json()["result"].as_array().map(Vec::len), Some(3));
        let posted = api.post(&path(&[]), json!({ "project": "other", "number": 7 }));
        assert_snapshot!(posted, @r#"200 {"result":[]}"#);
        let injected = ask(api, &[("project", "' or '1'='1")]);
        assert_snapshot!(injected, @r#"200 {"result":[]}"#);
    });
}

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
        let rows = [
            ("private", true),
            ("query", true),
            ("query:endpoint:1", true),
            ("query:endpoint:2", false),
            ("query:endpoint:2 query:endpoint:1", true),
            ("public", false),
            ("ingest", false),
            ("ingest:source:1", false),
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

#[test]
fn the_names_of_parameters_are_returned() {
    on_every_backend(requests, |api| {
        let parse = |api: &mut dyn Api, text: &str| {
            let pairs = form_urlencoded::Serializer::new(String::new()).append_pair("sql", text).finish();
            api.get(&format!("/api/query/parse?{pairs}"))
        };
        assert_snapshot!(parse(api, "select @b, @a from t where x = @b"), @r#"200 {"result":{"parameters":["b","a"]}}"#);
        assert_eq!(parse(api, "select (").reason(), "query_syntax");
    });
}

#[test]
fn a_query_that_takes_too_long_or_gives_too_much_is_an_error() {
    let scene = || {
        let policy = Policy { sql_steps: 200_000, sql_result_bytes: 10_000, ..Policy::default() };
        requests_under(policy)
    };
    on_every_backend(scene, |api| {
        endpoint(api, &json!({ "sandboxable": true }));
        let joins = (0..10).map(|n| format!("requests as t{n}")).collect::<Vec<_>>().join(" cross join ");
        let joins = format!("{joins} cross join unnest(generate_array(1, 10000)) as n");
        let reply = ask(api, &[("sql", &format!("select count(*) as n from {joins}"))]);
        assert_snapshot!(reply, @r#"200 {"error":"Query timed out. Retry your query or reduce the time range."}"#);
        assert_eq!(reply.reason(), "query_timeout");
        let reply = ask(api, &[("sql", "select repeat('x', 20000) as x from requests")]);
        assert_eq!((reply.status, reply.reason()), (200, "result_too_large"));
        assert_eq!(ask(api, &[]).json()["result"].as_array().map(Vec::len), Some(3), "the next one runs");
    });
}

#[test]
fn a_list_of_too_many_long_values_is_refused() {
    both(
        || requests_under(Policy::default()),
        |api| {
            endpoint(api, &json!({ "sandboxable": true }));
            let list = |count: u32| {
                format!(
                    "select array_length(array_agg(repeat('x', 1000000))) as n from unnest(generate_array(1, {count})) as n"
                )
            };
            assert_eq!(ask(api, &[("sql", &list(10))]).json()["result"], json!([{ "n": 10 }]));
            assert_eq!(ask(api, &[("sql", &list(300))]).reason(), "result_too_large");
        },
    );
}

#[test]
fn a_replacement_ends_where_its_text_gets_too_long() {
    both(
        || requests_under(Policy::default()),
        |api| {
            endpoint(api, &json!({ "sandboxable": true }));
            let replaced = |length: u32, with: u32| {
                format!(
                    "select length(regexp_replace(repeat('a', {length}), r'a', repeat('b', {with}))) as n from requests limit 1"
                )
            };
            assert_eq!(ask(api, &[("sql", &replaced(100, 100))]).json()["result"], json!([{ "n": 10_000 }]));
            let reply = ask(api, &[("sql", &replaced(1_000_000, 10_000))]);
            assert_eq!(reply.json()["error"], "the text would be too long");
            assert_eq!(ask(api, &[("sql", &replaced(1_000_000, 1))]).reason(), "query_timeout");
        },
    );
}

#[test]
fn functions_of_long_texts_and_lists_end_with_the_work_of_a_call() {
    both(
        || requests_under(Policy::default()),
        |api| {
            let long = "repeat('a', 1000000)";
            let other = "concat(repeat('a', 500000), 'b')";
            for (text, expected) in [
                (format!("strpos({long}, {other})"), 0),
                (format!("length(replace({long}, {other}, 'x'))"), 1_000_000),
                (format!("length(rtrim(concat({long}, 'b'), {long}))"), 1_000_001),
                ("array_length(array_reverse(generate_array(1, 1000)))".to_owned(), 1_000),
            ] {
                let reply = sql(api, &format!("select {text} as n"));
                assert_eq!(reply.json()["result"], json!([{ "n": expected }]), "{text}");
            }
            let list = "generate_array(1, 1000000)";
            for text in [
                format!("select array_length(array_concat({})) as n", [list; 20].join(", ")),
                format!(
                    "select sum(length(concat({long}, cast(n as string)))) as n from unnest({list}) as n"
                ),
                format!(
                    "select max(strpos(concat({long}, cast(n as string)), 'b')) as n from unnest({list}) as n"
                ),
            ] {
                let reply = sql(api, &text);
                assert!(matches!(reply.reason(), "query_timeout" | "result_too_large"), "{text}: {reply}");
            }
            let reply = sql(api, "select parse_timestamp(repeat('%Y', 300000), 'x') as n");
            assert_eq!(reply.json()["error"], "a format of more than 1000 bytes is not supported");
            assert_eq!(
                sql(api, "select 1 as n").json(),
                json!({ "result": [{ "n": 1 }] }),
                "the next one runs"
            );
        },
    );
}

#[test]
fn a_policy_says_of_errors_what_the_newest_servers_say() {
    let scene = || {
        let mut policy = Policy::default();
        policy.analytics.clear_query_errors = false;
        requests_under(policy)
    };
    on_every_backend(scene, |api| {
        endpoint(api, &json!({ "sandboxable": true }));
        let reply = ask(api, &[("sql", "select id from gateway")]);
        assert_snapshot!(reply, @r#"200 {"error":"Backend error! Retry your query. Please contact support if this continues."}"#);
        assert_eq!(reply.reason(), "query_outside_sandbox");
    });
}

#[test]
fn parameters_and_queries_without_effect_are_named() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({}));
        let named = |reply: Reply| {
            assert_eq!(reply.status, 200, "{reply}");
            reply.header("x-sim-ignored").to_owned()
        };
        assert_eq!(named(ask(api, &[("project", "default")])), "");
        let more = [("project", "default"), ("projekt", "x"), ("sql", "select 1 as one")];
        assert_eq!(named(ask(api, &more)), "query.projekt,query.sql", "the endpoint allows no other query");
        let body = json!({ "project": "default", "projekt": "x" });
        assert_eq!(named(api.post(&path(&[]), body)), "body.projekt");
        let put = json!({ "sandboxable": true });
        api.patch(&format!("/api/endpoints/{ENDPOINT}"), put);
        let both = [("sql", "select id from failed where id = @id"), ("id", "e2"), ("lql", "m.x:1")];
        assert_eq!(named(ask(api, &both)), "query.lql", "the consumer has a query of its own");
        assert_eq!(named(ask(api, &[("lql", "c:count(*) s:requests")])), "");
        // A query of another endpoint has the same parameters.
        let outer = json!({ "name": "outer", "query": "select id from requests where id <> ''", "cache_duration_seconds": 0 });
        let made = api.post("/api/endpoints", outer).json();
        let outer = format!("/api/endpoints/query/{}?project=none", made["token"].as_str().expect("a token"));
        assert_eq!(named(api.get(&outer)), "");
        for (asked, ignored) in [
            ("pg_sql=select%201%20as%20a&sql=select%201%20as%20a", "query.pg_sql"),
            ("wh_sql=select%201%20as%20a&sql=select%201%20as%20a", "query.wh_sql"),
            ("pg_sql=select%201%20as%20a", ""),
        ] {
            for path in ["/api/query", "/api/query/parse"] {
                assert_eq!(named(api.get(&format!("{path}?{asked}"))), ignored, "{path}?{asked}");
            }
        }
    });
}

#[test]
fn a_parameter_that_nobody_gives_is_refused() {
    on_every_backend(requests, |api| {
        for language in ["sql", "pg_sql"] {
            let reply = api.get(&format!("/api/query?{language}=select+%40least+as+n"));
            assert_eq!((reply.status, reply.reason()), (400, "query_failed"), "{reply}");
            assert_eq!(reply.json()["error"], "Query parameter 'least' not found");
        }
    });
}
