//! Time is data: a timestamp that only `advance` changes.

use std::time::Duration;

pub use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sim_derive::ToSchema;

/// When background work takes effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Pace {
    /// At its due time: a create ends after sixty simulated seconds.
    #[default]
    Clock,
    /// Before the call returns.
    Instant,
    /// One piece of work for each `step`, independent of the time.
    Manual,
}

/// Microseconds since the epoch, as stored.
pub fn micros(at: Timestamp) -> i64 {
    at.as_microsecond()
}

/// The timestamp that is stored as these microseconds.
pub fn from_micros(micros: i64) -> Timestamp {
    Timestamp::from_microsecond(micros).expect("a stored instant came from an instant")
}

/// The timestamp `by` after `at`, in whole microseconds. It stops at the end of the calendar, so a world that gets
/// there does not overflow.
pub fn later(at: Timestamp, by: Duration) -> Timestamp {
    whole_micros(at.saturating_add(by).unwrap_or(Timestamp::MAX))
}

/// `at` as it is stored: in whole microseconds, and before the calendar's last second.
pub fn whole_micros(at: Timestamp) -> Timestamp {
    let end = Timestamp::from_second(Timestamp::MAX.as_second() - 1)
        .expect("a second before the end is in the calendar");
    from_micros(micros(at.min(end)))
}
