//! Aggregates that collect values in an order: lists and texts.

use sqlparser::ast;

use crate::bind::Binder;
use crate::bind::call::Call;
use crate::bind::expr::Expr;
use crate::bind::scope::Scope;
use crate::bind::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn array_agg(
        &mut self,
        call: &Call<'_>,
        value: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        if matches!(value.type_, Type::Array(_)) {
            return Err(Refusal::invalid(
                "The argument to ARRAY_AGG must not be an array type but was ARRAY",
            ));
        }
        let list = self.collected(call, value, call.ignore_nulls, scope)?;
        let sql = match self.limit_of(call)? {
            Some(limit) => format!("wh_slice({list}, {limit})"),
            None => list,
        };
        let element = if value.type_ == Type::Null { Type::Int64 } else { value.type_.clone() };
        Ok(value.with(sql, Type::Array(Box::new(element))))
    }

    /// The elements of the lists of a group, one after another.
    pub(super) fn array_concat_agg(
        &mut self,
        call: &Call<'_>,
        value: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let element = match &value.type_ {
            Type::Array(element) => (**element).clone(),
            Type::Dynamic => Type::Dynamic,
            _ => return Err(no_signature(&call.name, std::slice::from_ref(value))),
        };
        if call.distinct {
            return Err(Refusal::unsupported("DISTINCT in array_concat_agg"));
        }
        let list = self.collected(call, value, true, scope)?;
        let list = match self.limit_of(call)? {
            Some(limit) => format!("wh_slice({list}, {limit})"),
            None => list,
        };
        Ok(value.with(format!("wh_list_flat({list})"), Type::Array(Box::new(element))))
    }

    /// The values of a group as a list.
    pub(in crate::bind) fn collected(
        &mut self,
        call: &Call<'_>,
        value: &Expr,
        without_nulls: bool,
        scope: &Scope<'_>,
    ) -> Result<String, Refusal> {
        let packed = self.target.packed(&value.type_, &value.sql);
        let mut conditions: Vec<String> =
            without_nulls.then(|| format!("{} IS NOT NULL", value.sql)).into_iter().collect();
        if let Some(filter) = call.filter {
            conditions.push(self.condition(filter, scope)?.plain("FILTER")?.sql);
        }
        let condition = (!conditions.is_empty()).then(|| conditions.join(" AND "));
        let filter = self.target.collecting(&value.sql, condition);
        // The list of no rows is null.
        let target = self.target;
        let list = |inside: &str| {
            target.pick(
                format!("nullif(json_group_array({inside}){filter}, '[]')"),
                format!("jsonb_agg({inside}){filter}"),
            )
        };
        let distinct = list(&format!("DISTINCT {packed}"));
        match (call.distinct, call.order) {
            (false, _) => {
                let order = self.inner_order(call, scope)?;
                Ok(list(&format!("{packed}{order}")))
            }
            (true, []) => Ok(distinct),
            (true, [only]) if self.sorts_by(&only.expr, value, scope)? => {
                let descending = only.options.sort == Some(ast::OrderBySort::Desc);
                Ok(format!("wh_sorted({distinct}, {})", self.target.boolean(descending)))
            }
            _ => Err(Refusal::invalid(
                "An aggregate function that has both DISTINCT and ORDER BY arguments can only ORDER BY columns that are arguments to the function",
            )),
        }
    }

    /// Whether a sort key is the collected value itself.
    fn sorts_by(&mut self, key: &ast::Expr, value: &Expr, scope: &Scope<'_>) -> Result<bool, Refusal> {
        let key = self.expr(key, scope)?;
        Ok(self.coerced(&key, &value.type_).is_ok_and(|key| key.sql == value.sql))
    }

    pub(super) fn string_agg(
        &mut self,
        call: &Call<'_>,
        arguments: &[Expr],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let value = self.coerced(&arguments[0], &Type::String)?;
        let separator = match arguments {
            [_] => Expr::new(self.target.text(","), Type::String),
            [_, separator] if separator.is_given_text() => separator.clone(),
            _ => return Err(no_signature("string_agg", arguments)),
        };
        let limit = self.limit_of(call)?;
        let sql = match (call.distinct, limit) {
            // No target supports DISTINCT or LIMIT together with the other clauses.
            (_, Some(limit)) => {
                let list = self.collected(call, &value, true, scope)?;
                format!("wh_array_to_string(wh_slice({list}, {limit}), {})", separator.sql)
            }
            (true, None) => {
                let list = self.collected(call, &value, true, scope)?;
                format!("wh_array_to_string({list}, {})", separator.sql)
            }
            (false, None) => {
                format!("string_agg({}, {}{})", value.sql, separator.sql, self.inner_order(call, scope)?)
            }
        };
        Ok(value.with(sql, Type::String))
    }

    /// `ORDER BY` inside the brackets of a call.
    fn inner_order(&mut self, call: &Call<'_>, scope: &Scope<'_>) -> Result<String, Refusal> {
        let mut keys = Vec::new();
        for item in call.order {
            let key = self.expr(&item.expr, scope)?;
            keys.extend(self.sort_keys(&key, item)?);
        }
        Ok(if keys.is_empty() { String::new() } else { format!(" ORDER BY {}", keys.join(", ")) })
    }

    fn limit_of(&mut self, call: &Call<'_>) -> Result<Option<i64>, Refusal> {
        let Some(limit) = call.limit else { return Ok(None) };
        match limit {
            ast::Expr::Value(value) => match &value.value {
                ast::Value::Number(digits, _) => {
                    let limit = digits.parse().ok();
                    limit
                        .map(Some)
                        .ok_or_else(|| Refusal::invalid("LIMIT expects a non-negative integer literal"))
                }
                _ => Err(Refusal::invalid("LIMIT expects a non-negative integer literal")),
            },
            _ => Err(Refusal::invalid("LIMIT expects a non-negative integer literal")),
        }
    }
}
