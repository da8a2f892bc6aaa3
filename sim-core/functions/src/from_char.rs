//! `to_date` and `to_timestamp` by template.

use rusqlite::types::Value;
use sim_values::calendar::{DAYS, MONTHS};

use super::Function;
use super::dates::{DATES, instant};
use super::to_char::{ROMAN, Token, admit, starts_with_ignoring_case, tokens};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::datetime::{DAY, civil_from_days, days_from_civil, days_in_month};

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("to_date", &[Type::TEXT, Type::TEXT], Type::DATE, |a| {
        admit(a)?;
        let days = scan(a.text(0), a.text(1))?.moment()?.days;
        let message = || format!("date out of range: \"{}\"", a.text(0));
        match DATES.contains(&days) {
            true => Ok(Value::Integer(days)),
            false => Err(SqlError::new(SqlState::DATETIME_OVERFLOW, message())),
        }
    }),
    Function::rust("to_timestamp", &[Type::TEXT, Type::TEXT], Type::TIMESTAMPTZ, |a| {
        admit(a)?;
        let Moment { days, micros, offset } = scan(a.text(0), a.text(1))?.moment()?;
        instant(days.checked_mul(DAY).and_then(|day| day.checked_add(micros - offset)))
    }),
];

/// The values that a template has read from a text. Zero stands for one that is not given.
#[derive(Default)]
struct Scanned {
    text: String,
    year: i64,
    /// The digits of the pattern of the year.
    year_digits: usize,
    century: i64,
    month: i64,
    day: i64,
    day_of_year: i64,
    week: i64,
    week_of_month: i64,
    /// The day of the week. Sunday is the first.
    weekday: i64,
    julian: i64,
    hours: i64,
    half: Option<i64>,
    of_twelve: bool,
    minutes: i64,
    seconds: i64,
    of_day: i64,
    millis: i64,
    micros: i64,
    /// The digits of the fraction to which the result is rounded.
    fraction: usize,
    zone_sign: i64,
    zone_hours: i64,
    zone_minutes: i64,
    before_christ: i64,
    /// Whether the fields are those of weeks, as ISO 8601 counts them.
    of_weeks: Option<bool>,
}

/// A text that is read, and a template.
struct Reader<'t> {
    rest: &'t str,
    /// Whether the last character before the rest is a minus.
    after_minus: bool,
    /// How many more spaces were skipped than the template has.
    skipped: i64,
    exact: bool,
}

/// What a template means: a day, the time in it, and the distance from Greenwich.
struct Moment {
    days: i64,
    micros: i64,
    offset: i64,
}

/// A pattern of a template.
#[derive(Clone, Copy)]
struct Pattern<'a> {
    name: &'a str,
    given: &'a str,
    ordinal: bool,
    /// Whether its digits end where others do: it is not padded, or no digit follows it.
    open: bool,
}

fn scan(text: &str, template: &str) -> Result<Scanned> {
    let mut scanned = Scanned { text: text.to_owned(), ..Scanned::default() };
    let tokens = tokens(template)?;
    let mut reader = Reader { rest: text, after_minus: false, skipped: 0, exact: false };
    for (at, token) in tokens.iter().enumerate() {
        if reader.rest.is_empty() {
            break;
        }
        if !reader.exact && (at == 0 || matches!(token, Token::Pattern { .. })) {
            reader.skip_spaces();
        }
        match token {
            Token::Literal(literal) if is_separator(*literal) || is_space(*literal) => reader.separator(),
            Token::Literal(_) | Token::Quoted(_) => reader.character(),
            Token::Pattern { name: "FX", .. } => reader.exact = true,
            Token::Pattern { name, given, fill, suffix } => {
                let open = suffix.is_some() || !fill || !begins_with_digit(tokens.get(at + 1));
                scanned.read(&mut reader, Pattern { name, given, ordinal: suffix.is_some(), open })?;
                if !reader.exact {
                    reader.skipped = 0;
                    reader.skip_spaces();
                }
            }
        }
    }
    Ok(scanned)
}

/// Whether what a part of a template reads may begin with a digit.
fn begins_with_digit(token: Option<&Token<'_>>) -> bool {
    const OTHERS: [&str; 23] = [
        "A.D.", "A.M.", "AD", "AM", "B.C.", "BC", "DAY", "DY", "FF1", "FF2", "FF3", "FF4", "FF5", "FF6",
        "FX", "MONTH", "MON", "OF", "P.M.", "PM", "RM", "TZH", "TZ",
    ];
    match token {
        None => false,
        Some(Token::Literal(character) | Token::Quoted(character)) => character.is_ascii_digit(),
        Some(Token::Pattern { name, .. }) => !OTHERS.contains(name),
    }
}

fn is_separator(character: char) -> bool {
    character.is_ascii_graphic() && !character.is_ascii_alphanumeric()
}

fn is_space(character: char) -> bool {
    character.is_ascii_whitespace() || character == '\u{b}'
}

impl<'t> Reader<'t> {
    /// Goes on behind so many bytes.
    fn take(&mut self, length: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(length);
        if let Some(last) = taken.bytes().last() {
            self.after_minus = last == b'-';
        }
        self.rest = rest;
        taken
    }

    fn skip_spaces(&mut self) {
        let length = self.rest.len() - self.rest.trim_start_matches(is_space).len();
        self.skipped += length as i64;
        self.take(length);
    }

    /// One character behind which the rest goes on, if there is any.
    fn skip(&mut self) {
        let length = self.rest.chars().next().map_or(0, char::len_utf8);
        self.take(length);
    }

    /// A separator in the template matches any other, or none.
    fn separator(&mut self) {
        if self.exact {
            return self.skip();
        }
        self.skipped -= 1;
        if self.rest.starts_with(|next| is_space(next) || is_separator(next)) {
            self.skip();
            self.skipped += 1;
        }
    }

    /// Any other character in the template matches each one, unless a space was skipped for it.
    fn character(&mut self) {
        if !self.exact && self.skipped > 0 {
            self.skipped -= 1;
        } else {
            self.skip();
        }
    }

    /// An integer of so many digits. Returns it and how many characters it has.
    fn integer(&mut self, pattern: Pattern<'_>, width: usize) -> Result<(i64, usize)> {
        let before = self.rest.len();
        let spaces = before - self.rest.trim_start_matches(is_space).len();
        let text = &self.rest[spaces..];
        let end = (0..=width.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
        let copy = &text[..end];
        let invalid = |detail: &str| {
            let message = format!("invalid value \"{copy}\" for \"{}\"", pattern.given);
            SqlError::new(SqlState::INVALID_DATETIME, message).detail(detail)
        };
        let fixed = |error: SqlError| {
            error.hint("If your source string is not fixed-width, try using the \"FM\" modifier.")
        };
        if !pattern.open && text.len() < width {
            let message = format!("source string too short for \"{}\" formatting field", pattern.given);
            let left = text.len();
            return Err(fixed(
                SqlError::new(SqlState::INVALID_DATETIME, message)
                    .detail(format!("Field requires {width} characters, but only {left} remain.")),
            ));
        }
        let digits = integer_length(if pattern.open { text } else { copy });
        if !pattern.open && digits > 0 && digits < width {
            let detail = format!("Field requires {width} characters, but only {digits} could be parsed.");
            return Err(fixed(invalid(&detail)));
        }
        // A fixed width may consist of spaces, which are zero.
        if digits == 0 && (pattern.open || spaces == 0) {
            return Err(invalid("Value must be an integer."));
        }
        let value =
            text[..digits].trim_start_matches('+').parse().unwrap_or(i64::from(digits > 0) * i64::MAX);
        if i32::try_from(value).is_err() {
            let message = format!("value for \"{}\" in source string is out of range", pattern.given);
            return Err(SqlError::new(SqlState::DATETIME_OVERFLOW, message)
                .detail("Value must be in the range -2147483648 to 2147483647."));
        }
        self.take(spaces + digits);
        Ok((value, spaces + digits))
    }

    /// The place among `words` of the one that the text has here.
    fn word(&mut self, pattern: Pattern<'_>, words: &[&str]) -> Result<i64> {
        let Some(found) = words.iter().position(|word| starts_with_ignoring_case(self.rest, word)) else {
            let shown = self.rest.split(is_space).next().unwrap_or("");
            let message = format!("invalid value \"{shown}\" for \"{}\"", pattern.given);
            return Err(SqlError::new(SqlState::INVALID_DATETIME, message)
                .detail("The given value did not match any of the allowed values for this field."));
        };
        self.take(words[found].len());
        Ok(found as i64)
    }
}

/// How many characters at the beginning of a text are an integer.
fn integer_length(text: &str) -> usize {
    let sign = usize::from(text.starts_with(['+', '-']));
    match text[sign..].bytes().take_while(u8::is_ascii_digit).count() {
        0 => 0,
        digits => sign + digits,
    }
}

/// Sets a field that must not have another value already.
fn set(field: &mut i64, value: i64, pattern: Pattern<'_>) -> Result<()> {
    if *field != 0 && *field != value {
        let message = format!("conflicting values for \"{}\" field in formatting string", pattern.given);
        return Err(SqlError::new(SqlState::INVALID_DATETIME, message)
            .detail("This value contradicts a previous setting for the same field type."));
    }
    *field = value;
    Ok(())
}

/// The year for which a number of less than four digits stands, as near as possible to 2020.
fn completed(year: i64) -> i64 {
    match year {
        ..70 => year + 2000,
        70..100 => year + 1900,
        100..520 => year + 2000,
        520..1000 => year + 1000,
        _ => year,
    }
}

impl Scanned {
    /// Reads what one pattern stands for.
    fn read(&mut self, reader: &mut Reader<'_>, pattern: Pattern<'_>) -> Result<()> {
        let name = pattern.name;
        self.require_convention(name)?;
        match name {
            "A.M." | "P.M." | "AM" | "PM" => {
                let words = if name.contains('.') { ["a.m.", "p.m."] } else { ["am", "pm"] };
                let half = reader.word(pattern, &words)?;
                let mut known = self.half.unwrap_or(0);
                set(&mut known, half, pattern)?;
                (self.half, self.of_twelve) = (Some(half), true);
                return Ok(());
            }
            "A.D." | "B.C." | "AD" | "BC" => {
                let words = if name.contains('.') { ["a.d.", "b.c."] } else { ["ad", "bc"] };
                let era = reader.word(pattern, &words)?;
                return set(&mut self.before_christ, era, pattern);
            }
            "MONTH" | "MON" => {
                let short = MONTHS.map(|month| &month[..3]);
                let month = reader.word(pattern, if name == "MON" { &short } else { &MONTHS })?;
                return set(&mut self.month, month + 1, pattern);
            }
            "DAY" | "DY" => {
                let short = DAYS.map(|day| &day[..3]);
                let day = reader.word(pattern, if name == "DY" { &short } else { &DAYS })?;
                return set(&mut self.weekday, day + 1, pattern);
            }
            "RM" => {
                let mut numbers = ROMAN;
                numbers.reverse();
                let month = 12 - reader.word(pattern, &numbers)?;
                return set(&mut self.month, month, pattern);
            }
            "TZ" | "OF" => {
                let message = format!("formatting field \"{}\" is only supported in to_char", pattern.given);
                return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
            }
            "TZH" => self.read_sign(reader),
            "TZM" if self.zone_sign == 0 => self.zone_sign = 1,
            "Y,YYY" => return self.read_long_year(reader, pattern),
            _ => {}
        }
        let width = match name {
            "HH24" | "HH12" | "HH" | "TZH" | "TZM" => 2,
            "MS" | "IDDD" => 3,
            "US" => 6,
            "ID" => 1,
            "FF1" | "FF2" | "FF3" | "FF4" | "FF5" | "FF6" => usize::from(name.as_bytes()[2] - b'0'),
            other => other.len(),
        };
        let (value, length) = reader.integer(pattern, width)?;
        self.set_number(pattern, value, length)?;
        if pattern.ordinal {
            reader.skip();
            reader.skip();
        }
        Ok(())
    }

    /// Refuses a template with fields of both calendars.
    fn require_convention(&mut self, name: &str) -> Result<()> {
        let of_weeks = match name {
            "IDDD" | "ID" | "IW" | "IYYY" | "IYY" | "IY" | "I" => true,
            "DDD" | "DD" | "D" | "MM" | "MONTH" | "MON" | "RM" | "WW" | "W" | "Y,YYY" | "YYYY" | "YYY"
            | "YY" | "Y" => false,
            _ => return Ok(()),
        };
        if *self.of_weeks.get_or_insert(of_weeks) == of_weeks {
            return Ok(());
        }
        Err(SqlError::new(SqlState::INVALID_DATETIME, "invalid combination of date conventions")
            .hint("Do not mix Gregorian and ISO week date conventions in a formatting template."))
    }

    /// The sign of a distance from Greenwich. A minus may have been taken for a separator.
    fn read_sign(&mut self, reader: &mut Reader<'_>) {
        let minus = reader.skipped > 0 && reader.after_minus;
        self.zone_sign = match reader.rest.chars().next() {
            Some(sign @ ('+' | '-' | ' ')) => {
                reader.skip();
                if sign == '-' { -1 } else { 1 }
            }
            _ if minus => -1,
            _ => 1,
        };
    }

    fn read_long_year(&mut self, reader: &mut Reader<'_>, pattern: Pattern<'_>) -> Result<()> {
        let text = reader.rest.trim_start_matches(is_space);
        let thousands = integer_length(text);
        let behind = text[thousands..].strip_prefix(',').filter(|_| thousands > 0).unwrap_or("");
        let years = integer_length(&behind[..behind.bytes().take_while(u8::is_ascii_graphic).count().min(3)]);
        let (Ok(high), Ok(low)) = (text[..thousands].parse::<i32>(), behind[..years].parse::<i32>()) else {
            let message = "invalid input string for \"Y,YYY\"";
            return Err(SqlError::new(SqlState::INVALID_DATETIME, message));
        };
        set(&mut self.year, i64::from(low) + i64::from(high) * 1000, pattern)?;
        self.year_digits = 4;
        reader.take(reader.rest.len() - behind.len() + years);
        if pattern.ordinal {
            reader.skip();
            reader.skip();
        }
        Ok(())
    }

    fn set_number(&mut self, pattern: Pattern<'_>, value: i64, length: usize) -> Result<()> {
        let name = pattern.name;
        // The first digits of a fraction.
        let scaled = |most: usize| value * 10_i64.pow(most.saturating_sub(length) as u32);
        let field = match name {
            "YYYY" | "IYYY" | "YYY" | "IYY" | "YY" | "IY" | "Y" | "I" => {
                set(&mut self.year, value, pattern)?;
                self.year_digits = name.len();
                if name.len() < 4 && length < 4 {
                    self.year = completed(value);
                }
                return Ok(());
            }
            "MS" => {
                set(&mut self.millis, value, pattern)?;
                self.millis = scaled(3);
                return Ok(());
            }
            "US" | "FF1" | "FF2" | "FF3" | "FF4" | "FF5" | "FF6" => {
                set(&mut self.micros, value, pattern)?;
                self.micros = scaled(6);
                if name != "US" {
                    self.fraction = usize::from(name.as_bytes()[2] - b'0');
                }
                return Ok(());
            }
            "ID" => {
                set(&mut self.weekday, value, pattern)?;
                self.weekday = if value >= 7 { 1 } else { value + 1 };
                return Ok(());
            }
            "HH12" | "HH" => {
                self.of_twelve = true;
                &mut self.hours
            }
            "HH24" => &mut self.hours,
            "MI" => &mut self.minutes,
            "SS" => &mut self.seconds,
            "SSSSS" | "SSSS" => &mut self.of_day,
            "MM" => &mut self.month,
            "DD" => &mut self.day,
            "DDD" | "IDDD" => &mut self.day_of_year,
            "D" => &mut self.weekday,
            "WW" | "IW" => &mut self.week,
            "W" => &mut self.week_of_month,
            "CC" => &mut self.century,
            "J" => &mut self.julian,
            "TZH" => &mut self.zone_hours,
            "TZM" => &mut self.zone_minutes,
            // A quarter does not say which of its days is meant.
            _ => return Ok(()),
        };
        set(field, value, pattern)
    }

    fn out_of_range(&self) -> SqlError {
        let message = format!("date/time field value out of range: \"{}\"", self.text);
        SqlError::new(SqlState::DATETIME_OVERFLOW, message)
    }

    fn moment(&self) -> Result<Moment> {
        Ok(Moment { micros: self.time()?, days: self.days()?, offset: self.offset()? })
    }

    /// The year, and whether there is one.
    fn whole_year(&self) -> (i64, bool) {
        let era = if self.before_christ == 0 { 1 } else { -1 };
        if self.year == 0 {
            return match (self.century * era, self.century) {
                (_, 0) => (0, false),
                (century @ 0.., _) => ((century - 1) * 100 + 1, true),
                (century, _) => (century * 100 + 1, true),
            };
        }
        if self.century != 0 && self.year_digits <= 2 {
            let (century, rest) = (self.century * era, self.year % 100);
            return match (rest, century) {
                (0, 0..) => (century * 100, true),
                (0, _) => (century * 100 + 1, true),
                (rest, 0..) => (rest + (century - 1) * 100, true),
                (rest, _) => ((century + 1) * 100 - rest + 1, true),
            };
        }
        let year = self.year * era;
        (if year < 0 { year + 1 } else { year }, true)
    }

    fn days(&self) -> Result<i64> {
        let (mut year, mut is_dated) = self.whole_year();
        let (mut month, mut day) = (1, 1);
        if self.julian != 0 {
            (year, month, day) = civil_from_days(self.julian - 2_440_588);
            is_dated = true;
        }
        let of_weeks = self.of_weeks == Some(true);
        let mut day_of_year = self.day_of_year;
        if self.week != 0 && of_weeks {
            // The day before Monday is the last of a week, as a Sunday.
            let in_week = if self.weekday == 1 { 6 } else { (self.weekday - 2).max(0) };
            (year, month, day) = civil_from_days(first_monday(year) + (self.week - 1) * 7 + in_week);
        } else if self.week != 0 {
            day_of_year = (self.week - 1) * 7 + 1;
        }
        let given_day = if self.week_of_month == 0 { self.day } else { (self.week_of_month - 1) * 7 + 1 };
        let (has_day, has_month) = (given_day != 0, self.month != 0);
        if has_day {
            day = given_day;
        }
        if has_month {
            month = self.month;
        }
        if day_of_year != 0 && (month <= 1 || day <= 1) {
            if year == 0 && self.before_christ == 0 {
                let message = "cannot calculate day of year without year information";
                return Err(SqlError::new(SqlState::INVALID_DATETIME, message));
            }
            if of_weeks {
                return Ok(first_monday(year) + day_of_year - 1);
            }
            return self.day_in_year(year, (month, day), day_of_year);
        }
        let wrong_month = has_month && !(1..=12).contains(&month);
        let wrong_day = has_day && !(1..=31).contains(&day);
        // Without a year, the last of February may follow on itself.
        let too_late = is_dated && has_month && has_day && !wrong_month && day > days_in_month(year, month);
        if wrong_month || wrong_day || too_late {
            return Err(self.out_of_range());
        }
        Ok(days_from_civil(year, month, day))
    }

    /// A day by its number in the year, as far as month and day are not given.
    fn day_in_year(&self, year: i64, (mut month, mut day): (i64, i64), number: i64) -> Result<i64> {
        let (mut at, mut left) = (1, number);
        while at <= 12 && left > days_in_month(year, at) {
            left -= days_in_month(year, at);
            at += 1;
        }
        if month <= 1 {
            month = at;
        }
        if day <= 1 {
            day = left;
        }
        if !(1..=12).contains(&month) || !(1..=days_in_month(year, month)).contains(&day) {
            return Err(self.out_of_range());
        }
        Ok(days_from_civil(year, month, day))
    }

    fn time(&self) -> Result<i64> {
        let given = |field: i64, computed: i64| if field == 0 { computed } else { field };
        let of_day = self.of_day;
        let mut hours = given(self.hours, of_day / 3_600);
        let minutes = given(self.minutes, of_day % 3_600 / 60);
        let seconds = given(self.seconds, of_day % 60);
        if self.of_twelve {
            if !(1..=12).contains(&hours) {
                let message = format!("hour \"{hours}\" is invalid for the 12-hour clock");
                return Err(SqlError::new(SqlState::INVALID_DATETIME, message)
                    .hint("Use the 24-hour clock, or give an hour between 1 and 12."));
            }
            hours = hours % 12 + if self.half == Some(1) { 12 } else { 0 };
        }
        let mut micros = self.millis * 1_000 + self.micros;
        let fits = (0..24).contains(&hours)
            && (0..60).contains(&minutes)
            && (0..60).contains(&seconds)
            && (0..1_000_000).contains(&micros);
        if !fits {
            return Err(self.out_of_range());
        }
        if self.fraction > 0 {
            let unit = 10_i64.pow(6 - self.fraction as u32);
            micros = (micros + unit / 2) / unit * unit;
        }
        Ok((hours * 3_600 + minutes * 60 + seconds) * 1_000_000 + micros)
    }

    /// The distance from Greenwich.
    fn offset(&self) -> Result<i64> {
        if self.zone_sign == 0 {
            return Ok(0);
        }
        if !(0..=15).contains(&self.zone_hours) || !(0..60).contains(&self.zone_minutes) {
            let message = format!("time zone displacement out of range: \"{}\"", self.text);
            return Err(SqlError::new(SqlState::new("22009"), message));
        }
        Ok(self.zone_sign * (self.zone_hours * 3_600 + self.zone_minutes * 60) * 1_000_000)
    }
}

/// The day with which the first week of a year begins.
fn first_monday(year: i64) -> i64 {
    let fourth = days_from_civil(year, 1, 4);
    fourth - (fourth + 3).rem_euclid(7)
}
