//! `/v1`.

mod branch_diff;
mod branches;
mod oauth;
mod organizations;
mod projects;
mod snippets;
