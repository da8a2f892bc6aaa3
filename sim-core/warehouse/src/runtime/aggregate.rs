//! Aggregates that SQLite does not have.

use std::cmp::Ordering;
use std::collections::VecDeque;

use rusqlite::functions::{Aggregate, Context, WindowAggregate};
use rusqlite::types::Value;
use rusqlite::{Connection, Result};

use sim_values::budget::Budget;

use super::{PURE, fail, json, refused};

pub(super) fn register(connection: &Connection, budget: &Budget) -> Result<()> {
    for (name, first) in [("wh_first_present", true), ("wh_last_present", false)] {
        let present = Present { first, budget: budget.clone() };
        connection.create_window_function(name, 1, PURE, present)?;
    }
    connection.create_aggregate_function("wh_min", 1, PURE, Extreme(Ordering::Less))?;
    connection.create_aggregate_function("wh_max", 1, PURE, Extreme(Ordering::Greater))?;
    connection.create_aggregate_function("wh_single", 1, PURE, Single)?;
    connection.create_aggregate_function("wh_first", 1, PURE, First)?;
    for (name, join) in [("wh_bit_and", 0), ("wh_bit_or", 1), ("wh_bit_xor", 2)] {
        connection.create_aggregate_function(name, 1, PURE, JOINS[join])?;
    }
    for (name, kind) in [
        ("wh_regr_slope", Pairing::Slope),
        ("wh_regr_intercept", Pairing::Intercept),
        ("wh_regr_r2", Pairing::Determination),
        ("wh_regr_avgx", Pairing::MeanX),
        ("wh_regr_avgy", Pairing::MeanY),
        ("wh_regr_sxx", Pairing::SquaresX),
        ("wh_regr_syy", Pairing::SquaresY),
        ("wh_regr_sxy", Pairing::Products),
        ("wh_corr", Pairing::Corr),
        ("wh_covar_pop", Pairing::Pop),
        ("wh_covar_samp", Pairing::Samp),
    ] {
        connection.create_aggregate_function(name, 2, PURE, kind)?;
    }
    let spreads = [
        ("wh_stddev_samp", true, true),
        ("wh_stddev_pop", false, true),
        ("wh_var_samp", true, false),
        ("wh_var_pop", false, false),
    ];
    spreads.into_iter().try_for_each(|(name, sample, root)| {
        let spread = Spread { sample, root, budget: budget.clone() };
        connection.create_window_function(name, 1, PURE, spread)
    })
}

/// The least or greatest value of events: numbers by size, other values by text.
struct Extreme(Ordering);

impl Aggregate<Option<String>, Option<String>> for Extreme {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<String>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, best: &mut Option<String>) -> Result<()> {
        let Some(value) = context.get::<Option<String>>(0)? else { return Ok(()) };
        let better = best.as_ref().is_none_or(|best| json::compare(&value, best) == Some(self.0));
        if better {
            *best = Some(value);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, best: Option<Option<String>>) -> Result<Option<String>> {
        Ok(best.flatten())
    }
}

/// The value of the only row.
struct Single;

impl Aggregate<Option<Value>, Value> for Single {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<Value>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, only: &mut Option<Value>) -> Result<()> {
        match only.replace(context.get(0)?) {
            None => Ok(()),
            Some(_) => fail("Scalar subquery produced more than one element"),
        }
    }

    fn finalize(&self, _: &mut Context<'_>, only: Option<Option<Value>>) -> Result<Value> {
        Ok(only.flatten().unwrap_or(Value::Null))
    }
}

/// The first value that is not null.
struct First;

impl Aggregate<Option<Value>, Option<Value>> for First {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<Value>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, first: &mut Option<Value>) -> Result<()> {
        if first.is_none() {
            *first = context.get(0)?;
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, first: Option<Option<Value>>) -> Result<Option<Value>> {
        Ok(first.flatten())
    }
}

/// The first or the last value of a window's frame that is not null.
struct Present {
    first: bool,
    budget: Budget,
}

impl Aggregate<VecDeque<Value>, Value> for Present {
    fn init(&self, _: &mut Context<'_>) -> Result<VecDeque<Value>> {
        Ok(VecDeque::new())
    }

    fn step(&self, context: &mut Context<'_>, values: &mut VecDeque<Value>) -> Result<()> {
        let value: Value = context.get(0)?;
        if value != Value::Null {
            let size = if let Value::Text(text) = &value { text.len() } else { 0 };
            self.budget.hold(size_of::<Value>() + size).map_err(refused)?;
            values.push_back(value);
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, values: Option<VecDeque<Value>>) -> Result<Value> {
        let mut values = values;
        self.value(values.as_mut())
    }
}

impl WindowAggregate<VecDeque<Value>, Value> for Present {
    fn value(&self, values: Option<&mut VecDeque<Value>>) -> Result<Value> {
        let found =
            values.and_then(|values| if self.first { values.front() } else { values.back() }.cloned());
        Ok(found.unwrap_or(Value::Null))
    }

    /// The rows leave in the order in which they came.
    fn inverse(&self, context: &mut Context<'_>, values: &mut VecDeque<Value>) -> Result<()> {
        if context.get::<Value>(0)? != Value::Null {
            values.pop_front();
        }
        Ok(())
    }
}

/// The bits of all values together.
#[derive(Clone, Copy)]
struct Bits(fn(i64, i64) -> i64);

const JOINS: [Bits; 3] =
    [Bits(|one, other| one & other), Bits(|one, other| one | other), Bits(|one, other| one ^ other)];

impl Aggregate<Option<i64>, Option<i64>> for Bits {
    fn init(&self, _: &mut Context<'_>) -> Result<Option<i64>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, bits: &mut Option<i64>) -> Result<()> {
        if let Some(value) = context.get::<Option<i64>>(0)? {
            *bits = Some(bits.map_or(value, |bits| (self.0)(bits, value)));
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, bits: Option<Option<i64>>) -> Result<Option<i64>> {
        Ok(bits.flatten())
    }
}

/// How much the values of two columns go together.
#[derive(Clone, Copy)]
enum Pairing {
    Corr,
    Pop,
    Samp,
    Slope,
    Intercept,
    Determination,
    MeanX,
    MeanY,
    SquaresX,
    SquaresY,
    Products,
}

/// What PostgreSQL keeps of pairs, so that both give the same digits.
#[derive(Clone, Copy, Default)]
struct Sums {
    count: f64,
    x: f64,
    y: f64,
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Sums {
    fn add(&mut self, x: f64, y: f64) {
        let before = self.count;
        self.count += 1.0;
        self.x += x;
        self.y += y;
        if before > 0.0 {
            let (dx, dy) = (x * self.count - self.x, y * self.count - self.y);
            let scale = 1.0 / (self.count * before);
            self.xx += dx * dx * scale;
            self.yy += dy * dy * scale;
            self.xy += dx * dy * scale;
        }
    }
}

impl Aggregate<Sums, Option<f64>> for Pairing {
    fn init(&self, _: &mut Context<'_>) -> Result<Sums> {
        Ok(Sums::default())
    }

    fn step(&self, context: &mut Context<'_>, sums: &mut Sums) -> Result<()> {
        if let (Some(first), Some(second)) = (context.get::<Option<f64>>(0)?, context.get::<Option<f64>>(1)?)
        {
            match self {
                Pairing::Corr | Pairing::Pop | Pairing::Samp => sums.add(first, second),
                // Of these, the dependent value is the first argument.
                _ => sums.add(second, first),
            }
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, sums: Option<Sums>) -> Result<Option<f64>> {
        let sums = sums.unwrap_or_default();
        let result = match self {
            Pairing::Corr => sums.xy / (sums.xx * sums.yy).sqrt(),
            Pairing::Pop => sums.xy / sums.count,
            Pairing::Samp => sums.xy / (sums.count - 1.0),
            Pairing::Slope => sums.xy / sums.xx,
            Pairing::Intercept => (sums.y - sums.x * sums.xy / sums.xx) / sums.count,
            Pairing::Determination if sums.xx == 0.0 => f64::NAN,
            Pairing::Determination if sums.yy == 0.0 => 1.0,
            Pairing::Determination => (sums.xy * sums.xy) / (sums.xx * sums.yy),
            Pairing::MeanX => sums.x / sums.count,
            Pairing::MeanY => sums.y / sums.count,
            _ if sums.count == 0.0 => f64::NAN,
            Pairing::SquaresX => sums.xx,
            Pairing::SquaresY => sums.yy,
            Pairing::Products => sums.xy,
        };
        Ok(Some(result).filter(|result| result.is_finite()))
    }
}

/// Variance and its root.
struct Spread {
    sample: bool,
    root: bool,
    budget: Budget,
}

impl Spread {
    fn of(&self, seen: &VecDeque<f64>) -> Result<Option<f64>> {
        self.budget.work(seen.len()).map_err(refused)?;
        let count = seen.len() as f64;
        let freedom = if self.sample { count - 1.0 } else { count };
        if freedom <= 0.0 {
            return Ok(None);
        }
        let mean = seen.iter().sum::<f64>() / count;
        let variance = seen.iter().map(|value| (value - mean) * (value - mean)).sum::<f64>() / freedom;
        Ok(Some(if self.root { variance.sqrt() } else { variance }))
    }
}

impl Aggregate<VecDeque<f64>, Option<f64>> for Spread {
    fn init(&self, _: &mut Context<'_>) -> Result<VecDeque<f64>> {
        Ok(VecDeque::new())
    }

    fn step(&self, context: &mut Context<'_>, seen: &mut VecDeque<f64>) -> Result<()> {
        seen.extend(context.get::<Option<f64>>(0)?);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, seen: Option<VecDeque<f64>>) -> Result<Option<f64>> {
        self.of(&seen.unwrap_or_default())
    }
}

impl WindowAggregate<VecDeque<f64>, Option<f64>> for Spread {
    fn value(&self, seen: Option<&mut VecDeque<f64>>) -> Result<Option<f64>> {
        seen.map_or(Ok(None), |seen| self.of(seen))
    }

    /// The rows leave in the order in which they came.
    fn inverse(&self, context: &mut Context<'_>, seen: &mut VecDeque<f64>) -> Result<()> {
        if context.get::<Option<f64>>(0)?.is_some() {
            seen.pop_front();
        }
        Ok(())
    }
}
