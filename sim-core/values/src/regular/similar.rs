//! `SIMILAR TO`.

use crate::error::{Result, SqlError, SqlState};

/// The regular expression of a `SIMILAR TO` pattern. Two escaped double quotes enclose the part that `substring` returns; what is
/// before them matches as little as possible.
pub fn similar(pattern: &str, escape: Option<char>) -> Result<String> {
    let mut out = String::from("^(?:");
    let mut in_bracket = false;
    let mut lazy = escape.is_some_and(|escape| pattern.contains(&format!("{escape}\"")));
    let mut divisions = 0;
    let mut rest = pattern.chars();
    while let Some(character) = rest.next() {
        match character {
            _ if Some(character) == escape => match rest.next() {
                Some('"') => {
                    divisions += 1;
                    lazy = false;
                    out.push_str(match divisions {
                        1 => ")(",
                        2 => ")(?:",
                        _ => return Err(too_divided()),
                    });
                }
                Some(escaped) => out.extend(['\\', escaped]),
                None => return Err(SqlError::unsupported("a SIMILAR pattern that ends with its escape")),
            },
            '[' | ']' => {
                in_bracket = character == '[';
                out.push(character);
            }
            _ if in_bracket => out.push(character),
            '%' => out.push_str(if lazy { ".*?" } else { ".*" }),
            '_' => out.push('.'),
            '\\' | '.' | '^' | '$' => out.extend(['\\', character]),
            '(' => out.push_str("(?:"),
            '*' | '+' | '?' | '}' if lazy => out.extend([character, '?']),
            other => out.push(other),
        }
    }
    out.push_str(")$");
    Ok(out)
}

fn too_divided() -> SqlError {
    let message = "SQL regular expression may not contain more than two escape-double-quote separators";
    SqlError::new(SqlState::new("2200C"), message)
}
