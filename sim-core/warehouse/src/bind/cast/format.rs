//! `CAST … FORMAT`.

use sqlparser::ast::{self, DataType};

use super::named;
use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::scope::Scope;
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
        let elements = elements_of_cast(text)?;
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

/// The elements of `FORMAT_TIMESTAMP` for those of `CAST … FORMAT`.
fn elements_of_cast(format: &str) -> Result<String, Refusal> {
    const ELEMENTS: [(&str, &str); 26] = [
        ("YYYY", "%Y"),
        ("YY", "%y"),
        ("MONTH", ""),
        ("Month", "%B"),
        ("MON", "%E2b"),
        ("Mon", "%b"),
        ("MM", "%m"),
        ("MI", "%M"),
        ("DDD", "%j"),
        ("DD", "%d"),
        ("DAY", ""),
        ("Day", "%A"),
        ("DY", "%E2a"),
        ("Dy", "%a"),
        ("HH24", "%H"),
        ("HH12", "%I"),
        ("HH", "%I"),
        ("SSSSS", ""),
        ("SS", "%S"),
        ("FF3", "%E0m"),
        ("FF6", "%E0u"),
        ("AM", "%p"),
        ("PM", "%p"),
        ("A.M.", ""),
        ("P.M.", ""),
        ("%", "%%"),
    ];
    let mut out = String::new();
    let mut rest = format;
    while let Some(sign) = rest.chars().next() {
        if let Some((text, after)) = quoted(rest) {
            out.push_str(&text);
            rest = after;
            continue;
        }
        let known = ELEMENTS.iter().find(|(name, _)| rest.starts_with(name));
        match known {
            Some((name, element)) if !element.is_empty() => {
                out.push_str(element);
                rest = &rest[name.len()..];
            }
            None if !sign.is_ascii_alphanumeric() => {
                out.push(sign);
                rest = &rest[sign.len_utf8()..];
            }
            _ => return Err(Refusal::unsupported(&format!("CAST with the FORMAT element {rest:?}"))),
        }
    }
    Ok(out)
}

/// A text in quotes at the beginning of a format, as elements of another one that write it; and what follows.
pub(in crate::bind) fn quoted(format: &str) -> Option<(String, &str)> {
    let quoted = format.strip_prefix('"')?;
    let (text, after) = quoted.split_once('"').unwrap_or((quoted, ""));
    Some((text.replace('%', "%%"), after))
}
