//! Events on a PostgreSQL server: what is removed with a world, what the server cannot hold, and a server
//! that stops responding.

use std::sync::Arc;

use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::analytics::ingest::Ingest;
use sim_core::analytics::query::RunQuery;
use sim_core::analytics::source_events::ListRecentEvents;
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, InProcess};
use sim_http::PostgresEvents;

use super::queries::{requests, sql};
use crate::support::with_events_on_postgres;

fn send(sim: &mut Simulator, events: &Value) {
    sim.call(Ingest::json(GATEWAY, events)).expect("good events");
}

/// The messages of the world's events, oldest first, from the list and from a query.
fn messages(sim: &mut Simulator) -> Vec<String> {
    let recent = sim.call(ListRecentEvents { token: GATEWAY.to_owned() }).expect("it is there");
    let recent: Vec<_> = recent.iter().map(|event| event["event_message"].clone()).collect();
    let text = "select event_message as m from gateway order by timestamp, id";
    let rows = sim.call(RunQuery::sql(text)).expect("a good query").result;
    assert_eq!(rows.iter().map(|row| row["m"].clone()).collect::<Vec<_>>(), recent);
    recent.iter().map(|message| message.as_str().unwrap_or_default().to_owned()).collect()
}

fn event(id: u32, message: &str) -> Value {
    json!([{ "id": format!("e{id}"), "timestamp": 1_767_225_600 + id, "message": message }])
}

#[test]
fn forks_and_restored_worlds_are_independent() {
    let Some(mut sim) = with_events_on_postgres(analytics::one_source()) else { return };
    send(&mut sim, &event(1, "one"));
    let (mut fork, before) = (sim.fork(), sim.snapshot());
    send(&mut sim, &event(2, "two of the first"));
    send(&mut fork, &event(2, "two of the fork"));
    send(&mut fork, &event(1, "sent again"));
    assert_eq!(messages(&mut sim), ["one", "two of the first"]);
    assert_eq!(messages(&mut fork), ["one", "two of the fork"]);
    sim.restore(&before);
    assert_eq!(messages(&mut sim), ["one"]);
    send(&mut sim, &event(3, "three"));
    send(&mut sim, &event(3, "sent again"));
    assert_eq!(messages(&mut sim), ["one", "three"]);
    assert_eq!(messages(&mut fork), ["one", "two of the fork"], "nobody else is affected");
}

#[test]
fn worlds_that_share_a_server_share_no_events() {
    let (Some(mut one), Some(mut other)) =
        (with_events_on_postgres(analytics::one_source()), with_events_on_postgres(analytics::one_source()))
    else {
        return;
    };
    send(&mut one, &event(1, "one"));
    send(&mut other, &event(1, "other"));
    assert_eq!(
        (messages(&mut one), messages(&mut other)),
        (vec!["one".to_owned()], vec!["other".to_owned()])
    );
}

#[test]
fn values_that_the_server_can_not_store_are_converted() {
    let Some(mut sim) = with_events_on_postgres(analytics::one_source()) else { return };
    let id = "i".repeat(10_000);
    let events = json!([
        { "id": id, "message": "a\u{0}b", "text": "\u{0}\\u0000", "timestamp": 1 },
        { "id": id, "message": "the same id" },
        { "id": "early", "message": "early", "timestamp": "-009999-01-01T00:00:00+01:00" },
    ]);
    send(&mut sim, &events);
    let recent = sim.call(ListRecentEvents { token: GATEWAY.to_owned() }).expect("it is there");
    assert_eq!(recent.len(), 2);
    let early = json!(-377_705_120_400_000_000_i64);
    assert_eq!((&recent[0]["id"], &recent[0]["timestamp"]), (&json!("early"), &early));
    assert_eq!(recent[1]["text"], "\u{fffd}\\u0000");
    let rows =
        sim.call(RunQuery::sql("select id, event_message as m from gateway where timestamp > '1970-01-01'"));
    assert_eq!(rows.expect("a good query").result[0]["m"], "a\u{fffd}b");
}

#[test]
fn a_server_that_stops_is_a_500_and_changes_nothing() {
    let Ok(there) = PostgresEvents::start("events") else { return eprintln!("SKIPPED on PostgreSQL") };
    let events = PostgresEvents::connect(&there.url(), "events").expect("it has just been started");
    let sim = requests().on_event_server(Arc::clone(&events) as _).expect("it takes the events");
    let mut api = InProcess::new(sim);
    let count = "select count(*) as n from gateway";
    assert_eq!(sql(&mut api, count).json(), json!({ "result": [{ "n": 3 }] }));
    let new = json!({ "name": "counted", "query": count, "cache_duration_seconds": 0 });
    assert_eq!(api.post("/api/endpoints", new).status, 201);
    let source = format!("/api/sources/{GATEWAY}");
    let before = api.get(&source).json();
    drop(there);
    let path = format!("/api/logs?source={GATEWAY}");
    for reply in [
        api.post(&path, json!({ "message": "lost" })),
        api.post(&path, json!({ "message": "lost" })),
        sql(&mut api, count),
        api.get("/api/endpoints/query/counted"),
        api.get(&format!("{source}/recent")),
    ] {
        assert_eq!((reply.status, reply.reason()), (500, "event_server_lost"), "{reply}");
        let text = reply.json()["error"].as_str().expect("a text").to_owned();
        assert!(text.starts_with("The server that keeps the events failed: "), "{text}");
    }
    assert_eq!(api.get(&source).json(), before, "everything except events is still there");
}

#[test]
fn an_unreachable_server_is_an_error_with_its_reason() {
    for (url, text) in [
        ("postgres://ann@127.0.0.1:1/logs", "refused"),
        ("mysql://ann@127.0.0.1/logs", "must begin with postgres://"),
        ("postgres://127.0.0.1/logs", "must name a user"),
    ] {
        let error = PostgresEvents::connect(url, "events").err().expect("nobody is there").to_string();
        assert!(error.contains(text), "{url}: {error}");
    }
}
