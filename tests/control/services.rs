//! Services that come up one by one: `Policy.durations.services`, `/_sim/projects/{ref}/health/{service}` with `after_ms`.

use http::Method;
use serde_json::json;
use sim_core::Pace;
use sim_core::engine::ServiceDurations;
use sim_fixtures::Api;

use crate::steps::{Steps as _, under};
use crate::support::both;

/// The health of these services.
fn health(api: &mut dyn Api, services: &str) -> Vec<String> {
    let shown = api.get(&format!("/v1/projects/{{ref}}/health?services={services}")).json();
    let shown = shown.as_array().expect("a list").iter();
    shown.map(|service| service["status"].as_str().unwrap_or_default().to_owned()).collect()
}

/// The status of a query, and of the list of buckets.
fn use_of(api: &mut dyn Api) -> (u16, u16) {
    let query = api.post("/v1/projects/{ref}/database/query", json!({ "query": "select 1" })).status;
    (query, api.get("/v1/projects/{ref}/storage/buckets").status)
}

fn slow(api: &mut dyn Api, service: &str, after_ms: u64) {
    let path = format!("/_sim/projects/{{ref}}/health/{service}");
    api.control(Method::PUT, &path, json!({ "healthy": true, "after_ms": after_ms }));
}

#[test]
fn services_come_up_one_by_one_after_their_project() {
    let services = ServiceDurations { db_ms: 10_000, storage_ms: 20_000, ..ServiceDurations::default() };
    let scene = || under(|policy| policy.durations.services = services.clone());
    both(scene, |api| {
        // The project of the scene is ACTIVE_HEALTHY since this instant.
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
        assert_eq!(health(api, "db,storage,auth"), ["COMING_UP", "COMING_UP", "ACTIVE_HEALTHY"]);
        assert_eq!(use_of(api), (544, 544));
        api.after(10);
        assert_eq!(health(api, "db,storage"), ["ACTIVE_HEALTHY", "COMING_UP"]);
        assert_eq!(use_of(api), (201, 544));
        api.after(10);
        assert_eq!(use_of(api), (201, 200));
        // They come up again whenever the project becomes active.
        api.act("/v1/projects/{ref}/pause");
        api.after(20);
        api.act("/v1/projects/{ref}/restore");
        api.after(120);
        assert_eq!((api.status().as_str(), use_of(api)), ("ACTIVE_HEALTHY", (544, 544)));
    });
}

#[test]
fn a_service_comes_up_late_in_one_project() {
    let scene = || under(|_| {});
    both(scene, |api| {
        slow(api, "db", 5_000);
        assert_eq!(health(api, "db"), ["COMING_UP"]);
        let refused = api.post("/v1/projects/{ref}/database/query", json!({ "query": "select 1" }));
        let call: u64 = refused.header("x-sim-call").parse().expect("a number");
        let why = sim_fixtures::api::peek(api, |sim| sim.explain(call).expect("it is there").to_string());
        assert!(why.contains("service.status = COMING_UP, since call 2"), "{why}");
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
        api.after(5);
        assert_eq!((health(api, "db"), use_of(api)), (vec!["ACTIVE_HEALTHY".to_owned()], (201, 200)));

        // In a paused project it is decided for its next starts.
        api.act("/v1/projects/{ref}/pause");
        api.after(20);
        slow(api, "storage", 7_000);
        api.act("/v1/projects/{ref}/restore");
        api.after(120);
        assert_eq!((api.status().as_str(), use_of(api)), ("ACTIVE_HEALTHY", (201, 544)));
        api.after(7);
        assert_eq!(use_of(api), (201, 200));
    });
}

#[test]
fn a_service_that_comes_up_can_break_and_recover_at_once() {
    let scene = || under(|_| {});
    both(scene, |api| {
        slow(api, "db", 60_000);
        let path = "/_sim/projects/{ref}/health/db";
        api.control(Method::PUT, path, json!({ "healthy": false }));
        assert_eq!(
            (api.status().as_str(), health(api, "db")),
            ("ACTIVE_UNHEALTHY", vec!["UNHEALTHY".to_owned()])
        );
        api.control(Method::PUT, path, json!({ "healthy": true }));
        assert_eq!((api.status().as_str(), use_of(api)), ("ACTIVE_HEALTHY", (201, 200)));
        let reply = api.put(path, json!({ "healthy": false, "after_ms": 5 }));
        assert_eq!((reply.status, reply.reason()), (400, "invalid_body.after_ms"));
    });
}

#[test]
fn at_the_instant_pace_services_come_up_with_their_project() {
    let services = ServiceDurations { db_ms: 10_000, ..ServiceDurations::default() };
    let scene = || {
        under(|policy| {
            policy.pace = Pace::Instant;
            policy.durations.services = services.clone();
        })
    };
    both(scene, |api| assert_eq!(use_of(api), (201, 200)));
}
