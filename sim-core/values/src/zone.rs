//! Time zones: converts timestamps to local time and back.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone, TimeZoneDatabase};

use crate::error::{Result, SqlError, SqlState};
use crate::value::datetime::{is_finite, zone_offset};

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
