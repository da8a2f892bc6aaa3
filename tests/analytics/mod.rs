//! The analytics server: `/api`, and where logs go in.

mod access;
mod access_tokens;
mod document;
mod endpoints;
mod ingestion;
mod quotas;
mod sources;
mod teams;
