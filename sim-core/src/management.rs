//! The management API under `/v1`, ready to run.

use std::sync::LazyLock;

pub use sim_management::*;

use crate::engine::Registry;

/// The service, compiled on first use.
pub fn registry() -> &'static Registry {
    static REGISTRY: LazyLock<Registry> = LazyLock::new(|| Registry::new(&SERVICE));
    &REGISTRY
}
