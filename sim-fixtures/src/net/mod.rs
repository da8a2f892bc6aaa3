//! Worlds for async clients: no socket, no server, no sleep.
//!
//! - [`Transport`] answers requests in the place of a connection, as a `tower` service and, with the feature `reqwest`, as a
//!   middleware of `reqwest`. It delays and breaks answers as a connection does.
//! - [`Transport::follow_tokio`] lets tokio's clock move the world's, also when it is paused.
//! - [`sweep_async`] and [`lens_async`] run an async client; [`trial::AsyncClient`](crate::trial::AsyncClient) does so in random
//!   histories.
//!
//! Everything runs on the runtime that polls it. Use one whose clock is paused (`#[tokio::test(start_paused = true)]`): then
//! clients wait in virtual time.

mod delivery;
#[cfg(feature = "reqwest")]
mod for_reqwest;
mod lens;
mod polling;
mod sweep;
mod transport;

pub use delivery::{Delivered, deliver};
pub use lens::{LensReport, lens_async};
#[cfg(feature = "proptest")]
pub(crate) use polling::caught;
pub use sweep::sweep_async;
pub use transport::Transport;
