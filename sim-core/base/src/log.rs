//! Things one after the other, numbered from 1, as far back as they are kept: calls, and work that was done.
//!
//! Such a list grows with every call, even one that only looks, so it is no table: worlds share it as they share pages, and
//! a fork copies a pointer.

use super::store::{Retired, Tree};

/// Things between two prunings: as many are kept as the policy says, and at most this many more.
const PRUNE_EVERY: u64 = 64;

/// More than any world has.
pub const COUNTED: u64 = 1 << 48;

/// Things freed at a time, of lists that nobody wants any more.
const FREED: usize = 16;

/// A list whose first things may have been dropped.
pub struct Log<T> {
    things: Tree<T>,
    /// How many there were.
    count: u64,
    /// How many of them were dropped: the first ones.
    dropped: u64,
}

impl<T> Log<T> {
    /// One of which the first `dropped` are gone, and to which nothing was added since.
    pub fn after(dropped: u64) -> Log<T> {
        Log { count: dropped, dropped, ..Log::default() }
    }

    /// Adds the next, and from time to time drops what is more than `keep`, of each of which `leaves` is told.
    pub fn add(&mut self, thing: T, keep: u64, leaves: impl FnMut(&T)) {
        self.count += 1;
        self.things.set(self.count as usize, thing);
        if self.count.is_multiple_of(PRUNE_EVERY) && self.count > keep {
            self.drop_until(self.count - keep, leaves);
        }
    }

    fn drop_until(&mut self, last: u64, leaves: impl FnMut(&T)) {
        let leaving = (self.dropped + 1..=last).filter_map(|number| self.get(number));
        leaving.for_each(leaves);
        self.things.forget_below(last as usize + 1);
        self.dropped = last;
    }

    pub fn get(&self, number: u64) -> Option<&T> {
        self.things.get(number as usize).map(|thing| &**thing)
    }

    pub fn last(&self) -> Option<&T> {
        self.get(self.count)
    }

    /// What it holds from number `from` on, each with its number.
    pub fn numbered(&self, from: u64) -> impl Iterator<Item = (u64, &T)> {
        let numbers = from.max(self.dropped + 1)..=self.count;
        numbers.filter_map(|number| Some((number, self.get(number)?)))
    }

    /// How many there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many it no longer holds.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// What stands in another place than in `before`, or was not there, by number.
    pub fn others_than(&self, before: &Log<T>) -> Vec<(u64, &T)> {
        let mut others = Vec::new();
        self.things.differences(&before.things, &mut |number, thing| {
            others.extend(thing.map(|thing| (number as u64, &**thing)));
        });
        others
    }

    /// Becomes a list of so many, of which these are others than before.
    pub fn go_on(&mut self, (dropped, count): (u64, u64), others: impl IntoIterator<Item = (u64, T)>) {
        (self.dropped, self.count) = (dropped, count);
        self.things.truncate(count as usize + 1);
        others.into_iter().for_each(|(number, thing)| self.things.set(number as usize, thing));
        self.things.forget_below(dropped as usize + 1);
    }
}

// Derived, these would ask the same of `T`.
impl<T> Clone for Log<T> {
    fn clone(&self) -> Log<T> {
        Log { things: self.things.clone(), ..*self }
    }
}

impl<T> Default for Log<T> {
    fn default() -> Log<T> {
        Log { things: Tree::default(), count: 0, dropped: 0 }
    }
}

/// Lists that were given up, freed a little at a time: freeing one at once takes as long as it has things.
pub struct OldLogs<T>(Retired<T>);

impl<T> OldLogs<T> {
    pub fn add(&mut self, log: Log<T>) {
        self.0.add(log.things);
    }

    pub fn free_some(&mut self) {
        self.0.free(FREED);
    }
}

impl<T> Default for OldLogs<T> {
    fn default() -> OldLogs<T> {
        OldLogs(Retired::default())
    }
}
