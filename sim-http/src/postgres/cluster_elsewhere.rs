//! No server of our own on systems without Unix sockets, which it needs.

use std::io;

use super::target::{Place, Target};

/// A server of our own: not available here.
pub(super) enum Cluster {}

impl Cluster {
    pub(super) fn start() -> io::Result<Cluster> {
        let text = "a PostgreSQL server is started on Unix only; name one that runs by its URL";
        Err(io::Error::new(io::ErrorKind::Unsupported, text))
    }

    pub(super) fn admin(&self) -> Target {
        match *self {}
    }

    pub(super) fn tcp(&self) -> Place {
        match *self {}
    }
}
