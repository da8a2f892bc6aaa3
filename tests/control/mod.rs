//! `/_sim`: the control API, which needs no token and has no rate limit.

mod dns;
mod faults;
mod outcomes;
mod settings;
mod unknown;
mod users;
mod variants;
