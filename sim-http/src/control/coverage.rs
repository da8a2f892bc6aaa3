//! `/_sim/coverage`: the operations, states, roles and outcomes that the calls of the chosen world have reached.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::Error;
use sim_core::engine::{Coverage, Meta, get};

use super::{Control, Place, Run};
use crate::worlds::Touch;

/// Get the coverage of the chosen world: each operation with its state, role and outcome, and each pair of successive outcomes.
///
/// `stuntdouble coverage FILE...` adds up such answers and shows the gaps.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GetCoverage {}

impl Control for GetCoverage {
    type Output = Coverage;
    const META: Meta = get("sim-get-coverage", "/_sim/coverage");
}

impl Run for GetCoverage {
    async fn run(self, place: &Place<'_>) -> Result<Coverage, Error> {
        place.world.with(Touch::Reads, |inside| inside.sim.coverage()).await
    }
}
