//! Counts the bytes of answers that are computed and not sent yet.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::{Buf, Bytes};
use sim_core::{Error, Kind};

/// The bytes of all answers that wait to be sent.
#[derive(Debug)]
pub(crate) struct Unsent {
    bytes: AtomicUsize,
    max: usize,
}

impl Unsent {
    /// An empty count. Above `max` bytes, calls are refused.
    pub(crate) fn new(max: usize) -> Unsent {
        Unsent { bytes: AtomicUsize::new(0), max }
    }

    pub(crate) fn is_over(&self) -> bool {
        self.bytes.load(Ordering::Relaxed) > self.max
    }

    /// Refuses a call if there may be no room for its answer.
    pub(crate) fn check(&self) -> Result<(), Error> {
        if !self.is_over() {
            return Ok(());
        }
        let text = format!(
            "More than {} bytes of answers wait for clients that do not read them; try again in a second",
            self.max
        );
        Err(Error::new(Kind::Unavailable, "answers_unread", text))
    }
}

/// A part of an answer that is being sent. It counts until it is sent or dropped.
#[derive(Debug)]
pub(crate) struct Data {
    bytes: Bytes,
    /// Held only to be dropped.
    _counted: Option<Counted>,
}

/// Bytes that count until this is dropped.
#[derive(Debug)]
pub(crate) struct Counted {
    unsent: Arc<Unsent>,
    bytes: usize,
}

impl Counted {
    pub(crate) fn new(bytes: usize, unsent: &Arc<Unsent>) -> Counted {
        unsent.bytes.fetch_add(bytes, Ordering::Relaxed);
        Counted { unsent: Arc::clone(unsent), bytes }
    }
}

impl Data {
    /// A part that counts.
    pub(crate) fn counted(bytes: Bytes, unsent: &Arc<Unsent>) -> Data {
        Data { _counted: Some(Counted::new(bytes.len(), unsent)), bytes }
    }
}

impl From<Bytes> for Data {
    /// A part that does not count.
    fn from(bytes: Bytes) -> Data {
        Data { bytes, _counted: None }
    }
}

impl Buf for Data {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        self.unsent.bytes.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}
