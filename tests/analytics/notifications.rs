//! Notifications of new events and new fields: `/_sim/outbox`.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_core::Policy;
use sim_core::engine::Warehouse;
use sim_fixtures::analytics::{self, GATEWAY};
use sim_fixtures::{Api, InProcess};

use crate::support::{both, seconds};

const HOURS: u64 = 3600;

fn set(api: &mut dyn Api, settings: Value) {
    let reply = api.patch(&format!("/api/sources/{GATEWAY}"), settings);
    assert_eq!(reply.status, 201, "{reply}");
}

fn send(api: &mut dyn Api, count: usize) {
    let events: Vec<_> = (0..count).map(|n| json!({ "message": format!("event {n}") })).collect();
    assert_eq!(api.post(&format!("/api/logs?source={GATEWAY}"), json!(events)).status, 200);
}

fn outbox(api: &mut dyn Api) -> Vec<Value> {
    api.get("/_sim/outbox").json().as_array().expect("a list").clone()
}

#[test]
fn a_tick_reports_the_events_since_the_last_one() {
    both(analytics::one_source, |api| {
        set(api, json!({ "notifications": { "user_email_notifications": true } }));
        send(api, 2);
        api.advance(seconds(4 * HOURS - 1));
        send(api, 1);
        assert!(outbox(api).is_empty());
        api.advance(seconds(1));
        let sent = outbox(api);
        assert_snapshot!(sent[0], @r#"{"id":1,"at":"2026-01-01T04:00:00Z","source":"11111111-1111-4111-8111-111111111111","alert":null,"channel":"email","recipient":"owner@example.test","subject":"3 New Event(s) for gateway","body":"gateway has 3 new event(s).\n\nSee them: https://analytics.platform.test/sources/1\nUnsubscribe: https://analytics.platform.test/sources/1/unsubscribe\n","status":null,"answer":null}"#);
        api.advance(seconds(100 * HOURS));
        assert_eq!(outbox(api).len(), 1, "without events a tick sends nothing");
        send(api, 1);
        api.advance(seconds(4 * HOURS));
        assert_eq!(outbox(api)[1]["subject"], "1 New Event(s) for gateway");
        assert_eq!(outbox(api)[1]["at"], "2026-01-05T12:00:00Z", "ticks keep their time");
    });
}

#[test]
fn each_channel_has_its_recipients() {
    both(analytics::one_source, |api| {
        api.post("/api/teams", json!({ "name": "team" }));
        set(
            api,
            json!({
                "notifications_every": 1000,
                "notifications": {
                    "user_email_notifications": true, "user_text_notifications": true,
                    "other_email_notifications": "a@example.test, b@example.test", "team_user_ids_for_email": ["99"],
                },
                "webhook_notification_url": "http://127.0.0.1:9/hook", "chat_hook_url": "http://127.0.0.1:9/chat",
            }),
        );
        send(api, 7);
        api.advance(seconds(1));
        let sent = outbox(api);
        let lines: Vec<_> =
            sent.iter().map(|one| format!("{} {}", one["channel"], one["recipient"])).collect();
        assert_snapshot!(lines.join("\n"), @r#"
        "email" "owner@example.test"
        "email" "a@example.test"
        "email" "b@example.test"
        "sms" "owner@example.test"
        "webhook" "http://127.0.0.1:9/hook"
        "chat" "http://127.0.0.1:9/chat"
        "#);
        assert_snapshot!(sent[3]["body"], @r#""gateway has 7 new event(s). See: https://analytics.platform.test/sources/1""#);
        assert_snapshot!(sent[4]["body"].as_str().unwrap_or_default(), @r#"{"rate":7,"source_name":"gateway","source":"11111111-1111-4111-8111-111111111111","recent_events":["event 2","event 3","event 4","event 5","event 6"]}"#);
        let chat: Value = serde_json::from_str(sent[5]["body"].as_str().unwrap_or_default()).expect("JSON");
        assert_eq!(chat["blocks"].as_array().map(Vec::len), Some(4));
        assert_snapshot!(chat["blocks"][0], @r#"{"type":"section","text":{"type":"mrkdwn","text":"*7 new event(s)* for `gateway`"},"accessory":{"type":"button","text":{"type":"plain_text","text":"View events"},"url":"https://analytics.platform.test/sources/1"}}"#);
        assert_snapshot!(chat["blocks"][1], @r#"{"type":"rich_text","elements":[{"type":"rich_text_preformatted","elements":[{"type":"text","text":"2026-01-01T00:00:00Z: event 4"}]}]}"#);
    });
}

#[test]
fn a_host_of_the_profile_gets_embeds_and_is_asked_to_wait() {
    both(analytics::one_source, |api| {
        let tells = [
            ("http://embeds.test/hook", "http://embeds.test/hook?wait=true"),
            ("https://a.EMBEDS.test:8/hook?b=c", "https://a.EMBEDS.test:8/hook?b=c&wait=true"),
            ("http://notembeds.test/hook", "http://notembeds.test/hook"),
        ];
        for (at, (url, recipient)) in tells.into_iter().enumerate() {
            set(api, json!({ "webhook_notification_url": url, "notifications_every": 1000 }));
            send(api, 4);
            api.advance(seconds(1));
            assert_eq!(outbox(api)[at]["recipient"], recipient);
        }
        assert_snapshot!(outbox(api)[0]["body"].as_str().unwrap_or_default(), @r#"{"username":"Analytics","avatar_url":"https://analytics.platform.test/icon.png","embeds":[{"author":{"name":"gateway","url":"https://analytics.platform.test/sources/1","icon_url":"https://analytics.platform.test/icon.png"},"title":"4 new event(s)","fields":[{"name":"2026-01-01T00:00:00Z","value":"```event 1```"},{"name":"2026-01-01T00:00:00Z","value":"```event 2```"},{"name":"2026-01-01T00:00:00Z","value":"```event 3```"}]}]}"#);
        let long = json!([{ "message": "x".repeat(2000) }]);
        set(api, json!({ "webhook_notification_url": "http://embeds.test/" }));
        assert_eq!(api.post(&format!("/api/logs?source={GATEWAY}"), long).status, 200);
        api.advance(seconds(1));
        let body: Value =
            serde_json::from_str(outbox(api)[3]["body"].as_str().unwrap_or_default()).expect("JSON");
        let value = body["embeds"][0]["fields"][2]["value"].as_str().map(str::len);
        assert_eq!(value, Some(1024));
    });
}

#[test]
fn a_chat_gets_only_new_events_and_is_removed_when_it_no_longer_exists() {
    both(analytics::one_source, |api| {
        set(api, json!({ "chat_hook_url": "http://127.0.0.1:9/chat", "notifications_every": 120_000 }));
        send(api, 1);
        api.advance(seconds(120));
        assert!(outbox(api).is_empty(), "an event two minutes ago is not new");
        api.advance(seconds(100));
        send(api, 1);
        api.advance(seconds(20));
        assert_eq!(outbox(api).len(), 1);
        assert_eq!(api.post("/_sim/outbox/1", json!({ "answer": "no_service" })).status, 200);
        assert_eq!(api.get(&format!("/api/sources/{GATEWAY}")).json()["chat_hook_url"], json!(null));
        assert_eq!(outbox(api)[0]["answer"], "no_service");
        assert_eq!(api.get("/_sim/outbox?after=1").json(), json!([]));
        assert_eq!(api.post("/_sim/outbox/9", json!({ "answer": "ok" })).reason(), "message_not_found");
    });
}

#[test]
fn a_change_of_settings_restarts_the_timer_and_loses_nothing() {
    both(analytics::one_source, |api| {
        set(api, json!({ "notifications": { "user_email_notifications": true } }));
        send(api, 2);
        set(api, json!({ "notifications_every": 10_000 }));
        api.advance(seconds(10));
        assert_eq!(outbox(api)[0]["subject"], "2 New Event(s) for gateway");
        send(api, 1);
        api.delete(&format!("/api/sources/{GATEWAY}"));
        api.look(&mut |sim| assert!(sim.agenda().is_empty(), "a timer goes with its source"));
    });
}

#[test]
fn a_new_recipient_gets_only_new_events() {
    both(analytics::one_source, |api| {
        send(api, 5);
        set(
            api,
            json!({ "notifications": { "user_email_notifications": true }, "notifications_every": 10_000 }),
        );
        send(api, 1);
        api.advance(seconds(10));
        assert_eq!(outbox(api)[0]["subject"], "1 New Event(s) for gateway");
    });
}

#[test]
fn new_columns_in_the_warehouse_are_reported_by_mail() {
    let scene = || {
        let mut policy = Policy::default();
        policy.analytics.warehouse = Some(Warehouse::default());
        analytics::one_source_under(policy)
    };
    both(scene, |api| {
        api.post(&format!("/api/logs?source={GATEWAY}"), json!([{ "a": { "b": 1 } }]));
        api.post(&format!("/api/logs?source={GATEWAY}"), json!([{ "a": { "b": 2 } }]));
        let sent = outbox(api);
        assert_eq!(sent.len(), 1);
        assert_snapshot!(sent[0]["subject"], @r#""New Fields Found for Source gateway""#);
        assert_snapshot!(sent[0]["body"], @r#""New fields: a.b\n\nAll fields:\na.b: integer\nevent_message: string\nid: string\ntimestamp: timestamp\n""#);
        set(api, json!({ "notifications": { "user_schema_update_notifications": false } }));
        api.post(&format!("/api/logs?source={GATEWAY}"), json!([{ "c": 1 }]));
        assert_eq!(outbox(api).len(), 1);
    });
}

#[test]
fn whoever_posts_takes_each_message_once() {
    let mut sim = analytics::one_source();
    let webhook =
        json!({ "webhook_notification_url": "http://127.0.0.1:9/hook", "notifications_every": 1000 });
    let mut api = InProcess::new(sim.fork());
    set(&mut api, webhook);
    set(&mut api, json!({ "notifications": { "user_email_notifications": true } }));
    send(&mut api, 1);
    api.advance(seconds(1));
    api.look(&mut |world| {
        let (snapshot, mut fork) = (world.snapshot(), world.fork());
        let taken: Vec<_> = world.take_posts().iter().map(|message| message.id).collect();
        assert_eq!(taken, [2], "mail is not posted");
        assert!(world.take_posts().is_empty());
        assert_eq!(fork.take_posts().len(), 1, "it was forked before");
        let message = fork.fork().take_posts();
        assert!(message.is_empty(), "and the next one");
        world.restore(&snapshot);
        assert_eq!(world.take_posts().len(), 1, "as it was when the snapshot was taken");
    });
    assert!(sim.take_posts().is_empty());
    assert!(
        sim_core::Simulator::builder().build().take_posts().is_empty(),
        "a world of projects sends nothing"
    );
}
