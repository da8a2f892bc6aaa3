//! Connections, from the socket up to the request: accepted and counted, TLS, limits on headers, answers that a fault rule
//! delays, cuts off or replaces by a reset, and a close that the client still gets its answer from.

pub(crate) mod accept;
pub(crate) mod drain;
mod header_guard;
pub(crate) mod limits;
mod response_body;
#[cfg_attr(not(feature = "tls"), path = "no_tls.rs")]
pub(crate) mod tls;
