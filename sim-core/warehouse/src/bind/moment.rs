//! Instants, local times, days and times of day, and units of time.

use sqlparser::ast::{self, BinaryOperator, CeilFloorKind, DateTimeField};

use super::Binder;
use super::expr::{Expr, Origin};
use super::scope::Scope;
use super::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;
use crate::{Parameter, Target, floor_of};

const DAY_US: i64 = 86_400_000_000;

/// A unit of time.
#[derive(Clone, Debug, PartialEq)]
struct Unit(String);

impl Unit {
    /// The unit that an argument names. Weeks begin on Sunday by default; Sunday is day 0.
    fn of(expr: &ast::Expr) -> Result<Unit, Refusal> {
        let text = expr.to_string().to_lowercase();
        Unit::named(&text)
            .ok_or_else(|| Refusal::invalid(format!("A valid date part name is required but found {text}")))
    }

    fn named(text: &str) -> Option<Unit> {
        const DAYS: [&str; 7] =
            ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
        const NAMES: [&str; 9] =
            ["microsecond", "millisecond", "second", "minute", "hour", "day", "month", "quarter", "year"];
        let name = match text {
            "week" => "week:0".to_owned(),
            "isoweek" => "week:1".to_owned(),
            "isoyear" => "isoyear".to_owned(),
            text => match text.strip_prefix("week(").and_then(|rest| rest.strip_suffix(')')) {
                Some(day) => format!("week:{}", DAYS.iter().position(|known| *known == day)?),
                None => (*NAMES
                    .iter()
                    .find(|known| text == **known || text.strip_suffix('s') == Some(**known))?)
                .to_owned(),
            },
        };
        Some(Unit(name))
    }

    /// Its length in microseconds, if that is fixed.
    fn micros(&self) -> Option<i64> {
        Some(match self.0.as_str() {
            "microsecond" => 1,
            "millisecond" => 1_000,
            "second" => 1_000_000,
            "minute" => 60_000_000,
            "hour" => 3_600_000_000,
            "day" => DAY_US,
            text if text.starts_with("week") => 604_800_000_000,
            _ => return None,
        })
    }

    /// Its name in PostgreSQL, where PostgreSQL has the same unit.
    fn plain(&self) -> &str {
        if self.0.starts_with("week") { "week" } else { &self.0 }
    }
}

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

    /// The last day of the period that begins at a day.
    fn last_day_of(&mut self, first: &Expr, unit: &Unit) -> Result<Expr, Refusal> {
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

    fn of_type(&mut self, expr: &ast::Expr, type_: &Type, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let bound = self.expr(expr, scope)?;
        self.coerced(&bound, type_).map_err(|_| no_signature(&type_.to_string(), &[bound]))
    }

    /// The argument of `DATE_TRUNC` and similar functions, which also accept instants and local times.
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

    /// Converts an instant back to the type of the original moment.
    fn as_type_again(&self, instant: Expr, type_: &Type) -> Expr {
        match type_ {
            Type::Date => {
                Expr::filled(self.target.pick("wh_date_of({0})", "({0})::date"), &[instant], Type::Date)
            }
            type_ => Expr { type_: type_.clone(), ..instant },
        }
    }

    fn truncated(&self, moment: &Expr, unit: &Unit) -> Expr {
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

    /// `date_trunc('unit', instant)` of PostgreSQL, whose weeks begin on Monday.
    pub(super) fn truncated_to(&mut self, instant: &Expr, unit: &str) -> Result<Expr, Refusal> {
        let unit = unit.to_lowercase();
        let unit = Unit::named(if unit == "week" { "isoweek" } else { &unit });
        let unit = unit.ok_or_else(|| Refusal::unsupported("date_trunc to this unit"))?;
        Ok(self.truncated(instant, &unit))
    }

    /// `date_bin('15 minutes', instant, origin)`
    pub(super) fn date_bin(
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
    fn bucket(
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

    /// `x + INTERVAL …`; `None` when neither side is an interval.
    pub(super) fn moved(
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

    fn shifted(
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

    fn interval(&mut self, interval: &ast::Expr, scope: &Scope<'_>) -> Result<(Expr, Unit), Refusal> {
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
        let unit = field_unit(field)?;
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
    fn spelt_interval(&mut self, value: &ast::Expr, scope: &Scope<'_>) -> Result<(Expr, Unit), Refusal> {
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

    fn difference(&mut self, end: &Expr, start: &Expr, unit: &Unit) -> Result<Expr, Refusal> {
        let whole = unit.micros();
        let both = [end.clone(), start.clone()];
        if end.type_ == Type::Timestamp || end.type_ == Type::Time {
            // For instants, the result is the number of whole units between them.
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

    /// An instant as the local time of a zone.
    fn zoned(&self, instant: &Expr, zone: &Expr) -> Expr {
        Expr::filled("wh_to_zone({0}, {1})", &[instant.clone(), zone.clone()], Type::Datetime)
    }

    /// Converts an instant, in a zone if one is given, to another type.
    fn converted(
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
    fn constructed(
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

    fn formatted(
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

    fn generated(
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

    /// `EXTRACT(part FROM x)`
    pub(super) fn extract(
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
            // The seconds between two instants.
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
                let unit = field_unit(field)?;
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

    /// `CEIL(x)` and `FLOOR(x)`, for which the parser has expressions of their own.
    pub(super) fn rounded(
        &mut self,
        name: &str,
        expr: &ast::Expr,
        kind: &CeilFloorKind,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        if !matches!(kind, CeilFloorKind::DateTimeField(DateTimeField::NoDateTime)) {
            return Err(Refusal::unsupported(&format!("{name} with a scale")));
        }
        let value = self.expr(expr, scope)?;
        self.function(name, &[value])
    }
}

/// The count and the unit of `90 minutes`, `1 day 2 hours` or `01:30:00`. Months have no length, so nothing is beside them.
fn spelt(text: &str) -> Option<(i64, Unit)> {
    let short = |unit: &str| match unit {
        "mon" => "month".to_owned(),
        "min" => "minute".to_owned(),
        "sec" => "second".to_owned(),
        "hr" => "hour".to_owned(),
        unit => unit.to_owned(),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let unit_of = |word: &str| Unit::named(&short(word.to_lowercase().trim_end_matches('s')));
    if let [count, unit] = words.as_slice()
        && let (Ok(count), Some(unit)) = (count.parse(), unit_of(unit))
    {
        return Some((count, unit));
    }
    let mut micros = 0.0;
    let mut words = words.into_iter();
    while let Some(count) = words.next() {
        if count.contains(':') {
            let (sign, clock) = count.strip_prefix('-').map_or((1.0, count), |rest| (-1.0, rest));
            let parts = clock.split(':').map(|part| part.parse::<f64>().ok());
            match parts.collect::<Option<Vec<_>>>()?.as_slice() {
                [hours, minutes] => micros += sign * (hours * 60.0 + minutes) * 60e6,
                [hours, minutes, seconds] => {
                    micros += sign * ((hours * 60.0 + minutes) * 60.0 + seconds) * 1e6;
                }
                _ => return None,
            }
            continue;
        }
        let unit = unit_of(words.next()?)?;
        micros += count.parse::<f64>().ok()? * unit.micros()? as f64;
    }
    (micros.fract() == 0.0 && micros.abs() < 1e15).then(|| (micros as i64, Unit("microsecond".to_owned())))
}

/// The count and the unit of a text with a number for each of these units and those between them.
fn of_units(text: &str, first: &str, last: &str) -> Option<(i64, Unit)> {
    const CLOCK: [(&str, i64); 4] =
        [("day", DAY_US), ("hour", 3_600_000_000), ("minute", 60_000_000), ("second", 1_000_000)];
    let (sign, text) = match text.trim().strip_prefix('-') {
        Some(text) => (-1, text),
        None => (1, text.trim()),
    };
    if (first, last) == ("year", "month") {
        let (years, months) = text.split_once('-')?;
        let months = years.parse::<i64>().ok()?.checked_mul(12)?.checked_add(months.parse().ok()?)?;
        return Some((sign * months, Unit("month".to_owned())));
    }
    let place = |unit: &str| CLOCK.iter().position(|(known, _)| *known == unit);
    let units = CLOCK.get(place(first)?..=place(last)?)?;
    let numbers: Vec<&str> = text.split([' ', ':']).collect();
    if numbers.len() != units.len() {
        return None;
    }
    let mut micros = 0_i64;
    for (number, (unit, width)) in numbers.iter().zip(units) {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if !fraction.is_empty() && *unit != "second" {
            return None;
        }
        let digits: String = fraction.chars().chain("000000".chars()).take(6).collect();
        micros = micros.checked_add(whole.parse::<i64>().ok()?.checked_mul(*width)?)?;
        micros = micros.checked_add(digits.parse::<i64>().ok()?)?;
    }
    Some((sign * micros, Unit("microsecond".to_owned())))
}

fn unnested(expr: &ast::Expr) -> &ast::Expr {
    if let ast::Expr::Nested(inner) = expr { unnested(inner) } else { expr }
}

/// Whether times of day have this part.
fn of_time(field: &DateTimeField) -> bool {
    let part = field.to_string().to_lowercase();
    matches!(part.as_str(), "microsecond" | "millisecond" | "second" | "minute" | "hour")
}

fn field_unit(field: &DateTimeField) -> Result<Unit, Refusal> {
    let text = field.to_string().to_lowercase();
    Unit::named(&text)
        .ok_or_else(|| Refusal::invalid(format!("A valid date part name is required but found {text}")))
}
