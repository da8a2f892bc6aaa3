//! Bit strings: their binary digits as text.

use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;

/// Reads binary digits, or hexadecimal ones after `x`.
///
/// Fails with 22P02 for another digit.
pub fn parse(text: &str) -> Result<String> {
    let wrong = |kind: &str, digit: char| {
        let message = format!("\"{digit}\" is not a valid {kind} digit");
        SqlError::new(SqlState::INVALID_TEXT, message)
    };
    if let Some(digits) = text.strip_prefix(['x', 'X']) {
        let nibbles = digits.chars().map(|digit| {
            let nibble = digit.to_digit(16).ok_or_else(|| wrong("hexadecimal", digit))?;
            Ok(format!("{nibble:04b}"))
        });
        return nibbles.collect();
    }
    let digits = text.strip_prefix(['b', 'B']).unwrap_or(text);
    match digits.chars().find(|digit| !matches!(digit, '0' | '1')) {
        Some(digit) => Err(wrong("binary", digit)),
        None => Ok(digits.to_owned()),
    }
}

/// The digits with the length of a type, `bit(8)` or `bit varying(8)`; no length is negative.
///
/// Fails with 22026 or 22001 for digits that do not fit, unless the cast is `explicit`: then they are cut, or zeros follow.
pub fn fit(type_: Type, digits: &str, length: i32, explicit: bool) -> Result<String> {
    let Ok(length) = usize::try_from(length) else { return Ok(digits.to_owned()) };
    let fixed = type_ == Type::BIT;
    if digits.len() == length || !fixed && digits.len() < length {
        return Ok(digits.to_owned());
    }
    if explicit {
        return Ok(format!("{digits:0<length$}")[..length].to_owned());
    }
    Err(match fixed {
        true => {
            let message = format!("bit string length {} does not match type bit({length})", digits.len());
            SqlError::new(SqlState::new("22026"), message)
        }
        false => {
            let message = format!("bit string too long for type bit varying({length})");
            SqlError::new(SqlState::new("22001"), message)
        }
    })
}

/// The last `length` bits of a number, in two's complement; 1 if there is none.
pub fn of_number(number: i64, length: i32) -> String {
    let length = usize::try_from(length).unwrap_or(1);
    let bit = |place: usize| if number >> place.min(63) & 1 == 1 { '1' } else { '0' };
    (0..length).rev().map(bit).collect()
}

/// The number that the digits are in two's complement of `size` bits.
///
/// Fails with 22003 if there are more of them.
pub fn number(digits: &str, size: usize) -> Result<i64> {
    if digits.len() > size {
        let name = if size == 32 { "integer" } else { "bigint" };
        return Err(SqlError::new(SqlState::new("22003"), format!("{name} out of range")));
    }
    let value = digits.chars().fold(0_u64, |value, digit| value << 1 | u64::from(digit == '1'));
    Ok(if size == 32 { i64::from((value as u32).cast_signed()) } else { value.cast_signed() })
}
