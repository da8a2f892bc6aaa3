//! How the analytics server of a world behaves.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The knobs of the analytics server's behaviour.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct AnalyticsPolicy {
    /// Events per second that a new source takes, judged over 60 s.
    pub source_quota: i64,
    /// Events per second that a user's sources take together, judged over 60 s.
    pub user_quota: i64,
    /// Days for which a source may keep its events.
    pub plan_retention_days: i64,
    /// Let public tokens run query endpoints, as older servers do.
    pub public_tokens_query: bool,
}

impl Default for AnalyticsPolicy {
    fn default() -> AnalyticsPolicy {
        AnalyticsPolicy {
            source_quota: 25,
            user_quota: 150,
            plan_retention_days: 60,
            public_tokens_query: false,
        }
    }
}
