//! `generate_series`.

use rusqlite::types::Value;
use serde_json::Value as Element;

use super::dates::{moved, moved_in_zone, read};
use super::register::digits_work;
use super::{Arguments, Function};
use sim_values::decimal::Decimal;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;
use sim_values::value::datetime::is_finite;
use sim_values::zone::to_local;

/// The most rows of a series. More rows would exceed the memory of a statement.
const ROWS_MAX: usize = 1_000_000;

const I4: Type = Type::INT4;
const I8: Type = Type::INT8;
const N: Type = Type::NUMERIC;
const TS: Type = Type::TIMESTAMP;
const TZ: Type = Type::TIMESTAMPTZ;
const IV: Type = Type::INTERVAL;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::set("generate_series", &[I4, I4], I4, &[], integers),
    Function::set("generate_series", &[I4, I4, I4], I4, &[], integers),
    Function::set("generate_series", &[I8, I8], I8, &[], integers),
    Function::set("generate_series", &[I8, I8, I8], I8, &[], integers),
    Function::set("generate_series", &[N, N], N, &[], decimals),
    Function::set("generate_series", &[N, N, N], N, &[], decimals),
    Function::set("generate_series", &[TS, TS, IV], TS, &[], instants),
    Function::set("generate_series", &[TZ, TZ, IV], TZ, &[], instants),
    Function::set("generate_series", &[TZ, TZ, IV, Type::TEXT], TZ, &[], instants),
];

fn no_step() -> SqlError {
    SqlError::new(SqlState::INVALID_PARAMETER, "step size cannot equal zero")
}

fn collect(a: &Arguments<'_, '_>, items: impl Iterator<Item = Element>) -> Result<Value> {
    let items: Vec<Element> = items.take(ROWS_MAX + 1).take_while(|_| a.budget().draw(5)).collect();
    if items.len() > ROWS_MAX {
        return Err(SqlError::unsupported(format!("a series of more than {ROWS_MAX} rows")));
    }
    Ok(array::of(items))
}

fn integers(a: &Arguments<'_, '_>) -> Result<Value> {
    let (first, last, step) = (a.int(0), a.int(1), if a.len() > 2 { a.int(2) } else { 1 });
    if step == 0 {
        return Err(no_step());
    }
    let within = |value: &i64| if step > 0 { *value <= last } else { *value >= last };
    let series = std::iter::successors(Some(first), |value| value.checked_add(step));
    collect(a, series.take_while(within).map(Element::from))
}

fn decimals(a: &Arguments<'_, '_>) -> Result<Value> {
    let first = Decimal::read(a.text(0))?;
    let last = Decimal::read(a.text(1))?;
    let step = if a.len() > 2 { Decimal::read(a.text(2))? } else { Decimal::whole(1) };
    if step.is_zero() {
        return Err(no_step());
    }
    let within = |value: &Decimal| {
        let distance = last.subtract(value).signum();
        distance == 0 || distance == step.signum()
    };
    // Sums have the digits of the longest number, and are written twice: as items and as their array.
    let digits = a.text(0).len().max(a.text(1).len()).max(if a.len() > 2 { a.text(2).len() } else { 0 });
    let affordable =
        |_: &Decimal| a.budget().draw(2 * digits_work(2 * digits)) && a.budget().hold(2 * digits).is_ok();
    let series = std::iter::successors(Some(first), |value| Some(value.add(&step)));
    let series = series.take_while(affordable).take_while(within);
    let items = collect(a, series.map(|value| value.to_string().into()))?;
    a.budget().refusal().map_or(Ok(items), Err)
}

fn instants(a: &Arguments<'_, '_>) -> Result<Value> {
    let (first, last, step) = (a.int(0), a.int(1), read(a, 2)?);
    let direction = step.length().signum();
    if direction == 0 {
        return Err(no_step());
    }
    if !is_finite(first) || !is_finite(last) {
        return Err(SqlError::unsupported("a series with infinite bounds"));
    }
    let within = |value: &i64| if direction > 0 { *value <= last } else { *value >= last };
    let zone = if a.len() > 3 { Some(a.text(3)) } else { None };
    if let Some(zone) = zone {
        // No timestamp between the two is out of reach if they are not.
        to_local(first, zone)?;
        to_local(last, zone)?;
    }
    let next = |value: &i64| match zone {
        Some(zone) => moved_in_zone(*value, step, 1, zone).ok()?,
        None => moved(*value, step, 1),
    };
    let series = std::iter::successors(Some(first), next);
    collect(a, series.take_while(within).map(Element::from))
}
