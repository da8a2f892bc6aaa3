//! Conversions: implicit ones, and `CAST`.

mod event;
pub(super) mod format;

use sqlparser::ast::{self, CharacterLength, DataType, ExactNumberInfo};

use self::event::same_in_json;
use super::Binder;
use super::expr::{Expr, Origin};
use super::postgres::is_float;
use super::scope::Scope;
use crate::Target;
use crate::encode::field_key;
use crate::refusal::Refusal;
use crate::target::postgres_type;
use crate::types::Type;

impl Binder<'_> {
    /// Converts the value to `type_`, as far as that is implicit. A value from an event that does not fit becomes null.
    pub(super) fn coerced(&mut self, expr: &Expr, type_: &Type) -> Result<Expr, Refusal> {
        let target = self.target;
        if expr.type_ == *type_ {
            return Ok(expr.clone());
        }
        let as_postgres =
            |sql: &str| target.pick(sql.to_owned(), format!("({sql})::{}", postgres_type(type_)));
        let sql = match (&expr.type_, type_) {
            (Type::Null, _) => target.null(type_),
            (Type::Dynamic, _) => self.of_event(&expr.sql, type_),
            (Type::Int64 | Type::Number, Type::Float64) => {
                target.pick(format!("(1.0 * {})", expr.sql), as_postgres(&expr.sql))
            }
            (Type::Int64 | Type::Float64, Type::Number) => as_postgres(&expr.sql),
            (Type::Number, Type::Int64) => target
                .pick(format!("wh_to_int64({}, 0)", expr.sql), format!("wh_to_int64({}, false)", expr.sql)),
            (Type::String, moment) if moment.reads_literals() => match &expr.origin {
                Origin::Text(text) => return self.moment_literal(text, moment),
                Origin::Parameter => return self.cast(expr, moment, false),
                _ => return Err(mismatch(expr, type_)),
            },
            (Type::Array(_), Type::Dynamic) | (Type::Struct(_), Type::Dynamic) => expr.sql.clone(),
            // Lists and structures are converted only if their JSON is the same.
            (Type::Array(from), Type::Array(to)) if **from == Type::Null || same_in_json(from, to) => {
                expr.sql.clone()
            }
            (Type::Struct(from), Type::Struct(to)) if from.len() == to.len() => {
                return expr.once(|expr| Ok(expr.with(self.renamed(expr, from, to)?, type_.clone())));
            }
            _ => return Err(mismatch(expr, type_)),
        };
        Ok(expr.with(sql, type_.clone()))
    }

    /// Converts a structure to the names and types of another.
    fn renamed(
        &mut self,
        expr: &Expr,
        from: &[(String, Type)],
        to: &[(String, Type)],
    ) -> Result<String, Refusal> {
        let mut arguments = Vec::new();
        for (index, ((old, from), (new, to))) in from.iter().zip(to).enumerate() {
            let json = self.target.field(&expr.sql, &field_key(old, index));
            let value = self.coerced(&Expr::new(self.target.unpacked(from, &json), from.clone()), to)?;
            arguments.push(self.target.text(&field_key(new, index)));
            arguments.push(self.target.packed(to, &value.sql));
        }
        let build = self.target.pick("json_object", "jsonb_build_object");
        let built = format!("{build}({})", arguments.join(", "));
        Ok(format!("(CASE WHEN {} IS NOT NULL THEN {built} END)", expr.sql))
    }

    pub(super) fn cast_expr(
        &mut self,
        expr: &ast::Expr,
        type_: &DataType,
        safe: bool,
        scope: &Scope<'_>,
    ) -> Result<Expr, Refusal> {
        let value = self.expr(expr, scope)?;
        if self.is_postgres() {
            if matches!(type_, DataType::Interval { .. }) {
                return match value.type_ {
                    Type::String | Type::Dynamic | Type::Null | Type::Interval => {
                        self.cast(&value, &Type::Interval, safe)
                    }
                    other => Err(Refusal::invalid(format!("cannot cast type {other} to interval"))),
                };
            }
            if let DataType::Array(ast::ArrayElemTypeDef::SquareBracket(of, _)) = type_ {
                return self.cast_to_list(&value, of);
            }
            let to = named(type_).ok();
            if let (Some(text), Some(Type::Bool)) = (super::postgres::truth_of_word(&value.origin), &to) {
                return Ok(Expr::new(self.target.boolean(text), Type::Bool));
            }
            if value.type_ == Type::Bytes && to == Some(Type::String) {
                let digits = self.function("to_hex", &[value])?;
                let template = format!("({} || {{0}})", self.target.text("\\x"));
                return Ok(Expr::filled(&template, &[digits], Type::String));
            }
            // The stored instants are of the type `timestamp`, whose text has no zone.
            if value.type_ == Type::Timestamp
                && to == Some(Type::String)
                && self.has_zone(expr, scope)? == Some(false)
            {
                let local = self.cast(&value, &Type::Datetime, safe)?;
                return self.cast(&local, &Type::String, safe);
            }
            let is_nan =
                matches!(&value.origin, Origin::Text(text) if text.trim().eq_ignore_ascii_case("nan"));
            if is_nan && matches!(to, Some(Type::Float64 | Type::Number)) {
                return Err(no_number());
            }
            if let (Some(scale @ 1..), Some(Type::String)) = (super::postgres::scale_of(expr), to)
                && matches!(value.type_, Type::Int64 | Type::Number | Type::Float64)
            {
                return Ok(self.with_scale(&value, scale));
            }
            if let (Type::Array(of), DataType::Text | DataType::Varchar(None)) = (&value.type_, type_)
                && matches!(
                    **of,
                    Type::Int64 | Type::Float64 | Type::Number | Type::String | Type::Bool | Type::Null
                )
            {
                return Ok(Expr::filled("wh_array_text({0})", std::slice::from_ref(&value), Type::String));
            }
            return self.cast_in_postgres(value, is_float(expr), type_, safe);
        }
        if let DataType::Array(ast::ArrayElemTypeDef::AngleBracket(of)) = type_ {
            let of = named(of)?;
            let empty = Type::Array(Box::new(Type::Null));
            return match &value.type_ {
                type_ if *type_ == empty => Ok(value.with(&value.sql, Type::Array(Box::new(of)))),
                Type::Array(from) if **from == of => Ok(value),
                Type::Array(_) => self.list_of_written(expr, &of, scope),
                Type::Null => Ok(Expr::new(self.target.null(&empty), Type::Array(Box::new(of)))),
                other => Err(Refusal::invalid(format!("Invalid cast from {other} to ARRAY<{of}>"))),
            };
        }
        let to = named(type_)?;
        let is_nan = matches!(&value.origin, Origin::Text(text) if text.trim().eq_ignore_ascii_case("nan"));
        if is_nan && to == Type::Float64 && self.target == Target::Sqlite {
            return Err(no_number());
        }
        self.cast(&value, &to, safe)
    }

    /// A list whose elements are written in the query, with elements of that type.
    fn list_of_written(&mut self, list: &ast::Expr, of: &Type, scope: &Scope<'_>) -> Result<Expr, Refusal> {
        let ast::Expr::Array(list) = list else {
            return Err(Refusal::unsupported(&format!("a cast of a list to ARRAY<{of}>")));
        };
        let elements = list.elem.iter().map(|element| {
            let element = self.expr(element, scope)?;
            self.coerced(&element, of)
        });
        let elements = elements.collect::<Result<Vec<_>, Refusal>>()?;
        self.array(&elements)
    }

    /// The text of a numeric with as many digits after its point as its scale.
    fn with_scale(&self, value: &Expr, scale: u32) -> Expr {
        let template = self.target.pick(
            format!("(CASE WHEN {{0}} IS NOT NULL THEN printf('%.{scale}f', {{0}}) END)"),
            format!("round(({{0}})::numeric, {scale})::text"),
        );
        Expr::filled(&template, std::slice::from_ref(value), Type::String)
    }

    /// `'{1,2}'::int[]`, or a list whose elements have another type.
    fn cast_to_list(&mut self, value: &Expr, of: &DataType) -> Result<Expr, Refusal> {
        let of = named(of)?;
        match (&value.origin, &value.type_) {
            (Origin::Text(text), _) => {
                let text = text.clone();
                self.list_of_text(&text, &of)
            }
            (_, Type::Null) => {
                Ok(Expr::new(self.target.null(&Type::Array(Box::new(of.clone()))), Type::Array(Box::new(of))))
            }
            (_, Type::Array(from)) if **from == of || **from == Type::Null => {
                Ok(value.with(&value.sql, Type::Array(Box::new(of))))
            }
            _ => Err(Refusal::unsupported(&format!("a cast of {} to {of}[]", value.type_))),
        }
    }

    /// A member of JSON as a column of a type.
    pub(super) fn typed(&mut self, value: Expr, type_: &DataType) -> Result<Expr, Refusal> {
        self.cast_in_postgres(value, false, type_, false)
    }

    /// A cast of PostgreSQL's dialect, where types have lengths and ranges.
    fn cast_in_postgres(
        &mut self,
        value: Expr,
        is_float: bool,
        type_: &DataType,
        safe: bool,
    ) -> Result<Expr, Refusal> {
        let literal = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let scale = match type_ {
            DataType::Numeric(ExactNumberInfo::PrecisionAndScale(_, scale))
            | DataType::Decimal(ExactNumberInfo::PrecisionAndScale(_, scale)) => Some(*scale),
            _ => None,
        };
        if let Some(scale) = scale {
            let number = self.cast(&value, &Type::Number, safe)?;
            let scale = Expr::new(self.target.integer(scale), Type::Int64);
            return self.function("round", &[number, scale]);
        }
        if let DataType::Varchar(Some(CharacterLength::IntegerLength { length, .. })) = type_ {
            let text = self.cast(&value, &Type::String, safe)?;
            let length = Expr::new(self.target.integer(literal(*length)), Type::Int64);
            return self.relational("left", &[text, length]);
        }
        if let DataType::Char(length) | DataType::Character(length) = type_ {
            let length = match length {
                Some(CharacterLength::IntegerLength { length, .. }) => *length,
                _ => 1,
            };
            let text = self.cast(&value, &Type::String, safe)?;
            let length = Expr::new(self.target.integer(literal(length)), Type::Int64);
            return self.relational("rpad", &[text, length]);
        }
        if matches!(type_, DataType::Uuid) && matches!(value.type_, Type::String | Type::Null | Type::Dynamic)
        {
            let text = self.cast(&value, &Type::String, safe)?;
            let template = self.target.pick("wh_uuid({0})", "({0})::uuid::text");
            return Ok(Expr::filled(template, &[text], Type::String));
        }
        if matches!(type_, DataType::Bytea) {
            if matches!(&value.origin, Origin::Text(text) if text.contains('\\')) {
                return Err(Refusal::unsupported("bytea of a text with a backslash"));
            }
            return self.cast(&value, &Type::Bytes, safe);
        }
        let to = named(type_)?;
        // Halves of this type go to the even neighbour.
        let value = match to == Type::Int64 && is_float {
            true => {
                let zero = Expr::new(self.target.integer(0), Type::Int64);
                self.function("round_even", &[value, zero])?
            }
            false => value,
        };
        let cast = self.cast(&value, &to, safe)?;
        let (name, most) = match type_.to_string().to_uppercase().as_str() {
            "INT" | "INTEGER" | "INT4" => ("integer", i64::from(i32::MAX)),
            "SMALLINT" | "INT2" => ("smallint", i64::from(i16::MAX)),
            _ => return Ok(cast),
        };
        match cast.origin {
            // It stays a number of the query.
            Origin::Integer(number) if (-most - 1..=most).contains(&number) => Ok(cast),
            Origin::Integer(_) => Err(Refusal::invalid(format!("{name} out of range"))),
            _ => self.relational(name, &[cast]),
        }
    }

    /// Converts the value to `to`. If that fails, the result is null if `safe`, else an error of the whole query.
    pub(super) fn cast(&mut self, expr: &Expr, to: &Type, safe: bool) -> Result<Expr, Refusal> {
        if expr.type_ == *to || expr.type_ == Type::Null {
            return self.coerced(expr, to);
        }
        if let (Origin::Text(text), true) = (&expr.origin, to.reads_literals()) {
            match self.moment_literal(text, to) {
                Err(_) if safe => return Ok(Expr::new(self.target.null(to), to.clone())),
                literal => return literal,
            }
        }
        let flag = self.target.boolean(safe);
        let sql = match (&expr.type_, to) {
            (Type::Dynamic, to) => return self.cast_of_event(expr, to, safe),
            (Type::String, to) => self.cast_of_text(&expr.sql, to, flag),
            (from, Type::String) => self.to_text(from, &expr.sql),
            (Type::Int64, Type::Float64 | Type::Number)
            | (Type::Number | Type::Float64, Type::Float64 | Type::Number) => {
                return self.number_cast(expr, to);
            }
            (Type::Float64 | Type::Number, Type::Int64) => Some(format!("wh_to_int64({}, {flag})", expr.sql)),
            (Type::Int64, Type::Bool) => Some(format!("({} <> 0)", expr.sql)),
            (Type::Bool, Type::Int64) => {
                Some(self.target.pick(expr.sql.clone(), format!("({})::int::bigint", expr.sql)))
            }
            (from, to) => self.moment_cast(from, &expr.sql, to),
        };
        let sql = sql.ok_or_else(|| Refusal::invalid(format!("Invalid cast from {} to {to}", expr.type_)))?;
        Ok(expr.with(sql, to.clone()))
    }

    fn number_cast(&mut self, expr: &Expr, to: &Type) -> Result<Expr, Refusal> {
        match (&expr.type_, to) {
            (Type::Float64, Type::Number) => {
                let sql = self.target.pick(expr.sql.clone(), format!("({})::numeric", expr.sql));
                Ok(expr.with(sql, Type::Number))
            }
            _ => self.coerced(expr, to),
        }
    }

    /// The text of a value.
    pub(super) fn to_text(&self, from: &Type, sql: &str) -> Option<String> {
        Some(match (from, self.target) {
            (Type::Bool, _) => format!(
                "(CASE WHEN {sql} THEN {} WHEN NOT {sql} THEN {} END)",
                self.target.text("true"),
                self.target.text("false")
            ),
            (Type::Int64, Target::Sqlite) => format!("CAST({sql} AS TEXT)"),
            (Type::Int64, Target::Postgres) => format!("({sql})::text"),
            (Type::Float64, _) if !self.is_postgres() => {
                format!("replace(replace(wh_number_text({sql}), 'Infinity', 'inf'), 'NaN', 'nan')")
            }
            (Type::Float64 | Type::Number, _) => format!("wh_number_text({sql})"),
            (Type::Timestamp, _) => format!("wh_timestamp_text({sql})"),
            (Type::Datetime, _) => format!("wh_datetime_text({sql})"),
            (Type::Date, Target::Sqlite) => format!("wh_date_text({sql})"),
            (Type::Date, Target::Postgres) => format!("to_char({sql}, 'YYYY-MM-DD')"),
            (Type::Time, Target::Sqlite) => format!("wh_time_text({sql})"),
            (Type::Time, Target::Postgres) => format!("({sql})::text"),
            (Type::Interval, _) => self.target.pick(sql.to_owned(), format!("({sql})::text")),
            (Type::Bytes, Target::Sqlite) => format!("CAST({sql} AS TEXT)"),
            (Type::Bytes, Target::Postgres) => format!("convert_from({sql}, 'UTF8')"),
            _ => return None,
        })
    }
}

/// The refusal of NaN, which SQLite has not.
fn no_number() -> Refusal {
    Refusal::unsupported("NaN as a value")
}

fn mismatch(expr: &Expr, type_: &Type) -> Refusal {
    Refusal::invalid(format!("A value of type {} can't be used as {type_}", expr.type_))
}

/// The type that a name in the query means.
pub(super) fn named(type_: &DataType) -> Result<Type, Refusal> {
    let by_name = |name: &str| match name {
        "INT64" | "INT" | "INTEGER" | "BIGINT" | "SMALLINT" | "TINYINT" | "BYTEINT" => Some(Type::Int64),
        "FLOAT64" => Some(Type::Float64),
        "NUMERIC" | "BIGNUMERIC" | "DECIMAL" | "BIGDECIMAL" => Some(Type::Number),
        "STRING" => Some(Type::String),
        "BYTES" => Some(Type::Bytes),
        "BOOL" | "BOOLEAN" => Some(Type::Bool),
        "TIMESTAMP" => Some(Type::Timestamp),
        "DATETIME" => Some(Type::Datetime),
        "DATE" => Some(Type::Date),
        "TIME" => Some(Type::Time),
        "JSON" => Some(Type::Dynamic),
        // The warehouse does not have these types, but queries for the relational backend use them.
        "FLOAT" | "DOUBLE" | "DOUBLE PRECISION" | "REAL" | "FLOAT8" | "FLOAT4" => Some(Type::Float64),
        "TEXT" | "VARCHAR" | "CHARACTER VARYING" => Some(Type::String),
        "INT8" | "INT4" | "INT2" => Some(Type::Int64),
        "TIMESTAMPTZ" | "TIMESTAMP WITH TIME ZONE" | "TIMESTAMP WITHOUT TIME ZONE" => Some(Type::Timestamp),
        "JSONB" => Some(Type::Dynamic),
        _ => None,
    };
    let text = type_.to_string().to_uppercase();
    by_name(&text).ok_or_else(|| Refusal::invalid(format!("Type not found: {text}")))
}
