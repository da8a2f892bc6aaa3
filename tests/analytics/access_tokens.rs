//! `/api/access-tokens`.

use insta::assert_snapshot;
use serde_json::json;
use sim_fixtures::{Api, Call, analytics};

use crate::support::both;

const PATH: &str = "/api/access-tokens";

#[test]
fn a_token_is_shown_when_made_and_in_lists_if_it_is_public() {
    both(analytics::fresh, |api| {
        assert_snapshot!(api.post(PATH, json!({ "description": "shipper" })), @r#"201 {"id":5,"token":"bf3b7ab216f7ec86483924aadf81359fc839f8c5eb8374169f1a24438c735874","scopes":"public","description":"shipper","inserted_at":"2026-01-01T00:00:00Z"}"#);
        assert_snapshot!(api.post(PATH, json!({ "scopes": "private" })), @r#"201 {"id":6,"token":"16f182fc7106434218e568a01e1954493315764aec8303d447b049ac46494f8e","scopes":"private","description":null,"inserted_at":"2026-01-01T00:00:00Z"}"#);
        assert_snapshot!(api.get(PATH), @r#"200 [{"id":5,"token":"bf3b7ab216f7ec86483924aadf81359fc839f8c5eb8374169f1a24438c735874","scopes":"public","description":"shipper","inserted_at":"2026-01-01T00:00:00Z"},{"id":6,"token":null,"scopes":"private","description":null,"inserted_at":"2026-01-01T00:00:00Z"}]"#);
        assert_eq!(api.send(Call::get(PATH).token("token-of-outsider")).to_string(), "200 []");
    });
}

#[test]
fn a_deleted_token_is_refused() {
    both(analytics::fresh, |api| {
        let made = api.post(PATH, json!({ "scopes": "private" })).json();
        let token = made["token"].as_str().expect("its text");
        let path = format!("{PATH}/{token}");
        assert_eq!(api.send(Call::get("/api/sources").token(token)).status, 200);
        assert_snapshot!(api.send(Call::delete(&path).token("token-of-outsider")), @r#"404 {"error":"Not Found"}"#);
        assert_snapshot!(api.delete(&path), @"204");
        assert_snapshot!(api.send(Call::get("/api/sources").token(token)), @r#"401 {"error":"Unauthorized"}"#);
        assert_snapshot!(api.delete(&path), @r#"404 {"error":"Not Found"}"#);
        assert_snapshot!(api.get(PATH), @"200 []");
    });
}

#[test]
fn scopes_are_known_ones() {
    both(analytics::fresh, |api| {
        for scopes in ["private", "public", "ingest query"] {
            assert_eq!(api.post(PATH, json!({ "scopes": scopes })).json()["scopes"], scopes);
        }
        for scopes in
            ["", "admin", "private ", "ingest:source:", "ingest:source:x", "query:source:1", "private:1"]
        {
            let reply = api.post(PATH, json!({ "scopes": scopes }));
            assert_eq!(reply.to_string(), r#"422 {"errors":{"scopes":["is invalid"]}}"#, "{scopes:?}");
        }
        assert_snapshot!(api.post(PATH, json!({ "scopes": 7 })), @r#"422 {"errors":{"scopes":["is invalid"]}}"#);
    });
}

#[test]
fn a_scope_names_a_source_or_an_endpoint_that_is_there() {
    both(analytics::fresh, |api| {
        let scoped =
            |api: &mut dyn Api, scopes: &str| api.post(PATH, json!({ "scopes": scopes })).to_string();
        for scope in
            ["ingest:source:1", "ingest:collection:1", "query:endpoint:1", "private query:endpoint:1"]
        {
            let named = scope.trim_start_matches("private ");
            let refusal = format!(r#"422 {{"errors":{{"scopes":["{named} does not exist"]}}}}"#);
            assert_eq!(scoped(api, scope), refusal);
        }
        let source = api.post("/api/sources", json!({ "name": "one" })).json();
        let endpoint = api.post("/api/endpoints", json!({ "name": "one", "query": "select 1 as a" })).json();
        for scope in [
            format!("ingest:source:{}", source["id"]),
            format!("ingest:collection:{}", source["id"]),
            format!("query:endpoint:{} ingest", endpoint["id"]),
        ] {
            assert!(scoped(api, &scope).starts_with("201 "), "{scope}");
        }
        let far = "ingest:source:99999999999999999999";
        assert!(scoped(api, far).ends_with(&format!("[\"{far} does not exist\"]}}}}")));
    });
}

#[test]
fn a_token_of_a_deleted_source_does_not_reach_the_next_one() {
    both(analytics::fresh, |api| {
        for (path, body) in [
            ("/api/sources", json!({ "name": "one" })),
            ("/api/endpoints", json!({ "name": "one", "query": "select 1 as a" })),
            (
                "/api/backends",
                json!({ "type": "webhook", "name": "b", "config": { "url": "https://a.example" } }),
            ),
        ] {
            let first = api.post(path, body.clone()).json();
            api.delete(&format!("{path}/{}", first["token"].as_str().expect("a token")));
            let mut other = body;
            other["name"] = json!("other");
            let second = api.post(path, other).json();
            assert_ne!((path, &first["id"]), (path, &second["id"]));
        }
    });
}
