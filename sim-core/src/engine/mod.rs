//! What every simulated service needs and no resource: operations, the way through a call, store, clock, chance,
//! jobs, journal, schemas.

mod advance;
mod analytics_policy;
mod beside;
mod builder;
mod by_name;
mod changes;
mod chronicle;
mod coverage;
mod cx;
mod db;
mod error;
mod event_server;
mod explain;
pub mod fault;
mod fetch;
mod fork;
mod history;
mod identity;
mod jobs;
mod journal;
pub(crate) mod journal_query;
mod journal_search;
mod last_caller;
mod log;
mod manner;
mod names;
mod node;
mod openapi;
mod operation;
mod peek;
mod pipeline;
mod policy;
mod profile;
mod rate;
mod recall;
mod registry;
mod relive;
mod replay;
mod rng;
mod schema;
mod server;
mod signer;
mod simulator;
mod state;
mod store;
mod time;
mod upload;
mod view;
mod wire;
mod world;

pub use analytics_policy::{AnalyticsPolicy, Warehouse};
pub use builder::Builder;
pub use changes::RowChange;
pub use coverage::{Coverage, Followed, Goal, Reached};
pub use cx::{Cx, NO_PRIVILEGES};
pub use db::Db;
pub use error::{Aside, Error, Fact, Kind};
pub use event_server::{Added, EventFailure, EventLine, EventParameter, EventQuery, EventRow, EventServer};
pub use explain::{Check, Explanation};
pub use fetch::{Fetched, Fetcher};
pub use fork::Snapshot;
pub use history::Happened;
pub use identity::{
    Bearer, Caller, NewToken, UserSpec, create_user, end_membership, issue_token, register_token,
    revoke_token, set_role,
};
pub use jobs::{Due, Task, TaskEntry};
pub use journal::{Call, Dropped, Origin, Stage};
pub use journal_search::{CallHead, CallPage, Filter};
pub use manner::{Manner, Problem, invalid_reason};
pub use operation::{
    Access, Body, Empty, Entry, Guard, InputCheck, Listed, Meta, Method, Operation, Payload, Resource, Role,
    Scope, Service, act, delete, get, patch, post, put,
};
pub use policy::{DiskGrowth, Durations, FunctionLimits, Outcome, Outcomes, Policy, RateLimit};
pub use profile::{NotificationsShape, PostgresVersion, Profile};
pub use rate::RateWindow;
pub use registry::Registry;
pub use replay::{Divergence, Replay, ReplayCall, ReplayError};
pub use rng::{Draw, Rng, hex};
pub use schema::{MASK, Secret};
pub use server::{Address, DatabaseServer, Holder, SqlCall, Version};
pub use signer::Signer;
pub use simulator::{Session, Simulator};
pub use state::State;
#[cfg(feature = "steps")]
pub use store::steps_taken;
pub use store::{DatabaseKind, Databases, Held};
pub use time::{Pace, Timestamp};
pub use upload::{Blob, File, MULTIPART, TextOrBytes, multipart_of};
pub use view::View;
pub use wire::{refuse, too_large};
pub use world::{OrganizationSpec, SingleTenant, World};

pub(crate) use beside::{Heard, Line};
pub(crate) use fault::RESOURCE as FAULTS;
pub(crate) use history::HISTORY_LEAVES_ROWS;
pub(crate) use jobs::WORK_KNOWS_ROWS;
pub(crate) use rate::WINDOWS_LEAVE_ROWS;
pub(crate) use simulator::CLOCK_LEAVES_ROWS;
pub(crate) use time::{from_micros, later, micros};
pub(crate) use view::view;
