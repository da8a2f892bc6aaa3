//! Prepares a connection for project databases: functions, collations, and an interrupt for endless statements.

use rusqlite::Connection;
use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::limits::Limit;
use rusqlite::types::{Value, ValueRef};
use sim_values::across::Done as _;
use sim_values::budget::Budget;
use sim_values::zone;

use super::array_literal::array_literal;
use super::cast;
use super::compared;
use super::error::{Result, SqlError, SqlState};
use super::functions::{self, LENGTH_MAX, PURE, cached, hstore, pure, size, through_sqlite};
use super::names;
use super::parameters;
use super::parts;
use super::row_json;
use super::row_text::{RowText, row_field, row_texts};
use super::state::{Caller, Sequence, Shared};
use super::types::Type;
use super::value::json::{self, Json};
use super::value::{self, array, geometry, numeric};

/// What functions need of this engine.
const CALLER: Caller = Caller {
    report: super::plpgsql::report,
    extensions: || super::ddl::KNOWN_EXTENSIONS.iter().map(|known| (known.name, known.version)).collect(),
};

/// Prepares `connection` for any number of project databases. Call it once for each connection.
///
/// Fails when SQLite has no memory left.
pub fn prepare_connection(connection: &mut Connection) -> rusqlite::Result<()> {
    let shared = Shared::new(CALLER);
    connection.execute_batch("PRAGMA recursive_triggers = ON")?;
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, i32::try_from(LENGTH_MAX).unwrap_or(i32::MAX)).done()?;
    compared::register(connection, &shared)?;
    functions::register(connection, &shared)?;
    hooks(connection, &shared)?;
    super::touched::watch(connection)?;
    shared.attach(connection)
}

const VOLATILE: FunctionFlags = FunctionFlags::SQLITE_UTF8.union(FunctionFlags::SQLITE_INNOCUOUS);

/// Functions that the printer calls by name.
fn hooks(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    super::plpgsql::register(connection, PURE, VOLATILE)?;
    session(connection, shared)?;
    sequences(connection, shared)?;
    texts(connection, shared)?;
    containers(connection, shared)?;
    connection.create_aggregate_function("pg_single", 1, PURE, Single)?;
    pure(connection, shared, "pg_cast", |context| {
        let (from, to) = (Type(context.get(1)?), Type(context.get(2)?));
        let (modifier, explicit) = (context.get(3)?, context.get(4)?);
        cast::convert(context.get_raw(0), from, to, modifier, explicit).map_err(through_sqlite)
    })?;
    // Arguments: SQLSTATE, message, detail, and the schema and name of the table.
    for (name, flags) in [("pg_raise", VOLATILE), ("pg_raise_always", PURE)] {
        connection.create_scalar_function(name, -1, flags, |context| -> rusqlite::Result<Value> {
            let code: String = context.get(0)?;
            let mut error = SqlError::new(SqlState::new(&code), context.get::<String>(1)?);
            if context.len() > 2 {
                error = error.detail(context.get::<Option<String>>(2)?.unwrap_or_default());
            }
            if context.len() > 4 {
                error = error.of_table(&context.get::<String>(3)?, &context.get::<String>(4)?);
            }
            Err(through_sqlite(error))
        })?;
    }
    Ok(())
}

/// A value as errors about its row show it: of a longer one 64 bytes.
fn clipped(text: &str) -> String {
    const SHOWN_BYTES: usize = 64;
    match text.len() {
        0..=SHOWN_BYTES => text.to_owned(),
        _ => format!("{}...", &text[..text.floor_char_boundary(SHOWN_BYTES)]),
    }
}

/// Functions with which the engine sets and reads the state of a call.
fn session(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    let state = shared.clone();
    connection.create_scalar_function("pg_now", 0, PURE, move |_| Ok(state.lock().now))?;
    let state = shared.clone();
    connection.create_scalar_function("pg_role", 0, PURE, move |_| Ok(state.lock().role.clone()))?;
    let state = shared.clone();
    connection
        .create_scalar_function("pg_session_role", 0, PURE, move |_| Ok(state.lock().session_role.clone()))?;
    let state = shared.clone();
    connection.create_scalar_function("pg_become", 2, VOLATILE, move |context| {
        let mut state = state.lock();
        (state.role, state.session_role) = (context.get(0)?, context.get(1)?);
        Ok(Value::Null)
    })?;
    settings(connection, shared)?;
    let state = shared.clone();
    connection.create_scalar_function("pg_note", 1, VOLATILE, move |context| {
        state.lock().noted = context.get(0)?;
        Ok(Value::Null)
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_tell_event", 2, VOLATILE, move |context| {
        let told = (context.get(0)?, context.get(1)?);
        let before = std::mem::replace(&mut state.lock().event, told);
        Ok(serde_json::to_string(&before).unwrap_or_default())
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_begin_upsert", 1, VOLATILE, move |context| {
        state.lock().begin_upsert(context.get(0)?);
        Ok(Value::Null)
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_affect", 2, VOLATILE, move |context| {
        let (row, wanted) = (context.get(0)?, context.get::<Option<bool>>(1)?.unwrap_or(false));
        state.lock().affect(row, wanted).map_err(through_sqlite)
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_affected", 1, VOLATILE, move |context| {
        Ok(state.lock().is_affected(context.get(0)?))
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_noted", 0, VOLATILE, move |_| Ok(state.lock().noted.take()))
}

/// The bytes that a setting takes besides its name and value, here and where it is kept for later statements.
const SETTING: usize = 1_000;

/// `set_config`, and how the engine learns what it has set.
fn settings(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    let (state, budget) = (shared.clone(), shared.budget.clone());
    connection.create_scalar_function("pg_set_config", 3, VOLATILE, move |context| {
        let Some(name) = context.get::<Option<String>>(0)? else {
            let error = SqlError::new(SqlState::new("22004"), "SET requires parameter name");
            return Err(through_sqlite(error));
        };
        let value: Option<String> = context.get(1)?;
        let local = context.get::<Option<bool>>(2)?.unwrap_or(false);
        budget.hold(SETTING + name.len() + value.as_ref().map_or(0, String::len)).map_err(through_sqlite)?;
        state.lock().set.push((name.to_lowercase(), value.clone(), local));
        let shown = value.map(|value| parameters::shown(&name.to_lowercase(), &value));
        Ok(Value::Text(shown.unwrap_or_default()))
    })?;
    // The name of a parameter, its value when the statement began, and whether it need not be known.
    let (state, budget) = (shared.clone(), shared.budget.clone());
    connection.create_scalar_function("pg_setting", 3, VOLATILE, move |context| {
        let name = text(context, 0);
        budget.work(state.lock().set.len()).map_err(through_sqlite)?;
        let set = |(known, ..): &&(String, Option<String>, bool)| known == name;
        let own =
            state.lock().set.iter().rev().find(set).map(|(_, value, _)| value.clone().unwrap_or_default());
        let value = own.or_else(|| super::plpgsql::setting_now(name)).or(context.get(1)?);
        match value {
            Some(value) => Ok(Value::Text(value)),
            None if context.get(2)? => Ok(Value::Null),
            None => Err(through_sqlite(parameters::unknown(name))),
        }
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_settings_set", 0, VOLATILE, move |_| {
        let set = std::mem::take(&mut state.lock().set);
        Ok(serde_json::to_string(&set).unwrap_or_default())
    })
}

fn sequences(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    let state = shared.clone();
    connection.create_scalar_function("pg_load_sequence", 8, VOLATILE, move |context| {
        let sequence = Sequence {
            name: context.get(1)?,
            value: context.get(2)?,
            called: context.get(3)?,
            increment: context.get(4)?,
            minimum: context.get(5)?,
            maximum: context.get(6)?,
            cycle: context.get(7)?,
            current: None,
            stored: true,
        };
        state.lock().load(context.get(0)?, sequence);
        Ok(Value::Null)
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_sequence_values", 1, VOLATILE, move |context| {
        Ok(state.lock().sequence_values(context.get(0)?))
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_keep_sequences", 1, VOLATILE, move |context| {
        state.lock().keep_sequences(context.get(0)?);
        Ok(Value::Null)
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_drawn", 0, VOLATILE, move |_| {
        let session = state.lock().session();
        let kept = !session.is_empty();
        Ok(if kept { Value::Text(serde_json::to_string(&session).unwrap_or_default()) } else { Value::Null })
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_end_transaction", 1, VOLATILE, move |context| {
        state.lock().end_transaction(context.get(0)?);
        Ok(Value::Null)
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_note_change", 0, VOLATILE, move |_| {
        state.lock().note_change();
        Ok(Value::Null)
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_listen", 2, VOLATILE, move |context| {
        let channel: Option<String> = context.get(0)?;
        state.lock().listen(channel, context.get(1)?);
        Ok(Value::Null)
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_notify", 2, VOLATILE, move |context| {
        state.lock().notify(text(context, 0), text(context, 1)).map_err(through_sqlite)?;
        Ok(Value::Text(String::new()))
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_take_notified", 0, VOLATILE, move |_| {
        Ok(serde_json::to_string(&state.lock().take_notified()).unwrap_or_default())
    })?;
    // The advisory locks, as JSON: two numbers, whether it is shared, and in how many numbers it was named.
    let state = shared.clone();
    connection.create_scalar_function("pg_held_locks", 0, VOLATILE, move |_| {
        let locks: Vec<_> =
            state.lock().locks().map(|lock| (lock.class, lock.object, lock.form, lock.shared)).collect();
        Ok(serde_json::to_string(&locks).unwrap_or_default())
    })?;
    let state = shared.clone();
    connection.create_scalar_function("pg_resume", 1, VOLATILE, move |context| {
        state.lock().resume(serde_json::from_str(text(context, 0)).unwrap_or_default());
        Ok(Value::Null)
    })?;
    type Step = fn(&mut super::state::State, &Context<'_>) -> Result<i64>;
    let steps: [(&str, Step); 6] = [
        ("pg_sequence_value", |state, context| Ok(state.sequence(oid(context))?.value)),
        ("pg_sequence_called", |state, context| Ok(state.sequence(oid(context))?.called.into())),
        ("pg_nextval", |state, context| state.next_value(oid(context))),
        ("pg_currval", |state, context| state.current_value(oid(context))),
        ("pg_lastval", |state, _| state.last_value()),
        ("pg_setval", |state, context| {
            let value = context.get_raw(1).as_i64().unwrap_or(0);
            state.set_value(oid(context), value, context.get_raw(2).as_i64().unwrap_or(1) != 0)
        }),
    ];
    for (name, step) in steps {
        let state = shared.clone();
        connection.create_scalar_function(name, -1, VOLATILE, move |context| {
            // They are strict. `lastval` has no argument.
            if any_null(context) {
                return Ok(Value::Null);
            }
            step(&mut state.lock(), context).map(Value::Integer).map_err(through_sqlite)
        })?;
    }
    Ok(())
}

fn oid(context: &Context<'_>) -> u32 {
    context.get_raw(0).as_i64().ok().and_then(|oid| u32::try_from(oid).ok()).unwrap_or(0)
}

pub(super) fn text<'a>(context: &'a Context<'_>, index: usize) -> &'a str {
    if index < context.len() { context.get_raw(index).as_str().unwrap_or("") } else { "" }
}

fn any_null(context: &Context<'_>) -> bool {
    (0..context.len()).any(|index| context.get_raw(index) == ValueRef::Null)
}

/// Functions for patterns, and for texts that depend on the catalog.
fn texts(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    use super::pattern;
    type Matcher = fn(&str, &str, Option<&str>, &Budget) -> Result<bool>;
    let matchers: [(&str, Matcher); 4] = [
        ("pg_like", |text, pattern, escape, _| pattern::like(text, pattern, escape)),
        ("pg_ilike", |text, pattern, escape, _| {
            pattern::like(&text.to_lowercase(), &pattern.to_lowercase(), escape)
        }),
        ("pg_similar", |text, pattern, escape, budget| pattern::similar(text, pattern, escape, "", budget)),
        ("pg_similar_i", |text, pattern, escape, budget| {
            pattern::similar(text, pattern, escape, "i", budget)
        }),
    ];
    for (name, matches) in matchers {
        let budget = shared.budget.clone();
        pure(connection, shared, name, move |context| {
            if any_null(context) {
                return Ok(Value::Null);
            }
            let escape = (context.len() > 2).then(|| text(context, 2));
            let (value, pattern) = (text(context, 0), text(context, 1));
            budget.match_pattern(pattern, value.len()).map_err(through_sqlite)?;
            let matched = matches(value, pattern, escape, &budget).map_err(through_sqlite)?;
            Ok(Value::Integer(matched.into()))
        })?;
    }
    // Arguments: text, name of the enum, its labels, those of them that the transaction has added.
    pure(connection, shared, "pg_label", |context| {
        let ValueRef::Text(_) = context.get_raw(0) else { return Ok(Value::Null) };
        let label = text(context, 0);
        let labels: Vec<String> = serde_json::from_str(text(context, 2)).unwrap_or_default();
        if labels.iter().any(|known| known == label) {
            let fresh: Vec<String> = serde_json::from_str(text(context, 3)).unwrap_or_default();
            if fresh.iter().any(|fresh| fresh == label) {
                return Err(through_sqlite(super::bind::unsettled(label, text(context, 1))));
            }
            return Ok(Value::Text(label.to_owned()));
        }
        let message = format!("invalid input value for enum {}: \"{label}\"", text(context, 1));
        Err(through_sqlite(SqlError::new(SqlState::INVALID_TEXT, message)))
    })?;
    pure(connection, shared, "pg_text", |context| match context.get_raw(0) {
        ValueRef::Null => Ok(Value::Null),
        value => Ok(Value::Text(value::print(oid_at(context, 1), value))),
    })?;
    cached(connection, shared, "pg_clipped", |context| match context.get_raw(0) {
        ValueRef::Null => Ok(Value::Null),
        _ => Ok(Value::Text(clipped(text(context, 0)))),
    })?;
    pure(connection, shared, "pg_nested_array", |context| {
        value::array::nested(text(context, 0)).map(Value::Text).map_err(through_sqlite)
    })?;
    pure(connection, shared, "pg_computed", |_| Ok(Value::Integer(1)))?;
    pure(connection, shared, "pg_row_version", |context| Ok(Value::Integer(row_version(text(context, 0)))))?;
    pure(connection, shared, "pg_pretty", |context| match context.get_raw(0) {
        ValueRef::Null => Ok(Value::Null),
        _ => Ok(Value::Text(super::pretty::list(text(context, 0)))),
    })?;
    // Arguments: name of a type, its number, its modifier.
    pure(connection, shared, "pg_format_type", |context| {
        let (type_, modifier) = (oid_at(context, 1), context.get_raw(2).as_i64().unwrap_or(-1));
        let catalog = super::catalog::Catalog::default();
        Ok(match context.get_raw(0) {
            ValueRef::Null => Value::Null,
            _ if modifier >= 0 && !type_.is_user() => {
                let schema = text(context, 0).rsplit_once('.').map(|(schema, _)| format!("{schema}."));
                Value::Text(schema.unwrap_or_default() + &catalog.type_name(type_, modifier as i32))
            }
            _ => Value::Text(text(context, 0).to_owned()),
        })
    })
}

/// A number of 32 bits for the values of a row (FNV-1a). PostgreSQL's lowest numbers of transactions have a meaning.
fn row_version(values: &str) -> i64 {
    let mixed = values.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |mixed, byte| {
        (mixed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    ((mixed ^ (mixed >> 32)) % 4_000_000_000 + 1_000) as i64
}

fn oid_at(context: &Context<'_>, index: usize) -> Type {
    Type(context.get_raw(index).as_i64().ok().and_then(|oid| u32::try_from(oid).ok()).unwrap_or(0))
}

/// Functions for arrays, rows and JSON.
fn containers(connection: &Connection, shared: &Shared) -> rusqlite::Result<()> {
    let Shared { budget, decoded, .. } = shared.clone();
    cached(connection, shared, "pg_element", move |context| {
        if any_null(context) {
            return Ok(Value::Null);
        }
        let elements = decoded.elements(text(context, 0), &budget).map_err(through_sqlite)?;
        let bounds = array::lower_bounds(text(context, 0));
        let at = |index: usize| {
            let lower = bounds.get(index - 1).copied().unwrap_or(1);
            context.get::<i64>(index).map(|place| usize::try_from(place.saturating_sub(lower)).ok())
        };
        let mut element = at(1)?.and_then(|at| elements.get(at)).cloned().unwrap_or_default();
        for index in 2..context.len() {
            element = at(index)?.and_then(|at| element.get(at)).cloned().unwrap_or_default();
        }
        Ok(if element.is_array() && context.len() == 2 {
            Value::Null
        } else {
            array::value(Type::TEXT, &element)
        })
    })?;
    pure(connection, shared, "pg_flat", |context| match context.get_raw(0) {
        ValueRef::Text(_) => Ok(parts::flattened(text(context, 0))),
        _ => Ok(Value::Null),
    })?;
    pure(connection, shared, "pg_slice", |context| {
        let ValueRef::Text(_) = context.get_raw(0) else { return Ok(Value::Null) };
        parts::slice(context)
    })?;
    let Shared { budget, decoded, .. } = shared.clone();
    cached(connection, shared, "pg_item", move |context| {
        let ValueRef::Text(_) = context.get_raw(0) else { return Ok(Value::Null) };
        let items = decoded.elements(text(context, 0), &budget).map_err(through_sqlite)?;
        Ok(usize::try_from(context.get::<i64>(1)?)
            .ok()
            .and_then(|at| items.get(at))
            .map_or(Value::Null, |item| array::value(Type::TEXT, item)))
    })?;
    names::register(connection, shared)?;
    parts::register(connection, shared)?;
    // Arrays of timestamps in a session with a time zone.
    pure(connection, shared, "pg_Zone_texts", |context| {
        let ValueRef::Text(_) = context.get_raw(0) else { return Ok(Value::Null) };
        let items = zone::printed_all(text(context, 0), text(context, 1)).map_err(through_sqlite)?;
        Ok(Value::Text(array::print(Type(1009), &items)))
    })?;
    pure(connection, shared, "pg_Zone_reads", |context| {
        let ValueRef::Text(_) = context.get_raw(0) else { return Ok(Value::Null) };
        zone::parsed_all(text(context, 0), text(context, 1)).map(Value::Text).map_err(through_sqlite)
    })?;
    // Null means no limit, and to skip no rows.
    pure(connection, shared, "pg_row_count", |context| {
        let limits = text(context, 1) == "LIMIT";
        let count = context.get::<Option<i64>>(0)?.unwrap_or(if limits { i64::MAX } else { 0 });
        if count < 0 {
            let code = SqlState::new(if limits { "2201W" } else { "2201X" });
            let refusal = SqlError::new(code, format!("{} must not be negative", text(context, 1)));
            return Err(through_sqlite(refusal));
        }
        Ok(Value::Integer(count))
    })?;
    pure(connection, shared, "pg_object_name", |context| {
        let ValueRef::Text(_) = context.get_raw(0) else { return Ok(Value::Null) };
        let name = names::canonical(text(context, 1), text(context, 0));
        name.map(Value::Text).map_err(through_sqlite)
    })?;
    pure(connection, shared, "pg_zip", |context| {
        let lists: Vec<Vec<serde_json::Value>> =
            (0..context.len()).map(|index| array::elements(text(context, index))).collect();
        let longest = lists.iter().map(Vec::len).max().unwrap_or(0);
        let rows = (0..longest)
            .map(|at| lists.iter().map(|list| list.get(at).cloned().unwrap_or_default()).collect());
        Ok(array::of(rows.collect()))
    })?;
    // A text, and the number of fields of the row that it is.
    pure(connection, shared, "pg_row_fields", |context| {
        let ValueRef::Text(_) = context.get_raw(0) else { return Ok(Value::Null) };
        let fields = row_fields(text(context, 0), context.get::<u32>(1)?).map_err(through_sqlite)?;
        Ok(array::of(fields))
    })?;
    let budget = shared.budget.clone();
    pure(connection, shared, "pg_row_text", move |context| {
        // The quotes of a row in this row are doubled, so its text can grow at each level.
        budget.work(size(context.get_raw(0)) / 2).map_err(through_sqlite)?;
        let items = array::elements(text(context, 0));
        let fields = items.iter().map(|item| match item {
            serde_json::Value::Null => String::new(),
            item => row_field(&value::print(Type::TEXT, ValueRef::from(&array::value(Type::TEXT, item)))),
        });
        Ok(Value::Text(format!("({})", fields.collect::<Vec<_>>().join(","))))
    })?;
    // An array of rows, and the types of their fields as a JSON array.
    pure(connection, shared, "pg_rows_text", |context| {
        let ValueRef::Text(_) = context.get_raw(0) else { return Ok(Value::Null) };
        Ok(array::of(row_texts(array::elements(text(context, 0)), &array::elements(text(context, 1)))))
    })?;
    pure(connection, shared, "pg_to_json", |context| {
        let type_ = oid_at(context, 1);
        let jsonb: bool = context.get(2)?;
        Ok(to_json(type_, context.get_raw(0), jsonb).map_or(Value::Null, Value::Text))
    })?;
    // Arguments: whether the result is canonical, then names and documents.
    pure(connection, shared, "pg_json_row", |context| {
        let jsonb: bool = context.get(0)?;
        let members = (1..context.len()).step_by(2).map(|index| {
            let document = context.get_raw(index + 1).as_str().unwrap_or("null");
            format!("{}:{document}", json::quote(text(context, index)))
        });
        finished(&format!("{{{}}}", members.collect::<Vec<_>>().join(",")), jsonb)
    })?;
    pure(connection, shared, "pg_rows_to_json", |context| {
        let ValueRef::Text(_) = context.get_raw(0) else { return Ok(Value::Null) };
        let fields: Vec<row_json::Field> = serde_json::from_str(text(context, 1)).unwrap_or_default();
        finished(&row_json::of_rows(&fields, text(context, 0)), context.get(2)?)
    })?;
    // A document of which a function, whose name is the last argument, makes rows.
    pure(connection, shared, "pg_json_rows", |context| {
        let ValueRef::Text(_) = context.get_raw(0) else { return Ok(Value::Null) };
        let document = text(context, 0);
        super::functions::check_rows_of(document, text(context, 1)).map_err(through_sqlite)?;
        Ok(Value::Text(document.to_owned()))
    })?;
    // A member of a JSON object. The last argument is 0 for JSON, 1 for text, 2 for the text of an array.
    pure(connection, shared, "pg_json_member", |context| {
        let ValueRef::Text(_) = context.get_raw(0) else { return Ok(Value::Null) };
        let document = Json::parse(text(context, 0)).map_err(through_sqlite)?;
        Ok(match (document.get(text(context, 1)), context.get::<i64>(2)?) {
            (None | Some(Json::Null), _) => Value::Null,
            (Some(Json::String(text)), 1 | 2) => Value::Text(text.clone()),
            (Some(other), 2) => {
                let array = array_literal(other, text(context, 1)).map_err(through_sqlite)?;
                Value::Text(array)
            }
            (Some(other), _) => Value::Text(other.print()),
        })
    })
}

fn finished(document: &str, jsonb: bool) -> rusqlite::Result<Value> {
    let text = if jsonb { json::canonical(document).map_err(through_sqlite)? } else { document.to_owned() };
    Ok(Value::Text(text))
}

fn row_fields(text: &str, count: u32) -> Result<Vec<serde_json::Value>> {
    let mut row = RowText::begin(text)?;
    let fields = (0..count).map(|_| Ok(row.field()?.into())).collect::<Result<_>>()?;
    row.end()?;
    Ok(fields)
}

/// A value as a JSON document; `None` for null.
pub(super) fn to_json(type_: Type, value: ValueRef<'_>, jsonb: bool) -> Option<String> {
    if let (Some(element), ValueRef::Text(text)) = (type_.element(), value) {
        let items = array::elements(std::str::from_utf8(text).unwrap_or("[]"));
        return Some(items_to_json(element, &items, jsonb));
    }
    Some(match (type_, value) {
        (_, ValueRef::Null) => return None,
        (Type::BOOL, ValueRef::Integer(value)) => if value == 0 { "false" } else { "true" }.to_owned(),
        (Type::JSON | Type::JSONB, value) => value.as_str().unwrap_or("null").to_owned(),
        (Type::GEOMETRY, ValueRef::Text(text)) => {
            let shape = geometry::Geometry::stored(&String::from_utf8_lossy(text));
            let text = geometry::geojson(&shape, geometry::DECIMALS_OF_GEOJSON, true);
            if jsonb { json::canonical(&text).unwrap_or(text) } else { text }
        }
        (Type::HSTORE, value) => hstore::json_text(value.as_str().unwrap_or_default(), false),
        (Type::NUMERIC, ValueRef::Text(text)) if numeric::is_finite(&String::from_utf8_lossy(text)) => {
            String::from_utf8_lossy(text).into_owned()
        }
        (Type::TIMESTAMP | Type::TIMESTAMPTZ, value) => {
            let printed = value::print(type_, value).replacen(' ', "T", 1);
            let zone = if type_ == Type::TIMESTAMPTZ { ":00" } else { "" };
            format!("\"{printed}{zone}\"")
        }
        (Type::INT2 | Type::INT4 | Type::INT8, value) => value::print(type_, value),
        (Type::FLOAT4 | Type::FLOAT8, ValueRef::Real(real)) if real.is_finite() => value::print(type_, value),
        (type_, value) => json::quote(&value::print(type_, value)),
    })
}

fn items_to_json(element: Type, items: &[serde_json::Value], jsonb: bool) -> String {
    let items = items.iter().map(|item| match item {
        serde_json::Value::Array(nested) => items_to_json(element, nested, jsonb),
        item => {
            let value = array::value(element, item);
            to_json(element, ValueRef::from(&value), jsonb).unwrap_or_else(|| "null".to_owned())
        }
    });
    format!("[{}]", items.collect::<Vec<_>>().join(if jsonb { ", " } else { "," }))
}

/// The only value of a subquery. A second value is an error.
struct Single;

impl Aggregate<Option<Value>, Value> for Single {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Option<Value>> {
        Ok(None)
    }

    fn step(&self, context: &mut Context<'_>, value: &mut Option<Value>) -> rusqlite::Result<()> {
        if value.is_some() {
            let message = "more than one row returned by a subquery used as an expression";
            return Err(through_sqlite(SqlError::new(SqlState::CARDINALITY_VIOLATION, message)));
        }
        *value = Some(context.get(0)?);
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, value: Option<Option<Value>>) -> rusqlite::Result<Value> {
        Ok(value.flatten().unwrap_or(Value::Null))
    }
}
