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
fn what_reaches_users_past_their_rights_is_found() {
    on_both_engines(scenario::active_project, |api| {
        let sql = "create view people as select email from auth.users;
            create view own with (security_invoker = true) as select email from auth.users;
            create table note (id int primary key, owner uuid, kind regproc);
            alter table note enable row level security;
            create policy chosen on note for insert
                with check ((auth.jwt() -> 'user_metadata' ->> 'admin') = 'yes');
            create policy owners on note for select using (auth.uid() = owner);
            create policy quick on note for update using ((select auth.uid()) = owner);
            create function loose(a int) returns int language sql as 'select 1';
            create function fixed() returns int language sql set search_path = '' as 'select 1'";
        let expected = [
            "security_definer_view people",
            "auth_users_exposed people",
            "rls_references_user_metadata note",
            "function_search_path_mutable loose",
            "unsupported_reg_types note",
        ];
        assert_eq!(found(api, SECURITY, sql), expected);
        let slow = api.get(PERFORMANCE).json()["lints"].clone();
        let of: Vec<_> = slow.as_array().into_iter().flatten().map(|one| &one["metadata"]["more"]).collect();
        assert_eq!(of, ["chosen", "owners"], "{slow}");
        assert_eq!(slow[0]["name"], "auth_rls_initplan");
        let cured = "drop view people; drop function loose(int); drop policy chosen on note;
            alter table note drop column kind";
        assert_eq!(found(api, SECURITY, cured), [""; 0]);
        let extended = "create extension pg_trgm with schema public";
        assert_eq!(found(api, SECURITY, extended), ["extension_in_public pg_trgm"]);
    });
}

#[test]
fn a_paused_project_has_no_advice() {
    on_both_engines(scenario::active_project, |api| {
        api.act("/v1/projects/{ref}/pause");
        assert_eq!(api.get(SECURITY).reason(), "service_unreachable");
    });
}
