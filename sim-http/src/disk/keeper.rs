//! Writes worlds to disk: a few threads, each one world after the other, each with all its changes so far.

use std::io;
use std::mem;
use std::sync::mpsc::{self, Sender};
use std::sync::{Arc, Weak};
use std::thread;

use parking_lot::Mutex;
use sim_core::{Error, Kind, Snapshot};
use tokio::sync::oneshot;

use super::lock::Lock;
use super::{Durability, WorldLog};
use crate::worlds::World;

/// More than one, so that a world with many changes delays no other.
const THREADS: usize = 4;

/// The channel to the threads, which end when the channel has no sender left.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    worlds: Sender<Weak<World>>,
    durability: Durability,
    lock: Arc<Lock>,
}

impl Keeper {
    pub(crate) fn start(durability: Durability, lock: Arc<Lock>) -> io::Result<Keeper> {
        let (worlds, told) = mpsc::channel::<Weak<World>>();
        let told = Arc::new(Mutex::new(told));
        for _ in 0..THREADS {
            let told = Arc::clone(&told);
            let next = move || told.lock().recv().ok();
            let work = move || {
                while let Some(world) = next() {
                    world.upgrade().inspect(|world| world.persist());
                }
            };
            thread::Builder::new().name("stuntdouble-disk".to_owned()).spawn(work)?;
        }
        Ok(Keeper { worlds, durability, lock })
    }

    /// Starts to write changes of a world that is on disk in its present state.
    pub(crate) fn keep(&self, world: &Weak<World>, kept: Snapshot) -> Keeping {
        Keeping {
            answered: kept.clone(),
            answered_changes: 0,
            kept,
            latest: None,
            changes: 0,
            keeper: self.clone(),
            world: Weak::clone(world),
            is_failing: false,
            undo: None,
            told: false,
            waiting: Vec::new(),
        }
    }
}

/// How much of a world is on disk. Its changes are numbered.
pub(crate) struct Keeping {
    /// The world as it is on disk.
    kept: Snapshot,
    /// The world as it is, if it has changed since.
    latest: Option<Snapshot>,
    /// How many changes there were.
    changes: u64,
    /// The world after the last change whose calls are answered. If the disk refuses a later change, the world returns to it.
    answered: Snapshot,
    answered_changes: u64,
    keeper: Keeper,
    world: Weak<World>,
    /// Whether the last write failed.
    is_failing: bool,
    /// The state that the world has to return to, and why.
    undo: Option<(Snapshot, Error)>,
    /// Whether the threads have been told.
    told: bool,
    waiting: Vec<Waiting>,
}

/// A call that waits for the disk before it is answered, and the number of the last change that it saw.
struct Waiting {
    change: u64,
    call: oneshot::Sender<Result<(), Error>>,
}

/// The signal for which such a call waits.
pub(crate) type Safe = oneshot::Receiver<Result<(), Error>>;

/// A world to write.
pub(crate) struct Round {
    now: Snapshot,
    changes: u64,
    before: Snapshot,
    durability: Durability,
    lock: Arc<Lock>,
}

impl Keeping {
    /// The world has changed to `now`: schedules a write.
    pub(crate) fn change(&mut self, now: Snapshot) {
        self.changes += 1;
        if self.keeper.durability == Durability::Eventual && !self.is_failing {
            (self.answered, self.answered_changes) = (now.clone(), self.changes);
        }
        self.latest = Some(now);
        if !mem::replace(&mut self.told, true) {
            // If the threads no longer listen, the server is stopping; it writes all worlds once more at the end.
            let _ = self.keeper.worlds.send(Weak::clone(&self.world));
        }
    }

    /// The signal for which a call must wait that saw the present state, if any. A read of safe state does not wait.
    pub(crate) fn safe(&mut self) -> Option<Safe> {
        if self.answered_changes >= self.changes {
            return None;
        }
        let (call, wait) = oneshot::channel();
        self.waiting.push(Waiting { change: self.changes, call });
        Some(wait)
    }

    /// Starts to write the world in its present state; nothing if that is on disk already.
    pub(crate) fn begin(&mut self) -> Option<Round> {
        self.told = false;
        let now = self.latest.take()?;
        let round = Round {
            now,
            changes: self.changes,
            before: self.kept.clone(),
            durability: self.keeper.durability,
            lock: Arc::clone(&self.keeper.lock),
        };
        if !round.now.is_as(&self.kept) {
            return Some(round);
        }
        self.end(round);
        None
    }

    /// The round is on disk.
    pub(crate) fn end(&mut self, round: Round) {
        let is_eventual = self.keeper.durability == Durability::Eventual;
        self.is_failing = false;
        let (now, changes) = match self.latest.as_ref().filter(|_| is_eventual) {
            // No call waits from here on.
            Some(latest) => (latest.clone(), self.changes),
            None => (round.now.clone(), round.changes),
        };
        if changes > self.answered_changes {
            (self.answered, self.answered_changes) = (now, changes);
        }
        self.kept = round.now;
        self.answer(None);
    }

    /// The round can't be written, nor can the changes after it. Returns whether this is the first failure in a row.
    pub(crate) fn give_up(&mut self, round: Round, error: Error) -> bool {
        let answered = self.answered.clone();
        self.answer(Some(&error));
        // If all changes are answered, there is none to undo, and a running call has seen only kept state.
        if self.changes > self.answered_changes {
            self.undo = Some((answered.clone(), error));
        }
        // Answered changes that are not on disk yet are written with the next round.
        self.latest = (!answered.is_as(&round.before)).then_some(answered);
        self.answered_changes = self.changes;
        !mem::replace(&mut self.is_failing, true)
    }

    /// The state that the world has to return to before the next call, and the error of a call that is not kept.
    pub(crate) fn take_undo(&mut self) -> Option<(Snapshot, Error)> {
        self.undo.take()
    }

    /// Answers the calls that don't need to wait any longer; with an error, refuses the others.
    fn answer(&mut self, error: Option<&Error>) {
        for Waiting { change, call } in mem::take(&mut self.waiting) {
            // A client may have gone away meanwhile.
            match error {
                _ if change <= self.answered_changes => drop(call.send(Ok(()))),
                Some(error) => drop(call.send(Err(error.clone()))),
                None => self.waiting.push(Waiting { change, call }),
            }
        }
    }
}

impl Round {
    pub(crate) fn write(&self, log: &mut WorldLog) -> io::Result<()> {
        self.lock.check()?;
        let piece = self.now.changes(Some(&self.before)).map_err(|error| io::Error::other(error.message))?;
        log.write(&self.now, &piece, self.durability == Durability::Power)
    }
}

/// The response to a call whose changes can't be written: they are undone.
pub(crate) fn not_kept(error: &io::Error) -> Error {
    let text = format!("The disk does not take what this call changed, so it changed nothing: {error}");
    Error::new(Kind::Unavailable, "not_kept", text)
}

#[cfg(test)]
mod tests {
    use sim_core::Simulator;

    use super::*;

    /// A keeper without threads: the test itself is the disk.
    fn keeping(durability: Durability, kept: Snapshot) -> Keeping {
        let name = format!("stuntdouble-keeper-{}-{durability}", std::process::id());
        let dir = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&dir).expect("it can be made");
        let lock = Arc::new(Lock::take(&dir).expect("it is ours"));
        std::fs::remove_dir_all(&dir).expect("it is ours");
        Keeper { worlds: mpsc::channel().0, durability, lock }.keep(&Weak::new(), kept)
    }

    fn fail(keeping: &mut Keeping) {
        let round = keeping.begin().expect("it has changed");
        keeping.give_up(round, not_kept(&io::Error::other("full")));
    }

    fn later(sim: &mut Simulator) -> Snapshot {
        sim.advance(std::time::Duration::from_secs(1));
        sim.snapshot()
    }

    /// A read that runs while the write fails requests the undo afterwards, and would be refused for it.
    #[test]
    fn a_failed_write_undoes_only_unanswered_calls() {
        let mut sim = Simulator::builder().build();
        let mut keeping = keeping(Durability::Eventual, sim.snapshot());
        let answered = later(&mut sim);
        keeping.change(answered.clone());
        assert!(keeping.safe().is_none(), "calls of this level do not wait");
        fail(&mut keeping);
        assert!(keeping.take_undo().is_none());

        keeping.change(later(&mut sim));
        let mut safe = keeping.safe().expect("after a failure they do");
        fail(&mut keeping);
        let (state, error) = keeping.take_undo().expect("it was not answered");
        assert!(state.is_as(&answered));
        assert_eq!(error.reason, "not_kept");
        assert_eq!(safe.try_recv(), Ok(Err(error)));
    }
}
