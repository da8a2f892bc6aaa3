//! The analytics server: `/api`, and the paths for ingesting logs.

mod access;
mod access_tokens;
mod alerts;
mod backends;
mod document;
mod endpoints;
mod events;
mod forms;
mod ingestion;
mod input;
mod key_values;
mod languages;
mod notifications;
mod platform;
mod postgres;
mod property;
mod queries;
mod quotas;
mod redaction;
mod retention;
mod rules;
mod searches;
mod self_log;
mod sources;
mod teams;
mod warehouse;
