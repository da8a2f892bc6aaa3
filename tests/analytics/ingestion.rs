//! `/api/logs`, `/api/events`, `/logs`: ingests events in all formats.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::Policy;
use sim_core::engine::UnknownFields;
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call, InProcess, Reply};

use super::access::token;
use crate::support::{on_every_backend, seconds};

const PATH: &str = "/api/logs?source=11111111-1111-4111-8111-111111111111";
const RECENT: &str = "/api/sources/11111111-1111-4111-8111-111111111111/recent";
const SOURCE: &str = "/api/sources/11111111-1111-4111-8111-111111111111";
const LOGGED: &str = r#"200 {"message":"Logged!"}"#;
/// The start of the world, in microseconds.
const NOW: i64 = 1_767_225_600_000_000;

/// The events of the source, oldest first, without the generated ids.
fn events(api: &mut dyn Api) -> Vec<Value> {
    let mut events = api.get(RECENT).json();
    let events = events.as_array_mut().expect("a list");
    for event in events.iter_mut().filter_map(Value::as_object_mut) {
        let id = event.shift_remove("id").expect("every event has an id");
        assert!(!id.as_str().expect("an id is a text").is_empty());
    }
    std::mem::take(events)
}

/// Events without time and message, with the fields of `rest`.
fn plain(rest: &Value) -> Value {
    let mut event = json!({ "timestamp": NOW, "event_message": null });
    event.as_object_mut().expect("an object").extend(rest.as_object().expect("an object").clone());
    event
}

fn messages(api: &mut dyn Api) -> Vec<String> {
    let text = |event: &Value| event["event_message"].as_str().unwrap_or_default().to_owned();
    events(api).iter().map(text).collect()
}

fn send(api: &mut dyn Api, suffix: &str, body: &Value) -> Reply {
    api.post(&PATH.replace('?', &format!("{suffix}?")), body.clone())
}

#[test]
fn an_event_is_there_for_the_very_next_call() {
    on_every_backend(analytics::one_source, |api| {
        let event = json!({ "message": "hello", "metadata": { "level": "info" }, "x": 1 });
        assert_eq!(api.post(PATH, event).to_string(), LOGGED);
        assert_eq!(
            events(api),
            [json!({ "timestamp": NOW, "event_message": "hello", "metadata": { "level": "info" }, "x": 1 })]
        );
    });
}

#[test]
fn events_come_by_themselves_in_lists_in_batches_and_in_lines() {
    on_every_backend(analytics::one_source, |api| {
        api.post(PATH, json!({ "message": "one" }));
        api.post(PATH, json!([{ "message": "two" }, { "event_message": "three" }]));
        api.post(PATH, json!({ "batch": [{ "message": "four" }] }));
        for content_type in ["application/x-ndjson", "application/ndjson; charset=utf-8", "application/jsonl"]
        {
            assert_eq!(api.send(Call::post(PATH).bytes(content_type, "{\"a\":1}\n")).to_string(), LOGGED);
        }
        api.post(PATH, json!([]));
        assert_eq!(messages(api), ["one", "two", "three", "four", "{\"a\":1}", "{\"a\":1}", "{\"a\":1}"]);
    });
}

#[test]
fn a_batch_is_a_list_of_events_only_where_the_form_has_one() {
    on_every_backend(analytics::one_source, |api| {
        let sizes = json!({ "message": "one", "batch": { "size": 7 } });
        assert_eq!(api.post(PATH, sizes).to_string(), LOGGED);
        assert_eq!(events(api)[0]["batch"], json!({ "size": 7 }), "it is a field of the event");
        assert_eq!(api.post(PATH, json!({ "batch": {} })).to_string(), LOGGED);
        assert_eq!(messages(api), ["one", ""]);
        let object = json!({ "batch": [{ "a": 1 }] });
        assert_eq!(send(api, "/json", &object).to_string(), LOGGED);
        assert_eq!(events(api)[2]["metadata"], object);
        for form in ["/elixir/logger", "/typecasts"] {
            let reply = send(api, form, &json!({ "batch": { "a": 1 } }));
            assert_eq!((reply.status, reply.reason()), (400, "invalid_body.batch"), "{form}: {reply}");
        }
    });
}

#[test]
fn a_line_is_the_message_of_an_event_and_its_object_the_metadata() {
    on_every_backend(analytics::one_source, |api| {
        let lines = "{\"message\":\"m\",\"project\":\"p\",\"timestamp\":1}\n\nno object\n7\n {\"b\":2} \n";
        assert_eq!(api.send(Call::post(PATH).bytes("application/x-ndjson", lines)).to_string(), LOGGED);
        let first = json!({ "event_message": r#"{"message":"m","project":"p","timestamp":1}"#,
                            "metadata": { "message": "m", "project": "p", "timestamp": 1 } });
        let second = json!({ "event_message": r#"{"b":2}"#, "metadata": { "b": 2 } });
        assert_eq!(events(api), [plain(&first), plain(&second)]);
    });
}

#[test]
fn an_event_that_nests_too_deep_is_refused_and_the_deepest_can_be_queried() {
    let nested = |levels: usize| (1..levels).fold(json!({ "a": 1 }), |inner, _| json!({ "a": inner }));
    on_every_backend(analytics::one_source, |api| {
        let reply = api.post(PATH, json!([{ "message": "plain" }, nested(51), nested(50)]));
        assert_snapshot!(reply, @r#"406 {"message":["Validation error: an event must not nest more than 50 levels deep."]}"#);
        let rows = api.get("/api/query?sql=select+t.event_message,+t.a+from+gateway+t").json();
        assert_eq!(rows["result"].as_array().map(Vec::len), Some(2), "{rows}");
        assert_eq!(events(api).len(), 2);
    });
}

#[test]
fn a_list_may_mix_integers_and_floats() {
    on_every_backend(analytics::one_source, |api| {
        assert_eq!(api.post(PATH, json!({ "l": [0.5, 1] })).to_string(), LOGGED);
        assert_eq!(events(api), [plain(&json!({ "l": [0.5, 1] }))]);
        assert_eq!(api.get(&format!("{SOURCE}/schema?variant=dot")).json()["l"], "array<float>");
    });
}

#[test]
fn an_empty_body_is_one_empty_event() {
    on_every_backend(analytics::one_source, |api| {
        assert_eq!(api.act(PATH).to_string(), LOGGED);
        assert_eq!(events(api), [plain(&json!({}))]);
    });
}

#[test]
fn an_event_by_itself_loses_its_time_and_id_and_others_keep_them() {
    on_every_backend(analytics::one_source, |api| {
        let event = json!({ "id": "mine", "timestamp": "2025-12-31T00:00:00Z", "message": "m" });
        let reply = api.post(PATH, event.clone());
        assert_eq!(reply.header("x-sim-ignored"), "body.timestamp,body.id");
        assert_eq!(api.post(PATH, json!([event])).header("x-sim-ignored"), "");
        let stored = api.get(RECENT).json();
        assert_eq!(
            (&stored[0]["id"], &stored[0]["timestamp"]),
            (&json!("mine"), &json!(NOW - 86_400_000_000))
        );
        assert_ne!(stored[1]["id"], "mine");
        assert_eq!(stored[1]["timestamp"], NOW);
    });
}

#[test]
fn an_event_sent_twice_is_stored_once() {
    on_every_backend(analytics::one_source, |api| {
        for message in ["first", "second"] {
            assert_eq!(api.post(PATH, json!([{ "id": "same", "message": message }])).to_string(), LOGGED);
        }
        assert_eq!(messages(api), ["first"]);
        assert_eq!(api.get(SOURCE).json()["metrics"]["inserts"], 1);
    });
}

#[test]
fn all_prefixes_are_alike() {
    on_every_backend(analytics::one_source, |api| {
        for prefix in
            ["/logs", "/api/logs", "/api/events", "/logs/json", "/api/logs/json", "/api/events/json"]
        {
            let path = format!("{prefix}?source={GATEWAY}");
            assert_eq!(api.post(&path, json!({ "message": prefix })).to_string(), LOGGED, "{prefix}");
        }
        assert_eq!(messages(api).len(), 6);
    });
}

#[test]
fn a_source_is_named_in_the_query_in_headers_or_in_the_body() {
    on_every_backend(analytics::one_source, |api| {
        let name = "/api/logs?source_name=gateway";
        let rows = [
            Call::post(name),
            Call::post("/api/logs?collection_name=gateway"),
            Call::post(&format!("/api/logs?collection={}", GATEWAY.to_ascii_uppercase())),
            Call::post("/api/logs").header("x-source", GATEWAY),
            Call::post("/api/logs").header("x-collection", GATEWAY),
            Call::post("/api/logs").json(json!({ "source": GATEWAY })),
            Call::post("/api/logs").json(json!({ "collection": GATEWAY, "batch": [{}] })),
            Call::post("/api/logs").json(json!({ "source_name": "gateway" })),
            Call::post("/api/logs").json(json!({ "collection_name": "gateway" })),
            Call::post(&format!("{name}&source=99999999-9999-4999-8999-999999999999")),
        ];
        for call in rows {
            assert_eq!(api.send(call.clone()).to_string(), LOGGED, "{call}");
        }
        assert_eq!(events(api), vec![plain(&json!({})); 10], "the source's name is not part of the event");
    });
}

#[test]
fn every_unknown_source_is_the_same_401() {
    on_every_backend(analytics::one_source, |api| {
        let rows = [
            (Call::post("/api/logs"), "source_missing"),
            (Call::post("/api/logs?source=99999999-9999-4999-8999-999999999999"), "source_unknown"),
            (Call::post("/api/logs?source=gateway"), "source_unknown"),
            (Call::post("/api/logs?source_name=other"), "source_unknown"),
            (Call::post(PATH).token("token-of-outsider"), "source_unknown"),
            (Call::post("/api/logs?source_name=gateway").token("token-of-outsider"), "source_unknown"),
            (Call::post(PATH).nobody(), "token_missing"),
            (Call::post(PATH).token("none"), "token_unknown"),
        ];
        for (call, reason) in rows {
            let reply = api.send(call.clone().json(json!({})));
            assert_eq!(reply.to_string(), r#"401 {"error":"Unauthorized"}"#, "{call}");
            assert_eq!(reply.reason(), reason, "{call}");
        }
        assert!(events(api).is_empty());
    });
}

#[test]
fn a_name_that_two_sources_have_is_refused() {
    on_every_backend(analytics::one_source, |api| {
        api.post("/api/sources", json!({ "name": "gateway" }));
        assert_snapshot!(api.post("/api/logs?source_name=gateway", json!({})), @r#"400 {"error":"source_name: 2 sources have the name \"gateway\", use source"}"#);
    });
}

#[test]
fn tokens_reach_as_far_as_their_scopes() {
    on_every_backend(analytics::one_source, |api| {
        api.post("/api/sources", json!({ "name": "second" }));
        let rows = [
            ("private", true, true),
            ("public", true, true),
            ("ingest", true, true),
            ("ingest:source:1", true, false),
            ("ingest:collection:1", true, false),
            ("ingest:source:2", false, true),
            ("ingest:source:1 ingest:source:2", true, true),
            ("query ingest:source:1", true, false),
            ("query", false, false),
            ("query:endpoint:1", false, false),
        ];
        for (scopes, first, second) in rows {
            let token = token(api, scopes);
            for (name, may) in [("gateway", first), ("second", second)] {
                let call = Call::post(&format!("/api/logs?source_name={name}")).token(&token).json(json!({}));
                let reply = api.send(call);
                let reason = if may { "" } else { "scope_missing" };
                assert_eq!((reply.status == 200, reply.reason()), (may, reason), "{scopes} to {name}");
            }
        }
        let key = api.get("/api/account").json()["api_key"].as_str().expect("a key").to_owned();
        assert_eq!(api.send(Call::post(&format!("{PATH}&api_key={key}")).nobody()).to_string(), LOGGED);
    });
}

#[test]
fn events_are_made_fit_for_columns() {
    on_every_backend(analytics::one_source, |api| {
        let event = json!({
            "message": "m", "event_message": "hidden", "null": null, "empty": { "x": [{}] },
            "status-code": 1, "1st": { "a b!": true },
        });
        api.post(PATH, event);
        api.post(PATH, json!({ "message": { "a": 1 } }));
        let events = events(api);
        assert_eq!(
            events[0],
            json!({ "timestamp": NOW, "event_message": "m", "_status_code": 1, "_1st": { "_a_b_": true } })
        );
        assert_eq!(events[1]["event_message"], r#"{"a":1}"#);
    });
}

#[test]
fn timestamps_of_any_unit_are_stored_in_microseconds() {
    on_every_backend(analytics::one_source, |api| {
        let given = [
            json!("2026-01-01T01:00:00+01:00"),
            json!(1_767_225_600),
            json!(1_767_225_600_000_i64),
            json!(1_767_225_600_000_000_i64),
            json!(1_767_225_600_000_000_000_i64),
            json!("no time"),
            json!(null),
            json!({}),
        ];
        let batch: Vec<_> = given.iter().map(|timestamp| json!({ "timestamp": timestamp })).collect();
        assert_eq!(api.post(PATH, json!(batch)).to_string(), LOGGED);
        assert_eq!(events(api), vec![plain(&json!({})); given.len()]);
    });
}

#[test]
fn a_timestamp_that_is_no_instant_is_named_and_the_event_has_that_of_its_arrival() {
    on_every_backend(analytics::one_source, |api| {
        let no_instants = [
            json!("2025-12-31 00:00:00"),
            json!("2025-12-31T10:00:00"),
            json!("1767139200"),
            json!("Wed, 31 Dec 2025 00:00:00 GMT"),
            json!("2025-12-31T25:00:00Z"),
            json!(1e300),
            json!(true),
            json!([1]),
        ];
        let named = |api: &mut dyn Api, path: &str, body: &Value| {
            let reply = send(api, path, body);
            assert_eq!(reply.status, 200, "{body}: {reply}");
            reply.header("x-sim-ignored").to_owned()
        };
        for given in &no_instants {
            let event = json!({ "message": "m", "timestamp": given });
            let list = json!([{ "timestamp": null }, event, { "timestamp": 1_767_139_200 }]);
            assert_eq!(named(api, "", &list), "body.1.timestamp", "{given}");
            assert_eq!(named(api, "", &json!({ "batch": [event] })), "body.batch.0.timestamp", "{given}");
            assert_eq!(named(api, "/pipeline", &json!({ "timestamp": given })), "body.timestamp", "{given}");
            assert_eq!(named(api, "/json", &event), "", "it is no timestamp: {given}");
            let cast = json!({ "batch": [{ "body": event, "typecasts": [] }] });
            assert_eq!(named(api, "/typecasts", &cast), "body.batch.0.body.timestamp", "{given}");
            assert_eq!(named(api, "/cloud-event", &json!([{ "time": given }])), "body.0.time", "{given}");
        }
        let arrived = events(api).iter().filter(|event| event["timestamp"] == NOW).count();
        assert_eq!(arrived, no_instants.len() * 7);
        let cloud = Call::post(&PATH.replace('?', "/cloud-event?")).header("ce-time", "now").json(json!({}));
        assert_eq!(api.send(cloud).header("x-sim-ignored"), "ce-time");
        let edge = Call::post(&PATH.replace('?', "/edge?"));
        let edge = edge.bytes("text/plain", "{\"EdgeStartTimestamp\":\"now\"}\n{\"EdgeStartTimestamp\":1}");
        assert_eq!(api.send(edge).header("x-sim-ignored"), "body.0.EdgeStartTimestamp");
        let many = json!(vec![json!({ "timestamp": "now" }); 1000]);
        assert!(named(api, "", &many).len() < 2000, "a few are named");
    });
}

#[test]
fn fields_named_like_the_source_are_data_where_the_request_names_the_source() {
    on_every_backend(analytics::one_source, |api| {
        let fields =
            json!({ "source": "nginx", "source_name": "n", "collection": "c", "collection_name": 1 });
        assert_eq!(api.post(PATH, fields.clone()).to_string(), LOGGED);
        let by_header = Call::post("/api/logs").header("x-source", GATEWAY).json(fields.clone());
        assert_eq!(api.send(by_header).to_string(), LOGGED);
        assert_eq!(api.post("/api/logs?source_name=gateway", json!([fields])).to_string(), LOGGED);
        assert_eq!(events(api), vec![plain(&fields); 3]);
        assert_eq!(send(api, "/json", &fields).to_string(), LOGGED);
        assert_eq!(send(api, "/pipeline", &fields).to_string(), LOGGED);
        assert_eq!((&events(api)[3]["metadata"], &events(api)[4]["metadata"]), (&fields, &fields));
        // Only the field that names the source is taken out.
        let named = json!({ "source": GATEWAY, "collection": "c", "source_name": { "a": 1 } });
        assert_eq!(api.post("/api/logs", named).to_string(), LOGGED);
        assert_eq!(events(api)[5], plain(&json!({ "collection": "c", "source_name": { "a": 1 } })));
        let batch = json!({ "batch": [{ "source": "nginx" }], "source": "lost", "x": 1 });
        let reply = api.post(PATH, batch);
        assert_eq!(reply.header("x-sim-ignored"), "body.source,body.x");
        assert_eq!(events(api)[6], plain(&json!({ "source": "nginx" })));
    });
}

#[test]
fn events_far_ahead_are_refused_and_counted() {
    on_every_backend(analytics::one_source, |api| {
        let batch = json!([
            { "timestamp": "2026-01-01T01:00:00Z", "message": "in an hour" },
            { "timestamp": "2026-01-01T01:00:00.000001Z", "message": "later" },
            { "timestamp": i64::MAX - 1, "message": "never" },
            { "timestamp": "9999-12-31T23:00:00Z", "message": "never" },
        ]);
        let reply = api.post(PATH, batch);
        assert_snapshot!(reply, @r#"406 {"message":["Validation error: timestamp 2026-01-01T01:00:00.000001Z is too far ahead of the server's clock, 2026-01-01T00:00:00Z.","Validation error: timestamp 2262-04-11T23:47:16.854775Z is too far ahead of the server's clock, 2026-01-01T00:00:00Z.","Validation error: timestamp 253402297200000000 is too far ahead of the server's clock, 2026-01-01T00:00:00Z."]}"#);
        assert_eq!(reply.reason(), "events_ahead");
        assert_eq!(messages(api), ["in an hour"]);
        assert_eq!(api.get(SOURCE).json()["metrics"]["rejected"], 3);
    });
}

#[test]
fn a_source_copies_fields_and_makes_up_messages() {
    on_every_backend(analytics::one_source, |api| {
        let keys = "id, m.level, message, a.b, none, m.text, project, event_message";
        api.patch(
            SOURCE,
            json!({ "custom_event_message_keys": keys, "transform_copy_fields": "m.level:a.b" }),
        );
        api.post(PATH, json!([{ "id": "i", "message": "text", "project": "p\"q", "metadata": { "level": 7, "text": "x" } }]));
        let event = json!({
            "timestamp": NOW, "event_message": r#"i | 7 | text | 7 | null | "x" | "p\"q" | text"#, "project": "p\"q",
            "metadata": { "level": 7, "text": "x" }, "a": { "b": 7 },
        });
        assert_eq!(events(api), [event]);
    });
}

#[test]
fn a_directive_makes_whole_numbers_under_metadata_floats() {
    on_every_backend(analytics::one_source, |api| {
        let directives = json!({ "numbersToFloats": true });
        let event = json!({ "@analyticsTransformDirectives": directives, "n": 1, "metadata": { "n": 1, "l": [{ "n": 2 }] } });
        assert_eq!(api.post(PATH, event).to_string(), LOGGED);
        let columns = api.get(&format!("{SOURCE}/schema?variant=dot")).json();
        assert_eq!((&columns["n"], &columns["metadata.n"]), (&json!("integer"), &json!("float")));
        assert_eq!(events(api)[0]["metadata"], json!({ "n": 1.0, "l": [{ "n": 2.0 }] }));
    });
}

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
fn values_that_are_not_kept_as_sent_are_named() {
    on_every_backend(analytics::one_source, |api| {
        let rows = [
            (
                "application/json",
                r#"[{"n":18446744073709551615,"f":1.5},{"m":[1,18446744073709551616]}]"#,
                "body.1.m.1",
            ),
            ("application/json", r#"{"a":{"n":-99999999999999999999}}"#, "body.a.n"),
            ("application/json", r#"{"t":"18446744073709551616"}"#, ""),
            ("application/json", r#"{"a":1,"a":2}"#, "body.a"),
            ("application/cloudevents+json", r#"{"n":18446744073709551616}"#, "body.n"),
            (
                "application/x-ndjson",
                "{\"n\":1}\n{\"n\":18446744073709551616}\nnonsense\n",
                "body.1.n,body.2",
            ),
        ];
        for (content_type, body, ignored) in rows {
            let reply = api.send(Call::post(PATH).bytes(content_type, body));
            assert_eq!(
                (reply.to_string(), reply.header("x-sim-ignored")),
                (LOGGED.to_owned(), ignored),
                "{body}"
            );
        }
    });
    let policy = Policy { unknown_fields: UnknownFields::Refuse, ..Policy::default() };
    let mut strict = InProcess::new(analytics::one_source_under(policy));
    let reply = strict.send(Call::post(PATH).bytes("application/json", r#"{"n":18446744073709551616}"#));
    let text = "n: Has more than 64 bits and would lose digits, send it as a text";
    assert_eq!(
        (reply.status, reply.reason(), reply.json()),
        (400, "invalid_body.n", json!({ "error": text }))
    );
    assert!(events(&mut strict).is_empty());
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
