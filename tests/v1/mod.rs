//! `/v1`.

mod organizations;
mod projects;
