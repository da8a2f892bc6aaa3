//! How long the call of a world takes, and what ends it.

use std::time::{Duration, Instant};

use parking_lot::Mutex;
use sim_core::Interrupt;

/// The running call of one world.
#[derive(Default)]
pub(crate) struct CallWatch {
    interrupt: Interrupt,
    begun: Mutex<Option<Instant>>,
}

impl CallWatch {
    /// The interrupt that the world's simulator looks at.
    pub(crate) fn interrupt(&self) -> Interrupt {
        self.interrupt.clone()
    }

    /// Begins a call, which ends when the guard is dropped. A world runs one call at a time.
    pub(crate) fn begin(&self) -> Watched<'_> {
        *self.begun.lock() = Some(Instant::now());
        Watched(self)
    }

    /// Ends the running call if it has taken `limit` or longer.
    pub(crate) fn end_after(&self, limit: Duration) {
        // The lock is held until the interrupt is set, so that it can't end a later call.
        let begun = self.begun.lock();
        if begun.is_some_and(|begun| begun.elapsed() >= limit) {
            self.interrupt.set();
        }
    }
}

/// A running call.
pub(crate) struct Watched<'w>(&'w CallWatch);

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        let mut begun = self.0.begun.lock();
        *begun = None;
        self.0.interrupt.clear();
    }
}

/// How often to look for calls over `limit`: they end at most a quarter later.
pub(crate) fn look_time(limit: Duration) -> Duration {
    (limit / 4).clamp(Duration::from_millis(1), Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_over_the_limit_is_ended_and_the_next_one_is_not() {
        let watch = CallWatch::default();
        let call = watch.begin();
        watch.end_after(Duration::MAX);
        assert!(!watch.interrupt().is_set(), "it is below the limit");
        watch.end_after(Duration::ZERO);
        assert!(watch.interrupt().is_set());
        drop(call);
        watch.end_after(Duration::ZERO);
        assert!(!watch.interrupt().is_set(), "none is under way");
        drop(watch.begin());
        assert!(!watch.interrupt().is_set());
    }
}
