//! Both services in one world: which of them answers, their shared state, and how the platform logs itself.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::analytics::endpoint_query::RunEndpoint;
use sim_core::analytics::query::RunQuery;
use sim_core::analytics::source::{CreateSource, ListSources};
use sim_core::engine::fault::{AddFault, Effect, Fault, On};
use sim_core::engine::{SingleTenant, Warehouse};
use sim_core::management::project::{CreateProject, ListProjects};
use sim_core::{Policy, Simulator, management};
use sim_fixtures::api::peek;
use sim_fixtures::{Api, Call};

use crate::support::{both, on_both_engines, on_every_backend, seconds};

fn begun(policy: Policy) -> sim_core::engine::Builder {
    let tenant = SingleTenant {
        public_token: Some("public-token".to_owned()),
        private_token: Some("private-token".to_owned()),
        platform: true,
        ..SingleTenant::default()
    };
    Simulator::builder().policy(policy).token("token-of-owner").with_analytics(&tenant)
}

fn quiet() -> Simulator {
    begun(Policy::default()).build()
}

fn logging() -> Simulator {
    begun(Policy::default()).with_self_log().build()
}

/// An active project.
fn project(api: &mut dyn Api) -> String {
    let body = json!({ "name": "demo", "organization_id": "acme", "region": "eu-west-1", "db_pass": "correct horse" });
    let project = api.post("/v1/projects", body).json();
    api.advance(seconds(60));
    project["id"].as_str().expect("a reference").to_owned()
}

fn sql(api: &mut dyn Api, project: &str, query: &str) -> u16 {
    api.post(&format!("/v1/projects/{project}/database/query"), json!({ "query": query })).status
}

/// The response to the studio's query.
fn logs(api: &mut dyn Api, project: &str, sql: &str) -> Value {
    let pairs = form_urlencoded::Serializer::new(String::new())
        .append_pair("project", project)
        .append_pair("sql", sql)
        .finish();
    let call = Call::get(&format!("/endpoints/query/logs.all?{pairs}")).nobody();
    api.send(call.header("x-api-key", "private-token")).json()["result"].clone()
}

const REQUESTS: &str =
    "select edge_logs.timestamp, request.method, request.path, request.search, request.host,
      response.status_code, response.origin_time
    from edge_logs cross join unnest(metadata) as m cross join unnest(m.request) as request
      cross join unnest(m.response) as response order by timestamp, request.path";

const STATEMENTS: &str =
    "select event_message, parsed.error_severity, parsed.sql_state_code, parsed.command_tag,
      parsed.user_name, parsed.database_name, parsed.query
    from postgres_logs cross join unnest(metadata) as m cross join unnest(m.parsed) as parsed
      order by parsed.error_severity desc";

fn lines(rows: &Value) -> String {
    let rows = rows.as_array().unwrap_or_else(|| panic!("rows: {rows}"));
    rows.iter().map(|row| format!("{row}\n")).collect()
}

#[test]
fn calls_to_the_platform_are_events_that_logs_all_shows() {
    on_every_backend(logging, |api| {
        let project = project(api);
        api.get(&format!("/v1/projects/{project}/health?services=db"));
        api.post(&format!("/v1/projects/{project}/pause/nowhere"), json!({}));
        let rows = lines(&logs(api, &project, REQUESTS)).replace(&project, "REF");
        assert_snapshot!(rows, @r##"
        {"timestamp":1767225660000000,"method":"GET","path":"/v1/projects/REF/health","search":"?services=db","host":"api.platform.test","status_code":200,"origin_time":0}
        {"timestamp":1767225660000000,"method":"POST","path":"/v1/projects/REF/pause/nowhere","search":null,"host":"api.platform.test","status_code":404,"origin_time":0}
        "##);
        let rows = lines(&logs(api, "default", REQUESTS));
        assert_snapshot!(rows, @r#"{"timestamp":1767225600000000,"method":"POST","path":"/v1/projects","search":null,"host":"api.platform.test","status_code":201,"origin_time":0}"#);
    });
}

#[test]
fn statements_are_events_that_logs_all_shows() {
    on_every_backend(logging, |api| {
        let project = project(api);
        assert_eq!(
            sql(api, &project, "create table item (id int primary key); insert into item values (1)"),
            201
        );
        assert_eq!(sql(api, &project, "insert into item values (1)"), 400);
        assert_snapshot!(lines(&logs(api, &project, STATEMENTS)), @r##"
        {"event_message":"statement: create table item (id int primary key); insert into item values (1)","error_severity":"LOG","sql_state_code":"00000","command_tag":"INSERT","user_name":"postgres","database_name":"postgres","query":"create table item (id int primary key); insert into item values (1)"}
        {"event_message":"duplicate key value violates unique constraint \"item_pkey\"","error_severity":"ERROR","sql_state_code":"23505","command_tag":null,"user_name":"postgres","database_name":"postgres","query":"insert into item values (1)"}
        "##);
        assert_eq!(logs(api, "default", STATEMENTS), json!([]));
    });
}

#[test]
fn statements_on_a_server_are_events_too() {
    on_both_engines(logging, |api| {
        let project = project(api);
        assert_eq!(sql(api, &project, "select 1 as one"), 201);
        assert_eq!(sql(api, &project, "select nothing"), 400);
        let rows = logs(api, &project, STATEMENTS);
        let of = |field: &str| {
            [&rows[0][field], &rows[1][field]].map(|text| text.as_str().unwrap_or("-").to_owned())
        };
        assert_eq!(of("command_tag"), ["SELECT", "-"]);
        assert_eq!(of("sql_state_code"), ["00000", "42703"]);
    });
}

#[test]
fn nothing_secret_is_in_an_event() {
    both(logging, |api| {
        let project = project(api);
        let secrets = json!([{ "name": "KEY", "value": "value-of-secret" }]);
        assert_eq!(api.post(&format!("/v1/projects/{project}/secrets"), secrets).status, 201);
        let call =
            Call::get("/v1/projects").header("x-client-info", "client/1").header("cookie", "value-of-cookie");
        assert_eq!(api.send(call).status, 200);
        let all = peek(api, |sim| {
            let sql = "select t.event_message, t.metadata, h.authorization, h.x_client_info from `gateway.logs.prod` as t
                cross join unnest(t.metadata) as m cross join unnest(m.request) as r cross join unnest(r.headers) as h";
            json!(sim.call(RunQuery::sql(sql)).expect("it runs").result)
        });
        let text = all.to_string();
        for secret in ["token-of-owner", "value-of-secret", "value-of-cookie", "correct horse"] {
            assert!(!text.contains(secret), "{secret} in {text}");
        }
        let last = all.as_array().and_then(|rows| rows.iter().find(|row| row["x_client_info"] == "client/1"));
        assert_eq!(last.expect("the call is there")["authorization"], "•••");
    });
}

#[test]
fn the_same_calls_make_the_same_events() {
    let told = || {
        let mut sim = logging();
        sim.call(CreateProject::named("demo", "acme")).expect("it can be made");
        sim.advance(seconds(1));
        sim.call(ListProjects {}).expect("they can be listed");
        let rows =
            sim.call(RunQuery::sql("select id, timestamp, event_message, metadata from `gateway.logs.prod`"));
        json!(rows.expect("it runs").result)
    };
    let rows = told();
    assert_eq!(rows.as_array().map(Vec::len), Some(2));
    assert_eq!(rows, told());
}

#[test]
fn only_so_many_events_of_the_platform_are_kept() {
    let few = || {
        let mut policy = Policy::default();
        policy.analytics.platform_events = 3;
        begun(policy).with_self_log().build()
    };
    both(few, |api| {
        let own = Call::post("/api/logs?source_name=gateway.logs.prod").token("private-token");
        assert_eq!(api.send(own.json(json!({ "project": "default", "message": "shipped" }))).status, 200);
        for _ in 0..5 {
            api.get("/v1/projects");
        }
        let rows = logs(
            api,
            "default",
            "select event_message, count(*) as count from edge_logs group by event_message order by count",
        );
        assert_eq!(
            rows,
            json!([
                { "event_message": "shipped", "count": 1 }, { "event_message": "GET /v1/projects 200", "count": 3 },
            ])
        );
    });
}

#[test]
fn without_the_log_nothing_is_logged() {
    both(quiet, |api| {
        api.get("/v1/projects");
        assert_eq!(logs(api, "default", "select id from edge_logs"), json!([]));
    });
}

#[test]
fn events_of_other_services_are_written_by_hand() {
    both(quiet, |api| {
        let event = |table: &str| json!({ "table": table, "project": "abc", "event_message": format!("from {table}") });
        let tables = [
            "auth_logs",
            "edge_logs",
            "function_edge_logs",
            "function_logs",
            "pgbouncer_logs",
            "postgres_logs",
            "postgrest_logs",
            "realtime_logs",
            "storage_logs",
        ];
        let reply = api.send(Call::post("/_sim/logs").json(json!({ "events": tables.map(event) })).nobody());
        assert_snapshot!(reply, @r#"200 {"stored":9}"#);
        for table in tables {
            let rows = logs(api, "abc", &format!("select event_message from {table}"));
            assert_eq!(rows, json!([{ "event_message": format!("from {table}") }]));
        }
        let wrong = [
            ("metadata", json!({ "a": [[1]] }), 200, "Nested lists of lists are not allowed"),
            ("timestamp", json!("yesterday"), 422, "timestamp"),
            ("project", json!(7), 422, "project"),
        ];
        for (field, value, status, text) in wrong {
            let mut event = event("edge_logs");
            event[field] = value;
            let reply = api.send(Call::post("/_sim/logs").json(json!({ "events": [event] })).nobody());
            assert_eq!(reply.status, status, "{field}: {reply}");
            assert!(reply.to_string().contains(text), "{field}: {reply}");
        }
        let unknown = json!({ "events": [event("edge_logs"), event("other_logs")] });
        let reply = api.send(Call::post("/_sim/logs").json(unknown).nobody());
        assert_snapshot!(reply, @r#"400 {"error":"table: must be one of auth_logs, edge_logs, function_edge_logs, function_logs, pgbouncer_logs, postgres_logs, postgrest_logs, realtime_logs, storage_logs, received \"other_logs\""}"#);
        let rows = logs(api, "abc", "select count(*) as count from edge_logs");
        assert_eq!(rows, json!([{ "count": 1 }]), "a refused call changes nothing");
    });
}

#[test]
fn an_event_for_a_deleted_source_is_dropped() {
    both(logging, |api| {
        let sources = api.send(Call::get("/api/sources").token("private-token")).json();
        let mut sources = sources.as_array().expect("a list").iter();
        let gateway = sources.find(|one| one["name"] == "gateway.logs.prod").expect("it is seeded");
        let path = format!("/api/sources/{}", gateway["token"].as_str().expect("a token"));
        api.get("/v1/projects");
        assert_eq!(api.send(Call::delete(&path).token("private-token")).status, 204);
        assert_eq!(api.get("/v1/projects").status, 200);
    });
}

#[test]
fn a_warehouse_that_takes_nothing_does_not_hold_up_the_platform() {
    let unpaid = || {
        let mut policy = Policy::default();
        policy.analytics.warehouse = Some(Warehouse { billing: false, ..Warehouse::default() });
        begun(policy).with_self_log().build()
    };
    both(unpaid, |api| {
        assert_eq!(api.get("/v1/projects").status, 200);
        let refused =
            peek(api, |sim| sim.beside().and_then(|analytics| analytics.journal()[0].reason.clone()));
        assert_eq!(refused.as_deref(), Some("warehouse_billing_disabled"));
    });
}

#[test]
fn a_path_leads_to_the_service_that_has_it() {
    both(quiet, |api| {
        let rows = [
            (Call::get("/v1/projects"), 200),
            (Call::get("/v1/projects").token("private-token"), 401),
            (Call::get("/v1/nowhere"), 404),
            (Call::get("/nowhere"), 404),
            (Call::get("/api/sources").token("private-token"), 200),
            (Call::get("/api/sources"), 401),
            (Call::get("/api/nowhere").token("private-token"), 404),
            (Call::get("/health").nobody(), 200),
            (Call::post("/logs?source_name=postgres.logs").token("public-token").json(json!({})), 200),
            (Call::post("/api/events?source_name=postgres.logs").token("public-token").json(json!({})), 200),
            (Call::get("/endpoints/query/logs.all?project=abc").token("public-token"), 200),
            (Call::get("/_sim/outbox").nobody(), 200),
            (Call::get("/_sim/users").nobody(), 200),
        ];
        for (call, status) in rows {
            let reply = api.send(call.clone());
            assert_eq!(reply.status, status, "{call}: {reply}");
        }
        // Each service has its own error format.
        assert_snapshot!(api.get("/v1/nowhere"), @r#"404 {"message":"Cannot GET /v1/nowhere"}"#);
        assert_snapshot!(api.send(Call::get("/api/nowhere").token("private-token")), @r#"404 {"error":"Cannot GET /api/nowhere"}"#);
    });
}

#[test]
fn the_clock_advances_for_both_services() {
    let policy = || {
        let mut policy = Policy::default();
        policy.analytics.seeding_ms = 30_000;
        policy
    };
    both(
        || begun(policy()).build(),
        |api| {
            api.post("/v1/projects", json!({ "name": "demo", "organization_id": "acme", "region": "eu-west-1", "db_pass": "correct horse" }));
            let agenda = peek(api, |sim| {
                sim.agenda().iter().map(|job| format!("{} {}", job.due, job.kind)).collect::<Vec<_>>()
            });
            assert_snapshot!(agenda.join("\n"), @r##"
            2026-01-01T00:00:30Z seeding
            2026-01-01T00:01:00Z project
            "##);
            assert_eq!(api.get("/health").status, 503);
            let happened = peek(api, |sim| sim.advance_to_next().map(|happened| happened[0].became.clone()));
            assert_eq!(happened.as_deref(), Some("seeded"));
            assert_eq!(api.get("/health").status, 200);
            let step = peek(api, |sim| sim.step().map(|happened| happened.became));
            assert_eq!(step.as_deref(), Some("ACTIVE_HEALTHY"));
            let clocks = peek(api, |sim| (sim.now(), sim.beside().map(Simulator::now)));
            assert_eq!(clocks.1, Some(clocks.0));
            assert_eq!(peek(api, |sim| sim.history(None).len()), 2);
        },
    );
}

#[test]
fn a_fork_and_a_snapshot_have_both() {
    let mut sim = logging();
    let before = sim.snapshot();
    let mut fork = sim.fork();
    fork.call(ListProjects {}).expect("they can be listed");
    fork.call(CreateSource::named("more")).expect("it can be made");
    let count = |sim: &mut Simulator| {
        let events =
            sim.call(RunQuery::sql("select id from `gateway.logs.prod`")).expect("it runs").result.len();
        (sim.call(ListSources {}).expect("they can be listed").len(), events)
    };
    assert_eq!(count(&mut fork), (10, 1));
    assert_eq!(count(&mut sim), (9, 0));
    fork.restore(&before);
    assert_eq!(count(&mut fork), (9, 0));
}

#[test]
fn each_service_lives_again_from_its_own_journal() {
    let mut sim = logging();
    let project = sim.call(CreateProject::named("demo", "acme")).expect("it can be made").id;
    sim.advance(seconds(60));
    sim.call(management::query::RunQuery::sql(project, "select 1")).expect("it runs");
    sim.call(RunQuery::sql("select id, timestamp from `postgres.logs`")).expect("it runs");
    for half in [&sim, sim.beside().expect("it has both")] {
        let file = half.replay_file().expect("the journal is whole");
        assert!(!json!(file).to_string().contains("private-token"));
        let again = file.run(half.registry()).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(again.journal_hash(), half.journal_hash());
    }
}

#[test]
fn a_call_with_a_fault_is_logged_as_it_was_answered_or_not_at_all() {
    let mut sim = Simulator::builder().with_self_log().build();
    for effect in [Effect::LostAnswer, Effect::Reset] {
        sim.as_admin().call(AddFault(Fault::new(On::path("/v1/projects"), effect))).expect("a good rule");
    }
    for _ in 0..3 {
        let _ = sim.call(ListProjects {});
    }
    let shown = [("project", "default"), ("sql", "select event_message from edge_logs")];
    let rows = sim.call(RunEndpoint::with("logs.all", &shown)).expect("it is there").result.expect("rows");
    assert_eq!(rows.len(), 2, "{rows:?}");
    assert!(rows.iter().all(|row| row["event_message"] == "GET /v1/projects 200"), "{rows:?}");
}
