//! A service made ready to run: its routes, its schemas, the input that a request becomes, its documents.

pub(crate) mod input;
pub(crate) mod names;
mod node;
pub(crate) mod openapi;
pub(crate) mod registry;
pub(crate) mod setup;
