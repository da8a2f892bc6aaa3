//! How many more events a source and its user may send in this minute.

use sim_base::{Cx, Error, Kind};

use crate::metrics::{self, WINDOW_S};
use crate::source::Row;

/// The quotas of a source and its user, before the events of the call are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    user_limit: i64,
    user_remaining: i64,
    source_limit: i64,
    source_remaining: i64,
}

impl Standing {
    /// The headers that report them.
    pub(crate) fn headers(&self) -> [(&'static str, String); 4] {
        [
            ("x-rate-limit-user_limit", self.user_limit),
            ("x-rate-limit-user_remaining", self.user_remaining),
            ("x-rate-limit-source_limit", self.source_limit),
            ("x-rate-limit-source_remaining", self.source_remaining),
        ]
        .map(|(name, value)| (name, value.to_string()))
    }
}

/// Seconds after which a caller may retry when the buffer was full.
const BUFFER_RETRY_S: i64 = 3;

/// 429 if the quota of the source or of its user is used up.
pub(crate) fn require_room(cx: &Cx<'_>, source: &Row) -> Result<Standing, Error> {
    let policy = &cx.policy.analytics;
    let (user_quota, source_quota) = match policy.plan_rates {
        true => (policy.plan_user_rate, policy.plan_source_rate),
        false => (policy.user_quota, source.settings.api_quota),
    };
    let (user_limit, source_limit) = (user_quota * WINDOW_S, source_quota * WINDOW_S);
    let of_user = metrics::of_user(cx, source.user);
    let of_source = metrics::in_last(cx, source.id, WINDOW_S);
    let standing = Standing {
        user_limit,
        user_remaining: (user_limit - of_user).max(0),
        source_limit,
        source_remaining: (source_limit - of_source).max(0),
    };
    let waiting = metrics::in_last(cx, source.id, 1);
    if policy.buffer_events.is_some_and(|room| waiting >= room) {
        let error = Error::new(Kind::RateLimited, "buffer_full", "Buffer Full: Too Many Requests");
        return Err(error.because("events that wait", waiting, None).header("retry-after", BUFFER_RETRY_S));
    }
    let over = match (standing.user_remaining, standing.source_remaining) {
        (_, 0) => ("Source", "source_over_quota"),
        (0, _) => ("User", "user_over_quota"),
        _ => return Ok(standing),
    };
    let text = format!(
        "{} rate is over the API quota. Email support@{} to increase your rate limit.",
        over.0, cx.profile.project_domain
    );
    let error = Error::new(Kind::RateLimited, over.1, text)
        .because("events of the source in 60 s", of_source, None)
        .because("events of the user in 60 s", of_user, None);
    Err(standing.headers().into_iter().fold(error, |error, (name, value)| error.header(name, value)))
}
