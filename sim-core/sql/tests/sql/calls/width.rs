//! Many parts beside each other: columns, policies, partitions. They nest no deeper than a few.

use serde_json::json;

use super::Database;

fn each(count: usize, text: impl Fn(usize) -> String, separator: &str) -> String {
    (0..count).map(text).collect::<Vec<_>>().join(separator)
}

#[test]
fn a_table_of_1600_columns_has_checks_and_names_the_row_that_fails() {
    let database = Database::new();
    let columns = each(1_598, |number| format!("c{number} int default {number}"), ", ");
    database
        .rows(&format!("create table wide (id int primary key, a int not null check (a > 0), {columns})"));
    let rows = database.rows("insert into wide (id, a) values (1, 1) returning c1597");
    assert_eq!(rows, json!([{ "c1597": 1_597 }]));
    let refusal = database.refusal("insert into wide (id, a) values (2, 0)");
    let (first, detail) = refusal.split_once('\n').expect("two lines");
    assert_eq!(
        first,
        "ERROR:  23514: new row for relation \"wide\" violates check constraint \"wide_a_check\""
    );
    assert!(detail.starts_with("DETAIL:  Failing row contains (2, 0, 0, 1, 2, 3, "), "{detail}");
}

#[test]
fn any_of_1050_policies_lets_a_row_be_seen_and_written() {
    let database = Database::new();
    let policy = |number: usize| format!("create policy p{number} on t to anon using (a = {number})");
    database.rows(
        "create table t (a int); alter table t enable row level security; grant all on t to anon;
         insert into t values (1), (1049), (2000)",
    );
    for first in [0, 350, 700] {
        database.rows(&each(350, |number| policy(first + number), "; "));
    }
    let rows = database.rows("set role anon; select a from t order by a");
    assert_eq!(rows, json!([{ "a": 1 }, { "a": 1_049 }]));
    let rows = database.rows("set role anon; insert into t values (700) returning a");
    assert_eq!(rows, json!([{ "a": 700 }]));
    let refusal = database.refusal("set role anon; insert into t values (1200)");
    assert!(refusal.contains("new row violates row-level security policy for table \"t\""), "{refusal}");
}

#[test]
fn each_of_many_restrictive_policies_is_asked_and_named() {
    let database = Database::new();
    let policy =
        |number: usize| format!("create policy r{number:03} on t as restrictive using (a <> {number})");
    database.rows(
        "create table t (a int); alter table t enable row level security; grant all on t to anon;
         create policy every on t using (true); insert into t values (17), (1000)",
    );
    database.rows(&each(300, policy, "; "));
    assert_eq!(database.rows("set role anon; select a from t"), json!([{ "a": 1_000 }]));
    let refusal = database.refusal("set role anon; insert into t values (299)");
    assert!(
        refusal.contains("new row violates row-level security policy \"r299\" for table \"t\""),
        "{refusal}"
    );
    let refusal = database.refusal("set role anon; insert into t values (null)");
    assert!(refusal.contains("policy \"r000\""), "{refusal}");
}
