//! Writes worlds to disk: one thread, one world after the other, each with all its changes so far.

use std::io;
use std::mem;
use std::sync::Weak;
use std::sync::mpsc::{self, Sender};
use std::thread;

use sim_core::{Error, Kind, Snapshot};
use tokio::sync::oneshot;

use super::{Durability, WorldLog};
use crate::worlds::World;

/// The channel to the thread, which ends when the channel has no sender left.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    worlds: Sender<Weak<World>>,
    durability: Durability,
}

impl Keeper {
    pub(crate) fn start(durability: Durability) -> io::Result<Keeper> {
        let (worlds, told) = mpsc::channel::<Weak<World>>();
        let work = move || {
            told.iter().filter_map(|world| world.upgrade()).for_each(|world| world.persist());
        };
        thread::Builder::new().name("stuntdouble-disk".to_owned()).spawn(work)?;
        Ok(Keeper { worlds, durability })
    }

    /// Starts to write changes of a world that is on disk in its present state.
    pub(crate) fn keep(&self, world: &Weak<World>, kept: Snapshot) -> Keeping {
        Keeping {
            kept,
            keeper: self.clone(),
            world: Weak::clone(world),
            changed: false,
            writing: false,
            told: false,
            waiting: Vec::new(),
        }
    }
}

/// How much of a world is on disk; kept under the world's lock.
pub(crate) struct Keeping {
    /// The world as it is on disk.
    kept: Snapshot,
    keeper: Keeper,
    world: Weak<World>,
    /// Whether it has changed since the thread last checked it.
    changed: bool,
    /// Whether it is being written.
    writing: bool,
    /// Whether the thread has been told.
    told: bool,
    waiting: Vec<Waiting>,
}

/// A call that waits for the disk before it is answered.
type Waiting = oneshot::Sender<Result<(), Error>>;

/// What such a call waits for.
pub(crate) type Safe = oneshot::Receiver<Result<(), Error>>;

/// The worlds to write, and the calls that wait for them.
pub(crate) struct Round {
    now: Snapshot,
    before: Snapshot,
    waiting: Vec<Waiting>,
    durability: Durability,
}

impl Keeping {
    /// The world has changed: schedules a write.
    pub(crate) fn change(&mut self) {
        self.changed = true;
        if !mem::replace(&mut self.told, true) {
            // If the thread no longer listens, the server is stopping; it writes all worlds once more at the
            // end.
            let _ = self.keeper.worlds.send(Weak::clone(&self.world));
        }
    }

    /// What a call must wait for that saw the world in its present state, if anything: a read of safe state
    /// need not wait.
    pub(crate) fn safe(&mut self) -> Option<Safe> {
        let is_safe = !self.changed && !self.writing;
        if is_safe || self.keeper.durability == Durability::Eventual {
            return None;
        }
        let (safe, wait) = oneshot::channel();
        self.waiting.push(safe);
        Some(wait)
    }

    /// Starts to write the world in its state `now`; nothing if that is on disk already.
    pub(crate) fn begin(&mut self, now: Snapshot) -> Option<Round> {
        if now.is_as(&self.kept) {
            (self.changed, self.told) = (false, false);
            self.waiting.drain(..).for_each(|waiting| drop(waiting.send(Ok(()))));
            return None;
        }
        (self.changed, self.told, self.writing) = (false, false, true);
        let (before, waiting) = (self.kept.clone(), mem::take(&mut self.waiting));
        Some(Round { now, before, waiting, durability: self.keeper.durability })
    }

    /// That round is on disk. Returns the calls that need not wait any longer.
    pub(crate) fn end(&mut self, round: Round) -> Vec<Waiting> {
        let Round { now, mut waiting, .. } = round;
        (self.kept, self.writing) = (now, false);
        if !self.changed {
            waiting.append(&mut self.waiting);
        }
        waiting
    }

    /// That round, and every later one, can't be written. Returns the last state that was written, and the
    /// calls that wait in vain.
    pub(crate) fn give_up(&mut self, round: Round) -> (Snapshot, Vec<Waiting>) {
        (self.changed, self.writing) = (false, false);
        let mut waiting = round.waiting;
        waiting.append(&mut self.waiting);
        (self.kept.clone(), waiting)
    }
}

impl Round {
    pub(crate) fn write(&self, log: &mut WorldLog) -> io::Result<()> {
        let piece = self.now.changes(Some(&self.before)).map_err(|error| io::Error::other(error.message))?;
        log.write(&self.now, &piece, self.durability == Durability::Power)
    }
}

/// The response to a call whose changes can't be written: they are undone.
pub(crate) fn not_kept(error: &io::Error) -> Error {
    let text = format!("The disk does not take what this call changed, so it changed nothing: {error}");
    Error::new(Kind::Unavailable, "not_kept", text)
}
