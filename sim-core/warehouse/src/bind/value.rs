//! All forms of expressions.

use sqlparser::ast::{self, BinaryOperator, CeilFloorKind, DateTimeField, UnaryOperator};

use super::expr::Expr;
use super::scope::{Scope, same};
use super::select::implied_name;
use super::{Binder, Bound};
use crate::encode::field_key;
use crate::refusal::Refusal;
use crate::types::Type;
use crate::{Column, Target};

impl Binder<'_> {
    /// Binds an expression. Grouping keys do not count as columns of single rows.
    pub(super) fn expr(&mut self, expr: &ast::Expr, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let mut bound = self.nested(|binder| binder.any(expr, scope))?;
        self.check_length(&bound.sql)?;
        if self.absent.contains(&bound.sql) {
            return Ok(Expr::new(self.target.null(&bound.type_), bound.type_));
        }
        if self.groups.contains(&bound.sql) {
            bound.loose = None;
        }
        Ok(bound)
    }

    /// Binds a condition.
    pub(super) fn condition(&mut self, expr: &ast::Expr, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let bound = self.expr(expr, scope)?;
        self.coerced(&bound, &Type::Bool)
    }

    pub(super) fn exprs(&mut self, exprs: &[ast::Expr], scope: &Scope<'_>) -> Result<Vec<Expr>, Refusal> {
        exprs.iter().map(|expr| self.expr(expr, scope)).collect()
    }

    fn any(&mut self, expr: &ast::Expr, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        use ast::Expr as E;
        match expr {
            E::Nested(inner) => self.any(inner, scope),
            E::Value(value) => self.literal(&value.value),
            E::TypedString(typed) => self.typed_literal(typed),
            E::Identifier(name) => {
                match name.value.strip_prefix('@').filter(|_| name.quote_style.is_none()) {
                    Some(parameter) => self.named_parameter(parameter),
                    None => self.path(std::slice::from_ref(&name.value), scope),
                }
            }
            E::CompoundIdentifier(names) => {
                let names: Vec<String> = names.iter().map(|name| name.value.clone()).collect();
                self.path(&names, scope)
            }
            E::CompoundFieldAccess { root, access_chain } => self.access(root, access_chain, scope),
            E::BinaryOp { left, op, right } => self.binary(left, op, right, scope),
            E::UnaryOp { op, expr } => self.unary(*op, expr, scope),
            E::IsNull(inner) => self.test(inner, "({0} IS NULL)", scope),
            E::IsNotNull(inner) => self.test(inner, "({0} IS NOT NULL)", scope),
            E::IsTrue(inner) => self.truth(inner, "({0} IS TRUE)", scope),
            E::IsNotTrue(inner) => self.truth(inner, "({0} IS NOT TRUE)", scope),
            E::IsFalse(inner) => self.truth(inner, "({0} IS FALSE)", scope),
            E::IsNotFalse(inner) => self.truth(inner, "({0} IS NOT FALSE)", scope),
            E::IsUnknown(inner) => self.truth(inner, "({0} IS NULL)", scope),
            E::IsNotUnknown(inner) => self.truth(inner, "({0} IS NOT NULL)", scope),
            E::IsDistinctFrom(left, right) => self.distinct_from(left, right, false, scope),
            E::IsNotDistinctFrom(left, right) => self.distinct_from(left, right, true, scope),
            E::Between { expr, negated, low, high } => self.between(expr, *negated, low, high, scope),
            E::InList { expr, list, negated } => self.in_list(expr, list, *negated, scope),
            E::InUnnest { expr, array_expr, negated } => self.in_array(expr, array_expr, *negated, scope),
            E::InSubquery { expr, subquery, negated } => self.in_query(expr, subquery, *negated, scope),
            E::Like { negated: false, any: false, expr, pattern, escape_char: None }
                if self.is_postgres()
                    && let Some(list) = all_of(pattern) =>
            {
                self.matched_with_each(expr, list, "", " AND ", scope)
            }
            E::Like { negated, any, expr, pattern, escape_char: None }
                if !self.is_postgres()
                    && let Some((all, patterns)) = quantified(pattern, *any) =>
            {
                if *negated {
                    return Err(Refusal::unsupported("NOT LIKE with ANY, SOME or ALL"));
                }
                self.like_each(expr, &patterns, all, scope)
            }
            E::Like { negated, any: false, expr, pattern, escape_char: None } => {
                self.like(expr, pattern, *negated, scope)
            }
            E::Like { negated: false, any: true, expr, pattern, escape_char: None } => {
                self.like_any(expr, pattern, scope)
            }
            E::ILike { negated: false, any: true, expr, pattern, escape_char: None }
                if self.is_postgres() =>
            {
                self.matched_with_each(expr, pattern, "lower", " OR ", scope)
            }
            E::ILike { negated, any: false, expr, pattern, escape_char: None } if self.is_postgres() => {
                if let Some(list) = all_of(pattern).filter(|_| !negated) {
                    return self.matched_with_each(expr, list, "lower", " AND ", scope);
                }
                self.ilike(expr, pattern, *negated, scope)
            }
            E::SimilarTo { negated, expr, pattern, escape_char: None } if self.is_postgres() => {
                self.similar(expr, pattern, *negated, scope)
            }
            E::Overlay { expr, overlay_what, overlay_from, overlay_for } if self.is_postgres() => {
                let given = [Some(&**expr), Some(overlay_what), Some(overlay_from), overlay_for.as_deref()];
                let given = given.into_iter().flatten().map(|given| self.expr(given, scope));
                let given = given.collect::<Result<Vec<_>, _>>()?;
                self.overlaid(&given)
            }
            E::IsJson { expr, kind, unique_keys: None, negated } if self.is_postgres() => {
                let value = self.expr(expr, scope)?;
                self.is_json(&value, kind.as_ref(), *negated)
            }
            E::AtTimeZone { timestamp, time_zone } if self.is_postgres() => {
                self.at_zone(timestamp, time_zone, scope)
            }
            E::Case { operand, conditions, else_result, .. } => {
                self.case(operand.as_deref(), conditions, else_result.as_deref(), scope)
            }
            E::Cast { kind, expr, data_type, format: None } => {
                let safe = matches!(kind, ast::CastKind::SafeCast | ast::CastKind::TryCast);
                self.cast_expr(expr, data_type, safe, scope)
            }
            E::Cast {
                kind,
                expr,
                data_type,
                format: Some(ast::CastFormat::ValueAtTimeZone(format, zone)),
                ..
            } if !self.is_postgres() => {
                let safe = matches!(kind, ast::CastKind::SafeCast | ast::CastKind::TryCast);
                self.cast_in_zone(expr, data_type, [&format.value, &zone.value], safe, scope)
            }
            E::Cast { kind, expr, data_type, format: Some(ast::CastFormat::Value(format)), .. }
                if !self.is_postgres() =>
            {
                let safe = matches!(kind, ast::CastKind::SafeCast | ast::CastKind::TryCast);
                self.cast_by_format(expr, data_type, &format.value, safe, scope)
            }
            E::Exists { subquery, negated } => {
                let (bound, loose) = self.inner_query(subquery, scope)?;
                let not = if *negated { "NOT " } else { "" };
                Ok(Expr { loose, ..Expr::new(format!("({not}EXISTS ({}))", bound.sql), Type::Bool) })
            }
            E::Subquery(query) => {
                let (bound, loose) = self.inner_query(query, scope)?;
                let Column { type_, shape, .. } = only_column(&bound)?;
                // SQLite would use the first of several rows.
                let sql = self.target.pick(
                    format!("(SELECT wh_single(c1) FROM ({}) AS q)", bound.sql),
                    format!("({})", bound.sql),
                );
                Ok(Expr { loose, shape, ..Expr::new(sql, type_) })
            }
            E::Function(function) => self.call(function, scope),
            E::Extract { field, expr, .. } => self.extract(field, expr, scope),
            E::Ceil { expr, field } => self.rounded("ceil", expr, field, scope),
            E::Floor { expr, field } => self.rounded("floor", expr, field, scope),
            E::Substring { expr, substring_from, substring_for, special: _, .. } => {
                let parts = [Some(expr), substring_from.as_ref(), substring_for.as_ref()];
                let arguments: Result<Vec<Expr>, Refusal> =
                    parts.into_iter().flatten().map(|part| self.expr(part, scope)).collect();
                match self.is_postgres() {
                    true => self.part_of_text(&arguments?),
                    false => self.function("substr", &arguments?),
                }
            }
            E::Trim { trim_where, trim_what, expr, trim_characters } if self.is_postgres() => {
                let name = match trim_where {
                    Some(ast::TrimWhereField::Leading) => "ltrim",
                    Some(ast::TrimWhereField::Trailing) => "rtrim",
                    Some(ast::TrimWhereField::Both) | None => "btrim",
                };
                let mut arguments = vec![self.expr(expr, scope)?];
                arguments.extend(trim_what.as_ref().map(|what| self.expr(what, scope)).transpose()?);
                arguments.extend(self.exprs(trim_characters.as_deref().unwrap_or_default(), scope)?);
                match (name, arguments.len()) {
                    ("btrim", _) | (_, 1) => self.relational(name, &arguments),
                    _ => self.function(name, &arguments),
                }
            }
            E::Position { expr, r#in } if self.is_postgres() => {
                let operands = [self.expr(r#in, scope)?, self.expr(expr, scope)?];
                self.function("strpos", &operands)
            }
            E::AnyOp { left, compare_op: BinaryOperator::Eq, right, .. } if self.is_postgres() => {
                self.in_array(left, right, false, scope)
            }
            E::AllOp { left, compare_op: BinaryOperator::NotEq, right } if self.is_postgres() => {
                self.in_array(left, right, true, scope)
            }
            E::AnyOp { left, compare_op, right, .. } if self.is_postgres() => {
                self.compared_with_each((left, compare_op, right), false, scope)
            }
            E::AllOp { left, compare_op, right } if self.is_postgres() => {
                self.compared_with_each((left, compare_op, right), true, scope)
            }
            E::Like { negated, any: false, expr, pattern, escape_char: Some(escape) }
                if self.is_postgres() =>
            {
                let found = self.like_with_escape([expr, pattern], escape, false, scope)?;
                Ok(if *negated { Expr::filled("(NOT {0})", &[found], Type::Bool) } else { found })
            }
            E::ILike { negated, any: false, expr, pattern, escape_char: Some(escape) }
                if self.is_postgres() =>
            {
                let found = self.like_with_escape([expr, pattern], escape, true, scope)?;
                Ok(if *negated { Expr::filled("(NOT {0})", &[found], Type::Bool) } else { found })
            }
            E::Trim { trim_where: None, trim_what: None, expr, trim_characters } => {
                let mut arguments = vec![self.expr(expr, scope)?];
                arguments.extend(self.exprs(trim_characters.as_deref().unwrap_or_default(), scope)?);
                self.function("trim", &arguments)
            }
            E::Array(array) => {
                let elements = self.exprs(&array.elem, scope)?;
                self.array(&elements)
            }
            E::Struct { values, fields } if fields.is_empty() => self.structure(values, scope),
            E::Struct { values, fields } => self.typed_structure(values, fields, scope),
            E::Tuple(values) => self.structure(values, scope),
            E::Interval(interval) if self.is_postgres() => self.interval_value(interval, scope),
            E::Interval(_) => Err(Refusal::unsupported("an INTERVAL as a value of its own")),
            other => Err(Refusal::unsupported(&other.to_string())),
        }
    }

    fn test(&mut self, expr: &ast::Expr, template: &str, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let operand = self.expr(expr, scope)?;
        Ok(Expr::filled(template, &[operand], Type::Bool))
    }

    fn truth(&mut self, expr: &ast::Expr, template: &str, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let operand = self.condition(expr, scope)?;
        Ok(Expr::filled(template, &[operand], Type::Bool))
    }

    fn unary(
        &mut self,
        operator: UnaryOperator,
        expr: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        match operator {
            UnaryOperator::Not => self.truth(expr, "(NOT {0})", scope),
            // In PostgreSQL's dialect the sign belongs to the base of a power.
            UnaryOperator::Minus
                if let (true, ast::Expr::BinaryOp { left, op: BinaryOperator::PGExp, right }) =
                    (self.is_postgres(), expr) =>
            {
                let base = self.unary(operator, left, scope)?;
                let exponent = self.expr(right, scope)?;
                self.relational("power", &[base, exponent])
            }
            UnaryOperator::Minus => {
                if let ast::Expr::Value(value) = expr
                    && let ast::Value::Number(digits, _) = &value.value
                {
                    return self.number(&format!("-{digits}"));
                }
                let operand = self.expr(expr, scope)?;
                if operand.type_ == Type::Interval {
                    let minus = Expr::new(self.target.float(-1.0), Type::Float64);
                    return Ok(self.interval_times(&operand, &minus));
                }
                let operand = self.numeric(&operand, "-")?;
                match operand.type_ {
                    Type::Int64 => {
                        let zero = Expr::new(self.target.integer(0), Type::Int64);
                        self.arithmetic("-", &zero, &operand)
                    }
                    _ => Ok(Expr::filled("(- {0})", std::slice::from_ref(&operand), operand.type_.clone())),
                }
            }
            UnaryOperator::Plus => {
                let operand = self.expr(expr, scope)?;
                self.numeric(&operand, "+")
            }
            UnaryOperator::BitwiseNot if !self.is_postgres() => {
                let operand = self.expr(expr, scope)?;
                self.function("~", &[operand])
            }
            other if self.is_postgres() => {
                let operand = self.expr(expr, scope)?;
                self.postgres_sign(other, &operand)
            }
            other => Err(Refusal::unsupported(&format!("the operator {other}"))),
        }
    }

    fn case(
        &mut self,
        operand: Option<&ast::Expr>,
        conditions: &[ast::CaseWhen],
        otherwise: Option<&ast::Expr>,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let operand = operand.map(|operand| self.expr(operand, scope)).transpose()?;
        let mut tests = Vec::new();
        let mut results = Vec::new();
        for branch in conditions {
            tests.push(match &operand {
                None => self.condition(&branch.condition, scope)?,
                Some(_) => self.expr(&branch.condition, scope)?,
            });
            results.push(self.expr(&branch.result, scope)?);
        }
        let last = otherwise.map(|otherwise| self.expr(otherwise, scope)).transpose()?;
        let has_last = last.is_some();
        results.extend(last);
        let shape = Expr::shape_of(&results);
        let (type_, results) = self.unified(&results, "CASE")?;
        let Some(operand) = operand else {
            return Ok(Expr { shape, ..self.choice(&tests, &results, has_last, type_) });
        };
        operand.once(|operand| {
            let tests = tests.iter().map(|value| {
                let (left, right) = self.comparable(operand, value, "=")?;
                Ok(self.equal(&left, &right))
            });
            let tests = tests.collect::<Result<Vec<_>, Refusal>>()?;
            Ok(Expr { shape, ..self.choice(&tests, &results, has_last, type_) })
        })
    }

    /// `CEIL(x)` and `FLOOR(x)`, for which the parser has expressions of their own.
    pub(super) fn rounded(
        &mut self,
        name: &str,
        expr: &ast::Expr,
        kind: &CeilFloorKind,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        if !matches!(kind, CeilFloorKind::DateTimeField(DateTimeField::NoDateTime)) {
            return Err(Refusal::unsupported(&format!("{name} with a scale")));
        }
        let value = self.expr(expr, scope)?;
        self.function(name, &[value])
    }

    /// `CASE` with these tests and results, and one more result for `ELSE` if `has_last`.
    pub(super) fn choice(&self, tests: &[Expr], results: &[Expr], has_last: bool, type_: Type) -> Expr {
        let mut sql = "CASE".to_owned();
        for (test, result) in tests.iter().zip(results) {
            sql.push_str(&format!(" WHEN {} THEN {}", test.sql, result.sql));
        }
        if let Some(last) = results.last().filter(|_| has_last) {
            sql.push_str(&format!(" ELSE {}", last.sql));
        }
        Expr::of(format!("({sql} END)"), type_, tests.iter().chain(results))
    }

    /// Converts values to their common type.
    pub(super) fn unified(&mut self, exprs: &[Expr], what: &str) -> Result<(Type, Vec<Expr>), Refusal> {
        if self.is_postgres() && exprs.iter().any(|expr| expr.type_ == Type::Timestamp) {
            // The session's zone is UTC, so a local time is the timestamp of the same digits.
            let instant = |expr: &Expr| match expr.type_ {
                Type::Datetime => expr.with(&expr.sql, Type::Timestamp),
                _ => expr.clone(),
            };
            let exprs: Vec<Expr> = exprs.iter().map(instant).collect();
            return self.unified_by_type(&exprs, what);
        }
        self.unified_by_type(exprs, what)
    }

    fn unified_by_type(&mut self, exprs: &[Expr], what: &str) -> Result<(Type, Vec<Expr>), Refusal> {
        let moment = exprs.iter().map(|expr| &expr.type_).find(|type_| type_.reads_literals());
        let type_of = |expr: &Expr| match moment {
            // Literals take the type of the other values.
            Some(moment) if expr.is_given_text() => moment.clone(),
            _ => expr.type_.clone(),
        };
        let mut type_ = Type::Null;
        for expr in exprs {
            type_ = type_.common(&type_of(expr)).ok_or_else(|| no_signature(what, exprs))?;
        }
        let unified = exprs.iter().map(|expr| self.coerced(expr, &type_)).collect::<Result<_, _>>()?;
        Ok((type_, unified))
    }

    /// A list of values.
    pub(super) fn array(&mut self, elements: &[Expr]) -> Result<Expr, Refusal> {
        let shape = Expr::shape_of(elements);
        let (type_, elements) = self.unified(elements, "ARRAY")?;
        // The type of an empty list is open.
        let element = if type_ == Type::Null && !elements.is_empty() { Type::Int64 } else { type_ };
        let packed: Vec<String> =
            elements.iter().map(|element| self.target.packed(&element.type_, &element.sql)).collect();
        let build = self.target.pick("json_array", "jsonb_build_array");
        let built = |some: &[String]| format!("{build}({})", some.join(", "));
        let mut sql = built(packed.get(..ARGUMENTS_MAX).unwrap_or(&packed));
        let mut parts: Vec<String> = packed.chunks(ARGUMENTS_MAX).map(built).collect();
        // Lists of lists, each no longer than the arguments that a function may have.
        while parts.len() > 1 {
            parts = parts
                .chunks(ARGUMENTS_MAX)
                .map(|some| match (some, self.target) {
                    ([only], _) => only.clone(),
                    (some, Target::Sqlite) => format!("wh_array_concat({})", some.join(", ")),
                    (some, Target::Postgres) => format!("({})", some.join(" || ")),
                })
                .collect();
        }
        if let Some(whole) = parts.pop() {
            sql = whole;
        }
        Ok(Expr { shape, ..Expr::of(sql, Type::Array(Box::new(element)), &elements) })
    }

    /// `STRUCT<a INT64, b STRING>(1, 'x')`
    fn typed_structure(
        &mut self,
        values: &[ast::Expr],
        fields: &[ast::StructField],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let plain = self.structure(values, scope)?;
        let types = fields.iter().map(|field| {
            let name = field.field_name.as_ref().map_or_else(String::new, |name| name.value.clone());
            Ok((name, super::cast::named(&field.field_type)?))
        });
        let types = types.collect::<Result<Vec<_>, Refusal>>()?;
        if types.len() != values.len() {
            return Err(Refusal::invalid("STRUCT type has another number of fields than values are given"));
        }
        self.coerced(&plain, &Type::Struct(types))
    }

    fn structure(&mut self, values: &[ast::Expr], scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let mut fields: Vec<(String, Type)> = Vec::new();
        let mut exprs = Vec::new();
        for value in values {
            let (name, expr) = match value {
                ast::Expr::Named { expr, name } => (Some(name.value.clone()), &**expr),
                expr => (implied_name(expr), expr),
            };
            let expr = self.expr(expr, scope)?;
            let name = name.unwrap_or_default();
            if !name.is_empty() && fields.iter().any(|(known, _)| same(known, &name)) {
                return Err(Refusal::unsupported(&format!("a structure with two fields named {name}")));
            }
            fields.push((name, expr.type_.clone()));
            exprs.push(expr);
        }
        let mut arguments = Vec::new();
        for (index, ((name, _), expr)) in fields.iter().zip(&exprs).enumerate() {
            arguments.push(self.target.text(&field_key(name, index)));
            arguments.push(self.target.packed(&expr.type_, &expr.sql));
        }
        let build = self.target.pick("json_object", "jsonb_build_object");
        let sql = format!("{build}({})", arguments.join(", "));
        let names = fields.iter().map(|(name, _)| name.clone());
        let shape = names.zip(exprs.iter().map(|expr| expr.shape.clone())).collect();
        Ok(Expr { shape, ..Expr::of(sql, Type::Struct(fields), &exprs) })
    }
}

/// The only column of a query in an expression.
pub(super) fn only_column(bound: &Bound) -> Result<Column, Refusal> {
    match bound.columns.as_slice() {
        [only] => Ok(only.clone()),
        _ => Err(Refusal::invalid("A subquery in an expression must have exactly one column")),
    }
}

/// The refusal of types that do not fit.
pub(super) fn no_signature(what: &str, exprs: &[Expr]) -> Refusal {
    let types: Vec<String> = exprs.iter().map(|expr| expr.type_.to_string()).collect();
    let kind = if what.starts_with(char::is_alphabetic) { "function" } else { "operator" };
    Refusal::invalid(format!(
        "No matching signature for {kind} {} for argument types: {}",
        what.to_uppercase(),
        types.join(", ")
    ))
}

/// The most arguments of a function of a database here: PostgreSQL's bound.
const ARGUMENTS_MAX: usize = 100;

/// The list of `LIKE ALL (ARRAY[…])`, which the parser reads as a call.
/// The patterns of `LIKE ALL ('a%', 'b%')`, `LIKE SOME (…)` and `LIKE ANY UNNEST(…)`, and whether all of them must match.
fn quantified(pattern: &ast::Expr, any: bool) -> Option<(bool, Vec<&ast::Expr>)> {
    let ast::Expr::Function(function) = pattern else { return None };
    let ast::FunctionArguments::List(list) = &function.args else { return None };
    let given = list.args.iter().map(|argument| match argument {
        ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => Some(expr),
        _ => None,
    });
    let given = given.collect::<Option<Vec<_>>>().filter(|given| !given.is_empty())?;
    match (function.name.to_string().to_lowercase().as_str(), any) {
        ("all", false) => Some((true, given)),
        ("some", false) => Some((false, given)),
        ("unnest", true) => Some((false, vec![pattern])),
        _ => None,
    }
}

fn all_of(pattern: &ast::Expr) -> Option<&ast::Expr> {
    let ast::Expr::Function(function) = pattern else { return None };
    let ast::FunctionArguments::List(list) = &function.args else { return None };
    match list.args.as_slice() {
        [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(list))]
            if function.name.to_string().eq_ignore_ascii_case("all") =>
        {
            Some(list)
        }
        _ => None,
    }
}
