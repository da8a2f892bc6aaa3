//! Moments from parts, other types and zones, texts of moments, and lists of moments.

use sqlparser::ast::{self};

use super::unit::Unit;
use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::scope::Scope;
use crate::bind::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// A timestamp as the local time of a zone.
    pub(super) fn zoned(&self, instant: &Expr, zone: &Expr) -> Expr {
        Expr::filled("wh_to_zone({0}, {1})", &[instant.clone(), zone.clone()], Type::Datetime)
    }

    /// Converts a timestamp, in a zone if one is given, to another type.
    pub(super) fn converted(
        &mut self,
        instant: Expr,
        type_: &Type,
        zone: &[&ast::Expr],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let local = match zone {
            [] => instant,
            [zone] => {
                let zone = self.of_type(zone, &Type::String, scope)?;
                self.zoned(&instant, &zone)
            }
            _ => return Err(no_signature(&type_.to_string(), &[instant])),
        };
        self.cast(&local, type_, false)
    }

    /// `TIMESTAMP(x)`, `DATETIME(x, zone)`, `DATE(2025, 2, 10)` …
    pub(super) fn constructed(
        &mut self,
        type_: &Type,
        arguments: &[&ast::Expr],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let [first, zone @ ..] = arguments else { return Err(no_signature(&type_.to_string(), &[])) };
        if arguments.len() >= 3 {
            return self.of_parts(type_, arguments, scope);
        }
        let value = self.expr(first, scope)?;
        let value = match value.type_ {
            Type::Dynamic => self.coerced(&value, &Type::Timestamp)?,
            _ => value,
        };
        match (type_, &value.type_, zone) {
            (_, Type::Timestamp, _) if *type_ != Type::Timestamp => self.converted(value, type_, zone, scope),
            (Type::Timestamp, Type::String | Type::Datetime | Type::Date, [zone]) => {
                let zone = self.of_type(zone, &Type::String, scope)?;
                let local = self.cast(&value, &Type::Datetime, false)?;
                Ok(Expr::filled("wh_from_zone({0}, {1})", &[local, zone], Type::Timestamp))
            }
            (_, _, []) => self.cast(&value, type_, false),
            // A day and a time of day.
            (Type::Datetime, Type::Date, [time]) => {
                let time = self.of_type(time, &Type::Time, scope)?;
                let template = self.target.pick("({0} * 86400000000 + {1})", "({0} + {1})");
                Ok(Expr::filled(template, &[value, time], Type::Datetime))
            }
            _ => Err(no_signature(&type_.to_string(), &[value])),
        }
    }

    fn of_parts(
        &mut self,
        type_: &Type,
        arguments: &[&ast::Expr],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let parts: Vec<Expr> = arguments
            .iter()
            .map(|argument| self.of_type(argument, &Type::Int64, scope))
            .collect::<Result<_, _>>()?;
        let template = match (type_, parts.len()) {
            (Type::Date, 3) => "wh_make_date({0}, {1}, {2})",
            (Type::Time, 3) => "wh_make_time({0}, {1}, {2})",
            (Type::Datetime, 6) => "wh_make_datetime({0}, {1}, {2}, {3}, {4}, {5})",
            _ => return Err(no_signature(&type_.to_string(), &parts)),
        };
        Ok(Expr::filled(template, &parts, type_.clone()))
    }

    pub(super) fn formatted(
        &mut self,
        name: &str,
        format: &ast::Expr,
        moment: &ast::Expr,
        zone: &[&ast::Expr],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let mut format = self.of_type(format, &Type::String, scope)?;
        if let (Origin::Text(text), "format_timestamp", []) = (&format.origin, name, zone) {
            let zoned = [("%Ez", "+00:00"), ("%z", "+0000"), ("%Z", "UTC")];
            let text = zoned.iter().fold(text.clone(), |text, (element, value)| text.replace(element, value));
            format = Expr {
                origin: Origin::Text(text.clone()),
                ..Expr::new(self.target.text(&text), Type::String)
            };
        }
        let type_ = match name {
            "format_timestamp" => Type::Timestamp,
            "format_datetime" => Type::Datetime,
            "format_date" => Type::Date,
            _ => Type::Time,
        };
        let moment = self.of_type(moment, &type_, scope)?;
        let moment = match zone {
            [] => self.as_instant(&moment),
            [zone] if type_ == Type::Timestamp => {
                let zone = self.of_type(zone, &Type::String, scope)?;
                self.zoned(&moment, &zone)
            }
            _ => return Err(no_signature(name, &[format, moment])),
        };
        Ok(Expr::filled("wh_format({0}, {1})", &[format, moment], Type::String))
    }

    pub(super) fn generated(
        &mut self,
        name: &str,
        arguments: &[&ast::Expr],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let type_ = if name == "generate_date_array" { Type::Date } else { Type::Timestamp };
        let (start, end, step) = match arguments {
            [start, end] if type_ == Type::Date => (start, end, None),
            [start, end, step] => (start, end, Some(step)),
            _ => return Err(no_signature(name, &[])),
        };
        let start = self.of_type(start, &type_, scope)?;
        let end = self.of_type(end, &type_, scope)?;
        let (count, unit) = match step {
            Some(step) => self.interval(step, scope)?,
            None => (Expr::new(self.target.integer(1), Type::Int64), Unit("day".to_owned())),
        };
        if type_ == Type::Timestamp && unit.micros().is_none() && !self.is_postgres() {
            let unit = unit.0.to_uppercase();
            return Err(Refusal::invalid(format!(
                "{} does not support the {unit} date part",
                name.to_uppercase()
            )));
        }
        let operands = [self.as_instant(&start), self.as_instant(&end), count];
        let days = self.target.boolean(type_ == Type::Date);
        if self.is_postgres() && unit.micros().is_none() {
            // PostgreSQL counts each month from the moment before, not from the first one.
            let (many, named) = if unit.0 == "quarter" { (3, "month") } else { (1, unit.plain()) };
            let template = self.target.pick(
                format!("wh_generate_moments({{0}}, {{1}}, {{2}}, '{}', {days}, 1)", unit.plain()),
                format!(
                    "(SELECT coalesce(jsonb_agg(wh_micros(n)), '[]') FROM generate_series({{0}}, {{1}}, {{2}} * interval '{many} {named}') AS n)"
                ),
            );
            return Ok(Expr::filled(&template, &operands, Type::Array(Box::new(type_))));
        }
        let template = format!("wh_generate_moments({{0}}, {{1}}, {{2}}, '{}', {days})", unit.plain());
        Ok(Expr::filled(&template, &operands, Type::Array(Box::new(type_))))
    }
}
