//! What a path computes: arithmetic and methods.

use crate::decimal::Decimal;
use crate::error::{Result, SqlError, SqlState};
use crate::value::json::Json;

/// What is computed of two numbers, or of one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Operator {
    pub(super) const fn symbol(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
            Operator::Remainder => "%",
        }
    }

    /// The result for two items, each of which must be one number.
    pub(super) fn of(self, left: &[&Json], right: &[&Json]) -> Result<Json> {
        let operand = |items: &[&Json], side: &str| match items {
            [Json::Number(number)] => Decimal::read(number),
            _ => {
                let message = format!(
                    "{side} operand of jsonpath operator {} is not a single numeric value",
                    self.symbol()
                );
                Err(SqlError::new(SqlState::new("22038"), message))
            }
        };
        let (left, right) = (operand(left, "left")?, operand(right, "right")?);
        Ok(number(&match self {
            Operator::Add => left.add(&right),
            Operator::Subtract => left.subtract(&right),
            Operator::Multiply => left.multiply(&right)?,
            Operator::Divide => left.divide(&right)?,
            Operator::Remainder => left.remainder(&right)?,
        }))
    }

    /// The result for each item after a sign.
    pub(super) fn of_one(self, item: &Json) -> Result<Json> {
        let Json::Number(digits) = item else {
            let message =
                format!("operand of unary jsonpath operator {} is not a numeric value", self.symbol());
            return Err(SqlError::new(SqlState::new("2203B"), message));
        };
        let value = Decimal::read(digits)?;
        Ok(number(&if matches!(self, Operator::Subtract) { value.negated() } else { value }))
    }
}

/// A method that computes something of an item. The identifiers of `keyvalue()` are zero.
#[derive(Clone, Copy, Debug)]
pub(super) enum Method {
    Double,
    Ceiling,
    Floor,
    Abs,
    KeyValue,
}

impl Method {
    pub(super) fn named(name: &str) -> Option<Method> {
        Some(match name {
            "double" => Method::Double,
            "ceiling" => Method::Ceiling,
            "floor" => Method::Floor,
            "abs" => Method::Abs,
            "keyvalue" => Method::KeyValue,
            _ => return None,
        })
    }

    /// The items that it makes of one.
    pub(super) fn of(self, item: &Json) -> Result<Vec<Json>> {
        let name = match self {
            Method::Double => return double(item).map(|value| vec![value]),
            Method::KeyValue => return key_values(item),
            Method::Ceiling => "ceiling",
            Method::Floor => "floor",
            Method::Abs => "abs",
        };
        let Json::Number(digits) = item else {
            let message = format!("jsonpath item method .{name}() can only be applied to a numeric value");
            return Err(SqlError::new(SqlState::new("22036"), message));
        };
        let value = Decimal::read(digits)?;
        Ok(vec![number(&match self {
            Method::Ceiling => value.ceiling(),
            Method::Floor => value.floor(),
            _ => value.absolute(),
        })])
    }
}

fn double(item: &Json) -> Result<Json> {
    let text = match item {
        Json::Number(text) => Some(text.clone()),
        Json::String(text) => Some(text.trim().to_owned()),
        _ => None,
    };
    let Some(text) = text else {
        let message = "jsonpath item method .double() can only be applied to a string or numeric value";
        return Err(SqlError::new(SqlState::new("22036"), message));
    };
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(number(&Decimal::from_float(value)?)),
        _ => {
            let what = if item.kind() == "string" { "string" } else { "numeric" };
            let message = format!(
                "{what} argument of jsonpath item method .double() is not a valid representation of a double precision number"
            );
            Err(SqlError::new(SqlState::new("22036"), message))
        }
    }
}

fn key_values(item: &Json) -> Result<Vec<Json>> {
    let Json::Object(members) = item else {
        let message = "jsonpath item method .keyvalue() can only be applied to an object";
        return Err(SqlError::new(SqlState::new("2203C"), message));
    };
    let pair = |(key, value): &(String, Json)| {
        let members = [
            ("id", Json::Number("0".to_owned())),
            ("key", Json::String(key.clone())),
            ("value", value.clone()),
        ];
        Json::Object(members.map(|(name, value)| (name.to_owned(), value)).to_vec())
    };
    Ok(members.iter().map(pair).collect())
}

fn number(value: &Decimal) -> Json {
    Json::Number(value.to_string())
}
