//! Counts the bytes of requests that arrive or wait for their answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use sim_core::{Error, Kind};

/// A request of at most this many bytes is small. Small ones have as much room again, so that large ones cannot keep them out.
const SMALL: usize = 64 << 10;

/// The reason of the refusal.
pub(crate) const NO_ROOM: &str = "requests_unanswered";

/// The bytes of all requests that are not answered yet, and of what clients of a database keep in their sessions.
#[derive(Debug)]
pub(crate) struct Requests {
    bytes: AtomicUsize,
    max: usize,
}

impl Requests {
    /// An empty count. Above `max` bytes, requests are refused.
    pub(crate) fn new(max: usize) -> Requests {
        Requests { bytes: AtomicUsize::new(0), max }
    }
}

/// The room that a request takes until this is dropped.
#[derive(Debug)]
pub(crate) struct Room {
    requests: Arc<Requests>,
    bytes: usize,
}

impl Room {
    pub(crate) fn new(requests: &Arc<Requests>) -> Room {
        Room { requests: Arc::clone(requests), bytes: 0 }
    }

    /// Takes more room, or refuses the request, which then takes none: in one step, so that others are not refused for its sake.
    pub(crate) fn grow(&mut self, bytes: usize) -> Result<(), Error> {
        let (before, max) = (self.bytes, self.requests.max);
        self.bytes = before.saturating_add(bytes);
        let limit = if self.is_small() { max.saturating_mul(2) } else { max };
        let grown = |all: usize| all.checked_add(bytes).filter(|all| *all <= limit);
        let step = |all| Some(grown(all).unwrap_or(all - before));
        let all = self.requests.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, step);
        if all.is_ok_and(|all| grown(all).is_some()) {
            return Ok(());
        }
        self.bytes = 0;
        let text = format!("More than {max} bytes of requests wait for their answers; try again in a second");
        Err(Error::new(Kind::Unavailable, "requests_unanswered", text))
    }

    pub(crate) fn is_small(&self) -> bool {
        self.bytes <= SMALL
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        self.requests.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_requests_are_refused_before_small_ones_and_give_their_room_back() {
        let requests = Arc::new(Requests::new(SMALL * 2));
        let (mut large, mut other, mut small) =
            (Room::new(&requests), Room::new(&requests), Room::new(&requests));
        large.grow(SMALL * 2).expect("there is room");
        small.grow(SMALL).expect("it is small");
        let refused = other.grow(SMALL + 1).expect_err("it is large");
        assert_eq!((refused.status(), &*refused.reason), (503, NO_ROOM));
        other.grow(1).expect("what was refused takes no room");
        drop((large, other));
        small.grow(SMALL).expect("there is room again");
    }
}
