//! Statements over generated tables.

use super::exprs::{Column, DEPTH, Scope};
use super::schema::Table;
use super::tape::Tape;
use super::types::{ALL, Ty};

/// A statement, and whether it orders its rows.
#[derive(Clone, Debug)]
pub(super) struct Statement {
    pub(super) text: String,
    pub(super) ordered: bool,
}

/// The parts of a statement.
pub(super) struct Maker<'t> {
    pub(super) tables: &'t [Table],
}

impl Maker<'_> {
    /// A statement, or several of which each uses what those before it make.
    pub(super) fn statements(&self, tape: &mut Tape<'_>) -> Vec<Statement> {
        tape.may_err = true;
        match tape.below(8) {
            6 if tape.flip() => self.and_rows(self.change(tape)),
            7 => self.and_rows(self.program(tape)),
            _ => vec![self.statement(tape)],
        }
    }

    /// Statements, and the rows of all tables after them.
    fn and_rows(&self, mut made: Vec<Statement>) -> Vec<Statement> {
        let rows = self.tables.iter().map(|table| format!("select * from {} order by id", table.name));
        made.extend(rows.map(ordered));
        made
    }

    fn statement(&self, tape: &mut Tape<'_>) -> Statement {
        match tape.below(29) {
            0..=4 => self.select(tape),
            5..=7 => self.grouped(tape),
            8 | 9 => self.windowed(tape),
            10 | 11 => self.compound(tape),
            12 => self.distinct_on(tape),
            13 | 14 => self.with(tape),
            15 => self.elements(tape),
            16 | 17 => unordered(self.insert(tape)),
            18 | 19 => unordered(self.update(tape)),
            20 => unordered(self.delete(tape)),
            21 => unordered(self.upsert(tape)),
            22 => unordered(self.definition(tape)),
            23..=25 => self.shaped(tape),
            26 => self.shaped_in_order(tape),
            27 => self.framed(tape),
            _ => unordered(self.mistake(tape)),
        }
    }

    pub(super) fn table(&self, tape: &mut Tape<'_>) -> &Table {
        tape.pick(self.tables)
    }

    /// A `FROM` clause, and the columns it adds to the scope.
    fn from(&self, tape: &mut Tape<'_>) -> (String, Scope) {
        let (first, second) = (self.table(tape), self.table(tape));
        let (a, b) = (first.qualified("a"), second.qualified("b"));
        let all = Scope { columns: [a.clone(), b.clone()].concat(), tables: self.asked() };
        let alone = |text: String| (text, Scope { columns: a.clone(), tables: self.asked() });
        let (first, second) = (&first.name, &second.name);
        match tape.below(8) {
            0..=3 => alone(format!("{first} a")),
            4 | 5 => {
                let kind = tape.word(&["join", "left join", "right join", "full join"]);
                // PostgreSQL supports full joins only on merge-joinable or hash-joinable conditions.
                let on = match (kind, tape.flip()) {
                    ("full join", _) | (_, true) => "a.id = b.id".to_owned(),
                    _ => all.expr(tape, Ty::Bool, 1),
                };
                (format!("{first} a {kind} {second} b on {on}"), all)
            }
            6 => (format!("{first} a cross join {second} b"), all),
            _ => {
                let ty = *tape.pick(ALL);
                let inner = Scope { columns: b, tables: Vec::new() };
                let (target, test) = (inner.expr(tape, ty, 1), all.expr(tape, Ty::Bool, 1));
                let lateral = format!(
                    "{first} a cross join lateral (select {target} as v, b.id from {second} b where {test}) l"
                );
                let columns = [a.clone(), vec![Column { text: "l.v".to_owned(), ty }]].concat();
                (lateral, Scope { columns, tables: self.asked() })
            }
        }
    }

    pub(super) fn asked(&self) -> Vec<(String, Vec<Column>)> {
        self.tables.iter().map(|table| (table.name.clone(), table.columns.clone())).collect()
    }

    fn targets(&self, tape: &mut Tape<'_>, scope: &Scope) -> Vec<String> {
        (0..1 + tape.below(4))
            .map(|index| {
                let ty = *tape.pick(ALL);
                format!("{} as x{index}", scope.expr(tape, ty, DEPTH))
            })
            .collect()
    }

    fn filter(&self, tape: &mut Tape<'_>, scope: &Scope) -> String {
        if tape.flip() { format!(" where {}", scope.expr(tape, Ty::Bool, 2)) } else { String::new() }
    }

    pub(super) fn select(&self, tape: &mut Tape<'_>) -> Statement {
        let (from, scope) = self.from(tape);
        let targets = self.targets(tape, &scope);
        let filter = self.filter(tape, &scope);
        let distinct = if tape.once_in(5) { "distinct " } else { "" };
        let text = format!("select {distinct}{} from {from}{filter}", targets.join(", "));
        sorted(tape, text, targets.len())
    }

    fn grouped(&self, tape: &mut Tape<'_>) -> Statement {
        let (from, scope) = self.from(tape);
        let keys: Vec<String> = (0..tape.below(3)).map(|_| tape.pick(&scope.columns).text.clone()).collect();
        let mut targets: Vec<String> =
            keys.iter().enumerate().map(|(i, key)| format!("{key} as k{i}")).collect();
        for index in 0..1 + tape.below(3) {
            let aggregate = self.aggregate(tape, &scope);
            targets.push(format!("{aggregate} as g{index}"));
        }
        let filter = self.filter(tape, &scope);
        let list = keys.join(", ");
        let group = match tape.below(6) {
            _ if keys.is_empty() => String::new(),
            4 => format!(" group by rollup ({list})"),
            5 => format!(" group by grouping sets (({list}), ({}), ())", keys[0]),
            _ => format!(" group by {list}"),
        };
        let having = match tape.below(5) {
            4 => format!(" having {} > {}", self.counted(tape, &scope), tape.below(3)),
            _ => String::new(),
        };
        let text = format!("select {} from {from}{filter}{group}{having}", targets.join(", "));
        sorted(tape, text, targets.len())
    }

    fn counted(&self, tape: &mut Tape<'_>, scope: &Scope) -> String {
        let ty = *tape.pick(ALL);
        tape.word(&["count(*)", "count(#)", "count(distinct #)"]).replace('#', &scope.expr(tape, ty, 1))
    }

    fn aggregate(&self, tape: &mut Tape<'_>, scope: &Scope) -> String {
        let (rule, types) = *tape.pick(AGGREGATES);
        let ty = *tape.pick(types);
        let argument = if ty == Ty::Json || rule.contains("distinct") {
            scope.expr(tape, ty, 0)
        } else {
            scope.expr(tape, ty, 2)
        };
        let aggregate = rule.replace('#', &argument);
        if tape.once_in(6) {
            format!("{aggregate} filter (where {})", scope.expr(tape, Ty::Bool, 1))
        } else {
            aggregate
        }
    }

    fn windowed(&self, tape: &mut Tape<'_>) -> Statement {
        let table = self.table(tape);
        let scope = Scope { columns: table.qualified("a"), tables: Vec::new() };
        let mut targets = vec!["a.id".to_owned()];
        for index in 0..1 + tape.below(2) {
            let partition = match tape.flip() {
                true => format!("partition by {} ", tape.pick(&scope.columns[1..]).text),
                false => String::new(),
            };
            let direction = tape.word(&["", " desc", " nulls first", " desc nulls last"]);
            let (rule, types, by) = *tape.pick(WINDOWS);
            let ty = *tape.pick(types);
            let argument = scope.expr(tape, ty, 1);
            let order = match by {
                // Equal rows may come in any order unless the key decides.
                By::Key => format!("order by {}{direction}, a.id", tape.pick(&sortable(&scope)).text),
                By::Peers => format!("order by {}{direction}", tape.pick(&sortable(&scope)).text),
                By::Nothing => String::new(),
            };
            let frame = match by {
                By::Key => tape.word(&[
                    "",
                    " rows between 1 preceding and current row",
                    " rows between unbounded preceding and 1 following",
                    " rows between current row and unbounded following",
                ]),
                _ => "",
            };
            let frame =
                if rule.starts_with("row_number") || rule.starts_with("la") || rule.starts_with("ntile") {
                    ""
                } else {
                    frame
                };
            targets.push(format!(
                "{} over ({partition}{order}{frame}) as w{index}",
                rule.replace('#', &argument)
            ));
        }
        let filter = self.filter(tape, &scope);
        let text = format!("select {} from {} a{filter}", targets.join(", "), table.name);
        sorted(tape, text, targets.len())
    }

    fn compound(&self, tape: &mut Tape<'_>) -> Statement {
        let types: Vec<Ty> = (0..1 + tape.below(2)).map(|_| *tape.pick(ALL)).collect();
        let mut text = String::new();
        for index in 0..2 + tape.below(2) {
            if index > 0 {
                text.push_str(tape.word(&[" union ", " union all ", " intersect ", " except "]));
            }
            let (from, scope) = self.from(tape);
            let targets: Vec<String> = types
                .iter()
                .enumerate()
                .map(|(i, ty)| format!("{} as x{i}", scope.expr(tape, *ty, 1)))
                .collect();
            text.push_str(&format!("select {} from {from}", targets.join(", ")));
        }
        sorted(tape, text, types.len())
    }

    fn distinct_on(&self, tape: &mut Tape<'_>) -> Statement {
        let table = self.table(tape);
        let scope = Scope { columns: table.qualified("a"), tables: Vec::new() };
        let key = tape.pick(&sortable(&scope)).text.clone();
        let ty = *tape.pick(ALL);
        let direction = tape.word(&["", " desc", " nulls first"]);
        let text = format!(
            "select distinct on ({key}) {key}, a.id, {} as x from {} a order by {key}{direction}, a.id desc",
            scope.expr(tape, ty, 2),
            table.name
        );
        Statement { text, ordered: true }
    }

    fn with(&self, tape: &mut Tape<'_>) -> Statement {
        let (from, scope) = self.from(tape);
        let ty = *tape.pick(ALL);
        let target = scope.expr(tape, ty, 2);
        let filter = self.filter(tape, &scope);
        let kept = tape.word(&["", "materialized ", "not materialized "]);
        let outer = Scope {
            columns: vec![
                Column { text: "w.v".to_owned(), ty },
                Column { text: "n.n".to_owned(), ty: Ty::Int },
            ],
            tables: self.asked(),
        };
        let result = outer.expr(tape, ty, 2);
        let text = format!(
            "with recursive w(v) as {kept}(select {target} from {from}{filter}), n(n) as (select 1 union all select n + 1 from n where n < {}) select {result} as x, n.n from w, n",
            1 + tape.below(3)
        );
        sorted(tape, text, 2)
    }

    /// Rows from arrays and documents.
    fn elements(&self, tape: &mut Tape<'_>) -> Statement {
        let (table, other) = (self.table(tape), self.table(tape));
        let scope = Scope { columns: table.qualified("a"), tables: Vec::new() };
        let (rule, width) = *tape.pick(&[
            ("select a.id, x from # a, unnest(<a>) as x", 2),
            ("select a.id, x, n from # a, unnest(<x>) with ordinality as u(x, n)", 3),
            ("select a.id, g from # a, generate_series(1, 3) as g where <b>", 2),
            ("select a.id, e.key, e.value from # a, jsonb_each(jsonb_build_object('k', <i>, 't', <t>)) as e", 3),
            ("select a.id, x from # a, jsonb_array_elements(jsonb_build_array(<i>, <j>, <t>)) as x", 2),
            ("select a.id, x from # a left join lateral unnest(<x>) as x on true", 2),
            ("select a.id, x from # a, regexp_split_to_table(<t>, '[ab]') as x", 2),
            ("select a.id, x from # a, string_to_table(<t>, ' ') as x", 2),
            ("select g::date as g, count(a.id) from generate_series('2024-01-01'::timestamp, '2024-01-03', '1 day') as g left join # a on <b> group by g", 2),
            ("select a.id, unnest(<a>) as x from # a", 2),
            ("select a.id, b::text, to_jsonb(b) as j from # a left join @ b on a.id = b.id and <b>", 3),
            ("select row_to_json(a)::text as k, row_to_json(b)::text as j from # a full join @ b on a.id = b.id + 1", 2),
            ("select a.id, count(b) as n, count(*) as m, json_agg(b order by b.id)::text as j from # a left join @ b on a.id < b.id and <b> group by a.id", 4),
            ("select b.id, count(a) as n, jsonb_agg(a order by a.id) as j from # a right join @ b on b.id = a.id + 1 group by b.id", 3),
            ("select a.id, array_agg(b order by b.id)::text as x, (array_agg(b order by b.id desc))[1] is null as y from # a left join @ b on a.id >= b.id group by a.id", 3),
            ("select a.id, array(select b from @ b where b.id < a.id order by b.id)::text as x from # a", 2),
            ("select a.id, array[row(<i>, <t>), row(a.id, <t>)]::text as x from # a", 2),
            ("select a.id, x.id as k, x::text as y from # a, unnest(array(select b from @ b order by b.id)) as x where <b>", 3),
            ("select a.id, a = b as x, b is null as y, b is not null as z from # a left join # b on a.id = b.id - 1", 4),
            ("select v.a, v.b from (values (<i>, <t>), (1, 'a')) as v(a, b), # a", 2),
            ("select a.id, x from # a, jsonb_object_keys(jsonb_build_object('k', <i>, 't', <t>)) as x", 2),
            ("select a.id, x from # a, jsonb_array_elements_text(jsonb_build_array(<n>, <b>, <t>)) as x", 2),
            ("select r.k, r.n from # a, jsonb_to_recordset('[{\"k\": \"a\", \"n\": 1}, {\"k\": \"b\"}]'::jsonb) as r(k text, n int) where <b>", 2),
            ("select a.id, m[1] from # a, regexp_matches(<t>, '[a-c]', 'g') as m", 2),
        ]);
        let text = scope.fill(tape, &rule.replace('#', &table.name).replace('@', &other.name), 2);
        sorted(tape, text, width)
    }

    pub(super) fn insert(&self, tape: &mut Tape<'_>) -> String {
        let table = self.table(tape);
        let (mut names, mut rows) = (Vec::new(), vec![Vec::new(); 1 + tape.below(2)]);
        for column in &table.columns[..table.plain] {
            if tape.once_in(5) || (column.text == "id" && table.numbered && tape.flip()) {
                continue;
            }
            names.push(column.text.clone());
            for row in &mut rows {
                row.push(match tape.below(8) {
                    0 if column.text == "id" => (20 + tape.below(40)).to_string(),
                    7 => "default".to_owned(),
                    6 => "null".to_owned(),
                    5 => Scope { columns: Vec::new(), tables: Vec::new() }.expr(tape, column.ty, 1),
                    _ if column.text == "id" => (20 + tape.below(40)).to_string(),
                    _ if column.text == "up" => (1 + tape.below(4)).to_string(),
                    _ => column.ty.value(tape),
                });
            }
        }
        if names.is_empty() {
            return format!("insert into {} default values returning id", table.name);
        }
        let rows: Vec<String> = rows.iter().map(|row| format!("({})", row.join(", "))).collect();
        let returning = self.returning(tape, table);
        format!("insert into {} ({}) values {}{returning}", table.name, names.join(", "), rows.join(", "))
    }

    fn returning(&self, tape: &mut Tape<'_>, table: &Table) -> String {
        let ty = *tape.pick(ALL);
        let scope = Scope { columns: table.columns.clone(), tables: Vec::new() };
        match tape.below(3) {
            0 => " returning *".to_owned(),
            1 => format!(" returning id, {} as x", scope.expr(tape, ty, 2)),
            _ => String::new(),
        }
    }

    pub(super) fn update(&self, tape: &mut Tape<'_>) -> String {
        let table = self.table(tape);
        let scope = Scope { columns: table.columns.clone(), tables: Vec::new() };
        let mut set = Vec::new();
        for column in table.columns[1..table.plain].iter().filter(|column| column.text != "up") {
            if tape.flip() && set.len() < 2 {
                continue;
            }
            let value = match tape.below(6) {
                0 => "default".to_owned(),
                1 => column.ty.value(tape),
                2 => "null".to_owned(),
                _ => scope.expr(tape, column.ty, 2),
            };
            set.push(format!("{} = {value}", column.text));
        }
        if set.is_empty() {
            set.push(format!("{0} = {0}", table.columns[1].text));
        }
        let test = match tape.flip() {
            true => format!("id = {}", 1 + tape.below(6)),
            false => scope.expr(tape, Ty::Bool, 2),
        };
        format!("update {} set {} where {test}{}", table.name, set.join(", "), self.returning(tape, table))
    }

    pub(super) fn delete(&self, tape: &mut Tape<'_>) -> String {
        let table = self.table(tape);
        let scope = Scope { columns: table.columns.clone(), tables: Vec::new() };
        let test = match tape.below(3) {
            0 => format!("id = {}", 1 + tape.below(6)),
            1 => format!("id % 4 = 1 and {}", scope.expr(tape, Ty::Bool, 2)),
            _ => format!("id > 30 and {}", scope.expr(tape, Ty::Bool, 1)),
        };
        format!("delete from {} where {test}{}", table.name, self.returning(tape, table))
    }

    fn upsert(&self, tape: &mut Tape<'_>) -> String {
        let table = self.table(tape);
        let column = &table.columns[1 + tape.below(table.plain - 1)];
        let target = match &table.unique {
            Some(unique) if tape.flip() => unique.clone(),
            _ => "id".to_owned(),
        };
        let value = if column.text == "up" { "null".to_owned() } else { column.ty.value(tape) };
        let rows: Vec<String> =
            (0..1 + tape.below(2)).map(|_| format!("({}, {value})", 1 + tape.below(8))).collect();
        let name = &column.text;
        let action = match tape.below(4) {
            0 => "nothing".to_owned(),
            1 => format!("update set {name} = excluded.{name}"),
            2 => format!("update set {name} = coalesce({}.{name}, excluded.{name})", table.name),
            _ => format!("update set {name} = default where {}.id > 2", table.name),
        };
        format!(
            "insert into {} (id, {name}) values {} on conflict ({target}) do {action}{}",
            table.name,
            rows.join(", "),
            tape.word(&["", " returning id", " returning *"])
        )
    }

    fn definition(&self, tape: &mut Tape<'_>) -> String {
        let table = self.table(tape);
        let column = &table.columns[tape.below(table.plain)].text;
        let ty = *tape.pick(ALL);
        let scope = Scope { columns: table.columns.clone(), tables: Vec::new() };
        let name = &table.name;
        let number = tape.below(1000);
        match tape.below(9) {
            0 => format!("create unique index u{number} on {name} ({column})"),
            1 => format!("create index i{number} on {name} ({column})"),
            2 => format!("alter table {name} alter column {column} set not null"),
            3 => format!(
                "alter table {name} add constraint k{number} check ({})",
                scope.expr(tape, Ty::Bool, 1)
            ),
            4 => format!("create view v{number} as select {} as x from {name}", scope.expr(tape, ty, 2)),
            5 => format!("alter table {name} add column n{number} {} default {}", ty.name(), ty.value(tape)),
            6 => {
                let column = &table.columns[tape.below(table.plain)];
                let value = column.ty.value(tape);
                format!("alter table {name} alter column {} set default {value}", column.text)
            }
            7 => format!("create table s{number} as select {} as x from {name}", scope.expr(tape, ty, 2)),
            _ => format!("alter table {name} alter column {column} type {}", ty.name()),
        }
    }

    /// Statements that both refuse.
    fn mistake(&self, tape: &mut Tape<'_>) -> String {
        let table = self.table(tape);
        let column = &tape.pick(&table.columns).text;
        let ty = *tape.pick(ALL);
        let scope = Scope { columns: table.columns.clone(), tables: Vec::new() };
        let name = &table.name;
        match tape.below(16) {
            0 => format!("select 'x{}'::{} as a", tape.below(9), ty.name()),
            1 => format!("select {column}::{} as x from {name} order by id", ty.name()),
            2 => format!("select nope from {name}"),
            3 => format!("select {column} from no_such_table"),
            4 => format!("select {column} from {name} where count(*) > 1"),
            5 => format!("select {column}, count(*) from {name}"),
            6 => format!("select upper({column}) as x from {name} order by id"),
            7 => format!("select {column} + 1 as x from {name} where id = 1"),
            8 => format!("select {column} = {} as x from {name} order by id", ty.literal(tape)),
            9 => format!("select {column} || {} as x from {name} order by id", ty.literal(tape)),
            10 => format!("select sum({column}) as x from {name}"),
            11 => format!("select {column} - {column} as x from {name} where id = 1"),
            12 => format!("insert into {name} ({column}) values ({})", ty.literal(tape)),
            13 => format!(
                "select case when true then {column} else {} end as x from {name} order by id",
                ty.literal(tape)
            ),
            14 => format!("select {column} as x from {name} a, {name} b"),
            _ => format!("update {name} set {column} = {} where id = 1", scope.expr(tape, ty, 1)),
        }
    }
}

/// Sorted by all of its columns, if at all: then equal rows are identical.
pub(super) fn sorted(tape: &mut Tape<'_>, text: String, width: usize) -> Statement {
    if tape.flip() {
        return Statement { text, ordered: false };
    }
    let keys: Vec<String> = (1..=width)
        .map(|number| format!("{number}{}", tape.word(&["", " desc", " nulls first", " desc nulls last"])))
        .collect();
    let limit = tape.word(&["", "", " limit 2", " limit 3 offset 1", " offset 2"]);
    Statement { text: format!("{text} order by {}{limit}", keys.join(", ")), ordered: true }
}

pub(super) fn unordered(text: String) -> Statement {
    Statement { text, ordered: false }
}

pub(super) fn ordered(text: String) -> Statement {
    Statement { text, ordered: true }
}

fn sortable(scope: &Scope) -> Vec<Column> {
    scope.columns.clone()
}

#[derive(Clone, Copy)]
enum By {
    Key,
    Peers,
    Nothing,
}

const NUMBERS: &[Ty] = &[Ty::Int, Ty::Num, Ty::Big, Ty::Float, Ty::Span];

const AGGREGATES: &[(&str, &[Ty])] = &[
    ("count(*)", &[Ty::Int]),
    ("count(#)", ALL),
    ("count(distinct #)", ALL),
    ("sum(#)", NUMBERS),
    ("avg(#)", NUMBERS),
    (
        "min(#)",
        &[
            Ty::Int,
            Ty::Text,
            Ty::Num,
            Ty::Big,
            Ty::Float,
            Ty::Date,
            Ty::Stamp,
            Ty::Instant,
            Ty::Span,
            Ty::Ints,
            Ty::Texts,
            Ty::Mood,
            Ty::Time,
        ],
    ),
    (
        "max(#)",
        &[
            Ty::Int,
            Ty::Text,
            Ty::Num,
            Ty::Big,
            Ty::Float,
            Ty::Date,
            Ty::Stamp,
            Ty::Instant,
            Ty::Span,
            Ty::Ints,
            Ty::Texts,
            Ty::Mood,
            Ty::Time,
        ],
    ),
    ("bool_and(#)", &[Ty::Bool]),
    ("bool_or(#)", &[Ty::Bool]),
    ("string_agg(#, ',' order by #)", &[Ty::Text]),
    ("string_agg(distinct #, '|')", &[Ty::Text]),
    ("array_agg(distinct #)", &[Ty::Int, Ty::Text, Ty::Num, Ty::Date, Ty::Mood]),
    ("sum(distinct #)", &[Ty::Int, Ty::Num]),
    ("(array_agg(# order by #))[1]", &[Ty::Int, Ty::Text, Ty::Num, Ty::Date, Ty::Stamp, Ty::Mood, Ty::Bool]),
    ("array_agg(# order by # desc nulls last)", &[Ty::Int, Ty::Text, Ty::Num, Ty::Date, Ty::Mood, Ty::Span]),
    (
        "jsonb_agg(# order by #)",
        &[Ty::Int, Ty::Text, Ty::Num, Ty::Date, Ty::Stamp, Ty::Bool, Ty::Ints, Ty::Float],
    ),
    ("jsonb_object_agg(a.id, # order by #)", &[Ty::Int, Ty::Text, Ty::Num]),
    ("percentile_cont(0.5) within group (order by #)", &[Ty::Float, Ty::Int]),
    ("percentile_disc(0.5) within group (order by #)", &[Ty::Int, Ty::Text, Ty::Num, Ty::Date]),
    ("mode() within group (order by #)", &[Ty::Bool]),
    ("stddev(#)", &[Ty::Int]),
    ("var_pop(#)", &[Ty::Num]),
    ("bit_or(#)", &[Ty::Int]),
    ("range_agg(#)::text", &[Ty::Range, Ty::Days]),
    ("range_intersect_agg(#)", &[Ty::Range, Ty::Days]),
    ("string_agg(#, '-'::bytea order by #)", &[Ty::Bytes]),
    ("array_agg(# order by #)::text", &[Ty::Pair, Ty::Range, Ty::Time, Ty::Bytes]),
];

const WINDOWS: &[(&str, &[Ty], By)] = &[
    ("row_number()", ALL, By::Key),
    ("rank()", ALL, By::Peers),
    ("dense_rank()", ALL, By::Peers),
    ("lag(#)", ALL, By::Key),
    ("lead(#, 2)", ALL, By::Key),
    ("lag(#, 1, #)", &[Ty::Int, Ty::Text, Ty::Num, Ty::Date], By::Key),
    ("first_value(#)", ALL, By::Key),
    ("last_value(#)", ALL, By::Key),
    ("nth_value(#, 2)", ALL, By::Key),
    ("ntile(3)", ALL, By::Key),
    ("sum(#)", NUMBERS, By::Key),
    ("sum(#)", NUMBERS, By::Peers),
    ("count(#)", ALL, By::Peers),
    ("count(*)", ALL, By::Nothing),
    ("avg(#)", NUMBERS, By::Nothing),
    ("max(#)", &[Ty::Int, Ty::Text, Ty::Num, Ty::Date, Ty::Span, Ty::Mood], By::Peers),
    ("min(#)", &[Ty::Int, Ty::Text, Ty::Num, Ty::Stamp], By::Nothing),
    ("array_agg(#)", &[Ty::Int, Ty::Text], By::Key),
    ("string_agg(#, ',')", &[Ty::Text], By::Key),
    ("percent_rank()", ALL, By::Peers),
    ("cume_dist()", ALL, By::Peers),
];
