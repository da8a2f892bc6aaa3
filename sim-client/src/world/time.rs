//! The clock of a world, and its work.

use std::time::Duration;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::json;

use super::World;
use crate::{Result, Types};

/// The times of a clock.
#[derive(Deserialize)]
struct Instants {
    now: Timestamp,
    next_due: Option<Timestamp>,
}

impl<T: Types> World<T> {
    /// The clock: its time, its speed, and when the next work is due.
    pub fn clock(&self) -> Result<T::Clock> {
        self.control("sim-get-clock", &())
    }

    /// The simulated time.
    pub fn now(&self) -> Result<Timestamp> {
        Ok(self.instants()?.now)
    }

    /// The first time on the agenda; `None` if the agenda is empty.
    pub fn next_due(&self) -> Result<Option<Timestamp>> {
        Ok(self.instants()?.next_due)
    }

    fn instants(&self) -> Result<Instants> {
        self.control("sim-get-clock", &())
    }

    /// Sets the speed of the clock in simulated seconds per real second; 0 pauses it.
    pub fn set_speed(&self, speed: f64) -> Result<T::Clock> {
        self.control("sim-set-speed", &json!({ "speed": speed }))
    }

    /// Advances the clock, in whole milliseconds. All work that falls due is done.
    pub fn advance(&self, by: Duration) -> Result<T::Moved> {
        let ms = u64::try_from(by.as_millis()).unwrap_or(u64::MAX);
        self.control("sim-advance-clock", &json!({ "ms": ms }))
    }

    /// Advances the clock to a time. A time that has passed is refused.
    pub fn advance_to(&self, until: Timestamp) -> Result<T::Moved> {
        self.control("sim-advance-clock", &json!({ "until": until }))
    }

    /// Advances the clock to the first time on the agenda and does the work of that time. Has no effect if the agenda is empty.
    pub fn advance_to_next(&self) -> Result<T::Moved> {
        self.control("sim-advance-clock", &json!({ "to": "next_due" }))
    }

    /// Does the next piece of scheduled work, in every pace of the world.
    pub fn step(&self) -> Result<T::Moved> {
        self.control("sim-step", &())
    }

    /// The scheduled work and what ends by itself, in order.
    pub fn agenda(&self) -> Result<Vec<T::Due>> {
        self.control("sim-get-agenda", &())
    }

    /// The finished work, oldest first: all, or the work on one subject, such as a project's reference.
    pub fn history(&self, subject: Option<&str>) -> Result<Vec<T::Happened>> {
        self.control("sim-get-history", &json!({ "subject": subject }))
    }
}
