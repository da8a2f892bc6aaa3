//! Aggregates that only PostgreSQL's dialect has: of ordered values, and those that make JSON.

use sqlparser::ast;

use super::Binder;
use super::call::Call;
use super::expr::Expr;
use super::postgres::PLACES;
use super::scope::Scope;
use super::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

/// The aggregates with `WITHIN GROUP`.
pub(super) const ORDERED: [&str; 3] = ["mode", "percentile_cont", "percentile_disc"];

impl Binder<'_> {
    /// Binds such an aggregate; `None` for any other function.
    pub(super) fn relational_aggregate(
        &mut self,
        call: &Call<'_>,
        scope: &Scope<'_>,
    ) -> Result<Option<Expr>, Refusal> {
        if !self.is_postgres() {
            return Ok(None);
        }
        let bound = match (call.name.as_str(), call.arguments.as_slice()) {
            (name, _) if PLACES.contains(&name) && !call.within.is_empty() => {
                self.place_among(call, scope)?
            }
            (name, _) if ORDERED.contains(&name) => self.of_ordered(call, scope)?,
            ("json_agg" | "jsonb_agg", [value]) => {
                let value = self.of_rows(value, scope)?;
                let list = self.collected(call, &value, false, scope)?;
                value.with(list, Type::Dynamic)
            }
            ("json_object_agg" | "jsonb_object_agg", [key, value]) => {
                let (key, value) = (self.of_rows(key, scope)?, self.of_rows(value, scope)?);
                let key = self.cast(&key, &Type::String, false)?;
                self.object_of_rows(call, &key, &value, scope)?
            }
            _ => return Ok(None),
        };
        Ok(Some(Expr { aggregated: true, loose: None, ..bound }))
    }

    /// An argument, for single rows.
    fn of_rows(&mut self, expr: &ast::Expr, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let absent = std::mem::take(&mut self.absent);
        let bound = self.expr(expr, scope);
        self.absent = absent;
        let bound = bound?;
        match bound.aggregated || bound.windowed {
            true => Err(Refusal::invalid("aggregate function calls cannot be nested")),
            false => Ok(bound),
        }
    }

    /// `percentile_cont(0.5) WITHIN GROUP (ORDER BY x)`
    fn of_ordered(&mut self, call: &Call<'_>, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let name = call.name.as_str();
        let [ast::OrderByExpr { expr, options, .. }] = call.within else {
            return Err(Refusal::invalid(format!("{name} needs WITHIN GROUP with one key")));
        };
        let descending = options.sort == Some(ast::OrderBySort::Desc);
        let value = self.of_rows(expr, scope)?;
        if matches!(value.type_, Type::Array(_) | Type::Struct(_) | Type::Bool | Type::Interval) {
            return Err(no_signature(name, &[value]));
        }
        let value = if name == "percentile_cont" { self.coerced(&value, &Type::Float64)? } else { value };
        let list = self.collected(call, &value, true, scope)?;
        if name == "mode" {
            if descending || !call.arguments.is_empty() {
                return Err(Refusal::unsupported("mode of a descending order"));
            }
            let (first, yes) = (self.target.integer(0), self.target.boolean(true));
            let one = self.target.integer(1);
            let found = format!("wh_at(wh_top({list}, {one}), {first}, {yes})");
            return Ok(value.with(self.target.unpacked(&value.type_, &found), value.type_.clone()));
        }
        match call.arguments.as_slice() {
            [ast::Expr::Array(fractions)] => {
                let each = fractions.elem.iter();
                let each = each.map(|fraction| self.percentile_at(name, &value, &list, fraction, descending));
                let each = each.collect::<Result<Vec<_>, _>>()?;
                self.array(&each)
            }
            [fraction] => self.percentile_at(name, &value, &list, fraction, descending),
            _ => Err(no_signature(name, &[value])),
        }
    }

    /// One percentile of a list of values.
    fn percentile_at(
        &mut self,
        name: &str,
        value: &Expr,
        list: &str,
        fraction: &ast::Expr,
        descending: bool,
    ) -> Result<Expr, Refusal> {
        let given = match fraction {
            ast::Expr::Value(given) => given.value.to_string().parse::<f64>().ok(),
            _ => None,
        };
        let Some(fraction) = given else {
            return Err(Refusal::unsupported(&format!(
                "{name} of a fraction that is no number in the query"
            )));
        };
        if !(0.0..=1.0).contains(&fraction) {
            return Err(Refusal::invalid(format!("percentile value {fraction} is not between 0 and 1")));
        }
        match (name, descending) {
            ("percentile_disc", true) => Err(Refusal::unsupported("percentile_disc of a descending order")),
            ("percentile_disc", false) => {
                let found = format!("wh_percentile_disc({list}, {})", self.target.float(fraction));
                Ok(value.with(self.target.unpacked(&value.type_, &found), value.type_.clone()))
            }
            (_, descending) => {
                let fraction = self.target.float(if descending { 1.0 - fraction } else { fraction });
                let found = format!("wh_percentile_cont({list}, {fraction})");
                let sql = self
                    .target
                    .pick(format!("CAST({found} AS REAL)"), format!("({found} #>> '{{}}')::float8"));
                Ok(value.with(sql, Type::Float64))
            }
        }
    }

    /// `jsonb_object_agg(key, value)`
    fn object_of_rows(
        &mut self,
        call: &Call<'_>,
        key: &Expr,
        value: &Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        if call.distinct {
            return Err(Refusal::unsupported("DISTINCT in jsonb_object_agg"));
        }
        let packed = self.target.packed(&value.type_, &value.sql);
        let sql = self.target.pick(
            format!("json_object('_field_1', {}, '_field_2', {packed})", key.sql),
            format!("jsonb_build_object('_field_1', {}, '_field_2', {packed})", key.sql),
        );
        let pair = Expr::of(sql, Type::Dynamic, [key, value]);
        let list = self.collected(call, &pair, false, scope)?;
        Ok(pair.with(format!("wh_map_of({list})"), Type::Dynamic))
    }
}
