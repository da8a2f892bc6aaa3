//! Calls that exceed a limit: each ends, is refused as in PostgreSQL, and leaves the database unchanged.

use serde_json::json;

use super::{Database, Interrupt, Limits};

const TIME: &str = "ERROR:  57014: canceling statement due to statement timeout\n";

/// A database with low limits, so that the tests are fast.
fn small() -> Database {
    Database { limits: Limits { steps: 1_000_000, ..Limits::default() }, ..Database::new() }
}

#[test]
fn functions_draw_on_the_work_of_their_call() {
    let database = small();
    for text in [
        // Patterns: many, heavy, and one that reads on to the end of the text at each match.
        "select count(*) from generate_series(1, 100000) g where repeat('a', 1000) ~ ('a*a*a*b' || g)",
        "select count(*) from generate_series(1, 100000) g where repeat('ab', 500) ~ '(\\w{1,200}){1,90}x'",
        "select regexp_replace(repeat('a', 1000000), 'a*b|a', 'x', 'g')",
        "select count(*) from generate_series(1, 100000) g where repeat('a', 1000) like '%a%a%a%a%b' || g",
        "select count(*) from generate_series(1, 100000) g where repeat('a', 1000) similar to '(a|b)*c' || g",
        // Patterns that try more and more ways to match, with few backtracks or many.
        "select repeat('a', 40) || 'b' ~ '(a*)*\\1$'",
        "select regexp_replace(repeat('a', 40), '(?:(?!b)(?:a|aa))+$b', 'x')",
        "select repeat('a', 1000) ~ '(?:(?=(?:(?=a*)a)*)a)*b'",
        "select regexp_split_to_array(repeat('1', 100000), '(?<=\\d)(?=(\\d{3})+$)')",
        "select count(*) from generate_series(1, 100000) g where repeat('a', 100) || g ~ '(?=.*b)(?=.*c)a'",
        "select count(*) from generate_series(1, 100000) g where g::text ~ ('(?=a)\\w{1,50}' || g)",
        "do $$ begin perform repeat('a', 40) ~ '(a*)*\\1b'; exception when others then null; end $$",
        // Long texts, again and again.
        "select sum(length(md5(repeat('x', 100000) || g))) from generate_series(1, 100000) g",
        "select sum(length(lpad('', 100000, 'ab'))) from generate_series(1, 100000) g",
        "select sum(length(replace(repeat('ab', 50000), 'a', 'c'))) from generate_series(1, 100000) g",
        "select sum(length(replace(replace(repeat('a', 30000) || g, 'a', 'bb'), 'b', 'cc'))) from generate_series(1, 1000) g",
        "select sum(length(translate(repeat('ab', 50000), 'abc', 'xyz'))) from generate_series(1, 100000) g",
        "select sum(length(format('%s %s', repeat('x', 100000), g))) from generate_series(1, 100000) g",
        "select sum(length(encode(sha256(repeat('x', 100000)::bytea), 'hex'))) from generate_series(1, 100000) g",
        "with t as (select repeat('x', 1000000) a) select sum(length(substr(a, g, 1))) from t, generate_series(1, 1000000) g",
        // Arrays and documents.
        "select count(*) from generate_series(1, 100000) g, (select array_agg(i) a from generate_series(1, 20000) i) t where a || g @> array[g]",
        "select count(*) from generate_series(1, 100000) g, (select jsonb_agg(i) a from generate_series(1, 20000) i) t where jsonb_set(a, '{0}', '1') is null",
        "select count(*) from generate_series(1, 100000) g, (select jsonb_agg(array[i]) a from generate_series(1, 2000) i) t where a @> a",
        "select array_agg(g) over (order by g) from generate_series(1, 100000) g",
        "select count(*) from generate_series(1, 100000) g, unnest(array(select generate_series(1, 100000))) u",
        // Paths that read the whole document for each of its items.
        "select count(*) from (select jsonb_agg(i) a from generate_series(1, 20000) i) t where a @? '$[*] ? (@ == $[*] && @ < 0)'",
        "select jsonb_path_query_array(a, '$[*] ? (exists($[*] ? (@ < 0)))') from (select jsonb_agg(i) a from generate_series(1, 20000) i) t",
        // Numbers of many digits.
        "select sum(factorial(20000 + g % 2)) from generate_series(1, 100000) g",
        "select ln(('1.' || repeat('0', 16000) || '1')::numeric)",
    ] {
        let refusal = database.refusal(text);
        assert_eq!(refusal, TIME, "{text}");
        assert_eq!(database.rows("select 1 as a"), json!([{ "a": 1 }]), "{text}");
    }
}

#[test]
fn bodies_draw_on_the_work_of_their_call() {
    let database = small();
    database.rows(
        "create table grown (n int);
         create function grow() returns trigger language plpgsql as $$ begin
           insert into grown values (new.n + 1); return new; end $$;
         create function down(n int) returns int language plpgsql as $$ begin return down(n + 1); end $$",
    );
    for text in [
        "do $$ begin loop null; end loop; end $$",
        "do $$ begin while true loop perform 1; end loop; exception when others then null; end $$",
        "do $$ begin loop begin perform 1 / 0; exception when others then null; end; end loop; end $$",
        "do $$ begin for i in 1..2000000000 loop continue; end loop; end $$",
        "do $$ begin loop execute 'select ' || random(); end loop; end $$",
        "do $$ begin loop insert into grown values (1); end loop; end $$",
    ] {
        assert_eq!(database.refusal(text), TIME, "{text}");
    }
    for (text, code) in [
        ("select down(1)", "54001"),
        ("do $$ begin perform down(1); exception when division_by_zero then null; end $$", "54001"),
        (
            "create trigger grow before insert on grown for each row execute function grow(); insert into grown values (1)",
            "54001",
        ),
    ] {
        let refusal = database.refusal(text);
        assert!(refusal.starts_with(&format!("ERROR:  {code}: ")), "{text}: {refusal}");
    }
    let large = [
        "do $$ declare s text := 'x'; begin loop s := s || s; end loop; end $$",
        "do $$ declare a text[]; begin for i in 1..1000 loop a[i] := repeat('x', 1000000); end loop; end $$",
    ];
    for text in large {
        let refusal = database.refusal(text);
        let ends = ["54000", "53200", "57014"];
        assert!(ends.iter().any(|code| refusal.contains(code)), "{text}: {refusal}");
    }
    assert_eq!(database.rows("select count(*) as n from grown"), json!([{ "n": 0 }]));
}

#[test]
fn cursors_are_many_and_their_rows_cost_at_each_fetch() {
    let database = Database::new();
    let open = "do $$ declare c refcursor; begin for i in 1..{} loop c := null; open c for select i; end loop; end $$";
    database.rows(&open.replace("{}", "1000"));
    assert!(database.refusal(&open.replace("{}", "1001")).contains("at most 1000 open cursors"));
    let again = "do $$ declare c scroll cursor for select repeat('x', 1000000); x text; begin
        open c; for i in 1..{} loop fetch first from c into x; end loop; end $$";
    database.rows(&again.replace("{}", "10"));
    assert!(database.refusal(&again.replace("{}", "10000")).contains("statement timeout"));
}

#[test]
fn a_write_that_is_cancelled_is_undone_and_says_why() {
    let database = small();
    database.rows("create table t (a int primary key)");
    let tables: String =
        (0..3_000).map(|number| format!("create table t{number} (a int primary key); ")).collect();
    for text in [
        "insert into t select g from generate_series(1, 1000000) g",
        "insert into t values (1); insert into t select g from generate_series(2, 1000000) g",
        "begin; insert into t values (1); savepoint a; insert into t select g from generate_series(2, 1000000) g",
        "do $$ begin insert into t select g from generate_series(2, 1000000) g; exception when others then null; end $$",
        "with w as (insert into t select g from generate_series(1, 1000000) g returning a) select count(*) from w, t",
        &tables,
    ] {
        assert_eq!(database.refusal(text), TIME, "{text}");
        assert_eq!(database.rows("select count(*) as n from t"), json!([{ "n": 0 }]), "{text}");
    }
    let tables = database.rows("select count(*) as n from pg_tables where schemaname = 'public'");
    assert_eq!(tables, json!([{ "n": 1 }]));
    database.rows("insert into t values (1)");
}

#[test]
fn committed_changes_stay() {
    let database = small();
    let text =
        "begin; create table t (a int); commit; insert into t select g from generate_series(1, 1000000) g";
    assert_eq!(database.refusal(text), TIME);
    assert_eq!(database.rows("select count(*) as n from t"), json!([{ "n": 0 }]));
}

#[test]
fn values_have_a_greatest_size_and_so_have_those_of_one_call() {
    let limits = Limits { held_bytes: 64 << 20, ..Limits::default() };
    let database = Database { limits, ..Database::new() };
    let columns = ["repeat('x', 5000000)"; 20].join(", ");
    let doubled = |first: &str, size: &str| {
        format!(
            "with recursive t (n, v) as (select 1, {first} union all select n + 1, v || v from t where n < 40)
             select max({size}) from t"
        )
    };
    for (text, code) in [
        (format!("select {columns}"), "53200"),
        (
            "select length(string_agg(t, ',')), length(string_agg(t, ';')), length(string_agg(t, '/'))
             from (select repeat('x', 5000000) as t from generate_series(1, 5)) t"
                .to_owned(),
            "53200",
        ),
        (
            "select length(string_agg(repeat('x', 5000000), ',')) from generate_series(1, 20)".to_owned(),
            "54000",
        ),
        ("select string_to_array(repeat('x', 5000000), null)".to_owned(), "53200"),
        ("select length(repeat('x', 100000000))".to_owned(), "54000"),
        ("select array_fill(repeat('x', 1000000), array[1000])".to_owned(), "54000"),
        ("select format(repeat('%1$s', 1000), repeat('x', 1000000))".to_owned(), "54000"),
        ("select array_to_string(array_fill(1, array[1000]), repeat('x', 1000000))".to_owned(), "54000"),
        ("select concat(t, t, t, t, t, t, t, t) from (select repeat('x', 10000000) t) t".to_owned(), "54000"),
        ("select regexp_replace(repeat('x', 10000), '.*', repeat('\\&', 100000))".to_owned(), "54000"),
        ("select 'x' ~ repeat('(?=a|b)', 1000)".to_owned(), "2201B"),
        (format!("select 'x' ~ '{}a{}'", "(?=".repeat(1000), ")".repeat(1000)), "2201B"),
        ("select 'x' ~ '(?<=(?:\\w{1,200}){200}a*)b'".to_owned(), "2201B"),
        ("select repeat('x', 5000000) ~ '(?=a)b'".to_owned(), "53200"),
        (format!("select jsonb_path_query_array('[1]', '${}')", "[0, 0]".repeat(40)), "53200"),
        (doubled("repeat('x', 10000000)", "length(v)"), "54000"),
        (doubled("array[repeat('x', 5000000)]", "array_length(v, 1)"), "54000"),
        (doubled("jsonb_build_array(repeat('x', 5000000))", "jsonb_array_length(v)"), "54000"),
        // Arrays of one dimension are joined as texts.
        (doubled("array[1]", "array_length(v, 1)"), "53200"),
        // Short elements take far more work and memory than their text.
        (doubled("array[array[1]]", "array_length(v, 1)"), "57014"),
        (doubled("jsonb_build_array(1)", "jsonb_array_length(v)"), "57014"),
    ] {
        let refusal = database.refusal(&text);
        assert!(
            refusal.starts_with(&format!("ERROR:  {code}: ")),
            "{}: {refusal}",
            &text[..text.len().min(100)]
        );
    }
}

#[test]
fn a_database_grows_by_no_more_than_a_call_may_write() {
    let limits = Limits { written_bytes: 1 << 20, ..Limits::default() };
    let database = Database { limits, ..Database::new() };
    database.rows("create table t (a text); insert into t values (repeat('x', 10000))");
    let doubled = ["insert into t select * from t"; 20].join("; ");
    let expected =
        "ERROR:  53100: could not extend file: No space left on device\nHINT:  Check free disk space.\n";
    assert_eq!(database.refusal(&doubled), expected);
    assert_eq!(database.rows("select count(*) as n from t"), json!([{ "n": 1 }]));
    database.rows("insert into t select * from t");
}

#[test]
fn elements_of_a_long_value_cost_the_same_wherever_they_are() {
    let database = Database::new();
    for list in [
        "select array_agg(g) a from generate_series(1, 5000) g",
        "select jsonb_agg(g) a from generate_series(1, 5000) g",
    ] {
        let item = if list.contains("jsonb") { "(a -> i - 1)::int" } else { "a[i]" };
        let text = format!("with t as ({list}) select sum({item}) as s from t, generate_series(1, 5000) i");
        assert_eq!(database.rows(&text), json!([{ "s": 12_502_500 }]), "{text}");
    }
}

#[test]
fn containment_of_many_elements_is_found_without_comparing_all() {
    let database = Database::new();
    for (list, contained) in [
        ("array_agg(g)", "array_agg(20001 - g)"),
        ("array_agg(g::text)", "array_agg((20001 - g)::text)"),
        ("array_agg(g::numeric)", "array_agg((20001 - g)::numeric)"),
        ("jsonb_agg(g)", "jsonb_agg(20001 - g)"),
        ("jsonb_agg(g::text)", "jsonb_agg((20001 - g)::text)"),
    ] {
        let text = format!(
            "select a @> b as c from (select {list} a, {contained} b from generate_series(1, 20000) g) t"
        );
        assert_eq!(database.rows(&text), json!([{ "c": true }]), "{text}");
    }
    // Equal numbers may have different scales.
    let many = "select array_agg(g::numeric) a from generate_series(1, 2000) g";
    assert_eq!(
        database.rows(&format!("select a @> array[5.0, 6] as c from ({many}) t")),
        json!([{ "c": true }])
    );
    let many = "select jsonb_agg(g * 1.0) a from generate_series(1, 2000) g";
    assert_eq!(
        database.rows(&format!("select a @> '[5, 6.00]' as c from ({many}) t")),
        json!([{ "c": true }])
    );
}

#[test]
fn an_interrupt_ends_a_call() {
    let interrupt = Interrupt::default();
    let database = Database { interrupt: interrupt.clone(), ..Database::new() };
    interrupt.set();
    assert_eq!(database.refusal("select count(*) from generate_series(1, 100000) g"), TIME);
    interrupt.clear();
    assert_eq!(database.rows("select 1 as a"), json!([{ "a": 1 }]));
}

#[test]
fn rows_that_have_no_counterpart_are_found_in_one_pass() {
    let database = Database::new();
    database.rows("create table a (x int, y text); create table b (x int, y text, z int)");
    database.rows("insert into a select g, 'y' || g from generate_series(1, 20000) g");
    database.rows("insert into b select g, 'y' || g, g % 10 from generate_series(2, 20000, 2) g");
    database.rows("insert into a values (null, 'none'), (2, null); insert into b values (null, 'none', 1)");
    for (condition, count) in [
        ("not exists (select from b where b.x = a.x)", 10_001),
        ("exists (select 1 from b where a.x = b.x)", 10_001),
        ("exists (select 1 from b where a.x = b.x and b.z = 2)", 2_001),
        ("not exists (select 1 from b where a.x = b.x and b.y = a.y)", 10_002),
        ("not exists (select 1 from b where b.x = a.x + 1)", 10_002),
    ] {
        let text = format!("select count(*) as n from a where {condition}");
        assert_eq!(database.rows(&text), json!([{ "n": count }]), "{condition}");
    }
}

#[test]
fn a_statement_knows_the_sequences_that_it_names_and_those_that_it_computes() {
    let database = Database::new();
    database.rows("create sequence a; create sequence b start 10; create table t (id serial, x int)");
    let named = database.rows("select nextval('a') as a, nextval('b'::regclass) as b");
    assert_eq!(named, json!([{ "a": 1, "b": 10 }]));
    let computed = "select nextval(name::regclass) as value from (values ('a'), ('b'), ('a')) v (name)";
    assert_eq!(database.rows(computed), json!([{ "value": 2 }, { "value": 11 }, { "value": 3 }]));
    let several = "insert into t (x) select nextval('b') returning id, x";
    assert_eq!(database.rows(several), json!([{ "id": 1, "x": 12 }]));
    let later = "insert into t (x) values (0); select lastval() as last, currval('t_id_seq') as current";
    assert_eq!(database.rows(later), json!([{ "last": 2, "current": 2 }]));
}

/// About how much work a text takes among so many tables: the first of 1,000, 2,000, 4,000 … units that is enough.
fn work_among(others: usize, text: &str) -> u64 {
    let mut database = Database::new();
    let tables = (0..others).map(|number| format!("create table t{number} (a int primary key, b text); "));
    database.limits.steps = u64::MAX;
    database.rows(&tables.collect::<String>());
    let enough = (0..30).map(|power| 1_000 << power).find(|steps| {
        database.limits.steps = *steps;
        database.with(text, &[]).is_ok()
    });
    enough.expect("it ends")
}

#[test]
fn definitions_cost_the_same_among_many_tables() {
    // SQLite reads the list of all its tables and triggers when one of them changes; all else finds what it names.
    let mut grown = Vec::new();
    for text in [
        "comment on table t5 is 'text'; grant select on t5 to anon; create policy p on t5 using (true)",
        "create view v as select a from t5; create or replace view v as select a, b from t5; drop view v",
        "create schema s; create type s.e as enum ('a'); create domain s.d as int; drop schema s cascade",
        "create function f() returns int language sql as 'select 1'; drop function f()",
        "create role r; grant r to postgres; drop role r",
    ] {
        let (few, many) = (work_among(10, text), work_among(300, text));
        if many > 2 * few {
            grown.push(format!("{text}: {few} among 10 tables, {many} among 300"));
        }
    }
    assert!(grown.is_empty(), "{grown:#?}");
}

#[test]
fn a_function_has_up_to_a_hundred_arguments() {
    let database = Database::new();
    let list = |count: usize, one: &str| vec![one; count].join(", ");
    let made = |count| {
        format!("create function many({}) returns int language sql as 'select 1'", list(count, "int"))
    };
    database.rows(&made(100));
    assert_eq!(database.rows(&format!("select many({}) as a", list(100, "1"))), json!([{ "a": 1 }]));
    for (text, message) in [
        (made(101), "functions cannot have more than 100 arguments"),
        (made(5000), "functions cannot have more than 100 arguments"),
        (format!("select many({})", list(101, "1")), "cannot pass more than 100 arguments to a function"),
        (format!("select concat({})", list(5000, "1")), "cannot pass more than 100 arguments to a function"),
        (
            format!("select * from many({})", list(101, "1")),
            "cannot pass more than 100 arguments to a function",
        ),
    ] {
        let refusal = database.refusal(&text);
        assert!(refusal.starts_with(&format!("ERROR:  54023: {message}")), "{}: {refusal}", &text[..40]);
    }
}

#[test]
fn thousands_of_definitions_are_made_and_dropped_or_cancelled() {
    let database = Database::new();
    let many = |count: usize, text: &str| -> String {
        (0..count).map(|n| text.replace("{n}", &n.to_string())).collect()
    };
    let none = json!([{ "n": 0 }]);
    let left = "select count(*) as n from information_schema.tables where table_schema = 'public'";
    database
        .rows(&format!("create table t (a int); {}", many(2_000, "create view v{n} as select a from t; ")));
    database.rows("drop table t cascade");
    assert_eq!(database.rows(left), none);
    database.rows(&many(300, "create table t{n} (a int primary key, b text not null); "));
    database.rows("drop schema public cascade; create schema public");
    assert_eq!(database.rows(left), none);
    let parts = "create table {t}{n} partition of {t} for values from ({n}) to ({n} + 1); ";
    for (table, default) in [("p", ""), ("q", "create table q_rest partition of q default;")] {
        database.rows(&format!(
            "create table {table} (id int) partition by range (id); {default} {} insert into {table} values (7), (399)",
            many(400, &parts.replace("{t}", table))
        ));
        let rows = format!("select tableoid::regclass::text as t, id from {table} order by id");
        let in_parts =
            json!([{ "t": format!("{table}7"), "id": 7 }, { "t": format!("{table}399"), "id": 399 }]);
        assert_eq!(database.rows(&rows), in_parts);
        database.rows(&format!("drop table {table}"));
    }
    assert_eq!(database.rows(left), none);
    // Views of views, each of which others read, are looked for among all.
    let mut low = Database::new();
    low.rows(&format!(
        "create table t (a int); {}",
        many(1_000, "create view v{n} as select a from t; create view w{n} as select a from v{n}; ")
    ));
    low.limits.steps = 1_000_000;
    for text in [
        "drop table t cascade".to_owned(),
        many(3_000, "create table t{n} (a int primary key, b text not null); "),
    ] {
        assert_eq!(low.refusal(&text), TIME, "{}", &text[..20]);
    }
    assert_eq!(low.rows(left), json!([{ "n": 2_001 }]));
}

#[test]
fn what_a_session_keeps_has_a_limit() {
    let database = Database::new();
    for (kept, code) in [
        ("pg_advisory_lock(i)", "53200"),
        ("pg_notify('channel', repeat('x', 5000) || i)", "54000"),
        ("set_config('app.of' || i, repeat('x', 5000), false)", "53200"),
    ] {
        let refusal = database.refusal(&format!("select count({kept}) from generate_series(1, 100000) i"));
        assert!(refusal.contains(code), "{kept}: {refusal}");
    }
    // The same again takes no room.
    let again = "select count(pg_advisory_lock(i % 10)) as n, count(pg_notify('channel', repeat('x', 5000))) as m \
                 from generate_series(1, 20000) i";
    assert_eq!(database.rows(again), json!([{ "n": 20_000, "m": 20_000 }]));
}

#[test]
fn the_order_of_dates_ends_with_its_call() {
    let read = || sim_sql::value::datetime::parse_date("03/02/2026");
    let before = read();
    let day_first = "set datestyle = 'ISO, DMY'; select '03/02/2026'::date::text as day";
    assert_eq!(Database::new().rows(day_first), json!([{ "day": "2026-02-03" }]));
    assert_eq!(read(), before);
    assert_eq!(
        Database::new().rows("select '03/02/2026'::date::text as day"),
        json!([{ "day": "2026-03-02" }])
    );
}
