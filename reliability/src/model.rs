//! Compares the simulator with the reference model, on all cores and for as many calls as you like: the
//! property runs of the tests, one seed after the other.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sim_fixtures::property::histories;

use crate::progress::Progress;

/// Calls per seed: few, so that a failure repeats quickly.
const CALLS: usize = 2_000;

/// A run.
#[derive(Clone, Copy, Debug)]
pub struct Model {
    /// All calls together.
    pub calls: usize,
    /// The first seed; the next ones follow.
    pub seed: u64,
    /// Seeds that are run at the same time.
    pub jobs: usize,
}

/// The results of a run in which the simulator matched the model.
#[derive(Clone, Copy, Debug)]
pub struct Figures {
    /// Calls, each made in two worlds and compared.
    pub calls: usize,
    /// Seeds of these calls.
    pub seeds: usize,
    /// The duration.
    pub time: Duration,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Figures { calls, seeds, time } = self;
        let rate = *calls as f64 / time.as_secs_f64();
        write!(
            f,
            "{calls} calls from {seeds} seeds in {:.0} s, {rate:.0}/s: each went as the model says",
            time.as_secs_f64()
        )
    }
}

/// A seed whose history fails.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The seed.
    pub seed: u64,
    /// The requested number of its calls.
    pub calls: usize,
    /// The shortest failing history found, and its failure.
    pub reason: String,
}

impl Model {
    /// Runs one seed after the other until all calls are made or one fails.
    pub fn run(&self) -> Result<Figures, Failure> {
        let begun = Instant::now();
        let (seeds, made) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let (failure, over) = (Mutex::new(None), AtomicBool::new(false));
        let work = || {
            while !over.load(Ordering::SeqCst) && made.load(Ordering::Relaxed) < self.calls {
                let seed = self.seed + seeds.fetch_add(1, Ordering::SeqCst) as u64;
                let calls = CALLS.min(self.calls);
                let ran = histories(seed, calls, |_, _, _| {
                    made.fetch_add(1, Ordering::Relaxed);
                });
                if let Err(reason) = ran {
                    failure.lock().get_or_insert(Failure { seed, calls, reason });
                    over.store(true, Ordering::SeqCst);
                }
            }
        };
        thread::scope(|scope| {
            let workers: Vec<_> = (0..self.jobs.max(1)).map(|_| scope.spawn(work)).collect();
            let mut progress = Progress::of(self.calls);
            while workers.iter().any(|worker| !worker.is_finished()) {
                thread::sleep(Duration::from_millis(100));
                let done = made.load(Ordering::Relaxed);
                progress.at(done, &format!("calls, {:.0}/s", done as f64 / begun.elapsed().as_secs_f64()));
            }
        });
        match failure.into_inner() {
            Some(failure) => Err(failure),
            None => {
                Ok(Figures { calls: made.into_inner(), seeds: seeds.into_inner(), time: begun.elapsed() })
            }
        }
    }
}
