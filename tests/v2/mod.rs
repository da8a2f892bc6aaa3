//! `/v2`.

mod advisors;
mod backups;
mod branches;
mod compute;
mod config;
mod log_drains;
mod maintenance;
mod members;
mod notebooks;
mod private_link;
mod projects;
mod transfers;
mod vcs_connections;
mod webhooks;
