//! `EXTRACT`: parts of a moment.

use sqlparser::ast::{self, BinaryOperator, DateTimeField};

use super::unit::Unit;
use crate::bind::Binder;
use crate::bind::expr::Expr;
use crate::bind::scope::Scope;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// `EXTRACT(part FROM x)`
    pub(in crate::bind) fn extract(
        &mut self,
        field: &DateTimeField,
        expr: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let (moment, zone) = match expr {
            ast::Expr::AtTimeZone { timestamp, time_zone } => (&**timestamp, Some(&**time_zone)),
            other => (other, None),
        };
        if let (true, "epoch", ast::Expr::BinaryOp { left, op: BinaryOperator::Minus, right }) =
            (self.is_postgres(), field.to_string().to_lowercase().as_str(), unnested(moment))
            && !matches!(**right, ast::Expr::Interval(_))
        {
            // The seconds between two timestamps.
            let ends =
                [self.of_type(left, &Type::Timestamp, scope)?, self.of_type(right, &Type::Timestamp, scope)?];
            let template = self
                .target
                .pick("(({0} - {1}) / 1000000.0)", "((wh_micros({0}) - wh_micros({1})) / 1000000.0)::float8");
            return Ok(Expr::filled(template, &ends, Type::Float64));
        }
        let bound = self.expr(moment, scope)?;
        if bound.type_ == Type::Interval {
            return self.part_of_interval(&field.to_string().to_lowercase(), &bound);
        }
        let mut bound = match bound.type_ {
            Type::Timestamp | Type::Datetime | Type::Date => bound,
            Type::Time if zone.is_none() && of_time(field) => bound,
            _ => self.coerced(&bound, &Type::Timestamp)?,
        };
        if let Some(zone) = zone {
            let zone = self.of_type(zone, &Type::String, scope)?;
            bound = self.zoned(&bound, &zone);
        }
        let part = field.to_string().to_lowercase();
        if self.is_postgres() {
            return self.part_of_moment(&part, &bound);
        }
        match part.as_str() {
            "date" => self.cast(&bound, &Type::Date, false),
            "time" => self.cast(&bound, &Type::Time, false),
            "datetime" => self.cast(&bound, &Type::Datetime, false),
            "dayofweek" | "dayofyear" | "isoweek" | "isoyear" | "week" | "microsecond" | "millisecond"
            | "second" | "minute" | "hour" | "day" | "month" | "quarter" | "year" => {
                let instant = self.as_instant(&bound);
                Ok(Expr::filled(&format!("wh_extract({{0}}, '{part}')"), &[instant], Type::Int64))
            }
            // The week that contains the first such day of the year is the first one.
            weeks if weeks.starts_with("week(") => {
                let unit = Unit::of(field)?;
                let instant = self.as_instant(&bound);
                let begun = self.truncated(&Expr { type_: Type::Datetime, ..instant }, &unit);
                let year = self.truncated(&self.as_instant(&bound), &Unit("year".to_owned()));
                let template = self.target.pick(
                    "(wh_floor_div({0} - {1}, 604800000000) + 1)",
                    "(wh_floor_div(wh_micros({0}) - wh_micros({1}), 604800000000) + 1)",
                );
                Ok(Expr::filled(template, &[begun, year], Type::Int64))
            }
            _ => Err(Refusal::invalid(format!("A valid date part name is required but found {part}"))),
        }
    }
}

fn unnested(expr: &ast::Expr) -> &ast::Expr {
    if let ast::Expr::Nested(inner) = expr { unnested(inner) } else { expr }
}

/// Whether times of day have this part.
fn of_time(field: &DateTimeField) -> bool {
    let part = field.to_string().to_lowercase();
    matches!(part.as_str(), "microsecond" | "millisecond" | "second" | "minute" | "hour")
}
