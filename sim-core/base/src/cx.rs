//! The context of an operation: everything it can read or change.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::time::Duration;

use sim_values::budget::Interrupt;

use super::db::Db;
use super::error::{Error, Fact};
use super::event_server::EventServer;
use super::fetch::Outside;
use super::identity::Caller;
use super::jobs::{self, Taken, Task};
use super::last_caller::KnownCaller;
use super::log_line::{Line, Lines};
use super::operation::Role;
use super::policy::{Policy, UnknownFields};
use super::profile::Profile;
use super::rate::Counter;
use super::rng::Rng;
use super::signer::Signer;
use super::store::Databases;
use super::time::{Pace, Timestamp, later};

/// The world during one call or one piece of background work.
///
/// An operation can depend only on what is here. It has no other access to time, random numbers or storage.
pub struct Cx<'a> {
    /// The world's rows.
    pub db: Db<'a>,
    /// The databases inside the world.
    pub databases: Databases<'a>,
    /// The server that stores events; `None` when the world's own pages store them.
    pub events: Option<&'a dyn EventServer>,
    /// The signer for the warehouse's service account.
    pub signer: Option<&'a Signer>,
    /// Ends the call's SQL early, when the embedder wants that.
    pub interrupt: &'a Interrupt,
    /// The timestamp of the call. It stays the same while the call runs.
    pub now: Timestamp,
    /// The world's random numbers.
    pub rng: Rng<'a>,
    /// The caller.
    pub caller: &'a Caller,
    /// The world's policy.
    pub policy: &'a Policy,
    /// The world's profile: the names of things.
    pub profile: &'a Profile,
    /// The number of the call. Background work has the number of the call that caused it.
    pub call: u64,
    /// What the world was built from. Only the engine uses it.
    pub setup: &'a dyn Any,
    /// Access to documents outside the world. Background work has none.
    pub outside: Option<&'a Outside<'a>>,
    /// Collects what coverage reports. Coverage does not include background work.
    pub noted: Option<&'a Noted>,
    /// Counts the calls made here for the rate limit. `None` while a world is set up, because nobody calls then.
    pub counter: Option<&'a Counter<'a>>,
    /// Work that was taken off the job table and has not run yet. It can still be cancelled.
    pub taken: Option<&'a Taken>,
    /// Where log lines go. `None` when nobody reads logs.
    pub lines: Option<&'a Lines>,
    /// What is cached about the caller. `None` for work without a caller.
    pub known_caller: Option<&'a KnownCaller>,
}

impl<'a> Cx<'a> {
    /// Schedules background work `delay` from now, or at once when the pace is instant.
    pub fn after(&self, delay: Duration, task: &impl Task) {
        let delay = if self.policy.pace == Pace::Instant { Duration::ZERO } else { delay };
        jobs::schedule(self, later(self.now, delay), task);
    }

    /// Schedules background work `delay` from now, at any pace. Use it for recurring work, which would never end at the
    /// instant pace.
    pub fn by_the_clock(&self, delay: Duration, task: &impl Task) {
        jobs::schedule(self, later(self.now, delay), task);
    }

    /// Fetches the document at `url`, which the request gave as `field`. Refuses with 400 when there is no document or
    /// no way to fetch it.
    ///
    /// # Panics
    ///
    /// In background work. Only a call fetches, so that its caller learns what went wrong.
    pub fn fetch(&self, field: &str, url: &str) -> Result<String, Error> {
        self.outside.expect("only a call fetches").fetch(self.call, field, url)
    }

    /// Sends a GET of `target` to the world's other service, as the client that controls the simulator. Returns the
    /// answer or the refusal, and `None` in a world of one service. The request leaves no trace in the other service.
    ///
    /// # Panics
    ///
    /// In background work, as with [`fetch`](Cx::fetch).
    pub fn ask_beside(&self, target: &str) -> Option<Result<String, String>> {
        self.outside.expect("only a call asks").ask_beside(self.call, target)
    }

    /// Writes a line to a project's log, if anybody reads logs. A refused call keeps its log lines.
    pub fn log(&self, line: impl FnOnce() -> Line) {
        if let Some(lines) = self.lines {
            lines.borrow_mut().push(line());
        }
    }

    /// Cancels all scheduled work of kind `T` on `subject`.
    pub fn cancel<T: Task>(&self, subject: &str) {
        const { assert!(!T::IN_ROWS, "such work is found by its row") };
        jobs::cancel::<T>(self, subject, jobs::NO_ROW);
    }

    /// Cancels all scheduled work of kind `T` on `subject`, where such work knows its [row](Task::row).
    pub fn cancel_in_row<T: Task>(&self, subject: &str, row: i64) {
        const { assert!(T::IN_ROWS, "such work knows no row") };
        jobs::cancel::<T>(self, subject, row);
    }

    /// Whether work of kind `T` on `subject` is still scheduled. Such work must not know its row.
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

    /// Says that a field of the request, such as `body.functions.0.id`, has no effect here. What follows is the same as
    /// for a field that the operation does not know ([`Policy::unknown_fields`]).
    pub fn without_effect(&self, field: impl FnOnce() -> String) -> Result<(), Error> {
        self.not_as_sent(field, "Has no effect here")
    }

    /// Says that a field of the request is not taken as it was sent, and why. What follows is the same as for a field that
    /// the operation does not know.
    pub fn not_as_sent(&self, field: impl FnOnce() -> String, why: &str) -> Result<(), Error> {
        match (self.policy.unknown_fields, self.noted) {
            (UnknownFields::Refuse, _) => {
                let field = field();
                let name = field.split_once('.').map_or(&*field, |(_, name)| name);
                Err(Error::invalid(format!("invalid_{field}"), format!("{name}: {why}")))
            }
            (UnknownFields::Mark, Some(noted)) => {
                noted.ignore(field);
                Ok(())
            }
            (UnknownFields::Mark | UnknownFields::Accept, _) => Ok(()),
        }
    }

    /// Says that a field of the request is known and right, and that nothing here shows it. It is never refused: the service
    /// takes it.
    pub fn not_shown(&self, field: impl FnOnce() -> String) {
        if let (UnknownFields::Mark | UnknownFields::Refuse, Some(noted)) =
            (self.policy.unknown_fields, self.noted)
        {
            noted.ignore(field);
        }
    }

    /// Notes the state of the resource that the call is about.
    pub fn note_state(&self, state: &'static str) {
        if let Some(noted) = self.noted {
            noted.state.set(Some(state));
        }
    }

    /// Stores what a guard has looked up, for the operation to take. The operation starts with the rows that the guard
    /// saw.
    pub fn leave(&self, thing: impl Any) {
        if let Some(noted) = self.noted {
            noted.seen.set(Some(Box::new(thing)));
        }
    }

    /// Takes what the guard stored; `None` if that is no `T`. This works only once, because the operation may change
    /// the rows afterwards.
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

    /// Forgets the cached caller. Call it when you change tokens or memberships.
    pub fn forget_caller(&self) {
        if let Some(known) = self.known_caller {
            known.forget();
        }
    }

    /// A fact that this call or work established.
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
    /// What the guard looked up, for the operation to take. Looking it up twice would be half the cost of a read.
    pub seen: Cell<Option<Box<dyn Any>>>,
    /// Whether there is work to do at once.
    pub due: Cell<bool>,
    /// Fields of the call that had no effect: `body.foo`, `query.bar`.
    pub ignored: RefCell<Vec<String>>,
}

/// The most fields without effect that the caller is told of. That there are more is said.
pub const IGNORED_MAX: usize = 50;

impl Noted {
    /// Notes a field without effect, once. Those after the first that is not named are not even compared.
    fn ignore(&self, field: impl FnOnce() -> String) {
        let mut ignored = self.ignored.borrow_mut();
        if ignored.len() > IGNORED_MAX {
            return;
        }
        let field = field();
        if !ignored.contains(&field) {
            ignored.push(field);
        }
    }
}

/// The service's message to callers without permission.
pub const NO_PRIVILEGES: &str = "Your account does not have the necessary privileges to access this endpoint. \
    For more details, refer to our documentation on access control.";
