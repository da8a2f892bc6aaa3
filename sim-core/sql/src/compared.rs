//! Comparison of values: collations, and functions for expressions that consist of several comparisons. The functions evaluate
//! each operand once.

use std::cmp::Ordering;

use rusqlite::Connection;
use rusqlite::functions::{Aggregate, Context};
use rusqlite::types::{Value, ValueRef};

use super::functions::decoded::{parsing_work, reading_work};
use super::functions::{PURE, pure, through_sqlite};
use super::state::Shared;
use super::value::array;
use super::value::order::{self, COLLATIONS, Collation, Parts};

/// The units of work of each comparison.
const COMPARISON: usize = 5;

pub(super) fn register(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    for Collation { name, of_arrays, order } in COLLATIONS {
        // SQLite has the other ones by itself.
        if name.starts_with("pg_") {
            collate(connection, shared, name, order)?;
        }
        collate(connection, shared, of_arrays, move |a, b| array::compare(a, b, order))?;
    }
    // The value of a row or an array, and the orders of its parts.
    let budget = shared.budget.clone();
    pure(connection, shared, "pg_key", move |context| {
        let (value, parts) = (context.get_raw(0).as_str().unwrap_or(""), context.get_raw(1).as_str());
        if context.get_raw(0) == ValueRef::Null {
            return Ok(Value::Null);
        }
        budget.work(parsing_work(value.as_bytes())).map_err(through_sqlite)?;
        let key = Parts::read(parts.unwrap_or("")).key(array::elements(value).into());
        Ok(Value::Text(key.to_string()))
    })?;
    for (name, wanted) in [("pg_greatest", Ordering::Greater), ("pg_least", Ordering::Less)] {
        pure(connection, shared, name, move |context| Ok(extreme(context, wanted)))?;
    }
    // The name of a collation, and two values.
    pure(connection, shared, "pg_nullif", |context| {
        let same = order(context, 1, 2) == Some(Ordering::Equal);
        Ok(if same { Value::Null } else { context.get_raw(1).try_into().unwrap_or(Value::Null) })
    })?;
    // The name of a collation, a value, and two ends in any order.
    pure(connection, shared, "pg_within", |context| {
        let ends = (order(context, 1, 2), order(context, 1, 3));
        let (Some(one), Some(other)) = ends else { return Ok(Value::Null) };
        Ok(Value::Integer((one.is_eq() || other.is_eq() || one != other).into()))
    })?;
    connection.create_aggregate_function("pg_any", 1, PURE, Junction { decisive: true })?;
    connection.create_aggregate_function("pg_all", 1, PURE, Junction { decisive: false })
}

/// Registers a collation whose comparisons draw from the budget.
fn collate(
    connection: &Connection,
    shared: &Shared,
    name: &str,
    order: impl Fn(&str, &str) -> Ordering + Send + std::panic::UnwindSafe + std::panic::RefUnwindSafe + 'static,
) -> rusqlite::Result<()> {
    let budget = shared.budget.clone();
    connection.create_collation(name, move |a, b| {
        // A comparison can't fail. Once the budget is used up, its result does not matter.
        let equal = a == b;
        let work = if equal { a.len() / 32 } else { reading_work(a.as_bytes()) + reading_work(b.as_bytes()) };
        let goes_on = budget.draw(COMPARISON + work);
        if equal {
            Ordering::Equal
        } else if goes_on {
            order(a, b)
        } else {
            a.cmp(b)
        }
    })
}

/// The first of the least or greatest values. A null counts less than any value.
fn extreme(context: &Context<'_>, wanted: Ordering) -> Value {
    let mut best = 1;
    for next in 2..context.len() {
        let better = order(context, next, best) == Some(wanted);
        if better || context.get_raw(best) == ValueRef::Null {
            best = next;
        }
    }
    context.get_raw(best).try_into().unwrap_or(Value::Null)
}

/// Compares two arguments by the collation that the first argument names; `None` if one is null.
fn order(context: &Context<'_>, left: usize, right: usize) -> Option<Ordering> {
    let collation = context.get_raw(0).as_str().unwrap_or("");
    Some(match (context.get_raw(left), context.get_raw(right)) {
        (ValueRef::Null, _) | (_, ValueRef::Null) => return None,
        (ValueRef::Integer(a), ValueRef::Integer(b)) => a.cmp(&b),
        (ValueRef::Real(a), ValueRef::Real(b)) => floats(a, b),
        (ValueRef::Integer(a), ValueRef::Real(b)) => floats(a as f64, b),
        (ValueRef::Real(a), ValueRef::Integer(b)) => floats(a, b as f64),
        (ValueRef::Text(a), ValueRef::Text(b)) => texts(collation, a, b),
        (ValueRef::Blob(a), ValueRef::Blob(b)) => a.cmp(b),
        (a, b) => rank(a).cmp(&rank(b)),
    })
}

/// The order of two numbers, of which a zero has no sign.
fn floats(a: f64, b: f64) -> Ordering {
    (a + 0.0).total_cmp(&(b + 0.0))
}

fn texts(collation: &str, a: &[u8], b: &[u8]) -> Ordering {
    if a == b {
        return Ordering::Equal;
    }
    match (std::str::from_utf8(a), std::str::from_utf8(b)) {
        (Ok(a), Ok(b)) => order::compare(collation, a, b),
        _ => a.cmp(b),
    }
}

/// SQLite's order of values of different kinds.
fn rank(value: ValueRef<'_>) -> u8 {
    match value {
        ValueRef::Null => 0,
        ValueRef::Integer(_) | ValueRef::Real(_) => 1,
        ValueRef::Text(_) => 2,
        ValueRef::Blob(_) => 3,
    }
}

/// The result of `AND` or `OR`: an operand with the value `decisive` decides it, otherwise any unknown operand makes it unknown.
struct Junction {
    decisive: bool,
}

impl Aggregate<Option<bool>, Option<bool>> for Junction {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Option<bool>> {
        Ok(Some(!self.decisive))
    }

    fn step(&self, context: &mut Context<'_>, result: &mut Option<bool>) -> rusqlite::Result<()> {
        match context.get::<Option<bool>>(0)? {
            Some(outcome) if outcome == self.decisive => *result = Some(self.decisive),
            None if *result != Some(self.decisive) => *result = None,
            _ => {}
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, result: Option<Option<bool>>) -> rusqlite::Result<Option<bool>> {
        Ok(result.unwrap_or(Some(!self.decisive)))
    }
}
