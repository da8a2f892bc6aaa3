//! `/api/logs`, `/api/events`, `/logs`: ingests events in all formats.

mod bodies;
mod kept;
mod sources;
mod times;

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::Policy;
use sim_core::engine::UnknownFields;
use sim_fixtures::analytics::{self};
use sim_fixtures::{Api, Call, InProcess, Reply};

use crate::support::on_every_backend;

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
