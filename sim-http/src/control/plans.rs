//! `/_sim/plans`: histories for clients in any language, with what must come of each call.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::Error;
use sim_core::engine::{Meta, get};
use sim_fixtures::plans::{Plan, plan};
use sim_fixtures::strategies::Menu;

use super::{Control, Place, Run};

/// Most plans in one answer.
const MOST_PLANS: u64 = 100;
/// Most steps in a plan.
const MOST_STEPS: u64 = 100;

/// Draw plans: histories by chance for worlds of their own, each with calls, what must come of them, and time in between.
///
/// The same seeds give the same plans. `stuntdouble plans` prints them as lines.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawPlans {
    /// The first plan's seed, each further plan has the next; 0 unless given.
    pub seed: Option<u64>,
    /// How many, 1 to 100; 1 unless given.
    pub count: Option<u64>,
    /// Steps in each after those that make it ready, 1 to 100; 20 unless given.
    pub length: Option<u64>,
    /// Ids of the operations that the client can call, separated by commas; all unless given.
    pub operations: Option<String>,
    /// Whether every call succeeds; `false` unless given.
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
    fn run(self, _: &Place<'_>) -> Result<Vec<Plan>, Error> {
        Ok(self.drawn()?.collect())
    }
}

impl DrawPlans {
    /// The plans, each drawn when it is taken.
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
