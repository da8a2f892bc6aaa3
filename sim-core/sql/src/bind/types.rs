//! Names of types.

use sqlparser::ast::{
    ArrayElemTypeDef, CharacterLength, DataType, ExactNumberInfo, ObjectName, TimezoneInfo,
};

use super::Binder;
use crate::error::{Result, SqlError, SqlState};
use crate::source;
use crate::types::{Modified, Type};
use crate::value::{geometry, interval, sparse, vector};

impl Binder<'_> {
    /// The type for a type name of the parser.
    pub(crate) fn data_type(&self, data_type: &DataType) -> Result<Modified> {
        let found = self.data_type_unchecked(data_type)?;
        if found.modifier == 4 && matches!(found.base, Type::VARCHAR | Type::BPCHAR) {
            let name = if found.base == Type::VARCHAR { "varchar" } else { "char" };
            let message = format!("length for type {name} must be at least 1");
            return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
        }
        Ok(found)
    }

    fn data_type_unchecked(&self, data_type: &DataType) -> Result<Modified> {
        let plain = |type_: Type| Ok(type_.plain());
        match data_type {
            DataType::Character(length) | DataType::Char(length) => {
                character(Type::BPCHAR, length.as_ref(), 1)
            }
            DataType::CharacterVarying(length)
            | DataType::CharVarying(length)
            | DataType::Varchar(length) => character(Type::VARCHAR, length.as_ref(), -1),
            DataType::Uuid => plain(Type::UUID),
            DataType::Numeric(info) | DataType::Decimal(info) | DataType::Dec(info) => numeric(info),
            DataType::Float(ExactNumberInfo::Precision(bits)) if *bits <= 24 => plain(Type::FLOAT4),
            DataType::Real | DataType::Float4 => plain(Type::FLOAT4),
            DataType::Float(_) | DataType::Float8 | DataType::DoublePrecision => plain(Type::FLOAT8),
            DataType::Int2(_) | DataType::SmallInt(_) => plain(Type::INT2),
            DataType::Int(_) | DataType::Int4(_) | DataType::Integer(_) => plain(Type::INT4),
            DataType::Int8(_) | DataType::BigInt(_) => plain(Type::INT8),
            DataType::Bool | DataType::Boolean => plain(Type::BOOL),
            DataType::Date => plain(Type::DATE),
            DataType::Time(precision, zone) => Ok(timed(Type::TIME, Type::TIMETZ, *precision, zone)),
            DataType::Timestamp(precision, zone) => {
                Ok(timed(Type::TIMESTAMP, Type::TIMESTAMPTZ, *precision, zone))
            }
            DataType::Interval { fields, precision } => {
                let fields = fields.as_ref().map(ToString::to_string);
                let modifier = interval::modifier(fields.as_deref(), *precision);
                Ok(Modified { base: Type::INTERVAL, modifier })
            }
            DataType::JSON => plain(Type::JSON),
            DataType::JSONB => plain(Type::JSONB),
            DataType::Regclass => plain(Type::REGCLASS),
            DataType::Text => plain(Type::TEXT),
            DataType::Bytea => plain(Type::BYTEA),
            DataType::TsVector => plain(Type::TSVECTOR),
            DataType::TsQuery => plain(Type::TSQUERY),
            DataType::Trigger => plain(Type::TRIGGER),
            DataType::Bit(length) => {
                Ok(Modified { base: Type::BIT, modifier: length.map_or(1, |length| length as i32) })
            }
            DataType::BitVarying(length) | DataType::VarBit(length) => {
                Ok(Modified { base: Type::VARBIT, modifier: length.map_or(-1, |length| length as i32) })
            }
            DataType::Array(
                ArrayElemTypeDef::SquareBracket(element, _) | ArrayElemTypeDef::Qualified(element, _),
            ) => self.array_type(self.data_type(element)?),
            DataType::Custom(name, modifiers) => self.named_type(name, modifiers),
            other => self.named_type_text(&other.to_string().to_lowercase()),
        }
    }

    fn array_type(&self, element: Modified) -> Result<Modified> {
        // An array of arrays is an array of the same type.
        if element.base.element().is_some() {
            return Ok(element);
        }
        let base = element.base.array().ok_or_else(|| {
            let name = self.catalog.type_name(element.base, -1);
            SqlError::new(
                SqlState::UNDEFINED_OBJECT,
                format!("could not find array type for data type {name}"),
            )
        })?;
        Ok(Modified { base, modifier: element.modifier })
    }

    fn named_type_text(&self, name: &str) -> Result<Modified> {
        Type::named(name).map(Type::plain).ok_or_else(|| self.unknown_type(name, name))
    }

    fn named_type(&self, object: &ObjectName, modifiers: &[String]) -> Result<Modified> {
        let (schema, name) = source::schema_and_name(object)?;
        let at = source::parts(object).first().and_then(|ident| self.place(ident.span.start));
        let quoted = source::parts(object).last().is_some_and(|ident| ident.quote_style.is_some());
        if (schema.as_deref(), name.as_str(), quoted) == (None, "char", true) {
            return Ok(Type::QCHAR.plain());
        }
        let found = self.find_type(schema.as_deref(), &name).map_err(|error| error.at(at))?;
        let numbers: Vec<i32> =
            modifiers.iter().filter_map(|modifier| modifier.trim().parse().ok()).collect();
        let modifier = match (found, &numbers[..]) {
            (Type::VARCHAR | Type::BPCHAR, [length]) => length + 4,
            (Type::NUMERIC, [precision]) => (precision << 16) + 4,
            (Type::NUMERIC, [precision, scale]) => (precision << 16 | scale) + 4,
            (Type::VECTOR | Type::HALFVEC, [dimensions]) => {
                dimensions_of(&name, *dimensions, vector::DIMENSIONS_MAX)?
            }
            (Type::SPARSEVEC, [dimensions]) => dimensions_of(&name, *dimensions, sparse::DIMENSIONS_MAX)?,
            (Type::GEOMETRY | Type::GEOGRAPHY, _) if !modifiers.is_empty() => {
                geometry::modifier(found, modifiers)?
            }
            (_, [number]) => *number,
            _ => -1,
        };
        Ok(Modified { base: found, modifier })
    }

    /// Finds a type by name, in its schema or along the search path.
    pub(crate) fn find_type(&self, schema: Option<&str>, name: &str) -> Result<Type> {
        if let Some(element) = name.strip_prefix('_')
            && let Ok(element) = self.find_type(schema, element)
            && let Some(array) = element.array()
        {
            return Ok(array);
        }
        if (schema, name) == (Some("pg_catalog"), "char") {
            return Ok(Type::QCHAR);
        }
        let is_of_schema = |type_: Type, schema: &str| {
            let own = self.catalog.extension_of_type(type_);
            own.is_some() && own == self.catalog.schema_named(schema)
        };
        if let Some(schema) = schema
            && let Some(found) = Type::named(name).filter(|type_| is_of_schema(*type_, schema))
        {
            return Ok(found);
        }
        if matches!(schema, None | Some("pg_catalog" | "extensions" | "public"))
            && let Some(builtin) = Type::named(name).filter(|type_| self.is_known(*type_))
        {
            return Ok(builtin);
        }
        let serial = match name {
            "serial" | "serial4" => Some(Type::INT4),
            "bigserial" | "serial8" => Some(Type::INT8),
            "smallserial" | "serial2" => Some(Type::INT2),
            _ => None,
        };
        if let (Some(type_), None) = (serial, schema) {
            return Ok(type_);
        }
        let schemas = match schema {
            Some(schema) => vec![self.catalog.schema_named(schema).ok_or_else(|| {
                SqlError::new(SqlState::INVALID_SCHEMA, format!("schema \"{schema}\" does not exist"))
            })?],
            None => self.search_path(),
        };
        let shown = schema.map_or_else(|| name.to_owned(), |schema| format!("{schema}.{name}"));
        schemas
            .into_iter()
            .find_map(|schema| self.catalog.type_named(schema, name))
            .ok_or_else(|| self.unknown_type(name, &shown))
    }

    fn unknown_type(&self, name: &str, shown: &str) -> SqlError {
        super::known::type_named(self, name, shown != name).unwrap_or_else(|| {
            SqlError::new(SqlState::UNDEFINED_OBJECT, format!("type \"{shown}\" does not exist"))
        })
    }

    /// Whether the type exists. A type of an extension exists once the extension is created.
    fn is_known(&self, type_: Type) -> bool {
        type_.extension().is_none_or(|name| self.catalog.has_extension(name))
    }
}

/// The dimensions of a type of vectors.
fn dimensions_of(name: &str, dimensions: i32, most: usize) -> Result<i32> {
    let rule = match usize::try_from(dimensions) {
        Ok(0) | Err(_) => "must be at least 1".to_owned(),
        Ok(given) if given <= most => return Ok(dimensions),
        Ok(_) => format!("cannot exceed {most}"),
    };
    Err(SqlError::new(SqlState::INVALID_PARAMETER, format!("dimensions for type {name} {rule}")))
}

fn character(base: Type, length: Option<&CharacterLength>, default: i32) -> Result<Modified> {
    const LENGTH_MAX: u64 = 10_485_760;
    let name = if base == Type::VARCHAR { "varchar" } else { "char" };
    let refuse = |rule: &str| {
        Err(SqlError::new(SqlState::INVALID_PARAMETER, format!("length for type {name} {rule}")))
    };
    let modifier = match length {
        Some(CharacterLength::IntegerLength { length: 0, .. }) => return refuse("must be at least 1"),
        Some(CharacterLength::IntegerLength { length: 10_485_761.., .. }) => {
            return refuse(&format!("cannot exceed {LENGTH_MAX}"));
        }
        Some(CharacterLength::IntegerLength { length, .. }) => *length as i32 + 4,
        Some(CharacterLength::Max) => {
            return Err(SqlError::new(SqlState::SYNTAX_ERROR, "syntax error at or near \"max\""));
        }
        None if default < 0 => -1,
        None => default + 4,
    };
    Ok(Modified { base, modifier })
}

fn numeric(info: &ExactNumberInfo) -> Result<Modified> {
    let (precision, scale) = match info {
        ExactNumberInfo::None => return Ok(Type::NUMERIC.plain()),
        ExactNumberInfo::Precision(precision) => (*precision, 0),
        ExactNumberInfo::PrecisionAndScale(precision, scale) => (*precision, *scale),
    };
    if !(1..=1000).contains(&precision) {
        let message = format!("NUMERIC precision {precision} must be between 1 and 1000");
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
    }
    if !(0..=1000).contains(&scale) {
        return Err(SqlError::unsupported("a numeric scale below 0 or above 1000"));
    }
    Ok(Modified { base: Type::NUMERIC, modifier: (((precision as i32) << 16) | scale as i32) + 4 })
}

fn timed(without: Type, with: Type, precision: Option<u64>, zone: &TimezoneInfo) -> Modified {
    let base = match zone {
        TimezoneInfo::WithTimeZone | TimezoneInfo::Tz => with,
        TimezoneInfo::None | TimezoneInfo::WithoutTimeZone => without,
    };
    Modified { base, modifier: precision.map_or(-1, |precision| precision.min(6) as i32) }
}
