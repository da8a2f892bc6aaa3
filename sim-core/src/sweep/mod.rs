//! Crash points: injects every fault into every call of a good run, for one call or for longer, and judges each
//! result.
//!
//! The client is run elsewhere: by an in-process harness, or by the command line with a server for each run. This
//! module holds what both share: the [`points`] at which a fault can be injected, the [`Judge`] of a run, and the
//! [`Report`].

mod early;
mod inventory;
mod judge;
mod outage;
mod report;

pub use early::{EarlyCall, early_calls};
pub use inventory::Inventory;
pub use judge::{Ending, Judge, Trouble, TroubleKind};
pub use outage::Outage;
pub use report::{Report, Verdict};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim_base::ToSchema;

use crate::engine::fault::{AddFault, Effect, Fault, On};
use crate::engine::{Call, Origin};
use crate::{Error, Simulator};

/// The effects that a sweep injects by default; each is a name for [`effect`]. `slow` and `twice` are not included: a
/// failure after `twice` is not the client's fault.
pub const USUAL: [&str; 11] = [
    "500",
    "503",
    "rate_limit",
    "reset",
    "lost_answer",
    "late",
    "torn",
    "garbage",
    "empty",
    "stale",
    "latency",
];

/// Milliseconds after which a late call is done. A client that reads again after a second sees the result.
const LATE_MS: u64 = 500;
/// The default delay of an answer, in milliseconds.
const WAIT_MS: u64 = 60_000;

/// A fault to inject into a call of the good run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Point {
    /// The service that was called, by name.
    pub service: String,
    /// The number of the call among the client's calls to that service, from 1.
    pub call: u32,
    /// The method of that call.
    pub method: String,
    /// Its path and query.
    pub target: String,
    /// The rule, for a fork of the world before the run.
    pub fault: Fault,
}

impl Point {
    /// A fork of `world`, with the fault injected. `world` is the world before the good run.
    pub fn harmed(&self, world: &Simulator) -> Result<Simulator, Error> {
        let mut world = world.fork();
        let mut driver = world.as_admin_of(&self.service).ok_or_else(|| {
            Error::invalid("invalid_point.service", format!("service: the world has no {:?}", self.service))
        })?;
        driver.call(AddFault(self.fault.clone()))?;
        Ok(world)
    }
}

/// The effect of that name: an effect of fault rules (`lost_answer`), or a status (`503`). `alter` sets every member or
/// element of the answer to `null`; `partial` breaks a call off after the first item of its list.
///
/// ```
/// use sim_core::engine::fault::Effect;
/// use sim_core::sweep;
///
/// assert_eq!(sweep::effect("503"), Some(Effect::status(503)));
/// assert_eq!(sweep::effect("reset"), Some(Effect::Reset));
/// assert_eq!(sweep::effect("fire"), None);
/// ```
pub fn effect(name: &str) -> Option<Effect> {
    Some(match name {
        "rate_limit" => Effect::RateLimit { seconds: 1 },
        "latency" => Effect::Latency { ms: WAIT_MS },
        "reset" => Effect::Reset,
        "empty" => Effect::Empty,
        "torn" => Effect::Torn,
        "garbage" => Effect::Garbage,
        "slow" => Effect::Slow { ms: WAIT_MS },
        "lost_answer" => Effect::LostAnswer,
        "late" => Effect::Late { ms: LATE_MS },
        "twice" => Effect::Twice,
        "stale" => Effect::Stale { calls: 1 },
        "alter" => Effect::set("/*", Value::Null),
        "lean" => Effect::Lean,
        "rich" => Effect::Rich,
        "varied" => Effect::Varied,
        "reorder" => Effect::Reorder,
        "partial" => Effect::Partial { done: 1, status: 500 },
        status => Effect::status(status.parse().ok().filter(|status| (400..=599).contains(status))?),
    })
}

/// The name of an effect, as [`effect`] reads it.
pub fn name_of(effect: &Effect) -> String {
    match effect {
        Effect::Status { status, .. } => status.to_string(),
        other => other.name().to_owned(),
    }
}

/// The calls that a client made, without those of the simulator's driver.
pub fn calls_of_client(journal: &[Call]) -> impl Iterator<Item = &Call> {
    journal.iter().filter(|call| call.caller != Origin::Control)
}

/// The calls that a client made to each service between two states of a world.
pub(crate) fn calls_between(beginning: &Simulator, end: &Simulator) -> Vec<(&'static str, Vec<Call>)> {
    let pairs = beginning.halves().zip(end.halves());
    let calls = pairs.map(|(beginning, end)| {
        let journal = end.journal_from(beginning.calls() + 1, u64::MAX);
        (end.registry().name(), calls_of_client(&journal).cloned().collect())
    });
    calls.collect()
}

/// How many calls a client made to all services between two states of a world.
pub fn count_calls(beginning: &Simulator, end: &Simulator) -> u32 {
    let calls = calls_between(beginning, end).iter().map(|(_, calls)| calls.len()).sum::<usize>();
    u32::try_from(calls).unwrap_or(u32::MAX)
}

/// Every call of a good run with every effect that can change its result, for the length of the outage. A repeated
/// read with the same answer as the call before is left out. The good run is everything between the two worlds.
///
/// ```
/// use sim_core::Simulator;
/// use sim_core::engine::fault::Effect;
/// use sim_core::management::project::ListProjects;
/// use sim_core::sweep::{Outage, points};
///
/// let beginning = Simulator::builder().build();
/// let mut good = beginning.fork();
/// good.call(ListProjects {})?;
/// let points = points(&beginning, &good, &[Effect::Reset, Effect::status(503)], Outage::Rest);
/// assert_eq!((points.len(), points[1].fault.times), (2, 0));
/// let mut harmed = points[1].harmed(&beginning)?;
/// assert_eq!(harmed.call(ListProjects {}).unwrap_err().status(), 503);
/// # Ok::<(), sim_core::Error>(())
/// ```
pub fn points(beginning: &Simulator, good: &Simulator, effects: &[Effect], outage: Outage) -> Vec<Point> {
    points_except(beginning, good, effects, outage, &[])
}

/// [`points`] without those in calls of the operations `except`, by id.
pub fn points_except(
    beginning: &Simulator,
    good: &Simulator,
    effects: &[Effect],
    outage: Outage,
    except: &[String],
) -> Vec<Point> {
    let services = calls_between(beginning, good).into_iter();
    services.flat_map(|(service, calls)| points_of(service, &calls, effects, outage, except)).collect()
}

fn points_of(
    service: &str,
    calls: &[Call],
    effects: &[Effect],
    outage: Outage,
    except: &[String],
) -> Vec<Point> {
    let mut points = Vec::new();
    let mut before: Option<&Call> = None;
    let mut since_write = None;
    for (number, call) in (1..).zip(calls) {
        let is_left_out = call.operation.as_ref().is_some_and(|id| except.contains(id));
        if !is_left_out && !before.is_some_and(|before| is_poll(before, call)) {
            let effects = effects.iter().filter_map(|effect| aimed(effect, call, since_write));
            points.extend(effects.map(|effect| Point {
                service: service.to_owned(),
                call: number,
                method: call.method.clone(),
                target: call.target.clone(),
                fault: outage.lasting(Fault::new(On::path("*"), effect).from_nth(number)),
            }));
        }
        since_write = if is_write(call) { Some(1) } else { since_write.map(|calls: u32| calls + 1) };
        before = Some(call);
    }
    points
}

fn is_write(call: &Call) -> bool {
    call.method != "GET" && call.method != "HEAD"
}

fn is_poll(before: &Call, call: &Call) -> bool {
    let what = |call: &Call| (call.method.clone(), call.target.clone(), call.response.clone());
    !is_write(call) && what(before) == what(call)
}

/// Whether the body of the call is a list, or has one as `data`.
fn has_list(call: &Call) -> bool {
    let body: Value =
        call.request.as_deref().and_then(|text| serde_json::from_str(text).ok()).unwrap_or_default();
    body.is_array() || body["data"].is_array()
}

/// Adapts the effect to this call. `None` if it would change nothing. A stale read looks back before the last write.
fn aimed(effect: &Effect, call: &Call, since_write: Option<u32>) -> Option<Effect> {
    let has_body = call.status < 400 && !call.response.is_empty();
    match effect {
        Effect::Stale { .. } if is_write(call) => None,
        Effect::Stale { .. } => since_write.map(|calls| Effect::Stale { calls: calls.min(100) }),
        Effect::Late { .. } | Effect::Twice | Effect::LostAnswer => is_write(call).then(|| effect.clone()),
        Effect::Empty | Effect::Torn | Effect::Garbage => has_body.then(|| effect.clone()),
        Effect::Alter { .. } | Effect::Lean | Effect::Rich | Effect::Varied | Effect::Reorder => {
            let is_json = call.response.starts_with(['{', '[']);
            (has_body && is_json).then(|| effect.clone())
        }
        Effect::Partial { .. } => (is_write(call) && has_list(call)).then(|| effect.clone()),
        _ => Some(effect.clone()),
    }
}
