//! `/v1/projects/{ref}/health`.

use insta::assert_snapshot;
use serde_json::json;
use sim_core::Edition;
use sim_fixtures::{Api, scenario};

use crate::steps::under;
use crate::support::{Begin, both, seconds};

use super::status;

#[test]
fn an_active_projects_services_are_healthy() {
    both(scenario::active_project, |api| {
        assert_snapshot!(api.get("/v1/projects/{ref}/health?services=auth,db,realtime"), @r#"200 [{"name":"auth","healthy":true,"status":"ACTIVE_HEALTHY","info":{"name":"AuthServer","version":"v2.170.0","description":"user registration and authentication"}},{"name":"db","healthy":true,"status":"ACTIVE_HEALTHY"},{"name":"realtime","healthy":true,"status":"ACTIVE_HEALTHY","info":{"healthy":true,"replication_connected":true,"db_connected":true,"connected_cluster":1}}]"#);
    });
}

#[test]
fn the_newest_edition_has_more_services() {
    let asked = "/v1/projects/{ref}/health?services=db_postgres_user,pg_bouncer";
    both(scenario::active_project, |api| {
        assert_snapshot!(api.get(asked), @r#"200 [{"name":"db_postgres_user","healthy":true,"status":"ACTIVE_HEALTHY"},{"name":"pg_bouncer","healthy":true,"status":"ACTIVE_HEALTHY"}]"#);
    });
    both(
        || under(|policy| policy.edition = Edition::V2025_05),
        |api| assert_eq!(api.get(asked).reason(), "invalid_query.services.0"),
    );
}

#[test]
fn services_are_given_by_comma_or_by_repetition() {
    both(scenario::active_project, |api| {
        let by_comma = api.get("/v1/projects/{ref}/health?services=pooler,rest,storage").to_string();
        for query in [
            "services=pooler&services=rest&services=storage",
            "services[]=pooler&services[]=rest,storage",
            "services[0]=pooler&services[1]=rest&services[2]=storage",
        ] {
            let query = query.replace('[', "%5B").replace(']', "%5D");
            assert_eq!(
                api.get(&format!("/v1/projects/{{ref}}/health?{query}")).to_string(),
                by_comma,
                "{query}"
            );
        }
    });
}

#[test]
fn health_follows_the_projects_status() {
    let rows: &[(Begin, &str)] = &[
        (scenario::new_project, "COMING_UP"),
        (scenario::active_project, "ACTIVE_HEALTHY"),
        (scenario::restoring_project, "COMING_UP"),
        (scenario::pausing_project, "UNHEALTHY"),
        (scenario::paused_project, "UNHEALTHY"),
        (scenario::failed_create, "UNHEALTHY"),
        (scenario::failed_pause, "UNHEALTHY"),
        (scenario::failed_restore, "UNHEALTHY"),
    ];
    for (scene, expected) in rows {
        both(scene, |api: &mut dyn Api| {
            let before = status(api);
            let health = api.get("/v1/projects/{ref}/health?services=db").json();
            assert_eq!(health[0]["status"], *expected, "{before}");
        });
    }
}

#[test]
fn one_broken_service_makes_the_project_unhealthy_until_it_is_mended() {
    both(scenario::unhealthy_project, |api| {
        assert_eq!(status(api), "ACTIVE_UNHEALTHY");
        assert_snapshot!(api.get("/v1/projects/{ref}/health?services=rest,db"), @r#"200 [{"name":"rest","healthy":false,"status":"UNHEALTHY","error":"connection refused"},{"name":"db","healthy":true,"status":"ACTIVE_HEALTHY"}]"#);
        assert_snapshot!(api.put("/_sim/projects/{ref}/health/rest", json!({ "healthy": true })), @"200 {}");
        assert_eq!(status(api), "ACTIVE_HEALTHY");
    });
}

#[test]
fn a_restored_project_has_no_broken_service() {
    both(scenario::unhealthy_project, |api| {
        api.act("/v1/projects/{ref}/pause");
        api.advance(seconds(20));
        api.act("/v1/projects/{ref}/restore");
        api.advance(seconds(120));
        api.put("/_sim/projects/{ref}/health/db", json!({ "healthy": false }));
        api.put("/_sim/projects/{ref}/health/db", json!({ "healthy": true }));
        assert_eq!(status(api), "ACTIVE_HEALTHY");
    });
}

#[test]
fn only_an_active_projects_services_break() {
    both(scenario::paused_project, |api| {
        assert_snapshot!(api.put("/_sim/projects/{ref}/health/rest", json!({ "healthy": false })), @r#"400 {"message":"Only an active project's services break and mend, this one is INACTIVE"}"#);
    });
}

#[test]
fn services_that_take_longer_than_the_timeout_are_unhealthy() {
    both(scenario::active_project, |api| {
        assert_snapshot!(api.get("/v1/projects/{ref}/health?services=db&timeout_ms=49"), @r#"200 [{"name":"db","healthy":false,"status":"UNHEALTHY","error":"no answer within 49 ms"}]"#);
        let in_time = api.get("/v1/projects/{ref}/health?services=db&timeout_ms=50").json();
        assert_eq!(in_time[0]["healthy"], true);
    });
}

#[test]
fn services_and_timeout_have_bounds() {
    both(scenario::active_project, |api| {
        assert_snapshot!(api.get("/v1/projects/{ref}/health"), @r#"400 {"message":"services: Required"}"#);
        assert_snapshot!(api.get("/v1/projects/{ref}/health?services="), @r#"400 {"message":"services: Array must contain at least 1 element(s)"}"#);
        assert_snapshot!(api.get("/v1/projects/{ref}/health?services=db,cron"), @r#"400 {"message":"services.1: Invalid enum value. Expected 'auth' | 'db' | 'pooler' | 'realtime' | 'rest' | 'storage' | 'db_postgres_user' | 'pg_bouncer', received 'cron'"}"#);
        assert_snapshot!(api.get("/v1/projects/{ref}/health?services=db&timeout_ms=10001"), @r#"400 {"message":"timeout_ms: Number must be less than or equal to 10000"}"#);
        assert_snapshot!(api.get("/v1/projects/{ref}/health?services=db&timeout_ms=soon"), @r#"400 {"message":"timeout_ms: Expected integer, received string"}"#);
    });
}
