//! `/v1/projects/{ref}/restore`.

use insta::assert_snapshot;
use serde_json::{Value, json};
use sim_fixtures::{Api, scenario};

use crate::support::{on_both_engines, seconds};

use super::status;

#[test]
fn versions_are_listed_from_the_projects_own_engine_on() {
    on_both_engines(scenario::paused_project, |api| {
        assert_snapshot!(api.get("/v1/projects/{ref}/restore"), @r#"200 {"available_versions":[{"version":"15.8.1.040","release_channel":"ga","postgres_engine":"15"},{"version":"15.8.1.102","release_channel":"ga","postgres_engine":"15"},{"version":"17.4.1.043","release_channel":"ga","postgres_engine":"17"},{"version":"17.0.1.074","release_channel":"alpha","postgres_engine":"17-oriole"}]}"#);
    });
}

#[test]
fn a_paused_project_is_restored_on_the_newest_version_of_its_engine() {
    on_both_engines(scenario::paused_project, |api| {
        assert_eq!(version(api), "15.8.1.040");
        assert_snapshot!(api.act("/v1/projects/{ref}/restore"), @"200 {}");
        api.advance(seconds(119));
        assert_eq!(status(api), "RESTORING");
        api.advance(seconds(1));
        assert_eq!(status(api), "ACTIVE_HEALTHY");
        assert_eq!(version(api), "15.8.1.102");
    });
}

fn version(api: &mut dyn Api) -> Value {
    api.get("/v1/projects/{ref}").json()["database"]["version"].clone()
}

#[test]
fn a_restore_may_ask_for_a_later_engine() {
    on_both_engines(scenario::paused_project, |api| {
        let body = json!({ "postgres_engine": "17", "release_channel": "ga" });
        assert_eq!(api.post("/v1/projects/{ref}/restore", body).status, 200);
        api.advance(seconds(120));
        assert_eq!(version(api), "17.4.1.043");
    });
}

#[test]
fn a_restore_refuses_versions_that_are_not_offered() {
    on_both_engines(scenario::paused_project, |api| {
        let body = json!({ "postgres_engine": "17", "release_channel": "beta" });
        let reply = api.post("/v1/projects/{ref}/restore", body);
        assert_snapshot!(reply, @r#"400 {"message":"postgres_engine: no version of this engine and release channel is available for the project"}"#);
        assert_eq!(reply.reason(), "invalid_body.postgres_engine");
        assert_snapshot!(api.post("/v1/projects/{ref}/restore", json!({ "postgres_engine": "12" })), @r#"400 {"message":"postgres_engine: Invalid enum value. Expected '15' | '17' | '17-oriole', received '12'"}"#);
        assert_eq!(status(api), "INACTIVE");
    });
}

#[test]
fn a_project_that_is_not_paused_refuses_a_restore() {
    on_both_engines(scenario::pausing_project, |api| {
        let reply = api.act("/v1/projects/{ref}/restore");
        assert_snapshot!(reply, @r#"400 {"message":"This project is no longer in a paused state, it is PAUSING"}"#);
        assert_eq!(reply.reason(), "project_not_paused");
    });
}

#[test]
fn a_cancelled_restore_leaves_the_project_paused_as_before() {
    on_both_engines(scenario::restoring_project, |api| {
        assert_snapshot!(api.act("/v1/projects/{ref}/restore/cancel"), @"200 {}");
        assert_eq!(status(api), "INACTIVE");
        assert_eq!(version(api), "15.8.1.040");
    });
}

#[test]
fn there_is_nothing_to_cancel_unless_a_restore_is_under_way() {
    on_both_engines(scenario::active_project, |api| {
        let reply = api.act("/v1/projects/{ref}/restore/cancel");
        assert_snapshot!(reply, @r#"400 {"message":"This project is not being restored, it is ACTIVE_HEALTHY"}"#);
        assert_eq!(reply.reason(), "project_not_restoring");
    });
    on_both_engines(scenario::restoring_project, |api| {
        api.advance(seconds(120));
        assert_eq!(api.act("/v1/projects/{ref}/restore/cancel").status, 400);
    });
}

#[test]
fn a_failed_restore_is_restore_failed_and_can_only_be_deleted() {
    on_both_engines(scenario::failed_restore, |api| {
        assert_eq!(status(api), "RESTORE_FAILED");
        assert_snapshot!(api.act("/v1/projects/{ref}/restore"), @r#"400 {"message":"This project is no longer in a paused state, it is RESTORE_FAILED"}"#);
        assert_eq!(api.act("/v1/projects/{ref}/pause").status, 400);
        assert_eq!(api.delete("/v1/projects/{ref}").status, 200);
    });
}

#[test]
fn a_restore_beyond_the_free_quota_is_refused() {
    on_both_engines(scenario::free_quota_used_up, |api| {
        let reply = api.act("/v1/projects/{ref}/restore");
        assert_eq!((reply.status, reply.reason()), (403, "free_quota"));
        assert_eq!(status(api), "INACTIVE");
    });
}

#[test]
fn a_restore_within_the_free_quota_does_not_count_itself() {
    on_both_engines(scenario::free_quota_used_up, |api| {
        let active = api.get("/v1/projects").json()[1]["id"].as_str().expect("a reference").to_owned();
        assert_eq!(api.act(&format!("/v1/projects/{active}/pause")).status, 200);
        assert_snapshot!(api.act("/v1/projects/{ref}/restore"), @"200 {}");
    });
}
