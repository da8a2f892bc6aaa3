//! Generated names, as PostgreSQL chooses them, and names in use.

use super::cursor::Cursor;
use crate::error::{Result, SqlError, SqlState};

/// The length limit of a name.
const LENGTH_MAX: usize = 63;

/// Returns `base`, or the first free name of `base` and a number.
pub(super) fn choose(base: &str, taken: impl Fn(&str) -> bool) -> String {
    let fitted = |suffix: &str| {
        let (stem, end) = base
            .rsplit_once('_')
            .map_or((base, String::new()), |(stem, end)| (stem, format!("_{end}{suffix}")));
        let room = LENGTH_MAX.saturating_sub(end.len());
        let stem: String = stem.chars().take(room).collect();
        format!("{stem}{end}")
    };
    let mut name = fitted("");
    let mut number = 0;
    while taken(&name) {
        number += 1;
        name = fitted(&number.to_string());
    }
    name
}

/// Reads the name of a tablespace. There is only one for tables.
pub(super) fn tablespace(cursor: &mut Cursor<'_>) -> Result<()> {
    let name = cursor.ident()?;
    if name == "pg_default" {
        return Ok(());
    }
    Err(SqlError::new(SqlState::UNDEFINED_OBJECT, format!("tablespace \"{name}\" does not exist")))
}

/// The error for a column's name that its relation already has.
pub(super) fn column_taken(name: &str, relation: &str) -> SqlError {
    let message = format!("column \"{name}\" of relation \"{relation}\" already exists");
    SqlError::new(SqlState::DUPLICATE_COLUMN, message)
}

/// The error for a relation whose name is in use.
pub(super) fn relation_taken(name: &str) -> SqlError {
    SqlError::new(SqlState::DUPLICATE_TABLE, format!("relation \"{name}\" already exists"))
}
