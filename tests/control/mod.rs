//! `/_sim`: the control API, which needs no token and has no rate limit.

mod agenda;
mod dns;
mod faults;
mod idle;
mod outcomes;
mod services;
mod settings;
mod tokens;
mod unknown;
mod users;
mod variants;
