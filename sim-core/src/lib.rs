//! A deterministic simulator of a hosted platform's project-management API: a pure state machine over SQLite.
//!
//! Nothing in this crate reads a clock, draws entropy, starts a thread, opens a socket or looks at the environment. Time
//! is data that [`Simulator::advance`] changes, random numbers follow from one seed, and all state is rows. So the same
//! seed, [`Policy`], [`Profile`] and calls give the same bytes on every machine, a snapshot is a world, and a fork of one
//! takes microseconds.
//!
//! ```
//! use std::time::Duration;
//! use sim_core::management::project::{CreateProject, GetProject, PauseProject, Status};
//! use sim_core::Simulator;
//!
//! let mut sim = Simulator::builder().seed(7).build();
//! let created = sim.call(CreateProject::named("demo", "acme"))?;
//! assert_eq!(created.status, Status::Unknown);
//!
//! sim.advance(Duration::from_secs(60));
//! let project = created.id;
//! assert_eq!(sim.call(GetProject::new(&project))?.status, Status::ActiveHealthy);
//!
//! let mut other = sim.fork();
//! other.call(PauseProject::new(&project))?;
//! assert_eq!(other.call(GetProject::new(&project))?.status, Status::Pausing);
//! assert_eq!(sim.call(GetProject::new(project))?.status, Status::ActiveHealthy);
//! # Ok::<(), sim_core::Error>(())
//! ```
//!
//! - [`engine`] knows no resource: operations, the stages of a call, store, clock, random numbers, jobs, journal.
//! - [`management`] has one file for each resource of `/v1`, [`analytics`] one for each of `/api`.
//! - [`seed`] makes worlds from files, and exports worlds to files.
//! - [`sql`] is the database engine of projects: PostgreSQL's dialect over SQLite.
//! - [`mod@sweep`] judges how clients handle faults; [`lens`] measures how they use the rate limit.

#![forbid(unsafe_code)]

#[cfg(feature = "analytics")]
pub mod analytics;
pub mod engine;
#[cfg(feature = "management")]
pub mod lens;
#[cfg(feature = "management")]
pub mod management;
#[cfg(feature = "management")]
pub mod profile_file;
#[cfg(feature = "management")]
pub mod seed;
pub mod shrink;
#[cfg(any(feature = "analytics", feature = "sql"))]
pub mod sql;
pub mod sweep;

pub use sim_base::{Interrupt, New, operations};

pub use engine::{
    Due, Edition, Error, Fact, Happened, Kind, Operation, Pace, Policy, Profile, RateLimit, Replay, Role,
    Session, Simulator, Snapshot, Timestamp, UserSpec, World,
};

impl Simulator {
    /// Begins a world of the analytics server.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::analytics::source::{CreateSource, ListSources};
    ///
    /// let mut sim = Simulator::analytics().seed(7).build();
    /// let source = sim.call(CreateSource::named("gateway"))?;
    /// assert_eq!(sim.call(ListSources {})?, [source]);
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    #[cfg(feature = "analytics")]
    pub fn analytics() -> engine::Builder {
        engine::Builder::new(analytics::registry())
    }

    /// Begins a world of the management service.
    #[cfg(feature = "management")]
    pub fn builder() -> engine::Builder {
        engine::Builder::new(management::registry())
    }
}
