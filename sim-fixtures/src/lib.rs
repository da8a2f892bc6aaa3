//! Building blocks for tests of the simulator and of its clients.
//!
//! - [`Expect`]: one-line asserts over a journal;
//! - [`api`]: one way to call, in process or over HTTP, so that each test is written once;
//! - [`analytics`]: worlds of the analytics server in the states that tests start from;
//! - [`scenario`]: worlds in the states that tests start from;
//! - [`strategies`]: random calls: valid ones, boundary cases and invalid ones;
//! - [`mod@sweep`]: runs a client and injects every kind of fault into each of its calls;
//! - [`fuzz`]: fuzz targets;
//! - [`model`]: the reference model, the simplest implementation that could be right;
//! - `net`: worlds for async clients: transport, sweep and lens (feature `async`; `reqwest` adds its middleware);
//! - [`plans`]: random call sequences with the expected results, for clients in any language;
//! - [`property`]: compares the simulator with the model in random call sequences;
//! - [`trial`]: runs your client through random call sequences and compares it with the model.
//!
//! ```
//! use sim_fixtures::{Api as _, InProcess, scenario};
//!
//! let mut api = InProcess::new(scenario::paused_project());
//! let reply = api.act("/v1/projects/{ref}/pause");
//! assert_eq!(
//!     reply.to_string(),
//!     r#"400 {"message":"This project is not in an active state, it is INACTIVE"}"#
//! );
//! ```

#![forbid(unsafe_code)]

pub mod analytics;
pub mod api;
mod asserts;
mod everything;
#[doc(hidden)]
pub mod fuzz;
pub mod model;
#[cfg(feature = "async")]
pub mod net;
pub mod plans;
#[cfg(feature = "proptest")]
pub mod property;
pub mod scenario;
pub mod strategies;
pub mod sweep;
#[cfg(feature = "proptest")]
pub mod trial;

#[cfg(feature = "http")]
pub use api::Http;
pub use api::{Api, Call, InProcess, Reply};
pub use asserts::Expect;
pub use everything::everything;
pub use scenario::Scene;
pub use sweep::{Sweep, sweep};
