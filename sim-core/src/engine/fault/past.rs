//! The world as it was after each of the last calls, for reads that are to be stale.

use std::collections::VecDeque;

use sim_base::store::{Snapshot, Store};

/// The world as it was after each of the last calls, the oldest first. Empty where no rule asks for it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Past {
    after: VecDeque<Snapshot>,
}

impl Past {
    /// Adds the world as it is by now, and forgets what is further back than so many calls.
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

    /// The world before the last so many calls, or as near to it as is known.
    pub(crate) fn before(&self, calls: u32) -> Option<Store> {
        let place = self.after.len().checked_sub(1)?.saturating_sub(calls as usize);
        self.after.get(place).map(Snapshot::open)
    }
}
