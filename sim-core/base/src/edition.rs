//! Editions: the states of the published API, each named by the month it was published in.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sim_derive::ToSchema;

use crate::near;

/// A published state of the API. Each world has one ([`Policy::edition`](super::Policy::edition)).
///
/// An operation names its first edition ([`Meta::since`](super::Meta::since)); a field, a type or a member of an
/// enum has marks in its schema:
///
/// * `extend("x-since" = "2026-11")`: older editions do not have it,
/// * `extend("x-until" = "2025-05")`: newer editions do not have it,
/// * `extend("x-2025-05" = json!({ … }))`: these schema keywords apply in that edition instead. For a field,
///   `required` and `nullable` are `true` or `false`.
///
/// A field that may be `null` has `extend("x-nullable" = true)`, and `"x-required" = true` if it is always there.
///
/// ```
/// use sim_core::Edition;
///
/// assert_eq!("2025-05".parse(), Ok(Edition::V2025_05));
/// assert!(Edition::V2025_05 < Edition::TODAY);
/// ```
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
)]
pub enum Edition {
    /// Spring 2025: the service's documents.
    #[serde(rename = "2025-05")]
    V2025_05,
    /// November 2026.
    #[default]
    #[serde(rename = "2026-11")]
    V2026_11,
}

impl Edition {
    /// All editions, oldest first.
    pub const ALL: [Edition; 2] = [Edition::V2025_05, Edition::V2026_11];
    /// The oldest edition.
    pub const FIRST: Edition = Edition::V2025_05;
    /// The newest edition.
    pub const TODAY: Edition = Edition::V2026_11;

    /// The name: `2025-05`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Edition::V2025_05 => "2025-05",
            Edition::V2026_11 => "2026-11",
        }
    }

    /// The place in [`Edition::ALL`].
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Edition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Edition {
    type Err = String;

    fn from_str(text: &str) -> Result<Edition, String> {
        Edition::ALL.into_iter().find(|one| one.as_str() == text).ok_or_else(|| {
            let known = Edition::ALL.map(Edition::as_str).join(", ");
            let question = near::question(text, Edition::ALL.map(Edition::as_str));
            format!("edition {text:?} is not known, expected one of {known}{question}")
        })
    }
}
