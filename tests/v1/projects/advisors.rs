//! `/v1/projects/{ref}/advisors`.

use serde_json::json;
use sim_core::Role;
use sim_fixtures::{Api, Call, scenario};

use crate::steps::refuse_strangers;
use crate::support::on_both_engines;

const SECURITY: &str = "/v1/projects/{ref}/advisors/security";
const PERFORMANCE: &str = "/v1/projects/{ref}/advisors/performance";

/// An advisor's findings after `sql`: rule and object.
fn found(api: &mut dyn Api, path: &str, sql: &str) -> Vec<String> {
    let done = api.post("/v1/projects/{ref}/database/query", json!({ "query": sql }));
    assert_eq!(done.status, 201, "{done}");
    let reply = api.get(path);
    assert_eq!(reply.status, 200, "{reply}");
    let lints = reply.json()["lints"].as_array().expect("a list").clone();
    lints
        .iter()
        .map(|lint| format!("{} {}", lint["name"], lint["metadata"]["name"]).replace('"', ""))
        .collect()
}

#[test]
fn strangers_and_wrong_references_are_refused() {
    refuse_strangers(&[(Call::get(SECURITY), Role::ReadOnly), (Call::get(PERFORMANCE), Role::ReadOnly)]);
}

#[test]
fn a_new_database_and_one_that_is_well_made_give_no_cause() {
    on_both_engines(scenario::active_project, |api| {
        assert_eq!(api.get(SECURITY).to_string(), r#"200 {"lints":[]}"#);
        let good = "create table shop (id int primary key);
            alter table shop enable row level security;
            create policy readers on shop for select using (true);
            create table item (id int primary key, shop int references shop);
            alter table item enable row level security;
            create policy readers on item for select using (true);
            create index on item (shop);
            create view items with (security_invoker = true) as select * from item";
        assert_eq!(found(api, SECURITY, good), [""; 0]);
        assert_eq!(found(api, PERFORMANCE, "select 1"), [""; 0]);
    });
}

#[test]
fn public_tables_are_found() {
    on_both_engines(scenario::active_project, |api| {
        let sql = "create table open (id int primary key);
            create table half (id int primary key);
            create policy readers on half for select using (true);
            create table shut (id int primary key);
            alter table shut enable row level security;
            create view window as select * from open";
        let expected = [
            "policy_exists_rls_disabled half",
            "rls_disabled_in_public half",
            "rls_disabled_in_public open",
            "rls_enabled_no_policy shut",
            "security_definer_view window",
        ];
        assert_eq!(found(api, SECURITY, &sql.replace("view window", r#"view "window""#)), expected);
        let lint = api.get(SECURITY).json()["lints"][2].clone();
        assert_eq!((&lint["level"], &lint["facing"]), (&json!("ERROR"), &json!("EXTERNAL")));
        assert_eq!(
            lint["detail"],
            "Table `public.open` is public, but row level security has not been enabled."
        );
        assert_eq!(lint["cache_key"], "rls_disabled_in_public_public_open");
        let after = "alter table open enable row level security;
            create policy readers on open for select using (true)";
        assert_eq!(found(api, SECURITY, after).len(), 4);
    });
}

#[test]
fn slow_definitions_are_found() {
    on_both_engines(scenario::active_project, |api| {
        let sql = "create table shop (id int primary key);
            create table item (shop int references shop, name text);
            create index item_name on item (name);
            create index item_name_again on item (name);
            create policy one on item for select using (true);
            create policy two on item for select using (name is null)";
        let expected = [
            "unindexed_foreign_keys item",
            "no_primary_key item",
            "duplicate_index item",
            "multiple_permissive_policies item",
        ];
        assert_eq!(found(api, PERFORMANCE, sql), expected);
        let lints = api.get(PERFORMANCE).json()["lints"].clone();
        assert_eq!(lints[2]["metadata"]["more"], "item_name,item_name_again");
        let cured = "create index on item (shop, name); drop index item_name_again; drop policy two on item";
        assert_eq!(found(api, PERFORMANCE, cured), ["no_primary_key item"]);
    });
}

#[test]
fn a_paused_project_has_no_advice() {
    on_both_engines(scenario::active_project, |api| {
        api.act("/v1/projects/{ref}/pause");
        assert_eq!(api.get(SECURITY).reason(), "service_unreachable");
    });
}
