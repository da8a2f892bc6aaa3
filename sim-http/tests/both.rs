//! Both services on one port.

use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::engine::SingleTenant;
use sim_http::Server;

use crate::cli::{File, Served, stuntdouble};
use crate::client::{Answer, call_with, get, post};

fn both() -> Server {
    let tenant = SingleTenant {
        private_token: Some("private-token".to_owned()),
        platform: true,
        ..SingleTenant::default()
    };
    Server::spawn(Simulator::builder().with_analytics(&tenant).with_self_log().build())
}

fn with_key(server: &Server, path: &str, key: &str) -> Answer {
    call_with(server, "GET", path, &[("x-api-key", key)], "")
}

#[test]
fn one_port_has_both_and_shows_its_own_requests() {
    let server = both();
    assert_eq!(server.analytics_token(), Some("private-token"));
    assert_eq!(get(&server, "/v1/projects").status, 200);
    assert_eq!(with_key(&server, "/health", "").status, 200);
    let logs = with_key(&server, "/endpoints/query/logs.all?project=default", "private-token").json();
    assert_eq!(logs["result"][0]["event_message"], "GET /v1/projects 200");
    assert_eq!(logs["result"].as_array().map(Vec::len), Some(1));
    assert_eq!(get(&server, "/").json()["links"]["analytics"], "/api");
}

#[test]
fn control_calls_reach_both() {
    let server = both();
    get(&server, "/v1/projects");
    assert_eq!(get(&server, "/_sim/outbox").json(), json!([]));
    for (path, title) in [
        ("/_sim/journal", "/v1/projects"),
        ("/_sim/journal?service=management", "/v1/projects"),
        ("/_sim/journal?service=analytics", "/_sim/logs"),
    ] {
        assert_eq!(get(&server, path).json()[0]["target"], title, "{path}");
    }
    let explained = get(&server, "/_sim/journal/1/explain?service=analytics").json();
    assert_eq!(explained["call"]["operation"], "sim-write-logs");
    for path in ["/v1/nothing", "/api/nothing"] {
        let link = get(&server, path).header("x-sim-explain").expect("a link").to_owned();
        assert_eq!(get(&server, &link).json()["call"]["target"], path, "{link}");
    }
    assert_eq!(get(&server, "/_sim/replay?service=analytics").json()["service"], "Analytics server");
    for (path, has) in [
        ("/openapi.json", "/v1/projects"),
        ("/openapi.json?service=analytics", "/api/sources"),
        ("/api/v1-json", "/v1/projects"),
        ("/api/openapi", "/api/sources"),
        ("/_sim/openapi.json", "/_sim/users"),
        ("/_sim/openapi.json?service=analytics", "/_sim/outbox"),
    ] {
        assert!(get(&server, path).json()["paths"][has].is_object(), "{path}");
    }
    let unknown = get(&server, "/openapi.json?tga=Secrets");
    assert_eq!((unknown.status, unknown.reason()), (400, "invalid_query.tga"));
    assert!(unknown.body.contains("did you mean `tag`?"), "{}", unknown.body);
    for path in ["/_sim/journal?service=other", "/openapi.json?service=other"] {
        assert_eq!(get(&server, path).status, 400, "{path}");
    }
    let alone = Server::spawn(Simulator::builder().build());
    for path in ["/_sim/journal?service=analytics", "/openapi.json?service=analytics"] {
        let answer = get(&alone, path);
        assert_eq!((answer.status, answer.reason()), (404, "service_not_found"), "{path}");
    }
}

#[test]
fn time_snapshots_forks_and_reset_take_both() {
    let server = both();
    let events = |path: &str| {
        let logs =
            with_key(&server, &format!("{path}/endpoints/query/logs.all?project=default"), "private-token");
        logs.json()["result"].as_array().map(Vec::len)
    };
    get(&server, "/v1/projects");
    post(&server, "/_sim/snapshots", r#"{"name":"one"}"#);
    assert_eq!(post(&server, "/_sim/fork", r#"{"name":"fork"}"#).json()["service"], "both");
    get(&server, "/v1/projects");
    post(&server, "/_sim/clock/advance", r#"{"ms":60000}"#);
    assert_eq!((events(""), events("/w/fork")), (Some(2), Some(1)));
    post(&server, "/_sim/snapshots/one/restore", "");
    assert_eq!(events(""), Some(1));
    post(&server, "/_sim/reset", "");
    assert_eq!(events(""), Some(0));
}

/// Makes a world by the control API.
fn create(server: &Server, body: &Value) -> Value {
    let answer = post(server, "/_sim/worlds", &body.to_string());
    assert_eq!(answer.status, 201, "{body}: {}", answer.body);
    answer.json()
}

#[test]
fn a_new_world_is_of_the_kind_of_the_main_one() {
    let server = both();
    let world = create(&server, &json!({ "name": "new" }));
    assert_eq!(world["service"], "both");
    let (token, key) = (world["token"].as_str(), world["analytics_token"].as_str().expect("it has both"));
    assert_ne!(key, "private-token");
    let headers = [("authorization", &*format!("Bearer {}", token.expect("it has a user")))];
    assert_eq!(call_with(&server, "GET", "/v1/projects", &headers, "").status, 200);
    // By header or query, the key leads to its world.
    let logs = with_key(&server, "/endpoints/query/logs.all?project=default", key).json();
    assert_eq!(logs["result"].as_array().map(Vec::len), Some(1));
    assert_eq!(call_with(&server, "GET", &format!("/api/sources?api_key={key}"), &[], "").status, 200);

    let of_projects = create(&server, &json!({ "name": "projects", "service": "management" }));
    assert_eq!(
        (&of_projects["service"], &of_projects["analytics_token"]),
        (&json!("management"), &Value::Null)
    );
    assert_eq!(with_key(&server, "/w/projects/api/sources", key).status, 401);
    let of_logs = create(&server, &json!({ "name": "logs", "service": "analytics" }));
    let token = of_logs["token"].as_str().expect("it has a user");
    assert_eq!(with_key(&server, "/w/logs/api/sources", token).json(), json!([]));
    let wrong = post(&server, "/_sim/worlds", r#"{"service":"analytics","self_log":true}"#);
    assert_eq!((wrong.status, wrong.reason()), (400, "invalid_body.self_log"));
}

#[test]
fn a_new_world_beside_one_of_the_analytics_server_alone_is_like_it() {
    let tenant = SingleTenant {
        private_token: Some("private-token".to_owned()),
        platform: true,
        ..SingleTenant::default()
    };
    let main = sim_core::analytics::platform::single_tenant(&tenant, sim_core::Policy::default()).build();
    let server = Server::spawn(main);
    let world = create(&server, &json!({ "name": "new" }));
    assert_eq!(world["service"], "analytics");
    let token = world["token"].as_str().expect("it has a user");
    assert_eq!(with_key(&server, "/api/sources", token).json().as_array().map(Vec::len), Some(9));
    assert_eq!(get(&server, "/_sim/worlds/new").json()["calls"], 1);
    let logging = create(&server, &json!({ "name": "logging", "self_log": true }));
    assert_eq!(logging["service"], "both");
}

#[test]
fn serve_has_both_where_asked_and_reads_the_environment_of_a_self_hosted_server() {
    let mut command = stuntdouble(&["serve", "--port", "0", "--json", "--self-log", "--token", "mine"]);
    command.env("ANALYTICS_PRIVATE_ACCESS_TOKEN", "private-token").env("PLATFORM_MODE", "true");
    let served = Served::start(&mut command);
    assert_eq!(
        (&served.line["token"], &served.line["analytics_token"]),
        (&json!("mine"), &json!("private-token"))
    );
    assert!(served.get("/v1/projects", "mine").starts_with("HTTP/1.1 200"));
    let logs = served.get("/endpoints/query/logs.all?project=default", "private-token");
    assert!(logs.contains("GET /v1/projects 200"), "{logs}");

    let output = stuntdouble(&["serve", "--analytics"]).env("PLATFORM_MODE", "no").output().expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), &*error), (Some(2), "error: PLATFORM_MODE: must be true, is \"no\"\n"));
    let output = stuntdouble(&["analytics", "serve", "--self-log"]).output().expect("it runs");
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: --self-log: "));
}

#[test]
fn variable_and_file_ask_for_both_as_well() {
    let file = File::new("both.toml", "analytics = true\n");
    let by_file =
        Served::start(&mut stuntdouble(&["serve", "--port", "0", "--json", "--config", file.path()]));
    let mut command = stuntdouble(&["serve", "--port", "0", "--json"]);
    let by_variable = Served::start(command.env("STUNTDOUBLE_SELF_LOG", "1"));
    for served in [by_file, by_variable] {
        assert!(served.line["analytics_token"].is_string(), "{}", served.line);
        assert!(served.get("/health", "").starts_with("HTTP/1.1 200"));
    }
    assert!(Served::start(command.env("STUNTDOUBLE_SELF_LOG", "0")).line["analytics_token"].is_null());
}

#[test]
fn telemetry_is_exported_beside_the_management_api() {
    let server = both();
    for signal in ["logs", "metrics", "traces"] {
        let refused = post(&server, &format!("/v1/{signal}"), "{}");
        assert_eq!(refused.status, 401, "the analytics server is asked for its token: {}", refused.body);
    }
    assert_eq!(get(&server, "/v1/none").status, 404);
}

#[cfg(unix)]
#[test]
fn exec_passes_both_tokens_to_the_command() {
    let script = r#"test "$STUNTDOUBLE_ANALYTICS_TOKEN" = private-token && test -n "$STUNTDOUBLE_TOKEN""#;
    let mut command = stuntdouble(&[
        "exec",
        "--analytics",
        "--private-access-token",
        "private-token",
        "--",
        "sh",
        "-c",
        script,
    ]);
    assert!(command.status().expect("it runs").success());
}

#[test]
fn each_service_has_faults_of_its_own() {
    let server = both();
    let rule = r#"{"on":{"path":"/api/sources"},"effect":{"kind":"status","status":503}}"#;
    assert_eq!(post(&server, "/_sim/faults?service=analytics", rule).status, 201);
    assert_eq!(get(&server, "/_sim/faults").json(), json!([]));
    assert_eq!(with_key(&server, "/api/sources", "private-token").status, 503);
    assert_eq!(with_key(&server, "/api/sources", "private-token").status, 200);
}
