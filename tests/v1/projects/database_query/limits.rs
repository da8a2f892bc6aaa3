//! What a call may take.

use serde_json::json;
use sim_fixtures::Scene;

use super::{ask, fails, one_project, rows};
use crate::steps::under;
use crate::support::{both, on_both_engines};

/// A project whose calls are ended early.
fn impatient() -> Scene {
    under(|policy| policy.sql_steps = 1_000_000)
}

#[test]
fn sorting_in_a_call_has_a_limit() {
    both(one_project, |api| {
        let rows_of = |count: u32| {
            format!(
                "select repeat('x', 10000) || g as r, g from generate_series(1, {count}) g order by r desc"
            )
        };
        let too_many = format!("select count(*) from ({}) q", rows_of(20_000));
        fails(api, &too_many, "ERROR:  53200: out of memory\n");
        let sorted = rows(api, &format!("select g from ({}) q order by r desc", rows_of(3_000)));
        let numbers = sorted.as_array().expect("rows").iter().map(|row| row["g"].to_string());
        assert!(numbers.is_sorted_by(|a, b| a > b), "{sorted}");
    });
}

#[test]
fn a_call_that_takes_too_long_is_cancelled_whatever_it_does() {
    both(impatient, |api| {
        rows(api, "create table t (a int primary key)");
        for query in [
            "insert into t select g from generate_series(1, 1000000) g",
            "select count(*) from generate_series(1, 100000) g where repeat('a', 1000) ~ ('a*a*a*b' || g)",
            "select sum(length(md5(repeat('x', 100000) || g))) from generate_series(1, 100000) g",
        ] {
            fails(api, query, "ERROR:  57014: canceling statement due to statement timeout\n");
            assert_eq!(rows(api, "select count(*) as n from t"), json!([{ "n": 0 }]), "{query}");
        }
        let doubled =
            "with recursive t (n, j) as (select 1, '[1]'::jsonb union all select n + 1, j || j from t where n < 40)
             select max(n) from t";
        let reply = ask(api, doubled);
        assert!(reply.to_string().contains("ERROR:  5"), "{reply}");
        let reply = ask(api, &format!("select {}", ["repeat('x', 60000000)"; 20].join(", ")));
        assert!(reply.to_string().contains("ERROR:  5"), "{reply}");
    });
}

#[test]
fn definitions_are_not_held_up_by_the_tables_around_them() {
    // Each of these took SQLite once through its whole schema, the first one with the square of the columns.
    let columns: Vec<String> = (0..30).map(|n| format!("c{n} text not null default 'x'")).collect();
    let tables: Vec<String> =
        (0..100).map(|n| format!("create table t{n} ({})", columns.join(", "))).collect();
    let measured = || under(|policy| policy.sql_steps = 10_000_000);
    both(measured, |api| {
        rows(api, &tables.join("; "));
        rows(api, "create table other (a int, b int); insert into other values (1, 2)");
        rows(api, "alter table other drop column a");
        for column in 0..30 {
            rows(api, &format!("alter table other add column c{column} int default {column}"));
        }
        rows(api, "alter table other add column sum int generated always as (b + c29) stored");
        rows(api, "alter table other drop column c0, add column c0 text not null default 'new'");
        let row = rows(api, "select b, c0, c1, c29, sum from other");
        assert_eq!(row, json!([{ "b": 2, "c0": "new", "c1": 1, "c29": 29, "sum": 31 }]));
        assert_eq!(ask(api, "select a from other").status, 400);
        assert_eq!(ask(api, "insert into other (b, c0) values (1, null)").status, 400);
    });
}

#[test]
fn a_statement_that_never_ends_is_cancelled() {
    let begin = || under(|policy| policy.sql_steps = 100_000);
    on_both_engines(begin, |api| {
        let endless =
            "with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) from n";
        fails(api, endless, "ERROR:  57014: canceling statement due to statement timeout\n");
        assert_eq!(rows(api, "select 1 as one"), json!([{ "one": 1 }]));
    });
}
