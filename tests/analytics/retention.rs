//! Which events leave: those older than their source keeps, and the oldest where the world's own tables are full.

use serde_json::{Value, json};
use sim_core::{Policy, Simulator};
use sim_fixtures::Api;
use sim_fixtures::analytics::GATEWAY;

use super::queries::{requests_under, sql};
use crate::support::{both, on_every_backend, seconds};

const DAY_S: u64 = 86_400;

fn send(api: &mut dyn Api, events: &Value) -> Value {
    let reply = api.post(&format!("/api/logs?source={GATEWAY}"), events.clone());
    assert_eq!(reply.status, 200, "{reply}");
    reply.json()
}

fn ids(api: &mut dyn Api) -> Vec<String> {
    let rows = sql(api, "select id from gateway order by id").json();
    let id = |row: &Value| row["id"].as_str().expect("an id").to_owned();
    rows["result"].as_array().expect("rows").iter().map(id).collect()
}

fn dropped(api: &mut dyn Api) -> Value {
    api.get(&format!("/api/sources/{GATEWAY}")).json()["metrics"]["dropped"].clone()
}

/// A world with one source and no events.
fn empty(change: impl Fn(&mut Policy)) -> Simulator {
    let mut policy = Policy::default();
    change(&mut policy);
    requests_under(policy)
}

#[test]
fn events_leave_after_the_days_that_their_source_keeps() {
    on_every_backend(
        || empty(|_| {}),
        |api| {
            api.patch(&format!("/api/sources/{GATEWAY}"), json!({ "retention_days": 2 }));
            let before = ids(api).len();
            send(api, &json!([{ "id": "z-now", "message": "now" }]));
            send(api, &json!([{ "id": "z-old", "message": "old", "timestamp": "2025-12-31T23:59:59Z" }]));
            assert_eq!(dropped(api), Value::Null);
            api.advance(seconds(DAY_S));
            assert!(!ids(api).contains(&"z-old".to_owned()), "the day before has left");
            assert!(ids(api).contains(&"z-now".to_owned()));
            api.advance(seconds(DAY_S));
            assert_eq!(ids(api), Vec::<String>::new());
            assert_eq!(dropped(api), json!(before + 2));
            send(api, &json!([{ "id": "z-new", "message": "new" }]));
            assert_eq!(ids(api), ["z-new"]);
        },
    );
}

#[test]
fn a_source_holds_so_many_events_and_the_oldest_leave() {
    both(
        || empty(|policy| policy.analytics.source_events = 3),
        |api| {
            let at = |second: u64| format!("2026-01-01T00:00:{:02}Z", 10 + second);
            let event = |id: &str, second| json!({ "id": id, "message": id, "timestamp": at(second) });
            // Three events were there before.
            let first = send(api, &json!([event("a", 1), event("b", 5)]));
            assert_eq!(first, json!({ "message": "Logged!", "oldest_dropped": 2 }));
            let second = send(api, &json!([event("c", 3), event("d", 6), event("e", 7)]));
            assert_eq!(second["oldest_dropped"], 3);
            let kept = ids(api);
            assert_eq!(kept, ["b", "d", "e"]);
            assert_eq!(dropped(api), 5);
            // An event that is sent again is not counted twice.
            assert_eq!(send(api, &json!([event("e", 7)])), json!({ "message": "Logged!" }));
            assert_eq!(ids(api), kept);
        },
    );
}

#[test]
fn a_source_holds_so_many_bytes() {
    both(
        || empty(|policy| policy.analytics.source_bytes = 20_000),
        |api| {
            for number in 0..40 {
                send(api, &json!([{ "id": format!("n{number:02}"), "message": "x".repeat(1_000) }]));
            }
            let kept = ids(api).into_iter().filter(|id| id.starts_with('n')).count();
            assert!((15..20).contains(&kept), "{kept}");
            assert!(ids(api).contains(&"n39".to_owned()), "the newest is there");
        },
    );
}

#[test]
fn a_minute_of_a_chart_is_found_by_its_index() {
    both(
        || empty(|_| {}),
        |api| {
            for second in [0, 59, 60, 61, 3_599] {
                let at = 1_767_225_600 - 3_600 + second;
                send(api, &json!([{ "message": "m", "timestamp": at, "chart": true }]));
            }
            let text = "select timestamp_trunc(timestamp, minute) as m, count(*) as n from gateway as t \
                        where t.chart group by m order by m";
            let rows = sql(api, text).json()["result"].clone();
            let start = 1_767_222_000_000_000_i64;
            let minute = 60_000_000;
            assert_eq!(
                rows,
                json!([
                    { "m": start, "n": 2 },
                    { "m": start + minute, "n": 2 },
                    { "m": start + 59 * minute, "n": 1 }
                ])
            );
        },
    );
}
