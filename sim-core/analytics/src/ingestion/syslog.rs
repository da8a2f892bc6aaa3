//! Messages of syslog as events: RFC 5424, with or without structured data, and RFC 3164. A body has one on each line, or each
//! after its length in bytes, as in `application/logplex-1`.

use std::borrow::Cow;

use jiff::civil::{Date, Time};
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use sim_base::{Timestamp, micros};

/// The content types of such bodies.
pub(super) const TYPES: [&str; 4] =
    ["application/logplex-1", "application/syslog", "text/plain", "application/octet-stream"];

/// Names of severities, from 0.
const LEVELS: [&str; 8] = ["emergency", "alert", "critical", "error", "warning", "notice", "info", "debug"];

/// Names of facilities, from 0.
const FACILITIES: [&str; 24] = [
    "kern", "user", "mail", "daemon", "auth", "syslog", "lpr", "news", "uucp", "cron", "authpriv", "ftp",
    "ntp", "audit", "alert", "clock", "local0", "local1", "local2", "local3", "local4", "local5", "local6",
    "local7",
];

const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// The messages of a body that arrives now. A line that is none becomes the message of an event without other fields.
pub(super) fn messages(bytes: &[u8], arrival: Timestamp) -> Value {
    let text = String::from_utf8_lossy(bytes);
    filled(&text).map(|frame| event(frame.trim_end(), arrival)).collect()
}

/// The places of the messages of which some bytes are not UTF-8, and are kept as U+FFFD.
pub(super) fn not_utf8(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let places: Vec<usize> = match String::from_utf8_lossy(bytes) {
        Cow::Owned(text) => {
            let broken = filled(&text).enumerate().filter(|(_, frame)| frame.contains('\u{fffd}'));
            broken.map(|(place, _)| place).collect()
        }
        Cow::Borrowed(_) => Vec::new(),
    };
    places.into_iter()
}

fn filled(text: &str) -> impl Iterator<Item = &str> {
    frames(text).filter(|frame| !frame.trim().is_empty())
}

fn frames(mut rest: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(['\n', '\r']);
        if rest.is_empty() {
            return None;
        }
        let (frame, left) = counted(rest).or_else(|| rest.split_once('\n')).unwrap_or((rest, ""));
        rest = left;
        Some(frame)
    })
}

/// A message after its length.
fn counted(text: &str) -> Option<(&str, &str)> {
    let (length, message) = text.split_once(' ')?;
    message.starts_with('<').then_some(())?;
    message.split_at_checked(length.parse().ok()?)
}

fn event(frame: &str, arrival: Timestamp) -> Value {
    read(frame, arrival).unwrap_or_else(|| json!({ "message": frame }))
}

fn read(frame: &str, arrival: Timestamp) -> Option<Value> {
    let (priority, rest) = frame.strip_prefix('<')?.split_once('>')?;
    let priority: usize = priority.parse().ok()?;
    let mut metadata = Map::new();
    metadata.insert("priority".to_owned(), priority.into());
    metadata.insert("facility".to_owned(), (*FACILITIES.get(priority / 8)?).into());
    metadata.insert("level".to_owned(), LEVELS[priority % 8].into());
    let (timestamp, message) = match rest.strip_prefix("1 ") {
        Some(rest) => newer(rest, &mut metadata)?,
        None => older(rest, arrival, &mut metadata)?,
    };
    Some(json!({ "timestamp": timestamp, "message": message, "metadata": metadata }))
}

/// RFC 5424, after its version.
fn newer<'a>(rest: &'a str, metadata: &mut Map<String, Value>) -> Option<(Value, &'a str)> {
    let (timestamp, mut rest) = rest.split_once(' ')?;
    for name in ["hostname", "appname", "process_id", "message_id"] {
        let (value, after) = rest.split_once(' ').unwrap_or((rest, ""));
        insert(metadata, name, value);
        rest = after;
    }
    if let Some((data, after)) = structured(rest) {
        metadata.insert("structured_data".to_owned(), data);
        rest = after;
    } else if let Some(after) =
        rest.strip_prefix('-').filter(|after| after.is_empty() || after.starts_with(' '))
    {
        rest = after;
    }
    let message = rest.strip_prefix(' ').unwrap_or(rest).trim_start_matches('\u{feff}');
    Some((timestamp.into(), message))
}

/// `-` is no value.
fn insert(metadata: &mut Map<String, Value>, name: &str, value: &str) {
    if value != "-" && !value.is_empty() {
        metadata.insert(name.to_owned(), value.into());
    }
}

/// `[id name="value" …]…` as objects by their ids, and what follows.
fn structured(text: &str) -> Option<(Value, &str)> {
    let (mut rest, mut all) = (text, Map::new());
    while let Some(element) = rest.strip_prefix('[') {
        let end = element.find([' ', ']'])?;
        let (id, mut inside) = element.split_at(end);
        let mut values = Map::new();
        while let Some(pair) = inside.strip_prefix(' ') {
            let (name, value) = pair.split_once("=\"")?;
            let (value, after) = quoted(value)?;
            values.insert(name.to_owned(), value.into());
            inside = after;
        }
        rest = inside.strip_prefix(']')?;
        all.insert(id.to_owned(), values.into());
    }
    (!all.is_empty()).then_some((all.into(), rest))
}

/// The text before the closing quotation mark, and what follows.
fn quoted(text: &str) -> Option<(String, &str)> {
    let (mut value, mut hidden) = (String::new(), false);
    for (at, sign) in text.char_indices() {
        match sign {
            '"' if !hidden => return Some((value, &text[at + 1..])),
            '\\' if !hidden => hidden = true,
            sign => {
                if hidden && !matches!(sign, '"' | '\\' | ']') {
                    value.push('\\');
                }
                value.push(sign);
                hidden = false;
            }
        }
    }
    None
}

/// RFC 3164: `Oct 11 22:14:15 host app[7]: message`.
fn older<'a>(
    rest: &'a str,
    arrival: Timestamp,
    metadata: &mut Map<String, Value>,
) -> Option<(Value, &'a str)> {
    let (timestamp, rest) = whole_time(rest).or_else(|| bare_time(rest, arrival))?;
    let rest = rest.strip_prefix(' ')?;
    // What a program writes to the socket of its own machine names no host.
    let local = rest.split_once(' ').is_some_and(|(word, _)| word.ends_with(':'));
    let rest = if local {
        rest
    } else {
        let (host, rest) = rest.split_once(' ')?;
        insert(metadata, "hostname", host);
        rest
    };
    let Some((tag, message)) = rest.split_once(": ").filter(|(tag, _)| !tag.contains(' ')) else {
        return Some((timestamp, rest));
    };
    let (app, process) = tag.strip_suffix(']').and_then(|tag| tag.split_once('[')).unwrap_or((tag, ""));
    insert(metadata, "appname", app);
    insert(metadata, "process_id", process);
    Some((timestamp, message))
}

/// `2026-01-15T09:00:00+01:00`, as forwarders write it.
fn whole_time(rest: &str) -> Option<(Value, &str)> {
    let end = rest.find(' ')?;
    let (time, rest) = rest.split_at(end);
    let at: Timestamp = time.parse().ok()?;
    Some((micros(at).into(), rest))
}

/// `Oct 11 22:14:15`, with a fraction or with the year before the clock. Without a year it is the last one before tomorrow.
fn bare_time(rest: &str, arrival: Timestamp) -> Option<(Value, &str)> {
    let (date, rest) = rest.split_at_checked(7)?;
    let month = MONTHS.iter().position(|month| date.starts_with(month))?;
    let month = i8::try_from(month + 1).ok()?;
    let day: i8 = date.get(4..6)?.trim().parse().ok()?;
    let with_year = rest.split_once(' ').and_then(|(year, rest)| Some((year.parse::<i16>().ok()?, rest)));
    let (given, rest) = with_year.map_or((None, rest), |(year, rest)| (Some(year), rest));
    let (clock, rest) = rest.split_at(rest.find(' ')?);
    let clock: Time = clock.parse().ok().filter(|_| clock.len() >= 8)?;
    let at = |year: i16| {
        let date = Date::new(year, month, day).ok()?;
        TimeZone::UTC.to_timestamp(date.to_datetime(clock)).ok().map(micros)
    };
    let year = TimeZone::UTC.to_datetime(arrival).year();
    let tomorrow = micros(arrival).saturating_add(86_400_000_000);
    let last = || at(year).filter(|at| *at <= tomorrow).or_else(|| at(year - 1));
    let timestamp = given.map_or_else(last, at)?;
    Some((timestamp.into(), rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(line: &str) -> Value {
        messages(line.as_bytes(), "2026-01-15T10:00:00Z".parse().expect("an instant"))[0].clone()
    }

    #[test]
    fn messages_of_both_forms_are_read() {
        assert_eq!(
            one(
                r#"<165>1 2026-01-15T09:00:00.003Z web.test app 42 ID47 [x@1 a="b \"c\" \n" d="]"][y@2] hello world"#
            ),
            json!({ "timestamp": "2026-01-15T09:00:00.003Z", "message": "hello world", "metadata": {
                "priority": 165, "facility": "local4", "level": "notice", "hostname": "web.test", "appname": "app",
                "process_id": "42", "message_id": "ID47",
                "structured_data": { "x@1": { "a": "b \"c\" \\n", "d": "]" }, "y@2": {} } } })
        );
        assert_eq!(
            one("<40>1 2026-01-15T09:00:00+00:00 host app web.1 - State changed"),
            json!({ "timestamp": "2026-01-15T09:00:00+00:00", "message": "State changed", "metadata": {
                "priority": 40, "facility": "syslog", "level": "emergency", "hostname": "host", "appname": "app",
                "process_id": "web.1" } })
        );
        assert_eq!(one("<13>1 2026-01-15T09:00:00Z h a - - - text")["message"], "text");
        assert_eq!(one("<13>1 2026-01-15T09:00:00Z h a - - -")["message"], "");
        assert_eq!(
            one("<34>Jan  5 22:14:15 db su[7]: failed for x: y"),
            json!({ "timestamp": 1_767_651_255_000_000_i64, "message": "failed for x: y", "metadata": {
                "priority": 34, "facility": "auth", "level": "critical", "hostname": "db", "appname": "su",
                "process_id": "7" } })
        );
        assert_eq!(one("<34>Dec 31 23:59:59 db plain text")["timestamp"], 1_767_225_599_000_000_i64);
        assert_eq!(one("<34>Dec 31 23:59:59 db plain text")["message"], "plain text");
    }

    #[test]
    fn the_older_form_has_several_times_and_may_lack_the_host() {
        let metadata = json!({ "priority": 13, "facility": "user", "level": "notice", "hostname": "db", "appname": "su",
            "process_id": "7" });
        for (time, micros) in [
            ("2026-01-05T22:14:15Z", 1_767_651_255_000_000_i64),
            ("2026-01-05T23:14:15.5+01:00", 1_767_651_255_500_000),
            ("Jan  5 22:14:15.25", 1_767_651_255_250_000),
            ("Jan  5 2025 22:14:15", 1_736_115_255_000_000),
        ] {
            let event = one(&format!("<13>{time} db su[7]: text"));
            assert_eq!(
                event,
                json!({ "timestamp": micros, "message": "text", "metadata": metadata }),
                "{time}"
            );
        }
        let local = one("<13>Jan  5 22:14:15 su[7]: text");
        assert_eq!(
            (&local["metadata"]["hostname"], &local["metadata"]["appname"]),
            (&Value::Null, &json!("su"))
        );
        assert_eq!(local["message"], "text");
    }

    #[test]
    fn what_is_no_message_of_syslog_is_kept_as_it_is() {
        for line in ["plain", "<999>1 x", "<13>Foo 11 22:14:15 h t", "<a>1 x y", "<13>", "<13>é", "12 <"] {
            assert_eq!(one(line), json!({ "message": line }), "{line}");
        }
    }

    #[test]
    fn bodies_are_lines_or_counted() {
        let all = |text: &str| {
            let events = messages(text.as_bytes(), Timestamp::UNIX_EPOCH);
            let texts = events.as_array().into_iter().flatten();
            texts.map(|event| event["message"].as_str().unwrap_or_default().to_owned()).collect::<Vec<_>>()
        };
        let first = "<13>1 2026-01-15T09:00:00Z h a - - - two\nlines";
        let second = "<13>1 2026-01-15T09:00:00Z h a - - - b";
        assert_eq!(all(&format!("{} {first}{} {second}", first.len(), second.len())), ["two\nlines", "b"]);
        assert_eq!(all(&format!("{second}\r\n\n{second}\n")), ["b", "b"]);
        assert_eq!(all("9999 <13>1 cut"), ["9999 <13>1 cut"]);
    }
}
