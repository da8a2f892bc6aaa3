//! Looks names and identifiers up in the maps that the binder writes into a statement.

use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::functions::Context;
use rusqlite::types::{Value, ValueRef};
use serde_json::{Map, Value as Json};
use sim_values::budget::Budget;

use super::connection::{PURE, text};
use super::decoded::parsing_work;
use super::error::{Result, SqlError, SqlState};
use super::functions::{admit, size, through_sqlite};
use super::state::Shared;
use super::types::Type;
use super::value::array;

pub(super) fn register(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    // What the map has for a key; null for none.
    with_map(connection, shared, "pg_lookup", |map, context| {
        let found = match context.get_raw(1) {
            ValueRef::Integer(number) => map.get(&number.to_string()),
            key => map.get(key.as_str().unwrap_or("")),
        };
        Ok(found.map_or(Value::Null, |found| array::value(Type::TEXT, found)))
    })?;
    // The same for all elements of an array, which stay if the map has nothing for them.
    with_map(connection, shared, "pg_lookup_all", |map, context| {
        let items = array::elements(text(context, 1)).into_iter();
        let found = items.map(|item| map.get(&item.to_string()).cloned().unwrap_or(item));
        Ok(array::like(text(context, 1), found.collect()))
    })?;
    // The identifier of an object by name. The third argument is the `reg` type.
    with_map(connection, shared, "pg_named", |map, context| {
        Ok(array::value(Type::TEXT, &named(map, text(context, 1), text(context, 2))?))
    })?;
    with_map(connection, shared, "pg_named_all", |map, context| {
        let items = array::elements(text(context, 1)).into_iter();
        let found = items.map(|item| match &item {
            Json::String(name) => named(map, name, text(context, 2)),
            _ => Ok(item),
        });
        Ok(array::like(text(context, 1), found.collect::<Result<_>>()?))
    })
}

/// Registers a function of a map and a key. SQLite keeps what belongs to a literal from row to row, so the map is read once.
fn with_map(
    connection: &Connection,
    shared: &Shared,
    name: &str,
    call: fn(&Map<String, Json>, &Context<'_>) -> Result<Value>,
) -> rusqlite::Result<()> {
    let budget = shared.budget.clone();
    connection.create_scalar_function(name, -1, PURE, move |context| {
        admit(&budget, size(context.get_raw(1))).map_err(through_sqlite)?;
        if context.get_raw(1) == ValueRef::Null {
            return Ok(Value::Null);
        }
        call(&*map_of(context, &budget)?, context).map_err(through_sqlite)
    })
}

fn map_of(context: &Context<'_>, budget: &Budget) -> rusqlite::Result<Arc<Map<String, Json>>> {
    context.get_or_create_aux(0, |map| {
        let text = map.as_str().unwrap_or("{}");
        budget.work(parsing_work(text.as_bytes())).map_err(|error| error.encode())?;
        Ok::<_, String>(serde_json::from_str(text).unwrap_or_default())
    })
}

/// The identifier of an object by name, for a `reg` type. Digits are the identifier itself.
fn named(map: &Map<String, Json>, name: &str, type_: &str) -> Result<Json> {
    let name = name.trim();
    if let Some(found) = map.get(name) {
        return Ok(found.clone());
    }
    if let Ok(number) = name.parse::<u32>() {
        return Ok(number.into());
    }
    let (code, kind) = match type_ {
        "regclass" => (SqlState::UNDEFINED_TABLE, "relation"),
        "regtype" => (SqlState::UNDEFINED_OBJECT, "type"),
        "regnamespace" => (SqlState::INVALID_SCHEMA, "schema"),
        "regrole" => (SqlState::UNDEFINED_OBJECT, "role"),
        _ => (SqlState::UNDEFINED_FUNCTION, "function"),
    };
    Err(SqlError::new(code, format!("{kind} \"{name}\" does not exist")))
}
