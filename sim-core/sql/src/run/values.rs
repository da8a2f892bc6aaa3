//! Parameters of a call, as literals in its text.

use std::borrow::Cow;

use serde_json::Value as Json;
use sqlparser::tokenizer::{Token, TokenWithSpan};

use crate::error::{Result, SqlError, SqlState};
use crate::print::text_literal;
use crate::source::Source;

/// Puts the parameters into the text, for a server that accepts only texts.
pub fn with_values<'t>(text: &'t str, parameters: &[Json]) -> Result<Cow<'t, str>> {
    if parameters.is_empty() {
        return Ok(text.into());
    }
    require_places(&Source::sent(text).statements()?, parameters.len())?;
    let literal = |value: &Option<String>| match value {
        Some(text) => format!("'{}'", text.replace('\'', "''")),
        None => "null".to_owned(),
    };
    let values = parameters.iter().map(|value| Ok(literal(&parameter(value)?)));
    let values = values.collect::<Result<Vec<_>>>()?;
    let statement = text.trim_end().trim_end_matches(';');
    Ok(format!("prepare call_with_values as {statement}\n; execute call_with_values ({})", values.join(", "))
        .into())
}

/// Refuses values for several statements, and another number of values than the statement has places for.
pub(super) fn require_places(statements: &[Vec<TokenWithSpan>], values: usize) -> Result<()> {
    if values == 0 {
        return Ok(());
    }
    if statements.len() > 1 {
        return Err(several_with_values());
    }
    let mut places = 0;
    for token in statements.iter().flatten().filter(|token| matches!(token.token, Token::Placeholder(_))) {
        // A place that no value can have is refused by its name.
        let Some(number) = crate::ddl::parameter_number(token) else { return Ok(()) };
        places = places.max(number);
    }
    if places == values {
        return Ok(());
    }
    let text =
        format!("bind message supplies {values} parameters, but prepared statement \"\" requires {places}");
    Err(SqlError::new(SqlState::PROTOCOL_VIOLATION, text))
}

pub(crate) fn several_with_values() -> SqlError {
    SqlError::new(SqlState::SYNTAX_ERROR, "cannot insert multiple commands into a prepared statement")
}

/// A parameter as text, as a driver sends it.
pub(super) fn parameter(value: &Json) -> Result<Option<String>> {
    let text = match value {
        Json::Null => return Ok(None),
        Json::String(text) => text.clone(),
        Json::Array(items) => array_parameter(items),
        other => other.to_string(),
    };
    if text.contains('\0') { Err(crate::source::zero_byte()) } else { Ok(Some(text)) }
}

pub(super) fn array_parameter(items: &[Json]) -> String {
    let items = items.iter().map(|item| match item {
        Json::Null => "NULL".to_owned(),
        Json::Array(nested) => array_parameter(nested),
        Json::String(text) => format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")),
        Json::Object(_) => format!("\"{}\"", item.to_string().replace('\\', "\\\\").replace('"', "\\\"")),
        other => other.to_string(),
    });
    format!("{{{}}}", items.collect::<Vec<_>>().join(","))
}

/// A text as a literal in the engine's own SQL.
pub(crate) fn literal(text: &str) -> String {
    text_literal(text)
}
