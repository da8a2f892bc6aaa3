//! Elements of lists and fields of values: `list[offset(0)].field`.

use sqlparser::ast::{self, AccessExpr, Subscript};

use super::Binder;
use super::expr::{Expr, Origin};
use super::scope::Scope;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// Binds a chain of accesses, step by step.
    pub(super) fn access(
        &mut self,
        root: &ast::Expr,
        chain: &[AccessExpr],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let mut names = Vec::new();
        let mut rest = chain;
        // The first names may be those of a table and its column.
        if let ast::Expr::Identifier(first) = root {
            names.push(first.value.clone());
            while let [AccessExpr::Dot(ast::Expr::Identifier(name)), more @ ..] = rest {
                names.push(name.value.clone());
                rest = more;
            }
        }
        let mut value = if names.is_empty() { self.expr(root, scope)? } else { self.path(&names, scope)? };
        for step in rest {
            value = match step {
                AccessExpr::Dot(ast::Expr::Identifier(name)) => {
                    self.fields(value, std::slice::from_ref(&name.value), "the value before it")?
                }
                AccessExpr::Subscript(Subscript::Index { index }) => self.element(value, index, scope)?,
                AccessExpr::Subscript(Subscript::Slice { lower_bound, upper_bound, stride: None })
                    if self.is_postgres() =>
                {
                    self.slice(&value, [lower_bound.as_ref(), upper_bound.as_ref()], scope)?
                }
                other => return Err(Refusal::unsupported(&format!("the access {other}"))),
            };
        }
        Ok(value)
    }

    /// `[0]`, `[offset(0)]`, `[ordinal(1)]`, `[safe_offset(0)]`, `['key']`.
    fn element(&mut self, list: Expr, index: &ast::Expr, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let (word, argument) = place(index)?;
        let index = self.expr(argument, scope)?;
        if let (Type::Dynamic, Origin::Text(key)) = (&list.type_, &index.origin) {
            return Ok(Expr::of(self.target.field(&list.sql, key), Type::Dynamic, [&list]));
        }
        let (element, list) = match &list.type_ {
            Type::Array(element) => ((**element).clone(), list.clone()),
            Type::Dynamic => (Type::Dynamic, list.clone()),
            other => {
                return Err(Refusal::invalid(format!(
                    "Element access using [] is not supported on values of type {other}"
                )));
            }
        };
        let index = self.coerced(&index, &Type::Int64)?;
        // PostgreSQL counts the elements of its arrays from 1, and a missing one is null.
        let is_array = self.is_postgres() && matches!(list.type_, Type::Array(_));
        let first = i64::from(is_array || word.ends_with("ordinal"));
        let safe = self.target.boolean(is_array || word.starts_with("safe"));
        let json = format!("wh_at({}, {} - {first}, {safe})", list.sql, index.sql);
        let value = self.target.unpacked(&element, &json);
        let shape = list.shape.clone();
        Ok(Expr { shape, ..Expr::of(value, element, [&list, &index]) })
    }
}

/// The way in which an element is counted, and its index.
fn place(index: &ast::Expr) -> Result<(String, &ast::Expr), Refusal> {
    let ast::Expr::Function(function) = index else { return Ok(("offset".to_owned(), index)) };
    let word = function.name.to_string().to_lowercase();
    if !matches!(word.as_str(), "offset" | "ordinal" | "safe_offset" | "safe_ordinal") {
        return Ok(("offset".to_owned(), index));
    }
    let ast::FunctionArguments::List(list) = &function.args else {
        return Err(Refusal::syntax(format!("{word} needs a number")));
    };
    match list.args.as_slice() {
        [ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(number))] => Ok((word, number)),
        _ => Err(Refusal::syntax(format!("{word} needs a number"))),
    }
}
