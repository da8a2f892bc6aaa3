//! Comparisons with each element of a list that is written out, and parts of lists: `x > ALL (ARRAY[1, 2])`, `list[2:3]`.

use sqlparser::ast::{self, BinaryOperator};

use super::super::Binder;
use super::super::expr::{Expr, Origin};
use super::super::operator::balanced;
use super::super::scope::Scope;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// `x > ANY (ARRAY[…])`, or `ALL`.
    pub(in crate::bind) fn compared_with_each(
        &mut self,
        (value, operator, list): (&ast::Expr, &BinaryOperator, &ast::Expr),
        all: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let word = if all { "ALL" } else { "ANY" };
        let Some(elements) = elements_of(list) else {
            let text = format!("{operator} {word} of what is no ARRAY[…] in the query");
            return Err(Refusal::unsupported(&text));
        };
        let value = self.expr(value, scope)?;
        let elements: Vec<Expr> =
            elements.iter().map(|element| self.expr(element, scope)).collect::<Result<_, _>>()?;
        if elements.is_empty() {
            return Ok(Expr::new(self.target.boolean(all), Type::Bool));
        }
        value.once(|value| {
            let tests = elements.iter().map(|element| self.compared_by(operator, value, element));
            let tests = tests.collect::<Result<Vec<_>, _>>()?;
            let joined = balanced(&tests, if all { " AND " } else { " OR " });
            Ok(Expr::of(format!("({joined})"), Type::Bool, &tests))
        })
    }

    fn compared_by(&mut self, operator: &BinaryOperator, left: &Expr, right: &Expr) -> Result<Expr, Refusal> {
        use BinaryOperator as B;
        match operator {
            B::Eq => self.compared(left, "=", right),
            B::NotEq => self.compared(left, "<>", right),
            B::Lt => self.compared(left, "<", right),
            B::LtEq => self.compared(left, "<=", right),
            B::Gt => self.compared(left, ">", right),
            B::GtEq => self.compared(left, ">=", right),
            other => match self.postgres_operator(other, left, right)? {
                Some(test) if test.type_ == Type::Bool => Ok(test),
                _ => Err(Refusal::unsupported(&format!("the operator {other} with ANY or ALL"))),
            },
        }
    }

    /// `list[first:last]`; a bound that is left out is that of the list.
    pub(in crate::bind) fn slice(
        &mut self,
        list: &Expr,
        bounds: [Option<&ast::Expr>; 2],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        if !matches!(list.type_, Type::Array(_)) {
            return Err(Refusal::unsupported("a part of what is no list"));
        }
        let [first, last] = bounds.map(|bound| {
            let bound = bound.map(|bound| self.expr(bound, scope)).transpose()?;
            bound.map(|bound| self.coerced(&bound, &Type::Int64)).transpose()
        });
        let first = first?.unwrap_or_else(|| Expr::new(self.target.integer(1), Type::Int64));
        let last = last?.unwrap_or_else(|| Expr::new(self.target.integer(i64::MAX), Type::Int64));
        Ok(Expr::filled("wh_list_part({0}, {1}, {2})", &[list.clone(), first, last], list.type_.clone()))
    }

    /// A path of JSON: `'{a,b}'` is one, and so is `ARRAY['a', 'b']`.
    pub(super) fn path_text(&mut self, path: &Expr) -> Result<Expr, Refusal> {
        match path.type_ {
            Type::Array(_) => {
                let separator = self.literal_text(",");
                let joined = self.function("array_to_string", &[path.clone(), separator])?;
                let [open, close] = ["{", "}"].map(|sign| self.literal_text(sign));
                self.special("concat", &[open, joined, close])
            }
            _ => self.coerced(path, &Type::String),
        }
    }

    /// A value to be put into JSON, of which a written text is JSON itself.
    pub(super) fn json_to_put(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        let value = match value.origin {
            Origin::Text(_) => self.literal_json(value)?,
            _ => value.clone(),
        };
        self.cast(&value, &Type::Dynamic, false)
    }
}

/// `json ->-1` and `json ->>-1`, which the parser takes for one sign each: the operator, and the place.
pub(in crate::bind) fn place_from_end(
    operator: &BinaryOperator,
    right: &ast::Expr,
) -> Option<(BinaryOperator, ast::Expr)> {
    let BinaryOperator::Custom(sign) = operator else { return None };
    let operator = match sign.as_str() {
        "->-" => BinaryOperator::Arrow,
        "->>-" => BinaryOperator::LongArrow,
        _ => return None,
    };
    let minus = ast::Expr::UnaryOp { op: ast::UnaryOperator::Minus, expr: Box::new(right.clone()) };
    Some((operator, minus))
}

/// The elements of `ARRAY[…]`.
pub(in crate::bind) fn elements_of(list: &ast::Expr) -> Option<&[ast::Expr]> {
    match list {
        ast::Expr::Nested(inner) => elements_of(inner),
        ast::Expr::Array(array) => Some(&array.elem),
        // Without elements their type does not matter.
        ast::Expr::Cast { expr, .. } => elements_of(expr).filter(|elements| elements.is_empty()),
        _ => None,
    }
}
