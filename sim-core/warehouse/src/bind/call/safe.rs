//! `SAFE.` before the name of a function: null instead of an error.

use crate::bind::Binder;
use crate::bind::expr::Expr;
use crate::refusal::Refusal;
use crate::types::Type;

/// Functions that have a result for all arguments of their types.
const NEVER_FAIL: [&str; 33] = [
    "abs",
    "array_length",
    "array_reverse",
    "array_to_string",
    "byte_length",
    "ceil",
    "char_length",
    "coalesce",
    "concat",
    "contains_substr",
    "ends_with",
    "floor",
    "if",
    "ifnull",
    "initcap",
    "instr",
    "json_query",
    "json_value",
    "length",
    "lower",
    "ltrim",
    "nullif",
    "replace",
    "reverse",
    "rtrim",
    "split",
    "starts_with",
    "strpos",
    "to_base64",
    "to_hex",
    "to_json_string",
    "trim",
    "upper",
];

impl Binder<'_> {
    /// `SAFE.` before the name of a function: the result is null instead of an error.
    pub(super) fn safe_call(&mut self, name: &str, arguments: &[Expr]) -> Result<Expr, Refusal> {
        let own = format!("safe.{name}");
        if crate::bind::functions::is_known(&own) {
            return self.function(&own, arguments);
        }
        if matches!(name, "int64" | "float64" | "bool" | "string") && arguments.len() == 1 {
            return self.out_of_json(name, &arguments[0], true);
        }
        let moment = match name {
            "timestamp" => Some(Type::Timestamp),
            "datetime" => Some(Type::Datetime),
            "date" => Some(Type::Date),
            "time" => Some(Type::Time),
            "parse_numeric" | "parse_bignumeric" => Some(Type::Number),
            _ => None,
        };
        if let (Some(type_), [text]) = (moment, arguments)
            && text.type_ == Type::String
        {
            return self.cast(text, &type_, true);
        }
        let guard = match name {
            "lpad" | "rpad" if arguments.len() == 2 => "{1} >= 0",
            "chr" => "({0} BETWEEN 1 AND 55295 OR {0} BETWEEN 57344 AND 1114111)",
            "substr" | "substring" if arguments.len() == 3 => "{2} >= 0",
            "left" | "right" | "repeat" => "{1} >= 0",
            "ln" | "log" if arguments.len() == 1 => "{0} > 0",
            "log10" => "{0} > 0",
            "sqrt" => "{0} >= 0",
            "div" | "mod" => "{1} <> 0",
            name if NEVER_FAIL.contains(&name) => return self.special(name, arguments),
            _ => return Err(Refusal::unsupported(&format!("SAFE. before {name}"))),
        };
        // The guard needs numbers, as the call itself does.
        let guarded: Vec<Expr> = arguments.iter().map(|argument| self.as_number(argument)).collect();
        let value = self.special(name, arguments)?;
        let condition = Expr::filled(guard, &guarded, Type::Bool);
        let type_ = value.type_.clone();
        Ok(self.choice(&[condition], &[value], false, type_))
    }

    fn as_number(&mut self, argument: &Expr) -> Expr {
        self.numeric(argument, "SAFE").unwrap_or_else(|_| argument.clone())
    }
}
