//! What a thread does, and the watchman.

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

/// How many looks without any task it takes until the watchman sleeps.
const QUIET_MAX: u32 = 50;

/// How many tasks are polled before a thread looks at the reactor, though more are ready.
const POLLED_MAX: u32 = 64;

/// A wait for the reactor that ends so soon was none: the event was there already.
const AT_ONCE: Duration = Duration::from_micros(3);

/// For how many waits such an event counts.
const PRESSURE: u32 = 16;

thread_local! {
    /// The address of the executor that this thread works for, and what it does; 0 for other threads.
    static PRESENT: Cell<(usize, Work)> = const { Cell::new((0, Work::None)) };
}

/// What a thread does for an executor.
#[derive(Clone, Copy)]
pub(super) enum Work {
    None,
    /// It polls a task.
    Polls,
    /// It waits for the reactor, and looks for tasks right after.
    Waits,
}

/// What the present thread does for `executor`.
pub(super) fn is_of(executor: &Arc<Shared>) -> Work {
    let (address, work) = PRESENT.get();
    if address == Arc::as_ptr(executor).addr() { work } else { Work::None }
}

/// What a thread does next.
enum Next {
    Poll(Arc<Task>),
    /// Waits for the reactor.
    Wait,
    /// Looks at the reactor, because the queue has not been empty for a while.
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

    /// Notes which threads are late; whether any polled a task since the last look.
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
    /// Works until the executor stops, or this thread is not needed any longer.
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
                    let worker = state.workers.get_mut(&number).expect("it is there until it ends");
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
            // It holds the lock until it waits.
            drop(self.state.lock());
            self.watch.notify_one();
        }
        task.poll(self);
        polls.fetch_add(1, Ordering::SeqCst);
    }

    /// Lets the reactor deliver its events; with `wait`, until there are some. `last` is the task that was polled before.
    fn drive(&self, state: &mut MutexGuard<'_, State>, last: u64, wait: bool) {
        state.is_driven = true;
        let (address, work) = PRESENT.get();
        PRESENT.set((address, Work::Waits));
        let began = Instant::now();
        MutexGuard::unlocked(state, || self.reactor.wait((!wait).then_some(Duration::ZERO)));
        PRESENT.set((address, work));
        let at_once = wait && began.elapsed() < AT_ONCE;
        // A single client that is fast needs no second thread.
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

    /// Looks after the threads until the executor stops.
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
