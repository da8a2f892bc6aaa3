//! Connections, from the socket up to the request: accepting and counting them, TLS, limits on headers, answers damaged by a fault
//! rule, closing connections of clients that do not read, and closing so that the client can read its answer.

mod accept;
mod drain;
mod framing;
mod header_guard;
mod limits;
mod requests;
mod response_body;
#[cfg_attr(not(feature = "tls"), path = "no_tls.rs")]
mod tls;
mod unsent;
mod write_guard;

pub(crate) use self::accept::{Acceptor, serve};
pub use self::limits::Limits;
pub(crate) use self::requests::{NO_ROOM, Requests, Room};
pub(crate) use self::tls::Tls;
pub(crate) use self::unsent::Unsent;
#[cfg(feature = "postgres")]
pub(crate) use self::{drain::Abort, unsent::Counted, write_guard::WriteGuard};
