//! `serve`: its greeting, log, signals and tokens.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{File, Served, run, stuntdouble, text};
use crate::client;

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
