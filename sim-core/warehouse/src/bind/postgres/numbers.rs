//! `to_char` of numbers.

use sqlparser::ast;

use super::super::Binder;
use super::super::expr::{Expr, Origin};
use super::types::scale_of;
use crate::refusal::Refusal;
use crate::types::Type;
use sim_values::number_template::Template;

impl Binder<'_> {
    /// `to_char(number, format)`. A server has it itself.
    pub(super) fn number_text(&mut self, number: &Expr, format: &Expr) -> Result<Expr, Refusal> {
        let Origin::Text(text) = &format.origin else {
            return Err(Refusal::unsupported("to_char with a format that is no text in the query"));
        };
        if Template::read(text).is_err() {
            return Err(Refusal::unsupported(&format!("to_char of a number with the pattern {text:?}")));
        }
        let number = self.coerced(number, &Type::Number)?;
        let template = self.target.pick("wh_number_format({0}, {1})", "to_char({0}, {1})");
        Ok(Expr::filled(template, &[number, format.clone()], Type::String))
    }

    /// The digits after a numeric's point: those that the query writes, and those that are needed.
    pub(super) fn scale_call(
        &mut self,
        name: &str,
        expr: &ast::Expr,
        number: &Expr,
    ) -> Result<Expr, Refusal> {
        let number = self.coerced(number, &Type::Number)?;
        match name {
            "trim_scale" => Ok(number),
            "scale" => {
                let scale = scale_of(expr).ok_or_else(|| {
                    Refusal::unsupported("scale of a number whose digits are not in the query")
                })?;
                let scale = self.target.integer(i64::from(scale));
                Ok(Expr::filled(
                    &format!("(CASE WHEN {{0}} IS NOT NULL THEN {scale} END)"),
                    &[number],
                    Type::Int64,
                ))
            }
            _ => {
                let text = self.cast(&number, &Type::String, false)?;
                let pattern = Expr {
                    origin: Origin::Text(FRACTION.to_owned()),
                    ..Expr::new(self.target.text(FRACTION), Type::String)
                };
                let digits = self.function("regexp_extract", &[text, pattern])?;
                let count = self.function("length", &[digits])?;
                let zero = self.target.integer(0);
                Ok(Expr::filled(
                    &format!("(CASE WHEN {{1}} IS NOT NULL THEN coalesce({{0}}, {zero}) END)"),
                    &[count, number],
                    Type::Int64,
                ))
            }
        }
    }
}

/// The digits after a point without the zeros at their end.
const FRACTION: &str = r"\.(\d*[1-9])";
