//! The rate limit: a window for each user, and a block for users who exceed it.
//!
//! Windows change with every call, even a read, so they are no rows. Like the journal, they are a tree that worlds
//! share, and a fork copies a pointer.

use std::cell::RefCell;
use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sim_derive::ToSchema;

use super::db::Db;
use super::error::{Error, Kind};
use super::policy::RateLimit;
use super::store::Tree;
use super::time::{Timestamp, later};

/// More users than any world has.
const USERS_MAX: i64 = 1 << 32;

/// The number that stands for all addresses in the place of a user.
const ADDRESSES: i64 = 0;

/// The most addresses whose windows are kept; the oldest ones are dropped.
const ADDRESSES_MAX: usize = 10_000;

/// Calls that are counted together: a user's over all personal tokens, or an app's for one user.
#[derive(Clone, Copy)]
pub struct Bucket<'a> {
    /// The user's row id.
    pub user: i64,
    /// The app that calls for the user; `None` for personal tokens.
    pub app: Option<&'a str>,
    /// The window of a [class](super::policy::RateClass); `None` for the limit of all calls.
    pub class: Option<&'a str>,
}

impl<'a> Bucket<'a> {
    /// The bucket of an address, by the name of its window.
    pub const fn of_address(window: &'a str) -> Bucket<'a> {
        Bucket { user: ADDRESSES, app: None, class: Some(window) }
    }
}

impl fmt::Display for Bucket<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (ADDRESSES, Some(class)) = (self.user, self.class) {
            return f.write_str(class);
        }
        match self.app {
            None => write!(f, "user {}", self.user)?,
            Some(app) => write!(f, "app {app} user {}", self.user)?,
        }
        self.class.map_or(Ok(()), |class| write!(f, ", {class}"))
    }
}

/// The use of the limit by one caller.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// The app that calls for the user; `None` for personal tokens.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    app: Option<Box<str>>,
    /// The window's name in a class; `None` for the limit of all calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    class: Option<Box<str>>,
    opened_at: Timestamp,
    used: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    blocked_until: Option<Timestamp>,
}

impl Window {
    fn new(bucket: Bucket<'_>, now: Timestamp) -> Window {
        let Bucket { app, class, .. } = bucket;
        Window {
            app: app.map(Into::into),
            class: class.map(Into::into),
            opened_at: now,
            used: 0,
            blocked_until: None,
        }
    }

    fn is_of(&self, app: Option<&str>, class: Option<&str>) -> bool {
        self.app.as_deref() == app && self.class.as_deref() == class
    }

    /// When the window ends, or the block if there is one.
    fn end(&self, limit: &RateLimit) -> Timestamp {
        self.blocked_until.unwrap_or(later(self.opened_at, limit.window()))
    }

    /// Counts one call. Returns the standing in any case, because the 429 has the same headers; `Err` has the refusal.
    ///
    /// A window opens with the first call. The first call beyond the limit starts a block. Calls during the block are
    /// not counted and do not extend it.
    fn count(
        &mut self,
        now: Timestamp,
        limit: &RateLimit,
        bucket: Bucket<'_>,
    ) -> (Standing, Result<(), Error>) {
        if self.end(limit) <= now {
            *self = Window::new(bucket, now);
        }
        if self.blocked_until.is_none() && self.used >= limit.count {
            self.blocked_until = Some(later(now, limit.block()));
        }
        self.used += u32::from(self.blocked_until.is_none());
        let standing = self.standing(now, limit);
        let verdict = self.blocked_until.map_or(Ok(()), |until| Err(refusal(limit, bucket, until)));
        (standing, verdict)
    }

    fn standing(&self, now: Timestamp, limit: &RateLimit) -> Standing {
        let left = Duration::try_from(self.end(limit).duration_since(now)).unwrap_or_default();
        let remaining = if self.blocked_until.is_some() { 0 } else { limit.count.saturating_sub(self.used) };
        let reset_s = left.as_secs() + u64::from(left.subsec_nanos() > 0);
        Standing { limit: limit.count, remaining, reset_s }
    }

    /// Its state at `now`, to be shown.
    fn shown(&self, user: String, now: Timestamp, limit: &RateLimit) -> RateWindow {
        let ends_at = Some(self.end(limit)).filter(|end| *end > now);
        let blocked = self.blocked_until.is_some() && ends_at.is_some();
        let is_open = ends_at.is_some() && !blocked;
        let used = if is_open { self.used } else { 0 };
        RateWindow {
            user,
            app: self.app.as_deref().map(str::to_owned),
            limit: limit.count,
            used,
            remaining: if blocked { 0 } else { limit.count.saturating_sub(used) },
            opened_at: is_open.then_some(self.opened_at),
            ends_at,
            blocked,
        }
    }
}

fn refusal(limit: &RateLimit, bucket: Bucket<'_>, until: Timestamp) -> Error {
    Error::new(Kind::RateLimited, "rate_limited", "ThrottlerException: Too Many Requests")
        .because("caller", bucket, None)
        .because("limit", format!("{} calls in {} ms", limit.count, limit.window_ms), None)
        .because("blocked until", until, None)
}

/// The state of a caller's window, as in the three headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Calls allowed in a window.
    pub limit: u32,
    /// Calls left in the window; 0 during a block.
    pub remaining: u32,
    /// Whole seconds until the window, or the block, ends.
    pub reset_s: u64,
}

/// The state of one of several windows that a call counts in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedStanding {
    /// The name of the class, or `default` for the limit of all calls.
    pub name: String,
    /// The state of the window.
    pub standing: Standing,
    /// Length of the window in milliseconds.
    pub window_ms: u64,
}

/// The rate-limit window of one caller: a user with all personal tokens, or an app that acts for a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RateWindow {
    /// The user's name.
    pub user: String,
    /// The app that acts for the user; absent for the user's own tokens.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub app: Option<String>,
    /// Calls allowed in a window.
    pub limit: u32,
    /// Calls counted in the open window; 0 when no window is open, as during a block.
    pub used: u32,
    /// Calls left in the window.
    pub remaining: u32,
    /// When the window opened; absent when none is open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub opened_at: Option<Timestamp>,
    /// When the window or the block ends; absent when there is neither.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub ends_at: Option<Timestamp>,
    /// Whether all calls are refused until then.
    pub blocked: bool,
}

/// How many windows a user has at most: limits may count per project, and a call may name any project.
const WINDOWS_MAX: usize = 1_000;

/// The windows of all callers, by user. A clone copies a pointer.
#[derive(Clone, Default)]
pub struct Windows(Tree<Vec<Window>>);

/// A changed window, after the row id of its user.
pub type Change = (i64, Window);

impl Windows {
    fn get(&self, bucket: Bucket<'_>) -> Option<&Window> {
        let of_user = self.0.get(place(bucket.user))?;
        of_user.iter().find(|window| window.is_of(bucket.app, bucket.class))
    }

    /// Replaces a window by its changed version. A user with too many windows loses the one of a class that opened first.
    pub fn put(&mut self, (user, window): Change) {
        let of_user = self.0.own(place(user));
        let same = |known: &&mut Window| known.is_of(window.app.as_deref(), window.class.as_deref());
        match of_user.iter_mut().find(same) {
            Some(known) => *known = window,
            None => {
                if user == ADDRESSES && of_user.len() >= ADDRESSES_MAX {
                    of_user.remove(0);
                } else if user != ADDRESSES && of_user.len() >= WINDOWS_MAX {
                    forget_first_of_a_class(of_user);
                }
                of_user.push(window);
            }
        }
    }

    /// Takes the windows of other windows, which are all those of their users.
    pub fn follow(&mut self, windows: Vec<Change>) {
        windows.iter().for_each(|(user, _)| self.0.own(place(*user)).clear());
        windows.into_iter().for_each(|window| self.put(window));
    }

    /// When the block of this caller ends, if there is one.
    pub fn blocked_until(&self, bucket: Bucket<'_>) -> Option<Timestamp> {
        self.get(bucket)?.blocked_until
    }

    /// The windows of users who have called since `before`, an earlier state of these windows; all windows without
    /// `before`.
    pub fn since(&self, before: Option<&Windows>) -> Vec<Change> {
        let (mut changed, nothing) = (Vec::new(), Windows::default());
        self.0.differences(&before.unwrap_or(&nothing).0, &mut |user, windows| {
            let of_user = windows.into_iter().flat_map(|windows| windows.iter());
            changed.extend(of_user.map(|window| (user as i64, window.clone())));
        });
        changed
    }

    /// All windows of the limit of all calls, by user and app, in their state at `now`. Users are never deleted, but windows read from a file may
    /// name users that never existed. Those are skipped.
    pub fn shown(&self, db: Db<'_>, now: Timestamp, limit: &RateLimit) -> Vec<RateWindow> {
        let shown = |(user, window): Change| {
            let name = db.maybe("SELECT name FROM user WHERE id = ?1", (user,), |row| row.get(0));
            name.map(|name| window.shown(name, now, limit))
        };
        let mut windows: Vec<_> = self
            .since(None)
            .into_iter()
            .filter(|(_, window)| window.class.is_none())
            .filter_map(shown)
            .collect();
        windows.sort_by(|a, b| (&a.user, &a.app).cmp(&(&b.user, &b.app)));
        windows
    }
}

fn forget_first_of_a_class(windows: &mut Vec<Window>) {
    let of_classes = windows.iter().enumerate().filter(|(_, window)| window.class.is_some());
    if let Some((index, _)) = of_classes.min_by_key(|(_, window)| window.opened_at) {
        windows.remove(index);
    }
}

fn place(user: i64) -> usize {
    usize::try_from(user).expect("users have numbers from 1 on, and addresses have 0")
}

/// Whether all windows belong to possible users.
pub fn is_sound(windows: &[Change]) -> bool {
    windows.iter().all(|(user, _)| (ADDRESSES..=USERS_MAX).contains(user))
}

/// Counts calls during a transaction. The counts take effect only after it.
pub struct Counter<'w> {
    before: &'w Windows,
    changes: RefCell<Vec<Change>>,
}

impl<'w> Counter<'w> {
    /// Starts counting from the windows `before`.
    pub fn of(before: &'w Windows) -> Counter<'w> {
        Counter { before, changes: RefCell::default() }
    }

    /// Counts one call, as `Window::count` says.
    pub fn count(
        &self,
        now: Timestamp,
        limit: &RateLimit,
        bucket: Bucket<'_>,
    ) -> (Standing, Result<(), Error>) {
        self.change(bucket, now, |window| window.count(now, limit, bucket))
    }

    /// Whether an earlier call has started a block that is not over.
    pub fn is_blocked(&self, now: Timestamp, bucket: Bucket<'_>) -> bool {
        self.before.blocked_until(bucket).is_some_and(|until| until > now)
    }

    /// Starts a block, regardless of the window.
    pub fn block(&self, now: Timestamp, bucket: Bucket<'_>, seconds: u64) {
        let until = later(now, Duration::from_secs(seconds));
        self.change(bucket, now, |window| window.blocked_until = Some(until));
    }

    fn change<T>(&self, bucket: Bucket<'_>, now: Timestamp, change: impl FnOnce(&mut Window) -> T) -> T {
        let mut changes = self.changes.borrow_mut();
        let is_its = |(user, window): &Change| *user == bucket.user && window.is_of(bucket.app, bucket.class);
        let place = changes.iter().position(is_its).unwrap_or_else(|| {
            let window = self.before.get(bucket).cloned().unwrap_or_else(|| Window::new(bucket, now));
            changes.push((bucket.user, window));
            changes.len() - 1
        });
        change(&mut changes[place].1)
    }

    /// The changed windows.
    pub fn into_changes(self) -> Vec<Change> {
        self.changes.into_inner()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_user_has_a_number_of_windows() {
        let now = |second: i64| Timestamp::from_second(second).expect("a time");
        let window = |number: usize, second: i64| {
            let class = format!("project {number}");
            Window::new(Bucket { user: 1, app: None, class: Some(&class) }, now(second))
        };
        let mut windows = Windows::default();
        windows.put((1, Window::new(Bucket { user: 1, app: None, class: None }, now(1))));
        (1..WINDOWS_MAX).for_each(|number| windows.put((1, window(number, 10))));
        let mut again = windows.clone();
        windows.put((1, window(1, 20)));
        (0..3).for_each(|number| windows.put((1, window(WINDOWS_MAX + number, 20))));
        let numbers = |windows: &Windows| windows.since(None).into_iter().map(|(_, window)| window.class);
        let left: Vec<_> = numbers(&windows).collect();
        assert_eq!(left.len(), WINDOWS_MAX);
        let first: Vec<_> = left[..3].iter().map(Option::as_deref).collect();
        assert_eq!(first, [None, Some("project 1"), Some("project 5")]);
        again.follow(windows.since(Some(&again)));
        assert!(numbers(&again).eq(left));
    }
}
