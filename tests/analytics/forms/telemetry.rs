//! Exports of spans, metrics and log records, as protocol buffers and as JSON.

use serde_json::{Value, json};
use sim_core::Policy;
use sim_core::engine::UnknownFields;
use sim_fixtures::Call;
use sim_fixtures::analytics::{self, GATEWAY};

use super::refusals::{json_metric, json_spans};
use super::{NANOS, attribute, events, export, fixed, json_log, long, part, send, varint};
use crate::support::on_every_backend;

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
