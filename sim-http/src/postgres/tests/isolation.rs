//! What one project, or one client, sees of another.

use std::path::Path;

use serde_json::{Value, json};
use sim_core::management::project::CreateProject;

use super::{COUNTER, Url, World, server};
use crate::postgres::wire::Connection;
use crate::postgres::*;

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
