//! Functions that ask about the session or the catalog, and have a fixed result here.

use rusqlite::types::Value;
use serde_json::json;

use super::Function;
use crate::privileges;
use sim_values::types::Type;
use sim_values::value::array;

const GRANTED: &[(&str, Type)] = &[
    ("grantor", Type::OID),
    ("grantee", Type::OID),
    ("privilege_type", Type::TEXT),
    ("is_grantable", Type::BOOL),
];

const TREE: &[(&str, Type)] = &[
    ("relid", Type::REGCLASS),
    ("parentrelid", Type::REGCLASS),
    ("isleaf", Type::BOOL),
    ("level", Type::INT4),
];

const PARAMETERS: &[(&str, Type)] = &[
    ("start_value", Type::INT8),
    ("minimum_value", Type::INT8),
    ("maximum_value", Type::INT8),
    ("increment", Type::INT8),
    ("cycle_option", Type::BOOL),
    ("cache_size", Type::INT8),
    ("data_type", Type::OID),
];
/// Arrays of tables.
const ANCESTORS: Type = Type(2210);

pub(super) static FUNCTIONS: &[Function] = &[
    Function::aggregate_template("count", &[], Type::INT8, "count(*)").nullable(),
    Function::template("current_database", &[], Type::NAME, "'postgres'"),
    Function::template("pg_relation_size", &[Type::REGCLASS], Type::INT8, "pg_call_size({0}, 'main')")
        .volatile(),
    Function::template("pg_total_relation_size", &[Type::REGCLASS], Type::INT8, "pg_call_size({0}, 'total')")
        .volatile(),
    Function::template("pg_table_size", &[Type::REGCLASS], Type::INT8, "pg_call_size({0}, 'table')")
        .volatile(),
    Function::template("pg_indexes_size", &[Type::REGCLASS], Type::INT8, "pg_call_size({0}, 'indexes')")
        .volatile(),
    Function::template("pg_char_to_encoding", &[Type::NAME], Type::INT4, "6"),
    Function::template("pg_tablespace_location", &[Type::OID], Type::TEXT, "''"),
    Function::template("pg_encoding_to_char", &[Type::INT4], Type::NAME, "'UTF8'"),
    Function::template("pg_stat_get_live_tuples", &[Type::OID], Type::INT8, "(0 * {0})"),
    // The binder adds the numbers of the roles, by name.
    Function::set("aclexplode", &[Type(1003), Type::JSON], Type::RECORD, GRANTED, |a| {
        let roles: serde_json::Value = serde_json::from_str(a.text(1)).unwrap_or_default();
        let number = |role: &str| roles.get(role).cloned().unwrap_or(json!(0));
        let mut rows = Vec::new();
        for entry in array::elements(a.text(0)) {
            let Some((grantor, grantee, letters)) = entry.as_str().and_then(privileges::read) else {
                continue;
            };
            let mut letters = letters.chars().peekable();
            while let Some(letter) = letters.next() {
                let option = u8::from(letters.next_if_eq(&'*').is_some());
                rows.push(json!([number(&grantor), number(&grantee), privileges::word(letter), option]));
            }
        }
        Ok(array::of(rows))
    }),
    // The binder computes the rows of these.
    Function::set("pg_sequence_parameters", &[Type::JSON], Type::RECORD, PARAMETERS, |a| {
        Ok(Value::Text(a.text(0).to_owned()))
    }),
    Function::set("pg_partition_tree", &[Type::JSON], Type::RECORD, TREE, |a| {
        Ok(Value::Text(a.text(0).to_owned()))
    }),
    Function::set(
        "pg_partition_ancestors",
        &[ANCESTORS],
        Type::REGCLASS,
        &[("relid", Type::REGCLASS)],
        |a| Ok(Value::Text(a.text(0).to_owned())),
    ),
    Function::set(
        "pg_available_extensions",
        &[],
        Type::RECORD,
        &[("name", Type::NAME), ("default_version", Type::TEXT), ("comment", Type::TEXT)],
        |a| {
            let known = a.caller().extensions;
            Ok(array::of(known().into_iter().map(|(name, version)| json!([name, version, null])).collect()))
        },
    ),
];
