//! What a column is beside its value: an interval, whose value is only its count, or the state of an aggregate.

use std::cell::Cell;
use std::collections::BTreeMap;

use sqlparser::ast::{
    BinaryOperator, Expr, Function, FunctionArg, FunctionArguments, Query, Select, SelectItem, SetExpr,
    TableFactor, UnaryOperator, Value,
};

use super::Writer;
use super::applied::parsed;
use super::call::{expr_of, text_of};
use super::expr::{tuple, unit_named};
use super::inner_names::named;
use super::names::own_name;
use super::states::{Stage, stage_of};
use crate::refusal::Refusal;

/// How many expressions are looked at for a query's intervals. Names of names could have ever more.
const LOOKS_MAX: usize = 1_000_000;

/// What the count of an interval is called whose column is known.
pub(super) const COUNT: &str = "count_of_interval";

/// The names that led to the present expression.
#[derive(Clone, Copy, Default)]
struct Seen<'s> {
    name: &'s str,
    before: Option<&'s Seen<'s>>,
}

impl Seen<'_> {
    fn has(&self, name: &str) -> bool {
        self.name == name || self.before.is_some_and(|before| before.has(name))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The units of an interval, or of a tuple of them.
    Interval(Vec<&'static str>),
    /// The aggregate, by its name in lower case.
    State(String),
    /// An interval of one unit or another.
    Unclear,
}

/// The names that a SELECT gives, and the kinds of the columns of its tables, by name and by `table.name`.
#[derive(Default)]
pub(super) struct Names {
    pub(super) given: BTreeMap<String, Expr>,
    pub(super) columns: BTreeMap<String, Kind>,
    /// How many expressions were looked at.
    looks: Cell<usize>,
    /// Whether a column was read whose unit is not known.
    unclear: Cell<bool>,
}

/// A part of an interval: its count and its unit.
pub(super) type Part = (Expr, &'static str);

impl Writer {
    /// What the names of a SELECT mean.
    pub(super) fn names_of(&self, select: &Select) -> Names {
        let mut names = Names::default();
        let tables = select.from.iter().flat_map(|from| {
            std::iter::once(&from.relation).chain(from.joins.iter().map(|join| &join.relation))
        });
        for table in tables {
            let (own, kinds) = self.kinds_of_table(table);
            for (column, kind) in kinds {
                names.columns.insert(format!("{own}.{column}"), kind.clone());
                names.columns.entry(column).or_insert(kind);
            }
        }
        for item in &select.projection {
            if let SelectItem::ExprWithAlias { expr, alias } = item {
                names.given.insert(alias.value.clone(), expr.clone());
            }
        }
        names
    }

    fn kinds_of_table(&self, table: &TableFactor) -> (String, BTreeMap<String, Kind>) {
        match table {
            TableFactor::Table { name, alias, args: None, .. } => {
                let own = name.to_string().replace(['`', '"'], "");
                let kinds = self.read.borrow().kinds.get(&own).cloned().unwrap_or_default();
                (alias.as_ref().map_or(own, |alias| alias.name.value.clone()), kinds)
            }
            TableFactor::Derived { subquery, alias, .. } => {
                let own = alias.as_ref().map_or_else(String::new, |alias| alias.name.value.clone());
                (own, self.kinds_of(subquery))
            }
            _ => Default::default(),
        }
    }

    /// The kinds of a query's columns.
    pub(super) fn kinds_of(&self, query: &Query) -> BTreeMap<String, Kind> {
        self.kinds_of_body(&query.body)
    }

    fn kinds_of_body(&self, body: &SetExpr) -> BTreeMap<String, Kind> {
        let select = match body {
            SetExpr::Select(select) => select,
            SetExpr::Query(inner) => return self.kinds_of(inner),
            SetExpr::SetOperation { left, right, .. } => {
                // The columns of the right side have other names; their order is not looked at.
                let (mut kinds, others) = (self.kinds_of_body(left), self.kinds_of_body(right));
                let same = kinds.values().eq(others.values());
                kinds.values_mut().filter(|_| !same).for_each(|kind| *kind = Kind::Unclear);
                return kinds;
            }
            _ => return BTreeMap::new(),
        };
        let names = self.names_of(select);
        let mut kinds = BTreeMap::new();
        for item in &select.projection {
            let (own, expr) = match item {
                SelectItem::UnnamedExpr(expr) => (own_name(expr), expr),
                SelectItem::ExprWithAlias { expr, alias } => (alias.value.clone(), expr),
                _ => {
                    let plain = names.columns.iter().filter(|(column, _)| !column.contains('.'));
                    kinds.extend(plain.map(|(column, kind)| (column.clone(), kind.clone())));
                    continue;
                }
            };
            if let Some(kind) = names.kind(expr) {
                kinds.insert(own, kind);
            }
        }
        kinds
    }

    /// The value of an interval: its count, or a tuple of counts.
    pub(super) fn interval_value(&mut self, parts: &[Part]) -> Result<String, Refusal> {
        let counts = parts.iter().map(|(count, _)| self.expr(count)).collect::<Result<Vec<_>, _>>()?;
        Ok(if let [only] = counts.as_slice() { format!("plain_whole({only})") } else { tuple(&counts) })
    }

    /// The only part of an interval.
    pub(super) fn one_interval(&self, expr: &Expr) -> Option<Part> {
        let mut parts = self.names.interval(expr)?;
        if parts.len() == 1 { parts.pop() } else { None }
    }

    /// Two intervals as numbers that can be compared.
    pub(super) fn intervals_to_compare(
        &mut self,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<(String, String)>, Refusal> {
        let (Some((one, of)), Some((other, to))) = (self.one_interval(left), self.one_interval(right)) else {
            return Ok(None);
        };
        let (one, other) = (self.expr(&one)?, self.expr(&other)?);
        Ok(Some(match (width(of), width(to)) {
            _ if of == to => (one, other),
            ((months, width), (other_months, other_width)) if months == other_months => {
                (format!("({one} * {width})"), format!("({other} * {other_width})"))
            }
            _ => return Err(Refusal::unsupported("a comparison of months with a length of time")),
        }))
    }

    /// Refuses functions that take no interval. Its value here is only its count.
    pub(super) fn check_intervals(&self, called: &str, arguments: &[FunctionArg]) -> Result<(), Refusal> {
        let name = called.to_lowercase();
        let name = name.as_str();
        const TAKING: [&str; 31] = [
            "adddate",
            "addinterval",
            "addtupleofintervals",
            "age",
            "any",
            "anylast",
            "any_value",
            "argmax",
            "argmin",
            "count",
            "countdistinct",
            "date_add",
            "date_sub",
            "dateadd",
            "datesub",
            "equals",
            "isnotnull",
            "isnull",
            "max",
            "min",
            "nonnegativederivative",
            "notequals",
            "subdate",
            "subtractinterval",
            "subtracttupleofintervals",
            "timestamp_add",
            "timestamp_sub",
            "tostartofinterval",
            "tostring",
            "totypename",
            "tuple",
        ];
        let found = arguments.iter().filter_map(expr_of).find_map(|expr| self.names.interval(expr));
        let Some(parts) = found else { return Ok(()) };
        // What gives one of several values is an interval itself if it can be one; then nothing asks here.
        if ["coalesce", "greatest", "if", "ifnull", "least", "multiif", "nullif"].contains(&name) {
            return Err(mixed());
        }
        let is_number =
            name.starts_with("toint") || name.starts_with("touint") || name.starts_with("tofloat");
        if TAKING.contains(&name) || name.starts_with("uniq") || is_number {
            return Ok(());
        }
        let kind = type_name(&parts.iter().map(|(_, unit)| *unit).collect::<Vec<_>>());
        Err(Refusal::invalid(format!("Illegal type {kind} of an argument of function {called}")))
    }
}

impl Names {
    fn kind(&self, expr: &Expr) -> Option<Kind> {
        if let Some(parts) = self.interval(expr) {
            return Some(Kind::Interval(parts.iter().map(|(_, unit)| *unit).collect()));
        }
        self.state(expr).map(Kind::State)
    }

    /// The aggregate whose state an expression is.
    pub(super) fn state(&self, expr: &Expr) -> Option<String> {
        self.state_by(expr, &Seen::default())
    }

    fn state_by(&self, expr: &Expr, names: &Seen<'_>) -> Option<String> {
        let known = |column: &str| match self.columns.get(column)? {
            Kind::State(of) => Some(of.clone()),
            Kind::Interval(_) | Kind::Unclear => None,
        };
        match expr {
            Expr::Nested(inner) => self.state_by(inner, names),
            Expr::Function(call) => {
                stage_of(&call.name.to_string()).filter(Stage::gives_state).map(|stage| stage.base)
            }
            Expr::Identifier(column) => match self.given.get(&column.value) {
                Some(meaning) if !names.has(&column.value) => {
                    let seen = Seen { name: &column.value, before: Some(names) };
                    self.state_by(meaning, &seen).or_else(|| known(&column.value))
                }
                _ => known(&column.value),
            },
            Expr::CompoundIdentifier(parts) => {
                known(&parts.iter().map(|part| part.value.as_str()).collect::<Vec<_>>().join("."))
            }
            _ => None,
        }
    }

    /// Whether an interval was read whose units the query does not tell.
    pub(super) fn is_unclear(&self) -> bool {
        self.unclear.get()
    }

    /// Whether an expression gives one of several values of which some are intervals, but not all of one unit.
    pub(super) fn is_mixed(&self, values: &[&Expr]) -> bool {
        values.iter().any(|value| self.interval(value).is_some())
    }

    /// Whether so many expressions were looked at that the answers no longer count.
    pub(super) fn is_exhausted(&self) -> bool {
        self.looks.get() > LOOKS_MAX
    }

    /// The parts of an interval; `None` for other values.
    pub(super) fn interval(&self, expr: &Expr) -> Option<Vec<Part>> {
        self.interval_by(expr, &Seen::default())
    }

    fn interval_by(&self, expr: &Expr, names: &Seen<'_>) -> Option<Vec<Part>> {
        self.looks.set(self.looks.get() + 1);
        if self.looks.get() > LOOKS_MAX {
            return None;
        }
        match expr {
            Expr::Nested(inner) => self.interval_by(inner, names),
            Expr::Interval(interval) => {
                let unit = unit_named(&interval.leading_field.as_ref()?.to_string())?;
                Some(vec![(counted(&interval.value), unit)])
            }
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => {
                let parts = self.interval_by(expr, names)?;
                Some(parts.into_iter().map(|(count, unit)| (negated(count), unit)).collect())
            }
            Expr::BinaryOp { left, op: op @ (BinaryOperator::Plus | BinaryOperator::Minus), right } => {
                // A chain of other values is long on its left side.
                let right = self.interval_by(right, names)?;
                let left = self.interval_by(left, names)?;
                Some(together(left, right, *op == BinaryOperator::Minus))
            }
            Expr::Tuple(values) => {
                let parts = values.iter().map(|value| self.one(value, names));
                parts.collect::<Option<Vec<_>>>().filter(|parts| !parts.is_empty())
            }
            Expr::Function(call) => self.interval_of_call(call, names),
            Expr::Identifier(column) => match self.given.get(&column.value) {
                Some(meaning) if !names.has(&column.value) => {
                    self.interval_by(meaning, &Seen { name: &column.value, before: Some(names) })
                }
                _ => self.of_column(&column.value, expr),
            },
            Expr::CompoundIdentifier(parts) => {
                let column = parts.iter().map(|part| part.value.as_str()).collect::<Vec<_>>().join(".");
                self.of_column(&column, expr)
            }
            _ => None,
        }
    }

    fn one(&self, expr: &Expr, names: &Seen<'_>) -> Option<Part> {
        let mut parts = self.interval_by(expr, names)?;
        if parts.len() == 1 { parts.pop() } else { None }
    }

    fn of_column(&self, column: &str, expr: &Expr) -> Option<Vec<Part>> {
        match self.columns.get(column)? {
            Kind::Interval(units) => match units.as_slice() {
                [unit] => Some(vec![(parsed(&format!("{COUNT}({expr})")).ok()?, unit)]),
                _ => {
                    self.unclear.set(true);
                    None
                }
            },
            Kind::Unclear => {
                self.unclear.set(true);
                None
            }
            Kind::State(_) => None,
        }
    }

    fn interval_of_call(&self, call: &Function, names: &Seen<'_>) -> Option<Vec<Part>> {
        if let Some((value, _)) = named(call) {
            return self.interval_by(value, names);
        }
        let FunctionArguments::List(list) = &call.args else { return None };
        let name = call.name.to_string().to_lowercase();
        let argument = |place: usize| list.args.get(place).and_then(expr_of);
        if let Some(rest) = name.strip_prefix("tointerval") {
            return match list.args.as_slice() {
                [count] => Some(vec![(counted(expr_of(count)?), unit_named(rest)?)]),
                [count, unit] if rest.is_empty() => {
                    Some(vec![(counted(expr_of(count)?), unit_named(text_of(unit)?)?)])
                }
                _ => None,
            };
        }
        match (name.as_str(), list.args.len()) {
            ("plus" | "minus", 2) => {
                let (left, right) =
                    (self.interval_by(argument(0)?, names)?, self.interval_by(argument(1)?, names)?);
                Some(together(left, right, name == "minus"))
            }
            ("addinterval" | "subtractinterval", 2) => {
                let (left, right) =
                    (self.interval_by(argument(0)?, names)?, self.interval_by(argument(1)?, names)?);
                Some(together(left, right, name == "subtractinterval"))
            }
            ("negate", 1) => {
                let parts = self.interval_by(argument(0)?, names)?;
                Some(parts.into_iter().map(|(count, unit)| (negated(count), unit)).collect())
            }
            // The values of these are intervals of one unit, or else none.
            ("if", 3) => self.among(call, &[1, 2], names),
            ("ifnull" | "coalesce" | "greatest" | "least", 2) => self.among(call, &[0, 1], names),
            ("multiif", count) if count > 2 => {
                let results = (0..count).filter(|place| place % 2 == 1 || place + 1 == count);
                self.among(call, &results.collect::<Vec<_>>(), names)
            }
            ("max" | "min" | "any" | "anylast" | "any_value", 1) | ("argmax" | "argmin", 2) => {
                self.among(call, &[0], names)
            }
            ("tuple", _) => {
                let parts = list.args.iter().map(|value| self.one(expr_of(value)?, names));
                parts.collect::<Option<Vec<_>>>().filter(|parts| !parts.is_empty())
            }
            _ => None,
        }
    }

    /// A call that gives one of its arguments: the same call of the counts.
    fn among(&self, call: &Function, places: &[usize], names: &Seen<'_>) -> Option<Vec<Part>> {
        let FunctionArguments::List(list) = &call.args else { return None };
        let (mut counts, mut units) = (Vec::new(), Vec::new());
        for place in places {
            let (count, unit) = self.one(expr_of(list.args.get(*place)?)?, names)?;
            counts.push((*place, count));
            units.push(unit);
        }
        let mut call = call.clone();
        let FunctionArguments::List(list) = &mut call.args else { return None };
        for (place, count) in counts {
            list.args[place] = FunctionArg::Unnamed(sqlparser::ast::FunctionArgExpr::Expr(count));
        }
        let first = *units.first()?;
        units.iter().all(|unit| *unit == first).then(|| vec![(Expr::Function(call), first)])
    }
}

/// The sum or difference of intervals. Those of one unit become one.
fn together(mut left: Vec<Part>, right: Vec<Part>, minus: bool) -> Vec<Part> {
    for (count, unit) in right {
        let op = if minus { BinaryOperator::Minus } else { BinaryOperator::Plus };
        match left.last_mut().filter(|(_, last)| *last == unit) {
            Some((last, _)) => {
                let one = Box::new(std::mem::replace(last, Expr::value(Value::Null)));
                *last = Expr::Nested(Box::new(Expr::BinaryOp { left: one, op, right: Box::new(count) }));
            }
            None => left.push((if minus { negated(count) } else { count }, unit)),
        }
    }
    left
}

fn negated(count: Expr) -> Expr {
    Expr::UnaryOp { op: UnaryOperator::Minus, expr: Box::new(Expr::Nested(Box::new(count))) }
}

/// The count of an interval, which may be a text.
fn counted(count: &Expr) -> Expr {
    match count {
        Expr::Nested(inner) => counted(inner),
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) if text.parse::<i64>().is_ok() => {
                Expr::value(Value::Number(text.clone(), false))
            }
            _ => count.clone(),
        },
        _ => count.clone(),
    }
}

/// Whether a unit is of months, and how many months or microseconds it has.
fn width(unit: &str) -> (bool, i64) {
    match unit {
        "month" => (true, 1),
        "quarter" => (true, 3),
        "year" => (true, 12),
        "microsecond" => (false, 1),
        "millisecond" => (false, 1_000),
        "second" => (false, 1_000_000),
        "minute" => (false, 60_000_000),
        "hour" => (false, 3_600_000_000),
        "day" => (false, 86_400_000_000),
        _ => (false, 604_800_000_000),
    }
}

/// The refusal of a value that may be an interval of one unit or another, or none.
pub(super) fn mixed() -> Refusal {
    Refusal::unsupported("an interval beside one of another unit, or beside another value, in one place")
}

/// `IntervalMinute`
pub(super) fn type_name(units: &[&str]) -> String {
    let name = |unit: &&str| format!("Interval{}{}", unit[..1].to_uppercase(), &unit[1..]);
    match units {
        [unit] => name(unit),
        units => format!("Tuple({})", units.iter().map(name).collect::<Vec<_>>().join(", ")),
    }
}
