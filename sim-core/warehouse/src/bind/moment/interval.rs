//! Intervals, and moments moved by them.

use sqlparser::ast::{self, BinaryOperator, DateTimeField};

use super::unit::{Unit, of_units, spelt};
use crate::Target;
use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::scope::Scope;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// `x + INTERVAL …`; `None` when neither side is an interval.
    pub(in crate::bind) fn moved(
        &mut self,
        left: &ast::Expr,
        operator: &BinaryOperator,
        right: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Option<Expr>, Refusal> {
        let (moment, interval, back) = match (left, operator, right) {
            (moment, BinaryOperator::Plus, interval @ ast::Expr::Interval(_)) => (moment, interval, false),
            (moment, BinaryOperator::Minus, interval @ ast::Expr::Interval(_)) => (moment, interval, true),
            (interval @ ast::Expr::Interval(_), BinaryOperator::Plus, moment) => (moment, interval, false),
            _ => return Ok(None),
        };
        let bound = self.expr(moment, scope)?;
        if self.is_postgres()
            && (matches!(bound.type_, Type::Interval | Type::Time)
                || !self.is_plain_interval(interval, scope))
        {
            return Ok(None);
        }
        let bound = match bound.type_ {
            Type::Timestamp | Type::Datetime => bound,
            // A day plus an interval is a local time.
            Type::Date => self.as_instant(&bound),
            _ => self.coerced(&bound, &Type::Timestamp)?,
        };
        self.shifted(&bound, interval, back, scope).map(Some)
    }

    pub(super) fn shifted(
        &mut self,
        moment: &Expr,
        interval: &ast::Expr,
        back: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let (count, unit) = self.interval(interval, scope)?;
        let coarse = unit.micros().is_none();
        if moment.type_ == Type::Timestamp && (coarse || unit.plain() == "week") && !self.is_postgres() {
            let unit = unit.plain().to_uppercase();
            return Err(Refusal::invalid(format!(
                "TIMESTAMP arithmetic does not support the {unit} date part"
            )));
        }
        if moment.type_ == Type::Date
            && matches!(unit.0.as_str(), "microsecond" | "millisecond" | "second" | "minute" | "hour")
        {
            return Err(Refusal::invalid(format!(
                "DATE arithmetic does not support the {} date part",
                unit.0.to_uppercase()
            )));
        }
        let instant = self.as_instant(moment);
        let sign = if back { "-" } else { "+" };
        let template = match self.target {
            Target::Sqlite => format!("wh_shift({{0}}, {sign} {{1}}, '{}')", unit.plain()),
            Target::Postgres => {
                let (many, unit) = if unit.0 == "quarter" { (3, "month") } else { (1, unit.plain()) };
                format!("({{0}} {sign} {{1}} * interval '{many} {unit}')")
            }
        };
        Ok(self.as_type_again(Expr::filled(&template, &[instant, count], Type::Datetime), &moment.type_))
    }

    pub(super) fn interval(
        &mut self,
        interval: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<(Expr, Unit), Refusal> {
        let ast::Expr::Interval(interval) = interval else {
            return Err(Refusal::invalid("Expected INTERVAL expression"));
        };
        if self.is_postgres() && interval.leading_field.is_none() {
            return self.spelt_interval(&interval.value, scope);
        }
        if let (Some(first), Some(last)) = (&interval.leading_field, &interval.last_field) {
            return self.interval_of_units(&interval.value, first, last, scope);
        }
        let (Some(field), None) = (&interval.leading_field, &interval.last_field) else {
            return Err(Refusal::unsupported("an INTERVAL of several units"));
        };
        let unit = Unit::of(field)?;
        let count = self.expr(&interval.value, scope)?;
        let count = match count.type_ {
            Type::String => self.cast(&count, &Type::Int64, false)?,
            _ => self.coerced(&count, &Type::Int64)?,
        };
        Ok((count, unit))
    }

    /// `INTERVAL '1:30' HOUR TO MINUTE`, `INTERVAL '1-2' YEAR TO MONTH`
    fn interval_of_units(
        &mut self,
        value: &ast::Expr,
        first: &DateTimeField,
        last: &DateTimeField,
        scope: &Scope<'_>,
    ) -> Result<(Expr, Unit), Refusal> {
        let value = self.expr(value, scope)?;
        let Origin::Text(text) = &value.origin else {
            return Err(Refusal::unsupported("an INTERVAL of several units that is no text in the query"));
        };
        let units = [first, last].map(|field| field.to_string().to_lowercase());
        let (count, unit) = of_units(text, &units[0], &units[1])
            .ok_or_else(|| Refusal::invalid(format!("Invalid INTERVAL literal '{text}'")))?;
        let sql = self.target.integer(count);
        Ok((Expr { origin: Origin::Integer(count), ..Expr::new(sql, Type::Int64) }, unit))
    }

    /// `INTERVAL '90 minutes'`
    pub(super) fn spelt_interval(
        &mut self,
        value: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<(Expr, Unit), Refusal> {
        let value = self.expr(value, scope)?;
        let Origin::Text(text) = &value.origin else {
            return Err(Refusal::unsupported("an INTERVAL that is no text in the query"));
        };
        let (count, unit) = spelt(text)
            .ok_or_else(|| Refusal::unsupported(&format!("the interval {text:?} of several units")))?;
        let sql = self.target.integer(count);
        Ok((Expr { origin: Origin::Integer(count), ..Expr::new(sql, Type::Int64) }, unit))
    }

    /// Whether it is a number of one unit.
    fn is_plain_interval(&mut self, interval: &ast::Expr, scope: &Scope<'_>) -> bool {
        self.interval(interval, scope).is_ok()
    }
}
