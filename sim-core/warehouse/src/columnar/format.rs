//! Texts of values and of times by a format, and the units of times.

use sqlparser::ast::{Expr, FunctionArg};

use super::call::{expr_of, moved, text_of};
use super::expr::{quoted, unit_named};
use crate::refusal::Refusal;

/// `format('{} {1}', …)`
pub(super) fn filled(format: &str, values: &[String]) -> Result<String, Refusal> {
    let (mut parts, mut text, mut next) = (Vec::new(), String::new(), 0);
    let mut signs = format.chars().peekable();
    while let Some(sign) = signs.next() {
        match sign {
            '{' | '}' if signs.next_if_eq(&sign).is_some() => text.push(sign),
            '{' => {
                let place: String = std::iter::from_fn(|| signs.next_if(char::is_ascii_digit)).collect();
                let place = place.parse().unwrap_or(next);
                let value = values.get(place).filter(|_| signs.next_if_eq(&'}').is_some());
                let value =
                    value.ok_or_else(|| Refusal::invalid("format has no argument for each of its {}"))?;
                parts.push(quoted(&std::mem::take(&mut text)));
                parts.push(format!("plain_text({value})"));
                next += 1;
            }
            sign => text.push(sign),
        }
    }
    parts.push(quoted(&text));
    Ok(format!("concat({})", parts.join(", ")))
}

/// A format for reading, with the warehouse's letters.
pub(super) fn text_format(format: &str) -> Result<String, Refusal> {
    let mut written = String::new();
    let mut signs = format.chars();
    while let Some(sign) = signs.next() {
        written.push(sign);
        if sign == '%' {
            let letter = signs.next().unwrap_or('%');
            written.push(
                same_letter(letter).ok_or_else(|| Refusal::unsupported(&format!("the format %{letter}")))?,
            );
        }
    }
    Ok(written)
}

/// The warehouse's letter in a format of a timestamp.
pub(super) fn same_letter(letter: char) -> Option<char> {
    Some(match letter {
        'i' => 'M',
        'M' => 'B',
        'W' => 'A',
        'c' => 'm',
        'h' | 'l' => 'I',
        'k' => 'H',
        's' => 'S',
        'a' | 'b' | 'd' | 'D' | 'F' | 'G' | 'H' | 'I' | 'j' | 'm' | 'p' | 'Q' | 'R' | 'S' | 'T' | 'u'
        | 'V' | 'y' | 'Y' | '%' => letter,
        _ => return None,
    })
}

/// A format in the letters of Joda, in the dialect's own.
pub(super) fn joda_format(format: &str) -> Result<String, Refusal> {
    let (mut out, mut rest) = (String::new(), format);
    while let Some(letter) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches(letter).len();
        if letter == '\'' {
            let (inside, after) = rest[1..].split_once('\'').unwrap_or((&rest[1..], ""));
            out.push_str(if inside.is_empty() { "'" } else { inside });
            rest = after;
            continue;
        }
        let written = match (letter, run) {
            ('y' | 'Y', 2) => "%y",
            ('y' | 'Y', _) => "%Y",
            ('x', _) => "%G",
            ('M', 1) => "%c",
            ('M', 2) => "%m",
            ('M', 3) => "%b",
            ('M', _) => "%M",
            ('d', 2) => "%d",
            ('H', 2) => "%H",
            ('h', 2) => "%I",
            ('m', 2) => "%i",
            ('s', 2) => "%S",
            ('E', 1..=3) => "%a",
            ('E', _) => "%W",
            ('e', 1) => "%u",
            ('D', 3) => "%j",
            ('a', _) => "%p",
            ('G', 1..=3) => "AD",
            (letter, run) if letter.is_ascii_alphabetic() => {
                let letters: String = std::iter::repeat_n(letter, run).collect();
                return Err(Refusal::unsupported(&format!("the format {letters}")));
            }
            ('%', run) => {
                out.push_str(&"%%".repeat(run));
                ""
            }
            (_, run) => {
                out.push_str(&rest[..run]);
                ""
            }
        };
        out.push_str(written);
        rest = &rest[run..];
    }
    Ok(out)
}

/// `formatDateTime`: what the warehouse's formats lack is put between them.
pub(super) fn shown(at: &str, format: &str, zone: Option<&String>) -> Result<String, Refusal> {
    let in_zone = zone.map(|zone| format!(", {zone}")).unwrap_or_default();
    let formatted = |format: &str| format!("format_timestamp({}, {at}{in_zone})", quoted(format));
    let part = |part: &str| match zone {
        Some(zone) => format!("extract({part} from {at} at time zone {zone})"),
        None => format!("extract({part} from {at})"),
    };
    let padded = |number: String| format!("lpad(cast({number} as string), 2, ' ')");
    let (mut parts, mut plain) = (Vec::new(), String::new());
    let mut signs = format.chars();
    while let Some(sign) = signs.next() {
        if sign != '%' {
            plain.push(sign);
            continue;
        }
        let letter =
            signs.next().ok_or_else(|| Refusal::invalid("formatDateTime: the format ends with %"))?;
        let odd = match letter {
            'n' => {
                plain.push('\n');
                continue;
            }
            't' => {
                plain.push('\t');
                continue;
            }
            'r' => {
                plain.push_str("%I:%M %p");
                continue;
            }
            'z' if zone.is_none() => {
                plain.push_str("+0000");
                continue;
            }
            'g' => format!("lpad(cast(mod({}, 100) as string), 2, '0')", part("isoyear")),
            'e' => padded(part("day")),
            'C' => format!("cast(div({}, 100) as string)", part("year")),
            'f' => format!("lpad(cast({} as string), 6, '0')", part("microsecond")),
            'w' => format!("cast({} - 1 as string)", part("dayofweek")),
            letter => {
                let known = same_letter(letter);
                plain.extend([
                    '%',
                    known.ok_or_else(|| Refusal::unsupported(&format!("the format %{letter}")))?,
                ]);
                continue;
            }
        };
        if !plain.is_empty() {
            parts.push(formatted(&std::mem::take(&mut plain)));
        }
        parts.push(odd);
    }
    if !plain.is_empty() || parts.is_empty() {
        parts.push(formatted(&plain));
    }
    Ok(if let [only] = parts.as_slice() { only.clone() } else { format!("concat({})", parts.join(", ")) })
}

/// The beginning of the interval of a timestamp. Weeks begin on Monday.
pub(super) fn start_of_interval(
    at: &str,
    interval: Option<(&Expr, &'static str)>,
    zone: Option<&str>,
) -> Result<String, Refusal> {
    let count_of =
        |(count, unit): (&Expr, &'static str)| Some((count.to_string().parse::<i64>().ok()?, unit));
    let Some((count @ 1..=1_000_000, unit)) = interval.and_then(count_of) else {
        return Err(Refusal::unsupported("toStartOfInterval of other than a counted unit"));
    };
    if let Some(zone) = zone {
        let seconds = count
            * match unit {
                "second" => 1,
                "minute" => 60,
                _ => 0,
            };
        let unit = if unit == "week" { "isoweek" } else { unit };
        return match (count, 900 % seconds.max(1)) {
            // Zones differ by whole quarters of an hour.
            (_, 0) if seconds > 0 => start_of_interval(at, interval, None),
            (1, _) if is_of_days(unit) => {
                Ok(format!("date(timestamp_trunc({at}, {unit}, {0}), {0})", quoted(zone)))
            }
            (1, _) => Ok(format!("timestamp_trunc({at}, {unit}, {})", quoted(zone))),
            // Hours are counted from the zone's midnight.
            (2..=12, _) if unit == "hour" && 24 % count == 0 => {
                let (hour, day) = (format!("timestamp_trunc({at}, hour, {})", quoted(zone)), quoted(zone));
                let past = format!("mod(extract(hour from {at} at time zone {day}), {count})");
                Ok(format!("timestamp_sub({hour}, interval ({past}) hour)"))
            }
            _ => Err(Refusal::unsupported("toStartOfInterval of several hours or more in a zone")),
        };
    }
    let by = |function: &str, from: &str, width: i64, first: i64| {
        format!("{function}(div({from}({at}) - {first}, {width}) * {width} + {first})")
    };
    let months = match unit {
        "microsecond" => return Ok(by("timestamp_micros", "unix_micros", count, 0)),
        "millisecond" => return Ok(by("timestamp_millis", "unix_millis", count, 0)),
        "second" => return Ok(by("timestamp_seconds", "unix_seconds", count, 0)),
        "minute" => return Ok(by("timestamp_seconds", "unix_seconds", count * 60, 0)),
        "hour" => return Ok(by("timestamp_seconds", "unix_seconds", count * 3600, 0)),
        "day" => return Ok(by("timestamp_seconds", "unix_seconds", count * 86_400, 0)),
        // The first Monday was the fifth of January.
        "week" => {
            return Ok(format!(
                "date({})",
                by("timestamp_seconds", "unix_seconds", count * 604_800, 345_600)
            ));
        }
        "month" => count,
        "quarter" => count * 3,
        _ => count * 12,
    };
    if months > 12 || 12 % months != 0 {
        return Err(Refusal::unsupported("toStartOfInterval of months that do not divide a year"));
    }
    let month = format!("timestamp_trunc({at}, month)");
    let after = format!("mod(extract(month from {at}) - 1, {months})");
    let start = if months == 1 { month } else { moved(&month, &format!("({after})"), "month", true) };
    Ok(format!("date({start})"))
}

/// The beginning of the interval of a timestamp, counted from an origin.
pub(super) fn start_from(
    at: &str,
    origin: &str,
    interval: Option<(&Expr, &'static str)>,
) -> Result<String, Refusal> {
    let counted = interval.and_then(|(count, unit)| Some((count.to_string().parse::<i64>().ok()?, unit)));
    let width = counted.and_then(|(count, unit)| {
        let micros = match unit {
            "microsecond" => 1,
            "millisecond" => 1_000,
            "second" => 1_000_000,
            "minute" => 60_000_000,
            "hour" => 3_600_000_000,
            "day" => 86_400_000_000,
            "week" => 604_800_000_000,
            _ => return None,
        };
        count.checked_mul(micros).filter(|width| *width > 0)
    });
    let width =
        width.ok_or_else(|| Refusal::unsupported("toStartOfInterval of months or years with an origin"))?;
    let from = format!("unix_micros(as_moment({origin}))");
    let start = format!("timestamp_micros({from} + div(unix_micros({at}) - {from}, {width}) * {width})");
    Ok(if origin.starts_with("date(") { format!("date({start})") } else { start })
}

/// Whether the beginning of such a unit is a day.
pub(super) fn is_of_days(unit: &str) -> bool {
    matches!(unit, "week" | "isoweek" | "month" | "quarter" | "year")
}

/// The unit that an argument names, as a text or as a word.
pub(super) fn unit_of(argument: Option<&FunctionArg>) -> Option<&'static str> {
    match expr_of(argument?)? {
        Expr::Identifier(name) => unit_named(&name.value),
        _ => unit_named(text_of(argument?)?),
    }
}
