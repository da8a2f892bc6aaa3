//! `to_char` of numbers in PostgreSQL's dialect.

use rusqlite::Result;
use rusqlite::types::Value;

use super::{Arguments, Function, fail};

pub(super) const FUNCTIONS: &[Function] =
    &[Function { name: "wh_number_format", call }, Function { name: "wh_to_number", call: to_number }];

/// `to_number(text, pattern)`: as many digits as the pattern has places for before and after its point.
fn to_number(a: &Arguments<'_, '_>) -> Result<Value> {
    let (text, pattern) = (a.text(0).trim(), a.text(1).to_uppercase());
    if ["RN", "V", "EEEE", "TH"].iter().any(|sign| pattern.contains(sign)) {
        return fail("to_number with this pattern is not supported");
    }
    let (before, after) = pattern.split_once(['.', 'D']).unwrap_or((&pattern, ""));
    let places = |part: &str| part.chars().filter(|sign| matches!(sign, '9' | '0')).count();
    let is_read = |sign: char| match sign {
        '.' => pattern.contains(['.', 'D']),
        ',' => pattern.contains([',', 'G']),
        sign => sign.is_ascii_digit() || " -+<>$".contains(sign),
    };
    let has_digits = text.contains(|sign: char| sign.is_ascii_digit());
    if has_digits && !text.chars().all(is_read) {
        return fail("to_number of a text with other signs than its pattern has is not supported");
    }
    let is_negative = text.contains('-') || (text.starts_with('<') && pattern.contains("PR"));
    let kept: String = text.chars().filter(|sign| sign.is_ascii_digit() || *sign == '.').collect();
    let (whole, fraction) = kept.split_once('.').unwrap_or((&kept, ""));
    let whole: String = whole.chars().take(places(before)).collect();
    let fraction: String = fraction.chars().filter(char::is_ascii_digit).take(places(after)).collect();
    if whole.is_empty() && fraction.is_empty() {
        return fail(format!("invalid input syntax for type numeric: \"{}\"", a.text(0)));
    }
    let sign = if is_negative { "-" } else { "" };
    if fraction.is_empty()
        && let Ok(whole) = format!("{sign}{whole}").parse::<i64>()
    {
        return Ok(whole.into());
    }
    Ok(format!("{sign}0{whole}.{fraction}0").parse::<f64>().map_or(Value::Null, Value::Real))
}

/// A pattern such as `FM9,990.00%`.
pub(crate) struct Format {
    /// Without the blanks around the number.
    bare: bool,
    whole: Vec<Sign>,
    /// The digits after the point, if there is one. True ones are written even if they are zeros at the end.
    fraction: Option<Vec<bool>>,
    after: String,
}

#[derive(Clone, Copy, PartialEq)]
enum Sign {
    Digit,
    Zero,
    Comma,
}

impl Format {
    /// Reads a pattern of digits, commas and a point, and signs that are written as they are after them.
    pub(crate) fn of(text: &str) -> Option<Format> {
        let rest = text.strip_prefix("FM").unwrap_or(text);
        let mut format =
            Format { bare: rest.len() < text.len(), whole: Vec::new(), fraction: None, after: String::new() };
        for sign in rest.chars() {
            let is_over = !format.after.is_empty();
            match sign {
                '0' | '9' if is_over => return None,
                '0' | '9' => match &mut format.fraction {
                    Some(digits) => digits.push(sign == '0'),
                    None => format.whole.push(if sign == '0' { Sign::Zero } else { Sign::Digit }),
                },
                ',' | 'G' if format.fraction.is_none() && !is_over => format.whole.push(Sign::Comma),
                '.' | 'D' if format.fraction.is_none() && !is_over => format.fraction = Some(Vec::new()),
                sign if sign.is_ascii_alphabetic() || matches!(sign, '"' | '\\' | ',' | '.') => return None,
                sign => format.after.push(sign),
            }
        }
        let digits = format.whole.iter().filter(|sign| **sign != Sign::Comma).count();
        let starts_well = matches!(format.whole.first(), Some(Sign::Digit | Sign::Zero));
        let fraction = format.fraction.as_ref().map_or(0, Vec::len);
        (starts_well && digits <= 30 && fraction <= 30).then_some(format)
    }

    /// The number with its sign before its first digit.
    fn written(&self, is_negative: bool, whole: &str, fraction: &str) -> String {
        let whole = whole.trim_start_matches('0');
        let places = self.whole.iter().filter(|sign| **sign != Sign::Comma).count();
        let too_large = whole.len() > places;
        // Without a place for a zero, a number below 1 has no digit before its point.
        let shown = if whole.is_empty() && self.fraction.is_none() { "0" } else { whole };
        let forced = {
            let mut place = 0;
            let mut first = None;
            for sign in &self.whole {
                if *sign == Sign::Zero && first.is_none() {
                    first = Some(place);
                }
                place += usize::from(*sign != Sign::Comma);
            }
            first.unwrap_or(places)
        };
        let begin = if too_large { 0 } else { forced.min(places - shown.len()) };
        let mut out = String::new();
        let sign = if is_negative {
            "-"
        } else if self.bare {
            ""
        } else {
            " "
        };
        let (mut place, mut begun) = (0, false);
        let mut digits = shown.chars();
        for part in &self.whole {
            if *part == Sign::Comma {
                match (begun, self.bare) {
                    (true, _) => out.push(','),
                    (false, false) => out.push(' '),
                    (false, true) => {}
                }
                continue;
            }
            if place == begin && !begun {
                out.push_str(sign);
                begun = true;
            }
            match (begun, self.bare) {
                (true, _) if too_large => out.push('#'),
                (true, _) if place < places - shown.len() => out.push('0'),
                (true, _) => out.extend(digits.next()),
                (false, false) => out.push(' '),
                (false, true) => {}
            }
            place += 1;
        }
        if !begun {
            out.push_str(sign);
        }
        if let Some(places) = &self.fraction {
            out.push('.');
            let kept = if self.bare {
                let forced = places.iter().rposition(|forced| *forced).map_or(0, |place| place + 1);
                fraction.trim_end_matches('0').len().max(forced)
            } else {
                places.len()
            };
            out.extend(fraction.chars().take(kept).map(|sign| if too_large { '#' } else { sign }));
        }
        out + &self.after
    }
}

fn call(a: &Arguments<'_, '_>) -> Result<Value> {
    let Some(format) = Format::of(a.text(1)) else {
        return fail("to_char with this pattern is not supported");
    };
    let number = a.real(0);
    if !number.is_finite() {
        return fail("to_char of a number that is not finite is not supported");
    }
    let digits = format.fraction.as_ref().map_or(0, Vec::len);
    // The shortest decimal digits of the number are rounded, halves away from zero.
    let written = match a.value(0) {
        rusqlite::types::ValueRef::Integer(whole) => whole.unsigned_abs().to_string(),
        _ => format!("{}", number.abs()),
    };
    let (whole, fraction) = written.split_once('.').unwrap_or((&written, ""));
    let (whole, fraction) = rounded(whole, fraction, digits);
    let is_zero = whole.chars().chain(fraction.chars()).all(|sign| sign == '0');
    Ok(format.written(number < 0.0 && !is_zero, &whole, &fraction).into())
}

/// Decimal digits with so many after the point.
fn rounded(whole: &str, fraction: &str, digits: usize) -> (String, String) {
    let mut kept: Vec<u8> =
        whole.bytes().chain(fraction.bytes().chain(std::iter::repeat(b'0')).take(digits)).collect();
    if fraction.as_bytes().get(digits).is_some_and(|next| *next >= b'5') {
        let mut place = kept.len();
        loop {
            if place == 0 {
                kept.insert(0, b'1');
                break;
            }
            place -= 1;
            if kept[place] == b'9' {
                kept[place] = b'0';
            } else {
                kept[place] += 1;
                break;
            }
        }
    }
    let point = kept.len() - digits;
    let text = |bytes: &[u8]| bytes.iter().copied().map(char::from).collect::<String>();
    (text(&kept[..point]), text(&kept[point..]))
}
