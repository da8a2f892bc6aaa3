//! Functions with which the columnar dialect is written (see `columnar`), by the types of their arguments.

use crate::Target;
use crate::bind::Binder;
use crate::bind::expr::{Expr, Origin};
use crate::refusal::Refusal;
use crate::types::Type;

impl Binder<'_> {
    pub(super) fn columnar_call(&mut self, name: &str, arguments: &[Expr]) -> Result<Expr, Refusal> {
        match (name, arguments) {
            ("plain_text", [value]) => self.plain_text(value),
            ("plain_number", [value]) => match value.type_ {
                Type::Bool => self.cast(value, &Type::Int64, false),
                _ => Ok(value.clone()),
            },
            ("plain_whole", [value]) => self.plain_whole(value),
            ("round_even", [value, digits]) if value.type_ == Type::Int64 => {
                let rounded = self.function("round", &[value.clone(), digits.clone()])?;
                self.cast(&rounded, &Type::Int64, false)
            }
            ("as_moment", [value]) => match value.type_ {
                Type::Date => self.cast(value, &Type::Timestamp, false),
                _ => Ok(value.clone()),
            },
            ("truth_of", [value]) => match value.type_ {
                Type::Null => Ok(Expr::new(self.target.null(&Type::Bool), Type::Bool)),
                Type::Int64 | Type::Float64 | Type::Number => {
                    Ok(Expr::filled("({0} <> 0)", arguments, Type::Bool))
                }
                _ => self.coerced(value, &Type::Bool),
            },
            // A number is of seconds.
            ("moment_of", [value]) => match value.type_ {
                Type::Int64 => self.function("timestamp_seconds", arguments),
                _ => self.cast(value, &Type::Timestamp, false),
            },
            ("hex_of", [value]) => self.hex_digits(value),
            ("bin_of", [value]) => self.binary_digits(value),
            ("plain_concat", [_, ..]) if arguments.iter().any(|one| matches!(one.type_, Type::Array(_))) => {
                self.lists(arguments)
            }
            ("plain_concat", [_, ..]) => {
                let text = |one: &Expr| self.columnar_call("plain_text", std::slice::from_ref(one));
                let texts = arguments.iter().map(text).collect::<Result<Vec<_>, _>>()?;
                self.concatenated(&texts)
            }
            (
                "moved_interval",
                [
                    at,
                    count,
                    Expr { origin: Origin::Text(unit), .. },
                    Expr { origin: Origin::Integer(sign), .. },
                ],
            ) => self.moved_interval(at, count, unit, *sign),
            ("times", [left, right]) => self.arithmetic_of("*", left, right, true),
            ("moved_by", [left, right, Expr { origin: Origin::Integer(sign), .. }]) => {
                self.moved_by(left, right, *sign)
            }
            ("same_moment", [value, other]) => match (&value.type_, &other.type_) {
                (Type::Date, Type::Timestamp) => self.cast(value, &Type::Timestamp, false),
                _ => Ok(value.clone()),
            },
            ("plain_mod", [one, other]) => {
                match [one, other]
                    .iter()
                    .all(|value| matches!(value.type_, Type::Int64 | Type::Dynamic | Type::Bool))
                {
                    true => self.function("mod", arguments),
                    false => self.function("float_mod", arguments),
                }
            }
            ("zero_of", [value]) => Ok(self.zero_of(&value.type_)),
            _ => self.columnar_list_call(name, arguments),
        }
    }

    /// The text of a value in the columnar dialect.
    fn plain_text(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        let shown = |function: &str| {
            Ok(Expr::filled(&format!("{function}({{0}})"), std::slice::from_ref(value), Type::String))
        };
        match &value.type_ {
            Type::Float64 | Type::Number => shown("wh_float_text"),
            Type::Dynamic => shown("wh_shown"),
            Type::Array(_) | Type::Struct(_) if is_shown(&value.type_) => shown("wh_shown"),
            Type::Array(_) | Type::Struct(_) => {
                Err(Refusal::unsupported("the text of a list or tuple with days or instants"))
            }
            Type::Timestamp => {
                let local = self.cast(value, &Type::Datetime, false)?;
                self.cast(&local, &Type::String, false)
            }
            _ => self.cast(value, &Type::String, false),
        }
    }

    /// The hexadecimal digits of a whole number, or of the bytes of a text.
    fn hex_digits(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        if value.type_ != Type::Int64 {
            let bytes = self.cast(value, &Type::Bytes, false)?;
            let digits = self.function("to_hex", &[bytes])?;
            return self.function("ascii_upper", &[digits]);
        }
        let template = self.target.pick(
            "printf('%X', wh_within({0}, 0, 9223372036854775807, 'hex'))",
            "upper(to_hex(wh_within({0}, 0, 9223372036854775807, 'hex')))",
        );
        let digits = Expr::filled(template, std::slice::from_ref(value), Type::String);
        // Two digits for each byte.
        let template = "(CASE WHEN length({0}) % 2 = 1 THEN '0' || {0} ELSE {0} END)";
        Ok(Expr::filled(template, &[digits], Type::String))
    }

    fn binary_digits(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        // Each digit becomes a letter first, so that no new digit is replaced again.
        let letters = "ghijklmnopqrstuv";
        let mut sql = self.target.pick("wh_translate", "translate").to_owned();
        sql = format!("{sql}({{0}}, '0123456789ABCDEF', '{letters}')");
        let replace = self.target.pick("wh_replace", "replace");
        for (number, letter) in letters.chars().enumerate() {
            sql = format!("{replace}({sql}, '{letter}', '{number:04b}')");
        }
        let hex = self.hex_digits(value)?;
        Ok(Expr::filled(&sql, &[hex], Type::String))
    }

    /// A value as a whole number, without its fraction.
    fn plain_whole(&mut self, value: &Expr) -> Result<Expr, Refusal> {
        match value.type_ {
            Type::Timestamp => self.function("unix_seconds", std::slice::from_ref(value)),
            Type::Float64 | Type::Number => {
                let cut = self.function("trunc", std::slice::from_ref(value))?;
                self.cast(&cut, &Type::Int64, false)
            }
            _ => self.cast(value, &Type::Int64, false),
        }
    }

    /// A sum or difference of numbers, of a timestamp and seconds, of a day and days, or the seconds between timestamps.
    pub(in crate::bind) fn moved_by(
        &mut self,
        left: &Expr,
        right: &Expr,
        sign: i64,
    ) -> Result<Expr, Refusal> {
        let (minus, word) = if sign < 0 { (true, "-") } else { (false, "+") };
        let million = Expr::new(self.target.integer(1_000_000), Type::Int64);
        let micros = |binder: &mut Self, at: &Expr| binder.function("unix_micros", std::slice::from_ref(at));
        match (&left.type_, &right.type_) {
            (Type::Timestamp, Type::Timestamp) if minus => {
                let (left, right) = (micros(self, left)?, micros(self, right)?);
                let between = self.arithmetic("-", &left, &right)?;
                self.function("/", &[between, million])
            }
            (Type::Timestamp, Type::Int64) => {
                let at = micros(self, left)?;
                let by = self.arithmetic("*", right, &million)?;
                let moved = self.arithmetic(word, &at, &by)?;
                self.function("timestamp_micros", &[moved])
            }
            // Only days of the years 1 to 9999 are days.
            (Type::Date, Type::Int64) => {
                let template = self.target.pick(
                    format!("wh_date_of(wh_shift({{0}} * 86400000000, {word} {{1}}, 'day'))"),
                    format!("wh_day_in_range({{0}} {word} {{1}}::integer)"),
                );
                Ok(Expr::filled(&template, &[left.clone(), right.clone()], Type::Date))
            }
            (Type::Date, Type::Date) if minus => {
                let template = self.target.pick("({0} - {1})", "({0} - {1})::bigint");
                Ok(Expr::filled(template, &[left.clone(), right.clone()], Type::Int64))
            }
            // The columnar store has infinite results.
            _ => self.arithmetic_of(word, left, right, !self.is_postgres()),
        }
    }

    /// A day or timestamp moved by so many units. A day stays one unless the unit is shorter.
    fn moved_interval(&mut self, at: &Expr, count: &Expr, unit: &str, sign: i64) -> Result<Expr, Refusal> {
        let is_of_days = matches!(unit, "day" | "week" | "month" | "quarter" | "year");
        let at = match at.type_ {
            Type::Date if is_of_days => at.clone(),
            Type::Date => self.cast(at, &Type::Timestamp, false)?,
            _ => self.coerced(at, &Type::Timestamp)?,
        };
        let count = self.coerced(count, &Type::Int64)?;
        let word = if sign < 0 { "-" } else { "+" };
        let template = match self.target {
            Target::Sqlite => format!("wh_shift({{0}}, {word} {{1}}, '{unit}')"),
            Target::Postgres => {
                let (many, unit) = if unit == "quarter" { (3, "month") } else { (1, unit) };
                format!("({{0}} {word} {{1}} * interval '{many} {unit}')")
            }
        };
        let instant = self.as_instant(&at);
        let moved = Expr::filled(&template, &[instant, count], Type::Datetime);
        Ok(self.as_type_again(moved, &at.type_))
    }

    /// The value of the columnar dialect for a missing one: zero, or an empty text.
    pub(in crate::bind) fn zero_of(&self, type_: &Type) -> Expr {
        let sql = match type_ {
            Type::Int64 => self.target.integer(0),
            Type::Float64 => self.target.float(0.0),
            Type::Bool => self.target.boolean(false).to_owned(),
            Type::String => self.target.text(""),
            Type::Timestamp => self.target.moment(type_, 0),
            _ => self.target.null(type_),
        };
        Expr::new(sql, type_.clone())
    }
}

/// Whether the columnar dialect's text of such an element follows from its JSON.
fn is_shown(type_: &Type) -> bool {
    match type_ {
        Type::Array(of) => is_shown(of),
        Type::Struct(fields) => fields.iter().all(|(_, of)| is_shown(of)),
        type_ => !type_.reads_literals() && *type_ != Type::Bytes,
    }
}
