//! How a request names its source, and who may write to it.

use insta::assert_snapshot;
use serde_json::json;
use sim_fixtures::Call;
use sim_fixtures::analytics::{self, GATEWAY};

use super::{LOGGED, PATH, events, messages, plain, send};
use crate::analytics::access::token;
use crate::support::on_every_backend;

#[test]
fn all_prefixes_are_alike() {
    on_every_backend(analytics::one_source, |api| {
        for prefix in
            ["/logs", "/api/logs", "/api/events", "/logs/json", "/api/logs/json", "/api/events/json"]
        {
            let path = format!("{prefix}?source={GATEWAY}");
            assert_eq!(api.post(&path, json!({ "message": prefix })).to_string(), LOGGED, "{prefix}");
        }
        assert_eq!(messages(api).len(), 6);
    });
}

#[test]
fn a_source_is_named_in_the_query_in_headers_or_in_the_body() {
    on_every_backend(analytics::one_source, |api| {
        let name = "/api/logs?source_name=gateway";
        let rows = [
            Call::post(name),
            Call::post("/api/logs?collection_name=gateway"),
            Call::post(&format!("/api/logs?collection={}", GATEWAY.to_ascii_uppercase())),
            Call::post("/api/logs").header("x-source", GATEWAY),
            Call::post("/api/logs").header("x-collection", GATEWAY),
            Call::post("/api/logs").json(json!({ "source": GATEWAY })),
            Call::post("/api/logs").json(json!({ "collection": GATEWAY, "batch": [{}] })),
            Call::post("/api/logs").json(json!({ "source_name": "gateway" })),
            Call::post("/api/logs").json(json!({ "collection_name": "gateway" })),
            Call::post(&format!("{name}&source=99999999-9999-4999-8999-999999999999")),
        ];
        for call in rows {
            assert_eq!(api.send(call.clone()).to_string(), LOGGED, "{call}");
        }
        assert_eq!(events(api), vec![plain(&json!({})); 10], "the source's name is not part of the event");
    });
}

#[test]
fn every_unknown_source_is_the_same_401() {
    on_every_backend(analytics::one_source, |api| {
        let rows = [
            (Call::post("/api/logs"), "source_missing"),
            (Call::post("/api/logs?source=99999999-9999-4999-8999-999999999999"), "source_unknown"),
            (Call::post("/api/logs?source=gateway"), "source_unknown"),
            (Call::post("/api/logs?source_name=other"), "source_unknown"),
            (Call::post(PATH).token("token-of-outsider"), "source_unknown"),
            (Call::post("/api/logs?source_name=gateway").token("token-of-outsider"), "source_unknown"),
            (Call::post(PATH).nobody(), "token_missing"),
            (Call::post(PATH).token("none"), "token_unknown"),
        ];
        for (call, reason) in rows {
            let reply = api.send(call.clone().json(json!({})));
            assert_eq!(reply.to_string(), r#"401 {"error":"Unauthorized"}"#, "{call}");
            assert_eq!(reply.reason(), reason, "{call}");
        }
        assert!(events(api).is_empty());
    });
}

#[test]
fn a_name_that_two_sources_have_is_refused() {
    on_every_backend(analytics::one_source, |api| {
        api.post("/api/sources", json!({ "name": "gateway" }));
        assert_snapshot!(api.post("/api/logs?source_name=gateway", json!({})), @r#"400 {"error":"source_name: 2 sources have the name \"gateway\", use source"}"#);
    });
}

#[test]
fn tokens_reach_as_far_as_their_scopes() {
    on_every_backend(analytics::one_source, |api| {
        api.post("/api/sources", json!({ "name": "second" }));
        api.post("/api/endpoints", json!({ "name": "one", "query": "select 1 as a" }));
        let rows = [
            ("private", true, true),
            ("public", true, true),
            ("ingest", true, true),
            ("ingest:source:1", true, false),
            ("ingest:collection:1", true, false),
            ("ingest:source:2", false, true),
            ("ingest:source:1 ingest:source:2", true, true),
            ("query ingest:source:1", true, false),
            ("query", false, false),
            ("query:endpoint:1", false, false),
        ];
        for (scopes, first, second) in rows {
            let token = token(api, scopes);
            for (name, may) in [("gateway", first), ("second", second)] {
                let call = Call::post(&format!("/api/logs?source_name={name}")).token(&token).json(json!({}));
                let reply = api.send(call);
                let reason = if may { "" } else { "scope_missing" };
                assert_eq!((reply.status == 200, reply.reason()), (may, reason), "{scopes} to {name}");
            }
        }
        let key = api.get("/api/account").json()["api_key"].as_str().expect("a key").to_owned();
        assert_eq!(api.send(Call::post(&format!("{PATH}&api_key={key}")).nobody()).to_string(), LOGGED);
    });
}

#[test]
fn of_two_parameters_that_name_a_source_the_other_one_is_named() {
    on_every_backend(analytics::one_source, |api| {
        let other = "11111111-1111-1111-1111-111111111111";
        for (query, ignored) in [
            (format!("source_name=gateway&source={other}"), "query.source"),
            (format!("source={GATEWAY}&collection={other}"), "query.collection"),
            (format!("source={GATEWAY}&collection={GATEWAY}"), ""),
        ] {
            let reply = api.post(&format!("/api/logs?{query}"), json!({ "a": 1 }));
            assert_eq!((reply.to_string(), reply.header("x-sim-ignored")), (LOGGED.to_owned(), ignored));
        }
    });
}

#[test]
fn fields_named_like_the_source_are_data_where_the_request_names_the_source() {
    on_every_backend(analytics::one_source, |api| {
        let fields =
            json!({ "source": "nginx", "source_name": "n", "collection": "c", "collection_name": 1 });
        assert_eq!(api.post(PATH, fields.clone()).to_string(), LOGGED);
        let by_header = Call::post("/api/logs").header("x-source", GATEWAY).json(fields.clone());
        assert_eq!(api.send(by_header).to_string(), LOGGED);
        assert_eq!(api.post("/api/logs?source_name=gateway", json!([fields])).to_string(), LOGGED);
        assert_eq!(events(api), vec![plain(&fields); 3]);
        assert_eq!(send(api, "/json", &fields).to_string(), LOGGED);
        assert_eq!(send(api, "/pipeline", &fields).to_string(), LOGGED);
        assert_eq!((&events(api)[3]["metadata"], &events(api)[4]["metadata"]), (&fields, &fields));
        // Only the field that names the source is taken out.
        let named = json!({ "source": GATEWAY, "collection": "c", "source_name": { "a": 1 } });
        assert_eq!(api.post("/api/logs", named).to_string(), LOGGED);
        assert_eq!(events(api)[5], plain(&json!({ "collection": "c", "source_name": { "a": 1 } })));
        let batch = json!({ "batch": [{ "source": "nginx" }], "source": "lost", "x": 1 });
        let reply = api.post(PATH, batch);
        assert_eq!(reply.header("x-sim-ignored"), "body.source,body.x");
        assert_eq!(events(api)[6], plain(&json!({ "source": "nginx" })));
    });
}
