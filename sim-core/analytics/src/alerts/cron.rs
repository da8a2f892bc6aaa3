//! Times of cron expressions: minute, hour, day of the month, month, day of the week; in UTC.

use jiff::civil::{Date, DateTime, Time, time};
use jiff::tz::TimeZone;
use sim_base::Timestamp;

/// The number of days that are searched for the next time. The rarest date is 29 February: around 2100, two of them are eight
/// years apart.
const DAYS_AHEAD: u32 = 8 * 366;

/// The times of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cron {
    minutes: Set,
    hours: Set,
    days: Set,
    months: Set,
    weekdays: Set,
    /// Whether both kinds of days are restricted; then one of them must match.
    either_day: bool,
}

/// Numbers below 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Set(u64);

impl Set {
    const fn has(self, number: i8) -> bool {
        self.0 & (1 << number) != 0
    }
}

/// One of the five fields of an expression.
struct Field {
    name: &'static str,
    first: u8,
    last: u8,
    /// Names of the numbers from `first` on.
    words: &'static [&'static str],
}

const FIELDS: [Field; 5] = [
    Field { name: "minute", first: 0, last: 59, words: &[] },
    Field { name: "hour", first: 0, last: 23, words: &[] },
    Field { name: "day of the month", first: 1, last: 31, words: &[] },
    Field { name: "month", first: 1, last: 12, words: &MONTHS },
    // 7 is Sunday, like 0.
    Field { name: "day of the week", first: 0, last: 7, words: &WEEKDAYS },
];

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const WEEKDAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

const NICKNAMES: [(&str, &str); 7] = [
    ("@hourly", "0 * * * *"),
    ("@daily", "0 0 * * *"),
    ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"),
    ("@monthly", "0 0 1 * *"),
    ("@yearly", "0 0 1 1 *"),
    ("@annually", "0 0 1 1 *"),
];

/// Characters of an expression.
const LONGEST: usize = 1000;

impl Cron {
    /// Parses an expression, or returns the error in it.
    pub(crate) fn read(text: &str) -> Result<Cron, String> {
        let text = text.trim();
        if text.len() > LONGEST {
            return Err(format!("must have at most {LONGEST} characters, has {}", text.len()));
        }
        let text = NICKNAMES.iter().find(|(name, _)| *name == text).map_or(text, |(_, meaning)| meaning);
        let parts: Vec<_> = text.split_ascii_whitespace().collect();
        let [minutes, hours, days, months, weekdays] = parts[..] else {
            return Err(format!("must have five fields, as in */15 * * * *, has {}", parts.len()));
        };
        let set = |index: usize, part: &str| FIELDS[index].read(part);
        let Set(week) = set(4, weekdays)?;
        Ok(Cron {
            minutes: set(0, minutes)?,
            hours: set(1, hours)?,
            days: set(2, days)?,
            months: set(3, months)?,
            weekdays: Set(week | week >> 7),
            either_day: !days.starts_with('*') && !weekdays.starts_with('*'),
        })
    }

    /// The first time after `after`; `None` if there is none, as for 30 February.
    pub(crate) fn next(&self, after: Timestamp) -> Option<Timestamp> {
        let now = TimeZone::UTC.to_datetime(after);
        let mut date = now.date();
        let mut from = (now.hour(), now.minute() + 1);
        for _ in 0..DAYS_AHEAD {
            if let Some(time) = self.means(date).then(|| self.time(from)).flatten() {
                return TimeZone::UTC.to_timestamp(DateTime::from_parts(date, time)).ok();
            }
            date = date.tomorrow().ok()?;
            from = (0, 0);
        }
        None
    }

    fn means(&self, date: Date) -> bool {
        let day = self.days.has(date.day());
        let weekday = self.weekdays.has(date.weekday().to_sunday_zero_offset());
        self.months.has(date.month()) && if self.either_day { day || weekday } else { day && weekday }
    }

    /// The first time of a day at or after the given hour and minute.
    fn time(&self, (hour, minute): (i8, i8)) -> Option<Time> {
        (hour..24).filter(|at| self.hours.has(*at)).find_map(|at| {
            let mut minutes = if at == hour { minute..60 } else { 0..60 };
            minutes.find(|minute| self.minutes.has(*minute)).map(|minute| time(at, minute, 0, 0))
        })
    }
}

impl Field {
    /// A list of parts: `1,10-20,30-50/5,*/15`.
    fn read(&self, text: &str) -> Result<Set, String> {
        let wrong = || format!("the {} {text:?} is none", self.name);
        text.split(',').try_fold(Set(0), |all, part| Ok(Set(all.0 | self.part(part).ok_or_else(wrong)?)))
    }

    fn part(&self, text: &str) -> Option<u64> {
        let (range, step) = match text.split_once('/') {
            Some((range, step)) => (range, Some(number(step).filter(|step| *step > 0)?)),
            None => (text, None),
        };
        let (first, last) = match range.split_once('-') {
            _ if range == "*" => (self.first, self.last),
            Some((first, last)) => (self.one(first)?, self.one(last)?),
            None if step.is_some() => (self.one(range)?, self.last),
            None => (self.one(range)?, self.one(range)?),
        };
        (first <= last).then(|| {
            (first..=last).step_by(step.unwrap_or(1).into()).fold(0, |set, number| set | 1 << number)
        })
    }

    fn one(&self, text: &str) -> Option<u8> {
        let word = self.words.iter().position(|word| word.eq_ignore_ascii_case(text));
        let number = word.and_then(|index| u8::try_from(index).ok()).map(|index| index + self.first);
        number.or_else(|| self::number(text)).filter(|number| (self.first..=self.last).contains(number))
    }
}

/// `parse` also accepts a sign.
fn number(text: &str) -> Option<u8> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        text.parse().expect("an instant")
    }

    /// A Thursday, in the second half of a minute.
    const THURSDAY: &str = "2026-01-01T00:00:30Z";

    #[test]
    fn the_next_time_is_the_first_after() {
        let rows = [
            ("* * * * *", "2026-01-01T00:01:00Z"),
            ("*/15 * * * *", "2026-01-01T00:15:00Z"),
            ("0 * * * *", "2026-01-01T01:00:00Z"),
            ("0 0 * * *", "2026-01-02T00:00:00Z"),
            ("59 23 * * *", "2026-01-01T23:59:00Z"),
            ("5/20 * * * *", "2026-01-01T00:05:00Z"),
            ("10-20/5,3 1 * * *", "2026-01-01T01:03:00Z"),
            ("30 9 * * mon-FRI", "2026-01-01T09:30:00Z"),
            ("0 9 * * 7", "2026-01-04T09:00:00Z"),
            ("0 9 * * 0", "2026-01-04T09:00:00Z"),
            ("0 9 * * sat-7", "2026-01-03T09:00:00Z"),
            ("0 0 13 * fri", "2026-01-02T00:00:00Z"),
            ("0 0 13 */2 *", "2026-01-13T00:00:00Z"),
            ("0 0 31 feb-apr *", "2026-03-31T00:00:00Z"),
            ("0 0 29 2 *", "2028-02-29T00:00:00Z"),
            ("@weekly", "2026-01-04T00:00:00Z"),
            ("@yearly", "2027-01-01T00:00:00Z"),
        ];
        for (text, next) in rows {
            assert_eq!(Cron::read(text).expect(text).next(at(THURSDAY)), Some(at(next)), "{text}");
        }
    }

    #[test]
    fn times_go_on_to_the_end_of_the_calendar_and_not_beyond() {
        let leap_days = Cron::read("0 0 29 2 *").expect("an expression");
        assert_eq!(leap_days.next(at("2096-03-01T00:00:00Z")), Some(at("2104-02-29T00:00:00Z")));
        assert_eq!(Cron::read("0 0 30 2 *").expect("an expression").next(at(THURSDAY)), None);
        assert_eq!(leap_days.next(at("9999-01-01T00:00:00Z")), None);
        assert_eq!(Cron::read("@daily").expect("an expression").next(Timestamp::MAX), None);
    }

    #[test]
    fn invalid_expressions_are_refused_by_field() {
        let rows = [
            ("", "must have five fields, as in */15 * * * *, has 0"),
            ("* * * *", "must have five fields, as in */15 * * * *, has 4"),
            ("0 0 * * * *", "must have five fields, as in */15 * * * *, has 6"),
            ("@reboot", "must have five fields, as in */15 * * * *, has 1"),
            ("60 * * * *", "the minute \"60\" is none"),
            ("* 24 * * *", "the hour \"24\" is none"),
            ("* * 0 * *", "the day of the month \"0\" is none"),
            ("* * L * *", "the day of the month \"L\" is none"),
            ("* * * 13 *", "the month \"13\" is none"),
            ("* * * * 8", "the day of the week \"8\" is none"),
            ("*/0 * * * *", "the minute \"*/0\" is none"),
            ("20-10 * * * *", "the minute \"20-10\" is none"),
            ("1, * * * *", "the minute \"1,\" is none"),
            ("+1 * * * *", "the minute \"+1\" is none"),
            ("1-2-3 * * * *", "the minute \"1-2-3\" is none"),
            ("*/999 * * * *", "the minute \"*/999\" is none"),
        ];
        for (text, problem) in rows {
            assert_eq!(Cron::read(text), Err(problem.to_owned()), "{text}");
        }
    }
}
