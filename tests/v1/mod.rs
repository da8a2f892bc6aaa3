//! `/v1`.

mod branches;
mod oauth;
mod organizations;
mod projects;
mod snippets;
