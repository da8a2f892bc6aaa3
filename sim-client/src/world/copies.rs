//! Forks, snapshots and exports of a world, and its settings.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{Address, World};
use crate::{Result, Types};

impl<T: Types> World<T> {
    /// A copy of this world. From now on the two are independent.
    pub fn fork(&self) -> Result<World<T>> {
        self.forked(&json!({}))
    }

    /// A copy of this world as it was right after a call; 0 is the start.
    pub fn at_call(&self, call: u64) -> Result<World<T>> {
        self.forked(&json!({ "at_call": call }))
    }

    /// A copy of this world as it was at a time.
    pub fn at(&self, instant: Timestamp) -> Result<World<T>> {
        self.forked(&json!({ "at": instant }))
    }

    fn forked(&self, fields: &Value) -> Result<World<T>> {
        let address: Address = self.control("sim-fork-world", fields)?;
        Ok(World::new(&self.client, address).owned().typed())
    }

    /// What is different in the world `to`: `rows`, and values of `answers` by JSON pointer.
    pub fn diff(&self, to: &str) -> Result<Value> {
        self.control("sim-diff-worlds", &json!({ "to": to }))
    }

    /// Takes a snapshot with a name. It replaces an earlier snapshot with that name.
    pub fn snapshot(&self, name: &str) -> Result<T::Snapshot> {
        self.control("sim-create-snapshot", &json!({ "name": name }))
    }

    /// The snapshots, by name.
    pub fn snapshots(&self) -> Result<Vec<T::Snapshot>> {
        self.control("sim-list-snapshots", &())
    }

    /// Restores a snapshot, including clock and journal. The snapshot is kept.
    pub fn restore(&self, name: &str) -> Result<T::Snapshot> {
        self.control("sim-restore-snapshot", &json!({ "name": name }))
    }

    /// Deletes a snapshot.
    pub fn delete_snapshot(&self, name: &str) -> Result<()> {
        self.act("sim-delete-snapshot", &json!({ "name": name }))
    }

    /// Resets the world to its start. Its snapshots are kept.
    pub fn reset(&self) -> Result<T::World> {
        self.control("sim-reset-world", &())
    }

    /// The world as a seed file, including its secrets. A world made from it answers every read with the same bytes.
    pub fn export(&self) -> Result<T::Seed> {
        self.control("sim-export-world", &())
    }

    /// Its policy: its behaviour.
    pub fn policy(&self) -> Result<T::Policy> {
        self.control("sim-get-policy", &())
    }

    /// Its profile: its names.
    pub fn profile(&self) -> Result<T::Profile> {
        self.control("sim-get-profile", &())
    }
}
