//! `/api/logs/{form}`, `/api/logs/{family}/{form}`: exports of telemetry, and the names that a profile gives
//! to their formats.

use serde_json::{Value, json};
use sim_core::engine::UnknownFields;
use sim_core::{Policy, Simulator};
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call, Reply};

use crate::support::on_every_backend;

const RECENT: &str = "/api/sources/11111111-1111-4111-8111-111111111111/recent";

/// The events of the source, oldest first, without ids.
fn events(api: &mut dyn Api) -> Vec<Value> {
    let mut events = api.get(RECENT).json();
    let list = events.as_array_mut().expect("a list");
    list.iter_mut().filter_map(Value::as_object_mut).for_each(|event| drop(event.shift_remove("id")));
    std::mem::take(list)
}

/// Fields of a message: text, bytes or another message.
fn part(number: u8, bytes: &[u8]) -> Vec<u8> {
    let length = u8::try_from(bytes.len()).expect("the parts are short");
    assert!(length < 128, "lengths of one byte");
    [&[number << 3 | 2, length], bytes].concat()
}

/// A message field of any length below 16384.
fn long(number: u8, bytes: &[u8]) -> Vec<u8> {
    let length = [0x80 | (bytes.len() & 0x7f) as u8, (bytes.len() >> 7) as u8];
    [&[number << 3 | 2], &length[..], bytes].concat()
}

fn fixed(number: u8, value: u64) -> Vec<u8> {
    [&[number << 3 | 1], &value.to_le_bytes()[..]].concat()
}

fn varint(number: u8, value: u8) -> Vec<u8> {
    vec![number << 3, value]
}

fn attribute(name: &str, value: &[u8]) -> Vec<u8> {
    [part(1, name.as_bytes()), part(2, value)].concat()
}

/// An export with one record, of a service `shop` and a scope `lib`.
fn export(record: &[u8]) -> Vec<u8> {
    let resource = part(1, &part(1, &attribute("service.name", &part(1, b"shop"))));
    let scope = part(1, &[part(1, b"lib"), part(2, b"1.0")].concat());
    let of_scope = long(2, &[scope, long(2, record)].concat());
    long(1, &[resource, of_scope].concat())
}

const NANOS: u64 = 1_767_225_600_000_000_000;

fn send(api: &mut dyn Api, signal: &str, body: Vec<u8>) -> Reply {
    let path = format!("/api/logs/v1/{signal}?source={GATEWAY}");
    api.send(Call::post(&path).bytes("application/x-protobuf", body))
}

#[test]
fn spans_become_events_and_so_do_their_own_events() {
    on_every_backend(analytics::one_source, |api| {
        let event = [fixed(1, NANOS + 1000), part(2, b"retry")].concat();
        let attributes = part(9, &attribute("http.status", &varint(3, 72)));
        let span = [
            part(1, &[0xab; 16]),
            part(2, &[0xcd; 8]),
            part(5, b"GET /"),
            varint(6, 2),
            fixed(7, NANOS),
            fixed(8, NANOS + 5000),
            attributes,
            long(11, &event),
            part(15, &varint(3, 1)),
        ];
        assert_eq!(send(api, "traces", export(&span.concat())).status, 200);
        let events = events(api);
        assert_eq!(
            events[0],
            json!({
                "timestamp": NANOS / 1000, "event_message": "GET /", "metadata": { "type": "span" }, "project": "shop",
                "resource": { "_service_name": "shop" }, "scope": { "name": "lib", "version": "1.0" },
                "trace_id": "ab".repeat(16), "span_id": "cd".repeat(8), "kind": "Server",
                "start_time": NANOS, "end_time": NANOS + 5000, "status": { "code": 1 },
                "attributes": { "_http_status": 72 },
            })
        );
        assert_eq!(
            (&events[1]["event_message"], &events[1]["metadata"]["type"]),
            (&json!("retry"), &json!("event"))
        );
        assert_eq!(events[1]["parent_span_id"], "cd".repeat(8));
    });
}

#[test]
fn points_of_metrics_and_log_records_become_events() {
    on_every_backend(analytics::one_source, |api| {
        let point = [fixed(3, NANOS), fixed(4, 1.5_f64.to_bits())].concat();
        let gauge = [part(1, b"load"), part(3, b"1"), long(5, &part(1, &point))].concat();
        assert_eq!(send(api, "metrics", export(&gauge)).status, 200);
        let buckets = [1_u64, 2].map(u64::to_le_bytes).concat();
        let point = [fixed(3, NANOS), fixed(4, 3), fixed(5, 4.5_f64.to_bits()), part(6, &buckets)].concat();
        let histogram = [part(1, b"latency"), long(9, &part(1, &point))].concat();
        assert_eq!(send(api, "metrics", export(&histogram)).status, 200);
        let list = part(5, &part(1, &part(1, b"x")));
        let pairs = part(6, &part(1, &attribute("k", &varint(2, 1))));
        let record = [
            fixed(1, NANOS),
            varint(2, 9),
            part(3, b"INFO"),
            part(5, &part(1, b"hello")),
            part(6, &attribute("list", &list)),
            part(6, &attribute("map", &pairs)),
        ];
        assert_eq!(send(api, "logs", export(&record.concat())).status, 200);
        let events = events(api);
        let of =
            |event: &Value, names: &[&str]| names.iter().map(|name| event[*name].clone()).collect::<Vec<_>>();
        let names = ["event_message", "metric_type", "value", "unit"];
        assert_eq!(of(&events[0], &names), [json!("load"), json!("gauge"), json!(1.5), json!("1")]);
        let names = ["event_message", "count", "sum", "bucket_counts"];
        assert_eq!(of(&events[1], &names), [json!("latency"), json!(3), json!(4.5), json!([1, 2])]);
        let names = ["event_message", "severity_text", "severity_number", "attributes"];
        assert_eq!(
            of(&events[2], &names),
            [json!("hello"), json!("INFO"), json!(9), json!({ "list": ["x"], "map": { "k": true } })]
        );
    });
}

#[test]
fn sums_and_histograms_say_how_they_are_to_be_read() {
    on_every_backend(analytics::one_source, |api| {
        let point = [fixed(3, NANOS), fixed(6, 7)].concat();
        let sum = [part(1, &point), varint(2, 2), varint(3, 1)].concat();
        assert_eq!(send(api, "metrics", export(&[part(1, b"calls"), long(7, &sum)].concat())).status, 200);
        let point =
            [fixed(3, NANOS), fixed(4, 3), fixed(11, 0.5_f64.to_bits()), fixed(12, 2.5_f64.to_bits())]
                .concat();
        let histogram = [part(1, &point), varint(2, 1)].concat();
        assert_eq!(
            send(api, "metrics", export(&[part(1, b"took"), long(9, &histogram)].concat())).status,
            200
        );
        let events = events(api);
        assert_eq!(
            (&events[0]["aggregation_temporality"], &events[0]["is_monotonic"], &events[0]["value"]),
            (&json!("cumulative"), &json!(true), &json!(7))
        );
        assert_eq!(
            (&events[1]["aggregation_temporality"], &events[1]["min"], &events[1]["max"]),
            (&json!("delta"), &json!(0.5), &json!(2.5))
        );
    });
}

/// A log record with that body in an export as JSON.
fn json_log(body: &Value) -> Value {
    json!({ "resourceLogs": [{
        "resource": { "attributes": [{ "key": "service.name", "value": { "stringValue": "shop" } }] },
        "scopeLogs": [{ "scope": { "name": "lib" }, "logRecords": [{
            "timeUnixNano": NANOS.to_string(), "severityNumber": 9, "severityText": "INFO", "traceId": "ab".repeat(16),
            "body": body,
            "attributes": [
                { "key": "n", "value": { "intValue": "7" } }, { "key": "d", "value": { "doubleValue": 1.5 } },
                { "key": "b", "value": { "boolValue": true } },
                { "key": "l", "value": { "arrayValue": { "values": [{ "stringValue": "x" }] } } },
                { "key": "m", "value": { "kvlistValue": { "values": [{ "key": "k", "value": { "intValue": 1 } }] } } },
            ],
        }] }],
    }] })
}

#[test]
fn exporters_that_know_only_the_address_are_answered_as_they_expect() {
    on_every_backend(analytics::one_source, |api| {
        let record = [fixed(1, NANOS), part(5, &part(1, b"hello"))].concat();
        let to = |signal: &str| Call::post(&format!("/v1/{signal}")).header("x-source", GATEWAY);
        let logged = api.send(to("logs").bytes("application/x-protobuf", export(&record)));
        assert_eq!((logged.status, &logged.body[..]), (200, &[0x0a, 0][..]), "nothing is refused");
        let logged = api.send(to("logs").json(json_log(&json!({ "stringValue": "hello" }))));
        assert_eq!(logged.to_string(), "200 {}");
        for signal in ["traces", "metrics"] {
            assert_eq!(api.send(to(signal).json(json!({}))).to_string(), "200 {}");
        }
        let events = events(api);
        assert_eq!(events[0]["event_message"], "hello");
        assert_eq!(
            events[1],
            json!({
                "timestamp": NANOS / 1000, "event_message": "hello", "metadata": { "type": "otel_log" },
                "project": "shop", "resource": { "_service_name": "shop" }, "scope": { "name": "lib" },
                "severity_number": 9, "severity_text": "INFO", "body": "hello", "trace_id": "ab".repeat(16),
                "attributes": { "n": 7, "d": 1.5, "b": true, "l": ["x"], "m": { "k": 1 } },
            })
        );
        assert_eq!(api.send(Call::post("/v1/logs").json(json!({}))).reason(), "source_missing");
    });
}

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

#[test]
fn bodies_come_in_zstd_and_brotli_too() {
    let text = br#"{"message":"m"}"#;
    let length = u8::try_from(text.len()).expect("it is short");
    // A frame of one raw block, and a stream of one uncompressed block and an empty last one.
    let zstd = [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, length, length << 3 | 1, 0, 0], &text[..]].concat();
    let brotli = [&[(length - 1) << 4, 0, 0x10], &text[..], &[3]].concat();
    on_every_backend(analytics::one_source, |api| {
        for (encoding, body) in [("zstd", &zstd), ("br", &brotli)] {
            let call = Call::post(&format!("/api/logs?source={GATEWAY}"));
            let call = call.header("content-encoding", encoding);
            let reply = api.send(call.clone().bytes("application/json", body.clone()));
            assert_eq!(reply.to_string(), r#"200 {"message":"Logged!"}"#, "{encoding}");
            let reply = api.send(call.bytes("application/json", body[..6].to_vec()));
            assert_eq!(reply.reason(), "invalid_encoding", "{encoding}: {reply}");
        }
        // A frame to skip, and two frames that together are one event.
        let frame = |text: &[u8]| {
            let length = u8::try_from(text.len()).expect("it is short");
            [&[0x28, 0xb5, 0x2f, 0xfd, 0x20, length, length << 3 | 1, 0, 0], text].concat()
        };
        let (first, second) = text.split_at(7);
        let several = [b"\x50\x2a\x4d\x18\x02\0\0\0ab".to_vec(), frame(first), frame(second)].concat();
        let call = Call::post(&format!("/api/logs?source={GATEWAY}")).header("content-encoding", "zstd");
        assert_eq!(api.send(call.bytes("application/json", several)).status, 200);
        assert_eq!(events(api).len(), 3);
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

#[test]
fn what_an_export_says_twice_is_named() {
    on_every_backend(analytics::one_source, |api| {
        let to = |signal: &str| Call::post(&format!("/v1/{signal}")).header("x-source", GATEWAY);
        let of = "body.resourceLogs.scopeLogs.logRecords";
        let body = json!({ "stringValue": "text", "intValue": 5, "kvlistValue": null });
        let reply = api.send(to("logs").json(json_log(&body)));
        assert_eq!((reply.status, reply.header("x-sim-ignored")), (200, &*format!("{of}.body.intValue")));
        assert_eq!(events(api)[0]["event_message"], "text");
        let pair = |key: &str, value: i64| json!({ "key": key, "value": { "intValue": value } });
        let list = json!({ "values": [pair("a", 1), pair("b", 2), pair("a", 3)] });
        let reply = api.send(to("logs").json(json_log(&json!({ "kvlistValue": list }))));
        let named = format!("{of}.body.kvlistValue.values.a");
        assert_eq!((reply.status, reply.header("x-sim-ignored")), (200, &*named));
        let point = json!({ "asInt": 1, "asDouble": 2.5, "attributes": [pair("k", 1), pair("k", 1)] });
        let points = json!({ "dataPoints": [point] });
        let metric = json!({ "name": "m", "sum": points, "gauge": points });
        let reply = api.send(to("metrics").json(json_metric(&metric)));
        let of = "body.resourceMetrics.scopeMetrics.metrics";
        let named = format!("{of}.sum,{of}.gauge.dataPoints.asInt,{of}.gauge.dataPoints.attributes.k");
        assert_eq!((reply.status, reply.header("x-sim-ignored")), (200, &*named));
        // In protobuf the last one counts.
        let both = [part(1, b"text"), varint(3, 5)].concat();
        let again = attribute("a", &varint(3, 1));
        let log = [part(5, &both), part(6, &again), part(6, &again)].concat();
        let reply = send(api, "logs", export(&log));
        let of = "body.resourceLogs.scopeLogs.logRecords";
        let named = format!("{of}.body.stringValue,{of}.attributes.a");
        assert_eq!((reply.status, reply.header("x-sim-ignored")), (200, &*named));
    });
}

#[test]
fn fields_of_the_protocol_are_taken_where_unknown_ones_are_refused() {
    let strict =
        || analytics::one_source_under(Policy { unknown_fields: UnknownFields::Refuse, ..Policy::default() });
    on_every_backend(strict, |api| {
        let to = Call::post("/v1/traces").header("x-source", GATEWAY);
        let span = json!({ "name": "s", "flags": 257, "links": [{ "traceId": "ab" }] });
        let reply = api.send(to.clone().json(json_spans(&json!([span]))));
        let of = "body.resourceSpans.scopeSpans.spans";
        let named = format!("{of}.flags,{of}.links");
        assert_eq!((reply.status, reply.header("x-sim-ignored")), (200, &*named));
        let rows = [
            (json!({ "name": "s", "flagz": 257 }), "spans.flagz: Has no effect here"),
            (
                json!({ "attributes": [{ "key": "a" }, { "key": "a" }] }),
                "spans.attributes.a: Has no effect here",
            ),
        ];
        for (span, text) in rows {
            let reply = api.send(to.clone().json(json_spans(&json!([span]))));
            assert_eq!(reply.status, 400, "{reply}");
            assert!(reply.to_string().contains(text), "{reply}");
        }
    });
}

/// Spans in an export as JSON.
fn json_spans(spans: &Value) -> Value {
    json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": spans }] }] })
}

/// A metric in an export as JSON.
fn json_metric(metric: &Value) -> Value {
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
fn points_keep_their_buckets_and_quantiles() {
    on_every_backend(analytics::one_source, |api| {
        let to = Call::post("/v1/metrics").header("x-source", GATEWAY);
        let at = NANOS.to_string();
        let point = json!({
            "timeUnixNano": at, "count": "4", "sum": 3.5, "scale": -1, "zeroCount": "1", "zeroThreshold": 0.25,
            "positive": { "offset": 2, "bucketCounts": ["1", 2] }, "negative": { "offset": 0, "bucketCounts": [] },
        });
        let metric = json!({ "name": "m", "exponentialHistogram": { "dataPoints": [point] } });
        let reply = api.send(to.clone().json(json_metric(&metric)));
        assert_eq!((reply.to_string(), reply.header("x-sim-ignored")), ("200 {}".to_owned(), ""));
        let quantiles = json!([{ "quantile": 0.5, "value": 1 }, { "quantile": 1, "value": 2.5 }]);
        let point = json!({ "timeUnixNano": at, "count": 2, "sum": 3, "quantileValues": quantiles });
        let reply =
            api.send(to.json(json_metric(&json!({ "name": "m", "summary": { "dataPoints": [point] } }))));
        assert_eq!((reply.to_string(), reply.header("x-sim-ignored")), ("200 {}".to_owned(), ""));
        // Scale 1, zero count 3, buckets from 1 with 2: the numbers are in zigzag.
        let buckets = [varint(1, 2), part(2, &[2])].concat();
        let point = [fixed(3, NANOS), varint(6, 2), fixed(7, 3), part(8, &buckets)].concat();
        let histogram = [part(1, b"m"), long(10, &part(1, &point))].concat();
        assert_eq!(send(api, "metrics", export(&histogram)).header("x-sim-ignored"), "");
        let events = events(api);
        let of =
            |event: &Value, names: &[&str]| Value::from_iter(names.iter().map(|name| event[*name].clone()));
        let names = ["scale", "zero_count", "zero_threshold", "positive", "negative"];
        assert_eq!(
            of(&events[0], &names),
            json!([-1, 1, 0.25, { "offset": 2, "bucket_counts": [1, 2] }, { "offset": 0 }])
        );
        assert_eq!(
            of(&events[1], &["count", "sum", "quantile_values"]),
            json!([2, 3.0, [{ "quantile": 0.5, "value": 1.0 }, { "quantile": 1.0, "value": 2.5 }]])
        );
        assert_eq!(
            of(&events[2], &["scale", "zero_count", "positive"]),
            json!([1, 3, { "offset": 1, "bucket_counts": [2] }])
        );
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

#[test]
fn batches_reports_and_deployments_become_events() {
    let rows: &[(&str, Value, Value)] = &[
        (
            "elixir/logger",
            json!({ "batch": [{ "message": "m", "metadata": { "pid": 1 } }] }),
            json!({ "pid": 1 }),
        ),
        ("erlang", json!({ "batch": [{ "message": "m", "metadata": { "a": 1 } }] }), json!({ "a": 1 })),
        ("browser/reports", json!([{ "type": "csp" }]), json!({ "type": "csp" })),
        (
            "deployments",
            json!([{ "id": "d", "message": "m", "timestamp": 1_767_225_600_000_i64, "host": "h" }]),
            json!({ "id": "d", "message": "m", "timestamp": 1_767_225_600_000_i64, "host": "h" }),
        ),
    ];
    on_every_backend(analytics::one_source, |api| {
        for (form, body, metadata) in rows {
            let path = format!("/logs/{form}?source={GATEWAY}");
            assert_eq!(api.post(&path, body.clone()).status, 200, "{form}");
            let stored = events(api).pop().expect("an event");
            assert_eq!(
                (&stored["metadata"], &stored["timestamp"]),
                (metadata, &json!(NANOS / 1000)),
                "{form}"
            );
        }
        let path = format!("/logs/erlang/lager?source={GATEWAY}");
        assert_eq!(api.post(&path, json!({ "message": "m" })).reason(), "invalid_body.batch");
    });
}

#[test]
fn attributes_of_a_cloud_event_may_come_as_headers() {
    on_every_backend(analytics::one_source, |api| {
        let call = Call::post(&format!("/api/logs/cloud-event?source={GATEWAY}")).json(json!({ "x": 1 }));
        let call =
            call.header("ce-id", "7").header("ce-type", "made").header("ce-time", "2025-12-31T00:00:00Z");
        assert_eq!(api.send(call).status, 200);
        let stored = events(api).pop().expect("an event");
        let attributes = json!({ "id": "7", "type": "made", "time": "2025-12-31T00:00:00Z" });
        assert_eq!(
            (&stored["cloud_event"], &stored["timestamp"]),
            (&attributes, &json!(1_767_139_200_000_000_i64))
        );
    });
}

#[test]
fn a_profile_gives_forms_other_names() {
    let scene = || {
        let mut profile = sim_core::Profile::default();
        profile.ingest_forms.insert("vendor_a".to_owned(), "json".to_owned());
        Simulator::analytics().profile(profile).build()
    };
    on_every_backend(scene, |api| {
        api.post("/api/sources", json!({ "name": "s", "token": GATEWAY }));
        let call =
            |form: &str| Call::post(&format!("/api/logs/{form}?source={GATEWAY}")).json(json!({ "a": 1 }));
        assert_eq!(api.send(call("vendor_a")).status, 200);
        assert_eq!(events(api)[0]["metadata"], json!({ "a": 1 }));
        assert_eq!(api.send(call("vendor_b")).reason(), "unknown_path");
    });
}

#[test]
fn extensions_of_cloud_events_are_fields_too() {
    on_every_backend(analytics::one_source, |api| {
        let call = Call::post(&format!("/api/logs/cloud-event?source={GATEWAY}")).json(json!({ "x": 1 }));
        let call = call.header("ce-id", "7").header("ce-foo-foo", "bar").header("Ce-TraceParent", "00-1");
        assert_eq!(api.send(call.header("x-other", "no")).status, 200);
        let expected = json!({ "id": "7", "foo_foo": "bar", "traceparent": "00-1" });
        assert_eq!(events(api)[0]["cloud_event"], expected);
    });
}

#[test]
fn attributes_of_a_cloud_event_are_found_alike_in_every_form_of_it() {
    on_every_backend(analytics::one_source, |api| {
        let call = || Call::post(&format!("/api/logs/cloud-event?source={GATEWAY}"));
        let attributes = json!({ "specversion": "1.0", "id": "7", "source": "/shop", "type": "made", "ext": "e",
                                 "time": "2025-12-31T00:00:00Z" });
        let mut structured = attributes.clone();
        structured["data"] = json!({ "x": 1 });
        let one = serde_json::to_vec(&structured).expect("plain data");
        structured["id"] = json!("8");
        let batch = serde_json::to_vec(&json!([structured])).expect("plain data");
        let headers = attributes.as_object().expect("an object").iter();
        let binary = headers.fold(call().json(json!({ "x": 1 })), |call, (name, value)| {
            call.header(&format!("ce-{name}"), value.as_str().expect("a text"))
        });
        assert_eq!(api.send(binary).status, 200);
        assert_eq!(api.send(call().bytes("application/cloudevents+json", one)).status, 200);
        let sent = api.send(call().bytes("application/cloudevents-batch+json; charset=utf-8", batch));
        assert_eq!(sent.status, 200, "{sent}");
        let all = events(api);
        assert_eq!(all.len(), 3);
        for (event, id) in all.into_iter().zip(["7", "7", "8"]) {
            let mut attributes = attributes.clone();
            attributes["id"] = json!(id);
            assert_eq!(event["cloud_event"], attributes);
            assert_eq!(event["timestamp"], 1_767_139_200_000_000_i64);
        }
    });
}

#[test]
fn messages_of_syslog_become_events() {
    on_every_backend(analytics::one_source, |api| {
        let line = "<40>1 2026-01-01T00:00:00.5Z host app web.1 - State changed";
        let frames = format!("{} {line}", line.len()).repeat(2);
        let logplex = Call::post(&format!("/logs/logplex?source={GATEWAY}"));
        let sent = api.send(logplex.bytes("application/logplex-1", frames.into_bytes()));
        assert_eq!(sent.status, 200, "{sent}");
        let lines = format!("{line}\n<34>Dec 31 23:59:59 db su[7]: failed\nno syslog");
        let syslog = Call::post(&format!("/api/logs/syslog?source={GATEWAY}"));
        assert_eq!(api.send(syslog.bytes("text/plain", lines.into_bytes())).status, 200);
        let all = events(api);
        let messages: Vec<_> = all.iter().filter_map(|event| event["event_message"].as_str()).collect();
        assert_eq!(all.len(), 5, "{messages:?}");
        let state = all.iter().find(|event| event["event_message"] == "State changed").expect("it is there");
        assert_eq!(state["timestamp"], 1_767_225_600_500_000_i64);
        assert_eq!(
            state["metadata"],
            json!({ "priority": 40, "facility": "syslog", "level": "emergency", "hostname": "host",
                "appname": "app", "process_id": "web.1" })
        );
        assert!(messages.contains(&"failed") && messages.contains(&"no syslog"), "{messages:?}");
        let json = Call::post(&format!("/api/logs/syslog?source={GATEWAY}")).json(json!({}));
        assert_eq!(api.send(json).status, 415);
    });
}
