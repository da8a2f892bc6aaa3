//! How a client uses the rate limit, and how long its run takes under it: alone, or with other clients of the same
//! user.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use http::Request;
use http::header::{AUTHORIZATION, RETRY_AFTER};
use serde::{Deserialize, Serialize};
use sim_base::ToSchema;

use crate::engine::{Call, Policy, RateLimit, Simulator, Timestamp, later, near};
use crate::sweep::calls_of_client;
pub use crate::sweep::{EarlyCall, early_calls};

/// How a client's run uses the rate limit.
///
/// ```
/// use sim_core::lens::Lens;
/// use sim_core::management::organization::ListOrganizations;
/// use sim_core::{RateLimit, Simulator};
///
/// let mut sim = Simulator::builder().build();
/// for _ in 0..40 {
///     sim.call(ListOrganizations {})?;
/// }
/// let lens = Lens::of(&sim.journal(), &RateLimit::default(), &[1, 2]);
/// assert_eq!(lens.budget_percent(), 67);
/// assert_eq!((lens.forecasts[0].wall_ms, lens.forecasts[1].wall_ms), (Some(0), Some(60_000)));
/// # Ok::<(), sim_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Lens {
    /// The number of calls.
    pub calls: usize,
    /// Milliseconds between the first and the last call, by the world's clock.
    pub own_ms: u64,
    /// The number of calls of each operation, the most called first.
    pub operations: Vec<Share>,
    /// The most calls in one window of the limit.
    pub busiest: usize,
    /// The limit.
    pub limit: RateLimit,
    /// The forecast for each number of runs at a time.
    pub forecasts: Vec<Forecast>,
}

/// The calls of one operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Share {
    /// The operation's id; method and path where they led to none.
    pub operation: String,
    /// The number of calls.
    pub calls: usize,
}

/// A forecast for several runs that begin together and share a user.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Forecast {
    /// The number of runs.
    pub runners: u32,
    /// Milliseconds until the last call of the last run is answered, if each run waits as long as it is told to; `None` if it
    /// never is.
    pub wall_ms: Option<u64>,
    /// The number of calls that are refused and repeated.
    pub refused: u64,
}

/// What a client does when it is told to wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Reaction {
    /// It waits.
    Waits,
    /// It makes this many calls in the meantime.
    Calls(usize),
    /// It stops calling.
    GivesUp,
}

impl Lens {
    /// Evaluates the calls of a client under `limit`, for each number of `runners`. The calls are repeated in virtual
    /// time in a world with that limit. The client's pauses between calls are kept.
    pub fn of(journal: &[Call], limit: &RateLimit, runners: &[u32]) -> Lens {
        let calls: Vec<&Call> = calls_of_client(journal).collect();
        let instants: Vec<u64> = calls.iter().map(|call| micros_between(calls[0], call)).collect();
        let window = limit.window_ms * 1000;
        let end = |first: usize| instants.partition_point(|at| *at < instants[first] + window);
        Lens {
            calls: calls.len(),
            own_ms: instants.last().unwrap_or(&0) / 1000,
            operations: by_operation(&calls),
            busiest: (0..calls.len()).map(|first| end(first) - first).max().unwrap_or(0),
            limit: *limit,
            forecasts: runners.iter().map(|runners| forecast(&instants, limit, *runners)).collect(),
        }
    }

    /// The part of a user's limit that one run uses in its busiest window, in percent, rounded up.
    pub fn budget_percent(&self) -> u64 {
        let (busiest, count) = (self.busiest as u64, u64::from(self.limit.count.max(1)));
        (busiest * 100).div_ceil(count)
    }
}

fn micros_between(first: &Call, call: &Call) -> u64 {
    let apart = Duration::try_from(call.at.duration_since(first.at)).unwrap_or_default();
    u64::try_from(apart.as_micros()).unwrap_or(u64::MAX)
}

fn by_operation(calls: &[&Call]) -> Vec<Share> {
    let mut counts = BTreeMap::new();
    for call in calls {
        let name = call.operation.clone().unwrap_or_else(|| format!("{} {}", call.method, call.target));
        *counts.entry(name).or_insert(0) += 1;
    }
    let mut shares: Vec<_> =
        counts.into_iter().map(|(operation, calls)| Share { operation, calls }).collect();
    shares.sort_by_key(|share| std::cmp::Reverse(share.calls));
    shares
}

/// The time, the runner and the index of the next call.
type Next = (u64, u32, usize);

fn forecast(instants: &[u64], limit: &RateLimit, runners: u32) -> Forecast {
    if limit.enabled && limit.count == 0 {
        return Forecast { runners, wall_ms: None, refused: 0 };
    }
    let mut service = Service::new(limit);
    let (mut refused, mut last) = (0, 0);
    let begun = if instants.is_empty() { 0 } else { runners };
    let mut agenda: BTreeSet<Next> = (0..begun).map(|runner| (0, runner, 0)).collect();
    while let Some((at, runner, call)) = agenda.pop_first() {
        if let Some(wait) = service.told_to_wait(at) {
            refused += 1;
            agenda.insert((at + wait, runner, call));
        } else if let Some(next) = instants.get(call + 1) {
            agenda.insert((at + next - instants[call], runner, call + 1));
        } else {
            last = at;
        }
    }
    Forecast { runners, wall_ms: Some(last / 1000), refused }
}

/// A world that is used only for its rate limit.
struct Service {
    sim: Simulator,
    start: Timestamp,
    request: Request<Bytes>,
}

impl Service {
    fn new(limit: &RateLimit) -> Service {
        let policy = Policy { rate_limit: *limit, journal_calls: 0, ..Policy::default() };
        let sim = Simulator::builder().policy(policy).build();
        let bearer = format!("Bearer {}", sim.token());
        let request = Request::get("/v1/organizations").header(AUTHORIZATION, bearer).body(Bytes::new());
        Service { start: sim.now(), sim, request: request.expect("the request is valid") }
    }

    /// Makes a call at that time. Returns the microseconds that the caller has to wait, or `None` if the call is
    /// answered.
    fn told_to_wait(&mut self, at: u64) -> Option<u64> {
        self.sim.advance_to(later(self.start, Duration::from_micros(at)));
        let response = self.sim.handle(&self.request);
        let told = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
        told.parse::<u64>().ok().map(|seconds| seconds * 1_000_000)
    }
}

/// What a client did after a fault rule told it to wait. `None` if no rule did.
pub fn reaction(journal: &[Call]) -> Option<Reaction> {
    let calls: Vec<&Call> = calls_of_client(journal).collect();
    let is_struck = |call: &&Call| call.fault.as_ref().is_some_and(|fault| fault.ends_with("rate_limit"));
    let told = calls.iter().position(is_struck)?;
    let after = &calls[told + 1..];
    let meanwhile = after.iter().filter(|call| call.status == 429).count();
    Some(match (meanwhile, after.is_empty()) {
        (_, true) => Reaction::GivesUp,
        (0, false) => Reaction::Waits,
        (calls, false) => Reaction::Calls(calls),
    })
}

impl fmt::Display for Reaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reaction::Waits => f.write_str("it waits"),
            Reaction::Calls(1) => f.write_str("it calls once in the meantime"),
            Reaction::Calls(calls) => write!(f, "it calls {calls} times in the meantime"),
            Reaction::GivesUp => f.write_str("it gives up"),
        }
    }
}

/// Prints the tables of operations and of forecasts.
impl fmt::Display for Lens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let RateLimit { count, window_ms, .. } = self.limit;
        let percent = self.budget_percent();
        writeln!(
            f,
            "{} in {}, at most {} in a window",
            near::counted(self.calls as u64, "call"),
            seconds(self.own_ms),
            self.busiest
        )?;
        writeln!(f, "{percent} % of the {count} that a user may make in {}\n", seconds(window_ms))?;
        for Share { operation, calls } in &self.operations {
            writeln!(f, "{calls:>7}  {operation}")?;
        }
        write!(f, "\n{:>7}  {:>10}  {:>7}", "runners", "wall time", "refused")?;
        for Forecast { runners, wall_ms, refused } in &self.forecasts {
            let time = wall_ms.map_or_else(|| "for ever".to_owned(), seconds);
            write!(f, "\n{runners:>7}  {time:>10}  {refused:>7}")?;
        }
        Ok(())
    }
}

fn seconds(ms: u64) -> String {
    format!("{}.{} s", ms / 1000, ms % 1000 / 100)
}
