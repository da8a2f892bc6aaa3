//! Advancing the clock: to a time, by one step, or automatically for clients that poll. Scheduled work is done
//! when it falls due.

use std::time::Duration;

use sim_base::cx::Cx;
use sim_base::ends;
use sim_base::error::Error;
use sim_base::history::Happened;
use sim_base::identity::Caller;
use sim_base::jobs::{self, Due, Taken};
use sim_base::operation::to_bytes;
use sim_base::policy::Policy;
use sim_base::rate::Counter;
use sim_base::request::Sent;
use sim_base::store::Inside;
use sim_base::time::{Pace, Timestamp, later, whole_micros};

use super::Simulator;
use crate::engine::journal::cut::Bounds;
use crate::engine::journal::{Origin, Record, Texts};
use crate::engine::pipeline::{self, Credentials};

/// The most pieces of work in one transaction. A longer transaction keeps every page that it changes in SQLite's
/// cache, which is then slow.
const AT_ONCE: usize = 256;

/// The most pieces of work that an advance returns. It may do a million of them.
const RETURNED: usize = 10_000;

/// The journal's method for a [`step`](Simulator::step).
pub(crate) const STEP: &str = "STEP";

impl Simulator {
    /// Advances the clock by `by`. Does all work that falls due, each piece at its own time, and returns it. With
    /// manual pace no work is done.
    ///
    /// Returns the last 10,000 pieces where there were more. [`work_done`](Simulator::work_done) counts all of them.
    pub fn advance(&mut self, by: Duration) -> Vec<Happened> {
        self.advance_to(later(self.head.now, by))
    }

    /// Advances the clock to a time, as [`advance`](Simulator::advance) does. A time in the past changes
    /// nothing.
    pub fn advance_to(&mut self, until: Timestamp) -> Vec<Happened> {
        let mut happened = self.advance_itself_to(until);
        if let Some(beside) = &mut self.beside {
            happened.extend(beside.sim.advance_to(until));
            happened.sort_by_key(|one| one.at);
        }
        happened
    }

    fn advance_itself_to(&mut self, until: Timestamp) -> Vec<Happened> {
        let until = whole_micros(until);
        if until <= self.head.now {
            return Vec::new();
        }
        let mut happened = Vec::new();
        while self.has_due(until) {
            self.do_some(until, &mut happened);
            if happened.len() >= 2 * RETURNED {
                happened.drain(..happened.len() - RETURNED);
            }
        }
        happened.drain(..happened.len().saturating_sub(RETURNED));
        self.head.now = until;
        happened
    }

    /// Whether this service has work that is due by then. Never with manual pace.
    fn has_due(&self, until: Timestamp) -> bool {
        self.setup.policy.pace != Pace::Manual && self.next_due_of_itself().is_some_and(|due| due <= until)
    }

    fn do_some(&mut self, until: Timestamp, happened: &mut Vec<Happened>) {
        let (setup, tasks, calls) = (&self.setup, self.registry.tasks(), self.journal.calls());
        let counter = Counter::of(&self.windows);
        let work = |inside: Inside<'_>| {
            let (taken, mut some) = (Taken::default(), Vec::new());
            let cx = setup.cx(inside, until, &Caller::Control, calls);
            let mut cx = Cx { counter: Some(&counter), taken: Some(&taken), ..cx };
            while some.len() < AT_ONCE
                && let Some(job) = jobs::take(&cx, &taken, until, AT_ONCE - some.len())
            {
                (cx.now, cx.call) = (job.due, job.caused_by_call);
                some.push(jobs::perform(&mut cx, tasks, job));
            }
            Ok::<_, Error>(some)
        };
        let some = self.store.transact(work).expect("background work does not refuse");
        self.count(counter.into_changes());
        happened.extend_from_slice(&some);
        self.remember_work(some);
    }

    /// Advances the clock to the first time of the [agenda](Simulator::agenda) and does the work that is due then.
    /// `None` when the agenda is empty.
    pub fn advance_to_next(&mut self) -> Option<Vec<Happened>> {
        let next = self.next_change()?;
        Some(self.advance_to_one(next))
    }

    /// Advances the clock to the next piece of work and does it. Unlike [`advance_to_next`](Simulator::advance_to_next) it
    /// does not look for what ends by itself, which takes longer the more projects there are.
    #[cfg(feature = "management")]
    pub(crate) fn advance_to_work(&mut self) -> Option<Vec<Happened>> {
        let next = self.next_due()?;
        Some(self.advance_to_one(next))
    }

    /// Advances the clock to `next`, one of the times of the agenda.
    fn advance_to_one(&mut self, next: Timestamp) -> Vec<Happened> {
        if self.setup.policy.pace == Pace::Manual && self.next_due().is_some_and(|due| due <= next) {
            return self.step().into_iter().collect();
        }
        self.advance_to(next)
    }

    /// Does the next piece of scheduled work, whatever the pace. If it is not yet due, the clock moves to its due
    /// time. Returns `None` when nothing is scheduled.
    ///
    /// A step has its own row in the journal, because a replay could not derive it from the times of other calls.
    pub fn step(&mut self) -> Option<Happened> {
        let own = self.next_due_of_itself();
        match &mut self.beside {
            Some(beside) if beside.sim.next_due().is_some_and(|due| own.is_none_or(|own| due < own)) => {
                let happened = beside.sim.step();
                let now = beside.sim.now();
                self.advance_itself_to(now);
                happened
            }
            _ => {
                let happened = self.step_itself();
                let now = self.head.now;
                if let Some(beside) = &mut self.beside {
                    beside.sim.advance_to(now);
                }
                happened
            }
        }
    }

    fn step_itself(&mut self) -> Option<Happened> {
        let (setup, tasks, head) = (self.setup.clone(), self.registry.tasks(), self.head);
        let beside = self.beside().map(Simulator::calls);
        let call = self.journal.calls() + 1;
        let counter = Counter::of(&self.windows);
        let work = |inside: Inside<'_>| {
            let mut cx = Cx { counter: Some(&counter), ..setup.cx(inside, head.now, &Caller::Control, call) };
            let job = jobs::take(&cx, &Taken::default(), Timestamp::MAX, 1)?;
            (cx.now, cx.call) = (head.now.max(job.due), job.caused_by_call);
            Some((jobs::perform(&mut cx, tasks, job), cx.now))
        };
        let (happened, now) = self.store.transact(|inside| work(inside).ok_or(())).ok()?;
        self.count(counter.into_changes());
        self.remember_work(vec![happened.clone()]);
        let record = Record {
            at: head.now,
            operation: None,
            method: STEP.into(),
            texts: Texts::new("", &[], &to_bytes(&happened)),
            caller: Origin::Control,
            headers: None,
            role: None,
            state: None,
            status: 200,
            refusal: None,
            ignored: None,
            fault: None,
            beside,
            hash: 0,
        };
        let bounds = Bounds::of(&self.setup.policy);
        self.journal.add(record.seal(self.journal.hash(), None, bounds), bounds);
        self.head.now = now;
        Some(happened)
    }

    /// When the next piece of work is due.
    pub fn next_due(&self) -> Option<Timestamp> {
        let other = self.beside().and_then(Simulator::next_due);
        self.next_due_of_itself().into_iter().chain(other).min()
    }

    /// When the next piece of work is due, or the next thing ends by itself, such as a ban: the first time of the
    /// [agenda](Simulator::agenda).
    pub fn next_change(&self) -> Option<Timestamp> {
        let ends = self.halves().flat_map(Simulator::own_ends).map(|end| end.due);
        ends.chain(self.next_due()).min()
    }

    /// What ended by itself after that time, up to now, in order. [`advance`](Simulator::advance) does not return it,
    /// because it is no work.
    pub fn ended_since(&self, then: Timestamp) -> Vec<Due> {
        let mut ended: Vec<Due> = self.halves().flat_map(|half| half.own_ends_after(then)).collect();
        ended.retain(|end| end.due <= self.head.now);
        ended.sort_by_key(|end| end.due);
        ended
    }

    fn next_due_of_itself(&self) -> Option<Timestamp> {
        self.store.read(jobs::next_due)
    }

    /// All scheduled work, in the order in which it will be done, and what ends by itself: tokens, bans and the like.
    ///
    /// ```
    /// use sim_core::Simulator;
    /// use sim_core::management::project::ListProjects;
    /// use sim_core::management::readonly::DisableReadOnly;
    /// use sim_core::seed::scenario;
    ///
    /// let mut sim = scenario::named("read-only-project")?.build()?;
    /// let project = sim.call(ListProjects {})?.remove(0).id;
    /// sim.call(DisableReadOnly::new(project))?;
    /// assert_eq!(sim.agenda()[0].kind, "end of read-only override");
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn agenda(&self) -> Vec<Due> {
        let mut agenda = self.own_agenda();
        agenda.extend(self.beside().map(Simulator::agenda).unwrap_or_default());
        agenda.sort_by_key(|job| job.due);
        agenda
    }

    /// All work that was done on `subject`, or on anything, oldest first, as far back as the journal goes.
    pub fn history(&self, subject: Option<&str>) -> Vec<Happened> {
        let mut history = self.own_history(subject);
        history.extend(self.beside().map(|other| other.history(subject)).unwrap_or_default());
        history.sort_by_key(|one| one.at);
        history
    }

    /// At most `limit` pieces of the work that this service did after the first `done` of them, oldest first.
    ///
    /// ```
    /// use std::time::Duration;
    /// use sim_core::Simulator;
    /// use sim_core::management::project::CreateProject;
    ///
    /// let mut sim = Simulator::builder().build();
    /// sim.call(CreateProject::named("demo", "acme"))?;
    /// let seen = sim.work_done();
    /// sim.advance(Duration::from_secs(60));
    /// assert_eq!(sim.history_after(seen, 10)[0].became, "ACTIVE_HEALTHY");
    /// # Ok::<(), sim_core::Error>(())
    /// ```
    pub fn history_after(&self, done: u64, limit: u64) -> Vec<Happened> {
        self.history.part(done, limit)
    }

    /// How many pieces of work this service did, counting those that the history no longer holds.
    pub fn work_done(&self) -> u64 {
        self.history.count()
    }

    /// Adds work that was done to the history.
    pub(super) fn remember_work(&mut self, happened: Vec<Happened>) {
        let keep = self.setup.policy.journal_calls;
        happened.into_iter().for_each(|event| self.history.add(event, keep, |_| ()));
    }

    /// The agenda of this service alone, in order.
    pub(super) fn own_agenda(&self) -> Vec<Due> {
        let mut agenda = self.read(|db| jobs::agenda(db, self.registry.tasks()));
        agenda.extend(self.own_ends());
        // Stable: work that is due at the same time stays in order.
        agenda.sort_by_key(|one| one.due);
        agenda
    }

    /// What ends by itself, in this service alone.
    fn own_ends(&self) -> Vec<Due> {
        self.own_ends_after(self.head.now)
    }

    fn own_ends_after(&self, then: Timestamp) -> Vec<Due> {
        self.read(|db| ends::after(db, self.registry.service.ends, then))
    }

    /// The work that this service alone did, oldest first.
    pub(super) fn own_history(&self, subject: Option<&str>) -> Vec<Happened> {
        self.history.of(subject)
    }

    /// Moves the clock for a client that waits, as far as the policy allows. When the client polls, the clock moves
    /// to the next piece of work. When its last call exceeded the rate limit, the clock moves to the end of its
    /// block.
    pub(super) fn wait_with_client(&mut self, sent: &Sent<'_>, credentials: &Credentials<'_>) {
        if !self.setup.policy.moves_clock() || self.is_replaying || sent.target.starts_with("/_sim") {
            return;
        }
        let Some(last) = self.journal.last() else { return };
        let Policy { auto_advance_ms, auto_advance_block_ms, .. } = self.setup.policy;
        let until = self.store.read(|db| {
            let now = pipeline::caller(db, self.head.now, credentials).ok()?;
            let (until, furthest_ms) = match (&now, last.status) {
                _ if pipeline::origin_of(&now) != last.caller => return None,
                (Caller::Token(bearer), 429) => {
                    (self.windows.blocked_until(bearer.bucket()), auto_advance_block_ms)
                }
                _ if sent.method == "GET" && last.method == "GET" && sent.target == last.texts.target() => {
                    (jobs::next_due(db), auto_advance_ms)
                }
                _ => return None,
            };
            let furthest = later(self.head.now, Duration::from_millis(furthest_ms));
            until.filter(|until| furthest_ms > 0 && *until <= furthest)
        });
        if let Some(until) = until {
            self.advance_to(until);
        }
    }
}
