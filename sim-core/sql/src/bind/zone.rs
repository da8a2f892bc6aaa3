//! A session with another time zone than UTC. Timestamps are kept in UTC. What depends on the clock on the wall is computed with the
//! local time.

use rusqlite::types::Value;
use sim_values::zone;

use super::Binder;
use crate::cast::Context;
use crate::error::{Result, SqlError, SqlState};
use crate::functions::Function;
use crate::tree::{Call, Expr, Node};
use crate::types::{Modified, Type};
use crate::value::{array, datetime};

const TZ: Type = Type::TIMESTAMPTZ;

impl Binder<'_> {
    /// The session's time zone, unless it is UTC.
    fn zone(&self) -> Option<Expr> {
        self.settings.zone().map(|zone| Expr::literal(zone.to_owned(), Type::TEXT))
    }

    /// A cast that depends on the session's time zone.
    pub(super) fn cast_in_zone(
        &self,
        expr: &Expr,
        from: Type,
        to: Modified,
        context: Context,
    ) -> Result<Option<Expr>> {
        let Some(zone) = self.zone() else { return Ok(None) };
        let again = |expr: Expr| self.coerce(expr, to, context);
        match (from, to.base) {
            (TZ, Type::TIMESTAMP | Type::DATE | Type::TIME) => again(local(expr.clone(), zone)),
            (TZ, text) if text.is_string() => {
                let operands = vec![expr.clone(), zone];
                again(Expr::template("pg_Zone_text_timestamptz_text({0},{1})", operands, Type::TEXT))
            }
            (list, text) if list.element() == Some(TZ) && text.is_string() => {
                let operands = vec![expr.clone(), zone];
                again(Expr::template("pg_Zone_texts({0},{1})", operands, Type::TEXT))
            }
            (texts, list) if list.element() == Some(TZ) && texts.element().is_some_and(Type::is_string) => {
                let operands = vec![expr.clone(), zone];
                again(Expr::template("pg_Zone_reads({0},{1})", operands, list))
            }
            (text, list) if list.element() == Some(TZ) && text.is_string() => {
                let texts = Type::TEXT.array().unwrap_or(Type::TEXT);
                again(self.cast(expr.clone(), texts.plain())?)
            }
            (Type::TIMESTAMP, TZ) => again(instant(expr.clone(), zone)),
            (Type::DATE, TZ) => again(instant(self.cast(expr.clone(), Type::TIMESTAMP.plain())?, zone)),
            (text, TZ) if text.is_string() => {
                let operands = vec![expr.clone(), zone];
                again(Expr::template("pg_Zone_read_text_text({0},{1})", operands, TZ))
            }
            _ => Ok(None),
        }
    }

    /// A literal with timestamps, in a session with a zone.
    pub(super) fn literal_in_zone(&self, text: &str, type_: Type) -> Result<Option<Value>> {
        let Some(zone) = self.settings.zone() else { return Ok(None) };
        match type_ {
            TZ => datetime::parse_in_zone(text, TZ, Some(zone)).map(|at| Some(at.into())),
            list if list.element() == Some(TZ) => {
                let texts = array::parse(Type::TEXT.array().unwrap_or(Type::TEXT), text)?;
                zone::parsed_all(&texts, zone).map(|items| Some(Value::Text(items)))
            }
            Type::TSTZRANGE | Type::TSTZMULTIRANGE if text.contains([',']) && !text.contains(['+', 'Z']) => {
                let name = self.catalog.type_name(type_, -1);
                Err(SqlError::unsupported(format!("a {name} without offsets in the time zone {zone}"))
                    .hint("Write the offset of each bound, as in 2026-01-01 00:00+00."))
            }
            _ => Ok(None),
        }
    }

    /// A call that depends on the session's time zone.
    pub(super) fn call_in_zone(
        &mut self,
        function: &'static Function,
        arguments: &[Expr],
    ) -> Result<Option<Expr>> {
        if !function.arguments.contains(&TZ) && function.returns != TZ {
            return Ok(None);
        }
        let Some(zone) = self.zone() else { return Ok(None) };
        let again = |binder: &mut Self, name: &str, arguments: Vec<Expr>| {
            binder.resolve(name, arguments, true).map(std::result::Result::ok)
        };
        match (function.name, function.arguments, arguments) {
            ("extract" | "date_part", [_, TZ], [unit, at]) => match text_of(unit).as_deref() {
                Some("epoch") => Ok(None),
                Some(unit) if unit.starts_with("timezone") => {
                    offset(unit, at.clone(), zone, function.returns)
                }
                _ => again(self, function.name, vec![unit.clone(), local(at.clone(), zone)]),
            },
            ("to_char", [TZ, _], [at, format]) => {
                again(self, "Zone_to_char", vec![at.clone(), format.clone(), zone])
            }
            ("date_trunc", [_, TZ], [unit, at]) => {
                again(self, "date_trunc", vec![unit.clone(), at.clone(), zone])
            }
            ("age", [TZ, TZ], [first, second]) => {
                again(self, "age", vec![local(first.clone(), zone.clone()), local(second.clone(), zone)])
            }
            ("age", [TZ], [at]) => {
                let now = Expr::template("{now}", Vec::new(), TZ);
                let today = self.cast(self.cast(now, Type::DATE.plain())?, Type::TIMESTAMP.plain())?;
                again(self, "age", vec![today, local(at.clone(), zone)])
            }
            ("+", [TZ, _], [at, span])
            | ("+", [_, TZ], [span, at])
            | ("-", [TZ, Type::INTERVAL], [at, span]) => {
                let sign = if function.name == "+" { 1 } else { -1 };
                let sign = Expr::literal(sign, Type::INT4);
                again(self, "Zone_shift", vec![at.clone(), span.clone(), sign, zone])
            }
            ("make_timestamptz", _, parts) if parts.len() == 6 => {
                let made = again(self, "make_timestamp", parts.to_vec())?;
                Ok(made.map(|made| instant(made, zone)))
            }
            ("timestamptz", [Type::DATE, Type::TIME], parts) => {
                let made = again(self, "timestamp", parts.to_vec())?;
                Ok(made.map(|made| instant(made, zone)))
            }
            // The format may have read an offset.
            ("to_timestamp", [Type::TEXT, _], [_, format])
                if !text_of(format).is_some_and(|format| format.contains("tz")) =>
            {
                let call = Node::Call(Box::new(Call::plain(function, arguments.to_vec())));
                Ok(Some(instant(Expr::new(call, Type::TIMESTAMP), zone)))
            }
            ("generate_series", [TZ, TZ, _], [first, last, step]) => {
                again(self, "generate_series", vec![first.clone(), last.clone(), step.clone(), zone])
            }
            _ => Ok(None),
        }
    }

    /// The text of a timestamp in JSON, in a session with a zone.
    pub(super) fn json_in_zone(&self, at: &Expr) -> Option<Expr> {
        let zone = self.zone()?;
        let operands = vec![at.clone(), zone];
        Some(Expr::template("pg_Zone_json_timestamptz_text({0},{1})", operands, Type::TEXT))
    }
}

/// The local time of a timestamp.
fn local(at: Expr, zone: Expr) -> Expr {
    Expr::template("pg_timezone_text_timestamptz({1},{0})", vec![at, zone], Type::TIMESTAMP)
}

/// The timestamp of a local time.
fn instant(local: Expr, zone: Expr) -> Expr {
    Expr::template("pg_timezone_text_timestamp({1},{0})", vec![local, zone], TZ)
}

/// The distance from UTC: in seconds, or its hours or minutes.
fn offset(unit: &str, at: Expr, zone: Expr, returns: Type) -> Result<Option<Expr>> {
    let text = match unit {
        "timezone" => "((pg_timezone_text_timestamptz({1},{0}) - {0}) / 1000000)",
        "timezone_hour" => "((pg_timezone_text_timestamptz({1},{0}) - {0}) / 3600000000)",
        "timezone_minute" => "((pg_timezone_text_timestamptz({1},{0}) - {0}) / 60000000 % 60)",
        _ => {
            let message = format!("timestamp with time zone units \"{unit}\" not recognized");
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
    };
    let whole = Expr::template(text, vec![at, zone], Type::INT8);
    Ok(Some(Expr::new(Node::Cast { expr: Box::new(whole), explicit: false }, returns)))
}

/// A literal text in small letters.
fn text_of(expr: &Expr) -> Option<String> {
    match &expr.node {
        Node::Literal(Value::Text(text)) | Node::Untyped(text) => Some(text.to_lowercase()),
        _ => None,
    }
}
