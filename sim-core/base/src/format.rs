//! The version of what is read back later: replay files, exported worlds, directories of worlds. Another one is refused.

use std::fmt::Display;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

/// The version of these files. Add one when what is in them changes; changed tables are noticed without that.
pub const FORMAT: u32 = 1;

/// Why a file is refused in which something else was `found` than this version `reads`.
pub fn other_version(found: impl Display, reads: impl Display) -> String {
    format!("was made by another version; start a new world (found {found}, this version reads {reads})")
}

/// Reads the number of a format, and refuses any but [`FORMAT`].
pub fn read<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
    let found = u32::deserialize(from)?;
    refuse_other(found).map_or(Ok(found), |why| Err(D::Error::custom(why)))
}

/// Why files of that format are refused, if they are.
pub fn refuse_other(found: u32) -> Option<String> {
    (found != FORMAT).then(|| other_version(format_args!("format {found}"), format_args!("format {FORMAT}")))
}
