//! 60 calls a minute per user; after that every call is refused for a minute.

use insta::assert_snapshot;
use serde_json::json;
use sim_core::engine::{ClientAddress, RateClass, RateScope};
use sim_core::management::organization::ListOrganizations;
use sim_core::{Kind, Policy, RateLimit, Simulator};
use sim_fixtures::{Api, Call, InProcess, Reply, api, scenario};

use crate::steps::{Steps as _, under};
use crate::support::{TICK, both, over_http, seconds};

/// One call, and the caller's limit after it: status, limit, calls left, seconds until it is renewed.
fn standing(api: &mut dyn Api) -> String {
    shown(&api.get("/v1/organizations"))
}

fn shown(reply: &Reply) -> String {
    let header = |name| reply.header(name);
    format!(
        "{}: {} of {} left, reset in {}",
        reply.status,
        header("x-ratelimit-remaining"),
        header("x-ratelimit-limit"),
        header("x-ratelimit-reset")
    )
}

#[test]
fn every_answer_has_the_state_of_the_rate_limit() {
    both(scenario::four_roles, |api| {
        assert_eq!(standing(api), "200: 59 of 60 left, reset in 60");
        api.advance(TICK);
        assert_eq!(standing(api), "200: 58 of 60 left, reset in 60");
        api.advance(seconds(59) - TICK);
        assert_eq!(standing(api), "200: 57 of 60 left, reset in 1");
        api.advance(seconds(1) - TICK);
        assert_eq!(standing(api), "200: 56 of 60 left, reset in 1");
        api.advance(TICK);
        assert_eq!(standing(api), "200: 59 of 60 left, reset in 60");
    });
}

#[test]
fn the_61st_call_in_a_minute_is_refused() {
    both(scenario::four_roles, |api| {
        for call in 1..=60 {
            assert_eq!(api.get("/v1/organizations").status, 200, "call {call}");
        }
        api.advance(seconds(30));
        let reply = api.get("/v1/organizations");
        assert_snapshot!(reply, @r#"429 {"message":"ThrottlerException: Too Many Requests"}"#);
        assert_eq!(shown(&reply), "429: 0 of 60 left, reset in 60");
        assert_eq!(reply.header("retry-after"), "60");
        assert_eq!(reply.reason(), "rate_limited");
    });
}

#[test]
fn calls_in_the_minute_after_are_refused_and_do_not_prolong_it() {
    both(scenario::rate_limited_user, |api| {
        assert_eq!(standing(api), "429: 0 of 60 left, reset in 60");
        api.advance(seconds(30));
        assert_eq!(standing(api), "429: 0 of 60 left, reset in 30");
        api.advance(seconds(30) - TICK);
        assert_eq!(standing(api), "429: 0 of 60 left, reset in 1");
        api.advance(TICK);
        assert_eq!(standing(api), "200: 59 of 60 left, reset in 60");
    });
}

#[test]
fn a_refused_call_changes_nothing() {
    both(scenario::rate_limited_user, |api| {
        assert_eq!(api.act("/v1/projects/{ref}/pause").status, 429);
        api.advance(seconds(60));
        assert_eq!(api.get("/v1/projects/{ref}").json()["status"], "ACTIVE_HEALTHY");
    });
}

#[test]
fn other_users_are_unaffected() {
    both(scenario::rate_limited_user, |api| {
        assert_eq!(standing(api), "429: 0 of 60 left, reset in 60");
        let other = api.send(Call::get("/v1/organizations").token("token-of-developer"));
        assert_eq!(shown(&other), "200: 59 of 60 left, reset in 60");
    });
}

#[test]
fn all_personal_tokens_of_a_user_count_together_and_an_app_apart() {
    both(scenario::rate_limited_user, |api| {
        api.post("/_sim/users/owner/tokens", json!({ "token": "another" }));
        api.post("/_sim/users/owner/tokens", json!({ "token": "app", "scopes": ["organizations:read"] }));
        let with = |token: &str| Call::get("/v1/organizations").token(token);
        assert_eq!(api.send(with("another")).status, 429);
        assert_eq!(shown(&api.send(with("app"))), "200: 59 of 60 left, reset in 60");
    });
}

#[test]
fn refused_calls_count_unless_their_caller_is_unknown() {
    let rows = [
        (Call::get("/v1/organizations/umbrella"), 404, "58"),
        (Call::get("/v1/organizations/a%20b"), 400, "57"),
        (Call::get("/v1/nothing"), 404, "56"),
        (Call::delete("/v1/organizations"), 405, "55"),
        (Call::get("/v1/organizations").nobody(), 401, ""),
        (Call::get("/v1/organizations").token("pat_unknown"), 401, ""),
        (Call::get("/v1/organizations"), 200, "54"),
    ];
    both(scenario::four_roles, |api| {
        api.get("/v1/organizations");
        for (call, status, left) in &rows {
            let reply = api.send(call.clone());
            assert_eq!((reply.status, reply.header("x-ratelimit-remaining")), (*status, *left), "{call}");
        }
    });
}

#[test]
fn typed_calls_count_like_requests() {
    let mut sim = scenario::rate_limited_user().sim;
    let refused = sim.call(ListOrganizations {}).expect_err("it is the 61st");
    assert_eq!(refused.kind, Kind::RateLimited);
    assert!(sim.as_admin().call(ListOrganizations {}).is_ok(), "the control API has no rate limit");
}

#[test]
fn a_policy_has_other_numbers_or_no_limit() {
    let limited = |rate_limit| move || scenario::with_policy(Policy { rate_limit, ..Policy::default() });
    both(limited(RateLimit::of(2, 10)), |api| {
        assert_eq!(standing(api), "200: 1 of 2 left, reset in 10");
        assert_eq!(standing(api), "200: 0 of 2 left, reset in 10");
        assert_eq!(standing(api), "429: 0 of 2 left, reset in 10");
    });
    both(limited(RateLimit::off()), |api| {
        for _ in 0..100 {
            assert_eq!(standing(api), "200:  of  left, reset in ");
        }
    });
}

#[test]
fn a_class_of_calls_has_a_limit_of_its_own_for_each_project() {
    let class = |name: &str, operations: &[&str], per, count| RateClass {
        name: name.to_owned(),
        operations: operations.iter().map(|id| (*id).to_owned()).collect(),
        per,
        count,
        window_ms: 10_000,
        block_ms: Some(20_000),
    };
    let queries = class("queries", &["v1-run-a-query"], RateScope::Project, 2);
    let all = class("all", &[], RateScope::Endpoint, 5);
    let scene = || under(|policy| policy.rate_limits = vec![queries.clone(), all.clone()]);
    both(scene, |api| {
        let other = api.another_project("other");
        api.after(60);
        let ask = |api: &mut dyn Api, project: &str| {
            let path = format!("/v1/projects/{project}/database/query");
            let reply = api.post(&path, json!({ "query": "select 1" }));
            let header = |name| reply.header(name).to_owned();
            (
                reply.status,
                header("x-ratelimit-limit"),
                header("x-ratelimit-remaining"),
                header("retry-after"),
            )
        };
        let told = |status: u16, limit: &str, remaining: &str, wait: &str| {
            (status, limit.to_owned(), remaining.to_owned(), wait.to_owned())
        };
        let project = api.project();
        assert_eq!(ask(api, &project), told(201, "2", "1", ""));
        assert_eq!(ask(api, &project), told(201, "2", "0", ""));
        assert_eq!(ask(api, &project), told(429, "2", "0", "20"));
        assert_eq!(ask(api, &other), told(201, "2", "1", ""));
        // Other calls count for the limit of all calls alone.
        let reply = api.get("/v1/projects/{ref}");
        assert_eq!((reply.status, reply.header("x-ratelimit-remaining")), (200, "4"));
        let call: u64 = reply.header("x-sim-call").parse().expect("a number");
        let refused = api::peek(api, |sim| sim.explain(call - 2).expect("it is there").to_string());
        assert!(refused.contains(&format!("caller = user 1, queries {project}")), "{refused}");
        api.after(20);
        assert_eq!(ask(api, &project).0, 201);
    });
}

#[test]
fn an_address_has_a_limit_before_its_caller_is_known() {
    let class = json!({ "name": "per address", "per": "address", "count": 2, "window_ms": 10_000 });
    let class: RateClass = serde_json::from_value(class).expect("it is one");
    let scene = || under(|policy| policy.rate_limits = vec![class.clone()]);
    both(scene, |api| {
        let from =
            |address: &str| Call::get("/v1/projects").token("nobody-knows").header("x-sim-address", address);
        let remaining = |reply: &Reply| (reply.status, reply.header("x-ratelimit-remaining").to_owned());
        assert_eq!(remaining(&api.send(from("192.0.2.1"))), (401, "1".to_owned()));
        assert_eq!(remaining(&api.send(from("192.0.2.1"))), (401, "0".to_owned()));
        let refused = api.send(from("192.0.2.1"));
        assert_eq!((refused.status, refused.header("retry-after")), (429, "10"));
        let call: u64 = refused.header("x-sim-call").parse().expect("a number");
        let why = api::peek(api, |sim| sim.explain(call).expect("it is there").to_string());
        assert!(why.contains("  address_limit refused\n    caller = per address 192.0.2.1"), "{why}");
        assert_eq!(remaining(&api.send(from("2001:db8::1"))), (401, "1".to_owned()));
        // Nobody counts who controls the simulator.
        assert_eq!(api.send(Call::get("/_sim/faults").header("x-sim-address", "192.0.2.1")).status, 200);
        api.after(10);
        assert_eq!(api.send(from("192.0.2.1")).status, 401);
        let file = api::peek(api, |sim| {
            sim.replay_file().expect("the journal is whole").run(sim.registry()).map(|_| ())
        });
        assert_eq!(file, Ok(()));
    });
}

#[test]
fn the_address_is_that_of_the_socket_or_comes_with_the_request() {
    let class = json!({ "name": "per address", "per": "address", "count": 2, "window_ms": 10_000 });
    let class: RateClass = serde_json::from_value(class).expect("it is one");
    let scene = || under(|policy| policy.rate_limits = vec![class.clone()]);
    let call = Call::get("/v1/projects").nobody();
    let mut there = over_http(scene());
    let mut here = InProcess::new(scene());
    for status in [401, 401, 429] {
        assert_eq!(there.send(call.clone()).status, status);
        let mut request = call.clone().request("", None);
        request.extensions_mut().insert(ClientAddress([192, 0, 2, 1].into()));
        assert_eq!(here.exchange(request).status, status);
        // A request without an address counts for nothing.
        assert_eq!(here.send(call.clone()).status, 401);
    }
}

#[test]
fn every_window_has_its_own_headers() {
    let class = |name: &str, count: u32, seconds: u64| RateClass {
        name: name.to_owned(),
        operations: Vec::new(),
        per: RateScope::User,
        count,
        window_ms: seconds * 1000,
        block_ms: None,
    };
    let scene = || {
        let policy = Policy {
            rate_limits: vec![class("burst", 3, 1), class("day", 1000, 86_400)],
            ..Policy::default()
        };
        scenario::active_project_under(policy)
    };
    both(scene, |api| {
        let told = |reply: &Reply, name: &str| -> Vec<String> {
            let all = reply.headers.get_all(name).iter();
            all.map(|value| value.to_str().expect("a text").to_owned()).collect()
        };
        let reply = api.get("/v1/organizations");
        let limits = [r#""default";q=60;w=60"#, r#""burst";q=3;w=1"#, r#""day";q=1000;w=86400"#];
        assert_eq!(told(&reply, "ratelimit-policy"), limits);
        let [default, burst, day] = &told(&reply, "ratelimit")[..] else { panic!("three windows: {reply}") };
        assert!(default.starts_with(r#""default";r="#), "{default}");
        assert_eq!((burst.as_str(), day.starts_with(r#""day";r=99"#)), (r#""burst";r=2;t=1"#, true));
        assert_eq!(reply.header("x-ratelimit-remaining"), "2");
    });
}

#[test]
fn classes_have_names_that_tell_them_apart() {
    let class = |name: &str| -> RateClass {
        serde_json::from_value(json!({ "name": name, "count": 1, "window_ms": 1 })).expect("it is one")
    };
    let refusal = |names: &[&str]| {
        let policy =
            Policy { rate_limits: names.iter().map(|name| class(name)).collect(), ..Policy::default() };
        Simulator::builder()
            .policy(policy)
            .try_build()
            .map(|_| ())
            .expect_err("there is no such limit")
            .message
    };
    let text = "policy.rate_limits: there is another limit with the name";
    assert_eq!(refusal(&["burst", "day", "burst"]), format!("{text} \"burst\""));
    assert_eq!(refusal(&["default"]), format!("{text} \"default\""));
    for name in ["", "a\"b", "ä"] {
        let text = "policy.rate_limits.0.name: Invalid, must be printable ASCII without quotes";
        assert_eq!(refusal(&[name]), text, "{name:?}");
    }
}

#[test]
fn a_class_of_an_unknown_operation_is_refused() {
    let class = json!({ "name": "x", "operations": ["v1-run-a-quer"], "count": 1, "window_ms": 1 });
    let class: RateClass = serde_json::from_value(class).expect("it is one");
    let policy = Policy { rate_limits: vec![class], ..Policy::default() };
    let refused = Simulator::builder().policy(policy).try_build().map(|_| ()).expect_err("there is none");
    assert_eq!(
        refused.message,
        "policy.rate_limits: there is no operation \"v1-run-a-quer\"; did you mean `v1-run-a-query`?"
    );
}
