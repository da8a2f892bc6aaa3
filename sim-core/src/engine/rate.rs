//! The rate limit: a window for each user, and a minute of silence for those who overstep it.

use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::db::Db;
use super::error::{Error, Kind};
use super::identity;
use super::policy::RateLimit;
use super::time::{Timestamp, from_micros, later, micros};
use super::view::{View, view};

pub(crate) const TABLES: &str = "
    CREATE TABLE rate_window (
        bucket TEXT PRIMARY KEY,
        opened_at INTEGER NOT NULL,
        used INTEGER NOT NULL,
        blocked_until INTEGER
    ) STRICT, WITHOUT ROWID;
";

pub(crate) const VIEWS: &[View] = &[view(
    "rate_window",
    "What a caller has used of the rate limit.",
    "SELECT bucket, opened_at, used, blocked_until FROM rate_window",
)];

/// Where a caller stands in the window: what the three headers say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Standing {
    pub limit: u32,
    pub remaining: u32,
    /// Whole seconds until the window, or the block, ends.
    pub reset_s: u64,
}

/// Where somebody's calls stand who are counted together: a user's over all personal tokens, an app's for each user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RateWindow {
    /// The user's name.
    pub user: String,
    /// The app that acts for the user; absent for the user's own tokens.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub app: Option<String>,
    /// Calls that a window has room for.
    pub limit: u32,
    /// Calls counted in the window that is open; 0 when none is, as during a block.
    pub used: u32,
    /// Calls that it has room for yet.
    pub remaining: u32,
    /// When the window began; absent when none is open.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub opened_at: Option<Timestamp>,
    /// When the window, or the block, ends; absent when there is neither.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    #[schemars(with = "Option<String>")]
    pub ends_at: Option<Timestamp>,
    /// Whether all calls are refused until then.
    pub blocked: bool,
}

/// All windows that there have been, by user and app, as they stand now.
pub(super) fn windows(db: Db<'_>, now: Timestamp, limit: &RateLimit) -> Vec<RateWindow> {
    let sql = "SELECT bucket, opened_at, used, blocked_until FROM rate_window";
    let mut windows = db.all(sql, (), |row| {
        let bucket: String = row.get(0)?;
        let (user, app) = identity::of_rate_bucket(db, &bucket);
        let opened_at = from_micros(row.get(1)?);
        let blocked_until = row.get::<_, Option<i64>>(3)?.map(from_micros);
        let ends_at = blocked_until.unwrap_or(later(opened_at, limit.window()));
        let is_over = ends_at <= now;
        let blocked = blocked_until.is_some() && !is_over;
        let used = if is_over || blocked { 0 } else { row.get(2)? };
        Ok(RateWindow {
            user,
            app,
            limit: limit.count,
            used,
            remaining: if blocked { 0 } else { limit.count.saturating_sub(used) },
            opened_at: (!is_over && !blocked).then_some(opened_at),
            ends_at: (!is_over).then_some(ends_at),
            blocked,
        })
    });
    windows.sort_by(|a, b| (&a.user, &a.app).cmp(&(&b.user, &b.app)));
    windows
}

/// Counts one call. `Err` carries the refusal beside the standing, for the headers of the 429.
///
/// A window opens with the first call. The first call beyond the limit starts a block; calls during the block count
/// for nothing and do not prolong it.
pub(crate) fn count(
    db: Db<'_>,
    now: Timestamp,
    limit: &RateLimit,
    bucket: &str,
) -> (Standing, Result<(), Error>) {
    let sql = "SELECT opened_at, used, blocked_until FROM rate_window WHERE bucket = ?1";
    let found = db.maybe(sql, (bucket,), |row| {
        Ok((row.get::<_, i64>(0)?, row.get::<_, u32>(1)?, row.get::<_, Option<i64>>(2)?))
    });
    let (opened_at, used) = match found {
        Some((_, _, Some(until))) if from_micros(until) > now => {
            return refuse(now, limit, bucket, from_micros(until));
        }
        Some((opened_at, used, None)) if later(from_micros(opened_at), limit.window()) > now => {
            (from_micros(opened_at), used)
        }
        _ => (now, 0),
    };
    if used >= limit.count {
        let until = later(now, limit.block());
        db.run("UPDATE rate_window SET blocked_until = ?2 WHERE bucket = ?1", (bucket, micros(until)));
        return refuse(now, limit, bucket, until);
    }
    db.run(
        "INSERT INTO rate_window VALUES (?1, ?2, ?3, NULL)
         ON CONFLICT DO UPDATE SET opened_at = ?2, used = ?3, blocked_until = NULL",
        (bucket, micros(opened_at), used + 1),
    );
    let end = later(opened_at, limit.window());
    (
        Standing { limit: limit.count, remaining: limit.count - used - 1, reset_s: seconds_until(now, end) },
        Ok(()),
    )
}

/// When the block of that caller ends, if there is one.
pub(crate) fn blocked_until(db: Db<'_>, bucket: &str) -> Option<Timestamp> {
    let sql = "SELECT blocked_until FROM rate_window WHERE bucket = ?1";
    db.maybe(sql, (bucket,), |row| row.get::<_, Option<i64>>(0)).flatten().map(from_micros)
}

/// Starts a block, whatever the window.
pub(crate) fn block(db: Db<'_>, now: Timestamp, bucket: &str, seconds: u64) {
    let until = later(now, Duration::from_secs(seconds));
    db.run(
        "INSERT INTO rate_window VALUES (?1, ?2, 0, ?3) ON CONFLICT DO UPDATE SET blocked_until = ?3",
        (bucket, micros(now), micros(until)),
    );
}

fn refuse(
    now: Timestamp,
    limit: &RateLimit,
    bucket: &str,
    until: Timestamp,
) -> (Standing, Result<(), Error>) {
    let standing = Standing { limit: limit.count, remaining: 0, reset_s: seconds_until(now, until) };
    let error = Error::new(Kind::RateLimited, "rate_limited", "ThrottlerException: Too Many Requests")
        .because("caller", bucket, None)
        .because("limit", format!("{} calls in {} ms", limit.count, limit.window_ms), None)
        .because("blocked until", until, None);
    (standing, Err(error))
}

fn seconds_until(now: Timestamp, end: Timestamp) -> u64 {
    let left = Duration::try_from(end.duration_since(now)).unwrap_or_default();
    left.as_secs() + u64::from(left.subsec_nanos() > 0)
}
