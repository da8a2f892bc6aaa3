//! Writes results in the form of the service's SQL endpoint.

use rusqlite::types::{Value, ValueRef};
use serde_json::{Value as Json, json};

use super::types::Type;
use super::value::{self, array};

/// The greatest integer that readers of JSON represent exactly.
const SAFE_MAX: i64 = (1 << 53) - 1;

/// The approximate size of a value in bytes.
pub(super) fn size(value: &Value) -> usize {
    size_of(value.into())
}

/// The same for a value that SQLite has.
pub(super) fn size_of(value: ValueRef<'_>) -> usize {
    match value {
        ValueRef::Null | ValueRef::Integer(_) | ValueRef::Real(_) => 8,
        ValueRef::Text(text) => text.len(),
        ValueRef::Blob(bytes) => bytes.len() * 4,
    }
}

/// A value of `type_` as JSON.
pub(super) fn json(type_: Type, value: &Value) -> Json {
    if let (Some(element), Value::Text(text)) = (type_.element(), value) {
        return items(type_, element, text);
    }
    match (type_, value) {
        (_, Value::Null) => Json::Null,
        (Type::BOOL, Value::Integer(value)) => Json::Bool(*value != 0),
        (Type::INT8, Value::Integer(value)) if !(-SAFE_MAX..=SAFE_MAX).contains(value) => {
            value.to_string().into()
        }
        (Type::INT2 | Type::INT4 | Type::INT8 | Type::OID, Value::Integer(value)) => (*value).into(),
        (Type::FLOAT4 | Type::FLOAT8, Value::Real(value)) => number(*value, type_ == Type::FLOAT4),
        (Type::JSON | Type::JSONB, Value::Text(text)) => {
            serde_json::from_str(text).unwrap_or_else(|_| Json::String(text.clone()))
        }
        (Type::BYTEA, Value::Blob(bytes)) => json!({ "type": "Buffer", "data": bytes }),
        (type_, value) => value::print(type_, ValueRef::from(value)).into(),
    }
}

/// A number in JavaScript's notation: integers without a fraction.
fn number(value: f64, single: bool) -> Json {
    let value = if single { value::print_float(value, true).parse().unwrap_or(value) } else { value };
    if value.fract() == 0.0 && value.abs() <= SAFE_MAX as f64 {
        return (value as i64).into();
    }
    serde_json::Number::from_f64(value).map_or(Json::Null, Json::Number)
}

/// An array with items of the types that the service's driver reads. Arrays of other types stay texts.
fn items(type_: Type, element: Type, text: &str) -> Json {
    let unread = element.is_user()
        || element.is_reg()
        || element.is_figure()
        || array::is_vector(type_)
        || matches!(
            element,
            Type::NAME
                | Type::RECORD
                | Type::XML
                | Type::MACADDR8
                | Type::QCHAR
                | Type::TSVECTOR
                | Type::TSQUERY
                | Type::REGCONFIG
        )
        || matches!(element, Type::VECTOR | Type::HALFVEC | Type::SPARSEVEC | Type::HSTORE | Type::CITEXT)
        || element != Type::NUMRANGE && value::range::kind(element).is_some();
    if unread {
        return array::print(type_, text).into();
    }
    Json::Array(array::elements(text).iter().map(|item| self::item(element, item)).collect())
}

fn item(element: Type, item: &Json) -> Json {
    match item {
        Json::Null => Json::Null,
        Json::Array(nested) => nested.iter().map(|nested| self::item(element, nested)).collect(),
        item => {
            let value = array::value(element, item);
            match element {
                Type::INT8 => value::print(element, ValueRef::from(&value)).into(),
                Type::NUMERIC => match &value {
                    Value::Text(text) => text.parse().map_or(Json::Null, |real| number(real, false)),
                    _ => Json::Null,
                },
                _ => json(element, &value),
            }
        }
    }
}
