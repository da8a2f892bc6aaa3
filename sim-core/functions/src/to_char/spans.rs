//! The patterns of `to_char` that an interval has. They compute with its years, months and days as with those of a date.

use super::{Moment, ROMAN, cased, padded};
use sim_values::error::{Result, SqlError, SqlState};

/// Takes the years from 4800 BC to the first day that counts.
const BEFORE_YEARS: i64 = 32_167;

pub(super) fn pattern(span: &Moment, name: &str, given: &str, fill: bool) -> Result<String> {
    let days = (span.year * 12 + span.month) * 30 + span.day;
    let (iso_year, iso_week) = iso_week(span);
    Ok(match name {
        "DD" => counted(span.day, 2, fill),
        "DDD" => counted(days, 3, fill),
        "IDDD" => counted(day(span) - first_day(iso_year) + 1, 3, fill),
        "WW" => counted((days - 1) / 7 + 1, 2, fill),
        "IW" => counted(iso_week, 2, fill),
        "W" => ((span.day - 1) / 7 + 1).to_string(),
        "IYYY" | "IYY" | "IY" | "I" => span.year_pattern(name, iso_year, fill),
        "CC" => padded(span.year / 100, 2, fill),
        "J" => day(span).to_string(),
        "Q" if span.month == 0 => String::new(),
        "Q" => ((span.month - 1) / 3 + 1).to_string(),
        "RM" if (span.year, span.month) == (0, 0) => String::new(),
        "RM" => {
            let month = cased(ROMAN[month_before(span)], given);
            if fill { format!("{month:<4}") } else { month }
        }
        _ => {
            let message = "invalid format specification for an interval value";
            return Err(SqlError::new(SqlState::new("22007"), message)
                .hint("Intervals are not tied to specific calendar dates."));
        }
    })
}

/// A number with zeros in front, where the sign counts for the width.
pub(super) fn counted(value: i64, width: usize, fill: bool) -> String {
    if fill { format!("{value:0width$}") } else { value.to_string() }
}

/// The month from January, counted backwards from December if it is negative.
fn month_before(span: &Moment) -> usize {
    let month = match span.month {
        0 if span.year < 0 => 1,
        0 => 12,
        month if month < 0 => 13 + month,
        month => month,
    };
    (month - 1) as usize
}

/// The year of ISO's weeks and the week in it.
fn iso_week(span: &Moment) -> (i64, i64) {
    let (day, mut year) = (day(span), span.year);
    if day < first_day(year) {
        year -= 1;
    }
    let week = |year| (day - first_day(year)) / 7 + 1;
    if week(year) >= 52 && day >= first_day(year + 1) {
        year += 1;
    }
    (year, week(year))
}

/// The Monday of the week with the fourth of January.
fn first_day(year: i64) -> i64 {
    let fourth = julian(year, 1, 4);
    fourth - fourth.rem_euclid(7)
}

fn day(span: &Moment) -> i64 {
    julian(span.year, span.month, span.day)
}

/// PostgreSQL's number of a day, also for months and days that no date has.
fn julian(year: i64, month: i64, day: i64) -> i64 {
    let (year, month) = if month > 2 { (year + 4800, month + 1) } else { (year + 4799, month + 13) };
    let century = year / 100;
    year * 365 - BEFORE_YEARS + year / 4 - century + century / 4 + 7834 * month / 256 + day
}
