//! `stuntdouble analytics serve`, run as a process.

use std::process::Command;

use crate::cli::{Served, stuntdouble};

pub(crate) const GOOD: [(&str, &str); 3] = [
    ("ANALYTICS_SINGLE_TENANT", "true"),
    ("PLATFORM_MODE", "true"),
    ("ANALYTICS_PRIVATE_ACCESS_TOKEN", "private-token"),
];

/// The command in an environment that has nothing of an analytics server but `variables`.
pub(crate) fn serve(variables: &[(&str, &str)]) -> Command {
    let mut command = stuntdouble(&["analytics", "serve", "--port", "0", "--json"]);
    let ours = ["ANALYTICS_", "PLATFORM_", "POSTGRES_BACKEND_", "CLOUD_"];
    for (name, _) in std::env::vars_os() {
        if ours.iter().any(|start| name.to_string_lossy().starts_with(start)) {
            command.env_remove(name);
        }
    }
    command.envs(variables.iter().copied());
    command
}

fn key_file() -> &'static str {
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/service-account.json")
}

#[test]
fn it_serves_the_platform_to_one_tenant() {
    let mut variables = GOOD.to_vec();
    variables.extend([
        ("ANALYTICS_PUBLIC_ACCESS_TOKEN", "public-token"),
        ("POSTGRES_BACKEND_SCHEMA", "_logs"),
        ("CLOUD_PROJECT_ID", ""),
    ]);
    let served = Served::start(&mut serve(&variables));
    assert_eq!(served.line["token"], "private-token");
    assert!(served.get("/health", "").starts_with("HTTP/1.1 200 OK"));
    assert!(served.get("/api/sources", "private-token").contains("gateway.logs.prod"));
    assert!(served.get("/api/sources", "public-token").starts_with("HTTP/1.1 401"));
    let logs = served.get("/endpoints/query/logs.all?project=default", "public-token");
    assert!(logs.ends_with(r#"{"result":[]}"#), "{logs}");
}

#[test]
fn it_takes_the_key_of_a_service_account_for_the_warehouse() {
    let mut variables = GOOD.to_vec();
    variables.extend([
        ("CLOUD_PROJECT_ID", "test-project"),
        ("CLOUD_PROJECT_NUMBER", "123"),
        ("CLOUD_APPLICATION_CREDENTIALS", key_file()),
    ]);
    let served = Served::start(&mut serve(&variables));
    let warehouse = served.get("/_sim/warehouse", "");
    assert!(
        warehouse.contains("analytics@test-project.test") && warehouse.contains(r#""US""#),
        "{warehouse}"
    );
}

#[test]
fn what_is_wrong_with_the_environment_stops_it_and_is_named() {
    let rows: &[(&[(&str, &str)], &str)] = &[
        (&[("ANALYTICS_SINGLE_TENANT", "")], "ANALYTICS_SINGLE_TENANT: must be true, is not set"),
        (&[("ANALYTICS_SINGLE_TENANT", "yes")], "ANALYTICS_SINGLE_TENANT: must be true, is \"yes\""),
        (&[("PLATFORM_MODE", "false")], "PLATFORM_MODE: must be true, is \"false\""),
        (
            &[("POSTGRES_BACKEND_URL", "mysql://db")],
            "POSTGRES_BACKEND_URL: must be an address such as postgresql://user:password@host:5432/database",
        ),
        (
            &[("POSTGRES_BACKEND_URL", "postgresql://user:password@127.0.0.1:1/logs")],
            "POSTGRES_BACKEND_URL: the server can't be used: ",
        ),
        (&[("POSTGRES_BACKEND_SCHEMA", "a b")], "POSTGRES_BACKEND_SCHEMA: must be the name of a schema"),
        (&[("CLOUD_PROJECT_ID", "p")], "CLOUD_PROJECT_NUMBER: is needed beside CLOUD_PROJECT_ID"),
        (&[("CLOUD_PROJECT_NUMBER", "1")], "CLOUD_PROJECT_ID: is needed beside CLOUD_PROJECT_NUMBER"),
        (
            &[("CLOUD_PROJECT_ID", "p"), ("CLOUD_PROJECT_NUMBER", "x")],
            "CLOUD_PROJECT_NUMBER: must be digits, is \"x\"",
        ),
        (
            &[
                ("CLOUD_PROJECT_ID", "p"),
                ("CLOUD_PROJECT_NUMBER", "1"),
                ("CLOUD_APPLICATION_CREDENTIALS", "none.json"),
            ],
            "CLOUD_APPLICATION_CREDENTIALS: none.json: can't be read",
        ),
        (
            &[
                ("CLOUD_PROJECT_ID", "p"),
                ("CLOUD_PROJECT_NUMBER", "1"),
                ("CLOUD_APPLICATION_CREDENTIALS", key_file()),
            ],
            "is of the project \"test-project\", not of \"p\"",
        ),
        (
            &[("CLOUD_PROJECT_ID", "p"), ("POSTGRES_BACKEND_URL", "postgres://db/x")],
            "CLOUD_PROJECT_ID: asks for a second backend beside POSTGRES_BACKEND_URL; exactly one is active",
        ),
        (
            &[("ANALYTICS_PUBLIC_ACCESS_TOKEN", "private-token")],
            "ANALYTICS_PRIVATE_ACCESS_TOKEN: must be another one than ANALYTICS_PUBLIC_ACCESS_TOKEN",
        ),
        (&[("ANALYTICS_API_KEY", "a b")], "ANALYTICS_API_KEY: must be visible ASCII characters"),
    ];
    for (variables, text) in rows {
        let output = serve(&[&GOOD[..], variables].concat()).output().expect("the binary runs");
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(error.starts_with("error: ") && error.contains(text), "{variables:?}: {error}");
        assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{variables:?}: {error}");
    }
}

#[cfg(all(unix, feature = "postgres"))]
#[test]
fn it_keeps_the_events_on_a_server_of_postgresql() {
    use sim_core::engine::{EventQuery, EventServer as _};
    let Ok(there) = sim_http::PostgresEvents::start("_logs") else {
        return eprintln!("SKIPPED: there is no PostgreSQL on this machine");
    };
    let url = there.url();
    let mut variables = GOOD.to_vec();
    variables.extend([("POSTGRES_BACKEND_URL", url.as_str()), ("POSTGRES_BACKEND_SCHEMA", "_logs")]);
    let served = Served::start(&mut serve(&variables));
    let sent = served.post(
        "/api/logs?source_name=postgres.logs",
        "private-token",
        r#"{"project":"default","message":"m"}"#,
    );
    assert!(sent.ends_with(r#"{"message":"Logged!"}"#), "{sent}");
    let sql = "/endpoints/query/logs.all?project=default&sql=select+event_message+from+postgres_logs";
    let logs = served.get(sql, "private-token");
    assert!(logs.ends_with(r#"{"result":[{"event_message":"m"}]}"#), "{logs}");
    let sql = "select table_schema || '.' || left(table_name, 11) as c1 from information_schema.tables
               where table_name like 'log\\_events\\_%'";
    let limits = sim_core::sql::Limits::default();
    let tables = there.query(&EventQuery { sql, parameters: &[], limits }).expect("it answers");
    assert_eq!(tables, [[Some("_logs.log_events_".to_owned())]]);
}
