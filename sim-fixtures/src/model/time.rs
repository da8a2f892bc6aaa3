//! Advances time: scheduled work is done when it is due.

use std::time::Duration;

use sim_core::Timestamp;

use super::Model;
use crate::strategies::Text;

pub(super) const MINUTE: Duration = Duration::from_secs(60);

/// Scheduled events and their times.
#[derive(Clone, Debug, Default)]
pub(super) struct Agenda(Vec<(Timestamp, Event)>);

/// What can happen without a call.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Event {
    /// A project changes its status, and perhaps its version, its size or its content.
    Turn {
        project: usize,
        status: Text,
        version: Option<usize>,
        size: Option<String>,
        /// The timestamp to which its database is restored.
        back_to: Option<Timestamp>,
        /// The restore point to which it is restored.
        point: Option<usize>,
    },
    /// A service of a project is up, unless its start was ended or replaced.
    Rise { project: usize, service: Text, up_at: Timestamp },
    /// Somebody looks whether a project is idle.
    Idle { project: usize },
    /// A restore point is completed.
    Point { point: usize },
    /// A removed project is gone.
    Forget { project: usize },
    /// A branch takes a step.
    Branch { branch: usize, step: Text },
    /// A branch is deleted, as scheduled earlier.
    RemoveBranch { branch: usize },
    /// The records of a custom hostname are checked.
    Verify { hostname: usize },
    /// Its certificate is issued, or not.
    Certify { hostname: usize, fails: bool },
}

impl Agenda {
    pub(super) fn add(&mut self, at: Timestamp, event: Event) {
        let place = self.0.iter().position(|(other, _)| *other > at).unwrap_or(self.0.len());
        self.0.insert(place, (at, event));
    }

    pub(super) fn cancel(&mut self, is_moot: impl Fn(&Event) -> bool) {
        self.0.retain(|(_, event)| !is_moot(event));
    }

    pub(super) fn has(&self, is_meant: impl Fn(&Event) -> bool) -> bool {
        self.0.iter().any(|(_, event)| is_meant(event))
    }
}

impl Model {
    /// How long until something happens or ends: the next event first.
    pub(crate) fn deadlines(&self) -> Vec<Duration> {
        let events = self.agenda.0.first().map(|(at, _)| *at).into_iter();
        let all = events
            .chain(self.ends_of_bans())
            .chain(self.ends_of_replicas())
            .chain(self.ends_of_steps())
            .chain(self.ends_of_programs())
            .chain(self.ends_of_grants());
        all.filter(|at| *at >= self.now).map(|at| since(self.now, at)).collect()
    }

    pub(super) fn after(&mut self, wait: Duration, event: Event) {
        self.agenda.add(later(self.now, wait), event);
    }

    pub(super) fn wait(&mut self, length: Duration) {
        let end = later(self.now, length);
        while self.agenda.0.first().is_some_and(|(at, _)| *at <= end) {
            let (at, event) = self.agenda.0.remove(0);
            self.pass_to(at);
            self.happen(event);
            self.settle();
        }
        self.pass_to(end);
        self.settle();
    }

    /// Nothing but backups happens until `at`.
    fn pass_to(&mut self, at: Timestamp) {
        self.make_backups(at);
        self.now = at;
    }

    fn happen(&mut self, event: Event) {
        match event {
            Event::Turn { project, status, version, size, back_to, point } => {
                let found = &mut self.projects[project];
                found.version = version.unwrap_or(found.version);
                found.size = size.unwrap_or_else(|| found.size.clone());
                if let Some(instant) = back_to.filter(|_| status == "ACTIVE_HEALTHY") {
                    found.notes.go_back(self.now, instant);
                    found.migrations.go_back(self.now, instant);
                }
                if let Some(point) = point.filter(|_| status == "ACTIVE_HEALTHY") {
                    self.go_back_to_point(point);
                }
                self.turn(project, status);
            }
            Event::Rise { project, service, up_at } => {
                let rising = &mut self.projects[project].rising;
                if rising.get(service) == Some(&up_at) {
                    rising.remove(service);
                }
            }
            Event::Idle { project } => self.look_whether_idle(project),
            Event::Point { point } => self.finish_point(point),
            Event::Forget { project } => self.forget(project),
            Event::Branch { branch, step } => self.step_branch(branch, step),
            Event::RemoveBranch { branch } => self.remove_branch(branch),
            Event::Verify { hostname } => self.verify_hostname(hostname),
            Event::Certify { hostname, fails } => self.certify_hostname(hostname, fails),
        }
    }
}

pub(super) fn later(at: Timestamp, by: Duration) -> Timestamp {
    at.checked_add(by).expect("histories are shorter than the calendar")
}

pub(super) fn since(start: Timestamp, end: Timestamp) -> Duration {
    end.duration_since(start).try_into().expect("the end is in the future")
}

/// Whole seconds from `now` to `end`, rounded up.
pub(super) fn seconds(now: Timestamp, end: Timestamp) -> u64 {
    since(now, end).as_micros().div_ceil(1_000_000) as u64
}
