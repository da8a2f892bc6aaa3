//! Casts: which casts exist, in which contexts they are applied, and their implementation.

use std::cmp::Ordering;

use rusqlite::types::{Value, ValueRef};

use super::error::{Result, SqlError, SqlState};
use super::functions::{fit, out_of_range};
use super::types::Type;
use super::value::datetime::{self, DAY, INFINITE_DATE, INFINITE_INSTANT};
use super::value::interval::Interval;
use super::value::json::Json;
use super::value::sparse::Sparse;
use super::value::{self, array, bits, geometry, numeric, range, timetz, vector};

/// The context of a cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Context {
    /// In any expression.
    Implicit,
    /// When a value is stored in a column.
    Assignment,
    /// Only where the cast is written.
    Explicit,
}

impl Context {
    /// Its letter in `pg_cast`.
    pub(crate) fn letter(self) -> &'static str {
        match self {
            Context::Implicit => "i",
            Context::Assignment => "a",
            Context::Explicit => "e",
        }
    }

    pub(crate) fn of_letter(letter: &str) -> Context {
        match letter {
            "i" => Context::Implicit,
            "a" => Context::Assignment,
            _ => Context::Explicit,
        }
    }
}

/// The least context in which a cast between two built-in types is allowed; `None` if there is no such cast.
pub(crate) fn context(from: Type, to: Type) -> Option<Context> {
    use Context::{Assignment, Explicit, Implicit};
    if from == to {
        return Some(Implicit);
    }
    if let (Some(from), Some(to)) = (from.element(), to.element()) {
        return context(from, to);
    }
    if let (Some(from), Some(to)) = (number_rank(from), number_rank(to)) {
        return Some(if from < to { Implicit } else { Assignment });
    }
    let to_text = matches!(to, Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::CITEXT);
    let from_text = matches!(from, Type::TEXT | Type::VARCHAR | Type::BPCHAR | Type::NAME | Type::CITEXT);
    let castable = match (from, to) {
        (Type::BPCHAR | Type::NAME | Type::VARCHAR, Type::TEXT) => Implicit,
        (Type::TEXT | Type::VARCHAR | Type::BPCHAR, Type::VARCHAR | Type::BPCHAR) => Implicit,
        (Type::NAME, Type::VARCHAR | Type::BPCHAR) => Assignment,
        (Type::TEXT | Type::VARCHAR, Type::NAME) => Implicit,
        (Type::CITEXT, Type::TEXT | Type::VARCHAR) => Implicit,
        (Type::TEXT | Type::VARCHAR | Type::BPCHAR, Type::CITEXT) => Assignment,
        (Type::QCHAR, Type::TEXT) => Implicit,
        (Type::QCHAR, Type::INT4) | (Type::INT4, Type::QCHAR) => Explicit,
        (Type::TEXT | Type::VARCHAR, Type::REGCLASS) => Implicit,
        (Type::DATE, Type::TIMESTAMP | Type::TIMESTAMPTZ) | (Type::TIMESTAMP, Type::TIMESTAMPTZ) => Implicit,
        (from, to) if range::kind(from).is_some_and(|kind| kind.range == from && kind.multirange == to) => {
            Explicit
        }
        (Type::VECTOR | Type::HALFVEC, Type::SPARSEVEC) => Implicit,
        (Type::VECTOR, Type::HALFVEC) | (Type::HALFVEC | Type::SPARSEVEC, Type::VECTOR) => Assignment,
        (Type::SPARSEVEC, Type::HALFVEC) => Assignment,
        (Type::VECTOR, to) if to.element() == Some(Type::FLOAT4) => Implicit,
        (Type::HALFVEC, to) if to.element() == Some(Type::FLOAT4) => Assignment,
        (from, Type::VECTOR | Type::HALFVEC | Type::SPARSEVEC)
            if from.element().is_some_and(|element| {
                matches!(element, Type::INT4 | Type::FLOAT4 | Type::FLOAT8 | Type::NUMERIC)
            }) =>
        {
            Assignment
        }
        (Type::GEOMETRY, Type::GEOGRAPHY | Type::BYTEA | Type::TEXT | Type::BOX2D)
        | (Type::GEOGRAPHY, Type::BYTEA)
        | (Type::TEXT | Type::BYTEA | Type::BOX2D, Type::GEOMETRY)
        | (Type::BYTEA, Type::GEOGRAPHY) => Implicit,
        (Type::GEOGRAPHY | Type::POINT, Type::GEOMETRY)
        | (Type::GEOMETRY, Type::JSON | Type::JSONB | Type::POINT) => Explicit,
        (Type::BOX, Type::CIRCLE | Type::LSEG | Type::POINT)
        | (Type::CIRCLE, Type::BOX | Type::POINT | Type::POLYGON)
        | (Type::LSEG, Type::POINT)
        | (Type::POLYGON, Type::BOX | Type::CIRCLE | Type::POINT) => Explicit,
        (Type::BOX, Type::POLYGON)
        | (Type::PATH, Type::POLYGON)
        | (Type::POINT, Type::BOX)
        | (Type::POLYGON, Type::PATH) => Assignment,
        (Type::HSTORE, Type::JSON | Type::JSONB) => Explicit,
        (from, Type::HSTORE) if from.element() == Some(Type::TEXT) => Explicit,
        (Type::TIME, Type::INTERVAL | Type::TIMETZ) => Implicit,
        (Type::TIMETZ, Type::TIME) | (Type::TIMESTAMPTZ, Type::TIMETZ) => Assignment,
        (Type::MONEY, Type::NUMERIC) | (Type::NUMERIC | Type::INT4 | Type::INT8, Type::MONEY) => Assignment,
        (Type::TIMESTAMP | Type::TIMESTAMPTZ, Type::DATE | Type::TIME)
        | (Type::TIMESTAMPTZ, Type::TIMESTAMP)
        | (Type::INTERVAL, Type::TIME) => Assignment,
        (Type::JSON, Type::JSONB) | (Type::JSONB, Type::JSON) => Assignment,
        (Type::JSONB, to) if number_rank(to).is_some() || to == Type::BOOL => Explicit,
        (Type::INT4, Type::BOOL) | (Type::BOOL, Type::INT4) => Explicit,
        (Type::BIT, Type::VARBIT) | (Type::VARBIT, Type::BIT) => Implicit,
        (Type::INT4 | Type::INT8, Type::BIT) | (Type::BIT, Type::INT4 | Type::INT8) => Explicit,
        (Type::CIDR, Type::INET) => Implicit,
        (Type::INET, Type::CIDR) => Assignment,
        (Type::MACADDR, Type::MACADDR8) | (Type::MACADDR8, Type::MACADDR) => Implicit,
        (from, Type::OID) if from.is_integer() || from.is_reg() => Implicit,
        (from, to) if to.is_reg() && (from.is_integer() || from == Type::OID) => Implicit,
        (Type::REGPROC, Type::REGPROCEDURE) | (Type::REGPROCEDURE, Type::REGPROC) => Implicit,
        (from, Type::INT4 | Type::INT8) if from == Type::OID || from.is_reg() => Assignment,
        (from, _) if to_text && from != Type::RECORD && !from_text => Assignment,
        (Type::RECORD, _) if to_text => Assignment,
        (_, _) if from_text || to_text => Explicit,
        _ => return None,
    };
    Some(castable)
}

/// Whether a value of one type is one of another as it is.
pub(crate) fn is_coercible(from: Type, to: Type) -> bool {
    from == to
        || matches!(
            (from, to),
            (Type::VARCHAR, Type::TEXT) | (Type::TEXT, Type::VARCHAR) | (Type::CIDR, Type::INET)
        )
}

/// The rank of a numeric type in the order of implicit casts.
pub(crate) fn number_rank(type_: Type) -> Option<u8> {
    match type_ {
        Type::INT2 => Some(1),
        Type::INT4 => Some(2),
        Type::INT8 => Some(3),
        Type::NUMERIC => Some(4),
        Type::FLOAT4 => Some(5),
        Type::FLOAT8 => Some(6),
        _ => None,
    }
}

/// Whether a cast does not change the representation.
pub(crate) fn is_free(from: Type, to: Type) -> bool {
    let oid = |type_: Type| type_ == Type::OID || type_.is_reg();
    let text = |type_: Type| {
        matches!(type_, Type::TEXT | Type::VARCHAR | Type::NAME | Type::CITEXT | Type::XML | Type::REFCURSOR)
    };
    from == to
        || (text(from) && text(to) && to != Type::NAME && to != Type::XML)
        || (from.is_integer() && to.is_integer() && from.0 != to.0 && number_rank(from) < number_rank(to))
        || (oid(from) && oid(to))
        || (from.is_integer() && oid(to))
        || (oid(from) && to == Type::INT8)
        || (from == Type::TIMESTAMP && to == Type::TIMESTAMPTZ)
        || (from == Type::TIMESTAMPTZ && to == Type::TIMESTAMP)
        || (from == Type::FLOAT4 && to == Type::FLOAT8)
        || (from == Type::CIDR && to == Type::INET)
        || (from == Type::JSONB && to == Type::JSON)
        || (from == Type::BOOL && to == Type::INT4)
        || (matches!(from, Type::JSON | Type::JSONB | Type::UUID | Type::INET | Type::INTERVAL | Type::QCHAR)
            && to == Type::TEXT)
        || (from == Type::NUMERIC && to == Type::TEXT)
        || (from.element().zip(to.element()).is_some_and(|(from, to)| is_free(from, to)))
        || (from.is_user() && from.element().is_none() && text(to))
}

/// Converts a value of type `from` to type `to`.
pub(crate) fn convert(
    value: ValueRef<'_>,
    from: Type,
    to: Type,
    modifier: i32,
    explicit: bool,
) -> Result<Value> {
    if value == ValueRef::Null {
        return Ok(Value::Null);
    }
    if let (Type::INT4 | Type::INT8, Type::BIT, ValueRef::Integer(number)) = (from, to, value) {
        return Ok(Value::Text(bits::of_number(number, modifier)));
    }
    let value = if is_free(from, to) { owned(value) } else { change(value, from, to)? };
    let value = match (to, value) {
        // `"char"` is one byte.
        (Type::QCHAR, Value::Text(text)) => Value::Text(text.chars().take(1).collect()),
        (_, value) => value,
    };
    if modifier < 0 { Ok(value) } else { fit_modifier(value, to, modifier, explicit) }
}

fn owned(value: ValueRef<'_>) -> Value {
    value.try_into().unwrap_or(Value::Null)
}

fn change(value: ValueRef<'_>, from: Type, to: Type) -> Result<Value> {
    if let (Some(from), Some(to)) = (from.element(), to.element()) {
        return change_elements(value, from, to);
    }
    match (from, to, value) {
        (_, Type::BOOL, ValueRef::Integer(value)) => Ok(Value::Integer((value != 0).into())),
        (_, to, ValueRef::Integer(value)) if from.is_integer() && to.is_integer() => fit(to, Some(value)),
        (Type::OID | Type::REGCLASS, Type::INT4, ValueRef::Integer(value)) => Ok(Value::Integer(value)),
        (_, to, ValueRef::Integer(value)) if from.is_integer() && to.is_float() => {
            Ok(Value::Real(value as f64))
        }
        (_, Type::NUMERIC, ValueRef::Integer(value)) if from != Type::MONEY => {
            Ok(Value::Text(value.to_string()))
        }
        (_, to, ValueRef::Real(real)) if to.is_integer() => value::float_to_integer(to, real),
        (_, Type::FLOAT4, ValueRef::Real(value)) => Ok(Value::Real(f64::from(value as f32))),
        (_, Type::NUMERIC, ValueRef::Real(real)) => {
            if real.is_infinite() {
                return Ok(Value::Text(if real > 0.0 { "Infinity" } else { "-Infinity" }.to_owned()));
            }
            // PostgreSQL keeps 15 digits of a double and 6 of a single.
            let text = if from == Type::FLOAT4 { format!("{real:.5e}") } else { format!("{real:.14e}") };
            let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            let mantissa = if mantissa.contains('.') {
                mantissa.trim_end_matches('0').trim_end_matches('.')
            } else {
                mantissa
            };
            value::parse(Type::NUMERIC, &format!("{mantissa}e{exponent}"))
        }
        (Type::NUMERIC, to, ValueRef::Text(_)) if to.is_integer() => {
            let rounded = numeric::round(text_of(value), 0);
            rounded.parse().ok().map_or_else(|| Err(out_of_range(to)), |value| fit(to, Some(value)))
        }
        (Type::NUMERIC, to, ValueRef::Text(_)) if to.is_float() => value::parse(to, text_of(value)),
        (Type::JSONB, to, ValueRef::Text(_)) if number_rank(to).is_some() || to == Type::BOOL => {
            from_json(text_of(value), to)
        }
        (Type::DATE, Type::TIMESTAMP | Type::TIMESTAMPTZ, ValueRef::Integer(days)) => {
            Ok(Value::Integer(match days {
                INFINITE_DATE => INFINITE_INSTANT,
                days if days == -INFINITE_DATE => i64::MIN,
                days => days * DAY,
            }))
        }
        (Type::TIMESTAMP | Type::TIMESTAMPTZ, Type::DATE, ValueRef::Integer(micros)) => {
            Ok(Value::Integer(match micros {
                INFINITE_INSTANT => INFINITE_DATE,
                i64::MIN => -INFINITE_DATE,
                micros => micros.div_euclid(DAY),
            }))
        }
        (Type::TIMESTAMP | Type::TIMESTAMPTZ, Type::TIME, ValueRef::Integer(micros)) => {
            Ok(Value::Integer(micros.rem_euclid(DAY)))
        }
        (from, to, ValueRef::Text(_))
            if range::kind(from).is_some_and(|kind| kind.multirange == to && from != to) =>
        {
            let text = text_of(value);
            Ok(Value::Text(if text == "empty" { "{}".to_owned() } else { format!("{{{text}}}") }))
        }
        (from, Type::VECTOR | Type::HALFVEC | Type::SPARSEVEC, ValueRef::Text(_))
            if from.element().is_some() =>
        {
            vector_of(to, &array::elements(text_of(value)))
        }
        (Type::VECTOR | Type::HALFVEC, Type::SPARSEVEC, ValueRef::Text(_)) => {
            Ok(Value::Text(Sparse::of(&vector::read(text_of(value)))?.to_string()))
        }
        (Type::SPARSEVEC, Type::VECTOR | Type::HALFVEC, ValueRef::Text(_)) => {
            let items = Sparse::read(text_of(value)).all(vector::DIMENSIONS_MAX);
            let items =
                items.map_or_else(|| Err(vector::too_long(to)), |items| vector::checked(to, items))?;
            Ok(Value::Text(vector::print(&items)))
        }
        (Type::VECTOR | Type::HALFVEC, to, ValueRef::Text(_)) if to.element().is_some() => {
            // A vector is stored as the array of its numbers.
            Ok(owned(value))
        }
        (Type::GEOMETRY | Type::GEOGRAPHY | Type::BOX2D, _, ValueRef::Text(_))
        | (Type::POINT, Type::GEOMETRY, ValueRef::Text(_))
        | (_, Type::GEOMETRY | Type::GEOGRAPHY, ValueRef::Blob(_)) => {
            super::functions::geometry::convert(from, to, value)
        }
        (from, to, ValueRef::Text(_)) if from != to && from.is_figure() && to.is_figure() => {
            super::functions::figures::convert(text_of(value), from, to).map(Value::Text)
        }
        (Type::HSTORE, Type::JSON | Type::JSONB, ValueRef::Text(_)) => {
            let document = super::functions::hstore::json_text(text_of(value), false);
            if to == Type::JSONB { value::parse(to, &document) } else { Ok(Value::Text(document)) }
        }
        (from, Type::HSTORE, ValueRef::Text(_)) if from.element().is_some() => {
            super::functions::hstore::of_array(text_of(value))
        }
        (Type::MACADDR8, Type::MACADDR, ValueRef::Text(_)) => {
            super::functions::network::short_card(text_of(value))
        }
        (Type::TIME, Type::TIMETZ, ValueRef::Integer(micros)) => Ok(Value::Text(timetz::of(micros, 0))),
        (Type::TIMESTAMPTZ, Type::TIMETZ, ValueRef::Integer(micros)) => {
            Ok(Value::Text(timetz::of(micros.rem_euclid(DAY), 0)))
        }
        (Type::TIMETZ, Type::TIME, ValueRef::Text(_)) => Ok(Value::Integer(timetz::read(text_of(value)).0)),
        (Type::INT2 | Type::INT4 | Type::INT8, Type::MONEY, ValueRef::Integer(amount)) => {
            amount.checked_mul(100).map(Value::Integer).ok_or_else(|| out_of_range(Type::MONEY))
        }
        (Type::MONEY, Type::NUMERIC, ValueRef::Integer(amount)) => {
            let sign = if amount < 0 { "-" } else { "" };
            let text = format!("{sign}{}.{:02}", amount.unsigned_abs() / 100, amount.unsigned_abs() % 100);
            value::parse(Type::NUMERIC, &text)
        }
        (Type::TIME, Type::INTERVAL, ValueRef::Integer(micros)) => {
            Ok(Value::Text(Interval { micros, ..Interval::default() }.to_string()))
        }
        (Type::INTERVAL, Type::TIME, ValueRef::Text(_)) => {
            Ok(Value::Integer(Interval::parse(text_of(value))?.micros.rem_euclid(DAY)))
        }
        (Type::BOOL, to, ValueRef::Integer(value)) if to.is_string() => {
            Ok(Value::Text(if value == 0 { "false" } else { "true" }.to_owned()))
        }
        (Type::BPCHAR, to, ValueRef::Text(_)) if to.is_string() => {
            Ok(Value::Text(text_of(value).trim_end_matches(' ').to_owned()))
        }
        (_, Type::XML, ValueRef::Text(_)) => {
            super::functions::xml::check(text_of(value))?;
            Ok(owned(value))
        }
        (from, to, ValueRef::Text(_)) if from.is_string() || from == Type::UNKNOWN => {
            value::parse(to, text_of(value))
        }
        (Type::BIT, Type::INT4, ValueRef::Text(_)) => Ok(Value::Integer(bits::number(text_of(value), 32)?)),
        (Type::BIT, Type::INT8, ValueRef::Text(_)) => Ok(Value::Integer(bits::number(text_of(value), 64)?)),
        (Type::JSON, Type::JSONB, _) => value::parse(to, text_of(value)),
        (from, to, value) if to.is_string() => {
            let text = value::print(from, value);
            Ok(Value::Text(if to == Type::NAME { text.chars().take(63).collect() } else { text }))
        }
        (from, to, value) => value::parse(to, &value::print(from, value)),
    }
}

/// The vector of an array's numbers.
fn vector_of(to: Type, elements: &[serde_json::Value]) -> Result<Value> {
    let numbers = elements.iter().map(|element| match element {
        serde_json::Value::Null => Err(SqlError::new(SqlState::new("22004"), "array must not contain nulls")),
        serde_json::Value::Array(_) => Err(vector::data_error("array must be 1-D")),
        serde_json::Value::String(text) => Ok(text.parse::<f32>().unwrap_or(f32::NAN)),
        number => Ok(number.as_f64().unwrap_or(0.0) as f32),
    });
    let numbers = numbers.collect::<Result<Vec<_>>>()?;
    Ok(Value::Text(match to {
        Type::SPARSEVEC => Sparse::of(&numbers)?.to_string(),
        _ => vector::print(&vector::checked(to, numbers)?),
    }))
}

fn change_elements(value: ValueRef<'_>, from: Type, to: Type) -> Result<Value> {
    let elements = array::elements(text_of(value));
    let changed = elements.iter().map(|element| match element {
        serde_json::Value::Array(_) => {
            let nested = change_elements(ValueRef::Text(element.to_string().as_bytes()), from, to)?;
            Ok(array::elements(text_of(ValueRef::from(&nested))).into())
        }
        element => {
            let value = array::value(from, element);
            let changed = convert(ValueRef::from(&value), from, to, -1, true)?;
            Ok(array::element(ValueRef::from(&changed)))
        }
    });
    Ok(array::like(text_of(value), changed.collect::<Result<Vec<_>>>()?))
}

fn from_json(text: &str, to: Type) -> Result<Value> {
    let json = Json::parse(text)?;
    let name = to.builtin().map_or("", |builtin| builtin.display);
    let kind = match &json {
        Json::Number(number) if to != Type::BOOL => {
            return change(ValueRef::Text(number.as_bytes()), Type::NUMERIC, to).map(|value| match value {
                Value::Text(text) => Value::Text(numeric::parse(&text).unwrap_or(text)),
                other => other,
            });
        }
        Json::Bool(value) if to == Type::BOOL => return Ok(Value::Integer((*value).into())),
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(_) => "numeric",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    Err(SqlError::new(SqlState::INVALID_PARAMETER, format!("cannot cast jsonb {kind} to type {name}")))
}

fn text_of(value: ValueRef<'_>) -> &str {
    value.as_str().unwrap_or("")
}

/// Fits a value to the length or precision of its column.
fn fit_modifier(value: Value, type_: Type, modifier: i32, explicit: bool) -> Result<Value> {
    match (type_, value) {
        (Type::VARCHAR | Type::BPCHAR, Value::Text(text)) => {
            fit_length(text, type_, modifier - 4, explicit).map(Value::Text)
        }
        (Type::INTERVAL, Value::Text(text)) => {
            Ok(Value::Text(Interval::parse(&text)?.limited(modifier).to_string()))
        }
        (Type::NUMERIC, Value::Text(text)) => fit_numeric(&text, modifier).map(Value::Text),
        (Type::BIT | Type::VARBIT, Value::Text(text)) => {
            bits::fit(type_, &text, modifier, explicit).map(Value::Text)
        }
        (Type::VECTOR | Type::HALFVEC, Value::Text(text)) => {
            vector::fit(&text, modifier)?;
            Ok(Value::Text(text))
        }
        (Type::SPARSEVEC, Value::Text(text)) => {
            Sparse::read(&text).fit(modifier)?;
            Ok(Value::Text(text))
        }
        (Type::GEOMETRY | Type::GEOGRAPHY, Value::Text(text)) => {
            geometry::fit(&text, modifier).map(Value::Text)
        }
        (Type::TIMESTAMP | Type::TIMESTAMPTZ | Type::TIME, Value::Integer(micros)) => {
            let unit = 10_i64.pow(6_u32.saturating_sub(modifier.unsigned_abs()));
            let infinite = micros == INFINITE_INSTANT || micros == i64::MIN;
            let rounded = (micros.saturating_add(unit / 2)).div_euclid(unit) * unit;
            Ok(Value::Integer(if infinite { micros } else { rounded }))
        }
        (type_, Value::Text(text)) if type_.element().is_some() => {
            let element = type_.element().unwrap_or(Type::TEXT);
            let fitted = array::elements(&text).into_iter().map(|item| {
                let value = fit_modifier(array::value(element, &item), element, modifier, explicit)?;
                Ok(array::element(ValueRef::from(&value)))
            });
            Ok(array::like(&text, fitted.collect::<Result<Vec<_>>>()?))
        }
        (_, value) => Ok(value),
    }
}

fn fit_length(text: String, type_: Type, length: i32, explicit: bool) -> Result<String> {
    let length = usize::try_from(length).unwrap_or(0);
    let count = text.chars().count();
    match count.cmp(&length) {
        Ordering::Less if type_ == Type::BPCHAR => Ok(text + &" ".repeat(length - count)),
        Ordering::Less | Ordering::Equal => Ok(text),
        Ordering::Greater => {
            let kept: String = text.chars().take(length).collect();
            if explicit || text.chars().skip(length).all(|character| character == ' ') {
                return Ok(kept);
            }
            let name = type_.builtin().map_or("", |builtin| builtin.display);
            Err(SqlError::new(SqlState::STRING_TOO_LONG, format!("value too long for type {name}({length})")))
        }
    }
}

fn fit_numeric(text: &str, modifier: i32) -> Result<String> {
    let (precision, scale) = ((modifier - 4) >> 16, (modifier - 4) & 0xffff);
    if text == "NaN" {
        return Ok(text.to_owned());
    }
    let overflow =
        |detail: String| Err(SqlError::new(SqlState::OUT_OF_RANGE, "numeric field overflow").detail(detail));
    if !numeric::is_finite(text) {
        return overflow(format!(
            "A field with precision {precision}, scale {scale} cannot hold an infinite value."
        ));
    }
    let rounded = numeric::round(text, scale as usize);
    if numeric::whole_digits(&rounded) as i32 > precision - scale {
        let detail = match precision - scale {
            0 => format!(
                "A field with precision {precision}, scale {scale} must round to an absolute value less than 1."
            ),
            digits => format!(
                "A field with precision {precision}, scale {scale} must round to an absolute value less than 10^{digits}."
            ),
        };
        return overflow(detail);
    }
    Ok(rounded)
}

/// The error for a cast that does not exist.
pub(crate) fn no_cast(from: &str, to: &str) -> SqlError {
    let _ = datetime::DAY;
    SqlError::new(SqlState::CANNOT_COERCE, format!("cannot cast type {from} to {to}"))
}
