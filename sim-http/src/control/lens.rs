//! `/_sim/lens`: how much of the rate limit the calls of the chosen world use.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::engine::{Call, Meta, get};
use sim_core::lens::{Lens, Reaction, reaction};
use sim_core::{Error, RateLimit};

use super::journal::refuse_dropped;
use super::{Control, Place, Run};
use crate::worlds::Touch;

/// Most runners in one forecast.
const RUNNERS_MAX: u32 = 1000;
/// Most calls in all forecasts together.
const CALLS_MAX: usize = 500_000;

/// Get the use of the rate limit by the calls of the chosen world.
///
/// The answer has the number of calls for each operation, the share of a window that one run uses, and a forecast: the duration
/// of several runs that start together and share a user. For the forecast, the calls are repeated in virtual time, with the
/// pauses that they had on the world's clock. The answer also has the client's reaction if a fault rule told it to wait. 409 if
/// the journal has dropped calls.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetLens {
    /// The number of the first call; 1 by default.
    pub from: Option<u64>,
    /// The limit, as in `60/60`: calls and the seconds of their window. By default it is the limit of the world's policy, or that
    /// of the service if the policy has none.
    pub limit: Option<String>,
    /// The numbers of runs to forecast, as in `1,10`; `1` by default.
    pub runners: Option<String>,
}

/// The use of the rate limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Seen {
    #[serde(flatten)]
    /// The calls, and their use of the limit.
    pub lens: Lens,
    /// The largest share of a window that one run uses.
    pub budget_percent: u64,
    /// The client's reaction to a rule that told it to wait; absent if no rule did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reaction: Option<Reaction>,
}

impl Control for GetLens {
    type Output = Seen;
    const META: Meta =
        Meta { query: &["from", "limit", "runners"], also: &[409], ..get("sim-get-lens", "/_sim/lens") };
}

impl Run for GetLens {
    async fn run(self, place: &Place<'_>) -> Result<Seen, Error> {
        let from = self.from.unwrap_or(1).clamp(1, i64::MAX as u64);
        let read = |sim: &sim_core::Simulator| {
            refuse_dropped(sim, from)?;
            Ok::<_, Error>((sim.journal_from(from, u64::MAX), sim.policy().rate_limit))
        };
        let (journal, policy) = place.world.with(Touch::Reads, |inside| read(&inside.sim)).await??;
        let limit = self.limit(policy)?;
        let runners = self.runners(&journal)?;
        // Runs outside of the lock, so that it does not delay other calls to the world.
        let lens = Lens::of(&journal, &limit, &runners);
        Ok(Seen { budget_percent: lens.budget_percent(), reaction: reaction(&journal), lens })
    }
}

impl GetLens {
    fn limit(&self, policy: RateLimit) -> Result<RateLimit, Error> {
        let of_the_world = if policy.enabled { policy } else { RateLimit::default() };
        let given = self.limit.as_deref().map_or(Ok(of_the_world), str::parse);
        given.map_err(|text| Error::invalid("invalid_query.limit", format!("limit: {text}")))
    }

    fn runners(&self, journal: &[Call]) -> Result<Vec<u32>, Error> {
        let wrong = |text: String| Error::invalid("invalid_query.runners", format!("runners: {text}"));
        let given = self.runners.as_deref().unwrap_or("1");
        let number =
            |text: &str| text.trim().parse().ok().filter(|number| (1..=RUNNERS_MAX).contains(number));
        let runners: Option<Vec<u32>> = given.split(',').map(number).collect();
        let runners = runners.ok_or_else(|| {
            wrong(format!("must be numbers from 1 to {RUNNERS_MAX}, as in 1,10, received {given:?}"))
        })?;
        let all: usize = runners.iter().map(|runners| *runners as usize * journal.len()).sum();
        if all > CALLS_MAX {
            return Err(wrong(format!("ask for {all} calls, at most {CALLS_MAX} are made")));
        }
        Ok(runners)
    }
}
