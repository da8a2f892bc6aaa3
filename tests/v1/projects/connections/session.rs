//! The state of a connection: settings, locks, prepared statements, temporary objects, drawn numbers.

use serde_json::json;

use super::{CONNECTIONS, one_project, open, outcome, run, value};
use crate::support::both;

#[test]
fn settings_stay_between_the_calls_of_a_connection() {
    both(one_project, |api| {
        let (one, two) = (open(api), open(api));
        run(api, one, "create schema app; create table app.t (n int)");
        assert_eq!(outcome(api, one, "set search_path to app"), "SET, I");
        assert_eq!(outcome(api, one, "select * from t"), "SELECT 0, I");
        assert_eq!(outcome(api, two, "select * from t"), "42P01, I");
        run(api, one, "begin; set local search_path to public");
        assert_eq!(value(api, one, "show search_path"), "public");
        run(api, one, "commit");
        assert_eq!(value(api, one, "show search_path"), "app");
        run(api, one, "prepare two as select 1 + $1::int");
        assert_eq!(value(api, one, "execute two (1)"), "2");
        assert_eq!(outcome(api, two, "execute two (1)"), "26000, I");
    });
}

#[test]
fn a_session_keeps_its_advisory_locks_until_it_gives_them_back() {
    both(one_project, |api| {
        let (one, two) = (open(api), open(api));
        let held = "select count(*) from pg_locks where locktype = 'advisory'";
        run(api, one, "select pg_advisory_lock(1)");
        run(api, one, "begin; select pg_advisory_xact_lock(2)");
        assert_eq!(value(api, one, held), "2");
        run(api, one, "rollback");
        assert_eq!(value(api, one, held), "1");
        assert_eq!(value(api, two, "select pg_advisory_unlock(1)"), "f");
        assert_eq!(value(api, one, "select pg_advisory_unlock(1)"), "t");
        let again = run(api, one, "select pg_advisory_unlock(1)");
        assert_eq!(again["results"][0]["rows"], json!([["f"]]));
        let warning = &again["results"][0]["notices"][0];
        assert_eq!(warning["message"], "you don't own a lock of type ExclusiveLock");
        let nothing = run(api, one, "select plainto_tsquery('english', 'the')");
        assert_eq!(nothing["results"][0]["notices"][0]["severity"], "NOTICE");
    });
}

#[test]
fn prepared_statements_are_listed_with_the_types_of_their_parameters() {
    both(one_project, |api| {
        let one = open(api);
        run(api, one, "create table t (n int, b text)");
        run(api, one, "prepare q (int, text) as select $1 + 1, $2");
        run(api, one, "prepare u as update t set b = $1 where n = $2");
        let listed = run(api, one, "select name, parameter_types from pg_prepared_statements order by name");
        assert_eq!(listed["results"][0]["rows"], json!([["q", "{integer,text}"], ["u", "{text,integer}"]]));
        assert_eq!(value(api, one, "explain (costs off) execute q (1, 'x')"), "Result");
        run(api, one, "deallocate all");
        assert_eq!(value(api, one, "select count(*) from pg_prepared_statements"), "0");
    });
}

#[test]
fn temporary_objects_and_drawn_numbers_last_as_long_as_a_connection() {
    both(one_project, |api| {
        let (one, two) = (open(api), open(api));
        run(api, one, "create table kept (id serial, n int)");
        for (query, expected) in [
            ("create temp table t (n int)", "CREATE TABLE, I"),
            ("insert into t values (1), (2)", "INSERT 0 2, I"),
            ("create temp view v as select sum(n) as s from t", "CREATE VIEW, I"),
            ("begin", "BEGIN, T"),
            ("create temp table gone (n int) on commit drop", "CREATE TABLE, T"),
            ("insert into t values (3)", "INSERT 0 1, T"),
            ("commit", "COMMIT, I"),
            ("select * from gone", "42P01, I"),
            ("insert into kept (n) select s from v", "INSERT 0 1, I"),
            ("create table pg_temp.more as select 1 as n", "SELECT 1, I"),
        ] {
            assert_eq!(outcome(api, one, query), expected, "{query}");
        }
        assert_eq!(value(api, one, "select s from v"), "6");
        assert_eq!(value(api, one, "select currval('kept_id_seq') + lastval()"), "2");
        assert_eq!(outcome(api, two, "select * from t"), "42P01, I");
        assert_eq!(outcome(api, two, "select currval('kept_id_seq')"), "55000, I");
        // Another connection has objects of the same names.
        run(api, two, "create temp table t (n text)");
        assert_eq!(outcome(api, two, "insert into t values ('x')"), "INSERT 0 1, I");
        assert_eq!(value(api, one, "select count(*) from t"), "3");
        assert_eq!(outcome(api, one, "discard temp"), "DISCARD TEMP, I");
        assert_eq!(outcome(api, one, "select * from t"), "42P01, I");
        api.post(CONNECTIONS, json!({ "action": "close", "connection": two }));
        let left = "select count(*) from pg_namespace where nspname like 'pg\\_temp%'";
        assert_eq!(value(api, one, left), "0");
    });
}

#[test]
fn numbers_that_were_drawn_are_not_returned_by_a_rollback() {
    both(one_project, |api| {
        let (one, two) = (open(api), open(api));
        let insert = "insert into t default values returning id";
        run(api, one, "create table t (id bigint generated always as identity); create sequence s");
        run(api, one, "begin");
        assert_eq!(value(api, one, insert), "1");
        run(api, one, "rollback");
        assert_eq!(value(api, one, insert), "2");
        run(api, one, "begin; savepoint a");
        assert_eq!(value(api, one, insert), "3");
        run(api, one, "rollback to a");
        assert_eq!(value(api, one, insert), "4");
        run(api, one, "commit");
        // A failed block, one text of several statements, a connection that goes, and a call.
        run(api, one, "begin");
        assert_eq!(value(api, one, insert), "5");
        assert_eq!(outcome(api, one, "select 1 / 0"), "22012, E");
        run(api, one, "rollback");
        assert_eq!(outcome(api, one, "insert into t default values; select 1 / 0"), "INSERT 0 1, 22012, I");
        run(api, two, "begin");
        assert_eq!(value(api, two, insert), "7");
        api.post(CONNECTIONS, json!({ "action": "close", "connection": two }));
        assert_eq!(value(api, one, insert), "8");
        run(api, one, "begin");
        run(api, one, "select setval('s', 50)");
        run(api, one, "rollback");
        assert_eq!(value(api, one, "select nextval('s')"), "51");
        // Everything that the block has created is removed.
        run(api, one, "begin");
        run(api, one, "create sequence gone; select nextval('gone')");
        run(api, one, "rollback");
        run(api, one, "create sequence gone");
        assert_eq!(value(api, one, "select nextval('gone')"), "1");
        assert_eq!(value(api, one, "select count(*) from t"), "3");
    });
}
