//! Calls of the columnar dialect: those with a form of their own, and what the others are looked up in.

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, Value, WindowSpec,
    WindowType,
};

use super::expr::{quoted, unit_named};
use super::functions::{CONDITIONAL, FORMS, LISTS, SAME};
use super::{Writer, element};
use crate::refusal::Refusal;

/// Bytes of an integer's type in its conversion: `toUInt32OrZero`.
const BITS: [&str; 6] = ["8", "16", "32", "64", "128", "256"];

impl Writer {
    pub(super) fn call(&mut self, function: &Function) -> Result<String, Refusal> {
        let arguments = match &function.args {
            FunctionArguments::List(list) => {
                if !list.clauses.is_empty() {
                    return Err(Refusal::unsupported(&function.to_string()));
                }
                if list.duplicate_treatment == Some(DuplicateTreatment::Distinct) {
                    let arguments = self.arguments(&list.args)?;
                    return Ok(format!("{}(distinct {})", function.name, arguments.join(", ")));
                }
                list.args.as_slice()
            }
            FunctionArguments::None => &[],
            FunctionArguments::Subquery(_) => return Err(Refusal::unsupported(&function.to_string())),
        };
        let name = function.name.to_string();
        let sql = match &function.parameters {
            FunctionArguments::List(parameters) => self.parametric(&name, &parameters.args, arguments)?,
            _ => self.named_call(&name, arguments)?,
        };
        match &function.over {
            None => Ok(sql),
            Some(WindowType::WindowSpec(window)) => Ok(format!("{sql} over ({})", self.window(window)?)),
            Some(WindowType::NamedWindow(_)) => Err(Refusal::unsupported("a window with a name")),
        }
    }

    fn window(&mut self, window: &WindowSpec) -> Result<String, Refusal> {
        let mut parts = Vec::new();
        if !window.partition_by.is_empty() {
            parts.push(format!("partition by {}", self.list(&window.partition_by)?));
        }
        if !window.order_by.is_empty() {
            parts.push(format!("order by {}", self.order(&window.order_by)?));
        }
        if let Some(frame) = &window.window_frame {
            let end = frame.end_bound.as_ref().map(|end| format!(" and {end}")).unwrap_or_default();
            let between = if end.is_empty() { "" } else { "between " };
            parts.push(format!("{} {between}{}{end}", frame.units, frame.start_bound));
        }
        Ok(parts.join(" "))
    }

    /// `quantile(0.95)(x)`, `quantiles(0.5, 0.9)(x)`, `quantileIf(0.9)(x, condition)`.
    fn parametric(
        &mut self,
        name: &str,
        parameters: &[FunctionArg],
        arguments: &[FunctionArg],
    ) -> Result<String, Refusal> {
        let (fractions, arguments) = (self.arguments(parameters)?, self.arguments(arguments)?);
        let value = match (name.to_lowercase().as_str(), arguments.as_slice()) {
            ("quantile" | "quantiles" | "quantiletdigest" | "quantiletiming", [value]) => value.clone(),
            ("quantileif" | "quantilesif", [value, condition]) => format!("if({condition}, {value}, null)"),
            _ => return Err(unknown(name)),
        };
        let is_fraction =
            |text: &String| text.parse().is_ok_and(|fraction: f64| (0.0..=1.0).contains(&fraction));
        if !fractions.iter().all(is_fraction) {
            return Err(Refusal::invalid(format!("{name} takes numbers from 0 to 1 before its arguments")));
        }
        let of = |fraction: &String| {
            format!("percentile_of(array_agg(cast({value} as float64) ignore nulls), {fraction})")
        };
        let all: Vec<_> = fractions.iter().map(of).collect();
        match (name.to_lowercase().starts_with("quantiles"), all.as_slice()) {
            (true, [_, ..]) => Ok(format!("[{}]", all.join(", "))),
            (false, [only]) => Ok(only.clone()),
            _ => Err(unknown(name)),
        }
    }

    /// A call without parameters and window.
    pub(super) fn named_call(&mut self, name: &str, arguments: &[FunctionArg]) -> Result<String, Refusal> {
        let lower = name.replace(['`', '"'], "").to_lowercase();
        let printed = self.arguments(arguments)?;
        if let Some(special) = self.special(&lower, arguments, &printed)? {
            return Ok(special);
        }
        if let Some(cast) = conversion(&lower, &printed) {
            return Ok(cast);
        }
        if let Some(base) = lower.strip_suffix("if").filter(|base| CONDITIONAL.contains(base))
            && let Some((condition, values)) = printed.split_last()
            && let [value] = values
        {
            return form(base, &[format!("if({condition}, {value}, null)")]).ok_or_else(|| unknown(name));
        }
        form(&lower, &printed).ok_or_else(|| unknown(name))
    }

    fn arguments(&mut self, arguments: &[FunctionArg]) -> Result<Vec<String>, Refusal> {
        let given = arguments.iter().map(|argument| match argument {
            FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => self.expr(expr),
            FunctionArg::Unnamed(FunctionArgExpr::Wildcard) => Ok("*".to_owned()),
            other => Err(Refusal::unsupported(&other.to_string())),
        });
        given.collect()
    }

    /// Calls whose form depends on what the arguments are.
    fn special(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
        printed: &[String],
    ) -> Result<Option<String>, Refusal> {
        let text = |index: usize| arguments.get(index).and_then(text_of);
        Ok(Some(match (name, printed) {
            ("todatetime" | "todatetime64" | "fromunixtimestamp", [at, ..])
                if is_number(arguments.first()) =>
            {
                format!("timestamp_seconds({at})")
            }
            ("multiif", [.., other]) if printed.len() >= 3 && printed.len() % 2 == 1 => {
                let cases = printed[..printed.len() - 1].chunks(2);
                let cases: Vec<_> = cases.map(|pair| format!("when {} then {}", pair[0], pair[1])).collect();
                format!("case {} else {other} end", cases.join(" "))
            }
            ("length" | "empty" | "notempty", [list]) if is_list(arguments.first()) => match name {
                "length" => format!("array_length({list})"),
                "empty" => format!("(array_length({list}) = 0)"),
                _ => format!("(array_length({list}) > 0)"),
            },
            // The databases have no aggregates inside the subquery that looks through a list.
            ("has", [_, _]) if is_aggregate_list(arguments.first()) => {
                return Err(Refusal::unsupported("has of an aggregate"));
            }
            ("and" | "or", [_, _, ..]) => format!("({})", printed.join(&format!(" {name} "))),
            ("arrayjoin", [list]) => {
                let known = self.unnested.iter().position(|known| known == list);
                let index = known.unwrap_or_else(|| {
                    self.unnested.push(list.clone());
                    self.unnested.len() - 1
                });
                element(index)
            }
            ("datediff" | "date_diff" | "timestampdiff", [_, from, to]) => {
                let unit = text(0).and_then(unit_named).ok_or_else(|| unknown(name))?;
                format!(
                    "timestamp_diff(timestamp_trunc({to}, {unit}), timestamp_trunc({from}, {unit}), {unit})"
                )
            }
            ("datetrunc" | "date_trunc", [_, at]) => {
                let unit = text(0).and_then(unit_named).ok_or_else(|| unknown(name))?;
                let unit = if unit == "week" { "isoweek" } else { unit };
                format!("timestamp_trunc({at}, {unit})")
            }
            ("tostartofinterval", [at, ..]) => {
                let seconds = arguments.get(1).and_then(seconds_of);
                let seconds = seconds.ok_or_else(|| {
                    Refusal::unsupported("toStartOfInterval of other than seconds to weeks")
                })?;
                format!("timestamp_seconds(div(unix_seconds({at}), {seconds}) * {seconds})")
            }
            ("formatdatetime", [at, _]) => {
                let format = text(1).ok_or_else(|| unknown(name))?;
                format!("format_timestamp({}, {at})", quoted(&format.replace("%i", "%M")))
            }
            (shift, [at, count]) if shift.starts_with("add") || shift.starts_with("subtract") => {
                let word = if shift.starts_with("add") { "timestamp_add" } else { "timestamp_sub" };
                let unit = shift.trim_start_matches("add").trim_start_matches("subtract");
                let Some(unit) = unit_named(unit) else { return Ok(None) };
                format!("{word}({at}, interval {count} {unit})")
            }
            (json, [of, ..]) if json.starts_with("jsonextract") || json == "jsonhas" => {
                return json_call(json, of, arguments).map(Some);
            }
            _ => return Ok(None),
        }))
    }
}

/// `JSONExtractString(text, 'a', 'b')` and its like; what is not there is empty or 0.
fn json_call(name: &str, of: &str, arguments: &[FunctionArg]) -> Result<String, Refusal> {
    let mut path = "$".to_owned();
    for step in &arguments[1..] {
        let key = text_of(step).filter(|key| !key.contains(['"', '\\']));
        let key = key.ok_or_else(|| Refusal::unsupported("a key of JSON that is no plain text"))?;
        path.push_str(&format!(".\"{key}\""));
    }
    let path = quoted(&path);
    let scalar = format!("json_value({of}, {path})");
    Ok(match name {
        "jsonextractstring" => format!("coalesce({scalar}, '')"),
        "jsonextractint" | "jsonextractuint" => format!("coalesce(safe_cast({scalar} as int64), 0)"),
        "jsonextractfloat" => format!("coalesce(safe_cast({scalar} as float64), 0)"),
        "jsonextractbool" => format!("coalesce({scalar} = 'true', false)"),
        "jsonextractraw" => format!("coalesce(json_query({of}, {path}), '')"),
        "jsonhas" => format!("(json_query({of}, {path}) is not null)"),
        _ => return Err(unknown(name)),
    })
}

/// `toInt32`, `toUInt8OrZero`, `toFloat64OrNull` …
fn conversion(name: &str, arguments: &[String]) -> Option<String> {
    let [value] = arguments else { return None };
    let rest = name.strip_prefix("to")?;
    let (type_, rest) = [("int64", "uint"), ("int64", "int"), ("float64", "float")]
        .into_iter()
        .find_map(|(type_, word)| Some((type_, rest.strip_prefix(word)?)))?;
    let bits = BITS.iter().rfind(|bits| rest.starts_with(**bits))?;
    match &rest[bits.len()..] {
        "" => Some(format!("cast({value} as {type_})")),
        "orzero" => Some(format!("coalesce(safe_cast({value} as {type_}), 0)")),
        "ornull" => Some(format!("safe_cast({value} as {type_})")),
        _ => None,
    }
}

/// The call in the form of the table.
fn form(name: &str, arguments: &[String]) -> Option<String> {
    let found = FORMS.iter().find(|(known, count, _)| *known == name && *count == arguments.len());
    let Some((_, _, template)) = found else {
        return SAME.contains(&name).then(|| format!("{name}({})", arguments.join(", ")));
    };
    let mut sql = String::new();
    let mut parts = template.split('{');
    sql.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (index, rest) = part.split_once('}')?;
        sql.push_str(arguments.get(index.parse::<usize>().ok()?)?);
        sql.push_str(rest);
    }
    Some(sql)
}

fn unknown(name: &str) -> Refusal {
    Refusal::unsupported(&format!("the function {name}"))
}

fn expr_of(argument: &FunctionArg) -> Option<&Expr> {
    if let FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) = argument { Some(expr) } else { None }
}

fn text_of(argument: &FunctionArg) -> Option<&str> {
    match expr_of(argument)? {
        Expr::Value(value) => match &value.value {
            Value::SingleQuotedString(text) => Some(text),
            _ => None,
        },
        _ => None,
    }
}

fn is_number(argument: Option<&FunctionArg>) -> bool {
    matches!(argument.and_then(expr_of), Some(Expr::Value(value)) if matches!(value.value, Value::Number(..)))
}

fn is_list(argument: Option<&FunctionArg>) -> bool {
    match argument.and_then(expr_of) {
        Some(Expr::Array(_)) => true,
        Some(Expr::Function(function)) => LISTS.contains(&function.name.to_string().to_lowercase().as_str()),
        _ => false,
    }
}

fn is_aggregate_list(argument: Option<&FunctionArg>) -> bool {
    let Some(Expr::Function(function)) = argument.and_then(expr_of) else { return false };
    function.name.to_string().to_lowercase().starts_with("group")
}

/// The seconds of an interval of whole seconds, minutes, hours, days or weeks.
fn seconds_of(argument: &FunctionArg) -> Option<i64> {
    let Expr::Interval(interval) = expr_of(argument)? else { return None };
    let unit = unit_named(&interval.leading_field.as_ref()?.to_string())?;
    let seconds = match unit {
        "second" => 1,
        "minute" => 60,
        "hour" => 3600,
        "day" => 86_400,
        "week" => 604_800,
        _ => return None,
    };
    let count: i64 = interval.value.to_string().parse::<i64>().ok().filter(|count| *count > 0)?;
    count.checked_mul(seconds)
}
