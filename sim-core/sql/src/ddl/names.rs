//! Names that PostgreSQL makes up, and those that it refuses.

use crate::error::{SqlError, SqlState};

/// The longest name.
const LENGTH_MAX: usize = 63;

/// `base`, or with a number behind it the first such name that is free.
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

/// The error for a relation whose name is in use.
pub(super) fn relation_taken(name: &str) -> SqlError {
    SqlError::new(SqlState::DUPLICATE_TABLE, format!("relation \"{name}\" already exists"))
}
