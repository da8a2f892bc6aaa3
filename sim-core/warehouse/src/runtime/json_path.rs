//! `jsonb_path_query` and its siblings in PostgreSQL's dialect.

use rusqlite::Result;
use rusqlite::types::Value;
use sim_values::error::SqlError;
use sim_values::jsonpath::Path;
use sim_values::value::json::Json;

use super::{Arguments, Function, refused};

pub(super) const FUNCTIONS: &[Function] = &[
    Function { name: "wh_json_path", call: items },
    Function { name: "wh_json_path_exists", call: exists },
    Function { name: "wh_json_path_match", call: matches },
];

/// All that a path selects, as an array.
fn items(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(Json::Array(found(a).map_err(refused)?).print_compact().into())
}

/// `@?`
fn exists(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(suppressed(found(a))?.map_or(Value::Null, |found| (!found.is_empty()).into()))
}

/// `@@`: only a truth value is one.
fn matches(a: &Arguments<'_, '_>) -> Result<Value> {
    Ok(match suppressed(found(a))?.as_deref() {
        Some([Json::Bool(truth)]) => (*truth).into(),
        _ => Value::Null,
    })
}

fn found(a: &Arguments<'_, '_>) -> std::result::Result<Vec<Json>, SqlError> {
    a.budget.work(a.bytes(0).len() / 4)?;
    Path::parse(a.text(1))?.items(&Json::parse(a.text(0))?, None, a.budget)
}

/// None for an error that the operators take as unknown: of the document, not of the budget.
fn suppressed<T>(found: std::result::Result<T, SqlError>) -> Result<Option<T>> {
    match found {
        Err(error) if error.code.as_str().starts_with("22") => Ok(None),
        found => found.map(Some).map_err(refused),
    }
}
