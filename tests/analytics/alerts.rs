//! `/api/alerts`: queries that run on a schedule, and whose rows are sent to people.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::Policy;
use sim_core::engine::Warehouse;
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, Call};

use crate::support::{both, on_every_backend, seconds};

const QUERY: &str = "select event_message, timestamp as at, m.url from gateway as t
                     cross join unnest(t.metadata) as m order by timestamp";

fn good() -> Value {
    json!({
        "name": "failures", "query": QUERY, "cron": "*/15 * * * *",
        "webhook_notification_url": "http://127.0.0.1:9/hook",
    })
}

/// Creates it; returns its path.
fn alert(api: &mut dyn Api, body: Value) -> String {
    let reply = api.post("/api/alerts", body);
    assert_eq!(reply.status, 201, "{reply}");
    format!("/api/alerts/{}", reply.json()["token"].as_str().expect("a token"))
}

fn log(api: &mut dyn Api, message: &str) {
    let event = json!([{ "message": message, "metadata": { "url": "https://shop.test/a" } }]);
    assert_eq!(api.post(&format!("/api/logs?source={GATEWAY}"), event).status, 200);
}

fn outbox(api: &mut dyn Api) -> Vec<Value> {
    api.get("/_sim/outbox").json().as_array().expect("a list").clone()
}

fn body(message: &Value) -> Value {
    serde_json::from_str(message["body"].as_str().expect("text")).expect("JSON")
}

/// The results of the runs, from the world's history.
fn runs(api: &mut dyn Api) -> Vec<String> {
    let mut runs = Vec::new();
    api.look(&mut |sim| {
        let done = sim.history(None).into_iter().filter(|one| one.kind == "alert");
        runs = done.map(|one| format!("{} {}", one.at, one.became)).collect();
    });
    runs
}

#[test]
fn every_run_with_rows_is_sent_to_the_webhook() {
    on_every_backend(analytics::one_source, |api| {
        let path = alert(api, good());
        api.advance(seconds(15 * 60));
        assert!(outbox(api).is_empty(), "no rows, no message");
        log(api, "GET /a");
        api.advance(seconds(30 * 60));
        let sent = outbox(api);
        assert_eq!(sent.len(), 2, "a run keeps no state: the same rows are sent again");
        assert_eq!((&sent[0]["channel"], &sent[0]["source"]), (&json!("webhook"), &Value::Null));
        assert_eq!(path.rsplit('/').next(), sent[0]["alert"].as_str());
        assert_eq!(
            (&sent[0]["at"], &sent[1]["at"]),
            (&json!("2026-01-01T00:30:00Z"), &json!("2026-01-01T00:45:00Z"))
        );
        assert_snapshot!(body(&sent[0]), @r#"{"result":[{"event_message":"GET /a","at":1767226500000000,"url":"https://shop.test/a"}]}"#);
        assert_snapshot!(runs(api).join("\n"), @r"
        2026-01-01T00:15:00Z 0 rows
        2026-01-01T00:30:00Z 1 rows
        2026-01-01T00:45:00Z 1 rows
        ");
    });
}

#[test]
fn a_chat_message_has_each_row_with_readable_times_and_links() {
    both(analytics::one_source, |api| {
        let mut body_of = good();
        body_of["chat_hook_url"] = json!("http://127.0.0.1:9/chat");
        body_of["webhook_notification_url"] = Value::Null;
        alert(api, body_of);
        log(api, "a");
        log(api, "b");
        api.advance(seconds(15 * 60));
        let sent = outbox(api);
        assert_eq!((sent.len(), &sent[0]["channel"]), (1, &json!("chat")));
        let blocks = body(&sent[0])["blocks"].clone();
        assert_eq!(blocks.as_array().map(Vec::len), Some(3));
        assert_snapshot!(blocks[0], @r#"{"type":"section","text":{"type":"mrkdwn","text":"*failures*: 2 row(s), <https://analytics.platform.test/alerts/1|see the alert>"},"accessory":{"type":"button","text":{"type":"plain_text","text":"Manage"},"url":"https://analytics.platform.test/alerts/1"}}"#);
        assert_snapshot!(blocks[1], @r#"{"type":"rich_text","elements":[{"type":"rich_text_preformatted","elements":[{"type":"text","text":"at: "},{"type":"text","text":"2026-01-01T00:00:00Z"},{"type":"text","text":"\nevent_message: "},{"type":"text","text":"a"},{"type":"text","text":"\nurl: "},{"type":"link","url":"https://shop.test/a"}]}]}"#);
    });
}

#[test]
fn at_most_a_thousand_rows_are_sent() {
    on_every_backend(analytics::one_source, |api| {
        let mut many = good();
        many["query"] = json!("select n from gateway as t cross join unnest(generate_array(1, 1001)) as n");
        alert(api, many);
        log(api, "m");
        api.advance(seconds(15 * 60));
        assert_eq!(body(&outbox(api)[0])["result"].as_array().map(Vec::len), Some(1000));
    });
}

#[test]
fn a_run_with_a_failed_query_sends_nothing_and_is_in_the_history() {
    on_every_backend(analytics::one_source, |api| {
        let mut failing = good();
        failing["query"] = json!("select cast(event_message as int64) as n from gateway");
        alert(api, failing);
        log(api, "none");
        api.advance(seconds(15 * 60));
        assert!(outbox(api).is_empty());
        let failed = runs(api).pop().expect("a run");
        assert!(failed.starts_with("2026-01-01T00:15:00Z failed: ") && failed.contains("none"), "{failed}");
        assert_eq!(api.delete(&format!("/api/sources/{GATEWAY}")).status, 204);
        api.advance(seconds(15 * 60));
        let failed = runs(api).pop().expect("a run");
        assert!(
            failed.starts_with("2026-01-01T00:30:00Z failed: ") && failed.contains("gateway"),
            "{failed}"
        );
    });
}

#[test]
fn it_runs_in_the_warehouse_as_long_as_the_account_may() {
    let scene = || {
        let mut policy = Policy::default();
        policy.analytics.warehouse = Some(Warehouse::default());
        analytics::one_source_under(policy)
    };
    both(scene, |api| {
        alert(api, good());
        log(api, "m");
        api.advance(seconds(15 * 60));
        let webhooks = outbox(api).iter().filter(|message| message["channel"] == "webhook").count();
        assert_eq!((webhooks, runs(api).len()), (1, 1));
    });
    let may_not = || {
        let mut policy = Policy::default();
        let all_but_jobs = [
            "datasets.create",
            "datasets.get",
            "datasets.getIamPolicy",
            "datasets.update",
            "routines.create",
            "routines.update",
            "tables.create",
        ];
        let permissions = all_but_jobs.map(|one| format!("warehouse.{one}")).to_vec();
        policy.analytics.warehouse = Some(Warehouse { permissions, ..Warehouse::default() });
        analytics::one_source_under(policy)
    };
    both(may_not, |api| {
        alert(api, good());
        api.advance(seconds(15 * 60));
        let failed = runs(api).pop().expect("a run");
        assert!(failed.contains(" failed: ") && failed.contains("warehouse.jobs.create"), "{failed}");
    });
}

#[test]
fn a_source_that_is_renamed_is_still_read() {
    on_every_backend(analytics::one_source, |api| {
        let path = alert(api, good());
        assert_eq!(api.patch(&format!("/api/sources/{GATEWAY}"), json!({ "name": "other" })).status, 201);
        assert_eq!(api.patch(&path, json!({ "name": "renamed" })).status, 201);
        log(api, "m");
        api.advance(seconds(15 * 60));
        assert_eq!(outbox(api).len(), 1);
    });
}

#[test]
fn it_can_be_fetched_changed_and_deleted() {
    both(analytics::one_source, |api| {
        let mut simple = good();
        simple["query"] = json!("select 1 as one");
        let path = alert(api, simple);
        assert_snapshot!(api.get(&path), @r#"200 {"id":1,"token":"7ddc8797-8586-4dd9-a84f-1f5ec9c95820","name":"failures","description":null,"query":"select 1 as one","language":"wh_sql","cron":"*/15 * * * *","enabled":true,"webhook_notification_url":"http://127.0.0.1:9/hook","chat_hook_url":null,"backend_ids":[],"inserted_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z"}"#);
        assert_eq!(api.put(&path, json!({ "cron": "@hourly", "description": "d" })).status, 201);
        let changed = api.patch(&path, json!({ "description": null, "name": "n" })).json();
        assert_eq!(
            (&changed["cron"], &changed["name"], &changed["description"]),
            (&json!("@hourly"), &json!("n"), &Value::Null)
        );
        assert_eq!(api.get("/api/alerts").json(), json!([changed]));
        api.look(&mut |sim| assert_eq!(sim.agenda()[0].due.to_string(), "2026-01-01T01:00:00Z"));
        assert_eq!(api.delete(&path).status, 204);
        api.look(&mut |sim| assert!(sim.agenda().is_empty(), "its runs go with it"));
        assert_eq!(api.get(&path).to_string(), r#"404 {"error":"Not Found"}"#);
    });
}

#[test]
fn one_that_is_not_enabled_is_not_run() {
    both(analytics::one_source, |api| {
        let mut disabled = good();
        disabled["enabled"] = json!(false);
        let path = alert(api, disabled);
        log(api, "m");
        api.advance(seconds(3600));
        assert!(runs(api).is_empty());
        assert_eq!(api.patch(&path, json!({ "enabled": true })).status, 201);
        api.advance(seconds(15 * 60));
        assert_eq!(runs(api).len(), 1);
        assert_eq!(api.patch(&path, json!({ "enabled": false })).status, 201);
        api.look(&mut |sim| assert!(sim.agenda().iter().all(|due| due.kind != "alert")));
    });
}

#[test]
fn errors_in_an_alert_name_the_field() {
    both(analytics::one_source, |api| {
        let path = alert(api, good());
        let rows = [
            ("name", json!(" "), "can't be blank"),
            ("query", json!(""), "can't be blank"),
            ("query", json!("select 1 from nowhere"), "can't find source nowhere"),
            ("query", json!("delete from gateway"), "Only SELECT queries allowed"),
            ("cron", json!("hourly"), "must have five fields, as in */15 * * * *, has 1"),
            ("cron", json!("61 * * * *"), "the minute \"61\" is none"),
            ("cron", json!("0 0 30 2 *"), "never comes"),
            ("cron", json!("* * * * *"), "must leave 5 minutes between two runs"),
            ("cron", json!("*/4 * * * *"), "must leave 5 minutes between two runs"),
            ("webhook_notification_url", json!("hook"), "has invalid format"),
            ("chat_hook_url", json!("ftp://a/b"), "has invalid format"),
            ("language", json!("klingon"), "is invalid"),
            ("enabled", json!("yes"), "is invalid"),
            ("cron", json!(7), "is invalid"),
        ];
        for (field, value, problem) in rows {
            let mut body = good();
            body[field] = value.clone();
            let made = api.post("/api/alerts", body);
            let changed = api.patch(&path, json!({ field: value }));
            for reply in [made, changed] {
                assert_eq!(
                    (reply.status, &reply.json()["errors"][field]),
                    (422, &json!([problem])),
                    "{field} {value}"
                );
            }
        }
        for field in ["name", "query", "cron"] {
            let mut body = good();
            body.as_object_mut().expect("an object").remove(field);
            assert_eq!(api.post("/api/alerts", body).json()["errors"], json!({ field: ["can't be blank"] }));
        }
        assert_eq!(api.get("/api/alerts").json().as_array().map(Vec::len), Some(1));
        assert_eq!(api.patch(&path, json!({ "cron": "*/5 * * * *" })).status, 201);
    });
}

#[test]
fn how_far_apart_runs_must_be_is_a_knob() {
    let scene = || {
        let mut policy = Policy::default();
        policy.analytics.alerts_apart_ms = 15 * 60_000;
        analytics::one_source_under(policy)
    };
    both(scene, |api| {
        let mut often = good();
        often["cron"] = json!("*/14 * * * *");
        let refused = api.post("/api/alerts", often);
        assert_snapshot!(refused, @r#"422 {"errors":{"cron":["must leave 15 minutes between two runs"]}}"#);
        alert(api, good());
    });
}

#[test]
fn alerts_and_sources_of_others_are_not_accessible() {
    both(analytics::one_source, |api| {
        let path = alert(api, good());
        let outsider = |call: Call| call.token("token-of-outsider");
        let refused = api.send(outsider(Call::post("/api/alerts").json(good())));
        assert_eq!(refused.json()["errors"]["query"], json!(["can't find source gateway"]));
        assert_eq!(api.send(outsider(Call::get("/api/alerts"))).json(), json!([]));
        for call in [Call::get(&path), Call::put(&path).json(json!({})), Call::delete(&path)] {
            assert_eq!(api.send(outsider(call)).status, 404);
        }
        assert_eq!(api.get(&path).status, 200);
    });
}

#[test]
fn an_alert_is_a_table_to_queries_of_its_dialect() {
    on_every_backend(analytics::one_source, |api| {
        let path = alert(api, good());
        log(api, "GET /a");
        let ask = |api: &mut dyn Api, query: &str| api.get(&format!("/api/query?{query}"));
        let read = ask(api, "sql=select%20event_message,%20url%20from%20failures");
        assert_eq!(
            read.json()["result"],
            json!([{ "event_message": "GET /a", "url": "https://shop.test/a" }]),
            "{read}"
        );
        assert_eq!(ask(api, "pg_sql=select%20*%20from%20failures").status, 400, "it is in the other dialect");
        let counted = json!({ "name": "n", "query": "select count(*) as n from failures" });
        let token = api.post("/api/endpoints", counted).json()["token"].clone();
        let path_of = format!("/api/endpoints/query/{}", token.as_str().expect("a token"));
        assert_eq!(api.get(&path_of).json()["result"], json!([{ "n": 1 }]));
        // A source of its name stays what it was.
        assert_eq!(api.patch(&path, json!({ "name": "gateway" })).status, 201);
        let read = ask(api, "sql=select%20id%20from%20gateway%20where%20event_message%20%3D%20'GET%20/a'");
        assert_eq!(read.json()["result"].as_array().map(Vec::len), Some(1), "{read}");
        let renamed = api.patch(&path, json!({ "name": "again" }));
        assert_eq!(renamed.status, 201);
        let itself = api.patch(&path, json!({ "query": "select * from again" }));
        assert_eq!(itself.status, 422, "{itself}");
        assert_eq!(api.get(&path).json()["query"], QUERY);
    });
}

#[test]
fn a_query_with_a_parameter_is_refused_as_nobody_gives_it() {
    both(analytics::one_source, |api| {
        let mut alert = good();
        alert["query"] = json!("select id from gateway where event_message = @text");
        let reply = api.post("/api/alerts", alert);
        assert_snapshot!(reply, @r#"422 {"errors":{"query":["has the parameter @text, which nobody gives"]}}"#);
    });
}
