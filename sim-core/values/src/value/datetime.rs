//! Dates, times and timestamps. The date style is ISO; the time zone is UTC unless one is given.

use std::cell::Cell;

use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;
use crate::zone::from_local;

/// Microseconds in a day.
pub const DAY: i64 = 86_400_000_000;
/// Later than every date.
pub const INFINITE_DATE: i64 = i32::MAX as i64;
/// Later than every timestamp.
pub const INFINITE_INSTANT: i64 = i64::MAX;

/// Days since 1970-01-01 of a date of the proleptic Gregorian calendar; year 0 is 1 BC.
pub fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// Year, month and day of a count of days since 1970-01-01.
pub fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_index = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_index + 2) / 5 + 1;
    let month = if month_index < 10 { month_index + 3 } else { month_index - 9 };
    (year_of_era + era * 400 + i64::from(month <= 2), month, day)
}

/// How many days a month has.
pub fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// A date as PostgreSQL prints it.
pub fn print_date(days: i64) -> String {
    match days {
        INFINITE_DATE => return "infinity".to_owned(),
        days if days <= -INFINITE_DATE => return "-infinity".to_owned(),
        _ => {}
    }
    let (year, month, day) = civil_from_days(days);
    let (year, era) = if year > 0 { (year, "") } else { (1 - year, " BC") };
    format!("{year:04}-{month:02}-{day:02}{era}")
}

/// A time of day as PostgreSQL prints it.
pub fn print_time(micros: i64) -> String {
    let (seconds, fraction) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let text = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    if fraction == 0 { text } else { format!("{text}.{fraction:06}").trim_end_matches('0').to_owned() }
}

/// A timestamp without a zone as PostgreSQL prints it.
pub fn print_timestamp(micros: i64) -> String {
    print_instant(micros, "")
}

/// A timestamp with a zone as PostgreSQL prints it.
pub fn print_timestamptz(micros: i64) -> String {
    print_instant(micros, "+00")
}

pub(crate) fn print_instant(micros: i64, zone: &str) -> String {
    match micros {
        INFINITE_INSTANT => return "infinity".to_owned(),
        i64::MIN => return "-infinity".to_owned(),
        _ => {}
    }
    let date = print_date(micros.div_euclid(DAY));
    let (date, era) = date.strip_suffix(" BC").map_or((date.as_str(), ""), |date| (date, " BC"));
    format!("{date} {}{zone}{era}", print_time(micros.rem_euclid(DAY)))
}

/// Reads a date. A time after it is ignored.
pub fn parse_date(text: &str) -> Result<i64> {
    match Reader::read(text, Type::DATE)? {
        Read::Infinite(true) => Ok(INFINITE_DATE),
        Read::Infinite(false) => Ok(-INFINITE_DATE),
        Read::At { date: Some(date), .. } => Ok(date),
        Read::At { .. } => Err(invalid(Type::DATE, text)),
    }
}

/// Reads a time of day. A date before it is ignored.
pub fn parse_time(text: &str) -> Result<i64> {
    match Reader::read(text, Type::TIME)? {
        Read::At { time: Some(time), .. } => Ok(time),
        _ => Err(invalid(Type::TIME, text)),
    }
}

/// Reads a time of day and its offset from UTC, both in microseconds.
///
/// # Errors
///
/// 22007 or 22008 for a text that is not one.
pub fn parse_zoned_time(text: &str) -> Result<(i64, i64)> {
    match Reader::read(text, Type::TIMETZ)? {
        Read::At { time: Some(time), offset, .. } => Ok((time, offset.unwrap_or(0))),
        _ => Err(invalid(Type::TIMETZ, text)),
    }
}

/// Reads a timestamp as `type_`, with or without a zone; a zone in the text matters only to the former.
pub fn parse_timestamp(text: &str, type_: Type) -> Result<i64> {
    parse_in_zone(text, type_, None)
}

/// The same for a session with a zone, in which a text without one is.
///
/// # Errors
///
/// 22007 or 22008 for a text that is not a timestamp, 22023 for an unknown zone.
pub fn parse_in_zone(text: &str, type_: Type, session: Option<&str>) -> Result<i64> {
    match Reader::read(text, type_)? {
        Read::Infinite(true) => Ok(INFINITE_INSTANT),
        Read::Infinite(false) => Ok(i64::MIN),
        Read::At { date: Some(date), time, offset, zone } => {
            let zoned = type_ == Type::TIMESTAMPTZ;
            let offset = offset.filter(|_| zoned);
            let local = date.checked_mul(DAY).and_then(|day| day.checked_add(time.unwrap_or(0)));
            let micros = local.and_then(|local| local.checked_sub(offset.unwrap_or(0)));
            let micros = micros.ok_or_else(|| overflow(type_, text))?;
            let of_session = session.filter(|_| offset.is_none()).map(str::to_owned);
            match zone.or(of_session).filter(|_| zoned) {
                Some(zone) => from_local(micros, &zone),
                None => Ok(micros),
            }
        }
        Read::At { .. } => Err(invalid(type_, text)),
    }
}

/// The error for a text that is not a date or time.
pub fn invalid(type_: Type, text: &str) -> SqlError {
    let name = match type_ {
        Type::TIME => "time",
        Type::TIMESTAMP => "timestamp",
        _ => type_.builtin().map_or("date", |builtin| builtin.display),
    };
    SqlError::new(SqlState::INVALID_DATETIME, format!("invalid input syntax for type {name}: \"{text}\""))
}

fn overflow(_: Type, text: &str) -> SqlError {
    SqlError::new(SqlState::DATETIME_OVERFLOW, format!("date/time field value out of range: \"{text}\""))
}

/// The offset of a named or numeric zone from UTC in microseconds; `None` for an unknown zone.
pub fn zone_offset(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("utc") || zone.eq_ignore_ascii_case("gmt") || zone.eq_ignore_ascii_case("z")
    {
        return Some(0);
    }
    let sign = match zone.as_bytes().first()? {
        b'+' => 1,
        b'-' => -1,
        _ => return None,
    };
    let digits = &zone[1..];
    let (hours, minutes, seconds) = match digits.split(':').collect::<Vec<_>>()[..] {
        [hours] if hours.len() <= 2 => (hours, "0", "0"),
        [both] if both.len() == 4 => (both.get(..2)?, both.get(2..)?, "0"),
        [hours, minutes] => (hours, minutes, "0"),
        [hours, minutes, seconds] => (hours, minutes, seconds),
        _ => return None,
    };
    let number = |text: &str| text.parse::<u8>().ok().map(i64::from);
    Some(sign * (number(hours)? * 3600 + number(minutes)? * 60 + number(seconds)?) * 1_000_000)
}

/// The offset of a zone such as `gmt+2`. As in POSIX, its number is the hours west of Greenwich.
fn posix_offset(word: &str) -> Option<i64> {
    let at = word.find(['+', '-']).filter(|at| *at >= 3)?;
    let (name, hours) = word.split_at(at);
    let hours: i64 = hours.parse().ok().filter(|hours| (-167..=167).contains(hours))?;
    name.bytes().all(|byte| byte.is_ascii_alphabetic()).then_some(-hours * 3_600_000_000)
}

/// Where the zone begins that follows a date at once, as in `2026-01-01z`.
fn end_of_date(word: &str) -> usize {
    let day = word.match_indices(['-', '/']).nth(1).map_or(word.len(), |(at, _)| at + 1);
    let zone = word.get(day..).and_then(|rest| rest.find(['z', '+', '-']));
    zone.map_or(word.len(), |at| day + at)
}

fn is_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The Julian day of 1970-01-01.
const JULIAN: i64 = 2_440_588;

enum Read {
    Infinite(bool),
    /// A zone with a name has an offset that depends on the date.
    At {
        date: Option<i64>,
        time: Option<i64>,
        offset: Option<i64>,
        zone: Option<String>,
    },
}

/// Reads common formats: ISO 8601, with names of months, with AM and PM, and PostgreSQL's special words.
struct Reader<'a> {
    type_: Type,
    text: &'a str,
    date: Option<i64>,
    time: Option<i64>,
    offset: Option<i64>,
    zone: Option<String>,
    bc: bool,
}

/// Abbreviations of zones, in hours east of Greenwich.
const ABBREVIATIONS: [(&str, f64); 24] = [
    ("est", -5.0),
    ("edt", -4.0),
    ("cst", -6.0),
    ("cdt", -5.0),
    ("mst", -7.0),
    ("mdt", -6.0),
    ("pst", -8.0),
    ("pdt", -7.0),
    ("akst", -9.0),
    ("akdt", -8.0),
    ("hst", -10.0),
    ("ast", -4.0),
    ("adt", -3.0),
    ("wet", 0.0),
    ("west", 1.0),
    ("bst", 1.0),
    ("cet", 1.0),
    ("cest", 2.0),
    ("eet", 2.0),
    ("eest", 3.0),
    ("msk", 3.0),
    ("jst", 9.0),
    ("aest", 10.0),
    ("nzst", 12.0),
];

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

impl Reader<'_> {
    fn read(text: &str, type_: Type) -> Result<Read> {
        match text.trim().to_ascii_lowercase().as_str() {
            "infinity" => return Ok(Read::Infinite(true)),
            "-infinity" => return Ok(Read::Infinite(false)),
            "epoch" => return Ok(Read::At { date: Some(0), time: Some(0), offset: Some(0), zone: None }),
            "now" | "today" | "tomorrow" | "yesterday" => {
                return Err(SqlError::unsupported(format!("the date/time input \"{}\"", text.trim())));
            }
            _ => {}
        }
        let mut reader = Reader { type_, text, date: None, time: None, offset: None, zone: None, bc: false };
        reader.words()?;
        let Reader { mut date, time, offset, zone, bc, .. } = reader;
        if let (true, Some(days)) = (bc, date) {
            let (year, month, day) = civil_from_days(days);
            date = Some(days_from_civil(1 - year, month, day));
        }
        if date.is_some_and(|days| !(-JULIAN..=2_145_031_948).contains(&days)) {
            return Err(overflow(type_, text));
        }
        Ok(Read::At { date, time, offset, zone })
    }

    fn invalid(&self) -> SqlError {
        invalid(self.type_, self.text)
    }

    fn words(&mut self) -> Result<()> {
        let mut text = self.text.trim().to_owned();
        // `2024-01-02T03:04:05` is a date and a time.
        if let Some(at) = text.find(['T', 't']).filter(|at| {
            let bytes = text.as_bytes();
            *at > 0 && bytes[at - 1].is_ascii_digit() && bytes.get(at + 1).is_some_and(u8::is_ascii_digit)
        }) {
            text.replace_range(at..=at, " ");
        }
        let words: Vec<&str> = text.split([' ', ',']).filter(|word| !word.is_empty()).collect();
        if words.is_empty() {
            return Err(self.invalid());
        }
        let mut named = Vec::new();
        for word in words {
            self.word(word, &mut named)?;
            if named.len() == 3 {
                self.named_date(&std::mem::take(&mut named))?;
            }
        }
        if named.is_empty() { Ok(()) } else { Err(self.invalid()) }
    }

    fn word(&mut self, word: &str, named: &mut Vec<String>) -> Result<()> {
        let lower = word.to_ascii_lowercase();
        if word.contains(':') && self.time.is_none() {
            return self.clock(&lower);
        }
        if let Some(clock) = self.compact_clock(&lower) {
            return self.clock(&clock);
        }
        if let Some(offset) = zone_offset(&lower).filter(|_| self.date.is_some() || self.time.is_some()) {
            self.offset = Some(offset);
            return Ok(());
        }
        let after = self.date.is_some() || self.time.is_some();
        if let Some(offset) = posix_offset(&lower).filter(|_| after) {
            self.offset = Some(offset);
            return Ok(());
        }
        if after && self.zone.is_none() && self.zone_named(word, &lower)? {
            return Ok(());
        }
        match lower.as_str() {
            "bc" => self.bc = true,
            "allballs" if !after => self.time = Some(0),
            "ad" => {}
            "am" | "pm" => self.meridiem(lower == "pm")?,
            _ if WEEKDAYS.iter().any(|day| lower.starts_with(day)) && !lower.contains('-') => {}
            _ if lower.contains(['-', '/', '.']) && self.date.is_none() && named.is_empty() => {
                let (date, zone) = lower.split_at(end_of_date(&lower));
                self.date = Some(self.numeric_date(date)?);
                if !zone.is_empty() {
                    self.offset = Some(zone_offset(zone).ok_or_else(|| self.invalid())?);
                }
            }
            _ if self.date.is_none()
                && named.is_empty()
                && is_digits(&lower)
                && [6, 8].contains(&lower.len()) =>
            {
                let (year, day) = lower.split_at(lower.len() - 4);
                self.date = Some(self.date_of([year, &day[..2], &day[2..]])?);
            }
            _ if self.date.is_none() && lower.strip_prefix('j').is_some_and(is_digits) => {
                let number: i64 = lower[1..].parse().map_err(|_| self.invalid())?;
                self.date = Some(number.saturating_sub(JULIAN));
            }
            _ if self.date.is_none() => named.push(lower),
            _ => return Err(self.invalid()),
        }
        Ok(())
    }

    /// A time of day without colons, such as `040506.5z`, with colons. It follows a date, or there is no date.
    fn compact_clock(&self, word: &str) -> Option<String> {
        let expected =
            self.time.is_none() && (self.date.is_some() || matches!(self.type_, Type::TIME | Type::TIMETZ));
        let word = word.strip_prefix('t').unwrap_or(word);
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let (clock, rest) = word.split_at(digits);
        match clock.len() {
            4 if expected && !rest.starts_with(['-', '.', '/']) => {
                Some(format!("{}:{}{rest}", &clock[..2], &clock[2..]))
            }
            6 if expected => Some(format!("{}:{}:{}{rest}", &clock[..2], &clock[2..4], &clock[4..])),
            _ => None,
        }
    }

    /// Reads the name or abbreviation of a zone; false if the word is neither.
    fn zone_named(&mut self, word: &str, lower: &str) -> Result<bool> {
        if let Some((_, hours)) = ABBREVIATIONS.iter().find(|(name, _)| *name == lower) {
            self.offset = Some((hours * 3600.0) as i64 * 1_000_000);
            return Ok(true);
        }
        let named = word.contains('/')
            && word.bytes().all(|byte| byte.is_ascii_alphabetic() || b"/_-+0123456789".contains(&byte));
        if named && from_local(0, word).is_err() {
            let message = format!("time zone \"{lower}\" not recognized");
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        if named {
            self.zone = Some(word.to_owned());
        }
        Ok(named)
    }

    fn numeric_date(&self, word: &str) -> Result<i64> {
        let parts: Vec<&str> = word.split(['-', '/', '.']).collect();
        let [first, second, third] = match parts[..] {
            [year, day] if year.len() == 4 && day.len() == 3 => return self.date_of_day(year, day),
            [first, second, third] => [first, second, third],
            _ => return Err(self.invalid()),
        };
        if first.len() >= 3 && is_digits(first) {
            return self.date_of([first, second, third]);
        }
        if second.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return self.date_of([third, second, first]);
        }
        self.date_of(match ORDER.get() {
            Order::MonthDayYear => [third, first, second],
            Order::DayMonthYear => [third, second, first],
            Order::YearMonthDay => [first, second, third],
        })
    }

    /// A date by the day of its year.
    fn date_of_day(&self, year: &str, day: &str) -> Result<i64> {
        let first = self.date_of([year, "1", "1"])?;
        let day: i64 = day.parse().map_err(|_| self.invalid())?;
        if (1..=366).contains(&day) { Ok(first + day - 1) } else { Err(overflow(self.type_, self.text)) }
    }

    fn named_date(&mut self, words: &[String]) -> Result<()> {
        let [first, second, third] = words else { return Err(self.invalid()) };
        let is_name = |word: &str| word.bytes().all(|byte| byte.is_ascii_alphabetic());
        let parts = match (is_name(first), is_name(second)) {
            (true, false) => [third, first, second],
            (false, true) if first.len() >= 3 => [first, second, third],
            (false, true) => [third, second, first],
            _ => return Err(self.invalid()),
        };
        self.date = Some(self.date_of(parts.map(String::as_str))?);
        Ok(())
    }

    fn date_of(&self, [year, month, day]: [&str; 3]) -> Result<i64> {
        let number = |text: &str| text.parse::<u32>().map(i64::from).map_err(|_| self.invalid());
        let named = MONTHS.iter().position(|name| month.len() >= 3 && month.starts_with(name));
        let month = match named {
            Some(index) => index as i64 + 1,
            None => number(month)?,
        };
        let (mut full_year, day) = (number(year)?, number(day)?);
        if year.len() <= 2 {
            full_year += if full_year < 70 { 2000 } else { 1900 };
        }
        if !(1..=12).contains(&month) || !(1..=31).contains(&day) {
            return Err(
                overflow(self.type_, self.text).hint("Perhaps you need a different \"datestyle\" setting.")
            );
        }
        if day > days_in_month(full_year, month) || full_year == 0 || full_year > 5_874_897 {
            return Err(overflow(self.type_, self.text));
        }
        Ok(days_from_civil(full_year, month, day))
    }

    fn clock(&mut self, word: &str) -> Result<()> {
        let zone_at = word
            .find(|character: char| character == '+' || character == '-' || character.is_ascii_alphabetic());
        let (clock, zone) = word.split_at(zone_at.unwrap_or(word.len()));
        match zone {
            "" => {}
            "am" | "pm" => {}
            zone => self.offset = Some(zone_offset(zone).ok_or_else(|| self.invalid())?),
        }
        let parts: Vec<&str> = clock.split(':').collect();
        let number = |text: &str| text.parse::<u32>().map(i64::from).map_err(|_| self.invalid());
        let (hours, minutes, seconds) = match parts[..] {
            [hours, minutes] => (number(hours)?, number(minutes)?, 0),
            [hours, minutes, seconds] => (number(hours)?, number(minutes)?, self.seconds(seconds)?),
            _ => return Err(self.invalid()),
        };
        let time = (hours * 3600 + minutes * 60) * 1_000_000 + seconds;
        if hours > 24 || minutes > 59 || seconds > 60_000_000 || time > DAY {
            return Err(overflow(self.type_, self.text));
        }
        self.time = Some(time);
        if zone == "am" || zone == "pm" { self.meridiem(zone == "pm") } else { Ok(()) }
    }

    fn seconds(&self, text: &str) -> Result<i64> {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let whole: u32 = whole.parse().map_err(|_| self.invalid())?;
        if !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(self.invalid());
        }
        let fraction: f64 = format!("0.{fraction}0").parse().map_err(|_| self.invalid())?;
        Ok(i64::from(whole) * 1_000_000 + (fraction * 1e6).round_ties_even() as i64)
    }

    fn meridiem(&mut self, afternoon: bool) -> Result<()> {
        const HOUR: i64 = 3_600_000_000;
        let time = self
            .time
            .filter(|time| (HOUR..13 * HOUR).contains(time) || *time < HOUR)
            .ok_or_else(|| self.invalid())?;
        let morning = time % (12 * HOUR);
        self.time = Some(if afternoon { morning + 12 * HOUR } else { morning });
        Ok(())
    }
}

/// The order of the numbers of a date that does not begin with a year of four digits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// `12/31/2026`
    #[default]
    MonthDayYear,
    /// `31/12/2026`
    DayMonthYear,
    /// `26/12/31`
    YearMonthDay,
}

thread_local! {
    static ORDER: Cell<Order> = const { Cell::new(Order::MonthDayYear) };
}

/// Lets dates be read in an order on this thread, until the next call of this function or the end of a [`KeptOrder`].
pub fn read_dates_as(order: Order) {
    ORDER.set(order);
}

/// The order in which dates are read on this thread. When it is dropped, they are read so again.
#[derive(Debug)]
pub struct KeptOrder(Order);

impl KeptOrder {
    /// The present order.
    pub fn present() -> KeptOrder {
        KeptOrder(ORDER.get())
    }
}

impl Drop for KeptOrder {
    fn drop(&mut self) {
        read_dates_as(self.0);
    }
}

/// Whether a timestamp is finite.
pub fn is_finite(micros: i64) -> bool {
    micros != INFINITE_INSTANT && micros != i64::MIN
}
