//! Replaces `tls.rs` without the feature `tls`: this type has no values.

use std::io;

use crate::executor::Socket;

pub(crate) enum Tls {}

impl Tls {
    pub(crate) async fn accept(&self, _: Socket) -> io::Result<Socket> {
        match *self {}
    }

    #[cfg(feature = "postgres")]
    pub(crate) async fn accept_postgres(&self, _: Socket) -> io::Result<Socket> {
        match *self {}
    }

    #[cfg(feature = "postgres")]
    pub(crate) fn asked_name(_: &Socket) -> Option<String> {
        None
    }
}
