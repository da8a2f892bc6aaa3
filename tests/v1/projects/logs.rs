//! `/v1/projects/{ref}/analytics/endpoints`.

use std::time::Duration;

use serde_json::{Value, json};
use sim_core::management::project::CreateProject;
use sim_core::management::project_log::GetProjectLogs;
use sim_core::{Role, Simulator};
use sim_fixtures::{Api, Call, Scene, api::peek, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::both;

const LOGS: &str = "/v1/projects/{ref}/analytics/endpoints/logs.all";
const TABLE: &str = "/v1/projects/{ref}/analytics/endpoints/logs";
const COUNTS: &str = "/v1/projects/{ref}/analytics/endpoints/usage.api-counts";
const COUNT: &str = "/v1/projects/{ref}/analytics/endpoints/usage.api-requests-count";
const STATS: &str = "/v1/projects/{ref}/analytics/endpoints/functions.combined-stats";

/// A project in a world that logs itself.
fn logging() -> Scene {
    let mut sim = Simulator::builder().token("token-of-owner").with_self_log().build();
    let project = sim.as_admin().call(CreateProject::named("demo", "acme")).expect("it can be made").id;
    sim.advance(Duration::from_secs(60));
    Scene { sim, project }
}

fn query(sql: &str) -> String {
    let pairs = form_urlencoded::Serializer::new(String::new()).append_pair("sql", sql).finish();
    format!("{LOGS}?{pairs}")
}

fn rows(api: &mut dyn Api, target: &str) -> Value {
    let reply = api.get(target);
    assert_eq!(reply.status, 200, "{target}: {reply}");
    reply.json()["result"].clone()
}

/// The project's reference, without a call.
fn reference(api: &mut dyn Api) -> String {
    let created = peek(api, |sim| sim.journal()[0].response.clone());
    let project: Value = serde_json::from_str(&created).expect("a project");
    project["id"].as_str().expect("a reference").to_owned()
}

/// Writes events of services that the simulator does not simulate.
fn write(api: &mut dyn Api, project: &str, table: &str, metadata: &[Value]) {
    let one = |metadata: &Value| json!({ "table": table, "project": project, "event_message": table, "metadata": metadata });
    let events: Vec<_> = metadata.iter().map(one).collect();
    let reply = api.send(Call::post("/_sim/logs").json(json!({ "events": events })).nobody());
    assert_eq!(reply.json(), json!({ "stored": events.len() }));
}

#[test]
fn strangers_and_wrong_references_are_refused() {
    let stats = format!("{STATS}?interval=1hr&function_id=one");
    let all = [LOGS, TABLE, COUNTS, COUNT, &stats];
    refuse_strangers(&all.map(|path| (Call::get(path), Role::ReadOnly)));
}

#[test]
fn calls_and_statements_are_in_the_logs_of_their_project() {
    both(logging, |api| {
        assert_eq!(api.get("/v1/projects/{ref}/health?services=db").status, 200);
        let statement = json!({ "query": "select 1 as one" });
        assert_eq!(api.post("/v1/projects/{ref}/database/query", statement).status, 201);
        let sql = "select event_message from edge_logs order by event_message";
        let project = reference(api);
        let messages = ["GET {at}/health 200", "POST {at}/database/query 201"]
            .map(|text| json!({ "event_message": text.replace("{at}", &format!("/v1/projects/{project}")) }));
        assert_eq!(rows(api, &query(sql)), json!(messages));
        let sql = "select r.method, s.status_code from edge_logs as t cross join unnest(t.metadata) as m
                   cross join unnest(m.request) as r cross join unnest(m.response) as s
                   where s.status_code = 201";
        assert_eq!(rows(api, &query(sql)), json!([{ "method": "POST", "status_code": 201 }]));
        let sql = "select p.query from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as p";
        assert_eq!(rows(api, &query(sql)), json!([{ "query": "select 1 as one" }]));
        let sql = "select distinct identifier from edge_logs union all select identifier from postgres_logs";
        assert_eq!(rows(api, &query(sql)), json!([{ "identifier": project }, { "identifier": project }]));
        // Reading the logs is a logged call, too.
        let sql = "select count(*) as count from edge_logs";
        assert_eq!(rows(api, &query(sql)), json!([{ "count": 6 }]));
    });
}

#[test]
fn all_logs_are_in_one_table_too() {
    both(logging, |api| {
        assert_eq!(api.get("/v1/projects/{ref}/health?services=db").status, 200);
        let statement = json!({ "query": "select 1 as one" });
        assert_eq!(api.post("/v1/projects/{ref}/database/query", statement).status, 201);
        let asked = |sql: &str| query(sql).replace(LOGS, TABLE);
        let sql = "select timestamp, log_attributes['request.method'] as method, log_attributes['response.status_code'] as status
                   from logs where source = 'edge_logs' order by method limit 2";
        let at = "2026-01-01T00:01:00Z";
        assert_eq!(
            rows(api, &asked(sql)),
            json!([
                { "timestamp": at, "method": "GET", "status": "200" },
                { "timestamp": at, "method": "POST", "status": "201" },
            ])
        );
        let sql = "select source, severity_text, log_attributes['parsed.query'] as query, log_attributes['absent'] as absent
                   from logs where source = 'postgres_logs'";
        let statement = json!([{ "source": "postgres_logs", "severity_text": "LOG", "query": "select 1 as one", "absent": "" }]);
        assert_eq!(rows(api, &asked(sql)), statement);
        let newest = asked(sql).replace(TABLE, &format!("{LOGS}.otel"));
        assert_eq!(rows(api, &newest), statement, "by its other name");
        let sql = "select toStartOfHour(timestamp) as h, countIf(source = 'edge_logs') > 1 as many,
                   any(if(source = 'edge_logs', severity_text, null)) as severity from logs group by h";
        assert_eq!(
            rows(api, &asked(sql)),
            json!([{ "h": "2026-01-01T00:00:00Z", "many": 1, "severity": "INFO" }]),
            "truth is a number in that store"
        );
        let sql = "with months as (select toStartOfMonth(timestamp) as month, tuple(source, 1) as pair
                   from logs where source = 'postgres_logs') select *, 2 as more from months";
        let row = json!([{ "month": "2026-01-01", "pair": ["postgres_logs", 1], "more": 2 }]);
        assert_eq!(rows(api, &asked(sql)), row, "days, tuples and columns of a named query");
        let sql = "select topK(1, 3, 'counts')(source) as top from logs where source = 'postgres_logs'";
        let top = json!([{ "top": [{ "item": "postgres_logs", "count": 1, "error": 0 }] }]);
        assert_eq!(rows(api, &asked(sql)), top, "tuples with names");
        assert_eq!(rows(api, &asked("select id from logs where source = 'no_such_logs'")), json!([]));
        let sql = "select * from logs where event_message ilike 'STATEMENT%'";
        let whole = rows(api, &asked(sql));
        assert_eq!(whole[0]["log_attributes"]["parsed.query"], "select 1 as one", "{whole}");
        let told = api.get(&asked("select absent from logs"));
        assert!(told.json()["error"].as_str().is_some_and(|text| text.contains("absent")), "{told}");
        let told = api.get(&asked("delete from logs"));
        assert!(told.json()["error"].is_string(), "{told}");
    });
}

#[test]
fn the_store_of_the_table_reads_json_by_place_and_shows_no_infinity() {
    both(logging, |api| {
        let asked = |sql: &str| query(sql).replace(LOGS, TABLE);
        let sql = r#"select JSONExtractString('{"b":"x","a":"y"}', 2) as second, JSONExtractString('{"b":"x","a":"y"}', -2) as first,
                     JSONExtractInt('{"o":{"b":1,"a":2}}', 'o', 1) as inner, JSONHas('{"b":1}', 2) as third"#;
        assert_eq!(rows(api, &asked(sql)), json!([{ "second": "y", "first": "x", "inner": 1, "third": 0 }]));
        let sql = "select 1 / 0 as quotient, 1 / 0 > 5 as more, toString(-1 / 0) as shown";
        assert_eq!(rows(api, &asked(sql)), json!([{ "quotient": null, "more": 1, "shown": "-inf" }]));
    });
}

#[test]
fn query_errors_are_reported_with_status_200() {
    both(logging, |api| {
        let told = api.get(&query("select nothing from edge_logs"));
        assert_eq!(told.status, 200, "{told}");
        assert!(told.json()["error"].as_str().is_some_and(|text| text.contains("nothing")), "{told}");
        assert_eq!(told.json().get("result"), Some(&Value::Null), "{told}");
        let rows = api.get(&query("select 1 as one"));
        assert_eq!(rows.json(), json!({ "result": [{ "one": 1 }], "error": null }));
    });
}

#[test]
fn a_span_is_at_most_a_day_and_a_minute_unless_given() {
    both(logging, |api| {
        let count = query("select count(*) as count from edge_logs");
        assert_eq!(rows(api, &count), json!([{ "count": 0 }]));
        api.after(60);
        assert_eq!(rows(api, &count), json!([{ "count": 0 }]), "the first read was a minute ago");
        let from = |start: &str| format!("{count}&iso_timestamp_start={start}");
        assert_eq!(rows(api, &from("2026-01-01T00:00:59Z")), json!([{ "count": 2 }]));
        assert_eq!(
            rows(api, &format!("{count}&iso_timestamp_end=2026-01-01T00:01:00Z")),
            json!([{ "count": 1 }])
        );
        let span = |start: &str, end: &str| format!("{}&iso_timestamp_end={end}", from(start));
        assert_eq!(api.get(&span("2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z")).status, 200);
        for (start, end, text) in [
            (
                "2026-01-01T00:00:00Z",
                "2026-01-02T00:00:01Z",
                "iso_timestamp_end: must be at most 24 hours after iso_timestamp_start",
            ),
            (
                "2026-01-02T00:00:00Z",
                "2026-01-01T00:00:00Z",
                "iso_timestamp_end: 2026-01-01T00:00:00Z must not be before iso_timestamp_start, 2026-01-02T00:00:00Z",
            ),
        ] {
            refused(&api.get(&span(start, end)), 400, "invalid_query.iso_timestamp_end", text);
        }
        assert_eq!(api.get(&from("yesterday")).status, 400);
    });
}

#[test]
fn requests_are_counted_by_the_part_that_they_went_to() {
    both(logging, |api| {
        let project = reference(api);
        let to = |path: &str| json!({ "request": [{ "path": path, "method": "GET" }] });
        let paths =
            ["/auth/v1/token", "/rest/v1/item", "/rest/v1/item?id=eq.1", "/storage/v1/bucket", "/other"];
        write(api, &project, "edge_logs", &paths.map(to));
        api.after(3600);
        write(api, &project, "edge_logs", &[to("/realtime/v1/websocket")]);
        let counted = rows(api, COUNTS);
        assert_eq!(
            counted,
            json!([
                { "timestamp": "2026-01-01T00:00:00Z", "total_auth_requests": 1, "total_realtime_requests": 0,
                  "total_rest_requests": 2, "total_storage_requests": 1 },
                { "timestamp": "2026-01-01T01:00:00Z", "total_auth_requests": 0, "total_realtime_requests": 1,
                  "total_rest_requests": 0, "total_storage_requests": 0 },
            ])
        );
        let last = rows(api, &format!("{COUNTS}?interval=15min"));
        assert_eq!(last.as_array().map(Vec::len), Some(1), "{last}");
        assert_eq!(last[0]["timestamp"], "2026-01-01T01:01:00Z");
        // Both reads are requests, too.
        assert_eq!(rows(api, COUNT), json!([{ "count": 8 }]));
        assert_eq!(api.get(&format!("{COUNTS}?interval=2day")).reason(), "invalid_query.interval");
    });
}

#[test]
fn results_of_function_calls_are_counted() {
    both(logging, |api| {
        let project = reference(api);
        let of = |function: &str, ms: i64, status: u16| json!({ "function_id": function, "project_ref": project, "execution_time_ms": ms, "response": [{ "status_code": status }] });
        let calls = [
            of("one", 10, 200),
            of("one", 30, 500),
            of("one", 20, 404),
            of("one", 20, 302),
            of("two", 9, 200),
        ];
        write(api, &project, "function_edge_logs", &calls);
        assert_eq!(
            rows(api, &format!("{STATS}?interval=1hr&function_id=one")),
            json!([{
                "timestamp": 1_767_225_660_000_000_i64, "requests_count": 4, "success_count": 1, "redirect_count": 1,
                "client_err_count": 1, "server_err_count": 1, "avg_execution_time": 20.0, "max_execution_time": 30.0,
            }])
        );
        assert_eq!(rows(api, &format!("{STATS}?interval=1hr&function_id=none")), json!([]));
        api.after(900);
        assert_eq!(rows(api, &format!("{STATS}?interval=15min&function_id=one")), json!([]));
        assert_eq!(api.get(&format!("{STATS}?interval=7day&function_id=one")).status, 400);
        assert_eq!(api.get(&format!("{STATS}?interval=1hr")).status, 400);
    });
}

#[test]
fn without_an_analytics_server_there_are_no_logs() {
    both(scenario::active_project, |api| {
        let text = "There are no logs here: the simulator was started without its analytics server.";
        for path in [LOGS, TABLE, COUNTS, COUNT, &format!("{STATS}?interval=1day&function_id=one")] {
            refused(&api.get(path), 503, "analytics_absent", text);
        }
    });
}

#[test]
fn a_look_changes_nothing_there_and_comes_again_in_a_replay() {
    let Scene { mut sim, project } = logging();
    let look = GetProjectLogs::sql(project, "select count(*) as count from edge_logs");
    let beside = sim.beside().expect("it has both").calls();
    let counted = sim.as_admin().call(look.clone()).expect("rows");
    assert_eq!(json!(counted), json!({ "result": [{ "count": 0 }], "error": null }));
    assert_eq!(sim.beside().expect("it has both").calls(), beside + 1, "it logs the read");
    let GetProjectLogs { r#ref, .. } = look;
    let all = GetProjectLogs { r#ref, sql: None, iso_timestamp_start: None, iso_timestamp_end: None };
    let shown = sim.as_admin().call(all).expect("rows").result.expect("rows");
    assert_eq!(shown.len(), 1, "the first read");
    let file = sim.replay_file().expect("the journal is whole");
    assert_eq!(file.fetched.len(), 2);
    let again = file.run(sim.registry()).expect("nothing diverges, without an analytics server");
    assert_eq!(again.journal_hash(), sim.journal_hash());
}
