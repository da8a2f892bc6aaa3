//! `stuntdouble explain 12`: the reasons of the answer to a call.

use clap::Args;
use serde_json::json;
use sim_client::World;
use sim_core::engine::{CallPage, Explanation};
use sim_http::client::Core;

use super::Reach;
use crate::Failure;

/// Arguments of `explain`.
#[derive(Args)]
#[command(
    after_help = "The header x-sim-call of an answer has the number of its call; the request log shows it, too.

Examples:
  stuntdouble explain     why was the latest refused call refused?
  stuntdouble explain 12  why did call 12 get its answer?"
)]
pub(crate) struct Arguments {
    /// Number of the call [default: the latest call with a status of 400 or more; one to the analytics server only if none to the
    /// management API has such a status]
    call: Option<u64>,
    /// The service that was called, in a world with both services: management or analytics [default: management]
    #[arg(long, value_name = "SERVICE", value_parser = ["management", "analytics"])]
    service: Option<String>,
    #[command(flatten)]
    reach: Reach,
}

pub(crate) fn run(Arguments { call, service, reach }: &Arguments) -> Result<(), Failure> {
    let world = reach.world()?;
    let (call, service) = match call {
        Some(call) => (*call, service.as_deref()),
        None => latest_refused(&world, service.as_deref())
            .map_err(|error| reach.failed(&error))?
            .ok_or_else(|| Failure("CALL: no call was refused; give the number of a call".to_owned()))?,
    };
    let fields = json!({ "call": call, "service": service });
    let explained: Result<Explanation, _> = world.control("sim-explain", &fields);
    let explained = explained.map_err(|error| match error.status {
        Some(404) => {
            Failure(format!("CALL {call}: {}; `stuntdouble journal` lists the calls", error.message))
        }
        _ => reach.failed(&error),
    })?;
    reach.show(&explained, |explained| explained.to_string().trim_end().to_owned());
    Ok(())
}

/// The latest refused call, and the service to ask about it.
fn latest_refused<'s>(
    world: &World<Core>,
    service: Option<&'s str>,
) -> sim_client::Result<Option<(u64, Option<&'s str>)>> {
    let found = latest_refused_of(world, service)?.map(|call| (call, service));
    if found.is_some() || service.is_some() {
        return Ok(found);
    }
    // A world without the analytics server refuses the question.
    let other = Some("analytics");
    Ok(latest_refused_of(world, other).ok().flatten().map(|call| (call, other)))
}

fn latest_refused_of(world: &World<Core>, service: Option<&str>) -> sim_client::Result<Option<u64>> {
    let search = |offset: u64, limit: u64| {
        let fields = json!({ "status_from": 400, "service": service, "offset": offset, "limit": limit });
        world.control::<CallPage>("sim-search-journal", &fields)
    };
    let total = search(0, 0)?.total;
    Ok(search(total.saturating_sub(1), 1)?.calls.first().map(|call| call.call))
}
