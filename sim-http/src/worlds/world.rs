//! One world behind the port: a simulator, its clock and its snapshots under one lock.

use std::collections::BTreeMap;
use std::io;
use std::ops::{Deref, DerefMut};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak};

use parking_lot::{Mutex, MutexGuard};
use sim_core::{Error, Kind, Simulator, Snapshot, Timestamp};
use tokio::sync::watch;

use crate::disk::{Keeper, Keeping, Round, Safe, WorldLog, not_kept};
use crate::outgoing::Tray;
use crate::worlds::clock::{Alarm, Clock};

/// A named world.
pub(crate) struct World {
    pub(crate) name: String,
    /// The first user's token; `None` in a world without users.
    pub(crate) token: Option<String>,
    /// The first token of the analytics server, where there is one beside `/v1`.
    pub(crate) analytics_token: Option<String>,
    /// Whether even a read may schedule work: what is logged may have to be told of.
    is_heard: bool,
    inside: Mutex<Inside>,
    alarm: Arc<Alarm>,
    /// Where messages are put that are to be posted, where somebody posts them.
    tray: Option<Tray>,
    /// Itself, for who answers them.
    me: Weak<World>,
    /// Its files, where it is kept on disk; held while it is written. Nothing once it has been removed.
    log: Mutex<Option<WorldLog>>,
    /// Tells watchers that something may have happened.
    pub(crate) news: watch::Sender<()>,
}

/// What the lock of a world guards.
pub(crate) struct Inside {
    pub(crate) sim: Simulator,
    pub(crate) clock: Clock,
    pub(crate) snapshots: BTreeMap<String, Kept>,
    beginning: Snapshot,
    keeping: Option<Keeping>,
}

/// A snapshot, and the instant it shows.
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
    /// A world that posts what is sent from now on; what was sent before is not its to post. It was `made` as it is now,
    /// unless that was otherwise.
    pub(crate) fn new(
        name: &str,
        mut sim: Simulator,
        made: Option<Snapshot>,
        speed: f64,
        alarm: &Arc<Alarm>,
        tray: Option<&Tray>,
        kept: Option<(&Keeper, WorldLog)>,
    ) -> Arc<World> {
        if tray.is_some() {
            sim.take_posts();
        }
        let (keeper, log) = kept.unzip();
        Arc::new_cyclic(|me| World {
            name: name.to_owned(),
            token: sim.first_token().map(str::to_owned),
            analytics_token: sim.beside().and_then(Simulator::first_token).map(str::to_owned),
            is_heard: sim.is_heard(),
            inside: Mutex::new(Inside {
                beginning: made.unwrap_or_else(|| sim.snapshot()),
                keeping: keeper.map(|keeper| keeper.keep(me, sim.snapshot())),
                sim,
                clock: Clock::new(speed),
                snapshots: BTreeMap::new(),
            }),
            alarm: Arc::clone(alarm),
            tray: tray.cloned(),
            me: Weak::clone(me),
            log: Mutex::new(log),
            news: watch::Sender::default(),
        })
    }

    /// Runs `call` on the world as it is by now. A panic is a defect of the simulator: the transaction it broke off
    /// left no trace, so the world lives on, and the answer is a 500 that says so.
    pub(crate) fn with<T>(&self, touch: Touch, call: impl FnOnce(&mut Inside) -> T) -> Result<T, Error> {
        let mut inside = self.inside.lock();
        guarded(|| {
            self.catch_up(&mut inside);
            let done = call(&mut inside);
            if touch == Touch::Writes || self.is_heard {
                self.settle(&mut inside);
            }
            self.tell();
            done
        })
    }

    /// Looks at the world as it is by now, without waking those who watch it.
    pub(crate) fn quietly<T>(&self, look: impl FnOnce(&Inside) -> T) -> Result<T, Error> {
        let mut inside = self.inside.lock();
        guarded(|| {
            self.catch_up(&mut inside);
            look(&inside)
        })
    }

    /// Does what fell due by now, and sets the alarm for what comes next.
    pub(crate) fn tick(&self) {
        // A panic is reported by the panic hook, and again by the next call that meets it.
        let _ = self.with(Touch::Writes, |_| ());
    }

    pub(crate) fn lock(&self) -> SimGuard<'_> {
        let mut inside = self.inside.lock();
        self.catch_up(&mut inside);
        SimGuard { world: self, inside }
    }

    /// Before anybody keeps or forks the world: what has been sent by now is handed over.
    fn catch_up(&self, inside: &mut Inside) {
        if inside.clock.sync(&mut inside.sim) {
            self.hand_over(&mut inside.sim);
        }
    }

    /// After what may have scheduled work or sent messages.
    fn settle(&self, inside: &mut Inside) {
        let Inside { sim, clock, keeping, .. } = inside;
        self.alarm.set(clock.next_wake(sim));
        self.hand_over(sim);
        keeping.iter_mut().for_each(Keeping::change);
    }

    /// What a call that has seen the world has to wait for before it is answered.
    pub(crate) fn safe(&self) -> Option<Safe> {
        self.inside.lock().keeping.as_mut().and_then(Keeping::safe)
    }

    /// Writes what has become of the world to the disk. Where the disk does not take it, the world goes back to what is
    /// there, and the calls that wait are refused: what was answered stays, and what was not is as if never made.
    pub(crate) fn write_down(&self) {
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
        // Whoever went away meanwhile need not know.
        waiting.into_iter().for_each(|waiting| drop(waiting.send(answer.clone())));
    }

    /// Removes its files, if it has any. Who still calls it has nothing to wait for any more.
    pub(crate) fn remove_files(&self) -> io::Result<()> {
        let mut log = self.log.lock();
        log.as_ref().map_or(Ok(()), WorldLog::remove)?;
        *log = None;
        self.inside.lock().keeping = None;
        Ok(())
    }

    fn tell(&self) {
        if self.news.receiver_count() > 0 {
            self.news.send_replace(());
        }
    }

    fn hand_over(&self, sim: &mut Simulator) {
        if let Some(tray) = &self.tray {
            tray.collect(&self.me, sim);
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

    /// Back to how the world was made. Snapshots stay.
    pub(crate) fn reset(&mut self) {
        self.sim.restore(&self.beginning);
    }
}

/// Makes a panic of `work` an answer: 500, reason `simulator_bug`.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    // Unwind safe: worlds change by transactions, and what one of them left half done is rolled back.
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
        // A test that fails fails once.
        if !std::thread::panicking() {
            self.world.settle(&mut self.inside);
            self.world.tell();
        }
    }
}
