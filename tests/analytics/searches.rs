//! The search language, case by case: as a query of a source, and as the filter of a rule.

use serde_json::{Value, json};
use sim_core::Simulator;
use sim_core::analytics::ingest::Ingest;
use sim_fixtures::analytics::{self, GATEWAY};

use crate::support::on_every_backend;

/// Searches, each with the ids of the events that it finds.
const SEARCHES: &str = include_str!("searches.txt");

fn events() -> Value {
    let at = |second: u32| format!("2026-01-01T00:00:{second:02}Z");
    json!([
        { "id": "s1", "timestamp": at(0), "message": "GET /a 200", "metadata": {
            "level": "info", "status": 200, "ms": 12.5, "path": "/a", "user": { "name": "Ann Lee", "id": 7 },
            "tags": ["web", "eu"], "ok": true } },
        { "id": "s2", "timestamp": at(1), "message": "POST /b 500", "metadata": {
            "level": "error", "status": 500, "ms": 903, "path": "/b", "user": { "name": "Bob" }, "tags": ["web"],
            "ok": false } },
        { "id": "s3", "timestamp": at(2), "message": "slow query", "metadata": {
            "level": "warning", "ms": 2500, "sql": "select 1" } },
        { "id": "s4", "timestamp": at(3), "message": "it's \"quoted\"", "metadata": {
            "level": "debug", "items": [{ "sku": "x1", "qty": 2 }, { "sku": "x2", "qty": 10 }] } },
        { "id": "s5", "timestamp": "2025-12-31T23:30:00Z", "message": "boot", "metadata": {
            "level": "notice", "host": "db-1" } },
        { "id": "s6", "timestamp": "2025-12-01T12:00:00Z", "message": "december", "metadata": {
            "level": "critical", "status": 404 } },
        { "id": "s7", "timestamp": at(4), "message": "plain", "project": "default" },
        { "id": "s8", "timestamp": at(5), "message": "get /A", "metadata": { "level": "info", "path": "/A/b c" } },
    ])
}

fn world() -> Simulator {
    let mut sim = analytics::one_source();
    sim.call(Ingest::json(GATEWAY, &events())).expect("good events");
    sim
}

fn cases() -> Vec<(&'static str, &'static str)> {
    let case = |line: &'static str| line.rsplit_once('|').expect("a search and its ids");
    SEARCHES.lines().map(case).map(|(search, ids)| (search.trim(), ids.trim())).collect()
}

fn ids(rows: &Value) -> String {
    let mut ids: Vec<_> =
        rows.as_array().into_iter().flatten().filter_map(|row| row["id"].as_str()).collect();
    ids.sort_unstable();
    ids.join(" ")
}

#[test]
fn searches_find_what_they_mean() {
    assert!(cases().len() >= 150, "{}", cases().len());
    on_every_backend(world, |api| {
        let mut wrong = Vec::new();
        for (search, expected) in cases() {
            let query = format!("f:gateway s:id {search}");
            let made =
                api.post("/api/endpoints", json!({ "name": "search", "query": query, "language": "lql" }));
            assert_eq!(made.status, 201, "{search}: {made}");
            let token = made.json()["token"].as_str().expect("a token").to_owned();
            let found = api.get(&format!("/api/endpoints/query/{token}")).json();
            if ids(&found["result"]) != expected {
                wrong.push(format!("{search}: {found}, not {expected}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    });
}

#[test]
fn rules_copy_what_searches_find() {
    on_every_backend(analytics::one_source, |api| {
        let id = api.get(&format!("/api/sources/{GATEWAY}")).json()["id"].clone();
        let mut sinks = Vec::new();
        for (number, (search, _)) in cases().iter().enumerate() {
            let sink =
                api.post("/api/sources", json!({ "name": format!("sink {number}") })).json()["token"].clone();
            let rule = json!({ "source_id": id, "sink": sink, "lql_string": search });
            let made = api.post("/api/rules", rule);
            assert_eq!(made.status, 201, "{search}: {made}");
            sinks.push(sink.as_str().expect("a token").to_owned());
        }
        assert_eq!(api.post(&format!("/api/logs?source={GATEWAY}"), events()).status, 200);
        for ((search, expected), sink) in cases().into_iter().zip(sinks) {
            let copied = api.get(&format!("/api/sources/{sink}/recent")).json();
            assert_eq!(ids(&copied), expected, "{search}");
        }
    });
}

#[test]
fn searches_that_mean_nothing_are_refused_when_they_are_made() {
    on_every_backend(analytics::one_source, |api| {
        let id = api.get(&format!("/api/sources/{GATEWAY}")).json()["id"].clone();
        let sink = api.post("/api/sources", json!({ "name": "sink" })).json()["token"].clone();
        for search in [
            "m.f:>>100",
            "m.f::v",
            "m.f:>=<1",
            "m.f:~~p",
            "m.f:",
            "m.f:~(",
            "\"open",
            "~~x",
            "~[",
            "t:soon",
            "t:2026-13-01",
            "t:last@many",
            "t:last@5parsecs",
            "t:this@fortnight",
            "t:>",
            "m.level:error..debug",
            "m.level:<debug",
            "m.f:@>",
            "m.f:1..",
            "m.f:5..1",
            "m.level:error..nonsense",
            "m..f:1",
            "m.:1",
            "t:last@0hour",
            "t:2026-01-02..2026-01-01",
        ] {
            let query = format!("f:gateway s:id {search}");
            let made =
                api.post("/api/endpoints", json!({ "name": "search", "query": query, "language": "lql" }));
            assert_eq!(made.status, 422, "{search}: {made}");
            let rule = json!({ "source_id": id, "sink": sink, "lql_string": search });
            assert_eq!(api.post("/api/rules", rule).status, 422, "{search}");
        }
    });
}
