//! `/v1/projects/{ref}/readonly`.

use insta::assert_snapshot;
use serde_json::json;
use sim_core::management::project::CreateProject;
use sim_core::{Profile, Simulator};
use sim_fixtures::{Api, Reply, Scene, scenario};

use crate::support::{TICK, on_both_engines, seconds};

const PATH: &str = "/v1/projects/{ref}/readonly";

fn write(api: &mut dyn Api, bytes: i64) -> Reply {
    api.post("/_sim/projects/{ref}/database/writes", json!({ "bytes": bytes }))
}

fn disable(api: &mut dyn Api) -> Reply {
    api.act("/v1/projects/{ref}/readonly/temporary-disable")
}

#[test]
fn a_new_project_takes_writes() {
    on_both_engines(scenario::active_project, |api| {
        assert_snapshot!(api.get(PATH), @r#"200 {"enabled":false,"override_enabled":false,"override_active_until":"1970-01-01T00:00:00Z"}"#);
        assert_snapshot!(write(api, 1000), @r#"201 {"database_bytes":10001000}"#);
    });
}

#[test]
fn a_read_only_project_refuses_writes_as_its_database_would() {
    on_both_engines(scenario::read_only_project, |api| {
        assert_snapshot!(api.get(PATH), @r#"200 {"enabled":true,"override_enabled":false,"override_active_until":"1970-01-01T00:00:00Z"}"#);
        assert_snapshot!(write(api, 1), @r#"400 {"message":"Failed to run sql query: ERROR:  25006: cannot execute INSERT in a read-only transaction\n"}"#);
        assert_snapshot!(write(api, -1), @r#"400 {"message":"Failed to run sql query: ERROR:  25006: cannot execute DELETE in a read-only transaction\n"}"#);
    });
}

#[test]
fn an_override_allows_writes_for_15_minutes_to_the_instant() {
    on_both_engines(scenario::read_only_project, |api| {
        assert_eq!(write(api, 1).reason(), "read_only");
        assert_snapshot!(disable(api), @"201 {}");
        assert_snapshot!(api.get(PATH), @r#"200 {"enabled":true,"override_enabled":true,"override_active_until":"2026-01-01T00:16:00Z"}"#);
        assert_eq!(write(api, 1).status, 201);
        api.advance(seconds(15 * 60) - TICK);
        assert_eq!(write(api, 1).status, 201);
        api.advance(TICK);
        assert_eq!(write(api, 1).reason(), "read_only");
        assert_snapshot!(api.get(PATH), @r#"200 {"enabled":true,"override_enabled":false,"override_active_until":"2026-01-01T00:16:00Z"}"#);
    });
}

#[test]
fn a_second_override_restarts_the_15_minutes() {
    on_both_engines(scenario::read_only_override_about_to_end, |api| {
        assert_eq!(disable(api).status, 201);
        api.advance(seconds(15 * 60) - TICK);
        assert_eq!(write(api, 1).status, 201);
        api.advance(TICK);
        assert_eq!(write(api, 1).status, 400);
    });
}

#[test]
fn an_override_ends_without_effect_if_the_cause_is_gone() {
    on_both_engines(scenario::read_only_override_about_to_end, |api| {
        api.put("/_sim/projects/{ref}/read-only", json!({ "enabled": false }));
        assert_eq!(api.get(PATH).json()["override_enabled"], false);
        api.advance(TICK);
        assert_eq!(write(api, 1).status, 201);
    });
}

#[test]
fn an_override_of_nothing_does_nothing() {
    on_both_engines(scenario::active_project, |api| {
        assert_snapshot!(disable(api), @"201 {}");
        assert_snapshot!(api.get(PATH), @r#"200 {"enabled":false,"override_enabled":false,"override_active_until":"1970-01-01T00:00:00Z"}"#);
    });
}

#[test]
fn a_paid_database_is_read_only_beyond_95_percent_of_its_disk() {
    on_both_engines(scenario::active_project, |api| {
        // An empty database has 10 MB.
        assert_eq!(write(api, 7_782_400_000 - 10_000_000).status, 201);
        assert_eq!(api.get(PATH).json()["enabled"], false);
        assert_eq!(write(api, 1).status, 201);
        assert_eq!(api.get(PATH).json()["enabled"], true);
        assert_eq!(write(api, 1).reason(), "read_only");
        disable(api);
        assert_eq!(write(api, -1).status, 201);
        assert_eq!(api.get(PATH).json()["enabled"], false, "it fits again");
    });
}

#[test]
fn a_free_database_is_read_only_beyond_500_megabytes() {
    on_both_engines(scenario::active_project, |api| {
        assert_eq!(write(api, 490_000_001).status, 201);
        assert_eq!(api.get(PATH).json()["enabled"], false);
        api.put("/_sim/organizations/acme/plan", json!({ "plan": "free" }));
        assert_eq!(api.get(PATH).json()["enabled"], true);
    });
}

#[test]
fn a_project_that_is_not_active_refuses_writes() {
    on_both_engines(scenario::paused_project, |api| {
        let reply = write(api, 1);
        assert_snapshot!(reply, @r#"544 {"message":"Failed to run sql query: Connection terminated due to connection timeout"}"#);
        assert_eq!(reply.reason(), "service_unreachable");
    });
}

#[test]
fn a_profile_may_show_the_override_as_the_database_prints_it() {
    let scene = || {
        let profile = Profile { iso_override: false, ..Profile::default() };
        let mut sim = Simulator::builder().seed(scenario::SEED).profile(profile).build();
        let create = CreateProject::named("demo", "acme");
        Scene { project: sim.call(create).expect("it can be made").id, sim }
    };
    on_both_engines(scene, |api| {
        assert_snapshot!(api.get(PATH), @r#"200 {"enabled":false,"override_enabled":false,"override_active_until":"1970-01-01 00:00:00+00"}"#);
        api.put("/_sim/projects/{ref}/read-only", json!({ "enabled": true }));
        disable(api);
        assert_snapshot!(api.get(PATH), @r#"200 {"enabled":true,"override_enabled":true,"override_active_until":"2026-01-01 00:15:00+00"}"#);
    });
}
