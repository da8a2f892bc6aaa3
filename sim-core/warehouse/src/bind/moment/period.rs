//! Periods: their beginnings and ends, buckets, and how many lie between two moments.

use sqlparser::ast::{self};

use super::unit::{DAY_US, Unit};
use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::scope::Scope;
use crate::refusal::Refusal;
use crate::types::Type;
use crate::{Target, floor_of};

impl Binder<'_> {
    /// The last day of the period that begins at a day.
    pub(super) fn last_day_of(&mut self, first: &Expr, unit: &Unit) -> Result<Expr, Refusal> {
        if unit.plain() == "week" || unit.0 == "isoyear" {
            let days = if unit.0 == "isoyear" { 380 } else { 7 };
            let seven = Expr::new(self.target.integer(days), Type::Int64);
            let next = self.moved_by(first, &seven, 1)?;
            // A year of weeks has 364 or 371 days: the beginning of the one after is before the 380th.
            let next = if days > 7 { self.truncated(&next, unit) } else { next };
            let one = Expr::new(self.target.integer(1), Type::Int64);
            return self.moved_by(&next, &one, -1);
        }
        let (many, named) = match unit.0.as_str() {
            "month" => (1, "month"),
            "quarter" => (3, "month"),
            "year" => (12, "month"),
            other => {
                return Err(Refusal::invalid(format!(
                    "LAST_DAY does not support the {} date part",
                    other.to_uppercase()
                )));
            }
        };
        let template = self.target.pick(
            format!("wh_date_of(wh_shift({{0}} * 86400000000, {many}, '{named}') - 1)"),
            format!("({{0}} + interval '{many} {named}' - interval '1 day')::date"),
        );
        Ok(Expr::filled(&template, std::slice::from_ref(first), Type::Date))
    }

    pub(super) fn truncated(&self, moment: &Expr, unit: &Unit) -> Expr {
        let instant = self.as_instant(moment);
        let odd = unit.0.starts_with("week") || unit.0 == "isoyear";
        let width = unit.micros().filter(|width| *width <= DAY_US);
        let template = match (self.target, odd) {
            (Target::Postgres, false) => format!("date_trunc('{}', {{0}})", unit.0),
            (Target::Sqlite, false) if let (Some(width), true) = (width, instant.may_be_copied()) => {
                floor_of("{0}", width)
            }
            _ => format!("wh_trunc({{0}}, '{}')", unit.0),
        };
        self.as_type_again(Expr::filled(&template, &[instant], Type::Datetime), &moment.type_)
    }

    /// `date_trunc('unit', timestamp)` of PostgreSQL, whose weeks begin on Monday.
    pub(in crate::bind) fn truncated_to(&mut self, instant: &Expr, unit: &str) -> Result<Expr, Refusal> {
        let unit = unit.to_lowercase();
        let unit = Unit::named(if unit == "week" { "isoweek" } else { &unit });
        let unit = unit.ok_or_else(|| Refusal::unsupported("date_trunc to this unit"))?;
        Ok(self.truncated(instant, &unit))
    }

    /// `date_bin('15 minutes', timestamp, origin)`
    pub(in crate::bind) fn date_bin(
        &mut self,
        width: &ast::Expr,
        moment: &ast::Expr,
        origin: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let moment = self.of_type(moment, &Type::Timestamp, scope)?;
        let origin = self.of_type(origin, &Type::Timestamp, scope)?;
        match width {
            ast::Expr::Interval(_) => self.bucket(&moment, width, Some(&origin), scope),
            text => {
                let (count, unit) = self.spelt_interval(text, scope)?;
                self.bucket_of(&moment, (count, unit), Some(&origin))
            }
        }
    }

    /// The beginning of the interval that contains the moment. Intervals are counted from the beginning of 1950.
    pub(super) fn bucket(
        &mut self,
        moment: &Expr,
        interval: &ast::Expr,
        origin: Option<&Expr>,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let width = self.interval(interval, scope)?;
        self.bucket_of(moment, width, origin)
    }

    fn bucket_of(
        &mut self,
        moment: &Expr,
        width: (Expr, Unit),
        origin: Option<&Expr>,
    ) -> Result<Expr, Refusal> {
        const BEGINNING: i64 = -631_152_000_000_000;
        let (Expr { origin: Origin::Integer(count @ 1..), .. }, unit) = width else {
            return Err(Refusal::invalid("A bucket is a positive whole number of units wide"));
        };
        let width = unit.micros().and_then(|micros| micros.checked_mul(count));
        let Some(width) = width.filter(|width| moment.type_ != Type::Date || width % DAY_US == 0) else {
            return Err(Refusal::unsupported(&format!("a bucket of {count} {}", unit.plain())));
        };
        let mut instants = vec![self.as_instant(moment)];
        instants.extend(origin.map(|origin| self.as_instant(origin)));
        let from = match origin {
            None => format!("({BEGINNING})"),
            Some(_) => self.target.pick("{1}", "wh_micros({1})").to_owned(),
        };
        let template = self.target.pick(
            format!("(wh_floor_div({{0}} - {from}, {width}) * {width} + {from})"),
            format!("wh_from_micros(wh_floor_div(wh_micros({{0}}) - {from}, {width}) * {width} + {from})"),
        );
        Ok(self.as_type_again(Expr::filled(&template, &instants, Type::Datetime), &moment.type_))
    }

    pub(super) fn difference(&mut self, end: &Expr, start: &Expr, unit: &Unit) -> Result<Expr, Refusal> {
        let whole = unit.micros();
        let both = [end.clone(), start.clone()];
        if end.type_ == Type::Timestamp || end.type_ == Type::Time {
            // For timestamps, the result is the number of whole units between them.
            let Some(micros) = whole.filter(|_| unit.plain() != "week") else {
                let unit = unit.plain().to_uppercase();
                return Err(Refusal::invalid(format!(
                    "TIMESTAMP_DIFF does not support the {unit} date part"
                )));
            };
            let template = match (self.target, &end.type_) {
                (Target::Sqlite, _) => format!("(({{0}} - {{1}}) / {micros})"),
                (Target::Postgres, Type::Time) => {
                    format!(
                        "((wh_micros(date '1970-01-01' + {{0}}) - wh_micros(date '1970-01-01' + {{1}})) / {micros})"
                    )
                }
                (Target::Postgres, _) => format!("((wh_micros({{0}}) - wh_micros({{1}})) / {micros})"),
            };
            return Ok(Expr::filled(&template, &both, Type::Int64));
        }
        // For local times and days, the result is the number of unit boundaries between them.
        let [end, start] = both.map(|moment| self.as_instant(&moment));
        let template = match (self.target, whole) {
            (Target::Sqlite, Some(micros)) => format!("(({{0}} - {{1}}) / {micros})"),
            (Target::Postgres, Some(micros)) => format!("((wh_micros({{0}}) - wh_micros({{1}})) / {micros})"),
            (_, None) => format!("(wh_period({{0}}, '{0}') - wh_period({{1}}, '{0}'))", unit.0),
        };
        let operands = match whole {
            Some(_) => [self.truncated(&end, unit), self.truncated(&start, unit)],
            None => [end, start],
        };
        Ok(Expr::filled(&template, &operands, Type::Int64))
    }
}
