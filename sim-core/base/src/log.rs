//! Numbered lists of calls and of finished work. Numbers start at 1, and old entries are dropped.
//!
//! Such a list grows with every call, even a read, so it is no table. Worlds share it as they share pages, and a fork
//! copies a pointer.

use super::store::{Retired, Tree};

/// Entries between two prunings. A list keeps as many entries as the policy says, and at most this many more.
const PRUNE_EVERY: u64 = 64;

/// More entries than any world has.
pub const COUNTED: u64 = 1 << 48;

/// Entries freed at a time, of lists that are no longer used.
const FREED: usize = 16;

/// A numbered list whose first entries may have been dropped.
pub struct Log<T> {
    things: Tree<T>,
    /// How many entries there were, dropped ones included.
    count: u64,
    /// How many entries were dropped. They are the first ones.
    dropped: u64,
}

impl<T> Log<T> {
    /// A list whose first `dropped` entries are gone, and to which nothing was added since.
    pub fn after(dropped: u64) -> Log<T> {
        Log { count: dropped, dropped, ..Log::default() }
    }

    /// Adds an entry. From time to time drops all but the last `keep` entries, and calls `leaves` with each dropped
    /// one.
    pub fn add(&mut self, thing: T, keep: u64, leaves: impl FnMut(&T)) {
        self.count += 1;
        self.things.set(self.count as usize, thing);
        if self.count.is_multiple_of(PRUNE_EVERY) && self.count > keep {
            self.drop_until(self.count - keep, leaves);
        }
    }

    /// Drops the entries up to number `last`, and calls `leaves` with each of them.
    pub fn drop_until(&mut self, last: u64, leaves: impl FnMut(&T)) {
        let leaving = (self.dropped + 1..=last).filter_map(|number| self.get(number));
        leaving.for_each(leaves);
        self.things.forget_below(last as usize + 1);
        self.dropped = last;
    }

    /// The entry with this number, if the list holds it.
    pub fn get(&self, number: u64) -> Option<&T> {
        self.things.get(number as usize).map(|thing| &**thing)
    }

    /// The last entry, if the list holds it.
    pub fn last(&self) -> Option<&T> {
        self.get(self.count)
    }

    /// The entries from number `from` on, each with its number.
    pub fn numbered(&self, from: u64) -> impl Iterator<Item = (u64, &T)> {
        let numbers = from.max(self.dropped + 1)..=self.count;
        numbers.filter_map(|number| Some((number, self.get(number)?)))
    }

    /// How many entries there were, dropped ones included.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// How many entries were dropped.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// The entries that are new or different since `before`, each with its number.
    pub fn others_than(&self, before: &Log<T>) -> Vec<(u64, &T)> {
        let mut others = Vec::new();
        self.things.differences(&before.things, &mut |number, thing| {
            others.extend(thing.map(|thing| (number as u64, &**thing)));
        });
        others
    }

    /// Becomes a list of `count` entries, of which the first `dropped` are dropped. `others` are the new or different
    /// entries.
    pub fn go_on(&mut self, (dropped, count): (u64, u64), others: impl IntoIterator<Item = (u64, T)>) {
        (self.dropped, self.count) = (dropped, count);
        self.things.truncate(count as usize + 1);
        others.into_iter().for_each(|(number, thing)| self.things.set(number as usize, thing));
        self.things.forget_below(dropped as usize + 1);
    }
}

// Derived, these would require the same trait of `T`.
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

/// Lists that are no longer used. They are freed a little at a time, because freeing a list at once takes as long as it
/// has entries.
pub struct OldLogs<T>(Retired<T>);

impl<T> OldLogs<T> {
    /// Adds a list to free.
    pub fn add(&mut self, log: Log<T>) {
        self.0.add(log.things);
    }

    /// Frees a few entries.
    pub fn free_some(&mut self) {
        self.0.free(FREED);
    }
}

impl<T> Default for OldLogs<T> {
    fn default() -> OldLogs<T> {
        OldLogs(Retired::default())
    }
}
