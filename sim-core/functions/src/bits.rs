//! Functions and operators of bit strings.

use rusqlite::types::Value;

use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

const BIT: Type = Type::BIT;
const VARBIT: Type = Type::VARBIT;

macro_rules! of_both {
    ($($type_:ident),*) => {
        &[$(
            Function::rust("&", &[$type_, $type_], $type_, |a| combined(a, "AND", |x, y| x & y)),
            Function::rust("|", &[$type_, $type_], $type_, |a| combined(a, "OR", |x, y| x | y)),
            Function::rust("#", &[$type_, $type_], $type_, |a| combined(a, "XOR", |x, y| x ^ y)),
            Function::rust("~", &[$type_], $type_, |a| Ok(Value::Text(a.text(0).bytes().map(|bit| digit(bit == b'0')).collect()))),
            Function::rust("<<", &[$type_, Type::INT4], $type_, |a| Ok(Value::Text(shifted(a.text(0), a.int(1))))),
            Function::rust(">>", &[$type_, Type::INT4], $type_, |a| Ok(Value::Text(shifted(a.text(0), a.int(1).saturating_neg())))),
            Function::rust("length", &[$type_], Type::INT4, |a| Ok(Value::Integer(a.text(0).len() as i64))),
            Function::rust("bit_length", &[$type_], Type::INT4, |a| Ok(Value::Integer(a.text(0).len() as i64))),
            Function::rust("octet_length", &[$type_], Type::INT4, |a| Ok(Value::Integer(a.text(0).len().div_ceil(8) as i64))),
            Function::rust("bit_count", &[$type_], Type::INT8, |a| Ok(Value::Integer(a.text(0).matches('1').count() as i64))),
            Function::rust("get_bit", &[$type_, Type::INT4], Type::INT4, |a| {
                Ok(Value::Integer(i64::from(a.text(0).as_bytes()[place(a)?] == b'1')))
            }),
            Function::rust("set_bit", &[$type_, Type::INT4, Type::INT4], $type_, |a| {
                let at = place(a)?;
                let set = a.int(2) != 0;
                let bits = a.text(0).bytes().enumerate();
                Ok(Value::Text(bits.map(|(index, bit)| digit(if index == at { set } else { bit == b'1' })).collect()))
            }),
            Function::rust("substring", &[$type_, Type::INT4], $type_, |a| Ok(Value::Text(part(a.text(0), a.int(1), i64::MAX)))),
            Function::rust("substring", &[$type_, Type::INT4, Type::INT4], $type_, |a| Ok(Value::Text(part(a.text(0), a.int(1), a.int(2))))),
            Function::rust("position", &[$type_, $type_], Type::INT4, |a| {
                Ok(Value::Integer(a.text(0).find(a.text(1)).map_or(0, |at| at as i64 + 1)))
            }),
            Function::rust("overlay", &[$type_, $type_, Type::INT4], $type_, |a| overlay(a, a.text(1).len() as i64)),
            Function::rust("overlay", &[$type_, $type_, Type::INT4, Type::INT4], $type_, |a| overlay(a, a.int(3))),
        )*
        Function::rust("||", &[VARBIT, VARBIT], VARBIT, |a| Ok(Value::Text([a.text(0), a.text(1)].concat()))),
        ]
    };
}

pub(super) static FUNCTIONS: &[Function] = of_both!(BIT, VARBIT);

fn digit(set: bool) -> char {
    if set { '1' } else { '0' }
}

fn combined(a: &Arguments<'_, '_>, word: &str, with: fn(bool, bool) -> bool) -> Result<Value> {
    let (left, right) = (a.text(0), a.text(1));
    if left.len() != right.len() {
        let message = format!("cannot {word} bit strings of different sizes");
        return Err(SqlError::new(SqlState::new("22026"), message));
    }
    let pairs = left.bytes().zip(right.bytes());
    Ok(Value::Text(pairs.map(|(left, right)| digit(with(left == b'1', right == b'1'))).collect()))
}

/// The bits moved to the left, or for a negative distance to the right; zeros take the free places.
fn shifted(bits: &str, by: i64) -> String {
    let length = bits.len();
    let distance = usize::try_from(by.unsigned_abs()).unwrap_or(length).min(length);
    let kept = bits.bytes().map(|bit| digit(bit == b'1'));
    let zeros = std::iter::repeat_n('0', distance);
    match by < 0 {
        true => zeros.chain(kept.take(length - distance)).collect(),
        false => kept.skip(distance).chain(zeros).collect(),
    }
}

/// The place of the bit that the second argument names. The first one is the leftmost.
fn place(a: &Arguments<'_, '_>) -> Result<usize> {
    let (at, length) = (a.int(1), a.text(0).len());
    usize::try_from(at).ok().filter(|at| *at < length).ok_or_else(|| {
        let message = format!("bit index {at} out of valid range (0..{})", length as i64 - 1);
        SqlError::new(SqlState::new("2202E"), message)
    })
}

fn part(bits: &str, from: i64, length: i64) -> String {
    let end = from.saturating_add(length);
    let at = |place: i64| usize::try_from(place - 1).unwrap_or(0).min(bits.len());
    bits.get(at(from.max(1))..at(end.max(1))).unwrap_or_default().to_owned()
}

/// The bits with `length` of them from a place on replaced.
fn overlay(a: &Arguments<'_, '_>, length: i64) -> Result<Value> {
    let (bits, from) = (a.text(0), a.int(2));
    if from <= 0 {
        return Err(SqlError::new(SqlState::new("22011"), "negative substring length not allowed"));
    }
    let after = part(bits, from.saturating_add(length), i64::MAX);
    Ok(Value::Text([part(bits, 1, from - 1).as_str(), a.text(1), &after].concat()))
}
