//! Seed files over the control API and on the command line.

use serde_json::{Value, json};
use sim_core::seed::{Seed, scenario};

use crate::cli::{File, Served, stuntdouble};
use crate::client::{call_with, get, post, spawn};

const FILE: &str = "
    seed = 5
    [[users]]
    name = 'ada'
    tokens = ['token-of-ada']
    [[organizations]]
    name = 'Acme'
    members = { ada = 'Owner' }
    [[projects]]
    name = 'shop'
    status = 'INACTIVE'
";

fn output(arguments: &[&str]) -> (Option<i32>, String) {
    let output = stuntdouble(arguments).output().expect("the binary runs");
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn a_world_is_made_from_a_file_as_text_or_object_and_exported() {
    let server = spawn();
    let object: Value = serde_json::to_value(Seed::parse(FILE).expect("a good file")).expect("plain data");
    for (name, file) in [("text", json!(FILE)), ("object", object)] {
        let made = post(&server, "/_sim/worlds", &json!({ "name": name, "seed_file": file }).to_string());
        assert_eq!(made.status, 201, "{}", made.body);
        assert_eq!((&made.json()["token"], &made.json()["seed"]), (&json!("token-of-ada"), &json!(5)));
        let bearer = [("authorization", "Bearer token-of-ada"), ("x-sim-world", name)];
        let projects = call_with(&server, "GET", "/v1/projects", &bearer, "");
        assert_eq!(projects.json()[0]["status"], "INACTIVE");

        let export = get(&server, &format!("/w/{name}/_sim/export"));
        assert_eq!(export.status, 200, "{}", export.body);
        let copy = format!("{name}-again");
        let body = json!({ "name": copy, "seed_file": export.json() }).to_string();
        let made = post(&server, "/_sim/worlds", &body);
        assert_eq!(made.status, 201, "{}", made.body);
        let journals = [name, &copy].map(|name| get(&server, &format!("/w/{name}/_sim/journal")).body);
        assert_eq!(journals[0], journals[1]);
        let toml = call_with(
            &server,
            "GET",
            &format!("/w/{copy}/_sim/export"),
            &[("accept", "application/toml")],
            "",
        );
        assert_eq!(
            Seed::parse(&toml.body).expect("it is TOML").to_json(),
            Seed::parse(&export.body).expect("it is JSON").to_json()
        );
    }
}

#[test]
fn a_world_is_created_from_a_scenario_and_reset_to_it() {
    let server = spawn();
    let listed = get(&server, "/_sim/scenarios").json();
    assert_eq!(listed.as_array().map(Vec::len), Some(scenario::ALL.len()));
    let made = post(&server, "/_sim/worlds", r#"{"name":"a","scenario":"failed-restore"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    let status = || {
        let bearer = [("authorization", "Bearer token-of-owner")];
        call_with(&server, "GET", "/w/a/v1/projects", &bearer, "").json()[0]["status"].clone()
    };
    assert_eq!(status(), "RESTORE_FAILED");
    let reset = post(&server, "/w/a/_sim/reset", "");
    assert_eq!((reset.status, status()), (200, json!("RESTORE_FAILED")));
    let both = post(&server, "/_sim/worlds", r#"{"name":"b","scenario":"events"}"#).json();
    let token = both["analytics_token"].as_str().expect("it has the analytics server").to_owned();
    let bearer = format!("Bearer {token}");
    let sources = call_with(&server, "GET", "/w/b/api/sources", &[("authorization", &bearer)], "");
    assert!(sources.body.contains("\"gateway\""), "{}", sources.body);
}

#[test]
fn a_wrong_seed_of_a_world_is_400_and_named() {
    let server = spawn();
    for (body, expected) in [
        (json!({ "seed_file": "[[projects]]" }), "missing field `name`"),
        (
            json!({ "seed_file": { "projects": [{ "name": "a" }, { "name": "b", "status": "PAUSED" }] } }),
            "seed_file: The seed can't be read: projects.1: unknown variant `PAUSED`",
        ),
        (json!({ "seed_file": { "projects": [{ "status": "PAUSED" }] } }), "did you mean `INACTIVE`?"),
        (json!({ "seed_file": { "projcts": [{}] } }), "projcts: there is no such field"),
        (json!({ "seed_file": [1] }), "seed_file: must be an object, or the text of a file"),
        (json!({ "scenario": "none" }), "scenario: there is no scenario \"none\""),
        (
            json!({ "scenario": "shop", "seed_file": {} }),
            "scenario: can't be given together with `seed_file`",
        ),
        (json!({ "scenario": "shop", "world": {} }), "world: comes from the seed; leave it out"),
    ] {
        let answer = post(&server, "/_sim/worlds", &body.to_string());
        assert_eq!(answer.status, 400, "{body}: {}", answer.body);
        assert!(
            answer.json()["message"].to_string().replace('\\', "").contains(expected),
            "{body}: {}",
            answer.body
        );
    }
}

#[test]
fn serve_begins_with_a_file_or_a_scenario_and_flags_count_more() {
    let file = File::new("seed.toml", FILE);
    let served =
        Served::start(&mut stuntdouble(&["serve", "--port", "0", "--json", "--seed-file", file.path()]));
    assert_eq!(served.line["token"], "token-of-ada");
    assert!(served.get("/v1/projects", "token-of-ada").contains("INACTIVE"));
    let config = File::new("seed-config.toml", "scenario = 'paused-project'\nspeed = 0");
    let served = Served::start(
        stuntdouble(&[
            "serve",
            "--port",
            "0",
            "--json",
            "--config",
            config.path(),
            "--self-log",
            "--rate-limit",
            "off",
        ])
        .env("STUNTDOUBLE_SEED", "8"),
    );
    assert!(served.line["analytics_token"].is_string());
    let worlds = served.get("/_sim/worlds", "none");
    assert!(worlds.contains(r#""seed":8"#) && worlds.contains(r#""service":"both""#), "{worlds}");
    assert!(served.get("/v1/projects", "token-of-owner").contains("INACTIVE"));
}

#[test]
fn wrong_files_and_names_are_refused_by_flag() {
    let wrong = File::new("wrong.toml", "\n[[projects]]\nname = 7");
    let impossible = File::new("impossible.toml", "[[projects]]\nname = 'a.b'");
    for (arguments, expected) in [
        (&["serve", "--seed-file", wrong.path()][..], "line 3, column 8"),
        (&["serve", "--seed-file", impossible.path()], "projects.0: name should not contain a . string"),
        (&["serve", "--seed-file", "none.toml"], "--seed-file none.toml: can't be read"),
        (&["serve", "--scenario", "none"], "--scenario: there is no scenario \"none\""),
        (
            &["serve", "--scenario", "shop", "--seed-file", wrong.path()],
            "--scenario: can't be given together with --seed-file",
        ),
        (&["analytics", "serve", "--scenario", "shop"], "is for `stuntdouble serve`"),
    ] {
        let (code, text) = output(arguments);
        assert_eq!(code, Some(2), "{arguments:?}: {text}");
        assert!(text.contains(expected), "{arguments:?}: {text}");
    }
}

#[test]
fn scenarios_and_the_schema_are_printed() {
    let (code, table) = output(&["scenario"]);
    assert_eq!((code, table.lines().count()), (Some(0), scenario::ALL.len()));
    assert!(table.contains("failed-restore "), "{table}");
    let (_, file) = output(&["scenario", "failed-restore"]);
    assert_eq!(Seed::parse(&file).expect("it is a seed file").projects.len(), 1);
    let (_, schema) = output(&["seed-schema"]);
    let schema: Value = serde_json::from_str(&schema).expect("it is JSON");
    assert_eq!(schema["title"], "Seed");
}
