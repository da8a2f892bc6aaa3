//! The languages of queries: the warehouse's dialect, PostgreSQL's, and the search language.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_fixtures::{Api, Reply};

use super::queries::requests;
use crate::support::on_every_backend;

/// Creates an endpoint of that language; returns the response.
fn made(api: &mut dyn Api, name: &str, language: &str, query: &str) -> Reply {
    let body = json!({ "name": name, "language": language, "query": query, "cache_duration_seconds": 0 });
    api.post("/api/endpoints", body)
}

fn run(api: &mut dyn Api, name: &str, parameters: &[(&str, &str)]) -> Reply {
    let pairs = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    api.get(&format!("/api/endpoints/query/{name}?{pairs}"))
}

fn pg_sql(api: &mut dyn Api, text: &str) -> Reply {
    let pairs = form_urlencoded::Serializer::new(String::new()).append_pair("pg_sql", text).finish();
    api.get(&format!("/api/query?{pairs}"))
}

#[test]
fn an_endpoint_in_the_dialect_of_postgres_answers_the_same_on_every_backend() {
    on_every_backend(requests, |api| {
        let query = "select id, body #>> '{metadata,request,path}' as path from gateway
                     where (body #>> '{metadata,response,status_code}')::int >= @least::int order by timestamp";
        let reply = made(api, "failed", "pg_sql", query);
        assert_eq!((reply.status, &reply.json()["language"]), (201, &json!("pg_sql")), "{reply}");
        assert!(reply.json()["source_mapping"]["gateway"].is_string());
        assert_snapshot!(run(api, "failed", &[("least", "500")]), @r#"200 {"result":[{"id":"e2","path":"/a"}]}"#);
        assert_snapshot!(run(api, "failed", &[("least", "many")]).reason(), @"query_failed");
    });
}

#[test]
fn a_query_in_the_dialect_of_postgres_needs_no_endpoint() {
    on_every_backend(requests, |api| {
        assert_snapshot!(pg_sql(api, "select count(*) filter (where event_message ~ 'a$') as n from gateway"), @r#"200 {"result":[{"n":2}]}"#);
        assert_snapshot!(pg_sql(api, "select usename from pg_user"), @r#"400 {"error":"can't find source pg_user"}"#);
        assert_snapshot!(pg_sql(api, "select version()"), @r#"400 {"error":"Restricted function version"}"#);
        assert_snapshot!(pg_sql(api, "delete from gateway"), @r#"400 {"error":"Only SELECT queries allowed"}"#);
        let parsed = api.get("/api/query/parse?pg_sql=select+1+where+%40a+%3D+%40b");
        assert_snapshot!(parsed, @r#"200 {"result":{"parameters":["a","b"]}}"#);
    });
}

#[test]
fn an_endpoint_can_be_a_search() {
    on_every_backend(requests, |api| {
        let search = "f:gateway s:id s:m.response.status_code@status m.response.status_code:>=200 -b";
        assert_eq!(made(api, "found", "lql", search).status, 201);
        assert_snapshot!(run(api, "found", &[]), @r#"200 {"result":[{"id":"e2","status":500},{"id":"e0","status":200}]}"#);
        let chart = "f:gateway GET c:count(*) c:group_by(t::minute)";
        assert_eq!(made(api, "chart", "lql", chart).status, 201);
        assert_snapshot!(run(api, "chart", &[]), @r#"200 {"result":[{"timestamp":1767225600000000,"count":3}]}"#);
    });
}

#[test]
fn a_search_charts_percentiles_by_any_bucket() {
    on_every_backend(requests, |api| {
        for (chart, value) in [("p50", 200.0), ("p95", 500.0), ("p99", 500.0)] {
            for bucket in ["s", "second", "m", "h", "d", "day"] {
                let query = format!("f:gateway c:{chart}(m.response.status_code) c:group_by(t::{bucket})");
                let made = made(api, "chart", "lql", &query);
                assert_eq!(made.status, 201, "{query}: {made}");
                let token = made.json()["token"].as_str().expect("a token").to_owned();
                let rows = run(api, &token, &[]).json()["result"].clone();
                if matches!(bucket, "h" | "d" | "day") {
                    assert_eq!(rows[0]["value"].as_f64(), Some(value), "{query}: {rows}");
                }
            }
        }
    });
}

#[test]
fn a_wildcard_is_refused_before_a_table_that_is_not_there() {
    on_every_backend(requests, |api| {
        for sql in ["select * from nowhere", "select t.* from nowhere as t", "select id, * from nowhere"] {
            for reply in [super::queries::sql(api, sql), pg_sql(api, sql)] {
                let expected = r#"400 {"error":"restricted wildcard (*) in a result column"}"#;
                assert_eq!(reply.to_string(), expected, "{sql}");
            }
        }
    });
}

#[test]
fn filters_of_every_kind_find_the_same_as_rules() {
    on_every_backend(requests, |api| {
        for (filter, expected) in [
            ("GET", 3),
            ("-GET", 0),
            ("m.request.path:/a", 2),
            ("-m.request.path:/a", 1),
            ("m.response.status_code:200..300", 2),
            ("m.response.status_code:<500", 2),
            ("m.request.path:~^/b$", 1),
            ("~\"GET /[ab]\"", 3),
            ("m.none:NULL", 3),
            ("m.none:1", 0),
            ("-m.none:1", 3),
            ("project:default t:>2026-01-01T00:00:00Z", 2),
            ("m.request.path:\"it's\"", 0),
            ("t:today", 3),
            ("t:yesterday", 0),
            ("t:last@2days", 1),
            ("t:this@month", 1),
            ("t:2026-01-{01..02}", 3),
            ("t:2025-12-{30..31}", 0),
            ("t:1767225600..1767225601", 2),
            ("t:<=1767225600000000", 1),
            ("-t:>=2026-01-01T00:00:01", 1),
        ] {
            let made = made(api, filter, "lql", &format!("f:gateway c:count(*) {filter}"));
            assert_eq!(made.status, 201, "{filter}: {made}");
            let token = made.json()["token"].as_str().expect("a token").to_owned();
            let found = run(api, &token, &[]).json();
            let rows = match expected {
                0 => json!([]),
                count => json!([{ "timestamp": 1_767_225_600_000_000_i64, "count": count }]),
            };
            assert_eq!(found, json!({ "result": rows }), "{filter}");
        }
    });
}

#[test]
fn callers_search_the_tables_of_a_sandboxed_endpoint() {
    on_every_backend(requests, |api| {
        let query = "with logs as (select t.id, t.timestamp, t.event_message, t.metadata from gateway as t) select id from logs";
        let body =
            json!({ "name": "logs", "query": query, "sandboxable": true, "cache_duration_seconds": 0 });
        assert_eq!(api.post("/api/endpoints", body).status, 201);
        let search = [("lql", "m.response.status_code:500 s:id")];
        assert_snapshot!(run(api, "logs", &search), @r#"200 {"result":[{"id":"e2"}]}"#);
        let other = [("lql", "f:gateway s:id")];
        assert_snapshot!(run(api, "logs", &other), @r#"200 {"error":"Table not found in CTE: (gateway)"}"#);
        let wrong = [("lql", "m.x:")];
        assert_snapshot!(run(api, "logs", &wrong), @r#"200 {"error":"lql parser error: a value is missing (at character 1: m.x:)"}"#);
    });
}

#[test]
fn levels_are_searched_in_order_of_severity() {
    on_every_backend(requests, |api| {
        let levels = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
        let events: Vec<_> = levels.iter().map(|level| json!({ "metadata": { "level": level } })).collect();
        let source = api.post("/api/sources", json!({ "name": "levels" })).json();
        let token = source["token"].as_str().expect("a token").to_owned();
        assert_eq!(api.post(&format!("/api/logs?source={token}"), json!(events)).status, 200);
        for (filter, expected) in
            [("m.level:info..error", 4), ("metadata.level:warning..critical", 3), ("m.level:>error", 3)]
        {
            let made = made(api, filter, "lql", &format!("f:levels c:count(*) {filter}")).json();
            let found = run(api, made["token"].as_str().expect("a token"), &[]).json();
            assert_eq!(found["result"][0]["count"], expected, "{filter}");
        }
    });
}

#[test]
fn a_search_of_a_table_without_timestamps_is_not_sorted() {
    on_every_backend(requests, |api| {
        let query = "with totals as (select t.project, count(*) as n from gateway as t group by t.project) select n from totals";
        let body =
            json!({ "name": "totals", "query": query, "sandboxable": true, "cache_duration_seconds": 0 });
        assert_eq!(api.post("/api/endpoints", body).status, 201);
        assert_snapshot!(run(api, "totals", &[("lql", "s:n")]), @r#"200 {"result":[{"n":3}]}"#);
        assert_snapshot!(run(api, "totals", &[("lql", "s:none")]), @r#"200 {"error":"Field \"t.none\" does not exist."}"#);
    });
}

#[test]
fn queries_in_another_language_are_refused_with_the_reason() {
    on_every_backend(requests, |api| {
        let rows = [
            ("lql", "m.x:1", "f: the source to search is missing"),
            ("lql", "f:nowhere", "can't find source nowhere"),
            ("lql", "f:gateway t:soon", "a time is an instant"),
            ("lql", "f:gateway m.a:>>1", "begins with a second operator"),
            ("lql", "f:gateway s:m.a@", "a name is missing after @"),
            ("pg_sql", "select body -> 'a' from gateway where", ""),
            ("pg_sql", "select project from gateway", "Field \"project\" does not exist."),
            ("wh_sql", "select body ->> 'a' as a from gateway", ""),
        ];
        for (language, query, expected) in rows {
            let reply = made(api, "x", language, query);
            let said = reply.json()["errors"]["query"][0].as_str().unwrap_or_default().to_owned();
            assert!(reply.status == 422 && said.contains(expected), "{query}: {reply}");
        }
        let reply = made(api, "x", "sql", "select 1 as one");
        assert_eq!(reply.json(), json!({ "errors": { "language": ["is invalid"] } }));
        assert_eq!(api.get("/api/endpoints").json(), json!([]));
    });
}

#[test]
fn a_query_is_looked_at_again_in_its_new_language() {
    on_every_backend(requests, |api| {
        let token = made(api, "x", "wh_sql", "select project from gateway").json()["token"].clone();
        let path = format!("/api/endpoints/{}", token.as_str().expect("a token"));
        assert_eq!(api.patch(&path, json!({ "language": "pg_sql" })).status, 422);
        assert_eq!(api.get(&path).json()["language"], "wh_sql");
        let both = json!({ "language": "pg_sql", "query": "select id from gateway" });
        assert_eq!(api.patch(&path, both).json()["language"], Value::from("pg_sql"));
    });
}

#[test]
fn an_endpoint_is_a_table_to_those_of_its_dialect() {
    on_every_backend(requests, |api| {
        made(api, "counted", "pg_sql", "select count(*) as n from gateway");
        assert_snapshot!(pg_sql(api, "select n from counted"), @r#"200 {"result":[{"n":3}]}"#);
        assert_snapshot!(super::queries::sql(api, "select n from counted"), @r#"400 {"error":"can't find source counted"}"#);
    });
}

#[test]
fn of_columns_with_one_name_the_last_is_kept_and_the_others_are_named() {
    on_every_backend(requests, |api| {
        let reply = pg_sql(api, "select 1 + 1, 2 + 2, round(1.5)");
        assert_snapshot!(reply, @r#"200 {"result":[{"?column?":4,"round":2.0}]}"#);
        assert_eq!(reply.header("x-sim-ignored"), "columns.0.?column?");
        let reply = api.get("/api/query?sql=select+1+as+a,+2+as+a");
        assert_snapshot!(reply, @r#"400 {"error":"Duplicate column names in the result: a"}"#);
    });
}

#[test]
fn parameters_of_an_endpoint_are_null_where_the_body_says_so_and_the_query_counts_before_it() {
    on_every_backend(requests, |api| {
        assert_eq!(made(api, "given", "wh_sql", "select @a as a, @b as b").status, 201);
        let reply = api.post("/api/endpoints/query/given?a=1", json!({ "a": 2, "b": null }));
        assert_snapshot!(reply, @r#"200 {"result":[{"a":"1","b":null}]}"#);
        assert_eq!(reply.header("x-sim-ignored"), "body.a");
    });
}
