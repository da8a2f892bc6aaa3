//! Times of the search language: `today`, `last@15min`, `2026-{05..07}-01`, an instant, a day, or a Unix time in any unit.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use jiff::{Span, Timestamp, ToSpan as _};
use sim_base::micros;

use crate::normalise::by_digits;

/// A period in microseconds, including both ends; `None` means unlimited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Instants {
    pub(crate) from: Option<i64>,
    pub(crate) until: Option<i64>,
}

impl Instants {
    /// Parses the text after `t:`, relative to `now`.
    pub(crate) fn read(text: &str, now: Timestamp) -> Result<Instants, String> {
        let unknown = || {
            format!(
                "t:{text}: a time is an instant such as 2026-01-01T00:00:00Z, a day, a Unix time, a range a..b, now, \
                 today, yesterday, this@hour or last@15min"
            )
        };
        let instants = read(text, now).ok_or_else(unknown)?;
        if matches!((instants.from, instants.until), (Some(from), Some(until)) if from > until) {
            return Err(format!("t:{text}: a range begins with its earlier end"));
        }
        Ok(instants)
    }

    pub(crate) fn has(self, instant: i64) -> bool {
        self.from.is_none_or(|from| from <= instant) && self.until.is_none_or(|until| instant <= until)
    }
}

fn read(text: &str, now: Timestamp) -> Option<Instants> {
    let comparisons = [">=", "<=", ">", "<", "="];
    let sign = comparisons.into_iter().find(|sign| text.starts_with(sign)).unwrap_or_default();
    let text = &text[sign.len()..];
    let text = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    if sign.is_empty() {
        if let Some(relative) = relative(text, now) {
            return Some(relative);
        }
        if let Some((from, until)) = ends(text) {
            return Some(Instants { from: Some(period(&from, now)?.0), until: Some(period(&until, now)?.1) });
        }
    }
    let (first, last) = period(text, now)?;
    let [from, until] = match sign {
        ">=" => [Some(first), None],
        ">" => [Some(first.checked_add(1)?), None],
        "<=" => [None, Some(first)],
        "<" => [None, Some(first.checked_sub(1)?)],
        _ => [Some(first), Some(last)],
    };
    Some(Instants { from, until })
}

/// `today`, `yesterday`, `this@UNIT`, `last@NUNIT`, `last@UNIT`.
fn relative(text: &str, now: Timestamp) -> Option<Instants> {
    let civil = TimeZone::UTC.to_datetime(now);
    let day = |date: Date| Some(Instants { from: Some(start_of(date)?), until: Some(end_of(date)?) });
    match text.split_once('@') {
        None if text == "today" => day(civil.date()),
        None if text == "yesterday" => day(civil.date().yesterday().ok()?),
        Some(("this", unit)) => {
            Some(Instants { from: Some(instant(begin(unit_of(unit)?, civil)?)?), until: Some(micros(now)) })
        }
        Some(("last", span)) => {
            let digits = span.find(|sign: char| !sign.is_ascii_digit())?;
            let (count, unit) = span.split_at(digits);
            let count = if count.is_empty() { 1 } else { count.parse().ok().filter(|count| *count > 0)? };
            let before = civil.checked_sub(span_of(unit_of(unit)?, count)?).ok()?;
            Some(Instants { from: Some(instant(before)?), until: Some(micros(now)) })
        }
        _ => None,
    }
}

/// Units by the common beginning of their singular and plural, and their abbreviations.
const UNITS: [(Unit, &[&str]); 7] = [
    (Unit::Second, &["s", "sec", "second"]),
    (Unit::Minute, &["m", "min", "minute"]),
    (Unit::Hour, &["h", "hour"]),
    (Unit::Day, &["d", "day"]),
    (Unit::Week, &["w", "week"]),
    (Unit::Month, &["mm", "month"]),
    (Unit::Year, &["y", "year"]),
];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
}

fn unit_of(name: &str) -> Option<Unit> {
    let is_name =
        |known: &&str| *known == name || (known.len() > 2 && name.strip_suffix('s') == Some(*known));
    UNITS.iter().find(|(_, names)| names.iter().any(is_name)).map(|(unit, _)| *unit)
}

fn span_of(unit: Unit, count: i64) -> Option<Span> {
    let none = Span::new();
    let span = match unit {
        Unit::Second => none.try_seconds(count),
        Unit::Minute => none.try_minutes(count),
        Unit::Hour => none.try_hours(count),
        Unit::Day => none.try_days(count),
        Unit::Week => none.try_weeks(count),
        Unit::Month => none.try_months(count),
        Unit::Year => none.try_years(count),
    };
    span.ok()
}

/// The start of the unit that the instant is in. Weeks begin on Monday.
fn begin(unit: Unit, at: DateTime) -> Option<DateTime> {
    let date = at.date();
    let midnight = |date: Date| date.at(0, 0, 0, 0);
    Some(match unit {
        Unit::Second => date.at(at.hour(), at.minute(), at.second(), 0),
        Unit::Minute => date.at(at.hour(), at.minute(), 0, 0),
        Unit::Hour => date.at(at.hour(), 0, 0, 0),
        Unit::Day => midnight(date),
        Unit::Week => {
            midnight(date.checked_sub(i64::from(date.weekday().to_monday_zero_offset()).days()).ok()?)
        }
        Unit::Month => midnight(date.first_of_month()),
        Unit::Year => midnight(date.first_of_year()),
    })
}

/// The ends of `a..b`, or of ranges in braces, as in `2026-{05..07}-{01..15}`.
fn ends(text: &str) -> Option<(String, String)> {
    if !text.contains('{') {
        return text.split_once("..").map(|(from, until)| (from.to_owned(), until.to_owned()));
    }
    let (mut from, mut until, mut rest) = (String::new(), String::new(), text);
    while let Some((before, after)) = rest.split_once('{') {
        let (range, after) = after.split_once('}')?;
        let (low, high) = range.split_once("..")?;
        from.extend([before, low]);
        until.extend([before, high]);
        rest = after;
    }
    Some((from + rest, until + rest))
}

/// The first and the last microsecond of an instant, such as `now`, or of a day.
fn period(text: &str, now: Timestamp) -> Option<(i64, i64)> {
    if text == "now" {
        return Some((micros(now), micros(now)));
    }
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let at = by_digits(text.parse().ok()?);
        return Some((at, at));
    }
    if let Ok(at) = text.parse::<Timestamp>() {
        return Some((micros(at), micros(at)));
    }
    let civil: DateTime = text.parse().ok()?;
    if text.contains(['T', ' ', 't']) {
        let at = instant(civil)?;
        return Some((at, at));
    }
    Some((start_of(civil.date())?, end_of(civil.date())?))
}

fn instant(civil: DateTime) -> Option<i64> {
    TimeZone::UTC.to_timestamp(civil).ok().map(micros)
}

fn start_of(date: Date) -> Option<i64> {
    instant(date.at(0, 0, 0, 0))
}

fn end_of(date: Date) -> Option<i64> {
    Some(start_of(date)? + 86_400_000_000 - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thursday, 15 January 2026, 10:20:30.
    const NOW: &str = "2026-01-15T10:20:30Z";

    fn at(text: &str) -> Option<i64> {
        (!text.is_empty()).then(|| micros(text.parse().expect("an instant")))
    }

    #[test]
    fn times_are_spans_of_instants() {
        let rows = [
            ("today", "2026-01-15T00:00:00Z", "2026-01-15T23:59:59.999999Z"),
            ("yesterday", "2026-01-14T00:00:00Z", "2026-01-14T23:59:59.999999Z"),
            ("this@second", NOW, NOW),
            ("this@minute", "2026-01-15T10:20:00Z", NOW),
            ("this@hour", "2026-01-15T10:00:00Z", NOW),
            ("this@day", "2026-01-15T00:00:00Z", NOW),
            ("this@week", "2026-01-12T00:00:00Z", NOW),
            ("this@month", "2026-01-01T00:00:00Z", NOW),
            ("this@year", "2026-01-01T00:00:00Z", NOW),
            ("last@30s", "2026-01-15T10:20:00Z", NOW),
            ("last@15min", "2026-01-15T10:05:30Z", NOW),
            ("last@15m", "2026-01-15T10:05:30Z", NOW),
            ("last@2hours", "2026-01-15T08:20:30Z", NOW),
            ("last@2days", "2026-01-13T10:20:30Z", NOW),
            ("last@1w", "2026-01-08T10:20:30Z", NOW),
            ("last@1mm", "2025-12-15T10:20:30Z", NOW),
            ("last@1year", "2025-01-15T10:20:30Z", NOW),
            ("last@hour", "2026-01-15T09:20:30Z", NOW),
            ("last@d", "2026-01-14T10:20:30Z", NOW),
            ("now", NOW, NOW),
            (">=now", NOW, ""),
            ("2026-01-15T{08..09}:{00..30}:00", "2026-01-15T08:00:00Z", "2026-01-15T09:30:00Z"),
            ("2020-{05..07}-01", "2020-05-01T00:00:00Z", "2020-07-01T23:59:59.999999Z"),
            ("2025-12-{30..31}", "2025-12-30T00:00:00Z", "2025-12-31T23:59:59.999999Z"),
            ("2025-12-30..2025-12-31", "2025-12-30T00:00:00Z", "2025-12-31T23:59:59.999999Z"),
            ("2026-01-15T{09..10}:00:00Z", "2026-01-15T09:00:00Z", "2026-01-15T10:00:00Z"),
            ("2026-01-15T09:00:00..2026-01-15T10:00:00", "2026-01-15T09:00:00Z", "2026-01-15T10:00:00Z"),
            ("1767222000..1767222060", "2025-12-31T23:00:00Z", "2025-12-31T23:01:00Z"),
            ("1767225600000000", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
            ("<=1767225600000000", "", "2026-01-01T00:00:00Z"),
            ("<1767225600", "", "2025-12-31T23:59:59.999999Z"),
            (">2026-01-01", "2026-01-01T00:00:00.000001Z", ""),
            (">=2026-01-01T02:00:00+02:00", "2026-01-01T00:00:00Z", ""),
            ("2026-01-01", "2026-01-01T00:00:00Z", "2026-01-01T23:59:59.999999Z"),
            ("=\"2026-01-01T00:00:00Z\"", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
        ];
        let now = NOW.parse().expect("an instant");
        for (text, from, until) in rows {
            assert_eq!(
                Instants::read(text, now),
                Ok(Instants { from: at(from), until: at(until) }),
                "{text}"
            );
        }
        let wrong = [
            "",
            "soon",
            "this@",
            "this@age",
            "last@",
            "last@-5m",
            "last@5",
            "this@2hours",
            "nowhere",
            "\"\"2026-01-01\"\"",
            "2026-{05..07}-{01..02",
            "2026-{05}-01",
            "2026-05-01..",
            "..2026-05-01",
            "2026-05-01..2026-05-02..2026-05-03",
            "2026-05-32",
            "2026-05-01T25:00:00Z",
            "2026-05-01T10:00:00+99:00",
            "@>today",
            "~2026",
            "last@99999999999999999999d",
            "last@9999999y",
            "2026-13-01",
            "2026-{01-02",
            "{..}",
            ">>2026-01-01",
            ">today",
            "a..b",
            "1e3",
            "-1",
        ];
        for text in wrong {
            assert!(Instants::read(text, now).is_err(), "{text}");
        }
    }
}
