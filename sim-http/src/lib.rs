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

#[cfg(feature = "client")]
pub mod client;
pub mod control;
#[cfg(feature = "dashboard")]
mod dashboard;
mod disk;
mod listen;
mod outgoing;
#[cfg(feature = "postgres")]
mod postgres;
mod request;
mod server;
mod worlds;

pub use control::{control_openapi, control_operations};
#[cfg(feature = "dashboard")]
pub use dashboard::Dashboard;
pub use disk::{DiskError, Durability};
pub use listen::limits::Limits;
#[cfg(feature = "postgres")]
pub use postgres::{PostgresEvents, PostgresServer};
pub use request::access::{ControlAccess, HostName, Origin};
pub use request::log::LogLine;
pub use request::service::SimService;
pub use server::{Builder, Server};
pub use worlds::world::SimGuard;
