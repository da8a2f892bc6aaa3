//! Functions on integers and floating-point numbers. Inexact ones come from a library, so that their results are the same on every
//! machine.

use rusqlite::types::Value;

use super::{Arguments, Function, out_of_range};
use super::{degrees, fit};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

const I2: &[Type] = &[Type::INT2];
const I4: &[Type] = &[Type::INT4];
const I8: &[Type] = &[Type::INT8];
const II2: &[Type] = &[Type::INT2, Type::INT2];
const II4: &[Type] = &[Type::INT4, Type::INT4];
const II8: &[Type] = &[Type::INT8, Type::INT8];
const F: &[Type] = &[Type::FLOAT8];
const FF: &[Type] = &[Type::FLOAT8, Type::FLOAT8];

const fn float(name: &'static str, call: fn(&Arguments<'_, '_>) -> Result<Value>) -> Function {
    Function::rust(name, F, Type::FLOAT8, call)
}

pub(super) static FUNCTIONS: &[Function] = &[
    Function::template("&", II2, Type::INT2, "({0} & {1})"),
    Function::template("&", II4, Type::INT4, "({0} & {1})"),
    Function::template("&", II8, Type::INT8, "({0} & {1})"),
    Function::template("|", II2, Type::INT2, "({0} | {1})"),
    Function::template("|", II4, Type::INT4, "({0} | {1})"),
    Function::template("|", II8, Type::INT8, "({0} | {1})"),
    Function::rust("#", II2, Type::INT2, |a| Ok(Value::Integer(a.int(0) ^ a.int(1)))),
    Function::rust("#", II4, Type::INT4, |a| Ok(Value::Integer(a.int(0) ^ a.int(1)))),
    Function::rust("#", II8, Type::INT8, |a| Ok(Value::Integer(a.int(0) ^ a.int(1)))),
    Function::template("~", I2, Type::INT2, "(~{0})"),
    Function::template("~", I4, Type::INT4, "(~{0})"),
    Function::template("~", I8, Type::INT8, "(~{0})"),
    Function::rust("<<", &[Type::INT2, Type::INT4], Type::INT2, |a| {
        Ok(Value::Integer((a.int(0) << (a.int(1) & 31)) as i16 as i64))
    }),
    Function::rust("<<", II4, Type::INT4, |a| {
        Ok(Value::Integer(((a.int(0) as i32) << (a.int(1) & 31)) as i64))
    }),
    Function::rust("<<", &[Type::INT8, Type::INT4], Type::INT8, |a| {
        Ok(Value::Integer(a.int(0) << (a.int(1) & 63)))
    }),
    Function::rust(">>", &[Type::INT2, Type::INT4], Type::INT2, |a| {
        Ok(Value::Integer(a.int(0) >> (a.int(1) & 31)))
    }),
    Function::rust(">>", II4, Type::INT4, |a| Ok(Value::Integer(a.int(0) >> (a.int(1) & 31)))),
    Function::rust(">>", &[Type::INT8, Type::INT4], Type::INT8, |a| {
        Ok(Value::Integer(a.int(0) >> (a.int(1) & 63)))
    }),
    Function::rust("abs", I2, Type::INT2, |a| fit(Type::INT2, a.int(0).checked_abs())),
    Function::rust("abs", I4, Type::INT4, |a| fit(Type::INT4, a.int(0).checked_abs())),
    Function::rust("abs", I8, Type::INT8, |a| fit(Type::INT8, a.int(0).checked_abs())),
    Function::rust("@", I2, Type::INT2, |a| fit(Type::INT2, a.int(0).checked_abs())),
    Function::rust("@", I4, Type::INT4, |a| fit(Type::INT4, a.int(0).checked_abs())),
    Function::rust("@", I8, Type::INT8, |a| fit(Type::INT8, a.int(0).checked_abs())),
    Function::rust("mod", II2, Type::INT2, super::arithmetic::remainder),
    Function::rust("mod", II4, Type::INT4, super::arithmetic::remainder),
    Function::rust("mod", II8, Type::INT8, super::arithmetic::remainder),
    Function::rust("gcd", II4, Type::INT4, |a| fit(Type::INT4, gcd(a.int(0), a.int(1)))),
    Function::rust("gcd", II8, Type::INT8, |a| fit(Type::INT8, gcd(a.int(0), a.int(1)))),
    Function::rust("lcm", II4, Type::INT4, |a| fit(Type::INT4, lcm(a.int(0), a.int(1)))),
    Function::rust("lcm", II8, Type::INT8, |a| fit(Type::INT8, lcm(a.int(0), a.int(1)))),
    Function::template("abs", &[Type::FLOAT4], Type::FLOAT4, "abs({0})"),
    Function::template("abs", F, Type::FLOAT8, "abs({0})"),
    Function::template("@", F, Type::FLOAT8, "abs({0})"),
    float("sign", |a| real(if a.real(0) == 0.0 { 0.0 } else { a.real(0).signum() })),
    float("ceil", |a| real(a.real(0).ceil())),
    float("ceiling", |a| real(a.real(0).ceil())),
    float("floor", |a| real(a.real(0).floor())),
    float("round", |a| real(a.real(0).round_ties_even())),
    float("trunc", |a| real(a.real(0).trunc())),
    float("sqrt", square_root),
    float("|/", square_root),
    float("cbrt", |a| real(libm::cbrt(a.real(0)))),
    float("||/", |a| real(libm::cbrt(a.real(0)))),
    float("exp", exponential),
    float("dexp", exponential),
    float("ln", |a| logarithm(a, libm::log)),
    float("log", |a| logarithm(a, libm::log10)),
    float("log10", |a| logarithm(a, libm::log10)),
    float("dlog1", |a| logarithm(a, libm::log)),
    float("dlog10", |a| logarithm(a, libm::log10)),
    float("dround", |a| real(a.real(0).round_ties_even())),
    float("dtrunc", |a| real(a.real(0).trunc())),
    float("sin", |a| real(libm::sin(finite(a)?))),
    float("cos", |a| real(libm::cos(finite(a)?))),
    float("tan", |a| real(libm::tan(finite(a)?))),
    float("cot", |a| real(1.0 / libm::tan(finite(a)?))),
    float("asin", |a| inverse(a, libm::asin)),
    float("acos", |a| inverse(a, libm::acos)),
    float("atan", |a| real(libm::atan(a.real(0)))),
    float("sinh", |a| real(libm::sinh(a.real(0)))),
    float("cosh", |a| real(libm::cosh(a.real(0)))),
    float("tanh", |a| real(libm::tanh(a.real(0)))),
    float("asinh", |a| real(libm::asinh(a.real(0)))),
    float("acosh", |a| if a.real(0) < 1.0 { Err(beyond()) } else { real(libm::acosh(a.real(0))) }),
    float("atanh", |a| inverse(a, libm::atanh)),
    float("sind", |a| real(degrees::sine(finite(a)?))),
    float("cosd", |a| real(degrees::cosine(finite(a)?))),
    float("tand", |a| real(degrees::tangent(finite(a)?))),
    float("cotd", |a| real(degrees::cotangent(finite(a)?))),
    float("asind", |a| inverse(a, degrees::arc_sine)),
    float("acosd", |a| inverse(a, degrees::arc_cosine)),
    float("atand", |a| real(degrees::of_arc(libm::atan(a.real(0))))),
    float("degrees", |a| checked(a, a.real(0) / (std::f64::consts::PI / 180.0))),
    float("radians", |a| real(a.real(0) * (std::f64::consts::PI / 180.0))),
    Function::rust("atan2", FF, Type::FLOAT8, |a| real(libm::atan2(a.real(0), a.real(1)))),
    Function::rust("atan2d", FF, Type::FLOAT8, |a| real(degrees::of_arc(libm::atan2(a.real(0), a.real(1))))),
    Function::rust("power", FF, Type::FLOAT8, power),
    Function::rust("pow", FF, Type::FLOAT8, power),
    Function::rust("^", FF, Type::FLOAT8, power),
    Function::rust("pi", &[], Type::FLOAT8, |_| real(std::f64::consts::PI)),
    Function::rust(
        "width_bucket",
        &[Type::FLOAT8, Type::FLOAT8, Type::FLOAT8, Type::INT4],
        Type::INT4,
        width_bucket,
    ),
];

fn real(value: f64) -> Result<Value> {
    Ok(Value::Real(value))
}

/// Refuses an infinite or undefined result of finite arguments.
fn checked(a: &Arguments<'_, '_>, value: f64) -> Result<Value> {
    if value.is_infinite() && a.real(0).is_finite() {
        return Err(SqlError::new(SqlState::OUT_OF_RANGE, "value out of range: overflow"));
    }
    real(value)
}

fn gcd(mut a: i64, mut b: i64) -> Option<i64> {
    while b != 0 {
        (a, b) = (b, a.wrapping_rem(b));
    }
    a.checked_abs()
}

fn lcm(a: i64, b: i64) -> Option<i64> {
    if a == 0 || b == 0 {
        return Some(0);
    }
    (a / gcd(a, b)?).checked_mul(b)?.checked_abs()
}

fn square_root(a: &Arguments<'_, '_>) -> Result<Value> {
    if a.real(0) < 0.0 {
        return Err(SqlError::new(SqlState::new("2201F"), "cannot take square root of a negative number"));
    }
    real(a.real(0).sqrt())
}

fn logarithm(a: &Arguments<'_, '_>, call: fn(f64) -> f64) -> Result<Value> {
    let refuse = |message| Err(SqlError::new(SqlState::new("2201E"), message));
    match a.real(0) {
        0.0 => refuse("cannot take logarithm of zero"),
        negative if negative < 0.0 => refuse("cannot take logarithm of a negative number"),
        value => real(call(value)),
    }
}

fn exponential(a: &Arguments<'_, '_>) -> Result<Value> {
    let value = libm::exp(a.real(0));
    if value == 0.0 && a.real(0).is_finite() {
        return Err(SqlError::new(SqlState::OUT_OF_RANGE, "value out of range: underflow"));
    }
    checked(a, value)
}

fn beyond() -> SqlError {
    SqlError::new(SqlState::OUT_OF_RANGE, "input is out of range")
}

/// The argument, which has to be a finite angle.
fn finite(a: &Arguments<'_, '_>) -> Result<f64> {
    if a.real(0).is_finite() { Ok(a.real(0)) } else { Err(beyond()) }
}

fn inverse(a: &Arguments<'_, '_>, call: fn(f64) -> f64) -> Result<Value> {
    if a.real(0).abs() > 1.0 { Err(beyond()) } else { real(call(a.real(0))) }
}

fn power(a: &Arguments<'_, '_>) -> Result<Value> {
    let (base, exponent) = (a.real(0), a.real(1));
    let refuse = |message| Err(SqlError::new(SqlState::new("2201F"), message));
    if base == 0.0 && exponent < 0.0 {
        return refuse("zero raised to a negative power is undefined");
    }
    if base < 0.0 && exponent.fract() != 0.0 {
        return refuse("a negative number raised to a non-integer power yields a complex result");
    }
    let value = libm::pow(base, exponent);
    if value == 0.0 && base != 0.0 && base.is_finite() && exponent.is_finite() {
        return Err(SqlError::new(SqlState::OUT_OF_RANGE, "value out of range: underflow"));
    }
    if value.is_infinite() && exponent.is_infinite() {
        return real(value);
    }
    checked(a, value)
}

fn width_bucket(a: &Arguments<'_, '_>) -> Result<Value> {
    let (operand, low, high, count) = (a.real(0), a.real(1), a.real(2), a.int(3));
    let refuse = |message: &str| Err(SqlError::new(SqlState::new("2201G"), message));
    if count <= 0 {
        return refuse("count must be greater than zero");
    }
    if !low.is_finite() || !high.is_finite() {
        return refuse("lower and upper bounds must be finite");
    }
    if low == high {
        return refuse("lower bound cannot equal upper bound");
    }
    let position = (operand - low) / (high - low);
    if position < 0.0 {
        return Ok(Value::Integer(0));
    }
    if position >= 1.0 {
        let above = count.checked_add(1).ok_or_else(|| out_of_range(Type::INT4))?;
        return fit(Type::INT4, Some(above));
    }
    Ok(Value::Integer((position * count as f64) as i64 + 1))
}
