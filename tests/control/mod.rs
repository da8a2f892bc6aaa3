//! `/_sim`: what whoever drives the simulator may do, without a token and without a limit.

mod outcomes;
mod users;
