//! Vectors of single-precision numbers, as the extension `vector` has them. They are stored as printed: `[1,2.5,3]`.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::print_float;
use super::sparse::Sparse;
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;

/// The most dimensions of a vector.
pub const DIMENSIONS_MAX: usize = 16_000;

/// The error for a vector with wrong contents.
pub fn data_error(message: impl Into<String>) -> SqlError {
    SqlError::new(SqlState::new("22000"), message.into())
}

/// Reads a vector.
///
/// # Errors
///
/// 22P02 for another text; 22000 and 54000 for one that no vector can have.
pub fn parse(type_: Type, text: &str) -> Result<Vec<f32>> {
    let name = type_.builtin().map_or("vector", |builtin| builtin.name);
    let malformed = |detail: &str| {
        let error = SqlError::new(
            SqlState::INVALID_TEXT,
            format!("invalid input syntax for type {name}: \"{text}\""),
        );
        if detail.is_empty() { error } else { error.detail(detail) }
    };
    let inner =
        text.trim().strip_prefix('[').ok_or_else(|| malformed("Vector contents must start with \"[\"."))?;
    let (inner, rest) = inner.split_once(']').ok_or_else(|| malformed(""))?;
    if !rest.is_empty() {
        return Err(malformed("Junk after closing right brace."));
    }
    if inner.trim().is_empty() {
        return Err(data_error(format!("{name} must have at least 1 dimension")));
    }
    let mut items = Vec::new();
    for item in inner.split(',') {
        let number = item.trim();
        let known = number.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
        let value: f32 = number.parse().ok().filter(|_| known).ok_or_else(|| malformed(""))?;
        let written = number.bytes().any(|byte| byte.is_ascii_digit());
        if written && !fitted(type_, value).is_finite() {
            let message = format!("\"{number}\" is out of range for type {name}");
            return Err(SqlError::new(SqlState::OUT_OF_RANGE, message));
        }
        items.push(value);
    }
    checked(type_, items)
}

/// The vector of these numbers, in the precision of its type.
///
/// # Errors
///
/// 22000 for numbers that no vector can have, 54000 for too many of them.
pub fn checked(type_: Type, mut items: Vec<f32>) -> Result<Vec<f32>> {
    let name = type_.builtin().map_or("vector", |builtin| builtin.name);
    if items.is_empty() {
        return Err(data_error(format!("{name} must have at least 1 dimension")));
    }
    if items.len() > DIMENSIONS_MAX {
        return Err(too_long(type_));
    }
    for item in &mut items {
        *item = fitted(type_, *item);
        if item.is_nan() {
            return Err(data_error(format!("NaN not allowed in {name}")));
        }
        if item.is_infinite() {
            return Err(data_error(format!("infinite value not allowed in {name}")));
        }
    }
    Ok(items)
}

/// The error for a vector of too many numbers.
pub fn too_long(type_: Type) -> SqlError {
    let name = type_.builtin().map_or("vector", |builtin| builtin.name);
    let message = format!("{name} cannot have more than {DIMENSIONS_MAX} dimensions");
    SqlError::new(SqlState::PROGRAM_LIMIT, message)
}

/// The number in the precision of its type.
fn fitted(type_: Type, value: f32) -> f32 {
    if type_ == Type::HALFVEC { half(value) } else { value }
}

/// The nearest number of half precision; infinite if there is none.
fn half(value: f32) -> f32 {
    const MOST: f32 = 65_504.0;
    const LEAST_EXPONENT: i32 = -14;
    if !value.is_finite() || value == 0.0 {
        return value;
    }
    let exponent = i32::try_from((value.to_bits() >> 23) & 0xff).unwrap_or(0) - 127;
    // Ten bits follow the first one; numbers below the least exponent have fewer.
    let unit = 2_f32.powi(exponent.max(LEAST_EXPONENT) - 10);
    let rounded = (value / unit).round_ties_even() * unit;
    if rounded.abs() > MOST { f32::INFINITY.copysign(value) } else { rounded }
}

/// The numbers of a stored vector.
pub fn read(text: &str) -> Vec<f32> {
    let inner = text.trim_start_matches('[').trim_end_matches(']');
    inner.split(',').map(|item| item.parse().unwrap_or(0.0)).collect()
}

/// A vector's text.
pub fn print(items: &[f32]) -> String {
    let mut text = String::from("[");
    for (index, item) in items.iter().enumerate() {
        let comma = if index > 0 { "," } else { "" };
        let _ = write!(text, "{comma}{}", print_float(f64::from(*item), true));
    }
    text + "]"
}

/// The error unless a vector has the dimensions of its column.
///
/// # Errors
///
/// 22000 for another number of dimensions.
pub fn fit(text: &str, dimensions: i32) -> Result<()> {
    let found = text.split(',').count();
    if usize::try_from(dimensions) == Ok(found) {
        return Ok(());
    }
    Err(data_error(format!("expected {dimensions} dimensions, not {found}")))
}

/// The order of two stored vectors of one type: by their numbers, then by their lengths.
pub fn compare(left: &str, right: &str) -> Ordering {
    if left.starts_with('{') {
        return Sparse::read(left).compare(&Sparse::read(right));
    }
    let (left, right) = (read(left), read(right));
    let mut orders = left.iter().zip(&right).map(|(a, b)| a.partial_cmp(b).unwrap_or(Ordering::Equal));
    orders.find(|order| order.is_ne()).unwrap_or_else(|| left.len().cmp(&right.len()))
}
