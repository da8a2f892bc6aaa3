//! How far a long run has come, on a line of its own; where nobody sits at a terminal, a line now and then.

use std::io::{IsTerminal as _, Write as _, stderr};
use std::time::{Duration, Instant};

/// Characters of the bar.
const WIDTH: usize = 30;

/// Between two lines that nobody watches.
const NOW_AND_THEN: Duration = Duration::from_secs(30);

/// A line that is written anew.
pub(crate) struct Progress {
    total: usize,
    is_watched: bool,
    last: Option<Instant>,
}

impl Progress {
    pub(crate) fn of(total: usize) -> Progress {
        Progress { total, is_watched: stderr().is_terminal(), last: None }
    }

    /// So much is done; `note` is what there is to say by now.
    pub(crate) fn at(&mut self, done: usize, note: &str) {
        if !self.is_watched && self.last.is_some_and(|last| last.elapsed() < NOW_AND_THEN) {
            return;
        }
        self.last = Some(Instant::now());
        let full = (WIDTH * done / self.total.max(1)).min(WIDTH);
        let (begin, end) = if self.is_watched { ("\r\x1b[K", "") } else { ("", "\n") };
        // Whoever closed it does not want to know.
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
