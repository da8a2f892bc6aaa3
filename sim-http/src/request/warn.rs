//! One line for an operator whose server refuses events because its clock is behind.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use bytes::Bytes;
use http::Response;

/// The reason of an answer to events that lie ahead of the world's clock.
const AHEAD: &str = "events_ahead";

const LINE: &str = "warning: events were refused because they lie ahead of the simulated clock; answers to them have \
                    `x-sim-reason: events_ahead`. To begin at the present use --start now; to move the clock, POST \
                    /_sim/clock/advance. This line is not repeated";

/// Calls a function the first time that events are refused for being ahead of the clock.
#[derive(Clone)]
pub(crate) struct Warn {
    tell: Arc<dyn Fn(&str) + Send + Sync>,
    told: Arc<AtomicBool>,
}

impl Warn {
    pub(crate) fn new(tell: impl Fn(&str) + Send + Sync + 'static) -> Warn {
        Warn { tell: Arc::new(tell), told: Arc::default() }
    }

    pub(crate) fn look_at(&self, response: &Response<Bytes>) {
        let reason = response.headers().get("x-sim-reason");
        if reason.is_some_and(|reason| reason == AHEAD) && !self.told.swap(true, Ordering::Relaxed) {
            (self.tell)(LINE);
        }
    }
}
