//! `/v1/projects/{ref}/database/query`, and other operations that read a project's database: types, buckets,
//! branches, restores.

use http::Method;
use serde_json::{Value, json};
use sim_core::management::project::CreateProject;
use sim_core::{Edition, Profile, Role, Simulator};
use sim_fixtures::{Api, Call, InProcess, Reply, Scene, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused, under};
use crate::support::{both, on_both_engines, on_postgres};

use super::branches::{BRANCHES, dev, own_ref};

const QUERY: &str = "/v1/projects/{ref}/database/query";
const TYPES: &str = "/v1/projects/{ref}/types/typescript";
const BUCKETS: &str = "/v1/projects/{ref}/storage/buckets";
/// 2026-01-01T00:00:00Z.
const START: u64 = 1_767_225_600;
const DAY: u64 = 86_400;

fn ask(api: &mut dyn Api, query: &str) -> Reply {
    api.post(QUERY, json!({ "query": query }))
}

/// The rows of a query that succeeds.
#[track_caller]
fn rows(api: &mut dyn Api, query: &str) -> Value {
    let reply = ask(api, query);
    assert_eq!(reply.status, 201, "{query}: {reply}");
    reply.json()
}

#[track_caller]
fn fails(api: &mut dyn Api, query: &str, message: &str) {
    refused(&ask(api, query), 400, "sql_error", &format!("Failed to run sql query: {message}"));
}

fn one_project() -> Scene {
    under(|_| {})
}

fn branch_rows(api: &mut dyn Api, branch: &Value, query: &str) -> Reply {
    api.post(&format!("/v1/projects/{}/database/query", own_ref(branch)), json!({ "query": query }))
}

const ACCOUNTS: &str =
    "create table account (id bigint generated always as identity primary key, name text not null unique)";

#[test]
fn rows_come_back_by_column_name() {
    on_both_engines(one_project, |api| {
        assert_eq!(rows(api, "select 1"), json!([{ "?column?": 1 }]));
        assert_eq!(rows(api, ACCOUNTS), json!([]));
        let inserted = rows(api, "insert into account (name) values ('ann'), ('bob') returning id, name");
        assert_eq!(inserted, json!([{ "id": 1, "name": "ann" }, { "id": 2, "name": "bob" }]));
        let both = rows(api, "select count(*) as all from account; select name from account where id = 2");
        assert_eq!(both, json!([{ "name": "bob" }]));
    });
}

#[test]
fn errors_have_the_texts_of_postgres() {
    on_both_engines(one_project, |api| {
        rows(api, ACCOUNTS);
        fails(
            api,
            "selec 1",
            "ERROR:  42601: syntax error at or near \"selec\"\nLINE 1: selec 1\n        ^\n",
        );
        fails(
            api,
            "select * from nothing",
            "ERROR:  42P01: relation \"nothing\" does not exist\nLINE 1: select * from nothing\n                      ^\n",
        );
        fails(api, "select 1 / 0", "ERROR:  22012: division by zero\n");
        rows(api, "insert into account (name) values ('ann')");
        let taken = "ERROR:  23505: duplicate key value violates unique constraint \"account_name_key\"\n\
                     DETAIL:  Key (name)=(ann) already exists.\n";
        fails(api, "insert into account (name) values ('ann')", taken);
        let empty = api.post(QUERY, json!({ "query": "" }));
        assert_eq!((empty.status, empty.reason()), (400, "invalid_body.query"));
    });
}

#[test]
fn a_profile_names_what_belongs_to_the_platform() {
    let scene = || {
        let profile = Profile { platform: "acme".to_owned(), ..Profile::default() };
        let mut sim = Simulator::builder().seed(scenario::SEED).profile(profile).build();
        let create = CreateProject::named("demo", "acme");
        let project = sim.call(create).expect("it can be made").id;
        sim.advance(std::time::Duration::from_secs(120));
        Scene { project, sim }
    };
    both(scene, |api| {
        rows(
            api,
            "create table t (id int); alter publication acme_realtime add table t; grant select on t to acme_auth_admin;
             create policy p on t for select to acme_auth_admin using (true)",
        );
        let asked = "select (select count(*) from pg_roles where rolname like 'acme\\_%') > 4 as roles,
                     (select count(*) from pg_roles where rolname like 'platform\\_%') as others,
                     to_regclass('acme_functions.hooks') is not null as hooks,
                     (select pubname from pg_publication_tables where tablename = 't') as published";
        let expected = json!([{ "roles": true, "others": 0, "hooks": true, "published": "acme_realtime" }]);
        assert_eq!(rows(api, asked), expected);
        rows(api, "drop extension acme_vault; create extension acme_vault with schema vault");
        assert!(
            api.get(TYPES).json()["types"].as_str().is_some_and(|text| text.contains("  __InternalAcme: {"))
        );
    });
    let wrong = Profile { platform: "Acme-1".to_owned(), ..Profile::default() };
    let refusal = Simulator::builder().profile(wrong).try_build().err().expect("it is refused");
    assert!(refusal.to_string().contains("platform"), "{refusal}");
}

#[test]
fn sql_that_the_embedded_engine_refuses_runs_on_a_server() {
    let rows_of = [
        (
            "create table base (n int); create table heir () inherits (base); select count(*) as count from base",
            json!([{ "count": 0 }]),
        ),
        (
            "create operator === (leftarg = int, rightarg = int, function = int4eq); select 1 === 1 as same",
            json!([{ "same": true }]),
        ),
        (
            "create type mood as enum ('a'); create cast (text as mood) with inout; select 1 as one",
            json!([{ "one": 1 }]),
        ),
    ];
    let mut server = on_postgres(one_project()).map(InProcess::new);
    for (query, expected) in rows_of {
        both(one_project, |api| {
            let reply = ask(api, query);
            assert!(reply.to_string().contains("ERROR:  0A000"), "{query}: {reply}");
        });
        if let Some(server) = &mut server {
            assert_eq!(rows(server, query), expected);
        }
    }
}

#[test]
fn functions_blocks_and_triggers_run() {
    on_both_engines(one_project, |api| {
        rows(api, ACCOUNTS);
        rows(
            api,
            "create function twice(n int) returns int language plpgsql as 'begin return 2 * n; end';
             create function named() returns trigger language plpgsql as $$
               begin new.name := new.name || twice(4); return new; end $$;
             create trigger named before insert on account for each row execute function named();
             do $$ begin for i in 1..2 loop insert into account (name) values ('n' || i); end loop; end $$",
        );
        let names = json!([{ "name": "n18" }, { "name": "n28" }]);
        assert_eq!(rows(api, "select name from account order by name"), names);
        let broken = "create function broken() returns int language plpgsql as 'begin retrun 1; end'";
        assert!(ask(api, broken).to_string().contains("ERROR:  42601: syntax error at or near"));
    });
}

#[test]
fn a_call_is_one_transaction() {
    on_both_engines(one_project, |api| {
        rows(api, ACCOUNTS);
        assert_eq!(ask(api, "insert into account (name) values ('ann'); select 1 / 0").status, 400);
        assert_eq!(rows(api, "select * from account"), json!([]));
    });
}

#[test]
fn policies_decide_what_a_role_sees_and_writes() {
    on_both_engines(one_project, |api| {
        rows(
            api,
            "create table note (id int primary key, owner uuid default auth.uid(), body text);
         alter table note enable row level security;
         create policy own on note for all to authenticated using (auth.uid() = owner);
         insert into note values (1, '00000000-0000-0000-0000-000000000001', 'a'), (2, null, 'b')",
        );
        let by = |user: u8, query: &str| {
            let claims =
                json!({ "sub": format!("00000000-0000-0000-0000-{user:012}"), "role": "authenticated" });
            format!("set local role authenticated; set local request.jwt.claims = '{claims}'; {query}")
        };
        assert_eq!(rows(api, &by(1, "select id from note")), json!([{ "id": 1 }]));
        assert_eq!(rows(api, &by(2, "insert into note (id) values (3) returning id")), json!([{ "id": 3 }]));
        assert_eq!(rows(api, &by(2, "update note set body = 'c' returning id")), json!([{ "id": 3 }]));
        let refusal =
            "ERROR:  42501: new row violates row-level security policy for table \"note\"\n".to_owned();
        fails(api, &by(2, "insert into note values (4, null, 'd')"), &refusal);
        assert_eq!(rows(api, "set role anon; select count(*) from note"), json!([{ "count": 0 }]));
        // Each call is a session of its own.
        assert_eq!(
            rows(api, "select count(*), current_user from note"),
            json!([{ "count": 3, "current_user": "postgres" }])
        );
    });
}

#[test]
fn privileges_are_granted_and_taken() {
    on_both_engines(one_project, |api| {
        rows(api, "create table item (id int, name text); insert into item values (1, 'a')");
        let told =
        "select has_table_privilege('anon', 'item', 'select') as may, relacl::text like '%anon=%' as shown
                from pg_class where relname = 'item'";
        assert_eq!(rows(api, told), json!([{ "may": true, "shown": true }]));
        rows(api, "revoke all on item from anon");
        assert_eq!(rows(api, told), json!([{ "may": false, "shown": false }]));
        let read = "set role anon; select id from item";
        fails(api, read, "ERROR:  42501: permission denied for table item\n");
        rows(api, "grant select (id) on item to anon");
        assert_eq!(rows(api, read), json!([{ "id": 1 }]));
        fails(
            api,
            "set role anon; select name from item",
            "ERROR:  42501: permission denied for table item\n",
        );
    });
}

#[test]
fn a_database_that_does_not_answer_is_a_timeout() {
    let rows = [
        (Call::post(QUERY).json(json!({ "query": "select 1" })), "Failed to run sql query"),
        (Call::get(TYPES), "Failed to generate TypeScript types"),
        (Call::get(BUCKETS), "Failed to get list of buckets"),
    ];
    on_both_engines(scenario::paused_project, |api| {
        for (call, lead) in &rows {
            let text = format!("{lead}: Connection terminated due to connection timeout");
            refused(&api.send(call.clone()), 544, "service_unreachable", &text);
        }
    });
}

#[test]
fn data_outlives_a_pause() {
    on_both_engines(one_project, |api| {
        rows(api, ACCOUNTS);
        rows(api, "insert into account (name) values ('ann')");
        api.post("/v1/projects/{ref}/pause", json!({}));
        api.after(20);
        api.post("/v1/projects/{ref}/restore", json!({}));
        api.after(120);
        assert_eq!(rows(api, "select name from account"), json!([{ "name": "ann" }]));
    });
}

#[test]
fn read_only_mode_refuses_writes_until_it_ends() {
    on_both_engines(one_project, |api| {
        rows(api, ACCOUNTS);
        api.control(Method::PUT, "/_sim/projects/{ref}/read-only", json!({ "enabled": true }));
        let insert = "insert into account (name) values ('ann')";
        for (statement, verb) in [
            (insert, "INSERT"),
            ("create table other (id int)", "CREATE TABLE"),
            ("delete from account", "DELETE"),
        ] {
            let text = format!(
                "Failed to run sql query: ERROR:  25006: cannot execute {verb} in a read-only transaction\n"
            );
            refused(&ask(api, statement), 400, "read_only", &text);
        }
        assert_eq!(rows(api, "select * from account"), json!([]));
        api.post("/v1/projects/{ref}/readonly/temporary-disable", json!({}));
        assert_eq!(rows(api, insert), json!([]));
        api.after(15 * 60);
        assert_eq!(ask(api, insert).reason(), "read_only");
    });
}

#[test]
fn written_bytes_count_towards_the_size() {
    let begin = || under(|policy| policy.free_database_bytes = 10_500_000);
    on_both_engines(begin, |api| {
        api.plan("free");
        rows(api, "create table blob (data text)");
        // Random-looking text, which can't be compressed.
        let blob = "insert into blob select string_agg(md5((1000 * n + i)::text), '')
            from generate_series(1, 100) n, generate_series(1, 300) i group by n";
        rows(api, blob);
        assert_eq!(ask(api, "insert into blob values ('x')").reason(), "read_only");
    });
}

#[test]
fn now_is_the_simulated_time_and_random_follows_the_seed() {
    on_both_engines(one_project, |api| {
        let now = rows(api, "select now()::text as now");
        assert_eq!(now, json!([{ "now": "2026-01-01 00:01:00+00" }]));
        let first = rows(api, "select gen_random_uuid() as id");
        assert_ne!(first, rows(api, "select gen_random_uuid() as id"));
    });
}

#[test]
fn a_statement_that_never_ends_is_cancelled() {
    let begin = || under(|policy| policy.sql_steps = 100_000);
    on_both_engines(begin, |api| {
        let endless =
            "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
        fails(api, endless, "ERROR:  57014: canceling statement due to statement timeout\n");
        assert_eq!(rows(api, "select 1 as one"), json!([{ "one": 1 }]));
    });
}

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
fn rows_come_as_plain_json_that_is_not_cached() {
    both(one_project, |api| {
        let plain = json!({ "query": "select 1 as one" });
        for path in [QUERY.to_owned(), format!("{QUERY}/read-only")] {
            let reply = api.post(&path, plain.clone());
            let headers = ["content-type", "cache-control"].map(|name| reply.header(name));
            assert_eq!(headers, ["application/json", "no-cache"], "{reply}");
            let refused = api.post(&path, json!({ "query": "selec" }));
            assert_ne!(refused.header("content-type"), "application/json", "{refused}");
        }
    });
}

#[test]
fn lines_of_a_hosted_projects_dump_run() {
    let lines = [
        "create table public.item (id bigint not null, status text)",
        r#"CREATE EXTENSION IF NOT EXISTS "pg_graphql" WITH SCHEMA "graphql""#,
        r#"CREATE EXTENSION IF NOT EXISTS "platform_vault" WITH SCHEMA "vault""#,
        r#"CREATE EXTENSION IF NOT EXISTS "pg_stat_statements" WITH SCHEMA "extensions""#,
        r#"ALTER PUBLICATION "platform_realtime" OWNER TO "postgres""#,
        r#"ALTER PUBLICATION "platform_realtime" ADD TABLE ONLY "public"."item""#,
        r#"ALTER TABLE "public"."item" ALTER COLUMN "id" ADD GENERATED BY DEFAULT AS IDENTITY (
             SEQUENCE NAME "public"."item_id_seq" START WITH 1 INCREMENT BY 1 NO MINVALUE NO MAXVALUE CACHE 1)"#,
        r#"GRANT ALL ON SEQUENCE "public"."item_id_seq" TO "anon""#,
        r#"GRANT ALL ON TABLE "public"."item" TO "platform_auth_admin", "authenticator", "dashboard_user""#,
        "CREATE POLICY own ON storage.objects FOR SELECT
           USING ((storage.foldername(name))[1] = 'a' AND storage.extension(name) = 'png')",
        r#"CREATE TRIGGER hook AFTER INSERT ON item FOR EACH ROW EXECUTE FUNCTION
             "platform_functions"."http_request"('http://a.test', 'POST', '{}', '{}', '1000')"#,
        "CREATE UNIQUE INDEX live ON item (id)
           WHERE (status)::text = ANY ((ARRAY['a'::character varying, 'b'::character varying])::text[])",
    ];
    both(one_project, |api| {
        rows(api, &lines.join(";\n"));
    });
}

#[test]
fn sequences_of_the_platform_are_set_and_drawn_before_their_tables_have_rows() {
    on_both_engines(one_project, |api| {
        let asked = "select pg_catalog.setval('\"auth\".\"refresh_tokens_id_seq\"', 41, true)";
        assert_eq!(rows(api, asked), json!([{ "setval": 41 }]));
        let drawn = "select nextval(name) from (values ('auth.refresh_tokens_id_seq')) v (name)";
        assert_eq!(rows(api, drawn), json!([{ "nextval": 42 }]));
        let shown = "select last_value from pg_sequences where sequencename = 'refresh_tokens_id_seq'";
        assert_eq!(rows(api, shown), json!([{ "last_value": 42 }]));
    });
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
fn words_that_mean_nothing_are_refused_as_on_postgres() {
    let refusals = [
        ("begin foo", "42601"),
        ("commit bar", "42601"),
        ("end nonsense", "42601"),
        ("start transaction foo", "42601"),
        ("rollback foo", "42601"),
        ("begin transaction isolation level nonsense", "42601"),
        ("create table t (n int); alter table t owner to nobody", "42704"),
        ("set role nobody", "22023"),
    ];
    on_both_engines(one_project, |api| {
        for (query, code) in refusals {
            let reply = ask(api, query);
            assert_eq!((reply.status, reply.reason()), (400, "sql_error"), "{query}: {reply}");
            assert!(reply.message().contains(code), "{query}: {reply}");
        }
        let asked =
            json!({ "query": "select current_setting('transaction_read_only') as it", "read_only": true });
        assert_eq!(api.post(QUERY, asked).json(), json!([{ "it": "on" }]));
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
fn an_extension_works_or_is_refused_when_it_is_created() {
    let work = [
        ("create extension pg_net", "select net.http_get('http://a.test') is not null as it"),
        ("create extension pg_cron", "select cron.schedule('a', '* * * * *', 'select 1') is not null as it"),
        ("create extension hstore", "select hstore('a', '1') @> 'a=>1' as it"),
        ("create extension vector", "select '[1]'::vector is not null as it"),
        ("create extension pg_trgm", "select similarity('a', 'a') = 1 as it"),
        (
            "create extension pgtap",
            "select plan(3); select ok(true, 'a') || ok(1 > 2) || is('x'::text, 'x') || array_to_string(array(select finish()), '') =
             e'ok 1 - anot ok 2\\n# Failed test 2ok 3# Looks like you failed 1 test of 3' as it",
        ),
    ];
    both(one_project, |api| {
        for (created, used) in work {
            rows(api, created);
            assert_eq!(rows(api, used), json!([{ "it": true }]), "{used}");
        }
        let refused = ask(api, "create extension pg_hashids");
        assert!(refused.message().contains("0A000"), "{refused}");
    });
}

#[test]
fn buckets_are_rows_of_the_storage_schema() {
    on_both_engines(one_project, |api| {
        assert_eq!(api.get(BUCKETS).json(), json!([]));
        rows(api, "insert into storage.buckets (id, name, public) values ('faces', 'faces', true)");
        let bucket = json!({
            "id": "faces",
            "name": "faces",
            "owner": "",
            "created_at": "2026-01-01T00:01:00.000Z",
            "updated_at": "2026-01-01T00:01:00.000Z",
            "public": true,
        });
        assert_eq!(api.get(BUCKETS).json(), json!([bucket]));
    });
}

#[test]
fn a_replica_reads_the_primary_s_rows_and_writes_none() {
    on_both_engines(one_project, |api| {
        rows(api, ACCOUNTS);
        api.resize("small");
        let set_up = json!({ "read_replica_region": "us-east-1" });
        assert_eq!(api.post("/v1/projects/{ref}/read-replicas/setup", set_up).status, 201);
        let listed = api.control(Method::GET, "/_sim/projects/{ref}/read-replicas", Value::Null);
        let ask = |api: &mut dyn Api, query: &str| {
            let body = json!({ "database_identifier": listed[0]["database_identifier"], "query": query });
            api.post("/_sim/projects/{ref}/read-replicas/query", body)
        };
        assert_eq!(ask(api, "select 1").reason(), "service_unreachable");
        api.after(120);
        rows(api, "insert into account (name) values ('ann')");
        assert_eq!(ask(api, "select name from account").json(), json!([{ "name": "ann" }]));
        let text =
            "Failed to run sql query: ERROR:  25006: cannot execute DELETE in a read-only transaction\n";
        refused(&ask(api, "delete from account"), 400, "sql_error", text);
        assert_eq!(rows(api, "select count(*)::int as count from account"), json!([{ "count": 1 }]));
    });
}

#[test]
fn a_point_in_time_brings_back_the_rows_of_then() {
    on_both_engines(one_project, |api| {
        api.addon("pitr_7", true);
        rows(api, "create table minute (at timestamptz default now())");
        for _ in 0..60 {
            api.after(60);
            rows(api, "insert into minute default values");
        }
        let target = START + 60 + 30 * 60 + 59;
        let restore = json!({ "recovery_time_target_unix": target });
        assert_eq!(api.post("/v1/projects/{ref}/database/backups/restore-pitr", restore).status, 201);
        api.after(180);
        let found = rows(api, "select count(*) as count, max(at)::text as last from minute");
        assert_eq!(found, json!([{ "count": 30, "last": "2026-01-01 00:31:00+00" }]));
        rows(api, "insert into minute default values");
        assert_eq!(rows(api, "select count(*) as count from minute"), json!([{ "count": 31 }]));
    });
}

#[test]
fn a_project_can_be_restored_to_every_minute_of_a_day() {
    const MINUTES: u64 = 24 * 60;
    on_both_engines(one_project, |api| {
        api.addon("pitr_7", true);
        let table =
            "create table minute (id bigint generated always as identity, at timestamptz default now(),
            tag uuid default gen_random_uuid())";
        rows(api, table);
        let mut written = Vec::new();
        for _ in 0..MINUTES {
            api.after(60);
            written.push(rows(api, "insert into minute default values returning *")[0].clone());
        }
        // Ten timestamps that look random and are the same in every run.
        for second in (1..=10).map(|n| (n * 2_654_435_761_u64) % (MINUTES * 60)) {
            let restore = json!({ "recovery_time_target_unix": START + 60 + second });
            assert_eq!(api.post("/v1/projects/{ref}/database/backups/restore-pitr", restore).status, 201);
            api.after(180);
            let then = written[..second as usize / 60].to_vec();
            assert_eq!(rows(api, "select * from minute order by id"), Value::Array(then), "{second}");
        }
    });
}

#[test]
fn a_failed_restore_leaves_the_rows_alone() {
    on_both_engines(one_project, |api| {
        api.addon("pitr_7", true);
        rows(api, ACCOUNTS);
        api.after(60);
        api.next_fails("pitr_restore");
        api.post(
            "/v1/projects/{ref}/database/backups/restore-pitr",
            json!({ "recovery_time_target_unix": START + 60 }),
        );
        api.after(180);
        assert_eq!(api.status(), "RESTORE_FAILED");
    });
}

#[test]
fn a_daily_backup_has_the_rows_of_midnight() {
    on_both_engines(one_project, |api| {
        rows(api, ACCOUNTS);
        rows(api, "insert into account (name) values ('monday')");
        api.after(DAY);
        rows(api, "insert into account (name) values ('tuesday')");
        api.after(DAY);
        rows(api, "insert into account (name) values ('wednesday')");
        let restore = "/_sim/projects/{ref}/backups/restore";
        let none = json!({ "day": "2025-12-31T00:00:00Z" });
        let reply = api.send(Call::post(restore).json(none));
        refused(&reply, 404, "backup_not_found", "day: there is no completed backup of 2025-12-31T00:00:00Z");
        api.control(Method::POST, restore, json!({ "day": "2026-01-02T12:00:00Z" }));
        let reply = api.send(Call::post(restore).json(json!({ "day": "2026-01-02T12:00:00Z" })));
        refused(&reply, 400, "project_not_active", "This project can't be restored in its state");
        api.after(180);
        assert_eq!(rows(api, "select name from account"), json!([{ "name": "monday" }]));
    });
}

const RECORD: &str = "create schema if not exists migrations;
    create table migrations.schema_migrations (version text primary key, statements text[], name text);";

fn migrate(api: &mut dyn Api, version: &str, statement: &str) {
    rows(api, statement);
    let quoted = statement.replace('\'', "''");
    let record = format!(
        "insert into migrations.schema_migrations (version, statements) values ('{version}', array['{quoted}'])"
    );
    rows(api, &record);
}

#[test]
fn a_branch_has_its_parent_s_schema_and_not_its_rows() {
    on_both_engines(one_project, |api| {
        rows(api, RECORD);
        migrate(api, "1", ACCOUNTS);
        rows(api, "insert into account (name) values ('ann')");
        let branch = dev(api);
        api.after(60);
        assert_eq!(api.get(BRANCHES).json()[1]["status"], "FUNCTIONS_DEPLOYED");
        assert_eq!(branch_rows(api, &branch, "select * from account").to_string(), "201 []");
        let versions = branch_rows(api, &branch, "select version from migrations.schema_migrations");
        assert_eq!(versions.json(), json!([{ "version": "1" }]));
    });
}

#[test]
fn push_brings_new_migrations_and_reset_goes_back_to_one() {
    on_both_engines(one_project, |api| {
        rows(api, RECORD);
        migrate(api, "1", ACCOUNTS);
        let branch = dev(api);
        api.after(60);
        migrate(api, "2", "create table second (id int)");
        let path = |verb: &str| format!("/v1/branches/{}/{verb}", own_ref(&branch));
        assert_eq!(api.post(&path("push"), json!({})).status, 201);
        api.after(60);
        assert_eq!(branch_rows(api, &branch, "select * from second").to_string(), "201 []");
        assert_eq!(api.post(&path("reset"), json!({ "migration_version": "1" })).status, 201);
        api.after(60);
        assert_eq!(branch_rows(api, &branch, "select * from account").status, 201);
        assert_eq!(branch_rows(api, &branch, "select * from second").status, 400);
    });
}

#[test]
fn a_branch_is_seeded_when_it_is_made_and_when_it_is_reset() {
    const SEED: &str = "/_sim/projects/{ref}/branch-seed";
    on_both_engines(one_project, |api| {
        rows(api, RECORD);
        migrate(api, "1", ACCOUNTS);
        let seed = json!({ "sql": "insert into account (name) values ('seeded')" });
        api.control(Method::PUT, SEED, seed.clone());
        assert_eq!(api.control(Method::GET, SEED, Value::Null), seed);
        let branch = dev(api);
        api.after(60);
        let names = |api: &mut dyn Api| branch_rows(api, &branch, "select name from account").json();
        assert_eq!(names(api), json!([{ "name": "seeded" }]));
        branch_rows(api, &branch, "update account set name = 'changed'");
        let path = |verb: &str| format!("/v1/branches/{}/{verb}", own_ref(&branch));
        assert_eq!(api.post(&path("push"), json!({})).status, 201);
        api.after(60);
        assert_eq!(names(api), json!([{ "name": "changed" }]));
        assert_eq!(api.post(&path("reset"), json!({})).status, 201);
        api.after(60);
        assert_eq!(names(api), json!([{ "name": "seeded" }]));
    });
}

#[test]
fn a_seed_that_fails_fails_the_branch() {
    on_both_engines(one_project, |api| {
        let seed = json!({ "sql": "insert into nothing values (1)" });
        api.control(Method::PUT, "/_sim/projects/{ref}/branch-seed", seed);
        dev(api);
        api.after(60);
        assert_eq!(api.get(BRANCHES).json()[1]["status"], "MIGRATIONS_FAILED");
    });
}

#[test]
fn a_migration_that_fails_fails_the_branch() {
    on_both_engines(one_project, |api| {
        rows(api, RECORD);
        migrate(api, "1", ACCOUNTS);
        rows(
            api,
            "insert into migrations.schema_migrations (version, statements) values ('2', array['create table account ()'])",
        );
        dev(api);
        api.after(60);
        assert_eq!(api.get(BRANCHES).json()[1]["status"], "MIGRATIONS_FAILED");
    });
}

#[test]
fn a_fork_s_rows_are_its_own() {
    fork_and_restore(one_project().sim);
    if let Some(scene) = on_postgres(one_project()) {
        fork_and_restore(scene.sim);
    }
}

fn fork_and_restore(mut sim: Simulator) {
    let project = sim.call(sim_core::management::project::ListProjects {}).expect("a list")[0].id.clone();
    let query = |text: &str| sim_core::management::query::RunQuery::sql(project.clone(), text);
    sim.call(query(ACCOUNTS)).expect("it runs");
    let mut fork = sim.fork();
    let before = sim.snapshot();
    sim.call(query("insert into account (name) values ('ann')")).expect("it runs");
    assert_eq!(fork.call(query("select * from account")).expect("it runs").len(), 0);
    assert_eq!(sim.call(query("select * from account")).expect("it runs").len(), 1);
    sim.restore(&before);
    assert_eq!(sim.call(query("select * from account")).expect("it runs").len(), 0);
}

#[test]
fn strangers_low_roles_and_wrong_references_are_refused() {
    refuse_strangers(&[
        (Call::post(QUERY).json(json!({ "query": "select 1" })), Role::Developer),
        (Call::get(TYPES), Role::ReadOnly),
        (Call::get(BUCKETS), Role::ReadOnly),
    ]);
}

#[test]
fn parameters_stand_for_values_of_one_statement() {
    on_both_engines(scenario::active_project, |api| {
        let run = |api: &mut dyn Api, query: &str, parameters: Value| {
            api.post(QUERY, json!({ "query": query, "parameters": parameters }))
        };
        let both = "select $1::int + 1 as next, $2::text as said";
        assert_eq!(run(api, both, json!([41, "it's"])).to_string(), r#"201 [{"next":42,"said":"it's"}]"#);
        assert_eq!(
            run(api, "select $1::int is null as none;", json!([null])).to_string(),
            r#"201 [{"none":true}]"#
        );
        let reply = run(api, "select 1; select $1::int", json!([1]));
        assert!(reply.to_string().contains("42601: cannot insert multiple commands"), "{reply}");
    });
}

#[test]
fn a_read_only_query_may_not_write() {
    on_both_engines(scenario::active_project, |api| {
        let write = "create table made (id int)";
        let calls = [
            (QUERY, json!({ "query": write, "read_only": true })),
            ("/v1/projects/{ref}/database/query/read-only", json!({ "query": write })),
        ];
        for (path, body) in calls {
            let reply = api.post(path, body);
            assert_eq!((reply.status, reply.reason()), (400, "read_only_query"), "{reply}");
            let text = "ERROR:  25006: cannot execute CREATE TABLE in a read-only transaction";
            assert!(reply.to_string().contains(text), "{reply}");
        }
        let body = json!({ "query": "select $1::int as one", "parameters": [1] });
        let by_reader = Call::post("/v1/projects/{ref}/database/query/read-only").json(body);
        assert_eq!(api.send(by_reader.token("token-of-reader")).to_string(), r#"201 [{"one":1}]"#);
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

/// A project whose calls are ended early.
fn impatient() -> Scene {
    under(|policy| policy.sql_steps = 1_000_000)
}

#[test]
fn sorting_in_a_call_has_a_limit() {
    both(one_project, |api| {
        let rows_of = |count: u32| {
            format!(
                "select repeat('x', 10000) || g as r, g from generate_series(1, {count}) g order by r desc"
            )
        };
        let too_many = format!("select count(*) from ({}) q", rows_of(20_000));
        fails(api, &too_many, "ERROR:  53200: out of memory\n");
        let sorted = rows(api, &format!("select g from ({}) q order by r desc", rows_of(3_000)));
        let numbers = sorted.as_array().expect("rows").iter().map(|row| row["g"].to_string());
        assert!(numbers.is_sorted_by(|a, b| a > b), "{sorted}");
    });
}

#[test]
fn a_call_that_takes_too_long_is_cancelled_whatever_it_does() {
    both(impatient, |api| {
        rows(api, "create table t (a int primary key)");
        for query in [
            "insert into t select g from generate_series(1, 1000000) g",
            "select count(*) from generate_series(1, 100000) g where repeat('a', 1000) ~ ('a*a*a*b' || g)",
            "select sum(length(md5(repeat('x', 100000) || g))) from generate_series(1, 100000) g",
        ] {
            fails(api, query, "ERROR:  57014: canceling statement due to statement timeout\n");
            assert_eq!(rows(api, "select count(*) as n from t"), json!([{ "n": 0 }]), "{query}");
        }
        let doubled =
            "with recursive t (n, j) as (select 1, '[1]'::jsonb union all select n + 1, j || j from t where n < 40)
             select max(n) from t";
        let reply = ask(api, doubled);
        assert!(reply.to_string().contains("ERROR:  5"), "{reply}");
        let reply = ask(api, &format!("select {}", ["repeat('x', 60000000)"; 20].join(", ")));
        assert!(reply.to_string().contains("ERROR:  5"), "{reply}");
    });
}

#[test]
fn definitions_are_not_held_up_by_the_tables_around_them() {
    // Each of these took SQLite once through its whole schema, the first one with the square of the columns.
    let columns: Vec<String> = (0..30).map(|n| format!("c{n} text not null default 'x'")).collect();
    let tables: Vec<String> =
        (0..100).map(|n| format!("create table t{n} ({})", columns.join(", "))).collect();
    let measured = || under(|policy| policy.sql_steps = 10_000_000);
    both(measured, |api| {
        rows(api, &tables.join("; "));
        rows(api, "create table other (a int, b int); insert into other values (1, 2)");
        rows(api, "alter table other drop column a");
        for column in 0..30 {
            rows(api, &format!("alter table other add column c{column} int default {column}"));
        }
        rows(api, "alter table other add column sum int generated always as (b + c29) stored");
        rows(api, "alter table other drop column c0, add column c0 text not null default 'new'");
        let row = rows(api, "select b, c0, c1, c29, sum from other");
        assert_eq!(row, json!([{ "b": 2, "c0": "new", "c1": 1, "c29": 29, "sum": 31 }]));
        assert_eq!(ask(api, "select a from other").status, 400);
        assert_eq!(ask(api, "insert into other (b, c0) values (1, null)").status, 400);
    });
}

#[test]
fn a_projects_role_is_not_a_superuser() {
    both(one_project, |api| {
        for (query, message) in [
            (
                "drop schema pg_catalog cascade",
                "2BP01: cannot drop schema pg_catalog because it is required by the database system",
            ),
            ("drop schema information_schema", "42501: must be owner of schema information_schema"),
            ("drop role postgres", "55006: current user cannot be dropped"),
            ("create extension dblink", "42501: permission denied to create extension \"dblink\""),
            (
                "create function f() returns int leakproof language sql as 'select 1'",
                "42501: only superuser can define a leakproof function",
            ),
            (
                "create function f() returns int language c as 'a', 'b'",
                "42501: permission denied for language c",
            ),
            ("load 'a'", "58P01: could not access file \"$libdir/plugins/a\": No such file or directory"),
        ] {
            let reply = ask(api, query);
            let expected = format!("Failed to run sql query: ERROR:  {message}\n");
            assert!(
                reply.json()["message"].as_str().is_some_and(|text| text.starts_with(&expected)),
                "{reply}"
            );
        }
        let locked = json!({ "query": "select * from storage.buckets for update" });
        let reply = api.post("/v1/projects/{ref}/database/query/read-only", locked);
        assert_eq!((reply.status, reply.reason()), (400, "read_only_query"), "{reply}");
    });
}

#[test]
fn every_extension_that_is_available_can_be_created_and_dropped() {
    both(one_project, |api| {
        let names = rows(
            api,
            "select name from pg_available_extensions where installed_version is null order by name",
        );
        let names: Vec<&str> =
            names.as_array().into_iter().flatten().filter_map(|row| row["name"].as_str()).collect();
        assert!(names.contains(&"pg_jsonschema"), "{names:?}");
        for name in names {
            rows(api, &format!("create extension \"{name}\" cascade; drop extension \"{name}\" cascade"));
        }
    });
}

#[test]
fn json_is_checked_against_a_schema() {
    on_both_engines(one_project, |api| {
        rows(api, "create extension pg_jsonschema with schema extensions");
        let order = r##"{"type": "object", "required": ["sku"], "additionalProperties": false, "properties": {
            "sku": {"type": "string", "pattern": "^[A-Z]+$"}, "count": {"type": "integer", "minimum": 1},
            "tags": {"type": "array", "items": {"$ref": "#/definitions/tag"}, "uniqueItems": true}},
            "definitions": {"tag": {"enum": ["a", "b"]}}}"##;
        for (value, fits) in [
            (r#"{"sku": "AB", "count": 2, "tags": ["a", "b"]}"#, true),
            (r#"{"sku": "ab"}"#, false),
            (r#"{"count": 2}"#, false),
            (r#"{"sku": "AB", "count": 1.5}"#, false),
            (r#"{"sku": "AB", "more": 1}"#, false),
            (r#"{"sku": "AB", "tags": ["c"]}"#, false),
            (r#"{"sku": "AB", "tags": ["a", "a"]}"#, false),
        ] {
            let query = format!("select jsonb_matches_schema('{order}', '{value}') as fits");
            assert_eq!(rows(api, &query), json!([{ "fits": fits }]), "{value}");
        }
        rows(
            api,
            r#"create table doc (it json check (json_matches_schema('{"type": "object"}', it))); insert into doc values ('{}')"#,
        );
        for (query, code) in [
            ("insert into doc values ('[]')", "23514"),
            (r#"select jsonb_matches_schema('{"$ref": "http://localhost/a"}', '1')"#, "0A000"),
        ] {
            let reply = ask(api, query);
            assert!(reply.status == 400 && reply.to_string().contains(code), "{query}: {reply}");
        }
    });
}

#[test]
fn jobs_are_recorded_and_changed() {
    on_both_engines(one_project, |api| {
        rows(api, "create extension pg_cron");
        let add = "select cron.schedule('a', '* * * * *', 'select 1') as a, cron.schedule_in_database('b', '@daily', 'select 2', 'other', active := false) as b";
        assert_eq!(rows(api, add), json!([{ "a": 1, "b": 2 }]));
        rows(api, "select cron.alter_job(job_id := 1, schedule := '*/5 * * * *', active := false)");
        rows(api, "select cron.alter_job(2, username := 'anon')");
        let jobs = "select jobid as id, schedule as at, command as text, database as place, username as who, active as is from cron.job order by 1";
        assert_eq!(
            rows(api, jobs),
            json!([{ "id": 1, "at": "*/5 * * * *", "text": "select 1", "place": "postgres", "who": "postgres", "is": false },
                   { "id": 2, "at": "@daily", "text": "select 2", "place": "other", "who": "anon", "is": false }])
        );
    });
}
