//! `/v1/projects/{ref}/analytics/endpoints/metrics`.

use http::Method;
use serde_json::json;
use sim_core::Role;
use sim_fixtures::{Api, Call, scenario};

use crate::steps::{Steps as _, refuse_strangers};
use crate::support::both;

const METRICS: &str = "/v1/projects/{ref}/analytics/endpoints/metrics";

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[(Call::get(METRICS), Role::ReadOnly)]);
}

/// The value of a gauge.
fn gauge(api: &mut dyn Api, name: &str) -> String {
    let reply = api.get(METRICS);
    let text = String::from_utf8(reply.body.to_vec()).expect("it is text");
    let line = text.lines().find(|line| line.starts_with(name)).expect("there is such a gauge");
    line.rsplit(' ').next().unwrap_or_default().to_owned()
}

#[test]
fn gauges_follow_the_project() {
    both(scenario::active_project, |api| {
        assert_eq!(gauge(api, "pg_up"), "1");
        let size: u64 = gauge(api, "pg_database_size_bytes").parse().expect("a number");
        let bytes = json!({ "bytes": 5_000_000 });
        api.control(Method::POST, "/_sim/projects/{ref}/database/writes", bytes);
        assert_eq!(gauge(api, "pg_database_size_bytes"), (size + 5_000_000).to_string());
        assert_eq!(gauge(api, "pg_settings_default_transaction_read_only"), "0");
        api.act("/v1/projects/{ref}/pause");
        assert_eq!(gauge(api, "pg_up"), "0");
    });
}
