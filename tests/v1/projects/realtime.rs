//! `/v1/projects/{ref}/config/realtime`.

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::both;

const REALTIME: &str = "/v1/projects/{ref}/config/realtime";
const SHUTDOWN: &str = "/v1/projects/{ref}/config/realtime/shutdown";

fn health(api: &mut dyn Api) -> String {
    let all = api.get("/v1/projects/{ref}/health?services=realtime,db").json();
    assert_eq!(all[1]["status"], "ACTIVE_HEALTHY");
    all[0]["status"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::get(REALTIME), Role::ReadOnly),
        (Call::new(Method::PATCH, REALTIME).json(json!({})), Role::Administrator),
        (Call::post(SHUTDOWN), Role::Administrator),
    ]);
}

#[test]
fn given_fields_change_and_the_rest_stays() {
    both(scenario::active_project, |api| {
        let first = api.get(REALTIME).json();
        assert_eq!(
            (&first["max_concurrent_users"], &first["presence_enabled"]),
            (&Value::Null, &json!(false))
        );
        assert_eq!(first.as_object().map(serde_json::Map::len), Some(13));
        assert_eq!(api.patch(REALTIME, json!({ "max_concurrent_users": 500 })).to_string(), "204 ");
        assert_eq!(api.patch(REALTIME, json!({ "private_only": true })).status, 204);
        let changed = api.get(REALTIME).json();
        assert_eq!((&changed["max_concurrent_users"], &changed["private_only"]), (&json!(500), &json!(true)));
        for (body, reason) in [
            (json!({ "max_joins_per_second": 5001 }), "invalid_body.max_joins_per_second"),
            (json!({ "connection_pool": 0 }), "invalid_body.connection_pool"),
            (json!({ "suspend": "yes" }), "invalid_body.suspend"),
            (json!({ "surprise": 1 }), "invalid_body.surprise"),
        ] {
            assert_eq!(api.patch(REALTIME, body).reason(), reason);
        }
        assert_eq!(api.get(REALTIME).json(), changed);
    });
}

#[test]
fn a_service_that_is_suspended_is_not_healthy() {
    both(scenario::active_project, |api| {
        api.patch(REALTIME, json!({ "suspend": true }));
        assert_eq!(health(api), "UNHEALTHY");
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
        api.patch(REALTIME, json!({ "suspend": false }));
        assert_eq!(health(api), "ACTIVE_HEALTHY");
    });
}

#[test]
fn after_a_shutdown_it_starts_again() {
    both(scenario::active_project, |api| {
        assert_eq!(api.act(SHUTDOWN).to_string(), "204 ");
        assert_eq!(health(api), "COMING_UP");
        api.after(9);
        assert_eq!(health(api), "COMING_UP");
        api.after(1);
        assert_eq!(health(api), "ACTIVE_HEALTHY");
        api.act("/v1/projects/{ref}/pause");
        let text = "This project is not in an active state, it is PAUSING";
        refused(&api.act(SHUTDOWN), 400, "project_not_active", text);
    });
}
