//! `stuntdouble explain 12`: the reasons of the answer to a call.

use clap::Args;
use serde_json::json;
use sim_core::engine::Explanation;

use super::Reach;
use crate::Failure;

/// Arguments of `explain`.
#[derive(Args)]
#[command(
    after_help = "The header x-sim-call of an answer has the number of its call; the request log shows it, too.

Example:
  stuntdouble explain 12"
)]
pub(crate) struct Arguments {
    /// Number of the call
    call: u64,
    /// The service that was called, in a world with both services: management or analytics [default: management]
    #[arg(long, value_name = "SERVICE", value_parser = ["management", "analytics"])]
    service: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(Arguments { call, service, reach }: &Arguments) -> Result<(), Failure> {
    let fields = json!({ "call": call, "service": service });
    let explained: Result<Explanation, _> = reach.world()?.control("sim-explain", &fields);
    let explained = explained.map_err(|error| match error.status {
        Some(404) => Failure(format!("CALL {call}: {}", error.message)),
        _ => reach.failed(&error),
    })?;
    reach.show(&explained, |explained| explained.to_string().trim_end().to_owned());
    Ok(())
}
