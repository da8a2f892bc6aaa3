//! `/_sim/outcomes/{work}`.

use insta::assert_snapshot;
use serde_json::json;
use sim_fixtures::scenario;

use crate::support::{both, seconds};

#[test]
fn a_decided_outcome_is_used_up_by_the_next_work_of_its_kind() {
    both(scenario::active_project, |api| {
        assert_snapshot!(api.put("/_sim/outcomes/pause", json!({ "outcome": "fail" })), @"200 {}");
        let mut ends = Vec::new();
        for _ in 0..2 {
            api.act("/v1/projects/{ref}/pause");
            api.advance(seconds(20));
            ends.push(api.get("/v1/projects/{ref}").json()["status"].clone());
        }
        assert_eq!(ends, ["PAUSE_FAILED", "INACTIVE"]);
    });
}

#[test]
fn a_refused_call_uses_up_no_outcome() {
    both(scenario::paused_project, |api| {
        api.put("/_sim/outcomes/pause", json!({ "outcome": "fail" }));
        assert_eq!(api.act("/v1/projects/{ref}/pause").status, 400);
        api.act("/v1/projects/{ref}/restore");
        api.advance(seconds(120));
        api.act("/v1/projects/{ref}/pause");
        api.advance(seconds(20));
        assert_eq!(api.get("/v1/projects/{ref}").json()["status"], "PAUSE_FAILED");
    });
}

#[test]
fn work_and_outcome_are_known_words() {
    both(scenario::fresh, |api| {
        let reply = api.put("/_sim/outcomes/nap", json!({ "outcome": "fail" }));
        assert_eq!((reply.status, reply.reason()), (400, "invalid_path.work"), "{reply}");
        assert_snapshot!(api.put("/_sim/outcomes/pause", json!({ "outcome": "maybe" })), @r#"400 {"message":"outcome: Invalid enum value. Expected 'succeed' | 'fail', received 'maybe'"}"#);
    });
}
