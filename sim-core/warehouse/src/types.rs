//! The dialect's types.

use std::fmt;

/// The type of a value.
///
/// | type | in SQLite | in PostgreSQL |
/// |---|---|---|
/// | `Null` | null | null |
/// | `Bool` | 0 or 1 | `boolean` |
/// | `Int64` | integer | `bigint` |
/// | `Float64` | real | `double precision` |
/// | `Number` | integer or real | `numeric` |
/// | `String` | text | `text` |
/// | `Bytes` | blob | `bytea` |
/// | `Timestamp`, `Datetime` | microseconds since 1970 | `timestamp` |
/// | `Date` | days since 1970 | `date` |
/// | `Time` | microseconds since midnight | `time` |
/// | `Interval` | text | `interval` |
/// | `Dynamic`, `Array`, `Struct` | JSON text | `jsonb` |
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// The type of a bare `NULL`, which fits every type.
    Null,
    /// `BOOL`
    Bool,
    /// `INT64`
    Int64,
    /// `FLOAT64`
    Float64,
    /// A number of either kind, as in events. Also `NUMERIC`.
    Number,
    /// `STRING`
    String,
    /// `BYTES`
    Bytes,
    /// `TIMESTAMP`
    Timestamp,
    /// `DATETIME`
    Datetime,
    /// `DATE`
    Date,
    /// `TIME`
    Time,
    /// `interval` of PostgreSQL's dialect: months, days and microseconds.
    Interval,
    /// Any value of an event: a text, number, truth value, object or list. Also `JSON`.
    Dynamic,
    /// `ARRAY<…>`
    Array(Box<Type>),
    /// `STRUCT<…>`: names and types. A field without a name has an empty one. Without any, it is a whole event, whose fields are not
    /// known.
    Struct(Vec<(String, Type)>),
}

impl Type {
    /// Whether it is `INT64`, `FLOAT64` or either.
    pub fn is_number(&self) -> bool {
        matches!(self, Type::Int64 | Type::Float64 | Type::Number)
    }

    /// Whether a literal text can be one of its values.
    pub fn reads_literals(&self) -> bool {
        matches!(self, Type::Timestamp | Type::Datetime | Type::Date | Type::Time | Type::Interval)
    }

    /// Whether the targets store its values as JSON.
    pub fn is_json(&self) -> bool {
        matches!(self, Type::Dynamic | Type::Array(_) | Type::Struct(_))
    }

    /// The common type of both, if there is one.
    pub fn common(&self, other: &Type) -> Option<Type> {
        Some(match (self, other) {
            (same, also) if same == also => same.clone(),
            (Type::Null, other) | (other, Type::Null) => other.clone(),
            // An empty list takes the type of the other value.
            (Type::Dynamic, Type::Array(of)) | (Type::Array(of), Type::Dynamic) if **of == Type::Null => {
                Type::Dynamic
            }
            (Type::Dynamic, Type::Int64) | (Type::Int64, Type::Dynamic) => Type::Number,
            (Type::Dynamic, other) | (other, Type::Dynamic) => other.clone(),
            (Type::Float64, other) | (other, Type::Float64) if other.is_number() => Type::Float64,
            (one, other) if one.is_number() && other.is_number() => Type::Number,
            // Elements of events may be of any type.
            (Type::Array(one), Type::Array(other))
                if [one, other].iter().any(|of| ***of == Type::Dynamic) =>
            {
                Type::Array(Box::new(Type::Dynamic))
            }
            (Type::Array(one), Type::Array(other)) => Type::Array(Box::new(one.common(other)?)),
            (Type::Struct(one), Type::Struct(other)) if one.len() == other.len() => {
                let fields = one
                    .iter()
                    .zip(other)
                    .map(|((name, one), (_, other))| Some((name.clone(), one.common(other)?)));
                Type::Struct(fields.collect::<Option<_>>()?)
            }
            _ => return None,
        })
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Type::Null | Type::Int64 => f.write_str("INT64"),
            Type::Bool => f.write_str("BOOL"),
            Type::Float64 => f.write_str("FLOAT64"),
            Type::Number => f.write_str("NUMERIC"),
            Type::String => f.write_str("STRING"),
            Type::Bytes => f.write_str("BYTES"),
            Type::Timestamp => f.write_str("TIMESTAMP"),
            Type::Datetime => f.write_str("DATETIME"),
            Type::Date => f.write_str("DATE"),
            Type::Time => f.write_str("TIME"),
            Type::Interval => f.write_str("INTERVAL"),
            Type::Dynamic => f.write_str("JSON"),
            Type::Array(element) => write!(f, "ARRAY<{element}>"),
            Type::Struct(fields) => {
                f.write_str("STRUCT<")?;
                for (index, (name, type_)) in fields.iter().enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    let blank = if name.is_empty() { "" } else { " " };
                    write!(f, "{comma}{name}{blank}{type_}")?;
                }
                f.write_str(">")
            }
        }
    }
}
