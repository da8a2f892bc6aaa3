//! Looks names and identifiers up in the maps that the binder writes into a statement.

use std::sync::Arc;

use rusqlite::Connection;
use rusqlite::functions::Context;
use rusqlite::types::{Value, ValueRef};
use serde_json::{Map, Value as Json};
use sim_values::budget::Budget;

use super::bind::split_name;
use super::catalog::quote_identifier;
use super::connection::text;
use super::error::{Result, SqlError, SqlState};
use super::functions::PURE;
use super::functions::decoded::parsing_work;
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
    let canonical = canonical(type_, name)?;
    if let Some(found) = map.get(&canonical) {
        return Ok(found.clone());
    }
    let before_list = canonical.split('(').next().unwrap_or_default();
    if let Some((schema, _)) = before_list.rsplit_once('.')
        && ["regclass", "regproc", "regprocedure"].contains(&type_)
        && !map.contains_key(&format!("{schema}."))
    {
        let message = format!("schema \"{}\" does not exist", schema.replace('"', ""));
        return Err(SqlError::new(SqlState::INVALID_SCHEMA, message));
    }
    let (code, kind) = match type_ {
        "regclass" => (SqlState::UNDEFINED_TABLE, "relation"),
        "regtype" => (SqlState::UNDEFINED_OBJECT, "type"),
        "regnamespace" => (SqlState::INVALID_SCHEMA, "schema"),
        "regrole" => (SqlState::UNDEFINED_OBJECT, "role"),
        _ => (SqlState::UNDEFINED_FUNCTION, "function"),
    };
    let name = if kind == "function" { name.to_owned() } else { name.replace('"', "") };
    Err(SqlError::new(code, format!("{kind} \"{name}\" does not exist")))
}

/// A name as the maps of names have it: each part is quoted where PostgreSQL quotes it, and a built-in type has the name that
/// it is shown with.
pub(super) fn canonical(type_: &str, text: &str) -> Result<String> {
    match type_ {
        "regtype" => Ok(canonical_type(text)),
        "regnamespace" | "regrole" => single_name(text).map(|name| quote_identifier(&name)),
        "regprocedure" => {
            let malformed = || SqlError::new(SqlState::INVALID_TEXT, "expected a left parenthesis");
            let at = outside_quotes(text).find(|(_, c)| *c == '(').ok_or_else(malformed)?.0;
            let list = text[at + 1..].trim_end().trim_end_matches(')');
            let commas = outside_quotes(list).filter(|(_, c)| *c == ',').map(|(at, _)| at);
            let ends: Vec<usize> = commas.chain([list.len()]).collect();
            let starts = std::iter::once(0).chain(ends.iter().map(|end| end + 1));
            let types = starts.zip(&ends).map(|(start, end)| canonical_type(&list[start..*end]));
            let types = if list.trim().is_empty() { Vec::new() } else { types.collect() };
            Ok(format!("{}({})", canonical_name(&text[..at]), types.join(",")))
        }
        _ => Ok(canonical_name(text)),
    }
}

fn canonical_name(text: &str) -> String {
    let (schema, name) = split_name(text);
    let parts = schema.iter().chain([&name]).map(|part| quote_identifier(part));
    parts.collect::<Vec<_>>().join(".")
}

/// A name that has no schema.
pub(super) fn single_name(text: &str) -> Result<String> {
    let spaced = outside_quotes(text.trim()).any(|(_, c)| c.is_whitespace());
    match split_name(text) {
        (None, name) if !spaced => Ok(name),
        _ => Err(SqlError::new(SqlState::new("42602"), "invalid name syntax")),
    }
}

fn canonical_type(text: &str) -> String {
    let mut name = text.trim();
    let mut brackets = "";
    while let Some(element) = name.strip_suffix(']').and_then(|rest| {
        rest.trim_end_matches(|c: char| c.is_ascii_digit() || c.is_whitespace()).strip_suffix('[')
    }) {
        (name, brackets) = (element.trim_end(), "[]");
    }
    let (schema, own) = split_name(&without_modifier(name));
    // Only a bare name may be that of the SQL standard.
    let internal = schema.is_some() || name.ends_with('"');
    let own = if internal { own } else { own.split_whitespace().collect::<Vec<_>>().join(" ") };
    let built_in = match &*own {
        "char" if internal => Some(Type::QCHAR),
        own if !internal && own.starts_with("interval ") => Some(Type::INTERVAL),
        own => Type::named(own),
    };
    match (schema.as_deref(), built_in) {
        (None | Some("pg_catalog"), Some(found)) => {
            let element = found.element().unwrap_or(found);
            let brackets = if element == found { brackets } else { "[]" };
            format!("{}{brackets}", element.builtin().map_or(&*own, |known| known.display))
        }
        (Some(schema), _) => format!("{}.{}{brackets}", quote_identifier(schema), quote_identifier(&own)),
        (None, None) => format!("{}{brackets}", quote_identifier(&own)),
    }
}

/// A type without its modifier: `timestamp with time zone` of `timestamp(3) with time zone`.
fn without_modifier(text: &str) -> String {
    let at = |bracket| outside_quotes(text).find(|(_, c)| *c == bracket).map(|(at, _)| at);
    match (at('('), at(')')) {
        (Some(from), Some(to)) if from < to => format!("{}{}", &text[..from], &text[to + 1..]),
        _ => text.to_owned(),
    }
}

/// The characters that are not within quotes, and where they are.
fn outside_quotes(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut quoted = false;
    text.char_indices().filter(move |(_, character)| {
        quoted ^= *character == '"';
        !quoted && *character != '"'
    })
}
