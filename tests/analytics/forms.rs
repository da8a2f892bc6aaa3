//! `/api/logs/{form}`, `/api/logs/{family}/{form}`: exports of telemetry, and the names that a profile gives
//! to their formats.

mod refusals;
mod telemetry;

use serde_json::{Value, json};
use sim_core::Simulator;
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
