//! Intervals of PostgreSQL's dialect: months, days and microseconds. On SQLite they are texts, which PostgreSQL would print.

use std::cmp::Ordering;
use std::fmt::{self, Write as _};

use rusqlite::functions::{Aggregate, Context};
use rusqlite::types::Value;
use rusqlite::{Connection, Result};
use sim_values::value::datetime::{DAY, civil_from_days, days_in_month};

use super::instant::shifted;
use super::{Arguments, Function, PURE, fail};

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_interval", call: |a| Ok(read(a.text(0))?.text()) },
    Function { name: "wh_interval_add", call: |a| sum(a, 1) },
    Function { name: "wh_interval_subtract", call: |a| sum(a, -1) },
    Function { name: "wh_interval_times", call: |a| scaled(read(a.text(0))?, a.real(1), false) },
    Function { name: "wh_interval_over", call: |a| scaled(read(a.text(0))?, a.real(1), true) },
    Function { name: "wh_interval_between", call: |a| between(a.int(0), a.int(1)) },
    Function { name: "wh_interval_moved", call: moved },
    Function { name: "wh_interval_part", call: |a| part(&read(a.text(0))?, a.text(1)) },
    Function { name: "wh_interval_trunc", call: |a| truncated(read(a.text(0))?, a.text(1)) },
    Function { name: "wh_interval_format", call: |a| Ok(formatted(&read(a.text(0))?, a.text(1)).into()) },
    Function { name: "wh_justify_hours", call: |a| Ok(read(a.text(0))?.hours_as_days().text()) },
    Function { name: "wh_justify_days", call: |a| Ok(read(a.text(0))?.days_as_months().text()) },
    Function { name: "wh_justify_interval", call: |a| Ok(read(a.text(0))?.justified().text()) },
    Function { name: "wh_age", call: |a| Ok(age(a.int(0), a.int(1)).text()) },
];

/// Registers what compares and collects intervals.
pub(super) fn register(connection: &Connection) -> Result<()> {
    connection.create_collation("wh_interval", compared)?;
    connection.create_aggregate_function("wh_interval_sum", 1, PURE, Total { mean: false })?;
    connection.create_aggregate_function("wh_interval_avg", 1, PURE, Total { mean: true })
}

/// Months, days and microseconds, each with a sign of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) months: i64,
    pub(crate) days: i64,
    pub(crate) micros: i64,
}

const MONTH_DAYS: f64 = 30.0;
const DAY_SECONDS: f64 = 86_400.0;
const SECOND: f64 = 1e6;

impl Interval {
    /// The value that comparisons use: months have 30 days, days 24 hours.
    fn span(&self) -> i128 {
        i128::from(self.months) * 30 * i128::from(DAY)
            + i128::from(self.days) * i128::from(DAY)
            + i128::from(self.micros)
    }

    /// Months and days have 32 bits.
    fn within(self) -> Option<Interval> {
        let fits = [self.months, self.days].iter().all(|part| i32::try_from(*part).is_ok());
        fits.then_some(self)
    }

    fn text(&self) -> Value {
        self.to_string().into()
    }

    fn plus(&self, other: &Interval, sign: i64) -> Option<Interval> {
        let add = |one: i64, other: i64| one.checked_add(other.checked_mul(sign)?);
        let sum = Interval {
            months: add(self.months, other.months)?,
            days: add(self.days, other.days)?,
            micros: add(self.micros, other.micros)?,
        };
        sum.within()
    }

    /// Full days of hours as days, with one sign for both.
    fn hours_as_days(&self) -> Interval {
        let (mut days, mut micros) = (self.days + self.micros / DAY, self.micros % DAY);
        if days > 0 && micros < 0 {
            (days, micros) = (days - 1, micros + DAY);
        } else if days < 0 && micros > 0 {
            (days, micros) = (days + 1, micros - DAY);
        }
        Interval { days, micros, ..*self }
    }

    /// Full days as months and full hours as days, all with one sign.
    fn justified(&self) -> Interval {
        let days = self.days + self.micros / DAY;
        let (mut months, mut days, mut micros) = (self.months + days / 30, days % 30, self.micros % DAY);
        if months > 0 && (days < 0 || (days == 0 && micros < 0)) {
            (months, days) = (months - 1, days + 30);
        } else if months < 0 && (days > 0 || (days == 0 && micros > 0)) {
            (months, days) = (months + 1, days - 30);
        }
        if days > 0 && micros < 0 {
            (days, micros) = (days - 1, micros + DAY);
        } else if days < 0 && micros > 0 {
            (days, micros) = (days + 1, micros - DAY);
        }
        Interval { months, days, micros }
    }

    /// Full 30 days as months.
    fn days_as_months(&self) -> Interval {
        let (mut months, mut days) = (self.months + self.days / 30, self.days % 30);
        if months > 0 && days < 0 {
            (months, days) = (months - 1, days + 30);
        } else if months < 0 && days > 0 {
            (months, days) = (months + 1, days - 30);
        }
        Interval { months, days, ..*self }
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [(self.months / 12, "year"), (self.months % 12, "mon"), (self.days, "day")];
        let (mut is_zero, mut is_before) = (true, false);
        for (value, unit) in parts.into_iter().filter(|(value, _)| *value != 0) {
            let blank = if is_zero { "" } else { " " };
            let plus = if is_before && value > 0 { "+" } else { "" };
            let many = if value == 1 { "" } else { "s" };
            write!(f, "{blank}{plus}{value} {unit}{many}")?;
            (is_zero, is_before) = (false, value < 0);
        }
        if !is_zero && self.micros == 0 {
            return Ok(());
        }
        let blank = if is_zero { "" } else { " " };
        let sign = match (self.micros < 0, is_before) {
            (true, _) => "-",
            (false, true) => "+",
            (false, false) => "",
        };
        let micros = self.micros.unsigned_abs();
        let seconds = micros / 1_000_000;
        write!(f, "{blank}{sign}{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
        match micros % 1_000_000 {
            0 => Ok(()),
            fraction => write!(f, ".{}", format!("{fraction:06}").trim_end_matches('0')),
        }
    }
}

/// Reads `1 day 02:30`, `90 minutes`, `1.5 hours ago`; `None` for other forms.
pub(crate) fn parse(text: &str) -> Option<Interval> {
    const MOST: f64 = 9e15;
    let spaced = spaced(text);
    let mut words = spaced.split_whitespace().peekable();
    words.peek()?;
    let (mut months, mut days, mut micros) = (0.0, 0.0, 0.0);
    let mut ago = false;
    while let Some(word) = words.next() {
        if ago {
            return None;
        }
        if word.eq_ignore_ascii_case("ago") {
            ago = true;
            continue;
        }
        if word.contains(':') {
            micros += clock(word)?;
            continue;
        }
        let digits = word.strip_prefix('+').unwrap_or(word);
        let is_number = digits.starts_with(|sign: char| sign.is_ascii_digit() || sign == '-' || sign == '.');
        let count = digits.parse::<f64>().ok().filter(|count| is_number && count.is_finite())?;
        let unit = match words.peek() {
            Some(unit) if unit.starts_with(char::is_alphabetic) && !unit.eq_ignore_ascii_case("ago") => {
                words.next().unwrap_or_default().to_lowercase()
            }
            // A number at the end is of seconds.
            None => "second".to_owned(),
            Some(_) => return None,
        };
        let part = spread(count, &unit)?;
        months += part.0;
        days += part.1;
        micros += part.2;
    }
    let sign = if ago { -1.0 } else { 1.0 };
    let fits = [months, days, micros].iter().all(|part| part.abs() < MOST);
    let whole = |part: f64| (sign * part) as i64;
    if !fits {
        return None;
    }
    Interval { months: whole(months), days: whole(days), micros: whole(micros) }.within()
}

/// Months, days and microseconds of so many units. A part of a month is of days, and a part of a day of hours.
fn spread(count: f64, unit: &str) -> Option<(f64, f64, f64)> {
    let of_days = |count: f64| (0.0, count.trunc(), (count.fract() * DAY_SECONDS * SECOND).round());
    let of_clock = |length: f64| (0.0, 0.0, (count * length).round());
    // Parts of longer units are of whole months.
    let of_years = |years: f64| ((count * years * 12.0).round(), 0.0, 0.0);
    Some(match unit {
        "microsecond" | "microseconds" | "us" | "usec" | "usecs" => of_clock(1.0),
        "millisecond" | "milliseconds" | "ms" | "msec" | "msecs" => of_clock(1e3),
        "second" | "seconds" | "s" | "sec" | "secs" => of_clock(SECOND),
        "minute" | "minutes" | "m" | "min" | "mins" => of_clock(60e6),
        "hour" | "hours" | "h" | "hr" | "hrs" => of_clock(3600e6),
        "day" | "days" | "d" => of_days(count),
        "week" | "weeks" | "w" => of_days(count * 7.0),
        "month" | "months" | "mon" | "mons" => {
            let (_, days, micros) = of_days((count.fract() * MONTH_DAYS * SECOND).round() / SECOND);
            (count.trunc(), days, micros)
        }
        "year" | "years" | "y" | "yr" | "yrs" => of_years(1.0),
        "decade" | "decades" => of_years(10.0),
        "century" | "centuries" => of_years(100.0),
        _ => return None,
    })
}

/// The text with blanks between numbers and units: `1h30m`.
fn spaced(text: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for sign in text.trim().trim_start_matches('@').chars() {
        let is_digit = |sign: char| sign.is_ascii_digit() || sign == '.';
        if (is_digit(before) && sign.is_alphabetic()) || (before.is_alphabetic() && sign.is_ascii_digit()) {
            out.push(' ');
        }
        out.push(sign);
        before = sign;
    }
    out
}

/// Microseconds of `02:30` or `-01:00:00.5`.
fn clock(word: &str) -> Option<f64> {
    let (sign, word) = match word.strip_prefix('-') {
        Some(word) => (-1.0, word),
        None => (1.0, word.strip_prefix('+').unwrap_or(word)),
    };
    let is_plain = |part: &&str| part.chars().all(|sign| sign.is_ascii_digit() || sign == '.');
    let parts = word.split(':').map(|part| Some(part).filter(is_plain)?.parse::<f64>().ok());
    let seconds = match parts.collect::<Option<Vec<_>>>()?.as_slice() {
        [hours, minutes] if *minutes < 60.0 => hours * 3600.0 + minutes * 60.0,
        [hours, minutes, seconds] if *minutes < 60.0 && *seconds < 60.0 => {
            hours * 3600.0 + minutes * 60.0 + seconds
        }
        _ => return None,
    };
    Some(sign * (seconds * SECOND).round())
}

fn read(text: &str) -> Result<Interval> {
    match parse(text) {
        Some(interval) => Ok(interval),
        None => fail(format!("invalid input syntax for type interval: \"{text}\"")),
    }
}

fn in_range(interval: Option<Interval>) -> Result<Interval> {
    match interval {
        Some(interval) => Ok(interval),
        None => fail("interval out of range"),
    }
}

fn compared(one: &str, other: &str) -> Ordering {
    match (parse(one), parse(other)) {
        (Some(one), Some(other)) => one.span().cmp(&other.span()),
        _ => one.cmp(other),
    }
}

fn sum(a: &Arguments<'_, '_>, sign: i64) -> Result<Value> {
    let (one, other) = (read(a.text(0))?, read(a.text(1))?);
    Ok(in_range(one.plus(&other, sign))?.text())
}

/// The interval times a number, or divided by it. What is left of months goes to days, and what is left of days to the clock.
fn scaled(interval: Interval, factor: f64, divides: bool) -> Result<Value> {
    if divides && factor == 0.0 {
        return fail("division by zero");
    }
    Ok(in_range(times(&interval, factor, divides))?.text())
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
    if micros.abs() < 9.2e18 { Interval { months, days, micros: micros as i64 }.within() } else { None }
}

/// The difference of instants, in days and hours.
fn between(end: i64, start: i64) -> Result<Value> {
    match end.checked_sub(start) {
        Some(micros) => Ok(Interval { months: 0, days: micros / DAY, micros: micros % DAY }.text()),
        None => fail("interval out of range"),
    }
}

/// `wh_interval_moved(instant, interval, sign)`
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
    Ok(cut.text())
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

/// `age(end, start)`: the difference in years, months and days of the calendar.
fn age(end: i64, start: i64) -> Interval {
    let fields = |micros: i64| (civil_from_days(micros.div_euclid(DAY)), micros.rem_euclid(DAY));
    let (((end_year, end_month, end_day), end_clock), ((year, month, day), clock)) =
        (fields(end), fields(start));
    let sign = if end < start { -1 } else { 1 };
    let mut micros = sign * (end_clock - clock);
    let mut days = sign * (end_day - day);
    let mut months = sign * ((end_year - year) * 12 + end_month - month);
    if micros < 0 {
        (micros, days) = (micros + DAY, days - 1);
    }
    let (year, month) = if sign < 0 { (end_year, end_month) } else { (year, month) };
    while days < 0 {
        days += days_in_month(year, month);
        months -= 1;
    }
    Interval { months: sign * months, days: sign * days, micros: sign * micros }
}

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
            *total = in_range(total.plus(&read(&text)?, 1))?;
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
