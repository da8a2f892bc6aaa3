//! A server for one tenant: its initial content, and the studio's requests to it.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::analytics::platform;
use sim_core::engine::SingleTenant;
use sim_core::{Policy, Simulator};
use sim_fixtures::{Api, Call};

use crate::support::{on_every_backend, seconds};

fn tenant(policy: Policy) -> Simulator {
    let tenant = SingleTenant {
        public_token: Some("public-token".to_owned()),
        private_token: Some("private-token".to_owned()),
        platform: true,
        ..SingleTenant::default()
    };
    platform::single_tenant(&tenant, policy).build()
}

fn fresh() -> Simulator {
    tenant(Policy::default())
}

#[test]
fn it_begins_with_sources_endpoints_and_tokens() {
    on_every_backend(fresh, |api| {
        let names = |api: &mut dyn Api, path: &str| {
            let list = api.get(path).json();
            let names =
                list.as_array().expect("a list").iter().map(|one| one["name"].as_str().map(str::to_owned));
            names.map(Option::unwrap_or_default).collect::<Vec<_>>().join(", ")
        };
        assert_snapshot!(names(api, "/api/sources"), @"auth.logs.prod, function-events, function-relay-logs, gateway.logs.prod, pgbouncer.logs.prod, postgREST.logs.prod, postgres.logs, realtime.logs.prod, storage.logs.prod.2");
        assert_snapshot!(names(api, "/api/endpoints"), @"logs.all, usage.api-counts, functions.invocation-stats");
        let endpoint = api.get("/api/endpoints").json()[1].clone();
        let settings = [
            "sandboxable",
            "max_limit",
            "enable_auth",
            "cache_duration_seconds",
            "proactive_requerying_seconds",
        ];
        let settings: Vec<_> = settings.iter().map(|name| endpoint[*name].clone()).collect();
        assert_eq!(settings, [json!(true), json!(1000), json!(true), json!(900), json!(300)]);
        let tokens = api.get("/api/access-tokens").json();
        assert_snapshot!(tokens, @r#"[{"id":1,"token":null,"scopes":"private","description":"ANALYTICS_PRIVATE_ACCESS_TOKEN","inserted_at":"2026-01-01T00:00:00Z"},{"id":2,"token":"public-token","scopes":"public","description":"ANALYTICS_PUBLIC_ACCESS_TOKEN","inserted_at":"2026-01-01T00:00:00Z"}]"#);
        assert_eq!(api.get("/api/account").json()["name"], "default");
    });
}

#[test]
fn tokens_are_valid_for_their_scopes() {
    on_every_backend(fresh, |api| {
        let rows = [
            ("private-token", Call::get("/api/sources"), 200),
            ("public-token", Call::get("/api/sources"), 401),
            ("public-token", Call::post("/api/logs?source_name=postgres.logs").json(json!({})), 200),
            ("public-token", Call::get("/endpoints/query/logs.all?project=default"), 200),
            ("private-token", Call::get("/endpoints/query/logs.all?project=default"), 200),
        ];
        for (token, call, status) in rows {
            for (name, value) in
                [("x-api-key", token.to_owned()), ("authorization", format!("Bearer {token}"))]
            {
                let reply = api.send(call.clone().nobody().header(name, &value));
                assert_eq!(reply.status, status, "{token} as {name}: {call}");
            }
        }
    });
}

#[test]
fn health_is_503_until_everything_is_seeded() {
    let slow = || {
        let mut policy = Policy::default();
        policy.analytics.seeding_ms = 3000;
        tenant(policy)
    };
    on_every_backend(slow, |api| {
        let reply = api.send(Call::get("/health").nobody());
        assert_snapshot!(reply, @r#"503 {"status":"coming_up"}"#);
        assert_eq!(api.get("/api/sources").json(), json!([]));
        api.advance(seconds(3));
        let reply = api.send(Call::get("/health").nobody());
        assert_snapshot!(reply, @r#"200 {"status":"ok","this_node":"analytics@127.0.0.1","nodes":["analytics@127.0.0.1"],"nodes_count":1,"repo_uptime":3000,"caches":{"endpoints":"ok","results":"ok","sources":"ok","users":"ok"}}"#);
        assert_eq!(api.send(Call::new(http::Method::HEAD, "/health").nobody()).status, 200);
        assert_eq!(api.get("/api/sources").json().as_array().map(Vec::len), Some(9));
    });
}

/// An event for each log table, as a deployment's pipeline sends it.
fn ship(api: &mut dyn Api) {
    let at = |second: u32| format!("2026-01-01T00:00:{second:02}Z");
    let rows = [
        (
            "gateway.logs.prod",
            json!([
                { "project": "default", "event_message": "GET /rest/v1/x 200", "timestamp": at(1), "metadata": {
                    "request": { "method": "GET", "path": "/rest/v1/x", "protocol": "HTTP/1.1", "headers": { "user_agent": "ua" } },
                    "response": { "status_code": 200 } } },
                { "project": "default", "event_message": "POST /auth/v1/token 500", "timestamp": at(2), "metadata": {
                    "request": { "method": "POST", "path": "/auth/v1/token", "search": "?a=b" }, "response": { "status_code": 500 } } },
                { "event_message": "without project", "timestamp": at(3) },
            ]),
        ),
        (
            "postgres.logs",
            json!([
                { "project": "default", "event_message": "listening", "timestamp": at(1), "metadata": { "host": "db-default", "parsed": { "error_severity": "LOG" } } },
                { "project": "default", "event_message": "broken", "timestamp": at(2), "metadata": { "parsed": { "error_severity": "ERROR", "detail": "d" } } },
            ]),
        ),
        (
            "auth.logs.prod",
            json!([
                { "project": "default", "event_message": "login", "timestamp": at(1), "metadata": { "level": "info", "status": 200, "path": "/token", "msg": "request completed" } },
                { "project": "default", "event_message": "login", "timestamp": at(2), "metadata": { "level": "error", "status": "none", "error": "bad" } },
            ]),
        ),
        (
            "function-relay-logs",
            json!([
                { "event_message": "POST", "timestamp": at(1), "metadata": { "project_ref": "default", "function_id": "f", "execution_time_ms": 12,
                    "deployment_id": "d", "version": "1", "request": { "method": "POST", "pathname": "/hello" }, "response": { "status_code": 200 } } },
            ]),
        ),
        (
            "function-events",
            json!([
                { "event_message": "hello", "timestamp": at(1), "metadata": { "project_ref": "default", "event_type": "Log", "function_id": "f", "level": "info" } },
            ]),
        ),
        (
            "realtime.logs.prod",
            json!([
                { "event_message": "joined", "timestamp": at(1), "metadata": { "project": "default", "external_id": "default", "level": "info" } },
            ]),
        ),
        (
            "storage.logs.prod.2",
            json!([
                { "event_message": "stored", "timestamp": at(1), "metadata": { "project": "default", "tenantId": "default", "level": "info",
                    "context": [{ "host": "h", "pid": 7 }] } },
            ]),
        ),
        (
            "postgREST.logs.prod",
            json!([
                { "project": "default", "event_message": "connected", "timestamp": at(1), "metadata": { "host": "default" } },
            ]),
        ),
        (
            "pgbouncer.logs.prod",
            json!([{ "project": "default", "event_message": "pooled", "timestamp": at(1) }]),
        ),
    ];
    api.advance(seconds(10));
    for (source, events) in rows {
        let reply = api.post(&format!("/api/logs?source_name={source}"), events);
        assert_eq!(reply.status, 200, "{source}: {reply}");
    }
}

fn logs(api: &mut dyn Api, parameters: &[(&str, &str)]) -> Value {
    let pairs = form_urlencoded::Serializer::new(String::new())
        .append_pair("project", "default")
        .extend_pairs(parameters)
        .finish();
    let call = Call::get(&format!("/endpoints/query/logs.all?{pairs}")).nobody();
    let reply = api.send(call.header("x-api-key", "private-token"));
    assert_eq!(reply.status, 200);
    reply.json()
}

#[test]
fn the_studio_sees_every_log_table() {
    let rows = [
        (
            "select id, edge_logs.timestamp, event_message, request.method, request.path, request.search, response.status_code from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request cross join unnest(m.response) as response where (response.status_code between 500 and 599) and (request.path like '%auth%') order by timestamp desc limit 100",
            "POST /auth/v1/token 500",
            1,
        ),
        (
            "select id, edge_logs.timestamp, event_message, request.method from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request where (request.method = 'GET') and (regexp_contains(event_message, 'rest')) order by timestamp desc limit 100",
            "GET /rest/v1/x 200",
            1,
        ),
        (
            "select id, postgres_logs.timestamp, event_message, parsed.error_severity, parsed.detail from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as parsed where (parsed.error_severity in ('ERROR', 'FATAL', 'PANIC')) order by timestamp desc limit 100",
            "broken",
            1,
        ),
        (
            "select id, postgres_logs.timestamp, event_message, parsed.error_severity from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as parsed where (parsed.error_severity not in ('ERROR', 'FATAL')) order by timestamp desc limit 100",
            "listening",
            1,
        ),
        (
            "select id, auth_logs.timestamp, event_message, metadata.level, metadata.status, metadata.path, metadata.msg as msg, metadata.error from auth_logs cross join unnest(metadata) as metadata where (ifnull(safe_cast(metadata.status as int64), 0) between 200 and 299) order by timestamp desc limit 100",
            "login",
            1,
        ),
        (
            "select id, function_edge_logs.timestamp, event_message, response.status_code, request.method, m.function_id, m.execution_time_ms, m.deployment_id, m.version from function_edge_logs cross join unnest(metadata) as m cross join unnest(m.response) as response cross join unnest(m.request) as request order by timestamp desc limit 100",
            "POST",
            1,
        ),
        (
            "select id, function_logs.timestamp, event_message, metadata.event_type, metadata.function_id, metadata.level from function_logs cross join unnest(metadata) as metadata where metadata.level = 'info' order by timestamp desc limit 100",
            "hello",
            1,
        ),
        (
            "select id, realtime_logs.timestamp, event_message from realtime_logs order by timestamp desc limit 100",
            "joined",
            1,
        ),
        (
            "select id, storage_logs.timestamp, event_message from storage_logs order by timestamp desc limit 100",
            "stored",
            1,
        ),
        (
            "select id, postgrest_logs.timestamp, event_message from postgrest_logs order by timestamp desc limit 100",
            "connected",
            1,
        ),
        (
            "select id, pgbouncer_logs.timestamp, event_message from pgbouncer_logs order by timestamp desc limit 100",
            "pooled",
            1,
        ),
        (
            "select id, timestamp, event_message, metadata from postgres_logs where event_message = 'broken' limit 1",
            "broken",
            1,
        ),
    ];
    on_every_backend(fresh, |api| {
        ship(api);
        for (sql, message, count) in rows {
            let answer = logs(api, &[("sql", sql)]);
            let rows = answer["result"].as_array().unwrap_or_else(|| panic!("{sql}: {answer}"));
            assert_eq!((rows.len(), &rows[0]["event_message"]), (count, &json!(message)), "{sql}");
        }
    });
}

#[test]
fn the_studio_counts_and_draws() {
    on_every_backend(fresh, |api| {
        ship(api);
        assert_eq!(
            logs(api, &[("sql", "select count(*) as count from edge_logs")]),
            json!({ "result": [{ "count": 2 }] })
        );
        let chart = "-- chart\nselect timestamp_trunc(t.timestamp, minute) as timestamp, count(case when response.status_code between 200 and 399 then 1 end) as ok_count, count(case when response.status_code >= 500 then 1 end) as error_count, from edge_logs t cross join unnest(metadata) as m cross join unnest(m.response) as response where t.timestamp > '2025-12-31T00:00:00Z' group by timestamp order by timestamp asc";
        assert_eq!(
            logs(api, &[("sql", chart)]),
            json!({ "result": [{ "timestamp": 1_767_225_600_000_000_i64, "ok_count": 1, "error_count": 1 }] })
        );
        let template = "select cast(timestamp as datetime) as timestamp, r.path as path, count(*) as count from edge_logs left join unnest(metadata) as m on true left join unnest(m.request) as r on true where starts_with(r.path, '/rest') group by timestamp, path order by count desc limit 10";
        assert_eq!(
            logs(api, &[("sql", template)]),
            json!({ "result": [{ "timestamp": "2026-01-01T00:00:01", "path": "/rest/v1/x", "count": 1 }] })
        );
    });
}

#[test]
fn every_query_of_the_studio_runs_on_every_log_table() {
    const TABLES: [(&str, u64); 9] = [
        ("edge_logs", 2),
        ("postgres_logs", 2),
        ("function_edge_logs", 1),
        ("function_logs", 1),
        ("auth_logs", 2),
        ("realtime_logs", 1),
        ("storage_logs", 1),
        ("postgrest_logs", 1),
        ("pgbouncer_logs", 1),
    ];
    on_every_backend(fresh, |api| {
        ship(api);
        for (table, count) in TABLES {
            let rows = |api: &mut dyn Api, sql: &str| {
                let answer = logs(api, &[("sql", sql)]);
                answer["result"].as_array().unwrap_or_else(|| panic!("{sql}: {answer}")).clone()
            };
            let list = format!(
                "select id, {table}.timestamp, event_message from {table} order by timestamp desc limit 100"
            );
            let list = rows(api, &list);
            assert_eq!(list.len() as u64, count, "{table}");
            let (id, at) = (list[0]["id"].as_str().expect("an id"), &list[0]["timestamp"]);
            let single = format!(
                "select id, timestamp, event_message, metadata from {table} where id = '{id}' limit 1"
            );
            let single = rows(api, &single);
            assert_eq!(
                (single.len(), &single[0]["id"], &single[0]["timestamp"]),
                (1, &json!(id), at),
                "{table}"
            );
            let counted = rows(api, &format!("select count(*) as count from {table}"));
            assert_eq!(json!(counted), json!([{ "count": count }]), "{table}");
            for unit in ["minute", "hour", "day"] {
                let chart = format!(
                    "-- {table}\nselect timestamp_trunc(t.timestamp, {unit}) as timestamp, count(t.timestamp) as count, from {table} t where t.timestamp > '2025-12-31T00:00:00Z' group by timestamp order by timestamp asc"
                );
                let expected = json!([{ "timestamp": 1_767_225_600_000_000_i64, "count": count }]);
                assert_eq!(json!(rows(api, &chart)), expected, "{table} by the {unit}");
            }
            let template = format!(
                "select cast(timestamp as datetime) as timestamp, event_message, metadata from {table} where event_message like '%o%' or starts_with(event_message, 'GET') order by timestamp desc limit 5"
            );
            let matching = list.iter().filter(|row| {
                row["event_message"]
                    .as_str()
                    .is_some_and(|text| text.contains('o') || text.starts_with("GET"))
            });
            assert_eq!(rows(api, &template).len(), matching.count(), "{table}");
        }
    });
}

#[test]
fn a_span_of_time_leaves_out_its_start_and_has_its_end() {
    on_every_backend(fresh, |api| {
        ship(api);
        let from_to =
            [("iso_timestamp_start", "2026-01-01T00:00:01Z"), ("iso_timestamp_end", "2026-01-01T00:00:02Z")];
        let rows = logs(api, &from_to);
        assert_eq!(rows["result"].as_array().map(Vec::len), Some(1), "{rows}");
        assert_eq!(rows["result"][0]["event_message"], "POST /auth/v1/token 500");
        assert_eq!(
            logs(api, &[])["result"].as_array().map(Vec::len),
            Some(2),
            "events without a project are never shown"
        );
    });
}

#[test]
fn usage_is_counted_by_product() {
    on_every_backend(fresh, |api| {
        ship(api);
        let answer = |api: &mut dyn Api, query: &str| {
            let call =
                Call::get(&format!("/endpoints/query/{query}")).nobody().header("x-api-key", "private-token");
            api.send(call).to_string()
        };
        assert_snapshot!(answer(api, "usage.api-counts?project=default&interval=minutely"), @r#"200 {"result":[{"timestamp":"2026-01-01T00:00:00","total_auth_requests":1,"total_rest_requests":1,"total_storage_requests":0,"total_realtime_requests":0}]}"#);
        assert_snapshot!(answer(api, "functions.invocation-stats?project=default&function_id=f&interval=hourly"), @r#"200 {"result":[{"timestamp":"2026-01-01T00:00:00","requests_count":1,"success_count":1,"redirect_count":0,"client_err_count":0,"server_err_count":0,"avg_execution_time":12.0,"max_execution_time":12.0,"p95_execution_time":12.0}]}"#);
    });
}

#[test]
fn a_profile_names_the_sources_of_the_log_tables() {
    let scene = || {
        let mut profile = sim_core::Profile::default();
        profile.log_sources.insert("edge_logs".to_owned(), "acme.edge".to_owned());
        let tenant = SingleTenant {
            private_token: Some("private-token".to_owned()),
            platform: true,
            public_token: None,
            ..SingleTenant::default()
        };
        platform::single_tenant(&tenant, Policy::default()).profile(profile).build()
    };
    on_every_backend(scene, |api| {
        api.post("/api/logs?source_name=acme.edge", json!({ "project": "default", "message": "m" }));
        assert_eq!(
            logs(api, &[("sql", "select event_message from edge_logs")]),
            json!({ "result": [{ "event_message": "m" }] })
        );
    });
}
