//! Commands that print the journal.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

use serde_json::Value;

use sim_core::Simulator;
use sim_core::engine::SingleTenant;
use sim_http::Server;

use super::{json, refusal, said};
use crate::cli::stuntdouble;
use crate::client::{call_with, get, post, spawn};

#[test]
fn explain_says_why_a_call_was_refused() {
    let server = spawn();
    get(&server, "/v1/projects/nothing");
    let text = said(&server, &["explain", "1"]);
    assert!(text.starts_with("call 1 at 2026-01-01T00:00:00Z: GET /v1/projects/nothing → 4"), "{text}");
    assert!(
        text.ends_with(
            "validation   refused\n    ref: Invalid, must be a project reference: 20 lowercase letters\n"
        ),
        "{text}"
    );
    assert_eq!(json(&server, &["explain", "1", "--json"])["call"]["call"], 1);
    assert!(refusal(server.url(), &["explain", "99"]).contains("99"));
    // Without a number: the latest call that was refused.
    get(&server, "/v1/projects");
    assert_eq!(said(&server, &["explain"]), text);
    // A path that nothing has: the one that was meant.
    for (path, near) in [
        ("/v1/projekts", "/v1/projects"),
        ("/v1/projects/abcdefghijklmnopqrst/pauze/", "/v1/projects/abcdefghijklmnopqrst/pause"),
    ] {
        get(&server, path);
        let text = said(&server, &["explain"]);
        assert!(text.ends_with(&format!("route        refused\n    nearest_path = {near}\n")), "{text}");
    }
    assert!(refusal(spawn().url(), &["explain"]).contains("no call was refused"));
}

#[test]
fn rows_are_printed_below_their_columns() {
    let server = spawn();
    get(&server, "/v1/projects");
    get(&server, "/v1/organizations?x=1");
    assert_eq!(
        said(&server, &["query", "select call, target, reason from call"]),
        "call  target                 reason\n1     /v1/projects           null\n2     /v1/organizations?x=1  null\n"
    );
    assert_eq!(json(&server, &["query", "select status from call", "--json"])[1]["status"], 200);
    assert_eq!(said(&server, &["query", "select 1 where false"]), "no rows\n");
    assert!(refusal(server.url(), &["query", "selec"]).contains("syntax error"));
    assert!(refusal(server.url(), &["query", "select * from projects"]).contains("did you mean `project`?"));
}

#[test]
fn the_journal_prints_a_line_for_each_call() {
    let server = spawn();
    get(&server, "/v1/projects");
    get(&server, "/v1/nothing");
    get(&server, "/v1/organizations");
    assert_eq!(
        said(&server, &["journal", "--last", "2"]),
        "2026-01-01T00:00:00Z     2  GET /v1/nothing  404 unknown_path\n\
         2026-01-01T00:00:00Z     3  GET /v1/organizations  200\n"
    );
    assert_eq!(
        said(&server, &["journal", "--failed"]),
        "2026-01-01T00:00:00Z     2  GET /v1/nothing  404 unknown_path\n"
    );
    assert_eq!(
        said(&server, &["journal", "--reason", "unknown_path"]),
        "2026-01-01T00:00:00Z     2  GET /v1/nothing  404 unknown_path\n"
    );
    let error = refusal(server.url(), &["journal", "--reason", "unknown_pth"]);
    assert!(error.contains("did you mean `unknown_path`?"), "{error}");
    let lines = said(&server, &["journal", "--json"]);
    let calls: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        calls.iter().map(|call| call["call"].as_u64()).collect::<Vec<_>>(),
        [Some(1), Some(2), Some(3)]
    );
}

#[test]
fn the_journal_has_the_calls_of_one_client() {
    let server = spawn();
    get(&server, "/v1/projects");
    let token = post(&server, "/_sim/users/owner/tokens", r#"{"name":"ci's"}"#).json();
    let token = format!("Bearer {}", token["token"].as_str().expect("a token"));
    call_with(&server, "GET", "/v1/organizations", &[("authorization", &token)], "");
    call_with(&server, "GET", "/v1/profile", &[("authorization", "Bearer unknown")], "");
    let calls_of = |client: &str| -> Vec<String> {
        let lines = said(&server, &["journal", "--client", client]);
        lines.lines().map(|line| line.split_whitespace().nth(3).unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(calls_of("ci's"), ["/v1/organizations"]);
    assert_eq!(calls_of("owner"), ["/v1/projects", "/v1/organizations"]);
    assert_eq!(calls_of("nobody"), ["/v1/profile"]);
    assert_eq!(calls_of("control"), ["/_sim/users/owner/tokens"]);
    let found = get(&server, "/_sim/journal/search?client=owner&status_to=299").json();
    assert_eq!((&found["total"], &found["calls"][1]["target"]), (&2.into(), &"/v1/organizations".into()));

    let error = refusal(server.url(), &["journal", "--client", "ownr"]);
    assert!(
        error.contains("there is no user, token or app") && error.contains("did you mean `owner`?"),
        "{error}"
    );
    assert_eq!(get(&server, "/_sim/journal/search?client=ownr").reason(), "invalid_query.client");
}

#[test]
fn calls_to_the_analytics_server_are_listed_and_explained() {
    let server = Server::spawn(Simulator::builder().with_analytics(&SingleTenant::default()).build());
    let token = server.analytics_token().expect("a token").to_owned();
    let header = format!("Bearer {token}");
    call_with(
        &server,
        "POST",
        "/api/logs?source_name=mine",
        &[("authorization", &header)],
        r#"{"message":"a"}"#,
    );
    assert_eq!(
        said(&server, &["journal", "--service", "analytics"]),
        "2026-01-01T00:00:00Z     1  POST /api/logs?source_name=mine  401 source_unknown\n"
    );
    assert_eq!(said(&server, &["journal"]), "");
    let text = said(&server, &["explain"]);
    assert!(text.ends_with("state        refused\n    source_name = mine\n"), "{text}");
    get(&server, "/v1/nothing");
    assert!(said(&server, &["explain"]).contains("GET /v1/nothing"), "first the management API");
}

#[test]
fn a_followed_journal_goes_on_with_new_calls() {
    let server = spawn();
    get(&server, "/v1/projects");
    let mut child = stuntdouble(&["journal", "--follow", "--url", server.url()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines().map_while(Result::ok);
    let first = lines.next();
    get(&server, "/v1/organizations");
    let second = lines.next();
    let _ = child.kill();
    let _ = child.wait();
    assert_eq!(first.as_deref(), Some("2026-01-01T00:00:00Z     1  GET /v1/projects  200"));
    assert_eq!(second.as_deref(), Some("2026-01-01T00:00:00Z     2  GET /v1/organizations  200"));
}
