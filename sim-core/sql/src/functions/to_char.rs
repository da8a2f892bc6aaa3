//! `to_char`, `to_date` and `to_timestamp` by template.

use rusqlite::types::Value;
use sim_values::calendar::{DAYS, MONTHS};
use sim_values::number_template::ordinal;
use sim_values::zone::{self, Shown};

use super::dates::{instant, read};
use super::fields::iso_week;
use super::text::own;
use super::{Arguments, Function};
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;
use crate::value::datetime::{DAY, civil_from_days, days_from_civil, days_in_month, is_finite};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("to_char", &[Type::TIMESTAMP, Type::TEXT], Type::TEXT, |a| of_instant(a, None)),
    Function::rust("to_char", &[Type::TIMESTAMPTZ, Type::TEXT], Type::TEXT, |a| {
        of_instant(a, Some(Shown { abbreviation: "utc".to_owned(), offset: 0, is_dst: false }))
    }),
    // For sessions in another time zone than UTC.
    Function::rust("Zone_to_char", &[Type::TIMESTAMPTZ, Type::TEXT, Type::TEXT], Type::TEXT, |a| {
        match is_finite(a.int(0)) {
            true => of_instant(a, Some(zone::shown(a.int(0), a.text(2))?)),
            false => Ok(Value::Null),
        }
    }),
    Function::rust("to_char", &[Type::INTERVAL, Type::TEXT], Type::TEXT, of_interval),
    Function::rust("to_date", &[Type::TEXT, Type::TEXT], Type::DATE, |a| {
        admit(a)?;
        Ok(Value::Integer(scan(a.text(0), a.text(1))?.days()?))
    }),
    Function::rust("to_timestamp", &[Type::TEXT, Type::TEXT], Type::TIMESTAMPTZ, |a| {
        admit(a)?;
        let scanned = scan(a.text(0), a.text(1))?;
        instant(Some(scanned.days()? * DAY + scanned.time()? - scanned.offset))
    }),
];

const ROMAN: [&str; 12] = ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];

/// The patterns. A longer pattern precedes its prefixes. Only in patterns of letters, case matters.
const PATTERNS: [&str; 53] = [
    "SSSSS", "SSSS", "Y,YYY", "YYYY", "IYYY", "HH24", "HH12", "A.D.", "B.C.", "A.M.", "P.M.", "MONTH", "FF1",
    "FF2", "FF3", "FF4", "FF5", "FF6", "IDDD", "TZH", "TZM", "DDD", "DAY", "YYY", "IYY", "MON", "DY", "TZ",
    "OF", "HH", "MI", "SS", "MS", "US", "AM", "PM", "AD", "BC", "CC", "YY", "IY", "MM", "DD", "ID", "IW",
    "WW", "RM", "FX", "Y", "I", "D", "W", "J",
];
const PATTERN_Q: &str = "Q";

/// The patterns of names, which may begin with a capital.
const NAMES: [&str; 4] = ["MONTH", "MON", "DAY", "DY"];

enum Token<'a> {
    Literal(char),
    Pattern { name: &'static str, given: &'a str, fill: bool, suffix: Option<&'a str> },
}

/// Charges the cost of splitting the template in argument 1, each character of which may be a token, and of printing it.
fn admit(a: &Arguments<'_, '_>) -> Result<()> {
    a.budget().make(a.text(1).len().saturating_mul(size_of::<Token<'_>>()))
}

/// Splits a template into patterns and literal text.
fn tokens(template: &str) -> Result<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = template;
    while let Some(character) = rest.chars().next() {
        if character == '"' {
            rest = quoted(&rest[1..], &mut tokens);
            continue;
        }
        if character == '\\' && rest.len() > 1 {
            let escaped = rest[1..].chars().next().unwrap_or('\\');
            if escaped == '"' || escaped == '\\' {
                tokens.push(Token::Literal(escaped));
                rest = &rest[2..];
                continue;
            }
        }
        let prefix = rest.get(..2).filter(|prefix| ["FM", "fm", "TM", "tm"].contains(prefix));
        let after = prefix.map_or(rest, |_| &rest[2..]);
        let known = PATTERNS.iter().chain([&PATTERN_Q]).find(|name| begins_with(after, name));
        let Some(name) = known else {
            let character = after.chars().next();
            tokens.extend(character.map(Token::Literal));
            rest = &after[character.map_or(0, char::len_utf8)..];
            continue;
        };
        let fill = match prefix {
            None => true,
            // The names of months and days are those of English, and are not filled up.
            Some("TM" | "tm") => !NAMES.contains(name),
            Some(_) => false,
        };
        let (given, mut tail) = after.split_at(name.len());
        let suffix = tail.get(..2).filter(|suffix| matches!(*suffix, "TH" | "th"));
        if suffix.is_some() {
            tail = &tail[2..];
        }
        tokens.push(Token::Pattern { name, given, fill, suffix });
        rest = tail;
    }
    Ok(tokens)
}

/// Reads a quoted part of a template. Returns the rest.
fn quoted<'a>(text: &'a str, tokens: &mut Vec<Token<'_>>) -> &'a str {
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return &text[at + 1..],
            '\\' => tokens.extend(characters.next().map(|(_, escaped)| Token::Literal(escaped))),
            other => tokens.push(Token::Literal(other)),
        }
    }
    ""
}

/// Whether a template begins with a pattern, in capitals, in lower case, or as a name with a capital.
fn begins_with(template: &str, pattern: &str) -> bool {
    let Some(start) = template.get(..pattern.len()).filter(|start| start.eq_ignore_ascii_case(pattern))
    else {
        return false;
    };
    let mut tail = start.bytes().skip(1);
    let is_capitalised = NAMES.contains(&pattern) && tail.all(|byte| byte.is_ascii_lowercase());
    start == pattern || is_capitalised || !start.bytes().any(|byte| byte.is_ascii_uppercase())
}

fn starts_with_ignoring_case(text: &str, prefix: &str) -> bool {
    text.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// The values that a template prints.
struct Moment {
    year: i64,
    month: i64,
    day: i64,
    days: i64,
    hours: i64,
    micros: i64,
    zone: Option<Shown>,
    /// Whether this is an interval, which has no calendar.
    span: bool,
}

fn of_instant(a: &Arguments<'_, '_>, zone: Option<Shown>) -> Result<Value> {
    let micros = a.int(0);
    if !is_finite(micros) {
        return Ok(Value::Null);
    }
    admit(a)?;
    let micros = micros + zone.as_ref().map_or(0, |zone| zone.offset);
    let days = micros.div_euclid(DAY);
    let (year, month, day) = civil_from_days(days);
    let micros = micros.rem_euclid(DAY);
    let hours = micros / 3_600_000_000;
    print(&Moment { year, month, day, days, hours, micros, zone, span: false }, a.text(1))
}

fn of_interval(a: &Arguments<'_, '_>) -> Result<Value> {
    admit(a)?;
    let interval = read(a, 0)?;
    let moment = Moment {
        year: interval.months / 12,
        month: interval.months % 12,
        day: interval.days,
        days: interval.days,
        hours: interval.micros / 3_600_000_000,
        micros: interval.micros,
        zone: None,
        span: true,
    };
    print(&moment, a.text(1))
}

fn print(moment: &Moment, template: &str) -> Result<Value> {
    let mut out = String::new();
    for token in tokens(template)? {
        match token {
            Token::Literal(character) => out.push(character),
            Token::Pattern { name, given, fill, suffix } => {
                let text = moment.pattern(name, given, fill)?;
                out.push_str(&text);
                if let Some(suffix) = suffix {
                    out.push_str(&cased(ordinal(&text), suffix));
                }
            }
        }
    }
    own(out)
}

/// `text` in the case of the given pattern: capitals, a capital first, or lower case.
fn cased(text: &str, given: &str) -> String {
    let mut letters = given.chars().filter(char::is_ascii_alphabetic);
    match (letters.next().is_some_and(char::is_uppercase), letters.next().is_none_or(char::is_uppercase)) {
        (true, true) => text.to_uppercase(),
        (true, false) => {
            let first = text.chars().next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
            first + &text.get(1..).unwrap_or("").to_lowercase()
        }
        (false, _) => text.to_lowercase(),
    }
}

fn padded(value: i64, width: usize, fill: bool) -> String {
    match (fill, value < 0) {
        (true, true) => format!("-{:0width$}", -value),
        (true, false) => format!("{value:0width$}"),
        (false, _) => value.to_string(),
    }
}

impl Moment {
    fn pattern(&self, name: &str, given: &str, fill: bool) -> Result<String> {
        let two = |value| Ok(padded(value, 2, fill));
        let seconds = self.micros / 1_000_000;
        let fraction = (self.micros % 1_000_000).abs();
        let half = if self.hours % 12 == 0 { 12 } else { self.hours % 12 };
        match name {
            "FX" => Ok(String::new()),
            "HH24" => two(self.hours),
            "HH12" | "HH" => two(half),
            "MI" => two(seconds / 60 % 60),
            "SS" => two(seconds % 60),
            "MS" => Ok(padded(fraction / 1_000, 3, fill)),
            "US" => Ok(padded(fraction, 6, fill)),
            "FF1" | "FF2" | "FF3" | "FF4" | "FF5" | "FF6" => {
                let width = usize::from(name.as_bytes()[2] - b'0');
                Ok(padded(fraction, 6, true)[..width].to_owned())
            }
            "SSSSS" | "SSSS" => Ok(seconds.to_string()),
            "AM" | "PM" => Ok(cased(if self.hours % 24 >= 12 { "pm" } else { "am" }, given)),
            "A.M." | "P.M." => Ok(cased(if self.hours % 24 >= 12 { "p.m." } else { "a.m." }, given)),
            "DD" => two(self.day),
            "MM" => two(self.month),
            "YYYY" | "YYY" | "YY" | "Y" | "Y,YYY" => Ok(self.year_pattern(name, self.shown_year(), fill)),
            _ if self.span => Err(SqlError::new(
                SqlState::new("22007"),
                "invalid format specification for an interval value",
            )
            .hint("Intervals are not tied to specific calendar dates.")),
            "TZ" => Ok(self.zone.as_ref().map_or(String::new(), |zone| cased(&zone.abbreviation, given))),
            "TZH" | "OF" | "TZM" => Ok(self.offset(name)),
            _ => Ok(self.calendar(name, given, fill)),
        }
    }

    /// The distance from Greenwich.
    fn offset(&self, name: &str) -> String {
        let seconds = self.zone.as_ref().map_or(0, |zone| zone.offset / 1_000_000);
        let (sign, minutes) = (if seconds < 0 { '-' } else { '+' }, seconds.abs() / 60);
        match (name, minutes % 60) {
            ("TZM", minutes) => format!("{minutes:02}"),
            ("OF", rest) if rest > 0 => format!("{sign}{:02}:{rest:02}", minutes / 60),
            _ => format!("{sign}{:02}", minutes / 60),
        }
    }

    fn shown_year(&self) -> i64 {
        if self.year > 0 || self.span { self.year } else { 1 - self.year }
    }

    fn year_pattern(&self, name: &str, year: i64, fill: bool) -> String {
        match name {
            "YYYY" | "IYYY" => padded(year, 4, fill),
            "Y,YYY" => format!("{},{:03}", year / 1000, year % 1000),
            _ => padded(year % 10_i64.pow(name.len() as u32), name.len(), fill),
        }
    }

    fn calendar(&self, name: &str, given: &str, fill: bool) -> String {
        let weekday = (self.days + 4).rem_euclid(7);
        let iso_weekday = if weekday == 0 { 7 } else { weekday };
        let day_of_year = self.days - days_from_civil(self.year, 1, 1) + 1;
        let (iso_year, week) = iso_week(self.days);
        let wide = |text: &str| {
            let text = cased(text, given);
            if fill { format!("{text:<9}") } else { text }
        };
        let month = (self.month - 1) as usize;
        match name {
            "MONTH" => wide(MONTHS[month]),
            "MON" => cased(&MONTHS[month][..3], given),
            "DAY" => wide(DAYS[weekday as usize]),
            "DY" => cased(&DAYS[weekday as usize][..3], given),
            "RM" if fill => format!("{:<4}", cased(ROMAN[month], given)),
            "RM" => cased(ROMAN[month], given),
            "IYYY" | "IYY" | "IY" | "I" => self.year_pattern(name, iso_year, fill),
            "DDD" => padded(day_of_year, 3, fill),
            "IDDD" => padded((week - 1) * 7 + iso_weekday, 3, fill),
            "D" => (weekday + 1).to_string(),
            "ID" => iso_weekday.to_string(),
            "IW" => padded(week, 2, fill),
            "WW" => padded((day_of_year - 1) / 7 + 1, 2, fill),
            "W" => ((self.day - 1) / 7 + 1).to_string(),
            "CC" => padded((self.shown_year() + 99) / 100, 2, fill),
            "J" => (self.days + 2_440_588).to_string(),
            "Q" => ((self.month - 1) / 3 + 1).to_string(),
            "AD" | "BC" => cased(if self.year > 0 { "ad" } else { "bc" }, given),
            _ => cased(if self.year > 0 { "a.d." } else { "b.c." }, given),
        }
    }
}

/// The values that a template has read from a text.
#[derive(Default)]
struct Scanned {
    text: String,
    year: i64,
    month: i64,
    day: i64,
    day_of_year: Option<i64>,
    hours: i64,
    half: Option<bool>,
    minutes: i64,
    seconds: i64,
    micros: i64,
    offset: i64,
    bc: bool,
}

fn scan(text: &str, template: &str) -> Result<Scanned> {
    let mut scanned = Scanned { text: text.to_owned(), month: 1, day: 1, ..Scanned::default() };
    let tokens = tokens(template)?;
    let mut rest = text.trim_start();
    for (index, token) in tokens.iter().enumerate() {
        match token {
            Token::Literal(literal) => {
                // A separator in the template matches any separator. A letter matches any character.
                let taken = rest.chars().next().filter(|next| {
                    next == literal
                        || (!literal.is_alphanumeric()
                            && !next.is_alphanumeric()
                            && *next != '-'
                            && *next != '+')
                        || literal.is_alphabetic()
                        || (!literal.is_alphanumeric() && *next == '-')
                });
                rest = &rest[taken.map_or(0, char::len_utf8)..];
                if literal.is_whitespace() {
                    rest = rest.trim_start();
                }
            }
            Token::Pattern { name, given, suffix, .. } => {
                rest = rest.trim_start();
                let followed_by_pattern = matches!(tokens.get(index + 1), Some(Token::Pattern { .. }));
                rest = scanned.take(name, given, rest, followed_by_pattern)?;
                let ending = if suffix.is_some() { 2 } else { 0 };
                rest = rest.get(ending..).unwrap_or("");
            }
        }
    }
    Ok(scanned)
}

impl Scanned {
    fn take<'a>(&mut self, name: &str, given: &str, rest: &'a str, adjacent: bool) -> Result<&'a str> {
        let word = |words: &[&str], least: usize| {
            let length = |word: &str| if least > 0 { least } else { word.len() };
            words
                .iter()
                .position(|word| starts_with_ignoring_case(rest, &word[..length(word)]))
                .map(|index| (index as i64, length(words[index])))
        };
        let unknown = |given: &str| {
            let shown: String = rest.chars().take(given.len()).collect();
            SqlError::new(SqlState::INVALID_DATETIME, format!("invalid value \"{shown}\" for \"{given}\""))
                .detail("The given value did not match any of the allowed values for this field.")
        };
        match name {
            "MONTH" | "MON" => {
                let (index, length) =
                    word(&MONTHS, if name == "MON" { 3 } else { 0 }).ok_or_else(|| unknown(given))?;
                self.month = index + 1;
                return Ok(&rest[length..]);
            }
            "DAY" | "DY" => {
                let (_, length) =
                    word(&DAYS, if name == "DY" { 3 } else { 0 }).ok_or_else(|| unknown(given))?;
                return Ok(&rest[length..]);
            }
            "AM" | "PM" | "A.M." | "P.M." => {
                let (index, length) = word(&["am", "pm", "a.m.", "p.m."], 0).ok_or_else(|| unknown(given))?;
                self.half = Some(index % 2 == 1);
                return Ok(&rest[length..]);
            }
            "AD" | "BC" | "A.D." | "B.C." => {
                let (index, length) = word(&["ad", "bc", "a.d.", "b.c."], 0).ok_or_else(|| unknown(given))?;
                self.bc = index % 2 == 1;
                return Ok(&rest[length..]);
            }
            "TZH" | "OF" => return self.zone(rest),
            _ => {}
        }
        let width = match name {
            "HH24" | "HH12" | "HH" => 2,
            "YYYY" if !adjacent => 9,
            "MS" => 3,
            "US" => 6,
            other => other.len(),
        };
        let digits = rest.bytes().take(width).take_while(u8::is_ascii_digit).count();
        if digits == 0 {
            let shown: String = rest.chars().take(width.min(4)).collect();
            let message = format!("invalid value \"{shown}\" for \"{given}\"");
            return Err(
                SqlError::new(SqlState::INVALID_DATETIME, message).detail("Value must be an integer.")
            );
        }
        self.number(name, &rest[..digits])?;
        Ok(&rest[digits..])
    }

    fn zone<'a>(&mut self, rest: &'a str) -> Result<&'a str> {
        let length = rest.bytes().take_while(|byte| byte.is_ascii_digit() || b"+-:".contains(byte)).count();
        let offset = crate::value::datetime::zone_offset(&rest[..length]);
        self.offset = offset.ok_or_else(|| self.out_of_range())?;
        Ok(&rest[length..])
    }

    fn number(&mut self, name: &str, digits: &str) -> Result<()> {
        let value: i64 = digits.parse().map_err(|_| self.out_of_range())?;
        let micros = || format!("{digits:0<6}")[..6].parse().unwrap_or(0);
        match name {
            "YYYY" => self.year = value,
            "YYY" | "YY" | "Y" => {
                // The year is completed so that it is as near as possible to 2020.
                let century = if digits.len() > 3 { 0 } else { 1900 };
                self.year = if digits.len() <= 2 && value < 70 { 2000 + value } else { century + value };
            }
            "MM" => self.month = value,
            "DD" => self.day = value,
            "DDD" => self.day_of_year = Some(value),
            "HH24" => self.hours = value,
            "HH12" | "HH" => {
                if !(1..=12).contains(&value) {
                    let message = format!("hour \"{value}\" is invalid for the 12-hour clock");
                    return Err(SqlError::new(SqlState::INVALID_DATETIME, message)
                        .hint("Use the 24-hour clock, or give an hour between 1 and 12."));
                }
                self.hours = value;
                self.half = self.half.or(Some(false));
            }
            "MI" => self.minutes = value,
            "SS" => self.seconds = value,
            "MS" => self.micros = format!("{digits:0<3}")[..3].parse().unwrap_or(0) * 1_000,
            "US" | "FF1" | "FF2" | "FF3" | "FF4" | "FF5" | "FF6" => self.micros = micros(),
            "SSSSS" | "SSSS" => self.seconds = value,
            "D" | "ID" | "Q" | "W" | "WW" => {}
            _ => return Err(SqlError::unsupported(format!("reading the template pattern {name}"))),
        }
        Ok(())
    }

    fn out_of_range(&self) -> SqlError {
        let message = format!("date/time field value out of range: \"{}\"", self.text);
        SqlError::new(SqlState::DATETIME_OVERFLOW, message)
    }

    fn days(&self) -> Result<i64> {
        let year = match (self.year, self.bc) {
            (0, _) => 0,
            (year, true) => 1 - year,
            (year, false) => year,
        };
        if year > 294_276 || !(1..=12).contains(&self.month) {
            return Err(self.out_of_range());
        }
        if let Some(day) = self.day_of_year {
            return Ok(days_from_civil(year, 1, 1) + day - 1);
        }
        if !(1..=days_in_month(year, self.month)).contains(&self.day) {
            return Err(self.out_of_range());
        }
        Ok(days_from_civil(year, self.month, self.day))
    }

    fn time(&self) -> Result<i64> {
        let hours = match self.half {
            Some(afternoon) => self.hours % 12 + if afternoon { 12 } else { 0 },
            None => self.hours,
        };
        if hours > 24 || self.minutes > 59 || self.seconds > 86_400 {
            return Err(self.out_of_range());
        }
        Ok((hours * 3_600 + self.minutes * 60 + self.seconds) * 1_000_000 + self.micros)
    }
}
