//! Expressions.

pub(crate) mod assigned;
mod comparisons;
mod names;
mod parts;
mod titles;

use sqlparser::ast::{self, BinaryOperator, Spanned as _, UnaryOperator, ValueWithSpan};

use self::comparisons::all_of;
use super::{Binder, Scope};
use crate::cast::Context;
use crate::client::Placeholders;
use crate::error::{Result, SqlError, SqlState};
use crate::tree::{Comparison, Expr, Node};
use crate::types::{Modified, Type};
use crate::value::{interval, numeric};

pub(crate) use self::names::SYSTEM_COLUMNS;
pub(crate) use self::titles::column_name;

/// The clause of an expression. It determines what the expression may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Clause {
    Target,
    Where,
    Filter,
    On,
    GroupBy,
    Having,
    OrderBy,
    Limit,
    Values,
    Default,
    Check,
    Generated,
    Index,
    /// The new value of a column that gets another type.
    Transform,
    Set,
    Returning,
    Aggregate,
    From,
    Policy,
    Trigger,
    Call,
}

impl Clause {
    /// Whether it is a part of a table's definition, where SQLite takes no function that may have another result next time.
    pub(crate) const fn is_of_definition(self) -> bool {
        matches!(self, Clause::Default | Clause::Check | Clause::Generated | Clause::Index)
    }

    /// Its name in messages.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Clause::Target => "SELECT",
            Clause::Where => "WHERE",
            Clause::Filter => "FILTER",
            Clause::On => "JOIN conditions",
            Clause::GroupBy => "GROUP BY",
            Clause::Having => "HAVING",
            Clause::OrderBy => "ORDER BY",
            Clause::Limit => "LIMIT",
            Clause::Values => "VALUES",
            Clause::Default => "DEFAULT expressions",
            Clause::Check => "check constraints",
            Clause::Generated => "column generation expressions",
            Clause::Index => "index expressions",
            Clause::Transform => "transform expressions",
            Clause::Set => "UPDATE",
            Clause::Returning => "RETURNING",
            Clause::Aggregate => "aggregate function calls",
            Clause::From => "functions in FROM",
            Clause::Policy => "policy expressions",
            Clause::Trigger => "trigger WHEN conditions",
            Clause::Call => "CALL arguments",
        }
    }
}

impl Clause {
    /// What messages call a clause that can't contain a query.
    pub(crate) fn without_queries(self) -> Option<&'static str> {
        Some(match self {
            Clause::Default => "DEFAULT expression",
            Clause::Check => "check constraint",
            Clause::Generated => "column generation expression",
            Clause::Index => "index expression",
            Clause::Transform => "transform expression",
            Clause::Call => "CALL argument",
            _ => return None,
        })
    }
}

/// The deepest nesting of an expression. Long chains of `AND` and `OR` do not count.
const NESTING_MAX: usize = 150;

impl Binder<'_> {
    /// Binds an expression in a clause.
    pub(crate) fn expr_in(&mut self, clause: Clause, scope: &Scope<'_>, expr: &ast::Expr) -> Result<Expr> {
        let before = std::mem::replace(&mut self.clause, clause);
        let bound = self.expr(scope, expr);
        self.clause = before;
        bound
    }

    /// Binds a condition.
    pub(crate) fn condition(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> Result<Expr> {
        let at = self.place(expr.span().start);
        let bound = self.expr(scope, expr)?;
        self.boolean(bound, "WHERE").map_err(|error| error.at(at))
    }

    /// Binds the condition of a clause.
    pub(crate) fn condition_in(
        &mut self,
        clause: Clause,
        scope: &Scope<'_>,
        expr: &ast::Expr,
    ) -> Result<Expr> {
        let at = self.place(expr.span().start);
        let bound = self.expr_in(clause, scope, expr)?;
        let word = match clause {
            Clause::On => "JOIN/ON",
            Clause::Policy => "POLICY",
            Clause::Trigger => "WHEN",
            Clause::Check => "CHECK",
            Clause::Index => "WHERE",
            clause => clause.words(),
        };
        self.boolean(bound, word).map_err(|error| error.at(at))
    }

    fn boolean(&self, expr: Expr, what: &str) -> Result<Expr> {
        self.refuse_set_of(&expr, what)?;
        let (type_, at) = (expr.type_, expr.at.0);
        self.coerce(expr, Type::BOOL.plain(), Context::Implicit)?.ok_or_else(|| {
            let name = self.catalog.type_name(type_, -1);
            let message = format!("argument of {what} must be type boolean, not type {name}");
            SqlError::new(SqlState::DATATYPE_MISMATCH, message).at(at)
        })
    }

    /// Binds an expression.
    pub(crate) fn expr(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> Result<Expr> {
        self.enter()?;
        let at = self.place(expr.span().start);
        let bound = self.expr_node(scope, expr);
        self.nesting -= 1;
        let bound = bound?;
        Ok(if bound.at.0.is_some() { bound } else { bound.at(at) })
    }

    /// Goes one level deeper. Fails if the nesting is too deep.
    pub(super) fn enter(&mut self) -> Result<()> {
        if self.nesting > NESTING_MAX {
            return Err(super::once::too_deep());
        }
        self.nesting += 1;
        self.once.charge_expression(self.length)
    }

    pub(crate) fn exprs(&mut self, scope: &Scope<'_>, exprs: &[ast::Expr]) -> Result<Vec<Expr>> {
        exprs.iter().map(|expr| self.expr(scope, expr)).collect()
    }

    fn expr_node(&mut self, scope: &Scope<'_>, expr: &ast::Expr) -> Result<Expr> {
        match expr {
            ast::Expr::Identifier(ident) => self.identifier(scope, ident),
            ast::Expr::CompoundIdentifier(idents) => self.qualified(scope, idents),
            ast::Expr::Nested(inner) => self.expr(scope, inner),
            ast::Expr::Value(value) => self.value(value),
            ast::Expr::BinaryOp { op: op @ (BinaryOperator::And | BinaryOperator::Or), .. } => {
                self.junction(scope, expr, op)
            }
            ast::Expr::BinaryOp { left, op, right } => self.binary(scope, left, op, right),
            ast::Expr::UnaryOp { op, expr: operand } => {
                self.unary(scope, op, operand).map_err(|error| match error.code {
                    SqlState::UNDEFINED_FUNCTION | SqlState::AMBIGUOUS_FUNCTION => {
                        let at = self.place(operand.span().start);
                        error.at(at.and_then(|at| self.source.symbol_before(at)))
                    }
                    _ => error,
                })
            }
            ast::Expr::IsNull(inner) => self.is_null(scope, inner, false),
            ast::Expr::IsNotNull(inner) => self.is_null(scope, inner, true),
            ast::Expr::IsTrue(inner) => self.is(scope, inner, true, false),
            ast::Expr::IsNotTrue(inner) => self.is(scope, inner, true, true),
            ast::Expr::IsFalse(inner) => self.is(scope, inner, false, false),
            ast::Expr::IsNotFalse(inner) => self.is(scope, inner, false, true),
            ast::Expr::IsUnknown(inner) => self.is_unknown(scope, inner, false),
            ast::Expr::IsNotUnknown(inner) => self.is_unknown(scope, inner, true),
            ast::Expr::IsDistinctFrom(left, right) => self.is_distinct(scope, left, right, false),
            ast::Expr::IsNotDistinctFrom(left, right) => self.is_distinct(scope, left, right, true),
            ast::Expr::InList { expr, list, negated } => self.in_list(scope, expr, list, *negated),
            ast::Expr::InSubquery { expr, subquery, negated } => {
                self.in_query(scope, expr, subquery, *negated)
            }
            ast::Expr::Between { expr, negated, low, high } => self.between(scope, expr, low, high, *negated),
            ast::Expr::Like { negated, any, expr, pattern, escape_char: None }
                if *any || all_of(pattern).is_some() =>
            {
                self.like_each(scope, if *negated { "!~~" } else { "~~" }, expr, pattern)
            }
            ast::Expr::ILike { negated, any, expr, pattern, escape_char: None }
                if *any || all_of(pattern).is_some() =>
            {
                self.like_each(scope, if *negated { "!~~*" } else { "~~*" }, expr, pattern)
            }
            ast::Expr::Like { negated, any: false, expr, pattern, escape_char } => {
                self.like(scope, if *negated { "!~~" } else { "~~" }, expr, pattern, escape_char.as_deref())
            }
            ast::Expr::ILike { negated, any: false, expr, pattern, escape_char } => {
                self.like(scope, if *negated { "!~~*" } else { "~~*" }, expr, pattern, escape_char.as_deref())
            }
            ast::Expr::SimilarTo { negated, expr, pattern, escape_char } => {
                let operator = if *negated { "!similar" } else { "similar" };
                let bound = self.like(scope, operator, expr, pattern, escape_char.as_deref())?;
                Ok(if *negated { Expr::boolean(Node::Not(Box::new(bound))) } else { bound })
            }
            ast::Expr::AnyOp { left, compare_op, right, .. } => {
                self.quantified(scope, left, &super::operator::symbol(compare_op)?, right, false)
            }
            ast::Expr::AllOp { left, compare_op, right } => {
                self.quantified(scope, left, &super::operator::symbol(compare_op)?, right, true)
            }
            ast::Expr::Cast { kind, expr: written, data_type, .. } => {
                let to = self.data_type(data_type)?;
                let cast = match parts::unnested(written) {
                    ast::Expr::Array(array) if to.base.element().is_some() => {
                        self.cast_array(scope, &array.elem, to)
                    }
                    _ => self.expr(scope, written).and_then(|inner| self.cast(inner, to)),
                };
                cast.map_err(|error| match error.code {
                    SqlState::CANNOT_COERCE => {
                        let at = self.place_of_cast(kind, written).or(error.position);
                        error.nowhere().at(at)
                    }
                    _ => error,
                })
            }
            ast::Expr::TypedString(typed) => {
                let to = self.data_type(&typed.data_type)?;
                let inner = self.value(&typed.value)?;
                self.cast(inner, to)
            }
            ast::Expr::Interval(interval) => self.interval(scope, interval),
            ast::Expr::Function(function) => self.function(scope, function),
            ast::Expr::Case { operand, conditions, else_result, .. } => {
                self.case(scope, operand.as_deref(), conditions, else_result.as_deref())
            }
            ast::Expr::Exists { subquery, negated } => {
                let query = self.subquery(scope, subquery)?;
                Ok(self.exists(query, *negated))
            }
            ast::Expr::Subquery(query) => self.scalar_query(scope, query),
            ast::Expr::Tuple(items) => self.row(scope, items),
            ast::Expr::Array(array) => self.array(scope, &array.elem),
            ast::Expr::CompoundFieldAccess { root, access_chain } => self.access(scope, root, access_chain),
            ast::Expr::Collate { expr, collation } => self.collated(scope, expr, collation),
            ast::Expr::QualifiedWildcard(table, _) => {
                let (_, alias) = crate::source::schema_and_name(table)?;
                self.starred_row(scope, &alias)
            }
            other => self.special(scope, other),
        }
    }

    pub(super) fn value(&mut self, value: &ValueWithSpan) -> Result<Expr> {
        let at = self.place(value.span.start);
        let bound = match &value.value {
            ast::Value::Number(number, _) => number_literal(number)?,
            ast::Value::SingleQuotedString(text)
            | ast::Value::EscapedStringLiteral(text)
            | ast::Value::UnicodeStringLiteral(text)
            | ast::Value::NationalStringLiteral(text) => untyped(text),
            ast::Value::DollarQuotedString(text) => untyped(&text.value),
            ast::Value::Boolean(value) => Expr::literal(i64::from(*value), Type::BOOL),
            ast::Value::Null => Expr::null(),
            ast::Value::Placeholder(placeholder) => {
                self.parameter(placeholder).map_err(|error| error.at(at))?
            }
            ast::Value::SingleQuotedByteStringLiteral(digits) => bits_literal(digits, at)?,
            ast::Value::HexStringLiteral(digits) => bits_literal(&format!("x{digits}"), at)?,
            other => return Err(SqlError::unsupported(format!("the literal {other}")).at(at)),
        };
        Ok(bound.at(at))
    }

    fn parameter(&mut self, placeholder: &str) -> Result<Expr> {
        let number = placeholder.strip_prefix('$').and_then(|digits| digits.parse::<usize>().ok());
        let undefined =
            || SqlError::new(SqlState::UNDEFINED_PARAMETER, format!("there is no parameter {placeholder}"));
        let index = number.and_then(|number| number.checked_sub(1)).ok_or_else(undefined)?;
        if let Some(variable) = self.variable(&[placeholder.to_owned()])? {
            return Ok(variable);
        }
        if let Some(arguments) = &self.arguments {
            return arguments.get(index).ok_or_else(undefined).and_then(|(_, expr)| self.copied(expr));
        }
        let value = self.parameters.get(index).ok_or_else(undefined)?;
        let known = self.placeholders.as_ref();
        let declared = known.and_then(|known| known.declared(index));
        match (value, declared) {
            (Some(text), Some(type_)) => self.cast(untyped(text), type_.plain()),
            (None, Some(type_)) => Ok(Expr::literal(rusqlite::types::Value::Null, type_)),
            (Some(text), None) => Ok(untyped(text)),
            (None, None) if known.is_some_and(|known| known.describes) => {
                Ok(untyped(&Placeholders::mark(index)))
            }
            (None, None) => Ok(Expr::null()),
        }
    }

    fn case(
        &mut self,
        scope: &Scope<'_>,
        operand: Option<&ast::Expr>,
        conditions: &[ast::CaseWhen],
        otherwise: Option<&ast::Expr>,
    ) -> Result<Expr> {
        let operand =
            operand.map(|operand| self.expr(scope, operand).and_then(|operand| self.settle(operand)));
        let operand = operand.transpose()?;
        let mut tests = Vec::new();
        let mut results = Vec::new();
        for when in conditions {
            let test = self.expr(scope, &when.condition)?;
            tests.push(match operand {
                Some(_) => test,
                None => self.boolean(test, "CASE/WHEN")?,
            });
            results.push(self.expr(scope, &when.result)?);
        }
        let has_else = otherwise.is_some();
        if let Some(otherwise) = otherwise {
            // The type of `ELSE` is considered first, as in PostgreSQL.
            results.insert(0, self.expr(scope, otherwise)?);
        }
        self.refuse_sets(&results, "set-returning functions are not allowed in CASE")?;
        let (mut results, type_) = self.unify(results, "CASE")?;
        let modifier = if has_else { Self::common_modifier(results.iter()) } else { -1 };
        let otherwise = has_else.then(|| Box::new(results.remove(0)));
        let chosen = match operand {
            Some(operand) => self.simple_case(operand, (conditions, tests), results, otherwise, type_)?,
            None => {
                let branches = tests.into_iter().zip(results).collect();
                Expr::new(Node::Case { operand: None, branches, otherwise }, type_)
            }
        };
        Ok(Expr { modifier, ..chosen })
    }

    /// `CASE x WHEN 1 THEN …`. `x` is computed once.
    fn simple_case(
        &mut self,
        operand: Expr,
        (written, tests): (&[ast::CaseWhen], Vec<Expr>),
        results: Vec<Expr>,
        otherwise: Option<Box<Expr>>,
        type_: Type,
    ) -> Result<Expr> {
        let common = self.one_comparison_type(&operand, &tests.iter().collect::<Vec<_>>());
        if let Some(common) = common.filter(|common| !self.is_row_type(*common)) {
            let operand = Some(Box::new(self.compared_as(operand, common)?));
            let tests = tests.into_iter().map(|test| self.compared_as(test, common));
            let branches = tests.collect::<Result<Vec<_>>>()?.into_iter().zip(results).collect();
            return Ok(Expr::new(Node::Case { operand, branches, otherwise }, type_));
        }
        self.once(operand, |binder, operand| {
            let tests = tests.into_iter().zip(written).map(|(test, when)| {
                binder.compare(Comparison::Equal, operand.clone(), test).map_err(|error| {
                    error.at(binder.source.place_of_word_before("when", when.condition.span().start))
                })
            });
            let branches = tests.collect::<Result<Vec<_>>>()?.into_iter().zip(results).collect();
            Ok(Expr::new(Node::Case { operand: None, branches, otherwise }, type_))
        })
    }

    fn scalar_query(&mut self, scope: &Scope<'_>, query: &ast::Query) -> Result<Expr> {
        let bound = self.subquery(scope, query)?;
        let [column] = &bound.columns[..] else {
            let at = self.place(query.span().start).and_then(|at| at.checked_sub(1));
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "subquery must return only one column").at(at));
        };
        let type_ = column.type_;
        Ok(Expr { modifier: type_.modifier, ..Expr::new(Node::Scalar(Box::new(bound)), type_.base) })
    }

    fn unary(&mut self, scope: &Scope<'_>, operator: &UnaryOperator, operand: &ast::Expr) -> Result<Expr> {
        // The sign is part of the literal. Otherwise -9223372036854775808 would be out of range.
        if let (
            UnaryOperator::Minus,
            ast::Expr::Value(ValueWithSpan { value: ast::Value::Number(number, _), .. }),
        ) = (operator, operand)
        {
            return number_literal(&format!("-{number}"));
        }
        let bound = self.expr(scope, operand)?;
        let symbol = match operator {
            UnaryOperator::Not => {
                return Ok(Expr::boolean(Node::Not(Box::new(self.boolean(bound, "NOT")?))));
            }
            UnaryOperator::Plus => "+",
            UnaryOperator::Minus => "-",
            UnaryOperator::BitwiseNot => "~",
            UnaryOperator::PGAbs => "@",
            UnaryOperator::Hash => "#",
            UnaryOperator::DoubleAt => "@@",
            UnaryOperator::QuestionDash => "?-",
            UnaryOperator::QuestionPipe => "?|",
            UnaryOperator::PGSquareRoot => "|/",
            UnaryOperator::PGCubeRoot => "||/",
            UnaryOperator::BangNot | UnaryOperator::PGPrefixFactorial => "!!",
            UnaryOperator::AtDashAt => {
                self.source.operator_before(self.place(operand.span().start)).unwrap_or("@-@")
            }
            other => return Err(SqlError::unsupported(format!("the operator {other}"))),
        };
        self.prefix_operation(symbol, bound)
    }

    fn binary(
        &mut self,
        scope: &Scope<'_>,
        left: &ast::Expr,
        operator: &BinaryOperator,
        right: &ast::Expr,
    ) -> Result<Expr> {
        if crate::operators::is_nothing(left) {
            let at = self.place(left.span().start);
            let bound = self.expr(scope, right)?;
            let symbol = super::operator::symbol(operator)?;
            let done = match crate::operators::schema(operator) {
                Some(schema) => self.qualified_operation(schema, &symbol, None, bound),
                None => self.prefix_operation(&symbol, bound),
            };
            return done.map_err(|error| error.at(at));
        }
        if let Some((over, all)) = crate::quantified::quantified(right) {
            return self.quantified(scope, left, &super::operator::symbol(operator)?, &over, all);
        }
        let at = self.source.place_between(left.span().end, right.span().start);
        let symbol = super::operator::symbol(operator)?;
        let left = self.expr(scope, left)?;
        if let (Node::Row(..), ast::Expr::Subquery(query)) = (&left.node, right) {
            let compared = self.row_with_query(scope, left, &symbol, query);
            return compared.map_err(|error| error.at(at));
        }
        let right = self.expr(scope, right)?;
        let done = match crate::operators::schema(operator) {
            Some(schema) => self.qualified_operation(schema, &symbol, Some(left), right),
            None => self.operation(&symbol, left, right),
        };
        done.map_err(|error| error.at(at))
    }

    /// Binds a chain of `AND` or `OR` operand by operand, without recursion.
    fn junction(&mut self, scope: &Scope<'_>, expr: &ast::Expr, operator: &BinaryOperator) -> Result<Expr> {
        let mut operands = Vec::new();
        let mut rest = expr;
        while let ast::Expr::BinaryOp { left, op, right } = rest
            && op == operator
        {
            operands.push(&**right);
            rest = left;
        }
        let and = *operator == BinaryOperator::And;
        let word = if and { "AND" } else { "OR" };
        let first = self.expr(scope, rest)?;
        let mut all = self.boolean(first, word)?;
        for operand in operands.into_iter().rev() {
            let next = self.expr(scope, operand)?;
            let (left, right) = (Box::new(all), Box::new(self.boolean(next, word)?));
            all = Expr::boolean(if and { Node::And(left, right) } else { Node::Or(left, right) });
        }
        Ok(all)
    }

    fn interval(&mut self, scope: &Scope<'_>, interval: &ast::Interval) -> Result<Expr> {
        let value = self.expr(scope, &interval.value)?;
        let Node::Untyped(text) = &value.node else {
            return Err(SqlError::unsupported("an interval of an expression"));
        };
        let text = match &interval.leading_field {
            Some(ast::DateTimeField::Day) if interval.last_field.is_some() && text.trim().contains(' ') => {
                let (days, rest) = text.trim().split_once(' ').unwrap_or((text, ""));
                let unit = if rest.contains(':') { "" } else { " hours" };
                format!("{days} days {rest}{unit}")
            }
            _ => text.clone(),
        };
        let fields = [&interval.leading_field, &interval.last_field].into_iter().flatten();
        let fields: Vec<String> = fields.map(ToString::to_string).collect();
        let fields = (!fields.is_empty()).then(|| fields.join(" to "));
        let digits = interval.fractional_seconds_precision.or(interval.leading_precision);
        let modifier = interval::modifier(fields.as_deref(), digits);
        let type_ = Modified { base: Type::INTERVAL, modifier };
        self.literal(&text, type_).map_err(|error| error.at(value.at.0))
    }
}

fn not(condition: Expr) -> Expr {
    Expr::boolean(Node::Not(Box::new(condition)))
}

/// A literal without a type.
pub(crate) fn untyped(text: &str) -> Expr {
    Expr::new(Node::Untyped(text.to_owned()), Type::UNKNOWN)
}

/// A number literal. Its type is the smallest of integer, bigint and numeric that can hold it.
fn number_literal(number: &str) -> Result<Expr> {
    if let Ok(value) = number.parse::<i64>() {
        let type_ = if i32::try_from(value).is_ok() { Type::INT4 } else { Type::INT8 };
        return Ok(Expr::literal(value, type_));
    }
    let canonical = numeric::parse(number).ok_or_else(|| {
        SqlError::new(
            SqlState::SYNTAX_ERROR,
            format!("trailing junk after numeric literal at or near \"{number}\""),
        )
    })?;
    Ok(Expr::literal(canonical, Type::NUMERIC))
}

/// A bit string, `b'101'` or `x'5'`.
fn bits_literal(digits: &str, at: Option<usize>) -> Result<Expr> {
    let bits = crate::value::bits::parse(digits).map_err(|error| error.at(at))?;
    Ok(Expr::literal(bits, Type::BIT))
}
