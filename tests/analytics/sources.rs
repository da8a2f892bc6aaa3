//! `/api/sources`.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::engine::NotificationsShape;
use sim_core::{Profile, Simulator};
use sim_fixtures::Call;
use sim_fixtures::analytics::{self, GATEWAY};

use crate::support::{on_every_backend, seconds};

const PATH: &str = "/api/sources";
const ONE: &str = "/api/sources/11111111-1111-4111-8111-111111111111";
const NONE: &str = "/api/sources/99999999-9999-4999-8999-999999999999";

#[test]
fn a_new_source_has_every_field() {
    on_every_backend(analytics::fresh, |api| {
        let body = json!({ "name": "gateway", "token": GATEWAY.to_ascii_uppercase() });
        assert_snapshot!(api.post(PATH, body), @r#"201 {"id":1,"name":"gateway","token":"11111111-1111-4111-8111-111111111111","public_token":null,"favorite":false,"description":null,"service_name":null,"api_quota":25,"warehouse_table_ttl":7,"retention_days":7,"wh_table_id":"analytics.1_prod.11111111_1111_4111_8111_111111111111","wh_table_schema":{"event_message":"string","id":"string","timestamp":"timestamp"},"custom_event_message_keys":null,"transform_copy_fields":null,"drop_lql_string":null,"chat_hook_url":null,"webhook_notification_url":null,"notifications_every":14400000,"notifications":[{"team_user_ids_for_email":[],"team_user_ids_for_sms":[],"team_user_ids_for_schema_updates":[],"other_email_notifications":null,"user_email_notifications":false,"user_text_notifications":false,"user_schema_update_notifications":true}],"has_rejected_events":false,"metrics":{"rate":0,"avg":0,"max":0,"latest":0,"buffer":0,"inserts":0,"inserts_string":"0","rejected":0,"fields":3},"backends":[],"inserted_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}"#);
        assert_snapshot!(api.get(ONE), @r#"200 {"id":1,"name":"gateway","token":"11111111-1111-4111-8111-111111111111","public_token":null,"favorite":false,"description":null,"service_name":null,"api_quota":25,"warehouse_table_ttl":7,"retention_days":7,"wh_table_id":"analytics.1_prod.11111111_1111_4111_8111_111111111111","wh_table_schema":{"event_message":"string","id":"string","timestamp":"timestamp"},"custom_event_message_keys":null,"transform_copy_fields":null,"drop_lql_string":null,"chat_hook_url":null,"webhook_notification_url":null,"notifications_every":14400000,"notifications":[{"team_user_ids_for_email":[],"team_user_ids_for_sms":[],"team_user_ids_for_schema_updates":[],"other_email_notifications":null,"user_email_notifications":false,"user_text_notifications":false,"user_schema_update_notifications":true}],"has_rejected_events":false,"metrics":{"rate":0,"avg":0,"max":0,"latest":0,"buffer":0,"inserts":0,"inserts_string":"0","rejected":0,"fields":3},"backends":[],"inserted_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}"#);
    });
}

#[test]
fn a_source_keeps_what_is_set() {
    on_every_backend(analytics::one_source, |api| {
        let settings = json!({
            "name": "renamed", "favorite": true, "public_token": "22222222-2222-4222-8222-222222222222",
            "api_quota": 7, "retention_days": 3, "description": "d", "service_name": "s",
            "custom_event_message_keys": "id, m.x", "transform_copy_fields": "a:b", "drop_lql_string": "x",
            "chat_hook_url": "http://chat.test/hook", "webhook_notification_url": "https://hook.test/",
            "notifications_every": 60_000,
        });
        api.advance(seconds(5));
        let source = api.put(ONE, settings.clone()).json();
        for (name, value) in settings.as_object().expect("settings are an object") {
            assert_eq!(source[name], *value, "{name}");
        }
        assert_eq!((&source["warehouse_table_ttl"], &source["token"]), (&json!(3), &json!(GATEWAY)));
        assert_eq!(source["inserted_at"], "2026-01-01T00:00:00Z");
        assert_eq!(source["updated_at"], "2026-01-01T00:00:05Z");
        assert_eq!(api.get(ONE).json(), source);
    });
}

#[test]
fn put_and_patch_answer_201_with_the_source_and_keep_what_is_not_given() {
    on_every_backend(analytics::one_source, |api| {
        api.patch(ONE, json!({ "description": "kept", "favorite": true }));
        let put = api.put(ONE, json!({ "name": "new", "favorite": null }));
        let seen = put.json();
        assert_eq!(put.status, 201);
        let seen = (&seen["name"], &seen["description"], &seen["favorite"]);
        assert_eq!(seen, (&json!("new"), &json!("kept"), &json!(false)));
        let patch = api.patch(ONE, json!({ "description": null }));
        assert_eq!((patch.status, &patch.json()["name"]), (201, &json!("new")));
        assert_eq!(patch.json()["description"], Value::Null);
    });
}

#[test]
fn the_token_and_what_is_computed_do_not_change_by_update() {
    on_every_backend(analytics::one_source, |api| {
        let before = api.get(ONE).json();
        let given = json!({ "token": "33333333-3333-4333-8333-333333333333", "id": 9, "metrics": {}, "wh_table_id": "x",
            "has_rejected_events": true, "inserted_at": "2020-01-01T00:00:00Z" });
        assert_eq!(api.patch(ONE, given).json(), before);
    });
}

#[test]
fn notifications_come_in_either_shape_and_only_what_is_given_changes() {
    on_every_backend(analytics::one_source, |api| {
        let first = api.patch(ONE, json!({ "notifications": { "user_email_notifications": true } }));
        assert_snapshot!(first.json()["notifications"], @r#"[{"team_user_ids_for_email":[],"team_user_ids_for_sms":[],"team_user_ids_for_schema_updates":[],"other_email_notifications":null,"user_email_notifications":true,"user_text_notifications":false,"user_schema_update_notifications":true}]"#);
        let list = json!({ "notifications": [{ "team_user_ids_for_sms": ["1"] }] });
        let second = &api.patch(ONE, list).json()["notifications"][0];
        assert_eq!(second["team_user_ids_for_sms"], json!(["1"]));
        assert_eq!(second["user_email_notifications"], true);
        let none = &api.patch(ONE, json!({ "notifications": [] })).json()["notifications"][0];
        assert_eq!(none, second);
        let cleared = &api.patch(ONE, json!({ "notifications": null })).json()["notifications"][0];
        assert_eq!(cleared["user_email_notifications"], false);
    });
}

#[test]
fn a_profile_sends_notifications_as_an_object() {
    let scene = || {
        let profile = Profile { notifications_shape: NotificationsShape::Object, ..Profile::default() };
        Simulator::analytics().profile(profile).build()
    };
    on_every_backend(scene, |api| {
        let source = api.post(PATH, json!({ "name": "a" })).json();
        assert_eq!(source["notifications"]["user_schema_update_notifications"], true);
    });
}

#[test]
fn a_profile_gives_neutral_tokens_their_names() {
    let scene = || {
        let names = [("warehouse", "lake"), ("wh", "lk"), ("chat", "talk")];
        let names = names.map(|(from, to)| (from.to_owned(), to.to_owned())).into();
        Simulator::analytics().profile(Profile { names, ..Profile::default() }).build()
    };
    on_every_backend(scene, |api| {
        let source =
            api.post(PATH, json!({ "name": "a", "lake_table_ttl": 2, "talk_hook_url": "http://x.test" }));
        let source = source.json();
        assert_eq!(
            (&source["lake_table_ttl"], &source["talk_hook_url"]),
            (&json!(2), &json!("http://x.test"))
        );
        assert!(source["lk_table_id"].is_string());
        for name in ["lk_sql", "wh_sql", "sql"] {
            let rows = api.get(&format!("/api/query?{name}=select%201%20as%20n"));
            assert_eq!(rows.json(), json!({ "result": [{ "n": 1 }] }), "{name}");
        }
    });
}

#[test]
fn sources_are_listed_favourites_first_then_by_name() {
    on_every_backend(analytics::fresh, |api| {
        for (name, favorite) in [("b", false), ("c", true), ("a", false), ("b", true)] {
            api.post(PATH, json!({ "name": name, "favorite": favorite }));
        }
        let list = api.get(PATH).json();
        let names: Vec<_> = list.as_array().expect("a list").iter().map(|one| &one["name"]).collect();
        assert_eq!(names, ["b", "c", "a", "b"]);
        assert_eq!(api.send(Call::get(PATH).token("token-of-outsider")).to_string(), "200 []");
    });
}

#[test]
fn a_deleted_source_is_gone() {
    on_every_backend(analytics::one_source, |api| {
        assert_snapshot!(api.delete(ONE), @"204");
        assert_snapshot!(api.get(ONE), @r#"404 {"error":"Not Found"}"#);
        assert_snapshot!(api.get(PATH), @"200 []");
        assert_eq!(api.post(PATH, json!({ "name": "again", "token": GATEWAY })).status, 201);
    });
}

#[test]
fn sources_that_are_not_there_or_another_users_are_404_alike() {
    on_every_backend(analytics::one_source, |api| {
        for path in [NONE, "/api/sources/gateway", "/api/sources/%00", ONE] {
            let body = json!({ "name": "x" });
            for call in [
                Call::get(path),
                Call::delete(path),
                Call::put(path).json(body.clone()),
                Call::new(http::Method::PATCH, path).json(body),
            ] {
                let reply = api.send(call.clone().token("token-of-outsider"));
                assert_eq!(reply.to_string(), r#"404 {"error":"Not Found"}"#, "{call}");
                assert_eq!(reply.reason(), "source_not_found", "{call}");
            }
        }
        assert_eq!(api.get(ONE).json()["name"], "gateway");
    });
}

#[test]
fn errors_in_a_source_name_the_field() {
    let rows: &[(Value, &str)] = &[
        (json!({}), r#"{"name":["can't be blank"]}"#),
        (json!({ "name": " " }), r#"{"name":["can't be blank"]}"#),
        (json!({ "name": 7 }), r#"{"name":["is invalid"]}"#),
        (json!({ "name": null }), r#"{"name":["is invalid"]}"#),
        (json!({ "name": "x", "token": "no" }), r#"{"token":["is invalid"]}"#),
        (json!({ "name": "x", "token": GATEWAY }), r#"{"token":["has already been taken"]}"#),
        (json!({ "name": "x", "public_token": "no" }), r#"{"public_token":["is invalid"]}"#),
        (json!({ "name": "x", "favorite": "yes" }), r#"{"favorite":["is invalid"]}"#),
        (json!({ "name": "x", "api_quota": 0 }), r#"{"api_quota":["must be greater than %{number}"]}"#),
        (
            json!({ "name": "x", "api_quota": 1_000_000_001 }),
            r#"{"api_quota":["must be less than %{number}"]}"#,
        ),
        (json!({ "name": "x", "api_quota": 1.5 }), r#"{"api_quota":["is invalid"]}"#),
        (
            json!({ "name": "x", "retention_days": 61 }),
            r#"{"retention_days":["ttl is over your plan limit"]}"#,
        ),
        (
            json!({ "name": "x", "warehouse_table_ttl": 61 }),
            r#"{"retention_days":["ttl is over your plan limit"]}"#,
        ),
        (
            json!({ "name": "x", "retention_days": 0 }),
            r#"{"retention_days":["must be greater than %{number}"]}"#,
        ),
        (json!({ "name": "x", "chat_hook_url": "here" }), r#"{"chat_hook_url":["has invalid format"]}"#),
        (
            json!({ "name": "x", "webhook_notification_url": "ftp://x.test" }),
            r#"{"webhook_notification_url":["has invalid format"]}"#,
        ),
        (json!({ "name": "x", "notifications": 7 }), r#"{"notifications":["is invalid"]}"#),
        (json!({ "name": "x", "notifications": [{}, {}] }), r#"{"notifications":["is invalid"]}"#),
        (json!({ "name": 7, "favorite": 7 }), r#"{"name":["is invalid"],"favorite":["is invalid"]}"#),
    ];
    on_every_backend(analytics::one_source, |api| {
        for (body, errors) in rows {
            let reply = api.post(PATH, body.clone());
            assert_eq!(reply.to_string(), format!(r#"422 {{"errors":{errors}}}"#), "{body}");
            assert!(reply.reason().starts_with("invalid_body."), "{body}: {}", reply.reason());
        }
        assert_eq!(api.get(PATH).json().as_array().map(Vec::len), Some(1));
    });
}

#[test]
fn updates_refuse_what_a_creation_refuses() {
    on_every_backend(analytics::one_source, |api| {
        let before = api.get(ONE).json();
        assert_snapshot!(api.put(ONE, json!({})), @r#"422 {"errors":{"name":["can't be blank"]}}"#);
        assert_snapshot!(api.put(ONE, json!({ "name": "" })), @r#"422 {"errors":{"name":["can't be blank"]}}"#);
        assert_snapshot!(api.patch(ONE, json!({ "name": "new", "api_quota": -1 })), @r#"422 {"errors":{"api_quota":["must be greater than %{number}"]}}"#);
        api.post(PATH, json!({ "name": "x", "public_token": GATEWAY }));
        assert_snapshot!(api.patch(ONE, json!({ "public_token": GATEWAY })), @r#"422 {"errors":{"public_token":["has already been taken"]}}"#);
        assert_eq!(api.get(ONE).json(), before);
    });
}

#[test]
fn a_public_token_may_be_set_to_what_it_is() {
    on_every_backend(analytics::one_source, |api| {
        for _ in 0..2 {
            assert_eq!(api.patch(ONE, json!({ "public_token": GATEWAY })).status, 201);
        }
    });
}

#[test]
fn bodies_that_are_no_json_object_are_refused() {
    on_every_backend(analytics::fresh, |api| {
        assert_snapshot!(api.send(Call::post(PATH).bytes("application/json", "{")), @r#"400 {"error":"body: Invalid JSON, EOF while parsing an object at line 1 column 1"}"#);
        assert_snapshot!(api.send(Call::post(PATH).bytes("text/html", "<p>")), @r#"415 {"error":"content-type \"text/html\" is not supported, send application/json"}"#);
        assert_snapshot!(api.post(PATH, json!([])), @r#"400 {"error":"body: Expected object, received array"}"#);
        assert_snapshot!(api.send(Call::new(http::Method::PUT, PATH)), @r#"405 {"error":"Cannot PUT /api/sources"}"#);
        assert_snapshot!(api.get("/api/nothing"), @r#"404 {"error":"Cannot GET /api/nothing"}"#);
    });
}
