//! Aggregates over numbers, aggregates that SQLite has, and window functions, all of which SQLite has.

use std::collections::VecDeque;

use num_bigint::BigInt;
use rusqlite::types::Value;

use super::dates::{add, negated, read as interval, scaled, span};
use super::{Accumulator, Arguments, Form, Function, Kind, out_of_range};
use sim_values::decimal::Decimal;
use sim_values::error::{Result, SqlError};
use sim_values::types::Type;
use sim_values::value::interval::Interval;

const I2: Type = Type::INT2;
const I4: Type = Type::INT4;
const I8: Type = Type::INT8;
const F4: Type = Type::FLOAT4;
const F8: Type = Type::FLOAT8;
const N: Type = Type::NUMERIC;
const IV: Type = Type::INTERVAL;
const ANY: Type = Type::ANYELEMENT;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::aggregate_template("count", &[Type::ANY], I8, "count({0})"),
    Function::aggregate("sum", &[I2], I8, || Box::new(Whole::default())),
    Function::aggregate("sum", &[I4], I8, || Box::new(Whole::default())),
    Function::aggregate("sum", &[I8], N, || Box::new(Sum::<false>::default())),
    Function::aggregate("sum", &[N], N, || Box::new(Sum::<false>::default())),
    Function::aggregate("sum", &[F4], F4, || Box::new(Float::<false, true>::default())),
    Function::aggregate("sum", &[F8], F8, || Box::new(Float::<false, false>::default())),
    Function::aggregate("sum", &[IV], IV, || Box::new(Spans::<false>::default())),
    Function::aggregate("avg", &[I2], N, || Box::new(Sum::<true>::default())),
    Function::aggregate("avg", &[I4], N, || Box::new(Sum::<true>::default())),
    Function::aggregate("avg", &[I8], N, || Box::new(Sum::<true>::default())),
    Function::aggregate("avg", &[N], N, || Box::new(Sum::<true>::default())),
    Function::aggregate("avg", &[F4], F8, || Box::new(Float::<true, false>::default())),
    Function::aggregate("avg", &[F8], F8, || Box::new(Float::<true, false>::default())),
    Function::aggregate("pg_moving_sum", &[F4], F4, || Box::new(Moving::<false, true>::default())),
    Function::aggregate("pg_moving_sum", &[F8], F8, || Box::new(Moving::<false, false>::default())),
    Function::aggregate("pg_moving_avg", &[F4], F8, || Box::new(Moving::<true, false>::default())),
    Function::aggregate("pg_moving_avg", &[F8], F8, || Box::new(Moving::<true, false>::default())),
    Function::aggregate("avg", &[IV], IV, || Box::new(Spans::<true>::default())),
    extreme("min", &[I2], "min({0})"),
    extreme("min", &[I4], "min({0})"),
    extreme("min", &[I8], "min({0})"),
    extreme("min", &[F4], "min({0})"),
    extreme("min", &[F8], "min({0})"),
    extreme("min", &[N], "min({0} COLLATE pg_numeric)"),
    extreme("min", &[Type::TEXT], "min({0})"),
    extreme("min", &[Type::BPCHAR], "min({0})"),
    extreme("min", &[Type::DATE], "min({0})"),
    extreme("min", &[Type::TIME], "min({0})"),
    extreme("min", &[Type::TIMESTAMP], "min({0})"),
    extreme("min", &[Type::TIMESTAMPTZ], "min({0})"),
    extreme("min", &[Type::OID], "min({0})"),
    extreme("min", &[Type::TID], "min({0})"),
    extreme("min", &[Type::INET], "min({0} COLLATE pg_inet)"),
    extreme("min", &[IV], "min({0} COLLATE pg_interval)"),
    extreme("min", &[Type::ANYARRAY], "min({0})"),
    extreme("max", &[I2], "max({0})"),
    extreme("max", &[I4], "max({0})"),
    extreme("max", &[I8], "max({0})"),
    extreme("max", &[F4], "max({0})"),
    extreme("max", &[F8], "max({0})"),
    extreme("max", &[N], "max({0} COLLATE pg_numeric)"),
    extreme("max", &[Type::TEXT], "max({0})"),
    extreme("max", &[Type::BPCHAR], "max({0})"),
    extreme("max", &[Type::DATE], "max({0})"),
    extreme("max", &[Type::TIME], "max({0})"),
    extreme("max", &[Type::TIMESTAMP], "max({0})"),
    extreme("max", &[Type::TIMESTAMPTZ], "max({0})"),
    extreme("max", &[Type::OID], "max({0})"),
    extreme("max", &[Type::TID], "max({0})"),
    extreme("max", &[Type::INET], "max({0} COLLATE pg_inet)"),
    extreme("max", &[Type::TIMETZ], "max({0} COLLATE pg_timetz)"),
    extreme("min", &[Type::TIMETZ], "min({0} COLLATE pg_timetz)"),
    extreme("max", &[IV], "max({0} COLLATE pg_interval)"),
    extreme("max", &[Type::ANYARRAY], "max({0})"),
    Function::aggregate_template("bool_and", &[Type::BOOL], Type::BOOL, "min({0})"),
    Function::aggregate_template("bool_or", &[Type::BOOL], Type::BOOL, "max({0})"),
    Function::aggregate_template("every", &[Type::BOOL], Type::BOOL, "min({0})"),
    bits("bit_and", &[I2], || Box::new(Bits::of(|a, b| a & b))),
    bits("bit_and", &[I4], || Box::new(Bits::of(|a, b| a & b))),
    bits("bit_and", &[I8], || Box::new(Bits::of(|a, b| a & b))),
    bits("bit_or", &[I2], || Box::new(Bits::of(|a, b| a | b))),
    bits("bit_or", &[I4], || Box::new(Bits::of(|a, b| a | b))),
    bits("bit_or", &[I8], || Box::new(Bits::of(|a, b| a | b))),
    bits("bit_xor", &[I2], || Box::new(Bits::of(|a, b| a ^ b))),
    bits("bit_xor", &[I4], || Box::new(Bits::of(|a, b| a ^ b))),
    bits("bit_xor", &[I8], || Box::new(Bits::of(|a, b| a ^ b))),
    window("row_number", &[], I8, "row_number()"),
    window("rank", &[], I8, "rank()"),
    window("dense_rank", &[], I8, "dense_rank()"),
    window("percent_rank", &[], F8, "percent_rank()"),
    window("cume_dist", &[], F8, "cume_dist()"),
    window("ntile", &[I4], I4, "ntile({0})"),
    window("lag", &[ANY], ANY, "lag({0})"),
    window("lag", &[ANY, I4], ANY, "lag({0}, {1})"),
    window("lag", &[Type::ANYCOMPATIBLE, I4, Type::ANYCOMPATIBLE], Type::ANYCOMPATIBLE, "lag({*})"),
    window("lead", &[ANY], ANY, "lead({0})"),
    window("lead", &[ANY, I4], ANY, "lead({0}, {1})"),
    window("lead", &[Type::ANYCOMPATIBLE, I4, Type::ANYCOMPATIBLE], Type::ANYCOMPATIBLE, "lead({*})"),
    window("first_value", &[ANY], ANY, "first_value({0})"),
    window("last_value", &[ANY], ANY, "last_value({0})"),
    window("nth_value", &[ANY, I4], ANY, "nth_value({0}, {1})"),
];

/// The least or greatest value; the result has the type of the argument.
const fn extreme(name: &'static str, arguments: &'static [Type], template: &'static str) -> Function {
    Function::aggregate_template(name, arguments, arguments[0], template)
}

const fn bits(
    name: &'static str,
    arguments: &'static [Type],
    start: fn() -> Box<dyn Accumulator>,
) -> Function {
    Function::aggregate(name, arguments, arguments[0], start)
}

const fn window(
    name: &'static str,
    arguments: &'static [Type],
    returns: Type,
    template: &'static str,
) -> Function {
    Function { kind: Kind::Window, ..Function::of(name, arguments, returns, Form::Template(template)) }
}

/// The sum of integers, as an integer.
#[derive(Default)]
struct Whole {
    rows: u64,
    sum: i128,
}

impl Accumulator for Whole {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        self.rows += 1;
        self.sum += i128::from(a.int(0));
        Ok(())
    }

    fn inverse(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        self.rows -= 1;
        self.sum -= i128::from(a.int(0));
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        if self.rows == 0 {
            return Ok(Value::Null);
        }
        i64::try_from(self.sum).map(Value::Integer).map_err(|_| out_of_range(I8))
    }
}

/// Argument 0, an integer or a `numeric`; `None` for `NaN`.
pub(super) fn decimal(a: &Arguments<'_, '_>) -> Result<Option<Decimal>> {
    match a.value(0) {
        rusqlite::types::ValueRef::Integer(value) => Ok(Some(Decimal::whole(value))),
        _ if a.text(0) == "NaN" => Ok(None),
        _ => Decimal::read(a.text(0)).map(Some),
    }
}

/// The sum or the mean, as a `numeric`.
struct Sum<const MEAN: bool> {
    rows: i64,
    not_numbers: i64,
    sum: Decimal,
}

impl<const MEAN: bool> Default for Sum<MEAN> {
    fn default() -> Self {
        Sum { rows: 0, not_numbers: 0, sum: Decimal { unscaled: BigInt::ZERO, scale: 0 } }
    }
}

impl<const MEAN: bool> Accumulator for Sum<MEAN> {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        self.rows += 1;
        match decimal(a)? {
            Some(value) => self.sum = self.sum.add(&value),
            None => self.not_numbers += 1,
        }
        Ok(())
    }

    fn inverse(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        self.rows -= 1;
        match decimal(a)? {
            Some(value) => self.sum = self.sum.subtract(&value),
            None => self.not_numbers -= 1,
        }
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        if self.rows == 0 {
            return Ok(Value::Null);
        }
        if self.not_numbers > 0 {
            return Ok(Value::Text("NaN".to_owned()));
        }
        let value = if MEAN { self.sum.divide(&Decimal::whole(self.rows))? } else { self.sum.clone() };
        Ok(Value::Text(value.to_string()))
    }
}

/// The sum or the mean of floating-point numbers; with `SINGLE`, each sum has single precision.
#[derive(Default)]
struct Float<const MEAN: bool, const SINGLE: bool> {
    rows: u64,
    sum: f64,
}

impl<const MEAN: bool, const SINGLE: bool> Float<MEAN, SINGLE> {
    fn add(&mut self, number: f64) {
        self.rows += 1;
        self.sum += number;
        if SINGLE {
            self.sum = f64::from(self.sum as f32);
        }
    }
}

impl<const MEAN: bool, const SINGLE: bool> Accumulator for Float<MEAN, SINGLE> {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        self.add(a.real(0));
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        match self.rows {
            0 => Ok(Value::Null),
            _ if self.sum.is_nan() => Err(SqlError::unsupported("the floating-point value NaN")),
            rows => Ok(Value::Real(if MEAN { self.sum / rows as f64 } else { self.sum })),
        }
    }
}

/// The sum or the mean of floating-point numbers over a frame whose start moves. PostgreSQL adds them anew for each row, because a
/// number that is taken away again changes the last digits.
#[derive(Default)]
struct Moving<const MEAN: bool, const SINGLE: bool>(VecDeque<f64>);

impl<const MEAN: bool, const SINGLE: bool> Accumulator for Moving<MEAN, SINGLE> {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        a.budget().hold(8)?;
        self.0.push_back(a.real(0));
        Ok(())
    }

    fn inverse(&mut self, _: &Arguments<'_, '_>) -> Result<()> {
        self.0.pop_front();
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        let mut sum = Float::<MEAN, SINGLE>::default();
        self.0.iter().for_each(|number| sum.add(*number));
        sum.value()
    }

    fn kept(&self) -> usize {
        self.0.len()
    }
}

/// The aggregate that computes the same over a frame whose start moves, if the usual one can't.
pub fn moving(function: &Function) -> Option<&'static Function> {
    let name = match function.name {
        "sum" => "pg_moving_sum",
        "avg" => "pg_moving_avg",
        _ => return None,
    };
    super::overloads(name).iter().copied().find(|moving| moving.arguments == function.arguments)
}

/// The sum or the mean of intervals.
#[derive(Default)]
struct Spans<const MEAN: bool> {
    rows: u64,
    sum: Interval,
}

impl<const MEAN: bool> Accumulator for Spans<MEAN> {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        self.rows += 1;
        self.sum = add(self.sum, interval(a, 0)?)?;
        Ok(())
    }

    fn inverse(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        self.rows -= 1;
        self.sum = add(self.sum, negated(interval(a, 0)?)?)?;
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        match self.rows {
            0 => Ok(Value::Null),
            rows if MEAN => span(scaled(self.sum, |part| part / rows as f64)?),
            _ => span(self.sum),
        }
    }
}

/// An operation on the bits of all values.
struct Bits {
    value: Option<i64>,
    call: fn(i64, i64) -> i64,
}

impl Bits {
    fn of(call: fn(i64, i64) -> i64) -> Bits {
        Bits { value: None, call }
    }
}

impl Accumulator for Bits {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        self.value = Some(self.value.map_or(a.int(0), |value| (self.call)(value, a.int(0))));
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        Ok(self.value.map_or(Value::Null, Value::Integer))
    }
}
