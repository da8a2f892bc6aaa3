//! Converts the text that the server sends into the values of the service's SQL endpoint.

use std::iter::Peekable;
use std::str::Chars;

use serde_json::{Number, Value, json};
use sim_core::sql::types::{BUILTINS, Type};

/// The greatest integer that JSON readers represent exactly.
const SAFE_MAX: i64 = (1 << 53) - 1;

/// Element types whose arrays the service's driver parses; other arrays stay text.
const ELEMENTS: [Type; 23] = [
    Type::BOOL,
    Type::BYTEA,
    Type::INT2,
    Type::INT4,
    Type::INT8,
    Type::OID,
    Type::FLOAT4,
    Type::FLOAT8,
    Type::NUMERIC,
    Type::TEXT,
    Type::VARCHAR,
    Type::BPCHAR,
    Type::JSON,
    Type::JSONB,
    Type::UUID,
    Type::DATE,
    Type::TIME,
    Type::TIMETZ,
    Type::TIMESTAMP,
    Type::TIMESTAMPTZ,
    Type::INTERVAL,
    Type::INET,
    Type::CIDR,
];

/// A type's name in messages; empty for user-defined types.
pub(super) fn type_name(oid: u32) -> &'static str {
    BUILTINS.iter().find(|builtin| builtin.id.0 == oid).map_or("", |builtin| builtin.display)
}

/// A value of type `oid` as JSON.
pub(super) fn json(oid: u32, text: &str) -> Value {
    let type_ = Type(oid);
    if !type_.is_user()
        && type_ != Type::INT2VECTOR
        && let Some(element) = type_.element().filter(|element| ELEMENTS.contains(element))
    {
        return array(text, &|item| self::item(element, item));
    }
    scalar(type_, text)
}

fn scalar(type_: Type, text: &str) -> Value {
    match type_ {
        Type::BOOL => json!(text == "t"),
        Type::INT2 | Type::INT4 | Type::INT8 | Type::OID => integer(text),
        Type::FLOAT4 | Type::FLOAT8 => number(text),
        Type::JSON | Type::JSONB => serde_json::from_str(text).unwrap_or_else(|_| json!(text)),
        Type::BYTEA => json!({ "type": "Buffer", "data": bytes(text) }),
        _ => json!(text),
    }
}

/// In arrays, large integers are texts and decimals are numbers.
fn item(element: Type, text: &str) -> Value {
    match element {
        Type::INT8 => json!(text),
        Type::NUMERIC => number(text),
        element => scalar(element, text),
    }
}

fn integer(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(value) if (-SAFE_MAX..=SAFE_MAX).contains(&value) => json!(value),
        _ => json!(text),
    }
}

/// A number as JavaScript writes it: whole numbers without a fraction, and null for values that JSON lacks.
fn number(text: &str) -> Value {
    let Ok(value) = text.parse::<f64>() else { return Value::Null };
    if value.fract() == 0.0 && value.abs() <= SAFE_MAX as f64 {
        return json!(value as i64);
    }
    Number::from_f64(value).map_or(Value::Null, Value::Number)
}

fn bytes(text: &str) -> Vec<u8> {
    let digits = text.trim_start_matches("\\x").as_bytes();
    let byte =
        |pair: &[u8]| std::str::from_utf8(pair).ok().and_then(|pair| u8::from_str_radix(pair, 16).ok());
    digits.chunks(2).filter_map(byte).collect()
}

/// Reads `{a,"b c",NULL,{…}}`. Bounds that do not start at one come before the elements: `[0:1]={…}`.
fn array(text: &str, item: &dyn Fn(&str) -> Value) -> Value {
    let start = text.find('{').map_or(text.len(), |brace| brace + 1);
    items(&mut text[start..].chars().peekable(), item)
}

fn items(chars: &mut Peekable<Chars<'_>>, item: &dyn Fn(&str) -> Value) -> Value {
    let mut found = Vec::new();
    loop {
        match chars.peek() {
            None => break,
            Some('}') => {
                chars.next();
                break;
            }
            Some(',') => {
                chars.next();
            }
            Some('{') => {
                chars.next();
                found.push(items(chars, item));
            }
            Some('"') => {
                chars.next();
                found.push(item(&quoted(chars)));
            }
            Some(_) => {
                let text = bare(chars);
                found.push(if text == "NULL" { Value::Null } else { item(&text) });
            }
        }
    }
    Value::Array(found)
}

fn quoted(chars: &mut Peekable<Chars<'_>>) -> String {
    let mut text = String::new();
    while let Some(char) = chars.next().filter(|char| *char != '"') {
        text.push(if char == '\\' { chars.next().unwrap_or('\\') } else { char });
    }
    text
}

fn bare(chars: &mut Peekable<Chars<'_>>) -> String {
    let mut text = String::new();
    while let Some(char) = chars.next_if(|char| !matches!(char, ',' | '}')) {
        text.push(char);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_typed_as_the_service_types_them() {
        for (type_, text, expected) in [
            (Type::BOOL, "t", json!(true)),
            (Type::INT8, "9007199254740991", json!(9_007_199_254_740_991_i64)),
            (Type::INT8, "9007199254740993", json!("9007199254740993")),
            (Type::NUMERIC, "1.50", json!("1.50")),
            (Type::FLOAT8, "3", json!(3)),
            (Type::FLOAT8, "0.1", json!(0.1)),
            (Type::FLOAT8, "Infinity", Value::Null),
            (Type::JSONB, r#"{"a": 1}"#, json!({ "a": 1 })),
            (Type::BYTEA, "\\x0aff", json!({ "type": "Buffer", "data": [10, 255] })),
            (Type::TIMESTAMPTZ, "2026-01-01 00:00:00+00", json!("2026-01-01 00:00:00+00")),
        ] {
            assert_eq!(json(type_.0, text), expected, "{type_:?} {text}");
        }
    }

    #[test]
    fn arrays_are_read_unless_the_driver_has_no_reader() {
        let of = |element: Type| element.array().expect("it has an array type").0;
        for (oid, text, expected) in [
            (of(Type::INT4), "{1,NULL,3}", json!([1, null, 3])),
            (of(Type::INT8), "{1,2}", json!(["1", "2"])),
            (of(Type::NUMERIC), "{1.50}", json!([1.5])),
            (
                of(Type::TEXT),
                r#"{a,"b, c","q\"\\",NULL,"NULL",""}"#,
                json!(["a", "b, c", "q\"\\", null, "NULL", ""]),
            ),
            (of(Type::TEXT), "{}", json!([])),
            (of(Type::TEXT), "{{a,b},{c,d}}", json!([["a", "b"], ["c", "d"]])),
            (of(Type::INT4), "[0:1]={7,8}", json!([7, 8])),
            (of(Type::NAME), "{a,b}", json!("{a,b}")),
            (16385, "{sad,happy}", json!("{sad,happy}")),
        ] {
            assert_eq!(json(oid, text), expected, "{oid} {text}");
        }
    }
}
