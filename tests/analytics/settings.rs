//! Settings that can't act are refused, each with its name.

use serde_json::{Value, json};
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call};

use crate::support::on_every_backend;

/// 422 with the problem of that field.
fn refused(reply: &sim_fixtures::Reply, field: &str, problem: &str) {
    let said = reply.json()["errors"][field][0].as_str().unwrap_or_default().to_owned();
    assert!(reply.status == 422 && said.contains(problem), "{field} {problem}: {reply}");
}

#[test]
fn settings_of_a_source_that_can_t_act_are_refused() {
    on_every_backend(analytics::one_source, |api| {
        let rows = [
            ("transform_copy_fields", json!("nonsense"), "\"nonsense\" must be from.path:to.path"),
            ("transform_copy_fields", json!("a:b\nm.x"), "\"m.x\" must be from.path:to.path"),
            ("transform_copy_fields", json!("a:b:c"), "must be from.path:to.path"),
            ("transform_copy_fields", json!("a:"), "must be from.path:to.path"),
            ("transform_copy_fields", json!("a..b:c"), "must be from.path:to.path"),
            ("transform_key_values", json!("nonsense"), "must be from.path:to.path, or"),
            ("transform_key_values", json!("a b:c"), "must be from.path:to.path, or"),
            ("transform_drop_fields", json!("a..b"), "must be the path of a field"),
            ("transform_drop_fields", json!("a:b"), "must be the path of a field"),
            ("custom_event_message_keys", json!("a,,b"), "\"\" must be the path of a field"),
            ("custom_event_message_keys", json!("a b"), "must be the path of a field"),
            ("drop_lql_string", json!("(a"), "is not closed"),
            ("api_quota", json!(0), ""),
            ("retention_days", json!(-1), ""),
            ("notifications_every", json!(0), ""),
            ("public_token", json!("nonsense"), ""),
            ("chat_hook_url", json!("nonsense"), "has invalid format"),
            ("webhook_notification_url", json!("ftp://x.test"), "has invalid format"),
        ];
        let path = format!("/api/sources/{GATEWAY}");
        for (field, value, problem) in rows {
            refused(&api.patch(&path, json!({ field: value })), field, problem);
            refused(&api.post("/api/sources", json!({ "name": "new", field: value })), field, problem);
        }
        for (field, value) in [
            ("other_email_notifications", json!("nonsense")),
            ("other_email_notifications", json!("a@b.test, c")),
            ("other_email_notifications", json!("a@b@c")),
            ("team_user_ids_for_email", json!(["nonsense"])),
            ("team_user_ids_for_sms", json!(["1", ""])),
            ("team_user_ids_for_schema_updates", json!(["-1"])),
        ] {
            refused(&api.patch(&path, json!({ "notifications": { field: value } })), field, "must be");
        }
    });
}

#[test]
fn blank_settings_of_a_source_are_cleared() {
    on_every_backend(analytics::one_source, |api| {
        let path = format!("/api/sources/{GATEWAY}");
        for (field, value) in [
            ("transform_copy_fields", "m.a:b"),
            ("transform_key_values", "m.a:b"),
            ("transform_drop_fields", "m.a"),
            ("custom_event_message_keys", "m.a"),
            ("drop_lql_string", "x"),
        ] {
            assert_eq!(api.patch(&path, json!({ field: value })).json()[field], value);
            assert_eq!(api.patch(&path, json!({ field: " " })).json()[field], Value::Null, "{field}");
        }
        assert_eq!(
            api.post(&format!("/api/logs?source={GATEWAY}"), json!({ "message": "kept" })).status,
            200
        );
        assert_eq!(api.get(&format!("{path}/recent")).json()[0]["event_message"], "kept");
    });
}

#[test]
fn settings_of_other_things_that_can_t_act_are_refused() {
    on_every_backend(analytics::one_source, |api| {
        let endpoint = |field: &str, value: Value| {
            let mut body = json!({ "name": "e", "query": "select id from gateway" });
            body[field] = value;
            body
        };
        for labels in ["=b", "a=", "a=b,", "a b=c", "a=b;c=d", ","] {
            refused(
                &api.post("/api/endpoints", endpoint("labels", json!(labels))),
                "labels",
                "must be key=value",
            );
        }
        let labelled = api.post("/api/endpoints", endpoint("labels", json!("a=b, team=@team,plain")));
        assert_eq!(labelled.status, 201, "{labelled}");
        for (field, value) in
            [("max_limit", json!(0)), ("cache_duration_seconds", json!(-1)), ("language", json!("sql"))]
        {
            refused(&api.post("/api/endpoints", endpoint(field, value)), field, "");
        }
        let blank = api.post("/api/key-values", json!([{ "key": " ", "value": "x" }]));
        refused(&blank, "key", "can't be blank");
        let both = Call::delete("/api/key-values").json(json!({ "keys": ["a"], "values": ["b"] }));
        refused(&api.send(both), "values", "can't stand beside keys");
        for scopes in ["", "nonsense", "ingest:source:", "ingest:nothing:1", "public  private"] {
            refused(&api.post("/api/access-tokens", json!({ "scopes": scopes })), "scopes", "is invalid");
        }
        let team = api.post("/api/teams", json!({ "name": "t" })).json()["token"].clone();
        let users = format!("/_sim/teams/{}/users", team.as_str().expect("a token"));
        for email in ["", "a", "@b", "a@", "a b@c"] {
            refused(
                &api.post(&users, json!({ "email": email, "name": "n" })),
                "email",
                "must be an email address",
            );
        }
        refused(&api.post(&users, json!({ "email": "a@b.test", "name": " " })), "name", "can't be blank");
    });
}

/// A configuration of each type of backend with all its settings.
fn whole() -> Vec<(&'static str, Value)> {
    let pem = "-----BEGIN CERTIFICATE-----\nAA==\n-----END CERTIFICATE-----";
    let key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";
    vec![
        (
            "webhook",
            json!({ "url": "http://a.test", "headers": { "x": "y" }, "http": "http1", "gzip": false }),
        ),
        (
            "postgres",
            json!({ "url": "postgres://u:p@h/d", "username": "u", "password": "p", "hostname": "h", "database": "d",
                "schema": "s", "port": 5432, "pool_size": 5 }),
        ),
        ("warehouse", json!({ "project_id": "p", "dataset_id": "d" })),
        (
            "columnar",
            json!({ "url": "https://h:8443", "database": "d", "username": "u", "password": "p", "port": 8443,
                "pool_size": 1, "async_insert": true, "read_only_url": "http://r", "insert_protocol": "native",
                "native_port": 9000, "native_pool_size": 2 }),
        ),
        ("drain_a", json!({ "dsn": "https://key@h/1" })),
        ("drain_b", json!({ "api_key": "k", "region": "EU" })),
        ("drain_c", json!({ "api_token": "t", "dataset_name": "d", "domain": "api.h.test" })),
        ("drain_d", json!({ "url": "http://h", "headers": { "x": "y" }, "username": "u", "password": "p" })),
        (
            "s3",
            json!({ "s3_bucket": "b", "storage_region": "r", "access_key_id": "i", "secret_access_key": "k",
                "batch_timeout": 1000 }),
        ),
        ("last9", json!({ "region": "r", "username": "u", "password": "p" })),
        (
            "otlp",
            json!({ "endpoint": "http://h/v1/logs", "headers": { "x": "y" }, "gzip": true,
                "protocol": "http/protobuf" }),
        ),
        (
            "syslog",
            json!({ "host": "h", "port": 514, "tls": true, "cipher_key": key, "ca_cert": pem, "client_cert": pem,
                "client_key": pem, "structured_data": "[a@1 b=\"c\"]", "max_message_bytes": 50_000 }),
        ),
    ]
}

fn made(api: &mut dyn Api, kind: &str, config: &Value) -> sim_fixtures::Reply {
    api.post("/api/backends", json!({ "name": "b", "type": kind, "config": config }))
}

#[test]
fn each_setting_of_a_backend_has_a_form_and_no_other_is_taken() {
    on_every_backend(analytics::one_source, |api| {
        for (kind, config) in whole() {
            let reply = made(api, kind, &config);
            assert_eq!((reply.status, reply.header("x-sim-ignored")), (201, ""), "{kind}: {reply}");
            let path = format!("/api/backends/{}", reply.json()["token"].as_str().expect("a token"));
            let shown = reply.json()["config"].clone();
            assert_eq!(api.put(&path, json!({ "name": "b", "config": shown })).status, 201, "{kind}");
            let with = |name: &str, value: Value| {
                let mut config = config.clone();
                config[name] = value;
                config
            };
            let unknown = with("colour", json!("red"));
            refused(
                &made(api, kind, &unknown),
                "config",
                &format!("colour is no setting of {kind}; there are "),
            );
            refused(&api.patch(&path, json!({ "config": unknown })), "config", "colour is no setting");
            for name in config.as_object().expect("an object").keys() {
                for wrong in [json!([1]), json!({ "a": 1 }), json!(-1.5)] {
                    refused(&made(api, kind, &with(name, wrong)), "config", name);
                }
            }
        }
    });
}

#[test]
fn wrong_values_of_a_backend_s_settings_are_refused() {
    on_every_backend(analytics::one_source, |api| {
        for (kind, name, value, problem) in [
            ("webhook", "http", json!("http3"), "must be one of http1, http2"),
            ("webhook", "http", json!(2), "must be a text"),
            ("webhook", "gzip", json!("yes"), "must be true or false"),
            ("webhook", "headers", json!(["x: y"]), "must be an object of texts"),
            ("webhook", "url", json!("ftp://a.test"), "has invalid format"),
            ("webhook", "url", json!(null), "has invalid format"),
            ("postgres", "port", json!(0), "must be a number from 1 to 65535"),
            ("postgres", "pool_size", json!("many"), "must be a number from 1 to 1000"),
            ("postgres", "hostname", json!("a/b"), "must be a name or an IP address"),
            ("postgres", "url", json!("mysql://h/d"), "must be an address that begins with"),
            ("postgres", "schema", json!(7), "must be a text"),
            ("columnar", "url", json!("http://a b"), "must be an address that begins with"),
            ("columnar", "insert_protocol", json!("udp"), "must be one of http, native"),
            ("columnar", "async_insert", json!(1), "must be true or false"),
            ("columnar", "read_only_url", json!("nonsense"), "must be an address that begins with"),
            ("drain_a", "dsn", json!("http://?x"), "must be an address that begins with"),
            ("drain_b", "region", json!("MARS"), "must be one of US1"),
            ("drain_b", "api_key", json!(" "), "can't be blank"),
            ("drain_c", "domain", json!("https://x"), "must be a name or an IP address"),
            ("drain_d", "headers", json!({ "host": "x" }), "must be an object of texts"),
            ("s3", "batch_timeout", json!(999), "must be a number from 1000 to 5000"),
            ("s3", "batch_timeout", json!(5001), "must be a number from 1000 to 5000"),
            ("s3", "secret_access_key", json!(""), "can't be blank"),
            ("otlp", "protocol", json!("grpc"), "must be one of http/protobuf"),
            ("otlp", "gzip", json!("true"), "must be true or false"),
            ("syslog", "host", json!("http://h"), "must be a name or an IP address"),
            ("syslog", "tls", json!("on"), "must be true or false"),
            ("syslog", "cipher_key", json!("short"), "must be a key of 32 bytes in base64"),
            ("syslog", "ca_cert", json!("nonsense"), "must be in PEM"),
            ("syslog", "structured_data", json!("a=b"), "must be an element in brackets"),
            ("syslog", "max_message_bytes", json!(0), "must be a number from 1 to"),
        ] {
            let (_, mut config) = whole().into_iter().find(|(known, _)| *known == kind).expect("a type");
            config[name] = value;
            refused(&made(api, kind, &config), "config", &format!("{name} {problem}"));
        }
    });
}

#[test]
fn settings_of_a_webhook_without_effect_are_marked() {
    on_every_backend(analytics::one_source, |api| {
        let config = json!({ "url": "http://a.test", "http": "http2", "gzip": true });
        let reply = made(api, "webhook", &config);
        assert_eq!(
            (reply.status, reply.header("x-sim-ignored")),
            (201, "body.config.http,body.config.gzip"),
            "{reply}"
        );
        assert_eq!(reply.json()["config"], config);
    });
}

#[test]
fn columns_that_every_event_keeps_are_not_dropped_and_marked() {
    on_every_backend(analytics::one_source, |api| {
        let path = format!("/api/sources/{GATEWAY}");
        for (lines, ignored) in [("m.x\n id ", "body.transform_drop_fields"), ("m.x\nid.x", "")] {
            let reply = api.patch(&path, json!({ "transform_drop_fields": lines }));
            assert_eq!((reply.status, reply.header("x-sim-ignored")), (201, ignored), "{lines:?}: {reply}");
        }
    });
}

#[test]
fn what_was_read_is_written_back_and_changes_nothing() {
    on_every_backend(analytics::one_source, |api| {
        let make = |api: &mut dyn Api, path: &str, body: Value| {
            let made = api.post(path, body);
            assert_eq!(made.status, 201, "{path}: {made}");
            made.json()
        };
        let to = json!({ "name": "b", "type": "webhook", "config": { "url": "https://a.example" } });
        let backend = make(api, "/api/backends", to)["id"].clone();
        let alert = json!({ "name": "a", "query": "select 1 as a from gateway", "cron": "*/15 * * * *" });
        for (path, body) in [
            ("/api/sources", json!({ "name": "other" })),
            ("/api/endpoints", json!({ "name": "e", "query": "select 1 as a" })),
            ("/api/rules", json!({ "source_id": 1, "backend_id": backend, "lql_string": "a" })),
            ("/api/alerts", alert),
        ] {
            let made = make(api, path, body);
            let one = format!("{path}/{}", made["token"].as_str().expect("a token"));
            let read = api.get(&one).json();
            let back = api.send(Call::put(&one).json(read.clone()));
            assert!(matches!(back.status, 200..=204), "{path}: {back}");
            assert_eq!(api.get(&one).json(), read, "{path}");
        }
    });
}
