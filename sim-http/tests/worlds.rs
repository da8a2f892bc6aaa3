//! Many worlds on one port: which one is meant, and that they share nothing.

use serde_json::{Value, json};
use sim_core::Simulator;
use sim_http::Server;

use crate::client::{Answer, call, call_with, get, post, spawn};

/// Makes a world by the control API; its token.
fn create(server: &Server, body: &Value) -> Value {
    let answer = post(server, "/_sim/worlds", &body.to_string());
    assert_eq!(answer.status, 201, "{}", answer.body);
    answer.json()
}

fn get_with(server: &Server, path: &str, token: &str, more: &[(&str, &str)]) -> Answer {
    let bearer = format!("Bearer {token}");
    let headers: Vec<_> = [("authorization", &*bearer)].into_iter().chain(more.iter().copied()).collect();
    call_with(server, "GET", path, &headers, "")
}

#[test]
fn token_prefix_and_header_choose_a_world() {
    let server = spawn();
    let world = create(&server, &json!({ "name": "a", "seed": 5 }));
    assert_eq!(world["url"], format!("{}/w/a", server.url()));
    let token = world["token"].as_str().expect("it has a user");
    assert_ne!(token, server.token());
    for (path, more) in [
        ("/v1/organizations", &[][..]),
        ("/w/a/v1/organizations", &[]),
        ("/v1/organizations", &[("x-sim-world", "a")]),
        ("/w/main/v1/organizations", &[("x-sim-world", "a")]),
    ] {
        assert_eq!(get_with(&server, path, token, more).status, 200, "{path} {more:?}");
    }
    assert_eq!(get(&server, "/_sim/worlds/a").json()["calls"], 4);
    assert_eq!(server.sim().calls(), 0);
    assert_eq!(get_with(&server, "/w/main/v1/organizations", token, &[]).status, 401);
    assert_eq!(get(&server, "/v1/organizations").status, 200);
}

#[test]
fn the_journal_shows_the_path_without_the_prefix() {
    let server = spawn();
    create(&server, &json!({ "name": "a" }));
    get(&server, "/w/a/v1/projects?x=1");
    let journal = get(&server, "/w/a/_sim/journal").json();
    assert_eq!(journal[0]["target"], "/v1/projects?x=1");
}

#[test]
fn an_unknown_world_is_404() {
    let server = spawn();
    for answer in [
        get(&server, "/w/nowhere/v1/projects"),
        get_with(&server, "/v1/projects", server.token(), &[("x-sim-world", "nowhere")]),
        get(&server, "/_sim/worlds/nowhere"),
        call(&server, "DELETE", "/_sim/worlds/nowhere", ""),
    ] {
        assert_eq!((answer.status, answer.reason()), (404, "world_not_found"));
        assert!(answer.body.contains("nowhere") && answer.body.contains("/_sim/worlds"), "{}", answer.body);
    }
    assert_eq!(server.sim().calls(), 0);
}

#[test]
fn a_token_made_later_leads_to_its_world() {
    let server = spawn();
    create(&server, &json!({ "name": "a" }));
    assert_eq!(get_with(&server, "/v1/projects", "late-token", &[]).status, 401);
    let made = post(&server, "/w/a/_sim/users/owner/tokens", r#"{"user":"owner","token":"late-token"}"#);
    assert_eq!(made.status, 201, "{}", made.body);
    assert_eq!(get_with(&server, "/v1/projects", "late-token", &[]).status, 200);
    assert_eq!(get(&server, "/_sim/worlds/a").json()["calls"], 2);
}

#[test]
fn worlds_are_made_as_asked() {
    let server = spawn();
    let world = create(
        &server,
        &json!({
            "name": "b",
            "seed": 9,
            "start": "2030-05-06T07:08:09Z",
            "policy": { "pace": "instant", "durations": { "create_ms": 5 } },
            "profile": { "token_prefix": "acme_" },
            "world": {
                "users": [{ "name": "ada", "tokens": ["token-of-ada"] }],
                "organizations": [{ "name": "Lab", "plan": "free", "members": { "ada": "Owner" } }],
            },
            "speed": 0,
        }),
    );
    assert_eq!(
        world,
        json!({
            "name": "b",
            "url": format!("{}/w/b", server.url()),
            "service": "management",
            "token": "token-of-ada",
            "seed": 9,
            "now": "2030-05-06T07:08:09Z",
            "calls": 0,
            "dropped_calls": 0,
        })
    );
    assert_eq!(get(&server, "/w/b/_sim/policy").json()["durations"]["create_ms"], 5);
    assert_eq!(get(&server, "/w/b/_sim/profile").json()["token_prefix"], "acme_");
    let organizations = get_with(&server, "/v1/organizations", "token-of-ada", &[]).json();
    assert_eq!(organizations[0]["name"], "Lab");
}

#[test]
fn a_world_without_users_has_no_token() {
    let server = spawn();
    let world = create(&server, &json!({ "world": { "users": [], "organizations": [] } }));
    assert_eq!(world["token"], Value::Null);
    assert_eq!(world["name"], "world-1");
}

#[test]
fn bad_worlds_are_refused_by_field() {
    let server = spawn();
    create(&server, &json!({ "name": "a" }));
    for (body, status, reason) in [
        (r#"{"name":"a"}"#, 409, "world_exists"),
        (r#"{"name":"a/b"}"#, 400, "invalid_body.name"),
        (r#"{"name":""}"#, 400, "invalid_body.name"),
        (r#"{"seed":-1}"#, 400, "invalid_body.seed"),
        (r#"{"start":"yesterday"}"#, 400, "invalid_body.start"),
        (r#"{"speed":-1}"#, 400, "invalid_body.speed"),
        (r#"{"policy":{"pace":"hasty"}}"#, 400, "invalid_body.policy.pace"),
        (r#"{"policy":{"durations":[1]}}"#, 400, "invalid_body.policy.durations"),
        (r#"{"profile":{"postgres_versions":[["17.1"]]}}"#, 400, "invalid_body.profile.postgres_versions.0"),
        (r#"{"world":{"users":[["ada"]]}}"#, 400, "invalid_body.world.users.0"),
        (r#"{"polcy":{}}"#, 400, "invalid_body.polcy"),
        (r#"{"world":{"users":[{"name":"x"},{"name":"x"}]}}"#, 400, "user_exists"),
        ("[]", 400, "invalid_body"),
        ("{", 400, "invalid_json"),
    ] {
        let answer = post(&server, "/_sim/worlds", body);
        assert_eq!((answer.status, answer.reason()), (status, reason), "{body} {}", answer.body);
    }
    assert_eq!(get(&server, "/_sim/worlds").json().as_array().map(Vec::len), Some(2));
}

#[test]
fn a_deleted_world_is_gone_and_main_stays() {
    let server = spawn();
    let world = create(&server, &json!({ "name": "a" }));
    let token = world["token"].as_str().expect("it has a user");
    assert_eq!(call(&server, "DELETE", "/_sim/worlds/a", "").body, "{}");
    assert_eq!(get_with(&server, "/v1/projects", token, &[]).status, 401);
    let refused = call(&server, "DELETE", "/_sim/worlds/main", "");
    assert_eq!((refused.status, refused.reason()), (409, "world_is_main"));
    assert_eq!(get(&server, "/_sim/worlds").json().as_array().map(Vec::len), Some(1));
}

#[test]
fn a_fork_is_independent() {
    let server = spawn();
    get(&server, "/v1/projects");
    let fork = post(&server, "/_sim/fork", r#"{"name":"b"}"#).json();
    assert_eq!((&fork["calls"], &fork["token"]), (&1.into(), &server.token().into()));
    get(&server, "/w/b/v1/projects");
    post(&server, "/w/b/_sim/clock/advance", r#"{"ms":1000}"#);
    assert_eq!(get(&server, "/w/b/_sim/clock").json()["now"], "2026-01-01T00:00:01Z");
    assert_eq!(get(&server, "/_sim/clock").json()["now"], "2026-01-01T00:00:00Z");
    assert_eq!(server.sim().calls(), 1);
    let again = post(&server, "/_sim/fork", r#"{"name":"b"}"#);
    assert_eq!((again.status, again.reason()), (409, "world_exists"));
}

#[test]
fn a_world_can_be_added_in_process() {
    let server = spawn();
    let sim = Simulator::builder().token("its-token").build();
    assert_eq!(server.add_world("c", sim).expect("it is new"), format!("{}/w/c", server.url()));
    assert_eq!(get_with(&server, "/v1/projects", "its-token", &[]).status, 200);
    assert!(server.add_world("c", Simulator::builder().build()).is_err());
}

/// Makes a world, works in it, finds nobody else's work there, and deletes it.
fn live_and_die(server: &Server, number: usize) {
    let name = format!("w{number}");
    let world = create(server, &json!({ "name": name, "seed": number }));
    let token = world["token"].as_str().expect("it has a user");
    let bearer = format!("Bearer {token}");
    let headers = [("authorization", &*bearer), ("content-type", "application/json")];
    let project = json!({
        "name": name, "organization_id": "acme", "region": "us-east-1", "plan": "pro", "db_pass": "a-password",
    });
    let made = call_with(server, "POST", "/v1/projects", &headers, &project.to_string());
    assert_eq!(made.status, 201, "{}", made.body);
    post(server, &format!("/w/{name}/_sim/clock/advance"), r#"{"ms":60000}"#);
    let projects = call_with(server, "GET", "/v1/projects", &headers, "").json();
    assert_eq!(projects.as_array().map(Vec::len), Some(1));
    assert_eq!((&projects[0]["name"], &projects[0]["status"]), (&json!(name), &json!("ACTIVE_HEALTHY")));
    assert_eq!(call(server, "DELETE", &format!("/_sim/worlds/{name}"), "").status, 200);
}

#[test]
fn a_thousand_worlds_on_one_port_do_not_meet() {
    let server = spawn();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let server = &server;
            scope.spawn(move || (0..125).for_each(|number| live_and_die(server, 125 * thread + number)));
        }
    });
    assert_eq!(get(&server, "/_sim/worlds").json().as_array().map(Vec::len), Some(1));
    assert_eq!(server.coverage().count("v1-create-a-project", 201), 1000);
    assert_eq!(server.sim().calls(), 0);
}
