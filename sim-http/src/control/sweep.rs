//! `/_sim/sweep`: crash points for harnesses in any language. They run the client, in forks of a world; here it says what to
//! do to which call, and what is wrong with what a run has left.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::engine::{Meta, post};
use sim_core::sweep::{self, Ending, Judge, Outage, Point, Trouble, USUAL};
use sim_core::{Error, Simulator};

use super::journal::refuse_dropped;
use super::{Control, Place, Run};
use crate::worlds::world::Touch;

/// List what to do to which call of a good run.
///
/// Each point is a rule for a fork of the world `beginning`, in which the client is to be run again. The chosen world is the
/// one that the good run has left. 409 when its journal has dropped calls of the run.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListPoints {
    /// The name of the world as it was before the run.
    pub beginning: String,
    /// Names of effects (`lost_answer`) or statuses (`503`); all but `twice`, `slow` and `latency` unless given.
    pub effects: Option<Vec<String>>,
    /// How long it goes on: so many calls (`3`), seconds (`10s`), or the `rest` of the run; `1` unless given.
    #[serde(default)]
    pub outage: Outage,
}

/// What to do to the calls of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Points {
    /// The client's calls in the good run.
    pub calls: u32,
    /// One harmed run each: fork `beginning`, add the rule to its `service`, run the client, ask for the verdict.
    pub points: Vec<Point>,
}

impl Control for ListPoints {
    type Output = Points;
    const META: Meta =
        Meta { status: 200, also: &[404, 409], ..post("sim-list-sweep-points", "/_sim/sweep/points") };
}

impl Run for ListPoints {
    fn run(self, place: &Place<'_>) -> Result<Points, Error> {
        let usual = || USUAL.iter().filter(|name| **name != "latency").map(|&name| name.to_owned()).collect();
        let names = self.effects.unwrap_or_else(usual);
        let effect = |name: &String| {
            let text = "must be a status from 400 to 599, or the kind of an effect, as in lost_answer";
            sweep::effect(name)
                .ok_or_else(|| Error::invalid("invalid_body.effects", format!("effects: {name:?} {text}")))
        };
        let effects: Vec<_> = names.iter().map(effect).collect::<Result<_, _>>()?;
        let beginning = named(place, &self.beginning)?;
        let good = place.world.with(Touch::Reads, |inside| inside.sim.fork())?;
        refuse_dropped(&good, beginning.calls() + 1)?;
        let points = sweep::points(&beginning, &good, &effects, self.outage);
        Ok(Points { calls: sweep::count_calls(&beginning, &good), points })
    }
}

/// Judge a run.
///
/// The chosen world is what it has left, `good` what the good run has left, and `beginning` what both began with.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JudgeRun {
    /// The name of the world before the good run.
    pub beginning: String,
    /// The name of the world after it.
    pub good: String,
    /// How the client ended: `{"exit": 1}`, `killed` or `hung`.
    pub ending: Ending,
    /// How the good run ended; `{"exit": 0}` unless given.
    pub good_ending: Option<Ending>,
    /// Exit codes by which the client may give up; none unless given.
    #[serde(default)]
    pub allowed_exits: Vec<i32>,
}

/// What is wrong with a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RunVerdict {
    /// Nothing where it is fine.
    pub troubles: Vec<Trouble>,
}

impl Control for JudgeRun {
    type Output = RunVerdict;
    const META: Meta = Meta { status: 200, also: &[404], ..post("sim-judge-run", "/_sim/sweep/verdict") };
}

impl Run for JudgeRun {
    fn run(self, place: &Place<'_>) -> Result<RunVerdict, Error> {
        let (beginning, good) = (named(place, &self.beginning)?, named(place, &self.good)?);
        let run = place.world.with(Touch::Reads, |inside| inside.sim.fork())?;
        let good_ending = self.good_ending.unwrap_or(Ending::Exit(0));
        let judge = Judge::new(&beginning, &good, good_ending, &self.allowed_exits);
        Ok(RunVerdict { troubles: judge.judge(&run, self.ending) })
    }
}

/// A fork of the world of that name, to look at without holding it up.
fn named(place: &Place<'_>, name: &str) -> Result<Simulator, Error> {
    place.hub.named(name)?.with(Touch::Reads, |inside| inside.sim.fork())
}
