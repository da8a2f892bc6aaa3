//! The functions that translated queries call, for SQLite.

use rusqlite::Connection;
use rusqlite::functions::FunctionFlags;
use serde_json::Value as Json;

const PURE: FunctionFlags = FunctionFlags::SQLITE_UTF8
    .union(FunctionFlags::SQLITE_INNOCUOUS)
    .union(FunctionFlags::SQLITE_DETERMINISTIC);

/// Makes `connection` ready for translated queries, once.
///
/// Fails when SQLite has no memory left for it.
pub fn prepare_connection(connection: &Connection) -> rusqlite::Result<()> {
    connection.create_scalar_function("wh_text", 1, PURE, |context| {
        let json = context.get::<Option<String>>(0)?;
        Ok(json.and_then(|json| match serde_json::from_str(&json) {
            Ok(Json::Null) => None,
            Ok(Json::String(text)) => Some(text),
            _ => Some(json),
        }))
    })
}
