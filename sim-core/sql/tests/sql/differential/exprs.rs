//! Expressions of a given type over the columns in scope. None of them fails on values, so the order of
//! evaluating conditions does not matter; some contain a type error on purpose.

use super::tape::Tape;
use super::types::{ALL, Ty};

/// A column in scope.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) text: String,
    pub(super) ty: Ty,
}

/// The scope of expressions.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    pub(super) columns: Vec<Column>,
    /// A table for subqueries: its name and columns.
    pub(super) tables: Vec<(String, Vec<Column>)>,
}

pub(super) const DEPTH: usize = 3;

impl Scope {
    /// An expression of type `ty`.
    pub(super) fn expr(&self, tape: &mut Tape<'_>, ty: Ty, depth: usize) -> String {
        if tape.may_err && tape.once_in(60) {
            tape.may_err = false;
            return match tape.below(3) {
                0 => "no_such_column".to_owned(),
                1 => "no_such_function(1)".to_owned(),
                _ => {
                    let other = *tape.pick(ALL);
                    self.expr(tape, other, depth)
                }
            };
        }
        match tape.below(if depth == 0 { 4 } else { 10 }) {
            0 => ty.literal(tape),
            1..=3 => self.column(tape, ty),
            4 => self.chosen(tape, ty, depth - 1),
            _ => self.operation(tape, ty, depth - 1),
        }
    }

    fn column(&self, tape: &mut Tape<'_>, ty: Ty) -> String {
        let fitting: Vec<&Column> = self.columns.iter().filter(|column| column.ty == ty).collect();
        if fitting.is_empty() { ty.literal(tape) } else { tape.pick(&fitting).text.clone() }
    }

    /// Expressions for every type.
    fn chosen(&self, tape: &mut Tape<'_>, ty: Ty, depth: usize) -> String {
        let one = |tape: &mut Tape<'_>| self.expr(tape, ty, depth);
        match tape.below(5) {
            0 => format!("coalesce({}, {})", one(tape), one(tape)),
            1 => {
                let test = self.expr(tape, Ty::Bool, depth);
                format!("case when {test} then {} else {} end", one(tape), one(tape))
            }
            2 => format!("nullif({}, {})", one(tape), one(tape)),
            3 if ty != Ty::Json => {
                format!("{}({}, {})", tape.word(&["greatest", "least"]), one(tape), one(tape))
            }
            _ => {
                let test = self.expr(tape, Ty::Int, depth);
                format!("case {test} when 1 then {} when 2 then {} end", one(tape), one(tape))
            }
        }
    }

    fn operation(&self, tape: &mut Tape<'_>, ty: Ty, depth: usize) -> String {
        let rules = rules(ty);
        let rule = tape.word(rules);
        if ty == Ty::Bool && rule.is_empty() {
            return self.comparison(tape, depth);
        }
        self.fill(tape, rule, depth)
    }

    /// A rule with an expression for each `{…}`, which contains the first letters of a type.
    pub(super) fn fill(&self, tape: &mut Tape<'_>, rule: &str, depth: usize) -> String {
        let mut text = String::new();
        let mut rest = rule;
        while let Some((before, after)) = rest.split_once('<') {
            let Some((name, after)) = after.split_once('>') else { break };
            let Some(ty) = named(name) else {
                text.push_str(&format!("{before}<"));
                rest = rest.split_once('<').map_or("", |(_, after)| after);
                continue;
            };
            text.push_str(before);
            text.push_str(&self.expr(tape, ty, depth));
            rest = after;
        }
        text + rest
    }

    fn comparison(&self, tape: &mut Tape<'_>, depth: usize) -> String {
        let ty = *tape.pick(ALL);
        let one = |tape: &mut Tape<'_>| self.expr(tape, ty, depth);
        match tape.below(10) {
            0..=3 => {
                let operator = tape.word(&["=", "<>", "<", "<=", ">", ">="]);
                format!("({} {operator} {})", one(tape), one(tape))
            }
            4 => format!("({} {})", one(tape), tape.word(&["is null", "is not null"])),
            5 => format!("({} is {}distinct from {})", one(tape), tape.word(&["", "not "]), one(tape)),
            6 => format!(
                "({} {}in ({}, {}))",
                one(tape),
                tape.word(&["", "not "]),
                one(tape),
                ty.literal(tape)
            ),
            7 => {
                let not = tape.word(&["", "not ", "symmetric "]);
                let (not, symmetric) = if not == "symmetric " { ("", not) } else { (not, "") };
                format!("({} {not}between {symmetric}{} and {})", one(tape), one(tape), one(tape))
            }
            8 => self.asked(tape, ty, depth),
            _ => {
                let other = *tape.pick(ALL);
                let operator = tape.word(&["=", "<>", "<", ">="]);
                let (a, b) = (self.expr(tape, other, 0), self.expr(tape, other, 0));
                format!("(({}, {a}) {operator} ({}, {b}))", one(tape), one(tape))
            }
        }
    }

    /// A condition on another table.
    fn asked(&self, tape: &mut Tape<'_>, ty: Ty, depth: usize) -> String {
        if self.tables.is_empty() {
            return format!("({} is null)", self.expr(tape, ty, depth));
        }
        let (table, columns) = tape.pick(&self.tables);
        let inner: Vec<Column> = columns
            .iter()
            .map(|column| Column { text: format!("q.{}", column.text), ty: column.ty })
            .collect();
        let both = Scope { columns: [inner.clone(), self.columns.clone()].concat(), tables: Vec::new() };
        let inner = Scope { columns: inner, tables: Vec::new() };
        let test = both.expr(tape, Ty::Bool, depth);
        match tape.below(4) {
            0 => format!("exists (select 1 from {table} q where {test})"),
            1 => {
                let not = tape.word(&["", "not "]);
                let (tested, target) = (self.expr(tape, ty, depth), inner.expr(tape, ty, 0));
                format!("({tested} {not}in (select {target} from {table} q where {test}))")
            }
            2 => {
                let operator = tape.word(&["= any", "<> all", "< any", ">= all"]);
                let (tested, target) = (self.expr(tape, ty, depth), inner.expr(tape, ty, 0));
                format!("({tested} {operator} (select {target} from {table} q where {test}))")
            }
            _ => format!("((select count(*) from {table} q where {test}) > {})", tape.below(4)),
        }
    }
}

fn named(name: &str) -> Option<Ty> {
    Some(match name {
        "i" => Ty::Int,
        "t" => Ty::Text,
        "b" => Ty::Bool,
        "n" => Ty::Num,
        "l" => Ty::Big,
        "f" => Ty::Float,
        "d" => Ty::Date,
        "s" => Ty::Stamp,
        "z" => Ty::Instant,
        "v" => Ty::Span,
        "j" => Ty::Json,
        "a" => Ty::Ints,
        "x" => Ty::Texts,
        "m" => Ty::Mood,
        "u" => Ty::Uuid,
        _ => return None,
    })
}

/// Rules for values of a type: SQL with places for expressions of each type.
fn rules(ty: Ty) -> &'static [&'static str] {
    match ty {
        Ty::Int => &[
            "(<i> + 1)",
            "(<i> - 2)",
            "(<i> * 3)",
            "(<i> / 2)",
            "(<i> % 7)",
            "length(<t>)",
            "abs(<i>)",
            "(- <i>)",
            "(<d> - <d>)",
            "strpos(<t>, <t>)",
            "array_length(<a>, 1)",
            "cardinality(<x>)",
            "ascii(<t>)",
            "(<b>)::int",
            "mod(<i>, 7)",
            "(<a>)[1]",
            "char_length(<t>)",
            "(<i> & 6)",
            "(<i> | 8)",
            "(<i> # 3)",
            "((<i> & 15) << 2)",
            "(<i> >> 1)",
            "(~ <i>)",
            "extract(year from <d>)::int",
            "octet_length(<t>)",
            "round(<f>)::int",
            "(<n>)::int",
            "position('b' in <t>)",
            "array_position(<a>, <i>)",
            "extract(dow from <s>)::int",
            "extract(month from <s>)::int",
            "array_upper(<x>, 1)",
            "bit_length(<t>)",
            "sign(<i>)::int",
            "num_nulls(<i>, <t>, <b>)",
            "jsonb_array_length('[1, 2]'::jsonb)",
            "date_part('day', <s>)::int",
            "(<f>)::int",
            "length(<t> || <t>)",
        ],
        Ty::Big => &[
            "(<l> + 1)",
            "(<i>)::bigint",
            "(<l> - <i>)",
            "(<l> / 3)",
            "(<l> % 5)",
            "abs(<l>)",
            "(<i> + 3000000000)",
            "(<n>)::bigint",
            "length(<t>)::bigint",
        ],
        Ty::Num => &[
            "(<n> + <n>)",
            "(<n> - <n>)",
            "(<n> * 1.5)",
            "round(<n>, 2)",
            "(<n> / 4)",
            "trunc(<n>, 1)",
            "(<i>)::numeric",
            "abs(<n>)",
            "ceil(<n>)",
            "floor(<n>)",
            "(<f>)::numeric",
            "mod(<n>, 3)",
            "(<n>)::numeric(12,3)",
            "(<n> * <i>)",
            "round(<n>)",
            "extract(epoch from <v>)",
            "(<n> / 7.0)",
            "sign(<n>)",
            "(<i> / 2.0)",
            "div(<n>, 3)",
            "sqrt(abs(<n>))",
            "extract(second from <s>)",
            "(- <n>)",
            "(<l>)::numeric",
            "(<n> % 2)",
            "trim_scale(<n>)",
            "extract(epoch from <s>)",
            "power(<i>, 2)::numeric",
        ],
        Ty::Float => &[
            "(<f> + <f>)",
            "(<f> * 0.5)",
            "(<f> / 4)",
            "(<n>)::float8",
            "(<i>)::float8",
            "round(<f>)",
            "floor(<f>)",
            "ceil(<f>)",
            "abs(<f>)",
            "(<f> - <i>)",
            "trunc(<f>)",
            "sign(<f>)",
            "power(<i>, 2)",
            "(- <f>)",
            "(<f> + <n>)",
            "(<f> * <i>)",
            "(<n> - <f>)",
        ],
        Ty::Text => &[
            "(<t> || <t>)",
            "upper(<t>)",
            "lower(<t>)",
            "substr(<t>, 2, 3)",
            "left(<t>, <i>)",
            "right(<t>, 2)",
            "trim(<t>)",
            "ltrim(<t>, 'a ')",
            "replace(<t>, 'b', <t>)",
            "lpad(<t>, 6, '*')",
            "repeat(<t>, 2)",
            "reverse(<t>)",
            "initcap(<t>)",
            "split_part(<t>, ' ', 1)",
            "md5(<t>)",
            "concat(<t>, <i>, <b>)",
            "concat_ws('-', <t>, <d>, <t>)",
            "(<i>)::text",
            "(<n>)::text",
            "(<b>)::text",
            "(<d>)::text",
            "(<s>)::text",
            "(<v>)::text",
            "(<j>)::text",
            "(<m>)::text",
            "(<a>)::text",
            "(<x>)[2]",
            "array_to_string(<x>, ',', '?')",
            "(<j> ->> 'k')",
            "(<j> #>> '{a,b}')",
            "to_char(<d>, 'YYYY-MM-DD Day')",
            "to_char(<s>, 'HH24:MI:SS.MS')",
            "to_char(<n>, 'FM9990.00')",
            "to_char(<i>, '00000')",
            "format('%s-%L', <t>, <t>)",
            "quote_literal(<t>)",
            "quote_ident(<t>)",
            "translate(<t>, 'ab', 'xy')",
            "regexp_replace(<t>, '[a-c]+', 'Z', 'g')",
            "substring(<t> from 2 for 3)",
            "overlay(<t> placing 'Q' from 2 for 1)",
            "btrim(<t>, ' a')",
            "chr(65 + abs(<i> % 26))",
            "to_hex(abs(<i>))",
            "(<t>)::varchar(3)",
            "jsonb_typeof(<j>)",
            "(<z>)::text",
            "(<f>)::text",
            "(<u>)::text",
            "rpad(<t>, 5)",
            "substring(<t> from '[a-z]+')",
            "(<i> || <t>)",
            "(<t> || <i>)",
            "(<x>)::text",
            "(<l>)::text",
            "rtrim(<t>)",
            "jsonb_pretty(<j>)",
            "left(<t>, -1)",
            "pg_typeof(<n>)::text",
            "quote_nullable(<t>)",
            "to_char(<z>, 'Mon DD, YYYY HH12:MI AM')",
            "encode(convert_to(<t>, 'UTF8'), 'base64')",
            "encode(sha256(convert_to(<t>, 'UTF8')), 'hex')",
            "(<t>)::char(4)",
        ],
        Ty::Bool => &[
            "",
            "",
            "",
            "",
            "(<b> and <b>)",
            "(<b> or <b>)",
            "(not <b>)",
            "(<t> like '%b%')",
            "(<t> ilike 'A%')",
            "(<t> not like '_b%')",
            "(<t> ~ '^[a-h]')",
            "(<t> !~* 'B')",
            "(<j> ? 'k')",
            "(<j> @> '{\"a\": 1}')",
            "(<a> && <a>)",
            "(<a> @> array[2])",
            "(<b> is true)",
            "(<b> is not false)",
            "starts_with(<t>, 'a')",
            "(<i> = any (<a>))",
            "(<t> = any (array['a', <t>]))",
            "(<t> <> all (<x>))",
            "(<x> <@ array['a', 'b', 'c'])",
            "(<j> ?| array['k', 'n'])",
            "(<t> like any (array['a%', '%b']))",
            "(<t> similar to '(a|b)%')",
            "(<j> @> <j>)",
            "(<b> is unknown)",
            "(<n> > <i>)",
            "(<i> < <l>)",
            "(<f> = <i>)",
            "(<d> < <s>)",
            "(<n> = <f>)",
            "(<f> > <n>)",
            "(<i> >= <f>)",
            "(<s> <= <z>)",
            "(<x> && array[<t>])",
            "(<b> = <b>)",
            "(<j> <@ '{\"a\": 1, \"k\": 2}')",
            "isfinite(<d>)",
            "(<l> = <n>)",
            "(<x> = <x>)",
        ],
        Ty::Date => &[
            "(<d> + <i>)",
            "(<d> - 3)",
            "(<s>)::date",
            "date_trunc('month', <d>)::date",
            "make_date(2024, 1 + abs(<i> % 12), 5)",
            "(<d> + interval '1 month')::date",
            "to_date('2024-03-05', 'YYYY-MM-DD')",
            "(<z>)::date",
        ],
        Ty::Stamp => &[
            "(<s> + <v>)",
            "(<s> - <v>)",
            "date_trunc('hour', <s>)",
            "(<d>)::timestamp",
            "(<z> at time zone 'UTC')",
            "date_trunc('week', <s>)",
            "make_timestamp(2024, 2, 3, 4, 5, 6.5)",
            "(<d> + <v>)",
            "(<d> + time '10:30')",
            "date_trunc('quarter', <s>)",
            "(<z> at time zone 'America/New_York')",
        ],
        Ty::Instant => &[
            "(<s> at time zone 'UTC')",
            "(<z> + <v>)",
            "date_trunc('day', <z>)",
            "(<s>)::timestamptz",
            "(<s> at time zone 'Europe/Paris')",
            "(<z> - <v>)",
            "to_timestamp(<i>)",
        ],
        Ty::Span => &[
            "(<s> - <s>)",
            "(<v> + <v>)",
            "(<v> * 2)",
            "(- <v>)",
            "age(<s>, <s>)",
            "justify_days(<v>)",
            "make_interval(days => <i>)",
            "(<i> * interval '1 hour')",
            "justify_hours(<v>)",
            "justify_interval(<v>)",
            "(<v> / 2)",
            "(<z> - <z>)",
            "make_interval(hours => 2, mins => <i>)",
            "date_trunc('hour', <v>)",
            "(<v> * 1.5)",
            "(<v> - <v>)",
            "age(<d>, <d>)",
        ],
        Ty::Json => &[
            "(<j> -> 'a')",
            "(<j> -> 0)",
            "(<j> #> '{a,b}')",
            "(<j> || <j>)",
            "jsonb_build_object('k', <i>, 't', <t>)",
            "jsonb_build_array(<n>, <b>, <t>)",
            "to_jsonb(<i>)",
            "to_jsonb(<t>)",
            "to_jsonb(<a>)",
            "jsonb_strip_nulls(<j>)",
            "(jsonb_build_object('k', <t>, 'n', <f>) - 'k')",
            "jsonb_set(jsonb_build_object('k', <i>), '{k}', coalesce(<j>, 'null'))",
            "to_jsonb(<s>)",
            "to_jsonb(<n>)",
            "jsonb_build_object('d', <d>, 'x', <x>)",
            "to_jsonb(<b>)",
            "jsonb_extract_path(<j>, 'a')",
            "(<j> -> -1)",
            "to_jsonb(<v>)",
            "to_jsonb(<z>)",
            "jsonb_path_query_first(<j>, '$.a')",
            "jsonb_build_object('f', <f>, 'l', <l>)",
            "jsonb_insert('[0, 1]'::jsonb, '{1}', coalesce(<j>, '5'))",
        ],
        Ty::Ints => &[
            "array[<i>, 2]",
            "(<a> || <i>)",
            "(<a> || <a>)",
            "array_append(<a>, <i>)",
            "array_remove(<a>, <i>)",
            "array_prepend(<i>, <a>)",
            "(<a>)[1:2]",
            "array_replace(<a>, 2, <i>)",
            "array(select x * 2 from unnest(<a>) as x order by 1)",
            "array_cat(<a>, <a>)",
            "(<a>)[2:]",
        ],
        Ty::Texts => &[
            "array[<t>, 'z']",
            "string_to_array(<t>, ' ')",
            "(<x> || <x>)",
            "array_append(<x>, <t>)",
            "regexp_split_to_array(<t>, '[ab]')",
            "(<a>)::text[]",
            "array_remove(<x>, 'a')",
            "array(select upper(x) from unnest(<x>) as x order by 1)",
            "regexp_match(<t>, '([a-z])([a-z])')",
        ],
        Ty::Mood => &["'ok'::mood", "enum_first(<m>)", "enum_last(null::mood)"],
        Ty::Uuid => &["'33333333-3333-3333-3333-333333333333'::uuid"],
    }
}
