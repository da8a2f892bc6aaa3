//! `/v1/projects/{ref}/restart`.

use sim_core::Role;
use sim_fixtures::{Call, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::on_both_engines;

const RESTART: &str = "/v1/projects/{ref}/restart";

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[(Call::post(RESTART), Role::Administrator)]);
}

#[test]
fn an_active_project_is_restarting_for_ten_seconds() {
    on_both_engines(scenario::active_project, |api| {
        assert_eq!(api.act(RESTART).status, 200);
        assert_eq!(api.status(), "RESTARTING");
        let text = "This project is not in an active state, it is RESTARTING";
        refused(&api.act(RESTART), 400, "project_not_active", text);
        api.after(10);
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
    });
}
