//! `/_sim/lifecycles` and `/_sim/rate-windows`: the states of resources, and the rate limit of each caller.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::Error;
use sim_core::engine::{Meta, RateWindow, get};
use sim_core::management::lifecycles::{self, Lifecycle};

use super::{Control, Place, Run};
use crate::worlds::Touch;

/// List the lifecycles of the management API: the states of projects, branches and other resources, with all transitions.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListLifecycles {}

impl Control for ListLifecycles {
    type Output = Vec<Lifecycle>;
    const META: Meta = get("sim-list-lifecycles", "/_sim/lifecycles");
}

impl Run for ListLifecycles {
    async fn run(self, _: &Place<'_>) -> Result<Vec<Lifecycle>, Error> {
        Ok(lifecycles::all())
    }
}

/// List the rate-limit window of each caller in the chosen world.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRateWindows {}

impl Control for ListRateWindows {
    type Output = Vec<RateWindow>;
    const META: Meta = get("sim-list-rate-windows", "/_sim/rate-windows");
}

impl Run for ListRateWindows {
    async fn run(self, place: &Place<'_>) -> Result<Vec<RateWindow>, Error> {
        place.world.with(Touch::Reads, |inside| inside.sim.rate_windows()).await
    }
}
