//! Quantiles, and the values that are most frequent.

use crate::Target;
use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

/// The most quantiles, or frequent values, that a call may ask for.
const MOST: i64 = 1000;

impl Binder<'_> {
    /// The boundaries of groups of equal size, including the least and the greatest value.
    pub(super) fn quantiles(&mut self, arguments: &[Expr], distinct: &str) -> Result<Expr, Refusal> {
        let [value, Expr { origin: Origin::Integer(count @ 1..=MOST), .. }] = arguments else {
            return Err(Refusal::invalid("APPROX_QUANTILES takes a value and a whole number from 1 to 1000"));
        };
        let value = match value.type_ {
            Type::Dynamic => self.coerced(value, &Type::Number)?,
            _ => value.clone(),
        };
        if value.type_.is_json() || value.type_ == Type::Bool {
            return Err(no_signature("approx_quantiles", arguments));
        }
        let packed = self.target.packed(&value.type_, &value.sql);
        let list = match self.target {
            Target::Sqlite => format!("json_group_array({distinct}{packed})"),
            Target::Postgres => {
                let key = self.target.ordered(&value.type_, &packed);
                format!("array_agg({distinct}{packed} ORDER BY {key})")
            }
        };
        let filter = self.target.collecting(&value.sql, Some(format!("{} IS NOT NULL", value.sql)));
        let sql = format!("wh_quantiles({list}{filter}, {count})");
        Ok(value.with(sql, Type::Array(Box::new(value.type_.clone()))))
    }

    /// The most frequent values with their counts. Of equally frequent values, the lesser is first.
    pub(super) fn top(&mut self, arguments: &[Expr]) -> Result<Expr, Refusal> {
        let [value, Expr { origin: Origin::Integer(count @ 1..=MOST), .. }] = arguments else {
            return Err(Refusal::invalid("APPROX_TOP_COUNT takes a value and a whole number from 1 to 1000"));
        };
        if matches!(value.type_, Type::Array(_) | Type::Struct(_) | Type::Null) {
            return Err(no_signature("approx_top_count", arguments));
        }
        let packed = self.target.packed(&value.type_, &value.sql);
        let filter = self.target.collecting(&value.sql, None);
        let list = format!("{}({packed}){filter}", self.target.pick("json_group_array", "jsonb_agg"));
        let fields = vec![("value".to_owned(), value.type_.clone()), ("count".to_owned(), Type::Int64)];
        Ok(value.with(format!("wh_top_count({list}, {count})"), Type::Array(Box::new(Type::Struct(fields)))))
    }

    /// The values with the greatest sums, with those. Of equal sums, the lesser value is first.
    pub(super) fn top_of_sums(&mut self, arguments: &[Expr]) -> Result<Expr, Refusal> {
        let [value, weight, Expr { origin: Origin::Integer(count @ 1..=MOST), .. }] = arguments else {
            return Err(Refusal::invalid(
                "APPROX_TOP_SUM takes a value, a weight and a whole number from 1 to 1000",
            ));
        };
        if matches!(value.type_, Type::Array(_) | Type::Struct(_) | Type::Null) {
            return Err(no_signature("approx_top_sum", arguments));
        }
        let weight = self.numeric(weight, "approx_top_sum")?;
        let (build, collect) =
            self.target.pick(("json_array", "json_group_array"), ("jsonb_build_array", "jsonb_agg"));
        let packed = [value, &weight].map(|one| self.target.packed(&one.type_, &one.sql));
        let filter = self.target.collecting(&value.sql, None);
        let list = format!("{collect}({build}({})){filter}", packed.join(", "));
        let fields =
            vec![("value".to_owned(), value.type_.clone()), ("sum".to_owned(), weight.type_.clone())];
        let type_ = Type::Array(Box::new(Type::Struct(fields)));
        Ok(Expr::of(format!("wh_top_sum({list}, {count})"), type_, [value, &weight]))
    }
}
