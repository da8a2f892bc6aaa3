//! The simulator over HTTP: a server, many worlds on one port, a control API.
//!
//! In a test, spawn a fake on a free port and point any client at it:
//!
//! ```
//! use sim_core::Simulator;
//! use sim_http::Server;
//!
//! let server = Server::spawn(Simulator::builder().seed(7).build());
//! println!("{} answers to {}", server.url(), server.token());
//! // The client under test makes its calls; then the test looks inside and lets time go by.
//! server.sim().advance(std::time::Duration::from_secs(60));
//! assert_eq!(server.sim().calls(), 0);
//! ```
//!
//! - [`Server`] listens; [`SimService`] is the same without a socket.
//! - Which world a request means follows from the header `x-sim-world`, the path prefix `/w/NAME`, or the token;
//!   else it is the world `main`. Worlds share nothing, not even a lock.
//! - The control API is described by `/_sim/openapi.json`, the simulated one by `/openapi.json`; its operations are types
//!   in [`control`], which a `client` makes on a server in another process.
//!
//! A server of HTTP/1.1 is all there is by default. Features add the rest: `tls`, `http2`, `dashboard` (the pages at
//! `/dashboard`), `postgres` (project databases on a PostgreSQL server), `client` (the typed client); `full` adds them all.

#![forbid(unsafe_code)]

mod accept;
mod body;
#[cfg(feature = "client")]
pub mod client;
mod clock;
pub mod control;
mod cors;
#[cfg(feature = "dashboard")]
mod dashboard;
mod dial;
mod disk;
mod gate;
mod half;
mod harm;
mod heads;
#[cfg_attr(not(feature = "tls"), path = "no_https.rs")]
mod https;
mod hub;
mod limits;
mod linger;
mod log;
mod outgoing;
#[cfg(feature = "postgres")]
mod postgres;
mod server;
mod service;
#[cfg_attr(not(feature = "tls"), path = "no_tls.rs")]
mod tls;
mod watch;
mod world;

pub use control::{control_openapi, control_operations};
#[cfg(feature = "dashboard")]
pub use dashboard::Dashboard;
pub use disk::{DiskError, Durability};
pub use gate::{ControlAccess, HostName, Origin};
pub use limits::Limits;
pub use log::LogLine;
#[cfg(feature = "postgres")]
pub use postgres::{PostgresEvents, PostgresServer};
pub use server::{Builder, Server};
pub use service::SimService;
pub use world::SimGuard;
