//! The representation of values of each type in SQLite, and the conversion from and to PostgreSQL's texts.
//!
//! | type | representation |
//! |---|---|
//! | bool | INTEGER 0 or 1 |
//! | int2, int4, int8, oid and its aliases | INTEGER |
//! | float4, float8 | REAL |
//! | numeric | TEXT, canonical decimal |
//! | texts, uuid, enum labels, inet, json as given | TEXT |
//! | jsonb | TEXT, as PostgreSQL prints it |
//! | bytea | BLOB |
//! | date | INTEGER, days since 1970-01-01 |
//! | time | INTEGER, microseconds |
//! | timetz, macaddr, ranges, vectors | TEXT, as PostgreSQL prints it |
//! | money | INTEGER, hundredths |
//! | timestamp, timestamptz | INTEGER, microseconds since 1970-01-01 UTC |
//! | interval | TEXT, as PostgreSQL prints it |
//! | hstore | TEXT, as PostgreSQL prints it |
//! | tsvector, tsquery | TEXT, as PostgreSQL prints it |
//! | arrays, rows | TEXT, a JSON array of their elements' representations; blobs as `\x…` texts |

pub mod array;
pub mod bits;
pub mod cube;
pub mod datetime;
pub mod figure;
pub mod geometry;
pub mod hstore;
pub mod interval;
pub mod json;
mod json_text;
pub mod ltree;
pub mod money;
pub mod network;
pub mod numeric;
pub mod order;
pub mod query_int;
pub mod range;
pub mod snapshot;
pub mod sparse;
pub mod timetz;
pub mod tsquery;
pub mod tsvector;
pub mod vector;

use rusqlite::types::{Value, ValueRef};

use super::error::{Result, SqlError, SqlState};
#[cfg(feature = "decimal")]
use super::jsonpath::Path;
use super::types::Type;

/// Reads `text` as a value of a built-in type. Arrays are read by [`array::parse`].
///
/// Fails with 22P02, or with PostgreSQL's own error for such a text.
pub fn parse(type_: Type, text: &str) -> Result<Value> {
    let trimmed = text.trim();
    Ok(match type_ {
        Type::BOOL => Value::Integer(i64::from(parse_bool(trimmed).ok_or_else(|| invalid(type_, text))?)),
        Type::INT2 | Type::INT4 | Type::INT8 => Value::Integer(parse_integer(type_, text)?),
        Type::OID | Type::REGPROC | Type::REGPROCEDURE | Type::REGROLE | Type::REGNAMESPACE => {
            Value::Integer(trimmed.parse::<u32>().map_err(|_| invalid(Type::OID, text))?.into())
        }
        Type::XID8 => Value::Integer(trimmed.parse::<u64>().map_err(|_| invalid(type_, text))? as i64),
        Type::FLOAT4 | Type::FLOAT8 => Value::Real(parse_float(type_, text)?),
        Type::NUMERIC => Value::Text(parse_numeric(text)?),
        Type::UUID => Value::Text(parse_uuid(trimmed).ok_or_else(|| invalid(type_, text))?),
        Type::BYTEA => Value::Blob(parse_bytea(text)?),
        Type::JSON => Value::Text(json::check(text)?.to_owned()),
        Type::JSONB => Value::Text(json::canonical(text)?),
        Type::DATE => Value::Integer(datetime::parse_date(text)?),
        Type::TIME => Value::Integer(datetime::parse_time(text)?),
        Type::TIMESTAMP => Value::Integer(datetime::parse_timestamp(text, Type::TIMESTAMP)?),
        Type::TIMESTAMPTZ => Value::Integer(datetime::parse_timestamp(text, Type::TIMESTAMPTZ)?),
        Type::INTERVAL => Value::Text(interval::Interval::parse(text)?.to_string()),
        Type::BPCHAR => Value::Text(text.to_owned()),
        Type::INET | Type::CIDR => Value::Text(network::Network::parse(type_, text)?.print(type_)),
        Type::MACADDR => Value::Text(network::parse_card(text)?),
        Type::MACADDR8 => Value::Text(network::parse_long_card(text)?),
        Type::TIMETZ => Value::Text(timetz::parse(text)?),
        Type::SPARSEVEC => Value::Text(sparse::Sparse::parse(text)?.to_string()),
        Type::VECTOR | Type::HALFVEC => Value::Text(vector::print(&vector::parse(type_, text)?)),
        Type::GEOMETRY | Type::GEOGRAPHY => Value::Text(geometry::parse(type_, text)?),
        Type::BOX2D => Value::Text(geometry::parse_box(text).ok_or_else(|| invalid(type_, text))?),
        Type::CUBE => Value::Text(cube::parse(text)?.print()),
        Type::PG_SNAPSHOT | Type::TXID_SNAPSHOT => Value::Text(snapshot::Snapshot::parse(text)?.to_string()),
        Type::QUERY_INT => Value::Text(query_int::parse(text)?),
        Type::LTREE => Value::Text(ltree::parse(text)?),
        Type::LQUERY => ltree::parse_query(text).map(|_| Value::Text(text.to_owned()))?,
        Type::LTXTQUERY => ltree::parse_text_query(text, &|_| true).map(|_| Value::Text(text.to_owned()))?,
        Type::POINT => {
            Value::Text(cube::print_point(cube::parse_point(text).ok_or_else(|| invalid(type_, text))?))
        }
        _ if type_.is_figure() => {
            Value::Text(figure::parse(type_, text)?.ok_or_else(|| invalid(type_, text))?)
        }
        Type::HSTORE => Value::Text(hstore::print(&hstore::parse(text)?)),
        Type::MONEY => Value::Integer(money::parse(text)?),
        Type::TID => Value::Integer(parse_tid(text)?),
        Type::BIT | Type::VARBIT => Value::Text(bits::parse(text)?),
        Type::TSVECTOR => Value::Text(tsvector::Vector::parse(text)?.to_string()),
        Type::TSQUERY => {
            let query = tsquery::Query::parse(text)?;
            Value::Text(query.map_or_else(String::new, |query| query.to_string()))
        }
        #[cfg(feature = "decimal")]
        Type::JSONPATH => match Path::parse(text) {
            Err(error) if error.code != SqlState::FEATURE_NOT_SUPPORTED => return Err(error),
            _ => Value::Text(text.to_owned()),
        },
        Type::QCHAR => Value::Text(text.chars().take(1).collect()),
        Type::NAME => Value::Text(text.chars().take(63).collect()),
        Type::VOID => Value::Text(String::new()),
        _ if range::kind(type_).is_some() => Value::Text(range::parse(type_, text)?),
        _ if is_plain_text(type_) => Value::Text(text.to_owned()),
        _ if type_.element().is_some() => Value::Text(array::parse(type_, text)?),
        _ => return Err(SqlError::unsupported(format!("type {}", display_name(type_)))),
    })
}

/// Whether values of `type_` are stored as their texts.
pub fn is_plain_text(type_: Type) -> bool {
    type_.is_string()
        || matches!(type_, Type::UNKNOWN | Type::CSTRING | Type::JSONPATH | Type::NODE_TREE)
        || matches!(type_, Type::XML | Type::REFCURSOR)
        || (type_.is_user() && type_.element().is_none())
}

/// Writes a value of `type_` as PostgreSQL prints it. Null is the empty text.
pub fn print(type_: Type, value: ValueRef<'_>) -> String {
    match (type_, value) {
        (_, ValueRef::Null) => String::new(),
        (Type::BOOL, ValueRef::Integer(value)) => if value == 0 { "f" } else { "t" }.to_owned(),
        (Type::MONEY, ValueRef::Integer(value)) => money::print(value),
        (Type::TID, ValueRef::Integer(value)) => print_tid(value),
        (Type::DATE, ValueRef::Integer(value)) => datetime::print_date(value),
        (Type::TIME, ValueRef::Integer(value)) => datetime::print_time(value),
        (Type::TIMESTAMP, ValueRef::Integer(value)) => datetime::print_timestamp(value),
        (Type::TIMESTAMPTZ, ValueRef::Integer(value)) => datetime::print_timestamptz(value),
        (Type::FLOAT4, ValueRef::Real(value)) => print_float(f64::from(value as f32), true),
        (_, ValueRef::Real(value)) => print_float(value, false),
        (_, ValueRef::Integer(value)) => value.to_string(),
        (_, ValueRef::Blob(bytes)) => print_bytea(bytes),
        // What follows the name of a configuration says what it does.
        (Type::REGCONFIG, ValueRef::Text(text)) => {
            let text = String::from_utf8_lossy(text);
            text.split('=').next().unwrap_or_default().to_owned()
        }
        (_, ValueRef::Text(text)) => {
            let text = String::from_utf8_lossy(text);
            match type_.element() {
                Some(_) => array::print(type_, &text),
                None if type_ == Type::RECORD && text.starts_with('[') => {
                    array::print_row(&array::elements(&text))
                }
                None => text.into_owned(),
            }
        }
    }
}

/// The rows of a page, which the number of a row is shown with.
const ROWS: i64 = 100;

/// The place of the row with this number: page and place in it.
fn print_tid(number: i64) -> String {
    format!("({},{})", (number - 1).div_euclid(ROWS), (number - 1).rem_euclid(ROWS) + 1)
}

fn parse_tid(text: &str) -> Result<i64> {
    let inner = text.trim().strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let (page, row) =
        inner.and_then(|inner| inner.split_once(',')).ok_or_else(|| invalid(Type::TID, text))?;
    let number = |text: &str| text.trim().parse::<u32>().map(i64::from).map_err(|_| invalid(Type::TID, text));
    Ok(number(page)? * ROWS + number(row)?)
}

/// The error for a text that is not a value of `type_`.
pub fn invalid(type_: Type, text: &str) -> SqlError {
    let name = display_name(type_);
    SqlError::new(SqlState::INVALID_TEXT, format!("invalid input syntax for type {name}: \"{text}\""))
}

fn display_name(type_: Type) -> &'static str {
    type_.builtin().map_or("user-defined", |builtin| builtin.display)
}

fn parse_bool(text: &str) -> Option<bool> {
    let lower = text.to_ascii_lowercase();
    let starts = |word: &str, least: usize| lower.len() >= least && word.starts_with(&lower);
    if starts("true", 1) || starts("yes", 1) || lower == "on" || lower == "1" {
        return Some(true);
    }
    (starts("false", 1) || starts("no", 1) || starts("off", 2) || lower == "0").then_some(false)
}

fn parse_numeric(text: &str) -> Result<String> {
    let number = numeric::parse(text).ok_or_else(|| invalid(Type::NUMERIC, text))?;
    match numeric::fits(&number) {
        true => Ok(number),
        false => Err(SqlError::new(SqlState::OUT_OF_RANGE, "value overflows numeric format")),
    }
}

fn parse_integer(type_: Type, text: &str) -> Result<i64> {
    let trimmed = text.trim();
    let digits = trimmed.strip_prefix(['-', '+']).unwrap_or(trimmed);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(invalid(type_, text));
    }
    let value = trimmed.parse::<i64>().ok().filter(|value| match type_ {
        Type::INT2 => i16::try_from(*value).is_ok(),
        Type::INT4 => i32::try_from(*value).is_ok(),
        _ => true,
    });
    value.ok_or_else(|| {
        let name = display_name(type_);
        SqlError::new(SqlState::OUT_OF_RANGE, format!("value \"{trimmed}\" is out of range for type {name}"))
    })
}

fn parse_float(type_: Type, text: &str) -> Result<f64> {
    let trimmed = text.trim();
    let value = match trimmed.to_ascii_lowercase().as_str() {
        "infinity" | "inf" | "+infinity" | "+inf" => f64::INFINITY,
        "-infinity" | "-inf" => f64::NEG_INFINITY,
        "nan" => return Err(SqlError::unsupported("the floating-point value NaN")),
        lower if lower.bytes().all(|byte| byte.is_ascii_digit() || b"+-.e".contains(&byte)) => {
            let value: f64 = lower.parse().map_err(|_| invalid(type_, text))?;
            let single_overflow = type_ == Type::FLOAT4 && (value as f32).is_infinite();
            if value.is_infinite() || single_overflow {
                let name = display_name(type_);
                let message = format!("\"{trimmed}\" is out of range for type {name}");
                return Err(SqlError::new(SqlState::OUT_OF_RANGE, message));
            }
            value
        }
        _ => return Err(invalid(type_, text)),
    };
    Ok(if type_ == Type::FLOAT4 { f64::from(value as f32) } else { value })
}

/// A floating-point number in the fewest digits that read back as the same number.
pub fn print_float(value: f64, single: bool) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value == 0.0 {
        return if value.is_sign_negative() { "-0" } else { "0" }.to_owned();
    }
    let scientific = if single { format!("{:e}", value as f32) } else { format!("{value:e}") };
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..if single { 6 } else { 15 }).contains(&exponent) {
        return if single { format!("{}", value as f32) } else { format!("{value}") };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

fn parse_uuid(text: &str) -> Option<String> {
    let inner = text.strip_prefix('{').map_or(Some(text), |rest| rest.strip_suffix('}'))?;
    let digits: String = inner.chars().filter(|character| *character != '-').collect();
    if digits.len() != 32 || !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let digits = digits.to_ascii_lowercase();
    Some(format!(
        "{}-{}-{}-{}-{}",
        &digits[..8],
        &digits[8..12],
        &digits[12..16],
        &digits[16..20],
        &digits[20..]
    ))
}

fn parse_bytea(text: &str) -> Result<Vec<u8>> {
    if let Some(hex) = text.strip_prefix("\\x") {
        return parse_hex(hex);
    }
    let message = "invalid input syntax for type bytea";
    parse_escaped(text).ok_or_else(|| SqlError::new(SqlState::INVALID_TEXT, message))
}

/// Pairs of hexadecimal digits, between which may be spaces.
pub fn parse_hex(text: &str) -> Result<Vec<u8>> {
    let digit = |c: char| {
        let message = || format!("invalid hexadecimal digit: \"{c}\"");
        c.to_digit(16).ok_or_else(|| SqlError::new(SqlState::INVALID_PARAMETER, message()))
    };
    let mut bytes = Vec::new();
    let mut rest = text.chars();
    while let Some(first) = rest.find(|c| ![' ', '\n', '\t', '\r'].contains(c)) {
        let high = digit(first)?;
        let message = "invalid hexadecimal data: odd number of digits";
        let second = rest.next().ok_or_else(|| SqlError::new(SqlState::INVALID_PARAMETER, message))?;
        bytes.push((high * 16 + digit(second)?) as u8);
    }
    Ok(bytes)
}

fn parse_escaped(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        rest = tail;
        if first != b'\\' {
            bytes.push(first);
        } else if let Some(tail) = rest.strip_prefix(b"\\") {
            bytes.push(b'\\');
            rest = tail;
        } else {
            let octal = std::str::from_utf8(rest.get(..3)?).ok()?;
            bytes.push(u8::from_str_radix(octal, 8).ok()?);
            rest = &rest[3..];
        }
    }
    Some(bytes)
}

/// A `bytea` in hexadecimal.
pub fn print_bytea(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::from("\\x"), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// `value` as an integer of `type_`, rounded half to even as casts from floating point are.
pub fn float_to_integer(type_: Type, value: f64) -> Result<Value> {
    let rounded = value.round_ties_even();
    if !(-9.3e18..9.3e18).contains(&rounded) || (rounded as i128) != i128::from(rounded as i64) {
        return Err(out_of_range(type_));
    }
    fit(type_, Some(rounded as i64))
}

/// `value` if it is in the range of `type_`.
pub fn fit(type_: Type, value: Option<i64>) -> Result<Value> {
    let fits = |value: &i64| match type_ {
        Type::INT2 => i16::try_from(*value).is_ok(),
        Type::INT4 => i32::try_from(*value).is_ok(),
        _ => true,
    };
    value.filter(fits).map(Value::Integer).ok_or_else(|| out_of_range(type_))
}

/// The error for a number out of its type's range.
pub fn out_of_range(type_: Type) -> SqlError {
    let name = type_.builtin().map_or("value", |builtin| builtin.display);
    SqlError::new(SqlState::OUT_OF_RANGE, format!("{name} out of range"))
}
