//! Facts that clients see; the tree mirrors the URLs. Each fact is checked in process and over HTTP.

#![forbid(unsafe_code)]

mod abilities;
mod access;
mod analytics;
mod bad_input;
mod bounds;
mod conformance;
mod contract;
mod control;
mod coverage;
mod decoder;
mod depth;
mod determinism;
mod docs;
mod editions;
mod enums;
mod fuzz;
mod growth;
mod isolation;
mod journal;
mod lens;
mod lifecycles;
mod needs;
mod openapi;
mod plans;
mod polling;
mod profiles;
mod property;
mod rate_limit;
mod reasons;
mod scenarios;
mod secrets;
mod seeds;
mod steps;
mod supply;
mod support;
mod sweep;
mod time_travel;
mod unknown_fields;
mod v1;
mod v2;
