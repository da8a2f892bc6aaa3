//! How many events a source and its user may send.

use insta::assert_snapshot;
use serde_json::json;
use sim_core::Policy;
use sim_core::engine::AnalyticsPolicy;
use sim_fixtures::analytics;
use sim_fixtures::{Api, Call, Reply};

use crate::support::{TICK, on_every_backend, seconds};

const PATH: &str = "/api/logs?source_name=gateway";
const HEADERS: [&str; 4] = [
    "x-rate-limit-user_limit",
    "x-rate-limit-user_remaining",
    "x-rate-limit-source_limit",
    "x-rate-limit-source_remaining",
];

fn send(api: &mut dyn Api, path: &str, count: usize) -> Reply {
    api.post(path, json!(vec![json!({}); count]))
}

fn standing(reply: &Reply) -> String {
    HEADERS.map(|name| reply.header(name)).join(" ")
}

#[test]
fn answers_say_where_source_and_user_stand() {
    on_every_backend(analytics::one_source, |api| {
        assert_eq!(standing(&send(api, PATH, 10)), "9000 9000 1500 1500");
        assert_eq!(standing(&send(api, PATH, 1)), "9000 8990 1500 1490");
        let rejected = api.post(PATH, json!([7]));
        assert_eq!((rejected.status, standing(&rejected).as_str()), (406, "9000 8989 1500 1489"));
    });
}

#[test]
fn a_source_over_its_quota_is_429_until_a_minute_has_gone_by() {
    on_every_backend(analytics::one_source, |api| {
        api.patch("/api/sources/11111111-1111-4111-8111-111111111111", json!({ "api_quota": 1 }));
        assert_eq!(send(api, PATH, 59).status, 200);
        assert_eq!(send(api, PATH, 10).status, 200, "the quota is not used up, so all are accepted");
        let reply = send(api, PATH, 1);
        assert_snapshot!(reply, @r#"429 {"error":"Source rate is over the API quota. Email support@platform.test to increase your rate limit."}"#);
        assert_eq!((reply.reason(), standing(&reply).as_str()), ("source_over_quota", "9000 8931 60 0"));
        api.advance(seconds(60) - TICK);
        assert_eq!(send(api, PATH, 1).status, 429);
        api.advance(TICK);
        assert_eq!(send(api, PATH, 1).status, 200);
        assert_eq!(api.get("/api/sources").json()[0]["metrics"]["inserts"], 70);
    });
}

#[test]
fn a_user_over_the_quota_is_429_at_every_source() {
    let scene = || {
        let analytics = AnalyticsPolicy { user_quota: 1, ..AnalyticsPolicy::default() };
        analytics::one_source_under(Policy { analytics, ..Policy::default() })
    };
    on_every_backend(scene, |api| {
        api.post("/api/sources", json!({ "name": "second" }));
        assert_eq!(send(api, PATH, 60).status, 200);
        let reply = send(api, "/api/logs?source_name=second", 1);
        assert_snapshot!(reply, @r#"429 {"error":"User rate is over the API quota. Email support@platform.test to increase your rate limit."}"#);
        assert_eq!((reply.reason(), standing(&reply).as_str()), ("user_over_quota", "60 0 1500 1500"));
        let other = Call::post("/api/sources").token("token-of-outsider").json(json!({ "name": "theirs" }));
        assert_eq!(api.send(other).status, 201);
        let theirs = Call::post("/api/logs?source_name=theirs").token("token-of-outsider").json(json!({}));
        assert_eq!(api.send(theirs).status, 200);
    });
}

#[test]
fn a_policy_judges_by_the_rates_of_the_plan() {
    let scene = || {
        let analytics = AnalyticsPolicy { plan_rates: true, ..AnalyticsPolicy::default() };
        analytics::one_source_under(Policy { analytics, ..Policy::default() })
    };
    on_every_backend(scene, |api| {
        assert_eq!(standing(&send(api, PATH, 1)), "30000000 30000000 6000000 6000000");
    });
}

#[test]
fn a_full_buffer_is_429_until_the_second_is_over() {
    let scene = || {
        let mut policy = Policy::default();
        policy.analytics.buffer_events = Some(2);
        analytics::one_source_under(policy)
    };
    on_every_backend(scene, |api| {
        assert_eq!(api.post(PATH, json!([{}, {}])).status, 200);
        let reply = api.post(PATH, json!({}));
        assert_snapshot!(reply, @r#"429 {"error":"Buffer Full: Too Many Requests"}"#);
        assert_eq!((reply.reason(), reply.header("retry-after")), ("buffer_full", "3"));
        api.advance(seconds(1));
        assert_eq!(api.post(PATH, json!({})).status, 200);
    });
}
