//! Generated types, and what tools ask of a catalog.

use serde_json::json;
use sim_core::Edition;
use sim_fixtures::{Api, scenario};

use super::{QUERY, TYPES, ask, one_project, rows};
use crate::steps::under;
use crate::support::{both, on_both_engines};

#[test]
fn types_follow_from_the_tables() {
    on_both_engines(one_project, |api| {
        let empty = api.get(TYPES).json();
        assert!(empty["types"].as_str().is_some_and(|text| text.contains("[_ in never]: never")), "{empty}");
        rows(
            api,
            "create type mood as enum ('sad', 'happy'); create table person (id int primary key, mood mood)",
        );
        let types = api.get(TYPES).json();
        let types = types["types"].as_str().expect("types are a text");
        for part in [
            "person: {",
            "mood: Database[\"public\"][\"Enums\"][\"mood\"] | null",
            "mood: \"sad\" | \"happy\"",
        ] {
            assert!(types.contains(part), "{part} in {types}");
        }
        let storage = api.get(&format!("{TYPES}?included_schemas=storage,nothing")).json();
        assert!(storage["types"].as_str().is_some_and(|text| text.contains("buckets: {")), "{storage}");
    });
}

#[test]
fn foreign_keys_of_partitions_are_those_of_their_table() {
    on_both_engines(one_project, |api| {
        rows(
            api,
            "create table device (id int primary key);
             create table reading (device int references device, day date) partition by range (day);
             create table reading_2026 partition of reading for values from ('2026-01-01') to ('2027-01-01')",
        );
        let types = api.get(TYPES).json();
        let types = types["types"].as_str().expect("types are a text");
        assert_eq!(types.matches("reading_device_fkey").count(), 1, "{types}");
        assert!(types.contains("reading_2026: {"), "{types}");
    });
}

#[test]
fn types_have_the_layout_of_their_edition() {
    let types = |api: &mut dyn Api| {
        rows(
            api,
            "create function now_and_then() returns interval language sql as $$ select '1 day'::interval $$",
        );
        api.get(TYPES).json()["types"].as_str().expect("types are a text").to_owned()
    };
    let newer = [
        "export type Database = {\n  __InternalPlatform: {\n    PostgrestVersion: \"12.2.3\"\n  }\n  public: {",
        "type DatabaseWithoutInternals = Omit<Database, \"__InternalPlatform\">\n\ntype DefaultSchema = ",
        "| { schema: keyof DatabaseWithoutInternals },",
        "Args: never",
        "Returns: string",
    ];
    let older =
        ["export type Database = {\n  public: {", "Args: Record<PropertyKey, never>", "Returns: unknown"];
    let scene = |edition: Edition| under(|policy| policy.edition = edition);
    both(
        || scene(Edition::V2026_11),
        |api| {
            let found = types(api);
            for part in newer {
                assert!(found.contains(part), "{part} in {found}");
            }
        },
    );
    both(
        || scene(Edition::V2025_05),
        |api| {
            let found = types(api);
            for part in older {
                assert!(found.contains(part), "{part} in {found}");
            }
            assert!(!found.contains("Internal"), "{found}");
        },
    );
}

#[test]
fn types_of_functions_say_which_rows_they_return() {
    let make = "create table house (id int primary key);
        create table room (id int primary key, house int references house);
        create function rooms(house) returns setof room language sql as $$ select * from room where house = $1.id $$;
        create function first_room() returns setof room rows 1 language sql as $$ select * from room limit 1 $$;
        create function any_house() returns house language sql as $$ select * from house limit 1 $$;
        create function how_many() returns int language sql as $$ select 1 $$";
    let options = |from: &str, to: &str, one: bool, set: bool| {
        let mark = " ".repeat(8);
        format!(
            "{mark}SetofOptions: {{\n{mark}  from: \"{from}\"\n{mark}  to: \"{to}\"\n{mark}  isOneToOne: {one}\n\
             {mark}  isSetofReturn: {set}\n{mark}}}\n"
        )
    };
    let types = |api: &mut dyn Api| {
        rows(api, make);
        api.get(TYPES).json()["types"].as_str().expect("types are a text").to_owned()
    };
    both(
        || under(|policy| policy.edition = Edition::V2026_11),
        |api| {
            let found = types(api);
            for part in [
                options("house", "room", false, true),
                options("*", "room", true, true),
                options("*", "house", true, false),
            ] {
                assert!(found.contains(&part), "{part} in {found}");
            }
            assert_eq!(found.matches("SetofOptions").count(), 3, "{found}");
        },
    );
    both(
        || under(|policy| policy.edition = Edition::V2025_05),
        |api| assert!(!types(api).contains("SetofOptions")),
    );
}

#[test]
fn what_tools_ask_of_a_catalog_is_there() {
    let asked = [
        "select name, default_version from pg_available_extensions() limit 1",
        "select pg_stat_get_live_tuples(1259)",
        "select calls from pg_stat_statements limit 1",
        "select evtowner from pg_event_trigger",
        "select fdwname from pg_foreign_data_wrapper",
        "select routine_name from information_schema.role_routine_grants limit 1",
        "select name from vault.decrypted_secrets",
    ];
    both(one_project, |api| {
        for query in asked {
            rows(api, query);
        }
        let asked =
            "select current_database() as base, 'platform_admin' in (select rolname from pg_roles) as has";
        assert_eq!(rows(api, asked), json!([{ "base": "postgres", "has": true }]));
    });
}

#[test]
fn types_definitions_and_the_catalog_are_those_of_postgres() {
    on_both_engines(one_project, |api| {
        let value = |api: &mut dyn Api, query: &str| rows(api, query)[0]["it"].clone();
        assert_eq!(value(api, "select money '1' as it"), "$1.00");
        assert_eq!(value(api, "select cidr '10.0.0.0/8' as it"), "10.0.0.0/8");
        rows(api, "create table t (a int); create view v as select a, a+1 b from t where a>1");
        let shown = " SELECT t.a,\n    (t.a + 1) AS b\n   FROM t\n  WHERE (t.a > 1);";
        assert_eq!(value(api, "select pg_get_viewdef('v'::regclass) as it"), shown);
        rows(api, "grant select on pg_class to anon");
        let old = "select count(*) as it from pg_extension where extversion = '1.0' and extname <> 'plpgsql'";
        assert_eq!(value(api, old), 0);
        for (query, code) in [
            ("create function f() returns int language sql as $$ select 1, 2 $$", "42P13"),
            ("create function f() returns int language sql as $$ insert into t values (1) $$", "42P13"),
            ("create table u (a int); create index concurrently i on u (a)", "25001"),
        ] {
            let reply = ask(api, query);
            assert!(reply.status == 400 && reply.message().contains(code), "{query}: {reply}");
        }
    });
    both(one_project, |api| {
        let reply = ask(api, "select xmlelement(name a)");
        assert!(reply.message().contains("0A000"), "{reply}");
    });
}

#[test]
fn the_context_is_the_database_with_its_schemas() {
    on_both_engines(scenario::active_project, |api| {
        api.post(QUERY, json!({ "query": "create schema shop" }));
        let context = api.get("/v1/projects/{ref}/database/context").json();
        let schemas: Vec<_> = context["databases"][0]["schemas"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| one["name"].clone())
            .collect();
        assert!(schemas.contains(&json!("shop")) && schemas.contains(&json!("public")), "{context}");
        assert!(!schemas.contains(&json!("pg_catalog")), "{context}");
    });
}

#[test]
fn the_document_of_the_rest_layer_has_the_relations_of_a_schema_that_it_offers() {
    on_both_engines(scenario::active_project, |api| {
        let sql =
            "create table item (id bigint primary key, price numeric(8,2) not null, tags text[], more jsonb);
            create view cheap as select * from item where price < 1";
        rows(api, sql);
        let path = "/v1/projects/{ref}/database/openapi";
        let document = api.get(path).json();
        let methods = |path: &str| document["paths"][path].as_object().map(serde_json::Map::len);
        assert_eq!([methods("/item"), methods("/cheap"), methods("/other")], [Some(4), Some(1), None]);
        let item = &document["definitions"]["item"];
        assert_eq!(item["required"], json!(["id", "price"]));
        assert_eq!(item["properties"]["price"], json!({ "format": "numeric(8,2)", "type": "number" }));
        assert_eq!(item["properties"]["tags"]["type"], "array");
        assert_eq!(item["properties"]["more"], json!({ "format": "jsonb" }));
        assert!(item["properties"]["id"]["description"].to_string().contains("<pk/>"), "{item}");
        assert_eq!(api.get(&format!("{path}?schema=auth")).reason(), "invalid_query.schema");
        api.act("/v1/projects/{ref}/pause");
        assert_eq!(api.get(path).reason(), "service_unreachable");
    });
}
