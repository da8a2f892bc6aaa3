//! `exec`: the command's environment, and how it ends.

use std::io::Read as _;
use std::process::Stdio;

use serde_json::Value;

use super::{File, refusal, run, stuntdouble, text};

#[test]
fn exec_writes_a_file_for_a_command_line_client() {
    let file = File::new("client.yml", "");
    let output = run(&["exec", "--cli-profile", file.path(), "--", "cat", file.path()]);
    let written = text(&output.stdout);
    assert!(written.starts_with("name: local\napi_url: http://127.0.0.1:"), "{written}");
    assert!(written.ends_with("project_host: platform.test\npooler_host: platform.test\n"), "{written}");
}

#[test]
fn exec_says_which_fault_rules_never_struck() {
    let rule = r#"{"on": {"path": "/v1/organizations"}, "effect": {"kind": "reset"}}"#;
    let error = text(&run(&["exec", "--faults", rule, "--", "true"]).stderr);
    assert!(error.contains("warning: world main: a fault rule of management had no effect, rule 1 matched 0 calls and applied to 0"), "{error}");
}

#[test]
fn exec_says_what_was_decided_and_not_used() {
    let decide =
        r#"curl -s -X PUT "$STUNTDOUBLE_URL/$2_sim/outcomes/$1" -d '{"outcome": "fail"}' > /dev/null"#;
    let rules = r#"curl -s -X PUT "$STUNTDOUBLE_URL/_sim/faults" -d "$1" > /dev/null"#;
    let act = r#"curl -s -X POST "$STUNTDOUBLE_URL/_sim/$1" -d "$2" > /dev/null"#;
    let script = format!(
        r#"decide() {{ {decide}; }}; rules() {{ {rules}; }}; act() {{ {act}; }}
           rule='{{"on": {{"operation": "OP"}}, "effect": {{"kind": "reset"}}}}'
           first=$(echo "$rule" | sed s/OP/v1-pause-a-project/); second=$(echo "$rule" | sed s/OP/v1-get-project/)
           rules "[$first]"; rules "[$first, $second]"; rules "[$first]"
           act snapshots '{{"name": "before"}}'; decide restore; act snapshots/before/restore
           decide upgrade; act reset; act worlds '{{"name": "w"}}'; decide create w/w/; curl -s -X DELETE "$STUNTDOUBLE_URL/_sim/worlds/w" > /dev/null
           decide pause; decide resize"#
    );
    let output = run(&["exec", "--deterministic", "--", "sh", "-c", &script]);
    let error = text(&output.stderr);
    let ends = |line: &str| line.strip_prefix("warning: world ").map(str::to_owned);
    let told: Vec<String> = error.lines().filter_map(ends).collect();
    let rule = |operation: &str, id: u32| {
        format!(
            "main: a fault rule of management had no effect, rule {id} matched 0 calls and applied to 0: {{\"on\":{{\"operation\":\"{operation}\"}},\"nth\":1,\"times\":1,\"effect\":{{\"kind\":\"reset\"}}}}"
        )
    };
    let decision = |world: &str, call: u32, what: &str| {
        format!("{world}: the decision of call {call} that {what} had no effect")
    };
    assert_eq!(
        told,
        [
            rule("v1-get-project", 3),
            decision("main", 4, "the next restore fails"),
            rule("v1-pause-a-project", 4),
            decision("main", 4, "the next upgrade fails"),
            decision("w", 1, "the next create fails"),
            decision("main", 1, "the next pause fails"),
        ],
        "{error}"
    );
}

#[test]
fn a_missing_command_ends_with_127() {
    for command in ["sweep", "lens"] {
        for name in ["no-such-command", "/no/such/command"] {
            let (code, error) = refusal(&[command, "--", name]);
            assert_eq!(code, Some(127), "{error}");
            assert!(error.contains("there is no such program"), "{error}");
        }
    }
}

#[test]
fn exec_begins_now_or_is_deterministic() {
    let clock = |more: &[&str]| {
        let script = r#"curl -s "$STUNTDOUBLE_URL/_sim/clock""#;
        let output = run(&[&["exec"], more, &["--", "sh", "-c", script]].concat());
        serde_json::from_slice::<Value>(&output.stdout).expect("it is JSON")
    };
    let fixed = clock(&["--deterministic"]);
    assert_eq!((&fixed["now"], &fixed["speed"]), (&"2026-01-01T00:00:00Z".into(), &0.0.into()));
    let given = clock(&["--deterministic", "--start", "2027-01-01T00:00:00Z", "--speed", "2"]);
    assert_eq!(given["speed"], 2.0);
    assert!(given["now"].as_str().is_some_and(|now| now.starts_with("2027-01-01T00:00:")), "{given}");
    let before = sim_http::now();
    let now = clock(&[])["now"].as_str().and_then(|now| now.parse().ok()).expect("an instant");
    assert!(before <= now);
    let file = File::new("started.toml", "start = '2025-05-05T00:00:00Z'\nspeed = 0");
    assert_eq!(clock(&["--config", file.path()])["now"], "2025-05-05T00:00:00Z");
    let file = File::new("started-seed.toml", "start = '2025-06-06T00:00:00Z'");
    assert_eq!(clock(&["--seed-file", file.path(), "--speed", "0"])["now"], "2025-06-06T00:00:00Z");
}

#[test]
fn exec_sets_the_environment_and_passes_the_exit_code_on() {
    let script = r#"echo "$STUNTDOUBLE_URL $STUNTDOUBLE_TOKEN $STUNTDOUBLE_CA"; exit 7"#;
    let output = run(&["exec", "--token", "its-token", "--", "sh", "-c", script]);
    assert_eq!(output.status.code(), Some(7), "{}", text(&output.stderr));
    let said = text(&output.stdout);
    assert!(said.starts_with("http://127.0.0.1:") && said.ends_with(" its-token \n"), "{said}");

    let output = run(&["exec", "--tls", "--", "sh", "-c", r#"head -1 "$STUNTDOUBLE_CA""#]);
    assert_eq!(text(&output.stdout), "-----BEGIN CERTIFICATE-----\n");

    let output = run(&["exec", "--", "sh", "-c", "kill -9 $$"]);
    assert_eq!(output.status.code(), Some(137));

    let (code, error) = refusal(&["exec", "--", "no-such-command"]);
    assert_eq!(code, Some(127));
    assert!(error.contains("no-such-command"), "{error}");
    let file = File::new("not-executable", "");
    assert_eq!(refusal(&["exec", "--", file.path()]).0, Some(126));
}

#[cfg(unix)]
#[test]
fn exec_passes_sigterm_on() {
    let script = r#"trap 'exit 5' TERM; echo ready; for i in $(seq 1000); do sleep 0.02; done"#;
    let mut child =
        stuntdouble(&["exec", "--", "sh", "-c", script]).stdout(Stdio::piped()).spawn().expect("it runs");
    let mut ready = [0; 6];
    child.stdout.as_mut().expect("it is piped").read_exact(&mut ready).expect("it says so");
    let id = rustix::process::Pid::from_raw(child.id() as i32).expect("it runs");
    rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("it is ours");
    assert_eq!(child.wait().expect("it ends").code(), Some(5));
}
