//! The status of functions: their lifecycle.

use serde::Serialize;
use sim_base::{FromJson, ToSchema};

/// The status of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// It is running.
    Active,
    /// The platform has removed it.
    Removed,
    /// It runs slowed down.
    Throttled,
}

/// What can happen to a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, FromJson, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Event {
    /// It gets new sources.
    Deploy,
    /// The platform slows it down.
    Throttle,
    /// The platform lets it run freely again.
    Release,
    /// The platform removes it.
    Remove,
}

impl Event {
    /// Every event.
    pub const ALL: [Event; 4] = [Event::Deploy, Event::Throttle, Event::Release, Event::Remove];
}

impl Status {
    /// Every state.
    pub const ALL: [Status; 3] = [Status::Active, Status::Removed, Status::Throttled];

    /// The whole lifecycle of a function. `None`: the event does not apply in this state.
    pub const fn on(self, event: Event) -> Option<Status> {
        use Event::*;
        use Status::*;
        Some(match (self, event) {
            (Active | Removed | Throttled, Deploy) => Active,
            (Active, Throttle) => Throttled,
            (Throttled, Release) => Active,
            (Active | Throttled, Remove) => Removed,
            (Active, Release) | (Throttled, Throttle) | (Removed, Throttle | Release | Remove) => {
                return None;
            }
        })
    }
}
