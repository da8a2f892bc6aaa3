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
        let (value, to) = (self.expr(expr, scope)?, named(type_)?);
        if let Some(function) = of_bytes(&value.type_, &to, text)? {
            if safe && to == Type::Bytes {
                return Err(Refusal::unsupported("SAFE_CAST to BYTES with FORMAT"));
            }
            return match function {
                "" => self.cast(&value, &to, safe),
                function => self.function(function, &[value]),
            };
        }
        let elements = OF_CAST.elements(text)?;
        if value.type_ == Type::String
            && let Some(element) = ONLY_PRINTED.iter().find(|element| elements.contains(**element))
        {
            let pattern = OF_CAST.known.iter().find(|(_, known)| known == element);
            let pattern = pattern.map_or(*element, |(pattern, _)| pattern);
            return Err(Refusal::unsupported(&format!("CAST from a text with the FORMAT element {pattern}")));
        }
        // Timestamps are shown in UTC; local times have no zone.
        let elements = match (&value.type_, elements.contains("%Ez")) {
            (Type::Timestamp, true) => elements.replace("%Ez", "+00:00"),
            (Type::Datetime | Type::Date | Type::Time, true) => {
                return Err(Refusal::unsupported("a FORMAT element of a zone for what has none"));
            }
            _ => elements,
        };
        let elements = Expr {
            origin: Origin::Text(elements.clone()),
            ..Expr::new(self.target.text(&elements), Type::String)
        };
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

    /// `CAST(x AS STRING FORMAT '…' AT TIME ZONE '…')` and the way back: the local time there.
    pub(in crate::bind) fn cast_in_zone(
        &mut self,
        expr: &ast::Expr,
        type_: &DataType,
        [format, zone]: [&ast::Value; 2],
        safe: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let (value, to) = (self.expr(expr, scope)?, named(type_)?);
        let cast = if safe { "safe_cast" } else { "cast" };
        let text = match (&value.type_, &to) {
            (Type::Timestamp, Type::String) => {
                format!("{cast}(datetime({expr}, {zone}) as string format {format})")
            }
            (Type::String, Type::Timestamp) => {
                format!("timestamp({cast}({expr} as datetime format {format}), {zone})")
            }
            (from, to) => {
                return Err(Refusal::unsupported(&format!("CAST of {from} to {to} with a time zone")));
            }
        };
        if format.to_string().contains("TZ") {
            return Err(Refusal::unsupported("CAST with both a time zone and a FORMAT element of one"));
        }
        let written = crate::parse::warehouse_expr(&text)?;
        self.expr(&written, scope)
    }
}

/// Elements that no text is read by.
const ONLY_PRINTED: [&str; 1] = ["%Q"];

/// The function for a format of bytes, or an empty name for their plain text.
fn of_bytes(from: &Type, to: &Type, format: &str) -> Result<Option<&'static str>, Refusal> {
    let prints = match (from, to) {
        (Type::Bytes, Type::String) => true,
        (Type::String, Type::Bytes) => false,
        _ => return Ok(None),
    };
    let known = [
        ("HEX", "to_hex", "from_hex"),
        ("BASE32", "to_base32", "from_base32"),
        ("BASE64", "to_base64", "from_base64"),
        ("UTF-8", "", ""),
        ("UTF8", "", ""),
    ];
    let found = known.iter().find(|(name, _, _)| format.eq_ignore_ascii_case(name));
    let (_, printing, reading) =
        found.ok_or_else(|| Refusal::unsupported(&format!("CAST with the FORMAT element {format:?}")))?;
    Ok(Some(if prints { printing } else { reading }))
}
