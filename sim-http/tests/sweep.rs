//! `stuntdouble sweep` on the clients of docs/sweep.md, and `--faults`, by which its findings are seen again.

use std::process::Output;

use serde_json::Value;

use crate::cli::{File, Served, stuntdouble};

/// The client of that name in docs/sweep.
pub(crate) fn client(name: &str) -> String {
    format!("{}/../../docs/sweep/{name}", env!("CARGO_MANIFEST_DIR"))
}

fn sweep(options: &[&str], command: &[&str]) -> Output {
    let fixed = ["sweep", "--pace", "instant", "--timeout", "20", "--jobs", "4"];
    let arguments = [&fixed, options, &["--"], command].concat();
    stuntdouble(&arguments).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The lines of a table, without blanks that only fill it.
fn rows(output: &Output) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    text(&output.stdout).lines().map(words).take_while(|line| !line.is_empty()).collect()
}

#[test]
fn errors_of_a_careless_client_are_found_and_reproducible() {
    let careless = client("careless.py");
    let effects = ["--effects", "rate_limit,lost_answer,torn"];
    let output = sweep(&effects, &["python3", &careless]);
    let found = rows(&output);
    assert_eq!(output.status.code(), Some(1), "{found:?} {}", text(&output.stderr));
    assert_eq!(
        found,
        [
            "1 POST /v1/organizations rate_limit exit: it ended with 1",
            "1 POST /v1/organizations lost_answer double: organizations \"Shop\", 2 instead of 1",
            "1 POST /v1/organizations torn double: organizations \"Shop\", 2 instead of 1",
            "2 POST /v1/projects rate_limit exit: it ended with 1",
            "2 POST /v1/projects lost_answer exit: it ended with 1",
            "2 POST /v1/projects torn exit: it ended with 1",
            "3 POST /v1/projects/cvdpzbwgwnddnluwvdrc/secrets rate_limit exit: it ended with 1",
            "3 calls, 9 runs, 7 bad: 5 exit, 2 double",
        ]
    );

    let said = text(&output.stdout);
    let again = said.lines().find(|line| line.contains("\"nth\":2") && line.contains("lost_answer"));
    let rule = again.and_then(|line| line.split('\'').nth(1)).expect("the rule is quoted");
    let exec = ["exec", "--pace", "instant", "--faults", rule, "--", "python3", &careless];
    let output = stuntdouble(&exec).output().expect("the binary runs");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("POST /v1/projects HTTP Error 400"), "{}", text(&output.stderr));
}

#[test]
fn a_careful_client_passes() {
    let report = File::new("report.json", "");
    let effects = ["--effects", "503,rate_limit,lost_answer,stale", "--report", report.path()];
    let output = sweep(&effects, &["python3", &client("careful.py")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    let report: Value = serde_json::from_str(&std::fs::read_to_string(report.path()).expect("it is written"))
        .expect("it is JSON");
    assert_eq!((&report["good"]["exit"], &report["runs"][0]["ending"]["exit"]), (&0.into(), &0.into()));
    assert_eq!(report["runs"][0]["fault"]["effect"]["status"], 503);
    let runs = report["runs"].as_array().expect("a list");
    assert!(runs.len() > 16 && runs.iter().all(|run| run["troubles"] == Value::Array(Vec::new())));
}

#[test]
fn an_outage_for_the_rest_of_the_run_is_to_be_given_up() {
    let options = ["--effects", "503", "--outage", "rest"];
    let output = sweep(&options, &["python3", &client("careless.py")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert_eq!(rows(&output), ["3 calls, 3 runs, 0 bad"]);
    let always = r#"curl -s -H "authorization: Bearer $STUNTDOUBLE_TOKEN" -H content-type:application/json \
        -d '{"name":"Shop"}' "$STUNTDOUBLE_URL/v1/organizations""#;
    let output = sweep(&options, &["sh", "-c", always]);
    assert_eq!(rows(&output)[0], "1 POST /v1/organizations 503 missing: organizations \"Shop\"");
}

#[test]
fn calls_to_both_services_are_swept_and_seen_again() {
    let ships = r#"curl -sf -H "authorization: Bearer $STUNTDOUBLE_TOKEN" "$STUNTDOUBLE_URL/v1/projects" &&
        curl -sf -H "x-api-key: $STUNTDOUBLE_ANALYTICS_TOKEN" "$STUNTDOUBLE_URL/api/sources""#;
    let output = sweep(&["--analytics", "--effects", "503"], &["sh", "-c", ships]);
    assert_eq!(
        rows(&output),
        [
            "1 GET /v1/projects 503 exit: it ended with 22",
            "1 GET /api/sources 503 exit: it ended with 22",
            "2 calls, 2 runs, 2 bad: 2 exit",
        ]
    );
    let said = text(&output.stdout);
    let again = said.lines().find(|line| line.contains(r#""service":"analytics""#));
    let rule = again.and_then(|line| line.split('\'').nth(1)).expect("the rule is quoted");
    let exec = ["exec", "--analytics", "--faults", rule, "--", "sh", "-c", ships];
    assert_eq!(stuntdouble(&exec).output().expect("the binary runs").status.code(), Some(22));
}

#[cfg(unix)]
#[test]
fn a_client_that_hangs_is_ended_with_all_that_it_started() {
    let pids = File::new("pids", "");
    let script = r#"curl -sf -H "authorization: Bearer $STUNTDOUBLE_TOKEN" "$STUNTDOUBLE_URL/v1/projects" ||
        { sleep 600 & echo $! >> "$0"; wait; }"#;
    let options = ["sweep", "--timeout", "4", "--effects", "500", "--", "sh", "-c", script, pids.path()];
    let output = stuntdouble(&options).output().expect("the binary runs");
    let found = rows(&output);
    assert_eq!(found[0], "1 GET /v1/projects 500 hang: it did not end", "{}", text(&output.stderr));
    let pid = std::fs::read_to_string(pids.path()).expect("it was written");
    let pid = pid.trim().parse().ok().and_then(rustix::process::Pid::from_raw).expect("one number");
    // Whoever collects the dead takes a moment.
    let gone = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        let status = std::fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero()));
        status.map_or_else(
            |_| rustix::process::test_kill_process(pid).is_err(),
            |status| status.contains(") Z "),
        )
    });
    assert!(gone);
}

#[test]
fn unsupported_sweeps_are_refused_by_name() {
    for (arguments, words) in [
        (&["--", "true"][..], "made no calls"),
        (&["--", "sh", "-c", "exit 3"], "sh exited with 3 in a run without faults"),
        (&["--", "sh", "-c", "exit 3"], "see it alone with: stuntdouble exec -- sh -c 'exit 3'"),
        (&["--", "sh", "-c", "echo why; exit 3"], "why\n"),
        (&["--effects", "fire", "--", "true"], "lost_answer"),
        (&["--port", "9000", "--", "true"], "--port"),
        (&["--timeout", "0", "--", "true"], "--timeout"),
        (&["--outage", "long", "--", "true"], "a number of calls (3), of seconds up to 3600 (10s), or rest"),
    ] {
        let output = stuntdouble(&[&["sweep"], arguments].concat()).output().expect("the binary runs");
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {error}");
        assert!(error.contains(words), "{arguments:?}: {error}");
    }
    let names = r#"curl -sf -H "authorization: Bearer $STUNTDOUBLE_TOKEN" -H content-type:application/json \
        -d '{"name":"'$$'"}' "$STUNTDOUBLE_URL/v1/organizations""#;
    let output = sweep(&[], &["sh", "-c", names]);
    let error = text(&output.stderr);
    assert!(error.contains("does not do the same in a second run"), "{error}");
}

#[test]
fn rules_are_given_as_a_flag() {
    let rule = r#"{"on":{"path":"*"},"effect":{"kind":"status","status":503}}"#;
    let list = File::new("rules.json", &format!("[{rule}]"));
    let toml = File::new(
        "rules.toml",
        "[[fault]]\non = { path = \"*\" }\neffect = { kind = \"status\", status = 503 }\n",
    );
    for faults in [rule, list.path(), toml.path()] {
        let served = Served::start(&mut stuntdouble(&[
            "serve", "--port", "0", "--json", "--token", "one", "--faults", faults,
        ]));
        assert!(served.get("/v1/projects", "one").starts_with("HTTP/1.1 503"), "{faults}");
        assert!(served.get("/v1/projects", "one").starts_with("HTTP/1.1 200"), "{faults}");
    }
    for (faults, words) in [
        ("[{}]", "missing field `on`"),
        (r#"{"on":{"path":"*"}}"#, "--faults: missing field `effect`"),
        (r#"{"on":{},"effect":{"kind":"reset"}}"#, "on: names nothing"),
        ("/nowhere.json", "/nowhere.json: can't be read"),
        (r#"{"on":{"path":"*"},"effect":{"kind":"fire"}}"#, "unknown variant `fire`"),
        (
            r#"{"service":"billing","on":{"path":"*"},"effect":{"kind":"reset"}}"#,
            "this world has no \"billing\"",
        ),
    ] {
        let output = stuntdouble(&["serve", "--port", "0", "--faults", faults]).output().expect("it runs");
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(error.contains("--faults") && error.contains(words), "{faults}: {error}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_sweep_reports_the_finished_runs() {
    let report = File::new("partial.json", "");
    let runs = File::new("runs", "");
    // Two runs have no fault. The sixth run interrupts the sweep and does not end.
    let script = r#"echo x >> "$0"
        if [ $(wc -l < "$0") -eq 6 ]; then kill -INT $PPID; sleep 600; fi
        curl -sf -H "authorization: Bearer $STUNTDOUBLE_TOKEN" "$STUNTDOUBLE_URL/v1/projects""#;
    let options = ["sweep", "--effects", "500,502,503,504", "--jobs", "1", "--report", report.path()];
    let arguments = [&options[..], &["--", "sh", "-c", script, runs.path()]].concat();
    let output = stuntdouble(&arguments).output().expect("the binary runs");
    let (said, error) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(130), "{said} {error}");
    assert!(error.contains("error: interrupted after 3 of 4 runs"), "{error}");
    assert!(said.contains("1 call, 3 runs, 3 bad"), "{said}");
    let report = std::fs::read_to_string(report.path()).expect("it is written");
    let report: Value = serde_json::from_str(&report).expect("it is JSON");
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(3));
}
