//! Random numbers, identifiers, and information about the server.

use rusqlite::types::Value;

use super::decimal::Decimal;
use super::text::own;
use super::{Form, Function, Kind};
use crate::error::{Result, SqlError, SqlState};
use crate::types::Type;
use crate::value::interval::Interval;
use sim_values::zone;

/// The answer of `version()`. The number is the version of the dialect.
const VERSION: &str = "'PostgreSQL 15.8, embedded'";

/// The columns of `pg_event_trigger_ddl_commands()`.
const COMMANDS: &[(&str, Type)] = &[
    ("classid", Type::OID),
    ("objid", Type::OID),
    ("objsubid", Type::INT4),
    ("command_tag", Type::TEXT),
    ("object_type", Type::TEXT),
    ("schema_name", Type::TEXT),
    ("object_identity", Type::TEXT),
    ("in_extension", Type::BOOL),
    ("command", Type::TEXT),
];

/// The columns of `pg_event_trigger_dropped_objects()`.
const DROPPED: &[(&str, Type)] = &[
    ("classid", Type::OID),
    ("objid", Type::OID),
    ("objsubid", Type::INT4),
    ("original", Type::BOOL),
    ("normal", Type::BOOL),
    ("is_temporary", Type::BOOL),
    ("object_type", Type::TEXT),
    ("schema_name", Type::TEXT),
    ("object_name", Type::TEXT),
    ("object_identity", Type::TEXT),
    ("address_names", Type(1009)),
    ("address_args", Type(1009)),
];

pub(super) static FUNCTIONS: &[Function] = &[
    Function {
        kind: Kind::Set { columns: COMMANDS },
        ..Function::of("pg_event_trigger_ddl_commands", &[], Type::RECORD, Form::State(|state, _| {
            told(&state.event.0, "pg_event_trigger_ddl_commands() can only be called in an event trigger function")
        }))
        .volatile()
    },
    Function {
        kind: Kind::Set { columns: DROPPED },
        ..Function::of("pg_event_trigger_dropped_objects", &[], Type::RECORD, Form::State(|state, _| {
            told(
                &state.event.1,
                "pg_event_trigger_dropped_objects() can only be called in a sql_drop event trigger function",
            )
        }))
        .volatile()
    },
    Function::of("random", &[], Type::FLOAT8, Form::State(|state, _| Ok(Value::Real(state.uniform()))))
        .volatile(),
    uuid("gen_random_uuid"),
    uuid("uuid_generate_v4"),
    Function::template("uuid_nil", &[], Type::UUID, "'00000000-0000-0000-0000-000000000000'"),
    Function::template("version", &[], Type::TEXT, VERSION),
    Function::template("pg_backend_pid", &[], Type::INT4, "1"),
    // As over a socket.
    Function::template("inet_client_addr", &[], Type::INET, "NULL"),
    Function::template("inet_client_port", &[], Type::INT4, "NULL"),
    Function::template("inet_server_addr", &[], Type::INET, "NULL"),
    Function::template("inet_server_port", &[], Type::INT4, "NULL"),
    // The instant of the transaction stands for its number: later transactions have greater ones.
    Function::template("txid_current", &[], Type::INT8, "{now}"),
    Function::template("txid_current_if_assigned", &[], Type::INT8, "{now}"),
    Function::template("pg_current_xact_id", &[], Type::XID8, "{now}"),
    Function::template("pg_current_xact_id_if_assigned", &[], Type::XID8, "{now}"),
    Function::template("pg_my_temp_schema", &[], Type::OID, "0"),
    Function::template("pg_trigger_depth", &[], Type::INT4, "pg_depth_of_triggers()").volatile(),
    Function::template("pg_is_in_recovery", &[], Type::BOOL, "0"),
    count_of("pg_stat_get_numscans"),
    count_of("pg_stat_get_tuples_returned"),
    count_of("pg_stat_get_tuples_fetched"),
    count_of("pg_stat_get_tuples_inserted"),
    count_of("pg_stat_get_tuples_updated"),
    count_of("pg_stat_get_tuples_hot_updated"),
    count_of("pg_stat_get_tuples_deleted"),
    count_of("pg_stat_get_dead_tuples"),
    count_of("pg_stat_get_mod_since_analyze"),
    count_of("pg_stat_get_ins_since_vacuum"),
    count_of("pg_stat_get_blocks_fetched"),
    count_of("pg_stat_get_blocks_hit"),
    count_of("pg_stat_get_vacuum_count"),
    count_of("pg_stat_get_autovacuum_count"),
    count_of("pg_stat_get_analyze_count"),
    count_of("pg_stat_get_autoanalyze_count"),
    time_of("pg_stat_get_last_vacuum_time"),
    time_of("pg_stat_get_last_autovacuum_time"),
    time_of("pg_stat_get_last_analyze_time"),
    time_of("pg_stat_get_last_autoanalyze_time"),
    // For `pg_timezone_names`.
    Function::of(
        "Zone_abbreviation",
        &[Type::TEXT],
        Type::TEXT,
        Form::State(|state, a| own(zone::shown(state.now, a.text(0))?.abbreviation)),
    ),
    Function::of(
        "Zone_offset",
        &[Type::TEXT],
        Type::INTERVAL,
        Form::State(|state, a| {
            let micros = zone::shown(state.now, a.text(0))?.offset;
            own(Interval { micros, ..Interval::default() }.to_string())
        }),
    ),
    Function::of(
        "Zone_is_dst",
        &[Type::TEXT],
        Type::BOOL,
        Form::State(|state, a| Ok(Value::Integer(zone::shown(state.now, a.text(0))?.is_dst.into()))),
    ),
    Function::template("pg_stat_reset", &[], Type::VOID, "''"),
    Function::template("pg_stat_clear_snapshot", &[], Type::VOID, "''"),
    Function::template("pg_notify", &[Type::TEXT, Type::TEXT], Type::VOID, "''"),
    lock("pg_advisory_lock", KEY),
    lock("pg_advisory_lock", KEYS),
    lock("pg_advisory_lock_shared", KEY),
    lock("pg_advisory_lock_shared", KEYS),
    lock("pg_advisory_xact_lock", KEY),
    lock("pg_advisory_xact_lock", KEYS),
    lock("pg_advisory_xact_lock_shared", KEY),
    lock("pg_advisory_xact_lock_shared", KEYS),
    lock("pg_advisory_unlock_all", &[]),
    lock_if_free("pg_try_advisory_lock", KEY),
    lock_if_free("pg_try_advisory_lock", KEYS),
    lock_if_free("pg_try_advisory_lock_shared", KEY),
    lock_if_free("pg_try_advisory_lock_shared", KEYS),
    lock_if_free("pg_try_advisory_xact_lock", KEY),
    lock_if_free("pg_try_advisory_xact_lock", KEYS),
    lock_if_free("pg_try_advisory_xact_lock_shared", KEY),
    lock_if_free("pg_try_advisory_xact_lock_shared", KEYS),
    lock_if_free("pg_advisory_unlock", KEY),
    lock_if_free("pg_advisory_unlock", KEYS),
    lock_if_free("pg_advisory_unlock_shared", KEY),
    lock_if_free("pg_advisory_unlock_shared", KEYS),
    Function::rust("pg_size_pretty", &[Type::INT8], Type::TEXT, |a| own(size(a.int(0)))),
    Function::rust("pg_size_pretty", &[Type::NUMERIC], Type::TEXT, |a| {
        own(size(Decimal::read(a.text(0))?.to_float() as i64))
    }),
    Function::of("grouping", &[Type::ANY], Type::INT4, Form::Unsupported).variadic(),
    Function::of("pg_sleep", &[Type::FLOAT8], Type::VOID, Form::Unsupported),
    Function::of("setseed", &[Type::FLOAT8], Type::VOID, Form::Unsupported),
];

/// The rows that an event trigger can ask for.
fn told(rows: &Option<String>, elsewhere: &str) -> Result<Value> {
    let rows = rows.clone().ok_or_else(|| SqlError::new(SqlState::new("39P03"), elsewhere))?;
    Ok(Value::Text(rows))
}

const fn uuid(name: &'static str) -> Function {
    let form = Form::State(|state, _| Ok(Value::Text(state.uuid().to_string())));
    Function::of(name, &[], Type::UUID, form).volatile()
}

/// How often something has happened to a table or an index. Nothing is counted.
const fn count_of(name: &'static str) -> Function {
    Function::template(name, &[Type::OID], Type::INT8, "({0} * 0)")
}

/// When something has happened to a table.
const fn time_of(name: &'static str) -> Function {
    Function::template(name, &[Type::OID], Type::TIMESTAMPTZ, "NULL")
}

/// A lock has a number or two smaller ones.
const KEY: &[Type] = &[Type::INT8];
const KEYS: &[Type] = &[Type::INT4, Type::INT4];

const fn lock_if_free(name: &'static str, arguments: &'static [Type]) -> Function {
    Function::template(name, arguments, Type::BOOL, "1")
}

/// There is only one session, so it gets every lock.
const fn lock(name: &'static str, arguments: &'static [Type]) -> Function {
    Function::template(name, arguments, Type::VOID, "''")
}

/// Writes a number of bytes in the unit in which it is below 10240.
fn size(bytes: i64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    let magnitude = bytes.unsigned_abs();
    let sign = if bytes < 0 { "-" } else { "" };
    if magnitude < 10 * 1024 {
        return format!("{bytes} bytes");
    }
    // Each unit is rounded once, half up, starting from twice the amount.
    let mut doubled = magnitude >> 9;
    for (index, unit) in UNITS.iter().enumerate() {
        if doubled < 20 * 1024 - 1 || index == UNITS.len() - 1 {
            return format!("{sign}{} {unit}", doubled.div_ceil(2));
        }
        doubled >>= 10;
    }
    format!("{bytes} bytes")
}
