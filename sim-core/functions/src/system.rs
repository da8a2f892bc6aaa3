//! Random numbers, identifiers, and information about the server.

use num_bigint::{BigInt, BigUint, Sign};
use rusqlite::types::Value;
use serde_json::json;

use super::text::own;
use super::{Arguments, Form, Function, Kind};
use sim_values::decimal::Decimal;
use sim_values::error::{Result, SqlError, SqlState};
use sim_values::types::Type;
use sim_values::value::array;
use sim_values::value::interval::Interval;
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
    Function::of("current_query", &[], Type::TEXT, Form::State(|state, _| own(state.text.clone()))).volatile(),
    Function::template("pg_stat_force_next_flush", &[], Type::VOID, "''"),
    Function::template("pg_column_compression", &[Type::ANY], Type::TEXT, "NULL"),
    Function::template("pg_client_encoding", &[], Type::NAME, "'UTF8'"),
    Function::template("pg_encoding_max_length", &[Type::INT4], Type::INT4, "CASE {0} WHEN 0 THEN 1 WHEN 6 THEN 4 END"),
    Function::template("pg_jit_available", &[], Type::BOOL, "0"),
    Function::template("pg_postmaster_start_time", &[], Type::TIMESTAMPTZ, "{now}"),
    Function::template("pg_conf_load_time", &[], Type::TIMESTAMPTZ, "{now}"),
    Function::template("getpgusername", &[], Type::NAME, "{role}"),
    // There is only one session, which waits for nobody.
    Function::template("pg_blocking_pids", &[Type::INT4], Type(1007), "'[]'"),
    Function::template("pg_safe_snapshot_blocking_pids", &[Type::INT4], Type(1007), "'[]'"),
    Function::template("pg_notification_queue_usage", &[], Type::FLOAT8, "0.0"),
    Function {
        kind: Kind::Set { columns: &[] },
        ..Function::of("pg_listening_channels", &[], Type::TEXT, Form::State(|state, _| {
            Ok(array::of(state.channels().map(|channel| json!(channel)).collect()))
        }))
        .volatile()
    },
    not_in_recovery("pg_is_wal_replay_paused", Type::BOOL),
    not_in_recovery("pg_get_wal_replay_pause_state", Type::TEXT),
    not_in_recovery("pg_wal_replay_pause", Type::VOID),
    not_in_recovery("pg_wal_replay_resume", Type::VOID),
    Function::template("pg_last_xact_replay_timestamp", &[], Type::TIMESTAMPTZ, "NULL"),
    Function::template(
        "pg_relation_size",
        &[Type::REGCLASS, Type::TEXT],
        Type::INT8,
        "pg_call_size({0}, pg_Fork_text({1}))",
    )
    .volatile(),
    Function::rust("Fork", &[Type::TEXT], Type::TEXT, |a| match a.text(0) {
        fork @ ("main" | "fsm" | "vm" | "init") => own(fork.to_owned()),
        _ => Err(SqlError::new(SqlState::INVALID_PARAMETER, "invalid fork name")
            .hint("Valid fork names are \"main\", \"fsm\", \"vm\", and \"init\".")),
    }),
    Function::template("pg_database_size", &[Type::OID], Type::INT8, "pg_call_database_size({0})").volatile(),
    Function::template(
        "pg_database_size",
        &[Type::NAME],
        Type::INT8,
        "pg_call_database_size(pg_Database_text({0}))",
    )
    .volatile(),
    Function::rust("Database", &[Type::TEXT], Type::TEXT, |a| {
        existing(&["postgres", "template0", "template1"], a.text(0), SqlState::new("3D000"), "database")
    }),
    Function::template("pg_tablespace_size", &[Type::OID], Type::INT8, "pg_call_database_size({0})").volatile(),
    Function::template(
        "pg_tablespace_size",
        &[Type::NAME],
        Type::INT8,
        "pg_call_database_size(pg_Tablespace_text({0}))",
    )
    .volatile(),
    Function::rust("Tablespace", &[Type::TEXT], Type::TEXT, |a| {
        existing(&["pg_default", "pg_global"], a.text(0), SqlState::UNDEFINED_OBJECT, "tablespace")
    }),
    Function::rust("pg_size_bytes", &[Type::TEXT], Type::INT8, bytes_of_size),
    Function::set("pg_get_keywords", &[], Type::RECORD, KEYWORD, |_| {
        Ok(array::of(include_str!("keywords.txt").lines().map(keyword).collect()))
    }),
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
    Function::rust("pg_stat_reset", &[], Type::VOID, |_| {
        let message = "permission denied for function pg_stat_reset";
        Err(SqlError::new(SqlState::INSUFFICIENT_PRIVILEGE, message))
    })
    .volatile(),
    Function::template("pg_stat_clear_snapshot", &[], Type::VOID, "''"),
    Function::template("pg_notify", &[Type::TEXT, Type::TEXT], Type::VOID, "pg_notify({0}, {1})").nullable().volatile(),
    // The clock is paused while a call runs.
    Function::template("pg_sleep", &[Type::FLOAT8], Type::VOID, "''").volatile(),
    Function::template("pg_sleep_for", &[Type::INTERVAL], Type::VOID, "''").volatile(),
    Function::template("pg_sleep_until", &[Type::TIMESTAMPTZ], Type::VOID, "''").volatile(),
    Function::rust("pg_size_pretty", &[Type::INT8], Type::TEXT, |a| own(size(&a.int(0).into()))),
    Function::rust("pg_size_pretty", &[Type::NUMERIC], Type::TEXT, |a| {
        let number = Decimal::read(a.text(0))?;
        let small = number.truncated(0).unscaled.magnitude() < &BigUint::from(10 * 1024_u32);
        own(if small { format!("{} bytes", a.text(0)) } else { size(&number.truncated(0).unscaled) })
    }),
    Function::of("grouping", &[Type::ANY], Type::INT4, Form::Unsupported).variadic(),
    Function::of(
        "setseed",
        &[Type::FLOAT8],
        Type::VOID,
        Form::State(|state, a| {
            let seed = a.real(0);
            if !(-1.0..=1.0).contains(&seed) {
                let seed = sim_values::value::print_float(seed, false);
                let message = format!("setseed parameter {seed} is out of allowed range [-1,1]");
                return Err(SqlError::new(SqlState::INVALID_PARAMETER, message));
            }
            state.seed(seed);
            Ok(Value::Text(String::new()))
        }),
    )
    .volatile(),
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

/// The columns of `pg_get_keywords()`.
const KEYWORD: &[(&str, Type)] = &[
    ("word", Type::TEXT),
    ("catcode", Type::QCHAR),
    ("barelabel", Type::BOOL),
    ("catdesc", Type::TEXT),
    ("baredesc", Type::TEXT),
];

/// A line of the list of words: the word, the letter of its kind, whether it can be a label without `AS`.
/// Whether a word is a keyword that the grammar takes for no name of a type or function, unless it is quoted.
pub fn is_no_bare_name(word: &str) -> bool {
    include_str!("keywords.txt").lines().any(|line| {
        line.strip_prefix(word).is_some_and(|rest| rest.starts_with(" R") || rest.starts_with(" C"))
    })
}

fn keyword(line: &str) -> serde_json::Value {
    let mut parts = line.split(' ');
    let (word, kind, bare) = (parts.next(), parts.next(), parts.next() == Some("t"));
    let description = match kind {
        Some("R") => "reserved",
        Some("T") => "reserved (can be function or type name)",
        Some("C") => "unreserved (cannot be function or type name)",
        _ => "unreserved",
    };
    json!([word, kind, u8::from(bare), description, if bare { "can be bare label" } else { "requires AS" }])
}

/// A function that needs a server in recovery.
const fn not_in_recovery(name: &'static str, returns: Type) -> Function {
    Function::rust(name, &[], returns, |_| {
        Err(SqlError::new(SqlState::NOT_IN_PREREQUISITE_STATE, "recovery is not in progress")
            .hint("Recovery control functions can only be executed during recovery."))
    })
    .volatile()
}

/// The name of something that exists.
fn existing(known: &[&str], name: &str, code: SqlState, what: &str) -> Result<Value> {
    if !known.contains(&name) {
        return Err(SqlError::new(code, format!("{what} \"{name}\" does not exist")));
    }
    own(name.to_owned())
}

/// The number of bytes of a size in words: `1.5 GB`.
fn bytes_of_size(a: &Arguments<'_, '_>) -> Result<Value> {
    let invalid = || {
        let message = format!("invalid size: \"{}\"", a.text(0));
        SqlError::new(SqlState::INVALID_PARAMETER, message)
    };
    let text = a.text(0).trim();
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with(['+', '-']));
    let whole = digits(&text[sign..]);
    let point = sign + whole;
    let fraction = text[point..].strip_prefix('.').map_or(0, |rest| 1 + digits(rest));
    if whole == 0 && fraction < 2 {
        return Err(invalid());
    }
    let end = point + fraction;
    let exponent = text[end..].strip_prefix(['e', 'E']).map_or(0, |rest| {
        let sign = usize::from(rest.starts_with(['+', '-']));
        match digits(&rest[sign..]) {
            0 => 0,
            digits => 1 + sign + digits,
        }
    });
    let (number, unit) = text.split_at(end + exponent);
    let unit = unit.trim();
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "bytes" => 0,
        "kb" => 1,
        "mb" => 2,
        "gb" => 3,
        "tb" => 4,
        "pb" => 5,
        _ => {
            return Err(invalid()
                .detail(format!("Invalid size unit: \"{unit}\"."))
                .hint("Valid units are \"bytes\", \"kB\", \"MB\", \"GB\", \"TB\", and \"PB\"."));
        }
    };
    let number = sim_values::value::numeric::parse(number.trim_start_matches('+')).ok_or_else(invalid)?;
    let bytes = Decimal::read(&number)?.multiply(&Decimal::whole(1_i64 << (10 * factor)))?.rounded(0);
    i64::try_from(bytes.unscaled).map(Value::Integer).map_err(|_| super::out_of_range(Type::INT8))
}

/// Writes a number of bytes in the unit in which it is below 10240.
fn size(bytes: &BigInt) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    let magnitude = bytes.magnitude();
    let sign = if bytes.sign() == Sign::Minus { "-" } else { "" };
    if magnitude < &BigUint::from(10 * 1024_u32) {
        return format!("{bytes} bytes");
    }
    // Each unit is rounded once, half up, starting from twice the amount.
    let mut doubled = magnitude >> 9_u8;
    for (index, unit) in UNITS.iter().enumerate() {
        if doubled < BigUint::from(20 * 1024 - 1_u32) || index == UNITS.len() - 1 {
            return format!("{sign}{} {unit}", (doubled + 1_u8) >> 1_u8);
        }
        doubled >>= 10_u8;
    }
    format!("{bytes} bytes")
}
