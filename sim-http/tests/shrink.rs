//! `stuntdouble shrink`: minimises a failing replay file.

use std::process::Output;
use std::time::Duration;

use crate::cli::{File, stuntdouble};
use crate::client::{self, spawn};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn shrink(file: &str, failing: &str, options: &[&str]) -> Output {
    let arguments = [&["shrink", file, "--failing", failing], options].concat();
    stuntdouble(&arguments).output().expect("the binary runs")
}

/// The replay file of a world in which a rule, one of three, refused a call in the end.
fn refused_in_the_end() -> String {
    let server = spawn();
    client::get(&server, "/v1/projects");
    client::post(&server, "/v1/projects", &client::new_project(&server));
    server.sim().advance(Duration::from_secs(60));
    let rule = |path: &str, status: u16| {
        format!(r#"{{"on":{{"path":"{path}"}},"effect":{{"kind":"status","status":{status}}}}}"#)
    };
    let rules =
        format!("[{},{},{}]", rule("/v1/snippets", 500), rule("/v1/projects", 503), rule("/v1/profile", 502));
    assert_eq!(client::call(&server, "PUT", "/_sim/faults", &rules).status, 200);
    client::get(&server, "/v1/organizations");
    server.sim().advance(Duration::from_secs(5));
    assert_eq!(client::get(&server, "/v1/projects").status, 503);
    client::get(&server, "/_sim/replay").body
}

#[test]
fn a_minimised_run_is_printed_as_a_test_and_a_script() {
    let file = File::new("whole.json", &refused_in_the_end());
    let out = File::new("least.json", "");
    let output = shrink(file.path(), r#"! grep -q '"status":503' "$1""#, &["--out", out.path()]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(said.starts_with("6 calls, 2 of them needed; "), "{said}");
    let (_, rust) = said.split_once("\n\n").expect("a summary and what is left");
    let (rust, curl) = rust.split_once("\n\n").expect("two programs");
    let page = include_str!("../../docs/shrink.md");
    // Examples of documents are run, tests in them are not.
    let function = rust.strip_prefix("#[test]\n").expect("it is a test").replace(".seed(0)", ".seed(7)");
    assert!(page.contains(&function), "{said}");

    let script = File::new("shrunk.sh", curl);
    let again = ["exec", "--speed", "0", "--", "sh", script.path()];
    let output = stuntdouble(&again).output().expect("the binary runs");
    assert!(
        text(&output.stdout).ends_with("{\"message\":\"Service Unavailable\"}\n"),
        "{}",
        text(&output.stdout)
    );

    let replayed = stuntdouble(&["replay", out.path()]).output().expect("the binary runs");
    assert!(text(&replayed.stdout).starts_with("the same: 2 calls"), "{}", text(&replayed.stdout));
}

#[test]
fn a_search_that_is_stopped_leaves_the_shortest_file_so_far() {
    let file = File::new("stopped.json", &refused_in_the_end());
    let out = File::new("so-far.json", "");
    // The search ends when its command has seen a failing file of fewer than 6 calls. SIGTERM: jobs in the background ignore SIGINT.
    let failing = r#"grep -q '"status":503' "$1" || exit 0
        [ -s "$OUT" ] && [ $(grep -o '"method"' "$OUT" | wc -l) -lt 6 ] && kill -TERM $PPID; exit 1"#;
    let arguments = ["shrink", file.path(), "--failing", failing, "--out", out.path()];
    let output = stuntdouble(&arguments).env("OUT", out.path()).output().expect("the binary runs");
    assert_eq!(output.status.code(), None, "{}", text(&output.stdout));
    let replayed = stuntdouble(&["replay", out.path()]).output().expect("the binary runs");
    let said = text(&replayed.stdout);
    assert!(said.starts_with("the same: ") && !said.starts_with("the same: 6 calls"), "{said}");
}

#[test]
fn a_failure_that_needs_a_pause_keeps_it() {
    let file = File::new("pauses.json", &refused_in_the_end());
    let healthy = r#"! grep -q '2026-01-01T00:01:05Z' {}"#;
    let said = text(&shrink(file.path(), healthy, &[]).stdout);
    assert!(said.starts_with("6 calls, 0 of them needed; "), "{said}");
}

#[test]
fn files_that_do_not_fail_or_do_not_exist_are_named() {
    let file = File::new("fine.json", &refused_in_the_end());
    for (file, failing, words) in [
        (file.path(), "true", "--failing: exits with 0"),
        (file.path(), "no-such-command {}", "--failing: exits with 127 for the whole file"),
        (file.path(), "false", "--failing: fails without any call, too"),
        ("/nowhere.json", "false", "FILE /nowhere.json: can't be read"),
    ] {
        let output = shrink(file, failing, &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(words), "{}", text(&output.stderr));
    }
}
