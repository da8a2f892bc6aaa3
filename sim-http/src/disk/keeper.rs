//! Who writes worlds to the disk: one thread, world after world, each with all that has become of it by then.

use std::io;
use std::mem;
use std::sync::Weak;
use std::sync::mpsc::{self, Sender};
use std::thread;

use sim_core::{Error, Kind, Snapshot};
use tokio::sync::oneshot;

use super::{Durability, WorldLog};
use crate::worlds::World;

/// The way to the thread, which ends when nobody can send it a world any more.
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

    /// Keeps a world that is on the disk as it is now.
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

/// How far a world is on the disk, under the world's lock.
pub(crate) struct Keeping {
    /// The world as it is there.
    kept: Snapshot,
    keeper: Keeper,
    world: Weak<World>,
    /// Whether it was changed since it was last looked at to be written.
    changed: bool,
    /// Whether it is being written.
    writing: bool,
    /// Whether the thread knows.
    told: bool,
    waiting: Vec<Waiting>,
}

/// A call that waits for the disk before it is answered.
type Waiting = oneshot::Sender<Result<(), Error>>;

/// What such a call waits for.
pub(crate) type Safe = oneshot::Receiver<Result<(), Error>>;

/// What is to be written, and who waits for it.
pub(crate) struct Round {
    now: Snapshot,
    before: Snapshot,
    waiting: Vec<Waiting>,
    durability: Durability,
}

impl Keeping {
    /// The world was changed: sees to it that it is written.
    pub(crate) fn change(&mut self) {
        self.changed = true;
        if !mem::replace(&mut self.told, true) {
            // Who no longer listens has been stopped, and writes all worlds once more at the end.
            let _ = self.keeper.worlds.send(Weak::clone(&self.world));
        }
    }

    /// What a call has to wait for that saw the world as it is now, if for anything: who only looks at what is safe need
    /// not wait.
    pub(crate) fn safe(&mut self) -> Option<Safe> {
        let is_safe = !self.changed && !self.writing;
        if is_safe || self.keeper.durability == Durability::Eventual {
            return None;
        }
        let (safe, wait) = oneshot::channel();
        self.waiting.push(safe);
        Some(wait)
    }

    /// Begins to write the world as it is `now`; nothing where that is on the disk.
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

    /// That round is on the disk. Returns who need not wait any longer.
    pub(crate) fn end(&mut self, round: Round) -> Vec<Waiting> {
        let Round { now, mut waiting, .. } = round;
        (self.kept, self.writing) = (now, false);
        if !self.changed {
            waiting.append(&mut self.waiting);
        }
        waiting
    }

    /// That round can't be written: nor can what came after it. Returns how the world was when it last could, and who
    /// waits in vain.
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

/// What a call is told whose changes the disk does not take: they are undone.
pub(crate) fn not_kept(error: &io::Error) -> Error {
    let text = format!("The disk does not take what this call changed, so it changed nothing: {error}");
    Error::new(Kind::Unavailable, "not_kept", text)
}
