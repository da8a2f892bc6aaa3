//! Functions and operators over SQL/JSON paths.

mod call;

use call::{Answer, answer, asked, is_silent};
use rusqlite::types::Value;
use sim_values::jsonpath::Path;

use super::json::{read, set};
use super::text::truth;
use super::{Arguments, Function};
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::json::{ELEMENT, Json};

const B: Type = Type::JSONB;
const ON: &[Type] = &[Type::JSONB, Type::JSONPATH];

/// The document, the path, the values of its variables, and whether errors are no errors.
const ON_WITH_VARIABLES: &[Type] = &[Type::JSONB, Type::JSONPATH, Type::JSONB, Type::BOOL];

/// A function whose last two arguments can be left out or named.
const fn with_variables(function: Function) -> Function {
    Function { names: &["target", "path", "vars", "silent"], optional: 2, strict: false, ..function }
}

// Each function has a second name, for paths that compare times in the session's zone.

const fn query_set(name: &'static str) -> Function {
    with_variables(Function::set(name, ON_WITH_VARIABLES, B, &[], |a| {
        let found = asked(a)?.unwrap_or_default();
        a.budget().hold(found.len().saturating_mul(ELEMENT))?;
        set(found.iter().map(|item| item.print().into()))
    }))
}

const fn query_array(name: &'static str) -> Function {
    with_variables(Function::rust(name, ON_WITH_VARIABLES, B, |a| {
        Ok(asked(a)?.map_or(Value::Null, |found| Value::Text(Json::Array(found).print())))
    }))
}

const fn query_first(name: &'static str) -> Function {
    with_variables(Function::rust(name, ON_WITH_VARIABLES, B, |a| {
        let found = asked(a)?.unwrap_or_default();
        Ok(found.first().map_or(Value::Null, |item| Value::Text(item.print())))
    }))
}

const fn exists(name: &'static str) -> Function {
    with_variables(Function::rust(name, ON_WITH_VARIABLES, Type::BOOL, |a| match answer(a)? {
        Answer::Found(found) => truth(!found.is_empty()),
        Answer::Null | Answer::Failed => Ok(Value::Null),
    }))
}

const fn predicate(name: &'static str) -> Function {
    with_variables(Function::rust(name, ON_WITH_VARIABLES, Type::BOOL, |a| match answer(a)? {
        Answer::Found(found) => match found.as_slice() {
            [Json::Bool(value)] => truth(*value),
            [Json::Null] => Ok(Value::Null),
            _ if is_silent(a) => Ok(Value::Null),
            _ => Err(SqlError::new(SqlState::new("22038"), "single boolean result is expected")),
        },
        Answer::Null | Answer::Failed => Ok(Value::Null),
    }))
}

pub(super) static FUNCTIONS: &[Function] = &[
    query_set("jsonb_path_query"),
    query_set("jsonb_path_query_tz"),
    query_array("jsonb_path_query_array"),
    query_array("jsonb_path_query_array_tz"),
    query_first("jsonb_path_query_first"),
    query_first("jsonb_path_query_first_tz"),
    exists("jsonb_path_exists"),
    exists("jsonb_path_exists_tz"),
    Function::rust("@?", ON, Type::BOOL, |a| match query(a) {
        Ok(found) => truth(!found.is_empty()),
        Err(error) if error.code.as_str().starts_with("22") => Ok(Value::Null),
        Err(error) => Err(error),
    }),
    predicate("jsonb_path_match"),
    predicate("jsonb_path_match_tz"),
    Function::rust("@@", ON, Type::BOOL, |a| match query(a)?.as_slice() {
        [Json::Bool(value)] => truth(*value),
        _ => Ok(Value::Null),
    }),
];

fn query(a: &Arguments<'_, '_>) -> Result<Vec<Json>> {
    let path = Path::parse(a.text(1))?;
    let root = read(a, 0)?;
    path.items(&root, None, a.budget())
}
