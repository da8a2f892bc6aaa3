//! `/v2`.

mod backups;
mod config;
mod log_drains;
mod maintenance;
mod members;
mod notebooks;
mod private_link;
mod transfers;
