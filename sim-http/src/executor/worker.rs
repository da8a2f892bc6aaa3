//! The loop of a thread, and the watchman.

use std::cell::Cell;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use parking_lot::MutexGuard;

use super::task::Task;
use super::{SPARE_MAX, Shared, State};

/// A thread that is still in the same task after this time is late.
const LONG: Duration = Duration::from_millis(2);

/// The number of checks without a polled task after which the watchman sleeps.
const QUIET_MAX: u32 = 50;

/// The number of tasks polled in a row before a thread checks the reactor.
const POLLED_MAX: u32 = 64;

/// If a wait for the reactor ends within this time, the event was already there.
const AT_ONCE: Duration = Duration::from_micros(3);

/// The number of waits for which such an event counts.
const PRESSURE: u32 = 16;

thread_local! {
    /// The address of the executor that this thread works for, and the present work; 0 for other threads.
    static PRESENT: Cell<(usize, Work)> = const { Cell::new((0, Work::None)) };
}

/// The present work of a thread for an executor.
#[derive(Clone, Copy)]
pub(super) enum Work {
    None,
    /// It is polling a task.
    Polls,
    /// It is waiting for the reactor, and will check for tasks right after.
    Waits,
}

/// The present thread's work for `executor`.
pub(super) fn is_of(executor: &Arc<Shared>) -> Work {
    let (address, work) = PRESENT.get();
    if address == Arc::as_ptr(executor).addr() { work } else { Work::None }
}

/// The next step of a thread.
enum Next {
    Poll(Arc<Task>),
    /// Waits for the reactor.
    Wait,
    /// Checks the reactor, because the queue has not been empty for a while.
    Look,
    Rest,
}

impl State {
    fn next(&mut self, cores: usize) -> Next {
        if self.lively > cores {
            return Next::Rest;
        }
        if self.polled >= POLLED_MAX && !self.is_driven {
            return Next::Look;
        }
        match self.ready.pop_front() {
            Some(task) => Next::Poll(task),
            None if self.is_driven => Next::Rest,
            None => Next::Wait,
        }
    }

    /// Marks the late threads. Returns whether any task was polled since the last check.
    fn look(&mut self) -> bool {
        let mut moved = false;
        for worker in self.workers.values_mut() {
            let polls = worker.polls.load(Ordering::SeqCst);
            let is_polling = polls % 2 == 1;
            if is_polling && polls == worker.seen && !mem::replace(&mut worker.is_late, true) {
                self.lively -= 1;
            }
            moved |= is_polling || polls != worker.seen;
            worker.seen = polls;
        }
        moved
    }
}

impl Shared {
    /// Works until the executor stops or this thread is no longer needed.
    pub(super) fn work(self: &Arc<Shared>, number: u64, polls: &AtomicU64) {
        let address = Arc::as_ptr(self).addr();
        PRESENT.set((address, Work::Polls));
        let context = self.runtime().enter();
        let mut state = self.state.lock();
        let mut last = 0;
        while !self.is_stopped() {
            match state.next(self.cores) {
                Next::Poll(task) => {
                    last = task.number();
                    if !state.ready.is_empty() || (state.pressure > 0 && !state.is_driven) {
                        self.call_another(&mut state);
                    }
                    state.polled += 1;
                    MutexGuard::unlocked(&mut state, || self.poll(task, polls));
                    let worker = state.workers.get_mut(&number).expect("a running worker is in the list");
                    if mem::take(&mut worker.is_late) {
                        state.lively += 1;
                    }
                }
                Next::Wait => self.drive(&mut state, last, true),
                Next::Look => self.drive(&mut state, last, false),
                Next::Rest => {
                    state.lively -= 1;
                    if state.idle >= SPARE_MAX.max(self.cores) {
                        break;
                    }
                    self.rest(&mut state);
                }
            }
        }
        state.workers.remove(&number);
        self.ended.notify_all();
        drop(state);
        drop(context);
    }

    fn poll(self: &Arc<Shared>, task: Arc<Task>, polls: &AtomicU64) {
        polls.fetch_add(1, Ordering::SeqCst);
        if self.watchman_sleeps.load(Ordering::SeqCst) && self.watchman_sleeps.swap(false, Ordering::SeqCst) {
            // The worker holds this lock until it waits.
            drop(self.state.lock());
            self.watch.notify_one();
        }
        task.poll(self);
        polls.fetch_add(1, Ordering::SeqCst);
    }

    /// Lets the reactor deliver its events. With `wait`, waits for events. `last` is the task that was polled before.
    fn drive(&self, state: &mut MutexGuard<'_, State>, last: u64, wait: bool) {
        state.is_driven = true;
        let (address, work) = PRESENT.get();
        PRESENT.set((address, Work::Waits));
        let began = Instant::now();
        MutexGuard::unlocked(state, || self.reactor.wait((!wait).then_some(Duration::ZERO)));
        PRESENT.set((address, work));
        let at_once = wait && began.elapsed() < AT_ONCE;
        // A single fast client needs no second thread.
        let at_once = at_once && state.ready.iter().any(|task| task.number() != last);
        state.pressure = if at_once { PRESSURE } else { state.pressure.saturating_sub(1) };
        state.polled = 0;
        state.is_driven = false;
    }

    /// Waits until this thread is called.
    fn rest(&self, state: &mut MutexGuard<'_, State>) {
        state.idle += 1;
        while state.called == 0 && !self.is_stopped() {
            self.call.wait(state);
        }
        state.idle -= 1;
        state.called = state.called.saturating_sub(1);
    }

    /// Checks the threads until the executor stops.
    pub(super) fn watch(self: &Arc<Shared>) {
        let mut state = self.state.lock();
        let mut quiet = 0;
        while !self.is_stopped() {
            self.watch.wait_for(&mut state, LONG);
            quiet = if state.look() { 0 } else { quiet + 1 };
            if state.lively == 0 || !state.ready.is_empty() {
                match state.is_driven {
                    true => self.reactor.ring(),
                    false => self.call_another(&mut state),
                }
            }
            if quiet > QUIET_MAX {
                self.watchman_sleeps.store(true, Ordering::SeqCst);
                if !state.look() && !self.is_stopped() {
                    self.watch.wait(&mut state);
                }
                self.watchman_sleeps.store(false, Ordering::SeqCst);
                quiet = 0;
            }
        }
    }
}
