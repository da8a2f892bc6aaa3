//! `/_sim/plans`: random call sequences for clients in any language, with the expected answer of each call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::Error;
use sim_core::engine::{Meta, get};
use sim_fixtures::plans::{Plan, plan};
use sim_fixtures::strategies::Menu;

use super::{Control, Place, Run};

/// The maximum number of plans in one answer.
const MOST_PLANS: u64 = 100;
/// The maximum number of steps in a plan.
const MOST_STEPS: u64 = 100;

/// Generate plans: random call sequences, each for a separate world, with the expected answers and the time between calls.
///
/// The same seeds give the same plans. `stuntdouble plans` prints them as lines.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawPlans {
    /// The seed of the first plan; each further plan has the next number; 0 by default.
    pub seed: Option<u64>,
    /// The number of plans, 1 to 100; 1 by default.
    pub count: Option<u64>,
    /// The steps of each plan after its setup, 1 to 100; 20 by default.
    pub length: Option<u64>,
    /// The ids of the operations that the client can call, separated by commas; all by default.
    pub operations: Option<String>,
    /// Whether every call succeeds; `false` by default.
    pub good: Option<bool>,
}

impl Control for DrawPlans {
    type Output = Vec<Plan>;
    const META: Meta = Meta {
        query: &["seed", "count", "length", "operations", "good"],
        ..get("sim-draw-plans", "/_sim/plans")
    };
}

impl Run for DrawPlans {
    async fn run(self, _: &Place<'_>) -> Result<Vec<Plan>, Error> {
        Ok(self.drawn()?.collect())
    }
}

impl DrawPlans {
    /// The plans, each generated when it is taken.
    pub fn drawn(&self) -> Result<impl Iterator<Item = Plan> + use<>, Error> {
        let seed = self.seed.unwrap_or(0);
        let count = within("count", self.count.unwrap_or(1), MOST_PLANS)?;
        let length = within("length", self.length.unwrap_or(20), MOST_STEPS)?;
        let menu = match &self.operations {
            Some(ids) => Menu::well_formed().of(&ids.split(',').map(str::trim).collect::<Vec<_>>())?,
            None => Menu::well_formed(),
        };
        let menu = if self.good.unwrap_or(false) { menu.good() } else { menu };
        let seeds = (0..count as u64).map(move |number| seed.wrapping_add(number));
        Ok(seeds.map(move |seed| plan(&menu, seed, length)))
    }
}

fn within(field: &str, value: u64, most: u64) -> Result<usize, Error> {
    match usize::try_from(value) {
        Ok(number) if (1..=most).contains(&value) => Ok(number),
        _ => {
            let text = format!("{field}: must be between 1 and {most}, received {value}");
            Err(Error::invalid(format!("invalid_query.{field}"), text))
        }
    }
}
