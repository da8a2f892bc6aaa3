//! Attempts to show that the simulator is unreliable, for anyone to repeat.
//!
//! - [`Crash`](crash::Crash): kills the server at random moments, and compares its worlds with all answers;
//! - [`Load`](load::Load): many connections and misbehaving clients, for as long as you like;
//! - [`Soak`](load::Soak): the same twice, the second time with hostile SQL in one more world;
//! - [`Events`](events::Events): a million events with queries beside, then kills while events come;
//! - [`Race`](race::Race): clients race over one world; the journal's order must explain what each has seen;
//! - [`Model`](model::Model): compares the simulator with the reference model, for as many calls as you like.
//!
//! The choices of each run follow from its seed. A failing run prints the command that repeats them.

#![forbid(unsafe_code)]

mod calls;
mod client;
pub mod crash;
pub mod events;
mod history;
pub mod load;
pub mod model;
mod progress;
pub mod race;
pub mod serving;
