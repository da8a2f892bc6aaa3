//! Normalises an event during ingestion: message, id, timestamp, empty values, names of fields, copies.

use serde_json::{Map, Value};
use sim_base::{Cx, Draw, Timestamp, micros};

use crate::copies::Copies;
use crate::source::Row;
use crate::{enrich, key_value};

/// An event as stored.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Event {
    pub id: String,
    /// Microseconds since the epoch.
    pub timestamp: i64,
    pub message: Option<String>,
    /// All fields, with `id`, `timestamp` and `event_message`.
    pub body: Map<String, Value>,
}

/// Builds an event that arrives now from `given`; `None` if there are no `copies` left for what the settings copy.
pub(crate) fn normalise(
    cx: &Cx<'_>,
    source: &Row,
    ids: &mut Draw,
    copies: &mut Copies,
    mut given: Map<String, Value>,
) -> Option<Event> {
    let settings = &source.settings;
    apply_directives(&mut given, &cx.profile.directives_key);
    // The newer name takes precedence, unless its value is empty.
    let messages = [given.shift_remove("message"), given.shift_remove("event_message")];
    let message = messages.into_iter().flatten().find(|message| !message.is_null()).map(text_of);
    let id = given.shift_remove("id").filter(|id| id.is_string() || id.is_number()).map(text_of);
    let id = id.filter(|id| !id.is_empty()).unwrap_or_else(|| ids.uuid().to_string());
    let timestamp = given.shift_remove("timestamp").as_ref().and_then(instant_of);
    let timestamp = timestamp.unwrap_or_else(|| micros(cx.now));
    let mut body = Map::new();
    body.insert("id".to_owned(), id.as_str().into());
    body.insert("timestamp".to_owned(), timestamp.into());
    body.insert("event_message".to_owned(), message.as_deref().into());
    body.extend(clean_object(given));
    copy_fields(&mut body, settings.transform_copy_fields.as_deref().unwrap_or_default(), copies)?;
    let find = |key: &str| key_value::of_key(cx, source.user, key);
    enrich::enrich(&mut body, settings.transform_key_values.as_deref().unwrap_or_default(), copies, find)?;
    drop_fields(&mut body, settings.transform_drop_fields.as_deref().unwrap_or_default(), copies)?;
    let message = match &settings.custom_event_message_keys {
        Some(keys) => Some(custom_message(&body, keys, copies)?),
        None => message,
    };
    body.insert("event_message".to_owned(), message.as_deref().into());
    Some(Event { id, timestamp, message, body })
}

pub(super) fn text_of(value: Value) -> String {
    match value {
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// `{"numbersToFloats": true}` converts whole numbers under `metadata` to floats.
fn apply_directives(event: &mut Map<String, Value>, key: &str) {
    let Some(directives) = event.shift_remove(key) else { return };
    if directives["numbersToFloats"] == true
        && let Some(metadata) = event.get_mut("metadata")
    {
        make_floats(metadata);
    }
}

fn make_floats(value: &mut Value) {
    match value {
        Value::Number(number) if !number.is_f64() => {
            *value = number.as_f64().map_or(Value::Null, Value::from);
        }
        Value::Array(list) => list.iter_mut().for_each(make_floats),
        Value::Object(object) => object.values_mut().for_each(make_floats),
        _ => {}
    }
}

/// Microseconds: from a timestamp text with a zone, or from a number whose digits give its unit. An event without one gets the time
/// of its arrival.
pub(super) fn instant_of(given: &Value) -> Option<i64> {
    match given {
        Value::String(text) => text.parse::<Timestamp>().ok().map(micros).or_else(|| far_instant(text)),
        // Before 1970 nothing was logged.
        Value::Number(number) if number.as_f64().is_some_and(|number| number < 0.0) => None,
        Value::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(whole), _) => Some(by_digits(whole)),
            // A float is rounded; one out of the integer range is not a timestamp.
            (None, Some(float)) if float.abs() < 9.2e18 => Some(by_digits(float.round() as i64)),
            _ => None,
        },
        _ => None,
    }
}

/// The microseconds of a timestamp that is too far away for the clock's type: the last day of 9999, or the first of -9999.
fn far_instant(text: &str) -> Option<i64> {
    let pieces = jiff::fmt::temporal::Pieces::parse(text).ok()?;
    let offset = i64::from(pieces.to_numeric_offset()?.seconds());
    let local = pieces.date().to_datetime(pieces.time()?);
    let since = local.duration_since(jiff::civil::date(1970, 1, 1).at(0, 0, 0, 0));
    let seconds = since.as_secs().checked_sub(offset)?;
    seconds.checked_mul(1_000_000)?.checked_add(i64::from(since.subsec_micros()))
}

/// The number of digits determines the unit: nanoseconds, microseconds, milliseconds, seconds or thousands of seconds. Other
/// numbers do not change.
pub(crate) fn by_digits(number: i64) -> i64 {
    match number.unsigned_abs().checked_ilog10().map_or(1, |log| log + 1) {
        19 => number / 1000,
        13 => number * 1000,
        10 => number * 1_000_000,
        7 => number * 1_000_000_000,
        _ => number,
    }
}

/// Removes `null`, `""`, `[]` and `{}` at any depth, and renames fields to valid column names.
fn clean_object(object: Map<String, Value>) -> Map<String, Value> {
    let cleaned = object.into_iter().filter_map(|(key, value)| Some((column_name(key), clean(value)?)));
    cleaned.collect()
}

pub(super) fn clean(value: Value) -> Option<Value> {
    let cleaned = match value {
        Value::Array(list) => Value::Array(list.into_iter().filter_map(clean).collect()),
        Value::Object(object) => Value::Object(clean_object(object)),
        other => other,
    };
    let is_empty = match &cleaned {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    };
    (!is_empty).then_some(cleaned)
}

/// Prefixes that the warehouse reserves.
const RESERVED: [&str; 7] =
    ["_TABLE_", "_FILE_", "_PARTITION", "_ROW_TIMESTAMP", "__ROOT__", "_COLIDENTIFIER", "_CHANGE_"];

/// The length limit of a name in bytes.
const LONGEST_NAME: usize = 128;

/// The rules are applied in turn: each sees the prefixes added by earlier ones.
fn column_name(mut key: String) -> String {
    if RESERVED.iter().any(|start| key.starts_with(start)) {
        key.insert(0, '_');
    }
    if key.contains('-') {
        key = format!("_{}", key.replace('-', "_"));
    }
    if key.starts_with(|first: char| first.is_ascii_digit()) {
        key.insert(0, '_');
    }
    if key.contains(is_no_word) {
        key = format!("_{}", key.replace(is_no_word, "_"));
    }
    if key.len() > LONGEST_NAME {
        key = format!("_{}", key.chars().take(LONGEST_NAME).collect::<String>());
    }
    key
}

fn is_no_word(sign: char) -> bool {
    !sign.is_ascii_alphanumeric() && sign != '_'
}

/// The bytes that copies may add to an event, and the deepest nesting of copies.
pub(super) const COPIED_BYTES: usize = 1 << 20;
/// What a line counts that copies nothing: it is looked up in each event.
pub(super) const LINE_BYTES: usize = 32;
const DEPTH_MAX: usize = crate::reject::DEPTH_MAX;

/// Lines `from.path:to.path`: the value at the first path is copied to the second. A copy that would make the event too large or
/// too deep is omitted, because a line can copy the result of the line before it. `None`: no
/// `copies` are left.
fn copy_fields(body: &mut Map<String, Value>, lines: &str, copies: &mut Copies) -> Option<()> {
    let mut left = COPIED_BYTES;
    for (from, to) in lines.lines().filter_map(|line| line.trim().split_once(':')) {
        copies.take(1, LINE_BYTES)?;
        let Some(value) = at(body, &long_path(from)) else { continue };
        let Some(rest) = left_after_copy(value, &long_path(to), left) else { continue };
        copies.take(1, left - rest)?;
        let value = value.clone();
        put(body, &long_path(to), value);
        left = rest;
    }
    Some(())
}

/// Puts a value at a path, if it leaves some of `left` bytes and does not nest too deeply. Returns how many bytes are left.
pub(super) fn copy_to(body: &mut Map<String, Value>, to: &str, value: Value, left: usize) -> usize {
    let Some(rest) = left_after_copy(&value, to, left) else { return left };
    put(body, to, value);
    rest
}

/// The rest of `left` bytes after a copy of the value to a path; `None` if the value is larger, or would nest too deeply.
fn left_after_copy(value: &Value, to: &str, left: usize) -> Option<usize> {
    left_after(value, left, DEPTH_MAX.checked_sub(to.split('.').count())?)
}

/// Removes the field at each line's path, in every element of a list on the way. An event keeps its own columns. `None`: no
/// `copies` are left, as which the elements count that are looked at.
fn drop_fields(body: &mut Map<String, Value>, lines: &str, copies: &mut Copies) -> Option<()> {
    for path in lines.lines().map(str::trim).filter(|line| !line.is_empty()).map(long_path) {
        let names: Vec<&str> = path.split('.').collect();
        if !crate::source::OWN.contains(&names[0]) || names.len() > 1 {
            drop_field(body, &names, copies)?;
        }
    }
    Some(())
}

fn drop_field(object: &mut Map<String, Value>, names: &[&str], copies: &mut Copies) -> Option<()> {
    copies.take(1, LINE_BYTES)?;
    match names {
        [] => {}
        [last] => drop(object.shift_remove(*last)),
        [first, rest @ ..] => match object.get_mut(*first) {
            Some(Value::Object(inner)) => drop_field(inner, rest, copies)?,
            Some(Value::Array(list)) => {
                let mut within = list.iter_mut().filter_map(Value::as_object_mut);
                within.try_for_each(|inner| drop_field(inner, rest, copies))?;
            }
            _ => {}
        },
    }
    Some(())
}

/// The rest of `left` bytes after a copy of the value; `None` if the value is larger, or nests too deeply.
fn left_after(value: &Value, left: usize, depth: usize) -> Option<usize> {
    let left = left.checked_sub(size_of::<Value>())?;
    let depth = || depth.checked_sub(1);
    match value {
        Value::String(text) => left.checked_sub(text.len()),
        Value::Array(list) => {
            let depth = depth()?;
            list.iter().try_fold(left, |left, one| left_after(one, left, depth))
        }
        Value::Object(fields) => {
            let depth = depth()?;
            let within = |left: usize, (name, one): (&String, &Value)| {
                left_after(one, left.checked_sub(name.len())?, depth)
            };
            fields.iter().try_fold(left, within)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => Some(left),
    }
}

/// The value at a path; paths do not go into lists.
pub(crate) fn at<'v>(body: &'v Map<String, Value>, path: &str) -> Option<&'v Value> {
    let mut names = path.split('.');
    let first = body.get(names.next()?)?;
    names.try_fold(first, |value, name| value.get(name))
}

/// `m.x` is short for `metadata.x`.
pub(crate) fn long_path(path: &str) -> String {
    match path.trim().strip_prefix("m.") {
        Some(rest) => format!("metadata.{rest}"),
        None => path.trim().to_owned(),
    }
}

fn put(body: &mut Map<String, Value>, path: &str, value: Value) {
    let (name, rest) = path.split_once('.').map_or((path, None), |(name, rest)| (name, Some(rest)));
    let Some(rest) = rest else {
        body.insert(name.to_owned(), value);
        return;
    };
    let inner = body.entry(name).or_insert_with(|| Value::Object(Map::new()));
    // An existing value that is not an object stays.
    if let Value::Object(inner) = inner {
        put(inner, rest, value);
    }
}

/// The size at which a message made of such values is truncated, in bytes.
const MESSAGE_BYTES: usize = 256 << 10;

/// The values at the paths: id and message as texts, others as JSON; `null` for missing values. `None`: no `copies` are left.
fn custom_message(body: &Map<String, Value>, keys: &str, copies: &mut Copies) -> Option<String> {
    let value = |key: &str| match key.trim() {
        "id" => body.get("id").cloned().map(text_of),
        "message" | "event_message" => body.get("event_message").cloned().map(text_of),
        other => at(body, &long_path(other)).map(Value::to_string),
    };
    let mut message = String::new();
    for (index, key) in keys.split(',').enumerate() {
        if message.len() > MESSAGE_BYTES {
            break;
        }
        message.push_str(if index > 0 { " | " } else { "" });
        let value = value(key).unwrap_or_else(|| "null".to_owned());
        copies.take(1, LINE_BYTES + value.len())?;
        message.push_str(&value);
    }
    Some(message)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn names_become_names_of_columns() {
        let long = "k".repeat(129);
        let rows = [
            ("plain_1", "plain_1"),
            ("_FILE_x", "__FILE_x"),
            ("_TABLE_x", "__TABLE_x"),
            ("_PARTITION_x", "__PARTITION_x"),
            ("_ROW_TIMESTAMP", "__ROW_TIMESTAMP"),
            ("__ROOT__", "___ROOT__"),
            ("_COLIDENTIFIER", "__COLIDENTIFIER"),
            ("_CHANGE_TYPE", "__CHANGE_TYPE"),
            ("status-code", "_status_code"),
            ("1st", "_1st"),
            ("a b!", "_a_b_"),
            ("1-x", "_1_x"),
            ("1 x", "__1_x"),
            ("é", "__"),
            ("", ""),
            (&long, &format!("_{}", "k".repeat(128))),
        ];
        for (given, name) in rows {
            assert_eq!(column_name(given.to_owned()), name, "{given}");
        }
    }

    #[test]
    fn timestamps_of_every_unit_become_microseconds() {
        let rows = [
            (json!("2025-02-10T10:00:00.5Z"), Some(1_739_181_600_500_000)),
            (json!("2025-02-10T12:00:00+02:00"), Some(1_739_181_600_000_000)),
            (json!(1_739_181_600_123_456_789_i64), Some(1_739_181_600_123_456)),
            (json!(1_739_181_600_123_456_i64), Some(1_739_181_600_123_456)),
            (json!(1_739_181_600_123_i64), Some(1_739_181_600_123_000)),
            (json!(1_739_181_600), Some(1_739_181_600_000_000)),
            (json!(1_739_181), Some(1_739_181_000_000_000)),
            (json!("9999-12-31T23:59:59.5Z"), Some(253_402_300_799_500_000)),
            (json!("-009999-01-01T00:00:00+01:00"), Some(-377_705_120_400_000_000)),
            (json!("9999-12-31T23:59:59"), None),
            (json!("2026-03-01T25:00:00Z"), None),
            (json!(12), Some(12)),
            (json!(0), Some(0)),
            (json!(-1_739_181_600), None),
            (json!(-1), None),
            (json!(-0.5), None),
            (json!(1_739_181_600.4), Some(1_739_181_600_000_000)),
            (json!(i64::MIN), None),
            (json!(i64::MAX), Some(i64::MAX / 1000)),
            (json!("2025-02-10 10:00"), None),
            (json!("yesterday"), None),
            (json!(1e300), None),
            (json!(u64::MAX), None),
            (json!(true), None),
            (json!({}), None),
            (json!(null), None),
        ];
        for (given, expected) in rows {
            assert_eq!(instant_of(&given), expected, "{given}");
        }
    }

    #[test]
    fn empty_values_are_removed_everywhere() {
        let given = json!({ "a": null, "b": "", "c": [], "d": { "e": [{}, [""]] }, "f": [0, null, false], "g": { "h": 1 } });
        let Value::Object(given) = given else { panic!("an object") };
        assert_eq!(Value::Object(clean_object(given)), json!({ "f": [0, false], "g": { "h": 1 } }));
    }

    fn copied(body: &mut Map<String, Value>, lines: &str) {
        copy_fields(body, lines, &mut Copies::default()).expect("few copies");
    }

    #[test]
    fn copies_of_copies_have_a_bound() {
        let mut doubled = Map::from_iter([("m".to_owned(), json!({ "text": "x".repeat(100) }))]);
        let lines: Vec<String> = (0..200).map(|n| format!("m:m.c{n}")).collect();
        copied(&mut doubled, &lines.join("\n"));
        let bytes = serde_json::to_string(&doubled).expect("plain data").len();
        assert!((10_000..4 * COPIED_BYTES).contains(&bytes), "{bytes}");
        let mut deep = Map::from_iter([("a".to_owned(), json!(1))]);
        copied(&mut deep, &format!("a:b{}", ".b".repeat(200)));
        copied(&mut deep, &format!("a:c{}", ".c".repeat(40)));
        assert!(!deep.contains_key("b") && deep.contains_key("c"));
        let nested: Vec<String> = (0..300).map(|_| "m:m.m".to_owned()).collect();
        copied(&mut doubled, &nested.join("\n"));
        let text = serde_json::to_string(&doubled).expect("plain data");
        assert!(serde_json::from_str::<Value>(&text).is_ok(), "what is stored can be read");
    }

    #[test]
    fn copies_go_where_nothing_is_in_the_way() {
        let Value::Object(mut body) = json!({ "metadata": { "a": 1 }, "b": "text" }) else {
            panic!("an object")
        };
        copied(&mut body, "m.a:c.d\nm.a:b.e\nm.none:f\nnonsense\n m.a : g ");
        assert_eq!(
            Value::Object(body),
            json!({ "metadata": { "a": 1 }, "b": "text", "c": { "d": 1 }, "g": 1 })
        );
    }
}
