//! `stuntdouble fork`: copies a world of a running server.

use clap::Args;
use serde_json::json;
use sim_core::Timestamp;
use sim_http::control::WorldInfo;

use super::Reach;
use crate::Failure;

/// Arguments of `fork`.
#[derive(Args)]
#[command(after_help = "Examples:
  stuntdouble fork before                keep the present state under a name
  stuntdouble fork --at-call 12          the world as it was right after call 12
  stuntdouble state --world before       look at the copy")]
pub(crate) struct Arguments {
    /// Name of the copy [default: a new one]
    name: Option<String>,
    /// The same as NAME
    #[arg(long = "name", value_name = "NAME", conflicts_with = "name")]
    named: Option<String>,
    /// Copy the state right after this call; 0 is the start
    #[arg(long, value_name = "CALL", conflicts_with = "at")]
    at_call: Option<u64>,
    /// Copy the state at this time, as in 2026-01-01T00:10:00Z
    #[arg(long, value_name = "TIMESTAMP")]
    at: Option<Timestamp>,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(Arguments { name, named, at_call, at, reach }: &Arguments) -> Result<(), Failure> {
    let fields = json!({ "name": name.as_ref().or(named.as_ref()), "at_call": at_call, "at": at });
    let made: Result<WorldInfo, _> = reach.world()?.control("sim-fork-world", &fields);
    reach.show(&made.map_err(|error| reach.failed(&error))?, super::world::told);
    Ok(())
}
