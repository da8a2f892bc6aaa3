//! Kept events: recent ones, the schema, metrics.

use insta::assert_snapshot;
use serde_json::json;
use sim_fixtures::Call;
use sim_fixtures::analytics::{self, GATEWAY};

use super::{NOW, PATH, RECENT, SOURCE, events, messages};
use crate::support::{on_every_backend, seconds};

#[test]
fn metrics_move_with_events_and_time() {
    on_every_backend(analytics::one_source, |api| {
        let batch = |count: usize| json!(vec![json!({ "a": { "b": 1 } }); count]);
        api.post(PATH, batch(61));
        api.advance(seconds(1));
        api.post(PATH, batch(2));
        let metrics = api.get(SOURCE).json()["metrics"].clone();
        assert_snapshot!(metrics, @r#"{"rate":2,"avg":2,"max":61,"latest":1767225601000,"buffer":0,"inserts":63,"inserts_string":"63","rejected":0,"fields":4}"#);
        api.advance(seconds(58));
        assert_eq!(api.get(SOURCE).json()["metrics"]["avg"], 2);
        api.advance(seconds(1));
        assert_eq!(api.get(SOURCE).json()["metrics"]["avg"], 1, "the first second is a minute ago");
        api.advance(seconds(1));
        let metrics = api.get(SOURCE).json()["metrics"].clone();
        assert_eq!(
            (&metrics["avg"], &metrics["rate"], &metrics["inserts"]),
            (&json!(0), &json!(0), &json!(63))
        );
    });
}

#[test]
fn the_schema_of_a_source_grows_with_its_events() {
    on_every_backend(analytics::one_source, |api| {
        api.post(PATH, json!({ "a": { "b": 1, "c": [1.5] }, "l": [{ "x": true }] }));
        assert_snapshot!(api.get(&format!("{SOURCE}/schema")), @r#"200 {"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"https://analytics.platform.test/api/sources/11111111-1111-4111-8111-111111111111/schema","title":"gateway","type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"integer"},"c":{"type":"array","items":{"type":"number"}}}},"event_message":{"type":"string"},"id":{"type":"string"},"l":{"type":"object","properties":{"x":{"type":"boolean"}}},"timestamp":{"type":"number"}}}"#);
        assert_snapshot!(api.get(&format!("{SOURCE}/schema?variant=dot")), @r#"200 {"a.b":"integer","a.c":"array<float>","event_message":"string","id":"string","l.x":"boolean","timestamp":"datetime"}"#);
        api.post(PATH, json!({ "a": "now a text" }));
        assert_eq!(api.get(SOURCE).json()["wh_table_schema"]["a.b"], "integer");
    });
}

#[test]
fn only_the_newest_hundred_events_are_recent() {
    on_every_backend(analytics::one_source, |api| {
        let batch: Vec<_> =
            (0..103).map(|i| json!({ "message": format!("{i}"), "timestamp": NOW - 1000 + i })).collect();
        api.post(PATH, json!(batch));
        let messages = messages(api);
        assert_eq!((messages.len(), messages[0].as_str(), messages[99].as_str()), (100, "3", "102"));
        for call in [Call::get(RECENT), Call::get(&format!("{SOURCE}/schema"))] {
            assert_eq!(api.send(call.token("token-of-outsider")).to_string(), r#"404 {"error":"Not Found"}"#);
        }
    });
}

#[test]
fn events_are_deleted_with_their_source() {
    on_every_backend(analytics::one_source, |api| {
        api.post(PATH, json!({}));
        api.delete(SOURCE);
        api.post("/api/sources", json!({ "name": "gateway", "token": GATEWAY }));
        assert!(events(api).is_empty());
        assert_eq!(api.get(SOURCE).json()["metrics"]["inserts"], 0);
    });
}

#[test]
fn events_go_with_a_world_through_fork_snapshot_and_replay() {
    let mut sim = analytics::one_source();
    let event =
        |message: &str| sim_core::analytics::ingest::Ingest::json(GATEWAY, &json!([{ "message": message }]));
    let recent = |sim: &mut sim_core::Simulator| {
        let list = sim_core::analytics::source_events::ListRecentEvents { token: GATEWAY.to_owned() };
        sim.call(list).expect("it is there").len()
    };
    sim.call(event("one")).expect("a good call");
    let (mut fork, before) = (sim.fork(), sim.snapshot());
    sim.call(event("two")).expect("a good call");
    assert_eq!((recent(&mut sim), recent(&mut fork)), (2, 1));
    let again =
        sim.replay_file().expect("the journal is whole").run(sim.registry()).expect("nothing diverges");
    assert_eq!(again.journal_hash(), sim.journal_hash());
    sim.restore(&before);
    assert_eq!(recent(&mut sim), 1);
}
