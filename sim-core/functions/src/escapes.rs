//! Escapes for characters in texts: `\0061`, `\+000061`.

use sim_values::error::{Result, SqlError, SqlState};

/// The escapes of a text, in the grammar and in `unistr`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Escapes {
    /// `\XXXX` and `\+XXXXXX`.
    Grammar,
    /// Also `\uXXXX` and `\UXXXXXXXX`.
    Function,
}

impl Escapes {
    const fn hint(self) -> &'static str {
        match self {
            Escapes::Grammar => "Unicode escapes must be \\XXXX or \\+XXXXXX.",
            Escapes::Function => "Unicode escapes must be \\XXXX, \\+XXXXXX, \\uXXXX, or \\UXXXXXXXX.",
        }
    }
}

/// A text without escapes. `place`: where its first character stands.
pub fn plain(text: &str, escape: char, forms: Escapes, place: Option<usize>) -> Result<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    let mut first_half: Option<u32> = None;
    while let Some(next) = rest.chars().next() {
        let at = place.map(|place| place + text.len() - rest.len());
        let surrogate = || SqlError::new(SqlState::SYNTAX_ERROR, "invalid Unicode surrogate pair").at(at);
        let (code, length) = match next == escape {
            false => (None, next.len_utf8()),
            true if rest[next.len_utf8()..].starts_with(escape) => (None, 2 * next.len_utf8()),
            true => {
                let after = &rest[next.len_utf8()..];
                let is_function = forms == Escapes::Function;
                let (digits, count) = match after.chars().next() {
                    Some('+') => (&after[1..], 6),
                    Some('u') if is_function => (&after[1..], 4),
                    Some('U') if is_function => (&after[1..], 8),
                    _ => (after, 4),
                };
                let code = digits.get(..count).filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()));
                let code = code.and_then(|digits| u32::from_str_radix(digits, 16).ok()).ok_or_else(|| {
                    SqlError::new(SqlState::SYNTAX_ERROR, "invalid Unicode escape").hint(forms.hint()).at(at)
                })?;
                (Some(code), next.len_utf8() + after.len() - digits.len() + count)
            }
        };
        rest = &rest[length..];
        match (first_half.take(), code) {
            (Some(first), Some(second @ 0xDC00..=0xDFFF)) => {
                let code = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                plain.push(char::from_u32(code).ok_or_else(surrogate)?);
            }
            (Some(_), _) | (None, Some(0xDC00..=0xDFFF)) => return Err(surrogate()),
            (None, Some(code @ 0xD800..=0xDBFF)) => first_half = Some(code),
            (None, Some(0)) => return Err(zero_byte()),
            (None, Some(code)) => plain.push(char::from_u32(code).ok_or_else(|| {
                SqlError::new(SqlState::SYNTAX_ERROR, "invalid Unicode escape value").at(at)
            })?),
            (None, None) => plain.push(next),
        }
    }
    match first_half {
        None => Ok(plain),
        Some(_) => Err(SqlError::new(SqlState::SYNTAX_ERROR, "invalid Unicode surrogate pair")
            .at(place.map(|place| place + text.len()))),
    }
}

/// The error for a zero byte, which no text can contain.
pub fn zero_byte() -> SqlError {
    SqlError::new(SqlState::new("22021"), "invalid byte sequence for encoding \"UTF8\": 0x00")
}
