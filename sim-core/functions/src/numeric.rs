//! `numeric`: exact arithmetic.

use num_bigint::BigInt;
use num_integer::Integer as _;
use rusqlite::types::Value;

use super::{Arguments, Function};
use sim_values::decimal::Decimal;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;

const ONE: &[Type] = &[Type::NUMERIC];
const TWO: &[Type] = &[Type::NUMERIC, Type::NUMERIC];
const WITH_DIGITS: &[Type] = &[Type::NUMERIC, Type::INT4];

/// The greatest argument whose factorial fits into the type.
const FACTORIAL_MAX: i64 = 32_177;

const fn numeric(
    name: &'static str,
    arguments: &'static [Type],
    call: fn(&Arguments<'_, '_>) -> Result<Value>,
) -> Function {
    Function::rust(name, arguments, Type::NUMERIC, call)
}

pub(super) static FUNCTIONS: &[Function] = &[
    numeric("+", TWO, |a| binary(a, |x, y| Ok(x.add(y)))),
    numeric("-", TWO, |a| binary(a, |x, y| Ok(x.subtract(y)))),
    numeric("*", TWO, |a| binary(a, Decimal::multiply)),
    numeric("/", TWO, |a| binary(a, Decimal::divide)),
    numeric("%", TWO, |a| binary(a, Decimal::remainder)),
    numeric("mod", TWO, |a| binary(a, Decimal::remainder)),
    numeric("div", TWO, |a| binary(a, Decimal::divide_whole)),
    numeric("^", TWO, |a| summed(a).and_then(|()| binary(a, Decimal::power))),
    numeric("power", TWO, |a| summed(a).and_then(|()| binary(a, Decimal::power))),
    numeric("pow", TWO, |a| summed(a).and_then(|()| binary(a, Decimal::power))),
    numeric("log", TWO, |a| summed(a).and_then(|()| binary(a, |base, x| x.logarithm_in(base)))),
    numeric("gcd", TWO, |a| halved(a).and_then(|()| binary(a, |x, y| whole_pair(x, y, BigInt::gcd)))),
    numeric("lcm", TWO, |a| halved(a).and_then(|()| binary(a, |x, y| whole_pair(x, y, BigInt::lcm)))),
    Function::template("+", ONE, Type::NUMERIC, "{0}"),
    numeric("-", ONE, |a| unary(a, |x| Ok(x.negated()))),
    numeric("abs", ONE, |a| unary(a, |x| Ok(x.absolute()))),
    numeric("@", ONE, |a| unary(a, |x| Ok(x.absolute()))),
    numeric("sign", ONE, |a| unary(a, |x| Ok(Decimal::whole(x.signum())))),
    numeric("ceil", ONE, |a| unary(a, |x| Ok(x.ceiling()))),
    numeric("ceiling", ONE, |a| unary(a, |x| Ok(x.ceiling()))),
    numeric("floor", ONE, |a| unary(a, |x| Ok(x.floor()))),
    numeric("round", ONE, |a| unary(a, |x| Ok(x.rounded(0)))),
    numeric("round", WITH_DIGITS, |a| unary(a, |x| Ok(x.rounded(a.int(1))))),
    numeric("trunc", ONE, |a| unary(a, |x| Ok(x.truncated(0)))),
    numeric("trunc", WITH_DIGITS, |a| unary(a, |x| Ok(x.truncated(a.int(1))))),
    numeric("sqrt", ONE, |a| unary(a, Decimal::square_root)),
    numeric("exp", ONE, |a| summed(a).and_then(|()| unary(a, Decimal::exponential))),
    numeric("ln", ONE, |a| summed(a).and_then(|()| unary(a, Decimal::logarithm))),
    numeric("log", ONE, |a| summed(a).and_then(|()| unary(a, |x| x.logarithm_in(&Decimal::whole(10))))),
    numeric("log10", ONE, |a| summed(a).and_then(|()| unary(a, |x| x.logarithm_in(&Decimal::whole(10))))),
    numeric("trim_scale", ONE, |a| unary(a, |x| Ok(x.trimmed()))),
    numeric("factorial", &[Type::INT8], factorial),
    Function::rust("scale", ONE, Type::INT4, |a| digits(a, |x| x.scale)),
    Function::rust("min_scale", ONE, Type::INT4, |a| digits(a, |x| x.trimmed().scale)),
    Function::rust(
        "width_bucket",
        &[Type::NUMERIC, Type::NUMERIC, Type::NUMERIC, Type::INT4],
        Type::INT4,
        width_bucket,
    ),
];

/// Charges the cost of a series that is computed to all digits of the arguments.
fn summed(a: &Arguments<'_, '_>) -> Result<()> {
    let digits = a.text(0).len() + a.text(1).len();
    a.budget().work(500 + digits.saturating_mul(digits).saturating_mul(digits) / 8_000)
}

/// Charges the cost of a divisor, which takes a step over all digits for each bit. Both numbers get the digits of the longer one.
fn halved(a: &Arguments<'_, '_>) -> Result<()> {
    let digits = a.text(0).len() + a.text(1).len();
    a.budget().work(digits.saturating_mul(digits) / 80)
}

pub(super) fn value(number: &Decimal) -> Value {
    Value::Text(number.to_string())
}

fn unary(a: &Arguments<'_, '_>, call: impl Fn(&Decimal) -> Result<Decimal>) -> Result<Value> {
    if a.text(0) == "NaN" {
        return Ok(Value::Text("NaN".to_owned()));
    }
    Ok(value(&call(&Decimal::read(a.text(0))?)?))
}

fn binary(a: &Arguments<'_, '_>, call: impl Fn(&Decimal, &Decimal) -> Result<Decimal>) -> Result<Value> {
    if a.text(0) == "NaN" || a.text(1) == "NaN" {
        return Ok(Value::Text("NaN".to_owned()));
    }
    Ok(value(&call(&Decimal::read(a.text(0))?, &Decimal::read(a.text(1))?)?))
}

fn digits(a: &Arguments<'_, '_>, count: impl Fn(&Decimal) -> usize) -> Result<Value> {
    if a.text(0) == "NaN" {
        return Ok(Value::Null);
    }
    Ok(Value::Integer(count(&Decimal::read(a.text(0))?) as i64))
}

/// Calls `call` with both numbers as integers of the same scale.
fn whole_pair(x: &Decimal, y: &Decimal, call: fn(&BigInt, &BigInt) -> BigInt) -> Result<Decimal> {
    let zero = Decimal { unscaled: 0.into(), scale: x.scale.max(y.scale) };
    let (x, y) = (x.add(&zero), y.add(&zero));
    Ok(Decimal { unscaled: call(&x.unscaled, &y.unscaled), scale: zero.scale })
}

fn factorial(a: &Arguments<'_, '_>) -> Result<Value> {
    match a.int(0) {
        ..0 => Err(SqlError::new(SqlState::OUT_OF_RANGE, "factorial of a negative number is undefined")),
        n @ 0..=FACTORIAL_MAX => {
            a.budget().work((n * n / 256) as usize)?;
            let product = (2..=n).fold(BigInt::from(1), |product, factor| product * factor);
            Ok(value(&Decimal::whole(product)))
        }
        _ => Err(SqlError::new(SqlState::OUT_OF_RANGE, "value overflows numeric format")),
    }
}

fn width_bucket(a: &Arguments<'_, '_>) -> Result<Value> {
    let [operand, low, high] = [0, 1, 2].map(|index| Decimal::read(a.text(index)));
    let (operand, low, high, count) = (operand?, low?, high?, a.int(3));
    let refuse = |message: &str| Err(SqlError::new(SqlState::new("2201G"), message));
    if count <= 0 {
        return refuse("count must be greater than zero");
    }
    let span = high.subtract(&low);
    if span.is_zero() {
        return refuse("lower bound cannot equal upper bound");
    }
    let distance = operand.subtract(&low).multiply(&Decimal::whole(count))?;
    let (distance, span) = match span.is_negative() {
        true => (distance.negated(), span.negated()),
        false => (distance, span),
    };
    if distance.is_negative() {
        return Ok(Value::Integer(0));
    }
    let bucket = distance.divide_whole(&span)?.to_float() as i64 + 1;
    Ok(Value::Integer(bucket.min(count + 1)))
}
