//! `stuntdouble analytics serve`, run as a process.

use std::path::{Path, PathBuf};
use std::process::Command;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rcgen::KeyPair;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::alg_id;

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
    concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/service-account.json")
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

/// Good variables, and those of a service account.
fn with_service_account() -> Vec<(&'static str, &'static str)> {
    let mut variables = GOOD.to_vec();
    variables.extend([
        ("CLOUD_PROJECT_ID", "test-project"),
        ("CLOUD_PROJECT_NUMBER", "123"),
        ("CLOUD_APPLICATION_CREDENTIALS", key_file()),
    ]);
    variables
}

#[test]
fn it_takes_the_key_of_a_service_account_for_the_warehouse() {
    let served = Served::start(&mut serve(&with_service_account()));
    let warehouse = served.get("/_sim/warehouse", "");
    assert!(
        warehouse.contains("analytics@test-project.test") && warehouse.contains(r#""US""#),
        "{warehouse}"
    );
}

#[test]
fn the_tokens_of_requests_are_signed_with_the_key_of_the_service_account() {
    let served = Served::start(&mut serve(&with_service_account()));
    let first = tokens(&served);
    assert!(first.len() > 9, "a dataset, its functions and nine tables");
    for token in &first {
        let (signed, signature) = token.rsplit_once('.').expect("three parts");
        let (header, claims) = signed.split_once('.').expect("three parts");
        assert_eq!(decoded(header), br#"{"alg":"RS256","typ":"JWT"}"#);
        let claims: serde_json::Value = serde_json::from_slice(&decoded(claims)).expect("claims are JSON");
        assert_eq!(claims["iss"], "analytics@test-project.test");
        assert!(is_signed(signed.as_bytes(), &decoded(signature)), "{token}");
        assert!(!is_signed(format!("{signed}x").as_bytes(), &decoded(signature)), "{token}");
    }
    assert_eq!(tokens(&served), first, "the same bytes have the same signature");
}

fn tokens(served: &Served) -> Vec<String> {
    let answer = served.get("/_sim/warehouse/requests", "");
    let (_, body) = answer.split_once("\r\n\r\n").expect("it has a body");
    let requests: Vec<serde_json::Value> = serde_json::from_str(body).expect("it is JSON");
    requests.iter().map(|request| request["token"].as_str().expect("a token").to_owned()).collect()
}

fn decoded(part: &str) -> Vec<u8> {
    URL_SAFE_NO_PAD.decode(part).expect("it is base64")
}

/// Whether the signature is valid under the public half of the key.
fn is_signed(bytes: &[u8], signature: &[u8]) -> bool {
    let file = std::fs::read_to_string(key_file()).expect("it is there");
    let file: serde_json::Value = serde_json::from_str(&file).expect("it is JSON");
    let pair = KeyPair::from_pem(file["private_key"].as_str().expect("a key")).expect("it is a key");
    let algorithms = default_provider().signature_verification_algorithms;
    let rs256 = algorithms.all.iter().find(|one| {
        one.signature_alg_id() == alg_id::RSA_PKCS1_SHA256
            && one.public_key_alg_id() == alg_id::RSA_ENCRYPTION
    });
    rs256.expect("it is known").verify_signature(pair.public_key_raw(), bytes, signature).is_ok()
}

#[test]
fn errors_in_the_environment_stop_it_and_are_named() {
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

/// A file with a profile that gives variables other names.
fn renaming() -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{}-variables.toml", std::process::id()));
    let text = "[variables]\nANALYTICS_SINGLE_TENANT = \"ACME_SINGLE_TENANT\"\nPLATFORM_MODE = \"ACME_MODE\"\n\
                ANALYTICS_PRIVATE_ACCESS_TOKEN = \"ACME_PRIVATE_ACCESS_TOKEN\"\nANALYTICS_API_KEY = \"ACME_API_KEY\"\n\
                ANALYTICS_PUBLIC_ACCESS_TOKEN = \"ACME_PUBLIC_ACCESS_TOKEN\"\n";
    std::fs::write(&file, text).expect("it can be written");
    file
}

#[test]
fn a_profile_gives_the_variables_other_names() {
    let file = renaming();
    let begin = |variables: &[(&str, &str)]| {
        let mut command = serve(variables);
        command.arg("--profile").arg(&file);
        command
    };
    let good = [
        ("ACME_SINGLE_TENANT", "true"),
        ("ACME_MODE", "true"),
        ("ACME_PRIVATE_ACCESS_TOKEN", "private-token"),
        ("ACME_API_KEY", "public-token"),
    ];
    let served = Served::start(&mut begin(&good));
    let tokens = served.get("/api/access-tokens", "private-token");
    assert!(tokens.contains("\"ACME_PRIVATE_ACCESS_TOKEN\"") && !tokens.contains("ANALYTICS_"), "{tokens}");
    assert!(served.get("/endpoints/query/logs.all?project=default", "public-token").contains("200 OK"));
    for (variables, expected) in [
        (&good[1..], "error: ACME_SINGLE_TENANT: must be true, is not set\n"),
        (
            &[good[0], good[1], good[2], ("ACME_API_KEY", "private-token")],
            "error: ACME_PRIVATE_ACCESS_TOKEN: must be another one than ACME_API_KEY\n",
        ),
    ] {
        let output = begin(variables).output().expect("the binary runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), expected);
    }
}

const POSTGRES: &str = "/api/logs?source_name=postgres.logs";
const MESSAGES: &str =
    "/endpoints/query/logs.all?project=default&sql=select+event_message+from+postgres_logs";

/// An event of the machine's present.
fn event() -> String {
    format!(r#"[{{"timestamp":"{}","project":"default","message":"m"}}]"#, sim_http::now())
}

#[test]
fn it_begins_at_the_present_and_stores_events_of_the_present() {
    let before = sim_http::now();
    for more in [&[][..], &["--start", "now"], &["--speed", "0"]] {
        let served = Served::start(serve(&GOOD).args(more));
        let begun = served.line["now"].as_str().and_then(|now| now.parse().ok()).expect("an instant");
        assert!((before..=sim_http::now()).contains(&begun), "{begun}");
        let sent = served.post(POSTGRES, "private-token", &event());
        assert!(sent.ends_with(r#"{"message":"Logged!"}"#), "{sent}");
        let logs = served.get(MESSAGES, "private-token");
        assert!(logs.ends_with(r#"{"result":[{"event_message":"m"}]}"#), "{logs}");
        let made = served.post("/_sim/worlds", "", r#"{"name":"made"}"#);
        assert!(!made.contains("2026-01-01T00:00:00"), "{made}");
    }
}

#[test]
fn events_ahead_of_its_clock_are_refused_with_a_reason_and_one_line() {
    let mut served = Served::start(serve(&GOOD).arg("--deterministic"));
    assert_eq!(served.line["now"], "2026-01-01T00:00:00Z");
    for _ in 0..2 {
        let sent = served.post(POSTGRES, "private-token", &event());
        assert!(sent.starts_with("HTTP/1.1 406 ") && sent.contains("x-sim-reason: events_ahead"), "{sent}");
    }
    let clock = served.get("/_sim/clock", "");
    assert!(clock.contains(r#""now":"2026-01-01T00:00:00Z""#) && clock.contains(r#""speed":0.0"#), "{clock}");
    let calls = served.get("/_sim/journal", "");
    assert!(calls.contains(r#""reason":"events_ahead""#), "{calls}");
    assert!(served.error_line().starts_with("warning: events were refused"));
}

#[cfg(unix)]
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
