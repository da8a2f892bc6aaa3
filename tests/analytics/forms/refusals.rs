//! Records that are refused, and fields that no event keeps.

use serde_json::{Value, json};
use sim_fixtures::Call;
use sim_fixtures::analytics::{self, GATEWAY};

use super::{NANOS, events, export, fixed, json_log, long, part, send, varint};
use crate::support::on_every_backend;

#[test]
fn refused_records_are_counted_in_an_answer_of_success() {
    on_every_backend(analytics::one_source, |api| {
        let mixed = json!({ "arrayValue": { "values": [{ "stringValue": "x" }, { "intValue": 1 }] } });
        let to = Call::post("/v1/logs").header("x-source", GATEWAY);
        let reply = api.send(to.clone().json(json_log(&mixed)));
        let text = "Validation error: values with the same field path must have the same type.";
        let partial = json!({ "partialSuccess": { "rejectedLogRecords": "1", "errorMessage": text } });
        assert_eq!((reply.status, reply.json(), reply.reason()), (200, partial, "events_rejected"));
        let ahead = [fixed(1, NANOS + 7200 * 1_000_000_000), part(5, &part(1, b"x"))].concat();
        let reply = api.send(to.bytes("application/x-protobuf", export(&ahead)));
        assert_eq!((reply.status, reply.reason()), (200, "events_ahead"));
        assert!(
            reply.body.starts_with(&[0x0a]) && String::from_utf8_lossy(&reply.body).contains("too far ahead")
        );
        assert_eq!(api.get(&format!("/api/sources/{GATEWAY}")).json()["metrics"]["rejected"], 2);
        assert!(events(api).is_empty());
    });
}

/// A message in others of any length, by the numbers of their fields from the inside.
fn wrapped(message: Vec<u8>, numbers: impl IntoIterator<Item = u8>) -> Vec<u8> {
    let mut reversed: Vec<u8> = message.into_iter().rev().collect();
    for number in numbers {
        let (mut length, mut head) = (reversed.len(), vec![number << 3 | 2]);
        while length >= 0x80 {
            head.push(0x80 | (length & 0x7f) as u8);
            length >>= 7;
        }
        head.push(length as u8);
        reversed.extend(head.into_iter().rev());
    }
    reversed.reverse();
    reversed
}

#[test]
fn exports_that_cannot_be_read_are_refused() {
    on_every_backend(analytics::one_source, |api| {
        let rows = [
            (vec![0x0a], "invalid varint"),
            (vec![0x0a, 9], "buffer underflow"),
            (vec![0x08, 1], "Export.resources: invalid wire type: Varint (expected LengthDelimited)"),
        ];
        for (body, text) in rows {
            let reply = send(api, "traces", body);
            let error = reply.json()["error"].to_string();
            assert_eq!(reply.status, 400);
            assert!(error.contains("body: Invalid export") && error.contains(text), "{error} has not {text}");
        }
        let path = format!("/api/logs/v1/traces?source={GATEWAY}");
        assert_eq!(api.send(Call::post(&path).bytes("text/plain", "x")).reason(), "unsupported_content_type");
        let rows = [
            (json!([]), "invalid type: sequence"),
            (json!({ "resourceSpans": {} }), "resourceSpans: {} is not a list"),
            (
                json!({ "resourceSpans": [{ "resource": { "attributes": [{ "key": 1 }] } }] }),
                "resourceSpans.0.resource.attributes.0.key: 1 is not a text",
            ),
        ];
        for (body, text) in rows {
            let reply = api.post(&path, body);
            assert_eq!((reply.status, reply.reason()), (400, "invalid_json"));
            assert!(reply.to_string().contains(text), "{reply}");
        }
        assert_eq!(send(api, "profiles", Vec::new()).reason(), "unknown_path");
        assert_eq!(send(api, "traces", Vec::new()).status, 200, "an export of nothing");
        assert!(events(api).is_empty());
    });
}

#[test]
fn a_record_in_protobuf_that_cannot_be_read_is_refused_alone() {
    on_every_backend(analytics::one_source, |api| {
        let good = part(5, b"good");
        let nested = (0..60).fold(part(1, b"x"), |value, _| long(5, &long(1, &value)));
        let pair = [part(1, b"deep"), long(2, &nested)].concat();
        let deep = long(9, &pair);
        // An attribute of lists in lists, from the innermost, in 100,000 levels.
        let attribute = wrapped(vec![0x0a, 0], [1, 5].repeat(100_000));
        let deepest = wrapped(attribute, [2, 9]);
        let rows = [
            (part(5, &[0xff]), "Span.name: invalid string value"),
            (varint(5, 1), "Span.name: invalid wire type"),
            (vec![0x2a, 9], "buffer underflow"),
            (deep, "recursion limit reached"),
            (deepest, "recursion limit reached"),
        ];
        for (index, (bad, text)) in rows.into_iter().enumerate() {
            let records = [wrapped(good.clone(), [2]), wrapped(bad, [2])].concat();
            let reply = send(api, "traces", wrapped(records, [2, 1]));
            assert_eq!((reply.status, reply.reason()), (200, "events_rejected"), "{text}");
            assert_eq!(reply.header("x-sim-ignored"), "", "what is refused is not looked through");
            let answer = String::from_utf8_lossy(&reply.body);
            assert!(answer.contains("resourceSpans.0.scopeSpans.0.spans.1: "), "{answer}");
            assert!(answer.contains(text), "{answer} has not {text}");
            assert_eq!(events(api).len(), index + 1, "the good one is stored");
        }
    });
}

/// Spans in an export as JSON.
pub(super) fn json_spans(spans: &Value) -> Value {
    json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": spans }] }] })
}

/// A metric in an export as JSON.
pub(super) fn json_metric(metric: &Value) -> Value {
    json!({ "resourceMetrics": [{ "scopeMetrics": [{ "metrics": [metric] }] }] })
}

#[test]
fn a_record_with_a_wrong_value_is_refused_alone_and_by_the_name_of_the_field() {
    on_every_backend(analytics::one_source, |api| {
        let to = |signal: &str| Call::post(&format!("/v1/{signal}")).header("x-source", GATEWAY);
        let good = json!({ "name": "good", "startTimeUnixNano": NANOS.to_string(), "parentSpanId": null });
        let rows = [
            (
                json!({ "startTimeUnixNano": "-1" }),
                r#"1.startTimeUnixNano: "-1" is not a whole number in range"#,
            ),
            (json!({ "traceId": "xy" }), r#"1.traceId: "xy" is not an id in hex digits"#),
            (json!({ "kind": "SERVER" }), r#"1.kind: "SERVER" is not a whole number of 32 bits"#),
            (json!({ "events": [{ "name": 7 }] }), "1.events.0.name: 7 is not a text"),
            (
                json!({ "attributes": [{ "key": "n", "value": { "intValue": 18_446_744_073_709_551_615_u64 } }] }),
                "1.attributes.0.value.intValue: 18446744073709551615 is not a whole number in range",
            ),
            (json!(7), "1: 7 is not an object"),
        ];
        for (index, (wrong, problem)) in rows.iter().enumerate() {
            let reply = api.send(to("traces").json(json_spans(&json!([good, wrong]))));
            let partial = reply.json()["partialSuccess"].clone();
            let text = format!("resourceSpans.0.scopeSpans.0.spans.{problem}");
            assert_eq!(partial, json!({ "rejectedSpans": "1", "errorMessage": text }), "{reply}");
            assert_eq!((reply.status, reply.reason()), (200, "events_rejected"));
            assert_eq!(events(api).len(), index + 1, "the good one is stored");
        }
        let points = json!([{ "asInt": "1", "timeUnixNano": NANOS.to_string() }, { "asInt": "1.5" }, { "asDouble": "x" }]);
        let reply = api.send(
            to("metrics").json(json_metric(&json!({ "name": "n", "gauge": { "dataPoints": points } }))),
        );
        let said = reply.json()["partialSuccess"].clone();
        assert_eq!(said["rejectedDataPoints"], "2", "{reply}");
        assert!(reply.to_string().contains("metrics.0.gauge.dataPoints.2.asDouble"), "{reply}");
        assert_eq!(api.get(&format!("/api/sources/{GATEWAY}")).json()["metrics"]["rejected"], rows.len() + 2);
    });
}

#[test]
fn what_no_event_keeps_of_an_export_is_named() {
    on_every_backend(analytics::one_source, |api| {
        let to = |signal: &str| Call::post(&format!("/v1/{signal}")).header("x-source", GATEWAY);
        let scope = "body.resourceSpans.scopeSpans";
        let span = json!({
            "name": "s", "flags": 257, "traceState": "a=b", "links": [{ "traceId": "ab" }], "start_time": 1,
            "droppedEventsCount": 0, "droppedAttributesCount": 2,
        });
        let reply = api.send(to("traces").json(json_spans(&json!([span, span]))));
        let names = ["flags", "traceState", "links", "start_time", "droppedAttributesCount"];
        let named: Vec<_> = names.iter().map(|name| format!("{scope}.spans.{name}")).collect();
        assert_eq!(
            (reply.to_string(), reply.header("x-sim-ignored")),
            ("200 {}".to_owned(), &*named.join(","))
        );
        // The same in protobuf, with a field that the protocol does not have, and one that is 0.
        let span = [part(5, b"s"), part(3, b"a=b"), long(13, b""), part(13, &part(1, b"ab"))].concat();
        let unknown = [0xa0, 0x06, 1];
        let nothing = varint(10, 0);
        let reply = send(api, "traces", export(&[&span[..], &unknown, &nothing].concat()));
        let named = format!("{scope}.spans.traceState,{scope}.spans.links,{scope}.spans.100");
        assert_eq!((reply.status, reply.header("x-sim-ignored")), (200, &*named));
        let points = json!([{ "asDouble": "NaN", "exemplars": [{ "asInt": "1" }], "flags": 0 }]);
        let metric = json!({ "name": "m", "description": "d", "gauge": { "dataPoints": points } });
        let reply = api.send(to("metrics").json(json_metric(&metric)));
        let of = "body.resourceMetrics.scopeMetrics.metrics";
        let named =
            format!("{of}.description,{of}.gauge.dataPoints.asDouble,{of}.gauge.dataPoints.exemplars");
        assert_eq!((reply.status, reply.header("x-sim-ignored")), (200, &*named));
        let reply = api.send(to("logs").json(json_spans(&json!([]))));
        assert_eq!((reply.status, reply.header("x-sim-ignored")), (200, "body.resourceSpans"));
        let reply = api.send(to("logs").json(json_log(&json!({ "strValue": "x" }))));
        assert_eq!(reply.header("x-sim-ignored"), "body.resourceLogs.scopeLogs.logRecords.body.strValue");
    });
}

#[test]
fn a_log_without_a_text_is_named_by_its_event() {
    on_every_backend(analytics::one_source, |api| {
        let to = Call::post("/v1/logs").header("x-source", GATEWAY);
        let named = |body: Value| {
            let mut export = json_log(&body);
            export["resourceLogs"][0]["scopeLogs"][0]["logRecords"][0]["eventName"] = json!("signed_in");
            export
        };
        let reply = api.send(to.clone().json(named(json!({ "intValue": 7 }))));
        assert_eq!(reply.header("x-sim-ignored"), "");
        assert_eq!(events(api)[0]["event_message"], "signed_in");
        let reply = api.send(to.json(named(json!({ "stringValue": "text" }))));
        assert_eq!(reply.header("x-sim-ignored"), "body.resourceLogs.scopeLogs.logRecords.eventName");
        assert_eq!(events(api)[1]["event_message"], "text");
    });
}
