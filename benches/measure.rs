//! Medians of batches, and the table of results.

use std::fmt;
use std::time::Duration;

#[cfg(target_os = "linux")]
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};
use serde_json::{Value, json};

/// Processor time used by this thread. Unlike wall time it does not include what other processes do
/// meanwhile.
pub(crate) fn of_this_thread() -> Duration {
    spent(ClockId::ThreadCPUTime)
}

/// Processor time used by all other threads of this process: a server's, if this thread is its only client.
pub(crate) fn of_other_threads() -> Duration {
    spent(ClockId::ProcessCPUTime).saturating_sub(of_this_thread())
}

/// Wall time, which includes what other processes do meanwhile.
pub(crate) fn since_the_start() -> Duration {
    spent(ClockId::Monotonic)
}

fn spent(clock: ClockId) -> Duration {
    clock_gettime(clock).try_into().expect("processor time is not negative")
}

/// Pins this thread, and threads it starts from now on, to one core. Across two cores most of the time of a
/// response goes to waking one core from the other; that time varies from hour to hour by more than servers
/// differ from each other.
#[cfg(target_os = "linux")]
pub(crate) fn keep_to_one_core() {
    let allowed = sched_getaffinity(None).expect("a thread may ask where it runs");
    let last = (0..CpuSet::MAX_CPU).rev().find(|core| allowed.is_set(*core)).expect("it runs somewhere");
    let mut one = CpuSet::new();
    one.set(last);
    sched_setaffinity(None, &one).expect("a thread may choose among its cores");
}

/// On other systems the kernel alone chooses the core.
#[cfg(not(target_os = "linux"))]
pub(crate) fn keep_to_one_core() {}

/// How many samples are taken.
pub(crate) struct Samples {
    /// Batches of each kind; the median counts.
    pub batches: usize,
    /// Operations per batch.
    pub batch: usize,
}

impl Samples {
    pub(crate) const FULL: Samples = Samples { batches: 41, batch: 2_000 };
    pub(crate) const QUICK: Samples = Samples { batches: 11, batch: 500 };

    /// Nanoseconds of processor time per `operation`: the median over the batches. Each batch begins with
    /// `prepare`, untimed.
    pub(crate) fn median<S>(&self, prepare: impl FnMut() -> S, operation: impl FnMut(&mut S, usize)) -> f64 {
        self.median_by(of_this_thread, prepare, operation)
    }

    /// `median` by another clock.
    pub(crate) fn median_by<S>(
        &self,
        clock: fn() -> Duration,
        mut prepare: impl FnMut() -> S,
        mut operation: impl FnMut(&mut S, usize),
    ) -> f64 {
        let operation = |(): &mut (), state: &mut S, index: usize| operation(state, index);
        let [median] = self.medians(clock, &mut [()], |()| prepare(), operation);
        median
    }

    /// Medians of several subjects, batch by batch in turn, so that other load on the machine affects all of
    /// them.
    pub(crate) fn medians<T, S, const N: usize>(
        &self,
        clock: fn() -> Duration,
        subjects: &mut [T; N],
        mut prepare: impl FnMut(&mut T) -> S,
        mut operation: impl FnMut(&mut T, &mut S, usize),
    ) -> [f64; N] {
        let mut times = [const { Vec::new() }; N];
        for batch in 0..=self.batches {
            for (subject, times) in subjects.iter_mut().zip(&mut times) {
                let mut state = prepare(subject);
                let start = clock();
                (0..self.batch).for_each(|index| operation(subject, &mut state, index));
                let time = clock().saturating_sub(start);
                // The first batch runs with cold caches.
                times.extend((batch > 0).then_some(time));
            }
        }
        times.map(|mut times: Vec<Duration>| {
            times.sort_unstable();
            times[times.len() / 2].as_secs_f64() * 1e9 / self.batch as f64
        })
    }
}

/// One line of the table.
struct Line {
    what: &'static str,
    figure: f64,
    /// The limit: a name and its figure.
    limit: Option<(&'static str, f64)>,
    budget: &'static str,
    /// The format of its figures.
    write: fn(f64) -> String,
}

impl Line {
    fn json(&self) -> Value {
        let (against, limit) = self.limit.unzip();
        json!({
            "what": self.what,
            "figure": self.figure,
            "against": against,
            "limit": limit,
            "ratio": limit.map(|limit| self.figure / limit),
            "budget": self.budget,
        })
    }
}

/// All figures of one run.
#[derive(Default)]
pub(crate) struct Report {
    lines: Vec<Line>,
}

impl Report {
    pub(crate) fn add(
        &mut self,
        what: &'static str,
        ns: f64,
        limit: Option<(&'static str, f64)>,
        budget: &'static str,
    ) {
        self.lines.push(Line { what, figure: ns, limit, budget, write: time });
    }

    pub(crate) fn add_bytes(
        &mut self,
        what: &'static str,
        bytes: f64,
        limit: (&'static str, f64),
        budget: &'static str,
    ) {
        self.lines.push(Line { what, figure: bytes, limit: Some(limit), budget, write: mebibytes });
    }
}

impl Report {
    /// The figures for programs: times in nanoseconds, memory in bytes.
    pub(crate) fn json(&self) -> Value {
        self.lines.iter().map(Line::json).collect()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| what | figure | limit in the same run | ratio | budget |\n|---|---|---|---|---|")?;
        for Line { what, figure, limit, budget, write } in &self.lines {
            let (limit, ratio) = match limit {
                Some((name, limit)) => {
                    (format!("{name}: {}", write(*limit)), format!("{:.2} ×", figure / limit))
                }
                None => ("–".to_owned(), "–".to_owned()),
            };
            writeln!(f, "| {what} | {} | {limit} | {ratio} | {budget} |", write(*figure))?;
        }
        Ok(())
    }
}

fn time(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.2} µs", ns / 1e3),
        ns => format!("{:.2} ms", ns / 1e6),
    }
}

fn mebibytes(bytes: f64) -> String {
    format!("{:.1} MiB", bytes / f64::from(1 << 20))
}
