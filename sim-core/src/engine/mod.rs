//! What every simulated service needs and no resource: operations, the way through a call, store, clock, chance,
//! jobs, journal, schemas.

mod advance;
mod beside;
mod builder;
mod by_name;
mod changes;
mod chronicle;
mod coverage;
mod explain;
pub mod fault;
mod fork;
mod journal;
pub(crate) mod journal_query;
mod journal_search;
mod names;
mod node;
mod openapi;
mod peek;
mod pipeline;
mod recall;
mod registry;
mod relive;
mod replay;
mod simulator;
#[cfg(feature = "management")]
mod state;
mod wire;

pub use sim_base::*;

pub use builder::Builder;
pub use changes::RowChange;
pub use coverage::{Coverage, Followed, Goal, Reached};
pub use explain::{Check, Explanation};
pub use fork::Snapshot;
pub use journal::{Call, Dropped, Origin, Stage};
pub use journal_search::{CallHead, CallPage, Filter};
pub use registry::Registry;
pub use replay::{Divergence, Replay, ReplayCall, ReplayError};
pub use simulator::{Session, Simulator};
#[cfg(feature = "management")]
pub use state::State;
pub use wire::refuse;

#[cfg(feature = "steps")]
pub use sim_base::store::steps_taken;
