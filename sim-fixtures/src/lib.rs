//! What tests of the simulator are built from, and tests of its clients can be.
//!
//! - [`Expect`]: one-line asserts over a journal;
//! - [`api`]: one way to call, in process or over HTTP, so that a fact is written once;
//! - [`analytics`]: worlds of the analytics server in the state that a test begins with;
//! - [`scenario`]: worlds in the state that a test begins with;
//! - [`strategies`]: calls by chance, good ones, boundary cases and wrong ones;
//! - [`mod@sweep`]: a client run with each of its calls harmed in each way;
//! - [`fuzz`]: what a fuzzer throws bytes at;
//! - [`model`]: the simplest thing that could be right, to compare with;
//! - [`plans`]: histories written down, for clients in any language;
//! - [`trial`]: a client of yours, taken through histories and compared with the model.
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
pub mod fuzz;
pub mod model;
pub mod plans;
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
