//! Generated names, as PostgreSQL chooses them, and names in use.

use super::cursor::Cursor;
use crate::bind::SYSTEM_COLUMNS;
use crate::error::{Result, SqlError, SqlState};
use crate::source::{NAME_MAX, cut_to};

/// The name of a part of `of`, such as `orders_customer_idx`; a number follows if it is taken. `columns` may be empty.
///
/// Where the name would be too long, the longer one of both is cut.
pub(super) fn choose(of: &str, columns: &str, kind: &str, taken: impl Fn(&str) -> bool) -> String {
    let numbered = |number: Option<u32>| {
        let end = format!("_{kind}{}", number.map_or_else(String::new, |number| number.to_string()));
        let separator = if columns.is_empty() { "" } else { "_" };
        let room = NAME_MAX.saturating_sub(end.len() + separator.len());
        let (mut first, mut second) = (of.len(), columns.len());
        while first + second > room {
            if first > second {
                first -= 1;
            } else {
                second -= 1;
            }
        }
        let (of, columns) = (cut_to(of, first), cut_to(columns, second));
        format!("{of}{separator}{columns}{end}")
    };
    let mut names = std::iter::once(None).chain((1..).map(Some)).map(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
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

/// Refuses the name of a column that every table has already.
pub(super) fn refuse_system_name(name: &str) -> Result<()> {
    if !SYSTEM_COLUMNS.contains(&name) {
        return Ok(());
    }
    let message = format!("column name \"{name}\" conflicts with a system column name");
    Err(SqlError::new(SqlState::DUPLICATE_COLUMN, message))
}
