//! What no text may do to the engine: hang it, eat its memory, make it panic, or have it answer that it is at fault itself.

use std::env;

use proptest::prelude::*;

use super::answer::{Answer, Refusal};
use super::corpus::File;
use super::embedded::Database;

const CANCELED: &str = "57014";
const LIMIT: &str = "54000";
const TOO_COMPLEX: &str = "54001";

/// Errors that PostgreSQL itself calls internal.
const SERVERS_OWN: [&str; 4] = [
    "unrecognized weight",
    "Unexpected end of string",
    "Syntax error near",
    "referential integrity query on ",
];

/// A database whose statements may not take long.
fn database() -> Database {
    let mut database = Database::fresh();
    database.limits.steps = 3_000_000;
    database
}

fn refusal(text: &str) -> Refusal {
    match database().run(text) {
        Answer::Refusal(refusal) => refusal,
        Answer::Rows(rows) => panic!("{} rows of {text}", rows.len()),
    }
}

#[test]
fn endless_statements_are_canceled() {
    let endless = [
        "with recursive r(n) as (select 1 union all select n + 1 from r) select count(*) from r",
        "with recursive r(n) as (select 1 union all select n + 1 from r) select n from r where n < 0",
        "with recursive r(a, b) as (select 0, 0 union select (a + 7) % 99999, b + 1 from r) select max(b) from r",
        "select count(*) from generate_series(1, 9999) a, generate_series(1, 9999) b, generate_series(1, 9999) c",
        "create table t as select a.x from generate_series(1, 9999) as a(x), generate_series(1, 9999) as b(x) where a.x > b.x * 9999",
        "select count(*) from pg_class a, pg_class b, pg_class c, pg_class d, pg_class e",
    ];
    for text in endless {
        let refusal = refusal(text);
        assert_eq!(refusal.code, CANCELED, "{text}: {refusal}");
        assert_eq!(refusal.message, "canceling statement due to statement timeout", "{text}");
    }
}

#[test]
fn a_value_too_large_is_refused_before_it_is_made() {
    let large = [
        "select repeat('x', 1000000000)",
        "select lpad('x', 2000000000)",
        "select rpad('x', 1000000000, 'yz')",
        "select length(repeat(repeat('x', 100000), 100000))",
        "select array_fill(0, array[1000000000])",
        "select count(*) from generate_series(1, 1000000000)",
        "select string_agg(repeat('x', 1000000), '') from generate_series(1, 1000)",
        "select jsonb_agg(repeat('x', 1000000)) from generate_series(1, 1000)",
        "select array_agg(repeat('x', 1000000)) from generate_series(1, 1000)",
        "select repeat('x', 1000000) from generate_series(1, 1000)",
        "select format('%1000000000s', 'x')",
        "with recursive r(t) as (select 'x' union all select t || t from r) select max(length(t)) from r",
        "select 1e-16000::numeric::text || repeat('x', 1000000000)",
        "select to_char(1, repeat('9', 100000)) || repeat('x', 1000000000)",
        "select replace(repeat('x', 1000000), 'x', repeat('y', 1000000))",
        "select regexp_replace(repeat('x', 1000000), 'x', repeat('y', 1000000), 'g')",
    ];
    for text in large {
        let refusal = refusal(text);
        let known = [LIMIT, CANCELED, "53200", "22023", "0A000"].contains(&refusal.code.as_str());
        assert!(known, "{text}: {refusal}");
    }
}

#[test]
fn work_in_one_call_of_a_function_is_bounded() {
    let heavy = [
        "select 10::numeric ^ 100000000",
        "select 9.99::numeric ^ 9999999",
        "select factorial(1000000)",
        "select exp(100000::numeric)",
        "select 1.000000001::numeric ^ 1000000000",
        "select repeat('a', 1000) ~ repeat('(a?)', 10000)",
        "select regexp_replace(repeat('a', 100000), '(a*)*b', 'x')",
        "select repeat('a', 1000000) like repeat('%a', 100000) || 'b'",
        "select repeat('ab', 1000000) similar to '(a|ab|b)*c'",
        "select array_to_string(array_fill(repeat('x', 1000), array[100000]), ',')",
        "select repeat('9', 1000000)::numeric * repeat('9', 1000000)::numeric",
        "select repeat('9', 100000)::numeric / 7.0",
        "select sqrt(repeat('9', 100000)::numeric)",
        "select jsonb_set(repeat('[', 10000)::jsonb, '{0}', '1')",
        "select string_to_array(repeat('a,', 1000000), ',')",
        "select md5(repeat('x', 10000000))",
        "select interval '1 second' * 1e300",
        "select make_date(2147483647, 1, 1)",
        "select date '2024-01-01' + 2147483647",
        "select 'infinity'::timestamp - interval '178000000 years'",
        "select to_char(1e100::numeric, repeat('9', 10000))",
        "select levenshtein(repeat('a', 100000), repeat('b', 100000))",
        "select lcm(9223372036854775807, 9223372036854775806)",
        "select (-9223372036854775808) / -1, (-9223372036854775808) % -1",
        "select abs((-2147483648)::int)",
        "select width_bucket(5, 1, 10, 2147483647)",
        "select generate_series(timestamp '0001-01-01', timestamp '9999-01-01', interval '1 microsecond')",
        "select split_part(repeat('a,', 1000000), ',', -2147483648)",
        "select substr('abc', -2147483648, 2147483647)",
        "select overlay('abc' placing 'x' from 2147483647 for 2147483647)",
        "select chr(1114112), chr(0)",
    ];
    for text in heavy {
        if let Answer::Refusal(refusal) = database().run(text) {
            assert_ne!(refusal.code, "XX000", "{text}: {refusal}");
        }
    }
}

#[test]
fn what_is_bound_again_and_again_is_work() {
    let each = |count: u32, statement: fn(u32) -> String| (0..count).map(statement).collect::<String>();
    let views = each(300, |number| format!("create view v{number} as select a from t;"));
    let policies = each(300, |number| {
        format!("create policy p{number} on c using (exists (select from t where a = 1));")
    });
    let bound_often = [
        "create function f(n int) returns int language sql as 'select case when n < 2 then 1 else f(n - 1) + f(n - 1) end'; \
         select f(30)"
            .to_owned(),
        format!("create table t (a int); {}", each(1_500, |number| format!("alter table t add check (a <> {number});"))),
        format!(
            "create table t (a int); {views} {}",
            each(50, |number| match number {
                0 => "alter table t rename a to a1;".to_owned(),
                number => format!("alter table t rename a{number} to a{};", number + 1),
            })
        ),
        format!(
            "create table t (a int); create table c (b int); {policies} {}",
            each(200, |_| "alter table t add x int; alter table t drop x;".to_owned())
        ),
    ];
    for text in bound_often {
        let refusal = refusal(&text);
        assert_eq!(refusal.code, CANCELED, "{}: {refusal}", &text[..60]);
    }
}

#[test]
fn what_functions_call_is_looked_through_within_bounds() {
    let mut database = Database::fresh();
    database.run("create table t (a int)");
    for hundred in 0..200 {
        let made = (hundred * 100..hundred * 100 + 100).map(|number| {
            format!(
                "create function f{number}() returns int language plpgsql as \
                 $$ begin if false then perform f{}(); end if; return 1; end $$;",
                number + 1
            )
        });
        assert_eq!(database.run(&made.collect::<String>()).to_string(), "no rows");
    }
    assert_eq!(database.run("insert into t values (f0()) returning a").to_string(), r#"{"a":1}"#);
    let asked = "select f0() as a, (select count(*) from t) as b";
    assert_eq!(database.run(asked).to_string(), r#"{"a":1,"b":1}"#);
    let called =
        "create function g() returns int language sql security definer as 'select f0()'; select g() as a";
    assert_eq!(database.run(called).to_string(), r#"{"a":1}"#);
    let refusal = database.run(&"insert into t values (f0());".repeat(1_000)).to_string();
    assert!(refusal.starts_with("ERROR 57014: "), "{refusal}");
}

#[test]
fn what_is_copied_for_each_column_is_work() {
    let mut database = Database::fresh();
    database.run("create table t (a int, b int, c int); insert into t values (1, 2, 3)");
    for depth in [24, 40] {
        let calls = "to_jsonb(jsonb_populate_record(null::t, ".repeat(depth);
        let refusal = database.run(&format!("select {calls}'{{}}'::jsonb{}", "))".repeat(depth))).to_string();
        assert!(refusal.starts_with(&format!("ERROR {TOO_COMPLEX}: ")), "{refusal}");
    }
    let all = " and l.a = 1".repeat(20_000);
    let locked = format!("select l.a from t l left join t r on r.a = l.a where true{all} for update");
    let refusal = database.run(&locked).to_string();
    assert!(refusal.starts_with(&format!("ERROR {TOO_COMPLEX}: ")), "{refusal}");
    assert_eq!(database.run("select a from t").to_string(), r#"{"a":1}"#);
}

#[test]
fn many_labels_and_values_of_partitions_take_work_in_proportion_to_their_number() {
    let mut database = Database::fresh();
    let list = |item: fn(u32) -> String| (0..30_000).map(item).collect::<Vec<_>>().join(", ");
    let (labels, numbers) = (list(|number| format!("'v{number}'")), list(|number| number.to_string()));
    let text = format!(
        "create type e as enum ({labels}); create table t (e e); insert into t values ('v29999'), ('v3'), (null), ('v10000'); \
         create table p (a int) partition by list (a); create table p0 partition of p for values in ({numbers}); \
         insert into p values (5), (29999); \
         select string_agg(e::text, ' ' order by e desc) as labels, (select sum(a) from p) as sum from t"
    );
    assert_eq!(database.run(&text).to_string(), r#"{"labels":"v29999 v10000 v3","sum":30004}"#);
}

#[test]
fn nesting_too_deep_is_refused() {
    let deep = |open: &str, middle: &str, close: &str| {
        format!("select {}{middle}{}", open.repeat(20_000), close.repeat(20_000))
    };
    let texts = [
        deep("(", "1", ")"),
        deep("abs(", "1", ")"),
        deep("(select ", "1", ")"),
        deep("case when true then ", "1", " end"),
        deep("not ", "true", ""),
        deep("- ", "1", ""),
        deep("array[", "1", "]"),
        deep("1 + ", "1", ""),
        deep("true and ", "true", ""),
        deep("'x' || ", "'x'", ""),
        deep("1 = any (array[", "1", "])"),
        format!("select * from {}t{}", "(select * from ".repeat(5_000), ") a".repeat(5_000)),
        format!("select 1{}", " union all select 1".repeat(20_000)),
        format!("select '{}'::jsonb", "[".repeat(100_000)),
        format!("select '{}1{}'::int[]", "{".repeat(20_000), "}".repeat(20_000)),
        format!("select '1'{}", "::text".repeat(20_000)),
    ];
    for text in texts {
        let refusal = refusal(&text);
        let known = [TOO_COMPLEX, LIMIT, "22P02", "42601", "0A000", "42883"].contains(&refusal.code.as_str());
        assert!(known, "{}: {refusal}", &text[..80]);
    }
}

/// A text in which a template is so often in itself.
fn nested(template: &str, times: usize, innermost: &str) -> String {
    let (before, after) = template.split_once('X').expect("it says where");
    format!("{}{innermost}{}", before.repeat(times), after.repeat(times))
}

/// Runs `work` on a thread as small as the smallest of a server.
fn on_a_small_thread(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread");
    thread.join().expect("it has run");
}

#[test]
fn nesting_fits_on_the_stack_of_every_thread() {
    let expressions = [
        "(X)",
        "abs(X)",
        "- X",
        "not X",
        "case when true then X end",
        "case X when 1 then 1 end",
        "case when X = 1 then 1 end",
        "(select X)",
        "(select 1 where exists (select X))",
        "exists (select X)",
        "1 in (select X)",
        "1 = any (array(select X))",
        "array[X]",
        "(array[1, X])[1]",
        "row(X)",
        "(1, X)",
        "(1 + 2 * 3 ^ X)",
        "(true and not 1 is null and 'a' || 'b' = 'c' or X)",
        "cast(X as int)",
        "coalesce(X, 1)",
        "trim(X)",
        "position('a' in X)",
        "overlay('a' placing X from 1)",
        "sum(1) over (order by X)",
        "count(*) filter (where X)",
        "array_agg(1 order by X)",
    ];
    let queries = [
        "select * from (X) a",
        "select * from lateral (X) a",
        "select * from item join (X) a on true",
        "with a as (X) select * from a",
        "with a as (select 1) (X)",
        "(X)",
        "select 1 union all (X)",
        "select 1 where exists (X)",
        "select 1 limit (X)",
        "values ((X))",
        "explain X",
        "with a as (insert into item X returning 1) select 1",
    ];
    let tables = ["(X)", "(X cross join item)", "item join (X) on true", "(select * from X) a"];
    let texts = move |times: usize| {
        let expression = move |template| format!("select {}", nested(template, times, "1"));
        let query = move |template| nested(template, times, "select 1");
        let table = move |template| format!("select 1 from {}", nested(template, times, "item"));
        let whole =
            expressions.map(expression).into_iter().chain(queries.map(query)).chain(tables.map(table));
        whole.flat_map(|text| [text[..text.len() / 2].to_owned(), text]).collect::<Vec<_>>()
    };
    on_a_small_thread(move || {
        let mut database = database();
        database.run("create table item (id int)");
        for text in [1, 4, 10, 20, 40, 70, 140, 200].into_iter().flat_map(texts) {
            if let Answer::Refusal(refusal) = database.run(&text) {
                assert_ne!(refusal.code, "XX000", "{text}: {refusal}");
            }
        }
    });
}

#[test]
fn what_a_short_call_reads_may_be_long_and_deep() {
    on_a_small_thread(|| {
        let mut database = database();
        database.run("create table item (id int)");
        for (number, condition) in [
            nested("(X)", 60, "1 = 1"),
            nested("not X", 60, "1 = 1"),
            nested("case when X then true end", 40, "true"),
            nested("exists (select 1 where X)", 30, "true"),
            vec!["id = 1"; 60].join(" or "),
            vec!["id = 1"; 980].join(" or "),
            format!("id = {}", vec!["1"; 1_900].join("+")),
            format!("id < {}", vec!["greatest(id, 1)"; 600].join(" + ")),
        ]
        .iter()
        .enumerate()
        {
            for text in [
                format!("create view view_{number} as select id from item where {condition}"),
                format!(
                    "create function f_{number}(id int) returns bool language sql begin atomic select {condition}; end"
                ),
                format!("create policy policy_{number} on item using ({condition})"),
                format!("create table t_{number} (id int default 1, a bool default (1 = 1))"),
                format!("alter table t_{number} add check ({condition})"),
                format!("create index on t_{number} (({condition}))"),
                format!("select * from view_{number}"),
                format!("select f_{number}(1)"),
                format!("insert into t_{number} default values"),
                format!("select pg_get_viewdef('view_{number}')"),
                format!("select pg_get_functiondef('f_{number}'::regproc)"),
                format!(
                    "select pg_get_constraintdef(oid) from pg_constraint where conrelid = 't_{number}'::regclass"
                ),
                format!("select indexdef from pg_indexes where tablename = 't_{number}'"),
                "select qual from pg_policies".to_owned(),
            ] {
                if let Answer::Refusal(refusal) = database.run(&text) {
                    assert_ne!(refusal.code, "XX000", "{}: {refusal}", &text[..text.len().min(200)]);
                }
            }
        }
    });
}

#[test]
fn a_megabyte_of_statements_is_worked_off_or_refused() {
    const MEGABYTE: usize = 1 << 20;
    let filled = |statement: &str| statement.repeat(MEGABYTE / statement.len());
    for text in
        [filled("select 1;"), filled("select /* nothing */ 'a' as b; "), format!("select {}1", filled("1,"))]
    {
        if let Answer::Refusal(refusal) = database().run(&text) {
            let known = [TOO_COMPLEX, LIMIT, CANCELED, "54011"].contains(&refusal.code.as_str());
            assert!(known, "{}: {refusal}", &text[..40]);
        }
    }
}

/// A change of a statement's words.
#[derive(Clone, Debug)]
enum Change {
    Drop(usize),
    Repeat(usize),
    Swap(usize, usize),
    /// Puts a word of another statement in the place of one.
    Replace(usize, usize, usize),
    /// Cuts it off.
    Cut(usize),
}

fn change() -> impl Strategy<Value = Change> {
    let at = any::<usize>;
    prop_oneof![
        at().prop_map(Change::Drop),
        at().prop_map(Change::Repeat),
        (at(), at()).prop_map(|(a, b)| Change::Swap(a, b)),
        (at(), at(), at()).prop_map(|(at, statement, word)| Change::Replace(at, statement, word)),
        at().prop_map(Change::Cut),
    ]
}

/// The words of a statement, with the blanks between them.
fn words(statement: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let kind = |c: char| if c.is_alphanumeric() || c == '_' { 0 } else { 1 + u32::from(c) };
    for c in statement.chars() {
        match words.last_mut() {
            Some(word) if word.chars().next_back().map(kind) == Some(kind(c)) => word.push(c),
            _ => words.push(c.to_string()),
        }
    }
    words
}

fn changed(statement: &str, changes: &[Change], all: &[String]) -> String {
    let mut words = words(statement);
    for change in changes {
        let count = words.len().max(1);
        match *change {
            _ if words.is_empty() => {}
            Change::Drop(at) => drop(words.remove(at % count)),
            Change::Repeat(at) => words.insert(at % count, words[at % count].clone()),
            Change::Swap(a, b) => words.swap(a % count, b % count),
            Change::Replace(at, statement, word) => {
                let others = self::words(&all[statement % all.len()]);
                words[at % count].clone_from(&others[word % others.len()]);
            }
            Change::Cut(at) => words.truncate(at % count + 1),
        }
    }
    words.concat()
}

#[test]
fn no_text_makes_the_engine_fail() {
    let cases = env::var("SQL_FUZZ_CASES").ok().and_then(|cases| cases.parse().ok()).unwrap_or(48);
    let files = File::all();
    let all: Vec<String> =
        files.iter().flat_map(|file| file.cases().map(|case| case.statement.clone())).collect();
    let script = (any::<usize>(), proptest::collection::vec(proptest::collection::vec(change(), 0..4), 60));
    let config =
        ProptestConfig { cases, failure_persistence: None, max_shrink_iters: 400, ..Default::default() };
    proptest!(config, |((file, changes) in script)| {
        let mut database = Database::fresh();
        let cases = files[file % files.len()].cases();
        for (case, changes) in cases.zip(&changes) {
            let text = changed(&case.statement, changes, &all);
            if let Answer::Refusal(refusal) = database.run(&text) {
                let is_the_servers = SERVERS_OWN.iter().any(|message| refusal.message.starts_with(message));
                prop_assert!(refusal.code != "XX000" || is_the_servers, "{text}\n{refusal}");
            }
        }
    });
}
