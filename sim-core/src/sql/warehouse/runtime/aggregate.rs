//! Aggregates that SQLite has not.

use std::cmp::Ordering;

use rusqlite::functions::{Aggregate, Context};
use rusqlite::types::Value;
use rusqlite::{Connection, Result};
use serde_json::Value as Json;

use super::{PURE, json, number};

pub(super) fn register(connection: &Connection) -> Result<()> {
    connection.create_aggregate_function("wh_min", 1, PURE, Extreme(Ordering::Less))?;
    connection.create_aggregate_function("wh_max", 1, PURE, Extreme(Ordering::Greater))?;
    connection.create_aggregate_function("wh_quantiles", 2, PURE, Quantiles)?;
    let spreads = [
        ("wh_stddev_samp", Spread { sample: true, root: true }),
        ("wh_stddev_pop", Spread { sample: false, root: true }),
        ("wh_var_samp", Spread { sample: true, root: false }),
        ("wh_var_pop", Spread { sample: false, root: false }),
    ];
    spreads
        .into_iter()
        .try_for_each(|(name, spread)| connection.create_aggregate_function(name, 1, PURE, spread))
}

/// The least or greatest value of events: numbers by size, all else by text.
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

/// The borders of groups of equal size.
struct Quantiles;

/// What has been seen, and into how many groups it goes.
type Seen = (Vec<Value>, i64);

impl Aggregate<Seen, Option<String>> for Quantiles {
    fn init(&self, _: &mut Context<'_>) -> Result<Seen> {
        Ok((Vec::new(), 1))
    }

    fn step(&self, context: &mut Context<'_>, seen: &mut Seen) -> Result<()> {
        seen.1 = context.get(1)?;
        match context.get::<Value>(0)? {
            Value::Null => {}
            value => seen.0.push(value),
        }
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, seen: Option<Seen>) -> Result<Option<String>> {
        let Some((mut values, groups)) = seen.filter(|(values, _)| !values.is_empty()) else {
            return Ok(None);
        };
        values.sort_by(|one, other| match (one, other) {
            (Value::Text(one), Value::Text(other)) => one.cmp(other),
            (one, other) => number::compare(one, other).unwrap_or(Ordering::Equal),
        });
        let count = values.len() as i64;
        let border = |group: i64| {
            let place = ((group * count + groups - 1) / groups - 1).max(0);
            match &values[usize::try_from(place).unwrap_or(0)] {
                Value::Integer(number) => Json::from(*number),
                Value::Real(number) => Json::from(*number),
                Value::Text(text) => Json::from(text.as_str()),
                _ => Json::Null,
            }
        };
        Ok(Some(Json::Array((0..=groups).map(border).collect()).to_string()))
    }
}

/// Variance and its root.
#[derive(Clone, Copy)]
struct Spread {
    sample: bool,
    root: bool,
}

impl Aggregate<Vec<f64>, Option<f64>> for Spread {
    fn init(&self, _: &mut Context<'_>) -> Result<Vec<f64>> {
        Ok(Vec::new())
    }

    fn step(&self, context: &mut Context<'_>, seen: &mut Vec<f64>) -> Result<()> {
        seen.extend(context.get::<Option<f64>>(0)?);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, seen: Option<Vec<f64>>) -> Result<Option<f64>> {
        let seen = seen.unwrap_or_default();
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
