//! Conversions of the fields of events, and of texts to types.

use crate::bind::Binder;
use crate::bind::expr::Expr;
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    /// Converts a value from an event to a type; null if it does not fit.
    pub(super) fn of_event(&self, json: &str, type_: &Type) -> String {
        let target = self.target;
        let yes = target.boolean(true);
        match type_ {
            Type::String => format!("wh_text({json})"),
            Type::Bool => format!("wh_bool({json})"),
            Type::Int64 => format!("wh_integer({json})"),
            Type::Number => format!("wh_number({json})"),
            Type::Float64 => {
                target.pick(format!("(1.0 * wh_number({json}))"), format!("wh_number({json})::float8"))
            }
            Type::Timestamp => format!("wh_event_timestamp({json}, {yes})"),
            Type::Datetime => format!("wh_event_timestamp({json}, {yes})"),
            Type::Date => target.pick(
                format!("wh_date_of(wh_event_timestamp({json}, {yes}))"),
                format!("wh_event_timestamp({json}, {yes})::date"),
            ),
            Type::Time => target.pick(
                format!("wh_parse_time(wh_text({json}), 1)"),
                format!("wh_parse_time(wh_text({json}), true)"),
            ),
            Type::Interval => {
                target.pick(format!("wh_interval(wh_text({json}))"), format!("wh_text({json})::interval"))
            }
            Type::Bytes => target.pick(
                format!("CAST(wh_text({json}) AS BLOB)"),
                format!("convert_to(wh_text({json}), 'UTF8')"),
            ),
            Type::Array(_) => format!("wh_list({json})"),
            Type::Null | Type::Dynamic | Type::Struct(_) => json.to_owned(),
        }
    }

    /// Numbers stay numbers; any other value is read from its text.
    pub(super) fn cast_of_event(&mut self, expr: &Expr, to: &Type, safe: bool) -> Result<Expr, Refusal> {
        let flag = self.target.boolean(safe);
        let sql = match to {
            Type::Int64 => format!("wh_event_int64({}, {flag})", expr.sql),
            Type::Timestamp => format!("wh_event_timestamp({}, {flag})", expr.sql),
            Type::Float64
            | Type::Number
            | Type::Bool
            | Type::Datetime
            | Type::Date
            | Type::Time
            | Type::Interval => {
                let text = self.coerced(expr, &Type::String)?;
                return self.cast(&text, to, safe);
            }
            _ => return self.coerced(expr, to),
        };
        Ok(expr.with(sql, to.clone()))
    }

    pub(super) fn cast_of_text(&self, text: &str, to: &Type, flag: &str) -> Option<String> {
        Some(match to {
            Type::Int64 => format!("wh_parse_int64({text}, {flag})"),
            Type::Float64 => format!("wh_parse_float64({text}, {flag})"),
            Type::Number => format!("wh_parse_number({text}, {flag})"),
            Type::Bool => format!("wh_parse_bool({text}, {flag})"),
            Type::Timestamp => format!("wh_parse_timestamp({text}, {flag})"),
            Type::Datetime => format!("wh_parse_datetime({text}, {flag})"),
            Type::Date => format!("wh_parse_date({text}, {flag})"),
            Type::Time => format!("wh_parse_time({text}, {flag})"),
            Type::Interval => self.target.pick(format!("wh_interval({text})"), format!("({text})::interval")),
            Type::Bytes => {
                self.target.pick(format!("CAST({text} AS BLOB)"), format!("convert_to({text}, 'UTF8')"))
            }
            Type::Dynamic if self.is_postgres() => {
                format!(
                    "{}({text})",
                    if flag == self.target.boolean(true) { "wh_try_json" } else { "wh_parse_json" }
                )
            }
            _ => return None,
        })
    }

    /// Converts between timestamps, local times and days, in UTC.
    pub(super) fn moment_cast(&self, from: &Type, sql: &str, to: &Type) -> Option<String> {
        let target = self.target;
        Some(match (from, to) {
            (Type::Timestamp, Type::Datetime) | (Type::Datetime, Type::Timestamp) => sql.to_owned(),
            (Type::Timestamp | Type::Datetime, Type::Date) => {
                target.pick(format!("wh_date_of({sql})"), format!("({sql})::date"))
            }
            (Type::Timestamp | Type::Datetime, Type::Time) => {
                target.pick(format!("wh_time_of({sql})"), format!("({sql})::time"))
            }
            (Type::Date, Type::Timestamp | Type::Datetime) => {
                target.pick(format!("({sql} * 86400000000)"), format!("({sql})::timestamp"))
            }
            _ => return None,
        })
    }
}

pub(super) fn same_in_json(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (from, to) if from == to => true,
        (Type::Null, _) | (_, Type::Dynamic) => true,
        (from, to) => from.is_number() && to.is_number(),
    }
}
