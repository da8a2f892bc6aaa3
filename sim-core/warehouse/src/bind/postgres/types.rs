//! What the words of an expression tell about its PostgreSQL type: `integer` or wider, digits after the point, `float8`.

use sqlparser::ast::{self, BinaryOperator};

use super::super::expr::{Expr, Origin};
use crate::types::Type;

/// The most that an expression of the type `integer` can be, without its sign; `None` for one of another type, as far as its words
/// tell.
fn most_of_integer(expr: &ast::Expr) -> Option<i64> {
    let most = i64::from(i32::MAX);
    match expr {
        ast::Expr::Nested(inner) | ast::Expr::UnaryOp { expr: inner, .. } => most_of_integer(inner),
        ast::Expr::Value(value) => match &value.value {
            ast::Value::Number(digits, _) => digits.parse::<i32>().ok().map(i64::from),
            _ => None,
        },
        ast::Expr::BinaryOp { left, op, right } => {
            let (left, right) = (most_of_integer(left)?, most_of_integer(right)?);
            Some(match op {
                BinaryOperator::Multiply => left.saturating_mul(right).min(most),
                _ => left.saturating_add(right).min(most),
            })
        }
        ast::Expr::Cast { data_type, .. } => is_integer_type(data_type).then_some(most),
        _ => None,
    }
}

/// Whether the result of two integers may be beyond their type.
pub(in crate::bind) fn may_overflow(left: &ast::Expr, operator: &BinaryOperator, right: &ast::Expr) -> bool {
    let (Some(left), Some(right)) = (most_of_integer(left), most_of_integer(right)) else { return false };
    let result = match operator {
        BinaryOperator::Multiply => left.saturating_mul(right),
        BinaryOperator::Plus | BinaryOperator::Minus => left.saturating_add(right),
        _ => return false,
    };
    result > i64::from(i32::MAX)
}

fn is_integer_type(type_: &ast::DataType) -> bool {
    matches!(type_.to_string().to_lowercase().as_str(), "int" | "integer" | "int4" | "smallint" | "int2")
}

/// How many digits a numeric has after its point, as far as its words tell.
pub(in crate::bind) fn scale_of(expr: &ast::Expr) -> Option<u32> {
    if is_float(expr) {
        return None;
    }
    match expr {
        ast::Expr::Nested(inner) | ast::Expr::UnaryOp { expr: inner, .. } => scale_of(inner),
        ast::Expr::Value(value) => match &value.value {
            ast::Value::Number(digits, _) if !digits.contains(['e', 'E']) => {
                let digits = digits.split_once('.').map_or(0, |(_, after)| after.len());
                u32::try_from(digits).ok()
            }
            _ => None,
        },
        ast::Expr::BinaryOp { left, op, right } => {
            let (left, right) = (scale_of(left)?, scale_of(right)?);
            match op {
                BinaryOperator::Plus | BinaryOperator::Minus => Some(left.max(right)),
                BinaryOperator::Multiply => Some(left + right),
                _ => None,
            }
        }
        ast::Expr::Cast { expr, data_type, .. } => match data_type {
            ast::DataType::Numeric(ast::ExactNumberInfo::PrecisionAndScale(_, scale))
            | ast::DataType::Decimal(ast::ExactNumberInfo::PrecisionAndScale(_, scale)) => {
                u32::try_from(*scale).ok()
            }
            ast::DataType::Numeric(ast::ExactNumberInfo::None)
            | ast::DataType::Decimal(ast::ExactNumberInfo::None) => scale_of(expr),
            other => is_integer_type(other).then_some(0),
        },
        ast::Expr::Function(function) => {
            let ast::FunctionArguments::List(list) = &function.args else { return None };
            let argument = |index: usize| match list.args.get(index)? {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => Some(expr),
                _ => None,
            };
            match function.name.to_string().to_lowercase().as_str() {
                "round" | "trunc" if list.args.len() == 2 => argument(1)?.to_string().parse().ok(),
                "sum" | "min" | "max" | "abs" if list.args.len() == 1 => scale_of(argument(0)?),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The truth that a text stands for: `'t'`, `'yes'`, `'off'`.
pub(in crate::bind) fn truth_of_word(origin: &Origin) -> Option<bool> {
    let Origin::Text(text) = origin else { return None };
    match text.trim().to_lowercase().as_str() {
        "t" | "tr" | "tru" | "true" | "y" | "ye" | "yes" | "on" | "1" => Some(true),
        "f" | "fa" | "fal" | "fals" | "false" | "n" | "no" | "of" | "off" | "0" => Some(false),
        _ => None,
    }
}

/// Whether a number is of the type `float8`, as far as its words tell. Its halves go to the even neighbour, those of others do not.
pub(in crate::bind) fn is_float(expr: &ast::Expr) -> bool {
    match expr {
        ast::Expr::Nested(inner) | ast::Expr::UnaryOp { expr: inner, .. } => is_float(inner),
        ast::Expr::BinaryOp { left, right, .. } => is_float(left) || is_float(right),
        ast::Expr::Cast { data_type, .. } => {
            let name = data_type.to_string().to_lowercase();
            name.starts_with("float") || name.starts_with("double") || name == "real"
        }
        _ => false,
    }
}

/// The name of a value's type, as far as the query tells.
pub(super) fn name_of_type(expr: &ast::Expr, value: &Expr) -> Option<String> {
    let name = match &value.type_ {
        Type::Int64 if most_of_integer(expr).is_some() => "integer",
        Type::Int64
            if matches!(expr, ast::Expr::Function(_)) || matches!(value.origin, Origin::Integer(_)) =>
        {
            "bigint"
        }
        Type::Float64 if is_float(expr) => "double precision",
        Type::Float64 | Type::Number if scale_of(expr).is_some() => "numeric",
        Type::Bool => "boolean",
        Type::String if matches!(value.origin, Origin::Text(_)) => "unknown",
        Type::String => "text",
        Type::Date => "date",
        Type::Time => "time without time zone",
        Type::Interval => "interval",
        Type::Dynamic => "jsonb",
        Type::Bytes => "bytea",
        _ => return None,
    };
    Some(name.to_owned())
}
