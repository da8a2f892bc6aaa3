//! Integers and floating-point numbers. Overflow and division by zero are errors, as in PostgreSQL.

use rusqlite::types::Value;

use super::{Arguments, Function, fit};
use sim_values::error::{Result, SqlError, SqlState, division_by_zero};
use sim_values::types::Type;

const fn integer(
    symbol: &'static str,
    arguments: &'static [Type],
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(symbol, arguments, arguments[0], call)
}

const fn float(
    symbol: &'static str,
    arguments: &'static [Type],
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(symbol, arguments, arguments[0], call)
}

const TWO2: &[Type] = &[Type::INT2, Type::INT2];
const TWO4: &[Type] = &[Type::INT4, Type::INT4];
const TWO8: &[Type] = &[Type::INT8, Type::INT8];
const REAL4: &[Type] = &[Type::FLOAT4, Type::FLOAT4];
const REAL8: &[Type] = &[Type::FLOAT8, Type::FLOAT8];
const REAL48: &[Type] = &[Type::FLOAT4, Type::FLOAT8];
const REAL84: &[Type] = &[Type::FLOAT8, Type::FLOAT4];

/// An operator for a floating-point number and any other number.
const fn mixed(
    symbol: &'static str,
    arguments: &'static [Type],
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(symbol, arguments, Type::FLOAT8, call)
}

pub(super) static FUNCTIONS: &[Function] = &[
    integer("+", TWO2, |a| fit(Type::INT2, a.int(0).checked_add(a.int(1)))),
    integer("+", TWO4, |a| fit(Type::INT4, a.int(0).checked_add(a.int(1)))),
    integer("+", TWO8, |a| fit(Type::INT8, a.int(0).checked_add(a.int(1)))),
    integer("-", TWO2, |a| fit(Type::INT2, a.int(0).checked_sub(a.int(1)))),
    integer("-", TWO4, |a| fit(Type::INT4, a.int(0).checked_sub(a.int(1)))),
    integer("-", TWO8, |a| fit(Type::INT8, a.int(0).checked_sub(a.int(1)))),
    integer("*", TWO2, |a| fit(Type::INT2, a.int(0).checked_mul(a.int(1)))),
    integer("*", TWO4, |a| fit(Type::INT4, a.int(0).checked_mul(a.int(1)))),
    integer("*", TWO8, |a| fit(Type::INT8, a.int(0).checked_mul(a.int(1)))),
    integer("/", TWO2, |a| divide(Type::INT2, a)),
    integer("/", TWO4, |a| divide(Type::INT4, a)),
    integer("/", TWO8, |a| divide(Type::INT8, a)),
    integer("%", TWO2, remainder),
    integer("%", TWO4, remainder),
    integer("%", TWO8, remainder),
    integer("-", &[Type::INT2], |a| fit(Type::INT2, a.int(0).checked_neg())),
    integer("-", &[Type::INT4], |a| fit(Type::INT4, a.int(0).checked_neg())),
    integer("-", &[Type::INT8], |a| fit(Type::INT8, a.int(0).checked_neg())),
    Function::template("+", &[Type::INT4], Type::INT4, "{0}"),
    Function::template("+", &[Type::FLOAT8], Type::FLOAT8, "{0}"),
    float("+", REAL4, |a| single(a, a.real(0) + a.real(1))),
    float("+", REAL8, |a| double(a, a.real(0) + a.real(1))),
    float("-", REAL4, |a| single(a, a.real(0) - a.real(1))),
    float("-", REAL8, |a| double(a, a.real(0) - a.real(1))),
    float("*", REAL4, |a| single(a, a.real(0) * a.real(1))),
    float("*", REAL8, |a| double(a, a.real(0) * a.real(1))),
    float("/", REAL4, |a| single(a, a.real(0) / divisor(a.real(1))?)),
    float("/", REAL8, |a| double(a, a.real(0) / divisor(a.real(1))?)),
    mixed("+", REAL48, |a| double(a, a.real(0) + a.real(1))),
    mixed("+", REAL84, |a| double(a, a.real(0) + a.real(1))),
    mixed("-", REAL48, |a| double(a, a.real(0) - a.real(1))),
    mixed("-", REAL84, |a| double(a, a.real(0) - a.real(1))),
    mixed("*", REAL48, |a| double(a, a.real(0) * a.real(1))),
    mixed("*", REAL84, |a| double(a, a.real(0) * a.real(1))),
    mixed("/", REAL48, |a| double(a, a.real(0) / divisor(a.real(1))?)),
    mixed("/", REAL84, |a| double(a, a.real(0) / divisor(a.real(1))?)),
    float("-", &[Type::FLOAT4], |a| Ok(Value::Real(-a.real(0)))),
    float("-", &[Type::FLOAT8], |a| Ok(Value::Real(-a.real(0)))),
];

fn divide(type_: Type, arguments: &Arguments<'_, '_>) -> Result<Value> {
    match arguments.int(1) {
        0 => Err(division_by_zero()),
        divisor => fit(type_, arguments.int(0).checked_div(divisor)),
    }
}

pub(super) fn remainder(arguments: &Arguments<'_, '_>) -> Result<Value> {
    match arguments.int(1) {
        0 => Err(division_by_zero()),
        divisor => Ok(Value::Integer(arguments.int(0).wrapping_rem(divisor))),
    }
}

fn divisor(value: f64) -> Result<f64> {
    if value == 0.0 { Err(division_by_zero()) } else { Ok(value) }
}

/// The error for a division by zero.
fn single(arguments: &Arguments<'_, '_>, value: f64) -> Result<Value> {
    double(arguments, f64::from(value as f32))
}

fn double(arguments: &Arguments<'_, '_>, value: f64) -> Result<Value> {
    let was_finite = arguments.real(0).is_finite() && arguments.real(1).is_finite();
    match value {
        value if value.is_nan() => Err(SqlError::unsupported("the floating-point value NaN")),
        value if value.is_infinite() && was_finite => {
            Err(SqlError::new(SqlState::OUT_OF_RANGE, "value out of range: overflow"))
        }
        value => Ok(Value::Real(value)),
    }
}
