//! One request, with or without a socket: who may make it, which world answers it, its body, the headers of its answer, and its
//! line in the request log.

pub(crate) mod access;
pub(crate) mod body;
pub(crate) mod cors;
pub(crate) mod log;
pub(crate) mod service;
