//! Bodies: forms of other products, refusals, compression.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_fixtures::Call;
use sim_fixtures::analytics::{self};

use super::{LOGGED, PATH, SOURCE, events, messages, plain, send};
use crate::support::{on_every_backend, seconds};

#[test]
fn events_of_other_forms_become_events() {
    let rows: &[(&str, Value, Value)] = &[
        (
            "/json",
            json!({ "a": 1, "message": "m" }),
            json!({ "event_message": r#"{"a":1,"message":"m"}"#, "metadata": { "a": 1, "message": "m" } }),
        ),
        (
            "/pipeline",
            json!([{ "timestamp": 1_767_225_600, "message": "m", "level": "info", "project": "default" }]),
            json!({ "event_message": "m", "project": "default", "metadata": { "level": "info", "project": "default" } }),
        ),
        (
            "/pipeline",
            json!({ "timestamp": 1_767_225_600, "level": "info" }),
            json!({ "event_message": r#"{"level":"info"}"#, "metadata": { "level": "info" } }),
        ),
        (
            "/edge",
            json!({ "batch": [{ "EdgeStartTimestamp": 1_767_225_600, "status": 200 }] }),
            json!({ "event_message": null, "EdgeStartTimestamp": 1_767_225_600, "status": 200 }),
        ),
        (
            "/cloud-event",
            json!({ "time": "2026-01-01T00:00:00Z", "type": "made", "data": { "x": 1 } }),
            json!({ "event_message": null, "time": "2026-01-01T00:00:00Z", "type": "made", "data": { "x": 1 } }),
        ),
        (
            "/typecasts",
            json!({ "batch": [{ "body": { "message": "m", "m": { "n": "1.5", "s": "x" }, "l": [{ "n": "2" }] }, "typecasts": [
                { "path": ["m", "n"], "from": "string", "to": "float" },
                { "path": ["l", "n"], "from": "string", "to": "float" },
                { "path": ["m", "s"], "from": "string", "to": "float" },
                { "path": ["m", "none"], "from": "string", "to": "float" },
                { "path": ["message"], "from": "string", "to": "date" },
            ] }] }),
            json!({ "event_message": "m", "m": { "n": 1.5, "s": "x" }, "l": [{ "n": 2.0 }] }),
        ),
        (
            "/code-host",
            json!({ "action": "opened", "repository": { "full_name": "a/b", "html_url": "x" }, "sender": { "login": "ann" } }),
            json!({ "event_message": "a/b | ann | opened",
                    "metadata": { "action": "opened", "repository": { "full_name": "a/b" }, "sender": { "login": "ann" } } }),
        ),
        (
            "/site-host",
            json!([{ "log_type": "traffic", "method": "GET", "status_code": 200, "client_ip": "::1", "request_id": "r",
                     "url": "/", "user_agent": "ua" }]),
            json!({ "event_message": "traffic | GET | 200 | ::1 | r | / | ua",
                    "metadata": { "log_type": "traffic", "method": "GET", "status_code": 200, "client_ip": "::1",
                                  "request_id": "r", "url": "/", "user_agent": "ua" } }),
        ),
    ];
    on_every_backend(analytics::one_source, |api| {
        for (suffix, body, event) in rows {
            assert_eq!(send(api, suffix, body).to_string(), LOGGED, "{suffix} {body}");
            let stored = events(api).pop().expect("an event");
            assert_eq!(stored, plain(event), "{suffix} {body}");
        }
        let lines = "{\"EdgeStartTimestamp\":1767225600,\"a\":1}\nnot one\n";
        let call = Call::post(&PATH.replace('?', "/edge?")).bytes("text/plain; charset=utf-8", lines);
        assert_eq!(api.send(call).to_string(), LOGGED);
        let stored = events(api).pop().expect("an event");
        assert_eq!(stored["event_message"], r#"{"EdgeStartTimestamp":1767225600,"a":1}"#);
    });
}

#[test]
fn events_that_cannot_be_stored_are_406_and_the_others_are_stored() {
    on_every_backend(analytics::one_source, |api| {
        let batch =
            json!([{ "message": "good" }, { "a": [[1]] }, { "a": [1, "x"] }, 7, { "message": "also good" }]);
        let reply = api.post(PATH, batch);
        assert_snapshot!(reply, @r#"406 {"message":["Nested lists of lists are not allowed","Validation error: values with the same field path must have the same type.","Validation error: an event must be an object."]}"#);
        assert_eq!(reply.reason(), "events_rejected");
        assert_eq!(messages(api), ["good", "also good"]);
        let source = api.get(SOURCE).json();
        assert_eq!(
            (&source["has_rejected_events"], &source["metrics"]["rejected"]),
            (&json!(true), &json!(3))
        );
        assert_eq!(source["metrics"]["inserts"], 2);
        api.advance(seconds(3599));
        assert_eq!(api.get(SOURCE).json()["has_rejected_events"], true);
        api.advance(seconds(1));
        let source = api.get(SOURCE).json();
        assert_eq!(
            (&source["has_rejected_events"], &source["metrics"]["rejected"]),
            (&json!(false), &json!(0))
        );
    });
}

#[test]
fn bodies_that_cannot_be_read_are_refused_and_nothing_is_stored() {
    let deep = format!("{}1{}", "{\"a\":".repeat(200), "}".repeat(200));
    let rows: &[(&str, &str, &str, u16, &str)] = &[
        ("", "application/json", "{", 400, "invalid_json"),
        ("", "application/json", "7", 400, "invalid_body"),
        ("", "application/json", "\"text\"", 400, "invalid_body"),
        ("/erlang", "application/json", "{\"batch\":7}", 400, "invalid_body.batch"),
        ("", "application/json", &deep, 400, "invalid_json"),
        ("", "text/html", "<p>", 415, "unsupported_content_type"),
        ("/typecasts", "application/json", "{}", 400, "invalid_body.batch"),
        ("/nothing", "application/json", "{}", 404, "unknown_path"),
    ];
    on_every_backend(analytics::one_source, |api| {
        let before = events(api);
        for (suffix, content_type, body, status, reason) in rows {
            let call =
                Call::post(&PATH.replace('?', &format!("{suffix}?"))).bytes(content_type, (*body).to_owned());
            let reply = api.send(call.clone());
            assert_eq!((reply.status, reply.reason()), (*status, *reason), "{call}");
            assert!(reply.json()["error"].is_string(), "{call}");
        }
        assert_eq!(events(api), before);
    });
}

/// `text`, compressed as log shippers compress.
fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

#[test]
fn compressed_bodies_are_read() {
    on_every_backend(analytics::one_source, |api| {
        let mut call = Call::post(PATH).bytes("application/json", gzip(br#"{"message":"small"}"#));
        call = call.header("content-encoding", "gzip");
        assert_eq!(api.send(call).to_string(), LOGGED);
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::default());
        std::io::Write::write_all(&mut encoder, br#"{"message":"deflated"}"#).expect("memory takes it");
        let body = encoder.finish().expect("memory takes it");
        let call = Call::post(PATH).bytes("application/json", body).header("content-encoding", "deflate");
        assert_eq!(api.send(call).to_string(), LOGGED);
        assert_eq!(messages(api), ["small", "deflated"]);
    });
}

#[test]
fn bodies_that_hide_too_much_or_are_not_compressed_are_refused() {
    on_every_backend(analytics::one_source, |api| {
        let encoded = |body: Vec<u8>, encoding: &str| {
            Call::post(PATH).bytes("application/json", body).header("content-encoding", encoding)
        };
        let bomb = gzip(&vec![b' '; 12_000_001]);
        assert!(bomb.len() < 20_000);
        assert_snapshot!(api.send(encoded(bomb, "gzip")), @r#"413 {"error":"request entity too large, the limit is 12000000 bytes"}"#);
        assert_eq!(api.send(encoded(gzip(&vec![b' '; 12_000_000]), "gzip")).to_string(), LOGGED);
        assert_snapshot!(api.send(encoded(b"{}".to_vec(), "gzip")), @r#"400 {"error":"body: is not gzip, unexpected end of file"}"#);
        assert_snapshot!(api.send(encoded(gzip(b"{}")[..15].to_vec(), "gzip")), @r#"400 {"error":"body: is not gzip, unexpected end of file"}"#);
        assert_snapshot!(api.send(encoded(b"{}".to_vec(), "compress")), @r#"415 {"error":"content-encoding \"compress\" is not supported, send gzip, deflate, zstd or br"}"#);
    });
}

#[test]
fn a_second_message_of_an_event_is_named_unless_it_is_the_same() {
    on_every_backend(analytics::one_source, |api| {
        let one = json!({ "message": "kept", "event_message": "lost" });
        let reply = api.post(PATH, one.clone());
        assert_eq!((reply.status, reply.header("x-sim-ignored")), (200, "body.event_message"));
        let reply = api.post(PATH, json!([{ "message": "same", "event_message": "same" }, one]));
        assert_eq!(reply.header("x-sim-ignored"), "body.1.event_message");
        assert_eq!(messages(api), ["kept", "same", "kept"]);
    });
}

#[test]
fn a_body_in_other_characters_than_utf_8_is_refused_or_named() {
    on_every_backend(analytics::one_source, |api| {
        let latin = Call::post(PATH).bytes("application/json; charset=iso-8859-1", r#"{"message":"é"}"#);
        let reply = api.send(latin);
        assert_eq!((reply.status, reply.reason()), (415, "unsupported_charset"));
        let syslog = PATH.replace('?', "/syslog?");
        let lines =
            b"<34>1 2026-01-01T00:00:00Z h a - - - one\n\n<34>1 2026-01-01T00:00:00Z h a - - - caf\xe9\n";
        let reply = api.send(Call::post(&syslog).bytes("text/plain", lines.as_slice()));
        assert_eq!((reply.status, reply.header("x-sim-ignored")), (200, "body.1"));
        assert_eq!(messages(api), ["one", "caf\u{fffd}"]);
    });
}
