//! Times of day with an offset. They are stored as printed: `10:00:00+02`.

use std::cmp::Ordering;

use super::datetime::{self, print_time};
use crate::error::Result;

/// Reads a time of day with an offset; without one, it is UTC.
pub fn parse(text: &str) -> Result<String> {
    let (time, offset) = datetime::parse_zoned_time(text)?;
    Ok(of(time, offset))
}

/// The text of a time of day at an offset from UTC, both in microseconds.
pub fn of(time: i64, offset: i64) -> String {
    let seconds = offset / 1_000_000;
    let sign = if seconds < 0 { '-' } else { '+' };
    let seconds = seconds.abs();
    let mut text = format!("{}{sign}{:02}", print_time(time), seconds / 3600);
    for part in [seconds / 60 % 60, seconds % 60].iter().take(if seconds % 60 != 0 {
        2
    } else {
        usize::from(seconds % 3600 != 0)
    }) {
        text.push_str(&format!(":{part:02}"));
    }
    text
}

/// The time of day and its offset from UTC, both in microseconds.
pub fn read(text: &str) -> (i64, i64) {
    datetime::parse_zoned_time(text).unwrap_or_default()
}

/// The order: by the time in UTC, then from east to west.
pub fn compare(left: &str, right: &str) -> Ordering {
    let key = |text| {
        let (time, offset) = read(text);
        (time - offset, -offset)
    };
    key(left).cmp(&key(right))
}
