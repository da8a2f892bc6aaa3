//! Worlds in process for other languages: a shared library with a C interface, described by `include/stuntdouble.h`, which is an
//! addon of Node at the same time.
//!
//! `sim-in-process` has what the functions do, `boundary.rs` the functions: it turns pointers into values and values into pointers,
//! and holds all unsafe code. `node.rs` is the same for JavaScript. A world is a server without a socket, so `stuntdouble_handle`
//! answers the paths of the simulated services and those of the control API alike. The other functions are control calls with
//! arguments instead of JSON.

pub mod boundary;
#[cfg(feature = "node")]
mod node;
