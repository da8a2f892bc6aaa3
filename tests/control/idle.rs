//! `Policy.idle_pause_days`: projects on the free plan that nobody uses are paused.

use serde_json::json;

use crate::steps::{Steps as _, under};
use crate::support::both;

const DAY: u64 = 24 * 3600;

#[test]
fn an_idle_project_on_the_free_plan_is_paused() {
    let scene = || under(|policy| policy.idle_pause_days = Some(7));
    both(scene, |api| {
        api.plan("free");
        api.after(6 * DAY);
        let used = api.post("/v1/projects/{ref}/database/query", json!({ "query": "select 1" }));
        assert_eq!(used.status, 201);
        api.after(6 * DAY);
        // Reads are no use.
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
        api.after(DAY);
        assert_eq!(api.status(), "PAUSING");
        api.after(20);
        assert_eq!(api.status(), "INACTIVE");

        // A restored project is watched again.
        assert_eq!(api.act("/v1/projects/{ref}/restore").status, 200);
        api.after(120);
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
        api.after(7 * DAY + 20);
        assert_eq!(api.status(), "INACTIVE");
    });
}

#[test]
fn projects_are_not_paused_on_a_paid_plan_or_by_default() {
    let scene = || under(|policy| policy.idle_pause_days = Some(7));
    both(scene, |api| {
        api.plan("pro");
        api.after(30 * DAY);
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
        api.plan("free");
        api.after(8 * DAY);
        assert_eq!(api.status(), "INACTIVE");
    });
    let scene = || under(|_| {});
    both(scene, |api| {
        api.plan("free");
        api.after(60 * DAY);
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
    });
}
