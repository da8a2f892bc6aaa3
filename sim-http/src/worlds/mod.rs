//! The worlds behind the port: which one a request means, one world under its lock, its clock beside real time, its services,
//! and those who watch it.

pub(crate) mod clock;
pub(crate) mod hub;
pub(crate) mod services;
pub(crate) mod watch;
pub(crate) mod world;
