//! `/_sim/snapshots`: states of the chosen world, kept by name.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use sim_core::engine::{Empty, Meta, act, delete, get, near, post};
use sim_core::{Error, Timestamp};

use super::{Control, Place, Run};
use crate::worlds::{Inside, Kept, Touch, check_name};

/// A snapshot of a world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SnapshotInfo {
    /// Its name.
    pub name: String,
    /// The simulated time of the snapshot.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub now: Timestamp,
    /// The number of calls that the world had answered by then.
    pub calls: u64,
}

impl SnapshotInfo {
    fn of(name: &str, kept: &Kept) -> SnapshotInfo {
        SnapshotInfo { name: name.to_owned(), now: kept.now, calls: kept.calls }
    }
}

/// Take a snapshot of the chosen world with a name. It replaces an earlier snapshot with that name.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CreateSnapshot {
    /// Letters, digits, `-`, `_`, `.`.
    pub name: String,
}

impl Control for CreateSnapshot {
    type Output = SnapshotInfo;
    const META: Meta = post("sim-create-snapshot", "/_sim/snapshots");
}

impl Run for CreateSnapshot {
    async fn run(self, place: &Place<'_>) -> Result<SnapshotInfo, Error> {
        check_name("name", &self.name)?;
        place
            .world
            .with(Touch::Reads, |inside| {
                let Inside { sim, snapshots, .. } = inside;
                let kept = Kept { snapshot: sim.snapshot(), now: sim.now(), calls: sim.calls() };
                let info = SnapshotInfo::of(&self.name, &kept);
                snapshots.insert(self.name, kept);
                info
            })
            .await
    }
}

/// List the snapshots of the chosen world, by name.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListSnapshots {}

impl Control for ListSnapshots {
    type Output = Vec<SnapshotInfo>;
    const META: Meta = get("sim-list-snapshots", "/_sim/snapshots");
}

impl Run for ListSnapshots {
    async fn run(self, place: &Place<'_>) -> Result<Vec<SnapshotInfo>, Error> {
        place
            .world
            .with(Touch::Reads, |inside| {
                inside.snapshots.iter().map(|(name, kept)| SnapshotInfo::of(name, kept)).collect()
            })
            .await
    }
}

/// Restore the chosen world from a snapshot, including its clock and journal. The snapshot is kept.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RestoreSnapshot {
    /// The name of the snapshot.
    pub name: String,
}

impl Control for RestoreSnapshot {
    type Output = SnapshotInfo;
    const META: Meta = act("sim-restore-snapshot", "/_sim/snapshots/{name}/restore");
}

impl Run for RestoreSnapshot {
    async fn run(self, place: &Place<'_>) -> Result<SnapshotInfo, Error> {
        place
            .world
            .with(Touch::Writes, |inside| {
                let Inside { sim, snapshots, .. } = inside;
                let kept = snapshots.get(&self.name).ok_or_else(|| unknown(&self.name, snapshots))?;
                place.hub.gone.note_change(&place.world.name, sim, |sim| sim.restore(&kept.snapshot));
                Ok(SnapshotInfo::of(&self.name, kept))
            })
            .await?
    }
}

/// Delete a snapshot.
#[derive(Clone, Debug, Default, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DeleteSnapshot {
    /// The name of the snapshot.
    pub name: String,
}

impl Control for DeleteSnapshot {
    type Output = Empty;
    const META: Meta = delete("sim-delete-snapshot", "/_sim/snapshots/{name}");
}

impl Run for DeleteSnapshot {
    async fn run(self, place: &Place<'_>) -> Result<Empty, Error> {
        let remove = |inside: &mut Inside| {
            let removed = inside.snapshots.remove(&self.name);
            removed.map(|_| Empty {}).ok_or_else(|| unknown(&self.name, &inside.snapshots))
        };
        place.world.with(Touch::Reads, remove).await?
    }
}

/// The refusal of a name that no snapshot has.
pub(super) fn unknown(name: &str, snapshots: &BTreeMap<String, Kept>) -> Error {
    let error = Error::not_found("snapshot", name);
    let question = near::question(name, snapshots.keys().map(String::as_str));
    let text = format!("There is no snapshot {name:?}; GET /_sim/snapshots lists them{question}");
    Error { message: text, ..error }
}
