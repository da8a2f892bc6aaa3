//! The parts of PostgreSQL's dialect that the warehouse's dialect does not have: operators, timestamps, functions.

mod distinct;
mod each;
mod intervals;
mod lists;
mod names;
mod numbers;
mod operators;
mod rewritten;
mod sets;
mod times;
mod types;

use sqlparser::ast;

use super::Binder;
use super::expr::{Expr, Origin};
use super::functions::is_relational;
use super::scope::Scope;
use crate::refusal::Refusal;
use crate::types::Type;

pub(super) use distinct::first_of_each;
pub(super) use each::{elements_of, place_from_end};
pub(super) use names::implied_name;
pub(super) use rewritten::PLACES;
pub(super) use sets::{Lifted, gives_rows};
pub(super) use types::{is_float, may_overflow, scale_of, truth_of_word};

/// Prefixes of names of functions that reveal more than the data.
const RESTRICTED_BEGINNINGS: [&str; 4] = ["pg_", "lo_", "dblink", "has_"];

/// Names of such functions.
const RESTRICTED: [&str; 14] = [
    "current_catalog",
    "current_database",
    "current_query",
    "current_role",
    "current_schema",
    "current_schemas",
    "current_setting",
    "current_user",
    "inet_server_addr",
    "query_to_xml",
    "set_config",
    "session_user",
    "user",
    "version",
];

/// Functions of bound values; see `lists`.
const PLAIN: [&str; 33] = [
    "array_lower",
    "array_ndims",
    "array_position",
    "array_positions",
    "array_remove",
    "array_replace",
    "array_upper",
    "convert_from",
    "convert_to",
    "decode",
    "encode",
    "format",
    "gcd",
    "isfinite",
    "json_object",
    "jsonb_insert",
    "jsonb_object",
    "jsonb_path_exists",
    "jsonb_path_match",
    "jsonb_path_query_array",
    "jsonb_path_query_first",
    "jsonb_set",
    "lcm",
    "num_nonnulls",
    "num_nulls",
    "quote_nullable",
    "row_to_json",
    "sha256",
    "sha512",
    "to_date",
    "to_hex",
    "to_number",
    "trim_array",
];

/// Whether the name is that of a PostgreSQL function that a query may not call.
pub(super) fn is_restricted(name: &str) -> bool {
    const OPEN: [&str; 3] = ["pg_column_size", "pg_size_pretty", "pg_typeof"];
    if OPEN.contains(&name) {
        return false;
    }
    RESTRICTED.contains(&name) || RESTRICTED_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
}

/// The name of the same function for `jsonb`.
pub(super) fn of_jsonb(name: &str) -> Option<String> {
    const SAME: [&str; 10] = [
        "json_array_elements",
        "json_array_elements_text",
        "json_array_length",
        "json_each",
        "json_each_text",
        "json_extract_path",
        "json_extract_path_text",
        "json_object_keys",
        "json_strip_nulls",
        "json_typeof",
    ];
    SAME.contains(&name).then(|| name.replacen("json", "jsonb", 1))
}

/// The warehouse's name for an aggregate of PostgreSQL.
pub(super) fn aggregate_of(name: &str) -> Option<&'static str> {
    match name {
        "bool_or" => Some("logical_or"),
        "bool_and" | "every" => Some("logical_and"),
        _ => None,
    }
}

impl Binder<'_> {
    /// Binds a function by PostgreSQL's name; `None` for any other name.
    pub(super) fn postgres_call(
        &mut self,
        name: &str,
        arguments: &[&ast::Expr],
        scope: &Scope<'_>,
    ) -> Result<Option<Expr>, Refusal> {
        let word = |expr: &ast::Expr| match expr {
            ast::Expr::Value(value) => value.value.clone().into_string(),
            _ => None,
        };
        let unit = |expr: &ast::Expr| ast::Expr::Identifier(ast::Ident::new(word(expr).unwrap_or_default()));
        Ok(Some(match (name, arguments) {
            ("row", [_, ..]) => {
                let row = arguments.iter().map(|argument| (*argument).clone()).collect();
                self.expr(&ast::Expr::Tuple(row), scope)?
            }
            ("pg_column_size", [value]) => {
                let bound = self.expr(value, scope)?;
                let name = self.type_name_of(name, value, &bound, scope)?;
                self.column_size(value, &bound, &name)?
            }
            ("pg_typeof", [value]) => {
                let bound = self.expr(value, scope)?;
                let name = self.type_name_of(name, value, &bound, scope)?;
                // The value stays in the query, since parameters have their places there.
                let name = self.target.text(&name);
                let template = format!("(CASE WHEN {{0}} IS NULL THEN {name} ELSE {name} END)");
                Expr::filled(&template, &[bound], Type::String)
            }
            ("pg_size_pretty", [bytes]) => {
                let bytes = self.expr(bytes, scope)?;
                let bytes = self.coerced(&bytes, &Type::Int64)?;
                let template = self.target.pick("wh_size_pretty({0})", "pg_size_pretty(({0})::bigint)");
                Expr::filled(template, &[bytes], Type::String)
            }
            ("scale" | "min_scale" | "trim_scale", [number]) => {
                let bound = self.expr(number, scope)?;
                self.scale_call(name, number, &bound)?
            }
            ("regexp_like", [text, pattern, flags @ ..]) if flags.len() < 2 => {
                let mut operands = [self.expr(text, scope)?, self.expr(pattern, scope)?];
                let flags = flags.first().map(|flags| word(flags).unwrap_or_else(|| "?".to_owned()));
                match (flags.as_deref().unwrap_or_default(), &operands[1].origin) {
                    ("" | "c", _) => {}
                    ("i", Origin::Text(pattern)) => {
                        operands[1] = self.literal_text(&format!("(?i){pattern}"));
                    }
                    _ => return Err(Refusal::unsupported("regexp_like with other flags than i")),
                }
                self.function("regexp_contains", &operands)?
            }
            ("pi", []) => Expr::new(self.target.float(std::f64::consts::PI), Type::Float64),
            (
                "now"
                | "localtimestamp"
                | "statement_timestamp"
                | "transaction_timestamp"
                | "clock_timestamp",
                [],
            ) => {
                return self.moment_call("current_timestamp", &[], scope);
            }
            ("date_trunc", [field, moment]) => {
                let bound = self.expr(moment, scope)?;
                if bound.type_ == Type::Interval {
                    return self.interval_truncated(&bound, &word(field).unwrap_or_default()).map(Some);
                }
                if bound.type_ == Type::Date {
                    // The beginning of a day's period is a timestamp.
                    let instant = self.cast(&bound, &Type::Timestamp, false)?;
                    return self.truncated_to(&instant, &word(field).unwrap_or_default()).map(Some);
                }
                let field = match word(field) {
                    // Weeks begin on Monday.
                    Some(week) if week.eq_ignore_ascii_case("week") => {
                        ast::Expr::Identifier(ast::Ident::new("isoweek"))
                    }
                    _ => unit(field),
                };
                return self.moment_call("timestamp_trunc", &[moment, &field], scope);
            }
            // The period of a zone's clock.
            ("date_trunc", [field, moment, zone]) => {
                let moment = self.expr(moment, scope)?;
                let moment = match moment.type_ {
                    Type::Date | Type::Datetime => self.cast(&moment, &Type::Timestamp, false)?,
                    _ => self.coerced(&moment, &Type::Timestamp)?,
                };
                let zone = self.expr(zone, scope)?;
                let zone = self.coerced(&zone, &Type::String)?;
                let local = Expr::filled("wh_to_zone({0}, {1})", &[moment, zone.clone()], Type::Datetime);
                let begun = self.truncated_to(&local, &word(field).unwrap_or_default())?;
                Expr::filled("wh_from_zone({0}, {1})", &[begun, zone], Type::Timestamp)
            }
            ("date_part", [field, moment]) => {
                let part = word(field).unwrap_or_default().to_lowercase();
                let moment = self.expr(moment, scope)?;
                if moment.type_ == Type::Interval {
                    return self.part_of_interval(&part, &moment).map(Some);
                }
                let moment = match moment.type_ {
                    Type::Timestamp | Type::Datetime | Type::Date => moment,
                    _ => self.coerced(&moment, &Type::Timestamp)?,
                };
                self.part_of_moment(&part, &moment)?
            }
            ("log", [value]) => {
                let value = self.expr(value, scope)?;
                self.function("log10", &[value])?
            }
            ("log", [base, value]) => {
                let (base, value) = (self.expr(base, scope)?, self.expr(value, scope)?);
                self.function("log", &[value, base])?
            }
            ("regexp_replace", [text, pattern, with, flags @ ..]) if flags.len() < 2 => {
                let flags = match flags.first() {
                    None => String::new(),
                    Some(flags) => word(flags).unwrap_or_else(|| "?".to_owned()),
                };
                let mut operands =
                    [self.expr(text, scope)?, self.expr(pattern, scope)?, self.expr(with, scope)?];
                if let (true, Origin::Text(pattern)) = (flags.contains('i'), &operands[1].origin) {
                    operands[1] = self.literal_text(&format!("(?i){pattern}"));
                }
                // Without `g` only the first match is replaced.
                let name = match flags.as_str() {
                    "" | "i" => "regexp_replace_first",
                    "g" | "gi" | "ig" => "regexp_replace",
                    _ => return Err(Refusal::unsupported("regexp_replace with other flags than g and i")),
                };
                self.function(name, &operands)?
            }
            ("greatest" | "least", [_, _, ..]) => {
                let given: Vec<Expr> =
                    arguments.iter().map(|argument| self.expr(argument, scope)).collect::<Result<_, _>>()?;
                // Nulls do not count: each is replaced by another argument.
                let mut others = given;
                let mut filled = Vec::new();
                for _ in 0..others.len() {
                    filled.push(self.special("coalesce", &others)?);
                    others.rotate_left(1);
                }
                self.special(name, &filled)?
            }
            ("concat", [_, ..]) => {
                let mut texts = Vec::new();
                for argument in arguments {
                    let text = self.expr(argument, scope)?;
                    let text = self.written_out(&text)?;
                    texts.push(self.special("coalesce", &[text, self.literal_text("")])?);
                }
                self.special("concat", &texts)?
            }
            ("concat_ws", [separator, values @ ..]) if !values.is_empty() => {
                let separator = self.expr(separator, scope)?;
                let mut texts = Vec::new();
                for value in values {
                    let text = self.expr(value, scope)?;
                    texts.push(self.written_out(&text)?);
                }
                let list = self.array(&texts)?;
                self.function("array_to_string", &[list, separator])?
            }
            ("array_append", [list, value]) | ("array_prepend", [value, list]) => {
                let (list, value) = (self.expr(list, scope)?, self.expr(value, scope)?);
                let one = self.array(&[value])?;
                let lists = if name == "array_append" { [list, one] } else { [one, list] };
                self.lists(&lists)?
            }
            ("array_cat", [one, other]) => {
                let lists = [self.expr(one, scope)?, self.expr(other, scope)?];
                self.lists(&lists)?
            }
            // A list has one dimension.
            ("array_length", [list, dimension]) => {
                let (list, dimension) = (self.expr(list, scope)?, self.expr(dimension, scope)?);
                if dimension.origin != Origin::Integer(1) {
                    return Err(Refusal::unsupported("array_length of another dimension than 1"));
                }
                let length = self.function("array_length", &[list])?;
                let zero = self.target.integer(0);
                Expr::filled(&format!("nullif({{0}}, {zero})"), &[length], Type::Int64)
            }
            ("round", [value]) if is_float(value) => {
                let value = self.expr(value, scope)?;
                let zero = Expr::new(self.target.integer(0), Type::Int64);
                self.function("round_even", &[value, zero])?
            }
            ("age" | "justify_hours" | "justify_days" | "justify_interval", _) => {
                return self.interval_call(name, arguments, scope).map(Some);
            }
            ("localtime", []) => return self.moment_call("current_time", &[], scope),
            ("make_time", [hour, minute, second]) => {
                let parts = [hour, minute, second].map(|part| self.expr(part, scope));
                let [hour, minute, second] = parts;
                let parts = [hour?, minute?, second?].map(|part| self.coerced(&part, &Type::Int64));
                let [hour, minute, second] = parts;
                Expr::filled("wh_make_time({0}, {1}, {2})", &[hour?, minute?, second?], Type::Time)
            }
            ("date_bin", [width, moment, origin]) => self.date_bin(width, moment, origin, scope)?,
            ("to_char", [moment, format]) => {
                let (value, format) = (self.expr(moment, scope)?, self.expr(format, scope)?);
                match value.type_ {
                    Type::Interval => self.interval_text(&value, &format)?,
                    Type::Int64 | Type::Float64 | Type::Number | Type::Dynamic => {
                        self.number_text(&value, &format)?
                    }
                    _ => {
                        let zoned = self.has_zone(moment, scope)?;
                        self.moment_text(&value, &format, zoned)?
                    }
                }
            }
            ("jsonb_set", [json, path, value]) => {
                let (json, path) = (self.expr(json, scope)?, self.expr(path, scope)?);
                let value = self.expr(value, scope)?;
                let (path, value) = (self.path_text(&path)?, self.json_to_put(&value)?);
                self.relational("jsonb_set", &[json, path, value])?
            }
            ("regexp_match", [text, pattern]) => {
                let operands = [self.expr(text, scope)?, self.expr(pattern, scope)?];
                let groups = self.function("regexp_groups", &operands)?;
                let whole = self.function("regexp_extract", &operands)?;
                let found = self.array(&[whole])?;
                let none = self.target.pick("'[]'", "'[]'::jsonb");
                let type_ = groups.type_.clone();
                Expr::filled(
                    &format!(
                        "(CASE WHEN {{2}} IS NULL THEN NULL WHEN {{0}} = {none} THEN {{1}} ELSE {{0}} END)"
                    ),
                    &[groups, found, self.function("regexp_extract", &operands)?],
                    type_,
                )
            }
            ("substr" | "substring", [text, first, length @ ..]) if length.len() < 2 => {
                let mut parts = vec![self.expr(text, scope)?, self.expr(first, scope)?];
                if let Some(length) = length.first() {
                    parts.push(self.expr(length, scope)?);
                }
                self.part_of_text(&parts)?
            }
            ("to_timestamp", [seconds]) => {
                let seconds = self.expr(seconds, scope)?;
                let seconds = self.coerced(&seconds, &Type::Float64)?;
                let micros = Expr::filled("({0} * 1000000)", &[seconds], Type::Float64);
                let micros = self.cast(&micros, &Type::Int64, false)?;
                self.function("timestamp_micros", &[micros])?
            }
            ("to_timestamp", [text, format]) => {
                let given = [self.expr(text, scope)?, self.expr(format, scope)?];
                return self.plain_call(name, &given);
            }
            ("make_timestamp", [parts @ .., seconds]) if parts.len() == 5 => {
                let mut given = Vec::new();
                for part in parts {
                    let part = self.expr(part, scope)?;
                    given.push(self.coerced(&part, &Type::Int64)?);
                }
                let zero = Expr::new(self.target.integer(0), Type::Int64);
                given.push(zero);
                let template = "wh_make_datetime({0}, {1}, {2}, {3}, {4}, {5})";
                let minute = Expr::filled(template, &given, Type::Datetime);
                let seconds = self.expr(seconds, scope)?;
                let seconds = self.coerced(&seconds, &Type::Float64)?;
                let second = self.interval_of("1 second")?;
                let seconds = self.interval_times(&second, &seconds);
                self.postgres_operator(&ast::BinaryOperator::Plus, &minute, &seconds)?
                    .expect("an instant and an interval have a sum")
            }
            ("md5", [text]) => {
                let text = self.expr(text, scope)?;
                let digest = self.function("md5", &[text])?;
                self.function("to_hex", &[digest])?
            }
            (
                "jsonb_array_length" | "jsonb_build_object" | "jsonb_build_array" | "json_build_object"
                | "json_build_array" | "to_jsonb",
                _,
            ) => {
                let arguments: Vec<Expr> =
                    arguments.iter().map(|argument| self.expr(argument, scope)).collect::<Result<_, _>>()?;
                let known = match name {
                    "to_jsonb" => "to_json",
                    "jsonb_array_length" => "array_length",
                    "jsonb_build_object" | "json_build_object" => "json_object",
                    _ => "json_array",
                };
                self.special(known, &arguments)?
            }
            ("jsonb_extract_path" | "jsonb_extract_path_text", [json, steps @ ..]) => {
                let mut found = self.expr(json, scope)?;
                for step in steps {
                    let step = self.expr(step, scope)?;
                    found = self.step_into(&found, &step)?;
                }
                if name.ends_with("text") { self.coerced(&found, &Type::String)? } else { found }
            }
            _ if let Some(written) = self.rewritten(name, arguments, scope)? => written,
            _ if PLAIN.contains(&name) => {
                let given: Vec<Expr> =
                    arguments.iter().map(|argument| self.expr(argument, scope)).collect::<Result<_, _>>()?;
                match self.plain_call(name, &given)? {
                    Some(known) => known,
                    None if is_relational(name, given.len()) => self.relational(name, &given)?,
                    None => return Err(super::value::no_signature(name, &given)),
                }
            }
            _ if gives_rows(name) => {
                return Err(Refusal::unsupported(&format!("{name}, which gives rows, at this place")));
            }
            _ if is_relational(name, arguments.len()) => {
                let given: Vec<Expr> =
                    arguments.iter().map(|argument| self.expr(argument, scope)).collect::<Result<_, _>>()?;
                self.relational(name, &given)?
            }
            _ => return Ok(None),
        }))
    }

    /// The name of a value's type.
    fn type_name_of(
        &mut self,
        function: &str,
        written: &ast::Expr,
        value: &Expr,
        scope: &Scope<'_>,
    ) -> Result<String, Refusal> {
        let zoned = match value.type_ {
            Type::Datetime => Some(false),
            Type::Timestamp => self.has_zone(written, scope)?,
            _ => None,
        };
        match (zoned, types::name_of_type(written, value)) {
            (Some(true), _) => Ok("timestamp with time zone".to_owned()),
            (Some(false), _) => Ok("timestamp without time zone".to_owned()),
            (None, Some(name)) if name == "unknown" && matches!(written, ast::Expr::Cast { .. }) => {
                Ok("text".to_owned())
            }
            (None, Some(name)) => Ok(name),
            (None, None) => Err(Refusal::unsupported(&format!(
                "{function} of a value whose type the query does not tell"
            ))),
        }
    }

    /// A value as `concat` writes it: truth is one letter.
    fn written_out(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        if value.type_ != Type::Bool {
            return self.cast(value, &Type::String, false);
        }
        let [yes, no] = ["t", "f"].map(|letter| self.target.text(letter));
        let template = format!("(CASE WHEN {{0}} THEN {yes} WHEN NOT {{0}} THEN {no} END)");
        Ok(Expr::filled(&template, std::slice::from_ref(value), Type::String))
    }

    /// A part of a text. Places before the first one count for the length.
    pub(super) fn part_of_text(&mut self, parts: &[Expr]) -> Result<Expr, Refusal> {
        if let [text, pattern] = parts
            && pattern.type_ == Type::String
        {
            return self.function("regexp_extract", &[text.clone(), pattern.clone()]);
        }
        if matches!(parts, [_, Expr { origin: Origin::Integer(1..), .. }, ..]) {
            return self.function("substr", parts);
        }
        let mut bound = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            let type_ = if index == 0 { Type::String } else { Type::Int64 };
            bound.push(self.coerced(part, &type_)?);
        }
        let template = match parts.len() {
            2 => self.target.pick("wh_substr({0}, max({1}, 1))", "wh_substr({0}, greatest({1}, 1))"),
            // A negative length stays one, which is an error.
            _ => self.target.pick(
                "wh_substr({0}, max({1}, 1), CASE WHEN {2} < 0 THEN {2} ELSE max({2} + min({1}, 1) - 1, 0) END)",
                "wh_substr({0}, greatest({1}, 1), CASE WHEN {2} < 0 THEN {2} ELSE greatest({2} + least({1}, 1) - 1, 0) END)",
            ),
        };
        Ok(Expr::filled(template, &bound, Type::String))
    }

    pub(super) fn literal_text(&self, text: &str) -> Expr {
        Expr { origin: Origin::Text(text.to_owned()), ..Expr::new(self.target.text(text), Type::String) }
    }
}
