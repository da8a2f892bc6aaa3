//! What has been tried to find the simulator unreliable, for anyone to try again.
//!
//! - [`Crash`](crash::Crash): the server killed at random instants, its worlds held against all that was ever answered;
//! - [`Load`](load::Load): many connections and bad neighbours, for as long as wanted;
//! - [`Race`](race::Race): clients that race over one world, and whether the journal's order explains what each saw;
//! - [`Model`](model::Model): the simulator against the reference model, as many calls as wanted.
//!
//! Each run follows from a seed as far as its own choices go; what fails says the command that makes the same ones.

#![forbid(unsafe_code)]

mod calls;
mod client;
pub mod crash;
mod history;
pub mod load;
pub mod model;
mod progress;
pub mod race;
pub mod serving;
