//! Calls of the columnar dialect: those with a form of their own, and what the others are looked up in.

use sqlparser::ast::{
    DuplicateTreatment, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments, LambdaFunction,
    OneOrManyWithParens, Value, WindowFrameBound, WindowSpec, WindowType,
};

use super::expr::{quoted, unit_named};
use super::functions::{CONDITIONAL, FORMS, SAME};
use super::{Writer, element};
use crate::refusal::Refusal;

/// Bytes of an integer's type in its conversion: `toUInt32OrZero`.
const BITS: [&str; 6] = ["8", "16", "32", "64", "128", "256"];

impl Writer {
    pub(super) fn call(&mut self, function: &Function) -> Result<String, Refusal> {
        if function.null_treatment.is_some() || !function.within_group.is_empty() {
            return Err(Refusal::unsupported(&function.to_string()));
        }
        let arguments = match &function.args {
            FunctionArguments::List(list) => {
                if !list.clauses.is_empty() {
                    return Err(Refusal::unsupported(&function.to_string()));
                }
                if list.duplicate_treatment == Some(DuplicateTreatment::Distinct) {
                    return self.distinct(function, &list.args);
                }
                list.args.as_slice()
            }
            FunctionArguments::None => &[],
            FunctionArguments::Subquery(_) => return Err(Refusal::unsupported(&function.to_string())),
        };
        let name = function.name.to_string();
        if let Some(filter) = &function.filter {
            return self.filtered(&name, arguments, filter, function.over.is_some());
        }
        let sql = match (&function.parameters, &function.over) {
            (FunctionArguments::List(parameters), _) => {
                self.parametric(&name, &parameters.args, arguments)?
            }
            // In a window the sum is the whole expression.
            (_, Some(_)) if name.eq_ignore_ascii_case("sum") => {
                format!("sum({})", self.arguments(arguments)?.join(", "))
            }
            _ => self.named_call(&name, arguments)?,
        };
        let window = match &function.over {
            None => return Ok(sql),
            Some(WindowType::WindowSpec(window)) => window.clone(),
            Some(WindowType::NamedWindow(name)) => {
                let known = self.windows.get(&name.value).cloned();
                known.ok_or_else(|| Refusal::invalid(format!("Window '{name}' is not defined")))?
            }
        };
        Ok(format!("{sql} over ({})", self.window(&window, name.to_lowercase().ends_with("inframe"))?))
    }

    fn distinct(&mut self, function: &Function, arguments: &[FunctionArg]) -> Result<String, Refusal> {
        let name = function.name.to_string();
        let is_more = function.over.is_some() || function.filter.is_some();
        match (name.to_lowercase().as_str(), arguments) {
            _ if is_more => Err(Refusal::unsupported(&function.to_string())),
            ("count", [_, _, ..]) => self.named_call("uniqExact", arguments),
            ("sum", [_]) => self.named_call("sumDistinct", arguments),
            _ => Ok(format!("{name}(distinct {})", self.arguments(arguments)?.join(", "))),
        }
    }

    /// `sum(x) FILTER (WHERE …)` is `sumIf(x, …)`.
    fn filtered(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
        filter: &Expr,
        in_window: bool,
    ) -> Result<String, Refusal> {
        if in_window {
            return Err(Refusal::unsupported("FILTER in a window"));
        }
        let condition = FunctionArg::Unnamed(FunctionArgExpr::Expr(filter.clone()));
        let is_all =
            |argument: &FunctionArg| matches!(argument, FunctionArg::Unnamed(FunctionArgExpr::Wildcard));
        let given = arguments.iter().filter(|argument| !is_all(argument)).cloned();
        self.named_call(&format!("{name}If"), &given.chain([condition]).collect::<Vec<_>>())
    }

    /// The window. A function that looks beyond its row has no frame in the warehouse, so its frame must be the whole partition.
    fn window(&mut self, window: &WindowSpec, looks_beyond: bool) -> Result<String, Refusal> {
        let mut parts = Vec::new();
        if !window.partition_by.is_empty() {
            parts.push(format!("partition by {}", self.list(&window.partition_by)?));
        }
        if !window.order_by.is_empty() {
            parts.push(format!("order by {}", self.order(&window.order_by)?));
        }
        if looks_beyond {
            let is_whole = window.window_frame.as_ref().is_some_and(|frame| {
                matches!(frame.start_bound, WindowFrameBound::Preceding(None))
                    && matches!(frame.end_bound, Some(WindowFrameBound::Following(None)))
            });
            return match is_whole {
                true => Ok(parts.join(" ")),
                false => Err(Refusal::unsupported("lagInFrame or leadInFrame in a part of its partition")),
            };
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
        let lower = name.to_lowercase();
        match (lower.as_str(), fractions.as_slice(), arguments.as_slice()) {
            ("grouparray", [count], [value]) => {
                return Ok(format!("array_agg(({value}) ignore nulls limit {count})"));
            }
            ("grouparraysorted", [count], [value]) => {
                return Ok(format!("array_agg(({value}) ignore nulls order by {value} limit {count})"));
            }
            _ => {}
        }
        let (base, value) = match (lower.strip_suffix("if"), arguments.as_slice()) {
            (Some(base), [value, condition]) => (base, format!("if({condition}, {value}, null)")),
            (None, [value]) => (lower.as_str(), value.clone()),
            _ => return Err(unknown(name)),
        };
        let is_exact = matches!(base, "quantileexact" | "quantilesexact");
        if !is_exact && !matches!(base, "quantile" | "quantiles" | "quantiletdigest" | "quantiletiming") {
            return Err(unknown(name));
        }
        let is_fraction =
            |text: &String| text.parse().is_ok_and(|fraction: f64| (0.0..=1.0).contains(&fraction));
        if !fractions.iter().all(is_fraction) {
            return Err(Refusal::invalid(format!("{name} takes numbers from 0 to 1 before its arguments")));
        }
        let of = |fraction: &String| match is_exact {
            true => format!("list_quantile(array_agg(({value}) ignore nulls), {fraction})"),
            false => format!("percentile_of(array_agg(cast({value} as float64) ignore nulls), {fraction})"),
        };
        let all: Vec<_> = fractions.iter().map(of).collect();
        match (base.starts_with("quantiles"), all.as_slice()) {
            (true, [_, ..]) => Ok(format!("[{}]", all.join(", "))),
            (false, [only]) => Ok(only.clone()),
            _ => Err(unknown(name)),
        }
    }

    /// A call without parameters and window.
    pub(super) fn named_call(&mut self, name: &str, arguments: &[FunctionArg]) -> Result<String, Refusal> {
        let lower = name.replace(['`', '"'], "").to_lowercase();
        if let [FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Lambda(lambda))), list] = arguments {
            return self.of_each(&lower, lambda, list);
        }
        // A part of an instant in another zone.
        if let [FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Function(inner)))] = arguments
            && let FunctionArguments::List(list) = &inner.args
            && inner.name.to_string().eq_ignore_ascii_case("toTimeZone")
            && let [_, _] = list.args.as_slice()
        {
            return self.named_call(name, &list.args);
        }
        // An interval is no value of its own.
        let values =
            if lower == "tostartofinterval" { &arguments[..arguments.len().min(1)] } else { arguments };
        let printed = self.arguments(values)?;
        if let Some(special) = self.special(&lower, arguments, &printed)? {
            return Ok(special);
        }
        if let Some(cast) = conversion(&lower, &printed) {
            return Ok(cast);
        }
        if let Some(base) = lower.strip_suffix("if").filter(|base| CONDITIONAL.contains(base))
            && let Some((condition, values)) = printed.split_last()
        {
            let values: Vec<_> =
                values.iter().map(|value| format!("if({condition}, {value}, null)")).collect();
            return form(base, &values).ok_or_else(|| unknown(name));
        }
        form(&lower, &printed).ok_or_else(|| unknown(name))
    }

    /// `arrayMap(x -> …, list)` and the other functions of each element.
    fn of_each(
        &mut self,
        name: &str,
        lambda: &LambdaFunction,
        list: &FunctionArg,
    ) -> Result<String, Refusal> {
        let parameter = match &lambda.params {
            OneOrManyWithParens::One(one) => &one.name,
            OneOrManyWithParens::Many(many) if many.len() == 1 => &many[0].name,
            OneOrManyWithParens::Many(_) => return Err(Refusal::unsupported("a function of two lists")),
        };
        let list = self.arguments(std::slice::from_ref(list))?.remove(0);
        self.lambdas += 1;
        let (e, o) = (format!("each_{}", self.lambdas), format!("place_{}", self.lambdas));
        let before = self.aliases.insert(parameter.value.clone(), e.clone());
        let body = self.expr(&lambda.body);
        match before {
            Some(before) => self.aliases.insert(parameter.value.clone(), before),
            None => self.aliases.remove(&parameter.value),
        };
        let body = body?;
        let from = format!("from unnest({list}) as {e}");
        let placed = format!("{from} with offset as {o}");
        Ok(match name {
            "arraymap" => format!("array(select {body} {placed} order by {o})"),
            "arrayfilter" => format!("array(select {e} {placed} where {body} order by {o})"),
            "arrayexists" => format!("exists(select 1 {from} where {body})"),
            "arrayall" => format!("(not exists(select 1 {from} where not {body}))"),
            "arraycount" => format!("(select countif({body}) {from})"),
            "arrayfirst" => format!("(select {e} {placed} where {body} order by {o} limit 1)"),
            "arraysum" => format!("(select coalesce(sum({body}), 0) {from})"),
            _ => return Err(unknown(name)),
        })
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
            ("length" | "empty" | "notempty", [map]) if map == "`log_attributes`" => {
                return self
                    .special(name, arguments, &[format!("map_keys({map})")])
                    .map(|special| special.or_else(|| form(name, &[format!("map_keys({map})")])));
            }
            ("array", _) => format!("[{}]", printed.join(", ")),
            ("multisearchany", [text, _]) => {
                let Some(Expr::Array(needles)) = arguments.get(1).and_then(expr_of) else {
                    return Err(Refusal::unsupported("multiSearchAny of other than a written list"));
                };
                let found = needles
                    .elem
                    .iter()
                    .map(|needle| self.expr(needle).map(|needle| format!("strpos({text}, {needle}) > 0")));
                format!("({})", found.collect::<Result<Vec<_>, _>>()?.join(" or "))
            }
            ("transform", [value, _, _, ..]) => {
                let lists = [1, 2].map(|index| arguments.get(index).and_then(expr_of));
                let [Some(Expr::Array(from)), Some(Expr::Array(to))] = lists else {
                    return Err(Refusal::unsupported("transform of other than written lists"));
                };
                let (from, to) = (from.elem.clone(), to.elem.clone());
                if from.len() != to.len() {
                    return Err(Refusal::invalid("transform takes two lists of the same length"));
                }
                let mut cases = String::new();
                for (from, to) in from.iter().zip(&to) {
                    cases.push_str(&format!(" when {} then {}", self.expr(from)?, self.expr(to)?));
                }
                let other = printed.get(3).unwrap_or(value);
                format!("case {value}{cases} else {other} end")
            }
            ("concatwithseparator", [separator, rest @ ..]) => {
                format!("array_to_string([{}], {separator})", rest.join(", "))
            }
            ("age", [_, from, to]) => {
                let unit = text(0).and_then(unit_named).ok_or_else(|| unknown(name))?;
                format!("timestamp_diff({to}, {from}, {unit})")
            }
            ("datename", [_, at]) => match text(0).map(str::to_lowercase).as_deref() {
                Some("month") => format!("format_timestamp('%B', {at})"),
                Some("weekday") => format!("format_timestamp('%A', {at})"),
                _ => return Err(Refusal::unsupported("dateName of other than month and weekday")),
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
                match text(0).and_then(unit_named).ok_or_else(|| unknown(name))? {
                    "week" => format!("date_diff(date({to}), date({from}), isoweek)"),
                    unit @ ("month" | "quarter" | "year") => {
                        format!("date_diff(date({to}), date({from}), {unit})")
                    }
                    unit => format!(
                        "timestamp_diff(timestamp_trunc({to}, {unit}), timestamp_trunc({from}, {unit}), {unit})"
                    ),
                }
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
            ("formatdatetime", [at, _, zone @ ..]) => {
                let format = quoted(&format_of(text(1).ok_or_else(|| unknown(name))?));
                let zone = zone.first().map(|zone| format!(", {zone}")).unwrap_or_default();
                format!("format_timestamp({format}, {at}{zone})")
            }
            (shift, [at, count]) if shift.starts_with("add") || shift.starts_with("subtract") => {
                let unit = shift.trim_start_matches("add").trim_start_matches("subtract");
                let Some(unit) = unit_named(unit) else { return Ok(None) };
                moved(at, count, unit, shift.starts_with("subtract"))
            }
            ("jsonextractkeys", [_]) => return Ok(None),
            (json, [of, ..])
                if json.starts_with("jsonextract") || matches!(json, "jsonhas" | "jsonlength") =>
            {
                return json_call(json, of, arguments).map(Some);
            }
            (simple, [of, _]) if simple.starts_with("simplejson") || simple.starts_with("visitparam") => {
                let rest = simple.trim_start_matches("simplejson").trim_start_matches("visitparam");
                return json_call(&format!("json{rest}"), of, arguments).map(Some);
            }
            _ => return Ok(None),
        }))
    }
}

/// `JSONExtractString(text, 'a', 'b')` and its like; what is not there is empty or 0.
fn json_call(name: &str, of: &str, arguments: &[FunctionArg]) -> Result<String, Refusal> {
    let mut steps = &arguments[1..];
    let mut name = name.to_owned();
    if name == "jsonextract"
        && let Some((last, rest)) = steps.split_last()
    {
        steps = rest;
        name.push_str(match text_of(last).map(str::to_lowercase).as_deref() {
            Some("string") => "string",
            Some("array(string)") => "strings",
            Some("bool") => "bool",
            Some(number) if number.starts_with("int") || number.starts_with("uint") => "int",
            Some(number) if number.starts_with("float") => "float",
            _ => return Err(Refusal::unsupported("JSONExtract of this type")),
        });
    }
    let mut path = "$".to_owned();
    for step in steps {
        if let Some(place) = expr_of(step).and_then(|step| step.to_string().parse::<usize>().ok()) {
            let place =
                place.checked_sub(1).ok_or_else(|| Refusal::invalid("elements are counted from 1"))?;
            path.push_str(&format!("[{place}]"));
            continue;
        }
        let key = text_of(step).filter(|key| !key.contains(['"', '\\']));
        let key = key.ok_or_else(|| Refusal::unsupported("a key of JSON that is no plain text"))?;
        path.push_str(&format!(".\"{key}\""));
    }
    let path = quoted(&path);
    let scalar = format!("json_value({of}, {path})");
    Ok(match name.as_str() {
        "jsonextractarrayraw" => format!("json_query_array({of}, {path})"),
        "jsonextractstrings" => format!("json_value_array({of}, {path})"),
        "jsonlength" => format!("coalesce(array_length(json_query_array({of}, {path})), 0)"),
        "jsonextractstring" => format!("coalesce({scalar}, '')"),
        "jsonextractint" | "jsonextractuint" => format!("coalesce(safe_cast({scalar} as int64), 0)"),
        "jsonextractfloat" => format!("coalesce(safe_cast({scalar} as float64), 0)"),
        "jsonextractbool" => format!("coalesce({scalar} = 'true', false)"),
        "jsonextractraw" => format!("coalesce(json_query({of}, {path}), '')"),
        "jsonhas" => format!("(json_query({of}, {path}) is not null)"),
        _ => return Err(unknown(&name)),
    })
}

/// The format with the warehouse's letters.
fn format_of(format: &str) -> String {
    let mut written = String::new();
    let mut signs = format.chars();
    while let Some(sign) = signs.next() {
        written.push(sign);
        if sign == '%' {
            written.extend(signs.next().map(|letter| match letter {
                'i' => 'M',
                'M' => 'B',
                'W' => 'A',
                other => other,
            }));
        }
    }
    written
}

/// The instant that many units later or earlier. The warehouse's instants know no months, its local times do.
pub(super) fn moved(at: &str, count: &str, unit: &str, back: bool) -> String {
    let word = if back { "sub" } else { "add" };
    match unit {
        "week" => match count.parse::<i64>() {
            Ok(count) => format!("timestamp_{word}({at}, interval {} day)", count.saturating_mul(7)),
            Err(_) => format!("timestamp_{word}({at}, interval ({count} * 7) day)"),
        },
        "month" | "quarter" | "year" => {
            format!("timestamp(datetime_{word}(datetime({at}), interval {count} {unit}))")
        }
        unit => format!("timestamp_{word}({at}, interval {count} {unit})"),
    }
}

/// `toInt32`, `toUInt8OrZero`, `toFloat64OrNull` …
fn conversion(name: &str, arguments: &[String]) -> Option<String> {
    let (value, otherwise) = match arguments {
        [value] => (value, None),
        [value, otherwise] => (value, Some(otherwise)),
        _ => return None,
    };
    let rest = name.strip_prefix("to")?;
    let (type_, rest) = [("int64", "uint"), ("int64", "int"), ("float64", "float")]
        .into_iter()
        .find_map(|(type_, word)| Some((type_, rest.strip_prefix(word)?)))?;
    let bits = BITS.iter().rfind(|bits| rest.starts_with(**bits))?;
    match &rest[bits.len()..] {
        "ordefault" => Some(format!(
            "coalesce(safe_cast({value} as {type_}), {})",
            otherwise.map_or("0", String::as_str)
        )),
        _ if otherwise.is_some() => None,
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

fn is_aggregate_list(argument: Option<&FunctionArg>) -> bool {
    let Some(Expr::Function(function)) = argument.and_then(expr_of) else { return false };
    function.name.to_string().to_lowercase().starts_with("group")
}

/// The count and the unit of `INTERVAL 5 minute` or `toIntervalMinute(5)`.
pub(super) fn interval_of(expr: &Expr) -> Option<(&Expr, &'static str)> {
    match expr {
        Expr::Interval(interval) => {
            Some((&interval.value, unit_named(&interval.leading_field.as_ref()?.to_string())?))
        }
        Expr::Function(function) => {
            let name = function.name.to_string().to_lowercase();
            let unit = unit_named(name.strip_prefix("tointerval")?)?;
            let FunctionArguments::List(list) = &function.args else { return None };
            let [count] = list.args.as_slice() else { return None };
            Some((expr_of(count)?, unit))
        }
        _ => None,
    }
}

/// The seconds of an interval of whole seconds, minutes, hours, days or weeks.
fn seconds_of(argument: &FunctionArg) -> Option<i64> {
    let (count, unit) = interval_of(expr_of(argument)?)?;
    let seconds = match unit {
        "second" => 1,
        "minute" => 60,
        "hour" => 3600,
        "day" => 86_400,
        "week" => 604_800,
        _ => return None,
    };
    let count: i64 = count.to_string().parse::<i64>().ok().filter(|count| *count > 0)?;
    count.checked_mul(seconds)
}
