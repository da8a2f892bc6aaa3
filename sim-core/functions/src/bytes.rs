//! Functions of `bytea`: bytes and bits, parts of it, and the binary forms of other values.

use rusqlite::types::Value;
use uuid::Uuid;

use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

const B: Type = Type::BYTEA;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("get_byte", &[B, Type::INT4], Type::INT4, |a| {
        Ok(Value::Integer(a.bytes(0)[index(a.int(1), a.bytes(0).len())?].into()))
    }),
    Function::rust("set_byte", &[B, Type::INT4, Type::INT4], B, |a| {
        let mut bytes = a.bytes(0).to_vec();
        let at = index(a.int(1), bytes.len())?;
        bytes[at] = a.int(2).to_le_bytes()[0];
        Ok(Value::Blob(bytes))
    }),
    Function::rust("get_bit", &[B, Type::INT8], Type::INT4, |a| {
        let (at, bit) = bit(a)?;
        Ok(Value::Integer((a.bytes(0)[at] >> bit & 1).into()))
    }),
    Function::rust("set_bit", &[B, Type::INT8, Type::INT4], B, |a| {
        let (at, bit) = bit(a)?;
        let mut bytes = a.bytes(0).to_vec();
        match a.int(2) {
            0 => bytes[at] &= !(1 << bit),
            1 => bytes[at] |= 1 << bit,
            _ => return Err(SqlError::new(SqlState::new("22023"), "new bit must be 0 or 1")),
        }
        Ok(Value::Blob(bytes))
    }),
    Function::rust("substring", &[B, Type::INT4], B, |a| Ok(Value::Blob(part(a.bytes(0), a.int(1), None)?))),
    Function::rust("substring", &[B, Type::INT4, Type::INT4], B, |a| {
        Ok(Value::Blob(part(a.bytes(0), a.int(1), Some(a.int(2)))?))
    }),
    Function::rust("overlay", &[B, B, Type::INT4], B, |a| overlay(a, a.bytes(1).len() as i64)),
    Function::rust("overlay", &[B, B, Type::INT4, Type::INT4], B, |a| overlay(a, a.int(3))),
    Function::rust("position", &[B, B], Type::INT4, |a| {
        let (within, wanted) = (a.bytes(0), a.bytes(1));
        let found = match wanted.len() {
            0 => Some(0),
            length => within.windows(length).position(|part| part == wanted),
        };
        Ok(Value::Integer(found.map_or(0, |at| at as i64 + 1)))
    }),
    Function::rust("btrim", &[B, B], B, |a| Ok(trimmed(a, true, true))),
    Function::rust("ltrim", &[B, B], B, |a| Ok(trimmed(a, true, false))),
    Function::rust("rtrim", &[B, B], B, |a| Ok(trimmed(a, false, true))),
    Function::rust("substr", &[B, Type::INT4], B, |a| Ok(Value::Blob(part(a.bytes(0), a.int(1), None)?))),
    Function::rust("substr", &[B, Type::INT4, Type::INT4], B, |a| {
        Ok(Value::Blob(part(a.bytes(0), a.int(1), Some(a.int(2)))?))
    }),
    Function::template("bit_length", &[B], Type::INT4, "(8 * octet_length({0}))"),
    Function::rust("uuid_send", &[Type::UUID], B, |a| {
        Ok(Value::Blob(Uuid::try_parse(a.text(0)).unwrap_or_default().as_bytes().to_vec()))
    }),
    Function::rust("int2send", &[Type::INT2], B, |a| Ok(Value::Blob(a.int(0).to_be_bytes()[6..].to_vec()))),
    Function::rust("int4send", &[Type::INT4], B, |a| Ok(Value::Blob(a.int(0).to_be_bytes()[4..].to_vec()))),
    Function::rust("int8send", &[Type::INT8], B, |a| Ok(Value::Blob(a.int(0).to_be_bytes().to_vec()))),
    Function::rust("float8send", &[Type::FLOAT8], B, |a| Ok(Value::Blob(a.real(0).to_be_bytes().to_vec()))),
    Function::rust("textsend", &[Type::TEXT], B, |a| Ok(Value::Blob(a.bytes(0).to_vec()))),
];

/// The place of a byte.
fn index(at: i64, length: usize) -> Result<usize> {
    let found = usize::try_from(at).ok().filter(|at| *at < length);
    found.ok_or_else(|| {
        let message = format!("index {at} out of valid range, 0..{}", length as i64 - 1);
        SqlError::new(SqlState::new("2202E"), message)
    })
}

/// The byte of a bit, and its place in the byte. The lowest bit is the first.
fn bit(a: &Arguments<'_, '_>) -> Result<(usize, u32)> {
    let at = index(a.int(1), a.bytes(0).len() * 8)?;
    Ok((at / 8, (at % 8) as u32))
}

/// The bytes of argument 0 without those of argument 1 at its ends.
fn trimmed(a: &Arguments<'_, '_>, start: bool, end: bool) -> Value {
    let strip = |byte: &&u8| a.bytes(1).contains(byte);
    let from = if start { a.bytes(0).iter().take_while(strip).count() } else { 0 };
    let rest = &a.bytes(0)[from..];
    let tail = if end { rest.iter().rev().take_while(strip).count() } else { 0 };
    Value::Blob(rest[..rest.len() - tail].to_vec())
}

/// A part as `substring` cuts it: `from` counts from 1 and may lie before the beginning.
fn part(bytes: &[u8], from: i64, length: Option<i64>) -> Result<Vec<u8>> {
    let end = match length {
        Some(length) if length < 0 => {
            return Err(SqlError::new(SqlState::new("22011"), "negative substring length not allowed"));
        }
        Some(length) => from.saturating_add(length),
        None => i64::MAX,
    };
    let place = |at: i64| usize::try_from(at - 1).unwrap_or(0).min(bytes.len());
    Ok(bytes.get(place(from.max(1))..place(end.max(1))).unwrap_or_default().to_vec())
}

/// The bytes with `length` of them from a place on replaced.
fn overlay(a: &Arguments<'_, '_>, length: i64) -> Result<Value> {
    let from = a.int(2);
    if from <= 0 {
        return Err(SqlError::new(SqlState::new("22011"), "negative substring length not allowed"));
    }
    let before = part(a.bytes(0), 1, Some(from - 1))?;
    let after = part(a.bytes(0), from.saturating_add(length), None)?;
    Ok(Value::Blob([&before[..], a.bytes(1), &after[..]].concat()))
}
