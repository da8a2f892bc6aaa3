//! `/api/backends`: destinations that events are forwarded to.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call};

use crate::support::on_every_backend;

const PATH: &str = "/api/backends";

/// A log drain to that address.
fn drain(api: &mut dyn Api, url: &str) -> Value {
    let body = json!({
        "name": "drain", "type": "webhook", "metadata": { "type": "log-drain" },
        "config": { "url": url, "headers": { "authorization": "Bearer x", "x-team": "a" } },
    });
    let reply = api.post(PATH, body);
    assert_eq!(reply.status, 201, "{reply}");
    reply.json()
}

fn at(backend: &Value) -> String {
    format!("{PATH}/{}", backend["token"].as_str().expect("a token"))
}

fn send(api: &mut dyn Api, events: &Value) {
    assert_eq!(api.post(&format!("/api/logs?source={GATEWAY}"), events.clone()).status, 200);
}

/// Address and messages of each delivery.
fn delivered(api: &mut dyn Api) -> Vec<String> {
    let outbox = api.get("/_sim/outbox").json();
    let line = |message: &Value| {
        let body: Value =
            serde_json::from_str(message["body"].as_str().expect("a body")).expect("it is JSON");
        let events = body.as_array().expect("a list").iter();
        let events: Vec<_> = events.map(|event| event["event_message"].to_string()).collect();
        format!("{} {} {}", message["channel"], message["recipient"], events.join(" "))
    };
    outbox.as_array().expect("a list").iter().map(line).collect()
}

#[test]
fn a_new_backend_has_every_field_and_shows_no_secret() {
    on_every_backend(analytics::one_source, |api| {
        let made = drain(api, "http://ann:pass@drain.test/in");
        assert_eq!(made["id"], 1);
        assert_snapshot!(made["config"], @r#"{"url":"http://ann:REDACTED@drain.test/in","headers":{"authorization":"REDACTED","x-team":"a"}}"#);
        assert_eq!(
            (&made["description"], &made["metadata"]),
            (&Value::Null, &json!({ "type": "log-drain" }))
        );
        assert_eq!(api.get(&at(&made)).json(), made);
        assert_eq!(api.get(PATH).json(), json!([made]));
    });
}

#[test]
fn drains_are_listed_by_their_metadata() {
    on_every_backend(analytics::one_source, |api| {
        let made = drain(api, "http://drain.test/in");
        let other = json!({ "name": "lake", "type": "otlp", "config": { "endpoint": "http://otlp.test" } });
        assert_eq!(api.post(PATH, other).status, 201);
        let list = api.get("/api/backends?metadata%5Btype%5D=log-drain").json();
        assert_eq!(list, json!([made]));
        assert_eq!(api.get(PATH).json().as_array().map(Vec::len), Some(2));
    });
}

#[test]
fn secrets_that_come_back_as_they_were_shown_are_kept() {
    on_every_backend(analytics::one_source, |api| {
        let made = drain(api, "http://ann:pass@drain.test/in");
        let reply = api.put(&at(&made), json!({ "name": "new", "config": made["config"] }));
        assert_eq!((reply.status, &reply.json()["name"]), (201, &json!("new")));
        assert_eq!(reply.json()["config"], made["config"]);
        let source = format!("/api/sources/{GATEWAY}/backends/{}", made["token"].as_str().expect("a token"));
        assert_eq!(api.send(Call::post(&source)).status, 201);
        send(api, &json!({ "message": "one" }));
        assert_eq!(delivered(api), [r#""webhook" "http://ann:pass@drain.test/in" "one""#]);
        let patched = api.patch(&at(&made), json!({ "description": "d", "metadata": null })).json();
        assert_eq!((&patched["description"], &patched["metadata"]), (&json!("d"), &json!({})));
    });
}

#[test]
fn an_attached_backend_gets_every_event_of_a_call_as_one_batch() {
    on_every_backend(analytics::one_source, |api| {
        let made = drain(api, "http://drain.test/in");
        let path = format!("/api/sources/{GATEWAY}/backends/{}", made["token"].as_str().expect("a token"));
        let attached = api.send(Call::post(&path));
        assert_eq!((attached.status, &attached.json()["backends"]), (201, &json!([made])));
        assert_eq!(api.send(Call::post(&path)).json()["backends"], json!([made]), "once is enough");
        send(api, &json!([{ "message": "a" }, { "message": "b" }]));
        assert_eq!(delivered(api), [r#""webhook" "http://drain.test/in" "a" "b""#]);
        let query = "/api/query?sql=select+count(*)+as+n+from+gateway";
        assert_snapshot!(api.get(query), @r#"200 {"result":[{"n":2}]}"#);
        let detached = api.send(Call::delete(&path));
        assert_eq!((detached.status, &detached.json()["backends"]), (200, &json!([])));
        send(api, &json!({ "message": "c" }));
        assert_eq!(delivered(api).len(), 1);
    });
}

#[test]
fn a_rule_forwards_what_its_filter_means() {
    on_every_backend(analytics::one_source, |api| {
        let made = drain(api, "http://drain.test/in");
        let rule = json!({ "source_id": 1, "backend_id": made["id"], "lql_string": "m.status:>499" });
        let rule = api.post("/api/rules", rule);
        assert_eq!(
            (rule.status, &rule.json()["backend_id"], &rule.json()["sink"]),
            (201, &json!(1), &Value::Null)
        );
        let event =
            |message: &str, status: u16| json!({ "message": message, "metadata": { "status": status } });
        send(api, &json!([event("a", 500), event("b", 200), event("c", 503)]));
        send(api, &json!([event("d", 200)]));
        assert_eq!(delivered(api), [r#""webhook" "http://drain.test/in" "a" "c""#]);
        assert_eq!(api.delete(&at(&made)).status, 204);
        assert_eq!(api.get("/api/rules").json(), json!([]));
        send(api, &json!([event("e", 500)]));
        assert_eq!(delivered(api).len(), 1);
    });
}

#[test]
fn rules_are_listed_by_their_backend() {
    on_every_backend(analytics::one_source, |api| {
        let (one, other) = (drain(api, "http://drain.test/1"), drain(api, "http://drain.test/2"));
        let rule = json!({ "source_id": 1, "backend_id": one["id"], "lql_string": "a" });
        let rule = api.post("/api/rules", rule).json();
        let list = |api: &mut dyn Api, query: String| api.get(&format!("/api/rules?{query}")).json();
        assert_eq!(list(api, format!("backend_id={}", one["id"])), json!([rule]));
        let token =
            |backend: &Value| format!("backend_token={}", backend["token"].as_str().expect("a token"));
        assert_eq!(list(api, token(&one)), json!([rule]));
        assert_eq!(list(api, token(&other)), json!([]));
        for unknown in ["backend_id=9", "backend_token=nothing"] {
            assert_eq!(api.get(&format!("/api/rules?{unknown}")).status, 404, "{unknown}");
        }
        let query = "/api/query?sql=select+1+as+one&backend_id=";
        assert_snapshot!(api.get(&format!("{query}9")), @r#"400 {"error":"Backend not found"}"#);
        assert_snapshot!(api.get(&format!("{query}1")), @r#"400 {"error":"backend_id: this backend stores no events here"}"#);
    });
}

#[test]
fn a_rule_leads_to_one_place() {
    on_every_backend(analytics::one_source, |api| {
        let made = drain(api, "http://drain.test/in");
        let errors =
            |api: &mut dyn Api, rule: Value| api.post("/api/rules", rule).json()["errors"].to_string();
        assert_eq!(
            errors(api, json!({ "source_id": 1, "lql_string": "id:~." })),
            r#"{"sink":["can't be blank"]}"#
        );
        let unknown = json!({ "source_id": 1, "backend_id": 9, "lql_string": "id:~." });
        assert_eq!(errors(api, unknown), r#"{"backend_id":["does not exist"]}"#);
        let both =
            json!({ "source_id": 1, "backend_id": made["id"], "sink": GATEWAY, "lql_string": "id:~." });
        assert_eq!(errors(api, both), r#"{"backend_id":["can't stand beside sink"]}"#);
        let rule = json!({ "source_id": 1, "backend_id": made["id"], "lql_string": "id:~." });
        let outsider =
            Call::post("/api/sources").token("token-of-outsider").json(json!({ "name": "theirs" }));
        assert_eq!(api.send(outsider).status, 201);
        let foreign = json!({ "source_id": 2, "backend_id": made["id"], "lql_string": "id:~." });
        let reply = api.send(Call::post("/api/rules").token("token-of-outsider").json(foreign));
        assert_eq!(reply.json()["errors"].to_string(), r#"{"backend_id":["does not exist"]}"#);
        assert_eq!(api.post("/api/rules", rule).status, 201);
    });
}

#[test]
fn backends_of_other_types_are_remembered_and_get_nothing() {
    on_every_backend(analytics::one_source, |api| {
        let body = json!({ "name": "db", "type": "postgres", "config": { "url": "postgres://u:p@h/d", "password": "x" } });
        let made = api.post(PATH, body).json();
        assert_snapshot!(made["config"], @r#"{"url":"postgres://u:REDACTED@h/d","password":"REDACTED"}"#);
        let path = format!("/api/sources/{GATEWAY}/backends/{}", made["token"].as_str().expect("a token"));
        assert_eq!(api.send(Call::post(&path)).status, 201);
        send(api, &json!({ "message": "a" }));
        assert_eq!(delivered(api), Vec::<String>::new());
    });
}

#[test]
fn errors_in_a_backend_name_the_field() {
    on_every_backend(analytics::one_source, |api| {
        let rows = [
            (json!({ "name": " " }), r#"{"name":["can't be blank"]}"#),
            (json!({ "name": null }), r#"{"name":["is invalid"]}"#),
            (json!({ "type": "no_such" }), r#"{"type":["is invalid"]}"#),
            (json!({ "type": "drain_b" }), r#"{"config":["api_key can't be blank"]}"#),
            (json!({ "type": "syslog", "config": { "host": "h" } }), r#"{"config":["port can't be blank"]}"#),
            (
                json!({ "type": "syslog", "config": { "host": "h", "port": 65_536 } }),
                r#"{"config":["port must be a number from 1 to 65535"]}"#,
            ),
            (
                json!({ "type": "syslog", "config": { "host": 1, "port": "514" } }),
                r#"{"config":["host must be a text"]}"#,
            ),
            (
                json!({ "type": "postgres", "config": { "url": "nonsense" } }),
                r#"{"config":["url must be an address that begins with postgres:// or postgresql://"]}"#,
            ),
            (
                json!({ "type": "otlp", "config": { "endpoint": "http:///x" } }),
                r#"{"config":["endpoint must be an address that begins with http:// or https://"]}"#,
            ),
            (
                json!({ "type": "drain_a", "config": { "dsn": "x" } }),
                r#"{"config":["dsn must be an address that begins with http:// or https://"]}"#,
            ),
            (
                json!({ "type": "drain_b", "config": { "api_key": 5 } }),
                r#"{"config":["api_key must be a text"]}"#,
            ),
            (json!({ "type": "" }), r#"{"type":["is invalid"]}"#),
            (json!({ "type": "a b" }), r#"{"type":["is invalid"]}"#),
            (json!({ "config": {} }), r#"{"config":["url has invalid format"]}"#),
            (json!({ "config": { "url": "here" } }), r#"{"config":["url has invalid format"]}"#),
            (json!({ "config": "x" }), r#"{"config":["is invalid"]}"#),
            (json!({ "metadata": 7 }), r#"{"metadata":["is invalid"]}"#),
        ];
        for (wrong, errors) in rows {
            let mut body = json!({ "name": "x", "type": "webhook", "config": { "url": "http://x.test" } });
            let fields = wrong.as_object().expect("an object").clone();
            body.as_object_mut().expect("an object").extend(fields);
            let reply = api.post(PATH, body);
            assert_eq!(reply.to_string(), format!(r#"422 {{"errors":{errors}}}"#), "{wrong}");
        }
        assert_eq!(api.get(PATH).json(), json!([]));
    });
}

#[test]
fn backends_that_are_not_there_or_another_users_are_404_alike() {
    on_every_backend(analytics::one_source, |api| {
        let made = drain(api, "http://drain.test/in");
        let source = format!("/api/sources/{GATEWAY}/backends");
        for call in [
            Call::get(&at(&made)).token("token-of-outsider"),
            Call::delete(&at(&made)).token("token-of-outsider"),
            Call::put(&at(&made)).token("token-of-outsider").json(json!({ "name": "x" })),
            Call::get("/api/backends/nothing"),
            Call::post(&format!("{source}/nothing")),
            Call::delete(&format!("{source}/nothing")),
            Call::post(&format!(
                "/api/sources/nothing/backends/{}",
                made["token"].as_str().expect("a token")
            )),
        ] {
            let reply = api.send(call.clone());
            assert_eq!(reply.to_string(), r#"404 {"error":"Not Found"}"#, "{call}");
        }
        assert_eq!(api.send(Call::get(PATH).token("token-of-outsider")).json(), json!([]));
    });
}
