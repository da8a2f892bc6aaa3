//! The parameters of a session and of its server: which there are, what they are at first, and who may change them.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::error::{Result, SqlError, SqlState};
use crate::run::Engine;
use crate::security::rights::denied;
use crate::value::datetime::Order;
use crate::value::interval::Interval;

/// A parameter of PostgreSQL.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Parameter {
    pub(crate) name: &'static str,
    /// `bool`, `integer`, `real`, `enum` or `string`.
    pub(crate) kind: &'static str,
    /// Who may change it, and when, as `pg_settings.context` says.
    pub(crate) context: &'static str,
    /// The unit of its number: `ms`, `kB`, `8kB`; empty if there is none.
    pub(crate) unit: &'static str,
    /// Its value at first, in its unit.
    pub(crate) value: &'static str,
    pub(crate) least: &'static str,
    pub(crate) greatest: &'static str,
    /// The values of an `enum`, with commas between them.
    pub(crate) words: &'static str,
}

/// All parameters, by their names in small letters.
pub(crate) static ALL: LazyLock<BTreeMap<String, Parameter>> = LazyLock::new(|| {
    let lines = include_str!("system/parameters.txt").lines();
    let parameters = lines.map(|line| {
        let mut parts = line.split('\t');
        let mut next = || parts.next().unwrap_or_default();
        let (name, kind, context, unit) = (next(), next(), next(), next());
        Parameter { name, kind, context, unit, value: next(), least: next(), greatest: next(), words: next() }
    });
    parameters.map(|parameter| (parameter.name.to_lowercase(), parameter)).collect()
});

/// Parameters of superusers that the platform lets a project's role change.
const ALLOWED: &[&str] = &[
    "log_lock_waits",
    "log_min_duration_statement",
    "log_min_messages",
    "log_parameter_max_length",
    "log_replication_commands",
    "log_statement",
    "log_temp_files",
    "session_replication_role",
    "track_functions",
    "track_io_timing",
    "wal_compression",
];

/// Values that leave answers as they are. Others are refused.
const USUAL: &[(&str, &[&str])] = &[
    ("intervalstyle", &["postgres", "default"]),
    ("bytea_output", &["hex", "default"]),
    ("client_encoding", &["utf8", "utf-8", "unicode", "default"]),
    ("standard_conforming_strings", &["on", "true", "default"]),
    ("extra_float_digits", &["1", "2", "3", "default"]),
];

/// Parameters that have rules of their own.
const SPECIAL: &[&str] = &["role", "session_authorization", "search_path", "seed"];

/// A parameter that the lists of all leave out. Older dumps set it, and nothing but its value at first is allowed.
static WITH_OIDS: Parameter = Parameter {
    name: "default_with_oids",
    kind: "bool",
    context: "user",
    unit: "",
    value: "off",
    least: "",
    greatest: "",
    words: "",
};

pub(crate) fn find(name: &str) -> Option<&'static Parameter> {
    match name.to_lowercase() {
        name if name == WITH_OIDS.name => Some(&WITH_OIDS),
        name => ALL.get(&name),
    }
}

/// A value as `SHOW` writes it.
pub(crate) fn shown(name: &str, value: &str) -> String {
    if name == "timezone" {
        return zone(value).unwrap_or_else(|_| value.to_owned());
    }
    if name == DATE_STYLE {
        return date_style(value, Order::default()).map_or_else(|_| value.to_owned(), shown_date_style);
    }
    let known = find(name).and_then(|known| Some(known.shown(&known.read(value).ok()?)));
    known.unwrap_or_else(|| value.to_owned())
}

/// The parameter that tells in which order the numbers of a date are read.
pub(crate) const DATE_STYLE: &str = "datestyle";

/// The orders, each with its words and how the parameter shows it.
const ORDERS: [(Order, &[&str], &str); 3] = [
    (Order::MonthDayYear, &["mdy", "us", "noneuropean"], "MDY"),
    (Order::DayMonthYear, &["dmy", "euro", "european"], "DMY"),
    (Order::YearMonthDay, &["ymd"], "YMD"),
];

/// The order that a date style names; without one, that `before` it. Dates are written in the style `ISO` only.
pub(crate) fn date_style(value: &str, before: Order) -> Result<Order> {
    let mut order = before;
    for written in value.split([',', ' ']).filter(|word| !word.is_empty()) {
        let word = written.to_ascii_lowercase();
        match word.as_str() {
            "iso" => {}
            "default" => order = Order::default(),
            "german" | "sql" => return Err(SqlError::unsupported(format!("the date style {written}"))),
            word if word.starts_with("postgres") => {
                return Err(SqlError::unsupported(format!("the date style {written}")));
            }
            word => match ORDERS.iter().find(|(_, words, _)| words.contains(&word)) {
                Some((named, ..)) => order = *named,
                None => {
                    let message = format!("invalid value for parameter \"DateStyle\": \"{value}\"");
                    return Err(SqlError::new(SqlState::INVALID_PARAMETER, message)
                        .detail(format!("Unrecognized key word: \"{written}\".")));
                }
            },
        }
    }
    Ok(order)
}

pub(crate) fn shown_date_style(order: Order) -> String {
    let shown = ORDERS.iter().find(|(known, ..)| *known == order).map_or("", |(.., shown)| shown);
    format!("ISO, {shown}")
}

/// Whether a time zone is that of UTC.
pub(crate) fn is_utc(zone: &str) -> bool {
    ["utc", "gmt", "etc/utc", "etc/gmt", "z", "zulu"].iter().any(|name| zone.eq_ignore_ascii_case(name))
}

/// The name of a session's time zone as `SHOW` writes it.
fn zone(value: &str) -> Result<String> {
    if value.eq_ignore_ascii_case("local") {
        return Ok("UTC".to_owned());
    }
    let invalid = || {
        let message = format!("invalid value for parameter \"TimeZone\": \"{value}\"");
        SqlError::new(SqlState::INVALID_PARAMETER, message)
    };
    let east = match interval_of_zone(value) {
        Some(text) => {
            let interval = Interval::parse(text)?;
            let unit = if interval.months != 0 { "months" } else { "days" };
            if interval.months != 0 || interval.days != 0 {
                return Err(invalid().detail(format!("Cannot specify {unit} in time zone interval.")));
            }
            Some(interval.micros / 1_000_000)
        }
        // A number without a sign is of hours to the east, unlike one in POSIX notation.
        None => value
            .trim_start()
            .parse::<f64>()
            .ok()
            .filter(|hours| hours.is_finite())
            .map(|hours| (hours * 3600.0) as i64),
    };
    match east {
        Some(east) => sim_values::zone::name_of_offset(east)
            .ok_or_else(|| invalid().detail("UTC timezone offset is out of range.")),
        None => sim_values::zone::spelled(value).ok_or_else(invalid),
    }
}

/// The interval of a time zone such as `INTERVAL '+01:00'`.
fn interval_of_zone(value: &str) -> Option<&str> {
    let (word, rest) = value.split_at_checked("interval".len())?;
    let text = rest.trim_start().strip_prefix('\'')?.strip_suffix('\'')?;
    word.eq_ignore_ascii_case("interval").then_some(text)
}

/// The error for a parameter that there is not.
pub(crate) fn unknown(name: &str) -> SqlError {
    let message = format!("unrecognized configuration parameter \"{name}\"");
    SqlError::new(SqlState::UNDEFINED_OBJECT, message)
}

/// Refuses a name with a dot that is not made of identifiers.
fn require_custom_name(name: &str) -> Result<()> {
    let begins = |letter: char| letter.is_ascii_alphabetic() || letter == '_' || !letter.is_ascii();
    let goes_on = |letter: char| begins(letter) || letter.is_ascii_digit() || letter == '$';
    if name.split('.').all(|part| part.starts_with(begins) && part.chars().all(goes_on)) {
        return Ok(());
    }
    let message = format!("invalid configuration parameter name \"{name}\"");
    Err(SqlError::new(SqlState::new("42602"), message)
        .detail("Custom parameter names must be two or more simple identifiers separated by dots."))
}

impl Engine<'_> {
    /// Refuses a change of a parameter that is unknown, that the role may not change, or that would make answers look different.
    pub(crate) fn check_parameter(&self, name: &str, value: &str) -> Result<()> {
        // Those with a dot are of extensions, or the caller's own.
        if name.contains('.') {
            return require_custom_name(name);
        }
        if SPECIAL.contains(&name) {
            return Ok(());
        }
        let parameter = find(name).ok_or_else(|| unknown(name))?;
        self.require_changeable(parameter)?;
        if name.eq_ignore_ascii_case("timezone") && interval_of_zone(value).is_some() {
            return zone(value).map(drop);
        }
        let value = value.trim_matches('\'');
        if value.eq_ignore_ascii_case("default") {
            return Ok(());
        }
        if name.eq_ignore_ascii_case("timezone") {
            return zone(value).map(drop);
        }
        if name.eq_ignore_ascii_case(DATE_STYLE) {
            return date_style(value, Order::default()).map(drop);
        }
        let usual = USUAL.iter().find(|(known, _)| name.eq_ignore_ascii_case(known));
        if usual.is_some_and(|(_, values)| !values.contains(&value.to_lowercase().as_str())) {
            return Err(SqlError::unsupported(format!("{name} = {value}")));
        }
        let value = parameter.read(value)?;
        if parameter.name == WITH_OIDS.name && value != WITH_OIDS.value {
            let message = "tables declared WITH OIDS are not supported";
            return Err(SqlError::new(SqlState::FEATURE_NOT_SUPPORTED, message));
        }
        Ok(())
    }

    fn require_changeable(&self, parameter: &Parameter) -> Result<()> {
        let name = parameter.name;
        let fixed = match parameter.context {
            "user" => return Ok(()),
            "superuser" if ALLOWED.contains(&name) || self.catalog.is_exempt(&self.settings.role) => {
                return Ok(());
            }
            "superuser" => return Err(denied(format!("permission denied to set parameter \"{name}\""))),
            "internal" => "cannot be changed",
            "postmaster" => "cannot be changed without restarting the server",
            "sighup" => "cannot be changed now",
            _ => "cannot be set after connection start",
        };
        Err(SqlError::new(SqlState::new("55P02"), format!("parameter \"{name}\" {fixed}")))
    }
}

impl Parameter {
    /// A value in the parameter's own form: `on`, or a number in the parameter's unit.
    pub(crate) fn read(&self, value: &str) -> Result<String> {
        match self.kind {
            "bool" => {
                let message = || format!("parameter \"{}\" requires a Boolean value", self.name);
                let on =
                    boolean(value).ok_or_else(|| SqlError::new(SqlState::INVALID_PARAMETER, message()))?;
                Ok(if on { "on" } else { "off" }.to_owned())
            }
            "enum" => self.word(value),
            "integer" => self.number(value).map(|number| format!("{}", number.round())),
            "real" => self.number(value).map(|number| number.to_string()),
            _ => Ok(value.to_owned()),
        }
    }

    fn invalid(&self, value: &str) -> SqlError {
        let message = format!("invalid value for parameter \"{}\": \"{value}\"", self.name);
        SqlError::new(SqlState::INVALID_PARAMETER, message)
    }

    fn word(&self, value: &str) -> Result<String> {
        let words = || self.words.split(',');
        let same = |word: &&str| word.eq_ignore_ascii_case(value);
        let as_boolean = || {
            let word = if boolean(value)? { "on" } else { "off" };
            words().find(|known| *known == word)
        };
        let is_level = || words().any(|word| word == "debug1");
        let unlisted = || UNLISTED.iter().copied().filter(|_| is_level()).find(same);
        let found = words().find(same).or_else(as_boolean).or_else(unlisted);
        let list = || words().collect::<Vec<_>>().join(", ");
        found
            .map(str::to_owned)
            .ok_or_else(|| self.invalid(value).hint(format!("Available values: {}.", list())))
    }

    fn number(&self, value: &str) -> Result<f64> {
        let text = value.trim();
        let end = text.find(|c: char| !c.is_ascii_digit() && !"+-.".contains(c)).unwrap_or(text.len());
        let (digits, unit) = text.split_at(end);
        let number: f64 = digits.parse().map_err(|_| self.invalid(value))?;
        let number = match unit.trim() {
            "" => number,
            unit => number * self.factor(unit).ok_or_else(|| self.wrong_unit(value))?,
        };
        let bound = |text: &str, none: f64| text.parse().unwrap_or(none);
        let (least, greatest) = (bound(self.least, f64::MIN), bound(self.greatest, f64::MAX));
        if (least..=greatest).contains(&number) {
            return Ok(number);
        }
        let unit = if self.unit.is_empty() { String::new() } else { format!(" {}", self.unit) };
        Err(SqlError::new(
            SqlState::INVALID_PARAMETER,
            format!(
                "{number}{unit} is outside the valid range for parameter \"{}\" ({} .. {})",
                self.name, self.least, self.greatest
            ),
        ))
    }

    /// How many of the parameter's own units one of a unit is.
    fn factor(&self, unit: &str) -> Option<f64> {
        let size = |unit: &str| self.units().iter().find(|(known, _)| *known == unit).map(|(_, size)| *size);
        Some(size(unit)? / size(self.unit)?)
    }

    /// The units that the parameter's values may have, with their sizes, the largest first.
    fn units(&self) -> &'static [(&'static str, f64)] {
        if self.unit.is_empty() {
            &[]
        } else if self.unit.ends_with('B') {
            MEMORY
        } else {
            TIME
        }
    }

    fn wrong_unit(&self, value: &str) -> SqlError {
        let hint = match self.units().first() {
            None => return self.invalid(value),
            Some(("TB", _)) => "\"B\", \"kB\", \"MB\", \"GB\", and \"TB\"",
            Some(_) => "\"us\", \"ms\", \"s\", \"min\", \"h\", and \"d\"",
        };
        self.invalid(value).hint(format!("Valid units for this parameter are {hint}."))
    }

    /// A value in the parameter's own form, as `SHOW` writes it: with the largest unit that leaves a whole number.
    pub(crate) fn shown(&self, value: &str) -> String {
        let Ok(number) = value.parse::<f64>() else { return value.to_owned() };
        let Some(own) = self.factor(self.unit) else { return value.to_owned() };
        if number <= 0.0 {
            return value.to_owned();
        }
        let sizes = self.units().iter().filter(|(unit, _)| *unit != "8kB");
        let in_unit = |(unit, _): &(&'static str, f64)| Some((number * own / self.factor(unit)?, *unit));
        let whole = sizes.filter_map(in_unit).find(|(number, _)| number.fract() == 0.0);
        whole.map_or_else(|| format!("{number}{}", self.unit), |(number, unit)| format!("{number}{unit}"))
    }
}

/// Levels of messages that parameters take and that the lists of their values don't have.
const UNLISTED: &[&str] = &["debug", "info"];

const MEMORY: &[(&str, f64)] = &[
    ("TB", 1_099_511_627_776.0),
    ("GB", 1_073_741_824.0),
    ("MB", 1_048_576.0),
    ("8kB", 8_192.0),
    ("kB", 1_024.0),
    ("B", 1.0),
];

const TIME: &[(&str, f64)] =
    &[("d", 86_400_000.0), ("h", 3_600_000.0), ("min", 60_000.0), ("s", 1_000.0), ("ms", 1.0), ("us", 0.001)];

/// A truth value: `on`, `off`, `1`, `0`, or a beginning of `true`, `false`, `yes`, `no`.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    let text = text.to_lowercase();
    let begins = |words: [&str; 2]| !text.is_empty() && words.iter().any(|word| word.starts_with(&text));
    match text.as_str() {
        "on" | "1" => Some(true),
        "off" | "of" | "0" => Some(false),
        _ if begins(["true", "yes"]) => Some(true),
        _ if begins(["false", "no"]) => Some(false),
        _ => None,
    }
}
