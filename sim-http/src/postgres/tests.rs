mod extensions;
mod isolation;
mod roles;

use std::sync::LazyLock;

use serde_json::{Value, json};
use sim_core::management::branch::{Branch, BranchId, CreateBranch};
use sim_core::management::branch_config::GetBranchConfig;
use sim_core::management::pooler::GetPoolerConfig;
use sim_core::management::project::{CreateProject, ProjectRef};
use sim_core::management::query::RunQuery;
use sim_core::{Error, Policy, RateLimit, Simulator};

use super::wire::Connection;
use super::*;

/// The server that all facts share; `None`, with a note, if this machine has no PostgreSQL. With
/// `STUNTDOUBLE_POSTGRES=1` that is a failure.
fn server() -> Option<Arc<PostgresServer>> {
    static SERVER: LazyLock<Result<Arc<PostgresServer>, String>> =
        LazyLock::new(|| PostgresServer::start().map_err(|error| error.to_string()));
    let required = std::env::var("STUNTDOUBLE_POSTGRES").is_ok_and(|value| value == "1");
    match &*SERVER {
        Err(error) if required => panic!("{error}"),
        Err(error) => {
            eprintln!("SKIPPED: {error}");
            None
        }
        Ok(server) => Some(Arc::clone(server)),
    }
}

struct World {
    sim: Simulator,
    project: ProjectRef,
}

impl World {
    fn on(server: &Arc<PostgresServer>) -> World {
        let policy = Policy { rate_limit: RateLimit::off(), ..Policy::default() };
        let builder = Simulator::builder().seed(7).policy(policy);
        let mut sim = builder.database_server(Arc::clone(server) as _).build();
        let project = sim.call(CreateProject::named("demo", "acme")).expect("a project").id;
        sim.advance(Duration::from_secs(60));
        World { sim, project }
    }

    fn fork(&self) -> World {
        World { sim: self.sim.fork(), project: self.project.clone() }
    }

    fn ask(&mut self, text: &str) -> Result<Value, Error> {
        let rows = self.sim.call(RunQuery::sql(self.project.clone(), text))?;
        Ok(rows.into_iter().map(Value::Object).collect())
    }

    #[track_caller]
    fn rows(&mut self, text: &str) -> Value {
        self.ask(text).unwrap_or_else(|error| panic!("{text}: {}", error.message))
    }

    #[track_caller]
    fn one(&mut self, text: &str) -> Value {
        let rows = self.rows(text);
        rows[0].as_object().and_then(|row| row.values().next()).cloned().unwrap_or_default()
    }

    #[track_caller]
    fn refusal(&mut self, text: &str) -> String {
        self.ask(text).expect_err(text).message
    }

    fn address(&mut self) -> Url {
        let config = self.sim.call(GetPoolerConfig { r#ref: self.project.clone() }).expect("a pooler");
        Url(config.connection_string)
    }

    fn branch(&mut self, name: &str) -> Branch {
        let branch = self.sim.call(CreateBranch::named(self.project.clone(), name)).expect("a branch");
        self.sim.advance(Duration::from_secs(60));
        branch
    }
}

/// Where clients connect.
struct Url(String);

impl Url {
    fn connect(&self, password: &str) -> io::Result<Connection> {
        let url = self.0.replace("[YOUR-PASSWORD]", password);
        let database = url.rsplit('/').next().unwrap_or_default();
        let target = Target::parse(&url).map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, why))?;
        Connection::open(&target, database)
    }
}

const COUNTER: &str =
    "create table item (id bigint generated always as identity primary key, name text unique)";

#[test]
fn procedural_statements_run() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(
        "create table item (name text, at timestamptz, by text);
        create function stamp() returns trigger language plpgsql as $$
            begin new.at := current_timestamp; new.by := current_user; return new; end $$;
        create trigger stamp before insert on item for each row execute function stamp();
        insert into item (name) values ('it')",
    );
    let expected = json!([{ "name": "it", "at": "2026-01-01 00:01:00+00", "by": "postgres" }]);
    assert_eq!(world.rows("select * from item"), expected);
    world.rows("do $$ begin for i in 1..3 loop insert into item (name) values (i); end loop; end $$");
    assert_eq!(world.one("select count(*) from item"), 4);
}

#[test]
fn row_security_is_in_force() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(
        "create table note (owner uuid default auth.uid(), text text);
        alter table note enable row level security;
        create policy own on note to authenticated using (owner = auth.uid());
        insert into note values (gen_random_uuid(), 'hers'),
            ('00000000-0000-4000-8000-000000000001', 'mine')",
    );
    let as_me = r#"set local request.jwt.claims = '{"sub": "00000000-0000-4000-8000-000000000001"}';
        set local role authenticated; select text from note"#;
    assert_eq!(world.rows(&format!("begin; {as_me}; commit")), json!([{ "text": "mine" }]));
    assert_eq!(world.rows("select count(*) as all from note"), json!([{ "all": 2 }]));
    let text = world.refusal("set local role authenticated; insert into note values (auth.uid(), 'x')");
    assert!(text.contains("42501"), "{text}");
}

#[test]
fn the_catalog_answers_everything() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(COUNTER);
    let size = world.one("select pg_size_pretty(pg_total_relation_size('item'::regclass))");
    assert_eq!(size, "24 kB");
    let plan = world.rows("explain (costs off) select * from item where id = 1");
    assert_eq!(plan[0]["QUERY PLAN"], "Index Scan using item_pkey on item");
    world.refusal("copy item from stdin");
    let program = world.refusal("copy item from program 'id'");
    assert!(program.contains("42501"), "{program}");
}

#[test]
fn all_functions_of_time_use_the_worlds_clock() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.sim.advance(Duration::from_millis(3_600_123));
    for (text, expected) in [
        ("select current_timestamp::text", "2026-01-01 01:01:00.123+00"),
        ("select current_timestamp(1)::text", "2026-01-01 01:01:00.1+00"),
        ("select clock_timestamp()::text", "2026-01-01 01:01:00.123+00"),
        ("select statement_timestamp()::text", "2026-01-01 01:01:00.123+00"),
        ("select transaction_timestamp()::text", "2026-01-01 01:01:00.123+00"),
        ("select localtimestamp::text", "2026-01-01 01:01:00.123"),
        ("select current_date::text", "2026-01-01"),
        ("select localtime(0)::text", "01:01:00"),
        ("select age(timestamptz '2025-12-31')::text", "1 day"),
    ] {
        assert_eq!(world.one(text), expected, "{text}");
    }
    assert_eq!(world.rows("select current_date")[0]["current_date"], "2026-01-01");
    let text = world.refusal("select current_timestamp, current_date,\n  oops");
    assert!(text.contains("LINE 2:   oops\n          ^\n"), "{text}");
}

#[test]
fn chance_is_the_seed_s() {
    let Some(server) = server() else { return };
    let draw = "select random() as a, gen_random_uuid() as b, uuid_generate_v4() as c,
        encode(gen_random_bytes(8), 'hex') as d, gen_random_uuid() as e";
    let [mut one, mut two] = [World::on(&server), World::on(&server)];
    let first = one.rows(draw);
    assert_eq!(first, two.rows(draw));
    assert_ne!(first, one.rows(draw));
    assert_ne!(first[0]["b"], first[0]["e"]);
    let uuid = first[0]["b"].as_str().unwrap_or_default();
    assert!(uuid[14..].starts_with('4') && "89ab".contains(&uuid[19..20]), "{uuid}");
}

#[test]
fn a_failed_call_leaves_nothing() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(COUNTER);
    world.rows("create sequence fresh; insert into item (name) values ('one')");
    for failing in [
        "insert into item (name) values ('two'); select nextval('fresh'); select 1 / 0",
        "insert into item (name) values ('two'), ('one')",
        "insert into item (name) values ('two'); commit; select nextval('fresh'); select 1 / 0",
        "begin; insert into item (name) values ('two'); commit; select 1 / 0",
        "do $$ begin insert into item (name) values ('two'); commit; perform 1 / 0; end $$",
        "create unique index concurrently one on item ((1 / (id - 1)))",
    ] {
        world.refusal(failing);
        assert_eq!(world.one("select count(*) from item"), 1, "{failing}");
    }
    assert_eq!(world.one("select to_regclass('one')"), Value::Null);
    assert_eq!(world.rows("insert into item (name) values ('two') returning id")[0]["id"], 2);
    assert_eq!(world.one("select nextval('fresh')"), 1);
}

#[test]
fn a_session_ends_with_its_call() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(
        "create temporary table mine (x int); set search_path = storage; set role anon; select 1 as one",
    );
    assert_eq!(world.one("select current_user::text"), "postgres");
    assert!(world.refusal("select * from mine").contains("42P01"));
    world.rows(&format!("begin; {COUNTER}"));
    assert!(world.refusal("select * from item").contains("42P01"), "what is left open is rolled back");
}

#[test]
fn limits_hold() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(COUNTER);
    let much =
        "insert into item (name) values ('lost'); select repeat('x', 1000) from generate_series(1, 40000)";
    assert!(world.refusal(much).contains("Query result size exceeded the configured limit"));
    assert_eq!(world.rows("select * from item"), json!([]));
    assert!(world.refusal("select '\0'").contains("22021"));
    assert_eq!(world.rows("-- nothing"), json!([]));
}

#[test]
fn what_goes_alone_and_what_is_wrong_is_answered_as_it_came() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows("create table item (name text)");
    world.rows("vacuum item");
    assert!(world.refusal("select 1 +").contains("syntax error at end of input"));
    assert!(world.refusal("select 'open").contains("unterminated quoted string at or near \"'open\""));
    assert!(world.refusal("select /* open").contains("unterminated /* comment at or near \"/* open\""));
    assert_eq!(world.rows("select 1 as one -- and no more"), json!([{ "one": 1 }]));
    assert_eq!(world.rows("insert into item values ('it'); -- nothing to show"), json!([]));
}

#[test]
fn a_branch_says_how_to_connect() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    let branch = world.branch("dev");
    let config =
        world.sim.call(GetBranchConfig { branch_id: BranchId(branch.id) }).expect("its configuration");
    let user = config.db_user.expect("its owner may know");
    let url = Url(format!("postgres://{user}@{}:{}/{user}", config.db_host, config.db_port));
    let password = config.db_pass.expect("its owner may know").0;
    let url = Url(url.0.replace('@', &format!(":{password}@")));
    let mut client = url.connect("").expect("it is let in");
    client.must("create table item (name text)").expect("it may");
}

#[test]
fn a_replay_has_the_same_answers() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(COUNTER);
    world.rows("insert into item (name) select gen_random_uuid() from generate_series(1, 3) returning name");
    world.refusal("insert into item (name) values ('x'), ('x')");
    world.rows("insert into item (name) values (now()) returning *");
    let file = world.sim.replay_file().expect("the journal is whole");
    let again = file.run_on(world.sim.registry(), Some(server as _)).expect("nothing diverges");
    assert_eq!(again.journal_hash(), world.sim.journal_hash());
}

#[test]
fn a_server_names_what_belongs_to_the_platform_as_it_is_told() {
    if server().is_none() {
        return;
    }
    let server = PostgresServer::start_for("acme").expect("another one starts");
    let mut world = World::on(&server);
    world.rows(
        "create table t (id int); alter publication acme_realtime add table t; grant select on t to acme_auth_admin;
         create extension acme_vault with schema vault",
    );
    let asked = "select (select count(*) from pg_roles where rolname like 'platform\\_%') as others,
                 to_regclass('acme_functions.hooks') is not null as hooks";
    assert_eq!(world.rows(asked), json!([{ "others": 0, "hooks": true }]));
}

#[test]
fn what_the_service_allows_to_its_projects_is_done_by_the_servers_owner() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows("create extension if not exists moddatetime schema extensions; create extension if not exists pgcrypto");
    world.rows(
        "create function seen() returns event_trigger language plpgsql as $$ begin perform set_config('app.seen', current_user, false); end $$;
         create event trigger seen on ddl_command_end when tag in ('CREATE TABLE') execute function seen()",
    );
    assert_eq!(world.one("create table one (id int); select current_setting('app.seen')"), "postgres");
    world
        .rows("alter event trigger seen disable; drop event trigger seen; drop event trigger if exists seen");
    // As dumps write them.
    world.rows(
        "create event trigger \"seen\" on \"ddl_command_end\" when \"tag\" in ('CREATE TABLE', 'SELECT INTO') execute function \"public\".\"seen\"();
         alter event trigger \"seen\" owner to \"postgres\"; drop event trigger if exists seen, nothing;
         alter database postgres owner to postgres",
    );
    world.rows("grant platform_auth_admin, platform_storage_admin to postgres");
    world.rows("create foreign data wrapper own; create server there foreign data wrapper own; drop foreign data wrapper own cascade");
    world.rows("alter role authenticator set pgrst.db_max_rows = '10'; alter database postgres set \"app.name\" to 'shop'");
    let settings = "select current_setting('app.name') || (select setconfig::text from pg_db_role_setting s join pg_database d \
                    on d.oid = setdatabase and datname = current_database() where setrole = 'authenticator'::regrole)";
    let expected = "shop{pgrst.db_max_rows=10}";
    assert_eq!(world.one(settings), expected);
    assert_eq!(world.fork().one(settings), expected);
    world.rows(
        "create publication every_one for all tables; alter publication every_one set (publish = 'insert')",
    );
    if server.pool.version >= 15 {
        world.rows("do $$ begin create publication two_schemas for tables in schema public, storage with (publish = 'update'); end $$; drop publication two_schemas");
    }
    assert_eq!(
        world.one("select pubowner::regrole::text from pg_publication where pubname = 'every_one'"),
        "postgres"
    );
    world.rows("drop publication every_one");
    for (text, code) in [
        ("create extension moddatetime", "42710"),
        ("create extension file_fdw", "42501"),
        ("create extension nothing_of_the_kind", "0A000"),
        ("create extension citext schema nowhere", "3F000"),
        ("create event trigger seen on ddl_command_end execute function nothing()", "42883"),
        ("create foreign data wrapper files handler file_fdw_handler", "42501"),
        ("alter role authenticator set zero_damaged_pages = on", "42501"),
        ("alter role authenticator set \"zero_damaged_pages\" = on", "42501"),
        ("alter database postgres set role = 'anon'", "42501"),
        ("alter role authenticator login", "42501"),
        ("alter database template1 set work_mem = '1MB'", "42501"),
        ("select pg_catalog.stuntdouble_run_as_owner('alter role postgres superuser', '')", ""),
        (
            "select pg_catalog.stuntdouble_install('a', 'public', '1', 'create table t (a int)', 10, true)",
            "42501",
        ),
    ] {
        match world.ask(text) {
            Ok(rows) => assert!(code.is_empty() && rows.to_string().contains("false"), "{text}: {rows}"),
            Err(error) => assert!(error.message.contains(code), "{text}: {}", error.message),
        }
    }
}

#[test]
fn a_pulled_schema_file_names_the_functions_on_files_and_their_owners() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(
        "create trigger protect_objects_delete before delete on storage.objects for each statement execute function storage.protect_delete();
         create trigger prefixes_create_hierarchy before insert on storage.prefixes for each row when (pg_trigger_depth() < 1)
             execute function storage.prefixes_insert_trigger();
         alter function storage.protect_delete() owner to platform_storage_admin",
    );
    match world.ask("delete from storage.objects") {
        Ok(_) => panic!("files were deleted"),
        Err(error) => assert!(error.message.contains("42501"), "{}", error.message),
    }
    world.rows("grant execute on function graphql.resolve to anon");
    assert_eq!(world.one("select graphql.resolve('{ a }') ? 'errors'"), true);
}

#[test]
fn what_dumps_of_the_service_begin_with_is_there() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows("create extension if not exists pg_stat_statements with schema extensions; alter schema \"public\" owner to \"pg_database_owner\"");
    let asked = "do $$ begin if exists (select from pg_available_extensions where name = 'pg_cron') then create extension if not exists pg_cron; end if; end $$";
    world.rows(asked);
    world.rows("select count(*) from cron.job");
    assert_eq!(
        world.one("select installed_version is not null from pg_available_extensions where name = 'pg_cron'"),
        true
    );
    assert_eq!(
        world.one("select count(*) from pg_available_extensions group by name order by 1 desc limit 1"),
        1
    );
    world.rows("select query, calls, mean_exec_time from extensions.pg_stat_statements; select extensions.pg_stat_statements_reset()");
    world.rows(
        "grant all on table extensions.pg_stat_statements to dashboard_user; create table item (id int)",
    );
    if server.pool.version >= 15 {
        world.rows(
            "create function near() returns int language sql set hnsw.ef_search = 100 set \"hnsw.iterative_scan\" to 'strict_order' as 'select 1';
             alter role service_role set pgaudit.log = 'ddl'",
        );
        assert_eq!(world.one("select near()"), 1);
    }
    world.rows("create extension vector; alter extension vector update; alter extension vector update to '0.8.0'; alter extension vector set schema public");
    world.rows("create table near (at vector(2)); insert into near values ('[1,2]'); create index on near using hnsw (at vector_l2_ops)");
    world.rows("alter extension vector set schema extensions; alter extension vector set schema extensions");
    let moved = "select at operator(extensions.<->) '[1,3]'::extensions.vector as far, (select count(*) from pg_proc where oid > 16383
                 and pronamespace = 'public'::regnamespace and proname <> 'near') as left from near";
    let moved = world.rows(moved);
    assert_eq!((&moved[0]["far"], &moved[0]["left"]), (&json!(1), &json!(0)));
    world.rows("insert into near values ('[3,4]'); select (at + '[1,1]')::text, avg(at) over () from near order by at <=> '[1,2]'");
    assert!(world.refusal("alter extension vector set schema nowhere").contains("3F000"));
    assert!(world.refusal("alter extension pg_cron set schema extensions").contains("0A000"));
    world.rows("create extension citext; alter extension citext set schema extensions; select 'a'::extensions.citext");
    world.rows("create role plain_one");
    for text in ["create role more", "grant anon to plain_one", "drop role plain_one"] {
        let refused = world.refusal(&format!("set role anon; {text}"));
        assert!(refused.contains("42501") && !refused.contains("for function"), "{text}: {refused}");
    }
}

#[test]
fn what_the_owner_of_the_server_carries_out_needs_the_rights_of_the_caller() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    let statements = [
        "create extension hstore",
        "create extension vector",
        "alter role anon set x.y = 'z'",
        "alter database postgres set work_mem = '4MB'",
        "comment on database postgres is 'x'",
        "create event trigger seen on ddl_command_end execute function nothing()",
        "create foreign data wrapper files",
        "create publication every_one for all tables",
        "alter extension pgcrypto set schema public",
        "create schema q",
        "select pg_catalog.stuntdouble_run_as_owner('create publication every_one for all tables', '')",
        "do $$ begin execute 'create extension hstore'; end $$",
    ];
    for text in statements {
        let refused = world.refusal(&format!("set role authenticated; {text}"));
        assert!(refused.contains("42501"), "{text}: {refused}");
    }
    assert!(
        world.refusal("set role authenticated; alter role authenticated set x.y = 'z'").contains("0A000")
    );
    world.rows("grant create on database postgres to authenticated");
    world.rows("set role authenticated; create schema q");
    assert_eq!(
        world.one("select nspowner::regrole::text from pg_namespace where nspname = 'q'"),
        "authenticated"
    );
    world.rows("do $$ begin execute 'revoke create on database postgres from authenticated'; end $$");
    assert_eq!(
        world.one("select has_database_privilege('authenticated', current_database(), 'create')"),
        false
    );
}

#[test]
fn statements_of_one_execute_run_in_their_order() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(
        r#"do $do$ begin execute $e$
             create role part_a; -- not; this
             create table item (text text default 'a;b', "c;d" text);
             insert into item values (e'it\';s', 'grant it; to me');
             /* nor; this */ grant part_a to authenticator;
             create extension if not exists citext;
             create function f() returns text language plpgsql as $f$ begin return 'x;' || $q$;y$q$; end $f$; $e$; end $do$"#,
    );
    let expected = json!([{ "text": "it';s", "c;d": "grant it; to me", "f": "x;;y", "is": true }]);
    let asked = "select *, f(), pg_has_role('authenticator', 'part_a', 'member') as is from item";
    assert_eq!(world.rows(asked), expected);
    let long = format!("{} create role part_b", "insert into item values (''x''); ".repeat(1000));
    let done = world.ask(&format!("do $$ begin execute '{long}'; end $$"));
    assert!(done.is_ok(), "{}", done.unwrap_err().message);
    assert_eq!(world.one("select count(*) from item"), 1001);
    assert!(
        world.refusal("do $$ begin execute 'create role part_c; select 1 / 0'; end $$").contains("22012")
    );
    assert_eq!(world.one("select count(*) from pg_roles where rolname = 'part_c'"), 0);
}
