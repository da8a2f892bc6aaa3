//! `CAST … FORMAT`.

use sqlparser::ast::{self, DataType};

use super::named;
use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::scope::Scope;
use crate::bind::time_patterns::OF_CAST;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// `CAST(x AS STRING FORMAT 'YYYY-MM-DD')` and the way back.
    pub(in crate::bind) fn cast_by_format(
        &mut self,
        expr: &ast::Expr,
        type_: &DataType,
        format: &ast::Value,
        safe: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let format = self.literal(format)?;
        let Origin::Text(text) = &format.origin else {
            return Err(Refusal::unsupported("CAST with a FORMAT that is no text in the query"));
        };
        let elements = OF_CAST.elements(text)?;
        let elements = Expr {
            origin: Origin::Text(elements.clone()),
            ..Expr::new(self.target.text(&elements), Type::String)
        };
        let (value, to) = (self.expr(expr, scope)?, named(type_)?);
        match (&value.type_, &to) {
            (Type::Timestamp | Type::Datetime | Type::Date | Type::Time, Type::String) => {
                let instant = self.as_instant(&value);
                Ok(Expr::filled("wh_format({0}, {1})", &[elements, instant], Type::String))
            }
            (Type::String, Type::Timestamp | Type::Datetime | Type::Date | Type::Time) => {
                let kind = to.to_string().to_lowercase();
                let name = format!("{}parse_{kind}", if safe { "safe." } else { "" });
                self.function(&name, &[elements, value])
            }
            (from, to) => Err(Refusal::unsupported(&format!("CAST of {from} to {to} with FORMAT"))),
        }
    }
}
