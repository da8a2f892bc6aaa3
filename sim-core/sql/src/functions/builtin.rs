//! What asks the session or the catalog, and has a fixed answer here.

use super::Function;
use crate::types::Type;

pub(super) static FUNCTIONS: &[Function] = &[
    Function::aggregate_template("count", &[], Type::INT8, "count(*)").nullable(),
    Function::template("current_database", &[], Type::NAME, "'postgres'"),
    Function::template("pg_relation_size", &[Type::REGCLASS], Type::INT8, "(0 * {0})"),
    Function::template("pg_total_relation_size", &[Type::REGCLASS], Type::INT8, "(0 * {0})"),
    Function::template("pg_table_size", &[Type::REGCLASS], Type::INT8, "(0 * {0})"),
    Function::template("pg_indexes_size", &[Type::REGCLASS], Type::INT8, "(0 * {0})"),
    Function::template("pg_encoding_to_char", &[Type::INT4], Type::NAME, "'UTF8'"),
    Function::template("auth.uid", &[], Type::UUID, "NULL"),
    Function::template("auth.role", &[], Type::TEXT, "NULL"),
    Function::template("auth.email", &[], Type::TEXT, "NULL"),
    Function::template("auth.jwt", &[], Type::JSONB, "NULL"),
];
