//! Functions of moments: timestamps, local times, days and times of day.

mod interval;
mod make;
mod part;
mod period;
mod unit;

use sqlparser::ast::{self};

use self::unit::Unit;
use super::Binder;
use super::expr::Expr;
use super::scope::Scope;
use super::value::no_signature;
use crate::Parameter;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// Binds a function of time; `None` when the function is not one.
    pub(super) fn moment_call(
        &mut self,
        name: &str,
        arguments: &[&ast::Expr],
        scope: &Scope<'_>,
    ) -> Result<Option<Expr>, Refusal> {
        let kind = name.split_once('_').map_or(name, |(kind, _)| kind);
        let type_ = match kind {
            "timestamp" => Type::Timestamp,
            "datetime" => Type::Datetime,
            "date" => Type::Date,
            "time" => Type::Time,
            _ => Type::Timestamp,
        };
        let is_kind = matches!(kind, "timestamp" | "datetime" | "date" | "time");
        let verb =
            if is_kind { name.strip_prefix(kind).unwrap_or_default().trim_start_matches('_') } else { name };
        Ok(Some(match (is_kind, verb, arguments) {
            (true, "add" | "sub", [moment, interval]) => {
                let moment = self.of_type(moment, &type_, scope)?;
                self.shifted(&moment, interval, verb == "sub", scope)?
            }
            (true, "diff", [end, start, unit]) => {
                let (end, start) = (self.of_type(end, &type_, scope)?, self.of_type(start, &type_, scope)?);
                self.difference(&end, &start, &Unit::of(unit)?)?
            }
            (true, "trunc", [moment, unit]) => {
                let moment = self.truncatable(moment, &type_, scope)?;
                self.truncated(&moment, &Unit::of(unit)?)
            }
            (true, "trunc", [moment, unit, zone]) if type_ == Type::Timestamp => {
                let moment = self.of_type(moment, &type_, scope)?;
                let zone = self.of_type(zone, &Type::String, scope)?;
                let local = self.zoned(&moment, &zone);
                let local = self.truncated(&local, &Unit::of(unit)?);
                Expr::filled("wh_from_zone({0}, {1})", &[local, zone], Type::Timestamp)
            }
            (true, "bucket", [moment, interval]) if type_ != Type::Time => {
                let moment = self.of_type(moment, &type_, scope)?;
                self.bucket(&moment, interval, None, scope)?
            }
            (true, "bucket", [moment, interval, origin]) if type_ != Type::Time => {
                let moment = self.of_type(moment, &type_, scope)?;
                let origin = self.of_type(origin, &type_, scope)?;
                self.bucket(&moment, interval, Some(&origin), scope)?
            }
            (true, "", _) => self.constructed(&type_, arguments, scope)?,
            (false, "current_timestamp", []) => self.parameter(Parameter::Now),
            (false, "current_datetime" | "current_date" | "current_time", zone) => {
                let now = self.parameter(Parameter::Now);
                let type_ = match verb {
                    "current_datetime" => Type::Datetime,
                    "current_date" => Type::Date,
                    _ => Type::Time,
                };
                self.converted(now, &type_, zone, scope)?
            }
            (
                false,
                "format_timestamp" | "format_datetime" | "format_date" | "format_time",
                [format, moment, zone @ ..],
            ) => self.formatted(verb, format, moment, zone, scope)?,
            (false, "generate_timestamp_array" | "generate_date_array", _) => {
                self.generated(verb, arguments, scope)?
            }
            (false, "last_day", [day]) => {
                let day = self.of_type(day, &Type::Date, scope)?;
                let template = self.target.pick(
                    "wh_date_of(wh_shift(wh_trunc({0} * 86400000000, 'month'), 1, 'month') - 1)",
                    "(date_trunc('month', {0}) + interval '1 month' - interval '1 day')::date",
                );
                Expr::filled(template, &[day], Type::Date)
            }
            (false, "last_day", [day, unit]) => {
                let day = self.truncatable(day, &Type::Date, scope)?;
                let unit = Unit::of(unit)?;
                let first = self.truncated(&self.as_type_again(self.as_instant(&day), &Type::Date), &unit);
                self.last_day_of(&first, &unit)?
            }
            (false, "string", [moment, zone]) => {
                let moment = self.of_type(moment, &Type::Timestamp, scope)?;
                let zone = self.of_type(zone, &Type::String, scope)?;
                Expr::filled("wh_text_in_zone({0}, {1})", &[moment, zone], Type::String)
            }
            (false, "unix_date", [day]) => {
                let day = self.of_type(day, &Type::Date, scope)?;
                Expr::filled(
                    self.target.pick("{0}", "({0} - date '1970-01-01')::bigint"),
                    &[day],
                    Type::Int64,
                )
            }
            _ => return Ok(None),
        }))
    }

    fn of_type(&mut self, expr: &ast::Expr, type_: &Type, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let bound = self.expr(expr, scope)?;
        self.coerced(&bound, type_).map_err(|_| no_signature(&type_.to_string(), &[bound]))
    }

    /// The argument of `DATE_TRUNC` and similar functions, which also accept timestamps and local times.
    fn truncatable(&mut self, expr: &ast::Expr, type_: &Type, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let bound = self.expr(expr, scope)?;
        match bound.type_ {
            Type::Timestamp | Type::Datetime | Type::Date if *type_ != Type::Time => Ok(bound),
            _ => self.coerced(&bound, type_),
        }
    }

    /// Converts a moment, or a day or time of day, to microseconds or a `timestamp`.
    pub(super) fn as_instant(&self, moment: &Expr) -> Expr {
        match moment.type_ {
            Type::Time => {
                let template = self.target.pick("{0}", "(date '1970-01-01' + {0})");
                Expr::filled(template, std::slice::from_ref(moment), Type::Datetime)
            }
            Type::Date => {
                let template = self.target.pick("({0} * 86400000000)", "({0})::timestamp");
                Expr::filled(template, std::slice::from_ref(moment), Type::Datetime)
            }
            _ => moment.clone(),
        }
    }

    /// Converts a timestamp back to the type of the original moment.
    pub(super) fn as_type_again(&self, instant: Expr, type_: &Type) -> Expr {
        match type_ {
            Type::Date => {
                Expr::filled(self.target.pick("wh_date_of({0})", "({0})::date"), &[instant], Type::Date)
            }
            type_ => Expr { type_: type_.clone(), ..instant },
        }
    }
}
