//! Keeps the state of the world after each of the last calls, for stale reads.

use std::collections::VecDeque;

use sim_base::store::{Snapshot, Store};

/// The state of the world after each of the last calls, oldest first. Empty if no rule needs it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    after: VecDeque<Snapshot>,
}

impl Past {
    /// Adds the current state, and drops states from more than `calls` calls ago.
    pub(crate) fn keep(&mut self, calls: u32, now: impl FnOnce() -> Snapshot) {
        if calls == 0 {
            self.after.clear();
            return;
        }
        self.after.push_back(now());
        while self.after.len() > calls as usize + 1 {
            self.after.pop_front();
        }
    }

    /// The state before the last `calls` calls, or the oldest state held if that one is not.
    pub(crate) fn before(&self, calls: u32) -> Option<Store> {
        let place = self.after.len().checked_sub(1)?.saturating_sub(calls as usize);
        self.after.get(place).map(Snapshot::open)
    }
}
