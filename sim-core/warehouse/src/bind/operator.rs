//! Operators: logic, comparison, arithmetic.

use sqlparser::ast::{self, BinaryOperator};

use super::Binder;
use super::expr::Expr;
use super::scope::Scope;
use super::value::{no_signature, only_column};
use crate::Target;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn binary(
        &mut self,
        left: &ast::Expr,
        operator: &BinaryOperator,
        right: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        use BinaryOperator as B;
        if matches!(operator, B::And | B::Or) {
            return self.logic(left, operator, right, scope);
        }
        if self.is_postgres()
            && let Some((operator, right)) = super::postgres::place_from_end(operator, right)
        {
            return self.binary(left, &operator, &right, scope);
        }
        if let Some(moved) = self.moved(left, operator, right, scope)? {
            return Ok(moved);
        }
        if self.is_postgres()
            && let (Some(left), Some(right)) = (self.row_of(left), self.row_of(right))
        {
            let left =
                left.into_iter().map(|value| self.expr(value, scope)).collect::<Result<Vec<_>, _>>()?;
            let right =
                right.into_iter().map(|value| self.expr(value, scope)).collect::<Result<Vec<_>, _>>()?;
            if let Some(compared) = self.compared_rows(&left, operator, &right)? {
                return Ok(compared);
            }
        }
        let is_small = self.is_postgres() && super::postgres::may_overflow(left, operator, right);
        let left = self.expr(left, scope)?;
        let right = self.expr(right, scope)?;
        if is_small && [&left, &right].iter().all(|side| side.type_ == Type::Int64) {
            let sign = match operator {
                B::Plus => "+",
                B::Minus => "-",
                _ => "*",
            };
            let result = self.arithmetic(sign, &left, &right)?;
            return self.relational("integer", &[result]);
        }
        if self.is_postgres()
            && let Some(known) = self.postgres_operator(operator, &left, &right)?
        {
            return Ok(known);
        }
        match (operator, &left.type_, &right.type_) {
            (B::Plus, Type::Date, Type::Int64) => return self.moved_by(&left, &right, 1),
            (B::Plus, Type::Int64, Type::Date) => return self.moved_by(&right, &left, 1),
            (B::Minus, Type::Date, Type::Int64) => return self.moved_by(&left, &right, -1),
            (B::Minus, one, other) if one == other && one.reads_literals() && !self.is_postgres() => {
                return Err(Refusal::unsupported(&format!(
                    "a difference of {one} values, which is an INTERVAL: {one}_DIFF gives it in units"
                )));
            }
            _ => {}
        }
        match operator {
            B::Eq => self.compared(&left, "=", &right),
            B::NotEq => self.compared(&left, "<>", &right),
            B::Lt => self.compared(&left, "<", &right),
            B::LtEq => self.compared(&left, "<=", &right),
            B::Gt => self.compared(&left, ">", &right),
            B::GtEq => self.compared(&left, ">=", &right),
            B::Plus => self.arithmetic("+", &left, &right),
            B::Minus => self.arithmetic("-", &left, &right),
            B::Multiply => self.arithmetic("*", &left, &right),
            B::Divide => self.function("/", &[left, right]),
            B::StringConcat => self.concatenated(&[left, right]),
            B::BitwiseAnd => self.function("&", &[left, right]),
            B::BitwiseXor => self.function("^", &[left, right]),
            B::BitwiseOr => self.function("|", &[left, right]),
            B::PGBitwiseShiftLeft => self.shifted_bits(&[left, right], true, false),
            B::PGBitwiseShiftRight => self.shifted_bits(&[left, right], false, false),
            other => Err(Refusal::unsupported(&format!("the operator {other}"))),
        }
    }

    /// Binds a chain of one operator as a list, so that the target's tree stays shallow.
    fn logic(
        &mut self,
        left: &ast::Expr,
        operator: &BinaryOperator,
        right: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let mut operands = vec![right];
        let mut rest = left;
        while let ast::Expr::BinaryOp { left, op, right } = rest
            && op == operator
        {
            operands.push(right);
            rest = left;
        }
        operands.push(rest);
        let bound = operands.iter().rev().map(|operand| self.condition(operand, scope));
        let bound = bound.collect::<Result<Vec<_>, _>>()?;
        let word = if *operator == BinaryOperator::And { " AND " } else { " OR " };
        Ok(Expr::of(format!("({})", balanced(&bound, word)), Type::Bool, &bound))
    }

    pub(super) fn compared(&mut self, left: &Expr, operator: &str, right: &Expr) -> Result<Expr, Refusal> {
        let (left, right) = self.comparable(left, right, operator)?;
        if operator == "=" {
            return Ok(self.equal(&left, &right));
        }
        if operator == "<>" {
            return Ok(Expr::filled("(NOT {0})", &[self.equal(&left, &right)], Type::Bool));
        }
        if left.type_ == Type::Dynamic {
            let sql = format!("(wh_compare({}, {}) {operator} 0)", left.sql, right.sql);
            return Ok(Expr::of(sql, Type::Bool, [&left, &right]));
        }
        let left_sql = self.target.ordered(&left.type_, &left.sql);
        Ok(Expr::of(format!("({left_sql} {operator} {})", right.sql), Type::Bool, [&left, &right]))
    }

    /// Whether two comparable values are equal.
    pub(super) fn equal(&self, left: &Expr, right: &Expr) -> Expr {
        let sql = format!("({} = {})", self.grouped_operand(left), right.sql);
        Expr::of(sql, Type::Bool, [left, right])
    }

    /// Brings two values to one type that can be compared.
    pub(super) fn comparable(
        &mut self,
        left: &Expr,
        right: &Expr,
        operator: &str,
    ) -> Result<(Expr, Expr), Refusal> {
        let both = [left.clone(), right.clone()];
        let (type_, mut unified) = self.unified(&both, operator)?;
        if matches!(type_, Type::Array(_) | Type::Struct(_)) {
            return Err(no_signature(operator, &both));
        }
        let right = unified.pop().unwrap_or_else(|| right.clone());
        Ok((unified.pop().unwrap_or_else(|| left.clone()), right))
    }

    pub(super) fn distinct_from(
        &mut self,
        left: &ast::Expr,
        right: &ast::Expr,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let (left, right) = (self.expr(left, scope)?, self.expr(right, scope)?);
        let (left, right) = self.comparable(&left, &right, "=")?;
        let template = if negated { "({0} IS NOT DISTINCT FROM {1})" } else { "({0} IS DISTINCT FROM {1})" };
        Ok(Expr::filled(template, &[left, right], Type::Bool))
    }

    pub(super) fn between(
        &mut self,
        expr: &ast::Expr,
        negated: bool,
        low: &ast::Expr,
        high: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        if self.is_postgres()
            && let Some(low) = without_mark(low)
        {
            let one = self.between(expr, false, &low, high, scope)?;
            let other = self.between(expr, false, high, &low, scope)?;
            let template = if negated { "(NOT ({0} OR {1}))" } else { "({0} OR {1})" };
            return Ok(Expr::filled(template, &[one, other], Type::Bool));
        }
        let operands = [self.expr(expr, scope)?, self.expr(low, scope)?, self.expr(high, scope)?];
        let (type_, operands) = self.unified(&operands, "BETWEEN")?;
        let not = if negated { "NOT " } else { "" };
        let template = match type_ {
            Type::Dynamic => {
                format!("({not}(wh_compare({{0}}, {{1}}) >= 0 AND wh_compare({{0}}, {{2}}) <= 0))")
            }
            Type::Array(_) | Type::Struct(_) => return Err(no_signature("BETWEEN", &operands)),
            type_ => format!("({} {not}BETWEEN {{1}} AND {{2}})", self.target.ordered(&type_, "{0}")),
        };
        Ok(Expr::filled(&template, &operands, Type::Bool))
    }

    pub(super) fn in_list(
        &mut self,
        expr: &ast::Expr,
        list: &[ast::Expr],
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let mut operands = vec![self.expr(expr, scope)?];
        operands.extend(self.exprs(list, scope)?);
        let (type_, operands) = self.unified(&operands, "IN")?;
        if matches!(type_, Type::Array(_) | Type::Struct(_)) {
            return Err(no_signature("IN", &operands));
        }
        let candidates: Vec<&str> = operands[1..].iter().map(|operand| operand.sql.as_str()).collect();
        let candidates = candidates.join(", ");
        let value = self.grouped_operand(&operands[0]);
        let sql = format!("({value} {} ({candidates}))", membership(negated));
        Ok(Expr::of(sql, Type::Bool, &operands))
    }

    /// In SQLite, the left operand's collation decides when two values are equal.
    pub(super) fn grouped_operand(&self, expr: &Expr) -> String {
        self.target.grouped(&expr.type_, &expr.sql)
    }

    pub(super) fn in_array(
        &mut self,
        expr: &ast::Expr,
        array: &ast::Expr,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let value = self.expr(expr, scope)?;
        let mut array = self.expr(array, scope)?;
        if let (true, super::expr::Origin::Text(text)) = (self.is_postgres(), &array.origin) {
            let of = if value.type_ == Type::Dynamic { Type::String } else { value.type_.clone() };
            array = self.list_of_text(&text.clone(), &of)?;
        }
        let (element, list) = match &array.type_ {
            Type::Array(element) if **element != Type::Dynamic => ((**element).clone(), array.sql.clone()),
            Type::Array(_) | Type::Dynamic => (Type::Dynamic, self.list_of(&array.sql)),
            other => {
                return Err(Refusal::invalid(format!(
                    "Second argument of IN UNNEST must be an array but was {other}"
                )));
            }
        };
        let json = self.target.pick("value".to_owned(), self.target.unpacked(&element, "value"));
        let (value, element) = self.comparable(&value, &Expr::new(json, element), "IN")?;
        let each = self.target.pick("json_each", "jsonb_array_elements");
        let each = self.target.pick(format!("{each}({list})"), format!("{each}({list}) AS e(value)"));
        let left = self.grouped_operand(&value);
        let sql = format!("({left} {} (SELECT {} FROM {each}))", membership(negated), element.sql);
        Ok(Expr::of(sql, Type::Bool, [&value, &array]))
    }

    pub(super) fn in_query(
        &mut self,
        expr: &ast::Expr,
        query: &ast::Query,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let value = self.expr(expr, scope)?;
        let (bound, loose) = self.inner_query(query, scope)?;
        let column = Expr::new("q.c1", only_column(&bound)?.type_);
        let (value, column) = self.comparable(&value, &column, "IN")?;
        let left = self.grouped_operand(&value);
        let sql =
            format!("({left} {} (SELECT {} FROM ({}) AS q))", membership(negated), column.sql, bound.sql);
        let found = value.with(sql, Type::Bool);
        Ok(Expr { loose: found.loose.clone().or(loose), ..found })
    }

    pub(super) fn like(
        &mut self,
        expr: &ast::Expr,
        pattern: &ast::Expr,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let operands = [self.expr(expr, scope)?, self.expr(pattern, scope)?];
        let matched = self.function("like", &operands)?;
        Ok(if negated { Expr::filled("(NOT {0})", &[matched], Type::Bool) } else { matched })
    }

    /// `LIKE ANY (…)`
    pub(super) fn like_any(
        &mut self,
        expr: &ast::Expr,
        patterns: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let patterns = match patterns {
            ast::Expr::Tuple(patterns) => patterns.as_slice(),
            list if self.is_postgres()
                && let Some(elements) = super::postgres::elements_of(list) =>
            {
                elements
            }
            ast::Expr::Nested(pattern) => std::slice::from_ref(&**pattern),
            _ => return Err(Refusal::unsupported("LIKE ANY of what is no list in brackets")),
        };
        self.matched_by(expr, patterns, "", " OR ", scope)
    }

    /// `LIKE ALL (…)`, `LIKE SOME (…)`, `LIKE ANY UNNEST(…)`
    pub(super) fn like_each(
        &mut self,
        expr: &ast::Expr,
        patterns: &[&ast::Expr],
        all: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        if let [list @ ast::Expr::Function(call)] = patterns
            && call.name.to_string().eq_ignore_ascii_case("unnest")
        {
            let text = match all {
                true => {
                    format!("(not exists(select 1 from {list} as form_x where not (({expr}) like form_x)))")
                }
                false => format!("exists(select 1 from {list} as form_x where ({expr}) like form_x)"),
            };
            let written = crate::parse::warehouse_expr(&text)?;
            return self.expr(&written, scope);
        }
        let patterns: Vec<ast::Expr> = patterns.iter().map(|pattern| (*pattern).clone()).collect();
        self.matched_by(expr, &patterns, "", if all { " AND " } else { " OR " }, scope)
    }

    /// `x ILIKE ANY (ARRAY['a%'])` and its like, over a function of both sides.
    pub(super) fn matched_with_each(
        &mut self,
        expr: &ast::Expr,
        patterns: &ast::Expr,
        function: &str,
        word: &str,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let Some(elements) = super::postgres::elements_of(patterns) else {
            return Err(Refusal::unsupported("LIKE ANY or ALL of what is no list in brackets"));
        };
        self.matched_by(expr, elements, function, word, scope)
    }

    fn matched_by(
        &mut self,
        expr: &ast::Expr,
        patterns: &[ast::Expr],
        function: &str,
        word: &str,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let mut given = vec![self.expr(expr, scope)?];
        given.extend(self.exprs(patterns, scope)?);
        if !function.is_empty() {
            let each = given.iter().map(|one| self.function(function, std::slice::from_ref(one)));
            given = each.collect::<Result<_, _>>()?;
        }
        let patterns = given.split_off(1);
        let value = given.remove(0);
        value.once(|value| {
            let matched =
                patterns.into_iter().map(|pattern| self.function("like", &[value.clone(), pattern]));
            let matched = matched.collect::<Result<Vec<_>, _>>()?;
            Ok(Expr::of(format!("({})", balanced(&matched, word)), Type::Bool, &matched))
        })
    }

    /// A value as a number.
    pub(super) fn numeric(&mut self, expr: &Expr, operator: &str) -> Result<Expr, Refusal> {
        match &expr.type_ {
            type_ if type_.is_number() => Ok(expr.clone()),
            Type::Dynamic => self.coerced(expr, &Type::Number),
            Type::Null => self.coerced(expr, &Type::Int64),
            _ => Err(no_signature(operator, std::slice::from_ref(expr))),
        }
    }

    /// Sums, differences and products. Results of integers are integers, and must fit into 64 bits.
    pub(super) fn arithmetic(&mut self, operator: &str, left: &Expr, right: &Expr) -> Result<Expr, Refusal> {
        self.arithmetic_of(operator, left, right, false)
    }

    /// The same, with floats that may become infinite or null if `is_open`, as in the columnar dialect.
    pub(super) fn arithmetic_of(
        &mut self,
        operator: &str,
        left: &Expr,
        right: &Expr,
        is_open: bool,
    ) -> Result<Expr, Refusal> {
        let both = [left.clone(), right.clone()];
        let refused = |_| no_signature(operator, &both);
        let left = self.numeric(left, operator).map_err(refused)?;
        let right = self.numeric(right, operator).map_err(refused)?;
        let (type_, operands) = self.unified(&[left, right], operator)?;
        let template = match (self.target, &type_, operator) {
            (Target::Sqlite, Type::Float64, _) if is_open => {
                return Ok(Expr::filled(&format!("({{0}} {operator} {{1}})"), &operands, type_));
            }
            (Target::Sqlite, Type::Int64 | Type::Number | Type::Float64, "+") => "wh_add({0}, {1})",
            (Target::Sqlite, Type::Int64 | Type::Number | Type::Float64, "-") => "wh_subtract({0}, {1})",
            (Target::Sqlite, Type::Int64 | Type::Number | Type::Float64, _) => "wh_multiply({0}, {1})",
            (_, _, "+") => "({0} + {1})",
            (_, _, "-") => "({0} - {1})",
            _ => "({0} * {1})",
        };
        Ok(Expr::filled(template, &operands, type_))
    }

    /// Concatenates texts or lists.
    pub(super) fn concatenated(&mut self, operands: &[Expr]) -> Result<Expr, Refusal> {
        if operands.iter().any(|operand| matches!(operand.type_, Type::Array(_))) {
            return self.lists(operands);
        }
        let texts: Vec<Expr> = operands
            .iter()
            .map(|operand| self.coerced(operand, &Type::String))
            .collect::<Result<_, _>>()
            .map_err(|_| no_signature("||", operands))?;
        let sql = match self.target {
            Target::Sqlite => joined(&texts),
            Target::Postgres => format!("({})", balanced(&texts, " || ")),
        };
        Ok(Expr::of(sql, Type::String, &texts))
    }
}

fn membership(negated: bool) -> &'static str {
    if negated { "NOT IN" } else { "IN" }
}

/// A concatenation that draws on the budget. SQLite's functions have at most 100 arguments.
fn joined(texts: &[Expr]) -> String {
    const MOST: usize = 100;
    if texts.len() > MOST {
        let (left, right) = texts.split_at(texts.len() / 2);
        return format!("wh_concat({}, {})", joined(left), joined(right));
    }
    let texts: Vec<&str> = texts.iter().map(|text| text.sql.as_str()).collect();
    format!("wh_concat({})", texts.join(", "))
}

/// Joins operands with brackets so that the target's tree stays shallow.
pub(super) fn balanced(operands: &[Expr], operator: &str) -> String {
    const SHALLOW: usize = 16;
    if operands.len() <= SHALLOW {
        let texts: Vec<&str> = operands.iter().map(|operand| operand.sql.as_str()).collect();
        return texts.join(operator);
    }
    let (left, right) = operands.split_at(operands.len() / 2);
    format!("({}){operator}({})", balanced(left, operator), balanced(right, operator))
}

/// The lower bound of `BETWEEN SYMMETRIC` without its mark, which is at its beginning; `None` if there is none.
fn without_mark(low: &ast::Expr) -> Option<ast::Expr> {
    match low {
        ast::Expr::UnaryOp { op: ast::UnaryOperator::PGPrefixFactorial, expr } => Some((**expr).clone()),
        ast::Expr::BinaryOp { left, op, right } => {
            let left = Box::new(without_mark(left)?);
            Some(ast::Expr::BinaryOp { left, op: op.clone(), right: right.clone() })
        }
        _ => None,
    }
}
