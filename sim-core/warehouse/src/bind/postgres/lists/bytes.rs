//! Functions of bytes: digits, encodings, digests.

use crate::Target;
use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::bind::value::no_signature;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn call_of_bytes(&mut self, name: &str, given: &[Expr]) -> Result<Option<Expr>, Refusal> {
        Ok(Some(match (name, given) {
            ("to_hex", [number]) => {
                let number = self.coerced(number, &Type::Int64)?;
                // A number of the type `integer` has 32 bits.
                let is_small =
                    matches!(number.origin, Origin::Integer(number) if i32::try_from(number).is_ok());
                let template = match (self.target, is_small) {
                    (Target::Sqlite, true) => "printf('%x', {0} & 4294967295)",
                    (Target::Sqlite, false) => "printf('%x', {0})",
                    (Target::Postgres, true) => "to_hex({0}::integer)",
                    (Target::Postgres, false) => "to_hex({0})",
                };
                Expr::filled(template, &[number], Type::String)
            }
            ("encode", [bytes, Expr { origin: Origin::Text(form), .. }]) => {
                let bytes = self.bytes_given(bytes)?;
                match form.to_lowercase().as_str() {
                    "hex" => self.function("to_hex", &[bytes])?,
                    "base64" => self.function("to_base64", &[bytes])?,
                    _ => return Err(Refusal::unsupported(&format!("encode as {form}"))),
                }
            }
            ("decode", [text, Expr { origin: Origin::Text(form), .. }]) => match form.to_lowercase().as_str()
            {
                "hex" => self.function("from_hex", std::slice::from_ref(text))?,
                "base64" => self.function("from_base64", std::slice::from_ref(text))?,
                _ => return Err(Refusal::unsupported(&format!("decode from {form}"))),
            },
            ("sha256" | "sha512", [bytes]) if bytes.type_ == Type::Bytes => {
                let text = self.cast(bytes, &Type::String, false)?;
                self.function(name, &[text])?
            }
            ("convert_from", [bytes, Expr { origin: Origin::Text(form), .. }])
                if matches!(form.to_lowercase().as_str(), "utf8" | "utf-8") =>
            {
                let bytes = self.bytes_given(bytes)?;
                self.cast(&bytes, &Type::String, false)?
            }
            ("convert_to", [text, Expr { origin: Origin::Text(form), .. }])
                if matches!(form.to_lowercase().as_str(), "utf8" | "utf-8") =>
            {
                self.cast(text, &Type::Bytes, false)?
            }
            _ => return Ok(None),
        }))
    }

    fn bytes_given(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        match value.type_ {
            Type::Bytes => Ok(value.clone()),
            _ if matches!(value.origin, Origin::Text(_)) => self.cast(value, &Type::Bytes, false),
            _ => Err(no_signature("bytea", std::slice::from_ref(value))),
        }
    }
}
