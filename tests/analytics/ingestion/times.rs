//! Times of events.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_fixtures::analytics::{self};
use sim_fixtures::{Api, Call};

use super::{LOGGED, NOW, PATH, RECENT, SOURCE, events, messages, plain, send};
use crate::support::on_every_backend;

#[test]
fn an_event_by_itself_loses_its_time_and_id_and_others_keep_them() {
    on_every_backend(analytics::one_source, |api| {
        let event = json!({ "id": "mine", "timestamp": "2025-12-31T00:00:00Z", "message": "m" });
        let reply = api.post(PATH, event.clone());
        assert_eq!(reply.header("x-sim-ignored"), "body.timestamp,body.id");
        assert_eq!(api.post(PATH, json!([event])).header("x-sim-ignored"), "");
        let stored = api.get(RECENT).json();
        assert_eq!(
            (&stored[0]["id"], &stored[0]["timestamp"]),
            (&json!("mine"), &json!(NOW - 86_400_000_000))
        );
        assert_ne!(stored[1]["id"], "mine");
        assert_eq!(stored[1]["timestamp"], NOW);
    });
}

#[test]
fn timestamps_of_any_unit_are_stored_in_microseconds() {
    on_every_backend(analytics::one_source, |api| {
        let given = [
            json!("2026-01-01T01:00:00+01:00"),
            json!(1_767_225_600),
            json!(1_767_225_600_000_i64),
            json!(1_767_225_600_000_000_i64),
            json!(1_767_225_600_000_000_000_i64),
            json!("no time"),
            json!(null),
            json!({}),
        ];
        let batch: Vec<_> = given.iter().map(|timestamp| json!({ "timestamp": timestamp })).collect();
        assert_eq!(api.post(PATH, json!(batch)).to_string(), LOGGED);
        assert_eq!(events(api), vec![plain(&json!({})); given.len()]);
    });
}

#[test]
fn a_timestamp_that_is_no_instant_is_named_and_the_event_has_that_of_its_arrival() {
    on_every_backend(analytics::one_source, |api| {
        let no_instants = [
            json!("2025-12-31 00:00:00"),
            json!("2025-12-31T10:00:00"),
            json!("1767139200"),
            json!("Wed, 31 Dec 2025 00:00:00 GMT"),
            json!("2025-12-31T25:00:00Z"),
            json!(1e300),
            json!(true),
            json!([1]),
        ];
        let named = |api: &mut dyn Api, path: &str, body: &Value| {
            let reply = send(api, path, body);
            assert_eq!(reply.status, 200, "{body}: {reply}");
            reply.header("x-sim-ignored").to_owned()
        };
        for given in &no_instants {
            let event = json!({ "message": "m", "timestamp": given });
            let list = json!([{ "timestamp": null }, event, { "timestamp": 1_767_139_200 }]);
            assert_eq!(named(api, "", &list), "body.1.timestamp", "{given}");
            assert_eq!(named(api, "", &json!({ "batch": [event] })), "body.batch.0.timestamp", "{given}");
            assert_eq!(named(api, "/pipeline", &json!({ "timestamp": given })), "body.timestamp", "{given}");
            assert_eq!(named(api, "/json", &event), "", "it is no timestamp: {given}");
            let cast = json!({ "batch": [{ "body": event, "typecasts": [] }] });
            assert_eq!(named(api, "/typecasts", &cast), "body.batch.0.body.timestamp", "{given}");
            assert_eq!(named(api, "/cloud-event", &json!([{ "time": given }])), "body.0.time", "{given}");
        }
        let arrived = events(api).iter().filter(|event| event["timestamp"] == NOW).count();
        assert_eq!(arrived, no_instants.len() * 7);
        let cloud = Call::post(&PATH.replace('?', "/cloud-event?")).header("ce-time", "now").json(json!({}));
        assert_eq!(api.send(cloud).header("x-sim-ignored"), "ce-time");
        let edge = Call::post(&PATH.replace('?', "/edge?"));
        let edge = edge.bytes("text/plain", "{\"EdgeStartTimestamp\":\"now\"}\n{\"EdgeStartTimestamp\":1}");
        assert_eq!(api.send(edge).header("x-sim-ignored"), "body.0.EdgeStartTimestamp");
        let many = json!(vec![json!({ "timestamp": "now" }); 1000]);
        assert!(named(api, "", &many).len() < 2000, "a few are named");
    });
}

#[test]
fn events_far_ahead_are_refused_and_counted() {
    on_every_backend(analytics::one_source, |api| {
        let batch = json!([
            { "timestamp": "2026-01-01T01:00:00Z", "message": "in an hour" },
            { "timestamp": "2026-01-01T01:00:00.000001Z", "message": "later" },
            { "timestamp": i64::MAX - 1, "message": "never" },
            { "timestamp": "9999-12-31T23:00:00Z", "message": "never" },
        ]);
        let reply = api.post(PATH, batch);
        assert_snapshot!(reply, @r#"406 {"message":["Validation error: timestamp 2026-01-01T01:00:00.000001Z is too far ahead of the server's clock, 2026-01-01T00:00:00Z.","Validation error: timestamp 2262-04-11T23:47:16.854775Z is too far ahead of the server's clock, 2026-01-01T00:00:00Z.","Validation error: timestamp 253402297200000000 is too far ahead of the server's clock, 2026-01-01T00:00:00Z."]}"#);
        assert_eq!(reply.reason(), "events_ahead");
        assert_eq!(messages(api), ["in an hour"]);
        assert_eq!(api.get(SOURCE).json()["metrics"]["rejected"], 3);
    });
}
