//! Aggregates: one value for each group.

mod approximate;
mod collect;

use sqlparser::ast;

use super::Binder;
use super::call::Call;
use super::expr::Expr;
use super::scope::Scope;
use super::value::no_signature;
use crate::Target;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// Binds a call of an aggregate; `None` when the function is not an aggregate.
    pub(super) fn aggregate(&mut self, call: &Call<'_>, scope: &Scope<'_>) -> Result<Option<Expr>, Refusal> {
        if !is_aggregate(&call.name) {
            return Ok(None);
        }
        let bound = self.aggregated(call, scope, false)?;
        let bound = match call.filter {
            // A list has its filter inside.
            Some(_) if call.name == "array_agg" => bound,
            Some(_) if call.name == "string_agg" && call.distinct => bound,
            Some(filter) => self.filtered(call, bound, filter, scope)?,
            None => bound,
        };
        Ok(Some(Expr { aggregated: true, loose: None, ..bound }))
    }

    /// `count(*) FILTER (WHERE …)`
    fn filtered(
        &mut self,
        call: &Call<'_>,
        value: Expr,
        filter: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let is_plain = matches!(
            call.name.as_str(),
            "count" | "sum" | "avg" | "min" | "max" | "string_agg" | "logical_and" | "logical_or" | "corr"
        ) || ["stddev", "var", "covar_", "bit_"]
            .iter()
            .any(|start| call.name.starts_with(start));
        if !is_plain {
            return Err(Refusal::unsupported(&format!("FILTER of {}", call.name)));
        }
        let filter = self.condition(filter, scope)?.plain("FILTER")?;
        // A cast must be around the whole expression.
        let (function, cast) = match value.sql.strip_suffix("::bigint") {
            Some(function) => (function, "::bigint"),
            None => (value.sql.as_str(), ""),
        };
        let sql = format!("({function} FILTER (WHERE {})){cast}", filter.sql);
        Ok(Expr::of(sql, value.type_.clone(), [&value, &filter]))
    }

    /// Binds the aggregate without a check of grouping. In a window its argument may be an aggregate itself.
    pub(super) fn aggregated(
        &mut self,
        call: &Call<'_>,
        scope: &Scope<'_>,
        in_window: bool,
    ) -> Result<Expr, Refusal> {
        if call.star {
            return match call.name.as_str() {
                "count" if !call.distinct => Ok(Expr::new("count(*)", Type::Int64)),
                _ => Err(Refusal::invalid(format!(
                    "Argument * can only be used in COUNT(*), not in {}",
                    call.name
                ))),
            };
        }
        // Arguments are evaluated for single rows, in which no key is null because of the grouping.
        let absent = std::mem::take(&mut self.absent);
        let value = self.aggregate_of_rows(call, scope, in_window);
        self.absent = absent;
        value
    }

    fn aggregate_of_rows(
        &mut self,
        call: &Call<'_>,
        scope: &Scope<'_>,
        in_window: bool,
    ) -> Result<Expr, Refusal> {
        let mut arguments = Vec::new();
        for argument in &call.arguments {
            let bound = self.expr(argument, scope)?;
            if (bound.aggregated && !in_window) || bound.windowed {
                return Err(Refusal::invalid("Aggregations of aggregations are not allowed"));
            }
            if bound.outer && bound.loose.is_none() {
                return Err(Refusal::unsupported("an aggregate of a column of the query around it"));
            }
            arguments.push(bound);
        }
        let Some(first) = arguments.first().cloned() else {
            return Err(no_signature(&call.name, &arguments));
        };
        let ordered = matches!(call.name.as_str(), "array_agg" | "array_concat_agg" | "string_agg");
        if !ordered && (!call.order.is_empty() || call.limit.is_some()) {
            return Err(Refusal::unsupported(&format!("ORDER BY or LIMIT in {}", call.name)));
        }
        if let Some(ast::HavingBound(kind, by)) = call.having {
            let by = self.expr(by, scope)?;
            if call.name != "any_value" || arguments.len() > 1 {
                return Err(Refusal::unsupported(&format!("HAVING in {}", call.name)));
            }
            return self.value_at_extreme(&first, &by, *kind == ast::HavingBoundKind::Max);
        }
        if arguments.len() > 1 && !TAKES_MORE.contains(&call.name.as_str()) {
            return Err(no_signature(&call.name, &arguments));
        }
        let distinct = if call.distinct { "DISTINCT " } else { "" };
        match call.name.as_str() {
            "count" => {
                let key = self.target.grouped(&first.type_, &first.sql);
                let sql = if call.distinct { key } else { first.sql.clone() };
                Ok(first.with(format!("count({distinct}{sql})"), Type::Int64))
            }
            "approx_count_distinct" => {
                let key = self.target.grouped(&first.type_, &first.sql);
                Ok(first.with(format!("count(DISTINCT {key})"), Type::Int64))
            }
            "countif" => {
                let condition = self.coerced(&first, &Type::Bool)?;
                let template = self.target.pick("count(nullif({0}, 0))", "count(nullif({0}, false))");
                Ok(Expr::filled(template, &[condition], Type::Int64))
            }
            "sum" | "avg" if first.type_ == Type::Interval => {
                let prefix = self.target.pick("wh_interval_", "");
                Ok(first.with(format!("{prefix}{}({distinct}{})", call.name, first.sql), Type::Interval))
            }
            "sum" => self.sum(&first, distinct),
            "avg" => {
                let number = self.numeric(&first, "avg").map_err(|_| no_signature("avg", &[first]))?;
                let number = self.coerced(&number, &Type::Float64)?;
                Ok(number.with(format!("avg({distinct}{})", number.sql), Type::Float64))
            }
            // The columnar dialect's `any`.
            "first_of" => Ok(first.with(format!("wh_first({})", first.sql), first.type_.clone())),
            "min" | "max" | "any_value" => self.least_or_greatest(&call.name, &first),
            "logical_and" | "logical_or" => {
                let condition = self.coerced(&first, &Type::Bool)?;
                let and = call.name == "logical_and";
                let name = self
                    .target
                    .pick(if and { "min" } else { "max" }, if and { "bool_and" } else { "bool_or" });
                Ok(condition.with(format!("{name}({})", condition.sql), Type::Bool))
            }
            "stddev" | "stddev_samp" | "stddev_pop" | "variance" | "var_samp" | "var_pop" => {
                let number = self.coerced(&first, &Type::Float64)?;
                let name = match call.name.as_str() {
                    "stddev" => "stddev_samp",
                    "variance" => "var_samp",
                    name => name,
                };
                let prefix = self.target.pick("wh_", "");
                Ok(number.with(format!("{prefix}{name}({distinct}{})", number.sql), Type::Float64))
            }
            "regr_count" => {
                let [one, other] = arguments.as_slice() else {
                    return Err(no_signature(&call.name, &arguments));
                };
                let sql =
                    format!("count({distinct}CASE WHEN {} IS NOT NULL THEN {} END)", one.sql, other.sql);
                Ok(Expr::of(sql, Type::Int64, [one, other]))
            }
            name if name == "corr" || name.starts_with("covar_") || name.starts_with("regr_") => {
                let [one, other] = arguments.as_slice() else {
                    return Err(no_signature(&call.name, &arguments));
                };
                let pair = [one, other].map(|value| self.coerced(value, &Type::Float64));
                let [one, other] = [pair[0].clone()?, pair[1].clone()?];
                let prefix = self.target.pick("wh_", "");
                let sql = format!("{prefix}{}({distinct}{}, {})", call.name, one.sql, other.sql);
                Ok(Expr::of(sql, Type::Float64, [&one, &other]))
            }
            "bit_and" | "bit_or" | "bit_xor" => {
                let whole = self.coerced(&first, &Type::Int64)?;
                let prefix = self.target.pick("wh_", "");
                Ok(whole.with(format!("{prefix}{}({distinct}{})", call.name, whole.sql), Type::Int64))
            }
            "approx_quantiles" => self.quantiles(&arguments, distinct),
            "approx_top_count" => self.top(&arguments),
            "approx_top_sum" => self.top_of_sums(&arguments),
            "max_by" | "min_by" => match arguments.as_slice() {
                [value, by] => self.value_at_extreme(value, by, call.name == "max_by"),
                _ => Err(no_signature(&call.name, &arguments)),
            },
            "array_agg" => self.array_agg(call, &first, scope),
            "array_concat_agg" => self.array_concat_agg(call, &first, scope),
            _ => self.string_agg(call, &arguments, scope),
        }
    }

    fn sum(&mut self, value: &Expr, distinct: &str) -> Result<Expr, Refusal> {
        let number =
            self.numeric(value, "sum").map_err(|_| no_signature("sum", std::slice::from_ref(value)))?;
        let sql = format!("sum({distinct}{})", number.sql);
        let sql = match (self.target, &number.type_) {
            (Target::Postgres, Type::Int64) => format!("{sql}::bigint"),
            _ => sql,
        };
        let type_ = number.type_.clone();
        Ok(number.with(sql, type_))
    }

    fn least_or_greatest(&self, name: &str, value: &Expr) -> Result<Expr, Refusal> {
        let max = name == "max";
        let sql = match (&value.type_, self.target) {
            (Type::Dynamic, _) => format!("{}({})", if max { "wh_max" } else { "wh_min" }, value.sql),
            (Type::Bool, Target::Postgres) => {
                format!("{}({})", if max { "bool_or" } else { "bool_and" }, value.sql)
            }
            (Type::Array(_) | Type::Struct(_), _) if name == "any_value" => format!("wh_min({})", value.sql),
            (Type::Array(_) | Type::Struct(_), _) => {
                return Err(no_signature(name, std::slice::from_ref(value)));
            }
            (type_, target) => {
                format!("{}({})", if max { "max" } else { "min" }, target.ordered(type_, &value.sql))
            }
        };
        Ok(value.with(sql, value.type_.clone()))
    }

    /// The value in the row in which another value is greatest, or least.
    fn value_at_extreme(&mut self, value: &Expr, by: &Expr, greatest: bool) -> Result<Expr, Refusal> {
        if matches!(by.type_, Type::Array(_) | Type::Struct(_)) {
            return Err(no_signature("max_by", &[value.clone(), by.clone()]));
        }
        let sort = if greatest { "DESC" } else { "ASC" };
        let keys: Vec<String> = match &by.type_ {
            Type::Dynamic => {
                let text = self.target.ordered(&Type::String, &format!("wh_text({})", by.sql));
                vec![format!("wh_only_number({})", by.sql), text]
            }
            type_ => vec![self.target.ordered(type_, &by.sql)],
        };
        // A bare number would be a column's position.
        let keys: Vec<String> = keys.iter().map(|key| format!("({key}) {sort} NULLS LAST")).collect();
        let keys = keys.join(", ");
        let packed = self.target.packed(&value.type_, &value.sql);
        let collect = self.target.pick("json_group_array", "jsonb_agg");
        let filter = self.target.collecting(&value.sql, Some(format!("{} IS NOT NULL", by.sql)));
        let list = format!("{collect}({packed} ORDER BY {keys}){filter}");
        let json = format!("wh_at({list}, {}, {})", self.target.integer(0), self.target.boolean(true));
        let sql = self.target.unpacked(&value.type_, &json);
        Ok(Expr { shape: value.shape.clone(), ..Expr::of(sql, value.type_.clone(), [value, by]) })
    }
}

/// Aggregates with arguments besides the value.
const TAKES_MORE: [&str; 18] = [
    "approx_quantiles",
    "approx_top_count",
    "approx_top_sum",
    "corr",
    "covar_pop",
    "covar_samp",
    "max_by",
    "min_by",
    "regr_avgx",
    "regr_avgy",
    "regr_count",
    "regr_intercept",
    "regr_r2",
    "regr_slope",
    "regr_sxx",
    "regr_sxy",
    "regr_syy",
    "string_agg",
];

/// Whether a function is an aggregate.
pub(super) fn is_aggregate(name: &str) -> bool {
    const NAMES: [&str; 22] = [
        "array_concat_agg",
        "first_of",
        "any_value",
        "approx_count_distinct",
        "array_agg",
        "avg",
        "bit_and",
        "bit_or",
        "bit_xor",
        "count",
        "countif",
        "logical_and",
        "logical_or",
        "max",
        "min",
        "stddev",
        "stddev_pop",
        "stddev_samp",
        "sum",
        "var_pop",
        "var_samp",
        "variance",
    ];
    NAMES.contains(&name) || TAKES_MORE.contains(&name)
}
