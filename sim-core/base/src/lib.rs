//! The building blocks of resources: operations and their declarations, rows, time, random numbers, background work and
//! callers.
//!
//! This crate runs nothing. `sim-core` has the engine that takes calls through these declarations. It re-exports what
//! its users need. [`Cx`] is the only thing an operation can depend on. The modules are not stable; what is meant to be used is
//! re-exported.

// What is derived names this crate.
extern crate self as sim_base;

#[doc(hidden)]
pub mod analytics_policy;
#[doc(hidden)]
pub mod cx;
#[doc(hidden)]
pub mod db;
#[doc(hidden)]
pub mod edition;
#[doc(hidden)]
pub mod ends;
#[doc(hidden)]
pub mod error;
#[doc(hidden)]
pub mod event_server;
#[doc(hidden)]
pub mod fetch;
#[doc(hidden)]
pub mod format;
#[doc(hidden)]
pub mod from_json;
#[doc(hidden)]
pub mod history;
#[doc(hidden)]
pub mod identity;
#[doc(hidden)]
pub mod jobs;
#[doc(hidden)]
pub mod json;
#[doc(hidden)]
pub mod last_caller;
#[doc(hidden)]
pub mod listed;
#[doc(hidden)]
pub mod log;
#[doc(hidden)]
pub mod log_line;
#[doc(hidden)]
pub mod manner;
#[doc(hidden)]
pub mod near;
#[doc(hidden)]
pub mod operation;
#[doc(hidden)]
pub mod policy;
#[doc(hidden)]
pub mod profile;
#[doc(hidden)]
pub mod rate;
#[doc(hidden)]
pub mod request;
#[doc(hidden)]
pub mod rng;
#[doc(hidden)]
pub mod row_query;
#[doc(hidden)]
pub mod schema;
#[doc(hidden)]
pub mod server;
#[doc(hidden)]
pub mod signer;
#[doc(hidden)]
pub mod store;
#[doc(hidden)]
pub mod time;
#[doc(hidden)]
pub mod to_schema;
#[doc(hidden)]
pub mod upload;
#[doc(hidden)]
pub mod view;
#[doc(hidden)]
pub mod world;

pub use analytics_policy::{AnalyticsPolicy, Warehouse};
pub use cx::{Cx, NO_PRIVILEGES};
pub use db::Db;
pub use edition::Edition;
pub use ends::End;
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
pub use sim_derive::{FromJson, New, ToSchema};
pub use sim_values::budget::Interrupt;
pub use store::{DatabaseKind, Databases, Held};
pub use time::{Pace, Timestamp, from_micros, later, micros};
pub use upload::{Blob, File, MULTIPART, TextOrBytes, multipart_of};
pub use view::{View, view};
pub use world::{OrganizationSpec, SingleTenant, World};
