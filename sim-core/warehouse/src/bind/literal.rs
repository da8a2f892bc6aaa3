//! Literals and parameters.

use sqlparser::ast::{DataType, TypedString, Value};

use super::Binder;
use super::expr::{Expr, Origin};
use crate::Parameter;
use crate::refusal::Refusal;
use crate::runtime::instant;
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn literal(&mut self, value: &Value) -> Result<Expr, Refusal> {
        match value {
            Value::Number(digits, _) => self.number(digits),
            Value::SingleQuotedString(text)
            | Value::EscapedStringLiteral(text)
            | Value::DoubleQuotedString(text)
            | Value::TripleSingleQuotedString(text)
            | Value::TripleDoubleQuotedString(text)
            | Value::SingleQuotedRawStringLiteral(text)
            | Value::DoubleQuotedRawStringLiteral(text)
            | Value::TripleSingleQuotedRawStringLiteral(text)
            | Value::TripleDoubleQuotedRawStringLiteral(text) => self.text(text),
            // In PostgreSQL's dialect these are bits.
            Value::HexStringLiteral(digits) if !self.is_postgres() => match i64::from_str_radix(digits, 16) {
                Ok(number) => self.number(&number.to_string()),
                Err(_) => Err(Refusal::invalid(format!("Invalid integer literal: 0x{digits}"))),
            },
            Value::SingleQuotedByteStringLiteral(text)
            | Value::DoubleQuotedByteStringLiteral(text)
            | Value::TripleSingleQuotedByteStringLiteral(text)
            | Value::TripleDoubleQuotedByteStringLiteral(text)
                if !self.is_postgres() =>
            {
                let bytes = bytes_of(text)
                    .ok_or_else(|| Refusal::invalid(format!("Invalid bytes literal: b'{text}'")))?;
                let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                let sql = self.target.pick(format!("x'{digits}'"), format!("decode('{digits}', 'hex')"));
                Ok(Expr::new(sql, Type::Bytes))
            }
            // The tokenizer has read the escapes.
            Value::UnicodeStringLiteral(text) if self.is_postgres() => self.text(text),
            Value::DollarQuotedString(text) => self.text(&text.value),
            Value::Boolean(value) => Ok(Expr::new(self.target.boolean(*value), Type::Bool)),
            Value::Null => Ok(Expr::new(self.target.null(&Type::Null), Type::Null)),
            Value::Placeholder(name) => match name.strip_prefix('@') {
                Some(name) => self.named_parameter(name),
                None => Err(Refusal::unsupported("a parameter without a name")),
            },
            other => Err(Refusal::unsupported(&format!("the literal {other}"))),
        }
    }

    fn text(&self, text: &str) -> Result<Expr, Refusal> {
        if text.contains('\0') {
            return Err(Refusal::unsupported("a text with the character U+0000"));
        }
        Ok(Expr { origin: Origin::Text(text.to_owned()), ..Expr::new(self.target.text(text), Type::String) })
    }

    /// An integer or a decimal number. The tokenizer reads hexadecimal numbers as words.
    pub(super) fn number(&self, digits: &str) -> Result<Expr, Refusal> {
        if let Ok(whole) = digits.parse::<i64>() {
            let sql = self.target.integer(whole);
            return Ok(Expr { origin: Origin::Integer(whole), ..Expr::new(sql, Type::Int64) });
        }
        let is_whole = digits.chars().all(|sign| sign.is_ascii_digit() || sign == '-');
        match digits.parse::<f64>() {
            Ok(float) if float.is_finite() && !is_whole => {
                Ok(Expr::new(self.target.float(float), Type::Float64))
            }
            _ => Err(Refusal::invalid(format!("Invalid numeric literal: {digits}"))),
        }
    }

    pub(super) fn named_parameter(&mut self, name: &str) -> Result<Expr, Refusal> {
        if name.starts_with('@') {
            return Err(Refusal::unsupported("a system variable"));
        }
        Ok(self.parameter(Parameter::Named(name.to_owned())))
    }

    /// `TIMESTAMP '…'` and similar literals.
    pub(super) fn typed_literal(&mut self, typed: &TypedString) -> Result<Expr, Refusal> {
        let literal = self.literal(&typed.value.value)?;
        if matches!(typed.data_type, DataType::JSON | DataType::JSONB) {
            return self.function("parse_json", &[literal]);
        }
        if matches!(typed.data_type, DataType::Numeric(_) | DataType::BigNumeric(_)) {
            return self.cast(&literal, &Type::Number, false);
        }
        let type_ = match &typed.data_type {
            DataType::Timestamp(..) => Type::Timestamp,
            DataType::Datetime(_) => Type::Datetime,
            DataType::Date => Type::Date,
            DataType::Time(..) => Type::Time,
            other => return Err(Refusal::unsupported(&format!("a literal of type {other}"))),
        };
        self.coerced(&literal, &type_)
    }

    /// `TIMESTAMP '2026-03-01 10:00:00 Europe/Berlin'`; `None` where no zone's name is at the end.
    fn in_named_zone(&self, text: &str) -> Option<Expr> {
        let (local, zone) = text.trim().rsplit_once(' ')?;
        let is_name =
            zone.contains('/') && zone.chars().all(|sign| sign.is_alphanumeric() || "/_+-".contains(sign));
        let local = instant::parse_datetime(local).filter(|_| is_name)?;
        let parts = [
            Expr::new(self.target.moment(&Type::Datetime, local), Type::Datetime),
            Expr::new(self.target.text(zone), Type::String),
        ];
        Some(Expr::filled("wh_from_zone({0}, {1})", &parts, Type::Timestamp))
    }

    /// A literal text as a timestamp, day or time.
    pub(super) fn moment_literal(&self, text: &str, type_: &Type) -> Result<Expr, Refusal> {
        if *type_ == Type::Interval {
            return self.interval_of(text);
        }
        let value = match type_ {
            Type::Timestamp => instant::parse_timestamp(text),
            Type::Datetime => instant::parse_datetime(text),
            Type::Date => instant::parse_date(text),
            _ => instant::parse_time(text),
        };
        if let (None, Type::Timestamp, Some(zoned)) = (value, type_, self.in_named_zone(text)) {
            return Ok(zoned);
        }
        let value = value
            .ok_or_else(|| Refusal::invalid(format!("Could not cast literal \"{text}\" to type {type_}")))?;
        Ok(Expr::new(self.target.moment(type_, value), type_.clone()))
    }
}

/// The bytes of a literal with its escapes.
fn bytes_of(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut signs = text.chars();
    while let Some(sign) = signs.next() {
        if sign != '\\' {
            bytes.extend(sign.to_string().bytes());
            continue;
        }
        let mut digits = |count: usize| signs.by_ref().take(count).collect::<String>();
        bytes.push(match digits(1).as_str() {
            "x" | "X" => u8::from_str_radix(&digits(2), 16).ok()?,
            "n" => b'\n',
            "t" => b'\t',
            "r" => b'\r',
            "a" => 7,
            "b" => 8,
            "f" => 12,
            "v" => 11,
            one @ ("\\" | "'" | "\"" | "`" | "?") => one.as_bytes()[0],
            first @ ("0" | "1" | "2" | "3") => {
                u8::from_str_radix(&format!("{first}{}", digits(2)), 8).ok()?
            }
            _ => return None,
        });
    }
    Some(bytes)
}
