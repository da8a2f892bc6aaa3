//! One world behind the port: a simulator, its clock and its snapshots under one lock.
//!
//! Calls get the lock in the order in which they ask for it. Tasks wait for it without holding a thread.

use std::collections::BTreeMap;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};
use std::time::Instant;

use parking_lot::Mutex;
use sim_core::{Error, Kind, Simulator, Snapshot, Timestamp};
use tokio::sync::{MutexGuard, watch};

use super::call_watch::CallWatch;
use super::clock::{Alarm, Clock};
use super::holder::Holder;
use super::hub::Digest;
use super::services::Services;
use super::unused::Gone;
use super::waiting::{wait_for, wait_until};
use crate::disk::{Keeper, Keeping, Safe, WorldLog, not_kept};
use crate::outgoing::OutgoingQueue;
use crate::stderr::write_stderr;

/// Tokens for which a world caches whether it knows them; beyond that the cache is cleared.
const KNOWN_MAX: usize = 1000;

/// A named world.
pub(crate) struct World {
    pub(crate) name: String,
    /// The first user's token; `None` in a world without users.
    pub(crate) token: Option<String>,
    /// The first token of the analytics server, if it runs next to `/v1`.
    pub(crate) analytics_token: Option<String>,
    pub(crate) services: Services,
    pub(crate) seed: u64,
    /// The largest body of a request.
    pub(crate) max_body_bytes: usize,
    /// Whether a read may schedule work, because its log entry may have to be forwarded.
    reads_schedule_work: bool,
    inside: tokio::sync::Mutex<Inside>,
    /// The guard of an embedder.
    holder: Arc<Holder>,
    /// The counts after the last call, for readers that do not wait for the present call.
    last: Mutex<Counts>,
    /// The running call, and its interrupt.
    pub(crate) watch: CallWatch,
    alarm: Arc<Alarm>,
    /// The next instant at which the server must check the world without a call.
    wake: Mutex<Option<Instant>>,
    /// The queue of messages to be posted; `None` if nobody posts them.
    outgoing: Option<OutgoingQueue>,
    /// This world, for the code that reports the answers to its messages.
    this: Weak<World>,
    /// Its files, if it is kept on disk; locked while they are written. `None` after it was removed.
    log: Mutex<Option<WorldLog>>,
    /// Its state on disk. It has a lock of its own, because a long call holds the lock of the world during writes of others.
    keeping: Mutex<Option<Keeping>>,
    /// Cached answers to whether it knows a token. Cleared when it may have gained or lost a token.
    known_tokens: Mutex<BTreeMap<Digest, bool>>,
    /// Notifies watchers that something may have happened.
    pub(crate) changed: watch::Sender<()>,
}

/// The state under the lock of a world.
pub(crate) struct Inside {
    pub(crate) sim: Simulator,
    pub(crate) clock: Clock,
    pub(crate) snapshots: BTreeMap<String, Kept>,
    beginning: Snapshot,
}

/// A snapshot, with its instant and the calls until then.
pub(crate) struct Kept {
    pub(crate) snapshot: Snapshot,
    pub(crate) now: Timestamp,
    pub(crate) calls: u64,
}

/// The progress of a world.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counts {
    pub(crate) now: Timestamp,
    pub(crate) calls: u64,
    /// Calls that its journal has dropped.
    pub(crate) dropped: u64,
}

impl Counts {
    fn of(sim: &Simulator) -> Counts {
        Counts { now: sim.now(), calls: sim.calls(), dropped: sim.dropped().calls }
    }
}

/// Whether a call may have scheduled work or moved the clock.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Touch {
    Reads,
    Writes,
}

impl World {
    /// A world that posts messages sent from now on, but no earlier ones. `made` is its state at creation, to which a reset returns;
    /// by default its present state.
    pub(crate) fn new(
        name: &str,
        mut sim: Simulator,
        made: Option<Snapshot>,
        mut clock: Clock,
        alarm: &Arc<Alarm>,
        outgoing: Option<&OutgoingQueue>,
        kept: Option<(&Keeper, WorldLog)>,
    ) -> Arc<World> {
        if outgoing.is_some() {
            sim.take_posts();
            sim.take_webhook_posts();
        }
        let watch = CallWatch::default();
        let mut sim = sim.interrupted_by(watch.interrupt());
        let (keeper, log) = kept.unzip();
        let wake = clock.next_wake(&mut sim);
        alarm.set(wake);
        Arc::new_cyclic(|this| World {
            name: name.to_owned(),
            token: sim.first_token().map(str::to_owned),
            analytics_token: sim.beside().and_then(Simulator::first_token).map(str::to_owned),
            services: Services::of(&sim),
            seed: sim.seed(),
            max_body_bytes: sim.policy().max_body_bytes,
            reads_schedule_work: sim.is_heard(),
            last: Mutex::new(Counts::of(&sim)),
            keeping: Mutex::new(keeper.map(|keeper| keeper.keep(this, sim.snapshot()))),
            inside: tokio::sync::Mutex::new(Inside {
                beginning: made.unwrap_or_else(|| sim.snapshot()),
                sim,
                clock,
                snapshots: BTreeMap::new(),
            }),
            holder: Arc::default(),
            watch,
            alarm: Arc::clone(alarm),
            wake: Mutex::new(wake),
            outgoing: outgoing.cloned(),
            this: Weak::clone(this),
            log: Mutex::new(log),
            known_tokens: Mutex::default(),
            changed: watch::Sender::default(),
        })
    }

    /// Brings the world up to the present and runs `call` on it, after earlier calls. Returns when the state that the call has seen
    /// is on disk, if the durability requires that. A panic is a bug of the simulator: its transaction is rolled back, the world stays
    /// usable, and the answer is a 500 that says so.
    pub(crate) async fn with<T>(
        &self,
        touch: Touch,
        call: impl FnOnce(&mut Inside) -> T,
    ) -> Result<T, Error> {
        let ran = self.run(&mut *self.enter().await?, touch, call);
        let (done, safe) = ran?;
        when_safe(safe).await?;
        Ok(done)
    }

    /// Locks the world for a call, in its turn. Refuses the call if the embedder's guard does not come to its end.
    async fn enter(&self) -> Result<MutexGuard<'_, Inside>, Error> {
        if let Ok(inside) = self.inside.try_lock() {
            return Ok(inside);
        }
        self.holder.check_thread();
        tokio::select! {
            biased;
            inside = self.inside.lock() => Ok(inside),
            refusal = self.holder.is_held_too_long() => Err(refusal),
        }
    }

    fn run<T>(
        &self,
        inside: &mut Inside,
        touch: Touch,
        call: impl FnOnce(&mut Inside) -> T,
    ) -> Result<(T, Option<Safe>), Error> {
        guarded(|| {
            self.catch_up(inside);
            let done = call(inside);
            let kept = match touch == Touch::Writes || self.reads_schedule_work {
                true => self.settle(inside),
                false => self.safe(&mut inside.sim),
            };
            *self.last.lock() = Counts::of(&inside.sim);
            self.notify_watchers();
            kept.map(|safe| (done, safe))
        })?
    }

    /// Brings the world up to the present and reads it, without notifying watchers.
    pub(crate) async fn read_without_notice<T>(&self, look: impl FnOnce(&Inside) -> T) -> Result<T, Error> {
        let looked = {
            let mut inside = self.enter().await?;
            guarded(|| {
                self.catch_up(&mut inside);
                let seen = look(&inside);
                self.safe(&mut inside.sim).map(|safe| (seen, safe))
            })?
        };
        let (seen, safe) = looked?;
        when_safe(safe).await?;
        Ok(seen)
    }

    /// The counts after the last call, or before the call that is running.
    pub(crate) fn counts(&self) -> Result<Counts, Error> {
        match self.inside.try_lock() {
            Ok(mut inside) => {
                let (counts, _) = self.run(&mut inside, Touch::Reads, |inside| Counts::of(&inside.sim))?;
                Ok(counts)
            }
            Err(_) => Ok(*self.last.lock()),
        }
    }

    /// Does the work that is due, and sets the alarm for the next.
    pub(crate) async fn tick(&self) {
        // The panic hook reports a panic, and the next call to this world reports it again.
        let _ = self.run(&mut *self.inside.lock().await, Touch::Writes, |_| ());
    }

    /// Whether work is due. If work is due later, sets the alarm for it.
    pub(crate) fn is_due(&self) -> bool {
        let mut wake = self.wake.lock();
        if wake.is_some_and(|wake| wake <= Instant::now()) {
            *wake = None;
            return true;
        }
        self.alarm.set(*wake);
        false
    }

    /// Locks the world, for a thread that does not belong to the server.
    pub(crate) fn lock(&self) -> SimGuard<'_> {
        self.holder.check_thread();
        let inside = wait_for(self.inside.lock());
        self.guard(inside)
    }

    /// The same, but only until an instant. `None` if a call is still running then.
    pub(crate) fn lock_until(&self, deadline: Instant) -> Option<SimGuard<'_>> {
        wait_until(deadline, self.inside.lock()).map(|inside| self.guard(inside))
    }

    fn guard<'w>(&'w self, mut inside: MutexGuard<'w, Inside>) -> SimGuard<'w> {
        self.catch_up(&mut inside);
        self.holder.begin();
        SimGuard { world: self, inside, stays: PhantomData }
    }

    /// Moves the clock to the present and passes on the messages sent meanwhile, before a snapshot or a fork of the world is taken.
    fn catch_up(&self, inside: &mut Inside) {
        // The error is about earlier calls, whose callers were already told.
        let _ = undo_unkept(self.keeping.lock().as_mut(), &mut inside.sim);
        if inside.clock.sync(&mut inside.sim) {
            self.hand_over_messages(&mut inside.sim);
        }
    }

    /// Called after a call that may have scheduled work or sent messages: schedules a write. Returns what the call must wait for.
    /// Refuses the call if earlier changes could not be written.
    fn settle(&self, inside: &mut Inside) -> Result<Option<Safe>, Error> {
        let Inside { sim, clock, .. } = inside;
        // Locked until the end, so that no write fails between the undo and the change.
        let mut keeping = self.keeping.lock();
        let kept = undo_unkept(keeping.as_mut(), sim);
        let wake = clock.next_wake(sim);
        *self.wake.lock() = wake;
        self.alarm.set(wake);
        self.hand_over_messages(sim);
        let Some(keeping) = &mut *keeping else { return Ok(None) };
        keeping.change(sim.snapshot());
        kept.map(|()| keeping.safe())
    }

    /// The signal that the present state is on disk, for which a call that has seen it must wait. If the state could not be
    /// written, refuses the call and restores the kept state.
    fn safe(&self, sim: &mut Simulator) -> Result<Option<Safe>, Error> {
        let mut keeping = self.keeping.lock();
        undo_unkept(keeping.as_mut(), sim)?;
        Ok(keeping.as_mut().and_then(Keeping::safe))
    }

    /// Writes the changes of the world to disk while calls continue. If that fails, the waiting calls are refused, and the kept
    /// state is restored before the next call: answered calls are kept, unanswered ones are undone.
    pub(crate) fn persist(&self) {
        let mut log = self.log.lock();
        let Some(log) = log.as_mut() else { return };
        let Some(round) = self.keeping.lock().as_mut().and_then(Keeping::begin) else { return };
        let written = round.write(log);
        let mut keeping = self.keeping.lock();
        let Some(keeping) = keeping.as_mut() else { return };
        match written {
            Ok(()) => keeping.end(round),
            Err(error) => {
                if keeping.give_up(round, not_kept(&error)) {
                    let text = format!("world {}: {error}; what was not yet written is undone", self.name);
                    write_stderr(text);
                }
            }
        }
    }

    /// Writes the world for the last time, including changes made only by reads. Does not wait for a running call.
    pub(crate) fn close(&self) {
        let now = self.lock_until(Instant::now()).map(|inside| inside.snapshot());
        if let (Some(now), Some(keeping)) = (now, &mut *self.keeping.lock()) {
            keeping.change(now);
        }
        self.persist();
    }

    /// Removes its files, if it has any. Calls no longer wait for the disk.
    pub(crate) fn remove_files(&self) -> io::Result<()> {
        let mut log = self.log.lock();
        log.as_ref().map_or(Ok(()), WorldLog::remove)?;
        *log = None;
        *self.keeping.lock() = None;
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

    /// The tokens issued when it was created.
    pub(crate) fn tokens(&self) -> impl Iterator<Item = &str> {
        [&self.token, &self.analytics_token].into_iter().flatten().map(String::as_str)
    }

    /// Whether it knows the token. The answer comes after earlier calls, unless it is cached. So a long call delays only one lookup of a
    /// token.
    pub(crate) async fn knows(&self, token: &str, digest: Digest) -> bool {
        let cached = self.known_tokens.lock().get(&digest).copied();
        if let Some(known) = cached {
            return known;
        }
        // The call itself is refused for the same reason.
        let Ok(inside) = self.enter().await else { return false };
        let known = inside.sim.knows(token);
        let mut cached = self.known_tokens.lock();
        if cached.len() >= KNOWN_MAX {
            cached.clear();
        }
        cached.insert(digest, known);
        known
    }

    /// Call this when it may have gained or lost a token.
    pub(crate) fn clear_cached_tokens(&self) {
        self.known_tokens.lock().clear();
    }
}

/// Restores the kept state, if a later one could not be written.
fn undo_unkept(keeping: Option<&mut Keeping>, sim: &mut Simulator) -> Result<(), Error> {
    let undo = keeping.and_then(Keeping::take_undo);
    undo.map_or(Ok(()), |(kept, error)| {
        sim.restore(&kept);
        Err(error)
    })
}

/// Waits for the disk.
async fn when_safe(safe: Option<Safe>) -> Result<(), Error> {
    match safe {
        // A writer that drops its end has stopped, after it wrote all worlds.
        Some(safe) => safe.await.unwrap_or(Ok(())),
        None => Ok(()),
    }
}

impl Inside {
    /// Restores the state in which the world of that name was created. Snapshots stay.
    pub(crate) fn reset(&mut self, name: &str, gone: &Gone) {
        gone.note_change(name, &mut self.sim, |sim| sim.restore(&self.beginning));
    }
}

/// Converts a panic of `work` to an answer: 500 with the reason `simulator_bug`.
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

/// A world's simulator, locked: requests to that world wait until it is dropped. Do not hold it over an `.await`; `with` can't.
pub struct SimGuard<'w> {
    world: &'w World,
    inside: MutexGuard<'w, Inside>,
    /// It stays on its thread, so no task that another thread may go on with holds it over an `.await`.
    stays: PhantomData<*const ()>,
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
        self.world.holder.end();
        // A test that fails should not panic a second time here.
        if !std::thread::panicking() {
            // There is no caller to whom a full disk could be reported.
            let _ = self.world.settle(&mut self.inside);
            *self.world.last.lock() = Counts::of(&self.inside.sim);
            self.world.notify_watchers();
        }
    }
}
