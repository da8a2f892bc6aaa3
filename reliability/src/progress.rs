//! The progress of a long run on one line; without a terminal, a line from time to time.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::time::{Duration, Instant};

/// Width of the bar in characters.
const WIDTH: usize = 30;

/// Time between two lines without a terminal.
const NOW_AND_THEN: Duration = Duration::from_secs(30);

/// A line that is rewritten.
pub(crate) struct Progress {
    total: usize,
    is_watched: bool,
    last: Option<Instant>,
}

impl Progress {
    pub(crate) fn of(total: usize) -> Progress {
        Progress { total, is_watched: stderr().is_terminal(), last: None }
    }

    /// Shows progress `done`; `note` is the text after it.
    pub(crate) fn at(&mut self, done: usize, note: &str) {
        if !self.is_watched && self.last.is_some_and(|last| last.elapsed() < NOW_AND_THEN) {
            return;
        }
        self.last = Some(Instant::now());
        let full = (WIDTH * done / self.total.max(1)).min(WIDTH);
        let (begin, end) = if self.is_watched { ("\r\x1b[K", "") } else { ("", "\n") };
        // If the output is closed, nobody reads it: ignore the error.
        let _ = write!(stderr(), "{begin}[{:WIDTH$}] {done}/{}  {note}{end}", "#".repeat(full), self.total);
        let _ = stderr().flush();
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.is_watched {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}
