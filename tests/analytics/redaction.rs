//! What is left out: network addresses of results, fields of events, and the headers with which drains are told.

use serde_json::{Value, json};
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call};

use crate::support::{on_every_backend, seconds};

fn send(api: &mut dyn Api, event: &Value) {
    let reply = api.post(&format!("/api/logs?source={GATEWAY}"), event.clone());
    assert_eq!(reply.status, 200, "{reply}");
}

#[test]
fn an_endpoint_redacts_network_addresses() {
    on_every_backend(analytics::one_source, |api| {
        send(
            api,
            &json!({ "message": "from 10.1.2.3:80", "metadata": { "ip": "2001:db8::1", "v": "1.2.3" } }),
        );
        let query = "select event_message as m, t.metadata as d from gateway as t";
        let made = api.post("/api/endpoints", json!({ "name": "open", "query": query, "redact_pii": true }));
        assert_eq!((made.status, &made.json()["redact_pii"]), (201, &json!(true)), "{made}");
        let path = format!("/api/endpoints/query/{}", made.json()["token"].as_str().expect("a token"));
        let row = json!({ "m": "from REDACTED:80", "d": [{ "ip": "REDACTED", "v": "1.2.3" }] });
        assert_eq!(api.get(&path).json()["result"], json!([row]));
        let plain = Call::get(&path).header("x-endpoint-redact-pii", "false");
        assert_eq!(api.send(plain).json()["result"][0]["m"], "from 10.1.2.3:80");
    });
}

#[test]
fn a_call_asks_for_redaction_by_a_header() {
    on_every_backend(analytics::one_source, |api| {
        send(api, &json!({ "message": "10.1.2.3" }));
        let body = json!({ "name": "plain", "query": "select event_message as m from gateway" });
        let made = api.post("/api/endpoints", body).json();
        let path = format!("/api/endpoints/query/{}", made["token"].as_str().expect("a token"));
        assert_eq!(api.get(&path).json()["result"], json!([{ "m": "10.1.2.3" }]));
        let asked = Call::get(&path).header("x-endpoint-redact-pii", "true");
        assert_eq!(api.send(asked).json()["result"], json!([{ "m": "REDACTED" }]));
    });
}

#[test]
fn a_source_does_not_store_the_fields_that_it_drops() {
    on_every_backend(analytics::one_source, |api| {
        let source = format!("/api/sources/{GATEWAY}");
        let lines = "password\nm.user.email\n m.list.secret \nid";
        let changed = api.patch(&source, json!({ "transform_drop_fields": lines }));
        assert_eq!(changed.json()["transform_drop_fields"], lines, "{changed}");
        send(
            api,
            &json!([{
                "id": "kept", "message": "m", "password": "x",
                "metadata": {
                    "user": { "email": "a@b.test", "name": "a" },
                    "list": [{ "secret": 1, "plain": 2 }],
                },
            }]),
        );
        let event = api.get(&format!("{source}/recent")).json()[0].clone();
        assert_eq!(event["id"], "kept", "an event keeps its own columns");
        assert_eq!(event.get("password"), None);
        assert_eq!(event["metadata"], json!({ "user": { "name": "a" }, "list": [{ "plain": 2 }] }));
        let columns = api.get(&source).json()["wh_table_schema"].to_string();
        assert!(!columns.contains("password") && !columns.contains("email"), "{columns}");
    });
}

#[test]
fn a_drain_is_sent_its_headers() {
    on_every_backend(analytics::one_source, |api| {
        let config = json!({ "url": "http://drain.test/in", "headers": { "authorization": "Bearer x" } });
        let drain =
            api.post("/api/backends", json!({ "name": "d", "type": "webhook", "config": config })).json();
        let token = drain["token"].as_str().expect("a token");
        assert_eq!(api.post(&format!("/api/sources/{GATEWAY}/backends/{token}"), json!({})).status, 201);
        send(api, &json!({ "message": "m" }));
        let sent = api.get("/_sim/outbox").json();
        assert_eq!(sent[0]["headers"], json!({ "authorization": "Bearer x" }), "{sent}");
        for headers in [json!("text"), json!({ "a b": "x" }), json!({ "host": "x" }), json!({ "x": 1 })] {
            let config = json!({ "url": "http://drain.test/in", "headers": headers });
            let reply =
                api.post("/api/backends", json!({ "name": "d", "type": "webhook", "config": config }));
            let expected = r#"422 {"errors":{"config":["headers must be an object of texts"]}}"#;
            assert_eq!(reply.to_string(), expected);
        }
    });
}

#[test]
fn an_alert_is_sent_to_its_backends() {
    on_every_backend(analytics::one_source, |api| {
        let config = json!({ "url": "http://drain.test/in", "headers": { "x-team": "a" } });
        let drain =
            api.post("/api/backends", json!({ "name": "d", "type": "webhook", "config": config })).json();
        let body = |ids: Value| json!({ "name": "a", "query": "select 1 as n from gateway", "cron": "*/15 * * * *", "backend_ids": ids });
        let refused = api.post("/api/alerts", body(json!([99])));
        assert_eq!(refused.to_string(), r#"422 {"errors":{"backend_ids":["does not exist"]}}"#);
        let made = api.post("/api/alerts", body(json!([drain["id"]])));
        assert_eq!(made.json()["backend_ids"], json!([drain["id"]]), "{made}");
        send(api, &json!({ "message": "m" }));
        api.advance(seconds(15 * 60));
        let sent = api.get("/_sim/outbox").json();
        assert_eq!(sent[0]["recipient"], "http://drain.test/in", "{sent}");
        assert_eq!(
            (&sent[0]["body"], &sent[0]["headers"]),
            (&json!(r#"{"result":[{"n":1}]}"#), &json!({ "x-team": "a" }))
        );
    });
}
