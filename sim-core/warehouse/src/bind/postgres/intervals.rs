//! Intervals as values. On SQLite they are texts; see `runtime::interval`.

use sim_values::value::interval::Interval;
use sqlparser::ast::{self, BinaryOperator};

use super::super::Binder;
use super::super::expr::{Expr, Origin};
use super::super::scope::Scope;
use super::super::value::no_signature;
use crate::Target;
use crate::refusal::Refusal;
use crate::runtime::interval::FORMATS;
use crate::types::Type;

impl Binder<'_> {
    /// A text of the query as an interval.
    pub(in crate::bind) fn interval_of(&self, text: &str) -> Result<Expr, Refusal> {
        let interval = Interval::parse(text).map_err(|error| Refusal::invalid(error.message.clone()))?;
        let text = format!("'{interval}'");
        let sql = self.target.pick(text.clone(), format!("{text}::interval"));
        Ok(Expr::new(sql, Type::Interval))
    }

    /// `INTERVAL '1 day 02:00'`, `INTERVAL '1' hour`
    pub(in crate::bind) fn interval_value(
        &mut self,
        interval: &ast::Interval,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let value = self.expr(&interval.value, scope)?;
        let Origin::Text(text) = &value.origin else {
            return Err(Refusal::unsupported("an INTERVAL that is no text in the query"));
        };
        match (&interval.leading_field, &interval.last_field) {
            (None, None) => self.interval_of(text),
            (Some(unit), None) => self.interval_of(&format!("{text} {unit}")),
            _ => Err(Refusal::unsupported("an INTERVAL of several units")),
        }
    }

    /// An operator of intervals, or the difference of timestamps; `None` for other values.
    pub(super) fn interval_operator(
        &mut self,
        operator: &BinaryOperator,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<Expr>, Refusal> {
        use BinaryOperator as B;
        use Type::{Date, Datetime, Interval, Timestamp};
        let sign = if *operator == B::Minus { -1 } else { 1 };
        if !matches!(operator, B::Plus | B::Minus | B::Multiply | B::Divide) {
            return Ok(None);
        }
        // A text of the query takes the type of the other side.
        let beside = |one: &Expr, other: &Expr| match (&one.origin, &other.type_) {
            (Origin::Text(_), Interval) => Some(Interval),
            (Origin::Text(_), Timestamp | Datetime) if *operator == B::Minus => Some(Timestamp),
            (Origin::Text(_), Timestamp | Datetime) => Some(Interval),
            _ => None,
        };
        let with_type = |binder: &mut Self, one: &Expr, other: &Expr| match beside(one, other) {
            Some(type_) => binder.coerced(one, &type_),
            None => Ok(one.clone()),
        };
        let (left, right) = (&with_type(self, left, right)?, &with_type(self, right, left)?);
        Ok(Some(match (operator, &left.type_, &right.type_) {
            (B::Minus, Timestamp | Datetime | Date, Timestamp | Datetime)
            | (B::Minus, Timestamp | Datetime, Date) => {
                let ends = [self.as_instant(left), self.as_instant(right)];
                let template = self.target.pick("wh_interval_between({0}, {1})", "({0} - {1})");
                Expr::filled(template, &ends, Interval)
            }
            (B::Plus | B::Minus, Timestamp | Datetime | Date, Interval) => {
                self.moved_by_interval(left, right, sign)
            }
            (B::Plus, Date, Type::Time) | (B::Plus, Type::Time, Date) => {
                let (day, time) = if left.type_ == Date { (left, right) } else { (right, left) };
                let template = self.target.pick("({0} * 86400000000 + {1})", "({0} + {1})");
                Expr::filled(template, &[day.clone(), time.clone()], Datetime)
            }
            (B::Minus, Type::Time, Type::Time) => {
                let template = self.target.pick("wh_interval_between({0}, {1})", "({0} - {1})");
                Expr::filled(template, &[left.clone(), right.clone()], Interval)
            }
            (B::Plus | B::Minus, Type::Time, Interval) => self.time_moved(left, right, sign),
            (B::Plus, Interval, Type::Time) => self.time_moved(right, left, 1),
            (B::Plus, Interval, Timestamp | Datetime | Date) => self.moved_by_interval(right, left, 1),
            (B::Plus | B::Minus, Interval, Interval) => {
                let template = match (self.target, sign) {
                    (Target::Sqlite, 1) => "wh_interval_add({0}, {1})",
                    (Target::Sqlite, _) => "wh_interval_subtract({0}, {1})",
                    (Target::Postgres, 1) => "({0} + {1})",
                    (Target::Postgres, _) => "({0} - {1})",
                };
                Expr::filled(template, &[left.clone(), right.clone()], Interval)
            }
            (B::Multiply, Interval, _) => {
                let factor = self.number_beside(right)?;
                self.interval_times(left, &factor)
            }
            (B::Multiply, _, Interval) => {
                let factor = self.number_beside(left)?;
                self.interval_times(right, &factor)
            }
            (B::Divide, Interval, _) => {
                let factor = self.number_beside(right)?;
                let template = self.target.pick("wh_interval_over({0}, {1})", "({0} / {1})");
                Expr::filled(template, &[left.clone(), factor], Interval)
            }
            _ => return Ok(None),
        }))
    }

    fn number_beside(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        let number = self.numeric(value, "*")?;
        self.coerced(&number, &Type::Float64)
    }

    /// An interval times a number.
    pub(in crate::bind) fn interval_times(&self, interval: &Expr, factor: &Expr) -> Expr {
        let template = self.target.pick("wh_interval_times({0}, {1})", "({0} * {1})");
        Expr::filled(template, &[interval.clone(), factor.clone()], Type::Interval)
    }

    /// A moment before or after. A day becomes a timestamp.
    fn moved_by_interval(&self, moment: &Expr, interval: &Expr, sign: i64) -> Expr {
        let instant = self.as_instant(moment);
        let type_ = if moment.type_ == Type::Timestamp { Type::Timestamp } else { Type::Datetime };
        let template = match self.target {
            Target::Sqlite => format!("wh_interval_moved({{0}}, {{1}}, {sign})"),
            Target::Postgres if sign < 0 => "({0} - {1})".to_owned(),
            Target::Postgres => "({0} + {1})".to_owned(),
        };
        Expr::filled(&template, &[instant, interval.clone()], type_)
    }

    /// A time of day before or after, on the same clock.
    fn time_moved(&self, time: &Expr, interval: &Expr, sign: i64) -> Expr {
        let template = match self.target {
            Target::Sqlite => format!("wh_time_of(wh_interval_moved({{0}}, {{1}}, {sign}))"),
            Target::Postgres if sign < 0 => "({0} - {1})".to_owned(),
            Target::Postgres => "({0} + {1})".to_owned(),
        };
        Expr::filled(&template, &[time.clone(), interval.clone()], Type::Time)
    }

    /// A part of an interval by its name.
    pub(in crate::bind) fn part_of_interval(&mut self, part: &str, interval: &Expr) -> Result<Expr, Refusal> {
        let part = match part {
            "millisecond" => "milliseconds",
            "microsecond" => "microseconds",
            part => part,
        };
        let type_ = match part {
            "epoch" | "second" | "milliseconds" => Type::Float64,
            "microseconds" | "minute" | "hour" | "day" | "month" | "quarter" | "year" => Type::Int64,
            _ => return Err(Refusal::unsupported(&format!("the part {part} of an interval"))),
        };
        let cast = if type_ == Type::Int64 { "bigint" } else { "float8" };
        let template = self.target.pick(
            format!("wh_interval_part({{0}}, '{part}')"),
            format!("(extract({part} FROM {{0}})::{cast})"),
        );
        Ok(Expr::filled(&template, std::slice::from_ref(interval), type_))
    }

    /// `date_trunc('hour', interval)`
    pub(super) fn interval_truncated(&mut self, interval: &Expr, unit: &str) -> Result<Expr, Refusal> {
        let unit = unit.to_lowercase();
        let units =
            ["year", "quarter", "month", "day", "hour", "minute", "second", "milliseconds", "microseconds"];
        if !units.contains(&unit.as_str()) {
            return Err(Refusal::unsupported(&format!("date_trunc of an interval to {unit}")));
        }
        let template = self
            .target
            .pick(format!("wh_interval_trunc({{0}}, '{unit}')"), format!("date_trunc('{unit}', {{0}})"));
        Ok(Expr::filled(&template, std::slice::from_ref(interval), Type::Interval))
    }

    /// `to_char(interval, format)`
    pub(super) fn interval_text(&mut self, interval: &Expr, format: &Expr) -> Result<Expr, Refusal> {
        let Origin::Text(text) = &format.origin else {
            return Err(Refusal::unsupported("to_char with a format that is no text in the query"));
        };
        let rest = FORMATS.iter().fold(text.clone(), |rest, pattern| rest.replace(pattern, ""));
        if rest.contains(|sign: char| sign.is_alphanumeric() || matches!(sign, '"' | '\\')) {
            return Err(Refusal::unsupported(&format!("to_char of an interval with the pattern {text:?}")));
        }
        let template = self.target.pick("wh_interval_format({0}, {1})", "to_char({0}, {1})");
        Ok(Expr::filled(template, &[interval.clone(), format.clone()], Type::String))
    }

    /// `age(end, start)`, `justify_hours(interval)` and the like.
    pub(super) fn interval_call(
        &mut self,
        name: &str,
        arguments: &[&ast::Expr],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let given = arguments.iter().map(|argument| self.expr(argument, scope));
        let given = given.collect::<Result<Vec<_>, _>>()?;
        match (name, given.as_slice()) {
            ("age", [end, start]) => {
                let ends = [self.instant_of(end)?, self.instant_of(start)?];
                let template = self.target.pick("wh_age({0}, {1})", "age({0}, {1})");
                Ok(Expr::filled(template, &ends, Type::Interval))
            }
            // To the beginning of today.
            ("age", [start]) => {
                let today = self.parameter(crate::Parameter::Now);
                let today = self.truncated_to(&today, "day")?;
                let ends = [today, self.instant_of(start)?];
                let template = self.target.pick("wh_age({0}, {1})", "age({0}, {1})");
                Ok(Expr::filled(template, &ends, Type::Interval))
            }
            ("justify_hours" | "justify_days" | "justify_interval", [interval]) => {
                let interval = self.coerced(interval, &Type::Interval)?;
                let template = self.target.pick(format!("wh_{name}({{0}})"), format!("{name}({{0}})"));
                Ok(Expr::filled(&template, &[interval], Type::Interval))
            }
            _ => Err(no_signature(name, &given)),
        }
    }

    fn instant_of(&mut self, moment: &Expr) -> Result<Expr, Refusal> {
        match moment.type_ {
            Type::Timestamp | Type::Datetime | Type::Date => Ok(self.as_instant(moment)),
            _ => self.coerced(moment, &Type::Timestamp),
        }
    }

    /// `make_interval(hours => 2)`
    pub(in crate::bind) fn make_interval(
        &mut self,
        arguments: &[ast::FunctionArg],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        const UNITS: [&str; 7] = ["years", "months", "weeks", "days", "hours", "mins", "secs"];
        let mut sum = self.interval_of("0")?;
        for (place, argument) in arguments.iter().enumerate() {
            let (unit, value) = match argument {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(value)) => {
                    (UNITS.get(place).copied(), value)
                }
                ast::FunctionArg::Named { name, arg: ast::FunctionArgExpr::Expr(value), .. } => {
                    (UNITS.iter().copied().find(|unit| name.value.eq_ignore_ascii_case(unit)), value)
                }
                ast::FunctionArg::ExprNamed {
                    name: ast::Expr::Identifier(name),
                    arg: ast::FunctionArgExpr::Expr(value),
                    ..
                } => (UNITS.iter().copied().find(|unit| name.value.eq_ignore_ascii_case(unit)), value),
                other => return Err(Refusal::unsupported(&format!("the argument {other}"))),
            };
            let unit = unit.ok_or_else(|| Refusal::invalid(format!("make_interval has no {argument}")))?;
            let count = self.expr(value, scope)?;
            let count = match unit {
                "secs" => self.numeric(&count, "make_interval")?,
                _ => self.coerced(&count, &Type::Int64)?,
            };
            let count = self.coerced(&count, &Type::Float64)?;
            let one = self.interval_of(&format!("1 {unit}"))?;
            let part = self.interval_times(&one, &count);
            let template = self.target.pick("wh_interval_add({0}, {1})", "({0} + {1})");
            sum = Expr::filled(template, &[sum, part], Type::Interval);
        }
        Ok(sum)
    }
}
