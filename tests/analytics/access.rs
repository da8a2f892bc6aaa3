//! How callers are authenticated: where tokens are sent, and what scopes allow.

use serde_json::json;
use sim_fixtures::api::Sender;
use sim_fixtures::{Api, Call, analytics};

use crate::support::both;

/// A token with those scopes.
pub(super) fn token(api: &mut dyn Api, scopes: &str) -> String {
    let made = api.post("/api/access-tokens", json!({ "scopes": scopes })).json();
    made["token"].as_str().expect("its text").to_owned()
}

/// A call of each operation of the management API.
fn calls() -> Vec<Call> {
    let body = json!({ "name": "x", "query": "select 1", "cron": "@daily" });
    let mut calls = vec![Call::get("/api/account")];
    for path in ["/api/sources", "/api/endpoints", "/api/teams", "/api/alerts", "/api/access-tokens"] {
        calls.extend([Call::get(path), Call::post(path).json(body.clone())]);
        let one = format!("{path}/11111111-1111-4111-8111-111111111111");
        calls.push(Call::delete(&one));
        if path != "/api/access-tokens" {
            calls.extend([
                Call::get(&one),
                Call::put(&one).json(body.clone()),
                Call::new(http::Method::PATCH, &one).json(body.clone()),
            ]);
        }
    }
    calls
}

#[test]
fn a_token_comes_as_bearer_in_a_header_or_in_the_query() {
    both(analytics::fresh, |api| {
        let call = || Call::get("/api/account").nobody();
        let rows = [
            call().header("authorization", "Bearer token-of-owner"),
            call().header("authorization", "bearer token-of-owner"),
            call().header("x-api-key", "token-of-owner"),
            Call::get("/api/account?api_key=token-of-owner").nobody(),
            Call::get("/api/account?a=1&api_key=token%2Dof-owner&b=2").nobody(),
            call().header("authorization", "Basic x").header("x-api-key", "token-of-owner"),
        ];
        for call in rows {
            assert_eq!(api.send(call.clone()).json()["name"], "owner", "{call}");
        }
    });
}

#[test]
fn the_bearer_counts_before_the_header_and_the_header_before_the_query() {
    both(analytics::fresh, |api| {
        let call =
            Call::get("/api/account?api_key=token-of-outsider").header("x-api-key", "token-of-outsider");
        assert_eq!(api.send(call).json()["name"], "owner");
        let call = Call::get("/api/account?api_key=token-of-outsider").nobody();
        assert_eq!(api.send(call.header("x-api-key", "token-of-owner")).json()["name"], "owner");
    });
}

#[test]
fn a_token_in_the_query_is_neither_journalled_nor_in_a_replay_file() {
    both(analytics::fresh, |api| {
        api.send(Call::post("/api/sources?api_key=token-of-owner&x=1").nobody().json(json!({ "name": "a" })));
        api.send(Call::get("/api/sources?%61pi_key=token-of-owner").nobody());
        api.look(&mut |sim| {
            assert_eq!(sim.journal()[0].target, "/api/sources?x=1");
            assert_eq!((sim.journal()[1].target.as_str(), sim.journal()[1].status), ("/api/sources", 200));
            let file = sim.replay_file().expect("the journal is whole");
            let again = file.run(sim.registry()).expect("nothing diverges");
            assert_eq!(again.journal_hash(), sim.journal_hash());
            assert!(!serde_json::to_string(&file).expect("plain data").contains("token-of-owner"));
        });
    });
}

#[test]
fn every_operation_refuses_tokens_that_are_not_good() {
    both(analytics::one_source, |api| {
        for call in calls() {
            let rows = [
                (call.clone().nobody(), "token_missing"),
                (call.clone().token("nobody-s"), "token_unknown"),
                (call.clone().nobody().header("x-api-key", "nobody-s"), "token_unknown"),
            ];
            for (call, reason) in rows {
                let reply = api.send(call.clone());
                assert_eq!(reply.to_string(), r#"401 {"error":"Unauthorized"}"#, "{call}");
                assert_eq!(reply.reason(), reason, "{call}");
            }
        }
    });
}

#[test]
fn every_operation_refuses_tokens_that_are_not_private() {
    both(analytics::one_source, |api| {
        api.post("/api/endpoints", json!({ "name": "one", "query": "select 1 as a" }));
        let weak = ["public", "ingest", "ingest:source:1", "query", "query:endpoint:1"];
        let mut tokens: Vec<_> = weak.iter().map(|scopes| token(api, scopes)).collect();
        tokens.push(api.get("/api/account").json()["api_key"].as_str().expect("a key").to_owned());
        let private = token(api, "public private");
        for call in calls() {
            assert_eq!(call.sender, Sender::FirstUser);
            for token in &tokens {
                let reply = api.send(call.clone().token(token));
                assert_eq!(reply.to_string(), r#"401 {"error":"Unauthorized"}"#, "{call}");
                assert_eq!(reply.reason(), "scope_missing", "{call}");
            }
            let reply = api.send(call.clone().token(&private));
            assert_ne!(reply.status, 401, "{call}");
        }
    });
}

#[test]
fn nobody_is_limited_by_the_number_of_calls() {
    both(analytics::fresh, |api| {
        for _ in 0..70 {
            assert_eq!(api.get("/api/sources").status, 200);
        }
    });
}
