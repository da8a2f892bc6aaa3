//! Functions that ask about the session or the catalog, and have a fixed result here.

use serde_json::json;

use super::Function;
use crate::types::Type;
use crate::value::array;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::aggregate_template("count", &[], Type::INT8, "count(*)").nullable(),
    Function::template("current_database", &[], Type::NAME, "'postgres'"),
    Function::template("pg_relation_size", &[Type::REGCLASS], Type::INT8, "(0 * {0})"),
    Function::template("pg_total_relation_size", &[Type::REGCLASS], Type::INT8, "(0 * {0})"),
    Function::template("pg_table_size", &[Type::REGCLASS], Type::INT8, "(0 * {0})"),
    Function::template("pg_indexes_size", &[Type::REGCLASS], Type::INT8, "(0 * {0})"),
    Function::template("pg_char_to_encoding", &[Type::NAME], Type::INT4, "6"),
    Function::template("pg_tablespace_location", &[Type::OID], Type::TEXT, "''"),
    Function::template("pg_encoding_to_char", &[Type::INT4], Type::NAME, "'UTF8'"),
    Function::template("pg_stat_get_live_tuples", &[Type::OID], Type::INT8, "(0 * {0})"),
    Function::set(
        "pg_available_extensions",
        &[],
        Type::RECORD,
        &[("name", Type::NAME), ("default_version", Type::TEXT), ("comment", Type::TEXT)],
        |_| {
            let rows =
                crate::ddl::KNOWN_EXTENSIONS.iter().map(|known| json!([known.name, known.version, null]));
            Ok(array::of(rows.collect()))
        },
    ),
];
