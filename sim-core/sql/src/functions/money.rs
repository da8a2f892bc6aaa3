//! Arithmetic of amounts of money.

use rusqlite::types::Value;

use super::{Accumulator, Arguments, Function, out_of_range};
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;

const M: Type = Type::MONEY;
const I8: Type = Type::INT8;
const F8: Type = Type::FLOAT8;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::rust("+", &[M, M], M, |a| whole(a.int(0).checked_add(a.int(1)))),
    Function::rust("-", &[M, M], M, |a| whole(a.int(0).checked_sub(a.int(1)))),
    Function::rust("-", &[M], M, |a| whole(a.int(0).checked_neg())),
    Function::rust("*", &[M, I8], M, |a| whole(a.int(0).checked_mul(a.int(1)))),
    Function::rust("*", &[I8, M], M, |a| whole(a.int(0).checked_mul(a.int(1)))),
    Function::rust("*", &[M, F8], M, |a| rounded(a.int(0) as f64 * a.real(1))),
    Function::rust("*", &[F8, M], M, |a| rounded(a.real(0) * a.int(1) as f64)),
    Function::rust("/", &[M, I8], M, |a| {
        require_divisor(a.int(1) != 0)?;
        whole(a.int(0).checked_div(a.int(1)))
    }),
    Function::rust("/", &[M, F8], M, |a| {
        require_divisor(a.real(1) != 0.0)?;
        rounded(a.int(0) as f64 / a.real(1))
    }),
    Function::rust("/", &[M, M], F8, |a| {
        require_divisor(a.int(1) != 0)?;
        Ok(Value::Real(a.int(0) as f64 / a.int(1) as f64))
    }),
    Function::aggregate("sum", &[M], M, || Box::new(Total::default())),
    Function::aggregate_template("min", &[M], M, "min({0})"),
    Function::aggregate_template("max", &[M], M, "max({0})"),
];

fn whole(amount: Option<i64>) -> Result<Value> {
    amount.map(Value::Integer).ok_or_else(|| out_of_range(M))
}

fn rounded(amount: f64) -> Result<Value> {
    crate::value::float_to_integer(I8, amount).map_err(|_| out_of_range(M))
}

fn require_divisor(holds: bool) -> Result<()> {
    if holds { Ok(()) } else { Err(SqlError::new(SqlState::new("22012"), "division by zero")) }
}

/// The sum of a group, if it has rows.
#[derive(Default)]
struct Total(Option<i64>);

impl Accumulator for Total {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        let sum = self.0.unwrap_or(0).checked_add(a.int(0));
        self.0 = Some(sum.ok_or_else(|| out_of_range(M))?);
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        Ok(self.0.map_or(Value::Null, Value::Integer))
    }
}
