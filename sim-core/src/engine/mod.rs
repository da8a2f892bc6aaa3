//! The engine: takes calls through the stages of a service, and keeps time, journal and faults. It knows no resource.
//!
//! Layers, each of which knows only those above it in this list:
//!
//! 1. `sim-base`: rows, time, random numbers, later work, callers, declarations, and the store;
//! 2. `service`: a service prepared to run;
//! 3. `journal`: the records of calls, and the queries on them;
//! 4. [`fault`]: rules by which calls fail;
//! 5. `pipeline`: the stages of one call, and its answer;
//! 6. `simulator`: a world.

pub mod fault;
mod journal;
mod pipeline;
mod service;
mod simulator;

pub use sim_base::*;

pub use journal::coverage::{Coverage, Followed, Goal, Ignored, Reached};
pub use journal::cut::CutBody;
pub use journal::explain::{Check, Explanation};
pub use journal::search::{CallHead, CallPage, Filter};
pub use journal::{Call, Dropped, Origin, Stage};
pub use pipeline::answer::refuse;
pub use service::example::add_examples;
#[cfg(feature = "management")]
pub(crate) use service::names::find_word;
pub use service::part::only_tag;
pub use service::registry::Registry;
#[cfg(feature = "management")]
pub(crate) use service::settings;
#[cfg(feature = "management")]
pub use simulator::State;
pub use simulator::{
    AnswerChange, Builder, Difference, Divergence, Replay, ReplayCall, ReplayError, Replaying, RowChange,
    Session, Simulator, Snapshot, ValueChange,
};

#[cfg(feature = "steps")]
pub use sim_base::store::steps_taken;
