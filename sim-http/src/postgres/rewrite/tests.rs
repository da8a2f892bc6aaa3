use super::*;

#[test]
fn keywords_of_the_clock_become_calls() {
    for (text, expected) in [
        ("select current_timestamp", r#"select "current_timestamp"()"#),
        ("select Current_Date - 1", r#"select "current_date"() - 1"#),
        ("select localtimestamp (3), localtime", r#"select "localtimestamp" (3), "localtime"()"#),
        ("select 'current_date', E'\\'current_date'", "select 'current_date', E'\\'current_date'"),
        (r#"select "current_date", 1 as current_date"#, r#"select "current_date", 1 as current_date"#),
        (
            "select 1 -- current_date\n/* /* */ current_date */",
            "select 1 -- current_date\n/* /* */ current_date */",
        ),
        (
            "select $$current_date$$, $a$ it's $$ $a$, current_date",
            r#"select $$current_date$$, $a$ it's $$ $a$, "current_date"()"#,
        ),
        (
            "create function f() returns date language sql as $f$ select current_date -- it's\n $f$",
            "create function f() returns date language sql as $f$ select \"current_date\"() -- it's\n $f$",
        ),
        ("do $$ begin perform current_time; end $$", r#"do $$ begin perform "current_time"(); end $$"#),
        ("select 'open current_date", "select 'open current_date"),
        ("select $1, 2current_date, ü", "select $1, 2current_date, ü"),
        ("select /* current_date", "select /* current_date"),
    ] {
        let rewrite = Rewrite::of(text, true, 15);
        assert_eq!(rewrite.print(), expected, "{text}");
        assert_eq!(Rewrite::of(text, false, 15).print(), text);
    }
}

#[test]
fn places_of_errors_are_those_of_the_text_as_it_came() {
    let text = "select current_date, current_date, oops";
    let rewrite = Rewrite::of(text, true, 15);
    let printed = rewrite.print();
    for word in ["select", "oops"] {
        let place = printed.find(word).expect("it is there");
        assert_eq!(Some(rewrite.came_from(place)), text.find(word));
    }
    assert_eq!(rewrite.came_from(printed.len()), text.len());
}

#[test]
fn texts_that_may_commit_are_recognized() {
    for (text, expected) in [
        ("insert into t values (1); select 1 / 0", false),
        ("select case when true then 1 end", false),
        ("insert into t values (1); commit; select 1 / 0", true),
        ("create unique index concurrently i on t (a)", true),
        ("call p()", true),
        ("do $$ begin commit; end $$", true),
        ("begin; insert into t values (1); end", true),
    ] {
        assert_eq!(Rewrite::of(text, true, 15).may_commit, expected, "{text}");
    }
}

#[test]
fn a_role_that_is_there_is_changed_instead_of_created() {
    let text = r#"select 1; create role Reader nologin; CREATE USER "Some ""one"; create user mapping for x"#;
    let mut rewrite = Rewrite::of(text, true, 15);
    let roles = rewrite.roles.clone();
    let names: Vec<&str> = roles.iter().map(|role| role.name.as_str()).collect();
    assert_eq!(names, ["reader", "Some \"one"]);
    rewrite.alter(&roles[0]);
    let changed = text.replace("create role Reader", "alter  role Reader");
    assert_eq!(rewrite.print(), changed);
}

#[test]
fn statements_of_the_owner_are_run_by_a_function() {
    let create = "create extension if not exists vector";
    let printed = Rewrite::of(&format!("select 1; {create} ; select 2"), true, 15).print();
    let call = format!("perform pg_catalog.stuntdouble_on_behalf({})", quoted(create));
    assert!(printed.starts_with("select 1; do 'begin if ") && printed.ends_with("' ; select 2"), "{printed}");
    assert!(printed.replace("''", "'").contains(&call), "{printed}");
    for text in ["alter table a set (b = 1)", "drop extension a", "select 'create extension a'"] {
        assert_eq!(Rewrite::of(text, true, 15).print(), text);
        assert_eq!(rewritten_for_connection(text, 15), None, "{text}");
    }
    assert_eq!(rewritten_for_connection("create role a", 15), Some(on_behalf("create role a")));
    assert!(rewritten_for_connection("ALTER ROLE a SET b.c = 'd'; select current_date", 15).is_some());
}

#[test]
fn options_of_vector_indexes_are_left_out_where_no_method_knows_them() {
    for (text, plain) in [
        (
            "create index i on t using HNSW (v vector_l2_ops) with (m = 16) where a > 1",
            "create index i on t using HNSW (v vector_l2_ops)  where a > 1",
        ),
        (
            "create index \"i with (x)\" on t using  \"ivfflat\" (f(v, ')') vector_l2_ops) with (\"lists\"='100')",
            "create index \"i with (x)\" on t using  \"ivfflat\" (f(v, ')') vector_l2_ops) ",
        ),
    ] {
        let printed = Rewrite::of(text, true, 15).print();
        let expected = format!("then execute {}; else execute {}; end if", quoted(plain), quoted(text));
        assert!(printed.contains(&expected.replace('\'', "''")), "{printed}");
    }
    let concurrently =
        "create index concurrently on t using hnsw (v vector_l2_ops) with (m = '16') tablespace a";
    let plain = "create index concurrently on t using hnsw (v vector_l2_ops)  tablespace a";
    assert_eq!(Rewrite::of(concurrently, true, 15).print(), plain);
    for text in [
        "create index i on t using hnsw (v vector_l2_ops)",
        "create index \"using hnsw\" on t using gin (v) with (fastupdate = off)",
    ] {
        assert_eq!(Rewrite::of(text, true, 15).print(), text);
    }
}

#[test]
fn roles_are_created_by_a_function_of_the_servers_owner() {
    let text = "select 1; create role Reader with nologin ; create user \"it's\" with password 'x'";
    let mut rewrite = Rewrite::of(text, true, 15);
    let roles = rewrite.roles.clone();
    rewrite.create(&roles[1]);
    let created = on_behalf("create user \"it's\" with password 'x'");
    assert_eq!(rewrite.print(), format!("select 1; create role Reader with nologin ; {created}"));
}

#[test]
fn statements_in_bodies_are_run_by_a_function() {
    let create = "create role app nologin";
    let run = on_behalf(create);
    for (text, expected) in [
        ("do $$ begin if true then {}; end if; end $$", ""),
        (
            "do $$ declare a int; begin loop {}; exit; end loop; begin {}; exception when others then {}; end; end $$",
            "",
        ),
        (
            "create function f() returns void language plpgsql as $f$ begin if a then b(); else {}; end if; end $f$",
            "",
        ),
        ("create or replace procedure f() language sql as $f$ {}; {} $f$", ""),
        ("select $$ begin {}; end $$", create),
        ("insert into t values ('do $$ begin {}; end $$')", create),
    ] {
        let expected = text.replace("{}", if expected.is_empty() { &run } else { expected });
        let text = text.replace("{}", create);
        assert_eq!(Rewrite::of(&text, true, 15).print(), expected);
        assert_eq!(rewritten_for_connection(&text, 15).unwrap_or_else(|| text.clone()), expected);
    }
    let in_string = Rewrite::of("do 'begin create role app nologin; end'", true, 15).print();
    assert_eq!(in_string, format!("do {}", quoted(&format!("begin {run}; end"))));
}

#[test]
fn what_execute_makes_goes_through_a_function() {
    const F: &str = "pg_catalog.stuntdouble_executed(";
    for (body, expected) in [
        ("execute 'create role a';", format!("execute {F} 'create role a');")),
        ("execute format('GRANT %I to b', n);", format!("execute {F} format('GRANT %I to b', n));")),
        (
            "execute format('create role %I', f(a, (select x into y))) into z using w;",
            format!("execute {F} format('create role %I', f(a, (select x into y))) )into z using w;"),
        ),
        (
            "execute s; s := 'alter role a login'; execute 'select 1';",
            format!("execute {F} s); s := 'alter role a login'; execute 'select 1';"),
        ),
        ("execute s; execute 'drop table users';", "execute s; execute 'drop table users';".to_owned()),
    ] {
        let of = |body: &str| format!("do $$ begin {body} end $$");
        assert_eq!(Rewrite::of(&of(body), true, 15).print(), of(&expected));
    }
    let trigger = "create trigger t after insert on create_role for each row execute function f()";
    assert_eq!(Rewrite::of(trigger, true, 15).print(), trigger);
}

#[test]
fn statements_on_roles_are_run_by_a_function() {
    for text in [
        "grant app to authenticator",
        "revoke admin option for a, b from c",
        "alter role a rename to b",
        "drop role if exists a, b",
        "alter user a nologin",
        "comment on role a is 'b'",
    ] {
        assert_eq!(Rewrite::of(text, true, 15).print(), on_behalf(text));
        assert_eq!(rewritten_for_connection(text, 15), Some(on_behalf(text)));
    }
    for text in [
        "grant select on t to app",
        "grant all\non all tables in schema public to app",
        "revoke all on function f(text) from public",
        "alter user mapping for a server b options (set c 'd')",
        "drop user mapping if exists for a server b",
        "alter default privileges in schema public grant select on tables to app",
    ] {
        assert_eq!(Rewrite::of(text, true, 15).print(), text);
    }
    let text = "alter role a -- it's\n /* b */ rename to c";
    assert_eq!(Rewrite::of(text, true, 15).print(), on_behalf("alter role a  \n   rename to c"));
}

#[test]
fn parameters_of_later_versions_are_set_without_effect() {
    for (text, expected) in [
        ("SET transaction_timeout = 0;", "SET stuntdouble.transaction_timeout = 0;"),
        ("set local \"transaction_timeout\" to '1s'", "set local stuntdouble.transaction_timeout to '1s'"),
        ("reset transaction_timeout", "reset stuntdouble.transaction_timeout"),
        ("set session_replication_role = replica", "set session_replication_role = replica"),
        ("update t set transaction_timeout = 0", "update t set transaction_timeout = 0"),
    ] {
        for version in [14, 15, 16] {
            assert_eq!(Rewrite::of(text, true, version).print(), expected);
            assert_eq!(Rewrite::of(text, false, version).print(), expected);
        }
        assert_eq!(rewritten_for_connection(text, 15).unwrap_or_else(|| text.to_owned()), expected);
        assert_eq!(rewritten_for_connection(text, 17), None);
        assert_eq!(Rewrite::of(text, true, 17).print(), text);
    }
}

/// Each text would take minutes, or all of the stack, if a step of it took as long as the text is.
#[test]
fn texts_of_any_length_and_depth_are_read() {
    let bodies = |count: u32| (0..count).map(|at| format!("do $a{at}$ ")).collect::<String>();
    for text in [
        bodies(100_000),
        "do '".repeat(100_000),
        "create function f() returns int as $a$ begin ".repeat(100_000),
        format!("do $$ begin {} end $$", "execute a; ".repeat(100_000)),
        format!("do $$ begin {} end $$", "execute 'grant a to b'; ".repeat(50_000)),
        "grant a to b; ".repeat(100_000),
        "set transaction_timeout = 0; ".repeat(100_000),
        "geometry(point,".repeat(100_000),
        "grant maintain on t to a; ".repeat(50_000),
        format!("grant select, {} on t to a", "maintain, ".repeat(100_000)),
        "create index on t using hnsw (a) with (".repeat(50_000),
        "/*".repeat(500_000),
        "$a".repeat(500_000),
        format!("create {} extension citext", "/**/".repeat(300_000)),
    ] {
        let printed = Rewrite::of(&text, true, 15).print();
        assert!(!printed.is_empty(), "{}", &text[..40]);
    }
    let deep = (0..40)
        .fold("create role app".to_owned(), |text, at| format!("do $a{at}$ begin {text}; end $a{at}$"));
    assert_eq!(Rewrite::of(&deep, true, 15).print(), deep);
}

#[test]
fn rights_of_later_versions_are_left_out_with_a_notice() {
    let notice = "raise notice '%', 'this server has no privilege MAINTAIN, which later versions have'";
    for (text, rest) in [
        (
            "grant delete, insert, MAINTAIN, select on table t to anon",
            "execute 'grant delete, insert, select on table t to anon';",
        ),
        (
            "alter default privileges in schema a revoke grant option for maintain, select (b, c) on tables from d",
            "execute 'alter default privileges in schema a revoke grant option for select (b, c) on tables from d';",
        ),
        ("grant maintain on t to anon", ""),
    ] {
        let expected = format!("do {}", quoted(&format!("begin {notice}; {rest} end")));
        assert_eq!(Rewrite::of(text, true, 15).print(), expected);
        assert_eq!(rewritten_for_connection(text, 16), Some(expected));
        assert_eq!(Rewrite::of(text, true, 17).print(), text);
    }
    let named = "grant select on \"maintain\" to maintain";
    assert_eq!(Rewrite::of(named, true, 15).print(), named);
}

#[test]
fn rights_on_functions_of_extensions_are_changed_if_they_are_there() {
    for text in [
        "GRANT ALL ON FUNCTION \"extensions\".\"pg_stat_statements_reset\"() TO \"anon\"",
        "revoke grant option for execute on function graphql.resolve(text) from public",
        "grant all privileges on routine public.other(internal, oid, integer) to anon",
        "alter function extensions.grant_pg_net_access() owner to postgres",
    ] {
        assert_eq!(Rewrite::of(text, true, 15).print(), if_there(text));
        assert_eq!(rewritten_for_connection(text, 15), Some(if_there(text)));
    }
    for text in [
        "grant all on function public.vector(text) to anon",
        "grant usage on schema extensions to anon",
        "grant all on table extensions.function to anon",
        "alter function public.f(text) owner to postgres",
    ] {
        assert_eq!(Rewrite::of(text, true, 15).print(), text);
    }
}
