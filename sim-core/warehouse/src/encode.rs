//! Writes rows of an answer as JSON.

use serde_json::{Map, Number, Value};
use sim_values::types::Type as Stored;
use sim_values::value::datetime::{self, print_date, print_time, print_timestamp};

use super::Column;
use super::types::Type;

/// A value from the target's driver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    /// Null.
    Null,
    /// A whole number.
    Integer(i64),
    /// A floating-point number.
    Real(f64),
    /// A text, or any other value in PostgreSQL's text format.
    Text(&'a str),
    /// Bytes.
    Blob(&'a [u8]),
}

/// A row of a translated query. Timestamps become whole microseconds, dates and local times ISO texts, and objects of events lists
/// of one.
pub fn row<'a>(columns: &[Column], cells: impl IntoIterator<Item = Cell<'a>>) -> Map<String, Value> {
    let values = columns.iter().zip(cells);
    values.map(|(column, cell)| (column.name.clone(), value(&column.type_, cell))).collect()
}

/// A value of a row as the columnar store returns it: timestamps as texts, truth as 0 or 1, maps as objects, tuples as lists.
pub fn columnar_value(type_: &Type, value: Value) -> Value {
    match (type_, value) {
        (Type::Timestamp, Value::Number(micros)) => {
            micros.as_i64().map_or(Value::Null, |micros| format!("{}Z", iso(micros)).into())
        }
        (Type::Bool, Value::Bool(truth)) => i64::from(truth).into(),
        // Numbers that JSON does not have.
        (Type::Float64 | Type::Number, Value::String(_)) => Value::Null,
        (Type::Dynamic, Value::Array(mut list)) if matches!(list[..], [Value::Object(_)]) => list.remove(0),
        (Type::Array(of), Value::Array(list)) => {
            list.into_iter().map(|element| columnar_value(of, element)).collect()
        }
        (Type::Struct(fields), Value::Object(mut values)) if !fields.is_empty() => {
            let field = |(index, (name, type_)): (usize, &(String, Type))| {
                columnar_value(type_, values.shift_remove(&field_key(name, index)).unwrap_or_default())
            };
            let values = fields.iter().enumerate().map(field);
            // A tuple with names is an object.
            match fields.iter().all(|(name, _)| !name.is_empty()) {
                true => fields.iter().map(|(name, _)| name.clone()).zip(values).collect(),
                false => values.collect(),
            }
        }
        (_, value) => value,
    }
}

fn value(type_: &Type, cell: Cell<'_>) -> Value {
    if cell == Cell::Null {
        // An answer of the warehouse has no null lists.
        return if matches!(type_, Type::Array(_)) { Value::Array(Vec::new()) } else { Value::Null };
    }
    match type_ {
        Type::Null => Value::Null,
        Type::Bool => match cell {
            Cell::Integer(number) => (number != 0).into(),
            Cell::Text(text) => text.starts_with('t').into(),
            _ => Value::Null,
        },
        Type::Int64 => whole(cell).map_or(Value::Null, Value::from),
        Type::Float64 => float(cell),
        Type::Number => number(cell),
        Type::String | Type::Interval => text(cell).into(),
        Type::Bytes => bytes(cell).into(),
        Type::Timestamp => micros(cell).map_or(Value::Null, Value::from),
        Type::Datetime => micros(cell).map_or(Value::Null, |micros| iso(micros).into()),
        Type::Date => days(cell).map_or(Value::Null, |days| print_date(days).into()),
        Type::Time => match cell {
            Cell::Integer(micros) => print_time(micros).into(),
            other => text(other).into(),
        },
        Type::Dynamic => event_value(parsed(cell)),
        Type::Array(_) | Type::Struct(_) => element(type_, parsed(cell)),
    }
}

/// The ISO text of a local time, as the warehouse prints it.
fn iso(micros: i64) -> String {
    print_timestamp(micros).replacen(' ', "T", 1)
}

fn whole(cell: Cell<'_>) -> Option<i64> {
    match cell {
        Cell::Integer(number) => Some(number),
        Cell::Real(number) => Some(number as i64),
        Cell::Text(text) => text.parse().ok(),
        Cell::Null | Cell::Blob(_) => None,
    }
}

/// A float as JSON. The warehouse sends infinities and NaN as texts, because JSON has no numbers for them.
fn float(cell: Cell<'_>) -> Value {
    let float = match cell {
        Cell::Integer(number) => number as f64,
        Cell::Real(number) => number,
        Cell::Text(text) => text.parse().unwrap_or(f64::NAN),
        Cell::Null | Cell::Blob(_) => return Value::Null,
    };
    Number::from_f64(float).map_or_else(|| not_finite(float).into(), Value::Number)
}

fn not_finite(float: f64) -> &'static str {
    match float {
        f64::INFINITY => "Infinity",
        f64::NEG_INFINITY => "-Infinity",
        _ => "NaN",
    }
}

/// A number, as an integer if it is whole.
fn number(cell: Cell<'_>) -> Value {
    match cell {
        Cell::Text(text) if text.parse::<i64>().is_ok() => whole(cell).map_or(Value::Null, Value::from),
        Cell::Integer(number) => number.into(),
        _ => match float(cell) {
            Value::Number(number) => shortest(&number),
            other => other,
        },
    }
}

fn shortest(number: &Number) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match number.as_f64() {
        Some(float) if float.fract() == 0.0 && float.abs() < EXACT => (float as i64).into(),
        _ => Value::Number(number.clone()),
    }
}

fn text(cell: Cell<'_>) -> String {
    match cell {
        Cell::Null => String::new(),
        Cell::Integer(number) => number.to_string(),
        Cell::Real(number) => number.to_string(),
        Cell::Text(text) => text.to_owned(),
        Cell::Blob(bytes) => String::from_utf8_lossy(bytes).into_owned(),
    }
}

/// Bytes in base64. In PostgreSQL's text format they are `\x` and hexadecimal digits.
fn bytes(cell: Cell<'_>) -> String {
    use base64::Engine;
    let bytes = match cell {
        Cell::Text(text) => {
            let digits = text.trim_start_matches("\\x").as_bytes();
            let byte = |pair: &[u8]| u8::from_str_radix(str::from_utf8(pair).ok()?, 16).ok();
            digits.chunks(2).filter_map(byte).collect()
        }
        Cell::Blob(bytes) => bytes.to_vec(),
        Cell::Null | Cell::Integer(_) | Cell::Real(_) => Vec::new(),
    };
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

fn micros(cell: Cell<'_>) -> Option<i64> {
    match cell {
        Cell::Text(text) => datetime::parse_timestamp(text, Stored::TIMESTAMP).ok(),
        other => whole(other),
    }
}

fn days(cell: Cell<'_>) -> Option<i64> {
    match cell {
        Cell::Text(text) => datetime::parse_date(text).ok(),
        other => whole(other),
    }
}

fn parsed(cell: Cell<'_>) -> Value {
    match cell {
        Cell::Text(text) => json_of(text).unwrap_or_else(|| text.into()),
        Cell::Integer(number) => number.into(),
        other => float(other),
    }
}

/// Reads JSON of SQLite's functions, which write infinities as `9.0e+999`: they become texts, as beside lists.
pub(crate) fn json_of(text: &str) -> Option<Value> {
    let read = serde_json::from_str(text).ok();
    read.or_else(|| serde_json::from_str(&with_infinities(text)?).ok())
}

fn with_infinities(text: &str) -> Option<String> {
    const INFINITIES: [(&str, &str); 2] = [("-9.0e+999", "\"-Infinity\""), ("9.0e+999", "\"Infinity\"")];
    if !text.contains(INFINITIES[1].0) {
        return None;
    }
    let (mut out, mut rest, mut quoted) = (String::with_capacity(text.len()), text, false);
    while let Some(sign) = rest.chars().next() {
        let found = INFINITIES.iter().find(|(written, _)| !quoted && rest.starts_with(written));
        if let Some((written, as_text)) = found {
            out.push_str(as_text);
            rest = &rest[written.len()..];
            continue;
        }
        let escaped = if quoted && sign == '\\' { rest[1..].chars().next() } else { None };
        quoted ^= sign == '"';
        out.push(sign);
        out.extend(escaped);
        rest = &rest[sign.len_utf8() + escaped.map_or(0, char::len_utf8)..];
    }
    Some(out)
}

/// A value from an event. The warehouse keeps objects as lists of one.
fn event_value(value: Value) -> Value {
    match value {
        Value::Object(_) => Value::Array(vec![inside(value)]),
        other => inside(other),
    }
}

/// A value inside a list or an object of an event.
fn inside(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            Value::Object(fields.into_iter().map(|(name, value)| (name, event_value(value))).collect())
        }
        Value::Array(elements) => Value::Array(elements.into_iter().map(inside).collect()),
        other => other,
    }
}

/// A value inside a list or structure, where timestamps and days are whole numbers.
fn element(type_: &Type, json: Value) -> Value {
    match (type_, json) {
        (Type::Array(_), Value::Null) => Value::Array(Vec::new()),
        (_, Value::Null) => Value::Null,
        (Type::Array(of), Value::Array(elements)) if **of == Type::Dynamic => {
            Value::Array(elements.into_iter().map(inside).collect())
        }
        (Type::Array(of), Value::Array(elements)) => {
            Value::Array(elements.into_iter().map(|value| element(of, value)).collect())
        }
        (Type::Struct(fields), event) if fields.is_empty() => inside(event),
        (Type::Struct(fields), Value::Object(mut values)) => {
            let field = |(index, (name, type_)): (usize, &(String, Type))| {
                let key = field_key(name, index);
                let value = element(type_, values.shift_remove(&key).unwrap_or_default());
                (key, value)
            };
            Value::Object(fields.iter().enumerate().map(field).collect())
        }
        (Type::Dynamic, json) => event_value(json),
        (Type::Bool, json) => json,
        (type_, Value::Number(number)) => match number.as_i64() {
            Some(whole) => value(type_, Cell::Integer(whole)),
            None => value(type_, number.as_f64().map_or(Cell::Null, Cell::Real)),
        },
        (_, json) => json,
    }
}

/// The key of a structure's field in JSON. For a field without a name it is the field's index.
pub(super) fn field_key(name: &str, index: usize) -> String {
    if name.is_empty() { format!("_field_{}", index + 1) } else { name.to_owned() }
}
