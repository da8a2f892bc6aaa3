//! The text of a body as the reader reads it: without the options in front, and with blanks around `..`.

use super::super::tree::Conflict;
use crate::error::{Result, SqlError, SqlState};

/// An error with its place in the text that was read, without the blanks that the reader has added.
pub(in crate::plpgsql) fn placed(text: &str, error: SqlError) -> SqlError {
    let (Some(at), Ok((text, _))) = (error.position, without_options(text)) else { return error };
    let (_, added) = with_ranges_apart(&text);
    let before = added.iter().filter(|place| **place < at).count();
    error.nowhere().at(at - before)
}

/// A text without the blanks and comments at its beginning.
fn after_comments(text: &str) -> &str {
    let rest = text.trim_start();
    let after = match rest.get(..2) {
        Some("--") => rest.split_once('\n').map(|(_, after)| after),
        Some("/*") => rest.split_once("*/").map(|(_, after)| after),
        _ => None,
    };
    after.map_or(rest, after_comments)
}

/// Takes the options in front of a body away: `#variable_conflict use_column`.
pub(super) fn without_options(text: &str) -> Result<(String, Conflict)> {
    let (mut conflict, mut rest) = (Conflict::Error, text);
    while let Some(option) = after_comments(rest).strip_prefix('#') {
        let (name, after) = first_word(option);
        let (value, after) = first_word(after);
        conflict = match (name.to_lowercase().as_str(), value.to_lowercase().as_str()) {
            ("variable_conflict", "error") => Conflict::Error,
            ("variable_conflict", "use_variable") => Conflict::Variable,
            ("variable_conflict", "use_column") => Conflict::Column,
            ("option", _) | ("print_strict_params", "on" | "off") => conflict,
            _ => {
                let wrong = [value, name].into_iter().find(|word| !word.is_empty()).unwrap_or("#");
                let message = format!("syntax error at or near \"{wrong}\"");
                return Err(SqlError::new(SqlState::SYNTAX_ERROR, message));
            }
        };
        rest = after;
    }
    // What follows keeps its place.
    let blank = |byte| if byte == b'\n' { '\n' } else { ' ' };
    let blanks: String = text[..text.len() - rest.len()].bytes().map(blank).collect();
    Ok((blanks + rest, conflict))
}

/// The first word of a text, and what follows it.
fn first_word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()))
}

/// Puts blanks around `..`, which the tokenizer would read as parts of numbers. Also returns where.
pub(super) fn with_ranges_apart(text: &str) -> (String, Vec<usize>) {
    let mut added = Vec::new();
    if !text.contains("..") {
        return (text.to_owned(), added);
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let skipped = match next {
            '\'' | '"' => rest[1..].find(next).map_or(rest.len(), |end| end + 2),
            '-' if rest.starts_with("--") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '$' => quoted(rest),
            '.' if rest.starts_with("..") => {
                added.extend([out.len(), out.len() + 3]);
                out.push_str(" .. ");
                rest = &rest[2..];
                continue;
            }
            other => other.len_utf8(),
        };
        out.push_str(&rest[..skipped]);
        rest = &rest[skipped..];
    }
    (out, added)
}

/// The length of the text in dollar quotes that begins here; 1 if none does.
fn quoted(text: &str) -> usize {
    let Some(end) = text[1..].find('$') else { return 1 };
    let tag = &text[..end + 2];
    if !tag[1..=end].chars().all(|c| c.is_alphanumeric() || c == '_')
        || tag[1..].starts_with(|c: char| c.is_ascii_digit())
    {
        return 1;
    }
    text[tag.len()..].find(tag).map_or(text.len(), |at| at + 2 * tag.len())
}
