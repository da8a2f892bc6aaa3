//! Window functions: `row_number() OVER (PARTITION BY … ORDER BY …)`.

use sqlparser::ast::{self, WindowFrameBound, WindowFrameUnits, WindowType};

use super::Binder;
use super::call::Call;
use super::expr::{Expr, Origin};
use super::scope::{Scope, same};
use super::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn window_call(&mut self, call: &Call<'_>, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        if matches!(call.name.as_str(), "percentile_cont" | "percentile_disc") {
            return self.percentile(call, scope);
        }
        if let (true, "first_value" | "last_value", [value]) =
            (call.ignore_nulls, call.name.as_str(), call.arguments.as_slice())
        {
            let first = call.name == "first_value";
            return self.value_without_nulls(value, first, call.over, scope);
        }
        let is_list = matches!(call.name.as_str(), "array_agg" | "json_agg" | "jsonb_agg" | "string_agg");
        let is_plain = call.order.is_empty() && call.limit.is_none();
        if is_list && is_plain && !call.distinct {
            return self.list_of_window(call, scope);
        }
        if let ("count", true, false, [value]) =
            (call.name.as_str(), call.distinct, self.is_postgres(), call.arguments.as_slice())
        {
            let name = "array_agg".to_owned();
            let call = Call { name, arguments: vec![value], distinct: false, ignore_nulls: true, ..*call };
            let list = self.list_of_window(&call, scope)?;
            let all = Expr {
                origin: Origin::Integer(i64::MAX),
                ..Expr::new(self.target.integer(i64::MAX), Type::Int64)
            };
            let distinct = self.function("list_top", &[list, all])?;
            let count = self.function("array_length", &[distinct])?;
            let zero = self.target.integer(0);
            return Ok(count.with(format!("coalesce({}, {zero})", count.sql), Type::Int64));
        }
        if let (Some(filter), true) = (call.filter, self.is_postgres()) {
            return self.filtered_window(call, filter, scope);
        }
        if call.filter.is_some()
            || call.distinct
            || call.ignore_nulls
            || !call.order.is_empty()
            || call.limit.is_some()
        {
            return Err(Refusal::unsupported(&format!("this form of {} in a window", call.name)));
        }
        let value = match call.name.as_str() {
            "count" | "sum" | "avg" | "countif" | "logical_and" | "logical_or" | "stddev" | "stddev_pop"
            | "stddev_samp" | "variance" | "var_pop" | "var_samp" => self.aggregated(call, scope, true)?,
            "min" | "max" => {
                let value = self.aggregated(call, scope, true)?;
                if value.type_ == Type::Dynamic {
                    let only = self.expr(call.arguments[0], scope)?;
                    let number = self.coerced(&only, &Type::Number)?;
                    number.with(format!("{}({})", call.name, number.sql), Type::Number)
                } else {
                    value
                }
            }
            _ => self.ranking(call, scope)?,
        };
        let (window, operands) = self.window(call.over, scope)?;
        // A cast must be around the whole expression, not between the function and its window.
        let (function, cast) = match value.sql.strip_suffix("::bigint") {
            Some(function) if value.type_ == Type::Int64 => (function, "::bigint"),
            _ => (value.sql.as_str(), ""),
        };
        let sql = format!("({function} OVER ({window})){cast}");
        let operands = operands.iter().chain(std::iter::once(&value));
        let shape = value.shape.clone();
        Ok(Expr { windowed: true, shape, ..Expr::of(sql, value.type_.clone(), operands) })
    }

    /// The values of a window as a list, or as one text.
    fn list_of_window(&mut self, call: &Call<'_>, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let arguments = call.arguments.iter().map(|argument| self.expr(argument, scope));
        let arguments = arguments.collect::<Result<Vec<_>, _>>()?;
        let of_text = call.name == "string_agg";
        let (value, separator) = match arguments.as_slice() {
            [value] if of_text => (self.coerced(value, &Type::String)?, self.literal_text(",")),
            [value, separator] if of_text => (self.coerced(value, &Type::String)?, separator.clone()),
            [value] => (value.clone(), self.literal_text(",")),
            _ => return Err(no_signature(&call.name, &arguments)),
        };
        let is_json = call.name.starts_with("json");
        if matches!(value.type_, Type::Array(_)) && !is_json {
            return Err(Refusal::unsupported(&format!("{} of lists in a window", call.name)));
        }
        let mut condition = (call.ignore_nulls || of_text).then(|| format!("{} IS NOT NULL", value.sql));
        if let Some(filter) = call.filter {
            let filter = self.condition(filter, scope)?.plain("FILTER")?.sql;
            condition =
                Some(condition.map_or_else(|| filter.clone(), |so_far| format!("{so_far} AND {filter}")));
        }
        let filter = self.target.collecting(&value.sql, condition);
        let (window, operands) = self.window(call.over, scope)?;
        let operands = operands.iter().chain([&value]);
        let (sql, type_) = if of_text {
            let sql = format!("string_agg({}, {}){filter} OVER ({window})", value.sql, separator.sql);
            (self.target.pick(format!("wh_charged({sql})"), sql.clone()), Type::String)
        } else {
            let packed = self.target.packed(&value.type_, &value.sql);
            let sql = self.target.pick(
                format!("nullif(wh_charged(json_group_array({packed}){filter} OVER ({window})), '[]')"),
                format!("jsonb_agg({packed}){filter} OVER ({window})"),
            );
            let of = if value.type_ == Type::Null { Type::Int64 } else { value.type_.clone() };
            (sql, if is_json { Type::Dynamic } else { Type::Array(Box::new(of)) })
        };
        Ok(Expr {
            windowed: true,
            shape: value.shape.clone(),
            ..Expr::of(format!("({sql})"), type_, operands)
        })
    }

    /// `sum(x) FILTER (WHERE …) OVER (…)`: where the condition does not hold, the value is null.
    fn filtered_window(
        &mut self,
        call: &Call<'_>,
        filter: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let passes_over_nulls = matches!(call.name.as_str(), "count" | "sum" | "avg" | "min" | "max");
        let (name, argument) = match (call.star, call.arguments.as_slice()) {
            (true, []) if call.name == "count" => ("countif", filter.clone()),
            (false, [value]) if passes_over_nulls => {
                let when = ast::CaseWhen { condition: filter.clone(), result: (*value).clone() };
                let case = ast::Expr::Case {
                    case_token: ast::helpers::attached_token::AttachedToken::empty(),
                    end_token: ast::helpers::attached_token::AttachedToken::empty(),
                    operand: None,
                    conditions: vec![when],
                    else_result: None,
                };
                (call.name.as_str(), case)
            }
            _ => return Err(Refusal::unsupported(&format!("this form of {} in a window", call.name))),
        };
        let call =
            Call { name: name.to_owned(), arguments: vec![&argument], star: false, filter: None, ..*call };
        self.window_call(&call, scope)
    }

    /// `LAST_VALUE(x IGNORE NULLS) OVER (…)`
    fn value_without_nulls(
        &mut self,
        value: &ast::Expr,
        first: bool,
        over: Option<&WindowType>,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let value = self.expr(value, scope)?;
        let (window, operands) = self.window(over, scope)?;
        let name = if first { "wh_first" } else { "wh_last" };
        let name = self.target.pick(format!("{name}_present"), name.to_owned());
        let sql = format!("({name}({}) OVER ({window}))", value.sql);
        let shape = value.shape.clone();
        let operands = operands.iter().chain([&value]);
        Ok(Expr { windowed: true, shape, ..Expr::of(sql, value.type_.clone(), operands) })
    }

    fn ranking(&mut self, call: &Call<'_>, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let arguments: Vec<Expr> =
            call.arguments.iter().map(|argument| self.expr(argument, scope)).collect::<Result<_, _>>()?;
        let name = &call.name;
        Ok(match (name.as_str(), arguments.as_slice()) {
            ("row_number" | "rank" | "dense_rank", []) => Expr::new(format!("{name}()"), Type::Int64),
            ("percent_rank" | "cume_dist", []) => Expr::new(format!("{name}()"), Type::Float64),
            ("ntile", [Expr { origin: Origin::Integer(count @ 1..), .. }]) => {
                Expr::new(self.target.pick(format!("ntile({count})"), format!("ntile({count})")), Type::Int64)
            }
            ("any_value", [value]) => value.with(format!("first_value({})", value.sql), value.type_.clone()),
            ("first_value" | "last_value", [value]) => {
                value.with(format!("{name}({})", value.sql), value.type_.clone())
            }
            ("laginframe" | "leadinframe", [value]) => {
                let (name, zero) = (name.trim_end_matches("inframe"), self.zero_of(&value.type_));
                value.with(format!("{name}({}, 1, {})", value.sql, zero.sql), value.type_.clone())
            }
            ("laginframe" | "leadinframe", [value, Expr { origin: Origin::Integer(count @ 0..), .. }]) => {
                let (name, zero) = (name.trim_end_matches("inframe"), self.zero_of(&value.type_));
                value.with(format!("{name}({}, {count}, {})", value.sql, zero.sql), value.type_.clone())
            }
            (
                "laginframe" | "leadinframe",
                [value, Expr { origin: Origin::Integer(count @ 0..), .. }, otherwise],
            ) => {
                let name = name.trim_end_matches("inframe");
                let (type_, both) = self.unified(&[value.clone(), otherwise.clone()], name)?;
                Expr::of(format!("{name}({}, {count}, {})", both[0].sql, both[1].sql), type_, &both)
            }
            ("lag" | "lead", [value]) => value.with(format!("{name}({})", value.sql), value.type_.clone()),
            ("lag" | "lead", [value, Expr { origin: Origin::Integer(count @ 0..), .. }]) => {
                value.with(format!("{name}({}, {count})", value.sql), value.type_.clone())
            }
            ("lag" | "lead", [value, Expr { origin: Origin::Integer(count @ 0..), .. }, otherwise]) => {
                let (type_, both) = self.unified(&[value.clone(), otherwise.clone()], name)?;
                Expr::of(format!("{name}({}, {count}, {})", both[0].sql, both[1].sql), type_, &both)
            }
            ("nth_value", [value, Expr { origin: Origin::Integer(count @ 1..), .. }]) => {
                value.with(format!("nth_value({}, {count})", value.sql), value.type_.clone())
            }
            (
                "row_number" | "rank" | "dense_rank" | "ntile" | "first_value" | "last_value" | "nth_value"
                | "lag" | "lead",
                _,
            ) => {
                return Err(no_signature(name, &arguments));
            }
            _ => return Err(Refusal::unsupported(&format!("the window function {name}"))),
        })
    }

    /// `PERCENTILE_CONT(x, 0.9) OVER (…)`. The targets have no such window function, so the values of the partition are collected.
    fn percentile(&mut self, call: &Call<'_>, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let [value, fraction] = call.arguments.as_slice() else {
            return Err(no_signature(&call.name, &[]));
        };
        let (value, fraction) = (self.expr(value, scope)?, self.expr(fraction, scope)?);
        let continuous = call.name == "percentile_cont";
        let value = match value.type_ {
            _ if continuous => self.coerced(&value, &Type::Float64)?,
            Type::Dynamic => self.coerced(&value, &Type::Number)?,
            _ => value,
        };
        if !matches!(value.type_, Type::Float64 | Type::Int64 | Type::Number | Type::String) {
            return Err(no_signature(&call.name, &[value, fraction]));
        }
        if !is_fraction(call.arguments[1]) {
            return Err(Refusal::invalid(format!(
                "The second argument of {} must be a number from 0 to 1",
                call.name.to_uppercase()
            )));
        }
        let (window, operands) = self.window(call.over, scope)?;
        if window.contains("ORDER BY") || window.contains("ROWS") || window.contains("RANGE") {
            return Err(Refusal::invalid(format!(
                "Window ORDER BY is not allowed for analytic function {}",
                call.name.to_uppercase()
            )));
        }
        let fraction = self.coerced(&fraction, &Type::Float64)?;
        let packed = self.target.packed(&value.type_, &value.sql);
        let collect = self.target.pick("json_group_array", "jsonb_agg");
        let filter = self.target.collecting(&value.sql, None);
        let sql = format!("wh_{}({collect}({packed}){filter} OVER ({window}), {})", call.name, fraction.sql);
        let sql = self.target.unpacked(&value.type_, &sql);
        let operands = operands.iter().chain([&value]);
        Ok(Expr { windowed: true, ..Expr::of(sql, value.type_.clone(), operands) })
    }

    fn window(
        &mut self,
        over: Option<&ast::WindowType>,
        scope: &Scope<'_>,
    ) -> Result<(String, Vec<Expr>), Refusal> {
        let spec = match over {
            Some(WindowType::WindowSpec(spec)) => spec.clone(),
            Some(WindowType::NamedWindow(name)) => {
                let known = self.windows.iter().find(|(known, _)| same(known, &name.value));
                let found = known.map(|(_, spec)| spec.clone());
                found.ok_or_else(|| Refusal::invalid(format!("Unrecognized window alias {}", name.value)))?
            }
            None => return Err(Refusal::invalid("an analytic function needs OVER")),
        };
        let mut spec = spec;
        let (mut groups, mut excluded) = (self.is_postgres(), "");
        if let Some(name) = spec.window_name.take() {
            groups |= name.value == GROUPS;
            match name.value.strip_prefix(EXCLUDED).and_then(|rest| rest.split_once('.')) {
                Some((kind, rest)) => {
                    excluded =
                        EXCLUSIONS.iter().find(|one| one.replace(' ', "_") == kind).copied().unwrap_or("");
                    if !rest.is_empty() {
                        spec = self.made_of(rest, spec)?;
                    }
                }
                None if name.value == GROUPS => {}
                None => spec = self.made_of(&name.value, spec)?,
            }
        }
        let partition = self.exprs(&spec.partition_by, scope)?;
        let mut parts = Vec::new();
        if !partition.is_empty() {
            let keys = partition.iter().map(|key| self.target.grouped(&key.type_, &key.sql));
            parts.push(format!("PARTITION BY {}", keys.collect::<Vec<_>>().join(", ")));
        }
        let mut operands = partition;
        let mut keys = Vec::new();
        let mut sorted_by = Vec::new();
        for item in &spec.order_by {
            let key = self.expr(&item.expr, scope)?;
            sorted_by.push(key.type_.clone());
            keys.extend(self.sort_keys(&key, item)?);
            operands.push(key);
        }
        if !keys.is_empty() {
            parts.push(format!("ORDER BY {}", keys.join(", ")));
        }
        if !excluded.is_empty() && spec.window_frame.is_none() {
            return Err(Refusal::syntax(format!("EXCLUDE {excluded} without a frame")));
        }
        if let Some(frame) = &spec.window_frame {
            // A range by distance needs one numeric sort key.
            let measured = match sorted_by.as_slice() {
                [Type::Int64] if keys.len() == 1 => Measured::ByNumbers,
                [Type::Timestamp] if keys.len() == 1 && self.is_postgres() => {
                    Measured::ByTimes(self.target.pick(false, true))
                }
                _ => Measured::No,
            };
            parts.push(frame_of(frame, &measured, groups)?);
            if !excluded.is_empty() {
                parts.push(format!("EXCLUDE {excluded}"));
            }
        }
        Ok((parts.join(" "), operands))
    }

    /// A window with the keys of another one: it adds an order or a frame.
    fn made_of(&mut self, other: &str, mut spec: ast::WindowSpec) -> Result<ast::WindowSpec, Refusal> {
        let known = self.windows.iter().find(|(known, _)| same(known, other)).map(|(_, spec)| spec.clone());
        let known = known.ok_or_else(|| Refusal::invalid(format!("Unrecognized window alias {other}")))?;
        if known.window_name.is_some() {
            return Err(Refusal::unsupported("a window made of one that is made of another"));
        }
        if !spec.partition_by.is_empty() || known.window_frame.is_some() {
            return Err(Refusal::invalid(format!(
                "cannot override PARTITION BY or copy a frame of window \"{other}\""
            )));
        }
        if !spec.order_by.is_empty() && !known.order_by.is_empty() {
            return Err(Refusal::invalid(format!("cannot override ORDER BY clause of window \"{other}\"")));
        }
        spec.partition_by = known.partition_by;
        if spec.order_by.is_empty() {
            spec.order_by = known.order_by;
        }
        Ok(spec)
    }
}

/// The name of a window that may have a frame of GROUPS in the warehouse's dialect, where the columnar dialect is written.
pub(crate) const GROUPS: &str = "with_groups";

/// The beginning of a window's name that tells what its frame leaves out, before a point and its own name.
pub(crate) const EXCLUDED: &str = "excluding_";

/// What a frame may leave out.
pub(crate) const EXCLUSIONS: [&str; 4] = ["CURRENT ROW", "GROUP", "TIES", "NO OTHERS"];

fn is_fraction(expr: &ast::Expr) -> bool {
    let ast::Expr::Value(value) = expr else { return false };
    let ast::Value::Number(digits, _) = &value.value else { return false };
    digits.parse::<f64>().is_ok_and(|number| (0.0..=1.0).contains(&number))
}

/// What a range by distance may measure.
enum Measured {
    No,
    ByNumbers,
    /// Instants; whether the database has intervals.
    ByTimes(bool),
}

fn frame_of(frame: &ast::WindowFrame, measured: &Measured, groups: bool) -> Result<String, Refusal> {
    let units = match frame.units {
        WindowFrameUnits::Rows => "ROWS",
        WindowFrameUnits::Range => "RANGE",
        WindowFrameUnits::Groups if groups => "GROUPS",
        WindowFrameUnits::Groups => return Err(Refusal::unsupported("a frame of GROUPS")),
    };
    let start = bound_of(&frame.start_bound, units, measured)?;
    Ok(match &frame.end_bound {
        Some(end) => format!("{units} BETWEEN {start} AND {}", bound_of(end, units, measured)?),
        None => format!("{units} {start}"),
    })
}

fn bound_of(bound: &WindowFrameBound, units: &str, measured: &Measured) -> Result<String, Refusal> {
    let (count, word) = match bound {
        WindowFrameBound::CurrentRow => return Ok("CURRENT ROW".to_owned()),
        WindowFrameBound::Preceding(count) => (count, "PRECEDING"),
        WindowFrameBound::Following(count) => (count, "FOLLOWING"),
    };
    match count.as_deref() {
        None => Ok(format!("UNBOUNDED {word}")),
        Some(ast::Expr::Interval(interval))
            if units == "RANGE" && matches!(measured, Measured::ByTimes(_)) =>
        {
            let micros =
                micros_of(interval).ok_or_else(|| Refusal::unsupported("this bound of a window frame"))?;
            Ok(match measured {
                Measured::ByTimes(true) => format!("INTERVAL '{micros} microseconds' {word}"),
                _ => format!("{micros} {word}"),
            })
        }
        Some(ast::Expr::Value(value)) if units != "RANGE" || matches!(measured, Measured::ByNumbers) => {
            match &value.value {
                ast::Value::Number(digits, _) if digits.parse::<u32>().is_ok() => {
                    Ok(format!("{digits} {word}"))
                }
                _ => Err(Refusal::invalid("a window frame needs a whole number")),
            }
        }
        Some(_) => Err(Refusal::unsupported("this bound of a window frame")),
    }
}

/// The microseconds of `INTERVAL '30 minutes'`. Days have 24 hours where instants have no zone.
fn micros_of(interval: &ast::Interval) -> Option<i64> {
    let ast::Expr::Value(value) = &*interval.value else { return None };
    let text = match &value.value {
        ast::Value::SingleQuotedString(text) | ast::Value::Number(text, _) => text.clone(),
        _ => return None,
    };
    let unit = interval.leading_field.as_ref().map(ToString::to_string);
    let (count, unit) = match &unit {
        Some(unit) => (text.as_str(), unit.as_str()),
        None => text.trim().split_once(' ')?,
    };
    let unit = unit.trim().to_lowercase();
    let width = match unit.strip_suffix('s').unwrap_or(&unit) {
        "microsecond" => 1,
        "millisecond" => 1_000,
        "second" | "sec" => 1_000_000,
        "minute" | "min" => 60_000_000,
        "hour" => 3_600_000_000,
        "day" => 86_400_000_000,
        "week" => 604_800_000_000,
        _ => return None,
    };
    count.trim().parse::<i64>().ok().filter(|count| *count >= 0)?.checked_mul(width)
}
