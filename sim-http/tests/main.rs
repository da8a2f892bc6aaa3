//! The shim from a client's view. The content of the core's answers is tested elsewhere.

#![forbid(unsafe_code)]

mod analytics;
mod both;
mod cli;
mod client;
mod clock;
mod consent;
mod control;
mod dashboard;
mod disk;
mod faults;
mod fetch;
mod gate;
mod lens;
mod limits;
mod look;
mod panics;
mod plain;
mod pooler;
mod posts;
mod reliability;
mod remote;
mod seeds;
mod shell;
mod shrink;
mod side_by_side;
mod statements;
mod sweep;
mod things;
mod tls;
mod tools;
mod tower;
mod typed;
mod webhooks;
mod wire;
mod worlds;
