//! Looking at a world without being part of it: peeks, pages of the journal, what calls changed, what is told as it
//! happens.

use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpStream;

use serde_json::{Value, json};
use sim_core::engine::fault::{AddFault, Effect, Fault, On};
use sim_core::{Policy, RateLimit, Simulator};
use sim_http::Server;

use crate::client::{call, call_with, connect, get, new_project, post, spawn};

fn peek(server: &Server, body: Value) -> Value {
    post(server, "/_sim/peek", &body.to_string()).json()
}

#[test]
fn a_peek_leaves_no_trace() {
    let server = spawn();
    let project: Value = serde_json::from_str(&new_project(&server)).expect("a body");
    let calls = server.sim().calls();
    let made = peek(&server, json!({ "method": "POST", "target": "/v1/projects", "body": project }));
    assert_eq!(made["status"], 201);
    assert!(made["body"].as_str().expect("a text").contains("\"status\":\"UNKNOWN\""), "{made}");
    assert_eq!(peek(&server, json!({ "target": "/v1/projects" })), json!({ "status": 200, "body": "[]" }));
    assert_eq!(server.sim().calls(), calls);
    assert!(server.sim().agenda().is_empty());
}

#[test]
fn a_peek_ignores_limits_and_faults_and_has_the_reason_of_a_refusal() {
    let limit = RateLimit { count: 1, ..RateLimit::default() };
    let policy = Policy { rate_limit: limit, ..Policy::default() };
    let server = Server::spawn(Simulator::builder().policy(policy).build());
    let fault = AddFault(Fault::new(On::path("*"), Effect::status(503)).times(0));
    server.sim().as_admin().call(fault).expect("a rule");
    for _ in 0..3 {
        assert_eq!(get(&server, "/v1/projects").status, 503);
        assert_eq!(peek(&server, json!({ "target": "/v1/projects" }))["status"], 200);
    }
    let refused = peek(&server, json!({ "target": "/v1/projects/abcdefghijklmnopqrst" }));
    assert_eq!((&refused["status"], &refused["reason"]), (&json!(404), &json!("project_not_found")));
    for body in [json!({ "target": "v1" }), json!({ "target": "/v1", "method": "B AD" })] {
        let answer = post(&server, "/_sim/peek", &body.to_string());
        assert_eq!((answer.status, answer.reason()), (400, "invalid_body.target"), "{body}");
    }
}

#[test]
fn a_peek_takes_the_accept_header_of_a_call() {
    let server = spawn();
    post(&server, "/_sim/worlds", r#"{"name": "shop", "scenario": "shop"}"#);
    let peek = |body: Value| post(&server, "/w/shop/_sim/peek", &body.to_string()).json();
    let projects: Value =
        serde_json::from_str(peek(json!({ "target": "/v1/projects" }))["body"].as_str().expect("a text"))
            .expect("a list");
    let target =
        format!("/v1/projects/{}/functions/hello/body", projects[0]["id"].as_str().expect("a reference"));
    let files = peek(json!({ "target": target, "accept": "multipart/form-data" }));
    assert!(files["body"].as_str().expect("a text").contains("filename=\"source/index.ts\""), "{files}");
    let bundle = peek(json!({ "target": target }));
    assert!(bundle["body"].as_str().expect("a text").starts_with("ESZIP"), "{bundle}");
}

#[test]
fn a_comparison_adds_nothing_to_the_logs_that_it_compares() {
    let server = Server::spawn(Simulator::builder().with_self_log().build());
    let made = post(&server, "/v1/projects", &new_project(&server)).json();
    let path = format!("/v1/projects/{}", made["id"].as_str().expect("a reference"));
    post(&server, "/_sim/fork", r#"{"name": "before"}"#);
    post(&server, "/v1/projects", &new_project(&server).replace("demo", "second"));
    let difference = get(&server, "/w/before/_sim/diff?to=main").json();
    let answers = difference["answers"].as_array().expect("a list");
    let paths: Vec<_> = answers.iter().filter_map(|one| one["path"].as_str()).collect();
    assert!(paths.contains(&"/v1/projects"), "{paths:?}");
    assert_eq!(paths.iter().filter(|one| one.starts_with(&path)).count(), 0, "{paths:?}");
}

#[test]
fn a_world_is_compared_with_a_fork_a_snapshot_and_an_earlier_call() {
    let server = spawn();
    let made = post(&server, "/v1/projects", &new_project(&server)).json();
    let path = format!("/v1/projects/{}", made["id"].as_str().expect("a reference"));
    post(&server, "/_sim/fork", r#"{"name": "before"}"#);
    post(&server, "/_sim/snapshots", r#"{"name": "kept"}"#);
    post(&server, "/_sim/clock/advance", r#"{"ms": 60000}"#);
    let calls = server.sim().calls();
    let since = format!("/_sim/diff?at_call={calls}");
    for from in ["/w/before/_sim/diff?to=main", "/_sim/diff?snapshot=kept", &since] {
        let difference = get(&server, from).json();
        let rows = difference["rows"].as_array().expect("a list");
        assert!(
            rows.iter().any(|row| row["table"] == "project" && row["after"]["status"] == "ACTIVE_HEALTHY"),
            "{from}"
        );
        let answers = difference["answers"].as_array().expect("a list");
        let one = answers.iter().find(|one| one["path"] == path.as_str()).expect(from);
        let status = json!({ "pointer": "/status", "before": "COMING_UP", "after": "ACTIVE_HEALTHY" });
        assert!(one["changes"].as_array().expect("a list").contains(&status), "{one}");
    }
    let back = get(&server, "/_sim/diff?to=before").json();
    assert!(back["rows"].as_array().expect("a list").iter().any(|row| row["after"]["status"] == "COMING_UP"));
    post(&server, "/_sim/fork", r#"{"name": "same"}"#);
    assert_eq!(get(&server, "/_sim/diff?to=same").json(), json!({ "rows": [], "answers": [] }));
    assert_eq!(server.sim().calls(), calls, "no comparison is a call of the client");
    for (query, reason) in [
        ("", "invalid_query.to"),
        ("?at_call=1&snapshot=kept", "invalid_query.snapshot"),
        ("?to=nowhere", "world_not_found"),
        ("?snapshot=nothing", "snapshot_not_found"),
        ("?at_call=99", "call_not_found"),
    ] {
        assert_eq!(get(&server, &format!("/_sim/diff{query}")).reason(), reason, "{query}");
    }
}

#[test]
fn the_address_of_the_server_leads_to_what_there_is() {
    let server = spawn();
    let browser = call_with(&server, "GET", "/", &[("accept", "text/html,*/*;q=0.8")], "");
    assert_eq!((browser.status, browser.header("location")), (303, Some("/dashboard")));
    let index = get(&server, "/").json();
    for link in ["dashboard", "controls", "control", "guide", "openapi"] {
        let path = index["links"][link].as_str().expect("a link");
        assert_eq!(get(&server, path).status, 200, "{link}");
    }
    let controls = get(&server, "/_sim").json();
    let operations = controls["operations"].as_array().expect("a list");
    let advance =
        json!({ "operation": "sim-advance-clock", "method": "POST", "path": "/_sim/clock/advance" });
    assert!(
        operations
            .iter()
            .any(|one| { ["operation", "method", "path"].iter().all(|name| one[name] == advance[name]) })
    );
}

#[test]
fn the_journal_is_searched_page_by_page() {
    let server = spawn();
    post(&server, "/v1/projects", &new_project(&server));
    get(&server, "/v1/projects/abcdefghijklmnopqrst");
    call_with(&server, "GET", "/v1/projects", &[], "");
    get(&server, "/_sim/users");
    let found = |query: &str| {
        let page = get(&server, &format!("/_sim/journal/search?{query}")).json();
        let calls: Vec<u64> = page["calls"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|call| call["call"].as_u64())
            .collect();
        (page["total"].as_u64().expect("a number"), calls)
    };
    for (query, expected) in [
        ("", (5, vec![1, 2, 3, 4, 5])),
        ("offset=1&limit=2", (5, vec![2, 3])),
        ("text=PROJECT_not_found", (1, vec![3])),
        ("method=post", (1, vec![2])),
        ("status_from=400", (2, vec![3, 4])),
        ("status_from=400&offset=1", (2, vec![4])),
        ("status_to=200", (2, vec![1, 5])),
        ("refused_by=credentials", (1, vec![4])),
        ("reason=token_missing", (1, vec![4])),
        ("reason=invalid_body", (0, vec![])),
        ("control=false", (4, vec![1, 2, 3, 4])),
        ("text=nothing", (0, vec![])),
    ] {
        assert_eq!(found(query), expected, "{query}");
    }
    let answer = get(&server, "/_sim/journal/search?refused_by=nobody");
    assert_eq!((answer.status, answer.reason()), (400, "invalid_query.refused_by"));
    for (query, field, question) in [
        ("search?method=GTE", "method", "did you mean `GET`?"),
        ("search?reason=rate_limitd", "reason", "did you mean `rate_limited`?"),
        ("search?reason=token", "reason", "did you mean `token_"),
        ("?reason=token_mising", "reason", "did you mean `token_missing`?"),
    ] {
        let path = format!("/_sim/journal/{query}").replace("/?", "?");
        let answer = get(&server, &path);
        assert_eq!((answer.status, answer.reason()), (400, &*format!("invalid_query.{field}")), "{query}");
        assert!(answer.body.contains(question), "{}", answer.body);
    }
}

#[test]
fn the_journal_lists_the_calls_that_were_refused_for_a_reason() {
    let server = spawn();
    for path in ["/v1/nothing", "/v1/projects", "/v1/projects/a", "/v1/projects/b", "/v1/nothing"] {
        get(&server, path);
    }
    let numbers = |query: &str| -> Vec<u64> {
        let calls = get(&server, &format!("/_sim/journal?{query}")).json();
        calls.as_array().expect("a list").iter().filter_map(|call| call["call"].as_u64()).collect()
    };
    assert_eq!(numbers("reason=unknown_path"), [1, 5]);
    assert_eq!(numbers("reason=unknown_path&from=2"), [5]);
    assert_eq!(numbers("reason=unknown_path&limit=1"), [1]);
    assert_eq!(numbers("reason=invalid_path"), [3, 4], "with any field");
    assert_eq!(numbers("reason=invalid_path.ref"), [3, 4]);
    assert_eq!(numbers("reason=invalid_path.re"), [0; 0]);
}

#[test]
fn changed_rows_of_a_call_are_listed() {
    let server = spawn();
    let project = post(&server, "/v1/projects", &new_project(&server)).json();
    let id = project["id"].as_str().expect("a reference");
    post(&server, "/_sim/clock/advance", r#"{"ms":60000}"#);
    post(&server, &format!("/v1/projects/{id}/pause"), "");
    let changes = |call: u64| get(&server, &format!("/_sim/journal/{call}/changes")).json();
    let of_project = |changes: &Value| {
        let mut all = changes.as_array().expect("a list").iter();
        all.find(|change| change["table"] == "project").cloned().expect("the project is in it")
    };
    let made = of_project(&changes(2));
    assert_eq!((&made["before"], &made["after"]["status"]), (&Value::Null, &json!("COMING_UP")));
    assert_eq!(made["after"]["db_pass"], "•••");
    let paused = of_project(&changes(3));
    let status = (&paused["before"]["status"], &paused["after"]["status"]);
    assert_eq!(status, (&json!("ACTIVE_HEALTHY"), &json!("PAUSING")));
    assert_eq!(changes(1), json!([]));
    for call in ["0", "4", "18446744073709551615"] {
        assert_eq!(get(&server, &format!("/_sim/journal/{call}/changes")).status, 404, "{call}");
    }
}

#[test]
fn rate_windows_stand_as_they_do_by_now() {
    let server = spawn();
    assert_eq!(get(&server, "/_sim/rate-windows").json(), json!([]));
    get(&server, "/v1/projects");
    let opened = "2026-01-01T00:00:00Z";
    let window = |used: u64, rest: Value| {
        let mut window = json!({ "user": "owner", "limit": 60, "used": used, "remaining": 60 - used });
        rest.as_object().expect("fields").iter().for_each(|(name, value)| window[name] = value.clone());
        json!([window])
    };
    let windows = || get(&server, "/_sim/rate-windows").json();
    let open = json!({ "opened_at": opened, "ends_at": "2026-01-01T00:01:00Z", "blocked": false });
    assert_eq!(windows(), window(1, open));
    for _ in 0..60 {
        get(&server, "/v1/projects");
    }
    let blocked = windows();
    assert_eq!((&blocked[0]["blocked"], &blocked[0]["remaining"]), (&json!(true), &json!(0)));
    post(&server, "/_sim/clock/advance", r#"{"ms":60000}"#);
    assert_eq!(windows(), window(0, json!({ "blocked": false })));
}

#[test]
fn lifecycles_are_the_code_s_own() {
    let lifecycles = get(&spawn(), "/_sim/lifecycles").json();
    let names: Vec<_> =
        lifecycles.as_array().expect("a list").iter().map(|one| one["name"].clone()).collect();
    assert_eq!(
        names,
        [
            "Project",
            "Branch",
            "Read replica",
            "Custom hostname",
            "Function",
            "Signing key",
            "Compute instance",
            "Restore point"
        ]
    );
}

/// A stream of events as it comes.
struct Stream(BufReader<TcpStream>);

impl Stream {
    fn open(server: &Server, path: &str, headers: &str) -> Stream {
        let mut stream = connect(server.addr());
        write!(stream, "GET {path} HTTP/1.1\r\nhost: localhost\r\n{headers}\r\n").expect("the server reads");
        Stream(BufReader::new(stream))
    }

    /// The next message: its id and its data. `None` at the end.
    fn next(&mut self) -> Option<(String, Value)> {
        let mut id = String::new();
        loop {
            let mut line = String::new();
            if self.0.read_line(&mut line).expect("text") == 0 {
                return None;
            }
            if let Some(text) = line.strip_prefix("id: ") {
                id = text.trim_end().to_owned();
            }
            if let Some(data) = line.strip_prefix("data: ") {
                return Some((id, serde_json::from_str(data).expect("JSON")));
            }
        }
    }
}

#[test]
fn events_are_streamed_as_they_happen() {
    let server = spawn();
    get(&server, "/v1/projects");
    let mut stream = Stream::open(&server, "/_sim/events", "");
    let (id, first) = stream.next().expect("how things stand");
    assert_eq!((&*id, &first["services"][0]["new_calls"]), ("1.0", &json!([])));

    post(&server, "/v1/projects", "{}");
    let (id, refused) = stream.next().expect("a call");
    assert_eq!((&*id, &refused["services"][0]["new_calls"][0]["status"]), ("2.0", &json!(400)));

    post(&server, "/_sim/clock/advance", r#"{"ms":1000}"#);
    let (id, moved) = stream.next().expect("the clock");
    assert_eq!((&*id, &moved["clock"]["now"]), ("2.0", &json!("2026-01-01T00:00:01Z")));
}

#[test]
fn a_stream_is_taken_up_where_it_was_left() {
    let server = spawn();
    let new = new_project(&server);
    post(&server, "/v1/projects", &new);
    post(&server, "/_sim/clock/advance", r#"{"ms":60000}"#);
    let mut stream = Stream::open(&server, "/_sim/events", "last-event-id: 1.0\r\n");
    let (id, news) = stream.next().expect("what was missed");
    let missed = &news["services"][0];
    assert_eq!(missed["new_calls"][0]["operation"], "v1-create-a-project");
    assert_eq!(missed["happened"][0]["became"], "ACTIVE_HEALTHY");
    let (_, after) =
        Stream::open(&server, &format!("/_sim/events?after={id}"), "").next().expect("nothing new");
    assert_eq!((&after["services"][0]["happened"], &after["went_back"]), (&json!([]), &json!(false)));
    let (_, back) = Stream::open(&server, "/_sim/events?after=99.0", "").next().expect("news");
    assert_eq!(back["went_back"], true);
    let answer = get(&server, "/_sim/events?after=then");
    assert_eq!((answer.status, answer.reason()), (400, "invalid_query.after"));
}

#[test]
fn a_stream_ends_with_its_world_and_with_the_server() {
    let server = spawn();
    post(&server, "/_sim/worlds", r#"{"name":"short"}"#);
    let mut of_world = Stream::open(&server, "/w/short/_sim/events", "");
    let mut of_main = Stream::open(&server, "/_sim/events", "");
    assert!(of_world.next().is_some() && of_main.next().is_some());
    assert_eq!(call(&server, "DELETE", "/_sim/worlds/short", "").status, 200);
    // The connection stays for other requests, so its end is that of the body.
    let mut line = String::new();
    while line != "0\r\n" {
        line.clear();
        assert_ne!(of_world.0.read_line(&mut line).expect("text"), 0, "the body ends in order");
    }
    server.stop();
    assert_eq!(of_main.next(), None);
}
