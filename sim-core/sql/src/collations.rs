//! Collations. Those of a server exist by name; all texts sort by their bytes.

use crate::error::{Result, SqlError, SqlState};

/// Whether a server has a collation of this name: those of every one, of the library for Unicode, and of its operating system.
pub(crate) fn is_collation(name: &str) -> bool {
    let known = ["default", "C", "POSIX", "ucs_basic", "unicode", "C.utf8", "C.UTF-8"];
    known.contains(&name) || name.ends_with("-x-icu") || is_of_system(name)
}

/// Whether it is of the form `de_DE`, `de_DE.utf8` or `de_DE.UTF-8`.
fn is_of_system(name: &str) -> bool {
    let place = name.strip_suffix(".utf8").or_else(|| name.strip_suffix(".UTF-8")).unwrap_or(name);
    let Some((language, country)) = place.split_once('_') else { return false };
    let letters = |text: &str, is: fn(&char) -> bool| text.chars().all(|c| is(&c));
    (2..4).contains(&language.len())
        && country.len() == 2
        && letters(language, char::is_ascii_lowercase)
        && letters(country, char::is_ascii_uppercase)
}

/// Refuses a collation that is not there.
pub(crate) fn require(schema: Option<&str>, name: &str) -> Result<()> {
    if is_collation(name) && schema.is_none_or(|schema| schema == "pg_catalog") {
        return Ok(());
    }
    let shown = schema.map_or_else(|| name.to_owned(), |schema| format!("{schema}.{name}"));
    let message = format!("collation \"{shown}\" for encoding \"UTF8\" does not exist");
    Err(SqlError::new(SqlState::UNDEFINED_OBJECT, message))
}
