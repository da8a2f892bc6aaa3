//! Rate limits.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use sim_derive::ToSchema;

use crate::near;
use crate::operation::Meta;

/// The rate limit: how many calls a user may make in a window, and how long further calls are refused.
///
/// On the command line it is written `off`, `spec` or `COUNT/SECONDS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RateLimit {
    /// Whether there is a limit.
    pub enabled: bool,
    /// Calls in a window.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Length of the window in milliseconds. A window opens with the first call.
    #[schemars(range(min = 1))]
    pub window_ms: u64,
    /// Length of the block in milliseconds. The first call beyond the limit starts the block.
    pub block_ms: u64,
}

impl Default for RateLimit {
    fn default() -> RateLimit {
        RateLimit::of(60, 60)
    }
}

impl RateLimit {
    /// `count` calls in `seconds`, and a block of the same length.
    pub const fn of(count: u32, seconds: u64) -> RateLimit {
        RateLimit { enabled: true, count, window_ms: seconds * 1000, block_ms: seconds * 1000 }
    }

    /// No limit.
    pub const fn off() -> RateLimit {
        RateLimit { enabled: false, ..RateLimit::of(60, 60) }
    }

    /// The length of the window.
    pub const fn window(&self) -> Duration {
        Duration::from_millis(self.window_ms)
    }

    /// The length of the block.
    pub const fn block(&self) -> Duration {
        Duration::from_millis(self.block_ms)
    }
}

/// A rate limit for a class of calls.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RateClass {
    /// Its name, which refusals tell in their facts and answers in their headers. No two classes have one name, and `default` is
    /// the limit of all calls.
    #[schemars(regex(pattern = r"^[ !#-\[\]-~]+$"), extend("x-rule" = "printable ASCII without quotes"))]
    pub name: String,
    /// The ids of its operations; without any, all calls are of the class.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub operations: Vec<String>,
    /// What has a window of its own.
    #[serde(default)]
    pub per: RateScope,
    /// Calls in a window.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// Length of the window in milliseconds.
    #[schemars(range(min = 1))]
    pub window_ms: u64,
    /// Length of the block in milliseconds; that of the window unless given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block_ms: Option<u64>,
}

/// What a limit counts together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RateScope {
    /// All calls of a user.
    #[default]
    User,
    /// Those of a user to one project.
    Project,
    /// Those of a user to one operation of one project.
    Endpoint,
    /// All calls from one address, before the caller is known. The address is that of the socket or, in process, the
    /// request's extension `ClientAddress`; the header `x-sim-address` takes precedence. Calls without an address do not
    /// count.
    Address,
}

impl RateClass {
    /// Its limit.
    pub fn limit(&self) -> RateLimit {
        let block_ms = self.block_ms.unwrap_or(self.window_ms);
        RateLimit { enabled: true, count: self.count, window_ms: self.window_ms, block_ms }
    }

    /// Whether an operation is of the class.
    pub fn has(&self, meta: &Meta) -> bool {
        self.operations.is_empty() || self.operations.iter().any(|id| meta.has_id(id))
    }

    /// The name of the window that a call of an operation counts in; `project` is the one that its path names.
    pub fn window(&self, meta: &Meta, project: Option<&str>) -> String {
        let project = project.unwrap_or_default();
        match self.per {
            RateScope::User | RateScope::Address => self.name.clone(),
            RateScope::Project => format!("{} {project}", self.name),
            RateScope::Endpoint => format!("{} {project} {}", self.name, meta.id),
        }
    }
}

impl std::str::FromStr for RateLimit {
    type Err = String;

    /// Reads `spec`, `off` or `COUNT/SECONDS`.
    fn from_str(text: &str) -> Result<RateLimit, String> {
        let wrong = || {
            let question = near::question(text, ["spec", "off"]);
            format!("rate limit {text:?} is none of spec, off, COUNT/SECONDS (as in 120/60){question}")
        };
        match text {
            "spec" => Ok(RateLimit::default()),
            "off" => Ok(RateLimit::off()),
            other => {
                let (count, seconds) = other.split_once('/').ok_or_else(wrong)?;
                match (count.parse(), seconds.parse()) {
                    (Ok(count), Ok(seconds)) if count > 0 && seconds > 0 => Ok(RateLimit::of(count, seconds)),
                    _ => Err(wrong()),
                }
            }
        }
    }
}
