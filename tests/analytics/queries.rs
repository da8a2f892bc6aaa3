//! `/api/query`, `/api/endpoints/query/{token_or_name}`: queries of events.

mod endpoints;
mod limits;

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::analytics::ingest::Ingest;
use sim_core::{Policy, Simulator};
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call, Reply};

use crate::support::{both, on_every_backend};

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
fn no_refusal_shows_the_translated_statement() {
    on_every_backend(requests, |api| {
        let list = |value: &str, count: usize| vec![value; count].join(",");
        let reply = sql(api, &format!("select array_length([{}]) as n", list("1", 2500)));
        assert_eq!(reply.json()["result"], json!([{ "n": 2500 }]), "{reply}");
        for query in [
            format!("select coalesce({}) as x from gateway as t", list("t.id", 1100)),
            format!("select {} from gateway as t", list("t.id", 2500)),
            format!("select greatest({}) as x", list("1", 1100)),
            format!("select 1 as x from gateway as t order by {}", list("t.id", 2500)),
        ] {
            let reply = sql(api, &query);
            let said = reply.to_string();
            assert!(
                reply.status < 500 && said.len() < 400 && !said.contains("SELECT"),
                "{query:.60}: {said:.600}"
            );
        }
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
fn the_body_of_a_get_counts_where_callers_may_have_queries_of_their_own() {
    on_every_backend(requests, |api| {
        endpoint(api, &json!({}));
        let mut with = |parameters: &[(&str, &str)], body: Value| {
            let reply = api.send(Call::get(&path(parameters)).json(body));
            (reply.status, reply.json(), reply.header("x-sim-ignored").to_owned())
        };
        let all = json!({ "result": [
            { "id": "e0", "status_code": 200 }, { "id": "e1", "status_code": 200 }, { "id": "e2", "status_code": 500 },
        ] });
        let count = json!({ "sql": "select count(*) as n from failed" });
        assert_eq!(with(&[], count.clone()), (200, all.clone(), "body".to_owned()), "no query of its own");
        assert_eq!(with(&[], json!([1])), (200, all.clone(), "body".to_owned()), "no object");
        api.patch(&format!("/api/endpoints/{ENDPOINT}"), json!({ "sandboxable": true }));
        let mut with = |parameters: &[(&str, &str)], body: Value| {
            let reply = api.send(Call::get(&path(parameters)).json(body));
            (reply.status, reply.json(), reply.header("x-sim-ignored").to_owned())
        };
        let none = String::new();
        assert_eq!(with(&[], count.clone()), (200, json!({ "result": [{ "n": 1 }] }), none.clone()));
        let asked = [("sql", "select count(*) as m from requests")];
        assert_eq!(with(&asked, count), (200, json!({ "result": [{ "m": 3 }] }), "body".to_owned()));
        let one = json!({ "sql": "select id from requests where id = @id", "id": "e1", "other": 1 });
        let found = json!({ "result": [{ "id": "e1" }] });
        assert_eq!(with(&[], one.clone()), (200, found, "body.other".to_owned()));
        let in_url = json!({ "result": [{ "id": "e2" }] });
        assert_eq!(with(&[("id", "e2")], one), (200, in_url, "body.other".to_owned()), "the URL comes first");
        // An ad-hoc query is in the URL only.
        let reply = api.send(Call::get("/api/query").json(json!({ "sql": "select 1 as n" })));
        assert_eq!((reply.status, reply.reason()), (400, "query_missing"), "{reply}");
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
