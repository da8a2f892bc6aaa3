//! The binary, run as a process.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

use crate::client::{self, send, spawn};

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
fn serve_prints_one_line_of_json_and_answers() {
    let served = Served::start(&mut stuntdouble(&[
        "serve", "--port", "0", "--json", "--token", "one", "--token", "two",
    ]));
    assert_eq!(served.line["token"], "one");
    assert_eq!(served.line["world"], "main");
    assert_eq!(served.line["pid"], served.child.id());
    for token in ["one", "two"] {
        assert!(served.get("/v1/projects", token).starts_with("HTTP/1.1 200 OK"), "{token}");
    }
    assert!(served.get("/v1/projects", "three").starts_with("HTTP/1.1 401"));
}

/// The tokens of the main world, and of a world that is made.
fn tokens(command: &mut Command) -> [String; 4] {
    let served = Served::start(command);
    let body =
        |answer: String| answer.split_once("\r\n\r\n").map(|(_, body)| body.to_owned()).expect("a body");
    let made = body(served.post("/_sim/worlds", "", r#"{"name":"made"}"#));
    let made: Value = serde_json::from_str(&made).unwrap_or_else(|error| panic!("{error}: {made}"));
    let tokens = [&served.line, &made].map(|line| {
        let token = |name: &str| line[name].as_str().unwrap_or_else(|| panic!("{name}: {line}")).to_owned();
        [token("token"), token("analytics_token")]
    });
    for [token, analytics] in &tokens {
        assert!(served.get("/v1/projects", token).starts_with("HTTP/1.1 200"), "{token}");
        assert!(served.get("/api/sources", analytics).starts_with("HTTP/1.1 200"), "{analytics}");
    }
    let [[a, b], [c, d]] = tokens;
    [a, b, c, d]
}

#[test]
fn default_tokens_are_drawn_at_each_start_unless_a_seed_fixes_them() {
    let serve = |more: &[&str]| {
        let arguments = ["serve", "--port", "0", "--json", "--analytics"];
        tokens(&mut stuntdouble(&[&arguments, more].concat()))
    };
    let mut drawn =
        [serve(&[]), serve(&[]), serve(&["--token", "mine"]), serve(&["--scenario", "paused-project"])]
            .concat();
    assert_eq!((&*drawn[8], &*drawn[12]), ("mine", "token-of-owner"), "what is given stays");
    drawn.sort();
    let all = drawn.len();
    drawn.dedup();
    // The world that is made has its own first token where the scenario gives none.
    assert_eq!(drawn.len(), all, "{drawn:?}");
    assert_eq!(serve(&["--seed", "0"]), serve(&["--seed", "0"]));
    let [token, ..] = serve(&["--seed", "0"]);
    assert_eq!(token, sim_core::Simulator::builder().build().token(), "as in process");

    let file = File::new("seeded.toml", "seed = 7\nservice = 'both'\n");
    let seeded = || {
        let served =
            Served::start(&mut stuntdouble(&["serve", "--port", "0", "--json", "--seed-file", file.path()]));
        [&served.line["token"], &served.line["analytics_token"]].map(Value::to_string)
    };
    assert_eq!(seeded(), seeded());

    let alone = || {
        let mut command = stuntdouble(&["analytics", "serve", "--port", "0", "--json"]);
        command.env("ANALYTICS_SINGLE_TENANT", "true").env("PLATFORM_MODE", "true");
        let served = Served::start(&mut command);
        let token = served.line["token"].as_str().expect("a token").to_owned();
        let account = served.get("/api/account", &token);
        let key = account.split_once("\"api_key\":").map(|(_, rest)| rest[..34].to_owned());
        (token, key.unwrap_or_else(|| panic!("{account}")))
    };
    let (one, other) = (alone(), alone());
    assert!(one.0 != other.0 && one.1 != other.1, "{one:?} {other:?}");

    let run = |more: &[&str]| {
        let arguments = [&["exec"], more, &["--", "sh", "-c", "printf %s \"$STUNTDOUBLE_TOKEN\""]].concat();
        text(&run(&arguments).stdout)
    };
    assert!(run(&[]).starts_with("pat_"));
    assert_ne!(run(&[]), run(&[]));
    assert_eq!(run(&["--seed", "3"]), run(&["--seed", "3"]));
}

#[test]
fn serve_prints_a_curl_line_for_people() {
    let mut child = stuntdouble(&["serve", "--port", "0"]).stdout(Stdio::piped()).spawn().expect("it runs");
    let out = BufReader::new(child.stdout.as_mut().expect("it is piped"));
    let curl = out.lines().map_while(Result::ok).find(|line| line.contains("curl")).expect("there is one");
    let _ = child.kill();
    let _ = child.wait();
    let words: Vec<&str> = curl.trim().split('\'').collect();
    assert!(words[1].starts_with("Authorization: Bearer pat_"), "{curl}");
    assert!(words[2].starts_with(" http://127.0.0.1:") && words[2].ends_with("/v1/projects"), "{curl}");
}

#[test]
fn a_server_for_other_machines_says_who_may_control_it() {
    for (options, is_said) in [
        (&["--host", "0.0.0.0"][..], true),
        (&["--host", "0.0.0.0", "--control", "open"], false),
        (&[], false),
    ] {
        let arguments = [&["serve", "--port", "0"], options].concat();
        let mut child = stuntdouble(&arguments).stdout(Stdio::piped()).spawn().expect("it runs");
        let out = BufReader::new(child.stdout.as_mut().expect("it is piped"));
        let lines: Vec<String> =
            out.lines().map_while(Result::ok).take_while(|line| !line.contains("curl")).collect();
        let _ = child.kill();
        let _ = child.wait();
        assert_eq!(lines.iter().any(|line| line.contains("/_sim is for this machine")), is_said, "{lines:?}");
    }
}

#[test]
fn serve_logs_a_line_for_each_request() {
    let mut served = Served::start(&mut stuntdouble(&["serve", "--port=0", "--json", "--log"]));
    served.get("/v1/projects", "nobody");
    let line = served.error_line();
    assert!(
        line.contains("Z call 1 GET /v1/projects 401 token_unknown ") && line.ends_with("µs\n"),
        "{line}"
    );
}

#[cfg(unix)]
#[test]
fn serve_stops_on_request() {
    for signal in [rustix::process::Signal::TERM, rustix::process::Signal::INT] {
        let mut served = Served::start(&mut stuntdouble(&["serve", "--port", "0", "--json", "--tls"]));
        let ca = served.line["ca"].as_str().expect("a file").to_owned();
        assert!(
            std::fs::read_to_string(&ca).expect("it is there").starts_with("-----BEGIN CERTIFICATE-----")
        );
        // An answer shows that it waits for signals by now: the line comes before.
        let id = rustix::process::Pid::from_raw(served.child.id() as i32).expect("it runs");
        while served.child.try_wait().expect("it can be asked").is_none() {
            rustix::process::kill_process(id, signal).expect("it is ours");
        }
        let status = served.child.wait().expect("it ends");
        let early = std::os::unix::process::ExitStatusExt::signal(&status).is_some();
        assert!(status.success() || early, "{status}");
        assert!(early || !std::path::Path::new(&ca).exists(), "its own certificate file goes with it");
    }
}

#[cfg(unix)]
#[test]
fn an_unread_log_delays_neither_calls_nor_the_stop() {
    let mut served = Served::start(&mut stuntdouble(&["serve", "--port=0", "--json", "--log"]));
    let target = format!("/v1/projects?{}", "x".repeat(4000));
    // More than a pipe takes, and more than the queue.
    for _ in 0..500 {
        assert!(served.get(&target, "nobody").starts_with("HTTP/1.1 401"));
    }
    let id = rustix::process::Pid::from_raw(served.child.id() as i32).expect("it runs");
    rustix::process::kill_process(id, rustix::process::Signal::TERM).expect("it is ours");
    assert!(served.child.wait().expect("it ends").success());
    let mut lines = String::new();
    let err = served.child.stderr.as_mut().expect("it is piped");
    err.read_to_string(&mut lines).expect("text");
    assert!(lines.contains("Z call 1 GET /v1/projects?xxx"), "{lines}");
}

#[cfg(unix)]
#[test]
fn serve_ends_though_a_query_does_not() {
    use rustix::process::Signal;
    for signal in [Signal::TERM, Signal::INT, Signal::HUP] {
        let mut served = Served::start(&mut stuntdouble(&["serve", "--port=0", "--json", "--pace=instant"]));
        let token = served.line["token"].as_str().expect("it has a user").to_owned();
        let body = r#"{"name":"demo","organization_id":"acme","region":"us-east-1","db_pass":"a-password"}"#;
        let made =
            client::Answer::parse(&served.post("/v1/projects", &token, body)).expect("an answer").json();
        let query = format!("/v1/projects/{}/database/query", made["id"].as_str().expect("an id"));
        // Without a limit on time it takes long.
        let sql = r#"{"query":"select count(*) from generate_series(1,1000000) g where repeat('a',1000) ~ ('a*a*a*b' || g)"}"#;
        let url = served.line["url"].as_str().expect("an address").to_owned();
        let hostile = std::thread::spawn(move || {
            let addr: SocketAddr = url.trim_start_matches("http://").parse().expect("an address");
            let length = sql.len();
            let head = format!(
                "POST {query} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
                 content-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
            );
            client::send(addr, format!("{head}{sql}").as_bytes())
        });
        std::thread::sleep(std::time::Duration::from_millis(50));
        let id = rustix::process::Pid::from_raw(served.child.id() as i32).expect("it runs");
        let begun = std::time::Instant::now();
        rustix::process::kill_process(id, signal).expect("it is ours");
        assert!(served.child.wait().expect("it ends").success());
        // Two seconds on a machine of its own.
        assert!(begun.elapsed() < std::time::Duration::from_secs(10), "{:?}", begun.elapsed());
        let _ = hostile.join();
    }
}

#[cfg(unix)]
#[test]
fn serve_takes_its_postgres_along_however_it_ends() {
    use rustix::process::Signal;
    if sim_http::PostgresServer::start().is_err() {
        return eprintln!("SKIPPED: there is no PostgreSQL on this machine");
    }
    for signal in [Signal::TERM, Signal::INT, Signal::KILL] {
        let mut served =
            Served::start(&mut stuntdouble(&["serve", "--port", "0", "--json", "--engine", "postgres"]));
        let folder = std::env::temp_dir().join(format!("stuntdouble-{}-0", served.child.id()));
        assert!(folder.join("data/postmaster.pid").exists(), "{}", folder.display());
        let id = rustix::process::Pid::from_raw(served.child.id() as i32).expect("it runs");
        rustix::process::kill_process(id, signal).expect("it is ours");
        served.child.wait().expect("it ends");
        let gone = (0..1000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            !folder.exists()
        });
        assert!(gone, "{signal:?}");
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
fn doctor_says_what_it_found() {
    let output = run(&["doctor", "--port", "0"]);
    let found = text(&output.stdout);
    assert!(output.status.success(), "{found}");
    assert_eq!(found.lines().filter(|line| line.starts_with("ok ")).count(), 4, "{found}");

    let busy = spawn();
    let output = run(&["doctor", "--port", &busy.addr().port().to_string()]);
    let found = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(found.contains("FAIL  listen") && found.contains("in use"), "{found}");

    // Settings without a world fail once.
    let (code, found) = {
        let output = run(&["doctor", "--scenario", "none"]);
        (output.status.code(), text(&output.stdout))
    };
    assert_eq!((code, found.matches("FAIL").count(), found.lines().count()), (Some(1), 1, 2), "{found}");
}

#[test]
fn replay_reports_whether_a_world_can_be_replayed() {
    let server = spawn();
    client::post(&server, "/v1/projects", &client::new_project(&server));
    let file = client::get(&server, "/_sim/replay").body;
    let same = File::new("same.json", &file);
    let output = run(&["replay", same.path()]);
    assert_eq!(
        (output.status.code(), text(&output.stdout).starts_with("the same: 2 calls")),
        (Some(0), true)
    );

    let other = File::new("other.json", &file.replacen("\"seed\":0", "\"seed\":1", 1));
    let output = run(&["replay", other.path()]);
    let said = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        said.contains("call 2") && said.contains("diverges") && said.contains("POST /v1/projects"),
        "{said}"
    );

    let broken = File::new("broken.json", "{}");
    let (code, error) = refusal(&["replay", broken.path()]);
    assert_eq!(code, Some(2));
    assert!(error.contains("can't be read as a replay file") && error.contains("version"), "{error}");
}

#[test]
#[cfg(unix)]
fn a_replay_is_interrupted_also_while_its_file_is_read() {
    // The command waits for the end of a pipe that never ends.
    let pipe = File::new("replay-pipe", "");
    std::fs::remove_file(pipe.path()).expect("it was there");
    assert!(Command::new("mkfifo").arg(pipe.path()).status().expect("mkfifo runs").success());
    for signal in ["-INT", "-TERM"] {
        let mut replay = stuntdouble(&["replay", pipe.path()]);
        let replay = replay.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        let writer = std::fs::OpenOptions::new().write(true).open(pipe.path()).expect("it is read");
        let id = replay.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().expect("kill runs").success());
        let output = replay.wait_with_output().expect("it ends");
        let (said, error) = (text(&output.stdout), text(&output.stderr));
        assert_eq!((output.status.code(), said.as_str()), (Some(130), ""), "{error}");
        assert!(error.contains("error: interrupted"), "{error}");
        drop(writer);
    }
}

#[test]
#[cfg(unix)]
fn an_interrupted_replay_reports_how_far_it_is_the_same() {
    let server = spawn();
    for _ in 0..1000 {
        client::get(&server, "/v1/projects");
    }
    let file = File::new("replay-long", &client::get(&server, "/_sim/replay").body);
    // A signal may come before the first call or after the last; then another one is sent later or earlier.
    let mut wait = std::time::Duration::from_millis(200);
    for _ in 0..20 {
        let mut replay = stuntdouble(&["replay", file.path()]);
        let replay = replay.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the binary runs");
        std::thread::sleep(wait);
        let id = replay.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill runs").success());
        let output = replay.wait_with_output().expect("it ends");
        let (said, error) = (text(&output.stdout), text(&output.stderr));
        if output.status.code() != Some(130) || said.is_empty() {
            wait = if output.status.success() { wait / 2 } else { wait * 3 / 2 };
            continue;
        }
        assert!(said.starts_with("the same so far: ") && said.ends_with(" of 1000 calls\n"), "{said}");
        assert!(error.contains("error: interrupted"), "{error}");
        return;
    }
    panic!("no signal came while it replayed");
}

#[test]
#[cfg(unix)]
fn files_that_are_too_long_are_refused_without_reading_them() {
    let huge = File::new("huge", "");
    let file = std::fs::OpenOptions::new().write(true).open(huge.path()).expect("it is there");
    file.set_len(3 << 30).expect("a file may have holes");
    for (arguments, most) in [
        (&["replay"][..], 256 << 20),
        (&["serve", "--port", "0", "--seed-file"], 256 << 20),
        (&["serve", "--port", "0", "--policy"], 16 << 20),
        (&["serve", "--port", "0", "--profile"], 16 << 20),
        (&["serve", "--port", "0", "--config"], 16 << 20),
        (&["serve", "--port", "0", "--faults"], 16 << 20),
        (&["profile", "--check"], 16 << 20),
        (&["coverage"], 256 << 20),
    ] {
        // A device has no length, and no end.
        for path in [huge.path(), "/dev/zero"] {
            let (code, error) = refusal(&[arguments, &[path]].concat());
            let words = format!("it has more than {most} bytes");
            assert!(code == Some(2) && error.contains(&words), "{arguments:?} {path}: {error}");
        }
    }
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
