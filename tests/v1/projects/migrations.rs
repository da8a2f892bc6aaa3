//! `/v1/projects/{ref}/database/migrations`.

use http::Method;
use serde_json::{Value, json};
use sim_core::Role;
use sim_fixtures::{Api, Call, Reply, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused};
use crate::support::on_both_engines;

const MIGRATIONS: &str = "/v1/projects/{ref}/database/migrations";

fn apply(api: &mut dyn Api, body: Value) -> Reply {
    api.post(MIGRATIONS, body)
}

fn versions(api: &mut dyn Api) -> Vec<String> {
    let all = api.get(MIGRATIONS).json();
    all.as_array()
        .expect("a list")
        .iter()
        .map(|one| one["version"].as_str().unwrap_or_default().to_owned())
        .collect()
}

fn has_table(api: &mut dyn Api, name: &str) -> Value {
    let query = format!("select to_regclass('{name}') is not null as there");
    api.post("/v1/projects/{ref}/database/query", json!({ "query": query })).json()[0]["there"].clone()
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    let change = json!({ "query": "select 1" });
    refuse_strangers(&[
        (Call::get(MIGRATIONS), Role::ReadOnly),
        (Call::post(MIGRATIONS).json(change.clone()), Role::Developer),
        (Call::put(MIGRATIONS).json(change), Role::Developer),
        (Call::get("/v1/projects/{ref}/database/migrations/1"), Role::ReadOnly),
        (
            Call::new(Method::PATCH, "/v1/projects/{ref}/database/migrations/1").json(json!({})),
            Role::Developer,
        ),
        (Call::delete("/v1/projects/{ref}/database/migrations?gte=1"), Role::Developer),
    ]);
}

#[test]
fn a_migration_is_made_and_recorded_or_neither() {
    on_both_engines(scenario::active_project, |api| {
        assert_eq!(api.get(MIGRATIONS).to_string(), "200 []");
        assert_eq!(
            apply(api, json!({ "query": "create table a (id int)", "name": "a" })).to_string(),
            "200 {}"
        );
        assert_eq!(apply(api, json!({ "query": "create table b (id int)" })).status, 200);
        let two = ["20260101000100", "20260101000101"];
        assert_eq!(versions(api), two, "both at the same time");
        let one = api.get(&format!("{MIGRATIONS}/{}", two[0])).json();
        let (statements, by) = (["create table a (id int)"], "owner@example.test");
        let recorded = json!({ "version": two[0], "name": "a", "statements": statements, "created_by": by });
        assert_eq!(one, recorded);
        let reply = apply(api, json!({ "query": "create table c (id int); create table a (id int)" }));
        assert_eq!(reply.reason(), "sql_error", "{reply}");
        assert_eq!((versions(api).len(), has_table(api, "c")), (2, json!(false)));
        refused(&api.get(&format!("{MIGRATIONS}/1")), 404, "migration_not_found", "Migration not found");
        assert_eq!(api.get(&format!("{MIGRATIONS}/last")).reason(), "invalid_path.version");
        api.act("/v1/projects/{ref}/pause");
        assert_eq!(api.get(MIGRATIONS).reason(), "service_unreachable");
    });
}

#[test]
fn a_migration_sent_again_under_its_key_is_not_made_again() {
    on_both_engines(scenario::active_project, |api| {
        let send = |api: &mut dyn Api, query: &str| {
            api.send(Call::post(MIGRATIONS).json(json!({ "query": query })).header("idempotency-key", "one"))
        };
        assert_eq!(send(api, "create table a (id int)").status, 200);
        assert_eq!(send(api, "create table a (id int)").status, 200);
        let text = "idempotency-key: was used for another migration";
        refused(&send(api, "create table b (id int)"), 400, "idempotency_key_used", text);
        assert_eq!(versions(api).len(), 1);
        let named =
            json!({ "query": "create table a (id int)", "name": "other", "rollback": "drop table a" });
        let again = api.send(Call::post(MIGRATIONS).json(named).header("idempotency-key", "one"));
        assert_eq!((again.status, again.header("x-sim-ignored")), (200, "body.name,body.rollback"));
    });
}

#[test]
fn an_upsert_records_without_running_and_replaces_the_record_of_its_key() {
    on_both_engines(scenario::active_project, |api| {
        for query in ["create table a (id int)", "create table b (id int)"] {
            let call = Call::put(MIGRATIONS).json(json!({ "query": query })).header("idempotency-key", "one");
            assert_eq!(api.send(call).to_string(), "200 {}");
        }
        let version = versions(api);
        assert_eq!((version.len(), has_table(api, "b")), (1, json!(false)));
        let one = api.get(&format!("{MIGRATIONS}/{}", version[0])).json();
        assert_eq!(
            (&one["statements"][0], &one["idempotency_key"]),
            (&json!("create table b (id int)"), &json!("one"))
        );
    });
}

#[test]
fn migrations_are_taken_back_newest_first_unless_one_does_not_say_how() {
    on_both_engines(scenario::active_project, |api| {
        apply(api, json!({ "query": "create table a (id int)" }));
        apply(api, json!({ "query": "create table b (id int primary key)", "rollback": "drop table b" }));
        let last = json!({ "query": "create table c (id int references b)", "rollback": "drop table c" });
        apply(api, last);
        let all = versions(api);
        let back = |version: &str| format!("{MIGRATIONS}?gte={version}");
        let text = format!("Migration {} has no rollback", all[0]);
        refused(&api.delete(&back(&all[0])), 400, "no_rollback", &text);
        assert_eq!(api.delete(&back(&all[1])).to_string(), "200 {}");
        assert_eq!(versions(api), all[..1]);
        assert_eq!(
            [has_table(api, "a"), has_table(api, "b"), has_table(api, "c")],
            [json!(true), json!(false), json!(false)]
        );
        assert_eq!(api.delete(&back(&all[1])).status, 200, "nothing is left to do");
    });
}

#[test]
fn a_recorded_migration_gets_another_name_and_a_way_back() {
    on_both_engines(scenario::active_project, |api| {
        apply(api, json!({ "query": "create table a (id int)", "name": "first" }));
        let (version, back) = (versions(api).remove(0), "drop table a");
        let one = format!("{MIGRATIONS}/{version}");
        assert_eq!(api.patch(&one, json!({ "rollback": back })).to_string(), "200 {}");
        assert_eq!(api.patch(&one, json!({ "name": "renamed" })).to_string(), "200 {}");
        let (statements, rollback) = (["create table a (id int)"], [back]);
        let mut recorded =
            json!({ "version": version, "name": "renamed", "statements": statements, "rollback": rollback });
        recorded["created_by"] = json!("owner@example.test");
        assert_eq!(api.get(&one).json(), recorded);
        assert_eq!(api.delete(&format!("{MIGRATIONS}?gte={version}")).status, 200);
        assert_eq!(has_table(api, "a"), json!(false));
        let reply = api.patch(&one, json!({ "name": "gone" }));
        refused(&reply, 404, "migration_not_found", "Migration not found");
        assert_eq!(api.patch(&one, json!({ "name": 1 })).reason(), "invalid_body.name");
    });
}

#[test]
fn a_read_only_database_takes_no_migration() {
    on_both_engines(scenario::active_project, |api| {
        api.control(http::Method::PUT, "/_sim/projects/{ref}/read-only", json!({ "enabled": true }));
        assert_eq!(apply(api, json!({ "query": "select 1" })).reason(), "read_only");
        assert_eq!(api.get(MIGRATIONS).to_string(), "200 []");
    });
}
