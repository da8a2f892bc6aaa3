//! Files of settings.

use std::path::Path;

use sim_core::engine::listed::{self, Described};
use sim_core::engine::near;

use crate::{Failure, files};

/// The settings in `file`, or the default ones.
pub(crate) fn read_or_default<T>(flag: &str, file: Option<&Path>) -> Result<T, Failure>
where
    T: Default + Described,
{
    file.map_or_else(|| Ok(T::default()), |file| read_described(flag, file))
}

/// Reads a file of a type that has a schema. A list in the place of a table is refused.
pub(super) fn read_described<T: Described>(flag: &str, file: &Path) -> Result<T, Failure> {
    let schema = listed::schema_of::<T>();
    match listed::path_in(&schema, &schema["$defs"], &read_toml(flag, file)?) {
        Some(path) => Err(Failure(format!("{flag} {}: {path}: {}", file.display(), listed::FIELDS))),
        None => read_toml(flag, file),
    }
}

pub(super) fn read_toml<T: serde::de::DeserializeOwned>(flag: &str, file: &Path) -> Result<T, Failure> {
    let text = files::settings(file).map_err(|why| Failure(format!("{flag} {}: {why}", file.display())))?;
    toml::from_str(&text).map_err(|error| {
        Failure(format!("{flag} {}: {}", file.display(), near::explained(&error.to_string())))
    })
}
