//! Caches the last caller, so that the next call by the same caller reads no rows to identify it.

use std::cell::RefCell;

use super::db::Db;
use super::error::Error;
use super::identity::{self, Bearer};
use super::operation::Role;
use super::time::Timestamp;

/// The last caller, kept between calls, with the stamp of the rows that identified it.
#[derive(Default)]
pub struct LastCaller {
    stamp: u64,
    seen: Option<Box<Seen>>,
}

struct Seen {
    /// The token that identified the caller; `None` for the first user.
    token: Option<String>,
    bearer: Bearer,
    /// When the token expires.
    end: Option<Timestamp>,
    /// The organization that was looked up last, and the caller's role there.
    role: Option<(String, Role)>,
}

/// The last caller during a call. The call can change tokens and memberships. Then nothing is cached until the call is
/// over, because it may still be refused and its changes undone.
pub struct KnownCaller(RefCell<Option<Box<Seen>>>);

impl LastCaller {
    /// The cached bearer, if `token` is the bearer's token.
    pub fn of(&self, token: i64) -> Option<&Bearer> {
        self.seen.as_ref().map(|seen| &seen.bearer).filter(|bearer| bearer.token == token)
    }

    /// The cache for a call that finds the rows of this stamp. It is empty if it was made from other rows.
    pub fn known(&mut self, stamp: u64) -> KnownCaller {
        KnownCaller(RefCell::new(self.seen.take().filter(|_| self.stamp == stamp)))
    }
}

impl KnownCaller {
    /// The cache for the next call. `stamp` is that of the rows after this call.
    pub fn until_next(self, stamp: u64) -> LastCaller {
        LastCaller { stamp, seen: self.0.into_inner() }
    }

    /// The bearer of `token` at `now`, or the first user without a token. Reads `db` unless the caller is cached.
    pub fn find(&self, db: Db<'_>, now: Timestamp, token: Option<&str>) -> Result<Bearer, Error> {
        let mut known = self.0.borrow_mut();
        if let Some(seen) = known.as_ref().filter(|seen| seen.is(now, token)) {
            return Ok(seen.bearer.clone());
        }
        let (bearer, end) = match token {
            Some(token) => identity::valid_until(db, now, token)?,
            None => {
                let first = identity::bearer(db, 1);
                (first.ok_or_else(|| Error::unauthorized("token_missing"))?, None)
            }
        };
        let token = token.map(str::to_owned);
        *known = Some(Box::new(Seen { token, bearer: bearer.clone(), end, role: None }));
        Ok(bearer)
    }

    /// The role of `user` in the organization. Calls `look` unless the role is cached.
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

    /// Empties the cache. Call it when you change tokens or memberships.
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
