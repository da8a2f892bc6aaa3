//! Who called last: whoever calls again is known without a look at any row.

use std::cell::RefCell;

use super::db::Db;
use super::error::Error;
use super::identity::{self, Bearer};
use super::operation::Role;
use super::time::Timestamp;

/// Who called last, between calls, and what tells the rows that say so from others.
#[derive(Default)]
pub struct LastCaller {
    stamp: u64,
    seen: Option<Box<Seen>>,
}

struct Seen {
    /// What they were found by; nothing is the first user.
    token: Option<String>,
    bearer: Bearer,
    /// When the token expires.
    end: Option<Timestamp>,
    /// The organization that they were looked up in last, and their role there.
    role: Option<(String, Role)>,
}

/// The same during a call, which may change who is who. Then nobody is known until the call is over, as it may yet be refused and
/// what it changed be taken back.
pub struct KnownCaller(RefCell<Option<Box<Seen>>>);

impl LastCaller {
    /// The bearer, if that was the token.
    pub fn of(&self, token: i64) -> Option<&Bearer> {
        self.seen.as_ref().map(|seen| &seen.bearer).filter(|bearer| bearer.token == token)
    }

    /// What is known of them for a call that finds the rows of that stamp.
    pub fn known(&mut self, stamp: u64) -> KnownCaller {
        KnownCaller(RefCell::new(self.seen.take().filter(|_| self.stamp == stamp)))
    }
}

impl KnownCaller {
    /// The same from now on, where the call has left the rows of that stamp.
    pub fn until_next(self, stamp: u64) -> LastCaller {
        LastCaller { stamp, seen: self.0.into_inner() }
    }

    /// The bearer of `token` at `now`, or the first user without one, by what `db` says where it is somebody else.
    pub fn find(&self, db: Db<'_>, now: Timestamp, token: Option<&str>) -> Result<Bearer, Error> {
        let mut known = self.0.borrow_mut();
        if let Some(seen) = known.as_ref().filter(|seen| seen.is(now, token)) {
            return Ok(seen.bearer.clone());
        }
        let (bearer, end) = match token {
            Some(token) => identity::good_until(db, now, token)?,
            None => {
                let first = identity::bearer(db, 1);
                (first.ok_or_else(|| Error::unauthorized("token_missing"))?, None)
            }
        };
        let token = token.map(str::to_owned);
        *known = Some(Box::new(Seen { token, bearer: bearer.clone(), end, role: None }));
        Ok(bearer)
    }

    /// The role of `user` in the organization, by `look` where it is not known.
    pub fn role(&self, user: i64, organization: &str, look: impl FnOnce() -> Option<Role>) -> Option<Role> {
        let mut known = self.0.borrow_mut();
        let Some(seen) = known.as_mut().filter(|seen| seen.bearer.user == user) else { return look() };
        if let Some((_, role)) = seen.role.as_ref().filter(|(asked, _)| asked == organization) {
            return Some(*role);
        }
        let role = look()?;
        seen.role = Some((organization.to_owned(), role));
        Some(role)
    }

    /// To be called by whatever changes tokens or memberships.
    pub fn forget(&self) {
        self.0.take();
    }
}

impl Seen {
    fn is(&self, now: Timestamp, token: Option<&str>) -> bool {
        let same_token = match (&self.token, token) {
            (Some(known), Some(token)) => identity::same(known.as_bytes(), token.as_bytes()),
            (None, None) => true,
            _ => false,
        };
        same_token && self.end.is_none_or(|end| now < end)
    }
}
