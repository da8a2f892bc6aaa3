//! `/_sim/coverage`: what the calls of the chosen world have reached.

use schemars::JsonSchema;
use serde::Deserialize;
use sim_core::Error;
use sim_core::engine::{Coverage, Meta, get};

use super::{Control, Place};
use crate::world::Touch;

/// Get what the calls of the chosen world have reached: operation, state, role and outcome, and what came after what.
///
/// `stuntdouble coverage FILE...` adds up such answers and shows their holes.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GetCoverage {}

impl Control for GetCoverage {
    type Output = Coverage;
    const META: Meta = get("sim-get-coverage", "/_sim/coverage");

    fn run(self, place: &Place<'_>) -> Result<Coverage, Error> {
        place.world.with(Touch::Reads, |inside| inside.sim.coverage())
    }
}
