//! Parts of dates, times and intervals: `extract`, `date_part`, `date_trunc`, `AT TIME ZONE`.

use rusqlite::types::Value;
use sim_values::zone::{self, from_local, to_local};

use super::dates::{instant, read, span};
use super::text::own;
use super::{Arguments, Form, Function};
use sim_values::decimal::Decimal;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::datetime::{DAY, INFINITE_DATE, civil_from_days, days_from_civil, is_finite};
use sim_values::value::interval::Interval;
use sim_values::value::timetz;

const TEXT_DATE: &[Type] = &[Type::TEXT, Type::DATE];
const TEXT_TIME: &[Type] = &[Type::TEXT, Type::TIME];
const TEXT_TS: &[Type] = &[Type::TEXT, Type::TIMESTAMP];
const TEXT_TZ: &[Type] = &[Type::TEXT, Type::TIMESTAMPTZ];
const TEXT_TTZ: &[Type] = &[Type::TEXT, Type::TIMETZ];
const TEXT_IV: &[Type] = &[Type::TEXT, Type::INTERVAL];

const HOUR: i64 = 3_600_000_000;
const MINUTE: i64 = 60_000_000;
const SECOND: i64 = 1_000_000;
/// Days from 4714-11-24 BC, where Julian days begin, to 1970-01-01.
const JULIAN_EPOCH: i64 = 2_440_588;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("extract", TEXT_DATE, Type::NUMERIC, |a| exact(of_date(a)?)),
    Function::rust("extract", TEXT_TS, Type::NUMERIC, |a| exact(of_instant(a, Type::TIMESTAMP)?)),
    Function::rust("extract", TEXT_TZ, Type::NUMERIC, |a| exact(of_instant(a, Type::TIMESTAMPTZ)?)),
    Function::rust("extract", TEXT_TIME, Type::NUMERIC, |a| exact(of_time(a)?)),
    Function::rust("extract", TEXT_IV, Type::NUMERIC, |a| exact(of_interval(a)?)),
    Function::rust("extract", TEXT_TTZ, Type::NUMERIC, |a| exact(of_zoned_time(a)?)),
    Function::rust("date_part", TEXT_TTZ, Type::FLOAT8, |a| float(of_zoned_time(a)?)),
    Function::rust("date_part", TEXT_DATE, Type::FLOAT8, |a| float(of_date_as_instant(a)?)),
    Function::rust("date_part", TEXT_TS, Type::FLOAT8, |a| float(of_instant(a, Type::TIMESTAMP)?)),
    Function::rust("date_part", TEXT_TZ, Type::FLOAT8, |a| float(of_instant(a, Type::TIMESTAMPTZ)?)),
    Function::rust("date_part", TEXT_TIME, Type::FLOAT8, |a| float(of_time(a)?)),
    Function::rust("date_part", TEXT_IV, Type::FLOAT8, |a| float(of_interval(a)?)),
    Function::rust("date_trunc", TEXT_TS, Type::TIMESTAMP, |a| truncate(a, Type::TIMESTAMP)),
    Function::rust("date_trunc", TEXT_TZ, Type::TIMESTAMPTZ, |a| truncate(a, Type::TIMESTAMPTZ)),
    Function::rust(
        "date_trunc",
        &[Type::TEXT, Type::TIMESTAMPTZ, Type::TEXT],
        Type::TIMESTAMPTZ,
        truncate_in_zone,
    ),
    Function::rust("date_trunc", TEXT_IV, Type::INTERVAL, truncate_interval),
    Function::rust("timezone", TEXT_TZ, Type::TIMESTAMP, |a| instant(Some(to_local(a.int(1), a.text(0))?))),
    Function::rust("timezone", TEXT_TS, Type::TIMESTAMPTZ, |a| {
        instant(Some(from_local(a.int(1), a.text(0))?))
    }),
    Function::of(
        "timezone",
        TEXT_TTZ,
        Type::TIMETZ,
        Form::State(|state, a| own(at_offset(a.text(1), zone::shown(state.now, a.text(0))?.offset))),
    ),
    Function::rust("timezone", &[Type::INTERVAL, Type::TIMETZ], Type::TIMETZ, |a| {
        own(at_offset(a.text(1), read(a, 0)?.micros))
    }),
    Function::rust("timezone", &[Type::INTERVAL, Type::TIMESTAMPTZ], Type::TIMESTAMP, |a| {
        instant(a.int(1).checked_add(read(a, 0)?.micros))
    }),
    Function::rust("timezone", &[Type::INTERVAL, Type::TIMESTAMP], Type::TIMESTAMPTZ, |a| {
        instant(a.int(1).checked_sub(read(a, 0)?.micros))
    }),
];

/// A field's value: `unscaled / 10^scale`.
struct Field {
    unscaled: i128,
    scale: usize,
}

fn whole(value: i64) -> Result<Field> {
    Ok(Field { unscaled: value.into(), scale: 0 })
}

/// Microseconds as seconds (scale 6) or milliseconds (scale 3).
fn fraction(micros: i128, scale: usize) -> Result<Field> {
    Ok(Field { unscaled: micros, scale })
}

fn exact(field: Field) -> Result<Value> {
    Ok(Value::Text(Decimal { unscaled: field.unscaled.into(), scale: field.scale }.to_string()))
}

fn float(field: Field) -> Result<Value> {
    Ok(Value::Real(Decimal { unscaled: field.unscaled.into(), scale: field.scale }.to_float()))
}

fn display(type_: Type) -> &'static str {
    type_.builtin().map_or("", |builtin| builtin.display)
}

fn unrecognized(unit: &str, type_: Type) -> SqlError {
    let message = format!("unit \"{unit}\" not recognized for type {}", display(type_));
    SqlError::new(SqlState::INVALID_PARAMETER, message)
}

/// A unit that exists but has no meaning for the type.
fn unsupported(unit: &str, type_: Type) -> SqlError {
    let message = format!("unit \"{unit}\" not supported for type {}", display(type_));
    SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message)
}

/// The canonical name of a unit; an unknown name stays the same.
fn unit_name(given: &str) -> String {
    let lower = given.to_ascii_lowercase();
    match lower.as_str() {
        "us" | "usec" | "usecs" | "microsecond" => "microseconds",
        "ms" | "msec" | "msecs" | "millisecond" => "milliseconds",
        "s" | "sec" | "secs" | "seconds" => "second",
        "m" | "min" | "mins" | "minutes" => "minute",
        "h" | "hr" | "hrs" | "hours" => "hour",
        "d" | "days" => "day",
        "w" | "weeks" => "week",
        "mon" | "mons" | "months" => "month",
        "qtr" => "quarter",
        "y" | "yr" | "yrs" | "years" => "year",
        "dec" | "decs" | "decades" => "decade",
        "c" | "cent" | "centuries" => "century",
        "mil" | "mils" | "millennia" => "millennium",
        other => other,
    }
    .to_owned()
}

const TIME_UNITS: [&str; 5] = ["microseconds", "milliseconds", "second", "minute", "hour"];

fn of_date(a: &Arguments<'_, '_>) -> Result<Field> {
    let (unit, days) = (unit_name(a.text(0)), a.int(1));
    if days.abs() >= INFINITE_DATE {
        return Err(SqlError::unsupported("a field of an infinite date"));
    }
    if TIME_UNITS.contains(&unit.as_str()) || unit.starts_with("timezone") {
        return Err(unsupported(&unit, Type::DATE));
    }
    match unit.as_str() {
        "epoch" => whole(days * 86_400),
        "julian" => whole(days + JULIAN_EPOCH),
        _ => day_field(&unit, days).ok_or_else(|| unrecognized(&unit, Type::DATE)).and_then(whole),
    }
}

/// `date_part` of a date is that of its beginning.
fn of_date_as_instant(a: &Arguments<'_, '_>) -> Result<Field> {
    field_of_instant(a.text(0), a.int(1).saturating_mul(DAY), Type::TIMESTAMP)
}

fn of_instant(a: &Arguments<'_, '_>, type_: Type) -> Result<Field> {
    field_of_instant(a.text(0), a.int(1), type_)
}

fn field_of_instant(unit: &str, micros: i64, type_: Type) -> Result<Field> {
    let unit = unit_name(unit);
    if !is_finite(micros) {
        return Err(SqlError::unsupported("a field of an infinite timestamp"));
    }
    let (days, time) = (micros.div_euclid(DAY), micros.rem_euclid(DAY));
    if let Some(field) = time_field(&unit, time) {
        return Ok(field);
    }
    match unit.as_str() {
        "epoch" => fraction(micros.into(), 6),
        "julian" => {
            let day = Decimal::whole(time).divide(&Decimal::whole(DAY))?;
            let day = day.add(&Decimal::whole(days + JULIAN_EPOCH));
            let unscaled = i128::try_from(day.unscaled).unwrap_or_default();
            Ok(Field { unscaled, scale: day.scale })
        }
        "timezone" | "timezone_hour" | "timezone_minute" if type_ == Type::TIMESTAMPTZ => whole(0),
        "timezone" | "timezone_hour" | "timezone_minute" => Err(unsupported(&unit, type_)),
        _ => day_field(&unit, days).ok_or_else(|| unrecognized(&unit, type_)).and_then(whole),
    }
}

fn of_time(a: &Arguments<'_, '_>) -> Result<Field> {
    let (unit, micros) = (unit_name(a.text(0)), a.int(1));
    if let Some(field) = time_field(&unit, micros) {
        return Ok(field);
    }
    match unit.as_str() {
        "epoch" => fraction(micros.into(), 6),
        _ if day_field(&unit, 0).is_some() => Err(unsupported(&unit, Type::TIME)),
        _ => Err(unrecognized(&unit, Type::TIME)),
    }
}

fn of_zoned_time(a: &Arguments<'_, '_>) -> Result<Field> {
    let (unit, (micros, offset)) = (unit_name(a.text(0)), timetz::read(a.text(1)));
    if let Some(field) = time_field(&unit, micros) {
        return Ok(field);
    }
    match unit.as_str() {
        "epoch" => fraction((micros - offset).into(), 6),
        "timezone" => whole(offset / SECOND),
        "timezone_hour" => whole(offset / HOUR),
        "timezone_minute" => whole(offset % HOUR / MINUTE),
        _ if day_field(&unit, 0).is_some() => Err(unsupported(&unit, Type::TIMETZ)),
        _ => Err(unrecognized(&unit, Type::TIMETZ)),
    }
}

/// A time of day with an offset, as one with another offset.
fn at_offset(text: &str, offset: i64) -> String {
    let (time, before) = timetz::read(text);
    timetz::of((time - before).wrapping_add(offset).rem_euclid(DAY), offset)
}

/// A field of a time of day, or of the time in an interval.
fn time_field(unit: &str, micros: i64) -> Option<Field> {
    Some(match unit {
        "microseconds" => Field { unscaled: (micros % MINUTE).into(), scale: 0 },
        "milliseconds" => Field { unscaled: (micros % MINUTE).into(), scale: 3 },
        "second" => Field { unscaled: (micros % MINUTE).into(), scale: 6 },
        "minute" => Field { unscaled: (micros / MINUTE % 60).into(), scale: 0 },
        "hour" => Field { unscaled: (micros / HOUR).into(), scale: 0 },
        _ => return None,
    })
}

/// A field of a date.
fn day_field(unit: &str, days: i64) -> Option<i64> {
    let (year, month, day) = civil_from_days(days);
    // There is no year 0: the year before 1 is shown as -1.
    let shown = if year > 0 { year } else { year - 1 };
    let group =
        |size: i64| if year > 0 { (year + size - 1) / size } else { -((size - 1 - (year - 1)) / size) };
    Some(match unit {
        "day" => day,
        "month" => month,
        "quarter" => (month - 1) / 3 + 1,
        "year" => shown,
        "decade" => year.div_euclid(10),
        "century" => group(100),
        "millennium" => group(1000),
        "dow" => (days + 4).rem_euclid(7),
        "isodow" => (days + 3).rem_euclid(7) + 1,
        "doy" => days - days_from_civil(year, 1, 1) + 1,
        "week" => iso_week(days).1,
        "isoyear" => {
            let year = iso_week(days).0;
            if year > 0 { year } else { year - 1 }
        }
        _ => return None,
    })
}

/// The year and the week by ISO 8601: weeks begin on Monday and belong to the year of their Thursday.
pub(super) fn iso_week(days: i64) -> (i64, i64) {
    let thursday = days - (days + 3).rem_euclid(7) + 3;
    let (year, _, _) = civil_from_days(thursday);
    (year, (thursday - days_from_civil(year, 1, 1)) / 7 + 1)
}

fn of_interval(a: &Arguments<'_, '_>) -> Result<Field> {
    let (unit, Interval { months, days, micros }) = (unit_name(a.text(0)), read(a, 1)?);
    if let Some(field) = time_field(&unit, micros) {
        return Ok(field);
    }
    match unit.as_str() {
        "day" => whole(days),
        "month" => whole(months % 12),
        "quarter" => whole(months % 12 / 3 + 1),
        "year" => whole(months / 12),
        "decade" => whole(months / 120),
        "century" => whole(months / 1_200),
        "millennium" => whole(months / 12_000),
        "epoch" => {
            // A year has 365.25 days here.
            let days = i128::from(months / 12) * 1_461 * 6 + i128::from(months % 12 * 30 + days) * 24;
            fraction(days * i128::from(HOUR) + i128::from(micros), 6)
        }
        "week" | "dow" | "isodow" | "doy" | "isoyear" | "julian" | "timezone" => {
            Err(unsupported(&unit, Type::INTERVAL))
        }
        _ => Err(unrecognized(&unit, Type::INTERVAL)),
    }
}

fn truncate(a: &Arguments<'_, '_>, type_: Type) -> Result<Value> {
    instant(Some(truncated(a.text(0), a.int(1), type_)?))
}

fn truncate_in_zone(a: &Arguments<'_, '_>) -> Result<Value> {
    let local = truncated(a.text(0), to_local(a.int(1), a.text(2))?, Type::TIMESTAMPTZ)?;
    instant(Some(from_local(local, a.text(2))?))
}

fn truncated(given: &str, micros: i64, type_: Type) -> Result<i64> {
    let unit = unit_name(given);
    let to = |length: i64| Ok(micros.div_euclid(length) * length);
    if !is_finite(micros) {
        return Ok(micros);
    }
    let days = micros.div_euclid(DAY);
    let (year, month, _) = civil_from_days(days);
    let first = |year: i64, month: i64| Ok(days_from_civil(year, month, 1) * DAY);
    let first_of = |size: i64| first((year - 1).div_euclid(size) * size + 1, 1);
    match unit.as_str() {
        "microseconds" => Ok(micros),
        "milliseconds" => to(1_000),
        "second" => to(SECOND),
        "minute" => to(MINUTE),
        "hour" => to(HOUR),
        "day" => to(DAY),
        "week" => Ok((days - (days + 3).rem_euclid(7)) * DAY),
        "month" => first(year, month),
        "quarter" => first(year, (month - 1) / 3 * 3 + 1),
        "year" => first(year, 1),
        "decade" => first(year.div_euclid(10) * 10, 1),
        "century" => first_of(100),
        "millennium" => first_of(1000),
        _ => Err(unrecognized(given, type_)),
    }
}

fn truncate_interval(a: &Arguments<'_, '_>) -> Result<Value> {
    let unit = unit_name(a.text(0));
    let Interval { months, days, micros } = read(a, 1)?;
    let in_months = |size: i64| Interval { months: months / size * size, ..Interval::default() };
    let in_micros = |size: i64| Interval { months, days, micros: micros / size * size };
    span(match unit.as_str() {
        "microseconds" => in_micros(1),
        "milliseconds" => in_micros(1_000),
        "second" => in_micros(SECOND),
        "minute" => in_micros(MINUTE),
        "hour" => in_micros(HOUR),
        "day" => Interval { months, days, micros: 0 },
        "month" => in_months(1),
        "quarter" => in_months(3),
        "year" => in_months(12),
        "decade" => in_months(120),
        "century" => in_months(1_200),
        "millennium" => in_months(12_000),
        "week" => {
            return Err(unsupported(&unit, Type::INTERVAL).detail("Months usually have fractional weeks."));
        }
        _ => return Err(unrecognized(a.text(0), Type::INTERVAL)),
    })
}
