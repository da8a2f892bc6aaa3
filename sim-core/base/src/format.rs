//! The format version of replay files, exported worlds and directories of worlds. Files of another version are refused.

use std::fmt::Display;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// The format version. Increase it when the contents of these files change. Changed tables need no increase: they are
/// detected anyway.
pub const FORMAT: u32 = 1;

/// The refusal of a file that has `found` where this version reads `reads`.
pub fn other_version(found: impl Display, reads: impl Display) -> String {
    format!("was made by another version; start a new world (found {found}, this version reads {reads})")
}

/// Reads a format version and refuses any but [`FORMAT`].
pub fn read<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let found = u32::deserialize(from)?;
    refuse_other(found).map_or(Ok(found), |why| Err(D::Error::custom(why)))
}

/// Why files of format `found` are refused; `None` if they are not.
pub fn refuse_other(found: u32) -> Option<String> {
    (found != FORMAT).then(|| other_version(format_args!("format {found}"), format_args!("format {FORMAT}")))
}
