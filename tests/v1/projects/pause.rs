//! `/v1/projects/{ref}/pause`.

use insta::assert_snapshot;
use sim_core::Policy;
use sim_fixtures::{Api, scenario};

use crate::support::{Begin, on_both_engines, seconds};

use super::status;

#[test]
fn an_active_project_is_pausing_for_20_seconds() {
    on_both_engines(scenario::active_project, |api| {
        assert_snapshot!(api.act("/v1/projects/{ref}/pause"), @"200 {}");
        api.advance(seconds(19));
        assert_eq!(status(api), "PAUSING");
        api.advance(seconds(1));
        assert_eq!(status(api), "INACTIVE");
    });
}

#[test]
fn paused_project_refuses_a_second_pause() {
    on_both_engines(scenario::paused_project, |api| {
        let reply = api.act("/v1/projects/{ref}/pause");
        assert_snapshot!(reply, @r#"400 {"message":"This project is not in an active state, it is INACTIVE"}"#);
        assert_eq!(reply.reason(), "project_not_active");
    });
}

#[test]
fn a_pause_is_refused_unless_active_or_coming_up() {
    let rows: &[(Begin, u16)] = &[
        (scenario::new_project, 200),
        (scenario::active_project, 200),
        (scenario::unhealthy_project, 200),
        (scenario::failed_pause, 200),
        (scenario::pausing_project, 400),
        (scenario::paused_project, 400),
        (scenario::restoring_project, 400),
        (scenario::failed_restore, 400),
        (scenario::failed_create, 400),
        (scenario::removed_project, 400),
    ];
    for (scene, expected) in rows {
        on_both_engines(scene, |api: &mut dyn Api| {
            let before = api.get("/v1/projects").json()[0]["status"].clone();
            assert_eq!(api.act("/v1/projects/{ref}/pause").status, *expected, "{before}");
        });
    }
}

#[test]
fn a_failed_pause_is_pause_failed_and_can_be_tried_again() {
    on_both_engines(scenario::failed_pause, |api| {
        assert_eq!(status(api), "PAUSE_FAILED");
        assert_eq!(api.act("/v1/projects/{ref}/pause").status, 200);
        api.advance(seconds(20));
        assert_eq!(status(api), "INACTIVE");
    });
}

#[test]
fn a_policy_may_refuse_to_pause_paid_projects() {
    let policy = Policy { pause_paid_projects: false, ..Policy::default() };
    on_both_engines(
        || scenario::active_project_under(policy.clone()),
        |api| {
            let reply = api.act("/v1/projects/{ref}/pause");
            assert_snapshot!(reply, @r#"403 {"message":"Your account does not have the necessary privileges to access this endpoint. For more details, refer to our documentation on access control."}"#);
            assert_eq!(reply.reason(), "paid_project");
        },
    );
}
