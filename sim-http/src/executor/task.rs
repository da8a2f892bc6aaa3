//! A task: a future, and whether it is ready to be polled.

use std::future::Future;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake, Waker};

use parking_lot::Mutex;

use super::Shared;

/// The task waits to be woken.
const WAITS: u8 = 0;
/// The task is in the queue.
const READY: u8 = 1;
/// A thread polls the task.
const POLLED: u8 = 2;
/// A thread polls the task, and the task was woken meanwhile.
const WOKEN: u8 = 3;

pub(super) type BoxFuture = Pin<Box<dyn Future<Output = ()> + Send>>;

pub(super) struct Task {
    number: u64,
    status: AtomicU8,
    /// `None` when it is done.
    future: Mutex<Option<BoxFuture>>,
    executor: Weak<Shared>,
}

impl Task {
    /// A task that is about to be put into the queue.
    pub(super) fn new(number: u64, future: BoxFuture, executor: &Arc<Shared>) -> Arc<Task> {
        Arc::new(Task {
            number,
            status: AtomicU8::new(READY),
            future: Mutex::new(Some(future)),
            executor: Arc::downgrade(executor),
        })
    }

    pub(super) fn number(&self) -> u64 {
        self.number
    }

    /// Polls the future once. A panic is reported by the panic hook and ends only this task.
    pub(super) fn poll(self: Arc<Task>, executor: &Arc<Shared>) {
        self.status.swap(POLLED, Ordering::SeqCst);
        let waker = Waker::from(Arc::clone(&self));
        let mut future = self.future.lock();
        let Some(polled) = future.as_mut() else { return };
        // Unwind safe: a future that panicked is dropped.
        let poll = || polled.as_mut().poll(&mut Context::from_waker(&waker));
        let is_done = !matches!(catch_unwind(AssertUnwindSafe(poll)), Ok(Poll::Pending));
        let done = if is_done { future.take() } else { None };
        drop(future);
        if is_done {
            executor.state.lock().tasks.remove(&self.number);
            // A panic in a destructor is handled like a panic in a poll.
            let _ = catch_unwind(AssertUnwindSafe(|| drop(done)));
            return;
        }
        if executor.is_stopped() {
            return self.drop_future();
        }
        let waits = self.status.compare_exchange(POLLED, WAITS, Ordering::SeqCst, Ordering::SeqCst);
        if waits.is_err() {
            self.status.store(READY, Ordering::SeqCst);
            executor.push(self);
        }
    }

    /// Drops the future. If a thread polls it, that thread drops it afterwards.
    pub(super) fn drop_future(&self) {
        let future = self.future.try_lock().and_then(|mut future| future.take());
        let _ = catch_unwind(AssertUnwindSafe(|| drop(future)));
    }
}

impl Wake for Task {
    fn wake(self: Arc<Task>) {
        // The status is written in any case, so that the next poll sees everything that happened before the wake.
        let woken = |status| Some(if status == WAITS || status == READY { READY } else { WOKEN });
        let before = self.status.fetch_update(Ordering::SeqCst, Ordering::SeqCst, woken);
        if before == Ok(WAITS)
            && let Some(executor) = self.executor.upgrade()
        {
            executor.push(self);
        }
    }
}
