//! Intervals of PostgreSQL's dialect: months, days and microseconds. On SQLite they are texts, which PostgreSQL would print.

use std::fmt::Write as _;

use rusqlite::functions::{Aggregate, Context};
use rusqlite::types::Value;
use rusqlite::{Connection, Result};
use sim_values::value::datetime::DAY;
use sim_values::value::interval::Interval;

use super::instant::shifted;
use super::{Arguments, Function, PURE, fail, refused};

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_interval", call: |a| Ok(text(read(a.text(0))?)) },
    Function { name: "wh_interval_add", call: |a| sum(a, 1) },
    Function { name: "wh_interval_subtract", call: |a| sum(a, -1) },
    Function { name: "wh_interval_times", call: |a| scaled(read(a.text(0))?, a.real(1), false) },
    Function { name: "wh_interval_over", call: |a| scaled(read(a.text(0))?, a.real(1), true) },
    Function { name: "wh_interval_between", call: |a| between(a.int(0), a.int(1)) },
    Function { name: "wh_interval_moved", call: moved },
    Function { name: "wh_interval_part", call: |a| part(&read(a.text(0))?, a.text(1)) },
    Function { name: "wh_interval_trunc", call: |a| truncated(read(a.text(0))?, a.text(1)) },
    Function { name: "wh_interval_format", call: |a| Ok(formatted(&read(a.text(0))?, a.text(1)).into()) },
    Function { name: "wh_justify_hours", call: |a| Ok(text(read(a.text(0))?.hours_as_days())) },
    Function { name: "wh_justify_days", call: |a| Ok(text(read(a.text(0))?.days_as_months())) },
    Function { name: "wh_justify_interval", call: |a| Ok(text(read(a.text(0))?.justified())) },
    Function { name: "wh_age", call: |a| Ok(text(Interval::between(a.int(0), a.int(1)))) },
];

/// Registers what compares and collects intervals.
pub(super) fn register(connection: &Connection) -> Result<()> {
    connection.create_collation("wh_interval", Interval::compare)?;
    connection.create_aggregate_function("wh_interval_sum", 1, PURE, Total { mean: false })?;
    connection.create_aggregate_function("wh_interval_avg", 1, PURE, Total { mean: true })
}

const MONTH_DAYS: f64 = 30.0;
const DAY_SECONDS: f64 = 86_400.0;
const SECOND: f64 = 1e6;

/// Months and days have 32 bits.
fn within(interval: Interval) -> Option<Interval> {
    let fits = [interval.months, interval.days].iter().all(|part| i32::try_from(*part).is_ok());
    fits.then_some(interval)
}

fn text(interval: Interval) -> Value {
    interval.to_string().into()
}

fn plus(one: Interval, other: Interval, sign: i64) -> Option<Interval> {
    let add = |one: i64, other: i64| one.checked_add(other.checked_mul(sign)?);
    within(Interval {
        months: add(one.months, other.months)?,
        days: add(one.days, other.days)?,
        micros: add(one.micros, other.micros)?,
    })
}

fn read(text: &str) -> Result<Interval> {
    Interval::parse(text).map_err(refused)
}

fn in_range(interval: Option<Interval>) -> Result<Interval> {
    match interval {
        Some(interval) => Ok(interval),
        None => fail("interval out of range"),
    }
}

fn sum(a: &Arguments<'_, '_>, sign: i64) -> Result<Value> {
    let (one, other) = (read(a.text(0))?, read(a.text(1))?);
    Ok(text(in_range(plus(one, other, sign))?))
}

/// The interval times a number, or divided by it. What is left of months goes to days, and what is left of days to the clock.
fn scaled(interval: Interval, factor: f64, divides: bool) -> Result<Value> {
    if divides && factor == 0.0 {
        return fail("division by zero");
    }
    Ok(text(in_range(times(&interval, factor, divides))?))
}

fn times(interval: &Interval, factor: f64, divides: bool) -> Option<Interval> {
    let by = |value: i64| if divides { value as f64 / factor } else { value as f64 * factor };
    let rounded = |value: f64| (value * SECOND).round_ties_even() / SECOND;
    let whole = |value: f64| (value.abs() < 9e15).then_some(value as i64);
    let months = whole(by(interval.months))?;
    let mut days = whole(by(interval.days))?;
    let left_days = rounded((by(interval.months) - months as f64) * MONTH_DAYS);
    let mut seconds =
        rounded((by(interval.days) - days as f64 + left_days - left_days.trunc()) * DAY_SECONDS);
    if seconds.abs() >= DAY_SECONDS {
        days += (seconds / DAY_SECONDS) as i64;
        seconds -= (seconds / DAY_SECONDS).trunc() * DAY_SECONDS;
    }
    days += left_days as i64;
    let micros = (by(interval.micros) + seconds * SECOND).round_ties_even();
    if micros.abs() < 9.2e18 { within(Interval { months, days, micros: micros as i64 }) } else { None }
}

/// The difference of timestamps, in days and hours.
fn between(end: i64, start: i64) -> Result<Value> {
    match end.checked_sub(start) {
        Some(micros) => Ok(text(Interval { months: 0, days: micros / DAY, micros: micros % DAY })),
        None => fail("interval out of range"),
    }
}

/// `wh_interval_moved(timestamp, interval, sign)`
fn moved(a: &Arguments<'_, '_>) -> Result<Value> {
    let (interval, sign) = (read(a.text(1))?, a.int(2));
    let by_months = shifted(a.int(0), sign * interval.months, "month")?;
    let by_days = shifted(by_months, sign * interval.days, "day")?;
    Ok(shifted(by_days, sign * interval.micros, "microsecond")?.into())
}

fn part(interval: &Interval, name: &str) -> Result<Value> {
    let Interval { months, days, micros } = *interval;
    let seconds = (micros % 60_000_000) as f64 / SECOND;
    Ok(match name {
        "epoch" => {
            let years = (months / 12) as f64 * 365.25 * DAY_SECONDS;
            (years + ((months % 12) * 30 + days) as f64 * DAY_SECONDS + micros as f64 / SECOND).into()
        }
        "year" => (months / 12).into(),
        "quarter" => (months % 12 / 3 + 1).into(),
        "month" => (months % 12).into(),
        "day" => days.into(),
        "hour" => (micros / 3_600_000_000).into(),
        "minute" => (micros / 60_000_000 % 60).into(),
        "second" => seconds.into(),
        "milliseconds" => ((micros % 60_000_000) as f64 / 1e3).into(),
        _ => (micros % 60_000_000).into(),
    })
}

fn truncated(interval: Interval, unit: &str) -> Result<Value> {
    let Interval { months, days, micros } = interval;
    let clock = |length: i64| Interval { micros: micros / length * length, ..interval };
    let coarse = |months: i64| Interval { months, days: 0, micros: 0 };
    let cut = match unit {
        "year" => coarse(months / 12 * 12),
        "quarter" => coarse(months / 3 * 3),
        "month" => coarse(months),
        "day" => Interval { months, days, micros: 0 },
        "hour" => clock(3_600_000_000),
        "minute" => clock(60_000_000),
        "second" => clock(1_000_000),
        "millisecond" | "milliseconds" => clock(1_000),
        _ => interval,
    };
    Ok(text(cut))
}

/// `to_char(interval, format)`, whose patterns the binder has checked.
fn formatted(interval: &Interval, format: &str) -> String {
    let Interval { days, micros, .. } = *interval;
    let mut out = String::new();
    let mut rest = format;
    while let Some(sign) = rest.chars().next() {
        let known = FORMATS.iter().find(|pattern| rest.starts_with(**pattern));
        let Some(pattern) = known else {
            out.push(sign);
            rest = &rest[sign.len_utf8()..];
            continue;
        };
        let (value, width) = match *pattern {
            "HH24" => (micros / 3_600_000_000, 2),
            "MI" => (micros / 60_000_000 % 60, 2),
            "SS" => (micros / 1_000_000 % 60, 2),
            "MS" => (micros / 1_000 % 1_000, 3),
            "US" => (micros % 1_000_000, 6),
            _ => (days, 2),
        };
        // A minus sign has a place of its own.
        let width = width + usize::from(value < 0);
        let written = write!(out, "{value:0width$}");
        written.expect("a text takes all that is written to it");
        rest = &rest[pattern.len()..];
    }
    out
}

/// The patterns of `to_char` that intervals have here.
pub(crate) const FORMATS: [&str; 6] = ["HH24", "MI", "SS", "MS", "US", "DD"];

/// The sum or mean of intervals.
#[derive(Clone, Copy)]
struct Total {
    mean: bool,
}

impl Aggregate<(Interval, i64), Option<String>> for Total {
    fn init(&self, _: &mut Context<'_>) -> Result<(Interval, i64)> {
        Ok((Interval::default(), 0))
    }

    fn step(&self, context: &mut Context<'_>, (total, count): &mut (Interval, i64)) -> Result<()> {
        if let Some(text) = context.get::<Option<String>>(0)? {
            *total = in_range(plus(*total, read(&text)?, 1))?;
            *count += 1;
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, of: Option<(Interval, i64)>) -> Result<Option<String>> {
        let Some((total, count @ 1..)) = of else { return Ok(None) };
        let result = if self.mean { in_range(times(&total, count as f64, true))? } else { total };
        Ok(Some(result.to_string()))
    }
}
