//! `PARSE_TIMESTAMP` and similar functions: read a text by the elements of a format.

use std::fmt::Write;

use regex::Regex;
use rusqlite::Result;
use rusqlite::types::Value;
use sim_values::value::datetime::DAY;

use super::{Arguments, Function, fail, instant, or_fail, refused};

pub(super) const FUNCTIONS: &[Function] = &[Function { name: "wh_strptime", call: strptime }];

const SECOND: i64 = 1_000_000;

/// The longest format, in bytes.
const FORMAT_MAX: usize = 1_000;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

fn strptime(a: &Arguments<'_, '_>) -> Result<Value> {
    let (format, text) = (a.text(0), a.text(1));
    if format.len() > FORMAT_MAX {
        return fail(format!("a format of more than {FORMAT_MAX} bytes is not supported"));
    }
    // The pattern is made for each call.
    a.budget.work(format.len() * 50).map_err(refused)?;
    let Some((pattern, elements)) = pattern(format) else {
        return fail(format!("the format {format} is not supported"));
    };
    let Ok(regex) = Regex::new(&pattern) else {
        return fail(format!("the format {format} is not supported"));
    };
    let found = regex.captures(text).and_then(|captures| {
        let groups = captures.iter().skip(1).map(|group| group.map_or("", |group| group.as_str()));
        moment(elements.iter().map(String::as_str).zip(groups))
    });
    or_fail(found, a.safe(2), || format!("Failed to parse input string {text:?}"))
}

/// A pattern for the whole text, and the element of each group.
fn pattern(format: &str) -> Option<(String, Vec<String>)> {
    let long = [("%F", "%Y-%m-%d"), ("%T", "%H:%M:%S"), ("%R", "%H:%M"), ("%D", "%m/%d/%y")];
    let format = long.iter().fold(format.to_owned(), |text, (short, long)| text.replace(short, long));
    let mut pattern = "^".to_owned();
    let mut elements = Vec::new();
    let mut signs = format.chars();
    while let Some(sign) = signs.next() {
        if sign.is_ascii_whitespace() {
            pattern.push_str(r"\s*");
            continue;
        }
        if sign != '%' {
            pattern.push_str(&regex::escape(&sign.to_string()));
            continue;
        }
        let mut element = signs.next()?.to_string();
        if element == "E" {
            element.extend(signs.next());
            if element != "Ez" {
                element.extend(signs.next());
            }
        }
        let group = match element.as_str() {
            "Y" | "E4Y" => r"(\d{1,4})",
            "m" | "M" | "S" => r"(\d{1,2})",
            "d" | "e" | "H" | "k" | "I" | "l" => r" *(\d{1,2})",
            "y" => r"(\d{2})",
            "b" | "B" | "h" | "a" | "A" => "([A-Za-z]+)",
            "p" => "([AaPp][Mm])",
            "s" => r"(-?\d{1,11})",
            "z" | "Ez" => r"(Z|[+-]\d{2}:?\d{2})",
            "%" => {
                pattern.push('%');
                continue;
            }
            other if other.len() == 3 && other.starts_with('E') && other.ends_with('S') => {
                r"(\d{1,2}(?:\.\d+)?)"
            }
            _ => return None,
        };
        let _ = write!(pattern, "{group}");
        elements.push(element);
    }
    Some((pattern + "$", elements))
}

/// Microseconds. Parts that are not given are those of the beginning of 1970.
fn moment<'t>(parts: impl Iterator<Item = (&'t str, &'t str)>) -> Option<i64> {
    let (mut year, mut month, mut day, mut hour, mut minute) = (1970, 1, 1, 0, 0);
    let (mut second, mut fraction) = (0, String::new());
    let (mut half, mut shift, mut since) = (None, 0, None);
    for (element, text) in parts {
        let number = || text.parse::<i64>().ok();
        match element {
            "Y" | "E4Y" => year = number()?,
            "y" => year = number().map(|two| if two < 69 { 2000 + two } else { 1900 + two })?,
            "m" => month = number()?,
            "b" | "B" | "h" => {
                let three = text.get(..3)?.to_ascii_lowercase();
                month = MONTHS.iter().position(|known| *known == three)? as i64 + 1;
            }
            "d" | "e" => day = number()?,
            "H" | "k" => hour = number()?,
            "I" | "l" => hour = number().filter(|hour| (1..=12).contains(hour))?,
            "M" => minute = number()?,
            "p" => half = Some(text.eq_ignore_ascii_case("pm")),
            "s" => since = number(),
            "z" | "Ez" if text == "Z" => shift = 0,
            "z" | "Ez" => {
                let digits: String = text.chars().filter(char::is_ascii_digit).collect();
                let (hours, minutes) = (digits[..2].parse::<i64>().ok()?, digits[2..].parse::<i64>().ok()?);
                let size = (hours * 60 + minutes) * 60 * SECOND;
                shift = if text.starts_with('-') { -size } else { size };
            }
            "a" | "A" => {}
            _ => {
                let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
                second = whole.parse().ok()?;
                fraction = rest.to_owned();
            }
        }
    }
    if let Some(since) = since {
        return since.checked_mul(SECOND);
    }
    if let Some(is_late) = half {
        hour = hour % 12 + if is_late { 12 } else { 0 };
    }
    let date = instant::date(year, month, day)?;
    Some(date * DAY + instant::clock(hour, minute, second, &fraction)? - shift)
}
