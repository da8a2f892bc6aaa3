//! `/api/key-values`, and what sources make of them; lists of rules; tests of backends.

use serde_json::{Value, json};
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call};

use crate::support::on_every_backend;

const PATH: &str = "/api/key-values";

fn listed(api: &mut dyn Api, query: &str) -> Vec<String> {
    let pairs = api.get(&format!("{PATH}{query}")).json();
    let pairs = pairs.as_array().expect("a list").clone();
    pairs.iter().map(|pair| pair["key"].as_str().expect("a key").to_owned()).collect()
}

fn delete(api: &mut dyn Api, body: Value) -> Value {
    let reply = api.send(Call::delete(PATH).json(body));
    assert_eq!(reply.status, 200, "{reply}");
    reply.json()
}

#[test]
fn values_are_set_listed_and_deleted_by_key() {
    on_every_backend(analytics::one_source, |api| {
        let pairs = json!([
            { "key": "b", "value": "two" }, { "key": "a", "value": { "org": 1 } }, { "key": "c", "value": "two" },
        ]);
        let made = api.post(PATH, pairs);
        assert_eq!(made.to_string(), r#"201 {"inserted_count":3}"#);
        let again = api.post(PATH, json!([{ "key": "b", "value": "three" }]));
        assert_eq!(again.to_string(), r#"201 {"inserted_count":1}"#);
        assert_eq!(listed(api, ""), ["a", "b", "c"]);
        assert_eq!(listed(api, "?key=b"), ["b"]);
        assert_eq!(listed(api, "?value=two"), ["c"]);
        assert_eq!(api.get(&format!("{PATH}?key=a")).json(), json!([{ "key": "a", "value": { "org": 1 } }]));
        let other = Call::get(PATH).token("token-of-outsider");
        assert_eq!(api.send(other).json(), json!([]), "they are the user's own");
        assert_eq!(delete(api, json!({ "values": ["two", "none"] })), json!({ "deleted_count": 1 }));
        assert_eq!(delete(api, json!({ "keys": ["a", "none"] })), json!({ "deleted_count": 1 }));
        assert_eq!(delete(api, json!({})), json!({ "deleted_count": 0 }));
        assert_eq!(listed(api, ""), ["b"]);
        for wrong in [json!([{ "key": "a" }]), json!([{ "key": "a", "value": 7 }]), json!({ "key": "a" })] {
            assert!([400, 422].contains(&api.post(PATH, wrong.clone()).status), "{wrong}");
        }
        let many: Vec<_> = (0..10_001).map(|n| json!({ "key": format!("k{n}"), "value": "v" })).collect();
        let refused = api.post(PATH, json!(many));
        assert_eq!(refused.to_string(), r#"400 {"error":"Key-value limit of 10000 exceeded"}"#);
        assert_eq!(listed(api, ""), ["b"]);
    });
}

#[test]
fn keys_are_short_and_values_take_a_number_of_bytes() {
    on_every_backend(analytics::one_source, |api| {
        let long = api.post(PATH, json!([{ "key": "k".repeat(4097), "value": "v" }]));
        let text = r#"422 {"errors":{"key":["should be at most 4096 character(s)"]}}"#;
        assert_eq!(long.to_string(), text);
        assert_eq!(api.post(PATH, json!([{ "key": "k".repeat(4096), "value": "v" }])).status, 201);
        let big = "v".repeat(8 << 20);
        for number in 0..7 {
            assert_eq!(api.post(PATH, json!([{ "key": number.to_string(), "value": big }])).status, 201);
        }
        let refused = api.post(PATH, json!([{ "key": "7", "value": big }]));
        assert_eq!((refused.status, refused.reason()), (413, "world_keeps_too_much"));
        let texts: Vec<String> = (0..100_000).map(|number| number.to_string()).collect();
        assert_eq!(delete(api, json!({ "keys": texts })), json!({ "deleted_count": 7 }));
        let texts: Vec<String> = texts.into_iter().chain(["v".to_owned()]).collect();
        assert_eq!(delete(api, json!({ "values": texts })), json!({ "deleted_count": 1 }));
    });
}

#[test]
fn a_source_adds_values_to_its_events() {
    on_every_backend(analytics::one_source, |api| {
        let pairs = json!([
            { "key": "7", "value": { "org": { "name": "acme" }, "plans": ["free", "pro"] } },
            { "key": "plain", "value": "text" },
        ]);
        assert_eq!(api.post(PATH, pairs).status, 201);
        let lines = "m.project:m.org:org.name\nm.project:m.plan:$.plans[1]\nkind:m.kind\nm.none:m.never\nm.project:gone";
        let source = format!("/api/sources/{GATEWAY}");
        let changed =
            api.patch(&source, json!({ "transform_key_values": lines, "transform_drop_fields": "gone" }));
        assert_eq!(changed.json()["transform_key_values"], lines, "{changed}");
        let event = json!([
            { "message": "m", "kind": "plain", "metadata": { "project": 7 } },
            { "message": "other", "kind": "unknown", "metadata": { "project": 8 } },
        ]);
        assert_eq!(api.post(&format!("/api/logs?source={GATEWAY}"), event).status, 200);
        let events = api.get(&format!("{source}/recent")).json();
        assert_eq!(
            events[0]["metadata"],
            json!({ "project": 7, "org": "acme", "plan": "pro", "kind": "text" })
        );
        assert_eq!(events[1]["metadata"], json!({ "project": 8 }));
        let sql =
            "select m.org as o from gateway as t cross join unnest(t.metadata) as m where m.org = 'acme'";
        assert_eq!(
            api.get(&format!("/api/query?sql={}", sql.replace(' ', "%20"))).json()["result"],
            json!([{ "o": "acme" }])
        );
        let refused = api.patch(&source, json!({ "transform_key_values": "m.project" }));
        assert_eq!(
            refused.to_string(),
            r#"422 {"errors":{"transform_key_values":["\"m.project\" must be from.path:to.path, or from.path:to.path:path.in.value"]}}"#
        );
    });
}

#[test]
fn a_list_of_rules_makes_the_good_ones() {
    on_every_backend(analytics::one_source, |api| {
        let sink = api.post("/api/sources", json!({ "name": "sink" })).json()["token"].clone();
        let rule = |filter: &str| json!({ "source_id": 1, "sink": sink, "lql_string": filter });
        let made = api.post("/api/rules", json!([rule("a"), rule("b")]));
        assert_eq!((made.status, made.json()["results"].as_array().map(Vec::len)), (201, Some(2)), "{made}");
        assert_eq!(made.json()["errors"], json!([]));
        let mixed = api.post(
            "/api/rules",
            json!([rule("m.x:"), rule("c"), { "source_id": 99, "sink": sink, "lql_string": "d" }]),
        );
        assert_eq!((mixed.status, mixed.reason()), (400, "rules_refused"), "{mixed}");
        assert_eq!(
            mixed.json()["errors"],
            json!(["lql_string a value is missing (at character 1: m.x:)", "source_id does not exist"])
        );
        assert_eq!(mixed.json()["results"][0]["lql_string"], "c");
        assert_eq!(api.get("/api/rules").json().as_array().map(Vec::len), Some(3));
        let empty = api.post("/api/rules", json!([]));
        assert_eq!(empty.to_string(), r#"201 {"errors":[],"results":[]}"#);
        assert_eq!(api.post("/api/rules", json!([{ "sink": sink }])).status, 422);
        assert_eq!(api.post("/api/rules", json!({ "sink": sink })).status, 422);
    });
}

#[test]
fn a_backend_is_tested_with_an_event() {
    on_every_backend(analytics::one_source, |api| {
        let config = json!({ "url": "http://drain.test/in", "headers": { "authorization": "Bearer x" } });
        let drain =
            api.post("/api/backends", json!({ "name": "d", "type": "webhook", "config": config })).json();
        let path = |token: &Value| format!("/api/backends/{}/test", token.as_str().expect("a token"));
        let tested = api.send(Call::post(&path(&drain["token"])));
        assert_eq!(tested.to_string(), r#"200 {"connected?":true}"#);
        let sent = api.get("/_sim/outbox").json();
        assert_eq!(sent[0]["recipient"], "http://drain.test/in", "{sent}");
        assert_eq!(sent[0]["headers"], json!({ "authorization": "Bearer x" }));
        assert!(sent[0]["body"].as_str().expect("JSON").contains("Test of the connection"), "{sent}");
        let config = json!({ "host": "logs.test", "port": 514 });
        let other =
            api.post("/api/backends", json!({ "name": "s", "type": "syslog", "config": config })).json();
        let tested = api.send(Call::post(&path(&other["token"])));
        assert_eq!(tested.to_string(), r#"200 {"connected?":false}"#, "nothing is sent to it");
        assert_eq!(api.send(Call::post(&path(&json!("none")))).status, 404);
    });
}
