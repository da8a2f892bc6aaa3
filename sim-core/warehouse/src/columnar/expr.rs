//! Expressions of the columnar dialect.

use sqlparser::ast::{
    AccessExpr, BinaryOperator, CastKind, CeilFloorKind, DataType, DateTimeField, Expr, Interval, Subscript,
    TrimWhereField, UnaryOperator, Value,
};

use super::call::{interval_of, moved};
use super::functions::TEXT_LISTS;
use super::{Writer, name};
use crate::refusal::Refusal;

/// Whether a column is called by the expression's own name.
pub(super) fn is_name(expr: &Expr) -> bool {
    matches!(expr, Expr::Identifier(_) | Expr::CompoundIdentifier(_))
}

impl Writer {
    pub(super) fn expr(&mut self, expr: &Expr) -> Result<String, Refusal> {
        Ok(match expr {
            Expr::Identifier(column) => match self.aliases.get(&column.value) {
                Some(meaning) => meaning.clone(),
                None => name(&column.value),
            },
            Expr::CompoundIdentifier(parts) => {
                parts.iter().map(|part| name(&part.value)).collect::<Vec<_>>().join(".")
            }
            Expr::Value(value) => literal(&value.value)?,
            Expr::Nested(inner) => format!("({})", self.expr(inner)?),
            Expr::Function(function) => self.call(function)?,
            Expr::CompoundFieldAccess { root, access_chain } => self.access(root, access_chain)?,
            Expr::UnaryOp { op: UnaryOperator::Not, expr } => format!("(not {})", self.expr(expr)?),
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => format!("(-{})", self.expr(expr)?),
            Expr::BinaryOp { left, op, right } => self.binary(left, op, right)?,
            Expr::IsNull(inner) => format!("({} is null)", self.expr(inner)?),
            Expr::IsNotNull(inner) => format!("({} is not null)", self.expr(inner)?),
            Expr::IsTrue(inner) => format!("({} is true)", self.expr(inner)?),
            Expr::IsFalse(inner) => format!("({} is false)", self.expr(inner)?),
            Expr::InList { expr, list, negated } if matches!(**expr, Expr::Tuple(_)) => {
                self.tuple_in(expr, list, *negated)?
            }
            Expr::InList { expr, list, negated } => {
                format!("({} {}in ({}))", self.expr(expr)?, not(*negated), self.list(list)?)
            }
            Expr::InSubquery { expr, subquery, negated } => {
                let inner = Writer::default().query(subquery)?;
                format!("({} {}in ({inner}))", self.expr(expr)?, not(*negated))
            }
            Expr::Between { expr, negated, low, high } => format!(
                "({} {}between {} and {})",
                self.expr(expr)?,
                not(*negated),
                self.expr(low)?,
                self.expr(high)?
            ),
            Expr::Like { negated, expr, pattern, escape_char: None, any: false } => {
                format!("({} {}like {})", self.expr(expr)?, not(*negated), self.expr(pattern)?)
            }
            Expr::ILike { negated, expr, pattern, escape_char: None, any: false } => {
                format!("(lower({}) {}like lower({}))", self.expr(expr)?, not(*negated), self.expr(pattern)?)
            }
            Expr::Case { operand, conditions, else_result, .. } => {
                let mut sql = "case".to_owned();
                if let Some(operand) = operand {
                    sql.push_str(&format!(" {}", self.expr(operand)?));
                }
                for when in conditions {
                    let (condition, result) = (self.expr(&when.condition)?, self.expr(&when.result)?);
                    sql.push_str(&format!(" when {condition} then {result}"));
                }
                if let Some(result) = else_result {
                    sql.push_str(&format!(" else {}", self.expr(result)?));
                }
                format!("{sql} end")
            }
            Expr::Cast { kind, expr, data_type, format: None, .. } => {
                let word =
                    if matches!(kind, CastKind::Cast | CastKind::DoubleColon) { "cast" } else { "safe_cast" };
                format!("{word}({} as {})", self.expr(expr)?, type_name(data_type)?)
            }
            Expr::Substring { expr, substring_from, substring_for, .. } => {
                let parts = [substring_from, substring_for].into_iter().flatten();
                let parts = parts.map(|part| self.expr(part)).collect::<Result<Vec<_>, _>>()?;
                format!("substr({}, {})", self.expr(expr)?, parts.join(", "))
            }
            Expr::Position { expr, r#in } => format!("strpos({}, {})", self.expr(r#in)?, self.expr(expr)?),
            Expr::Extract { field, expr, .. } => {
                format!("extract({} from {})", unit(field)?, self.expr(expr)?)
            }
            Expr::Trim { trim_where, trim_what, expr, trim_characters: None } => {
                let word = match trim_where {
                    Some(TrimWhereField::Leading) => "ltrim",
                    Some(TrimWhereField::Trailing) => "rtrim",
                    Some(TrimWhereField::Both) | None => "trim",
                };
                let what = trim_what.as_ref().map(|what| self.expr(what)).transpose()?;
                let what = what.map(|what| format!(", {what}")).unwrap_or_default();
                format!("{word}({}{what})", self.expr(expr)?)
            }
            Expr::Ceil { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
                format!("ceil({})", self.expr(expr)?)
            }
            Expr::Floor { expr, field: CeilFloorKind::DateTimeField(DateTimeField::NoDateTime) } => {
                format!("floor({})", self.expr(expr)?)
            }
            Expr::Interval(by) => self.interval(by)?,
            Expr::Array(array) => format!("[{}]", self.list(&array.elem)?),
            Expr::Subquery(query) => format!("({})", Writer::default().query(query)?),
            Expr::Exists { subquery, negated } => {
                format!("({}exists ({}))", not(*negated), Writer::default().query(subquery)?)
            }
            other => return Err(Refusal::unsupported(&other.to_string())),
        })
    }

    /// `(a, b) in ((1, 2), (3, 4))`
    fn tuple_in(&mut self, tuple: &Expr, list: &[Expr], negated: bool) -> Result<String, Refusal> {
        let Expr::Tuple(parts) = tuple else { return Err(Refusal::unsupported(&tuple.to_string())) };
        let parts = parts.iter().map(|part| self.expr(part)).collect::<Result<Vec<_>, _>>()?;
        let mut any = Vec::new();
        for one in list {
            let Expr::Tuple(values) = one else { return Err(Refusal::unsupported(&one.to_string())) };
            if values.len() != parts.len() {
                return Err(Refusal::invalid(format!("{one} and {tuple} differ in length")));
            }
            let mut all = Vec::new();
            for (part, value) in parts.iter().zip(values) {
                all.push(format!("{part} = {}", self.expr(value)?));
            }
            any.push(format!("({})", all.join(" and ")));
        }
        Ok(format!("({}({}))", not(negated), any.join(" or ")))
    }

    pub(super) fn list(&mut self, list: &[Expr]) -> Result<String, Refusal> {
        let list = list.iter().map(|one| self.expr(one)).collect::<Result<Vec<_>, _>>()?;
        Ok(list.join(", "))
    }

    fn binary(&mut self, left: &Expr, op: &BinaryOperator, right: &Expr) -> Result<String, Refusal> {
        if let (BinaryOperator::Plus | BinaryOperator::Minus, Some((count, unit))) = (op, interval_of(right))
        {
            let (at, count) = (self.expr(left)?, self.expr(count)?);
            return Ok(moved(&at, &count, unit, *op == BinaryOperator::Minus));
        }
        let (left, right) = (self.expr(left)?, self.expr(right)?);
        Ok(match op {
            BinaryOperator::Modulo => format!("mod({left}, {right})"),
            BinaryOperator::MyIntegerDivide => format!("div({left}, {right})"),
            BinaryOperator::Plus
            | BinaryOperator::Minus
            | BinaryOperator::Multiply
            | BinaryOperator::Divide
            | BinaryOperator::StringConcat
            | BinaryOperator::Gt
            | BinaryOperator::Lt
            | BinaryOperator::GtEq
            | BinaryOperator::LtEq
            | BinaryOperator::Eq
            | BinaryOperator::NotEq
            | BinaryOperator::And
            | BinaryOperator::Or => format!("({left} {op} {right})"),
            _ => return Err(Refusal::unsupported(&format!("the operator {op}"))),
        })
    }

    /// A length of time: weeks are days, as the warehouse has none.
    fn interval(&mut self, by: &Interval) -> Result<String, Refusal> {
        let field =
            by.leading_field.as_ref().ok_or_else(|| Refusal::unsupported("INTERVAL without a unit"))?;
        let count = self.expr(&by.value)?;
        Ok(match unit(field)? {
            "week" => {
                let weeks: i64 =
                    count.parse().map_err(|_| Refusal::unsupported("INTERVAL of counted weeks"))?;
                format!("interval {} day", weeks.saturating_mul(7))
            }
            unit => format!("interval {count} {unit}"),
        })
    }

    /// The value of a key in a map, empty where there is none, or the element of a list, counted from 1.
    fn access(&mut self, root: &Expr, chain: &[AccessExpr]) -> Result<String, Refusal> {
        let mut sql = self.expr(root)?;
        for step in chain {
            let index = match step {
                AccessExpr::Subscript(Subscript::Index { index }) => index,
                AccessExpr::Dot(Expr::Identifier(field)) => {
                    sql = format!("{sql}.{}", name(&field.value));
                    continue;
                }
                _ => return Err(Refusal::unsupported(&format!("{root}{step}"))),
            };
            let key = self.expr(index)?;
            sql = match index {
                Expr::Value(value) if matches!(value.value, Value::Number(..)) => {
                    or_empty(root, format!("{sql}[safe_ordinal({key})]"))
                }
                // Counted from the end.
                Expr::UnaryOp { op: UnaryOperator::Minus, expr } if matches!(&**expr, Expr::Value(value) if matches!(value.value, Value::Number(..))) => {
                    or_empty(root, format!("array_reverse({sql})[safe_ordinal({})]", self.expr(expr)?))
                }
                _ => format!("coalesce(map_text({sql}, {key}), '')"),
            };
        }
        Ok(sql)
    }
}

/// An element of a list of texts that is not there is an empty text.
fn or_empty(list: &Expr, element: String) -> String {
    let of_texts = |name: String| TEXT_LISTS.contains(&name.to_lowercase().as_str());
    match list {
        Expr::Function(function) if of_texts(function.name.to_string()) => format!("coalesce({element}, '')"),
        _ => element,
    }
}

fn not(negated: bool) -> &'static str {
    if negated { "not " } else { "" }
}

/// A unit of time by the warehouse's name.
pub(super) fn unit(field: &DateTimeField) -> Result<&'static str, Refusal> {
    unit_named(&field.to_string()).ok_or_else(|| Refusal::unsupported(&format!("the unit {field}")))
}

pub(super) fn unit_named(name: &str) -> Option<&'static str> {
    const UNITS: [&str; 8] = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];
    let name = name.to_lowercase();
    UNITS.into_iter().find(|unit| name == *unit || name.strip_suffix('s') == Some(*unit))
}

fn literal(value: &Value) -> Result<String, Refusal> {
    Ok(match value {
        Value::SingleQuotedString(text) => quoted(text),
        Value::Number(..) | Value::Boolean(_) | Value::Null => value.to_string(),
        _ => return Err(Refusal::unsupported(&format!("the literal {value}"))),
    })
}

/// A text as the warehouse quotes it.
pub(super) fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\'', "\\'").replace('\n', "\\n").replace('\r', "\\r");
    format!("'{text}'")
}

fn type_name(type_: &DataType) -> Result<&'static str, Refusal> {
    let printed = type_.to_string().to_lowercase();
    let inner = ["nullable(", "lowcardinality("].into_iter().fold(printed.as_str(), |name, wrap| {
        name.strip_prefix(wrap).map_or(name, |rest| rest.trim_end_matches(')'))
    });
    Ok(match inner {
        name if name.starts_with("int") || name.starts_with("uint") => "int64",
        name if name.starts_with("float") || name == "double" => "float64",
        "string" | "text" | "varchar" => "string",
        name if name.starts_with("datetime") || name == "timestamp" => "timestamp",
        "date" => "date",
        "bool" | "boolean" => "bool",
        _ => return Err(Refusal::unsupported(&format!("the type {type_}"))),
    })
}
