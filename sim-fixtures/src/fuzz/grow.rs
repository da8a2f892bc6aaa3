//! Generates texts that nest templates in each other, or repeat one piece many times.

/// The templates of one language.
pub(super) struct Language {
    /// The smallest expressions.
    innermost: &'static [&'static str],
    /// Templates around an expression, which replaces the `X`.
    nested: &'static [&'static str],
    /// Pieces that are appended to an expression, each several times.
    repeated: &'static [&'static str],
    /// Chains of definitions: the first one, the template of the others, and a use of the last one. `{i}` is the number of a
    /// definition, `{p}` the number of the one before it.
    numbered: &'static [[&'static str; 3]],
    /// Whole texts around an expression, which replaces the `X`.
    whole: &'static [&'static str],
}

/// How many times a template is nested or a piece repeated.
const TIMES: [usize; 16] = [1, 2, 3, 4, 6, 9, 14, 20, 30, 45, 70, 150, 400, 1_000, 2_500, 5_000];

/// The longest text, in bytes.
const LENGTH_MAX: usize = 128 << 10;

impl Language {
    /// Builds a text. Each byte of `choices` makes one choice; missing bytes count as zero.
    ///
    /// Every input is valid, so that a fuzzer can mutate it byte by byte.
    pub(super) fn text(&self, choices: &[u8]) -> String {
        let mut choices = choices.iter().map(|byte| usize::from(*byte)).chain(std::iter::repeat(0));
        let mut next = || choices.next().unwrap_or_default();
        if !self.numbered.is_empty() && next() % 4 == 1 {
            let rows = &self.numbered[next() % self.numbered.len()];
            return numbered(rows, TIMES[next() % TIMES.len()]);
        }
        let mut text = self.innermost[next() % self.innermost.len()].to_owned();
        for _ in 0..1 + next() % 3 {
            let times = TIMES[next() % TIMES.len()];
            let (kind, one, other) = (next(), next(), next());
            let before = text.clone();
            if kind.is_multiple_of(3) {
                text.push_str(&self.repeated[one % self.repeated.len()].repeat(times));
            } else {
                // Sometimes two templates alternate.
                let one = self.nested[one % self.nested.len()];
                let other = if kind % 3 == 1 { one } else { self.nested[other % self.nested.len()] };
                text = nested(text, one, other, times);
            }
            if text.len() > LENGTH_MAX {
                text = before;
            }
        }
        self.whole[next() % self.whole.len()].replace('X', &text)
    }
}

fn nested(innermost: String, one: &str, other: &str, times: usize) -> String {
    let (mut before, mut after) = (Vec::new(), String::new());
    for time in 0..times {
        let template = if time.is_multiple_of(2) { one } else { other };
        let (open, close) = template.split_once('X').expect("templates say where");
        before.push(open);
        after.push_str(close);
        if before.len() * open.len() + after.len() > LENGTH_MAX {
            break;
        }
    }
    before.reverse();
    format!("{}{innermost}{after}", before.concat())
}

fn numbered([first, each, last]: &[&str; 3], times: usize) -> String {
    let mut text = (*first).to_owned();
    for number in 1..=times {
        text.push_str(&each.replace("{i}", &number.to_string()).replace("{p}", &(number - 1).to_string()));
        if text.len() > LENGTH_MAX {
            break;
        }
    }
    // A text that reached the longest length uses a definition that does not exist, which is an ordinary error.
    text + &last.replace("{p}", &times.to_string())
}

/// A project's SQL.
pub(super) static SQL: Language = Language {
    innermost: &[
        "1",
        "null",
        "x",
        "'a'",
        "1.5",
        "random()",
        "'{\"a\": 1}'::jsonb",
        "array[1,2]",
        "date '2024-01-01'",
    ],
    nested: &[
        "(X)",
        "greatest(X, 1)",
        "least(1, X)",
        "nullif(X, 1)",
        "coalesce(X, 1)",
        "(X between 1 and 2)",
        "(X not between 1 and 2.5)",
        "(X between symmetric 2 and 1)",
        "(X between 1 and 2)::int",
        "case X when 1 then 2 else 3 end",
        "case X when 1 then 2 when 2.5 then 3 end",
        "case when X = 1 then 2 else 3 end",
        "case when true then X end",
        "(X, 1) < (2, 3)",
        "((X, 1) in ((1, 2), (2, 3)))::int",
        "(X = any(array[1, 2]))::int",
        "(X <> all(array[1, 2]))::int",
        "(X in (1, 2.5))::int",
        "(X is distinct from 1)::int",
        "(select X)",
        "(select X union all select 2 limit 1)",
        "(select X order by 1)",
        "(select X group by 1)",
        "(select max(y) from (select X as y) as q)",
        "(select y + y from (select X as y) as q)",
        "(with c as (select X as y) select a.y from c as a, c as b)",
        "exists (select X)",
        "array[X]",
        "row(X)",
        "to_jsonb(X)",
        "jsonb_build_object('a', X)",
        "abs(X)",
        "- X",
        "not X",
        "X::text",
        "cast(X as varchar(5))",
        "upper(X)",
        "concat(X, 'a')",
        "X || 'a'",
        "1 + X",
        "extract(year from X)",
        "substring(X from 1 for 2)",
        "(X is null)",
        "(X) is true",
        "positive(X)",
        "twice(X)",
        "X::small",
        "(X)[1]",
        "X -> 'a'",
        "string_agg(X, ',')",
        "sum(X) over ()",
    ],
    repeated: &[
        " || 'a'",
        " + 1",
        " and true",
        " or false",
        "::text",
        "::small",
        " = 1",
        "[1]",
        " -> 'a'",
        " is null",
        ", 1",
        " union all select 1",
        " union select 1, 2",
        " except select 1",
        "; select 1",
        " at time zone 'UTC'",
        " collate \"C\"",
        " between 1 and 2",
        " cross join t",
        " || array[1, 2]",
    ],
    numbered: &[
        ["create domain d0 as int; ", "create domain d{i} as d{p}; ", "select 1::d{p}"],
        [
            "create domain d0 as int; ",
            "create domain d{i} as d{p} check (value <> -{i}); ",
            "select (1 + 1)::d{p}",
        ],
        [
            "create domain d0 as int; ",
            "create domain d{i} as int check (value::d{p} > 0 and value::d{p} < 9); ",
            "select 1::d{p}",
        ],
        ["create domain d0 as int; ", "create domain d{i} as d{p}[]; ", "select null::d{p}"],
        [
            "create type c0 as (a int); ",
            "create type c{i} as (a c{p}, b c{p}); ",
            "select to_jsonb(null::c{p}), null::c{p}",
        ],
        ["with c0 as (select 1 as x)", ", c{i} as (select x from c{p})", " select x from c{p}"],
        [
            "with c0 as (select 1 as x)",
            ", c{i} as (select a.x from c{p} as a, c{p} as b)",
            " select x from c{p}",
        ],
        ["with c0 as (select 1 as x)", ", c{i} as (select {i} as x)", " select x from c{p}"],
        [
            "create view v0 as select 1 as x; ",
            "create view v{i} as select a.x from v{p} as a, v{p} as b; ",
            "select * from v{p}",
        ],
        [
            "create view v0 as select 1 as x; ",
            "create view v{i} as select greatest(x, {i}) as x from v{p}; ",
            "select * from v{p}",
        ],
        [
            "create function h0(a int) returns int language sql as 'select 1'; ",
            "create function h{i}(a int) returns int language sql as 'select h{p}(a + 1) + h{p}(a)'; ",
            "select h{p}(1)",
        ],
        ["create table k (a int", ", check (a <> {i})", "); insert into k values (0)"],
        [
            "create table k (a0 int",
            ", a{i} int default {i}",
            "); insert into k (a0) values (0); select * from k",
        ],
        [
            "create table k (a int, b int); ",
            "create index on k (greatest(a, b, {i})); ",
            "insert into k values (1, 2)",
        ],
        ["create table k (a int); insert into k values (0)", ", ({i})", ""],
        [
            "create table k (a int primary key, b int references k on delete cascade); insert into k values (0, null)",
            ", ({i}, {p})",
            "; delete from k where a = 0",
        ],
        ["select greatest(0", ", {i}", ")"],
        ["select case 1 when 0 then 0", " when {i} then {p}", " end"],
        ["select 1 where 1 in (0", ", {i}", ")"],
        ["select * from t as t0", " join t as t{i} on t{i}.x = t{p}.x", ""],
        ["begin; ", "savepoint s{i}; ", "rollback"],
        ["do $$ begin ", "perform {i}; ", "end $$"],
    ],
    whole: &[
        "select X",
        "select X as v from t",
        "select x from t where X",
        "select x from t order by X",
        "select X, count(*) from t group by X",
        "create table k (a int default X); insert into k values (default)",
        "create table k (a int, check (X)); insert into k values (1)",
        "create table k (x int, b int generated always as (X) stored); insert into k values (1)",
        "create index on t ((X)); insert into t values (1)",
        "create view w as select X as v from t; select * from w",
        "create function g(x int) returns int language sql as $$ select X $$; select g(1)",
        "insert into t values (1) returning X",
        "update t set x = 1 where X",
        "do $$ begin perform X; end $$",
        "prepare p as select X; execute p",
        "alter table t enable row level security; create policy p on t using (X); select * from t",
    ],
};

/// The tables, types and functions that [`SQL`] uses.
pub(super) const SQL_PRELUDE: &str = "\
    create table t (x int); insert into t values (1), (2); \
    create domain small as int check (value < 100); \
    create function positive(a int) returns boolean language sql as 'select a > 0 and a is not null'; \
    create function twice(a int) returns int language sql as 'select a + a'";

/// SQL/JSON paths.
pub(super) static JSON_PATH: Language = Language {
    innermost: &["$", "$.a", "$[*]", "@", "1", "\"a\"", "$.a ? (@ > 1)", "strict $.a"],
    nested: &[
        "(X)",
        "!(X)",
        "exists (X)",
        "(X == 1)",
        "$ ? (X)",
        "$[*] ? (@.a == X)",
        "(X && 1 == 1)",
        "(X starts with \"a\")",
    ],
    repeated: &[
        "[*]",
        "[0]",
        "[last]",
        "[0 to 1, 2]",
        ".a",
        ".\"a\"",
        ".*",
        ".type()",
        ".size()",
        " ? (1 == 1)",
        " ? (@.a[*] > 0)",
        " && 1 == 1",
        " || 1 == 2",
        " == 1",
        " + 1",
    ],
    numbered: &[],
    whole: &["X", "$[*] ? (X)", "lax X", "$ ? (@.a == 1) X"],
};

/// Queries of events, for the warehouse's dialect and for PostgreSQL's.
pub(super) static EVENTS: Language = Language {
    innermost: &[
        "1",
        "null",
        "n",
        "'a'",
        "1.5",
        "event_message",
        "timestamp",
        "metadata.status",
        "[1, 2]",
        "true",
        "id",
    ],
    nested: &[
        "(X)",
        "nullif(X, 1)",
        "nullif(X, 'a')",
        "nullif(X, 1.5)",
        "case X when 1 then 2 else 3 end",
        "case X when 'a' then 'b' else 'c' end",
        "case when X = 1 then 2 end",
        "if(X, 1, 2)",
        "greatest(X, 1)",
        "least(1, X)",
        "ifnull(X, 1)",
        "coalesce(X, 1)",
        "(X between 1 and 2)",
        "(X in (1, 2))",
        "(X like any ('a', 'b'))",
        "cast(X as string)",
        "cast(X like any ('a', 'b') as string)",
        "cast(X as int64)",
        "safe_divide(X, 2)",
        "is_nan(X)",
        "ends_with(X, 'a')",
        "contains_substr(X, 'a')",
        "concat(X, 'a')",
        "lower(X)",
        "to_json_string(X)",
        "[X]",
        "struct(X as a)",
        "struct(X as a, 1 as b) = struct(1 as c, 1.5 as d)",
        "abs(X)",
        "- X",
        "not X",
        "1 + X",
        "(select X)",
        "(select max(y) from (select X as y))",
        "(select y + y from (select X as y))",
        "(select a.y from (select X as y) as a)",
        "exists (select X)",
        "array(select X)",
        "timestamp_trunc(X, day)",
        "timestamp_diff(X, X, day)",
        "format_timestamp('%F', X)",
        "count(X)",
        "sum(X) over ()",
    ],
    repeated: &[
        " + 1",
        " || 'a'",
        " and true",
        " or n = 1",
        " = 1",
        "[0]",
        "[offset(0)]",
        ".a",
        "::text",
        " is null",
        ", 1",
        " union all select 1",
        " union all select 1, 2",
        " like 'a'",
        " cross join gateway",
    ],
    numbered: &[
        [
            "with c0 as (select 1 as x)",
            ", c{i} as (select a.x from c{p} as a, c{p} as b)",
            " select x from c{p}",
        ],
        ["with c0 as (select 1 as x)", ", c{i} as (select x + x as x from c{p})", " select x from c{p}"],
        [
            "with c0 as (select 1 as x)",
            ", c{i} as (select nullif(x, {i}) as x from c{p})",
            " select x from c{p}",
        ],
        ["with c0 as (select 1 as x)", ", c{i} as (select {i} as x)", " select x from c{p}"],
        ["select 1 as c0", ", {i} as c{i}", " from gateway"],
        ["select case 1 when 0 then 0", " when {i} then {p}", " end as v"],
        ["select 1 as v from gateway where 1 in (0", ", {i}", ")"],
        ["select t0.id from gateway as t0", " join gateway as t{i} on t{i}.id = t{p}.id", ""],
    ],
    whole: &[
        "select X as v",
        "select X as v from gateway",
        "select id from gateway where X",
        "select id from gateway order by X",
        "select X as v, count(*) as n from gateway group by v",
        "with c as (select X as v from gateway) select a.v from c as a, c as b",
    ],
};
