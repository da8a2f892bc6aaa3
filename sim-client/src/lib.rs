//! A client of a running simulator, for tests in Rust. It needs neither SQLite nor the simulator's own crates, so it is compatible
//! with any other dependency.
//!
//! Start the program for the duration of a test, or connect to a running server:
//!
//! ```no_run
//! use sim_client::{Client, Process};
//!
//! let server = Process::start(&["--analytics"])?;    // the program that STUNTDOUBLE_BIN names, or `stuntdouble` on PATH
//! let other = Client::at("http://127.0.0.1:8787");
//! let around = Client::from_env()?;                  // the server of `stuntdouble exec -- cargo test`
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Make a world for each test, give its URL and token to the client under test, and drive the world from the test:
//!
//! ```
//! use std::time::Duration;
//! use serde_json::json;
//! use sim_client::{Client, Effect, Fault, NewWorld, On};
//!
//! # let server = sim_http::Server::spawn(sim_core::Simulator::builder().build());
//! # let url = server.url();
//! let client = Client::at(url);
//! let world = client.create_world(&NewWorld { seed: Some(7), ..NewWorld::default() })?;
//!
//! // The answer to the next create is lost; a retry finds that the project is there.
//! world.add_fault(&Fault::new(On::operation("v1-create-a-project"), Effect::LostAnswer))?;
//! let demo = json!({ "name": "demo", "organization_id": "acme", "region": "us-east-1", "db_pass": "a-password" });
//! let lost = world.api().post("/v1/projects", &demo).unwrap_err();
//! assert_eq!(lost.reason, "no_answer");
//! let retry = world.api().post("/v1/projects", &demo)?;
//! assert_eq!((retry.status, retry.reason()), (400, Some("project_exists")));
//!
//! // A simulated minute later the project is up.
//! let moved = world.advance(Duration::from_secs(60))?;
//! assert_eq!(moved.happened[0].became, "ACTIVE_HEALTHY");
//! # Ok::<(), sim_client::Error>(())
//! ```
//!
//! - [`World`] has a method for each control operation that tests need often. [`World::control`] makes any of
//!   [`OPERATIONS`] by its id.
//! - [`World::api`] calls the simulated API. A [`Reply`] has status, headers and body, and [`Reply::read`] gives the body as a
//!   type of yours.
//! - Calls block, so a test needs no async runtime.
//! - The feature `tls` adds [`Client::trusting`](Client) for servers that speak TLS.
//!
//! Programs that can link the simulator have the same methods with the simulator's own types in `sim_http::client`.

#![forbid(unsafe_code)]

mod api;
mod client;
mod error;
mod fault;
mod operations;
mod process;
mod types;
mod world;

pub use jiff::Timestamp;

pub use self::api::{Api, Reply};
pub use self::client::Client;
pub use self::error::{Error, Result};
pub use self::fault::{Effect, Fault, FaultStanding, On};
pub use self::operations::OPERATIONS;
pub use self::process::Process;
pub use self::types::{
    Call, Check, Clock, CutBody, Due, Explanation, Fact, Happened, Moved, NewWorld, Plain, ScenarioInfo,
    SnapshotInfo, SweepPoint, Trouble, Types, WorldInfo,
};
pub use self::world::World;
