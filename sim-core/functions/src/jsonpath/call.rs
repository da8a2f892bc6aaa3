//! Calls of the functions that take the values of variables.

use sim_values::jsonpath::Path;

use super::super::Arguments;
use super::super::json::read;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::value::json::Json;

/// What a call with variables finds.
pub(super) enum Answer {
    Found(Vec<Json>),
    /// The document or the path is null.
    Null,
    /// There was an error that counts as none.
    Failed,
}

pub(super) fn is_silent(a: &Arguments<'_, '_>) -> bool {
    a.len() > 3 && !a.is_null(3) && a.int(3) != 0
}

pub(super) fn answer(a: &Arguments<'_, '_>) -> Result<Answer> {
    // With a fourth argument, the third may be null because a call by name has left it out.
    if a.is_null(0) || a.is_null(1) || a.len() == 3 && a.is_null(2) {
        return Ok(Answer::Null);
    }
    let path = Path::parse(a.text(1))?;
    let root = read(a, 0)?;
    let variables = if a.len() > 2 && !a.is_null(2) { Some(read(a, 2)?) } else { None };
    if variables.as_ref().is_some_and(|known| !matches!(known, Json::Object(_))) {
        return Err(SqlError::new(SqlState::INVALID_PARAMETER, "\"vars\" argument is not an object")
            .detail("Jsonpath parameters should be encoded as key-value pairs of \"vars\" object."));
    }
    match path.items(&root, variables.as_ref(), a.budget()) {
        Err(error) if is_silent(a) && error.code.as_str().starts_with("22") => Ok(Answer::Failed),
        found => found.map(Answer::Found),
    }
}

/// The items that a call finds; `None` if its result is null.
pub(super) fn asked(a: &Arguments<'_, '_>) -> Result<Option<Vec<Json>>> {
    Ok(match answer(a)? {
        Answer::Found(found) => Some(found),
        Answer::Null => None,
        Answer::Failed => Some(Vec::new()),
    })
}
