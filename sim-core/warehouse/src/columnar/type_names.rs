//! `toTypeName`: the type of a value by the words of the query.

use sqlparser::ast::{BinaryOperator, Expr, Function, FunctionArguments, UnaryOperator, Value};

use super::Writer;
use super::call::expr_of;

impl Writer {
    /// The name of the type; `None` if the words do not tell it.
    pub(super) fn type_name(&self, expr: &Expr) -> Option<String> {
        let named = |name: &str| Some(name.to_owned());
        if let Some(parts) = self.names.interval(expr) {
            return Some(super::kinds::type_name(&parts.iter().map(|(_, unit)| *unit).collect::<Vec<_>>()));
        }
        match expr {
            Expr::Nested(inner) => self.type_name(inner),
            Expr::Value(value) => literal(&value.value),
            Expr::UnaryOp { op: UnaryOperator::Minus, expr } => match &**expr {
                Expr::Value(value) => negative(&value.value),
                _ => None,
            },
            Expr::UnaryOp { op: UnaryOperator::Not, .. } => named("UInt8"),
            Expr::BinaryOp { op, .. } => match op {
                BinaryOperator::Divide => named("Float64"),
                BinaryOperator::StringConcat => named("String"),
                BinaryOperator::Eq
                | BinaryOperator::NotEq
                | BinaryOperator::Lt
                | BinaryOperator::LtEq
                | BinaryOperator::Gt
                | BinaryOperator::GtEq
                | BinaryOperator::And
                | BinaryOperator::Or => named("UInt8"),
                _ => None,
            },
            Expr::Like { .. } | Expr::ILike { .. } | Expr::InList { .. } | Expr::Between { .. } => {
                named("UInt8")
            }
            Expr::Cast { data_type, .. } => named(&data_type.to_string()),
            Expr::Array(list) => {
                let mut kinds = list.elem.iter().map(|one| self.type_name(one));
                let Some(first) = kinds.next() else { return named("Array(Nothing)") };
                let first = first?;
                kinds.all(|kind| kind.as_ref() == Some(&first)).then(|| format!("Array({first})"))
            }
            Expr::Tuple(elements) => {
                let kinds: Option<Vec<_>> = elements.iter().map(|one| self.type_name(one)).collect();
                Some(format!("Tuple({})", kinds?.join(", ")))
            }
            Expr::Identifier(name) => match self.meanings.get(&name.value) {
                Some(Some(meaning)) => self.type_name(&meaning.clone()),
                _ => column(&name.value),
            },
            Expr::CompoundIdentifier(parts) => column(&parts.last()?.value),
            Expr::CompoundFieldAccess { root, .. } if root.to_string().ends_with("log_attributes") => {
                named("String")
            }
            Expr::Function(function) => self.type_of_call(function),
            _ => None,
        }
    }

    fn type_of_call(&self, function: &Function) -> Option<String> {
        let name = function.name.to_string().to_lowercase();
        let arguments = match &function.args {
            FunctionArguments::List(list) => list.args.as_slice(),
            _ => &[],
        };
        let of = |place: usize| self.type_name(arguments.get(place).and_then(expr_of)?);
        let digits = |place: usize| arguments.get(place).and_then(expr_of).map(ToString::to_string);
        if let Some(number) = number_type(&name) {
            return Some(number);
        }
        Some(match name.as_str() {
            "count" | "countif" | "uniq" | "uniqexact" | "length" | "lengthutf8" | "position" => {
                "UInt64".to_owned()
            }
            "avg" | "avgif" | "quantile" | "median" | "sqrt" | "exp" | "log" | "ln" | "pow" => {
                "Float64".to_owned()
            }
            "tostring" | "lower" | "upper" | "concat" | "substring" | "replaceall" | "replaceone"
            | "trim" | "formatdatetime" | "jsonextractstring" | "domain" | "path" | "hex" | "totypename"
            | "extract" | "replaceregexpall" | "reverse" => "String".to_owned(),
            "now" | "todatetime" | "fromunixtimestamp" | "parsedatetimebesteffort" | "tostartofsecond"
                if arguments.len() < 2 =>
            {
                "DateTime".to_owned()
            }
            "tostartofminute"
            | "tostartoffiveminutes"
            | "tostartoftenminutes"
            | "tostartoffifteenminutes"
            | "tostartofhour"
            | "tostartofday" => "DateTime".to_owned(),
            "now64" if arguments.is_empty() => "DateTime64(3)".to_owned(),
            "todatetime64" if arguments.len() == 2 => format!("DateTime64({})", digits(1)?),
            "today" | "yesterday" | "todate" | "tomonday" | "tostartofmonth" | "tostartofquarter"
            | "tostartofyear" | "tostartofweek" => "Date".to_owned(),
            "toyear" => "UInt16".to_owned(),
            "tohour" | "tominute" | "tosecond" | "tomonth" | "todayofmonth" | "todayofweek" | "toquarter" => {
                "UInt8".to_owned()
            }
            "touuid" => "UUID".to_owned(),
            "tobool" => "Bool".to_owned(),
            "todecimal32" => format!("Decimal(9, {})", digits(1)?),
            "todecimal64" => format!("Decimal(18, {})", digits(1)?),
            "splitbychar" | "splitbystring" | "extractall" | "mapkeys" => "Array(String)".to_owned(),
            "max" | "min" | "any" | "anylast" | "identity" | "materialize" | "assumenotnull" => of(0)?,
            "tonullable" => format!("Nullable({})", of(0)?),
            "grouparray" | "groupuniqarray" => format!("Array({})", of(0)?),
            "tuple" | "map" => {
                let kinds: Option<Vec<_>> = (0..arguments.len()).map(of).collect();
                let kinds = kinds?;
                match name.as_str() {
                    "tuple" => format!("Tuple({})", kinds.join(", ")),
                    _ if kinds.len() == 2 => format!("Map({})", kinds.join(", ")),
                    _ => return None,
                }
            }
            "like" | "match" | "equals" | "startswith" | "endswith" | "empty" | "notempty" | "has"
            | "isnull" => "UInt8".to_owned(),
            _ => return None,
        })
    }
}

fn column(name: &str) -> Option<String> {
    Some(
        match name {
            "id" | "event_message" | "severity_text" | "source" => "String",
            "timestamp" => "DateTime64(6, 'UTC')",
            "log_attributes" => "Map(String, String)",
            "number" => "UInt64",
            _ => return None,
        }
        .to_owned(),
    )
}

/// `toInt32OrNull` …
fn number_type(name: &str) -> Option<String> {
    let rest = name.strip_prefix("to")?;
    let (rest, word) = [("uint", "UInt"), ("int", "Int"), ("float", "Float")]
        .into_iter()
        .find_map(|(start, word)| Some((rest.strip_prefix(start)?, word)))?;
    let bits = rest.trim_end_matches(|sign: char| !sign.is_ascii_digit());
    if !matches!(bits, "8" | "16" | "32" | "64" | "128" | "256") {
        return None;
    }
    match &rest[bits.len()..] {
        "" | "orzero" | "ordefault" => Some(format!("{word}{bits}")),
        "ornull" => Some(format!("Nullable({word}{bits})")),
        _ => None,
    }
}

fn literal(value: &Value) -> Option<String> {
    Some(match value {
        Value::SingleQuotedString(_) | Value::DollarQuotedString(_) => "String".to_owned(),
        Value::Boolean(_) => "Bool".to_owned(),
        Value::Null => "Nullable(Nothing)".to_owned(),
        Value::Number(digits, _) => match digits.parse::<u64>() {
            Ok(number) if u8::try_from(number).is_ok() => "UInt8".to_owned(),
            Ok(number) if u16::try_from(number).is_ok() => "UInt16".to_owned(),
            Ok(number) if u32::try_from(number).is_ok() => "UInt32".to_owned(),
            Ok(_) => "UInt64".to_owned(),
            Err(_) => "Float64".to_owned(),
        },
        _ => return None,
    })
}

fn negative(value: &Value) -> Option<String> {
    let Value::Number(digits, _) = value else { return None };
    Some(match digits.parse::<i64>() {
        Ok(..=128) => "Int8".to_owned(),
        Ok(..=32_768) => "Int16".to_owned(),
        Ok(..=2_147_483_648) => "Int32".to_owned(),
        Ok(_) => "Int64".to_owned(),
        Err(_) => "Float64".to_owned(),
    })
}
