//! Differences between the targets: literals, casts, values inside JSON.

use sim_values::value::datetime::{print_date, print_time, print_timestamp};

use super::Target;
use super::types::Type;

impl Target {
    /// The argument for this target.
    pub(super) fn pick<T>(self, sqlite: T, postgres: T) -> T {
        match self {
            Target::Sqlite => sqlite,
            Target::Postgres => postgres,
        }
    }

    /// A text. PostgreSQL needs its type to resolve overloads.
    pub(super) fn text(self, text: &str) -> String {
        format!("'{}'{}", text.replace('\'', "''"), self.pick("", "::text"))
    }

    pub(super) fn integer(self, number: i64) -> String {
        match (self, number) {
            // Without its minus sign, this number does not fit into 64 bits.
            (_, i64::MIN) => "(-9223372036854775807 - 1)".to_owned(),
            (Target::Sqlite, 0..) => number.to_string(),
            (Target::Sqlite, _) => format!("({number})"),
            (Target::Postgres, _) => format!("'{number}'::bigint"),
        }
    }

    pub(super) fn float(self, number: f64) -> String {
        match self {
            Target::Sqlite => format!("({number:?})"),
            Target::Postgres => format!("'{number:?}'::float8"),
        }
    }

    pub(super) fn boolean(self, value: bool) -> &'static str {
        if value { self.pick("1", "true") } else { self.pick("0", "false") }
    }

    /// Null, with its type if the target needs it.
    pub(super) fn null(self, type_: &Type) -> String {
        match self {
            Target::Sqlite => "NULL".to_owned(),
            Target::Postgres => format!("NULL::{}", postgres_type(type_)),
        }
    }

    /// A timestamp, local time or day: microseconds, or days of a date.
    pub(super) fn moment(self, type_: &Type, value: i64) -> String {
        if self == Target::Sqlite {
            return self.integer(value);
        }
        match type_ {
            Type::Date => format!("date '{}'", print_date(value)),
            Type::Time => format!("time '{}'", print_time(value)),
            _ => format!("timestamp '{}'", print_timestamp(value)),
        }
    }

    /// The whole event in the row of that table. In SQLite the stored body lacks what has a column.
    pub(super) fn whole_body(self, row: &str) -> String {
        match self {
            Target::Sqlite => {
                let own = ["id", "timestamp", "event_message"].map(|name| format!("'{name}', {row}.{name}"));
                let own = format!("rtrim(json_object({}), '}}')", own.join(", "));
                // `json_patch` would drop each null in the body.
                format!("json({own} || iif({row}.body = '{{}}', '}}', ',' || substr({row}.body, 2)))")
            }
            Target::Postgres => format!("{row}.body"),
        }
    }

    /// The field `key` of an object.
    pub(super) fn field(self, object: &str, key: &str) -> String {
        let key = key.replace('\'', "''");
        match self {
            // SQLite could read a bare key as a path. No event has a key with a quote in it.
            Target::Sqlite => format!("({object} -> '$.\"{}\"')", key.replace('"', "")),
            Target::Postgres => format!("({object} -> '{key}')"),
        }
    }

    /// Converts a JSON value to an SQL value of its type.
    pub(super) fn unpacked(self, type_: &Type, json: &str) -> String {
        match (self, type_) {
            (_, Type::Null) => self.null(type_),
            (Target::Sqlite, Type::Dynamic | Type::Array(_) | Type::Struct(_)) => {
                format!("nullif({json}, 'null')")
            }
            (Target::Sqlite, _) => format!("({json} ->> '$')"),
            (Target::Postgres, Type::Dynamic | Type::Array(_) | Type::Struct(_)) => {
                format!("nullif({json}, 'null'::jsonb)")
            }
            (Target::Postgres, Type::String) => format!("({json} #>> '{{}}')"),
            (Target::Postgres, Type::Timestamp | Type::Datetime) => {
                format!("wh_from_micros(({json} #>> '{{}}')::bigint)")
            }
            (Target::Postgres, Type::Date) => format!("(date '1970-01-01' + ({json} #>> '{{}}')::integer)"),
            (Target::Postgres, Type::Time) => {
                format!("(time '00:00' + ({json} #>> '{{}}')::bigint * interval '1 microsecond')")
            }
            (Target::Postgres, Type::Bytes) => format!("decode({json} #>> '{{}}', 'hex')"),
            (Target::Postgres, _) => format!("({json} #>> '{{}}')::{}", postgres_type(type_)),
        }
    }

    /// A value as an argument of a function that builds JSON.
    pub(super) fn packed(self, type_: &Type, sql: &str) -> String {
        match (self, type_) {
            (Target::Sqlite, Type::Dynamic | Type::Array(_) | Type::Struct(_)) => format!("json({sql})"),
            (Target::Sqlite, Type::Bool) => {
                format!("json(CASE NOT {sql} WHEN 0 THEN 'true' WHEN 1 THEN 'false' ELSE 'null' END)")
            }
            (Target::Sqlite, Type::Bytes) => format!("lower(hex({sql}))"),
            (Target::Postgres, Type::Timestamp | Type::Datetime) => format!("wh_micros({sql})"),
            (Target::Postgres, Type::Date) => format!("({sql} - date '1970-01-01')"),
            (Target::Postgres, Type::Time) => format!("wh_micros(date '1970-01-01' + {sql})"),
            (Target::Postgres, Type::Bytes) => format!("encode({sql}, 'hex')"),
            (Target::Postgres, Type::Interval) => format!("({sql})::text"),
            (Target::Postgres, Type::Null) => "NULL::jsonb".to_owned(),
            _ => sql.to_owned(),
        }
    }

    /// The filter of an aggregate that collects the values of `sql`, of rows for which `condition` is true. SQLite's own aggregate
    /// takes any amount of memory, so `wh_held` draws on the budget for each value.
    pub(super) fn collecting(self, sql: &str, condition: Option<String>) -> String {
        let held = self.pick(Some(format!("wh_held({sql})")), None);
        let conditions: Vec<String> = condition.into_iter().chain(held).collect();
        if conditions.is_empty() {
            String::new()
        } else {
            format!(" FILTER (WHERE {})", conditions.join(" AND "))
        }
    }

    /// Texts are ordered by the code points of their characters.
    pub(super) fn ordered(self, type_: &Type, sql: &str) -> String {
        match (self, type_) {
            (Target::Postgres, Type::String) => format!("{sql} COLLATE \"C\""),
            (Target::Sqlite, Type::Interval) => format!("{sql} COLLATE wh_interval"),
            _ => sql.to_owned(),
        }
    }

    /// A value as a grouping key. JSON can have different spellings of equal numbers.
    pub(super) fn grouped(self, type_: &Type, sql: &str) -> String {
        match self {
            Target::Sqlite if type_.is_json() => format!("{sql} COLLATE wh_json"),
            Target::Sqlite if *type_ == Type::Interval => format!("{sql} COLLATE wh_interval"),
            _ => sql.to_owned(),
        }
    }
}

/// PostgreSQL's name of the type.
pub(super) fn postgres_type(type_: &Type) -> &'static str {
    match type_ {
        Type::Null | Type::String => "text",
        Type::Bool => "boolean",
        Type::Int64 => "bigint",
        Type::Float64 => "float8",
        Type::Number => "numeric",
        Type::Bytes => "bytea",
        Type::Timestamp | Type::Datetime => "timestamp",
        Type::Date => "date",
        Type::Time => "time",
        Type::Interval => "interval",
        Type::Dynamic | Type::Array(_) | Type::Struct(_) => "jsonb",
    }
}
