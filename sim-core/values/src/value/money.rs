//! Amounts of money: integers of hundredths, with a dollar sign in texts.

use super::invalid;
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;

/// Reads an amount: `12.34`, `$1,234.50`, `(5)`, `-$2`.
pub fn parse(text: &str) -> Result<i64> {
    let trimmed = text.trim();
    let mut rest = trimmed;
    let mut negative = false;
    loop {
        rest = rest.trim_start();
        if let Some(inner) = rest.strip_prefix('-') {
            (negative, rest) = (true, inner);
        } else if let Some(inner) = rest.strip_prefix('(') {
            (negative, rest) = (true, inner.trim_end().strip_suffix(')').unwrap_or(inner));
        } else if let Some(inner) = rest.strip_prefix(['+', '$']) {
            rest = inner;
        } else {
            break;
        }
    }
    let rest = rest.trim_end();
    let (whole, fraction) = rest.split_once('.').unwrap_or((rest, ""));
    let digits: String = whole.chars().filter(|character| *character != ',').collect();
    let valid = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if !valid(&digits) || !valid(fraction) || (digits.is_empty() && fraction.is_empty()) {
        return Err(invalid(Type::MONEY, text));
    }
    let out_of_range = || {
        let message = format!("value \"{text}\" is out of range for type money");
        SqlError::new(SqlState::OUT_OF_RANGE, message)
    };
    let mut hundredths =
        digits.parse::<i128>().or_else(|error| if digits.is_empty() { Ok(0) } else { Err(error) });
    if let Ok(amount) = &mut hundredths {
        let padded = format!("{fraction}000");
        let cents: i128 = padded[..2].parse().unwrap_or(0);
        *amount = *amount * 100 + cents + i128::from(padded.as_bytes()[2] >= b'5');
    }
    let amount = hundredths.map_err(|_| out_of_range())?;
    i64::try_from(if negative { -amount } else { amount }).map_err(|_| out_of_range())
}

/// Writes an amount: `-$1,234.50`.
pub fn print(hundredths: i64) -> String {
    let magnitude = hundredths.unsigned_abs();
    let digits = (magnitude / 100).to_string();
    let mut whole = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            whole.push(',');
        }
        whole.push(digit);
    }
    let sign = if hundredths < 0 { "-" } else { "" };
    format!("{sign}${whole}.{:02}", magnitude % 100)
}
