//! Functions of timestamps, local times and days: parsing, printing, truncating, adding.

use std::fmt::Write;
use std::sync::LazyLock;

use regex::{Captures, Regex};
use rusqlite::Result;
use rusqlite::types::Value;
use serde_json::Value as Json;
use sim_values::calendar::{DAYS, MONTHS};
use sim_values::value::datetime::{DAY, civil_from_days, days_from_civil, days_in_month, print_date};
use sim_values::zone::{from_local, to_local};

use super::text::LENGTH_MAX;
use super::{Arguments, Function, fail, list, optional, or_fail, refused};

/// The units of work to print an element of a format.
const ELEMENT: usize = 20;

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_parse_timestamp", call: |a| read(a, "timestamp", parse_timestamp) },
    Function { name: "wh_parse_datetime", call: |a| read(a, "datetime", parse_datetime) },
    Function { name: "wh_parse_date", call: |a| read(a, "date", parse_date) },
    Function { name: "wh_parse_time", call: |a| read(a, "time", parse_time) },
    Function { name: "wh_timestamp_text", call: |a| Ok(format!("{}+00", text(a.int(0))).into()) },
    Function { name: "wh_datetime_text", call: |a| Ok(text(a.int(0)).into()) },
    Function {
        name: "wh_json_timestamp",
        call: |a| Ok(format!("{}Z", text(a.int(0)).replacen(' ', "T", 1)).into()),
    },
    Function { name: "wh_text_in_zone", call: text_in_zone },
    Function { name: "wh_date_text", call: |a| Ok(print_date(a.int(0)).into()) },
    Function { name: "wh_time_text", call: |a| Ok(time_text(a.int(0)).into()) },
    Function { name: "wh_date_of", call: |a| Ok(a.int(0).div_euclid(DAY).into()) },
    Function { name: "wh_time_of", call: |a| Ok(a.int(0).rem_euclid(DAY).into()) },
    Function { name: "wh_trunc", call: |a| Ok(truncated(a.int(0), a.text(1)).into()) },
    Function { name: "wh_extract", call: |a| Ok(part(a.int(0), a.text(1)).into()) },
    Function { name: "wh_period", call: |a| Ok(period(a.int(0), a.text(1)).into()) },
    Function { name: "wh_shift", call: |a| Ok(shifted(a.int(0), a.int(1), a.text(2))?.into()) },
    Function { name: "wh_to_zone", call: |a| zoned(a, to_local, 1) },
    Function { name: "wh_from_zone", call: |a| zoned(a, from_local, -1) },
    Function {
        name: "wh_make_date",
        call: |a| or_fail(date(a.int(0), a.int(1), a.int(2)), false, || "Invalid date".to_owned()),
    },
    Function { name: "wh_make_datetime", call: make_datetime },
    Function { name: "wh_loose_date", call: |a| optional(loose_date(a.text(0))) },
    Function { name: "wh_format", call: |a| format(a, a.text(0), a.int(1)).map(Into::into) },
    Function { name: "wh_generate_moments", call: generate },
];

/// The form of timestamps, as the warehouse reads them.
static FORM: LazyLock<Regex> = LazyLock::new(|| {
    let text = r"^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[ Tt](\d{1,2}):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?)?\s*([Zz]|UTC|[+-]\d{1,2}(?::?\d{2})?)?\s*$";
    Regex::new(text).expect("the pattern is a good one")
});

fn read(a: &Arguments<'_, '_>, what: &str, parse: fn(&str) -> Option<i64>) -> Result<Value> {
    or_fail(parse(a.text(0)), a.safe(1), || format!("Invalid {what}: '{}'", a.text(0)))
}

fn number(captures: &Captures<'_>, group: usize) -> i64 {
    captures.get(group).and_then(|group| group.as_str().parse().ok()).unwrap_or(0)
}

/// The day number of an existing date, from year 1 to 9999.
pub(super) fn date(year: i64, month: i64, day: i64) -> Option<i64> {
    let exists = (1..=9999).contains(&year)
        && (1..=12).contains(&month)
        && (1..=days_in_month(year, month)).contains(&day);
    exists.then(|| days_from_civil(year, month, day))
}

/// Microseconds of an existing time of day. Further digits are cut off.
pub(super) fn clock(hour: i64, minute: i64, second: i64, fraction: &str) -> Option<i64> {
    let exists = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..60).contains(&second);
    let digits: String = fraction.chars().chain("000000".chars()).take(6).collect();
    exists.then(|| ((hour * 60 + minute) * 60 + second) * 1_000_000 + digits.parse::<i64>().unwrap_or(0))
}

fn local(captures: &Captures<'_>) -> Option<i64> {
    let day = date(number(captures, 1), number(captures, 2), number(captures, 3))?;
    let fraction = captures.get(7).map_or("", |group| group.as_str());
    Some(day * DAY + clock(number(captures, 4), number(captures, 5), number(captures, 6), fraction)?)
}

/// Reads a timestamp. Without a zone it is in UTC.
pub(crate) fn parse_timestamp(text: &str) -> Option<i64> {
    let captures = FORM.captures(text)?;
    let zone = captures.get(8).map_or("Z", |group| group.as_str());
    Some(local(&captures)? - offset(zone)?)
}

/// Microseconds east of Greenwich of `Z`, `+02`, `-03:30`.
fn offset(zone: &str) -> Option<i64> {
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return Some(0),
    };
    let digits: String = zone.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) =
        if digits.len() > 2 { digits.split_at(digits.len() - 2) } else { (digits.as_str(), "0") };
    let (hours, minutes): (i64, i64) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours < 15 && minutes < 60).then_some(sign * (hours * 60 + minutes) * 60_000_000)
}

/// Reads a local time. The only allowed zone is `Z`.
pub(crate) fn parse_datetime(text: &str) -> Option<i64> {
    let captures = FORM.captures(text)?;
    let zoned = captures.get(8).is_some_and(|zone| !zone.as_str().eq_ignore_ascii_case("z"));
    if zoned { None } else { local(&captures) }
}

/// Reads a day.
pub(crate) fn parse_date(text: &str) -> Option<i64> {
    let captures = FORM.captures(text)?;
    if captures.get(4).is_some() { None } else { local(&captures).map(|micros| micros.div_euclid(DAY)) }
}

/// Reads a day as the columnar dialect does: one beyond the end of its month is in the next.
fn loose_date(text: &str) -> Option<i64> {
    let captures = FORM.captures(text).filter(|captures| captures.get(4).is_none())?;
    let (month, day) = (number(&captures, 2), number(&captures, 3));
    let is_near = (1..=12).contains(&month) && (1..=31).contains(&day);
    is_near.then(|| days_from_civil(number(&captures, 1), month, 1) + day - 1)
}

/// Reads a time of day.
pub(crate) fn parse_time(text: &str) -> Option<i64> {
    let (time, fraction) = text.trim().split_once('.').unwrap_or((text.trim(), ""));
    let parts: Vec<&str> = time.split(':').collect();
    let numbers = parts
        .iter()
        .map(|part| part.parse::<i64>().ok().filter(|_| part.len() <= 2 && !part.starts_with('+')));
    match numbers.collect::<Option<Vec<_>>>()?.as_slice() {
        [hour, minute, second]
            if fraction.len() <= 9 && fraction.chars().all(|sign| sign.is_ascii_digit()) =>
        {
            clock(*hour, *minute, *second, fraction)
        }
        // Without seconds.
        [hour, minute] if fraction.is_empty() && !text.contains('.') => clock(*hour, *minute, 0, ""),
        _ => None,
    }
}

/// A time as text. A fraction has three or six digits.
fn time_text(micros: i64) -> String {
    let seconds = micros / 1_000_000;
    let text = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    match micros % 1_000_000 {
        0 => text,
        fraction if fraction % 1000 == 0 => format!("{text}.{:03}", fraction / 1000),
        fraction => format!("{text}.{fraction:06}"),
    }
}

fn text(micros: i64) -> String {
    format!("{} {}", print_date(micros.div_euclid(DAY)), time_text(micros.rem_euclid(DAY)))
}

/// A timestamp as a text with the clock and the offset of a zone.
fn text_in_zone(a: &Arguments<'_, '_>) -> Result<Value> {
    let Value::Integer(local) = zoned(a, to_local, 1)? else { return Ok(Value::Null) };
    let minutes = (local - a.int(0)) / 60_000_000;
    let sign = if minutes < 0 { '-' } else { '+' };
    let (hours, rest) = (minutes.abs() / 60, minutes.abs() % 60);
    let rest = if rest == 0 { String::new() } else { format!(":{rest:02}") };
    Ok(format!("{}{sign}{hours:02}{rest}", text(local)).into())
}

/// The first day of a week, by number; Sunday is 0.
fn week_start(unit: &str) -> Option<i64> {
    unit.strip_prefix("week:").and_then(|day| day.parse().ok())
}

fn weekday(days: i64) -> i64 {
    (days + 4).rem_euclid(7)
}

fn iso_year(days: i64) -> i64 {
    // A week belongs to the year of its Thursday.
    civil_from_days(days - (days + 3).rem_euclid(7) + 3).0
}

fn iso_year_start(year: i64) -> i64 {
    let fourth = days_from_civil(year, 1, 4);
    fourth - (fourth + 3).rem_euclid(7)
}

fn truncated(micros: i64, unit: &str) -> i64 {
    let to = |length: i64| micros.div_euclid(length) * length;
    let days = micros.div_euclid(DAY);
    let (year, month, _) = civil_from_days(days);
    if let Some(start) = week_start(unit) {
        return (days - (weekday(days) - start).rem_euclid(7)) * DAY;
    }
    match unit {
        "millisecond" => to(1_000),
        "second" => to(1_000_000),
        "minute" => to(60_000_000),
        "hour" => to(3_600_000_000),
        "day" => to(DAY),
        "month" => days_from_civil(year, month, 1) * DAY,
        "quarter" => days_from_civil(year, (month - 1) / 3 * 3 + 1, 1) * DAY,
        "year" => days_from_civil(year, 1, 1) * DAY,
        "isoyear" => iso_year_start(iso_year(days)) * DAY,
        _ => micros,
    }
}

fn part(micros: i64, name: &str) -> i64 {
    let (days, time) = (micros.div_euclid(DAY), micros.rem_euclid(DAY));
    let (year, month, day) = civil_from_days(days);
    let day_of_year = days - days_from_civil(year, 1, 1);
    match name {
        "microsecond" => time % 1_000_000,
        "millisecond" => time / 1_000 % 1_000,
        "second" => time / 1_000_000 % 60,
        "minute" => time / 60_000_000 % 60,
        "hour" => time / 3_600_000_000,
        "day" => day,
        "dayofweek" => weekday(days) + 1,
        "dayofyear" => day_of_year + 1,
        // Days before the first Sunday are in week 0.
        "week" => (day_of_year + 7 - weekday(days)) / 7,
        "isoweek" => (days - iso_year_start(iso_year(days))) / 7 + 1,
        "isoyear" => iso_year(days),
        "month" => month,
        "quarter" => (month - 1) / 3 + 1,
        _ => year,
    }
}

/// The number of the month, quarter or year.
fn period(micros: i64, unit: &str) -> i64 {
    let days = micros.div_euclid(DAY);
    let (year, month, _) = civil_from_days(days);
    match unit {
        "month" => year * 12 + month,
        "quarter" => year * 4 + (month - 1) / 3,
        "isoyear" => iso_year(days),
        _ => year,
    }
}

/// Adds a number of units. Fails outside of the years 1 to 9999.
pub(super) fn shifted(micros: i64, count: i64, unit: &str) -> Result<i64> {
    let by = |length: i64| count.checked_mul(length).and_then(|length| micros.checked_add(length));
    let by_months = |length: i64| {
        let days = micros.div_euclid(DAY);
        let (year, month, day) = civil_from_days(days);
        let months = count.checked_mul(length)?.checked_add(year * 12 + month - 1)?;
        let (year, month) = (months.div_euclid(12), months.rem_euclid(12) + 1);
        let day = date(year, month, 1)? + day.min(days_in_month(year, month)) - 1;
        Some(day * DAY + micros.rem_euclid(DAY))
    };
    let moved = match unit {
        "microsecond" => by(1),
        "millisecond" => by(1_000),
        "second" => by(1_000_000),
        "minute" => by(60_000_000),
        "hour" => by(3_600_000_000),
        "day" => by(DAY),
        "week" => by(7 * DAY),
        "month" => by_months(1),
        "quarter" => by_months(3),
        _ => by_months(12),
    };
    let range = days_from_civil(1, 1, 1) * DAY..days_from_civil(10_000, 1, 1) * DAY;
    match moved.filter(|moved| range.contains(moved)) {
        Some(moved) => Ok(moved),
        None => fail("the result of moving an instant or day is out of range"),
    }
}

/// Converts between zones. The engine's functions read a bare offset with the opposite sign.
fn zoned(
    a: &Arguments<'_, '_>,
    convert: fn(i64, &str) -> sim_values::error::Result<i64>,
    direction: i64,
) -> Result<Value> {
    let (micros, zone) = (a.int(0), a.text(1));
    if zone.starts_with(['+', '-']) {
        return or_fail(offset(zone).map(|offset| micros + direction * offset), false, || {
            format!("Invalid time zone: {zone}")
        });
    }
    let converted = if is_made_up(zone) { None } else { convert(micros, zone).ok() };
    or_fail(converted, false, || format!("Invalid time zone: {zone}"))
}

/// Whether it is letters and a number, which the engine's functions take for a zone of its own, but no known name.
fn is_made_up(zone: &str) -> bool {
    const KNOWN: [&str; 7] = ["cst6cdt", "est5edt", "gmt+0", "gmt-0", "gmt0", "mst7mdt", "pst8pdt"];
    let has_digit = zone.bytes().any(|sign| sign.is_ascii_digit());
    has_digit && !zone.contains('/') && !KNOWN.contains(&zone.to_ascii_lowercase().as_str())
}

fn make_datetime(a: &Arguments<'_, '_>) -> Result<Value> {
    let day = date(a.int(0), a.int(1), a.int(2));
    let micros = day.and_then(|day| Some(day * DAY + clock(a.int(3), a.int(4), a.int(5), "")?));
    or_fail(micros, false, || "Invalid datetime".to_owned())
}

/// Prints a local time by the elements of a format.
fn format(a: &Arguments<'_, '_>, format: &str, micros: i64) -> Result<String> {
    let mut out = String::new();
    let mut signs = format.chars();
    // Whether the next element is written without zeros and blanks around it.
    let mut bare = false;
    while let Some(sign) = signs.next() {
        if sign != '%' {
            out.push(sign);
            continue;
        }
        a.budget.work(ELEMENT).map_err(refused)?;
        if out.len() > LENGTH_MAX {
            return fail("the text would be too long");
        }
        let mut element = signs.next().unwrap_or(' ').to_string();
        if element == "E" {
            element.extend(signs.next());
            if element != "EY" {
                element.extend(signs.next());
            }
        }
        match element.as_str() {
            "E9f" => {
                bare = true;
                continue;
            }
            "E9t" | "E9T" => {
                let digits: String = out
                    .chars()
                    .rev()
                    .take_while(char::is_ascii_digit)
                    .collect::<Vec<_>>()
                    .iter()
                    .rev()
                    .collect();
                let letters = digits.parse().map_or("", ordinal);
                out.push_str(&if element == "E9T" { letters.to_uppercase() } else { letters.to_owned() });
                continue;
            }
            _ => {}
        }
        match element_text(&element, micros).map(|text| if bare { without_filling(&text) } else { text }) {
            Some(text) => out.push_str(&text),
            None => return fail(format!("the format element %{element} is not supported")),
        }
        bare = false;
    }
    Ok(out)
}

/// A number without the zeros before it, or a name without the blanks behind it.
fn without_filling(text: &str) -> String {
    let text = text.trim();
    match text.trim_start_matches('0') {
        "" if !text.is_empty() => "0".to_owned(),
        rest => rest.to_owned(),
    }
}

/// What follows the number of a day: `st`, `nd`, `rd` or `th`.
fn ordinal(number: i64) -> &'static str {
    match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    }
}

fn element_text(element: &str, micros: i64) -> Option<String> {
    let value = |name: &str| part(micros, name);
    let two = |number: i64| format!("{number:02}");
    let day = DAYS[usize::try_from(value("dayofweek") - 1).unwrap_or(0)];
    let month = MONTHS[usize::try_from(value("month") - 1).unwrap_or(0)];
    let hour12 = (value("hour") + 11) % 12 + 1;
    let mut out = String::new();
    match element {
        "Y" | "E4Y" => write!(out, "{:04}", value("year")),
        "y" => write!(out, "{:02}", value("year") % 100),
        "m" => write!(out, "{:02}", value("month")),
        "d" => write!(out, "{:02}", value("day")),
        "e" => write!(out, "{:2}", value("day")),
        "H" => write!(out, "{:02}", value("hour")),
        "I" => write!(out, "{hour12:02}"),
        "M" => write!(out, "{:02}", value("minute")),
        "S" => write!(out, "{:02}", value("second")),
        "E3S" => write!(out, "{:02}.{:03}", value("second"), value("millisecond")),
        "E6S" => write!(out, "{:02}.{:06}", value("second"), value("microsecond")),
        // Only the translation of `to_char` writes these.
        "E0m" => write!(out, "{:03}", value("millisecond")),
        "E0u" => write!(out, "{:06}", value("microsecond")),
        "E1B" => write!(out, "{month:<9}"),
        "E1A" => write!(out, "{day:<9}"),
        "E2b" => write!(out, "{}", month[..3].to_uppercase()),
        "E2a" => write!(out, "{}", day[..3].to_uppercase()),
        "E1d" => write!(out, "{}{}", value("day"), ordinal(value("day"))),
        "E2d" => write!(out, "{}", value("day")),
        "E2H" => write!(out, "{}", value("hour")),
        "E2m" => write!(out, "{}", value("month")),
        "j" => write!(out, "{:03}", value("dayofyear")),
        "Q" => write!(out, "{}", value("quarter")),
        "u" => write!(out, "{}", (value("dayofweek") + 5) % 7 + 1),
        "w" => write!(out, "{}", value("dayofweek") - 1),
        "G" => write!(out, "{:04}", value("isoyear")),
        "V" => write!(out, "{:02}", value("isoweek")),
        "a" => write!(out, "{}", &day[..3]),
        "A" => write!(out, "{day}"),
        "b" | "h" => write!(out, "{}", &month[..3]),
        "B" => write!(out, "{month}"),
        "p" => write!(out, "{}", if value("hour") < 12 { "AM" } else { "PM" }),
        "F" => write!(out, "{}", print_date(micros.div_euclid(DAY))),
        "T" | "X" => write!(out, "{}:{}:{}", two(value("hour")), two(value("minute")), two(value("second"))),
        "R" => write!(out, "{}:{}", two(value("hour")), two(value("minute"))),
        "D" | "x" => {
            write!(out, "{}/{}/{}", two(value("month")), two(value("day")), two(value("year") % 100))
        }
        "s" => write!(out, "{}", micros.div_euclid(1_000_000)),
        "c" => {
            let clock = [two(value("hour")), two(value("minute")), two(value("second"))].join(":");
            write!(out, "{} {} {:2} {clock} {:04}", &day[..3], &month[..3], value("day"), value("year"))
        }
        "C" => write!(out, "{:02}", value("year") / 100),
        "g" => write!(out, "{:02}", value("isoyear") % 100),
        "k" => write!(out, "{:2}", value("hour")),
        "l" => write!(out, "{hour12:2}"),
        "P" => write!(out, "{}", if value("hour") < 12 { "am" } else { "pm" }),
        "U" => write!(out, "{:02}", (value("dayofyear") + 7 - value("dayofweek")) / 7),
        "W" => write!(out, "{:02}", (value("dayofyear") + 6 - (value("dayofweek") + 5) % 7) / 7),
        "n" => writeln!(out),
        "t" => write!(out, "\t"),
        "E*S" => {
            let fraction = format!(".{:06}", value("microsecond"));
            write!(out, "{:02}{}", value("second"), fraction.trim_end_matches('0').trim_end_matches('.'))
        }
        "E0S" => write!(out, "{:02}", value("second")),
        "E1S" | "E2S" | "E4S" | "E5S" => {
            let digits = usize::from(element.as_bytes()[1] - b'0');
            let fraction = format!("{:06}", value("microsecond"));
            write!(out, "{:02}.{}", value("second"), &fraction[..digits])
        }
        "%" => write!(out, "%"),
        _ => return pattern_text(element, micros, day, month),
    }
    .ok()?;
    Some(out)
}

/// Elements that only the translation of `to_char` writes.
fn pattern_text(element: &str, micros: i64, day: &str, month: &str) -> Option<String> {
    const ROMAN: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];
    let value = |name: &str| part(micros, name);
    let roman = ROMAN[usize::try_from(value("month") - 1).unwrap_or(0)];
    let (year, isoyear) = (value("year"), value("isoyear"));
    let morning = value("hour") < 12;
    Some(match element {
        "E7A" => format!("{:<9}", day.to_uppercase()),
        "E7a" => format!("{:<9}", day.to_lowercase()),
        "E7y" => day[..3].to_lowercase(),
        "E7M" => format!("{:<9}", month.to_uppercase()),
        "E7m" => format!("{:<9}", month.to_lowercase()),
        "E7n" => month[..3].to_lowercase(),
        "E7R" => format!("{roman:<4}"),
        "E7r" => format!("{:<4}", roman.to_lowercase()),
        "E7w" => format!("{:02}", (value("dayofyear") - 1) / 7 + 1),
        "E7W" => ((value("day") - 1) / 7 + 1).to_string(),
        "E7C" => format!("{:02}", (year + 99) / 100),
        "E7J" => (micros.div_euclid(DAY) + 2_440_588).to_string(),
        "E7D" => value("dayofweek").to_string(),
        "E7I" => format!("{:03}", (value("isoweek") - 1) * 7 + (value("dayofweek") + 5) % 7 + 1),
        "E7S" => (micros.rem_euclid(DAY) / 1_000_000).to_string(),
        "E7N" => (if morning { "A.M." } else { "P.M." }).to_owned(),
        "E7o" => (if morning { "a.m." } else { "p.m." }).to_owned(),
        "E7Y" => format!("{},{:03}", year / 1000, year % 1000),
        "E7z" => format!("{:03}", year % 1000),
        "E7q" => (year % 10).to_string(),
        "E7t" => format!("{:03}", isoyear % 1000),
        "E7v" => (isoyear % 10).to_string(),
        _ => {
            let digits: usize = element.strip_prefix("E7")?.parse().ok()?;
            format!("{:06}", value("microsecond")).get(..digits)?.to_owned()
        }
    })
}

/// The moments from one to another: as microseconds, or as days if the flag is set. With one argument more, each is counted from the
/// one before instead of from the first.
fn generate(a: &Arguments<'_, '_>) -> Result<Value> {
    let (start, end, count, unit) = (a.int(0), a.int(1), a.int(2), a.text(3));
    if count == 0 {
        return fail("Sequence step cannot be 0.");
    }
    let days = a.safe(4);
    let stepwise = a.len() > 5;
    let mut found = Vec::new();
    let mut before = start;
    for index in 0.. {
        let moment = match (stepwise, index) {
            (true, 0) => start,
            (true, _) => shifted(before, count, unit)?,
            (false, _) => shifted(start, index * count, unit)?,
        };
        before = moment;
        if (count > 0 && moment > end) || (count < 0 && moment < end) {
            break;
        }
        if index == list::ELEMENTS_MAX {
            return fail("the array would have too many elements");
        }
        a.budget.work(2 * list::ELEMENT).map_err(refused)?;
        found.push(Json::from(if days { moment.div_euclid(DAY) } else { moment }));
    }
    Ok(Json::from(found).to_string().into())
}
