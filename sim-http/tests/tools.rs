//! `stuntdouble tools`: a client that knows only what the server says of itself does the jobs of a newcomer.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A tool client over the standard streams of the program.
struct Agent {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    sent: u64,
}

fn tools() -> Child {
    Command::new(env!("CARGO_BIN_EXE_stuntdouble"))
        .args(["tools", "--deterministic"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

impl Agent {
    fn start() -> Agent {
        let mut child = tools();
        let stdin = child.stdin.take();
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut agent = Agent { child, stdin, stdout, sent: 0 };
        let client = json!({ "name": "agent", "version": "1" });
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client });
        let welcome = agent.ask("initialize", &hello);
        assert_eq!(welcome["result"]["serverInfo"]["name"], "stuntdouble");
        let instructions = welcome["result"]["instructions"].as_str().expect("a text");
        assert!(
            instructions.contains("/llms.txt") && instructions.contains("the token pat_"),
            "{instructions}"
        );
        agent.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }));
        agent
    }

    fn send(&mut self, message: &Value) {
        writeln!(self.stdin.as_mut().expect("a pipe"), "{message}").expect("the program reads");
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.sent += 1;
        let id = self.sent;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let mut line = String::new();
        self.stdout.read_line(&mut line).expect("the program answers");
        let answer: Value = serde_json::from_str(&line).expect(&line);
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The answer to a line, whatever it is.
    fn answer_to(&mut self, line: &str) -> Value {
        writeln!(self.stdin.as_mut().expect("a pipe"), "{line}").expect("the program reads");
        let mut answer = String::new();
        self.stdout.read_line(&mut answer).expect("the program answers");
        serde_json::from_str(&answer).expect(&answer)
    }

    /// The text of a tool's answer as JSON, and whether it is an error.
    fn tool(&mut self, name: &str, arguments: Value) -> (Value, bool) {
        let answer = self.ask("tools/call", &json!({ "name": name, "arguments": arguments }));
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_else(|| panic!("{answer}"));
        let is_error = answer["result"]["isError"] == true;
        (serde_json::from_str(text).unwrap_or_else(|_| text.into()), is_error)
    }

    fn done(&mut self, name: &str, arguments: Value) -> Value {
        let (answer, is_error) = self.tool(name, arguments);
        assert!(!is_error, "{name}: {answer}");
        answer
    }

    fn create_project(&mut self) -> String {
        let body = json!({ "name": "demo", "organization_id": "acme", "region": "us-east-1", "db_pass": "a-password" });
        let made = self.done("call", json!({ "method": "POST", "path": "/v1/projects", "body": body }));
        assert_eq!(made["status"], 201, "{made}");
        made["body"]["id"].as_str().expect("a reference").to_owned()
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        drop(self.stdin.take());
        let ended = self.child.wait();
        if !std::thread::panicking() {
            assert!(ended.expect("the program ends with its input").success());
        }
    }
}

#[test]
fn tools_have_schemas_of_their_own() {
    let mut agent = Agent::start();
    let listed = agent.ask("tools/list", &json!({}));
    let tools = listed["result"]["tools"].as_array().expect("a list");
    assert_eq!(tools.len(), 13, "{listed}");
    for tool in tools {
        assert!(!tool["description"].as_str().expect("a text").is_empty(), "{tool}");
        assert_eq!(tool["inputSchema"]["type"], "object", "{tool}");
        assert!(!tool.to_string().contains("#/components/"), "{tool}");
    }
    for method in ["resources/list", "prompts/get", "resources/subscribe", "tools/lst"] {
        let params = json!({ "name": "x", "uri": "file:///x" });
        let refused = agent.ask(method, &params);
        let message = refused["error"]["message"].as_str().expect("a text");
        assert!(
            message.starts_with(&format!("there is no method {method:?}; the methods are initialize, ping")),
            "{refused}"
        );
    }
    let unknown = agent.ask("tools/call", &json!({ "name": "rewind", "arguments": {} }));
    assert!(
        unknown["error"]["message"].as_str().expect("a text").contains("the tools are call, "),
        "{unknown}"
    );
}

#[test]
fn an_agent_does_the_jobs_of_a_newcomer() {
    let mut agent = Agent::start();
    // A project comes up.
    let id = agent.create_project();
    let path = format!("/v1/projects/{id}");
    agent.done("fork", json!({ "name": "before" }));
    agent.done("advance", json!({ "ms": 60_000 }));
    let project = agent.done("call", json!({ "method": "GET", "path": path }));
    assert_eq!(project["body"]["status"], "ACTIVE_HEALTHY");
    // What has changed?
    let difference = agent.done("diff", json!({ "world": "before", "to": "main" }));
    assert!(difference["answers"].to_string().contains("ACTIVE_HEALTHY"), "{difference}");
    // Why was a call refused?
    agent.done("call", json!({ "method": "POST", "path": format!("{path}/pause") }));
    let refused = agent.done("call", json!({ "method": "POST", "path": format!("{path}/database/query"), "body": { "query": "select 1" } }));
    assert!(refused["status"].as_u64() >= Some(400), "{refused}");
    let why = agent.done("explain", json!({ "call": refused["call"] }));
    assert!(why["because_of"].to_string().contains("/pause"), "{why}");
    // The next restore fails.
    agent.done("advance", json!({ "to": "next_due" }));
    agent.done("set_outcome", json!({ "work": "restore", "outcome": "fail" }));
    agent.done("call", json!({ "method": "POST", "path": format!("{path}/restore"), "body": {} }));
    agent.done("advance", json!({ "to": "next_due" }));
    let project = agent.done("call", json!({ "method": "GET", "path": path }));
    assert_eq!(project["body"]["status"], "RESTORE_FAILED");
    // An answer is replaced by an error.
    let fault =
        json!({ "on": { "path": "/v1/organizations" }, "effect": { "kind": "status", "status": 503 } });
    agent.done("add_fault", fault);
    let broken = agent.done("call", json!({ "method": "GET", "path": "/v1/organizations" }));
    assert_eq!(broken["status"], 503);
    // A wrong argument is told.
    for (arguments, expected) in [
        (json!({ "path": "/v1/projects" }), "method: must be one of GET, "),
        (json!({ "method": "PSOT", "path": "/v1/projects" }), "did you mean `POST`?"),
        (json!({ "method": "GET" }), "path: must be given"),
        (json!({ "method": "GET", "path": "v1/projects" }), "path: must begin with /"),
        (json!({ "method": "GET", "path": "/v1/projects", "bdy": {} }), "did you mean `body`?"),
        (json!({ "method": "GET", "path": "/v1/projects", "world": 1 }), "world: must be a name"),
    ] {
        let (wrong, is_error) = agent.tool("call", arguments);
        let message = wrong["message"].as_str().expect("a text");
        assert!(is_error && message.contains(expected) && wrong["reason"] == "invalid_argument", "{wrong}");
    }
    for (tool, arguments, expected) in [
        ("advance", json!({ "by": "1h" }), "by: there is no such argument; there are "),
        ("explain", json!({ "cal": 1 }), "did you mean `call`?"),
        ("explain", json!({}), "call: must be given"),
        ("set_outcome", json!({ "work": "restore" }), "outcome: must be"),
        (
            "call",
            json!({ "method": "GET", "path": "/v1/projects", "token": 5 }),
            "token: must be a text, received 5",
        ),
        (
            "call",
            json!({ "method": "GET", "path": "/v1/my projects" }),
            "path: must have ' ' percent-encoded",
        ),
    ] {
        let (wrong, is_error) = agent.tool(tool, arguments);
        let message = wrong["message"].as_str().expect("a text");
        assert!(is_error && message.contains(expected) && wrong["reason"] == "invalid_argument", "{wrong}");
    }
}

#[test]
fn a_line_that_is_no_message_is_answered_with_the_reason() {
    let mut agent = Agent::start();
    let deep = format!(
        r#"{{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}1{}}}"#,
        "[".repeat(200),
        "]".repeat(200)
    );
    let long =
        format!(r#"{{"jsonrpc":"2.0","id":1,"method":"ping","params":{{"a":"{}"}}}}"#, "a".repeat(17 << 20));
    // The first two lines are those of the handshake.
    for (at, (line, code, expected)) in [
        ("{", -32700, "is not JSON: EOF while parsing an object"),
        ("\u{fffd}", -32700, "is not JSON: expected value"),
        (&*deep, -32700, "is not JSON: recursion limit exceeded"),
        (&*long, -32600, "a message has at most 16777215 bytes"),
        ("[]", -32600, "must be one message; write each message of a batch in a line of its own"),
        ("5", -32600, "must be an object, as in "),
        (r#"{"id":1,"method":"ping"}"#, -32600, "jsonrpc: must be \"2.0\""),
        (r#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600, "id: must be a whole number or a text"),
        (r#"{"jsonrpc":"2.0","id":1}"#, -32600, "method: must be given"),
        (r#"{"jsonrpc":"2.0","id":1,"method":5}"#, -32600, "method: must be a text"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":5}"#, -32600, "params: must be an object"),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/call"}"#, -32602, "params: must be given"),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}"#,
            -32602,
            "params.name: must be the name of a tool",
        ),
        (
            r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"call","arguments":[]}}"#,
            -32602,
            "params.arguments: must be an object",
        ),
        (r#"{"jsonrpc":"2.0","id":1,"method":"tools/lst"}"#, -32601, "did you mean `tools/list`?"),
    ]
    .into_iter()
    .enumerate()
    {
        let answer = agent.answer_to(line);
        let message = answer["error"]["message"].as_str().unwrap_or_else(|| panic!("{answer}"));
        assert!(answer["error"]["code"] == code && message.contains(expected), "{answer}");
        let place = format!("line {}: ", at + 3);
        assert_eq!(message.starts_with(&place), code == -32700 || code == -32600, "{place} {answer}");
    }
    // It still works.
    agent.create_project();
}

#[test]
fn input_that_ends_with_a_broken_line_is_answered() {
    let mut child = tools();
    child.stdin.take().expect("a pipe").write_all(b"{").expect("the program reads");
    let output = child.wait_with_output().expect("the program ends with its input");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains(r#""code":-32700"#) && said.contains("line 1: is not JSON"), "{said}");
}
