//! SQL with deep nesting or long repetition in seeds and in queries of events: it is executed or refused. The tests in
//! `sim-core/sql` cover `database/query`.

use sim_core::seed::Seed;
use sim_core::{Policy, Simulator};
use sim_fixtures::{Api as _, InProcess, Reply, analytics};

fn nested(template: &str, times: usize, innermost: &str) -> String {
    let (before, after) = template.split_once('X').expect("it says where");
    format!("{}{innermost}{}", before.repeat(times), after.repeat(times))
}

fn seeded(sql: &str) -> Result<Simulator, sim_core::Error> {
    let file = format!(
        "[[users]]\nname = \"ada\"\n[[organizations]]\nname = \"Acme\"\nmembers = {{ ada = \"Owner\" }}\n\
         [[projects]]\nname = \"shop\"\nsql = ['''create table item (id int)''', '''{sql}''']"
    );
    Seed::parse(&file)?.build()
}

#[test]
fn a_seed_says_which_of_its_statements_is_too_deep() {
    let filter = nested("!(X)", 5_000, "1 == 1");
    let path = format!("select jsonb_path_query('[1]', '$ ? ({filter})')");
    let repeated = format!("select 1{}", " || 'a'".repeat(3_000));
    for sql in [path, repeated] {
        let error = seeded(&sql).err().expect("a statement too deep is refused");
        assert_eq!(error.reason, "invalid_seed.projects.0.sql.1", "{error:?}");
        assert!(error.message.contains("stack depth limit exceeded"), "{error:?}");
    }
    let domains: String =
        (1..100).map(|i| format!("create domain d{i} as d{} check (value > {i}); ", i - 1)).collect();
    let path = format!("select jsonb_path_query(''[1]'', ''${}'')", "[*]".repeat(5_000)).replace("''", "'");
    for sql in [path, format!("create domain d0 as int; {domains} select (99 + 1)::d99")] {
        seeded(&sql).expect("a long statement");
    }
}

fn events() -> InProcess {
    InProcess::new(analytics::one_source_under(Policy::default()))
}

fn ask(api: &mut InProcess, language: &str, text: &str) -> Reply {
    let pairs = form_urlencoded::Serializer::new(String::new()).append_pair(language, text).finish();
    api.get(&format!("/api/query?{pairs}"))
}

#[test]
fn operands_of_queries_of_events_are_computed_once() {
    let mut here = events();
    for (language, templates) in [
        (
            "sql",
            &[
                "nullif(X, 1)",
                "nullif(X, 1.5)",
                "case X when 1 then 2 else 3 end",
                "case X when 1 then 2 when 2.5 then 3 end",
                "greatest(X, 1)",
                "safe_divide(1, X)",
                "if(X = 1, 2, 3)",
                "cast(cast(X as string) like any ('a', 'b') as int64)",
            ][..],
        ),
        ("pg_sql", &["nullif(X, 1)", "case X when 1 then 2 else 3 end", "greatest(X, 1)"][..]),
    ] {
        for template in templates {
            for times in [2, 20, 40] {
                let text = format!("select {} as v from gateway", nested(template, times, "1"));
                let reply = ask(&mut here, language, &text);
                assert!([200, 400].contains(&reply.status), "{template} × {times}: {reply}");
                assert!(times > 2 || reply.status == 200, "{template} × {times}: {reply}");
            }
        }
    }
}

#[test]
fn queries_of_events_nest_as_deep_as_they_may() {
    let mut here = events();
    let (everywhere, queries) = (
        [
            "(X)",
            "- X",
            "not X",
            "case when X = 1 then 1 end",
            "(select X)",
            "exists (select X)",
            "1 in (select X)",
            "abs(X)",
        ],
        ["select * from (X) a", "with a as (X) select * from a", "(X)", "select 1 union all (X)"],
    );
    let of_one = [("sql", "[X]"), ("sql", "struct(X)"), ("pg_sql", "array[X]")];
    let tables = ["(X)", "(X cross join gateway)", "(select * from X) a"];
    for times in [1, 4, 10, 24, 45, 60, 400] {
        let mut texts = Vec::new();
        for language in ["sql", "pg_sql"] {
            let expressions = everywhere.map(|template| format!("select {}", nested(template, times, "1")));
            let queries = queries.map(|template| nested(template, times, "select 1"));
            let tables =
                tables.map(|template| format!("select 1 from {}", nested(template, times, "gateway")));
            texts.extend(expressions.into_iter().chain(queries).chain(tables).map(|text| (language, text)));
        }
        texts.extend(
            of_one.map(|(language, template)| (language, format!("select {}", nested(template, times, "1")))),
        );
        for (language, text) in texts {
            let reply = ask(&mut here, language, &text);
            assert!([200, 400, 414, 431].contains(&reply.status), "{language}, {text}: {reply}");
        }
    }
}

#[test]
fn common_table_expressions_that_are_read_twice_at_each_step_are_refused() {
    let mut here = events();
    let steps = |each: &str, count: usize| {
        let each = |i: usize| each.replace("{i}", &i.to_string()).replace("{p}", &(i - 1).to_string());
        format!(
            "with c0 as (select 1 as x){} select x from c{count}",
            (1..=count).map(each).collect::<String>()
        )
    };
    for (each, count, status) in [
        (", c{i} as (select x + x as x from c{p})", 45, 200),
        (", c{i} as (select nullif(x, {i}) + x as x from c{p})", 45, 200),
        (", c{i} as (select a.x from c{p} as a cross join c{p} as b)", 45, 400),
        (", c{i} as (select x from c{p})", 500, 400),
        (", c{i} as (select {i} as x)", 1_000, 200),
    ] {
        let reply = ask(&mut here, "sql", &steps(each, count));
        assert_eq!(reply.status, status, "{each} × {count}: {reply}");
    }
}

#[test]
fn chains_of_queries_of_events_are_as_long_as_they_may_be() {
    let mut here = events();
    for chain in [" union all select 1, 2", " or true", " and n = 1", "[0]", " || 'a'", ", 1", " + 1"] {
        for times in [10, 500, 2_500] {
            let text = format!("select 1{}", chain.repeat(times));
            let reply = ask(&mut here, "sql", &text);
            assert!([200, 400, 404, 414, 431].contains(&reply.status), "{chain} × {times}: {reply}");
        }
    }
}
