//! In every second theme, the services of a project come up after it, each in its own time, and idle projects on the free
//! plan are paused.

use std::time::Duration;

use sim_core::Policy;
use sim_core::engine::ServiceDurations;

use super::time::{Event, later};
use super::{Model, Start};
use crate::strategies::Text;

/// Services that take a while, and how many seconds.
const SERVICES: [(Text, u64); 3] = [("auth", 30), ("db", 4), ("storage", 9)];
const IDLE_DAYS: u32 = 1;
const IDLE: Duration = Duration::from_secs(24 * 3600);

impl Start {
    /// Whether services come up one by one, and idle projects are paused.
    pub(super) fn is_slow(self) -> bool {
        self.theme % 2 == 1
    }

    /// `policy`, in which that is so or not.
    pub(super) fn slowed(self, mut policy: Policy) -> Policy {
        if self.is_slow() {
            policy.durations.services =
                ServiceDurations { auth_ms: 30_000, db_ms: 4_000, storage_ms: 9_000, ..Default::default() };
            policy.idle_pause_days = Some(IDLE_DAYS);
        }
        policy
    }
}

impl Model {
    /// The project has become active: its services start, and it is watched.
    pub(super) fn begin_slowly(&mut self, project: usize) {
        if !self.start.is_slow() {
            return;
        }
        for (service, seconds) in SERVICES {
            let wait = Duration::from_secs(seconds);
            let up_at = later(self.now, wait);
            self.projects[project].rising.insert(service, up_at);
            self.after(wait, Event::Rise { project, service, up_at });
        }
        self.note_use(project);
        self.agenda.cancel(|event| *event == Event::Idle { project });
        self.after(IDLE, Event::Idle { project });
    }

    /// Somebody does something with the project.
    pub(super) fn note_use(&mut self, project: usize) {
        self.projects[project].used_at = self.now;
    }

    /// A project that was not used for so long is paused, if its plan is free; otherwise it is looked at later.
    pub(super) fn look_whether_idle(&mut self, project: usize) {
        let found = &self.projects[project];
        if !found.is_active() {
            return;
        }
        let idle_at = later(found.used_at, IDLE);
        if idle_at <= self.now && self.organizations[found.organization].plan == "free" {
            self.begin_pause(project);
            return;
        }
        let next = if idle_at > self.now { idle_at } else { later(self.now, IDLE) };
        self.agenda.add(next, Event::Idle { project });
    }
}
