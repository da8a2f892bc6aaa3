//! Days, times, instants and intervals. Results are read in the style of dates that PostgreSQL has unless a client changes it.

use sim_core::sql::calendar::{DAY, days_from_civil, print_date, print_time};

use super::read::{Reader, Wrong};

/// Days from 1970-01-01 to 2000-01-01.
const DAYS_TO_2000: i64 = 10_957;

/// The days, counted from 2000-01-01, and the instants that PostgreSQL has; the last of each is one too many.
const DAYS: std::ops::Range<i32> = -2_451_545..2_145_031_949;
const INSTANTS: std::ops::Range<i64> = -211_813_488_000_000_000..9_223_371_331_200_000_000;

/// A shift of a clock is less than this, in seconds.
const SHIFT_END: i32 = 16 * 3600;

pub(super) fn date(text: &str) -> Option<i32> {
    match text {
        "infinity" => return Some(i32::MAX),
        "-infinity" => return Some(i32::MIN),
        _ => {}
    }
    let (text, before_christ) = text.strip_suffix(" BC").map_or((text, false), |text| (text, true));
    let mut parts = text.split('-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let year = if before_christ { 1 - year } else { year };
    i32::try_from(days_from_civil(year, month, day) - DAYS_TO_2000).ok()
}

pub(super) fn read_date(from: &mut Reader<'_>) -> Result<String, Wrong> {
    date_text(from.int()?).ok_or_else(|| Wrong::new("22008", "date out of range"))
}

fn date_text(days: i32) -> Option<String> {
    match days {
        i32::MAX => return Some("infinity".to_owned()),
        i32::MIN => return Some("-infinity".to_owned()),
        _ => {}
    }
    if !DAYS.contains(&days) {
        return None;
    }
    Some(print_date(i64::from(days) + DAYS_TO_2000))
}

pub(super) fn time(text: &str) -> Option<i64> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = clock.split(':').map(|part| part.parse::<i64>().ok());
    let (hours, minutes) = (parts.next()??, parts.next()??);
    let seconds = parts.next().flatten().unwrap_or(0);
    let micros: i64 = format!("{fraction:0<6}").get(..6)?.parse().ok()?;
    Some(((hours * 60 + minutes) * 60 + seconds) * 1_000_000 + micros)
}

pub(super) fn read_time(from: &mut Reader<'_>) -> Result<String, Wrong> {
    let micros = from.long()?;
    if !(0..=DAY).contains(&micros) {
        return Err(Wrong::new("22008", "time out of range"));
    }
    Ok(print_time(micros))
}

/// The shift in seconds to the east that ends a text, and the text before it.
fn shift(text: &str) -> Option<(&str, i64)> {
    let at = text.rfind(['+', '-'])?;
    let (clock, shift) = text.split_at(at);
    let mut parts = shift[1..].split(':').map(|part| part.parse::<i64>().ok());
    let (hours, minutes, seconds) = (parts.next()??, parts.next(), parts.next());
    let seconds = (hours * 60 + minutes.unwrap_or(Some(0))?) * 60 + seconds.unwrap_or(Some(0))?;
    Some((clock, if shift.starts_with('-') { -seconds } else { seconds }))
}

/// A time with its zone: in its bytes zones to the west are positive.
pub(super) fn time_with_zone(text: &str) -> Option<Vec<u8>> {
    let (clock, east) = shift(text)?;
    Some([&time(clock)?.to_be_bytes()[..], &i32::try_from(-east).ok()?.to_be_bytes()].concat())
}

pub(super) fn read_time_with_zone(from: &mut Reader<'_>) -> Result<String, Wrong> {
    let clock = read_time(from)?;
    let west = from.int()?;
    if !(1 - SHIFT_END..SHIFT_END).contains(&west) {
        return Err(Wrong::new("22009", "time zone displacement out of range"));
    }
    let sign = if west > 0 { '-' } else { '+' };
    let seconds = west.abs();
    Ok(format!("{clock}{sign}{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60))
}

/// An instant. `has_zone`: the text says by how much its clock differs from UTC.
pub(super) fn timestamp(text: &str, has_zone: bool) -> Option<i64> {
    match text {
        "infinity" => return Some(i64::MAX),
        "-infinity" => return Some(i64::MIN),
        _ => {}
    }
    let (text, era) = text.strip_suffix(" BC").map_or((text, ""), |text| (text, " BC"));
    let (day, clock) = text.split_once(' ')?;
    let (clock, east) = if has_zone { shift(clock)? } else { (clock, 0) };
    let day = i64::from(date(&[day, era].concat())?);
    day.checked_mul(DAY)?.checked_add(time(clock)?)?.checked_sub(east * 1_000_000)
}

/// An instant as a text with `zone` at its end.
pub(super) fn read_timestamp(from: &mut Reader<'_>, zone: &str) -> Result<String, Wrong> {
    timestamp_text(from.long()?, zone).ok_or_else(|| Wrong::new("22008", "timestamp out of range"))
}

fn timestamp_text(micros: i64, zone: &str) -> Option<String> {
    match micros {
        i64::MAX => return Some("infinity".to_owned()),
        i64::MIN => return Some("-infinity".to_owned()),
        _ if !INSTANTS.contains(&micros) => return None,
        _ => {}
    }
    let day = date_text(i32::try_from(micros.div_euclid(DAY)).ok()?)?;
    let clock = print_time(micros.rem_euclid(DAY));
    Some(match day.strip_suffix(" BC") {
        Some(day) => format!("{day} {clock}{zone} BC"),
        None => format!("{day} {clock}{zone}"),
    })
}

pub(super) fn interval(text: &str) -> Option<Vec<u8>> {
    let (mut months, mut days, mut micros) = (0_i32, 0_i32, 0_i64);
    let mut words = text.split(' ');
    while let Some(word) = words.next() {
        if word.contains(':') {
            let (sign, clock) = word.strip_prefix('-').map_or((1, word), |clock| (-1, clock));
            micros += sign * time(clock.trim_start_matches('+'))?;
            continue;
        }
        let number: i32 = word.parse().ok()?;
        match words.next()?.trim_end_matches('s') {
            "year" => months += number.checked_mul(12)?,
            "mon" => months += number,
            "day" => days += number,
            _ => return None,
        }
    }
    Some([&micros.to_be_bytes()[..], &days.to_be_bytes(), &months.to_be_bytes()].concat())
}

/// Each part has its sign, because one style of intervals takes the first sign for all parts without one.
pub(super) fn read_interval(from: &mut Reader<'_>) -> Result<String, Wrong> {
    let (micros, days, months) = (from.long()?, from.int()?, from.int()?);
    let sign = if micros < 0 { '-' } else { '+' };
    // The least interval has no positive counterpart in 64 bits.
    let clock = micros.checked_abs().map_or_else(|| "2562047788:00:54.775808".to_owned(), print_time);
    Ok(format!("{months:+} mons {days:+} days {sign}{clock}"))
}
