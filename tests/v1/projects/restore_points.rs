//! `/v1/projects/{ref}/database/backups/restore-point`, `…/undo`.

use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Api, Call, Reply, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::on_both_engines;

const POINT: &str = "/v1/projects/{ref}/database/backups/restore-point";
const UNDO: &str = "/v1/projects/{ref}/database/backups/undo";

fn make(api: &mut dyn Api, name: &str) -> Reply {
    api.post(POINT, json!({ "name": name }))
}

fn status(api: &mut dyn Api, name: &str) -> Value {
    api.get(&format!("{POINT}?name={name}")).json()["status"].clone()
}

fn sql(api: &mut dyn Api, query: &str) -> Value {
    let reply = api.post("/v1/projects/{ref}/database/query", json!({ "query": query }));
    assert_eq!(reply.status, 201, "{query}: {reply}");
    reply.json()
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let body = json!({ "name": "one" });
    refuse_strangers(&[
        (Call::get(POINT), Role::ReadOnly),
        (Call::post(POINT).json(body.clone()), Role::Administrator),
        (Call::post(UNDO).json(body), Role::Administrator),
    ]);
}

#[test]
fn a_database_is_restored_to_the_restore_point() {
    on_both_engines(scenario::active_project, |api| {
        sql(api, "create table note (id int); insert into note values (1)");
        assert_eq!(
            make(api, "first").to_string(),
            r#"201 {"name":"first","status":"PENDING","completed_on":null}"#
        );
        // The clock has not moved.
        sql(api, "insert into note values (2)");
        api.after(30);
        let done = r#"200 {"name":"first","status":"AVAILABLE","completed_on":"2026-01-01T00:01:30Z"}"#;
        assert_eq!(api.get(POINT).to_string(), done);
        make(api, "second");
        api.after(30);
        sql(api, "drop table note");
        assert_eq!(api.post(UNDO, json!({ "name": "first" })).to_string(), "201 {}");
        assert_eq!(api.status(), "RESTORING");
        api.after(180);
        assert_eq!(api.status(), "ACTIVE_HEALTHY");
        assert_eq!(sql(api, "select id from note"), json!([{ "id": 1 }]));
        assert_eq!((status(api, "first"), status(api, "second")), (json!("AVAILABLE"), json!("REMOVED")));
        sql(api, "delete from note");
        api.post(UNDO, json!({ "name": "first" }));
        api.after(180);
        assert_eq!(sql(api, "select id from note"), json!([{ "id": 1 }]), "it can be restored again");
    });
}

#[test]
fn a_point_before_anything_was_written_is_a_new_database() {
    on_both_engines(scenario::active_project, |api| {
        make(api, "new");
        api.after(30);
        sql(api, "create table note (id int)");
        api.post(UNDO, json!({ "name": "new" }));
        api.after(180);
        assert_eq!(sql(api, "select to_regclass('note') is null as gone"), json!([{ "gone": true }]));
    });
}

#[test]
fn only_an_active_project_goes_back_and_only_to_a_point_that_is_available() {
    on_both_engines(scenario::active_project, |api| {
        refused(&api.get(POINT), 404, "restore_point_not_found", "Restore point not found");
        refused(
            &api.post(UNDO, json!({ "name": "one" })),
            404,
            "restore_point_not_found",
            "Restore point not found",
        );
        make(api, "one");
        let text = "The restore point is not available, it is PENDING";
        refused(&api.post(UNDO, json!({ "name": "one" })), 400, "restore_point_not_available", text);
        let text = "A restore point with name one already exists in this project.";
        refused(&make(api, "one"), 400, "restore_point_exists", text);
        assert_eq!(make(api, "x".repeat(21).as_str()).reason(), "invalid_body.name");
        api.after(30);
        make(api, "two");
        api.act("/v1/projects/{ref}/pause");
        api.after(30);
        assert_eq!(status(api, "two"), "FAILED", "its project was paused under way");
        assert_eq!(make(api, "three").reason(), "project_not_active");
        assert_eq!(api.post(UNDO, json!({ "name": "one" })).reason(), "project_not_active");
    });
}
