//! `/v1/projects/{ref}/database/query`, and other operations that read a project's database: types, buckets,
//! branches, restores.

mod copies;
mod limits;
mod types;

use http::Method;
use serde_json::{Value, json};
use sim_core::management::project::CreateProject;
use sim_core::{Profile, Role, Simulator};
use sim_fixtures::{Api, Call, InProcess, Reply, Scene, scenario};

use crate::steps::{Steps as _, refuse_strangers, refused, under};
use crate::support::{both, on_both_engines, on_postgres};

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
fn an_extension_works_or_is_refused_when_it_is_created() {
    let work = [
        ("create extension pg_net", "select net.http_get('http://a.test') is not null as it"),
        ("create extension pg_cron", "select cron.schedule('a', '* * * * *', 'select 1') is not null as it"),
        ("create extension hstore", "select hstore('a', '1') @> 'a=>1' as it"),
        ("create extension vector", "select '[1]'::vector is not null as it"),
        ("create extension pg_trgm", "select similarity('a', 'a') = 1 as it"),
        (
            "create extension pg_hashids",
            "select id_encode(1001) = 'jNl' and id_encode(12345, 'this is my salt') = 'NkK9' and id_decode_once('NkK9', 'this is my salt') = 12345
             and id_encode(array[1,2,3]::bigint[], 'this is my salt') = 'laHquq' and id_encode(1, 'this is my salt', 8) = 'gB0NV05e'
             and id_decode('laHquq', 'this is my salt') = '{1,2,3}' and id_decode('laHquq', 'another salt') = '{}' as it",
        ),
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
        let refused = ask(api, "create extension pgroonga");
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
