//! `/_sim/lifecycles` and `/_sim/rate-windows`: what there is to know of a world beside its journal.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::Error;
use sim_core::engine::{Meta, RateWindow, get};
use sim_core::management::lifecycles::{self, Lifecycle};

use super::{Control, Place, Run};
use crate::worlds::world::Touch;

/// List the lifecycles of the management API: of projects, branches and whatever else has one, with all arrows.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListLifecycles {}

impl Control for ListLifecycles {
    type Output = Vec<Lifecycle>;
    const META: Meta = get("sim-list-lifecycles", "/_sim/lifecycles");
}

impl Run for ListLifecycles {
    fn run(self, _: &Place<'_>) -> Result<Vec<Lifecycle>, Error> {
        Ok(lifecycles::all())
    }
}

/// List where each caller stands in the rate limit of the chosen world.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRateWindows {}

impl Control for ListRateWindows {
    type Output = Vec<RateWindow>;
    const META: Meta = get("sim-list-rate-windows", "/_sim/rate-windows");
}

impl Run for ListRateWindows {
    fn run(self, place: &Place<'_>) -> Result<Vec<RateWindow>, Error> {
        place.world.with(Touch::Reads, |inside| inside.sim.rate_windows())
    }
}
