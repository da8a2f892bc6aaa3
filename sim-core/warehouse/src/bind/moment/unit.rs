//! Units of time, and intervals written as texts.

use crate::refusal::Refusal;

pub(super) const DAY_US: i64 = 86_400_000_000;

/// A unit of time.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Unit(pub(super) String);

impl Unit {
    /// The unit that an argument or a field names. Weeks begin on Sunday by default; Sunday is day 0.
    pub(super) fn of(part: &impl ToString) -> Result<Unit, Refusal> {
        let text = part.to_string().to_lowercase();
        Unit::named(&text)
            .ok_or_else(|| Refusal::invalid(format!("A valid date part name is required but found {text}")))
    }

    pub(super) fn named(text: &str) -> Option<Unit> {
        const DAYS: [&str; 7] =
            ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
        const NAMES: [&str; 9] =
            ["microsecond", "millisecond", "second", "minute", "hour", "day", "month", "quarter", "year"];
        let name = match text {
            "week" => "week:0".to_owned(),
            "isoweek" => "week:1".to_owned(),
            "isoyear" => "isoyear".to_owned(),
            text => match text.strip_prefix("week(").and_then(|rest| rest.strip_suffix(')')) {
                Some(day) => format!("week:{}", DAYS.iter().position(|known| *known == day)?),
                None => (*NAMES
                    .iter()
                    .find(|known| text == **known || text.strip_suffix('s') == Some(**known))?)
                .to_owned(),
            },
        };
        Some(Unit(name))
    }

    /// Its length in microseconds, if that is fixed.
    pub(super) fn micros(&self) -> Option<i64> {
        Some(match self.0.as_str() {
            "microsecond" => 1,
            "millisecond" => 1_000,
            "second" => 1_000_000,
            "minute" => 60_000_000,
            "hour" => 3_600_000_000,
            "day" => DAY_US,
            text if text.starts_with("week") => 604_800_000_000,
            _ => return None,
        })
    }

    /// Its name in PostgreSQL, where PostgreSQL has the same unit.
    pub(super) fn plain(&self) -> &str {
        if self.0.starts_with("week") { "week" } else { &self.0 }
    }
}

/// The count and the unit of `90 minutes`, `1 day 2 hours` or `01:30:00`. Months have no fixed length, so no other unit may stand beside them.
pub(super) fn spelt(text: &str) -> Option<(i64, Unit)> {
    let short = |unit: &str| match unit {
        "mon" => "month".to_owned(),
        "min" => "minute".to_owned(),
        "sec" => "second".to_owned(),
        "hr" => "hour".to_owned(),
        unit => unit.to_owned(),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let unit_of = |word: &str| Unit::named(&short(word.to_lowercase().trim_end_matches('s')));
    if let [count, unit] = words.as_slice()
        && let (Ok(count), Some(unit)) = (count.parse(), unit_of(unit))
    {
        return Some((count, unit));
    }
    let mut micros = 0.0;
    let mut words = words.into_iter();
    while let Some(count) = words.next() {
        if count.contains(':') {
            let (sign, clock) = count.strip_prefix('-').map_or((1.0, count), |rest| (-1.0, rest));
            let parts = clock.split(':').map(|part| part.parse::<f64>().ok());
            match parts.collect::<Option<Vec<_>>>()?.as_slice() {
                [hours, minutes] => micros += sign * (hours * 60.0 + minutes) * 60e6,
                [hours, minutes, seconds] => {
                    micros += sign * ((hours * 60.0 + minutes) * 60.0 + seconds) * 1e6;
                }
                _ => return None,
            }
            continue;
        }
        let unit = unit_of(words.next()?)?;
        micros += count.parse::<f64>().ok()? * unit.micros()? as f64;
    }
    (micros.fract() == 0.0 && micros.abs() < 1e15).then(|| (micros as i64, Unit("microsecond".to_owned())))
}

/// The count and the unit of a text with a number for each of these units and those between them.
pub(super) fn of_units(text: &str, first: &str, last: &str) -> Option<(i64, Unit)> {
    const CLOCK: [(&str, i64); 4] =
        [("day", DAY_US), ("hour", 3_600_000_000), ("minute", 60_000_000), ("second", 1_000_000)];
    let (sign, text) = match text.trim().strip_prefix('-') {
        Some(text) => (-1, text),
        None => (1, text.trim()),
    };
    if (first, last) == ("year", "month") {
        let (years, months) = text.split_once('-')?;
        let months = years.parse::<i64>().ok()?.checked_mul(12)?.checked_add(months.parse().ok()?)?;
        return Some((sign * months, Unit("month".to_owned())));
    }
    let place = |unit: &str| CLOCK.iter().position(|(known, _)| *known == unit);
    let units = CLOCK.get(place(first)?..=place(last)?)?;
    let numbers: Vec<&str> = text.split([' ', ':']).collect();
    if numbers.len() != units.len() {
        return None;
    }
    let mut micros = 0_i64;
    for (number, (unit, width)) in numbers.iter().zip(units) {
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        if !fraction.is_empty() && *unit != "second" {
            return None;
        }
        let digits: String = fraction.chars().chain("000000".chars()).take(6).collect();
        micros = micros.checked_add(whole.parse::<i64>().ok()?.checked_mul(*width)?)?;
        micros = micros.checked_add(digits.parse::<i64>().ok()?)?;
    }
    Some((sign * micros, Unit("microsecond".to_owned())))
}
