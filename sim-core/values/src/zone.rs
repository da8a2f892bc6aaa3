//! Time zones: converts timestamps to local time and back.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};
use rusqlite::types::Value;
use serde_json::Value as Json;

use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;
use crate::value::array;
use crate::value::datetime::{is_finite, parse_in_zone, print_instant, zone_offset};

const SECOND: i64 = 1_000_000;

enum Zone {
    /// Microseconds east of Greenwich.
    Fixed(i64),
    Named(TimeZone),
}

impl Zone {
    fn named(name: &str) -> Result<Zone> {
        if let Some(offset) = zone_offset(name) {
            // A bare number is POSIX notation: hours west of Greenwich.
            return Ok(Zone::Fixed(-offset));
        }
        if let Ok(zone) = TimeZone::get(name) {
            return Ok(Zone::Named(zone));
        }
        Posix::parse(name).and_then(|posix| posix.zone()).ok_or_else(|| {
            let message = format!("time zone \"{name}\" not recognized");
            SqlError::new(SqlState::INVALID_PARAMETER, message)
        })
    }
}

/// A zone in POSIX notation, such as `UTC+3`, `<+05>-5` and `EST5EDT`.
struct Posix<'n> {
    abbreviation: &'n str,
    /// Seconds west of Greenwich.
    west: i64,
    /// The name of summer time, and what follows it.
    summer: Option<(&'n str, &'n str)>,
}

impl<'n> Posix<'n> {
    fn parse(name: &'n str) -> Option<Posix<'n>> {
        let (abbreviation, rest) = abbreviation(name)?;
        let end = rest.find(|c: char| !(c.is_ascii_digit() || "+-:".contains(c))).unwrap_or(rest.len());
        let (offset, rest) = rest.split_at(end);
        let summer = if rest.is_empty() { None } else { Some(self::abbreviation(rest)?) };
        Some(Posix { abbreviation, west: seconds_west(offset)?, summer })
    }

    fn zone(&self) -> Option<Zone> {
        let Some((summer, rule)) = self.summer else { return Some(Zone::Fixed(-self.west * SECOND)) };
        // Without a rule, those of the United States apply.
        let usual = if rule.contains(',') { "" } else { ",M3.2.0,M11.1.0" };
        let text = format!("<{}>{}<{summer}>{rule}{usual}", self.abbreviation, distance(self.west));
        TimeZone::posix(&text).ok().map(Zone::Named)
    }
}

/// The abbreviation at the beginning of a text, and what follows it.
fn abbreviation(text: &str) -> Option<(&str, &str)> {
    match text.strip_prefix('<') {
        Some(quoted) => quoted.split_once('>'),
        None => {
            let end = text.find(|c: char| c.is_ascii_digit() || ",+-".contains(c)).unwrap_or(text.len());
            Some(text.split_at(end))
        }
    }
}

/// The seconds of `5`, `+3:30` and `-01:00:30`; at most a week's hours.
fn seconds_west(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let mut parts = digits.split(':').map(|part| {
        let digits = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse::<i64>().ok().filter(|_| digits)
    });
    let hours = parts.next()??;
    let (minutes, seconds) = (parts.next().unwrap_or(Some(0))?, parts.next().unwrap_or(Some(0))?);
    let known = hours <= 167 && minutes < 60 && seconds < 60 && parts.next().is_none();
    known.then_some(sign * (hours * 3600 + minutes * 60 + seconds))
}

/// Seconds as `5:30`, with the parts that are needed.
fn distance(seconds: i64) -> String {
    let (sign, total) = (if seconds < 0 { "-" } else { "" }, seconds.abs());
    let mut text = format!("{sign}{:02}", total / 3600);
    if total % 3600 > 0 {
        text.push_str(&format!(":{:02}", total / 60 % 60));
    }
    if total % 60 > 0 {
        text.push_str(&format!(":{:02}", total % 60));
    }
    text
}

/// The name that a zone has by its distance from Greenwich, in seconds to the east: `<+02>-02`. `None` for more than a week's hours.
pub fn name_of_offset(east: i64) -> Option<String> {
    let shown = distance(east.abs());
    let (sign, opposite) = if east < 0 { ('-', '+') } else { ('+', '-') };
    (east.abs() < 168 * 3600).then(|| format!("<{sign}{shown}>{opposite}{shown}"))
}

fn out_of_reach() -> SqlError {
    SqlError::unsupported("a time zone for years beyond 9999")
}

/// The local time in a zone.
pub fn to_local(micros: i64, zone: &str) -> Result<i64> {
    let zone = Zone::named(zone)?;
    if !is_finite(micros) {
        return Ok(micros);
    }
    match zone {
        Zone::Fixed(offset) => Ok(micros + offset),
        Zone::Named(zone) => {
            let timestamp = Timestamp::from_microsecond(micros).map_err(|_| out_of_reach())?;
            Ok(micros + i64::from(zone.to_offset(timestamp).seconds()) * SECOND)
        }
    }
}

/// The timestamp of a local time. If there are two, the one in standard time; if there is none, as if the
/// clocks had not changed.
pub fn from_local(local: i64, zone: &str) -> Result<i64> {
    let zone = Zone::named(zone)?;
    if !is_finite(local) {
        return Ok(local);
    }
    match zone {
        Zone::Fixed(offset) => Ok(local - offset),
        Zone::Named(zone) => {
            let shown = Timestamp::from_microsecond(local).map_err(|_| out_of_reach())?;
            let shown: DateTime = shown.to_zoned(TimeZone::UTC).datetime();
            let offset = match zone.to_ambiguous_timestamp(shown).offset() {
                AmbiguousOffset::Unambiguous { offset } => offset,
                AmbiguousOffset::Gap { before, .. } => before,
                AmbiguousOffset::Fold { after, .. } => after,
            };
            Ok(local - i64::from(offset.seconds()) * SECOND)
        }
    }
}

/// A timestamp as PostgreSQL prints it in a session with a zone: `2026-07-01 14:00:00+02`.
///
/// # Errors
///
/// 22023 for an unknown zone, 0A000 for years beyond 9999.
pub fn printed(micros: i64, zone: &str) -> Result<String> {
    if !is_finite(micros) {
        return Ok(print_instant(micros, ""));
    }
    let local = to_local(micros, zone)?;
    let seconds = (local - micros) / SECOND;
    let sign = if seconds < 0 { '-' } else { '+' };
    Ok(print_instant(local, &format!("{sign}{}", distance(seconds.abs()))))
}

/// The timestamps of an array as texts, as [`printed`] writes them.
///
/// # Errors
///
/// As those of [`printed`].
pub fn printed_all(items: &str, zone: &str) -> Result<String> {
    each(items, &|item| match item.as_i64() {
        Some(micros) => printed(micros, zone).map(Json::String),
        None => Ok(item.clone()),
    })
}

/// The texts of an array as timestamps. Those without a zone are in this one.
///
/// # Errors
///
/// As those of [`parse_in_zone`].
pub fn parsed_all(items: &str, zone: &str) -> Result<String> {
    each(items, &|item| match item.as_str() {
        Some(text) => parse_in_zone(text, Type::TIMESTAMPTZ, Some(zone)).map(Json::from),
        None => Ok(item.clone()),
    })
}

/// An array with each of its elements converted.
fn each(items: &str, convert: &dyn Fn(&Json) -> Result<Json>) -> Result<String> {
    fn converted(item: &Json, convert: &dyn Fn(&Json) -> Result<Json>) -> Result<Json> {
        match item {
            Json::Array(items) => items.iter().map(|item| converted(item, convert)).collect(),
            item => convert(item),
        }
    }
    let found = array::elements(items).iter().map(|item| converted(item, convert)).collect::<Result<_>>()?;
    match array::like(items, found) {
        Value::Text(text) => Ok(text),
        _ => Ok(items.to_owned()),
    }
}

/// A zone's name in its usual spelling; `None` for an unknown one.
pub fn spelled(name: &str) -> Option<String> {
    match TimeZone::get(name) {
        Ok(zone) => Some(zone.iana_name().unwrap_or(name).to_owned()),
        Err(_) => Posix::parse(name)?.zone().map(|_| name.to_ascii_uppercase()),
    }
}

/// What a zone shows at a timestamp.
pub struct Shown {
    /// Its abbreviation, such as `CET`.
    pub abbreviation: String,
    /// Microseconds east of Greenwich.
    pub offset: i64,
    /// Whether the clocks are on summer time.
    pub is_dst: bool,
}

/// What a zone shows at a timestamp, in microseconds since 1970.
pub fn shown(micros: i64, zone: &str) -> Result<Shown> {
    let zone = match Zone::named(zone)? {
        Zone::Fixed(offset) => {
            let posix = Posix::parse(zone).map_or("UTC", |posix| posix.abbreviation);
            return Ok(Shown { abbreviation: posix.to_owned(), offset, is_dst: false });
        }
        Zone::Named(zone) => zone,
    };
    let timestamp = Timestamp::from_microsecond(micros).map_err(|_| out_of_reach())?;
    let info = zone.to_offset_info(timestamp);
    Ok(Shown {
        abbreviation: info.abbreviation().to_owned(),
        offset: i64::from(info.offset().seconds()) * SECOND,
        is_dst: info.dst().is_dst(),
    })
}

/// The names of all zones, in order.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> =
        TimeZoneDatabase::bundled().available().map(|name| name.as_str().to_owned()).collect();
    names.sort();
    names
}
