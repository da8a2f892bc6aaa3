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
    Fixed(i64),
    Named(TimeZone),
}

impl Zone {
    fn named(name: &str) -> Result<Zone> {
        if let Some(offset) = zone_offset(name) {
            // A bare number is POSIX notation: hours west of Greenwich.
            return Ok(Zone::Fixed(-offset));
        }
        TimeZone::get(name).map(Zone::Named).map_err(|_| {
            let message = format!("time zone \"{name}\" not recognized");
            SqlError::new(SqlState::INVALID_PARAMETER, message)
        })
    }
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
    let (sign, distance) = (if seconds < 0 { '-' } else { '+' }, seconds.abs());
    let mut offset = format!("{sign}{:02}", distance / 3600);
    for part in [distance / 60 % 60, distance % 60] {
        if part > 0 || offset.len() > 3 && distance % 60 > 0 {
            offset.push_str(&format!(":{part:02}"));
        }
    }
    Ok(print_instant(local, &offset))
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
    let zone = TimeZone::get(name).ok()?;
    Some(zone.iana_name().unwrap_or(name).to_owned())
}

/// What a zone shows at an instant.
pub struct Shown {
    /// Its abbreviation, such as `CET`.
    pub abbreviation: String,
    /// Microseconds east of Greenwich.
    pub offset: i64,
    /// Whether the clocks are on summer time.
    pub is_dst: bool,
}

/// What a zone shows at an instant, in microseconds since 1970.
pub fn shown(micros: i64, zone: &str) -> Result<Shown> {
    let zone = match Zone::named(zone)? {
        Zone::Fixed(_) => TimeZone::UTC,
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
