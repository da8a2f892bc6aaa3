//! The parts of PostgreSQL's dialect that the warehouse's dialect does not have: access to JSON, patterns, functions.

use sqlparser::ast::{self, BinaryOperator};

use super::Binder;
use super::expr::{Expr, Origin};
use super::scope::Scope;
use super::value::no_signature;
use crate::Target;
use crate::refusal::Refusal;
use crate::types::Type;

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

/// Whether the name is that of a PostgreSQL function that a query may not call.
pub(super) fn is_restricted(name: &str) -> bool {
    RESTRICTED.contains(&name) || RESTRICTED_BEGINNINGS.iter().any(|beginning| name.starts_with(beginning))
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
    /// Binds an operator that only PostgreSQL has; `None` for any other operator.
    pub(super) fn postgres_operator(
        &mut self,
        operator: &BinaryOperator,
        left: &Expr,
        right: &Expr,
    ) -> Result<Option<Expr>, Refusal> {
        use BinaryOperator as B;
        Ok(Some(match operator {
            B::Arrow => self.step_into(left, right)?,
            B::LongArrow => {
                let found = self.step_into(left, right)?;
                self.coerced(&found, &Type::String)?
            }
            B::HashArrow => self.follow(left, right)?,
            B::HashLongArrow => {
                let found = self.follow(left, right)?;
                self.coerced(&found, &Type::String)?
            }
            B::PGRegexMatch => self.matched(left, right, "", false)?,
            B::PGRegexIMatch => self.matched(left, right, "(?i)", false)?,
            B::PGRegexNotMatch => self.matched(left, right, "", true)?,
            B::PGRegexNotIMatch => self.matched(left, right, "(?i)", true)?,
            B::Modulo => self.function("mod", &[left.clone(), right.clone()])?,
            B::PGExp => self.relational("power", &[left.clone(), right.clone()])?,
            B::PGLikeMatch | B::PGNotLikeMatch => {
                let found = self.function("like", &[left.clone(), right.clone()])?;
                negated_if(*operator == B::PGNotLikeMatch, found)
            }
            B::PGILikeMatch | B::PGNotILikeMatch => {
                let lowered = [left, right].map(|side| self.function("lower", std::slice::from_ref(side)));
                let [left, right] = lowered;
                let found = self.function("like", &[left?, right?])?;
                negated_if(*operator == B::PGNotILikeMatch, found)
            }
            B::Question => self.relational("jsonb_exists", &[left.clone(), right.clone()])?,
            B::AtArrow => {
                let (left, right) = (self.literal_json(left)?, self.literal_json(right)?);
                self.relational("jsonb_contains", &[left, right])?
            }
            B::ArrowAt => {
                let (left, right) = (self.literal_json(left)?, self.literal_json(right)?);
                self.relational("jsonb_contained", &[left, right])?
            }
            // A written text beside JSON is JSON.
            B::StringConcat if left.type_ == Type::Dynamic && matches!(right.origin, Origin::Text(_)) => {
                let right = self.literal_json(right)?;
                self.relational("jsonb_concat", &[left.clone(), right])?
            }
            B::StringConcat if left.type_ == Type::Dynamic && right.type_ == Type::Dynamic => {
                self.relational("jsonb_concat", &[left.clone(), right.clone()])?
            }
            // Whatever stands beside a text becomes one.
            B::StringConcat if [left, right].iter().any(|side| side.type_ == Type::String) => {
                let texts = [left, right].map(|side| self.cast(side, &Type::String, false));
                let [left, right] = texts;
                self.special("concat", vec![left?, right?])?
            }
            B::Minus if left.type_ == Type::Dynamic && right.type_ == Type::String => {
                self.relational("jsonb_delete", &[left.clone(), right.clone()])?
            }
            B::Plus if left.type_ == Type::Date => self.moved_by(left, right, 1)?,
            B::Minus if left.type_ == Type::Date => self.moved_by(left, right, -1)?,
            // The quotient of integers is an integer.
            B::Divide if left.type_ == Type::Int64 && right.type_ == Type::Int64 => {
                self.function("div", &[left.clone(), right.clone()])?
            }
            _ => return Ok(None),
        }))
    }

    /// A written text as the JSON that it is.
    fn literal_json(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        match &value.origin {
            Origin::Text(text) if serde_json::from_str::<serde_json::Value>(text).is_ok() => {
                self.function("parse_json", std::slice::from_ref(value))
            }
            Origin::Text(_) => Err(Refusal::invalid("invalid input syntax for type json")),
            _ => Ok(value.clone()),
        }
    }

    /// `json -> 'key'`, `json -> 0`
    fn step_into(&mut self, json: &Expr, step: &Expr) -> Result<Expr, Refusal> {
        if json.type_ != Type::Dynamic {
            return Err(no_signature("->", &[json.clone(), step.clone()]));
        }
        match &step.origin {
            Origin::Text(key) => Ok(self.member(json, key)),
            Origin::Integer(index @ 0..) => Ok(self.at(json, *index)),
            _ => Err(Refusal::unsupported("-> with what is no text or number in the query")),
        }
    }

    /// A member, which is null where there is none.
    fn member(&self, json: &Expr, name: &str) -> Expr {
        Expr::of(self.target.field(&json.sql, name), Type::Dynamic, [json])
    }

    fn at(&self, json: &Expr, index: i64) -> Expr {
        let yes = self.target.boolean(true);
        let value = format!("wh_at(wh_only_list({}), {}, {yes})", json.sql, self.target.integer(index));
        Expr::of(self.target.unpacked(&Type::Dynamic, &value), Type::Dynamic, [json])
    }

    /// `json #> '{a,0,b}'`
    fn follow(&mut self, json: &Expr, path: &Expr) -> Result<Expr, Refusal> {
        let (Type::Dynamic, Origin::Text(path)) = (&json.type_, &path.origin) else {
            return Err(no_signature("#>", &[json.clone(), path.clone()]));
        };
        let inside = path.strip_prefix('{').and_then(|path| path.strip_suffix('}'));
        let inside =
            inside.ok_or_else(|| Refusal::invalid(format!("malformed array literal: \"{path}\"")))?;
        let mut found = json.clone();
        for step in
            inside.split(',').map(|step| step.trim().trim_matches('"')).filter(|step| !step.is_empty())
        {
            found = match step.parse::<u32>() {
                Ok(index) => self.at(&found, index.into()),
                Err(_) => self.member(&found, step),
            };
        }
        Ok(found)
    }

    fn matched(&mut self, text: &Expr, pattern: &Expr, flags: &str, negated: bool) -> Result<Expr, Refusal> {
        let pattern = match &pattern.origin {
            Origin::Text(pattern) => self.literal_text(&format!("{flags}{pattern}")),
            _ if flags.is_empty() => pattern.clone(),
            _ => return Err(Refusal::unsupported("~* with what is no text in the query")),
        };
        let found = self.function("regexp_contains", &[text.clone(), pattern])?;
        Ok(if negated { Expr::filled("(NOT {0})", &[found], Type::Bool) } else { found })
    }

    fn literal_text(&self, text: &str) -> Expr {
        Expr { origin: Origin::Text(text.to_owned()), ..Expr::new(self.target.text(text), Type::String) }
    }

    /// `text ILIKE pattern`
    pub(super) fn ilike(
        &mut self,
        expr: &ast::Expr,
        pattern: &ast::Expr,
        negated: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let operands = [self.expr(expr, scope)?, self.expr(pattern, scope)?];
        let operands = operands.iter().map(|operand| self.function("lower", std::slice::from_ref(operand)));
        let operands = operands.collect::<Result<Vec<_>, _>>()?;
        let found = self.function("like", &operands)?;
        Ok(if negated { Expr::filled("(NOT {0})", &[found], Type::Bool) } else { found })
    }

    /// `instant AT TIME ZONE 'zone'`
    pub(super) fn at_zone(
        &mut self,
        moment: &ast::Expr,
        zone: &ast::Expr,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let written = moment;
        let (moment, zone) = (self.expr(moment, scope)?, self.expr(zone, scope)?);
        let zone = self.coerced(&zone, &Type::String)?;
        match moment.type_ {
            Type::Datetime => Ok(Expr::filled("wh_from_zone({0}, {1})", &[moment, zone], Type::Timestamp)),
            // The stored instants are of the type `timestamp`: they are read as local times of the zone.
            Type::Timestamp => match self.has_zone(written, scope)? {
                Some(true) => Ok(Expr::filled("wh_to_zone({0}, {1})", &[moment, zone], Type::Datetime)),
                Some(false) => Ok(Expr::filled("wh_from_zone({0}, {1})", &[moment, zone], Type::Timestamp)),
                None => Err(Refusal::unsupported(
                    "AT TIME ZONE of a column that a query inside gives: write it in that query",
                )),
            },
            _ => Err(no_signature("AT TIME ZONE", &[moment, zone])),
        }
    }

    /// Whether an instant has a zone of its own, as `timestamptz` has and `timestamp` has not; `None` if its words do not tell.
    fn has_zone(&mut self, expr: &ast::Expr, scope: &Scope<'_>) -> Result<Option<bool>, Refusal> {
        Ok(match expr {
            ast::Expr::Nested(inner) => self.has_zone(inner, scope)?,
            ast::Expr::Cast { data_type, .. } => Some(has_zone_in_name(data_type)),
            ast::Expr::TypedString(typed) => Some(has_zone_in_name(&typed.data_type)),
            ast::Expr::BinaryOp { left, .. } => self.has_zone(left, scope)?,
            // The stored instants have none.
            ast::Expr::Identifier(_) | ast::Expr::CompoundIdentifier(_) => {
                self.expr(expr, scope)?.sql.ends_with(".timestamp").then_some(false)
            }
            ast::Expr::Function(function) => {
                let argument = |index: usize| match &function.args {
                    ast::FunctionArguments::List(list) => match list.args.get(index)? {
                        ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => Some(expr),
                        _ => None,
                    },
                    _ => None,
                };
                let name = function.name.to_string().to_lowercase();
                let of = match name.as_str() {
                    "date_trunc" | "date_bin" => argument(1),
                    "min" | "max" | "coalesce" => argument(0),
                    _ => None,
                };
                match of {
                    Some(of) => self.has_zone(of, scope)?,
                    None => Some(true),
                }
            }
            // Of a local time `AT TIME ZONE` makes an instant.
            _ => Some(true),
        })
    }

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
            ("pi", []) => Expr::new(self.target.float(std::f64::consts::PI), Type::Float64),
            ("now" | "statement_timestamp" | "transaction_timestamp" | "clock_timestamp", []) => {
                return self.moment_call("current_timestamp", &[], scope);
            }
            ("date_trunc", [field, moment]) => {
                let bound = self.expr(moment, scope)?;
                if bound.type_ == Type::Date {
                    // The beginning of a day's period is an instant.
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
            ("date_part", [field, moment]) => {
                let part = word(field).unwrap_or_default().to_lowercase();
                let moment = self.expr(moment, scope)?;
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
                // Nulls do not count: another argument stands for each.
                let mut others = given;
                let mut filled = Vec::new();
                for _ in 0..others.len() {
                    filled.push(self.special("coalesce", others.clone())?);
                    others.rotate_left(1);
                }
                self.special(name, filled)?
            }
            ("concat", [_, ..]) => {
                let mut texts = Vec::new();
                for argument in arguments {
                    let text = self.expr(argument, scope)?;
                    let text = self.written_out(&text)?;
                    texts.push(self.special("coalesce", vec![text, self.literal_text("")])?);
                }
                self.special("concat", texts)?
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
            ("date_bin", [width, moment, origin]) => self.date_bin(width, moment, origin, scope)?,
            ("to_char", [moment, format]) => {
                let (moment, format) = (self.expr(moment, scope)?, self.expr(format, scope)?);
                self.moment_text(&moment, &format)?
            }
            ("jsonb_set", [json, path, value]) => {
                let (json, path) = (self.expr(json, scope)?, self.expr(path, scope)?);
                let value = self.expr(value, scope)?;
                let value = self.cast(&value, &Type::Dynamic, false)?;
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
            ("md5", [text]) => {
                let text = self.expr(text, scope)?;
                let digest = self.function("md5", &[text])?;
                self.function("to_hex", &[digest])?
            }
            ("jsonb_array_length" | "jsonb_build_object" | "jsonb_build_array" | "to_jsonb", _) => {
                let arguments: Vec<Expr> =
                    arguments.iter().map(|argument| self.expr(argument, scope)).collect::<Result<_, _>>()?;
                let known = match name {
                    "to_jsonb" => "to_json",
                    "jsonb_array_length" => "array_length",
                    "jsonb_build_object" => "json_object",
                    _ => "json_array",
                };
                self.special(known, arguments)?
            }
            ("jsonb_extract_path" | "jsonb_extract_path_text", [json, steps @ ..]) => {
                let mut found = self.expr(json, scope)?;
                for step in steps {
                    let step = self.expr(step, scope)?;
                    found = self.step_into(&found, &step)?;
                }
                if name.ends_with("text") { self.coerced(&found, &Type::String)? } else { found }
            }
            _ if super::functions::is_relational(name, arguments.len()) => {
                let given: Vec<Expr> =
                    arguments.iter().map(|argument| self.expr(argument, scope)).collect::<Result<_, _>>()?;
                self.relational(name, &given)?
            }
            _ => return Ok(None),
        }))
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

    /// `x LIKE pattern ESCAPE sign`, with a pattern and a sign in the query.
    pub(super) fn like_with_escape(
        &mut self,
        operands: [&ast::Expr; 2],
        escape: &ast::Expr,
        ignores_case: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let (value, pattern) = (self.expr(operands[0], scope)?, self.expr(operands[1], scope)?);
        let escape = self.expr(escape, scope)?;
        let (Origin::Text(text), Origin::Text(escape)) = (&pattern.origin, &escape.origin) else {
            return Err(Refusal::unsupported("LIKE ... ESCAPE with what is no text in the query"));
        };
        let pattern = self.literal_text(&escaped_pattern(text, escape)?);
        let mut both = [value, pattern];
        if ignores_case {
            for operand in &mut both {
                *operand = self.function("lower", std::slice::from_ref(operand))?;
            }
        }
        self.function("like", &both)
    }

    /// `to_char(instant, format)`. A server has it itself; elsewhere only parts with a plain meaning are known.
    fn moment_text(&mut self, moment: &Expr, format: &Expr) -> Result<Expr, Refusal> {
        if !matches!(moment.type_, Type::Timestamp | Type::Datetime | Type::Date) {
            return Err(Refusal::unsupported("to_char of other than an instant or a day"));
        }
        let Origin::Text(text) = &format.origin else {
            return Err(Refusal::unsupported("to_char with a format that is no text in the query"));
        };
        let elements = elements_of(text)?;
        let instant = self.as_instant(moment);
        Ok(match self.target {
            Target::Sqlite => {
                let elements = self.literal_text(&elements);
                Expr::filled("wh_format({0}, {1})", &[elements, instant], Type::String)
            }
            Target::Postgres => Expr::filled("to_char({0}, {1})", &[instant, format.clone()], Type::String),
        })
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

    /// A part of an instant by PostgreSQL's name.
    pub(super) fn part_of_moment(&mut self, part: &str, moment: &Expr) -> Result<Expr, Refusal> {
        let instant = self.as_instant(moment);
        let whole = |template: &str| Ok(Expr::filled(template, std::slice::from_ref(&instant), Type::Int64));
        let float =
            |template: &str| Ok(Expr::filled(template, std::slice::from_ref(&instant), Type::Float64));
        match part {
            "week" => whole("wh_extract({0}, 'isoweek')"),
            "dow" => whole("(wh_extract({0}, 'dayofweek') - 1)"),
            "isodow" => whole("((wh_extract({0}, 'dayofweek') + 5) % 7 + 1)"),
            "doy" => whole("wh_extract({0}, 'dayofyear')"),
            // Both have a fraction.
            "second" => float(self.target.pick(
                "(wh_extract({0}, 'second') + wh_extract({0}, 'microsecond') / 1000000.0)",
                "(wh_extract({0}, 'second') + wh_extract({0}, 'microsecond') / 1000000.0)::float8",
            )),
            "epoch" => float(self.target.pick("({0} / 1000000.0)", "(wh_micros({0}) / 1000000.0)::float8")),
            "milliseconds" | "millisecond" => float(self.target.pick(
                "(wh_extract({0}, 'second') * 1000 + wh_extract({0}, 'microsecond') / 1000.0)",
                "(wh_extract({0}, 'second') * 1000 + wh_extract({0}, 'microsecond') / 1000.0)::float8",
            )),
            "microseconds" | "microsecond" => {
                whole("(wh_extract({0}, 'second') * 1000000 + wh_extract({0}, 'microsecond'))")
            }
            "isoyear" | "minute" | "hour" | "day" | "month" | "quarter" | "year" => {
                whole(&format!("wh_extract({{0}}, '{part}')"))
            }
            _ => Err(Refusal::unsupported(&format!("the part {part} of an instant"))),
        }
    }

    /// A function in `FROM` with a row for each element of a JSON list.
    pub(super) fn list_in_from(
        &mut self,
        name: &str,
        arguments: &[ast::FunctionArg],
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let given: Option<Vec<&ast::Expr>> = arguments
            .iter()
            .map(|argument| match argument {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(given)) => Some(given),
                _ => None,
            })
            .collect();
        match (name, given.as_deref()) {
            ("generate_series", Some(ends @ ([_, _] | [_, _, _]))) => self.series(ends, scope),
            ("jsonb_array_elements", Some([list])) => {
                let list = self.expr(list, scope)?.plain("FROM")?;
                match list.type_ {
                    Type::Dynamic => Ok(Expr::filled("wh_only_list({0})", &[list], Type::Dynamic)),
                    _ => Err(no_signature(name, &[list])),
                }
            }
            ("jsonb_array_elements_text" | "jsonb_object_keys", Some([json])) => {
                let json = self.expr(json, scope)?.plain("FROM")?;
                self.relational(name, &[json])
            }
            _ => Err(super::call::unknown_table_function(name)),
        }
    }

    /// `generate_series(first, last, step)` of whole numbers or instants, as a list.
    fn series(&mut self, ends: &[&ast::Expr], scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let first = self.expr(ends[0], scope)?.plain("FROM")?;
        if first.type_ != Type::Int64 {
            let call = self.moment_call("generate_timestamp_array", ends, scope)?;
            return call.ok_or_else(|| no_signature("generate_series", &[first]));
        }
        let mut numbers = vec![first];
        for end in &ends[1..] {
            numbers.push(self.expr(end, scope)?.plain("FROM")?);
        }
        self.function("generate_array", &numbers)
    }
}

fn negated_if(negated: bool, found: Expr) -> Expr {
    if negated { Expr::filled("(NOT {0})", &[found], Type::Bool) } else { found }
}

/// Whether a number is of the type `float8`, as far as its text tells. Its halves go to the even neighbour, those of others do not.
/// The most that an expression of the type `integer` can be, without its sign; `None` for one of another type, as far as its words
/// tell.
fn most_of_integer(expr: &ast::Expr) -> Option<i64> {
    let most = i64::from(i32::MAX);
    match expr {
        ast::Expr::Nested(inner) | ast::Expr::UnaryOp { expr: inner, .. } => most_of_integer(inner),
        ast::Expr::Value(value) => match &value.value {
            ast::Value::Number(digits, _) => digits.parse::<i32>().ok().map(i64::from),
            _ => None,
        },
        ast::Expr::BinaryOp { left, op, right } => {
            let (left, right) = (most_of_integer(left)?, most_of_integer(right)?);
            Some(match op {
                BinaryOperator::Multiply => left.saturating_mul(right).min(most),
                _ => left.saturating_add(right).min(most),
            })
        }
        ast::Expr::Cast { data_type, .. } => is_integer_type(data_type).then_some(most),
        _ => None,
    }
}

/// Whether the result of two integers may be beyond their type.
pub(super) fn may_overflow(left: &ast::Expr, operator: &BinaryOperator, right: &ast::Expr) -> bool {
    let (Some(left), Some(right)) = (most_of_integer(left), most_of_integer(right)) else { return false };
    let result = match operator {
        BinaryOperator::Multiply => left.saturating_mul(right),
        BinaryOperator::Plus | BinaryOperator::Minus => left.saturating_add(right),
        _ => return false,
    };
    result > i64::from(i32::MAX)
}

fn is_integer_type(type_: &ast::DataType) -> bool {
    matches!(type_.to_string().to_lowercase().as_str(), "int" | "integer" | "int4" | "smallint" | "int2")
}

/// How many digits a numeric has after its point, as far as its words tell.
pub(super) fn scale_of(expr: &ast::Expr) -> Option<u32> {
    if is_float(expr) {
        return None;
    }
    match expr {
        ast::Expr::Nested(inner) | ast::Expr::UnaryOp { expr: inner, .. } => scale_of(inner),
        ast::Expr::Value(value) => match &value.value {
            ast::Value::Number(digits, _) if !digits.contains(['e', 'E']) => {
                let digits = digits.split_once('.').map_or(0, |(_, after)| after.len());
                u32::try_from(digits).ok()
            }
            _ => None,
        },
        ast::Expr::BinaryOp { left, op, right } => {
            let (left, right) = (scale_of(left)?, scale_of(right)?);
            match op {
                BinaryOperator::Plus | BinaryOperator::Minus => Some(left.max(right)),
                BinaryOperator::Multiply => Some(left + right),
                _ => None,
            }
        }
        ast::Expr::Cast { expr, data_type, .. } => match data_type {
            ast::DataType::Numeric(ast::ExactNumberInfo::PrecisionAndScale(_, scale))
            | ast::DataType::Decimal(ast::ExactNumberInfo::PrecisionAndScale(_, scale)) => {
                u32::try_from(*scale).ok()
            }
            ast::DataType::Numeric(ast::ExactNumberInfo::None)
            | ast::DataType::Decimal(ast::ExactNumberInfo::None) => scale_of(expr),
            other => is_integer_type(other).then_some(0),
        },
        ast::Expr::Function(function) => {
            let ast::FunctionArguments::List(list) = &function.args else { return None };
            let argument = |index: usize| match list.args.get(index)? {
                ast::FunctionArg::Unnamed(ast::FunctionArgExpr::Expr(expr)) => Some(expr),
                _ => None,
            };
            match function.name.to_string().to_lowercase().as_str() {
                "round" | "trunc" if list.args.len() == 2 => argument(1)?.to_string().parse().ok(),
                "sum" | "min" | "max" | "abs" if list.args.len() == 1 => scale_of(argument(0)?),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The truth that a text stands for: `'t'`, `'yes'`, `'off'`.
pub(super) fn truth_of_word(origin: &Origin) -> Option<bool> {
    let Origin::Text(text) = origin else { return None };
    match text.trim().to_lowercase().as_str() {
        "t" | "tr" | "tru" | "true" | "y" | "ye" | "yes" | "on" | "1" => Some(true),
        "f" | "fa" | "fal" | "fals" | "false" | "n" | "no" | "of" | "off" | "0" => Some(false),
        _ => None,
    }
}

fn has_zone_in_name(type_: &ast::DataType) -> bool {
    let name = type_.to_string().to_lowercase();
    name == "timestamptz" || name.contains("with time zone")
}

pub(super) fn is_float(expr: &ast::Expr) -> bool {
    match expr {
        ast::Expr::Nested(inner) | ast::Expr::UnaryOp { expr: inner, .. } => is_float(inner),
        ast::Expr::BinaryOp { left, right, .. } => is_float(left) || is_float(right),
        ast::Expr::Cast { data_type, .. } => {
            let name = data_type.to_string().to_lowercase();
            name.starts_with("float") || name.starts_with("double") || name == "real"
        }
        _ => false,
    }
}

/// A pattern of LIKE whose escape sign is a backslash instead of another sign, or of none.
fn escaped_pattern(pattern: &str, escape: &str) -> Result<String, Refusal> {
    let mut signs = escape.chars();
    let (escape, None) = (signs.next(), signs.next()) else {
        return Err(Refusal::invalid("invalid escape string"));
    };
    let mut out = String::new();
    let mut signs = pattern.chars();
    while let Some(sign) = signs.next() {
        match sign {
            sign if Some(sign) == escape => {
                let next = signs.next();
                let next =
                    next.ok_or_else(|| Refusal::invalid("LIKE pattern must not end with escape character"))?;
                out.extend(['\\', next]);
            }
            '\\' => out.push_str("\\\\"),
            sign => out.push(sign),
        }
    }
    Ok(out)
}

/// The elements of the warehouse's formats for the patterns of `to_char`.
fn elements_of(format: &str) -> Result<String, Refusal> {
    const PATTERNS: [(&str, &str); 25] = [
        ("YYYY", "%Y"),
        ("IYYY", "%G"),
        ("FMMonth", "%B"),
        ("FMDay", "%A"),
        ("HH24", "%H"),
        ("HH12", "%I"),
        ("MM", "%m"),
        ("Mon", "%b"),
        ("MI", "%M"),
        ("MS", "%E0m"),
        ("DDD", "%j"),
        ("DD", "%d"),
        ("Dy", "%a"),
        ("HH", "%I"),
        ("SS", "%S"),
        ("US", "%E0u"),
        ("YY", "%y"),
        ("IW", "%V"),
        ("ID", "%u"),
        ("AM", "%p"),
        ("PM", "%p"),
        ("Q", "%Q"),
        ("%", "%%"),
        ("T", "T"),
        ("Z", "Z"),
    ];
    let mut out = String::new();
    let mut rest = format;
    while let Some(sign) = rest.chars().next() {
        if let Some(quoted) = rest.strip_prefix('"') {
            let (text, after) = quoted.split_once('"').unwrap_or((quoted, ""));
            out.push_str(&text.replace('%', "%%"));
            rest = after;
        } else if let Some((pattern, element)) = PATTERNS.iter().find(|(known, _)| rest.starts_with(known)) {
            out.push_str(element);
            rest = &rest[pattern.len()..];
            // What may follow a number changes how it is written.
            if ["TH", "th", "SP"].iter().any(|more| rest.starts_with(more)) {
                return Err(Refusal::unsupported(&format!("to_char with {pattern}{}", &rest[..2])));
            }
        } else if sign.is_ascii_alphabetic() {
            return Err(Refusal::unsupported(&format!("to_char with the pattern {rest:?}")));
        } else {
            out.push(sign);
            rest = &rest[sign.len_utf8()..];
        }
    }
    Ok(out)
}

/// PostgreSQL's name for a column without an alias.
pub(super) fn implied_name(expr: &ast::Expr) -> String {
    match expr {
        ast::Expr::Cast { expr, .. } | ast::Expr::Nested(expr) => implied_name(expr),
        ast::Expr::Function(function) => function.name.to_string().to_lowercase(),
        ast::Expr::Case { .. } => "case".to_owned(),
        ast::Expr::Extract { .. } => "extract".to_owned(),
        ast::Expr::Exists { .. } => "exists".to_owned(),
        other => super::select::implied_name(other).unwrap_or_else(|| "?column?".to_owned()),
    }
}
