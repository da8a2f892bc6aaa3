//! `/v1/projects/{ref}/database/query`, and other operations that read a project's database: types, buckets,
//! branches, restores.

mod copies;
mod extensions;
mod limits;
mod rights;
mod types;

use serde_json::{Value, json};
use sim_core::management::project::CreateProject;
use sim_core::{Profile, Simulator};
use sim_fixtures::{Api, Call, InProcess, Reply, Scene, scenario};

use crate::steps::{Steps as _, refused, under};
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
            "create type steps as range (subtype = int); select isempty(steps(1, 1)) as none",
            json!([{ "none": true }]),
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
fn statements_that_do_nothing_are_named() {
    both(one_project, |api| {
        let ignored = |api: &mut dyn Api, query: &str| {
            let reply = ask(api, query);
            assert_eq!(reply.status, 201, "{query}: {reply}");
            reply.header("x-sim-ignored").to_owned()
        };
        ask(api, ACCOUNTS);
        for (query, names) in [
            ("vacuum", "VACUUM"),
            ("analyze account", "ANALYZE"),
            ("listen a", "LISTEN"),
            ("notify a, 'b'", "NOTIFY"),
            ("checkpoint", "CHECKPOINT"),
            ("begin; lock table account; commit", "LOCK TABLE"),
            ("create extension pg_cron", "CREATE EXTENSION pg_cron"),
            ("grant usage on type text to anon", "PRIVILEGES ON TYPE"),
            ("grant usage on language plpgsql to anon", "PRIVILEGES ON LANGUAGE"),
            (
                "grant all on function cron.job_cache_invalidate() to postgres",
                "PRIVILEGES ON FUNCTION job_cache_invalidate",
            ),
            ("set statement_timeout = '5s'", "SET statement_timeout"),
            ("begin; drop table account", "BEGIN without COMMIT"),
        ] {
            assert_eq!(ignored(api, query), format!("body.query.{names}"), "{query}");
        }
        let several = ignored(api, "analyze; analyze; select 1; reindex table account");
        assert_eq!(several, "body.query.ANALYZE,body.query.REINDEX");
        for query in [
            "select * from account",
            "begin; select 1; rollback",
            "set statement_timeout = 0",
            "set search_path = public",
            "create extension citext",
        ] {
            assert_eq!(ignored(api, query), "", "{query}");
        }
        let migration = json!({ "query": "create table t (a int); notify a", "name": "n" });
        let migrated = api.post("/v1/projects/{ref}/database/migrations", migration);
        assert_eq!((migrated.status, migrated.header("x-sim-ignored")), (200, "body.query.NOTIFY"));
    });
}

#[test]
fn filters_of_subscriptions_are_checked_by_the_function_of_the_service() {
    both(one_project, |api| {
        ask(api, ACCOUNTS);
        let trigger = "create trigger tr_check_filters before insert or update on realtime.subscription \
                       for each row execute function realtime.subscription_check_filters()";
        assert_eq!(ask(api, trigger).status, 201);
        let subscribe = |api: &mut dyn Api, filter: &str| {
            let row = format!("gen_random_uuid(), 'account'::regclass, '{{{filter}}}', '{{}}'");
            let columns = "(subscription_id, entity, filters, claims)";
            ask(api, &format!("insert into realtime.subscription {columns} values ({row})"))
        };
        assert_eq!(subscribe(api, "id=eq.1").status, 201);
        let refused = subscribe(api, "nope=eq.1").to_string();
        assert!(refused.contains("invalid column for filter nope"), "{refused}");
    });
}

#[test]
fn the_secret_store_of_the_platform_is_an_available_extension() {
    let world = || {
        let profile = Profile { platform: "acme".to_owned(), ..Profile::default() };
        scenario::project_in(Simulator::builder().profile(profile).world(scenario::cast("pro")).build())
    };
    both(world, |api| {
        let query = "select name, installed_version is not null as there from pg_available_extensions
                     where name like '%vault'";
        assert_eq!(rows(api, query), json!([{ "name": "acme_vault", "there": true }]));
    });
}
