//! `/_sim/diff`: what is different between two worlds, or between two states of one.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::engine::{Difference, Kind, Meta, get};
use sim_core::{Error, Simulator};

use super::journal::no_call;
use super::snapshots::unknown;
use super::{Control, Place, Run};
use crate::worlds::{Inside, Touch, simulator_of};

/// Compare the chosen world with another one, or with an earlier state of itself: rows, and answers to GET requests.
///
/// The difference goes from the chosen world, or its earlier state, to the world `to`. Neither world changes, and the journal
/// has no call for the requests that are compared. Journals and clocks are not compared. 409 when the journal has dropped
/// calls that the earlier state needs.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DiffWorlds {
    /// Name of the world to compare with; the chosen world by default.
    pub to: Option<String>,
    /// Start from the chosen world as it was right after this call; 0 is its beginning.
    pub at_call: Option<u64>,
    /// Start from this snapshot of the chosen world.
    pub snapshot: Option<String>,
}

impl Control for DiffWorlds {
    type Output = Difference;
    const META: Meta =
        Meta { query: &["to", "at_call", "snapshot"], also: &[409], ..get("sim-diff-worlds", "/_sim/diff") };
}

impl Run for DiffWorlds {
    async fn run(self, place: &Place<'_>) -> Result<Difference, Error> {
        self.check()?;
        let later = match &self.to {
            None => place.world.clone(),
            Some(name) => place.hub.named(name)?,
        };
        // Comparing takes a while. It works on forks, so that it does not delay other calls.
        let before = place.world.with(Touch::Reads, |inside| self.start(inside)).await??;
        let after = later.with(Touch::Reads, |inside| inside.sim.fork()).await?;
        let before = match self.at_call {
            None => before,
            Some(call) => at_call(&before, call)?,
        };
        Ok(before.diff(&after))
    }
}

impl DiffWorlds {
    fn check(&self) -> Result<(), Error> {
        let invalid = |field: &str, text: &str| {
            Err(Error::invalid(format!("invalid_query.{field}"), format!("{field}: {text}")))
        };
        match self {
            DiffWorlds { to: None, at_call: None, snapshot: None } => {
                invalid("to", "give the name of another world, or at_call, or snapshot")
            }
            DiffWorlds { at_call: Some(_), snapshot: Some(_), .. } => {
                invalid("snapshot", "can't be given together with at_call")
            }
            _ => Ok(()),
        }
    }

    /// A fork of the chosen world, or of its snapshot.
    fn start(&self, inside: &Inside) -> Result<Simulator, Error> {
        let mut sim = inside.sim.fork();
        if let Some(name) = &self.snapshot {
            let kept = inside.snapshots.get(name).ok_or_else(|| unknown(name, &inside.snapshots))?;
            sim.restore(&kept.snapshot);
        }
        Ok(sim)
    }
}

fn at_call(sim: &Simulator, call: u64) -> Result<Simulator, Error> {
    let half = simulator_of(sim, None)?;
    if call > half.calls() {
        return Err(no_call(half, call));
    }
    sim.at_call_of(half.registry().name(), call).ok_or_else(|| {
        let text = "at_call: the journal has dropped calls or a body, so that state can't be reconstructed";
        Error::new(Kind::Conflict, "journal_pruned", text)
    })
}
