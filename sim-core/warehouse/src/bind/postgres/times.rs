//! Timestamps in PostgreSQL's dialect: zones, parts, and `to_char`.

use sqlparser::ast;

use super::super::Binder;
use super::super::expr::{Expr, Origin};
use super::super::scope::Scope;
use super::super::time_patterns::{OF_TO_CHAR, in_utc};
use super::super::value::no_signature;
use crate::Target;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// `timestamp AT TIME ZONE 'zone'`
    pub(in crate::bind) fn at_zone(
        &mut self,
        moment: &ast::Expr,
        zone: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let written = moment;
        let (moment, zone) = (self.expr(moment, scope)?, self.expr(zone, scope)?);
        let zone = self.coerced(&zone, &Type::String)?;
        match moment.type_ {
            Type::Datetime => Ok(Expr::filled("wh_from_zone({0}, {1})", &[moment, zone], Type::Timestamp)),
            // The stored timestamps are of the type `timestamp`: they are read as local times of the zone.
            Type::Timestamp => match self.has_zone(written, scope)? {
                Some(true) => Ok(Expr::filled("wh_to_zone({0}, {1})", &[moment, zone], Type::Datetime)),
                Some(false) => Ok(Expr::filled("wh_from_zone({0}, {1})", &[moment, zone], Type::Timestamp)),
                None => Err(Refusal::unsupported(
                    "AT TIME ZONE of a column that a query inside gives: write it in that query",
                )),
            },
            _ => Err(no_signature("AT TIME ZONE", &[moment, zone])),
        }
    }

    /// Whether a timestamp has a zone of its own, as `timestamptz` has and `timestamp` has not; `None` if its words do not tell.
    pub(in crate::bind) fn has_zone(
        &mut self,
        expr: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Option<bool>, Refusal> {
        Ok(match expr {
            ast::Expr::Nested(inner) => self.has_zone(inner, scope)?,
            ast::Expr::Cast { data_type, .. } => Some(has_zone_in_name(data_type)),
            ast::Expr::TypedString(typed) => Some(has_zone_in_name(&typed.data_type)),
            ast::Expr::BinaryOp { left, .. } => self.has_zone(left, scope)?,
            // The stored timestamps have none.
            ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_) => {
                self.expr(expr, scope)?.sql.ends_with(".timestamp").then_some(false)
            }
            ast::Expr::Function(function) => {
                let argument = |index: usize| match &function.args {
                    ast::FunctionArguments::List(list) => match list.args.get(index)? {
                        ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => Some(expr),
                        _ => None,
                    },
                    _ => None,
                };
                let name = function.name.to_string().to_lowercase();
                if name == "localtimestamp" {
                    return Ok(Some(false));
                }
                let of = match name.as_str() {
                    "date_trunc" | "date_bin" => argument(1),
                    "min" | "max" | "coalesce" => argument(0),
                    _ => None,
                };
                match of {
                    Some(of) => self.has_zone(of, scope)?,
                    None => Some(true),
                }
            }
            // Of a local time `AT TIME ZONE` makes a timestamp.
            _ => Some(true),
        })
    }

    /// `to_char(timestamp, format)`. A server has it itself; elsewhere only parts with a plain meaning are known.
    ///
    /// `zoned` tells whether the timestamp has a zone, which is UTC here.
    pub(super) fn moment_text(
        &mut self,
        moment: &Expr,
        format: &Expr,
        zoned: Option<bool>,
    ) -> Result<Expr, Refusal> {
        if !matches!(moment.type_, Type::Timestamp | Type::Datetime | Type::Date) {
            return Err(Refusal::unsupported("to_char of other than an instant or a day"));
        }
        let Origin::Text(text) = &format.origin else {
            return Err(Refusal::unsupported("to_char with a format that is no text in the query"));
        };
        // A day is a timestamp with a zone there.
        let zoned = if moment.type_ == Type::Date { Some(true) } else { zoned };
        let written = in_utc(text, zoned)?;
        // Without a pattern the text is empty, and only without a format there is none.
        let text = if written.is_empty() && !text.is_empty() { "\"\"" } else { &written };
        let elements = OF_TO_CHAR.elements(text)?;
        let instant = self.as_instant(moment);
        if text.is_empty() {
            return Ok(instant.with(self.target.null(&Type::String), Type::String));
        }
        Ok(match self.target {
            Target::Sqlite => {
                let elements = self.literal_text(&elements);
                Expr::filled("wh_format({0}, {1})", &[elements, instant], Type::String)
            }
            Target::Postgres => {
                let format = self.literal_text(text);
                Expr::filled("to_char({0}, {1})", &[instant, format], Type::String)
            }
        })
    }

    /// A part of a timestamp by PostgreSQL's name.
    pub(in crate::bind) fn part_of_moment(&mut self, part: &str, moment: &Expr) -> Result<Expr, Refusal> {
        let instant = self.as_instant(moment);
        let whole = |template: &str| Ok(Expr::filled(template, std::slice::from_ref(&instant), Type::Int64));
        let float =
            |template: &str| Ok(Expr::filled(template, std::slice::from_ref(&instant), Type::Float64));
        match part {
            "week" => whole("wh_extract({0}, 'isoweek')"),
            "dow" => whole("(wh_extract({0}, 'dayofweek') - 1)"),
            "isodow" => whole("((wh_extract({0}, 'dayofweek') + 5) % 7 + 1)"),
            "doy" => whole("wh_extract({0}, 'dayofyear')"),
            // Both have a fraction.
            "second" => float(self.target.pick(
                "(wh_extract({0}, 'second') + wh_extract({0}, 'microsecond') / 1000000.0)",
                "(wh_extract({0}, 'second') + wh_extract({0}, 'microsecond') / 1000000.0)::float8",
            )),
            "epoch" => float(self.target.pick("({0} / 1000000.0)", "(wh_micros({0}) / 1000000.0)::float8")),
            "milliseconds" | "millisecond" => float(self.target.pick(
                "(wh_extract({0}, 'second') * 1000 + wh_extract({0}, 'microsecond') / 1000.0)",
                "(wh_extract({0}, 'second') * 1000 + wh_extract({0}, 'microsecond') / 1000.0)::float8",
            )),
            "microseconds" | "microsecond" => {
                whole("(wh_extract({0}, 'second') * 1000000 + wh_extract({0}, 'microsecond'))")
            }
            "julian" => float(self.target.pick(
                "({0} / 86400000000.0 + 2440588)",
                "(wh_micros({0}) / 86400000000.0 + 2440588)::float8",
            )),
            "century" => whole("((wh_extract({0}, 'year') + 99) / 100)"),
            "millennium" => whole("((wh_extract({0}, 'year') + 999) / 1000)"),
            "decade" => whole("(wh_extract({0}, 'year') / 10)"),
            "isoyear" | "minute" | "hour" | "day" | "month" | "quarter" | "year" => {
                whole(&format!("wh_extract({{0}}, '{part}')"))
            }
            _ => Err(Refusal::unsupported(&format!("the part {part} of an instant"))),
        }
    }
}

fn has_zone_in_name(type_: &ast::DataType) -> bool {
    let name = type_.to_string().to_lowercase();
    name == "timestamptz" || name.contains("with time zone")
}
