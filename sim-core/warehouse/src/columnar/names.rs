//! The names of columns that a query does not name: the store writes operators as calls.

use sqlparser::ast::{
    AccessExpr, BinaryOperator, CastKind, Expr, FunctionArg, FunctionArgExpr, FunctionArguments, Subscript,
    UnaryOperator, Value,
};

use super::call::interval_of;
use super::inner_names::named;
use super::text::{PLACE, divided};

/// The name of a column that the query does not name: `plus(a, 1)` for `a + 1`.
pub(super) fn own_name(expr: &Expr) -> String {
    if let Some((one, other)) = divided(expr) {
        return call("intDiv", [one, other]);
    }
    match expr {
        Expr::Identifier(name) => name.value.clone(),
        Expr::CompoundIdentifier(parts) => parts.last().map(|name| name.value.clone()).unwrap_or_default(),
        Expr::Nested(inner) => own_name(inner),
        Expr::Value(value) => match &value.value {
            Value::Null => "NULL".to_owned(),
            value => value.to_string(),
        },
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } if matches!(**expr, Expr::Value(_)) => {
            format!("-{}", own_name(expr))
        }
        Expr::UnaryOp { op: UnaryOperator::Minus, expr } => call("negate", [&**expr]),
        Expr::UnaryOp { op: UnaryOperator::Not, expr } => call("not", [&**expr]),
        Expr::BinaryOp { left, op, right } => operation(left, op, right).unwrap_or_else(|| expr.to_string()),
        Expr::IsNull(inner) => call("isNull", [&**inner]),
        Expr::IsNotNull(inner) => call("isNotNull", [&**inner]),
        Expr::Like { negated, expr, pattern, .. } => {
            call(if *negated { "notLike" } else { "like" }, [&**expr, &**pattern])
        }
        Expr::ILike { negated, expr, pattern, .. } => {
            call(if *negated { "notILike" } else { "ilike" }, [&**expr, &**pattern])
        }
        Expr::InList { expr, list, negated } => {
            let word = if *negated { "notIn" } else { "in" };
            match list.as_slice() {
                [only] => call(word, [&**expr, only]),
                list => format!("{word}({}, ({}))", own_name(expr), names(list)),
            }
        }
        Expr::Between { expr, negated: false, low, high } => {
            let (low, high) =
                (call("greaterOrEquals", [&**expr, &**low]), call("lessOrEquals", [&**expr, &**high]));
            format!("and({low}, {high})")
        }
        Expr::Cast { kind: CastKind::Cast | CastKind::DoubleColon, expr, data_type, .. } => {
            format!("CAST({}, '{data_type}')", own_name(expr))
        }
        Expr::Case { operand: None, conditions, else_result, .. } => {
            let cases =
                conditions.iter().flat_map(|when| [own_name(&when.condition), own_name(&when.result)]);
            let other = else_result.as_deref().map_or_else(|| "NULL".to_owned(), own_name);
            format!("multiIf({})", cases.chain([other]).collect::<Vec<_>>().join(", "))
        }
        Expr::CompoundFieldAccess { root, access_chain } => {
            access_chain.iter().fold(own_name(root), |of, step| match step {
                AccessExpr::Subscript(Subscript::Index { index }) => match place_of(index) {
                    Some(place) => format!("tupleElement({of}, {place})"),
                    None => format!("arrayElement({of}, {})", own_name(index)),
                },
                step => format!("{of}{step}"),
            })
        }
        Expr::Array(array) => format!("[{}]", names(&array.elem)),
        Expr::Tuple(values) => format!("({})", names(values)),
        Expr::Interval(_) if let Some((count, unit)) = interval_of(expr) => {
            let (first, rest) = unit.split_at(1);
            format!("toInterval{}{rest}({})", first.to_uppercase(), own_name(count))
        }
        Expr::Function(function) if let Some((_, name)) = named(function) => name.to_owned(),
        Expr::Function(function) if function.over.is_none() && function.filter.is_none() => {
            let lists = [&function.parameters, &function.args].map(|arguments| match arguments {
                FunctionArguments::List(list) if list.duplicate_treatment.is_none() => {
                    list.args.iter().map(argument).collect::<Option<Vec<_>>>()
                }
                FunctionArguments::None => Some(Vec::new()),
                _ => None,
            });
            match lists {
                [Some(parameters), Some(arguments)] => {
                    let parameters = match parameters.as_slice() {
                        [] => String::new(),
                        some => format!("({})", some.join(", ")),
                    };
                    format!("{}{parameters}({})", function.name, arguments.join(", "))
                }
                _ => expr.to_string(),
            }
        }
        expr => expr.to_string(),
    }
}

/// The place of `tuple.1`, which the parser reads as a call.
fn place_of(index: &Expr) -> Option<String> {
    match index {
        Expr::Function(call) if call.name.to_string() == PLACE => match &call.args {
            FunctionArguments::List(list) => list.args.first().map(ToString::to_string),
            _ => None,
        },
        _ => None,
    }
}

fn names(list: &[Expr]) -> String {
    list.iter().map(own_name).collect::<Vec<_>>().join(", ")
}

fn call<const N: usize>(name: &str, arguments: [&Expr; N]) -> String {
    format!("{name}({})", arguments.map(own_name).join(", "))
}

/// The name of an argument; `*` has none.
fn argument(argument: &FunctionArg) -> Option<String> {
    match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Some(own_name(expr)),
        FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => Some(String::new()),
        _ => None,
    }
}

fn operation(left: &Expr, op: &BinaryOperator, right: &Expr) -> Option<String> {
    let word = match op {
        BinaryOperator::Plus => "plus",
        BinaryOperator::Minus => "minus",
        BinaryOperator::Multiply => "multiply",
        BinaryOperator::Divide => "divide",
        BinaryOperator::Modulo => "modulo",
        BinaryOperator::Eq => "equals",
        BinaryOperator::NotEq => "notEquals",
        BinaryOperator::Lt => "less",
        BinaryOperator::LtEq => "lessOrEquals",
        BinaryOperator::Gt => "greater",
        BinaryOperator::GtEq => "greaterOrEquals",
        BinaryOperator::StringConcat => "concat",
        BinaryOperator::And | BinaryOperator::Or => {
            let word = if *op == BinaryOperator::And { "and" } else { "or" };
            let (mut terms, mut rest) = (vec![own_name(right)], left);
            while let Expr::BinaryOp { left, op: same, right } = rest
                && same == op
            {
                terms.push(own_name(right));
                rest = left;
            }
            terms.push(own_name(rest));
            terms.reverse();
            return Some(format!("{word}({})", terms.join(", ")));
        }
        _ => return None,
    };
    Some(call(word, [left, right]))
}
