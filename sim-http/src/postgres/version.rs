//! Versions of databases as values: each is a copy on the server, or the previous version and the call that
//! made the difference.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use sim_core::Timestamp;
use sim_core::engine::{SqlCall, Version};

use super::pool::Pool;

/// A version of a database.
pub(super) struct Node {
    pub(super) number: u64,
    /// The cost to get here from a copy: the sum of the calls' weights.
    pub(super) weight: u32,
    /// In bytes.
    pub(super) size: u64,
    past: Past,
    pool: Arc<Pool>,
}

/// How to get a version.
pub(super) enum Past {
    /// As a copy of this database.
    Copy(Name),
    /// From the previous version, by a call; without a call it is the same content in a private database.
    After(Arc<Node>, Option<Logged>),
    /// It is about to be dropped.
    Gone,
}

/// A call that changed something, and everything that its result depends on.
#[derive(Clone, Debug)]
pub(super) struct Logged {
    pub(super) text: String,
    pub(super) now: Timestamp,
    pub(super) seed: [u8; 32],
    pub(super) read_only: bool,
    /// One; more for a slow call.
    pub(super) weight: u32,
}

impl Logged {
    pub(super) fn of(call: &SqlCall<'_>) -> Logged {
        let SqlCall { text, now, seed, read_only, .. } = *call;
        Logged { text: text.to_owned(), now, seed, read_only, weight: 1 }
    }
}

/// The name of a database on the server; the database is dropped some time after its name.
pub(super) struct Name {
    text: String,
    garbage: Arc<Garbage>,
}

/// Names of unused databases.
pub(super) type Garbage = Mutex<Vec<String>>;

impl Name {
    pub(super) fn new(text: String, garbage: &Arc<Garbage>) -> Name {
        Name { text, garbage: Arc::clone(garbage) }
    }

    pub(super) fn as_str(&self) -> &str {
        &self.text
    }
}

impl Drop for Name {
    fn drop(&mut self) {
        self.garbage.lock().push(std::mem::take(&mut self.text));
    }
}

impl Node {
    pub(super) fn new(pool: &Arc<Pool>, past: Past, size: u64) -> Node {
        static NUMBERS: AtomicU64 = AtomicU64::new(0);
        let weight = match &past {
            Past::Copy(_) | Past::Gone => 0,
            Past::After(before, call) => before.weight + call.as_ref().map_or(0, |call| call.weight),
        };
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        Node { number, past, weight, size, pool: Arc::clone(pool) }
    }

    /// The version's own node.
    pub(super) fn of(version: &Version) -> Arc<Node> {
        let node = Arc::clone(&version.0).downcast::<Node>();
        node.unwrap_or_else(|_| panic!("a version goes back to the server that it is from"))
    }

    /// The database to copy, and the calls to repeat on the copy, the last one first.
    pub(super) fn recipe(&self) -> (&Name, Vec<&Logged>) {
        let (mut node, mut calls) = (self, Vec::new());
        loop {
            match &node.past {
                Past::Copy(name) => return (name, calls),
                Past::After(before, call) => {
                    calls.extend(call);
                    node = before;
                }
                Past::Gone => unreachable!("a version that is asked for is held"),
            }
        }
    }

    fn let_go(&mut self) -> Option<Arc<Node>> {
        match std::mem::replace(&mut self.past, Past::Gone) {
            Past::After(before, _) => Some(before),
            Past::Copy(_) | Past::Gone => None,
        }
    }
}

impl Drop for Node {
    fn drop(&mut self) {
        self.pool.forget(self.number);
        // In a loop: a chain of versions may be too long for recursion.
        let mut before = self.let_go();
        while let Some(mut node) = before.and_then(Arc::into_inner) {
            before = node.let_go();
        }
    }
}
