//! `/_sim`: what whoever drives the simulator may do, without a token and without a limit.

mod dns;
mod faults;
mod outcomes;
mod settings;
mod unknown;
mod users;
