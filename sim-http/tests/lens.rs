//! `stuntdouble lens` on the clients of docs/sweep.md.

use serde_json::{Value, json};

use crate::cli::{File, stuntdouble};
use crate::sweep::client;

/// Exit code, what is said and what is written of `command` under the lens.
fn lens(name: &str, options: &[&str], command: &[&str]) -> (Option<i32>, String, Value) {
    let report = File::new(&format!("lens-of-{name}.json"), "");
    let fixed = ["lens", "--pace", "instant", "--timeout", "30", "--report", report.path()];
    let arguments = [&fixed, options, &["--"], command].concat();
    let output = stuntdouble(&arguments).output().expect("the binary runs");
    let written = std::fs::read_to_string(report.path()).expect("it is there");
    let said =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    (output.status.code(), said, serde_json::from_str(&written).unwrap_or_default())
}

#[test]
fn a_client_that_does_not_wait_is_found_and_its_calls_are_counted() {
    let (code, said, report) = lens("careless", &["--runners", "25"], &["python3", &client("careless.py")]);
    assert_eq!(code, Some(1), "{said}");
    assert_eq!((&report["calls"], &report["busiest"]), (&json!(3), &json!(3)));
    assert_eq!(report["operations"][0], json!({ "operation": "v1-bulk-create-secrets", "calls": 1 }));
    let runs: Vec<_> =
        report["forecasts"].as_array().expect("a list").iter().map(|one| &one["runners"]).collect();
    assert_eq!(runs, [1, 25]);
    // The 61st of 75 calls is refused, and the rest waits for a minute.
    let wall_ms = report["forecasts"][1]["wall_ms"].as_u64().expect("a number");
    assert!((60_000..65_000).contains(&wall_ms), "{wall_ms}");
    assert_eq!(report["refusal"]["reaction"], json!({ "calls": 2 }));
    assert!(said.contains("5 % of the 60 that a user may make in 60.0 s"), "{said}");
    assert!(
        said.ends_with("Told at call 2 to wait for 2 s, it calls 2 times in the meantime and ends with 1.\n"),
        "{said}"
    );
}

#[test]
fn a_client_that_waits_passes() {
    // The clock runs in spite of the flag: else the client would wait for ever.
    let (code, said, report) = lens("careful", &["--deterministic"], &["python3", &client("careful.py")]);
    assert_eq!(code, Some(0), "{said}");
    assert_eq!(report["refusal"]["reaction"], "waits");
    assert!(said.ends_with("to wait for 2 s, it waits and ends with 0.\n"), "{said}");
}

#[test]
fn an_interrupted_lens_reports_the_first_run() {
    let runs = File::new("lens-runs", "");
    let script = r#"echo x >> "$0"
        if [ $(wc -l < "$0") -eq 2 ]; then kill -INT $PPID; sleep 600; fi
        curl -sf -H "authorization: Bearer $STUNTDOUBLE_TOKEN" "$STUNTDOUBLE_URL/v1/projects""#;
    let command = ["sh", "-c", script, runs.path()];
    let (code, said, report) = lens("interrupted", &["--runners", "2,70"], &command);
    assert_eq!(code, Some(130), "{said}");
    assert!(said.contains("1 call in ") && said.contains("error: interrupted"), "{said}");
    let runners: Vec<_> =
        report["forecasts"].as_array().expect("a list").iter().map(|one| &one["runners"]).collect();
    assert_eq!(runners, [1, 2, 70]);
    assert_eq!(report["refusal"], Value::Null);
}

#[test]
fn the_limit_is_the_options_one() {
    let curl = r#"curl -sf -H "authorization: Bearer $STUNTDOUBLE_TOKEN" "$STUNTDOUBLE_URL/v1/projects""#;
    let options = ["--rate-limit", "2/10", "--runners", "3"];
    let (code, said, report) = lens("curl", &options, &["sh", "-c", curl]);
    assert_eq!(code, Some(1), "{said}");
    assert_eq!(
        report["forecasts"],
        json!([
            { "runners": 1, "wall_ms": 0, "refused": 0 },
            { "runners": 3, "wall_ms": 10_000, "refused": 1 },
        ])
    );
    assert_eq!((&report["refusal"]["reaction"], &report["refusal"]["call"]), (&json!("gives_up"), &json!(1)));
}
