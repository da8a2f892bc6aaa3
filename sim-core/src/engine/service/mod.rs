//! Prepares a service to run: routes, compiled schemas, the input of a request, and OpenAPI documents.

pub(crate) mod contract;
pub(crate) mod example;
pub(crate) mod input;
pub(crate) mod names;
mod node;
mod open;
pub(crate) mod openapi;
pub(crate) mod part;
pub(crate) mod registry;
pub(crate) mod settings;
pub(crate) mod setup;
pub(crate) mod unknown;
pub(crate) mod vary;
