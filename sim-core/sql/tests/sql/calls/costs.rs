//! What a call is charged: work and memory in proportion to what it really takes, so that its limits hold.

use serde_json::json;

use super::{Database, Limits};

const TIME: &str = "ERROR:  57014: canceling statement due to statement timeout\n";

/// A database that was filled by `script` without limits, with a low limit of work.
fn filled(script: &str) -> Database {
    let mut database = Database::new();
    database.rows(script);
    database.limits = Limits { steps: 1_000_000, ..Limits::default() };
    database
}

fn many(count: usize, text: &str) -> String {
    (0..count).map(|n| text.replace("{n}", &n.to_string())).collect()
}

#[test]
fn arrays_and_documents_cost_by_their_elements() {
    let database = filled(
        "create table t as select array_agg(g % 2) as a, jsonb_agg(g % 2) as j,
           array_agg(g::text) as s, array_agg(g % 2)::text as x from generate_series(1, 120000) g",
    );
    for expression in [
        "j || '1'",
        "j - 1",
        "j #- '{1}'",
        "jsonb_set(j, '{0}', '1')",
        "jsonb_insert(j, '{0}', '1')",
        "jsonb_strip_nulls(j)",
        "jsonb_array_length(j)",
        "a || 1",
        "a[2:5]",
        "array_append(a, 1)",
        "array_remove(a, 1)",
        "array_replace(a, 1, 2)",
        "array_position(a, 5)",
        "array_to_string(a, ',')",
        "array_to_string(s, ',')",
        "cardinality(a)",
        "a::text",
        "x::int[]",
        "a = x::int[]",
        "to_jsonb(a)",
        "(select count(*) from unnest(a))",
        "(select count(*) from unnest(a, s))",
        "(select count(*) from jsonb_array_elements(j))",
    ] {
        assert_eq!(database.refusal(&format!("select {expression} from t")), TIME, "{expression}");
    }
    // An element of a long array or document costs what a comparison of the whole text costs.
    assert_eq!(
        filled("create table t as select array_agg(g) as a from generate_series(1, 5000) g")
            .rows("select a[1] + a[4999] as a from t"),
        json!([{ "a": 5000 }])
    );
    let loops = [
        "do $$ declare a int[] := '{}'; begin for i in 1..2000 loop a[i] := i; end loop; end $$",
        "do $$ declare a int[] := '{}'; begin for i in 1..2000 loop a := a || i; end loop; end $$",
        "do $$ declare a jsonb := '[]'; begin for i in 1..2000 loop a := a || '1'; end loop; end $$",
    ];
    for text in loops {
        assert_eq!(database.refusal(text), TIME, "{text}");
    }
}

#[test]
fn settings_cost_at_each_statement() {
    let database = filled("select 1");
    let text =
        "do $$ begin for i in 1..1500 loop perform set_config('a.b' || i, 'x', false); end loop; end $$";
    assert_eq!(database.refusal(text), TIME);
}

#[test]
fn a_list_of_definitions_costs_in_proportion_to_its_length() {
    let columns = |count: usize| -> String {
        (0..count)
            .map(|n| format!("c{n} numeric(10, 2) default (1 + {n}) check (c{n} > 0)"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let database = Database::new();
    database.rows(&format!("create table t ({})", columns(300)));
    database.rows("insert into t (c0) values (1)");
    let refusal = database.refusal(&format!("create table u ({})", columns(5_000)));
    assert_eq!(refusal, "ERROR:  54011: tables can have at most 1600 columns\n");
    for wrong in ["a numeric(1,", "a int check (a > )", "a int check (a > 1"] {
        let refusal = database.refusal(&format!("create table v ({wrong}, c int)"));
        assert!(refusal.starts_with("ERROR:  42601: syntax error at or near"), "{wrong}: {refusal}");
    }
    database.rows(&many(5_000, "prepare p{n} as select {n}; "));
    let roles = Database::new();
    roles.rows(&many(500, "create role r{n}; "));
    let names: Vec<String> = (0..500).map(|n| format!("r{n}")).collect();
    roles.rows("grant r1 to r2");
    roles.rows(&format!("drop role {}", names.join(", ")));
    assert_eq!(roles.rows("select count(*) as n from pg_roles where rolname like 'r_'"), json!([{ "n": 0 }]));
}

#[test]
fn statements_and_rows_are_held_in_memory() {
    let limits = Limits { held_bytes: 1 << 20, ..Limits::default() };
    let database = Database { limits, ..Database::new() };
    for text in [
        ";".repeat(100_000),
        format!("select {}", "1, ".repeat(50_000) + "1"),
        "select g from generate_series(1, 10000) g".to_owned(),
    ] {
        let refusal = database.refusal(&text);
        assert!(refusal.starts_with("ERROR:  53200: out of memory\n"), "{refusal}");
    }
    let long = database.rows(&format!("select length('{}') as n", "a, b; ".repeat(100_000)));
    assert_eq!(long, json!([{ "n": 600_000 }]), "a quoted text is one token");
}

#[test]
fn a_width_beyond_the_longest_text_is_refused() {
    let database = Database::new();
    for text in
        ["format('%1000000000s', 'a')", "format('%*s', 2147483647, 'a')", "format('%-99999999s|', 'a')"]
    {
        let refusal = database.refusal(&format!("select length({text})"));
        assert_eq!(refusal, "ERROR:  54000: requested length too large\n", "{text}");
    }
}

#[test]
fn names_are_looked_up_in_a_list_that_is_read_once() {
    let database = Database::new();
    database.rows(&many(200, "create table t{n} (a int); "));
    let database = Database { limits: Limits { steps: 2_000_000, ..Limits::default() }, ..database };
    let rows = database.rows(
        "select count(('t' || (g % 200))::regclass) as n, bool_and(has_table_privilege('postgres', 't' || (g % 200), 'select')) as may
         from generate_series(1, 5000) g",
    );
    assert_eq!(rows, json!([{ "n": 5000, "may": true }]));
    let names = "select ('t' || g)::regclass::text as name from generate_series(198, 199) g order by 1";
    assert_eq!(database.rows(names), json!([{ "name": "t198" }, { "name": "t199" }]));
    assert_eq!(database.rows("select null::text::regclass as a"), json!([{ "a": null }]));
}

#[test]
fn templates_and_matches_are_held_in_memory() {
    let limits = Limits { held_bytes: 16 << 20, ..Limits::default() };
    let database = Database { limits, ..Database::new() };
    for text in [
        "select to_char(timestamp '2020-01-01', repeat('Month ', 200000))",
        "select to_char(interval '1 day', repeat('HH24', 300000))",
        "select to_date('2020', repeat('YYYY', 300000))",
        "select to_timestamp('2020', repeat('YYYY', 300000))",
        "select count(*) from regexp_split_to_table(repeat('a,', 300000), ',')",
        "select count(*) from regexp_matches(repeat('a', 300000), '(a)', 'g')",
        "select string_to_array(repeat('a,', 300000), ',')",
    ] {
        let refusal = database.refusal(text);
        assert!(refusal.starts_with("ERROR:  53200: out of memory\n"), "{text}: {refusal}");
    }
    let rows = database.rows(
        "select sum(array_length(regexp_split_to_array('a,b', ','), 1) + array_length(string_to_array('a,b', ','), 1)
           + length(to_char(timestamp '2020-01-01', 'YYYY'))) as n from generate_series(1, 100000) g",
    );
    assert_eq!(rows, json!([{ "n": 800_000 }]), "short ones are freed with their row");
}

#[test]
fn texts_that_are_run_cost_by_their_tokens() {
    let database = filled("create function f() returns setof int language sql as $$ select 1; select 2 $$");
    for text in [
        "do $$ begin for i in 1..1000 loop execute 'select 1' || repeat(' ', 10000); end loop; end $$"
            .to_owned(),
        format!("select 1{}", " ".repeat(1_000_000)),
    ] {
        assert_eq!(database.refusal(&text), TIME, "{}", &text[..90]);
    }
    let quoted = "do $$ begin for i in 1..100 loop execute 'select ''' || repeat(' ', 10000) || ''''; end loop; end $$";
    database.rows(quoted);
}

#[test]
fn a_moving_frame_costs_what_is_in_it() {
    let database = filled("select 1");
    for aggregate in ["string_agg('x', '')", "array_agg(g)", "jsonb_agg(g)", "avg(g::float8)"] {
        let text = format!(
            "select count(x) from (select {aggregate} over (order by g rows between 1000 preceding and current row) x
             from generate_series(1, 2000) g) t"
        );
        assert_eq!(database.refusal(&text), TIME, "{aggregate}");
    }
}

#[test]
fn comparisons_cost_by_the_elements_of_their_values() {
    let database = filled(
        "create table t as select j, array_fill(1, array[300]) || g as a, array_fill(1.5, array[300]) || (g + 0.5) as n
           from (select g, jsonb_agg(i) || to_jsonb(g) as j from generate_series(1, 60) g, generate_series(1, 300) i group by g) s",
    );
    for column in ["j", "a", "n"] {
        let text = format!("select count(*) from (select {column} from t order by {column} desc offset 1) s");
        assert_eq!(database.refusal(&text), TIME, "{column}");
    }
}
