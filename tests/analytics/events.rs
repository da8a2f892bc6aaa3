//! `/_sim/sources/{token}/events` and `/volume`: all events of a source, for browsing.

use serde_json::{Value, json};
use sim_fixtures::analytics::{self, GATEWAY};

use crate::support::{both, on_every_backend};

const MINUTE_US: i64 = 60_000_000;
/// 2026-01-01T00:00:00Z, the start of each world.
const START_US: i64 = 1_767_225_600_000_000;

#[test]
fn events_come_page_by_page_in_the_order_of_their_time() {
    on_every_backend(analytics::one_source, |api| {
        let events = format!("/_sim/sources/{GATEWAY}/events");
        assert_eq!(api.get(&events).json(), json!({ "total": 0, "events": [] }));
        for minute in [3, 0, 2, 1] {
            let event =
                json!({ "event_message": minute.to_string(), "timestamp": START_US + minute * MINUTE_US });
            api.post(&format!("/logs?source={GATEWAY}"), json!([event]));
        }
        let page = api.get(&format!("{events}?offset=1&limit=2")).json();
        let messages: Vec<_> = page["events"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|event| event["event_message"].clone())
            .collect();
        assert_eq!((page["total"].clone(), messages), (json!(4), vec![json!("1"), json!("2")]));
        assert_eq!(api.get(&format!("{events}?limit=1001")).status, 400);
    });
}

#[test]
fn the_volume_is_counted_in_stretches_of_equal_length() {
    on_every_backend(analytics::one_source, |api| {
        let volume = format!("/_sim/sources/{GATEWAY}/volume?stretches=3");
        assert_eq!(api.get(&volume).json(), json!({ "stretch_us": 0, "counts": [] }));
        for minute in [0, 0, 1, 6] {
            let event = json!({ "event_message": "x", "timestamp": START_US + minute * MINUTE_US });
            api.post(&format!("/logs?source={GATEWAY}"), json!([event]));
        }
        let counted = api.get(&volume).json();
        assert_eq!(counted["from"], "2026-01-01T00:00:00Z");
        assert_eq!(counted["counts"], json!([3, 0, 1]));
        let none = "/_sim/sources/99999999-9999-4999-8999-999999999999/volume";
        assert_eq!(api.get(none).status, 404);
    });
}

#[test]
fn events_before_the_calendar_count_at_its_beginning() {
    both(analytics::one_source, |api| {
        let event = |timestamp: Value| json!({ "event_message": "x", "timestamp": timestamp });
        let events = [event(json!("-009999-01-01T00:00:00+01:00")), event(json!(START_US))];
        api.post(&format!("/logs?source={GATEWAY}"), json!(events));
        let counted = api.get(&format!("/_sim/sources/{GATEWAY}/volume?stretches=2")).json();
        assert_eq!(
            (&counted["from"], &counted["counts"]),
            (&json!("-009999-01-02T01:59:59Z"), &json!([1, 1]))
        );
    });
}

#[test]
fn a_search_finds_pages_and_volumes() {
    on_every_backend(analytics::one_source, |api| {
        let event = |minute: i64, level: &str| {
            json!({ "id": format!("e{minute}"), "event_message": format!("m{minute}"),
            "timestamp": START_US + minute * MINUTE_US, "metadata": { "level": level, "tags": ["x", level] } })
        };
        let sent: Vec<_> = (0..12).map(|n| event(n, if n % 3 == 0 { "error" } else { "info" })).collect();
        assert_eq!(api.post(&format!("/logs?source={GATEWAY}"), json!(sent)).status, 200);
        let events = format!("/_sim/sources/{GATEWAY}/events");
        let page = api.get(&format!("{events}?search=m.level:error&offset=1&limit=2")).json();
        assert_eq!(page["total"], 4, "{page}");
        assert_eq!(page["events"], json!([event(3, "error"), event(6, "error")]));
        assert_eq!(api.get(&format!("{events}?search=%20&limit=1")).json()["total"], 12);
        let tagged = api.get(&format!("{events}?search=m.tags:info%20m1")).json();
        assert_eq!(tagged["total"], 3, "m1, m10 and m11: {tagged}");
        let volume = format!("/_sim/sources/{GATEWAY}/volume?stretches=3");
        let counted = api.get(&format!("{volume}&search=m.level:error")).json();
        assert_eq!(
            (&counted["from"], &counted["counts"]),
            (&json!("2026-01-01T00:00:00Z"), &json!([2, 1, 1]))
        );
        let none = api.get(&format!("{volume}&search=nothing")).json();
        assert_eq!(none, json!({ "stretch_us": 0, "counts": [] }));
        let wrong = api.get(&format!("{events}?search=m.level:"));
        assert_eq!(
            wrong.to_string(),
            r#"400 {"error":"search: a value is missing (at character 1: m.level:)"}"#
        );
    });
}
