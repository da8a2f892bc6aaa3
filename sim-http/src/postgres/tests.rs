use std::path::Path;
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
fn a_fork_is_independent_from_any_call_on() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(COUNTER);
    let add = "insert into item (name) values (gen_random_uuid()::text || clock_timestamp())";
    let mut forks = Vec::new();
    for call in 0..3 * REPEATED_MAX {
        if call % 50 == 7 {
            forks.push((call, world.fork()));
        }
        world.rows(add);
        world.sim.advance(Duration::from_secs(1));
    }
    let names = |world: &mut World, count: u32| {
        world.rows(&format!("select * from item where id <= {count} order by id"))
    };
    for (count, mut fork) in forks {
        assert_eq!(fork.one("select count(*) from item"), count);
        assert_eq!(names(&mut fork, count), names(&mut world, count), "{count}");
        fork.rows("delete from item");
    }
    assert_eq!(world.one("select count(*) from item"), 3 * REPEATED_MAX);
}

#[test]
fn a_role_is_had_by_all_projects_that_create_it() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    let role =
        "create role reporter nologin; create table report (id int); grant select on report to reporter";
    world.rows(role);
    let mut fork = world.fork();
    world.rows("insert into report values (1)");
    assert_eq!(fork.one("select has_table_privilege('reporter', 'report', 'select')"), true);
    assert_eq!(fork.one("select count(*) from report"), 0);
    World::on(&server).rows(role);
}

#[test]
fn a_project_gets_to_its_own_database_alone() {
    let Some(server) = server() else { return };
    let (mut one, mut other) = (World::on(&server), World::on(&server));
    let password = CreateProject::named("demo", "acme").db_pass.0;
    let (of_one, of_other) = (one.address(), other.address());
    let name = |url: &Url| url.0.rsplit('/').next().unwrap_or_default().to_owned();
    let (own, foreign) = (name(&of_one), name(&of_other));
    assert_ne!(own, foreign);
    of_one.connect(&password).expect("its own");
    let (_, place) = of_one.0.split_once('@').expect("an address");
    let as_user = |user: &str, database: &str| {
        Url(format!("postgresql://{user}@{}", place.replace(&format!("/{own}"), &format!("/{database}"))))
    };
    as_user(&format!("{own}:{password}"), &own).connect("").expect("its own");
    for database in [&*foreign, "postgres", "template1"] {
        assert!(as_user(&format!("{own}:{password}"), database).connect("").is_err(), "{database}");
    }
    // With the role that runs the SQL of all projects.
    one.rows("alter role postgres password 'known'");
    for database in [&*own, &*foreign, "postgres"] {
        assert!(as_user("postgres:known", database).connect("").is_err(), "{database}");
    }
}

#[test]
fn no_statement_changes_a_role_or_a_database_of_another_project() {
    let Some(server) = server() else { return };
    let (mut one, mut other) = (World::on(&server), World::on(&server));
    let password = CreateProject::named("demo", "acme").db_pass.0;
    let (of_one, of_other) = (one.address(), other.address());
    let theirs = of_other.0.rsplit('/').next().unwrap_or_default().to_owned();
    let mut client = of_one.connect(&password).expect("it is let in");
    for text in [
        format!("alter role {theirs} password 'x'"),
        format!("alter role {theirs} set search_path = nowhere"),
        format!("alter role {theirs} rename to mine"),
        format!("alter role {theirs} nologin"),
        format!("drop role {theirs}"),
        format!("revoke postgres from {theirs}"),
        format!("grant {theirs} to postgres"),
        format!("set role {theirs}"),
        format!("reassign owned by {theirs} to postgres"),
        format!("drop database {theirs}"),
        format!("alter database {theirs} rename to mine"),
        format!("alter database {theirs} set search_path = nowhere"),
        "alter role authenticated login".to_owned(),
        "select pg_terminate_backend(1)".to_owned(),
    ] {
        let refused = one.refusal(&text);
        assert!(refused.contains("42501"), "{text}: {refused}");
        assert!(client.must(&text).is_err(), "{text}");
    }
    assert!(client.must("create role mine").is_err(), "roles are created by calls");
    of_other.connect(&password).expect("nothing has changed");
    // Settings of the role that they share don't outlast a session.
    one.rows("alter role postgres set search_path = nowhere");
    World::on(&server).rows("create table item (id int); select * from item");
    assert_eq!(other.one("select current_setting('search_path') = 'nowhere'"), false);
}

#[test]
fn a_role_gets_no_more_than_its_projects_may_have() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows("create role plain nologin noinherit; create user with_password password 'it''s'");
    world.rows(
        "create table seen (id int); grant select on seen to plain; set role plain; select * from seen",
    );
    for options in
        ["superuser", "in role project_1", "role project_1", "in role pg_database_owner", "admin stuntdouble"]
    {
        let refused = world.refusal(&format!("create role more {options}"));
        assert!(refused.contains("42501") || refused.contains("42704"), "{options}: {refused}");
    }
    world.rows("create role greedy createdb createrole replication in role authenticated role authenticator");
    let has = "select rolcreatedb or rolcreaterole or rolreplication as more, pg_has_role('greedy', 'authenticated', 'member') as member,
                      pg_has_role('authenticator', 'greedy', 'member') as group from pg_roles where rolname = 'greedy'";
    assert_eq!(world.rows(has), json!([{ "more": false, "member": true, "group": true }]));
    for name in ["project_999", "pg_more", "stuntdouble_more"] {
        assert!(world.refusal(&format!("create role {name}")).contains("42501"), "{name}");
    }
    assert!(world.refusal("create role anon").contains("42710"));
}

#[test]
fn connection_strings_connect() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    let address = world.address();
    let password = CreateProject::named("demo", "acme").db_pass.0;
    let mut client = address.connect(&password).expect("it is let in");
    assert!(address.connect("wrong").is_err());
    client.must("create table item (name text); insert into item values ('theirs')").expect("it may");
    let found =
        client.must("select current_user::text as user, session_user::text as session").expect("rows");
    let name = address.0.rsplit('/').next().unwrap_or_default();
    assert_eq!(Value::Object(found.rows[0].clone()), json!({ "user": "postgres", "session": name }));
    assert_eq!(world.rows("select * from item"), json!([{ "name": "theirs" }]));

    // No other database shows it: neither a new project's nor a fork's.
    assert!(World::on(&server).refusal("select * from item").contains("42P01"));
    assert!(world.fork().refusal("select * from item").contains("42P01"));
    world.rows("insert into item values ('ours')");
    assert_eq!(client.must("select * from item").expect("rows").rows.len(), 2);
    assert_eq!(world.address().0, address.0, "it stays");
}

#[test]
fn writes_of_others_do_not_change_a_world() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    let address = world.address();
    let mut client = address.connect(&CreateProject::named("demo", "acme").db_pass.0).expect("it is let in");
    client.must("create table item (name text)").expect("it may");
    // The world's statement would fail on a copy of its own, because the client created the table.
    let mut other = World::on(&server);
    let others = std::thread::spawn(move || {
        for at in 0..20 {
            other.rows(&format!("create table t{at} (id int); select pg_sleep(0.02)"));
        }
    });
    world.rows("select pg_sleep(0.4), count(*) from item");
    assert!(world.fork().refusal("select * from item").contains("42P01"));
    others.join().expect("the others write");
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
fn a_server_by_url_keeps_databases_and_is_left_as_it_was() {
    let Some(server) = server() else { return };
    let cluster = server.pool.cluster.as_ref().expect("it is ours");
    let Place::Socket(folder, port) = cluster.admin().place else { panic!("it has a socket") };
    let folder = folder.display().to_string().replace('/', "%2F");
    let url = format!("postgres://stuntdouble@{folder}:{port}");
    let ours = || {
        let sql = "select datname from pg_database where datname like 'stuntdouble\\_%'";
        server.pool.administer(sql).expect("rows").rows.len()
    };
    let guest = PostgresServer::connect(&url).expect("it answers");
    let mut world = World::on(&guest);
    world.rows(COUNTER);
    let mut fork = world.fork();
    world.rows("insert into item (name) values (current_date)");
    assert_eq!(world.one("select name from item"), "2026-01-01");
    assert_eq!(fork.one("select count(*) from item"), 0);
    assert_eq!(ours(), 3, "the template and one for each world");
    drop((guest, world, fork));
    assert_eq!(ours(), 0);
    assert!(PostgresServer::connect("postgres://nobody@127.0.0.1:1").is_err());
}

#[test]
fn databases_that_nobody_holds_are_dropped() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(COUNTER);
    let name = world.one("select current_database()::text");
    drop(world);
    let mut other = World::on(&server);
    let gone = |other: &mut World| {
        let found =
            other.one(&format!("select count(*) from pg_database where datname = {name}").replace('"', "'"));
        found == 0
    };
    assert!((0..100).any(|_| gone(&mut other)), "{name}");
}

#[test]
fn a_server_of_our_own_leaves_nothing_behind() {
    if server().is_none() {
        return;
    }
    let server = PostgresServer::start().expect("another one starts");
    let mut world = World::on(&server);
    world.rows(COUNTER);
    let cluster = server.pool.cluster.as_ref().expect("it is ours");
    let Place::Socket(folder, _) = cluster.admin().place else { panic!("it has a socket") };
    let pid = std::fs::read_to_string(folder.join("data/postmaster.pid")).expect("it runs");
    let pid = Path::new("/proc").join(pid.lines().next().unwrap_or_default());
    drop(server);
    assert!(folder.exists(), "as long as there is a world");
    drop(world);
    assert!(!folder.exists() && !pid.exists());
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
fn extensions_that_the_server_lacks_have_stand_ins() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(
        "create extension if not exists vector with schema extensions; create extension pg_cron; create extension pg_net with schema extensions;
         create extension pgmq; create extension http with schema extensions; create extension pgjwt with schema extensions;
         create extension if not exists pg_graphql with schema graphql; create extension platform_vault with schema vault",
    );
    world.rows(
        "create table item (id int primary key, at vector(3)); create index on item using hnsw (at vector_cosine_ops) with (m = 16);
         create index on item using ivfflat (at vector_l2_ops) with (lists = 100);
         insert into item values (1, '[1,2,3]'), (2, '[3, 2, 1]')",
    );
    assert_eq!(
        world.rows("select id, at, round((at <=> '[1,2,3]')::numeric, 3) as near, at <-> '[1,2,3]' as far from item order by at <=> '[1,2,3]'"),
        json!([{ "id": 1, "at": "[1,2,3]", "near": "0.000", "far": 0 }, { "id": 2, "at": "[3,2,1]", "near": "0.286", "far": 2.8284271247461903_f64 }])
    );
    assert_eq!(
        world.rows("select avg(at) as a, sum(at) as b, count(distinct at) as c from item"),
        json!([{ "a": "[2,2,2]", "b": "[4,4,4]", "c": 2 }])
    );
    assert!(world.refusal("insert into item values (3, '[1,2]')").contains("expected 3 dimensions, not 2"));
    assert!(
        world.refusal("insert into item values (3, 'one')").contains("invalid input syntax for type vector")
    );
    assert_eq!(world.one("select cron.schedule('a', '* * * * *', 'select 1')"), 1);
    assert_eq!(world.one("select net.http_post('http://localhost')"), 1);
    assert!(world.refusal("select http_get('http://localhost')").contains("Couldn't connect to server"));
    world.rows("select pgmq.create('jobs'); select pgmq.send('jobs', '{\"a\":1}')");
    assert_eq!(world.one("select message from pgmq.read('jobs', 30, 1)"), json!({ "a": 1 }));
    assert_eq!(world.one("select pgmq.archive('jobs', 1)"), true);
    let token = "sign('{\"sub\":\"a\"}', 'secret')";
    assert_eq!(world.one(&format!("select valid from verify({token}, 'secret')")), true);
    world.rows("select net.http_post('http://localhost', '{\"a\": 1}')");
    assert_eq!(
        world.one(
            "select convert_from(body, 'UTF8') from net.http_request_queue where body is not null limit 1"
        ),
        "{}"
    );
    world.rows(
        "create index concurrently on item using hnsw (at vector_l2_ops) with (\"m\"='16', \"ef_construction\"='64');
        ",
    );
    world.rows(
        "create index on item using \"hnsw\" ((binary_quantize(at)::bit(3)) bit_hamming_ops) with (\"m\"='16', \"ef_construction\"='64');
         create index on item using hnsw ((at::halfvec(3)) halfvec_l2_ops) with (m = 16);
         do $$ begin
             create index on item using ivfflat (at vector_ip_ops) with (lists = 10);
             execute format('create index %I on item using hnsw (at vector_l2_ops) with (m = 16, ef_construction = 64)', 'made');
         end $$;
         create table sparse (at sparsevec(5)); create index on sparse using hnsw (at sparsevec_cosine_ops); insert into sparse values ('{1:1.5,4:2}/5')",
    );
    assert_eq!(
        world.rows("select at <-> '{1:1.5}/5' as far, at::vector as dense, '[0,1]'::vector::sparsevec as thin, hamming_distance(B'101', B'110') as bits,
                           binary_quantize('[1,-1]'::vector) as signs, subvector('[1,2,3]'::vector, 2, 2) || '[4]' as part from sparse"),
        json!([{ "far": 2, "dense": "[1.5,0,0,2,0]", "thin": "{2:1}/2", "bits": 2, "signs": "10", "part": "[2,3,4]" }])
    );
    assert!(world.refusal("insert into sparse values ('{1:1}/4')").contains("expected 5 dimensions, not 4"));
    for function in [
        "vector_in(cstring, oid, integer)",
        "vector_recv(internal, oid, integer)",
        "halfvec_typmod_in(cstring[])",
        "array_to_vector(double precision[], integer, boolean)",
        "array_to_halfvec(numeric[], integer, boolean)",
        "vector_to_float4(extensions.vector, integer, boolean)",
        "vector(extensions.vector, integer, boolean)",
        "halfvec_to_sparsevec(extensions.halfvec, integer, boolean)",
        "binary_quantize(extensions.halfvec)",
        "jaccard_distance(bit, bit)",
        "hnswhandler(internal)",
        "ivfflathandler(internal)",
        "ivfflat_bit_support(internal)",
        "vector_l2_squared_distance(extensions.vector, extensions.vector)",
        "sparsevec_l2_squared_distance(extensions.sparsevec, extensions.sparsevec)",
        "vector_spherical_distance(extensions.vector, extensions.vector)",
        "vector_combine(double precision[], double precision[])",
    ] {
        assert_ne!(
            world.one(&format!("select to_regprocedure('extensions.{function}')")),
            Value::Null,
            "{function}"
        );
        world.rows(&format!("grant all on function extensions.{function} to anon"));
    }
    // What an extension has is no part of a dump.
    let loose = "select count(*) from pg_opfamily f where f.oid > 16383 and not exists
                 (select from pg_depend where classid = 'pg_opfamily'::regclass and objid = f.oid and deptype = 'e')";
    assert_eq!(world.one(loose), 0);
    world.rows("drop extension pgmq; drop extension vector cascade");
    assert!(world.refusal("select '[1]'::vector").contains("42704"));
}

#[test]
fn roles_and_extensions_are_created_in_blocks_and_functions() {
    let Some(server) = server() else { return };
    let guard = "do $$ begin if not exists (select from pg_roles where rolname = 'block_writer') then create role block_writer nologin; end if; end $$";
    let [mut world, mut other] = [World::on(&server), World::on(&server)];
    let has = |world: &mut World, name: &str| {
        world.one(&format!("select count(*) from pg_roles where rolname = '{name}'")) == 1
    };
    for world in [&mut world, &mut other] {
        world.rows(guard);
        world.rows(guard);
        assert!(has(world, "block_writer"));
    }
    world.rows(
        "create function make(n text) returns void language plpgsql as $f$ begin
             execute format('create role %I login password %L', n, 'a');
             execute 'grant ' || quote_ident(n) || ' to authenticator';
             execute 'create extension if not exists citext';
             create extension if not exists moddatetime;
             execute format('alter database %I set \"app.made\" = %L', current_database(), n);
         end $f$; select make('block_reader')",
    );
    assert_eq!(world.one("select current_setting('app.made')"), "block_reader");
    assert_eq!(world.one("select count(*) from pg_extension where extname in ('citext', 'moddatetime')"), 2);
    assert!(has(&mut world, "block_reader") && has(&mut world.fork(), "block_reader"));
    assert!(!has(&mut other, "block_reader"), "it is the other project's");
    let caught = "do $$ begin create role block_writer; exception when duplicate_object then perform set_config('app.caught', sqlstate, false); end $$;
                  select current_setting('app.caught')";
    assert_eq!(world.one(caught), "42710");
    let refused = world.refusal("do $$ begin execute 'create role more superuser'; end $$");
    assert!(refused.contains("42501"), "{refused}");
}

#[test]
fn roles_of_a_project_are_granted_changed_renamed_and_dropped() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    let mut before = World::on(&server);
    for world in [&mut world, &mut before] {
        world.rows("create role member_a; create role member_b");
    }
    world.rows("grant member_a to authenticator; grant anon, authenticated to member_a; grant member_b to member_a; revoke anon from member_a");
    let is = "select pg_has_role('authenticator', 'member_a', 'member') as a, pg_has_role('member_a', 'authenticated', 'member') as b,
                     pg_has_role('member_a', 'anon', 'member') as c, pg_has_role('member_a', 'member_b', 'member') as d";
    assert_eq!(world.rows(is), json!([{ "a": true, "b": true, "c": false, "d": true }]));
    world.rows("alter group member_b drop user member_a; alter group member_b add user member_a");
    world.rows("alter role member_a with login password 'x'; alter user member_a noinherit; comment on role member_a is 'it'");
    world.rows(
        "create schema theirs authorization member_a; create table item (id int); grant select on item to member_a;
         create policy own on item to member_a using (true)",
    );
    let depends = world.refusal("drop role member_a");
    assert!(depends.contains("2BP01"), "{depends}");
    world.rows("alter role member_a rename to member_c");
    let renamed = "select rolcanlogin and not rolinherit as as_before, has_table_privilege(rolname, 'item', 'select') as may,
                          (select nspowner::regrole::text from pg_namespace where nspname = 'theirs') as owner,
                          (select roles::text from pg_policies where policyname = 'own') as policy
                   from pg_roles where rolname like 'member\\_%' and rolname <> 'member_b'";
    let expected = json!([{ "as_before": true, "may": true, "owner": "member_c", "policy": "{member_c}" }]);
    assert_eq!(world.rows(renamed), expected);
    assert_eq!(world.fork().rows(renamed), expected);
    world.rows("drop policy own on item; drop schema theirs; revoke select on item from member_c");
    world.rows("drop role member_c; drop user if exists member_c, member_b");
    assert_eq!(world.one("select count(*) from pg_roles where rolname like 'member\\_%'"), 0);
    assert!(world.refusal("drop role member_a").contains("42704"));
    world.rows("create role member_a");
    // Other projects keep theirs.
    before.rows("create table item (id int); grant select on item to member_a, member_b; set role member_a");
    for text in [
        "grant service_role to anon",
        "revoke anon from authenticator",
        "grant postgres to anon",
        "grant pg_database_owner to member_a",
        "alter role anon rename to member_d",
        "alter role anon login",
        "drop role anon",
        "drop role pg_monitor",
        "alter role member_a rename to pg_more",
        "alter role member_a superuser",
    ] {
        let refused = world.refusal(text);
        assert!(refused.contains("42501"), "{text}: {refused}");
    }
}

#[test]
fn parameters_that_the_service_allows_can_be_set() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    if server.pool.version >= 15 {
        world.rows(
            "create table item (id int); create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
             create trigger refuse before insert on item for each row execute function refuse()",
        );
        world.rows("set session_replication_role = replica; insert into item values (1); set session_replication_role = origin");
        world.rows(
            "begin; set local session_replication_role to 'replica'; insert into item values (2); commit",
        );
        assert!(world.refusal("insert into item values (3)").contains("refused"));
        world.rows("set log_min_duration_statement = 100; alter role authenticator set session_replication_role = origin");
    }
    assert!(world.refusal("set zero_damaged_pages = on").contains("42501"));
    world.rows(
        "set transaction_timeout = 0; set local \"transaction_timeout\" to '5min'; reset transaction_timeout",
    );
    world.rows("alter role authenticator set transaction_timeout = '1s'; set idle_session_timeout = 0");
    for text in [
        "alter database postgres set app.settings.jwt_secret to 'y'",
        "alter database postgres set \"app.settings.jwt_exp\" = 3600",
        "alter database postgres set app.settings.path to E'a\\\\b'",
        "alter database postgres set time zone 'Europe/Berlin'",
        "alter database postgres set search_path to \"$user\", public, extensions",
        "alter role authenticator set pgrst.db_schemas = 'public, storage'",
        "alter role authenticator set pgrst.db.pre.request to 'public.check'",
        "alter user anon set statement_timeout to '3s'",
        "alter role authenticated in database postgres set statement_timeout = '8s'",
        "alter role anon reset all",
    ] {
        world.rows(text);
    }
    let set = "select current_setting('app.settings.jwt_secret') || current_setting('app.settings.jwt_exp')
               || current_setting('app.settings.path')";
    assert_eq!(world.one(set), "y3600a\\b");
    let stored = "select setconfig::text from pg_db_role_setting join pg_database d on d.oid = setdatabase
                  where datname = current_database() and setrole = 0";
    assert!(world.one(stored).to_string().contains("TimeZone=Europe/Berlin"));
}

#[test]
fn rights_on_functions_that_only_other_versions_of_extensions_have_change_without_effect() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows("grant all on function extensions.more_reset() to anon; revoke all on function vault.more(bytea) from public");
    world.rows("grant all on function public.more_recv(internal, oid, integer) to anon; alter function graphql.more(text) owner to postgres");
    let graphql = "graphql_public.graphql(text, text, jsonb, jsonb)";
    world.rows(&format!("grant all on function {graphql} to anon"));
    let answer = world.one("select graphql_public.graphql(query => '{ a }')");
    assert_eq!(answer["errors"][0]["message"], "pg_graphql extension is not enabled.");
    for (text, code) in [
        ("grant all on function public.more(text) to anon", "42883"),
        ("grant all on function extensions.more(text) to nobody_of_the_kind", "42"),
        (&*format!("grant all on function {graphql} to nobody_of_the_kind"), "42704"),
    ] {
        match world.ask(text) {
            Ok(_) => assert!(text.contains("extensions.more"), "{text}"),
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
fn a_renamed_role_keeps_its_settings() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows("create role kept_a; alter role kept_a set statement_timeout = '3s'; alter role kept_a rename to kept_b");
    let stored = "select setconfig::text from pg_db_role_setting where setrole = 'kept_b'::regrole";
    assert_eq!(world.one(stored), "{statement_timeout=3s}");
}

#[test]
fn extensions_that_another_brings_belong_to_the_caller() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    if world.one("select count(*) from pg_available_extensions where name in ('cube', 'earthdistance')") == 2
    {
        world.rows(
            "create extension earthdistance cascade; drop extension earthdistance; drop extension cube",
        );
    }
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
fn rights_of_the_servers_own_roles_count_in_one_database() {
    let Some(server) = server() else { return };
    let [mut world, mut other] = [World::on(&server), World::on(&server)];
    for world in [&mut world, &mut other] {
        world.rows("create role right_reader; create table item (id int); insert into item values (1)");
        world.rows("create schema inner_one; create table inner_one.item (id int)");
    }
    world.rows(
        "grant pg_read_all_data, pg_monitor, pg_signal_backend to right_reader; create table later (id int)",
    );
    let read = "set role right_reader; select (select count(*) from item) + (select count(*) from inner_one.item) + (select count(*) from later)";
    assert_eq!(world.one(read), 1);
    assert!(world.refusal("set role right_reader; insert into item values (2)").contains("42501"));
    assert!(other.refusal("set role right_reader; select * from item").contains("42501"));
    world
        .rows("grant pg_write_all_data to right_reader; set role right_reader; insert into later values (2)");
    world.rows("revoke pg_write_all_data, pg_read_all_data from right_reader");
    assert!(world.refusal(read).contains("42501"));
    for role in ["pg_monitor", "pg_signal_backend", "pg_read_all_data"] {
        assert_eq!(world.one(&format!("select pg_has_role('right_reader', '{role}', 'member')")), false);
    }
}

#[test]
fn what_later_versions_can_say_about_roles_and_rights_is_understood() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows("create role set_a; create role set_b; create table item (id int)");
    world.rows("grant set_a to set_b with inherit true, set true; grant set_a to postgres with set false; revoke inherit option for set_a from set_b");
    for (asked, has) in [
        ("'set_b', 'set_a', 'set'", true),
        ("'set_b'::regrole, 'set_a'::regrole::oid, 'SET'", true),
        ("'set_a', 'set_b', 'set'", false),
        ("'set_a', 'usage, set'", true),
        ("'set_b', 'set_a', 'member'", true),
    ] {
        assert_eq!(world.one(&format!("select pg_has_role({asked})")), has, "{asked}");
    }
    assert!(world.refusal("select pg_has_role('set_a', 'reset')").contains("22023"));
    world.rows(
        "grant delete, insert, maintain, select on table item to set_a; grant maintain on item to set_b;
         alter default privileges in schema public grant select, maintain on tables to set_a;
         create table later (id int);
         do $$ begin grant maintain, update on item to set_a; execute 'select 1'; end $$",
    );
    let rights = "select string_agg(privilege_type, ',' order by privilege_type) from information_schema.role_table_grants where grantee = 'set_a'";
    let (item, later) = ("DELETE,INSERT,SELECT,UPDATE", "SELECT");
    assert_eq!(world.one(&format!("{rights} and table_name = 'item'")), item);
    assert_eq!(world.one(&format!("{rights} and table_name = 'later'")), later);
    world.rows("revoke maintain, update on item from set_a");
    assert_eq!(world.one(&format!("{rights} and table_name = 'item'")), "DELETE,INSERT,SELECT");
    world.rows("comment on database postgres is 'it'; comment on role anon is 'it'");
    assert!(world.refusal("comment on database template1 is 'it'").contains("42501"));
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

#[test]
fn extensions_move_to_another_schema() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    for (name, member) in [
        ("btree_gist", "gbtreekey4"),
        ("btree_gin", ""),
        ("citext", "citext"),
        ("pg_trgm", "gtrgm"),
        ("hstore", "hstore"),
    ] {
        world.rows(&format!(
            "create extension {name} schema public; alter extension {name} set schema extensions"
        ));
        let place =
            format!("select extnamespace::regnamespace::text from pg_extension where extname = '{name}'");
        assert_eq!(world.one(&place), "extensions");
        if !member.is_empty() {
            assert_eq!(world.one(&format!("select to_regtype('extensions.{member}') is not null")), true);
        }
    }
    assert!(world.refusal("alter extension no_such set schema extensions").contains("42704"));
    // With it, statements are looked at that make wrappers.
    world.rows("create extension wrappers with schema extensions; create role moved_one; alter extension citext set schema public");
    world.rows(
        "create foreign data wrapper pay handler pay_fdw_handler validator extensions.pay_fdw_validator options (a 'b');
         create server pay foreign data wrapper pay options (api_key 'x'); create foreign table bill (id text) server pay",
    );
    assert!(world.refusal("select * from bill").contains("foreign-data wrapper \"pay\" has no handler"));
}

#[test]
fn shapes_have_a_stand_in() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows(
        "create extension postgis with schema extensions;
         create table place (id int primary key, at geography(Point, 4326) not null, area geometry(Polygon,4326), any_one geometry);
         create index on place using gist (at); create index on place using gist (area);
         insert into place values (1, 'POINT(13.4 52.5)', st_geomfromtext('POLYGON((0 0,0 2,2 2,2 0,0 0))', 4326), 'LINESTRING(0 0,3 4)'),
             (2, st_makepoint(2.35, 48.86)::geography, null, st_setsrid(st_point(1, 1), 3857))",
    );
    assert_eq!(
        world.rows("select id, st_astext(at) as text, round(st_distance(at, 'POINT(2.35 48.86)')::numeric / 1000) as far, st_area(area) as area,
                           st_length(any_one) as length, st_asgeojson(at)::json -> 'coordinates' -> 0 as x from place order by at <-> 'POINT(2.35 48.86)'"),
        json!([{ "id": 2, "text": "POINT(2.35 48.86)", "far": "0", "area": null, "length": 0, "x": 2.35 },
               { "id": 1, "text": "POINT(13.4 52.5)", "far": "878", "area": 4, "length": 5, "x": 13.4 }])
    );
    assert_eq!(
        world.rows("select st_contains(area, st_setsrid(st_point(1, 1), 4326)) as inside, st_dwithin(at, st_point(13.41, 52.5)::geography, 1000) as near,
                           at::text as text, st_srid(any_one) as srid from place where id = 1"),
        json!([{ "inside": true, "near": true, "text": "0101000020E6100000CDCCCCCCCCCC2A400000000000404A40", "srid": 0 }])
    );
    let columns = "select string_agg(attname || ' ' || format_type(atttypid, atttypmod), ', ' order by attnum) from pg_attribute
                   where attrelid = 'place'::regclass and attnum > 1";
    assert_eq!(world.one(columns), "at geography(Point,4326), area geometry(Polygon,4326), any_one geometry");
    for (text, part) in [
        (
            "insert into place values (3, 'LINESTRING(0 0,1 1)')",
            "Geometry type (LineString) does not match column type (Point)",
        ),
        (
            "insert into place values (3, 'POINT(0 0)', 'POLYGON((0 0,0 2,2 2,0 0))')",
            "SRID (0) does not match column SRID (4326)",
        ),
        ("insert into place values (3, 'here')", "parse error - invalid geometry"),
        ("select st_buffer(area, 1) from place", "0A000"),
        ("select st_union(area) from place", "0A000"),
        ("select st_transform(area, 25832) from place", "0A000"),
    ] {
        let refused = world.refusal(text);
        assert!(refused.contains(part), "{text}: {refused}");
    }
    assert_eq!(world.fork().one("select count(*) from place where at is not null"), 2);
    world.rows("drop extension postgis cascade");
    assert_eq!(world.one("select format_type('varchar'::regtype, 14)"), "character varying(10)");
}

#[test]
fn clients_of_one_project_leave_connections_for_the_calls_of_all() {
    let Some(server) = server() else { return };
    let (mut one, mut other) = (World::on(&server), World::on(&server));
    let address = one.address();
    let password = CreateProject::named("demo", "acme").db_pass.0;
    let connect = || address.connect(&password);
    let clients: Vec<Connection> =
        (0..template::CLIENTS_MAX).map(|_| connect().expect("it is let in")).collect();
    let refused = connect().err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("too many connections for role"), "{refused}");
    for world in [&mut one, &mut other, &mut World::on(&server)] {
        assert_eq!(world.one("select 1"), 1);
    }
    // The pooler's clients come in as the role of calls.
    let database = address.0.rsplit('/').next().expect("a database");
    let pooled = || Connection::open(&server.pool.caller, database);
    let more: Vec<Connection> =
        (template::CLIENTS_MAX..template::DATABASE_MAX).map_while(|_| pooled().ok()).collect();
    let refused = pooled().err().map(|error| error.to_string()).unwrap_or_default();
    assert!(refused.contains("too many connections for database"), "{refused}");
    for world in [&mut other, &mut World::on(&server)] {
        assert_eq!(world.one("select 1"), 1);
    }
    drop((clients, more));
}
