//! `/_sim/sweep`: fault injection for harnesses in any language. A harness runs the client in forks of a world; the server lists
//! the faults to inject, and judges the world that a run leaves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::engine::{Meta, post};
use sim_core::sweep::{self, Ending, Judge, Outage, Point, Trouble, USUAL};
use sim_core::{Error, Simulator};

use super::journal::refuse_dropped;
use super::{Control, Place, Run};
use crate::worlds::Touch;

/// List the faults to inject into the calls of a good run.
///
/// Each point is a fault rule. Run the client again in a fork of the world `beginning` that has this rule. The chosen world is the
/// one after the good run. 409 when its journal has dropped calls of the run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListPoints {
    /// The name of the world before the run.
    pub beginning: String,
    /// The names of effects (`lost_answer`) or statuses (`503`); all but `twice`, `slow` and `latency` by default.
    pub effects: Option<Vec<String>>,
    /// How long each fault lasts: a number of calls (`3`), of seconds (`10s`), or the `rest` of the run; `1` by default.
    #[serde(default)]
    pub outage: Outage,
}

/// The faults to inject into a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Points {
    /// The number of calls of the client in the good run.
    pub calls: u32,
    /// One run for each: fork `beginning`, add the rule to its `service`, run the client, request the verdict.
    pub points: Vec<Point>,
}

impl Control for ListPoints {
    type Output = Points;
    const META: Meta =
        Meta { status: 200, also: &[404, 409], ..post("sim-list-sweep-points", "/_sim/sweep/points") };
}

impl Run for ListPoints {
    async fn run(self, place: &Place<'_>) -> Result<Points, Error> {
        let usual = || USUAL.iter().filter(|name| **name != "latency").map(|&name| name.to_owned()).collect();
        let names = self.effects.unwrap_or_else(usual);
        let effect = |name: &String| {
            let text = "must be a status from 400 to 599, or the kind of an effect, as in lost_answer";
            sweep::effect(name)
                .ok_or_else(|| Error::invalid("invalid_body.effects", format!("effects: {name:?} {text}")))
        };
        let effects: Vec<_> = names.iter().map(effect).collect::<Result<_, _>>()?;
        let beginning = named(place, &self.beginning).await?;
        let good = place.world.with(Touch::Reads, |inside| inside.sim.fork()).await?;
        refuse_dropped(&good, beginning.calls() + 1)?;
        let points = sweep::points(&beginning, &good, &effects, self.outage);
        Ok(Points { calls: sweep::count_calls(&beginning, &good), points })
    }
}

/// Judge a run.
///
/// The chosen world is the one after the run, `good` the one after the good run, `beginning` the one before both.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeRun {
    /// The name of the world before both runs.
    pub beginning: String,
    /// The name of the world after the good run.
    pub good: String,
    /// The ending of the client: `{"exit": 1}`, `killed` or `hung`.
    pub ending: Ending,
    /// The ending of the good run; `{"exit": 0}` by default.
    pub good_ending: Option<Ending>,
    /// The exit codes with which the client may give up; none by default.
    #[serde(default)]
    pub allowed_exits: Vec<i32>,
}

/// The defects of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunVerdict {
    /// The defects; empty if there are none.
    pub troubles: Vec<Trouble>,
}

impl Control for JudgeRun {
    type Output = RunVerdict;
    const META: Meta = Meta { status: 200, also: &[404], ..post("sim-judge-run", "/_sim/sweep/verdict") };
}

impl Run for JudgeRun {
    async fn run(self, place: &Place<'_>) -> Result<RunVerdict, Error> {
        let (beginning, good) = (named(place, &self.beginning).await?, named(place, &self.good).await?);
        let run = place.world.with(Touch::Reads, |inside| inside.sim.fork()).await?;
        let good_ending = self.good_ending.unwrap_or(Ending::Exit(0));
        let judge = Judge::new(&beginning, &good, good_ending, &self.allowed_exits);
        Ok(RunVerdict { troubles: judge.judge(&run, self.ending) })
    }
}

/// A fork of the world of that name, to read without blocking its calls.
async fn named(place: &Place<'_>, name: &str) -> Result<Simulator, Error> {
    place.hub.named(name)?.with(Touch::Reads, |inside| inside.sim.fork()).await
}
