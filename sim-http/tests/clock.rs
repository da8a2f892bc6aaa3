//! Worlds on real time.

use serde_json::Value;
use sim_core::{Pace, Policy, Simulator};
use sim_http::Server;

use crate::client::{Answer, call, get, new_project, post};

fn fast(policy: Policy) -> Server {
    let policy = Policy { rate_limit: sim_core::RateLimit::off(), ..policy };
    let sim = Simulator::builder().policy(policy).build();
    Server::builder().speed(10_000.0).spawn(sim).expect("a port is to be had")
}

/// Repeats a request until its answer satisfies `so`. If it never does, the test runner ends the test.
fn until(mut ask: impl FnMut() -> Answer, so: impl Fn(&Value) -> bool) {
    while !so(&ask().json()) {}
}

#[test]
fn work_is_done_as_real_time_goes_by() {
    let server = fast(Policy::default());
    let project = post(&server, "/v1/projects", &new_project(&server)).json();
    let path = format!("/v1/projects/{}", project["id"].as_str().expect("a reference"));
    until(|| get(&server, &path), |project| project["status"] == "ACTIVE_HEALTHY");
    let history = get(&server, "/_sim/history").json();
    let at =
        |text: &Value| text.as_str().expect("an instant").parse::<sim_core::Timestamp>().expect("an instant");
    let took = at(&history[0]["at"]).duration_since(at(&project["created_at"]));
    assert_eq!(took.as_secs(), 60, "each piece at its own instant");
}

#[test]
fn a_running_clock_can_be_moved_and_stopped() {
    let server = fast(Policy::default());
    let far = "2126-01-01T00:00:00Z";
    post(&server, "/_sim/clock/advance", &format!(r#"{{"until":"{far}"}}"#));
    until(
        || get(&server, "/_sim/clock"),
        |clock| clock["now"].as_str().is_some_and(|now| now > "2126-01-01T00:00:05"),
    );
    let stopped = call(&server, "PATCH", "/_sim/clock", r#"{"speed":0}"#).json();
    assert_eq!(stopped["speed"], 0.0);
    assert_eq!(get(&server, "/_sim/clock").json(), stopped);
    assert_eq!(get(&server, "/_sim/clock").json(), stopped);
    assert_eq!(call(&server, "PATCH", "/_sim/clock", r#"{"speed":1e9}"#).reason(), "invalid_body.speed");
    assert_eq!(call(&server, "PATCH", "/_sim/clock", "{}").reason(), "invalid_body.speed");
}

#[test]
fn manual_pace_does_no_work_as_time_passes() {
    let server = fast(Policy { pace: Pace::Manual, ..Policy::default() });
    post(&server, "/v1/projects", &new_project(&server));
    assert_eq!(get(&server, "/_sim/clock").json()["now"], "2026-01-01T00:00:00Z");
    assert_eq!(get(&server, "/_sim/agenda").json().as_array().map(Vec::len), Some(1));
}

#[test]
fn an_in_process_move_on_a_running_clock_is_kept() {
    let server = fast(Policy::default());
    let day = std::time::Duration::from_secs(24 * 60 * 60);
    let before = server.sim().now();
    server.sim().advance(day);
    assert!(server.sim().now().duration_since(before) >= day.try_into().expect("a day"));
}

/// From creation to removal. Each wait is for a status that only the clock brings. While the next call must be in time, the clock
/// is paused.
#[test]
fn a_lifecycle_in_real_time_is_replayed_in_process_to_the_byte() {
    let server = fast(Policy::default());
    let created = post(&server, "/v1/projects", &new_project(&server)).json();
    let path = format!("/v1/projects/{}", created["id"].as_str().expect("a reference"));
    let wait_for = |status: &str| until(|| get(&server, &path), |project| project["status"] == status);
    let act = |what: &str| assert_eq!(post(&server, &format!("{path}/{what}"), "{}").status, 200, "{what}");
    let run_at = |speed: u32| {
        let answer = call(&server, "PATCH", "/_sim/clock", &format!(r#"{{"speed":{speed}}}"#));
        assert_eq!(answer.status, 200, "{}", answer.body);
    };
    assert_eq!(created["status"], "UNKNOWN");
    wait_for("ACTIVE_HEALTHY");
    act("pause");
    wait_for("INACTIVE");
    run_at(0);
    act("restore");
    act("restore/cancel");
    run_at(10_000);
    wait_for("INACTIVE");
    act("restore");
    wait_for("ACTIVE_HEALTHY");
    run_at(0);
    assert_eq!(call(&server, "DELETE", &path, "").status, 200);
    assert_eq!(get(&server, &path).reason(), "project_removed");
    run_at(10_000);
    until(|| get(&server, "/v1/projects"), |projects| projects.as_array().is_some_and(Vec::is_empty));
    assert_eq!(get(&server, &path).status, 404);

    let lived = server.sim();
    let again = lived.replay_file().expect("the journal is whole").run(lived.registry());
    assert_eq!(again.map(|sim| sim.journal()), Ok(lived.journal()));
}

#[test]
fn a_client_is_told_in_real_seconds_how_long_to_wait() {
    let sim = Simulator::builder()
        .policy(Policy { rate_limit: sim_core::RateLimit::of(1, 864_000), ..Policy::default() })
        .build();
    let server = Server::builder().speed(10_000.0).spawn(sim).expect("a port is to be had");
    assert_eq!(get(&server, "/v1/projects").status, 200);
    let blocked = get(&server, "/v1/projects");
    assert_eq!(blocked.status, 429);
    for name in ["retry-after", "x-ratelimit-reset"] {
        let seconds: u64 = blocked.header(name).expect("it is there").parse().expect("it is a number");
        assert!((1..=87).contains(&seconds), "{name}: {seconds}");
    }
    // What a rule says is taken as it is.
    let rule = r#"{"on":{"path":"*"},"effect":{"kind":"status","status":503,"retry_after_s":5}}"#;
    post(&server, "/_sim/faults", rule);
    assert_eq!(get(&server, "/v1/projects").header("retry-after"), Some("5"));
}
