//! The result of one call, in the format of the corpus.

use std::fmt;

use serde_json::{Map, Number, Value};

/// Rows, or an error.
pub(crate) enum Answer {
    Rows(Vec<Map<String, Value>>),
    Refusal(Refusal),
}

/// An error, as far as clients see it.
#[derive(Default)]
pub(crate) struct Refusal {
    pub(crate) code: String,
    pub(crate) message: String,
    pub(crate) detail: Option<String>,
    pub(crate) hint: Option<String>,
    /// The position of the error in characters, counted from one.
    pub(crate) position: Option<usize>,
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Answer::Rows(rows) if rows.is_empty() => f.write_str("no rows"),
            Answer::Rows(rows) => {
                let lines: Vec<String> =
                    rows.iter().map(|row| plain(&Value::Object(row.clone())).to_string()).collect();
                f.write_str(&lines.join("\n"))
            }
            Answer::Refusal(refusal) => refusal.fmt(f),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ERROR {}: {}", self.code, one_line(&self.message))?;
        if let Some(detail) = &self.detail {
            write!(f, "\nDETAIL: {}", one_line(detail))?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\nHINT: {}", one_line(hint))?;
        }
        if let Some(position) = self.position {
            write!(f, "\nAT {position}")?;
        }
        Ok(())
    }
}

fn one_line(text: &str) -> String {
    text.replace('\n', "\\n")
}

/// The value with every number as in JavaScript: 3 and 3.0 are the same number.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => Value::Number(plain_number(number)),
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => {
            Value::Object(members.iter().map(|(name, member)| (name.clone(), plain(member))).collect())
        }
        other => other.clone(),
    }
}

fn plain_number(number: &Number) -> Number {
    match number.as_f64() {
        Some(float) if float.fract() == 0.0 && float.abs() <= 9_007_199_254_740_991.0 => {
            Number::from(float as i64)
        }
        _ => number.clone(),
    }
}
