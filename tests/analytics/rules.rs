//! `/api/rules`: which events of a source are copied to another one, and which it drops.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::Simulator;
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call};

use crate::support::on_every_backend;

const SINK: &str = "22222222-2222-4222-8222-222222222222";

/// A second source, `errors`.
fn two_sources() -> Simulator {
    use sim_core::analytics::source::CreateSource;
    let mut sim = analytics::one_source();
    let sink = CreateSource { token: SINK.to_owned().into(), ..CreateSource::named("errors") };
    sim.call(sink).expect("a good call");
    sim
}

fn rule(api: &mut dyn Api, filter: &str) -> Value {
    let reply = api.post("/api/rules", json!({ "source_id": 1, "sink": SINK, "lql_string": filter }));
    assert_eq!(reply.status, 201, "{reply}");
    reply.json()
}

fn messages(api: &mut dyn Api, token: &str) -> Vec<String> {
    let events = api.get(&format!("/api/sources/{token}/recent")).json();
    let list = events.as_array().expect("a list").clone();
    list.iter().map(|event| event["event_message"].as_str().unwrap_or_default().to_owned()).collect()
}

fn send(api: &mut dyn Api, events: &Value) {
    assert_eq!(api.post(&format!("/api/logs?source={GATEWAY}"), events.clone()).status, 200);
}

#[test]
fn events_that_a_rule_means_are_copied_and_not_routed_again() {
    on_every_backend(two_sources, |api| {
        rule(api, "m.status:>499 -health");
        let back = json!({ "source_id": 2, "sink": GATEWAY, "lql_string": "id:~." });
        assert_eq!(api.post("/api/rules", back).status, 201);
        let event =
            |message: &str, status: u16| json!({ "message": message, "metadata": { "status": status } });
        send(api, &json!([event("a", 500), event("b", 499), event("health", 503)]));
        assert_eq!(messages(api, GATEWAY), ["a", "b", "health"]);
        assert_eq!(messages(api, SINK), ["a"]);
        let sink = api.get(&format!("/api/sources/{SINK}")).json();
        assert_eq!(sink["metrics"]["inserts"], 1);
        assert_eq!(sink["wh_table_schema"]["metadata.status"], "integer");
    });
}

#[test]
fn a_rule_can_be_fetched_changed_and_deleted() {
    on_every_backend(two_sources, |api| {
        let token = rule(api, "a")["token"].as_str().expect("a token").to_owned();
        let path = format!("/api/rules/{token}");
        assert_snapshot!(api.get(&path).json()["lql_string"], @r#""a""#);
        assert_eq!(api.put(&path, json!({ "lql_string": "b" })).status, 201);
        assert_eq!(api.patch(&path, json!({ "lql_string": "c" })).json()["lql_string"], "c");
        assert_eq!(api.get("/api/rules").json().as_array().map(Vec::len), Some(1));
        send(api, &json!([{ "message": "abc" }, { "message": "ab" }]));
        assert_eq!(messages(api, SINK), ["abc"]);
        assert_eq!(api.delete(&path).status, 204);
        send(api, &json!([{ "message": "c" }]));
        assert_eq!(messages(api, SINK), ["abc"]);
        assert_eq!(api.get(&path).to_string(), r#"404 {"error":"Not Found"}"#);
    });
}

#[test]
fn rules_go_with_their_sources() {
    on_every_backend(two_sources, |api| {
        rule(api, "id:~.");
        assert_eq!(api.delete(&format!("/api/sources/{SINK}")).status, 204);
        assert_eq!(api.get("/api/rules").json(), json!([]));
    });
}

#[test]
fn errors_in_a_rule_name_the_field() {
    on_every_backend(two_sources, |api| {
        let good = json!({ "source_id": 1, "sink": SINK, "lql_string": "id:~." });
        let rows = [
            ("source_id", json!(9), "does not exist"),
            ("sink", json!("nothing"), "does not exist"),
            ("sink", json!(GATEWAY), "is the source itself"),
            ("lql_string", json!("m.a:~("), "\"(\" is no regular expression (at character 1: m.a:~()"),
            ("lql_string", json!(7), "is invalid"),
            ("lql_string", json!(" "), "can't be blank"),
            (
                "lql_string",
                json!("m.a::v"),
                "\":v\" begins with a second operator; a value that does must be in quotation marks (at character 1: m.a::v)",
            ),
            ("source_id", json!(null), "is invalid"),
        ];
        for (field, value, problem) in rows {
            let mut body = good.clone();
            body[field] = value.clone();
            let reply = api.post("/api/rules", body);
            assert_eq!(
                (reply.status, &reply.json()["errors"][field]),
                (422, &json!([problem])),
                "{field} {value}"
            );
        }
        let outsider = Call::post("/api/rules").json(good).token("token-of-outsider");
        assert_eq!(api.send(outsider).json(), json!({ "errors": { "source_id": ["does not exist"] } }));
        let token = rule(api, "id:~.")["token"].as_str().expect("a token").to_owned();
        for call in [Call::get(&format!("/api/rules/{token}")), Call::delete(&format!("/api/rules/{token}"))]
        {
            assert_eq!(api.send(call.token("token-of-outsider")).status, 404);
        }
    });
}

#[test]
fn a_source_drops_what_its_filter_means() {
    on_every_backend(two_sources, |api| {
        let path = format!("/api/sources/{GATEWAY}");
        assert_eq!(api.patch(&path, json!({ "drop_lql_string": "health" })).status, 201);
        send(api, &json!([{ "message": "healthcheck" }, { "message": "kept" }]));
        assert_eq!(messages(api, GATEWAY), ["kept"]);
        let reply = api.patch(&path, json!({ "drop_lql_string": "m.a:~(" }));
        assert_snapshot!(reply, @r#"422 {"errors":{"drop_lql_string":["\"(\" is no regular expression (at character 1: m.a:~()"]}}"#);
    });
}
