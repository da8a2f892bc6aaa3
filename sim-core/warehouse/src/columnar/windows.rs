//! Windows: their clauses, and functions that no database has over a window, which are written over the list of its values.

use sqlparser::ast::{Expr, FunctionArg, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowSpec};

use super::Writer;
use super::aggregate::combinators;
use super::call::{expr_of, may_be_null, truth};
use super::expr::tuple;
use crate::bind::GROUPS;
use crate::refusal::Refusal;

/// More values than a window has.
const ALL: u32 = 1_000_000_000;

impl Writer {
    /// The window as it is printed.
    pub(super) fn window(&mut self, window: &WindowSpec) -> Result<String, Refusal> {
        let mut parts = self.keys_of_window(window)?;
        if window.window_frame.as_ref().is_some_and(|frame| frame.units == WindowFrameUnits::Groups) {
            parts.insert(0, GROUPS.to_owned());
        }
        if let Some(frame) = &window.window_frame {
            let end = frame.end_bound.as_ref().map(|end| format!(" and {end}")).unwrap_or_default();
            let between = if end.is_empty() { "" } else { "between " };
            parts.push(format!("{} {between}{}{end}", frame.units, frame.start_bound));
        }
        Ok(parts.join(" "))
    }

    fn keys_of_window(&mut self, window: &WindowSpec) -> Result<Vec<String>, Refusal> {
        let mut window = window.clone();
        if let Some(name) = window.window_name.take() {
            let known = self.windows.get(&name.value).cloned();
            let known = known.ok_or_else(|| Refusal::invalid(format!("Window '{name}' is not defined")))?;
            window.partition_by = known.partition_by;
            if window.order_by.is_empty() {
                window.order_by = known.order_by;
            }
        }
        let mut parts = Vec::new();
        if !window.partition_by.is_empty() {
            parts.push(format!("partition by {}", self.list(&window.partition_by)?));
        }
        if !window.order_by.is_empty() {
            parts.push(format!("order by {}", self.order(&window.order_by)?));
        }
        Ok(parts)
    }

    /// An aggregate over the list of a window's values; `None` for those that have a window of their own.
    pub(super) fn collected(
        &mut self,
        name: &str,
        arguments: &[FunctionArg],
    ) -> Result<Option<String>, Refusal> {
        let lower = name.to_lowercase();
        let (base, conditional, _) = combinators(&lower);
        let printed = self.arguments(arguments)?;
        if let ("argmax" | "argmin", [value, key, condition @ ..]) = (base, printed.as_slice())
            && condition.len() == usize::from(conditional)
            && self.tuple_of_argument(arguments.get(1))?.is_none()
        {
            let mut missing = vec![format!("{value} is null"), format!("{key} is null")];
            missing.extend(condition.iter().map(|condition| format!("not {}", truth(condition))));
            let pair = tuple(&[value.clone(), key.clone()]);
            let list = format!("array_agg((if({}, null, {pair})) ignore nulls)", missing.join(" or "));
            let sign = if base == "argmax" { 1 } else { -1 };
            let found = format!("tuple_element(list_of_key({list}, {sign}), 1)");
            return Ok(Some(match may_be_null(arguments) {
                true => found,
                false => format!("coalesce({found}, zero_of({value}))"),
            }));
        }
        let value = match printed.as_slice() {
            [value, condition] if conditional => format!("if({}, {value}, null)", truth(condition)),
            [value] if !conditional => value.clone(),
            _ => return Ok(None),
        };
        let list = format!("array_agg(({value}) ignore nulls)");
        Ok(match base {
            "uniq" | "uniqexact" | "uniqcombined" | "uniqcombined64" | "uniqhll12" | "countdistinct" => {
                Some(format!("array_length(list_top({list}, {ALL}))"))
            }
            "groupuniqarray" => Some(format!("list_top({list}, {ALL})")),
            "grouparray" => Some(list),
            _ => None,
        })
    }

    /// A row before or after, as long as it is in the frame. `whole` is the call without its window.
    pub(super) fn in_frame(
        &mut self,
        function: &str,
        window: &WindowSpec,
        arguments: &[FunctionArg],
        whole: &str,
    ) -> Result<String, Refusal> {
        let over = self.keys_of_window(window)?.join(" ");
        let printed = self.arguments(arguments)?;
        let count = match printed.get(1) {
            None => 1,
            Some(count) => count.parse::<i64>().map_err(|_| {
                Refusal::unsupported("lagInFrame or leadInFrame by a number that the query does not tell")
            })?,
        };
        let steps = if function == "laginframe" { -count } else { count };
        let beyond = match printed.as_slice() {
            [_, _, other] => other.clone(),
            [value, ..] => format!("zero_of({value})"),
            [] => return Err(Refusal::invalid(format!("{function} takes a value"))),
        };
        let found = format!("{whole} over ({over})");
        Ok(match reach(window.window_frame.as_ref()) {
            Some((from, to)) if (from..=to).contains(&steps) => found,
            Some(_) => beyond,
            // Up to the present row: with it, all that are sorted like it.
            None if steps <= 0 => found,
            None => {
                let [key] = window.order_by.as_slice() else {
                    return Err(Refusal::unsupported("leadInFrame without a frame and one key"));
                };
                let key = self.expr(&key.expr)?;
                format!("if(lead({key}, {steps}) over ({over}) = {key}, {found}, {beyond})")
            }
        })
    }

    /// `nonNegativeDerivative(value, at)`: by how much it grows in a second, or in the interval that is named.
    pub(super) fn derivative(&mut self, arguments: &[FunctionArg], over: &str) -> Result<String, Refusal> {
        let [value, at, interval @ ..] = arguments else {
            return Err(Refusal::invalid("nonNegativeDerivative takes a value and a timestamp"));
        };
        let interval = interval.first().and_then(expr_of).map(|by| self.one_interval(by));
        let seconds = match interval {
            None => 1,
            Some(Some((Expr::Value(count), unit))) => {
                let count: i64 = count.value.to_string().parse().unwrap_or(0);
                let width = match unit {
                    "second" => 1,
                    "minute" => 60,
                    "hour" => 3_600,
                    "day" => 86_400,
                    _ => 0,
                };
                count.saturating_mul(width)
            }
            Some(_) => 0,
        };
        if seconds < 1 {
            return Err(Refusal::unsupported("nonNegativeDerivative by this interval"));
        }
        let printed = self.arguments(&[value.clone(), at.clone()])?;
        let (value, at) = (&printed[0], format!("unix_micros(as_moment({}))", printed[1]));
        let grown = format!("({value} - lag({value}) over ({over}))");
        let passed = format!("({at} - lag({at}) over ({over}))");
        Ok(format!(
            "coalesce(if({passed} > 0, greatest({grown} * {}.0 / {passed}, 0.0), 0.0), 0.0)",
            seconds.saturating_mul(1_000_000)
        ))
    }
}

/// The first and the last row of a frame, counted from the present one, if it is counted in rows; `None` if it ends with the rows
/// that are sorted like the present one.
fn reach(frame: Option<&WindowFrame>) -> Option<(i64, i64)> {
    let number = |count: &Expr| count.to_string().parse::<i64>().ok();
    let place = |bound: &WindowFrameBound, all: i64| match bound {
        WindowFrameBound::CurrentRow => Some(0),
        WindowFrameBound::Preceding(None) | WindowFrameBound::Following(None) => Some(all),
        WindowFrameBound::Preceding(Some(count)) => number(count).map(|count| -count),
        WindowFrameBound::Following(Some(count)) => number(count),
    };
    let frame = frame?;
    let ends = frame.end_bound.as_ref();
    let whole = matches!(frame.start_bound, WindowFrameBound::Preceding(None))
        && matches!(ends, Some(WindowFrameBound::Following(None)));
    if frame.units != WindowFrameUnits::Rows && !whole {
        return None;
    }
    Some((place(&frame.start_bound, -i64::MAX)?, ends.map_or(Some(0), |end| place(end, i64::MAX))?))
}

/// The expression with the window behind each list that it collects; `None` if it collects none.
pub(super) fn over_lists(sql: &str, over: &str) -> Option<String> {
    const LIST: &str = "array_agg(";
    let mut rest = sql;
    let mut out = String::new();
    while let Some(at) = rest.find(LIST) {
        let begin = at + LIST.len();
        let end = begin + closing(&rest[begin..])? + 1;
        out.push_str(&rest[..end]);
        out.push_str(&format!(" over ({over})"));
        rest = &rest[end..];
    }
    if out.is_empty() {
        return None;
    }
    out.push_str(rest);
    Some(out)
}

/// Where the bracket closes that is open at the beginning of a text.
pub(super) fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut quote, mut escaped) = (0_usize, None, false);
    for (at, sign) in text.char_indices() {
        match (quote, sign) {
            _ if escaped => escaped = false,
            (Some(_), '\\') => escaped = true,
            (Some(open), sign) if sign == open => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"' | '`') => quote = Some(sign),
            (None, '(') => depth += 1,
            (None, ')') if depth == 0 => return Some(at),
            (None, ')') => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether an expression is one call that the databases know over a window.
pub(super) fn takes_window(sql: &str) -> bool {
    const KNOWN: [&str; 25] = [
        "avg",
        "count",
        "countif",
        "cume_dist",
        "dense_rank",
        "first_value",
        "lag",
        "laginframe",
        "last_value",
        "lead",
        "leadinframe",
        "logical_and",
        "logical_or",
        "max",
        "min",
        "nth_value",
        "ntile",
        "percent_rank",
        "rank",
        "row_number",
        "stddev_pop",
        "stddev_samp",
        "sum",
        "var_pop",
        "var_samp",
    ];
    let Some((name, rest)) = sql.split_once('(') else { return false };
    KNOWN.contains(&name) && closing(rest).is_some_and(|end| end + 1 == rest.len())
}
