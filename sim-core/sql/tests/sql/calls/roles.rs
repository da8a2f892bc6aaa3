//! Many roles: what asks about all of them is in proportion to their number, or refused.

use serde_json::json;

use super::Database;

fn with_roles(count: usize) -> Database {
    let database = Database::new();
    for first in (0..count).step_by(500) {
        let roles: Vec<String> =
            (first..first + 500).map(|number| format!("create role r{number}")).collect();
        database.rows(&roles.join("; "));
    }
    database
}

#[test]
fn thousands_of_roles_are_listed_with_what_their_sessions_begin_with() {
    let database = with_roles(2_000);
    database.rows("alter role r1999 set work_mem = '8MB'; grant r1 to r2");
    let rows = database.rows(
        "select count(*) as n, count(rolconfig) filter (where rolname like 'r1%') as c from pg_roles
         where rolname ~ '^r[0-9]+$'",
    );
    assert_eq!(rows, json!([{ "n": 2_000, "c": 1 }]));
}

#[test]
fn the_privileges_of_each_role_on_one_table_are_those_of_each_role_alone() {
    let database = with_roles(2_000);
    database.rows("create table t (a int); create table u (a int); grant select on t to r7; grant r7 to r8");
    let rows = database.rows(
        "select rolname as r from pg_roles where rolname ~ '^r[0-9]+$' and has_table_privilege(rolname, 't', 'select') order by 1",
    );
    assert_eq!(rows, json!([{ "r": "r7" }, { "r": "r8" }]));
    let tables: Vec<String> = (0..200).map(|number| format!("create table t{number} (a int)")).collect();
    database.rows(&tables.join("; "));
    let each =
        "select count(*) from pg_roles, pg_class c where has_table_privilege(rolname, c.oid, 'select')";
    let refusal = database.refusal(each);
    assert!(refusal.starts_with("ERROR:  54000: too many roles and objects to compare"), "{refusal}");
}

#[test]
fn a_system_relation_draws_on_the_work_of_its_call_for_each_object() {
    let mut database = with_roles(1_000);
    database.limits.steps = 4_000;
    database.rows("select 1 as a");
    for relation in ["pg_roles", "pg_class", "pg_auth_members"] {
        let refusal = database.refusal(&format!("select 1 from {relation} where false"));
        assert!(refusal.contains("57014"), "{refusal}");
    }
}
