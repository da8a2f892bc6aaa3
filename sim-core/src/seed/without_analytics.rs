//! Replaces `analytics.rs` when the feature `analytics` is off. Declarations for the analytics server are refused.

use super::fill::Filled;
use super::{Seed, wrong};
use crate::engine::{Builder, Registry, SingleTenant};
use crate::{Error, Policy, Simulator};

pub(super) fn registry() -> Option<&'static Registry> {
    None
}

pub(super) fn alone(_: &Seed, _: Policy) -> Result<Builder, Error> {
    Err(missing("service"))
}

pub(super) fn beside(_: Builder, _: Option<&SingleTenant>) -> Result<Builder, Error> {
    Err(missing("service"))
}

pub(super) fn with_self_log(_: Builder) -> Result<Builder, Error> {
    Err(missing("self_log"))
}

pub(super) fn make(filled: Filled, sim: &mut Simulator) -> Result<(), Error> {
    filled.make(sim).map(drop)
}

fn missing(field: &str) -> Error {
    wrong(field, "needs a build of sim-core with the feature \"analytics\"")
}
