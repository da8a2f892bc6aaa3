//! The commands that drive a running server, and the guide.

mod help;
mod journal;

use std::process::Output;

use serde_json::Value;
use sim_core::{Policy, Simulator};
use sim_http::Server;

use crate::cli::{File, stuntdouble};
use crate::client::{self, call, get, post, spawn};

/// Runs a command against `url`.
fn at(url: &str, arguments: &[&str]) -> Output {
    stuntdouble(arguments).env("STUNTDOUBLE_URL", url).output().expect("the binary runs")
}

/// The output of a command that succeeds.
fn said(server: &Server, arguments: &[&str]) -> String {
    let output = at(server.url(), arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

fn json(server: &Server, arguments: &[&str]) -> Value {
    serde_json::from_str(&said(server, arguments)).expect("JSON")
}

/// The message of a command that fails with exit code 2.
fn refusal(url: &str, arguments: &[&str]) -> String {
    let output = at(url, arguments);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{arguments:?}: {error}");
    error
}

#[test]
fn advance_moves_the_clock_and_says_what_happened() {
    let server = spawn();
    let made = post(&server, "/v1/projects", &client::new_project(&server)).json();
    let id = made["id"].as_str().expect("a reference");
    assert_eq!(
        said(&server, &["advance", "next"]),
        format!(
            "now 2026-01-01T00:01:00Z\n  2026-01-01T00:01:00Z  project demo: ACTIVE_HEALTHY (call 2)\nnothing is scheduled\n"
        )
    );
    assert_eq!(said(&server, &["advance", "1h30m"]), "now 2026-01-01T01:31:00Z\nnothing is scheduled\n");
    let moved = json(&server, &["advance", "2026-01-02T00:00:00Z", "--json"]);
    assert_eq!(moved["now"], "2026-01-02T00:00:00Z");
    assert!(refusal(server.url(), &["advance", "soon"]).contains("90s, 15m, 1h30m or 2d"));
    // What ends by itself is said, too.
    call(&server, "PUT", &format!("/_sim/projects/{id}/read-only"), r#"{"enabled": true}"#);
    post(&server, &format!("/v1/projects/{id}/readonly/temporary-disable"), "");
    assert_eq!(
        said(&server, &["advance", "15m"]),
        format!(
            "now 2026-01-02T00:15:00Z\n  2026-01-02T00:15:00Z  end of read-only override {id}\nnothing is scheduled\n"
        )
    );
    post(&server, &format!("/v1/projects/{id}/readonly/temporary-disable"), "");
    let moved = json(&server, &["advance", "15m", "--json"]);
    assert_eq!(moved["happened"][0]["kind"], "end of read-only override");
    let past = refusal(server.url(), &["advance", "2025-01-01T00:00:00Z"]);
    assert_eq!(past, "error: until: 2025-01-01T00:00:00Z has passed; the clock is at 2026-01-02T00:30:00Z\n");
}

#[test]
fn a_step_tells_what_ended_before_its_work() {
    let mut policy = Policy::default();
    policy.durations.create_ms = 3_600_000;
    let server = Server::spawn(Simulator::builder().policy(policy).build());
    let new = |name: &str| client::new_project(&server).replace("demo", name);
    let made = post(&server, "/v1/projects", &new("first")).json();
    let id = made["id"].as_str().expect("a reference");
    post(&server, "/_sim/clock/step", "");
    call(&server, "PUT", &format!("/_sim/projects/{id}/read-only"), r#"{"enabled": true}"#);
    post(&server, &format!("/v1/projects/{id}/readonly/temporary-disable"), "");
    let second = post(&server, "/v1/projects", &new("second")).json();
    let stepped = post(&server, "/_sim/clock/step", "").json();
    let happened = |index: usize| {
        let one = &stepped["happened"][index];
        [&one["at"], &one["kind"], &one["subject"], &one["became"]]
            .map(|field| field.as_str().unwrap_or_default())
    };
    assert_eq!(happened(0), ["2026-01-01T01:15:00Z", "end of read-only override", id, "ended"]);
    let second = second["id"].as_str().expect("a reference");
    assert_eq!(happened(1), ["2026-01-01T02:00:00Z", "project", second, "ACTIVE_HEALTHY"]);
    assert_eq!(stepped["happened"].as_array().map(Vec::len), Some(2));
}

#[test]
fn work_on_an_id_shows_its_name() {
    let server = Server::spawn(Simulator::builder().with_self_log().build());
    let made = post(&server, "/v1/projects", &client::new_project(&server)).json();
    let id = made["id"].as_str().expect("a reference");
    said(&server, &["advance", "60s"]);
    post(&server, &format!("/v1/projects/{id}/branches"), r#"{"branch_name":"dev"}"#);
    let agenda = get(&server, "/_sim/agenda").json();
    let agenda = agenda.as_array().expect("a list");
    let of = |kind: &str| agenda.iter().find(|due| due["kind"] == kind).expect("it is scheduled");
    let source = of("partition_expiry");
    let name = source["name"].as_str().expect("a source has a name");
    let state = said(&server, &["state"]);
    assert!(state.contains(&format!("partition expiry {name}")), "{state}");
    assert!(!state.contains(source["subject"].as_str().expect("a UUID")), "{state}");

    said(&server, &["advance", "next"]);
    let named = |due: &Value| due["kind"] == "branch" && due["name"] == "dev";
    let agenda = get(&server, "/_sim/agenda").json();
    assert!(agenda.as_array().is_some_and(|agenda| agenda.iter().any(named)), "{agenda}");
    let moved = said(&server, &["advance", "1d"]);
    assert!(
        moved.contains("  branch dev: ") && moved.contains(&format!("  partition expiry {name}: ")),
        "{moved}"
    );
}

#[test]
fn faults_are_added_listed_and_removed() {
    let server = spawn();
    let added =
        said(&server, &["fault", "add", "503", "--operation", "v1-list-all-projects", "--for", "60s"]);
    assert_eq!(
        added,
        "rule 1: matched 0, applied to 0: {\"on\":{\"operation\":\"v1-list-all-projects\"},\"nth\":1,\"times\":0,\
         \"for_ms\":60000,\"effect\":{\"kind\":\"status\",\"status\":503}}\n"
    );
    assert_eq!(get(&server, "/v1/projects").status, 503);
    assert!(said(&server, &["fault", "list"]).starts_with("rule 1: matched 1, applied to 1: "));
    said(&server, &["fault", "remove", "1"]);
    assert_eq!(get(&server, "/v1/projects").status, 200);

    let whole = r#"{"on": {"path": "*"}, "effect": {"kind": "status", "status": 418}}"#;
    said(&server, &["fault", "add", whole]);
    let late = json(&server, &["fault", "add", "latency=2s", "--nth", "3", "--json"]);
    assert_eq!((&late["rule"]["effect"]["ms"], &late["rule"]["on"]["path"]), (&2000.into(), &"*".into()));
    assert_eq!(json(&server, &["fault", "list", "--json"]).as_array().map(Vec::len), Some(2));
    said(&server, &["fault", "clear"]);
    assert_eq!(said(&server, &["fault", "list"]), "there are no rules\n");

    for (effect, hint) in [
        ("lost_anser", "did you mean `lost_answer`?"),
        ("700", "a status from 400 to 599"),
        ("torn=2s", "torn takes no value here, only rate_limit, latency, slow and late"),
        ("partial=2", "partial takes no value here"),
        ("set=foo", "must be a status from 400 to 599 or one of"),
        ("latency=2", "500ms, 90s, 15m"),
        ("{", "can't be read as a rule"),
    ] {
        let error = refusal(server.url(), &["fault", "add", effect]);
        assert!(error.contains(hint), "{error}");
    }
    let error = refusal(server.url(), &["fault", "add", "503", "--operation", "v1-get-projct"]);
    assert!(error.contains("did you mean `v1-get-project`?"), "{error}");
}

#[test]
fn the_next_restore_fails_when_asked_to() {
    let server = spawn();
    assert_eq!(said(&server, &["outcome", "restore", "fail"]), "the next restore fails\n");
    assert!(
        refusal(server.url(), &["outcome", "restor", "fail"]).contains("a similar value exists: 'restore'")
    );
    assert!(refusal(server.url(), &["state", "--world", "mian"]).contains("did you mean `main`?"));
    post(&server, "/_sim/snapshots", r#"{"name":"before"}"#);
    assert!(post(&server, "/_sim/snapshots/befor/restore", "{}").body.contains("did you mean `before`?"));
    assert!(
        refusal(server.url(), &["outcome", "restore", "explode"])
            .contains("[possible values: succeed, fail, never, usual]")
    );
}

#[test]
fn decisions_are_printed_and_taken_back() {
    let server = spawn();
    assert_eq!(said(&server, &["outcome"]), "nothing is decided\n");
    assert_eq!(
        said(&server, &["outcome", "restore", "fail", "--after", "1m", "--lasting"]),
        "each restore fails\n"
    );
    let line = "each restore fails after 60000 ms (call 2, used 0)";
    assert_eq!(said(&server, &["outcome"]), format!("{line}\n"));
    assert!(said(&server, &["state"]).contains(&format!("decided outcomes\n  {line}\nfault rules")));
    assert_eq!(json(&server, &["outcome", "--json"])[0]["outcome"], "fail");
    assert_eq!(said(&server, &["outcome", "restore", "usual"]), "the next restore ends as usual\n");
    assert_eq!(
        refusal(server.url(), &["outcome", "restore", "usual"]),
        "error: There is no decision about the next restore; `stuntdouble outcome` lists them\n"
    );
    let error = refusal(server.url(), &["outcome", "restore"]);
    assert!(error.contains("Usage: stuntdouble outcome <WORK> <OUTCOME>"), "{error}");
    assert!(
        refusal(server.url(), &["outcome", "restore", "usual", "--lasting"]).contains("takes no --after")
    );
}

#[test]
fn worlds_are_listed_made_and_deleted() {
    let server = spawn();
    let made = said(&server, &["world", "create", "other", "--scenario", "paused-project"]);
    assert!(
        made.starts_with(&format!("world other\n  URL    {}/w/other\n  Token  ", server.url())),
        "{made}"
    );
    let file = File::new("world.toml", "[[projects]]\nname = 'shop'\n");
    let named = json(&server, &["world", "create", "--seed-file", file.path(), "--seed", "7", "--json"]);
    assert_eq!(named["seed"], 7);
    let listed = said(&server, &["world", "list"]);
    assert_eq!(
        listed.lines().map(|line| line.split(' ').next()).collect::<Vec<_>>(),
        [Some("main"), Some("other"), named["name"].as_str()]
    );
    assert_eq!(said(&server, &["world", "delete", "other"]), "world other is deleted\n");
    assert_eq!(
        refusal(server.url(), &["world", "delete", "mian"]),
        "error: There is no world \"mian\"; `stuntdouble world create` makes one, `stuntdouble world list` lists them; did you mean `main`?\n"
    );
    assert!(
        refusal(server.url(), &["world", "create", "main"])
            .ends_with("`stuntdouble world delete main` first\n")
    );
    assert!(
        refusal(server.url(), &["world", "create", "--seed-file", "/none"])
            .starts_with("error: --seed-file /none: can't be read")
    );
}

#[test]
fn a_world_is_restored_and_reset() {
    let server = spawn();
    get(&server, "/v1/projects");
    assert_eq!(said(&server, &["snapshot"]), "there are no snapshots\n");
    let line = "snapshot before of 2026-01-01T00:00:00Z, 1 call\n";
    assert_eq!(said(&server, &["snapshot", "before"]), line);
    said(&server, &["advance", "1m"]);
    assert_eq!(said(&server, &["restore", "before"]), format!("world main is restored\n{line}"));
    assert_eq!(said(&server, &["snapshot"]), line);
    assert_eq!(said(&server, &["snapshot", "before", "--delete"]), "snapshot before is deleted\n");
    assert_eq!(
        refusal(server.url(), &["restore", "before"]),
        "error: There is no snapshot \"before\"; `stuntdouble snapshot` lists them\n"
    );
    assert_eq!(said(&server, &["reset"]), "world main is reset\nnow 2026-01-01T00:00:00Z\n");
    assert!(get(&server, "/_sim/journal").body.starts_with("[]"));
}

#[test]
fn a_fork_is_a_world_with_a_state_of_its_own() {
    let server = spawn();
    let forked = said(&server, &["fork", "before"]);
    let url = format!("{}/w/before", server.url());
    assert!(forked.starts_with(&format!("world before\n  URL    {url}\n  Token  ")), "{forked}");
    let made = post(&server, "/v1/projects", &client::new_project(&server)).json();
    let id = made["id"].as_str().expect("a reference");
    said(&server, &["fault", "add", "500"]);

    let state = said(&server, &["state"]);
    let rule = "rule 1: matched 0, applied to 0: {\"on\":{\"path\":\"*\"},\"nth\":1,\"times\":1,\
                \"effect\":{\"kind\":\"status\",\"status\":500}}";
    assert_eq!(
        state,
        format!(
            "world main at {}, 3 calls\nclock 2026-01-01T00:00:00Z, paused\nprojects\n  {id}  COMING_UP  demo\n\
             scheduled\n  2026-01-01T00:01:00Z  finish create → ACTIVE_HEALTHY, project demo (call 2)\n\
             decided outcomes\n  none\nfault rules\n  {rule}\n",
            server.url()
        )
    );
    let before = at(&url, &["state"]);
    let before = String::from_utf8_lossy(&before.stdout).into_owned();
    assert!(before.starts_with("world before at ") && before.contains("projects\n  none\n"), "{before}");
    assert_eq!(said(&server, &["state", "--world", "before"]), before);

    // A project that one world does not have is one place, not one for each of its paths.
    let difference = said(&server, &["diff", "before", "main"]);
    let place = format!("GET /v1/projects/{id}");
    assert!(difference.contains(&format!("{place}\n  the answer: new, {{")), "{difference}");
    assert!(difference.contains(" answers below this path: new; --json has them\n"), "{difference}");
    assert_eq!(difference.matches(&place).count(), 1, "{difference}");
    assert_eq!(said(&server, &["diff", "main", "main"]), "no difference\n");
    assert_eq!(json(&server, &["fork", "--at-call", "0", "--json"])["calls"], 0);
    assert!(refusal(server.url(), &["state", "--world", "nowhere"]).contains("nowhere"));
}

#[test]
fn commands_reach_a_server_that_speaks_tls() {
    let script = r#""$0" state && "$0" advance 1s"#;
    let binary = env!("CARGO_BIN_EXE_stuntdouble");
    let output = stuntdouble(&["exec", "--tls", "--deterministic", "--", "sh", "-c", script, binary])
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        text.starts_with("world main at https://") && text.contains("now 2026-01-01T00:00:01Z"),
        "{text}"
    );
}

#[test]
fn a_clock_does_not_go_back() {
    let output = stuntdouble(&["advance", "--", "-5m"]).output().expect("the binary runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && error.contains("`stuntdouble fork --at` copies"), "{error}");
}

#[test]
fn routes_are_printed_as_json() {
    let server = spawn();
    let routes = json(&server, &["routes", "--json"]);
    let find = |id: &str| {
        let mut all = routes.as_array().into_iter().flatten().filter(|one| one["id"] == id);
        let found = all.next().unwrap_or_else(|| panic!("{id} is not there"));
        assert!(all.next().is_none(), "{id} is there twice");
        format!("{} {} {}", found["method"], found["path"], found["role"])
    };
    assert_eq!(find("v1-get-project"), r#""GET" "/v1/projects/{ref}" "Read-only""#);
    assert_eq!(find("sim-advance-clock"), r#""POST" "/_sim/clock/advance" null"#);
    assert_eq!(find("sim-add-fault"), r#""POST" "/_sim/faults" null"#);
    let paths = routes.as_array().into_iter().flatten().map(|one| one["path"].as_str().unwrap_or_default());
    assert!(paths.into_iter().any(|path| path.starts_with("/api/")));
}

#[test]
fn the_log_is_text_or_json_or_off() {
    use crate::cli::Served;
    let mut served = Served::start(&mut stuntdouble(&["serve", "--port=0", "--json", "--log", "json"]));
    served.get("/v1/projects", "nobody");
    let line: Value = serde_json::from_str(&served.error_line()).expect("JSON");
    assert_eq!((&line["method"], &line["target"]), (&"GET".into(), &"/v1/projects".into()));
    assert_eq!((&line["status"], &line["reason"]), (&401.into(), &"token_unknown".into()));
    assert_eq!(line["call"], 1);
    let error = stuntdouble(&["serve", "--log", "loud"]).output().expect("the binary runs").stderr;
    assert!(String::from_utf8_lossy(&error).contains("text, json or off"));
}
