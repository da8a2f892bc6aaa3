//! Worlds that share a past: fork, snapshot, restore.

use std::mem;
use std::sync::Arc;

use sim_base::history::History;
use sim_base::last_caller::LastCaller;
use sim_base::log::OldLogs;
use sim_base::rate::Windows;
use sim_base::store::Snapshot as Pages;

use super::Simulator;
use super::beside::Beside;
use super::read_cache::ReadCache;
use crate::engine::fault::Past;
use crate::engine::journal::Journal;
use crate::engine::pipeline::Head;
use crate::engine::service::setup::Setup;

/// A world as it was at one moment. Its cost depends on what has changed since, not on the size of the world.
#[derive(Clone)]
pub struct Snapshot {
    pub(super) pages: Pages,
    pub(super) head: Head,
    pub(super) journal: Journal,
    pub(super) history: History,
    pub(super) windows: Windows,
    past: Past,
    pub(super) setup: Arc<Setup>,
    pub(super) beside: Option<Box<Snapshot>>,
}

impl Simulator {
    /// A copy of this world that changes independently from now on. Its cost does not grow with the size of the
    /// world.
    pub fn fork(&self) -> Simulator {
        Simulator {
            registry: self.registry,
            store: self.store.fork(),
            head: self.head,
            journal: self.journal.clone(),
            history: self.history.clone(),
            windows: self.windows.clone(),
            old_journals: OldLogs::default(),
            old_histories: OldLogs::default(),
            past: self.past.clone(),
            is_replaying: self.is_replaying,
            last_caller: LastCaller::default(),
            read_cache: ReadCache::default(),
            setup: self.setup.clone(),
            beside: self
                .beside
                .as_deref()
                .map(|beside| Box::new(Beside { sim: beside.sim.fork(), listener: beside.listener })),
        }
    }

    /// Takes a snapshot of this world as it is now.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot {
            pages: self.store.snapshot(),
            head: self.head,
            journal: self.journal.clone(),
            history: self.history.clone(),
            windows: self.windows.clone(),
            past: self.past.clone(),
            setup: self.setup.clone(),
            beside: self.beside().map(|other| Box::new(other.snapshot())),
        }
    }

    /// Restores this world to `snapshot`, clock and journal included. What interrupts its calls stays the same.
    pub fn restore(&mut self, snapshot: &Snapshot) {
        self.store.restore(&snapshot.pages);
        self.head = snapshot.head;
        self.old_journals.add(mem::replace(&mut self.journal, snapshot.journal.clone()).into_records());
        self.old_histories.add(mem::replace(&mut self.history, snapshot.history.clone()));
        self.windows = snapshot.windows.clone();
        self.past = snapshot.past.clone();
        let interrupt = &self.setup.interrupt;
        self.setup = match interrupt.is_same(&snapshot.setup.interrupt) {
            true => snapshot.setup.clone(),
            false => Arc::new(Setup { interrupt: interrupt.clone(), ..Setup::clone(&snapshot.setup) }),
        };
        if let (Some(beside), Some(snapshot)) = (&mut self.beside, &snapshot.beside) {
            beside.sim.restore(snapshot);
        }
    }
}
