//! Privileges that a project's role does not have: as on the service, it is not a superuser.

use serde_json::json;

use super::Database;

#[test]
fn the_systems_own_objects_are_out_of_reach() {
    let database = Database::new();
    for (text, expected) in [
        (
            "drop schema pg_catalog cascade",
            "2BP01: cannot drop schema pg_catalog because it is required by the database system",
        ),
        (
            "drop schema if exists pg_catalog",
            "2BP01: cannot drop schema pg_catalog because it is required by the database system",
        ),
        ("drop schema information_schema", "42501: must be owner of schema information_schema"),
        ("alter schema pg_catalog rename to mine", "42501: must be owner of schema pg_catalog"),
        (
            "alter schema information_schema owner to postgres",
            "42501: must be owner of schema information_schema",
        ),
        ("alter schema public rename to pg_mine", "42939: unacceptable schema name \"pg_mine\""),
        ("create schema pg_mine", "42939: unacceptable schema name \"pg_mine\""),
        ("create table pg_catalog.x (a int)", "42501: permission denied for schema pg_catalog"),
        (
            "create view information_schema.x as select 1",
            "42501: permission denied for schema information_schema",
        ),
        ("drop table pg_catalog.pg_class", "42501: must be owner of table pg_class"),
        ("drop table if exists pg_class", "42501: must be owner of table pg_class"),
        ("drop view pg_tables cascade", "42501: must be owner of view pg_tables"),
        ("drop view information_schema.tables", "42501: must be owner of view tables"),
        ("alter table pg_class add column mine int", "42501: must be owner of table pg_class"),
        ("create index on pg_class (relname)", "42501: must be owner of table pg_class"),
        ("insert into pg_class (relname) values ('a')", "42501: permission denied for table pg_class"),
        ("update pg_catalog.pg_proc set proname = 'a'", "42501: permission denied for table pg_proc"),
        ("delete from pg_namespace", "42501: permission denied for table pg_namespace"),
        ("select * from pg_authid", "42501: permission denied for table pg_authid"),
        ("select rolpassword from pg_catalog.pg_authid", "42501: permission denied for table pg_authid"),
        ("drop function now()", "42501: must be owner of function now"),
        ("drop type int4", "2BP01: cannot drop type integer because it is required by the database system"),
    ] {
        assert_refused(&database, text, expected);
    }
}

#[test]
fn roles_and_settings_of_the_server_stay_as_they_are() {
    let database = Database::new();
    let superuser = "42501: must be superuser to alter superuser roles or change superuser attribute";
    for (text, expected) in [
        ("alter role postgres superuser", superuser),
        ("alter user postgres with login nosuperuser", superuser),
        ("drop role postgres", "55006: current user cannot be dropped"),
        ("drop user if exists current_user", "55006: current user cannot be dropped"),
        ("drop role nobody", "42704: role \"nobody\" does not exist"),
        ("alter system set work_mem = '1GB'", "42501: permission denied to set parameter \"work_mem\""),
        ("alter system reset all", "42501: permission denied to perform ALTER SYSTEM RESET ALL"),
        (
            "drop owned by postgres cascade",
            "2BP01: cannot drop objects owned by role postgres because they are required by the database system",
        ),
        ("set role platform_admin", "42501: permission denied to set role \"platform_admin\""),
        (
            "set role anon; set role service_role; select * from nothing",
            "42P01: relation \"nothing\" does not exist",
        ),
        ("set session authorization anon", "42501: permission denied to set session authorization"),
        ("set role anon; create role mine", "42501: permission denied to create role"),
        ("set role anon; select * from auth.users", "42501: permission denied for table users"),
        ("set role anon; select * from vault.secrets", "42501: permission denied for schema vault"),
    ] {
        assert_refused(&database, text, expected);
    }
    database.rows("drop role if exists nobody; alter role authenticator set statement_timeout = '8s'");
}

#[test]
fn files_programs_and_libraries_of_the_server_are_out_of_reach() {
    let database = Database::new();
    database.rows("create table t (a text)");
    let may = |role: &str, doing: &str| {
        format!("42501: must be superuser or have privileges of the {role} role to COPY {doing}")
    };
    let program = may("pg_execute_server_program", "to or from an external program");
    for (text, expected) in [
        ("copy t from program 'id'", program.as_str()),
        ("copy (select 'a') to program 'id'", program.as_str()),
        ("copy t from '/etc/passwd'", &may("pg_read_server_files", "from a file")),
        ("copy t (a) to '/tmp/x' with (format csv)", &may("pg_write_server_files", "to a file")),
        ("copy t from stdin", "0A000: COPY FROM STDIN is not supported"),
        ("load '/tmp/evil.so'", "42501: access to library \"/tmp/evil.so\" is not allowed"),
        ("load 'evil'", "58P01: could not access file \"$libdir/plugins/evil\": No such file or directory"),
        ("vacuum into 'f'", "42601: syntax error at or near \"into\""),
        ("create function f() returns int language c as 'a', 'b'", "42501: permission denied for language c"),
        (
            "create function f() returns int language internal as 'now'",
            "42501: permission denied for language internal",
        ),
        ("create extension dblink", "42501: permission denied to create extension \"dblink\""),
        (
            "create extension if not exists postgres_fdw with schema extensions",
            "42501: permission denied to create extension \"postgres_fdw\"",
        ),
    ] {
        assert_refused(&database, text, expected);
    }
    for text in ["vacuum", "vacuum full t", "vacuum (analyze, verbose) t (a)", "create extension citext"] {
        database.rows(text);
    }
}

#[test]
fn a_lock_on_rows_is_not_a_read() {
    let database = Database { read_only: true, ..Database::new() };
    for (text, lock) in [("for update", "UPDATE"), ("for share skip locked", "SHARE")] {
        let text = format!("select * from storage.buckets {text}");
        let expected = format!("25006: cannot execute SELECT FOR {lock} in a read-only transaction");
        assert_refused(&database, &text, &expected);
    }
    Database::new().rows("select * from storage.buckets for update");
}

#[track_caller]
fn assert_refused(database: &Database, text: &str, expected: &str) {
    let refusal = database.refusal(text);
    assert_eq!(refusal.lines().next(), Some(&*format!("ERROR:  {expected}")), "{text}");
}

#[test]
fn every_privilege_has_its_letter_in_the_catalog() {
    let database = Database::new();
    database.rows("create schema quiet; create role \"b c\"; create table quiet.t (a int)");
    let words = ["INSERT", "SELECT", "UPDATE", "DELETE", "TRUNCATE", "REFERENCES", "TRIGGER"];
    for (word, letter) in words.into_iter().zip("arwdDxt".chars()) {
        database.rows(&format!("grant {word} on quiet.t to \"b c\""));
        let expected = format!("{{postgres=arwdDxt/postgres,\"\\\"b c\\\"={letter}/postgres\"}}");
        let listed = "select relacl::text as list from pg_class where oid = 'quiet.t'::regclass";
        assert_eq!(database.rows(listed), json!([{ "list": expected }]), "{word}");
        let has = format!("select has_table_privilege('b c', 'quiet.t', '{word}') as has");
        assert_eq!(database.rows(&has), json!([{ "has": true }]), "{word}");
        database.rows(&format!("revoke {word} on quiet.t from \"b c\""));
        assert_eq!(database.rows(&has), json!([{ "has": false }]), "{word}");
    }
}

#[test]
fn everybody_may_call_a_function_until_that_is_revoked() {
    let database = Database::new();
    database.rows("create schema quiet; create role b; create role c");
    database.rows("create function quiet.f() returns int language sql as 'select 1'");
    let may = "select has_function_privilege('b', 'quiet.f()', 'execute') as b, \
               has_function_privilege('c', 'quiet.f()', 'execute') as c";
    assert_eq!(database.rows(may), json!([{ "b": true, "c": true }]));
    database.rows("revoke execute on function quiet.f from public; grant execute on function quiet.f to c");
    assert_eq!(database.rows(may), json!([{ "b": false, "c": true }]));
}

#[test]
fn a_privilege_of_later_versions_is_left_out() {
    let database = Database::new();
    database.rows("create schema quiet; create role b; create table quiet.t (a int)");
    let may = "select has_table_privilege('b', 'quiet.t', 'select') as read, \
               has_table_privilege('b', 'quiet.t', 'delete') as delete";
    database.rows("grant maintain on quiet.t to b");
    assert_eq!(database.rows(may), json!([{ "read": false, "delete": false }]));
    database.rows("grant select, MAINTAIN, delete on table quiet.t to b");
    assert_eq!(database.rows(may), json!([{ "read": true, "delete": true }]));
    database.rows("revoke maintain on quiet.t from b; revoke delete, maintain on quiet.t from b");
    assert_eq!(database.rows(may), json!([{ "read": true, "delete": false }]));
    database.rows("alter default privileges in schema quiet grant trigger, maintain on tables to b");
    database.rows("create table quiet.u (a int)");
    let listed = "select relacl::text as list from pg_class where oid = 'quiet.u'::regclass";
    assert_eq!(database.rows(listed), json!([{ "list": "{postgres=arwdDxt/postgres,b=t/postgres}" }]));
}

#[test]
fn triggers_of_foreign_keys_belong_to_the_system() {
    let database = Database::new();
    database.rows("create table pk (id int primary key); create table fk (id int references pk);");
    database.rows("create table t (a int)");
    for text in ["alter table fk disable trigger all", "alter table pk enable trigger all"] {
        let refusal = database.refusal(text);
        assert!(refusal.contains("42501: permission denied: \"RI_ConstraintTrigger_"), "{refusal}");
    }
    database.rows("alter table fk disable trigger user; alter table t disable trigger all");
}
