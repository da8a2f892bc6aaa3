//! The rate limit: a window for each user, and a minute of silence for those who overstep it.

use std::time::Duration;

use super::db::Db;
use super::error::{Error, Kind};
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
