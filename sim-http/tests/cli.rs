//! The binary, run as a process.

mod exec;
mod replay;
mod serve;

use std::io::{BufRead as _, BufReader};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::client::{send, spawn};

pub(crate) fn stuntdouble(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_stuntdouble"));
    for (name, _) in
        std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("STUNTDOUBLE_"))
    {
        command.env_remove(name);
    }
    command.args(arguments);
    command
}

fn run(arguments: &[&str]) -> Output {
    stuntdouble(arguments).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Exit code and standard error of a command line that is refused.
fn refusal(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(arguments);
    (output.status.code(), text(&output.stderr))
}

/// A file for one test, removed at its end.
pub(crate) struct File(PathBuf);

impl File {
    pub(crate) fn new(name: &str, content: &str) -> File {
        let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
        let path = folder.join(format!("{}-{name}", std::process::id()));
        std::fs::write(&path, content).expect("the folder can be written to");
        File(path)
    }

    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("it is text")
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// `serve --json` as a process, and its one line.
pub(crate) struct Served {
    child: Child,
    pub(crate) line: Value,
}

impl Served {
    pub(crate) fn start(command: &mut Command) -> Served {
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        let mut line = String::new();
        let out = child.stdout.as_mut().expect("it is piped");
        BufReader::new(out).read_line(&mut line).expect("it prints a line");
        let line = serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line:?}"));
        Served { child, line }
    }

    /// Waits for the first line on standard error.
    pub(crate) fn error_line(&mut self) -> String {
        let mut line = String::new();
        let err = self.child.stderr.as_mut().expect("it is piped");
        BufReader::new(err).read_line(&mut line).expect("it writes a line");
        line
    }

    pub(crate) fn get(&self, path: &str, token: &str) -> String {
        self.request(&format!("GET {path} HTTP/1.1\r\nauthorization: Bearer {token}\r\n"), "")
    }

    /// Posts JSON.
    pub(crate) fn post(&self, path: &str, token: &str, body: &str) -> String {
        let head = format!(
            "POST {path} HTTP/1.1\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n",
            body.len()
        );
        self.request(&head, body)
    }

    /// Patches with JSON.
    pub(crate) fn patch(&self, path: &str, token: &str, body: &str) -> String {
        let head = format!(
            "PATCH {path} HTTP/1.1\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n",
            body.len()
        );
        self.request(&head, body)
    }

    fn request(&self, head: &str, body: &str) -> String {
        let url = self.line["url"].as_str().expect("an address");
        let addr: SocketAddr = url.trim_start_matches("http://").parse().expect("an address");
        send(addr, format!("{head}host: localhost\r\nconnection: close\r\n\r\n{body}").as_bytes())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn plans_are_lines_of_json() {
    let lines = |arguments: &[&str]| -> Vec<Value> {
        let output = run(&[&["plans"], arguments].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    let plans = lines(&["--seed", "7", "--count", "3", "--length", "5"]);
    assert_eq!(
        plans.iter().map(|plan| plan["seed"].as_u64()).collect::<Vec<_>>(),
        [Some(7), Some(8), Some(9)]
    );
    assert_eq!(lines(&["--seed", "8", "--length", "5"]), plans[1..2]);
    let narrow = lines(&["--operations", "v1-get-project,v1-list-all-projects", "--good"]);
    let steps = narrow[0]["steps"].as_array().expect("steps");
    let calls = steps.iter().filter(|step| step["until"].is_null() && step["setup"].is_null());
    assert!(calls.map(|call| &call["expect"]["status"]).all(|status| *status == 200));
    for (arguments, why) in [
        (["plans", "--count", "0"], "--count: must be between 1 and 100, received 0"),
        (
            ["plans", "--operations", "v1-no"],
            "--operations: there is no \"v1-no\"; `stuntdouble routes` lists",
        ),
    ] {
        let (code, said) = refusal(&arguments);
        assert_eq!(code, Some(2));
        assert!(said.contains(why), "{said}");
    }
}

#[test]
fn flags_beat_environment_beats_file() {
    let file = File::new(
        "order.toml",
        "seed = 1\nport = 0\njson = true\ntoken = [\"of-file\"]\nrate-limit = \"3/9\"\n",
    );
    let serve = ["serve", "--config", file.path()];
    let seed = |command: &mut Command| {
        let served = Served::start(command);
        let worlds = served.get("/_sim/worlds", "");
        let limit = served.get("/v1/projects", "of-file");
        assert!(limit.contains("x-ratelimit-limit: 3\r\n"), "{limit}");
        let body = worlds.split_once("\r\n\r\n").expect("a body").1;
        serde_json::from_str::<Value>(body).expect("worlds")[0]["seed"].as_u64()
    };
    assert_eq!(seed(&mut stuntdouble(&serve)), Some(1));
    assert_eq!(seed(stuntdouble(&serve).env("STUNTDOUBLE_SEED", "2")), Some(2));
    assert_eq!(seed(stuntdouble(&serve).env("STUNTDOUBLE_SEED", "2").args(["--seed", "3"])), Some(3));
}

#[test]
fn who_may_drive_it_is_said_by_flag_environment_or_file() {
    let file = File::new(
        "gate.toml",
        "port = 0\njson = true\ncontrol = \"off\"\nallow-host = [\"sim.test\"]\nallow-origin = [\"http://page.test\"]\n",
    );
    let serve = ["serve", "--config", file.path()];
    let page = |command: &mut Command, host: &str| {
        let served = Served::start(command);
        let url = served.line["url"].as_str().expect("an address");
        let addr: SocketAddr = url.trim_start_matches("http://").parse().expect("an address");
        let head = format!("GET /_sim/clock HTTP/1.1\r\nhost: {host}\r\norigin: http://page.test\r\n");
        let answer = send(addr, format!("{head}connection: close\r\n\r\n").as_bytes());
        answer.split(' ').nth(1).map(str::to_owned)
    };
    assert_eq!(page(&mut stuntdouble(&serve), "sim.test").as_deref(), Some("403"));
    assert_eq!(
        page(stuntdouble(&serve).env("STUNTDOUBLE_CONTROL", "loopback"), "sim.test").as_deref(),
        Some("200")
    );
    let command = &mut stuntdouble(&serve);
    let command = command.args(["--control", "open"]).env("STUNTDOUBLE_ALLOW_HOST", "a.test,b.test");
    assert_eq!(page(command, "b.test:80").as_deref(), Some("200"));
}

#[test]
fn files_next_to_the_config_file_are_found() {
    let policy = File::new("policy.toml", "[durations]\ncreate_ms = 7\n");
    let name = policy.0.file_name().and_then(|name| name.to_str()).expect("it has a name").to_owned();
    let config =
        File::new("beside.toml", &format!("policy = \"{name}\"\nport = 0\njson = true\ntls = false\n"));
    let served = Served::start(&mut stuntdouble(&["serve", "--config", config.path()]));
    assert!(served.get("/_sim/policy", "").contains("\"create_ms\":7"));
}

#[test]
fn errors_name_the_defect_and_what_would_be_right() {
    let busy = spawn();
    let port = busy.addr().port().to_string();
    let config = File::new("bad.toml", "seeed = 1\n");
    let policy = File::new("bad-policy.toml", "pace = \"hasty\"\n");
    let twins = File::new("twins.toml", "[names]\nidp_01 = 'xx'\nidp_02 = 'xx'\n");
    let soon = File::new("soon-policy.toml", "auto_advance_ms = 'soon'\n");
    let flat = File::new("flat-policy.toml", "durations = 1\n");
    let listed = File::new("listed-policy.toml", "durations = [1]\n");
    let listed_profile = File::new("listed-profile.toml", "postgres_versions = [['17.1']]\n");
    let listed_on = r#"{"on": ["v1-list-all-projects"], "effect": {"kind": "reset"}}"#;
    let listed_effect = File::new("listed.toml", "[[fault]]\non.path = '*'\neffect = ['reset']\n");
    let wide = File::new("wide.toml", "port = 'x'\n");
    let negative =
        File::new("negative.toml", "[[fault]]\non.path = '*'\ntimes = -1\neffect.kind = 'reset'\n");
    let blank = File::new("blank-profile.toml", "token_prefix = 'a b'\n");
    let scheme = File::new("scheme-profile.toml", "project_domain = 'https://a.test'\n");
    let dated = File::new("dated.toml", "start = 2026-01-01\n");
    let mistyped = r#"{"on": {"path": "*"}, "effect": {"kind": "rest"}}"#;
    let bare = r#"{"on": {"path": "*"}, "effect": {"kind": "reset", "after_ms": 5}}"#;
    let nowhere = r#"{"on": {"path": "/v1/project"}, "effect": {"kind": "reset"}}"#;
    for (arguments, words) in [
        (&["--port", &*port][..], &["--port", &*port, "in use", "0 for any"][..]),
        (&["--port", "70000"], &["--port", "70000"]),
        (&["--host", "192.0.2.1", "--port", "0"], &["--host", "192.0.2.1", "127.0.0.1"]),
        (&["--config", config.path()], &["--config", config.path(), "seeed", "did you mean `seed`?"]),
        (&["--profile", twins.path()], &["--profile", twins.path(), "idp_01", "idp_02", "external_xx_"]),
        (&["--faults", bare], &["--faults", "effect.after_ms", "kind alone"]),
        (&["--faults", nowhere], &["--faults", "on.path", "did you mean `/v1/projects`?"]),
        (&["--config", "/nowhere.toml"], &["--config /nowhere.toml", "can't be read"]),
        (&["--policy", policy.path()], &["--policy", policy.path(), "hasty", "`instant`"]),
        (&["--profile", "/nowhere.toml"], &["--profile /nowhere.toml", "can't be read"]),
        (&["--token", "a b"], &["--token", "a b", "without blanks"]),
        (&["--token", ""], &["--token", "visible"]),
        (&["--token", "a", "--token", "a", "--port", "0"], &["--token", "in use"]),
        (&["--pace", "hasty"], &["--pace", "[possible values: clock, instant, manual]"]),
        (&["--speed=-1"], &["--speed", "between 0"]),
        (&["--speed", "fast"], &["--speed", "between 0"]),
        (&["--start", "yesterday"], &["--start", "must be now, or", "2026-01-01T00:00:00Z"]),
        (&["--call-limit", "0"], &["--call-limit", "between 0.001"]),
        (&["--rate-limit", "many"], &["--rate-limit", "COUNT/SECONDS"]),
        (&["--tls=perhaps"], &["--tls", "must be true or false"]),
        (&["--seed", "-1"], &["--seed", "must be a whole number"]),
        (&["--speed", "-1"], &["--speed", "between 0"]),
        (&["--port", "-1"], &["--port", "0..=65535"]),
        (&["--faults", ""], &["--faults", "rules as JSON"]),
        (&["--faults", mistyped], &["--faults: effect: unknown variant `rest`", "did you mean `reset`?\n"]),
        (&["--faults", negative.path()], &["--faults", "times: invalid value: integer `-1`"]),
        (&["--profile", blank.path()], &["--profile", "token_prefix: must be visible"]),
        (&["--profile", scheme.path()], &["--profile", "project_domain: must be a host"]),
        (&["--config", dated.path()], &["--config", "expected a text in quotes"]),
        (&["--engine", "oracle"], &["--engine", "sqlite, postgres or postgres=URL"]),
        (&["--engine", "postgres=mysql://a@b"], &["--engine postgres", "must begin with postgres://"]),
        (&["--engine", "postgres=postgres://a@127.0.0.1:1"], &["--engine postgres", "refused"]),
        (&["--engine", "postgres=nothing"], &["--engine postgres=URL", "must begin with postgres://"]),
        (&["--self-log", "--analytics=false"], &["--analytics false", "--self-log needs"]),
        (&["--port", "80x"], &["--port", "must be a whole number"]),
        (&["--seed", ""], &["--seed", "must be a whole number"]),
        (&["--policy", soon.path()], &["--policy", "auto_advance_ms", "expected a whole number, 0 or more"]),
        (&["--policy", flat.path()], &["--policy", "durations", "expected fields with values"]),
        (
            &["--policy", listed.path()],
            &["--policy", "durations: must be fields with values, received a list"],
        ),
        (
            &["--profile", listed_profile.path()],
            &["--profile", "postgres_versions.0: must be fields with values, received a list"],
        ),
        (&["--faults", listed_on], &["--faults", "on: must be fields with values, received a list"]),
        (&["--faults", listed_effect.path()], &["--faults", "effect: must be fields with values"]),
        (&["--config", wide.path()], &["--config", "expected a whole number from 0 to 65535"]),
        (&["--faults", "{"], &["--faults: is not JSON"]),
        (&["--faults", soon.path()], &["--faults", "auto_advance_ms"]),
        (&["--control", "ajar"], &["--control", "[possible values: loopback, open, off]"]),
        (&["--allow-host", "http://sim.test"], &["--allow-host", "without scheme"]),
        (&["--allow-origin", "localhost:3000"], &["--allow-origin", "http://localhost:3000"]),
        (&["--ca-out", "/nowhere/ca.pem", "--port", "0"], &["--ca-out", "/nowhere/ca.pem"]),
    ] {
        let (code, error) = refusal(&[&["serve"], arguments].concat());
        assert_eq!(code, Some(2), "{arguments:?} {error}");
        for word in words {
            assert!(error.contains(word), "{arguments:?}: {word:?} is not in {error}");
        }
    }
}

#[test]
fn a_wrong_variable_is_named() {
    let said = |name: &str, value: &str, arguments: &[&str]| {
        let output = stuntdouble(arguments).env(name, value).output().expect("the binary runs");
        (output.status.code(), text(&output.stderr))
    };
    let exec = ["exec", "--", "true"];
    let (code, error) = said("STUNTDOUBLE_PORT", "80x", &exec);
    assert_eq!(code, Some(2));
    assert!(error.ends_with("note: the value is that of the variable STUNTDOUBLE_PORT\n"), "{error}");
    let (_, error) = said("STUNTDOUBLE_PACE", "hasty", &exec);
    assert!(error.ends_with("note: the value is that of the variable STUNTDOUBLE_PACE\n"), "{error}");
    let (_, error) = said("STUNTDOUBLE_PORT", "0", &["exec", "--port", "80x", "--", "true"]);
    assert!(!error.contains("variable"), "{error}");
    // Those that are read after the options, too. What follows -- is not an option of this program.
    for (name, value) in
        [("SEED_FILE", "/nowhere"), ("FAULTS", "/nowhere"), ("TOKEN", "a b"), ("SCENARIO", "none")]
    {
        let name = format!("STUNTDOUBLE_{name}");
        let (_, error) = said(&name, value, &["exec", "--", "true", "--seed-file", "--token"]);
        assert!(error.ends_with(&format!("note: the value is that of the variable {name}\n")), "{error}");
    }
    let settings = File::new("settings.toml", "policy = 'nowhere.toml'\n");
    let (_, error) = refusal(&["serve", "--config", settings.path()]);
    assert!(
        error.ends_with(&format!("note: the value is that of `policy` in {}\n", settings.path())),
        "{error}"
    );

    let (code, warning) = said("STUNTDOUBLE_PROT", "8787", &exec);
    assert_eq!(code, Some(0));
    assert_eq!(warning, "warning: STUNTDOUBLE_PROT: has no effect; did you mean `STUNTDOUBLE_PORT`?\n");
    assert_eq!(said("STUNTDOUBLE_POOLER", "127.0.0.1:1", &exec), (Some(0), String::new()));
}

#[test]
fn a_template_of_a_profile_is_a_profile() {
    let template = text(&run(&["profile", "--template"]).stdout);
    assert_eq!(text(&run(&["profile"]).stdout), template, "the template is the default");
    let is_setting = |line: &&str| {
        let mut words = line.split(' ');
        let name = words.next().unwrap_or_default();
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_') && words.next() == Some("=")
    };
    let whole: Vec<&str> =
        template.lines().map(|line| line.strip_prefix("# ").filter(is_setting).unwrap_or(line)).collect();
    for content in [template.clone(), whole.join("\n")] {
        let file = File::new("template.toml", &content);
        let output = run(&["profile", "--check", file.path()]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let file = File::new("typo.toml", "[names]\nidp_1 = 'a'\n");
    let (code, error) = refusal(&["profile", "--check", file.path()]);
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains(file.path()) && error.contains("did you mean `idp_01`?"), "{error}");
}

#[test]
fn documents_are_printed() {
    let api: Value = serde_json::from_slice(&run(&["openapi"]).stdout).expect("JSON");
    assert!(api["paths"]["/v1/projects"]["get"].is_object());
    let logs: Value =
        serde_json::from_slice(&run(&["openapi", "--service", "analytics"]).stdout).expect("JSON");
    assert!(logs["paths"]["/api/sources"]["get"].is_object() && logs["paths"]["/v1/projects"].is_null());
    let control: Value = serde_json::from_slice(&run(&["openapi", "--control"]).stdout).expect("JSON");
    assert!(control["paths"]["/_sim/clock"]["get"].is_object());
    let first: Value =
        serde_json::from_slice(&run(&["openapi", "--edition", "2025-05"]).stdout).expect("JSON");
    assert!(first["paths"]["/v1/projects"]["get"].is_object() && first["paths"]["/v1/profile"].is_null());
    let routes = text(&run(&["routes"]).stdout);
    let of_first = text(&run(&["routes", "--edition", "2025-05"]).stdout);
    assert!(routes.contains("/v1/profile ") && !of_first.contains("/v1/profile "), "{of_first}");
    let unknown = text(&run(&["routes", "--edition", "2025"]).stderr);
    assert!(unknown.contains("expected one of 2025-05, 2026-11"), "{unknown}");
    let line = routes.lines().find(|line| line.contains("v1-get-project ")).expect("it is listed");
    assert_eq!(line.split_whitespace().take(2).collect::<Vec<_>>(), ["GET", "/v1/projects/{ref}"]);
    assert!(routes.contains("/_sim/clock/advance"), "{routes}");
}

/// The headings of the options that several commands share.
const SHARED: [&str; 7] =
    ["World:", "Clock:", "Network:", "Access:", "Storage:", "Output:", "Analytics server:"];

/// Help without the options of `serve`.
fn own(help: &str) -> String {
    let mut is_shared = false;
    let lines = help.lines().filter(|line| {
        if !line.starts_with(' ') && !line.is_empty() {
            is_shared = SHARED.contains(line);
        }
        !is_shared
    });
    lines.map(|line| format!("{line}\n")).collect()
}

fn help(words: &[&str]) -> String {
    let words = [words, &["--help"]].concat();
    let output = stuntdouble(&words).env_clear().output().expect("the binary runs");
    assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
    text(&output.stdout)
}

#[test]
fn docs_commands_and_their_options() {
    let top = help(&[]);
    let mut page = String::from(
        "# Commands\n\nThe help of every command, as `stuntdouble COMMAND --help` prints it. Generated; \
         `STUNTDOUBLE_BLESS=1 cargo test -p stuntdouble docs_commands` rewrites this page.\n\n\
         ## Options, variables and files\n\nEvery option of `serve` is also an environment variable and a key of the TOML file that \
         `--config` names: `--rate-limit off`, `STUNTDOUBLE_RATE_LIMIT=off`, `rate-limit = \"off\"`. Flags take precedence over \
         variables, and variables over the file.\n",
    );
    let is_command =
        |line: &&str| line.starts_with("  ") && !line.starts_with("  -") && !line.starts_with("   ");
    let listed = top.split("Options:").next().unwrap_or_default().lines().filter(is_command);
    let names: Vec<&str> = listed.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(names.contains(&"serve") && names.contains(&"advance"), "{top}");
    let mut commands: Vec<Vec<&str>> = vec![vec![]];
    for name in names {
        commands.push(vec![name]);
        match name {
            "analytics" => commands.push(vec![name, "serve"]),
            "fault" => commands.extend(["add", "list", "remove", "clear"].map(|action| vec![name, action])),
            _ => {}
        }
    }
    for words in commands {
        let title = [&["stuntdouble"], &words[..]].concat().join(" ");
        let help = help(&words);
        let (help, note) = match (words.first(), help.contains("\nNetwork:\n")) {
            (Some(&"serve"), _) | (_, false) => (help, ""),
            (_, true) => (own(&help), "\nIt has the options of `stuntdouble serve`, too.\n"),
        };
        let help: String = help.lines().map(|line| format!("{}\n", line.trim_end())).collect();
        page.push_str(&format!("\n## {title}\n{note}\n```text\n{}\n```\n", help.trim_end()));
    }
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/commands.md");
    if std::env::var("STUNTDOUBLE_BLESS").is_ok_and(|bless| bless == "1") {
        std::fs::write(&file, &page).expect("the page can be written");
    }
    let held = std::fs::read_to_string(&file).unwrap_or_default();
    assert!(held == page, "docs/commands.md is not up to date; STUNTDOUBLE_BLESS=1 writes it anew");
}

#[test]
#[cfg(unix)]
fn coverage_of_runs_adds_up_and_shows_gaps() {
    let file = File::new("coverage.json", "");
    std::fs::remove_file(file.path()).expect("it was there");
    let page = File::new("coverage.html", "");
    let call = r#"curl -s -H "Authorization: Bearer $STUNTDOUBLE_TOKEN" "$STUNTDOUBLE_URL/v1/projects""#;
    for _ in 0..2 {
        let output = run(&["exec", "--coverage", file.path(), "--", "sh", "-c", call]);
        assert!(output.status.success(), "{}", text(&output.stderr));
    }
    let output =
        run(&["coverage", file.path(), "--html", page.path(), "--goal", "v1-list-all-projects: 200"]);
    assert!(output.status.success());
    let shown = text(&output.stdout);
    assert!(shown.contains("v1-list-all-projects") && shown.contains("200 × 2  401 –"), "{shown}");
    let html = std::fs::read_to_string(page.path()).expect("a page");
    assert!(html.contains("<td class=met title=\"2 calls\">200<small>2</small></td>"), "{html}");

    let missed = run(&["coverage", file.path(), "--goal", "v1-list-all-projects: 429 then 200"]);
    assert_eq!(
        (missed.status.code(), text(&missed.stderr)),
        (Some(1), "missed v1-list-all-projects: 429 then 200\n".to_owned())
    );
    assert!(!shown.contains("v1-get-project ") && shown.contains(" outcomes of "), "{shown}");
    let all = text(&run(&["coverage", file.path(), "--all"]).stdout);
    assert!(all.contains("v1-get-project ") && all.contains("200 –"), "{all}");
    let (code, why) = refusal(&["coverage", file.path(), "--goal", "v1-get-projct: 404"]);
    assert!(code == Some(2) && why.contains("did you mean `v1-get-project`?"), "{why}");
    let (code, why) = refusal(&["coverage", page.path()]);
    assert_eq!(code, Some(2));
    assert!(why.contains("is no coverage as serve writes it"), "{why}");
    let never = refusal(&["coverage", file.path(), "--goal", "v1-get-project: 999"]);
    assert!(never.0 == Some(2) && never.1.contains("v1-get-project answers 200, "), "{never:?}");
    assert!(refusal(&["coverage", file.path(), "--goal", "often"]).1.contains("must be like"));
}
