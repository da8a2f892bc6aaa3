//! Functions, operators and aggregates of ranges and multiranges.
//!
//! Their rows are templates over two functions, registered with SQLite once: `pg_range` with the type of a value's bounds, the name
//! of what it computes, and the operands; and `pg_range_of`, which makes a range of its bounds.

use rusqlite::Connection;
use rusqlite::functions::Context;
use rusqlite::types::{Value, ValueRef};

use super::through_sqlite;
use super::{Accumulator, Arguments, Function};
use crate::pure;
use crate::state::Shared;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::range::{self, End, Point, Range};

const B: Type = Type::BOOL;
const T: Type = Type::TEXT;

macro_rules! rows {
    ($id:literal, $range:ident, $multi:ident, $bound:ident, $name:literal, $multiname:literal) => {{
        const R: Type = Type::$range;
        const M: Type = Type::$multi;
        const E: Type = Type::$bound;
        const fn both(name: &'static str, arguments: &'static [Type], text: &'static str) -> Function {
            Function::template(name, arguments, B, text)
        }
        &[
            Function::template($name, &[E, E], R, concat!("pg_range_of(", $id, ",{0},{1},'[)')")).nullable(),
            Function::template($name, &[E, E, T], R, concat!("pg_range_of(", $id, ",{0},{1},{2})"))
                .nullable(),
            Function::rust($multiname, &[R], M, |a| joined(E, a)).variadic(),
            Function::template("multirange", &[R], M, concat!("pg_range(", $id, ",'multirange',{0})")),
            Function::template("lower", &[R], E, concat!("pg_range(", $id, ",'lower',{0})")),
            Function::template("lower", &[M], E, concat!("pg_range(", $id, ",'lower',{0})")),
            Function::template("upper", &[R], E, concat!("pg_range(", $id, ",'upper',{0})")),
            Function::template("upper", &[M], E, concat!("pg_range(", $id, ",'upper',{0})")),
            both("isempty", &[R], concat!("pg_range(", $id, ",'isempty',{0})")),
            both("isempty", &[M], concat!("pg_range(", $id, ",'isempty',{0})")),
            both("lower_inc", &[R], concat!("pg_range(", $id, ",'lower_inc',{0})")),
            both("lower_inc", &[M], concat!("pg_range(", $id, ",'lower_inc',{0})")),
            both("upper_inc", &[R], concat!("pg_range(", $id, ",'upper_inc',{0})")),
            both("upper_inc", &[M], concat!("pg_range(", $id, ",'upper_inc',{0})")),
            both("lower_inf", &[R], concat!("pg_range(", $id, ",'lower_inf',{0})")),
            both("lower_inf", &[M], concat!("pg_range(", $id, ",'lower_inf',{0})")),
            both("upper_inf", &[R], concat!("pg_range(", $id, ",'upper_inf',{0})")),
            both("upper_inf", &[M], concat!("pg_range(", $id, ",'upper_inf',{0})")),
            Function::template("range_merge", &[R, R], R, concat!("pg_range(", $id, ",'merge',{0},{1})")),
            Function::template("range_merge", &[M], R, concat!("pg_range(", $id, ",'merge',{0})")),
            both("@>", &[R, R], concat!("pg_range(", $id, ",'contains',{0},{1})")),
            both("@>", &[R, M], concat!("pg_range(", $id, ",'contains',{0},{1})")),
            both("@>", &[M, R], concat!("pg_range(", $id, ",'contains',{0},{1})")),
            both("@>", &[M, M], concat!("pg_range(", $id, ",'contains',{0},{1})")),
            both("@>", &[R, E], concat!("pg_range(", $id, ",'has',{0},{1})")),
            both("@>", &[M, E], concat!("pg_range(", $id, ",'has',{0},{1})")),
            both("<@", &[R, R], concat!("pg_range(", $id, ",'contains',{1},{0})")),
            both("<@", &[R, M], concat!("pg_range(", $id, ",'contains',{1},{0})")),
            both("<@", &[M, R], concat!("pg_range(", $id, ",'contains',{1},{0})")),
            both("<@", &[M, M], concat!("pg_range(", $id, ",'contains',{1},{0})")),
            both("<@", &[E, R], concat!("pg_range(", $id, ",'has',{1},{0})")),
            both("<@", &[E, M], concat!("pg_range(", $id, ",'has',{1},{0})")),
            both("&&", &[R, R], concat!("pg_range(", $id, ",'overlaps',{0},{1})")),
            both("&&", &[R, M], concat!("pg_range(", $id, ",'overlaps',{0},{1})")),
            both("&&", &[M, R], concat!("pg_range(", $id, ",'overlaps',{0},{1})")),
            both("&&", &[M, M], concat!("pg_range(", $id, ",'overlaps',{0},{1})")),
            both("<<", &[R, R], concat!("pg_range(", $id, ",'before',{0},{1})")),
            both("<<", &[R, M], concat!("pg_range(", $id, ",'before',{0},{1})")),
            both("<<", &[M, R], concat!("pg_range(", $id, ",'before',{0},{1})")),
            both("<<", &[M, M], concat!("pg_range(", $id, ",'before',{0},{1})")),
            both(">>", &[R, R], concat!("pg_range(", $id, ",'before',{1},{0})")),
            both(">>", &[R, M], concat!("pg_range(", $id, ",'before',{1},{0})")),
            both(">>", &[M, R], concat!("pg_range(", $id, ",'before',{1},{0})")),
            both(">>", &[M, M], concat!("pg_range(", $id, ",'before',{1},{0})")),
            both("&<", &[R, R], concat!("pg_range(", $id, ",'not_after',{0},{1})")),
            both("&<", &[R, M], concat!("pg_range(", $id, ",'not_after',{0},{1})")),
            both("&<", &[M, R], concat!("pg_range(", $id, ",'not_after',{0},{1})")),
            both("&<", &[M, M], concat!("pg_range(", $id, ",'not_after',{0},{1})")),
            both("&>", &[R, R], concat!("pg_range(", $id, ",'not_before',{0},{1})")),
            both("&>", &[R, M], concat!("pg_range(", $id, ",'not_before',{0},{1})")),
            both("&>", &[M, R], concat!("pg_range(", $id, ",'not_before',{0},{1})")),
            both("&>", &[M, M], concat!("pg_range(", $id, ",'not_before',{0},{1})")),
            both("-|-", &[R, R], concat!("pg_range(", $id, ",'adjacent',{0},{1})")),
            both("-|-", &[R, M], concat!("pg_range(", $id, ",'adjacent',{0},{1})")),
            both("-|-", &[M, R], concat!("pg_range(", $id, ",'adjacent',{0},{1})")),
            both("-|-", &[M, M], concat!("pg_range(", $id, ",'adjacent',{0},{1})")),
            Function::template("+", &[R, R], R, concat!("pg_range(", $id, ",'union',{0},{1})")),
            Function::template("*", &[R, R], R, concat!("pg_range(", $id, ",'intersection',{0},{1})")),
            Function::template("-", &[R, R], R, concat!("pg_range(", $id, ",'difference',{0},{1})")),
            Function::template("+", &[M, M], M, concat!("pg_range(", $id, ",'all_union',{0},{1})")),
            Function::template("*", &[M, M], M, concat!("pg_range(", $id, ",'all_intersection',{0},{1})")),
            Function::template("-", &[M, M], M, concat!("pg_range(", $id, ",'all_difference',{0},{1})")),
            Function::set("unnest", &[M], R, &[], |a| Ok(items(E, a.text(0)))),
            Function::aggregate("range_agg", &[R], M, || {
                Box::new(Union { bound: E, ranges: Vec::new(), any: false })
            }),
            Function::aggregate("range_agg", &[M], M, || {
                Box::new(Union { bound: E, ranges: Vec::new(), any: false })
            }),
            Function::aggregate("range_intersect_agg", &[R], R, || {
                Box::new(Common { bound: E, multiple: false, ranges: None })
            }),
            Function::aggregate("range_intersect_agg", &[M], M, || {
                Box::new(Common { bound: E, multiple: true, ranges: None })
            }),
        ]
    }};
}

pub(super) static INTEGERS: &[Function] =
    rows!("23", INT4RANGE, INT4MULTIRANGE, INT4, "int4range", "int4multirange");
pub(super) static BIGINTS: &[Function] =
    rows!("20", INT8RANGE, INT8MULTIRANGE, INT8, "int8range", "int8multirange");
pub(super) static NUMBERS: &[Function] =
    rows!("1700", NUMRANGE, NUMMULTIRANGE, NUMERIC, "numrange", "nummultirange");
pub(super) static DAYS: &[Function] =
    rows!("1082", DATERANGE, DATEMULTIRANGE, DATE, "daterange", "datemultirange");
pub(super) static TIMES: &[Function] =
    rows!("1114", TSRANGE, TSMULTIRANGE, TIMESTAMP, "tsrange", "tsmultirange");
pub(super) static INSTANTS: &[Function] =
    rows!("1184", TSTZRANGE, TSTZMULTIRANGE, TIMESTAMPTZ, "tstzrange", "tstzmultirange");

pub(super) static OWN_CLOCKS: &[Function] =
    rows!("1083", RANGE_OF_TIME, RANGES_OF_TIME, TIME, "range of time", "ranges of time");
pub(super) static OWN_FLOATS: &[Function] =
    rows!("701", RANGE_OF_FLOAT8, RANGES_OF_FLOAT8, FLOAT8, "range of float8", "ranges of float8");
pub(super) static OWN_TEXTS: &[Function] =
    rows!("25", RANGE_OF_TEXT, RANGES_OF_TEXT, TEXT, "range of text", "ranges of text");
pub(super) static OWN_NUMBERS: &[Function] =
    rows!("1700", RANGE_OF_NUMERIC, RANGES_OF_NUMERIC, NUMERIC, "range of numeric", "ranges of numeric");
pub(super) static OWN_TIMES: &[Function] = rows!(
    "1114",
    RANGE_OF_TIMESTAMP,
    RANGES_OF_TIMESTAMP,
    TIMESTAMP,
    "range of timestamp",
    "ranges of timestamp"
);
pub(super) static OWN_INSTANTS: &[Function] = rows!(
    "1184",
    RANGE_OF_TIMESTAMPTZ,
    RANGES_OF_TIMESTAMPTZ,
    TIMESTAMPTZ,
    "range of timestamptz",
    "ranges of timestamptz"
);

/// Whether a row is for what stands under ranges that users create.
pub fn is_for_own(function: &Function) -> bool {
    function.returns.is_under_ranges() || function.arguments.iter().any(|type_| type_.is_under_ranges())
}

/// Registers the functions behind the templates.
pub(crate) fn register(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    let budget = shared.budget.clone();
    pure(connection, shared, "pg_range", move |context| {
        let operands = 2..context.len();
        if operands.clone().any(|index| context.get_raw(index) == ValueRef::Null) {
            return Ok(Value::Null);
        }
        // Each range of one operand may be compared with each of the other.
        let sizes = || operands.clone().map(|index| super::size(context.get_raw(index)));
        let pairs = sizes().fold(1_usize, usize::saturating_mul);
        budget.work(sizes().sum::<usize>().saturating_add(pairs / 64)).map_err(through_sqlite)?;
        computed(context).map_err(through_sqlite)
    })?;
    pure(connection, shared, "pg_range_of", |context| made(context).map(Value::Text).map_err(through_sqlite))
}

fn bound_of(context: &Context<'_>) -> Type {
    let number = context.get_raw(0).as_i64().ok();
    number.and_then(|number| u32::try_from(number).ok()).map_or(Type::INT4, Type)
}

fn text<'c>(context: &'c Context<'_>, index: usize) -> &'c str {
    if index < context.len() { context.get_raw(index).as_str().unwrap_or("") } else { "" }
}

/// A range of its bounds and flags such as `[)`.
fn made(context: &Context<'_>) -> Result<String> {
    let bound = bound_of(context);
    if context.get_raw(3) == ValueRef::Null {
        let message = "range constructor flags argument must not be null";
        return Err(SqlError::new(SqlState::new("22000"), message));
    }
    let (lower_inclusive, upper_inclusive) = match text(context, 3) {
        "[]" => (true, true),
        "[)" => (true, false),
        "(]" => (false, true),
        "()" => (false, false),
        _ => {
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "invalid range bound flags")
                .hint("Valid values are \"[]\", \"[)\", \"(]\", and \"()\"."));
        }
    };
    let lower = End { point: Point::of(bound, context.get_raw(1)), inclusive: lower_inclusive };
    let upper = End { point: Point::of(bound, context.get_raw(2)), inclusive: upper_inclusive };
    Ok(range::print(bound, &range::canonical(bound, lower, upper)?))
}

fn computed(context: &Context<'_>) -> Result<Value> {
    let bound = bound_of(context);
    let read = |index: usize| -> Vec<Range> {
        let ranges = range::stored(bound, text(context, index));
        ranges.into_iter().filter(Option::is_some).collect()
    };
    let truth = |value: bool| Ok(Value::Integer(value.into()));
    let one = |range: &Range| Ok(Value::Text(range::print(bound, range)));
    let all = |ranges: &[Range]| Ok(Value::Text(range::print_all(bound, ranges)));
    let left = read(2);
    let ends =
        || left.first().and_then(|first| first.as_ref()).zip(left.last().and_then(|last| last.as_ref()));
    let (lower, upper) = match ends() {
        Some(((lower, _), (_, upper))) => (Some(lower), Some(upper)),
        None => (None, None),
    };
    let point =
        |end: Option<&End>| Ok(end.and_then(|end| end.point.as_ref()).map_or(Value::Null, Point::value));
    // Whether an end is there and passes a test.
    let tested = |end: Option<&End>, test: fn(&End) -> bool| truth(end.is_some_and(test));
    match text(context, 1) {
        "multirange" => {
            let ranges = (2..context.len()).flat_map(read).collect();
            all(&range::union(ranges))
        }
        "lower" => point(lower),
        "upper" => point(upper),
        "isempty" => truth(left.is_empty()),
        "lower_inc" => tested(lower, |end| end.inclusive),
        "upper_inc" => tested(upper, |end| end.inclusive),
        "lower_inf" => tested(lower, |end| end.point.is_none()),
        "upper_inf" => tested(upper, |end| end.point.is_none()),
        "merge" => {
            let right = if context.len() > 3 { read(3) } else { Vec::new() };
            let merged = left.iter().chain(&right).fold(None, |merged, range| range::merge(&merged, range));
            one(&merged)
        }
        "has" => {
            let point = End { point: Point::of(bound, context.get_raw(3)), inclusive: true };
            truth(range::contains(&left, &Some((point.clone(), point))))
        }
        operation => between(bound, operation, &left, &read(3)),
    }
}

/// An operation on two values, each of any number of ranges.
fn between(bound: Type, operation: &str, left: &[Range], right: &[Range]) -> Result<Value> {
    let truth = |value: bool| Ok(Value::Integer(value.into()));
    let ends = |ranges: &[Range]| {
        let first = ranges.first().and_then(Option::as_ref)?.0.clone();
        Some((first, ranges.last().and_then(Option::as_ref)?.1.clone()))
    };
    let spans = ends(left).zip(ends(right));
    // Nothing is before, behind or next to the empty range.
    let compared = |test: fn(&(End, End), &(End, End)) -> bool| {
        truth(spans.as_ref().is_some_and(|(left, right)| test(left, right)))
    };
    match operation {
        "contains" => truth(right.iter().all(|inner| range::contains(left, inner))),
        "overlaps" => truth(left.iter().any(|a| right.iter().any(|b| range::overlaps(a, b)))),
        "before" => compared(|left, right| range::compare_ends((&left.1, true), (&right.0, false)).is_le()),
        "not_after" => compared(|left, right| range::compare_ends((&left.1, true), (&right.1, true)).is_le()),
        "not_before" => {
            compared(|left, right| range::compare_ends((&left.0, false), (&right.0, false)).is_ge())
        }
        "adjacent" => truth(spans.is_some_and(|(left, right)| range::adjacent(&Some(left), &Some(right)))),
        _ => combined(bound, operation, left, right),
    }
}

fn combined(bound: Type, operation: &str, left: &[Range], right: &[Range]) -> Result<Value> {
    let joined = match operation.strip_prefix("all_").unwrap_or(operation) {
        "union" => range::union([left, right].concat()),
        "intersection" => {
            let pairs = left.iter().flat_map(|a| right.iter().map(move |b| range::intersection(a, b)));
            range::union(pairs.collect())
        }
        _ => range::difference(left, right),
    };
    if operation.starts_with("all_") {
        return Ok(Value::Text(range::print_all(bound, &joined)));
    }
    match &joined[..] {
        [] => Ok(Value::Text("empty".to_owned())),
        [only] => Ok(Value::Text(range::print(bound, only))),
        _ => {
            let what = if operation == "union" { "union" } else { "difference" };
            let message = format!("result of range {what} would not be contiguous");
            Err(SqlError::new(SqlState::new("22000"), message))
        }
    }
}

/// The multirange of a call's ranges.
fn joined(bound: Type, a: &Arguments<'_, '_>) -> Result<Value> {
    let ranges = (0..a.len()).flat_map(|index| range::stored(bound, a.text(index))).collect();
    Ok(Value::Text(range::print_all(bound, &range::union(ranges))))
}

/// The ranges of a multirange, as an array.
fn items(bound: Type, text: &str) -> Value {
    let ranges = range::stored(bound, text);
    sim_values::value::array::of(ranges.iter().map(|item| range::print(bound, item).into()).collect())
}

/// The union of a group's ranges.
struct Union {
    bound: Type,
    ranges: Vec<Range>,
    any: bool,
}

impl Accumulator for Union {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        a.budget().hold(128)?;
        self.any = true;
        self.ranges.extend(range::stored(self.bound, a.text(0)));
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        if !self.any {
            return Ok(Value::Null);
        }
        Ok(Value::Text(range::print_all(self.bound, &range::union(self.ranges.clone()))))
    }
}

/// What a group's ranges share.
struct Common {
    bound: Type,
    multiple: bool,
    ranges: Option<Vec<Range>>,
}

impl Accumulator for Common {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        let next = range::stored(self.bound, a.text(0));
        self.ranges = Some(match self.ranges.take() {
            None => range::union(next),
            Some(before) => {
                a.budget().work(before.len() * next.len())?;
                let pairs = before.iter().flat_map(|a| next.iter().map(move |b| range::intersection(a, b)));
                range::union(pairs.collect())
            }
        });
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        Ok(match &self.ranges {
            None => Value::Null,
            Some(ranges) if self.multiple => Value::Text(range::print_all(self.bound, ranges)),
            Some(ranges) => Value::Text(range::print(self.bound, ranges.first().unwrap_or(&None))),
        })
    }
}
