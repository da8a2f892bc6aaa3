//! Arithmetic of dates, times and intervals, and their construction from numbers.

use std::cmp::Ordering;

use rusqlite::types::Value;

use super::text::own;
use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::datetime::{
    DAY, INFINITE_DATE, INFINITE_INSTANT, civil_from_days, days_from_civil, days_in_month, is_finite,
    parse_in_zone,
};
use sim_values::value::interval::{self, Interval};
use sim_values::value::timetz;
use sim_values::zone::{self, from_local, to_local};

const D: Type = Type::DATE;
const TS: Type = Type::TIMESTAMP;
const TZ: Type = Type::TIMESTAMPTZ;
const IV: Type = Type::INTERVAL;
const TTZ: Type = Type::TIMETZ;

/// The range of timestamps, in microseconds.
const INSTANTS: std::ops::Range<i64> = -210_866_803_200_000_000..9_223_371_331_200_000_000;
/// The range of dates, in days.
pub(super) const DATES: std::ops::Range<i64> = -2_440_588..2_145_031_949;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("+", &[D, Type::INT4], D, |a| date(move_days(a.int(0), a.int(1)))),
    Function::rust("+", &[Type::INT4, D], D, |a| date(move_days(a.int(1), a.int(0)))),
    Function::rust("-", &[D, Type::INT4], D, |a| date(move_days(a.int(0), -a.int(1)))),
    Function::rust("-", &[D, D], Type::INT4, |a| {
        if [a.int(0), a.int(1)].iter().any(|days| days.abs() >= INFINITE_DATE) {
            return Err(SqlError::new(SqlState::DATETIME_OVERFLOW, "cannot subtract infinite dates"));
        }
        Ok(Value::Integer(a.int(0) - a.int(1)))
    }),
    Function::rust("+", &[D, IV], TS, |a| shift(day_start(a.int(0)), read(a, 1)?, 1)),
    Function::rust("+", &[IV, D], TS, |a| shift(day_start(a.int(1)), read(a, 0)?, 1)),
    Function::rust("-", &[D, IV], TS, |a| shift(day_start(a.int(0)), read(a, 1)?, -1)),
    Function::rust("+", &[D, Type::TIME], TS, |a| instant(day_start(a.int(0)).checked_add(a.int(1)))),
    Function::rust("+", &[Type::TIME, D], TS, |a| instant(day_start(a.int(1)).checked_add(a.int(0)))),
    Function::rust("+", &[TS, IV], TS, |a| shift(a.int(0), read(a, 1)?, 1)),
    Function::rust("+", &[IV, TS], TS, |a| shift(a.int(1), read(a, 0)?, 1)),
    Function::rust("-", &[TS, IV], TS, |a| shift(a.int(0), read(a, 1)?, -1)),
    Function::rust("+", &[TZ, IV], TZ, |a| shift(a.int(0), read(a, 1)?, 1)),
    Function::rust("+", &[IV, TZ], TZ, |a| shift(a.int(1), read(a, 0)?, 1)),
    Function::rust("-", &[TZ, IV], TZ, |a| shift(a.int(0), read(a, 1)?, -1)),
    Function::rust("-", &[TS, TS], IV, difference),
    Function::rust("-", &[TZ, TZ], IV, difference),
    Function::rust("+", &[Type::TIME, IV], Type::TIME, |a| time(a.int(0) + read(a, 1)?.micros)),
    Function::rust("+", &[IV, Type::TIME], Type::TIME, |a| time(a.int(1) + read(a, 0)?.micros)),
    Function::rust("-", &[Type::TIME, IV], Type::TIME, |a| time(a.int(0) - read(a, 1)?.micros)),
    Function::rust("-", &[Type::TIME, Type::TIME], IV, |a| {
        span(Interval { micros: a.int(0) - a.int(1), ..Interval::default() })
    }),
    Function::rust("+", &[IV, IV], IV, |a| sum(read(a, 0)?, read(a, 1)?)),
    Function::rust("-", &[IV, IV], IV, |a| sum(read(a, 0)?, negated(read(a, 1)?)?)),
    Function::rust("-", &[IV], IV, |a| span(negated(read(a, 0)?)?)),
    Function::rust("*", &[IV, Type::FLOAT8], IV, |a| scale(read(a, 0)?, |part| part * a.real(1))),
    Function::rust("*", &[Type::FLOAT8, IV], IV, |a| scale(read(a, 1)?, |part| part * a.real(0))),
    Function::rust("/", &[IV, Type::FLOAT8], IV, |a| match a.real(1) {
        0.0 => Err(sim_values::error::division_by_zero()),
        divisor => scale(read(a, 0)?, |part| part / divisor),
    }),
    // For sessions in another time zone than UTC.
    Function::rust("Zone_shift", &[TZ, IV, Type::INT4, Type::TEXT], TZ, |a| {
        instant(moved_in_zone(a.int(0), read(a, 1)?, a.int(2).signum(), a.text(3))?)
    }),
    Function::rust("Zone_text", &[TZ, Type::TEXT], Type::TEXT, |a| own(zone::printed(a.int(0), a.text(1))?)),
    Function::rust("Zone_read", &[Type::TEXT, Type::TEXT], TZ, |a| {
        instant(Some(parse_in_zone(a.text(0), TZ, Some(a.text(1)))?))
    }),
    Function::rust("Zone_json", &[TZ, Type::TEXT], Type::TEXT, |a| {
        let text = zone::printed(a.int(0), a.text(1))?.replacen(' ', "T", 1);
        let minutes = text.rsplit(['+', '-']).next().is_some_and(|offset| offset.contains(':'));
        own(if minutes || !is_finite(a.int(0)) { text } else { text + ":00" })
    }),
    Function::rust("overlaps", &[TS, TS, TS, TS], Type::BOOL, overlaps).nullable(),
    Function::rust("overlaps", &[TZ, TZ, TZ, TZ], Type::BOOL, overlaps).nullable(),
    Function::rust("overlaps", &[Type::TIME, Type::TIME, Type::TIME, Type::TIME], Type::BOOL, overlaps)
        .nullable(),
    Function::rust("overlaps", &[TTZ, TTZ, TTZ, TTZ], Type::BOOL, |a| {
        overlap(|index| (!a.is_null(index)).then(|| utc(a.text(index))))
    })
    .nullable(),
    Function::rust("age", &[TS, TS], IV, age),
    Function::rust("age", &[TZ, TZ], IV, age),
    Function::template("age", &[TS], IV, "pg_age_timestamp_timestamp({today} * 86400000000, {0})"),
    Function::template("age", &[TZ], IV, "pg_age_timestamptz_timestamptz({today} * 86400000000, {0})"),
    Function::rust("justify_days", &[IV], IV, |a| span(read(a, 0)?.days_as_months())),
    Function::rust("justify_hours", &[IV], IV, |a| span(read(a, 0)?.hours_as_days())),
    Function::rust("justify_interval", &[IV], IV, |a| span(read(a, 0)?.justified())),
    Function::rust("make_date", &[Type::INT4, Type::INT4, Type::INT4], D, make_date),
    Function::rust("make_time", &[Type::INT4, Type::INT4, Type::FLOAT8], Type::TIME, |a| {
        Ok(Value::Integer(clock(a, 0)?))
    }),
    Function::rust("make_timestamp", MAKE_TIMESTAMP, TS, make_timestamp),
    Function::rust("make_timestamptz", MAKE_TIMESTAMP, TZ, make_timestamp),
    Function::rust("make_timestamptz", MAKE_IN_ZONE, TZ, |a| {
        let (days, time) = (civil(a)?, clock(a, 3)?);
        instant(Some(from_local_in(days.saturating_mul(DAY).saturating_add(time), a.text(6))?))
    }),
    Function::rust("timestamp", &[D, Type::TIME], TS, |a| instant(day_start(a.int(0)).checked_add(a.int(1)))),
    Function::rust("timestamptz", &[D, Type::TIME], TZ, |a| {
        instant(day_start(a.int(0)).checked_add(a.int(1)))
    }),
    Function::rust("timestamptz", &[D, TTZ], TZ, |a| {
        instant(day_start(a.int(0)).checked_add(utc(a.text(1))))
    }),
    Function::rust("+", &[D, TTZ], TZ, |a| instant(day_start(a.int(0)).checked_add(utc(a.text(1))))),
    Function::rust("+", &[TTZ, D], TZ, |a| instant(day_start(a.int(1)).checked_add(utc(a.text(0))))),
    Function::rust("+", &[TTZ, IV], TTZ, |a| later(a.text(0), read(a, 1)?.micros)),
    Function::rust("+", &[IV, TTZ], TTZ, |a| later(a.text(1), read(a, 0)?.micros)),
    Function::rust("-", &[TTZ, IV], TTZ, |a| later(a.text(0), read(a, 1)?.micros.wrapping_neg())),
    Function::rust("make_interval", MAKE_INTERVAL, IV, make_interval)
        .named(&["years", "months", "weeks", "days", "hours", "mins", "secs"]),
    Function::rust("isfinite", &[D], Type::BOOL, |a| super::text::truth(a.int(0).abs() < INFINITE_DATE)),
    Function::rust("isfinite", &[TS], Type::BOOL, |a| super::text::truth(is_finite(a.int(0)))),
    Function::rust("isfinite", &[TZ], Type::BOOL, |a| super::text::truth(is_finite(a.int(0)))),
    Function::rust("isfinite", &[IV], Type::BOOL, |_| super::text::truth(true)),
    Function::rust("to_timestamp", &[Type::FLOAT8], TZ, |a| {
        let micros = (a.real(0) * 1e6).round_ties_even();
        instant((micros.abs() < 9.2e18).then_some(micros as i64))
    }),
    Function::rust("date_bin", &[IV, TS, TS], TS, date_bin),
    Function::rust("date_bin", &[IV, TZ, TZ], TZ, date_bin),
    Function::template("now", &[], TZ, "{now}"),
    Function::template("transaction_timestamp", &[], TZ, "{now}"),
    Function::template("statement_timestamp", &[], TZ, "{now}"),
    Function::template("clock_timestamp", &[], TZ, "{now}"),
];

const MAKE_TIMESTAMP: &[Type] = &[Type::INT4, Type::INT4, Type::INT4, Type::INT4, Type::INT4, Type::FLOAT8];
const MAKE_IN_ZONE: &[Type] =
    &[Type::INT4, Type::INT4, Type::INT4, Type::INT4, Type::INT4, Type::FLOAT8, Type::TEXT];
const MAKE_INTERVAL: &[Type] =
    &[Type::INT4, Type::INT4, Type::INT4, Type::INT4, Type::INT4, Type::INT4, Type::FLOAT8];

fn overflow(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::DATETIME_OVERFLOW, message)
}

/// The interval in argument `index`.
pub(super) fn read(a: &Arguments<'_, '_>, index: usize) -> Result<Interval> {
    Interval::parse(a.text(index))
}

/// An interval as a value, within the limits of the type.
pub(super) fn span(interval: Interval) -> Result<Value> {
    if i32::try_from(interval.months).is_err() || i32::try_from(interval.days).is_err() {
        return Err(interval::out_of_range());
    }
    Ok(Value::Text(interval.to_string()))
}

/// A timestamp as a value, within the limits of the type.
pub(super) fn instant(micros: Option<i64>) -> Result<Value> {
    let fits = |micros: &i64| !is_finite(*micros) || INSTANTS.contains(micros);
    micros.filter(fits).map(Value::Integer).ok_or_else(|| overflow("timestamp out of range"))
}

fn date(days: Option<i64>) -> Result<Value> {
    let fits = |days: &i64| days.abs() >= INFINITE_DATE || DATES.contains(days);
    days.filter(fits).map(Value::Integer).ok_or_else(|| overflow("date out of range"))
}

fn move_days(date: i64, days: i64) -> Option<i64> {
    if date.abs() >= INFINITE_DATE { Some(date) } else { date.checked_add(days) }
}

fn day_start(days: i64) -> i64 {
    match days {
        INFINITE_DATE => INFINITE_INSTANT,
        days if days <= -INFINITE_DATE => i64::MIN,
        days => days.saturating_mul(DAY),
    }
}

fn time(micros: i64) -> Result<Value> {
    Ok(Value::Integer(micros.rem_euclid(DAY)))
}

/// Adds an interval to `micros`: first months, limited by the length of the month, then days, then the time.
pub(super) fn moved(micros: i64, interval: Interval, sign: i64) -> Option<i64> {
    if !is_finite(micros) {
        return Some(micros);
    }
    let (mut days, time) = (micros.div_euclid(DAY), micros.rem_euclid(DAY));
    if interval.months != 0 {
        let (year, month, day) = civil_from_days(days);
        let months = year * 12 + month - 1 + sign * interval.months;
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
        days = days_from_civil(year, month, day.min(days_in_month(year, month)));
    }
    let midnight = days.checked_add(sign * interval.days)?.checked_mul(DAY)?;
    midnight.checked_add(time)?.checked_add(sign.checked_mul(interval.micros)?)
}

/// A timestamp moved by an interval: its months and days go by the calendar of a zone.
pub(super) fn moved_in_zone(micros: i64, interval: Interval, sign: i64, zone: &str) -> Result<Option<i64>> {
    let calendar = Interval { micros: 0, ..interval };
    let clock = Interval { micros: interval.micros, ..Interval::default() };
    let local = to_local(micros, zone)?;
    let Some(moved_local) = moved(local, calendar, sign) else { return Ok(None) };
    let day = if moved_local == local { micros } else { from_local(moved_local, zone)? };
    Ok(moved(day, clock, sign))
}

fn shift(micros: i64, interval: Interval, sign: i64) -> Result<Value> {
    instant(moved(micros, interval, sign))
}

fn difference(a: &Arguments<'_, '_>) -> Result<Value> {
    if !is_finite(a.int(0)) || !is_finite(a.int(1)) {
        return Err(overflow("cannot subtract infinite timestamps"));
    }
    let micros = a.int(0).checked_sub(a.int(1)).ok_or_else(interval::out_of_range)?;
    span(Interval { micros, ..Interval::default() }.hours_as_days())
}

pub(super) fn add(left: Interval, right: Interval) -> Result<Interval> {
    let micros = left.micros.checked_add(right.micros).ok_or_else(interval::out_of_range)?;
    Ok(Interval { months: left.months + right.months, days: left.days + right.days, micros })
}

fn sum(left: Interval, right: Interval) -> Result<Value> {
    span(add(left, right)?)
}

pub(super) fn negated(interval: Interval) -> Result<Interval> {
    let micros = interval.micros.checked_neg().ok_or_else(interval::out_of_range)?;
    Ok(Interval { months: -interval.months, days: -interval.days, micros })
}

/// Applies `factor` to each part. Fractions of months become days, and fractions of days become time.
fn scale(interval: Interval, factor: impl Fn(f64) -> f64) -> Result<Value> {
    span(scaled(interval, factor)?)
}

pub(super) fn scaled(interval: Interval, factor: impl Fn(f64) -> f64) -> Result<Interval> {
    const DAY_SECONDS: f64 = 86_400.0;
    let to_micros = |value: f64| (value * 1e6).round_ties_even() / 1e6;
    let (months, days) = (factor(interval.months as f64), factor(interval.days as f64));
    let month_rest = to_micros((months - months.trunc()) * 30.0);
    let mut seconds = to_micros((days - days.trunc() + month_rest - month_rest.trunc()) * DAY_SECONDS);
    let mut whole_days = days.trunc() + month_rest.trunc();
    if seconds.abs() >= DAY_SECONDS {
        whole_days += (seconds / DAY_SECONDS).trunc();
        seconds -= (seconds / DAY_SECONDS).trunc() * DAY_SECONDS;
    }
    let micros = (factor(interval.micros as f64) + seconds * 1e6).round_ties_even();
    if micros.abs() >= 9.2e18 || months.abs() >= 2.2e9 || whole_days.abs() >= 2.2e9 || micros.is_nan() {
        return Err(interval::out_of_range());
    }
    Ok(Interval { months: months.trunc() as i64, days: whole_days as i64, micros: micros as i64 })
}

/// The difference of two timestamps in years, months, days and time, as on a calendar.
fn age(a: &Arguments<'_, '_>) -> Result<Value> {
    let (later, earlier) = (a.int(0), a.int(1));
    if !is_finite(later) || !is_finite(earlier) {
        return Err(overflow("timestamp out of range"));
    }
    span(Interval::between(later, earlier))
}

fn make_date(a: &Arguments<'_, '_>) -> Result<Value> {
    date(Some(civil(a)?))
}

/// The date from the first three arguments; a negative year is BC.
fn civil(a: &Arguments<'_, '_>) -> Result<i64> {
    let (year, month, day) = (a.int(0), a.int(1), a.int(2));
    let astronomical = if year < 0 { year + 1 } else { year };
    let exists = year != 0
        && (-4_713..=5_874_897).contains(&year)
        && (1..=12).contains(&month)
        && (1..=days_in_month(astronomical, month)).contains(&day);
    if !exists {
        return Err(overflow(format!("date field value out of range: {year}-{month:02}-{day:02}")));
    }
    Ok(days_from_civil(astronomical, month, day))
}

/// The time of day from three arguments.
fn clock(a: &Arguments<'_, '_>, first: usize) -> Result<i64> {
    let (hours, minutes, seconds) = (a.int(first), a.int(first + 1), a.real(first + 2));
    let valid = (0..=24).contains(&hours) && (0..=59).contains(&minutes) && (0.0..=60.0).contains(&seconds);
    let micros = || (hours * 3600 + minutes * 60) * 1_000_000 + (seconds * 1e6).round_ties_even() as i64;
    if !valid || micros() > DAY {
        let shown = sim_values::value::print_float(seconds, false);
        let message = format!("time field value out of range: {hours}:{minutes:02}:{shown:0>2}");
        return Err(overflow(message));
    }
    Ok(micros())
}

fn make_timestamp(a: &Arguments<'_, '_>) -> Result<Value> {
    let (days, time) = (civil(a)?, clock(a, 3)?);
    instant(days.checked_mul(DAY).and_then(|midnight| midnight.checked_add(time)))
}

fn make_interval(a: &Arguments<'_, '_>) -> Result<Value> {
    let seconds = (a.real(6) * 1e6).round_ties_even();
    if seconds.abs() >= 9.2e18 {
        return Err(interval::out_of_range());
    }
    let micros = (a.int(4) * 3600 + a.int(5) * 60) * 1_000_000;
    span(Interval {
        months: a.int(0) * 12 + a.int(1),
        days: a.int(2) * 7 + a.int(3),
        micros: micros.checked_add(seconds as i64).ok_or_else(interval::out_of_range)?,
    })
}

fn date_bin(a: &Arguments<'_, '_>) -> Result<Value> {
    let (stride, source, origin) = (read(a, 0)?, a.int(1), a.int(2));
    if stride.months != 0 {
        let message = "timestamps cannot be binned into intervals containing months or years";
        return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
    }
    let length = i64::try_from(stride.length()).map_err(|_| interval::out_of_range())?;
    if length <= 0 {
        return Err(overflow("stride must be greater than zero"));
    }
    let distance = source.checked_sub(origin).ok_or_else(interval::out_of_range)?;
    instant(origin.checked_add(distance.div_euclid(length) * length))
}

/// A time of day with an offset, as one in UTC.
fn utc(text: &str) -> i64 {
    let (time, offset) = timetz::read(text);
    time - offset
}

/// A time of day with an offset, moved.
fn later(text: &str, micros: i64) -> Result<Value> {
    let (time, offset) = timetz::read(text);
    own(timetz::of(time.wrapping_add(micros).rem_euclid(DAY), offset))
}

/// The timestamp of a local time in a zone, of which a number is an offset to the east.
fn from_local_in(local: i64, zone: &str) -> Result<i64> {
    match zone.starts_with(['+', '-']) {
        true => Ok(local.saturating_sub(timetz::read(&timetz::parse(&format!("00:00{zone}"))?).1)),
        false => from_local(local, zone),
    }
}

fn overlaps(a: &Arguments<'_, '_>) -> Result<Value> {
    overlap(|index| (!a.is_null(index)).then(|| a.int(index)))
}

/// Whether two spans of time have a moment in common. A span with one end that is known may still overlap.
fn overlap(end: impl Fn(usize) -> Option<i64>) -> Result<Value> {
    let span = |from: usize| match (end(from), end(from + 1)) {
        (None, end) => (end, None),
        (Some(start), Some(end)) if start > end => (Some(end), Some(start)),
        known => known,
    };
    let ((Some(start), end), (Some(other), until)) = (span(0), span(2)) else { return Ok(Value::Null) };
    let (known, unknown) = match start.cmp(&other) {
        Ordering::Equal => (end.is_some() && until.is_some(), end.is_none() || until.is_none()),
        Ordering::Greater => (until.is_some_and(|until| start < until), until.is_none() || end.is_none()),
        Ordering::Less => (end.is_some_and(|end| other < end), until.is_none() || end.is_none()),
    };
    Ok(match (known, unknown) {
        (true, _) => Value::Integer(1),
        (false, true) => Value::Null,
        (false, false) => Value::Integer(0),
    })
}
