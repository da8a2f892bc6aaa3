//! All that an operation sees of the world.

use std::any::Any;
use std::cell::Cell;
use std::time::Duration;

use super::db::Db;
use super::error::{Error, Fact};
use super::event_server::EventServer;
use super::fetch::Outside;
use super::identity::Caller;
use super::jobs::{self, Taken, Task};
use super::last_caller::KnownCaller;
use super::log_line::{Line, Lines};
use super::operation::Role;
use super::policy::Policy;
use super::profile::Profile;
use super::rate::Counter;
use super::rng::Rng;
use super::signer::Signer;
use super::store::Databases;
use super::time::{Pace, Timestamp, later};

/// The world, during one call or one piece of background work.
///
/// There is no other way to time, chance or storage: what is not here, an operation can't depend on.
pub struct Cx<'a> {
    /// The world's rows.
    pub db: Db<'a>,
    /// The databases inside the world.
    pub databases: Databases<'a>,
    /// Who keeps events, where the world's own pages do not.
    pub events: Option<&'a dyn EventServer>,
    /// Who signs for the warehouse's service account.
    pub signer: Option<&'a Signer>,
    /// The instant of the call; it does not move while the call runs.
    pub now: Timestamp,
    /// The world's chance.
    pub rng: Rng<'a>,
    /// Who calls.
    pub caller: &'a Caller,
    /// How this world behaves.
    pub policy: &'a Policy,
    /// What things are called in this world.
    pub profile: &'a Profile,
    /// The number of the call; for background work, of the call that caused it.
    pub call: u64,
    /// What the world was built from, for the engine alone.
    pub setup: &'a dyn Any,
    /// The way to documents outside; background work has none.
    pub outside: Option<&'a Outside<'a>>,
    /// Where to note what coverage wants to know; background work is not covered.
    pub noted: Option<&'a Noted>,
    /// Where calls are counted that are made here; nobody makes any while a world is set up.
    pub counter: Option<&'a Counter<'a>>,
    /// Work that is about to be done, and can still be taken back.
    pub taken: Option<&'a Taken>,
    /// Where to write to logs, if anybody reads them.
    pub lines: Option<&'a Lines>,
    /// What is known of who calls; of work that nobody calls for, nothing.
    pub known_caller: Option<&'a KnownCaller>,
}

impl<'a> Cx<'a> {
    /// Schedules background work `delay` from now, or at once where the pace is instant.
    pub fn after(&self, delay: Duration, task: &impl Task) {
        let delay = if self.policy.pace == Pace::Instant { Duration::ZERO } else { delay };
        jobs::schedule(self, later(self.now, delay), task);
    }

    /// Schedules background work `delay` from now whatever the pace: what comes again and again would never end where
    /// everything happens at once.
    pub fn by_the_clock(&self, delay: Duration, task: &impl Task) {
        jobs::schedule(self, later(self.now, delay), task);
    }

    /// The document at `url`, which the request gave as `field`; 400 where there is none, or no way to get it.
    ///
    /// # Panics
    ///
    /// In background work: only a call fetches, so that whoever asks is told what went wrong.
    pub fn fetch(&self, field: &str, url: &str) -> Result<String, Error> {
        self.outside.expect("only a call fetches").fetch(self.call, field, url)
    }

    /// What the service beside answers to a GET of `target` by whoever drives the simulator, or how it refuses; `None` in a world
    /// of one service. Nothing comes of it there.
    ///
    /// # Panics
    ///
    /// In background work, as with [`fetch`](Cx::fetch).
    pub fn ask_beside(&self, target: &str) -> Option<Result<String, String>> {
        self.outside.expect("only a call asks").ask_beside(self.call, target)
    }

    /// Writes a line to a project's log, if anybody reads it. A call that is refused has written its lines all the same.
    pub fn log(&self, line: impl FnOnce() -> Line) {
        if let Some(lines) = self.lines {
            lines.borrow_mut().push(line());
        }
    }

    /// Takes back all scheduled work of kind `T` on `subject`.
    pub fn cancel<T: Task>(&self, subject: &str) {
        const { assert!(!T::IN_ROWS, "such work is found by its row") };
        jobs::cancel::<T>(self, subject, jobs::NO_ROW);
    }

    /// The same where such work knows the [row](Task::row) that it is on.
    pub fn cancel_in_row<T: Task>(&self, subject: &str, row: i64) {
        const { assert!(T::IN_ROWS, "such work knows no row") };
        jobs::cancel::<T>(self, subject, row);
    }

    /// Whether work of kind `T` on `subject`, which knows no row, is still to be done.
    pub fn is_scheduled<T: Task>(&self, subject: &str) -> bool {
        const { assert!(!T::IN_ROWS, "such work is found by its row") };
        jobs::is_scheduled::<T>(self, subject)
    }

    /// Refuses with 403 unless the caller has at least `role` in the organization.
    pub fn require_role(&self, organization: &str, role: Role) -> Result<(), Error> {
        let Caller::Token(bearer) = self.caller else { return Ok(()) };
        let held = self.role_in(bearer.user, organization);
        if let Some(noted) = self.noted {
            noted.role.set(held);
        }
        if held.is_some_and(|held| held >= role) {
            return Ok(());
        }
        let (reason, held) = held.map_or(("not_a_member", "none"), |held| ("role_too_low", held.as_str()));
        Err(Error::forbidden(reason, NO_PRIVILEGES)
            .because("organization", organization, None)
            .because("role", held, None)
            .because("role needed", role.as_str(), None))
    }

    /// Notes in which state the call finds what it is about.
    pub fn note_state(&self, state: &'static str) {
        if let Some(noted) = self.noted {
            noted.state.set(Some(state));
        }
    }

    /// Leaves what a guard has looked up for the operation, which begins with the rows as the guard found them.
    pub fn leave(&self, thing: impl Any) {
        if let Some(noted) = self.noted {
            noted.seen.set(Some(Box::new(thing)));
        }
    }

    /// Takes what the guard left, if it was that. Once only: what an operation looks up later it may have changed.
    pub fn take_seen<T: Any>(&self) -> Option<T> {
        let seen = self.noted?.seen.take()?;
        seen.downcast().ok().map(|thing| *thing)
    }

    /// The role of `user` in the organization.
    pub fn role_in(&self, user: i64, organization: &str) -> Option<Role> {
        let look = || {
            let sql = "SELECT role FROM member WHERE organization = ?1 AND user = ?2";
            let role: String = self.db.maybe(sql, (organization, user), |row| row.get(0))?;
            Some(Role::named(&role).expect("stored roles are published ones"))
        };
        self.known_caller.map_or_else(look, |known| known.role(user, organization, look))
    }

    /// Has nobody known by what was seen before: to be called by whatever changes tokens or memberships.
    pub fn forget_caller(&self) {
        if let Some(known) = self.known_caller {
            known.forget();
        }
    }

    /// A fact that this very call or work established.
    pub fn fact(&self, name: &str, value: impl std::fmt::Display) -> Fact {
        Fact { name: name.to_owned(), value: value.to_string(), since_call: Some(self.call) }
    }
}

/// Facts about a call that only the permission check learns: the role and the state. Coverage reports them.
#[derive(Default)]
pub struct Noted {
    /// The role of the caller, once looked up.
    pub role: Cell<Option<Role>>,
    /// The state of the resource that the call is about.
    pub state: Cell<Option<&'static str>>,
    /// What they looked at, for the operation to take: to look twice is half the cost of a read.
    pub seen: Cell<Option<Box<dyn Any>>>,
    /// Whether there is work to be done at once.
    pub due: Cell<bool>,
}

/// The service's words to those who may not.
pub const NO_PRIVILEGES: &str = "Your account does not have the necessary privileges to access this endpoint. \
    For more details, refer to our documentation on access control.";
