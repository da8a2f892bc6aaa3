//! Roles and their rights.

use serde_json::json;

use super::{World, server};

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
fn a_renamed_role_keeps_its_settings() {
    let Some(server) = server() else { return };
    let mut world = World::on(&server);
    world.rows("create role kept_a; alter role kept_a set statement_timeout = '3s'; alter role kept_a rename to kept_b");
    let stored = "select setconfig::text from pg_db_role_setting where setrole = 'kept_b'::regrole";
    assert_eq!(world.one(stored), "{statement_timeout=3s}");
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
