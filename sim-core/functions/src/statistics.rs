//! Aggregates of statistics: deviations, correlation, percentiles.

use num_bigint::BigInt;
use rusqlite::types::{Value, ValueRef};
use serde_json::Value as Element;

use super::aggregates::decimal;
use super::dates::{add, negated, scaled, span};
use super::{Accumulator, Arguments, Form, Function, Kind};
use sim_values::decimal::Decimal;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;
use sim_values::value::interval::Interval;
use sim_values::value::json::ELEMENT;

const I2: &[Type] = &[Type::INT2];
const I4: &[Type] = &[Type::INT4];
const I8: &[Type] = &[Type::INT8];
const N: &[Type] = &[Type::NUMERIC];
const F8: &[Type] = &[Type::FLOAT8];
const PAIR: &[Type] = &[Type::FLOAT8, Type::FLOAT8];
const FLOATS: Type = Type(1022);

/// The functions of a measure of spread, for integers, `numeric` and floating-point numbers.
macro_rules! spread {
    ($name:literal, $spread:expr) => {{
        const ROWS: [Function; 5] = [
            Function::aggregate($name, I2, Type::NUMERIC, || Box::new(Exact::of($spread))),
            Function::aggregate($name, I4, Type::NUMERIC, || Box::new(Exact::of($spread))),
            Function::aggregate($name, I8, Type::NUMERIC, || Box::new(Exact::of($spread))),
            Function::aggregate($name, N, Type::NUMERIC, || Box::new(Exact::of($spread))),
            Function::aggregate($name, F8, Type::FLOAT8, || Box::new(Single::of($spread))),
        ];
        &ROWS
    }};
}

pub(super) static STDDEV: &[Function] = spread!("stddev", Spread { population: false, root: true });
pub(super) static STDDEV_SAMP: &[Function] = spread!("stddev_samp", Spread { population: false, root: true });
pub(super) static STDDEV_POP: &[Function] = spread!("stddev_pop", Spread { population: true, root: true });
pub(super) static VARIANCE: &[Function] = spread!("variance", Spread { population: false, root: false });
pub(super) static VAR_SAMP: &[Function] = spread!("var_samp", Spread { population: false, root: false });
pub(super) static VAR_POP: &[Function] = spread!("var_pop", Spread { population: true, root: false });

pub(super) static FUNCTIONS: &[Function] = &[
    pair("corr", || Pair::of(|p| root_of(p.x.squares * p.y.squares).map(|root| p.products / root))),
    pair("covar_pop", || Pair::of(|p| Some(p.products / p.x.rows))),
    pair("covar_samp", || Pair::of(|p| (p.x.rows > 1.0).then(|| p.products / (p.x.rows - 1.0)))),
    pair("regr_avgx", || Pair::of(|p| Some(p.x.sum / p.x.rows))),
    pair("regr_avgy", || Pair::of(|p| Some(p.y.sum / p.x.rows))),
    pair("regr_sxx", || Pair::of(|p| Some(p.x.squares))),
    pair("regr_syy", || Pair::of(|p| Some(p.y.squares))),
    pair("regr_sxy", || Pair::of(|p| Some(p.products))),
    pair("regr_slope", || Pair::of(|p| (p.x.squares != 0.0).then(|| p.products / p.x.squares))),
    pair("regr_intercept", || {
        Pair::of(|p| (p.x.squares != 0.0).then(|| (p.y.sum - p.x.sum * p.products / p.x.squares) / p.x.rows))
    }),
    pair("regr_r2", || {
        Pair::of(|p| match (p.x.squares, p.y.squares) {
            (0.0, _) => None,
            (_, 0.0) => Some(1.0),
            (x, y) => Some(p.products * p.products / (x * y)),
        })
    }),
    Function::aggregate("regr_count", PAIR, Type::INT8, || Box::new(Rows::default())),
    Function::aggregate("percentile_cont", PAIR, Type::FLOAT8, || Box::new(Ordered::of(Pick::Between)))
        .nullable()
        .within_group(1),
    Function::aggregate("percentile_cont", &[FLOATS, Type::FLOAT8], FLOATS, || {
        Box::new(Ordered::of(Pick::Between))
    })
    .nullable()
    .within_group(1),
    Function::aggregate("percentile_cont", &[Type::FLOAT8, Type::INTERVAL], Type::INTERVAL, || {
        Box::new(Ordered::of(Pick::Between))
    })
    .nullable()
    .within_group(1),
    Function::aggregate("percentile_cont", &[FLOATS, Type::INTERVAL], Type(1187), || {
        Box::new(Ordered::of(Pick::Between))
    })
    .nullable()
    .within_group(1),
    Function::aggregate("percentile_disc", &[Type::FLOAT8, Type::ANYELEMENT], Type::ANYELEMENT, || {
        Box::new(Ordered::of(Pick::First))
    })
    .nullable()
    .within_group(1),
    Function::aggregate("percentile_disc", &[FLOATS, Type::ANYELEMENT], Type::ANYARRAY, || {
        Box::new(Ordered::of(Pick::First))
    })
    .nullable()
    .within_group(1),
    Function::aggregate("mode", &[Type::ANYELEMENT], Type::ANYELEMENT, || Box::new(Mode::default()))
        .within_group(0),
    hypothetical("rank", Type::INT8),
    hypothetical("dense_rank", Type::INT8),
    hypothetical("percent_rank", Type::FLOAT8),
    hypothetical("cume_dist", Type::FLOAT8),
];

const fn hypothetical(name: &'static str, returns: Type) -> Function {
    let function = Function::of(name, &[Type::ANY, Type::ANY], returns, Form::Unsupported);
    Function { kind: Kind::Aggregate { direct: Some(1) }, ..function }
}

#[derive(Clone, Copy)]
struct Spread {
    population: bool,
    root: bool,
}

/// The spread of exact numbers.
struct Exact {
    spread: Spread,
    rows: i64,
    sum: Decimal,
    squares: Decimal,
    not_a_number: bool,
}

impl Exact {
    fn of(spread: Spread) -> Exact {
        let zero = Decimal { unscaled: BigInt::ZERO, scale: 0 };
        Exact { spread, rows: 0, sum: zero.clone(), squares: zero, not_a_number: false }
    }
}

impl Accumulator for Exact {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        self.rows += 1;
        match decimal(a)? {
            Some(value) => {
                self.sum = self.sum.add(&value);
                self.squares = self.squares.add(&value.multiply(&value)?);
            }
            None => self.not_a_number = true,
        }
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        let Spread { population, root } = self.spread;
        if self.rows < if population { 1 } else { 2 } {
            return Ok(Value::Null);
        }
        if self.not_a_number {
            return Ok(Value::Text("NaN".to_owned()));
        }
        let rows = Decimal::whole(self.rows);
        let numerator = rows.multiply(&self.squares)?.subtract(&self.sum.multiply(&self.sum)?);
        if numerator.signum() <= 0 {
            return Ok(Value::Text("0".to_owned()));
        }
        let divisor = rows.multiply(&Decimal::whole(if population { self.rows } else { self.rows - 1 }))?;
        let variance = numerator.divide(&divisor)?;
        let value = if root { variance.square_root_to(variance.scale) } else { variance };
        Ok(Value::Text(value.to_string()))
    }
}

/// The sum and the squared deviations of floating-point numbers, by the method of Youngs and Cramer.
#[derive(Default)]
struct Moments {
    rows: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    /// Adds a value. Returns the distance that also occurs in the product with another variable.
    fn add(&mut self, value: f64) -> f64 {
        self.rows += 1.0;
        self.sum += value;
        let distance = value * self.rows - self.sum;
        if self.rows > 1.0 {
            self.squares += distance * distance / (self.rows * (self.rows - 1.0));
        }
        distance
    }
}

/// The spread of floating-point numbers.
struct Single {
    spread: Spread,
    moments: Moments,
}

impl Single {
    fn of(spread: Spread) -> Single {
        Single { spread, moments: Moments::default() }
    }
}

impl Accumulator for Single {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        self.moments.add(a.real(0));
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        let Spread { population, root } = self.spread;
        let divisor = if population { self.moments.rows } else { self.moments.rows - 1.0 };
        if divisor <= 0.0 {
            return Ok(Value::Null);
        }
        let variance = self.moments.squares / divisor;
        Ok(Value::Real(if root { variance.sqrt() } else { variance }))
    }
}

/// The dependence of two variables. The first argument is `y`.
struct Pair {
    x: Moments,
    y: Moments,
    products: f64,
    result: fn(&Pair) -> Option<f64>,
}

const fn pair(name: &'static str, start: fn() -> Box<dyn Accumulator>) -> Function {
    Function::aggregate(name, PAIR, Type::FLOAT8, start)
}

impl Pair {
    fn of(result: fn(&Pair) -> Option<f64>) -> Box<dyn Accumulator> {
        Box::new(Pair { x: Moments::default(), y: Moments::default(), products: 0.0, result })
    }
}

impl Accumulator for Pair {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        let before = (self.y.squares, self.x.squares);
        let (y, x) = (self.y.add(a.real(0)), self.x.add(a.real(1)));
        let rows = self.x.rows;
        if rows > 1.0 {
            // PostgreSQL multiplies here where it divides for one variable, which changes last digits.
            let scale = 1.0 / (rows * (rows - 1.0));
            self.y.squares = before.0 + y * y * scale;
            self.x.squares = before.1 + x * x * scale;
            self.products += x * y * scale;
        }
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        if self.x.rows == 0.0 {
            return Ok(Value::Null);
        }
        Ok((self.result)(self).map_or(Value::Null, Value::Real))
    }
}

fn root_of(value: f64) -> Option<f64> {
    (value > 0.0).then(|| value.sqrt())
}

/// The number of rows.
#[derive(Default)]
struct Rows(i64);

impl Accumulator for Rows {
    fn step(&mut self, _: &Arguments<'_, '_>) -> Result<()> {
        self.0 += 1;
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        Ok(Value::Integer(self.0))
    }
}

/// The value of a percentile between two rows.
#[derive(Clone, Copy)]
enum Pick {
    Between,
    First,
}

/// The rows of a group. SQLite passes them in the order of `WITHIN GROUP`.
struct Ordered {
    pick: Pick,
    fraction: Value,
    rows: Vec<Value>,
}

impl Ordered {
    fn of(pick: Pick) -> Ordered {
        Ordered { pick, fraction: Value::Null, rows: Vec::new() }
    }

    fn at(&self, fraction: f64) -> Result<Value> {
        if !(0.0..=1.0).contains(&fraction) {
            let shown = sim_values::value::print_float(fraction, false);
            let message = format!("percentile value {shown} is not between 0 and 1");
            return Err(SqlError::new(SqlState::OUT_OF_RANGE, message));
        }
        let rows = self.rows.len();
        if rows == 0 {
            return Ok(Value::Null);
        }
        let place = match self.pick {
            Pick::First => (fraction * rows as f64).ceil().max(1.0) - 1.0,
            Pick::Between => fraction * (rows - 1) as f64,
        };
        let low = place.floor();
        match (&self.rows[low as usize], self.rows.get(place.ceil() as usize)) {
            (Value::Real(below), Some(Value::Real(above))) if low < place => {
                Ok(Value::Real(below + (place - low) * (above - below)))
            }
            // Only intervals are taken apart like this. Their rows are texts.
            (Value::Text(below), Some(Value::Text(above))) if low < place => {
                let (below, above) = (Interval::parse(below)?, Interval::parse(above)?);
                let distance = scaled(add(above, negated(below)?)?, |part| part * (place - low))?;
                span(add(below, distance)?)
            }
            (below, _) => Ok(below.clone()),
        }
    }
}

impl Accumulator for Ordered {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        // It is the same for all rows, and may be a long array.
        if self.rows.is_empty() {
            self.fraction = a.owned(0);
        }
        if !a.is_null(1) {
            a.budget().hold(a.text(1).len() + ELEMENT)?;
            self.rows.push(a.owned(1));
        }
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        match &self.fraction {
            Value::Real(fraction) => self.at(*fraction),
            Value::Text(fractions) if !self.rows.is_empty() => {
                let values = array::elements(fractions).into_iter().map(|fraction| {
                    let Some(fraction) = fraction.as_f64() else { return Ok(Element::Null) };
                    Ok(array::element(ValueRef::from(&self.at(fraction)?)))
                });
                Ok(array::of(values.collect::<Result<_>>()?))
            }
            _ => Ok(Value::Null),
        }
    }
}

/// The most frequent value; of several, the first in order. Equal values follow each other: their keys, the second arguments, are
/// equal.
#[derive(Default)]
struct Mode {
    best: Option<(u64, Value)>,
    /// How often the present value has come, the first one of them, and its key.
    current: Option<(u64, Value, String)>,
}

impl Accumulator for Mode {
    fn step(&mut self, a: &Arguments<'_, '_>) -> Result<()> {
        let key = a.text(1);
        match &mut self.current {
            Some((count, _, known)) if array::compare(known, key, str::cmp).is_eq() => *count += 1,
            current => *current = Some((1, a.owned(0), key.to_owned())),
        }
        let most = self.best.as_ref().map_or(0, |(most, _)| *most);
        self.best = match &self.current {
            Some((count, value, _)) if *count > most => Some((*count, value.clone())),
            _ => self.best.take(),
        };
        Ok(())
    }

    fn value(&self) -> Result<Value> {
        Ok(self.best.as_ref().map_or(Value::Null, |(_, value)| value.clone()))
    }
}
