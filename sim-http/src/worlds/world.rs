//! One world behind the port: a simulator, its clock and its snapshots under one lock.

use std::collections::BTreeMap;
use std::io;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};

use parking_lot::{Mutex, MutexGuard};
use sim_core::{Error, Kind, Simulator, Snapshot, Timestamp};
use tokio::sync::watch;

use super::clock::{Alarm, Clock};
use crate::disk::{Keeper, Keeping, Round, Safe, WorldLog, not_kept};
use crate::outgoing::OutgoingQueue;

/// A named world.
pub(crate) struct World {
    pub(crate) name: String,
    /// The first user's token; `None` in a world without users.
    pub(crate) token: Option<String>,
    /// The first token of the analytics server, where there is one beside `/v1`.
    pub(crate) analytics_token: Option<String>,
    /// Whether a read may schedule work, because its log entry may have to be forwarded.
    reads_schedule_work: bool,
    inside: Mutex<Inside>,
    alarm: Arc<Alarm>,
    /// Where messages to be posted go; `None` where nobody posts them.
    outgoing: Option<OutgoingQueue>,
    /// This world, for whoever brings back the answers to its messages.
    this: Weak<World>,
    /// Its files, where it is kept on disk; locked while they are written. `None` once it was removed.
    log: Mutex<Option<WorldLog>>,
    /// Notifies watchers that something may have happened.
    pub(crate) changed: watch::Sender<()>,
}

/// What the lock of a world guards.
pub(crate) struct Inside {
    pub(crate) sim: Simulator,
    pub(crate) clock: Clock,
    pub(crate) snapshots: BTreeMap<String, Kept>,
    beginning: Snapshot,
    keeping: Option<Keeping>,
}

/// A snapshot, with its instant and the calls until then.
pub(crate) struct Kept {
    pub(crate) snapshot: Snapshot,
    pub(crate) now: Timestamp,
    pub(crate) calls: u64,
}

/// Whether a call may have scheduled work, or may have moved the clock.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Touch {
    Reads,
    Writes,
}

impl World {
    /// A world that posts the messages that are sent from now on, not earlier ones. `made` is its state at creation, which a
    /// reset goes back to; its present state unless given.
    pub(crate) fn new(
        name: &str,
        mut sim: Simulator,
        made: Option<Snapshot>,
        speed: f64,
        alarm: &Arc<Alarm>,
        outgoing: Option<&OutgoingQueue>,
        kept: Option<(&Keeper, WorldLog)>,
    ) -> Arc<World> {
        if outgoing.is_some() {
            sim.take_posts();
        }
        let (keeper, log) = kept.unzip();
        Arc::new_cyclic(|this| World {
            name: name.to_owned(),
            token: sim.first_token().map(str::to_owned),
            analytics_token: sim.beside().and_then(Simulator::first_token).map(str::to_owned),
            reads_schedule_work: sim.is_heard(),
            inside: Mutex::new(Inside {
                beginning: made.unwrap_or_else(|| sim.snapshot()),
                keeping: keeper.map(|keeper| keeper.keep(this, sim.snapshot())),
                sim,
                clock: Clock::new(speed),
                snapshots: BTreeMap::new(),
            }),
            alarm: Arc::clone(alarm),
            outgoing: outgoing.cloned(),
            this: Weak::clone(this),
            log: Mutex::new(log),
            changed: watch::Sender::default(),
        })
    }

    /// Brings the world up to the present and runs `call` on it. A panic is a bug of the simulator: its transaction is rolled
    /// back, the world stays usable, and the answer is a 500 that says so.
    pub(crate) fn with<T>(&self, touch: Touch, call: impl FnOnce(&mut Inside) -> T) -> Result<T, Error> {
        let mut inside = self.inside.lock();
        guarded(|| {
            self.catch_up(&mut inside);
            let done = call(&mut inside);
            if touch == Touch::Writes || self.reads_schedule_work {
                self.settle(&mut inside);
            }
            self.notify_watchers();
            done
        })
    }

    /// Brings the world up to the present and reads it, without notifying those who watch it.
    pub(crate) fn read_without_notice<T>(&self, look: impl FnOnce(&Inside) -> T) -> Result<T, Error> {
        let mut inside = self.inside.lock();
        guarded(|| {
            self.catch_up(&mut inside);
            look(&inside)
        })
    }

    /// Does the work that is due, and sets the alarm for the next.
    pub(crate) fn tick(&self) {
        // A panic is reported by the panic hook, and again by the next call that meets it.
        let _ = self.with(Touch::Writes, |_| ());
    }

    pub(crate) fn lock(&self) -> SimGuard<'_> {
        let mut inside = self.inside.lock();
        self.catch_up(&mut inside);
        SimGuard { world: self, inside }
    }

    /// Moves the clock to the present, and hands over what was sent on the way, before anybody snapshots or forks the world.
    fn catch_up(&self, inside: &mut Inside) {
        if inside.clock.sync(&mut inside.sim) {
            self.hand_over_messages(&mut inside.sim);
        }
    }

    /// After what may have scheduled work or sent messages.
    fn settle(&self, inside: &mut Inside) {
        let Inside { sim, clock, keeping, .. } = inside;
        self.alarm.set(clock.next_wake(sim));
        self.hand_over_messages(sim);
        keeping.iter_mut().for_each(Keeping::change);
    }

    /// What a call has to wait for before its answer may be sent: that the state it has seen is on disk.
    pub(crate) fn safe(&self) -> Option<Safe> {
        self.inside.lock().keeping.as_mut().and_then(Keeping::safe)
    }

    /// Writes the changes of the world to disk. When that fails, the world goes back to its state on disk and the waiting calls
    /// are refused: answered calls are kept, unanswered ones are undone.
    pub(crate) fn persist(&self) {
        let mut log = self.log.lock();
        let (Some(log), Some(round)) = (log.as_mut(), self.inside.lock().begin_round()) else { return };
        let written = round.write(log);
        let mut inside = self.inside.lock();
        let Inside { sim, keeping: Some(keeping), .. } = &mut *inside else { return };
        let (waiting, answer) = match written {
            Ok(()) => (keeping.end(round), Ok(())),
            Err(error) => {
                eprintln!("world {}: {error}; what was not yet written is undone", self.name);
                let (kept, waiting) = keeping.give_up(round);
                sim.restore(&kept);
                (waiting, Err(not_kept(&error)))
            }
        };
        drop(inside);
        // A client may have gone away meanwhile.
        waiting.into_iter().for_each(|waiting| drop(waiting.send(answer.clone())));
    }

    /// Removes its files, if it has any. Calls no longer wait for the disk.
    pub(crate) fn remove_files(&self) -> io::Result<()> {
        let mut log = self.log.lock();
        log.as_ref().map_or(Ok(()), WorldLog::remove)?;
        *log = None;
        self.inside.lock().keeping = None;
        Ok(())
    }

    fn notify_watchers(&self) {
        if self.changed.receiver_count() > 0 {
            self.changed.send_replace(());
        }
    }

    fn hand_over_messages(&self, sim: &mut Simulator) {
        if let Some(outgoing) = &self.outgoing {
            outgoing.collect(&self.this, sim);
        }
    }

    /// Tokens that were issued when it was made.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &str> {
        [&self.token, &self.analytics_token].into_iter().flatten().map(String::as_str)
    }

    pub(crate) fn knows(&self, token: &str) -> bool {
        self.inside.lock().sim.knows(token)
    }
}

impl Inside {
    fn begin_round(&mut self) -> Option<Round> {
        let now = self.sim.snapshot();
        self.keeping.as_mut().and_then(|keeping| keeping.begin(now))
    }

    /// Goes back to the state in which the world was made. Snapshots stay.
    pub(crate) fn reset(&mut self) {
        self.sim.restore(&self.beginning);
    }
}

/// Turns a panic of `work` into an answer: 500 with the reason `simulator_bug`.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    // Unwind safe: worlds change in transactions, and one that a panic interrupts is rolled back.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| simulator_bug(&*panic))
}

fn simulator_bug(panic: &(dyn std::any::Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref().map(String::as_str));
    let message = format!(
        "the simulator has a bug, this call changed nothing; please report it: {}",
        text.unwrap_or("no message")
    );
    Error::new(Kind::Upstream, "simulator_bug", message)
}

/// A world's simulator, locked: requests to that world wait until it is dropped.
pub struct SimGuard<'w> {
    world: &'w World,
    inside: MutexGuard<'w, Inside>,
}

impl Deref for SimGuard<'_> {
    type Target = Simulator;

    fn deref(&self) -> &Simulator {
        &self.inside.sim
    }
}

impl DerefMut for SimGuard<'_> {
    fn deref_mut(&mut self) -> &mut Simulator {
        &mut self.inside.sim
    }
}

impl Drop for SimGuard<'_> {
    fn drop(&mut self) {
        // A test that fails should not panic a second time here.
        if !std::thread::panicking() {
            self.world.settle(&mut self.inside);
            self.world.notify_watchers();
        }
    }
}
