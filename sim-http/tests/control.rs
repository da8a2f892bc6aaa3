//! The control API inside one world: clock, snapshots, journal.

use serde_json::json;
use sim_core::{Pace, Policy, RateLimit, Simulator};
use sim_http::{ControlAccess, Server};

use crate::client::{attempt, call, call_with, get, new_project, post, spawn};

const START: &str = "2026-01-01T00:00:00Z";

#[test]
fn the_clock_moves_in_three_ways() {
    let server = spawn();
    post(&server, "/v1/projects", &new_project(&server));
    let clock = get(&server, "/_sim/clock").json();
    let due = "2026-01-01T00:01:00Z";
    assert_eq!(clock, json!({ "now": START, "next_due": due, "pace": "clock", "speed": 0.0 }));

    let moved = post(&server, "/_sim/clock/advance", r#"{"ms":1500}"#).json();
    assert_eq!(moved, json!({ "now": "2026-01-01T00:00:01.5Z", "next_due": due, "happened": [] }));

    let moved = post(&server, "/_sim/clock/advance", r#"{"to":"next_due"}"#).json();
    assert_eq!((&moved["now"], &moved["happened"][0]["became"]), (&due.into(), &"ACTIVE_HEALTHY".into()));

    let until = "2026-01-02T00:00:00Z";
    let moved = post(&server, "/_sim/clock/advance", &json!({ "until": until }).to_string()).json();
    assert_eq!(moved["now"], until);
    let back = post(&server, "/_sim/clock/advance", &json!({ "until": START }).to_string());
    assert_eq!((back.status, back.reason()), (400, "invalid_body.until"));
    let text = "until: 2026-01-01T00:00:00Z has passed; the clock is at 2026-01-02T00:00:00Z";
    assert_eq!(back.json()["message"], text);
    let here = post(&server, "/_sim/clock/advance", &json!({ "until": until }).to_string());
    assert_eq!(here.json()["now"], until, "the present has not passed");
}

#[test]
fn a_move_tells_what_ended_by_itself() {
    let server = spawn();
    let made = post(&server, "/v1/projects", &new_project(&server)).json();
    let id = made["id"].as_str().expect("a reference");
    post(&server, "/_sim/clock/advance", r#"{"ms":60000}"#);
    call(&server, "PUT", &format!("/_sim/projects/{id}/read-only"), r#"{"enabled":true}"#);
    post(&server, &format!("/v1/projects/{id}/readonly/temporary-disable"), "");
    let shown = |moved: serde_json::Value| {
        let happened = moved["happened"].as_array().expect("a list").clone();
        let shown = |one: &serde_json::Value| json!([one["at"], one["kind"], one["subject"], one["became"]]);
        happened.iter().map(shown).collect::<Vec<_>>()
    };
    post(&server, "/_sim/clock/advance", r#"{"ms":890000}"#);
    post(&server, &format!("/v1/projects/{id}/pause"), "");
    let moved = shown(post(&server, "/_sim/clock/advance", r#"{"ms":600000}"#).json());
    let ended = json!(["2026-01-01T00:16:00Z", "end of read-only override", id, "ended"]);
    assert_eq!(moved[0], ended);
    assert_eq!((moved.len(), &moved[1][1], &moved[1][3]), (2, &json!("project"), &json!("INACTIVE")));
    assert_eq!(shown(post(&server, "/_sim/clock/advance", r#"{"ms":600000}"#).json()), [""; 0]);
}

#[test]
fn compressed_bodies_of_control_calls_are_refused() {
    let server = spawn();
    for path in ["/_sim/clock/advance", "/_sim/worlds", "/_sim/oauth/consent/page"] {
        let answer = call_with(&server, "POST", path, &[("content-encoding", "gzip")], r#"{"ms":1}"#);
        assert_eq!((answer.status, answer.reason()), (415, "unsupported_content_encoding"), "{path}");
    }
}

#[test]
fn a_move_is_one_way_and_well_formed() {
    let server = spawn();
    for (body, reason) in [
        ("", "invalid_body"),
        ("{}", "invalid_body"),
        (r#"{"ms":1,"to":"next_due"}"#, "invalid_body"),
        (r#"{"ms":-1}"#, "invalid_body.ms"),
        (r#"{"ms":"1"}"#, "invalid_body.ms"),
        (r#"{"until":"soon"}"#, "invalid_body.until"),
        (r#"{"to":"the_end"}"#, "invalid_body.to"),
        (r#"{"by":1}"#, "invalid_body.by"),
    ] {
        let answer = post(&server, "/_sim/clock/advance", body);
        assert_eq!((answer.status, answer.reason()), (400, reason), "{body} {}", answer.body);
    }
    assert_eq!(get(&server, "/_sim/clock").json()["now"], START);
}

#[test]
fn a_policy_that_cannot_be_is_refused_with_its_field() {
    let server = spawn();
    for (policy, field, problem) in [
        (r#"{"disk_full_percent":200}"#, "disk_full_percent", "Number must be less than or equal to 100"),
        (
            r#"{"analytics":{"source_quota":-1}}"#,
            "analytics.source_quota",
            "Number must be greater than or equal to 0",
        ),
        (
            r#"{"rate_limits":[{"name":"x","count":0,"window_ms":1}]}"#,
            "rate_limits.0.count",
            "Number must be greater than or equal to 1",
        ),
    ] {
        let seed_file = format!(r#"{{"policy":{policy}}}"#);
        for body in [format!(r#"{{"policy":{policy}}}"#), format!(r#"{{"seed_file":{seed_file}}}"#)] {
            let answer = post(&server, "/_sim/worlds", &body);
            assert_eq!(
                (answer.status, answer.reason()),
                (400, &*format!("invalid_policy.{field}")),
                "{body}"
            );
            assert_eq!(answer.json()["message"], format!("policy.{field}: {problem}"), "{body}");
        }
    }
    assert_eq!(post(&server, "/_sim/worlds", r#"{"policy":{"disk_full_percent":100}}"#).status, 201);
}

#[test]
fn the_calendar_has_an_end() {
    let server = spawn();
    for (path, body, reason) in [
        ("/_sim/clock/advance", format!(r#"{{"ms":{}}}"#, u64::MAX), "invalid_body.ms"),
        ("/_sim/clock/advance", r#"{"until":"9999-12-30T22:00:00.5Z"}"#.to_owned(), "invalid_body.until"),
        ("/_sim/worlds", r#"{"start":"9999-12-30T22:00:00.5Z"}"#.to_owned(), "invalid_body.start"),
    ] {
        let answer = post(&server, path, &body);
        assert_eq!((answer.status, answer.reason()), (400, reason), "{}", answer.body);
    }
    let end = r#"{"until":"9999-12-30T22:00:00Z"}"#;
    assert_eq!(post(&server, "/_sim/clock/advance", end).status, 200);
    assert_eq!(get(&server, "/v1/projects").status, 200);
}

#[test]
fn instants_are_whole_microseconds() {
    let server = spawn();
    let moved = post(&server, "/_sim/clock/advance", r#"{"until":"2026-01-01T00:00:01.123456789Z"}"#);
    assert_eq!(moved.json()["now"], "2026-01-01T00:00:01.123456Z");
}

#[test]
fn a_step_does_one_piece_of_work() {
    let policy = Policy { pace: Pace::Manual, ..Policy::default() };
    let server = Server::spawn(Simulator::builder().policy(policy).build());
    post(&server, "/v1/projects", &new_project(&server));
    let agenda = get(&server, "/_sim/agenda").json();
    assert_eq!(agenda.as_array().map(Vec::len), Some(1));
    let subject = agenda[0]["subject"].as_str().expect("a project").to_owned();
    let stepped = post(&server, "/_sim/clock/step", "").json();
    assert_eq!(stepped["happened"][0]["became"], "COMING_UP");
    let history = get(&server, &format!("/_sim/history?subject={subject}")).json();
    assert_eq!(history[0]["became"], "COMING_UP");
    assert_eq!(get(&server, "/_sim/history?subject=nobody").json(), json!([]));
    assert_eq!(get(&server, "/_sim/history?subjct=x").reason(), "invalid_query.subjct");
}

#[test]
fn snapshots_restore_an_earlier_state() {
    let server = spawn();
    let project = new_project(&server);
    let before = server.sim().journal_hash();
    let kept = post(&server, "/_sim/snapshots", r#"{"name":"empty"}"#);
    assert_eq!(
        (kept.status, kept.body.as_str()),
        (201, r#"{"name":"empty","now":"2026-01-01T00:00:00Z","calls":1}"#)
    );
    post(&server, "/v1/projects", &project);
    post(&server, "/_sim/clock/advance", r#"{"ms":1}"#);
    let restored = post(&server, "/_sim/snapshots/empty/restore", "");
    assert_eq!((restored.status, restored.body), (200, kept.body));
    assert_eq!(server.sim().journal_hash(), before);
    assert_eq!(get(&server, "/v1/projects").body, "[]");
    assert_eq!(get(&server, "/_sim/snapshots").json()[0]["name"], "empty");
    assert_eq!(call(&server, "DELETE", "/_sim/snapshots/empty", "").body, "{}");
    let gone = post(&server, "/_sim/snapshots/empty/restore", "");
    assert_eq!(
        (gone.status, gone.body.as_str()),
        (404, r#"{"message":"There is no snapshot \"empty\"; GET /_sim/snapshots lists them"}"#)
    );
    let encoded = post(&server, "/_sim/snapshots/no%20such/restore", "");
    assert!(encoded.body.contains(r#"There is no snapshot \"no such\""#), "{}", encoded.body);
    assert_eq!(post(&server, "/_sim/snapshots", r#"{"name":"a b"}"#).reason(), "invalid_body.name");
    assert_eq!(post(&server, "/_sim/snapshots", "").reason(), "invalid_body.name");
}

#[test]
fn a_reset_is_the_beginning() {
    let server = spawn();
    let beginning = server.sim().journal_hash();
    post(&server, "/v1/projects", &new_project(&server));
    post(&server, "/_sim/clock/advance", r#"{"ms":1}"#);
    let reset = post(&server, "/_sim/reset", "").json();
    assert_eq!((&reset["now"], &reset["calls"]), (&START.into(), &0.into()));
    assert_eq!(server.sim().journal_hash(), beginning);
}

#[test]
fn the_journal_is_read_in_parts() {
    let server = spawn();
    (0..3).for_each(|_| drop(get(&server, "/v1/projects")));
    assert_eq!(get(&server, "/_sim/journal").json().as_array().map(Vec::len), Some(3));
    let part = get(&server, "/_sim/journal?from=2&limit=1").json();
    assert_eq!((part[0]["call"].as_u64(), part.as_array().map(Vec::len)), (Some(2), Some(1)));
    assert_eq!(get(&server, "/_sim/journal?limit=all").reason(), "invalid_query.limit");
    assert_eq!(get(&server, &format!("/_sim/journal?from={}", u64::MAX)).body, "[]");
}

#[test]
fn a_refusal_is_explained_as_json_or_text() {
    let server = spawn();
    let refused = get(&server, "/v1/projects/abcdefghijklmnopqrst");
    let call = refused.header("x-sim-call").expect("it is in the journal").to_owned();
    let path = format!("/_sim/journal/{call}/explain");
    let checks = get(&server, &path).json()["checks"].clone();
    assert_eq!(
        checks.as_array().and_then(|all| all.last()).map(|last| last["passed"].clone()),
        Some(json!(false))
    );
    let text = call_with(&server, "GET", &path, &[("accept", "text/plain")], "");
    assert_eq!(text.header("content-type"), Some("text/plain; charset=utf-8"));
    assert!(text.body.starts_with(&format!("call {call} at {START}: GET /v1/projects/abc")), "{}", text.body);
    for wrong in ["0", "99"] {
        let none = get(&server, &format!("/_sim/journal/{wrong}/explain"));
        assert!(
            none.status == 404
                && none.body.contains(&format!("There is no call {wrong}; the calls are 1 to ")),
            "{}",
            none.body
        );
    }
    let past = post(&server, "/_sim/fork", r#"{"at_call": 99}"#);
    assert!(past.body.contains("There is no call 99; the calls are 1 to "), "{}", past.body);
    assert_eq!(get(&server, "/_sim/journal/first/explain").reason(), "invalid_path.call");
}

#[test]
fn a_refusal_links_to_its_explanation() {
    let server = spawn();
    let made = get(&server, "/v1/projects");
    assert_eq!((made.status, made.header("x-sim-explain")), (200, None));
    let refused = get(&server, "/v1/projects/abcdefghijklmnopqrst");
    let path = refused.header("x-sim-explain").expect("a link");
    assert_eq!(path, "/_sim/journal/2/explain");
    assert_eq!(get(&server, path).json()["call"]["target"], "/v1/projects/abcdefghijklmnopqrst");

    // The path is that of the world that was called, whatever chose it.
    post(&server, "/_sim/worlds", r#"{"name":"other"}"#);
    let refused = call_with(&server, "GET", "/v1/nothing", &[("x-sim-world", "other")], "");
    let path = refused.header("x-sim-explain").expect("a link");
    assert_eq!(path, "/w/other/_sim/journal/1/explain");
    assert_eq!(get(&server, path).json()["call"]["target"], "/v1/nothing");

    let closed = Server::builder().control(ControlAccess::Off).spawn(Simulator::builder().build());
    let closed = closed.expect("a port and a thread are to be had");
    let refused = get(&closed, "/v1/nothing");
    assert_eq!((refused.status, refused.header("x-sim-explain")), (404, None));
}

#[test]
fn the_replay_file_lives_the_world_again() {
    let server = spawn();
    post(&server, "/v1/projects", &new_project(&server));
    post(&server, "/_sim/clock/advance", r#"{"ms":60000}"#);
    get(&server, "/v1/projects");
    let file = get(&server, "/_sim/replay");
    assert_eq!(file.header("content-disposition"), Some("attachment; filename=\"replay.json\""));
    let replay: sim_core::Replay = serde_json::from_str(&file.body).expect("a replay file");
    let again = replay.run(sim_core::management::registry()).expect("nothing diverges");
    assert_eq!(again.journal_hash(), server.sim().journal_hash());
}

#[test]
fn a_pruned_journal_makes_no_replay_file() {
    let policy = Policy { journal_calls: 1, rate_limit: sim_core::RateLimit::off(), ..Policy::default() };
    let server = Server::spawn(Simulator::builder().policy(policy).build());
    (0..70).for_each(|_| drop(get(&server, "/v1/projects")));
    let refused = get(&server, "/_sim/replay");
    assert_eq!((refused.status, refused.reason()), (409, "journal_pruned"));
}

#[test]
fn a_replay_file_names_calls_whose_bodies_were_not_kept() {
    let policy = Policy { journal_request_bytes: 10, ..Policy::default() };
    let server = Server::spawn(Simulator::builder().policy(policy).build());
    get(&server, "/v1/projects");
    let made = post(&server, "/v1/projects", &new_project(&server));
    let call: u64 =
        made.header("x-sim-call").and_then(|call| call.parse().ok()).expect("a call has a number");
    let file = get(&server, "/_sim/replay");
    assert_eq!(file.header("x-sim-cut-calls"), Some(&*call.to_string()));
    let fork = post(&server, "/_sim/fork", &json!({ "name": "then", "at_call": call }).to_string());
    assert!(fork.body.contains("did not keep its body"), "{}", fork.body);
    assert_eq!(get(&server, &format!("/_sim/journal/{call}/changes")).status, 409);
}

#[test]
fn control_needs_no_token_and_counts_for_nothing() {
    let server = spawn();
    for path in ["/_sim/clock", "/_sim/users", "/_sim/policy"] {
        let answer = call_with(&server, "GET", path, &[], "");
        assert_eq!((answer.status, answer.header("x-ratelimit-limit")), (200, None), "{path}");
    }
    let unknown = call_with(&server, "GET", "/_sim/nothing", &[], "");
    assert_eq!((unknown.status, unknown.reason()), (404, "unknown_path"));
}

#[test]
fn a_fork_begins_where_one_wants() {
    let server = spawn();
    post(&server, "/v1/projects", &new_project(&server));
    for (body, status) in [
        (json!({ "name": "before", "at_call": 0 }), 201),
        (json!({ "name": "at", "at": START }), 201),
        (json!({ "name": "never", "at_call": 9 }), 400),
        (json!({ "name": "tomorrow", "at": "2026-01-02T00:00:00Z" }), 400),
        (json!({ "name": "which", "at": START, "at_call": 1 }), 400),
    ] {
        assert_eq!(post(&server, "/_sim/fork", &body.to_string()).status, status, "{body}");
    }
    let count =
        |world: &str| get(&server, &format!("/w/{world}/v1/projects")).json().as_array().map(Vec::len);
    assert_eq!((count("before"), count("at")), (Some(0), Some(1)));
}

#[test]
fn the_journal_answers_in_sql() {
    let server = spawn();
    get(&server, "/v1/projects");
    get(&server, "/v1/nothing");
    let ask = |sql: &str| post(&server, "/_sim/journal/query", &json!({ "sql": sql }).to_string());
    let rows = ask("select status, count(*) as calls from call group by status").json();
    assert_eq!(rows, json!([{ "status": 200, "calls": 1 }, { "status": 404, "calls": 1 }]));
    assert_eq!(ask("delete from call").reason(), "invalid_body.sql");
}

#[test]
fn coverage_counts_deleted_worlds() {
    let server = spawn();
    get(&server, "/v1/projects");
    post(&server, "/_sim/worlds", r#"{"name":"one"}"#);
    get(&server, "/w/one/v1/projects");
    assert_eq!(get(&server, "/w/one/_sim/coverage").json()["reached"][0]["count"], 1);
    assert_eq!(call(&server, "DELETE", "/_sim/worlds/one", "").status, 200);
    // The main world's token is nobody's there.
    let coverage = server.coverage();
    assert_eq!([200, 401].map(|status| coverage.count("v1-list-all-projects", status)), [1, 1]);
}

#[test]
fn dropped_calls_of_the_journal_are_counted() {
    let policy = Policy { journal_calls: 10, rate_limit: RateLimit::off(), ..Policy::default() };
    let server = Server::spawn(Simulator::builder().policy(policy).build());
    (0..70).for_each(|_| drop(get(&server, "/v1/projects")));
    let journal = get(&server, "/_sim/journal");
    assert_eq!((journal.header("x-sim-dropped-calls"), &journal.json()[0]["call"]), (Some("54"), &json!(55)));
    assert_eq!(get(&server, "/_sim/history").header("x-sim-dropped-events"), Some("0"));
    let sql = json!({ "sql": "select calls from dropped" }).to_string();
    let told = post(&server, "/_sim/journal/query", &sql);
    assert_eq!((told.header("x-sim-dropped-calls"), told.json()), (Some("54"), json!([{ "calls": 54 }])));
    assert_eq!(get(&server, "/_sim/worlds/main").json()["dropped_calls"], 54);
    for (answer, status, reason) in [
        (get(&server, "/_sim/journal/54/explain"), 404, "call_dropped"),
        (get(&server, "/_sim/journal/71/explain"), 404, "call_not_found"),
        (get(&server, "/_sim/replay"), 409, "journal_pruned"),
        (get(&server, "/_sim/lens"), 409, "journal_pruned"),
        (post(&server, "/_sim/fork", r#"{"at_call":60}"#), 400, "invalid_body.at_call"),
    ] {
        assert_eq!((answer.status, answer.reason()), (status, reason), "{}", answer.body);
        assert!(status == 404 && reason == "call_not_found" || answer.body.contains("54"), "{}", answer.body);
    }
    assert_eq!(get(&server, "/_sim/lens?from=55").json()["calls"], 16);
}

#[test]
fn the_lens_is_held_over_a_journal() {
    let server = spawn();
    (0..40).for_each(|_| drop(get(&server, "/v1/projects")));
    let seen = get(&server, "/_sim/lens?runners=1,4").json();
    assert_eq!((&seen["calls"], &seen["budget_percent"]), (&json!(40), &json!(67)));
    assert_eq!(seen["operations"], json!([{ "operation": "v1-list-all-projects", "calls": 40 }]));
    assert_eq!(seen["forecasts"][0], json!({ "runners": 1, "wall_ms": 0, "refused": 0 }));
    assert_eq!(seen["forecasts"][1]["wall_ms"], 120_000);
    assert_eq!(get(&server, "/_sim/lens?limit=10/1").json()["busiest"], 40);
    for (query, reason) in [
        ("runners=0", "invalid_query.runners"),
        ("runners=1,x", "invalid_query.runners"),
        ("limit=many", "invalid_query.limit"),
    ] {
        let refused = get(&server, &format!("/_sim/lens?{query}"));
        assert_eq!((refused.status, refused.reason()), (400, reason), "{}", refused.body);
    }
}

/// A client in another language: makes an organization, and once more when that was not answered.
fn careless(server: &Server, world: &str) -> u16 {
    let bearer = format!("Bearer {}", server.token());
    let headers =
        [("authorization", bearer.as_str()), ("content-type", "application/json"), ("x-sim-world", world)];
    let create = || attempt(server, "POST", "/v1/organizations", &headers, r#"{"name":"Shop"}"#);
    create().or_else(create).map_or(0, |answer| answer.status)
}

#[test]
fn a_sweep_is_driven_from_outside() {
    let server = spawn();
    let fork = |name: &str| post(&server, "/_sim/fork", &json!({ "name": name }).to_string()).status;
    assert_eq!((fork("good"), careless(&server, "good")), (201, 201));
    let of = |world: &str, path: &str, body: serde_json::Value| {
        call_with(&server, "POST", path, &[("x-sim-world", world)], &body.to_string())
    };
    let asked = json!({ "beginning": "main", "effects": ["lost_answer", "reset"] });
    let points = of("good", "/_sim/sweep/points", asked).json();
    assert_eq!((&points["calls"], points["points"].as_array().map(Vec::len)), (&json!(1), Some(2)));
    let verdicts: Vec<_> = points["points"]
        .as_array()
        .expect("a list")
        .iter()
        .enumerate()
        .map(|(number, point)| {
            let name = format!("run-{number}");
            assert_eq!(fork(&name), 201);
            assert_eq!(of(&name, "/_sim/faults", point["fault"].clone()).status, 201);
            let ending =
                if careless(&server, &name) == 201 { json!({ "exit": 0 }) } else { json!({ "exit": 1 }) };
            let judged = json!({ "beginning": "main", "good": "good", "ending": ending });
            of(&name, "/_sim/sweep/verdict", judged).json()["troubles"].clone()
        })
        .collect();
    let double = json!([{ "kind": "double", "what": "organizations \"Shop\", 2 instead of 1" }]);
    assert_eq!(verdicts, [double, json!([])]);
    for (path, body, status, reason) in [
        ("points", json!({ "beginning": "none" }), 404, "world_not_found"),
        ("points", json!({ "beginning": "main", "effects": ["fire"] }), 400, "invalid_body.effects"),
        ("points", json!({ "beginning": "main", "outage": "long" }), 400, "invalid_body.outage"),
        (
            "verdict",
            json!({ "beginning": "main", "good": "good", "ending": "well" }),
            400,
            "invalid_body.ending",
        ),
    ] {
        let refused = of("good", &format!("/_sim/sweep/{path}"), body);
        assert_eq!((refused.status, refused.reason()), (status, reason), "{}", refused.body);
    }
}

#[test]
fn a_wrong_control_call_is_told_what_would_be_right() {
    let server = spawn();
    for (method, path, body, status, expected) in [
        ("POST", "/_sim/clock/advanc", "{}", 404, "did you mean `/_sim/clock/advance`? GET /_sim lists"),
        ("GET", "/_sim/journals", "", 404, "did you mean `/_sim/journal`?"),
        ("GET", "/_sim/clock/advance", "", 405, "the methods are POST"),
        ("DELETE", "/_sim/users", "", 405, "the methods are GET, POST"),
        (
            "POST",
            "/_sim/clock/advance",
            r#"{"to":"2026-01-02T00:00:00Z"}"#,
            400,
            "for a timestamp, give `until`",
        ),
        (
            "POST",
            "/_sim/clock/advance",
            r#"{"until":"noon"}"#,
            400,
            "must be a timestamp such as 2026-01-01T00:00:00Z",
        ),
        ("POST", "/_sim/clock/advance", r#"{"until":"x"}"#, 400, "must be a timestamp such as"),
        (
            "POST",
            "/_sim/clock/advance",
            r#"{"until":"2026-02-30T00:00:00Z"}"#,
            400,
            "must be a timestamp such as",
        ),
        (
            "PUT",
            "/_sim/faults",
            r#"{"rules":[]}"#,
            400,
            "rules: Expected array, received object; this field is the JSON body",
        ),
        ("POST", "/_sim/step", "", 404, "did you mean `/_sim/clock/step`?"),
        ("POST", "/_sim/reset", r#"{"x":1}"#, 400, "body: must be empty"),
        ("POST", "/_sim/clock/step", "[1]", 400, "body: must be empty"),
        ("GET", "/_sim/journal/99/explain", "", 404, "There is no call 99; "),
        ("POST", "/_sim/clock/advance", r#"{"ms":-5}"#, 400, "expected a whole number, 0 or more"),
        ("GET", "/_sim/journal?limit=abc", "", 400, "expected a whole number, 0 or more"),
        (
            "POST",
            "/_sim/faults",
            r#"{"on":{},"effect":"reset"}"#,
            400,
            "effect: Expected object, received string",
        ),
    ] {
        let answer = call(&server, method, path, body);
        let message = answer.json()["message"].as_str().unwrap_or_default().to_owned();
        assert!(
            answer.status == status && message.contains(expected),
            "{method} {path}: {} {message}",
            answer.status
        );
    }
}

#[test]
fn parameters_that_a_control_call_does_not_know_are_refused() {
    let server = spawn();
    for path in ["/_sim/clock", "/_sim/tokens", "/_sim/faults", "/_sim/worlds", "/_sim/policy"] {
        let answer = get(&server, &format!("{path}?zz=1"));
        assert_eq!((answer.status, answer.reason()), (400, "invalid_query.zz"), "{path}: {}", answer.body);
    }
    let of_service = get(&server, "/_sim/faults?service=management");
    assert_eq!((of_service.status, of_service.header("x-sim-ignored")), (200, None));
    let slip = call(&server, "DELETE", "/_sim/outcomes/pause?projekt=x", "");
    assert_eq!(slip.reason(), "invalid_query.projekt");
    assert!(slip.body.contains("expected one of project; did you mean `project`?"), "{}", slip.body);
}
