//! `/api/endpoints`.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call};

use crate::support::on_every_backend;

const PATH: &str = "/api/endpoints";

/// Makes an endpoint that reads from the source `gateway`; returns its path.
fn errors(api: &mut dyn Api) -> String {
    let query = "select id from gateway where status > 499";
    let made = api.post(PATH, json!({ "name": "errors", "query": query })).json();
    format!("{PATH}/{}", made["token"].as_str().expect("a token"))
}

#[test]
fn a_new_endpoint_has_every_field_and_knows_its_sources() {
    on_every_backend(analytics::one_source, |api| {
        let body = json!({ "name": "errors", "query": "select id from gateway", "token": GATEWAY });
        assert_snapshot!(api.post(PATH, body), @r#"201 {"id":1,"name":"errors","token":"11111111-1111-4111-8111-111111111111","query":"select id from gateway","source_mapping":{"gateway":"11111111-1111-4111-8111-111111111111"},"description":null,"language":"wh_sql","sandboxable":false,"cache_duration_seconds":3600,"proactive_requerying_seconds":1800,"max_limit":1000,"enable_auth":true,"labels":null,"redact_pii":false,"inserted_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}"#);
    });
}

#[test]
fn an_endpoint_keeps_what_is_set() {
    on_every_backend(analytics::one_source, |api| {
        let path = errors(api);
        let settings = json!({
            "name": "renamed", "query": "select 1 as one", "description": "d", "language": "wh_sql",
            "sandboxable": true, "cache_duration_seconds": 0, "proactive_requerying_seconds": 0,
            "max_limit": 10_000, "enable_auth": false, "labels": "a=b",
        });
        let reply = api.put(&path, settings.clone());
        let endpoint = reply.json();
        for (name, value) in settings.as_object().expect("settings are an object") {
            assert_eq!(endpoint[name], *value, "{name}");
        }
        assert_eq!((reply.status, &endpoint["source_mapping"]), (201, &json!({})));
        assert_eq!(api.get(&path).json(), endpoint);
        let patched = api.patch(&path, json!({ "max_limit": null }));
        assert_eq!((patched.status, &patched.json()["max_limit"]), (201, &json!(1000)));
        assert_eq!(patched.json()["query"], "select 1 as one");
    });
}

#[test]
fn the_mapping_is_computed_and_never_taken_from_input() {
    on_every_backend(analytics::one_source, |api| {
        let path = errors(api);
        let mapping = json!({ "gateway": GATEWAY });
        let given = json!({ "source_mapping": { "x": "y" } });
        assert_eq!(api.patch(&path, given).json()["source_mapping"], mapping);
        api.patch(&format!("/api/sources/{GATEWAY}"), json!({ "name": "other" }));
        assert_eq!(api.get(&path).json()["source_mapping"], mapping, "by the name that the query has");
    });
}

#[test]
fn endpoints_are_listed_to_their_owner() {
    on_every_backend(analytics::one_source, |api| {
        errors(api);
        errors(api);
        let list = api.get(PATH).json();
        let names: Vec<_> = list.as_array().expect("a list").iter().map(|one| &one["name"]).collect();
        assert_eq!(names, ["errors", "errors"]);
        assert_eq!(api.send(Call::get(PATH).token("token-of-outsider")).to_string(), "200 []");
    });
}

#[test]
fn a_deleted_endpoint_is_gone() {
    on_every_backend(analytics::one_source, |api| {
        let path = errors(api);
        assert_snapshot!(api.delete(&path), @"204");
        assert_snapshot!(api.get(&path), @r#"404 {"error":"Not Found"}"#);
    });
}

#[test]
fn endpoints_that_are_not_there_or_another_users_are_404_alike() {
    on_every_backend(analytics::one_source, |api| {
        let path = errors(api);
        for path in [path.as_str(), "/api/endpoints/errors"] {
            let body = json!({ "name": "x", "query": "select 1" });
            for call in [
                Call::get(path),
                Call::delete(path),
                Call::put(path).json(body.clone()),
                Call::new(http::Method::PATCH, path).json(body),
            ] {
                let reply = api.send(call.clone().token("token-of-outsider"));
                assert_eq!(reply.to_string(), r#"404 {"error":"Not Found"}"#, "{call}");
                assert_eq!(reply.reason(), "endpoint_not_found", "{call}");
            }
        }
    });
}

#[test]
fn errors_in_an_endpoint_name_the_field() {
    let rows: &[(Value, &str)] = &[
        (json!({ "query": null, "name": null }), r#"{"name":["is invalid"],"query":["is invalid"]}"#),
        (json!({ "name": " " }), r#"{"name":["can't be blank"]}"#),
        (json!({ "query": "" }), r#"{"query":["can't be blank"]}"#),
        (json!({ "token": "no" }), r#"{"token":["is invalid"]}"#),
        (json!({ "token": GATEWAY }), r#"{"token":["has already been taken"]}"#),
        (json!({ "max_limit": 0 }), r#"{"max_limit":["must be greater than %{number}"]}"#),
        (json!({ "max_limit": 10_001 }), r#"{"max_limit":["must be less than %{number}"]}"#),
        (json!({ "max_limit": "many" }), r#"{"max_limit":["is invalid"]}"#),
        (
            json!({ "cache_duration_seconds": -1 }),
            r#"{"cache_duration_seconds":["must be greater than %{number}"]}"#,
        ),
        (
            json!({ "proactive_requerying_seconds": -1 }),
            r#"{"proactive_requerying_seconds":["must be greater than %{number}"]}"#,
        ),
        (json!({ "language": "sql" }), r#"{"language":["is invalid"]}"#),
        (json!({ "enable_auth": "no" }), r#"{"enable_auth":["is invalid"]}"#),
    ];
    on_every_backend(analytics::one_source, |api| {
        let good = json!({ "name": "x", "query": "select 1", "token": GATEWAY });
        assert_eq!(api.post(PATH, good).status, 201);
        assert_snapshot!(api.post(PATH, json!({})), @r#"422 {"errors":{"name":["can't be blank"],"query":["can't be blank"]}}"#);
        assert_snapshot!(api.put(&format!("{PATH}/{GATEWAY}"), json!({ "name": "x" })), @r#"422 {"errors":{"query":["can't be blank"]}}"#);
        for (wrong, errors) in rows {
            let mut body = json!({ "name": "x", "query": "select 1" });
            let fields = wrong.as_object().expect("an object").clone();
            body.as_object_mut().expect("an object").extend(fields);
            let reply = api.post(PATH, body);
            assert_eq!(reply.to_string(), format!(r#"422 {{"errors":{errors}}}"#), "{wrong}");
        }
        assert_eq!(api.get(PATH).json().as_array().map(Vec::len), Some(1));
    });
}
