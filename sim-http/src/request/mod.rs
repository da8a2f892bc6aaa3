//! One request, with or without a socket: who may make it, which world answers it, its body, the headers of its answer, and its
//! line in the request log.

mod access;
mod body;
mod consent;
mod cors;
mod discovery;
mod explain;
mod guide;
mod host;
mod log;
mod service;
mod warn;

pub(crate) use self::access::AccessRules;
#[cfg(feature = "dashboard")]
pub(crate) use self::access::host_of;
pub use self::access::{ControlAccess, HostName, Origin};
pub use self::guide::guide;
pub use self::log::LogLine;
pub use self::service::SimService;
pub(crate) use self::service::{App, Log, Peer, Transport, json_response};
pub(crate) use self::warn::Warn;
