//! `to_char` of dates by template. `from_char` reads by the same templates.

mod spans;

use rusqlite::types::Value;
use sim_values::calendar::{DAYS, MONTHS};
use sim_values::number_template::ordinal;
use sim_values::zone::{self, Shown};

use super::dates::read;
use super::fields::iso_week;
use super::text::own;
use super::{Arguments, Function};
use sim_values::error::Result;
use sim_values::types::Type;
use sim_values::value::datetime::{DAY, civil_from_days, days_from_civil, is_finite};

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
];

pub(super) const ROMAN: [&str; 12] =
    ["I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"];

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

pub(super) enum Token<'a> {
    Literal(char),
    /// A character in quotes.
    Quoted(char),
    Pattern {
        name: &'static str,
        given: &'a str,
        fill: bool,
        suffix: Option<&'a str>,
    },
}

/// Charges the cost of splitting the template in argument 1, each character of which may be a token, and of printing it.
pub(super) fn admit(a: &Arguments<'_, '_>) -> Result<()> {
    a.budget().make(a.text(1).len().saturating_mul(size_of::<Token<'_>>()))
}

/// Splits a template into patterns and literal text.
pub(super) fn tokens(template: &str) -> Result<Vec<Token<'_>>> {
    let mut tokens = Vec::new();
    let mut rest = template;
    while let Some(character) = rest.chars().next() {
        if character == '"' {
            rest = quoted(&rest[1..], &mut tokens);
            continue;
        }
        if character == '\\' && rest.len() > 1 {
            let escaped = rest[1..].chars().next().unwrap_or('\\');
            if escaped == '"' {
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
            '\\' => tokens.extend(characters.next().map(|(_, escaped)| Token::Quoted(escaped))),
            other => tokens.push(Token::Quoted(other)),
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

pub(super) fn starts_with_ignoring_case(text: &str, prefix: &str) -> bool {
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
            Token::Literal(character) | Token::Quoted(character) => out.push(character),
            Token::Pattern { name, given, fill, suffix } => {
                let text = moment.pattern(name, given, fill)?;
                out.push_str(&text);
                if let Some(suffix) = suffix.filter(|_| !text.is_empty()) {
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
        let fraction = self.micros % 1_000_000;
        let half = if self.hours % 12 == 0 { 12 } else { self.hours % 12 };
        match name {
            "FX" => Ok(String::new()),
            "HH24" => two(self.hours),
            "HH12" | "HH" => two(half),
            "MI" => two(seconds / 60 % 60),
            "SS" => two(seconds % 60),
            "MS" => Ok(spans::counted(fraction / 1_000, 3, true)),
            "US" => Ok(spans::counted(fraction, 6, true)),
            "FF1" | "FF2" | "FF3" | "FF4" | "FF5" | "FF6" => {
                let width = usize::from(name.as_bytes()[2] - b'0');
                Ok(spans::counted(fraction / 10_i64.pow(6 - width as u32), width, true))
            }
            "SSSSS" | "SSSS" => Ok(seconds.to_string()),
            "AM" | "PM" => Ok(cased(if self.hours % 24 >= 12 { "pm" } else { "am" }, given)),
            "A.M." | "P.M." => Ok(cased(if self.hours % 24 >= 12 { "p.m." } else { "a.m." }, given)),
            "MM" => two(self.month),
            "YYYY" | "YYY" | "YY" | "Y" | "Y,YYY" => Ok(self.year_pattern(name, self.shown_year(), fill)),
            _ if self.span => spans::pattern(self, name, given, fill),
            "DD" => two(self.day),
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
