//! Fault injection: rules that make calls fail, or change how they run and are answered.
//!
//! Rules are tried in the order in which they were made, before any other check. The first rule that matches a call
//! and is due strikes it. Rules are rows of the world, so a fork has them and a replay injects the same faults.

pub(super) mod alter;
mod glob;
pub mod operations;
mod past;
mod rule;
mod strike;

pub use operations::{AddFault, DeleteFault, FaultStanding, ListFaults, SetFaults};
pub use rule::{Effect, Fault, On};

pub(crate) use operations::{OPERATIONS, PATH};
pub(crate) use past::Past;
pub(crate) use strike::{Faults, Strike, no_answer, strike};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::view::{View, view};

pub(crate) const TABLES: &str = "
    CREATE TABLE fault (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        rule TEXT NOT NULL,
        met INTEGER NOT NULL DEFAULT 0,
        struck INTEGER NOT NULL DEFAULT 0,
        since INTEGER
    ) STRICT;
";

pub(crate) const VIEWS: &[View] = &[view(
    "fault",
    "A rule by which calls come to harm, with how many calls it was for and struck.",
    "SELECT id, rule, met, struck, since AS struck_first_at FROM fault ORDER BY id",
)];

/// What becomes of an answer on its way to the client: stands in the extensions of a response that a rule struck, for
/// transports to act on. In process nobody waits and nothing breaks, but the body is already what would arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Mishap {
    /// It comes so many milliseconds late.
    Delayed(u64),
    /// It does not come: the connection is reset.
    Reset,
    /// The connection breaks after the body that is there, which is shorter than announced.
    Torn,
    /// The body takes so many milliseconds to arrive, piece by piece.
    Slow(u64),
}
