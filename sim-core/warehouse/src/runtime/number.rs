//! Numbers: arithmetic that fails in the same cases as the warehouse's, and texts of numbers.

use std::cmp::Ordering;

use rusqlite::Result;
use rusqlite::types::{Value, ValueRef};
use sim_values::value::print_float;

use super::{Arguments, Function, fail, optional, or_fail};

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_sin", call: |a| Ok(libm::sin(a.real(0)).into()) },
    Function { name: "wh_cos", call: |a| Ok(libm::cos(a.real(0)).into()) },
    Function { name: "wh_tan", call: |a| Ok(libm::tan(a.real(0)).into()) },
    Function { name: "wh_atan", call: |a| Ok(libm::atan(a.real(0)).into()) },
    Function { name: "wh_sinh", call: |a| in_domain(libm::sinh(a.real(0))) },
    Function { name: "wh_cosh", call: |a| in_domain(libm::cosh(a.real(0))) },
    Function { name: "wh_tanh", call: |a| Ok(libm::tanh(a.real(0)).into()) },
    Function { name: "wh_asinh", call: |a| Ok(libm::asinh(a.real(0)).into()) },
    Function { name: "wh_acos", call: |a| in_domain(libm::acos(a.real(0))) },
    Function { name: "wh_asin", call: |a| in_domain(libm::asin(a.real(0))) },
    Function { name: "wh_acosh", call: |a| in_domain(libm::acosh(a.real(0))) },
    Function { name: "wh_atanh", call: |a| in_domain(libm::atanh(a.real(0))) },
    Function { name: "wh_atan2", call: |a| Ok(libm::atan2(a.real(0), a.real(1)).into()) },
    Function { name: "wh_add", call: |a| arithmetic(a, "+", i64::checked_add, |one, other| one + other) },
    Function {
        name: "wh_subtract",
        call: |a| arithmetic(a, "-", i64::checked_sub, |one, other| one - other),
    },
    Function {
        name: "wh_multiply",
        call: |a| arithmetic(a, "*", i64::checked_mul, |one, other| one * other),
    },
    Function { name: "wh_divide", call: divide },
    Function { name: "wh_div", call: |a| whole(a, i64::checked_div) },
    Function { name: "wh_mod", call: |a| whole(a, i64::checked_rem) },
    Function { name: "wh_floor_div", call: |a| whole(a, |one, other| Some(one.div_euclid(other))) },
    // A zero is written without a sign.
    Function { name: "wh_ceil", call: |a| Ok((a.real(0).ceil() + 0.0).into()) },
    Function { name: "wh_floor", call: |a| Ok(a.real(0).floor().into()) },
    Function { name: "wh_round", call: |a| Ok(at_digit(a.real(0), a.int(1), f64::round).into()) },
    Function { name: "wh_round_even", call: |a| Ok(to_even(a.real(0), a.int(1)).into()) },
    Function { name: "wh_truncate", call: |a| Ok(at_digit(a.real(0), a.int(1), f64::trunc).into()) },
    Function { name: "wh_pow", call: power },
    Function { name: "wh_bit_count", call: |a| Ok(i64::from(a.int(0).count_ones()).into()) },
    Function { name: "wh_cbrt", call: |a| Ok(libm::cbrt(a.real(0)).into()) },
    Function { name: "wh_sqrt", call: |a| above(a, "SQRT", -f64::MIN_POSITIVE, f64::sqrt) },
    Function { name: "wh_exp", call: |a| bounded(a, libm::exp(a.real(0)), || format!("EXP({})", a.real(0))) },
    Function { name: "wh_ln", call: |a| above(a, "LN", 0.0, libm::log) },
    Function { name: "wh_log10", call: |a| above(a, "LOG10", 0.0, libm::log10) },
    Function { name: "wh_safe_add", call: |a| optional(a.int(0).checked_add(a.int(1))) },
    Function { name: "wh_safe_subtract", call: |a| optional(a.int(0).checked_sub(a.int(1))) },
    Function { name: "wh_safe_multiply", call: |a| optional(a.int(0).checked_mul(a.int(1))) },
    Function { name: "wh_fixed", call: fixed },
    Function { name: "wh_round_after", call: round_after },
    Function { name: "wh_to_int64", call: to_int64 },
    Function {
        name: "wh_parse_int64",
        call: |a| or_fail(parse_int64(a.text(0)), a.safe(1), || format!("Bad int64 value: {}", a.text(0))),
    },
    Function {
        name: "wh_parse_float64",
        call: |a| match parse_float64(a.text(0)) {
            Some(parsed) => number(parsed),
            None => or_fail(None::<f64>, a.safe(1), || format!("Bad double value: {}", a.text(0))),
        },
    },
    Function { name: "wh_parse_number", call: parse_number },
    Function {
        name: "wh_parse_bool",
        call: |a| or_fail(parse_bool(a.text(0)), a.safe(1), || format!("Bad bool value: {}", a.text(0))),
    },
    Function { name: "wh_number_text", call: number_text },
    Function {
        name: "wh_float_text",
        call: |a| {
            Ok(match a.value(0) {
                ValueRef::Integer(number) => number.to_string(),
                _ => float_text(a.real(0)),
            }
            .into())
        },
    },
    Function { name: "wh_plain_exp", call: |a| Ok(libm::exp(a.real(0)).into()) },
    Function { name: "wh_plain_pow", call: |a| Ok(libm::pow(a.real(0), a.real(1)).into()) },
    Function { name: "wh_float_divide", call: float_divide },
    Function { name: "wh_ieee_divide", call: |a| number(a.real(0) / a.real(1)) },
    Function { name: "wh_float_mod", call: |a| Ok((a.real(0) % a.real(1)).into()) },
];

fn arithmetic(
    a: &Arguments<'_, '_>,
    sign: &str,
    whole: fn(i64, i64) -> Option<i64>,
    real: fn(f64, f64) -> f64,
) -> Result<Value> {
    match (a.value(0), a.value(1)) {
        (ValueRef::Integer(one), ValueRef::Integer(other)) => {
            whole(one, other).map_or_else(|| fail("int64 overflow"), |result| Ok(result.into()))
        }
        _ => {
            let result = real(a.real(0), a.real(1));
            if a.real(0).is_finite() && a.real(1).is_finite() && !result.is_finite() {
                let [one, other] = [0, 1].map(|index| print_float(a.real(index), false));
                return fail(format!("Floating point overflow: {one} {sign} {other}"));
            }
            number(result)
        }
    }
}

/// A result that is a number. SQLite has no NaN: it would become null.
fn number(result: f64) -> Result<Value> {
    if result.is_nan() { fail("NaN as a value is not supported") } else { Ok(result.into()) }
}

/// The result of a function, which is infinite only if an argument is.
fn bounded(a: &Arguments<'_, '_>, result: f64, call: impl FnOnce() -> String) -> Result<Value> {
    let is_bounded = (0..a.len()).all(|index| a.real(index).is_finite());
    match is_bounded && !result.is_finite() {
        true => fail(format!("Floating point error in function: {}", call())),
        false => number(result),
    }
}

fn power(a: &Arguments<'_, '_>) -> Result<Value> {
    let (base, exponent) = (a.real(0), a.real(1));
    bounded(a, libm::pow(base, exponent), || format!("POW({base}, {exponent})"))
}

fn divide(a: &Arguments<'_, '_>) -> Result<Value> {
    match a.real(1) {
        0.0 => fail("division by zero"),
        divisor => {
            let quotient = a.real(0) / divisor;
            if a.real(0).is_finite() && !quotient.is_finite() {
                let [one, other] = [a.real(0), divisor].map(|value| print_float(value, false));
                return fail(format!("Floating point overflow: {one} / {other}"));
            }
            number(quotient)
        }
    }
}

fn whole(a: &Arguments<'_, '_>, operation: fn(i64, i64) -> Option<i64>) -> Result<Value> {
    if a.int(1) == 0 {
        return fail("division by zero");
    }
    operation(a.int(0), a.int(1)).map_or_else(|| fail("int64 overflow"), |result| Ok(result.into()))
}

fn above(a: &Arguments<'_, '_>, name: &str, least: f64, function: fn(f64) -> f64) -> Result<Value> {
    let value = a.real(0);
    if value > least {
        Ok(function(value).into())
    } else {
        fail(format!("Argument to {name} is out of range"))
    }
}

/// Rounds at a digit after the point, halves away from zero, based on the decimal text of the number.
fn at_digit(value: f64, digits: i64, round: fn(f64) -> f64) -> f64 {
    const EXACT: i64 = 15;
    if !value.is_finite() || digits > EXACT {
        return value;
    }
    let scale = 10_f64.powi(digits.max(-400) as i32);
    let scaled = value * scale;
    // Only fifteen digits are exact. With them 1.005 is rounded as it is written.
    let scaled = format!("{scaled:.14e}").parse().unwrap_or(scaled);
    let result = round(scaled) / scale;
    // A zero is written without a sign.
    if result.is_finite() { result + 0.0 } else { 0.0 }
}

/// The number with this many digits after the point.
fn fixed(a: &Arguments<'_, '_>) -> Result<Value> {
    let (value, digits) = (a.real(0), a.int(1));
    let places = usize::try_from(digits).unwrap_or(0);
    Ok(format!("{:.places$}", at_digit(value, digits, f64::round)).into())
}

/// Rounds at a digit after the point, halves to the even neighbour, based on the binary number.
fn to_even(value: f64, digits: i64) -> f64 {
    let scale = 10_f64.powi(digits.clamp(-400, 400).unsigned_abs() as i32);
    let rounded = match digits {
        0.. => (value * scale).round_ties_even() / scale,
        _ => (value / scale).round_ties_even() * scale,
    };
    // A zero is written without a sign.
    if rounded.is_finite() { rounded + 0.0 } else { value }
}

/// The number of the next round of a recursive common table expression.
fn round_after(a: &Arguments<'_, '_>) -> Result<Value> {
    const LAST: i64 = 500;
    match a.int(0) {
        round if round < LAST => Ok((round + 1).into()),
        _ => fail("A recursive common table expression has reached the maximum number of iterations: 500"),
    }
}

/// Rounds to an integer, halves away from zero.
pub(super) fn rounded(value: f64) -> Option<i64> {
    const END: f64 = 9_223_372_036_854_775_808.0;
    let value = value.round();
    (-END..END).contains(&value).then_some(value as i64)
}

fn to_int64(a: &Arguments<'_, '_>) -> Result<Value> {
    match a.value(0) {
        ValueRef::Integer(number) => Ok(number.into()),
        _ => or_fail(rounded(a.real(0)), a.safe(1), || {
            format!("Illegal conversion of {} to type INT64", a.real(0))
        }),
    }
}

pub(super) fn parse_int64(text: &str) -> Option<i64> {
    let text = text.trim();
    let (sign, digits) =
        text.strip_prefix('-').map_or((1, text.strip_prefix('+').unwrap_or(text)), |rest| (-1, rest));
    match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
        Some(digits) => i64::from_str_radix(digits, 16)
            .ok()
            .filter(|_| !digits.starts_with(['+', '-']))
            .map(|number| sign * number),
        None if digits.starts_with(['+', '-']) => None,
        None => text.parse().ok(),
    }
}

fn parse_float64(text: &str) -> Option<f64> {
    let text = text.trim();
    match text.to_ascii_lowercase().as_str() {
        "inf" | "+inf" | "infinity" | "+infinity" => Some(f64::INFINITY),
        "-inf" | "-infinity" => Some(f64::NEG_INFINITY),
        "nan" => Some(f64::NAN),
        _ if spells_number(text) => text.parse().ok(),
        _ => None,
    }
}

/// Whether a text consists of digits, with an optional sign, point and exponent.
fn spells_number(text: &str) -> bool {
    text.contains(|sign: char| sign.is_ascii_digit())
        && text.chars().all(|sign| sign.is_ascii_digit() || "+-.eE".contains(sign))
        && text.parse::<f64>().is_ok()
}

/// Reads a number, as an integer if possible; null for any other text.
pub(super) fn parse(text: &str) -> Value {
    let text = text.trim();
    if let Ok(whole) = text.parse::<i64>() {
        return Value::Integer(whole);
    }
    let real = spells_number(text).then(|| text.parse::<f64>().ok()).flatten();
    real.filter(|real| real.is_finite()).map_or(Value::Null, Value::Real)
}

fn parse_number(a: &Arguments<'_, '_>) -> Result<Value> {
    match parse(a.text(0)) {
        Value::Null if a.safe(1) => Ok(Value::Null),
        Value::Null => fail(format!("Invalid NUMERIC value: {}", a.text(0))),
        number => Ok(number),
    }
}

pub(super) fn parse_bool(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "true" => Some(true),
        "false" => Some(false),
        _ => None,
    }
}

fn number_text(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(match a.value(0) {
        ValueRef::Integer(number) => number.to_string().into(),
        _ => print_float(a.real(0), false).into(),
    })
}

/// The text of a float in the columnar dialect: an exponent only for the smallest and largest.
pub(super) fn float_text(value: f64) -> String {
    match value.abs() {
        f64::INFINITY => if value > 0.0 { "inf" } else { "-inf" }.to_owned(),
        0.0 | 1e-6..1e21 => value.to_string(),
        _ => format!("{value:e}"),
    }
}

/// A quotient of the columnar dialect: infinite where the divisor is zero. SQLite has no NaN, so zero by zero is null.
fn float_divide(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(Value::Real(a.real(0) / a.real(1)))
}

/// Compares two numbers. A null is comparable with nothing.
pub(super) fn compare(one: &Value, other: &Value) -> Option<Ordering> {
    match (one, other) {
        (Value::Integer(one), Value::Integer(other)) => Some(one.cmp(other)),
        (Value::Integer(one), Value::Real(other)) => (*one as f64).partial_cmp(other),
        (Value::Real(one), Value::Integer(other)) => one.partial_cmp(&(*other as f64)),
        (Value::Real(one), Value::Real(other)) => one.partial_cmp(other),
        _ => None,
    }
}

/// A result that is a number.
fn in_domain(result: f64) -> Result<Value> {
    if result.is_finite() { Ok(result.into()) } else { fail("input is out of range") }
}
