//! The shim as clients meet it: what the core answers is tested elsewhere.

#![forbid(unsafe_code)]

mod analytics;
mod both;
mod cli;
mod client;
mod clock;
mod control;
#[cfg(feature = "dashboard")]
mod dashboard;
mod disk;
mod faults;
mod gate;
mod lens;
mod limits;
mod look;
mod panics;
mod posts;
#[cfg(feature = "postgres")]
mod seeds;
mod shrink;
mod statements;
mod sweep;
mod tls;
mod tower;
#[cfg(feature = "client")]
mod typed;
mod wire;
mod worlds;
