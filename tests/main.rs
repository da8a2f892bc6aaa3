//! What clients see, as facts; the tree mirrors the URLs. Each fact holds in process and over HTTP.

mod abilities;
mod access;
mod analytics;
mod bad_input;
mod contract;
mod control;
mod coverage;
mod determinism;
mod docs;
mod enums;
mod extensions;
mod journal;
mod lens;
mod lifecycles;
mod openapi;
mod plans;
mod property;
mod rate_limit;
mod scenarios;
mod seeds;
mod steps;
mod support;
mod sweep;
mod time_travel;
mod v1;
