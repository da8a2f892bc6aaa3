//! The building blocks of resources: operations and their declarations, rows, time, random numbers, background work and
//! callers.
//!
//! This crate runs nothing. `sim-core` has the engine that takes calls through these declarations. It re-exports what
//! its users need. [`Cx`] is the only thing an operation can depend on.

pub mod analytics_policy;
pub mod cx;
pub mod db;
pub mod edition;
pub mod error;
pub mod event_server;
pub mod fetch;
pub mod format;
pub mod history;
pub mod identity;
pub mod jobs;
pub mod last_caller;
pub mod log;
pub mod log_line;
pub mod manner;
pub mod near;
pub mod operation;
pub mod policy;
pub mod profile;
pub mod rate;
pub mod request;
pub mod rng;
pub mod row_query;
pub mod schema;
pub mod server;
pub mod signer;
pub mod store;
pub mod time;
pub mod upload;
pub mod view;
pub mod world;

pub use analytics_policy::{AnalyticsPolicy, Warehouse};
pub use cx::{Cx, NO_PRIVILEGES};
pub use db::Db;
pub use edition::Edition;
pub use error::{Aside, Error, Fact, Kind};
pub use event_server::{Added, EventFailure, EventLine, EventParameter, EventQuery, EventRow, EventServer};
pub use fetch::{Fetched, Fetcher};
pub use format::{FORMAT, other_version};
pub use history::Happened;
pub use identity::{
    Bearer, Caller, Limits, NewToken, UserSpec, create_user, end_membership, issue_token, register_token,
    revoke_token, set_role, valid_until,
};
pub use jobs::{Due, Task, TaskEntry};
pub use log_line::Line;
pub use manner::{Manner, Problem, invalid_reason, missing_permissions, require_scope};
pub use operation::{
    Access, Body, Empty, Entry, Guard, InputCheck, Listed, Meta, Method, Needs, Operation, Payload, Resource,
    Role, Scope, Section, Service, act, delete, get, patch, post, put,
};
pub use policy::{
    Answers, DiskGrowth, Durations, Finish, FunctionLimits, Outcome, Outcomes, Policy, RateClass, RateLimit,
    RateScope, ServiceDurations, UnknownFields,
};
pub use profile::{NotificationsShape, PostgresVersion, Profile};
pub use rate::RateWindow;
pub use request::ClientAddress;
pub use rng::{Draw, Rng, hex};
pub use schema::{MASK, Secret};
pub use server::{Address, DatabaseServer, Holder, SqlCall, Version};
pub use signer::Signer;
pub use sim_values::budget::Interrupt;
pub use store::{DatabaseKind, Databases, Held};
pub use time::{Pace, Timestamp, from_micros, later, micros};
pub use upload::{Blob, File, MULTIPART, TextOrBytes, multipart_of};
pub use view::{View, view};
pub use world::{OrganizationSpec, SingleTenant, World};
