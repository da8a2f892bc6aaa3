//! The simulator over HTTP: a server, many worlds on one port, a control API.
//!
//! In a test, spawn a server on a free port and point any client at it:
//!
//! ```
//! use sim_core::Simulator;
//! use sim_http::Server;
//!
//! let server = Server::spawn(Simulator::builder().seed(7).build());
//! println!("{} answers to {}", server.url(), server.token());
//! // The client under test makes its calls; then the test reads the world and advances its clock.
//! server.sim().advance(std::time::Duration::from_secs(60));
//! assert_eq!(server.sim().calls(), 0);
//! ```
//!
//! - [`Server`] listens on a port; [`SimService`] is the same without a socket.
//! - A request chooses its world by the header `x-sim-world`, the path prefix `/w/NAME`, or its token. Otherwise it goes to the
//!   world `main`. Worlds share nothing, not even a lock.
//! - `/_sim/openapi.json` describes the control API, `/openapi.json` the simulated one. Control operations are types in
//!   [`control`]; `client` sends them to a server in another process.
//!
//! By default this is a server of HTTP/1.1. Features add the rest: `tls`, `http2`, `dashboard` (the pages at `/dashboard`),
//! `postgres` (project databases on a PostgreSQL server), `client` (the typed client). `full` adds all of them.

#![forbid(unsafe_code)]

#[cfg(feature = "client")]
pub mod client;
pub mod control;
#[cfg(feature = "dashboard")]
mod dashboard;
mod disk;
mod executor;
mod listen;
mod outgoing;
#[cfg(feature = "postgres")]
mod pooler;
#[cfg(feature = "postgres")]
mod postgres;
mod request;
mod server;
mod stderr;
mod worlds;

pub use control::{control_openapi, control_operations};
#[cfg(feature = "dashboard")]
pub use dashboard::Dashboard;
pub use disk::{DiskError, Durability};
pub use listen::Limits;
pub use outgoing::fetcher;
#[cfg(feature = "postgres")]
pub use postgres::{PostgresEvents, PostgresServer};
pub use request::{ControlAccess, HostName, LogLine, Origin, SimService, guide};
pub use server::{Builder, Server};
pub use stderr::{flush_stderr, write_stderr};
pub use worlds::{SimGuard, now};
