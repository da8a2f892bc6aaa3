//! The embedder's guard on a world. A test that holds it over an `.await` of a call to that world would wait for ever.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use parking_lot::Mutex;
use sim_core::{Error, Kind};
use tokio::sync::Notify;

/// How long a call waits for a world that a guard holds.
const HELD_MAX: Duration = Duration::from_secs(5);

const ADVICE: &str = "use `with(|sim| …)`, or drop the guard of `sim()` before the next `.await`";

/// Knows which thread holds the world by a guard.
#[derive(Default)]
pub(super) struct Holder {
    hold: Mutex<Option<Hold>>,
    /// How many guards there were.
    guards: AtomicU64,
    too_long: Notify,
}

#[derive(Clone, Copy)]
struct Hold {
    thread: ThreadId,
    guard: u64,
    /// Whether a thread waits for its end, because a call does.
    is_watched: bool,
    is_too_long: bool,
}

impl Holder {
    pub(super) fn begin(&self) {
        let thread = thread::current().id();
        let guard = self.guards.fetch_add(1, Ordering::Relaxed);
        *self.hold.lock() = Some(Hold { thread, guard, is_watched: false, is_too_long: false });
    }

    pub(super) fn end(&self) {
        *self.hold.lock() = None;
    }

    /// # Panics
    ///
    /// When this thread holds the world: a call on it would wait for itself.
    pub(super) fn check_thread(&self) {
        let held_here = self.hold.lock().is_some_and(|hold| hold.thread == thread::current().id());
        assert!(
            !held_here,
            "this thread holds the world by `sim()`, so its call would wait for ever; {ADVICE}"
        );
    }

    /// Ends with a refusal when a guard holds the world for too long.
    pub(super) async fn is_held_too_long(self: &Arc<Holder>) -> Error {
        let mut told = std::pin::pin!(self.too_long.notified());
        told.as_mut().enable();
        if !self.watch() {
            told.await;
        }
        let text = format!(
            "the program holds this world by `Server::sim()` for more than {} seconds, so this call can't be answered; \
             {ADVICE}",
            HELD_MAX.as_secs()
        );
        Error::new(Kind::Unavailable, "world_held", text)
    }

    /// Starts a thread that waits for the end of the present guard, unless there is one. Whether it is held too long already.
    fn watch(self: &Arc<Holder>) -> bool {
        let mut hold = self.hold.lock();
        let Some(hold) = hold.as_mut() else { return false };
        if !hold.is_watched {
            hold.is_watched = true;
            let this = Arc::clone(self);
            let guard = hold.guard;
            thread::spawn(move || this.watch_guard(guard));
        }
        hold.is_too_long
    }

    fn watch_guard(&self, guard: u64) {
        thread::sleep(HELD_MAX);
        if let Some(hold) = self.hold.lock().as_mut().filter(|hold| hold.guard == guard) {
            hold.is_too_long = true;
            self.too_long.notify_waiters();
        }
    }
}
