//! Deep nesting and long repetition: a text is executed or refused as too deep, in a time proportional to its length, on the stack of
//! any thread.

use serde_json::{Value as Json, json};

use super::Database;

const TOO_DEEP: &str = "54001";

/// `template`, nested `times` times at the place of `X`.
fn nested(template: &str, times: usize, innermost: &str) -> String {
    let (before, after) = template.split_once('X').expect("it says where");
    format!("{}{innermost}{}", before.repeat(times), after.repeat(times))
}

/// The SQLSTATE of a refusal; `None` if the text is executed.
fn state(database: &Database, text: &str) -> Option<String> {
    database.with(text, &[]).err().map(|error| error.code.to_string())
}

fn one(database: &Database, expression: &str) -> Json {
    database.rows(&format!("select {expression} as v"))[0]["v"].clone()
}

#[test]
fn a_json_path_may_have_many_steps() {
    let database = Database::new();
    let query = |path: &str| format!("select jsonb_path_query('[1]', '{path}') as v");
    for path in [
        format!("${}", "[*]".repeat(5_000)),
        format!("${}", "[0]".repeat(5_000)),
        format!("${}", ".a".repeat(5_000)),
        format!("${}", ".type()".repeat(5_000)),
        format!("${}", ".*".repeat(5_000)),
        format!("${}", " ? (1==1)".repeat(20_000)),
        format!("$[*] ? (1==1{})", " && 1==1".repeat(20_000)),
        format!("$[*] ? (1==1{})", " || 1==1".repeat(20_000)),
    ] {
        database.rows(&query(&path));
        let value = format!("with p as (select '$[*]' || repeat('[*]', 5000) || '{}' as p)", &path[1..]);
        assert_eq!(
            state(&database, &format!("{value} select jsonb_path_exists('[1]', p::jsonpath) from p")),
            None
        );
    }
    let matched = format!("'[1]'::jsonb @@ '$[0] == 2{}'", " || $[0] == 1".repeat(7_000));
    assert_eq!(one(&database, &matched), json!(true));
    for path in
        [nested("(X)", 5_000, "$"), nested("!(X)", 5_000, "1 == 1"), nested("$ ? (X)", 5_000, "1 == 1")]
    {
        assert_eq!(state(&database, &query(&path)).as_deref(), Some(TOO_DEEP));
    }
}

#[test]
fn operands_are_computed_once_however_deep() {
    let database = Database::new();
    database
        .with("create table t (x int, t text, j jsonb, d date, n numeric); insert into t values (5, 'a', '1', '2024-01-01', 1.5)", &[])
        .expect("a table");
    let templates = [
        ("greatest(X, 1)", "x"),
        ("least(1, X)", "x"),
        ("greatest(X, 1.5)", "n"),
        ("nullif(X, 7)", "x"),
        ("nullif(X, 7.5)", "n"),
        ("nullif(X, 'b')", "t"),
        ("nullif(X, '2'::jsonb)", "j"),
        ("nullif(X, date '2020-01-01')", "d"),
        ("nullif(X, timestamp '2020-01-01')", "d"),
        ("(X between 1 and 2)::int", "x"),
        ("(X not between 1 and 2)::int", "x"),
        ("(X between symmetric 2 and 1)::int", "x"),
        ("(X between 1 and 2.5)::int", "x"),
        ("(X between symmetric 1 and 2.5)::int", "x"),
        ("case X when 1 then 2 when 3 then 4 else 5 end", "x"),
        ("case X when 1 then 2 when 2.5 then 4 else 5 end", "x"),
        ("((X, 1) < (2, 3))::int", "x"),
        ("((X, 1) >= (2, 3))::int", "x"),
        ("((1, X, 2) in ((1, 2, 3), (3, 4, 5)))::int", "x"),
        ("((X, 1) between (1, 2) and (2, 3))::int", "x"),
        ("case when (X, 1) between symmetric (1, 2) and (2, 3) then 1 else 0 end", "x"),
        ("(X = any(array[1,2]))::int", "x"),
        ("(X <> all(array[1,2]))::int", "x"),
        ("(1 = any(array[X,2]))::int", "x"),
        ("(X in (1, 2.5))::int", "x"),
        ("(X = any(select 1))::int", "x"),
        ("(X is distinct from 1)::int", "x"),
        ("coalesce(X, 1)", "x"),
    ];
    for (template, innermost) in templates {
        for times in [1, 2, 20] {
            let text = format!("select {} as v from t", nested(template, times, innermost));
            let refused = state(&database, &text);
            assert!(refused.is_none(), "{template} × {times}: {refused:?}");
        }
    }
}

#[test]
fn definitions_may_be_as_deep_as_queries() {
    let database = Database::new();
    let deep = [
        nested("greatest(X, 1)", 40, "x"),
        nested("nullif(X, 7)", 40, "x"),
        nested("(X between 1 and 9)::int", 40, "x"),
    ];
    for (index, expression) in deep.iter().enumerate() {
        let script = format!(
            "create table d{index} (x int, y int default {}, z int generated always as ({expression}) stored, check ({expression} > 0));
             create index on d{index} (({expression}));
             create view v{index} as select {expression} as v from d{index};
             create function f{index}(x int) returns int language sql as $$ select {expression} $$;
             alter table d{index} enable row level security;
             create policy p on d{index} using ({expression} > 0);
             insert into d{index} (x) values (5), (8);",
            expression.replace('x', "3"),
        );
        assert_eq!(state(&database, &script), None, "{expression}");
        let all = format!("select count(*) as n from v{index}, d{index} where f{index}(x) > 0");
        assert_eq!(database.rows(&all)[0]["n"], json!(4), "{expression}");
    }
}

#[test]
fn domains_of_domains_are_checked_one_after_the_other() {
    let database = Database::new();
    let chain = |each: &str| {
        let more =
            (1..=500).map(|i| each.replace("{i}", &i.to_string()).replace("{p}", &(i - 1).to_string()));
        format!("create domain {}0 as int; {}", &each[14..15], more.collect::<String>())
    };
    database.with(&chain("create domain d{i} as d{p}; "), &[]).expect("five hundred domains");
    assert_eq!(one(&database, "1::d500"), json!(1));
    assert_eq!(one(&database, "(1 + 1)::d500::d7"), json!(2));
    let checked = chain("create domain e{i} as e{p} check (value <> {i}); ");
    database
        .with(&checked[..checked.find("create domain e101 ").expect("it is there")], &[])
        .expect("a hundred");
    assert_eq!(one(&database, "(100 + 1)::e100"), json!(101));
    let refused = database.refusal("select (3 + 4)::e100");
    assert!(refused.contains("value for domain e7 violates check constraint \"e7_check\""), "{refused}");
    // Checks that use other domains are nested deeper for each of them.
    let script: String = (1..=40)
        .map(|i| {
            format!(
                "create domain g{i} as int check (value::{} > 0 and value > 0); ",
                if i == 1 { "int".to_owned() } else { format!("g{}", i - 1) }
            )
        })
        .collect();
    let made = state(&database, &script);
    assert!(made.is_none() || made.as_deref() == Some(TOO_DEEP), "{made:?}");
    assert_eq!(
        state(&database, "select 1::g40").as_deref().map(|state| state == TOO_DEEP || state == "42704"),
        Some(true)
    );
}

#[test]
fn a_chain_stored_in_a_check_costs_its_length() {
    let database = Database::new();
    let chain = nested("greatest(X, 1)", 60, "a");
    let script = format!("create table t (a int check ({chain} > 0)); insert into t values (1), (2)");
    assert_eq!(state(&database, &script), None);
    let many: String = (1..=200).map(|i| format!(", check (a <> {i})")).collect();
    assert_eq!(state(&database, &format!("create table m (a int{many}); insert into m values (0)")), None);
    assert_eq!(state(&database, "insert into m values (77)").as_deref(), Some("23514"));
}

#[test]
fn queries_within_what_sorts_them_do_not_double_at_each_level() {
    let database = Database::new();
    database.rows("create table t (x int); insert into t values (1)");
    for template in [
        "(select greatest(X, 1) order by 1)",
        "(select X + 1 as y order by y)",
        "(select X + 1 as y group by y order by y)",
        "(select case X when 1 then 2 end from t order by 1 limit 1)",
        "(select sum(X) over () order by 1 limit 1)",
    ] {
        let text = |times: usize| format!("select {} as v from t", nested(template, times, "x"));
        assert_eq!(state(&database, &text(5)), None, "{template}");
        assert_eq!(state(&database, &text(30)).as_deref(), Some(TOO_DEEP), "{template}");
        let view = format!("create view w as {}; select * from w", text(30));
        assert_eq!(state(&database, &view).as_deref(), Some(TOO_DEEP), "{template}");
    }
}

#[test]
fn rows_within_rows_have_a_bounded_number_of_fields() {
    let database = Database::new();
    let twice = |n: usize| format!("create type c{n} as (a c{0}, b c{0})", n - 1);
    assert_eq!(state(&database, "create type c0 as (a int)"), None);
    for n in 1..=10 {
        assert_eq!(state(&database, &twice(n)), None, "{n}");
    }
    assert_eq!(state(&database, "create table t (a c10); insert into t values (null)"), None);
    for text in [
        "select a, a::text, t from t",
        "select v::c10 from (select '(,)'::text as v) s",
        "select (a).* from t",
    ] {
        assert_eq!(state(&database, text), None, "{text}");
    }
    // The first is in all of the others.
    let more: String = (0..100).map(|n| format!("alter type c0 add attribute b{n} int;")).collect();
    for text in [
        &twice(11),
        "create table u (a c10, b c10)",
        "create view v as select a, a as b from t",
        "create table u as select a, a as b from t",
        "alter table t add column b c10",
        "create type d as (a c10, b c10[])",
        "create domain c as c10; create type d as (a c, b c)",
        &more,
    ] {
        assert_eq!(state(&database, text).as_deref(), Some("54011"), "{text}");
    }
    assert_eq!(state(&database, "create table v0 (a int)"), None);
    let refused = (1..40)
        .find_map(|n| state(&database, &format!("create view v{n} as select x, x as y from v{0} x", n - 1)));
    assert_eq!(refused.as_deref(), Some("54001"));
}

#[test]
fn common_table_expressions_are_many_or_deep_within_bounds() {
    let database = Database::new();
    let with = |first: &str, each: &str, count: usize| {
        let more =
            (1..count).map(|i| each.replace("{i}", &i.to_string()).replace("{p}", &(i - 1).to_string()));
        format!("with c0 as ({first}){} select x from c{}", more.collect::<String>(), count - 1)
    };
    assert_eq!(
        database.rows(&with("select 1 as x", ", c{i} as (select {i} as x)", 5_000)),
        json!([{ "x": 4_999 }])
    );
    assert_eq!(
        database.rows(&with("select 1 as x", ", c{i} as (select x + 1 as x from c{p})", 100)),
        json!([{ "x": 100 }])
    );
    for text in [
        with("select 1 as x", ", c{i} as (select x from c{p})", 3_000),
        with("select 1 as x", ", c{i} as (select a.x from c{p} a, c{p} b)", 45),
    ] {
        assert_eq!(state(&database, &text).as_deref(), Some(TOO_DEEP));
    }
}

#[test]
fn functions_and_views_that_use_others_twice_are_refused() {
    let database = Database::new();
    database
        .with("create function h0(a int) returns int language sql as 'select a'", &[])
        .expect("a function");
    for i in 1..=30 {
        let text = format!(
            "create function h{i}(a int) returns int language sql as 'select h{0}(a) + h{0}(a)'",
            i - 1
        );
        assert_eq!(state(&database, &text), None, "{text}");
    }
    assert_eq!(one(&database, "h8(1)"), json!(256));
    assert_eq!(state(&database, "select h30(1)").as_deref(), Some(TOO_DEEP));
    database.with("create view v0 as select 1 as x", &[]).expect("a view");
    let refused = (1..=30).find_map(|i| {
        state(&database, &format!("create view v{i} as select a.x from v{0} a, v{0} b", i - 1))
    });
    assert_eq!(refused.as_deref(), Some(TOO_DEEP));
}

#[test]
fn operands_that_differ_at_each_call_are_taken_once() {
    let database = Database::new();
    database.with("create sequence s; create function twice(a bigint) returns bigint language sql as 'select a + a'", &[]).expect("a sequence");
    let values = "select greatest(nextval('s'), 0) as a, nullif(nextval('s'), 0) as b, nextval('s') between 3 and 3 as c,
                  case nextval('s') when 1 then 'one' when 4 then 'four' end as d, twice(nextval('s')) as e,
                  (nextval('s'), 0) <= (6, 0) as f, nextval('s') between symmetric 8 and 7 as g, nextval('s') as h";
    let expected = json!([{ "a": 1, "b": 2, "c": true, "d": "four", "e": 10, "f": true, "g": true, "h": 8 }]);
    assert_eq!(database.rows(values), expected);
}

#[test]
fn set_operations_may_follow_each_other() {
    let database = Database::new();
    let all = format!("select count(*) as n from (select 1, 2{}) q", " union all select 1, 2".repeat(1_500));
    assert_eq!(database.rows(&all), json!([{ "n": 1_501 }]));
    let some =
        format!("select 1.0 as x{} except select 2", " union select 1.00 union all select 2".repeat(300));
    assert_eq!(database.rows(&some).as_array().map(Vec::len), Some(1));
    let many = format!("select 1, 2{}", " union all select 1, 2".repeat(50_000));
    assert_eq!(state(&database, &many).as_deref(), Some(TOO_DEEP));
    let arrays = format!("select array[1, 2]{}", " || array[1, 2]".repeat(50_000));
    assert_eq!(state(&database, &arrays).as_deref(), Some(TOO_DEEP));
}

#[test]
fn sources_of_a_query_are_many_within_bounds() {
    let database = Database::new();
    let laterals = |count: usize| {
        let sources = (1..count).map(|i| format!(", lateral (select t{}.a) t{i}", i - 1));
        format!("select count(*) as n from (select 1 as a) t0{}", sources.collect::<String>())
    };
    assert_eq!(database.rows(&laterals(20)), json!([{ "n": 1 }]));
    assert_eq!(state(&database, &laterals(5_000)).as_deref(), Some(TOO_DEEP));
    let joined = (1..5_000).map(|i| format!(" join (select 1 as a) t{i} using (a)"));
    let joined = format!("select 1 from (select 1 as a) t0{}", joined.collect::<String>());
    assert_eq!(state(&database, &joined).as_deref(), Some(TOO_DEEP));
}

#[test]
fn a_cascade_too_deep_is_refused_as_such() {
    let database = Database::new();
    let rows: String = (1..1_500).map(|i| format!(", ({i}, {})", i - 1)).collect();
    let script = format!(
        "create table k (a int primary key, b int references k on delete cascade); insert into k values (0, null){rows}"
    );
    assert_eq!(state(&database, &script), None);
    assert_eq!(state(&database, "delete from k where a = 0").as_deref(), Some(TOO_DEEP));
    assert_eq!(database.rows("select count(*) as n from k")[0]["n"], json!(1_500));
    assert_eq!(state(&database, "delete from k where a = 1000"), None);
}

#[test]
fn a_view_that_reads_itself_has_no_rows() {
    for script in [
        "create view v as select 1 as a; create or replace view v as select * from v; select * from v",
        "create view v as select 1 as a; create view w as select * from v;
         create or replace view v as select * from w; select count(*) from v",
    ] {
        let refusal = Database::new().refusal(script);
        let expected = "ERROR:  42P17: infinite recursion detected in rules for relation \"v\"\n";
        assert!(refusal.starts_with(expected), "{script}: {refusal}");
    }
}

#[test]
fn no_text_has_a_zero_byte() {
    let database = Database::new();
    for text in [
        "select 'a\0b'",
        "select 1 as \"a\0\"",
        "select E'a\\000b'",
        "select E'\\x00'",
        "select U&'\\0000'",
        "select $$\0$$",
    ] {
        assert_eq!(state(&database, text).as_deref(), Some("22021"), "{text:?}");
    }
    let refused = database.with("select $1::text", &[json!("a\0")]).expect_err("a zero byte");
    assert_eq!(refused.code.to_string(), "22021");
    assert_eq!(one(&database, "E'a\\001b'"), json!("a\u{1}b"));
}

#[test]
fn a_view_cannot_read_itself() {
    let database = Database::new();
    for text in [
        "create view v as select * from v",
        "create or replace view v as select 1 from v",
        "create materialized view v as select * from v",
    ] {
        assert_eq!(state(&database, text).as_deref(), Some("42P01"), "{text}");
    }
}

#[test]
fn short_texts_fit_the_stack_of_any_thread() {
    let database = Database::new();
    for template in [
        "(X)",
        "abs(X)",
        "not X",
        "- X",
        "(select X)",
        "case when X then 1 end",
        "greatest(X, 1)",
        "array[X]",
        "X::int",
        "to_jsonb(X)",
        "exists(select X)",
        "(select 1 from (select X) a)",
        "coalesce(X, 1)",
        "1 in (select X)",
        "(X between 1 and 2)",
        "1 = any(array[X])",
    ] {
        for bytes in [300, 600, 990] {
            let text = format!("select {}", nested(template, bytes / template.len(), "1"));
            drop(database.with(&text, &[]));
        }
    }
}

#[test]
fn columns_that_are_named_twice_at_each_level_are_computed_once() {
    let database = Database::new();
    let nested = nested("select x + x as x from (X) as q", 30, "select 0 as x");
    assert_eq!(database.rows(&nested), json!([{ "x": 0 }]));
    let steps: String =
        (1..60).map(|i| format!(", c{i} as (select x + x - x as x from c{})", i - 1)).collect();
    assert_eq!(
        database.rows(&format!("with c0 as (select 1 as x){steps} select x from c59")),
        json!([{ "x": 1 }])
    );
    let views: String =
        (1..30).map(|i| format!("create view v{i} as select x + x - x as x from v{}; ", i - 1)).collect();
    let views = format!("create view v0 as select 1 as x; {views} select x from v29");
    assert_eq!(database.rows(&views), json!([{ "x": 1 }]));
}
