//! Queries with fixed shapes over the generated tables: joins, groups, and frames of windows.

use super::exprs::Scope;
use super::statements::{Maker, Statement, ordered, sorted};
use super::tape::Tape;

impl Maker<'_> {
    /// A query of one of these shapes, with its number of columns.
    pub(super) fn shaped(&self, tape: &mut Tape<'_>) -> Statement {
        let (rule, width) = *tape.pick(SHAPES);
        let text = self.filled(tape, rule);
        sorted(tape, text, width)
    }

    /// A query that decides the order of its rows.
    pub(super) fn shaped_in_order(&self, tape: &mut Tape<'_>) -> Statement {
        let rule = tape.word(ORDERED);
        ordered(self.filled(tape, rule))
    }

    /// What equal rows add to a frame must not depend on their order.
    pub(super) fn framed(&self, tape: &mut Tape<'_>) -> Statement {
        let (order, frames) = *tape.pick(FRAMES);
        let mut targets = vec!["id".to_owned()];
        for index in 0..1 + tape.below(3) {
            let call = tape.word(CALLS);
            let frame = tape.word(frames);
            let exclusion = tape.word(EXCLUSIONS);
            let filter = tape.word(&["", "", " filter (where n > 1)"]);
            targets.push(format!("{call}{filter} over (w {frame}{exclusion}) as x{index}"));
        }
        let partition = tape.word(&["", "partition by k "]);
        let rows = "(select a.id, <b> as k, <i> % 20 as n, <d> as d, <s> as s from # a) as q";
        let rule = format!(
            "select {} from {rows} window w as ({partition}order by {order}{})",
            targets.join(", "),
            tape.word(&["", " desc", " nulls first"])
        );
        let text = self.filled(tape, &rule);
        sorted(tape, text, targets.len())
    }

    /// A rule with a table for `#`, another one for `@`, and expressions over the first.
    fn filled(&self, tape: &mut Tape<'_>, rule: &str) -> String {
        let (table, other) = (self.table(tape), self.table(tape));
        let scope = Scope { columns: table.qualified("a"), tables: Vec::new() };
        scope.fill(tape, &rule.replace('#', &table.name).replace('@', &other.name), 2)
    }
}

const SHAPES: &[(&str, usize)] = &[
    ("select a.id, x, y from # a, rows from (unnest(<a>), unnest(<x>)) as u(x, y)", 3),
    ("select a.id, x, y from # a, unnest(<a>, <x>) as u(x, y)", 3),
    (
        "select a.id, x, y, n from # a, rows from (unnest(<a>), generate_series(1, 2)) with ordinality as u(x, y, n)",
        4,
    ),
    ("select a.id, x from # a, unnest(int4multirange(<r>) - int4multirange(<r>)) as x", 2),
    ("select a.id, x from # a, jsonb_path_query(<j>, '$.*') as x", 2),
    ("select id, count(*) as n from # a join @ b using (id) group by id", 2),
    ("select id, a.id is null as x, b.id is null as y from # a full join @ b using (id)", 3),
    ("select * from (select a.id, <i> as n from # a) a natural join (select id, id * 2 as m from @ b) b", 3),
    (
        "select id, n, m from (select a.id, <t> as n from # a) a natural left join (select id, id + 1 as m from @ b) b",
        3,
    ),
    (
        "select a.id, (select count(*) from @ b where b.id < a.id and <b>) as n, (select max(b.id) from @ b where b.id <> <i>) as m from # a",
        3,
    ),
    (
        "select a.id, (select b from @ b where b.id = a.id)::text as n, (select <t> from @ b order by b.id limit 1) as m from # a",
        3,
    ),
    (
        "with w as (with v as (select a.id, <t> as t from # a where <b>) select id, t, count(*) over () as n from v) select w.id, t, n from w left join @ b using (id)",
        3,
    ),
    (
        "with w as materialized (select a.id, <n> as n from # a), v as (select id, n from w union all select id, 1.5 from w) select id, sum(n) as s from v group by id",
        2,
    ),
    (
        "select a.id, l.k, l.n from # a cross join lateral (select b.id as k, <i> as n from @ b where b.id >= a.id order by b.id desc limit 2) l",
        3,
    ),
    (
        "select a.id, l.n from # a left join lateral (select count(*) as n from @ b where b.id > a.id having count(*) > 1) l on <b>",
        2,
    ),
    (
        "select a.id, l.k, l.y from # a left join lateral (select b.id as k, <y> as y from @ b where b.id > a.id order by b.id offset 1 limit 1) l on true",
        3,
    ),
    (
        "select v.k, v.t, count(a.id) as n from (values (1, 'a'), (2, 'b'), (null, 'c')) as v(k, t) left join # a on a.id = v.k and <b> group by v.k, v.t",
        3,
    ),
    ("select v.k, v.y, v.r from # a, (values (<i>, <y>, <r>), (1, '\\x01', 'empty')) as v(k, y, r)", 3),
    (
        "select k, m, count(*) as n, grouping(k, m) as g from (select <b> as k, <i> % 3 as m from # a) as q group by cube (k, m)",
        4,
    ),
    (
        "select k, m, sum(m) as n, grouping(m) as g from (select <t> as k, <i> % 3 as m from # a) as q group by rollup (m, k)",
        4,
    ),
    (
        "select k, m, max(m) as n from (select <d> as k, <i> % 3 as m from # a) as q group by grouping sets ((k), (m), ()) having count(*) > 1",
        3,
    ),
    (
        "select k, m, count(*) as n from (select <b> as k, <i> % 3 as m, <b> as l from # a) as q group by k, grouping sets ((m, l), m)",
        3,
    ),
    (
        "select k, count(*) filter (where m > 0) as n, sum(m) filter (where k) as s, jsonb_agg(m order by m, id) filter (where m is not null) as j from (select a.id, <b> as k, <i> as m from # a) as q group by k",
        4,
    ),
    (
        "select k, percentile_cont(array[0.25, 0.5]) within group (order by m) as x, mode() within group (order by m) as y, percentile_disc(0.3) within group (order by m desc) as z from (select <b> as k, <i> as m from # a) as q group by k",
        4,
    ),
    (
        "select k, rank(2) within group (order by m) as x, dense_rank(2) within group (order by m desc) as y, cume_dist(1) within group (order by m) as z from (select <b> as k, <i> as m from # a) as q group by k",
        4,
    ),
    (
        "select percentile_cont(0.4) within group (order by <v>) as x, percentile_disc(array[0.1, 0.9]) within group (order by <d>) as y from # a",
        2,
    ),
    (
        "select array_agg(array[a.id, 1] order by a.id)::text as x, array_agg(array[<t>] order by a.id) as y from # a",
        2,
    ),
    ("select a.id, x.* from # a cross join lateral (select <h> as h, <p> as p, <e> as e) x", 4),
    ("select a.id, (<p>).* from # a", 3),
    (
        "select jsonb_object_agg(a.id, <p>) as x, json_object_agg(a.id, <y> order by a.id)::text as y from # a",
        2,
    ),
    (
        "select a.id, case when <r> && <r> then lower(<r>) else upper(<r>) end as x, isempty(<e>) as y from # a",
        3,
    ),
    (
        "select range_agg(<r>)::text as x, range_intersect_agg(<e>) as y, string_agg(<y>, '\\x2c' order by a.id) as z from # a",
        3,
    ),
    (
        "(select a.id, <h> as h from # a order by a.id limit 2) union all (select b.id, '12:00' from @ b order by b.id desc limit 1)",
        2,
    ),
    ("select corr(<f>, <i>) is null as x, regr_count(<f>, <i>) as y, every(<b>) as z from # a", 3),
];

const ORDERED: &[&str] = &[
    "select distinct on (k, m) k, m, id from (select a.id, <b> as k, <i> % 3 as m from # a) as q order by k, m desc, id desc",
    "select distinct on (m, k) id, k from (select a.id, <t> as k, <d> as m from # a) as q order by m nulls first, k, id",
    "select k from (select <i> % 4 as k from # a) as q order by k fetch first 2 rows with ties",
    "select k from (select <b> as k from # a) as q order by k desc nulls last offset 1 fetch next 1 row with ties",
    "select k from (select <r> as k from # a) as q order by k desc fetch first row with ties",
    "select id, y from (select a.id, <y> as y from # a) as q order by y, id offset 1 rows fetch next 3 rows only",
    "select id, h from (select a.id, <h> as h from # a) as q order by h desc nulls last, id",
    "select id, p from (select a.id, <p> as p from # a) as q order by p, id",
    "select a.id, <e> as e from # a order by <e>, a.id",
];

const CALLS: &[&str] =
    &["sum(n)", "count(*)", "max(id)", "min(n)", "avg(n)", "bool_or(k)", "count(n)", "max(d)"];

/// What orders a window, and frames for it.
const FRAMES: &[(&str, &[&str])] = &[
    (
        "n",
        &[
            "groups between 1 preceding and current row",
            "groups between unbounded preceding and 1 following",
            "range between 2 preceding and 3 following",
            "range between unbounded preceding and current row",
            "groups current row",
            "range between 1 following and 4 following",
            "range 1 preceding",
        ],
    ),
    (
        "d",
        &[
            "range between '1 month' preceding and '10 days' following",
            "groups between current row and unbounded following",
            "range between interval '1 year' preceding and current row",
        ],
    ),
    ("s", &["range between '1 day' preceding and '1 hour' following", "groups 1 preceding"]),
    (
        "n, d",
        &["groups between 1 preceding and 1 following", "range between current row and unbounded following"],
    ),
];

const EXCLUSIONS: &[&str] =
    &["", "", " exclude current row", " exclude group", " exclude ties", " exclude no others"];
