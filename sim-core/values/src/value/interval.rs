//! Spans of months, days and microseconds.

use std::cmp::Ordering;
use std::fmt;

use super::datetime::{DAY, civil_from_days, days_in_month, print_time};
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;

/// A span. Months and days are kept apart because their lengths vary.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Interval {
    /// Months, years included.
    pub months: i64,
    /// Days, weeks included.
    pub days: i64,
    /// Microseconds.
    pub micros: i64,
}

/// The fields that a type `interval` may be limited to, with the bits of PostgreSQL's modifier.
const FIELDS: [(&str, i32); 13] = [
    ("year", YEAR),
    ("month", MONTH),
    ("day", DAYS),
    ("hour", HOUR),
    ("minute", MINUTE),
    ("second", SECOND),
    ("year to month", YEAR | MONTH),
    ("day to hour", DAYS | HOUR),
    ("day to minute", DAYS | HOUR | MINUTE),
    ("day to second", DAYS | HOUR | MINUTE | SECOND),
    ("hour to minute", HOUR | MINUTE),
    ("hour to second", HOUR | MINUTE | SECOND),
    ("minute to second", MINUTE | SECOND),
];
const MONTH: i32 = 1 << 1;
const YEAR: i32 = 1 << 2;
const DAYS: i32 = 1 << 3;
const HOUR: i32 = 1 << 10;
const MINUTE: i32 = 1 << 11;
const SECOND: i32 = 1 << 12;
const ALL_FIELDS: i32 = 0x7fff;
const ALL_DIGITS: i32 = 0xffff;

/// The modifier of a type such as `interval day to second(2)`; -1 for a plain `interval`.
pub fn modifier(fields: Option<&str>, digits: Option<u64>) -> i32 {
    if fields.is_none() && digits.is_none() {
        return -1;
    }
    let known = |fields: &str| FIELDS.iter().find(|(name, _)| name.eq_ignore_ascii_case(fields));
    let fields = fields.and_then(known).map_or(ALL_FIELDS, |(_, bits)| *bits);
    let digits = digits.map_or(ALL_DIGITS, |digits| digits.min(6) as i32);
    fields << 16 | digits
}

/// What a modifier adds to the type's name: ` day to second(2)`.
pub fn words(modifier: i32) -> String {
    let (fields, digits) = (modifier >> 16 & ALL_FIELDS, modifier & ALL_DIGITS);
    let name =
        FIELDS.iter().find(|(_, bits)| *bits == fields).map_or(String::new(), |(name, _)| format!(" {name}"));
    if digits == ALL_DIGITS { name } else { format!("{name}({digits})") }
}

/// A text for a type with a modifier: a bare number counts the smallest of its fields.
pub fn with_unit(text: &str, modifier: i32) -> String {
    let fields = modifier >> 16 & ALL_FIELDS;
    let smallest =
        FIELDS.iter().find(|(_, bits)| *bits == fields).and_then(|(name, _)| name.rsplit(' ').next());
    match smallest {
        Some(unit) if text.trim().parse::<f64>().is_ok() => format!("{text} {unit}"),
        _ => text.to_owned(),
    }
}

impl Interval {
    /// Keeps the fields and digits that a type's modifier allows.
    #[must_use]
    pub fn limited(self, modifier: i32) -> Interval {
        let (fields, digits) = (modifier >> 16 & ALL_FIELDS, modifier & ALL_DIGITS);
        let Interval { mut months, mut days, mut micros } = self;
        if fields == YEAR {
            months -= months % 12;
        }
        if fields & (DAYS | HOUR | MINUTE | SECOND) == 0 {
            days = 0;
        }
        micros -= match fields {
            _ if fields & SECOND != 0 => 0,
            _ if fields & MINUTE != 0 => micros % 60_000_000,
            _ if fields & HOUR != 0 => micros % 3_600_000_000,
            _ => micros,
        };
        if digits < 6 {
            let unit = 10_i64.pow(6 - digits as u32);
            let half = if micros < 0 { -unit / 2 } else { unit / 2 };
            micros = micros.saturating_add(half) / unit * unit;
        }
        Interval { months, days, micros }
    }

    /// Reads PostgreSQL's own and ISO 8601 forms.
    pub fn parse(text: &str) -> Result<Interval> {
        let invalid = || {
            SqlError::new(
                SqlState::INVALID_DATETIME,
                format!("invalid input syntax for type interval: \"{text}\""),
            )
        };
        let trimmed = text.trim();
        let read = if trimmed.starts_with(['P', 'p']) { iso(&trimmed[1..]) } else { verbose(trimmed) };
        let interval = read.ok_or_else(invalid)?;
        if i32::try_from(interval.months).is_err() || i32::try_from(interval.days).is_err() {
            return Err(SqlError::new(
                SqlState::DATETIME_OVERFLOW,
                format!("interval field value out of range: \"{text}\""),
            ));
        }
        Ok(interval)
    }

    /// Its length when a month has 30 days and a day 24 hours; intervals are compared by it.
    pub fn length(self) -> i128 {
        i128::from(self.months * 30 + self.days) * i128::from(DAY) + i128::from(self.micros)
    }

    /// With full days of hours as days, both of one sign.
    #[must_use]
    pub fn hours_as_days(self) -> Interval {
        Interval { days: self.days + self.micros / DAY, micros: self.micros % DAY, ..self }.of_one_sign()
    }

    /// With full 30 days as months, both of one sign.
    #[must_use]
    pub fn days_as_months(self) -> Interval {
        let (mut months, mut days) = (self.months + self.days / 30, self.days % 30);
        if months > 0 && days < 0 {
            (months, days) = (months - 1, days + 30);
        } else if months < 0 && days > 0 {
            (months, days) = (months + 1, days - 30);
        }
        Interval { months, days, ..self }
    }

    /// With full days of hours as days, and full 30 days as months, all of one sign.
    #[must_use]
    pub fn justified(self) -> Interval {
        let mut result = self.hours_as_days().days_as_months();
        if result.months > 0 && (result.days < 0 || (result.days == 0 && result.micros < 0)) {
            (result.months, result.days) = (result.months - 1, result.days + 30);
        } else if result.months < 0 && (result.days > 0 || (result.days == 0 && result.micros > 0)) {
            (result.months, result.days) = (result.months + 1, result.days - 30);
        }
        result.of_one_sign()
    }

    /// Days and hours of one sign.
    fn of_one_sign(mut self) -> Interval {
        if self.days > 0 && self.micros < 0 {
            (self.days, self.micros) = (self.days - 1, self.micros + DAY);
        } else if self.days < 0 && self.micros > 0 {
            (self.days, self.micros) = (self.days + 1, self.micros - DAY);
        }
        self
    }

    /// The difference of two timestamps in years, months, days and time, as on a calendar.
    pub fn between(later: i64, earlier: i64) -> Interval {
        let backwards = later < earlier;
        let (from, to) = if backwards { (later, earlier) } else { (earlier, later) };
        let ((year, month, day), (to_year, to_month, to_day)) =
            (civil_from_days(from.div_euclid(DAY)), civil_from_days(to.div_euclid(DAY)));
        let mut micros = to.rem_euclid(DAY) - from.rem_euclid(DAY);
        let mut days = to_day - day;
        let mut months = (to_year - year) * 12 + to_month - month;
        if micros < 0 {
            (micros, days) = (micros + DAY, days - 1);
        }
        while days < 0 {
            (days, months) = (days + days_in_month(year, month), months - 1);
        }
        let sign = if backwards { -1 } else { 1 };
        Interval { months: sign * months, days: sign * days, micros: sign * micros }
    }

    /// The order of two printed intervals.
    pub fn compare(left: &str, right: &str) -> Ordering {
        let length = |text| Interval::parse(text).map_or(0, Interval::length);
        length(left).cmp(&length(right))
    }

    /// Adds `amount` of `unit`; fractions of larger units are carried to smaller ones.
    fn add(&mut self, amount: f64, unit: &str) -> Option<()> {
        let whole = amount.trunc();
        let fraction = amount - whole;
        let months = |interval: &mut Interval, per_unit: i64| {
            interval.months += (amount * per_unit as f64).round_ties_even() as i64;
        };
        match unit {
            "mil" | "millennium" | "millennia" | "mils" => months(self, 12_000),
            "c" | "cent" | "century" | "centuries" => months(self, 1_200),
            "dec" | "decs" | "decade" | "decades" => months(self, 120),
            "y" | "yr" | "yrs" | "year" | "years" => months(self, 12),
            "mon" | "mons" | "month" | "months" => {
                self.months += whole as i64;
                self.add_days(fraction * 30.0);
            }
            "w" | "week" | "weeks" => self.add_days(amount * 7.0),
            "d" | "day" | "days" => self.add_days(amount),
            "h" | "hr" | "hrs" | "hour" | "hours" => self.micros += (amount * 3.6e9).round_ties_even() as i64,
            "m" | "min" | "mins" | "minute" | "minutes" => {
                self.micros += (amount * 6e7).round_ties_even() as i64;
            }
            "s" | "sec" | "secs" | "second" | "seconds" => {
                self.micros += (amount * 1e6).round_ties_even() as i64;
            }
            "ms" | "msec" | "msecs" | "millisecond" | "milliseconds" => {
                self.micros += (amount * 1e3).round_ties_even() as i64;
            }
            "us" | "usec" | "usecs" | "microsecond" | "microseconds" => {
                self.micros += amount.round_ties_even() as i64;
            }
            _ => return None,
        }
        Some(())
    }

    fn add_days(&mut self, amount: f64) {
        self.days += amount.trunc() as i64;
        self.micros += (amount.fract() * DAY as f64).round_ties_even() as i64;
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        let mut negative_before = false;
        let units = [(self.months / 12, "year"), (self.months % 12, "mon"), (self.days, "day")];
        for (amount, unit) in units.into_iter().filter(|(amount, _)| *amount != 0) {
            let sign = if negative_before && amount > 0 { "+" } else { "" };
            let plural = if amount == 1 { "" } else { "s" };
            parts.push(format!("{sign}{amount} {unit}{plural}"));
            negative_before = amount < 0;
        }
        if self.micros != 0 || parts.is_empty() {
            let sign = match self.micros {
                micros if micros < 0 => "-",
                _ if negative_before => "+",
                _ => "",
            };
            parts.push(format!("{sign}{}", print_time(self.micros.saturating_abs())));
        }
        f.write_str(&parts.join(" "))
    }
}

/// `1 day 02:03:04`, `1 year 2 mons ago`, `@ 3 hours`.
fn verbose(text: &str) -> Option<Interval> {
    let lower = text.to_ascii_lowercase();
    let spaced = join_signs(&space_units(lower.trim_start_matches('@')));
    let mut words: Vec<&str> = spaced.split_whitespace().collect();
    let ago = words.last() == Some(&"ago");
    if ago {
        words.pop();
    }
    let mut interval = Interval::default();
    let mut index = 0;
    if words.is_empty() {
        return None;
    }
    let mut seen = Vec::new();
    while index < words.len() {
        let word = words[index];
        index += 1;
        if word.contains(':') {
            interval.micros += clock(word)?;
        } else if let Some((years, months)) = word.trim_start_matches(['-', '+']).split_once('-') {
            let sign = if word.starts_with('-') { -1 } else { 1 };
            interval.months +=
                sign * (years.parse::<i32>().ok()? as i64 * 12 + months.parse::<i32>().ok()? as i64);
        } else {
            let amount: f64 = word.parse().ok().filter(|amount: &f64| amount.is_finite())?;
            let unit =
                words.get(index).copied().filter(|unit| !unit.contains(':') && unit.parse::<f64>().is_err());
            match unit {
                Some(unit) => {
                    index += 1;
                    let same = unit.trim_end_matches('s');
                    if seen.contains(&same) {
                        return None;
                    }
                    seen.push(same);
                    interval.add(amount, unit)?;
                }
                None if words.get(index).is_some_and(|next| next.contains(':')) => {
                    interval.add(amount, "day")?;
                }
                None => interval.add(amount, "second")?,
            }
        }
    }
    if ago {
        interval = Interval { months: -interval.months, days: -interval.days, micros: -interval.micros };
    }
    Some(interval)
}

/// `1 month - 1 day` is `1 month -1 day`.
fn join_signs(text: &str) -> String {
    let mut joined = String::new();
    let mut after_sign = false;
    for character in text.chars() {
        if after_sign && character == ' ' {
            continue;
        }
        after_sign = "+-".contains(character) && joined.ends_with([' ', '+', '-'])
            || "+-".contains(character) && joined.is_empty();
        joined.push(character);
    }
    joined
}

/// `1d12h` is `1 d 12 h`.
fn space_units(text: &str) -> String {
    let mut spaced = String::new();
    let mut previous = ' ';
    for character in text.chars() {
        let turns = (previous.is_ascii_digit() && character.is_ascii_alphabetic())
            || (previous.is_ascii_alphabetic() && (character.is_ascii_digit() || "+-".contains(character)));
        if turns {
            spaced.push(' ');
        }
        spaced.push(character);
        previous = character;
    }
    spaced
}

fn clock(word: &str) -> Option<i64> {
    let negative = word.starts_with('-');
    let digits = word.trim_start_matches(['-', '+']);
    let parts: Vec<&str> = digits.split(':').collect();
    let (hours, minutes, seconds) = match parts[..] {
        [minutes, seconds] if seconds.contains('.') => ("0", minutes, seconds),
        [hours, minutes] => (hours, minutes, "0"),
        [hours, minutes, seconds] => (hours, minutes, seconds),
        _ => return None,
    };
    let seconds: f64 = seconds.parse().ok()?;
    let minutes = i64::from(hours.parse::<u32>().ok()?) * 60 + i64::from(minutes.parse::<u32>().ok()?);
    let micros = minutes * 60_000_000 + (seconds * 1e6).round_ties_even() as i64;
    Some(if negative { -micros } else { micros })
}

/// `1Y2M3DT4H5M6S`, after the `P`.
fn iso(text: &str) -> Option<Interval> {
    if text.contains(':')
        || text
            .trim_start_matches('-')
            .split('T')
            .next()
            .is_some_and(|date| date.contains('-') && !date.ends_with(|c: char| c.is_ascii_alphabetic()))
    {
        return iso_dashed(text);
    }
    let mut interval = Interval::default();
    let mut number = String::new();
    let mut in_time = false;
    for character in text.chars() {
        match character.to_ascii_uppercase() {
            'T' => in_time = true,
            '0'..='9' | '.' | '-' | '+' => number.push(character),
            unit => {
                let amount: f64 = number.parse().ok()?;
                number.clear();
                let unit = match (unit, in_time) {
                    ('Y', false) => "year",
                    ('M', false) => "month",
                    ('W', false) => "week",
                    ('D', false) => "day",
                    ('H', true) => "hour",
                    ('M', true) => "minute",
                    ('S', true) => "second",
                    _ => return None,
                };
                interval.add(amount, unit)?;
            }
        }
    }
    number.is_empty().then_some(interval)
}

/// `0001-02-03T04:05:06`, after the `P`.
fn iso_dashed(text: &str) -> Option<Interval> {
    let (date, time) = text.split_once(['T', 't']).unwrap_or((text, ""));
    let numbers: Vec<i64> = match date {
        "" => Vec::new(),
        date => date.split('-').map(|part| part.parse().ok()).collect::<Option<_>>()?,
    };
    let part = |index: usize| numbers.get(index).copied().unwrap_or(0);
    if numbers.len() > 3 {
        return None;
    }
    let micros = if time.is_empty() { 0 } else { clock(time)? };
    Some(Interval { months: part(0) * 12 + part(1), days: part(2), micros })
}

/// The error for a result out of the range of intervals.
pub fn out_of_range() -> SqlError {
    let _ = Type::INTERVAL;
    SqlError::new(SqlState::DATETIME_OVERFLOW, "interval out of range")
}
