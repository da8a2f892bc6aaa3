//! `to_char` of numbers.

use super::super::Binder;
use super::super::expr::{Expr, Origin};
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
}
