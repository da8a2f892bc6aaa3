//! Aggregates: their parameters and combinators, and what they are called in the warehouse.

use super::call::{form, is_one_of, unknown};
use super::expr::tuple;
use super::functions::is_aggregate;
use crate::refusal::Refusal;

/// An aggregate with parameters, of one value.
pub(super) fn with_parameters(
    name: &str,
    base: &str,
    parameters: &[String],
    value: &str,
) -> Result<String, Refusal> {
    let listed = format!("array_agg(({value}) ignore nulls)");
    match (base, parameters) {
        // The second parameter is only how many values it remembers.
        ("topk", [count, _, counts]) if counts == "'counts'" => {
            return Ok(format!("list_top_items({listed}, {count})"));
        }
        ("topk", [count, _]) => return Ok(format!("list_top({listed}, {count})")),
        ("approx_top_k" | "approx_top_count", [count] | [count, _]) => {
            return Ok(format!("list_top_items({listed}, {count})"));
        }
        ("uniqcombined" | "uniqcombined64", [_]) => {
            return Ok(format!("count(distinct {value})"));
        }
        ("groupconcat", [separator, count]) => {
            let listed = format!("array_agg(({value}) ignore nulls limit {count})");
            return Ok(format!("array_to_string({listed}, {separator})"));
        }
        ("groupconcat", [separator]) => return Ok(format!("array_to_string({listed}, {separator})")),
        _ => {}
    }
    if let [count] = parameters {
        let list = match base {
            "grouparray" => Some(format!("array_agg(({value}) ignore nulls limit {count})")),
            "groupuniqarray" => Some(format!("array_agg(distinct ({value}) ignore nulls limit {count})")),
            "grouparraysorted" => {
                Some(format!("array_agg(({value}) ignore nulls order by {value} limit {count})"))
            }
            "topk" => Some(format!("list_top({listed}, {count})")),
            _ => None,
        };
        if let Some(list) = list {
            return Ok(list);
        }
    }
    let (several, kind) = match (base.strip_prefix("quantiles"), base.strip_prefix("quantile")) {
        (Some(kind), _) => (true, kind),
        (None, Some(kind)) => (false, kind),
        _ => return Err(unknown(name)),
    };
    let is_fraction = |text: &String| text.parse().is_ok_and(|fraction: f64| (0.0..=1.0).contains(&fraction));
    if !parameters.iter().all(is_fraction) {
        return Err(Refusal::invalid(format!("{name} takes numbers from 0 to 1 before its arguments")));
    }
    let of = |fraction: &String| quantile(kind, value, fraction).ok_or_else(|| unknown(name));
    let all = parameters.iter().map(of).collect::<Result<Vec<_>, _>>()?;
    match (several, all.as_slice()) {
        (true, [_, ..]) => Ok(format!("[{}]", all.join(", "))),
        (false, [only]) => Ok(only.clone()),
        _ => Err(unknown(name)),
    }
}

/// A quantile of one of the dialect's kinds.
pub(super) fn quantile(kind: &str, value: &str, fraction: &str) -> Option<String> {
    let floats = format!("array_agg(cast({value} as float64) ignore nulls)");
    Some(match kind {
        "" | "exactinclusive" | "deterministic" => format!("percentile_of({floats}, {fraction})"),
        "exact" | "exacthigh" => format!("list_quantile(array_agg(({value}) ignore nulls), {fraction})"),
        // The lower one of the two in the middle.
        "exactlow" if fraction == "0.5" => {
            format!("list_quantile(array_agg(({value}) ignore nulls), 0.4999999999)")
        }
        "exactlow" => return quantile("exact", value, fraction),
        "timing" => format!("list_quantile(array_agg((plain_whole({value})) ignore nulls), {fraction})"),
        "tdigest" => format!("list_disc({floats}, {fraction})"),
        _ => return None,
    })
}

/// Several values as one.
pub(super) fn whole_key(values: &[String]) -> String {
    format!("to_json_string({})", tuple(values))
}

/// Aggregates that are zero or empty without rows.
pub(super) fn or_zero(base: &str, sql: String, values: &[String]) -> String {
    match values.first() {
        Some(value)
            if is_one_of(base, &["any", "any_value", "anylast", "argmax", "argmin", "max", "min"]) =>
        {
            format!("coalesce({sql}, zero_of({value}))")
        }
        _ => sql,
    }
}

/// The aggregate or function.
pub(super) fn aggregate(name: &str, arguments: &[String]) -> Option<String> {
    if let ([value], Some(kind)) =
        (arguments, name.strip_prefix("quantile").or_else(|| name.strip_prefix("median")))
    {
        return quantile(kind, value, "0.5");
    }
    form(name, arguments)
}

/// What an aggregate without rows gives instead of its own value.
#[derive(Clone, Copy)]
pub(super) enum Empty {
    Null,
    Default,
}

impl Empty {
    pub(super) fn around(self, sql: &str, value: &str, count: &str) -> String {
        match self {
            Empty::Null => format!("if({count} = 0, null, {sql})"),
            Empty::Default => format!("coalesce({sql}, zero_of({value}))"),
        }
    }
}

/// The name of an aggregate without what is after it, whether it has a condition, and what it gives without rows:
/// `sumIfOrNull`.
pub(super) fn combinators(name: &str) -> (&str, bool, Option<Empty>) {
    let (mut base, mut conditional, mut empty) = (name, false, None);
    loop {
        if let Some(rest) = base.strip_suffix("ornull").filter(|rest| is_aggregate(rest)) {
            (base, empty) = (rest, Some(Empty::Null));
        } else if let Some(rest) = base.strip_suffix("ordefault").filter(|rest| is_aggregate(rest)) {
            (base, empty) = (rest, Some(Empty::Default));
        } else if let Some(rest) = base.strip_suffix("if").filter(|rest| is_aggregate(rest) && !conditional) {
            (base, conditional) = (rest, true);
        } else {
            return (base, conditional, empty);
        }
    }
}
