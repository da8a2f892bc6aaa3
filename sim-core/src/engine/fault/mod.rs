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

pub(crate) use operations::{OPERATIONS, PATH, unused};
pub(crate) use past::Past;
pub(crate) use strike::{Faults, Strike, no_answer, strike};

use serde::{Deserialize, Serialize};
use sim_base::ToSchema;

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
    "A fault rule, with the numbers of calls that it has matched and applied to.",
    "SELECT id, rule, met, struck, since AS struck_first_at FROM fault ORDER BY id",
)];

/// How a fault rule changes the delivery of an answer. It is in the extensions of the response, and transports act on
/// it. In process nobody waits and no connection breaks, but the body is already the one that a client would receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Mishap {
    /// The answer is late by this many milliseconds.
    Delayed(u64),
    /// No answer: the connection is reset.
    Reset,
    /// The connection breaks after the body, which is shorter than announced.
    Torn,
    /// The body arrives in pieces, over this many milliseconds.
    Slow(u64),
}
